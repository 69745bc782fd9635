"""Labels of items, counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metameasure.core.scale import Scale
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.preparing import CountOptions, prepared
from metameasure.tasks.base import LabelTask, count_options, label_reader
from metameasure.tasks.classification import TASK, Options
from metameasure.tasks.classification.facts import facts_of_labels
from metameasure.tasks.classification.tables import LabelTables, label_tables
from metameasure.tasks.facts import DataFacts


@dataclass(frozen=True)
class Classification(LabelTask[LabelCounts, Options]):
    """A label per item."""

    declared = TASK

    @cached_property
    def read(self) -> LabelReader:
        return label_reader(self.options, numeric=bool(self.options.bins), matrices=self.options.matrices)

    @cached_property
    def count(self) -> CountOptions:
        return count_options(self.options, self.options.bins)

    def reduced(self) -> LabelCounts:
        with self.read.opened(self.gold, self.runs) as tables:
            return self.counted(*prepared(tables, self.count))

    def gold_alone(self) -> LabelCounts:
        return self.gold_counts().without_runs()

    def right(self) -> LabelCounts:
        return self.gold_counts()

    @classmethod
    def tables(cls, evidence: LabelCounts) -> LabelTables:
        return label_tables(evidence)

    @classmethod
    def facts(cls, evidence: LabelCounts) -> DataFacts:
        return facts_of_labels(evidence)


def gold_sizes(gold: Any, **how: Any) -> tuple[Any, Scale]:
    """How many items (or how much weight) gold has in each class, over all topics, and the scale."""
    counts = Classification.on(gold, None, how).gold_counts()
    return counts.gold_tables().sum(axis=0), counts.scale
