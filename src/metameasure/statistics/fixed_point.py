"""Scores as whole numbers, so that sums are exact: the same in any order, on any number of threads, in any library."""

from __future__ import annotations

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
    """Finite scores in units of 2^-40, or coarser where a sum of so many of them would not fit."""
    largest = float(np.max(np.abs(scores), initial=0.0))
    bits = _BITS if largest == 0 else min(_BITS, int(_ROOM - np.ceil(np.log2(largest * max(2, terms)))) - 1)
    return FixedPoint(np.rint(np.ldexp(scores, bits)).astype(np.int64), float(np.ldexp(1.0, -bits)))
