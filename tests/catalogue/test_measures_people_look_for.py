"""Measures that people know from elsewhere, by the values and the names that they know."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.classification.clusters import expected_information

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


@pytest.mark.parametrize("items", [4e3, 4e6, 4e9])
def test_of_any_number_of_items_chance_shares_about_as_much_as_its_freedom(items):
    """(r - 1)(s - 1) / (2 N ln 2) bits, but for terms of the order of 1 / N²; nothing of it is lost in rounding."""
    sizes = np.array([[items / 4, 3 * items / 4]])
    found = expected_information(sizes, sizes, np.array([items]))
    assert float(found[0]) == pytest.approx(1 / (2 * items * np.log(2)), rel=1e-6 + 4 / items, abs=0)


def test_information_contrast():
    """PyEvALL's ICM of flat classes; d is no class of gold."""
    gold, output = list("aabbca"), list("abbccd")
    assert mm.score(gold, output, "icm", classes=list("abcd")) == pytest.approx(-0.861654, abs=6e-7)
    assert mm.score(gold, output, "icm_norm", classes=list("abcd")) == pytest.approx(0.204741, abs=6e-7)
    assert mm.score(gold, gold, "icm", classes=list("abcd")) == pytest.approx(
        mm.score(gold, gold, "gold_entropy", classes=list("abcd"))
    )


# Gold, output, ICM and ICM-Norm: computed by PyEvALL 0.2.11.
PYEVALL = (
    ("babcaa", "aabcaa", 0.7641604167868593, 0.7618515943002203),
    ("abadaabadaba", "abadaaaacaad", -0.4864251887876379, 0.32432312929077656),
    ("ccbbbcbbbaacaacbcbbcbbcaacbaba", "fccbbcacbacfaaaccbbbfbaaacbabc", -0.6940891000426473, 0.2764448849872587),
    ("dbbabbbbadebccabdeceecbee", "fbfdbbbbadebccabdeeecdbde", -0.10456201003989155, 0.4760387843016487),
)


@pytest.mark.parametrize(("gold", "output", "plain", "norm"), PYEVALL)
def test_information_contrast_as_pyevall_computes_it(gold, output, plain, norm):
    classes = sorted({*gold, *output})
    assert mm.score(list(gold), list(output), "icm", classes=classes) == pytest.approx(plain, abs=1e-9)
    assert mm.score(list(gold), list(output), "icm_norm", classes=classes) == pytest.approx(norm, abs=1e-9)


def test_information_contrast_of_shares_as_pyevall_computes_it():
    """PyEvALL 0.2.11; it takes 1 - Φ by subtraction, and has lost the tenth digit."""
    votes = (
        ((3, 4, 5), (1, 2, 2), (3, 0, 1), (1, 0, 0), (5, 4, 4), (1, 4, 3), (1, 3, 0), (5, 6, 5), (3, 5, 3), (4, 6, 3),
         (4, 2, 5), (1, 1, 2)),
        ((1, 6, 5), (5, 5, 1), (3, 2, 0), (6, 1, 0), (0, 1, 1), (2, 3, 1), (0, 0, 1), (2, 1, 2), (4, 5, 2), (4, 1, 5),
         (2, 0, 3), (1, 1, 2)),
    )  # fmt: skip
    gold, output = (np.array([np.array(row) / sum(row) for row in rows]) for rows in votes)
    scores = mm.evaluate(gold, {"run": output}, task="probabilities", classes="a,b,c", measures="icm_soft,icm_soft_norm")["run"]
    assert scores == pytest.approx({"icm_soft": -3.231680922114212, "icm_soft_norm": 0.20226468517460158}, abs=1e-9)
    for name, expected in scores.items():  # rows of nothing, which fill up a batch, are no items
        filled = (np.concatenate([rows, np.full((2, 3), np.nan)]) for rows in (output, gold))
        assert mm.measures.of_task("probabilities")[name](*filled, classes="a,b,c") == pytest.approx(expected)
        assert not mm.measures.of_task("probabilities")[name].undefined_by_output  # it is gold's weights that never vary


# What QuaPy calls them, whether it smooths them, and what they are called here.
OF_QUAPY = {
    "ae": ("ae", False), "mae": ("mae", False), "se": ("se", False), "mse": ("mse", False), "nae": ("nae", False),
    "mnae": ("mnae", False), "rae": ("rae", True), "mrae": ("mrae", True), "nrae": ("nrae", True), "mnrae": ("mnrae", True),
    "kld": ("kld_of_gold", True), "mkld": ("kld_of_gold", True), "nkld": ("nkld", True), "mnkld": ("nkld", True),
}  # fmt: skip


@pytest.mark.needs("quapy")
@pytest.mark.parametrize(("theirs", "ours", "smooth"), [(theirs, *one) for theirs, one in OF_QUAPY.items()])
def test_random_bags_as_quapy_scores_them(theirs, ours, smooth):
    """Forty bags of 50 items, classes without items among them; the mean over the bags, by the names that QuaPy has."""
    from quapy import error

    rng, epsilon = np.random.default_rng(7), 1 / (2 * 50)
    gold = rng.multinomial(50, rng.dirichlet(np.full(4, 0.7), 40)) / 50
    estimates = rng.dirichlet(np.full(4, 0.7), 40)
    estimates[::7], estimates[3] = gold[::7], (1, 0, 0, 0)
    expected = np.mean(getattr(error, theirs)(gold, estimates, **({"eps": epsilon} if smooth else {})))
    how = {"task": "quantification", "classes": "a,b,c,d", **({"smooth": epsilon} if smooth else {})}
    scores = mm.evaluate(gold, {"run": estimates}, measures=[ours], **how)
    assert next(iter(scores["run"].values())) == pytest.approx(expected, abs=1e-9)


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
        ("fbeta_score(beta=2, average='macro')", "fbeta_macro@beta=2.0"),
        ("sklearn.metrics.fbeta_score(average='weighted', beta=0.5)", "fbeta_weighted@beta=0.5"),
        ("matthews_corrcoef", "mcc"),
        ("adjusted_rand_score()", "ari"),
        ("balanced_accuracy_score", "macro_recall"),
        ("v_measure", "nmi"),
        ("normalized_mutual_info_score", "nmi"),
        ("ndcg_score", "ndcg@gain=linear"),
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


def _pairs_of_names():
    return [(measure.as_elsewhere, name) for measure in mm.measures.all for name in measure.called_in("sklearn")]


def _drawn(task, rng):
    """Gold and output as scikit-learn takes them, where nothing is tied, empty or absent; and as ours does."""
    if task == "classification":
        gold, output = rng.permutation([*range(1, 5), *rng.integers(1, 5, 60)]), rng.integers(1, 5, 64)
        table = np.zeros((4, 4))
        np.add.at(table, (gold - 1, output - 1), 1)
        return (gold, output), (table,)
    if task == "multilabel":
        gold, output = (rng.integers(0, 2, (50, 4)) for _ in range(2))
        for array in (gold, output):
            array[~array.any(axis=1), 0] = 1
        return (gold, output), (output, gold)
    if task in ("ranking", "entailment"):  # relevance from ranks: the last of seven is worth 1; and what is relevant at all
        ranks, scores = rng.permutation(7) + 1, rng.random(7)
        relevant = (ranks < 4).astype(int)
        places = np.argsort(np.argsort(-scores)) + 1
        return ((relevant, scores), (places, relevant)) if task == "entailment" else (([8 - ranks], [scores]), (-scores, ranks))
    gold = rng.permutation([*range(4), *rng.integers(0, 4, 60)])
    output = rng.dirichlet(np.ones(4), len(gold))
    return (gold, output), (output, np.eye(4)[gold])


@pytest.mark.parametrize(("measure", "name"), _pairs_of_names(), ids=str)
def test_every_pair_of_names_is_one_number(measure, name):
    """The call that the table names, as it is written there, on random data; LABEL is the second class."""
    from sklearn import metrics

    task = measure.tasks[0]
    rng = np.random.default_rng(len(name))
    for _ in range(5):
        theirs, ours = _drawn(task, rng)
        one = measure.with_argument(("2",)) if measure.open else measure
        place = "2" if task == "classification" else "1"
        if "pos_label" in name:  # of one class against the others
            theirs, call = (theirs[0] == 1, theirs[1][:, 1]), name.replace("pos_label=LABEL", "")
        else:
            call = name.replace("LABEL", place)
        call = call.replace("fbeta_score(", "fbeta_score(beta=1, ")
        expected = eval(f"metrics.{call.replace('(', '(*theirs, ', 1)}", {"metrics": metrics, "theirs": theirs})  # noqa: S307
        classes = None if task in ("ranking", "entailment") else ["1", "2", "3", "4"]
        assert float(one(*ours, classes=classes)) == pytest.approx(expected, abs=1e-9)


def test_eighty_columns_have_every_name_whole(run, monkeypatch):
    """By question, and in each task the first choice is short."""
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = run("measures")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    assert {measure.id for measure in mm.measures.all} <= {*out.split()}
    assert [line for line in out.splitlines() if line.endswith("?")] == [*dict.fromkeys(one.question for one in mm.measures.all)]
    for task in {task for measure in mm.measures.all for task in measure.tasks} - {"agreement"}:
        assert len({measure.base for measure in mm.measures.headline(task)}) <= 7, task
