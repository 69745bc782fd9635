"""What all answers share: one for each data set, one over all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from metameasure.presentable import Presentable, json_number
from metameasure.scores.cube import frame_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding(Presentable):
    """An answer about measures. Over several data sets, ``data`` has the answer for each, and this is their pooled, averaged or
    total one; otherwise ``data`` is empty."""

    name: str
    measures: tuple[str, ...]
    notes: tuple[str, ...] = ()
    data: tuple[Self, ...] = ()

    @abstractmethod
    def answer(self) -> dict[str, Any]:
        """This answer in JSON's terms, without those for each data set."""

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """This answer as columns of a long table."""

    def to_dict(self) -> dict[str, Any]:
        told = self.answer()
        if self.notes:
            told["notes"] = list(self.notes)
        if self.data:
            told["data"] = [{"name": part.name} | part.to_dict() for part in self.data]
        return told

    def parts(self) -> tuple[Self, ...]:
        """The answers for each data set."""
        return self.data or (self,)

    def long(self) -> dict[str, list[Any]]:
        """The columns, those of all data sets under one another with a first column ``data``; the answer over all comes last."""
        if not self.data:
            return self.columns()
        blocks: list[Finding] = [*self.data, self]
        found = [(block.name, block.columns()) for block in blocks]
        names = list(found[0][1])
        sizes = [len(next(iter(columns.values()), [])) for _, columns in found]
        stacked: dict[str, list[Any]] = {
            "data": [name for (name, _), size in zip(found, sizes, strict=True) for _ in range(size)]
        }
        return stacked | {name: [cell for _, columns in found for cell in columns[name]] for name in names}

    def to_frame(self, library: str | None = None) -> Any:
        """The long table as a data frame."""
        return frame_of(self.long(), library)


def table_of(matrix: Floats) -> list[list[Any]]:
    """A matrix in JSON's terms."""
    return [[json_number(value) for value in row] for row in matrix]


def pairs_of(number: int) -> list[tuple[int, int]]:
    """Every two of so many, the first before the second."""
    return list(combinations(range(number), 2))


def all_notes(parts: Sequence[Any]) -> tuple[str, ...]:
    """What has to be said about each data set; with its name, where there are several."""
    prefixed: Iterable[str] = (f"{part.name}: {note}" if len(parts) > 1 else note for part in parts for note in part.notes)
    return tuple(dict.fromkeys(prefixed))
