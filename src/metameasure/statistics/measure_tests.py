"""Which of several measures ranks runs more consistently, or tells more of them apart, beyond chance: tested by topics.

The topics are what is sampled. Splits of the topics overlap, and pairs of runs share runs: taken as independent, they would call
noise significant. Each topic is left out in turn instead, which says how much the difference of two measures depends on topics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metameasure.statistics.arrays import Floats
from metameasure.statistics.paired import corrected, square
from metameasure.statistics.studentised_range import normal_cdf

Quality = Literal["consistency", "power"]
_LEVEL = 0.975


@dataclass(frozen=True, eq=False)
class MeasuresApart:
    """Measures compared by one quality. ``value`` (measures) is the quality of each; the others are (measures, measures): the
    difference, first less second, its standard error, its p-value, and that corrected for all pairs of measures by Holm."""

    value: Floats
    difference: Floats
    error: Floats
    p: Floats
    p_corrected: Floats


def measures_apart(scores: Floats, quality: Quality) -> MeasuresApart:
    """Measures compared on the same topics and runs, from scores (measures, topics, runs) without gaps; NaN below three topics.

    Consistency: the mean over pairs of runs of (2 Φ(t / √2) - 1)², how surely two halves of the topics order the two alike.
    Power: the mean of Φ(t - t₀.₉₇₅), the chance to find the difference again. t is a pair's mean difference in standard errors.
    """
    topics = scores.shape[1]
    of_t = _consistency if quality == "consistency" else _power(topics)
    values, without_one = zip(*(_jackknifed(matrix, of_t) for matrix in scores), strict=True)
    value, left_out = np.array(values), np.array(without_one)  # (measures), (measures, topics)
    difference = value[:, None] - value
    spread = left_out[:, None] - left_out
    deviations = spread - spread.mean(axis=-1, keepdims=True)
    error = np.sqrt((topics - 1) / topics * (deviations**2).sum(axis=-1))
    p = _two_sided(difference, error, topics - 1)
    upper = np.triu_indices(len(value), 1)
    return MeasuresApart(value, difference, error, p, square(corrected(p[upper], "holm"), len(value)))


def _jackknifed(matrix: Floats, of_t: Callable[[Floats], Floats]) -> tuple[float, Floats]:
    """The quality by all topics, and without each of them, from one measure's scores (topics, runs)."""
    topics, runs = matrix.shape
    first, second = np.triu_indices(runs, 1)
    apart = matrix[:, first] - matrix[:, second]
    total, squares = apart.sum(axis=0), (apart**2).sum(axis=0)
    whole = of_t(_in_errors(total, squares, topics, topics))
    without = of_t(_in_errors(total - apart, squares - apart**2, topics - 1, topics))
    return float(whole.mean()), without.mean(axis=-1)


def _in_errors(total: Floats, squares: Floats, number: int, topics: int) -> Floats:
    """|mean| in standard errors of a mean over all topics; infinite where the differences are all the same, and not 0."""
    mean = total / number
    variance = np.maximum(squares - number * mean**2, 0.0) / (number - 1)
    none = variance <= (1e-12 * np.maximum(1.0, np.abs(mean))) ** 2
    t = np.abs(mean) * np.sqrt(topics / np.where(none, 1.0, variance))
    return np.where(none, np.where(np.abs(mean) <= 1e-12, 0.0, np.inf), t)


def _consistency(t: Floats) -> Floats:
    return np.asarray((2 * normal_cdf(t / np.sqrt(2)) - 1) ** 2)


def _power(topics: int) -> Callable[[Floats], Floats]:
    from scipy.special import stdtrit  # noqa: PLC0415 - loaded when first used

    critical = float(stdtrit(topics - 1, _LEVEL))
    return lambda t: normal_cdf(t - critical)


def _two_sided(difference: Floats, error: Floats, freedom: int) -> Floats:
    """The p-value of a t test; 1 where there is no difference, 0 where it is the same whichever topic is left out."""
    from scipy.special import stdtr  # noqa: PLC0415

    none = error <= 1e-15
    t = np.abs(difference) / np.where(none, 1.0, error)
    return np.where(none, np.where(np.abs(difference) <= 1e-12, 1.0, 0.0), 2 * stdtr(freedom, -t))
