"""Rows of outcomes that stay on a cluster: what it is asked about them, and where their items are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.values import SOMETHING, in_order
from metameasure.evidence.base import positions
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, Outcomes, Scored
from metameasure.evidence.weights import LARGEST_WEIGHT, PART, Digits, Weights, in_place
from metameasure.reading.cluster import with_digest
from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.engine import rows as rows_of
from metameasure.reading.sources import text_array
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.row_digests import LOW_BITS

_KEYS = ("measure", "topic")
_WITHIN = ("run", *_KEYS)
_FEW, _SEVERAL = 1000, 4
"""Of so many items at most it is looked which of their rows are wrong, and at so many rows of each."""
_SENT = 10_000
"""So many means are sent to a cluster at once."""
_SMALL = 2
"""Items that are alike come as one where there are at least so many times as many items as kinds of them."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where items are: the topic and the cluster of each place (places,), how many items are there, and of how many of them some
    run has an output by a measure (measures, places)."""

    topics: tuple[str, ...]
    topic: Integers
    clusters: tuple[str, ...]
    cluster: Integers | None
    items: Integers
    measured: Integers

    @classmethod
    def of(
        cls, topics: tuple[str, ...], measures: Sequence[str], items: Mapping[str, Any], of_measures: Mapping[str, Any]
    ) -> Places:
        """From how many items are in each topic and cluster, of each measure too."""
        topic = positions(texts_or(items["topic"], ONE_TOPIC), topics)
        known = texts_or(items["cluster"], "")
        clusters = tuple(in_order({*known})) if any(known) else ()
        cluster = positions(known, clusters) if clusters else None
        order = np.argsort(topic, kind="stable") if cluster is None else np.lexsort((cluster, topic))
        made = cls(
            topics, topic[order], clusters, None if cluster is None else cluster[order], np.asarray(items["items"])[order],
            np.zeros((len(measures), len(order)), np.int64),
        )  # fmt: skip
        at = positions(texts_or(of_measures["measure"], ONE_MEASURE), measures), made.of_rows(of_measures)
        made.measured[at] = of_measures["items"]
        return made

    def of_rows(self, found: Mapping[str, Any]) -> Integers:
        """(rows,): the place of each row, by its topic and cluster."""
        key, width = self.topic, max(1, len(self.clusters))
        rows = positions(texts_or(found["topic"], ONE_TOPIC), self.topics)
        if self.cluster is not None:
            key, rows = key * width + self.cluster, rows * width + positions(texts_or(found["cluster"], ""), self.clusters)
        return np.searchsorted(key, rows)

    def by_topic(self, number: Integers) -> Integers:
        """(topics,): sums of what places have (places,)."""
        return np.bincount(self.topic, number, minlength=len(self.topics)).astype(np.int64)


@dataclass(frozen=True)
class RowsThere:
    """Rows of outcomes on a cluster: run, measure, topic, item, repeat, cluster and score. Where items are
    ``repeated``, scores are 0 and 1, so that their sums are exact. ``absent`` are columns with nothing in them.

    An item's cluster is part of what it is grouped by, because it has only one."""

    engine: Engine
    frame: Frame
    absent: frozenset[str]
    repeated: bool

    @property
    def clustered(self) -> bool:
        return "cluster" not in self.absent

    def _grouped(self, rows: Frame, by: Sequence[str], *added: nw.Expr) -> Frame:
        """Rows added up by some columns. They are not grouped by those with nothing in them: to group very many rows by a
        constant beside others takes Sail a time that grows with the square of their number."""
        there = [name for name in by if name not in self.absent]
        found = rows.group_by(*there).agg(*added) if there else rows.select(*added)
        nothing = [nw.lit(None, nw.String).alias(name) for name in by if name in self.absent]
        return found.with_columns(*nothing) if nothing else found

    @property
    def each(self) -> Frame:
        """A row for each run, measure and item: how many rows there were, and the sum of their scores."""
        score = nw.col("score")
        found = self._grouped(
            self.frame,
            (*_WITHIN, "item", "cluster"),
            nw.len().cast(nw.Int64).alias("outputs"),
            score.sum() if self.repeated else score.max(),
            score.count().cast(nw.Int64).alias("number"),
        )
        return found.with_columns((nw.col("number") * 2**LOW_BITS + nw.col("outputs")).alias("of each"))

    def twice(self) -> tuple[Frame, int] | None:
        """Rows of which a run has two for an item, of one number where its outputs are numbered, and how many items have such
        rows; None where none has."""
        by = (*_WITHIN, "item", *(["repeat"] if self.repeated else []))
        return self._several(self._grouped(self.frame, by, nw.len().cast(nw.Int64).alias("times")), by)

    def _several(self, each: Frame, by: Sequence[str]) -> tuple[Frame, int] | None:
        """The rows of what is there several ``times``, of the first few in their order, and how much that is; None where
        everything is there once."""
        number = rows_of(each.filter(nw.col("times") > 1))
        if not number:
            return None
        there = [name for name in by if name not in self.absent]
        known = {name: nw.coalesce(nw.col(name), nw.lit("")) for name in there}
        chosen = each.filter(nw.col("times") > 1).select(**known).sort(*there).head(_FEW)
        return self.frame.with_columns(**known).join(chosen, on=there, how="inner").sort(*there).head(_FEW * _SEVERAL), number

    def kinds(self) -> dict[str, Any]:
        """Of each run, measure, topic and cluster: how many items are alike, and the sums of their rows' digests."""
        by = (*_WITHIN, "cluster", "value", "number", "outputs")
        added = (nw.col(f"digest {end}").sum() for end in ("low", "high"))
        return fetch(self._grouped(self._digested, by, nw.len().cast(nw.Int64).alias("times"), *added))

    def of_clusters(self, measure: str, runs: Sequence[str], places: Places) -> tuple[Any, Integers]:
        """(runs, places): sums of a measure's scores as fractions, and how many items have one."""
        own = nw.coalesce(nw.col("measure"), nw.lit(ONE_MEASURE)) == measure
        here = self.frame.filter(own & ~nw.col("score").is_null())
        digits = _digits_of(here, "score")
        parts = here.with_columns(*digits.columns(of="score"))
        names = [name for name in parts.collect_schema().names() if name.startswith(PART)]
        added = (nw.col(name).sum() for name in names)
        number_of_rows = nw.len().cast(nw.Int64).alias("items")
        found = fetch(self._grouped(parts, ("run", "topic", "cluster"), *added, number_of_rows))
        sums, number = (
            np.full((len(runs), len(places.items)), Fraction(0), dtype=object),
            np.zeros((len(runs), len(places.items))),
        )
        of = positions([run for run in texts_or(found["run"], "") if run in runs], runs)
        kept = np.array([run in runs for run in texts_or(found["run"], "")], dtype=bool)
        at = of, places.of_rows(found)[kept]
        whole = sum((in_place(name, np.ma.filled(found[name], 0)) for name in names), np.zeros(len(kept), dtype=object))
        sums[at] = [Fraction(int(one), digits.unit) for one in whole[kept]]
        number[at] = np.asarray(found["items"])[kept]
        return sums, number.astype(np.int64)

    @property
    def _digested(self) -> Frame:
        """What there is of each run, measure and item, with its digest."""
        scored = self.each.with_columns(
            nw.coalesce(nw.col("score"), nw.lit(0.0)).alias("value"), nw.coalesce(nw.col("topic"), nw.lit(ONE_TOPIC)).alias("of")
        )
        return with_digest(scored, "digest", ("of", "item", "cluster"), ("value", "of each"))

    def sums(self, digits: Digits) -> dict[str, Any]:
        """Of each run, measure and topic: sums of the scores, and of the rows' digests."""
        rows = self._digested.with_columns(*digits.columns(of="score"))
        names = [one for one in rows.collect_schema().names() if one.startswith(PART)]
        added = (nw.col(name).sum() for name in (*names, "number", "digest low", "digest high"))
        return fetch(self._grouped(rows, _WITHIN, *added, nw.col("outputs").max(), *_ends(nw.col("score"))))

    def squares(self, measure: str, runs: Sequence[str], topics: Sequence[str] | None, means: Floats) -> Any:
        """(runs, topics) or (runs, 1): sums of the squares of a measure's scores around means, as fractions. The means are sent
        there, of some topics at a time."""
        if topics is not None and (few := max(1, _SENT // max(1, len(runs)))) < len(topics):
            firsts = range(0, len(topics), few)
            parts = (slice(first, first + few) for first in firsts)
            return np.concatenate([self.squares(measure, runs, topics[part], means[:, part]) for part in parts], axis=1)
        of = ["run"] if topics is None else ["run", "topic"]
        known = {"run": np.repeat(text_array(list(runs)), means.shape[1])}
        known |= {} if topics is None else {"topic": np.tile(text_array(list(topics)), len(runs))}
        own = nw.coalesce(nw.col("measure"), nw.lit(ONE_MEASURE)) == measure
        here = self.frame.filter(own & ~nw.col("score").is_null())
        beside = self.engine.frame({**known, "mean": np.nan_to_num(means).ravel()}, beside=here)
        away = nw.col("score") - nw.col("mean")
        rows = here.select(*of, "score").join(beside, on=of, how="inner").with_columns((away * away).alias("square"))
        digits = _digits_of(rows, "square")
        parts = rows.with_columns(*digits.columns(of="square"))
        names = [name for name in parts.collect_schema().names() if name.startswith(PART)]
        found = fetch(parts.group_by(*of).agg(*(nw.col(name).sum() for name in names)))
        sums = np.full(means.shape, Fraction(0), dtype=object)
        at = (
            positions(found["run"].tolist(), runs),
            np.zeros(len(found["run"]), np.int64) if topics is None else positions(found["topic"].tolist(), topics),
        )
        whole = sum((in_place(name, np.ma.filled(found[name], 0)) for name in names), np.zeros(len(at[0]), dtype=object))
        sums[at] = [Fraction(int(one), digits.unit) for one in whole]
        return sums

    def items(self) -> dict[str, Any]:
        """Of each topic and cluster: how many items there are, and the sums of their digests."""
        of = nw.coalesce(nw.col("topic"), nw.lit(ONE_TOPIC)).alias("of")
        rows = with_digest(self._items.with_columns(of), "digest", ("of", "item", "cluster"))
        added = (nw.col(name).sum() for name in ("digest low", "digest high"))
        return fetch(self._grouped(rows, ("topic", "cluster"), *added, nw.len().cast(nw.Int64).alias("items")))

    @property
    def _items(self) -> Frame:
        return self._grouped(self.frame, ("topic", "item", "cluster"), nw.len().alias("times")).drop("times")

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Of each run, how many items have a score, and how many outputs one has at most."""
        of_items = (nw.col(name).max() for name in ("number", "outputs"))
        each = self._grouped(self.each, ("run", "topic", "item", "cluster"), *of_items)
        scored = nw.when(nw.col("number") > 0).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias("scored")
        found = fetch(each.with_columns(scored).group_by("run").agg(nw.col("scored").sum(), nw.col("outputs").max()))
        pairs = zip(*(np.asarray(found[name]).tolist() for name in ("scored", "outputs")), strict=True)
        return dict(zip(found["run"].tolist(), pairs, strict=True))

    def in_two_clusters(self) -> tuple[Frame, int] | None:
        """Rows of items that are in two clusters, of which one is named; None where there are none."""
        if not self.clustered:
            return None
        by = ("topic", "item")
        found = self._several(self._grouped(self._items, by, nw.len().cast(nw.Int64).alias("times")), by)
        return None if found is None else (found[0], 1)

    def measured(self) -> dict[str, Any]:
        """Of each measure, topic and cluster, how many items have an output."""
        each = self._grouped(self.frame, (*_KEYS, "item", "cluster"), nw.len().alias("times"))
        return fetch(self._grouped(each, (*_KEYS, "cluster"), nw.len().cast(nw.Int64).alias("items")))

    def alike(self, runs: Sequence[str], topics: Sequence[str], measures: Sequence[str], items: int) -> Outcomes | None:
        """Items of the same topic and cluster on which the runs did the same, as one with their number; None where there are
        about as many kinds as items."""
        kinds = self._kinds(runs, measures)
        if _SMALL * int(fetch(kinds.select(nw.len().alias("kinds")))["kinds"][0]) > items:
            return None
        found, shape = fetch(kinds, masks=True), (len(measures), len(runs), -1)
        cells = [f"{place} {run}" for place in range(len(measures)) for run in range(len(runs))]
        total, number, outputs = (
            np.stack([np.ma.filled(found[f"{what} {cell}"], 0) for cell in cells]).reshape(shape)
            for what in ("total", "number", "outputs")
        )
        topic = positions(texts_or(found["topic"], ONE_TOPIC), topics)
        clusters = tuple(in_order({*texts_or(found["cluster"], "")})) if self.clustered else ()
        cluster = positions(texts_or(found["cluster"], ""), clusters) if self.clustered else None
        order = np.lexsort((*total.reshape(len(cells), -1)[::-1], *([] if cluster is None else [cluster]), topic))
        made = Outcomes(
            tuple(runs), tuple(topics), tuple(Scored(name) for name in measures), ("",) * len(order), topic[order],
            total[..., order].astype(float), number[..., order].astype(np.int64), outputs[..., order].astype(np.int64), clusters,
            None if cluster is None else cluster[order], times=np.asarray(found["times"], dtype=np.int64)[order],
        )  # fmt: skip
        return made.one_by_one() if self.clustered else made

    def _kinds(self, runs: Sequence[str], measures: Sequence[str]) -> Frame:
        cells, own = [], []
        for place, measure in enumerate(measures):
            for number, run in enumerate(runs):
                here = (nw.col("run") == run) & (nw.coalesce(nw.col("measure"), nw.lit(ONE_MEASURE)) == measure)
                for what, of in (("total", "score"), ("number", "number"), ("outputs", "outputs")):
                    cells.append(f"{what} {place} {number}")
                    own.append(nw.when(here).then(nw.col(of)).alias(cells[-1]))
        rows = self.each.filter(nw.col("run").is_in(list(runs))).select("topic", "item", "cluster", *own)
        beside = self._grouped(rows, ("topic", "item", "cluster"), *(nw.col(cell).max() for cell in cells))
        filled = (nw.coalesce(nw.col(cell), nw.lit(0)).alias(cell) for cell in cells if not cell.startswith("total"))
        rows = beside.with_columns(*filled).drop("item")
        return self._grouped(rows, ("topic", "cluster", *cells), nw.len().cast(nw.Int64).alias("times"))


def _digits_of(rows: Frame, name: str) -> Digits:
    """In which the numbers in a column are added up."""
    size = nw.col(name).abs()
    some = nw.when(size > 0).then(size)
    ends = fetch(rows.select(size.max().alias("highest"), some.min().alias("smallest"), nw.len().cast(nw.Int64).alias("rows")))
    largest, smallest = (float(np.nan_to_num(np.ma.filled(ends[name], 0.0))[0]) for name in ("highest", "smallest"))
    return Digits.of(Weights(largest or 1.0, smallest or 1.0, 0), int(ends["rows"][0]))


def _ends(column: nw.Expr) -> tuple[nw.Expr, nw.Expr]:
    return column.min().alias("lowest"), column.max().alias("highest")


def texts_or(column: Any, otherwise: str) -> list[str]:
    texts = [otherwise] * len(column) if column.dtype.kind != "O" else column.tolist()
    return [otherwise if text is None else str(text) for text in texts]


@dataclass(frozen=True)
class Look:
    """A first look at rows on a cluster: of each source, run, measure and topic, what is there and what is odd."""

    found: Mapping[str, Any]

    @classmethod
    def at(cls, frame: Frame) -> Look:
        """Of a frame with ``source``, texts and ``score``."""
        score = nw.col("score")
        finite = ~score.is_nan() & (score.abs() <= LARGEST_WEIGHT)
        blank = nw.coalesce(~nw.col("item").str.contains(SOMETHING), nw.lit(True))  # noqa: FBT003

        def counted(which: nw.Expr, name: str) -> nw.Expr:
            return nw.when(which).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias(name)

        known = ~score.is_null()
        flags = frame.select(
            "source", *_WITHIN, "score",
            counted(blank, "blank"), counted(known & ~finite, "wrong"), counted(known & ~(score.abs() < np.inf), "no number"),
            counted(known & (score != 0) & (score != 1), "graded"),
            counted(known & ((score < 0) | (score > 1)), "beyond"), counted(~nw.col("cluster").is_null(), "in clusters"),
            counted(~nw.coalesce(nw.col("cluster").str.contains(SOMETHING), nw.lit(True)), "blank clusters"),  # noqa: FBT003
            counted(~nw.col("hash").is_null(), "more"), counted(~nw.col("repeat").is_null(), "repeats"), counted(known, "known"),
            nw.when(score != 0).then(score.abs()).alias("size"), score.abs().alias("most"),
        )  # fmt: skip
        added = ("blank", "wrong", "no number", "graded", "beyond", "in clusters", "blank clusters", "more", "repeats", "known")
        return cls(
            fetch(
                flags.group_by("source", *_WITHIN).agg(
                    *(nw.col(name).sum() for name in added),
                    nw.col("size").min().alias("smallest"), nw.col("most").max().alias("largest"),
                    nw.len().cast(nw.Int64).alias("rows"),
                )
            )
        )  # fmt: skip

    def total(self, name: str, source: int | None = None) -> int:
        """How many rows there are of that kind, of one source or of all."""
        numbers = np.ma.filled(self.found[name], 0)
        return int(numbers.sum() if source is None else numbers[np.asarray(self.found["source"]) == source].sum())

    def lacking(self, role: str, source: int) -> int:
        """How many rows of a source have nothing in a column, or white space."""
        if role == "item":
            return self.total("blank", source)
        if role == "cluster":
            return self.total("rows", source) - self.total("in clusters", source) + self.total("blank clusters", source)
        nothing = np.array([text is None or not text.strip() for text in self.texts(role)], dtype=bool)
        return int(np.ma.filled(self.found["rows"], 0)[nothing & (np.asarray(self.found["source"]) == source)].sum())

    def texts(self, role: str) -> list[str | None]:
        """What each of its rows has."""
        column = self.found[role]
        return [None] * len(column) if column.dtype.kind != "O" else column.tolist()

    @property
    def absent(self) -> frozenset[str]:
        """The columns with nothing in them."""
        empty = {role for role in _KEYS if {*self.texts(role)} == {None}}
        return frozenset(empty if self.total("in clusters") else {*empty, "cluster"})

    @property
    def is_plain(self) -> bool:
        """Whether nothing is odd: every row has all that others have, and is known by its item alone."""
        rows = self.total("rows")
        if not rows or any(self.total(name) for name in ("blank", "wrong", "blank clusters", "more")):
            return False
        if self.total("in clusters") not in (0, rows):
            return False
        named = (self.texts(role) for role in _KEYS)
        own = ({*texts} for texts in named)
        return all(len(texts) == 1 or None not in texts for texts in own) and not any(
            text is not None and not text.strip() for role in _WITHIN for text in self.texts(role)
        )

    def are_full(self, cells: int) -> bool:
        """Whether every run has outputs by every measure, of which there are so many cells."""
        named = (
            (place if run is None else run, measure)
            for run, place, measure in zip(self.texts("run"), self.found["source"].tolist(), self.texts("measure"), strict=True)
        )
        return len({*named}) == cells

    def named(self, role: str, otherwise: str) -> tuple[str, ...]:
        """The names in a column, in their order."""
        return tuple(in_order({otherwise if text is None else text for text in self.texts(role)}))

    def runs(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """The runs, as the rows say or else as their source is called; None where two have one name."""
        pairs = {*zip(self.texts("run"), np.asarray(self.found["source"]).tolist(), strict=True)}
        told = in_order({run for run, _ in pairs if run is not None})
        untold = [names[place] for place in sorted(place for run, place in pairs if run is None)]
        return (*told, *untold) if len({*told, *untold}) == len(told) + len(untold) else None

    def kinds(self, measures: Sequence[str]) -> list[tuple[bool, bool]]:
        """Of each measure, whether its scores are 0 or 1, and whether they lie between."""
        own = np.array([measures.index(ONE_MEASURE if one is None else one) for one in self.texts("measure")])
        graded, beyond, known = (
            np.bincount(own, np.ma.filled(self.found[name], 0), minlength=len(measures)) for name in ("graded", "beyond", "known")
        )
        each = zip(graded.tolist(), beyond.tolist(), known.tolist(), strict=True)
        return [(not one and some > 0, not other and some > 0) for one, other, some in each]

    def digits(self) -> Digits:
        """In which the scores are added up."""
        largest, smallest = (np.nan_to_num(np.ma.filled(self.found[name], np.nan)) for name in ("largest", "smallest"))
        some = smallest[smallest > 0]
        ends = Weights(float(largest.max(initial=0.0)) or 1.0, float(some.min(initial=np.inf)) if len(some) else 1.0, 0)
        return Digits.of(ends, self.total("rows"))


def with_names(frame: Frame, look: Look, names: Sequence[str]) -> Frame:
    """With the names of runs that rows do not say, because their source is called so."""
    pairs = {*zip(look.texts("run"), np.asarray(look.found["source"]).tolist(), strict=True)}
    untold = sorted(place for told, place in pairs if told is None)
    of_sources = (nw.when(nw.col("source") == place).then(nw.lit(names[place])) for place in untold)
    run = nw.coalesce(nw.col("run"), *of_sources) if untold else nw.col("run")
    return frame.with_columns(run.alias("run")).select("source", *_WITHIN, "item", "repeat", "cluster", "score")
