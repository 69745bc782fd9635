"""Items, or clusters of items, as units that are swapped between two runs or resampled, counted instead of listed.

A unit is an item, or all items of a cluster (the documents of a query, the questions about a passage, several outputs for one
item), which stay together. Units on which all runs did the same are one kind, and a random draw is a number for each kind: the
cost does not grow with the number of items. Arrays in, arrays out: labels are codes 0, 1, ..., C - 1.

Where T topics have tables of their own, gold's code is topic x C + class: the table (T x C, C) is then (T, C, C), and units are
drawn within topics. Where items have scores instead of labels, a table is (1, 2): what is lacking to 1 of each item, and its
score, so that it adds up to the number of items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.statistics.arrays import ArrayLike, Floats, Integers
from metameasure.statistics.by_content import order_by_content, words_of
from metameasure.statistics.streams import mixed
from metameasure.statistics.work import blocks

CELLS_AT_ONCE = 2**21
_MOST_IN_A_JOINT_TABLE = 2**22


@dataclass(frozen=True, eq=False)
class UnitRows:
    """Labelled rows of one run: gold's and the run's codes, the unit of each row and its weight."""

    gold: ArrayLike
    predicted: ArrayLike
    unit: ArrayLike
    weight: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class Units:
    """Kinds of units, and what each of the runs counts on them.

    ``table`` is the shape of a table, (C, C) of labels, and ``number`` (kinds,) how many units there are of each kind. The other
    arrays have an entry for each kind and each cell of the table that it touches: ``kind`` and ``cell`` (gold x C + predicted)
    say which, and ``amount`` (runs, entries) how many of a unit's items, or how much weight, each run has there. ``topics`` is
    how many topics have a table of their own; None where all items are in one.
    """

    table: tuple[int, int]
    number: Integers
    kind: Integers
    cell: Integers
    amount: Floats
    topics: int | None = None

    @classmethod
    def of_items(
        cls,
        gold: ArrayLike,
        outputs: ArrayLike,
        classes: int,
        weights: ArrayLike | None = None,
        *,
        topics: int | None = None,
        times: Integers | None = None,
    ) -> Units:
        """Every item a unit: gold's codes (items,) and the runs' (runs, items). Items of the same gold, outputs and weight are of
        one kind; an item that gold or any of the runs lacks (a negative code) is left out. ``times`` is how many items each
        stands for, where it is more than one."""
        truth, labels = _codes(gold, outputs, classes, topics)
        heavy = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=float)
        kept = (truth >= 0) & np.all(labels >= 0, axis=0)
        truth, labels, heavy = truth[kept], labels[:, kept], heavy[kept]
        times = None if times is None else times[kept]
        if weights is None and (topics or 1) * classes ** (len(labels) + 1) <= _MOST_IN_A_JOINT_TABLE:
            return cls._of_few_patterns(truth, labels, classes, topics, times)
        patterns = np.vstack([truth, labels, np.unique(heavy, return_inverse=True)[1]])
        _, places, kind = np.unique(patterns, axis=1, return_index=True, return_inverse=True)
        number = np.bincount(kind.ravel(), times, minlength=len(places)).astype(np.int64)
        return cls._of_kinds(truth[places], labels[:, places], heavy[places], number, classes, topics)

    @classmethod
    def _of_few_patterns(
        cls, truth: Integers, labels: Integers, classes: int, topics: int | None, times: Integers | None
    ) -> Units:
        """Counted, where there are so few patterns of gold and outputs that each has a place in a table."""
        shape = ((topics or 1) * classes, *[classes] * len(labels))
        counts = np.bincount(np.ravel_multi_index((truth, *labels), shape), times).astype(np.int64)
        patterns = np.flatnonzero(counts)
        gold, *said = np.unravel_index(patterns, shape)
        return cls._of_kinds(gold, np.stack(said), np.ones(len(patterns)), counts[patterns], classes, topics)

    @classmethod
    def of_rows(cls, runs: Sequence[UnitRows], classes: int, *, topics: int | None = None) -> Units:
        """Every unit of its own kind, from rows that may differ from run to run, as repeated outputs for an item do."""
        units = np.unique(np.concatenate([np.asarray(rows.unit) for rows in runs]))
        entries, amounts = [], []
        for rows in runs:
            truth, labels = _codes(rows.gold, np.asarray(rows.predicted)[None], classes, topics)
            place = np.searchsorted(units, np.asarray(rows.unit))
            entries.append(place * (topics or 1) * classes**2 + truth * classes + labels[0])
            amounts.append(np.ones(len(truth)) if rows.weight is None else np.asarray(rows.weight, dtype=float))
        return cls._of_entries(entries, amounts, np.ones(len(units), dtype=np.int64), (classes, classes), topics)

    @classmethod
    def of_scores(
        cls,
        scores: Floats,
        unit: Integers | None = None,
        topic: Integers | None = None,
        topics: int | None = None,
        times: Integers | None = None,
    ) -> Units:
        """Items with scores (runs, items) instead of labels: every item a unit, those of equal scores of one kind; or those of
        one number in ``unit`` (items,) together. Items that a run has no score for are left out. ``times`` is how many
        items, each a unit of its own, every entry stands for."""
        kept = ~np.isnan(scores).any(axis=0)
        scores = scores[:, kept]
        place = np.zeros(scores.shape[1], dtype=np.int64) if topic is None else topic[kept]
        if unit is None:
            found, kind = np.unique(np.vstack([place, scores]), axis=1, return_inverse=True)
            often = None if times is None else times[kept]
            number = np.bincount(kind.ravel(), often, minlength=found.shape[1]).astype(np.int64)
            place, scores, kind = found[0].astype(np.int64), found[1:], np.arange(found.shape[1])
        else:
            kind = np.unique(unit[kept], return_inverse=True)[1].ravel()
            number = np.ones(int(kind.max(initial=-1)) + 1, dtype=np.int64)
        first = kind * (topics or 1) * 2 + place * 2
        entries = [np.concatenate([first, first + 1])] * len(scores)
        amounts = [np.concatenate([1 - own, own]) for own in scores]
        return cls._of_entries(entries, amounts, number, (1, 2), topics)

    @classmethod
    def _of_kinds(
        cls, truth: Integers, labels: Integers, weight: Floats, number: Integers, classes: int, topics: int | None = None
    ) -> Units:
        first = np.arange(len(truth)) * (topics or 1) * classes**2 + truth * classes
        return cls._of_entries([first + label for label in labels], [weight] * len(labels), number, (classes, classes), topics)

    @classmethod
    def _of_entries(
        cls,
        entries: Sequence[Integers],
        amounts: Sequence[Floats],
        number: Integers,
        table: tuple[int, int],
        topics: int | None,
    ) -> Units:
        """Entries (kind x cells + cell) of each run put together, sorted by cell and then by kind."""
        codes, where = np.unique(np.concatenate(entries), return_inverse=True)
        parts = np.split(where, np.cumsum([len(one) for one in entries])[:-1])
        amount: Floats = np.stack(
            [np.bincount(at, one, minlength=len(codes)).astype(float) for at, one in zip(parts, amounts, strict=True)]
        )
        kind, cell = np.divmod(codes, (topics or 1) * math.prod(table))
        order = np.lexsort((kind, cell))
        return cls(table, number, kind[order], cell[order], amount[:, order], topics)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of a run's table, or of its tables of topics: (C, C) or (topics, C, C)."""
        return self.table if self.topics is None else (self.topics, *self.table)

    @property
    def cells(self) -> int:
        """How many cells that table has."""
        return math.prod(self.shape)

    @cached_property
    def strata(self) -> Integers:
        """(kinds,): the topic within which units of each kind are drawn; 0 for all where topics have no tables of their own, or
        some unit lies in several topics, so that units can only be drawn from all of them together."""
        first, last = np.full(len(self.number), self.topics or 1), np.zeros(len(self.number), dtype=np.int64)
        topic = self.cell // math.prod(self.table)
        np.minimum.at(first, self.kind, topic)
        np.maximum.at(last, self.kind, topic)
        return first if self.topics is not None and np.array_equal(first, last) else np.zeros_like(first)

    def sizes(self) -> Integers:
        """(strata,): how many units are drawn within each."""
        return np.bincount(self.strata, self.number, minlength=1).astype(np.int64)

    @property
    def total(self) -> int:
        """How many units there are."""
        return int(self.number.sum())

    def chosen(self, runs: Sequence[int]) -> Units:
        """Some of the runs."""
        return replace(self, amount=self.amount[np.array(runs)])

    def by_content(self) -> Units:
        """The kinds, and the topics, in an order that depends on what runs did alone: not on the order or the names of runs,
        items, clusters or topics, so that what is drawn for them does not either."""
        size = math.prod(self.table)
        within, topic = self.cell % size, self.cell // size
        each = mixed(words_of(within) ^ mixed(words_of(self.amount)))
        each = np.where(self.amount != 0, each, np.uint64(0)).T
        if self.topics is not None:
            of_topic = np.zeros(self.topics, dtype=np.uint64)
            np.add.at(of_topic, topic, mixed(each).sum(axis=1, dtype=np.uint64))
            each = np.where(each != 0, mixed(each ^ mixed(of_topic)[topic, None]), each)
        cells = np.zeros((len(self.number), len(self.amount)), dtype=np.uint64)
        np.add.at(cells, self.kind, each)
        apart = self.topics is not None and bool(self.strata.any())
        kinds, _ = order_by_content(cells, rows=words_of(self.number), groups=self.strata if apart else None)
        place = np.empty(len(kinds), dtype=np.int64)
        place[kinds] = np.arange(len(kinds))
        if self.topics is not None:
            first = np.full(self.topics, len(kinds))
            np.minimum.at(first, topic, place[self.kind])
            number = np.empty(self.topics, dtype=np.int64)
            number[np.argsort(first, kind="stable")] = np.arange(self.topics)
            topic = number[topic]
        kind, cell = place[self.kind], topic * size + within
        order = np.lexsort((kind, cell))
        return Units(self.table, self.number[kinds], kind[order], cell[order], self.amount[:, order], self.topics)

    def tables(self) -> Floats:
        """(runs, *shape): each run's counts."""
        return np.stack([self.counted(self.number[None], one)[0] for one in self.amount])

    def counted(self, draws: Integers, amount: Floats) -> Floats:
        """Tables (trials, *shape) of so many units of each kind (trials, kinds), a unit having that amount in each entry."""
        tables = np.zeros((len(draws), self.cells))
        used = np.flatnonzero(amount)
        if len(used):
            cells = self.cell[used]
            starts = np.flatnonzero(np.r_[True, np.diff(cells) > 0])
            tables[:, cells[starts]] = np.add.reduceat(draws[:, self.kind[used]] * amount[used], starts, axis=1)
        return tables.reshape(-1, *self.shape)

    def without_one(self, run: int) -> Floats:
        """Tables (1 + kinds, *shape) of a run: of all units, and without one unit of each kind."""
        each = np.zeros((len(self.number), self.cells))
        np.add.at(each, (self.kind, self.cell), self.amount[run])
        whole = (each * self.number[:, None]).sum(axis=0)
        return np.concatenate([whole[None], whole - each]).reshape(-1, *self.shape)

    def unit_sizes(self) -> Floats:
        """(kinds,): how many items, or how much weight, the first run has on a unit of each kind."""
        return np.bincount(self.kind, self.amount[0], minlength=len(self.number)).astype(float)

    def blocks(self, trials: int) -> Iterator[int]:
        """So many trials in blocks that fit well into memory."""
        cells = max(len(self.kind), len(self.number), self.cells)
        return (some for _, some in blocks(trials, cells, CELLS_AT_ONCE))

    def resampled(self, trials: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Tables (runs, some trials, *shape) of as many units as there are, drawn with replacement within their strata; all runs
        on the same units."""
        for some in self.blocks(trials):
            drawn = np.empty((some, len(self.number)), dtype=np.int64)
            for stratum, total in enumerate(self.sizes().tolist()):
                own = self.strata == stratum
                drawn[:, own] = rng.multinomial(total, self.number[own] / max(1, total), size=some)
            yield np.stack([self.counted(drawn, one) for one in self.amount])


def _codes(gold: ArrayLike, outputs: ArrayLike, classes: int, topics: int | None) -> tuple[Integers, Integers]:
    truth, labels = np.asarray(gold, dtype=np.int64), np.asarray(outputs, dtype=np.int64)
    if truth.ndim != 1 or labels.ndim != 2 or labels.shape[1] != len(truth):
        raise UsageError(f"codes of shape {truth.shape} and {labels.shape}", hint="pass gold (items,) and outputs (runs, items)")
    if max(truth.max(initial=-1) // (topics or 1), labels.max(initial=-1)) >= classes:
        raise UsageError(f"a code is beyond the {classes} classes", hint="codes are 0, 1, ..., C - 1")
    return truth, labels
