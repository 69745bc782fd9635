"""Probabilities of items in every shape of the interface, read and audited by the reader of distributions: gold's labels, or
distributions, and the runs' distributions, wide or long, apart or in one table, or arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.core.errors import NoRuns
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.scale import Scale, require
from metameasure.evidence.counts import ONE_TOPIC
from metameasure.evidence.distribution_arrays import masses_of_arrays
from metameasure.evidence.distribution_reader import DistributionReader, Masses, topic_problems
from metameasure.evidence.distributions import left_out
from metameasure.evidence.labels import coded
from metameasure.evidence.probabilities import Probabilities
from metameasure.evidence.room import Room, of_places, release
from metameasure.reading.frames import is_matrix, is_sequence
from metameasure.reading.inputs import GoldAndRuns, open_inputs, run_names
from metameasure.reading.key_faults import Keys
from metameasure.reading.options import ReadOptions
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Floats, Integers

_OF_ITEMS = ("topic", "cluster")


def _of_item(role: str) -> str:
    """The column of an item's topic or cluster where the item itself has the place of a topic."""
    return f"{role} of item"


@dataclass(frozen=True)
class ProbabilityReader:
    """How probabilities are read: whether they are divided by their sums, and whether runs may lack items, or have more."""

    options: ReadOptions
    scale: Scale | None
    normalise: bool
    tolerance: float
    drop: bool
    ignore: bool
    clustered: bool

    def _distributions(self, *, together: bool = False, beside: Sequence[str] = ()) -> DistributionReader:
        of_items = {_of_item(role): getattr(self.options.of_gold().columns, role) for role in beside}
        return DistributionReader(self.options, self.scale, self.normalise, self.tolerance, "item", together, of_items)

    def read(self, gold: Any, runs: Any, scratch: Path, *, alone: bool = False) -> Probabilities:
        """DataProblems for what is wrong."""
        if is_matrix(gold) or is_sequence(gold):
            return self._of_arrays(gold, None if alone else runs)
        inputs = open_inputs(gold, None if alone else runs, self.options, scratch)
        lone = not inputs.runs and self.options.of_gold().columns.gold in inputs.gold.columns
        if lone and not alone:
            names = run_names([inputs.gold.shown]) if isinstance(gold, str | Path) else ["run"]
            inputs = GoldAndRuns(inputs.gold, (inputs.gold,), tuple(names))
        if not inputs.runs and not alone:
            raise NoRuns("there are no runs", hint="name gold, and the runs after it")
        self._check_weights(inputs.gold)
        masses = self._masses(self._distributions(together=lone, beside=self._roles(inputs.gold)), inputs, scratch)
        problems, total = topic_problems(inputs, masses, self.options.columns, drop=self.drop, ignore=self.ignore, unit="item")
        if problems:
            raise DataProblems(problems, total)
        evidence = self._evidence(masses, *self._of_items(inputs.gold, masses))
        return replace(evidence, notes=(*inputs.notes, *evidence.notes))

    def _masses(self, reader: DistributionReader, inputs: GoldAndRuns, scratch: Path) -> Masses:
        """Gold and runs; where memory is limited, read in blocks of items and kept in a file."""
        sources = (inputs.gold, *inputs.runs)
        if self.options.memory is None or not all(self.options.columns.item in source.columns for source in sources):
            whole = reader.masses(inputs)
            return replace(whole, values=self._divided(whole.values, whole.there, whole.sums))
        room = Room.of(self.options.memory)
        blocks = reader.in_blocks(inputs, room.rows_at_once, scratch)
        shape = len(blocks.names) + 1, len(blocks.topics), len(blocks.scale)
        values, there, first = room.empty(shape), np.zeros(shape[:2], dtype=bool), 0
        for block in blocks.masses:
            some = slice(first, first + len(block.topics))
            values[:, some], there[:, some] = self._divided(block.values, block.there, block.sums), block.there
            first = some.stop
            release(values)
        return Masses(blocks.scale, blocks.names, blocks.topics, values, there, blocks.counted, blocks.notes, blocks.beside)

    def _check_weights(self, gold: Source) -> None:
        """DataProblems where gold gives items weights, which no measure here would use."""
        name = self.options.of_gold().columns.weight
        if name in gold.columns and (self.scale is None or self.scale.find(name) is None):
            what = say("probabilities of items have no weights, but there is a column '{name}'", name=name)
            raise DataProblems([gold.problem(gold.header_line, what, "leave the column out")])

    def _roles(self, gold: Source) -> list[str]:
        """Of topics and clusters, those that gold has. DataProblems where clusters are asked for, and it has none."""
        columns = self.options.of_gold().columns
        roles = [role for role in _OF_ITEMS if getattr(columns, role) in gold.columns and (role == "topic" or self.clustered)]
        roles = [role for role in roles if self.scale is None or self.scale.find(getattr(columns, role)) is None]
        if self.clustered and "cluster" not in roles:
            raise DataProblems([gold.no_column(columns.cluster)])
        return roles

    def _of_items(self, gold: Source, masses: Masses) -> tuple[dict[str, tuple[str, ...]], dict[str, Integers]]:
        """The topics and clusters of gold's items: their names, and each item's place among them. DataProblems where an item has
        none, or two."""
        rows = masses.beside
        if rows is None:
            return {}, {}
        place = {name: number for number, name in enumerate(masses.topics)}
        item = np.array([place[name] for name in rows.names["topic"]], np.int64)[rows.code["topic"]]
        names = {role: tuple(rows.names[_of_item(role)]) for role in _OF_ITEMS if _of_item(role) in rows.names}
        return names, {
            role: self._one_each(gold, role, item, rows.code[_of_item(role)], masses, own) for role, own in names.items()
        }

    def _one_each(
        self, gold: Source, role: str, item: Integers, code: Integers, masses: Masses, names: Sequence[str]
    ) -> Integers:
        """Each item's place among the topics, or clusters."""
        keys = Keys(("item",), self.options.of_gold().columns)
        empty = keys.empty(gold, role, int((code < 0).sum()))
        if empty[0]:
            raise DataProblems(*empty)
        place = np.full(len(masses.topics), -1, dtype=np.int64)
        place[item] = code
        other = np.flatnonzero(place[item] != code)
        if len(other):
            row = int(other[0])
            what = say("item '{item}' is in {role} {one} and in {role} {other}", role=role, item=masses.topics[item[row]],
                       one=names[code[row]], other=names[place[item[row]]])  # fmt: skip
            raise DataProblems([gold.problem(0, what, say("give each item one {role}", role=role))], len(other))
        return place

    def _evidence(self, masses: Masses, names: dict[str, tuple[str, ...]], code: dict[str, Integers]) -> Probabilities:
        """Gold and runs side by side, on gold's items; their probabilities are divided already."""
        kept = np.flatnonzero(masses.there[0])
        topic = code.get("topic", np.zeros(len(masses.topics), dtype=np.int64))[kept]
        order = kept[np.argsort(topic, kind="stable")] if "topic" in code else kept
        whole = len(order) == len(masses.topics) and "topic" not in code
        values = masses.values if whole else of_places(masses.values, order)
        cluster = code.get("cluster")
        items = masses.topics if whole else tuple(masses.topics[one] for one in order.tolist())
        return Probabilities(
            masses.scale, masses.names, names.get("topic", (ONE_TOPIC,)), items, np.sort(topic, kind="stable"), values[0],
            values[1:], names.get("cluster", ()), None if cluster is None else cluster[order],
            notes=(*masses.notes, *left_out(masses, "item")),
        )  # fmt: skip

    def _divided(self, values: Floats, there: Any, sums: Floats) -> Floats:
        """Each distribution divided by its sum where that is asked for, and NaN for what a run lacks."""
        if self.normalise:
            values = values / np.where(there, sums, 1.0)[..., None]
        return values if there.all() else np.where(there[..., None], values, np.nan)

    def _of_arrays(self, gold: Any, runs: Any) -> Probabilities:
        """Gold's labels in a row, or its distributions (items, classes), and each run's distributions."""
        reader = self._distributions()
        if is_matrix(gold):
            return self._of_matrices(gold, runs, reader)
        labels = coded(gold, "gold")
        scale = self.scale or require(None, [text for text in labels.texts if text is not None])
        place = np.array([-1 if text is None else _place(scale, text) for text in labels.texts], dtype=np.int64)
        codes = labels.mapped(place)
        if (codes < 0).any():
            raise DataProblems(*_wrong_labels(labels.numbers(0, len(labels)), labels.texts, codes, scale))
        return self._of_matrices(np.eye(len(scale))[codes], runs, replace(reader, scale=scale))

    def _of_matrices(self, gold: Any, runs: Any, reader: DistributionReader) -> Probabilities:
        masses = masses_of_arrays(gold, runs, reader, drop=self.drop)
        return self._evidence(replace(masses, values=self._divided(masses.values, masses.there, masses.sums)), {}, {})


def _place(scale: Scale, text: str) -> int:
    found = scale.find(text)
    return -1 if found is None else found


def _wrong_labels(numbers: Integers, texts: Sequence[str | None], codes: Integers, scale: Scale) -> tuple[list[Problem], int]:
    """Items of gold, counted from 1, that have no class or one that is not declared."""
    problems = []
    wrong = np.flatnonzero(codes < 0)
    for row in wrong[:MOST_SHOWN].tolist():
        text = texts[int(numbers[row])]
        if text is None:
            problems.append(Problem("gold", row + 1, say("item '{item}' has no label", item=row + 1), "label every item"))
            continue
        problems.append(Problem("gold", row + 1, say("'{label}' is not one of the classes", label=text), scale.near(text)))
    return problems, len(wrong)
