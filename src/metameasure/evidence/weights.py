"""Weights of items as whole numbers whose sums are exact: the same on any engine and in memory, however they are added up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metameasure.core.lazily import nw
from metameasure.reading.engine import Frame, fetch
from metameasure.statistics.arrays import Floats, Integers

LARGEST_WEIGHT = 1e200
"""Beyond this, sums of weights would leave the numbers that can be told apart."""
PART = "weight part "
"""What columns with digits of the weights are called; how many bits they stand above the unit follows."""
ROUNDED = f"{PART}0"
"""The one column of weights that are rounded instead, where several outputs for an item share its weight."""
_LEAST_BIT = -1000  # what a weight has beyond this power of two does not count
_BITS_OF_A_WEIGHT = 53
MOST_BITS = 62
"""Of a sum that an engine adds up."""


@dataclass(frozen=True)
class Weights:
    """The largest weight, the smallest above 0, and how many are not numbers from 0 to ``LARGEST_WEIGHT``."""

    largest: float
    smallest: float
    wrong: int

    @classmethod
    def in_frame(cls, frame: Frame) -> Weights:
        weight = nw.col("weight")
        sound = ~weight.is_null() & ~weight.is_nan() & (weight >= 0) & (weight <= LARGEST_WEIGHT)
        wrong = nw.when(sound).then(nw.lit(0)).otherwise(nw.lit(1))  # not every engine adds up truths
        least = nw.when(weight > 0).then(weight).min().alias("smallest")
        found = fetch(frame.select(weight.max().alias("largest"), least, wrong.sum().alias("wrong")))
        largest, smallest, number = (np.nan_to_num(np.ma.filled(found[name], 0))[0] for name in ("largest", "smallest", "wrong"))
        return cls(float(largest), float(smallest), int(number))

    @classmethod
    def in_array(cls, weight: Floats) -> Weights:
        sound = (weight >= 0) & (weight <= LARGEST_WEIGHT)
        smallest = float(np.min(weight, where=weight > 0, initial=np.inf))
        largest = float(np.nanmax(weight, initial=0.0))
        return cls(largest, smallest if math.isfinite(smallest) else 0.0, int(np.count_nonzero(~sound)))


@dataclass(frozen=True)
class Digits:
    """Columns of some binary digits of the weights each, so many that the sums have room, from the lowest up. (Products with
    powers of two are exact, and so is what its whole part leaves of a number.)"""

    lowest: int
    wide: int
    steps: int

    @classmethod
    def of(cls, weights: Weights, number: int) -> Digits:
        """For sums over so many rows."""
        lowest = min(-1, max(_LEAST_BIT, _exponent(weights.smallest) - _BITS_OF_A_WEIGHT))
        wide = MOST_BITS - number.bit_length()
        return cls(lowest, wide, -(-(_exponent(weights.largest) - lowest) // wide))

    @property
    def unit(self) -> int:
        """The sums are whole numbers of 1/unit."""
        return 1 << -self.lowest

    def _parts(self) -> list[tuple[str, float, float]]:
        """Of each column: its name, the factor that brings its digits behind the point, and the weight that has none of them."""
        above = [self.lowest + (step + 1) * self.wide for step in range(self.steps)]
        return [
            (f"{PART}{step * self.wide}", math.ldexp(1.0, -end), math.ldexp(1.0, end + _BITS_OF_A_WEIGHT))
            for step, end in enumerate(above)
        ]

    def columns(self, *, of: str = "weight") -> list[nw.Expr]:
        """The digits of a column of a frame, with its sign; 0 where it has nothing."""
        weight, room, made = nw.col(of).abs(), math.ldexp(1.0, self.wide), []
        for name, factor, beyond in self._parts():
            share = weight * factor
            digits = ((share - share.floor()) * room).floor()
            signed = nw.when(nw.col(of) < 0).then(-digits).otherwise(digits)
            made.append(nw.when(weight < beyond).then(signed).otherwise(0).cast(nw.Int64).alias(name))
        return made

    def in_array(self, weight: Floats) -> dict[str, Integers]:
        """The digits of weights in memory."""
        room, made = math.ldexp(1.0, self.wide), {}
        for name, factor, beyond in self._parts():
            share = weight * factor
            made[name] = np.where(weight < beyond, np.floor((share - np.floor(share)) * room), 0).astype(np.int64)
        return made


def rounded(bits: int) -> nw.Expr:
    """Weights as whole numbers of 2^-bits. Not cast(round(...)): engines round halves differently."""
    return (nw.col("weight") * float(1 << bits) + 0.5).floor().cast(nw.Int64).alias(ROUNDED)


def most_bits(largest: float, number: int) -> int:
    """How many binary digits behind the point sums of so many rounded weights have room for."""
    return math.floor(MOST_BITS - math.log2(largest) - math.log2(number))


def in_place(column: str, digits: Integers) -> Integers:
    """Sums of such a column as whole numbers of the unit."""
    return np.asarray(digits.astype(object) << int(column.removeprefix(PART)))


def _exponent(number: float) -> int:
    """The power of two that a number is below, and half of which it reaches."""
    return math.frexp(number)[1]
