"""How far judges agree who ranked the same items: pairwise, as the WMT organisers report it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Agreement:
    """P(A), the share of pairs of judgements that agree; P(E), the share expected by chance; kappa; the share of ties; and of
    how many pairs of judgements."""

    observed: float
    expected: float
    kappa: float
    ties: float
    comparisons: int


def annotator_agreement(
    ranks: npt.ArrayLike, items: npt.ArrayLike, segments: npt.ArrayLike, judges: npt.ArrayLike
) -> tuple[Agreement, Agreement]:
    """How far different judges agree on which of two items is better, or that they are tied; and how far judges agree with
    themselves where they ranked a segment twice.

    Each row is one judge's ranking of one segment: ``ranks`` (rankings, n), NaN where an item is not ranked, the numbers of the
    ranked ``items`` (rankings, n), and those of the segment and the judge (rankings,). P(E) = t² + (1 - t)² / 2, t the share
    of ties among all judgements; kappa = (P(A) - P(E)) / (1 - P(E)).
    """
    keys, outcome = _judgements(np.asarray(ranks, dtype=float), np.asarray(items), np.asarray(segments), np.asarray(judges))
    ties = float((outcome == 1).mean()) if len(outcome) else float("nan")
    every, own = _agreeing(_counts(keys[:3], outcome)), _agreeing(_counts(keys, outcome))
    between = (every[0] - own[0], every[1] - own[1])
    return _agreement(*between, ties), _agreement(*own, ties)


def _judgements(ranks: Floats, items: Integers, segments: Integers, judges: Integers) -> tuple[Integers, Integers]:
    """Segment, lower item, higher item and judge of each comparison (4, comparisons), and whether the judge puts the lower item
    first (0), ties them (1) or puts it behind (2)."""
    if ranks.ndim != 2 or items.shape != ranks.shape or not segments.shape == judges.shape == ranks.shape[:1]:
        raise UsageError(
            "ranks, items, segments and judges do not fit together",
            hint="(rankings, n), (rankings, n), (rankings,) and (rankings,)",
        )
    one, two = np.triu_indices(ranks.shape[1], 1)
    gap = (ranks[:, one] - ranks[:, two]) * np.where(items[:, one] > items[:, two], -1, 1)
    known = ~np.isnan(gap)
    low, high = np.minimum(items[:, one], items[:, two]), np.maximum(items[:, one], items[:, two])
    whose = [np.broadcast_to(np.unique(column, return_inverse=True)[1][:, None], gap.shape) for column in (segments, judges)]
    keys = np.stack([whose[0][known], low[known], high[known], whose[1][known]])
    return keys, np.sign(gap[known]).astype(np.int64) + 1


def _counts(keys: Integers, outcome: Integers) -> Integers:
    """How often each outcome was given to each comparison: (comparisons, 3)."""
    order = np.lexsort(keys)
    sorted_keys = keys[:, order]
    new = np.any(sorted_keys[:, 1:] != sorted_keys[:, :-1], axis=0)
    number = np.concatenate([np.zeros(min(1, keys.shape[1]), np.int64), np.cumsum(new)])
    return np.bincount(number * 3 + outcome[order], minlength=3 * (int(number.max(initial=-1)) + 1)).reshape(-1, 3)


def _agreeing(counts: Integers) -> tuple[int, int]:
    """Pairs of judgements of the same comparison that agree, and all of them."""
    total = counts.sum(axis=1)
    return int((counts * (counts - 1) // 2).sum()), int((total * (total - 1) // 2).sum())


def _agreement(agreeing: int, possible: int, ties: float) -> Agreement:
    observed = agreeing / possible if possible else float("nan")
    expected = ties**2 + (1 - ties) ** 2 / 2
    kappa = (observed - expected) / (1 - expected) if expected < 1 else float("nan")
    return Agreement(observed, expected, kappa, ties, possible)
