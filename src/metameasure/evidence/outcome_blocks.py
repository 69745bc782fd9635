"""Outcomes that are larger than the memory a user allows: the engine numbers all rows, which then come run by run, and what is
added up is in a file. The same as read at once, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, Outcomes, Scored
from metameasure.evidence.room import NotApartError, Room, release
from metameasure.reading.coded_rows import CodedRows, NumberedRows
from metameasure.reading.engine import Engine, distinct, fetch
from metameasure.reading.joining import code_of, filled
from metameasure.statistics.arrays import Floats, Integers

_BLOCK = "block"


@dataclass(frozen=True, eq=False)
class Blocks:
    """Numbered rows with the number of the run, in names and behind them by the place of a source without names."""

    engine: Engine
    rows: NumberedRows
    names: tuple[str, ...]
    room: Room
    folder: Path

    @cached_property
    def frame(self) -> Any:
        run = nw.coalesce(nw.col(code_of("run")), nw.col("source") + len(self.rows.names["run"]))
        rows = self.rows.frame.with_columns(run.cast(nw.Int64).alias(_BLOCK))
        written = self.engine.written(rows, self.folder / "rows.parquet")
        self.engine.forget()  # the rows as they were read
        return written

    @cached_property
    def numbers(self) -> list[int]:
        """Of the runs, in the order of their names and of their sources."""
        return sorted(int(one) for one in fetch(distinct(self.frame, _BLOCK))[_BLOCK])

    def runs(self) -> tuple[str, ...]:
        named = self.rows.names["run"]
        found = tuple(named[one] if one < len(named) else self.names[one - len(named)] for one in self.numbers)
        if len({*found}) < len(found):
            raise NotApartError
        return found

    def only(self, role: str, otherwise: str) -> tuple[str, ...]:
        """The names of a role, or the one name of rows that have none."""
        names = tuple(self.rows.names.get(role, ()))
        if not names:
            return (otherwise,)
        if int(fetch(self.frame.select(nw.col(code_of(role)).is_null().sum().cast(nw.Int64).alias("rows")))["rows"][0]):
            raise NotApartError
        return names

    def items(self) -> tuple[Integers, Integers]:
        """The numbers of topics and of items' names, of each item in their order."""
        topic = code_of("topic") if "topic" in self.rows.names else None
        columns = [code_of("item")] if topic is None else [topic, code_of("item")]
        found = fetch(distinct(self.frame, *columns).sort(*columns))
        item = filled(found[code_of("item")])
        of_topic = np.zeros(len(item), np.int64) if topic is None else filled(found[topic])
        if not len(item) or min(item.min(), of_topic.min()) < 0:
            raise NotApartError
        return of_topic, item

    def kinds(self, measures: int) -> list[tuple[bool, bool]]:
        """Of each measure: whether all scores are 0 or 1, and whether all lie between."""
        score = nw.col("score")
        known = self.frame.filter(~nw.col("empty"))
        measure = code_of("measure") if "measure" in self.rows.names else None
        odd = nw.when((score != 0) & (score != 1)).then(nw.lit(1)).otherwise(nw.lit(0)).alias("odd")
        beyond = nw.when((score < 0) | (score > 1)).then(nw.lit(1)).otherwise(nw.lit(0)).alias("beyond")
        number = (nw.lit(0) if measure is None else nw.col(measure)).cast(nw.Int64).alias("measure")
        sums = known.select(number, odd, beyond).group_by("measure").agg(nw.col("odd").sum(), nw.col("beyond").sum())
        found = fetch(sums)
        each = {
            int(one): (not odd, not out)
            for one, odd, out in zip(*(found[name].tolist() for name in ("measure", "odd", "beyond")), strict=True)
        }
        return [each.get(one, (False, False)) for one in range(measures)]

    def each(self) -> Iterator[CodedRows]:
        """The rows of one run after the other, from a file of its own."""
        part = self._parts
        for number in self.numbers:
            yield self.rows.fetched(part(number))

    @cached_property
    def _parts(self) -> Callable[[int], Any]:
        """The rows of a run."""
        return self.engine.apart(self.frame, _BLOCK, self.folder / "runs")

    def empty(self, shape: tuple[int, ...], kind: Any = np.float64) -> Any:
        return self.room.empty(shape, kind)


def outcomes_in_blocks(blocks: Blocks, table_of: Any, scored_of: Any, notes: Sequence[str]) -> Outcomes:
    """What rows come down to. ``table_of`` audits and adds up the rows of a block, ``scored_of`` describes the measures."""
    runs, measures, topics = blocks.runs(), blocks.only("measure", ONE_MEASURE), blocks.only("topic", ONE_TOPIC)
    of_topic, which = blocks.items()
    names = blocks.rows.names["item"]
    key, size = of_topic * len(names) + which, len(which)
    shape = len(measures), len(runs), size
    total, number, outputs = blocks.empty(shape), blocks.empty(shape, np.int64), blocks.empty(shape, np.int64)
    cluster = np.full(size, -1) if "cluster" in blocks.rows.names else None
    scored: tuple[Scored, ...] = scored_of(measures, blocks.kinds(len(measures)))
    most = 0
    for place, rows in enumerate(blocks.each()):
        table = table_of(rows)
        cell, item = _cells(table, key, len(names), size)
        table.check_block(cell)
        for array, own in zip((total, number, outputs), table.added_up(cell, (len(measures), 1, size)), strict=True):
            array[:, place] = own[:, 0]
            most = max(most, int(own.max(initial=0))) if array is outputs else most
        if cluster is not None:
            _put(cluster, item, rows.code["cluster"])
        release(total, number, outputs)
    repeats: Floats | None = None
    if most > 1 and not all(one.binary for one in scored):
        repeats = blocks.empty((4, *shape))
        for place, rows in enumerate(blocks.each()):
            table = table_of(rows)
            repeats[:, :, place] = table.ends_of_repeats(_cells(table, key, len(names), size)[0], (len(measures), 1, size))[
                :, :, 0
            ]
            release(repeats)
    if cluster is not None and (cluster < 0).any():
        raise NotApartError
    items = tuple(names) if len(names) == size and len(topics) == 1 else tuple(map(names.__getitem__, which.tolist()))
    clusters = () if cluster is None else tuple(blocks.rows.names["cluster"])
    return Outcomes(
        runs, topics, scored, items, of_topic, total, number, outputs, clusters, cluster, None, repeats, notes=tuple(notes)
    )


def _cells(table: Any, key: Integers, names: int, size: int) -> tuple[Integers, Integers]:
    """The cell of each row among (measures, items), and its item."""
    code = table.rows.code
    topic, measure = (np.maximum(code[role], 0) for role in ("topic", "measure"))
    item = np.searchsorted(key, topic * names + code["item"])
    return measure * size + item, item


def _put(cluster: Integers, item: Integers, code: Integers) -> None:
    cluster[item] = code
    if (cluster[item] != code).any():
        raise NotApartError
