"""Measures that people know from elsewhere, by the values and the names that they know."""

import numpy as np
import pytest

import metameasure as mm

TABLE = ((5, 1, 0), (2, 3, 1), (0, 2, 6))
# Computed by naive code and by scikit-learn 1.7.
OF_THE_TABLE = {
    "fbeta_macro@beta=0.5": 0.689542, "fbeta_macro@beta=2": 0.691894, "fbeta_weighted@beta=0.5": 0.703922,
    "fbeta_weighted@beta=2": 0.699628, "precision_weighted": 0.707143, "jaccard_macro": 0.541667, "jaccard_weighted": 0.554167,
    "jaccard_micro": 0.538462, "adjusted_balanced_accuracy": 0.541667, "homogeneity": 0.397230, "completeness": 0.394632,
    "nmi": 0.395927, "nmi@geometric": 0.395929, "nmi@min": 0.397230, "nmi@max": 0.394632, "ami": 0.319964, "ari": 0.314214,
    "rand": 0.710526, "fowlkes_mallows": 0.521759,
}  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), OF_THE_TABLE.items())
def test_of_a_table(name, expected):
    assert float(mm.measures[name](TABLE)) == pytest.approx(expected, abs=6e-7)


def test_information_contrast():
    """PyEvALL's ICM of flat classes; d is no class of gold."""
    gold, output = list("aabbca"), list("abbccd")
    assert mm.score(gold, output, "icm", classes=list("abcd")) == pytest.approx(-0.861654, abs=6e-7)
    assert mm.score(gold, output, "icm_norm", classes=list("abcd")) == pytest.approx(0.204741, abs=6e-7)
    assert mm.score(gold, gold, "icm", classes=list("abcd")) == pytest.approx(
        mm.score(gold, gold, "gold_entropy", classes=list("abcd"))
    )


# Gold, estimate, and QuaPy's values with eps = .005.
QUAPY = (
    ((0.5, 0.3, 0.2), (0.4, 0.4, 0.2), {"rae": 0.175296, "nrae": 0.088367, "kld_of_gold": 0.024580, "nkld": 0.012289}, 0.125),
    ((0.7, 0.3, 0.0), (0.6, 0.3, 0.1), {"rae": 6.713948, "nrae": 0.098735, "kld_of_gold": 0.091252, "nkld": 0.045594}, 0.1),
)


@pytest.mark.parametrize(("gold", "estimate", "smoothed", "plain"), QUAPY)
def test_of_quantification(gold, estimate, smoothed, plain):
    assert float(mm.measures["nae"](estimate, gold)) == pytest.approx(plain, abs=6e-7)
    for name, expected in smoothed.items():
        both = ((np.asarray(one) + 0.005) / (1 + 3 * 0.005) for one in (estimate, gold))
        assert float(mm.measures[name](*both)) == pytest.approx(expected, abs=6e-7)


def test_expected_information_of_many_items_as_of_few():
    """The sum over wide bells is taken in steps, that over narrow ones value by value: near the border both are tried."""
    from sklearn.metrics import adjusted_mutual_info_score

    rng = np.random.default_rng(3)
    for items, classes in ((400, 2), (900, 3), (5_000, 3), (20_000, 4)):
        gold = np.minimum(rng.integers(0, classes, items), rng.integers(0, classes, items))
        output = np.where(rng.random(items) < 0.02, gold, rng.integers(0, classes, items))
        table = np.zeros((classes, classes))
        np.add.at(table, (gold, output), 1)
        assert float(mm.measures["ami"](table)) == pytest.approx(adjusted_mutual_info_score(gold, output), abs=1e-12)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("f1_score(average='macro')", "f1_macro"),
        ('sklearn.metrics.f1_score(average="macro")', "f1_macro"),
        ("matthews_corrcoef", "mcc"),
        ("adjusted_rand_score()", "ari"),
        ("balanced_accuracy_score", "macro_recall"),
        ("v_measure", "nmi"),
        ("recall_weighted", "accuracy"),
        ("mnae", "normalised_absolute_error"),
    ],
)
def test_names_of_other_programs(typed, meant):
    assert mm.measures[typed].id == meant


def test_a_name_that_two_tasks_have_is_the_tasks_own():
    from dataclasses import replace

    from metameasure.catalogue.registry import Registry

    ours, other = mm.measures["f1_macro"], replace(mm.measures["nmd"], template="f1_macro", aliases=("macro_f1",))
    registry = Registry([ours, other])
    assert registry["f1_macro"] is ours
    assert registry.of_task("quantification")["f1_macro"] is other
    assert registry.of_task("quantification")["macro_f1"] == other != ours
    assert registry.of_task("classification")["f1_macro"] is ours
    assert registry.called("f1_macro") == [ours, other]
    assert registry.all == (ours, other)


def test_pairs_of_names_are_listed(run):
    status, out, _ = run("measures", "--like", "sklearn", "--format", "tsv")
    assert status == 0
    assert "f1_macro\tf1_score(average='macro')" in out
    status, _, errors = run("measures", "--like", "sklaern")
    assert status == 2
    assert "sklearn" in errors
