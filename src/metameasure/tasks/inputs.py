"""Gold and runs as users pass them: paths or data frames, with names or without."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError


def are_paths(runs: Any) -> bool:
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


def library_of(gold: Any) -> str | None:
    """The data frame library that gold belongs to."""
    library = type(gold).__module__.partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else None
