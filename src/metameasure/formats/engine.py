"""DuckDB, set up the way our queries need it, and files as its relations."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import duckdb

from metameasure.errors import UsageError
from metameasure.formats.files import File, arrow_table, literal_path

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
# Of the memory a user grants us, the share that DuckDB may manage: what it uses beside that is about as much again.
_MANAGED_SHARE = 0.6


def connect(*, threads: int | None = None, memory: str | None = None) -> duckdb.DuckDBPyConnection:
    """A private in-memory database that never reaches for the network."""
    connection = duckdb.connect(
        ":memory:",
        config={
            "preserve_insertion_order": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": str(threads or os.cpu_count() or 1),
        },
    )
    # Left to itself it may build its hash table from the runs instead of gold, at several times the memory.
    connection.execute("SET disabled_optimizers = 'build_side_probe_side'")
    connection.execute("SET enable_progress_bar = false")
    if memory is not None:
        connection.execute(f"SET memory_limit = '{int(bytes_of(memory) * _MANAGED_SHARE)}B'")
    return connection


def bytes_of(size: str) -> float:
    """2GB, 512 MB, ...

    >>> bytes_of("2GB")
    2000000000.0
    """
    match = _SIZE.fullmatch(size.strip())
    if not match or not float(match[1]):
        raise UsageError(f"'{size}' is not an amount of memory", hint="as in 2GB")
    return float(match[1]) * _UNITS[match[2].upper()]


def quoted(name: str) -> str:
    """A column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def column(file: File, name: str) -> str:
    """A column of a scan in SQL. In text files columns go by their place, so that no name can clash with anything."""
    match file.format:
        case "csv" | "tsv":
            return f"c{file.columns.index(name)}"
        case "jsonl":
            return f"(json ->> {literal('$.' + quoted(name))})"
        case _:
            return quoted(name)


def scan(connection: duckdb.DuckDBPyConnection, files: Sequence[File]) -> str:
    """A FROM item over files that have the same format and columns; its ``file_index`` numbers them from 0."""
    first = files[0]
    if first.format == "arrow":
        return _arrow_scan(connection, files)
    paths = "[" + ", ".join(literal(literal_path(file.path)) for file in files) + "]"
    if first.format == "parquet":
        return f"read_parquet({paths})"
    compression = {"": "uncompressed", "gz": "gzip", "zst": "zstd"}[first.compression]
    if first.format == "jsonl":
        return f"read_json_objects({paths}, format = 'newline_delimited', compression = '{compression}')"
    columns = "{" + ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(first.columns))) + "}"
    quote = "'\"'" if first.quoted else "''"
    return (
        f"read_csv({paths}, delim = {literal(first.delimiter)}, header = {str(first.header).lower()}, quote = {quote}, "
        f"escape = {quote}, nullstr = '', auto_detect = false, compression = '{compression}', columns = {columns})"
    )


def _arrow_scan(connection: duckdb.DuckDBPyConnection, files: Sequence[File]) -> str:
    views = []
    for index, file in enumerate(files):
        table: Any = arrow_table(file.path, file.shown)
        name = f"arrow_{abs(hash(file.path))}"
        connection.register(name, table)
        views.append(f"SELECT {index} AS file_index, * FROM {name}")  # noqa: S608
    return "(" + " UNION ALL BY NAME ".join(views) + ")"
