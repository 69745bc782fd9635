"""Quantification: a distribution over classes per topic."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.quantification.distributions import SUM_TOLERANCE
from metameasure.core.choices import Average
from metameasure.core.errors import NoRuns, UsageError
from metameasure.core.messages import note, say
from metameasure.core.messages import option as flag
from metameasure.core.options import said, with_options
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Scale
from metameasure.evidence.base import digest_of
from metameasure.evidence.counting import count_tables
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distribution_arrays import check_there_are_runs, masses_of_arrays
from metameasure.evidence.distribution_reader import DistributionReader, Masses, shape_of, topic_problems
from metameasure.evidence.distributions import Distributions, of_blocks, of_counts, of_masses, popularity, smoothed
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.room import Room
from metameasure.reading.frames import is_matrix
from metameasure.reading.inputs import GoldAndRuns, check_named, one_source, open_inputs
from metameasure.reading.joining import KeyedTable
from metameasure.reading.options import ReadOptions
from metameasure.scores.label_baselines import Baselines
from metameasure.scores.run_names import PREFIX, check_free
from metameasure.tasks.base import CaseTask, count_options, declared_scale, label_reader, settings_of
from metameasure.tasks.facts import DataFacts
from metameasure.tasks.option_groups import DistributionOptions
from metameasure.tasks.quantification import TASK, Options
from metameasure.tasks.quantification.facts import facts_of_distributions
from metameasure.tasks.quantification.tables import DistributionTables, distribution_tables


@dataclass(frozen=True)
class Quantification(CaseTask[Distributions, Options]):
    """Distributions as a user names them, or labels to be reduced to some."""

    declared = TASK

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self.read

    @cached_property
    def scale(self) -> Scale | None:
        """The declared classes."""
        return declared_scale(self.options.classes, self.options.kind)

    @cached_property
    def read(self) -> ReadOptions:
        """How files are read."""
        labels = self.scale.labels if self.scale else ()
        return self.options.reading(ReadOptions, classes=labels, aspect=self.options.aspect)

    @property
    def normalise(self) -> bool:
        """Whether distributions are divided by their sums."""
        return self.options.counts or self.options.normalise

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature has to say of how they are read."""
        return settings_of(self.options, "counts", "normalise")

    def _counted(self, labels: KeyedTable) -> LabelCounts:
        return count_tables(labels, count_options(self.options, self.options.bins))

    @property
    def _label_reader(self) -> LabelReader:
        return replace(label_reader(self.options, numeric=bool(self.options.bins)), options=self.read)

    @property
    def wants_baselines(self) -> bool:
        return self.options.training is not None

    def reduced(self) -> Distributions:
        if is_matrix(self.gold):
            return self._of_arrays()
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            inputs = open_inputs(self.gold, self.runs, self.read, Path(scratch))
            if not self._are_labels(inputs):
                return self._of_distributions(inputs, Path(scratch))
            self._check_aspect(inputs)
            return of_counts(self._counted(self._label_reader.of_inputs(inputs)))

    def _of_arrays(self, *, alone: bool = False) -> Distributions:
        """Arrays (topics, classes), gold's and each run's."""
        self._check_options()
        drop = self.options.missing == "drop"
        masses = masses_of_arrays(self.gold, None if alone else self.runs, self._reader(self.scale), drop=drop)
        if not alone:
            check_there_are_runs(masses)
        return of_masses(masses, normalise=self.normalise, settings=self.settings)

    def evidence(self) -> Distributions:
        return self._as_asked(super().evidence())

    def _as_asked(self, evidence: Distributions) -> Distributions:
        """Smoothed where that is asked for; settings say what baselines are made of."""
        if self.options.smooth is not None:
            evidence = evidence.smoothed(self.options.smooth)
        if self.options.training is None:
            return evidence
        digest = digest_of([self._training_mean(evidence.scale)], digits=8)
        return replace(evidence, settings=(*evidence.settings, ("training", digest)))

    def gold_alone(self) -> Distributions:
        if is_matrix(self.gold):
            return self._as_asked(self._of_arrays(alone=True))
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            gold = one_source(self.gold, "gold", self.read, Path(scratch))
            check_named(self.read, gold)
            if shape_of(gold.columns, self.read.of_gold().columns) == "labels":
                evidence = of_counts(self._counted(self._label_reader.gold_alone(self.gold, Path(scratch))).without_runs())
            else:
                self._check_options()
                self._check_aspect(GoldAndRuns(gold))
                masses = self._reader(self.scale).masses(GoldAndRuns(gold))
                evidence = of_masses(masses, normalise=self.normalise, settings=self.settings)
        return self._as_asked(evidence)

    def right(self) -> Distributions:
        alone = self.gold_alone()
        return alone.with_runs(["gold"], alone.gold[None], ())

    @classmethod
    def tables(cls, evidence: Distributions) -> DistributionTables:
        return distribution_tables(evidence)

    @classmethod
    def facts(cls, evidence: Distributions) -> DataFacts:
        return facts_of_distributions(evidence)

    def _are_labels(self, inputs: GoldAndRuns) -> bool:
        """Whether gold and all runs are labels per item: joined and audited as for classification, then reduced."""
        return all(
            shape_of(source.columns, columns) == "labels" and not source.counted
            for source, columns in (
                (inputs.gold, self.read.of_gold().columns),
                *((source, self.read.columns) for source in inputs.runs),
            )
        )

    def _of_distributions(self, inputs: GoldAndRuns, scratch: Path) -> Distributions:
        self._check_options()
        self._check_aspect(inputs)
        if not inputs.runs:
            raise NoRuns("there are no runs", hint="name gold, and the runs after it")
        how: dict[str, Any] = {"normalise": self.normalise, "settings": self.settings}
        if self.read.memory is None:
            masses = self._reader(self.scale).masses(inputs)
            self._check_topics(inputs, masses)
            evidence = of_masses(masses, **how)
        else:
            room = Room.of(self.read.memory)
            blocks = self._reader(self.scale).in_blocks(inputs, room.rows_at_once, scratch)
            evidence, masses = of_blocks(blocks, room, **how)
            self._check_topics(inputs, masses)
        return replace(evidence, notes=(*inputs.notes, *evidence.notes))

    def _check_options(self) -> None:
        """UsageError for what is not for distributions."""
        options = self.options
        for option, value in (("bins", options.bins), ("partitions", options.partitions), ("run-columns", options.run_columns)):
            if value:
                raise UsageError(
                    say("{option} is for labels, but these are distributions", option=flag(option)), hint="leave it out"
                )
        if options.missing not in (None, "drop"):
            raise UsageError("topics that a run lacks can only be dropped", hint=say("choose {--missing drop}"))

    def _check_topics(self, inputs: GoldAndRuns, masses: Masses) -> None:
        """DataProblems where gold and a run have other topics."""
        drop, ignore = self.options.missing == "drop", self.options.extra == "ignore"
        problems, total = topic_problems(inputs, masses, self.read.columns, drop=drop, ignore=ignore)
        if problems:
            raise DataProblems(problems, total)

    def _reader(self, scale: Scale | None) -> DistributionReader:
        return DistributionReader(self.read, scale, self.normalise, SUM_TOLERANCE)

    def _check_aspect(self, inputs: GoldAndRuns) -> None:
        if self.read.aspect is not None and not any(source.format_name == "ntcir-dq" for source in (inputs.gold, *inputs.runs)):
            raise UsageError(say("{--aspect} is for NTCIR's files"), hint="leave it out")

    def baselines(
        self, evidence: Distributions, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int
    ) -> Baselines:
        made = self.baseline_runs(evidence)
        scores = self.score(made, measures, distance=distance, average=average, drawn_with=None)
        return Baselines.of(scores, scores.notes)

    def baseline_runs(self, evidence: Distributions) -> Distributions:
        """Popularity, Uniform, a point mass per class, and the mean training distribution, instead of the runs."""
        shape = evidence.gold.shape
        made = {
            "Popularity": popularity(evidence.gold),
            "Uniform": np.full(shape, 1 / shape[1]),
            **{
                f"always {label}": np.broadcast_to(np.eye(shape[1])[place], shape)
                for place, label in enumerate(evidence.scale.labels)
            },
        }
        if self.options.training is not None:
            made["training mean"] = np.broadcast_to(self._training_mean(evidence.scale), shape)
        stacked = np.stack(list(made.values()))
        estimates = stacked if self.options.smooth is None else smoothed(stacked, self.options.smooth)
        notes = (
            note("popularity reads gold", "Popularity reads the gold: it gives all mass to each topic's most frequent class"),
        )
        return replace(evidence, runs=tuple(made), estimates=estimates, notes=notes, lower=None)

    def _training_mean(self, scale: Scale) -> Any:
        """The mean over the topics of the training data."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            source = one_source(self.options.training, "training", replace(self.read, classes=scale.labels), Path(scratch))
            masses = self._reader(scale).masses(GoldAndRuns(source))
        return of_masses(masses, normalise=self.normalise, settings=()).gold.mean(axis=0)


@with_options(DistributionOptions)
def distributions(asked: DistributionOptions, gold: Any, runs: Any) -> Distributions:
    """Read and check the distributions of gold and runs, to show them beside scores (``meta.deltas``).

    Parameters
    ----------
    gold : path or data frame
        Gold's distributions, as for ``evaluate`` with ``task="quantification"``.
    runs : path, list of paths, dict or data frame
        The estimates.

    Returns
    -------
    Distributions
        The evidence, as ``count`` gives it; with ``baselines`` that of the baselines too.

    Raises
    ------
    UsageError
        If an option makes no sense, or is not for the task.
    DataError
        If gold or a run is wrong; the message says in which file and line.

    Notes
    -----
    Gold and estimates are distributions over ordered classes, as in Sakai (2021); what a file has to be like is in
    docs/formats.md.

    Examples
    --------
    >>> import metameasure as mm
    >>> gold, run = {"topic": ["t"], "x": [0.5], "y": [0.5]}, {"topic": ["t"], "x": [0.25], "y": [0.75]}
    >>> import pandas as pd
    >>> found = mm.distributions(pd.DataFrame(gold), {"a": pd.DataFrame(run)}, classes="x,y")
    >>> found.estimates[0].tolist()
    [[0.25, 0.75]]

    """
    task = Quantification.on(gold, runs, said(asked, Options))
    evidence = task.evidence()
    if not asked.baselines:
        return evidence
    made = task.baseline_runs(evidence)
    names = [PREFIX + name for name in made.runs]
    check_free(names, evidence.runs)
    return evidence.with_runs(names, made.estimates, made.notes)
