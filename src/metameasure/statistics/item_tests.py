"""One test set, two runs: is the difference between their scores real? Paired tests over items or clusters, for any measure.

Under the null hypothesis an item's two outputs could have come from either run. So in each trial the outputs of every unit (item
or cluster) are swapped with probability 1/2; of m units of one kind, a binomial number is. The measure is a function of C x C
counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from metameasure.core.choices import Correction
from metameasure.statistics.arrays import ArrayLike, Booleans, Floats, Integers, mean_of_defined
from metameasure.statistics.mean_intervals import Jackknife, Range, WithinTopics, difference_interval, jackknife, within_topics
from metameasure.statistics.paired import corrected, drawn_chance, pairs_of_systems, refuse_maxt, square, step_down
from metameasure.statistics.resampling import normal_interval, percentile_interval
from metameasure.statistics.streams import stream
from metameasure.statistics.units import CELLS_AT_ONCE, Units
from metameasure.statistics.work import blocks, check_trials, drawn_p

Value = Callable[[Floats], Floats]
"""A measure: counts (..., C, C) to values (...)."""
SAME = 1e-12
"""Differences this close are the same but for rounding."""
MOST_ENUMERATED = 2**16
_MOST_STATISTICS = 2**23  # of all pairs in all ways of swapping
_SAME_STATISTIC = 1e-9  # of its size: statistics of different pairs that are this close are the same but for rounding
_MOST_CELLS_TRIED = 2**30
_SWAPS, _RESAMPLES = 1, 2  # streams of their own


@dataclass(frozen=True)
class Spread:
    """How sure a measure is whose draws are not centred on its value: the standard deviation is that of another measure (``of``)
    over resampled units, and intervals are cut at ``least``, below which nothing can be true."""

    of: Value
    least: float


@dataclass(frozen=True)
class TopicMean:
    """The mean over topics of a measure of each topic's table: a value of tables (..., topics, C, C)."""

    of: Value

    def __call__(self, tables: Floats) -> Floats:
        return np.asarray(self.of(tables).mean(axis=-1))


@dataclass(frozen=True)
class PairedTest:
    """By how much the first run's score is above the second's, the two-sided p-value, and whether that is exact."""

    difference: float
    p: float
    exact: bool


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided p-value of McNemar's test: so many items that only the first run has right, and only the second."""
    from scipy.special import bdtr  # noqa: PLC0415 - loaded when first used

    discordant = first_only + second_only
    return min(1.0, 2 * float(bdtr(min(first_only, second_only), discordant, 0.5))) if discordant else 1.0


def share_of_cells(value: Value, classes: int) -> Booleans | None:
    """The cells (C, C) of which a measure is the share of items, as accuracy is of the diagonal; None where it is no such share.

    Tried out: on tables of one item each, as many as there are cells, and then on tables of many. Of very many classes there are
    too many such tables, and no share is found.
    """
    cells = classes**2
    if cells**2 > _MOST_CELLS_TRIED:
        return None
    each = np.empty(cells)
    with np.errstate(invalid="ignore", divide="ignore"):
        for first, count in blocks(cells, cells, CELLS_AT_ONCE):
            singles = np.eye(count, cells, first).reshape(-1, classes, classes)
            each[first : first + count] = np.asarray(value(singles), dtype=float)
            if not np.isin(each[first : first + count], (0, 1)).all():
                return None
        tables = stream(0, classes).integers(1, 50, size=(8, classes, classes)).astype(float)
        shares = (tables.reshape(8, -1) * each).sum(axis=1) / tables.sum(axis=(1, 2))
        scores = np.asarray(value(tables), dtype=float)
    return (each == 1).reshape(classes, classes) if np.allclose(scores, shares, rtol=0, atol=SAME) else None


def paired_test(units: Units, value: Value, trials: int = 5000, seed: int = 0, *, hits: ArrayLike | None = None) -> PairedTest:
    """The two runs of the units compared by a measure.

    All swaps are tried where there are not too many different ones; otherwise they are drawn, and p = (count + 1) / (B + 1). A
    swap counts if its difference is at least as large as the observed one, or undefined. For a measure that is the share of items
    in some cells of the table (accuracy: the diagonal), ``hits`` (C, C) says which, and the test is McNemar's, exact at any size.
    """
    check_trials(trials)
    base = units.tables()
    observed = float(_gap(value, base[0], base[1]))
    if math.isnan(observed):
        return PairedTest(observed, math.nan, exact=True)
    if hits is not None and each_one_item(units):
        return PairedTest(observed, mcnemar(*right_alone(units, hits)), exact=True)
    moved, gaps = _moved(units)
    least = abs(observed) - SAME
    if _few_ways(moved, MOST_ENUMERATED):
        ways = ((moved.counted(swapped, gaps), share) for swapped, share in _all_ways(moved))
        p = sum(float(share[_reaches(value, base, delta, least)].sum()) for delta, share in ways)
        return PairedTest(observed, min(1.0, p), exact=True)
    drawn = (moved.counted(swapped, gaps) for swapped in _swapped(moved, trials, seed))
    count = sum(int(_reaches(value, base, delta, least).sum()) for delta in drawn)
    return PairedTest(observed, drawn_p(count, trials), exact=False)


def _swapped(units: Units, trials: int, seed: int) -> Iterator[Integers]:
    """How many units of each kind are swapped (some trials, kinds)."""
    rng = stream(seed, _SWAPS)
    return (rng.binomial(units.number, 0.5, size=(some, len(units.number))) for some in units.blocks(trials))


def _gap(value: Value, first: Floats, second: Floats) -> Floats:
    return np.asarray(value(first) - value(second), dtype=float)


def _reaches(value: Value, base: Floats, delta: Floats, least: float) -> Booleans:
    """Whether the difference is as large as that or undefined, where ``delta`` (trials, C, C) has moved from the first run to
    the second."""
    return ~(np.abs(_gap(value, base[0] - delta, base[1] + delta)) < least)


def _moved(units: Units) -> tuple[Units, Floats]:
    """The kinds of units on which the runs differ, and by how much the first two do in each entry."""
    gaps = units.amount[0] - units.amount[1]
    kept = np.any(units.amount != units.amount[0], axis=0)
    kinds, kind = np.unique(units.kind[kept], return_inverse=True)
    return Units(units.table, units.number[kinds], kind, units.cell[kept], units.amount[:, kept], units.topics), gaps[kept]


def _few_ways(moved: Units, at_most: float) -> bool:
    """Whether there are so few ways to swap that all can be tried."""
    return float(np.log2(moved.number + 1.0).sum()) <= math.log2(at_most)


def _all_ways(moved: Units) -> Iterator[tuple[Integers, Floats]]:
    """How many units of each kind each way of swapping swaps (some ways, kinds), and its probability."""
    ways, share = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    for number in moved.number.tolist():
        odds = np.array([math.comb(number, swapped) / 2**number for swapped in range(number + 1)])
        share = (share[:, None] * odds).ravel()
        ways = np.hstack([np.repeat(ways, number + 1, axis=0), np.tile(np.arange(number + 1), len(ways))[:, None]])
    for first, some in blocks(len(ways), max(len(moved.kind), moved.cells), CELLS_AT_ONCE):
        yield ways[first : first + some], share[first : first + some]


def each_one_item(units: Units) -> bool:
    """Whether every unit is one item of weight 1."""
    return all(np.all(np.bincount(units.kind, one, minlength=len(units.number)) == 1) for one in units.amount)


def paired_bootstrap_test(
    units: Units, value: Value, trials: int = 5000, seed: int = 0, *, spread: Spread | None = None
) -> PairedTest:
    """The two runs of the units compared by resampling units: p = (count + 1) / (B + 1), where a draw counts if its difference
    is as far from the observed one as that is from 0, or undefined. With a spread, what is drawn is as far from its mean."""
    base = units.tables()
    observed = float(_gap(value, base[0], base[1]))
    if math.isnan(observed):
        return PairedTest(observed, math.nan, exact=True)
    gaps = _drawn_gaps(units, spread.of if spread else value, trials, seed)
    centre = float(mean_of_defined(gaps, 0)) if spread else observed
    count = int((~(np.abs(gaps - centre) < abs(observed) - SAME)).sum())
    return PairedTest(observed, drawn_p(count, trials), exact=False)


def _drawn_gaps(units: Units, value: Value, trials: int, seed: int) -> Floats:
    """The difference between the two runs on resampled units, the same for both (trials,)."""
    return np.concatenate([_gap(value, *tables) for tables in units.resampled(trials, stream(seed, _RESAMPLES))])


def paired_interval(
    units: Units, value: Value, level: float = 0.95, trials: int = 5000, seed: int = 0, *, spread: Spread | None = None
) -> tuple[float, float]:
    """A bootstrap interval of the difference between the two runs: the same units are resampled for both."""
    gaps = _drawn_gaps(units, spread.of if spread else value, trials, seed)
    low, high = normal_interval(_gap(value, *units.tables()), gaps, level) if spread else percentile_interval(gaps, level)
    return float(low), float(high)


def interval_within_topics(
    units: Units, value: TopicMean, drawn: Value, level: float, trials: int, seed: int, range: Range, *, whole: bool
) -> tuple[float, float]:
    """The interval of the difference between two runs' means over topics that are fixed, the same units drawn within each for
    both; ``drawn`` is the measure that is drawn. ``whole``: units are clusters, of which there may be few."""
    gap, spread = difference_within_topics(units, value, drawn, trials, seed, whole=whole)
    return difference_interval(gap, spread.error, spread.freedom, level, range)


def difference_within_topics(
    units: Units, value: TopicMean, drawn: Value, trials: int, seed: int, *, whole: bool
) -> tuple[float, WithinTopics]:
    """That difference, and its standard error with the degrees of freedom; infinitely many, unless units are clusters."""
    tables = units.resampled(trials, stream(seed, _RESAMPLES))
    gaps = np.concatenate([_gap(drawn, first, second) for first, second in tables])
    spread = within_topics(gaps, units.sizes())
    return float(_gap(value, *units.tables())), spread if whole else replace(spread, freedom=math.inf)


def interval_of_paired_scores(units: Units, level: float, range: Range) -> tuple[float, float]:
    """The t interval of the difference between two runs' mean scores, from the differences on items (``Units.of_scores``)."""
    reached = units.cell % 2 == 1
    gaps = np.zeros(len(units.number))
    np.add.at(gaps, units.kind[reached], (units.amount[0] - units.amount[1])[reached])
    items = units.total
    mean = float(units.number @ gaps) / items
    error = math.sqrt(float(units.number @ (gaps - mean) ** 2) / (items - 1) / items) if items > 1 else 0.0
    return difference_interval(mean, error, items - 1, level, range)


def interval_by_leaving_out(units: Units, value: Value, level: float, range: Range) -> tuple[float, float]:
    """The interval of the difference between two runs, from leaving out one unit at a time."""
    left = difference_by_leaving_out(units, value)
    return difference_interval(left.value, left.error, left.freedom, level, range)


def difference_by_leaving_out(units: Units, value: Value) -> Jackknife:
    """The difference between two runs, with its standard error from leaving out one unit at a time."""
    gap, *without = _gap(value, units.without_one(0), units.without_one(1)).tolist()
    return jackknife(gap, without, units.unit_sizes(), units.number)


def differing_units(units: Units) -> int:
    """On how many units the runs differ at all."""
    return _moved(units)[0].total


def right_alone(units: Units, hits: ArrayLike) -> tuple[int, int]:
    """On how many items the first run alone is in these cells (C, C) of the table, and on how many the second alone."""
    right = np.asarray(hits, dtype=bool).ravel()[units.cell]
    first, second = (np.bincount(units.kind, one * right, minlength=len(units.number)) > 0 for one in units.amount[:2])
    return int(units.number[first & ~second].sum()), int(units.number[second & ~first].sum())


@dataclass(frozen=True, eq=False)
class ItemComparison:
    """Runs compared over items: each run's value with its interval, and for every two of them p-values and the interval of the
    difference, the first run's (row) less the second's (column). ``units`` is how many units the first run has, and ``exact``
    says that no p-value was drawn."""

    values: Floats
    low: Floats
    high: Floats
    p: Floats
    difference_low: Floats
    difference_high: Floats
    units: int
    exact: bool


Test = Literal["permutation", "bootstrap"]


def compare_units(
    units: Callable[[Sequence[int]], Units],
    runs: int,
    value: Value,
    *,
    test: Test = "permutation",
    correction: Correction = "holm",
    against: int | None = None,
    hits: ArrayLike | None = None,
    spread: Spread | None = None,
    level: float = 0.95,
    trials: int = 5000,
    interval_trials: int = 1000,
    seed: int = 0,
    ends_of: Callable[[Units], tuple[float, float]] | None = None,
    own_intervals: bool = True,
) -> ItemComparison:
    """Every two of so many runs (or every run and one of them) by a paired test, corrected for the number of pairs.

    ``units`` gives the units of some of the runs, by their places. ``maxt`` swaps the same units for all pairs and sees how the
    pairs depend, for which it takes the units of all runs at once; the other corrections take those of two runs at a time.
    ``spread`` is for a measure whose intervals are not the middle share of its own draws. ``ends_of`` makes the interval of the
    difference between two runs, which otherwise is bootstrapped. ``own_intervals``: whether each run's own is wanted too.
    """
    if test == "bootstrap":
        refuse_maxt(correction)
    pairs = pairs_of_systems(runs, against)
    tested = partial(paired_test, hits=hits) if test == "permutation" else partial(paired_bootstrap_test, spread=spread)
    tests, ends, deviations = [], [], []
    for pair in zip(*pairs, strict=True):
        two = units([int(run) for run in pair])
        ends.append(paired_interval(two, value, level, interval_trials, seed, spread=spread) if ends_of is None else ends_of(two))
        if correction == "maxt":
            deviations.append(deviation_over_swaps(two, value))
        else:
            tests.append(tested(two, value, trials, seed))
    if correction == "maxt":
        p, exact = _max_t(units(range(runs)), value, pairs, np.array(deviations), trials, seed)
    else:
        p, exact = corrected_where_defined(np.array([one.p for one in tests]), correction), all(one.exact for one in tests)
    alone = [units([run]) for run in range(runs)]
    values = np.array([float(value(one.tables()[0])) for one in alone])
    low, high = np.full((2, runs), np.nan)
    if own_intervals:
        drawn = np.hstack([_resampled_values(one, spread.of if spread else value, interval_trials, seed) for one in alone])
        low, high = normal_interval(values, drawn, level, spread.least) if spread else percentile_interval(drawn, level)
    return ItemComparison(
        values,
        low,
        high,
        square(p, runs, against),
        *both_ends_of_differences(np.array(ends), pairs, runs),
        units=alone[0].total,
        exact=exact,
    )


def both_ends_of_differences(ends: Floats, pairs: tuple[Integers, Integers], runs: int) -> tuple[Floats, Floats]:
    """The low and the high ends of every difference, and of its opposite."""
    low, high = (np.where(np.eye(runs, dtype=bool), 0.0, np.nan) for _ in range(2))
    first, second = pairs
    low[first, second], high[first, second] = ends.T
    low[second, first], high[second, first] = -ends[:, 1], -ends[:, 0]
    return low, high


def corrected_where_defined(p: Floats, correction: Correction) -> Floats:
    """Pairs with a run whose value is undefined have no p-value, and are no question to correct for."""
    result, defined = p.copy(), ~np.isnan(p)
    result[defined] = corrected(p[defined], correction)
    return result


def _resampled_values(units: Units, value: Value, trials: int, seed: int) -> Floats:
    """(trials, runs): each run's value on resampled units, the same for all runs."""
    drawn = [np.asarray(value(tables), dtype=float).T for tables in units.resampled(trials, stream(seed, _RESAMPLES))]
    return np.concatenate(drawn)


def deviation_over_swaps(units: Units, value: Value) -> float:
    """The standard deviation of the difference between two runs when their outputs are swapped at random.

    It is the root of the sum of squares of what each unit by itself moves, about the table half way between both runs, which no
    swap changes. That is exact where a measure is linear in the outputs, as accuracy, mae_macro and cem_ord are, and right to
    the first order elsewhere. Nothing is drawn: pairs of runs that differ alike have the same one, so that their ties stay ties.
    """
    half = units.tables().mean(axis=0)
    moved, gaps = _moved(units)
    squares, cells = 0.0, units.cells
    for first, some in blocks(len(moved.number), cells, CELLS_AT_ONCE):
        here = (moved.kind >= first) & (moved.kind < first + some)
        own = np.zeros((some, cells))
        own[moved.kind[here] - first, moved.cell[here]] = gaps[here] / 2
        each = own.reshape(-1, *units.shape)
        squares += float((moved.number[first : first + some] * _gap(value, half + each, half - each) ** 2).sum())
    return math.sqrt(squares)


def _max_t(
    units: Units, value: Value, pairs: tuple[Integers, Integers], deviations: Floats, trials: int, seed: int
) -> tuple[Floats, bool]:
    """Westfall and Young's step-down correction, and whether all swaps were tried. Differences are in units of their standard
    deviation over swaps; every swap is of the same units for all pairs."""
    units = units.by_content()
    base, (moved, _) = units.tables(), _moved(units)
    observed = np.array([float(_gap(value, base[i], base[j])) for i, j in zip(*pairs, strict=True)])
    exact = _few_ways(moved, min(MOST_ENUMERATED, _MOST_STATISTICS // max(1, len(observed))))
    shares, drawn = [], []
    for swapped, share in _all_ways(moved) if exact else ((some, np.ones(len(some))) for some in _swapped(moved, trials, seed)):
        away = [moved.counted(swapped, one) for one in moved.amount]
        shares.append(share)
        drawn.append(
            np.stack(
                [_gap(value, base[i] - away[i] + away[j], base[j] - away[j] + away[i]) for i, j in zip(*pairs, strict=True)],
                axis=1,
            )
        )
    return _stepped_down(observed, np.concatenate(drawn), deviations, np.concatenate(shares) if exact else None), exact


def _stepped_down(observed: Floats, drawn: Floats, deviations: Floats, share: Floats | None = None) -> Floats:
    """Westfall and Young's p-values of differences (pairs,) from those that swaps of the same units for all pairs make (swaps,
    pairs), in units of their deviation; where that is 0, of the deviation of those drawn. ``share`` are the swaps' probabilities,
    where all were tried."""
    gaps = np.abs(drawn)
    drawn_deviations = np.sqrt(np.nanmean(gaps**2, axis=0, where=~np.isnan(gaps)))
    scale = np.where(deviations > SAME, deviations, drawn_deviations)  # a measure with a fold may have none to the first order
    moves, known = scale > SAME, ~np.isnan(observed)
    scale = np.where(moves, scale, 1.0)
    statistics = np.where(known & moves, np.abs(observed) / scale, 0.0)
    reaching = np.where(moves, np.where(np.isnan(gaps), np.inf, gaps) / scale, 0.0)

    def chance(reached: Booleans) -> float:
        return drawn_chance(reached) if share is None else min(1.0, float(share[reached].sum()))

    p = np.full(len(observed), np.nan)
    slack = np.maximum(SAME / scale, _SAME_STATISTIC * statistics)
    p[known] = step_down(statistics[known], lambda pair: reaching[:, known][:, pair], slack[known], chance)
    return p


def swap_test(values: Callable[[Booleans], tuple[Floats, Floats]], units: int, trials: int = 5000, seed: int = 0) -> PairedTest:
    """The same test for measures that are no function of counts, such as those that read an order of the items.

    ``values`` takes which units are swapped (trials, units) and gives both runs' values (trials,). With both runs' outputs
    sorted together once, a swap only says which run an output belongs to, and nothing is sorted again.
    """
    check_trials(trials)
    first, second = values(np.zeros((1, units), dtype=bool))
    observed = float(first[0] - second[0])
    if math.isnan(observed):
        return PairedTest(observed, math.nan, exact=True)
    least = abs(observed) - SAME
    exact = 2**units <= MOST_ENUMERATED if units < 64 else False
    count = 0
    for swapped in _all_swaps(units) if exact else _drawn_swaps(units, trials, seed):
        first, second = values(swapped)
        count += int((~(np.abs(first - second) < least)).sum())
    return PairedTest(observed, count / 2**units if exact else drawn_p(count, trials), exact)


@dataclass(frozen=True, eq=False)
class PairedTests:
    """Several pairs at once: by how much the first of each is above the second (pairs,), the corrected two-sided p-values, and
    whether those are exact."""

    difference: Floats
    p: Floats
    exact: bool


def swap_tests(gaps: Callable[[Booleans], Floats], units: int, trials: int = 5000, seed: int = 0) -> PairedTests:
    """The same test for several pairs, corrected by the step-down of the largest statistic: each difference is in units of the
    standard deviation of those drawn.

    ``gaps`` takes which units are swapped (trials, units), the same for all pairs, and gives their differences (trials, pairs).
    """
    check_trials(trials)
    observed = gaps(np.zeros((1, units), dtype=bool))[0]
    exact = units < 64 and 2**units <= min(MOST_ENUMERATED, _MOST_STATISTICS // max(1, len(observed)))
    drawn = np.concatenate([gaps(some) for some in (_all_swaps(units) if exact else _drawn_swaps(units, trials, seed))])
    share = np.full(len(drawn), 1 / len(drawn)) if exact else None
    return PairedTests(observed, _stepped_down(observed, drawn, np.zeros(len(observed)), share), exact)


def draw_interval(
    values: Callable[[Integers], tuple[Floats, Floats]],
    units: int,
    level: float = 0.95,
    trials: int = 5000,
    seed: int = 0,
    *,
    about: float | None = None,
) -> tuple[float, float]:
    """The interval of the difference between two runs for measures that are no function of counts. ``about``: the difference
    itself, where the interval is that plus and minus z times the standard deviation of what is drawn."""
    gaps = drawn_differences(values, units, trials, seed)
    low, high = percentile_interval(gaps, level) if about is None else normal_interval(about, gaps, level)
    return float(low), float(high)


def drawn_differences(
    values: Callable[[Integers], tuple[Floats, Floats]], units: int, trials: int = 5000, seed: int = 0
) -> Floats:
    """That difference on resampled units (trials,).

    ``values`` takes how often each unit is drawn (trials, units) and gives both runs' values (trials,): items that are sorted
    once stay sorted, however often each of them counts.
    """
    rng, even = stream(seed, _RESAMPLES), np.full(units, 1 / units)
    drawn = (values(rng.multinomial(units, even, size=some)) for _, some in blocks(trials, units, CELLS_AT_ONCE))
    return np.concatenate([np.asarray(first - second, dtype=float) for first, second in drawn])


def _all_swaps(units: int) -> Iterator[Booleans]:
    return (some_of_all_swaps(first, some, units) for first, some in blocks(2**units, units, CELLS_AT_ONCE))


def some_of_all_swaps(first: int, count: int, units: int) -> Booleans:
    """(count, units): which units each of all ways of swapping swaps, from the first of these ways on."""
    return np.asarray((np.arange(first, first + count)[:, None] >> np.arange(units)) & 1, dtype=bool)


def _drawn_swaps(units: int, trials: int, seed: int) -> Iterator[Booleans]:
    rng = stream(seed, _SWAPS)
    return (rng.random((some, units)) < 0.5 for _, some in blocks(trials, units, CELLS_AT_ONCE))
