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

from metameasure.evidence.base import Part, Reading, ScoredUnits, lone_units, positions
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcome_rows import Look, Places, RowsThere, texts_or, with_names
from metameasure.evidence.outcomes import (
    FEW,
    ONE_MEASURE,
    OfOutcomes,
    Outcomes,
    Scored,
    digests_of_sums,
    passed_and_failed,
    reading_of_means,
    size_in_words,
)
from metameasure.evidence.weights import PART, in_place
from metameasure.reading.engine import Engine, Frame
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.exact_sums import Moments
from metameasure.statistics.row_digests import put_together
from metameasure.statistics.sums import UnitSums


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
        scored, outputs = self._sizes[self.runs[run]]
        return size_in_words(scored, int(self.places.items.sum()), outputs)

    @cached_property
    def _sizes(self) -> dict[str, tuple[int, int]]:
        return self.rows.sizes()

    def digests(self) -> dict[str, str | dict[str, str]]:
        return {**self.digest}

    def checksum(self) -> str:
        return self.whole().checksum()

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.whole().stored()


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
        total, number, outputs = (array[order][None, None] for array in (total.astype(float), number, outputs))
        return Outcomes(
            (self.runs[run],), self.topics, (self.measures[row],), ("",) * len(order), of, total, number, outputs,
            places.clusters, None if places.cluster is None else places.cluster[place][order], settings=self.settings,
            times=times[order],
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
        row = self.row(reads)
        counted = zip(self.runs, self._numbers(row), self.total[row] // self.unit, strict=True)
        return [passed_and_failed(run, self.topics, self.measures[row], number, right) for run, number, right in counted]

    def sums_of_scores(
        self, reads: str, topics: Sequence[int] | None, *, of_each: bool
    ) -> Sequence[Sequence[Moments | UnitSums]] | None:
        """None where there are so few items that somebody looks at how skewed their scores are, too."""
        if not reads.startswith("outcomes") or int(self.places.items.sum()) <= FEW:
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
        made = list[list[UnitSums]]()
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
class Reader:
    """What is known of outcomes before they are read: ``described`` says what there is to say of measures; ``everything``
    fetches all items by name. ``check`` raises DataProblems for what rows lack, by how many there are; ``look_at`` does so for
    what is wrong with the rows of a frame, which are of the first of so many items."""

    described: Callable[[Sequence[str], Sequence[tuple[bool, bool]]], tuple[Scored, ...]]
    everything: Callable[[], Outcomes]
    check: Callable[[Look], None]
    look_at: Callable[[Frame, int], None]


def outcomes_there(
    engine: Engine, frame: Frame, names: Sequence[str], notes: Sequence[str], reader: Reader
) -> CountedOutcomes | SummedOutcomes | None:
    """What rows on a cluster come down to; None where something is odd about them, or runs have several graded outputs for an
    item, so that they have to be looked at one by one."""
    look = Look.at(frame)
    reader.check(look)
    runs = look.runs(names) if look.is_plain else None
    if runs is None:
        return None
    measures, topics = look.named("measure", ONE_MEASURE), look.named("topic", ONE_TOPIC)
    scored, repeated = reader.described(measures, look.kinds(measures)), look.total("repeats") > 0
    passing = all(one.binary for one in scored) and look.are_full(len(measures) * len(runs))
    if repeated and not passing:
        return None
    rows = RowsThere(engine, with_names(frame, look, names), look.absent, repeated)
    digits = look.digits()
    sums, items = rows.kinds() if passing else rows.sums(digits), rows.items()
    apart = rows.in_two_clusters()
    several = repeated or apart is not None or int(np.max(sums["outputs"], initial=0)) > 1
    wrong = rows.twice() if several else None
    if (wrong := wrong or apart) is not None:
        reader.look_at(*wrong)
        return None
    of_measures = {**items, "measure": np.array([measures[0]] * len(items["items"]), dtype=object)}
    places = Places.of(topics, measures, items, rows.measured() if len(measures) > 1 else of_measures)
    digest = _digests(sums, items, runs, measures, int(places.items.sum()))
    shared = runs, topics, scored, places, digest, rows, reader.everything
    if passing:
        return CountedOutcomes(*shared, _kinds_in(sums, runs, measures, places), notes=tuple(notes))
    at = (
        positions(texts_or(sums["measure"], ONE_MEASURE), measures),
        positions(texts_or(sums["run"], ""), runs),
        positions(texts_or(sums["topic"], ONE_TOPIC), topics),
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
        "run": positions(texts_or(found["run"], ""), runs),
        "measure": positions(texts_or(found["measure"], ONE_MEASURE), measures),
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
        positions(texts_or(sums["measure"], ONE_MEASURE), measures),
        positions(texts_or(sums["run"], ""), runs),
        *(np.ma.filled(sums[f"digest {end}"], 0).tolist() for end in ("low", "high")),
        strict=True,
    ):
        digests[measure, run] = (digests[measure, run] + put_together(int(low), int(high))) % 2**64
    by_name = sorted(range(len(measures)), key=measures.__getitem__)
    of_runs = {run: np.array(digests[by_name, place].tolist(), dtype=np.uint64) for place, run in enumerate(runs)}
    of_items = put_together(*(int(np.ma.filled(items[f"digest {end}"], 0).sum()) for end in ("low", "high")))
    return digests_of_sums(size, of_items, of_runs)
