"""Scores in files and frames: the long table that ``evaluate --scores`` writes, or a matrix for one measure from another tool."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.foreign import better_of, known_or_foreign, registry_for
from metameasure.catalogue.outcomes.mean import measure_of_data
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, ProblemsOfFile
from metameasure.core.values import is_empty, number_of
from metameasure.evidence.outcome_reader import OutcomeReader
from metameasure.reading.engine import Engine, Picked, fetch, reading
from metameasure.reading.files import look
from metameasure.reading.formats import format_names, holds_outcomes
from metameasure.reading.frames import frame_source
from metameasure.reading.inputs import Runs, expand, open_source
from metameasure.reading.joining import Names, Places, code_of, filled
from metameasure.reading.key_faults import Faults, located, together
from metameasure.reading.options import ReadOptions
from metameasure.reading.sources import Source
from metameasure.scores.run_names import MARK
from metameasure.scores.scores import ScoreMatrix, Scores, scores_as_read

LONG = ("measure", "topic", "run", "score")
_TASK = "task"
_UNDEFINED = ("nan", "na", "null")
_MARKED, _UNMARKED = ("true", "1", "yes"), ("false", "0", "no")
# A first column of one of these names, or of none, holds the names of topics.
_TOPIC_NAMES = frozenset({"", "topic", "topics", "item", "segment", "query", "qid", "id", "question", "case", "seg", "index"})


def read_scores(file: str | Path, *, format_in: str | None = None) -> Scores:
    """The scores in a file. ``compare``, ``design`` and all of ``meta`` take them.

    Parameters
    ----------
    file : path
        What ``Scores.save`` and ``evaluate --scores`` write, any table with the columns measure, topic, run, score, or a
        matrix of another tool with topics down and runs across.
    format_in : str, optional
        The format, if it is not recognised.

    Returns
    -------
    Scores
        Iterating gives the scores by each measure.

    Raises
    ------
    DataError
        If a cell is wrong; the message says in which line.

    Notes
    -----
    Files of ``evaluate --scores``, matrices of topics by runs, and files of other programs are told apart by their columns
    (docs/formats.md).

    Examples
    --------
    >>> import metameasure as mm, tempfile
    >>> scores = mm.evaluate([1, 2, 2], {"a": [1, 2, 1]}, classes=[1, 2], measures="accuracy,mae")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scores.save(f"{folder}/scores.csv")
    ...     [one.measure for one in mm.read_scores(f"{folder}/scores.csv")]
    ['accuracy', 'mae']

    """
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        (shown, path), *more = expand([file], Path(scratch))
        if more:
            raise UsageError(f"'{file}' matches {len(more) + 1} files", hint="name one file of scores")
        return scores_in(shown, path, Path(scratch), format_in=format_in)


def scores_in(shown: str, path: Path, scratch: Path, *, format_in: str | None = None) -> Scores:
    """The scores in a file that is at hand. DataProblems names every cell that is wrong."""
    if format_in in format_names("outcomes") or (format_in is None and holds_outcomes(look(shown, path))):
        return _of_items(open_source(shown, path, ReadOptions(task="outcomes", format_in=format_in), "run", scratch))
    return _in_table(open_source(shown, path, ReadOptions(task="scores", format_in=format_in), "gold", scratch))


def frame_scores(frame: Any) -> Scores:
    """The scores in a data frame, as ``Scores.to_frame`` gives it, or a matrix."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        return _in_table(frame_source(frame, "scores", Path(scratch)))


def _in_table(source: Source) -> Scores:
    return _long(source) if {"run", "score"} <= set(source.columns) else _matrix(source)


def _of_items(source: Source) -> Scores:
    """Outcomes, every item of which stands for a topic."""
    found = OutcomeReader(ReadOptions(task="outcomes")).of_runs(Runs((source,), ("run",))).whole()
    topics = tuple(found.items) if len(found.topics) == 1 else tuple(f"{topic}/{item}" for topic, item in found.item_keys())
    measures = [
        measure_of_data(one.name, better_of(one.name, one.better, default_registry()), one.range) for one in found.measures
    ]
    values = np.stack([found.item_scores(row).T for row in range(len(measures))])
    return scores_as_read(measures, topics, found.runs, values, None, None)


def _long(source: Source) -> Scores:
    """Measure, topic, run, score; the first two may be absent. A column ``baseline`` marks the rows of baselines."""
    present = source.columns
    if {"item", "score"} <= {*present} and MARK not in present:
        return _of_items(source)
    wanted = {role: (role if role in present else None, "text") for role in (*LONG[:3], MARK, _TASK)}
    engine = Engine(ordered=True)
    picked = Picked(source, {**wanted, "score": ("score", "number"), "written": ("score", "text")})  # type: ignore[dict-item]
    with reading([source]):
        rows = engine.here(engine.scan([picked]).drop("source")).with_columns(
            nw.coalesce(nw.col("measure"), nw.lit("")).alias("measure"),
            *([] if "topic" in present else [nw.lit("all").alias("topic")]),
        )
        rows = engine.kept(rows)
        names = Names(engine, {role: engine.as_they_come(rows, role) for role in LONG[:3]})
        tasks = engine.as_they_come(rows, _TASK) if _TASK in present else ()
        if not names.of["measure"]:
            raise source.error(0, "there are no scores", "it needs a row per measure, topic and run")
        known = nw.col("written").str.to_lowercase().is_in(_UNDEFINED)
        mark = nw.coalesce(nw.col(MARK).str.to_lowercase(), nw.lit(_UNMARKED[0]))
        columns = fetch(
            names.coded(rows).select(
                *map(code_of, names.of),
                "score",
                (nw.col("score").is_nan() & ~known).alias("wrong"),
                mark.is_in(_MARKED).alias("marked"),
                mark.is_in(_UNMARKED).alias("unmarked"),
            )
        )
    named = {role: list(texts) for role, texts in names.of.items()}
    shape = tuple(map(len, named.values()))
    codes = [filled(columns[code_of(role)]) for role in named]
    wrong = np.asarray(np.ma.filled(columns["wrong"], False), bool)  # noqa: FBT003
    nameless = np.any([code < 0 for code in codes], axis=0)
    marked, unmarked = (np.asarray(columns[name], bool) for name in ("marked", "unmarked"))
    both = set(codes[2][marked & ~nameless].tolist()) & set(codes[2][unmarked & ~nameless].tolist())
    cell = np.ravel_multi_index(tuple(np.where(nameless, 0, code) for code in codes), shape)
    places = Places.of_side(np.where(nameless, -1, cell), math.prod(shape))
    times = places.times.reshape(shape)
    if nameless.any() or wrong.any() or len(places.again()) or both or not (marked | unmarked).all():
        again = np.argwhere(times > 1)
        raise DataProblems(*_problems(source, int(nameless.sum()), int(wrong.sum()), [
            tuple(named[role][place] for role, place in zip(named, key, strict=True)) for key in again[:MOST_SHOWN].tolist()
        ], len(again), int((~(marked | unmarked)).sum()), {named["run"][place] for place in both}))  # fmt: skip
    values = np.full(math.prod(shape), np.nan)
    values[cell] = np.asarray(columns["score"], float)
    baselines = frozenset(named["run"][place] for place in set(codes[2][marked].tolist())) if MARK in present else None
    registry = registry_for(named["measure"], tasks, default_registry())
    measures = [known_or_foreign(id, registry) for id in named["measure"]]
    there = None if times.all() else times > 0
    return scores_as_read(measures, tuple(named["topic"]), tuple(named["run"]), values.reshape(shape), baselines, there)


def _problems(
    source: Source, nameless: int, wrong: int, again: list[tuple[str, ...]], repeated: int, odd: int, both: set[str]
) -> Faults:
    """``odd`` marks are neither true nor false; the runs of ``both`` have marks of both kinds."""
    wanted, seen, first_marks = set(again), set[tuple[str, ...]](), dict[str, str]()
    twice = "a second score of run '{run}' on topic '{topic}'"

    def no_name(record: Mapping[str, Any], line: int) -> str | None:
        lacking = any(is_empty(record.get(role)) for role in ("topic", "run") if role in source.columns)
        return "the row has no run or no topic" if lacking else None

    def no_number(record: Mapping[str, Any], line: int) -> str | None:
        return None if _number(record.get("score")) is not None else say("'{cell}' is not a number", cell=record.get("score"))

    def second(record: Mapping[str, Any], line: int) -> str | None:
        key = tuple(str(record.get(role, default)) for role, default in (("measure", ""), ("topic", "all"), ("run", "")))
        if key not in wanted or key not in seen:
            seen.add(key)
            return None
        return say(twice, run=key[2], topic=key[1])

    def no_mark(record: Mapping[str, Any], line: int) -> str | None:
        mark = _mark(record)
        return (
            None
            if mark in (*_MARKED, *_UNMARKED)
            else say("'{cell}' in the column '{column}' is neither true nor false", cell=record.get(MARK), column=MARK)
        )

    def other_mark(record: Mapping[str, Any], line: int) -> str | None:
        run, mark = str(record.get("run")), str(_mark(record) in _MARKED)
        if run not in both or first_marks.setdefault(run, mark) == mark:
            return None
        both.discard(run)
        return _two_marks(run)

    of_both = sorted(both)
    said: list[str] = [say(twice, run=run, topic=topic) for _, topic, run in again]
    kinds: tuple[tuple[int, Callable[[Mapping[str, Any], int], str | None], str, list[str]], ...] = (
        (nameless, no_name, "give every score both", ["a row has no run or topic"]),
        (wrong, no_number, "scores are numbers", ["a score is not a number"]),
        (repeated, second, "keep one", said),
        (odd, no_mark, f"a baseline's rows say true; rename '{MARK}' if it holds something else", ["a mark is not known"]),
        (len(of_both), other_mark, "mark all rows of a baseline, and no other", [_two_marks(run) for run in of_both]),
    )
    return together(*(located(source, reason, None, total, hint, words) for total, reason, hint, words in kinds if total))


def _mark(record: Mapping[str, Any]) -> str:
    cell = record.get(MARK)
    return _UNMARKED[0] if is_empty(cell) else str(cell).lower()


def _two_marks(run: str) -> str:
    return say("run '{run}' is a baseline in some rows and none in others", run=run)


def _number(cell: Any) -> float | None:
    """A number, infinite where a score is; NaN for an empty cell, None for what is neither."""
    if is_empty(cell) or (isinstance(cell, str) and cell.strip().lower() in _UNDEFINED):
        return math.nan
    return number_of(cell)


def _matrix(source: Source) -> Scores:
    """Topics down, runs across. The first column holds the topics' names, unless it can only be a run."""
    columns = source.columns
    if {"item", "gold", "label"} & set(columns):
        raise UsageError(
            f"'{source.shown}' holds labels, not scores",
            hint=say("score them first ({evaluate --scores FILE}); compare, advise and report take labels too, with {--classes}"),
        )
    if all(_number(name) is not None for name in columns):
        hint = "name the runs in the first line, or separate bare numbers by spaces"
        raise source.error(1, "the first line has numbers where the runs' names should be", hint)
    problems = ProblemsOfFile(source.shown)
    records = [(record.line, record.values) for record in source.sound(problems)]
    first = [values.get(columns[0]) for _, values in records]
    runs = list(columns[1:] if _are_topics(columns[0], first) else columns)
    if not runs:
        hint = "topics down, a column for each run; or measure, topic, run, score"
        raise source.error(1, "there is one column only", hint)
    topics = list(map(str, first)) if len(runs) < len(columns) else [str(place + 1) for place in range(len(records))]
    rows: list[list[float]] = []
    times = Counter[str]()
    for topic, (line, values) in zip(topics, records, strict=True):
        cells = [_number(values.get(run)) for run in runs]
        for run, cell in zip(runs, cells, strict=True):
            if cell is None:
                problems.add(line, say("'{cell}' is not a number", cell=values.get(run)), "scores are numbers")
        times[topic] += 1
        if times[topic] > 1:
            problems.add(line, say("topic '{topic}' again", topic=topic), "keep one row per topic")
        rows.append([math.nan if cell is None else cell for cell in cells])
    problems.raise_any()
    if not rows:
        raise source.error(0, "there are no scores", "it needs a row per topic")
    return ScoreMatrix("", topics, runs, rows)


def _are_topics(name: str, cells: Sequence[Any]) -> bool:
    """Whether a first column names topics: by its own name, or because its cells are words, or whole numbers that all differ."""
    if name.strip().lower() in _TOPIC_NAMES:
        return True
    numbers = [_number(cell) for cell in cells]
    if any(number is None for number in numbers):
        return True
    whole = [number for number in numbers if number is not None and number == number and number.is_integer()]  # noqa: PLR0124
    return len(whole) == len(numbers) == len(set(whole)) and len(whole) > 1
