"""Label files as relations of DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import duckdb
import narwhals.stable.v2 as nw

from metameasure.errors import UsageError
from metameasure.formats.engine import column, connect, literal, quoted, scan
from metameasure.formats.files import File, first_line
from metameasure.formats.labels import ORDERS, LabelTables, ReadOptions, gold_label_column, orders_in, require_columns
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem


def long(gold: File, runs: Sequence[File], names: Sequence[str], options: ReadOptions) -> LabelTables:
    """A gold file and a file per run, to be joined by item."""
    columns = options.columns
    gold_label = gold_label_column(gold.columns, columns)
    problems = require_columns(gold, {"item": columns.item, "label": gold_label})
    for file in runs:
        problems += require_columns(file, {"item": columns.item, "label": columns.label})
    if problems:
        raise DataProblems(sorted(problems))
    with_topic = columns.topic in gold.columns and all(columns.topic in file.columns for file in runs)
    keys = ("topic", "item") if with_topic else ("item",)
    connection = connect(threads=options.threads, memory=options.memory)
    gold_parts = [_label(gold, gold_label, "gold", options), *_optional(gold, options)]
    with reading([gold]):
        connection.execute(f"CREATE TEMP TABLE gold AS SELECT {', '.join(gold_parts)} FROM {scan(connection, [gold])}")
    relation = _relation(connection, _union(connection, runs, options, with_topic=with_topic), runs)
    orders = tuple(orders_in(file.columns, options) for file in runs)
    of_gold = nw.from_native(connection.table("gold"))
    return LabelTables(relation, of_gold, tuple(names), keys, columns, tuple(runs), gold, "long", orders)


def _union(connection: duckdb.DuckDBPyConnection, files: Sequence[File], options: ReadOptions, *, with_topic: bool) -> str:
    """One query over all files: those of one make in one scan each, ``run`` being the position in ``files``."""

    def make(index: int) -> tuple[Any, ...]:
        file = files[index]
        alone = index if "file_index" in file.columns and file.format == "parquet" else -1  # it would hide the engine's own
        return (file.format, file.compression, file.columns, file.header, alone)

    queries = []
    for (*_, alone), alike in groupby(sorted(range(len(files)), key=make), key=make):
        positions = list(alike)
        file = files[positions[0]]
        number = f"[{', '.join(map(str, positions))}][CAST(file_index AS BIGINT) + 1]" if alone < 0 else str(alone)
        parts = [_text(file, options.columns.item, "item"), _label(file, options.columns.label, "label", options)]
        parts += [_text(file, options.columns.topic, "topic")] if with_topic else []
        parts += _orders(file, options)
        queries.append(
            f"SELECT {number} AS run, {', '.join(parts)} FROM {scan(connection, [files[place] for place in positions])}"
        )
    return " UNION ALL ".join(queries)


def stacked(file: File, options: ReadOptions) -> LabelTables:
    """One file with a row per run and item: run, gold, label."""
    columns = options.columns
    connection = connect(threads=options.threads, memory=options.memory)
    source = scan(connection, [file])
    with reading([file]):
        found = connection.execute(f"SELECT DISTINCT CAST({column(file, columns.run)} AS VARCHAR) FROM {source}").fetchall()
    names = tuple(sorted(name for (name,) in found if name is not None))
    if not names:
        raise DataProblems([file.problem(0, "there are no rows", "it needs one per run and item")])
    numbers = f"list_position([{', '.join(map(literal, names))}], CAST({column(file, columns.run)} AS VARCHAR)) - 1 AS run"
    parts = [
        numbers,
        _label(file, columns.gold, "gold", options),
        _label(file, columns.label, "label", options),
        *_optional(file, options),
        *_orders(file, options),
    ]
    query = f"SELECT {', '.join(parts)} FROM {source}"
    relation = _relation(connection, query, [file])
    orders = (orders_in(file.columns, options),) * len(names)
    return LabelTables(relation, None, names, _keys(file, options), columns, (file,) * len(names), file, "stacked", orders)


def gold_alone(file: File, options: ReadOptions) -> LabelTables:
    """Gold beside itself, as the one run."""
    columns = options.columns
    name = gold_label_column(file.columns, columns)
    problems = require_columns(file, {"label": name})
    if problems:
        raise DataProblems(problems)
    connection = connect(threads=options.threads, memory=options.memory)
    parts = ["0 AS run", _label(file, name, "gold", options), _label(file, name, "label", options), *_optional(file, options)]
    query = f"SELECT {', '.join(parts)} FROM {scan(connection, [file])}"
    relation = _relation(connection, query, [file])
    return LabelTables(relation, None, ("gold",), _keys(file, options), columns, (file,), file, "stacked")


def side_by_side(file: File, options: ReadOptions) -> LabelTables:
    """One file with a column for gold and one for each run."""
    columns = options.columns
    roles = {columns.item, columns.topic, columns.gold, columns.weight}
    names = options.run_columns or tuple(name for name in file.columns if name not in roles)
    problems = require_columns(file, {"item": columns.item})
    problems += [
        file.problem(1, f"there is no column '{name}'", f"its columns are {', '.join(file.columns)}")
        for name in set(names) - {*file.columns}
    ]
    if problems:
        raise DataProblems(problems)
    if not names:
        raise UsageError(f"'{file.shown}' has no column for a run", hint="beside item and gold it needs one per run")
    connection = connect(threads=options.threads, memory=options.memory)
    typed = [_label(file, columns.gold, "gold", options), *_optional(file, options)]
    # Runs become numbered columns, so that no name of a run can be mistaken for one of ours.
    typed += [_label(file, name, f"run {index}", options) for index, name in enumerate(names)]
    with reading([file]):
        connection.execute(f"CREATE TEMP TABLE wide AS SELECT {', '.join(typed)} FROM {scan(connection, [file])}")
    numbered = ", ".join(quoted(f"run {index}") for index in range(len(names)))
    query = (
        f"SELECT * EXCLUDE (name), CAST(substr(name, 5) AS BIGINT) AS run "
        f"FROM wide UNPIVOT INCLUDE NULLS (label FOR name IN ({numbered}))"
    )
    relation = _relation(connection, query, [file])
    return LabelTables(relation, None, names, _keys(file, options), columns, (file,) * len(names), file, "side by side")


def _keys(file: File, options: ReadOptions) -> tuple[str, ...]:
    return ("topic", "item") if options.columns.topic in file.columns else ("item",)


def _optional(file: File, options: ReadOptions) -> list[str]:
    """The columns that a file may have: item, topic, weight."""
    columns = options.columns
    parts = [_text(file, name, role) for role, name in (("item", columns.item), ("topic", columns.topic)) if name in file.columns]
    return parts + ([f"{_number(file, columns.weight)} AS weight"] if columns.weight in file.columns else [])


def _orders(file: File, options: ReadOptions) -> list[str]:
    """The columns by which a run orders its items, where they are asked for; empty where the file lacks one."""
    had = orders_in(file.columns, options)
    numbers = {role: _number(file, getattr(options.columns, role)) if role in had else "CAST(NULL AS DOUBLE)" for role in ORDERS}
    return [f"{number} AS {role}" for role, number in numbers.items()] if options.orders else []


def _text(file: File, name: str, role: str) -> str:
    return f"NULLIF(CAST({column(file, name)} AS VARCHAR), '') AS {role}"


def _label(file: File, name: str, role: str, options: ReadOptions) -> str:
    typed = _number(file, name) if options.numeric else f"CAST({column(file, name)} AS VARCHAR)"
    return f"{typed} AS {quoted(role)}"


def _number(file: File, name: str) -> str:
    """A number, or nothing where there is none. NULLIF keeps the engine from casting in its reader, which would fail instead."""
    return f"TRY_CAST(NULLIF(CAST({column(file, name)} AS VARCHAR), '') AS DOUBLE)"


def _relation(connection: duckdb.DuckDBPyConnection, query: str, files: Sequence[File]) -> Any:
    with reading(files):
        return nw.from_native(connection.sql(query))


@contextmanager
def reading(files: Sequence[File]) -> Iterator[None]:
    """Turn the engine's complaint into ours: a second pass over the files finds the lines."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise UsageError(f"there is not enough memory ({first_line(error)})", hint="allow more with --memory") from None
    except duckdb.Error as error:
        problems, total = malformed(files)
        if not problems:
            problems = [
                file.problem(0, f"cannot be read: {why}", "is it damaged, or of another format?")
                for file, why in _unreadable(files)
            ]
        if problems:
            raise DataProblems(problems, total) from None
        raise DataProblems([files[0].problem(0, f"cannot be read: {first_line(error)}", "is it damaged?")]) from None


def _unreadable(files: Sequence[File]) -> Iterator[tuple[File, str]]:
    """The files that the engine cannot get through, each by itself."""
    for file in files:
        connection = connect()
        try:
            connection.execute(f"SELECT max({column(file, file.columns[0])}) FROM {scan(connection, [file])}").fetchall()
        except duckdb.Error as error:
            yield file, first_line(error)


def malformed(files: Sequence[File]) -> tuple[list[Problem], int]:
    """Rows that are no rows: wrong length, not UTF-8, not JSON, other line ends than the first."""
    problems: list[Problem] = []
    total = 0
    for file in files:
        try:
            faults = [*_faults(file)]
        except DataProblems as error:
            faults = list(error.problems)
        total += len(faults)
        problems += faults[: MOST_SHOWN - len(problems)]
    return problems, total


def _faults(file: File) -> Iterator[Problem]:
    for record in file.records():
        if record.fault:
            yield file.problem(record.line, record.fault, record.hint)
        elif any(isinstance(value, str) and "\ufffd" in value for value in record.values.values()):
            yield file.problem(record.line, "bytes that are not UTF-8", "save the file as UTF-8")
    odd = file.odd_line_end()
    if odd:
        yield file.problem(
            odd, "this line ends differently from the first (LF and CRLF are mixed)", "save the file with one kind of line end"
        )
