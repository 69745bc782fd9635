"""Probabilities of classes that runs give to single items, beside what gold says of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.core.messages import added_up, say
from metameasure.core.scale import Scale
from metameasure.core.values import in_order
from metameasure.evidence.base import described, digest_of, hash_of, other_gold, positions, unlike_parts
from metameasure.evidence.distributions import check_smoothing, smoothed
from metameasure.evidence.items import ItemEvidence, check_clustered_alike
from metameasure.evidence.room import each_row, few_at_once, is_in_file, release
from metameasure.statistics.arrays import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Probabilities(ItemEvidence):
    """Gold (items, C), 1 for the class of an item or its shares of several, and estimates (runs, items, C), NaN for an item that
    a run lacks. Items are ordered by topic and then by name."""

    task: ClassVar[str] = "probabilities"
    name: ClassVar[str] = "probabilities"
    why_unusable: ClassVar[str] = "the run lacks all items"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    items: tuple[str, ...]
    topic: Integers
    gold: Floats
    estimates: Floats
    clusters: tuple[str, ...] = ()
    cluster: Integers | None = None
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def arrays(self, reads: str) -> tuple[Floats, Floats]:
        return self.estimates, np.broadcast_to(self.gold, self.estimates.shape)

    def arrays_of(self, reads: str, runs: Sequence[int] | None) -> tuple[Floats, Floats]:
        if runs is None:
            return self.arrays(reads)
        estimates = self.estimates[list(runs)]
        return estimates, np.broadcast_to(self.gold, estimates.shape)

    def there(self) -> Booleans:
        return np.stack([self._there(own) for own in each_row(self.estimates)]) if len(self.runs) else self._there(self.estimates)

    def blocks(self) -> Iterator[list[int]]:
        """A few at once where they are in a file."""
        if not is_in_file(self.estimates):
            yield from super().blocks()
            return
        for block in few_at_once(len(self.runs)):
            yield block
            release(self.estimates)

    @staticmethod
    def _there(array: Any) -> Booleans:
        known: Booleans = ~np.isnan(array[..., 0])
        return known

    @property
    def against_infinity(self) -> str:
        return say("give the classes that are right a probability above 0, as with {--smooth 0.001}, or choose brier")

    def of_items(self, kept: Booleans) -> Self:
        items = tuple(compress(self.items, kept.tolist()))
        return replace(self, items=items, gold=self.gold[kept], estimates=self.estimates[:, kept], **self.places_of(kept))

    def of_runs(self, runs: Sequence[int]) -> Self:
        return replace(self, runs=tuple(self.runs[run] for run in runs), estimates=self.estimates[list(runs)])

    def with_runs(self, names: Sequence[str], estimates: Floats, notes: Sequence[str] = ()) -> Self:
        """Other runs on the same items."""
        return replace(self, runs=tuple(names), estimates=estimates, notes=tuple(notes))

    def smoothed(self, epsilon: float) -> Self:
        """Every probability p of the runs replaced by (p + ε) / (1 + ε C)."""
        check_smoothing(epsilon)
        settings = (*self.settings, ("smooth", f"{epsilon:g}"))
        return replace(self, estimates=smoothed(self.estimates, epsilon), settings=settings)

    def impossible(self) -> Integers:
        """(runs,): how many items have a class of gold that the run gives the probability 0."""
        each = each_row(self.estimates)
        return np.asarray([np.any((one <= 0) & (self.gold > 0), axis=-1).sum() for one in each], dtype=np.int64)

    def _facts(self) -> Any:
        """What stands for the items in digests, whatever the order of anything."""
        facts = hash_of([str(self.scale), self.scale.kind, self.topics, self.clusters])
        for codes in (self.topic, self.cluster):
            facts.update(b"" if codes is None else codes.astype("<i8").tobytes())
        facts.update("\x1f".join(self.items).encode("utf-8", "surrogatepass"))
        return facts

    def digests(self) -> dict[str, str | dict[str, str]]:
        facts = self._facts()
        each = {run: digest_of([own + 0.0], after=facts) for run, own in zip(self.runs, each_row(self.estimates), strict=True)}
        return {"gold": digest_of([self.gold + 0.0], after=facts), "runs": dict(sorted(each.items()))}

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        arrays = {name: getattr(self, name) for name in ("topic", "gold", "estimates", "cluster")}
        return {"items": self.items, "clusters": self.clusters}, {name: one for name, one in arrays.items() if one is not None}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        listed: dict[str, Any] = {name: tuple(facts[name]) for name in ("items", "clusters")}
        return cls(scale=scale or Scale.of([]), **described(facts), **listed, **arrays)

    def plus(self, other: Self) -> Self:
        """The same runs on other items, or other runs on the same items."""
        self.check_settings(other)
        mine, theirs = self.item_keys(), other.item_keys()
        if mine == theirs and not {*self.runs} & {*other.runs}:
            return self._with_other_runs(other)
        if {*self.runs} != {*other.runs} or {*mine} & {*theirs}:
            raise unlike_parts("item")
        check_clustered_alike(self, other)
        topics = tuple(in_order({*self.topics, *other.topics}))
        clusters = tuple(in_order({*self.clusters, *other.clusters}))
        place = {name: code for code, name in enumerate(topics)}
        keys = [*mine, *theirs]
        order = sorted(range(len(keys)), key=lambda one: (place[keys[one][0]], keys[one][1]))
        same = [other.runs.index(run) for run in self.runs]
        cluster = None
        if self.cluster is not None and other.cluster is not None:
            own, others = (positions(part.clusters, clusters)[part.cluster] for part in (self, other))
            cluster = np.concatenate([own, others])[order]
        return replace(
            self,
            topics=topics,
            items=tuple(keys[one][1] for one in order),
            topic=np.array([place[keys[one][0]] for one in order], dtype=np.int64),
            gold=np.concatenate([self.gold, other.gold])[order],
            estimates=np.concatenate([self.estimates, other.estimates[same]], axis=1)[:, order],
            clusters=clusters,
            cluster=cluster,
            notes=added_up(self.notes, other.notes),
        )

    def _with_other_runs(self, other: Self) -> Self:
        alike = np.array_equal(self.gold, other.gold) and np.array_equal(self.named_clusters(), other.named_clusters())
        if not alike:
            raise other_gold("item")
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        estimates = np.concatenate([self.estimates, other.estimates])
        return replace(self, runs=(*self.runs, *other.runs), estimates=estimates, notes=notes)

    def named_clusters(self) -> list[str]:
        """The cluster of each item, by name; nothing where there are none."""
        return [] if self.cluster is None else [self.clusters[code] for code in self.cluster.tolist()]
