"""Repeats of the same items: the best of an item's outputs, the worst, and how often two of them score the same."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.outcomes.scores_of_items import REPEATS, OfMeasure

_measure = partial(measure, inputs=REPEATS, parameter=OfMeasure(), scale="interval", ties="answer", chance="linear")


def _single(lowest: Array, highest: Array, alike: Array, outputs: Array) -> Array:  # noqa: ARG001 - all are given
    return namespace(outputs).any(outputs < 2, axis=-1)


@_measure(
    id="best_of",
    title="Mean over items of the best of their outputs",
    better="higher",
    range=(-math.inf, math.inf),
    perfect=None,
    formula="Σ_i h_i / n",
    source="Brown et al. (2024). Large Language Monkeys: Scaling Inference Compute with Repeated Sampling, Section 2 (coverage).",
    use="What a run reaches if somebody picks the best of its outputs for each item, whatever their number: an upper end, not "
    "what a user gets. Where scores are 0 and 1, pass@k says it of k outputs, and more outputs are no advantage.",
    note="An item with more outputs has more chances: compare runs with as many outputs each. The highest score is the best one; "
    "scores that are better the lower they are are refused.",
)
def best_of(lowest: Array, highest: Array, alike: Array, outputs: Array) -> Array:  # noqa: ARG001 - all are given
    return mean_of_items(highest)


@_measure(
    id="worst_of",
    title="Mean over items of the worst of their outputs",
    better="higher",
    range=(-math.inf, math.inf),
    perfect=None,
    formula="Σ_i l_i / n",
    source="Yao et al. (2024). τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains, Section 4 (pass^k).",
    use="What a run can be relied on for: the worst that it did on each item, whatever the number of its outputs. Where scores "
    "are 0 and 1, pass_all@k says it of k outputs.",
    note="An item with more outputs has more chances to fail: compare runs with as many outputs each.",
)
def worst_of(lowest: Array, highest: Array, alike: Array, outputs: Array) -> Array:  # noqa: ARG001 - all are given
    return mean_of_items(lowest)


@_measure(
    id="consistency",
    title="Share of pairs of an item's outputs that score the same",
    better="higher",
    range=(0, 1),
    undefined=(Undefined("an item has one output only", _single),),
    formula="Σ_i a_i / (n_i (n_i - 1) / 2) / n",
    source="Fleiss (1971). Measuring Nominal Scale Agreement Among Many Raters, Eq. 2, with an item's outputs as its raters.",
    use="How much a run depends on the draw of its outputs: the chance that two outputs for an item score the same. A run that "
    "is always wrong is consistent too: read it beside the mean.",
    note="Two outputs agree where their scores are equal; what they say may differ.",
)
def consistency(lowest: Array, highest: Array, alike: Array, outputs: Array) -> Array:
    xp = namespace(alike, outputs)
    single = _single(lowest, highest, alike, outputs)
    return xp.where(single, xp.nan, mean_of_items(ratio(2 * alike, outputs * (outputs - 1))))
