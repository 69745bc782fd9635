"""Which columns of gold and runs hold ranks or scores, and what may be said of reading them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Message, note, say
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.values import Kind, repeated
from metameasure.reading.engine import Picked
from metameasure.reading.eval_sets import AS_AT_WMT, Selection
from metameasure.reading.formats import format_names
from metameasure.reading.inputs import missing_columns
from metameasure.reading.joining import check_run_columns
from metameasure.reading.key_faults import NONE, Faults, located
from metameasure.reading.options import Columns, Holds, ReadOptions
from metameasure.reading.ranks import HINTS, read
from metameasure.reading.sources import Source

_STANDARD = Columns()


@dataclass(frozen=True)
class RankingOptions(ReadOptions):
    """How rankings are read.

    Scores nearer than ``tie_epsilon`` (gold's: ``gold_tie_epsilon``) tie. ``missing`` is what becomes of items of gold that a run
    lacks: left out (``drop``) or behind all others, tied (``last``); by default an error. ``extra`` is what becomes of items that
    gold lacks: ``error`` or ``ignore``; by default an error, but not where gold is of WMT, whose judges see a few systems each.
    ``compat`` is the program whose reading is wanted; TREC's files are read as trec_eval does unless it is ``none``.
    ``of_folder`` is what is read of a folder of mt-metrics-eval.
    """

    task: str = "ranking"
    tie_epsilon: float = 0.0
    gold_tie_epsilon: float = 0.0
    extra: str | None = None
    compat: str | None = None
    of_folder: Selection = AS_AT_WMT

    def __post_init__(self) -> None:
        known = format_names("ranking")
        if self.format_in is not None and self.format_in not in known:
            raise UsageError(f"there is no format '{self.format_in}'", hint=f"choose {' or '.join(known)}")
        for epsilon in (self.tie_epsilon, self.gold_tie_epsilon):
            if not 0 <= epsilon < np.inf:
                raise UsageError(f"{epsilon} is not a distance for ties", hint="give a number from 0 up")
        twice = repeated(self.run_columns)
        if twice:
            raise UsageError(say("the run column '{column}' is named twice", column=twice[0]), hint="name each run once")
        super().__post_init__()


@dataclass(frozen=True)
class Values:
    """Which columns of a source hold ranks or scores, gold's or the run's own first."""

    source: Source
    columns: Columns
    holds: Mapping[str, Holds]

    @property
    def first(self) -> str:
        return next(iter(self.holds))

    @property
    def beside(self) -> tuple[str, ...]:
        return tuple(self.holds)[1:]

    @property
    def tells_rankings_apart(self) -> bool:
        """Whether a judge may have ranked a segment more than once."""
        return self.columns.ranking in self.source.columns

    def picked(self, more: Sequence[str] = ()) -> Picked:
        """Keys and values of the source, the values by their place."""
        keys: dict[str, tuple[str | None, Kind]] = {
            role: (name if (name := getattr(self.columns, role)) in self.source.columns else None, "text")
            for role in ("segment", "item", *more)
        }
        return Picked(self.source, keys | {f"value {place}": (name, "number") for place, name in enumerate(self.holds)})

    def faults(self, total: int, of: Callable[[Mapping[str, Any]], bool] = lambda _: True) -> Faults:
        """Cells that are no rank or score, line by line."""
        if not total:
            return NONE

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            if not of(record):
                return None
            for name, holds in self.holds.items():
                try:
                    read(record.get(name), holds, "grade" if self.source.graded else None)
                except ValueError as error:
                    what: Message = error.args[0]
                    return say("{column}: {what}", column=name, what=what) if len(self.holds) > 1 else what
            return None

        hint = "a grade is a number, 0 for irrelevant" if self.source.graded else HINTS[self.holds[self.first]]
        hints = {name: HINTS[holds] for name, holds in self.holds.items()}
        what = say("a value of {names} is not a number that may stand there", names=", ".join(self.holds))
        return located(self.source, reason, None, total, lambda said: hints.get(said.parts.get("column", ""), hint), [what])


def gold_values(source: Source, options: RankingOptions, *, alone: bool) -> Values:
    """Which columns of gold to read: with runs beside gold where the user names some, or where gold is ``alone``."""
    columns = options.gold_columns or options.columns
    problems = _missing_keys(source, columns)
    if columns.gold != _STANDARD.gold or columns.gold in source.columns:
        problems += missing_columns(source, {"gold": columns.gold})
        first = (columns.gold, options.gold_are or ("scores" if columns.gold == columns.score else "ranks"))
    else:
        first, faults = _rank_or_score(source, options.gold_are, columns)
        problems += faults
    names = options.run_columns
    if not names and alone and columns.gold in source.columns and not source.partial:
        roles = {columns.segment, columns.item, columns.judge, columns.ranking, first[0]}
        names = tuple(name for name in source.columns if name not in roles)
    if not source.partial and not source.graded:
        problems += [source.no_column(name) for name in names if name not in source.columns]
    if problems:
        raise DataProblems(problems)
    if any(name not in source.columns for name in names):
        raise UsageError("this format has no columns of runs", hint=say("name the runs' files instead of {--run-columns}"))
    check_run_columns(names, first[0])
    return Values(source, columns, dict([first, *((name, options.runs_are or "ranks") for name in names)]))


def run_values(source: Source, name: str, options: RankingOptions) -> tuple[Values, list[str]]:
    """Which columns of a run to read, and what to say about the choice."""
    columns = options.columns
    held, problems = _rank_or_score(source, options.runs_are, columns)
    problems = _missing_keys(source, columns) + problems
    if problems:
        raise DataProblems(problems)
    both = options.runs_are is None and {columns.rank, columns.score} <= set(source.columns)
    read = "{run}: has '{rank}' and '{score}'; the ranks are read"
    said: list[str] = [note("ranks and scores", read, run=name, rank=columns.rank, score=columns.score)] if both else []
    return Values(source, columns, dict([held])), said


def _missing_keys(source: Source, columns: Columns) -> list[Problem]:
    roles = {"segment": columns.segment, "item": columns.item}
    if source.header and not {*roles.values(), columns.rank, columns.score, columns.gold} & set(source.columns):
        hint = say(
            "name the columns, as in {segment}, {item}, {rank}", segment=columns.segment, item=columns.item, rank=columns.rank
        )
        near = any(did_you_mean(name, source.columns) for name in roles.values())
        if not near:
            return [source.problem(1, "the first line names no column that is known", hint)]
    return missing_columns(source, roles)


def _rank_or_score(source: Source, holds: Holds | None, columns: Columns) -> tuple[tuple[str, Holds], list[Problem]]:
    choices: list[tuple[str, Holds]] = [(columns.rank, "ranks"), (columns.score, "scores")]
    if source.graded:
        choices.insert(0, (columns.grade, "scores"))
    wanted = [choice for choice in choices if holds in (None, choice[1])]
    for choice in wanted:
        if choice[0] in source.columns:
            return choice, []
    names = "' or '".join(name for name, _ in wanted)
    near = [hint for name, _ in wanted if (hint := did_you_mean(name, source.columns))]
    hint = (
        near[0]
        if near
        else say("its columns are {names}: choose with {--rank-column} or {--score-column}", names=", ".join(source.columns))
    )
    return wanted[0], [source.problem(1, say("there is no column '{names}'", names=names), hint)]
