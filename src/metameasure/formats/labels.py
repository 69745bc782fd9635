"""Label files and label frames, in every shape of the interface, as the one or two frames that evidence is counted from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import narwhals.stable.v2 as nw

from metameasure.errors import UsageError, did_you_mean
from metameasure.formats import paths
from metameasure.formats.columns import Columns
from metameasure.formats.files import File, first_line
from metameasure.formats.frames import fetch, local_frame
from metameasure.formats.inspection import inspect
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem

ORDERS = ("confidence", "rank", "score")
# A frame of Narwhals, in memory or lazy. Both have the methods used here, but no type that says so.
Frame: TypeAlias = Any


@dataclass(frozen=True)
class LabelTables:
    """Labels ready to be joined and counted.

    ``runs`` has ``run`` (a position in ``names``), ``item``, ``label`` and perhaps ``topic``; ``gold`` has ``item``, ``gold`` and
    perhaps ``topic`` and ``weight``. Where gold already stands beside each label (side by side, stacked) there is no ``gold``
    frame, and ``runs`` has its columns. ``keys`` are what an item is known by.
    """

    runs: Frame
    gold: Frame | None
    names: tuple[str, ...]
    keys: tuple[str, ...]
    columns: Columns
    run_files: tuple[File | None, ...]
    gold_file: File | None
    shape: str
    orders: tuple[frozenset[str], ...] = ()
    """For each run, which of the columns confidence, rank and score it has, where they are asked for."""

    def __post_init__(self) -> None:
        repeated = [name for name in self.names if self.names.count(name) > 1]
        if repeated:
            raise UsageError(f"two runs are called '{repeated[0]}'", hint="give each run a name of its own")

    @property
    def has_topics(self) -> bool:
        return "topic" in _names(self.runs if self.gold is None else self.gold)

    @property
    def has_weights(self) -> bool:
        return "weight" in _names(self.runs if self.gold is None else self.gold)

    @property
    def has_items(self) -> bool:
        return "item" in _names(self.runs)

    def origin(self, run: int | None) -> str:
        """What messages call a run, or gold."""
        file = self.gold_file if run is None else self.run_files[run]
        return file.shown if file else ("gold" if run is None else f"run '{self.names[run]}'")

    def lines(self, run: int | None, wanted: Callable[[dict[str, Any]], str | None]) -> Iterator[tuple[int, str]]:
        """The lines of a run's file for which ``wanted`` gives a reason: the second pass, only over files that failed."""
        file = self.gold_file if run is None else self.run_files[run]
        if file is None:
            return
        for record in file.records():
            reason = wanted(record.values)
            if reason is not None:
                yield record.line, reason


@dataclass(frozen=True)
class ReadOptions:
    """How label files are read."""

    columns: Columns = field(default_factory=Columns)
    format_in: str | None = None
    numeric: bool = False
    run_columns: tuple[str, ...] = ()
    threads: int | None = None
    memory: str | None = None
    orders: bool = False
    """Whether the columns by which runs order their items are read too."""


def read_label_files(gold: str | Path, runs: Sequence[str | Path], options: ReadOptions, scratch: Path) -> LabelTables:
    """Label files as tables. UsageError for paths that are wrong, DataProblems for files that are."""
    gold_shown, gold_path = _one_file(gold, scratch)
    found = paths.expand(runs, scratch)
    paths.check_distinct(gold_path, found)
    problems: list[Problem] = []
    files: list[File] = []
    for shown, path in [(gold_shown, gold_path), *found]:
        try:
            files.append(inspect(shown, path, options.columns, scratch, format_in=options.format_in))
        except DataProblems as error:
            problems += error.problems
    if problems:
        raise DataProblems(problems)
    gold_file, run_files = files[0], files[1:]
    from metameasure.formats import queries  # noqa: PLC0415 - DuckDB, once there is something to read

    if run_files:
        return queries.long(gold_file, run_files, paths.run_names([shown for shown, _ in found]), options)
    columns = options.columns
    if {columns.run, columns.gold, columns.label} <= set(gold_file.columns):
        return queries.stacked(gold_file, options)
    if columns.gold in gold_file.columns:
        return queries.side_by_side(gold_file, options)
    raise UsageError(
        f"'{gold_shown}' is alone and has no column '{columns.gold}'",
        hint="name the runs' files too, or a file with gold and runs side by side (--gold-column)",
    )


def _one_file(gold: str | Path, scratch: Path) -> tuple[str, Path]:
    first, *more = paths.expand([gold], scratch)
    if more:
        raise UsageError(f"'{gold}' matches {len(more) + 1} files, but gold is one", hint="name it, and the runs after it")
    return first


def read_gold_alone(gold: str | Path, options: ReadOptions, scratch: Path) -> LabelTables:
    """A gold file as a run that is right about everything: for what depends on gold alone."""
    from metameasure.formats import queries  # noqa: PLC0415

    shown, path = _one_file(gold, scratch)
    return queries.gold_alone(inspect(shown, path, options.columns, scratch, format_in=options.format_in), options)


def gold_label_column(present: Sequence[str], columns: Columns) -> str:
    """Where a gold table has its labels: in the column that the user names for gold, or else in ``label``, or in ``gold``."""
    if columns.gold in present and (columns.gold != Columns().gold or columns.label not in present):
        return columns.gold
    return columns.label


def require_columns(file: File, roles: Mapping[str, str]) -> list[Problem]:
    """A problem for each role (item, label, ...) whose column the file lacks."""
    return [
        file.problem(1 if file.header else 0, f"there is no column '{name}'", _column_hint(file, role, name))
        for role, name in roles.items()
        if name not in file.columns
    ]


def _column_hint(file: File, role: str, name: str) -> str:
    if len(file.columns) == 1 and any(separator in file.columns[0] for separator in ";|"):
        return f"the separator seems to be '{';' if ';' in file.columns[0] else '|'}': use commas, or tabs in a .tsv file"
    return did_you_mean(name, file.columns) or f"its columns are {', '.join(file.columns)}: choose with --{role}-column"


def frames_to_tables(gold: Any, runs: Any, options: ReadOptions) -> LabelTables:
    """Frames of any library that Narwhals knows, as tables: ``runs`` by name, stacked with a column ``run``, or in ``gold``."""
    columns = options.columns
    gold_frame = local_frame(gold, "gold")
    if runs is None:
        return _from_one_frame(gold_frame, options)
    if isinstance(runs, Mapping):
        names = tuple(map(str, runs))
        parts = [local_frame(frame, f"run '{name}'") for name, frame in zip(names, runs.values(), strict=True)]
        if not parts:
            raise UsageError("there are no runs", hint="pass {name: frame, ...}")
        with_topic = all(columns.topic in _names(part) for part in parts)
        if len({part.implementation for part in parts}) > 1:
            raise UsageError("the runs are frames of different libraries", hint="use one library for all")
        stacked = nw.concat(
            [_columns(part, options, _roles(with_topic), f"run '{name}'").with_columns(run=nw.lit(index))
             for index, (name, part) in enumerate(zip(names, parts, strict=True))]
        )  # fmt: skip
        orders = tuple(orders_in(_names(part), options) for part in parts)
    else:
        frame = local_frame(runs, "runs")
        with_topic = columns.topic in _names(frame)
        stacked, names = _numbered_runs(_columns(frame, options, ("run", *_roles(with_topic)), "runs"))
        orders = (orders_in(_names(frame), options),) * len(names)
    if gold_frame.implementation != stacked.implementation:
        raise UsageError(
            f"gold is a frame of {gold_frame.implementation}, the runs are of {stacked.implementation}",
            hint="use one library for both",
        )
    gold_roles = _gold_roles(gold_frame, columns)
    gold_columns = replace(columns, gold=gold_label_column(_names(gold_frame), columns))
    tabled = _columns(gold_frame, replace(options, columns=gold_columns), gold_roles, "gold")
    keys = _keys(with_topic and "topic" in gold_roles)
    if keys == ("item",) and with_topic:
        stacked = stacked.drop("topic")
    return LabelTables(stacked, tabled, names, keys, columns, (None,) * len(names), None, "frames", orders)


def orders_in(present: Sequence[str], options: ReadOptions) -> frozenset[str]:
    """Which of the columns that order items are there, where they are asked for."""
    return frozenset(role for role in ORDERS if options.orders and getattr(options.columns, role) in present)


def _keys(with_topic: bool) -> tuple[str, ...]:
    return ("topic", "item") if with_topic else ("item",)


def _roles(with_topic: bool) -> tuple[str, ...]:
    return ("item", "label", "topic") if with_topic else ("item", "label")


def _gold_roles(frame: Frame, columns: Columns) -> tuple[str, ...]:
    present = _names(frame)
    return ("item", "gold", *(role for role in ("topic", "weight") if getattr(columns, role) in present))


def _from_one_frame(frame: Frame, options: ReadOptions) -> LabelTables:
    columns, present = options.columns, _names(frame)
    optional = tuple(role for role in ("topic", "item", "weight") if getattr(columns, role) in present)
    if {columns.run, columns.gold, columns.label} <= set(present):
        stacked, names = _numbered_runs(_columns(frame, options, ("run", "gold", "label", *optional), "the frame"))
        orders = (orders_in(present, options),) * len(names)
        keys = _keys("topic" in optional)
        return LabelTables(stacked, None, names, keys, columns, (None,) * len(names), None, "stacked", orders)
    if columns.gold not in present:
        raise UsageError("there are no runs", hint=f"pass runs=, or a frame with a column '{columns.gold}' and one per run")
    roles = {columns.item, columns.topic, columns.gold, columns.weight}
    names = options.run_columns or tuple(name for name in present if name not in roles)
    parts = [
        _columns(frame, replace(options, columns=replace(columns, label=name)), (*optional, "gold", "label"), "the frame")
        for name in names
    ]
    stacked = nw.concat([part.with_columns(run=nw.lit(index)) for index, part in enumerate(parts)])
    return LabelTables(stacked, None, names, _keys("topic" in optional), columns, (None,) * len(names), None, "side by side")


def _names(frame: Frame) -> list[str]:
    names: list[str] = frame.collect_schema().names()
    return names


def _columns(frame: Frame, options: ReadOptions, roles: Sequence[str], what: str) -> Frame:
    """The columns of these roles, under the roles' names, as text (labels as numbers where they are to be binned)."""
    present = _names(frame)
    chosen: list[nw.Expr] = []
    for role in roles:
        name = getattr(options.columns, role)
        if name not in present:
            near = did_you_mean(name, present) or f"its columns are {', '.join(islice(present, MOST_SHOWN))}"
            raise UsageError(f"{what} has no column '{name}'", hint=near)
        numeric = role == "weight" or (options.numeric and role in ("gold", "label"))
        column = nw.col(name)
        typed = column.cast(nw.Float64) if numeric else column.cast(nw.String)
        chosen.append(nw.when(~column.is_null()).then(typed).alias(role))
    if "label" in roles and options.orders:
        had = orders_in(present, options)
        present_or_not = {role: nw.col(getattr(options.columns, role)) if role in had else nw.lit(None) for role in ORDERS}
        chosen += [column.cast(nw.Float64).alias(role) for role, column in present_or_not.items()]
    try:
        return frame.select(*chosen)
    except (ValueError, TypeError, nw.exceptions.InvalidOperationError) as error:
        raise UsageError(
            f"{what}: a column cannot be read as numbers ({first_line(error)})",
            hint="weights, what orders items and labels to be binned are numbers",
        ) from None


def _numbered_runs(frame: Frame) -> tuple[Frame, tuple[str, ...]]:
    """Runs by number instead of name, and the names in the order of those numbers."""
    listed = fetch(frame.select("run").unique())["run"]
    names = tuple(sorted(str(name) for name in listed if name is not None))
    if not names:
        raise UsageError("there are no runs", hint="the column 'run' is empty")
    codes = nw.lit(None)
    for index, name in reversed(list(enumerate(names))):
        codes = nw.when(nw.col("run") == name).then(nw.lit(index)).otherwise(codes)
    return frame.with_columns(run=codes.cast(nw.Int64)), names
