"""Evidence that is larger than the memory a user allows: read in blocks of topics, and kept in a temporary file.

Of an array in a file only what is being read is in memory, and ``release`` lets go of that too. Values are the same to the bit.
"""

from __future__ import annotations

import math
import mmap
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.reading.options import bytes_of
from metameasure.statistics.arrays import Floats, Integers

# Of the memory a user allows, what one array may take before it goes into a file, and what the rows of a block may. The engine
# has most of the rest.
_ARRAY_SHARE = _BLOCK_SHARE = 1 / 16
# What is left to the engine beside names of items, and all that is made of the rows of a run.
_ENGINE_SHARE = 0.65
# What a row takes, with all that is made of it, while it is put into its place.
_BYTES_A_ROW = 100
# What a text takes in Python.
_BYTES_A_NAME = 100


@dataclass(frozen=True)
class Room:
    """How much memory evidence may take."""

    memory: float

    @classmethod
    def of(cls, memory: str) -> Room:
        """As a user writes it: 512MB."""
        return cls(bytes_of(memory))

    @property
    def for_engine(self) -> str:
        """What the engine may have where items, too, are here by their names."""
        return f"{int(self.memory * _ENGINE_SHARE)}B"

    @property
    def rows_at_once(self) -> int:
        """How many rows may be in memory."""
        return max(1, int(self.memory * _BLOCK_SHARE / _BYTES_A_ROW))

    @property
    def for_names(self) -> int:
        """How many names of items may be in memory."""
        return int(self.memory * _ARRAY_SHARE / _BYTES_A_NAME)

    @property
    def in_files(self) -> Room:
        """One whose arrays are all in files."""
        return replace(self, memory=0.0)

    def zeros(self, shape: tuple[int, ...]) -> Any:
        """An array of zeros, in memory where it fits."""
        return np.zeros(shape) if math.prod(shape) * 8 <= self.memory * _ARRAY_SHARE else _in_file(shape)

    def empty(self, shape: tuple[int, ...], kind: Any = np.float64) -> Any:
        """An array to be filled, in memory where it fits."""
        return np.empty(shape, kind) if math.prod(shape) * 8 <= self.memory * _ARRAY_SHARE else _in_file(shape, kind)


class NotApartError(UsageError):
    """Rows that have to be looked at all at once, because something is wrong with them, or what they are of has to be told
    apart."""

    def __init__(self) -> None:
        super().__init__("all rows have to be read at once", hint="")


class Column:
    """A column that comes in parts: in a file, of at most so many rows, where there is little room for them."""

    def __init__(self, kind: Any, within: tuple[Room, int] | None) -> None:
        self.kind, self.parts, self.size = kind, list[Any](), 0
        self.array = None if within is None else within[0].empty((within[1],), kind)

    def add(self, part: Any) -> None:
        if self.array is None:
            self.parts.append(np.asarray(part, self.kind))
        else:
            self.array[self.size : self.size + len(part)] = part
            self.size += len(part)
            release(self.array)

    def whole(self) -> Any:
        return np.concatenate([np.zeros(0, self.kind), *self.parts]) if self.array is None else self.array[: self.size]


class Spool:
    """Arrays (rows, ...) that come one after the other, written to a file until all of them can be put side by side."""

    def __init__(self, room: Room) -> None:
        self.room, self.shapes = room, list[tuple[int, int]]()
        self.stream = tempfile.TemporaryFile(prefix="metameasure-")  # noqa: SIM115 - closed at the end of the block

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()

    def add(self, array: Floats) -> None:
        self.shapes.append((array.shape[0], array.shape[1]))
        self.stream.write(np.ascontiguousarray(array).data)

    def side_by_side(self) -> Floats:
        matrix: Floats = self.room.empty((self.shapes[0][0], sum(size for _, size in self.shapes)))
        self.stream.seek(0)
        first = 0
        for rows, size in self.shapes:
            matrix[:, first : first + size] = np.frombuffer(self.stream.read(rows * size * 8)).reshape(rows, size)
            first += size
            release(matrix)
        return matrix


def _in_file(shape: tuple[int, ...], kind: Any = np.float64) -> Any:
    with tempfile.TemporaryFile(prefix="metameasure-") as stream:  # it is gone as soon as nothing reads the array
        return np.memmap(stream, kind, "w+", shape=shape)


def beside(array: Any, shape: tuple[int, ...], kind: Any = np.float64) -> Any:
    """An array to be filled, in a file where another one is."""
    return _in_file(shape, kind) if is_in_file(array) else np.empty(shape, kind)


def of_second(array: Any, places: Sequence[int]) -> Any:
    """Of an array (..., runs, items) some runs, one after the other: in a file where it is in one."""
    if not is_in_file(array):
        return array[..., list(places), :]
    found = _in_file((*array.shape[:-2], len(places), array.shape[-1]), array.dtype)
    for row in np.ndindex(array.shape[:-2]):
        for place, own in enumerate(places):
            found[(*row, place)] = array[(*row, own)]
            release(found, array)
    return found


def by_rows(function: Callable[[Any], Any], *arrays: Any) -> Floats:
    """What an elementwise function makes of arrays of the same shape, one below the other: in a file where one of them is."""
    if not any(map(is_in_file, arrays)):
        return np.concatenate([function(array) for array in arrays])
    stack: Floats = _in_file((sum(map(len, arrays)), *arrays[0].shape[1:]))
    for place, row in enumerate(row for array in arrays for row in array):
        stack[place] = function(row)
        release(stack, *arrays)
    return stack


def of_places(array: Any, places: Integers) -> Any:
    """Of an array (rows, places, ...) some places, in a file where it is in one."""
    if not is_in_file(array):
        return array[:, places]
    found = _in_file((len(array), len(places), *array.shape[2:]), array.dtype)
    for row, own in enumerate(array):
        found[row] = own[places]
        release(found, array)
    return found


def release(*arrays: Any) -> None:
    """Let go of what has been read of arrays in files, or been written to them. Arrays in memory, and None, stay as they are."""
    for array in arrays:
        if is_in_file(array) and hasattr(mmap, "MADV_DONTNEED"):
            array._mmap.madvise(mmap.MADV_DONTNEED)  # noqa: SLF001 - NumPy keeps the mapping, and has no word of its own for this


def each_row(array: Any) -> Iterator[Any]:
    """The rows of an array; of what has been read, only one is in memory."""
    for row in array:
        yield row
        release(array)


def is_in_file(array: Any) -> bool:
    return isinstance(array, np.memmap) and getattr(array, "_mmap", None) is not None


def few_at_once(runs: int) -> Iterator[list[int]]:
    """The places of runs two by two, or three in the end: NumPy adds up the items of one run alone in another order."""
    for first in range(0, max(1, runs - 1), 2):
        yield list(range(first, first + 2 if first + 3 < runs else runs))


def bounds(sizes: Sequence[int] | Integers, most: int) -> Iterator[tuple[int, int]]:
    """Places in their order, from first up to last, whose sizes add up to at most so many; at least one place in each block.

    >>> list(bounds([3, 3, 9, 1, 1], most=6))
    [(0, 2), (2, 3), (3, 5)]
    """
    first, total = 0, 0
    for place, size in enumerate(sizes):
        if place > first and total + size > most:
            yield first, place
            first, total = place, 0
        total += int(size)
    if len(sizes):
        yield first, len(sizes)
