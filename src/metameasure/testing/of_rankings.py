"""What must hold for every measure of ranked items, and of evidence that adds."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.testing.cases import trial
from metameasure.testing.comparing import same, trials

_ENUMERATED = (2, 3, 5)  # items whose orders can be tried one by one


def order_of_ranked_items_does_not_matter(measure: Measure) -> None:
    for case in trials(measure):
        order = np.random.default_rng(3).permutation(case.arrays[0].shape[-1])
        shuffled = [array[:, order] for array in case.arrays]
        same(case(*shuffled), case(), "with the items in another order")


def padding_changes_nothing(measure: Measure) -> None:
    """Items that nobody ranks make segments as long as each other."""
    for case in trials(measure):
        padded = case.each(lambda array: np.insert(array, [0, 1, 2, 2], np.nan, axis=-1))
        same(case(*padded), case(), "with items that nobody ranks")


def only_the_order_of_ranks_matters(measure: Measure) -> None:
    for case in trials(measure):
        same(case(*case.each(lambda array: np.exp(array / 300) - 7)), case(), "after stretching the ranks")


def ties_are_broken_in_expectation(measure: Measure) -> None:
    """A prediction with ties scores the mean over all orders that it leaves open."""
    for case in (trial(measure, size) for size in _ENUMERATED):
        ranks, *others = case.arrays
        orders = list(itertools.permutations(range(ranks.shape[-1])))
        broken = np.stack([_places(ranks, order) for order in orders])
        same(case(broken, *others).mean(axis=0), case(), "tied predictions do not score the mean over all ways to break the ties")


def _places(ranks: npt.NDArray[np.float64], order: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """The ranks (cases, n) as places from 1 up without ties: of tied items the one that is earlier in the order is first."""
    sorting = np.lexsort((np.broadcast_to(order, ranks.shape), ranks), axis=-1)
    return np.where(np.isfinite(ranks), np.argsort(sorting, axis=-1) + 1.0, ranks)


def evidence_adds(measure: Measure) -> None:
    """Scored from its evidence a case is the same, and evidence of two halves adds up to that of the whole."""
    for case in trials(measure):
        scale = {} if case.scale is None else {"classes": case.scale}
        evidence = np.asarray(case.measure.evidence_of(*case.arrays, **scale))
        same(case.measure.of_evidence(evidence, **scale), case(), "from the evidence")
        first = case.measure.evidence_of(*case.each(lambda array: array[:9]), **scale)
        second = case.measure.evidence_of(*case.each(lambda array: array[9:]), **scale)
        same(first.sum(axis=0) + second.sum(axis=0), evidence.sum(axis=0), "counted in two halves")
