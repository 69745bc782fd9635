"""Finds out what is wrong with labels, only where the counts do not add up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.messages import Message, note, say
from metameasure.core.problems import MOST_SHOWN, DataProblems
from metameasure.core.scale import Scale
from metameasure.core.values import is_empty, number_of
from metameasure.reading.engine import Frame, distinct, fetch, rows
from metameasure.reading.frames import on_this_machine
from metameasure.reading.joining import KeyedTable, Places, first_keys, repeated_keys
from metameasure.reading.key_faults import NONE, Faults, Found, Key, Standing, located, together, visible
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Integers
from metameasure.statistics.work import in_steps

if TYPE_CHECKING:
    from metameasure.evidence.counting import GroupedRows
    from metameasure.evidence.preparing import CountOptions

OUTSIDE = -2
"""The code of a label that is no class."""
_ONE_ROW = "keep one row per item"
_NO_ITEMS = "there are no items"
# Rows of runs whose places are looked at together: each look joins all of gold.
_ROWS_AT_ONCE = 2**24
_FEW_ROWS_AT_ONCE = 2**20  # where memory is limited
_MOST_LOOKED_FOR = 100
# Kinds of rows that have no place: those that gold does not have, those without an id, and those without another key.
_UNKNOWN, _NAMELESS, _KEYLESS = _OF_KIND = range(3)
_KINDS = len(_OF_KIND)


@dataclass(frozen=True)
class Audit:
    """The table, the counts that came of it (labels as they stand in the files), and what each label means."""

    tables: KeyedTable
    gold: GroupedRows
    groups: GroupedRows
    codes: dict[Any, int]
    scale: Scale | None
    options: CountOptions

    def gold_problems(self) -> Faults:
        """Gold without rows, an item twice, no id, no topic, no label, a label that is no class."""
        tables = self.tables
        if tables.gold is None:
            return self._gold_beside_labels()
        if not self.gold.items.sum():
            return [tables.gold_source.problem(0, _NO_ITEMS, "it needs one row per item")], 1
        return together(
            self._nameless(tables.gold),
            self._wrong_labels(None, self.gold.gold, self.gold.items, column_of_labels(tables, None)),
            self._topicless(self.gold, slice(None)),
            self._repeated(tables.gold, None),
        )

    def run_problems(self) -> Faults:
        """For each run whose rows are not exactly gold's: unknown, repeated and missing items, labels that are no class."""
        tables, groups = self.tables, self.groups
        problems = NONE
        if None in groups.run:
            return self._runless(tables.run_sources[0]) if tables.gold is not None and tables.run_sources else problems
        if tables.gold is not None and not self.gold.items.sum():
            return problems  # gold's problems say it
        rows_of: dict[int, list[int]] = {run: [] for run in range(len(tables.names))}
        for row, run in enumerate(groups.run):
            rows_of[run].append(row)
        suspects = _Suspects(self, {run: mine for run, mine in rows_of.items() if self._differs(mine)})
        for run, mine in in_steps(rows_of.items(), len(rows_of), "", lambda _: 1):
            problems = together(problems, self._wrong_labels_of(run, mine, shown=len(problems[0])))
            problems = together(problems, suspects.problems(run, shown=len(problems[0])))
        return together(problems, self._stacked_items()) if tables.gold is None and tables.shape == "stacked" else problems

    def _runless(self, source: Source) -> Faults:
        """Rows that do not say which run they are of."""
        total = sum(int(items) for run, items in zip(self.groups.run, self.groups.items, strict=True) if run is None)
        return self.tables.named(None).empty(source, "run", total)

    def _differs(self, mine: Sequence[int]) -> bool:
        """Whether the rows of a run are not exactly gold's, or may not be: sums do not show several outputs for an item."""
        if self.tables.gold is None:
            return False
        return self.tables.repeated or len(self.known(mine)) < len(mine) or not self.complete(mine)

    def known(self, mine: Sequence[int]) -> list[int]:
        """Of some groups, those of items that gold has."""
        return [row for row in mine if self.groups.gold[row] is not None]

    def complete(self, mine: Sequence[int]) -> bool:
        """Whether a run has each of gold's items once, whatever else it has."""
        known, groups = self.known(mine), self.groups
        return bool(groups.items[known].sum() == self.gold.items.sum() and groups.token[known].sum() == self.gold.token.sum())

    def _gold_beside_labels(self) -> Faults:
        """Gold that stands in the same source as the runs."""
        tables, groups = self.tables, self.groups
        if not groups.run:
            return [tables.gold_source.problem(0, _NO_ITEMS, "it needs one row per item")], 1
        if None in groups.run:
            return self._runless(tables.gold_source)
        first = [row for row, run in enumerate(groups.run) if tables.shape == "stacked" or run == 0]
        labels = [groups.gold[row] for row in first]
        wrong = self._wrong_labels(None, labels, groups.items[first], column_of_labels(tables, None))
        if not tables.has_items:
            return together(wrong, self._topicless(groups, first))
        with tables.reading():  # which may be the first to look at the ids
            one = tables.runs if tables.shape == "stacked" else tables.one(0)
            nameless = self._nameless(one)
            repeated = self._repeated(one, 0) if tables.shape == "side by side" else NONE
        return together(wrong, nameless, self._topicless(groups, first), repeated)

    def _stacked_items(self) -> Faults:
        """Stacked runs must be on the same items with the same gold: as many rows, and where items have ids the same tokens."""
        tables, groups = self.tables, self.groups
        kinds = {kind: place for place, kind in enumerate(dict.fromkeys(zip(groups.topic, groups.gold, strict=True)))}
        kind = [kinds[pair] for pair in zip(groups.topic, groups.gold, strict=True)]
        sizes, tokens = np.zeros((len(tables.names), len(kinds)), np.int64), np.zeros(len(tables.names), np.int64)
        np.add.at(sizes, (groups.run, kind), groups.items)
        np.add.at(tokens, groups.run, groups.token)
        differs = (sizes != sizes[0]).any(axis=1) | (tokens != tokens[0])
        odd, rows_of = np.flatnonzero(differs).tolist(), sizes.sum(axis=1)
        with_ids = dict.fromkeys([0, *odd]) if tables.has_items else ()
        each = [self._repeated(tables.one(run), run) for run in with_ids]
        alike = len(tables.names) - 1 - len(odd)  # runs that have the same rows as the first, and the same of them again
        repeats = together(*each, *(([], number * alike) for _, number in each[:1]))
        if self.options.missing is not None or repeats[0]:
            return repeats
        there = say("run '{name}' ({rows_of} rows)", name=tables.names[0], rows_of=rows_of[0])
        hint = say("rows are missing, or gold or weights differ: choose {--missing drop} to score each run on what it has")
        problems = [
            tables.gold_source.problem(
                0,
                say(
                    "run '{name}' ({rows_of} rows) has other items than {there}",
                    name=tables.names[run],
                    rows_of=rows_of[run],
                    there=there,
                ),
                hint,
            )
            for run in odd
        ]
        return problems[:MOST_SHOWN], len(problems)

    def repeated_outputs(self, run: int) -> Faults:
        """The same output twice, where a run may have several for an item."""
        keys = replace(self.tables.named(run), roles=(*self.tables.named(run).roles, "repeat"))
        some, total = repeated_keys(self.tables.one(run).filter(~nw.col("item").is_null()), keys.roles)
        source, name = self.tables.source(run), self.tables.run_name(run)
        return keys.repeated(source, some, total, "keep one row per item and repeat", name)

    def named(self, places: Any, run: int) -> list[Key]:
        """The keys of some of gold's rows by which a run knows them, the first in order."""
        if not len(places) or self.tables.gold is None:
            return []
        wanted = self.tables.engine.frame({"place": np.asarray(places, np.int64)}, beside=self.tables.gold)
        sound = self.tables.gold.join(wanted, on="place", how="inner").filter(~nw.col("item").is_null())
        return first_keys(sound, self.tables.named(run).roles)

    def repeat_hint(self, run: int | None, keys: Sequence[Key] = ()) -> str:
        tables = self.tables
        source = tables.source(run) if run is not None and tables.shape == "long" else None
        if source is not None and isinstance(on_this_machine(source), Parts):
            hint = "{one_row}; if each file of the folder is a run, name them, as in '{folder}/*'"
            return say(hint, one_row=_ONE_ROW, folder=source.shown)
        column = self._telling_apart(run, keys) if run is not None and tables.shape != "side by side" else None
        if column is None and source is not None and tables.columns.run in source.columns:
            hint = "{one_row}; if the column '{column}' says which run each row is of, add {--stacked}"
            return say(hint, one_row=_ONE_ROW, column=tables.columns.run)
        if column is None:
            return _ONE_ROW
        return say(
            "{one_row}; if these are several outputs for one item, numbered by '{column}', add {--repeat-column <column>}",
            one_row=_ONE_ROW,
            column=column,
        )

    def _telling_apart(self, run: int, keys: Sequence[Key]) -> str | None:
        """A further column that tells apart all rows of these items: a repeat that nobody has declared. Of several, the one of
        the fewest values."""
        source, name, columns = self.tables.source(run), self.tables.run_name(run), self.tables.columns
        others = [column for column in source.columns if column not in columns.names()]
        wanted, named = {tuple(map(str, key)) for key in keys}, self.tables.named(run)
        seen: list[tuple[Key, Mapping[str, Any]]] = []
        for record in source.matching([key[-1] for key in wanted]) if others and wanted else ():
            key = named.of(record.values)
            if key in wanted and named.is_of(record.values, name):
                seen.append((key, record.values))
        by_column = {column: [(key, str(values.get(column))) for key, values in seen] for column in others}
        telling = [column for column, pairs in by_column.items() if pairs and len(set(pairs)) == len(pairs)]
        return min(telling, key=lambda column: len({value for _, value in by_column[column]}), default=None)

    def _repeated(self, frame: Frame, run: int | None) -> Faults:
        some, total = repeated_keys(frame.filter(~nw.col("item").is_null()), self.tables.keys)
        source, name = self.tables.source(run), self.tables.run_name(run)
        return self.tables.named(run).repeated(source, some, total, self.repeat_hint(run, some) if total else "", name)

    def _nameless(self, frame: Frame) -> Faults:
        """Gold's rows without an id."""
        return self.tables.named(None).empty(self.tables.gold_source, "item", rows(frame.filter(nw.col("item").is_null())))

    def _topicless(self, groups: GroupedRows, some: Any) -> Faults:
        """Gold's rows without a topic, of some groups; rows that were dealt into partitions lack an id."""
        topics = self.tables.has("topic") and not self.options.partitions
        total = int(groups.items[some][groups.topicless[some]].sum()) if topics else 0
        return self.tables.named(None).empty(self.tables.gold_source, "topic", total)

    def _wrong_labels_of(self, run: int, mine: Sequence[int], shown: int) -> Faults:
        """Those of a run; they are only counted where so many problems are shown already that no more will be."""
        groups = self.groups
        labels, items = [groups.label[row] for row in mine], groups.items[mine]
        if shown >= MOST_SHOWN:
            return [], self.number_of_wrong_labels(mine)
        return self._wrong_labels(run, labels, items, column_of_labels(self.tables, run))

    def number_of_wrong_labels(self, mine: Sequence[int]) -> int:
        """In some of the runs' groups."""
        wrong = self._wrong({self.groups.label[row] for row in mine}, of_gold=False)
        return sum(int(self.groups.items[row]) for row in mine if self.groups.label[row] in wrong)

    def _wrong(self, labels: Iterable[Any], *, of_gold: bool) -> set[Any]:
        """Labels that are missing or no class. A run may lack labels where a policy for missing ones is given."""
        allowed = not of_gold and self.options.missing is not None
        return {label for label in labels if self.codes[label] == OUTSIDE or (label is None and not allowed)}

    def _wrong_labels(self, run: int | None, labels: Sequence[Any], items: Any, column: str) -> Faults:
        """Labels that are missing or no class, line by line."""
        wrong = self._wrong(labels, of_gold=run is None)
        if not wrong:
            return NONE
        total = sum(int(number) for label, number in zip(labels, items, strict=True) if label in wrong)
        numeric, name = bool(self.options.bins) or self.options.numeric, self.tables.run_name(run)

        def reason(record: Mapping[str, Any], line: int) -> Message | None:
            if not self.tables.named(run).is_of(record, name):
                return None
            cell = record.get(column)
            label = None if is_empty(cell) and cell != " " else str(cell)
            if numeric:
                number = number_of(cell) if label is not None else None
                if label is not None and number is None:
                    return note("no number", "label '{label}' is not a number", label=visible(label))
                return label_fault(None) if number is None or number != number else None  # noqa: PLR0124 - NaN
            return label_fault(label) if label in wrong else None

        # Very many labels are in so many rows that the first are soon found, without looking for each.
        texts = None if numeric or len(wrong) > _MOST_LOOKED_FOR else ["" if label is None else str(label) for label in wrong]
        faults = [label_fault(label) for label in nsmallest(MOST_SHOWN, wrong, key=str)]
        return located(
            self.tables.source(run), reason, texts, total, lambda what: self._label_hint(run, what), faults, lines=total
        )

    def _label_hint(self, run: int | None, what: Message) -> str:
        if what.kind == "no label":
            return (
                "gold needs one for every item"
                if run is None
                else say("add one, or choose {policies}", policies=self.options.policies)
            )
        if what.kind == "no number":
            return "give every item a number" if self.options.numeric else say("{--bins} is for numbers")
        label = what.parts["label"]
        if "\\" in label:
            return "it has characters that do not show: remove them"
        return self.scale.near(label) if self.scale else ""


def column_of_labels(tables: KeyedTable, run: int | None) -> str:
    """The column with the labels of a run, or of gold."""
    if run is not None:
        return tables.names[run] if tables.shape == "side by side" else tables.columns.label
    columns, present = tables.gold_columns, tables.gold_source.columns
    if tables.gold is None or (columns.gold in present and columns.gold != "gold"):
        return columns.gold
    return columns.label if columns.label in present and tables.shape == "long" else columns.gold


def refuse_no_labels(tables: KeyedTable, labels: Mapping[int | None, set[Any]], most: int) -> None:
    """DataProblems for columns with more different labels than classes can have, by run (None: gold). All would be looked at
    otherwise, to show the first."""
    what = "column '{column}' has more than {most:,} different labels"
    hint = say("is it the right one? {--label-column NAME} reads another")
    wrong = [run for run, found in labels.items() if len(found) > most]
    problems = [tables.source(run).problem(0, say(what, column=column_of_labels(tables, run), most=most), hint) for run in wrong]
    if problems:
        raise DataProblems(problems, len(problems))


@dataclass(frozen=True, eq=False)
class _Suspects:
    """The runs whose rows are not gold's, each with its groups. Runs are read again together, not each by itself, and only as far
    as it takes to count what is wrong and to show the first problems."""

    audit: Audit
    groups: dict[int, list[int]]
    unknown_keys: dict[int, list[Key]] = field(default_factory=dict)
    """The first keys that gold does not have, for the runs that have been checked for them."""
    read_again: dict[int, Standing] = field(default_factory=dict)
    """How their rows stand to gold, for the runs that have been read again and whose turn is still to come."""

    @cached_property
    def outside(self) -> dict[int, int]:
        """How many rows of each run are not gold's."""
        return {
            run: int(self.audit.groups.items[mine].sum() - self.audit.groups.items[self.audit.known(mine)].sum())
            for run, mine in self.groups.items()
        }

    @cached_property
    def _nameless_in_gold(self) -> Integers:
        """The places of gold's rows without an id or a topic: no run can have them, and gold's own problems say so."""
        tables = self.audit.tables
        return np.asarray(fetch(tables.described.filter(_without_key(tables.keys)).select("place"))["place"])

    def _has_all_once(self, mine: Sequence[int]) -> bool:
        """Then nothing is missing or repeated, and what is not gold's is a row without an id, or unknown."""
        tables = self.audit.tables
        return tables.keys == ("item",) and not tables.repeated and self.audit.complete(mine)

    def problems(self, run: int, shown: int) -> Faults:
        """Unknown, repeated and missing items of a run; only counted where so many problems are shown that no more will be."""
        if run not in self.groups:
            return NONE
        # Where rows outside gold are ignored, it has to be found out which of them have an id at all.
        if self._has_all_once(self.groups[run]) and self.audit.options.extra != "ignore":
            outside = self.outside[run]
            if shown >= MOST_SHOWN:
                return [], outside
            unknown = len(self._unknown(run, shown))
            if unknown < MOST_SHOWN:  # otherwise there may be more
                return self._said(run, Standing({"item": outside - unknown}, unknown=Found(unknown)), shown)
        return self._said(run, self._standing(run, shown), shown)

    def _said(self, run: int, standing: Standing, shown: int) -> Faults:
        audit, tables = self.audit, self.audit.tables
        source, name, keys = tables.source(run), tables.run_name(run), tables.named(run)
        strict = audit.options.missing is None
        if not audit.groups.items[self.groups[run]].sum():
            return ([source.problem(0, _NO_ITEMS, "it needs one row per item of gold")], 1) if strict else NONE
        twice = NONE
        if tables.repeated:
            twice, standing = audit.repeated_outputs(run), replace(standing, again=Found())
        if audit.options.extra == "ignore":
            standing = replace(standing, unknown=Found())
        if not strict:
            standing = replace(standing, lacking=Found())
        if shown >= MOST_SHOWN:
            return [], standing.total + twice[1]
        own = [key[-len(keys.roles) :] for key in self._unknown(run, shown)] if standing.unknown.total else []
        standing = replace(standing, unknown=Found(standing.unknown.total, lambda: own))
        return together(
            standing.problems(
                keys, source, name,
                again=audit.repeat_hint(run, standing.again.first()) if standing.again.total else "",
                unknown=_unknown_hint(source),
                lacking=say("add it, or choose {policies}", policies=audit.options.policies),
            ),
            twice,
        )  # fmt: skip

    def _standing(self, run: int, shown: int) -> Standing:
        """How a run's rows stand to gold. The next runs are read with it, their unknown keys only where some more will show."""
        if run not in self.read_again:
            waiting = [run, *(other for other, mine in self.groups.items() if other > run and not self._has_all_once(mine))]
            if not self.audit.tables.is_here:
                self.read_again.update(self._counted_there(waiting))
            else:
                at_once = _FEW_ROWS_AT_ONCE if self.audit.tables.engine.limited else _ROWS_AT_ONCE
                some = waiting[: max(1, at_once // int(self.audit.gold.items.sum()))]
                self.read_again.update(zip(some, self._counted_here(some, with_keys=shown < MOST_SHOWN), strict=True))
        return self.read_again.pop(run)

    def _counted_here(self, runs: Sequence[int], *, with_keys: bool) -> Iterator[Standing]:
        """By the places in gold of some runs' rows."""
        tables, size = self.audit.tables, int(self.audit.gold.items.sum())
        code = nw.when(_without_key(tables.keys)).then(nw.lit(_KEYLESS)).otherwise(nw.lit(_UNKNOWN))
        code = nw.when(nw.col("item").is_null()).then(nw.lit(_NAMELESS)).otherwise(code)
        behind = nw.lit(len(runs) * size) + nw.col("run") * _KINDS + code
        placed = nw.when(~_without_key(tables.keys)).then(nw.col("run") * size + nw.col("place"))
        cell = nw.coalesce(placed, behind).cast(nw.Int64).alias("cell")
        missed = nw.col("place").is_null() & ~_without_key(tables.keys)
        unknown = [nw.when(missed).then(nw.col(key)).alias(key) for key in tables.keys] if with_keys else []
        frame = tables.joined(tables.keys_of(runs)).select("run", cell, *unknown)
        with tables.engine.while_kept(frame) if with_keys else nullcontext(frame) as kept:
            places = Places(len(runs), size, np.asarray(fetch(kept.select("cell"))["cell"]), _KINDS)
            if with_keys:
                self._note_unknown(runs, kept.filter(~nw.col("item").is_null()))
        for position, run in enumerate(runs):
            again, lacking = places.again(position), places.lacking(position)
            lacking = np.setdiff1d(lacking, self._nameless_in_gold, assume_unique=True)
            nameless, unknown_rows = places.outside[position, [_NAMELESS, _UNKNOWN]].tolist()
            yield Standing(
                {"item": nameless},
                Found(len(again), partial(self.audit.named, np.unique(again), run)),
                Found(unknown_rows),
                Found(len(lacking), partial(self.audit.named, lacking, run)),
            )

    def _counted_there(self, runs: Sequence[int]) -> Iterator[tuple[int, Standing]]:
        """On a cluster, where rows have no places: by grouping and joining their keys. The keys stay there, but for the first."""
        tables = self.audit.tables
        keys, own = list(tables.keys), tables.keys_of(runs)
        gold = tables.described.select(*keys).filter(~_without_key(keys))
        known = distinct(gold, *keys).with_columns(nw.lit(1).alias("known"))
        sound = own.filter(~_without_key(keys)).group_by("run", *keys).agg(nw.len().cast(nw.Int64).alias("times"))
        sound = sound.join(known, on=keys, how="left")
        again = nw.when(~nw.col("known").is_null()).then(nw.col("times") - 1).otherwise(nw.lit(0))
        unknown = nw.when(nw.col("known").is_null()).then(nw.col("times")).otherwise(nw.lit(0))
        counted = sound.with_columns(again.alias("again"), unknown.alias("unknown")).group_by("run")
        sums = _by_run(counted.agg(nw.col("again").sum(), nw.col("unknown").sum()))
        nameless = _by_run(own.filter(nw.col("item").is_null()).group_by("run").agg(nw.len().alias("rows")))
        for position, run in enumerate(runs):
            several = sound.filter((nw.col("run") == position) & ~nw.col("known").is_null() & (nw.col("times") > 1))
            absent = gold.join(own.filter(nw.col("run") == position), on=keys, how="anti")
            number, roles = sums.get(position, {}), tables.named(run).roles
            yield (
                run,
                Standing(
                    {"item": nameless.get(position, {}).get("rows", 0)},
                    Found(number.get("again", 0), partial(first_keys, several, roles)),
                    Found(number.get("unknown", 0)),
                    Found(rows(absent) if self.audit.options.missing is None else 0, partial(first_keys, absent, roles)),
                ),
            )

    def _unknown(self, run: int, shown: int) -> list[Key]:
        """The first keys of a run that gold does not have; those of the next runs are found with them, as many as will show."""
        if run not in self.unknown_keys:
            tables, keys = self.audit.tables, list(self.audit.tables.keys)
            some, enough = [], MOST_SHOWN - shown
            for other, mine in self.groups.items():
                if other >= run and self.outside[other] and enough > 0:
                    some.append(other)
                    enough -= self.outside[other] + self.audit.number_of_wrong_labels(mine)
            own = tables.keys_of(some)
            sound = own.filter(~_without_key(keys))
            self._note_unknown(some, sound.join(tables.described.select(keys), on=keys, how="anti"))
        return self.unknown_keys[run]

    def _note_unknown(self, runs: Sequence[int], rows: Frame) -> None:
        """Keep the first keys of rows that gold does not have, ``run`` being a position among the runs."""
        listed = first_keys(rows, ["run", *self.audit.tables.keys])
        # Where the list is full, the last run on it may have more: it is asked again when its turn comes.
        whole = len(runs) if len(listed) < MOST_SHOWN else max(1, int(listed[-1][0]))
        self.unknown_keys.update({run: [] for run in runs[:whole]})
        for position, *key in listed:
            if int(position) < whole:
                self.unknown_keys[runs[int(position)]].append(tuple(key))


def _by_run(frame: Frame) -> dict[int, dict[str, int]]:
    """Sums by name, for each run."""
    columns = fetch(frame)
    runs = columns.pop("run").tolist()
    return {run: {name: int(column[row]) for name, column in columns.items()} for row, run in enumerate(runs)}


def _without_key(keys: Sequence[str]) -> nw.Expr:
    """Which rows lack one of the keys."""
    return nw.any_horizontal(*(nw.col(key).is_null() for key in keys), ignore_nulls=False)


def _unknown_hint(source: Source) -> str:
    hint = say("remove the row, choose {--extra ignore}, or check that this run is for this gold")
    if not source.header:
        hint = say(
            "{hint}; if the first line names the columns, choose them with {--item-column} and {--label-column}", hint=hint
        )
    return hint


def label_fault(label: str | None) -> Message:
    if label is None:
        return note("no label", "the item has no label")
    return note("no class", "label '{label}' is not one of the classes", label=visible(label))
