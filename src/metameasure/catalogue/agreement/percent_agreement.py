"""Observed agreement: how often two annotators of an item say the same."""

from __future__ import annotations

from metameasure.catalogue.agreement.ratings import (
    NO_PAIR,
    PAIRS,
    RATINGS,
    SAID_OF_WEIGHTS,
    WEIGHTS,
    interval_if_weighted,
    linearised,
    observed,
    weight_table,
)
from metameasure.catalogue.arrays import Array
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import GWET_2014


@measure(
    id="percent_agreement",
    title="Observed agreement",
    symbol="p_a{}",
    inputs=RATINGS,
    evidence=PAIRS,
    parameter=WEIGHTS,
    facts_at=interval_if_weighted,
    linearised=lambda ratings, *, weights, values: linearised(ratings, weight_table(weights, values), 0.0, 0.0),
    better="higher",
    aliases=("observed_agreement",),
    undefined=(NO_PAIR,),
    formula="p_a = mean over items with r_i ≥ 2 of Σ_k n_ik ((Σ_l w_kl n_il) - 1) / (r_i (r_i - 1))",
    source=(GWET_2014,),
    use="To be shown beside a coefficient, never alone: where nearly everything is of one class, annotators who guess agree too. "
    "Items weigh the same, however many ratings they have." + SAID_OF_WEIGHTS,
)
def percent_agreement(paired: Array, *, weights: str, values: Array) -> Array:
    return observed(paired, weight_table(weights, values))
