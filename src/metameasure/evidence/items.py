"""Evidence of single items: what runs did on each of them, in topics and clusters, so that items can be drawn and swapped."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.evidence.base import CaseEvidence, Part, Reading, ScoredUnits, lone_units
from metameasure.evidence.ragged import alike, cells_of
from metameasure.evidence.swapped import Swapped
from metameasure.statistics.arrays import Booleans, Integers
from metameasure.statistics.exact_sums import Moments
from metameasure.statistics.sums import UnitSums


class ItemEvidence(CaseEvidence):
    """Items are ordered by topic; ``topic`` and ``cluster`` (items,) are places among ``topics`` and ``clusters``."""

    items: Sequence[str]
    topic: Integers
    clusters: tuple[str, ...]
    cluster: Integers | None
    times: Integers | None = None
    """(items,): how many items each stands for, where they are alike; None where each is one."""

    @abstractmethod
    def arrays(self, reads: str) -> tuple[Any, ...]:
        """What a measure reads of every run and item, (runs, items, ...) each; NaN where an item is not there."""

    def arrays_of(self, reads: str, runs: Sequence[int] | None) -> tuple[Any, ...]:
        """The same of some runs, or of all."""
        return tuple(array if runs is None else array[list(runs)] for array in self.arrays(reads))

    @abstractmethod
    def of_items(self, kept: Booleans) -> Self:
        """Some of the items, and their topics."""

    @abstractmethod
    def of_runs(self, runs: Sequence[int]) -> Self:
        """Some of the runs."""

    def there(self) -> Booleans:
        """(runs, items): whether a run has an item."""
        return np.ones((len(self.runs), len(self.items)), dtype=bool)

    def scored(self, reads: str) -> ScoredUnits:
        return ScoredUnits(np.asarray(self.there().sum(axis=1), dtype=np.int64), len(self.topic), "items")

    def size(self, run: int) -> str:
        some, most = int(self.there()[run].sum()), len(self.topic)
        return f"{some if some == most else f'{some} of {most}'} items"

    def places_of(self, kept: Booleans) -> dict[str, Any]:
        """The topics and clusters of some of the items, as fields."""
        topics = np.unique(self.topic[kept])
        return {
            "topics": tuple(self.topics[code] for code in topics.tolist()),
            "topic": np.searchsorted(topics, self.topic[kept]),
            "cluster": None if self.cluster is None else self.cluster[kept],
        }

    @property
    def rarest(self) -> int | None:
        """How many items gold's rarest class has, of those that occur; None where there are no classes."""
        return None

    @property
    def against_infinity(self) -> str:
        """What to do where an item's score is infinite."""
        return "choose another measure"

    def are_shares(self, reads: str) -> bool:
        """Whether every item's score is 0 or 1, and its only one."""
        return False

    def single_items(self) -> ItemEvidence:
        return self

    def one_by_one(self) -> Self:
        """Each item by itself, where some stand for several."""
        return self

    def each_alone(self, reads: str) -> Iterable[ItemEvidence] | None:
        """Each run by itself, as how many of its items are alike, where they have been counted; None where they have not."""
        return None

    def sums_of_scores(
        self, reads: str, topics: Sequence[int] | None, *, of_each: bool
    ) -> Sequence[Sequence[Moments | UnitSums]] | None:
        """Of the scores of each run in these topics, or in all as one, what has been added up: the sums of clusters, or the
        moments of items. None where items have to tell, as where each of them is to be drawn (``of_each``)."""
        return None

    def number_of(self, kept: Booleans) -> int:
        """How many items some of them (items,) are."""
        return int(kept.sum() if self.times is None else self.times[kept].sum())

    @property
    def size_of_topics(self) -> Integers:
        """(topics,): how many items there are."""
        return np.bincount(self.topic, self.times, minlength=len(self.topics)).astype(np.int64)

    @property
    def size_of_clusters(self) -> Integers | None:
        """(clusters,): how many items there are; None where items are in no clusters."""
        return None if self.cluster is None else np.unique(self.cluster, return_counts=True)[1]

    @property
    def starts(self) -> Integers:
        """Where each topic's items begin, and in the end how many items there are."""
        return np.searchsorted(self.topic, np.arange(len(self.topics) + 1))

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        return self._reading_of(self.arrays_of(reads, None if list(runs) == list(range(len(self.runs))) else runs))

    def _reading_of(self, arrays: tuple[Any, ...]) -> Reading:
        """From arrays (runs, items, ...)."""
        if len(self.topics) == 1:
            items = self._there(arrays[0]).sum(axis=-1)[:, None]
            return Reading.of(tuple(array[:, None] for array in arrays), arrays, items, of_one=True)
        parts, items = [], np.zeros((len(arrays[0]), len(self.topics)), dtype=np.int64)
        for width, topics in alike(np.diff(self.starts)):
            cells, inside = cells_of(self.starts, topics, width)
            parts.append(Part(topics, tuple(_where(inside, array[:, cells]) for array in arrays)))
            items[:, topics] = self._there(parts[-1].arrays[0]).sum(axis=-1)
        return Reading(tuple(parts), arrays, items)

    @staticmethod
    def _there(array: Any) -> Booleans:
        known: Booleans = ~np.isnan(array)
        return known

    @property
    def has_items(self) -> bool:
        return True

    @property
    def clustered(self) -> bool:
        return self.cluster is not None

    def lone_units(self) -> list[str]:
        return lone_units(self.topics, self.topic, self.cluster, self.times)

    def item_keys(self) -> list[tuple[str, str]]:
        """The topic and the name of each item."""
        return [(self.topics[code], name) for code, name in zip(self.topic.tolist(), self.items, strict=True)]


def check_clustered_alike(first: Swapped | ItemEvidence, second: Swapped | ItemEvidence) -> None:
    """UsageError where the items of only one of two parts are in clusters."""
    if (first.cluster is None) != (second.cluster is None):
        raise UsageError("the items of one part are in clusters, and those of the other are not", hint="count them alike")


def _where(inside: Booleans, array: Any) -> Any:
    """NaN for cells behind the items of a topic."""
    return np.where(inside.reshape(inside.shape + (1,) * (array.ndim - 1 - inside.ndim)), array, np.nan)
