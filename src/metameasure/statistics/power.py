"""How many topics does it take to find a difference, and which difference can so many topics find?

Topic set size design after Sakai (2016): for a paired t test of two systems, a one-way analysis of variance of several, and a
confidence interval of a difference. The variance V of a score is known from earlier scores; a difference of two scores on one
topic then has variance 2V.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.special import betainc, fdtri, gammaln, stdtrit

from metameasure.statistics.arrays import Floats
from metameasure.statistics.streams import stream
from metameasure.statistics.studentised_range import normal_cdf, spread_nodes, studentised_range_quantile
from metameasure.statistics.work import blocks

Power = Callable[[int, float], float]
"""The power of a test with so many topics and so large a difference."""
MOST_TOPICS = 10**7
_CELLS_AT_ONCE = 2**22
_BISECTIONS = 60


def t_test_power(variance: float, alpha: float = 0.05) -> Power:
    """A paired t test: with n topics and difference D, t has n - 1 degrees of freedom and noncentrality sqrt(n) D / sqrt(2V)."""

    def power(topics: int, difference: float) -> float:
        noncentral = math.sqrt(topics) * difference / math.sqrt(2 * variance)
        critical = float(stdtrit(topics - 1, 1 - alpha / 2))
        # t = (Z + noncentral) / s, over the distribution of s. SciPy's noncentral t is NaN in places.
        spread, share = spread_nodes(topics - 1)
        return float(np.sum(share * (normal_cdf(noncentral - critical * spread) + normal_cdf(-noncentral - critical * spread))))

    return power


def field_power(variance: float, systems: int, alpha: float = 0.05) -> Power:
    """Tukey's test of two in a field of k systems: with n topics and difference D, the two means lie farther apart than the
    studentised range of k with (n - 1)(k - 1) degrees of freedom allows. For two systems it is the paired t test."""
    if systems == 2:
        return t_test_power(variance, alpha)

    def power(topics: int, difference: float) -> float:
        freedom = (topics - 1) * (systems - 1)
        noncentral = math.sqrt(topics) * difference / math.sqrt(2 * variance)
        critical = studentised_range_quantile(1 - alpha, systems, freedom) / math.sqrt(2)
        spread, share = spread_nodes(freedom)
        return float(np.sum(share * (normal_cdf(noncentral - critical * spread) + normal_cdf(-noncentral - critical * spread))))

    return power


def anova_power(variance: float, systems: int, alpha: float = 0.05) -> Power:
    """A one-way analysis of variance of m systems, two of which differ by D and the others lie midway: F has m - 1 and m(n - 1)
    degrees of freedom and noncentrality n D^2 / (2V)."""

    def power(topics: int, difference: float) -> float:
        between, within = systems - 1, systems * (topics - 1)
        half = topics * difference**2 / (4 * variance)
        critical = float(fdtri(between, within, 1 - alpha))
        # A noncentral F is a mixture of central ones, Poisson with half the noncentrality.
        reach = 12 * math.sqrt(half) + 40
        terms = np.arange(max(0.0, math.floor(half - reach)), math.ceil(half + reach) + 1)
        log_share = terms * math.log(half) - half - gammaln(terms + 1) if half > 0 else np.where(terms == 0, 0.0, -np.inf)
        place = between * critical / (between * critical + within)
        missed = float(np.sum(np.exp(log_share) * betainc(between / 2 + terms, within / 2, place)))
        return min(1.0, max(0.0, 1 - missed))

    return power


def interval_width(variance: float, topics: int, alpha: float = 0.05) -> float:
    """The expected full width of a confidence interval of a difference: 2 t c4(n) sqrt(2V / n)."""
    c4 = math.sqrt(2 / (topics - 1)) * math.exp(float(gammaln(topics / 2) - gammaln((topics - 1) / 2)))
    return 2 * float(stdtrit(topics - 1, 1 - alpha / 2)) * c4 * math.sqrt(2 * variance / topics)


def fewest_topics(enough: Callable[[int], bool]) -> int | None:
    """The smallest number of topics that is enough, where more are enough too; None beyond ten million."""
    high = 2
    while not enough(high):
        if high >= MOST_TOPICS:
            return None
        high = min(2 * high, MOST_TOPICS)
    low = high // 2  # not enough, or below 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle >= 2 and enough(middle) else (middle, high)
    return max(2, high)


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
    residuals: Residuals, topics: int, difference: float, *, systems: int | None = None, alpha: float = 0.05, trials: int = 5000,
    seed: int = 0,
) -> float:  # fmt: skip
    """The share of simulated data sets in which the test finds the difference: a paired t test of two systems, or a one-way
    analysis of variance of so many."""
    number = systems or 2
    shift = np.zeros(number)
    shift[0], shift[-1] = difference / 2, -difference / 2
    rng, detections = stream(seed), 0
    for _, some in blocks(trials, topics * number, _CELLS_AT_ONCE):
        scores = residuals(rng, (some, topics, number)) + shift
        if systems is None:
            gaps = scores[:, :, 0] - scores[:, :, 1]
            statistic = np.abs(gaps.mean(axis=1)) / np.sqrt(gaps.var(axis=1, ddof=1) / topics)
            critical = float(stdtrit(topics - 1, 1 - alpha / 2))
        else:
            between = topics * scores.mean(axis=1).var(axis=1, ddof=1)
            statistic = between / scores.var(axis=1, ddof=1).mean(axis=1)
            critical = float(fdtri(number - 1, number * (topics - 1), 1 - alpha))
        detections += int((statistic > critical).sum())
    return detections / trials
