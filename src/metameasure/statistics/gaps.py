"""How far apart the best and the worst of several groups are, each with an interval of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats
from metameasure.statistics.studentised_range import studentised_range_quantile


@dataclass(frozen=True)
class Gap:
    """The places of the highest and the lowest value, their difference, and the interval of the largest true difference."""

    highest: int
    lowest: int
    value: float
    low: float
    high: float


def largest_gap(values: Floats, low: Floats, high: Floats, level: float) -> Gap | None:
    """Of independent groups (groups,) with intervals of this level. None where fewer than two have one.

    Which groups are extreme is found in the same data, so that the difference of the two extremes is too large on average. The
    intervals of all pairs hold at once (Tukey and Kramer); each is put together from the two groups' own (Zou and Donner 2008).
    Then the largest true difference lies between the largest of their low ends and the largest of their high ends.
    """
    known = np.flatnonzero(~np.isnan(values) & ~np.isnan(low) & ~np.isnan(high))
    if len(known) < 2:
        return None
    from scipy.special import ndtri  # noqa: PLC0415 - loaded when first used

    reach = studentised_range_quantile(level, len(known)) / np.sqrt(2) / float(ndtri((1 + level) / 2))
    value = values[known]
    below, above = (value - low[known]) * reach, (high[known] - value) * reach
    apart = value[:, None] - value
    lower = apart - np.sqrt(below[:, None] ** 2 + above**2)
    upper = apart + np.sqrt(above[:, None] ** 2 + below**2)
    others = ~np.eye(len(known), dtype=bool)
    first, last = int(known[np.argmax(value)]), int(known[np.argmin(value)])
    return Gap(first, last, float(value.max() - value.min()), max(0.0, float(lower[others].max())), float(upper[others].max()))
