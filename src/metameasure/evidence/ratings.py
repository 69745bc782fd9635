"""What people, and judges beside them, say of every item: what coefficients of agreement and trials of judges are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.problems import Problem
from metameasure.core.scale import Scale
from metameasure.evidence.base import digest_of, hash_of
from metameasure.statistics.arrays import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Ratings:
    """Items by how many annotators put them into each class, ``counts`` (items, C); and, where that is known, who did.

    ``labels`` (items, annotators, repeats) holds places on the scale, -1 where there is no rating: of several ratings of an item
    by one annotator the first counts, the others tell how consistent that annotator is. From counts alone there are no annotators
    and no labels. ``cluster`` (items,) numbers the clusters of items that belong together.
    """

    scale: Scale
    items: tuple[str, ...]
    counts: Floats
    annotators: tuple[str, ...] = ()
    labels: Integers = field(default_factory=lambda: np.zeros((0, 0, 1), np.int64))
    cluster: Integers | None = None
    topic: tuple[str, ...] = ()
    """The topic of each item, where ids are unique only within one; otherwise there are none."""
    outside: tuple[Problem, ...] = ()
    """Labels that are no class, each with its line, where they were not refused: those of judges."""
    notes: tuple[str, ...] = ()
    stratum: Integers | None = None
    """The stratum of each item, where they were chosen within such, by its place in ``strata``."""
    strata: tuple[str, ...] = ()
    is_table: bool = False
    """Whether they came as the table of two annotators, of which nobody knows which item is which."""

    @property
    def known(self) -> bool:
        """Whether it is known who said what."""
        return bool(self.annotators)

    @property
    def size(self) -> int:
        """How many items there are."""
        return len(self.items)

    @property
    def first(self) -> Integers:
        """(items, annotators): the ratings that count."""
        return self.labels[:, :, 0]

    @cached_property
    def unit(self) -> Integers:
        """(items,): what is drawn and left out whole, an item or a cluster."""
        return np.arange(self.size) if self.cluster is None else self.cluster

    def persons(self) -> Floats:
        """(items, annotators, C): 1 where an annotator gave an item that class."""
        return one_hot(self.first, len(self.scale))

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of the items with their clusters, and of what each annotator says of them, whatever the order of either; of counts,
        where nobody knows who said what."""
        keys = self.keys(with_topic=bool(self.topic))
        order = sorted(range(self.size), key=keys.__getitem__)
        facts = hash_of([str(self.scale), self.scale.kind, [keys[place] for place in order]])
        clusters = [] if self.cluster is None else [_in_order_of_first(self.cluster[order])]
        items = digest_of([*clusters, *([] if self.known else [self.counts[order]])], after=facts)
        each = {name: digest_of([self.labels[order, place]], after=facts) for place, name in enumerate(self.annotators)}
        return {"items": items, "annotators": {name: each[name] for name in sorted(each)}}

    def of_items(self, kept: Booleans) -> Ratings:
        """Some of the items."""
        cluster = None if self.cluster is None else np.unique(self.cluster[kept], return_inverse=True)[1]
        names = tuple(name for name, keep in zip(self.items, kept.tolist(), strict=True) if keep)
        topic = tuple(name for name, keep in zip(self.topic, kept.tolist(), strict=True) if keep) if self.topic else ()
        stratum = None if self.stratum is None else self.stratum[kept]
        counts, labels = self.counts[kept], self.labels[kept]
        return replace(self, items=names, counts=counts, labels=labels, cluster=cluster, topic=topic, stratum=stratum)

    def keys(self, *, with_topic: bool) -> list[tuple[str, ...]]:
        """What items are known by."""
        return list(zip(self.topic, self.items, strict=True)) if with_topic else [(item,) for item in self.items]

    def of_annotators(self, places: Sequence[int]) -> Ratings:
        """Some of the annotators; items that none of them has rated stay, without a rating."""
        labels = self.labels[:, list(places)]
        counts = one_hot(labels[:, :, 0], len(self.scale)).sum(axis=1)
        return replace(self, annotators=tuple(self.annotators[place] for place in places), labels=labels, counts=counts)

    def without(self, place: int) -> Ratings:
        """All annotators but one."""
        return self.of_annotators([other for other in range(len(self.annotators)) if other != place])

    def split(self, judges: Sequence[str]) -> tuple[Ratings, Ratings]:
        """The people, and the judges that stand among them. UsageError for a judge that does not, or where nobody is left."""
        for judge in judges:
            if judge not in self.annotators:
                hint = did_you_mean(judge, self.annotators) or f"there are {', '.join(self.annotators[:10])}"
                raise UsageError(say("there are no ratings by a judge '{judge}'", judge=judge), hint=hint)
        people = [place for place, name in enumerate(self.annotators) if name not in judges]
        if not people:
            raise UsageError("every annotator is a judge", hint="leave somebody to compare the judges with")
        return self.of_annotators(people), self.of_annotators([self.annotators.index(judge) for judge in judges])


def _in_order_of_first(codes: Integers) -> Integers:
    """Numbers that say which are the same, counted as they come."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place]


def one_hot(labels: Integers, classes: int) -> Floats:
    """1 for the class, 0 elsewhere; all 0 where there is none (a negative code)."""
    return np.concatenate([np.eye(classes), np.zeros((1, classes))])[labels]


def beside(people: Ratings, judges: Ratings) -> Ratings:
    """The judges' labels on the people's items, in their order; -1 for an item that a judge lacks. Items that nobody rated are
    left out, and counted in the notes. Topics tell items apart where both sides have them."""
    with_topic = bool(people.topic and judges.topic)
    keys = people.keys(with_topic=with_topic)
    place = {key: number for number, key in enumerate(keys)}
    if len(place) < len(keys):
        raise UsageError(
            "people's items have topics, but the judges' labels have none", hint="give the judges' labels a topic too"
        )
    theirs = judges.keys(with_topic=with_topic)
    if len(set(theirs)) < len(theirs):
        raise UsageError("the judges' items have topics, but the ratings have none", hint="give the ratings a topic too")
    known = np.array([place.get(key, -1) for key in theirs], dtype=np.int64)
    labels = np.full((people.size, *judges.labels.shape[1:]), -1, dtype=np.int64)
    labels[known[known >= 0]] = judges.labels[known >= 0]
    extra = int((known < 0).sum())
    notes = judges.notes
    if extra and extra == len(known):
        raise UsageError("the judges have none of the items that people rated", hint=say("check the ids, and {--item-column}"))
    if extra:
        who = " and ".join(judges.annotators) if len(judges.annotators) <= 2 else "the judges"
        what = "{who}: {extra} that nobody rated {are} left out"
        are = "are" if extra > 1 else "is"
        notes = (*notes, note("rows read otherwise", what, who=who, extra=counted(extra, "item"), are=are))
    return replace(
        judges,
        items=people.items,
        labels=labels,
        counts=np.zeros_like(people.counts),
        cluster=None,
        topic=people.topic,
        notes=notes,
    )


def together(judges: Sequence[Ratings]) -> Ratings:
    """Judges from several sources, on the same items."""
    most = max(one.labels.shape[2] for one in judges)
    padded = [np.pad(one.labels, ((0, 0), (0, 0), (0, most - one.labels.shape[2])), constant_values=-1) for one in judges]
    return replace(
        judges[0],
        annotators=tuple(name for one in judges for name in one.annotators),
        labels=np.concatenate(padded, axis=1),
        outside=tuple(problem for one in judges for problem in one.outside),
        notes=tuple(dict.fromkeys(note for one in judges for note in one.notes)),
    )
