"""Runs on several tasks, whose scores have scales of their own: each task's means on one scale, and how sure their mean is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats
from metameasure.statistics.paired import pairs_of_systems, square, step_down
from metameasure.statistics.streams import stream

_SAME = 1e-12


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

    def drawn(self, trials: int, seed: int) -> Floats:
        """(trials, runs): the same with questions drawn with replacement within each task."""
        rng, total = stream(seed), np.zeros((trials, self.values[0].shape[1]))
        for one in self.values:
            number = len(one)
            total += self.scale(rng.multinomial(number, np.full(number, 1 / number), size=trials) @ one / number)
        return total / len(self.values)

    def p(self, trials: int, seed: int) -> Floats:
        """(runs, runs): p-values of all differences, which hold for all pairs together: the step-down of the largest of all
        |difference| / standard deviation, from draws about their mean."""
        first, second = pairs_of_systems(self.values[0].shape[1])
        scores, draws = self.scores(), self.drawn(trials, seed)
        gaps = draws[:, first] - draws[:, second]
        spread = gaps.std(axis=0)
        unit = np.where(spread > _SAME, spread, 1.0)
        observed = np.abs(scores[first] - scores[second])
        # Where no draw differs, runs are as far apart as they can be, or alike.
        statistics = np.where(spread > _SAME, observed / unit, np.where(observed > _SAME, np.inf, 0.0))
        centred = np.where(spread > _SAME, np.abs(gaps - gaps.mean(axis=0)) / unit, 0.0)
        chance = step_down(statistics, lambda pair: centred[:, pair], np.zeros(len(first)),
                           lambda reached: (int(reached.sum()) + 1) / (trials + 1))  # fmt: skip
        return square(chance, len(scores))
