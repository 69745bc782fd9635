"""The second look at tables of rankings that failed: every line that is wrong, what is wrong with it, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from metameasure.errors import did_you_mean
from metameasure.formats.files import Record
from metameasure.formats.problems import DataProblems, Gathered, Problem
from metameasure.formats.ranking_rows import Holds
from metameasure.formats.ranking_values import HINTS, read

ONE_ROW = "keep one row per segment and item"


@dataclass(frozen=True)
class TableColumns:
    """The names of a table's columns: its keys, and each column of values with what it holds, gold or the run itself first."""

    segment: str
    item: str
    judge: str | None
    values: Mapping[str, Holds]

    @property
    def first(self) -> str:
        return next(iter(self.values))


def gold_problems(shown: str, records: Iterable[Record], columns: TableColumns) -> NoReturn:
    """Raise what is wrong with a table of gold."""
    found = Gathered(shown)
    first_line: dict[tuple[str, str], int] = {}
    ranked: set[tuple[str, str]] = set()
    seen: dict[tuple[str, ...], int] = {}
    for line, segment, item, values in _sound(records, columns, found):
        judge = _text(values.get(columns.judge)) if columns.judge else ""
        segment_of_judge = (segment, judge)
        first_line.setdefault(segment_of_judge, line)
        key = (segment, judge, item)
        if key in seen:
            by = f" by judge '{judge}'" if judge else ""
            hint = ONE_ROW if columns.judge else f"{ONE_ROW}, or name the column of judges (--judge-column)"
            found.add(line, f"item '{item}' of segment '{segment}'{by} again (first in line {seen[key]})", hint)
        seen.setdefault(key, line)
        if _is_ranked(values.get(columns.first), columns.values[columns.first]):
            ranked.add(segment_of_judge)
    for pair, line in first_line.items():
        if pair not in ranked:
            found.add(line, f"no item of segment '{pair[0]}' is ranked", "rank some of its items, or remove it")
    _raise(found)


def run_problems(
    shown: str,
    records: Iterable[Record],
    columns: TableColumns,
    known: Mapping[str, Mapping[str, bool]],
    *,
    extra_allowed: bool,
    missing_allowed: bool,
) -> None:
    """Raise what is wrong with a run. ``known`` has gold's items by segment, and whether gold ranks them."""
    found = Gathered(shown)
    seen: dict[tuple[str, str], int] = {}
    for line, segment, item, _ in _sound(records, columns, found):
        if (segment, item) in seen:
            found.add(line, f"item '{item}' of segment '{segment}' again (first in line {seen[segment, item]})", ONE_ROW)
        elif item not in known.get(segment, {}) and not extra_allowed:
            found.add(line, *_unknown(segment, item, known))
        seen.setdefault((segment, item), line)
    if not missing_allowed:
        for segment, items in known.items():
            for item, needed in items.items():
                if needed and (segment, item) not in seen:
                    found.add(0, f"item '{item}' of segment '{segment}' is missing", "add it, or choose --missing drop or last")
    _raise(found)


def _raise(found: Gathered) -> NoReturn:
    found.raise_any()
    what, hint = "something is wrong that no line shows", "check the columns of segments, items and values"
    raise DataProblems([Problem(found.shown, 0, what, hint)])


def _unknown(segment: str, item: str, known: Mapping[str, Mapping[str, bool]]) -> tuple[str, str]:
    if segment not in known:
        return f"segment '{segment}' is not in gold", did_you_mean(segment, known) or "check that this run is for this gold"
    near = did_you_mean(item, known[segment])
    return f"item '{item}' of segment '{segment}' is not in gold", near or "remove the row, or choose --extra ignore"


def _sound(records: Iterable[Record], columns: TableColumns, found: Gathered) -> Iterator[tuple[int, str, str, dict[str, Any]]]:
    """Line, segment, item and all values of the rows that have both; what is wrong with the others and with values is noted."""
    for record in records:
        if record.fault:
            found.add(record.line, record.fault, record.hint)
            continue
        segment, item = _text(record.values.get(columns.segment)), _text(record.values.get(columns.item))
        for what, name in (("segment", segment), ("item", item)):
            if not name:
                found.add(record.line, f"the row has no {what}", f"give every row its {what}")
        for name, holds in columns.values.items():
            try:
                read(record.values.get(name), holds)
            except ValueError as error:
                several = len(columns.values) > 1
                found.add(record.line, f"{name}: {error}" if several else str(error), HINTS[holds])
        if segment and item:
            yield record.line, segment, item, record.values


def _is_ranked(cell: Any, holds: Holds) -> bool:
    try:
        value = read(cell, holds)
    except ValueError:
        return True
    return value == value  # noqa: PLR0124 - NaN is not ranked


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)
