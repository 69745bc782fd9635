"""What may stand where a rank or a score is expected: one rule, for whole columns and for one cell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metameasure.core.messages import say
from metameasure.core.values import is_empty, number_of
from metameasure.reading.options import Holds
from metameasure.statistics.arrays import Booleans, Floats

UNRANKED = -1.0
"""What stands, beside nothing at all, where an item is not ranked."""
HINTS = {
    "ranks": "a rank is a number from 1 (best) up; -1 or nothing where the item is not ranked",
    "scores": "a score is a number, higher is better; nothing where the item is not ranked",
}


def wrong(numbers: Floats, empty: Booleans, holds: Holds) -> Booleans:
    """Which cells are neither a value nor empty; ``numbers`` is NaN where there is no number."""
    bad = ~np.isfinite(numbers)
    if holds == "ranks":
        with np.errstate(invalid="ignore"):
            bad |= (numbers < 1) & (numbers != UNRANKED)
    return bad & ~empty


def unranked_as_nan(numbers: Floats, holds: Holds) -> Floats:
    """-1 among ranks is no rank."""
    return np.where(numbers == UNRANKED, np.nan, numbers) if holds == "ranks" else numbers


def read(cell: Any, holds: Holds, called: str | None = None) -> float:
    """One cell's value, NaN where it is empty. ValueError, with what is wrong, where it is no value; ``called`` is what messages
    call it."""
    if is_empty(cell):
        return math.nan
    what = called or ("rank" if holds == "ranks" else "score")
    number = number_of(cell)
    if number is None:
        raise ValueError(say("{what} '{cell}' is not a number", what=what, cell=cell))
    if not math.isfinite(number):
        raise ValueError(say("{what} '{cell}' is not a finite number", what=what, cell=cell))
    if holds == "scores":
        return number
    if number == UNRANKED:
        return math.nan
    if number < 1:
        raise ValueError(say("rank {cell} is less than 1", cell=cell))
    return number
