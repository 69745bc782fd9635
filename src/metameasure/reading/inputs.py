"""What a user passes as gold and runs, as sources: paths, data frames or plain sequences, with names or without; which files
paths and patterns stand for, and what runs are called after them."""

from __future__ import annotations

import glob
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Listed, note, option, say
from metameasure.core.notes import in_a_row
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.values import repeated
from metameasure.reading.connecting import Cluster
from metameasure.reading.files import Beginning, File, look, table
from metameasure.reading.folders import holds_any, latest, walked
from metameasure.reading.formats import Format, endings, format_names, formats
from metameasure.reading.frames import (
    ClusterFrame,
    frame_source,
    is_frame,
    is_sequence,
    numbers_by_name,
    on_this_machine,
    side_by_side,
)
from metameasure.reading.on_disk import refuse_files_of_lakes, refuse_lakes, without_compression
from metameasure.reading.options import CATALOGUE, OF_GOLD, Columns, ReadOptions, Side, check_names
from metameasure.reading.parts import (
    Parts,
    as_one,
    in_folder,
    is_left_by_programs,
    named_in_a_row,
    said_by_folders,
    shown_together,
)
from metameasure.reading.sources import Source

_READ_BY = {"scores": "score it first: {evaluate --task <task>}", "agreement": "read it with {evaluate --task <task>}"}
"""What to do with data of another task where no option says which task it is."""
# Roles whose missing column is a problem of each source, with its line; and roles of which the readers say it themselves.
_KEYS, _SAID_ELSEWHERE = ("item", "label", "segment", "annotator"), ("cluster", "repeat")
_MOST_NAMED = 20


@dataclass(frozen=True)
class GoldAndRuns:
    """Gold, and the runs' sources with a name for each. ``stacked`` where one source holds all runs, in a column."""

    gold: Source
    runs: tuple[Source, ...] = ()
    names: tuple[str, ...] = ()
    stacked: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of how the sources were read."""
        return tuple(note for source in (self.gold, *self.runs) for note in source.notes)


def open_inputs(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> GoldAndRuns:
    """UsageError for what cannot be gold or runs, DataProblems for files that are wrong."""
    inputs = _opened(gold, runs, options, scratch)
    if options.stacked and not inputs.runs:
        require(inputs.gold, {"run": options.columns.run})
    check_named(options, inputs.gold, inputs.runs)
    return inputs


def _opened(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> GoldAndRuns:
    if isinstance(gold, str | Path):
        return _from_paths(gold, runs, options, scratch)
    if is_sequence(gold) and options.tables.labels:
        return _from_sequences(gold, runs, options)
    if isinstance(gold, Source) and any(isinstance(run, str | Path) for run in listed(runs)):
        written, given = _run_paths(runs)
        files = _files_of_words(written, replace(options, run_columns=()), scratch)
        opened = _all_opened(files, scratch, gold_format=gold.format_name)
        return _named([gold, *opened], given or run_names([file.shown for file in files]), options, named=bool(given))
    if any(isinstance(run, str | Path) for run in listed(runs)):
        raise UsageError("gold is a data frame but the runs are paths", hint="pass both as paths or both as data frames")
    source = gold if isinstance(gold, Source) else frame_source(gold, "gold", scratch)
    if not listed(runs):
        return GoldAndRuns(source)
    if isinstance(runs, Mapping):
        names = tuple(map(str, runs))
        check_names(names)
        frames = zip(names, runs.values(), strict=True)
        return GoldAndRuns(source, tuple(frame_source(frame, f"run '{name}'", scratch) for name, frame in frames), names)
    hint = say("pass {{name: frame, ...}}, or one frame with a column '{column}'", column=options.columns.run)
    if not is_frame(runs):
        raise UsageError(f"the runs are {type(runs).__name__}, not data frames", hint=hint)
    stacked = frame_source(runs, "runs", scratch)
    if options.columns.run not in stacked.columns:
        raise UsageError(say("the frame of runs has no column '{column}'", column=options.columns.run), hint=hint)
    return GoldAndRuns(source, (stacked,), ("run",), stacked=True)


@dataclass(frozen=True)
class Runs:
    """Sources of runs that need no gold, with a name for each: that of its run, where it does not name runs itself."""

    sources: tuple[Source, ...]
    names: tuple[str, ...]
    said: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of how they were read, and of files that were not."""
        return (*self.said, *(note for source in self.sources for note in source.notes))


def open_runs(first: Any, others: Any, options: ReadOptions, scratch: Path) -> Runs:
    """What stands in the place of gold, and behind it, all of it runs: paths, frames, or sequences by name. UsageError for what
    cannot be runs, DataProblems for files that are wrong."""
    if isinstance(first, Mapping) and others is None and first and all(map(is_sequence, first.values())):
        return Runs((numbers_by_name(first),), ("run",))
    given = [*_by_name(first), *_by_name(others)]
    paths = [one for _, one in given if isinstance(one, str | Path)]
    if not given or (paths and len(paths) < len(given)):
        raise UsageError("there are no runs" if not given else "some runs are paths and others are not", hint="name files alone")
    if not paths:
        called_so = [name or f"run {place}" for place, (name, _) in enumerate(given, 1)]
        frames = zip(called_so, (frame for _, frame in given), strict=True)
        named = [
            (name, frame_source(frame, f"run '{name}'" if len(given) > 1 else "the frame", scratch)) for name, frame in frames
        ]
        return _all_runs(named, options)
    one_by_one, said = _files_of(given, options)
    files = [(name, file) for name, written in one_by_one for file in _files_of_words([written], options, scratch)]
    check_distinct((), [one for _, file in files for one in file.places()])
    to_open = [file for _, file in files]
    opened = _opened_there(to_open, options.cluster, scratch) if options.engine == "spark" else _all_opened(to_open, scratch)
    usual = run_names([file.shown for file in to_open])
    named = [(name or own, source) for (name, _), own, source in zip(files, usual, opened, strict=True)]
    return replace(_all_runs(named, options), said=said)


def _files_of(given: Sequence[tuple[str, Any]], options: ReadOptions) -> tuple[list[tuple[str, Any]], tuple[str, ...]]:
    """Runs with files of evaluation harnesses in the place of their folders and of patterns, and what there is to say of that:
    a harness may have left several editions of one evaluation."""
    files: list[tuple[str, Any]] = []
    notes: list[str] = []
    for name, written in given:
        text = str(written)
        if Path(text).is_dir() and holds_any(text, options):
            found = walked(text, options)
        elif glob.has_magic(text) and not Path(text).exists() and "://" not in text:
            found = latest([path for _, path in matching([text])], options)
        else:
            files.append((name, written))
            continue
        files += [(name, path) for path in found.paths]
        notes += found.notes
    kept = latest([str(path) for _, path in files if Path(str(path)).is_file()], options, named=True)
    return [(name, path) for name, path in files if str(path) in kept.paths or not Path(str(path)).is_file()], (
        *notes,
        *kept.notes,
    )


def _by_name(runs: Any) -> list[tuple[str, Any]]:
    """Runs, each with the name that the user gives it."""
    return [(str(name), run) for name, run in runs.items()] if isinstance(runs, Mapping) else [("", run) for run in listed(runs)]


def _all_runs(named: Sequence[tuple[str, Source]], options: ReadOptions) -> Runs:
    sources = tuple(source for _, source in named)
    check_named(options, sources[0], sources[1:])
    return Runs(sources, tuple(name for name, _ in named))


def one_source(
    path_or_frame: Any, what: str, options: ReadOptions, scratch: Path, side: Side = "gold", *, plain: bool = False
) -> Source:
    """One path or frame as a source; ``plain`` where a file is a table with a header, whatever it looks like."""
    if not isinstance(path_or_frame, str | Path):
        return frame_source(path_or_frame, what, scratch)
    if plain:
        (shown, path), *more = expand([path_or_frame], scratch)
        if more:
            raise _too_many(path_or_frame, len(more) + 1, what)
        return table(look(shown, path), options, scratch)
    found = _one_table(path_or_frame, options.of_gold() if side == "gold" else options, side, scratch)
    if isinstance(found, _Several) and found.pattern and (side == "run" or what != "gold"):
        raise _too_many(path_or_frame, len(found.files), what)
    return found.opened(scratch)


def open_source(shown: str, path: Path, options: ReadOptions, side: Side, scratch: Path, *, whole: bool = True) -> Source:
    """A file as a source: of a format of the field where it is one, by the user's word or by its beginning; otherwise a table.
    Unless ``whole``, no more of a table than its beginning is read.

    DataProblems for a file that cannot be read, or that another task reads.
    """
    beginning = look(shown, path, whole=whole)
    if options.format_in is not None and side in _named_format(options).sides:
        return _read(_named_format(options), beginning, options, side, scratch)
    for format in formats().values():
        if format.recognises(beginning, options):
            if options.task not in format.tasks:
                how = _READ_BY.get(options.task, "add {--task <task>}")
                raise beginning.error(0, say("this is {title}", title=format.title), say(how, task=format.tasks[0]))
            return _read(format, beginning, options, side, scratch)
        if format.holds_no_rows and (what := format.holds_no_rows(beginning)):
            raise beginning.error(0, say("these are {what}: no scores of single items", what=what), format.rows_are_in)
    source = table(beginning, options, scratch, whole=whole)
    graded = options.task == "ranking" and side == "gold" and options.columns.grade in source.columns
    return replace(source, graded=True) if graded else source


def _read(format: Format, beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    return replace(format.read(beginning, options, side, scratch), format_name=format.name)


def _named_format(options: ReadOptions) -> Format:
    """The format that the user names; UsageError where the task has none of that name."""
    known = format_names(options.task)
    if options.format_in not in known:
        near = did_you_mean(options.format_in or "", known) or f"choose {' or '.join(known)}"
        raise UsageError(f"there is no format '{options.format_in}' for {options.task}", hint=near)
    return formats()[options.format_in]


@dataclass(frozen=True)
class _Path:
    """A file that a user names, how messages call it, and how it is read. ``path`` is None where only the cluster sees it."""

    shown: str
    path: Path | None
    options: ReadOptions
    side: Side

    def beside(self, gold_format: str) -> _Path:
        """The same beside gold of that format."""
        return replace(self, options=replace(self.options, gold_format=gold_format))

    def opened(self, scratch: Path, *, whole: bool = True) -> Source:
        if self.path is None:
            from metameasure.reading.cluster import read  # noqa: PLC0415 - only those who have a cluster pay for it

            return read(self.shown, self.options)
        return open_source(self.shown, self.path, self.options, self.side, scratch, whole=whole)

    def places(self) -> list[tuple[str, Path]]:
        """Each file that is here, and how messages call it."""
        return [] if self.path is None else [(self.shown, self.path)]


@dataclass(frozen=True)
class _Several:
    """Files that a user names by a pattern or by their folder, as one table. ``pattern``: gold that stands beside the runs can
    be several files by a pattern, and each may be a run."""

    shown: str
    files: tuple[_Path, ...]
    folders: tuple[Mapping[str, str | None], ...]
    pattern: bool = False

    def beside(self, gold_format: str) -> _Several:
        return replace(self, files=tuple(file.beside(gold_format) for file in self.files))

    def opened(self, scratch: Path, *, whole: bool = True) -> Source:
        opened, options = _all_opened(self.files, scratch, whole=whole), self.files[0].options
        columns, files = options.columns, named_in_a_row([file.shown for file in self.files])
        if self.pattern and 2 * sum(columns.gold in one.columns for one in opened) <= len(opened):
            raise _too_many(self.shown, len(self.files), "gold")
        found = as_one(self.shown, opened, self.folders)
        if not self.pattern or options.stacked or not self._could_be_runs(found, columns):
            return found
        if columns.run in found.columns:
            said = "{files} are read as parts of one table, because they have a column '{column}' ({--stacked})"
            return replace(found, notes=(note("reading", said, files=files, column=columns.run),))
        said = "each of {files} is read as a run, because there is no column '{column}' (parts of one run: name their folder)"
        names = run_names([file.shown for file in self.files])
        folders = tuple({**own, columns.run: name} for own, name in zip(found.folders, names, strict=True))
        notes = (note("reading", said, files=files, column=columns.run),)
        return replace(found, columns=(*found.columns, columns.run), folders=folders, notes=notes)

    def _could_be_runs(self, found: Source, columns: Columns) -> bool:
        return self.files[0].options.tables.labels and {columns.gold, columns.label} <= {*found.columns}

    def places(self) -> list[tuple[str, Path]]:
        return [place for file in self.files for place in file.places()]


def _one_table(written: str | Path, options: ReadOptions, side: Side, scratch: Path) -> _Path | _Several:
    """What is to be one table: a file, all files of a folder, or all that a pattern matches."""
    if options.engine == "spark" and is_elsewhere(written):
        return _Path(str(written), None, options, side)
    found = expand([written], scratch)
    if len(found) == 1 and not Path(written).is_dir():
        return _Path(*found[0], options, side)
    below = Path(written) if Path(written).is_dir() else _above_pattern(str(written))
    found = [one for one in found if not is_left_by_programs(one[1])] or found
    files = tuple(_Path(shown, path, options, side) for shown, path in found)
    folders = tuple(said_by_folders(path, below) for _, path in found)
    return _Several(str(written).rstrip("/"), files, folders, pattern=not Path(written).is_dir())


def _too_many(pattern: str | Path, number: int, what: str) -> UsageError:
    hint = "name it, and the runs after it"
    return UsageError(f"'{pattern}' matches {number} files, but {what} is one file", hint=hint)


def _above_pattern(pattern: str) -> Path:
    """The folder that all files lie below which a pattern can match."""
    parts = Path(pattern).parts
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:first])


def _files_of_words(written: Sequence[str | Path], options: ReadOptions, scratch: Path) -> list[_Path | _Several]:
    """What each word of a user stands for as runs: a folder for one table, a pattern for each file that it matches."""
    files: list[_Path | _Several] = []
    for one in written:
        if Path(one).is_dir() or (options.engine == "spark" and is_elsewhere(one)):
            files.append(_one_table(one, options, "run", scratch))
        else:
            files += [_Path(shown, path, options, "run") for shown, path in expand([one], scratch)]
    return files


def _from_paths(gold: str | Path, runs: Any, options: ReadOptions, scratch: Path) -> GoldAndRuns:
    written, names = _run_paths(runs)
    gold_file = _one_table(gold, options.of_gold(), "gold", scratch)
    if written and isinstance(gold_file, _Several) and gold_file.pattern:
        raise _too_many(gold, len(gold_file.files), "gold")
    run_files = _files_of_words(written, replace(options, run_columns=()), scratch)
    check_distinct([path for _, path in gold_file.places()], [one for file in run_files for one in file.places()])
    if names and len(names) != len(run_files):
        raise UsageError(f"{len(names)} runs are named, but there are {len(run_files)} files", hint="name each run's one file")
    files = [gold_file, *run_files]
    opened = _opened_there(files, options.cluster, scratch) if options.engine == "spark" else _all_opened(files, scratch)
    if not names and (whole := _all_in_one(opened, options)):
        return GoldAndRuns(whole)
    return _named(opened, names or run_names([file.shown for file in run_files]), options, named=bool(names))


def _all_in_one(opened: Sequence[Source], options: ReadOptions) -> Source | None:
    """All files as one table, where each has gold, a label and the run that it is of; otherwise None."""
    columns = options.columns
    needed = {columns.run, columns.gold, columns.label}
    if len(opened) == 1 or not options.tables.labels or not all(needed <= {*one.columns} for one in opened):
        return None
    files = [one.shown for one in opened]
    said = "{files} are read as parts of one table, because each has the columns {names} ({--stacked})"
    notes = () if options.stacked else (note("reading", said, files=named_in_a_row(files), names=in_a_row(sorted(needed))),)
    return replace(together(opened), notes=notes)


def together(sources: Sequence[Source]) -> Source:
    """Several sources as one table, on the cluster where all are there. DataProblems where their columns differ."""
    shown = shown_together(sources)
    if all(isinstance(one, ClusterFrame) for one in sources):
        from metameasure.reading.cluster import united  # noqa: PLC0415 - only those who have a cluster pay for it

        return united(shown, [one for one in sources if isinstance(one, ClusterFrame)])
    own = [one.here if isinstance(one, ClusterFrame) and one.here else one for one in sources]
    files = [part for one in own for part in (one.files if isinstance(one, Parts) else (one,))]
    folders = [said for one in own for said in (one.folders if isinstance(one, Parts) else ({},))]
    return as_one(shown, files, folders)


def _all_opened(files: Sequence[_Path | _Several], scratch: Path, *, whole: bool = True, gold_format: str = "") -> list[Source]:
    """Every file as a source, gold's before the runs'. DataProblems with what is wrong with all of them."""
    opened: list[Source] = []
    problems: list[Problem] = []
    for file in files:
        beside = opened[0].format_name if opened else gold_format
        try:
            opened.append(file.beside(beside).opened(scratch, whole=whole))
        except DataProblems as error:
            problems += error.problems
    if problems:
        raise DataProblems(problems)
    return opened


def is_elsewhere(written: str | Path) -> bool:
    """Whether a cluster finds this by itself: on other machines, or in its catalogue."""
    text = str(written)
    if "://" in text or is_in_catalogue(text):
        return True
    return text != "-" and not Path(text).exists() and not glob.glob(text, recursive=True)  # noqa: PTH207


def is_in_catalogue(written: str | Path) -> bool:
    """Whether this names a table of a cluster's catalogue."""
    return str(written).startswith(CATALOGUE) and not Path(written).exists()


def _opened_there(files: Sequence[_Path | _Several], cluster: Cluster, scratch: Path) -> list[Source]:
    """Tables that a cluster reads; what it would not read as we do is read here, and sent."""
    from metameasure.reading.cluster import Refused, read_there, unreadable  # noqa: PLC0415 - as above
    from metameasure.reading.engine import is_sound  # noqa: PLC0415

    opened = _all_opened(files, scratch, whole=False)
    tables = [place for place, source in enumerate(opened) if isinstance(source, File | Parts)]
    found = read_there([source for source in opened if isinstance(source, File | Parts)], cluster, scratch)
    refused = {place: one for place, one in zip(tables, found, strict=True) if isinstance(one, Refused)}
    sources = dict(enumerate(opened)) | {place: one for place, one in zip(tables, found, strict=True) if isinstance(one, Source)}
    again = _all_opened([files[place] for place in refused], scratch, gold_format=opened[0].format_name)
    sources |= dict(zip(refused, again, strict=True))
    for place, one in refused.items():
        source = sources[place]
        if one.why and isinstance(source, File | Parts) and is_sound(source):
            raise unreadable(files[place].shown, one.why)
    return [sources[place] for place in range(len(files))]


def _named(opened: Sequence[Source], names: Sequence[str], options: ReadOptions, *, named: bool) -> GoldAndRuns:
    """Gold and runs by their names. One file that names its runs holds all of them, unless the user names it."""
    gold, *runs = opened
    if options.stacked and runs:
        problems = [one for run in runs for one in missing_columns(run, {"run": options.columns.run})]
        if problems:
            raise DataProblems(problems)
        runs = [together(runs)] if len(runs) > 1 else runs
    alone = not named and len(runs) == 1 and options.columns.run in runs[0].columns
    stacked = alone and (options.task == "ranking" or options.stacked or isinstance(on_this_machine(runs[0]), Parts))
    names = names if len(runs) == len(names) else ["run"] * len(runs)
    if options.name_by == "tag" and not named and not stacked:
        names = [tag_of(run, options) for run in runs]
        if twice := repeated(names):
            raise UsageError(
                f"two files have the tag '{min(twice)}'", hint=say("leave out {--name-by tag}: files have names of their own")
            )
    return GoldAndRuns(gold, tuple(runs), tuple(names), stacked)


def tag_of(run: Source, options: ReadOptions) -> str:
    """What the file of a run says that the run is called. DataProblems where it does not say so, or names several."""
    column = options.columns.run
    if column not in run.columns:
        raise run.error(
            0,
            "nothing in the file says what its run is called",
            say("leave out {--name-by tag}, or add a column '{column}'", column=column),
        )
    first = ""
    for record in run.records():
        tag = str(record.values.get(column) or "").strip()
        first = first or tag
        if not tag:
            raise run.error(record.line, "the row does not say what its run is called", "give every row its tag")
        if tag != first:
            raise run.error(
                record.line,
                say("run '{tag}' begins in the file of '{first}'", tag=tag, first=first),
                "give each run a file of its own",
            )
    return first


def _from_sequences(gold: Any, runs: Any, options: ReadOptions) -> GoldAndRuns:
    if not isinstance(runs, Mapping) or not runs or not all(is_sequence(labels) for labels in runs.values()):
        raise UsageError(
            "gold is a sequence of labels, but the runs are not sequences by name", hint="pass {'svm': predicted, ...}"
        )
    return GoldAndRuns(side_by_side(gold, runs, options.columns.gold))


def listed(runs: Any) -> list[Any]:
    """The runs, one by one, however the user passes them."""
    if isinstance(runs, Mapping):
        return list(runs.values())
    if isinstance(runs, list | tuple):
        return list(runs)
    return [] if runs is None else [runs]


def _run_paths(runs: Any) -> tuple[list[str | Path], tuple[str, ...]]:
    """The runs' paths, and their names where the user gives them."""
    paths = listed(runs)
    if not all(isinstance(path, str | Path) for path in paths):
        raise UsageError("gold is a path but the runs are not", hint="pass both as paths or both as data frames")
    return paths, tuple(map(str, runs)) if isinstance(runs, Mapping) else ()


def library_of(gold: Any) -> str | None:
    """The data frame library that gold belongs to."""
    library = type(gold).__module__.partition(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else None


def missing_columns(source: Source, roles: Mapping[str, str]) -> list[Problem]:
    """What is wrong where the source lacks the columns of roles (item, label, ...): one problem, unless a column looks like one
    of them."""
    lacking = {role: name for role, name in roles.items() if name not in source.columns}
    if len(lacking) < 2 or any(did_you_mean(name, source.columns) for name in lacking.values()):
        return [
            source.problem(source.header_line, say("there is no column '{name}'", name=name), _column_hint(source, {role: name}))
            for role, name in lacking.items()
        ]
    names = Listed([say("'{name}'", name=name) for name in lacking.values()], " and ")
    return [source.problem(source.header_line, say("there are no columns {names}", names=names), _column_hint(source, lacking))]


def check_named(options: ReadOptions, gold: Source, runs: Sequence[Source] = ()) -> None:
    """DataProblems or UsageError for a column that the user names and no source has. Some may have it and others not."""
    for role, name in options.named:
        of_gold = role.startswith(OF_GOLD)
        sources = [gold] if of_gold else [gold, *runs]
        if role.removeprefix(OF_GOLD) in _SAID_ELSEWHERE or any(name in source.columns for source in sources):
            continue
        flag = role.replace("category", "class").replace("_", "-")
        if role.removeprefix(OF_GOLD) in _KEYS:
            raise DataProblems(sorted(one for source in sources for one in missing_columns(source, {flag: name})))
        known = list(dict.fromkeys(column for source in sources for column in source.columns))
        hint = did_you_mean(name, known) or say(
            "there are {names}: check {option}", names=", ".join(known[:_MOST_NAMED]), option=option(f"{flag}-column")
        )
        what = "gold has no column '{column}'" if of_gold else "no file has a column '{column}'"
        raise UsageError(say(what, column=name), hint=hint)


def require(source: Source, roles: Mapping[str, str]) -> None:
    """DataProblems for roles whose column the source lacks."""
    if problems := missing_columns(source, roles):
        raise DataProblems(problems)


def _column_hint(source: Source, lacking: Mapping[str, str]) -> str:
    if len(source.columns) == 1 and any(separator in source.columns[0] for separator in ";|"):
        return f"the separator seems to be '{';' if ';' in source.columns[0] else '|'}': use commas, or tabs in a .tsv file"
    near = did_you_mean(next(iter(lacking.values())), source.columns) if len(lacking) == 1 else ""
    options = Listed([option(f"{role}-column") for role in lacking], " and ")
    return near or say("its columns are {names}: choose with {options}", names=", ".join(source.columns), options=options)


def expand(written: Iterable[str | Path], scratch: Path) -> list[tuple[str, Path]]:
    """How each file is called in messages, and where it lies. A pattern stands for all it matches, ``-`` for standard input."""
    files: list[tuple[str, Path]] = []
    for shown, text in matching(written):
        if text == "-":
            if any(scratch.glob("standard-input-*")):
                raise UsageError("standard input is named twice", hint="it can only be read once")
            if sys.stdin is None:
                raise UsageError("standard input is closed", hint="name a file instead of -")
            files.append((shown, _spooled(sys.stdin.buffer, scratch, "standard-input-")))
        else:
            files.append((shown, _in_utf8(_regular(text, Path(text), scratch), scratch)))
    return files


def matching(written: Iterable[str | Path]) -> list[tuple[str, str]]:
    """How each file is called in messages, and its path: that which is written, or each that a pattern matches."""
    files: list[tuple[str, str]] = []
    texts = [str(one) for one in written]
    refuse_files_of_lakes(map(Path, texts), least=2)
    for text in texts:
        path = Path(text)
        if text == "-":
            files.append(("standard input", text))
        elif not path.exists() and glob.has_magic(text):
            matches = sorted(match for match in glob.glob(text, recursive=True) if Path(match).is_file())  # noqa: PTH207 - as the shell does, absolute patterns included
            if not matches:
                raise UsageError(f"no file matches '{text}'", hint="check the folder and the pattern")
            refuse_lakes(sorted({above for match in matches for above in list(Path(match).parents)[:2]}))
            refuse_files_of_lakes(map(Path, matches))
            files += [(called(match), match) for match in matches]
        elif path.is_dir():
            files += [(called(str(one)), str(one)) for one in in_folder(path)]
        elif is_in_catalogue(text):
            hint = say("choose {--engine spark}, with {--master}")
            raise UsageError(say("'{text}' is a table of a cluster's catalogue", text=text), hint=hint)
        elif path.is_symlink() and not path.exists():
            raise UsageError(f"'{text}' is a link to a file that is not there", hint="name the file itself, or mend the link")
        elif not path.exists():
            raise UsageError(f"there is no file '{text}'", hint=_nearest(path))
        else:
            files.append((called(text), text))
    return files


def called(text: str) -> str:
    """A path as text, whatever bytes its name is made of."""
    return os.fsencode(text).decode("utf-8", "replace")


def _in_utf8(path: Path, scratch: Path) -> Path:
    """The file under a name that engines understand, which take names to be UTF-8."""
    if called(str(path.absolute())) == str(path.absolute()):
        return path
    link = scratch / f"named-{len(list(scratch.iterdir()))}{''.join(suffix for suffix in path.suffixes if suffix.isascii())}"
    link.symlink_to(path.absolute())
    return link


def _regular(text: str, path: Path, scratch: Path) -> Path:
    """The file itself, or what a pipe gives, which can be read once only. UsageError for a device."""
    if path.is_file():
        return path
    if not path.is_fifo() and not path.is_socket():
        raise UsageError(f"'{text}' is a device, not a file", hint="name a file, or - for standard input")
    with path.open("rb") as stream:
        return _spooled(stream, scratch, "pipe-")


def _nearest(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder '{path.parent}' either"
    return did_you_mean(path.name, [other.name for other in path.parent.iterdir()]) or "check the spelling and the folder"


def _spooled(stream: IO[bytes], scratch: Path, prefix: str) -> Path:
    """What only gives itself once as a file: engines read files more than once."""
    with tempfile.NamedTemporaryFile(dir=scratch, prefix=prefix, delete=False) as file:
        while block := stream.read(1 << 20):
            file.write(block)
    return Path(file.name)


def is_once(written: Iterable[str | Path]) -> bool:
    """Whether something among these can be read once only: standard input, or a pipe."""
    return any(str(text) == "-" or Path(text).is_fifo() for text in written)


def check_distinct(gold: Iterable[Path], runs: Sequence[tuple[str, Path]]) -> None:
    """Refuse gold among the files, as a careless pattern puts it there, a file named twice, and several files of a table of which
    only a log tells which of them are still part of it."""
    gold = [*gold]
    refuse_files_of_lakes([*gold, *(path for _, path in runs)], least=2)
    of_gold, seen = {Path(os.path.realpath(one)) for one in gold}, dict[Path, str]()
    for shown, path in runs:
        place = Path(os.path.realpath(path))  # which takes a link that leads to itself, too
        if place in of_gold:
            which = "the gold file itself" if len(of_gold) == 1 else "one of gold's files"
            raise UsageError(f"'{shown}' is {which}", hint="leave it out of the runs: it would score as perfect")
        if place in seen:
            raise UsageError(f"'{shown}' is given twice", hint=f"it is the same file as '{seen[place]}'")
        seen[place] = shown


def run_names(shown: Sequence[str]) -> list[str]:
    """The name of each file without its ending (``x.tsv.gz`` is ``x``); where two are the same, the shortest suffix of the path
    that is unique."""
    parts = [(*Path(text).parent.parts, stem(Path(text))) for text in shown]
    depth = [1] * len(parts)
    while True:
        names = ["/".join(part[-take:]) for part, take in zip(parts, depth, strict=True)]
        count = Counter(names)
        deeper = [
            take + 1 if count[name] > 1 and take < len(part) else take
            for name, take, part in zip(names, depth, parts, strict=True)
        ]
        if deeper == depth:
            return [text if count[name] > 1 else name for name, text in zip(names, shown, strict=True)]
        depth = deeper


def stem(path: Path) -> str:
    """The name without compression and without the ending of a known format: ``x.tsv.gz`` is ``x``, ``input.sys20`` stays."""
    name = without_compression(path.name.removeprefix(CATALOGUE))
    ending = next((one for one in endings() if name.lower().endswith(one)), "")
    return name if name.startswith(".") else name[: len(name) - len(ending)]
