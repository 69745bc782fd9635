"""What every run says of every item, in numbers: what questions about items, clusters and repeated outputs are answered from."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Scale
from metameasure.evidence.base import digest_of
from metameasure.evidence.counting import class_codes, codes_in
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.missing import LEFT_OUT, stand_ins
from metameasure.evidence.preparing import gold_apart
from metameasure.evidence.ragged import numbers_within
from metameasure.evidence.side_by_side import WideTable
from metameasure.evidence.swapped import Swapped
from metameasure.reading.engine import Frame, fetch
from metameasure.reading.joining import KeyedTable
from metameasure.reading.sources import text_array
from metameasure.statistics.anova import Components, variance_components
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.item_tests import Value, share_of_cells
from metameasure.statistics.streams import GOLDEN, mixed
from metameasure.statistics.units import UnitRows, Units

_UNIT = 2  # whatever it is: these weights are not added up any more
Codes = npt.NDArray[np.int8] | npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Outputs(Swapped):
    """Classes as places on the scale: of each item in gold, and of each run's outputs, -1 where there is none.

    ``labels`` is (runs, outputs), and ``item`` (outputs,) says which item an output is for: the items themselves, one by one,
    unless runs have several outputs for an item. ``topic``, ``weight`` and ``cluster`` (items,) are the items'; without weights
    or clusters they are None. Items are in the order of their keys, clusters numbered in the order of their names.
    """

    scale: Scale
    runs: tuple[str, ...]
    gold: Integers
    labels: Codes
    item: Integers
    topic: Integers
    weight: Floats | None = None
    cluster: Integers | None = None
    lower: Codes | None = None
    """The labels with missing ones at the lower end of the scale that are as far from both ends; None where there are none."""
    apart: int | None = None
    """How many topics have tables of their own; None where all items are in one."""
    times: Integers | None = None
    """How many items each row stands for; None where each is one. Where items are parts of larger units, each is one."""
    clusters: tuple[str, ...] = ()
    """The names of the clusters."""
    names: npt.NDArray[Any] | None = None
    """What the items are called, where somebody wants to know; None where they have no names."""

    def hits(self, value: Value) -> Booleans | None:
        return share_of_cells(value, len(self.scale))

    def counted(self) -> LabelCounts:
        return counts_of(self)

    def with_clusters(self, names: Sequence[str]) -> Outputs:
        """With the cluster of each item, numbered in the order of their names."""
        known, cluster = np.unique(np.array(names, dtype=str), return_inverse=True)
        return replace(self, cluster=cluster.astype(np.int64), clusters=tuple(known.tolist()))

    @property
    def repeated(self) -> bool:
        """Whether runs may have several outputs for an item."""
        return len(self.item) > len(self.gold)

    @property
    def each(self) -> int:
        """How many outputs there is room for, for each item."""
        return len(self.item) // max(1, len(self.gold))

    @property
    def clustered(self) -> bool:
        return self.cluster is not None or self.repeated

    @property
    def unit(self) -> Integers:
        """(items,): the unit that each item belongs to, which is swapped and drawn whole."""
        return np.arange(len(self.gold)) if self.cluster is None else self.cluster

    def has(self) -> Booleans:
        present = np.zeros((len(self.runs), len(self.gold)), dtype=bool)
        for run, labels in enumerate(self.labels):
            present[run, self.item[labels >= 0]] = True
        return present

    def of_items(self, kept: Booleans) -> Outputs:
        number = np.cumsum(kept) - 1
        columns = kept[self.item]
        return replace(
            self,
            gold=self.gold[kept],
            labels=self.labels[:, columns],
            item=number[self.item[columns]],
            topic=self.topic[kept],
            weight=None if self.weight is None else self.weight[kept],
            cluster=None if self.cluster is None else self.cluster[kept],
            lower=None,
            times=None if self.times is None else self.times[kept],
            names=None if self.names is None else self.names[kept],
        )

    def of_runs(self, runs: Sequence[int]) -> Outputs:
        return replace(self, runs=tuple(self.runs[run] for run in runs), labels=self.labels[list(runs)], lower=None)

    def digest(self) -> str:
        """Of what gold and all runs say of each item, whatever the items' order: what tests over items see and counts do not."""
        columns = [self.topic, self.gold]
        columns += [] if self.cluster is None else [self.cluster]
        columns += [] if self.weight is None else [np.ascontiguousarray(self.weight, dtype=np.float64).view(np.int64)]
        for run in np.argsort(self.runs, kind="stable").tolist():
            columns += [*self.labels[run].reshape(-1, self.each).T] if self.each else []
        return digest_of([sums_of_rows(columns, self.times)], dtype="<u8")

    def at_lower_end(self, runs: Booleans) -> Outputs:
        """With the missing labels of some runs (runs,) at the lower end, where both are as far."""
        labels = self.labels if self.lower is None else np.where(runs[:, None], self.lower, self.labels)
        return replace(self, labels=labels, lower=None)

    def rows(self, run: int, *, weighted: bool = True) -> UnitRows:
        """A run's outputs one below the other. The outputs for an item share its weight, so that every item counts once."""
        labels = self.labels[run]
        item = self.item[labels >= 0]
        share = (1 if self.times is None else self.times[item]) / np.bincount(item, minlength=1)[item]
        weight = share if self.weight is None or not weighted else share * self.weight[item]
        return UnitRows(self.gold_codes[item], labels[labels >= 0], self.unit[item], weight)

    @property
    def gold_codes(self) -> Integers:
        """Gold's codes; behind each other for each topic, where topics have tables of their own."""
        return self.gold if self.apart is None else self.topic * len(self.scale) + self.gold

    @cached_property
    def _together(self) -> Units:
        return Units.of_rows([self.rows(run) for run in range(len(self.runs))], len(self.scale), topics=self.apart)

    def units(self, runs: Sequence[int]) -> Units:
        if self.clustered:
            return self._together.chosen(list(runs))
        labels = self.labels[list(runs)]
        return Units.of_items(self.gold_codes, labels, len(self.scale), self.weight, topics=self.apart, times=self.times)

    def variance(self, run: int) -> dict[str, Components]:
        """Of being right (1 or 0): the variance between clusters and within them, and between items and within them where an
        item has several outputs."""
        labels = self.labels[run]
        item = self.item[labels >= 0]
        right = labels[labels >= 0] == self.gold[item]
        components = {} if self.cluster is None else {"clusters": variance_components(right, self.cluster[item])}
        return components | ({"items": variance_components(right, item)} if self.repeated else {})


def sums_of_rows(columns: Sequence[Any], times: Integers | None = None) -> npt.NDArray[np.uint64]:
    """The sum of a scrambled number for each row (after SplitMix64), and of its scrambled square: no order of rows is in it. A
    row may be there so many times."""
    row = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        row = mixed(row + column.astype(np.int64).astype(np.uint64) + GOLDEN)
    often = np.uint64(1) if times is None else times.astype(np.uint64)
    return np.array([(row * often).sum(dtype=np.uint64), ((row * row ^ row >> np.uint64(32)) * often).sum(dtype=np.uint64)])


def item_outputs(tables: KeyedTable, counts: LabelCounts, missing: str | None, *, named: bool = False) -> Outputs:
    """The outputs in tables that have been counted; with the items' names, where they are wanted."""
    if isinstance(tables, WideTable):
        return _wide_outputs(tables, counts, missing, named=named)
    if not tables.has_items:
        raise without_ids()
    with tables.reading():
        tables, scale = gold_apart(tables.here()), counts.scale
        assert tables.gold is not None  # noqa: S101 - it is apart now
        codes = codes_in(scale, tables.gold, tables.runs)
        gold = _in_order(with_codes(tables, tables.gold, "gold", codes), tables.keys, named=named)
        position = np.empty(len(gold["place"]), dtype=np.int32)
        position[gold["place"].astype(np.int64)] = np.arange(len(position))
        said = with_codes(tables, tables.joined(how="inner"), "label", codes)
        said = said.select(nw.col("run").cast(nw.Int32), nw.col("place").cast(nw.Int32), nw.col("label_code").cast(nw.Int32))
        truth = gold["gold_code"].astype(np.int64)
        labels, item = _labels(tables, said, position, len(scale))
    topic = topics_of(counts, gold["topic"].tolist() if "topic" in gold else None, len(truth))
    weight = gold["weight"].astype(float) if "weight" in gold and not tables.equal_weights else None
    made = Outputs(scale, tables.names, truth, labels, item, topic, weight, names=gold["item"] if named else None)
    made = made.with_clusters(clusters_of(tables, gold["cluster"].tolist())) if "cluster" in gold else made
    return with_stand_ins(made, missing, lower=counts.lower is not None)


def _in_order(gold: Frame, keys: Sequence[str], *, named: bool) -> dict[str, Any]:
    """Gold's rows by its keys, without texts that nobody looks at; with items' names where they are wanted."""
    read = {"place", "gold_code", "topic", "weight", "cluster", *(["item"] if named else [])}
    kept = [name for name in gold.collect_schema().names() if name in read]
    return fetch(gold.sort(*keys).select(*kept))


def _labels(tables: KeyedTable, said: Frame, position: Any, classes: int) -> tuple[Codes, Integers]:
    """What runs say (runs, outputs), and the item of each output: run by run where memory is limited."""
    shape = len(tables.names), len(position), classes
    if not tables.engine.limited:
        rows = fetch(said)
        return _matrix(rows["run"], position[rows["place"]], rows["label_code"], shape)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as folder:
        part = tables.engine.apart(said, "run", Path(folder) / "runs")
        made = []
        for run in range(shape[0]):
            rows = fetch(part(run).select("place", "label_code"))
            none = np.zeros(len(rows["place"]), dtype=np.int64)
            made.append(_matrix(none, position[rows["place"]], rows["label_code"], (1, *shape[1:]))[0])
    most = max(own.shape[1] for own in made) // max(1, shape[1])
    labels = np.full((shape[0], shape[1] * most), -1, dtype=code_type(classes))
    for run, own in enumerate(made):
        own_most = own.shape[1] // max(1, shape[1])
        labels[run].reshape(shape[1], most)[:, :own_most] = own[0].reshape(shape[1], own_most)
    return labels, np.repeat(np.arange(shape[1]), most)


def without_ids() -> UsageError:
    return UsageError("runs can be compared item by item only where items have ids", hint="add a column 'item'")


def _wide_outputs(tables: WideTable, counts: LabelCounts, missing: str | None, *, named: bool) -> Outputs:
    """Those of labels side by side, where every run has a cell for every item."""
    scale = counts.scale
    with tables.reading():
        rows = tables.wide.outputs(partial(class_codes, scale), code_type(len(scale)))
    topic, each = topics_of(counts, rows.topic, len(rows.gold)), np.arange(len(rows.gold))
    made = Outputs(scale, tables.names, rows.gold, rows.labels, each, topic, rows.weight, names=rows.item if named else None)
    made = made if rows.cluster is None else made.with_clusters(clusters_of(tables, rows.cluster))
    return with_stand_ins(made, missing, lower=counts.lower is not None)


def with_stand_ins(outputs: Outputs, missing: str | None, *, lower: bool) -> Outputs:
    """With what stands in for outputs that are missing; ``lower`` where some are as far from both ends of the scale."""
    if missing is None or missing in LEFT_OUT:
        return outputs
    gold = outputs.gold[outputs.item]

    def filled(*, lower: bool) -> Codes:
        stand_in = stand_ins(outputs.scale, missing, lower=lower)[gold].astype(outputs.labels.dtype)
        return np.where(outputs.labels < 0, stand_in, outputs.labels)

    return replace(outputs, labels=filled(lower=False), lower=filled(lower=True) if lower else None)


def topics_of(counts: LabelCounts, names: Sequence[str | None] | None, items: int) -> Integers:
    """The topic of each item by its place among those of counts; the only one, where items have none."""
    place: dict[str | None, int] = {name: code for code, name in enumerate(counts.topics)}
    return np.zeros(items, np.int64) if names is None else np.array([place.get(name, 0) for name in names], dtype=np.int64)


def code_type(classes: int) -> Any:
    """The type of an array of classes."""
    return next(kind for kind in (np.int8, np.int16, np.int32) if classes <= np.iinfo(kind).max)


def with_codes(tables: KeyedTable, frame: Frame, side: str, codes: Mapping[str, int]) -> Frame:
    """The rows whose label is a class, with its code: ``gold_code`` or ``label_code``."""
    known = {side: text_array(list(codes)), f"{side}_code": np.array(list(codes.values()), np.int64)}
    return frame.join(tables.engine.frame(known, beside=frame), on=side, how="inner")


def _matrix(run: Integers, item: Integers, code: Integers, sizes: tuple[int, int, int]) -> tuple[Codes, Integers]:
    """Codes (runs, outputs), and the item of each output: as many outputs for every item as any run has for any."""
    runs, items, classes = sizes
    order = np.lexsort((code, item, run))
    cell = run[order].astype(np.int64) * max(items, 1) + item[order]
    number = numbers_within(cell)
    most = int(number.max(initial=0)) + 1
    labels = np.full((runs, items * most), -1, dtype=code_type(classes))
    labels.reshape(-1)[cell * most + number] = code[order]
    return labels, np.repeat(np.arange(items), most)


def clusters_of(tables: KeyedTable, names: Sequence[str | None], times: Integers | None = None) -> list[str]:
    """The cluster of each item, or of so many items. DataProblems where one has none."""
    lacking = np.array([name is None for name in names], dtype=bool)
    empty = int(lacking.sum() if times is None else times[lacking].sum())
    if empty:
        raise DataProblems(*tables.named(None).empty(tables.gold_source, "cluster", empty))
    return [str(name) for name in names]


def counts_of(outputs: Outputs) -> LabelCounts:
    """The counts of outputs that have been chosen: of one topic, unless topics have tables of their own."""
    classes, topics = len(outputs.scale), outputs.apart or 1
    shape = (topics * classes, classes)
    cells, items, weights = [], [], []
    for run in range(len(outputs.runs)):
        rows = [outputs.rows(run, weighted=weighted) for weighted in (False, True)]
        code = np.ravel_multi_index((np.asarray(rows[0].gold), np.asarray(rows[0].predicted)), shape)
        number, weight = (np.bincount(code, one.weight, minlength=shape[0] * classes) for one in rows)
        found = np.flatnonzero(number)
        gold, predicted = np.divmod(found, classes)
        cells.append(np.column_stack([np.full(len(found), run), gold // classes, gold % classes, predicted]))
        items.append(number[found])
        weights.append(weight[found])
    often = np.ones(len(outputs.gold)) if outputs.times is None else outputs.times
    heavy = often if outputs.weight is None else often * outputs.weight
    of_gold, gold_items = (
        np.bincount(outputs.gold_codes, one, minlength=shape[0]).reshape(topics, classes) for one in (heavy, often)
    )
    unit = 1 if outputs.weight is None else _UNIT
    return LabelCounts(
        outputs.scale,
        outputs.runs,
        tuple(map(str, range(topics))),
        np.concatenate(cells),
        np.concatenate(items),
        np.concatenate(weights) * unit,
        of_gold * unit,
        gold_items,
        unit=unit,
        outputs=outputs,
    )
