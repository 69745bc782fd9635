"""What a user passes as gold and runs, as sources: paths, data frames or plain sequences, with names or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats import paths
from metameasure.formats.field import open_source
from metameasure.formats.files import look, table
from metameasure.formats.options import ReadOptions, Side
from metameasure.formats.problems import DataProblems, Problem
from metameasure.formats.sources import Source
from metameasure.tables.frames import frame_source, is_frame, is_sequence, side_by_side

_LABEL_TASKS = ("classification", "entailment")


@dataclass(frozen=True)
class Inputs:
    """Gold, and the runs' sources with a name for each. ``stacked`` where one source holds all runs, in a column."""

    gold: Source
    runs: tuple[Source, ...] = ()
    names: tuple[str, ...] = ()
    stacked: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of how the sources were read."""
        return tuple(note for source in (self.gold, *self.runs) for note in source.notes)


def check_names(names: Sequence[str], what: str = "run") -> None:
    """UsageError where one name stands for two."""
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise UsageError(f"two {what}s are called '{min(repeated)}'", hint=f"give each {what} a name of its own")


def open_inputs(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> Inputs:
    """UsageError for what cannot be gold or runs, DataProblems for files that are wrong."""
    if isinstance(gold, str | Path):
        return _on_cluster(gold, runs, options) if options.engine == "spark" else _from_paths(gold, runs, options, scratch)
    if _are_paths(runs):
        raise UsageError("gold is a data frame but the runs are paths", hint="pass both as paths or both as data frames")
    if is_sequence(gold) and options.task in _LABEL_TASKS:
        return _from_sequences(gold, runs, options)
    source = frame_source(gold, "gold", scratch)
    if runs is None or (isinstance(runs, Mapping) and not runs):
        return Inputs(source)
    if isinstance(runs, Mapping):
        names = tuple(map(str, runs))
        check_names(names)
        frames = zip(names, runs.values(), strict=True)
        return Inputs(source, tuple(frame_source(frame, f"run '{name}'", scratch) for name, frame in frames), names)
    hint = f"pass {{name: frame, ...}}, or one frame with a column '{options.columns.run}'"
    if not is_frame(runs):
        raise UsageError(f"the runs are {type(runs).__name__}, not data frames", hint=hint)
    stacked = frame_source(runs, "runs", scratch)
    if options.columns.run not in stacked.columns:
        raise UsageError(f"the frame of runs has no column '{options.columns.run}'", hint=hint)
    return Inputs(source, (stacked,), ("run",), stacked=True)


def one_source(given: Any, what: str, options: ReadOptions, scratch: Path, side: Side = "gold", *, plain: bool = False) -> Source:
    """One path or frame as a source; ``plain`` where a file is a table with a header, whatever it looks like."""
    if not isinstance(given, str | Path):
        return frame_source(given, what, scratch)
    (shown, path), *more = paths.expand([given], scratch)
    if more:
        raise UsageError(
            f"'{given}' matches {len(more) + 1} files, but {what} is one file", hint="name it, and the runs after it"
        )
    if plain:
        return table(look(shown, path), options, scratch)
    return open_source(shown, path, options.of_gold() if side == "gold" else options, side, scratch)


def _from_paths(gold: str | Path, runs: Any, options: ReadOptions, scratch: Path) -> Inputs:
    written, names = _run_paths(runs)
    (gold_shown, gold_path), *more = paths.expand([gold], scratch)
    if more:
        raise UsageError(f"'{gold}' matches {len(more) + 1} files, but gold is one file", hint="name it, and the runs after it")
    found = paths.expand(written, scratch)
    paths.check_distinct(gold_path, found)
    if names and len(names) != len(found):
        raise UsageError(f"{len(names)} runs are named, but there are {len(found)} files", hint="name each run's one file")
    opened: list[Source] = []
    problems: list[Problem] = []
    of_runs = replace(options, run_columns=())
    files: list[tuple[str, Path, ReadOptions, Side]] = [(gold_shown, gold_path, options.of_gold(), "gold")]
    files += [(shown, path, of_runs, "run") for shown, path in found]
    for shown, path, how, side in files:
        try:
            opened.append(open_source(shown, path, how, side, scratch))
        except DataProblems as error:
            problems += error.problems
    if problems:
        raise DataProblems(problems)
    stacked = _is_stacked(opened, names, options)
    return Inputs(opened[0], tuple(opened[1:]), names or tuple(paths.run_names([shown for shown, _ in found])), stacked)


def _on_cluster(gold: str | Path, runs: Any, options: ReadOptions) -> Inputs:
    """Files that the cluster finds and reads, not we."""
    from metameasure.tables.cluster import read  # noqa: PLC0415 - only those who have a cluster pay for it

    if options.format_in is not None:
        raise UsageError(
            "--format-in is for files that are read here", hint="convert them to tables first, or leave out --engine"
        )
    written, names = _run_paths(runs)
    opened = [read(path, options.master) for path in (gold, *written)]
    stacked = _is_stacked(opened, names, options)
    return Inputs(opened[0], tuple(opened[1:]), names or tuple(paths.run_names([str(path) for path in written])), stacked)


def _is_stacked(opened: Sequence[Source], names: Sequence[str], options: ReadOptions) -> bool:
    """Whether one file that names its runs holds all of them; of several, each is named by its file."""
    return len(opened) == 2 and options.task == "ranking" and options.columns.run in opened[1].columns and not names


def _from_sequences(gold: Any, runs: Any, options: ReadOptions) -> Inputs:
    if not isinstance(runs, Mapping) or not runs or not all(is_sequence(labels) for labels in runs.values()):
        raise UsageError(
            "gold is a sequence of labels, but the runs are not sequences by name", hint="pass {'svm': predicted, ...}"
        )
    return Inputs(side_by_side(gold, runs, options.columns.gold, options.columns.item))


def _are_paths(runs: Any) -> bool:
    """Whether any of the runs is a path."""
    values = list(runs.values()) if isinstance(runs, Mapping) else runs if isinstance(runs, list | tuple) else [runs]
    return any(isinstance(value, str | Path) for value in values)


def _run_paths(runs: Any) -> tuple[list[str | Path], tuple[str, ...]]:
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


def missing_columns(source: Source, roles: Mapping[str, str]) -> list[Problem]:
    """A problem for each role (item, label, ...) whose column the source lacks."""
    return [
        source.problem(1 if source.header else 0, f"there is no column '{name}'", _column_hint(source, role, name))
        for role, name in roles.items()
        if name not in source.columns
    ]


def require(source: Source, roles: Mapping[str, str]) -> None:
    """DataProblems for roles whose column the source lacks."""
    problems = missing_columns(source, roles)
    if problems:
        raise DataProblems(problems)


def _column_hint(source: Source, role: str, name: str) -> str:
    if len(source.columns) == 1 and any(separator in source.columns[0] for separator in ";|"):
        return f"the separator seems to be '{';' if ';' in source.columns[0] else '|'}': use commas, or tabs in a .tsv file"
    return did_you_mean(name, source.columns) or f"its columns are {', '.join(source.columns)}: choose with --{role}-column"
