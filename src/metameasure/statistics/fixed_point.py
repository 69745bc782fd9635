"""Scores as whole numbers, so that sums are exact: the same in any order, on any number of threads, in any library."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BITS = 40
_ROOM = 62


@dataclass(frozen=True)
class FixedPoint:
    """``values`` are whole numbers of ``unit`` each. Sums of n of them that differ by ``tolerance(n)`` or less are the same."""

    values: npt.NDArray[np.int64]
    unit: float

    @staticmethod
    def tolerance(terms: int) -> int:
        """What rounding each of the terms of two sums can come to."""
        return 2 * terms


def fixed_point(scores: npt.NDArray[np.float64], terms: int) -> FixedPoint:
    """Finite scores to 40 bits behind the largest one's first, or fewer where a sum of so many of them would not fit.

    Scores that are all multiplied by a power of two give the same whole numbers.
    """
    largest = float(np.max(np.abs(scores), initial=0.0))
    if largest == 0:
        return FixedPoint(np.zeros(scores.shape, dtype=np.int64), 1.0)
    bits = min(_BITS, _ROOM - math.ceil(math.log2(max(2, terms))) - 1) - math.floor(math.log2(largest))
    return FixedPoint(np.rint(np.ldexp(scores, bits)).astype(np.int64), float(np.ldexp(1.0, -bits)))
