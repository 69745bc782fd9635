"""Classification: a label per item."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import CountOptions, LabelCounts, count_prepared, count_tables, prepared
from metameasure.evidence.label_table import LabelReader
from metameasure.evidence.output_table import item_outputs
from metameasure.formats.options import ReadOptions, gold_columns, named_columns
from metameasure.scale import Classes, Kind
from metameasure.scores.baselines import baselines
from metameasure.scores.cube import Remark, Scores
from metameasure.show.table import json_variance
from metameasure.tables.keyed import KeyedTable
from metameasure.tasks.base import Task


@dataclass(frozen=True)
class Labels(Task):
    """Gold and runs as a user names them, and how they are to be read and counted."""

    name: ClassVar[str] = "classification"
    takes: ClassVar[tuple[str, ...]] = ("classification",)
    with_majority: ClassVar[bool] = True
    """Whether the largest class is a baseline of its own beside each class."""
    gold: Any
    runs: Any
    read: LabelReader
    count: CountOptions
    outputs_of: Literal["clusters", "one topic", "all"] = "clusters"
    """When every run's output for every item is kept beside the counts: where items come in clusters or have several outputs,
    where there is one topic only, or always."""

    @classmethod
    def of(
        cls,
        gold: Any,
        runs: Any = None,
        *,
        classes: Classes | None = None,
        kind: Kind | None = None,
        bins: Sequence[float] = (),
        missing: str | None = None,
        extra: str | None = None,
        partitions: int | None = None,
        seed: int = 0,
        columns: Mapping[str, str] | None = None,
        matrices: Mapping[str, Any] | None = None,
        run_columns: Sequence[str] = (),
        format_in: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
        engine: str | None = None,
        master: str | None = None,
    ) -> Labels:
        options = ReadOptions(
            cls.name,
            named_columns(columns or {}),
            format_in,
            tuple(run_columns),
            missing=missing,
            gold_columns=gold_columns(columns or {}),
            threads=threads,
            memory=memory,
            engine=engine,
            master=master,
        )
        return cls(
            gold,
            runs,
            LabelReader(
                options,
                numeric=bool(bins),
                matrices=dict(matrices or {}),
                ignore_extra=extra == "ignore",
                declared=_declared(columns or {}),
            ),
            CountOptions(classes, kind, tuple(bins), missing, partitions, seed, extra),
        )

    @contextmanager
    def tables(self, *, alone: bool = False) -> Iterator[KeyedTable]:
        """The table, while the files it comes from are needed. ``alone`` takes gold as its own only run."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            if alone:
                yield self.read.gold_alone(self.gold, Path(scratch))
            else:
                yield self.read.table(self.gold, self.runs, Path(scratch))

    def counts(self) -> LabelCounts:
        with self.tables() as tables:
            return self.counted(*prepared(tables, self.count))

    def counted(self, ready: KeyedTable, unit: int) -> LabelCounts:
        """The counts of tables that are ready, and the outputs where they are needed."""
        counts = count_prepared(ready, unit, self.count)
        wanted = self.outputs_of == "all" or (self.outputs_of == "one topic" and len(counts.topics) == 1)
        if not wanted and not self.read.declared:
            return counts
        return replace(counts, outputs=item_outputs(ready, counts, self.count.missing))

    def evidence(self) -> Evidence:
        return self.counts()

    def gold_alone(self) -> Evidence:
        with self.tables(alone=True) as tables:
            return count_tables(tables, self.count).without_runs()

    def with_baselines(self, scores: Scores, evidence: Evidence, *, distance: Any, seed: int) -> Scores:
        counts = label_counts(evidence)
        made = baselines(
            counts,
            scores.measures,
            distance=distance,
            average=scores.average,
            seed=seed,
            with_majority=self.with_majority,
            rank_weights=getattr(evidence, "series", None),
        )
        return replace(
            scores,
            runs=(*scores.runs, *made.names),
            values=np.concatenate([scores.values, made.values], axis=2),
            pooled=np.concatenate([scores.pooled, made.pooled], axis=1),
            simulated=np.concatenate([np.zeros(scores.pooled.shape), made.errors], axis=1),
            baselines=frozenset(made.names),
            notes=(*scores.notes, *made.notes),
        )

    def with_remarks(self, scores: Scores, evidence: Evidence) -> Scores:
        return replace(scores, remarks=(*scores.remarks, *variance_remarks(label_counts(evidence))))


TASK = Labels


def _declared(columns: Mapping[str, str]) -> frozenset[str]:
    """Which of the columns that are never taken for what they are unasked are named. Clusters are gold's, under either name."""
    return frozenset({"cluster", "repeat"} & {"cluster" if role == "gold_cluster" else role for role in columns})


def variance_remarks(counts: LabelCounts) -> tuple[Remark, ...]:
    """For the JSON: how much of being right varies between and within clusters, or items that have several outputs."""
    outputs = counts.outputs
    if outputs is None or not outputs.clustered:
        return ()
    return (Remark("", "variance", facts=tuple(json_variance(outputs.variance(run)) for run in range(len(outputs.runs)))),)


def label_counts(evidence: Evidence) -> LabelCounts:
    """The counts in evidence from labels."""
    counts = getattr(evidence, "counts", evidence)
    assert isinstance(counts, LabelCounts)  # noqa: S101 - all evidence from labels has them
    return counts
