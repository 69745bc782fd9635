"""The same rows in every kind of frame and file that the program reads, a Spark-compatible engine's among them."""

import os
from functools import cache

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa

from metameasure.reading.connecting import import_client

LOCAL = ("pandas", "pandas-arrow", "polars", "polars-lazy", "pyarrow", "duckdb")
ENGINES = (*LOCAL, "spark", "csv", "jsonl", "parquet")


@cache
def spark():
    """A session of Sail, which speaks Spark Connect and needs no Java; a test that calls it is marked as needing ``spark``.
    METAMEASURE_SPARK is the address of a real Spark to use instead, as the nightly tests do."""
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    import_client()
    from pyspark.sql import SparkSession

    address, server = os.environ.get("METAMEASURE_SPARK"), None
    if not address:
        os.environ["SAIL_SPARK__SESSION_TIMEOUT_SECS"] = "86400"  # it would end while tests of other things run on a busy machine
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer("127.0.0.1", 0)
        server.start(background=True)
        address = f"sc://127.0.0.1:{server.listening_address[1]}"
    session = SparkSession.builder.remote(address).getOrCreate()
    session.address, session.kept = address, server  # or it would be collected
    return session


FRAMES = {
    "pandas": pd.DataFrame,
    "pandas-arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "polars-lazy": lambda columns: pl.LazyFrame(columns, strict=False),
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
    "spark": lambda columns: spark().createDataFrame(pa.table(columns)),
}


def made(engine, columns, folder, name):
    """Columns as a frame of an engine's library, or as a file."""
    if engine in FRAMES:
        return FRAMES[engine](columns)
    path = folder / f"{name}.{engine}"
    relation = duckdb.from_arrow(pa.table(columns))
    if engine == "parquet":
        relation.write_parquet(str(path))
    elif engine == "csv":
        relation.write_csv(str(path))
    else:
        relation.query("rows", f"COPY rows TO '{path}' (FORMAT json)")
    return path
