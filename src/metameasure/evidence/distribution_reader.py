"""Distributions over classes in every shape of the interface, read and checked: long, wide, or votes to be counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import numpy as np

from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import option, say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.scale import Scale, require
from metameasure.core.values import Kind, in_order, is_empty, number_of
from metameasure.evidence.counting import sign_notes
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.room import bounds
from metameasure.reading.coded_rows import CodedRows
from metameasure.reading.engine import Engine, Frame, Picked, distinct, fetch, reading
from metameasure.reading.inputs import GoldAndRuns
from metameasure.reading.joining import Names, Places, code_of, here_together, renumbering, texts_in
from metameasure.reading.key_faults import Faults, Key, Keys, located, nearest, together
from metameasure.reading.options import Columns, ReadOptions, check_names
from metameasure.reading.sources import UNREAD, Source, text_array
from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.work import in_steps

Shape = Literal["long", "wide", "labels"]
Unit = Literal["topic", "item"]
"""What has a distribution."""
_MOST_NAMED = 5
_SUM_HINT = "a distribution needs a number above 0"


def shape_of(present: Sequence[str], columns: Columns) -> Shape:
    """Long, wide, or labels to be counted."""
    if columns.category in present and columns.probability in present:
        return "long"
    if columns.label in present and columns.topic in present and columns.category not in present:
        return "labels"
    return "labels" if columns.gold in present or {columns.item, columns.label} <= set(present) else "wide"


@dataclass(frozen=True, eq=False)
class Masses:
    """What stands in the files: ``values`` (sides, topics, C), gold being side 0, and ``there`` (sides, topics), whether a side
    has the topic. ``names`` are the runs', in the order of the other sides; ``counted`` says which sides are votes."""

    scale: Scale
    names: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    there: Booleans
    counted: Booleans
    notes: tuple[str, ...] = ()
    beside: CodedRows | None = None
    """Gold's rows by number: ``topic``, and the further columns that were asked for."""

    @cached_property
    def sums(self) -> Floats:
        """(sides, topics): what the values of a topic add up to."""
        return np.asarray(self.values.sum(axis=-1))


@dataclass(frozen=True)
class _Side:
    """A source of distributions, or one run of a source that holds several."""

    source: Source
    run: str | None
    columns: Columns
    shape: Shape
    classes: Sequence[str]
    """The columns of a wide table that are classes."""
    votes: bool = True
    """Whether labels of one topic are votes, and not one label given again."""

    @property
    def counted(self) -> bool:
        return self.source.counted or (self.shape == "labels" and self.votes)

    def cells(self, record: Mapping[str, Any], line: int = 0) -> Iterator[tuple[Any, Any, Any]]:
        """Topic, class and value, as they stand in a record of this side."""
        columns, present = self.columns, self.source.columns
        if self.run is not None and str(record.get(columns.run)) != self.run:
            return
        topic = record.get(columns.topic) if columns.topic in present else line if not self.votes else ONE_TOPIC
        if self.shape == "wide":
            yield from ((topic, name, record.get(name)) for name in self.classes)
        elif self.shape == "labels":
            yield topic, record.get(columns.label), 1
        else:
            yield topic, record.get(columns.category), record.get(columns.probability)


@dataclass(frozen=True)
class DistributionReader:
    """How distributions are read: whether they are divided by their sum, and by how much they may miss a sum of 1 otherwise.

    ``unit`` is what has a distribution: a topic, or an item, whose topic and cluster are no classes, and whose label is no vote.
    ``together`` where gold stands in the table of the runs, in a column of its own. ``beside`` are further columns of gold, by
    what they are to be called.
    """

    options: ReadOptions
    scale: Scale | None
    normalise: bool
    tolerance: float
    unit: Unit = "topic"
    together: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)

    def masses(self, inputs: GoldAndRuns) -> Masses:
        """Gold and runs. DataProblems for what is wrong in a source by itself."""
        sources = (inputs.gold, *inputs.runs)
        self._check_headers(sources)
        in_order_of_rows = not all(self._has_keys(source, place) for place, source in enumerate(sources))
        engine = Engine.of(self.options, ordered=in_order_of_rows)
        with reading(sources):
            rows, beside = self._rows(engine, sources)
            if any(self.options.columns.run in source.columns for source in inputs.runs):
                rows = engine.kept(rows)
            sides = self._sides(rows, inputs)
            placed = self._placed(engine, rows, sides)
        _check_rows(sides, placed.places.rows, self.unit)
        problems, total = self._problems(placed)
        if problems:
            raise DataProblems(problems, total)
        return replace(placed.masses, beside=beside)

    def in_blocks(self, inputs: GoldAndRuns, rows_at_once: int, scratch: Path) -> Blocks:
        """The same in blocks of topics, for what is larger than memory. What is wrong is said after the last block."""
        sources = (inputs.gold, *inputs.runs)
        self._check_headers(sources)
        engine = Engine.of(self.options)
        with reading(sources):
            rows, beside = self._rows(engine, sources)
            sides = self._sides(rows, inputs)
            rows = self._with_topics(rows, sides)
            labels = texts_in(rows, "category")
            scale = self.scale or require(None, labels)
            topics = tuple(in_order(texts_in(rows, "topic")))
            coded = _coded(engine, rows, sides, topics, _written(scale, labels))
            sizes = np.zeros(len(topics), np.int64)
            tally = fetch(coded.group_by("place").agg(nw.len().cast(nw.Int64).alias("rows")))
            np.add.at(sizes, np.maximum(np.ma.filled(tally["place"], 0), 0), tally["rows"])
            parts = list(bounds(sizes, rows_at_once))
            numbers = np.repeat(np.arange(len(parts)), [last - first for first, last in parts])
            of_topics = {"place": np.arange(len(numbers)), "block": numbers}
            listed = coded.join(engine.frame(of_topics, beside=coded), on="place", how="left")
            listed = listed.with_columns(nw.col("block").fill_null(0))  # rows without a topic are with the first
            part = engine.apart(listed, "block", scratch / "blocks")

        def masses() -> Iterator[Masses]:
            wrong: Faults = ([], 0)
            rows = np.zeros(len(sides.sides), np.int64)
            for number, (first, last) in in_steps(enumerate(parts), len(sizes), "topics", lambda part: part[1][1] - part[1][0]):
                with reading(sources):
                    block = self._at_cells(part(number), sides, scale, topics[first:last], first)
                rows += block.places.rows
                wrong = together(wrong, self._problems(block))
                if not wrong[0]:
                    yield block.masses
            _check_rows(sides, rows, self.unit)
            if wrong[0]:
                raise DataProblems(*wrong)

        counted = np.array([side.counted for side in sides.sides])
        return Blocks(scale, tuple(sides.names), topics, counted, masses(), _sign_notes(rows, sides, scale, labels),
                      beside)  # fmt: skip

    def rows_of(self, source: Source) -> dict[str, Any]:
        """One source as columns run, topic, class and probability, votes added up."""
        engine = Engine(ordered=True)
        with reading([source]):
            rows = self._rows(engine, [source])[0].drop("source").rename({"category": "class", "value": "probability"})
            if source.counted:
                rows = rows.group_by("run", "topic", "class").agg(nw.col("probability").sum())
            return fetch(rows.sort("run", "topic", "class"))

    def _check_headers(self, sources: Sequence[Source]) -> None:
        """DataProblems for columns that are missing or are no class."""
        problems = [problem for place, source in enumerate(sources) for problem in self._header_problems(source, place)]
        if problems:
            raise DataProblems(problems)

    def _named(self, place: int) -> Columns:
        """What the user calls a source's columns; gold is source 0."""
        return self.options.columns if place else self.options.of_gold().columns

    def _columns(self, place: int) -> Columns:
        """The same, where what has a distribution is called a topic."""
        columns = self._named(place)
        if self.unit == "topic":
            return columns
        return replace(columns, topic=columns.item, label=columns.gold if self.together and not place else columns.label)

    def _shape(self, source: Source, place: int) -> Shape:
        """Items may have a label beside the probabilities of all classes."""
        columns, present = self._columns(place), source.columns
        if self.unit == "topic":
            return shape_of(present, columns)
        if self.together and not place:
            return "labels"
        if columns.category in present and columns.probability in present:
            return "long"
        found = {self.scale.find(name) for name in self._class_columns(source, place)} if self.scale else {None}
        whole = self.scale is not None and found >= {*range(len(self.scale))}
        return "labels" if columns.label in present and not whole and not place else "wide"

    def _class_columns(self, source: Source, place: int) -> list[str]:
        """The columns of a wide table that are, or should be, classes."""
        columns = self._columns(place)
        others = [columns.topic, columns.run, *(() if source.header else (UNREAD,))]
        if self.unit == "item":
            named = self._named(place)
            beside = (named.topic, named.cluster, named.label, named.gold)
            others += [name for name in beside if self.scale is None or self.scale.find(name) is None]
        return [name for name in source.columns if name not in others]

    def _side(self, source: Source, run: str | None, place: int) -> _Side:
        shape = self._shape(source, place)
        classes = self._class_columns(source, place) if shape == "wide" else []
        return _Side(source, run, self._columns(place), shape, classes, self.unit == "topic")

    def _rows(self, engine: Engine, sources: Sequence[Source]) -> tuple[Frame, CodedRows | None]:
        """All sources one below the other: source, run, topic, category, value; and gold's rows with what stands beside them."""

        def make(place: int) -> tuple[str, ...]:
            shape = self._shape(sources[place], place)
            alone = not self._has_keys(sources[place], place) or (self.beside and not place)
            by_place = f"{place}" if alone else ""
            return (shape, by_place, *((*sources[place].columns, self._columns(place).topic) if shape == "wide" else ()))

        alike = [(own, list(places)) for own, places in groupby(sorted(range(len(sources)), key=make), key=make)]
        scanned = [
            engine.scan([Picked(sources[place], self._wanted(sources[place], shape, place)) for place in places])
            for (shape, *_), places in alike
        ]
        frames, beside = list[Frame](), None
        for ((shape, *_), places), brought in zip(alike, here_together(engine, scanned, source=len(sources)), strict=True):
            rows = brought
            if not self._has_keys(sources[places[0]], places[0]):
                rows = (
                    engine.numbered(rows)
                    .with_columns((nw.col("place") + 1).cast(nw.String).alias("topic"))
                    .drop("place", "token")
                )
            if self.beside and places == [0]:
                rows = engine.kept(rows)
                beside = CodedRows.of(engine, rows, ("topic", *self.beside))
            if self.together and places == [0]:
                rows = distinct(rows, "source", "run", "topic", "category")
            if places != list(range(len(places))):
                rows = rows.with_columns(renumbering("source", dict(enumerate(places))))
            if shape == "wide":
                frames += self._long(engine, rows, self._class_columns(sources[places[0]], places[0]))
            else:
                value = nw.lit(1.0) if shape == "labels" else nw.col("value")
                frames.append(rows.select("source", "run", "topic", "category", value.alias("value")))
        return frames[0] if len(frames) == 1 else nw.concat(frames), beside

    def _has_keys(self, source: Source, place: int) -> bool:
        """Whether rows name their item; otherwise they are items in their order. Topics need not be named: then there is one."""
        return self.unit == "topic" or self._columns(place).topic in source.columns

    def _wanted(self, source: Source, shape: str, place: int) -> dict[str, tuple[str | None, Kind]]:
        columns, present = self._columns(place), source.columns
        of_runs = columns.run in present and not (self.together and not place)
        shared: dict[str, tuple[str | None, Kind]] = {
            "run": (columns.run if of_runs else None, "text"),
            "topic": (columns.topic if columns.topic in present else None, "text"),
            **({} if place else {role: (name, "text") for role, name in self.beside.items()}),
        }
        if shape == "wide":
            names = self._class_columns(source, place)
            return shared | {f"class {place}": (name, "number") for place, name in enumerate(names)}
        if shape == "labels":
            return shared | {"category": (columns.label, "text")}
        return shared | {"category": (columns.category, "text"), "value": (columns.probability, "number")}

    def _long(self, engine: Engine, frame: Frame, classes: Sequence[str]) -> list[Frame]:
        wide = engine.kept(frame)
        return [
            wide.select("source", "run", "topic", nw.lit(name).alias("category"), nw.col(f"class {place}").alias("value"))
            for place, name in enumerate(classes)
        ]

    def _sides(self, rows: Frame, inputs: GoldAndRuns) -> _Sides:
        """Gold and the runs that the sources hold, each with its name."""
        columns = self.options.columns
        if self._columns(0).run in inputs.gold.columns and not self.together:
            raise UsageError("gold has a column of runs", hint="there is only one gold: leave the column out")
        stacked = [place for place, source in enumerate(inputs.runs, start=1) if columns.run in source.columns]
        held: dict[int, list[Any]] = {}
        if stacked:
            pairs = fetch(distinct(rows.filter(nw.col("source").is_in(stacked)), "source", "run"))
            for place, run in zip(pairs["source"].tolist(), pairs["run"].tolist(), strict=True):
                held.setdefault(place, []).append(run)
        sides, names, keys = [self._side(inputs.gold, None, 0)], [""], [(0, "")]
        for place, (source, name) in enumerate(zip(inputs.runs, inputs.names, strict=True), start=1):
            runs = held.get(place)
            if runs is None:
                sides.append(self._side(source, None, place))
                names.append(name)
                keys.append((place, ""))
                continue
            if None in runs:
                raise UsageError("a run has no name", hint="fill the column of runs")
            for run in sorted(runs):
                sides.append(self._side(source, run, place))
                names.append(run)
                keys.append((place, run))
        check_names(names)
        return _Sides(sides, names[1:], keys)

    def _placed(self, engine: Engine, rows: Frame, sides: _Sides) -> _Placed:
        """Every row by its cell. Gold's topics and the classes as they are declared suffice, unless a run has other topics, a
        class is written in another way, or something is wrong."""
        scale = self.scale or require(None, texts_in(rows, "category"))
        rows = self._with_topics(rows, sides)
        topics = self._gold_topics(engine, rows, sides.sides[0])
        coded = _coded(engine, rows, sides, topics, {label: place for place, label in enumerate(scale.labels)})
        placed = self._at_cells(coded, sides, scale, topics, fetched=engine.fetched)
        if not placed.places.outside.any():
            return placed
        rows, labels = engine.kept(rows), texts_in(rows, "category")
        topics = tuple(in_order(texts_in(rows, "topic")))
        coded = _coded(engine, rows, sides, topics, _written(scale, labels))
        return replace(self._at_cells(coded, sides, scale, topics), notes=_sign_notes(rows, sides, scale, labels))

    def _gold_topics(self, engine: Engine, rows: Frame, gold: _Side) -> tuple[str, ...]:
        """The topics of gold, in order."""
        topic = gold.columns.topic
        if topic not in gold.source.columns and self.unit == "topic":
            return (ONE_TOPIC,)
        own = engine.scan([Picked(gold.source, {"topic": (topic, "text")})]) if topic in gold.source.columns else None
        if own is None or not engine.is_here(own):  # what is on a cluster has been brought here once
            own = rows.filter(nw.col("source") == 0)
        return tuple(in_order(texts_in(own, "topic")))

    def _with_topics(self, rows: Frame, sides: _Sides) -> Frame:
        """A source without a column of topics is one topic."""
        without = {
            place
            for (place, _), side in zip(sides.keys, sides.sides, strict=True)
            if side.columns.topic not in side.source.columns
        }
        if not without or self.unit == "item":
            return rows
        everything = nw.when(nw.col("source").is_in(sorted(without))).then(nw.lit(ONE_TOPIC)).otherwise(nw.col("topic"))
        return rows.with_columns(everything.alias("topic"))

    def _at_cells(
        self,
        coded: Frame,
        sides: _Sides,
        scale: Scale,
        topics: tuple[str, ...],
        first: int = 0,
        fetched: Callable[[Frame], dict[str, Any]] = fetch,
    ) -> _Placed:
        """Rows by the cell that they belong to: side, topic and class, numbered through, from so many topics on. Behind those
        each side has one more, for its rows that belong to none."""
        cell = (nw.col("side").cast(nw.Int64) * len(topics) + nw.col("place") - first) * len(scale) + nw.col("code")
        none = nw.col("side") + len(sides.sides) * len(topics) * len(scale)
        columns = fetched(coded.select(nw.coalesce(cell, none).cast(nw.Int64).alias("cell"), "value"))
        return _Placed(self, sides, scale, topics, np.asarray(columns["cell"], np.int64), np.asarray(columns["value"], float))

    def _problems(self, placed: _Placed) -> Faults:
        """What is wrong with each side by itself: cells; where those are sound, sums."""
        cells = placed.faulty_cells()
        sums = placed.wrong_sums()
        problems: Faults = ([], 0)
        for place, side in enumerate(placed.sides.sides):
            number = int(cells[place])
            if not number and side.shape == "labels" and not side.votes:
                number = int(sums[place].sum())
            if number:
                problems = together(problems, self._cell_problems(side, placed.scale, number))
            elif sums[place].any():
                problems = together(problems, self._sum_problems(side, placed, place, np.flatnonzero(sums[place])))
        return problems

    def _cell_problems(self, side: _Side, scale: Scale, total: int) -> Faults:
        """Cells that are no value, or stand in a topic twice, line by line."""
        problems: list[Problem] = []
        seen: dict[Key, int] = {}
        lone = side.shape != "long" and not side.votes  # a row is an item
        total = max(1, total // len(scale)) if lone and side.shape == "wide" else total
        keys, given = Keys((self.unit,) if lone else (self.unit, "category"), self.options.columns), dict[Key, str]()
        for record in side.source.records():
            for topic, label, value in side.cells(record.values, record.line):
                place = None if is_empty(label) else scale.find(label)
                number = None if is_empty(value) else number_of(value)
                if place is None or number is None or not 0 <= number < math.inf or is_empty(topic):
                    fault = cell_fault(topic, label, value, place, number, scale, self.unit)
                    problems.append(side.source.problem(record.line, *fault))
                    continue
                key = (str(topic),) if lone else (str(topic), scale.labels[place])
                known = (
                    self.together and side.shape == "labels" and given.setdefault(key, scale.labels[place]) == scale.labels[place]
                )
                if key in seen and (not lone or seen[key] != record.line) and not side.counted and not known:
                    named, first = (topic,) if lone else (topic, label), side.source.line_shown(seen[key])
                    problems.append(side.source.problem(record.line, keys.again(named, {}, first), "keep one"))
                    if lone:
                        break
                seen.setdefault(key, record.line)
            if len(problems) >= MOST_SHOWN:
                break
        what = "a probability is missing, negative or no number, or a class is unknown"
        problems = problems or [side.source.problem(0, what, "give each class a probability, from 0 to 1")]
        return problems[:MOST_SHOWN], max(total, len(problems))

    def _sum_problems(self, side: _Side, placed: _Placed, number: int, wrong: Integers) -> Faults:
        """Topics whose numbers add up to something else than 1."""
        sums = placed.masses.sums[number]
        by_name = {placed.topics[place]: float(sums[place]) for place in wrong.tolist()}
        seen: set[str] = set()

        def reason(record: Mapping[str, Any], line: int) -> str | None:
            for topic, _, _ in side.cells(record, line):
                if str(topic) in by_name and str(topic) not in seen:
                    seen.add(str(topic))
                    return self.sum_fault(str(topic), by_name[str(topic)])[0]
            return None

        hints = dict(self.sum_fault(topic, total) for topic, total in by_name.items())
        return located(side.source, reason, list(by_name), len(by_name), hints.__getitem__, list(hints))

    def adds_up(self, sums: Floats, counted: Any = False) -> Booleans:
        """Which sums are those of a distribution, or of counts where the sides are counted."""
        free = self.normalise | np.asarray(counted)
        return np.asarray(np.where(free, (sums > 0) & (sums < np.inf), np.abs(sums - 1) <= self.tolerance))

    def sum_fault(self, topic: str, total: float) -> tuple[str, str]:
        """What is wrong with the sum of a topic's numbers, and what to do."""
        whose: dict[str, Any] = {"unit": self.unit, "topic": topic}
        if total == math.inf:
            return say("the numbers of {unit} '{topic}' are too large to add up", **whose), "divide them"
        if total <= 0:
            return say("all numbers of {unit} '{topic}' are 0", **whose), _SUM_HINT
        are_counts = total > 1.5 and self.unit == "topic"
        hint = say("{--counts} if these are counts") if are_counts else say("{--normalise} to divide by the sum")
        return say("the probabilities of {unit} '{topic}' add up to {total:.10g}, not 1", **whose, total=total), hint

    def _header_problems(self, source: Source, place: int) -> list[Problem]:
        """Columns that are missing or that are no class, each said once."""
        columns, present = self._columns(place), source.columns
        line = source.header_line
        if len(present) == 1 and any(separator in present[0] for separator in ";|"):
            separator = ";" if ";" in present[0] else "|"
            return [
                source.problem(
                    line,
                    say("the separator seems to be '{separator}'", separator=separator),
                    "use commas, or tabs in a .tsv file",
                )
            ]
        for role, other, flag in (("category", "probability", "class"), ("probability", "category", "probability")):
            name = getattr(columns, role)
            if getattr(columns, other) in present and name not in present:
                hint = did_you_mean(name, present) or say(
                    "its columns are {names}: choose with {option}", names=", ".join(present), option=option(f"{flag}-column")
                )
                return [source.problem(line, say("there is no column '{name}'", name=name), hint)]
        if self._shape(source, place) != "wide" or self.scale is None:
            return []
        others = [name for name in self._class_columns(source, place) if self.scale.find(name) is None]
        if columns.topic not in present and len(others) == 1:
            return [
                source.problem(
                    line,
                    say("there is no column '{topic}'", topic=columns.topic),
                    say("choose with {option}", option=option(f"{self.unit}-column {others[0]}")),
                )
            ]
        return [
            source.problem(line, say("'{name}' is not one of the classes", name=name), self.scale.near(name))
            for name in others[:MOST_SHOWN]
        ]


@dataclass(frozen=True)
class Blocks:
    """Distributions larger than memory: what all blocks have in common, and the blocks, one after the other, in the order of the
    topics."""

    scale: Scale
    names: tuple[str, ...]
    topics: tuple[str, ...]
    counted: Booleans
    masses: Iterator[Masses]
    notes: tuple[str, ...] = ()
    beside: CodedRows | None = None


@dataclass(frozen=True)
class _Sides:
    """Gold and the runs, the runs' names, and how a row says which of them it belongs to: its source's number and its run."""

    sides: list[_Side]
    names: list[str]
    keys: list[tuple[int, str]]


@dataclass(frozen=True, eq=False)
class _Placed:
    """The cell of each row, behind the last one where it has none because its topic or class is missing or unknown; its value."""

    reader: DistributionReader
    sides: _Sides
    scale: Scale
    topics: tuple[str, ...]
    cell: Integers
    value: Floats
    notes: tuple[str, ...] = ()

    @cached_property
    def _shape(self) -> tuple[int, int, int]:
        return len(self.sides.sides), len(self.topics), len(self.scale)

    @cached_property
    def places(self) -> Places:
        """How often each cell is named."""
        return Places(self._shape[0], self._shape[1] * self._shape[2], self.cell)

    @cached_property
    def _sound(self) -> tuple[Integers, Integers, Floats]:
        """The rows that give a cell a value: how often each cell is given one, and cells and values of those rows."""
        with np.errstate(invalid="ignore"):
            sound = (self.value >= 0) & (self.value < np.inf)
        if not self.places.outside.any() and sound.all():
            return self.places.times, self.cell, self.value
        sound &= self.cell < math.prod(self._shape)
        cell = self.cell[sound]
        return replace(self.places, cell=cell).times, cell, self.value[sound]

    @cached_property
    def _given(self) -> Integers:
        """How often each cell is given a value."""
        return self._sound[0].reshape(self._shape)

    @cached_property
    def masses(self) -> Masses:
        size = math.prod(self._shape)
        values = np.bincount(*self._sound[1:], minlength=size)[:size].reshape(self._shape)
        counted = np.array([side.counted for side in self.sides.sides])
        there = np.ones(self._shape[:2], dtype=bool) if self._given.all() else np.asarray(self._given.any(axis=-1))
        masses = values.astype(float, copy=False)
        return Masses(self.scale, tuple(self.sides.names), self.topics, masses, there, counted, self.notes)

    def faulty_cells(self) -> Integers:
        """How many rows of each side are no value, or a value given again."""
        times = self._given.reshape(self._shape[0], -1)
        once = np.where(self.masses.counted, times.sum(axis=1), np.count_nonzero(times, axis=1))
        return np.asarray(self.places.rows - once)

    def wrong_sums(self) -> Booleans:
        """(sides, topics): the topics whose numbers do not add up."""
        sound = self.reader.adds_up(self.masses.sums, self.masses.counted[:, None])
        wrong: Booleans = self.masses.there & ~sound
        return wrong


def _coded(engine: Engine, rows: Frame, sides: _Sides, topics: Sequence[str], classes: Mapping[str, int]) -> Frame:
    """Every row's side, topic and class by number, null where it has none; and its value."""
    source, run = zip(*sides.keys, strict=True)
    side = nw.col("source").alias("side")
    if any(run):
        side = nw.col("side")
        rows = rows.with_columns(nw.coalesce(nw.col("run"), nw.lit("")).alias("run"))
        numbers = {"source": np.array(source, np.int64), "run": text_array(list(run)), "side": np.arange(len(run))}
        rows = rows.join(engine.frame(numbers, beside=rows), on=["source", "run"], how="left")
    names = Names(engine, {"topic": topics, "category": list(classes)}, {"category": list(classes.values())})
    return names.coded(rows).select(
        side, nw.col(code_of("topic")).alias("place"), nw.col(code_of("category")).alias("code"), "value"
    )


def _written(scale: Scale, labels: Sequence[str]) -> dict[str, int]:
    """The classes as they are written in the sources."""
    return {label: place for label in labels if (place := scale.find(label)) is not None}


def _sign_notes(rows: Frame, sides: _Sides, scale: Scale, labels: Sequence[str]) -> tuple[str, ...]:
    """Classes that are written with another sign, counted by side; asked only where there are such."""
    other = [label for label in labels if scale.signed_otherwise(label) is not None]
    if not other:
        return ()
    by = ("source", "run", "category")
    found = fetch(rows.filter(nw.col("category").is_in(other)).group_by(*by).agg(nw.len().cast(nw.Int64).alias("rows")).sort(*by))
    names = dict(zip(sides.keys, ("gold", *sides.names), strict=True))
    of_one = {source for source, run in sides.keys if not run}
    keyed = zip(*(found[name].tolist() for name in (*by, "rows")), strict=True)
    return sign_notes(
        scale, [(names[source, "" if source in of_one else run], label, number) for source, run, label, number in keyed]
    )


def _check_rows(sides: _Sides, rows: Integers, unit: Unit) -> None:
    """DataProblems for sources that have none."""
    empty = [side.source for side, number in zip(sides.sides, rows.tolist(), strict=True) if not number]
    if empty:
        raise DataProblems(
            [source.problem(0, "there are no rows", say("it needs at least one {unit}", unit=unit)) for source in empty]
        )


def cell_fault(
    topic: Any, label: Any, value: Any, place: int | None, number: float | None, scale: Scale, unit: Unit
) -> tuple[str, str]:
    """What is wrong with a cell, and what to do."""
    if is_empty(topic):
        return say("the row has no {unit}", unit=unit), say("give every row its {unit}", unit=unit)
    if is_empty(label):
        return say("{unit} '{topic}' has a row without class", unit=unit, topic=topic), "name the class"
    if place is None:
        return say("'{label}' is not one of the classes", label=label), scale.near(str(label))
    if is_empty(value):
        what = say("class '{label}' of {unit} '{topic}' has no number", unit=unit, label=label, topic=topic)
        return what, "write 0 where it has no probability"
    fault = (
        ": '{value}' is not a number"
        if number is None
        else " is {value}, less than 0"
        if number < 0
        else " is {value}, not finite"
    )
    what = say("class '{label}' of {unit} '{topic}'" + fault, unit=unit, label=label, topic=topic, value=value)
    return what, "give each class a probability, from 0 to 1"


def topic_problems(
    inputs: GoldAndRuns, masses: Masses, columns: Columns, *, drop: bool, ignore: bool, unit: Unit = "topic"
) -> Faults:
    """Topics that a run has and gold lacks, unless they are ignored, and topics that a run lacks, unless they are dropped."""
    problems: Faults = ([], 0)
    sources = _source_of_each(inputs, masses, columns)
    gold = masses.there[0]
    if masses.there.all():
        return problems
    known = [topic for topic, there in zip(masses.topics, gold, strict=True) if there]
    keys = Keys((unit,), columns, columns.run)
    for number, (name, (source, run)) in enumerate(zip(masses.names, sources, strict=True), start=1):
        unknown = [] if ignore else [(masses.topics[place],) for place in np.flatnonzero(masses.there[number] & ~gold)]
        problems = together(
            problems,
            keys.unknown(source, unknown[:MOST_SHOWN], len(unknown), lambda key: nearest(key[0], known, "remove it"), run),
        )
        missing = [masses.topics[place] for place in np.flatnonzero(gold & ~masses.there[number])]
        if missing and not drop:
            of_run = say(" of run '{name}'", name=name) if run is not None else ""
            shown = ", ".join(f"'{topic}'" for topic in missing[:_MOST_NAMED]) + (", ..." if len(missing) > _MOST_NAMED else "")
            hint: str = say("add them, or leave them out with {--missing drop}")
            if len(missing) == len(known):
                hint = say("none of its {unit}s is in gold: check that it is for this gold", unit=unit)
            what = say(
                "{missing} of {known} {unit}s{of_run} are missing: {topics}",
                unit=unit,
                missing=len(missing),
                known=len(known),
                of_run=of_run,
                topics=shown,
            )
            problems = together(problems, ([source.problem(0, what, hint)], 1))
    return problems


def _source_of_each(inputs: GoldAndRuns, masses: Masses, columns: Columns) -> list[tuple[Source, str | None]]:
    """The source of each run, and the run's name in it where it holds several."""
    stacked = [source for source in inputs.runs if columns.run in source.columns]
    alone = {name: source for name, source in zip(inputs.names, inputs.runs, strict=True) if source not in stacked}
    return [(alone[name], None) if name in alone else (stacked[0], name) for name in masses.names]
