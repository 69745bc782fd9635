"""Kendall's rank correlation of many rankings at once: tau-a, tau-b and tau-AP."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TIE = 1e-12


def _signs(values: Floats) -> npt.NDArray[np.int8]:
    """-1, 0 or 1 for each pair of systems (..., pairs); values within 1e-12 tie."""
    first, second = np.triu_indices(values.shape[-1], 1)
    gaps = values[..., first] - values[..., second]
    return (gaps > TIE).astype(np.int8) - (gaps < -TIE).astype(np.int8)


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
    agreement: Floats = (_signs(x) * _signs(y)).sum(axis=-1, dtype=np.int64).astype(float)
    return agreement


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
    tau: Floats = 2 * share.sum(axis=-1) / (systems - 1) - 1
    return tau
