"""What gold is where several people rated an item: each of them, one label made of all, or for one person what the others say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from metameasure.core.choices import Gold, MajorityTies
from metameasure.core.errors import UsageError
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.statistics.arrays import Booleans, Floats, Integers

GOLDS: tuple[Gold, ...] = get_args(Gold)
FINER_RULES: dict[Gold, str] = {
    "median": "of an even number of ratings the lower of the two in the middle",
    "mean": "rounded to the nearest class, halves up",
}
RULES: dict[Gold, str] = {
    "each": "each person in turn, against the judge",
    "median": f"the median: {FINER_RULES['median']}",
    "majority": "the class that most people chose",
    "mean": f"the mean: {FINER_RULES['mean']}",
    "distribution": "the shares of the people's ratings, so that a label scores its expectation",
}
_NEAR = 1e-9


def gold_of(counts: Floats, how: Gold, values: tuple[float, ...], ties: MajorityTies = "lowest") -> Floats:
    """Gold (items, C) as shares of the classes, from the people's counts (items, C): one class, or several where gold is a
    distribution; nothing for an item without ratings, or for a majority that is tied where those are dropped."""
    totals = counts.sum(axis=1, keepdims=True)
    shares: Floats = counts / np.where(totals > 0, totals, 1)
    if how in ("each", "distribution"):
        return shares
    if how == "median":
        place = (2 * np.cumsum(counts, axis=1) >= totals).argmax(axis=1)
    elif how == "majority":
        place = counts.argmax(axis=1)
    elif how == "mean":
        away = np.abs(shares @ np.array(values) - np.array(values)[:, None]).T
        near = away <= away.min(axis=1, keepdims=True) + _NEAR
        place = len(values) - 1 - near[:, ::-1].argmax(axis=1)
    else:
        raise UsageError(f"there is no gold '{how}'", hint=f"choose {', '.join(GOLDS)}")
    one: Floats = np.eye(counts.shape[1])[place] * (totals > 0)
    if how == "majority" and ties == "drop":
        one[tied_majorities(counts)] = 0.0
    return one


def tied_majorities(counts: Floats) -> Booleans:
    """(items,): whether two classes or more have the most ratings."""
    most = counts.max(axis=1, keepdims=True)
    return np.asarray(((counts == most) & (most > 0)).sum(axis=1) > 1)


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
        return np.asarray((self.gold[:, :, None] * said[:, None, :]).reshape(len(said), self.gold.shape[1] * said.shape[1]))

    def human(self) -> Floats:
        """The same of the annotator's own labels."""
        return self.adds(one_hot(self.own, self.gold.shape[1]))


def left_out(people: Ratings, place: int, gold: Gold = "each", ties: MajorityTies = "lowest") -> LeftOut:
    """Annotator number ``place`` against the others."""
    item, own = people.own(place)
    counts = people.counts[item]
    several = counts.sum(axis=1) > 1
    item, own = item[several], own[several]
    made = gold_of(counts[several] - one_hot(own, len(people.scale)), gold, people.scale.values, ties)
    kept = made.sum(axis=1) > 0
    return LeftOut(place, item[kept], made[kept], own[kept])
