"""What all answers share: one for each data set, one over all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.presentable import Presentable
from metameasure.scores.cube import frame_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding(Presentable):
    """An answer about measures. Over several data sets, ``data`` has the answer for each, and this is their pooled, averaged or
    total one; otherwise ``data`` is empty."""

    repeats_data: ClassVar[bool] = False
    """Whether the answer over all data sets has the rows of each once more, and is left out of the long table."""
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
        blocks: list[Finding] = [*self.data, *(() if self.repeats_data else (self,))]
        stacked: dict[str, list[Any]] = {}
        for block in blocks:
            columns = block.columns()
            size = len(next(iter(columns.values())))
            for name, cells in {"data": [block.name] * size, **columns}.items():
                stacked.setdefault(name, []).extend(cells)
        return stacked

    def to_frame(self, library: str | None = None) -> Any:
        """The long table as a data frame."""
        return frame_of(self.long(), library)


def pairs_of(number: int) -> list[tuple[int, int]]:
    """Every two of so many, the first before the second."""
    return list(combinations(range(number), 2))


def from_best(values: Floats) -> list[int]:
    """The places of values from the highest down; those that are equal but for rounding keep their order, NaN comes last."""
    return [int(place) for place in np.argsort(-np.nan_to_num(values, nan=-np.inf).round(12), kind="stable")]


def all_notes(parts: Sequence[Any]) -> tuple[str, ...]:
    """What has to be said about each data set; with its name, where there are several."""
    prefixed: Iterable[str] = (f"{part.name}: {note}" if len(parts) > 1 else note for part in parts for note in part.notes)
    return tuple(dict.fromkeys(prefixed))
