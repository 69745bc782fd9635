"""Runs on several tasks, whose scores have scales of their own: each task's means on one scale, and how sure their mean is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats
from metameasure.statistics.paired import pairs_of_systems, square, step_down
from metameasure.statistics.streams import stream
from metameasure.statistics.work import blocks

_SAME = 1e-12
_AT_ONCE = 2**20
_MOST, _FEWEST = 5 * 10**7, 999
"""How many swaps, over all pairs, tasks and trials, take bearably long; and the fewest trials all the same."""


def standardised(means: Floats) -> Floats:
    """Means (..., runs) of a task, less their mean over runs, in standard deviations over runs; 0 where all runs are alike.

    >>> standardised(np.array([0.1, 0.2, 0.3])).round(6).tolist()
    [-1.0, 0.0, 1.0]
    """
    centred = means - means.mean(axis=-1, keepdims=True)
    spread = means.std(axis=-1, ddof=1, keepdims=True)
    return np.asarray(np.where(spread > _SAME, centred / np.where(spread > _SAME, spread, 1.0), 0.0))


def by_ranks(means: Floats) -> Floats:
    """How many runs each is better than (..., runs), ties counted half.

    >>> by_ranks(np.array([0.1, 0.2, 0.2])).tolist()
    [0.0, 1.5, 1.5]
    """
    gaps = means[..., :, None] - means[..., None, :]
    return np.asarray((gaps > _SAME).sum(axis=-1) + ((np.abs(gaps) <= _SAME).sum(axis=-1) - 1) / 2, dtype=float)


@dataclass(frozen=True, eq=False)
class TaskMeans:
    """Scores (questions, runs) of each task, higher being better, and what puts a task's means on the common scale."""

    values: tuple[Floats, ...]
    scale: Callable[[Floats], Floats]

    def each(self) -> Floats:
        """(tasks, runs): on the common scale."""
        return np.stack([self.scale(one.mean(axis=0)) for one in self.values])

    def scores(self) -> Floats:
        """(runs,): the means over tasks."""
        return np.asarray(self.each().mean(axis=0))

    def affordable(self, trials: int) -> int:
        """So many trials, or fewer by ranks: they are made anew for every pair in each trial, which takes long for many pairs."""
        runs = self.values[0].shape[1]
        most = max(_FEWEST, _MOST // (len(self.values) * runs * (runs - 1) // 2))
        return trials if self.scale is standardised else min(trials, most)

    def p(self, trials: int, seed: int) -> Floats:
        """(runs, runs): p-values of all differences, which hold for all pairs together: the step-down of the largest of all
        |difference| / standard deviation under chance."""
        first, second = pairs_of_systems(self.values[0].shape[1])
        scores, rng = self.scores(), stream(seed)
        chance = self._redrawn(trials, rng) if self.scale is standardised else self._swapped(trials, rng)
        spread = chance.std(axis=0)
        unit = np.where(spread > _SAME, spread, 1.0)
        observed = np.abs(scores[first] - scores[second])
        # Where no draw differs, runs are as far apart as they can be, or alike.
        statistics = np.where(spread > _SAME, observed / unit, np.where(observed > _SAME, np.inf, 0.0))
        drawn = np.where(spread > _SAME, np.abs(chance) / unit, 0.0)
        return square(step_down(statistics, lambda pair: drawn[:, pair], np.zeros(len(first))), len(scores))

    def _redrawn(self, trials: int, rng: np.random.Generator) -> Floats:
        """(trials, pairs): how far differences of standardised means move where questions are drawn with replacement within each
        task. The unit of a task stays: it is that of the scores as they are. Were it drawn anew, runs that are equal would seem
        to differ by what they only vary by."""
        total = np.zeros((trials, self.values[0].shape[1]))
        for one in self.values:
            number, means = len(one), one.mean(axis=0)
            unit = means.std(ddof=1)
            if unit > _SAME:
                drawn = rng.multinomial(number, np.full(number, 1 / number), size=trials) @ one / number
                total += (drawn - means) / unit * np.sqrt(number / (number - 1))
        first, second = pairs_of_systems(total.shape[1])
        return np.asarray((total[:, first] - total[:, second]) / len(self.values))

    def _swapped(self, trials: int, rng: np.random.Generator) -> Floats:
        """(trials, pairs): differences of mean ranks where two runs' scores are swapped on some questions, which are the same for
        all pairs, and the other runs stay as they are. Ranks leap where runs tie, so that questions drawn anew would not tell how
        far two equal runs lie apart by chance."""
        first, second = pairs_of_systems(self.values[0].shape[1])
        total = np.zeros((trials, len(first)))
        for one in self.values:
            means = one.mean(axis=0)
            middle = (means[first] + means[second]) / 2
            for start, some in blocks(trials, len(first), _AT_ONCE):
                coins = rng.choice((-1.0, 1.0), (some, len(one)))
                signed = coins @ one / len(one)
                half = (signed[:, first] - signed[:, second]) / 2
                ahead = np.where(np.abs(half) > _SAME, np.sign(half), 0.0)
                own = (means, means[first], means[second])
                total[start : start + some] += ahead + _others_below(middle + half, *own) - _others_below(middle - half, *own)
        return total / len(self.values)


def _others_below(scores: Floats, means: Floats, first: Floats, second: Floats) -> Floats:
    """How many runs, but for the two of each pair, scores (trials, pairs) are better than, ties counted half."""
    ordered = np.sort(means)
    below = np.searchsorted(ordered, scores - _SAME, side="left") + np.searchsorted(ordered, scores + _SAME, side="right")
    for own in (first, second):
        below = below - (own < scores - _SAME) - (own <= scores + _SAME)
    return np.asarray(below / 2)
