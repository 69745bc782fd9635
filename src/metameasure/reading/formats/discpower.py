"""Matrices of scores separated by white space, as Discpower and other tools read them: topics down and runs across, perhaps with
the runs' names above and the topics' names before them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.problems import ProblemsOfFile
from metameasure.core.values import number_of, repeated
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.formats.rte import FORMAT as RTE
from metameasure.reading.formats.trec import FORMAT as TREC
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import NOT_UTF8, Rows, Source, text_array

TOPIC = "topic"


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    """Several words without commas or tabs, that are neither JSON nor XML nor of TREC; numbers, in a file whose name says that it
    is another table."""
    words = beginning.line.split()
    if (
        options.task != "scores"
        or beginning.format not in (None, "csv", "tsv")
        or "," in beginning.line
        or "\t" in beginning.line
    ):
        return False
    numbers = all(number_of(word) is not None for word in words)
    other = beginning.line.lstrip()[:1] in ("{", "[", "<") or any(one.recognises(beginning, options) for one in (TREC, RTE))
    return len(words) > 1 and (numbers or (beginning.format is None and not other))


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    with beginning.stream() as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as text:
        rows = [(number, line.split()) for number, line in enumerate(text, start=1) if line.strip()]
    if not rows:
        raise beginning.error(0, "the file is empty", "it needs one row per topic")
    first, names = rows[0][0], list[str]()
    if not all(_is_cell(cell) for cell in rows[0][1]):
        names = rows.pop(0)[1]
    if not rows:
        raise beginning.error(0, "there are no scores", "it needs one row per topic")
    width = len(rows[0][1])
    named_topics = len(names) == width - 1 or not all(_is_cell(cells[0]) for _, cells in rows)
    problems = ProblemsOfFile(beginning.shown)
    _check_names(names, first, width - named_topics, problems, with_topics=named_topics)
    for number, cells in rows:
        _check_row(number, cells, width, problems, named=named_topics)
    problems.raise_any()
    topics = [cells[0] if named_topics else str(place) for place, (_, cells) in enumerate(rows, start=1)]
    runs = names[-(width - named_topics) :] if names else [str(place + 1) for place in range(width - named_topics)]
    values = {TOPIC: text_array(topics)}
    columns = zip(*(cells[named_topics:] for _, cells in rows), strict=True)
    values |= {run: text_array(list(column)) for run, column in zip(runs, columns, strict=True)}
    return Rows(beginning.shown, values, np.array([number for number, _ in rows], np.int64))


def _check_names(names: list[str], line: int, runs: int, problems: ProblemsOfFile, *, with_topics: bool) -> None:
    """The first line, where it has names: of all runs, and perhaps of the column of topics before them."""
    if names and len(names) - runs not in (0, 1 if with_topics else 0):
        problems.add(
            line,
            say("{names} for {columns} of scores", names=counted(len(names), "name"), columns=counted(runs, "column")),
            "name every run, or none",
        )
    if twice := repeated([TOPIC, *names[-runs:]]):
        problems.add(line, say("two columns are called '{twice}'", twice=twice[0]), "give each column a name of its own")
    _check_text(line, names, problems)


def _check_row(line: int, cells: list[str], width: int, problems: ProblemsOfFile, *, named: bool) -> None:
    if len(cells) != width:
        problems.add(
            line, say("{number} scores instead of {width}", number=len(cells), width=width), "give every topic a score per run"
        )
    for cell in cells[named:]:
        if not _is_cell(cell):
            problems.add(line, say("'{cell}' is not a number", cell=cell), "scores are numbers")
    _check_text(line, cells[:named], problems)


def _check_text(line: int, cells: list[str], problems: ProblemsOfFile) -> None:
    if any("\ufffd" in cell for cell in cells):
        problems.add(line, *NOT_UTF8)


def _is_cell(cell: str) -> bool:
    return number_of(cell) is not None or cell.lower() in ("na", "null")


FORMAT = Format("discpower", "a matrix of scores", ("scores",), _recognises, _read)
