"""The trial of a measure in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.core.errors import MetameasureWarning, UsageError
from metameasure.core.messages import say
from metameasure.core.options import with_options
from metameasure.core.signature import Signature
from metameasure.meta.measure_summary import summary
from metameasure.properties.property import properties
from metameasure.properties.search import verdicts
from metameasure.simulation.simulate import model_of
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import fingerprint
from metameasure.statistics.work import in_steps
from metameasure.tasks.option_groups import TrialOptions
from metameasure.trials.criteria import criteria
from metameasure.trials.result import MeasureTrial
from metameasure.trials.verdict import Tried
from metameasure.trials.worlds import GROUNDS, USUAL, tried

_QUICK = {"topics": 60, "cases": 0, "splits": 200, "draws": 1000}
_WHOLE = {"topics": 300, "cases": 200_000, "splits": 1000, "draws": 5000}


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
    chosen = _measures(measures, registry)
    task = _task(chosen, asked.task)
    size = _QUICK if asked.quick else _WHOLE
    established = _established(task, chosen, registry)
    settings = {"measures": [one.id for one in chosen], "task": task, "quick": asked.quick, "seed": asked.seed}
    code = fingerprint([one.code_digest() for one in chosen]) if asked.resume else ""
    with resuming(asked.resume, "trial", data=code, settings=settings), warnings.catch_warnings():
        warnings.simplefilter("ignore", MetameasureWarning)  # that a measure is undefined somewhere is what is looked for
        return _tried(chosen, established, task, size, asked, registry)


def _tried(
    chosen: Sequence[Measure],
    established: Sequence[Measure],
    task: str,
    size: dict[str, int],
    asked: TrialOptions,
    registry: Registry,
) -> MeasureTrial:
    ground = GROUNDS[task]
    everyone = [*chosen, *established]
    reference = established[0].id
    made = (
        tried(task, world, everyone, topics=size["topics"], seed=asked.seed, registry=registry, threads=asked.threads)
        for world in ground.worlds
    )
    worlds = {one.world: one for one in in_steps(made, len(ground.worlds), "", lambda _: 1)}
    abouts = {kind: model_of(task).kinds[kind].about for kind in ground.kinds}
    usual = worlds[USUAL].scores
    runs = [run for run in usual.runs if run.partition("-")[0] in ground.kinds]
    found = {one.id: criteria(ground, worlds, one.id, reference, abouts) for one in everyone}
    each = tuple(
        Tried(
            one.id,
            reference,
            tuple(other.id for other in established),
            {verdict.asked.id: verdict for verdict in verdicts(one, properties(), trials=size["cases"], seed=asked.seed)},
            found[one.id],
            summary(
                usual, measures=[one.id, *(other.id for other in established)], runs=runs, trials=size["draws"],
                splits=size["splits"], seed=asked.seed, threads=asked.threads, registry=registry,
            ),
        )
        for one in chosen
    )  # fmt: skip
    made_by = Signature(
        command="trial", task=task, **signed_measures(chosen), quick="yes" if asked.quick else None, seed=asked.seed
    ).signed()
    return MeasureTrial(
        task=task, tried=each, beside=tuple(found[one.id] for one in established), topics=size["topics"], quick=asked.quick,
        seed=asked.seed, made=made_by,
    )  # fmt: skip


def _measures(measures: str | Measure | Sequence[str | Measure], registry: Registry) -> list[Measure]:
    named = registry.select([measures] if isinstance(measures, Measure) else measures)
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
    return list(named)


def _task(chosen: Sequence[Measure], asked: str | None) -> str:
    tasks = [task for task in ([asked] if asked else GROUNDS) if all(task in one.tasks for one in chosen)]
    if not tasks or tasks[0] not in GROUNDS:
        raise UsageError(
            say("there is no trial of {measures}", measures=", ".join(one.id for one in chosen)),
            hint=f"measures of one of the tasks {', '.join(GROUNDS)} can be tried together",
        )
    return tasks[0]


def _established(task: str, chosen: Sequence[Measure], registry: Registry) -> list[Measure]:
    """The task's own measures that runs are ranked by, but for those on trial."""
    tried = {one.id for one in chosen}
    return [one for one in registry.headline(task) if one.better is not None and not one.open and one.id not in tried]
