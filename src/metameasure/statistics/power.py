"""How many topics does it take to find a difference, and which difference can so many topics find?

Topic set size design after Sakai (2016), for the default test of two systems in a field of several, and for a confidence interval
of a difference. The variance V of a score is known from earlier scores; a difference of two scores on one topic then has
variance 2V.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import chdtri, gammaln, ndtri, stdtrit

from metameasure.statistics.anova import residual_variance
from metameasure.statistics.arrays import Floats
from metameasure.statistics.streams import stream
from metameasure.statistics.studentised_range import normal_cdf, spread_nodes, studentised_range_quantile
from metameasure.statistics.work import blocks

Power = Callable[[int, float], float]
"""The power of a test with so many topics and so large a difference."""
MOST_TOPICS = 10**7
_CELLS_AT_ONCE = 2**22
_BISECTIONS = 60


def field_power(variance: float, systems: int = 2, alpha: float = 0.05) -> Power:
    """Tukey's test of two in a field of k systems: with n topics and difference D, the two means lie farther apart than the
    studentised range of k with (n - 1)(k - 1) degrees of freedom allows. For two systems it is the paired t test."""

    def power(topics: int, difference: float) -> float:
        noncentral = math.sqrt(topics) * difference / math.sqrt(2 * variance)
        critical = _critical(topics, systems, alpha)
        # t = (Z + noncentral) / s, over the distribution of s. SciPy's noncentral t is NaN in places.
        spread, share = spread_nodes((topics - 1) * (systems - 1))
        return float(np.sum(share * (normal_cdf(noncentral - critical * spread) + normal_cdf(-noncentral - critical * spread))))

    return power


def _critical(topics: int, systems: int, alpha: float) -> float:
    """How many standard errors of their difference two means in a field of k systems have to lie apart."""
    freedom = (topics - 1) * (systems - 1)
    if systems == 2:
        return float(stdtrit(freedom, 1 - alpha / 2))
    return studentised_range_quantile(1 - alpha, systems, freedom) / math.sqrt(2)


def field_topics(variance: float, systems: int, difference: float, wanted: float, alpha: float = 0.05) -> int | None:
    """The fewest topics that find the difference with the wanted power; None beyond ten million."""
    power = field_power(variance, systems, alpha)
    # Very many topics have no degrees of freedom to lose: a first guess, which leaves few to try.
    critical = studentised_range_quantile(1 - alpha, systems) / math.sqrt(2)
    limit = 2 * variance * ((critical + float(ndtri(wanted))) / difference) ** 2
    guess = math.ceil(min(limit + critical**2 / (2 * (systems - 1)), MOST_TOPICS))
    return fewest_topics(lambda topics: power(topics, difference) >= wanted, guess)


def variance_at(share: float, variance: float, freedom: float) -> float:
    """The variance of a population from one estimated with so many degrees of freedom: the larger, the smaller the share, which
    is the probability that a sample's variance lies below the estimate."""
    return freedom * variance / float(chdtri(freedom, 1 - share))


def interval_width(variance: float, topics: int, alpha: float = 0.05) -> float:
    """The expected full width of a confidence interval of a difference: 2 t c4(n) sqrt(2V / n)."""
    c4 = math.sqrt(2 / (topics - 1)) * math.exp(float(gammaln(topics / 2) - gammaln((topics - 1) / 2)))
    return 2 * float(stdtrit(topics - 1, 1 - alpha / 2)) * c4 * math.sqrt(2 * variance / topics)


def fewest_topics(enough: Callable[[int], bool], guess: int = 2) -> int | None:
    """The smallest number of topics that is enough, where more are enough too; None beyond ten million. Numbers are tried in
    growing steps from the guess."""
    low, high, step = 1, max(2, guess), 1  # low is not enough, or below 2
    if enough(high):
        low = high - 1
        while low >= 2 and enough(low):
            low, high, step = max(1, low - 2 * step), low, 2 * step
    else:
        while not enough(high):
            if high >= MOST_TOPICS:
                return None
            low, high, step = high, min(high + step, MOST_TOPICS), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def detectable_difference(power: Power, topics: int, wanted: float, variance: float) -> float:
    """The difference that so many topics find with the wanted power."""
    low, high = 0.0, 4 * math.sqrt(2 * variance / topics)
    while power(topics, high) < wanted:
        low, high = high, 2 * high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(topics, middle) >= wanted else (middle, high)
    return high


Residuals = Callable[[np.random.Generator, tuple[int, int, int]], Floats]
"""Residuals of so many simulated data sets, topics and systems."""


def normal_residuals(variance: float) -> Residuals:
    """Independent normal residuals of that variance."""
    return lambda rng, shape: rng.normal(0.0, math.sqrt(variance), size=shape)


def resampled_residuals(residuals: Floats, variance: float, *, same_topics: bool) -> Residuals:
    """Resampled residuals (topics, systems), topics with replacement, for systems chosen at random.

    So systems may vary unequally, and residuals be of any shape. Systems are drawn on the same topics, or each on its own, and
    scaled so that the difference between two has twice the variance, over all pairs.
    """
    topics, systems = residuals.shape
    centred = residuals - residuals.mean(axis=0)
    square = float((centred**2).mean())
    if same_topics:
        # The mean over pairs of (e_i - e_j)^2 is 2 (k sum e^2 - (sum e)^2) / (k (k - 1)).
        square = float((systems * (centred**2).sum(axis=1) - centred.sum(axis=1) ** 2).mean()) / (systems * (systems - 1))
    scaled = centred * math.sqrt(variance / square)

    def drawn(rng: np.random.Generator, shape: tuple[int, int, int]) -> Floats:
        some, rows, columns = shape
        row = rng.integers(0, topics, (some, rows, 1 if same_topics else columns))
        # The first so many of a random order are systems chosen without replacement, as long as there are enough.
        column = np.argsort(rng.random((some, max(columns, systems))), axis=1)[:, None, :columns] % systems
        return np.asarray(scaled[row, column])

    return drawn


def simulated_power(
    residuals: Residuals, topics: int, difference: float, *, systems: int = 2, alpha: float = 0.05, trials: int = 5000,
    seed: int = 0,
) -> float:  # fmt: skip
    """The share of simulated data sets in which the test tells two systems apart, between which all the others lie."""
    shift = np.zeros(systems)
    shift[0], shift[-1] = difference / 2, -difference / 2
    critical = _critical(topics, systems, alpha)
    rng, detections = stream(seed), 0
    for _, some in blocks(trials, topics * systems, _CELLS_AT_ONCE):
        scores = residuals(rng, (some, topics, systems)) + shift
        gap = (scores[:, :, 0] - scores[:, :, -1]).mean(axis=1)
        detections += int((np.abs(gap) > critical * np.sqrt(2 * residual_variance(scores) / topics)).sum())
    return detections / trials
