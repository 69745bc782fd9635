"""Outcomes on a cluster, of which sums come here: what means and signatures need of every run and topic, whatever the number of
items. Outputs that pass or fail come as how many items of a run are alike. Whoever needs items asks for them later."""

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
from metameasure.evidence.base import Part, Reading, ScoredUnits, lone_units, positions
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, OfOutcomes, Outcomes, Scored, digests_of_sums, reading_of_means
from metameasure.evidence.weights import LARGEST_WEIGHT, PART, Digits, Weights, in_place
from metameasure.reading.cluster import with_digest
from metameasure.reading.engine import Engine, Frame, fetch
from metameasure.reading.sources import text_array
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.exact_sums import Moments
from metameasure.statistics.row_digests import LOW_BITS, put_together
from metameasure.statistics.sums import UnitSums

_KEYS = ("measure", "topic")
_WITHIN = ("run", *_KEYS)
_FEW = 1000
_SMALL = 2
"""Items that are alike come as one where there are at least so many times as many items as kinds of them."""


@dataclass(frozen=True, eq=False)
class _OnCluster(OfOutcomes):
    """What is known of outcomes whose items stay on a cluster."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Scored, ...]
    places: Places
    digest: Mapping[str, Any]
    rows: RowsThere
    everything: Callable[[], Outcomes]
    """Fetches all items by name."""
    settings: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)

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
        size = int(self.places.items.sum())
        found = self.rows.alike(self.runs, self.topics, [one.name for one in self.measures], size)
        return self._everything.of_runs(positions(self.runs, self._everything.runs).tolist()) if found is None else found

    def _named(self, runs: Sequence[int]) -> dict[str, Any]:
        """What some of the runs are called, and their digests."""
        names = tuple(self.runs[run] for run in runs)
        return {"runs": names, "digest": {**self.digest, "runs": {name: self.digest["runs"][name] for name in names}}}

    @property
    def size_of_topics(self) -> Integers:
        return self.places.by_topic(self.places.items)

    @property
    def size_of_clusters(self) -> Integers | None:
        places = self.places
        if places.cluster is None:
            return None
        return np.bincount(places.cluster, places.items, minlength=len(places.clusters)).astype(np.int64)

    @property
    def has_items(self) -> bool:
        return True

    @property
    def clustered(self) -> bool:
        return self.places.cluster is not None

    def lone_units(self) -> list[str]:
        return lone_units(self.topics, self.places.topic, self.places.cluster, self.places.items)

    def size(self, run: int) -> str:
        return self.whole().size(run)

    def digests(self) -> dict[str, str | dict[str, str]]:
        return {**self.digest}

    def checksum(self) -> str:
        return self.whole().checksum()

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.whole().stored()


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
        topic = positions(_texts(items["topic"], ONE_TOPIC), topics)
        known = _texts(items["cluster"], "")
        clusters = tuple(in_order({*known})) if any(known) else ()
        cluster = positions(known, clusters) if clusters else None
        order = np.argsort(topic, kind="stable") if cluster is None else np.lexsort((cluster, topic))
        made = cls(
            topics, topic[order], clusters, None if cluster is None else cluster[order], np.asarray(items["items"])[order],
            np.zeros((len(measures), len(order)), np.int64),
        )  # fmt: skip
        at = positions(_texts(of_measures["measure"], ONE_MEASURE), measures), made.of_rows(of_measures)
        made.measured[at] = of_measures["items"]
        return made

    def of_rows(self, found: Mapping[str, Any]) -> Integers:
        """(rows,): the place of each row, by its topic and cluster."""
        key, width = self.topic, max(1, len(self.clusters))
        rows = positions(_texts(found["topic"], ONE_TOPIC), self.topics)
        if self.cluster is not None:
            key, rows = key * width + self.cluster, rows * width + positions(_texts(found["cluster"], ""), self.clusters)
        return np.searchsorted(key, rows)

    def by_topic(self, number: Integers) -> Integers:
        """(topics,): sums of what places have (places,)."""
        return np.bincount(self.topic, number, minlength=len(self.topics)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CountedOutcomes(_OnCluster):
    """Outputs that pass or fail: how many items of a run are alike in how many outputs there are, have a score, and passed.

    ``kinds`` are columns of a table with a row for each run, measure, place and kind of item: ``run``, ``measure`` and ``place``
    are numbers, ``times`` is how many items there are, and ``total``, ``number`` and ``outputs`` are as ``Outcomes`` has them."""

    kinds: Mapping[str, Any]

    def of_runs(self, runs: Sequence[int]) -> Self:
        """Some of the runs."""
        place = np.full(len(self.runs), -1)
        place[list(runs)] = np.arange(len(runs))
        kept = place[self.kinds["run"]] >= 0
        kinds = {name: array[kept] for name, array in self.kinds.items()}
        return replace(self, **self._named(runs), kinds={**kinds, "run": place[kinds["run"]]})

    def _alone(self, row: int, run: int) -> Outcomes:
        """A measure and a run by themselves, as how many items are alike; of all items, those that the run lacks too."""
        kinds, places = self.kinds, self.places
        own = (kinds["measure"] == row) & (kinds["run"] == run)
        there = np.bincount(kinds["place"][own], kinds["times"][own], minlength=len(places.items)).astype(np.int64)
        lacking, never = places.measured[row] - there, places.items - places.measured[row]
        nothing, every = np.zeros(len(there), np.int64), np.arange(len(there))
        place, times, total, number, outputs, measured = (
            np.concatenate([*ends, one])
            for one, ends in (
                (kinds["place"][own], (every, every)), (kinds["times"][own], (never, lacking)),
                *((kinds[name][own], (nothing, nothing)) for name in ("total", "number", "outputs")),
                (np.ones(int(own.sum()), np.int64), (nothing, nothing + 1)),
            )
        )  # fmt: skip
        order = np.lexsort((total, number, measured, outputs, places.topic[place]))
        order = order[times[order] > 0]
        if self.missing == "zero":  # an item that a run lacks has as many failures as others have outputs
            outputs = np.where((outputs == 0) & (measured > 0), outputs.max(initial=1), outputs)
        of = places.topic[place][order]
        arrays = [array[order][None, None] for array in (total.astype(float), number, outputs)]
        return Outcomes(
            (self.runs[run],), self.topics, (self.measures[row],), ("",) * len(order), of, *arrays, places.clusters,
            None if places.cluster is None else places.cluster[place][order], settings=self.settings, times=times[order],
        )  # fmt: skip

    def _each(self, reads: str, runs: Sequence[int]) -> list[Outcomes]:
        row = self.row(reads)
        return [self._alone(row, run) for run in runs]

    def each_alone(self, reads: str) -> list[Outcomes]:
        return self._each(reads, range(len(self.runs)))

    def sums_of_scores(self, reads: str, topics: Sequence[int] | None, *, of_each: bool) -> None:
        return None

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        each = [one.reading(reads, [0]) for one in self._each(reads, runs)]
        parts = (
            Part(
                part.topics,
                tuple(np.concatenate(arrays) for arrays in zip(*(one.parts[place].arrays for one in each), strict=True)),
            )
            for place, part in enumerate(each[0].parts)
        )
        pooled = (np.concatenate(arrays) for arrays in zip(*(one.pooled for one in each), strict=True))
        return Reading(tuple(parts), tuple(pooled), np.concatenate([one.items for one in each]), each[0].of_one)

    def most(self, row: int) -> Floats:
        return np.concatenate([self._alone(row, run).most(0) for run in range(len(self.runs))])

    def are_shares(self, reads: str) -> bool:
        own = self.kinds["outputs"][self.kinds["measure"] == self.row(reads)]
        return reads.startswith("outcomes") and int(own.max(initial=0)) <= 1

    def scored(self, reads: str) -> ScoredUnits:
        row, kinds = self.row(reads), self.kinds
        some = (kinds["measure"] == row) & (kinds["number"] > 0)
        number = np.bincount(kinds["run"][some], kinds["times"][some], minlength=len(self.runs)).astype(np.int64)
        return ScoredUnits(number, int(self.places.measured[row].sum()), "items")

    def with_missing_as(self, row: int, value: float) -> Self:
        kinds, places = self.kinds, self.places
        own = kinds["measure"] == row
        there = np.zeros((len(self.runs), len(places.items)), np.int64)
        np.add.at(there, (kinds["run"][own], kinds["place"][own]), kinds["times"][own])
        run, place = np.nonzero(places.measured[row] > there)
        some, none = np.ones(len(run), np.int64), np.zeros(len(run), np.int64)
        added = {"measure": some * row, "run": run, "place": place, "times": (places.measured[row] - there)[run, place],
                 "total": none, "number": none, "outputs": some}  # fmt: skip
        every = {name: np.concatenate([array, added[name]]) for name, array in kinds.items()}
        here = every["measure"] == row
        every["total"] = every["total"] + np.where(here, (every["outputs"] - every["number"]) * value, 0)
        every["number"] = np.where(here, every["outputs"], every["number"])
        return replace(self, kinds=every)


@dataclass(frozen=True, eq=False)
class SummedOutcomes(_OnCluster):
    """Sums of the scores of items, each of which has one output of a run at most.

    ``total`` (measures, runs, topics) is in whole numbers of 1/unit, without any rounding; ``number`` is how many items have a
    score. ``lowest`` and ``highest`` are the ends of the scores, infinite where there is none."""

    total: Any
    unit: int
    number: Integers
    lowest: Floats
    highest: Floats

    @cached_property
    def measured(self) -> Integers:
        """(measures, topics): how many items have an output of some run."""
        return np.stack([self.places.by_topic(own) for own in self.places.measured])

    def of_runs(self, runs: Sequence[int]) -> Self:
        """Some of the runs."""
        arrays = {name: getattr(self, name)[:, list(runs)] for name in ("total", "number", "lowest", "highest")}
        return replace(self, **self._named(runs), **arrays)

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

    def each_alone(self, reads: str) -> list[Outcomes] | None:
        """Of a measure whose scores are 0 and 1, beside others."""
        if not self.are_shares(reads) or self.clustered:
            return None
        row, topic = self.row(reads), np.repeat(np.arange(len(self.topics)), 2)
        right = (self.total[row] // self.unit).astype(np.int64)
        times = np.stack([self._numbers(row) - right, right], axis=-1).reshape(len(self.runs), -1)
        scores = np.tile([0.0, 1.0], len(self.topics))
        return [self._of_kinds(row, run, topic, scores, own) for run, own in enumerate(times)]

    def _of_kinds(self, row: int, run: int, topic: Integers, scores: Floats, times: Integers) -> Outcomes:
        there = times > 0
        ones = np.ones((1, 1, int(there.sum())), dtype=np.int64)
        return Outcomes(
            (self.runs[run],), self.topics, (self.measures[row],), ("",) * ones.size, topic[there], scores[there][None, None],
            ones, ones, times=times[there],
        )  # fmt: skip

    def sums_of_scores(
        self, reads: str, topics: Sequence[int] | None, *, of_each: bool
    ) -> Sequence[Sequence[Moments | UnitSums]] | None:
        """None where there are so few items that somebody looks at how skewed their scores are, too."""
        if not reads.startswith("outcomes") or int(self.places.items.sum()) <= _FEW:
            return None
        if self.clustered:
            return self._of_clusters(self.row(reads), topics)
        return None if of_each else self._moments(self.row(reads), topics)

    def _of_clusters(self, row: int, topics: Sequence[int] | None) -> list[list[UnitSums]]:
        """What clusters add to the sum of the scores and to the number of items."""
        places, width = self.places, len(self.places.clusters)
        total, number = self.rows.of_clusters(self.measures[row].name, self.runs, places)
        if self.missing == "zero":
            number = np.broadcast_to(places.measured[row], number.shape)
        groups = [slice(None)] if topics is None else [places.topic == topic for topic in topics]
        made = []
        for sums, sizes in zip(total, number, strict=True):
            made.append([])
            for group in groups:
                cluster, items = places.cluster[group], sizes[group]  # type: ignore[index]
                adds, counted = np.zeros(width, dtype=object), np.bincount(cluster, items, minlength=width)
                np.add.at(adds, cluster, sums[group])
                there = counted > 0
                columns = np.column_stack([np.array([float(one) for one in adds[there]]), counted[there]])
                made[-1].append(UnitSums(columns, np.ones(len(columns), dtype=np.int64)))
        return made

    def _moments(self, row: int, topics: Sequence[int] | None) -> list[list[Moments]]:
        groups = [[*range(len(self.topics))]] if topics is None else [[one] for one in topics]
        number, total, least, most = (
            np.stack([of(array[:, group], axis=1) for group in groups], axis=1)
            for of, array in (
                (np.sum, self._numbers(row)), (np.sum, self.total[row]), (np.min, self.lowest[row]), (np.max, self.highest[row])
            )
        )  # fmt: skip
        zeros = number - np.stack([self.number[row][:, group].sum(axis=1) for group in groups], axis=1)
        least, most = (np.where(zeros > 0, of(end, 0.0), end) for of, end in ((np.minimum, least), (np.maximum, most)))
        means = np.array([[whole / self.unit for whole in own] for own in total.tolist()]) / np.maximum(number, 1)
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


@dataclass(frozen=True)
class RowsThere:
    """Rows of outcomes on a cluster: run, measure, topic, item, repeat, cluster and score. Where items are
    ``repeated``, scores are 0 and 1, so that their sums are exact."""

    engine: Engine
    frame: Frame
    clustered: bool
    repeated: bool

    @property
    def each(self) -> Frame:
        """A row for each run, measure and item: how many rows there were, and the sum of their scores."""
        cluster, score = nw.col("cluster"), nw.col("score")
        found = self.frame.group_by(*_WITHIN, "item").agg(
            nw.len().cast(nw.Int64).alias("outputs"),
            score.sum() if self.repeated else score.max(),
            score.count().cast(nw.Int64).alias("number"),
            cluster.max(),
        )
        return found.with_columns((nw.col("number") * 2**LOW_BITS + nw.col("outputs")).alias("of each"))

    def has_twice(self) -> bool:
        """Whether a run has two outputs of one number for an item."""
        each = self.frame.group_by(*_WITHIN, "item", *(["repeat"] if self.repeated else [])).agg(nw.len().alias("rows"))
        found = fetch(each.select(nw.col("rows").max().cast(nw.Int64)))
        return int(found["rows"][0]) > 1

    def kinds(self) -> dict[str, Any]:
        """Of each run, measure, topic and cluster: how many items are alike, and the sums of their rows' digests."""
        alike = self._digested.group_by(*_WITHIN, "cluster", "value", "number", "outputs")
        added = (nw.col(f"digest {end}").sum() for end in ("low", "high"))
        return fetch(alike.agg(nw.len().cast(nw.Int64).alias("times"), *added))

    def of_clusters(self, measure: str, runs: Sequence[str], places: Places) -> tuple[Any, Integers]:
        """(runs, places): sums of a measure's scores as fractions, and how many items have one."""
        own = nw.coalesce(nw.col("measure"), nw.lit(ONE_MEASURE)) == measure
        here = self.frame.filter(own & ~nw.col("score").is_null())
        digits = _digits_of(here, "score")
        parts = here.with_columns(*digits.columns(of="score"))
        names = [name for name in parts.collect_schema().names() if name.startswith(PART)]
        added = (nw.col(name).sum() for name in names)
        found = fetch(parts.group_by("run", "topic", "cluster").agg(*added, nw.len().cast(nw.Int64).alias("items")))
        sums, number = (
            np.full((len(runs), len(places.items)), Fraction(0), dtype=object),
            np.zeros((len(runs), len(places.items))),
        )
        of = positions([run for run in _texts(found["run"], "") if run in runs], runs)
        kept = np.array([run in runs for run in _texts(found["run"], "")], dtype=bool)
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
        return fetch(rows.group_by(*_WITHIN).agg(*added, nw.col("outputs").max(), *_ends(nw.col("score"))))

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
        """Of each topic and cluster: how many items there are, the sums of their digests, and how many are in two clusters."""
        cluster = nw.col("cluster")
        each = self.frame.group_by("topic", "item").agg(cluster.min(), cluster.max().alias("other"))
        odd = nw.when(cluster != nw.col("other")).then(nw.lit(1)).otherwise(nw.lit(0)).alias("odd")
        of = nw.coalesce(nw.col("topic"), nw.lit(ONE_TOPIC)).alias("of")
        rows = with_digest(each.with_columns(of, odd), "digest", ("of", "item", "cluster"))
        added = (nw.col(name).sum() for name in ("digest low", "digest high", "odd"))
        return fetch(rows.group_by("topic", "cluster").agg(*added, nw.len().cast(nw.Int64).alias("items")))

    def measured(self) -> dict[str, Any]:
        """Of each measure, topic and cluster, how many items have an output."""
        each = self.frame.group_by(*_KEYS, "item").agg(nw.col("cluster").max())
        return fetch(each.group_by(*_KEYS, "cluster").agg(nw.len().cast(nw.Int64).alias("items")))

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


def _digits_of(rows: Frame, name: str) -> Digits:
    """In which the numbers in a column are added up."""
    size = nw.col(name).abs()
    some = nw.when(size > 0).then(size)
    ends = fetch(rows.select(size.max().alias("highest"), some.min().alias("smallest"), nw.len().cast(nw.Int64).alias("rows")))
    largest, smallest = (float(np.nan_to_num(np.ma.filled(ends[name], 0.0))[0]) for name in ("highest", "smallest"))
    return Digits.of(Weights(largest or 1.0, smallest or 1.0, 0), int(ends["rows"][0]))


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
            counted(~nw.col("hash").is_null(), "more"), counted(~nw.col("repeat").is_null(), "repeats"), counted(known, "known"),
            nw.when(score != 0).then(score.abs()).alias("size"), score.abs().alias("most"),
        )  # fmt: skip
        added = ("blank", "wrong", "graded", "beyond", "in clusters", "blank clusters", "more", "repeats", "known")
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
        return [(not one and some > 0, not other and some > 0) for one, other, some in zip(graded, beyond, known, strict=True)]

    def digits(self) -> Digits:
        """In which the scores are added up."""
        largest, smallest = (np.nan_to_num(np.ma.filled(self.found[name], np.nan)) for name in ("largest", "smallest"))
        some = smallest[smallest > 0]
        ends = Weights(float(largest.max(initial=0.0)) or 1.0, float(some.min(initial=np.inf)) if len(some) else 1.0, 0)
        return Digits.of(ends, self.total("rows"))


def outcomes_there(
    engine: Engine, frame: Frame, names: Sequence[str], scored_of: Any, notes: Sequence[str], everything: Callable[[], Outcomes]
) -> CountedOutcomes | SummedOutcomes | None:
    """What rows on a cluster come down to; None where something is odd about them, or runs have several graded outputs for an
    item, so that they have to be looked at one by one. ``scored_of`` describes the measures."""
    look = Look.at(frame)
    runs = look.runs(names) if look.is_plain else None
    if runs is None:
        return None
    measures, topics = look.named("measure", ONE_MEASURE), look.named("topic", ONE_TOPIC)
    scored, repeated = scored_of(measures, look.kinds(measures)), look.total("repeats") > 0
    passing = all(one.binary for one in scored) and look.are_full(len(measures) * len(runs))
    if repeated and not passing:
        return None
    rows = RowsThere(engine, _with_names(frame, look, names), look.total("in clusters") > 0, repeated)
    digits = look.digits()
    sums, items = rows.kinds() if passing else rows.sums(digits), rows.items()
    if int(np.ma.filled(items["odd"], 0).sum()):
        return None
    if rows.has_twice() if repeated else int(np.max(sums["outputs"], initial=0)) > 1:
        return None
    of_measures = {**items, "measure": np.array([measures[0]] * len(items["items"]), dtype=object)}
    places = Places.of(topics, measures, items, rows.measured() if len(measures) > 1 else of_measures)
    digest = _digests(sums, items, runs, measures, int(places.items.sum()))
    shared = runs, topics, scored, places, digest, rows, everything
    if passing:
        return CountedOutcomes(*shared, _kinds_in(sums, runs, measures, places), notes=tuple(notes))
    at = (
        positions(_texts(sums["measure"], ONE_MEASURE), measures),
        positions(_texts(sums["run"], ""), runs),
        positions(_texts(sums["topic"], ONE_TOPIC), topics),
    )
    shape = (len(measures), len(runs), len(topics))
    total, number = np.zeros(shape, dtype=object), np.zeros(shape, dtype=np.int64)
    total[at] = sum(
        (in_place(name, np.ma.filled(sums[name], 0)) for name in sums if name.startswith(PART)),
        np.zeros(len(sums["number"]), dtype=object),
    )
    number[at] = np.ma.filled(sums["number"], 0)
    lowest, highest = np.full(shape, np.inf), np.full(shape, -np.inf)
    for name, ends in (("lowest", lowest), ("highest", highest)):
        known = np.ma.filled(sums[name].astype(float), np.nan)
        ends[at] = np.where(np.isnan(known), ends[at], known)
    return SummedOutcomes(*shared, total, digits.unit, number, lowest, highest, notes=tuple(notes))


def _kinds_in(found: Mapping[str, Any], runs: Sequence[str], measures: Sequence[str], places: Places) -> dict[str, Any]:
    """What ``RowsThere.kinds`` found, in numbers."""
    return {
        "run": positions(_texts(found["run"], ""), runs),
        "measure": positions(_texts(found["measure"], ONE_MEASURE), measures),
        "place": places.of_rows(found),
        "total": np.ma.filled(found["value"], 0).astype(np.int64),
        **{name: np.ma.filled(found[name], 0).astype(np.int64) for name in ("number", "outputs", "times")},
    }


def _digests(
    sums: Mapping[str, Any], items: Mapping[str, Any], runs: Sequence[str], measures: Sequence[str], size: int
) -> Mapping[str, Any]:
    """What the signature says of so many items and of the runs."""
    digests = np.zeros((len(measures), len(runs)), dtype=object)
    for measure, run, low, high in zip(
        positions(_texts(sums["measure"], ONE_MEASURE), measures),
        positions(_texts(sums["run"], ""), runs),
        *(np.ma.filled(sums[f"digest {end}"], 0).tolist() for end in ("low", "high")),
        strict=True,
    ):
        digests[measure, run] = (digests[measure, run] + put_together(int(low), int(high))) % 2**64
    by_name = sorted(range(len(measures)), key=measures.__getitem__)
    of_runs = {run: np.array(digests[by_name, place].tolist(), dtype=np.uint64) for place, run in enumerate(runs)}
    of_items = put_together(*(int(np.ma.filled(items[f"digest {end}"], 0).sum()) for end in ("low", "high")))
    return digests_of_sums(size, of_items, of_runs)


def _with_names(frame: Frame, look: Look, names: Sequence[str]) -> Frame:
    """With the names of runs that rows do not say, because their source is called so."""
    pairs = {*zip(look.texts("run"), np.asarray(look.found["source"]).tolist(), strict=True)}
    untold = sorted(place for told, place in pairs if told is None)
    of_sources = (nw.when(nw.col("source") == place).then(nw.lit(names[place])) for place in untold)
    run = nw.coalesce(nw.col("run"), *of_sources) if untold else nw.col("run")
    return frame.with_columns(run.alias("run")).select(*_WITHIN, "item", "repeat", "cluster", "score")
