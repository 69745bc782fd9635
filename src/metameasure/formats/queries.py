"""Label files as relations of DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import duckdb
import narwhals.stable.v2 as nw

from metameasure.errors import UsageError
from metameasure.formats.engine import connect, literal, quoted, scan
from metameasure.formats.files import File, first_line
from metameasure.formats.labels import LabelTables, ReadOptions, require_columns
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem


def long(gold: File, runs: Sequence[File], names: Sequence[str], options: ReadOptions) -> LabelTables:
    """A gold file and a file per run, to be joined by item."""
    columns = options.columns
    gold_label = columns.label if columns.label in gold.columns else columns.gold
    if gold_label not in gold.columns:
        gold_label = columns.label
    problems = require_columns(gold, {"item": columns.item, "label": gold_label})
    for file in runs:
        problems += require_columns(file, {"item": columns.item, "label": columns.label})
    if problems:
        raise DataProblems(sorted(problems))
    with_topic = columns.topic in gold.columns and all(columns.topic in file.columns for file in runs)
    keys = ("topic", "item") if with_topic else ("item",)
    connection = connect(threads=options.threads, memory=options.memory)
    gold_parts = [_text(columns.item, "item"), _label(gold_label, "gold", options)]
    gold_parts += [_text(columns.topic, "topic")] if columns.topic in gold.columns else []
    gold_parts += [_weight(columns.weight)] if columns.weight in gold.columns else []
    with reading([gold]):
        connection.execute(f"CREATE TEMP TABLE gold AS SELECT {', '.join(gold_parts)} FROM {scan(connection, [gold])}")
    run_parts = [_text(columns.item, "item"), _label(columns.label, "label", options)]
    run_parts += [_text(columns.topic, "topic")] if with_topic else []
    relation = _relation(connection, _union(connection, runs, run_parts), runs)
    return LabelTables(relation, nw.from_native(connection.table("gold")), tuple(names), keys, columns, tuple(runs), gold, "long")


def _union(connection: duckdb.DuckDBPyConnection, files: Sequence[File], parts: Sequence[str]) -> str:
    """One query over all files: those of one make in one scan each, ``run`` being the position in ``files``."""

    def make(index: int) -> tuple[Any, ...]:
        file = files[index]
        return (file.format, file.compression, file.columns, file.header)

    queries = []
    for _, alike in groupby(sorted(range(len(files)), key=make), key=make):
        positions = list(alike)
        number = f"[{', '.join(map(str, positions))}][CAST(file_index AS BIGINT) + 1]"
        source = scan(connection, [files[position] for position in positions])
        queries.append(f"SELECT {number} AS run, {', '.join(parts)} FROM {source}")
    return " UNION ALL ".join(queries)


def stacked(file: File, options: ReadOptions) -> LabelTables:
    """One file with a row per run and item: run, gold, label."""
    columns = options.columns
    connection = connect(threads=options.threads, memory=options.memory)
    source = scan(connection, [file])
    with reading([file]):
        found = connection.execute(f"SELECT DISTINCT CAST({quoted(columns.run)} AS VARCHAR) FROM {source}").fetchall()
    names = tuple(sorted(name for (name,) in found if name is not None))
    if not names:
        raise DataProblems([file.problem(0, "there are no rows", "it needs one per run and item")])
    numbers = f"list_position([{', '.join(map(literal, names))}], CAST({quoted(columns.run)} AS VARCHAR)) - 1 AS run"
    parts = [
        numbers,
        _label(columns.gold, "gold", options),
        _label(columns.label, "label", options),
        *_optional(file, options, item=False),
    ]
    query = f"SELECT {', '.join(parts)} FROM {source}"
    relation = _relation(connection, query, [file])
    return LabelTables(relation, None, names, ("item",), columns, (file,) * len(names), file, "stacked")


def gold_alone(file: File, options: ReadOptions) -> LabelTables:
    """Gold beside itself, as the one run."""
    columns = options.columns
    name = columns.gold if columns.gold in file.columns else columns.label
    problems = require_columns(file, {"label": name})
    if problems:
        raise DataProblems(problems)
    connection = connect(threads=options.threads, memory=options.memory)
    parts = ["0 AS run", _label(name, "gold", options), _label(name, "label", options), *_optional(file, options, item=False)]
    query = f"SELECT {', '.join(parts)} FROM {scan(connection, [file])}"
    return LabelTables(_relation(connection, query, [file]), None, ("gold",), ("item",), columns, (file,), file, "stacked")


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
    typed = [_label(columns.gold, "gold", options), *_optional(file, options, item=True)]
    # Runs become numbered columns, so that no name of a run can be mistaken for one of ours.
    typed += [_label(name, f"run {index}", options) for index, name in enumerate(names)]
    with reading([file]):
        connection.execute(f"CREATE TEMP TABLE wide AS SELECT {', '.join(typed)} FROM {scan(connection, [file])}")
    numbered = ", ".join(quoted(f"run {index}") for index in range(len(names)))
    query = (
        f"SELECT * EXCLUDE (name), CAST(substr(name, 5) AS BIGINT) AS run "
        f"FROM wide UNPIVOT INCLUDE NULLS (label FOR name IN ({numbered}))"
    )
    relation = _relation(connection, query, [file])
    return LabelTables(relation, None, names, ("item",), columns, (file,) * len(names), file, "side by side")


def _optional(file: File, options: ReadOptions, *, item: bool) -> list[str]:
    columns = options.columns
    parts = [_text(columns.item, "item")] if item else []
    parts += [_text(columns.topic, "topic")] if columns.topic in file.columns else []
    parts += [_weight(columns.weight)] if columns.weight in file.columns else []
    return parts


def _text(name: str, role: str) -> str:
    return f"CAST({quoted(name)} AS VARCHAR) AS {role}"


def _label(name: str, role: str, options: ReadOptions) -> str:
    typed = f"TRY_CAST({quoted(name)} AS DOUBLE)" if options.numeric else f"CAST({quoted(name)} AS VARCHAR)"
    return f"{typed} AS {quoted(role)}"


def _weight(name: str) -> str:
    return f"TRY_CAST({quoted(name)} AS DOUBLE) AS weight"


def _relation(connection: duckdb.DuckDBPyConnection, query: str, files: Sequence[File]) -> Any:
    with reading(files):
        return nw.from_native(connection.sql(query))


@contextmanager
def reading(files: Sequence[File]) -> Iterator[None]:
    """Turn the engine's complaint into ours: a second pass over the files finds the lines."""
    try:
        yield
    except duckdb.Error as error:
        problems, total = malformed(files)
        if problems:
            raise DataProblems(problems, total) from None
        shown = files[0].shown if len(files) == 1 else f"one of {files[0].shown} ... {files[-1].shown}"
        raise DataProblems([Problem(shown, 0, f"cannot be read: {first_line(error)}", "")]) from None


def malformed(files: Sequence[File]) -> tuple[list[Problem], int]:
    """Rows that are no rows: wrong length, not UTF-8, not JSON."""
    problems: list[Problem] = []
    total = 0
    for file in files:
        for line, record in file.records():
            what = _fault(file, record)
            if what:
                total += 1
                if len(problems) < MOST_SHOWN:
                    problems.append(file.problem(line, *what))
    return problems, total


def _fault(file: File, record: dict[str, Any] | None) -> tuple[str, str] | None:
    if record is None:
        return "this is not a JSON object", "JSONL has one object per line"
    if "" in record:
        found, expected = record[""], len(file.columns)
        return f"{found} fields instead of {expected}", "is a separator missing, or one too many?"
    if any(isinstance(value, str) and "\ufffd" in value for value in record.values()):
        return "bytes that are not UTF-8", "save the file as UTF-8"
    return None
