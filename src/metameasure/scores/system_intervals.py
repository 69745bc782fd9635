"""Intervals of correlations over systems, which are taken as a sample of systems."""

from __future__ import annotations

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking.systems import at_level
from metameasure.statistics.arrays import Floats
from metameasure.statistics.correlation import correlation_interval


def is_of_systems(measure: Measure) -> bool:
    """Whether it is of the systems' means, and not of their scores on segments."""
    return measure.of_all and measure.id.endswith("@system")


def system_intervals(measure: Measure, predicted: Floats, gold: Floats, level: float) -> tuple[Floats, Floats]:
    """The ends (metrics,) of intervals of Pearson's, Spearman's or Kendall's correlation of the systems' means; NaN for other
    measures, and where there are too few systems."""
    ends = np.full((2, len(predicted)), np.nan)
    if not is_of_systems(measure):
        return ends[0], ends[1]
    for run, scores in enumerate(predicted):
        systems = int(np.asarray(at_level(scores[None], gold[None], "system")[2]).sum())
        ends[:, run] = correlation_interval(measure.base, float(measure(scores, gold)), systems, level)
    return ends[0], ends[1]
