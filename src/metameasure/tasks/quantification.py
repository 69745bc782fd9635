"""Quantification: a distribution over classes per topic."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.quantification.distributions import SUM_TOLERANCE
from metameasure.errors import UsageError
from metameasure.evidence.base import Evidence
from metameasure.evidence.distributions import Distributions, Reader, collect, of_counts, smoothed
from metameasure.formats import paths
from metameasure.formats.columns import named_columns
from metameasure.formats.distributions import (
    DistributionOptions,
    Source,
    is_json,
    is_label_file,
    is_label_frame,
    read_distribution_frame,
    read_distributions,
)
from metameasure.formats.problems import DataProblems, Problem
from metameasure.scale import Classes, Kind, Scale, require
from metameasure.scores.cube import Scores
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.base import Task
from metameasure.tasks.classification import Labels
from metameasure.tasks.inputs import check_names, refuse_paths, run_paths

# What only labels can be told, because they still have to be counted.
_OF_LABELS = ("bins", "partitions", "run_columns")


@dataclass(frozen=True)
class Quantification(Task):
    """Distributions as a user names them, or labels to be reduced to some, and how they are to be read."""

    name: ClassVar[str] = "quantification"
    takes: ClassVar[tuple[str, ...]] = ("quantification",)
    baselines_are_drawn: ClassVar[bool] = False
    gold: Any
    runs: Any
    read: DistributionOptions
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
        bins: Sequence[float] = (),
        partitions: int | None = None,
        seed: int = 0,
        columns: Mapping[str, str] | None = None,
        run_columns: Sequence[str] = (),
        format_in: str | None = None,
        threads: int | None = None,
        memory: str | None = None,
    ) -> Quantification:
        scale = None if classes is None else Scale.of(classes, kind=kind)
        read = DistributionOptions(named_columns(columns or {}), format_in, aspect, scale.labels if scale else ())
        as_labels = {
            "classes": classes, "kind": kind, "bins": bins, "missing": missing, "partitions": partitions, "seed": seed,
            "columns": columns, "run_columns": run_columns, "threads": threads, "memory": memory,
            "format_in": format_in,
        }  # fmt: skip
        told = {"counts": counts, "normalise": normalise, "missing": missing == "drop"}
        settings = tuple((name, "drop" if name == "missing" else "yes") for name, said in told.items() if said)
        return cls(gold, runs, read, scale, as_labels, counts or normalise, missing == "drop", smooth, training, settings)

    @property
    def wants_baselines(self) -> bool:
        return self.training is not None

    def evidence(self) -> Evidence:
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            found = self._of_labels() if self._are_labels(Path(scratch)) else self._of_distributions(Path(scratch))
            return found.smoothed(self.smooth) if self.smooth is not None else found

    def _are_labels(self, scratch: Path) -> bool:
        """Whether gold and all runs are labels per item: joined and audited as for classification, then reduced."""
        if not isinstance(self.gold, str | Path):
            frames = [("gold", self.gold), *((what, frame) for _, what, frame in self._run_frames())]
            return all(is_label_frame(frame, what, self.read) for what, frame in frames)
        files = paths.expand([self.gold, *run_paths(self.runs)[0]], scratch) if "-" not in self._written() else []
        return bool(files) and all(is_label_file(shown, path, self.read, scratch) for shown, path in files)

    def _written(self) -> list[str]:
        return [str(path) for path in [self.gold, *run_paths(self.runs)[0]]]

    def _of_labels(self) -> Distributions:
        if self.read.format_in == "ntcir-dq":
            raise UsageError("these are labels, not NTCIR's JSON", hint="leave out --format-in")
        self._check_aspect(of_ntcir=False)
        return of_counts(Labels.of(self.gold, self.runs, **self.as_labels).counts())

    def _of_distributions(self, scratch: Path) -> Distributions:
        for option in _OF_LABELS:
            if self.as_labels[option]:
                raise UsageError(f"--{option.replace('_', '-')} is for labels, but these are distributions", hint="leave it out")
        if self.as_labels["missing"] not in (None, "drop"):
            raise UsageError("topics that a run lacks can only be dropped", hint="choose --missing drop")
        gold, runs = self._sources(scratch)
        if not runs:
            raise UsageError("there are no runs", hint="name them after gold")
        if any(cell.run is not None for cell in gold.cells):
            raise UsageError("gold has a column of runs", hint="gold is one: leave the column out")
        if any(cell.run == "" for _, source in runs for cell in source.cells):
            raise UsageError("a run has no name", hint="fill the column of runs")
        found = [cell.label for source in (gold, *(source for _, source in runs)) for cell in source.cells]
        scale = self.scale or require(None, [label for label in found if label not in (None, "")])
        named = [(name if run is None else run, source, cells) for name, source in runs for run, cells in source.by_run().items()]
        names = [name for name, _, _ in named]
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            raise UsageError(f"two runs are called '{repeated[0]}'", hint="give each run a name of its own")
        collected = collect(gold, named, Reader(scale, self.normalise, SUM_TOLERANCE), drop=self.drop)
        return replace(collected, settings=self.settings)

    def _sources(self, scratch: Path) -> tuple[Source, list[tuple[str, Source]]]:
        if not isinstance(self.gold, str | Path):
            return self._frames()
        written, names = run_paths(self.runs)
        (gold_shown, gold_path), *more = paths.expand([self.gold], scratch)
        found = paths.expand(written, scratch)
        if more or not found:
            raise UsageError(
                f"'{self.gold}' matches {len(more) + 1} files, but gold is one" if more else "there are no runs",
                hint="name gold, and the runs after it",
            )
        paths.check_distinct(gold_path, found)
        self._check_aspect(of_ntcir=any(is_json(path) for path in (gold_path, *(path for _, path in found))))
        sources: list[Source] = []
        problems: list[Problem] = []
        for shown, path in [(gold_shown, gold_path), *found]:
            try:
                sources.append(read_distributions(shown, path, self.read, scratch))
            except DataProblems as error:
                problems += error.problems
        if problems:
            raise DataProblems(problems)
        check_names(names, len(found))
        return sources[0], list(zip(names or paths.run_names([shown for shown, _ in found]), sources[1:], strict=True))

    def _check_aspect(self, *, of_ntcir: bool) -> None:
        if self.read.aspect is not None and not of_ntcir:
            raise UsageError("--aspect is for NTCIR's files", hint="leave it out")

    def _run_frames(self) -> list[tuple[str, str, Any]]:
        """The runs' frames: a run's name, unless the frame itself names runs; what messages call the frame; and the frame."""
        refuse_paths(self.runs)
        if isinstance(self.runs, Mapping):
            return [(str(name), f"run '{name}'", frame) for name, frame in self.runs.items()]
        return [] if self.runs is None else [("run", "runs", self.runs)]

    def _frames(self) -> tuple[Source, list[tuple[str, Source]]]:
        self._check_aspect(of_ntcir=False)
        gold = read_distribution_frame(self.gold, "gold", self.read)
        return gold, [(name, read_distribution_frame(frame, what, self.read)) for name, what, frame in self._run_frames()]

    def with_baseline_runs(self, evidence: Evidence) -> Evidence:
        """Popularity, Uniform, a point mass per class, and the mean training distribution, as runs like any other."""
        assert isinstance(evidence, Distributions)  # noqa: S101 - this task's evidence
        shape = evidence.gold.shape
        modes = evidence.gold >= evidence.gold.max(axis=-1, keepdims=True) - TIE
        made = {
            "Popularity": modes / modes.sum(axis=-1, keepdims=True),
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
        options = replace(self.read, labels=scale.labels)
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            if isinstance(self.training, str | Path):
                (shown, path), *_ = paths.expand([self.training], Path(scratch))
                source = read_distributions(shown, path, options, Path(scratch))
            else:
                source = read_distribution_frame(self.training, "training", options)
        found, problems = Reader(scale, self.normalise, SUM_TOLERANCE).distributions(source, source.cells)
        if problems:
            raise DataProblems(problems)
        return np.mean([distribution for distribution, _ in found.values()], axis=0)

    def with_baselines(self, scores: Scores, evidence: Evidence, *, distance: Any, seed: int) -> Scores:
        return scores  # they are runs already


TASK = Quantification
