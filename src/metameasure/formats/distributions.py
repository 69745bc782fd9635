"""Distributions over classes in files and frames: long, wide, SemEval's, NTCIR's JSON, and labels to be counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.columns import Columns
from metameasure.formats.files import File
from metameasure.formats.frames import fetch, known_frame, local_frame
from metameasure.formats.inspection import inspect, uncompressed
from metameasure.formats.problems import DataProblems, Gathered, Problem
from metameasure.scale import Scale, is_missing

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

    def by_run(self) -> dict[str | None, list[Cell]]:
        """The cells of each run, in the order in which the runs appear."""
        found: dict[str | None, list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(cell.run, []).append(cell)
        return found


@dataclass(frozen=True)
class DistributionOptions:
    """How distributions are read. ``labels`` are the declared classes, where they are."""

    columns: Columns
    format_in: str | None = None
    aspect: str | None = None
    labels: tuple[str, ...] = ()


def read_distributions(shown: str, path: Path, options: DistributionOptions, scratch: Path) -> Source:
    """The distributions in a file. DataProblems for a file that is none."""
    if options.format_in == "ntcir-dq" or (options.format_in is None and is_json(path)):
        return _dialogue_quality(shown, path, options.aspect)
    file = inspect(shown, path, options.columns, scratch, headerless=_headerless(options))
    from metameasure.formats.queries import malformed  # noqa: PLC0415 - the engine, once there is a file to look at

    problems, total = malformed([file])
    problems = problems or _header_problems(file, options)
    if problems:
        raise DataProblems(problems, total)
    return _of_records(shown, file.columns, ((record.line, record.values) for record in file.records()), options)


def _header_problems(file: File, options: DistributionOptions) -> list[Problem]:
    """Columns that are missing or that are no class, each said once."""
    columns, present = options.columns, file.columns
    line = 1 if file.header else 0
    found = shape(present, columns)
    if len(present) == 1 and any(separator in present[0] for separator in ";|"):
        separator = ";" if ";" in present[0] else "|"
        return [file.problem(line, f"the separator seems to be '{separator}'", "use commas, or tabs in a .tsv file")]
    for role, other, option in (("category", "probability", "class"), ("probability", "category", "probability")):
        name = getattr(columns, role)
        if getattr(columns, other) in present and name not in present:
            hint = did_you_mean(name, present) or f"its columns are {', '.join(present)}: choose with --{option}-column"
            return [file.problem(line, f"there is no column '{name}'", hint)]
    if found != "wide" or not options.labels:
        return []
    known = Scale(options.labels)
    others = [name for name in present if name not in (columns.topic, columns.run) and known.find(name) is None]
    if columns.topic not in present and len(others) == 1:
        return [file.problem(line, f"there is no column '{columns.topic}'", f"choose with --topic-column '{others[0]}'")]
    near = f"the classes are {known}"
    return [
        file.problem(line, f"'{name}' is not one of the classes", did_you_mean(name, options.labels) or near) for name in others
    ]


def is_label_file(shown: str, path: Path, options: DistributionOptions, scratch: Path) -> bool:
    """Whether a file holds a label per item, which classification would read."""
    if options.format_in == "ntcir-dq" or is_json(path):
        return False
    file = inspect(shown, path, options.columns, scratch, headerless=_headerless(options))
    return shape(file.columns, options.columns) == "labels"


def is_label_frame(frame: Any, what: str, options: DistributionOptions) -> bool:
    """The same of a frame."""
    return shape(tuple(known_frame(frame, what).collect_schema().names()), options.columns) == "labels"


def read_distribution_frame(frame: Any, what: str, options: DistributionOptions) -> Source:
    """The distributions in a frame of any library that Narwhals knows."""
    columns = fetch(local_frame(frame, what))
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    return _of_records(what, tuple(columns), ((0, row) for row in rows), options)


def is_empty(value: Any) -> bool:
    """Whether a cell says nothing."""
    return is_missing(value) or value == ""


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
) -> Source:
    columns = options.columns
    found = shape(present, columns)

    def place(record: Mapping[str, Any]) -> tuple[str | None, Any]:
        said = record.get(columns.run)
        run = ("" if is_empty(said) else str(said)) if columns.run in present else None
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
    """SemEval's files have no header: a topic and a probability for each class, in the order of the declared classes.

    Nothing for a line that names columns; None for one that may be something else, such as a label.
    """

    def columns_of(cells: tuple[str, ...]) -> tuple[str, ...] | None:
        numbers = len(cells) > 2 and all(_is_number(cell) for cell in cells[1:])
        known = options.columns.names() & set(cells)
        if options.format_in != "semeval" and (known or {*cells[1:]} <= {*options.labels}):
            return ()
        if options.format_in != "semeval" and not numbers:
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


def is_json(path: Path) -> bool:
    """Whether a file is one JSON value, not a table."""
    with path.open("rb") as stream:
        return stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[" or path.suffix.lower() == ".json"


def _dialogue_quality(shown: str, path: Path, aspect: str | None) -> Source:
    """NTCIR's JSON: a list of dialogues with ``id`` and, in gold, ``annotations`` with one label per annotator and quality; in
    runs, ``quality`` with a distribution for each."""
    dialogues = _json(shown, path)
    if not isinstance(dialogues, list) or not all(isinstance(one, dict) for one in dialogues) or not dialogues:
        raise DataProblems([Problem(shown, 0, "this is not a list of dialogues", "NTCIR's files are one JSON list of objects")])
    cells: list[Cell] = []
    problems = Gathered(shown)
    seen: set[str] = set()
    counted = False
    for number, dialogue in enumerate(dialogues, start=1):
        name = str(dialogue.get("id", ""))
        who = f"dialogue {number} ('{name}')"
        if name in seen:
            problems.add(0, f"{who} is there twice", "keep one")
        seen.add(name)
        votes = dialogue.get("annotations") or []
        if not isinstance(votes, list) or not all(isinstance(vote, dict) for vote in votes):
            problems.add(0, f"the annotations of {who} are not a list of objects", "see NTCIR's format")
            continue
        qualities = [vote.get("quality") for vote in votes] or [dialogue.get("quality")]
        counted = counted or bool(votes)
        for quality in qualities:
            said = quality.get(_aspect(shown, quality, aspect)) if isinstance(quality, dict) and quality else None
            if votes and said is not None and not isinstance(said, dict):
                cells.append(Cell(None, name, said, 1, 0))
            elif not votes and isinstance(said, dict):
                cells += [Cell(None, name, label, value, 0) for label, value in said.items()]
            else:
                problems.add(0, f"{who} lacks a quality", "give it one, from every annotator")
    problems.raise_any()
    return Source(shown, cells, counted)


def _json(shown: str, path: Path) -> Any:
    try:
        with uncompressed(shown, path) as stream:
            return json.loads(stream.read().decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise DataProblems([Problem(shown, error.lineno, f"this is not JSON ({error.msg})", "write the file anew")]) from None
    except RecursionError:
        raise DataProblems([Problem(shown, 0, "the JSON is nested too deeply", "write the file anew")]) from None
    except UnicodeDecodeError:
        raise DataProblems([Problem(shown, 0, "the file is not UTF-8", "save it as UTF-8")]) from None


def _aspect(shown: str, quality: dict[str, Any], asked: str | None) -> str:
    known = list(quality)
    if asked is None and len(known) > 1:
        raise UsageError(f"there are several qualities, {', '.join(known)}", hint=f"choose one, as in --aspect {known[0]}")
    chosen = asked or known[0]
    if chosen not in known:
        hint = did_you_mean(chosen, known) or f"it has {', '.join(known)}"
        raise UsageError(f"there is no quality '{chosen}' in '{shown}'", hint=hint)
    return chosen
