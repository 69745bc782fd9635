"""Scores of slices of the data: one task for the items of each subject, language or difficulty."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import DataError, MetameasureWarning, UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.values import in_order
from metameasure.evidence.base import Evidence
from metameasure.evidence.outcomes import Outcomes
from metameasure.reading.engine import Engine, Picked, fetch, reading
from metameasure.reading.frames import is_sequence
from metameasure.reading.inputs import is_once, one_source, open_runs
from metameasure.reading.options import ReadOptions
from metameasure.reading.sources import Facts, Rows, Source, text_array
from metameasure.scores.slices import Slices, sliced_together
from metameasure.statistics.arrays import Booleans
from metameasure.tasks.base import Task

_MOST_SLICES = 200
_KEYS = ("segment", "topic", "item")


@dataclass(frozen=True)
class By:
    """What slices are made by: the name of a column of the data, or of a table that has it for each item."""

    name: str
    table: Any = None


def slices_of(evaluation: Any, task: Task[Any, Any], evidence: Evidence, by: By) -> Slices:
    """Every slice evaluated by itself, with intervals."""
    parts, names, sizes, word = [], [], [], "items"
    values, of_slice = _sliced(task, evidence, by)
    for name in _named(values, by):
        one = of_slice(np.array([value == name for value in values]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MetameasureWarning)
            scores, own = _scored(evaluation, one)
        parts.append(scores)
        names.append(name)
        units = own.scored(scores.measures[0].reads)
        sizes.append(len(own.topics) if units is None else units.of)
        word = "topics" if units is None else units.word
    return sliced_together(by.name, names, parts, sizes, word, level=evaluation.level, without=values.count(None))


def _scored(evaluation: Any, task: Task[Any, Any]) -> tuple[Any, Evidence]:
    """A slice's scores, with intervals where there can be any; and what they are of."""
    evidence = task.evidence()
    task = replace(task, known_evidence=evidence)
    try:
        return evaluation.of(task), evidence
    except (DataError, UsageError):  # one topic, or one item: nothing can be drawn
        return replace(evaluation, ci=False, interval=None).of(task), evidence


def _sliced(task: Task[Any, Any], evidence: Evidence, by: By) -> tuple[list[str | None], Callable[[Booleans], Task[Any, Any]]]:
    """The slice that each item is in, None where it is in none; and the task on some of the items."""
    if (outcomes := evidence.outcomes()) is not None:
        items = outcomes.whole()
        return _of_outcomes(task, items, by), lambda kept: replace(task, known_evidence=items.of_items(kept))
    if task.gold is None:
        raise UsageError("evidence has no items that could be put into slices", hint="evaluate the files themselves")
    if isinstance(task.gold, str | Path) and is_once([task.gold]):
        raise UsageError("slices read gold more than once", hint="name a file, not standard input")
    if not isinstance(task.gold, str | Path) and is_sequence(task.gold):
        raise UsageError("sequences have no column to slice by", hint="pass a data frame that has it")
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        options = task.options.reading(ReadOptions)
        gold = one_source(task.gold, "gold", options, Path(scratch))
        columns, values = _of_gold(gold, options, by, Path(scratch))
    given = replace(task, options=replace(task.options, extra="ignore"))
    facts = {one.name: getattr(gold, one.name) for one in fields(Facts)}

    def of_rows(kept: Booleans) -> Task[Any, Any]:
        return replace(given, gold=Rows(gold.shown, {key: column[kept] for key, column in columns.items()}, **facts))

    return values, of_rows


def _of_gold(gold: Source, options: ReadOptions, by: By, scratch: Path) -> tuple[dict[str, Any], list[str | None]]:
    """Gold's columns as texts, and the slice of each row."""
    columns = _texts(gold, gold.columns)
    if by.table is None:
        return columns, _column(gold, columns, by.name)
    table, names = _texts_of_table(by, options, scratch), options.of_gold().columns
    keys = [getattr(names, role) for role in _KEYS if getattr(names, role) in table and getattr(names, role) in columns]
    if not keys:
        raise UsageError(f"the table of '{by.name}' has no column that gold's rows are known by", hint=f"add '{names.item}'")
    known = dict(zip(zip(*(table[key].tolist() for key in keys), strict=True), table[by.name].tolist(), strict=True))
    return columns, [known.get(key) for key in zip(*(columns[key].tolist() for key in keys), strict=True)]


def _of_outcomes(task: Task[Any, Any], evidence: Outcomes, by: By) -> list[str | None]:
    """The slice of each item."""
    options = task.options.reading(ReadOptions, filter=task.options.filter, metadata=(by.name,))
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        if by.table is not None:
            table, names = _texts_of_table(by, options, Path(scratch)), options.columns
            with_topic = names.topic in table
            keys = zip(table[names.topic].tolist(), table[names.item].tolist(), strict=True) if with_topic else table[names.item]
            known: Mapping[Any, Any] = dict(zip(keys, table[by.name].tolist(), strict=True))
            return [known.get(key if with_topic else key[1]) for key in evidence.item_keys()]
        if task.gold is None:
            raise UsageError("evidence has no columns to slice by", hint=say("name a table of items with {--by-table FILE}"))
        runs = open_runs(task.gold, task.runs, options, Path(scratch))
        found = task.column_of(runs, by.name)  # type: ignore[attr-defined]
        return [found.get(key) for key in evidence.item_keys()]


def _texts(source: Source, columns: Sequence[str]) -> dict[str, Any]:
    with reading([source]):
        engine = Engine(ordered=True)
        picked = Picked(source, {f"c{place}": (name, "text") for place, name in enumerate(columns)})
        found = fetch(engine.here(engine.scan([picked]), source=1).drop("source"))
    return {name: text_array(found[f"c{place}"].tolist()) for place, name in enumerate(columns)}


def _texts_of_table(by: By, options: ReadOptions, scratch: Path) -> dict[str, Any]:
    source = one_source(by.table, "the table", options, scratch, plain=True)
    columns = _texts(source, source.columns)
    _column(source, columns, by.name)
    return columns


def _column(source: Source, columns: Mapping[str, Any], name: str) -> list[str | None]:
    if name not in columns:
        hint = did_you_mean(name, columns) or say("its columns are {columns}", columns=", ".join(columns))
        raise UsageError(say("'{file}' has no column '{column}' to slice by", file=source.shown, column=name), hint=hint)
    values: list[str | None] = columns[name].tolist()
    return values


def _named(values: Sequence[str | None], by: By) -> list[str]:
    names = in_order({value for value in values if value is not None})
    if not names:
        raise UsageError(f"no item has a value of '{by.name}'", hint="is it the right column, and the right table?")
    if len(names) > _MOST_SLICES:
        raise UsageError(
            f"'{by.name}' has {len(names)} values",
            hint=say("slices are made by a column of at most {most}", most=_MOST_SLICES),
        )
    return names
