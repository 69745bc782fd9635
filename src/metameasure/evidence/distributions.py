"""Distributions of runs and gold, per topic: checked, and put side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.messages import note, say
from metameasure.core.notes import counted
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_text
from metameasure.evidence.base import CaseEvidence, Reading, ScoredUnits, described, digest_of, hash_of
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.distribution_reader import Blocks, Masses, Unit
from metameasure.evidence.room import Room, by_rows, each_row, release
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import TIE
from metameasure.statistics.work import blocks

_BLOCK_CELLS = 2**20


@dataclass(frozen=True, eq=False)
class Distributions(CaseEvidence):
    """Gold (topics, C) and estimates (runs, topics, C), NaN on a topic that a run lacks.

    ``gold_mass`` (topics) is what gold's distributions were divided by, 1 where they are probabilities: with all topics as one,
    each weighs as much as that, on both sides.
    """

    task: ClassVar[str] = "quantification"
    name: ClassVar[str] = "distributions"
    why_unusable: ClassVar[str] = "the run lacks the topic"
    kept: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "gold": ("topics", "classes"),
        "estimates": ("runs", "topics", "classes"),
        "gold_mass": ("topics",),
    }
    scale: Scale
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    gold: Floats
    estimates: Floats
    gold_mass: Floats
    settings: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    lower: Distributions | None = None
    """What ``other_end`` is."""

    def other_end(self) -> Distributions | None:
        return self.lower

    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        estimates = self.estimates if list(runs) == list(range(len(self.runs))) else self.estimates[list(runs)]
        gold = np.broadcast_to(self.gold, estimates.shape)
        lacking = np.isnan(estimates[..., 0])
        mass = np.where(lacking, 0, self.gold_mass)
        filled_estimates = np.nan_to_num(estimates) if lacking.any() else estimates
        return Reading.of((estimates, gold), (_together(filled_estimates, mass), _together(gold, mass)), mass)

    def blocks(self) -> Iterator[list[int]]:
        for first, size in blocks(len(self.runs), self.gold.size, _BLOCK_CELLS):
            yield list(range(first, first + size))
            release(self.estimates)

    def scored(self, reads: str) -> ScoredUnits:
        there = [int((~np.isnan(own).all(axis=-1)).sum()) for own in each_row(self.estimates)]
        return ScoredUnits(np.array(there, dtype=np.int64), len(self.topics), "topics")

    def size(self, run: int) -> str:
        return f"{int((~np.isnan(self.estimates[run, :, 0])).sum())} distributions"

    def checksum(self) -> str:
        order = np.argsort(self.runs, kind="stable")
        facts = [str(self.scale), self.scale.kind, sorted(self.runs), self.topics]
        digest = hash_of(facts)
        for array in (self.gold, *(self.estimates[run] for run in order), self.gold_mass):
            digest.update(np.ascontiguousarray(array + 0.0, dtype="<f8").data)
            release(self.estimates)
        digest.update(b"" if self.lower is None else self.lower.checksum().encode())
        return str(digest.hexdigest()[:12])

    def digests(self) -> dict[str, str | dict[str, str]]:
        """Of gold's distributions, and of each run's, topic by topic."""
        facts = hash_of([str(self.scale), self.scale.kind, self.topics])
        gold = digest_of([self.gold + 0.0, self.gold_mass + 0.0], after=facts)
        return {"gold": gold, "runs": self.run_digests(facts)}

    def run_digests(self, facts: Any) -> dict[str, str]:
        """The digest of each run, by name; ``facts`` is a hash of what they share."""
        lower = {} if self.lower is None else self.lower.run_digests(facts)
        digests = {}
        for place, run in sorted(enumerate(self.runs), key=lambda one: one[1]):
            digests[run] = digest_of([self.estimates[place] + 0.0], after=facts)
            release(self.estimates)
            if lower:
                digests[run] = digest_of_text(digests[run] + lower[run])
        return digests

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        lower = {} if self.lower is None else {"lower_estimates": self.lower.estimates}
        return {}, {**{name: getattr(self, name) for name in self.kept}, **lower}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:
        whole = {name: array for name, array in arrays.items() if name != "lower_estimates"}
        made = cls(scale=scale or Scale.of([]), **described(facts), **whole)
        lower = arrays.get("lower_estimates")
        return made if lower is None else replace(made, lower=replace(made, estimates=lower))

    def plus(self, other: Self) -> Self:
        if self.lower is not None or other.lower is not None:
            ends = ((one, one.lower or one) for one in (self, other))
            (own, lower), (others, lower_others) = ((replace(one, lower=None), replace(low, lower=None)) for one, low in ends)
            return replace(own.plus(others), lower=lower.plus(lower_others))
        return super().plus(other)

    def with_runs(self, names: Sequence[str], estimates: Floats, notes: Sequence[str]) -> Distributions:
        """These and more runs."""
        return replace(
            self,
            runs=(*self.runs, *names),
            estimates=by_rows(np.asarray, self.estimates, estimates),
            notes=(*self.notes, *notes),
            lower=None if self.lower is None else self.lower.with_runs(names, estimates, notes),
        )

    def smoothed(self, epsilon: float) -> Distributions:
        """Every probability p replaced by (p + ε) / (1 + ε C), on both sides."""
        check_smoothing(epsilon)
        gold, estimates = (by_rows(lambda part: smoothed(part, epsilon), array) for array in (self.gold, self.estimates))
        settings, lower = (
            (*self.settings, ("smooth", f"{epsilon:g}")),
            None if self.lower is None else self.lower.smoothed(epsilon),
        )
        return replace(self, gold=gold, estimates=estimates, settings=settings, lower=lower)


def popularity(gold: Floats) -> Floats:
    """The baseline that reads the gold (..., C): all mass on the most frequent class, shared by several that are equally so."""
    modes = gold >= gold.max(axis=-1, keepdims=True) - TIE
    return np.asarray(modes / modes.sum(axis=-1, keepdims=True))


def check_smoothing(epsilon: float) -> None:
    """UsageError for an ε that is no small number."""
    if not isinstance(epsilon, int | float) or not 0 < epsilon < math.inf:
        raise UsageError(f"cannot smooth by {epsilon}", hint=say("add a small number above 0, as in {--smooth 0.001}"))


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
    by_run = (counts.tables(block).sum(axis=-2) for block in counts.blocks())
    predicted = np.concatenate([np.empty((0, *gold.shape)), *by_run])  # of gold alone there are none
    gold_mass, mass = gold.sum(axis=-1), predicted.sum(axis=-1)
    shares, estimates = _shares(gold, gold_mass), _shares(predicted, mass)
    lower = None if counts.lower is None else of_counts(counts.lower)
    settings, notes = counts.settings, counts.notes
    return Distributions(counts.scale, counts.runs, counts.topics, shares, estimates, gold_mass, settings, notes, lower)


def _shares(parts: Floats, whole: Floats) -> Floats:
    """Of each class; NaN where there is nothing."""
    some = whole[..., None] > 0
    return np.where(some, parts / np.where(some, whole[..., None], 1), np.nan)


def of_masses(masses: Masses, *, normalise: bool, settings: tuple[tuple[str, str], ...]) -> Distributions:
    """Gold and runs side by side, on gold's topics; each divided by its mass where they are counts."""
    gold = masses.there[0]
    values, there, sums, topics = masses.values, masses.there, masses.sums, masses.topics
    if not gold.all():
        values, there, sums = values[:, gold], there[:, gold], sums[:, gold]
        topics = tuple(compress(topics, gold.tolist()))
    whole = np.where(normalise | masses.counted[:, None], sums, 1.0)
    shares = values if (whole == 1).all() else values / np.where(there, whole, 1.0)[..., None]
    if not there.all():
        shares = np.where(there[..., None], shares, np.nan)
    notes = (*masses.notes, *left_out(masses))
    return Distributions(masses.scale, masses.names, topics, shares[0], shares[1:], whole[0] * there[0], settings, notes)


def left_out(masses: Masses, unit: Unit = "topic") -> tuple[str, ...]:
    """What there is to say of topics, or items, that a run or gold lacks."""
    gold, runs = masses.there[0], masses.there[1:]
    kinds = ((gold & ~runs, f"missing {unit}", "left out"), (runs & ~gold, unit, "that gold does not have left out"))
    return tuple(
        note("rows read otherwise", f"{{name}}: {{{unit}s}} {what}", name=name, **{f"{unit}s": counted(number, noun)})
        for which, noun, what in kinds
        for name, number in zip(masses.names, which.sum(axis=1).tolist(), strict=True)
        if number
    )


def of_blocks(
    blocks: Blocks, room: Room, *, normalise: bool, settings: tuple[tuple[str, str], ...]
) -> tuple[Distributions, Masses]:
    """The same from blocks of topics, and which side has which topic (without the values)."""
    sides, classes = len(blocks.names) + 1, len(blocks.scale)
    estimates = room.empty((sides - 1, len(blocks.topics), classes))
    there = np.zeros((sides, len(blocks.topics)), bool)
    parts: list[Distributions] = []
    first = filled = 0
    for masses in blocks.masses:
        part = of_masses(masses, normalise=normalise, settings=settings)
        estimates[:, filled : filled + len(part.topics)] = part.estimates
        there[:, first : first + len(masses.topics)] = masses.there
        parts.append(replace(part, estimates=part.estimates[:, :0]))
        first, filled = first + len(masses.topics), filled + len(part.topics)
        release(estimates)
    whole = Masses(blocks.scale, blocks.names, blocks.topics, np.empty((sides, 0, classes)), there, blocks.counted)
    topics = tuple(topic for part in parts for topic in part.topics)
    notes = (*blocks.notes, *left_out(whole))
    gold, mass = (np.concatenate([getattr(part, name) for part in parts]) for name in ("gold", "gold_mass"))
    evidence = Distributions(blocks.scale, blocks.names, topics, gold, estimates[:, :filled], mass, settings, notes)
    return evidence, whole
