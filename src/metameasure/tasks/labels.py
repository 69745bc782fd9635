"""What the tasks share whose runs label items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar

from metameasure.catalogue.measure import Measure
from metameasure.evidence.counts import CountOptions, LabelCounts, LabelEvidence, count_prepared, count_tables
from metameasure.evidence.label_table import LabelReader
from metameasure.evidence.output_table import item_outputs
from metameasure.scores.baselines import Baselines, label_baselines
from metameasure.scores.cube import Average, Remark, Scores
from metameasure.show.table import json_variance
from metameasure.tables.keyed import KeyedTable
from metameasure.tasks.base import CaseTask
from metameasure.tasks.options import LabelOptions, TaskOptions

L = TypeVar("L", bound=LabelEvidence)
O = TypeVar("O", bound=LabelOptions)


def label_reader(options: TaskOptions, *, numeric: bool = False, matrices: Mapping[str, Any] | None = None) -> LabelReader:
    """How labels are read, by what is said of them."""
    return LabelReader(
        options.reading("classification"),
        numeric=numeric,
        matrices=dict(matrices or {}),
        ignore_extra=options.extra == "ignore",
        declared=_declared(options.columns),
    )


def count_options(options: LabelOptions, bins: Sequence[float] = ()) -> CountOptions:
    """How labels are counted, by what is said of them."""
    return CountOptions(
        options.classes, options.kind, tuple(bins), options.missing, options.partitions, options.seed, options.extra
    )


@dataclass(frozen=True)
class LabelTask(CaseTask[L, O]):
    """A task whose runs label items: how the labels are read and counted."""

    with_majority: ClassVar[bool] = True
    """Whether the largest class is a baseline of its own beside each class."""
    outputs_of: Literal["clusters", "one topic", "all"] = "clusters"
    """When every run's output for every item is kept beside the counts: where items come in clusters or have several outputs,
    where there is one topic only, or always."""

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self.read, self.count

    @property
    @abstractmethod
    def read(self) -> LabelReader:
        """How labels are read."""

    @property
    @abstractmethod
    def count(self) -> CountOptions:
        """How they are counted."""

    def counted(self, ready: KeyedTable, unit: int) -> LabelCounts:
        """The counts of tables that are ready, and the outputs where they are needed."""
        counts = count_prepared(ready, unit, self.count)
        wanted = self.outputs_of == "all" or (self.outputs_of == "one topic" and len(counts.topics) == 1)
        if not wanted and not self.read.declared:
            return counts
        return replace(counts, outputs=item_outputs(ready, counts, self.count.missing))

    def gold_counts(self) -> LabelCounts:
        """Gold's labels, counted as those of a run that is right about everything."""
        with self.read.opened(self.gold, self.runs, alone=True) as tables:
            return count_tables(tables, self.count)

    def score(
        self, evidence: L, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        return replace(scores, remarks=(*scores.remarks, *_variance_remarks(evidence.label_counts())))

    def baselines(self, evidence: L, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int) -> Baselines:
        how: dict[str, Any] = {"distance": distance, "average": average, "seed": seed}
        return label_baselines(evidence, measures, with_majority=self.with_majority, **how)


def _declared(columns: Mapping[str, str]) -> frozenset[str]:
    """Which of the columns that are never taken for what they are unasked are named. Clusters are gold's, under either name."""
    return frozenset({"cluster", "repeat"} & {"cluster" if role == "gold_cluster" else role for role in columns})


def _variance_remarks(counts: LabelCounts) -> tuple[Remark, ...]:
    """For the JSON: how much of being right varies between and within clusters, or items that have several outputs."""
    outputs = counts.outputs
    if outputs is None or not outputs.clustered:
        return ()
    return (Remark("", "variance", facts=tuple(json_variance(outputs.variance(run)) for run in range(len(outputs.runs)))),)
