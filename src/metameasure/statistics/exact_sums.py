"""Sums of floats without rounding on the way: the same in any order, in parts, and on any engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.statistics.arrays import Floats, Integers

_BITS = 53  # of a float
_SAME = 1e-12
_BEYOND = 1e290  # sums of numbers above this may be infinite


def exact_sums(values: Floats, starts: Sequence[int] | Integers, times: Integers | None = None) -> Floats:
    """(rows, groups): sums of finite values (rows, n), a group from each start to the next, rounded once each. ``times`` (n,) is
    how often each value counts."""
    ends = np.asarray(starts, dtype=np.int64)
    return np.stack([_of_row(row, ends, times) for row in values]) if len(values) else np.zeros((0, len(ends) - 1))


def exact_sum(values: Floats, times: Integers | None = None) -> float:
    """The sum of finite values (n,), rounded once."""
    return float(_of_row(values, np.array([0, len(values)]), times)[0])


def exact_sum_of_parts(parts: Callable[[], Iterable[Floats]]) -> float:
    """The sum of the finite values of several arrays, rounded once: the same as of all in one, of which only a part is in
    memory. ``parts`` may be asked again."""
    try:
        return math.fsum(number for part in parts() for number in _few(part))
    except OverflowError:
        return exact_sum(np.concatenate([*parts()]))


@dataclass(frozen=True)
class Moments:
    """The number of some values, their mean, and its standard error, which is 0 where all are the same."""

    number: int
    mean: float = math.nan
    error: float = math.nan

    @classmethod
    def of(cls, values: Floats, times: Integers | None = None) -> Moments:
        size = len(values) if times is None else int(times.sum())
        if size < 2:
            return cls(size)
        mean = exact_sum(values, times) / size
        return cls.of_squares(size, mean, float(np.ptp(values)), exact_sum((values - mean) ** 2, times))

    @classmethod
    def of_parts(cls, parts: Callable[[], Iterable[Floats]]) -> Moments:
        """The same of the values of several arrays, of which only a part is in memory."""
        size, low, high = 0, math.inf, -math.inf
        for part in parts():
            size, low, high = size + len(part), min(low, part.min(initial=low)), max(high, part.max(initial=high))
        if size < 2:
            return cls(size)
        mean = exact_sum_of_parts(parts) / size
        return cls.of_squares(size, mean, float(high - low), exact_sum_of_parts(lambda: ((part - mean) ** 2 for part in parts())))

    @classmethod
    def of_squares(cls, number: int, mean: float, spread: float, squares: float) -> Moments:
        """From the distance between the ends, and the sum of squares around the mean."""
        if number < 2:
            return cls(number)
        error = math.sqrt(squares / (number - 1)) / math.sqrt(number) if spread > _SAME else 0.0
        return cls(number, mean, error)


def _of_row(row: Floats, starts: Integers, times: Integers | None) -> Floats:
    number = len(row) if times is None else int(times.sum())
    largest = float(np.max(np.abs(row), initial=0.0))
    if not largest:
        return np.zeros(len(starts) - 1)
    if _have_few_digits(row, largest, number):
        up_to = np.concatenate([[0.0], np.cumsum(row if times is None else row * times)])
        return np.asarray(up_to[starts[1:]] - up_to[starts[:-1]])
    ends = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    if largest > _BEYOND:
        with np.errstate(over="ignore", invalid="ignore"):  # what is beyond the largest number is infinite
            return np.array([float((row if times is None else row * times)[first:last].sum()) for first, last in ends])
    listed, often = row.tolist(), None if times is None else times.tolist()
    if often is None:
        return np.array([math.fsum(listed[first:last]) for first, last in ends])
    return np.array([_weighted(listed[first:last], often[first:last]) for first, last in ends])


def _have_few_digits(row: Floats, largest: float, number: int) -> bool:
    """Whether values have so few digits that no sum of so many of them is rounded."""
    whole = np.ldexp(row, _BITS - 1 - math.frexp(largest)[1] - number.bit_length())
    return np.array_equal(whole, np.floor(whole))


def _few(row: Floats) -> list[float]:
    """Numbers that add up to the same: one where it is not rounded. OverflowError where a sum may be infinite."""
    largest = float(np.max(np.abs(row), initial=0.0))
    if largest > _BEYOND:
        raise OverflowError
    return [float(row.sum())] if not largest or _have_few_digits(row, largest, len(row)) else row.tolist()


def _weighted(values: Sequence[float], times: Sequence[int]) -> float:
    """The sum of values that count so often each. (Floats are whole numbers of a power of two.)"""
    ratios = [value.as_integer_ratio() for value in values]
    unit = max((below for _, below in ratios), default=1)
    return sum(above * (unit // below) * often for (above, below), often in zip(ratios, times, strict=True)) / unit
