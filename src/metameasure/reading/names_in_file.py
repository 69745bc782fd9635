"""Names of so many items that they are in a temporary file: of those that have been read, only a few are in memory."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np

_AT_ONCE = 2**16


class NamesInFile(Sequence[str]):
    """Texts that are added one after the other, until there are as many as were announced."""

    def __init__(self, size: int) -> None:
        self._stream, self._ends = (tempfile.TemporaryFile(prefix="metameasure-") for _ in range(2))  # noqa: SIM115 - closed in the end
        weakref.finalize(self, _close, self._stream, self._ends)
        self._ends.write(np.zeros(1, np.int64).data)
        self._size, self._last = size, 0

    def add(self, texts: Sequence[str]) -> None:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        ends = self._last + np.cumsum([len(text) for text in encoded], dtype=np.int64)
        for stream, written in ((self._ends, ends.data), (self._stream, b"".join(encoded))):
            stream.seek(0, 2)
            stream.write(written)
        self._last = int(ends[-1]) if len(ends) else self._last

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        for first in range(0, self._size, _AT_ONCE):
            yield from self[first : first + _AT_ONCE]

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            first, last, step = place.indices(self._size)
            return self._between(first, last) if step == 1 else tuple(self[one] for one in range(first, last, step))
        which = range(self._size)[place]
        return self._between(which, which + 1)[0]

    def _between(self, first: int, last: int) -> tuple[str, ...]:
        if last <= first:
            return ()
        self._ends.seek(8 * first)
        ends = np.frombuffer(self._ends.read(8 * (last - first + 1)), np.int64).tolist()
        self._stream.seek(ends[0])
        read = self._stream.read(ends[-1] - ends[0])
        pairs = pairwise(ends)
        if read.isascii():  # characters are where their bytes are
            text = read.decode()
            return tuple(text[start - ends[0] : end - ends[0]] for start, end in pairs)
        return tuple(read[start - ends[0] : end - ends[0]].decode("utf-8", "surrogatepass") for start, end in pairs)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)


def _close(*streams: Any) -> None:
    for stream in streams:
        stream.close()
