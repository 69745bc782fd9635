"""Items in an order with ties: r is an item's place, 1 the first, and g is 1 where the item counts and 0 where not."""

from __future__ import annotations

from dataclasses import dataclass

import array_api_compat

from metameasure.catalogue.arrays import Array, group_ends, namespace, positions
from metameasure.catalogue.facts import Example, Inputs, Undefined
from metameasure.catalogue.reads import Reads


@dataclass(frozen=True)
class TieGroups:
    """For each place in the order, from the first: the group of tied items that it belongs to.

    ``place`` is 1..n; ``before`` items stand before the group and ``counted_before`` of them count; the group has ``size`` items,
    ``counted`` of which count. Places behind the last item have a group of size 0.
    """

    place: Array
    before: Array
    counted_before: Array
    size: Array
    counted: Array


def tie_groups(ranks: Array, counts: Array) -> TieGroups:
    """The groups of an order, ``ranks`` (..., n) being NaN where there is no item, infinite for one without a place."""
    xp = namespace(ranks)
    n = ranks.shape[-1]
    keys = xp.where(_absent(ranks, counts), xp.inf, ranks)
    counts = xp.where(keys < xp.inf, counts, 0.0)
    if not array_api_compat.is_numpy_array(ranks) or not (keys[..., 1:] >= keys[..., :-1]).all():
        order = xp.argsort(keys, axis=-1, stable=False)  # what is in a group is only summed
        counts = xp.take_along_axis(counts, order, axis=-1)
        keys = xp.take_along_axis(keys, order, axis=-1)
    opens = xp.concat([xp.ones_like(keys[..., :1], dtype=xp.bool), keys[..., 1:] != keys[..., :-1]], axis=-1)
    place = positions(n, ranks)
    total = xp.cumulative_sum(counts, axis=-1, include_initial=True)
    first, last = group_ends(opens, place)
    at = xp.asarray(0).dtype
    counted_before = xp.take_along_axis(total, xp.astype(first, at), axis=-1)
    counted_after = xp.take_along_axis(total, xp.astype(last, at) + 1, axis=-1)
    size = xp.where(keys < xp.inf, last - first + 1, 0.0)
    return TieGroups(place + 1 + xp.zeros_like(ranks), first, counted_before, size, counted_after - counted_before)


def _absent(ranks: Array, counts: Array) -> Array:
    xp = namespace(ranks)
    return xp.isnan(ranks) | xp.isnan(counts)


def items(ranks: Array, counts: Array) -> Array:
    """N, the number of items."""
    xp = namespace(ranks)
    return xp.sum(xp.astype(~_absent(ranks, counts), ranks.dtype), axis=-1)


def counted(ranks: Array, counts: Array) -> Array:
    """How many of the items count."""
    xp = namespace(ranks)
    return xp.sum(xp.where(_absent(ranks, counts), 0.0, counts), axis=-1)


def _unusable(ranks: Array, counts: Array) -> Array:
    xp = namespace(ranks)
    outside = (counts < 0) | (counts > 1) | (ranks == -xp.inf)
    return xp.any(outside & ~_absent(ranks, counts), axis=-1) | (items(ranks, counts) == 0)


_TIES = "Items of the same rank are in every order equally often: the value is the mean over all of them"


def _inputs(reads: Reads, what: str, text: str) -> Inputs:
    return Inputs(
        reads=reads,
        shape=f"ranks and counts of shape (..., n): the ranks of n items, 1 the first, and 1 for {what}, 0 for the others; NaN "
        "where there is no item, an infinite rank for one that is not in the order",
        notation=f"the items stand in their order, r = 1..N, and g_r is 1 for {what} and 0 for the others. {_TIES}",
        unusable=Undefined("there are no items, or one counts neither 0 nor 1", _unusable),
        example=Example(text=text, arrays=((1, 2, 3, 4), (1, 0, 1, 1))),
    )


BELIEF = _inputs(Reads.BELIEF_ORDER, "positive items", "four items in order, the second not positive")
CONFIDENCE = _inputs(
    Reads.CONFIDENCE_ORDER, "items labelled right", "four items in order of confidence, the second labelled wrong"
)
