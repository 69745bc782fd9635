"""Outcomes in every shape of the interface, read and audited: stacked, a file for each run, or a column for each run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.choices import Better
from metameasure.core.errors import NoRuns, UsageError, did_you_mean
from metameasure.core.lazily import nw
from metameasure.core.messages import Message, say
from metameasure.core.notes import listed
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.values import in_order, is_empty, number_of
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.outcomes import ONE_MEASURE, Outcomes, Scored
from metameasure.reading.coded_rows import CodedRows
from metameasure.reading.engine import Engine, Frame, Kind, Picked, distinct, fetch, reading
from metameasure.reading.inputs import Runs, missing_columns, open_runs
from metameasure.reading.joining import renumbered
from metameasure.reading.key_faults import NONE, Faults, Keys, located, together
from metameasure.reading.options import Columns, ReadOptions
from metameasure.reading.sources import Source, text_array
from metameasure.statistics.arrays import Booleans, Floats, Integers

_TEXTS = ("run", "measure", "topic", "item", "repeat", "cluster", "hash")
_FLAGS = ("true", "false")


@dataclass(frozen=True)
class OutcomeReader:
    """How outcomes are read."""

    options: ReadOptions

    @property
    def columns(self) -> Columns:
        return self.options.columns

    def read(self, first: Any, others: Any, scratch: Path) -> Outcomes:
        """DataProblems for what is wrong: a score that is no number, an item twice, a row without its item."""
        return self.of_runs(open_runs(first, others, self.options, scratch))

    def of_runs(self, runs: Runs) -> Outcomes:
        """The same of sources that are open."""
        self._check_headers(runs)
        return _Table(runs, self.columns, self._coded(runs), self._are_wide(runs)).outcomes()

    def _coded(self, runs: Runs) -> CodedRows:
        """All rows by number. The engine, with what it keeps, is gone when they are here."""
        with reading(runs.sources):
            engine = Engine(threads=self.options.threads, memory=self.options.memory, ordered=True)
            stacked = engine.here(self._stacked(engine, runs), source=len(runs.sources))
            frame = engine.kept(stacked.with_columns(nw.col("score").is_null().alias("empty")))
            there = [role for role in _TEXTS if role in ("run", "item") or any(self._own(one, role) for one in runs.sources)]
            coded = CodedRows.of(engine, frame, there, as_texts=("item", "hash"), more=("source", "score", "empty"))
            return coded.lacking(_TEXTS)

    def rows(self, runs: Runs) -> dict[str, Any]:
        """The rows of sources as columns: run, item, score and whatever else they have."""
        self._check_headers(runs)
        with reading(runs.sources):
            engine = Engine(ordered=True)
            columns = fetch(engine.here(self._stacked(engine, runs), source=len(runs.sources)))
        run = [name or runs.names[place] for name, place in zip(columns["run"].tolist(), columns["source"].tolist(), strict=True)]
        there = [role for role in _TEXTS if role in ("run", "item") or any(self._own(one, role) for one in runs.sources)]
        return {**{role: columns[role] for role in there}, "run": text_array(run), "score": columns["score"]}

    def column(self, runs: Runs, name: str) -> dict[tuple[str, str], str]:
        """What stands in another column of the sources, by topic and item. DataProblems where an item has two values."""
        having = [source for source in runs.sources if name in source.columns]
        if not having:
            there = list(dict.fromkeys(column for source in runs.sources for column in source.columns))
            hint = did_you_mean(name, there) or f"there are {', '.join(there)}"
            raise UsageError(f"there is no column '{name}' to slice by", hint=hint)
        found: dict[tuple[str, str], str] = {}
        for source in having:
            wanted = {role: (self._own(source, role), "text") for role in ("topic", "item")} | {"by": (name, "text")}
            with reading([source]):
                engine = Engine(ordered=True)
                columns = fetch(distinct(engine.here(engine.scan([Picked(source, wanted)]), source=1), *wanted))  # type: ignore[arg-type]
            topics = [topic or ONE_TOPIC for topic in columns["topic"].tolist()]
            for key, value in zip(zip(topics, columns["item"].tolist(), strict=True), columns["by"].tolist(), strict=True):
                if value is not None and found.setdefault(key, value) != value:
                    what = say("item '{item}' is {first} and {second}", item=key[1], first=found[key], second=value)
                    raise source.error(0, what, say("give each item one value of '{name}'", name=name))
        return found

    def _are_wide(self, runs: Runs) -> tuple[bool, ...]:
        return tuple(self._is_wide(source) for source in runs.sources)

    def _is_wide(self, source: Source) -> bool:
        return bool(self.options.run_columns) or self.columns.score not in source.columns

    def _run_columns(self, source: Source) -> tuple[str, ...]:
        """The columns of a wide table that are runs."""
        if self.options.run_columns:
            return self.options.run_columns
        taken = {getattr(self.columns, role) for role in _TEXTS if role != "run"}
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

    def _stacked(self, engine: Engine, runs: Runs) -> Frame:
        """All sources one below the other: a row for each run, item, measure and repeat."""
        long = [place for place, source in enumerate(runs.sources) if not self._is_wide(source)]
        frames = []
        if long:
            picked = [Picked(runs.sources[place], self._wanted(runs.sources[place])) for place in long]
            frames.append(_numbered(engine.scan(picked), long))
        for place, source in enumerate(runs.sources):
            if self._is_wide(source):
                frames += self._wide(engine, source, place)
        return frames[0] if len(frames) == 1 else nw.concat(frames)

    def _wanted(self, source: Source) -> dict[str, tuple[str | None, Kind]]:
        wanted: dict[str, tuple[str | None, Kind]] = {role: (self._own(source, role), "text") for role in _TEXTS}
        return wanted | {"score": (self.columns.score, "score")}

    def _own(self, source: Source, role: str) -> str | None:
        name: str = getattr(self.columns, role)
        return name if name in source.columns else None

    def _wide(self, engine: Engine, source: Source, place: int) -> list[Frame]:
        """A frame for each run of a table with a column for each; without a column of items a row's number is its item."""
        names = self._run_columns(source)
        shared: dict[str, tuple[str | None, Kind]] = {
            role: (self._own(source, role), "text") for role in _TEXTS if role not in ("run", "item")
        }
        cells = {f"run {number}": (name, "score") for number, name in enumerate(names)}
        item = self._own(source, "item")
        wide = engine.kept(engine.here(engine.scan([Picked(source, {**shared, "item": (item, "text"), **cells})]), source=1))  # type: ignore[dict-item]
        if item is None:
            wide = engine.numbered(wide).with_columns((nw.col("place") + 1).cast(nw.String).alias("item"))
        return [
            wide.select(
                nw.lit(place).cast(nw.Int64).alias("source"),
                *(nw.lit(name).alias("run") if role == "run" else nw.col(role) for role in _TEXTS),
                nw.col(f"run {number}").alias("score"),
            )
            for number, name in enumerate(names)
        ]


def _numbered(frame: Frame, places: Sequence[int]) -> Frame:
    """Rows of some of the sources by the sources' numbers among all."""
    if list(places) == list(range(len(places))):
        return frame
    number = nw.lit(places[0]).cast(nw.Int64)
    for position, place in enumerate(places):
        number = nw.when(nw.col("source") == position).then(nw.lit(place).cast(nw.Int64)).otherwise(number)
    return frame.with_columns(number.alias("source"))


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
            raise NoRuns("there are no outcomes", hint="it needs a row for each run and item")
        self._raise(together(*(self._of_source(place) for place in range(len(self.inputs.sources)))))
        runs, run = self._runs()
        measures, measure = self._named("measure", ONE_MEASURE)
        topics, topic, items, item = self._items()
        shape = len(measures), len(runs), len(items)
        cell = np.ravel_multi_index((measure, run, item), shape)
        self._check_single(cell, run, runs)
        total, number, outputs = self._added_up(cell, shape)
        clusters, cluster = self._clusters(item, len(items))
        return Outcomes(
            runs, topics, self._scored(measures, measure), items, topic, total, number, outputs, clusters, cluster,
            notes=self.inputs.notes,
        )  # fmt: skip

    def _raise(self, faults: Faults) -> None:
        if faults[0]:
            raise DataProblems(faults[0][:MOST_SHOWN], faults[1])

    def _keys(self, place: int) -> Keys:
        """What a row of a source is known by."""
        present = self.inputs.sources[place].columns
        named = [role for role in ("measure", "topic", "item", "repeat") if getattr(self.columns, role) in present]
        return Keys(tuple(named), self.columns, self.columns.run if self.columns.run in present else None)

    def _of_source(self, place: int) -> Faults:
        """What is wrong with the rows of one source by themselves."""
        source, keys, mine = self.inputs.sources[place], self._keys(place), self.source == place
        roles = [role for role in ("run", "measure", "topic", "item", "cluster") if getattr(self.columns, role) in source.columns]
        if self.wide[place]:
            roles = [role for role in roles if role != "run"]
        wrong = mine & ~self.empty & ~np.isfinite(self.score)
        return together(
            *(keys.empty(source, role, self._without(role, mine)) for role in roles),
            self._wrong_scores(source, int(wrong.sum()), wide=self.wide[place]) if wrong.any() else NONE,
        )

    def _without(self, role: str, mine: Booleans) -> int:
        """How many rows have nothing in a column, or white space."""
        nothing_there = np.array([*map(is_empty, self.rows.names[role]), True])
        return int(np.count_nonzero(nothing_there[self.rows.code[role][mine]]))

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
                    raise UsageError(f"two runs are called '{name}'", hint="give each run a name of its own")
                names.append(name)
                code[unnamed] = len(names) - 1
        return self._told_apart(names, code)

    def _told_apart(self, names: list[str], code: Integers) -> tuple[tuple[str, ...], Integers]:
        """Runs of one name whose sources have the same items under names of their own, by what tells the sources apart."""
        sources = self.inputs.sources
        if not any(source.apart for source in sources):
            return tuple(names), code
        row = np.unique(np.stack([code, self._key()]), axis=1, return_inverse=True)[1].ravel()
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
        codes = [self.rows.code[role] for role in ("measure", "topic", "item", "repeat")]
        return np.unique(np.stack(codes), axis=1, return_inverse=True)[1].ravel().astype(np.int64)

    def _items(self) -> tuple[tuple[str, ...], Integers, tuple[str, ...], Integers]:
        """The topics, each item's, the items' names in the order of topics and names, and each row's item."""
        topics, topic = self._named("topic", ONE_TOPIC)
        names, item = self.rows.names["item"], self.rows.code["item"]
        found, number = renumbered(topic * len(names) + item, len(topics) * len(names))
        of_topic, which = np.divmod(found, len(names))
        self._check_hashes(number, [names[code] for code in which.tolist()])
        return topics, of_topic, tuple(names[code] for code in which.tolist()), number

    def _check_hashes(self, item: Integers, names: Sequence[str]) -> None:
        """DataProblems where one name stands for items that are not the same."""
        code = self.rows.code["hash"]
        known = code >= 0
        if not known.any():
            return
        first = np.full(len(names), -1)
        first[item[known][::-1]] = code[known][::-1]
        other = known & (first[item] != code)
        if not other.any():
            return
        rows = np.flatnonzero(other)
        problems = []
        for place in np.unique(self.source[rows]).tolist():
            mine = rows[self.source[rows] == place]
            before = np.flatnonzero((item == item[mine[0]]) & known)[0]
            what = say(
                "item '{name}' is not the item of that name in {other} (hash {mine}, there {theirs})",
                name=names[item[mine[0]]],
                other=self.inputs.sources[int(self.source[before])].shown,
                mine=self.rows.text("hash", int(mine[0]))[:12],
                theirs=self.rows.text("hash", int(before))[:12],
            )
            hint = "the data were of another revision: evaluate both on the same one"
            problems.append(replace(self.inputs.sources[place].problem(0, what, hint), count=len(np.unique(item[mine]))))
        raise DataProblems(problems)

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
                own = [row for row in mine[np.sort(first)].tolist() if run[row] == number][:MOST_SHOWN]
                named = [tuple(self.rows.text(role, row) for role in keys.roles) for row in own]
                hint = "keep one, or number an item's outputs in a column 'repeat'"
                faults.append(keys.repeated(self.inputs.sources[source], named, len(own), hint, runs[number]))
        self._raise(together(*faults))

    def _added_up(self, cell: Integers, shape: tuple[int, int, int]) -> tuple[Floats, Integers, Integers]:
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
        scored = []
        for row, name in enumerate(names):
            values = self.score[known & (measure == row)]
            binary = bool(np.isin(values, (0, 1)).all()) and len(values) > 0
            unit = len(values) > 0 and bool(((values >= 0) & (values <= 1)).all())
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
