"""How each kind of result looks. A new kind registers itself here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from metameasure.comparison import Comparison
from metameasure.errors import UsageError
from metameasure.presentable import Presentable
from metameasure.scores.cube import Scores
from metameasure.scores.intervals import Difference
from metameasure.show.comparison import comparison_table, difference_table
from metameasure.show.leaderboard import leaderboard
from metameasure.show.table import RENDERERS, Table

_TABLES: dict[type, Callable[[Any, str], Table]] = {
    Scores: leaderboard,
    Comparison: comparison_table,
    Difference: difference_table,
}


def present(result: Presentable, format: str) -> str:
    """A result in one of the formats of the interface, or as HTML for a notebook."""
    if format == "json":
        return json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if format not in RENDERERS:
        raise UsageError(f"there is no format '{format}'", hint=f"choose one of json, {', '.join(RENDERERS)}")
    return _TABLES[type(result)](result, format).render(format)
