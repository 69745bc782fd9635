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
from metameasure.evidence.prepare import CountOptions
from metameasure.formats.columns import named_columns
from metameasure.formats.labels import LabelTables, ReadOptions, frames_to_tables, read_gold_alone, read_label_files
from metameasure.scale import Classes, Kind
from metameasure.scores.baselines import baselines
from metameasure.scores.cube import Scores
from metameasure.tasks.base import Task
from metameasure.tasks.inputs import check_names, refuse_paths, run_paths


@dataclass(frozen=True)
class Labels(Task):
    """Gold and runs as a user names them, and how they are to be read and counted."""

    name: ClassVar[str] = "classification"
    takes: ClassVar[tuple[str, ...]] = ("classification",)
    with_majority: ClassVar[bool] = True
    """Whether the largest class is a baseline of its own beside each class."""
    gold: Any
    runs: Any
    read: ReadOptions
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
        partitions: int | None = None,
        seed: int = 0,
        columns: Mapping[str, str] | None = None,
        run_columns: Sequence[str] = (),
        format_in: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
    ) -> Labels:
        read = ReadOptions(named_columns(columns or {}), format_in, bool(bins), tuple(run_columns), threads, memory)
        return cls(gold, runs, read, CountOptions(classes, kind, tuple(bins), missing, partitions, seed))

    @contextmanager
    def tables(self, *, alone: bool = False) -> Iterator[LabelTables]:
        """The tables, while the files they come from are needed. ``alone`` takes gold as its own only run."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            if alone:
                yield read_gold_alone(self.gold, self.read, Path(scratch))
            else:
                yield _open(self.gold, self.runs, self.read, Path(scratch))

    def counts(self) -> LabelCounts:
        with self.tables() as tables:
            return count_tables(tables, self.count)

    def evidence(self) -> Evidence:
        return self.counts()

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


def _open(gold: Any, runs: Any, options: ReadOptions, scratch: Path) -> LabelTables:
    """Files or frames, not both."""
    if isinstance(gold, str | Path):
        paths, names = run_paths(runs)
        tables = read_label_files(gold, paths, options, scratch)
        check_names(names, len(tables.names))
        return replace(tables, names=names) if names else tables
    refuse_paths(runs)
    return frames_to_tables(gold, runs, options)
