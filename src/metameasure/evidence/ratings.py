"""What people, and judges beside them, say of every item: what coefficients of agreement and trials of judges are made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.problems import Problem
from metameasure.core.scale import Scale
from metameasure.evidence.base import digest_of, hash_of
from metameasure.evidence.room import release
from metameasure.statistics.arrays import Booleans, Floats, Integers

_KEYS_AT_ONCE = 2**16
LABEL = np.int32  # there may be very many ratings, and hardly many classes


@dataclass(frozen=True, eq=False)
class Round:
    """At most one rating of an item by each annotator: those of the first annotator by item, then those of the second, and so on.
    Those of each begin at ``start`` (annotators + 1,); ``item`` and ``label`` (ratings,) are places among items and classes."""

    start: Integers
    item: npt.NDArray[np.integer[Any]]
    label: npt.NDArray[np.integer[Any]]

    @classmethod
    def of_table(cls, labels: Integers) -> Round:
        """From labels (items, annotators), -1 where there is none."""
        annotator, item = np.nonzero(labels.T >= 0)
        start = np.searchsorted(annotator, np.arange(labels.shape[1] + 1))
        return cls(start, item, labels[item, annotator].astype(LABEL))

    @property
    def annotators(self) -> int:
        return len(self.start) - 1

    def of(self, place: int) -> tuple[Integers, Integers]:
        """An annotator's items, and their labels."""
        own = slice(self.start[place], self.start[place + 1])
        item, label = np.asarray(self.item[own], np.int64), np.asarray(self.label[own], np.int64)
        release(self.item, self.label)
        return item, label

    def column(self, place: int, items: int) -> Integers:
        """(items,): an annotator's labels, -1 where there is none."""
        column, (item, label) = np.full(items, -1), self.of(place)
        column[item] = label
        return column

    def table(self, items: int) -> Integers:
        """(items, annotators): all labels, -1 where there is none."""
        table = np.full((items, self.annotators), -1)
        for place in range(self.annotators):
            item, label = self.of(place)
            table[item, place] = label
        return table

    def of_annotators(self, places: Sequence[int]) -> Round:
        """Some of the annotators."""
        chosen = [self.of(place) for place in places]
        sizes = [len(item) for item, _ in chosen]
        nothing = np.zeros(0, dtype=np.int64)
        items, labels = (np.concatenate([nothing, *column]) for column in (zip(*chosen, strict=True) if chosen else ((), ())))
        return Round(np.cumsum([0, *sizes]), items, labels.astype(LABEL))

    def at(self, place: Integers) -> Round:
        """The items at other places (items,), without those that have none there (-1)."""
        item = place[self.item]
        kept = item >= 0
        before = np.concatenate([[0], np.cumsum(kept)])
        annotator = np.repeat(np.arange(self.annotators), np.diff(self.start))[kept]
        order = np.lexsort((item[kept], annotator))
        return Round(before[self.start], item[kept][order], self.label[kept][order])


@dataclass(frozen=True, eq=False)
class Ratings:
    """Items by how many annotators put them into each class, ``counts`` (items, C); and, where that is known, who did.

    Of several ratings of an item by one annotator the first, in the first of the ``rounds``, counts; the others tell how
    consistent that annotator is. From counts alone there are no annotators and no rounds. ``cluster`` (items,) numbers the
    clusters of items that belong together.
    """

    scale: Scale
    items: Sequence[str]
    counts: Floats
    annotators: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
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

    @classmethod
    def of_labels(cls, scale: Scale, items: Sequence[str], annotators: Sequence[str], labels: Integers, **more: Any) -> Ratings:
        """From places on the scale (items, annotators, repeats), -1 where there is no rating, the first one first."""
        rounds = tuple(map(Round.of_table, np.moveaxis(labels, 2, 0)))
        return cls(scale, tuple(items), counts_of(rounds[0], (len(items), len(scale))), tuple(annotators), rounds, **more)

    @property
    def known(self) -> bool:
        """Whether it is known who said what."""
        return bool(self.annotators)

    @property
    def size(self) -> int:
        """How many items there are."""
        return len(self.items)

    def own(self, place: int) -> tuple[Integers, Integers]:
        """An annotator's items, and the ratings of them that count."""
        return self.rounds[0].of(place)

    def repeats(self, place: int) -> Integers:
        """(items, rounds): all ratings of one annotator, -1 where there are fewer."""
        return np.stack([one.column(place, self.size) for one in self.rounds], axis=1)

    @property
    def first(self) -> Integers:
        """(items, annotators): the ratings that count, -1 where there is none."""
        return self.rounds[0].table(self.size)

    @property
    def labels(self) -> Integers:
        """(items, annotators, rounds): all ratings, -1 where there is none."""
        return np.stack([one.table(self.size) for one in self.rounds], axis=2)

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
        order, keys = self._in_order()
        facts = hash_of([str(self.scale), self.scale.kind], keys)
        clusters = [] if self.cluster is None else [_in_order_of_first(self.cluster[order])]
        items = digest_of([*clusters, *([] if self.known else [self.counts[order]])], after=facts)
        each = {name: digest_of([self.repeats(place)[order]], after=facts) for place, name in enumerate(self.annotators)}
        return {"items": items, "annotators": {name: each[name] for name in sorted(each)}}

    def _in_order(self) -> tuple[Integers | slice, Iterator[list[tuple[str, ...]]]]:
        """The places of the items in the order of what they are known by, and that, some at a time."""
        firsts = range(0, self.size, _KEYS_AT_ONCE)
        if not self.topic and all(one < other for one, other in pairwise(self.items)):
            return slice(None), ([(item,) for item in self.items[first : first + _KEYS_AT_ONCE]] for first in firsts)
        columns = [*([self.topic] if self.topic else []), list(self.items)]
        known = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        order = np.array(sorted(range(self.size), key=known.__getitem__), dtype=np.int64)
        each = (order[first : first + _KEYS_AT_ONCE].tolist() for first in firsts)
        return order, ([tuple(column[place] for column in columns) for place in some] for some in each)

    def of_items(self, kept: Booleans) -> Ratings:
        """Some of the items."""
        cluster = None if self.cluster is None else np.unique(self.cluster[kept], return_inverse=True)[1]
        names, topic = (tuple(compress(texts, kept.tolist())) for texts in (self.items, self.topic))
        stratum = None if self.stratum is None else self.stratum[kept]
        rounds = tuple(one.at(np.where(kept, np.cumsum(kept) - 1, -1)) for one in self.rounds)
        return replace(self, items=names, counts=self.counts[kept], rounds=rounds, cluster=cluster, topic=topic, stratum=stratum)

    def keys(self, *, with_topic: bool) -> list[tuple[str, ...]]:
        """What items are known by."""
        return list(zip(self.topic, self.items, strict=True)) if with_topic else [(item,) for item in self.items]

    def of_annotators(self, places: Sequence[int]) -> Ratings:
        """Some of the annotators; items that none of them has rated stay, without a rating."""
        rounds = tuple(one.of_annotators(places) for one in self.rounds)
        counts = counts_of(rounds[0], (self.size, len(self.scale)))
        return replace(self, annotators=tuple(self.annotators[place] for place in places), rounds=rounds, counts=counts)

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


def counts_of(ratings: Round, shape: tuple[int, int]) -> Floats:
    """(items, C): how often an item has each label."""
    counts = np.zeros(shape)
    for place in range(ratings.annotators):
        counts[ratings.of(place)] += 1
    return counts


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
        rounds=tuple(one.at(known) for one in judges.rounds),
        counts=np.zeros_like(people.counts),
        cluster=None,
        topic=people.topic,
        notes=notes,
    )


def together(judges: Sequence[Ratings]) -> Ratings:
    """Judges from several sources, on the same items."""
    most = max(len(one.rounds) for one in judges)
    return replace(
        judges[0],
        annotators=tuple(name for one in judges for name in one.annotators),
        rounds=tuple(_beside_each_other([_round(one, number) for one in judges]) for number in range(most)),
        outside=tuple(problem for one in judges for problem in one.outside),
        notes=tuple(dict.fromkeys(note for one in judges for note in one.notes)),
    )


def _round(ratings: Ratings, number: int) -> Round:
    """One of the rounds; that of nobody's ratings behind the last."""
    if number < len(ratings.rounds):
        return ratings.rounds[number]
    nothing = np.zeros(0, dtype=np.int64)
    return Round(np.zeros(len(ratings.annotators) + 1, dtype=np.int64), nothing, nothing)


def _beside_each_other(rounds: Sequence[Round]) -> Round:
    starts = np.cumsum([0, *(one.start[-1] for one in rounds)])
    start = np.concatenate([[0], *(one.start[1:] + before for one, before in zip(rounds, starts, strict=False))])
    return Round(start, np.concatenate([one.item for one in rounds]), np.concatenate([one.label for one in rounds]))
