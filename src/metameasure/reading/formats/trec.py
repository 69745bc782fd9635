"""TREC's files: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag), split at white space.

As trec_eval does, documents are ordered by score (the rank column is not looked at). Files whose fields are separated by one
space or one tab throughout are read by the engine as they are; others are split in Python first.
"""

from __future__ import annotations

import io
import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import numpy as np

from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.problems import ProblemsOfFile
from metameasure.core.values import is_finite, number_of
from metameasure.reading.files import Beginning, File
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import NOT_UTF8, Rows, Source, text_array


@dataclass(frozen=True)
class _Shape:
    """What the fields of a line are: the roles of those that are read, names that nobody gives for the others; in words; and what
    the number among them is."""

    roles: tuple[str, ...]
    described: str
    what: str
    hint: str


_TAG = "  "
"""The field of a run that names it, which is read where that is asked for."""
_SHAPES = {
    "gold": _Shape(
        ("segment", "", "item", "score"),
        "topic, iteration, document and grade",
        "grade",
        "a grade is a number, 0 for irrelevant",
    ),
    "run": _Shape(
        ("segment", "", "item", " ", "score", _TAG),
        "topic, Q0, document, rank, score and tag",
        "score",
        "a score is a number, higher is better",
    ),
}
_WORDS = {"segment": "topic", "item": "document"}
_BLOCK = 1 << 24
_SPACE = ord(" ")  # white space is no greater


def _side_of(line: str) -> Side | None:
    """Which side's file has such a first line."""
    fields = _fields(line)
    if len(fields) >= 6 and fields[1].upper() == "Q0" and is_finite(fields[4]):
        return "run"
    if 4 <= len(fields) <= 5 and fields[1].upper() in ("0", "Q0") and fields[3].lstrip("-").isdigit():
        return "gold"
    return None


def _first_line(beginning: Beginning) -> str:
    """The first line that is no comment."""
    if not beginning.line.startswith("#"):
        return beginning.line
    return " ".join(next(_lines(beginning), (0, [""]))[1])


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    line = _first_line(beginning)
    is_matrix = options.task == "scores" and all(number_of(field) is not None for field in _fields(line))
    return beginning.format is None and _side_of(line) is not None and not is_matrix


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    actual_side = _side_of(_first_line(beginning))
    if actual_side is not None and actual_side != side:
        what, hint = {
            "run": ("this is a TREC run, not qrels", "gold comes first: metameasure evaluate QRELS RUN..."),
            "gold": ("these are TREC qrels, not a run", "a run's lines have six fields"),
        }[actual_side]
        raise beginning.error(1, what, hint)
    shape = _SHAPES[side]
    if options.name_by == "tag":
        shape = replace(shape, roles=tuple("run" if role == _TAG else role for role in shape.roles))
    return _regular(beginning, options, side, shape) or _split(beginning, options, side, shape)


def _regular(beginning: Beginning, options: ReadOptions, side: Side, shape: _Shape) -> File | None:
    """The file as a table without header, where one separator stands between any two fields of every line."""
    separator = "\t" if "\t" in beginning.line else " "
    with beginning.stream() as stream:
        if not _is_regular(stream, separator.encode(), len(shape.roles)):
            return None
    return File(
        beginning.path,
        beginning.shown,
        "tsv",
        beginning.compression,
        tuple(getattr(options.columns, role) if role.strip() else role for role in shape.roles),
        header=False,
        separator=separator,
        graded=side == "gold",
        words=_WORDS,
    )


def _is_regular(stream: IO[bytes], separator: bytes, fields: int) -> bool:
    """Whether there are just as many separators as that takes, each between two fields: any other space, empty line or comment
    would show."""
    other = b" " if separator == b"\t" else b"\t"
    separators = lines = 0
    last = b"\n"
    while block := stream.read(_BLOCK):
        seen = last + block
        codes = np.frombuffer(seen, np.uint8)
        white = codes <= _SPACE
        # The only white space that may stand beside other white space.
        returns = seen.count(b"\r\n") if b"\r" in seen else 0
        if np.count_nonzero(white[1:] & white[:-1]) != returns or seen.count(b"\r") != returns:
            return False
        if any(part in seen for part in (other, b"\v", b"\f")) or (b"#" in seen and b"\n#" in seen):
            return False
        # What is there millions of times, arrays count faster than bytes do.
        separators += int(np.count_nonzero(codes[1:] == ord(separator)))
        lines += int(np.count_nonzero(codes[1:] == ord("\n")))
        last = block[-1:]
    return last != separator and separators == (lines + (last != b"\n")) * (fields - 1)


def _split(beginning: Beginning, options: ReadOptions, side: Side, shape: _Shape) -> Rows:
    """The file split at white space, line by line. DataProblems with the lines that are wrong."""
    topics, documents, numbers, lines = list[str](), list[str](), array("d"), array("q")
    problems = ProblemsOfFile(beginning.shown)
    width, place = len(shape.roles), shape.roles.index("score")
    tags = list[str]()
    for line, fields in _lines(beginning):
        if len(fields) < width:
            problems.add(
                line,
                say("{fields} instead of {width}", fields=counted(len(fields), "field"), width=width),
                say("a line has {described}", described=shape.described),
            )
            continue
        number = number_of(fields[place])
        if number is None or not math.isfinite(number):
            problems.add(line, say("{what} '{field}' is not a finite number", what=shape.what, field=fields[place]), shape.hint)
        elif any("\ufffd" in field for field in fields):
            problems.add(line, *NOT_UTF8)
        else:
            topics.append(fields[0])
            documents.append(fields[2])
            tags.append(fields[width - 1])
            numbers.append(number)
            lines.append(line)
    problems.raise_any()
    if not topics:
        raise beginning.error(0, "the file is empty", say("each line has {described}", described=shape.described))
    columns = options.columns
    values = {columns.segment: text_array(topics), columns.item: text_array(documents), columns.score: np.array(numbers)}
    if "run" in shape.roles:
        values[columns.run] = text_array(tags)
    return Rows(beginning.shown, values, np.array(lines, np.int64), graded=side == "gold", words=_WORDS)


def _lines(beginning: Beginning) -> Iterator[tuple[int, list[str]]]:
    with beginning.stream() as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace") as lines:
        for number, line in enumerate(lines, start=1):
            fields = _fields(line)
            if fields and not fields[0].startswith("#"):
                yield number, fields


def _fields(line: str) -> list[str]:
    """Split as trec_eval splits: at ASCII's white space, which is where bytes are split."""
    return [field.decode() for field in line.encode().split()]


FORMAT = Format("trec", "a file of TREC", ("ranking",), _recognises, _read, endings=(".run", ".res", ".trec", ".qrel", ".qrels"))
