"""The items of runs in a temporary file, where memory is limited: one run's are in memory at a time."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.evidence.judgements import COLUMNS, RunItems
from metameasure.statistics.arrays import Integers

_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False)
class Spelled:
    """Names as bytes one behind the other, and where each begins; of the last items none."""

    text: npt.NDArray[np.uint8]
    starts: Integers
    items: int

    @classmethod
    def of(cls, names: Any, items: int) -> Spelled:
        parts, sizes = list[bytes](), [np.zeros(1, np.int64)]
        for first in range(0, len(names), _AT_ONCE):
            encoded = [name.encode("utf-8", "surrogatepass") for name in names[first : first + _AT_ONCE]]
            parts.append(b"".join(encoded))
            sizes.append(np.array([len(name) for name in encoded], np.int64))
        return cls(np.frombuffer(b"".join(parts), np.uint8), np.cumsum(np.concatenate(sizes)), items)

    def all(self) -> npt.NDArray[np.object_]:
        names = np.full(self.items, None)
        names[: len(self.starts) - 1] = [self[item] for item in range(len(self.starts) - 1)]
        return names

    def __getitem__(self, item: int) -> str:
        return self.text[self.starts[item] : self.starts[item + 1]].tobytes().decode("utf-8", "surrogatepass")

    def answered(self) -> npt.NDArray[np.bool_]:
        return np.arange(self.items) < len(self.starts) - 1


class ItemsInFile(Sequence[RunItems | None]):
    """Those of runs that are appended one after the other, None for one that orders nothing. What has been found out about the
    run that was asked for last is kept too."""

    def __init__(self) -> None:
        self._stream = tempfile.TemporaryFile(prefix="metameasure-")  # noqa: SIM115 - closed in the end
        weakref.finalize(self, self._stream.close)
        self._runs: list[tuple[dict[str, tuple[Any, int, int]], int, bool] | None] = []
        self._last: tuple[int, RunItems] | None = None

    def append(self, items: RunItems | None) -> None:
        if items is None:
            self._runs.append(None)
            return
        spelled = Spelled.of(items.ids[items.answered], len(items.topic))  # those that are not answered come last
        written = {name: column for name in COLUMNS if (column := getattr(items, name)) is not None}
        columns = written | {"text": spelled.text, "starts": spelled.starts}
        self._runs.append(
            ({name: self._written(column) for name, column in columns.items()}, spelled.items, items.belief_is_ranked)
        )

    def _written(self, column: Any) -> tuple[Any, int, int]:
        """The type of a column, how long it is, and where it begins."""
        self._stream.seek(0, 2)
        first = self._stream.tell()
        self._stream.write(np.ascontiguousarray(column).data)
        return column.dtype, len(column), first

    def __len__(self) -> int:
        return len(self._runs)

    def __getitem__(self, run: Any) -> Any:
        if isinstance(run, slice):
            return tuple(self[place] for place in range(*run.indices(len(self))))
        place = range(len(self))[run]
        if self._runs[place] is None:
            return None
        if self._last is None or self._last[0] != place:
            self._last = None  # before the next is there
            self._last = place, self._read(place)
        return self._last[1]

    def _read(self, run: int) -> RunItems:
        found = self._runs[run]
        assert found is not None  # noqa: S101 - the caller has looked
        self._stream.flush()
        columns: dict[str, Any] = {name: self._column(*where) for name, where in found[0].items()}
        names = Spelled(columns.pop("text"), columns.pop("starts"), found[1])
        said: dict[str, Any] = {name: columns.get(name) for name in COLUMNS}
        return RunItems(**said, names=names, belief_is_ranked=found[2])

    def _column(self, kind: Any, size: int, first: int) -> Any:
        """A column that is read when somebody looks at it, and let go of with the run."""
        return np.asarray(np.memmap(self._stream, kind, "r", first, (size,))) if size else np.zeros(0, kind)

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)
