"""Fleiss's kappa, for any number of ratings an item, weighted or not."""

from __future__ import annotations

from metameasure.catalogue.agreement.ratings import (
    NO_PAIR,
    ONE_CLASS,
    PAIRS,
    RATINGS,
    SAID_OF_WEIGHTS,
    WEIGHTS,
    class_shares,
    interval_if_weighted,
    linearised,
    observed,
    weight_table,
)
from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.kappa import expected_disagreement
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import FLEISS_1971, GWET_2014


def _linearised(ratings: Array, *, weights: str, values: Array) -> Array:
    xp = namespace(ratings)
    table = weight_table(weights, values)
    by_item = ratings / xp.sum(ratings, axis=-1)[:, None]
    chance_by_item = xp.matmul(by_item, xp.matmul(table, xp.mean(by_item, axis=0)))
    return linearised(ratings, table, xp.mean(chance_by_item), chance_by_item)


@measure(
    id="fleiss",
    title="Fleiss's kappa",
    symbol="κ_F{}",
    inputs=RATINGS,
    evidence=PAIRS,
    parameter=WEIGHTS,
    facts_at=interval_if_weighted,
    linearised=_linearised,
    better="higher",
    range=(-float("inf"), 1),
    aliases=("fleiss_kappa",),
    undefined=(NO_PAIR, ONE_CLASS),
    formula="κ = (p_a - p_e) / (1 - p_e),   p_e = Σ_kl w_kl π_k π_l,   π_k = mean over items of n_ik / r_i",
    source=(FLEISS_1971, GWET_2014),
    use="Agreement beyond what the classes' sizes would give by chance; nominal classes unless weighted. An item rated once "
    "counts in π, not in p_a. Alpha is the same up to a correction for few ratings." + SAID_OF_WEIGHTS,
)
def fleiss(paired: Array, *, weights: str, values: Array) -> Array:
    table = weight_table(weights, values)
    shares = class_shares(paired)
    # 1 - p_e as a sum of what disagrees: 0 only where all ratings are of one class.
    return 1 - ratio(1 - observed(paired, table), expected_disagreement(shares, shares, 1 - table))
