"""Gwet's AC1 and AC2: agreement beyond a chance that stays small where one class has nearly all ratings."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.agreement.ratings import (
    NO_PAIR,
    PAIRS,
    RATINGS,
    SAID_OF_WEIGHTS,
    beyond_chance,
    class_shares,
    interval_if_weighted,
    linearised,
    observed,
    weight_table,
)
from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Choice
from metameasure.catalogue.sources import GWET_2008, GWET_2014

_measure = partial(
    measure, inputs=RATINGS, evidence=PAIRS, better="higher", range=(-float("inf"), 1), undefined=(NO_PAIR,),
)  # fmt: skip


def _uncertain(table: Array) -> Array:
    """Σ_kl w_kl / (q (q - 1))."""
    classes = table.shape[0]
    return namespace(table).sum(table) / max(1, classes * (classes - 1))


def _linearised(ratings: Array, *, weights: str, values: Array) -> Array:
    xp = namespace(ratings)
    table = weight_table(weights, values)
    by_item = ratings / xp.sum(ratings, axis=-1)[:, None]
    chance_by_item = _uncertain(table) * xp.matmul(by_item, 1 - xp.mean(by_item, axis=0))
    return linearised(ratings, table, xp.mean(chance_by_item), chance_by_item)


@_measure(
    id="ac1",
    title="Gwet's AC1",
    symbol="AC1",
    linearised=lambda ratings, *, values: _linearised(ratings, weights="identity", values=values),
    formula="AC1 = (p_a - p_e) / (1 - p_e),   p_e = Σ_k π_k (1 - π_k) / (q - 1)",
    source=(GWET_2008, GWET_2014),
    use="Nominal classes. Where one class has nearly all ratings it stays near the observed agreement, while kappa and alpha "
    "fall to 0: it asks how often people agree, they ask whether the ratings tell items apart. q is the number of declared "
    "classes: on classes nobody uses it depends too.",
)
def ac1(paired: Array, *, values: Array) -> Array:
    return ac2.function(paired, weights="identity", values=values)


@_measure(
    id="ac2",
    title="Gwet's AC2",
    symbol="AC2{}",
    parameter=Choice("weights", ("quadratic", "linear", "ordinal", "identity", "radical", "ratio", "bipolar", "circular")),
    facts_at=interval_if_weighted,
    scale="interval",
    linearised=_linearised,
    formula="AC2 = (p_a - p_e) / (1 - p_e),   p_e = Σ_kl w_kl / (q (q - 1)) Σ_k π_k (1 - π_k)",
    source=(GWET_2014,),
    use="AC1 with weights, quadratic unless others are named." + SAID_OF_WEIGHTS + " It is higher than alpha wherever ratings "
    "crowd into neighbouring classes, because its chance does not know that they do.",
)
def ac2(paired: Array, *, weights: str, values: Array) -> Array:
    table = weight_table(weights, values)
    shares = class_shares(paired)
    chance = _uncertain(table) * namespace(paired).sum(shares * (1 - shares), axis=-1)
    return beyond_chance(observed(paired, table), chance)
