"""Files that a cluster reads where they are: by Spark, or by whatever speaks Spark Connect."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from metameasure.errors import UsageError
from metameasure.formats.files import first_line
from metameasure.lazily import nw
from metameasure.tables.frames import ClusterFrame

_LOCAL = "local[*]"
_WHERE = "is it where the cluster can read it?"
_NAMED = re.compile(r"\.(csv|tsv|jsonl|parquet)(\.gz|\.zst)?$", re.IGNORECASE)
# Quotes as DuckDB reads them here: doubled inside a quoted field of CSV, characters like any other in TSV.
_TEXT = {"header": "true", "mode": "FAILFAST", "enforceSchema": "false", "encoding": "UTF-8"}
# By ending, what Spark calls the format, and how it is read.
_FORMATS: dict[str, tuple[str, dict[str, str]]] = {
    "csv": ("csv", {**_TEXT, "sep": ",", "quote": '"', "escape": '"'}),
    "tsv": ("csv", {**_TEXT, "sep": "\t", "quote": ""}),
    "jsonl": ("json", {"mode": "FAILFAST"}),
    "parquet": ("parquet", {}),
}


@cache
def _session(master: str) -> Any:
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 - only those who have a cluster pay for it
    except ImportError:
        raise UsageError("Spark is not installed", hint="pip install 'metameasure[spark]'") from None
    builder: Any = SparkSession.builder
    try:
        if master.startswith("sc://"):
            return builder.remote(master).getOrCreate()
        return builder.master(master).appName("metameasure").getOrCreate()
    except Exception as error:  # of pyspark, grpc or py4j, as it happens
        raise UsageError(f"Spark cannot be reached at {master}: {first_line(error)}", hint="check --master") from None


def read(path: str | Path, master: str | None) -> ClusterFrame:
    """A table that the cluster reads. UsageError where it cannot."""
    text = str(path)
    named = _NAMED.search(text)
    if named is None:
        raise UsageError(f"Spark does not read '{text}' here", hint="name a file that ends in .csv, .tsv, .jsonl or .parquet")
    where = text if "://" in text else str(Path(text).absolute())
    format, options = _FORMATS[named[1].lower()]
    try:
        frame = _session(master or _LOCAL).read.format(format).options(**options).load(where)
        cluster_frame = ClusterFrame(text, nw.from_native(frame))
    except Exception as error:
        if not is_of_cluster(error):
            raise
        raise UsageError(f"Spark cannot read '{text}': {first_line(error)}", hint=_WHERE) from None
    if not cluster_frame.columns:  # as some clusters say that there is no such file
        raise UsageError(f"Spark cannot read '{text}': it finds no columns", hint=_WHERE)
    return cluster_frame


def is_of_cluster(error: Exception) -> bool:
    """Whether the error comes from the cluster's client."""
    return type(error).__module__.partition(".")[0] in ("pyspark", "grpc", "py4j")
