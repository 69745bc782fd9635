"""Gold and runs in, scores out, in one call."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.errors import DataError, MetameasureWarning, UsageError
from metameasure.evidence.base import Evidence
from metameasure.formats.problems import DataProblems
from metameasure.messages import warn
from metameasure.notes import counted
from metameasure.scores.cube import Average, IntervalKind, LetterGroups, Scores, Undefined
from metameasure.scores.intervals import Drawing
from metameasure.tables.inputs import library_of
from metameasure.tasks.base import E, O, Task, named, named_primary, task_on_evidence
from metameasure.validity import SampleUnits


def evaluate(
    gold: Any,
    runs: Any = None,
    *,
    measures: str | Sequence[str | Measure] | None = None,
    primary: str | Measure | None = None,
    task: str = "classification",
    average: Average = "topics",
    baselines: bool | None = None,
    groups: bool = False,
    ranks: bool = False,
    ci: bool | Literal["topics"] = False,
    interval: IntervalKind | None = None,
    units: SampleUnits | None = None,
    validity: bool = False,
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

    ``gold`` and ``runs`` are paths, data frames or arrays. ``runs`` is a list of paths, ``{name: path, frame or array}``, one
    frame with a column ``run``, or one array; without it, ``gold`` holds the runs too, side by side or stacked. Arrays, lists and
    columns of one frame or file go by position and need no ids. Columns are named by ``gold_column``, ``item_column``, ..., and
    side by side ``run_columns`` says which are runs. The other arguments about reading and
    counting (``classes``, ``bins``, ``missing``, ``partitions``, ``columns``, ``normalise``, ``positive``, ...) depend on the
    task. ``primary`` is the measure that runs are ranked by, which comes first (default: the first of ``measures``).
    ``baselines`` adds constant and random outputs, as some tasks do by default. ``groups`` adds letters for each measure,
    by the default test of ``compare``: runs that share a letter do not differ significantly. ``ranks`` shows the rank by every
    measure. ``ci`` adds intervals: by default ``interval="auto"``, which hold their level with few topics, clusters or items too;
    ``interval="bootstrap"`` makes those of 0.2, and ``interval="bayes"`` credible intervals of one test set. ``units`` says what
    is a sample of more: ``"topics"``, or ``"items"`` within topics that are fixed; by default topics from six on. With several
    topics, JSON and CSV have intervals over items too; ``ci="topics"`` leaves those out, which is quicker. ``validity`` names the
    method behind each interval, as docs/validity.md has it.
    ``skip_broken`` leaves out runs with problems; ``undefined`` counts undefined scores as 0 ("zero"), as the worse end of the
    measure's range ("worst") or as its chance level ("chance"); "skip" leaves the topic out for all runs.
    """
    evaluation = Evaluation(
        measures=measures, primary=primary, average=average, baselines=baselines, groups=groups, ranks=ranks, ci=ci,
        interval=interval, units=units, validity=validity, level=level, trials=trials, distance=distance, registry=registry,
        seed=seed, undefined=undefined,
    )  # fmt: skip
    chosen = task_on_evidence(task, gold, runs, {"seed": seed, **how})
    chosen, left_out = with_sound_runs(chosen) if skip_broken else (chosen, [])
    scores, library = evaluation.of(chosen, left_out), library_of(gold)
    if skip_broken:
        scores = replace(scores, made=scores.made.having(skip_broken=True))
    return replace(scores, library=library) if library else scores


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What is asked of a task on its data: see ``evaluate``."""

    measures: str | Sequence[str | Measure] | None = None
    primary: str | Measure | None = None
    average: Average = "topics"
    baselines: bool | None = None
    groups: bool = False
    ranks: bool = False
    ci: bool | Literal["topics"] = False
    interval: IntervalKind | None = None
    units: SampleUnits | None = None
    validity: bool = False
    level: float = 0.95
    trials: int = 1000
    distance: Any = None
    registry: Registry | None = None
    seed: int = 0
    undefined: Undefined = "skip"

    def __post_init__(self) -> None:
        """UsageError for arguments that make no sense."""
        if self.average not in ("topics", "pooled"):
            raise UsageError(f"there is no average '{self.average}'", hint="choose topics or pooled")
        if self.undefined not in get_args(Undefined):
            hint = f"choose {', '.join(get_args(Undefined))}"
            raise UsageError(f"there is no choice '{self.undefined}' for undefined scores", hint=hint)
        if self.interval not in (None, *get_args(IntervalKind)):
            raise UsageError(f"there is no interval '{self.interval}'", hint=f"choose {' or '.join(get_args(IntervalKind))}")
        if self.units not in (None, *get_args(SampleUnits)):
            raise UsageError(f"there are no units '{self.units}'", hint=f"choose {' or '.join(get_args(SampleUnits))}")
        if not 0 < self.level < 1 or self.trials < 1:
            raise UsageError(
                f"an interval cannot have level {self.level:g} and {counted(self.trials, 'trial')}",
                hint="choose a level between 0 and 1 and at least one trial",
            )

    def of(self, task: Task[E, O], left_out: Sequence[str] = ()) -> Scores:
        """The scores of a task's runs; ``left_out`` says which of them are not there."""
        if self.groups:
            from metameasure.comparing import keeping_outputs  # noqa: PLC0415 - comparisons load where letters are asked for

            task = keeping_outputs(task, self.average, self.units)
        known = self.registry or default_registry()
        asked = named(self.measures, known, task)  # a wrong name is said before files are read
        named_primary(self.primary, known, task)
        baselines = task.wants_baselines if self.baselines is None else self.baselines
        intervals = self.ci or self.interval is not None
        evidence = task.evidence_or_gold() if baselines else task.evidence()
        wanted = task.chosen(asked if self.measures is not None else None, known, evidence)
        if self.primary is not None:
            first = task.chosen(named_primary(self.primary, known, task), known, evidence)
            wanted = list(dict.fromkeys([*first, *wanted]))
        drawn_with = self.seed if intervals or (baselines and task.draws_baselines) else None
        scores = task.score(evidence, wanted, distance=self.distance, average=self.average, drawn_with=drawn_with)
        told = baselines if baselines or task.wants_baselines else None
        made = scores.made.having(command="evaluate", undefined="skip", baselines=told)
        scores = replace(scores, made=made, with_ranks=self.ranks, notes=(*scores.notes, *left_out))
        if self.undefined != "skip":
            scores = scores.with_undefined_as(self.undefined)
        if narrowing := scores.narrowing():
            scores = replace(scores, notes=(*scores.notes, *narrowing))
        if self.groups:
            settings = {"seed": self.seed, "units": self.units, "incomplete": "drop-topics"}
            scores = _with_groups(scores, evidence, self.distance, settings)
            scores = replace(scores, made=scores.made.having(groups=True, seed=self.seed, units=self.units))
        if baselines:
            scores = task.with_baselines(scores, evidence, distance=self.distance, seed=self.seed)
        for warning in scores.warnings():
            warnings.warn(warning, MetameasureWarning, stacklevel=3)
        return self._with_intervals(task, scores, evidence) if intervals else scores

    def _with_intervals(self, task: Task[E, O], scores: Scores, evidence: E) -> Scores:
        kind, over_items = self.interval or "auto", self.ci != "topics"
        drawing = Drawing(
            level=self.level, trials=self.trials, seed=self.seed, kind=kind, over_items=over_items, units=self.units
        )
        intervals = task.intervals(scores, evidence, drawing, distance=self.distance)
        named_methods = intervals.in_words(scores.measures) if self.validity else ()
        made = scores.made.having(
            interval=kind, level=self.level, draws=self.trials, units="items" if intervals.over_items else "topics"
        )
        return replace(scores, intervals=intervals, notes=(*scores.notes, *intervals.notes, *named_methods), made=made)


def _with_groups(scores: Scores, evidence: Evidence, distance: Any, settings: dict[str, Any]) -> Scores:
    """The scores with the letters of every measure by which runs can be compared, and a note on each of the others."""
    from metameasure.comparing import compare_over_topics, compare_pooled, is_over_topics  # noqa: PLC0415

    letters, tests, alike, notes = {}, {}, {}, []
    for measure in scores.measures:
        if measure.better is None:
            continue
        try:
            if is_over_topics(evidence, scores.average):
                comparison = compare_over_topics(evidence, scores, measure, settings, distance)
            else:
                comparison = compare_pooled(evidence, measure, settings | {"incomplete": None}, distance, scores.average)
        except (DataError, UsageError) as error:
            notes.append(warn("no letters", "{measure} has no letters: {message}", measure=measure.id, message=error.message))
            continue
        if not comparison.able:
            unable = "{measure} has no letters. {message}"
            notes.append(warn("no letters", unable, measure=measure.id, message=comparison.unable()))
            continue
        alike[measure.id] = comparison.alike
        letters[measure.id] = dict(zip(comparison.runs, comparison.letters(), strict=True))
        tests[measure.id] = comparison.tested()
    return replace(scores, groups=LetterGroups(letters, tests, alike), notes=(*scores.notes, *notes))


def with_sound_runs(task: Task[E, O]) -> tuple[Task[E, O], list[str]]:
    """The task on the runs that are right, and what to say of the others. DataProblems where gold is wrong, or every run."""
    from metameasure.checking import check_task  # noqa: PLC0415 - only where broken runs are left out

    check = check_task(task)
    broken = [run for run in check.runs if not run.ok]
    if check.gold_problems or (broken and not check.good()):
        raise DataProblems(check.problems())
    notes: list[str] = [
        warn("broken run left out", "left out, because it is broken: {run} ({problem})", run=run.run, problem=run.problems[0])
        for run in broken
    ]
    return (replace(task, runs=check.chosen(task.runs)) if broken else task), notes
