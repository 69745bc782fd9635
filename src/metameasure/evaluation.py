"""Gold and runs in, scores out, in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.checking import check_task
from metameasure.comparing import compare_pooled, is_over_topics, keeping_outputs
from metameasure.comparison import compare_scores
from metameasure.errors import DataError, MetameasureWarning, UsageError
from metameasure.evidence.base import Evidence
from metameasure.formats.problems import DataProblems
from metameasure.notes import Note, counted
from metameasure.scores.cube import Average, Groups, IntervalKind, Scores, Undefined
from metameasure.tables.inputs import library_of
from metameasure.tasks.base import E, O, Task, named, task_on_evidence


def evaluate(
    gold: Any,
    runs: Any = None,
    *,
    measures: str | Sequence[str | Measure] | None = None,
    task: str = "classification",
    average: Average = "topics",
    baselines: bool | None = None,
    groups: bool = False,
    ranks: bool = False,
    ci: bool | Literal["topics"] = False,
    interval: IntervalKind | None = None,
    level: float = 0.95,
    trials: int = 1000,
    distance: Any = None,
    registry: Registry | None = None,
    seed: int = 0,
    skip_broken: bool = False,
    undefined: Undefined = "skip",
    **how: Any,
) -> Scores:
    """Score runs against gold.

    ``gold`` and ``runs`` are paths or data frames. ``runs`` is a list of paths, ``{name: path or frame}``, or one frame with a
    column ``run``; without it, ``gold`` holds the runs too, side by side or stacked. The other arguments about reading and
    counting (``classes``, ``bins``, ``missing``, ``partitions``, ``columns``, ``normalise``, ``positive``, ...) depend on the
    task. ``baselines`` adds constant and random outputs, as some tasks do by default. ``groups`` adds letters for each measure,
    by the default test of ``compare``: runs that share a letter do not differ significantly. ``ranks`` shows the rank by every
    measure. ``ci`` adds intervals: by the bootstrap, or with ``interval="bayes"`` credible intervals, for few items. With
    several topics, JSON and CSV have intervals over items too; ``ci="topics"`` leaves those out, which is quicker.
    ``skip_broken`` leaves out runs with problems; ``undefined="zero"`` counts undefined scores as 0.
    """
    _check_call(average, undefined, interval, level, trials)
    ci = ci or interval is not None
    asked = task_on_evidence(task, gold, runs, {"seed": seed, **how})
    asked, left_out = with_sound_runs(asked) if skip_broken else (asked, [])
    if groups:
        asked = keeping_outputs(asked, average)
    known = registry or default_registry()
    named(measures, known, asked)  # a wrong name is said before files are read
    with_baselines = asked.wants_baselines if baselines is None else baselines
    evidence = asked.evidence_or_gold() if with_baselines else asked.evidence()
    wanted = asked.chosen(measures, known, evidence)
    drawn_with = seed if with_baselines or ci else None
    scores = asked.score(evidence, wanted, distance=distance, average=average, drawn_with=drawn_with)
    scores = replace(scores, library=library_of(gold), with_ranks=ranks, notes=(*scores.notes, *left_out))
    if undefined == "zero":
        scores = scores.with_zeros()
    if groups:
        scores = _with_groups(scores, evidence, distance, seed)
    if with_baselines:
        scores = asked.with_baselines(scores, evidence, distance=distance, seed=seed)
    if ci:
        drawing: dict[str, Any] = {"level": level, "trials": trials, "seed": seed, "kind": interval or "bootstrap"}
        found = asked.intervals(scores, evidence, distance=distance, over_items=ci != "topics", **drawing)
        scores = replace(scores, intervals=found, notes=(*scores.notes, *found.notes))
    for warning in scores.warnings():
        warnings.warn(warning, MetameasureWarning, stacklevel=2)
    return scores


def _with_groups(scores: Scores, evidence: Evidence, distance: Any, seed: int) -> Scores:
    """The scores with the letters of every measure by which runs can be compared, and a note on each of the others."""
    letters, tests, notes = {}, {}, []
    for measure in scores.measures:
        if measure.better is None:
            continue
        try:
            if is_over_topics(evidence, scores.average):
                found = compare_scores(scores, measure.id, seed=seed, incomplete="drop-topics")
            else:
                found = compare_pooled(evidence, measure, {"seed": seed}, distance, scores.average)
        except (DataError, UsageError) as error:
            notes.append(f"{measure.id} has no letters: {error.message}")
            continue
        letters[measure.id] = dict(zip(found.runs, found.letters(), strict=True))
        tests[measure.id] = found.tested()
    return replace(scores, groups=Groups(letters, tests), notes=(*scores.notes, *notes))


def _check_call(average: str, undefined: str, interval: str | None, level: float, trials: int) -> None:
    """UsageError for arguments that make no sense."""
    if average not in ("topics", "pooled"):
        raise UsageError(f"there is no average '{average}'", hint="choose topics or pooled")
    if undefined not in ("skip", "zero"):
        raise UsageError(f"there is no choice '{undefined}' for undefined scores", hint="choose skip or zero")
    if interval not in (None, *get_args(IntervalKind)):
        raise UsageError(f"there is no interval '{interval}'", hint=f"choose {' or '.join(get_args(IntervalKind))}")
    if not 0 < level < 1 or trials < 1:
        raise UsageError(
            f"an interval cannot have level {level:g} and {counted(trials, 'trial')}",
            hint="choose a level between 0 and 1 and at least one trial",
        )


def with_sound_runs(task: Task[E, O]) -> tuple[Task[E, O], list[Note]]:
    """The task on the runs that are right, and what to say of the others. DataProblems where gold is wrong, or every run."""
    found = check_task(task)
    broken = [run for run in found.runs if not run.ok]
    if found.gold_problems or (broken and not found.good()):
        raise DataProblems(found.problems())
    told = [Note(f"left out, because it is broken: {run.run} ({run.problems[0]})") for run in broken]
    return (replace(task, runs=found.chosen(task.runs)) if broken else task), told
