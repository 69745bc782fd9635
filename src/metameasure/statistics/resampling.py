"""Bootstrap draws: topics with replacement, items by multinomial resampling of their counts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from metameasure.statistics.streams import stream, times_drawn, trial_keys

__all__ = ["percentile_interval", "resampled_means", "resampled_tables", "stream", "weight_blocks"]

Floats = npt.NDArray[np.float64]
_WEIGHTS_AT_ONCE = 2**24


def weight_blocks(topics: int, trials: int, seed: int) -> Iterator[Floats]:
    """How often each topic is drawn, with replacement: (trials, topics), so many trials at a time as fit well into memory.

    The draws are those of ``kernels.resampled_sums`` with the same seed: all bootstraps of the same topics draw alike.
    """
    step = max(1, _WEIGHTS_AT_ONCE // topics)
    for first in range(0, trials, step):
        yield times_drawn(trial_keys(seed, first, min(step, trials - first)), topics).astype(float)


def resampled_means(values: Floats, weights: Floats) -> Floats:
    """Means over topics (topics, ...) -> (trials, ...) under the drawn weights; NaN where a trial drew none of them."""
    total = weights.sum(axis=1)
    flat = values.reshape(len(values), -1)
    with np.errstate(invalid="ignore"):
        means: Floats = (weights @ flat / np.where(total > 0, total, np.nan)[:, None]).reshape(len(weights), *values.shape[1:])
    return means


def resampled_tables(tables: Floats, trials: int, rng: np.random.Generator) -> Floats:
    """Counts (cases, cells) drawn anew from their own proportions: (trials, cases, cells). Their size does not matter."""
    totals = np.rint(tables.sum(axis=-1)).astype(np.int64)
    shares = tables / np.where(totals > 0, totals, 1)[:, None]
    shares[totals == 0] = 1 / tables.shape[-1]
    return rng.multinomial(totals, shares, size=(trials, len(tables))).astype(float)


def percentile_interval(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """The middle share of the draws along the first axis, undefined draws left out; NaN where all are undefined."""
    tail = (1 - level) / 2
    defined = ~np.isnan(draws).all(axis=0)
    low, high = np.full(draws.shape[1:], np.nan), np.full(draws.shape[1:], np.nan)
    if not defined.any():
        return low, high
    low[defined], high[defined] = np.nanquantile(draws[..., defined] if draws.ndim > 1 else draws, [tail, 1 - tail], axis=0)
    return low, high
