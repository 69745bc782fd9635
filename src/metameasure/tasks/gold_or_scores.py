"""What a user passed: gold and runs, evidence, or scores. One rule, for every function and command that takes more than one of
them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import UsageError
from metameasure.core.messages import option, say
from metameasure.core.options import declared_in, with_keys
from metameasure.core.problems import DataProblems
from metameasure.evidence.base import Evidence, is_saved
from metameasure.reading.eval_sets import is_eval_folder
from metameasure.reading.files import look, table
from metameasure.reading.folders import holds_any
from metameasure.reading.formats import formats, holds_outcomes
from metameasure.reading.frames import column_names, is_frame, is_matrix, is_sequence
from metameasure.reading.inputs import expand, is_once, listed, open_source
from metameasure.reading.options import Columns, ReadOptions, gold_columns, named_columns
from metameasure.scores.scores import Scores
from metameasure.tasks.declaration import declaration, declarations, told

Kind = Literal["data", "evidence", "scores"]
_ANYWHERE = frozenset({"memory", "threads", "seed", "better"})
"""Options that say nothing about what the data are."""
_OF_LABELS = frozenset({"classes", "kind", "bins", "partitions", "matrices", "balance"})
"""Options that only labels have."""
_OF_SCORES_TOO = frozenset({*_ANYWHERE, "format_in"})


def what_is(data: Any, runs: Any = None, how: Mapping[str, Any] | None = None, task: str = "classification") -> Kind:
    """Evidence and scores go by their types, and whatever has runs beside it is data. A lone table, a file or a frame, is data if
    it has gold's column, or columns that only gold or a run has; otherwise it holds scores. ``how`` and ``task`` say how it is to
    be read, which decides where a table cannot be looked at first, as standard input."""
    if isinstance(data, Evidence) or is_saved(data):
        return "evidence"
    if are_scores(data):
        return "scores"
    if _is_there(runs) or task == "outcomes":
        return "data"
    if isinstance(data, str | Path) or is_frame(data):
        return _of_table(data, with_keys(declaration(task).options, how or {}), task)
    if not hasattr(data, "__len__"):
        raise UsageError(f"cannot read {type(data).__name__}", hint="pass gold and runs, mm.evaluate(...), or files of either")
    return "data"


def guessed_task(task: str, data: Any, runs: Any, how: Mapping[str, Any]) -> str:
    """The task that data are for: as it is said, or where nothing is said outcomes of a table of items with scores and without
    gold, or of what a harness has written, and probabilities of labels beside arrays with a row for each."""
    if task == "classification" and _are_probabilities(data, runs):
        return "probabilities"
    if task == "classification" and isinstance(data, str | Path) and Path(data).is_dir() and is_eval_folder(data):
        return "ranking"
    if task != "classification" or any(name in _OF_LABELS for name in told(how)) or how.get("run_columns"):
        return task
    if is_frame(data):
        return "outcomes" if _are_outcomes(column_names(data), how) else task
    paths = [one for one in (data, *(listed(runs) if not isinstance(runs, Mapping) else runs.values())) if one is not None]
    if not paths or not all(isinstance(one, str | Path) for one in paths) or is_once(paths):
        return task
    return "outcomes" if how.get("format_in") is None and _holds_outcomes(data, how) else task


def _are_probabilities(data: Any, runs: Any) -> bool:
    """Labels in a row, and arrays with a row of numbers for each."""
    if isinstance(data, str | Path) or is_frame(data) or not is_sequence(data) or is_matrix(data):
        return False
    if isinstance(runs, list | tuple) and len(runs) != len(data):  # several runs without names
        return False
    each = list(runs.values()) if isinstance(runs, Mapping) else [runs]
    return bool(each) and all(one is not None and not is_frame(one) and is_matrix(one) for one in each)


def _holds_outcomes(path: str | Path, how: Mapping[str, Any]) -> bool:
    """Whether a file is what a harness has written, or a table of scores of items. What is wrong with it is said elsewhere."""
    options = ReadOptions(task="outcomes", columns=named_columns(how.get("columns") or {}))
    if Path(path).is_dir():
        return holds_any(path, options)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        try:
            (shown, place), *_ = expand([path], Path(scratch))
            beginning = look(shown, place, whole=False)
            if holds_outcomes(beginning):
                return True
            return _are_outcomes(table(beginning, options, Path(scratch), whole=False).columns, how)
        except (UsageError, DataProblems):
            return False


def _are_outcomes(present: Sequence[str], how: Mapping[str, Any]) -> bool:
    """An item and a score, and nothing that only labels, rankings or distributions have."""
    columns, there = named_columns(how.get("columns") or {}), {*present}
    others = {columns.gold, columns.label, columns.segment, columns.rank, columns.category, columns.probability, columns.grade}
    return {columns.item, columns.score} <= there and not others & there


def are_scores(data: Any) -> bool:
    """Whether it holds scores, by its type: an evaluation or other scores, several of them, or several files."""
    if isinstance(data, Scores):
        return True
    if isinstance(data, Mapping):
        return bool(data) and all(are_scores(one) or isinstance(one, str | Path) for one in data.values())
    several = isinstance(data, list | tuple) and bool(data)
    return several and all(isinstance(one, Scores | Path) or _is_file(one) for one in data)


def _is_file(one: Any) -> bool:
    return isinstance(one, str) and Path(one).is_file()


def _is_there(runs: Any) -> bool:
    return runs is not None and not (isinstance(runs, Mapping | Sequence) and not len(runs))


def _of_table(data: Any, how: Mapping[str, Any], task: str) -> Kind:
    if how.get("run_columns"):
        return "data"
    if how.get("format_in") in formats():
        return "scores" if "scores" in formats()[how["format_in"]].tasks else "data"
    if is_frame(data):
        return _by_columns(column_names(data), how)
    if Path(data).is_dir() and (is_eval_folder(data) or holds_any(data, ReadOptions(task="outcomes"))):
        return "data"
    if is_once([data]) or how.get("engine") == "spark":
        return "data" if about_data(how, task) else "scores"
    columns = _columns_of_file(data)
    return "data" if columns is None else _by_columns(columns, how)


def _columns_of_file(file: Any) -> Sequence[str] | None:
    """None where it is of a format that holds no scores."""
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        (shown, path), *_ = expand([file], Path(scratch))
        try:
            return open_source(shown, path, ReadOptions(task="scores"), "gold", Path(scratch), whole=False).columns
        except DataProblems as error:
            if is_of_another_task(error):
                return None
            raise


def is_of_another_task(error: DataProblems) -> bool:
    """Whether a file could not be read because its format is of another task: the hint names ``--task``."""
    return "task" in getattr(error.problems[0].hint, "options", ())


def are_outcomes(data: Any, how: Mapping[str, Any], task: str) -> bool:
    """Whether scores are of items: by the task that is said, or that a table is for."""
    if task == "outcomes" or (isinstance(data, Evidence) and data.task == "outcomes"):
        return True
    table = is_frame(data) or (isinstance(data, str | Path) and not is_once([data]) and not is_saved(data))
    return table and guessed_task(task, data, None, how) == "outcomes"


def columns_of(data: Any, how: Mapping[str, Any]) -> Sequence[str] | None:
    """The columns of a table that can be looked at first, a file or a frame; None of anything else."""
    if is_frame(data):
        return column_names(data)
    lone = isinstance(data, str | Path) and not is_once([data]) and not is_saved(data) and how.get("engine") != "spark"
    return _columns_of_file(data) if lone else None


def scored_by(gold: Any, runs: Any, how: Mapping[str, Any], task: str) -> str:
    """The measure whose scores stand where gold should be, in a column of its name; empty where it may be gold."""
    said = [name for name in told(how) if name in _OF_LABELS]
    if task != "classification" or said or not _is_there(runs) or not isinstance(gold, str | Path):
        return ""
    try:
        present = columns_of(gold, how)
    except (UsageError, DataProblems):
        return ""
    if present is None or _by_columns(present, how) == "data":
        return ""
    return next((name for name in present if default_registry().find(name) is not None), "")


def _by_columns(present: Sequence[str], how: Mapping[str, Any]) -> Kind:
    names: Mapping[str, str] = how.get("columns") or {}
    return "data" if any(_are_of_data({*present}, one) for one in (named_columns(names), gold_columns(names))) else "scores"


def _are_of_data(present: set[str], columns: Columns) -> bool:
    """Gold's column; labels, without gold; items of segments; probabilities of classes; scores of items."""
    alone = (columns.gold, columns.label)
    item = columns.item
    together = ((columns.segment, item), (columns.category, columns.probability), (item, columns.score))
    return bool(present & {*alone}) or any(present >= {*both} for both in together)


def about_data(how: Mapping[str, Any], task: str = "classification") -> list[str]:
    """What is said of how data are to be read and scored: the names of the options."""
    said = [name for name in told(how) if name not in _ANYWHERE]
    return [*said, *(["task"] if task != "classification" else [])]


def check_only_scores(data: Any, how: Mapping[str, Any], task: str = "classification") -> None:
    """UsageError for an option that scores have no use for, since nothing is left to be scored."""
    keywords = with_keys(declaration(task).options, how)
    said = [name for name in about_data(keywords, task) if name not in _OF_SCORES_TOO]
    if not said:
        return
    name = said[0]
    knowing = [one for one in declarations().values() if one.knows(name)]
    if name not in ("task", "average", "distance", "skip_broken") and not knowing:
        declaration(task).options_of({name: keywords[name]})  # which says that there is none of that name
    known = declared_in(knowing[0].options).get(name) if knowing else None
    shown = option(name.replace("_", "-")) if known is None else known.flags(keywords[name])[0]
    holds = f"'{data}' holds scores" if isinstance(data, str | Path) else "these are scores"
    lone = ", or name the runs too" if isinstance(data, str | Path) or is_frame(data) else ""
    raise UsageError(say("{option} is for data to be scored, and {holds}", option=shown, holds=holds), hint=f"leave it out{lone}")
