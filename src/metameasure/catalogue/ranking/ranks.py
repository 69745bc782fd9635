"""Ranks of one segment's items: what was predicted, and what the human (gold) says. 1 is best, NaN is not ranked."""

from __future__ import annotations

import array_api_compat

from metameasure.catalogue.arrays import Array, group_ends, namespace, once, positions
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.questions import AS_PEOPLE

_SHORT = 16  # items up to which comparing all with all is faster than sorting


def ranked_by_both(predicted: Array, gold: Array) -> Array:
    """Which items have neither rank missing."""
    xp = namespace(predicted, gold)
    return ~(xp.isnan(predicted) | xp.isnan(gold))


def best_ranked(ranks: Array, among: Array) -> Array:
    """Which of those items are ranked best, (cases, n): several where the best are tied."""
    xp = namespace(ranks)
    known = xp.where(among, ranks, xp.inf)
    return among & (known == xp.min(known, axis=-1)[:, None])


def some_infinite(predicted: Array, gold: Array) -> Array:
    """Whether a rank is infinite, along the last axis."""
    xp = namespace(predicted, gold)
    return xp.any(xp.isinf(predicted) | xp.isinf(gold), axis=-1)


def _unusable(predicted: Array, gold: Array) -> Array:
    return some_infinite(predicted, gold) | ~namespace(predicted).any(ranked_by_both(predicted, gold), axis=-1)


RANKS = Inputs(
    asks=AS_PEOPLE,
    reads=Reads.RANKS,
    shape="predicted and gold of shape (..., n), ranks of which 1 is best, NaN where an item is not ranked",
    notation="a segment has n items that gold (the human) ranks; items that gold does not rank are left out, and an item that "
    "only the prediction does not rank gains nothing and is in no pair. Only the order of ranks counts, and which are tied. "
    "Of the pairs of items, C are concordant, D discordant, T_h tied by the human only, T_m tied by the prediction only, T_hm "
    "tied by both",
    unusable=Undefined("no item is ranked by both, or a rank is infinite", _unusable),
    example=Example(text="predicted ranks 1, 1, 2, 3 and human ranks 1, 2, 3, 4", arrays=((1, 1, 2, 3), (1, 2, 3, 4))),
)


def lined_up(rows: list[Array]) -> Array:
    """One row an item, (cases,) each, as (cases, items); in memory an item's cases stay together."""
    xp = namespace(*rows)
    return xp.permute_dims(xp.stack(rows, axis=0), (1, 0))


def in_order(keys: Array, other: Array) -> tuple[Array, Array]:
    """Whether each of the keys, from lowest to highest, starts a new group of ties; and the other array in the same order."""
    order, starts = _sorted(keys)
    return starts, namespace(keys).take_along_axis(other, order, axis=-1)


def before_and_within(values: Array, first: Array, last: Array) -> tuple[Array, Array]:
    """The sum of the values before each item's group of ties, whose places these are, and within it."""
    xp = namespace(values)
    at = xp.asarray(0).dtype
    start, end = xp.astype(first, at) - 1, xp.astype(last, at)
    if array_api_compat.is_numpy_array(values):  # a group's values in its first place: no need to sort
        cells = (xp.arange(first.shape[0])[:, None] * first.shape[1] + start).ravel()
        sums = xp.bincount(cells, weights=values.ravel(), minlength=first.size)
        arranged, end = xp.astype(sums.reshape(first.shape), values.dtype), start + 1
    else:
        _, arranged = in_order(first, values)
    total = xp.cumulative_sum(arranged, axis=-1, include_initial=True)
    earlier = xp.take_along_axis(total, start, axis=-1)
    return earlier, xp.take_along_axis(total, end, axis=-1) - earlier


@once
def _sorted(keys: Array) -> tuple[Array, Array]:
    """The order of the keys from lowest to highest, tied ones in any, and whether each starts a new group of ties. Keys that are
    NaN come last, as infinity, and are tied with nothing."""
    xp = namespace(keys)
    keys = xp.where(xp.isnan(keys), xp.inf, keys)
    order = xp.argsort(keys, axis=-1, stable=False)
    arranged = xp.take_along_axis(keys, order, axis=-1)
    begins = xp.ones_like(arranged[:, :1], dtype=xp.bool)
    return order, xp.concat([begins, (arranged[:, 1:] > arranged[:, :-1]) | xp.isinf(arranged[:, 1:])], axis=-1)


def places(keys: Array) -> tuple[Array, Array]:
    """The first and the last place of each item's group of ties, 1 to n, the lowest key first. NaN is behind all others and
    tied with nothing."""
    return _places_by_comparing(keys) if keys.shape[-1] <= _SHORT else _places_by_sorting(keys)


def _places_by_comparing(keys: Array) -> tuple[Array, Array]:
    """Each item with each other, for all cases at once, counting in the narrowest of types."""
    xp = namespace(keys)
    items = range(keys.shape[-1])
    column, missing = [keys[:, item] for item in items], [xp.isnan(keys[:, item]) for item in items]
    before = [xp.zeros_like(keys[:, 0], dtype=xp.int8) for _ in items]
    behind = list(before)
    for one in items:
        for other in range(one):
            for low, high in ((one, other), (other, one)):
                behind_all = missing[high] if low < high else missing[high] & ~missing[low]
                lower = xp.astype((column[low] < column[high]) | behind_all, xp.int8)
                before[high], behind[low] = before[high] + lower, behind[low] + lower
    return xp.astype(lined_up(before), keys.dtype) + 1, keys.shape[-1] - xp.astype(lined_up(behind), keys.dtype)


def _places_by_sorting(keys: Array) -> tuple[Array, Array]:
    xp = namespace(keys)
    order, opens = _sorted(keys)
    first, last = group_ends(opens, positions(keys.shape[-1], keys))
    back = _inverse(order)
    return xp.take_along_axis(first, back, axis=-1) + 1, xp.take_along_axis(last, back, axis=-1) + 1


def _inverse(order: Array) -> Array:
    """Where each item stands in an order."""
    if not array_api_compat.is_numpy_array(order):  # the array API can put nothing in a place, but sort
        return namespace(order).argsort(order, axis=-1)
    xp = namespace(order)
    places = xp.empty_like(order)
    places[xp.arange(order.shape[0])[:, None], order] = xp.arange(order.shape[1])
    return places


def put_in_places(first: Array, values: Array) -> tuple[Array, Array]:
    """Which places start a group of ties, and the values of the items in their places; of tied items in any order. The items
    have the first places of their groups, as from ``places``."""
    xp = namespace(first)
    items = range(first.shape[-1])
    if len(items) > _SHORT:
        return in_order(first, values)

    def place(item: int) -> Array:
        """Without ties: as many places behind the first of its group as there are items of it before."""
        return first[:, item] + sum(xp.astype(first[:, other] == first[:, item], first.dtype) for other in range(item))

    taken, numbers = [place(item) for item in items], range(1, len(items) + 1)
    # By multiplying with 0 or 1: several times faster than choosing.
    arranged = [sum(xp.astype(taken[item] == number, values.dtype) * values[:, item] for item in items) for number in numbers]
    return lined_up([xp.any(first == number, axis=-1) for number in numbers]), lined_up(arranged)
