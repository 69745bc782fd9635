"""What every result can do: print itself, in a terminal and in a notebook, draw itself, and say itself in JSON's terms."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from metameasure.arguments import as_arguments
from metameasure.catalogue.registry import default_registry
from metameasure.errors import UnknownName, UsageError
from metameasure.show.canvas import Width, house_style, inches, save, with_inert_text
from metameasure.show.symbols import marked
from metameasure.show.table import OutputFormat, Table, output_format
from metameasure.statistics.anova import Components


class Presentable(ABC):
    """A result that presents itself, from the blocks in ``show``."""

    caption: ClassVar[str] = ""
    """What the caption of a table calls such a result."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as the interface's JSON: numbers are numbers, undefined is None, infinite is "inf"."""

    @abstractmethod
    def tables(self, format: OutputFormat) -> Sequence[Table]:
        """The result as tables for reading, made for a format."""

    @abstractmethod
    def full_table(self) -> Table:
        """The result as one table for programs, with every number at full precision."""

    @property
    def title(self) -> str:
        """What a page or the caption of a table calls the result; the words of its class, where nothing better is known."""
        return self.caption or " ".join(re.findall("[A-Z][a-z]*", type(self).__name__)).capitalize()

    def in_words(self) -> Sequence[str]:
        """The result in a few sentences, for the top of a page; none where its tables say it all."""
        return ()

    def draw(self, width: float) -> Any:
        """The result as a matplotlib figure, so many inches wide and as high as it has to be."""
        raise UsageError(f"there is no chart of {type(self).__name__}", hint="print it, or convert it by to_dict()")

    def render(self, format: str = "table") -> str:
        """The result in one of the formats: ``table``, ``json``, ``csv``, ``tsv``, ``markdown``, ``latex``, ``html``, ..."""
        return output_format(format).render(self)

    def chart(self, path: str | Path | None = None, *, width: Width = "column") -> Any:
        """The result drawn, as a matplotlib figure; written to a file of that name too (.svg, .pdf or .png).

        ``width`` is that of a ``"column"`` of a paper (3.3 in), of its ``"page"`` (6.9 in), or a number of inches. At that size
        the type has 8 points."""
        return self._drawn(path, width)

    def _drawn(self, path: str | Path | None, width: Width, **how: Any) -> Any:
        wide = inches(width)
        with house_style():
            figure = with_inert_text(self.draw(wide, **how))
            if path is not None:
                save(figure, path)
        return figure

    def __init_subclass__(cls, **facts: Any) -> None:
        """A prompt shows a result as ``print`` does; set here, a dataclass leaves it alone."""
        super().__init_subclass__(**facts)
        cls.__repr__ = _as_printed  # type: ignore[assignment,method-assign]

    def __str__(self) -> str:
        return as_arguments(self.render("table"))

    def _repr_html_(self) -> str:
        format = output_format("html")
        return format.document([table.reworded(as_arguments) for table in self.tables(format)])


def _as_printed(result: Presentable) -> str:
    return str(result).rstrip("\n")


def symbol_of(measure: str) -> str:
    """The symbol that papers have for a measure, to be set in a chart or on paper; the name, where it is not one of ours."""
    try:
        return marked(default_registry()[measure].symbol)
    except (UnknownName, UsageError):
        return measure


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
