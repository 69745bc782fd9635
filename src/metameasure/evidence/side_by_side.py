"""Labels side by side: gold and a column for each run, all of one length. Nothing is joined: the place of a row is its key.

All runs are counted in one pass, in memory or by a query, and only what stands in the columns becomes text, not every row.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.values import Kind
from metameasure.evidence.labels import Coded, check_indexes, coded, counted_together, numbers_of
from metameasure.evidence.weights import Digits, Weights
from metameasure.reading.frames import Sequences
from metameasure.reading.joining import KeyedTable
from metameasure.reading.sources import Record, Rows, Source, text_array
from metameasure.statistics.arrays import Floats, Integers

Coding = Callable[[Iterable[Any]], Mapping[Any, int]]
"""The class of each label: its place on the scale, below 0 for none."""
# So many rows are looked through at a time for one that a message is about.
_ROWS_AT_ONCE = 2**16


@dataclass(frozen=True)
class Cuts:
    """Where numbers are cut into classes: the edges between them, their labels, and the numbers that the scale ends with."""

    edges: tuple[float, ...]
    labels: tuple[str, ...]
    ends: tuple[float, float] | None

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The labels by the number of a class, each twice: of numbers within the ends, and beyond them. None for no number."""
        return (*(label for label in self.labels for _ in range(2)), None)

    def cut(self, numbers: Floats) -> Coded:
        """A column of numbers as classes."""
        inside = np.searchsorted(np.array(self.edges), numbers, side="right") * 2
        if self.ends is not None:
            inside += (numbers < self.ends[0]) | (numbers > self.ends[1])
        return Coded(np.where(np.isnan(numbers), 2 * len(self.labels), inside), 0, self.texts)


@dataclass(frozen=True, eq=False)
class ItemColumns:
    """What stands in the rows: gold's classes and the runs' (runs, items) as places on the scale, -1 where there is none."""

    gold: Integers
    labels: npt.NDArray[Any]
    topic: Sequence[str | None] | None
    weight: Floats | None
    cluster: list[str | None] | None
    item: npt.NDArray[Any] | None = None
    """The items' names, where they have any."""


class Wide(ABC):
    """Rows with gold and all runs in columns. What is done to labels before they are counted is done to columns."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of rows."""

    @abstractmethod
    def has(self, role: str) -> bool:
        """Whether there is a column of topics, weights, ..."""

    @abstractmethod
    def cut(self, cuts: Cuts) -> Wide:
        """The same with numbers cut into classes."""

    @abstractmethod
    def dealt(self, place: Integers, names: Sequence[str]) -> Wide:
        """The same with topics: in the order of the items' ids, the number of each one's topic."""

    @abstractmethod
    def weights(self) -> Weights:
        """What the weights are like."""

    @abstractmethod
    def in_digits(self, digits: Digits) -> Wide:
        """The same with weights as whole numbers."""

    @abstractmethod
    def grouped(self) -> dict[str, npt.NDArray[Any]]:
        """The groups of rows that are alike, as the columns of ``GroupedRows``."""

    @abstractmethod
    def outputs(self, coding: Coding, code_type: Any) -> ItemColumns:
        """The rows, by what each label means."""


@dataclass(frozen=True)
class WideTable(KeyedTable):
    """Gold and runs side by side: what there is to ask of a keyed table, answered by columns."""

    wide: Any = None
    said: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    """By what orders items (confidence, rank, score, score_rank) and by run, what the run says of each row."""

    @property
    def is_here(self) -> bool:
        return True

    def has(self, column: str) -> bool:
        return bool(self.wide.has(column))

    @property
    def has_items(self) -> bool:
        return bool(self.wide.has("item"))

    @property
    def repeated(self) -> bool:
        return False

    def reading(self) -> Any:
        return nullcontext() if isinstance(self.wide, WideArrays) else super().reading()  # in memory, no engine is at work

    def one(self, run: int) -> Any:
        """The keys of a run's rows, which are those of all."""
        return self.wide.keys()


@dataclass(frozen=True, eq=False)
class LabelColumns(Source):
    """Columns in memory, each looked at when it is asked for; rows are counted from 1."""

    shown: str
    columns: tuple[str, ...]
    raw: Callable[[str], Any]
    known: dict[str, Coded]

    @classmethod
    def of(cls, source: Rows | Sequences) -> LabelColumns:
        return cls(source.shown, source.columns, source.raw, {})

    def coded(self, name: str) -> Coded:
        """A column; what is empty is missing."""
        if name not in self.known:
            column = coded(self.raw(name), name)
            empty = "" in column.texts
            self.known[name] = replace(column, texts=tuple(text or None for text in column.texts)) if empty else column
        return self.known[name]

    def records(self) -> Iterator[Record]:
        return self.matching(None)

    def matching(self, texts: list[str] | None) -> Iterator[Record]:
        columns = {name: self.coded(name) for name in self.columns}
        size = len(next(iter(columns.values()))) if columns else 0
        wanted = None if texts is None else {text or None for text in texts}
        found = None if wanted is None else [_numbers_in(column, wanted) for column in columns.values()]
        for start in range(0, size, _ROWS_AT_ONCE):
            stop = min(start + _ROWS_AT_ONCE, size)
            parts = [column.numbers(start, stop) for column in columns.values()]
            rows = np.arange(stop - start)
            if found is not None:
                rows = np.flatnonzero(
                    np.any([np.isin(part, numbers) for part, numbers in zip(parts, found, strict=True)], axis=0)
                )
            for row in rows.tolist():
                cells = zip(columns.items(), parts, strict=True)
                yield Record(start + row + 1, {name: column.texts[part[row]] for (name, column), part in cells})

    def with_ids(self, item: str) -> Rows:
        """The same rows, whose ids are their numbers."""
        columns = {name: self.coded(name) for name in self.columns}
        texts = {name: _texts(column) for name, column in columns.items()}
        size = len(next(iter(texts.values()))) if texts else 0
        return Rows(self.shown, {item: np.arange(1, size + 1), **texts})


def _numbers_in(column: Coded, texts: set[str | None]) -> list[int]:
    return [number for number, text in enumerate(column.texts) if text in texts]


@dataclass(frozen=True, eq=False)
class WideArrays(Wide):
    """Columns in memory. ``names`` are the columns of gold and of the runs, ``shared`` those of topics, weights and clusters by
    their role."""

    source: LabelColumns
    names: tuple[str, ...]
    shared: Mapping[str, str]
    kind: Kind
    cuts: Cuts | None = None
    topic: Coded | None = None
    fixed: Mapping[str, Integers] | None = None
    """The digits of the weights, where there are any."""

    @cached_property
    def columns(self) -> tuple[Coded, ...]:
        """Gold and the runs."""
        if self.kind == "text":
            return tuple(map(self.source.coded, self.names))
        numbers = [numbers_of(self.source.raw(name), name) for name in self.names]
        return tuple(_of_numbers(column) if self.cuts is None else self.cuts.cut(column) for column in numbers)

    @property
    def size(self) -> int:
        return len(self.columns[0])

    def has(self, role: str) -> bool:
        return role in self.shared or (role == "topic" and self.topic is not None)

    def cut(self, cuts: Cuts) -> WideArrays:
        return replace(self, cuts=cuts)

    def dealt(self, place: Integers, names: Sequence[str]) -> WideArrays:
        dealt = np.empty(len(place), dtype=np.int64)
        dealt[in_order_of_text(len(place))] = place
        return replace(self, topic=Coded(dealt, 0, tuple(names)))

    @property
    def _topic(self) -> Coded | None:
        return self.source.coded(self.shared["topic"]) if "topic" in self.shared else self.topic

    @cached_property
    def _weight(self) -> Floats:
        return numbers_of(self.source.raw(self.shared["weight"]), "the weights")

    def weights(self) -> Weights:
        return Weights.in_array(self._weight)

    def in_digits(self, digits: Digits) -> WideArrays:
        return replace(self, fixed=digits.in_array(self._weight))

    def grouped(self) -> dict[str, npt.NDArray[Any]]:
        gold, *runs = self.columns
        topic = self._topic
        shared = [gold] if topic is None else [topic, gold]
        counted = counted_together(shared, runs)
        numbers = np.concatenate([of for of, _, _ in counted])
        items = np.concatenate([part for _, part, _ in counted])
        sizes = [len(of) for of, _, _ in counted]
        labels = [run.texts[number] for run, (of, _, _) in zip(runs, counted, strict=True) for number in of[:, -1].tolist()]
        columns = {
            "run": np.repeat(np.arange(len(runs)), sizes),
            "gold": _texts(gold, numbers[:, -2]),
            "label": text_array(labels),
            "items": items,
        }
        if topic is not None:
            columns["topic"] = _texts(topic, numbers[:, 0])
        for name, digits in (self.fixed or {}).items():
            columns[name] = np.concatenate([sums for _, _, sums in counted_together(shared, runs, digits)])
        if self.cuts is not None:
            odd = numbers % 2 == 1
            columns |= {"beyond": np.where(odd[:, -1], items, 0), "gold_beyond": np.where(odd[:, -2], items, 0)}
        return columns

    def identity(self, codes: Mapping[Any, int]) -> str:
        """A name for the rows and their gold, ``codes`` being what labels mean."""
        gold, digest = self.columns[0], hashlib.sha256()
        if self.kind == "number" and self.cuts is None:
            digest.update(numbers_of(self.source.raw(self.names[0])).data)
        else:
            digest.update(gold.mapped(np.array([codes.get(text, -1) for text in gold.texts], dtype="<i8")).data)
        for role in ("topic", "weight"):
            if role in self.shared:
                column = self.source.coded(self.shared[role])
                digest.update("\n".join(map(str, _texts(column))).encode())
        return f"{self.size}:{digest.hexdigest()[:16]}"

    def outputs(self, coding: Coding, code_type: Any) -> ItemColumns:
        def classes(column: Coded, dtype: Any) -> Any:
            codes = coding(column.texts)
            return column.mapped(np.array([max(codes[text], -1) for text in column.texts], dtype=dtype))

        gold, *runs = self.columns
        topic, cluster = self._topic, self.source.coded(self.shared["cluster"]) if "cluster" in self.shared else None
        return ItemColumns(
            classes(gold, np.int64),
            np.stack([classes(run, code_type) for run in runs]),
            None if topic is None else _texts(topic).tolist(),
            self._weight if "weight" in self.shared else None,
            None if cluster is None else _texts(cluster).tolist(),
        )


def _texts(column: Coded, numbers: Integers | None = None) -> npt.NDArray[Any]:
    """The texts of these numbers, or of all rows."""
    return text_array(column.texts)[column.numbers(0, len(column)) if numbers is None else numbers]


def _of_numbers(numbers: Floats) -> Coded:
    """Numbers that stay numbers."""
    values, codes = np.unique(numbers, return_inverse=True)
    known: Any = tuple(None if value != value else value for value in values.tolist())  # noqa: PLR0124 - NaN
    return Coded(codes, 0, known)


def in_order_of_text(size: int) -> Integers:
    """The rows, counted from 0, in the order of their numbers from 1 up as text: 1, 10, 11, ..., 2, 20, ..."""
    numbers = np.arange(1, size + 1)
    digits = np.floor(np.log10(numbers + 0.5)).astype(np.int64) + 1
    return np.lexsort((digits, numbers * 10 ** (digits.max(initial=1) - digits)))


def arrays_side_by_side(source: Sequences, kind: Kind, gold: str) -> WideArrays:
    """Sequences of labels: gold's and the runs'. UsageError for Series whose indexes differ."""
    runs = tuple(name for name in source.columns if name != gold)
    check_indexes(source.raw(gold), {f"run '{name}'": source.raw(name) for name in runs})
    return WideArrays(LabelColumns.of(source), (gold, *runs), {}, kind)
