"""Labels with an order: how sure a run is of each, and how strongly it believes in the positive class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature
from metameasure.evidence.base import Part, Reading, digest_of, positions
from metameasure.evidence.counts import LabelCounts, LabelEvidence
from metameasure.evidence.missing import stand_ins
from metameasure.evidence.ragged import alike, padded
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.by_content import order_by_content, words_of, words_of_rows

Drawn = tuple[npt.NDArray[Any], ...]
Series = Callable[[int], Floats]
"""The weights of the ranks 1 to N, for any N."""
_FEW_ITEMS = 2**21  # so many are kept for a signature that nobody has read yet, in 20 to 40 bytes each


class NamesLater(Protocol):
    """Names of items that are made where somebody asks for them."""

    def all(self) -> npt.NDArray[np.object_]:
        """All of them, None for an item that the run does not answer."""

    def answered(self) -> Booleans:
        """Which items the run answers."""

    def __getitem__(self, item: int) -> str: ...


@dataclass(frozen=True, eq=False)
class Numbered:
    """The names of items that go by their number, counted from 1: written down where somebody asks for them."""

    places: Integers

    def all(self) -> npt.NDArray[np.object_]:
        return (self.places + 1).astype(str).astype(object)

    def answered(self) -> Booleans:
        return np.ones(len(self.places), bool)

    def __getitem__(self, item: int) -> str:
        return str(self.places[item] + 1)


@dataclass(frozen=True, eq=False)
class RunItems:
    """One run's items: the codes of topic, gold and label, and what the run says of each.

    ``sureness`` orders them (higher is surer), ``weight`` is the run's own weight of each, ``score`` its belief in the positive
    class (``belief_is_ranked`` where that was a rank; as a score it is then less than 0); None where the run does not say.
    ``names`` are for whoever has to name an item; None for what a run does not answer, which comes last. Within a topic items
    stand in the order of their names.
    """

    topic: Integers
    gold: Integers
    label: Integers
    sureness: Floats | None
    weight: Floats | None
    score: Floats | None
    names: npt.NDArray[np.object_] | NamesLater
    belief_is_ranked: bool = False
    by_all: Integers | None = None
    """The items by all that is said of them, where that has been found out: see ``_order_of_all``."""

    def for_digest(self) -> RunItems:
        """What a digest is made of, in as few bytes as hold it."""
        narrow: dict[str, Any] = {name: _narrow(getattr(self, name)) for name in ("topic", "gold", "label")}
        return replace(self, **narrow, names=Numbered(np.zeros(0, np.int64)), by_all=_order_of_all(self))

    @cached_property
    def ids(self) -> npt.NDArray[np.object_]:
        """The items' names."""
        return self.names if isinstance(self.names, np.ndarray) else self.names.all()

    @cached_property
    def answered(self) -> Booleans:
        """Which of the items the run answers."""
        if not isinstance(self.names, np.ndarray):
            return self.names.answered()
        nothing: Any = None
        return np.asarray(self.names != nothing, dtype=bool)

    def places(self, reads: str) -> Integers:
        """The items in the order that a measure reads, the highest key first; tied ones as they stand. Sorted once."""
        return self._by_belief if reads == "order@score" else self._by_sureness

    @cached_property
    def _by_belief(self) -> Integers:
        return descending(self.key("order@score"))

    @cached_property
    def _by_sureness(self) -> Integers:
        return descending(self.key("order@confidence"))

    def ordered_key(self, reads: str) -> Floats:
        """What orders the items, in that order."""
        return self._belief_downwards if reads == "order@score" else self._sureness_downwards

    @cached_property
    def _belief_downwards(self) -> Floats:
        return self.key("order@score")[self._by_belief]

    @cached_property
    def _sureness_downwards(self) -> Floats:
        return self.key("order@confidence")[self._by_sureness]

    def key(self, reads: str) -> Floats:
        """What orders the items for a measure, the highest first."""
        keys = self.score if reads == "order@score" else self.sureness
        assert keys is not None  # noqa: S101 - lacking() has said so
        return keys

    def said(self, reads: str) -> Floats:
        """What a run says of each item besides its label, as a measure reads it."""
        return self.weight if reads in _BY_CONFIDENCE and self.weight is not None else self.key(reads)

    def counted(self, reads: str) -> Booleans:
        """Which items count in that order: those that are positive in gold, or those that are labelled right."""
        return np.asarray(self.gold == 0 if reads == "order@score" else self.label == self.gold)

    def stacked(self, other: RunItems) -> RunItems:
        """The items of both, those of the other behind."""
        columns: dict[str, Any] = {name: _stacked(getattr(self, name), getattr(other, name)) for name in COLUMNS}
        return replace(self, **columns, names=np.concatenate([self.ids, other.ids]))

    def plus(self, other: RunItems) -> RunItems:
        """The items of both, in the order in which they would be read together."""
        both = self.stacked(other)
        answered = both.answered
        rank = None if both.sureness is None else -both.sureness
        belief = -both.score if both.score is not None and both.belief_is_ranked else both.score
        said = [column for column in (belief, rank, both.weight, both.label, both.gold) if column is not None]
        order = np.lexsort((*said, np.where(answered, both.ids, "").astype(str), both.topic, ~answered))
        read = ((name, getattr(both, name)) for name in COLUMNS)
        columns: dict[str, Any] = {name: None if column is None else column[order] for name, column in read}
        return replace(both, **columns, names=both.ids[order])


@dataclass(frozen=True, eq=False)
class Judgements(LabelEvidence):
    """Counts as for any labels, and the items of the runs that order them (None for the others). Class 0 is the positive one."""

    task: ClassVar[str] = "entailment"
    counts: LabelCounts
    items: Sequence[RunItems | None]
    series: Series
    settings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    def __post_init__(self) -> None:
        for shared in ("scale", "runs", "topics"):
            object.__setattr__(self, shared, getattr(self.counts, shared))

    def orders(self) -> Judgements:
        return self

    def label_counts(self) -> LabelCounts:
        return self.counts

    def with_counts(self, counts: LabelCounts) -> Judgements:
        return replace(self, counts=counts)

    def noting(self, said: Sequence[str]) -> Judgements:
        return replace(super().noting(said), counts=self.counts.noting(said))

    def without_reading_notes(self) -> Judgements:
        return replace(super().without_reading_notes(), counts=self.counts.without_reading_notes())

    @property
    def offers(self) -> frozenset[str]:
        return self.counts.offers | frozenset(_NEEDS)

    def size(self, run: int) -> str:
        ordered = [name for name, (column, _) in _NEEDS.items() if name.startswith("order@") and self._has(run, column)]
        return self.counts.size(run) + "".join(f", ordered by {name.partition('@')[2]}" for name in ordered)

    def blocks(self) -> Iterator[list[int]]:
        yield from ([run] for run in range(len(self.runs))) if any(self.items) else self.counts.blocks()

    def lacking(self, reads: str) -> dict[int, str]:
        if reads not in _NEEDS:
            return {}
        column, named = _NEEDS[reads]
        reasons = {run: f"it has no {named}" for run in range(len(self.runs)) if not self._has(run, column)}
        return reasons | self._no_weights if reads in _BY_CONFIDENCE else reasons

    @cached_property
    def _no_weights(self) -> dict[int, str]:
        """The runs whose confidences cannot be weights, and why. Found out once: runs may be in a file."""
        reasons = {}
        for run, items in enumerate(self.items):
            if items is None or items.weight is None:
                continue
            if items.weight.min(initial=0) < 0:
                reasons[run] = "its confidence is negative in places, so it is no weight"
            elif not items.weight.max(initial=0) > 0:
                reasons[run] = "its confidences are all 0"
        return reasons

    def _has(self, run: int, column: str) -> bool:
        return column in self._said[run]

    @cached_property
    def _said(self) -> list[frozenset[str]]:
        """What each run says of its items."""
        return [frozenset(name for name in COLUMNS if getattr(items, name, None) is not None) for items in self.items]

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        whole = self.counts.reading(self.counts.name, runs)
        if reads not in _NEEDS:
            return whole
        absent = self.lacking(reads)
        if reads in _BY_RANK | _BY_CONFIDENCE:
            tables = [
                [self._nothing(reads) if run in absent else self._tables(reads, run, power) for run in runs]
                for power in _POWERS[reads.partition("@")[0]]
            ]
            by_topic, of_all = (tuple(np.stack([one[side] for one in each]) for each in tables) for side in (0, 1))
            return Reading.of(by_topic, of_all, whole.items)
        if absent.keys() >= set(runs):
            topics, pooled = (np.stack([side] * len(runs)) for side in self._nothing(reads))
            return Reading.of((topics, topics), (pooled, pooled), whole.items)
        (run,) = runs  # blocks() has them one by one, since no two need have topics of the same sizes
        return self._orders(reads, run, whole.items)

    def _nothing(self, reads: str) -> tuple[Floats, Floats]:
        """Cases that cannot be scored."""
        case = (1,) if reads.startswith("order") else (len(self.scale), len(self.scale))
        return np.full((len(self.topics), *case), np.nan), np.full(case, np.nan)

    def _tables(self, reads: str, run: int, power: int = 1) -> tuple[Floats, Floats]:
        """A run's weighted tables of each topic, and of all; or those of a power of the weights."""
        items = self._items(run)
        weigh = self._by_rank if reads in _BY_RANK else _by_own_weight
        tables = [self._table(items, part, weigh, power) for part in self._by_topic(items)]
        whole = tables[0] if len(tables) == 1 else self._table(items, np.arange(len(items.topic)), weigh, power)
        return np.stack(tables), whole

    def _orders(self, reads: str, run: int, sizes: Any) -> Reading:
        """A run's ranks and what counts, topics of about one size together."""
        items = self._items(run)
        ordered = [self.order(items, reads, part) for part in self._by_topic(items)]
        whole = ordered[0] if len(ordered) == 1 else self.order(items, reads, np.arange(len(items.topic)))
        parts = []
        for width, topics in alike(np.array([len(ranks) for ranks, _ in ordered])):
            columns = zip(*(ordered[topic] for topic in topics.tolist()), strict=True)
            parts.append(Part(topics, tuple(padded(column, width)[None] for column in columns)))
        of_one = len(ordered) == 1 and len(items.topic) > 0  # where there is no item, a topic is padded
        return Reading(tuple(parts), tuple(column[None] for column in whole), sizes, of_one)

    def _items(self, run: int) -> RunItems:
        items = self.items[run]
        assert items is not None  # noqa: S101 - lacking() has said so
        return items

    def _by_topic(self, items: RunItems) -> list[Integers]:
        """The places of each topic's items: sorted once, so that many topics cost no more than one."""
        sizes = np.bincount(items.topic, minlength=len(self.topics))
        return np.split(np.argsort(items.topic, kind="stable"), np.cumsum(sizes)[:-1])

    def order(self, items: RunItems, reads: str, part: Integers) -> tuple[Floats, Floats]:
        """The ranks of some of a run's items, the first of them first, and which of them count."""
        key = items.key(reads)
        whole = len(part) == len(key)
        places = items.places(reads) if whole else part[descending(key[part])]
        in_order = items.ordered_key(reads) if whole else key[places]
        return dense_ranks(in_order), items.counted(reads)[places].astype(np.float64)

    def _by_rank(self, items: RunItems, part: Integers) -> Floats:
        key = items.key("counts@rank")
        return rank_weights(key[part], self.series, items.places("counts@rank") if len(part) == len(key) else None)

    def _table(self, items: RunItems, part: Integers, weigh: Callable[[RunItems, Integers], Floats], power: int) -> Floats:
        """Weights of (gold, label), each to that power."""
        size = len(self.scale)
        cells = items.gold[part] * size + items.label[part]
        weights = weigh(items, part) ** power if len(part) else np.zeros(0)
        return np.bincount(cells, weights=weights, minlength=size**2).reshape(size, size).astype(np.float64)

    def drawn_parts(self, run: int, *, pool: bool) -> list[DrawnItems]:
        """A run's items, sorted once and then resampled many times: those of each topic, or all together."""
        items = self._items(run)
        parts = [np.arange(len(items.topic))] if pool else self._by_topic(items)
        able = frozenset(reads for reads in _NEEDS if run not in self.lacking(reads))
        return [DrawnItems(items, part, len(self.scale), self.series, able) for part in parts]

    def pair(self, first: int, second: int, reads: str, *, by_content: bool = False) -> PairedItems:
        """Two runs on the same items, all topics as one, to be swapped and drawn; ``by_content``: in an order that depends on
        what they say alone."""
        one, other = (_own_order(self._items(run), reads) for run in (first, second))
        first_run, second_run, both = (
            DrawnItems(run, np.arange(len(run.gold)), len(self.scale), self.series, frozenset({reads})).sorted_by(reads)
            for run in (one, other, one.stacked(other))
        )
        items = len(one.gold)
        place = np.arange(items)
        if by_content:
            said = np.stack([words_of_rows(np.stack([run.label, run.said(reads)], axis=1)) for run in (one, other)], axis=1)
            place[order_by_content(said, rows=words_of(one.gold))[0]] = np.arange(items)
        return PairedItems(reads, items, first_run, second_run, both, place)

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        facts, arrays = self.counts.stored()
        ordered = {run: items for run, items in enumerate(self.items) if items is not None}
        for run, items in ordered.items():
            arrays |= {f"{name} {run}": column for name in COLUMNS if (column := getattr(items, name)) is not None}
            ids = np.where(items.answered, items.ids, "").astype(str)
            arrays |= {f"answered {run}": items.answered, f"ids {run}": ids}
        return {
            **facts,
            "ordered": [*ordered],
            "ranked": [run for run, items in ordered.items() if items.belief_is_ranked],
        }, arrays

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Judgements:
        counts = LabelCounts.restored(facts, arrays, scale)
        items: list[RunItems | None] = [None] * len(counts.runs)
        for run in facts["ordered"]:
            ids = arrays[f"ids {run}"].astype(object)
            ids[~arrays[f"answered {run}"]] = None
            columns: dict[str, Any] = {name: arrays.get(f"{name} {run}") for name in COLUMNS}
            items[run] = RunItems(**columns, names=ids, belief_is_ranked=run in facts["ranked"])
        return cls(counts, tuple(items), linear_weights, counts.settings, counts.notes)

    def plus(self, other: Self) -> Self:
        counts = self.counts.plus(other.counts)
        parts, items = list[dict[str, RunItems | None]](), list[RunItems | None]()
        for part in (self, other):
            new = positions(part.topics, counts.topics)
            moved = (None if one is None else replace(one, topic=new[one.topic]) for one in part.items)
            parts.append(dict(zip(part.runs, moved, strict=True)))
        for run in counts.runs:
            both = [part[run] for part in parts if run in part]
            ordered = [one for one in both if one is not None]
            if ordered and len(ordered) < len(both):
                raise UsageError(
                    say("run '{run}' orders its items in one part only", run=run), hint="give every part the same columns"
                )
            items.append(reduce(RunItems.plus, ordered) if ordered else None)
        notes = self.counts.notes_with(other.counts, self.notes, other.notes)
        return replace(self, counts=counts, items=tuple(items), settings=counts.settings, notes=notes)

    def other_end(self) -> Judgements | None:
        counts = self.counts.other_end()
        if counts is None:
            return None
        either = stand_ins(self.scale, "worst") != stand_ins(self.scale, "worst", lower=True)

        def moved(items: RunItems) -> RunItems:
            return replace(items, label=np.where(~items.answered & either[items.gold], 0, items.label))

        return replace(self, counts=counts, items=tuple(None if one is None else moved(one) for one in self.items))

    def checksum(self) -> str:
        return digest_of(self._sorted_columns(), after=self.counts.checksum())

    def signed(self) -> Signature:
        """Made when somebody reads it, where there is little to keep until then: hashing takes a fifth of all the time."""
        counts, items = self.counts.light(), sum(len(one.topic) for one in self.items if one is not None)
        if counts is None or items > _FEW_ITEMS:
            return super().signed()
        light = replace(self, counts=counts, items=tuple(None if one is None else one.for_digest() for one in self.items))
        return Signature.later(super(Judgements, light).signed)

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Those of the counts, and of each run also what it says of its items."""
        counted = self.counts.digests()
        runs: Any = counted["runs"]
        said = {run: digest_of(self._columns_of(place), after=runs[run]) for place, run in enumerate(self.runs)}
        return counted | {"runs": {run: said[run] for run in sorted(said)}}

    def _sorted_columns(self) -> Iterator[Any]:
        """What the runs say of their items, in an order that depends on nothing else."""
        for run in np.argsort(self.runs, kind="stable"):
            yield from self._columns_of(run)

    def _columns_of(self, run: int) -> Iterator[Any]:
        items = self.items[run]
        if items is not None:
            order = _order_of_all(items)
            nothing = np.full(len(order), np.nan)
            for column in (getattr(items, name) for name in COLUMNS):
                yield nothing if column is None else _narrow(column)[order]


def _narrow(column: Any) -> Any:
    """Codes in as few bytes as hold them, which takes less time to bring into an order."""
    return column.astype(np.min_scalar_type(int(column.max(initial=0)))) if column.dtype.kind == "i" else column


def _order_of_all(items: RunItems) -> Integers:
    """Items by what is said of them: by their score, among those of one score by their weight, and so on. The first is the order
    that they have been brought into for the measures."""
    if items.by_all is not None:
        return items.by_all
    columns = [column for name in COLUMNS if (column := getattr(items, name)) is not None]
    by_sureness = items.score is None and items.sureness is not None and (items.weight is None or items.weight is items.sureness)
    if items.score is not None or by_sureness:
        reads = "order@confidence" if by_sureness else "order@score"
        upwards, in_order = items.places(reads)[::-1], items.ordered_key(reads)[::-1]
        return with_ties_settled(upwards, in_order, lambda tied: [column[tied] for column in columns])
    return np.lexsort(columns)


def descending(key: Floats) -> Integers:
    """The places of a key's values from the highest down, those of equal ones as they stand. Few are equal as a rule: to sort
    these again is quicker than to keep all as they stand."""
    places = np.argsort(-key)
    return with_ties_settled(places, key[places], lambda tied: [tied, -key[tied]])


def with_ties_settled(order: Integers, in_order: Floats, keys: Callable[[Integers], Sequence[Any]]) -> Integers:
    """Items in the order of a key, ``in_order``, where those of equal keys are to be in another order: that of ``keys``, the last
    of which is the key itself."""
    tied = np.append(False, in_order[1:] == in_order[:-1])
    if not tied.any():
        return order
    tied[:-1] |= tied[1:]
    some, settled = order[tied], order.copy()
    settled[tied] = some[np.lexsort(keys(some))]
    return settled


def dense_ranks(in_order: Floats) -> Floats:
    """The ranks of values that are in their order: equal ones have the same, and no number is left out."""
    opens = np.ones(len(in_order))
    np.not_equal(in_order[1:], in_order[:-1], out=opens[1:])
    return np.cumsum(opens)


@dataclass(frozen=True, eq=False)
class DrawnItems:
    """Some of a run's items, to be drawn with replacement: how often each was drawn is all that changes from draw to draw."""

    run: RunItems
    part: Integers
    classes: int
    series: Series
    able: frozenset[str]
    """What measures may read of it."""
    orders: dict[bool, _Order] = field(default_factory=dict)
    """The orders that have been computed: by belief in the positive class, and by sureness."""
    totals: dict[int, Floats] = field(default_factory=dict)
    """The running totals of rank weights that have been computed, by the number of items."""

    @property
    def items(self) -> int:
        return len(self.part)

    def has(self, reads: str) -> bool:
        return reads in self.able

    def readings(self, wanted: Iterable[str], times: Integers) -> dict[str, Drawn]:
        """What measures are computed from in each draw, ``times`` (draws, items) being how often each item is in it: weighted
        tables, or the running totals of groups of ties. Every draw has the same number of items."""
        readings: dict[str, Drawn] = {}
        running: dict[_Order, Integers] = {}
        for reads in wanted:
            powers = _POWERS.get(reads.partition("@")[0], ())
            if reads in _BY_CONFIDENCE:
                assert self.run.weight is not None  # noqa: S101 - the caller has asked
                weights = self.run.weight[self.part]
                weights = weights / max(weights.max(), np.finfo(float).tiny)
                readings[reads] = tuple(self._tables(times * weights**power, self._cells) for power in powers)
                continue
            order = self._order(reads)  # all items are alike to a draw, so it may as well be of items in order
            if order not in running:
                running[order] = order.running(times)
            if reads in _BY_RANK:
                readings[reads] = tuple(self._weighted_by_rank(order, times, running[order], power) for power in powers)
            else:
                readings[reads] = (running[order], order.running(times * order.counted))
        return readings

    def _weighted_by_rank(self, order: _Order, times: Integers, running: Integers, power: int) -> Floats:
        """The tables of items by a power of their rank weights: each group has the difference of the weights' running total at
        its ends, which the items that were drawn share."""
        weights = _steps(np.take(self._weights_up_to(int(running[0, -1])), running))
        alone = weights if power == 1 else weights * (weights / np.maximum(_steps(running), 1)) ** (power - 1)
        tables = self._tables(alone, order.cells_alone)
        if len(order.tied):
            groups = order.group[order.tied]
            before = np.where(groups > 0, np.take(running, groups - 1, axis=1), 0)
            each = np.take(weights, groups, axis=1) / np.maximum(np.take(running, groups, axis=1) - before, 1)
            tables += self._tables(np.take(times, order.tied, axis=1) * each**power, order.cells[order.tied])
        return tables

    def sorted_by(self, reads: str) -> DrawnItems:
        """The same items in the order that a measure reads, so that ``times`` may say of each one how often it is drawn."""
        if reads in _BY_CONFIDENCE:
            return self
        return replace(self, part=self.part[self._order(reads).places], orders={})

    def _order(self, reads: str) -> _Order:
        belief = reads == "order@score"
        if belief not in self.orders:
            self.orders[belief] = self._ordered(reads)
        return self.orders[belief]

    def _ordered(self, reads: str) -> _Order:
        run, part = self.run, self.part
        mine = run.key(reads)[part]
        places = descending(mine)
        group = dense_ranks(mine[places]).astype(np.int64) - 1
        counted = run.counted(reads)[part][places].astype(np.int64)
        ends = np.flatnonzero(np.append(np.diff(group), 1))
        return _Order(places, ends, group, counted, self._cells[places])

    @cached_property
    def _cells(self) -> Floats:
        """1 in the cell of each item's gold class and label, 0 in the others."""
        return np.asarray(np.eye(self.classes**2)[self.run.gold[self.part] * self.classes + self.run.label[self.part]])

    def _weights_up_to(self, items: int) -> Floats:
        """The running total of the rank weights of so many items."""
        if items not in self.totals:
            self.totals[items] = running_total(self.series, items)
        return self.totals[items]

    def _tables(self, weights: Floats, cells: Floats) -> Floats:
        """Weights (draws, items) added up by gold class and label: (draws, C, C)."""
        return np.asarray(weights @ cells).reshape(-1, self.classes, self.classes)


@dataclass(frozen=True, eq=False)
class _Order:
    """Items in an order: their places before it, where each group of tied ones ends, and each one's group, whether it counts, and
    its cell of the table."""

    places: Integers
    ends: Integers
    group: Integers
    counted: Integers
    cells: Floats

    @cached_property
    def tied(self) -> Integers:
        """The items, in their order, of groups of several."""
        return np.flatnonzero(np.bincount(self.group)[self.group] > 1)

    @cached_property
    def cells_alone(self) -> Floats:
        """Of each group the cell of its only item; none of a group of several."""
        cells = self.cells[self.ends]
        cells[self.group[self.tied]] = 0
        return cells

    def running(self, times: Integers) -> Integers:
        """Totals along each row, at the ends of groups. (Of whole numbers, and by ``take``: each is several times faster than
        otherwise.)"""
        totals = np.cumsum(times, axis=1)
        return np.take(totals, self.ends, axis=1) if len(self.tied) else totals


def running_total(series: Series, items: int) -> Floats:
    """(items + 1,): what the weights of the first ranks add up to, of none at first."""
    return np.concatenate([[0.0], np.cumsum(series(items))])


def linear_weights(items: int) -> Floats:
    """(N + 1 - r) / (N (N + 1) / 2): the weights of ranks that are usual."""
    return np.arange(items, 0, -1.0) / (items * (items + 1) / 2)


def _steps(totals: Any) -> Any:
    """What running totals are the totals of; faster than ``np.diff`` where something is put before."""
    steps = totals.copy()
    steps[:, 1:] -= totals[:, :-1]
    return steps


@dataclass(frozen=True, eq=False)
class PairedItems:
    """Two runs' outputs for the same items, each run's and all together sorted once."""

    reads: str
    items: int
    first: DrawnItems
    second: DrawnItems
    together: DrawnItems
    place: Integers
    """Where each item stands among those that are drawn for."""

    def swapped(self, which: Booleans) -> tuple[Drawn, Drawn]:
        """What a measure reads of both runs after the outputs for some items (trials, items) have changed places."""
        run, item = np.divmod(self.together.part, self.items)
        mine = (run == 0) ^ which[:, self.place[item]]
        one, other = (self.together.readings([self.reads], side.astype(np.int64))[self.reads] for side in (mine, ~mine))
        return one, other

    def drawn(self, times: Integers) -> tuple[Drawn, Drawn]:
        """What it reads of both where each item is drawn so many times (trials, items)."""
        one, other = (run.readings([self.reads], times[:, self.place[run.part]])[self.reads] for run in (self.first, self.second))
        return one, other


COLUMNS = ("topic", "gold", "label", "sureness", "weight", "score")


def _stacked(first: Any, second: Any) -> Any:
    return None if first is None or second is None else np.concatenate([first, second])


def mean_ranks(key: Floats) -> Floats:
    """Ranks from the lowest key up; tied ones share the mean of their ranks.

    >>> mean_ranks(np.array([0.9, 0.4, 0.4]))
    array([3. , 1.5, 1.5])
    """
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[group])


# What a measure may read of the items: the attribute that it takes, and the columns of a file that give it.
_NEEDS = {
    "counts@rank": ("sureness", "column 'confidence' or 'rank'"),
    "counts@confidence": ("weight", "column 'confidence'"),
    "weights@rank": ("sureness", "column 'confidence' or 'rank'"),
    "weights@confidence": ("weight", "column 'confidence'"),
    "order@confidence": ("sureness", "column 'confidence' or 'rank'"),
    "order@score": ("score", "column 'score' or 'score_rank'"),
}


_BY_RANK, _BY_CONFIDENCE = frozenset({"counts@rank", "weights@rank"}), frozenset({"counts@confidence", "weights@confidence"})
_POWERS = {"counts": (1,), "weights": (1, 2)}
"""The powers of the items' weights that are added up for a measure of weighted items: the second says how unequal they are."""


def _by_own_weight(items: RunItems, part: Integers) -> Floats:
    assert items.weight is not None  # noqa: S101 - lacking() has said so
    return np.asarray(items.weight[part] / items.weight.max())  # so that no sum overflows


def _own_order(items: RunItems, reads: str) -> RunItems:
    """What a run says of its items on a scale that all runs share: mean ranks for an order, shares of all for weights."""
    if reads in _BY_CONFIDENCE and items.weight is not None:
        return replace(items, sureness=None, weight=items.weight / items.weight.sum(), score=None)
    ranks = -mean_ranks(-items.key(reads))
    return replace(items, sureness=ranks, weight=None, score=ranks)


def rank_weights(key: Floats, series: Series, places: Integers | None = None) -> Floats:
    """The weight of each item by its rank, the highest key first; tied items share the mean weight of their ranks. ``places``
    are the items in that order, where it is known.

    >>> rank_weights(np.array([0.9, 0.4, 0.4]), lambda n: np.arange(n, 0, -1) / 6)
    array([0.5 , 0.25, 0.25])
    """
    places = descending(key) if places is None else places
    group = dense_ranks(key[places]).astype(np.int64) - 1
    size = np.bincount(group)
    total = running_total(series, len(key))
    ends = np.cumsum(size)
    weights = np.empty(len(key))
    weights[places] = ((total[ends] - total[ends - size]) / size)[group]
    return weights
