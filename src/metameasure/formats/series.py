"""A series of numbers in a file, separated by white space or commas."""

from __future__ import annotations

from pathlib import Path

from metameasure.formats.problems import DataProblems, Problem


def read_series(path: str | Path) -> list[float]:
    """The numbers, in their order. DataProblems for what is none."""
    found: list[float] = []
    problems = []
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        for cell in line.replace(",", " ").split():
            try:
                found.append(float(cell))
            except ValueError:
                problems.append(
                    Problem(str(path), number, f"'{cell}' is not a number", "give one number per rank, the first rank's first")
                )
    if problems or not found:
        raise DataProblems(problems or [Problem(str(path), 0, "there are no numbers", "give one per rank")])
    return found
