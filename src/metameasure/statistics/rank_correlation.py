"""How alike rankings are: Kendall's tau-a of many at once, the ranks that Spearman's rho is the product of, and two that look at
the top first. A ranking with NaN in it has none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metameasure.statistics.arrays import Floats

TIE = 1e-12
PERSISTENCE = 0.9
"""Of rank-biased overlap: how likely it is that a reader goes on to the next rank. The first ten have 86% of the weight."""


def from_best(values: Floats) -> list[int]:
    """The places of values from the highest down; those that are equal but for rounding keep their order, NaN comes last."""
    return [int(place) for place in np.argsort(-np.nan_to_num(values, nan=-np.inf).round(12), kind="stable")]


def _sign(gaps: Floats) -> npt.NDArray[np.int8]:
    """-1, 0 or 1; a gap within 1e-12 counts as 0."""
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


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rho of two rankings, tied systems sharing the mean of their ranks; NaN where all of one are tied."""
    return float((standard_ranks(x) * standard_ranks(y)).sum())


def ap_correlation(x: Floats, y: Floats) -> float:
    """tau_AP of Yilmaz et al. (2008), the mean of both directions; ties are broken at random and in expectation, which is the
    tau_AP,a of Urbano and Marrero (2017)."""
    if len(x) < 2 or np.isnan(x).any() or np.isnan(y).any():
        return float("nan")
    return (_seen_from(x, y) + _seen_from(y, x)) / 2


def _seen_from(reference: Floats, ranking: Floats) -> float:
    """2 / (n - 1) times the sum, over all but the first of a ranking, of the share of those above that belong there; less 1."""
    belongs = (1 + _sign(reference[None, :] - reference[:, None])) / 2  # [i, k]: k belongs above i
    np.fill_diagonal(belongs, 0.0)
    side = _sign(ranking[None, :] - ranking[:, None])
    above, beside = (belongs * (side > 0)).sum(axis=1), (belongs * (side == 0)).sum(axis=1)
    first, number = 1 + (side > 0).sum(axis=1), (side == 0).sum(axis=1)
    total = 0.0
    for one in range(len(ranking)):
        place = first[one] + np.arange(number[one])
        seen = above[one] + np.arange(number[one]) / max(number[one] - 1, 1) * beside[one]
        total += float(np.where(place > 1, seen / np.maximum(place - 1, 1), 0.0).mean())
    return 2 * total / (len(ranking) - 1) - 1


def rank_biased_overlap(x: Floats, y: Floats, persistence: float = PERSISTENCE) -> float:
    """RBO_ext of Webber et al. (2010), of two rankings of the same systems: (1 - p) times the sum over depths d of p^(d - 1)
    times the share of the first d that both have, the last share taken to go on. Ties are broken at random, in expectation."""
    if not len(x) or np.isnan(x).any() or np.isnan(y).any():
        return float("nan")
    depth = np.arange(1, len(x) + 1, dtype=np.float64)
    shared = (_among_first(x, depth) * _among_first(y, depth)).sum(axis=1) / depth
    weights = (1 - persistence) * persistence ** (depth - 1)
    return float((weights * shared).sum() + persistence ** len(x) * shared[-1])


def _among_first(values: Floats, depth: Floats) -> Floats:
    """(depths, systems): the chance that each system is among the first so many, the highest values first."""
    side = _sign(values[None, :] - values[:, None])
    before, number = (side > 0).sum(axis=1), (side == 0).sum(axis=1)
    return np.asarray(np.clip((depth[:, None] - before) / number, 0.0, 1.0))
