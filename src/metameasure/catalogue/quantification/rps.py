"""Ranked probability score: how well a distribution foretells the next person's rating on an ordinal scale."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import STEPS
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS, cumulative
from metameasure.catalogue.questions import SHARES_IN_ORDER
from metameasure.catalogue.sources import EPSTEIN_1969

_measure = partial(measure, inputs=DISTRIBUTIONS, better="lower", perfect=None, scale="ordinal", source=(EPSTEIN_1969,))


_USE = (
    "Soft labels of ordinal classes, scored against single people's ratings: the mean over ratings of Σ_k (F_k - [y ≤ k])². "
    "Whoever gives the people's own distribution scores best, but not 0: what is left is the people's own spread (rps_spread)."
)


@_measure(
    id="rps",
    asks=SHARES_IN_ORDER,
    title="Ranked probability score",
    symbol="RPS",
    range=(0, STEPS),
    companions={"quantification": "rps_spread"},
    formula="RPS = Σ_{k<C} (F_k - G_k)² + Σ_{k<C} G_k (1 - G_k),   F and G the cumulative p and p*",
    use=_USE,
    note="Of one rating y it is E|X - y| - E|X - X'| / 2, the continuous ranked probability score in steps of the scale.",
)
def rps(predicted: Array, gold: Array) -> Array:
    apart = (cumulative(predicted) - cumulative(gold)) ** 2
    return namespace(predicted).sum(apart, axis=-1) + rps_spread.function(predicted, gold)


@_measure(
    id="rps_normalised",
    asks=SHARES_IN_ORDER,
    title="Ranked probability score, normalised",
    symbol="RPS/(C-1)",
    range=(0, 1),
    formula="RPS / (C - 1)",
    use="As rps, for scales of different lengths.",
)
def rps_normalised(predicted: Array, gold: Array) -> Array:
    return rps.function(predicted, gold) / max(1, predicted.shape[-1] - 1)


@measure(
    id="rps_spread",
    asks=SHARES_IN_ORDER,
    title="The people's own spread",
    symbol="spread",
    inputs=DISTRIBUTIONS,
    better=None,
    range=(0, STEPS),
    scale="ordinal",
    formula="Σ_{k<C} G_k (1 - G_k)",
    source=(EPSTEIN_1969,),
    use="What rps of a perfect estimate is: how far people disagree on an item. It does not depend on the run.",
)
def rps_spread(predicted: Array, gold: Array) -> Array:  # noqa: ARG001 - as every measure of distributions
    people = cumulative(gold)
    return namespace(gold).sum(people * (1 - people), axis=-1)
