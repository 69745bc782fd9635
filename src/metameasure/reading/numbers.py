"""Plain numbers in a file: the user's distances between classes, or a series of numbers, one for each rank."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.scale import Kind, Scale

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
        raise DataProblems(
            [Problem(str(file), 0, say("{number} rows for {number2} classes", number=len(rows), number2=len(scale)), _ROWS)]
        )
    problems = [
        Problem(
            str(file),
            number,
            say("{number} numbers instead of {number2}", number=len(cells), number2=len(rows)),
            "it needs as many columns as rows",
        )
        for number, cells in rows
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
    table = [[float(cell) for cell in cells] for _, cells in rows]
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
    try:
        return 0 <= float(cell) < math.inf
    except ValueError:
        return False


def read_series(path: str | Path) -> list[float]:
    """The numbers in a file, in their order, separated by white space or commas. DataProblems for what is none."""
    numbers: list[float] = []
    problems = []
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        for cell in line.replace(",", " ").split():
            try:
                numbers.append(float(cell))
            except ValueError:
                problems.append(
                    Problem(
                        str(path),
                        number,
                        say("'{cell}' is not a number", cell=cell),
                        "give one number per rank, the first rank's first",
                    )
                )
    if problems or not numbers:
        raise DataProblems(problems or [Problem(str(path), 0, "there are no numbers", "give one per rank")])
    return numbers
