"""Matrices of scores separated by white space, as Discpower and other tools read them: topics down and runs across, perhaps with
the runs' names above and the topics' names before them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from metameasure.formats.field import Format
from metameasure.formats.inspection import Beginning, uncompressed
from metameasure.formats.options import ReadOptions, Side
from metameasure.formats.problems import DataProblems, Gathered
from metameasure.formats.sources import Rows, Source, text_array
from metameasure.values import number_of

TOPIC = "topic"


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    """Several words without commas or tabs; numbers, in a file whose name says that it is another table."""
    words = beginning.line.split()
    if (
        options.task != "scores"
        or beginning.format not in (None, "csv", "tsv")
        or "," in beginning.line
        or "\t" in beginning.line
    ):
        return False
    return len(words) > 1 and (beginning.format is None or all(number_of(word) is not None for word in words))


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    with uncompressed(beginning.shown, beginning.path) as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as text:
        rows = [(number, line.split()) for number, line in enumerate(text, start=1) if line.strip()]
    if not rows:
        raise DataProblems([beginning.problem(0, "the file is empty", "it needs one row per topic")])
    names: list[str] = []
    if not all(_is_cell(cell) for cell in rows[0][1]):
        names = rows.pop(0)[1]
    width = len(rows[0][1]) if rows else 0
    named_topics = bool(rows) and (len(names) == width - 1 or not all(_is_cell(cells[0]) for _, cells in rows))
    problems = Gathered(beginning.shown)
    for number, cells in rows:
        if len(cells) != width:
            problems.add(number, f"{len(cells)} scores instead of {width}", "give every topic a score per run")
        for cell in cells[named_topics:]:
            if not _is_cell(cell):
                problems.add(number, f"'{cell}' is not a number", "scores are numbers")
    problems.raise_any()
    topics = [cells[0] if named_topics else str(place) for place, (_, cells) in enumerate(rows, start=1)]
    runs = names[-(width - named_topics) :] if names else [str(place + 1) for place in range(width - named_topics)]
    values = {TOPIC: text_array(topics)}
    columns = zip(*(cells[named_topics:] for _, cells in rows), strict=True)
    values |= {run: text_array(list(column)) for run, column in zip(runs, columns, strict=True)}
    return Rows(beginning.shown, values, np.array([number for number, _ in rows], np.int64))


def _is_cell(cell: str) -> bool:
    return number_of(cell) is not None or cell.lower() in ("na", "null")


FORMAT = Format("discpower", "a matrix of scores", ("scores",), _recognises, _read)
