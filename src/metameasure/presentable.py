"""What every result can do: print itself, in a terminal and in a notebook, and say itself in JSON's terms.

How a result looks is the business of the room ``show``, which imports results. This module is the one place that reaches the
other way.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metameasure.statistics.anova import Components


class Presentable(ABC):
    """A result that presents itself."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as the interface's JSON: numbers are numbers, undefined is None, infinite is "inf"."""

    def render(self, format: str = "table") -> str:
        """The result as ``table``, ``json``, ``csv``, ``tsv``, ``markdown`` or ``latex``."""
        from metameasure.show.present import present  # noqa: PLC0415 - the declared exception to the layers

        return present(self, format)

    def chart(self, path: str | Path | None = None) -> Any:
        """The result drawn, as a matplotlib figure; written to a file of that name too (.svg, .pdf or .png)."""
        from metameasure.show.present import draw  # noqa: PLC0415 - the declared exception to the layers

        return draw(self, path)

    def __init_subclass__(cls, **facts: Any) -> None:
        """A prompt shows a result as ``print`` does; set here, a dataclass leaves it alone."""
        super().__init_subclass__(**facts)
        cls.__repr__ = _as_printed  # type: ignore[assignment,method-assign]

    def __str__(self) -> str:
        return self.render("table")

    def _repr_html_(self) -> str:
        return self.render("html")


def _as_printed(result: Presentable) -> str:
    return str(result).rstrip("\n")


def json_table(matrix: Any) -> list[list[float | str | None]]:
    """A matrix of numbers as JSON can say it."""
    return [[json_number(value) for value in row] for row in matrix]


def json_number(value: float) -> float | str | None:
    """A number as JSON can say it."""
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float(value)


def json_variance(variance: Mapping[str, Components]) -> dict[str, dict[str, float | str | None]]:
    """Variances between and within units, by what the units are, as JSON can say them."""
    return {
        unit: {"between": json_number(parts.between), "within": json_number(parts.within)} for unit, parts in variance.items()
    }
