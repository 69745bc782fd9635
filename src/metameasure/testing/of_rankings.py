"""What must hold for every measure of ranked items, and of evidence that adds."""

from __future__ import annotations

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.testing.comparing import same, trials


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


def evidence_adds(measure: Measure) -> None:
    """Scored from its evidence a case is the same, and evidence of two halves adds up to that of the whole."""
    for case in trials(measure):
        evidence = np.asarray(case.measure.evidence_of(*case.arrays))
        same(case.measure.of_evidence(evidence), case(), "from the evidence")
        first = case.measure.evidence_of(*case.each(lambda array: array[:9]))
        second = case.measure.evidence_of(*case.each(lambda array: array[9:]))
        same(first.sum(axis=0) + second.sum(axis=0), evidence.sum(axis=0), "counted in two halves")
