"""One annotator left out: what the others say of the items that he or she rated, as gold for that annotator and for judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metameasure.evidence.golds import Gold, MajorityTies, gold_of
from metameasure.evidence.ratings import Ratings, one_hot

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """``item`` (n,) are the items that annotator ``place`` and somebody else rated, ``gold`` (n, C) what the others say of them
    as shares of the classes, ``own`` (n,) the annotator's labels."""

    place: int
    item: Integers
    gold: Floats
    own: Integers

    @property
    def size(self) -> int:
        return len(self.item)

    def adds(self, said: Floats) -> Floats:
        """What each item adds to the table of gold by label (n, C x C), where ``said`` (n, C) are the shares of the classes among
        the labels: every item counts 1."""
        return np.asarray((self.gold[:, :, None] * said[:, None, :]).reshape(len(said), -1))

    def human(self) -> Floats:
        """The same of the annotator's own labels."""
        return self.adds(one_hot(self.own, self.gold.shape[1]))


def left_out(people: Ratings, place: int, gold: Gold = "each", ties: MajorityTies = "lowest") -> LeftOut:
    """Annotator number ``place`` against the others."""
    own = people.first[:, place]
    item = np.flatnonzero((own >= 0) & (people.counts.sum(axis=1) > 1))
    others = people.counts[item] - one_hot(own[item], len(people.scale))
    made = gold_of(others, gold, people.scale.values, ties)
    kept = made.sum(axis=1) > 0
    return LeftOut(place, item[kept], made[kept], own[item][kept])
