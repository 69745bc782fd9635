"""Tests for rankings of segments: one run against chance, two runs from counts that add, systems by soft pairwise accuracy.

For two runs compared by their means over segments, ``paired.permutation_test`` is the test.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from itertools import combinations, permutations

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.statistics.arrays import ArrayLike, Booleans, Floats, Integers
from metameasure.statistics.fixed_point import fixed_point
from metameasure.statistics.kernels import flipped_sums, resampled_sums
from metameasure.statistics.streams import Words, trial_keys, trial_words
from metameasure.statistics.tukey import checked_matrix
from metameasure.statistics.work import blocks, check_trials, drawn_p, in_chunks

SAME = 1e-12  # statistics this close, relative to the observed one, are equal but for rounding
_CELLS_AT_ONCE = 2**20


def within_segment_test(
    predicted: ArrayLike,
    gold: ArrayLike,
    statistic: Callable[[Floats, Floats], Floats],
    trials: int = 5000,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> float:
    """One-sided p-value of one run: how often its ranks, permuted at random within each segment, score as high.

    Ranks are (segments, n), NaN where an item is not ranked; ties stay ties. ``statistic(predicted, gold)`` gives one number for
    each trial's predictions (trials, segments, n) against the same gold (segments, n), higher being better; NaN counts as high.
    p = (count + 1) / (B + 1), which is valid whatever the ties and the lengths of the segments.
    """
    check_trials(trials)
    outputs, human = _ranked_first(np.asarray(predicted, dtype=float), np.asarray(gold, dtype=float))
    observed = float(statistic(outputs[None], human)[0])
    if np.isnan(observed):
        return float("nan")
    least = observed - SAME * max(1.0, abs(observed))
    ranked = ~np.isnan(outputs) & ~np.isnan(human)

    def task(first: int, count: int) -> Integers:
        keys = (trial_keys(seed, first + start, some) for start, some in blocks(count, outputs.size, _CELLS_AT_ONCE))
        reached = [~(statistic(_dealt(outputs, ranked, some), human) < least) for some in keys]
        return np.concatenate(reached).astype(np.int64)

    return drawn_p(int(in_chunks(task, trials, executor=executor, threads=threads, chunk=chunk).sum()), trials)


def _ranked_first(predicted: Floats, gold: Floats) -> tuple[Floats, Floats]:
    """The items that both rank in front, so that dealing out their ranks leaves the others where they are."""
    if predicted.ndim != 2 or predicted.shape != gold.shape:
        raise UsageError(f"ranks of shape {predicted.shape} and {gold.shape}", hint="pass two of (segments, n)")
    order = np.argsort(np.isnan(predicted) | np.isnan(gold), axis=1, kind="stable")
    return np.take_along_axis(predicted, order, axis=1), np.take_along_axis(gold, order, axis=1)


def _dealt(predicted: Floats, ranked: Booleans, keys: Words) -> Floats:
    """Each trial's predictions (trials, segments, n): in each segment the ranks of ranked items in random order."""
    words = trial_words(keys, 0, predicted.size).reshape(len(keys), *predicted.shape)
    order = np.argsort(np.where(ranked, words >> np.uint64(1), np.uint64(2**63)), axis=2, kind="stable")
    return np.take_along_axis(np.broadcast_to(predicted, order.shape), order, axis=2)


def paired_evidence_test(
    evidence: ArrayLike,
    value: Callable[[Floats], Floats],
    trials: int = 5000,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Floats:
    """Two-sided p-values (runs, runs) of paired permutation tests on a measure of summed counts (a micro average).

    ``evidence`` holds whole-number counts (segments, runs, counts); ``value`` makes (...) of sums (..., counts). In each trial
    the two runs of every pair change places on a random half of the segments, both their outputs with all that is counted from
    them, the same segments for all pairs; p = (count + 1) / (B + 1). NaN where a run's own value is undefined.
    """
    whole = _whole(evidence, trials)
    segments, runs, kinds = whole.shape
    task = partial(flipped_sums, whole.reshape(segments, -1), seed)
    flipped = in_chunks(task, trials, executor=executor, threads=threads, chunk=chunk).reshape(trials, runs, kinds)
    sums = whole.sum(axis=0)
    p = np.ones((runs, runs))
    for first, second in combinations(range(runs), 2):
        both, gap = sums[first] + sums[second], flipped[:, first] - flipped[:, second]
        drawn = np.abs(value((both + gap) / 2) - value((both - gap) / 2))
        observed = float(np.abs(value(sums[first].astype(float)) - value(sums[second].astype(float))))
        reached = int((~(drawn < observed - SAME * max(1.0, observed))).sum())
        p[first, second] = p[second, first] = np.nan if np.isnan(observed) else drawn_p(reached, trials)
    return p


def bootstrap_evidence(
    evidence: ArrayLike,
    value: Callable[[Floats], Floats],
    trials: int = 1000,
    seed: int = 0,
    *,
    threads: int | None = None,
) -> Floats:
    """Values (trials, runs) of a measure of summed counts (segments, runs, counts), segments drawn with replacement: the spread
    of a micro average. ``resampling.percentile_interval`` makes an interval of them."""
    whole = _whole(evidence, trials)
    task = partial(resampled_sums, whole.reshape(len(whole), -1), seed)
    return value(in_chunks(task, trials, threads=threads).reshape(trials, *whole.shape[1:]).astype(float))


def _whole(evidence: ArrayLike, trials: int) -> Integers:
    check_trials(trials)
    counts = np.asarray(evidence, dtype=float)
    if counts.ndim != 3:
        raise UsageError(f"evidence of {counts.ndim} axes", hint="pass (segments, runs, counts)")
    if not np.all(counts == np.rint(counts)):
        raise UsageError("evidence that is not whole numbers", hint="pass counts")
    return counts.astype(np.int64)


def superiority(matrix: ArrayLike, trials: int = 1000, seed: int = 0, *, threads: int | None = None) -> Floats:
    """One-sided p-values (systems, systems) that a row's system is no better than a column's, from scores (segments, systems).

    Paired permutation of each pair over segments, the same segments for all pairs; p = (count + 1) / (B + 1), higher being
    better. The diagonal is one half.
    """
    scores = checked_matrix(matrix)
    fixed = fixed_point(scores, 2 * len(scores))
    drawn = in_chunks(partial(flipped_sums, fixed.values, seed), trials, threads=threads)
    sums, slack = fixed.values.sum(axis=0), fixed.tolerance(len(scores))
    p = np.full((len(sums), len(sums)), 0.5)
    for first, second in permutations(range(len(sums)), 2):
        reached = drawn[:, first] - drawn[:, second] >= sums[first] - sums[second] - slack
        p[first, second] = drawn_p(int(reached.sum()), trials)
    return p


def soft_pairwise_accuracy(human: ArrayLike, metric: ArrayLike) -> float:
    """How far a metric is as sure as humans which of two systems is better: the mean of 1 - |p_human - p_metric| over pairs.

    Both are one-sided p-values (systems, systems), as from ``superiority`` (Thompson et al., Improving Statistical Significance
    in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy, WMT 2024).
    """
    ours, theirs = np.asarray(human, dtype=float), np.asarray(metric, dtype=float)
    if ours.shape != theirs.shape or ours.ndim != 2 or ours.shape[0] != ours.shape[1]:
        raise UsageError(f"p-values of shape {ours.shape} and {theirs.shape}", hint="pass two of (systems, systems)")
    pairs = np.triu_indices(len(ours), 1)
    return float(np.mean(1 - np.abs(ours[pairs] - theirs[pairs]))) if len(ours) > 1 else float("nan")
