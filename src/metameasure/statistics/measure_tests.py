"""Which of several measures ranks runs more consistently, or tells more of them apart, beyond chance: tested by topics.

The topics are what is sampled. Splits of the topics overlap, and pairs of runs share runs: taken as independent, they would call
noise significant. Each topic is left out in turn instead, which says how much the difference of two measures depends on topics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.mean_intervals import t_reach
from metameasure.statistics.paired import corrected, square
from metameasure.statistics.studentised_range import normal_cdf

Quality = Literal["consistency", "power"]
FEWEST = 3
"""With fewer topics none can be left out."""


@dataclass(frozen=True, eq=False)
class MeasuresApart:
    """Measures compared by one quality. ``value`` (measures) is the quality of each; the others are (measures, measures): the
    difference, first less second, its standard error, its degrees of freedom, its p-value, and that corrected for all pairs of
    measures by Holm. NaN where there are too few topics."""

    value: Floats
    difference: Floats
    error: Floats
    freedom: Floats
    p: Floats
    p_corrected: Floats

    def of(self, places: Sequence[int]) -> MeasuresApart:
        """The measures in these places, in this order; p-values stay corrected for all that were compared."""
        tables = (
            table[np.ix_(places, places)] for table in (self.difference, self.error, self.freedom, self.p, self.p_corrected)
        )
        return MeasuresApart(self.value[list(places)], *tables)

    def higher(self, alpha: float) -> Booleans:
        """Where the first measure is better than the second beyond chance."""
        return np.asarray((self.p_corrected <= alpha) & (self.difference > 0))

    def as_shown(self, shown: Floats, alpha: float) -> Booleans:
        """Which two measures differ beyond chance, and in the direction in which the numbers (measures) differ that are shown."""
        higher = self.higher(alpha) & (shown[:, None] > shown)
        return np.asarray(higher | higher.T)


def measures_apart(scores: Floats, quality: Quality) -> MeasuresApart:
    """Measures compared on the same topics and runs, from scores (measures, topics, runs) without gaps; NaN below three topics.

    Consistency: the mean over pairs of runs of (2 Φ(t / √2) - 1)², how surely two halves of the topics order the two alike.
    Power: the mean of Φ(t - t₀.₉₇₅), the chance to find the difference again. t is a pair's mean difference in standard errors.
    """
    measures, topics, _ = scores.shape
    if topics < FEWEST:
        nothing = np.full((measures, measures), np.nan)
        return MeasuresApart(np.full(measures, np.nan), nothing, nothing, nothing, nothing, nothing)
    of_t = _consistency if quality == "consistency" else _power(topics)
    values, without_one = zip(*(_jackknifed(matrix, of_t) for matrix in scores), strict=True)
    value, left_out = np.array(values), np.array(without_one)  # (measures), (measures, topics)
    spread = left_out[:, None] - left_out
    deviations = spread - spread.mean(axis=-1, keepdims=True)
    error = np.sqrt((topics - 1) / topics * (deviations**2).sum(axis=-1))
    return _tested(value, value[:, None] - value, error, np.full(error.shape, topics - 1.0))


def apart_on_all(parts: Sequence[MeasuresApart], weights: Sequence[float]) -> MeasuresApart:
    """Several data sets together: the weighted mean of their qualities. Their topics are independent, so that the errors' squares
    add up; the degrees of freedom are Satterthwaite's."""
    shares = np.asarray(weights, dtype=float) / np.sum(weights)
    value = np.tensordot(shares, np.array([part.value for part in parts]), axes=1)
    difference = np.tensordot(shares, np.array([part.difference for part in parts]), axes=1)
    error, freedom = error_of_mean(shares, np.array([part.error for part in parts]), np.array([part.freedom for part in parts]))
    return _tested(value, difference, error, freedom)


def error_of_mean(shares: Floats, errors: Floats, freedom: Floats) -> tuple[Floats, Floats]:
    """The standard error of a weighted mean of independent estimates (estimates, ...), and its degrees of freedom."""
    squares = (shares.reshape(-1, *[1] * (errors.ndim - 1)) * errors) ** 2
    total, lost = squares.sum(axis=0), (squares**2 / freedom).sum(axis=0)
    return np.sqrt(total), np.where(lost > 0, total**2 / np.where(lost > 0, lost, 1.0), freedom.sum(axis=0))


def _tested(value: Floats, difference: Floats, error: Floats, freedom: Floats) -> MeasuresApart:
    p = _two_sided(difference, error, freedom)
    upper = np.triu_indices(len(value), 1)
    holm = np.full(p.shape, np.nan) if np.isnan(p).any() else square(corrected(p[upper], "holm"), len(value))
    return MeasuresApart(value, difference, error, freedom, p, holm)


def _jackknifed(matrix: Floats, of_t: Callable[[Floats], Floats]) -> tuple[float, Floats]:
    """The quality by all topics, and without each of them, from one measure's scores (topics, runs)."""
    topics, runs = matrix.shape
    first, second = np.triu_indices(runs, 1)
    apart = matrix[:, first] - matrix[:, second]
    total, squares = apart.sum(axis=0), (apart**2).sum(axis=0)
    whole = of_t(np.abs(t_of_pairs(apart)))
    without = of_t(np.abs(_in_errors(total - apart, squares - apart**2, topics - 1, topics)))
    return float(whole.mean()), without.mean(axis=-1)


def t_of_pairs(apart: Floats) -> Floats:
    """Mean differences (topics, pairs) in their standard errors, with their signs."""
    topics = len(apart)
    return _in_errors(apart.sum(axis=0), (apart**2).sum(axis=0), topics, topics)


def _in_errors(total: Floats, squares: Floats, number: int, topics: int) -> Floats:
    """A mean in standard errors of a mean over all topics; infinite where the differences are all the same, and not 0."""
    mean = total / number
    variance = np.maximum(squares - number * mean**2, 0.0) / (number - 1)
    none = variance <= (1e-12 * np.maximum(1.0, np.abs(mean))) ** 2
    t = mean * np.sqrt(topics / np.where(none, 1.0, variance))
    return np.where(none, np.where(np.abs(mean) <= 1e-12, 0.0, np.copysign(np.inf, mean)), t)


def _consistency(t: Floats) -> Floats:
    return np.asarray((2 * normal_cdf(t / np.sqrt(2)) - 1) ** 2)


def _power(topics: int) -> Callable[[Floats], Floats]:
    critical = float(t_reach(topics - 1, 0.95))
    return lambda t: normal_cdf(t - critical)


def _two_sided(difference: Floats, error: Floats, freedom: Floats) -> Floats:
    """The p-value of a t test; 1 where there is no difference, 0 where it is the same whichever topic is left out."""
    from scipy.special import stdtr  # noqa: PLC0415 - loaded when first used

    none = error <= 1e-15
    t = np.abs(difference) / np.where(none, 1.0, error)
    return np.where(none, np.where(np.abs(difference) <= 1e-12, 1.0, 0.0), 2 * stdtr(freedom, -t))
