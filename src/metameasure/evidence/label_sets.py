"""Sets of labels of single items: gold's and the runs'."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.messages import added_up, say
from metameasure.core.scale import Scale
from metameasure.core.values import in_order
from metameasure.evidence.base import described, digest_of, hash_of, other_gold, positions, unlike_parts
from metameasure.evidence.items import ItemEvidence
from metameasure.evidence.outputs import sums_of_rows
from metameasure.evidence.room import few_at_once
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.streams import mixed

Indicators = npt.NDArray[np.uint8]
_MOST_CELLS = 2**24
"""Indicators of all runs that are scored at once: of more, those of a few runs."""


def as_one(sets: Indicators) -> npt.NDArray[Any]:
    """(rows,): each row of indicators (rows, L) as one value, by which rows can be told apart."""
    packed = np.ascontiguousarray(np.packbits(sets, axis=1))
    return packed.view(np.dtype((np.void, packed.shape[1])))[:, 0]


@dataclass(frozen=True, eq=False)
class LabelSets(ItemEvidence):
    """``sets`` (sets, L) are indicators of labels; ``gold`` (items,) and ``said`` (runs, items) are places among them, -1 for an
    item that a run lacks. Items are ordered by topic. ``parts`` name the pieces of gold that are in it, so that none is added
    twice."""

    task: ClassVar[str] = "multilabel"
    name: ClassVar[str] = "sets"
    why_unusable: ClassVar[str] = "the run lacks all items"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    sets: Indicators
    gold: Integers
    said: Integers
    topic: Integers
    cluster: Integers | None = None
    parts: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    """The items' names, where somebody wants them: no file has them."""

    @cached_property
    def items(self) -> tuple[str, ...]:  # type: ignore[override]
        """Their places, counted from 1, where names are not kept."""
        return tuple(map(str, range(1, len(self.gold) + 1))) if self.names is None else self.names

    @property
    def clusters(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self.cluster is None else tuple(map(str, range(int(self.cluster.max(initial=-1)) + 1)))

    @property
    def rarest(self) -> int | None:
        items = np.bincount(self.gold, minlength=len(self.sets)) @ self.sets
        return int(items[items > 0].min(initial=len(self.gold)))

    def arrays(self, reads: str) -> tuple[Floats, Floats]:
        return self.arrays_of(reads, None)

    def arrays_of(self, reads: str, runs: Sequence[int] | None) -> tuple[Floats, Floats]:
        said = self.indicators(self.said if runs is None else self.said[list(runs)])
        return said, np.broadcast_to(self.indicators(self.gold), said.shape)

    def blocks(self) -> Iterator[list[int]]:
        """All at once, or a few where there are many cells."""
        if self.said.size * len(self.scale) <= _MOST_CELLS:
            yield from super().blocks()
        else:
            yield from few_at_once(len(self.runs))

    def indicators(self, places: Integers) -> npt.NDArray[Any]:
        """The sets at these places (..., L): whole numbers of a byte, which formulas make floating by themselves; or, where there
        is NaN at -1, floating ones."""
        found, lacking = self.sets[places], places < 0
        if not lacking.any():
            return found
        floating = found.astype(float)
        floating[lacking] = np.nan
        return floating

    def there(self) -> Booleans:
        known: Booleans = self.said >= 0
        return known

    @staticmethod
    def _there(array: Any) -> Booleans:
        known: Booleans = ~np.isnan(array[..., 0])
        return known

    def of_items(self, kept: Booleans) -> Self:
        names = None if self.names is None else tuple(compress(self.names, kept.tolist()))
        chosen = self.places_of(kept)
        return replace(self, gold=self.gold[kept], said=self.said[:, kept], parts=(), names=names, **chosen)

    def of_runs(self, runs: Sequence[int]) -> Self:
        return replace(self, runs=tuple(self.runs[run] for run in runs), said=self.said[list(runs)])

    def with_outputs(self, outputs: dict[str, Indicators]) -> Self:
        """Other runs on the same items, each of which gives the same labels (L,) to all."""
        sets = np.concatenate([self.sets, np.stack(list(outputs.values())).astype(np.uint8)])
        first = len(self.sets)
        said = np.repeat(np.arange(first, len(sets))[:, None], len(self.gold), axis=1)
        return replace(self, runs=tuple(outputs), sets=sets, said=said, notes=())

    def sizes(self) -> Integers:
        """(L,): how many items have each label in gold."""
        return np.asarray(self.sets[self.gold].sum(axis=0, dtype=np.int64))

    @cached_property
    def _numbers(self) -> npt.NDArray[np.uint64]:
        """(sets,): a number for each set, by its labels alone."""
        packed = np.packbits(self.sets, axis=1)
        words = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
        words[:, : packed.shape[1]] = packed
        number = np.zeros(len(packed), dtype=np.uint64)
        for word in words.view("<u8").T:
            number = mixed(number * np.uint64(31) + word + np.uint64(1))
        return number

    def _coded(self, places: Integers) -> Integers:
        return np.where(places < 0, 0, self._numbers[places].astype(np.int64))

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of gold and of each run, whatever the order of items."""
        facts = json.dumps([str(self.scale), self.topics])
        shared = [self.topic, self._coded(self.gold), *([] if self.cluster is None else [self.cluster])]
        gold = digest_of([sums_of_rows(shared)], after=facts, dtype="<u8")
        each = {
            run: digest_of(
                [sums_of_rows([*shared, self._coded(self.said[place]), self.said[place] < 0])], after=facts, dtype="<u8"
            )
            for place, run in enumerate(self.runs)
        }
        return {"gold": gold, "runs": dict(sorted(each.items()))}

    def checksum(self) -> str:
        return digest_of((), after=hash_of([self.digests(), self._together()]))

    def _together(self) -> str:
        """What all runs say of each item, whatever the items' order: what comparisons see."""
        by_name = np.argsort(self.runs, kind="stable").tolist()
        columns = [self.topic, self._coded(self.gold), *(self._coded(self.said[run]) for run in by_name)]
        return digest_of([sums_of_rows(columns)], dtype="<u8")

    def check_kept(self) -> None:
        """UsageError where there is more to it than is kept in files and merged."""
        if self.cluster is not None:
            raise UsageError("clusters are not kept in files of sets of labels", hint="evaluate the files themselves")

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.check_kept()
        tidy = self.with_few_sets()
        arrays = {name: getattr(tidy, name) for name in ("sets", "gold", "said", "topic")}
        return {"gold_parts": self.parts, "sets": len(tidy.sets)}, {
            name: array.astype(np.int64) for name, array in arrays.items()
        }

    def with_few_sets(self) -> Self:
        """The same with each set once, and no others than those that occur."""
        rows = as_one(self.sets)
        used = np.unique(np.concatenate([self.gold, self.said[self.said >= 0]]))
        _, first, place = np.unique(rows[used], return_index=True, return_inverse=True)
        number = np.full(len(self.sets) + 1, -1, dtype=np.int64)
        number[used] = place.ravel()
        return replace(self, sets=self.sets[used[first]], gold=number[self.gold], said=number[self.said])

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        kept = {**arrays, "sets": arrays["sets"].astype(np.uint8)}
        return cls(scale=scale or Scale.of([]), parts=tuple(facts["gold_parts"]), **described(facts), **kept)

    def plus(self, other: Self) -> Self:
        """The same runs on other items, or other runs on the same items."""
        self.check_settings(other)
        for part in (self, other):
            part.check_kept()
        shared, same_runs = {*self.parts} & {*other.parts}, {*self.runs} == {*other.runs}
        both = np.concatenate([self.sets, other.sets])
        gold, said = other.gold + len(self.sets), np.where(other.said < 0, -1, other.said.astype(np.int64) + len(self.sets))
        if {*self.parts} == {*other.parts} and not {*self.runs} & {*other.runs}:
            alike = self.digests()["gold"] == other.digests()["gold"] and np.array_equal(self.topic, other.topic)
            if not alike or not np.array_equal(self.sets[self.gold], other.sets[other.gold]):
                raise other_gold("item")
            notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
            return replace(self, runs=(*self.runs, *other.runs), sets=both, said=np.concatenate([self.said, said]), notes=notes)
        if shared or not same_runs:
            twice = [run for run in self.runs if run in other.runs]
            if shared and twice:
                raise UsageError(say("run '{run}' is in both on the same items of gold", run=twice[0]), hint="add each part once")
            raise unlike_parts("item")
        topics = tuple(in_order({*self.topics, *other.topics}))
        topic = np.concatenate([positions(part.topics, topics)[part.topic] for part in (self, other)])
        order = np.argsort(topic, kind="stable")
        said = said[[other.runs.index(run) for run in self.runs]]
        return replace(
            self,
            topics=topics,
            sets=both,
            gold=np.concatenate([self.gold, gold])[order],
            said=np.concatenate([self.said, said], axis=1)[:, order],
            topic=topic[order],
            parts=(*self.parts, *other.parts),
            notes=added_up(self.notes, other.notes),
        )
