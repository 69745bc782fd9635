"""Measures put on trial: each property that can be asked of each measure, decided by search."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.signed import signed_measures
from metameasure.core.errors import MetameasureError, UsageError, did_you_mean, no_task
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.options import with_options
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature
from metameasure.evidence.base import digest_of
from metameasure.properties.comparing import together
from metameasure.properties.property import TASKS, Claim, Outcome, Property, Search, properties
from metameasure.properties.result import STORED, Axioms, Verdict
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.checkpoint import resuming
from metameasure.statistics.pieces import fingerprint, kept_json, where_kept
from metameasure.statistics.work import in_steps
from metameasure.tasks.option_groups import AxiomOptions


@with_options(AxiomOptions)
def axioms(asked: AxiomOptions, measures: str | Measure | Sequence[str | Measure] | None = None) -> Axioms:
    """Find out which properties measures have, by search: all small cases, then some at random.

    Parameters
    ----------
    measures : str, Measure or sequence of these, optional
        Names, ids with parameters or measures; by default all, or all of a task.

    Returns
    -------
    Axioms
        For each measure and property a verdict: the smallest counterexample, or how many cases were tried; and what papers
        claim.

    Raises
    ------
    UsageError
        If no property applies, or a measure lacks its class or its distances.

    Notes
    -----
    The properties and their sources are in docs/axioms.md. ``classes`` and ``distance`` fix the number of classes. Most are of
    Amigó et al. (2020), Sakai (2021) and Sebastiani (2020).

    Examples
    --------
    >>> import metameasure as mm
    >>> found = mm.axioms("accuracy", properties="symmetric", trials=0)
    >>> [(one.measure.id, one.holds) for one in found.verdicts]
    [('accuracy', True)]

    """
    chosen = _measures(measures, asked.task, asked.registry or default_registry())
    selection = chosen_properties(asked.properties)
    scale = None if asked.classes is None else Scale.of(asked.classes)
    if measures:
        for measure in chosen:
            Trial(measure, scale=scale, distance=asked.distance)  # what is asked for by name and cannot be tried is an error

    settings = {
        "measures": [measure.id for measure in chosen],
        "properties": [axiom.id for axiom in selection],
        "classes": None if scale is None else str(scale),
        "trials": asked.trials,
        "seed": asked.seed,
    }
    code = fingerprint(asked.distance, [measure.code_digest() for measure in chosen]) if asked.resume else ""
    with (
        resuming(asked.resume, "axioms", data=code, settings=settings),
        ThreadPoolExecutor(asked.threads or os.cpu_count() or 1) as pool,
    ):
        drawn: dict[str, Any] = {"distance": asked.distance, "trials": asked.trials, "seed": asked.seed}
        tried = partial(verdicts, properties=selection, scale=scale, **drawn)
        # Each in a context of its own, or a thread would not know where pieces are kept.
        tasks = [partial(copy_context().run, tried, measure) for measure in chosen]
        by_measure = list(in_steps(pool.map(operator.call, tasks), len(tasks), "", lambda _: 1))
    all_verdicts = tuple(one for part in by_measure for one in part)
    if not all_verdicts:
        of = listed([measure.id for measure in chosen], "and")
        if not asked.properties:
            kinds = sorted({kind for axiom in selection for kind in axiom.searches})
            raise UsageError(f"there is no property that {of} could have", hint=f"they are of measures of {listed(kinds, 'and')}")
        raise UsageError(f"none of these properties applies to {of}", hint=say("leave out {--properties} to see those that do"))
    made = Signature(
        command="axioms", task=asked.task, classes=None if scale is None else scale.signed(), **signed_measures(chosen),
        properties=[axiom.id for axiom in selection] if asked.properties else None, trials=asked.trials, seed=asked.seed,
        distance=None if asked.distance is None else digest_of([asked.distance], digits=8),
    ).signed()  # fmt: skip
    return Axioms(verdicts=all_verdicts, trials=asked.trials, seed=asked.seed, made=made)


def verdicts(
    measure: Measure,
    properties: Iterable[Property],
    *,
    scale: Scale | None = None,
    distance: Any = None,
    trials: int,
    seed: int = 0,
) -> tuple[Verdict, ...]:
    """What the search says about one measure, for each property that can be asked of it."""
    fitting = [axiom for axiom in properties if applies(axiom, measure)]
    try:
        trial = Trial(measure, scale=scale, distance=distance)
    except CannotTryError as reason:
        return tuple(_not_tried(axiom, measure, str(reason)) for axiom in fitting)
    return tuple(_verdict(axiom, measure, trial, trials, seed) for axiom in fitting)


def applies(axiom: Property, measure: Measure) -> bool:
    """Whether the property can be asked of the measure: by what it reads, its task and its direction."""
    tasks = {*measure.tasks, *(("entailment",) if "classification" in measure.tasks else ())}
    ordinal = bool(set(measure.tasks) & {"classification", "quantification"})
    return (
        measure.inputs.reads.kind in axiom.searches
        and bool(tasks & set(axiom.tasks))
        and (measure.better is not None or not axiom.directed)
        and (ordinal or not axiom.of_order)
    )


def _verdict(axiom: Property, measure: Measure, trial: Trial, trials: int, seed: int) -> Verdict:
    if where_kept() is None:
        return _tried(axiom, measure, trial, trials, seed)
    key = ("verdict", axiom.id, measure.id, measure.code_digest(), trial.scale, trial.distance, trials, seed)
    stored = kept_json(lambda: _tried(axiom, measure, trial, trials, seed).stored(), *key, like=STORED)
    of = trial.measure if stored.pop("measure") == trial.measure.id else measure
    return Verdict.restored(stored, axiom, of, _claim(axiom, of))


def _tried(axiom: Property, measure: Measure, trial: Trial, trials: int, seed: int) -> Verdict:
    try:
        return _searched(axiom, trial, axiom.searches[trial.kind], trials, seed)
    except CannotTryError as reason:
        return _not_tried(axiom, measure, reason.message)
    except MetameasureError as reason:
        return _not_tried(axiom, measure, str(reason))


def _searched(axiom: Property, trial: Trial, search: Search, trials: int, seed: int) -> Verdict:
    parts = []
    for part in search.exhaustive(trial):
        parts.append(part)
        if part.example or part.against:
            break
    small, drawn = together(parts), Outcome(0)
    if not (small.example or small.against) and search.at_random is not None and trials:
        drawn = together(search.at_random(trial, seed, trials))
    example, undefined = small.example or drawn.example, small.undefined + drawn.undefined
    if not small.cases and not drawn.cases and not axiom.some_case:
        return _not_tried(axiom, trial.measure, f"undefined in all {undefined:,} cases")
    holds = (example is not None) if axiom.some_case else (example is None)
    return Verdict(
        asked=axiom,
        measure=trial.measure,
        holds=holds and small.against is None,
        exhaustive=small.cases,
        random=drawn.cases,
        undefined=undefined,
        reach=search.reach(trial.fixed),
        counterexample=small.against or (None if axiom.some_case else example),
        witness=example if axiom.some_case else None,
        claim=_claim(axiom, trial.measure),
    )


def _not_tried(axiom: Property, measure: Measure, reason: str) -> Verdict:
    return Verdict(asked=axiom, measure=measure, holds=None, reason=reason, claim=_claim(axiom, measure))


def _claim(axiom: Property, measure: Measure) -> Claim | None:
    """What a paper says about the measure, with this parameter or any."""
    return axiom.claims.get(measure.id) or axiom.claims.get(measure.template)


def chosen_properties(names: str | Sequence[str] | None) -> tuple[Property, ...]:
    """The properties of these names, in the order of reading; all of them where none is given."""
    known = {axiom.id: axiom for axiom in properties()}
    if names is None:
        return tuple(known.values())
    wanted = [part.strip() for part in names.split(",")] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no property '{name}'", hint=did_you_mean(name, known) or f"there are {', '.join(known)}")
    return tuple(axiom for name, axiom in known.items() if name in wanted)


def _measures(names: str | Measure | Sequence[str | Measure] | None, task: str | None, registry: Registry) -> list[Measure]:
    if task is not None and task not in TASKS:
        raise no_task(task, TASKS)
    named = registry.select(names) if names or names == "" else registry.values()
    measures = [measure for measure in named if task is None or task in measure.tasks]
    if not measures:
        raise UsageError(f"none of these measures is for {task}", hint=say("leave {--task} out"))
    return list(dict.fromkeys(measures))
