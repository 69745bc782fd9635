"""Gold and runs in, scores out, in one call."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import DataError, MetameasureWarning, UsageError
from metameasure.core.messages import say, together, warn
from metameasure.core.options import part, with_options
from metameasure.evidence.base import Evidence
from metameasure.reading.inputs import library_of
from metameasure.scores.denominator import with_denominator
from metameasure.scores.intervals import Drawing
from metameasure.scores.scores import LetterGroups, Scores
from metameasure.tasks.base import E, O, Task, named, named_primary
from metameasure.tasks.checking import sound_task
from metameasure.tasks.option_groups import EvaluateOptions, ScoringOptions

if TYPE_CHECKING:
    from metameasure.comparing.comparison import Comparison


@with_options(EvaluateOptions)
def evaluate(asked: EvaluateOptions, gold: Any, runs: Any = None) -> Scores:
    """Score runs against gold.

    Parameters
    ----------
    gold : path, data frame, array or evidence
        What is right. Without ``runs`` it holds the runs too, side by side or stacked. Arrays, lists and the columns of one
        frame or file go by position and need no ids. Evidence is what ``count`` made of gold and runs.
    runs : path, list of paths, dict, data frame or array, optional
        The outputs: files or patterns, ``{name: path, frame or array}``, one frame with a column ``run``, or one array.

    Returns
    -------
    Scores
        A score for each measure, topic and run. It prints as a leaderboard, best run first.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Classes are declared, never inferred: labels that a sample happens not to contain, or an order that is alphabetical, change
    most measures. Undefined scores are NaN, and means are over the topics on which every run is defined. Each measure names its
    source: ``print(mm.measures["cem_ord"])`` has Amigó et al. (2020).

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.evaluate([1, 2, 3, 1], {"a": [1, 2, 3, 3], "b": [1, 3, 3, 1]}, classes=[1, 2, 3], measures="accuracy,mae")
    >>> scores["b"]
    {'accuracy': 0.75, 'mae': 0.25}

    """
    evaluation = part(Evaluation, asked)
    scores, library = evaluation.of(sound_task(asked, gold, runs)), library_of(gold)
    if asked.skip_broken:
        scores = replace(scores, made=scores.made.having(skip_broken=True))
    return replace(scores, library=library) if library else scores


@dataclass(frozen=True, kw_only=True)
class Evaluation(ScoringOptions):
    """What is asked of a task on its data, and the answer."""

    def of(self, task: Task[E, O]) -> Scores:
        """The scores of a task's runs."""
        if self.groups or self.possible_ranks:
            task = task.keeping_items(self.average, self.units)
        known = task.known(self.registry or default_registry())
        asked = named(self.measures, known, task)  # a wrong name is said before files are read
        task = task.for_measures(asked)
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
        units = {one.id: scored for one in scores.measures if (scored := evidence.scored(one.reads)) is not None}
        if "missing" in dict(evidence.settings) or not all(scored.are_all for scored in units.values()):
            scores = with_denominator(scores, evidence, units)
        told = baselines if baselines or task.wants_baselines else None
        made = scores.made.having(command="evaluate", undefined="skip", baselines=told)
        scores = replace(scores, made=made, with_ranks=self.ranks)
        if self.undefined != "skip":
            scores = scores.with_undefined_as(self.undefined)
        if narrowing := scores.narrowing():
            scores = replace(scores, notes=(*scores.notes, *narrowing))
        tested = {"groups": self.groups or None, "possible_ranks": self.possible_ranks or None}
        if any(tested.values()):
            settings = {"seed": self.seed, "units": self.units, "incomplete": "drop-topics", "registry": known}
            scores = _with_groups(scores, evidence, self.distance, settings) if self.groups else scores
            scores = _with_possible_ranks(scores, evidence, self.distance, settings) if self.possible_ranks else scores
            scores = replace(scores, made=scores.made.having(**tested, seed=self.seed, units=self.units))
        if baselines:
            scores = task.with_baselines(scores, evidence, distance=self.distance, seed=self.seed)
        for warning in together(scores.warnings()):
            warnings.warn(warning, MetameasureWarning, stacklevel=4)
        scores = self._with_intervals(task, scores, evidence) if intervals else scores
        return scores if self.by is None else self._with_slices(task, scores, evidence)

    def _with_slices(self, task: Task[E, O], scores: Scores, evidence: E) -> Scores:
        """The scores, and those of the items of each value of a column."""
        from metameasure.evaluating.slices import By, slices_of  # noqa: PLC0415 - only where slices are asked for

        assert self.by is not None  # noqa: S101 - it was asked for
        plain = {"groups": False, "possible_ranks": False, "ranks": False, "baselines": False, "by": None, "by_table": None}
        measures = [measure for measure in scores.measures if measure.better is not None]
        each = replace(self, measures=measures, primary=None, ci="topics", **plain)  # type: ignore[arg-type]
        slices = slices_of(each, task, evidence, By(self.by, self.by_table))
        return replace(scores, slices=slices, made=scores.made.having(by=self.by))

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
    letters, tests, alike, notes = {}, {}, {}, []
    for measure in scores.measures:
        if measure.better is None:
            continue
        try:
            comparison = _compared(scores, evidence, measure, distance, settings)
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


def _with_possible_ranks(scores: Scores, evidence: Evidence, distance: Any, settings: dict[str, Any]) -> Scores:
    """The scores with the ranks that runs may truly have by the first measure, or a note on why there are none."""
    from metameasure.comparing.ranks import Field  # noqa: PLC0415 - comparisons load where ranks are asked for

    measure = scores.primary
    if measure is None or measure.better is None:
        raise UsageError("the first measure does not order runs, so that they have no ranks", hint=say("choose {--primary M}"))
    try:
        comparison = _compared(scores, evidence, measure, distance, settings)
    except (DataError, UsageError) as error:
        none = "there are no possible ranks by {measure}: {message}"
        said = warn("no possible ranks", none, measure=measure.id, message=error.message)
        return replace(scores, notes=(*scores.notes, said))
    unable = [warn("no possible ranks", "every rank is possible. {message}", message=comparison.unable())]
    sets = Field(comparison).of_runs()
    return replace(scores, possible_ranks=sets, notes=(*scores.notes, *([] if comparison.able else unable)))


def _compared(scores: Scores, evidence: Evidence, measure: Measure, distance: Any, settings: dict[str, Any]) -> Comparison:
    """The runs compared as ``compare`` does it."""
    from metameasure.comparing.compare import (  # noqa: PLC0415 - comparisons load where they are asked for
        compare_over_topics,
        compare_pooled,
        is_over_topics,
    )

    if is_over_topics(evidence, scores.average):
        return compare_over_topics(evidence, scores, measure, settings, distance)
    return compare_pooled(evidence, measure, settings | {"incomplete": None}, distance, scores.average)
