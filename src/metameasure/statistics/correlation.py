"""Pearson's correlation, with Fisher's interval, and that of rank correlations."""

from __future__ import annotations

import math

import numpy as np

from metameasure.statistics.arrays import Floats
from metameasure.statistics.mean_intervals import normal_reach

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
    return _on_fishers_scale(r, 1 / (n - 3), level)


def correlation_interval(kind: str, r: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """On Fisher's scale: of Pearson's correlation of n units Fisher's own, of Spearman's and Kendall's with the variances of
    Bonett and Wright (2000) and of Fieller et al. (1957). NaN where there are too few units, and of a perfect correlation."""
    left = n - (4 if kind == "kendall" else 3)
    if left < 1 or not abs(r) < 1:
        return math.nan, math.nan
    return _on_fishers_scale(r, {"pearson": 1.0, "spearman": 1 + r**2 / 2, "kendall": 0.437}[kind] / left, level)


def _on_fishers_scale(r: float, variance: float, level: float) -> tuple[float, float]:
    reach = normal_reach(level) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)
