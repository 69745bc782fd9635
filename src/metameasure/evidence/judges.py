"""How far human judges agree with one another and with themselves, on the same two items of the same source segment."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from metameasure.evidence.base import positions
from metameasure.evidence.rankings import Rankings
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.work import blocks

_BLOCK_PAIRS = 2**22


@dataclass(frozen=True)
class AgreedPairs:
    """How many times two judgements of the same two items were compared, and how many times they said the same."""

    compared: int
    agreed: int
    tie_share: float

    @property
    def observed(self) -> float:
        """P(A). NaN where nothing was compared."""
        return self.agreed / self.compared if self.compared else math.nan

    @property
    def expected(self) -> float:
        """P(E) = t^2 + (1-t)^2/2, t the share of ties among all judgements: better and worse are equally likely by chance."""
        return self.tie_share**2 + (1 - self.tie_share) ** 2 / 2

    @property
    def kappa(self) -> float:
        """(P(A) - P(E)) / (1 - P(E)). NaN where nothing was compared, or where all judgements are ties."""
        return (self.observed - self.expected) / (1 - self.expected) if self.expected < 1 else math.nan


@dataclass(frozen=True, eq=False)
class JudgeAgreement:
    """Agreement between judges (``inter``) and of judges with themselves (``intra``), as WMT has reported it.

    Two judgements are compared if they are on the same two items of the same source segment, in two different rankings. ``pairs``
    (k, 2) are positions in ``judges``, the same twice for a judge alone; ``compared`` and ``agreed`` (k) count for each pair.
    Rankings without a judge's name are left out. ``judgements`` and ``ties`` count all judgements of two items.
    """

    inter: AgreedPairs
    intra: AgreedPairs
    judgements: int
    ties: int
    judges: tuple[str, ...]
    pairs: Integers
    compared: Integers
    agreed: Integers


def judge_agreement(rankings: Rankings) -> JudgeAgreement:
    """Compare all judgements of the same two items of a source segment."""
    judges = tuple(sorted({judge for judge in rankings.judges if judge is not None}))
    where, judge, verdict = _judgements(rankings, judges)
    ties = int((verdict == 0).sum())
    tie_share = ties / len(verdict) if len(verdict) else math.nan
    order = np.lexsort((judge, where))
    where, judge, verdict = where[order], judge[order], verdict[order]
    by, same_verdict = [np.empty(0, np.int64)], [np.empty(0, np.bool_)]
    apart = 1
    while apart < len(where):
        same = np.flatnonzero(where[apart:] == where[:-apart])
        if not len(same):
            break  # judgements on the same two items stand together
        by.append(judge[same] * len(judges) + judge[same + apart])
        same_verdict.append(verdict[same] == verdict[same + apart])
        apart += 1
    codes, inverse, compared = np.unique(np.concatenate(by), return_inverse=True, return_counts=True)
    right = np.bincount(inverse[np.concatenate(same_verdict)], minlength=len(codes))
    pairs = np.column_stack(np.divmod(codes, max(1, len(judges))))
    own = pairs[:, 0] == pairs[:, 1]
    inter, intra = (AgreedPairs(int(compared[who].sum()), int(right[who].sum()), tie_share) for who in (~own, own))
    return JudgeAgreement(inter, intra, len(verdict), ties, judges, pairs, compared, right)


def _judgements(rankings: Rankings, judges: tuple[str, ...]) -> tuple[Integers, Integers, Integers]:
    """For each judgement of two items: a number for the source and the two, the judge, and who is better (-1, 0, 1)."""
    judge_of = positions(rankings.judges, (None, *judges)) - 1
    source_of = rankings.source_codes()[1]
    number_of_items = len(rankings.item_names)
    nothing = np.empty(0, np.int64)
    parts = [(nothing, nothing, nothing)]
    for segments, items, gold in _buckets(rankings, judge_of >= 0):
        one, other = np.triu_indices(items.shape[1], 1)
        both = ~np.isnan(gold[:, one]) & ~np.isnan(gold[:, other])
        verdict = np.where(items[:, one] > items[:, other], -1, 1) * np.sign(
            np.nan_to_num(gold[:, one]) - np.nan_to_num(gold[:, other])
        )
        low, high = np.minimum(items[:, one], items[:, other]), np.maximum(items[:, one], items[:, other])
        where = (source_of[segments][:, None] * number_of_items + low) * number_of_items + high
        judge = np.broadcast_to(judge_of[segments][:, None], both.shape)
        parts.append((where[both], judge[both], verdict[both].astype(np.int64)))
    where, judge, verdict = (np.concatenate(column) for column in zip(*parts, strict=True))
    return where, judge, verdict


def _buckets(rankings: Rankings, wanted: Booleans) -> Iterator[tuple[Integers, Integers, Floats]]:
    """The wanted segments, those of one length together, their items and gold; as many at once as fit into memory."""
    sizes = rankings.sizes
    for size in np.unique(sizes[wanted]).tolist():
        alike = np.flatnonzero((sizes == size) & wanted)
        for first, number in blocks(len(alike), size**2, _BLOCK_PAIRS):
            segments = alike[first : first + number]
            cells = rankings.starts[segments][:, None] + np.arange(size)
            yield segments, rankings.items[cells], rankings.gold[cells]
