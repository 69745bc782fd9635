"""What is wrong with labels: asked only about what the counts have shown not to add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from metameasure.errors import did_you_mean
from metameasure.evidence.prepare import CountOptions
from metameasure.formats.problems import MOST_SHOWN
from metameasure.formats.sources import Source
from metameasure.scale import Scale
from metameasure.tables.audit import NONE, Found, Key, Keys, located, together, visible
from metameasure.tables.engine import Frame, fetch, rows
from metameasure.tables.keyed import KeyedTable
from metameasure.values import is_empty, number_of

if TYPE_CHECKING:
    from metameasure.evidence.counting import Groups

_OUTSIDE = -2
_ONE_ROW = "keep one row per item"
_NO_ITEMS = "there are no items"


@dataclass(frozen=True)
class Audit:
    """The table, the counts that came of it (labels as they stand in the files), and what each label means."""

    tables: KeyedTable
    gold: Groups
    groups: Groups
    codes: dict[Any, int]
    scale: Scale
    options: CountOptions

    @property
    def keys(self) -> Keys:
        return self.tables.named()

    def gold_problems(self) -> Found:
        """Gold without rows, an item twice, no id, no topic, no label, a label that is no class."""
        tables, columns = self.tables, self.tables.columns
        if tables.gold is None:
            return self._gold_beside_labels()
        if not self.gold.items.sum():
            return [tables.gold_source.problem(0, _NO_ITEMS, "it needs one row per item")], 1
        present = tables.gold_source.columns
        name = columns.label if columns.label in present and tables.shape == "long" else columns.gold
        if columns.gold in present and columns.gold != "gold":
            name = columns.gold
        found = together(self._empty(tables.gold, None, "item"), self._wrong_labels(None, self.gold.gold, self.gold.items, name))
        if tables.has("topic"):
            found = together(found, self._empty(tables.gold, None, "topic"))
        return together(found, self._repeated(tables.gold, None))

    def run_problems(self) -> Found:
        """For each run whose rows are not exactly gold's: unknown, repeated and missing items, labels that are no class."""
        tables, groups = self.tables, self.groups
        found = NONE
        if None in groups.run or (tables.gold is not None and not self.gold.items.sum()):
            return found  # gold's problems say it
        rows_of: dict[int, list[int]] = {run: [] for run in range(len(tables.names))}
        for row, run in enumerate(groups.run):
            rows_of[run].append(row)
        for run, mine in rows_of.items():
            labels = [groups.label[row] for row in mine]
            name = tables.names[run] if tables.shape == "side by side" else tables.columns.label
            found = together(found, self._wrong_labels(run, labels, groups.items[mine], name))
            if tables.gold is None:
                continue
            known = [row for row in mine if groups.gold[row] is not None]
            same = groups.items[mine].sum() == self.gold.items.sum() and groups.token[known].sum() == self.gold.token.sum()
            if not same or len(known) < len(mine) or tables.repeated:
                found = together(found, self._items(run))
        return together(found, self._stacked_items()) if tables.gold is None and tables.shape == "stacked" else found

    def _gold_beside_labels(self) -> Found:
        """Gold that stands in the same source as the runs."""
        tables, groups = self.tables, self.groups
        if not groups.run:
            return [tables.gold_source.problem(0, _NO_ITEMS, "it needs one row per item")], 1
        if None in groups.run:
            total = sum(int(items) for run, items in zip(groups.run, groups.items, strict=True) if run is None)
            return self.keys.empty(tables.gold_source, "run", total)
        first = [row for row, run in enumerate(groups.run) if tables.shape == "stacked" or run == 0]
        one = tables.runs if tables.shape == "stacked" else tables.one(0)
        found = self._wrong_labels(None, [groups.gold[row] for row in first], groups.items[first], tables.columns.gold)
        for role in ("item", "topic"):
            if tables.has(role):
                found = together(found, self._empty(one, None, role))
        if tables.shape == "side by side" and tables.has_items:
            found = together(found, self._repeated(one, 0))
        return found

    def _stacked_items(self) -> Found:
        """Stacked runs must be on the same items with the same gold: as many rows, and where items have ids the same tokens."""
        tables, groups = self.tables, self.groups
        kinds = {kind: place for place, kind in enumerate(dict.fromkeys(zip(groups.topic, groups.gold, strict=True)))}
        kind = [kinds[pair] for pair in zip(groups.topic, groups.gold, strict=True)]
        sizes, tokens = np.zeros((len(tables.names), len(kinds)), np.int64), np.zeros(len(tables.names), np.int64)
        np.add.at(sizes, (groups.run, kind), groups.items)
        np.add.at(tokens, groups.run, groups.token)
        differs = (sizes != sizes[0]).any(axis=1) | (tokens != tokens[0])
        odd, rows_of = np.flatnonzero(differs).tolist(), sizes.sum(axis=1)
        found = NONE
        if tables.has_items:
            for run in dict.fromkeys([0, *odd]):
                found = together(found, self._repeated(tables.one(run), run))
        if self.options.missing is not None or found[0]:
            return found
        there = f"run '{tables.names[0]}' ({rows_of[0]} rows)"
        hint = "rows are missing, or gold or weights differ: choose --missing drop to score each run on what it has"
        problems = [
            tables.gold_source.problem(0, f"run '{tables.names[run]}' ({rows_of[run]} rows) has other items than {there}", hint)
            for run in odd
        ]
        return problems[:MOST_SHOWN], len(problems)

    def _items(self, run: int) -> Found:
        """Unknown, repeated and missing items of one run, exactly: each row's place in gold is counted."""
        tables, keys, source = self.tables, list(self.tables.keys), self.tables.source(run)
        own, name = tables.one(run), tables.run_name(run)
        nameless = nw.any_horizontal(*(nw.col(key).is_null() for key in keys), ignore_nulls=False)
        placed = fetch(tables.joined(own).select("place", nameless.alias("nameless")))
        if not len(placed["place"]):
            if self.options.missing is not None:
                return NONE
            return [source.problem(0, _NO_ITEMS, "it needs one row per item of gold")], 1
        known = ~np.ma.getmaskarray(placed["place"])
        times = np.bincount(np.ma.getdata(placed["place"])[known].astype(np.int64), minlength=int(self.gold.items.sum()))
        unknown_total = int((~known & ~placed["nameless"].astype(bool)).sum())
        unknown: list[Key] = []
        if unknown_total:
            sound = own.filter(~nameless)
            absent_there = sound.join(tables.engine.beside(tables.gold, own).select(keys), on=keys, how="anti")
            unknown = _listed(absent_there, keys)
        found = together(
            self._empty(own, run, "item"),
            self._again(run, np.flatnonzero(times > 1)) if not tables.repeated else self._repeated_outputs(run),
            self.keys.unknown(source, unknown, unknown_total, lambda _: _unknown_hint(source), name),
        )
        if self.options.missing is not None:
            return found
        absent = np.flatnonzero(times == 0)
        hint = "add it, or choose --missing worst, drop or class:LABEL"
        return together(found, self.keys.missing(source, self._named(absent), len(absent), hint, name))

    def _again(self, run: int, places: Any) -> Found:
        if not len(places):
            return NONE
        named = self._named(places)
        hint = self._repeat_hint(run, named)
        return self.keys.repeated(self.tables.source(run), named, len(places), hint, self.tables.run_name(run))

    def _repeated_outputs(self, run: int) -> Found:
        """The same output twice, where a run may have several for an item."""
        roles = (*self.tables.keys, "repeat")
        counted = self.tables.one(run).filter(~nw.col("item").is_null()).group_by(*roles).agg(nw.len().alias("times"))
        several = counted.filter(nw.col("times") > 1)
        total = rows(several)
        keys = replace(self.keys, roles=roles)
        some = _listed(several, roles) if total else []
        source, name = self.tables.source(run), self.tables.run_name(run)
        return keys.repeated(source, some, total, "keep one row per item and repeat", name)

    def _named(self, places: Any) -> list[Key]:
        """The keys of some of gold's rows, the first in order."""
        if not len(places) or self.tables.gold is None:
            return []
        wanted = self.tables.engine.frame({"place": np.asarray(places, np.int64)}, beside=self.tables.gold)
        keys = list(self.tables.keys)
        sound = self.tables.gold.join(wanted, on="place", how="inner").filter(~nw.col("item").is_null())
        return _listed(sound, keys)

    def _repeat_hint(self, run: int | None, keys: Sequence[Key] = ()) -> str:
        tables = self.tables
        if run is None and tables.keys == ("item",) and tables.has("topic"):
            return "ids that repeat across topics need the topic column in the runs too"
        column = self._telling_apart(run, keys) if run is not None and tables.shape != "side by side" else None
        if column is None:
            return _ONE_ROW
        return f"{_ONE_ROW}; if these are several outputs for one item, told apart by '{column}', say --repeat-column {column}"

    def _telling_apart(self, run: int, keys: Sequence[Key]) -> str | None:
        """A further column that tells apart all rows of these items: a repeat that nobody has declared. Of several, the one of
        the fewest values."""
        source, name, columns = self.tables.source(run), self.tables.run_name(run), self.tables.columns
        others = [column for column in source.columns if column not in columns.names()]
        wanted = {tuple(map(str, key)) for key in keys}
        seen: list[tuple[Key, Mapping[str, Any]]] = []
        for record in source.matching([key[-1] for key in wanted]) if others and wanted else ():
            key = self.keys.of(record.values)
            if key in wanted and self.keys.is_of(record.values, name):
                seen.append((key, record.values))
        found = {column: [(key, _as_text(values.get(column))) for key, values in seen] for column in others}
        telling = [column for column, pairs in found.items() if pairs and len(set(pairs)) == len(pairs)]
        return min(telling, key=lambda column: len({value for _, value in found[column]}), default=None)

    def _repeated(self, frame: Frame, run: int | None) -> Found:
        keys = list(self.tables.keys)
        counted = frame.filter(~nw.col("item").is_null()).group_by(*keys).agg(nw.len().alias("times"))
        several = counted.filter(nw.col("times") > 1)
        total = rows(several)
        some = _listed(several, keys) if total else []
        source, name = self.tables.source(run), self.tables.run_name(run)
        return self.keys.repeated(source, some, total, self._repeat_hint(run, some) if total else "", name)

    def _empty(self, frame: Frame, run: int | None, role: str) -> Found:
        total = rows(frame.filter(nw.col(role).is_null()))
        return self.keys.empty(self.tables.source(run), role, total, self.tables.run_name(run))

    def _wrong_labels(self, run: int | None, labels: Sequence[Any], items: Any, column: str) -> Found:
        """Labels that are missing or no class, line by line. A run may lack labels where a policy for missing ones is given."""
        allowed = run is not None and self.options.missing is not None
        wrong = {label for label in labels if self.codes[label] == _OUTSIDE or (label is None and not allowed)}
        if not wrong:
            return NONE
        total = sum(int(number) for label, number in zip(labels, items, strict=True) if label in wrong)
        numeric, name = bool(self.options.bins), self.tables.run_name(run)

        def reason(record: Mapping[str, Any], line: int) -> str | None:
            if not self.keys.is_of(record, name):
                return None
            cell = record.get(column)
            label = None if is_empty(cell) and cell != " " else _as_text(cell)
            if numeric:
                number = number_of(cell) if label is not None else None
                if label is not None and number is None:
                    return f"label '{visible(label)}' is not a number"
                return _label_fault(None) if number is None or number != number else None  # noqa: PLR0124 - NaN
            return _label_fault(label) if label in wrong else None

        texts = None if numeric or None in wrong else [str(label) for label in wrong]
        faults = [_label_fault(label) for label in sorted(wrong, key=str)]
        return located(self.tables.source(run), reason, texts, total, lambda what: self._label_hint(run, what), faults)

    def _label_hint(self, run: int | None, what: str) -> str:
        if "no label" in what:
            return "gold needs one for every item" if run is None else "add one, or choose --missing worst, drop or class:LABEL"
        if "not a number" in what:
            return "--bins is for numbers"
        label = what.removeprefix("label '").rpartition("' is not")[0]
        if "\\" in label:
            return "it has characters that do not show: remove them"
        return did_you_mean(label, self.scale.labels) or f"the classes are {self.scale}"


def _unknown_hint(source: Source) -> str:
    hint = "remove the row, or check that this run is for this gold"
    if not source.header:
        hint += "; if the first line names the columns, say which with --item-column and --label-column"
    return hint


def _listed(frame: Frame, keys: Sequence[str]) -> list[Key]:
    """A few rows' keys, the first in order."""
    listed = fetch(frame.select(*keys).sort(*keys).head(MOST_SHOWN))
    return list(zip(*(listed[key].tolist() for key in keys), strict=True))


def _as_text(cell: Any) -> str:
    return cell if isinstance(cell, str) else str(cell)


def _label_fault(label: str | None) -> str:
    return "the item has no label" if label is None else f"label '{visible(label)}' is not one of the classes"
