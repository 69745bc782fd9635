"""Gold and runs in, scores out: the whole road in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.checking import check
from metameasure.comparison import Comparison
from metameasure.errors import DataError, MetameasureWarning, UsageError
from metameasure.evidence.counting import count_tables
from metameasure.evidence.distributions import Distributions
from metameasure.evidence.joint import count_jointly
from metameasure.evidence.rankings import Rankings
from metameasure.formats.problems import DataProblems
from metameasure.notes import Note
from metameasure.scale import Scale
from metameasure.scores import intervals as bootstrap
from metameasure.scores.cube import Average, Scores, Undefined
from metameasure.scores.rankings import micro_statistic, segment_evidence
from metameasure.statistics.paired import Correction, corrected
from metameasure.statistics.rankings import bootstrap_evidence, paired_evidence_test
from metameasure.statistics.resampling import percentile_interval
from metameasure.tables.inputs import library_of
from metameasure.tasks.base import named, set_up
from metameasure.tasks.classification import Labels

labels = Labels.of
"""Labels to be counted: ``labels(gold, runs, classes=...).counts()``."""


def evaluate(
    gold: Any,
    runs: Any = None,
    *,
    measures: str | Sequence[str | Measure] | None = None,
    task: str = "classification",
    average: Average = "topics",
    baselines: bool | None = None,
    ci: bool = False,
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

    ``gold`` and ``runs`` are paths or data frames: ``runs`` a list of paths, ``{name: path or frame}``, or one frame with a
    column ``run``; left out, ``gold`` holds the runs too, side by side or stacked. How the data is read and counted (``classes``,
    ``bins``, ``missing``, ``partitions``, ``columns``, ``normalise``, ``positive``, ...) depends on the task. ``baselines`` are
    added where the task does so by itself or they are asked for. ``skip_broken`` leaves out runs that are wrong, and says so;
    ``undefined="zero"`` counts what is undefined on a topic as 0.
    """
    _check_call(average, undefined, level, trials)
    if skip_broken:
        runs, left_out = _sound_runs(gold, runs, task, seed, how)
    asked = set_up(task, gold, runs, {"seed": seed, **how})
    known = registry or default_registry()
    named(measures, known, asked)  # a wrong name is said before files are read
    with_baselines = asked.wants_baselines if baselines is None else baselines
    evidence = asked.evidence_or_gold() if with_baselines else asked.evidence()
    if with_baselines:
        evidence = asked.with_baseline_runs(evidence)
    wanted = asked.chosen(measures, known, evidence)
    drawn_with = seed if (with_baselines and asked.baselines_are_drawn) or ci else None
    scores = asked.score(evidence, wanted, distance=distance, average=average, drawn_with=drawn_with)
    scores = replace(scores, library=library_of(gold))
    if undefined == "zero":
        scores = scores.with_zeros()
    if skip_broken:
        scores = replace(scores, notes=(*scores.notes, *left_out))
    if with_baselines:
        scores = asked.with_baselines(scores, evidence, distance=distance, seed=seed)
    if ci:
        found = asked.intervals(scores, evidence, distance=distance, level=level, trials=trials, seed=seed)
        scores = replace(scores, intervals=found)
    scores = asked.with_remarks(scores, evidence)
    for warning in scores.warnings():
        warnings.warn(warning, MetameasureWarning, stacklevel=2)
    return scores


def _check_call(average: str, undefined: str, level: float, trials: int) -> None:
    """UsageError for arguments that make no sense."""
    if average not in ("topics", "pooled"):
        raise UsageError(f"there is no average '{average}'", hint="choose topics or pooled")
    if undefined not in ("skip", "zero"):
        raise UsageError(f"there is no reading '{undefined}' of what is undefined", hint="choose skip or zero")
    if not 0 < level < 1 or trials < 1:
        raise UsageError(f"no interval of level {level} from {trials} trials", hint="a level between 0 and 1, at least one trial")


def _sound_runs(gold: Any, runs: Any, task: str, seed: int, how: dict[str, Any]) -> tuple[Any, list[Note]]:
    """The runs that are right, and what to say of the others. DataProblems where gold is wrong, or every run."""
    found = check(gold, runs, task=task, seed=seed, **how)
    broken = [run for run in found.runs if not run.ok]
    if found.gold_problems or (broken and not found.good()):
        raise DataProblems(found.problems())
    told = [Note(f"left out, for it is broken: {run.run} ({run.problems[0]})") for run in broken]
    return (found.chosen(runs) if broken else runs), told


def difference(
    gold: Any,
    runs: Any,
    first: str,
    second: str,
    measure: str | Measure,
    *,
    distance: Any = None,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 0,
    registry: Registry | None = None,
    **how: Any,
) -> bootstrap.Difference:
    """By how much one run scores above another on the same items, with a bootstrap interval over items."""
    asked = Labels.of(gold, runs, seed=seed, **how)
    with asked.tables() as tables:
        scale = count_tables(tables, asked.count).scale
        joint = count_jointly(tables, first, second, scale, asked.count)
    found = measure if isinstance(measure, Measure) else (registry or default_registry())[measure]
    return bootstrap.difference(joint, found, distance=distance, level=level, trials=trials, seed=seed)


def distributions(gold: Any, runs: Any, *, baselines: bool = False, **how: Any) -> Distributions:
    """The evidence of quantification: gold's and the runs' distributions, read and checked, to be shown beside scores. How they
    are read is said as to ``evaluate``."""
    asked = set_up("quantification", gold, runs, how)
    evidence = asked.evidence()
    found = asked.with_baseline_runs(evidence) if baselines else evidence
    assert isinstance(found, Distributions)  # noqa: S101 - the task's own evidence
    return found


def compare_micro(
    gold: Any,
    runs: Any,
    measure: str | Measure,
    *,
    correction: Correction = "holm",
    trials: int = 5000,
    alpha: float = 0.05,
    level: float = 0.95,
    seed: int = 0,
    registry: Registry | None = None,
    threads: int | None = None,
    **how: Any,
) -> Comparison:
    """Runs compared by the micro average of a ranking measure: paired permutation over segments, in which two runs swap all that
    is counted from their outputs. Intervals are bootstrapped over segments."""
    asked = set_up("ranking", gold, runs, {"seed": seed, "threads": threads, **how})
    (wanted,) = named([measure], registry or default_registry(), asked)
    evidence = asked.evidence()
    assert isinstance(evidence, Rankings)  # noqa: S101 - the task's own evidence
    if wanted.evidence is None or not wanted.evidence.adds:
        raise UsageError(f"{wanted.id} has no micro average", hint="choose --average topics")
    if wanted.better is None or len(evidence.runs) < 2:
        raise UsageError("there is nothing to compare", hint="name two runs or more, and a measure with a better direction")
    counts = np.nan_to_num(segment_evidence(evidence, wanted))
    value = micro_statistic(wanted)
    means = value(counts.sum(axis=0))
    undefined = [run for run, mean in zip(evidence.runs, means, strict=True) if np.isnan(mean)]
    if undefined:
        raise DataError(
            f"{wanted.id} of {', '.join(undefined)} is undefined", hint="leave the run out, or choose another measure"
        )
    p = paired_evidence_test(counts, value, trials, seed, threads=threads)
    upper = np.triu_indices(len(evidence.runs), 1)
    p[upper] = corrected(p[upper], correction)
    p.T[upper] = p[upper]
    low, high = percentile_interval(bootstrap_evidence(counts, value, trials, seed, threads=threads), level)
    order = np.argsort(-means if wanted.better == "higher" else means, kind="stable")
    return Comparison(
        measure=f"{wanted.id} micro",
        better=wanted.better,
        test="permutation",
        correction=correction,
        trials=trials,
        seed=seed,
        alpha=alpha,
        topics=len(counts),
        runs=tuple(evidence.runs[place] for place in order),
        means=means[order],
        low=low[order],
        high=high[order],
        p=p[np.ix_(order, order)],
        effect_size=np.full(p.shape, np.nan),
        residual_variance=np.nan,
        level=level,
        notes=evidence.notes,
        unit=f"{evidence.topic_word}s",
    )


def gold_sizes(gold: Any, **how: Any) -> tuple[Any, Scale]:
    """How many items (or how much weight) gold has in each class, over all topics, and the scale."""
    asked = set_up("classification", gold, None, how)
    assert isinstance(asked, Labels)  # noqa: S101 - the task's own class
    with asked.tables(alone=True) as tables:
        counts = count_tables(tables, asked.count)
    return counts.gold_tables().sum(axis=0), counts.scale
