"""The trial of a measure in one call."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.core.errors import MetameasureWarning, UsageError, no_task
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.options import with_options
from metameasure.core.signature import Signature
from metameasure.evaluating.data_sets import DataSets, data_sets_in
from metameasure.meta.measure_summary import Summary, summary
from metameasure.meta.unanimous_coverage import Coverage, coverage
from metameasure.properties.property import properties
from metameasure.properties.result import Verdict
from metameasure.properties.search import chosen_properties, verdicts
from metameasure.scores.scores import Scores
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import fingerprint, sharing
from metameasure.tasks.declaration import declaration, declarations
from metameasure.tasks.option_groups import TrialOptions
from metameasure.trials import raters
from metameasure.trials.bar import Bar
from metameasure.trials.criteria import criteria
from metameasure.trials.on_data import OnData, tried_on
from metameasure.trials.order import sees_order
from metameasure.trials.result import MeasureTrial
from metameasure.trials.verdict import Tried
from metameasure.trials.worlds import GROUNDS, USUAL, Outcome, tried

_BESIDE = 10
"""How many steps of the bar it is to hold a measure against the others: about as long as so many properties."""
_FEWEST_TOPICS = 20
"""On how many topics a measure must be defined to be held against the others."""
QUICK = {"topics": 60, "cases": 0, "splits": 100, "draws": 1000}
WHOLE = {"topics": 300, "cases": 200_000, "splits": 1000, "draws": 5000}


@with_options(TrialOptions)
def trial(asked: TrialOptions, measures: str | Measure | Sequence[str | Measure]) -> MeasureTrial:
    """Put measures to the test: formal properties, simulated tasks in which the truth is known, and the established measures.

    Parameters
    ----------
    measures : str, Measure or sequence of these
        What is tried: names, ids with parameters or measures, of one task.

    Returns
    -------
    MeasureTrial
        A verdict for each measure, with the evidence. ``trial["my_measure"].faults()`` has what speaks against one.

    Raises
    ------
    UsageError
        If a measure cannot be tried: one that describes data, or of a task that is not simulated.

    Notes
    -----
    Systems are simulated that err in one way each, some more and some less; of two that err in the same way, the one that errs
    less is better. A measure is held against the established ones of its task on the same systems. The same seed gives the same
    bytes.

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.trial("accuracy", quick=True)
    >>> [name for name, _ in found["accuracy"].faults()]
    ['blind to order', 'gameable by a constant']

    """
    registry = asked.registry or default_registry()
    chosen = _measures(measures, registry.of_task(*takes(asked.task)) if asked.task in GROUNDS else registry)
    task = _task(chosen, asked.task)
    registry = registry.of_task(*takes(task))
    if task == "agreement":
        for one in chosen:
            raters.check(one)
    size = QUICK if asked.quick else WHOLE
    settings = {"measures": [one.id for one in chosen], "task": task, "quick": asked.quick, "seed": asked.seed}
    settings |= {} if asked.data is None else {"data": str(asked.data)}
    code = fingerprint([one.code_digest() for one in chosen]) if asked.resume else ""
    folder = None if asked.data is None else data_sets_in(asked.data)
    with resuming(asked.resume, "trial", data=code, settings=settings), sharing(), warnings.catch_warnings():
        warnings.simplefilter("ignore", MetameasureWarning)  # that a measure is undefined somewhere is what is looked for
        steps = len(GROUNDS[task].worlds) + len(chosen) * (len(properties()) + _BESIDE)
        sitting = _Sitting(task, size, asked, registry, Bar(steps))
        worlds = sitting.worlds(chosen)
        each = tuple(sitting.one(one, worlds) for one in chosen)
        sitting.bar.progress.clear()
        on_data = None if folder is None else sitting.on_data(folder, chosen)
    ids = {one.id for one in chosen}
    return MeasureTrial(
        task=task,
        tried=each,
        beside=tuple(
            criteria(task, worlds, one, each[0].reference) for one in sitting.established(chosen[0]) if one.id not in ids
        ),
        topics=size["topics"],
        quick=asked.quick,
        seed=asked.seed,
        on_data=on_data,
        made=Signature(
            command="trial", task=task, **signed_measures(chosen), quick="yes" if asked.quick else None, seed=asked.seed
        ).signed(),
    )


@dataclass(frozen=True, eq=False)
class _Sitting:
    """What all measures on trial share: how they are tried, and the measures they are held against."""

    task: str
    size: Mapping[str, int]
    asked: TrialOptions
    registry: Registry
    bar: Bar

    def established(self, measure: Measure) -> list[Measure]:
        """The task's own measures that runs are ranked by; of agreement, the coefficients for such classes."""
        if self.task == "agreement":
            return [self.registry[name] for name in raters.established(measure)]
        return [one for one in self.registry.headline(self.task) if one.better is not None and not one.open]

    def worlds(self, chosen: Sequence[Measure]) -> dict[str, Outcome]:
        """The scores of every world."""
        beside = [other for one in chosen for other in self.established(one)]
        everyone = list({one.id: one for one in (*chosen, *beside)}.values())
        how: dict[str, Any] = {"topics": self.size["topics"], "seed": self.asked.seed, "registry": self.registry}
        made = partial(tried, self.task, measures=everyone, threads=self.asked.threads, **how)
        return {world: self.bar.of(partial(made, world)) for world in GROUNDS[self.task].worlds}

    def one(self, measure: Measure, worlds: dict[str, Outcome]) -> Tried:
        """What is found out about one measure beside the others: the same whatever else is on trial."""
        others = tuple(other.id for other in self.established(measure) if other.id != measure.id)
        order = sees_order(self.task, measure, self.asked.seed)
        found = criteria(self.task, worlds, measure, others[0], order)
        held = {axiom.id: self.bar.of(partial(self._verdict, measure, axiom.id)) for axiom in properties()}
        comparable = found.defined and found.only is None and worlds[USUAL].common_topics(measure.id) >= _FEWEST_TOPICS
        beside = (
            self.bar.of(partial(self._beside, measure, others, worlds[USUAL].scores), _BESIDE) if comparable else (None, None)
        )
        known = {name: verdict for name, verdict in held.items() if verdict is not None}
        limits = measure.known_range(worlds[USUAL].scores.scale)
        return Tried(self.task, measure.id, others[0], others, known, found, str(measure.better), limits, *beside)

    def _beside(self, measure: Measure, others: Sequence[str], usual: Scores) -> tuple[Summary, Coverage]:
        """The measure among the established ones, in the usual world; what they agree on, and how much of it each captures."""
        selection: dict[str, Any] = {
            "measures": [measure.id, *others],
            "runs": [run for run in usual.runs if run.partition("-")[0] in GROUNDS[self.task].kinds],
            "registry": self.registry,
            "incomplete": "drop-topics",
            "seed": self.asked.seed,
        }
        drawn: dict[str, Any] = {"trials": self.size["draws"], "splits": self.size["splits"], "threads": self.asked.threads}
        return summary(usual, **drawn, **selection), coverage(usual, reference=others, **selection)

    def on_data(self, folder: DataSets, chosen: Sequence[Measure]) -> OnData:
        """The measures on the data sets of a folder; UsageError where none can be used."""
        found = tried_on(
            folder, self.task, chosen, self.established(chosen[0]), splits=self.size["splits"], draws=self.size["draws"],
            seed=self.asked.seed, registry=self.registry, threads=self.asked.threads,
        )  # fmt: skip
        if not found.sets:
            raise UsageError(
                say("'{folder}' has no data set of {task} that can be used", folder=folder.folder, task=self.task),
                hint="; ".join(f"{one.name}: {one.reason}" for one in found.left_out),
            )
        return found

    def _verdict(self, measure: Measure, axiom: str) -> Verdict | None:
        cases = self.size["cases"]
        return _searched(measure, axiom, cases, self.asked.seed if cases else 0)


@lru_cache(maxsize=4096)
def _searched(measure: Measure, axiom: str, cases: int, seed: int) -> Verdict | None:
    """What the search says of a formal property; nothing where it cannot be asked of the measure."""
    return next(iter(verdicts(measure, chosen_properties(axiom), trials=cases, seed=seed)), None)


def _measures(measures: str | Measure | Sequence[str | Measure], registry: Registry) -> list[Measure]:
    named = registry.select(measures)
    for one in named:
        if one.better is None:
            raise UsageError(
                say("{measure} describes the data, and scores no output", measure=one.id),
                hint="name a measure that has a direction",
            )
        if one.open:
            raise UsageError(
                say("{measure} needs what stands behind its @", measure=one.id),
                hint=say("as in {example}", example=one.example.id),
            )
        if one.needs_distance:
            raise UsageError(
                say("{measure} weighs errors by distances, which a trial does not have", measure=one.id),
                hint="try a measure that brings its own",
            )
    return list(named)


def takes(task: str) -> tuple[str, ...]:
    """The tasks whose measures can be tried as measures of this one: its own first."""
    return (task, *(declaration(task).takes if task in declarations() else ()))


def _task(chosen: Sequence[Measure], asked: str | None) -> str:
    if asked and asked not in {*GROUNDS, *declarations()}:
        raise no_task(asked, GROUNDS)
    for task in [asked] if asked in GROUNDS else [] if asked else GROUNDS:
        if all({*takes(task)} & {*one.tasks} for one in chosen):
            return task
    names = listed([one.id for one in chosen], "and")
    if all("outcomes" in one.tasks for one in chosen):
        raise UsageError(
            say("{measures} only averages what somebody else has scored: there is no gold, and no error to see", measures=names),
            hint="try the measure behind the scores: it has gold and outputs",
        )
    if asked:
        raise UsageError(
            say("there is no trial of {measures} as measures of {task}", measures=names, task=asked),
            hint=say("{measure} is of {tasks}", measure=chosen[0].id, tasks=listed(chosen[0].tasks, "and")),
        )
    if len(chosen) == 1:
        raise UsageError(say("there is no trial of {measures}", measures=names), hint=f"there are trials of {', '.join(GROUNDS)}")
    raise UsageError(
        say("{measures} are of different tasks", measures=names),
        hint=say("put measures of one task on trial at a time, or name it with {--task}"),
    )
