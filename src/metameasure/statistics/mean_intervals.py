"""Intervals of a score from its standard error, on the logit of its range where that is finite: the ends stay inside the range,
and the farther a score lies from the middle, the less it can move on that side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats, Integers

Range = tuple[float, float]
"""The lowest and the highest value that a score can have; infinite where there is none."""
OPEN: Range = (-math.inf, math.inf)


def t_reach(freedom: ArrayLike, level: float) -> Floats:
    """How many standard errors a t interval reaches to either side."""
    from scipy.special import stdtrit  # noqa: PLC0415 - loaded when first used

    return np.asarray(stdtrit(np.asarray(freedom, dtype=float), (1 + level) / 2))


def normal_reach(level: float) -> float:
    """How many standard errors a normal interval reaches to either side."""
    return NormalDist().inv_cdf((1 + level) / 2)  # as scipy's, without loading it


def t_interval(value: ArrayLike, error: ArrayLike, freedom: ArrayLike, level: float, range: Range) -> tuple[Floats, Floats]:
    """The ends of t intervals of values with these standard errors, cut at the ends of the range; NaN where there is no error."""
    middle, spread = np.asarray(value, dtype=float), np.asarray(error, dtype=float)
    reach = np.where(spread > 0, t_reach(freedom, level) * spread, np.nan)
    return np.maximum(middle - reach, range[0]), np.minimum(middle + reach, range[1])


def difference_interval(difference: float, error: float, freedom: float, level: float, range: Range) -> tuple[float, float]:
    """The t interval of the difference between two scores of that range."""
    width = range[1] - range[0]
    low, high = t_interval(difference, error, freedom, level, (-width, width))
    return float(low), float(high)


def logit_t_interval(value: ArrayLike, error: ArrayLike, freedom: ArrayLike, level: float, range: Range) -> tuple[Floats, Floats]:
    """The same on the logit of the range, where it is finite; NaN also where the value is an end of it, which says nothing about
    how sure it is."""
    low, high = range
    if not (math.isfinite(low) and math.isfinite(high)):
        return t_interval(value, error, freedom, level, range)
    share = (np.asarray(value, dtype=float) - low) / (high - low)
    known = (share > 0) & (share < 1)
    inside = np.where(known, share, 0.5)
    slope = (high - low) * inside * (1 - inside)
    ends = t_interval(np.log(inside / (1 - inside)), np.asarray(error, dtype=float) / slope, freedom, level, OPEN)
    with np.errstate(over="ignore"):
        lower, upper = (np.where(known, low + (high - low) / (1 + np.exp(-end)), np.nan) for end in ends)
    return lower, upper


def mean_interval(values: ArrayLike, level: float = 0.95, range: Range = OPEN) -> tuple[Floats, Floats]:
    """The interval of the mean over topics (topics, ...), which are a sample of others."""
    scores = np.asarray(values, dtype=float)
    topics = len(scores)
    if topics < 2:
        nothing = np.full(scores.shape[1:], np.nan)
        return nothing, nothing
    spread = scores.std(axis=0, ddof=1)
    alike = np.ptp(scores, axis=0) <= 1e-12
    error = np.where(alike, 0.0, spread / math.sqrt(topics))
    return logit_t_interval(scores.mean(axis=0), error, topics - 1, level, range)


@dataclass(frozen=True)
class Shape:
    """How far a distribution is from the normal one: its third and fourth standardised moments."""

    skewness: float
    tails: float


NORMAL = Shape(0.0, 3.0)


def shape_of(values: ArrayLike, number: ArrayLike = 1.0) -> Shape:
    """Of values of which there are so many each."""
    each = np.asarray(values, dtype=float)
    times = np.broadcast_to(np.asarray(number, dtype=float), each.shape)
    share = times / times.sum()
    away = each - float((share * each).sum())
    variance = float((share * away**2).sum())
    if variance <= 0:
        return NORMAL
    return Shape(float((share * away**3).sum()) / variance**1.5, float((share * away**4).sum()) / variance**2)


@dataclass(frozen=True)
class Jackknife:
    """A score with its standard error from leaving out one cluster at a time, and the number of equal clusters that would tell
    as much as these."""

    value: float
    error: float
    effective: float
    shape: Shape = NORMAL
    """Of what one cluster adds to the score."""

    @property
    def freedom(self) -> float:
        """The degrees of freedom of a t interval."""
        return max(1.0, self.effective - 1)


def jackknife(value: float, without: ArrayLike, sizes: ArrayLike, number: ArrayLike | None = None) -> Jackknife:
    """From the score of all clusters, that without each (clusters,), and their sizes; deletions that leave it undefined are
    skipped. ``number`` says how many clusters each of these stands for."""
    left, weights = np.asarray(without, dtype=float), np.asarray(sizes, dtype=float)
    times = np.ones(len(left)) if number is None else np.asarray(number, dtype=float)
    clusters = float(times.sum())
    gaps = np.where(np.isnan(left), 0.0, left - value)
    error = math.sqrt((clusters - 1) / clusters * float((times * gaps**2).sum()))
    return Jackknife(value, error, effective(weights, times), shape_of(-gaps, times))


def effective(sizes: ArrayLike, number: ArrayLike = 1.0) -> float:
    """The number of equal clusters that would tell as much as clusters of these sizes, so many of each."""
    weights, times = np.asarray(sizes, dtype=float), np.asarray(number, dtype=float)
    return float((times * weights).sum() ** 2 / (times * weights**2).sum())


def clusters_of(cluster: Integers | None) -> tuple[int, float] | None:
    """How many clusters items lie in (items,), and how many equal ones would tell as much; None where there are none."""
    if cluster is None:
        return None
    return clusters_of_sizes(np.unique(cluster, return_counts=True)[1])


def clusters_of_sizes(sizes: Integers | None) -> tuple[int, float] | None:
    """The same of how many items each cluster has (clusters,)."""
    return None if sizes is None else (len(sizes), effective(sizes) if len(sizes) else 0.0)


@dataclass(frozen=True)
class WithinTopics:
    """The standard error of a mean over topics that are fixed, each with units of its own, and its degrees of freedom."""

    error: float
    freedom: float


def within_topics(draws: Floats, sizes: ArrayLike) -> WithinTopics:
    """From a measure of each topic on resampled units (trials, topics), and how many units each topic has (topics,). One size for
    all is of units that lie in several topics, and are drawn together. Undefined draws are left out."""
    number = np.asarray(sizes, dtype=float)
    topics = draws.shape[1]
    apart = len(number) == topics
    values = draws if apart else draws.mean(axis=1, keepdims=True)
    defined = ~np.isnan(values)
    centred = np.where(defined, values - np.where(defined, values, 0).sum(axis=0) / np.maximum(1, defined.sum(axis=0)), 0.0)
    own = (centred**2).sum(axis=0) / np.maximum(1, defined.sum(axis=0)) * number / (number - 1) / (topics**2 if apart else 1)
    variance = float(own.sum())
    freedom = variance**2 / float((own**2 / (number - 1)).sum()) if variance > 0 else math.inf
    return WithinTopics(math.sqrt(variance), max(1.0, freedom))
