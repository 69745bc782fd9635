"""Rank correlations of many rankings at once: Kendall's tau-a, tau-b and tau-AP, and Spearman's rho. A ranking with NaN in it
has none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TIE = 1e-12


def _signs(values: Floats) -> npt.NDArray[np.int8]:
    """-1, 0 or 1 for each pair of systems (..., pairs)."""
    first, second = np.triu_indices(values.shape[-1], 1)
    return _sign(values[..., first] - values[..., second])


def _sign(gaps: Floats) -> npt.NDArray[np.int8]:
    """-1, 0 or 1; a gap within 1e-12 is none."""
    return (gaps > TIE).view(np.int8) - (gaps < -TIE).view(np.int8)


def kendall_tau_a(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """(concordant - discordant) / all pairs, along the last axis; NaN for fewer than two systems."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    pairs = x.shape[-1] * (x.shape[-1] - 1) / 2
    return np.asarray(_agreement(x, y) / pairs if pairs else np.full(np.broadcast_shapes(x.shape, y.shape)[:-1], np.nan))


def kendall_tau_b(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """(concordant - discordant) / sqrt(pairs untied in x · pairs untied in y); NaN where one side is all ties."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    untied = [np.abs(_signs(side)).sum(axis=-1, dtype=np.int64) for side in (x, y)]
    scale = np.sqrt(untied[0].astype(float)) * np.sqrt(untied[1].astype(float))
    return np.where(scale > 0, _agreement(x, y) / np.where(scale > 0, scale, 1.0), np.nan)


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


def kendall_tau_ap(x: npt.ArrayLike, truth: npt.ArrayLike) -> Floats:
    """tau-AP (Yilmaz, Aslam and Robertson, SIGIR 2008): agreement that counts most at the top of x. High values are best.

    For each system but x's best, the share of those above it in x that are above it in truth too, ties in truth counting half;
    ties in x take the expectation over tie breaks.
    """
    x, truth = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(truth, dtype=float))
    systems = x.shape[-1]
    if systems < 2:
        return np.full(x.shape[:-1], np.nan)
    above = (x[..., None, :] > x[..., :, None] + TIE).astype(float)
    level = (np.abs(x[..., None, :] - x[..., :, None]) <= TIE) & ~np.eye(systems, dtype=bool)
    gap = truth[..., None, :] - truth[..., :, None]
    right = np.where(gap > TIE, 1.0, np.where(gap < -TIE, 0.0, 0.5))
    over, tied = above.sum(axis=-1), level.sum(axis=-1)
    right_above, right_level = (above * right).sum(axis=-1), (level * right).sum(axis=-1)
    # In a tie of t + 1 systems each is as likely to have 0, 1, ..., t of the others above it: average the share over these.
    share = np.zeros_like(over)
    for place in range(systems):
        inside = place <= tied
        number = over + place
        expected = right_above + np.where(tied > 0, right_level * place / np.maximum(tied, 1), 0)
        share += np.where(inside & (number > 0), expected / np.maximum(number, 1), 0) / np.maximum(tied + 1, 1) * inside
    unknown = np.isnan(x).any(axis=-1) | np.isnan(truth).any(axis=-1)
    return np.where(unknown, np.nan, 2 * share.sum(axis=-1) / (systems - 1) - 1)


def tied_ranks(values: npt.ArrayLike) -> Floats:
    """Ranks from 1 (lowest) along the last axis; values within 1e-12 of their neighbour share the mean of their ranks."""
    given = np.asarray(values, dtype=float)
    flat = given.reshape(-1, given.shape[-1])
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
    return ranks.reshape(given.shape)


def standard_ranks(values: npt.ArrayLike) -> Floats:
    """Ranks along the last axis, centred and of length 1, so that Spearman's rho is their product; NaN where all are tied."""
    ranks = tied_ranks(values)
    centred = ranks - (ranks.shape[-1] + 1) / 2
    length = np.sqrt((centred**2).sum(axis=-1, keepdims=True))
    return np.asarray(np.where(length > 0, centred / np.where(length > 0, length, 1.0), np.nan))


def spearman_rho(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Pearson's correlation of the ranks along the last axis; NaN where one side is all ties."""
    return np.asarray((standard_ranks(x) * standard_ranks(y)).sum(axis=-1))
