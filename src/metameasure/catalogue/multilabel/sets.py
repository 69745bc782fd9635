"""Items with a set of labels each, as indicators: 1 where an item has a label, 0 where it has not.

What is added up is how many items have a label in both sets, in the run's and in gold's (``LABELS``), or how many labels an item
has in both, in the run's and in gold's (``ITEMS``): averages over labels and over items are the same formulas of either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metameasure.catalogue.arrays import Array, mean_of_defined, namespace, ratio, ratio_or_zero, select
from metameasure.catalogue.facts import Coverage, Example, Inputs, Reads, Reduction, Undefined
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.probabilities.items import there
from metameasure.catalogue.questions import CLOSEST_SETS

RARE_LABELS = {"interval/items/left-out": Coverage("with a label of fewer than 10 items", 0.88, 0.96, fewest=10)}
"""Of means over the labels, to which a rare one adds as much as any other."""
_ITEMS_AT_ONCE = 2**15


def _unusable(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    known = there(predicted, gold)
    wrong = known & ~(_are_indicators(predicted) & _are_indicators(gold))
    return xp.any(wrong, axis=-1) | ~xp.any(known, axis=-1)


def _are_indicators(array: Array) -> Array:
    return namespace(array).all((array == 0) | (array == 1), axis=-1)


SETS = Inputs(
    reads=Reads.SETS,
    shape="predicted and gold of shape (..., n, L), 1 where an item has a label, 0 where it has not, NaN where there is no item",
    notation="G_i and P_i are the labels of item i in gold and in the run; of the n items h_k have label k in both, g_k in gold "
    "and p_k in the run; L is the number of labels",
    unusable=Undefined("there is no item, or something is neither 0 nor 1", _unusable),
    example=Example(
        text="gold {a}, {a, b}, {c}, {} and predicted {a}, {b}, {b, c}, {}",
        arrays=(((1, 0, 0), (0, 1, 0), (0, 1, 1), (0, 0, 0)), ((1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 0, 0))),
        classes=("a", "b", "c"),
    ),
    asks=CLOSEST_SETS,
)


def _cells(predicted: Array, gold: Array) -> tuple[Array, Array, Array, Array]:
    """Of each item and label (..., n, L) whether both have it, the run, and gold; and whether the item is there (..., n)."""
    xp = namespace(predicted, gold)
    known = there(predicted, gold)
    if bool(xp.all(known)):
        return predicted * gold, predicted, gold, known
    said, true = (xp.where(known[..., None], array, 0.0) for array in (predicted, gold))
    return said * true, said, true, known


def _of_labels(predicted: Array, gold: Array) -> tuple[Array, Array, Array, Array]:
    xp = namespace(predicted, gold)
    *cells, known = _cells(predicted, gold)
    hits, said, true = (xp.sum(array, axis=-2) for array in cells)
    return hits, said, true, xp.sum(xp.astype(known, predicted.dtype), axis=-1)[..., None]


def _of_items(predicted: Array, gold: Array) -> tuple[Array, Array, Array]:
    xp = namespace(predicted, gold)
    *cells, known = _cells(predicted, gold)
    hits, said, true = (xp.where(known, xp.sum(array, axis=-1), xp.nan) for array in cells)
    return hits, said, true


LABELS = Reduction(("hits", "predicted", "gold", "items"), _of_labels)
"""Of each label (..., L) how many items have it in both, in the run and in gold; and how many items there are (..., 1)."""
ITEMS = Reduction(("hits", "predicted", "gold"), _of_items)
"""Of each item (..., n) how many labels it has in both, in the run and in gold; NaN where there is no item."""
OfSums = Callable[..., Array]
"""A measure of what ``LABELS`` has, and of what follows its name."""
NOTHING = Undefined(
    "no item has a label, in gold or in the run",
    lambda hits, predicted, gold, items: ~namespace(gold).any(predicted + gold > 0, axis=-1),
)
LABEL_NOWHERE = Undefined(
    "neither gold nor output has a chosen label",
    lambda hits, predicted, gold, items, *, chosen: namespace(gold).any(select(predicted + gold, chosen) == 0, axis=-1),
)
NO_GOLD = Undefined(
    "gold has no label",
    lambda hits, predicted, gold, items: ~namespace(gold).any(gold > 0, axis=-1),
    of_gold=True,
)


def share(part: Array, whole: Array, either: Array) -> Array:
    """The part of the whole; 0 where the whole is nothing and something is on the other side, NaN where both are nothing."""
    xp = namespace(part)
    return xp.where(either > 0, ratio_or_zero(part, whole), xp.nan)


def share_of_items(part: Array, whole: Array, either: Array) -> Array:
    """The mean over items of such shares, where nothing on both sides is right: 1."""
    xp = namespace(part)
    return mean_of_items(xp.where(either == 0, 1.0, share(part, whole, either)))


def _added(values: Array) -> Array:
    """The sum over labels, which is one more label."""
    return namespace(values).sum(values, axis=-1, keepdims=True)


@dataclass(frozen=True)
class Averages:
    """The averages over labels of what each label has, by its hits, predicted and gold items: measures of what ``LABELS``
    has."""

    of_each: Callable[[Array, Array, Array], Array]

    def micro(self, hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
        """All labels taken as one."""
        return self.of_each(_added(hits), _added(predicted), _added(gold))[..., 0]

    def macro(self, hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
        """Each label alike."""
        return mean_of_defined(self.of_each(hits, predicted, gold))

    def weighted(self, hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
        """Each label by the number of its items in gold; NaN where gold has none."""
        xp, values = namespace(gold), self.of_each(hits, predicted, gold)
        return ratio(xp.sum(xp.where(gold > 0, gold * values, 0.0), axis=-1), xp.sum(gold, axis=-1))

    def of_chosen(self, hits: Array, predicted: Array, gold: Array, items: Array, *, chosen: tuple[int, ...]) -> Array:
        """The mean over the chosen labels; NaN where one of them is."""
        return namespace(gold).mean(select(self.of_each(hits, predicted, gold), chosen), axis=-1)


def by_leaving_out(value: OfSums) -> Callable[..., Array]:
    """What each item adds to a measure of sums over items (..., n): numbers whose mean is the measure and whose spread is that
    of its values without each item in turn. Items without which it has no value add what all do on average."""

    def linearised(predicted: Array, gold: Array, *, chosen: tuple[int, ...] = ()) -> Array:
        xp = namespace(predicted, gold)
        settings = {"chosen": chosen} if chosen else {}
        hits, said, true, items = _of_labels(predicted, gold)
        whole = value(hits, said, true, items, **settings)[..., None]
        parts = []
        for first in range(0, predicted.shape[-2], _ITEMS_AT_ONCE):
            some = slice(first, first + _ITEMS_AT_ONCE)
            *cells, known = _cells(predicted[..., some, :], gold[..., some, :])
            left = [total[..., None, :] - cell for total, cell in zip((hits, said, true), cells, strict=True)]
            without = value(left[0], left[1], left[2], xp.broadcast_to(items[..., None, :] - 1, (*known.shape, 1)), **settings)
            moved = xp.where(xp.isnan(without), 0.0, (items - 1) * (whole - without))
            parts.append(xp.where(known, moved, xp.nan))
        moved = xp.concat(parts, axis=-1)
        return whole + moved - mean_of_items(moved)[..., None]

    return linearised
