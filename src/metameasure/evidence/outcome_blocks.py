"""Outcomes that are larger than the memory a user allows: the engine deals all rows into blocks of items, which then come one
after the other, and what is added up is in a file, as are the items' names. The same as read at once, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, Outcomes, Scored
from metameasure.evidence.room import NotApartError, Room, is_in_file, release
from metameasure.reading.coded_rows import CodedRows
from metameasure.reading.dealing import dealt
from metameasure.reading.engine import Engine, Frame, distinct, fetch, rows
from metameasure.reading.joining import Names, code_of, filled, renumbered
from metameasure.reading.names_in_file import NamesInFile
from metameasure.statistics.arrays import Floats, Integers

_VALUES = ("source", "score", "empty")


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows of outcomes in a file, with the texts of all their columns but that of items, of which there may be very many; and
    what sources are called that do not name their runs."""

    engine: Engine
    frame: Frame
    texts: Names
    sources: tuple[str, ...]
    room: Room
    folder: Path

    @cached_property
    def _of_runs(self) -> list[tuple[str | None, int]]:
        """The name that rows give to their run, or else the number of their source, of each run in their order."""
        found = fetch(distinct(self.frame, "run", "source"))
        each = zip(found["run"].tolist(), found["source"].tolist(), strict=True)
        numbered = {(name, -1 if name is not None else int(source)) for name, source in each}
        place = {name: number for number, name in enumerate(self.texts.of["run"])}
        return sorted(numbered, key=lambda one: (one[0] is None, place.get(one[0] or "", 0), one[1]))

    def runs(self) -> tuple[str, ...]:
        found = tuple(self.sources[source] if name is None else name for name, source in self._of_runs)
        if len({*found}) < len(found):
            raise NotApartError
        return found

    def run_of(self, rows: CodedRows) -> Integers:
        """The run of each row."""
        place: Integers = np.full(len(self.texts.of["run"]) + len(self.sources), -1)
        number = {name: code for code, name in enumerate(self.texts.of["run"])}
        for run, (name, source) in enumerate(self._of_runs):
            place[len(number) + source if name is None else number[name]] = run
        code = rows.code["run"]
        return place[np.where(code < 0, len(number) + np.asarray(rows.value["source"], dtype=np.int64), code)]

    def only(self, role: str, otherwise: str) -> tuple[str, ...]:
        """The names of a role, or the one name of rows that have none."""
        names = tuple(self.texts.of.get(role, ()))
        if not names:
            return (otherwise,)
        if int(fetch(self.frame.select(nw.col(role).is_null().sum().cast(nw.Int64).alias("rows")))["rows"][0]):
            raise NotApartError
        return names

    def kinds(self, measures: Sequence[str]) -> list[tuple[bool, bool]]:
        """Of each measure: whether all scores are 0 or 1, and whether all lie between."""
        score = nw.col("score")
        odd = nw.when((score != 0) & (score != 1)).then(nw.lit(1)).otherwise(nw.lit(0)).alias("odd")
        beyond = nw.when((score < 0) | (score > 1)).then(nw.lit(1)).otherwise(nw.lit(0)).alias("beyond")
        known = self.frame.filter(~nw.col("empty")).select("measure", odd, beyond)
        found = fetch(known.group_by("measure").agg(nw.col("odd").sum(), nw.col("beyond").sum()))
        each = {
            ONE_MEASURE if name is None else name: (not odd, not out)
            for name, odd, out in zip(*(found[name].tolist() for name in ("measure", "odd", "beyond")), strict=True)
        }
        return [each.get(name, (False, False)) for name in measures]

    def parts(self, cells: int) -> list[Frame]:
        """The rows of some items after those of others, in the order of topics and names. An item has so many cells."""
        coded = self.texts.coded(self.frame).select(*map(code_of, self.texts.of), "item", *_VALUES)
        keys = [*([code_of("topic")] if "topic" in self.texts.of else []), "item"]
        return dealt(self.engine, coded, keys, cells, self.room.rows_at_once, self.folder / "blocks")

    def items_in(self, part: Frame) -> int:
        """How many items there are."""
        return rows(distinct(part, *([code_of("topic")] if "topic" in self.texts.of else []), "item"))

    def fetched(self, part: Frame) -> CodedRows:
        roles = [*self.texts.of]
        found = CodedRows.of(self.engine, part, ["item"], as_texts=("item",), more=(*map(code_of, roles), *_VALUES))
        self.engine.forget()  # the names of these items
        if (found.code["item"] < 0).any():
            raise NotApartError
        codes = {role: filled(found.value[code_of(role)]) for role in roles}
        values = {name: found.value[name] for name in _VALUES}
        return CodedRows({**self.texts.of, **found.names}, {**codes, **found.code}, values)


@dataclass(frozen=True, eq=False)
class _Block:
    """The rows of some items: which items they are, by the numbers of their topics and names, and the cell of each row among
    (measures, runs, these items)."""

    table: Any
    run: Integers
    topic: Integers
    which: Integers
    item: Integers
    runs: int

    @classmethod
    def of(cls, table: Any, run: Integers, runs: int) -> _Block:
        code, names = table.rows.code, table.rows.names["item"]
        topics = max(1, len(table.rows.names["topic"]))
        found, item = renumbered(np.maximum(code["topic"], 0) * len(names) + code["item"], topics * len(names))
        return cls(table, run, *np.divmod(found, len(names)), item, runs)

    @property
    def cell(self) -> Integers:
        measure = np.maximum(self.table.rows.code["measure"], 0)
        return np.asarray((measure * self.runs + self.run) * len(self.which) + self.item)

    @property
    def names(self) -> list[str]:
        return list(map(self.table.rows.names["item"].__getitem__, self.which.tolist()))


@dataclass(frozen=True, eq=False)
class _Sums:
    """What is known of all items, as ``Outcomes`` has it, put there block by block."""

    total: Floats
    number: Integers
    outputs: Integers
    topic: Integers
    cluster: Integers | None
    names: NamesInFile | list[str]

    @classmethod
    def of(cls, room: Room, shape: tuple[int, int, int], topics: int, *, clustered: bool) -> _Sums:
        """With room for (measures, runs, items). Where names are in a file, so is all else: only then are items looked at some at
        a time."""
        size = shape[-1]
        few = size <= room.for_names
        room = room if few else room.in_files
        total, number, outputs = (room.empty(shape, kind) for kind in (np.float64, np.int64, np.int64))
        topic = np.zeros(size, np.int64) if topics == 1 else room.empty((size,), np.int64)
        cluster = room.empty((size,), np.int64) if clustered else None
        return cls(total, number, outputs, topic, cluster, [] if few else NamesInFile(size))

    def put(self, some: slice, block: _Block, runs: Sequence[str]) -> int:
        """How many outputs there are for an item at most. DataProblems, or another, for what is wrong with the rows."""
        cell = block.cell
        block.table.check_block(cell, block.run, runs)
        added = block.table.added_up(cell, (len(self.total), len(runs), len(block.which)))
        for array, own in zip((self.total, self.number, self.outputs), added, strict=True):
            array[:, :, some] = own
        self.topic[some] = block.topic
        if self.cluster is not None:
            self.cluster[some] = _clusters(block)
        (self.names.extend if isinstance(self.names, list) else self.names.add)(block.names)
        release(self.total, self.number, self.outputs, self.topic, self.cluster)
        return int(added[2].max(initial=0))


def outcomes_in_blocks(
    blocks: Blocks, table_of: Callable[[CodedRows], Any], scored_of: Callable[..., tuple[Scored, ...]], notes: Sequence[str]
) -> Outcomes:
    """What rows come down to. ``table_of`` audits and adds up the rows of a block, ``scored_of`` describes the measures."""
    runs, measures, topics = blocks.runs(), blocks.only("measure", ONE_MEASURE), blocks.only("topic", ONE_TOPIC)
    scored = scored_of(measures, blocks.kinds(measures))
    parts = blocks.parts(len(measures) * len(runs))
    starts = np.cumsum([0, *map(blocks.items_in, parts)]).tolist()
    if not starts[-1]:
        raise NotApartError

    def each() -> Iterator[tuple[slice, _Block]]:
        for (first, last), part in zip(pairwise(starts), parts, strict=True):
            if last > first:
                table = table_of(blocks.fetched(part))
                yield slice(first, last), _Block.of(table, blocks.run_of(table.rows), len(runs))

    clusters = tuple(blocks.texts.of.get("cluster", ()))
    sums = _Sums.of(blocks.room, (len(measures), len(runs), starts[-1]), len(topics), clustered="cluster" in blocks.texts.of)
    most = [sums.put(some, block, runs) for some, block in each()]
    repeated = max(most) > 1 and not all(one.binary for one in scored)
    repeats_room = blocks.room.in_files if is_in_file(sums.total) else blocks.room
    repeats = _repeats(repeats_room, sums.total.shape, each()) if repeated else None
    items = tuple(sums.names) if isinstance(sums.names, list) else sums.names
    return Outcomes(
        runs, topics, scored, items, sums.topic, sums.total, sums.number, sums.outputs, clusters, sums.cluster, None, repeats,
        notes=tuple(notes),
    )  # fmt: skip


def _repeats(room: Room, shape: tuple[int, ...], blocks: Iterable[tuple[slice, _Block]]) -> Floats:
    found: Floats = room.empty((4, *shape))
    for some, block in blocks:
        found[:, :, :, some] = block.table.ends_of_repeats(block.cell, (*shape[:2], len(block.which)))
        release(found)
    return found


def _clusters(block: _Block) -> Integers:
    """The cluster of each item."""
    code = block.table.rows.code["cluster"]
    cluster: Integers = np.full(len(block.which), -1)
    cluster[block.item] = code
    if (cluster[block.item] != code).any() or (cluster < 0).any():
        raise NotApartError
    return cluster
