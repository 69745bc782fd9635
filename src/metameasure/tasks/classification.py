"""Classification: a label per item."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.evidence.base import Evidence
from metameasure.evidence.counting import count_tables
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.label_table import LabelReader
from metameasure.evidence.prepare import CountOptions
from metameasure.formats.columns import gold_columns, named_columns
from metameasure.formats.options import ReadOptions
from metameasure.scale import Classes, Kind
from metameasure.scores.baselines import baselines
from metameasure.scores.cube import Scores
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
        run_columns: Sequence[str] = (),
        format_in: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
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
        )
        return cls(
            gold,
            runs,
            LabelReader(options, numeric=bool(bins)),
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
            return count_tables(tables, self.count)

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


TASK = Labels


def label_counts(evidence: Evidence) -> LabelCounts:
    """The counts in evidence from labels."""
    counts = getattr(evidence, "counts", evidence)
    assert isinstance(counts, LabelCounts)  # noqa: S101 - all evidence from labels has them
    return counts
