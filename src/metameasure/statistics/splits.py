"""Topics split at random into two sets: the draws behind consistency and robustness."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.notes import counted
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.fixed_point import fixed_point
from metameasure.statistics.kernels import exact_product
from metameasure.statistics.streams import LOW_HALF, bounded, trial_keys, trial_words

# Splits have streams of their own: a test of their results, with the same seed, must not reuse their bits.
_OF_SPLITS = 0x5350_4C49_5453
_OF_REDRAWN = 0x5245_4452_4157


def split_halves(topics: int, splits: int, seed: int = 0, size: int | None = None) -> tuple[Integers, Integers]:
    """Two disjoint sets of topics for each split: (splits, k) and (splits, k). Halves, or ``size`` topics in each; of an odd
    number, the second half has one more."""
    first = topics // 2 if size is None else size
    second = topics - first if size is None else size
    if first < 1 or first + second > topics:
        raise UsageError(
            f"{counted(topics, 'topic')} cannot be split into {first} and {second}", hint="use more topics or a smaller size"
        )
    # Sorting random words is a random order; each split has a stream of its own.
    order = np.argsort(trial_words(trial_keys(seed ^ _OF_SPLITS, 0, splits), 0, topics), axis=1, kind="stable")
    return order[:, :first], order[:, first : first + second]


def split_means(values: Floats, chosen: Integers) -> Floats:
    """Means over the topics of each set: (topics, systems), (splits, k) -> (splits, systems), to the bit in any order."""
    size = chosen.shape[1]
    fixed = fixed_point(values, size)
    member = np.zeros((len(chosen), len(values)), dtype=np.int8)
    np.put_along_axis(member, chosen, 1, axis=1)
    return np.asarray(exact_product(member, fixed.values) * np.float64(fixed.unit / size))


def redrawn_topics(topics: int, draws: int, seed: int = 0) -> Integers:
    """(draws, topics): how often each topic is there when as many are drawn with replacement."""
    words = trial_words(trial_keys(seed ^ _OF_REDRAWN, 0, draws), 0, topics) & LOW_HALF
    drawn = bounded(words, topics) + topics * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * topics).reshape(draws, topics)


def redrawn_split_means(values: Floats, chosen: Integers, draws: Integers) -> Iterator[Floats]:
    """For each draw of topics (draws, topics) the means of each set, (measures, topics, systems), (splits, k) -> (measures,
    splits, systems): copies of a topic stay with it. NaN for a set of which no topic was drawn."""
    measures, topics, systems = values.shape
    fixed = [fixed_point(one, topics) for one in values]
    side_by_side = np.concatenate([one.values for one in fixed], axis=1)
    units = np.repeat([one.unit for one in fixed], systems)
    member = np.zeros((len(chosen), topics), dtype=np.int64)
    np.put_along_axis(member, chosen, 1, axis=1)
    for times in draws:
        weights = member * times
        total = weights.sum(axis=1, keepdims=True)
        sums = exact_product(weights, side_by_side) * units
        means = np.where(total > 0, sums / np.maximum(total, 1), np.nan)
        yield means.reshape(len(chosen), measures, systems).transpose(1, 0, 2)
