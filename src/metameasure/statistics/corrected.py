"""People's labels on a random part of the items and a judge's on all of them: the estimate that is right whatever the judge's
errors, and how sure it is.

After prediction-powered inference (Angelopoulos, Duchi and Zrnic, PPI++, 2023), for any function of sums over items: what people
say of their part, plus lambda times what the judge says of the others less what it says of that part. Lambda, from 0 to 1, is
what makes the variance smallest; with 0 people stand alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from metameasure.statistics.arrays import Booleans, Floats, Integers
from metameasure.statistics.mean_intervals import Range, normal_reach
from metameasure.statistics.streams import stream
from metameasure.statistics.sums import OfSums
from metameasure.statistics.work import blocks

_LABELLED, _OTHERS, _CLUSTERS = 31, 32, 33  # streams of their own
_CELLS_AT_ONCE = 2**22
_FEWEST_DEFINED = 0.5
_TRIED = 8
_NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class Part:
    """Units of one part, labelled by people or not: what those of each kind add to the sums, ``adds`` (kinds, K), how many there
    are, ``number`` (kinds,), the stratum of each kind, and what a unit of each stratum counts, ``weight`` (strata,)."""

    adds: Floats
    number: Integers
    stratum: Integers
    weight: Floats

    @classmethod
    def of_items(cls, adds: Floats, stratum: Integers, weight: Floats) -> Part:
        """Items one by one (items, K); those of a stratum that add the same are one kind."""
        rows, place = np.unique(np.column_stack([stratum, adds]), axis=0, return_inverse=True)
        return cls(rows[:, 1:], np.bincount(place.ravel(), minlength=len(rows)), rows[:, 0].astype(np.int64), weight)

    @classmethod
    def of_codes(cls, code: Integers, stratum: Integers, weight: Floats, adds: Callable[[Integers], Floats]) -> Part:
        """Items that are numbers (items,): ``adds`` has what those of each number add."""
        base = int(code.max(initial=0)) + 1
        both, number = np.unique(stratum * base + code, return_counts=True)
        return cls(adds(both % base), number, both // base, weight)

    @property
    def counts(self) -> Floats:
        """(kinds,): what all units of a kind count together."""
        return np.asarray(self.number * self.weight[self.stratum])

    def total(self) -> Floats:
        """The sums over all units (K,)."""
        return np.asarray(self.counts @ self.adds)

    def drawn(self, trials: int, rng: np.random.Generator) -> Floats:
        """Sums (trials, K) of as many units of each stratum, drawn with replacement."""
        sums = np.zeros((trials, self.adds.shape[1]))
        for stratum in np.unique(self.stratum).tolist():
            kinds = self.stratum == stratum
            number, adds = self.number[kinds], self.weight[stratum] * self.adds[kinds]
            for first, some in blocks(trials, len(number), _CELLS_AT_ONCE):
                sums[first : first + some] += rng.multinomial(number.sum(), number / number.sum(), some) @ adds
        return sums

    def covariances(self, values: Floats) -> Floats:
        """(V, V): the variances and covariances of the means of values (kinds, V), where units of each stratum are drawn with
        replacement: what endlessly many draws would come to."""
        size = float(self.counts.sum())
        found = np.zeros((values.shape[1], values.shape[1]))
        for stratum in np.unique(self.stratum).tolist():
            kinds = self.stratum == stratum
            units = float(self.number[kinds].sum())
            share = self.weight[stratum] * units / size
            away = values[kinds] - self.number[kinds] @ values[kinds] / units
            found += share**2 / units**2 * (away.T @ (self.number[kinds][:, None] * away))
        return found


@dataclass(frozen=True, eq=False)
class Halves:
    """What a statistic is estimated from: people's sums and the judge's on the labelled part, which ``labelled`` adds side by
    side (kinds, 2 K); the judge's on the others, and on all items, ``alone`` (K,). With clusters, ``whole`` has what each of
    them adds to all three (clusters, 3 K)."""

    labelled: Part
    others: Part
    alone: Floats
    whole: Part | None = None
    _drawn: dict[tuple[int, int], Floats] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """K."""
        return int(self.others.adds.shape[1])

    def totals(self) -> Floats:
        """(3, K): people's sums, the judge's on the same items, and the judge's on the others."""
        return np.concatenate([self.labelled.total(), self.others.total()]).reshape(3, -1)

    def draws(self, trials: int, seed: int) -> Floats:
        """(3, trials, K): the same in samples of each part; of clusters, which may have items of both, in samples of them. They
        are drawn once for all statistics."""
        if (trials, seed) not in self._drawn:
            self._drawn[trials, seed] = self._draw(trials, seed)
        return self._drawn[trials, seed]

    def _draw(self, trials: int, seed: int) -> Floats:
        if self.whole is None:
            labelled = self.labelled.drawn(trials, stream(seed, _LABELLED))
            sums = np.hstack([labelled, self.others.drawn(trials, stream(seed, _OTHERS))])
        else:
            sums = self.whole.drawn(trials, stream(seed, _CLUSTERS))
        return sums.reshape(trials, 3, -1).swapaxes(0, 1)


@dataclass(frozen=True, eq=False)
class Sampled:
    """Which of the items people have labelled (items,), the stratum of each, and the cluster, where they come in such."""

    labelled: Booleans
    stratum: Integers
    cluster: Integers | None = None

    @property
    def items(self) -> int:
        """How many items there are."""
        return len(self.labelled)

    @property
    def number(self) -> int:
        """How many of them people have labelled."""
        return int(self.labelled.sum())

    def of_items(self, kept: Booleans) -> Sampled:
        """Some of the items."""
        return Sampled(self.labelled[kept], self.stratum[kept], None if self.cluster is None else self.cluster[kept])

    def halves(self, own: Floats, code: Integers, adds: Callable[[Integers], Floats]) -> Halves:
        """What people's labels add (labelled items, K), and for all items a number (items,) of which ``adds`` tells what the
        judge's labels add to the same sums."""
        here, stratum = self.labelled, self.stratum
        weights = self._weights()
        both = np.hstack([own, adds(code[here])])
        kinds, number = np.unique(code, return_counts=True)
        alone = np.asarray(number @ adds(kinds))
        labelled = Part.of_items(both, stratum[here], weights[0])
        others = Part.of_codes(code[~here], stratum[~here], weights[1], adds)
        whole = None if self.cluster is None else self._whole(self.cluster, both, adds(code[~here]), weights)
        return Halves(labelled, others, alone, whole)

    def sizes(self) -> Floats:
        """(2, strata): how many items of each stratum people have labelled, and have not."""
        strata = 1 + int(self.stratum.max(initial=0))
        parts = [np.bincount(self.stratum[which], minlength=strata) for which in (self.labelled, ~self.labelled)]
        return np.array(parts, dtype=np.float64)

    def _weights(self) -> Floats:
        """(2, strata): what an item counts in each part, so that strata have the shares that they have of all items."""
        sizes = self.sizes()
        shares = sizes.sum(axis=0) / sizes.sum()
        return np.asarray(shares * sizes.sum(axis=1, keepdims=True) / np.where(sizes > 0, sizes, 1))

    def _whole(self, cluster: Integers, both: Floats, others: Floats, weights: Floats) -> Part:
        """What each cluster adds to people's sums, to the judge's on the same items, and to the judge's on the others."""
        here, width = self.labelled, others.shape[1]
        names, place = np.unique(cluster, return_inverse=True)
        sums, stratum = np.zeros((len(names), 3 * width)), np.zeros(len(names), dtype=np.int64)
        np.add.at(sums[:, : 2 * width], place[here], both * weights[0][self.stratum[here]][:, None])
        np.add.at(sums[:, 2 * width :], place[~here], others * weights[1][self.stratum[~here]][:, None])
        stratum[place] = self.stratum
        return Part(sums, np.ones(len(names), dtype=np.int64), stratum, np.ones(weights.shape[1]))


@dataclass(frozen=True)
class Moments:
    """The variances of people's value (a) and of the judge's on the same items (f) and on the others (F), and how they vary
    together. Between parts that are drawn apart nothing does."""

    people: float
    judged: float
    others: float
    people_judged: float
    people_others: float = 0.0
    judged_others: float = 0.0

    @property
    def apart(self) -> float:
        """The variance of F - f."""
        return self.judged + self.others - 2 * self.judged_others

    @property
    def together(self) -> float:
        """The covariance of a and f - F."""
        return self.people_judged - self.people_others

    def best(self) -> float:
        """The lambda that makes the variance smallest, from 0 to 1."""
        return min(1.0, max(0.0, self.together / self.apart)) if self.apart > 0 else 0.0

    def corrected(self, weight: float) -> float:
        """The variance of a + lambda (F - f)."""
        return max(0.0, self.people + weight**2 * self.apart - 2 * weight * self.together)

    @property
    def bias(self) -> float:
        """The variance of f - a."""
        return max(0.0, self.people + self.judged - 2 * self.people_judged)

    def with_labels(self, times: float) -> Moments:
        """Those with so many times as many labels, and as many other items as now."""
        fewer = (self.people / times, self.judged / times, self.others, self.people_judged / times)
        return Moments(*fewer, self.people_others / times, self.judged_others / times)


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error and its interval; NaN where there is none."""

    value: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan


NO_ESTIMATE = Estimate(math.nan)


@dataclass(frozen=True)
class Correction:
    """A statistic by people alone; by the judge alone, on all items; by how much the judge's differs on the items that people
    labelled, its bias; and corrected. ``weight`` is lambda."""

    people: Estimate
    judge: float
    bias: Estimate
    corrected: Estimate = NO_ESTIMATE
    weight: float = math.nan
    moments: Moments | None = None
    why: str = ""
    """Why nothing is corrected, where nothing is."""

    @property
    def worth(self) -> float:
        """How many times as many labels people alone would need, to be as sure as the corrected estimate is."""
        return (self.people.se / self.corrected.se) ** 2 if self.corrected.se > 0 else math.nan


def correction(
    halves: Halves,
    value: OfSums,
    range: Range,
    *,
    level: float = 0.95,
    trials: int = 2000,
    seed: int = 0,
    weight: float | None = None,
) -> Correction:
    """A statistic of sums corrected; ``weight`` sets lambda, where it is not to be the best."""
    people, judged, others = value(halves.totals()).tolist()
    alone = float(value(halves.alone[None])[0])
    only = Correction(Estimate(people), alone, Estimate(judged - people))
    if math.isnan(people):
        return replace(only, why="people's labels give it no value")
    if math.isnan(judged) or math.isnan(others):
        return replace(only, why="the judge's labels give it no value")
    moments = _moments(halves, value, trials, seed)
    if moments is None:
        return replace(only, why="it has no value in most of the samples")
    chosen = moments.best() if weight is None else weight
    corrected = min(max(people + chosen * (others - judged), range[0]), range[1])
    span = range[1] - range[0]
    return Correction(
        _estimate(people, moments.people, level, range),
        alone,
        _estimate(judged - people, moments.bias, level, (-span, span)),
        _estimate(corrected, moments.corrected(chosen), level, range),
        chosen,
        moments,
    )


def _estimate(value: float, variance: float, level: float, range: Range) -> Estimate:
    """The interval is a normal one, cut at the range; there is none where nothing varies."""
    error = math.sqrt(variance)
    if error < _NEAR:
        return Estimate(value, 0.0)
    reach = normal_reach(level) * error
    return Estimate(value, error, max(value - reach, range[0]), min(value + reach, range[1]))


def _moments(halves: Halves, value: OfSums, trials: int, seed: int) -> Moments | None:
    """From draws; of a mean over items they are known without. None where the statistic is undefined in most draws."""
    if halves.whole is None and (exact := _of_a_mean(halves, value, seed)) is not None:
        return exact
    draws = value(halves.draws(trials, seed))
    defined = ~np.isnan(draws).any(axis=0)
    if defined.mean() < _FEWEST_DEFINED or defined.sum() < 2:
        return None
    found = np.cov(draws[:, defined], ddof=0).tolist()
    between = (found[0][2], found[1][2]) if halves.whole is not None else ()
    return Moments(found[0][0], found[1][1], found[2][2], found[0][1], *between)


def _of_a_mean(halves: Halves, value: OfSums, seed: int) -> Moments | None:
    """Where the statistic is a mean over items, what endlessly many draws would come to; otherwise None."""
    width = halves.width
    labelled, others = halves.labelled, halves.others
    sides = [(labelled, labelled.adds[:, :width]), (labelled, labelled.adds[:, width:]), (others, others.adds)]
    values = []
    for part, adds in sides:
        each = _averaged(replace(part, adds=adds), value, seed)
        if each is None:
            return None
        values.append(each)
    both, other = labelled.covariances(np.stack(values[:2], axis=1)), others.covariances(values[2][:, None])
    return Moments(*map(float, (both[0, 0], both[1, 1], other[0, 0], both[0, 1])))


def _averaged(part: Part, value: OfSums, seed: int) -> Floats | None:
    """The value of each kind of unit alone (kinds,), where these average to that of all, and to that of some samples."""
    each = value(part.adds)
    if np.isnan(each).any():
        return None
    beside = replace(part, adds=np.column_stack([part.adds, each, np.ones(len(each))]))
    sums = np.concatenate([beside.total()[None], beside.drawn(_TRIED, stream(seed, _LABELLED))])
    means = sums[:, -2] / sums[:, -1]
    return each if np.allclose(value(sums[:, :-2]), means, rtol=0, atol=_NEAR) else None
