"""Outcomes on a cluster, of which sums come here: what means and signatures need of every run and topic, whatever the number of
items. Whoever needs items asks for them later, and gets how many are alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.values import SOMETHING, in_order
from metameasure.evidence.base import Reading, ScoredUnits, positions
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, OfOutcomes, Outcomes, Scored, digests_of_sums, reading_of_means
from metameasure.evidence.swapped import ItemScores
from metameasure.evidence.weights import LARGEST_WEIGHT, PART, Digits, Weights, in_place
from metameasure.reading.cluster import with_digest
from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.sources import text_array
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.exact_sums import Moments
from metameasure.statistics.row_digests import LOW_BITS, put_together

_KEYS = ("measure", "topic")
_WITHIN = ("run", *_KEYS)
_FEW = 1000
_SMALL = 2
"""Items that are alike come as one where there are at least so many times as many items as kinds of them."""


@dataclass(frozen=True, eq=False)
class SummedOutcomes(OfOutcomes):
    """Sums of the scores of items, each of which has one output of a run at most.

    ``total`` (measures, runs, topics) is in whole numbers of 1/unit, without any rounding; ``number`` is how many items have a
    score, and ``measured`` (measures, topics) how many have an output of some run. ``lowest`` and ``highest`` are the ends of the
    scores, infinite where there is none. ``items`` (topics,) is how many items there are."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Scored, ...]
    total: Any
    unit: int
    number: Integers
    measured: Integers
    lowest: Floats
    highest: Floats
    items: Integers
    digest: Mapping[str, Any]
    rows: RowsThere
    everything: Callable[[], Outcomes]
    """Fetches all items by name."""
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def whole(self) -> Outcomes:
        return replace(self._everything, measures=self.measures, settings=self.settings, notes=self.notes)

    @cached_property
    def _everything(self) -> Outcomes:
        return self.everything()

    def single_items(self) -> Outcomes:
        return replace(self._alike, measures=self.measures, settings=self.settings, notes=self.notes)

    @cached_property
    def _alike(self) -> Outcomes:
        """Items that are alike as one; all items by name, where few are alike."""
        found = self.rows.alike(self.runs, self.topics, [one.name for one in self.measures], int(self.items.sum()))
        return self._everything.of_runs(positions(self.runs, self._everything.runs).tolist()) if found is None else found

    def of_runs(self, runs: Sequence[int]) -> Self:
        """Some of the runs."""
        names, chosen = tuple(self.runs[run] for run in runs), list(runs)
        digest = {**self.digest, "runs": {name: self.digest["runs"][name] for name in names}}
        arrays = {name: getattr(self, name)[:, chosen] for name in ("total", "number", "lowest", "highest")}
        return replace(self, runs=names, digest=digest, **arrays)

    def _numbers(self, row: int) -> Integers:
        """(runs, topics): how many items count."""
        return np.broadcast_to(self.measured[row], self.number[row].shape) if self.missing == "zero" else self.number[row]

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        if not reads.startswith("outcomes"):
            return self.single_items().reading(reads, runs)
        row = self.row(reads)
        total, number = self.total[row, list(runs)], self._numbers(row)[list(runs)]
        sums = np.array([[whole / self.unit for whole in own] for own in total.tolist()], dtype=float).reshape(number.shape)
        pooled = np.array([sum(own) / self.unit for own in total.tolist()], dtype=float)
        return reading_of_means(sums, number, pooled)

    def most(self, row: int) -> Floats:
        return np.asarray(self.highest[row].max(axis=1, initial=0.0))

    @property
    def size_of_topics(self) -> Integers:
        return self.items

    def _tells(self, reads: str) -> bool:
        """Whether sums are enough for intervals: items are no parts of clusters, and there are so many that nobody looks at how
        skewed their scores are."""
        return reads.startswith("outcomes") and not self.clustered and int(self.items.sum()) > _FEW

    def shares(self, reads: str) -> list[ItemScores] | None:
        if not self._tells(reads) or not self.are_shares(reads):
            return None
        row = self.row(reads)
        right = (self.total[row].sum(axis=1) // self.unit).astype(np.int64)
        times = np.stack([self._numbers(row).sum(axis=1) - right, right], axis=1)
        values, topic = np.array([[0.0, 1.0]]), np.zeros(2, dtype=np.int64)
        return [
            ItemScores((run,), values[:, own > 0], topic[own > 0], binary=True, times=own[own > 0])
            for run, own in zip(self.runs, times, strict=True)
        ]

    def moments(self, reads: str, topics: Sequence[int] | None) -> list[list[Moments]] | None:
        if not self._tells(reads):
            return None
        row, groups = self.row(reads), [[*range(len(self.topics))]] if topics is None else [[one] for one in topics]
        number, total, least, most = (
            np.stack([of(array[:, group], axis=1) for group in groups], axis=1)
            for of, array in (
                (np.sum, self._numbers(row)), (np.sum, self.total[row]), (np.min, self.lowest[row]), (np.max, self.highest[row])
            )
        )  # fmt: skip
        zeros = number - np.stack([self.number[row][:, group].sum(axis=1) for group in groups], axis=1)
        least, most = (np.where(zeros > 0, of(end, 0.0), end) for of, end in ((np.minimum, least), (np.maximum, most)))
        means = np.array([[whole / self.unit for whole in own] for own in total.tolist()]) / np.maximum(number, 1)
        if self.measures[row].binary:
            right = (total // self.unit).astype(np.int64)
            return [[_of_right(int(n), int(r)) for n, r in zip(*own, strict=True)] for own in zip(number, right, strict=True)]
        names = None if topics is None else [self.topics[topic] for topic in topics]
        squares = self.rows.squares(self.measures[row].name, self.runs, names, means)
        made = []
        for at, size in np.ndenumerate(number):
            own = squares[at] + int(zeros[at]) * Fraction(float(means[at] * means[at]))
            made.append(Moments.of_squares(int(size), float(means[at]), float(most[at] - least[at]), float(own)))
        return [made[first : first + len(groups)] for first in range(0, len(made), len(groups))]

    def with_missing_as(self, row: int, value: float) -> Self:
        added = Fraction(value)
        unit = math.lcm(self.unit, added.denominator)
        total, number = self.total * (unit // self.unit), self.number.copy()
        lacking = (self.measured[row] - number[row]).astype(object)
        total[row] = total[row] + lacking * (added.numerator * (unit // added.denominator))
        number[row] = self.measured[row]
        return replace(self, total=total, unit=unit, number=number)

    def are_shares(self, reads: str) -> bool:
        """As ``ItemEvidence`` has it."""
        return reads.startswith("outcomes") and self.measures[self.row(reads)].binary

    def scored(self, reads: str) -> ScoredUnits:
        row = self.row(reads)
        return ScoredUnits(self.number[row].sum(axis=1), int(self.measured[row].sum()), "items")

    @property
    def has_items(self) -> bool:
        return True

    @property
    def clustered(self) -> bool:
        return self.rows.clustered

    def lone_units(self) -> list[str]:
        if self.clustered:
            return self.single_items().lone_units()
        return [name for name, size in zip(self.topics, self.items.tolist(), strict=True) if size == 1]

    def size(self, run: int) -> str:
        return self.whole().size(run)

    def digests(self) -> dict[str, str | dict[str, str]]:
        return {**self.digest}

    def checksum(self) -> str:
        return self.whole().checksum()

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.whole().stored()


def _of_right(number: int, right: int) -> Moments:
    """Of so many scores, of which some are 1 and the others 0."""
    times = np.array([number - right, right])
    return Moments.of(np.array([0.0, 1.0])[times > 0], times[times > 0])


@dataclass(frozen=True)
class RowsThere:
    """Rows of outcomes on a cluster: run, measure, topic, item, cluster and score."""

    engine: Engine
    frame: Frame
    clustered: bool

    @property
    def each(self) -> Frame:
        """A row for each run, measure and item: how many rows there were, and the score."""
        cluster, score = nw.col("cluster"), nw.col("score")
        found = self.frame.group_by(*_WITHIN, "item").agg(
            nw.len().cast(nw.Int64).alias("outputs"), score.max(), score.count().cast(nw.Int64).alias("number"), cluster.max()
        )
        return found.with_columns((nw.col("number") * 2**LOW_BITS + nw.col("outputs")).alias("of each"))

    def sums(self, digits: Digits) -> dict[str, Any]:
        """Of each run, measure and topic: sums of the scores, and of the rows' digests."""
        scored = self.each.with_columns(
            nw.coalesce(nw.col("score"), nw.lit(0.0)).alias("value"), nw.coalesce(nw.col("topic"), nw.lit(ONE_TOPIC)).alias("of")
        )
        rows = with_digest(scored, "digest", ("of", "item", "cluster"), ("value", "of each"))
        parts = digits.columns(of="score")
        names = [one for one in rows.with_columns(*parts).collect_schema().names() if one.startswith(PART)]
        added = (nw.col(name).sum() for name in (*names, "number", "digest low", "digest high"))
        return fetch(rows.with_columns(*parts).group_by(*_WITHIN).agg(*added, nw.col("outputs").max(), *_ends(nw.col("score"))))

    def squares(self, measure: str, runs: Sequence[str], topics: Sequence[str] | None, means: Floats) -> Any:
        """(runs, topics) or (runs, 1): sums of the squares of a measure's scores around means, as fractions."""
        of = ["run"] if topics is None else ["run", "topic"]
        known = {"run": np.repeat(text_array(list(runs)), means.shape[1])}
        known |= {} if topics is None else {"topic": np.tile(text_array(list(topics)), len(runs))}
        own = nw.coalesce(nw.col("measure"), nw.lit(ONE_MEASURE)) == measure
        here = self.frame.filter(own & ~nw.col("score").is_null())
        beside = self.engine.frame({**known, "mean": np.nan_to_num(means).ravel()}, beside=here)
        away = nw.col("score") - nw.col("mean")
        rows = here.select(*of, "score").join(beside, on=of, how="inner").with_columns((away * away).alias("square"))
        some = nw.when(nw.col("square") > 0).then(nw.col("square"))
        ends = fetch(rows.select(*_ends(nw.col("square")), some.min().alias("smallest"), nw.len().cast(nw.Int64).alias("rows")))
        largest, smallest = (float(np.nan_to_num(np.ma.filled(ends[name], 0.0))[0]) for name in ("highest", "smallest"))
        digits = Digits.of(Weights(largest or 1.0, smallest or 1.0, 0), int(ends["rows"][0]))
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
        """Of each topic: how many items there are, the sums of their digests, and how many are in two clusters."""
        cluster = nw.col("cluster")
        each = self.frame.group_by("topic", "item").agg(cluster.min(), cluster.max().alias("other"))
        odd = nw.when(cluster != nw.col("other")).then(nw.lit(1)).otherwise(nw.lit(0)).alias("odd")
        of = nw.coalesce(nw.col("topic"), nw.lit(ONE_TOPIC)).alias("of")
        rows = with_digest(each.with_columns(of, odd), "digest", ("of", "item", "cluster"))
        added = (nw.col(name).sum() for name in ("digest low", "digest high", "odd"))
        return fetch(rows.group_by("topic").agg(*added, nw.len().cast(nw.Int64).alias("items")))

    def measured(self) -> dict[str, Any]:
        """Of each measure and topic, how many items have an output."""
        each = self.frame.group_by(*_KEYS, "item").agg(nw.len().alias("outputs"))
        return fetch(each.group_by(*_KEYS).agg(nw.len().cast(nw.Int64).alias("items")))

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
        topic = positions(_texts(found["topic"], ONE_TOPIC), topics)
        clusters = tuple(in_order({*_texts(found["cluster"], "")})) if self.clustered else ()
        cluster = positions(_texts(found["cluster"], ""), clusters) if self.clustered else None
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
        beside = (
            self.each.filter(nw.col("run").is_in(list(runs)))
            .select("topic", "item", "cluster", *own)
            .group_by("topic", "item")
            .agg(nw.col("cluster").max(), *(nw.col(cell).max() for cell in cells))
        )
        filled = (nw.coalesce(nw.col(cell), nw.lit(0)).alias(cell) for cell in cells if not cell.startswith("total"))
        rows = beside.with_columns(*filled).drop("item")
        return rows.group_by("topic", "cluster", *cells).agg(nw.len().cast(nw.Int64).alias("times"))


def _ends(column: nw.Expr) -> tuple[nw.Expr, nw.Expr]:
    return column.min().alias("lowest"), column.max().alias("highest")


def _texts(column: Any, otherwise: str) -> list[str]:
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
            counted(blank, "blank"), counted(known & ~finite, "wrong"), counted(known & (score != 0) & (score != 1), "graded"),
            counted(known & ((score < 0) | (score > 1)), "beyond"), counted(~nw.col("cluster").is_null(), "in clusters"),
            counted(~nw.coalesce(nw.col("cluster").str.contains(SOMETHING), nw.lit(True)), "blank clusters"),  # noqa: FBT003
            counted(~nw.col("repeat").is_null() | ~nw.col("hash").is_null(), "more"), counted(known, "known"),
            nw.when(score != 0).then(score.abs()).alias("size"), score.abs().alias("most"),
        )  # fmt: skip
        added = ("blank", "wrong", "graded", "beyond", "in clusters", "blank clusters", "more", "known")
        return cls(
            fetch(
                flags.group_by("source", *_WITHIN).agg(
                    *(nw.col(name).sum() for name in added),
                    nw.col("size").min().alias("smallest"), nw.col("most").max().alias("largest"),
                    nw.len().cast(nw.Int64).alias("rows"),
                )
            )
        )  # fmt: skip

    def total(self, name: str) -> int:
        return int(np.ma.filled(self.found[name], 0).sum())

    def texts(self, role: str) -> list[str | None]:
        """What each of its rows has."""
        column = self.found[role]
        return [None] * len(column) if column.dtype.kind != "O" else column.tolist()

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
        return [(not one and some > 0, not other and some > 0) for one, other, some in zip(graded, beyond, known, strict=True)]

    def digits(self) -> Digits:
        """In which the scores are added up."""
        largest, smallest = (np.nan_to_num(np.ma.filled(self.found[name], np.nan)) for name in ("largest", "smallest"))
        some = smallest[smallest > 0]
        ends = Weights(float(largest.max(initial=0.0)) or 1.0, float(some.min(initial=np.inf)) if len(some) else 1.0, 0)
        return Digits.of(ends, self.total("rows"))


def outcomes_there(
    engine: Engine, frame: Frame, names: Sequence[str], scored_of: Any, notes: Sequence[str], everything: Callable[[], Outcomes]
) -> SummedOutcomes | None:
    """What rows on a cluster come down to; None where something is odd about them, or runs have several outputs for an item, so
    that they have to be looked at one by one. ``scored_of`` describes the measures."""
    look = Look.at(frame)
    runs = look.runs(names) if look.is_plain else None
    if runs is None:
        return None
    rows = RowsThere(engine, _with_names(frame, look, names), look.total("in clusters") > 0)
    measures, topics = look.named("measure", ONE_MEASURE), look.named("topic", ONE_TOPIC)
    digits = look.digits()
    sums, items = rows.sums(digits), rows.items()
    if int(np.max(sums["outputs"], initial=0)) > 1 or int(np.ma.filled(items["odd"], 0).sum()):
        return None
    places = (
        positions(_texts(sums["measure"], ONE_MEASURE), measures),
        positions(_texts(sums["run"], ""), runs),
        positions(_texts(sums["topic"], ONE_TOPIC), topics),
    )
    shape = (len(measures), len(runs), len(topics))
    total, number = np.zeros(shape, dtype=object), np.zeros(shape, dtype=np.int64)
    total[places] = sum(
        (in_place(name, np.ma.filled(sums[name], 0)) for name in sums if name.startswith(PART)),
        np.zeros(len(sums["number"]), dtype=object),
    )
    number[places] = np.ma.filled(sums["number"], 0)
    lowest, highest = np.full(shape, np.inf), np.full(shape, -np.inf)
    for name, ends in (("lowest", lowest), ("highest", highest)):
        known = np.ma.filled(sums[name].astype(float), np.nan)
        ends[places] = np.where(np.isnan(known), ends[places], known)
    digests = np.zeros(shape[:2], dtype=object)
    for measure, run, low, high in zip(
        *places[:2], *(np.ma.filled(sums[f"digest {end}"], 0).tolist() for end in ("low", "high")), strict=True
    ):
        digests[measure, run] = (digests[measure, run] + put_together(int(low), int(high))) % 2**64
    by_name = sorted(range(len(measures)), key=measures.__getitem__)
    of_runs = {run: np.array(digests[by_name, place].tolist(), dtype=np.uint64) for place, run in enumerate(runs)}
    of_items = put_together(*(int(np.ma.filled(items[f"digest {end}"], 0).sum()) for end in ("low", "high")))
    sizes = np.zeros(len(topics), dtype=np.int64)
    sizes[positions(_texts(items["topic"], ONE_TOPIC), topics)] = items["items"]
    measured = sizes[None]
    if len(measures) > 1:
        of_measures, measured = rows.measured(), np.zeros((len(measures), len(topics)), dtype=np.int64)
        at = (
            positions(_texts(of_measures["measure"], ONE_MEASURE), measures),
            positions(_texts(of_measures["topic"], ONE_TOPIC), topics),
        )
        measured[at] = of_measures["items"]
    digest = digests_of_sums(int(sizes.sum()), of_items, of_runs)
    return SummedOutcomes(
        runs, topics, scored_of(measures, look.kinds(measures)), total, digits.unit, number, measured, lowest, highest, sizes,
        digest, rows, everything, notes=tuple(notes),
    )  # fmt: skip


def _with_names(frame: Frame, look: Look, names: Sequence[str]) -> Frame:
    """With the names of runs that rows do not say, because their source is called so."""
    pairs = {*zip(look.texts("run"), np.asarray(look.found["source"]).tolist(), strict=True)}
    untold = sorted(place for told, place in pairs if told is None)
    of_sources = (nw.when(nw.col("source") == place).then(nw.lit(names[place])) for place in untold)
    run = nw.coalesce(nw.col("run"), *of_sources) if untold else nw.col("run")
    return frame.with_columns(run.alias("run")).select(*_WITHIN, "item", "cluster", "score")
