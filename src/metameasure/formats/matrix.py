"""Plain matrices of numbers: the user's distances between classes."""

from __future__ import annotations

import math
from pathlib import Path

from metameasure.errors import UsageError
from metameasure.formats.problems import DataProblems, Problem


def read_distance(path: str | Path, classes: int | None = None) -> list[list[float]]:
    """C rows of C numbers, separated by commas, tabs or spaces. A first row and column of class names may stand around them."""
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"there is no file '{file}'", hint="name a file with C rows of C numbers")
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    rows = [
        (number, line.replace(",", "\t").split("\t") if "," in line or "\t" in line else line.split())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    if rows and not any(_is_number(cell) for cell in rows[0][1]):
        rows = [(number, cells[1:]) for number, cells in rows[1:]]
    problems = [
        Problem(str(file), number, f"'{cell.strip()}' is not a number from 0 up", "give C rows of C distances")
        for number, cells in rows
        for cell in cells
        if not _is_number(cell) or not 0 <= float(cell) < math.inf
    ]
    problems += [
        Problem(str(file), number, f"{len(cells)} numbers instead of {len(rows)}", "it needs as many columns as rows")
        for number, cells in rows
        if len(cells) != len(rows)
    ]
    if rows and not problems and classes not in (None, len(rows)):
        problems = [
            Problem(str(file), 0, f"{len(rows)} rows for {classes} classes", "it needs a row and a column for each class")
        ]
    if problems or not rows:
        raise DataProblems(problems or [Problem(str(file), 0, "the file is empty", "it needs C rows of C numbers")])
    return [[float(cell) for cell in cells] for _, cells in rows]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
