"""Ranks from scores, with ties or without."""

from __future__ import annotations

import numpy as np

from metameasure.evidence.ragged import alike, cells_of
from metameasure.statistics.arrays import Floats, Integers

# Decimal fractions that differ by exactly epsilon on paper differ by a little more or less in binary.
_ROUNDING = 4 * np.finfo(np.float64).eps


def ranks_of_scores(scores: Floats, starts: Integers, epsilon: float = 0.0) -> Floats:
    """The rank of each score in its segment: 1 is the highest, tied scores share the smallest of their ranks, NaN has none.

    "Two scores tie if they differ by at most epsilon" is not transitive: .9, .8 and .7 with an epsilon of .1 would have the
    second tie with both others, which do not tie. Ranks need groups, so they are made from the top: the highest score leads a
    group that takes in every score at most epsilon below *it*; the next one below leads the next group. Thus .9 and .8 tie, and
    .7 comes after them. No group is wider than epsilon, and an epsilon of 0 ties equal scores only. (Measures that count pairs
    with an epsilon of their own, such as ``pairwise_accuracy``, take the scores themselves and need no groups.)

    >>> ranks_of_scores(np.array([0.9, 0.8, 0.7, 5.0, 5.0]), np.array([0, 3, 5]), 0.1)
    array([1., 1., 3., 1., 1.])
    """
    order = _falling(scores, starts)
    ordered = scores[order]
    first = np.repeat(starts[:-1], np.diff(starts))
    place = np.arange(len(scores))
    apart = np.append(True, ordered[1:] != ordered[:-1]) | (place == first)
    leads = _leaders(ordered, starts, epsilon) if epsilon else apart
    leader = np.maximum.accumulate(np.where(leads, place, 0))
    ranks = np.empty(len(scores))
    ranks[order] = np.where(np.isnan(ordered), np.nan, leader - first + 1)
    return ranks


def ranks_without_ties(scores: Floats, starts: Integers) -> Floats:
    """Ranks as trec_eval makes them: by score in single precision, of equal ones the last item first. NaN has none.

    Score and place are packed into one whole number, since sorting numbers is several times faster than sorting by two keys.

    >>> ranks_without_ties(np.array([0.5, 0.7, 0.5]), np.array([0, 3]))
    array([3., 1., 2.])
    """
    with np.errstate(over="ignore"):
        bits = (scores.astype(np.float32) + np.float32(0)).view(np.uint32)
    rising = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))  # in the order of the numbers
    falling = np.where(np.isnan(scores), np.uint32(2**32 - 1), ~rising).astype(np.uint64) << np.uint64(32)
    ranks = np.empty(len(scores))
    for width, segments in alike(np.diff(starts)):
        cells, inside = cells_of(starts, segments, width)
        along = np.arange(width)
        keys = falling[cells] | (width - 1 - along).astype(np.uint64)
        keys[~inside] = 2**64 - 1
        keys.sort(axis=1)
        place = width - 1 - (keys & np.uint64(2**32 - 1)).astype(np.int64)
        ranks[(starts[segments][:, None] + place)[inside]] = np.broadcast_to(along + 1.0, place.shape)[inside]
    ranks[np.isnan(scores)] = np.nan
    return ranks


def _falling(scores: Floats, starts: Integers) -> Integers:
    """The order of scores in each segment, the highest first and NaN last. Segments of about one length are sorted together, each
    by itself, which takes a fraction of the time of sorting all by segment and score."""
    order = np.empty(len(scores), np.int64)
    for width, segments in alike(np.diff(starts)):
        cells, inside = cells_of(starts, segments, width)
        keys = np.where(inside, -scores[cells], np.nan)
        by = np.argsort(keys, axis=1, kind="stable")  # so that what is behind the end stays behind a score that is NaN
        order[cells[inside]] = (starts[segments][:, None] + by)[inside]
    return order


def _leaders(ordered: Floats, starts: Integers, epsilon: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the scores, in falling order within segments, lead a group: one step along all segments at once."""
    leads = np.zeros(len(ordered), bool)
    leads[starts[:-1]] = True
    sizes = np.diff(starts)
    leader = ordered[starts[:-1]]
    for step in range(1, int(sizes.max())):
        longer = np.flatnonzero(sizes > step)
        at = starts[longer] + step
        score = ordered[at]
        rounding = _ROUNDING * np.maximum(np.abs(leader[longer]), np.abs(score))
        new = ~(leader[longer] - score <= epsilon + rounding)
        leads[at] = new
        leader[longer] = np.where(new, score, leader[longer])
    return leads
