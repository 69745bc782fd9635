"""Numbers that somebody else computed, one for each run and item: what an evaluation harness leaves behind."""

from __future__ import annotations

import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress, product
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.core.choices import Better
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.core.values import in_order
from metameasure.evidence.base import CaseEvidence, Reading, ScoredUnits, described, digest_of, positions
from metameasure.evidence.items import ItemEvidence, check_clustered_alike
from metameasure.evidence.room import beside, bounds, few_at_once, is_in_file, of_second, release
from metameasure.evidence.same_items import UNHASHED, Sightings
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.exact_sums import Moments, exact_sum, exact_sum_of_parts, exact_sums
from metameasure.statistics.row_digests import LOW_BITS, SEPARATOR, digested, numbers_of, summed
from metameasure.statistics.sums import UnitSums

ONE_MEASURE = "mean"
"""What scores are called that the data have no name for."""
Span = tuple[float, float]


@dataclass(frozen=True)
class Scored:
    """A measure of the data: its name there, which scores are better where somebody says so, the ends of its range as far as they
    are known, and whether every score is 0 or 1."""

    name: str
    better: Better | None = None
    range: Span = (-math.inf, math.inf)
    binary: bool = False

    def with_other(self, other: Scored) -> Scored:
        """The same measure of further data."""
        range = (min(self.range[0], other.range[0]), max(self.range[1], other.range[1]))
        return replace(self, better=self.better or other.better, range=range, binary=self.binary and other.binary)


class OfOutcomes(CaseEvidence):
    """What is known of outcomes, whether the items are here or only sums over them."""

    task: ClassVar[str] = "outcomes"
    name: ClassVar[str] = "outcomes"
    policies: ClassVar[dict[str, str]] = {"missing": "drop"}
    scale: ClassVar[None] = None  # type: ignore[misc]
    measures: tuple[Scored, ...]

    def outcomes(self) -> OfOutcomes:
        return self

    def changed(self, **fields: Any) -> Self:
        """With other measures, settings or notes."""
        return replace(self, **fields)  # type: ignore[type-var]

    @abstractmethod
    def whole(self) -> Outcomes:
        """With all items."""

    @abstractmethod
    def single_items(self) -> Outcomes:
        """What items can be drawn and swapped by: all of them, or how many are alike."""

    @abstractmethod
    def each_alone(self, reads: str) -> Iterable[ItemEvidence] | None:
        """As ``ItemEvidence`` has it."""

    @abstractmethod
    def sums_of_scores(
        self, reads: str, topics: Sequence[int] | None, *, of_each: bool
    ) -> Sequence[Sequence[Moments | UnitSums]] | None:
        """As ``ItemEvidence`` has it."""

    @property
    def rarest(self) -> int | None:
        """There are no classes."""
        return None

    @property
    @abstractmethod
    def size_of_topics(self) -> Integers:
        """(topics,): how many items there are."""

    @property
    @abstractmethod
    def size_of_clusters(self) -> Integers | None:
        """As ``ItemEvidence`` has it."""

    @abstractmethod
    def are_shares(self, reads: str) -> bool:
        """Whether every item's score is 0 or 1, and its only one."""

    @abstractmethod
    def most(self, row: int) -> Floats:
        """(runs,): the largest score of an item by a measure, 0 at least."""

    @abstractmethod
    def with_missing_as(self, row: int, value: float) -> Self:
        """The same with a score where a measure has none."""

    @property
    def missing(self) -> str:
        """What becomes of outputs without a score."""
        return dict(self.settings).get("missing", "drop")

    def with_policy(self, missing: str | None) -> Self:
        """With another of these; None is the usual one."""
        others = tuple(one for one in self.settings if one[0] != "missing")
        return self.changed(settings=others if missing in (None, "drop") else (*others, ("missing", missing)))

    @property
    def offers(self) -> frozenset[str]:
        offered = {f"outcomes of {one.name}" for one in self.measures} | {f"samples of {one.name}" for one in self._passing}
        offered |= {f"repeats of {one.name}" for one in self.measures}
        offered |= {"outcomes", "repeats"} if len(self.measures) == 1 else set()
        return frozenset(offered | ({"samples"} if len(self._passing) == 1 else set()))

    @property
    def _passing(self) -> list[Scored]:
        """The measures whose scores are 0 and 1, so that outputs pass or fail."""
        return [one for one in self.measures if one.binary]

    def row(self, reads: str) -> int:
        """The measure that is read."""
        kind, _, name = reads.partition(" of ")
        among = self._passing if kind == "samples" else list(self.measures)
        return self.measures.index(next(one for one in among if not name or one.name == name))


_AT_ONCE = 2**18  # items that are looked at in one go
ALL = slice(None)
FEW = 1000
"""So many items, and somebody looks at how skewed their scores are."""
_ARRAYS = ("topic", "total", "number", "outputs", "cluster", "hashes", "repeats")


@dataclass(frozen=True, eq=False)
class Outcomes(ItemEvidence, OfOutcomes):
    """What runs scored on items, their repeats added up.

    Arrays are (measures, runs, items). ``outputs`` is how many outputs a run has for an item, ``number`` how many of them have a
    score, and ``total`` the sum of these scores. Items are ordered by topic and then by name; ``topic`` and ``cluster`` (items,)
    are places among ``topics`` and ``clusters``. ``hashes`` (items,) has a number for what each item is, -1 where nobody says.
    ``repeats`` (4, measures, runs, items) has the lowest and the highest score of an item's outputs, how many pairs of them score
    the same, and how many score 0; None where every item has one output, or passes and failures tell it.
    """

    task: ClassVar[str] = "outcomes"
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Scored, ...]
    items: Sequence[str]
    topic: Integers
    total: Floats
    number: Integers
    outputs: Integers
    clusters: tuple[str, ...] = ()
    cluster: Integers | None = None
    hashes: Integers | None = None
    repeats: Floats | None = None
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = field(default=())
    times: Integers | None = None
    """(items,): how many items each stands for that are alike and have no names; None where each is one."""

    def whole(self) -> Outcomes:
        return self

    def single_items(self) -> Outcomes:
        return self

    def most(self, row: int) -> Floats:
        found = np.zeros(len(self.runs))
        for run, some in self._parts():
            own = np.fmax.reduce(self.item_scores(row, run, some), axis=1, initial=0.0)  # also of a run that has no score
            found[run] = np.maximum(found[run], own)
        return found

    def _parts(self) -> Iterator[tuple[slice, slice]]:
        """One run after the other, with some of the items at a time where they are in files: of what has been read, only that is
        in memory."""
        for run in range(len(self.runs)):
            for some in self._some_items():
                yield slice(run, run + 1), some
                self._release()

    def _some_items(self, first: int = 0, last: int | None = None) -> Iterator[slice]:
        """The items between two places: a part after the other where they are in files, and all at once where they are not."""
        end = len(self.items) if last is None else last
        step = _AT_ONCE if self._in_files else max(1, end - first)
        yield from (slice(one, min(end, one + step)) for one in range(first, end, step))

    @property
    def _in_files(self) -> bool:
        return is_in_file(self.total)

    def measured(self, row: int) -> Booleans:
        """(items,): which items a measure is of: some run has an output for them that was to be scored by it."""
        if row not in self._measured:
            there: Booleans = np.zeros(len(self.items), dtype=bool)
            for run, some in self._parts():
                there[some] |= self.outputs[row, run, some][0] > 0
            self._measured[row] = there
        return self._measured[row]

    @cached_property
    def _measured(self) -> dict[int, Booleans]:
        return {}

    def _of(self, name: str, row: int, runs: Sequence[int] | slice | None, some: slice = ALL) -> Any:
        """(runs, items) of what is known of a measure, of some runs or of all, and of some items or of all."""
        array = getattr(self, name)[row]
        return array[:, some] if runs is None else array[runs if isinstance(runs, slice) else list(runs), some]

    def item_scores(self, row: int, runs: Sequence[int] | slice | None = None, some: slice = ALL) -> Floats:
        """(runs, items): the mean of each item's repeats by a measure; NaN where it has none, unless what is missing is 0."""
        if self._in_files and some == ALL:  # what is made of numbers on the way is several times as large as the scores
            every = range(len(self.runs))
            wanted = every if runs is None else every[runs] if isinstance(runs, slice) else runs
            found = np.empty((len(wanted), len(self.items)))
            for (place, run), part in product(enumerate(wanted), list(self._some_items())):
                found[place, part] = self.item_scores(row, [run], part)[0]
                self._release()
            return found
        number = self._of("number", row, runs, some)
        if self.missing == "zero":
            number = np.maximum(self._of("outputs", row, runs, some), self.measured(row)[some])
        return np.where(number > 0, self._of("total", row, runs, some) / np.maximum(number, 1), np.nan)

    def samples(self, row: int, runs: Sequence[int] | None = None) -> tuple[Floats, Floats]:
        """(runs, items) twice: how many outputs passed, and how many there are; NaN where there is none."""
        number = self._of("number", row, runs)
        if self.missing == "zero":  # an item that a run lacks has as many failures as others have outputs
            outputs = self._of("outputs", row, runs)
            number = np.where(outputs > 0, outputs, outputs.max(axis=1, keepdims=True))
        known = number > 0
        return np.where(known, self._of("total", row, runs), np.nan), np.where(known, number, np.nan).astype(float)

    def repeats_of(self, row: int, runs: Sequence[int] | None = None) -> tuple[Floats, Floats, Floats, Floats]:
        """(runs, items) each: the lowest and the highest score of an item's outputs, how many pairs of them score the same, and
        how many outputs there are; NaN where there is none."""
        lowest, highest, alike, zeros = self.ends_of_repeats([row], runs)[:, 0]
        number, outputs = self._of("number", row, runs), self._of("outputs", row, runs)
        if self.missing == "zero":  # what is missing scores 0, on items that a run lacks as often as others are tried
            most = np.where(self.measured(row), outputs.max(axis=1, keepdims=True, initial=0), 0)
            wanted = np.where(outputs > 0, outputs, most)
            lacking = wanted - number
            alike = alike + lacking * (lacking - 1) / 2 + lacking * zeros
            lowest, highest = (
                np.where(lacking > 0, np.where(number > 0, end(one, 0), 0), one)
                for end, one in ((np.minimum, lowest), (np.maximum, highest))
            )
            number = wanted
        known = number > 0
        lowest, highest, alike, all_outputs = (np.where(known, one, np.nan) for one in (lowest, highest, alike, number))
        return lowest, highest, alike, all_outputs

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        """Means are of sums without rounding, so that neither the order of items nor the engine is in them: a case is one number,
        the mean of its items."""
        some = None if list(runs) == list(range(len(self.runs))) else runs
        if not reads.startswith("outcomes"):
            each = self.one_by_one()
            return each._reading_of(each._by_kind(self.row(reads), some, each.arrays_of(reads, some)))  # noqa: SLF001 - its own
        row, shape = self.row(reads), (len(runs), len(self.topics))
        total, number, pooled = np.zeros(shape), np.zeros(shape, dtype=np.int64), np.zeros(len(runs))
        for place, run in enumerate(runs):
            total[place], number[place], pooled[place] = (self._sums_in_parts if self._in_files else self._sums)(row, run)
        return reading_of_means(total, number, pooled)

    def _sums(self, row: int, run: int) -> tuple[Floats, Integers, float]:
        """(topics,) twice: the sums of the scores of a run's items, and how many have one; and the sum of all topics."""
        own = self.item_scores(row, [run])[0]
        known = ~np.isnan(own)
        values = np.where(known, own, 0.0)
        total = exact_sums(values[None], self.starts, self.times)[0]
        number = np.bincount(self.topic[known], None if self.times is None else self.times[known], len(self.topics))
        return total, number.astype(np.int64), total[0] if len(total) == 1 else exact_sum(values, self.times)

    def _sums_in_parts(self, row: int, run: int) -> tuple[Floats, Integers, float]:
        """The same of items in files, of which only some are in memory: several topics at a time, or a part of one."""
        total, number, starts = np.zeros(len(self.topics)), np.zeros(len(self.topics), dtype=np.int64), self.starts
        for first, last in bounds(np.diff(starts), _AT_ONCE):
            begin, end = int(starts[first]), int(starts[last])
            values = partial(self._values, row, run, begin, end)
            if last - first == 1:
                total[first] = exact_sum_of_parts(values)
            else:
                total[first:last] = exact_sums(next(values())[None], starts[first : last + 1] - begin)[0]
        for some in self._some_items():
            known = ~np.isnan(self.item_scores(row, [run], some)[0])
            number += np.bincount(self.topic[some][known], minlength=len(self.topics))
            self._release()
        return total, number, total[0] if len(total) == 1 else exact_sum_of_parts(partial(self._values, row, run))

    def _values(self, row: int, run: int, first: int = 0, last: int | None = None) -> Iterator[Floats]:
        """The scores of a run's items between two places, 0 where there is none, some at a time."""
        for some in self._some_items(first, last):
            own = self.item_scores(row, [run], some)[0]
            yield np.where(np.isnan(own), 0.0, own)
            self._release()

    def each_alone(self, reads: str) -> Iterator[Outcomes] | None:
        """Scores of 0 and 1 are counted where they are in files, so that no run's items need be in memory."""
        if not self._in_files or self.clustered or not self.are_shares(reads):
            return None
        row = self.row(reads)
        counted = (self._sums_in_parts(row, run)[:2] for run in range(len(self.runs)))
        named = zip(self.runs, counted, strict=True)
        return (passed_and_failed(run, self.topics, self.measures[row], number, right) for run, (right, number) in named)

    def sums_of_scores(
        self, reads: str, topics: Sequence[int] | None, *, of_each: bool
    ) -> Sequence[Sequence[Moments | UnitSums]] | None:
        """Moments of scores that are in files; None where there are so few items that somebody looks at their skewness too."""
        if not self._in_files or self.clustered or of_each or not reads.startswith("outcomes") or len(self.items) <= FEW:
            return None
        starts, row = self.starts.tolist(), self.row(reads)
        ends = [(0, starts[-1])] if topics is None else [(starts[topic], starts[topic + 1]) for topic in topics]
        return [
            [Moments.of_parts(partial(self._known_values, row, run, first, last)) for first, last in ends]
            for run in range(len(self.runs))
        ]

    def _known_values(self, row: int, run: int, first: int, last: int) -> Iterator[Floats]:
        """The scores of a run's items between two places that have one, some at a time."""
        for some in self._some_items(first, last):
            own = self.item_scores(row, [run], some)[0]
            yield own[~np.isnan(own)]
            self._release()

    def _by_kind(self, row: int, runs: Sequence[int] | None, arrays: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """(runs, items) each: within topics in the order of how many of an item's outputs passed, where they pass or fail, so
        that neither the names of items nor the engine are in any digit."""
        if not self.measures[row].binary:
            return arrays
        facts = (self.measured(row)[None], *(self._of(name, row, runs) for name in ("outputs", "number", "total")))
        most = 1 + int(facts[1].max(initial=0))
        code = ((facts[1] * 2 + facts[0]) * most + facts[2]) * most + facts[3].astype(np.int64)
        order = np.argsort(code, axis=1, kind="stable")
        if len(self.topics) > 1:
            order = np.take_along_axis(order, np.argsort(self.topic[order], axis=1, kind="stable"), axis=1)
        return tuple(np.take_along_axis(array, order, axis=1) for array in arrays)

    def arrays(self, reads: str) -> tuple[Floats, ...]:
        return self.arrays_of(reads, None)

    def arrays_of(self, reads: str, runs: Sequence[int] | None) -> tuple[Floats, ...]:
        row = self.row(reads)
        if reads.startswith("repeats"):
            return self.repeats_of(row, runs)
        return self.samples(row, runs) if reads.startswith("samples") else (self.item_scores(row, runs),)

    def blocks(self) -> Iterator[list[int]]:
        """A few at once where they are in files."""
        if not self._in_files:
            yield from super().blocks()
            return
        for block in few_at_once(len(self.runs)):
            yield block
            self._release()

    def _release(self) -> None:
        release(self.total, self.number, self.outputs, self.repeats, self.topic, self.cluster)

    def are_shares(self, reads: str) -> bool:
        row = self.row(reads)
        single = all(bool((self.outputs[row, run, some] <= 1).all()) for run, some in self._parts())
        return reads.startswith("outcomes") and self.measures[row].binary and single

    def scored(self, reads: str) -> ScoredUnits:
        row, number = self.row(reads), np.zeros(len(self.runs), dtype=np.int64)
        for run, some in self._parts():
            there = self.number[row, run, some][0] > 0
            number[run] += there.sum() if self.times is None else self.times[some][there].sum()
        return ScoredUnits(number, self.number_of(self.measured(row)), "items")

    def one_by_one(self) -> Self:
        """Each item by itself, where some stand for several."""
        if self.times is None:
            return self
        each = np.repeat(np.arange(len(self.items)), self.times)
        arrays = {name: getattr(self, name)[:, :, each] for name in ("total", "number", "outputs")}
        cluster = None if self.cluster is None else self.cluster[each]
        return replace(self, items=("",) * len(each), topic=self.topic[each], cluster=cluster, times=None, **arrays)

    def of_items(self, kept: Booleans) -> Self:
        return replace(
            self,
            items=tuple(compress(self.items, kept.tolist())),
            **self.places_of(kept),
            hashes=None if self.hashes is None else self.hashes[kept],
            repeats=None if self.repeats is None else self.repeats[..., kept],
            times=None if self.times is None else self.times[kept],
            **{name: getattr(self, name)[:, :, kept] for name in ("total", "number", "outputs")},
        )

    def of_runs(self, runs: Sequence[int]) -> Self:
        arrays = {name: of_second(getattr(self, name), runs) for name in ("total", "number", "outputs")}
        repeats = None if self.repeats is None else of_second(self.repeats, runs)
        return replace(self, runs=tuple(self.runs[run] for run in runs), repeats=repeats, **arrays)

    def with_missing_as(self, row: int, value: float) -> Self:
        """The same with a score where a measure has none."""
        total, number, outputs = (of_second(array, range(len(self.runs))) for array in (self.total, self.number, self.outputs))
        for run, some in self._parts():
            wanted = np.maximum(self.outputs[row, run, some], self.measured(row)[some])
            total[row, run, some] += (wanted - number[row, run, some]) * value
            number[row, run, some] = wanted
            outputs[row, run, some] = wanted
            release(total, number, outputs)
        return replace(self, total=total, number=number, outputs=outputs)

    def ends_of_repeats(self, rows: Sequence[int] | None = None, runs: Sequence[int] | None = None) -> Floats:
        """What ``repeats`` is of some of the measures and runs, where it need not be kept too."""
        chosen = list(range(len(self.measures)) if rows is None else rows)
        each = list(range(len(self.runs)) if runs is None else runs)
        if self.repeats is not None:
            return self.repeats[:, chosen][:, :, each] if runs is not None else self.repeats[:, chosen]
        total, number = (array[np.ix_(chosen, each)] for array in (self.total, self.number))
        zeros = np.where((number > 1) | (total != 0), number - total, number)  # several outputs pass or fail
        alike = np.where(number > 1, total * (total - 1) + zeros * (zeros - 1), 0) / 2
        lowest, highest = (np.where(number > 1, end, total) for end in (total >= number, total > 0))
        return np.stack([lowest, highest, alike, np.where((number > 1) | (total == 0), zeros, 0)])

    @cached_property
    def repeated(self) -> bool:
        """Whether a run may have several outputs for an item."""
        return any(bool((self.outputs[:, run, some] > 1).any()) for run, some in self._parts())

    def size(self, run: int) -> str:
        some, most = int((self.number[:, run] > 0).any(axis=0).sum()), len(self.items)
        repeats = int(self.outputs[:, run].max(initial=0))
        return size_in_words(some, most, repeats)

    @cached_property
    def _numbers_of_names(self) -> Integers:
        """(items,): a number for each item's topic, name and cluster."""
        found: Integers = beside(self.total, (len(self.items),), np.int64)
        for some in self._some_items():
            topics = [self.topics[code] for code in self.topic[some].tolist()]
            clusters = (
                [""] * len(topics) if self.cluster is None else [self.clusters[code] for code in self.cluster[some].tolist()]
            )
            found[some] = numbers_of(map(SEPARATOR.join, zip(topics, self.items[some], clusters, strict=True)))
            release(found, self.topic, self.cluster)
        return found

    def digests(self) -> dict[str, str | dict[str, str]]:
        by_name = sorted(range(len(self.measures)), key=lambda row: self.measures[row].name)
        names = self._numbers_of_names
        sums = np.zeros((len(self.measures), len(self.runs)), dtype=np.uint64)
        for place in range(len(self.runs)):
            for row, first in product(by_name, range(0, len(self.items), _AT_ONCE)):
                some = slice(first, first + _AT_ONCE)
                there = self.outputs[row, place, some] > 0
                ends = () if self.repeats is None else (own[row, place, some][there] for own in self.repeats)
                number, outputs = (array[row, place, some][there].astype(np.int64) for array in (self.number, self.outputs))
                said = (self.total[row, place, some][there], (number << LOW_BITS) + outputs)
                own = summed(digested(names[some][there], *said, *ends))
                sums[row, place] = (int(sums[row, place]) + own) % 2**64
                release(names)
                self._release()
        of_items = sum(summed(digested(names[some])) for some in self._some_items()) % 2**64
        return digests_of_sums(len(self.items), of_items, dict(zip(self.runs, sums[by_name].T, strict=True)))

    def checksum(self) -> str:
        named = sorted((one.name, one.better or "") for one in self.measures)
        return hashlib.sha256(json.dumps([named, self.digests()]).encode()).hexdigest()[:12]

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        facts = {
            "items": tuple(self.items),
            "clusters": self.clusters,
            "measures": [one.name for one in self.measures],
            "better": [one.better for one in self.measures],
            "ranges": [[None if math.isinf(end) else end for end in one.range] for one in self.measures],
            "binary": [one.binary for one in self.measures],
        }
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        return facts, {name: array for name, array in arrays.items() if array is not None}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:  # noqa: ARG003 - there is none
        named = zip(facts["measures"], facts["better"], facts["ranges"], facts["binary"], strict=True)
        measures = tuple(Scored(name, better, _span(ends), binary) for name, better, ends, binary in named)
        listed: dict[str, Any] = {name: tuple(facts[name]) for name in ("items", "clusters")}
        return cls(measures=measures, **described(facts), **listed, **arrays)

    def plus(self, other: Self) -> Self:
        """The items, runs and measures of both; these may overlap, but no output may be in both."""
        self.check_settings(other)
        check_clustered_alike(self, other)
        both = (self, _called_alike(self, other))
        topics = tuple(in_order({*self.topics, *other.topics}))
        place = {name: code for code, name in enumerate(topics)}
        keys = sorted({key for part in both for key in part.item_keys()}, key=lambda key: (place[key[0]], key[1]))
        runs = tuple(dict.fromkeys((*self.runs, *other.runs)))
        measures = _measures_of_both(self.measures, other.measures)
        clusters = tuple(in_order({*self.clusters, *other.clusters}))
        cluster = None if self.cluster is None else np.full(len(keys), -1)
        hashes = np.full(len(keys), UNHASHED)
        arrays = {name: np.zeros((len(measures), len(runs), len(keys))) for name in ("total", "number", "outputs")}
        kept = any(part.repeated for part in both) and not all(one.binary for one in measures)
        repeats = np.zeros((4, *arrays["total"].shape)) if kept else None
        for part in both:
            at = np.ix_(
                positions([one.name for one in part.measures], [one.name for one in measures]),
                positions(part.runs, runs),
                items := positions(part.item_keys(), keys),
            )
            if (arrays["outputs"][at] * part.outputs).any():
                twice = part.runs[int(np.argwhere((arrays["outputs"][at] * part.outputs) > 0)[0][1])]
                raise UsageError(say("run '{run}' is in both on the same items", run=twice), hint="merge each part once")
            for name, array in arrays.items():
                array[at] += getattr(part, name)
            if repeats is not None:
                for own, array in zip(repeats, part.ends_of_repeats(), strict=True):
                    own[at] += array
            if cluster is not None and part.cluster is not None:
                _put_clusters(cluster, items, positions(part.clusters, clusters)[part.cluster], keys)
            if part.hashes is not None:
                hashes[items] = np.where(part.hashes == UNHASHED, hashes[items], part.hashes)
        number, outputs = (arrays[name].astype(np.int64) for name in ("number", "outputs"))
        return replace(
            self, runs=runs, topics=topics, measures=measures, items=tuple(name for _, name in keys),
            topic=np.array([place[topic] for topic, _ in keys], dtype=np.int64), total=arrays["total"], number=number,
            outputs=outputs,
            clusters=clusters, cluster=cluster, hashes=hashes if (hashes != UNHASHED).any() else None, repeats=repeats,
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
        )  # fmt: skip


def size_in_words(some: int, most: int, repeats: int) -> str:
    """On how many of all items a run has a score, and of how many outputs each at most."""
    several = f", up to {repeats} outputs each" if repeats > 1 else ""
    return f"{some if some == most else f'{some} of {most}'} items{several}"


def passed_and_failed(run: str, topics: tuple[str, ...], measure: Scored, number: Integers, passed: Any) -> Outcomes:
    """A run by itself whose items score 0 or 1, as how many do in each topic: of so many (topics,), so many passed (topics,)."""
    right = np.asarray(passed, dtype=np.int64)
    times = np.stack([number - right, right], axis=-1).ravel()
    topic, scores, there = np.repeat(np.arange(len(topics)), 2), np.tile([0.0, 1.0], len(topics)), times > 0
    ones = np.ones((1, 1, int(there.sum())), dtype=np.int64)
    return Outcomes(
        (run,), topics, (measure,), ("",) * ones.size, topic[there], scores[there][None, None], ones, ones, times=times[there]
    )


def reading_of_means(total: Floats, number: Integers, pooled: Floats) -> Reading:
    """What means of outcomes are computed from: sums and numbers of items (runs, topics), and the sums of all topics (runs,)."""
    means = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    items = number.sum(axis=1)
    whole = np.where(items > 0, pooled / np.maximum(items, 1), np.nan)
    return Reading.of((means[:, :, None],), (whole[:, None],), number, of_one=total.shape[1] == 1)


def digests_of_sums(items: int, of_items: int, of_runs: Mapping[str, Any]) -> dict[str, str | dict[str, str]]:
    """What a signature says of outcomes: of so many items, with the sum of their names' digests, and of each run with those of
    its scores, measure by measure in the order of their names."""
    first = digest_of([[items], [of_items]], dtype="<u8")
    return {"items": first, "runs": {run: digest_of([of_runs[run]], after=first, dtype="<u8") for run in sorted(of_runs)}}


def _called_alike(first: Outcomes, second: Outcomes) -> Outcomes:
    """The second part with its items called as the first calls them, where their hashes say that they are the same. UsageError
    where one name stands for two items."""
    if first.hashes is None or second.hashes is None:
        return second
    keys, size = [*first.item_keys(), *second.item_keys()], len(first.items)
    hashes = [*first.hashes.tolist(), *second.hashes.tolist()]
    sightings = Sightings([0] * size + [1] * len(second.items), keys, hashes)
    for place, _ in sightings.clashes():
        hint = "the data were of another revision: count both on the same one"
        what = say("item '{item}' is one item here and another there (their hashes differ)", item=keys[place][1])
        raise UsageError(what, hint=hint)
    called = sightings.agreed()[size:]
    order = sorted(range(len(called)), key=lambda one: (second.topic[one], called[one][1]))
    return replace(
        second,
        items=tuple(called[one][1] for one in order),
        cluster=None if second.cluster is None else second.cluster[order],
        hashes=second.hashes[order],
        repeats=None if second.repeats is None else second.repeats[..., order],
        **{name: getattr(second, name)[:, :, order] for name in ("total", "number", "outputs")},
    )


def _span(ends: Sequence[float | None]) -> Span:
    low, high = ends
    return (-math.inf if low is None else low, math.inf if high is None else high)


def _measures_of_both(first: Sequence[Scored], second: Sequence[Scored]) -> tuple[Scored, ...]:
    known = {one.name: one for one in first}
    for one in second:
        mine = known.get(one.name, one)
        if mine.better and one.better and mine.better != one.better:
            raise UsageError(
                f"{one.name} is better {mine.better} in one part and {one.better} in the other", hint="count them again"
            )
        known[one.name] = mine.with_other(one)
    return tuple(known.values())


def _put_clusters(cluster: Integers, items: Integers, codes: Integers, keys: Sequence[tuple[str, str]]) -> None:
    """UsageError where an item is in another cluster already."""
    other: Booleans = (cluster[items] >= 0) & (cluster[items] != codes)
    if other.any():
        name = keys[int(items[other][0])][1]
        raise UsageError(
            say("item '{item}' is in one cluster here and in another there", item=name), hint="give each item one cluster"
        )
    cluster[items] = codes
