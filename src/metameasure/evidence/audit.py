"""What is wrong with gold or runs, item by item: asked only about what the counts have shown not to add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from metameasure.errors import did_you_mean
from metameasure.evidence.frames import fetch
from metameasure.formats.labels import Frame, LabelTables
from metameasure.formats.problems import MOST_SHOWN, Problem
from metameasure.scale import Scale

if TYPE_CHECKING:
    from metameasure.evidence.counting import Groups

Found = tuple[list[Problem], int]
_MISSING, _OUTSIDE = -1, -2


def explain_gold(tables: LabelTables, gold: Groups, codes: dict[Any, int], scale: Scale) -> Found:
    """Gold without rows, twice the same item, no id, no label, a label that is no class."""
    if tables.gold is None:
        return [], 0
    origin = tables.origin(None)
    if not gold.items.sum():
        return [Problem(origin, 0, "there are no items", "it needs one row per item")], 1
    found = _repeated(tables, tables.gold, None)
    wrong = {label: codes[label] for label in gold.gold if codes[label] < 0}
    number = sum(int(items) for label, items in zip(gold.gold, gold.items, strict=True) if label in wrong)
    missing_ids = fetch(tables.gold.filter(nw.col("item").is_null()).select(nw.len().alias("rows")))["rows"][0]
    found = _joined(found, _label_lines(tables, None, wrong, scale, number, tables.columns.gold))
    return _joined(found, _no_id(tables, None, int(missing_ids)))


def explain_runs(
    tables: LabelTables, gold: Groups, groups: Groups, codes: dict[Any, int], scale: Scale, missing: str | None
) -> Found:
    """For each run whose rows are not exactly gold's: unknown, repeated and missing items, labels that are no class."""
    found: Found = ([], 0)
    if not groups.run:
        return found if len(gold.items) and not gold.items.sum() else _joined(found, _empty(tables))
    expected_items, expected_token = int(gold.items.sum()), int(gold.token.sum())
    for run in range(len(tables.names)):
        rows = [row for row, of in enumerate(groups.run) if of == run]
        known = [row for row in rows if groups.gold[row] is not None]
        items = sum(int(groups.items[row]) for row in rows)
        token = sum(int(groups.token[row]) for row in known)
        labels = {groups.label[row] for row in rows if codes[groups.label[row]] == _OUTSIDE}
        labels |= {None} if missing is None and any(groups.label[row] is None for row in rows) else set()
        wrong_rows = sum(int(groups.items[row]) for row in rows if groups.label[row] in labels)
        if labels:
            found = _joined(
                found,
                _label_lines(tables, run, {label: codes[label] for label in labels}, scale, wrong_rows, tables.columns.label),
            )
        if tables.gold is None:
            found = _joined(found, _paired(tables, run, rows, groups, codes, scale))
        elif items != expected_items or token != expected_token or len(known) < len(rows):
            found = _joined(found, _items(tables, run, missing))
    if tables.gold is None and tables.shape == "side by side" and tables.has_items:
        found = _joined(found, _repeated(tables, tables.runs.filter(nw.col("run") == 0), 0))
    elif tables.gold is None and tables.shape == "stacked" and missing is None:
        found = _joined(found, _same_gold(tables, groups))
    return found


def _joined(first: Found, second: Found) -> Found:
    return [*first[0], *second[0]], first[1] + second[1]


def _empty(tables: LabelTables) -> Found:
    problems = [
        Problem(tables.origin(run), 0, "there are no items", "it needs one row per item") for run in range(len(tables.names))
    ]
    return problems, len(problems)


def _items(tables: LabelTables, run: int, missing: str | None) -> Found:
    """Unknown, repeated and missing items of one run: three questions to the engine, and the lines from a second pass."""
    assert tables.gold is not None  # noqa: S101 - asked of joined tables only
    keys = list(tables.keys)
    own = tables.runs.filter(nw.col("run") == run)
    origin = tables.origin(run)
    if not fetch(own.select(nw.len().alias("rows")))["rows"][0]:
        if missing is None:
            return [Problem(origin, 0, "there are no items", "it needs one row per item of gold")], 1
        return [], 0
    found = _repeated(tables, own, run)
    unknown, unknown_total = _some(
        own.join(tables.gold.select(keys), on=keys, how="anti").filter(~nw.col("item").is_null()), keys
    )
    found = _joined(found, (_unknown_lines(tables, run, unknown), unknown_total))
    no_id = fetch(own.filter(nw.col("item").is_null()).select(nw.len().alias("rows")))["rows"][0]
    found = _joined(found, _no_id(tables, run, int(no_id)))
    if missing is None:
        absent, absent_total = _some(tables.gold.join(own.select(keys), on=keys, how="anti"), keys)
        hint = "add it, or choose --missing worst, drop or class:LABEL"
        found = _joined(
            found, ([Problem(origin, 0, f"item {_name(key)} of gold is missing", hint) for key in absent], absent_total)
        )
    return found


def _some(frame: Frame, keys: Sequence[str]) -> tuple[list[tuple[Any, ...]], int]:
    """A few rows' keys, the first in order, and how many rows there are."""
    total = int(fetch(frame.select(nw.len().alias("rows")))["rows"][0])
    if not total:
        return [], 0
    ordered = frame.select(*keys).sort(*keys).head(MOST_SHOWN)
    listed = fetch(ordered)
    return list(zip(*(listed[key] for key in keys), strict=True)), total


def _repeated(tables: LabelTables, frame: Frame, run: int | None) -> Found:
    keys = list(tables.keys)
    twice = frame.filter(~nw.col("item").is_null()).group_by(*keys).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
    some, total = _some(twice, keys)
    if not total:
        return [], 0
    hint = "keep one row per item"
    if run is None and tables.keys == ("item",) and tables.has_topics and tables.gold is not None:
        hint = "ids that repeat across topics need the topic column in the runs too"
    wanted = {_text(key) for key in some}
    seen: dict[tuple[str, ...], int] = {}

    def again(record: dict[str, Any]) -> str | None:
        key = _key(tables, record)
        if key not in wanted:
            return None
        seen[key] = seen.get(key, 0) + 1
        return f"item {_name(key)} again" if seen[key] > 1 else None

    problems = [Problem(tables.origin(run), line, what, hint) for line, what in tables.lines(run, again)]
    problems = problems or [Problem(tables.origin(run), 0, f"item {_name(key)} occurs more than once", hint) for key in some]
    return problems[:MOST_SHOWN], max(total, len(problems))


def _unknown_lines(tables: LabelTables, run: int, unknown: Sequence[tuple[Any, ...]]) -> list[Problem]:
    wanted = {_text(key) for key in unknown}
    file = tables.run_files[run]

    def reason(record: dict[str, Any]) -> str | None:
        key = _key(tables, record)
        if key not in wanted:
            return None
        wanted.discard(key)
        return f"item {_name(key)} is not in gold"

    hint = "remove the row, or check that this run is for this gold"
    if file is not None and not file.header:
        hint += "; if the first line names the columns, say which with --item-column and --label-column"
    found = [Problem(tables.origin(run), line, what, hint) for line, what in tables.lines(run, reason)]
    return found + [Problem(tables.origin(run), 0, f"item {_name(key)} is not in gold", hint) for key in sorted(wanted)]


def _no_id(tables: LabelTables, run: int | None, total: int) -> Found:
    if not total:
        return [], 0

    def reason(record: dict[str, Any]) -> str | None:
        return "the row has no item id" if record.get(tables.columns.item) in (None, "") else None

    found = [Problem(tables.origin(run), line, what, "give every row its id") for line, what in tables.lines(run, reason)][
        :MOST_SHOWN
    ]
    return found or [Problem(tables.origin(run), 0, f"{total} row(s) without an item id", "give every row its id")], total


def _label_lines(tables: LabelTables, run: int | None, wrong: dict[Any, int], scale: Scale, total: int, column: str) -> Found:
    """Labels that are missing or no class, each at the first line that has it."""
    if not wrong:
        return [], 0
    name = tables.names[run] if run is not None and tables.shape == "side by side" else column
    if run is None and name not in (tables.gold_file.columns if tables.gold_file else ()):
        name = tables.columns.label
    left = set(wrong)
    of_run = tables.names[run] if run is not None and tables.shape == "stacked" else None

    def reason(record: dict[str, Any]) -> str | None:
        if of_run is not None and str(record.get(tables.columns.run)) != of_run:
            return None
        value = record.get(name)
        label = None if value in (None, "", "nan") else str(value)
        if label not in left and not (None in left and label is not None and not _is_number(label) and not _as_text(wrong)):
            return None
        left.discard(label)
        return _label_fault(label)

    lines = list(tables.lines(run, reason))[:MOST_SHOWN]
    found = [Problem(tables.origin(run), line, what, _label_hint(what, scale)) for line, what in lines]
    if not found:
        found = [
            Problem(tables.origin(run), 0, _label_fault(label), _label_hint(_label_fault(label), scale))
            for label in sorted(wrong, key=str)
        ]
    return found, total


def _as_text(wrong: dict[Any, int]) -> bool:
    """Whether labels were read as text: numbers that cannot be read come as missing, whatever the line says."""
    return any(label is not None for label in wrong)


def _is_number(label: str) -> bool:
    try:
        return float(label) == float(label)
    except ValueError:
        return False


def _label_fault(label: str | None) -> str:
    return "the item has no label" if label is None else f"label '{label}' is not one of the classes"


def _label_hint(what: str, scale: Scale) -> str:
    if "no label" in what:
        return "add one, or choose --missing worst, drop or class:LABEL"
    label = what.split("'")[1]
    return did_you_mean(label, scale.labels) or f"the classes are {scale}"


def _paired(tables: LabelTables, run: int, rows: Sequence[int], groups: Groups, codes: dict[Any, int], scale: Scale) -> Found:
    """Gold labels that stand beside a run's labels: missing, or no class. Once per file, with the first run that shows them."""
    if run > 0 and tables.shape == "side by side":
        return [], 0
    wrong = {groups.gold[row]: codes[groups.gold[row]] for row in rows if codes[groups.gold[row]] < 0}
    total = sum(int(groups.items[row]) for row in rows if groups.gold[row] in wrong)
    return _label_lines(tables, None, wrong, scale, total, tables.columns.gold)


def _same_gold(tables: LabelTables, groups: Groups) -> Found:
    """Stacked runs must answer the same gold: as many items of each class in each topic."""
    sizes: dict[int, dict[tuple[Any, Any], int]] = {}
    for run, topic, gold, items in zip(groups.run, groups.topic, groups.gold, groups.items, strict=True):
        of_run = sizes.setdefault(run, {})
        of_run[topic, gold] = of_run.get((topic, gold), 0) + int(items)
    first = sizes.get(0, {})
    odd = [run for run in range(1, len(tables.names)) if sizes.get(run, {}) != first]
    hint = "rows are missing or repeated: choose --missing drop to score each run on what it has"
    origin = tables.origin(None) if tables.gold_file else "the frame"
    there = f"run '{tables.names[0]}' ({sum(first.values())} rows)"
    problems = [
        Problem(
            origin, 0, f"run '{tables.names[run]}' ({sum(sizes.get(run, {}).values())} rows) has other items than {there}", hint
        )
        for run in odd
    ]
    return problems[:MOST_SHOWN], len(problems)


def _key(tables: LabelTables, record: dict[str, Any]) -> tuple[str, ...]:
    return _text(tuple(record.get(getattr(tables.columns, key)) for key in tables.keys))


def _text(key: Sequence[Any]) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in key)


def _name(key: Sequence[Any]) -> str:
    *topic, item = _text(key)
    return f"'{item}'" + (f" of topic '{topic[0]}'" if topic else "")
