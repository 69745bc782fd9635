"""Distributions of runs and gold, per topic: checked, and put side by side."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError
from metameasure.evidence.base import CaseEvidence, Reading, check_other_runs
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distribution_table import Masses
from metameasure.notes import counted
from metameasure.scale import Scale
from metameasure.statistics.rank_correlation import TIE
from metameasure.values import in_order

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distributions(CaseEvidence):
    """Gold (topics, C) and estimates (runs, topics, C), NaN on a topic that a run lacks.

    ``gold_mass`` (topics) is what gold's distributions were divided by, 1 where they are probabilities: with all topics as one,
    each weighs as much as that, on both sides.
    """

    task: ClassVar[str] = "quantification"
    name: ClassVar[str] = "distributions"
    why_unusable: ClassVar[str] = "the run lacks the topic"
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    gold: Floats
    estimates: Floats
    gold_mass: Floats
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def offers(self) -> frozenset[str]:
        return frozenset({self.name})

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        estimates = self.estimates[list(runs)]
        gold = np.broadcast_to(self.gold, estimates.shape)
        mass = np.where(np.isnan(estimates[..., 0]), 0, self.gold_mass)
        return Reading.of((estimates, gold), (_together(np.nan_to_num(estimates), mass), _together(gold, mass)), mass)

    def size(self, run: int) -> str:
        return f"{int((~np.isnan(self.estimates[run, :, 0])).sum())} distributions"

    def checksum(self) -> str:
        order = np.argsort(self.runs, kind="stable")
        facts = [str(self.scale), self.scale.kind, sorted(self.runs), self.topics]
        digest = hashlib.sha256(json.dumps(facts).encode())
        for array in (self.gold, self.estimates[order], self.gold_mass):
            digest.update(np.ascontiguousarray(array + 0.0, dtype="<f8").tobytes())
        return digest.hexdigest()[:12]

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {}, {"gold": self.gold, "estimates": self.estimates, "gold_mass": self.gold_mass}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        described = {name: facts[name] for name in ("runs", "topics", "settings", "notes")}
        return cls(scale=scale or Scale.of([]), **described, **arrays)

    def plus(self, other: Self) -> Self:
        self.check_settings(other)
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        if not {*self.topics} & {*other.topics} and {*self.runs} == {*other.runs}:
            topics = tuple(in_order((*self.topics, *other.topics)))
            order = [(*self.topics, *other.topics).index(topic) for topic in topics]
            same = [other.runs.index(run) for run in self.runs]
            return replace(
                self,
                topics=topics,
                gold=np.concatenate([self.gold, other.gold])[order],
                estimates=np.concatenate([self.estimates, other.estimates[same]], axis=1)[:, order],
                gold_mass=np.concatenate([self.gold_mass, other.gold_mass])[order],
                notes=notes,
            )
        check_other_runs(self, other)
        if not (np.array_equal(self.gold, other.gold) and np.array_equal(self.gold_mass, other.gold_mass)):
            raise UsageError("the parts have the same topics with another gold", hint="merge parts of one gold")
        estimates = np.concatenate([self.estimates, other.estimates])
        return replace(self, runs=(*self.runs, *other.runs), estimates=estimates, notes=notes)

    def with_runs(self, names: Sequence[str], estimates: Floats, notes: Sequence[str]) -> Distributions:
        """These and more runs; UsageError where a name is taken."""
        taken = [name for name in names if name in self.runs]
        if taken:
            raise UsageError(f"a run is called '{taken[0]}', as a baseline is", hint="rename it, or leave out --baselines")
        return replace(
            self,
            runs=(*self.runs, *names),
            estimates=np.concatenate([self.estimates, estimates]),
            notes=(*self.notes, *notes),
        )

    def smoothed(self, epsilon: float) -> Distributions:
        """Every probability p replaced by (p + ε) / (1 + ε C), on both sides."""
        if not isinstance(epsilon, int | float) or not 0 < epsilon < math.inf:
            raise UsageError(f"cannot smooth by {epsilon}", hint="add a small number above 0, as in --smooth 0.001")
        gold, estimates = (smoothed(array, epsilon) for array in (self.gold, self.estimates))
        return replace(self, gold=gold, estimates=estimates, settings=(*self.settings, ("smooth", f"{epsilon:g}")))


def popularity(gold: Floats) -> Floats:
    """The baseline that reads the gold (..., C): all mass on the most frequent class, shared by several that are equally so."""
    modes = gold >= gold.max(axis=-1, keepdims=True) - TIE
    return np.asarray(modes / modes.sum(axis=-1, keepdims=True))


def smoothed(distributions: Floats, epsilon: float) -> Floats:
    """(p + ε) / (1 + ε C) of every probability p."""
    smooth: Floats = (distributions + epsilon) / (1 + epsilon * distributions.shape[-1])
    return smooth


def _together(distributions: Floats, mass: Floats) -> Floats:
    """All topics as one, each with its mass."""
    total: Floats = np.einsum("rtc,rt->rc", distributions, mass)
    whole = mass.sum(axis=1, keepdims=True)
    return np.where(whole > 0, total / np.where(whole > 0, whole, 1), np.nan)


def of_counts(counts: LabelCounts) -> Distributions:
    """Labels reduced to distributions: gold's and each run's shares of the classes, per topic."""
    gold = counts.gold_tables()
    predicted = np.concatenate([counts.tables(block).sum(axis=-2) for block in counts.blocks()])
    gold_mass, mass = gold.sum(axis=-1), predicted.sum(axis=-1)
    shares, estimates = _shares(gold, gold_mass), _shares(predicted, mass)
    return Distributions(counts.scale, counts.runs, counts.topics, shares, estimates, gold_mass, counts.settings, counts.notes)


def _shares(parts: Floats, whole: Floats) -> Floats:
    """Of each class; NaN where there is nothing."""
    some = whole[..., None] > 0
    return np.where(some, parts / np.where(some, whole[..., None], 1), np.nan)


def of_masses(masses: Masses, *, normalise: bool, settings: tuple[tuple[str, str], ...]) -> Distributions:
    """Gold and runs side by side, on gold's topics; each divided by its mass where they are counts."""
    gold = np.flatnonzero(masses.there[0])
    values, there = masses.values[:, gold], masses.there[:, gold]
    sums = values.sum(axis=-1)
    whole = np.where(normalise | masses.counted[:, None], sums, 1.0)
    shares = np.where(there[..., None], values / np.where(there, whole, 1.0)[..., None], np.nan)
    lacking = zip(masses.names, (~there[1:]).sum(axis=1).tolist(), strict=True)
    extra = zip(masses.names, (masses.there[1:] & ~masses.there[0]).sum(axis=1).tolist(), strict=True)
    notes = tuple(f"{name}: {counted(number, 'missing topic')} left out" for name, number in lacking if number)
    notes += tuple(f"{name}: {counted(number, 'topic')} that gold does not have left out" for name, number in extra if number)
    topics = tuple(masses.topics[place] for place in gold.tolist())
    return Distributions(masses.scale, masses.names, topics, shares[0], shares[1:], whole[0] * there[0], settings, notes)
