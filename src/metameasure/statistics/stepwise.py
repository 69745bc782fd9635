"""The stepwise test: every stretch of neighbouring runs by its own range, so that a weak run does not hide the others.

Tukey's test judges every difference by the range of all systems at once, and shuffles all of them: one run far from the others
widens that range for all. Here runs stand in the order of their means, and a pair is told apart if every stretch of neighbours
that contains both is found heterogeneous. A stretch of m of k runs has its p-value adjusted to 1 - (1 - p)^(k/m) if m < k - 1,
the levels of Ryan, Einot, Gabriel and Welsch (Einot and Gabriel 1975; Welsch 1977), which hold the error over the whole family
of pairs. In each trial one random sign per topic is shared by all runs: it asks of a difference only that it is as likely in
one direction as in the other, not that all systems vary alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Self

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats, Integers
from metameasure.statistics.fixed_point import fixed_point_less_shared
from metameasure.statistics.kernels import flipped_sums
from metameasure.statistics.tukey import checked_one_matrix
from metameasure.statistics.work import drawn_p, in_chunks

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
    that contain both of its systems. Systems with equal means have no order among them: a stretch begins and ends with all of
    them or with one of them, so that p-values depend neither on names nor on the order of the columns.
    """
    scores = checked_one_matrix(matrix, trials)
    topics = len(scores)
    fixed = fixed_point_less_shared(scores, 2 * topics)
    sums = fixed.values.sum(axis=0)
    stretches = _Stretches.of(_tied_groups(sums, fixed.tolerance(topics)))
    bounds = stretches.ranges(sums) - fixed.tolerance(topics)
    if is_exact(topics, trials):
        # A pattern and its opposite have the same ranges, so half of all patterns are enough.
        counts = sum(stretches.reached(sums, bounds) for sums in _enumerated_sums(fixed.values))
        share = np.asarray(counts / 2.0 ** (topics - 1))
    else:
        task = partial(_reached_in_trials, stretches, fixed.values, bounds, seed)
        counts = in_chunks(task, trials, executor=executor, threads=threads, chunk=chunk).sum(axis=0)
        share = drawn_p(counts, trials)
    return stretches.pairs(share)


def is_exact(topics: int, trials: int) -> bool:
    """Whether all patterns of signs are tried: a pattern and its opposite count once."""
    return topics - 1 < trials.bit_length()  # 2^(topics - 1) <= trials


def smallest_p(topics: int, systems: int, trials: int) -> float:
    """The smallest p-value that two neighbours among so many systems can have."""
    least = 2.0 ** (1 - topics) if is_exact(topics, trials) else drawn_p(0, trials)
    return _adjusted(least, 2, systems)


def _adjusted(share: float, size: int, systems: int) -> float:
    """The p-value of a stretch of so many of all systems."""
    return share if size >= systems - 1 else -math.expm1(systems / size * math.log1p(-share)) if share < 1 else 1.0


def _tied_groups(sums: Integers, tolerance: int) -> list[list[int]]:
    """The columns from the highest sum down, those together whose sums are equal but for rounding."""
    order = np.argsort(-sums, kind="stable")
    tied = np.r_[0, np.cumsum(-np.diff(sums[order]) > tolerance)]
    return [sorted(order[tied == group].tolist()) for group in range(int(tied[-1]) + 1)]


@dataclass(frozen=True)
class _Stretches:
    """Neighbours in the order of their means. A stretch begins with one of ``ends`` and stops with another: all systems of a
    group that ties, or one of them; whole groups lie between."""

    groups: list[list[int]]
    ends: list[tuple[int, list[int]]]
    """Of each: the number of its group, and its systems."""

    @classmethod
    def of(cls, groups: list[list[int]]) -> Self:
        single = [(place, [one]) for place, group in enumerate(groups) for one in group]
        whole = [(place, group) for place, group in enumerate(groups) if len(group) > 1]
        return cls(groups, [*single, *whole])

    def _walk(self, sums: Integers) -> Iterator[tuple[int, int, Integers, int]]:
        """For each stretch: its two ends, its range by each row of sums (trials, systems), and its size."""
        by_system = np.ascontiguousarray(sums.T)
        highest_of, lowest_of = ([edge(by_system[own], axis=0) for _, own in self.ends] for edge in (np.max, np.min))
        stops = [[place for place, (group, _) in enumerate(self.ends) if group == one] for one in range(len(self.groups))]
        for start, (group, own) in enumerate(self.ends):
            highest, lowest, size = highest_of[start].copy(), lowest_of[start].copy(), len(own)
            for *alone, whole in stops[group + 1 :]:
                for stop in alone:
                    yield start, stop, np.maximum(highest, highest_of[stop]) - np.minimum(lowest, lowest_of[stop]), size + 1
                np.maximum(highest, highest_of[whole], out=highest)
                np.minimum(lowest, lowest_of[whole], out=lowest)
                size += len(self.ends[whole][1])
                yield start, whole, highest - lowest, size

    def ranges(self, sums: Integers) -> Integers:
        """(ends, ends): the range of each stretch."""
        found = np.zeros((len(self.ends), len(self.ends)), dtype=np.int64)
        for start, stop, width, _ in self._walk(sums[None]):
            found[start, stop] = width[0]
        return found

    def reached(self, sums: Integers, bounds: Integers) -> Integers:
        """(ends, ends): in how many rows of sums (trials, systems) the range of each stretch reaches its bound."""
        counts = np.zeros_like(bounds)
        for start, stop, width, _ in self._walk(sums):
            counts[start, stop] = np.count_nonzero(width >= bounds[start, stop])
        return counts

    def pairs(self, share: Floats) -> Floats:
        """Each pair's p-value (systems, systems) from the share of every stretch: the largest of those that contain both."""
        systems = sum(map(len, self.groups))
        adjusted = np.zeros(share.shape)
        for start, stop, _, size in self._walk(np.zeros((1, systems), dtype=np.int64)):
            adjusted[start, stop] = _adjusted(float(share[start, stop]), size, systems)
        places = np.array([group for group, _ in self.ends])
        inside = np.array([[one in own for _, own in self.ends] for one in range(systems)])
        place_of = places[inside.argmax(axis=1)]
        from_above = inside | (places < place_of[:, None])  # the ends with which a stretch around a system may begin
        from_below = inside | (places > place_of[:, None])
        reaching = np.array([adjusted[begin].max(axis=0) for begin in from_above])
        p = np.ones((systems, systems))
        for one in range(systems):
            for other in np.flatnonzero(place_of > place_of[one]).tolist():
                p[one, other] = p[other, one] = reaching[one, from_below[other]].max()
        return p


def _reached_in_trials(stretches: _Stretches, values: Integers, bounds: Integers, seed: int, first: int, count: int) -> Integers:
    """(1, ends, ends): in how many of these trials the range of each stretch reaches its bound."""
    return stretches.reached(flipped_sums(values, seed, first, count), bounds)[None]


def _enumerated_sums(ranked: Integers) -> Iterator[Integers]:
    """The sums under each pattern of signs, some at a time; the last topic's sign is always the same."""
    some, others = ranked[-_TOPICS_AT_ONCE:], ranked[:-_TOPICS_AT_ONCE]
    sums = some[-1:]
    for topic in some[:-1]:
        sums = np.concatenate([sums + topic, sums - topic])
    for signs in product((1, -1), repeat=len(others)):
        yield sums + np.array(signs, dtype=np.int64) @ others
