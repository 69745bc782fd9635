"""Topic set size design: exact values, independent formulas, and simulated power."""

import numpy as np
import pytest
from scipy import stats

from metameasure.statistics.power import (
    detectable_difference,
    fewest_topics,
    field_power,
    field_topics,
    interval_width,
    normal_residuals,
    resampled_residuals,
    simulated_power,
    variance_at,
)


@pytest.mark.parametrize(("variance", "topics"), [(0.0219, 37), (0.04, 65)])
def test_topics_for_a_paired_t_test(variance, topics):
    assert field_topics(variance, 2, 0.1, 0.8) == topics


@pytest.mark.parametrize(
    ("difference", "variance", "topics"),
    [(0.05, 0.005, {2: 34, 3: 42, 4: 48, 8: 61, 20: 78, 50: 94}), (0.1, 0.0219, {2: 37, 3: 46, 4: 52, 8: 67, 50: 103})],
)
def test_topics_for_two_in_a_field_of_runs(difference, variance, topics):
    assert {runs: field_topics(variance, runs, difference, 0.8) for runs in topics} == topics


def test_power_in_a_field_of_runs():
    powers = [field_power(0.005, runs)(34, 0.05) for runs in (4, 8, 20)]
    assert powers == pytest.approx([0.619, 0.445, 0.261], abs=5e-4)


@pytest.mark.parametrize("guess", [2, 3, 30, 41, 42, 43, 500, 10**7])
def test_the_number_of_topics_does_not_depend_on_the_guess(guess):
    for fewest in (2, 3, 42, 10**7):
        assert fewest_topics(lambda n, fewest=fewest: n >= fewest, guess) == fewest
    assert fewest_topics(lambda _: False, guess) is None


def test_the_variance_that_a_pilot_leaves_possible():
    ends = [variance_at(share, 0.04, 11 * 5) for share in (0.975, 0.025)]
    assert ends == pytest.approx([0.02843, 0.06044], abs=5e-6)


def test_topics_for_an_interval():
    assert fewest_topics(lambda n: interval_width(0.04, n) <= 0.1) == 125


def test_the_difference_that_a_test_set_can_find():
    assert detectable_difference(field_power(0.04), 50, 0.8, 0.04) == pytest.approx(0.1143, abs=5e-5)
    found = detectable_difference(field_power(0.005, 8), 61, 0.8, 0.005)
    assert field_topics(0.005, 8, found * 1.00001, 0.8) == 61


@pytest.mark.each_time(4)
@pytest.mark.parametrize("topics", [2, 5, 20, 50, 1000])
@pytest.mark.parametrize("size", [0.0, 0.3, 1.5, 3.0])
def test_power_against_scipy(topics, size):
    noncentral = size * np.sqrt(2)
    difference = noncentral * np.sqrt(2 * 0.04) / np.sqrt(topics)
    critical = stats.t.ppf(0.975, topics - 1)
    expected = stats.nct.sf(critical, topics - 1, noncentral) + stats.nct.sf(critical, topics - 1, -noncentral)
    assert field_power(0.04)(topics, difference) == pytest.approx(expected, abs=1e-4)
    critical = stats.studentized_range.ppf(0.95, 5, 4 * (topics - 1)) / np.sqrt(2)
    expected = stats.nct.sf(critical, 4 * (topics - 1), noncentral) + stats.nct.sf(critical, 4 * (topics - 1), -noncentral)
    assert field_power(0.04, 5)(topics, difference) == pytest.approx(expected, abs=1e-4)


def test_power_is_a_number_at_any_difference():
    """SciPy's noncentral t is NaN at some of these."""
    for difference in np.linspace(0, 5, 200):
        for systems in (2, 10):
            assert 0 <= field_power(0.04, systems)(50, difference) <= 1 + 1e-9
    for systems in (2, 10):
        assert field_topics(0.04, systems, 1e-9, 0.8) is None
        assert field_topics(0.04, systems, 100, 0.8) == 2


@pytest.mark.parametrize(("systems", "topics", "error"), [(2, 65, 0.05), (10, 127, 0.0016)])
def test_simulated_power_is_what_the_formula_says(systems, topics, error):
    power = field_power(0.04, systems)
    simulated = simulated_power(normal_residuals(0.04), topics, 0.1, systems=systems, trials=4000)
    assert simulated == pytest.approx(power(topics, 0.1), abs=0.02)
    assert power(topics, 0.0) == pytest.approx(error, abs=5e-4)
    assert simulated_power(normal_residuals(0.04), topics, 0.0, systems=systems, trials=4000) == pytest.approx(error, abs=0.015)


@pytest.mark.parametrize("same_topics", [True, False])
def test_resampled_residuals_have_the_variance(same_topics):
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 1, (500, 1)) if same_topics else 0.0
    residuals = shared + rng.normal(0, [0.1, 0.2, 0.4], (500, 3))
    drawn = resampled_residuals(residuals, 0.04, same_topics=same_topics)(rng, (4000, 10, 2))
    assert (drawn[:, :, 0] - drawn[:, :, 1]).var() == pytest.approx(2 * 0.04, rel=0.05)
    assert not np.any(np.all(drawn[:, :, 0] == drawn[:, :, 1], axis=1))
    assert resampled_residuals(residuals, 0.04, same_topics=same_topics)(rng, (5, 10, 7)).shape == (5, 10, 7)


@pytest.mark.parametrize(("systems", "topics"), [(2, 65), (4, 92), (9, 110)])
def test_power_on_residuals_of_normal_scores_is_the_same(systems, topics):
    scores = np.random.default_rng(1).normal(0, 0.2, (400, 6))
    residuals = resampled_residuals(scores, 0.04, same_topics=systems <= 6)
    power = field_power(0.04, systems)(topics, 0.1)
    assert simulated_power(residuals, topics, 0.1, systems=systems, trials=4000) == pytest.approx(power, abs=0.025)


@pytest.mark.parametrize(("topics", "c4"), [(2, 0.797885), (3, 0.886227), (4, 0.921318), (10, 0.972659)])
def test_the_width_of_an_interval_of_few_topics(topics, c4):
    """c4 as in every table of quality control."""
    expected = 2 * stats.t.ppf(0.975, topics - 1) * c4 * np.sqrt(2 * 0.04 / topics)
    assert interval_width(0.04, topics) == pytest.approx(expected, rel=1e-5)
