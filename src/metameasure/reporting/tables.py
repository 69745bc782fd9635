"""Tables of a page: cells with what a style sheet needs to know of them, made from the tables that results show."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from metameasure.show.inert import shortened, visible, visible_line
from metameasure.show.table import Table

_LONGEST_NAME = 120
_ENDLESS = re.compile(r"\S{500,}")
_OPTION = re.compile(r"(?<!\w)--[a-z]")  # a note about an option of the command line says nothing on a page
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


@dataclass(frozen=True)
class Heading:
    """A column's heading; ``measure`` is the measure whose scores stand below it."""

    text: str
    right: bool = False
    measure: str = ""
    sortable: bool = True


@dataclass(frozen=True)
class Grid:
    """A table of the page. ``row_measures`` are the measures that rows are about."""

    id: str
    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    sortable: bool = True
    row_measures: tuple[str, ...] = ()
    row_classes: tuple[str, ...] = ()
    named_by: int = 0
    """Which cell of a row names it."""


def shown(text: str) -> str:
    """A name as the page shows it: one line, nothing that does anything, not longer than can be read."""
    return shortened(visible_line(text), _LONGEST_NAME)


def sayable(text: str) -> str:
    """A text that may hold names: nothing in it does anything, and a word of thousands of letters is cut."""
    return _ENDLESS.sub(lambda found: shortened(found[0], _LONGEST_NAME), visible(text))


def grid_of(table: Table, id: str, caption: str, measures: Mapping[str, Any], *, notes: bool = True) -> Grid:
    """A table that a result shows, as a table of the page: columns and rows that are about a measure know it."""
    table = table.inert()
    headings = tuple(
        Heading(shown(column), right=column in table.right, measure=_measure(column, measures)) for column in table.columns
    )
    rows = tuple(
        tuple(
            Cell(text, bold=(row, column) in table.bold, mark=table.marks.get((row, column), ""))
            for column, text in zip(table.columns, cells, strict=True)
        )
        for row, cells in enumerate(table.rows)
    )
    below = [note for note in table.notes if note and not _OPTION.search(note)] if notes else []
    named = tuple(_measure(cells[0], measures) for cells in table.rows)
    legend = [f"Coloured: {table.legend}"] if table.legend and notes else []
    return Grid(id, caption, headings, rows, notes=(*below, *legend), row_measures=named if any(named) else ())


def _measure(text: str, measures: Mapping[str, Any]) -> str:
    """The measure that a heading names: ``cem_ord ↑``, ``0.817◇`` and ``kappa_linear *`` have something behind the name."""
    name = text.removesuffix("↑").removesuffix("↓").removesuffix("*").strip()
    return name if name in measures else ""


def heated(grid: Grid, low: float, high: float) -> Grid:
    """The numbers of a table as a heat map: the nearer to the high end, the darker; the sign does not count where low is 0."""

    def one(cell: Cell, heading: Heading) -> Cell:
        found = _NUMBER.match(cell.text)
        if not heading.right or not found:
            return cell
        value = float(found[1])
        share = (abs(value) if low == 0 else value - low) / (high - low)
        return replace(cell, heat=round(min(1.0, max(0.0, share)), 2))

    rows = tuple(tuple(one(cell, heading) for cell, heading in zip(row, grid.headings, strict=True)) for row in grid.rows)
    return replace(grid, rows=rows, sortable=False)


def spark(values: Sequence[float], low: float, high: float, *, most: int = 48) -> str:
    """A line of a run's scores over the topics as the path of a small drawing, at most so many points of means."""
    step = max(1, -(-len(values) // most))
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
