"""Rows of ratings by number, annotator by annotator, and what they come down to: rounds of ratings, and counts of classes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.evidence.ragged import numbers_within
from metameasure.evidence.ratings import LABEL, Round
from metameasure.evidence.room import Column, NotApartError, Room, bounds, release
from metameasure.reading.coded_rows import CodedRows, NumberedRows
from metameasure.reading.engine import distinct, fetch
from metameasure.reading.joining import code_of, filled
from metameasure.statistics.arrays import Booleans, Floats, Integers

_ITEM = np.int32


@dataclass(frozen=True, eq=False)
class RatingRows:
    """Numbered rows, and which of their columns numbers the annotators; where none does, they are all of one. Where there is
    little room they come a few annotators at a time."""

    rows: NumberedRows
    annotators: tuple[str, ...]
    by: str | None
    room: Room | None = None

    @property
    def labels(self) -> Sequence[str]:
        """The different labels, as they are written."""
        return self.rows.names["label"]

    @cached_property
    def _keys(self) -> Integers | None:
        """The numbers of items with their topics, where they have any."""
        if "topic" not in self.rows.names:
            return None
        topic, item = (code_of(role) for role in ("topic", "item"))
        found = fetch(distinct(self.rows.frame.select(topic, item), topic, item))
        both = filled(found[topic]) * len(self.rows.names["item"]) + filled(found[item])
        return np.sort(both[(filled(found[topic]) >= 0) & (filled(found[item]) >= 0)])

    def items(self) -> tuple[Sequence[str], tuple[str, ...]]:
        """The different items, and their topics, where there are any."""
        names = self.rows.names["item"]
        if self._keys is None:
            return tuple(names) if isinstance(names, list) else names, ()
        topic, item = np.divmod(self._keys, max(1, len(names)))
        return tuple(map(names.__getitem__, item.tolist())), tuple(map(self.rows.names["topic"].__getitem__, topic.tolist()))

    def item(self, rows: CodedRows) -> Integers:
        """The number of each row's item."""
        if self._keys is None:
            return rows.code["item"]
        return np.searchsorted(self._keys, rows.code["topic"] * len(self.rows.names["item"]) + rows.code["item"])

    def each(self) -> Iterator[CodedRows]:
        """The rows, those of an annotator together."""
        if self.room is None or self.by is None:
            yield self._of(self.rows.frame)
            return
        annotator, item, seen = nw.col(self.by), nw.col(code_of("item")), 0
        for first, last in bounds(self._sizes, self.room.rows_at_once):
            own = self._kept.filter((annotator >= first) & (annotator < last))
            for low, high in self._of_items(int(self._sizes[first:last].sum())):
                rows = self._of(own if high is None else own.filter((item >= low) & (item < high)))
                seen += rows.size
                if rows.size:
                    yield rows
        if seen < self._sizes.sum():  # some have no item
            raise NotApartError

    @cached_property
    def _kept(self) -> Any:
        return self.rows.engine.kept(self.rows.frame)

    @cached_property
    def _sizes(self) -> Integers:
        """(annotators,): how many rows there are of each."""
        assert self.by is not None  # noqa: S101 - those of one are all rows
        found = fetch(self._kept.group_by(self.by).agg(nw.len().cast(nw.Int64).alias("rows")))
        place = filled(found[self.by])
        if not len(place) or (place < 0).any():
            raise NotApartError
        sizes = np.zeros(len(self.annotators), dtype=np.int64)
        sizes[place] = found["rows"]
        return sizes

    @property
    def within(self) -> tuple[Room, int] | None:
        """The room that there is for so many rows, where it is little."""
        return None if self.room is None or self.by is None else (self.room, int(self._sizes.sum()))

    def _of_items(self, rows: int) -> Iterator[tuple[int, int | None]]:
        """Items from one up to another, by their places, whose rows are fetched at once; all of them, where these are few."""
        assert self.room is not None  # noqa: S101 - where there is room enough, nothing is divided
        parts = -(-rows // self.room.rows_at_once)
        if parts < 2 or "topic" in self.rows.names:  # with topics, the order of items is not that of their names
            yield 0, None
            return
        edges = np.linspace(0, len(self.rows.names["item"]), parts + 1).astype(np.int64).tolist()
        yield from itertools.pairwise(edges)

    def _of(self, frame: Any) -> CodedRows:
        rows = self.rows.fetched(frame)
        if "annotator" in rows.code:
            return rows
        number = np.zeros(rows.size, np.int64) if self.by is None else rows.value[self.by]
        return replace(rows, names={**rows.names, "annotator": self.annotators}, code={**rows.code, "annotator": number})


class Rounds:
    """Ratings that come a few annotators at a time: of several of an item by one annotator the first is in the first round."""

    def __init__(self, annotators: int, items: int, classes: int, within: tuple[Room, int] | None) -> None:
        self.annotators, self.within = annotators, within
        self.counts: Floats = np.zeros((items, classes)) if within is None else within[0].zeros((items, classes))
        self._parts: list[tuple[Integers, Column, Column]] = []

    def cells(self, rows: CodedRows, item: Integers) -> tuple[Integers, int]:
        """A number for each row's annotator, item and repeat, and how many repeats there are for each of the first two."""
        cell = rows.code["annotator"] * len(self.counts) + item
        if "repeat" not in rows.code:
            return cell, 1
        repeat = rows.numbers("repeat")
        repeats = int(repeat.max(initial=0)) + 1
        return cell * repeats + repeat, repeats

    def add(self, cell: Integers, repeats: int, code: Integers) -> Booleans:
        """Add the rows that have a label (a code from 0 up). Where some of them are of one cell, none are added: which these
        are."""
        kept = code >= 0
        order = np.argsort(cell[kept], kind="stable")
        own = cell[kept][order]
        again = own[1:][np.diff(own) == 0]
        if len(again):
            return np.asarray(kept & np.isin(cell, again))
        pair = own // repeats
        self._put(*np.divmod(pair, len(self.counts)), code[kept][order], numbers_within(pair))
        return np.zeros(len(kept), dtype=bool)

    def _put(self, annotator: Integers, item: Integers, label: Integers, number: Integers) -> None:
        first = number == 0
        np.add.at(self.counts, (item[first], label[first]), 1.0)
        release(self.counts)
        for place in range(int(number.max(initial=0)) + 1):
            if place == len(self._parts):
                sizes = np.zeros(self.annotators, dtype=np.int64)
                self._parts.append((sizes, Column(_ITEM, self.within), Column(LABEL, self.within)))
            sizes, items, labels = self._parts[place]
            here = number == place
            sizes += np.bincount(annotator[here], minlength=self.annotators)
            items.add(item[here])
            labels.add(label[here])

    def all(self) -> tuple[Round, ...]:
        return tuple(
            Round(np.concatenate([[0], np.cumsum(sizes)]), items.whole(), labels.whole()) for sizes, items, labels in self._parts
        )
