"""Every run's output for every item, fetched from the table that was counted."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np

from metameasure.errors import UsageError
from metameasure.evidence.counts import LabelCounts, class_codes, gold_apart, stand_ins
from metameasure.evidence.outputs import Codes, Outputs
from metameasure.evidence.ragged import numbers_within
from metameasure.formats.problems import DataProblems
from metameasure.formats.sources import text_array
from metameasure.statistics.arrays import Integers
from metameasure.tables.engine import Frame, distinct, fetch
from metameasure.tables.keyed import KeyedTable


def item_outputs(tables: KeyedTable, counts: LabelCounts, missing: str | None) -> Outputs:
    """The outputs in tables that have been counted."""
    if not tables.has_items:
        raise UsageError("runs can be compared item by item only where items have ids", hint="add a column 'item'")
    tables, scale = gold_apart(tables), counts.scale
    with tables.reading():
        assert tables.gold is not None  # noqa: S101 - it is apart now
        texts = [*fetch(distinct(tables.gold, "gold"))["gold"], *fetch(distinct(tables.runs, "label"))["label"]]
        codes = {label: code for label, code in class_codes(scale, texts).items() if code >= 0}
        gold = fetch(_coded(tables, tables.gold, "gold", codes).sort(*tables.keys))
        said = _coded(tables, tables.joined(how="inner"), "label", codes)
        rows = fetch(said.select(nw.col("run").cast(nw.Int32), nw.col("place").cast(nw.Int32), nw.col("label_code")))
    position = np.empty(len(gold["place"]), dtype=np.int64)
    position[gold["place"].astype(np.int64)] = np.arange(len(position))
    truth = gold["gold_code"].astype(np.int64)
    labels, item = _matrix(rows["run"], position[rows["place"]], rows["label_code"], (len(tables.names), len(truth), len(scale)))
    if missing not in (None, "drop", "zero"):
        empty = np.zeros(labels.shape, dtype=bool)
        first = np.searchsorted(item, np.arange(len(truth)))
        empty[:, first] = labels[:, first] < 0
        labels[empty] = np.broadcast_to(stand_ins(scale, missing)[truth][item], labels.shape)[empty]
    place = {name: code for code, name in enumerate(counts.topics)}
    topic = np.array([place.get(name, 0) for name in gold["topic"].tolist()]) if "topic" in gold else np.zeros(len(truth), int)
    return Outputs(
        scale,
        tables.names,
        truth,
        labels,
        item,
        topic,
        gold["weight"].astype(float) if "weight" in gold and not tables.equal_weights else None,
        _clusters(tables, gold["cluster"].tolist()) if "cluster" in gold else None,
    )


def _coded(tables: KeyedTable, frame: Frame, side: str, codes: dict[str, int]) -> Frame:
    known = {side: text_array(list(codes)), f"{side}_code": np.array(list(codes.values()), np.int64)}
    return frame.join(tables.engine.frame(known, beside=frame), on=side, how="inner")


def _matrix(run: Integers, item: Integers, code: Integers, sizes: tuple[int, int, int]) -> tuple[Codes, Integers]:
    """Codes (runs, outputs), and the item of each output: as many outputs for every item as any run has for any."""
    runs, items, classes = sizes
    order = np.lexsort((code, item, run))
    run, item, code = (np.asarray(column)[order].astype(np.int64) for column in (run, item, code))
    number = numbers_within(run * max(items, 1) + item)
    most = int(number.max(initial=0)) + 1
    labels = np.full((runs, items * most), -1, dtype=np.int8 if classes <= np.iinfo(np.int8).max else np.int16)
    labels[run, item * most + number] = code
    return labels, np.repeat(np.arange(items), most)


def _clusters(tables: KeyedTable, names: list[str | None]) -> Integers:
    empty = sum(name is None for name in names)
    if empty:
        raise DataProblems(*tables.named(None).empty(tables.gold_source, "cluster", empty))
    return np.unique(np.array(names, dtype=str), return_inverse=True)[1].astype(np.int64)
