"""Outcomes in every shape of the interface, read and audited: stacked, a file for each run, or a column for each run."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.choices import Better
from metameasure.core.errors import NoRuns, UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import Message, note, say
from metameasure.core.notes import counted, listed
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.values import Kind, in_order, is_empty, number_of
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcome_blocks import Blocks, outcomes_in_blocks
from metameasure.evidence.outcome_rows import Look
from metameasure.evidence.outcome_sums import Reader, outcomes_there
from metameasure.evidence.outcomes import ONE_MEASURE, OfOutcomes, Outcomes, Scored
from metameasure.evidence.room import NotApartError, Room
from metameasure.evidence.same_items import UNHASHED, Sightings
from metameasure.reading.coded_rows import CodedRows, with_number
from metameasure.reading.engine import Engine, Frame, NotEnoughMemoryError, Picked, fetch, reading
from metameasure.reading.files import File
from metameasure.reading.frames import ClusterFrame
from metameasure.reading.inputs import Runs, missing_columns, open_runs
from metameasure.reading.joining import Names, filled, renumbered, renumbering
from metameasure.reading.key_faults import NONE, Faults, Keys, located, together
from metameasure.reading.options import Columns, ReadOptions
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Source, text_array
from metameasure.statistics.arrays import Booleans, Floats, Integers

_TEXTS = ("run", "measure", "topic", "item", "repeat", "cluster", "hash")
_NEEDED = ("run", "measure", "topic", "item", "cluster")
_FLAGS = ("true", "false")
_BY = "by"


@dataclass(frozen=True)
class OutcomeReader:
    """How outcomes are read."""

    options: ReadOptions

    @property
    def columns(self) -> Columns:
        return self.options.columns

    def read(self, first: Any, others: Any, scratch: Path) -> OfOutcomes:
        """DataProblems for what is wrong: a score that is no number, an item twice, a row without its item."""
        return self.of_runs(open_runs(first, others, self.options, scratch))

    def of_runs(self, runs: Runs) -> OfOutcomes:
        """The same of sources that are open: sums of those on a cluster; and in blocks, where memory is limited."""
        if any(isinstance(source, ClusterFrame) for source in runs.sources) and (found := self._summed(runs)) is not None:
            return found
        try:
            if self.options.memory is not None and not any(source.apart for source in runs.sources):
                return self._within(runs, Room.of(self.options.memory))
        except NotEnoughMemoryError:
            raise
        except (DataProblems, UsageError):
            pass  # what is wrong is said of all rows at once
        return self._table(runs).outcomes()

    def _summed(self, runs: Runs) -> OfOutcomes | None:
        """What rows on a cluster come down to there; None where it is not all there, or not that plain."""
        self._check_headers(runs)
        if not all(isinstance(source, ClusterFrame) and not source.apart for source in runs.sources):
            return None
        with reading(runs.sources):
            engine = Engine(threads=self.options.threads, memory=self.options.memory, ordered=True)
            frame = self._stacked(engine, runs, there=True)
            if engine.is_here(frame):
                return None
            wide = self._are_wide(runs)
            table = _Table(runs, self.columns, CodedRows({}, {}, {}), wide)

            def look_at(some: Frame, number: int) -> None:
                missing = (nw.lit(None, nw.String).alias(role) for role in _TEXTS if role not in some.collect_schema().names())
                here = engine.here(some.with_columns(*missing), source=len(runs.sources))
                rows = self._coded_rows(engine, engine.kept(_with_empties(here).sort("run", "measure", "topic", "item")), runs)
                try:
                    _Table(runs, self.columns, rows, wide).outcomes()
                except DataProblems as error:  # what is wrong with the first of them
                    raise DataProblems(error.problems, max(error.total, number)) from None

            reader = Reader(table.described, lambda: self._table(runs).outcomes(), table.check, look_at)
            return outcomes_there(engine, frame, runs.names, runs.notes, reader)

    def _within(self, runs: Runs, room: Room) -> Outcomes:
        """In blocks; in one thread, which needs less memory, where several need more than there is."""
        try:
            return self._in_blocks(runs, room, self.options.threads)
        except NotEnoughMemoryError:
            pass  # only once the error is gone is the first engine, which it holds on to by its frames, gone with its memory
        return self._in_blocks(runs, room, threads=1)

    def _in_blocks(self, runs: Runs, room: Room, threads: int | None) -> Outcomes:
        """Block by block of items. NotApartError, or another, where the rows have to be looked at all at once."""
        self._check_headers(runs)
        by_place = any(self.columns.item not in source.columns for source in runs.sources)
        with reading(runs.sources), tempfile.TemporaryDirectory(prefix="metameasure-") as folder:
            engine = Engine(threads=threads, memory=room.for_engine, ordered=by_place)
            frame, runs = self._kept(engine, runs, path=Path(folder) / "rows.parquet")
            engine.forget()  # what was kept on the way to the file
            if int(fetch(frame.select(nw.col("hash").count().cast(nw.Int64).alias("rows")))["rows"][0]):
                raise NotApartError
            texts = Names.in_frame(engine, frame, [role for role in self._there(runs) if role not in ("hash", "item")])
            wide = self._are_wide(runs)
            table = _Table(runs, self.columns, CodedRows({}, {}, {}), wide)
            return outcomes_in_blocks(
                Blocks(engine, frame, texts, runs.names, room, Path(folder)),
                lambda block: _Table(runs, self.columns, block.lacking(_TEXTS), wide),
                table.described,
                runs.notes,
            )

    def _table(self, runs: Runs, by: str | None = None) -> _Table:
        self._check_headers(runs)
        coded, runs = self._coded(runs, by)
        return _Table(runs, self.columns, coded, self._are_wide(runs))

    def _coded(self, runs: Runs, by: str | None) -> tuple[CodedRows, Runs]:
        """All rows by number. The engine, with what it keeps, is gone when they are here."""
        with reading(runs.sources):
            engine = Engine(threads=self.options.threads, memory=self.options.memory, ordered=True)
            frame, runs = self._kept(engine, runs, by)
            return self._coded_rows(engine, frame, runs, by), runs

    def _coded_rows(self, engine: Engine, frame: Frame, runs: Runs, by: str | None = None) -> CodedRows:
        there = [role for role in self._there(runs) if role != "hash"] + ([_BY] if by else [])
        hashed, more = with_number(frame, "hash", "hashed"), ("source", "score", "empty", "hashed")
        return CodedRows.of(engine, hashed, there, as_texts=("item",), more=more).lacking(_TEXTS)

    def _kept(self, engine: Engine, runs: Runs, by: str | None = None, *, path: Path | None = None) -> tuple[Frame, Runs]:
        """The rows of all sources, read once, and the sources with the columns that turned up on the way. In a file where they
        may be too many for the engine."""
        stacked = _with_empties(engine.here(self._stacked(engine, runs, by), source=len(runs.sources)))
        frame = engine.kept(stacked) if path is None else engine.written(stacked, path)
        open_ended = [place for place, source in enumerate(runs.sources) if isinstance(source, File) and source.more_keys]
        if not open_ended:
            return frame, runs
        known = fetch(frame.group_by("source").agg(*(nw.col(role).count().alias(role) for role in _TEXTS)))
        sources = list(runs.sources)
        for place in open_ended:
            row = known["source"].tolist().index(place) if place in known["source"] else None
            names = [] if row is None else [getattr(self.columns, role) for role in _TEXTS if known[role][row]]
            columns = tuple(dict.fromkeys([*sources[place].columns, *names]))
            sources[place] = replace(sources[place], columns=columns, more_keys=False)  # type: ignore[call-arg]
        return frame, replace(runs, sources=tuple(sources))

    def _there(self, runs: Runs) -> list[str]:
        """The roles that some source has a column for."""
        return [role for role in _TEXTS if role in ("run", "item") or any(self._own(one, role) for one in runs.sources)]

    def rows(self, runs: Runs) -> dict[str, Any]:
        """The rows of sources as columns: run, item, score and whatever else they have."""
        self._check_headers(runs)
        with reading(runs.sources):
            frame, runs = self._kept(Engine(ordered=True), runs)
            columns = fetch(frame)
        run = [name or runs.names[place] for name, place in zip(columns["run"].tolist(), columns["source"].tolist(), strict=True)]
        return {**{role: columns[role] for role in self._there(runs)}, "run": text_array(run), "score": columns["score"]}

    def column(self, runs: Runs, name: str) -> dict[tuple[str, str], str]:
        """What stands in another column of the sources, by topic and item. DataProblems where an item has two values."""
        if not any(name in source.columns for source in runs.sources):
            there = list(dict.fromkeys(column for source in runs.sources for column in source.columns))
            hint = did_you_mean(name, there) or f"there are {', '.join(there)}"
            raise UsageError(say("there is no column '{column}' to slice by", column=name), hint=hint)
        return self._table(runs, by=name).values_of_items(name)

    def _are_wide(self, runs: Runs) -> tuple[bool, ...]:
        return tuple(self._is_wide(source) for source in runs.sources)

    def _is_wide(self, source: Source) -> bool:
        return bool(self.options.run_columns) or self.columns.score not in source.columns

    def _run_columns(self, source: Source) -> tuple[str, ...]:
        """The columns of a wide table that are runs."""
        if self.options.run_columns:
            return self.options.run_columns
        taken = {getattr(self.columns, role) for role in _TEXTS if role != "run"} | {*self.options.metadata}
        return tuple(name for name in source.columns if name and name not in taken)

    def _check_headers(self, runs: Runs) -> None:
        """DataProblems for columns that are missing."""
        problems: list[Problem] = []
        for source in runs.sources:
            if not self._is_wide(source):
                problems += self._without_item(source)
                continue
            names = self._run_columns(source)
            problems += [one for name in names for one in missing_columns(source, {"run": name})]
            if not names or self.columns.run in source.columns:
                problems += missing_columns(source, {"score": self.columns.score})
        if problems:
            raise DataProblems(problems)

    def _without_item(self, source: Source) -> list[Problem]:
        hint = say("without items these are scores of topics, which compare and meta take as they are")
        lacking = missing_columns(source, {"item": self.columns.item})
        return [replace(one, hint=one.hint if "column" in getattr(one.hint, "options", ()) else f"{one.hint}; {hint}")
                for one in lacking]  # fmt: skip

    def _stacked(self, engine: Engine, runs: Runs, by: str | None = None, *, there: bool = False) -> Frame:
        """All sources one below the other: a row for each run, item, measure and repeat; on a cluster, if they are to stay
        ``there`` and can."""
        long = [place for place, source in enumerate(runs.sources) if not self._is_wide(source)]
        frames = []
        if long:
            picked = [Picked(runs.sources[place], self._wanted(runs.sources[place], by)) for place in long]
            rows, in_a_row = engine.scan(picked), long == list(range(len(long)))
            frames.append(rows if in_a_row else rows.with_columns(renumbering("source", dict(enumerate(long)))))
        for place, source in enumerate(runs.sources):
            if self._is_wide(source):
                frames += self._wide(engine, source, place, by, there=there)
        if len({engine.is_here(frame) for frame in frames}) > 1:
            frames = [engine.here(frame, source=len(runs.sources)) for frame in frames]
        return frames[0] if len(frames) == 1 else nw.concat(frames)

    def _wanted(self, source: Source, by: str | None) -> dict[str, tuple[str | None, Kind]]:
        wanted: dict[str, tuple[str | None, Kind]] = {role: (self._own(source, role), "text") for role in _TEXTS}
        return wanted | {"score": (self.columns.score, "score")} | _sliced(source, by)

    def _own(self, source: Source, role: str) -> str | None:
        """The column of a role; where not all columns are known yet, it may turn out to be empty."""
        name: str = getattr(self.columns, role)
        return name if name in source.columns or (isinstance(source, File) and source.more_keys) else None

    def _wide(self, engine: Engine, source: Source, place: int, by: str | None, *, there: bool) -> list[Frame]:
        """A frame for each run of a table with a column for each; without a column of items a row's number is its item."""
        names = self._run_columns(source)
        shared: dict[str, tuple[str | None, Kind]] = {
            role: (self._own(source, role), "text") for role in _TEXTS if role not in ("run", "item")
        } | _sliced(source, by)
        cells = {f"run {number}": (name, "score") for number, name in enumerate(names)}
        item = self._own(source, "item")
        wide = engine.scan([Picked(source, {**shared, "item": (item, "text"), **cells})])  # type: ignore[dict-item]
        wide = wide if there and item is not None else engine.kept(engine.here(wide, source=1))
        if item is None:
            wide = engine.numbered(wide).with_columns((nw.col("place") + 1).cast(nw.String).alias("item"))
        return [
            wide.select(
                nw.lit(place).cast(nw.Int64).alias("source"),
                *(nw.lit(name).alias("run") if role == "run" else nw.col(role) for role in _TEXTS),
                nw.col(f"run {number}").alias("score"),
                *([nw.col(_BY)] if by else []),
            )
            for number, name in enumerate(names)
        ]


def _with_empties(frame: Frame) -> Frame:
    return frame.with_columns(nw.col("score").is_null().alias("empty"))


def _sliced(source: Source, by: str | None) -> dict[str, tuple[str | None, Kind]]:
    return {} if by is None else {_BY: (by if by in source.columns else None, "text")}


@dataclass(frozen=True, eq=False)
class _Table:
    """Rows of outcomes by number, and where they come from."""

    inputs: Runs
    columns: Columns
    rows: CodedRows
    wide: tuple[bool, ...]

    @cached_property
    def source(self) -> Integers:
        return np.asarray(self.rows.value["source"], dtype=np.int64)

    @cached_property
    def score(self) -> Floats:
        return np.asarray(self.rows.value["score"], dtype=float)

    @cached_property
    def empty(self) -> Booleans:
        """Which rows have no score."""
        return np.asarray(self.rows.value["empty"], dtype=bool)

    def outcomes(self) -> Outcomes:
        if not self.rows.size:
            for source in self.inputs.sources:
                if isinstance(source, Parts):
                    said = "'{folder}' is a folder without files of an evaluation harness that are known"
                    raise NoRuns(say(said, folder=source.shown), hint=source.by_name())
            raise NoRuns("there are no outcomes", hint="it needs a row for each run and item")
        self._raise(together(*map(self._of_source, self._suspects())))
        runs, run = self._runs()
        measures, measure = self._named("measure", ONE_MEASURE)
        topics, topic, items, item, called = self._items(run, runs)
        shape = len(measures), len(runs), len(items)
        cell = np.ravel_multi_index((measure, run, item), shape)
        self._check_single(cell, run, runs)
        total, number, outputs = self.added_up(cell, shape)
        clusters, cluster = self._clusters(item, len(items))
        scored = self._scored(measures, measure)
        return Outcomes(
            runs, topics, scored, items, topic, total, number, outputs, clusters, cluster,
            self._hashes(item, len(items)), self._repeats(cell, shape, scored), notes=(*self.inputs.notes, *called),
        )  # fmt: skip

    def values_of_items(self, name: str) -> dict[tuple[str, str], str]:
        """What the column ``by`` says of each item, by its topic and name. DataProblems where it says two things of one."""
        runs, run = self._runs()
        topics, topic, items, item, _ = self._items(run, runs)
        code = self.rows.code[_BY]
        known = np.flatnonzero(code >= 0)
        value = np.full(len(items), -1, dtype=np.int64)
        value[item[known[::-1]]] = code[known[::-1]]
        other = known[value[item[known]] != code[known]]
        if len(other):
            row, texts = int(other[0]), self.rows.names[_BY]
            first, second = texts[value[item[row]]], texts[code[row]]
            what = say("item '{item}' is {first} and {second}", item=items[item[row]], first=first, second=second)
            raise self.inputs.sources[int(self.source[row])].error(
                0, what, say("give each item one value of '{name}'", name=name)
            )
        there = np.flatnonzero(value >= 0).tolist()
        return {(topics[topic[one]], items[one]): self.rows.names[_BY][value[one]] for one in there}

    def _raise(self, faults: Faults) -> None:
        if faults[0]:
            raise DataProblems(faults[0][:MOST_SHOWN], faults[1])

    def _keys(self, place: int) -> Keys:
        """What a row of a source is known by."""
        present = self.inputs.sources[place].columns
        named = [role for role in ("measure", "topic", "item", "repeat") if getattr(self.columns, role) in present]
        return Keys(tuple(named), self.columns, self.columns.run if self.columns.run in present else None)

    def _roles(self, place: int) -> list[str]:
        """The columns of a source that need something in every row."""
        present = self.inputs.sources[place].columns
        return [role for role in _NEEDED if getattr(self.columns, role) in present and not (role == "run" and self.wide[place])]

    def _suspects(self) -> list[int]:
        """The sources that something is wrong with, found in one look at all rows: there may be very many sources."""
        odd = ~self.empty & ~np.isfinite(self.score)
        for role in _NEEDED:
            own = np.array([role in self._roles(place) for place in range(len(self.inputs.sources))])
            nothing = np.array([*map(str.isspace, self.rows.names[role]), True])  # in the end, that of rows without any
            if own.any() and (nothing[:-1].any() or (self.rows.code[role] < 0).any()):
                odd |= own[self.source] & nothing[self.rows.code[role]]
        return [int(place) for place in np.unique(self.source[odd])]

    def _of_source(self, place: int) -> Faults:
        """What is wrong with the rows of one source by themselves."""
        mine = self.source == place
        wrong = mine & ~self.empty & ~np.isfinite(self.score)
        return self._faults(place, {role: self._without(role, mine) for role in self._roles(place)}, int(wrong.sum()))

    def _faults(self, place: int, lacking: Mapping[str, int], wrong: int) -> Faults:
        """How many rows of a source lack something, and how many scores are wrong, with the first of them."""
        source, keys = self.inputs.sources[place], self._keys(place)
        return together(
            *(keys.empty(source, role, number) for role, number in lacking.items()),
            self._wrong_scores(source, wrong, wide=self.wide[place]) if wrong else NONE,
        )

    def check(self, look: Look) -> None:
        """DataProblems for what rows on a cluster lack, and for scores that are no numbers."""
        places = range(len(self.inputs.sources))
        lacking = ({role: look.lacking(role, place) for role in self._roles(place)} for place in places)
        each = (self._faults(place, one, look.total("no number", place)) for place, one in zip(places, lacking, strict=True))
        self._raise(together(*each))

    def _without(self, role: str, mine: Booleans) -> int:
        """How many rows have nothing in a column, or white space."""
        code, names = self.rows.code[role][mine], self.rows.names[role]
        blank = [place for place, name in enumerate(names) if name.isspace()] if any(map(str.isspace, names)) else []
        return int(np.count_nonzero(code < 0) + (np.count_nonzero(np.isin(code, blank)) if blank else 0))

    def _wrong_scores(self, source: Source, total: int, *, wide: bool) -> Faults:
        taken = {getattr(self.columns, role) for role in _TEXTS}
        names = [name for name in source.columns if name not in taken] if wide else [self.columns.score]

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            for name in names:
                cell = record.get(name)
                if is_empty(cell) or isinstance(cell, bool) or str(cell).strip().lower() in (*_FLAGS, "nan"):
                    continue
                number = number_of(cell)
                if number is None:
                    return say("score '{cell}' is not a number", cell=cell)
                if not math.isfinite(number):
                    return say("score '{cell}' is not a finite number", cell=cell)
            return None

        hint = "a score is a number, or true or false; leave it empty where an output has none"
        return located(source, reason, None, total, hint, [say("a score is not a number")])

    def _named(self, role: str, otherwise: str) -> tuple[tuple[str, ...], Integers]:
        """The names in a column, and each row's place among them; one name for rows whose source has no such column."""
        names, code = self.rows.names[role], self.rows.code[role]
        if (code >= 0).all():
            return tuple(names), code
        if not names:
            return (otherwise,), np.broadcast_to(np.int64(0), len(code))
        both = tuple(in_order({*names, otherwise}))
        return both, np.array([both.index(name) for name in (*names, otherwise)], dtype=np.int64)[code]

    def _runs(self) -> tuple[tuple[str, ...], Integers]:
        """The runs' names, and each row's run: as the rows say, or else as their source is called."""
        names, code = list(self.rows.names["run"]), self.rows.code["run"].copy()
        for place, name in enumerate(self.inputs.names):
            unnamed = (self.source == place) & (code < 0)
            if unnamed.any():
                if name in names:
                    raise UsageError(say("two runs are called '{run}'", run=name), hint="give each run a name of its own")
                names.append(name)
                code[unnamed] = len(names) - 1
        return self._told_apart(names, code)

    def _told_apart(self, names: list[str], code: Integers) -> tuple[tuple[str, ...], Integers]:
        """Runs of one name whose sources have the same items under names of their own, by what tells the sources apart."""
        sources = self.inputs.sources
        shared = np.unique(code * len(sources) + self.source) // len(sources)
        if not any(source.apart for source in sources) or len(np.unique(shared)) == len(shared):
            return tuple(names), code
        row = _dense(code, self._key())
        first = np.full(int(row.max(initial=0)) + 1, -1)
        first[row[::-1]] = self.source[::-1]
        several = np.unique(code[first[row] != self.source])
        for run in several.tolist():
            for place in np.unique(self.source[code == run]).tolist():
                if sources[place].apart:
                    names.append(f"{names[run]} ({sources[place].apart})")
                    code[(code == run) & (self.source == place)] = len(names) - 1
        known = [number for number in range(len(names)) if (code == number).any()]
        if len({names[number] for number in known}) < len(known):  # the same settings: rows that are there twice
            together_by_name = {name: number for number, name in reversed(list(enumerate(names)))}
            code = np.array([together_by_name[name] for name in names], dtype=np.int64)[code]
            known = sorted({*code.tolist()})
        place_of = np.full(len(names), -1)
        place_of[known] = np.arange(len(known))
        return tuple(names[number] for number in known), place_of[code]

    def _key(self) -> Integers:
        """A number for what a row is about: measure, topic, item and repeat."""
        return _dense(*(self.rows.code[role] for role in ("measure", "topic", "item", "repeat")))

    def _items(
        self, run: Integers, runs: Sequence[str]
    ) -> tuple[tuple[str, ...], Integers, tuple[str, ...], Integers, list[str]]:
        """The topics, each item's, the items' names in the order of topics and names, each row's item, and what there is to say
        of how items were paired."""
        topics, topic = self._named("topic", ONE_TOPIC)
        names, item, said = self._paired(run, runs, topic)
        found, number = renumbered(topic * len(names) + item, len(topics) * len(names))
        if len(topics) == 1 and len(found) == len(names):
            return topics, np.zeros(len(found), np.int64), tuple(names), number, said
        of_topic, which = np.divmod(found, len(names))
        return topics, of_topic, tuple(map(names.__getitem__, which.tolist())), number, said

    @cached_property
    def hashed(self) -> Integers:
        """A number for the hash of each row's item, -1 where it has none."""
        return filled(self.rows.value["hashed"])

    def _paired(self, run: Integers, runs: Sequence[str], topic: Integers) -> tuple[Sequence[str], Integers, list[str]]:
        """The items' names and each row's, after items that have the same hash have been given one name. DataProblems where one
        name stands for items that are not the same."""
        names, item = self.rows.names["item"], self.rows.code["item"]
        if not (self.hashed >= 0).any() or self._agree_on_hashes(topic * len(names) + item, topic, len(runs)):
            return names, item, []
        _, row, number = np.unique(_dense(run, topic, item, self.hashed), return_index=True, return_inverse=True)
        keys = [(code, names[which]) for code, which in zip(topic[row].tolist(), item[row].tolist(), strict=True)]
        by_run = np.argsort(run[row], kind="stable")
        sightings = Sightings(run[row][by_run].tolist(), [keys[one] for one in by_run], self.hashed[row][by_run].tolist())
        self._raise_clashes([(int(row[by_run[one]]), int(row[by_run[two]])) for one, two in sightings.clashes()])
        agreed = dict(zip(by_run.tolist(), (name for _, name in sightings.agreed()), strict=True))
        called = sorted({*agreed.values()})
        place = {name: code for code, name in enumerate(called)}
        code = np.array([place[agreed[one]] for one in range(len(row))], dtype=np.int64)
        renamed = [one for one in range(len(row)) if agreed[one] != keys[one][1]]
        said = "{items} of {runs} have other ids elsewhere, and are paired by their hashes"
        whose = listed([runs[code] for code in np.unique(run[row[renamed]]).tolist()], "and")
        return (
            called,
            code[number.ravel()],
            [note("reading", said, items=counted(len(renamed), "item"), runs=whose)] if renamed else [],
        )

    def _agree_on_hashes(self, key: Integers, topic: Integers, runs: int) -> bool:
        """Whether each name has one hash, and each hash one name: nothing is to be paired otherwise than by names."""
        known = self.hashed >= 0
        found, number = renumbered(key, int(key.max(initial=0)) + 1)
        own = np.full(len(found), UNHASHED)
        own[number[known][::-1]] = self.hashed[known][::-1]
        if (known & (own[number] != self.hashed)).any():
            return False
        of_topic = np.zeros(len(found), np.int64)
        of_topic[number] = topic
        there = own >= 0
        return runs == 1 or len(np.unique(_dense(of_topic[there], own[there]))) == int(there.sum())

    def _raise_clashes(self, rows: Sequence[tuple[int, int]]) -> None:
        """DataProblems for rows of one name and other hashes, a problem for each two sources."""
        problems: dict[tuple[int, int], Problem] = {}
        for first, second in rows:
            theirs, mine = (self.inputs.sources[int(self.source[row])] for row in (first, second))
            between = int(self.source[first]), int(self.source[second])
            if between in problems:
                problems[between] = replace(problems[between], count=(problems[between].count or 1) + 1)
                continue
            what = say(
                "item '{name}' is not the item of that name in {file} (hash {mine}, there {theirs})",
                name=self.rows.text("item", second),
                file=theirs.shown,
                mine=self._hash(second),
                theirs=self._hash(first),
            )
            problems[between] = replace(mine.problem(0, what, _revisions(mine, theirs)), count=1)
        if problems:
            raise DataProblems(list(problems.values())[:MOST_SHOWN])

    def _hash(self, row: int) -> str:
        """The beginning of a row's hash, looked for in its source."""
        source, known = self.inputs.sources[int(self.source[row])], self.columns
        own = {
            getattr(known, role): self.rows.text(role, row) for role in ("run", "item") if getattr(known, role) in source.columns
        }
        values = (record.values for record in source.records())
        same = (one for one in values if all(str(one.get(name)) == text for name, text in own.items()))
        return next((str(values.get(self.columns.hash))[:12] for values in same), "?")

    def _hashes(self, item: Integers, items: int) -> Integers | None:
        """A number for each item's hash, where there are any."""
        known = self.hashed >= 0
        if not known.any():
            return None
        found = np.full(items, UNHASHED, dtype=np.int64)
        found[item[known]] = self.hashed[known]
        return found

    def _check_single(self, cell: Integers, run: Integers, runs: Sequence[str]) -> None:
        """DataProblems where a run has an item twice, or one number for two of its outputs."""
        repeats = len(self.rows.names["repeat"]) + 1
        numbered = cell if repeats == 1 else cell * repeats + self.rows.numbers("repeat")
        ordered = np.sort(numbered)
        twice = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(twice):
            return
        again = np.isin(numbered, twice)
        faults = []
        for source in np.unique(self.source[again]).tolist():
            keys, mine = self._keys(source), np.flatnonzero(again & (self.source == source))
            _, first = np.unique(numbered[mine], return_index=True)
            for number in np.unique(run[mine[first]]).tolist():
                own = [row for row in mine[np.sort(first)].tolist() if run[row] == number]
                named = [tuple(self.rows.text(role, row) for role in keys.roles) for row in own[:MOST_SHOWN]]
                hint = "keep one, or number an item's outputs in a column 'repeat'"
                faults.append(keys.repeated(self.inputs.sources[source], named, len(own), hint, runs[number]))
        self._raise(together(*faults))

    def check_block(self, cell: Integers, run: Integers, runs: Sequence[str]) -> None:
        """DataProblems for what is wrong with the rows of some items."""
        self._raise(together(*map(self._of_source, self._suspects())))
        self._check_single(cell, run, runs)

    def added_up(self, cell: Integers, shape: tuple[int, int, int]) -> tuple[Floats, Integers, Integers]:
        """(measures, runs, items): the sum of an item's scores, how many there are, and how many outputs. Scores are added from
        the smallest up, so that the order of rows is in no sum."""
        size = math.prod(shape)
        outputs = np.bincount(cell, minlength=size)
        cells, scores = (cell[~self.empty], self.score[~self.empty]) if self.empty.any() else (cell, self.score)
        if outputs.max(initial=0) > 1:
            order = np.lexsort((scores, cells))
            cells, scores = cells[order], scores[order]
        total, number = np.bincount(cells, scores, minlength=size), np.bincount(cells, minlength=size)
        return total.reshape(shape).astype(float), number.reshape(shape), outputs.reshape(shape)

    def _repeats(self, cell: Integers, shape: tuple[int, int, int], scored: Sequence[Scored]) -> Floats | None:
        """The scores of repeated outputs; None if nothing is repeated, or passes and failures say it all."""
        if np.bincount(cell, minlength=math.prod(shape)).max(initial=0) < 2 or all(one.binary for one in scored):
            return None
        return self.ends_of_repeats(cell, shape)

    def ends_of_repeats(self, cell: Integers, shape: tuple[int, int, int]) -> Floats:
        """(4, measures, runs, items): the lowest and the highest score of an item's outputs, how many pairs of them score the
        same, and how many score 0."""
        size = math.prod(shape)
        order = np.lexsort((self.score, cell))
        order = order[~self.empty[order]]
        cells, scores = cell[order], self.score[order]
        new = np.r_[True, (cells[1:] != cells[:-1]) | (scores[1:] != scores[:-1])]
        first, times = np.flatnonzero(new), np.diff(np.r_[np.flatnonzero(new), len(cells)])
        found = np.zeros((4, size))
        found[0, cells[::-1]] = scores[::-1]
        found[1, cells] = scores
        found[2] = np.bincount(cells[first], times * (times - 1) / 2, minlength=size)
        found[3] = np.bincount(cells[scores == 0], minlength=size)
        return found.reshape(4, *shape)

    def _clusters(self, item: Integers, items: int) -> tuple[tuple[str, ...], Integers | None]:
        code = self.rows.code["cluster"]
        if not (code >= 0).any():
            return (), None
        cluster = np.full(items, -1, dtype=np.int64)
        known = code >= 0
        cluster[item[known]] = code[known]
        wrong = known & (cluster[item] != code)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            named = say("item '{name}' is in two clusters", name=self.rows.text("item", row))
            raise self.inputs.sources[int(self.source[row])].error(0, named, "give each item one cluster")
        if (cluster < 0).any():
            raise UsageError("some items have a cluster and others have none", hint="give each item its cluster")
        return tuple(self.rows.names["cluster"]), cluster

    def _scored(self, names: Sequence[str], measure: Integers) -> tuple[Scored, ...]:
        known = ~self.empty
        kinds = []
        for row in range(len(names)):
            values = self.score[known & (measure == row)]
            binary = bool(np.isin(values, (0, 1)).all()) and len(values) > 0
            kinds.append((binary, len(values) > 0 and bool(((values >= 0) & (values <= 1)).all())))
        return self.described(names, kinds)

    def described(self, names: Sequence[str], kinds: Sequence[tuple[bool, bool]]) -> tuple[Scored, ...]:
        """The measures: of each, whether its scores are 0 or 1, and whether they lie between."""
        scored = []
        for name, (binary, unit) in zip(names, kinds, strict=True):
            said = [source.ranges[name] for source in self.inputs.sources if name in source.ranges]
            usual = (0.0, 1.0) if unit else (-math.inf, math.inf)
            span = (min(low for low, _ in said), max(high for _, high in said)) if said else usual
            scored.append(Scored(name, self._better(name), span, binary))
        return tuple(scored)

    def _better(self, name: str) -> Better | None:
        """Which scores are better, where the sources say so. UsageError where they contradict each other."""
        said = {source.better[name] for source in self.inputs.sources if name in source.better}
        if len(said) > 1:
            where = [source.shown for source in self.inputs.sources if name in source.better]
            contradiction = f"{listed(where, 'and')} contradict each other about which scores of {name} are better"
            raise UsageError(contradiction, hint=say("decide with {--better higher} or lower"))
        return next(iter(said), None)


def _dense(*codes: Integers) -> Integers:
    """One number for each combination of numbers, from 0 up."""
    number = np.zeros(len(codes[0]), dtype=np.int64)
    for code in codes:
        _, place = np.unique(code, return_inverse=True)
        _, number = np.unique(number * (int(place.max(initial=0)) + 1) + place.ravel(), return_inverse=True)
        number = number.ravel()
    return number


def _revisions(mine: Source, theirs: Source) -> Message:
    """What to do about items of one name that are not the same."""
    if mine.revision and theirs.revision and mine.revision != theirs.revision:
        said = "the data are of {mine} here, and of {theirs} there: evaluate both on the same revision"
        return say(said, mine=mine.revision, theirs=theirs.revision)
    if mine.revision or theirs.revision:
        said = "the data are of another revision, though the harness says {revision}: evaluate both on the same one"
        return say(said, revision=mine.revision or theirs.revision)
    return say("the data were of another revision, which the harness does not name: evaluate both on the same one")
