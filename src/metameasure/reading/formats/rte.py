"""The files of the RTE challenges. Gold is XML with a ``pair`` element for each pair: its ``id``, its ``task`` (IE, IR, QA, SUM)
and its label, which RTE-1 calls ``value`` (TRUE, FALSE) and RTE-2 to RTE-5 ``entailment`` (YES, NO; ENTAILMENT, UNKNOWN,
CONTRADICTION). Runs are lines of an id and a label, and in RTE-1 a confidence, below a line ``ranked: yes`` or ``ranked: no``: of
a ranked run the pairs stand in order, from the most certain entailment down.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np

from metameasure.core.messages import note, say
from metameasure.core.problems import DataProblems, Problem, ProblemsOfFile
from metameasure.core.values import number_of
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Rows, Source, text_array

_BLOCK = 1 << 18
_LOOKED_AT = 1 << 14
_FIRST_ELEMENT = re.compile(rb"<([A-Za-z_][\w.-]*)")
_ROOT = "entailment-corpus"
_LABELS = ("entailment", "value")
_RANKED = re.compile(r"\s*ranked\s*:\s*(yes|no)\s*$", re.IGNORECASE)


def parse_xml(beginning: Beginning, parser: Any) -> None:
    """Have a parser of expat's read a file, block by block. DataProblems where it is not XML."""
    try:
        with beginning.stream() as stream:
            while block := stream.read(_BLOCK):
                parser.Parse(block)
            parser.Parse(b"", True)  # noqa: FBT003 - positional in expat
    except DataProblems:
        raise
    except expat.ExpatError as error:
        what = say("this is not well-formed XML ({why})", why=expat.ErrorString(error.code))
        raise beginning.error(error.lineno, what, "close and escape what is open, or write it again") from None
    except (ValueError, LookupError) as error:
        raise beginning.error(1, say("an encoding that is not known ({error})", error=error), "save it as UTF-8") from None


def is_corpus(beginning: Beginning) -> bool:
    """Whether it is XML of pairs."""
    if not beginning.line.lstrip().startswith("<"):
        return False
    with beginning.stream() as stream:
        found = _FIRST_ELEMENT.search(stream.read(_LOOKED_AT))
    return found is not None and found[1].decode() in (_ROOT, "pair")


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return is_corpus(beginning) or _RANKED.match(beginning.line) is not None


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    return _gold(beginning, options) if beginning.line.lstrip().startswith("<") else _run(beginning, options)


class _Pairs:
    """The parser's handler, and what it has gathered. A document type may be named, as in RTE's own files; nothing outside is
    read, and entities cannot be defined."""

    def __init__(self, shown: str) -> None:
        self.shown, self.problems = shown, ProblemsOfFile(shown)
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.tasks: list[str | None] = []
        self.lines: list[int] = []
        self.attribute = ""
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EntityDeclHandler = self.refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "pair":
            return
        line = self.parser.CurrentLineNumber
        label = next((one for one in _LABELS if one in attributes), "")
        if not attributes.get("id"):
            self.problems.add(line, "a pair without id", "give it an attribute id")
        elif not label:
            self.problems.add(
                line,
                say("pair {item} has no label", item=attributes["id"]),
                "it needs an attribute entailment (in RTE-1: value)",
            )
        else:
            self.attribute = self.attribute or label
            self.ids.append(attributes["id"])
            self.labels.append(attributes[label].strip())
            self.tasks.append(attributes.get("task"))
            self.lines.append(line)

    def refuse(self, *declared: object) -> NoReturn:
        what = "the file defines an entity (<!ENTITY ...>)"
        raise DataProblems(
            [Problem(self.shown, self.parser.CurrentLineNumber, what, "remove the definition: RTE's files need none")]
        )


def _gold(beginning: Beginning, options: ReadOptions) -> Source:
    pairs = _Pairs(beginning.shown)
    parse_xml(beginning, pairs.parser)
    pairs.problems.raise_any()
    if not pairs.ids:
        raise beginning.error(0, "there are no pairs", "it needs pair elements with id and entailment (in RTE-1: value)")
    columns = options.columns
    values = {columns.item: text_array([*pairs.ids]), columns.label: text_array([*pairs.labels])}
    if any(pairs.tasks):
        values["task"] = text_array([*pairs.tasks])
    found = sorted({*pairs.labels})
    read = "{file}: labels are the attribute {attribute} ({labels})"
    said = note("reading", read, file=beginning.shown, attribute=pairs.attribute, labels=", ".join(found))
    return Rows(beginning.shown, values, lines=np.array(pairs.lines, np.int64), notes=(said,), format_name=FORMAT.name)


def _run(beginning: Beginning, options: ReadOptions) -> Source:
    problems = ProblemsOfFile(beginning.shown)
    ids: list[str] = []
    labels: list[str] = []
    numbers: list[float] = []
    lines: list[int] = []
    ranked = _RANKED.match(beginning.line)
    with beginning.stream() as stream:
        for line, raw in enumerate(stream, start=1):
            cells = raw.decode("utf-8", "replace").removeprefix("\ufeff").split()
            if not cells or (line == 1 and ranked):
                continue
            confidence = number_of(cells[2]) if len(cells) == 3 else None
            if len(cells) not in (2, 3):
                problems.add(
                    line,
                    say("{cells} cells", cells=len(cells)),
                    "a line of a run is an id, a label and perhaps a confidence",
                )
            elif len(cells) == 3 and confidence is None:
                problems.add(line, say("'{cell}' is no confidence", cell=cells[2]), "write a number, or leave it out")
            elif numbers and (confidence is None) != np.isnan(numbers[-1]):
                problems.add(line, "some lines have a confidence, and some have none", "give every line one, or none")
            else:
                ids.append(cells[0])
                labels.append(cells[1])
                numbers.append(np.nan if confidence is None else confidence)
                lines.append(line)
    problems.raise_any()
    if not ids:
        raise beginning.error(
            0, "there are no judgements", "write a line for each pair: its id, a label and perhaps a confidence"
        )
    columns = options.columns
    values: dict[str, Any] = {columns.item: text_array([*ids]), columns.label: text_array([*labels])}
    if not np.isnan(numbers[0]):
        values[columns.confidence] = np.array(numbers)
    if ranked and ranked[1].lower() == "yes":
        values[columns.score_rank] = np.arange(1.0, len(ids) + 1)
    return Rows(beginning.shown, values, lines=np.array(lines, np.int64), format_name=FORMAT.name)


FORMAT = Format("rte", "a file of the RTE challenges", ("entailment", "classification"), _recognises, _read, endings=(".xml",))
