"""Labels in memory, counted into a table of gold class by predicted class."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.errors import DataError, did_you_mean
from metameasure.notes import counted
from metameasure.scale import Classes, Scale, require, text_of
from metameasure.statistics.arrays import Floats

# Integer labels spread over at most this many values are looked up in a table.
_LARGEST_TABLE = 2**16
_MOST_PROBLEMS = 20


def count_labels(
    gold: Iterable[Any],
    predicted: Iterable[Any],
    *,
    classes: Classes | None,
    weights: Iterable[float] | None = None,
) -> tuple[npt.NDArray[Any], Scale]:
    """The C x C counts (rows gold, columns predicted) and the scale. With weights, sums of weights."""
    gold_labels, predicted_labels = _sequence(gold), _sequence(predicted)
    if len(gold_labels) != len(predicted_labels):
        raise DataError(
            f"{len(gold_labels)} gold labels but {len(predicted_labels)} predicted",
            hint="give one of each per item, in the same order",
        )
    if classes is None:
        require(None, [*_distinct(gold_labels), *_distinct(predicted_labels)])
    scale = require(classes, ())
    cells = _codes(gold_labels, scale, "gold") * len(scale) + _codes(predicted_labels, scale, "predicted")
    counts = np.bincount(cells, weights=_checked_weights(weights, len(cells)), minlength=len(scale) ** 2)
    return counts.reshape(len(scale), len(scale)), scale


def _sequence(labels: Iterable[Any]) -> Any:
    """An integer array as it is; anything else (lists, Series, string arrays, generators) as a list of Python objects."""
    if isinstance(labels, str):
        raise DataError("the labels are one string", hint="give a list of labels, one per item")
    if isinstance(labels, list | tuple):
        return labels
    if hasattr(labels, "__array__"):
        array = np.asarray(labels)
        if array.ndim != 1:
            raise DataError(f"labels of shape {array.shape}", hint="give one label per item, in one dimension")
        return array if array.dtype.kind in "iu" else array.tolist()
    return list(labels)


def _distinct(labels: Any) -> list[Any]:
    return list(dict.fromkeys(np.unique(labels).tolist() if isinstance(labels, np.ndarray) else labels))


def _codes(labels: Any, scale: Scale, side: str) -> npt.NDArray[np.intp]:
    """Each label's position in the scale."""
    if isinstance(labels, np.ndarray) and labels.size:
        low, high = int(labels.min()), int(labels.max())
        if high - low < _LARGEST_TABLE:
            index = {label: position for position, label in enumerate(scale.labels)}
            table = np.array([index.get(str(label), -1) for label in range(low, high + 1)], dtype=np.intp)
            codes = table[np.subtract(labels, low, dtype=np.intp)]  # in their own type, narrow labels would wrap around
            return _checked(codes, labels, scale, side)
    return _checked(np.fromiter(map(_Memo(scale).__getitem__, labels), dtype=np.intp, count=len(labels)), labels, scale, side)


class _Memo(dict[Any, int]):
    """Label to position, each distinct label turned into text once; -1 for one outside the scale."""

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, label: Any) -> int:
        code = self.scale.find(label)
        self[label] = -1 if code is None else code
        return self[label]


def _checked(codes: npt.NDArray[np.intp], labels: Any, scale: Scale, side: str) -> npt.NDArray[np.intp]:
    if not codes.size or codes.min() >= 0:
        return codes
    wrong = np.flatnonzero(codes < 0)
    distinct = list(dict.fromkeys(text_of(labels[position]) for position in islice(wrong, 10_000)))
    shown = ", ".join(f"'{label}'" for label in distinct[:_MOST_PROBLEMS])
    raise DataError(
        f"{counted(len(wrong), f'{side} label')} not among the classes: {shown} (first at item {wrong[0] + 1})",
        hint=did_you_mean(distinct[0], scale.labels) or f"the classes are {scale}",
    )


def _checked_weights(weights: Iterable[float] | None, items: int) -> Floats | None:
    if weights is None:
        return None
    array = np.asarray(weights if hasattr(weights, "__array__") else list(weights), dtype=float)
    if array.shape != (items,):
        raise DataError(f"{array.size} weights for {items} items", hint="give one weight per item")
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if wrong.size:
        raise DataError(f"weight {array[wrong[0]]} of item {wrong[0] + 1} is negative or not finite")
    return array
