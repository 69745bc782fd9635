"""Data frames of the library at hand: pandas, polars or pyarrow."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from itertools import chain
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say

_FRAME_LIBRARIES = ("pandas", "polars", "pyarrow")


def frame_of(columns: dict[str, list[Any]], library: str | None = None) -> Any:
    """Columns as a data frame of the given library, or of the one at hand."""
    at_hand = chain(filter(sys.modules.__contains__, _FRAME_LIBRARIES), filter(find_spec, _FRAME_LIBRARIES))
    chosen: Any = library or next(at_hand, None)
    if chosen is None:
        raise UsageError(
            "no data frame library is installed", hint=say("install pandas, polars or pyarrow, or use {--scores FILE}")
        )
    return nw.from_dict(columns, backend=chosen).to_native()
