"""Plain numbers in a file: the user's distances between classes, or a series of numbers, one for each rank."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.scale import Kind, Scale
from metameasure.core.values import number_of

_ROWS = "give C rows of C distances, perhaps with the classes' names above and before them"


def distances_between(path: str | Path, classes: Any, kind: Kind | None) -> list[list[float]]:
    """The distances in a file, in the order of the classes; UsageError where none are declared."""
    if not classes:
        hint = say("declare them with {--classes}")
        raise UsageError("distances are between classes, but no classes are declared", hint=hint)
    return read_distance(path, Scale.of(classes, kind=kind))


def read_distance(path: str | Path, scale: Scale) -> list[list[float]]:
    """C rows of C numbers, separated by commas, tabs or spaces, in the order of the classes; or in any order, with a first row
    and a first column that name the classes."""
    file = Path(path)
    if not file.exists() or file.is_dir():
        raise UsageError(f"there is no file '{file}'", hint=f"name a file: {_ROWS}")
    rows = _cells(file.read_text(encoding="utf-8-sig", errors="replace"))
    if not rows:
        raise DataProblems([Problem(str(file), 0, "the file is empty", _ROWS)])
    order = list(range(len(scale)))
    if len(rows) == len(scale) + 1:
        order, rows = _named(str(file), rows, scale)
    if len(rows) != len(scale):
        what = say("{rows} rows for {classes} classes", rows=len(rows), classes=len(scale))
        raise DataProblems([Problem(str(file), 0, what, _ROWS)])
    hint = "it needs as many columns as rows"
    problems = [
        Problem(str(file), line, say("{have} numbers instead of {needed}", have=len(cells), needed=len(rows)), hint)
        for line, cells in rows
        if len(cells) != len(rows)
    ]
    problems += [
        Problem(str(file), number, say("'{cell}' is not a number from 0 up", cell=cell), _ROWS)
        for number, cells in rows
        for cell in cells
        if not _is_distance(cell)
    ]
    if problems:
        raise DataProblems(problems)
    table = [[number_of(cell) or 0.0 for cell in cells] for _, cells in rows]
    return [[table[row][column] for column in order] for row in order]


def _cells(text: str) -> list[tuple[int, list[str]]]:
    return [(number, _split(line)) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _split(line: str) -> list[str]:
    cells = line.replace("\t", ",").split(",")
    return [cell.strip() for cell in cells] if len(cells) > 1 else line.split()


def _named(file: str, rows: list[tuple[int, list[str]]], scale: Scale) -> tuple[list[int], list[tuple[int, list[str]]]]:
    """Where each class stands, and the rows without their names."""
    (first, names), *rest = rows
    names = names[-len(scale) :]
    beside = [cells[0] for _, cells in rest]
    if sorted(names) != sorted(scale.labels) or beside != names:
        what = say(
            "the names {names} above and {beside} before the distances are not the classes",
            names=", ".join(names),
            beside=", ".join(beside),
        )
        raise DataProblems(
            [Problem(file, first, what, say("the classes are {scale}, in the same order above and before", scale=scale))]
        )
    return [names.index(label) for label in scale.labels], [(number, cells[1:]) for number, cells in rest]


def _is_distance(cell: str) -> bool:
    number = number_of(cell)
    return number is not None and 0 <= number < math.inf


def read_series(path: str | Path) -> list[float]:
    """The numbers in a file, in their order, separated by white space or commas. DataProblems for anything else."""
    numbers: list[float] = []
    problems = []
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        for cell in line.replace(",", " ").split():
            value = number_of(cell)
            if value is None:
                hint = "give one number per rank, the first rank's first"
                problems.append(Problem(str(path), number, say("'{cell}' is not a number", cell=cell), hint))
            else:
                numbers.append(value)
    if problems or not numbers:
        raise DataProblems(problems or [Problem(str(path), 0, "there are no numbers", "give one per rank")])
    return numbers
