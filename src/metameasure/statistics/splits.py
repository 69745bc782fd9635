"""Topics split at random into two sets: the draws behind consistency and robustness."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.statistics.streams import trial_keys, trial_words


def split_halves(
    topics: int, splits: int, seed: int = 0, size: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Two disjoint sets of topics for each split: (splits, k) and (splits, k). Halves, or ``size`` topics in each; of an odd
    number, the second half has one more."""
    first = size or topics // 2
    second = size or topics - first
    if first < 1 or first + second > topics:
        raise UsageError(f"{topics} topic(s) cannot be split into {first} and {second}", hint="use more topics or a smaller size")
    # Sorting random words is a random order; each split has a stream of its own.
    order = np.argsort(trial_words(trial_keys(seed, 0, splits), 0, topics), axis=1, kind="stable")
    return order[:, :first], order[:, first : first + second]
