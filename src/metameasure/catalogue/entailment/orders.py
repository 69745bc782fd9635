"""Items in an order with ties: r is an item's place, 1 the first, and g is 1 where the item counts and 0 where not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import array_api_compat

from metameasure.catalogue.arrays import Array, group_ends, group_starts, namespace, positions
from metameasure.catalogue.facts import Example, Inputs, Reads, Reduction, Undefined
from metameasure.catalogue.measure import Measure


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
    place = positions(n, ranks)
    total = xp.cumulative_sum(counts, axis=-1, include_initial=True)
    first, last = group_ends(group_starts(keys), place)
    at = xp.asarray(0).dtype
    counted_before = xp.take_along_axis(total, xp.astype(first, at), axis=-1)
    counted_after = xp.take_along_axis(total, xp.astype(last, at) + 1, axis=-1)
    size = xp.where(keys < xp.inf, last - first + 1, 0.0)
    return TieGroups(place + 1 + xp.zeros_like(ranks), first, counted_before, size, counted_after - counted_before)


def _totals(ranks: Array, counts: Array) -> tuple[Array, Array]:
    """0, then for each place how many items there are up to the end of its group of ties, and how many of them count; at last for
    all items, those without a place too."""
    xp = namespace(ranks)
    if array_api_compat.is_numpy_array(ranks) and (ranks[..., 1:] > ranks[..., :-1]).all() and (ranks[..., -1] < xp.inf).all():
        total = xp.cumulative_sum(counts, axis=-1, include_initial=True)
        if not xp.isnan(total[..., -1]).any():  # items in their order, each a group by itself
            number, all_of_it = total.shape[-1] - 1, xp.sum(counts, axis=-1)[..., None]
            places = xp.zeros_like(counts) + (positions(number, ranks) + 1)
            placed = total[..., :-1] + (total[..., 1:] - total[..., :-1])
            return _from_0(places, xp.full_like(all_of_it, number)), _from_0(placed, all_of_it)
    groups = tie_groups(ranks, counts)
    known = ~_absent(ranks, counts)
    whole = (xp.sum(xp.where(known, gain, 0.0), axis=-1)[..., None] for gain in (xp.ones_like(ranks), counts))
    placed = (groups.before + groups.size, groups.counted_before + groups.counted)
    return tuple(_from_0(one, all_of_it) for one, all_of_it in zip(placed, whole, strict=True))


TOTALS = Reduction(("the items up to the end of each group of ties", "how many of them count"), _totals)
"""What an order comes down to: an item that is drawn several times is a group of so many."""


@dataclass(frozen=True)
class OrderGroups:
    """The groups of an order, from totals without the last: ``size`` items behind place ``before`` and up to place ``ends``. Of
    them ``counted`` count, of all items ``total_before`` and ``total`` up to there. A place that starts no group has one of size
    0."""

    before: Array
    ends: Array
    size: Array
    total_before: Array
    total: Array
    counted: Array
    edges: Array
    """Place 0 and the ends."""
    one: Array
    """1, where some number is to be at least that."""

    @classmethod
    def of(cls, ends: Array, total: Array) -> OrderGroups:
        before, up_to = ends[..., :-2], ends[..., 1:-1]
        total_before, total = total[..., :-2], total[..., 1:-1]
        return cls(
            before,
            up_to,
            up_to - before,
            total_before,
            total,
            total - total_before,
            ends[..., :-1],
            namespace(ends).ones_like(ends[..., :1]),
        )

    def reciprocals(self, most: int | None = None) -> Array:
        """Σ 1/r over the places r of each group, up to place ``most``."""
        xp = namespace(self.edges)
        reached = self.edges if most is None else xp.minimum(self.edges, xp.full_like(self.edges, float(most)))
        sums = xp.take(_harmonic(self.ends), xp.reshape(xp.astype(reached, xp.asarray(0).dtype), (-1,)))
        sums = xp.reshape(sums, reached.shape)
        return sums[..., 1:] - sums[..., :-1]

    @property
    def of_one(self) -> bool:
        """Whether each group is known to have one item."""
        return bool(array_api_compat.is_numpy_array(self.size)) and bool((self.size == 1).all())

    def either(self, single: Array, tied: Array) -> Array:
        """The first number for groups of one item, the second for others: by products, since NumPy takes twice as long to choose
        where neighbours differ."""
        alone = namespace(single).astype(self.size == 1, single.dtype)
        return single * alone + tied * (1 - alone)


def _harmonic(ends: Array) -> Array:
    """0, 1, 1 + 1/2, 1 + 1/2 + 1/3, ... as far as there are items."""
    xp = namespace(ends)
    if array_api_compat.is_jax_array(ends):  # values are not known while JAX compiles; there are no more items than entries
        return harmonic_numbers(ends.shape[-1], ends)
    most = 1 if 0 in ends.shape else max(1, int(xp.max(ends)))
    if array_api_compat.is_numpy_array(ends):
        return _numpy_harmonic_numbers(most, ends.dtype)
    return harmonic_numbers(most, ends)


def harmonic_numbers(most: int, like: Array) -> Array:
    """0, 1, 1 + 1/2, ... up to the sum of so many."""
    return namespace(like).cumulative_sum(1 / (positions(most, like) + 1), include_initial=True)


@lru_cache(maxsize=4)
def _numpy_harmonic_numbers(most: int, dtype: Any) -> Array:
    """Kept, because every draw of an interval asks for the same."""
    import numpy as np  # noqa: PLC0415

    return harmonic_numbers(most, np.empty(0, dtype))


def _from_0(*totals: Array) -> Array:
    """0, and totals one behind the other."""
    xp = namespace(totals[0])
    return xp.concat([xp.zeros_like(totals[0][..., :1]), *totals], axis=-1)


def score_totals(measure: Measure, ends: Array, total: Array) -> Array:
    """A measure of orders that are given by the totals of their groups, all items having a place and each order as many items."""
    if measure.evidence is not TOTALS:
        return measure(*_expanded(ends, total))
    return measure.of_reduced(*(_from_0(array, array[..., -1:]) for array in (ends, total)))


def _expanded(ends: Array, total: Array) -> tuple[Array, Array]:
    """Ranks and counts, item by item: first those of a group that count. The group in a place is the number of groups that end
    before it, which takes a fraction of the time of repeating each group."""
    xp = namespace(ends)
    cases, groups = math.prod(ends.shape[:-1]), ends.shape[-1]
    before, total_before = (xp.reshape(_from_0(array[..., :-1]), (cases, groups)) for array in (ends, total))
    items = int(xp.max(ends))
    shifted = xp.astype(xp.reshape(ends, (cases, groups)), xp.int64) + xp.arange(cases)[:, None] * (items + 1)
    full = xp.reshape(xp.bincount(xp.reshape(shifted, (-1,)), minlength=cases * (items + 1)), (cases, items + 1))
    group = xp.cumulative_sum(full[:, :-1], axis=-1)
    counted = xp.reshape(total, (cases, groups)) - total_before
    first, number = (xp.take_along_axis(array, group, axis=-1) for array in (before, counted))
    counts = xp.astype(xp.arange(items) - first < number, ends.dtype)
    shape = (*ends.shape[:-1], items)
    return xp.reshape(xp.astype(group + 1, ends.dtype), shape), xp.reshape(counts, shape)


def _absent(ranks: Array, counts: Array) -> Array:
    xp = namespace(ranks)
    return xp.isnan(ranks) | xp.isnan(counts)


def _unusable(ranks: Array, counts: Array) -> Array:
    xp = namespace(ranks)
    outside = (counts < 0) | (counts > 1) | (ranks == -xp.inf)
    known = ~_absent(ranks, counts)
    return xp.any(outside & known, axis=-1) | ~xp.any(known, axis=-1)


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
