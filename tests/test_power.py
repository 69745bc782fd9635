"""Topic set size design: Sakai's values, independent formulas, and simulated power."""

import numpy as np
import pytest
from scipy import stats

from metameasure.statistics.power import (
    anova_power,
    detectable_difference,
    fewest_topics,
    interval_width,
    normal_residuals,
    resampled_residuals,
    simulated_power,
    t_test_power,
)


@pytest.mark.parametrize(("variance", "topics"), [(0.0219, 37), (0.04, 65)])
def test_topics_for_a_paired_t_test(variance, topics):
    power = t_test_power(variance)
    assert fewest_topics(lambda n: power(n, 0.1) >= 0.8) == topics


@pytest.mark.parametrize(("variance", "systems", "topics"), [(0.04, 10, 127), (0.04, 50, 241), (0.0219, 3, 44)])
def test_topics_for_an_analysis_of_variance(variance, systems, topics):
    power = anova_power(variance, systems)
    assert fewest_topics(lambda n: power(n, 0.1) >= 0.8) == topics


def test_topics_for_an_interval():
    assert fewest_topics(lambda n: interval_width(0.04, n) <= 0.1) == 125


def test_the_difference_that_a_test_set_can_find():
    assert detectable_difference(t_test_power(0.04), 50, 0.8, 0.04) == pytest.approx(0.1143, abs=5e-5)
    assert detectable_difference(anova_power(0.04, 10), 50, 0.8, 0.04) == pytest.approx(0.1596, abs=5e-5)


@pytest.mark.parametrize("topics", [2, 5, 20, 50, 1000])
@pytest.mark.parametrize("size", [0.0, 0.3, 1.5, 3.0])
def test_power_against_scipy(topics, size):
    noncentral = size * np.sqrt(2)
    difference = noncentral * np.sqrt(2 * 0.04) / np.sqrt(topics)
    critical = stats.t.ppf(0.975, topics - 1)
    expected = stats.nct.sf(critical, topics - 1, noncentral) + stats.nct.sf(critical, topics - 1, -noncentral)
    assert t_test_power(0.04)(topics, difference) == pytest.approx(expected, abs=1e-4)
    critical = stats.f.ppf(0.95, 4, 5 * (topics - 1))
    expected = stats.ncf.sf(critical, 4, 5 * (topics - 1), noncentral**2) if size else 0.05  # SciPy says -.95 there
    assert anova_power(0.04, 5)(topics, difference) == pytest.approx(expected, abs=1e-9)


def test_power_is_a_number_at_any_difference():
    """SciPy's noncentral t is NaN at some of these."""
    for difference in np.linspace(0, 5, 200):
        for power in (t_test_power(0.04), anova_power(0.04, 10)):
            assert 0 <= power(50, difference) <= 1 + 1e-9
    assert fewest_topics(lambda n: t_test_power(0.04)(n, 1e-9) >= 0.8) is None
    assert fewest_topics(lambda n: t_test_power(0.04)(n, 100) >= 0.8) == 2


@pytest.mark.parametrize("systems", [None, 10])
def test_simulated_power_is_what_the_formula_says(systems):
    topics = 65 if systems is None else 127
    power = (t_test_power(0.04) if systems is None else anova_power(0.04, 10))(topics, 0.1)
    simulated = simulated_power(normal_residuals(0.04), topics, 0.1, systems=systems, trials=4000)
    assert simulated == pytest.approx(power, abs=0.02)
    assert simulated_power(normal_residuals(0.04), topics, 0.0, systems=systems, trials=4000) == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize("same_topics", [True, False])
def test_resampled_residuals_have_the_variance(same_topics):
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 1, (500, 1)) if same_topics else 0.0
    residuals = shared + rng.normal(0, [0.1, 0.2, 0.4], (500, 3))
    drawn = resampled_residuals(residuals, 0.04, same_topics=same_topics)(rng, (4000, 10, 2))
    assert (drawn[:, :, 0] - drawn[:, :, 1]).var() == pytest.approx(2 * 0.04, rel=0.05)
    assert not np.any(np.all(drawn[:, :, 0] == drawn[:, :, 1], axis=1))
    assert resampled_residuals(residuals, 0.04, same_topics=same_topics)(rng, (5, 10, 7)).shape == (5, 10, 7)


@pytest.mark.parametrize("systems", [None, 4])
def test_power_on_residuals_of_normal_scores_is_the_same(systems):
    scores = np.random.default_rng(1).normal(0, 0.2, (400, 6))
    residuals = resampled_residuals(scores, 0.04, same_topics=systems is None)
    topics = 65 if systems is None else 100
    power = (t_test_power(0.04) if systems is None else anova_power(0.04, systems))(topics, 0.1)
    assert simulated_power(residuals, topics, 0.1, systems=systems, trials=4000) == pytest.approx(power, abs=0.025)


@pytest.mark.parametrize(("topics", "c4"), [(2, 0.797885), (3, 0.886227), (4, 0.921318), (10, 0.972659)])
def test_the_width_of_an_interval_of_few_topics(topics, c4):
    """c4 as in every table of quality control."""
    expected = 2 * stats.t.ppf(0.975, topics - 1) * c4 * np.sqrt(2 * 0.04 / topics)
    assert interval_width(0.04, topics) == pytest.approx(expected, rel=1e-5)
