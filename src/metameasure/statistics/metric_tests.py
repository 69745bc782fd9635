"""Tests between metrics that judge the same systems as people do: PERM-BOTH, Williams' test, and the ranks that follow.

Deutsch, Dror, Roth: A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods (TACL 2021); Williams:
The Comparison of Regression Variables (JRSS B 1959).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.statistics.arrays import ArrayLike, Booleans, Floats
from metameasure.statistics.item_tests import some_of_all_swaps
from metameasure.statistics.segment_tests import SAME
from metameasure.statistics.streams import trial_keys, trial_words
from metameasure.statistics.work import blocks, check_trials, drawn_p

MOST_EXACT = 15
"""Cells up to which all swaps are tried."""
_CELLS_AT_ONCE = 2**20


def swapped_differences(
    first: ArrayLike,
    second: ArrayLike,
    gold: ArrayLike,
    statistic: Callable[[Floats], Floats],
    trials: int = 1000,
    seed: int = 0,
    *,
    drawn: bool = False,
) -> tuple[float, Floats, bool]:
    """How much higher the first metric's statistic is than the second's, that difference after each trial's swaps, and whether
    these are all the swaps there are.

    Metrics and gold are (systems, segments). Each metric is put on one scale, by its mean and deviation over the cells that gold
    has, and in each trial the two change places on a random half of the cells. ``statistic`` makes numbers (...) of metrics
    (..., systems, segments). All swaps are tried where there are few, unless they are to be ``drawn``.
    """
    check_trials(trials)
    one, other, human = (np.asarray(side, dtype=float) for side in (first, second, gold))
    if one.ndim != 2 or one.shape != other.shape or one.shape != human.shape:
        raise UsageError(f"scores of shape {one.shape}, {other.shape} and {human.shape}", hint="pass (systems, segments) of each")
    cells = ~np.isnan(human)
    one, other = (_on_one_scale(side, cells) for side in (one, other))
    observed = float(statistic(one[None])[0] - statistic(other[None])[0])
    number = int(cells.sum())
    exact = not drawn and number <= MOST_EXACT and 2**number <= max(trials, 2**MOST_EXACT)
    found = []
    for start, count in blocks(2**number if exact else trials, one.size, _CELLS_AT_ONCE):
        which = some_of_all_swaps(start, count, number) if exact else _drawn_swaps(seed, start, count, number)
        swaps = np.zeros((count, *one.shape), dtype=bool)
        swaps[:, cells] = which
        found.append(statistic(np.where(swaps, other, one)) - statistic(np.where(swaps, one, other)))
    return observed, np.concatenate(found), exact


def share_as_high(observed: float, drawn: Floats, *, exact: bool) -> float:
    """The one-sided p-value: how often a difference is as high as the observed one; (count + 1) / (B + 1) where swaps were drawn.
    NaN where there is no difference to test."""
    if math.isnan(observed):
        return math.nan
    reached = int((~(drawn < observed - SAME * max(1.0, abs(observed)))).sum())
    return reached / len(drawn) if exact else drawn_p(reached, len(drawn))


def _on_one_scale(scores: Floats, cells: Booleans) -> Floats:
    known = scores[cells & ~np.isnan(scores)]
    spread = float(known.std()) if known.size else 0.0
    return np.asarray((scores - (known.mean() if known.size else 0.0)) / (spread if spread > 0 else 1.0))


def _drawn_swaps(seed: int, start: int, count: int, cells: int) -> Booleans:
    words = trial_words(trial_keys(seed, start, count), 0, cells).reshape(count, cells)
    return np.asarray(words >> np.uint64(63), dtype=bool)


def williams_test(first: float, second: float, between: float, number: int) -> tuple[float, float]:
    """Williams' t and its one-sided p-value that one of two correlations with the same gold is no higher than the other.

    ``first`` and ``second`` are the metrics' correlations with gold, ``between`` is theirs with each other, over so many units.
    NaN where there are three units or fewer, or where the metrics are the same.
    """
    if number <= 3 or not abs(between) < 1 - SAME or any(map(math.isnan, (first, second, between))):
        return math.nan, math.nan
    spread = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * max(spread, 0.0) * (number - 1) / (number - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    if not below > 0:
        return math.nan, math.nan
    t = (first - second) * math.sqrt((number - 1) * (1 + between)) / math.sqrt(below)
    from scipy.special import stdtr  # noqa: PLC0415 - loaded when first used

    return t, float(stdtr(number - 3, -t))


def rank_clusters(p: ArrayLike, alpha: float = 0.05) -> list[int]:
    """Ranks of metrics in order of their means: going down, a new rank starts where any metric of the present rank is better than
    this one by p (metrics, metrics) of at most alpha.

    >>> rank_clusters([[1, 0.2, 0.01], [1, 1, 0.3], [1, 1, 1]])
    [1, 1, 2]
    """
    table = np.asarray(p, dtype=float)
    ranks, members = [1], [0]
    for place in range(1, len(table)):
        better = bool((table[members, place] <= alpha).any())
        ranks.append(ranks[-1] + better)
        members = [place] if better else [*members, place]
    return ranks


def over_data_sets(values: ArrayLike, ranges: Sequence[tuple[float, float]], weights: ArrayLike | None = None) -> Floats:
    """The weighted mean over data sets (sets, ...) of values that are brought to 0 at the low end of their range and to 1 at the
    high end."""
    sets = np.asarray(values, dtype=float)
    low, width = (np.array(ends).reshape(-1, *[1] * (sets.ndim - 1)) for ends in _low_and_width(ranges))
    return np.asarray(np.average((sets - low) / width, axis=0, weights=None if weights is None else np.asarray(weights, float)))


def _low_and_width(ranges: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [low for low, _ in ranges], [high - low for low, high in ranges]
