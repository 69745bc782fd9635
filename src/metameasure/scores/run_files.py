"""Scores with a file for each run, as in Sakai's book on experiments: a topic and a score a line, or scores alone."""

from __future__ import annotations

import csv
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Problem, ProblemsOfFile
from metameasure.core.values import number_of
from metameasure.reading.files import Beginning, look
from metameasure.reading.inputs import expand, run_names
from metameasure.reading.sources import NOT_UTF8
from metameasure.scores.scores import ScoreMatrix, Scores

_NEEDS = "it needs a line for each topic"


def run_files(files: Sequence[str | Path], measure: str | None = None) -> Scores:
    """The scores of runs that have a file each, named as the run is: lines of a topic and a score, perhaps below a header, in any
    order; or lines of one score, which are topics by their number. ``measure`` is the measure that the scores are of and, where
    a file has scores of several, the column.

    DataProblems for a file that is wrong, or that has other topics than the first.
    """
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        shown, paths = zip(*expand(files, Path(scratch)), strict=True)
        if len(shown) < 2:
            raise UsageError(f"{len(shown)} file of scores", hint=say("name a file for each run, or leave out {--one-file-per}"))
        tables = [_read(look(name, path, needs=_NEEDS), measure) for name, path in zip(shown, paths, strict=True)]
    topics = list(tables[0])
    for name, table in zip(shown[1:], tables[1:], strict=True):
        others = [topic for topic in topics if topic not in table] or [topic for topic in table if topic not in tables[0]]
        if others:
            where = name if others[0] in tables[0] else shown[0]
            what = f"there is no score of topic '{others[0]}'" + (f", nor of {len(others) - 1} more" if len(others) > 1 else "")
            raise DataProblems([Problem(where, 0, what, "every file needs the same topics")])
    values = [[table[topic] for table in tables] for topic in topics]
    return ScoreMatrix(measure or "", topics, run_names(shown), values)


def _read(file: Beginning, measure: str | None) -> dict[str, float]:
    with file.stream() as stream:
        text = stream.read().decode("utf-8-sig", "replace")
    tabs = "\t" in text.partition("\n")[0]
    rows = [
        (place, row) for place, row in enumerate(csv.reader(text.splitlines(), delimiter="\t" if tabs else ","), 1) if any(row)
    ]
    if not rows:
        raise file.error(0, "the file is empty", _NEEDS)
    problems, scores = ProblemsOfFile(file.shown), dict[str, float]()
    for line, row in rows:
        if "\ufffd" in "".join(row):
            problems.add(line, *NOT_UTF8)
    problems.raise_any()
    column, headed = _column(file, rows[0][1], measure)
    for place, (line, row) in enumerate(rows[headed:], start=1):
        topic = row[0].strip() if column else str(place)
        number = number_of(row[column].strip()) if column < len(row) else None
        if number is None or not math.isfinite(number):
            cell = row[column] if column < len(row) else ""
            problems.add(line, say("'{cell}' is no score", cell=cell), "write a number for each topic")
        elif topic in scores:
            problems.add(line, say("topic '{topic}' comes twice", topic=topic), "write each topic once")
        else:
            scores[topic] = number
    problems.raise_any()
    return scores


def _column(file: Beginning, first: Sequence[str], measure: str | None) -> tuple[int, bool]:
    """Which column has the scores, and whether the first line is a header."""
    if len(first) == 1:
        return 0, number_of(first[0].strip()) is None
    headed = number_of(first[-1].strip()) is None
    names = [cell.strip() for cell in first]
    if headed and measure in names[1:]:
        return names.index(str(measure)), True
    if len(first) == 2:
        return 1, headed
    hint = say("name one of the columns: {--measures M}") if headed else "give the columns names, or leave two of them"
    raise file.error(1, say("{columns} columns of scores", columns=len(first) - 1), hint)
