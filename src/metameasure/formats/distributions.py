"""Distributions over classes in files and frames: long, wide, SemEval's, NTCIR's JSON, and labels to be counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.columns import Columns
from metameasure.formats.files import DAMAGED, File, damage, opened
from metameasure.formats.inspection import inspect
from metameasure.formats.problems import DataProblems, Problem

FORMATS = ("semeval", "ntcir-dq")
ONE_TOPIC = "all"


@dataclass(frozen=True)
class Cell:
    """What a source says of one class of one topic, as it stands there, and in which line. ``run`` where runs are stacked."""

    run: str | None
    topic: Any
    label: Any
    value: Any
    line: int


@dataclass(frozen=True)
class Source:
    """A file or frame of distributions. ``counted`` where each cell is one vote, to be added to others like it."""

    origin: str
    cells: list[Cell]
    counted: bool = False


@dataclass(frozen=True)
class DistributionOptions:
    """How distributions are read. ``labels`` are the declared classes, where they are."""

    columns: Columns
    format_in: str | None = None
    aspect: str | None = None
    labels: tuple[str, ...] = ()


def read_distributions(shown: str, path: Path, options: DistributionOptions, scratch: Path) -> Source:
    """The distributions in a file. DataProblems for a file that is none."""
    if options.format_in == "ntcir-dq" or (options.format_in is None and _is_json(path)):
        return _dialogue_quality(shown, path, options.aspect)
    file = inspect(shown, path, options.columns, scratch, headerless=_headerless(options))
    problems = [file.problem(record.line, record.fault, record.hint) for record in file.records() if record.fault]
    if problems:
        raise DataProblems(problems)
    return _of_records(shown, file.columns, ((record.line, record.values) for record in file.records()), options, file)


def is_label_file(shown: str, path: Path, options: DistributionOptions, scratch: Path) -> bool:
    """Whether a file holds a label per item, which classification would read."""
    if options.format_in == "ntcir-dq" or _is_json(path):
        return False
    file = inspect(shown, path, options.columns, scratch, headerless=_headerless(options))
    return shape(file.columns, options.columns) == "labels"


def read_distribution_frame(frame: Any, what: str, options: DistributionOptions) -> Source:
    """The distributions in a frame of any library that Narwhals knows."""
    try:
        known: Any = nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"{what} is {type(frame).__name__}, not a data frame",
            hint="pass a path, or a pandas, polars, pyarrow or DuckDB frame",
        ) from None
    if isinstance(known, nw.LazyFrame):
        fetched = known.to_native().fetchnumpy() if known.implementation.is_duckdb() else known.collect().to_dict(as_series=False)
        columns = {name: list(values) for name, values in fetched.items()}
    else:
        columns = {name: known[name].to_list() for name in known.columns}
    names = tuple(columns)
    rows = (dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return _of_records(what, names, ((0, row) for row in rows), options, None)


def shape(present: Sequence[str], columns: Columns) -> str:
    """Long, wide, or labels to be counted."""
    if columns.category in present and columns.probability in present:
        return "long"
    if columns.label in present and columns.topic in present and columns.category not in present:
        return "labels"
    return "labels" if columns.gold in present or {columns.item, columns.label} <= set(present) else "wide"


def _of_records(
    origin: str,
    present: Sequence[str],
    records: Iterator[tuple[int, dict[str, Any]]],
    options: DistributionOptions,
    file: File | None,
) -> Source:
    columns = options.columns
    found = shape(present, columns)
    if columns.category in present and columns.probability not in present:
        near = did_you_mean(columns.probability, present) or "choose with --probability-column"
        line = 1 if file is not None and file.header else 0
        raise DataProblems([Problem(origin, line, f"there is no column '{columns.probability}'", near)])

    def place(record: Mapping[str, Any]) -> tuple[str | None, Any]:
        run = str(record[columns.run]) if columns.run in present else None
        return run, record.get(columns.topic) if columns.topic in present else ONE_TOPIC

    cells: list[Cell] = []
    for line, record in records:
        where = place(record)
        match found:
            case "long":
                cells.append(Cell(*where, record.get(columns.category), record.get(columns.probability), line))
            case "labels":
                cells.append(Cell(*where, record.get(columns.label), 1, line))
            case _:
                classes = [name for name in present if name not in (columns.run, columns.topic)]
                cells += [Cell(*where, name, record.get(name), line) for name in classes]
    if not cells:
        raise DataProblems([Problem(origin, 0, "there are no rows", "it needs at least one topic")])
    return Source(origin, cells, counted=found == "labels")


def _headerless(options: DistributionOptions) -> Callable[[tuple[str, ...]], tuple[str, ...] | None]:
    """SemEval's files have no header: a topic and a probability for each class, in the order of the declared classes."""

    def columns_of(cells: tuple[str, ...]) -> tuple[str, ...] | None:
        numbers = len(cells) > 2 and all(_is_number(cell) for cell in cells[1:])
        named = options.columns.topic in cells or set(cells) <= set(options.labels)
        if options.format_in != "semeval" and (named or not numbers):
            return None
        if not options.labels:
            raise UsageError(
                f"a file without header has {len(cells) - 1} columns of probabilities, but no classes are declared",
                hint="name them in the order of the columns, as in --classes -2..2",
            )
        if len(cells) != len(options.labels) + 1:
            raise UsageError(
                f"a file without header has {len(cells)} columns for a topic and {len(options.labels)} classes",
                hint="it needs a topic and one probability per class, in the order of --classes",
            )
        return (options.columns.topic, *options.labels)

    return columns_of


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_json(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def _dialogue_quality(shown: str, path: Path, aspect: str | None) -> Source:
    """NTCIR's JSON: a list of dialogues with ``id`` and, in gold, ``annotations`` with one label per annotator and quality; in
    runs, ``quality`` with a distribution for each."""
    try:
        with opened(path, "gz" if path.read_bytes()[:2] == b"\x1f\x8b" else "") as stream:
            dialogues = json.loads(stream.read().decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DataProblems([Problem(shown, error.lineno, f"this is not JSON ({error.msg})", "write the file anew")]) from None
    except UnicodeDecodeError:
        raise DataProblems([Problem(shown, 0, "the file is not UTF-8", "save it as UTF-8")]) from None
    except DAMAGED as error:
        raise DataProblems([Problem(shown, 0, *damage(error))]) from None
    if not isinstance(dialogues, list) or not all(isinstance(one, dict) for one in dialogues) or not dialogues:
        raise DataProblems([Problem(shown, 0, "this is not a list of dialogues", "NTCIR's files are one JSON list of objects")])
    cells: list[Cell] = []
    counted = False
    problems = []
    for number, dialogue in enumerate(dialogues, start=1):
        name = dialogue.get("id", "")
        votes = [mark.get("quality") for mark in dialogue.get("annotations") or [] if isinstance(mark, dict)]
        qualities = votes or [dialogue.get("quality")]
        chosen = _aspect(shown, qualities[0], aspect)
        for quality in qualities:
            said = quality.get(chosen) if isinstance(quality, dict) else None
            if votes:
                counted = True
                cells.append(Cell(None, name, said, 1, 0))
            elif isinstance(said, dict):
                cells += [Cell(None, name, label, value, 0) for label, value in said.items()]
            else:
                problems.append(Problem(shown, 0, f"dialogue {number} ('{name}') has no quality '{chosen}'", "give it one"))
    if problems:
        raise DataProblems(problems)
    return Source(shown, cells, counted)


def _aspect(shown: str, quality: Any, asked: str | None) -> str:
    known = list(quality) if isinstance(quality, dict) else []
    if not known:
        raise DataProblems([Problem(shown, 0, "the first dialogue has no 'quality'", "is this a Dialogue Quality file?")])
    if asked is None and len(known) > 1:
        raise UsageError(f"there are several qualities, {', '.join(known)}", hint=f"choose one, as in --aspect {known[0]}")
    chosen = asked or known[0]
    if chosen not in known:
        raise UsageError(
            f"there is no quality '{chosen}' in '{shown}'", hint=did_you_mean(chosen, known) or f"it has {', '.join(known)}"
        )
    return chosen


def with_labels(options: DistributionOptions, labels: Sequence[str]) -> DistributionOptions:
    """The same, with these classes declared."""
    return replace(options, labels=tuple(labels))
