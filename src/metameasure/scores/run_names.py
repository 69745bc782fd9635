"""Names of runs: how baselines are told from runs, and which run a user means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from metameasure.errors import UsageError

PREFIX = "baseline: "


def run_named(name: str, runs: Sequence[str]) -> str | None:
    """The run of that name; or else the baseline, whose name may be said without its prefix. None where there is neither."""
    return next((known for known in (name, PREFIX + name) if known in runs), None)


def runs_like(pattern: str, runs: Sequence[str]) -> list[str]:
    """The run of that name, or all that fit the pattern; the prefix of baselines may be left out of both."""
    named = run_named(pattern, runs)
    if named is not None:
        return [named]
    fitting = [run for run in runs if fnmatchcase(run, pattern)]
    return fitting or [run for run in runs if fnmatchcase(run.removeprefix(PREFIX), pattern)]


def check_reserved(runs: Sequence[str]) -> None:
    """UsageError for a run that is called as only baselines are."""
    taken = [run for run in runs if run.startswith(PREFIX)]
    if taken:
        raise UsageError(
            f"a run is called '{taken[0]}', a name reserved for baselines", hint="rename it, or choose --no-baselines"
        )
