"""Sets of labels of items, gold's beside the runs'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.core.choices import Average
from metameasure.core.messages import note
from metameasure.evidence.label_sets import LabelSets
from metameasure.evidence.set_reader import NOTHING, SetOptions, SetReader
from metameasure.scores.intervals import Drawing
from metameasure.scores.item_intervals import intervals_of_items
from metameasure.scores.label_baselines import Baselines
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.scores import Intervals, Scores
from metameasure.tasks.base import CaseTask, declared_scale, label_reader, with_partitions
from metameasure.tasks.facts import DataFacts
from metameasure.tasks.influences import Influences, of_items
from metameasure.tasks.multilabel import TASK, Options
from metameasure.tasks.multilabel.facts import facts_of_sets
from metameasure.tasks.multilabel.tables import SetTables, set_tables


@dataclass(frozen=True)
class Multilabel(CaseTask[LabelSets, Options]):
    """A set of labels for each item."""

    declared = TASK
    blind_baselines: ClassVar[bool] = True
    without_distances = "is not used by measures of sets of labels"
    names_items: bool = False
    """Whether the items' names are kept."""

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self._reader

    @cached_property
    def _reader(self) -> SetReader:
        options = self.options
        scale = declared_scale(options.classes, "nominal")
        missing = f"class:{NOTHING}" if options.missing == "empty" else options.missing
        count = SetOptions(missing=missing, partitions=options.partitions, seed=options.seed, extra=options.extra, kind="nominal")
        return SetReader(label_reader(options), scale, count, self.names_items)

    def reduced(self) -> LabelSets:
        return self._reader.read(self.gold, self.runs)

    def gold_alone(self) -> LabelSets:
        return self.right().of_runs([])

    def right(self) -> LabelSets:
        return self._reader.read(self.gold, None, alone=True)

    def parted(self, number: int, evidence: LabelSets) -> Self | None:
        return with_partitions(self, number, evidence)

    @classmethod
    def tables(cls, evidence: LabelSets) -> SetTables:
        return set_tables(evidence)

    @classmethod
    def facts(cls, evidence: LabelSets) -> DataFacts:
        return facts_of_sets(evidence)

    def naming_items(self) -> Self:
        return replace(self, names_items=True)

    def influences(self, evidence: LabelSets, measure: Measure, *, distance: Any, average: Average) -> Influences:
        few = evidence.with_few_sets()
        labels = evidence.scale.labels
        named = ([label for label, there in zip(labels, row, strict=True) if there] for row in few.sets.tolist())
        texts = [" | ".join(some) or NOTHING for some in named]
        names = np.array([*texts, None], dtype=object)  # the last, at -1, for an item that a run lacks
        return of_items(evidence, measure, average, {"said": tuple(names[few.said]), "golds": names[few.gold]})

    def intervals(self, scores: Scores, evidence: LabelSets, drawing: Drawing, *, distance: Any) -> Intervals:
        return intervals_of_items(scores, evidence, drawing)

    def baselines(
        self, evidence: LabelSets, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int
    ) -> Baselines:
        few = evidence.with_few_sets()
        largest = few.sets[int(np.bincount(few.gold).argmax())]
        labels = len(evidence.scale)
        made = {"no label": np.zeros(labels), "all labels": np.ones(labels), "most frequent set": largest}
        shown = [label for label, there in zip(evidence.scale.labels, largest.tolist(), strict=True) if there]
        said = note("baselines of sets", "most frequent set: {labels}", labels=", ".join(shown) or "no label")
        return Baselines.of(plain_scores(evidence.with_outputs(made), measures, average=average), (said,))
