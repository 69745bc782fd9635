"""Quantification: a distribution over classes per topic."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.quantification.distributions import SUM_TOLERANCE
from metameasure.errors import NoRuns, UsageError
from metameasure.evidence.counting import count_tables
from metameasure.evidence.distribution_table import DistributionReader, Masses, shape_of, topic_problems
from metameasure.evidence.distributions import Distributions, of_blocks, of_counts, of_masses, popularity, smoothed
from metameasure.evidence.missing import check_extra
from metameasure.evidence.room import Room
from metameasure.formats.columns import gold_columns, named_columns
from metameasure.formats.options import ReadOptions
from metameasure.formats.problems import DataProblems
from metameasure.scale import Classes, Kind, Scale
from metameasure.scores.cube import Scores
from metameasure.tables.inputs import Inputs, one_source, open_inputs
from metameasure.tasks.base import CaseTask
from metameasure.tasks.classification import Classification

# What only labels can be told, because they still have to be counted.
_OF_LABELS = ("bins", "partitions", "run_columns")


@dataclass(frozen=True)
class Quantification(CaseTask[Distributions]):
    """Distributions as a user names them, or labels to be reduced to some, and how they are to be read."""

    name: ClassVar[str] = "quantification"
    takes: ClassVar[tuple[str, ...]] = ("quantification",)
    baselines_are_drawn: ClassVar[bool] = False
    of_scoring: ClassVar[tuple[str, ...]] = ("smooth", "training")
    read: ReadOptions
    scale: Scale | None
    as_labels: Mapping[str, Any]
    normalise: bool
    drop: bool
    smooth: float | None
    training: Any
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls,
        gold: Any,
        runs: Any = None,
        *,
        classes: Classes | None = None,
        kind: Kind | None = None,
        counts: bool = False,
        normalise: bool = False,
        smooth: float | None = None,
        aspect: str | None = None,
        training: Any = None,
        missing: str | None = None,
        extra: str | None = None,
        bins: Sequence[float] = (),
        partitions: int | None = None,
        seed: int = 0,
        columns: Mapping[str, str] | None = None,
        run_columns: Sequence[str] = (),
        format_in: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
        engine: str | None = None,
        master: str | None = None,
    ) -> Quantification:
        scale = None if classes is None else Scale.of(classes, kind=kind)
        read = ReadOptions(
            cls.name, named_columns(columns or {}), format_in, tuple(run_columns), scale.labels if scale else (), aspect,
            missing=missing, gold_columns=gold_columns(columns or {}), threads=threads, memory=memory,
            engine=engine, master=master,
        )  # fmt: skip
        as_labels = {
            "classes": classes, "kind": kind, "bins": bins, "missing": missing, "extra": extra,
            "partitions": partitions, "seed": seed,
            "columns": columns, "run_columns": run_columns, "threads": threads, "memory": memory,
            "engine": engine, "master": master,
            "format_in": format_in,
        }  # fmt: skip
        told = {"counts": "yes" * counts, "normalise": "yes" * normalise, "missing": "drop" * (missing == "drop")}
        told["extra"] = "ignore" * (extra == "ignore")
        settings = tuple((name, said) for name, said in told.items() if said)
        check_extra(extra)
        return cls(gold, runs, read, scale, as_labels, counts or normalise, missing == "drop", smooth, training, settings)

    @property
    def wants_baselines(self) -> bool:
        return self.training is not None

    def reduced(self) -> Distributions:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            inputs = open_inputs(self.gold, self.runs, self.read, Path(scratch))
            if self._are_labels(inputs):
                return self._of_labels(inputs)
            return self._of_distributions(inputs, Path(scratch))

    def evidence(self) -> Distributions:
        evidence = super().evidence()
        return evidence.smoothed(self.smooth) if self.smooth is not None else evidence

    def gold_alone(self) -> Distributions:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            gold = one_source(self.gold, "gold", self.read, Path(scratch))
            if shape_of(gold.columns, self.read.of_gold().columns) == "labels":
                labels = Classification.of(self.gold, None, **self.as_labels)
                return of_counts(count_tables(labels.read.gold_alone(self.gold, Path(scratch)), labels.count).without_runs())
            return of_masses(self._reader(self.scale).masses(Inputs(gold)), normalise=self.normalise, settings=self.settings)

    def _are_labels(self, inputs: Inputs) -> bool:
        """Whether gold and all runs are labels per item: joined and audited as for classification, then reduced."""
        return all(
            shape_of(source.columns, columns) == "labels" and not source.counted
            for source, columns in (
                (inputs.gold, self.read.of_gold().columns),
                *((source, self.read.columns) for source in inputs.runs),
            )
        )

    def _of_labels(self, inputs: Inputs) -> Distributions:
        self._check_aspect(inputs)
        labels = Classification.of(self.gold, self.runs, **self.as_labels)
        return of_counts(count_tables(labels.read.of_inputs(inputs), labels.count))

    def _of_distributions(self, inputs: Inputs, scratch: Path) -> Distributions:
        for option in _OF_LABELS:
            if self.as_labels[option]:
                raise UsageError(f"--{option.replace('_', '-')} is for labels, but these are distributions", hint="leave it out")
        if self.as_labels["missing"] not in (None, "drop"):
            raise UsageError("topics that a run lacks can only be dropped", hint="choose --missing drop")
        if not inputs.runs:
            raise NoRuns("there are no runs", hint="name gold, and the runs after it")
        self._check_aspect(inputs)
        how: dict[str, Any] = {"normalise": self.normalise, "settings": self.settings}
        if self.read.memory is None:
            masses = self._reader(self.scale).masses(inputs)
            self._check_topics(inputs, masses)
            found = of_masses(masses, **how)
        else:
            room = Room.of(self.read.memory)
            blocks = self._reader(self.scale).in_blocks(inputs, room.rows_at_once, scratch)
            found, masses = of_blocks(blocks, room, **how)
            self._check_topics(inputs, masses)
        return replace(found, notes=(*inputs.notes, *found.notes))

    def _check_topics(self, inputs: Inputs, masses: Masses) -> None:
        """DataProblems where gold and a run have other topics."""
        ignore = self.as_labels["extra"] == "ignore"
        problems, total = topic_problems(inputs, masses, self.read.columns, drop=self.drop, ignore=ignore)
        if problems:
            raise DataProblems(problems, total)

    def _reader(self, scale: Scale | None) -> DistributionReader:
        return DistributionReader(self.read, scale, self.normalise, SUM_TOLERANCE)

    def _check_aspect(self, inputs: Inputs) -> None:
        if self.read.aspect is not None and not any(source.format_name == "ntcir-dq" for source in (inputs.gold, *inputs.runs)):
            raise UsageError("--aspect is for NTCIR's files", hint="leave it out")

    def with_baseline_runs(self, evidence: Distributions) -> Distributions:
        """Popularity, Uniform, a point mass per class, and the mean training distribution, as runs like any other."""
        shape = evidence.gold.shape
        made = {
            "Popularity": popularity(evidence.gold),
            "Uniform": np.full(shape, 1 / shape[1]),
            **{
                f"Always {label}": np.broadcast_to(np.eye(shape[1])[place], shape)
                for place, label in enumerate(evidence.scale.labels)
            },
        }
        notes = ["Popularity reads the gold: it gives all mass to each topic's most frequent class"]
        if self.training is not None:
            made["Training mean"] = np.broadcast_to(self._training_mean(evidence.scale), shape)
        estimates = np.stack(list(made.values()))
        if self.smooth is not None:
            estimates = smoothed(estimates, self.smooth)
        return evidence.with_runs(list(made), estimates, notes)

    def _training_mean(self, scale: Scale) -> Any:
        """The mean over the topics of the training data."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            source = one_source(self.training, "training", replace(self.read, classes=scale.labels), Path(scratch))
            masses = self._reader(scale).masses(Inputs(source))
        return of_masses(masses, normalise=self.normalise, settings=()).gold.mean(axis=0)

    def with_baselines(self, scores: Scores, evidence: Distributions, *, distance: Any, seed: int) -> Scores:
        return scores  # they are runs already


TASK = Quantification
