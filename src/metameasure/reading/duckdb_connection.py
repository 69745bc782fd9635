"""DuckDB is opened here: in memory, away from the network, and kept for the next file."""

from __future__ import annotations

import atexit
import os
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_DATABASES: dict[tuple[Any, ...], Any] = {}
atexit.register(_DATABASES.clear)  # while DuckDB is still there: later it would complain of objects that are left
if hasattr(os, "register_at_fork"):  # a child lacks the threads of its parent's databases: it could neither use nor close them
    os.register_at_fork(before=_DATABASES.clear)


def connected(*, threads: int | None = None, memory: int | None = None, ordered: bool = False) -> Any:
    """A connection of its own to a private database in memory that never reaches for the network. The process keeps the database,
    since opening one takes longer than reading a small file, unless ``memory`` limits the bytes that it manages: then what it
    writes to disk goes with it. ``ordered`` keeps rows in the order of their file."""
    import duckdb  # noqa: PLC0415 - only for what Python cannot read by itself

    if memory is not None:
        return _database(threads, ordered, {"memory_limit": f"{memory}B"})
    kept = _kept(threads, ordered)
    try:
        database = _DATABASES[kept]
        database.execute("SELECT 1")
    except (KeyError, duckdb.Error):  # a damaged file can put a database out of action, but not the files after it
        database = _DATABASES[kept] = _database(threads, ordered, {})
    return database.cursor()


def not_kept(*, threads: int | None = None, ordered: bool = False) -> None:
    """The process no longer keeps such a database, so that its memory goes back with the last connection to it."""
    _DATABASES.pop(_kept(threads, ordered), None)


def _kept(threads: int | None, ordered: bool) -> tuple[Any, ...]:
    return tempfile.gettempdir(), threads, ordered


def _database(threads: int | None, ordered: bool, limits: Mapping[str, str]) -> Any:
    import duckdb  # noqa: PLC0415 - as above

    return duckdb.connect(
        ":memory:",
        config={
            "preserve_insertion_order": str(ordered).lower(),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "threads": str(threads or os.cpu_count() or 1),
            # Left to itself it may build its hash table from the runs instead of gold, at several times the memory. DuckDB 2.0
            # concludes from the statistics of a Parquet file, which leave NaN out, that no value is NaN.
            "disabled_optimizers": "build_side_probe_side,statistics_propagation",
            # What does not fit into memory goes where temporary files go, not into the folder that the user happens to be in.
            "temp_directory": str(Path(tempfile.gettempdir()) / f"metameasure-{secrets.token_hex(8)}"),
            **limits,
        },
    )
