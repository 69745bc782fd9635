"""Credible intervals from few items: tables drawn from what is known after seeing the counts.

The cells of a table of counts have a Dirichlet prior of total mass 1, 1/C^2 for each of the C x C cells; none of it falls on
gold classes that do not occur. A flat prior (1 a cell) or Jeffreys' (1/2) would outweigh the data: with 5 classes and 12 items
they add 25 or 12.5 made-up items, spread over all errors. Bowyer et al. (2025) show for pass rates why intervals from a normal
approximation fail below a few hundred items.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_CELLS_AT_ONCE = 2**21
MANY_ITEMS = 2.0**40
"""How many items stand for the limit of many, for measures that count items: alpha's 2N - 1 over 2N is 1 to twelve digits."""


def dirichlet_tables(counts: npt.ArrayLike, trials: int, rng: np.random.Generator, *, mass: float = 1.0) -> Floats:
    """Tables of proportions (trials, ..., C, C) drawn from the posterior of counts (..., C, C), each table by itself.

    ``mass`` is the prior's over all C x C cells. A table without items has no posterior, and is NaN.
    """
    table = np.asarray(counts, dtype=float)
    classes = table.shape[-1]
    occurs = np.broadcast_to(table.sum(axis=-1, keepdims=True) > 0, table.shape)
    shape = np.where(occurs, table + mass / classes**2, 0.0)
    drawn = rng.standard_gamma(shape, size=(trials, *table.shape))
    total = drawn.sum(axis=(-2, -1), keepdims=True)
    proportions: Floats = np.where(total > 0, drawn / np.where(total > 0, total, 1.0), np.nan)
    return proportions


def credible_means(
    counts: npt.ArrayLike, value: Callable[[Floats], Floats], trials: int, rng: np.random.Generator, *, mass: float = 1.0
) -> Floats:
    """Draws (trials,) of the mean over topics of a measure of their tables (topics, C, C), each topic's drawn by itself.

    ``value`` takes proportions (..., C, C); a draw's mean is over the topics on which it is defined, NaN where it is on none.
    """
    tables = np.asarray(counts, dtype=float)
    step = max(1, _CELLS_AT_ONCE // max(1, tables.size))
    means = []
    for first in range(0, trials, step):
        drawn = dirichlet_tables(tables, min(step, trials - first), rng, mass=mass)
        scored = np.asarray(value(drawn), dtype=float)
        defined = ~np.isnan(scored)
        number = defined.sum(axis=1)
        total = np.where(defined, scored, 0.0).sum(axis=1)
        means.append(np.where(number > 0, total / np.maximum(number, 1), np.nan))
    return np.concatenate(means)
