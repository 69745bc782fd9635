"""The ranks that runs may truly have, all at once: from p-values that hold for all pairs together."""

from __future__ import annotations

from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.rank_correlation import TIE


def beaten(p: Floats, scores: Floats, alpha: float) -> Booleans:
    """[i, j]: whether the run in row i is told apart from that in column j, and better. Higher scores are better."""
    return (p <= alpha) & (scores[:, None] > scores[None, :] + TIE)


def rank_sets(p: Floats, scores: Floats, alpha: float) -> tuple[Integers, Integers]:
    """The first and the last rank of each run.

    L = 1 + the number of runs that beat it, U = k - the number that it beats. Where the p-values err in no pair with confidence
    1 - alpha, no rank is outside [L, U] with that confidence: every run that is called better is better.

    >>> import numpy as np
    >>> p = np.array([[1, .01, .01], [.01, 1, .4], [.01, .4, 1]])
    >>> [ends.tolist() for ends in rank_sets(p, np.array([.9, .5, .4]), .05)]
    [[1, 2, 2], [1, 3, 3]]
    """
    beats = beaten(p, scores, alpha)
    return 1 + beats.sum(axis=0), len(scores) - beats.sum(axis=1)
