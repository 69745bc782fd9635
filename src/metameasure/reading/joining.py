"""The one keyed reader: keys become numbers in the engine, and what is wrong with them is found by counting places.

``Names`` are the texts that rows are known by; the engine puts their places into the rows, so that no text is fetched twice.
``Places`` is the audit of such rows. Labels are counted in the engine instead, as a
``KeyedTable``: gold beside each run's values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN
from metameasure.core.values import Kind, in_order, repeated
from metameasure.reading.engine import Engine, Frame, Picked, distinct, fetch, reading
from metameasure.reading.frames import ClusterFrame
from metameasure.reading.key_faults import Key, Keys
from metameasure.reading.options import Columns, check_names
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Integers

_OF_IDS = re.compile(r"(.*[ _-])?(ids?|items?|index)|unnamed: 0|", re.IGNORECASE)
Wanted = Mapping[str, tuple[str | None, Kind]]
# Numbers are told apart by counting, not by sorting them, where there are at most so many times as many as rows.
_ROOM = 8


def code_of(role: str) -> str:
    """The column with the places of a role's texts."""
    return f"{role} code"


def texts_in(frame: Frame, column: str) -> list[str]:
    """What stands in a column, once each, sorted."""
    return [text for text in fetch(distinct(frame, column).sort(column))[column].tolist() if text is not None]


def here_together(engine: Engine, frames: Sequence[Frame], **below: int) -> list[Frame]:
    """Frames as ours, as ``Engine.here`` has them; those of a cluster are kept. These come in one go where each row still has one
    value at most: then a text that stands in several frames comes once."""
    there = {place: frame.collect_schema() for place, frame in enumerate(frames) if not engine.is_here(frame)}
    every = {name: kind for schema in there.values() for name, kind in schema.items()}
    if len(there) < 2 or sum(kind != nw.String and name not in below for name, kind in every.items()) > 1:
        own = {place: {name: end for name, end in below.items() if name in schema} for place, schema in there.items()}
        return [engine.kept(engine.here(frame, **own[place])) if place in own else frame for place, frame in enumerate(frames)]

    def beside(place: int) -> Frame:
        nothing = (nw.lit(None).cast(kind).alias(name) for name, kind in every.items() if name not in there[place])
        listed = frames[place].with_columns(nw.lit(place).cast(nw.Int64).alias("table"), *nothing)
        return listed.select("table", *every)

    brought = engine.kept(engine.here(nw.concat(list(map(beside, there))), table=len(frames), **below))
    return [
        brought.filter(nw.col("table") == place).select(*there[place].names()) if place in there else frame
        for place, frame in enumerate(frames)
    ]


@dataclass(frozen=True, eq=False)
class Names:
    """The texts that rows are known by, role by role, in their order: a row's number is the place of its text."""

    engine: Engine
    of: Mapping[str, Sequence[str]]
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Of roles whose texts have other numbers than their places: classes may be written in several ways."""

    @classmethod
    def in_frame(cls, engine: Engine, frame: Frame, roles: Iterable[str]) -> Names:
        """Those that stand in the columns of a frame."""
        return cls(engine, {role: in_order(texts_in(frame, role)) for role in roles})

    def of_roles(self, roles: Iterable[str]) -> Names:
        """Those of some roles."""
        chosen = {*roles}
        return replace(self, of={role: texts for role, texts in self.of.items() if role in chosen})

    def coded(self, frame: Frame) -> Frame:
        """A frame with the number of each role's text, null where it is empty or has none."""
        numbers = {role: np.array(self.numbers.get(role, range(len(texts))), np.int32) for role, texts in self.of.items()}
        return self.engine.looked_up(frame, **{code_of(role): (role, self.of[role], numbers[role]) for role in self.of})


def filled(codes: Any) -> Integers:
    """Numbers that were fetched, -1 where there is none."""
    return np.asarray(np.ma.filled(codes, -1), np.int64)


@dataclass(frozen=True, eq=False)
class Places:
    """The audit by place, the same for every task: how often each of some sides (gold, runs, annotators) names each of ``size``
    places. ``cell`` has a number for each row, side by side; behind those, each side has ``kinds`` of rows that have no place."""

    sides: int
    size: int
    cell: Integers
    kinds: int = 1

    @classmethod
    def of_side(cls, place: Integers, size: int) -> Places:
        """The rows of one side, -1 for those without a place."""
        return cls(1, size, np.where(place < 0, size, place))

    @cached_property
    def all_times(self) -> Integers:
        """How often each cell is named."""
        return np.asarray(np.bincount(self.cell, minlength=self.sides * (self.size + self.kinds)))

    @property
    def times(self) -> Integers:
        """(sides, places): how often each place is named."""
        return self.all_times[: self.sides * self.size].reshape(self.sides, self.size)

    @property
    def outside(self) -> Integers:
        """(sides, kinds): how many rows have no place."""
        return self.all_times[self.sides * self.size :].reshape(self.sides, self.kinds)

    @cached_property
    def rows(self) -> Integers:
        """(sides,): how many rows there are."""
        return np.asarray(self.times.sum(axis=1) + self.outside.sum(axis=1))

    def again(self, side: int = 0) -> Integers:
        """The places that a side names more than once, each as often as it is named again."""
        several = np.flatnonzero(self.times[side] > 1)
        return np.repeat(several, self.times[side][several] - 1)

    def lacking(self, side: int = 0) -> Integers:
        """The places that a side does not name."""
        return np.flatnonzero(self.times[side] == 0)


def renumbered(numbers: Integers, below: int) -> tuple[Integers, Integers]:
    """The different ones of some numbers below another, in order, and the place of each among them."""
    if below > _ROOM * len(numbers):
        return np.unique(numbers, return_inverse=True)
    there = np.bincount(numbers, minlength=1) > 0  # sorting would take ten times as long
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


def renumbering(column: str, numbers: Mapping[int, int]) -> nw.Expr:
    """A column with other numbers in the place of its own; it has no others than these."""
    new = nw.lit(next(iter(numbers.values()), 0)).cast(nw.Int64)
    for own, number in numbers.items():
        new = nw.when(nw.col(column) == own).then(nw.lit(number).cast(nw.Int64)).otherwise(new)
    return new.alias(column)


def repeated_keys(frame: Frame, keys: Sequence[str]) -> tuple[list[Key], int]:
    """The first of the keys that stand there more than once, and on how many rows they stand again."""
    several = frame.group_by(*keys).agg(nw.len().cast(nw.Int64).alias("times")).filter(nw.col("times") > 1)
    counted = fetch(several.select(nw.len().alias("keys"), nw.col("times").sum().alias("rows")))
    if not int(counted["keys"][0]):
        return [], 0
    return first_keys(several, keys), int(counted["rows"][0]) - int(counted["keys"][0])


def first_keys(frame: Frame, keys: Sequence[str]) -> list[Key]:
    """A few rows' keys, the first in order."""
    listed = fetch(frame.select(*keys).sort(*keys).head(MOST_SHOWN))
    return list(zip(*(listed[key].tolist() for key in keys), strict=True))


@dataclass(frozen=True)
class KeyedTable:
    """Runs to be joined to gold, or joined already.

    ``runs`` has ``run`` (a position in ``names``), the keys and the runs' values; ``gold`` the keys, gold's values, and for each
    row a random ``token`` and, where it is here, a ``place``. Where gold already stands beside each value (side by side, stacked)
    there is no ``gold`` frame, and ``runs`` has its columns. ``keys`` are what runs are joined by.
    """

    engine: Engine
    runs: Frame
    gold: Frame | None
    names: tuple[str, ...]
    keys: tuple[str, ...]
    columns: Columns
    gold_columns: Columns
    run_sources: tuple[Source, ...]
    gold_source: Source
    shape: Literal["long", "side by side", "stacked"]
    orders: tuple[frozenset[str], ...] = ()
    """For each run, which of the columns confidence, rank and score it has, where they are asked for."""
    picked: tuple[Picked, ...] = ()
    """For each run what is read of its source, where each has one of its own, and here."""
    matrices: Mapping[str, Source] = field(default_factory=dict)
    """Of the columns confidence, rank and score, those that stand in matrices of their own, a column for each run."""
    topicless: frozenset[int] = frozenset()
    """The runs without a column of topics beside others that have one: their items have the topics that gold gives them."""
    equal_weights: bool = False
    """Whether items have weights only because several outputs of a run share one item's."""

    def __post_init__(self) -> None:
        check_names(self.names)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of how its sources were read."""
        return tuple(note for source in (self.gold_source, *self.run_sources) for note in source.notes)

    @property
    def described(self) -> Frame:
        """The frame that has gold's columns."""
        return self.runs if self.gold is None else self.gold

    def has(self, column: str) -> bool:
        """Whether items have a topic, a weight, ..."""
        return column in self.described.collect_schema().names()

    @property
    def has_items(self) -> bool:
        return "item" in self.runs.collect_schema().names()

    @property
    def repeated(self) -> bool:
        """Whether a run may have several outputs for an item, told apart by a column ``repeat``."""
        return "repeat" in self.runs.collect_schema().names()

    def source(self, run: int | None) -> Source:
        """Where a run comes from, or gold."""
        return self.gold_source if run is None else self.run_sources[run]

    def matrix(self, role: str, run: int) -> Source | None:
        """The matrix that says how a run orders its items, where that does not stand in the run's own source."""
        matrix = self.matrices.get(role)
        return matrix if matrix is not None and self.names[run] in matrix.columns else None

    def one(self, run: int) -> Frame:
        """The rows of one run."""
        return self.runs.filter(nw.col("run") == run)

    def keys_of(self, runs: Sequence[int]) -> Frame:
        """The keys of some runs' rows: ``run``, a position in ``runs``, and the keys. Sources of other runs are not read."""
        if self.picked:
            wanted = [
                Picked(one.source, {key: one.columns[key] for key in self.keys}) for one in map(self.picked.__getitem__, runs)
            ]
            own = self.engine.scan(wanted).rename({"source": "run"})
            topicless = [place for place, run in enumerate(runs) if run in self.topicless]
            return with_topics_of_gold(own, self.gold, topicless) if topicless else own
        position = renumbering("run", {run: place for place, run in enumerate(runs)})
        return self.runs.filter(nw.col("run").is_in(list(runs))).select(position, *self.keys)

    def joined(self, runs: Frame | None = None, how: Literal["left", "inner"] = "left") -> Frame:
        """Runs beside gold."""
        runs = self.runs if runs is None else runs
        if self.gold is None:
            return runs
        return runs.join(self.gold, on=list(self.keys), how=how)

    @property
    def is_here(self) -> bool:
        """Whether its rows are here, not on a cluster."""
        return self.engine.is_here(self.runs)

    def here(self) -> KeyedTable:
        """The same table with the rows here, for what is asked of single items."""
        if self.is_here:
            return self
        of_gold = () if self.gold is None else (self.gold.drop("token"),)
        runs, *brought = here_together(self.engine, (self.runs, *of_gold), run=len(self.names))
        gold = self.engine.numbered(brought[0]) if brought else None
        return replace(self, runs=runs, gold=gold, picked=())

    def named(self, run: int | None) -> Keys:
        """What rows of gold or a run are known by, for error messages."""
        columns = self.gold_columns if run is None else self.columns
        stacked = self.shape == "stacked" and columns.run in self.source(run).columns  # which gold that stands alone is not
        return Keys(("item",) if run in self.topicless else self.keys, columns, columns.run if stacked else None)

    def run_name(self, run: int | None) -> str | None:
        """The name that picks a run's rows in a source of several runs."""
        return self.names[run] if run is not None and self.shape == "stacked" else None

    def reading(self) -> Any:
        """Turns an error of the engine, while its query runs, into ours."""
        return reading([self.gold_source, *self.run_sources, *self.matrices.values()])


def joined_later(
    engine: Engine, gold: Picked, runs: Sequence[Picked], names: Sequence[str], keys: tuple[str, ...], **facts: Any
) -> KeyedTable:
    """A source of gold and one for each run."""
    of_runs = engine.scan(runs).rename({"source": "run"})
    with reading([gold.source]):
        of_gold, of_runs = engine.in_one_place(engine.scan([gold]).drop("source"), of_runs, len(runs))
        of_gold = engine.as_gold(of_gold, keys)
    if topicless := facts.get("topicless"):
        of_runs = with_topics_of_gold(of_runs, of_gold, sorted(topicless))
    sources = tuple(one.source for one in runs)
    return KeyedTable(
        engine, of_runs, of_gold, tuple(names), keys, run_sources=sources, gold_source=gold.source, shape="long",
        picked=() if any(isinstance(source, ClusterFrame) for source in sources) else tuple(runs), **facts,
    )  # fmt: skip


def with_topics_of_gold(rows: Frame, gold: Frame, topicless: Sequence[int]) -> Frame:
    """Rows of runs, those of some of them with the topic that gold gives their item; an item that gold lacks has an empty one."""
    topics = gold.group_by("item").agg(nw.col("topic").min().alias("topic of gold"))
    joined = rows.join(topics, on="item", how="left")
    found = nw.coalesce(nw.col("topic of gold"), nw.when(~nw.col("item").is_null()).then(nw.lit("")))
    topic = nw.when(nw.col("run").is_in(list(topicless))).then(found).otherwise(nw.col("topic"))
    return joined.with_columns(topic.alias("topic")).drop("topic of gold")


def runs_of(engine: Engine, picked: Picked) -> tuple[Frame, tuple[str, ...]]:
    """A source with a column of runs' names: its rows with runs by number, and the names in the order of those numbers.

    Rows without a name have no number.
    """
    frame = engine.scan([picked]).drop("source")
    with reading([picked.source]):
        listed = fetch(distinct(frame, "run"))["run"]
    names = tuple(sorted(name for name in listed.tolist() if name is not None))
    if not names:
        return frame, ()
    numbered = engine.looked_up(frame, number=("run", names, np.arange(len(names))))
    return numbered.drop("run").rename({"number": "run"}), names


def beside_each_other(engine: Engine, source: Source, shared: Wanted, runs: Sequence[str], kind: Kind, value: str) -> Frame:
    """A source with gold and a column for each run: a row for each run and item, the run's value under one name."""
    # Runs become numbered columns, so that no name of a run can be mistaken for one of ours.
    columns = {**shared, **{f"run {place}": (name, kind) for place, name in enumerate(runs)}}
    with reading([source]):
        wide = engine.kept(engine.scan([Picked(source, columns)]).drop("source"))
    return nw.concat(
        [
            wide.select(*shared, nw.col(f"run {place}").alias(value), nw.lit(place).cast(nw.Int64).alias("run"))
            for place in range(len(runs))
        ]
    )


def check_run_columns(chosen: Sequence[str], gold_column: str) -> None:
    """UsageError for a column that is gold and a run, or a run twice."""
    if twice := repeated(chosen):
        raise UsageError(say("the run column '{column}' is named twice", column=twice[0]), hint="name each run once")
    if gold_column in chosen:
        raise UsageError(
            say("the column '{column}' is gold and a run", column=gold_column),
            hint="it would score as perfect: leave it out of the runs",
        )


def check_no_ids(runs: Sequence[str]) -> None:
    """UsageError for a column that is taken for a run, where no column of ids is named, and by its name holds ids."""
    for name in runs:
        if _OF_IDS.fullmatch(name):
            raise UsageError(
                say("the column '{column}' seems to hold the items' ids", column=name),
                hint=say("use {--item-column <name>}, or name the runs with {--run-columns}", name=name),
            )
