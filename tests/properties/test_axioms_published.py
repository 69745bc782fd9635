"""What the papers print about properties of measures, and what the search finds instead where they err."""

import json
from functools import cache

import numpy as np
import pytest

import metameasure as mm
from conftest import ROOT
from metameasure.catalogue.explain import page_name
from metameasure.properties.property import properties
from naive import naive

TRIALS = 3000

# Amigó et al. (2020), Table 2: ordinal invariance, ordinal monotonicity, imbalance, row by row.
TABLE_2 = {
    "accuracy": (True, False, False),
    "accuracy@1": (True, False, False),
    "macro_recall": (True, False, True),
    "kappa": (True, False, True),
    "f1_macro": (True, False, True),
    "mae": (False, True, False),
    "mse": (False, True, False),
    "mae_macro": (False, True, True),
    "mse_macro": (False, True, True),
    "kappa_linear": (False, True, True),
    "kappa_quadratic": (False, True, True),
    "threshold_loss": (False, True, False),
    "cosine": (False, True, False),
    "pearson": (False, False, False),
    "kendall_b": (True, False, True),
    "spearman": (True, False, True),
    "kendall_a": (True, False, False),
    "reliability": (True, False, True),
    "sensitivity": (True, False, True),
    "reliability_sensitivity_f": (True, False, True),
    "mutual_information": (True, False, True),
    "purity": (True, False, True),
    "inverse_purity": (True, False, True),
    "oci": (True, False, False),
    "cem_nom": (True, False, True),
    "cem_int": (False, True, True),
    "cem_ord": (True, True, True),
}
PROPERTIES = ("ordinal_invariance", "ordinal_monotonicity", "imbalance")
# Where the search differs. All but the three marked are in the reading notes on the paper.
NOT_SO = {
    "accuracy@1": {"ordinal_invariance"},
    "oci": {"ordinal_invariance"},
    "cosine": {"ordinal_monotonicity"},
    "kappa_linear": {"imbalance", "ordinal_monotonicity"},  # monotonicity: a tie, from N = 5 on; new
    "kappa_quadratic": {"imbalance", "ordinal_monotonicity"},  # imbalance: new
    **dict.fromkeys(
        (
            "kendall_b",
            "spearman",
            "mutual_information",
            "purity",
            "inverse_purity",
            "reliability",
            "sensitivity",
            "reliability_sensitivity_f",
            "cem_int",
        ),
        frozenset({"imbalance"}),
    ),
}
# Sakai (ACL 2021), Table 4, columns I to III: order, constant runs, class sizes.
TABLE_4 = {
    "kappa_linear": (True, False, True),
    "alpha_ordinal": (True, True, True),
    "alpha_interval": (True, True, True),
    "cem_ord": (True, True, True),
    "mae_macro": (True, True, True),
    "f1_macro": (False, True, True),
    "hmpr": (False, True, True),
    "mae": (True, True, False),
    "accuracy": (False, True, False),
}
# Table 7, columns I and II: order, symmetry.
TABLE_7 = {
    "nmd": (True, True),
    "rsnod": (True, True),
    "rnod": (True, False),
    "nvd": (False, True),
    "rnss": (False, True),
    "jsd": (False, True),
}


@cache
def tried(measure, properties):
    return mm.axioms(measure, properties=properties, trials=TRIALS, threads=1)


@pytest.mark.each_time(5)
@pytest.mark.parametrize("measure", TABLE_2)
def test_table_2_as_printed_but_for_what_is_not_so(measure):
    found = tried(measure, PROPERTIES).of(measure)
    for name, printed in zip(PROPERTIES, TABLE_2[measure], strict=True):
        verdict = found[name]
        assert verdict.claim.holds == printed, name
        assert verdict.differs == (name in NOT_SO.get(measure, set())), verdict.sentence()
        assert verdict.holds == (printed != verdict.differs)


@pytest.mark.parametrize("measure", TABLE_2)
def test_counterexamples_evaluated_again_item_by_item(measure):
    """By the references of tests/naive.py, which share no code with the measures."""
    base, _, number = measure.partition("@")
    template = "accuracy@n" if base == "accuracy" and number else base
    for name, verdict in tried(measure, PROPERTIES).of(measure).items():
        for case in verdict.counterexample.cases if verdict.counterexample else ():
            gold, output = ([label - 1 for label in case.parts[side]] for side in ("gold", "output"))
            classes = verdict.counterexample.classes + (name == "ordinal_invariance" and case is verdict.counterexample.cases[1])
            values = case.parts.get("values") or [float(rank) for rank in range(1, classes + 1)]
            again = naive(template, gold, output, values, None, **({"n": int(number)} if number else {}))
            assert float(again) == pytest.approx(case.score, abs=1e-12), (name, verdict.sentence())


@pytest.mark.parametrize("measure", TABLE_4)
def test_table_4_as_printed(measure):
    properties = ("order_aware", "constant_runs", "imbalance_aware")
    found = tried(measure, properties).of(measure)
    assert tuple(found[name].holds for name in properties) == TABLE_4[measure]
    assert [found[name].claim.holds for name in properties] == list(TABLE_4[measure])


@pytest.mark.parametrize("measure", TABLE_7)
def test_table_7_as_printed(measure):
    properties = ("order_aware", "symmetric")
    found = tried(measure, properties).of(measure)
    assert tuple(found[name].holds for name in properties) == TABLE_7[measure]
    assert [found[name].claim.holds for name in properties] == list(TABLE_7[measure])


def fails(measure, name):
    verdict = mm.axioms(measure, properties=name, trials=TRIALS)[measure, name]
    assert verdict.holds is False, verdict.sentence()
    return verdict


class TestAmigo:
    @pytest.mark.slow
    def test_cem_ord_passes_all_three_and_nothing_else_here_does(self):
        """As its own text says ("the only measure here that ...")."""
        assert (
            "The only measure here that is ordinally invariant, ordinally monotonic and sees imbalance"
            in mm.measures["cem_ord"].use
        )
        every = mm.axioms(task="classification", properties=PROPERTIES, trials=TRIALS)
        passing = [id for id in every.measures if all(one.holds for one in every.of(id).values()) and len(every.of(id)) == 3]
        assert passing == ["cem_ord"]

    def test_monotonicity_by_accuracy(self):
        assert fails("accuracy", "ordinal_monotonicity").counterexample.words == (
            "gold 1 2 3, output 1 1 1 scores 0.333; the closer output 1 1 2 scores 0.333"
        )

    def test_invariance_by_mae(self):
        assert fails("mae", "ordinal_invariance").counterexample.words == (
            "gold 1, output 2 scores 1.000; with an empty class inserted, gold 1, output 3 scores 2.000"
        )

    def test_imbalance_of_appendix_b(self):
        """Gold 1 1 2 3: accuracy 3/4 and 3/4, the cosines .974 and .980, tau-b .8 and .894, Reliability .7917 and 1."""
        for measure, larger, smaller in (
            ("accuracy", 0.75, 0.75),
            ("cosine", 0.9737, 0.9798),
            ("kendall_b", 0.8, 0.8944),
            ("reliability", 0.7917, 1.0),
            ("purity", 0.75, 0.75),
            ("mutual_information", 1.0, 1.0),
        ):
            found = fails(measure, "imbalance").counterexample
            assert found.cases[0].parts == {"gold": [1, 1, 2, 3], "output": [1, 2, 2, 3]}
            assert found.cases[1].parts == {"gold": [1, 1, 2, 3], "output": [1, 1, 2, 2]}
            assert [case.score for case in found.cases] == pytest.approx([larger, smaller], abs=5e-5)

    def test_linear_kappa_on_imbalance(self):
        """Five items: one of class 1 called 2, 1 - 1/(31/5); one of class 3 called 2, the same."""
        found = fails("kappa_linear", "imbalance").counterexample
        assert (found.items, found.classes) == (5, 4)
        assert [case.score for case in found.cases] == pytest.approx([1 - 5 / 31] * 2)

    def test_cosine_on_monotonicity(self):
        """The reading notes' case has empty gold classes; the search's has none: 5/sqrt(27), the closer 6/sqrt(54) x 7/6."""
        case = mm.measures["cosine"]
        assert float(case(table([1, 2], [2, 4], 4))) == pytest.approx(1)
        assert float(case(table([1, 2], [1, 4], 4))) == pytest.approx(0.976, abs=5e-4)
        found = fails("cosine", "ordinal_monotonicity").counterexample
        assert [one.parts["output"] for one in found.cases] == [[1, 1, 1], [1, 1, 2]]
        assert [one.score for one in found.cases] == pytest.approx([5 / np.sqrt(27), 7 / np.sqrt(54)])

    def test_appendix_b_equal_for_all_is_not_so(self):
        """Output 1, 2, 3 and output 2, 3, 4 against gold 3, 4, 5."""
        for measure, scores in (("kappa", (-0.125, -0.286)), ("accuracy@1", (0, 1)), ("accuracy", (0, 0))):
            found = [float(mm.measures[measure](table([3, 4, 5], output, 5))) for output in ([1, 2, 3], [2, 3, 4])]
            assert found == pytest.approx(scores, abs=5e-4)

    def test_quadratic_kappa_on_monotonicity(self):
        assert fails("kappa_quadratic", "ordinal_monotonicity").counterexample.items == 3


def table(gold, output, classes):
    counts = np.zeros((classes, classes))
    np.add.at(counts, (np.array(gold) - 1, np.array(output) - 1), 1)
    return counts


class TestSakai:
    def test_nmd_assumes_equidistance(self):
        """Section 7 says that it does not."""
        verdict = fails("nmd", "ordinal_invariance")
        assert verdict.differs
        assert verdict.counterexample.items == 1

    def test_nmd_is_not_monotonic(self):
        """Gold (1,2,1,2)/6, estimate (2,2,1,1)/6 costs .1667, (2,1,2,1)/6 .1111; the search finds one in quarters."""
        gold, before, after = (np.array(parts) / 6 for parts in ((1, 2, 1, 2), (2, 2, 1, 1), (2, 1, 2, 1)))
        assert float(mm.measures["nmd"](before, gold)) == pytest.approx(0.1667, abs=5e-5)
        assert float(mm.measures["nmd"](after, gold)) == pytest.approx(0.1111, abs=5e-5)
        assert fails("nmd", "monotonic").counterexample.items == 4

    def test_distances_from_gold_ignore_order_at_point_masses(self):
        near, far = fails("rnod_gold", "order_aware").counterexample.cases
        assert (near.parts["estimate"], far.parts["estimate"]) == ([0, 1, 0], [0, 0, 1])
        assert near.score == far.score

    def test_rnod_passes_1_with_five_classes(self):
        estimate, gold = np.array([1, 0, 0, 0, 0]), np.array([0, 0.9, 0, 0.05, 0.05])
        assert float(mm.measures["rnod"](estimate, gold)) == pytest.approx(1.0028, abs=5e-5)
        assert mm.axioms("rnod", properties="bounded", trials=TRIALS)["rnod", "bounded"].holds

    def test_the_first_condition_of_footnote_2_is_false(self):
        estimate, gold = np.eye(4)[0], np.full(4, 0.25)
        assert float(mm.measures["od"](estimate, gold)) == pytest.approx(1.0625)
        assert float(mm.measures["od"](gold, estimate)) == pytest.approx(0.375)
        assert not fails("od", "symmetric").differs


class TestBergmair:
    def test_degradation(self):
        assert mm.axioms("mutual_information", properties="degradation", trials=TRIALS)["mutual_information", "degradation"].holds
        for measure in ("accuracy", "kappa"):
            assert not fails(measure, "degradation").differs

    def test_figure_2(self):
        before = np.array([[20, 25, 5], [9, 18, 9], [1, 7, 6]])
        after = np.array([[45, 0, 5], [27, 0, 9], [8, 0, 6]])
        for measure, one, other in (("mutual_information", 0.0836, 0.0574), ("kappa", 0.1277, 0.1434), ("accuracy", 0.44, 0.51)):
            assert [float(mm.measures[measure](counts)) for counts in (before, after)] == pytest.approx([one, other], abs=5e-5)

    def test_logical_symmetry(self):
        found = mm.axioms("a3,a2,average_precision", properties="logical_symmetry", trials=TRIALS)
        assert [one.holds for one in found.verdicts] == [True, False, False]
        assert not found.differences()

    def test_random_labels_seem_to_have_information(self):
        """Section 5.1 says that they have none; on two items with a label each they have a whole bit."""
        verdict = fails("mutual_information", "chance_level")
        assert verdict.differs
        assert verdict.counterexample.words == (
            "gold 1 2: the labels 1 1 dealt out at random score 0.000 on average, the labels 1 2 score 1.000"
        )

    def test_average_precision_against_accuracy(self):
        """Section 4.1; by hand: (1 + 2/4 + 3/5) / 3 = .7 with one of three in the first three places."""
        found = fails("average_precision", "accuracy_agrees").counterexample
        assert found.cases[0].parts == {"positive": [1, 0, 0, 1, 1], "accuracy": [pytest.approx(0.2)]}
        assert found.cases[0].score == pytest.approx(0.7)
        assert found.cases[1].score < 0.7
        assert found.cases[1].parts["accuracy"][0] > 0.2

    def test_papers_that_want_opposite_things(self):
        (asked,) = {one.asked for one in mm.axioms("kappa", properties="constant_runs", trials=0).verdicts}
        assert "opposite" in asked.note
        assert {str(source).partition(",")[0] for source in asked.source} == {"Sakai (2021)", "Bergmair (2009)"}


# What measures say of themselves in words, and what the search must then find.
WORDS = {
    "Blind to order": ("order_aware", False),
    "order is not seen": ("order_aware", False),
    "Every constant run scores 0": ("constant_runs", False),
    "Every constant run leaves all of gold_entropy": ("constant_runs", False),
    "tells constant runs apart": ("constant_runs", True),
    "does not ask which side is gold": ("symmetric", True),
    "merging labels never helps": ("degradation", True),
    "It can rise when a run becomes less informative": ("degradation", False),
    "still scores 1": ("perfect_only", False),
    "can still score 1": ("perfect_only", False),
    "a run that always gives one class scores 1": ("perfect_only", False),
    "cannot tell a hit from a near miss": ("perfect_only", False),
    "and a run may move away from gold and gain": ("ordinal_monotonicity", False),
    "no distances between them may be assumed": ("ordinal_invariance", True),
    "It changes when every judgement is turned into its negation": ("logical_symmetry", False),
    "turning each judgement into its negation changes the value": ("logical_symmetry", False),
    "It assumes equidistance": ("ordinal_invariance", False),
    "Not symmetric, except": ("symmetric", False),
    "symmetric and finite": ("symmetric", True),
    "; symmetric.": ("symmetric", True),
    "order is not seen there": ("order_aware", False),
    "Predicted ties take the expectation": ("ties_in_expectation", True),
    "A prediction gains by tying": ("ties_in_expectation", False),
}


@pytest.mark.each_time(2)
@pytest.mark.parametrize("words", WORDS)
def test_what_measures_say_of_themselves_is_so(words):
    name, holds = WORDS[words]
    saying = [found for found in mm.measures.values() if words in found.use + " " + found.note and not found.needs_distance]
    assert saying, "no measure says so any more"
    for measure in saying:
        verdict = mm.axioms([measure], properties=name, trials=0).verdicts[0]
        assert verdict.holds == holds, f"{measure.id} says '{words}', but {name} {verdict.sentence()}"


class TestPages:
    """Generated by docs/generate.py from verdicts kept in docs/axioms.json."""

    def test_every_disagreement_is_listed(self):
        page = (ROOT / "docs/axioms.md").read_text(encoding="utf-8")
        expected = {(measure, name) for measure, names in NOT_SO.items() for name in names}
        expected |= {("nmd", "ordinal_invariance"), ("mutual_information", "chance_level")}
        for measure, name in expected:
            row = next(line for line in page.splitlines() if f"[`{measure}`]" in line and f"[`{name}`]" in line)
            assert mm.axioms(measure, properties=name, trials=0)[measure, name].counterexample.words in row

    def test_a_page_for_each_property_and_a_section_for_each_measure(self):
        for asked in properties():
            page = (ROOT / f"docs/properties/{asked.id}.md").read_text(encoding="utf-8")
            assert asked.formula in page
        # No property is asked of coefficients among annotators, of others' scores, of sets of labels, of probabilities, of
        # metrics that score systems, and of items with weights of their own.
        unasked = ("weights@", "sets", "probabilities", "systems")
        for measure in mm.measures.values():
            if measure.tasks in (("agreement",), ("outcomes",)) or measure.reads.startswith(unasked):
                continue
            assert "**Properties**" in (ROOT / "docs/measures" / page_name(measure)).read_text(encoding="utf-8")

    @pytest.mark.slow
    def test_the_kept_verdicts_are_what_the_search_finds(self):
        kept = json.loads((ROOT / "docs/axioms.json").read_text(encoding="utf-8"))["verdicts"]
        for one in mm.axioms().verdicts:
            assert kept[one.measure.template][one.asked.id]["words"] == one.sentence()
