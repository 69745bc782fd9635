"""Kendall's tau-a of many rankings at once, and the ranks that Spearman's rho is the product of. A ranking with NaN in it has
none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metameasure.statistics.arrays import Floats

TIE = 1e-12


def _sign(gaps: Floats) -> npt.NDArray[np.int8]:
    """-1, 0 or 1; a gap within 1e-12 is none."""
    return (gaps > TIE).view(np.int8) - (gaps < -TIE).view(np.int8)


def kendall_tau_a(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """(concordant - discordant) / all pairs, along the last axis; NaN for fewer than two systems."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    pairs = x.shape[-1] * (x.shape[-1] - 1) / 2
    return np.asarray(_agreement(x, y) / pairs if pairs else np.full(np.broadcast_shapes(x.shape, y.shape)[:-1], np.nan))


def _agreement(x: Floats, y: Floats) -> Floats:
    """Concordant less discordant pairs. Systems come first in memory, so that each step runs over all rankings at once."""
    x, y = np.broadcast_arrays(x, y)
    shape, systems = x.shape[:-1], x.shape[-1]
    x, y = (np.ascontiguousarray(side.reshape(-1, systems).T) for side in (x, y))
    total = np.zeros(x.shape[1], dtype=np.int64)
    unknown = np.isnan(x).any(axis=0) | np.isnan(y).any(axis=0)
    for system in range(systems - 1):
        total += (_sign(x[system] - x[system + 1 :]) * _sign(y[system] - y[system + 1 :])).sum(axis=0, dtype=np.int64)
    return np.where(unknown, np.nan, total).reshape(shape)


def are_taus(array: npt.NDArray[np.generic], shape: tuple[int, ...]) -> bool:
    """Whether an array of that shape can be one of taus."""
    return array.dtype == np.float64 and array.shape == shape and not bool((np.abs(array.astype(float)) > 1).any())


def tied_ranks(values: npt.ArrayLike) -> Floats:
    """Ranks from 1 (lowest) along the last axis; values within 1e-12 of their neighbour share the mean of their ranks."""
    array = np.asarray(values, dtype=float)
    flat = array.reshape(-1, array.shape[-1])
    order = np.argsort(flat, axis=-1, kind="stable")
    ranked = np.take_along_axis(flat, order, axis=-1)
    fresh = np.concatenate([np.ones((len(flat), 1), dtype=bool), np.diff(ranked, axis=-1) > TIE], axis=-1)
    place = np.arange(flat.shape[-1])
    first = np.maximum.accumulate(np.where(fresh, place, 0), axis=-1)
    # The last of a tie stands before the next fresh value, looked up from the right.
    ends = np.concatenate([fresh[:, 1:], np.ones((len(flat), 1), dtype=bool)], axis=-1)
    last = np.minimum.accumulate(np.where(ends, place, flat.shape[-1])[:, ::-1], axis=-1)[:, ::-1]
    ranks = np.empty_like(flat)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(flat).any(axis=-1)] = np.nan
    return ranks.reshape(array.shape)


def standard_ranks(values: npt.ArrayLike) -> Floats:
    """Ranks along the last axis, centred and of length 1, so that Spearman's rho is their product; NaN where all are tied."""
    ranks = tied_ranks(values)
    centred = ranks - (ranks.shape[-1] + 1) / 2
    length = np.sqrt((centred**2).sum(axis=-1, keepdims=True))
    return np.asarray(np.where(length > 0, centred / np.where(length > 0, length, 1.0), np.nan))
