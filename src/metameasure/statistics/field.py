"""What a test of a whole field of runs may hide: a run that is far noisier than the others, and differences that are small but
steady. Arrays in, arrays out: scores are (topics, runs)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from metameasure.statistics.anova import residuals
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.by_content import order_by_content, words_of
from metameasure.statistics.mean_intervals import OPEN, Range, t_interval
from metameasure.statistics.paired import corrected, permutation_test
from metameasure.statistics.streams import stream

NOISY = 4.0
"""A run whose residuals have so many times the median run's sum of squares is noisy."""
_RARE = 0.2
_SAME = 1e-12
_SIMULTANEOUS_TRIALS = 2000


def topics_by_content(scores: Floats) -> Integers:
    """The topics in an order that depends on the scores alone, whatever topics and runs are called."""
    return order_by_content(words_of(scores))[0]


def noise(scores: Floats) -> Floats:
    """(runs,): each run's sum of squared residuals, over the median run's; 1 where nobody has any."""
    squares = (residuals(scores) ** 2).sum(axis=0)
    middle = float(np.median(squares))
    largest = float(np.abs(scores).max(initial=0.0))
    return squares / middle if middle > (1e-9 * max(1.0, largest)) ** 2 else np.ones(len(squares))


def skewness_of(scores: Floats) -> float:
    """How skewed scores (topics, runs) are, whichever way: those of the mean run, or half as much as the most skewed run, since
    of many runs one is skewed by accident; 0 where none varies."""
    known = ~np.isnan(scores)
    number = np.maximum(1, known.sum(axis=0))
    centred = np.where(known, scores - np.where(known, scores, 0.0).sum(axis=0) / number, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        skewness = (centred**3).sum(axis=0) / number / ((centred**2).sum(axis=0) / number) ** 1.5
    known_ones = skewness[~np.isnan(skewness)]
    return float(max(abs(known_ones.mean()), np.abs(known_ones).max() / 2)) if len(known_ones) else 0.0


def unequal_spread(scores: Floats) -> float:
    """How far the runs that vary most and least lie apart: the logarithm of the ratio of their sums of squared residuals, in
    standard errors of one such logarithm."""
    squares = (residuals(scores) ** 2).sum(axis=0)
    return math.log(squares.max() / squares.min()) / math.sqrt(2 / (len(scores) - 1)) if squares.min() > 0 else 0.0


def is_rare(scores: Floats, *, shown: bool = True) -> bool:
    """Whether some run (topics, runs) scores 0 or 1 on every topic, and on nearly all topics the same. A run that scores the same
    on all of them shows that only where every run scores 0 or 1: a constant answer has a kappa of 0 on every topic. ``shown``:
    such a run does not count at all."""
    whole = np.isin(scores, (0.0, 1.0)).all(axis=0)
    rarer = np.minimum((scores == 0).sum(axis=0), (scores == 1).sum(axis=0))
    fewest = 1 if shown or not whole.all() else 0
    return bool((whole & (rarer >= fewest) & (rarer < _RARE * len(scores))).any())


def alone(scores: Floats, trials: int, seed: int, threads: int | None = None) -> Floats:
    """(runs, runs): the p-value of each pair's own sign-flip test, uncorrected. Where one run is better on every topic on which
    the two differ, it is known exactly: of all signs only two reach so far."""
    p = permutation_test(scores, trials, seed, correction="none", threads=threads)
    up = np.array([(scores[:, one, None] - scores > _SAME).sum(axis=0) for one in range(len(p))])
    down = up.T
    steady = ((up == 0) != (down == 0)) & ~np.eye(len(p), dtype=bool)
    return np.where(steady, 2.0 ** (1 - np.maximum(up, down)), p)


def hidden(p: Floats, p_alone: Floats, alpha: float) -> Booleans:
    """(runs, runs): the pairs that Holm's correction of the pairs' own tests finds, and the test of the whole field does not."""
    upper = np.triu_indices(len(p), 1)
    found = np.zeros(p.shape, dtype=bool)
    found[upper] = (corrected(p_alone[upper], "holm") <= alpha) & ~(p[upper] < alpha)
    return found


def difference_intervals(scores: Floats, level: float, range: Range) -> tuple[Floats, Floats]:
    """(runs, runs) each: t intervals of the mean differences, the row's run less the column's, each pair by itself."""
    return _about_differences(scores, range, lambda error: t_interval(0.0, error, len(scores) - 1, level, OPEN)[1])


def simultaneous_intervals(scores: Floats, level: float, range: Range, seed: int) -> tuple[Floats, Floats]:
    """The same, all at once: so many standard errors as the largest |t| of all pairs has in that share of random signs, one for
    each topic and shared by all pairs. Signs that make all differences of a pair the same have an infinite t: where that is no
    rare chance, as with four topics or fewer, the interval is the whole range."""
    topics, runs = scores.shape
    first, second = np.triu_indices(runs, 1)
    gaps = scores[:, first] - scores[:, second]
    centred = gaps - gaps.mean(axis=0)
    squares = (centred**2).sum(axis=0)
    known = squares > topics * (_SAME * np.abs(scores).max(initial=0.0)) ** 2  # but for rounding
    signs = stream(seed).integers(0, 2, size=(_SIMULTANEOUS_TRIALS, topics)) * 2.0 - 1
    means = signs @ centred[:, known] / topics
    rest = squares[known] - topics * means**2
    same = rest <= _SAME * squares[known]  # but for rounding
    errors = np.sqrt(np.where(same, 1.0, rest) / (topics - 1) / topics)
    largest = np.max(np.where(same, np.inf, np.abs(means) / errors), axis=1, initial=0.0)
    reach = float(np.quantile(largest, level, method="linear" if np.isfinite(largest).all() else "higher"))
    return _about_differences(scores, range, lambda error: reach * np.where(error > 0, error, np.nan))


def _about_differences(scores: Floats, range: Range, reach: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
    means, centred = scores.mean(axis=0), scores - scores.mean(axis=0)
    products = centred.T @ centred / (len(scores) - 1)
    own = np.diag(products)
    variance = np.maximum(own[:, None] + own - 2 * products, 0.0)  # of the difference of two
    error = np.sqrt(np.where(variance <= _SAME * np.maximum(own[:, None], own), 0.0, variance) / len(scores))
    around, difference, width = reach(error), means[:, None] - means, range[1] - range[0]
    return np.maximum(difference - around, -width), np.minimum(difference + around, width)
