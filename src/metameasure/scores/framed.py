"""Results that are columns too: data frames and the table for programs are made of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from metameasure.show.table import Signed, Table


class Framed(Signed):
    """A result with columns."""

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """The columns of the data frame."""

    def full_table(self) -> Table:
        return Table.of(self.columns())


def stacked(key: str, blocks: Iterable[tuple[str, Mapping[str, list[Any]]]]) -> dict[str, list[Any]]:
    """Columns of several tables under one another, with a first column that has the name of each."""
    columns_below: dict[str, list[Any]] = {}
    for block, columns in blocks:
        size = len(next(iter(columns.values())))
        for name, cells in {key: [block] * size, **columns}.items():
            columns_below.setdefault(name, []).extend(cells)
    return columns_below
