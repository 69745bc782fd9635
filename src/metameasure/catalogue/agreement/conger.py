"""Conger's kappa: Fleiss's for annotators who are known, each with class sizes of their own."""

from __future__ import annotations

from metameasure.catalogue.agreement.ratings import PAIRS as OF_COUNTS
from metameasure.catalogue.agreement.ratings import (
    PERSONS,
    SAID_OF_WEIGHTS,
    WEIGHTS,
    beyond_chance,
    flat,
    interval_if_weighted,
    linearised,
    observed,
    weight_table,
)
from metameasure.catalogue.arrays import Array, namespace, ratio, ratio_or_zero
from metameasure.catalogue.classification.tables import occupied
from metameasure.catalogue.facts import Reduction, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import CONGER_1980, GWET_2014


def _counted(persons: Array) -> tuple[Array, ...]:
    xp = namespace(persons)
    (paired,) = OF_COUNTS.function(xp.sum(persons, axis=-2))
    return (xp.concat([paired, flat(xp.sum(persons, axis=-3))], axis=-1),)


def _parts(counted: Array, classes: int) -> tuple[Array, Array]:
    """The evidence of counts, and each annotator's class sizes (..., annotators, C)."""
    cut = classes * (classes + 1)
    sizes = counted[..., cut:]
    return counted[..., :cut], namespace(counted).reshape(sizes, (*sizes.shape[:-1], sizes.shape[-1] // classes, classes))


def _chance(sizes: Array, table: Array) -> Array:
    """p_e: the mean over pairs of different annotators, of those who rated anything."""
    xp = namespace(sizes)
    totals = xp.sum(sizes, axis=-1)[..., None]
    shares = ratio_or_zero(sizes, totals)
    who = xp.sum(xp.astype(totals > 0, sizes.dtype), axis=(-2, -1))
    every = xp.sum(shares, axis=-2)
    together = xp.sum(xp.matmul(every, table) * every, axis=-1)
    alone = xp.sum(xp.matmul(shares, table) * shares, axis=(-2, -1))
    return ratio(together - alone, who * (who - 1))


def _linearised(persons: Array, *, weights: str, values: Array) -> Array:
    """As Gwet's program has it: what an item adds to p_e follows from what it adds to each annotator's shares."""
    xp = namespace(persons)
    table = weight_table(weights, values)
    sizes = xp.sum(persons, axis=0)
    kept = xp.sum(sizes, axis=-1) > 0
    persons, sizes = persons[:, kept], sizes[kept]
    rated = xp.sum(persons, axis=-1)
    often = xp.mean(rated, axis=0)
    shares = sizes / xp.sum(sizes, axis=-1)[:, None]
    of_share = (persons - (rated - often)[..., None] * shares) / often[:, None]
    others = (xp.sum(shares, axis=0) - shares)[None]
    who = sizes.shape[0]
    chance_by_item = xp.sum(xp.matmul(of_share, table) * others, axis=(-2, -1)) / (who * (who - 1))
    return linearised(xp.sum(persons, axis=1), table, _chance(sizes, table), chance_by_item)


@measure(
    id="conger",
    title="Conger's kappa",
    symbol="κ_C{}",
    inputs=PERSONS,
    evidence=Reduction((), _counted, adds=True, persons="sizes"),
    parameter=WEIGHTS,
    facts_at=interval_if_weighted,
    linearised=_linearised,
    better="higher",
    range=(-float("inf"), 1),
    aliases=("conger_kappa",),
    undefined=(
        Undefined(
            "no item has two ratings",
            lambda counted, *, values: namespace(counted).sum(counted[..., : values.shape[0] ** 2], axis=-1) == 0,
        ),
        Undefined(
            "all ratings are of one class",
            lambda counted, *, values: occupied(namespace(counted).sum(_parts(counted, values.shape[0])[1], axis=-2)) < 2,
        ),
    ),
    formula="κ = (p_a - p_e) / (1 - p_e),   p_e = Σ_kl w_kl (p_k p_l - s_kl / R),   p_gk annotator g's share of class k, p_k "
    "their mean and s_kl their covariance over the R annotators",
    source=(CONGER_1980, GWET_2014),
    use="As fleiss, where it is known who rated what: chance is what two different annotators' class sizes would give. For two "
    "annotators who rated everything it is Cohen's kappa." + SAID_OF_WEIGHTS,
)
def conger(counted: Array, *, weights: str, values: Array) -> Array:
    table = weight_table(weights, values)
    paired, sizes = _parts(counted, values.shape[0])
    return beyond_chance(observed(paired, table), _chance(sizes, table))
