"""Files and frames of rankings, in every format of the interface, as flat columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.formats import paths
from metameasure.formats.files import File
from metameasure.formats.frames import local_frame
from metameasure.formats.inspection import inspect, uncompressed
from metameasure.formats.jcml import read_jcml
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.formats.ranking_audit import ONE_ROW, TableColumns, gold_problems
from metameasure.formats.ranking_rows import (
    FORMATS,
    Floats,
    GoldRows,
    Holds,
    Layout,
    RankingOptions,
    RankingTables,
    laid_out,
    texts,
)
from metameasure.formats.trec import TrecRows, read_trec, shape_of
from metameasure.formats.wmt import is_wmt, read_wmt
from metameasure.notes import Note

if TYPE_CHECKING:
    from metameasure.formats.ranking_queries import Joiner, RunRows

__all__ = ["FORMATS", "RankingOptions", "RankingTables", "read_ranking_frames", "read_rankings"]

Kind = Literal["table", "wmt", "jcml", "run", "qrels"]


def read_rankings(gold: str | Path, runs: Sequence[str | Path], options: RankingOptions, scratch: Path) -> RankingTables:
    """Gold and runs from files. Runs may also stand beside gold (``run_columns``), and there may be none.

    UsageError for paths and options that are wrong, DataProblems for files that are.
    """
    (gold_shown, gold_path), *more = paths.expand([gold], scratch)
    if more:
        raise UsageError(f"'{gold}' matches {len(more) + 1} files, but gold is one", hint="name it, and the runs after it")
    found = paths.expand(runs, scratch)
    paths.check_distinct(gold_path, found)
    names = paths.run_names([shown for shown, _ in found])
    problems: list[Problem] = []
    gold_source: File | GoldRows | None = None
    run_sources: list[tuple[str, File | TrecRows]] = []
    try:
        gold_source = _gold_source(gold_shown, gold_path, options, scratch)
    except DataProblems as error:
        problems += error.problems
    for name, (shown, path) in zip(names, found, strict=True):
        try:
            run_sources.append((name, _run_source(shown, path, options, scratch)))
        except DataProblems as error:
            problems += error.problems
    if problems or gold_source is None:
        raise DataProblems(problems)
    return _put_together(gold_source, gold_shown, run_sources, options)


def read_ranking_frames(gold: Any, runs: Any, options: RankingOptions, scratch: Path) -> RankingTables:
    """The same from data frames of any library that Narwhals knows, in the long form or with runs beside gold. ``runs`` are
    frames by name, or one with a column of runs.

    A missing value in a frame, NaN too, is an item that is not ranked. Problems name rows instead of lines, counted from 1.
    """
    gold_file = _spooled(gold, "gold", scratch / "gold.parquet")
    run_files: list[tuple[str, File | TrecRows]] = [
        (str(name), _spooled(frame, f"run '{name}'", scratch / f"run-{place}.parquet"))
        for place, (name, frame) in enumerate(_by_name(runs, options.columns.run).items())
    ]
    return _put_together(gold_file, "gold", run_files, options)


def _kind(shown: str, path: Path, wanted: str | None, trec: Kind) -> Kind:
    """What kind of file this is, by the user's word or by its beginning; ``trec`` is the side of TREC's that is expected."""
    if wanted == "trec":
        return trec
    if wanted == "jcml":
        return "jcml"
    with path.open("rb") as stream:
        empty = not stream.read(1)
    if empty:
        hint = "it needs rankings: one row per segment and item, or jcml, or TREC's lines"
        raise DataProblems([Problem(shown, 0, "the file is empty", hint)])
    with uncompressed(shown, path) as stream:
        line = stream.readline(1 << 16).removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if line.lstrip().startswith("<"):
        return "jcml"
    shape = shape_of(line)
    return shape if shape in ("run", "qrels") else "table"  # type: ignore[return-value]


def _gold_source(shown: str, path: Path, options: RankingOptions, scratch: Path) -> File | GoldRows:
    match _kind(shown, path, options.format_in, "qrels"):
        case "jcml":
            return read_jcml(shown, path, options)
        case "qrels":
            return read_trec(shown, path, "qrels").as_gold()
        case "run":
            what, hint = "this is a TREC run, not qrels", "gold comes first: metameasure evaluate QRELS RUN..."
            raise DataProblems([Problem(shown, 1, what, hint)])
        case _:
            file = inspect(shown, path, options.columns, scratch)
            if options.format_in == "wmt" or is_wmt(file.columns):
                return read_wmt(file, options)
            return file


def _run_source(shown: str, path: Path, options: RankingOptions, scratch: Path) -> File | TrecRows:
    wanted = options.format_in if options.format_in == "trec" else None  # the others are formats of gold
    match _kind(shown, path, wanted, "run"):
        case "jcml":
            hint = "in jcml the runs stand beside gold: name that file alone, and --run-columns"
            raise DataProblems([Problem(shown, 0, "jcml as the file of a run", hint)])
        case "qrels":
            raise DataProblems([Problem(shown, 1, "these are TREC qrels, not a run", "a run's lines have six fields")])
        case "run":
            return read_trec(shown, path, "run")
        case _:
            file = inspect(shown, path, options.columns, scratch)
            if is_wmt(file.columns):
                hint = "a run has a row per segment and item, with a rank or a score"
                raise DataProblems([file.problem(1, "a WMT file of human rankings as the file of a run", hint)])
            return file


def _put_together(
    source: File | GoldRows, shown: str, runs: Sequence[tuple[str, File | TrecRows]], options: RankingOptions
) -> RankingTables:
    """Gold in order, and the runs joined to it."""
    if isinstance(source, GoldRows) and not runs:
        layout = _checked_layout(source, source, shown, None)
        return _tables(source, layout, _Joined(), options)
    from metameasure.formats.engine import connect  # noqa: PLC0415 - DuckDB, where there is something for it to do
    from metameasure.formats.ranking_queries import Joiner, RunRows, gold_columns, read_gold_table  # noqa: PLC0415

    connection = connect(threads=options.threads, memory=options.memory)
    columns: TableColumns | None = None
    if isinstance(source, File):
        columns = gold_columns(source, options, alone=not runs)
        rows, graded = read_gold_table(connection, source, columns), False
    else:
        rows, graded = source, source.graded
    listed = [RunRows(name, run) for name, run in runs]
    if graded and (options.missing == "last" or options.extra):
        what = "--missing last" if options.missing == "last" else "--extra"
        hint = "what a run does not retrieve has no rank, and what nobody judged is irrelevant: leave it out"
        raise UsageError(f"{what} is not for TREC's files", hint=hint)
    if graded:
        judged = laid_out(rows)
        rows = _with_unjudged(rows, listed, Joiner(connection, judged, _needed(rows, judged)))
    layout = _checked_layout(source, rows, shown, columns)
    joined = _Joined()
    if listed:
        partial = not isinstance(source, File) and not rows.names  # WMT's judges see a few systems each, TREC's a few documents
        extra_allowed = options.extra == "ignore" if options.extra else partial
        allowed = {"extra_allowed": extra_allowed, "missing_allowed": options.missing is not None or graded}
        joined = _join(Joiner(connection, layout, _needed(rows, layout)), listed, options, allowed)
    return _tables(rows, layout, joined, options)


@dataclass(frozen=True)
class _Joined:
    """Runs joined to gold: names, values for each segment and item, what they hold, and what to say."""

    names: tuple[str, ...] = ()
    values: tuple[Floats, ...] = ()
    holds: tuple[Holds, ...] = ()
    notes: tuple[str, ...] = ()


def _join(joiner: Joiner, runs: Sequence[RunRows], options: RankingOptions, allowed: Mapping[str, bool]) -> _Joined:
    from metameasure.formats.ranking_queries import run_columns  # noqa: PLC0415

    problems: list[Problem] = []
    total = 0
    values: list[Floats] = []
    holds: list[Holds] = []
    notes: list[str] = []
    for run in runs:
        try:
            chosen, said = run_columns(run, options)
            joined, lacking, extra = joiner.joined(run, chosen, **allowed)
        except DataProblems as error:
            problems += error.problems
            total += error.total
            continue
        values.append(joined)
        holds.append(chosen.values[chosen.first])
        notes += said + _counted(run.name, lacking, extra, options)
    if problems:
        raise DataProblems(problems, total)
    return _Joined(tuple(run.name for run in runs), tuple(values), tuple(holds), tuple(notes))


def _tables(rows: GoldRows, layout: Layout, joined: _Joined, options: RankingOptions) -> RankingTables:
    if options.run_columns and not rows.names:
        raise UsageError("this format has no columns of runs", hint="name the runs' files instead of --run-columns")
    values = [*rows.beside[:, layout.order], *(value[layout.pairs] for value in joined.values)]
    return RankingTables(
        runs=(*rows.names, *joined.names),
        topics=layout.topics,
        sources=layout.sources,
        judges=layout.judges,
        starts=layout.starts,
        items=layout.items,
        item_names=layout.item_names,
        gold=rows.value[layout.order],
        gold_are=rows.holds,
        values=np.array(values).reshape(len(values), len(rows)),
        runs_are=(*(rows.beside_hold,) * len(rows.names), *joined.holds),
        options=options,
        notes=(*rows.notes, *joined.notes),
        graded=rows.graded,
    )


def _counted(name: str, lacking: int, extra: int, options: RankingOptions) -> list[str]:
    done = "ranked behind all others" if options.missing == "last" else "not ranked"
    notes = [f"{name}: {lacking} missing item(s) {done}"] if lacking else []
    return notes + ([f"{name}: {extra} row(s) on items that gold does not have left out"] if extra else [])


def _needed(rows: GoldRows, layout: Layout) -> npt.NDArray[np.bool_]:
    """Which segments and items some judge ranks: only there does a run have to answer."""
    needed = np.zeros(len(layout.pair_items), bool)
    needed[layout.pairs[~np.isnan(rows.value[layout.order])]] = True
    return needed


def _with_unjudged(rows: GoldRows, runs: Sequence[RunRows], joiner: Joiner) -> GoldRows:
    """Documents that a run of TREC has retrieved and nobody has judged count as judged irrelevant, as in trec_eval."""
    retrieved = [run for run in runs if isinstance(run.rows, TrecRows)]
    if not retrieved:
        return rows
    ties = Note("documents with equal scores stay tied (trec_eval orders them by id)")
    segments, items = joiner.unjudged(retrieved)
    if not len(items):
        return replace(rows, notes=(*rows.notes, ties))
    return replace(
        rows,
        source=np.concatenate([rows.source, segments]),
        item=np.concatenate([rows.item, items]),
        value=np.concatenate([rows.value, np.zeros(len(items))]),
        beside=np.empty((0, len(rows) + len(items))),
        lines=None,
        notes=(*rows.notes, ties, f"{len(items)} retrieved document(s) that nobody judged count as irrelevant"),
    )


def _checked_layout(source: File | GoldRows, rows: GoldRows, shown: str, columns: TableColumns | None) -> Layout:
    """Gold in order. DataProblems where an item is in a ranking twice, or a ranking ranks nothing."""
    layout = laid_out(rows)
    ranked = np.add.reduceat(~np.isnan(rows.value[layout.order]), layout.starts[:-1])
    nothing = np.flatnonzero(ranked == 0)
    if not len(layout.repeated) and not len(nothing):
        return layout
    if isinstance(source, File) and columns is not None:
        gold_problems(shown, source.records(), columns)
    lines = rows.lines if rows.lines is not None else np.zeros(len(rows), np.int64)
    problems = [
        Problem(shown, int(lines[row]), f"item '{rows.item[row]}' of segment '{rows.source[row]}' again", ONE_ROW)
        for row in layout.repeated[:MOST_SHOWN].tolist()
    ]
    for segment in nothing[:MOST_SHOWN].tolist():
        line = int(lines[layout.order[layout.starts[segment] : layout.starts[segment + 1]]].min())
        what = f"no item of segment '{layout.sources[segment]}' is ranked"
        problems.append(Problem(shown, line, what, "rank some of its items, or remove it"))
    raise DataProblems(problems, len(layout.repeated) + len(nothing))


def _by_name(runs: Any, column: str) -> Mapping[str, Any]:
    """Frames by name, as they are given; or one frame taken apart by its column of runs."""
    if runs is None or isinstance(runs, Mapping):
        return runs or {}
    hint = f"pass {{name: frame, ...}}, or one frame with a column '{column}'"
    try:
        known: Any = nw.from_native(runs)
    except TypeError:
        raise UsageError(f"the runs are {type(runs).__name__}, not data frames", hint=hint) from None
    if column not in known.collect_schema().names():
        raise UsageError(f"the frame of runs has no column '{column}'", hint=hint)
    if isinstance(known, nw.LazyFrame) and not known.implementation.is_duckdb():
        known = known.collect()
    distinct = known.select(nw.col(column)).unique()
    names = [name for (name,) in (distinct.to_native().fetchall() if isinstance(known, nw.LazyFrame) else distinct.rows())]
    if any(_cell(name) is None for name in names):
        raise UsageError(f"a row of the runs has nothing in the column '{column}'", hint="name the run of every row")
    return {str(name): known.filter(nw.col(column) == name).to_native() for name in sorted(names)}


def _spooled(frame: Any, what: str, path: Path) -> File:
    """A frame as a file that the engine reads like any other."""
    from metameasure.formats.engine import connect, quoted  # noqa: PLC0415

    known = local_frame(frame, what)
    if isinstance(known, nw.LazyFrame):
        known.to_native().write_parquet(str(path))
        return File(path, what, "parquet", "", tuple(known.collect_schema().names()))
    names = tuple(known.columns)
    listed = {f"c{place}": texts([_cell(value) for value in known[name].to_list()]) for place, name in enumerate(names)}
    connection = connect()
    connection.register("spooled", listed)
    chosen = ", ".join(f"c{place} AS {quoted(name)}" for place, name in enumerate(names))
    connection.sql(f"SELECT {chosen} FROM spooled").write_parquet(str(path))  # noqa: S608 - names are quoted
    return File(path, what, "parquet", "", names)


def _cell(value: Any) -> Any:
    """Any value as text, and nothing where it is missing (NaN, as pandas marks it)."""
    return None if value is None or value != value else str(value)  # noqa: PLR0124
