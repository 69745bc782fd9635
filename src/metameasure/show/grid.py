"""Tables in HTML, of a page or a notebook: cells with what the style sheet needs to know, made from the tables of results, and
the templates that show them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING

from metameasure.core.numbers import unheaded
from metameasure.show.inert import shortened, visible, visible_line
from metameasure.show.table import Table

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = "metameasure.show"
_LONGEST_NAME, _SHORT_NAME = 120, 28
_ENDLESS = re.compile(r"\S{500,}")
Directions = Mapping[str, str | None]
NO_MEASURES: Directions = {}
_NUMBER = re.compile(r"^\s*([+-]?(?:\d+\.?\d*|\.\d+))")


@dataclass(frozen=True)
class Cell:
    """A text; ``heat`` from 0 to 1 where it is part of a heat map, ``mark`` strong, fair or weak, ``path`` a small line drawn
    instead of the text, ``interval`` and ``letters`` what stands beside a score."""

    text: str
    interval: str = ""
    letters: str = ""
    bold: bool = False
    heat: float | None = None
    mark: str = ""
    path: str = ""

    @property
    def short(self) -> bool:
        """Whether a name could be broken at a space or a hyphen, and is too short for that."""
        return len(self.text) <= _SHORT_NAME and (" " in self.text or "-" in self.text)


@dataclass(frozen=True)
class Heading:
    """A column's heading; ``measure`` is the measure whose scores stand below it, and ``better`` which of them are better."""

    text: str
    right: bool = False
    measure: str = ""
    better: str = ""
    sortable: bool = True

    @property
    def long(self) -> bool:
        """Whether it takes several lines."""
        return len(self.text) > _SHORT_NAME


@dataclass(frozen=True)
class Grid:
    """A table as HTML shows it. ``row_measures`` are the measures that rows are about, ``measure`` the one that all of it is."""

    id: str
    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    sortable: bool = True
    row_measures: tuple[str, ...] = ()
    row_classes: tuple[str, ...] = ()
    measure: str = ""
    named_by: int = 0
    """Which cell of a row names it; -1 where none does."""


def shown(text: str) -> str:
    """A name as a page shows it: one line, nothing that does anything, not longer than can be read."""
    return shortened(visible_line(text), _LONGEST_NAME)


def sayable(text: str) -> str:
    """A text that may hold names: nothing in it does anything, and a word of thousands of letters is cut."""
    return _ENDLESS.sub(lambda match: shortened(match[0], _LONGEST_NAME), visible(text))


def grid_of(table: Table, id: str = "", caption: str = "", better: Directions = NO_MEASURES) -> Grid:
    """A table that a result shows, ready for HTML. Columns and rows that are about a measure know it; ``better`` says of each
    measure which scores are better."""
    table = table.inert()
    about = [_measure(column, better) for column in table.columns]
    headings = tuple(
        Heading(shown(column), right=column in table.right, measure=name, better=better.get(name) or "")
        for column, name in zip(table.columns, about, strict=True)
    )
    rows = tuple(
        tuple(
            Cell(text, bold=(row, column) in table.bold, mark=table.marks.get((row, column), ""))
            for column, text in zip(table.columns, cells, strict=True)
        )
        for row, cells in enumerate(table.rows)
    )
    names = next((place for place, column in enumerate(table.columns) if column not in table.right), 0)  # not the rank before
    named = tuple(_measure(cells[names], better) for cells in table.rows)
    return Grid(
        id, caption or table.title, headings, rows, notes=tuple(filter(None, [*table.below(coloured=True), *table.signed()])),
        row_measures=named if any(named) else (), named_by=names if len(headings) > 1 else -1,
    )  # fmt: skip


def _measure(text: str, measures: Directions) -> str:
    """The measure that a heading or a row names: ``kappa_linear *`` and one with its arrow have something behind it."""
    name = unheaded(text).removesuffix("*").strip()
    return name if name in measures else ""


def heated(grid: Grid, high: float) -> Grid:
    """The numbers of a table as a heat map: the farther from 0, up to the high end, the darker."""

    def one(cell: Cell, heading: Heading) -> Cell:
        match = _NUMBER.match(cell.text)
        if not heading.right or not match:
            return cell
        return replace(cell, heat=round(min(1.0, abs(float(match[1])) / high), 2))

    rows = tuple(tuple(one(cell, heading) for cell, heading in zip(row, grid.headings, strict=True)) for row in grid.rows)
    return replace(grid, rows=rows, sortable=False)


def spark(values: Sequence[float], low: float, high: float) -> str:
    """A line of a run's scores over the topics as the path of a small drawing, at most 48 points of means."""
    step = max(1, -(-len(values) // 48))
    groups = ([value for value in values[start : start + step] if math.isfinite(value)] for start in range(0, len(values), step))
    points = [sum(group) / len(group) if group else None for group in groups]
    if len(points) - points.count(None) < 2 or not high > low:
        return ""
    wide = 96 / (len(points) - 1)
    parts, pen_down = [], False
    for place, point in enumerate(points):
        if point is None:
            pen_down = False
            continue
        height = 15 - 14 * (point - low) / (high - low)
        parts.append(f"{'L' if pen_down else 'M'}{place * wide:.0f} {height:.0f}")
        pen_down = True
    return "".join(parts)


def environment(*packages: str) -> Environment:
    """Templates of these packages and those of every table. Every text is escaped; ``inert`` keeps names from doing anything."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - loaded when HTML is made

    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in (*packages, _HERE)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["inert"] = sayable
    return made


def template_text(name: str, package: str = _HERE) -> str:
    """A file beside the templates as it stands: a style sheet or a script."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8").strip()
