"""One-sided bounds of the difference between two runs on the same units: what a gate decides by.

Each kind of bounds knows the difference (new less old) and gives both ends at any error rate, so that several can be corrected
for each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats
from metameasure.statistics.mean_intervals import OPEN, Jackknife, Range, Shape, jackknife, shape_of, t_interval, t_reach
from metameasure.statistics.resampling import percentile_interval

Ends = tuple[float, float]
_SAME = 1e-12
_STEPS = 100
FEW_DIFFER, _MOST_SPARSE = 30, 0.25
"""Differences on fewer units than this, and on no more than this share of them, are few."""
SKEWED = 1.0
"""Of graded scores that are more skewed than this bounds are corrected for it."""


class Bounds(Protocol):
    """What is known of a difference."""

    @property
    def difference(self) -> float: ...

    @property
    def variance(self) -> float:
        """Of the difference on one unit; NaN where it is not known."""
        ...

    def at(self, alpha: float) -> Ends:
        """The lower and the upper bound, each wrong with that probability; NaN where there is none."""
        ...


@dataclass(frozen=True)
class ScoreBounds:
    """Of two runs that are right or wrong on each unit: Tango's score interval for paired shares (Tango 1998, Statistics in
    Medicine 17, 891-908).

    >>> [round(end, 6) for end in ScoreBounds(12, 8, 100).at(.05)]
    [-0.116795, 0.035154]
    """

    old_only: float
    new_only: float
    units: float

    @property
    def difference(self) -> float:
        return (self.new_only - self.old_only) / self.units

    @property
    def variance(self) -> float:
        return (self.old_only + self.new_only) / self.units - self.difference**2

    def at(self, alpha: float) -> Ends:
        reach = quantile(alpha)
        return self._end(-1.0, reach), self._end(1.0, -reach)

    def on(self, units: float) -> ScoreBounds:
        """With the same shares on so many units."""
        return ScoreBounds(self.old_only * units / self.units, self.new_only * units / self.units, units)

    def leaves_out(self, difference: float, alpha: float) -> bool:
        """Whether this difference lies beyond one of the bounds."""
        low, high = self.at(alpha)
        return not low <= difference <= high

    def _end(self, far: float, reach: float) -> float:
        """Where the score statistic is ``reach``, between the difference that was seen and the far end of the range."""
        near = self.difference
        if abs(near - far) < _SAME:
            return far
        for _ in range(_STEPS):
            middle = (near + far) / 2
            if self._excess(middle, reach) * math.copysign(1.0, reach) > 0:
                far = middle
            else:
                near = middle
        return (near + far) / 2

    def _excess(self, difference: float, reach: float) -> float:
        """The numerator of the score statistic of a difference, less ``reach`` times its standard error."""
        n, old, new = self.units, self.old_only, self.new_only
        linear, constant = -old - new + (2 * n - new + old) * difference, -old * difference * (1 - difference)
        share = (math.sqrt(max(0.0, linear**2 - 8 * n * constant)) - linear) / (4 * n)
        spread = math.sqrt(max(0.0, n * (2 * share + difference * (1 - difference))))
        return new - old - n * difference - reach * spread


@dataclass(frozen=True)
class ErrorBounds:
    """Of a difference with a standard error: t bounds, cut at the ends of what is possible. ``units`` is how many units the
    error is of."""

    difference: float
    error: float
    freedom: float
    units: float
    range: Range = OPEN

    @property
    def variance(self) -> float:
        return self.units * self.error**2

    def at(self, alpha: float) -> Ends:
        low, high = t_interval(self.difference, self.error, self.freedom, 1 - 2 * alpha, self.range)
        return float(low), float(high)


@dataclass(frozen=True)
class _Widened:
    """Bounds by a standard error, and what makes them wider."""

    of_errors: ErrorBounds

    @property
    def difference(self) -> float:
        return self.of_errors.difference

    @property
    def variance(self) -> float:
        return self.of_errors.variance


@dataclass(frozen=True)
class SkewedBounds(_Widened):
    """Of a difference to which some units add much more than others: the wider of t bounds and of those by Hall's transformation
    of the t statistic (Hall 1992, Journal of the Royal Statistical Society B 54, 221-228), which takes out its skewness; with
    the degrees of freedom that a variance from units with such tails has."""

    shape: Shape

    def at(self, alpha: float) -> Ends:
        plain = self.of_errors
        units, freedom = plain.freedom + 1, plain.freedom
        if self.shape.tails > 1:
            freedom = max(1.0, min(freedom, 2 * units / (self.shape.tails - 1)))
        low, high = plain.at(alpha)
        reach = float(t_interval(0.0, 1.0, freedom, 1 - 2 * alpha, OPEN)[1]) / math.sqrt(units)
        spread = plain.error * math.sqrt(units)
        ends = [self.difference - spread * _turned_back(sign * reach, self.shape.skewness, units) for sign in (1, -1)]
        least, most = plain.range
        return min(low, max(least, ends[0])), max(high, min(most, ends[1]))


def _turned_back(value: float, skewness: float, units: float) -> float:
    """What Hall's transformation makes this value of."""
    if abs(skewness) <= _SAME:
        return value
    return 3 / skewness * (math.cbrt(1 + skewness * (value - skewness / (6 * units))) - 1)


@dataclass(frozen=True)
class SparseBounds(_Widened):
    """Of graded scores that differ on few of the units, whose spread says little: the wider of t bounds and score bounds, each
    difference a part of ``largest``."""

    of_parts: ScoreBounds
    largest: float

    def at(self, alpha: float) -> Ends:
        (low, high), (lower, higher) = self.of_errors.at(alpha), self.of_parts.at(alpha)
        return min(low, self.largest * lower), max(high, self.largest * higher)


@dataclass(frozen=True)
class AlikeBounds:
    """Of runs that differ by the same on each of the units, so that nothing says how much they vary: were another difference to
    come in more than 1 - alpha^(1/units) of all units, one would have been seen. Where the range of scores is open, no bounds."""

    difference: float
    units: float
    width: float

    @property
    def variance(self) -> float:
        return math.nan

    def at(self, alpha: float) -> Ends:
        if not math.isfinite(self.width):
            return math.nan, math.nan
        unseen, seen = -math.expm1(math.log(alpha) / self.units), self.difference
        return seen - unseen * (self.width + seen), seen + unseen * (self.width - seen)


@dataclass(frozen=True, eq=False)
class DrawnBounds:
    """Of a difference that was drawn many times with other units: the middle share of the draws."""

    difference: float
    draws: Floats
    units: float

    @property
    def variance(self) -> float:
        return float(self.units * np.nanvar(self.draws))

    def at(self, alpha: float) -> Ends:
        low, high = percentile_interval(self.draws, 1 - 2 * alpha)
        return float(low), float(high)


@dataclass(frozen=True)
class NoBounds:
    """Of one unit, from which nothing follows."""

    difference: float
    variance: float = math.nan

    def at(self, alpha: float) -> Ends:
        return math.nan, math.nan


@dataclass(frozen=True)
class TurnedBounds:
    """Of the opposite difference."""

    of: Bounds

    @property
    def difference(self) -> float:
        return -self.of.difference

    @property
    def variance(self) -> float:
        return self.of.variance

    def at(self, alpha: float) -> Ends:
        low, high = self.of.at(alpha)
        return -high, -low


def bounds_of_units(old: ArrayLike, new: ArrayLike, cluster: ArrayLike | None = None, range: Range = OPEN) -> Bounds:
    """Of two runs' scores on the same units, by what they are: right or wrong, graded, or in clusters."""
    before, after = np.asarray(old, dtype=float), np.asarray(new, dtype=float)
    gaps = after - before
    if cluster is not None:
        return _of_clusters(gaps, np.asarray(cluster), range)
    if len(gaps) < 2:
        return NoBounds(float(gaps.mean()) if len(gaps) else math.nan)
    if are_right_or_wrong(before, after):
        return ScoreBounds(float((gaps < 0).sum()), float((gaps > 0).sum()), len(gaps))
    error = 0.0 if np.ptp(gaps) <= _SAME else float(gaps.std(ddof=1)) / math.sqrt(len(gaps))
    left = Jackknife(float(gaps.mean()), error, len(gaps), shape_of(gaps))
    found = of_error(left, len(gaps), range)
    differing = int((np.abs(gaps) > _SAME).sum())
    if isinstance(found, ErrorBounds) and differing < FEW_DIFFER and differing <= len(gaps) * _MOST_SPARSE:
        largest = float(np.abs(gaps).max())
        lost, gained = (float(np.maximum(sign * gaps, 0).sum()) / largest for sign in (-1, 1))
        return SparseBounds(found, ScoreBounds(lost, gained, len(gaps)), largest)
    return for_skew(found, left) if abs(left.shape.skewness) > SKEWED else found


def for_skew(bounds: Bounds, left: Jackknife) -> Bounds:
    """Bounds by a standard error, corrected for the shape of what single units add."""
    return SkewedBounds(bounds, left.shape) if isinstance(bounds, ErrorBounds) else bounds


def are_right_or_wrong(*scores: Floats) -> bool:
    """Whether all of them are 0 or 1."""
    return all(bool(np.isin(one, (0.0, 1.0)).all()) for one in scores)


def _of_clusters(gaps: Floats, cluster: Floats, range: Range) -> Bounds:
    """Of the mean over units that come in clusters, each of which is left out in turn."""
    _, place = np.unique(cluster, return_inverse=True)
    sizes, sums = np.bincount(place).astype(float), np.bincount(place, gaps)
    if len(sizes) < 2:
        return NoBounds(float(gaps.mean()) if len(gaps) else math.nan)
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    return of_error(jackknife(float(gaps.mean()), without, sizes), len(gaps), range)


def of_error(left: Jackknife, units: float, range: Range) -> Bounds:
    """Of a difference with its standard error and as many units as would tell as much; ``units`` is how many there are."""
    width = range[1] - range[0]
    if left.effective < 2:
        return NoBounds(left.value)
    if left.error <= _SAME:
        return AlikeBounds(left.value, left.effective, width)
    return ErrorBounds(left.value, left.error, left.freedom, units, (-width, width))


def quantile(alpha: float) -> float:
    """What a standard normal variable exceeds with probability alpha."""
    return -NormalDist().inv_cdf(alpha)


def units_to_decide(gain: Bounds, margin: float, alpha: float, power: float = 0.8) -> float:
    """How many units it takes in all to decide with that power, if the difference is as it seems: infinite on the margin, NaN
    where nobody knows how much units vary. ``gain`` is of the difference in the direction in which more is better."""
    excess = gain.difference + margin
    if abs(excess) <= _SAME:
        return math.inf
    seen = _seen(gain)
    if isinstance(seen, AlikeBounds) and excess > 0:
        share = excess / (seen.width + gain.difference)
        return math.ceil(math.log(alpha) / math.log1p(-share)) if 0 < share < 1 else math.nan
    if isinstance(seen, ScoreBounds) and seen.old_only == seen.new_only == 0:
        return math.floor(quantile(alpha) ** 2 * (1 - margin) / margin) + 1
    enough = needed(gain.variance, excess, alpha, power, freedom_of_a_unit(gain))
    if not isinstance(seen, ScoreBounds):
        return enough
    limit = -margin if seen is gain else margin
    return _fewest(lambda number: seen.on(number).leaves_out(limit, alpha), int(enough))


def needed(variance: float, excess: float, alpha: float, power: float = 0.8, freedom_of_a_unit: float = math.inf) -> float:
    """How many units of that variance it takes to tell, with that power, a mean that is ``excess`` away from 0 from 0: by the
    normal distribution, or by t, where each unit brings so many degrees of freedom and all lose one."""
    share = variance / excess**2
    units = (quantile(alpha) + quantile(1 - power)) ** 2 * share
    if math.isnan(units):
        return math.nan
    if math.isinf(freedom_of_a_unit):
        return math.ceil(units)

    def is_enough(number: int) -> bool:
        freedom = number * freedom_of_a_unit - 1
        return freedom > 0 and number >= (_t_quantile(alpha, freedom) + _t_quantile(1 - power, freedom)) ** 2 * share

    return _fewest(is_enough, math.ceil(units))


def freedom_of_a_unit(bounds: Bounds) -> float:
    """How many degrees of freedom a further unit brings t bounds: one, or less where units come in clusters; infinite for bounds
    that are not by t."""
    seen = _seen(bounds)
    plain = seen.of_errors if isinstance(seen, SkewedBounds | SparseBounds) else seen
    return (plain.freedom + 1) / plain.units if isinstance(plain, ErrorBounds) else math.inf


def _seen(gain: Bounds) -> Bounds:
    """The bounds as they were before they were turned."""
    return gain.of if isinstance(gain, TurnedBounds) else gain


def _t_quantile(alpha: float, freedom: float) -> float:
    """What a variable of Student's distribution exceeds with probability alpha."""
    return float(t_reach(freedom, 1 - 2 * alpha))


def _fewest(is_enough: Callable[[int], bool], least: int) -> int:
    """The smallest number from ``least`` on that is enough, where every larger one is."""
    few, many = least - 1, max(1, least)
    while not is_enough(many):
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if is_enough(middle) else (middle, many)
    return many


def failing(gains: Sequence[Bounds], margins: Sequence[float], alpha: float) -> list[bool]:
    """Which of several differences are below their -margin, with one error rate for all: Holm's method, by bounds. The
    differences are in the direction in which more is better."""
    left = dict(enumerate(gains))
    while found := [place for place, one in left.items() if one.at(alpha / len(left))[1] < -margins[place]]:
        for place in found:
            del left[place]
    return [place not in left for place in range(len(gains))]
