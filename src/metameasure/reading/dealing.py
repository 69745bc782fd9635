"""Rows dealt into blocks by their keys, in the order of the keys, so that only one block's keys are in memory at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.on_disk import sql_name, sql_text

_BLOCK = "block"
# Of so many keys it is looked where they lie, which tells where blocks end.
_LOOKED_AT = 2**14
_MOST_BLOCKS = 256


def dealt(engine: Engine, frame: Frame, keys: Sequence[str], cells: int, most: int, folder: Path) -> list[Frame]:
    """Parts of a frame of ours that follow each other in the order of its keys, texts or whole numbers: those of one key are in
    one part. A part has about ``most`` rows and cells at most, of which each key takes ``cells``; parts are larger where there
    would be very many. They are written to a folder."""
    rows = frame.to_native().sql_query()
    listed = ", ".join(map(sql_name, keys))
    sizes = fetch(engine.of_query(f"SELECT count(*) AS rows, approx_count_distinct(hash({listed})) AS keys FROM ({rows})"))  # noqa: S608 - names are quoted
    size, number = int(sizes["rows"][0]), int(sizes["keys"][0])
    blocks = min(_MOST_BLOCKS, -(-(size + number * cells) // (2 * most)))
    if blocks < 2:
        return [engine.written(frame, folder.with_suffix(".parquet"))]
    known = " AND ".join(f"{sql_name(key)} IS NOT NULL" for key in keys)
    chosen = f"hash({listed}) % {max(1, number // _LOOKED_AT)} = 0 AND {known}"
    some = f"SELECT {listed}, count(*) AS times FROM ({rows}) WHERE {chosen} GROUP BY {listed} ORDER BY {listed}"  # noqa: S608
    seen = fetch(engine.of_query(some))
    up_to = np.cumsum(seen["times"] + cells)
    ends = np.unique(np.searchsorted(up_to, up_to[-1:] * np.arange(1, blocks)[:, None] / blocks).ravel()) if len(up_to) else ()
    firsts = [tuple(seen[key][end] for key in keys) for end in ends]
    firsts = [first for first in firsts if not any("\0" in str(value) for value in first)]  # at which a query would end
    block = _place(keys, firsts, 0, len(firsts))
    part = engine.apart(engine.of_query(f"SELECT *, {block} AS {_BLOCK} FROM ({rows})"), _BLOCK, folder)  # noqa: S608
    return [part(place) for place in range(len(firsts) + 1)]


def _place(keys: Sequence[str], firsts: Sequence[tuple[Any, ...]], low: int, high: int) -> str:
    """The number of a row's block in SQL, between two that are known, by halves: how many of the blocks' first keys are at most
    its own."""
    if low == high:
        return str(low)
    middle = (low + high + 1) // 2
    lower, upper = _place(keys, firsts, low, middle - 1), _place(keys, firsts, middle, high)
    return f"CASE WHEN {_before(keys, firsts[middle - 1])} THEN {lower} ELSE {upper} END"


def _before(keys: Sequence[str], first: Sequence[Any]) -> str:
    """Whether a row's keys come before others, in SQL."""
    name, value = sql_name(keys[0]), sql_text(first[0]) if isinstance(first[0], str) else str(int(first[0]))
    if len(keys) == 1:
        return f"{name} < {value}"
    return f"({name} < {value} OR ({name} = {value} AND {_before(keys[1:], first[1:])}))"
