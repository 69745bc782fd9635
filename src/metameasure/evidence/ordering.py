"""The items of each run with the order it gives them, fetched from the tables that were counted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from metameasure.evidence.counting import class_codes, reading_tables
from metameasure.evidence.counts import ONE_TOPIC, LabelCounts
from metameasure.evidence.judgements import RunItems
from metameasure.formats.frames import fetch
from metameasure.formats.labels import ORDERS, LabelTables
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem

Floats = npt.NDArray[np.float64]
_NO_ID = "(no id)"


@dataclass(frozen=True)
class OrderedRun:
    """A run's items in numbers, and their ids for whoever has to name one. What a run does not answer comes last, without id."""

    items: RunItems
    ids: list[str]


def ordered_runs(tables: LabelTables, counts: LabelCounts) -> list[OrderedRun | None]:
    """For each run that orders its items, those items. DataProblems for an order that is none."""
    found: list[OrderedRun | None] = []
    problems: list[Problem] = []
    total = 0
    for run, had in enumerate(tables.orders or [frozenset()] * len(tables.names)):
        if not had:
            found.append(None)
            continue
        with reading_tables(tables):
            columns = fetch(_items(tables, run))
        answered = [label not in (None, "") for label in columns["label"]]
        wrong = {
            role: [said and not _fits(role, value) for said, value in zip(answered, columns[role], strict=True)]
            for role in sorted(had)
        }
        if any(map(any, wrong.values())):
            problems += _order_problems(tables, run, had)[: MOST_SHOWN - len(problems)]
            total += sum(map(sum, wrong.values()))
            continue
        found.append(_coded(columns, had, counts, run))
    if problems:
        raise DataProblems(problems, total)
    return found


def _items(tables: LabelTables, run: int) -> Any:
    rows = tables.runs.filter(nw.col("run") == run)
    if tables.gold is not None:
        rows = rows.join(tables.gold, on=list(tables.keys), how="inner")
    kept = ["gold", "label", *ORDERS]
    kept += ["item"] if tables.has_items else []
    kept += ["topic"] if tables.has_topics else []
    return rows.select(*kept)


def _fits(role: str, value: Any) -> bool:
    """Whether a value can order an item."""
    return value is not None and math.isfinite(value) and (role != "rank" or value >= 1)


def _order_problems(tables: LabelTables, run: int, had: frozenset[str]) -> list[Problem]:
    """Each cell that does not order its item, with its line."""
    own = tables.names[run] if tables.shape == "stacked" else None
    expected = {role: "a number from 1 up" if role == "rank" else "a finite number" for role in had}
    found = []
    for role in sorted(had):
        column = getattr(tables.columns, role)

        def wrong(record: dict[str, Any], role: str = role, column: str = column) -> str | None:
            another = own is not None and str(record.get(tables.columns.run)) != own
            if another or record.get(tables.columns.label) in (None, ""):
                return None
            said = record.get(column)
            try:
                number = float(said) if said not in (None, "") else math.nan
            except (TypeError, ValueError):
                number = math.nan
            what = "is empty" if said in (None, "") else f"'{said}' is not {expected[role]}"
            return None if _fits(role, number) else f"{column} {what}"

        hint = f"give every item one, or leave out the column '{column}'"
        found += [Problem(tables.origin(run), line, what, hint) for line, what in islice(tables.lines(run, wrong), MOST_SHOWN)]
    return found or [
        Problem(tables.origin(run), 0, f"a {'/'.join(sorted(had))} is missing or not finite", "give every item one, or none")
    ]


def _coded(columns: dict[str, list[Any]], had: frozenset[str], counts: LabelCounts, run: int) -> OrderedRun:
    size = len(columns["label"])
    codes = class_codes(counts.scale, [*columns["gold"], *columns["label"]])
    places = {topic: place for place, topic in enumerate(counts.topics)}
    topic = np.array([places[ONE_TOPIC if name is None else str(name)] for name in columns.get("topic", [None] * size)], np.int64)
    gold, label = (np.array([codes[name] for name in columns[side]], np.int64).reshape(-1) for side in ("gold", "label"))
    names = np.array([_NO_ID if name is None else str(name) for name in columns.get("item", [None] * size)], dtype=str)
    said = {role: np.array(columns[role], dtype=float) for role in sorted(had)}
    # In one order, whatever the engine's: sums and draws depend on it in their last digits.
    order = np.lexsort((*said.values(), label, gold, names, topic))
    kept = order[label[order] >= 0]
    numbers = {role: values[kept] for role, values in said.items()}
    sureness = -numbers["rank"] if "rank" in had else numbers.get("confidence")
    items = RunItems(topic[kept], gold[kept], label[kept], sureness, numbers.get("confidence"), numbers.get("score"))
    several = len(counts.topics) > 1
    ids = [f"{counts.topics[topic[place]]}/{names[place]}" if several else str(names[place]) for place in kept]
    return OrderedRun(_with_stand_ins(items, counts, run), ids)


def _with_stand_ins(items: RunItems, counts: LabelCounts, run: int) -> RunItems:
    """Answers that the counts have and the run has not (a policy for missing items), behind all others and of no weight."""
    expected = counts.item_tables([run])[0].astype(np.int64)
    have = np.zeros_like(expected)
    np.add.at(have, (items.topic, items.gold, items.label), 1)
    lacking = np.argwhere(expected > have)
    extra = np.repeat(lacking, (expected - have)[tuple(lacking.T)], axis=0)
    if not len(extra):
        return items

    def behind(said: Floats | None, value: float) -> Floats | None:
        return None if said is None else np.concatenate([said, np.full(len(extra), value)])

    topic, gold, label = (
        np.concatenate([own, column]) for own, column in zip((items.topic, items.gold, items.label), extra.T, strict=True)
    )
    return RunItems(topic, gold, label, behind(items.sureness, -np.inf), behind(items.weight, 0.0), behind(items.score, -np.inf))
