"""What runs did on items, as units that are swapped between runs and drawn: labels with their counts, or scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from metameasure.core.scale import Scale
from metameasure.statistics.anova import Components, variance_components
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.item_tests import Value
from metameasure.statistics.units import Units

if TYPE_CHECKING:
    from metameasure.evidence.counts import LabelCounts


class Swapped(ABC):
    """What runs did on the same items."""

    runs: tuple[str, ...]
    scale: Scale | None
    weight: Floats | None
    cluster: Integers | None
    apart: int | None
    """How many topics have tables of their own; None where all items are in one."""

    topic: Integers
    times: Integers | None
    """How many items each row stands for; None where each is one."""

    @abstractmethod
    def hits(self, value: Value) -> Booleans | None:
        """The cells of a table of which a measure is the share of items; None where it is no such share."""

    def scored(self) -> ItemScores | None:
        """The scores of items, of which a measure is the mean; None where items have labels."""
        return None

    def counted(self) -> LabelCounts | None:
        """How often there are which labels; None where items have scores."""
        return None

    @property
    def graded(self) -> bool:
        """Whether items have scores that are not just 0 or 1."""
        return False

    @property
    def size(self) -> int:
        """How many items there are."""
        return self.number(np.ones(len(self.topic), dtype=bool))

    @property
    @abstractmethod
    def clustered(self) -> bool:
        """Whether a unit may be more than one output."""

    def number(self, kept: Booleans) -> int:
        """How many items some rows (items,) stand for."""
        return int(kept.sum() if self.times is None else self.times[kept].sum())

    @abstractmethod
    def has(self) -> Booleans:
        """(runs, items): whether a run has an output for an item."""

    @abstractmethod
    def of_items(self, kept: Booleans) -> Self:
        """Some of the items (items,)."""

    @abstractmethod
    def of_runs(self, runs: Sequence[int]) -> Self:
        """Some of the runs."""

    def with_topics_apart(self, topics: Sequence[int]) -> Self:
        """The items of some topics, each of which has a table of its own."""
        place = np.full(int(self.topic.max(initial=0)) + 1, -1)
        place[list(topics)] = np.arange(len(topics))
        kept = self.of_items(place[self.topic] >= 0)
        return replace(kept, topic=place[kept.topic], apart=len(topics))  # type: ignore[type-var]

    @abstractmethod
    def units(self, runs: Sequence[int]) -> Units:
        """The items, or clusters of outputs, of some of the runs."""

    @abstractmethod
    def variance(self, run: int) -> Mapping[str, Components]:
        """The variance between clusters and within them, and between items and within them, by what there is."""


@dataclass(frozen=True, eq=False)
class ItemScores(Swapped):
    """One number for each run and item, ``scores`` (runs, items), NaN where there is none; a measure is their mean. ``binary``
    where each is 0 or 1 and an item's only one."""

    runs: tuple[str, ...]
    scores: Floats
    topic: Integers
    cluster: Integers | None = None
    binary: bool = False
    apart: int | None = None
    weight: Floats | None = None
    scale: Scale | None = None
    times: Integers | None = None
    rarest: int | None = None
    """How many items gold's rarest class has, where it is known."""

    def hits(self, value: Value) -> Booleans | None:
        return np.array([[False, True]]) if self.binary else None

    def scored(self) -> ItemScores:
        return self

    @property
    def graded(self) -> bool:
        return not self.binary

    def one_by_one(self) -> ItemScores:
        """Each item by itself, where some stand for several."""
        if self.times is None:
            return self
        each = np.repeat(np.arange(len(self.times)), self.times)
        return replace(self, scores=self.scores[:, each], topic=self.topic[each], times=None)

    @property
    def clustered(self) -> bool:
        return self.cluster is not None

    def has(self) -> Booleans:
        return ~np.isnan(self.scores)

    def of_items(self, kept: Booleans) -> ItemScores:
        cluster = None if self.cluster is None else self.cluster[kept]
        times = None if self.times is None else self.times[kept]
        return replace(self, scores=self.scores[:, kept], topic=self.topic[kept], cluster=cluster, times=times)

    def of_runs(self, runs: Sequence[int]) -> ItemScores:
        return replace(self, runs=tuple(self.runs[run] for run in runs), scores=self.scores[list(runs)])

    def units(self, runs: Sequence[int]) -> Units:
        topic = None if self.apart is None else self.topic
        return Units.of_scores(self.scores[list(runs)], self.cluster, topic, self.apart, self.times)

    def variance(self, run: int) -> Mapping[str, Components]:
        if self.cluster is None:
            return {}
        order = np.lexsort((self.scores[run], self.cluster))  # so that the items' order is in no digit
        known = order[~np.isnan(self.scores[run][order])]
        return {"clusters": variance_components(self.scores[run][known], self.cluster[known])}


def mean_of_tables(tables: Floats) -> Floats:
    """The mean score of the items in tables (..., 1, 2)."""
    lacking, reached = tables[..., 0, 0], tables[..., 0, 1]
    items = lacking + reached
    return np.where(items > 0, reached / np.where(items > 0, items, 1), np.nan)
