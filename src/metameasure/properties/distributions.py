"""Pairs of distributions, gold and estimate, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.properties.comparing import Side
from metameasure.properties.property import Shown
from metameasure.properties.spaces import Counts, Integers, distribution_block, random_sizes
from metameasure.properties.trial import Trial


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs(Side):
    """Gold and estimate as whole numbers (cases, C), each to be divided by its case's ``steps``."""

    gold: Counts
    estimate: Counts
    steps: Integers
    values: tuple[float, ...] | None = None

    def parts(self, place: int) -> dict[str, Any]:
        steps = int(self.steps[place])
        gold, estimate = ([int(part) / steps for part in side[place]] for side in (self.gold, self.estimate))
        return {"gold": gold, "estimate": estimate} | ({} if self.values is None else {"values": list(self.values)})

    def items(self) -> npt.NDArray[Any]:
        return self.steps

    @property
    def classes(self) -> int:
        return int(self.gold.shape[-1])


def scored_pairs(
    trial: Trial,
    gold: Counts,
    estimate: Counts,
    steps: Integers,
    *,
    labels: tuple[str, ...] | None = None,
    values: tuple[float, ...] | None = None,
) -> Pairs:
    """Any pairs with their scores."""
    scores = trial.score(estimate / steps[:, None], gold / steps[:, None], labels=labels, values=values)
    return Pairs(gold=gold, estimate=estimate, steps=steps, scores=scores, values=values)


@lru_cache(maxsize=64)
def _all_pairs(classes: int, steps: int) -> tuple[Counts, Counts, Integers]:
    block = distribution_block(classes, steps)
    gold, estimate = (places.ravel() for places in np.indices((len(block), len(block))))
    return block[gold], block[estimate], np.full(len(gold), steps)


def small_pairs(trial: Trial, classes: int, steps: int) -> Pairs:
    """All pairs in steps of one size, in lexicographic order of gold, then of the estimate."""
    gold, estimate, size = _all_pairs(classes, steps)
    return Pairs(gold=gold, estimate=estimate, steps=size, scores=trial.distribution_scores(classes, steps).ravel())


@lru_cache(maxsize=8)
def _drawn(number: int, seed: int) -> tuple[tuple[Counts, Counts, Integers], ...]:
    """Dense and sparse distributions, point masses among them, for each number of classes."""
    found = []
    for classes, rng, steps in random_sizes(number, seed, 11, 2):
        shares = rng.dirichlet(np.ones(classes), (2, len(steps))) ** rng.choice([0.3, 1.0, 4.0], (2, len(steps), 1))
        empty = rng.random(shares.shape) < rng.choice([0.0, 0.5], (2, len(steps), 1))
        empty[np.arange(2)[:, None], np.arange(len(steps)), rng.integers(classes, size=(2, len(steps)))] = False
        shares = np.where(empty, 0.0, shares)
        gold, estimate = rng.multinomial(steps, shares / shares.sum(axis=-1, keepdims=True))
        found.append((gold, estimate, steps))
    return tuple(found)


def random_golds(trial: Trial, seed: int, number: int) -> Iterator[tuple[Counts, Counts, Integers]]:
    """Random golds, estimates and steps, for each number of classes that can be tried."""
    yield from (part for part in _drawn(number, seed) if trial.fixed in (None, part[0].shape[-1]))


def random_pairs(trial: Trial, seed: int, number: int) -> Iterator[Pairs]:
    """Random pairs with their scores."""
    for gold, estimate, steps in random_golds(trial, seed, number):
        yield scored_pairs(trial, gold, estimate, steps)


def distribution(shares: list[float]) -> str:
    """(1, 2, 1, 2)/6."""
    parts = [Fraction(share).limit_denominator(1000) for share in shares]
    whole = int(np.lcm.reduce([part.denominator for part in parts]))
    if whole == 1:
        return f"({', '.join(str(part) for part in parts)})"
    return f"({', '.join(str(part * whole) for part in parts)})/{whole}"


def gold_and_estimate(case: Shown) -> str:
    """Gold (1, 2, 1, 2)/6, estimate (2, 2, 1, 1)/6."""
    return f"gold {distribution(case.parts['gold'])}, estimate {distribution(case.parts['estimate'])}"
