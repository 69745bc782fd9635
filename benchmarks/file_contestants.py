"""What from_files.py times, each in a process of its own: python file_contestants.py CONTESTANT ANSWER FILE...

A contestant writes its counts to ANSWER as JSON: for each run (and topic) 5 x 5 numbers, rows gold, columns predicted, all in one
list. Nothing is imported but what the contestant needs.
"""

# ruff: noqa: PLC0415, S608

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

CLASSES, LOWEST = 5, -2
TSV = "delim = '\t', header = true, quote = '', escape = '', auto_detect = false"


def flat(counted: Iterable[tuple[Any, int, int, int]], keys: Sequence[Any]) -> list[int]:
    """Rows (key, gold, predicted, items) as one list of tables, in the order of the keys."""
    place = {key: index for index, key in enumerate(keys)}
    cells = [0] * (len(keys) * CLASSES**2)
    for key, gold, predicted, items in counted:
        cells[(place[key] * CLASSES + gold - LOWEST) * CLASSES + predicted - LOWEST] += items
    return cells


def ours(gold: str, *runs: str) -> dict[str, Any]:
    """Audit included."""
    from metameasure.evaluating.evidence_files import count

    counts: Any = count(gold, list(runs), classes="-2..2")
    return {"counts": counts.item_tables().astype(int).ravel().tolist()}


def ours_stacked(file: str) -> dict[str, Any]:
    from metameasure.evaluating.evidence_files import count

    counts: Any = count(file, classes="-2..2")
    return {"counts": counts.item_tables().astype(int).ravel().tolist()}


def duckdb_join(gold: str, *runs: str) -> dict[str, Any]:
    """One query with everything left as DuckDB has it; of TSV it is told the columns, so that it need not guess."""
    import duckdb

    def source(files: Sequence[str]) -> str:
        if files[0].endswith(".parquet"):
            return f"read_parquet({list(files)}, filename = true)"
        return f"read_csv({list(files)}, filename = true, {TSV}, columns = {{'item': 'VARCHAR', 'label': 'TINYINT'}})"

    query = (
        f"SELECT r.filename, g.label, r.label, count(*) FROM {source(runs)} r JOIN {source([gold])} g ON r.item = g.item "
        "GROUP BY ALL"
    )
    return {"counts": flat(duckdb.sql(query).fetchall(), runs)}


def duckdb_stacked(file: str) -> dict[str, Any]:
    import duckdb

    query = f"SELECT run, topic, gold, label, count(*) FROM read_parquet('{file}') GROUP BY ALL"
    rows = duckdb.sql(query).fetchall()
    return {"counts": flat((((run, topic), *rest) for run, topic, *rest in rows), sorted({row[:2] for row in rows}))}


def pandas_join(gold: str, *runs: str) -> dict[str, Any]:
    """File by file, as everything at once would not fit; says what one run took, to be scaled up."""
    import pandas as pd

    def read(path: str) -> pd.DataFrame:
        return pd.read_parquet(path) if path.endswith(".parquet") else pd.read_csv(path, sep="\t", engine="pyarrow")

    truth = read(gold).rename(columns={"label": "gold"})
    start, rows = time.perf_counter(), []
    for path in runs:
        sizes = read(path).merge(truth, on="item").groupby(["gold", "label"]).size()
        rows += [(path, *cell, items) for cell, items in sizes.items()]
    return {"counts": flat(rows, runs), "seconds_per_run": (time.perf_counter() - start) / len(runs)}


CONTESTANTS: dict[str, Callable[..., dict[str, Any]]] = {
    function.__name__: function for function in (ours, ours_stacked, duckdb_join, duckdb_stacked, pandas_join)
}

if __name__ == "__main__":
    name, answer, *paths = sys.argv[1:]
    Path(answer).write_text(json.dumps(CONTESTANTS[name](*paths)))
