"""Probabilities: what runs believe of the class of each item."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.quantification.distributions import SUM_TOLERANCE
from metameasure.core.choices import Average
from metameasure.core.messages import note, say, warn
from metameasure.core.notes import counted, first_of
from metameasure.core.scale import Scale
from metameasure.evidence.probabilities import Probabilities
from metameasure.evidence.probability_reader import ProbabilityReader
from metameasure.reading.options import ReadOptions
from metameasure.scores.intervals import Drawing
from metameasure.scores.item_intervals import intervals_of_items
from metameasure.scores.label_baselines import Baselines
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.scores import Intervals, Scores
from metameasure.tasks.base import CaseTask, declared_scale, settings_of
from metameasure.tasks.facts import DataFacts
from metameasure.tasks.influences import Influences, of_items
from metameasure.tasks.probabilities import TASK, Options
from metameasure.tasks.probabilities.facts import facts_of_probabilities
from metameasure.tasks.probabilities.tables import ReliabilityTables, reliability_tables


@dataclass(frozen=True)
class ProbabilitiesTask(CaseTask[Probabilities, Options]):
    """Gold a label for each item, or its shares of several, and runs a distribution for each."""

    declared = TASK
    blind_baselines: ClassVar[bool] = True
    without_distances = "is not used by measures of probabilities"

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self._reader

    @cached_property
    def scale(self) -> Scale | None:
        """The declared classes."""
        return declared_scale(self.options.classes, self.options.kind)

    @cached_property
    def _reader(self) -> ProbabilityReader:
        options = self.options
        labels = self.scale.labels if self.scale else ()
        return ProbabilityReader(
            options.reading(ReadOptions, classes=labels), self.scale, options.normalise, SUM_TOLERANCE,
            drop=options.missing == "drop", ignore=options.extra == "ignore",
            clustered=bool({"cluster", "gold_cluster"} & {*options.columns}),
        )  # fmt: skip

    def reduced(self) -> Probabilities:
        return self._read(alone=False)

    def gold_alone(self) -> Probabilities:
        return self._read(alone=True)

    def _read(self, *, alone: bool) -> Probabilities:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            found = self._reader.read(self.gold, self.runs, Path(scratch), alone=alone)
        return replace(found, settings=settings_of(self.options, "normalise"))

    def right(self) -> Probabilities:
        alone = self.gold_alone()
        return alone.with_runs(["gold"], alone.gold[None])

    def evidence(self) -> Probabilities:
        found = super().evidence()
        return found if self.options.smooth is None else found.smoothed(self.options.smooth)

    @classmethod
    def tables(cls, evidence: Probabilities) -> ReliabilityTables:
        return reliability_tables(evidence)

    @classmethod
    def facts(cls, evidence: Probabilities) -> DataFacts:
        return facts_of_probabilities(evidence)

    def influences(self, evidence: Probabilities, measure: Measure, *, distance: Any, average: Average) -> Influences:
        gold = np.argmax(evidence.gold, axis=-1)
        shown: dict[str, Any] = {"said": tuple(np.take_along_axis(evidence.estimates, gold[None, :, None], axis=-1)[..., 0])}
        if ((evidence.gold > 0) & (evidence.gold < 1)).any():
            golds = [", ".join(f"{label} {share:g}" for label, share in zip(evidence.scale.labels, row, strict=True) if share)
                     for row in evidence.gold.tolist()]  # fmt: skip
            shown |= {"golds": golds}
        shown |= {"gold": gold, "labels": evidence.scale.labels, "meaning": say("the probability of gold's class")}
        return of_items(evidence, measure, average, shown)

    def intervals(self, scores: Scores, evidence: Probabilities, drawing: Drawing, *, distance: Any) -> Intervals:
        return intervals_of_items(scores, evidence, drawing)

    def score(
        self, evidence: Probabilities, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        return replace(scores, notes=(*scores.notes, *self._infinite(evidence, scores)))

    def _infinite(self, evidence: Probabilities, scores: Scores) -> list[str]:
        """Which scores are infinite, and of how many items."""
        notes: list[str] = []
        for row, measure in enumerate(scores.measures):
            if not np.isinf(scores.values[row]).any():
                continue
            times = evidence.impossible().tolist()
            runs = [say("{run} ({items})", run=run, items=counted(number, "item"))
                    for run, number in zip(evidence.runs, times, strict=True) if number]  # fmt: skip
            said = (
                "{measure} is infinite for {runs}: a class that is right has the probability 0; "
                "{--smooth 0.001} adds a little to every class"
            )
            notes.append(warn("infinite scores", said, measure=measure.id, runs=first_of(runs)))
        return notes

    def baselines(
        self, evidence: Probabilities, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int
    ) -> Baselines:
        shape = evidence.gold.shape
        made = {"shares of gold": np.broadcast_to(evidence.gold.mean(axis=0), shape), "uniform": np.full(shape, 1 / shape[1])}
        said = note("baselines of probabilities", "shares of gold: every item gets the shares that the classes have in gold")
        as_runs = evidence.with_runs(list(made), np.stack(list(made.values())))
        return Baselines.of(plain_scores(as_runs, measures, average=average), (said,))
