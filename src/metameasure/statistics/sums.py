"""Statistics that are functions of sums over units: resampling units is a matrix product, leaving one out a subtraction."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.exact_sums import exact_sums
from metameasure.statistics.streams import stream, times_drawn, trial_keys
from metameasure.statistics.work import blocks

OfSums = Callable[[Floats], Floats]
"""A statistic: sums (..., K) to values (...)."""
_CELLS_AT_ONCE = 2**22
_RESAMPLES, _SHARES = 3, 4  # streams of their own


@dataclass(frozen=True, eq=False)
class Prior:
    """Units that might have been seen: what each adds to the sums (kinds, K), and how much it counts (kinds,)."""

    adds: Floats
    mass: Floats


@dataclass(frozen=True, eq=False)
class UnitSums:
    """What each unit adds to the sums, ``adds`` (kinds, K): units that add the same may be one kind, of which there are
    ``number`` (kinds,)."""

    adds: Floats
    number: Integers

    @classmethod
    def of_units(cls, adds: Floats, unit: Integers | None = None) -> UnitSums:
        """Rows (rows, K) each a unit, or those of a number in ``unit`` (rows,) together."""
        if unit is None:
            return cls(adds, np.ones(len(adds), dtype=np.int64))
        _, place = np.unique(unit, return_inverse=True)
        together = np.zeros((int(place.max(initial=-1)) + 1, adds.shape[1]))
        np.add.at(together, place, adds)
        return cls(together, np.ones(len(together), dtype=np.int64))

    @classmethod
    def of_values(cls, values: Floats, times: Integers | None = None) -> UnitSums:
        """Units that add a value (n,) and 1 each, those of one value of one kind; ``times`` (n,) is how many units each is."""
        kinds, place = np.unique(values, return_inverse=True)
        number = np.bincount(place.ravel(), times, minlength=len(kinds)).astype(np.int64)
        return cls(np.column_stack([kinds, np.ones(len(kinds))]), number)

    @classmethod
    def of_clusters(cls, values: Floats, cluster: Integers, times: Integers | None = None) -> UnitSums:
        """Clusters that add the sums of their values (n,), rounded once, and how many there are, as ``times`` (n,) tells."""
        order = np.argsort(cluster, kind="stable")
        names, starts = np.unique(cluster[order], return_index=True)
        often = None if times is None else times[order]
        total = exact_sums(values[None, order], np.append(starts, len(order)), often)[0]
        place = np.searchsorted(names, cluster)
        return cls(np.column_stack([total, np.bincount(place, times, minlength=len(names))]), np.ones(len(names), dtype=np.int64))

    @cached_property
    def units(self) -> int:
        """How many units there are."""
        return int(self.number.sum())

    @cached_property
    def total(self) -> Floats:
        """The sums over all units (K,)."""
        return np.asarray(self.number @ self.adds)

    def resampled(self, trials: int, seed: int) -> Floats:
        """Sums (trials, K) of as many units as there are, drawn with replacement."""
        return np.concatenate([times @ self.adds for times in times_of_kinds(self.number, trials, seed)])

    def credible(self, prior: Prior, trials: int, seed: int) -> Floats:
        """Sums (trials, K) of as many units, in proportions that are likely after seeing these: their shares have a Dirichlet
        distribution, to which each unit adds 1 and the prior its mass."""
        adds, shape = np.concatenate([self.adds, prior.adds]), np.concatenate([self.number, prior.mass])
        rng = stream(seed, _SHARES)
        drawn = (rng.standard_gamma(shape, (some, len(shape))) for _, some in blocks(trials, len(shape), _CELLS_AT_ONCE))
        return np.concatenate([self.units * (some / some.sum(axis=1, keepdims=True)) @ adds for some in drawn])

    def left_out(self, value: OfSums) -> Floats:
        """The statistic without one unit of each kind (kinds,)."""
        some_kinds = blocks(len(self.adds), self.adds.shape[1], _CELLS_AT_ONCE)
        return np.concatenate([np.zeros(0), *(value(self.total - self.adds[first : first + some]) for first, some in some_kinds)])

    def jackknife(self, value: OfSums) -> float:
        """The standard error by leaving out each unit in turn; NaN where that leaves no value."""
        return jackknife_error(self.left_out(value), self.number)


@dataclass(frozen=True, eq=False)
class ManySums:
    """Many sums, each over units of its own: what the units add one below the other, ``adds`` (rows, K), and how many are each
    sum's, ``sizes`` (sums,). All of them are resampled by the same draws."""

    adds: Floats
    sizes: Integers

    @cached_property
    def owner(self) -> Integers:
        """(rows,): the sum that a unit is of."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def totals(self) -> Floats:
        """(sums, K)."""
        columns = [np.bincount(self.owner, column, minlength=len(self.sizes)) for column in self.adds.T]
        return np.stack(columns, axis=1)

    def jackknife(self, value: OfSums) -> Floats:
        """(sums,): the standard errors by leaving out each unit in turn; NaN where that leaves no value."""
        some_rows = blocks(len(self.adds), self.adds.shape[1], _CELLS_AT_ONCE)
        rows = [slice(first, first + some) for first, some in some_rows]
        left = np.concatenate([np.zeros(0), *(value(self.totals[self.owner[some]] - self.adds[some]) for some in rows)])
        known, number = ~np.isnan(left), len(self.sizes)
        units = np.bincount(self.owner[known], minlength=number)
        mean = np.bincount(self.owner[known], left[known], minlength=number) / np.maximum(1, units)
        away = np.bincount(self.owner[known], (left[known] - mean[self.owner[known]]) ** 2, minlength=number)
        return np.where(units > 1, np.sqrt((units - 1) / np.maximum(1, units) * away), np.nan)

    def credible(self, value: OfSums, prior: Prior, trials: int, seed: int) -> Floats:
        """(trials, sums): the statistic of each in proportions that are likely after seeing its units, as ``UnitSums.credible``
        has them."""
        rng, most, number = stream(seed, _SHARES), int(self.sizes.max(initial=0)), len(self.sizes)
        adding, found = self._adding(most), []
        for _, some in blocks(trials, most + number * self.adds.shape[1], _CELLS_AT_ONCE):
            units, others = rng.standard_exponential((most, some)), rng.standard_gamma(prior.mass, (some, len(prior.mass)))
            own = np.asarray(adding @ units).T.reshape(some, number, -1)
            counted = np.concatenate([np.zeros((1, some)), np.cumsum(units, axis=0)])[self.sizes].T + others.sum(axis=1)[:, None]
            found.append(value((own + (others @ prior.adds)[:, None]) * (self.sizes / counted)[..., None]))
        return np.concatenate(found)

    def _adding(self, most: int) -> Any:
        """(sums x K, most): what the first, second, ... unit of each sum adds; most of it is 0."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - loaded when first used

        row, column = np.nonzero(self.adds)
        width = self.adds.shape[1]
        number = np.arange(len(self.adds)) - np.repeat(np.cumsum(self.sizes) - self.sizes, self.sizes)
        places = (self.owner[row] * width + column, number[row])
        return csr_array((self.adds[row, column], places), shape=(len(self.sizes) * width, most))


def times_of_kinds(number: Integers, trials: int, seed: int) -> Iterator[Floats]:
    """How often units of each kind are drawn when as many are drawn, with replacement, as there are: for some trials at a time
    (some trials, kinds)."""
    rng, units = stream(seed, _RESAMPLES), int(number.sum())
    each_alone = units == len(number)
    for first, some in blocks(trials, len(number), _CELLS_AT_ONCE):
        drawn = times_drawn(trial_keys(seed, first, some), units) if each_alone else rng.multinomial(units, number / units, some)
        yield drawn.astype(float)


def drawn_together(parts: Sequence[tuple[Integers, Floats]], units: int, trials: int, seed: int) -> Iterator[list[Floats]]:
    """Several sums over the same samples of units, drawn with replacement: of each part the unit that each of its rows belongs to
    (rows,), and what the rows add (rows, K). Gives for some trials at a time each part's sums (some trials, K)."""
    for times in times_of_kinds(np.ones(units, dtype=np.int64), trials, seed):
        yield [times[:, unit] @ adds for unit, adds in parts]


def jackknife_error(values: Floats, number: Integers) -> float:
    """The standard error from the values without one unit of each kind, of which there are so many."""
    known = ~np.isnan(values)
    units = int(number[known].sum())
    if units < 2:
        return math.nan
    mean = float((number[known] * values[known]).sum()) / units
    return math.sqrt((units - 1) / units * float((number[known] * (values[known] - mean) ** 2).sum()))
