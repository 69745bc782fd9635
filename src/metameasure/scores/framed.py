"""Results that are columns too: data frames and the table for programs are made of them."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from itertools import chain
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.show.table import Signed, Table

_FRAME_LIBRARIES = ("pandas", "polars", "pyarrow")


class Framed(Signed):
    """A result with columns. ``library`` is that of the data frame which the data came in, where it was one."""

    library: str | None = None

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """The columns of the data frame."""

    def full_table(self) -> Table:
        return Table.of(self.columns())

    def to_frame(self, library: str | None = None) -> Any:
        """The columns as a data frame of the library at hand: the one the data came in, or one that is installed."""
        return frame_of(self.columns(), library or self.library)


def frame_of(columns: dict[str, list[Any]], library: str | None = None) -> Any:
    """Columns as a data frame of the given library, or of the one at hand."""
    at_hand = chain(filter(sys.modules.__contains__, _FRAME_LIBRARIES), filter(find_spec, _FRAME_LIBRARIES))
    chosen: Any = library or next(at_hand, None)
    if chosen is None:
        raise UsageError(
            "no data frame library is installed", hint=say("install pandas, polars or pyarrow, or use {--scores FILE}")
        )
    return nw.from_dict(columns, backend=chosen).to_native()


def stacked(key: str, blocks: Iterable[tuple[str, Mapping[str, list[Any]]]]) -> dict[str, list[Any]]:
    """Columns of several tables under one another, with a first column that has the name of each."""
    columns_below: dict[str, list[Any]] = {}
    for block, columns in blocks:
        size = len(next(iter(columns.values())))
        for name, cells in {key: [block] * size, **columns}.items():
            columns_below.setdefault(name, []).extend(cells)
    return columns_below
