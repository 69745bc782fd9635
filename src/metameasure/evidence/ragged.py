"""Rows of different lengths, put together so that little of an array is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from metameasure.statistics.arrays import Booleans, Floats, Integers

_MOST_EXACT_LENGTHS = 32


def alike(sizes: Integers) -> Iterator[tuple[int, Integers]]:
    """The rows of about one length together: that length, and the rows' positions."""
    padded = sizes if len(np.unique(sizes)) <= _MOST_EXACT_LENGTHS else _size_class(sizes)
    for size in np.unique(padded).tolist():
        yield size, np.flatnonzero(padded == size)


def _size_class(sizes: Integers) -> Integers:
    """Lengths rounded up so that few are left: exact up to 8, and at most a quarter more beyond."""
    step = 2 ** np.maximum(np.floor(np.log2(np.maximum(sizes, 1))).astype(np.int64) - 2, 0)
    return np.asarray(-(-sizes // step) * step)


def cells_of(starts: Integers, rows: Integers, width: int) -> tuple[Integers, Booleans]:
    """Where the cells of some rows are, row by row in an array of this width, and which of them are inside their rows: ``starts``
    says where each row begins, and in the end how many cells there are."""
    cells = starts[rows][:, None] + np.arange(width)
    inside = cells < starts[rows + 1][:, None]
    return np.where(inside, cells, 0), inside


def padded(rows: Sequence[Floats], width: int) -> Floats:
    """The rows in one array, NaN behind their ends."""
    array = np.full((len(rows), max(1, width)), np.nan)
    for place, row in enumerate(rows):
        array[place, : len(row)] = row
    return array


def numbers_within(keys: Integers) -> Integers:
    """The number of each element, from 0 on, among those of its key; equal keys stand together.

    >>> numbers_within(np.array([5, 5, 7, 9, 9, 9]))
    array([0, 1, 0, 0, 1, 2])
    """
    opens = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
    return np.arange(len(keys)) - np.repeat(opens, np.diff(opens, append=len(keys)))
