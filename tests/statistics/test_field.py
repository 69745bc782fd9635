"""What a test of a whole field of runs may hide, and intervals of its differences."""

import numpy as np
import pytest
from scipy import stats

from metameasure.statistics.field import alone, difference_intervals, is_rare, noise, simultaneous_intervals, unequal_spread

OPEN = (-np.inf, np.inf)


def right_on(topics, number):
    """A run that is right on the first so many of these topics, and wrong on the others."""
    return (np.arange(topics) < number).astype(float)


@pytest.mark.parametrize(("number", "rare"), [(0, False), (1, True), (3, True), (4, False), (16, False), (17, True), (20, False)])
def test_a_run_that_is_right_or_wrong_on_few_topics_is_rare(number, rare):
    """Fewer than a fifth of 20 topics."""
    usual = right_on(20, 10)
    assert is_rare(np.stack([usual, right_on(20, number)], axis=1)) is rare
    assert not is_rare(np.stack([usual, 0.5 * right_on(20, number)], axis=1))  # neither right nor wrong, but in between


def test_a_run_that_is_right_everywhere_is_rare_where_all_are_right_or_wrong():
    usual, everywhere = right_on(20, 10), right_on(20, 20)
    assert is_rare(np.stack([usual, everywhere], axis=1), shown=False)
    assert not is_rare(np.stack([usual / 2, everywhere], axis=1), shown=False)


def test_of_a_run_that_is_never_worse_only_two_signs_reach_so_far():
    """Better on five topics and equal on one: the p-value is 2 / 2^5, whatever is drawn."""
    rng = np.random.default_rng(1)
    one = rng.random(6)
    better = one + np.array([0.1, 0.2, 0, 0.05, 0.3, 0.1])
    p = alone(np.stack([one, better, rng.random(6)], axis=1), 100, 0)
    assert p[0, 1] == p[1, 0] == 2 / 2**5
    assert p[0, 0] == 1


def test_intervals_of_differences_are_those_of_paired_t_tests():
    scores = np.random.default_rng(2).random((15, 3)) + np.array([0, 0.1, 0.3])
    low, high = difference_intervals(scores, 0.9, OPEN)
    for one, other in ((0, 1), (1, 0), (2, 0)):
        expected = stats.ttest_rel(scores[:, one], scores[:, other]).confidence_interval(0.9)
        assert (low[one, other], high[one, other]) == pytest.approx((expected.low, expected.high))
    assert difference_intervals(10 * scores, 0.9, (0, 1))[1][2, 0] == 1  # no difference is larger than the range


def test_intervals_that_hold_at_once_are_wider():
    scores = np.random.default_rng(3).normal(size=(40, 5))
    (low, high), (at_once_low, at_once_high) = (
        difference_intervals(scores, 0.95, OPEN),
        simultaneous_intervals(scores, 0.95, OPEN, 0),
    )
    others = ~np.eye(5, dtype=bool)
    wider = (at_once_high - at_once_low)[others] / (high - low)[others]
    # By Tukey's range, which takes runs for equally noisy and normal.
    by_range = stats.studentized_range.ppf(0.95, 5, 156) / np.sqrt(2) / stats.t.ppf(0.975, 39)
    assert wider == pytest.approx(np.full(20, by_range), rel=0.1)
    np.testing.assert_allclose((at_once_low + at_once_high)[others], (low + high)[others], atol=1e-12)


def test_two_runs_at_once_are_one_pair_at_any_level():
    """|t| of a pair is below .39 in three draws of ten."""
    scores = np.random.default_rng(4).normal(size=(40, 2))
    low, high = simultaneous_intervals(scores, 0.3, OPEN, 0)
    error = np.diff(scores, axis=1).std(ddof=1) / np.sqrt(40)
    assert (high - low)[0, 1] / 2 / error == pytest.approx(stats.t.ppf(0.65, 39), rel=0.1)


def test_runs_by_their_residuals():
    """What is left of scores without the means of runs and topics, squared and added up for each run."""
    scores = np.array([[1.0, 0, 5], [0, 1, 4], [1, 0, 0], [0, 1, 0]])
    squares = ((scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()) ** 2).sum(axis=0)
    assert noise(scores) == pytest.approx(squares / np.median(squares))
    assert noise(scores).max() > 1.5
    assert unequal_spread(scores) == pytest.approx(np.log(squares.max() / squares.min()) / np.sqrt(2 / 3))
    assert noise(np.arange(3.0)[:, None] + np.arange(4)).tolist() == [1] * 4  # nobody has any


def test_signs_that_leave_no_spread_are_too_rare_to_count_with_six_topics():
    """Differences of .1 and 0 lie .05 from their mean. Where all six signs agree with that, in two draws of 64, nothing but
    rounding is left to vary; where five do, in 12, t is 2."""
    scores = np.stack([np.tile([0.1, 0], 3), np.zeros(6)], axis=1)
    low, high = simultaneous_intervals(scores, 0.95, OPEN, 0)
    assert (high - low)[0, 1] == pytest.approx(2 * 2 * scores[:, 0].std(ddof=1) / np.sqrt(6))


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.3])
def test_signs_that_leave_no_spread_have_an_infinite_t_whatever_is_rounded(shift):
    """Of four topics two signs of 16 do, which is more than a twentieth, and less than a third."""
    scores = np.stack([np.tile([0.2, 0], 2) + shift, np.zeros(4)], axis=1)
    for range, ends in (((0.0, 1.0), (-1, 1)), (OPEN, OPEN)):
        low, high = simultaneous_intervals(scores, 0.95, range, 0)
        assert (low[0, 1], high[0, 1]) == ends
    low, high = simultaneous_intervals(scores, 0.67, OPEN, 0)  # three signs alike, in half of the draws: t is 1
    assert (high - low)[0, 1] == pytest.approx(2 * scores[:, 0].std(ddof=1) / 2)


@pytest.mark.parametrize("unit", [1e-9, 1e-7, 1.0, 1e7])
def test_intervals_that_hold_at_once_go_with_the_unit_of_the_scores(unit):
    scores = np.random.default_rng(3).random((20, 4))
    expected = simultaneous_intervals(scores, 0.95, OPEN, 0)
    found = simultaneous_intervals(scores * unit, 0.95, OPEN, 0)
    np.testing.assert_allclose(np.array(found) / unit, expected, rtol=1e-9, atol=1e-12)
