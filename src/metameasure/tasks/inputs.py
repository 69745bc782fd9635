"""Gold and runs as users pass them: paths or data frames, with names or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError


def _are_paths(runs: Any) -> bool:
    """Whether any of the runs is a path."""
    values = list(runs.values()) if isinstance(runs, Mapping) else runs if isinstance(runs, list | tuple) else [runs]
    return any(isinstance(value, str | Path) for value in values)


def run_paths(runs: Any) -> tuple[list[str | Path], tuple[str, ...]]:
    """The runs' paths, and their names where the user gives them."""
    if runs is None:
        return [], ()
    if isinstance(runs, str | Path):
        return [runs], ()
    if isinstance(runs, Mapping):
        values, names = list(runs.values()), tuple(map(str, runs))
    elif isinstance(runs, list | tuple):
        values, names = list(runs), ()
    else:
        values, names = [runs], ()
    if not all(isinstance(value, str | Path) for value in values):
        raise UsageError("gold is a path but the runs are not", hint="pass both as paths or both as data frames")
    return values, names


def refuse_paths(runs: Any) -> None:
    """UsageError for runs that are paths where gold is a data frame."""
    if _are_paths(runs):
        raise UsageError("gold is a data frame but the runs are paths", hint="pass both as paths or both as data frames")


def check_names(names: Sequence[str], found: int, what: str = " files") -> None:
    """UsageError where the user names more or fewer runs than were found."""
    if names and len(names) != found:
        raise UsageError(f"{len(names)} runs are named, but there are {found}{what}", hint="name each run's one file")


def library_of(gold: Any) -> str | None:
    """The data frame library that gold belongs to."""
    library = type(gold).__module__.partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else None
