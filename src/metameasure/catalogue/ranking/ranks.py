"""Ranks of one segment's items: what was predicted, and what the human (gold) says. 1 is best, NaN is not ranked."""

from __future__ import annotations

from typing import Any

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Example, Inputs, Undefined


def ranked_by_both(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    return ~(xp.isnan(predicted) | xp.isnan(gold))


def _unusable(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    infinite = xp.any(xp.isinf(predicted) | xp.isinf(gold), axis=-1)
    return infinite | ~xp.any(ranked_by_both(predicted, gold), axis=-1)


RANKS = Inputs(
    arrays=("predicted", "gold"),
    case_axes=1,
    shape="predicted and gold of shape (..., n), ranks of which 1 is best, NaN where an item is not ranked",
    notation="a segment has n items that gold (the human) ranks; items that gold does not rank are left out, and an item that "
    "only the prediction does not rank gains nothing and is in no pair. Only the order of ranks counts, and which are tied. "
    "Of the pairs of items, C are concordant, D discordant, T_h tied by the human only, T_m tied by the prediction only, T_hm "
    "tied by both",
    unusable=Undefined("no item is ranked by both, or a rank is infinite", _unusable),
    example=Example(text="predicted ranks 1, 1, 2, 3 and human ranks 1, 2, 3, 4", arrays=((1, 1, 2, 3), (1, 2, 3, 4))),
    of_classes=False,
)


def lined_up(rows: list[Array]) -> Array:
    """One row an item, (cases,) each, as (cases, items); in memory an item's cases stay together."""
    xp = namespace(*rows)
    return xp.permute_dims(xp.stack(rows, axis=0), (1, 0))


def in_order(keys: Array, *others: Array) -> tuple[Array, ...]:
    """The keys from lowest to highest; whether each starts a new group of ties; and the other arrays in the same order.

    Keys that are NaN come last, as infinity, and are tied with nothing.
    """
    xp = namespace(keys)
    keys = xp.where(xp.isnan(keys), xp.inf, keys)
    order = xp.argsort(keys, axis=-1)
    arranged = xp.take_along_axis(keys, order, axis=-1)
    begins = xp.ones_like(arranged[:, :1], dtype=xp.bool)
    starts = xp.concat([begins, (arranged[:, 1:] != arranged[:, :-1]) | xp.isinf(arranged[:, 1:])], axis=-1)
    return arranged, starts, *(xp.take_along_axis(other, order, axis=-1) for other in others)


def group_places(starts: Array, like: Array) -> tuple[Array, Array]:
    """The first and the last place of each item's group of ties: 1 to n."""
    xp = namespace(starts)
    items = starts.shape[-1]
    nothing = xp.zeros_like(like[:, 0])
    first: list[Any] = []
    for place in range(items):
        first.append(xp.where(starts[:, place], place + 1.0, first[-1] if first else nothing))
    last = [nothing + items]
    for place in range(items - 1, 0, -1):
        last.append(xp.where(starts[:, place], float(place), last[-1]))
    return lined_up(first), lined_up(last[::-1])
