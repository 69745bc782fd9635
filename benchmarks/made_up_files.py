"""Label files for from_files.py, written by DuckDB: python made_up_files.py FOLDER RUNS ITEMS STACKED_ROWS."""

# ruff: noqa: S608

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

STACKED_RUNS, TOPICS = 20, 100


def label(item: str, run: str) -> str:
    """A run's label from column ``gold``: right, one step off, or anywhere."""
    draw = f"(hash({item}, {run}) % 100)"
    near = f"greatest(-2, least(2, gold + CASE WHEN {draw} < 70 THEN -1 ELSE 1 END))"
    anywhere = f"CAST(hash({run}, {item}, 'anywhere') % 5 AS TINYINT) - 2"
    return f"CAST(CASE WHEN {draw} < 50 THEN gold WHEN {draw} < 90 THEN {near} ELSE {anywhere} END AS TINYINT)"


def long_files(folder: Path, runs: int, items: int) -> None:
    """Gold and runs, each as TSV and as Parquet with the same rows, in an order of its own."""
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")
    connection.execute(
        "CREATE TABLE gold AS SELECT i, format('tweet-{:09d}', i) AS item, CAST(hash(i) % 5 AS TINYINT) - 2::TINYINT AS gold "
        f"FROM range({items}) t(i)"
    )
    for run in range(runs + 1):
        name = f"run{run:02d}" if run else "gold"
        value = label("i", str(run)) if run else "gold"
        connection.execute(
            f"CREATE OR REPLACE TABLE rows AS SELECT item, {value} AS label FROM gold ORDER BY hash(i, {run}, 'order')"
        )
        connection.execute(f"COPY rows TO '{folder}/{name}.parquet'")
        connection.execute(f"COPY rows TO '{folder}/{name}.tsv' (FORMAT csv, DELIMITER '\t', HEADER, QUOTE '')")


def stacked_file(folder: Path, rows: int) -> None:
    """All runs in one Parquet file, run after run, without the items' ids."""
    items = rows // STACKED_RUNS
    numbered = f"SELECT i // {items} AS run, i % {items} AS i FROM range({items * STACKED_RUNS}) t(i)"
    gold = f"SELECT run, i, CAST(hash(i) % 5 AS TINYINT) - 2::TINYINT AS gold FROM ({numbered})"
    names = f"format('run{{:02d}}', run) AS run, format('topic-{{:03d}}', hash(i, 'topic') % {TOPICS}) AS topic"
    duckdb.execute("SET enable_progress_bar = false")
    duckdb.execute(f"COPY (SELECT {names}, gold, {label('i', 'run')} AS label FROM ({gold})) TO '{folder}/stacked.parquet'")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    number_of_runs, number_of_items, stacked_rows = map(int, sys.argv[2:])
    long_files(target, number_of_runs, number_of_items)
    stacked_file(target, stacked_rows)
