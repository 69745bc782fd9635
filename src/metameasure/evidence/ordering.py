"""The items of each run with the order it gives them, fetched from the table that was counted."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.values import is_empty, number_of
from metameasure.evidence.counting import class_codes, codes_in
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.items_in_file import ItemsInFile
from metameasure.evidence.judgements import Numbered, RunItems
from metameasure.evidence.label_reader import ORDERS
from metameasure.evidence.outputs import topics_of, with_codes
from metameasure.evidence.side_by_side import WideTable, in_order_of_text
from metameasure.reading.engine import Frame, fetch
from metameasure.reading.joining import KeyedTable
from metameasure.reading.key_faults import Faults, Key, located, together
from metameasure.reading.sources import text_array
from metameasure.statistics.arrays import Booleans, Floats

_NO_ID = "(no id)"
_RANKS = ("rank", "score_rank")
_Columns: TypeAlias = dict[str, Any]
_ColumnsOf: TypeAlias = Callable[[int], _Columns]
_Made: TypeAlias = ItemsInFile | list[RunItems | None]


def ordered_runs(tables: KeyedTable, counts: LabelCounts) -> Sequence[RunItems | None]:
    """For each run that orders its items, those items. DataProblems for an invalid order."""
    orders = tables.orders or (frozenset(),) * len(tables.names)
    ordered = [run for run, had in enumerate(orders) if had]
    if not ordered:
        return [None] * len(orders)
    if isinstance(tables, WideTable):
        return _ordered_side_by_side(tables, counts)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as folder:
        limited = tables.engine.limited
        columns_of = _run_by_run(tables, ordered, counts, Path(folder)) if limited else _all_at_once(tables, ordered, counts)
        return _checked(tables, counts, columns_of, ItemsInFile() if limited else [])


def _checked(tables: KeyedTable, counts: LabelCounts, columns_of: _ColumnsOf, made: _Made) -> Sequence[RunItems | None]:
    """The items of runs, of which nothing else is in memory while the next one's columns are fetched. DataProblems for an order
    that is none."""
    problems, total = list[Problem](), 0
    for run, had in enumerate(tables.orders):
        if not had:
            made.append(None)
            continue
        some, number = _faults_or_made(tables, counts, run, columns_of(run), made)
        problems += some[: MOST_SHOWN - len(problems)]
        total += number
    if problems:
        raise DataProblems(problems, total)
    return made


def _faults_or_made(tables: KeyedTable, counts: LabelCounts, run: int, columns: _Columns, made: _Made) -> Faults:
    """What is wrong with a run's order; where nothing is, its items are appended to those that are made."""
    had = tables.orders[run]
    wrong = {role: ~_fits(role, columns[role]) for role in sorted(had)}
    if not any(bad.any() for bad in wrong.values()):
        made.append(_coded(columns, had, counts, run))
        return [], 0
    cells = {role: _keys(tables, columns, bad, counts) for role, bad in wrong.items() if tables.matrix(role, run)}
    return _order_problems(tables, run, had, sum(int(bad.sum()) for bad in wrong.values()), cells)


def _all_at_once(tables: KeyedTable, ordered: Sequence[int], counts: LabelCounts) -> _ColumnsOf:
    """The columns of each run that orders its items."""
    with tables.reading():
        kept = tables.engine.kept(_answers(tables, ordered))
        rows = fetch(_in_order(tables, kept, counts, "run"))
    edges = np.searchsorted(rows["run"], np.arange(len(tables.orders) + 1))
    return lambda run: {name: column[edges[run] : edges[run + 1]] for name, column in rows.items()}


def _run_by_run(tables: KeyedTable, ordered: Sequence[int], counts: LabelCounts, folder: Path) -> _ColumnsOf:
    """The same, of which each run's are in a file until somebody asks for them."""
    with tables.reading():
        part = tables.engine.apart(_answers(tables, ordered), "run", folder / "runs")
        tables.engine.forget()  # the answers stand beside gold now, which need not be in memory any more

    def columns(run: int) -> _Columns:
        with tables.reading():
            return fetch(_in_order(tables, part(run), counts))

    return columns


def _ordered_side_by_side(tables: WideTable, counts: LabelCounts) -> list[RunItems | None]:
    """The same of sequences, whose items go by their number; they are in the order of those numbers as text, as ids are."""
    rows = tables.wide.outputs(partial(class_codes, counts.scale), np.int64)
    order = in_order_of_text(len(rows.gold))
    topic = topics_of(counts, rows.topic, len(order))
    if rows.topic is not None:
        order = order[np.argsort(topic[order], kind="stable")]
    problems, run_items = list[Problem](), list[RunItems | None]()
    for run, had in enumerate(tables.orders):
        said = {role: tables.said[role][tables.names[run]] for role in had}
        answered = rows.labels[run] >= 0
        problems += _wrong_numbers(tables.names[run], said, answered)
        if problems or not had:
            run_items.append(None)
            continue
        mine = order if answered.all() else order[answered[order]]
        columns = {
            "topic_code": topic[mine],
            "gold_code": rows.gold[mine],
            "label_code": rows.labels[run, mine],
            "item": Numbered(mine),
        }
        run_items.append(_coded(columns | {role: numbers[mine] for role, numbers in said.items()}, had, counts, run))
    if problems:
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    return run_items


def _wrong_numbers(name: str, said: Mapping[str, Floats], answered: Booleans) -> Iterator[Problem]:
    """Numbers of a run that do not order the items it answers, each with its row, counted from 1."""
    for role, numbers in said.items():
        for row in np.flatnonzero(answered & ~_fits(role, numbers)).tolist():
            what = _fault(role, None if np.isnan(numbers[row]) else float(numbers[row]))
            shown, hint = f"the {role.replace('_', ' ')}s", "give every item one, or leave the run out"
            yield Problem(shown, row + 1, say("{name} {what}", name=name, what=what), hint)


def _fault(role: str, said: Any) -> str:
    """What is wrong with something that orders no item."""
    expected = "a number from 1 up" if role in _RANKS else "a finite number"
    return "is empty" if is_empty(said) else f"{said!r} is not {expected}"


def _answers(tables: KeyedTable, runs: Sequence[int]) -> Frame:
    """The answers of some runs beside gold, here."""
    rows = tables.joined(tables.runs.filter(nw.col("run").is_in(list(runs))), "inner")
    had = [role for role in ORDERS if any(role in one for one in tables.orders)]
    chosen = rows.select("run", *_present(rows, "topic", "item"), "gold", "label", *had)
    return tables.engine.here(chosen, run=len(tables.names))


def _in_order(tables: KeyedTable, rows: Frame, counts: LabelCounts, *first: str) -> Frame:
    """Answers, each run's in one order, whatever the engine's: sums and draws depend on it in their last digits."""
    # A rank stands for the score beside it: what is not kept may not decide the order.
    had = _present(rows, "confidence", "rank", "score_rank", "score")
    codes = codes_in(counts.scale, rows, rows)
    for side in ("gold", "label"):
        rows = with_codes(tables, rows, side, codes)
    if tables.has("topic"):
        places = {"topic": text_array(list(counts.topics)), "topic_code": np.arange(len(counts.topics))}
        rows = rows.join(tables.engine.frame(places, beside=rows), on="topic", how="inner")
    else:
        rows = rows.with_columns(nw.lit(0).alias("topic_code"))
    item = nw.coalesce(nw.col("item"), nw.lit(_NO_ID)) if tables.has_items else nw.lit(_NO_ID)
    chosen = rows.select(*first, "topic_code", item.alias("item"), "gold_code", "label_code", *had)
    return chosen.sort(*first, "topic_code", "item", "gold_code", "label_code", *had)


def _present(frame: Frame, *names: str) -> list[str]:
    """Those of some columns that are there."""
    return [name for name in names if name in frame.collect_schema().names()]


def _fits(role: str, values: Any) -> Booleans:
    """Which values can order an item."""
    sound: Booleans = np.isfinite(np.asarray(np.ma.filled(values, np.nan), dtype=float))
    return sound & (values >= 1) if role in _RANKS else sound


def _keys(tables: KeyedTable, columns: Mapping[str, Any], which: Any, counts: LabelCounts) -> set[Key]:
    """Some of a run's items."""
    items = columns["item"][which].tolist()
    if "topic" not in tables.keys:
        return {(item,) for item in items}
    return {(counts.topics[topic], item) for topic, item in zip(columns["topic_code"][which].tolist(), items, strict=True)}


def _order_problems(tables: KeyedTable, run: int, had: frozenset[str], total: int, cells: Mapping[str, set[Key]]) -> Faults:
    """Each cell that does not order its item, with its line. ``cells`` are the items of those that stand in matrices."""
    keys, own = tables.named(run), tables.run_name(run)
    problems: Faults = ([], 0)
    for role in sorted(had):
        matrix = tables.matrix(role, run)
        column = getattr(tables.columns, role) if matrix is None else tables.names[run]

        def wrong(record: Mapping[str, Any], line: int, role: str = role, column: str = column) -> str | None:
            if role in cells:
                if replace(keys, roles=tables.keys).of(record) not in cells[role]:
                    return None
            elif not keys.is_of(record, own) or is_empty(record.get(tables.columns.label)):
                return None
            said = record.get(column)
            number = number_of(said) if not is_empty(said) else None
            sound = number is not None and math.isfinite(number) and (role not in _RANKS or number >= 1)
            return None if sound else f"{column} {_fault(role, said)}"

        hint = f"give every item one, or leave out the column '{column}'"
        problems = together(problems, located(matrix or tables.source(run), wrong, None, 0, hint, []))
    if problems[0]:
        return problems[0], total
    what = say("a {names} is missing or not finite", names="/".join(sorted(had)))
    return [tables.source(run).problem(0, what, "give every item one, or none")], total


def _coded(columns: dict[str, Any], had: frozenset[str], counts: LabelCounts, run: int) -> RunItems:
    topic, gold, label = (columns[f"{name}_code"].astype(np.int64) for name in ("topic", "gold", "label"))
    numbers = {role: np.asarray(columns[role], dtype=float) for role in had}
    sureness = -numbers["rank"] if "rank" in had else numbers.get("confidence")
    belief = -numbers["score_rank"] if "score_rank" in had else numbers.get("score")
    items = RunItems(
        topic, gold, label, sureness, numbers.get("confidence"), belief, columns["item"], belief_is_ranked="score_rank" in had
    )
    return _with_stand_ins(items, counts, run)


def _with_stand_ins(items: RunItems, counts: LabelCounts, run: int) -> RunItems:
    """Answers that the counts have and the run has not (a policy for missing items), behind all others and of no weight."""
    expected = counts.item_tables([run])[0].astype(np.int64)
    cells = np.ravel_multi_index((items.topic, items.gold, items.label), expected.shape)
    have = np.bincount(cells, minlength=expected.size).reshape(expected.shape)
    lacking = np.argwhere(expected > have)
    extra = np.repeat(lacking, (expected - have)[tuple(lacking.T)], axis=0)
    if not len(extra):
        return items

    def behind(said: Floats | None, value: float) -> Floats | None:
        return None if said is None else np.concatenate([said, np.full(len(extra), value)])

    topic, gold, label = (
        np.concatenate([own, column]) for own, column in zip((items.topic, items.gold, items.label), extra.T, strict=True)
    )
    said = behind(items.sureness, -np.inf), behind(items.weight, 0.0), behind(items.score, -np.inf)
    ids = np.append(items.ids, np.full(len(extra), None))
    return RunItems(topic, gold, label, *said, ids, belief_is_ranked=items.belief_is_ranked)
