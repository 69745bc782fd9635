"""Gold's label of every item beside each run's, for tasks that score items by what is said of them and do not count classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.evidence.counting import GroupedRows, audited, extra_notes, gold_topics, grouped
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.missing import said_of_missing
from metameasure.evidence.preparing import CountOptions, prepared, refuse_weights
from metameasure.reading.joining import KeyedTable
from metameasure.statistics.arrays import Floats, Integers


@dataclass(frozen=True)
class UncountedOptions(CountOptions):
    """How labels are read that are of no classes."""

    @property
    def policies(self) -> str:
        return say("{--missing drop}")


@dataclass(frozen=True)
class LabelsOfItems:
    """What a run and gold say of each item, as numbers or as texts, by the places of run and topic."""

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    pairs: Mapping[tuple[int, int], Sequence[tuple[Any, Any]]]
    settings: tuple[tuple[str, str], ...]
    """What the signature has to say of how they were read."""
    notes: tuple[str, ...]

    def arrays(self, numbers: Callable[[Any, Any], Sequence[float]], how_many: int = 2) -> tuple[Floats, ...]:
        """Arrays (runs, topics, items), so many as ``numbers`` makes of what a run and gold say of an item: NaN where a topic has
        fewer items than another."""
        made = {cell: sorted(tuple(numbers(*pair)) for pair in pairs) for cell, pairs in self.pairs.items()}
        most = max(map(len, made.values()), default=1)
        cells = np.full((how_many, len(self.runs), len(self.topics), most), np.nan)
        for (run, topic), found in made.items():
            cells[:, run, topic, : len(found)] = np.transpose(found)
        return tuple(cells)


def labels_of_items(
    reader: LabelReader, gold: Any, runs: Any, *, missing: str | None, extra: str | None, alone: bool = False
) -> LabelsOfItems:
    """Labels read, joined and checked. DataProblems for what is wrong with them; what is left out is said in the notes. ``alone``
    is gold without runs, as a run that is right about everything."""
    numeric = reader.label == "number"
    options = UncountedOptions(missing=missing, extra=extra, numeric=numeric)
    if missing not in (None, "drop"):
        what = "numbers" if numeric else "labels that are of no classes"
        raise UsageError(f"{what} that a run lacks can only be left out", hint=say("choose {--missing drop}"))
    with reader.opened(gold, runs, alone=alone) as tables:
        refuse_weights(tables, "numbers" if numeric else "labels that are of no classes")
        ready, _ = prepared(tables, options)
        of_gold, groups = grouped(ready)
        audited(ready, of_gold, groups, None, options)
        topics = gold_topics(of_gold if ready.gold is not None else groups)
        lacking = said_of_missing(ready.names, _lacking(ready, of_gold, groups), np.zeros(1, dtype=bool), missing or "drop")
        notes = (*dict.fromkeys(ready.notes), *extra_notes(ready, groups), *lacking)
        return LabelsOfItems(ready.names, topics, _pairs(groups, topics), options.settings(), notes)


def _pairs(groups: GroupedRows, topics: Sequence[str]) -> dict[tuple[int, int], list[tuple[Any, Any]]]:
    place = {topic: number for number, topic in enumerate(topics)}
    pairs: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
    rows = zip(groups.run, groups.topic, groups.label, groups.gold, groups.items.tolist(), strict=True)
    for run, topic, label, gold, items in rows:
        if label is not None and gold is not None:
            pairs.setdefault((run, place[topic]), []).extend([(label, gold)] * items)
    return pairs


def _lacking(tables: KeyedTable, gold: GroupedRows, groups: GroupedRows) -> Integers:
    """How many items each run says nothing of (runs, 1, 1)."""
    had, said = np.zeros((2, len(tables.names)), dtype=np.int64)
    for run, label, known, items in zip(groups.run, groups.label, groups.gold, groups.items.tolist(), strict=True):
        if known is not None:
            had[run] += items
            said[run] += items if label is not None else 0
    whole = had if tables.gold is None else int(gold.items.sum())
    return np.asarray(whole - said).reshape(-1, 1, 1)
