"""What is wrong with gold or runs, item by item: asked only about what the counts have shown not to add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from metameasure.errors import did_you_mean
from metameasure.evidence.frames import rows
from metameasure.evidence.prepare import CountOptions
from metameasure.formats.frames import fetch
from metameasure.formats.labels import Frame, LabelTables
from metameasure.formats.problems import MOST_SHOWN, Problem
from metameasure.scale import Scale

if TYPE_CHECKING:
    from metameasure.evidence.counting import Groups

Found = tuple[list[Problem], int]
NOTHING: Found = ([], 0)
_OUTSIDE = -2
_ONE_ROW = "keep one row per item"


def _joined(*parts: Found) -> Found:
    return [problem for problems, _ in parts for problem in problems], sum(total for _, total in parts)


@dataclass(frozen=True)
class Audit:
    """The tables, the counts that came of them (labels as they stand in the files), and what each label means."""

    tables: LabelTables
    gold: Groups
    groups: Groups
    codes: dict[Any, int]
    scale: Scale
    options: CountOptions

    def gold_problems(self) -> Found:
        """Gold without rows, an item twice, no id, no topic, no label, a label that is no class."""
        tables, columns = self.tables, self.tables.columns
        if tables.gold is None:
            return self._gold_beside_labels()
        if not self.gold.items.sum():
            return [Problem(tables.origin(None), 0, "there are no items", "it needs one row per item")], 1
        name = columns.label if tables.gold_file and columns.label in tables.gold_file.columns else columns.gold
        found = _joined(
            self._empty_cells(tables.gold, None, "item", "the row has no item id", "give every row its id"),
            self._wrong_labels(None, self.gold.gold, self.gold.items, name),
        )
        if tables.has_topics:
            found = _joined(
                found, self._empty_cells(tables.gold, None, "topic", "the row has no topic", "give every row its topic")
            )
        return _joined(found, self._repeated(tables.gold, None))

    def run_problems(self) -> Found:
        """For each run whose rows are not exactly gold's: unknown, repeated and missing items, labels that are no class."""
        tables, groups = self.tables, self.groups
        found = NOTHING
        if None in groups.run or (tables.gold is not None and not self.gold.items.sum()):
            return found  # gold's problems say it
        rows_of: dict[int, list[int]] = {run: [] for run in range(len(tables.names))}
        for row, run in enumerate(groups.run):
            rows_of[run].append(row)
        for run, mine in rows_of.items():
            labels = [groups.label[row] for row in mine]
            name = tables.names[run] if tables.shape == "side by side" else tables.columns.label
            found = _joined(found, self._wrong_labels(run, labels, groups.items[mine], name))
            if tables.gold is None:
                continue
            known = [row for row in mine if groups.gold[row] is not None]
            same = groups.items[mine].sum() == self.gold.items.sum() and groups.token[known].sum() == self.gold.token.sum()
            if not same or len(known) < len(mine):
                found = _joined(found, self._items(run))
        return _joined(found, self._stacked_items()) if tables.gold is None and tables.shape == "stacked" else found

    def _gold_beside_labels(self) -> Found:
        """Gold that stands in the same file as the runs."""
        tables, groups = self.tables, self.groups
        if not groups.run:
            return [Problem(tables.origin(None), 0, "there are no items", "it needs one row per item")], 1
        if None in groups.run:
            total = sum(int(items) for run, items in zip(groups.run, groups.items, strict=True) if run is None)
            return self._cells(None, tables.columns.run, total, "the row has no run", "give every row the name of its run")
        first = [row for row, run in enumerate(groups.run) if tables.shape == "stacked" or run == 0]
        one = tables.runs if tables.shape == "stacked" else tables.runs.filter(nw.col("run") == 0)
        found = self._wrong_labels(None, [groups.gold[row] for row in first], groups.items[first], tables.columns.gold)
        if tables.has_items:
            found = _joined(found, self._empty_cells(one, None, "item", "the row has no item id", "give every row its id"))
        if tables.has_topics:
            found = _joined(found, self._empty_cells(one, None, "topic", "the row has no topic", "give every row its topic"))
        if tables.shape == "side by side" and tables.has_items:
            found = _joined(found, self._repeated(one, 0))
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
        found = NOTHING
        if tables.has_items:
            for run in dict.fromkeys([0, *odd]):
                found = _joined(found, self._repeated(tables.runs.filter(nw.col("run") == run), run))
        if self.options.missing is not None or found[0]:
            return found
        origin = tables.origin(None) if tables.gold_file else "the frame"
        there = f"run '{tables.names[0]}' ({rows_of[0]} rows)"
        hint = "rows are missing, or gold or weights differ: choose --missing drop to score each run on what it has"
        problems = [
            Problem(origin, 0, f"run '{tables.names[run]}' ({rows_of[run]} rows) has other items than {there}", hint)
            for run in odd
        ]
        return problems[:MOST_SHOWN], len(problems)

    def _items(self, run: int) -> Found:
        """Unknown, repeated and missing items of one run: three questions to the engine, and the lines from a second pass."""
        tables, keys, gold = self.tables, list(self.tables.keys), self.tables.gold
        assert gold is not None  # noqa: S101 - asked of joined tables only
        own = tables.runs.filter(nw.col("run") == run)
        origin = tables.origin(run)
        if not rows(own):
            if self.options.missing is not None:
                return NOTHING
            return [Problem(origin, 0, "there are no items", "it needs one row per item of gold")], 1
        sound = own.filter(~nw.col("item").is_null())
        unknown, unknown_total = _some(sound.join(gold.select(keys), on=keys, how="anti"), keys)
        found = _joined(
            self._empty_cells(own, run, "item", "the row has no item id", "give every row its id"),
            self._repeated(own, run),
            (self._unknown_lines(run, unknown), unknown_total),
        )
        if self.options.missing is not None:
            return found
        absent, absent_total = _some(gold.filter(~nw.col("item").is_null()).join(own.select(keys), on=keys, how="anti"), keys)
        hint = "add it, or choose --missing worst, drop or class:LABEL"
        return _joined(
            found, ([Problem(origin, 0, f"item {_name(key)} of gold is missing", hint) for key in absent], absent_total)
        )

    def _repeated(self, frame: Frame, run: int | None) -> Found:
        tables, keys = self.tables, list(self.tables.keys)
        counted = frame.filter(~nw.col("item").is_null()).group_by(*keys).agg(nw.len().alias("times"))
        some, total = _some(counted.filter(nw.col("times") > 1), keys)
        if not total:
            return NOTHING
        hint = _ONE_ROW
        if run is None and tables.keys == ("item",) and tables.has_topics:
            hint = "ids that repeat across topics need the topic column in the runs too"
        wanted, seen = {_text(key) for key in some}, dict[tuple[str, ...], int]()

        def again(record: dict[str, Any]) -> str | None:
            key = self._key(record)
            if key not in wanted or not self._of_run(record, run):
                return None
            seen[key] = seen.get(key, 0) + 1
            return f"item {_name(key)} again" if seen[key] > 1 else None

        return self._located(run, again, total, hint, [f"item {_name(key)} occurs more than once" for key in some])

    def _unknown_lines(self, run: int, unknown: Sequence[tuple[Any, ...]]) -> list[Problem]:
        if not unknown:
            return []
        wanted, file = {_text(key) for key in unknown}, self.tables.run_files[run]

        def reason(record: dict[str, Any]) -> str | None:
            key = self._key(record)
            return f"item {_name(key)} is not in gold" if key in wanted else None

        hint = "remove the row, or check that this run is for this gold"
        if file is not None and not file.header:
            hint += "; if the first line names the columns, say which with --item-column and --label-column"
        return self._located(run, reason, 0, hint, [f"item {_name(key)} is not in gold" for key in unknown])[0]

    def _empty_cells(self, frame: Frame, run: int | None, role: str, what: str, hint: str) -> Found:
        total = rows(frame.filter(nw.col(role).is_null()))
        return self._cells(run, getattr(self.tables.columns, role), total, what, hint) if total else NOTHING

    def _cells(self, run: int | None, column: str, total: int, what: str, hint: str) -> Found:
        def reason(record: dict[str, Any]) -> str | None:
            return what if record.get(column) in (None, "") and self._of_run(record, run) else None

        return self._located(run, reason, total, hint, [f"{what} ({total} times)"])

    def _wrong_labels(self, run: int | None, labels: Sequence[Any], items: Any, column: str) -> Found:
        """Labels that are missing or no class, line by line. A run may lack labels where a policy for missing ones is given."""
        allowed = run is not None and self.options.missing is not None
        wrong = {label for label in labels if self.codes[label] == _OUTSIDE or (label is None and not allowed)}
        if not wrong:
            return NOTHING
        total = sum(int(number) for label, number in zip(labels, items, strict=True) if label in wrong)
        numeric = bool(self.options.bins)

        def reason(record: dict[str, Any]) -> str | None:
            if not self._of_run(record, run):
                return None
            value = record.get(column)
            label = None if value in (None, "") or (numeric and str(value).lower() == "nan") else str(value)
            if numeric and label is not None and not _is_number(label):
                return f"label '{_visible(label)}' is not a number"
            if label in wrong or (numeric and label is None):
                return _label_fault(label)
            return None

        found = [
            Problem(self.tables.origin(run), line, what, self._label_hint(run, what))
            for line, what in islice(self.tables.lines(run, reason), MOST_SHOWN)
        ]
        if not found:
            faults = [_label_fault(label) for label in sorted(wrong, key=str)]
            found = [Problem(self.tables.origin(run), 0, what, self._label_hint(run, what)) for what in faults]
        return found, total

    def _label_hint(self, run: int | None, what: str) -> str:
        if "no label" in what:
            return "gold needs one for every item" if run is None else "add one, or choose --missing worst, drop or class:LABEL"
        if "not a number" in what:
            return "--bins is for numbers"
        label = what.split("'")[1]
        if "\\" in label:
            return "it has characters that do not show: remove them"
        return did_you_mean(label, self.scale.labels) or f"the classes are {self.scale}"

    def _located(
        self, run: int | None, reason: Callable[[dict[str, Any]], str | None], total: int, hint: str, unlocated: Sequence[str]
    ) -> Found:
        """The lines that have the fault; without lines (data frames), what is known of it."""
        origin = self.tables.origin(run)
        found = [Problem(origin, line, what, hint) for line, what in islice(self.tables.lines(run, reason), MOST_SHOWN)]
        found = found or [Problem(origin, 0, what, hint) for what in unlocated[:MOST_SHOWN]]
        return found, max(total, len(found))

    def _of_run(self, record: dict[str, Any], run: int | None) -> bool:
        """Whether a record of a stacked file belongs to the run; in other shapes it does."""
        return run is None or self.tables.shape != "stacked" or str(record.get(self.tables.columns.run)) == self.tables.names[run]

    def _key(self, record: dict[str, Any]) -> tuple[str, ...]:
        return _text(tuple(record.get(getattr(self.tables.columns, key)) for key in self.tables.keys))


def _some(frame: Frame, keys: Sequence[str]) -> tuple[list[tuple[Any, ...]], int]:
    """A few rows' keys, the first in order, and how many rows there are."""
    total = rows(frame)
    if not total:
        return [], 0
    listed = fetch(frame.select(*keys).sort(*keys).head(MOST_SHOWN))
    return list(zip(*(listed[key] for key in keys), strict=True)), total


def _is_number(label: str) -> bool:
    try:
        return float(label) == float(label)
    except ValueError:
        return False


def _label_fault(label: str | None) -> str:
    return "the item has no label" if label is None else f"label '{_visible(label)}' is not one of the classes"


def _visible(label: str) -> str:
    """A label with what does not show, such as a NUL byte, written out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in label)


def _text(key: Sequence[Any]) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in key)


def _name(key: Sequence[Any]) -> str:
    *topic, item = _text(key)
    return f"'{_visible(item)}'" + (f" of topic '{topic[0]}'" if topic else "")
