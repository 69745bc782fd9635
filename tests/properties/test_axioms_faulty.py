"""A deliberately faulty measure for each property: it is caught, with the smallest counterexample there is.

Each measure is right but in one spot, and where that spot comes up first can be told by reading.
"""

from dataclasses import replace

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.entailment.orders import BELIEF
from metameasure.catalogue.ranking.ranks import RANKS

MEASURES = mm.measures


def spoiled(base, formula, **facts):
    """A measure with another formula of (xp-free NumPy) arrays; everything else as declared."""
    known = MEASURES[base]
    facts = {"evidence": None, "parameter": None, "facts_at": None, "undefined": ()} | facts
    return replace(known, template="spoiled", aliases=(), function=formula, **facts)


def spoiled_somewhere(base, where, by=0.25, **facts):
    """The base, but for tables (or pairs) on which ``where`` is true: those score so much more."""
    known = MEASURES[base].function
    return spoiled(base, lambda *arrays: known(*arrays) + by * where(*arrays), **facts)


def first_failure(measure, name, trials=0):
    verdict = mm.axioms([measure], properties=name, trials=trials)["spoiled", name]
    assert verdict.holds is False
    return verdict.counterexample


def labels(found):
    return [(case.parts["gold"], case.parts["output"]) for case in found.cases]


class TestClassification:
    def test_ordinal_invariance(self):
        """The last column, wherever it is: two items of the first class called the last."""
        found = first_failure(
            spoiled_somewhere("cem_ord", lambda c: (c[:, 0, -1] >= 2) & (c.shape[-1] > 1)), "ordinal_invariance"
        )
        assert (found.items, found.classes) == (2, 2)
        assert labels(found) == [([1, 1], [2, 2]), ([2, 2], [3, 3])]

    def test_ordinal_invariance_of_values(self):
        """Values that count only where the last class has three hits: a single class spans nothing, one more class spans 1."""

        def formula(counts, *, values):
            return MEASURES["accuracy"].function(counts) + (counts[:, -1, -1] >= 3) * (values[-1] - values[0]) / 1000

        found = first_failure(spoiled("accuracy", formula), "ordinal_invariance")
        assert (found.items, found.classes) == (3, 1)
        assert labels(found) == [([1, 1, 1], [1, 1, 1]), ([2, 2, 2], [2, 2, 2])]

    def test_ordinal_monotonicity(self):
        """Errors of three classes cost as much as errors of two."""

        def capped(counts):
            far = np.minimum(2, np.abs(np.subtract.outer(np.arange(counts.shape[-1]), np.arange(counts.shape[-1]))))
            return (counts * far).sum(axis=(1, 2)) / counts.sum(axis=(1, 2))

        found = first_failure(spoiled("mae", capped), "ordinal_monotonicity")
        assert (found.items, found.classes) == (4, 4)
        assert labels(found) == [([1, 2, 3, 4], [1, 1, 1, 1]), ([1, 2, 3, 4], [1, 1, 1, 2])]

    def test_ordinal_monotonicity_of_several_moves(self):
        """Two items moved at once, each single move being undefined: only who looks at several moves sees it."""

        def formula(counts):
            moved = counts[:, 0, 1]
            score = -(counts * (1 - np.eye(counts.shape[-1]))).sum(axis=(1, 2))
            return np.where(moved == 1, np.nan, np.where(moved == 2, 9.0, score))

        found = first_failure(spoiled("accuracy", formula, range=(-9, 9)), "ordinal_monotonicity")
        assert labels(found) == [([1, 1, 2], [2, 2, 1]), ([1, 1, 2], [1, 1, 1])]

    def test_imbalance(self):
        """Classes of two items and more count as if they had two."""

        def formula(counts):
            gold = counts.sum(axis=2)
            missed = gold - np.diagonal(counts, axis1=1, axis2=2)
            return 1 - (missed / np.clip(gold, 1, 2)).sum(axis=1) / 10

        found = first_failure(spoiled("macro_recall", formula), "imbalance")
        assert (found.items, found.classes) == (6, 3)
        assert labels(found)[0] == ([1, 1, 1, 2, 3, 3], [1, 1, 2, 2, 3, 3])
        assert labels(found)[1] == ([1, 1, 1, 2, 3, 3], [1, 1, 1, 2, 2, 3])

    def test_order_aware(self):
        """Blind to order, and then but for one spot."""
        blind = mm.axioms([spoiled("accuracy", MEASURES["accuracy"].function)], properties="order_aware", trials=500)
        assert not blind["spoiled", "order_aware"].holds
        assert blind["spoiled", "order_aware"].random > 400
        seeing = spoiled_somewhere("accuracy", lambda c: (c[:, 0, 0] == 2) & (c.sum(axis=(1, 2)) == 3))
        verdict = mm.axioms([seeing], properties="order_aware", trials=0)["spoiled", "order_aware"]
        assert verdict.holds
        assert labels(verdict.witness) == [([1, 1, 1], [1, 1, 2]), ([2, 2, 2], [1, 2, 2])]

    def test_constant_runs(self):
        """Tells them apart only where there are three items, all called 1."""
        spot = spoiled_somewhere("kappa", lambda c: c[:, :, 0].sum(axis=1) == 3)
        verdict = mm.axioms([spot], properties="constant_runs", trials=0)["spoiled", "constant_runs"]
        assert verdict.holds
        assert verdict.witness.items == 3
        never = mm.axioms("kappa", properties="constant_runs", trials=500)["kappa", "constant_runs"]
        assert (never.holds, never.witness, never.counterexample) == (False, None, None)

    def test_imbalance_aware(self):
        """A class that always counts double has nothing to do with its size."""

        def favourite(counts):
            weights = np.where(np.arange(counts.shape[-1]) == 0, 2.0, 1.0)
            right = (np.diagonal(counts, axis1=1, axis2=2) * weights).sum(axis=1)
            return right / counts.sum(axis=(1, 2)) - (counts[:, 0].sum(axis=1) / counts.sum(axis=(1, 2)))

        verdict = mm.axioms([spoiled("accuracy", favourite, range=(-9, 9))], properties="imbalance_aware", trials=500)
        assert not verdict["spoiled", "imbalance_aware"].holds

    def test_symmetric(self):
        found = first_failure(spoiled_somewhere("accuracy", lambda c: c[:, 0, 1:].sum(axis=1) >= 2), "symmetric")
        assert (found.items, found.classes) == (2, 2)
        assert labels(found) == [([1, 1], [2, 2]), ([2, 2], [1, 1])]

    def test_too_large_to_be_met_but_at_random(self):
        """Twenty items are beyond the exhaustive part; what is met says that it may not be the smallest."""
        measure = spoiled_somewhere("accuracy", lambda c: c[:, 0, 1:].sum(axis=1) >= 20)
        assert mm.axioms([measure], properties="symmetric", trials=0)["spoiled", "symmetric"].holds
        verdict = mm.axioms([measure], properties="symmetric", trials=3000)["spoiled", "symmetric"]
        assert verdict.holds is False
        assert verdict.counterexample.items >= 20
        assert "(the smallest met at random)" in verdict.sentence()
        assert "1×" in verdict.counterexample.words

    def test_perfect_only(self):
        """One error in three is forgiven."""

        def lenient(counts):
            wrong = 1 - MEASURES["accuracy"].function(counts)
            return np.where(wrong < 0.34, 1.0, 1 - wrong)

        found = first_failure(spoiled("accuracy", lenient), "perfect_only")
        assert labels(found)[0] == ([1, 1, 1], [1, 1, 2])

    def test_perfect_that_is_not(self):
        found = first_failure(spoiled_somewhere("accuracy", lambda c: c[:, 0, 0] >= 2, by=-0.5), "perfect_only")
        assert labels(found)[0] == ([1, 1], [1, 1])
        assert "which is perfect" in found.words

    def test_bounded(self):
        found = first_failure(spoiled_somewhere("accuracy", lambda c: c[:, 0, 0] >= 2), "bounded")
        assert (found.items, found.classes, labels(found)) == (2, 1, [([1, 1], [1, 1])])

    def test_chance_level(self):
        """Labels with two 1s get a bonus."""
        found = first_failure(spoiled_somewhere("kappa", lambda c: c[:, :, 0].sum(axis=1) >= 2), "chance_level")
        assert (found.items, found.classes) == (2, 2)
        assert [case.parts["labels"] for case in found.cases] == [[1, 1], [1, 2]]

    def test_degradation(self):
        """Constant outputs get a bonus."""
        constant = spoiled_somewhere("mutual_information", lambda c: (c.sum(axis=1) > 0).sum(axis=1) == 1, by=0.5)
        found = first_failure(constant, "degradation")
        assert labels(found) == [([1, 1], [1, 2]), ([1, 1], [1, 1])]

    def test_logical_symmetry(self):
        found = first_failure(spoiled_somewhere("accuracy", lambda c: c[:, 0, 0] >= 2, by=-0.5), "logical_symmetry")
        assert labels(found) == [([1, 1], [1, 1]), ([2, 2], [2, 2])]


def shares(found):
    return [(case.parts["gold"], case.parts["estimate"]) for case in found.cases]


class TestQuantification:
    def nvd(self, predicted, gold):
        return np.abs(predicted - gold).sum(axis=-1) / 2

    def test_ordinal_invariance(self):
        found = first_failure(spoiled_somewhere("nvd", lambda p, g: g[:, 0] == 0.5), "ordinal_invariance")
        assert found.items == 2
        assert shares(found)[0] == ([0.5, 0.5], [1, 0])

    def test_order_aware(self):
        """Three classes off costs as much as two."""

        def formula(predicted, gold):
            return np.minimum(2, np.abs(np.cumsum(predicted - gold, axis=-1)).sum(axis=-1))

        found = first_failure(spoiled("emd", formula), "order_aware")
        assert found.classes == 4
        assert shares(found) == [([1, 0, 0, 0], [0, 0, 1, 0]), ([1, 0, 0, 0], [0, 0, 0, 1])]

    def test_symmetric(self):
        found = first_failure(spoiled_somewhere("nvd", lambda p, g: p[:, 0] == 0.5), "symmetric")
        assert shares(found) == [([1, 0], [0.5, 0.5]), ([0.5, 0.5], [1, 0])]

    def test_bounded(self):
        """An RNOD that is declared to end at 1, as one might think it does, does not before there are five classes."""
        declared = replace(MEASURES["rnod"], template="spoiled", range=(0, 1))
        found = first_failure(declared, "bounded")
        assert found.classes == 5
        assert found.cases[0].score > 1

    def test_identity(self):
        """A quarter of the mass in the wrong place is forgiven."""
        found = first_failure(spoiled("nvd", lambda p, g: np.maximum(0, self.nvd(p, g) - 0.25)), "identity")
        assert (found.items, shares(found)[0]) == (4, ([1, 0], [0.75, 0.25]))

    def test_non_negative(self):
        found = first_failure(spoiled("nvd", lambda p, g: self.nvd(p, g) - 0.4 * (self.nvd(p, g) == 1 / 3)), "non_negative")
        assert found.items == 3

    def test_monotonic(self):
        """Beyond a half it costs no more: in quarters, from (1,3)/4 on."""
        found = first_failure(spoiled("nvd", lambda p, g: np.minimum(0.5, self.nvd(p, g))), "monotonic")
        assert (found.items, found.classes) == (4, 2)
        assert shares(found) == [([0.75, 0.25], [0.25, 0.75]), ([0.75, 0.25], [0, 1])]

    def test_maximum(self):
        """The same for all golds but one."""
        spot = spoiled("nvd", lambda p, g: (np.abs(p - g).max(axis=-1) > 0) * np.where(g[:, 0] == 2 / 3, 0.5, 1.0))
        found = first_failure(spot, "maximum")
        assert found.items == 3
        assert [case.score for case in found.cases] == [1.0, 0.5]

    def test_impartial(self):
        """Overestimating the first class costs extra."""
        found = first_failure(spoiled("nvd", lambda p, g: self.nvd(p, g) + 0.1 * np.maximum(0, p - g)[:, 0]), "impartial")
        assert shares(found) == [([0.5, 0.5], [1, 0]), ([0.5, 0.5], [0, 1])]

    def test_relative_and_absolute(self):
        """nvd costs the same, relative_absolute_error more: each fails what the other has."""
        absolute = spoiled("nvd", self.nvd)
        relative = replace(MEASURES["relative_absolute_error"], template="spoiled")
        assert first_failure(absolute, "relative").items == 4
        assert first_failure(relative, "absolute").items == 4
        assert mm.axioms([absolute], properties="absolute", trials=500)["spoiled", "absolute"].holds
        assert mm.axioms([relative], properties="relative", trials=500)["spoiled", "relative"].holds

    def test_independent(self):
        """Ordered by the largest error where there are four classes, and by the sum of squares where there are fewer."""

        def formula(predicted, gold):
            wrong = np.abs(predicted - gold)
            return wrong.max(axis=-1) if wrong.shape[-1] == 4 else (wrong**2).sum(axis=-1) / 2

        found = first_failure(spoiled("nvd", formula), "independent")
        assert found.classes == 4
        whole, alone = ([case.score for case in part] for part in (found.cases[:2], found.cases[2:]))
        assert np.sign(whole[0] - whole[1]) != np.sign(alone[0] - alone[1])


class TestRankings:
    def ranks(self, formula, **facts):
        return spoiled("tau@a", formula, inputs=RANKS, **facts)

    def test_swap_monotone(self):
        """The exact reverse of three items is rewarded."""

        def formula(predicted, gold):
            tau = MEASURES["tau@a"](predicted, gold)
            return np.where((predicted.shape[-1] == 3) & (tau == -1), 1.0, tau)

        found = first_failure(self.ranks(formula), "swap_monotone")
        assert found.items == 3
        assert found.cases[0].parts == {"human": [1, 2, 3], "predicted": [3, 2, 1]}

    def test_swap_monotone_tied(self):
        """Right without ties; with one, turned round."""

        def formula(predicted, gold):
            ties = (np.diff(np.sort(predicted, axis=-1), axis=-1) == 0).any(axis=-1)
            tau = MEASURES["tau@a"](predicted, gold)
            return np.where(ties, -tau, tau)

        measure = self.ranks(formula)
        assert mm.axioms([measure], properties="swap_monotone", trials=0)["spoiled", "swap_monotone"].holds
        assert first_failure(measure, "swap_monotone_tied").items == 3

    def test_ties_in_expectation(self):
        """Three in a tie get a bonus; two do not."""

        def formula(predicted, gold):
            tau = MEASURES["tau@a"](predicted, gold)
            three = (predicted.max(axis=-1) == 1) & (predicted.shape[-1] == 3)
            return tau + 0.1 * three

        found = first_failure(self.ranks(formula), "ties_in_expectation")
        assert found.cases[0].parts == {"human": [1, 1, 1], "predicted": [1, 1, 1]}

    def test_top_weighted(self):
        """The bottom counts more; and a measure for which every place is the same."""

        def formula(predicted, gold):
            return MEASURES["ndcg"](predicted.shape[-1] + 1 - predicted, predicted.shape[-1] + 1 - gold)

        assert first_failure(self.ranks(formula), "top_weighted").items == 3
        assert "costs 0.667" in first_failure(replace(MEASURES["tau@a"], template="spoiled"), "top_weighted").words

    def test_perfect_only_and_bounded(self):
        """Two items the wrong way round are forgiven; a tie of all of three is too much."""

        def formula(predicted, gold):
            tau = MEASURES["tau@eq"](predicted, gold)
            return np.where((predicted.shape[-1] == 2) & (tau == -1), 1.0, tau) + 0.5 * (predicted.max(axis=-1) < 2) * (
                predicted.shape[-1] == 3
            )

        measure = self.ranks(formula, perfect=1)
        assert first_failure(measure, "perfect_only").cases[0].parts == {"human": [1, 1], "predicted": [1, 2]}
        assert first_failure(measure, "bounded").cases[0].parts == {"human": [1, 1, 1], "predicted": [1, 1, 1]}

    def test_accuracy_agrees(self):
        """Only the first place counts: the rest may be all wrong."""

        def formula(ranks, counts):
            return (counts * (ranks == 1)).sum(axis=-1)

        first_place = spoiled("average_precision", formula, inputs=BELIEF)
        found = first_failure(first_place, "accuracy_agrees")
        assert found.items == 5
        assert [case.parts["positive"] for case in found.cases] == [[1, 0, 0, 1, 1], [0, 1, 1, 1, 0]]


@pytest.mark.parametrize(
    "name", [found.id for found in mm.axioms(trials=0, measures="accuracy,nmd,ndcg,average_precision").properties]
)
def test_each_property_has_a_faulty_measure_here(name):
    from pathlib import Path

    assert f'"{name}"' in Path(__file__).read_text(encoding="utf-8"), f"no faulty measure is tried for {name}"
