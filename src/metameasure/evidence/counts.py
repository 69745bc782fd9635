"""Counts of (run, topic, gold class, predicted class): all that a classification measure needs, whatever the number of items.

Labels are made ready (numbers cut into classes, items divided into test cases), joined to gold, audited and counted in one query
for all runs, on whatever engine the tables live; then what becomes of items that a run does not answer is settled.
"""

from __future__ import annotations

import hashlib
import json
import math
import operator
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import added_up, note, say
from metameasure.core.notes import counted, first_of
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Classes, Kind, Scale, require
from metameasure.core.signature import Signature, digest_of_text
from metameasure.core.values import in_order, number_of
from metameasure.evidence.base import CaseEvidence, Reading, ScoredUnits, digest_of, lone_units, positions
from metameasure.evidence.label_audit import Audit
from metameasure.evidence.layout import whole_numbers
from metameasure.evidence.missing import LEFT_OUT, check_extra, check_missing, said_of_missing, stand_ins
from metameasure.evidence.side_by_side import Cuts, WideArrays, WideTable
from metameasure.evidence.weights import (
    LARGEST_WEIGHT,
    MOST_BITS,
    PART,
    ROUNDED,
    Digits,
    Weights,
    in_place,
    most_bits,
    rounded,
)
from metameasure.reading.engine import Frame, distinct, fetch, rows
from metameasure.reading.joining import KeyedTable
from metameasure.reading.key_faults import Faults, located, together
from metameasure.statistics.arrays import Booleans, Floats, Integers

if TYPE_CHECKING:
    from metameasure.evidence.outputs import Outputs

_FEW_CELLS = 1000  # so many are kept for a signature that nobody has read yet
_BLOCK_CELLS = 2**24
_MOST_SIGNS = 3
_ANSWERS = ("cells", "items", "weights")
_ARRAYS = (*_ANSWERS, "gold", "gold_items")
_SUMS = ("token", "beyond", "gold_beyond", "digest")
# The columns of gold, where it stands beside the runs' labels.
_OF_GOLD = ("topic", "gold", "weight", "gold_beyond", "cluster")
# Below this, sums of weights would leave the numbers that can be told apart.
_SMALLEST_WEIGHT = 1e-200
# What to do where topics turn out to be something else, by the format that they are read from.
_OTHER_COLUMN = "{--topic-column NAME} reads another column"
_OTHER_ORDER = {
    "semeval": "if a line begins with its topic, add {--format-in evall}",
    "evall": "if a line begins with its item, add {--format-in semeval}",
}
ONE_TOPIC = "all"
"""The topic of data without topics."""


@dataclass(frozen=True)
class CountOptions:
    """How labels are counted: see the interface's ``--classes``, ``--bins``, ``--missing`` and ``--partitions``."""

    classes: Classes | None = None
    kind: Kind | None = None
    bins: tuple[float, ...] = ()
    missing: str | None = None
    partitions: int | None = None
    seed: int = 0
    extra: str | None = None
    """What becomes of rows on items that gold lacks: ``error`` (by default) or ``ignore``."""
    numeric: bool = False
    """Whether labels are numbers and stay so: then there are no classes. CONTRIBUTING.md adds such a task."""

    @property
    def policies(self) -> str:
        """What may be done about items that a run lacks, in words."""
        return say("{--missing drop}") if self.numeric else say("{--missing worst}, drop or class:LABEL")

    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature has to say of it."""
        settings = {
            "bins": ",".join(f"{cut:g}" for cut in self.bins),
            "missing": self.missing or "",
            "extra": "ignore" if self.extra == "ignore" else "",
            "partitions": f"{self.partitions}/seed:{self.seed}" if self.partitions else "",
        }
        return tuple((name, value) for name, value in settings.items() if value)


class LabelEvidence(CaseEvidence):
    """Evidence from labels of items: whatever else there is, they can be counted."""

    name: ClassVar[str] = "counts"
    why_unusable: ClassVar[str] = "there are no items, or none that weighs anything"
    scale: Scale

    @abstractmethod
    def label_counts(self) -> LabelCounts:
        """The counts of its labels."""

    @property
    def clustered(self) -> bool:
        return self.label_counts().clusters

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
    """The names of the pieces of gold, or what finds out the only one's where somebody asks for it."""
    unit: int = 1
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    outputs: Outputs | None = None
    """Every run's output for every item, for questions that counts do not answer."""
    lower: LabelCounts | None = None
    """What ``other_end`` is."""

    def label_counts(self) -> LabelCounts:
        return self

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
    def clusters(self) -> bool:
        """Whether items come in clusters."""
        return self.outputs is not None and self.outputs.cluster is not None

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
        step = max(1, _BLOCK_CELLS // max(1, len(self.topics) * len(self.scale) ** 2))
        yield from (list(range(first, min(first + step, len(self.runs)))) for first in range(0, len(self.runs), step))

    def _dense(self, amounts: Integers | Floats, runs: Sequence[int] | None) -> Floats:
        self.scale.check_room(len(self.topics) * len(self.scale) ** 2)
        chosen, cells = list(range(len(self.runs))) if runs is None else list(runs), self.cells
        if len(chosen) < len(self.runs) or chosen != sorted(chosen):
            place = np.full(len(self.runs), -1)
            place[chosen] = np.arange(len(chosen))
            kept = place[cells[:, 0]] >= 0
            cells, amounts = cells[kept], amounts[kept]
            cells[:, 0] = place[cells[:, 0]]
        dense = np.zeros((len(chosen), len(self.topics), len(self.scale), len(self.scale)))
        dense[tuple(cells.T)] = amounts
        return dense

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
        return digest_of(map(_digits, arrays), after=facts + lower, dtype="<i8")

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of gold, how many items (and how much weight) each topic has in each class; of a run, how many of them it puts where.
        Where the outputs for single items are at hand, of those too, whatever the items' order."""
        facts = hashlib.sha256(json.dumps([str(self.scale), self.scale.kind, self.topics]).encode())
        gold = digest_of([*_coarsest(self.gold, self.unit), self.gold_items], after=facts, dtype="<i8")
        items = {} if self.outputs is None else {"items": self.outputs.digest()}
        return {"gold": gold, **items, "runs": self.run_digests(facts)}

    def signed(self) -> Signature:
        """Made when somebody reads it, where there is little to keep until then."""
        light = self.light()
        return super().signed() if light is None else Signature.later(super(LabelCounts, light).signed)

    def light(self) -> LabelCounts | None:
        """The same without what holds on to the rows of gold; None where there are many counts, or more than counts."""
        if self.outputs is not None or self.lower is not None or len(self.cells) > _FEW_CELLS:
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
        for part in (self, other):
            part.check_counts_alone()
        twice = [run for run in self.runs if run in other.runs] if {*self.gold_parts} & {*other.gold_parts} else []
        if twice:
            raise UsageError(f"run '{twice[0]}' is in both on the same items of gold", hint="add each part once")
        unit = max(self.unit, other.unit)
        parts = [_rescaled(self, unit), _rescaled(other, unit)]
        runs = tuple(dict.fromkeys((*self.runs, *other.runs)))
        topics = tuple(in_order({*self.topics, *other.topics}))
        cells = np.concatenate([_renumbered(part, runs, topics) for part in parts])
        items, weights = (np.concatenate([getattr(part, name) for part in parts]) for name in ("items", "weights"))
        gold, gold_items = (_gold_of_both(parts[0], parts[1], name, topics) for name in ("gold", "gold_items"))
        known = tuple(dict.fromkeys(self.gold_parts + other.gold_parts))
        notes = self.notes_with(other, self.notes, other.notes)
        lower = None if self.lower is other.lower is None else (self.lower or self).plus(other.lower or other)
        return _collected(
            LabelCounts(
                self.scale, runs, topics, cells, items, weights, gold, gold_items, known, unit, self.settings, notes, lower=lower
            )
        )

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

    def check_counts_alone(self) -> None:
        """UsageError where there is more to it than the counts, which alone are kept in files and merged."""
        if self.outputs is not None:
            raise UsageError("clusters and repeats are not in the counts", hint="evaluate the files themselves")

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.check_counts_alone()
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        if self.lower is not None:
            arrays |= {f"lower_{name}": getattr(self.lower, name) for name in _ANSWERS}
        texts = {name: array.astype(str) for name, array in arrays.items() if array.dtype == object}
        return {"gold_parts": self.gold_parts, "unit": self.unit}, arrays | texts

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        described = {name: facts[name] for name in ("runs", "topics", "unit", "settings", "notes")}
        named: dict[str, Any] = {name: whole_numbers(arrays[name]) for name in _ARRAYS}
        counts = cls(scale=scale or Scale.of([]), **described, **named, named_parts=tuple(facts["gold_parts"]))
        lower: dict[str, Any] = {name: whole_numbers(arrays[f"lower_{name}"]) for name in _ANSWERS if f"lower_{name}" in arrays}
        return replace(counts, lower=replace(counts, **lower)) if lower else counts


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
    together = reduce(operator.or_, each, 0)
    ends = (together & -together).bit_length() - 1 if together else counts.unit.bit_length()
    spare = min(ends, counts.unit.bit_length() - 2)
    kind = np.int64 if (max(each, default=0) >> spare).bit_length() <= MOST_BITS else object
    weights, gold = ((amounts.astype(object) >> spare).astype(kind) for amounts in (counts.weights, counts.gold))
    return replace(counts, weights=weights, gold=gold, unit=counts.unit >> spare)


def _coarsest(amounts: Integers, unit: int) -> tuple[Integers, list[int]]:
    """Whole numbers of 1/unit in the coarsest unit that holds them: the same whatever else is counted beside them."""
    if unit == 1:
        return _digits(amounts), [1]
    together = reduce(operator.or_, amounts.ravel().tolist(), 0)
    spare = min((together & -together).bit_length() - 1 if together else unit.bit_length(), unit.bit_length() - 1)
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


def _collected(counts: LabelCounts) -> LabelCounts:
    """Equal cells added up, all sorted."""
    shape = (len(counts.runs), len(counts.topics), len(counts.scale), len(counts.scale))
    all_places = np.ravel_multi_index(tuple(counts.cells.T), shape)
    if (all_places[1:] > all_places[:-1]).all():
        return _settled(counts)
    places, inverse = np.unique(all_places, return_inverse=True)
    cells = np.column_stack(np.unravel_index(places, shape)).astype(np.int64).reshape(-1, 4)
    items, weights = (_sums((len(cells),), inverse, amounts) for amounts in (counts.items, counts.weights))
    return _settled(replace(counts, cells=cells, items=items, weights=weights))


def _sums(shape: tuple[int, ...], places: Any, amounts: Integers) -> Integers:
    """Amounts added up by their places in an array of this shape."""
    total = np.zeros(shape, amounts.dtype)
    np.add.at(total, places, amounts)
    return total


@dataclass(frozen=True)
class GroupedRows:
    """The query's answer: for each group of rows its run, topic, gold and predicted label (None: missing), and sums over it."""

    run: list[Any]
    topic: list[Any]
    gold: list[Any]
    label: list[Any]
    items: Integers
    token: Integers
    beyond: Integers
    gold_beyond: Integers
    digest: Integers
    topicless: Booleans = field(kw_only=True)
    """Whether the rows of a group have no topic."""
    fixed: Integers = field(kw_only=True)
    """The sums of the weights, in their unit."""

    @classmethod
    def of(cls, columns: dict[str, npt.NDArray[Any]]) -> GroupedRows:
        size = len(columns["items"])

        def text(name: str) -> list[Any]:
            if name not in columns:
                return [None] * size
            values: list[Any] = columns[name].tolist()
            return [None if value != value else value for value in values] if columns[name].dtype.kind == "f" else values  # noqa: PLR0124

        def number(name: str) -> Integers:
            column = columns.get(name, nothing)
            if type(column) is np.ndarray and column.dtype == np.int64:
                return column
            return np.asarray(np.nan_to_num(np.ma.filled(column, 0)), dtype=np.int64)

        nothing, topics = np.zeros(size, np.int64), text("topic")
        return cls(
            text("run"),
            [ONE_TOPIC if topic is None else topic for topic in topics],
            text("gold"),
            text("label"),
            number("items"),
            *(number(name) for name in _SUMS),
            topicless=np.array([topic is None for topic in topics], dtype=bool),
            fixed=sum((in_place(name, number(name)) for name in columns if name.startswith(PART)), np.zeros(size, dtype=object)),
        )

    def weights(self, unit: int) -> Integers:
        return self.items if unit == 1 else self.fixed


_NO_GROUPS = GroupedRows.of({"items": np.zeros(0, np.int64)})


def count_tables(tables: KeyedTable, options: CountOptions) -> LabelCounts:
    """The counts of all runs. DataProblems names everything that is wrong; nothing is passed over in silence."""
    return count_prepared(*prepared(tables, options), options)


def prepared(tables: KeyedTable, options: CountOptions) -> tuple[KeyedTable, int]:
    """The tables ready to be grouped, and the unit of their weights."""
    if options.missing is not None:
        check_missing(options.missing)
    if options.extra is not None:
        check_extra(options.extra)
    if options.numeric and options.missing not in (None, "drop"):
        raise UsageError("numbers that a run lacks can only be left out", hint=say("choose {--missing drop}"))
    with tables.reading():
        tables = _share_between_repeats(_with_gold_apart(tables, options), options)
        tables = _deal_into_partitions(_cut_into_classes(tables, options), options)
        return _fixed_point(tables)


def _with_gold_apart(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Stacked rows as runs and a gold of their own, where it matters which items a run lacks: for a policy for missing ones, and
    for partitions. Rows of any shape, where a run has several outputs for an item."""
    if tables.repeated and tables.has_items:
        return gold_apart(tables)
    if tables.shape != "stacked" or tables.gold is not None:
        return tables
    if options.missing is None and options.partitions is None and tables.engine.is_here(tables.runs):
        return tables
    if not tables.has_items:
        if options.missing not in (None, "drop"):
            raise UsageError(
                say("{--missing <missing>} needs the items' ids", missing=options.missing),
                hint="add a column 'item', or choose drop",
            )
        return tables
    return gold_apart(tables)


def gold_apart(tables: KeyedTable) -> KeyedTable:
    """Rows that have gold beside the runs' labels as runs and a gold of their own, joined by the items' keys."""
    if tables.gold is not None:
        return tables
    had = tables.runs.collect_schema().names()
    of_gold = [
        name for name in (*_OF_GOLD, *(name for name in had if name.startswith(PART))) if name in had and name not in tables.keys
    ]
    gold = tables.engine.as_gold(distinct(tables.runs, *tables.keys, *of_gold), tables.keys)
    return replace(tables, gold=gold, runs=tables.runs.drop(*of_gold))


def _share_between_repeats(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Runs with the number of ``outputs`` that a run has for each row's item, which share the item's weight: so that every item
    counts once, whatever the number of outputs."""
    if not tables.repeated:
        return tables
    if options.missing is not None:
        raise UsageError(
            say("{--missing} is not for runs with several outputs for an item"), hint="give each item at least one output"
        )
    if not tables.has_items or tables.gold is None:
        raise UsageError("several outputs for an item need the items' ids", hint="add a column 'item'")
    by = ["run", *tables.keys]
    outputs = tables.runs.group_by(*by).agg(nw.len().cast(nw.Int64).alias("outputs"))
    shared = replace(tables, runs=tables.engine.kept(tables.runs.join(outputs, on=by, how="left")))
    if tables.has("weight"):
        return shared
    return replace(shared, gold=tables.gold.with_columns(nw.lit(1.0).alias("weight")), equal_weights=True)


def _cut_into_classes(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Numeric labels replaced by classes, and by ``beyond``, 1 for a label outside the ends of the scale."""
    if not options.bins:
        return tables
    scale = _scale_of_bins(options)
    ends = _numeric_ends(scale)
    if ends is not None and ends[0] > ends[1]:
        raise UsageError(
            f"the classes {scale} are in descending order, but bins are ascending", hint="name the classes from lowest to highest"
        )

    def cut(frame: Any, name: str, beyond: str) -> Any:
        column = nw.col(name)
        number = nw.when(~column.is_nan()).then(column)
        code = nw.lit(scale.labels[0])
        for edge, label in zip(options.bins, scale.labels[1:], strict=True):
            code = nw.when(column >= edge).then(nw.lit(label)).otherwise(code)
        outside = nw.when((number < ends[0]) | (number > ends[1])).then(nw.lit(1)).otherwise(nw.lit(0)) if ends else nw.lit(0)
        return frame.with_columns(nw.when(~number.is_null()).then(code).alias(name), outside.alias(beyond))

    if isinstance(tables, WideTable):
        return replace(tables, wide=tables.wide.cut(Cuts(options.bins, scale.labels, ends)))
    if tables.gold is not None:
        return replace(tables, gold=cut(tables.gold, "gold", "gold_beyond"), runs=cut(tables.runs, "label", "beyond"))
    return replace(tables, runs=cut(cut(tables.runs, "gold", "gold_beyond"), "label", "beyond"))


def _scale_of_bins(options: CountOptions) -> Scale:
    if options.classes is None:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes",
            hint=say("name them: {--classes <classes>}", classes=f"1..{len(options.bins) + 1}"),
        )
    scale = Scale.of(options.classes, kind=options.kind)
    if len(scale) != len(options.bins) + 1:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes, not {len(scale)}",
            hint="one edge between each two",
        )
    if not all(map(math.isfinite, options.bins)):
        raise UsageError("a bin edge is not a finite number", hint=say("as in {--bins 1.5,2.5}"))
    if any(low >= high for low, high in pairwise(options.bins)):
        raise UsageError("the bin edges do not increase", hint="give them from lowest to highest")
    return scale


def _numeric_ends(scale: Scale) -> tuple[float, float] | None:
    try:
        return float(scale.labels[0]), float(scale.labels[-1])
    except ValueError:
        return None


def _deal_into_partitions(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Divides items without topics at random into K test cases whose sizes differ by one item at most.

    The division depends on the seed and on the sorted ids only: not on the engine, the format or the order of rows.
    """
    if options.partitions is None:
        return tables
    if tables.has("topic"):
        raise UsageError("the data has topics already", hint=say("leave out {--partitions}, or the topic column"))
    if isinstance(tables, WideTable):
        places, names = _partitions(tables.wide.size, options.partitions, options.seed)
        return replace(tables, wide=tables.wide.dealt(places, names.tolist())) if len(places) else tables
    if not tables.has_items:
        raise UsageError("partitions need the items' ids", hint="add a column 'item'")
    tables = tables.here()
    source = tables.gold if tables.gold is not None else tables.one(0)
    items = fetch(source.select("item").sort("item"))["item"]
    places, names = _partitions(len(items), options.partitions, options.seed)
    if not len(places):
        return tables  # the audit will say so
    dealt = tables.engine.frame({"item": items, "topic": names[places]}, beside=source).unique("item")
    if tables.gold is not None:
        return replace(tables, gold=tables.engine.kept(tables.gold.join(dealt, on="item", how="left")))
    return replace(tables, runs=tables.runs.join(dealt, on="item", how="left"))


def _partitions(items: int, number: int, seed: int) -> tuple[Integers, npt.NDArray[np.object_]]:
    """The partition of each item, in the order of their ids, and the names of the partitions."""
    if items and not 2 <= number <= items:
        raise UsageError(f"{items} items cannot be divided into {number} partitions", hint="choose from 2 to the number of items")
    places = np.random.Generator(np.random.Philox(seed)).permutation(items) % number
    return places, np.array([f"part {place + 1:0{len(str(number))}}" for place in range(number)], dtype=object)


def _fixed_point(tables: KeyedTable) -> tuple[KeyedTable, int]:
    """Weights as whole numbers of 1/unit, a power of two, in columns whose sums are exact; 1 where there are none."""
    if not tables.has("weight"):
        return tables, 1
    source = tables.runs if tables.gold is None else tables.gold
    weights = tables.wide.weights() if isinstance(tables, WideTable) else Weights.in_frame(source)
    if weights.wrong:
        raise DataProblems(*_wrong_weights(tables, weights.wrong))
    number = _items_a_run(tables)
    if not number:
        return tables, 1  # the audit will say so
    if weights.largest < _SMALLEST_WEIGHT:
        raise tables.gold_source.error(0, "no weight is above 0", "at least one item must count")
    digits = Digits.of(weights, number)
    if isinstance(tables, WideTable):
        return replace(tables, wide=tables.wide.in_digits(digits)), digits.unit
    columns, unit = _shared(tables, weights, number) if tables.repeated else (digits.columns(), digits.unit)
    if tables.gold is None:
        return replace(tables, runs=source.with_columns(*columns)), unit
    return replace(tables, gold=source.with_columns(*columns)), unit


def _shared(tables: KeyedTable, weights: Weights, number: int) -> tuple[list[Any], int]:
    """A column of weights rounded to a unit in which several outputs for an item can share them, and that unit."""
    bits = most_bits(weights.largest, number)
    if bits < 1:
        raise tables.gold_source.error(
            0,
            say("weights as large as {largest:g} cannot be added up exactly", largest=weights.largest),
            "divide all weights by the same number",
        )
    return [rounded(bits)], 1 << bits


def _items_a_run(tables: KeyedTable) -> int:
    """How many items there are: gold's, or the most that a run has. It is the same for every shape of the same data."""
    if isinstance(tables, WideTable):
        return int(tables.wide.size)
    if tables.gold is not None:
        return rows(tables.gold)
    return max(map(int, fetch(tables.runs.group_by("run").agg(nw.len().alias("items")))["items"]), default=0)


def _wrong_weights(tables: KeyedTable, total: int) -> Faults:
    column = tables.gold_columns.weight

    def reason(record: Mapping[str, Any], line: int) -> str | None:
        cell = record.get(column)
        weight = number_of(cell)
        sound = weight is not None and 0 <= weight <= LARGEST_WEIGHT
        return None if sound else say("weight '{part}' is not a number from 0 up", part="" if cell is None else cell)

    unlocated = "a weight is missing, negative or not finite"
    return located(tables.gold_source, reason, None, total, "give each item a weight", [unlocated])


def count_prepared(tables: KeyedTable, unit: int, options: CountOptions) -> LabelCounts:
    """The counts of tables that are ready."""
    gold, groups = grouped(tables)
    scale = require(options.classes, {*gold.gold, *groups.gold, *groups.label} - {None}, kind=options.kind)
    codes = audited(tables, gold, groups, scale, options)
    counts = _assemble(tables, gold, groups, codes, scale, options, unit)
    said = _reading_notes(tables, counts, options)
    return replace(counts, notes=(*said, *counts.notes)) if said else counts


def _reading_notes(tables: KeyedTable, counts: LabelCounts, options: CountOptions) -> tuple[str, ...]:
    """What there is to say of how the sources were read; and of topics, where they look as if another column were meant."""
    said = dict.fromkeys(note for source in (tables.gold_source, *tables.run_sources) for note in source.notes)
    sizes = counts.gold_items.sum(axis=1)
    alone = int((sizes == 1).sum())
    if options.partitions is None and len(sizes) > 2 and 2 * alone > len(sizes):
        other = say(_OTHER_ORDER.get(tables.gold_source.format_name, _OTHER_COLUMN))
        template = "{alone:,} of {topics:,} topics have one item only; {other}; {--average pooled} takes all items as one topic"
        said[note("reading", template, alone=alone, topics=len(sizes), other=other)] = None
    return tuple(said)


def grouped(tables: KeyedTable) -> tuple[GroupedRows, GroupedRows]:
    """Gold's rows and the runs', of tables that are ready: those that are alike together."""
    with tables.reading():
        return _query(tables)


def audited(
    tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, scale: Scale | None, options: CountOptions
) -> dict[Any, int]:
    """What each label means, if nothing is wrong: the place of its class, or 0 of any number where labels are numbers, without a
    scale; -1 of None. DataProblems names everything that is wrong."""
    labels = {*gold.gold, *groups.gold, *groups.label} - {None}
    codes = {None: -1, **dict.fromkeys(labels, 0)} if scale is None else class_codes(scale, labels)
    audit = Audit(tables, gold, groups, codes, scale, options)
    wrong = together(audit.gold_problems(), audit.run_problems())
    if wrong[0]:
        raise DataProblems(*wrong)
    return codes


def _query(tables: KeyedTable) -> tuple[GroupedRows, GroupedRows]:
    """Gold's groups (topic, gold) and the runs' groups (run, topic, gold, label)."""
    if isinstance(tables, WideTable):
        return _NO_GROUPS, GroupedRows.of(tables.wide.grouped())
    by = ("run", *_topic(tables), "gold", "label")
    if tables.gold is None:
        runs = tables.runs
        if tables.has_items and tables.engine.is_here(runs):  # on a cluster, stacked rows have a gold of their own
            runs = tables.engine.with_token(runs, [*tables.keys, "gold", *(["weight"] if tables.has("weight") else [])])
        return _NO_GROUPS, GroupedRows.of(fetch(_grouped(runs, by)))
    totals = GroupedRows.of(fetch(_grouped(tables.gold, (*_topic(tables), "gold"))))
    if not totals.items.sum():
        return totals, _NO_GROUPS
    joined = tables.joined()
    if tables.repeated:
        shared = nw.col(ROUNDED)
        joined = joined.with_columns((shared / nw.col("outputs") + 0.5).floor().cast(nw.Int64).alias(ROUNDED))
    return totals, GroupedRows.of(fetch(_grouped(joined, by)))


def _topic(tables: KeyedTable) -> tuple[str, ...]:
    return ("topic",) if tables.has("topic") else ()


def _grouped(frame: Frame, by: Iterable[str]) -> Frame:
    sums = [name for name in frame.collect_schema().names() if name in _SUMS or name.startswith(PART)]
    grouped = frame.group_by(*by).agg(nw.len().alias("items"), *(nw.col(name).sum() for name in sums))
    return grouped.with_columns(nw.col("items", *sums).cast(nw.Int64))  # engines count and add in types of their own


def class_codes(scale: Scale, labels: Iterable[Any]) -> dict[Any, int]:
    """Each label's class; -1 for None, -2 for one outside the scale."""
    codes = {label: scale.find(label) for label in set(labels) - {None}}
    return {None: -1, **{label: -2 if code is None else code for label, code in codes.items()}}


def _assemble(
    tables: KeyedTable,
    gold: GroupedRows,
    groups: GroupedRows,
    codes: dict[Any, int],
    scale: Scale,
    options: CountOptions,
    unit: int,
) -> LabelCounts:
    """Labels are coded, missing answers handled, and equal cells added up."""
    topics = _gold_topics(gold if tables.gold is not None else groups)
    place = {topic: position for position, topic in enumerate(topics)}

    def coded(of: GroupedRows) -> Integers:
        columns = (
            [0 if run is None else run for run in of.run],
            [place.get(topic, -1) for topic in of.topic],  # that of a row on an item that gold lacks may be none
            [codes[label] for label in of.gold],
            [codes[label] for label in of.label],
        )
        return np.array(columns, dtype=np.int64).T

    cells, amounts = coded(groups), (groups.items, groups.weights(unit))
    known = (cells[:, 2] >= 0) & (cells[:, 3] >= 0)
    if tables.gold is None:
        first = (cells[:, 0] == 0) & (cells[:, 2] >= 0)  # gold stands beside every run's labels, so any run's will do
        of_gold = (cells[first], *(amount[first] for amount in amounts))
    else:
        of_gold = (coded(gold), gold.items, gold.weights(unit))
    shape = (len(topics), len(scale))
    in_gold = tuple(of_gold[0][:, 1:3].T)
    gold_items = _sums(shape, in_gold, of_gold[1])
    gold_weights = gold_items if unit == 1 else _sums(shape, in_gold, of_gold[2])
    counts = LabelCounts(
        scale,
        tables.names,
        topics,
        cells[known],
        amounts[0][known],
        amounts[1][known],
        gold_weights,
        gold_items,
        _gold_identity(tables, gold, groups, codes),
        unit,
        options.settings(),
        (
            *(_beyond_notes(tables, gold, groups) if options.bins else ()),
            *_extra_notes(tables, groups),
            *(() if {*codes} <= {*scale.labels, None} else _signs_of(tables, gold, groups, scale)),
        ),
    )
    if options.missing is not None:
        expected = [gold_items, gold_weights]
        if tables.gold is None:  # what stands in each run's own rows
            expected = [_sums((len(tables.names), *shape), tuple(cells[:, :3].T), amount) for amount in amounts]
        return _with_missing(counts, expected, options.missing)
    return _collected(counts)


def _gold_topics(groups: GroupedRows) -> tuple[str, ...]:
    """The topics of rows that gold has, in order: what a run says of others makes no topic."""
    return tuple(in_order({topic for topic, label in zip(groups.topic, groups.gold, strict=True) if label is not None}))


def _gold_identity(
    tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, codes: Mapping[Any, int]
) -> tuple[str] | Callable[[], str]:
    """A name for the items that gold consists of: the same for the same items, whatever the runs; without ids by their places,
    or else by what the runs say of them. It is left to whoever asks where it takes as long as counting them, or brings the items'
    ids from a cluster."""
    if isinstance(tables, WideTable) and isinstance(tables.wide, WideArrays):
        return partial(tables.wide.identity, dict(codes), tables.names)
    if tables.gold is not None and not tables.engine.is_here(tables.gold):
        return partial(_read_identity, tables, gold, groups)
    with tables.reading():
        return (_read_identity(tables, gold, groups),)


def _read_identity(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> str:
    if tables.gold is not None:
        return f"{int(gold.items.sum())}:{tables.engine.digest(tables.gold, tables.keys)}"
    if not tables.has_items:
        rows = sorted(map(str, zip(groups.run, groups.topic, groups.gold, groups.label, groups.items.tolist(), strict=True)))
        return hashlib.sha256("\n".join([*tables.names, *rows]).encode()).hexdigest()[:16]
    if isinstance(tables, WideTable):
        return "|".join([tables.wide.identity(), *tables.names])
    first = [row for row, run in enumerate(groups.run) if run == 0]
    return "|".join([f"{int(groups.items[first].sum())}:{int(groups.digest[first].sum())}", *tables.names])


def _extra_notes(tables: KeyedTable, groups: GroupedRows) -> tuple[str, ...]:
    """Rows on items that gold does not have; the audit has let them pass."""
    if tables.gold is None:
        return ()
    strange = np.array([label is None for label in groups.gold], dtype=bool)
    outside = _sums((len(tables.names),), np.array(groups.run, dtype=np.int64)[strange], groups.items[strange])
    return tuple(
        note(
            "rows read otherwise",
            "{name}: {rows} on items that gold does not have left out",
            name=name,
            rows=counted(number, "row"),
        )
        for name, number in zip(tables.names, outside.tolist(), strict=True)
        if number
    )


def _signs_of(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows, scale: Scale) -> tuple[str, ...]:
    """Labels of gold and runs that are numbers with another sign than their classes."""
    own = zip(groups.run, groups.gold, groups.label, groups.items.tolist(), strict=True)
    said = [(run, label, items) for run, known, label, items in own if known is not None]
    if tables.gold is not None:
        of_gold = list(zip(gold.gold, gold.items.tolist(), strict=True))
    else:
        beside = zip(groups.run, groups.gold, groups.items.tolist(), strict=True)
        of_gold = [(label, items) for run, label, items in beside if run == 0]
    notes = sign_notes(scale, [("gold", label, items) for label, items in of_gold])
    return notes + sign_notes(scale, [(tables.names[run], label, items) for run, label, items in said])


def sign_notes(scale: Scale, labels: Sequence[tuple[str, Any, int]]) -> tuple[str, ...]:
    """How many labels of whom, so often each, are read as a class that is written with another sign."""
    read_as = {label: scale.signed_otherwise(label) for label in {label for _, label, _ in labels} - {None}}
    found: dict[str, Counter[str]] = {}
    for whose, label, number in labels if any(read_as.values()) else ():
        if read_as.get(label) is not None:
            found.setdefault(whose, Counter())[label] += number
    notes = []
    for whose, times in found.items():
        pairs = [say("'{label}' as '{other}'", label=label, other=str(read_as[label])) for label in sorted(times)]
        shown = first_of(pairs, _MOST_SIGNS)
        notes.append(
            note(
                "rows read otherwise",
                "{whose}: {labels} with another sign read as the same number ({shown})",
                whose=whose,
                labels=counted(times.total(), "label"),
                shown=shown,
            )
        )
    return tuple(notes)


def _beyond_notes(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> tuple[str, ...]:
    """Labels beyond the ends of the scale, which the bins have put into the end classes."""
    run = np.array(groups.run, dtype=np.int64)
    per_run = _sums((len(tables.names),), run, groups.beyond)
    of_gold = gold.gold_beyond.sum() if tables.gold is not None else groups.gold_beyond[run == 0].sum()
    return tuple(
        note(
            "rows read otherwise",
            "{name}: {labels} beyond the ends of the scale counted in the end classes",
            name=name,
            labels=counted(number, "label"),
        )
        for name, number in zip(("gold", *tables.names), (of_gold, *per_run), strict=True)
        if number
    )


def _with_missing(counts: LabelCounts, expected: Sequence[Integers], policy: str) -> LabelCounts:
    """What each run lacks left out, or counted as answers of a stand-in class; and a note of how many there were. ``expected``
    are the items that each run should have answered and their weights, (topics, C) or (runs, topics, C)."""
    shape, places = (len(counts.runs), *counts.gold.shape), tuple(counts.cells[:, :3].T)
    answers = (_sums(shape, places, amount) for amount in (counts.items, counts.weights))
    items, weights = (whole - answered for whole, answered in zip(expected, answers, strict=True))
    stand_in = None if policy in LEFT_OUT else stand_ins(counts.scale, policy)
    either = np.zeros(len(counts.scale), bool) if stand_in is None else stand_in != stand_ins(counts.scale, policy, lower=True)
    counts = replace(counts, notes=(*counts.notes, *said_of_missing(counts.runs, items, either, policy)))
    if stand_in is None:
        return _collected(counts)
    absent = np.argwhere(items > 0)

    def filled(answers: Integers) -> LabelCounts:
        at = tuple(absent.T)
        return _collected(
            replace(
                counts,
                cells=np.concatenate([counts.cells, np.column_stack([absent, answers[absent[:, 2]]])]),
                items=np.concatenate([counts.items, items[at]]),
                weights=np.concatenate([counts.weights, weights[at]]),
            )
        )

    lower = filled(stand_ins(counts.scale, policy, lower=True)) if items[..., either].any() else None
    return replace(filled(stand_in), lower=lower)
