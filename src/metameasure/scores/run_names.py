"""Names of runs: how baselines are told from runs, and which run a user means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import note, say
from metameasure.core.notes import counted, listed

PREFIX = "baseline: "
MARK = "baseline"
"""The column that says which runs are baselines, in tables that have some."""


def baselines_of(runs: Sequence[str], marked: frozenset[str] | None) -> frozenset[str]:
    """The baselines among runs: those that are marked. Where nothing is, as in files of earlier versions, they go by their
    names."""
    return frozenset(run for run in runs if run.startswith(PREFIX)) if marked is None else marked & {*runs}


def told_apart(runs: Sequence[str], baselines: frozenset[str]) -> frozenset[str] | None:
    """What a table of scores says of baselines: None where there are none, and no run is called as if it were one."""
    return baselines if baselines or baselines_of(runs, None) else None


def marks(runs: npt.NDArray[Any], baselines: frozenset[str] | None) -> dict[str, npt.NDArray[Any]]:
    """The column that marks the rows of baselines; none where there is nothing to tell apart."""
    return {} if baselines is None else {MARK: np.array([run in baselines for run in runs.tolist()], dtype=bool)}


def left_out(baselines: Sequence[str], *, by_name: bool, keep: str = "{--baselines} keeps them") -> str:
    """A note on baselines that do not take part; of those that are known by their names only, which they are."""
    if not by_name:
        return note("baselines left out", "{baselines} left out; " + keep, baselines=counted(len(baselines), "baseline"))
    named = "left out as baselines, by their names alone: {baselines}; "
    return note("baselines left out", named + keep, baselines=listed(baselines, "and"))


def without_prefix(run: str) -> str:
    """A baseline's name where it is said that it is one."""
    return run.removeprefix(PREFIX)


def run_named(name: str, runs: Sequence[str]) -> str | None:
    """The run of that name; or else the baseline, whose name may be said without its prefix. None where there is neither."""
    return next((known for known in (name, PREFIX + name) if known in runs), None)


def place_of(run: str, runs: Sequence[str]) -> int:
    """The place of the run that goes by this name; UsageError where none does."""
    named = run_named(run, runs)
    if named is None:
        raise UsageError(
            say("there is no run '{run}'", run=run),
            hint=did_you_mean(run, runs) or say("the runs are {runs}", runs=listed(runs, "and")),
        )
    return runs.index(named)


def runs_like(pattern: str, runs: Sequence[str]) -> list[str]:
    """The run of that name, or all that fit the pattern; the prefix of baselines may be left out of both."""
    named = run_named(pattern, runs)
    if named is not None:
        return [named]
    fitting = [run for run in runs if fnmatchcase(run, pattern)]
    return fitting or [run for run in runs if fnmatchcase(run.removeprefix(PREFIX), pattern)]


def check_free(baselines: Sequence[str], runs: Sequence[str]) -> None:
    """UsageError for a run that is called as one of these baselines is."""
    taken = [run for run in runs if run in baselines]
    if taken:
        raise UsageError(
            say("a run is called '{run}', which is the name of a baseline", run=taken[0]),
            hint=say("rename it, or choose {--no-baselines}"),
        )
