"""jcml, the XML of RankEval and similar programs: ``judgedsentence`` elements with a ``tgt`` for each item. Ranks are attributes.

The file is read as a stream: text is skipped, and only what is needed is kept. Documents that declare a document type are
refused, and with them every way to define entities.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from metameasure.core.errors import did_you_mean
from metameasure.core.messages import note, say
from metameasure.core.notes import in_a_row
from metameasure.core.problems import DataProblems, Problem, ProblemsOfFile
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.formats.rte import is_corpus, parse_xml
from metameasure.reading.options import Columns, Holds, ReadOptions, Side
from metameasure.reading.ranks import HINTS, read
from metameasure.reading.sources import Rows, Source, text_array

_MOST_MEMORISED = 10_000
_CONTEXT = ("langsrc", "langtgt", "document_id")
_STANDARD = Columns()


@dataclass(frozen=True)
class _Attributes:
    """What the attributes are called: of ``judgedsentence`` the segment and the judge, of ``tgt`` the rest."""

    segment: tuple[str, ...]
    judge: str
    item: str
    gold: str
    runs: tuple[str, ...]

    @classmethod
    def of(cls, options: ReadOptions) -> _Attributes:
        """The user's names where given, and those of jcml otherwise."""
        columns = options.columns
        return cls(
            segment=("segment_id", "id") if columns.segment == _STANDARD.segment else (columns.segment,),
            judge="judge_id" if columns.judge == _STANDARD.judge else columns.judge,
            item="system" if columns.item == _STANDARD.item else columns.item,
            gold=columns.rank if columns.gold == _STANDARD.gold else columns.gold,
            runs=options.run_columns,
        )


class _Reader:
    """The parser's handlers, and what they have gathered."""

    def __init__(self, shown: str, options: ReadOptions) -> None:
        self.shown, self.names, self.missing = shown, _Attributes.of(options), options.missing
        self.gold_are: Holds = options.gold_are or "ranks"
        self.runs_are: Holds = options.runs_are or "ranks"
        self.problems = ProblemsOfFile(shown)
        self.segments: list[tuple[str, str, str]] = []  # context, segment, judge
        self.seen: dict[str, None] = {}
        self.codes: dict[str, int] = {}
        self.open = False
        self.ranking, self.item, self.lines = array("q"), array("q"), array("q")
        self.values = [array("d") for _ in (self.names.gold, *self.names.runs)]
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.handler()
        self.parser.EndElementHandler = self.end
        self.parser.StartDoctypeDeclHandler = self.refuse

    def problem(self, what: str, hint: str) -> None:
        self.problems.add(self.parser.CurrentLineNumber, what, hint)

    def refuse(self, *declared: object) -> NoReturn:
        what = "the file declares a document type (<!DOCTYPE ...>), by which it could define entities"
        raise DataProblems([Problem(self.shown, self.parser.CurrentLineNumber, what, "remove the declaration: jcml needs none")])

    def handler(self) -> Callable[[str, dict[str, str]], None]:
        """What is called at the start of each element: a function with all it needs at hand, for most of the time goes here."""
        parser, codes, item_name, segments = self.parser, self.codes, self.names.item, self.segments
        add_ranking, add_item, add_line = self.ranking.append, self.item.append, self.lines.append
        memo: dict[Holds, dict[str | None, float]] = {"ranks": {}, "scores": {}}
        holds: list[Holds] = [self.gold_are, *(self.runs_are for _ in self.names.runs)]
        columns = [
            (name, memo[kind].get, values.append, memo[kind], kind)
            for name, kind, values in zip((self.names.gold, *self.names.runs), holds, self.values, strict=True)
        ]
        width = 0

        def start(element: str, attributes: dict[str, str]) -> None:
            nonlocal width
            if element != "tgt":
                self.other(element, attributes)
                return
            if len(attributes) != width:
                self.seen.update(dict.fromkeys(attributes))
                width = len(attributes)
            item = attributes.get(item_name)
            if not item or not self.open:
                self.misplaced()
                width = 0
                return
            add_ranking(len(segments) - 1)
            add_item(codes.setdefault(item, len(codes)))
            add_line(parser.CurrentLineNumber)
            for name, known, add, memorised, kind in columns:
                cell = attributes.get(name)
                value = known(cell)
                if value is None:
                    value = self.number(name, item, cell, kind)
                    if cell is None:
                        width = 0  # the next one may have it: look again
                    elif len(memorised) < _MOST_MEMORISED and not self.problems.problems:
                        memorised[cell] = value
                add(value)

        return start

    def other(self, element: str, attributes: dict[str, str]) -> None:
        if element != "judgedsentence":
            return
        self.open = True
        segment = next((attributes[name] for name in self.names.segment if attributes.get(name)), "")
        if not segment:
            wanted = "' or '".join(self.names.segment)
            self.problem(
                say("the judgedsentence has no attribute '{wanted}'", wanted=wanted),
                say("give it one, or choose with {--segment-column}"),
            )
        context = "/".join(attributes[name] for name in _CONTEXT if name in attributes)
        self.segments.append((context, segment, attributes.get(self.names.judge, "")))

    def misplaced(self) -> None:
        if self.open:
            self.problem(
                say("the tgt has no attribute '{item}'", item=self.names.item),
                say("name its system, or choose with {--item-column}"),
            )
        else:
            self.problem("a tgt outside of any judgedsentence", "items belong to a segment")

    def end(self, element: str) -> None:
        if element == "judgedsentence":
            self.open = False

    def number(self, name: str, item: str, cell: str | None, holds: Holds) -> float:
        if cell is None and name != self.names.gold and self.missing is None:
            self.problem(
                say("the tgt of '{item}' has no attribute '{name}'", item=item, name=name),
                say("add it, or choose {--missing drop} or last"),
            )
        try:
            return read(cell, holds)
        except ValueError as error:
            self.problem(say("{name}: {error}", name=name, error=error.args[0]), HINTS[holds])
            return math.nan


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.line.lstrip().startswith("<") and not is_corpus(beginning)


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    """The rankings of a jcml file, with those of the runs that the options name. DataProblems with the lines that are wrong."""
    shown = beginning.shown
    if side == "run":
        hint = say("in jcml the runs stand beside gold: name that file alone, and {--run-columns}")
        raise beginning.error(0, "jcml as the file of a run", hint)
    reader = _Reader(shown, options)
    parse_xml(beginning, reader.parser)
    if unknown := _unknown(reader):
        raise DataProblems(unknown)
    reader.problems.raise_any()
    if not reader.item:
        raise beginning.error(0, "there are no rankings", "it needs judgedsentence elements with tgt elements")
    ranking = np.array(reader.ranking, np.int64)
    sources, judges, notes = _sources(reader.segments, shown)
    columns = options.columns
    free = [name for name in reader.seen if name not in (reader.names.item, reader.names.gold)]
    if free and not options.run_columns:
        notes.append(
            note(
                "reading",
                "{file}: attributes that could be runs are {names} ({--run-columns})",
                file=shown,
                names=in_a_row(free),
            )
        )
    values = {
        columns.segment: text_array(sources)[ranking],
        columns.judge: text_array(judges)[ranking],
        columns.ranking: ranking,
        columns.item: text_array(list(reader.codes))[np.array(reader.item, np.int64)],
        columns.gold: np.array(reader.values[0]),
    }
    beside = {name: np.array(column) for name, column in zip(reader.names.runs, reader.values[1:], strict=True)}
    return Rows(
        shown,
        values | beside,
        lines=np.array(reader.lines, np.int64),
        partial=not beside,
        notes=tuple(notes),
    )


def _unknown(reader: _Reader) -> list[Problem]:
    """Attributes that no tgt has."""
    hint = say("the attributes are {seen}", seen=", ".join(reader.seen))
    return [
        Problem(reader.shown, 0, say("no tgt has an attribute '{name}'", name=name), did_you_mean(name, reader.seen) or hint)
        for name in (reader.names.item, reader.names.gold, *reader.names.runs)
        if reader.seen and name not in reader.seen
    ]


def _sources(segments: Sequence[tuple[str, str, str]], shown: str) -> tuple[list[str], list[str | None], list[str]]:
    """Source segments and judges. Where two documents have a segment of the same name, the document is part of the name."""
    contexts: dict[str, str] = {}
    ambiguous = any(contexts.setdefault(segment, context) != context for context, segment, _ in segments)
    names = [f"{context}/{segment}" if ambiguous else segment for context, segment, _ in segments]
    note = f"{shown}: segments are called DOCUMENT/SEGMENT, because documents have segments of the same name"
    return names, [judge or None for *_, judge in segments], [note] if ambiguous else []


FORMAT = Format("jcml", "jcml, the XML of RankEval", ("ranking",), _recognises, _read, sides=("gold",), endings=(".jcml", ".xml"))
