"""Numbers as tables write them."""

from __future__ import annotations

import math
from typing import Any


def exact(cell: Any) -> str:
    """A cell at full precision; nothing where there is no value."""
    if isinstance(cell, float):
        return "" if math.isnan(cell) else repr(float(cell) + 0.0)  # + 0.0: no negative zero
    return "" if cell is None else cell if isinstance(cell, str) else repr(cell)


def number(value: float, digits: int = 3) -> str:
    """For reading: so many decimals, a dash where there is no value."""
    if math.isfinite(value):
        return f"{value:.{digits}f}"
    return "–" if math.isnan(value) else "∞" if value > 0 else "-∞"


def percent(value: float) -> str:
    """A share in %, without the sign."""
    return "–" if math.isnan(value) else f"{100 * value:.1f}"
