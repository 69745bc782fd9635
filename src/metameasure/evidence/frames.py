"""The few things that Narwhals has no expression for, for each kind of engine: DuckDB's relations, and frames in memory."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from metameasure.formats.frames import fetch
from metameasure.formats.labels import Frame

_TOKEN_BITS = 32


def with_token(frame: Frame, columns: Sequence[str]) -> Frame:
    """A column ``token``, 32 bits for what stands in the columns. Sums of tokens tell whether two sets of rows are the same."""
    if isinstance(frame, nw.LazyFrame):
        hashed = f"CAST(hash({', '.join(columns)}) & {2**_TOKEN_BITS - 1} AS BIGINT) AS token"
        return nw.from_native(frame.to_native().project(f"*, {hashed}"))
    rows_as_text = zip(*(frame[name].to_list() for name in columns), strict=True)
    tokens = [zlib.crc32("\x1f".join(map(str, row)).encode()) for row in rows_as_text]
    return frame.with_columns(nw.new_series("token", tokens, nw.Int64, backend=frame.implementation))


def with_topic(frame: Frame, key: str, topics: npt.NDArray[Any]) -> Frame:
    """A column ``topic``: the given ones, in the order of the key."""
    if isinstance(frame, nw.LazyFrame):
        dealt = {"position": np.arange(len(topics)), "topic": topics}
        query = (
            f"SELECT frame.* EXCLUDE (position), dealt.topic "  # noqa: S608
            f"FROM (SELECT *, row_number() OVER (ORDER BY {key}) - 1 AS position FROM frame) frame JOIN dealt USING (position)"
        )
        relation = frame.to_native().query("frame", query)
        del dealt  # DuckDB has found it by its name in this function
        return nw.from_native(relation)
    return frame.sort(key).with_columns(nw.new_series("topic", topics.tolist(), nw.String, backend=frame.implementation))


def rows(frame: Frame) -> int:
    """How many rows there are."""
    return int(fetch(frame.select(nw.len().alias("rows")))["rows"][0])
