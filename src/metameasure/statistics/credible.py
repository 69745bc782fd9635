"""Credible intervals from few items: tables drawn from what is known after seeing the counts.

The cells of a table of counts have a Dirichlet prior of total mass 1, 1/C^2 for each of the C x C cells; none of it falls on
gold classes that do not occur. A flat prior (1 a cell) or Jeffreys' (1/2) would outweigh the data: with 5 classes and 12 items
they add 25 or 12.5 made-up items, spread over all errors. Bowyer et al. (2025) show for pass rates why intervals from a normal
approximation fail below a few hundred items.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from metameasure.statistics.arrays import ArrayLike, Floats, mean_of_defined
from metameasure.statistics.work import blocks

_CELLS_AT_ONCE = 2**21
MANY_ITEMS = 2.0**40
"""How many items stand for the limit of many, for measures that count items: alpha's 2N - 1 over 2N is 1 to twelve digits."""


def dirichlet_tables(counts: ArrayLike, trials: int, rng: np.random.Generator, *, mass: float = 1.0) -> Floats:
    """Tables of proportions (trials, ..., C, C) drawn from the posterior of counts (..., C, C), each table by itself.

    ``mass`` is the prior's over all C x C cells. A table without items has no posterior, and is NaN.
    """
    table = np.asarray(counts, dtype=float)
    classes = table.shape[-1]
    occurs = np.broadcast_to(table.sum(axis=-1, keepdims=True) > 0, table.shape)
    shape = np.where(occurs, table + mass / classes**2, 0.0)
    drawn = rng.standard_gamma(shape, size=(trials, *table.shape))
    total = drawn.sum(axis=(-2, -1), keepdims=True)
    return np.where(total > 0, drawn / np.where(total > 0, total, 1.0), np.nan)


def credible_means(
    counts: ArrayLike, value: Callable[[Floats], Floats], trials: int, rng: np.random.Generator, *, mass: float = 1.0
) -> Floats:
    """Draws (trials,) of the mean over topics of a measure of their tables (topics, C, C), each topic's drawn by itself.

    ``value`` takes proportions (..., C, C); a draw's mean is over the topics on which it is defined, NaN where it is on none.
    """
    tables = np.asarray(counts, dtype=float)
    some_trials = (some for _, some in blocks(trials, tables.size, _CELLS_AT_ONCE))
    drawn = (dirichlet_tables(tables, some, rng, mass=mass) for some in some_trials)
    return np.concatenate([mean_of_defined(np.asarray(value(some), dtype=float), 1) for some in drawn])
