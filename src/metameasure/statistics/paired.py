"""Tests for each pair of systems by itself, and corrections for asking many questions at once."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.statistics.fixed_point import FixedPoint, fixed_point
from metameasure.statistics.kernels import Kernel, flipped_sums, resampled_sums
from metameasure.statistics.tukey import checked_matrix
from metameasure.statistics.work import in_chunks

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Correction = Literal["none", "holm", "bh", "maxt"]


def permutation_test(
    matrix: npt.ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    correction: Correction = "none",
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    kernel: Kernel = "auto",
) -> Floats:
    """Two-sided p-values (systems, systems) of paired permutation tests on the means over topics (topics, systems).

    In each trial the two systems of every pair change places on a random half of the topics, the same topics for all pairs;
    p = (count + 1) / (B + 1). ``maxt`` is the step-down correction of Westfall and Young, which sees how the pairs depend.
    """
    scores, fixed = _prepared(matrix, trials)
    drawn = in_chunks(partial(_flipped, fixed.values, seed, kernel), trials, executor=executor, threads=threads, chunk=chunk)
    first, second = np.triu_indices(scores.shape[1], 1)
    observed = np.abs(fixed.values.sum(axis=0)[first] - fixed.values.sum(axis=0)[second])
    reached = np.abs(drawn[:, first] - drawn[:, second])
    if correction == "maxt":
        spread = np.sqrt(((scores[:, first] - scores[:, second]) ** 2).sum(axis=0)) / fixed.unit
        return _square(_step_down(observed, reached, np.where(spread > 0, spread, 1.0), len(scores)), scores.shape[1])
    p = (1 + (reached >= observed - FixedPoint.tolerance(len(scores))).sum(axis=0)) / (trials + 1)
    return _square(corrected(p, correction), scores.shape[1])


def bootstrap_test(
    matrix: npt.ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    correction: Correction = "none",
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    kernel: Kernel = "auto",
) -> Floats:
    """Two-sided p-values (systems, systems) of paired bootstrap tests on the means over topics (topics, systems).

    Topics are drawn with replacement, the same for all pairs; p = (count + 1) / (B + 1), where a trial counts if its difference
    is as far from the observed one as that is from 0.
    """
    if correction == "maxt":
        raise UsageError("the maxt correction is for permutation tests", hint="choose holm or bh")
    scores, fixed = _prepared(matrix, trials)
    drawn = in_chunks(partial(_resampled, fixed.values, seed, kernel), trials, executor=executor, threads=threads, chunk=chunk)
    first, second = np.triu_indices(scores.shape[1], 1)
    observed = fixed.values.sum(axis=0)[first] - fixed.values.sum(axis=0)[second]
    away = np.abs(drawn[:, first] - drawn[:, second] - observed)
    p = (1 + (away >= np.abs(observed) - FixedPoint.tolerance(2 * len(scores))).sum(axis=0)) / (trials + 1)
    return _square(corrected(p, correction), scores.shape[1])


def _prepared(matrix: npt.ArrayLike, trials: int) -> tuple[Floats, FixedPoint]:
    if trials < 1:
        raise UsageError(f"{trials} trials", hint="at least one")
    scores = checked_matrix(matrix)
    if scores.ndim != 2:
        raise UsageError(f"scores of {scores.ndim} axes", hint="pass one matrix, topics down and systems across")
    return scores, fixed_point(scores, 2 * len(scores))


def _flipped(scores: Integers, seed: int, kernel: Kernel, first: int, count: int) -> Integers:
    return flipped_sums(scores, seed, first, count, kernel)


def _resampled(scores: Integers, seed: int, kernel: Kernel, first: int, count: int) -> Integers:
    return resampled_sums(scores, seed, first, count, kernel)


def corrected(p: Floats, correction: Correction) -> Floats:
    """p-values of a family of tests, corrected: ``holm`` for any error in the family, ``bh`` for the share of false findings."""
    order = np.argsort(p, kind="stable")
    ranked, tests = p[order], len(p)
    match correction:
        case "none":
            return p
        case "holm":
            adjusted = np.maximum.accumulate(ranked * np.arange(tests, 0, -1))
        case "bh":
            adjusted = np.minimum.accumulate((ranked * tests / np.arange(1, tests + 1))[::-1])[::-1]
        case _:
            raise UsageError(f"'{correction}' is no correction of p-values alone", hint="choose none, holm or bh")
    result = np.empty(tests)
    result[order] = np.minimum(adjusted, 1.0)
    return result


def _step_down(observed: Integers, drawn: Integers, spread: Floats, topics: int) -> Floats:
    """Westfall and Young's step-down maxT: each pair against the largest statistic of the pairs that are no more significant."""
    slack = FixedPoint.tolerance(topics) / spread
    statistics, trials = observed / spread, drawn / spread
    order = np.argsort(-statistics, kind="stable")
    largest = np.maximum.accumulate(trials[:, order[::-1]], axis=1)[:, ::-1]
    counts = (largest >= (statistics - slack)[order]).sum(axis=0)
    p = np.empty(len(observed))
    p[order] = np.maximum.accumulate((counts + 1) / (len(trials) + 1))
    return p


def _square(p: Floats, systems: int) -> Floats:
    square = np.ones((systems, systems))
    first, second = np.triu_indices(systems, 1)
    square[first, second] = square[second, first] = p
    return square
