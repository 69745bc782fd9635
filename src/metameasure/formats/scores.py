"""Score files: the long table that ``evaluate --scores`` writes, or one matrix for one measure from any other tool."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.columns import Columns
from metameasure.formats.files import File
from metameasure.formats.frames import fetch, local_frame
from metameasure.formats.inspection import inspect
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem

LONG = ("measure", "topic", "run", "score")


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of one measure, topics down and runs across; NaN where there is none. ``measure`` is empty where nothing says it."""

    measure: str
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    values: npt.NDArray[np.float64]


def frame_scores(frame: Any) -> list[ScoreMatrix]:
    """The matrices in a data frame with the columns measure, topic, run, score, as ``Scores.to_frame`` gives it."""
    columns = fetch(local_frame(frame, "scores"))
    if not {"run", "score"} <= columns.keys():
        raise UsageError(
            f"a data frame of scores has the columns {', '.join(LONG)}, not {', '.join(columns)}", hint="as .to_frame() gives it"
        )
    size = len(columns["score"])
    measures, topics = (
        list(map(str, columns.get(name, [default] * size))) for name, default in (("measure", ""), ("topic", "all"))
    )
    cells: dict[str, dict[tuple[str, str], float]] = {}
    for measure, topic, run, score in zip(measures, topics, map(str, columns["run"]), columns["score"], strict=True):
        of_measure = cells.setdefault(measure, {})
        value = _number(score)
        if value is None or (topic, run) in of_measure:
            what = "is no number" if value is None else "is there twice"
            raise UsageError(f"the score of run '{run}' on topic '{topic}' {what}", hint="give each one number")
        of_measure[topic, run] = value
    return [_assembled(measure, of_measure) for measure, of_measure in cells.items()]


def matrix_of(matrices: Sequence[ScoreMatrix], measure: str | None) -> ScoreMatrix:
    """The matrix of the measure, or the only one; UsageError where it is not clear which."""
    by_measure = {matrix.measure: matrix for matrix in matrices}
    if (len(matrices) == 1 and measure in (None, *by_measure)) or "" in by_measure:
        return matrices[0]
    if measure not in by_measure:
        what = f"there are no scores of '{measure}'" if measure else "there are scores of several measures"
        raise UsageError(what, hint=did_you_mean(measure or "", by_measure) or f"choose one of {', '.join(by_measure)}")
    return by_measure[measure]


def is_score_file(file: File) -> bool:
    """Whether a file is the long table of scores."""
    return {"run", "score"} <= set(file.columns)


def read_scores(shown: str, path: Path, scratch: Path, *, format_in: str | None = None) -> list[ScoreMatrix]:
    """The matrices in a file, one for each measure. DataProblems names every cell that is wrong."""
    if format_in == "discpower" or _is_bare(path):
        return [_bare_matrix(shown, path)]
    file = inspect(shown, path, Columns(item="topic", topic="measure", label="score"), scratch)
    return _long(file) if is_score_file(file) else [_matrix(file)]


def _is_bare(path: Path) -> bool:
    with path.open("rb") as stream:
        line = stream.readline().decode("utf-8", errors="replace")
    cells = line.split()
    return "," not in line and "\t" not in line and len(cells) > 1 and all(_number(cell) is not None for cell in cells)


def _number(cell: Any) -> float | None:
    """A number, infinite where a score is; NaN for an empty cell, None for what is neither."""
    if cell is None or str(cell).strip() in ("", "NaN", "nan", "NA", "null"):
        return math.nan
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return None
    return value if value == value else None  # noqa: PLR0124 - a NaN by another name


def _bare_matrix(shown: str, path: Path) -> ScoreMatrix:
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    rows = [(number, line.split()) for number, line in enumerate(lines, start=1) if line.strip()]
    problems = []
    if not rows:
        raise DataProblems([Problem(shown, 0, "the file is empty", "it needs one row per topic")])
    for number, cells in rows:
        if len(cells) != len(rows[0][1]):
            problems.append(
                Problem(shown, number, f"{len(cells)} scores instead of {len(rows[0][1])}", "give every topic a score per run")
            )
        problems += [
            Problem(shown, number, f"'{cell}' is not a number", "scores are numbers") for cell in cells if _number(cell) is None
        ]
    if problems:
        raise DataProblems(problems)
    values = np.array([[_number(cell) for cell in cells] for _, cells in rows], dtype=float)
    topics, runs = (tuple(str(place + 1) for place in range(size)) for size in values.shape)
    return ScoreMatrix("", topics, runs, values)


def _matrix(file: File) -> ScoreMatrix:
    """Topics down, their names in the first column; runs across."""
    key, *runs = file.columns
    if {"item", "gold", "label"} & set(file.columns):
        raise UsageError(
            f"'{file.shown}' holds labels, not scores",
            hint="score them first (evaluate --scores FILE), or declare their --classes",
        )
    if all(_number(name) is not None for name in file.columns):
        hint = "name the runs in the first line, or separate bare numbers by spaces"
        raise DataProblems([file.problem(1, "the first line has numbers where the runs' names should be", hint)])
    if not runs:
        raise DataProblems(
            [file.problem(1, "there is one column only", "topics down, a column for each run; or measure, topic, run, score")]
        )
    topics: list[str] = []
    seen: set[str] = set()
    rows: list[list[float]] = []
    problems: list[Problem] = []
    for line, record in _sound(file, problems):
        topics.append(str(record.get(key)))
        cells = [_number(record.get(run)) for run in runs]
        problems += [
            file.problem(line, f"'{record.get(run)}' is not a number", "scores are numbers")
            for run, cell in zip(runs, cells, strict=True)
            if cell is None
        ]
        if topics[-1] in seen:
            problems.append(file.problem(line, f"topic '{topics[-1]}' again", "keep one row per topic"))
        seen.add(topics[-1])
        rows.append([math.nan if cell is None else cell for cell in cells])
    _refuse(file, problems, empty=not rows)
    return ScoreMatrix("", tuple(topics), tuple(runs), np.array(rows))


def _sound(file: File, problems: list[Problem]) -> Iterator[tuple[int, dict[str, Any]]]:
    for record in file.records():
        if record.fault:
            problems.append(file.problem(record.line, record.fault, record.hint))
        elif any(isinstance(value, str) and "\ufffd" in value for value in record.values.values()):
            problems.append(file.problem(record.line, "bytes that are not UTF-8", "save the file as UTF-8"))
        else:
            yield record.line, record.values


def _long(file: File) -> list[ScoreMatrix]:
    cells: dict[str, dict[tuple[str, str], float]] = {}
    problems: list[Problem] = []
    for line, record in _sound(file, problems):
        measure, topic, run = (
            str(record.get(name, default)) for name, default in (("measure", ""), ("topic", "all"), ("run", ""))
        )
        value = _number(record.get("score"))
        if run in ("", "None") or topic in ("", "None"):
            problems.append(file.problem(line, "the row has no run or no topic", "give every score both"))
        of_measure = cells.setdefault(measure, {})
        if (topic, run) in of_measure:
            problems.append(file.problem(line, f"a second score of run '{run}' on topic '{topic}'", "keep one"))
        if value is None:
            problems.append(file.problem(line, f"'{record.get('score')}' is not a number", "scores are numbers"))
        of_measure[topic, run] = math.nan if value is None else value
    _refuse(file, problems, empty=not cells)
    return [_assembled(measure, of_measure) for measure, of_measure in cells.items()]


def _refuse(file: File, problems: list[Problem], *, empty: bool) -> None:
    if problems:
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    if empty:
        raise DataProblems([file.problem(0, "there are no scores", "it needs a row per topic, or per measure, topic and run")])


def _assembled(measure: str, cells: dict[tuple[str, str], float]) -> ScoreMatrix:
    topics = tuple(dict.fromkeys(topic for topic, _ in cells))
    runs = tuple(dict.fromkeys(run for _, run in cells))
    values = np.array([[cells.get((topic, run), math.nan) for run in runs] for topic in topics])
    return ScoreMatrix(measure, topics, runs, values)
