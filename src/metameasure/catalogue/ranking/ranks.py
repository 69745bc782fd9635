"""Ranks of one segment's items: what was predicted, and what the human (gold) says. 1 is best, NaN is not ranked."""

from __future__ import annotations

from typing import Any

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Example, Inputs, Undefined
from metameasure.catalogue.ranking.fast import compiled_for, item_major
from metameasure.catalogue.reads import Reads

_SHORT = 10  # items up to which exchanging neighbours is faster than sorting


def ranked_by_both(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    return ~(xp.isnan(predicted) | xp.isnan(gold))


def best_ranked(ranks: Array, among: Array) -> Array:
    """Which of those items are ranked best, (cases, n): several where the best are tied."""
    xp = namespace(ranks)
    known = xp.where(among, ranks, xp.inf)
    return among & (known == xp.min(known, axis=-1)[:, None])


def _unusable(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    infinite = xp.any(xp.isinf(predicted) | xp.isinf(gold), axis=-1)
    return infinite | ~xp.any(ranked_by_both(predicted, gold), axis=-1)


RANKS = Inputs(
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


def in_order(keys: Array, other: Array) -> tuple[Array, Array, Array]:
    """The keys from lowest to highest; whether each starts a new group of ties; and the other array in the same order.

    Keys that are NaN come last, as infinity, and are tied with nothing.
    """
    xp = namespace(keys)
    keys = xp.where(xp.isnan(keys), xp.inf, keys)
    if keys.shape[-1] <= _SHORT:
        arranged, other = _exchanged(keys, other)
    else:
        order = xp.argsort(keys, axis=-1)
        arranged, other = (xp.take_along_axis(array, order, axis=-1) for array in (keys, other))
    begins = xp.ones_like(arranged[:, :1], dtype=xp.bool)
    starts = xp.concat([begins, (arranged[:, 1:] > arranged[:, :-1]) | xp.isinf(arranged[:, 1:])], axis=-1)
    return arranged, starts, other


def _exchanged(keys: Array, other: Array) -> tuple[Array, Array]:
    """Sorted by exchanging neighbours, for all cases at once: on short lists several times faster than sorting each."""
    xp = namespace(keys)
    kernels = compiled_for(keys)
    if kernels is not None:
        arranged, taken = item_major(keys, copy=True), item_major(other, copy=True)
        kernels.exchange(arranged, taken)
        return arranged.T, taken.T
    columns = range(keys.shape[-1])
    rows, others = [keys[:, column] for column in columns], [other[:, column] for column in columns]
    for behind in reversed(columns):
        for place in range(behind):
            low, high = rows[place], rows[place + 1]
            wrong = low > high
            rows[place], rows[place + 1] = xp.minimum(low, high), xp.maximum(low, high)
            low, high = others[place], others[place + 1]
            others[place], others[place + 1] = xp.where(wrong, high, low), xp.where(wrong, low, high)
    return lined_up(rows), lined_up(others)


def first_places(starts: Array, like: Array) -> Array:
    """The first place of each item's group of ties: 1 to n."""
    xp = namespace(starts)
    first: list[Any] = [xp.ones_like(like[:, 0])]
    for place in range(1, starts.shape[-1]):
        first.append(xp.where(starts[:, place], place + 1.0, first[-1]))
    return lined_up(first)


def last_places(starts: Array, like: Array) -> Array:
    """The last place of each item's group of ties: 1 to n."""
    xp = namespace(starts)
    items = starts.shape[-1]
    last = [xp.zeros_like(like[:, 0]) + items]
    for place in range(items - 1, 0, -1):
        last.append(xp.where(starts[:, place], float(place), last[-1]))
    return lined_up(last[::-1])
