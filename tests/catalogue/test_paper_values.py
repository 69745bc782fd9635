"""Numbers that the papers and their definitions print, each naming its source. Where a paper errs, the test says so."""

import math

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.classification.cem import interval_share, nominal_share, proximity
from metameasure.catalogue.classification.mutual_information import information_by_chance
from metameasure.studies import amigo2020, bergmair2009

# Amigó et al. (2020), Figure 3; what the papers print themselves stands in their studies.
CLASSES = ["neg", "neu", "pos"]
A, B = (np.array(table) for table in amigo2020.FIGURE_3.values())
E1 = ([1, 1, 2, 3], [1, 2, 2, 3])


def value(name, counts, **options):
    return float(mm.measures[name](counts, **options))


def e1(name, classes=(1, 2, 3)):
    return mm.score(*E1, name, classes=list(classes))


def test_cem_of_figure_3():
    assert value("cem_ord", A) == pytest.approx(0.7117, abs=5e-5)
    assert value("cem_ord", B) == pytest.approx(0.7596, abs=5e-5)
    assert value("accuracy", A) == value("accuracy", B) == pytest.approx(0.70)


# Bergmair (2009), Figure 2: gold down, output across; then the output's first two labels merged (Section 5.2).
RTE, MERGED = np.array(bergmair2009.FIGURE_2), np.array(bergmair2009.MERGED)
RTE_CLASSES = ["entailment", "unknown", "contradiction"]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("gold_entropy", 1.4277, 1.4277),
        ("conditional_entropy", 1.3441, 1.3703),
        ("conditional_entropy@entailment", 1.0746, 1.3280),
        ("conditional_entropy@unknown", 1.4277, math.nan),
        ("conditional_entropy@contradiction", 1.5395, 1.5395),
        # The paper says "down to 0.0262". Its own H(G|L') gives 1.4277 - 1.3703 = 0.0574; 0.0262 is the size of the drop.
        ("mutual_information", 0.0836, 0.0574),
        ("kappa", 0.1277, 0.1434),  # printed .1433, cut off rather than rounded
        ("accuracy", 0.44, 0.51),
        ("precision@entailment", 0.6667, 0.5625),  # the merged label is right 56 % of the time, not the paper's 45 %
    ],
)
def test_bergmair_figure_2(name, before, after):
    assert value(name, RTE, classes=RTE_CLASSES) == pytest.approx(before, abs=5e-5)
    assert value(name, MERGED, classes=RTE_CLASSES) == pytest.approx(after, abs=5e-5, nan_ok=True)


def test_the_drop_of_mutual_information_is_what_the_paper_prints_as_its_value():
    drop = value("mutual_information", RTE) - value("mutual_information", MERGED)
    assert drop == pytest.approx(0.0262, abs=1e-4)  # the paper's is the difference of two rounded numbers


# Amigó et al. (2020), Appendix B. Eff(s, g): the paper names the output first.
FIVE = [1, 2, 3, 4, 5]
CLASSIFICATION_AND_CORRELATION = [
    "accuracy", "macro_recall", "f1_macro", "pearson", "spearman", "kendall_a", "kendall_b", "gamma", "mutual_information",
    "purity", "reliability", "sensitivity", "cem_nom",
]  # fmt: skip


def appendix_b(name, output, gold, classes=FIVE):
    return mm.score(gold, output, name, classes=classes)


@pytest.mark.parametrize("name", CLASSIFICATION_AND_CORRELATION)
def test_appendix_b_monotonicity(name):
    assert appendix_b(name, [1, 2, 3], [3, 4, 5]) == pytest.approx(appendix_b(name, [2, 3, 4], [3, 4, 5]), abs=1e-12)


def test_appendix_b_equal_for_all_is_not_so_for_kappa_and_accuracy_within_1():
    assert appendix_b("kappa", [1, 2, 3], [3, 4, 5]) == pytest.approx(-0.125)
    assert appendix_b("kappa", [2, 3, 4], [3, 4, 5]) == pytest.approx(-0.286, abs=5e-4)
    assert appendix_b("accuracy@1", [1, 2, 3], [3, 4, 5]) == 0
    assert appendix_b("accuracy@1", [2, 3, 4], [3, 4, 5]) == 1


@pytest.mark.parametrize("name", ["mae", "mse", "mae_macro", "mse_macro", "cem_int", "cem_ord", "cem_flat", "kappa_linear"])
def test_appendix_b_closer_is_better_for_these(name):
    better = 1 if mm.measures[name].better == "higher" else -1
    assert better * appendix_b(name, [2, 3, 4], [3, 4, 5]) > better * appendix_b(name, [1, 2, 3], [3, 4, 5])


@pytest.mark.parametrize(
    ("name", "equal"), [("pearson", False), ("mae", False), ("mse", False), ("cem_ord", True), ("spearman", True)]
)
def test_appendix_b_invariance(name, equal):
    cubed = {str(label): 10.0 + label**3 for label in FIVE}
    plain = appendix_b(name, [1, 2, 3], [3, 4, 5])
    assert (appendix_b(name, [1, 2, 3], [3, 4, 5], classes=cubed) == pytest.approx(plain)) == equal


def test_appendix_b_imbalance_holds_for_cem_ord():
    gold, classes = [1, 1, 2, 3], [1, 2, 3]
    assert mm.score(gold, [1, 2, 2, 3], "cem_ord", classes=classes) > mm.score(gold, [1, 1, 2, 2], "cem_ord", classes=classes)


# Values computed twice, independently, for the points that the papers leave open; these to six digits.
NEW = ("mcc", "f1_weighted", "rmse")


@pytest.mark.parametrize(
    ("name", "of_a", "of_b", "of_e1"),
    [
        ("macro_recall", 0.6111, None, None),
        ("cem_nom", 0.6513, 0.6869, 0.8000),
        ("cem_int", 0.7031, 0.7427, None),
        ("cem_flat", 0.7825, 0.8143, 0.8846),
        ("cem_ord", 0.7117, 0.7596, 0.8678),
        ("reliability", 0.4535, None, 0.7917),
        ("sensitivity", 0.4739, None, 0.7917),
        ("reliability_sensitivity_f", 0.4635, None, None),
        ("oci", 0.4601, 0.4132, 0.2937),
        ("threshold_loss", 1.04, None, 0.5),
        ("purity", 0.72, None, None),
        ("inverse_purity", 0.70, None, None),
        ("cosine", None, None, 0.9737),
        ("mcc", 0.465113, None, None),
        ("f1_weighted", 0.707905, None, None),
        ("rmse", 0.793725, None, None),
    ],
)
def test_definitions(name, of_a, of_b, of_e1):
    for counts, expected in ((A, of_a), (B, of_b)):
        if expected is not None:
            assert value(name, counts) == pytest.approx(expected, abs=5e-5 if name not in NEW else 5e-7)
    if of_e1 is not None:
        assert e1(name) == pytest.approx(of_e1, abs=5e-5)


def test_constant_run_reliability_undefined_sensitivity_and_f_zero():
    constant = [[0, 3, 0], [0, 2, 0], [0, 4, 0]]
    assert math.isnan(value("reliability", constant))
    assert value("sensitivity", constant) == value("reliability_sensitivity_f", constant) == 0


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall_b", "gamma", "reliability"])
def test_constant_output_undefined(name):
    assert math.isnan(value(name, [[0, 3, 0], [0, 2, 0], [0, 4, 0]]))


def test_tau_a_of_a_constant_is_0():
    """(C - D) / (n (n - 1) / 2) has no other value; of one item there is no pair. Amigó et al. (2020) count it so."""
    constant_output, constant_gold = [[0, 3, 0], [0, 2, 0], [0, 4, 0]], [[3, 2, 4], [0, 0, 0], [0, 0, 0]]
    for counts in (constant_output, constant_gold, [[2, 0, 0], [0, 0, 0], [0, 0, 0]]):
        assert value("kendall_a", counts) == 0
    assert math.isnan(value("kendall_a", [[1, 0, 0], [0, 0, 0], [0, 0, 0]]))
    tau_a = mm.measures["tau@a"]
    np.testing.assert_array_equal(tau_a([[1, 1], [1, 2], [1, np.nan]], [[1, 2], [1, 1], [1, 2]]), [0, 0, np.nan])


@pytest.mark.parametrize(("name", "other"), [("kappa_linear", "alpha_ordinal"), ("alpha_ordinal", "kappa_linear")])
def test_the_advice_of_sakai_section_5_4_stands_on_both_pages(name, other):
    measure = mm.measures[name]
    assert "Sakai (2021) recommends it as the primary measure for ordinal classes" in measure.use
    assert other in measure.use
    assert "report both" in measure.use
    assert any("Section 5.4" in source.where for source in measure.source)


def test_an_empty_class_between_1_and_2_moves_mae_but_not_cem_ord():
    assert e1("mae") == 0.25
    assert e1("mae", (1, "empty", 2, 3)) == 0.5
    assert e1("cem_ord", (1, "empty", 2, 3)) == pytest.approx(e1("cem_ord"), abs=1e-12)


def test_kappa_of_a_constant_run_is_0_but_undefined_where_gold_is_that_class_alone():
    """Sakai (2021), Section 7, says 0 for all topics; 0/0 is not 0."""
    assert value("kappa_linear", [[0, 3, 0], [0, 2, 0], [0, 4, 0]]) == 0
    assert math.isnan(value("kappa_linear", [[0, 0, 0], [0, 9, 0], [0, 0, 0]]))


def test_cem_guard_of_sakai_eq_4_never_changes_a_score_on_counts():
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts = rng.integers(0, 3, (4, 4)) * rng.integers(0, 2, (4, 1))
        if not counts.sum():
            continue
        gold, n = counts.sum(axis=1), counts.sum()
        k = np.array(
            [
                [gold[p] / 2 + sum(gold[min(g, p + 1) : g + 1] if p <= g else gold[g:p]) * (g != p) for p in range(4)]
                for g in range(4)
            ]
        )
        prox = -np.log2(np.maximum(0.5, k) / n)
        assert value("cem_ord", counts) == pytest.approx((prox * counts).sum() / (np.diag(prox) * gold).sum(), abs=1e-12)


class TestPropositionsOnUniformGold:
    """Amigó et al. (2020), Propositions 1 and 2: known measures are aggregated CIQ^NOM where gold classes are equally large."""

    @pytest.fixture(params=[2, 3, 5])
    def uniform(self, request):
        """A random output on a gold with 20 items in each class, and the nominal CIQ of each cell."""
        rng = np.random.default_rng(request.param)
        counts = np.stack([rng.multinomial(20, rng.dirichlet(np.ones(request.param))) for _ in range(request.param)])
        gold = counts.sum(axis=1).astype(float)
        return counts, proximity(nominal_share(gold)), [str(c) for c in range(len(gold))]

    def test_accuracy_is_cem_nom(self, uniform):
        counts, _, _ = uniform
        assert value("accuracy", counts) == pytest.approx(value("cem_nom", counts), abs=1e-12)

    def test_precision_is_ciq_over_what_the_output_gave_the_class(self, uniform):
        counts, ciq, classes = uniform
        for p, label in enumerate(classes):
            most = counts[:, p].sum() * ciq.max()
            expected = (counts * ciq)[:, p].sum() / most
            assert value(f"precision@{label}", counts, classes=classes) == pytest.approx(expected, abs=1e-12)

    def test_recall_is_ciq_over_what_gold_gave_the_class(self, uniform):
        counts, ciq, classes = uniform
        for g, label in enumerate(classes):
            expected = (counts * ciq)[g].sum() / (counts[g].sum() * ciq[g, g])
            assert value(f"recall@{label}", counts, classes=classes) == pytest.approx(expected, abs=1e-12)

    def test_macro_accuracy_is_the_mean_of_the_classes_share_of_ciq(self, uniform):
        counts, ciq, _ = uniform
        shares = (counts * ciq).sum(axis=1) / (counts.sum(axis=1) * np.diag(ciq))
        assert value("macro_recall", counts) == pytest.approx(shares.mean(), abs=1e-12)


@pytest.mark.parametrize("offset", [0, 1e3, 1e5, 1e8])
def test_interval_closeness_sees_equal_distances_despite_rounding(offset):
    values = offset + np.array([0.1, 0.2, 0.3])  # 0.3 - 0.2 is not 0.2 - 0.1 in floating point
    assert interval_share(np.array([3.0, 4.0, 5.0]), values=values)[1, 2] * 12 == 4 + (3 + 5) / 2


def test_information_of_a_random_labelling():
    """About (C-1)² / (2 N ln 2) bits."""
    assert information_by_chance(3, 30) == pytest.approx(4 / (60 * np.log(2)), rel=1e-12)
    assert information_by_chance(2, 1) == pytest.approx(0.7213, abs=5e-5)
