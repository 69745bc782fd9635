"""Which items made the difference between two runs."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import Message, data, note, say
from metameasure.core.notes import counted
from metameasure.core.numbers import formatted, json_cell, json_number
from metameasure.core.options import with_options
from metameasure.core.signature import digest_of_numbers
from metameasure.core.values import is_missing
from metameasure.evidence.base import Evidence
from metameasure.reading.inputs import one_source, require
from metameasure.reading.options import ReadOptions, Tables
from metameasure.scores.run_names import place_of
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.statistics.arrays import Integers
from metameasure.tasks.base import Task, named, task_on
from metameasure.tasks.checking import given_runs
from metameasure.tasks.influences import Influences
from metameasure.tasks.option_groups import ExplainOptions

_TEXT = "text"
_LONGEST_TEXT = 60


@dataclass(frozen=True, eq=False)
class Explanation(Signed):
    """The units on which two runs differ. ``shown`` are places of those that are listed, class by class, those first that moved
    the difference most."""

    caption: ClassVar[str] = "Items that made the difference"

    measure: Measure
    average: Average
    runs: tuple[str, str]
    found: Influences
    most: int
    texts: Mapping[str, str]
    said: tuple[str, ...] = ()

    @property
    def difference(self) -> float:
        """The first run's score minus the second's."""
        return self.found.scores[0] - self.found.scores[1]

    @cached_property
    def places(self) -> dict[str, Integers]:
        """By gold's class, the units that differ, those first that moved the difference most; by nothing, where there are no
        classes."""
        size = np.abs(self.found.influence)
        differs = np.flatnonzero(self.found.differs)
        ordered = differs[np.argsort(-size[differs], kind="stable")]
        if self.found.gold is None:
            return {"": ordered}
        own = self.found.gold[ordered]
        return {label: ordered[own == place] for place, label in enumerate(self.found.labels)}

    def favoured(self, influence: float) -> str | None:
        """The run that an influence speaks for."""
        oriented = -influence if self.measure.better == "lower" else influence
        return None if not oriented or self.measure.better is None else self.runs[0 if oriented > 0 else 1]

    def rows(self, most: int | None) -> Iterator[dict[str, Any]]:
        """The units that differ, class by class, at most so many of each."""
        for places in self.places.values():
            for place in places[:most].tolist():
                yield self._row(place)

    def _row(self, place: int) -> dict[str, Any]:
        found, influence = self.found, float(self.found.influence[place])
        name = str(found.names[place])
        return {
            "item": name,
            "topic": None if found.topic is None else found.topics[found.topic[place]],
            "gold": found.gold_of(place),
            "first": self._said(0, place),
            "second": self._said(1, place),
            "influence": influence,
            "favours": self.favoured(influence),
            "text": self.texts.get(name),
        }

    def _said(self, run: int, place: int) -> Any:
        return json_cell(self.found.said_by(run, place))

    @property
    def _has_gold(self) -> bool:
        return self.found.gold is not None or self.found.golds is not None

    def summary(self) -> list[Message]:
        """What is explained, in words."""
        number = sum(map(len, self.places.values()))
        told = note(
            "difference",
            "{measure}: {first} {own:.4f}, {second} {other:.4f}, a difference of {difference:.4f}; they differ on {number} of "
            "{units}",
            measure=self.measure.id,
            first=self.runs[0],
            own=self.found.scores[0],
            second=self.runs[1],
            other=self.found.scores[1],
            difference=self.difference,
            number=number,
            units=counted(len(self.found.names), self.found.unit),
        )
        meaning = note(
            "influence",
            "influence: half of what {first} - {second} loses where the two runs swap their outputs for the {unit}",
            first=self.runs[0],
            second=self.runs[1],
            unit=self.found.unit,
        )
        shown = self.found.meaning
        return [told, meaning, *([note("what is shown", "the runs' columns: {what}", what=shown)] if shown else [])]

    def tables(self, format: OutputFormat) -> Sequence[Table]:
        rows = list(self.rows(self.most))
        digits = _digits([row["influence"] for row in rows])
        wanted = [self.found.unit, *(["gold"] if self._has_gold else [])]
        wanted += ["topic"] if self.found.topic is not None else []
        headings = (*wanted, *_apart(self.runs), "influence", *([_TEXT] if self.texts else []))
        cells = [
            (
                row["item"],
                *([row["gold"]] if self._has_gold else []),
                *([row["topic"]] if self.found.topic is not None else []),
                _shown(row["first"]),
                _shown(row["second"]),
                _signed(row["influence"], digits),
                *([_short(row["text"] or "", format)] if self.texts else []),
            )
            for row in rows
        ]
        left = sum(map(len, self.places.values())) - len(rows)
        more = [say("{left} more: {--most <all>}", left=left, all=max(map(len, self.places.values())))] if left else []
        texts = any(isinstance(row[name], str) for row in rows for name in ("first", "second"))
        numbers = frozenset({"influence"} | (set() if texts else {*_apart(self.runs)}))
        return [Table(headings, tuple(cells), numbers, notes=(*self.summary(), *more, *self.said))]

    def full_table(self) -> Table:
        rows = list(self.rows(None))
        names = ("item", "topic", "gold", "first", "second", "influence", "favours", "text")
        return Table.of({name: [row[name] for row in rows] for name in names})

    def by_class(self) -> list[dict[str, Any]]:
        """Of each class, how many units there are, how many differ, and how far they moved the difference together."""
        found = self.found
        return [
            {
                "class": label if found.gold is not None else None,
                "items": len(found.names) if found.gold is None else int((found.gold == number).sum()),
                "differ": len(places),
                "influence": float(found.influence[places].sum()),
                "shown": [self._row(place) for place in places[: self.most].tolist()],
            }
            for number, (label, places) in enumerate(self.places.items())
        ]

    def numbers(self) -> dict[str, str]:
        rows = [(str(one["class"] or ""), one["influence"]) for one in self.by_class()]
        return {"difference": digest_of_numbers([("", self.difference)]), "influence": digest_of_numbers(rows)}

    def to_dict(self) -> dict[str, Any]:
        notes = [*self.summary(), *self.said]
        return {
            "measure": self.measure.id,
            "better": self.measure.better,
            "average": self.average,
            "units": f"{self.found.unit}s",
            "runs": [{"run": run, "score": json_number(score)} for run, score in zip(self.runs, self.found.scores, strict=True)],
            "difference": json_number(self.difference),
            "items": len(self.found.names),
            "differ": sum(map(len, self.places.values())),
            "classes": self.by_class(),
            "notes": [str(one) for one in notes],
            "findings": data(notes),
            **self.signed(),
        }


def _apart(runs: tuple[str, str]) -> tuple[str, str]:
    """The runs as headings, which must differ from the others."""
    taken = {"item", "gold", "topic", "influence", _TEXT, "segment"}
    first, second = (f"run {run}" if run in taken else run for run in runs)
    return first, second


def _shown(said: Any) -> str:
    return "–" if said is None else said if isinstance(said, str) else formatted(float(said), ".4g")


def _digits(influences: Sequence[float]) -> int:
    """How many decimals a column of influences has: four digits of the largest, but for zeros that all of them end in."""
    largest = max(map(abs, influences), default=0.0)
    digits = max(0, 3 - math.floor(math.log10(largest))) if largest else 0
    while digits and all(f"{one:.{digits}f}".endswith("0") for one in influences):
        digits -= 1
    return digits


def _signed(influence: float, digits: int) -> str:
    return f"{influence:+.{digits}f}" if influence else "0"


def _short(text: str, format: OutputFormat) -> str:
    return text if format.wide or len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"


@with_options(ExplainOptions)
def explain(asked: ExplainOptions, gold: Any, first: Any = None, second: Any = None) -> Explanation:
    """Find the items that made the difference between two runs, those that moved a measure most first, by gold's class.

    The influence of an item is half of what the difference of the scores loses where the two runs swap their outputs for it. It
    is exact, for every measure of a table of labels, of sets of labels and of probabilities, and for means of outcomes; rankings
    and distributions of topics are explained by topics.

    Parameters
    ----------
    gold : path, data frame or array
        What is right, as for ``evaluate``. Outcomes have no gold: this is the first run then, or a table of both.
    first, second : path, data frame or array, optional
        The two runs, unless they stand beside gold.

    Returns
    -------
    Explanation
        The items on which the runs differ. ``.difference`` is the first run's score minus the second's.

    Raises
    ------
    UsageError
        If an option makes no sense, there are not two runs, or the measure reads more than a table of labels.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    How much an item moves a measure, also one that is no mean over items, and how that adds up to the difference, is in
    docs/explain.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.explain(["a", "b", "b", "a"], ["a", "b", "b", "b"], ["a", "a", "a", "a"], classes="a,b", measure="accuracy")
    >>> made.difference
    0.25
    >>> [(row["item"], row["influence"], row["favours"]) for row in made.rows(1)]
    [('4', -0.25, 'second'), ('2', 0.25, 'first')]

    """
    return explain_task(_task(asked, gold, first, second), asked)


def explain_task(task: Task[Any, Any], asked: ExplainOptions) -> Explanation:
    """What made the difference between the two runs of a task."""
    task = task.naming_items()
    known = task.known(asked.registry or default_registry())
    chosen = named(None if asked.measure is None else [asked.measure], known, task)
    evidence = task.evidence()
    if len(evidence.runs) != 2:
        raise UsageError(
            f"there are {counted(len(evidence.runs), 'run')}", hint=say("name two; beside gold, {--run-columns A,B}")
        )
    measure = next(one for one in task.chosen(chosen or None, known, evidence) if chosen or one.better is not None)
    found = task.influences(evidence, measure, distance=asked.distance, average=asked.average)
    runs = (evidence.runs[0], evidence.runs[1])
    made = Explanation(measure, asked.average, runs, found, asked.most, {}, evidence.notes)
    texts, said = ({}, ()) if asked.texts is None else _texts(asked.texts, made, task)
    return replace(made, texts=texts, said=(*made.said, *said), made=_signature(evidence, measure, asked))


def explain_pair(task: Task[Any, Any], pair: Sequence[str], asked: ExplainOptions) -> Explanation:
    """What made the difference between two of the runs of a task, by their names. UsageError where runs have no file each, or
    none has that name."""
    if len(pair) != 2:
        raise UsageError(f"the difference is between two runs, not {len(pair)}", hint=say("as in {--explain A,B}"))
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        _, by_name = given_runs(task, Path(scratch))
    if not by_name:
        raise UsageError("items are explained of runs that have a file each", hint=say("leave out {--explain}"))
    runs = [*by_name]
    two = [runs[place_of(name, runs)] for name in pair]
    return explain_task(replace(task, runs={name: by_name[name] for name in two}), asked)


def _signature(evidence: Evidence, measure: Measure, asked: ExplainOptions) -> Any:
    return evidence.signed().having(command="explain", measures=(measure.id,), average=asked.average)


def _task(asked: ExplainOptions, gold: Any, first: Any, second: Any) -> Task[Any, Any]:
    given = {name: run for name, run in (("first", first), ("second", second)) if run is not None}
    paths = all(isinstance(run, str | Path) for run in given.values())
    return task_on(asked.task, gold, ([*given.values()] if paths else given) or None, asked.how())


def _texts(table: Any, made: Explanation, task: Task[Any, Any]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The texts of the items that are shown, and what to say of those that have none. DataProblems for other columns."""
    wanted = {row["item"] for row in made.rows(made.most)}
    options = task.options.reading(ReadOptions, task="classification", tables=Tables())
    column = options.columns.item
    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        source = one_source(table, "the table of texts", options, Path(scratch), plain=True)
        require(source, {"item": column})
        require(source, {_TEXT: _TEXT})
        for record in source.matching(sorted(wanted)):
            name, text = record.values.get(column), record.values.get(_TEXT)
            if str(name) in wanted and not is_missing(text):
                found.setdefault(str(name), str(text))
    lacking = len(wanted) - len(found)
    said = note("texts missing", "{lacking} shown without a text", lacking=counted(lacking, "item"))
    return found, (said,) if lacking else ()
