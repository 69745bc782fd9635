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

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats.field import Format, format_names, formats
from metameasure.formats.files import Beginning, look, table
from metameasure.formats.options import ReadOptions, Side
from metameasure.formats.problems import DataProblems, Problem
from metameasure.formats.sources import Source
from metameasure.tables.frames import frame_source, is_frame, is_sequence, side_by_side
from metameasure.values import repeated

_LABEL_TASKS = ("classification", "entailment")


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


def check_names(names: Sequence[str]) -> None:
    """UsageError where one name stands for two."""
    if twice := repeated(names):
        raise UsageError(f"two runs are called '{min(twice)}'", hint="give each run a name of its own")


def open_inputs(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> GoldAndRuns:
    """UsageError for what cannot be gold or runs, DataProblems for files that are wrong."""
    if isinstance(gold, str | Path):
        return _on_cluster(gold, runs, options) if options.engine == "spark" else _from_paths(gold, runs, options, scratch)
    if is_sequence(gold) and options.task in _LABEL_TASKS:
        return _from_sequences(gold, runs, options)
    if any(isinstance(run, str | Path) for run in listed(runs)):
        raise UsageError("gold is a data frame but the runs are paths", hint="pass both as paths or both as data frames")
    source = frame_source(gold, "gold", scratch)
    if runs is None or (isinstance(runs, Mapping) and not runs):
        return GoldAndRuns(source)
    if isinstance(runs, Mapping):
        names = tuple(map(str, runs))
        check_names(names)
        frames = zip(names, runs.values(), strict=True)
        return GoldAndRuns(source, tuple(frame_source(frame, f"run '{name}'", scratch) for name, frame in frames), names)
    hint = f"pass {{name: frame, ...}}, or one frame with a column '{options.columns.run}'"
    if not is_frame(runs):
        raise UsageError(f"the runs are {type(runs).__name__}, not data frames", hint=hint)
    stacked = frame_source(runs, "runs", scratch)
    if options.columns.run not in stacked.columns:
        raise UsageError(f"the frame of runs has no column '{options.columns.run}'", hint=hint)
    return GoldAndRuns(source, (stacked,), ("run",), stacked=True)


def one_source(
    path_or_frame: Any, what: str, options: ReadOptions, scratch: Path, side: Side = "gold", *, plain: bool = False
) -> Source:
    """One path or frame as a source; ``plain`` where a file is a table with a header, whatever it looks like."""
    if not isinstance(path_or_frame, str | Path):
        return frame_source(path_or_frame, what, scratch)
    shown, path = _one_file(path_or_frame, what, scratch)
    if plain:
        return table(look(shown, path), options, scratch)
    return open_source(shown, path, options.of_gold() if side == "gold" else options, side, scratch)


def _one_file(pattern: str | Path, what: str, scratch: Path) -> tuple[str, Path]:
    file, *more = expand([pattern], scratch)
    if more:
        raise UsageError(
            f"'{pattern}' matches {len(more) + 1} files, but {what} is one file", hint="name it, and the runs after it"
        )
    return file


def open_source(shown: str, path: Path, options: ReadOptions, side: Side, scratch: Path) -> Source:
    """A file as a source: of a format of the field where it is one, by the user's word or by its beginning; otherwise a table.

    DataProblems for a file that cannot be read, or that another task reads.
    """
    beginning = look(shown, path)
    if options.format_in is not None and side in _named_format(options).sides:
        return _read(_named_format(options), beginning, options, side, scratch)
    for format in formats().values():
        if format.recognises(beginning, options):
            if options.task not in format.tasks:
                raise beginning.error(0, f"this is {format.title}", f"add --task {format.tasks[0]}")
            return _read(format, beginning, options, side, scratch)
    source = table(beginning, options, scratch)
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


def _from_paths(gold: str | Path, runs: Any, options: ReadOptions, scratch: Path) -> GoldAndRuns:
    written, names = _run_paths(runs)
    gold_shown, gold_path = _one_file(gold, "gold", scratch)
    run_files = expand(written, scratch)
    check_distinct(gold_path, run_files)
    if names and len(names) != len(run_files):
        raise UsageError(f"{len(names)} runs are named, but there are {len(run_files)} files", hint="name each run's one file")
    opened: list[Source] = []
    problems: list[Problem] = []
    of_runs = replace(options, run_columns=())
    files: list[tuple[str, Path, ReadOptions, Side]] = [(gold_shown, gold_path, options.of_gold(), "gold")]
    files += [(shown, path, of_runs, "run") for shown, path in run_files]
    for shown, path, how, side in files:
        try:
            opened.append(open_source(shown, path, how, side, scratch))
        except DataProblems as error:
            problems += error.problems
    if problems:
        raise DataProblems(problems)
    return _named(opened, names or run_names([shown for shown, _ in run_files]), options, named=bool(names))


def _on_cluster(gold: str | Path, runs: Any, options: ReadOptions) -> GoldAndRuns:
    """Files that the cluster finds and reads, not we."""
    from metameasure.tables.cluster import read  # noqa: PLC0415 - only those who have a cluster pay for it

    if options.format_in is not None:
        raise UsageError(
            "--format-in is for files that are read here", hint="convert them to tables first, or leave out --engine"
        )
    written, names = _run_paths(runs)
    opened = [read(path, options.master) for path in (gold, *written)]
    return _named(opened, names or run_names(list(map(str, written))), options, named=bool(names))


def _named(opened: Sequence[Source], names: Sequence[str], options: ReadOptions, *, named: bool) -> GoldAndRuns:
    """Gold and runs by their names. One file that names its runs holds all of them, unless the user names it."""
    gold, *runs = opened
    stacked = not named and len(runs) == 1 and options.task == "ranking" and options.columns.run in runs[0].columns
    return GoldAndRuns(gold, tuple(runs), tuple(names), stacked)


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
    """A problem for each role (item, label, ...) whose column the source lacks."""
    return [
        source.problem(1 if source.header else 0, f"there is no column '{name}'", _column_hint(source, role, name))
        for role, name in roles.items()
        if name not in source.columns
    ]


def require(source: Source, roles: Mapping[str, str]) -> None:
    """DataProblems for roles whose column the source lacks."""
    if problems := missing_columns(source, roles):
        raise DataProblems(problems)


def _column_hint(source: Source, role: str, name: str) -> str:
    if len(source.columns) == 1 and any(separator in source.columns[0] for separator in ";|"):
        return f"the separator seems to be '{';' if ';' in source.columns[0] else '|'}': use commas, or tabs in a .tsv file"
    return did_you_mean(name, source.columns) or f"its columns are {', '.join(source.columns)}: choose with --{role}-column"


def expand(written: Iterable[str | Path], scratch: Path) -> list[tuple[str, Path]]:
    """How each file is called in messages, and where it lies. A pattern stands for all it matches, ``-`` for standard input."""
    files: list[tuple[str, Path]] = []
    for text in map(str, written):
        path = Path(text)
        if text == "-":
            if any(scratch.glob("standard-input-*")):
                raise UsageError("standard input is named twice", hint="it can only be read once")
            if sys.stdin is None:
                raise UsageError("standard input is closed", hint="name a file instead of -")
            files.append(("standard input", _spooled(sys.stdin.buffer, scratch, "standard-input-")))
        elif not path.exists() and glob.has_magic(text):
            matches = sorted(match for match in glob.glob(text, recursive=True) if Path(match).is_file())  # noqa: PTH207 - as the shell does, absolute patterns included
            if not matches:
                raise UsageError(f"no file matches '{text}'", hint="check the folder and the pattern")
            files += [(_shown(match), _in_utf8(Path(match), scratch)) for match in matches]
        elif path.is_dir():
            raise UsageError(f"'{text}' is a folder", hint=f"name its files, as in '{text.rstrip('/')}/*.tsv'")
        elif not path.exists():
            raise UsageError(f"there is no file '{text}'", hint=_nearest(path))
        else:
            files.append((_shown(text), _in_utf8(_regular(text, path, scratch), scratch)))
    return files


def _shown(text: str) -> str:
    """A path as text, whatever bytes its name is made of."""
    return os.fsencode(text).decode("utf-8", "replace")


def _in_utf8(path: Path, scratch: Path) -> Path:
    """The file under a name that engines understand, which take names to be UTF-8."""
    if _shown(str(path.absolute())) == str(path.absolute()):
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


def check_distinct(gold: Path | None, runs: Sequence[tuple[str, Path]]) -> None:
    """Refuse gold among the files, as a careless pattern puts it there, and a file named twice."""
    seen: dict[Path, str] = {}
    for shown, path in runs:
        place = path.resolve()
        if gold is not None and place == gold.resolve():
            raise UsageError(f"'{shown}' is the gold file itself", hint="leave it out of the runs: it would score as perfect")
        if place in seen:
            raise UsageError(f"'{shown}' is given twice", hint=f"it is the same file as '{seen[place]}'")
        seen[place] = shown


def run_names(shown: Sequence[str]) -> list[str]:
    """The stem of each file (``x.tsv.gz`` is ``x``); where stems collide, the shortest suffix of the path that is unique."""
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
    """The name without compression and extension."""
    name = path.name.removesuffix(".gz").removesuffix(".zst")
    return Path(name).stem if not name.startswith(".") else name
