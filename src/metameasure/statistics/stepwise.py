"""The stepwise test: every stretch of neighbouring runs by its own range, so that a weak run does not hide the others.

Tukey's test judges every difference by the range of all systems at once, and shuffles all of them: one run far from the others
widens that range for all. Here runs stand in the order of their means, and a pair is told apart if every stretch of neighbours
that contains both is found heterogeneous. A stretch of m of k runs has its p-value adjusted to 1 - (1 - p)^(k/m) if m < k - 1,
the levels of Ryan, Einot, Gabriel and Welsch (Einot and Gabriel 1975; Welsch 1977), which hold the error over the whole family
of pairs. In each trial one random sign per topic is shared by all runs: it asks of a difference only that it is as likely in
one direction as in the other, not that all systems vary alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from itertools import product

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats, Integers
from metameasure.statistics.fixed_point import fixed_point_less_shared
from metameasure.statistics.kernels import flipped_sums
from metameasure.statistics.tukey import checked_one_matrix
from metameasure.statistics.work import in_chunks

FEWEST_TOPICS = 8
"""With fewer topics no p-value can be small: the smallest is 2^(1 - topics)."""
_TOPICS_AT_ONCE = 13  # whose 4,096 patterns of signs are tried together


def stepwise_test(
    matrix: ArrayLike,
    trials: int = 5000,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
) -> Floats:
    """p-values (systems, systems) for the differences between systems' means over topics (topics, systems).

    Of a stretch, p = (count + 1) / (B + 1), where a trial counts if its range reaches the observed one. Where there are no more
    sign patterns than trials all of them are tried instead, and p is exact. A pair's p-value is the largest over the stretches
    that contain both of its systems. Of systems with equal means the earlier column comes first.
    """
    scores = checked_one_matrix(matrix, trials)
    topics, systems = scores.shape
    fixed = fixed_point_less_shared(scores, 2 * topics)
    sums = fixed.values.sum(axis=0)
    order = _from_highest(sums, fixed.tolerance(topics))
    ranked, ranked_sums = np.ascontiguousarray(fixed.values[:, order]), sums[order]
    bounds = np.abs(ranked_sums[:, None] - ranked_sums[None, :]) - fixed.tolerance(topics)
    if is_exact(topics, trials):
        # A pattern and its opposite have the same ranges, so half of all patterns are enough.
        counts = sum(_reached(sums, bounds) for sums in _enumerated_sums(ranked))
        share = counts / 2.0 ** (topics - 1)
    else:
        task = partial(_reached_in_trials, ranked, bounds, seed)
        counts = in_chunks(task, trials, executor=executor, threads=threads, chunk=chunk).sum(axis=0)
        share = (1 + counts) / (1 + trials)
    p = np.ones((systems, systems))
    p[np.ix_(order, order)] = _pairs_from_stretches(share)
    return p


def is_exact(topics: int, trials: int) -> bool:
    """Whether all patterns of signs are tried: a pattern and its opposite count once."""
    return topics - 1 < trials.bit_length()  # 2^(topics - 1) <= trials


def _from_highest(sums: Integers, tolerance: int) -> Integers:
    """The columns from the highest sum down; sums that are equal but for rounding keep the order of the columns."""
    order = np.argsort(-sums, kind="stable")
    tied = np.r_[0, np.cumsum(-np.diff(sums[order]) > tolerance)]
    return order[np.lexsort((order, tied))]


def _reached_in_trials(ranked: Integers, bounds: Integers, seed: int, first: int, count: int) -> Integers:
    """(1, systems, systems): in how many of these trials the range of each stretch reaches its bound."""
    return _reached(flipped_sums(ranked, seed, first, count), bounds)[None]


def _reached(sums: Integers, bounds: Integers) -> Integers:
    """In how many trials the range of stretch i..j reaches its bound, for i < j, from the sums (trials, systems)."""
    by_system = np.ascontiguousarray(sums.T)
    systems = len(by_system)
    counts = np.zeros((systems, systems), dtype=np.int64)
    for first in range(systems):
        highest, lowest = by_system[first].copy(), by_system[first].copy()
        for last in range(first + 1, systems):
            np.maximum(highest, by_system[last], out=highest)
            np.minimum(lowest, by_system[last], out=lowest)
            counts[first, last] = np.count_nonzero(highest - lowest >= bounds[first, last])
    return counts


def _enumerated_sums(ranked: Integers) -> Iterator[Integers]:
    """The sums under each pattern of signs, some at a time; the last topic's sign is always the same."""
    some, others = ranked[-_TOPICS_AT_ONCE:], ranked[:-_TOPICS_AT_ONCE]
    sums = some[-1:]
    for topic in some[:-1]:
        sums = np.concatenate([sums + topic, sums - topic])
    for signs in product((1, -1), repeat=len(others)):
        yield sums + np.array(signs, dtype=np.int64) @ others


def _pairs_from_stretches(share: Floats) -> Floats:
    """Each pair's p-value from the share of every stretch i..j, systems in the order of their means."""
    systems = len(share)
    size = np.abs(np.subtract.outer(np.arange(systems), np.arange(systems))) + 1
    adjusted = np.triu(np.where(size < systems - 1, 1 - (1 - share) ** (systems / size), share), 1)
    # The largest over all i' <= i and j' >= j.
    largest = np.maximum.accumulate(np.maximum.accumulate(adjusted, axis=0)[:, ::-1], axis=1)[:, ::-1]
    p: Floats = np.triu(largest, 1)
    p = p + p.T
    np.fill_diagonal(p, 1.0)
    return p
