"""Tests for each pair of systems by itself, and corrections for asking many questions at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Literal

import numpy as np

from metameasure.core.choices import Correction
from metameasure.core.errors import UsageError
from metameasure.statistics.arrays import ArrayLike, Booleans, Floats, Integers
from metameasure.statistics.fixed_point import FixedPoint, fixed_point, fixed_point_less_shared
from metameasure.statistics.kernels import flipped_sums, resampled_sums
from metameasure.statistics.tukey import checked_one_matrix
from metameasure.statistics.work import drawn_p, in_chunks


def permutation_test(
    matrix: ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    correction: Correction = "none",
    against: int | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Floats:
    """Two-sided p-values (systems, systems) of paired permutation tests on the means over topics (topics, systems).

    In each trial the two systems of every pair change places on a random half of the topics, the same topics for all pairs;
    p = (count + 1) / (B + 1). ``maxt`` is the step-down correction of Westfall and Young, which sees how the pairs depend.
    With ``against``, the place of one system, only pairs with it are tested and corrected for; the others are NaN.
    """
    fixed = _prepared(matrix, trials)
    drawn = in_chunks(partial(flipped_sums, fixed.values, seed), trials, executor=executor, threads=threads, chunk=chunk)
    return _compared(fixed, drawn, len(fixed.values), correction, against)


def bootstrap_test(
    matrix: ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    correction: Correction = "none",
    against: int | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Floats:
    """Two-sided p-values (systems, systems) of paired bootstrap tests on the means over topics (topics, systems).

    Topics are drawn with replacement, the same for all pairs; p = (count + 1) / (B + 1), where a trial counts if its difference
    is as far from the observed one as that is from 0. ``against`` is as in ``permutation_test``.
    """
    refuse_maxt(correction)
    fixed = _prepared(matrix, trials)
    drawn = in_chunks(partial(resampled_sums, fixed.values, seed), trials, executor=executor, threads=threads, chunk=chunk)
    away = drawn - fixed.values.sum(axis=0)
    return _compared(fixed, away, 2 * len(fixed.values), correction, against)


def refuse_maxt(correction: Correction) -> None:
    """UsageError for the correction that a bootstrap test cannot make."""
    if correction == "maxt":
        raise UsageError("the maxt correction is for permutation tests", hint="choose holm or bh")


def _compared(fixed: FixedPoint, drawn: Integers, terms: int, correction: Correction, against: int | None) -> Floats:
    """p-values from how often a difference between drawn sums (trials, systems) of so many terms reaches the observed one."""
    systems = fixed.values.shape[1]
    first, second = pairs_of_systems(systems, against)
    sums = fixed.values.sum(axis=0)
    observed = np.abs(sums[first] - sums[second])
    if correction == "maxt":
        return square(_max_t(observed, drawn, (first, second), fixed), systems, against)
    bounds = zip(first, second, observed - fixed.tolerance(terms), strict=True)
    reached = [int((np.abs(drawn[:, i] - drawn[:, j]) >= least).sum()) for i, j, least in bounds]
    return square(corrected(drawn_p(np.array(reached, dtype=np.int64), len(drawn)), correction), systems, against)


def bootstrap_means(scores: Floats, trials: int, seed: int, *, threads: int | None = None) -> Floats:
    """Means over topics drawn with replacement: (topics, systems) -> (trials, systems), to the bit whatever the threads."""
    fixed = fixed_point(scores, len(scores))
    drawn = in_chunks(partial(resampled_sums, fixed.values, seed), trials, threads=threads)
    return np.asarray(drawn * np.float64(fixed.unit / len(scores)))


def _prepared(matrix: ArrayLike, trials: int) -> FixedPoint:
    scores = checked_one_matrix(matrix, trials)
    return fixed_point_less_shared(scores, 2 * len(scores))


def corrected(p: Floats, correction: Correction | Literal["by"]) -> Floats:
    """p-values of a family of tests (along the last axis), corrected: ``holm`` for any error in the family, ``bh`` for the share
    of false findings of tests that depend on each other in the same direction, ``by`` (Benjamini and Yekutieli 2001) however they
    depend."""
    if correction == "none":
        return p
    order = np.argsort(p, axis=-1, kind="stable")
    ranked, tests = np.take_along_axis(p, order, axis=-1), p.shape[-1]
    match correction:
        case "holm":
            adjusted = np.maximum.accumulate(ranked * np.arange(tests, 0, -1), axis=-1)
        case "bh" | "by":
            harmonic = 1 if correction == "bh" else (1 / np.arange(1, tests + 1)).sum()
            raised = ranked * tests * harmonic / np.arange(1, tests + 1)
            adjusted = np.minimum.accumulate(raised[..., ::-1], axis=-1)[..., ::-1]
        case _:
            raise UsageError(f"'{correction}' is no correction of p-values alone", hint="choose none, holm, bh or by")
    result = np.empty(p.shape)
    np.put_along_axis(result, order, np.minimum(adjusted, 1.0), axis=-1)
    return result


def _max_t(observed: Integers, drawn: Integers, pairs: tuple[Integers, Integers], fixed: FixedPoint) -> Floats:
    """Differences in units of the root of the pair's sum of squares, which a change of places leaves as it is, stepped down.
    Pairs that are equal but for rounding have none."""
    topics, values = len(fixed.values), fixed.values
    gaps = [(values[:, i] - values[:, j]).astype(float) for i, j in zip(*pairs, strict=True)]
    equal = np.array([np.all(np.abs(gap) <= 1 + fixed.noise) for gap in gaps])
    spread = np.array([1.0 if same else float(np.sqrt((gap**2).sum())) for gap, same in zip(gaps, equal, strict=True)])

    def of_pair(pair: int) -> Floats:
        gaps = np.abs(drawn[:, pairs[0][pair]] - drawn[:, pairs[1][pair]])
        return np.zeros(len(drawn)) if equal[pair] else gaps / spread[pair]

    return step_down(np.where(equal, 0.0, observed / spread), of_pair, fixed.tolerance(topics) / spread)


def drawn_chance(reached: Booleans) -> float:
    """The p-value of those trials (trials,), of all that were drawn, that reach a statistic."""
    return drawn_p(int(reached.sum()), len(reached))


def step_down(
    observed: Floats, drawn: Callable[[int], Floats], slack: Floats, chance: Callable[[Booleans], float] = drawn_chance
) -> Floats:
    """Westfall and Young's step-down maxT: each pair against the largest statistic of the pairs that are no more significant.

    ``observed`` (pairs,) are statistics of one scale, ``drawn(pair)`` (trials,) those of a pair under the null hypothesis, and
    ``slack`` (pairs,) is what rounding can come to. ``chance`` makes a p-value of the trials (trials,) that reach a statistic.
    """
    order = np.argsort(-observed, kind="stable")
    largest: Floats = np.zeros(1)
    alone = np.zeros(len(observed))
    for pair in order[::-1]:  # from the least significant up, so that the largest so far is at hand
        largest = np.maximum(largest, drawn(int(pair)))
        alone[pair] = chance(largest >= observed[pair] - slack[pair])
    p = np.empty(len(observed))
    p[order] = np.maximum.accumulate(alone[order])
    return p


def pairs_of_systems(systems: int, against: int | None = None) -> tuple[Integers, Integers]:
    """The first and the second system of every pair, or of every pair with one of them; the first comes before the second."""
    first, second = np.triu_indices(systems, 1)
    wanted = np.ones(len(first), dtype=bool) if against is None else (first == against) | (second == against)
    return first[wanted], second[wanted]


def square(values: ArrayLike, systems: int, against: int | None = None) -> Floats:
    """The p-values or other numbers of ``pairs_of_systems`` as a symmetric matrix: 1 on the diagonal, NaN for other pairs."""
    result = np.full((systems, systems), np.nan)
    np.fill_diagonal(result, 1.0)
    first, second = pairs_of_systems(systems, against)
    result[first, second] = result[second, first] = values
    return result
