"""What the tables of all findings share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from metameasure.catalogue.registry import default_registry
from metameasure.errors import UnknownName, UsageError
from metameasure.meta.finding import Finding
from metameasure.show.table import Mark, Table

FULL = ("csv", "tsv")
_COLOURED = ("html", "terminal", "latex")
_PACKAGES = r"Needs \usepackage{booktabs}, \usepackage[table]{xcolor} and \usepackage{amssymb}."
Cell = tuple[str, Mark | None, bool]


def measure_name(measure: str, format: str) -> str:
    """As papers write it in LaTeX; elsewhere as one types it."""
    if format != "latex":
        return measure
    try:
        return default_registry()[measure].symbol
    except (UnknownName, UsageError):
        return measure


def long_table(found: Finding) -> Table:
    """Every number at full precision in a column of its own."""
    columns = found.long()
    rows = zip(*([_exact(cell) for cell in column] for column in columns.values()), strict=True)
    return Table(tuple(columns), tuple(rows))


def _exact(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return cell if isinstance(cell, str) else repr(cell)


def number(value: float, digits: int = 3) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def triangle(
    found: Finding, format: str, cell: Callable[[Any, int, int], Cell], notes: Sequence[str], *, overall: bool = True
) -> Table:
    """A table for every two measures, first down and second across, as the papers print it: a block for each data set."""
    names = [measure_name(measure, format) for measure in found.measures]
    if len(names) == 1:
        notes = ["There is one measure, and nothing to compare it with: evaluate by more of them."]
    headings = ("measure", *names[1:])
    rows: list[tuple[str, ...]] = []
    bold, marks = set(), {}
    blocks = (*found.data, *((found,) if overall or not found.data else ()))
    for block in blocks:
        if found.data:
            rows.append((f"({block.name})", *[""] * (len(names) - 1)))
        for i in range(len(names) - 1):
            cells = [cell(block, i, j) if j > i else ("-", None, False) for j in range(1, len(names))]
            for heading, (_, mark, stressed) in zip(headings[1:], cells, strict=True):
                if mark:
                    marks[len(rows), heading] = mark
                if stressed:
                    bold.add((len(rows), heading))
            rows.append((names[i], *(text for text, _, _ in cells)))
    return Table(headings, tuple(rows), frozenset(headings[1:]), frozenset(bold), below(found, format, notes), marks=marks)


def below(found: Finding, format: str, notes: Sequence[str]) -> tuple[str, ...]:
    """The lines below a table. In LaTeX they are comments, for the caption, after the packages that a table needs."""
    notes = [note for note in notes if format in _COLOURED or not note.startswith("Coloured: ")]
    return (*((_PACKAGES,) if format == "latex" else ()), *notes, *(_sentence(note) for note in found.notes))


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."
