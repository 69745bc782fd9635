"""Pearson's correlation, with Fisher's interval."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from metameasure.statistics.arrays import Floats

_ROUNDING = 1e-14
_SMALLEST_SAMPLE = 4  # Fisher's z has the standard error 1 / sqrt(n - 3)


def pearson(x: Floats, y: Floats) -> float:
    """NaN where one side does not vary."""
    if len(x) < 2 or any(np.ptp(side) <= _ROUNDING * np.abs(side).max() for side in (x, y)):
        return math.nan
    # Divided by their size first: squares of what is tiny vanish, of what is huge overflow.
    x, y = (side / np.abs(side).max() for side in (x, y))
    x, y = x - x.mean(), y - y.mean()
    length = math.sqrt(math.fsum(x**2)) * math.sqrt(math.fsum(y**2))
    return max(-1.0, min(1.0, math.fsum(x * y) / length))


def fisher_interval(r: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """tanh(atanh r ± z / sqrt(n - 3)); NaN for fewer than four cases. A perfect correlation has no width."""
    if math.isnan(r) or n < _SMALLEST_SAMPLE:
        return math.nan, math.nan
    if abs(r) >= 1:
        return r, r
    reach = NormalDist().inv_cdf((1 + level) / 2) / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)
