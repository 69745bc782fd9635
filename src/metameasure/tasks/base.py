"""What a task is: how its data is read, which measures it takes, and what is said beside its scores."""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.errors import NoRuns, UsageError, did_you_mean
from metameasure.evidence.base import CaseEvidence, Evidence
from metameasure.evidence.saved import is_saved, load
from metameasure.scores import intervals as bootstrap
from metameasure.scores.cube import Average, IntervalKind, Intervals, Scores
from metameasure.scores.scored import score_evidence

TASKS = ("classification", "quantification", "entailment", "ranking")


E = TypeVar("E", bound=Evidence)
C = TypeVar("C", bound=CaseEvidence)


@dataclass(frozen=True)
class Task(ABC, Generic[E]):
    """Gold and runs as a user names them, how they are to be read, and what is made of the evidence that they come down to."""

    name: ClassVar[str]
    takes: ClassVar[tuple[str, ...]]
    """The tasks whose measures it can score."""
    baselines_are_drawn: ClassVar[bool] = True

    of: ClassVar[Callable[..., Any]]
    """The task on this data, ``of(gold, runs, ...)``: what may be said of how to read it are its keyword-only arguments."""

    of_scoring: ClassVar[tuple[str, ...]] = ()
    """Which of those are about scoring, and may be said of evidence that has been read before."""

    gold: Any
    runs: Any
    given: E | None = field(default=None, kw_only=True)
    """The evidence, where that is what the user names instead of gold and runs."""

    @abstractmethod
    def reduced(self) -> E:
        """The data, read, checked and reduced to evidence."""

    @abstractmethod
    def gold_alone(self) -> E:
        """Gold, read and checked, without any run."""

    @abstractmethod
    def score(
        self, evidence: E, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        """The cube of scores, and what is to be said of the runs besides."""

    def evidence(self) -> E:
        """The evidence: of the data, or as it was given."""
        return self.reduced() if self.given is None else self.given

    def intervals(
        self,
        scores: Scores,
        evidence: E,
        *,
        distance: Any,
        level: float,
        trials: int,
        seed: int,
        kind: IntervalKind = "bootstrap",
        over_items: bool = True,
    ) -> Intervals:
        """How sure the averages are; without ``over_items``, over topics alone where there are several."""
        drawing: dict[str, Any] = {"level": level, "trials": trials, "seed": seed, "kind": kind, "over_items": over_items}
        return bootstrap.intervals(scores, evidence, distance=distance, **drawing)

    def chosen(self, measures: Any, registry: Registry, evidence: E) -> list[Measure]:
        """The measures asked for, or else those that declare themselves as the task's first choice."""
        found = _with_companions(named(measures, registry, self), registry, self)
        for measure in found:
            if measure.reads not in evidence.offers:
                raise UsageError(
                    f"{measure.id} needs what runs say of their items, which {self.name} does not read",
                    hint="choose --task entailment",
                )
        return found or _headline(registry, self, evidence)

    def evidence_or_gold(self) -> E:
        """The data; gold alone, where there are no runs."""
        try:
            return self.evidence()
        except NoRuns:
            return self.gold_alone()

    @property
    def wants_baselines(self) -> bool:
        """Whether baselines are added unasked."""
        return False

    def with_baseline_runs(self, evidence: E) -> E:
        """The evidence, and that of baselines which are runs like any other."""
        return evidence

    @abstractmethod
    def with_baselines(self, scores: Scores, evidence: E, *, distance: Any, seed: int) -> Scores:
        """The scores, and those of outputs that do not look at the data."""


class CaseTask(Task[C]):
    """A task in whose evidence every topic of every run is one case."""

    def score(
        self, evidence: C, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        return score_evidence(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)


T = TypeVar("T", bound=Task[Any])


def task_named(name: str) -> type[Task[Any]]:
    """The task of that name; UsageError where there is none."""
    if name not in TASKS:
        raise UsageError(f"there is no task '{name}'", hint=did_you_mean(name, TASKS) or f"the tasks are {', '.join(TASKS)}")
    found: type[Task[Any]] = importlib.import_module(f"metameasure.tasks.{name}").TASK
    return found


def set_up(task: type[T], gold: Any, runs: Any, how: dict[str, Any]) -> T:
    """The task on this data; UsageError for an option that is not this task's."""
    name = task.name
    given = {option: value for option, value in how.items() if not is_nothing(value)}
    known = _options(task)
    for option in given.keys() - known:
        others = [other for other in TASKS if option in _options(task_named(other))]
        if not others:
            raise UsageError(f"there is no option '{option}'", hint=did_you_mean(option, known) or "see the documentation")
        if option != "seed":
            shown = f"{next(iter(given[option]))}-matrix" if option == "matrices" else option.replace("_", "-")
            raise UsageError(f"--{shown} is not for the task {name}", hint=f"it is for {', '.join(others)} (--task)")
    for role in ("cluster", "gold_cluster", "repeat"):
        if role in (given.get("columns") or {}) and "classification" not in task.takes:
            raise UsageError(
                f"--{role.replace('_', '-')}-column is not for the task {name}",
                hint="it is for labels: classification, entailment",
            )
    found: T = task.of(gold, runs, **{option: value for option, value in given.items() if option in known})
    return found


def on_evidence(evidence: Evidence, how: dict[str, Any]) -> Task[Any]:
    """The task that this evidence is of; UsageError for an option that is about reading."""
    task = task_named(evidence.task)
    given = {option: value for option, value in how.items() if not is_nothing(value)}
    for option in given.keys() - {*task.of_scoring, "seed", "threads", "memory"}:
        raise UsageError(
            f"--{option.replace('_', '-')} is an option for reading files, and evidence has been read already",
            hint="use it with metameasure count",
        )
    on_nothing = task.of(None, None, **{option: value for option, value in given.items() if option in _options(task)})
    return replace(on_nothing, given=evidence)


def asked_of(task: str, gold: Any, runs: Any, how: dict[str, Any]) -> Task[Any]:
    """The task on gold and runs, or on evidence that is given, as a file or an object, instead of them."""
    evidence = gold if isinstance(gold, Evidence) else load(gold) if is_saved(gold) else None
    if evidence is None:
        return set_up(task_named(task), gold, runs, how)
    if runs:
        raise UsageError("evidence already contains its runs", hint="leave out the runs, or merge evidence of other runs with it")
    if task not in ("classification", evidence.task):
        raise UsageError(f"this is evidence of {evidence.task}", hint=f"leave out --task {task}")
    return on_evidence(evidence, how)


def is_nothing(value: Any) -> bool:
    """Whether an option was left out: None, or an empty list of names. Arrays and frames have no truth of their own."""
    return value is None or (isinstance(value, tuple | dict) and not value)


def _options(task: type[Task[Any]]) -> set[str]:
    return {
        name
        for name, parameter in inspect.signature(task.of).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def named(measures: str | Sequence[str | Measure] | None, registry: Registry, task: Task[Any]) -> list[Measure]:
    """The measures asked for; UsageError for one that is not for the task or lacks its parameter."""
    if measures is None:
        return []
    found = registry.select(measures)
    for measure in found:
        if not {*task.takes} & {*measure.tasks}:
            raise UsageError(f"{measure.id} is not a measure of {task.name}", hint=f"it is for {', '.join(measure.tasks)}")
        if measure.open:
            raise UsageError(f"{measure.id} lacks its {measure.id.partition('@')[2]}", hint=f"as in {measure.example}")
    return found


def _with_companions(measures: Sequence[Measure], registry: Registry, task: Task[Any]) -> list[Measure]:
    """The measures, and each followed by the one that must stand beside it."""
    wanted: dict[Measure, None] = {}
    for measure in measures:
        wanted[measure] = None
        companion = registry.get(measure.companions.get(task.name, ""))
        if companion is not None:
            wanted[companion.with_argument(measure.argument)] = None
    return list(wanted)


def _headline(registry: Registry, task: Task[Any], evidence: Evidence) -> list[Measure]:
    """As far as the scale allows them, and at least one run has what they read."""
    places: dict[Measure, int] = {}
    for declared in registry.values():
        for key, place in declared.headline.items():
            name, _, argument = key.partition("@")
            measure = declared.at(argument) if argument else declared
            fits = evidence.scale is None or evidence.scale.kind != "nominal" or measure.scale == "nominal"
            had = measure.reads in evidence.offers and len(evidence.lacking(measure.reads)) < max(1, len(evidence.runs))
            if name == task.name and fits and had:
                places[measure] = place
    return sorted(places, key=places.__getitem__)
