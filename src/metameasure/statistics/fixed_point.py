"""Scores as whole numbers, so that sums are exact: the same in any order, on any number of threads, in any library."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from metameasure.statistics.arrays import Floats, Integers

_BITS = 40
_ROOM = 62
_NOISE = 2.0**-49  # of a score, relative to its size: a few units in the last place of a float


@dataclass(frozen=True)
class FixedPoint:
    """``values`` are whole numbers of ``unit`` each. Sums of n of them that differ by ``tolerance(n)`` or less are the same."""

    values: Integers
    unit: float
    noise: int = 0
    """What the rounding of the scores themselves can come to in a sum over all topics, in units."""

    def tolerance(self, terms: int) -> int:
        """What rounding can come to in two sums of so many terms."""
        return 2 * terms + self.noise


def fixed_point(scores: Floats, terms: int) -> FixedPoint:
    """Finite scores to 40 bits behind the largest one's first, or fewer where a sum of so many of them would not fit.

    Scores that are all multiplied by a power of two give the same whole numbers.
    """
    largest = float(np.max(np.abs(scores), initial=0.0))
    if largest == 0:
        return FixedPoint(np.zeros(scores.shape, dtype=np.int64), 1.0)
    bits = min(_BITS, _ROOM - math.ceil(math.log2(max(2, terms))) - 1) - math.floor(math.log2(largest))
    return FixedPoint(np.rint(np.ldexp(scores, bits)).astype(np.int64), float(np.ldexp(1.0, -bits)))


def fixed_point_less_shared(scores: Floats, terms: int) -> FixedPoint:
    """Scores (topics, systems) less their topic's mean, for comparisons of systems: what a topic's systems share cancels there,
    and should cost no precision."""
    fixed = fixed_point(scores - scores.mean(axis=1, keepdims=True), terms)
    noise = _NOISE * float(np.max(np.abs(scores), axis=1).sum()) / fixed.unit
    return replace(fixed, noise=int(min(math.floor(noise), 2**_ROOM)))
