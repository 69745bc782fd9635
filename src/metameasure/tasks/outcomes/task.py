"""Outcomes: numbers that somebody else computed, one for each run and item."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.foreign import better_of
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.outcomes.mean import measure_of_data
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import first_of, listed
from metameasure.evidence.outcome_reader import OutcomeReader
from metameasure.evidence.outcomes import OfOutcomes
from metameasure.reading.inputs import Runs
from metameasure.reading.options import ReadOptions
from metameasure.scores.intervals import Drawing
from metameasure.scores.item_intervals import intervals_of_items
from metameasure.scores.scores import Intervals, Scores
from metameasure.tasks.base import CaseTask
from metameasure.tasks.facts import DataFacts, facts_of_any
from metameasure.tasks.influences import Influences, of_outcomes
from metameasure.tasks.outcomes import TASK, Options

_MOST_NAMED = 10
_MORE_THAN_SHARES = 10
"""A run with a score above this has no shares."""


@dataclass(frozen=True)
class OutcomesTask(CaseTask[OfOutcomes, Options]):
    """Scores of items as they are, under the names that the data give to measures."""

    declared = TASK
    without_distances = "is between classes, and outcomes have none"

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self._reader

    @cached_property
    def _reader(self) -> OutcomeReader:
        return OutcomeReader(self.options.reading(ReadOptions, filter=self.options.filter))

    def reduced(self) -> OfOutcomes:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            return self._reader.read(self.gold, self.runs, Path(scratch))

    @classmethod
    def facts(cls, evidence: OfOutcomes) -> DataFacts:
        unknown = "scores were made elsewhere: nothing here says whether they are right, or agree with what people would say"
        return replace(facts_of_any(evidence), traits={"made_elsewhere": say(unknown)})

    def right(self) -> OfOutcomes:
        hint = "make the bundle of the task whose gold it has, such as classification"
        raise UsageError("outcomes were scored by somebody else: there is no gold that submissions could be scored by", hint=hint)

    def gold_alone(self) -> OfOutcomes:
        return self.evidence()

    def evidence(self) -> OfOutcomes:
        return self._evidence

    @cached_property
    def _evidence(self) -> OfOutcomes:
        """Read once: the names of measures are looked up in it before anything is scored."""
        found = super().evidence()
        measures = tuple(replace(one, better=self.options.better or one.better) for one in found.measures)
        return found.changed(measures=measures).with_policy(self.options.missing)

    def column_of(self, runs: Runs, name: str) -> dict[tuple[str, str], str]:
        """What stands in another column of the data, by topic and item."""
        return self._reader.column(runs, name)

    def known(self, registry: Registry) -> Registry:
        """The measures of the data before all others: names in the data win over ours."""
        own = [
            measure_of_data(one.name, better_of(one.name, one.better, registry), one.range, {self.name: place})
            for place, one in enumerate(self.evidence().measures, 1)
        ]
        taken = {one.template for one in own}
        return Registry([*own, *(one for one in registry.all if not taken & {one.template, *one.aliases, *one.spellings})])

    def weighed(self, measures: Sequence[Measure]) -> list[Measure]:
        """The best and the worst of scores lie where the scores do."""
        known = self.evidence()

        def in_range(measure: Measure) -> Measure:
            of_scores = measure.base in ("best_of", "worst_of") and measure.reads in known.offers
            return replace(measure, range=known.measures[known.row(measure.reads)].range) if of_scores else measure

        return [in_range(measure) for measure in super().weighed(measures)]

    def only_measures(self, registry: Registry) -> list[Measure]:
        names = [one.name for one in self.evidence().measures]
        if len(names) == 1:
            return self.directed([registry[names[0]]])
        if len(names) > 1:
            raise UsageError(
                f"there are several measures: {listed(names, 'and')}", hint=say("choose with {--measures <name>}", name=names[0])
            )
        return []

    def chosen(self, measures: Sequence[Measure] | None, registry: Registry, evidence: OfOutcomes) -> list[Measure]:
        for measure in measures or ():
            if measure.reads not in evidence.offers:
                raise self._not_offered(measure, evidence)
            if measure.reads.startswith("repeats") and measure.base != "consistency":
                self._check_highest_is_best(measure, evidence)
        selection = super().chosen(measures, registry, evidence)
        known = [measure for measure in selection if measure.better is not None]
        return self.directed(selection) if measures or not known else known

    def _check_highest_is_best(self, measure: Measure, evidence: OfOutcomes) -> None:
        """UsageError for the best of scores whose highest is the worst."""
        scored = evidence.measures[evidence.row(measure.reads)]
        if better_of(scored.name, scored.better, default_registry()) == "lower":
            hint = "turn their sign round in the data, or choose the mean"
            raise UsageError(
                f"{measure.id} takes the highest score as the best, and the lower scores of {scored.name} are the better ones",
                hint=hint,
            )

    def directed(self, measures: list[Measure]) -> list[Measure]:
        unsaid = [measure.id for measure in measures if measure.better is None]
        if unsaid:
            hint = say("say it with {--better higher} or {--better lower}")
            raise UsageError(f"nobody says which scores of {listed(unsaid, 'and')} are better, higher or lower ones", hint=hint)
        return measures

    def _not_offered(self, measure: Measure, evidence: OfOutcomes) -> UsageError:
        passing = [one.name for one in evidence.measures if one.binary]
        names = [one.name for one in evidence.measures]
        if measure.reads.startswith("repeats"):
            hint = f"write {measure.base}@of={names[0]}, as there are {listed(names, 'and')}"
            return UsageError(f"{measure.id} does not say of which measure", hint=hint)
        if not measure.reads.startswith("samples"):
            return UsageError(f"{measure.id} does not say which of several measures", hint=f"choose {listed(names, 'or')}")
        if not passing:
            return UsageError(
                f"{measure.id} is of outputs that pass or fail, and scores here are not 0 and 1", hint="choose mean"
            )
        hint = f"write {measure.id.partition(':')[0]}:of={passing[0]}, as there are {listed(passing, 'and')}"
        return UsageError(f"{measure.id} does not say of which measure", hint=hint)

    def influences(self, evidence: OfOutcomes, measure: Measure, *, distance: Any, average: Average) -> Influences:
        return of_outcomes(evidence.whole(), measure, average=average)

    def intervals(self, scores: Scores, evidence: OfOutcomes, drawing: Drawing, *, distance: Any) -> Intervals:
        return intervals_of_items(scores, evidence, drawing)

    def score(
        self, evidence: OfOutcomes, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        self.check_distance(distance)
        for measure in measures:
            if evidence.missing == "zero" and measure.better == "lower":
                hint = say("choose {--missing drop} or bounds")
                raise UsageError(f"0 is the best score by {measure.id}, which missing outputs should not have", hint=hint)
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        return replace(scores, notes=(*scores.notes, *self._left_out(evidence, measures), *self._mixed(evidence, measures)))

    def _left_out(self, evidence: OfOutcomes, measures: Sequence[Measure]) -> list[str]:
        """Measures of the data that nobody has asked for, and that are not shown because their direction is not known."""
        shown = {one.id for one in measures}
        known = {one.name: better_of(one.name, one.better, default_registry()) for one in evidence.measures}
        if shown != {name for name, better in known.items() if better}:
            return []
        names = [name for name, better in known.items() if better is None]
        said = "not shown, as nobody says which scores are better: {names}; to see one, add "
        said += "{--measures <first>} and {--better lower}"
        return [note("directions unknown", said, names=first_of(names, _MOST_NAMED), first=names[0])] if names else []

    def _mixed(self, evidence: OfOutcomes, measures: Sequence[Measure]) -> list[str]:
        """Runs whose scores seem to be shares beside others that seem to be percentages."""
        notes: list[str] = []
        for measure in measures:
            if not measure.reads.startswith("outcomes"):
                continue
            most = evidence.most(evidence.row(measure.reads))
            shares, percent = (most > 0) & (most <= 1), (most > _MORE_THAN_SHARES) & (most <= 100)
            if shares.any() and percent.any():
                runs = [listed([evidence.runs[place] for place in np.flatnonzero(some)], "and") for some in (shares, percent)]
                said = "by {measure}, scores of {shares} are 1 at most, and of {percent} up to {most:g}: shares and percentages?"
                notes.append(
                    warn("mixed scales", said, measure=measure.id, shares=runs[0], percent=runs[1], most=float(most.max()))
                )
        return notes
