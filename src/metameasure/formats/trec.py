"""TREC's files: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag), split at white space.

As trec_eval does, documents are ordered by score (the rank column is not looked at), negative grades count as 0, and documents
that nobody judged count as judged irrelevant. Unlike trec_eval, which orders equal scores by document id, ties stay ties.
"""

from __future__ import annotations

import io
import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metameasure.formats.columns import Columns
from metameasure.formats.files import Record
from metameasure.formats.inspection import uncompressed
from metameasure.formats.problems import DataProblems, Gathered, Problem
from metameasure.formats.ranking_rows import Floats, GoldRows, Integers, Texts, texts

_SCORE_HINT = "a score is a number, higher is better"
_SHAPES = {"qrels": (4, "topic, iteration, document and grade"), "run": (6, "topic, Q0, document, rank, score and tag")}


@dataclass(frozen=True, eq=False)
class TrecRows:
    """Topic, document and number (grade or score) of each line."""

    topic: Texts
    document: Texts
    number: Floats
    lines: Integers
    shown: str

    def __len__(self) -> int:
        return len(self.number)

    def records(self) -> Iterator[Record]:
        """Each line as a record of a table of scores."""
        names = (Columns.segment, Columns.item, Columns.score)
        cells = zip(self.topic.tolist(), self.document.tolist(), self.number.tolist(), strict=True)
        for line, values in zip(self.lines.tolist(), cells, strict=True):
            yield Record(line, dict(zip(names, values, strict=True)))

    def as_gold(self) -> GoldRows:
        """Grades as human scores."""
        negative = int((self.number < 0).sum())
        note = (f"{self.shown}: {negative} negative grade(s) count as 0, as in trec_eval",) if negative else ()
        grades = np.maximum(self.number, 0.0)
        return GoldRows(
            self.topic, None, None, self.document, grades, "scores", np.empty((0, len(grades))), notes=note, graded=True
        )


def shape_of(line: str) -> str | None:
    """``run`` or ``qrels`` where a first line is that of such a file."""
    fields = line.split()
    if len(fields) == 6 and fields[1].upper() == "Q0" and _is_number(fields[4]):
        return "run"
    if len(fields) == 4 and fields[1].upper() in ("0", "Q0") and fields[3].lstrip("-").isdigit():
        return "qrels"
    return None


def read_trec(shown: str, path: Path, shape: str) -> TrecRows:
    """A file of either shape. DataProblems with the lines that are wrong."""
    wanted, described = _SHAPES[shape]
    topics, documents, numbers, seen = list[str](), list[str](), array("d"), set[tuple[str, str]]()
    lines = array("q")
    problems = Gathered(shown)
    for line, fields in _lines(shown, path):
        what, hint, number = "", "", math.nan
        if len(fields) != wanted:
            what, hint = f"{len(fields)} field(s) instead of {wanted}", f"a line has {described}"
        else:
            number = _number(fields[3] if shape == "qrels" else fields[4])
            if not math.isfinite(number):
                what, hint = _not_a_number(fields, shape)
            elif (fields[0], fields[2]) in seen:
                what, hint = f"document '{fields[2]}' of topic '{fields[0]}' again", "keep one line per topic and document"
            elif any("\ufffd" in field for field in fields):
                what, hint = "bytes that are not UTF-8", "save the file as UTF-8"
        if what:
            problems.add(line, what, hint)
            continue
        seen.add((fields[0], fields[2]))
        topics.append(fields[0])
        documents.append(fields[2])
        numbers.append(number)
        lines.append(line)
    problems.raise_any()
    if not topics:
        raise DataProblems([Problem(shown, 0, "the file is empty", f"each line has {described}")])
    return TrecRows(texts(topics), texts(documents), np.array(numbers), np.array(lines, np.int64), shown)


def _lines(shown: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    with uncompressed(shown, path) as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as lines:
        for number, line in enumerate(lines, start=1):
            fields = line.split()
            if fields:
                yield number, fields


def _not_a_number(fields: list[str], shape: str) -> tuple[str, str]:
    if shape == "qrels":
        return f"grade '{fields[3]}' is not a number", "a grade is a number, 0 for irrelevant"
    return f"score '{fields[4]}' is not a finite number", _SCORE_HINT


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _is_number(text: str) -> bool:
    return math.isfinite(_number(text))
