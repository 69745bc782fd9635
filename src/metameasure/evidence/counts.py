"""Counts of (run, topic, gold class, predicted class): all that a classification measure needs, whatever the number of items."""

from __future__ import annotations

import json
import operator
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.messages import added_up, say
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature, digest_of_text
from metameasure.core.values import in_order
from metameasure.evidence.base import CaseEvidence, Reading, ScoredUnits, described, digest_of, hash_of, lone_units, positions
from metameasure.evidence.layout import whole_numbers
from metameasure.evidence.weights import MOST_BITS
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.work import blocks

if TYPE_CHECKING:
    from metameasure.evidence.outputs import Outputs

_FEW_CELLS = 1000  # so many are kept for a signature that nobody has read yet
_BLOCK_CELLS = 2**24
_ANSWERS = ("cells", "items", "weights")
_ARRAYS = (*_ANSWERS, "gold", "gold_items")
ONE_TOPIC = "all"
"""The topic of data without topics."""


class LabelEvidence(CaseEvidence):
    """Evidence from labels of items: whatever else there is, they can be counted."""

    name: ClassVar[str] = "counts"
    why_unusable: ClassVar[str] = "there are no items, or none that weighs anything"
    scale: Scale

    @abstractmethod
    def label_counts(self) -> LabelCounts:
        """The counts of its labels."""

    @abstractmethod
    def with_counts(self, counts: LabelCounts) -> Self:
        """The same with other counts of its labels."""

    @property
    def clustered(self) -> bool:
        outputs = self.label_counts().outputs
        return outputs is not None and outputs.cluster is not None

    def scored(self, reads: str) -> ScoredUnits:
        counts = self.label_counts()
        answered = np.rint(np.bincount(counts.cells[:, 0], counts.items, minlength=len(counts.runs))).astype(np.int64)
        return ScoredUnits(answered, max(round(float(counts.gold_items.sum())), int(answered.max(initial=0))), "items")

    def lone_units(self) -> list[str]:
        counts = self.label_counts()
        outputs = counts.outputs
        if outputs is not None and outputs.cluster is not None:
            return lone_units(counts.topics, outputs.topic, outputs.cluster)
        return [topic for topic, one in zip(counts.topics, counts.gold_items.sum(axis=1).tolist(), strict=True) if one == 1]


@dataclass(frozen=True, eq=False)
class LabelCounts(LabelEvidence):
    """Sparse counts, sorted by run, topic, gold and predicted class: the same whatever they were counted from.

    ``cells`` has those four as columns. ``items`` counts items; ``weights`` sums their weights in units of 1/``unit``, a power of
    two: exactly, so that the sum does not depend on the order of adding, nor on the parts in which it is done (numbers of
    Python's where 62 bits are too few). Without weights both are the same and ``unit`` is 1. ``gold`` and
    ``gold_items`` (topics, C) are the same of gold itself, whatever the runs answered; ``gold_parts`` name the pieces of gold
    that are in them, so that none is added twice.
    """

    task: ClassVar[str] = "classification"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    cells: Integers
    items: Integers
    weights: Integers
    gold: Integers
    gold_items: Integers
    named_parts: tuple[str, ...] | Callable[[], str] = ()
    """The names of the pieces of gold; or, of a single piece, a function that finds out its name when it is asked for."""
    unit: int = 1
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    outputs: Outputs | None = None
    """Every run's output for every item, for questions that counts do not answer."""
    lower: LabelCounts | None = None
    """What ``other_end`` is."""
    paired: tuple[Outputs, ...] = ()
    """The outputs of two runs at a time, where only these are compared item by item."""

    def label_counts(self) -> LabelCounts:
        return self

    def with_counts(self, counts: LabelCounts) -> LabelCounts:
        return counts

    def other_end(self) -> LabelCounts | None:
        if self.lower is None or self.outputs is None:
            return self.lower
        return replace(self.lower, outputs=self.outputs.at_lower_end(np.ones(len(self.runs), bool)))

    @cached_property
    def gold_parts(self) -> tuple[str, ...]:
        """The names of the pieces of gold."""
        return (self.named_parts(),) if callable(self.named_parts) else self.named_parts

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        weights = self.tables(runs)
        items = self.item_tables(runs) if self.weighted else weights
        return Reading.of((weights,), (weights.sum(axis=1),), items.sum(axis=(-2, -1)), of_one=len(self.topics) == 1)

    def size(self, run: int) -> str:
        return f"{int(self.items[self.cells[:, 0] == run].sum())} items"

    @property
    def missing_are_zero(self) -> bool:
        """Whether items that a run lacks stay in gold, and are worth nothing."""
        return ("missing", "zero") in self.settings

    @property
    def weighted(self) -> bool:
        return self.unit != 1

    def tables(self, runs: Sequence[int] | None = None) -> Floats:
        """Dense weights (runs, topics, C, C)."""
        return self._dense(_amounts(self.weights, self.unit), runs)

    def item_tables(self, runs: Sequence[int] | None = None) -> Floats:
        """Dense counts of items (runs, topics, C, C)."""
        return self._dense(self.items, runs)

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose dense tables fit well into memory."""
        for first, size in blocks(len(self.runs), len(self.topics) * len(self.scale) ** 2, _BLOCK_CELLS):
            yield list(range(first, first + size))

    def _dense(self, amounts: Integers | Floats, runs: Sequence[int] | None) -> Floats:
        self.scale.check_room(len(self.topics) * len(self.scale) ** 2)
        chosen, cells = list(range(len(self.runs))) if runs is None else list(runs), self.cells
        if len(chosen) < len(self.runs) or chosen != sorted(chosen):
            kept, cells = self._cells_of(chosen)
            amounts = amounts[kept]
        dense = np.zeros((len(chosen), len(self.topics), len(self.scale), len(self.scale)))
        dense[tuple(cells.T)] = amounts
        return dense

    def _cells_of(self, runs: Sequence[int] | Integers) -> tuple[Booleans, Integers]:
        """Which cells are of some runs, and those cells, with the places that the runs have among these."""
        place = np.full(len(self.runs), -1)
        place[runs] = np.arange(len(runs))
        kept: Booleans = place[self.cells[:, 0]] >= 0
        return kept, np.column_stack([place[self.cells[kept, 0]], self.cells[kept, 1:]])

    def gold_tables(self) -> Floats:
        """Weights of gold (topics, C)."""
        return _amounts(self.gold, self.unit)

    def checksum(self) -> str:
        """The same for the same counts, whatever files or frames they come from, and in whatever order the runs are named."""
        runs, cells, items, weights = sorted(self.runs), self.cells, self.items, self.weights
        if runs != [*self.runs]:
            cells = np.column_stack([positions(self.runs, runs)[cells[:, 0]], cells[:, 1:]])
            sorting = np.lexsort(cells.T[::-1])
            cells, items, weights = cells[sorting], items[sorting], weights[sorting]
        facts = json.dumps([str(self.scale), self.scale.kind, runs, self.topics, self.unit])
        arrays = (cells, items, weights, self.gold, self.gold_items)
        lower = self.lower.checksum() if self.lower is not None else ""
        joint = "" if self.outputs is None else self.outputs.digest()
        joint += self._digest_of_pairs()
        return digest_of(map(_digits, arrays), after=facts + lower + joint, dtype="<i8")

    def which_items(self) -> Any:
        return self.gold_parts

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of gold, how many items (and how much weight) each topic has in each class; of a run, how many of them it puts where.
        Where the outputs for single items are at hand, of those too, whatever the items' order."""
        facts = hash_of([str(self.scale), self.scale.kind, self.topics])
        gold = digest_of([*_coarsest(self.gold, self.unit), self.gold_items], after=facts, dtype="<i8")
        items = {} if self.outputs is None else {"items": self.outputs.digest()}
        items |= {"items": digest_of_text(self._digest_of_pairs())} if self.paired else {}
        return {"gold": gold, **items, "runs": self.run_digests(facts)}

    def _digest_of_pairs(self) -> str:
        each = (json.dumps([sorted(one.runs), one.digest()]) for one in self.paired)
        return "".join(sorted(each))

    def of_runs(self, runs: Sequence[str]) -> LabelCounts:
        """Some of the runs, without what is known of single items."""
        kept, cells = self._cells_of(positions(runs, self.runs))
        lower = None if self.lower is None else self.lower.of_runs(runs)
        own = replace(
            self, runs=tuple(runs), cells=cells, items=self.items[kept], weights=self.weights[kept], outputs=None, paired=()
        )
        return collected(replace(own, lower=lower))

    def signed(self) -> Signature:
        """Made when somebody reads it, where there is little to keep until then."""
        light = self.light()
        return super().signed() if light is None else Signature.later(super(LabelCounts, light).signed)

    def light(self) -> LabelCounts | None:
        """The same without what holds on to the rows of gold; None where there are many counts, or more than counts."""
        if self.outputs is not None or self.paired or self.lower is not None or len(self.cells) > _FEW_CELLS:
            return None
        return replace(self, named_parts=())

    def run_digests(self, facts: Any) -> dict[str, str]:
        """The digest of each run, by name; ``facts`` is a hash of what they share."""
        lower = {} if self.lower is None else self.lower.run_digests(facts)
        ends = np.searchsorted(self.cells[:, 0], np.arange(len(self.runs) + 1))
        digests = {}
        for place, run in sorted(enumerate(self.runs), key=lambda one: one[1]):
            own = slice(ends[place], ends[place + 1])
            arrays = (self.cells[own, 1:], self.items[own], *_coarsest(self.weights[own], self.unit))
            digests[run] = digest_of(arrays, after=facts, dtype="<i8")
            if lower:
                digests[run] = digest_of_text(digests[run] + lower[run])
        return digests

    def plus(self, other: LabelCounts) -> LabelCounts:
        """Both together: counted apart and merged, two halves of the data are the whole."""
        self.check_settings(other)
        twice = [run for run in self.runs if run in other.runs] if {*self.gold_parts} & {*other.gold_parts} else []
        if twice:
            raise UsageError(say("run '{run}' is in both on the same items of gold", run=twice[0]), hint="add each part once")
        unit = max(self.unit, other.unit)
        parts = [_rescaled(self, unit), _rescaled(other, unit)]
        runs = tuple(dict.fromkeys((*self.runs, *other.runs)))
        topics = tuple(in_order({*self.topics, *other.topics}))
        cells = np.concatenate([_renumbered(part, runs, topics) for part in parts])
        items, weights = (np.concatenate([getattr(part, name) for part in parts]) for name in ("items", "weights"))
        gold, gold_items = (_gold_of_both(parts[0], parts[1], name, topics) for name in ("gold", "gold_items"))
        known = tuple(dict.fromkeys(self.gold_parts + other.gold_parts))
        notes = self.notes_with(other, self.notes, other.notes)
        lower = None
        if self.lower is not None or other.lower is not None:
            plain = (replace(one.lower or one, outputs=None, paired=()) for one in (self, other))
            lower = next(plain).plus(next(plain))
        whole = replace(
            self, runs=runs, topics=topics, cells=cells, items=items, weights=weights, gold=gold, gold_items=gold_items,
            named_parts=known, unit=unit, notes=notes, outputs=None, lower=lower, paired=(),
        )  # fmt: skip
        if self.outputs is other.outputs is None and not self.paired and not other.paired:
            return collected(whole)
        return collected(self._with_items_of(other, whole))

    def _with_items_of(self, other: LabelCounts, whole: LabelCounts) -> LabelCounts:
        """With what is known of single items in both parts."""
        from metameasure.evidence.joint import added, added_pairs  # noqa: PLC0415 - which needs the engine

        outputs = added(self, other, whole.runs, whole.topics)
        return replace(whole, outputs=outputs, paired=added_pairs(self, other, whole.topics))

    __add__ = plus

    def notes_with(self, other: LabelCounts, own: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
        """What is said of both: what was counted adds up on other items, and is the same on the same."""
        if {*self.gold_parts} & {*other.gold_parts}:
            return tuple(dict.fromkeys((*own, *others)))
        return added_up(own, others)

    def without_runs(self) -> LabelCounts:
        """Gold's own counts."""
        nothing = np.zeros(0, np.int64)
        return replace(self, runs=(), cells=np.zeros((0, 4), np.int64), items=nothing, weights=nothing, lower=None)

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        from metameasure.evidence import joint  # noqa: PLC0415 - which needs the engine

        arrays = {name: getattr(self, name) for name in _ARRAYS}
        if self.lower is not None:
            arrays |= {f"lower_{name}": getattr(self.lower, name) for name in _ANSWERS}
        texts = {name: array.astype(str) for name, array in arrays.items() if array.dtype == object}
        facts, items = ({}, {}) if self.outputs is None else joint.stored(self.outputs)
        pairs, of_pairs = joint.stored_pairs(self.paired)
        return {"gold_parts": self.gold_parts, "unit": self.unit, **facts, **pairs}, arrays | texts | items | of_pairs

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        named: dict[str, Any] = {name: whole_numbers(arrays[name]) for name in _ARRAYS}
        parts = tuple(part.partition("|")[0] for part in facts["gold_parts"])  # behind which earlier versions named the runs
        counts = cls(scale=scale or Scale.of([]), **described(facts), **named, named_parts=parts, unit=facts["unit"])
        lower: dict[str, Any] = {name: whole_numbers(arrays[f"lower_{name}"]) for name in _ANSWERS if f"lower_{name}" in arrays}
        from metameasure.evidence import joint  # noqa: PLC0415 - which needs the engine

        outputs = joint.restored(facts, arrays, counts.runs, counts.scale)
        paired = joint.restored_pairs(facts, arrays, counts.scale)
        return replace(counts, lower=replace(counts, **lower) if lower else None, outputs=outputs, paired=paired)


def _gold_of_both(first: LabelCounts, second: LabelCounts, name: str, topics: tuple[str, ...]) -> Integers:
    """Gold of two parts of the data added up; what the second shares with the first is there already."""
    shared = {*first.gold_parts} & {*second.gold_parts}
    if shared and shared not in ({*first.gold_parts}, {*second.gold_parts}):
        raise UsageError("the two share some of their gold but not all", hint="add up the parts of each run first")
    parts = [first, second] if not shared else [first if shared == {*second.gold_parts} else second]
    total = np.zeros((len(topics), len(first.scale)), getattr(first, name).dtype)
    for part in parts:
        total[positions(part.topics, topics)] += getattr(part, name)
    return total


def _rescaled(counts: LabelCounts, unit: int) -> LabelCounts:
    """The same weights in a unit that is as fine or finer, in numbers of Python's."""
    if unit == 1:
        return counts
    weights, gold = (amounts.astype(object) * (unit // counts.unit) for amounts in (counts.weights, counts.gold))
    return replace(counts, weights=weights, gold=gold, unit=unit)


def _settled(counts: LabelCounts) -> LabelCounts:
    """Weights in the coarsest unit that holds them exactly, 1/2 or less. It depends on their sums alone: not on how they were
    added up."""
    if not counts.weighted:
        return counts
    each = [*counts.weights.tolist(), *counts.gold.ravel().tolist()]
    spare = _spare_bits(each, counts.unit.bit_length() - 2)
    kind = np.int64 if (max(each, default=0) >> spare).bit_length() <= MOST_BITS else object
    weights, gold = ((amounts.astype(object) >> spare).astype(kind) for amounts in (counts.weights, counts.gold))
    return replace(counts, weights=weights, gold=gold, unit=counts.unit >> spare)


def _spare_bits(numbers: Iterable[int], most: int) -> int:
    """How many of the lowest bits are 0 in all of the numbers, of so many at most."""
    together = reduce(operator.or_, numbers, 0)
    return min((together & -together).bit_length() - 1, most) if together else most


def _coarsest(amounts: Integers, unit: int) -> tuple[Integers, list[int]]:
    """Whole numbers of 1/unit in the coarsest unit that holds them: the same whatever else is counted beside them."""
    if unit == 1:
        return _digits(amounts), [1]
    spare = _spare_bits(amounts.ravel().tolist(), unit.bit_length() - 1)
    return _digits(amounts.astype(object) >> spare), [unit.bit_length() - spare]


def _amounts(numbers: Integers, unit: int) -> Floats:
    """Whole numbers of 1/unit, a power of two, as floats that are rounded once."""
    if numbers.dtype == object:
        return np.array([number / unit for number in numbers.ravel().tolist()], dtype=float).reshape(numbers.shape)
    return np.asarray(np.ldexp(numbers.astype(float), 1 - unit.bit_length()))


def _digits(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers as 64 bits can hold them."""
    return np.frombuffer(" ".join(map(str, numbers.ravel().tolist())).encode(), np.uint8) if numbers.dtype == object else numbers


def _renumbered(counts: LabelCounts, runs: tuple[str, ...], topics: tuple[str, ...]) -> Integers:
    cells = counts.cells.copy()
    for column, (old, new) in enumerate(((counts.runs, runs), (counts.topics, topics))):
        cells[:, column] = positions(old, new)[cells[:, column]]
    return cells


def collected(counts: LabelCounts) -> LabelCounts:
    """Equal cells added up, all sorted."""
    shape = (len(counts.runs), len(counts.topics), len(counts.scale), len(counts.scale))
    all_places = np.ravel_multi_index(tuple(counts.cells.T), shape)
    if (all_places[1:] > all_places[:-1]).all():
        return _settled(counts)
    places, inverse = np.unique(all_places, return_inverse=True)
    cells = np.column_stack(np.unravel_index(places, shape)).astype(np.int64).reshape(-1, 4)
    items, weights = (sums((len(cells),), inverse, amounts) for amounts in (counts.items, counts.weights))
    return _settled(replace(counts, cells=cells, items=items, weights=weights))


def sums(shape: tuple[int, ...], places: Any, amounts: Integers) -> Integers:
    """Amounts added up by their places in an array of this shape."""
    total = np.zeros(shape, amounts.dtype)
    np.add.at(total, places, amounts)
    return total
