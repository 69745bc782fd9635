"""Counts of (run, topic, gold class, predicted class): all that a classification measure needs, whatever the number of items."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.evidence.base import CaseEvidence, Reading
from metameasure.evidence.outputs import Outputs
from metameasure.scale import Scale
from metameasure.values import in_order

Integers = npt.NDArray[np.int64]
_BLOCK_CELLS = 2**24
_ARRAYS = ("cells", "items", "weights", "gold", "gold_items")
ONE_TOPIC = "all"
"""The topic of data without topics."""


class LabelEvidence(CaseEvidence):
    """Evidence from labels of items: whatever else there is, they can be counted."""

    scale: Scale

    @abstractmethod
    def label_counts(self) -> LabelCounts:
        """The counts of its labels."""


@dataclass(frozen=True, eq=False)
class LabelCounts(LabelEvidence):
    """Sparse counts, sorted by run, topic, gold and predicted class: the same whatever they were counted from.

    ``cells`` has those four as columns. ``items`` counts items; ``weights`` sums their weights in units of 1/``unit``, so that
    the sum does not depend on the order of adding. Without weights both are the same and ``unit`` is 1. ``gold`` and
    ``gold_items`` (topics, C) are the same of gold itself, whatever the runs answered; ``gold_parts`` name the pieces of gold
    that are in them, so that none is added twice.
    """

    task: ClassVar[str] = "classification"
    name: ClassVar[str] = "counts"
    why_unusable: ClassVar[str] = "there are no items, or none that weighs anything"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    cells: Integers
    items: Integers
    weights: Integers
    gold: Integers
    gold_items: Integers
    gold_parts: tuple[str, ...] = ()
    unit: int = 1
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    outputs: Outputs | None = None
    """Every run's output for every item, for questions that counts do not answer."""

    def label_counts(self) -> LabelCounts:
        return self

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        weights = self.tables(runs)
        return Reading.of((weights,), (weights.sum(axis=1),), self.item_tables(runs).sum(axis=(-2, -1)))

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

    def tables(self, runs: Sequence[int] | None = None) -> npt.NDArray[np.float64]:
        """Dense weights (runs, topics, C, C)."""
        return self._dense(self.weights, runs) / self.unit

    def item_tables(self, runs: Sequence[int] | None = None) -> npt.NDArray[np.float64]:
        """Dense counts of items (runs, topics, C, C)."""
        return self._dense(self.items, runs)

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose dense tables fit well into memory."""
        size = len(self.topics) * len(self.scale) ** 2
        step = max(1, _BLOCK_CELLS // max(1, size))
        yield from (list(range(first, min(first + step, len(self.runs)))) for first in range(0, len(self.runs), step))

    def _dense(self, amounts: Integers, runs: Sequence[int] | None) -> npt.NDArray[np.float64]:
        chosen = list(range(len(self.runs))) if runs is None else list(runs)
        place = np.full(len(self.runs), -1)
        place[chosen] = np.arange(len(chosen))
        kept = place[self.cells[:, 0]] >= 0
        dense = np.zeros((len(chosen), len(self.topics), len(self.scale), len(self.scale)))
        run, topic, gold, predicted = self.cells[kept].T
        dense[place[run], topic, gold, predicted] = amounts[kept]
        return dense

    def gold_tables(self) -> npt.NDArray[np.float64]:
        """Weights of gold (topics, C)."""
        return self.gold / self.unit

    def checksum(self) -> str:
        """The same for the same counts, whatever files or frames they come from, and in whatever order the runs are named."""
        order = np.argsort(self.runs, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        cells = np.column_stack([place[self.cells[:, 0]], self.cells[:, 1:]])
        sorting = np.lexsort(cells.T[::-1])
        facts = [str(self.scale), self.scale.kind, sorted(self.runs), self.topics, self.unit]
        digest = hashlib.sha256(json.dumps(facts).encode())
        for array in (cells[sorting], self.items[sorting], self.weights[sorting], self.gold, self.gold_items):
            digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        return digest.hexdigest()[:12]

    def __add__(self, other: LabelCounts) -> LabelCounts:
        """Both together: counted apart and merged, two halves of the data are the whole."""
        return self.plus(other)

    def plus(self, other: LabelCounts) -> LabelCounts:
        self.check_settings(other)
        twice = [run for run in self.runs if run in other.runs] if {*self.gold_parts} & {*other.gold_parts} else []
        if twice:
            raise UsageError(f"run '{twice[0]}' is in both on the same items of gold", hint="add each part once")
        unit = _common_unit(self, other)
        parts = [_rescaled(self, unit), _rescaled(other, unit)]
        runs = tuple(dict.fromkeys((*self.runs, *other.runs)))
        topics = ordered({*self.topics, *other.topics})
        cells = np.concatenate([_renumbered(part, runs, topics) for part in parts])
        items, weights = (np.concatenate([getattr(part, name) for part in parts]) for name in ("items", "weights"))
        gold, gold_items = (_gold_of_both(parts[0], parts[1], name, topics) for name in ("gold", "gold_items"))
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        known = tuple(dict.fromkeys((*self.gold_parts, *other.gold_parts)))
        return collect(
            LabelCounts(self.scale, runs, topics, cells, items, weights, gold, gold_items, known, unit, self.settings, notes)
        )

    def without_runs(self) -> LabelCounts:
        """Gold's own counts."""
        nothing = np.zeros(0, np.int64)
        return replace(self, runs=(), cells=np.zeros((0, 4), np.int64), items=nothing, weights=nothing)

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        if self.outputs is not None:
            raise UsageError("clusters and repeats are not in the counts", hint="evaluate the files themselves")
        return {"gold_parts": self.gold_parts, "unit": self.unit}, {name: getattr(self, name) for name in _ARRAYS}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        described = {name: facts[name] for name in ("runs", "topics", "unit", "settings", "notes")}
        named = {name: arrays[name] for name in _ARRAYS}
        return cls(scale=scale or Scale.of([]), **described, **named, gold_parts=tuple(facts["gold_parts"]))


def _gold_of_both(first: LabelCounts, second: LabelCounts, name: str, topics: tuple[str, ...]) -> Integers:
    """Gold of two parts of the data added up; what the second shares with the first is there already."""
    shared = {*first.gold_parts} & {*second.gold_parts}
    if shared and shared not in ({*first.gold_parts}, {*second.gold_parts}):
        raise UsageError("the two share some of their gold but not all", hint="add up the parts of each run first")
    parts = [first, second] if not shared else [first if shared == {*second.gold_parts} else second]
    total = np.zeros((len(topics), len(first.scale)), np.int64)
    for part in parts:
        total[[topics.index(topic) for topic in part.topics]] += getattr(part, name)
    return total


def _common_unit(first: LabelCounts, second: LabelCounts) -> int:
    """The coarser of both units, or one so coarse that the sum of all weights has room."""
    unit = min(part.unit for part in (first, second) if part.weighted) if first.weighted or second.weighted else 1
    total = sum(int(part.weights.sum()) / part.unit for part in (first, second))
    while unit > 2 and total * unit >= 2.0**62:
        unit //= 2
    return unit


def _rescaled(counts: LabelCounts, unit: int) -> LabelCounts:
    if counts.unit == unit:
        return counts
    factor = unit / counts.unit  # both are powers of two
    weights, gold = (np.rint(amounts * factor).astype(np.int64) for amounts in (counts.weights, counts.gold))
    return replace(counts, weights=weights, gold=gold, unit=unit)


def _renumbered(counts: LabelCounts, runs: tuple[str, ...], topics: tuple[str, ...]) -> Integers:
    cells = counts.cells.copy()
    for column, (old, new) in enumerate(((counts.runs, runs), (counts.topics, topics))):
        places = {name: place for place, name in enumerate(new)}
        cells[:, column] = np.array([places[name] for name in old], dtype=np.int64)[cells[:, column]]
    return cells


def collect(counts: LabelCounts) -> LabelCounts:
    """Equal cells added up, all sorted."""
    shape = (len(counts.runs), len(counts.topics), len(counts.scale), len(counts.scale))
    places, inverse = np.unique(np.ravel_multi_index(tuple(counts.cells.T), shape), return_inverse=True)
    cells = np.column_stack(np.unravel_index(places, shape)).astype(np.int64).reshape(-1, 4)
    items, weights = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    np.add.at(items, inverse, counts.items)
    np.add.at(weights, inverse, counts.weights)
    return replace(counts, cells=cells, items=items, weights=weights)


def ordered(names: set[str]) -> tuple[str, ...]:
    """Topics in the order people expect."""
    return tuple(in_order(names))
