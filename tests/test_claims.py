"""Exact values of what intervals, tests and designs claim, each computed twice and apart from this package."""

import math

import numpy as np
import pytest

from metameasure.statistics.mean_intervals import jackknife, logit_t_interval, mean_interval, t_interval
from metameasure.statistics.measure_tests import measures_apart

OPEN = (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("scores", "range", "ends"),
    [
        ([0.2, 0.4, 0.5, 0.7, 0.9], (0, 1), (0.233220, 0.819195)),
        ([0.2, 0.4, 0.5, 0.7, 0.9], (-1, 1), (0.129845, 0.792355)),
        ([0, 0, 0.1, 0.05, 0.6, 0.02, 0.3, 0.9], (0, 1), (0.067249, 0.596837)),
    ],
)
def test_the_mean_over_topics(scores, range, ends):
    assert mean_interval(scores, 0.95, range) == pytest.approx(ends, abs=5e-7)


def test_an_open_range_is_cut_at_the_end_that_is_known():
    low, high = mean_interval([0.0, 0.0, 0.0, 3.0], 0.95, (0, math.inf))
    assert low == 0
    assert high == pytest.approx(0.75 + 3.182446 * 0.75, abs=1e-5)


@pytest.mark.parametrize("scores", [[0.5, 0.5, 0.5], [0.5], [1.0, 1.0, 1.0]])
def test_topics_that_score_alike_have_no_interval(scores):
    assert np.isnan(mean_interval(scores, 0.95, (0, 1))).all()


CLUSTERS = "112 111 221 222|332 331 222|121 223 333|223 223|332 111 112 222|323 232"
"""Gold, first and second run of each item."""


@pytest.mark.parametrize(("run", "value", "ends"), [(1, 0.833333, (0.326736, 0.980958)), (2, 0.5, (0.275604, 0.724396))])
def test_clusters_are_left_out_one_by_one(run, value, ends):
    items = [one.split() for one in CLUSTERS.split("|")]
    right = np.array([sum(item[0] == item[run] for item in own) for own in items])
    sizes = np.array([len(own) for own in items])
    left = jackknife(right.sum() / sizes.sum(), (right.sum() - right) / (sizes.sum() - sizes), sizes)
    assert left.value == pytest.approx(value, abs=5e-7)
    assert left.effective == pytest.approx(5.5862, abs=5e-5)
    assert logit_t_interval(left.value, left.error, left.freedom, 0.95, (0, 1)) == pytest.approx(ends, abs=5e-7)


def test_the_difference_of_two_runs_over_clusters():
    items = [one.split() for one in CLUSTERS.split("|")]
    gaps = np.array([sum((g == a) - (g == b) for g, a, b in own) for own in items])
    sizes = np.array([len(own) for own in items])
    left = jackknife(gaps.sum() / sizes.sum(), (gaps.sum() - gaps) / (sizes.sum() - sizes), sizes)
    assert (left.value, left.error) == pytest.approx((0.333333, 0.200304), abs=5e-7)
    assert t_interval(left.value, left.error, left.freedom, 0.95, OPEN) == pytest.approx((-0.195858, 0.862524), abs=5e-7)


FIRST = np.array([[9, 8, 6, 7, 9, 8], [7, 8, 9, 5, 7, 6], [4, 5, 6, 2, 6, 3], [3, 6, 4, 3, 4, 1]], dtype=float).T
SECOND = np.array([[5, 4, 4, 1], [4, 5, 3, 3], [5, 3, 4, 2], [3, 4, 1, 2], [5, 4, 3, 1], [4, 2, 3, 2]], dtype=float)


@pytest.mark.parametrize(
    ("quality", "values", "difference", "error", "p"),
    [
        ("consistency", (0.786543, 0.717662), 0.068881, 0.115990, 0.578457),
        ("power", None, 0.143022, 0.169342, 0.436882),
    ],
)
def test_measures_are_told_apart_by_topics(quality, values, difference, error, p):
    apart = measures_apart(np.stack([FIRST, SECOND]), quality)
    assert values is None or apart.value == pytest.approx(values, abs=5e-7)
    numbers = apart.difference[0, 1], apart.error[0, 1], apart.p[0, 1]
    assert numbers == pytest.approx((difference, error, p), abs=5e-7)
    assert apart.p_corrected[0, 1] == apart.p[0, 1]  # of one pair there is nothing to correct
    np.testing.assert_array_equal(apart.p, apart.p.T)


def test_a_measure_is_not_told_apart_from_itself_and_steady_differences_are_sure():
    steady = np.tile([3.0, 2.0, 1.0], (6, 1))
    apart = measures_apart(np.stack([FIRST[:, :3], FIRST[:, :3], steady]), "power")
    assert apart.p[0, 1] == 1
    assert apart.value[2] == 1
