"""Bootstrap draws: topics with replacement, items by multinomial resampling of their counts."""

from __future__ import annotations

import math

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats, mean_of_defined
from metameasure.statistics.mean_intervals import normal_reach


def resampled_tables(tables: Floats, trials: int, rng: np.random.Generator) -> Floats:
    """Counts (cases, cells) resampled from their own proportions: (trials, cases, cells). Their size does not matter."""
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


def normal_interval(value: ArrayLike, draws: Floats, level: float, least: float = -math.inf) -> tuple[Floats, Floats]:
    """The value plus and minus z times the standard deviation of the draws along the first axis, undefined draws left out; cut at
    the least that can be true. For values whose draws lie beside them."""
    spread = np.sqrt(mean_of_defined((draws - mean_of_defined(draws, 0)) ** 2, 0))
    reach = normal_reach(level) * spread
    low, high = (np.maximum(np.asarray(value, dtype=float) + sign * reach, least) for sign in (-1, 1))
    return low, high
