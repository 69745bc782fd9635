"""Does a run's labelling fit its own ranking? Bergmair (2009), Section 4: what breaks, and what a forced threshold costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Break:
    """Where a labelling leaves its ranking: an item labelled positive stands below one that is not."""

    positive: str
    positive_score: float
    other: str
    other_score: float
    items: int
    """How many items are labelled positive below some other, or not positive above some positive."""


@dataclass(frozen=True)
class Soundness:
    """Whether a run's positive labels are a prefix of its ranking by score."""

    broken: Break | None
    ranked: bool = False
    """Whether the run gives ranks; its scores are their negatives."""

    @property
    def sound(self) -> bool:
        return self.broken is None


def soundness(items: Any, labelled_positive: Truth, score: Floats, *, ranked: bool = False) -> Soundness:
    """Sound: the lowest score among outputs labelled positive is at least the highest among the others."""
    positive, other = np.flatnonzero(labelled_positive), np.flatnonzero(~labelled_positive)
    if not len(positive) or not len(other):
        return Soundness(None, ranked)
    lowest, highest = _first(items, positive, score[positive]), _first(items, other, -score[other])
    if score[lowest] >= score[highest]:
        return Soundness(None, ranked)
    involved = int((score[positive] < score[highest]).sum() + (score[other] > score[lowest]).sum())
    broken = Break(str(items[lowest]), float(score[lowest]), str(items[highest]), float(score[highest]), involved)
    return Soundness(broken, ranked)


def _first(items: Any, among: npt.NDArray[np.intp], key: Floats) -> int:
    """The one of these with the smallest key, of several the one whose id comes first."""
    smallest = among[key == key.min()]
    return int(min(smallest, key=lambda place: str(items[place])))


@dataclass(frozen=True)
class Conflict:
    """Section 4.1 on a run: with the threshold forced to the number r of positive items, repairing one error by moving it up
    costs another label, although the ranking has become better."""

    moved: str
    from_rank: int
    to_rank: int
    lost: str
    precision_before: float
    precision_after: float
    accuracy_if_relabelled: float
    accuracy_after: float


def conflict(items: Any, gold_positive: Truth, score: Floats, average_precision: Any) -> Conflict | None:
    """The first such case in the run's ranking, or None. ``average_precision`` takes ranks and relevance.

    Ties are broken by id, because a threshold needs a strict order.
    """
    order = np.lexsort((np.asarray(items, dtype=str), -score))
    relevant = gold_positive[order]
    r = int(relevant.sum())
    if not 0 < r < len(order) - 1 or not relevant[r - 1]:
        return None
    below = r + 1 + np.flatnonzero(relevant[r + 1 :])  # places after rank r + 1, counted from 0
    if not len(below):
        return None
    source, target = int(below[0]), r - 1
    moved = np.concatenate([relevant[:target], [True], np.delete(relevant[target:], source - target)])
    ranks = np.arange(1.0, len(order) + 1)
    before, after = (float(average_precision(ranks, kept.astype(float))) for kept in (relevant, moved))
    threshold = np.arange(len(order)) < r
    right = float((threshold == relevant).mean())
    return Conflict(
        str(items[order[source]]),
        source + 1,
        r,
        str(items[order[r - 1]]),
        before,
        after,
        right + 1 / len(order),
        float((threshold == moved).mean()),
    )
