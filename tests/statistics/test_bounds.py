"""Bounds of a difference: published values, and the rules for what tells nothing."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from metameasure.statistics.bounds import (
    AlikeBounds,
    DrawnBounds,
    ErrorBounds,
    NoBounds,
    ScoreBounds,
    SkewedBounds,
    SparseBounds,
    TurnedBounds,
    bounds_of_units,
    failing,
    needed,
    units_to_decide,
)


@pytest.mark.parametrize(
    ("old_only", "new_only", "items", "alpha", "low", "high"),
    [
        (12, 8, 100, 0.05, -0.116795, 0.035154),
        (30, 40, 1319, 0.05, -0.002904, 0.018303),
        (60, 20, 400, 0.05, -0.136860, -0.064544),
        (0, 0, 50, 0.05, -0.051333, 0.051333),
        (5, 0, 5, 0.05, -1, -0.297767),
        (0, 5, 5, 0.05, 0.297767, 1),
        (1, 7, 21, 0.025, 0.026003, 0.517232),
    ],
)
def test_tango(old_only, new_only, items, alpha, low, high):
    assert ScoreBounds(old_only, new_only, items).at(alpha) == pytest.approx((low, high), abs=1e-6)


def test_without_a_difference_133_items_are_enough_for_a_margin_of_two_points():
    passing = [items for items in range(120, 140) if ScoreBounds(0, 0, items).at(0.05)[0] > -0.02]
    assert passing[0] == 133


def test_graded_scores_by_t():
    gaps = np.array([0.02, -0.05, 0, 0.03, -0.01, 0.04, -0.02, 0.01, 0, -0.03])
    found = bounds_of_units(np.zeros(10), gaps)
    assert found.at(0.05) == pytest.approx((-0.017039, 0.015039), abs=1e-6)
    assert found.variance == pytest.approx(gaps.var(ddof=1))


def hall(gaps, reach):
    """The bounds of a mean by Hall's (1992) transformation, found by search: where g((mean - bound) / sd) is what it may be."""
    n, skew = len(gaps), stats.skew(gaps)
    mean, sd = gaps.mean(), gaps.std(ddof=1)

    def transformed(bound):
        w = (mean - bound) / sd
        return np.sqrt(n) * (w + skew * w**2 / 3 + skew**2 * w**3 / 27 + skew / (6 * n))

    ends = mean - 30 * sd, mean + 30 * sd
    return tuple(optimize.brentq(lambda bound, at: transformed(bound) - at, *ends, args=(one,)) for one in (reach, -reach))


@pytest.mark.parametrize("sign", [1, -1])
def test_graded_scores_that_are_skewed(sign):
    gaps = sign * np.array([0.0, 0.1, 0.0, 0.02, 0.9, 0.05, 0.0, 0.2, 0.03, 0.01, 0.6, 0.02])
    freedom = 2 * len(gaps) / (stats.kurtosis(gaps, fisher=False) - 1)
    assert abs(stats.skew(gaps)) > 1
    assert freedom < len(gaps) - 1
    found = bounds_of_units(np.zeros(12), gaps)
    assert isinstance(found, SkewedBounds)
    plain = stats.t.interval(0.9, 11, gaps.mean(), stats.sem(gaps))
    turned = hall(gaps, stats.t.ppf(0.95, freedom))
    assert found.at(0.05) == pytest.approx((min(plain[0], turned[0]), max(plain[1], turned[1])), abs=1e-9)
    assert (turned[0] < plain[0], turned[1] > plain[1]) == ((False, True) if sign > 0 else (True, False))
    assert (found.difference, found.variance) == pytest.approx((gaps.mean(), gaps.var(ddof=1)))
    assert bounds_of_units(np.zeros(12), gaps, range=(-0.2, 0.2)).at(0.05) == pytest.approx(
        (max(-0.4, found.at(0.05)[0]), min(0.4, found.at(0.05)[1]))
    )


def test_clusters():
    gaps, cluster = np.array([0, 0, -1, 1, 0, -1, 0, 0, 1, 0, -1, -1]), [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]
    found = bounds_of_units(np.zeros(12), gaps, cluster, (0, 1))
    assert isinstance(found, ErrorBounds)
    assert (found.error, found.freedom) == pytest.approx((0.235807, 3.8), abs=1e-6)
    assert found.at(0.05) == pytest.approx((-0.677070, 0.343737), abs=1e-6)


@pytest.mark.parametrize("how", [{}, {"cluster": [1, 1, 1]}])
def test_one_unit_or_one_cluster_tells_nothing(how):
    units = len(how.get("cluster", [1]))
    found = bounds_of_units(np.zeros(units), np.linspace(0, 1, units), **how)
    assert isinstance(found, NoBounds)
    assert all(map(math.isnan, found.at(0.05)))


def test_one_large_cluster_beside_small_ones_is_less_than_two():
    found = bounds_of_units(np.zeros(100), np.linspace(0, 1, 100), [0] * 99 + [1], (0, 1))
    assert isinstance(found, NoBounds)


def test_what_is_alike_everywhere_is_known_as_far_as_something_else_would_have_been_seen():
    same = np.full(200, 0.25)
    found = bounds_of_units(same, same, range=(0, 1))
    assert isinstance(found, AlikeBounds)
    low, high = found.at(0.05)
    assert low == -high == pytest.approx(-(1 - 0.05 ** (1 / 200)))
    assert all(map(math.isnan, bounds_of_units(same, same).at(0.05)))


def test_draws_and_the_opposite():
    found = DrawnBounds(0.1, np.linspace(0, 0.2, 1001), 50)
    low, high = found.at(0.05)
    assert (low, high) == pytest.approx((0.01, 0.19), abs=2e-3)
    assert TurnedBounds(found).at(0.05) == (-high, -low)
    assert TurnedBounds(found).difference == -0.1


def test_how_many_items_decide():
    seen = ScoreBounds(12, 8, 100)
    assert units_to_decide(seen, 0.02, 0.05) == 3067
    assert units_to_decide(TurnedBounds(ScoreBounds(8, 12, 100)), 0.02, 0.05) == 3067
    assert needed(0.2, 0.02, 0.05) == 3092
    assert math.isinf(units_to_decide(seen, 0.04, 0.05))
    assert units_to_decide(ScoreBounds(0, 0, 50), 0.02, 0.05) == 133
    alike = AlikeBounds(0.0, 20, 1.0)
    enough = units_to_decide(alike, 0.02, 0.05)
    assert [AlikeBounds(0.0, units, 1.0).at(0.05)[0] > -0.02 for units in (enough - 1, enough)] == [False, True]
    assert math.isnan(units_to_decide(AlikeBounds(0.0, 20, math.inf), 0.02, 0.05))
    assert math.isnan(units_to_decide(NoBounds(0.0), 0.02, 0.05))


def test_few_units_are_planned_by_t():
    """Of differences of mean .09 and standard deviation .2 beside a margin of .05: so many decide in 80 of 100 cases, and one
    less does not quite; by the normal distribution it would be two less."""
    seen = ErrorBounds(0.09, 0.2 / math.sqrt(6), 5, 6)
    enough = units_to_decide(seen, 0.05, 0.05)
    assert enough == needed(0.04, 0.14, 0.05) + 2 == 15
    drawn = np.random.default_rng(7).normal(0.09, 0.2, (20_000, int(enough)))
    low = drawn.mean(1) - stats.t.ppf(0.95, enough - 1) * drawn.std(1, ddof=1) / math.sqrt(enough)
    assert 0.8 <= (low > -0.05).mean() < 0.83
    clustered = ErrorBounds(0.09, 0.2 / math.sqrt(12), 5, 12)
    assert units_to_decide(clustered, 0.05, 0.05) == 16  # two units bring one degree of freedom


@pytest.mark.parametrize(("old_only", "new_only", "units"), [(2, 0, 2), (3, 0, 4), (0, 2, 3), (1, 3, 9)])
def test_as_many_units_as_are_named_do_decide(old_only, new_only, units):
    seen = ScoreBounds(old_only, new_only, units)
    enough = units_to_decide(seen, 0.2, 0.05)
    low, high = ScoreBounds(old_only * enough / units, new_only * enough / units, enough).at(0.05)
    assert low > -0.2 or high < -0.2


def test_failing_is_corrected_for_the_number_of_questions():
    bad, middling, good = ScoreBounds(60, 20, 400), ScoreBounds(34, 14, 400), ScoreBounds(20, 30, 400)
    alone = [one.at(0.05)[1] < -0.02 for one in (bad, middling, good)]
    assert alone == [True, True, False]
    assert failing([bad, middling, good], [0.02] * 3, 0.05) == [True, False, False]  # .025 for the second, where it is > -.02
    assert failing([middling], [0.02], 0.05) == [True]
    assert failing([bad, middling], [0.02] * 2, 0.05) == [True, True]  # Holm: all of alpha, once the first has failed


def test_right_or_wrong_by_how_many_items_turn():
    """Of seven items one was lost and two were gained."""
    before, after = [1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 1, 0, 1]
    expected = ScoreBounds(1, 2, 7).at(0.05)
    assert bounds_of_units(before, after).at(0.05) == expected
    assert bounds_of_units([*before[:-1], 0.5], [*after[:-1], 0.5]).at(0.05) != pytest.approx(expected)


def test_few_differences_are_also_counted_as_parts_of_the_largest():
    """Of 80 units four gain .5, one gains .2 and one loses .3: as if 4.4 units of .5 were gained and .6 lost, where these bounds
    are wider than those of t."""
    gaps = np.r_[[0.5] * 4, 0.2, -0.3, np.zeros(74)]
    found = bounds_of_units(np.zeros(80), gaps)
    reach = stats.t.ppf(0.95, 79) * gaps.std(ddof=1) / np.sqrt(80)
    low, high = ScoreBounds(0.6, 4.4, 80).at(0.05)
    assert found.at(0.05) == pytest.approx((min(gaps.mean() - reach, 0.5 * low), max(gaps.mean() + reach, 0.5 * high)))


@pytest.mark.parametrize(("differing", "few"), [(29, True), (30, False)])
def test_thirty_differences_are_not_few(differing, few):
    gaps = np.r_[np.linspace(0.1, 0.3, differing), np.zeros(200)]
    assert isinstance(bounds_of_units(np.zeros(len(gaps)), gaps), SparseBounds) is few
