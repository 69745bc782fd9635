"""Distributions of runs and gold, per topic: checked, and put side by side."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError, did_you_mean
from metameasure.evidence.base import CaseEvidence, Reading
from metameasure.evidence.counts import LabelCounts, ordered
from metameasure.formats.distributions import Cell, Source, is_empty
from metameasure.formats.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.scale import Scale

Floats = npt.NDArray[np.float64]
_MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Distributions(CaseEvidence):
    """Gold (topics, C) and estimates (runs, topics, C), NaN on a topic that a run lacks.

    ``gold_mass`` (topics) is what gold's distributions were divided by, 1 where they are probabilities: with all topics as one,
    each weighs as much as that, on both sides.
    """

    task: ClassVar[str] = "quantification"
    name: ClassVar[str] = "distributions"
    why_unusable: ClassVar[str] = "the run lacks the topic"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    gold: Floats
    estimates: Floats
    gold_mass: Floats
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({self.name})

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        estimates = self.estimates[list(runs)]
        gold = np.broadcast_to(self.gold, estimates.shape)
        mass = np.where(np.isnan(estimates[..., 0]), 0, self.gold_mass)
        return Reading.of((estimates, gold), (_together(np.nan_to_num(estimates), mass), _together(gold, mass)), mass)

    def size(self, run: int) -> str:
        return f"{int((~np.isnan(self.estimates[run, :, 0])).sum())} distributions"

    def checksum(self) -> str:
        order = np.argsort(self.runs, kind="stable")
        facts = [str(self.scale), self.scale.kind, sorted(self.runs), self.topics]
        digest = hashlib.sha256(json.dumps(facts).encode())
        for array in (self.gold, self.estimates[order], self.gold_mass):
            digest.update(np.ascontiguousarray(array + 0.0, dtype="<f8").tobytes())
        return digest.hexdigest()[:12]

    def with_runs(self, names: Sequence[str], estimates: Floats, notes: Sequence[str]) -> Distributions:
        """These and more runs; UsageError where a name is taken."""
        taken = [name for name in names if name in self.runs]
        if taken:
            raise UsageError(f"a run is called '{taken[0]}', as a baseline is", hint="rename it, or leave out --baselines")
        return replace(
            self,
            runs=(*self.runs, *names),
            estimates=np.concatenate([self.estimates, estimates]),
            notes=(*self.notes, *notes),
        )

    def smoothed(self, epsilon: float) -> Distributions:
        """Every probability p replaced by (p + ε) / (1 + ε C), on both sides."""
        if not isinstance(epsilon, int | float) or not 0 < epsilon < math.inf:
            raise UsageError(f"cannot smooth by {epsilon}", hint="add a small number above 0, as in --smooth 0.001")
        gold, estimates = (smoothed(array, epsilon) for array in (self.gold, self.estimates))
        return replace(self, gold=gold, estimates=estimates, settings=(*self.settings, ("smooth", f"{epsilon:g}")))


def smoothed(distributions: Floats, epsilon: float) -> Floats:
    """(p + ε) / (1 + ε C) of every probability p."""
    smooth: Floats = (distributions + epsilon) / (1 + epsilon * distributions.shape[-1])
    return smooth


def _together(distributions: Floats, mass: Floats) -> Floats:
    """All topics as one, each with its mass."""
    total: Floats = np.einsum("rtc,rt->rc", distributions, mass)
    whole = mass.sum(axis=1, keepdims=True)
    return np.where(whole > 0, total / np.where(whole > 0, whole, 1), np.nan)


def of_counts(counts: LabelCounts) -> Distributions:
    """Labels reduced to distributions: gold's and each run's shares of the classes, per topic."""
    gold = counts.gold_tables()
    predicted = np.concatenate([counts.tables(block).sum(axis=-2) for block in counts.blocks()])
    gold_mass, mass = gold.sum(axis=-1), predicted.sum(axis=-1)
    shares, estimates = _shares(gold, gold_mass), _shares(predicted, mass)
    return Distributions(counts.scale, counts.runs, counts.topics, shares, estimates, gold_mass, counts.settings, counts.notes)


def _shares(parts: Floats, whole: Floats) -> Floats:
    """Of each class; NaN where there is nothing."""
    some = whole[..., None] > 0
    return np.where(some, parts / np.where(some, whole[..., None], 1), np.nan)


class _Places(dict[Any, int | None]):
    """Label to place in the scale, each distinct label looked up once; None for one that is no class."""

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self.scale = scale

    def __missing__(self, label: Any) -> int | None:
        self[label] = None if is_empty(label) else self.scale.find(label)
        return self[label]


@dataclass(frozen=True)
class Reader:
    """How cells become distributions."""

    scale: Scale
    normalise: bool
    tolerance: float
    """By how much probabilities may miss a sum of 1."""

    def distributions(self, source: Source, cells: Sequence[Cell]) -> tuple[dict[str, tuple[Floats, float]], list[Problem]]:
        """For each topic its distribution and mass; and what is wrong."""
        found: dict[str, Floats] = {}
        lines: dict[tuple[str, int], int] = {}
        problems = []
        places = _Places(self.scale)
        for cell in cells:
            place, value, topic = places[cell.label], _number(cell.value), str(cell.topic)
            if place is None or value is None or not 0 <= value < math.inf or is_empty(cell.topic):
                problems.append(Problem(source.origin, cell.line, *self._fault(cell, place, value)))
                continue
            if (topic, place) in lines and not source.counted:
                already = f"it stands in line {lines[topic, place]} already" if lines[topic, place] else "it is there already"
                what = f"class '{cell.label}' of topic '{topic}' again"
                problems.append(Problem(source.origin, cell.line, what, f"{already}: keep one"))
                continue
            lines[topic, place] = cell.line
            if topic not in found:
                found[topic] = np.zeros(len(self.scale))
            found[topic][place] += value
        if problems:
            return {}, problems
        first = {topic: line for (topic, _), line in reversed(lines.items())}
        sums = {topic: float(values.sum()) for topic, values in found.items()}
        wrong = [topic for topic, total in sums.items() if not self._adds_up(source, total)]
        if wrong:
            return {}, [self._wrong_sum(source, topic, sums[topic], first[topic]) for topic in wrong]
        mass = {topic: total if self.normalise or source.counted else 1.0 for topic, total in sums.items()}
        return {topic: (values / mass[topic], mass[topic]) for topic, values in found.items()}, []

    def _fault(self, cell: Cell, place: int | None, value: float | None) -> tuple[str, str]:
        """What is wrong with a cell, and what to do."""
        what = f"class '{cell.label}' of topic '{cell.topic}'"
        if is_empty(cell.topic):
            return "the row has no topic", "give every row its topic"
        if is_empty(cell.label):
            return f"topic '{cell.topic}' has a row without class", "name the class"
        if place is None:
            near = did_you_mean(str(cell.label), self.scale.labels) or f"the classes are {self.scale}"
            return f"'{cell.label}' is not one of the classes", near
        if is_empty(cell.value):
            return f"{what} has no number", "write 0 where it has no probability"
        fault = f": '{cell.value}' is not a number" if value is None else f" is {cell.value}, not finite"
        if value is not None and value < 0:
            fault = f" is {cell.value}, less than 0"
        return what + fault, "give each class a probability, from 0 to 1"

    def _adds_up(self, source: Source, total: float) -> bool:
        return 0 < total < math.inf if self.normalise or source.counted else abs(total - 1) <= self.tolerance

    def _wrong_sum(self, source: Source, topic: str, total: float, line: int) -> Problem:
        if total == math.inf:
            return Problem(source.origin, line, f"the numbers of topic '{topic}' are too large to add up", "divide them")
        if total <= 0:
            return Problem(source.origin, line, f"all numbers of topic '{topic}' are 0", "a distribution has something somewhere")
        hint = "--counts if these are counts" if total > 1.5 else "--normalise to divide by the sum"
        return Problem(source.origin, line, f"the probabilities of topic '{topic}' add up to {total:.10g}, not 1", hint)


def _number(value: Any) -> float | None:
    """As people and programs write one: Python would also read 1_0, and true."""
    if isinstance(value, bool) or "_" in str(value):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def collect(gold: Source, runs: Sequence[tuple[str, Source, Sequence[Cell]]], reader: Reader, *, drop: bool) -> Distributions:
    """Gold and runs side by side. DataProblems names everything that is wrong."""
    of_gold, problems = reader.distributions(gold, gold.cells)
    of_runs = []
    for _, source, cells in runs:
        found, wrong = reader.distributions(source, cells)
        of_runs.append(found)
        problems += wrong
    if not problems:
        for (name, source, cells), found in zip(runs, of_runs, strict=True):
            problems += _topic_problems(name, source, cells, found, of_gold, drop=drop)
    if problems:
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    topics = ordered({*of_gold})
    nothing = (np.full(len(reader.scale), np.nan), 0.0)
    rows = [[found.get(topic, nothing) for topic in topics] for found in (of_gold, *of_runs)]
    values = np.array([[distribution for distribution, _ in row] for row in rows])
    mass = np.array([whole for _, whole in rows[0]])
    lacking = {name: len(topics) - len(found) for (name, _, _), found in zip(runs, of_runs, strict=True)}
    notes = tuple(f"{name}: {number} missing topic(s) left out" for name, number in lacking.items() if number)
    return Distributions(reader.scale, tuple(name for name, _, _ in runs), topics, values[0], values[1:], mass, notes=notes)


def _topic_problems(
    name: str, source: Source, cells: Sequence[Cell], found: dict[str, Any], gold: dict[str, Any], *, drop: bool
) -> list[Problem]:
    lines = {str(cell.topic): cell.line for cell in reversed(cells)}
    unknown = [topic for topic in found if topic not in gold]
    problems = [
        Problem(source.origin, lines[topic], f"topic '{topic}' is not in gold", did_you_mean(topic, gold) or "remove it")
        for topic in unknown
    ]
    missing = [] if drop else [topic for topic in gold if topic not in found]
    if missing:
        of_run = "" if cells and cells[0].run is None else f" of run '{name}'"
        shown = ", ".join(f"'{topic}'" for topic in missing[:_MOST_NAMED]) + (", ..." if len(missing) > _MOST_NAMED else "")
        what = f"{len(missing)} of {len(gold)} topics{of_run} are missing: {shown}"
        hint = "add them, or leave them out with --missing drop"
        if len(missing) == len(gold):
            hint = "no topic is gold's: has it the right topics, and is it for this gold?"
        problems.append(Problem(source.origin, 0, what, hint))
    return problems
