"""Brennan and Prediger's coefficient: chance is a draw among all declared classes."""

from __future__ import annotations

from metameasure.catalogue.agreement.ratings import (
    NO_PAIR,
    PAIRS,
    RATINGS,
    SAID_OF_WEIGHTS,
    WEIGHTS,
    beyond_chance,
    interval_if_weighted,
    linearised,
    observed,
    weight_table,
)
from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import BRENNAN_1981, GWET_2014


def _linearised(ratings: Array, *, weights: str, values: Array) -> Array:
    table = weight_table(weights, values)
    chance = namespace(ratings).mean(table)
    return linearised(ratings, table, chance, chance)


@measure(
    id="brennan_prediger",
    title="Brennan and Prediger's coefficient",
    symbol="BP{}",
    inputs=RATINGS,
    evidence=PAIRS,
    parameter=WEIGHTS,
    facts_at=interval_if_weighted,
    linearised=_linearised,
    better="higher",
    range=(-float("inf"), 1),
    aliases=("randolph",),
    undefined=(NO_PAIR,),
    formula="BP = (p_a - p_e) / (1 - p_e),   p_e = Σ_kl w_kl / q²",
    source=(BRENNAN_1981, GWET_2014),
    use="Where annotators without any idea would choose each of the q declared classes equally often. Randolph's free-marginal "
    "kappa is the same. With declared classes that nobody uses it rises." + SAID_OF_WEIGHTS,
)
def brennan_prediger(paired: Array, *, weights: str, values: Array) -> Array:
    table = weight_table(weights, values)
    return beyond_chance(observed(paired, table), namespace(paired).mean(table))
