"""Outcomes: numbers that somebody else computed, one for each run and item."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.outcomes.mean import measure_of_data
from metameasure.catalogue.registry import Registry
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.evidence.outcome_reader import OutcomeReader
from metameasure.evidence.outcomes import Outcomes, Scored
from metameasure.reading.options import ReadOptions
from metameasure.scores.scores import Remark, Scores
from metameasure.tasks.base import CaseTask
from metameasure.tasks.outcomes import TASK, Options


@dataclass(frozen=True)
class OutcomesTask(CaseTask[Outcomes, Options]):
    """Scores of items as they are, under the names that the data give to measures."""

    declared = TASK

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self._reader

    @cached_property
    def _reader(self) -> OutcomeReader:
        return OutcomeReader(self.options.reading(ReadOptions, task=self.name, filter=self.options.filter))

    def reduced(self) -> Outcomes:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            return self._reader.read(self.gold, self.runs, Path(scratch))

    def gold_alone(self) -> Outcomes:
        return self.evidence()

    def evidence(self) -> Outcomes:
        return self._evidence

    @cached_property
    def _evidence(self) -> Outcomes:
        """Read once: the names of measures are looked up in it before anything is scored."""
        found = super().evidence()
        measures = tuple(replace(one, better=self.options.better or one.better) for one in found.measures)
        settings = dict(found.settings) | ({"missing": self.options.missing} if self.options.missing else {})
        if self.options.missing in (None, "drop"):
            settings.pop("missing", None)
        return replace(found, measures=measures, settings=tuple(settings.items()))

    def known(self, registry: Registry) -> Registry:
        """The measures of the data before all others: names in the data win over ours."""
        own = [
            measure_of_data(one.name, self._better(one, registry), one.range, {self.name: place})
            for place, one in enumerate(self.evidence().measures, 1)
        ]
        taken = {one.template for one in own}
        return Registry([*own, *(one for one in registry.values() if not taken & {one.template, *one.aliases, *one.spellings})])

    def _better(self, scored: Scored, registry: Registry) -> Any:
        """As the user says, or the data, or as a measure of ours is better that has the name; otherwise higher."""
        ours = registry.find(scored.name)
        return scored.better or (ours.better if ours is not None else None) or "higher"

    def chosen(self, measures: Sequence[Measure] | None, registry: Registry, evidence: Outcomes) -> list[Measure]:
        for measure in measures or ():
            if measure.reads not in evidence.offers:
                raise self._not_offered(measure, evidence)
        return super().chosen(measures, registry, evidence)

    def _not_offered(self, measure: Measure, evidence: Outcomes) -> UsageError:
        passing = [one.name for one in evidence.measures if one.binary]
        if measure.base != "pass":
            names = [one.name for one in evidence.measures]
            return UsageError(
                f"there are several measures, so that {measure.id} says too little", hint=f"choose {listed(names, 'or')}"
            )
        if not passing:
            return UsageError(
                f"{measure.id} is of outputs that pass or fail, and scores here are not 0 and 1", hint="choose mean"
            )
        hint = f"write {measure.id.partition(':')[0]}:of={passing[0]}, as there are {listed(passing, 'and')}"
        return UsageError(f"{measure.id} does not say of which measure", hint=hint)

    def score(
        self, evidence: Outcomes, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        if distance is not None:
            raise UsageError(say("{--distance} is between classes, and outcomes have none"), hint="leave it out")
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        return replace(scores, remarks=(*scores.remarks, *_scored_remarks(evidence, measures)))


def _scored_remarks(evidence: Outcomes, measures: Sequence[Measure]) -> list[Remark]:
    """How many of all items each run has a score for, where some lack any."""
    rows = [evidence.row(measure.reads) for measure in measures]
    scored, items = np.array([evidence.scored(row) for row in rows]), len(evidence.items)
    if (scored == items).all():
        return []
    facts = [{"items": items, **{one.id: int(own) for one, own in zip(measures, column, strict=True)}} for column in scored.T]
    alike = (scored == scored[0]).all()
    words = [
        f"{column[0]} of {items}"
        if alike
        else ", ".join(f"{one.id} {own}" for one, own in zip(measures, column, strict=True)) + f" of {items}"
        for column in scored.T
    ]
    return [Remark("scored", "scored", tuple(words), tuple(facts))]
