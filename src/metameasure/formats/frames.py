"""A user's data frame, of any library that Narwhals knows."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from metameasure.errors import UsageError
from metameasure.scale import is_missing


def known_frame(frame: Any, what: str) -> Any:
    """The frame as Narwhals has it; UsageError where it is none."""
    try:
        return nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"{what} is {type(frame).__name__}, not a data frame",
            hint="pass a path, or a pandas, polars, pyarrow or DuckDB frame",
        ) from None


def local_frame(frame: Any, what: str) -> Any:
    """The same: lazy for DuckDB, which computes where its data is; otherwise in memory."""
    known = known_frame(frame, what)
    return known.collect() if isinstance(known, nw.LazyFrame) and not known.implementation.is_duckdb() else known


def is_frame(value: Any) -> bool:
    """Whether Narwhals knows it as a data frame."""
    try:
        nw.from_native(value)
    except TypeError:
        return False
    return True


def fetch(frame: Any) -> dict[str, list[Any]]:
    """The columns of a frame of Narwhals as lists, missing values as None."""
    if isinstance(frame, nw.LazyFrame):
        columns = frame.to_native().fetchnumpy()
        return {name: column.tolist() for name, column in columns.items()}  # a masked array lists None
    listed = {str(name): frame.get_column(name).to_list() for name in frame.columns}
    return {name: [None if is_missing(value) else value for value in column] for name, column in listed.items()}
