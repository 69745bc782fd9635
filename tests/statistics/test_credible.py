"""Credible intervals: their values, what the prior does, and how often they cover the truth."""

import sys

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.statistics.anova import variance_components
from metameasure.statistics.credible import MANY_ITEMS, credible_means, dirichlet_tables
from metameasure.statistics.resampling import percentile_interval, resampled_tables
from metameasure.statistics.streams import stream

A = np.array([[5, 1, 4], [5, 50, 5], [7, 8, 15]])  # Amigó et al. (2020), Figure 3, rows gold
MEASURES = ("accuracy", "macro_recall", "kappa_linear", "mae_macro", "cem_ord", "alpha_ordinal")


def scored(measure, tables):
    found = mm.measures[measure]
    return np.asarray(found(found.as_read(tables, MANY_ITEMS)))


def interval(measure, counts, trials=100_000, level=0.95):
    low, high = percentile_interval(scored(measure, dirichlet_tables(counts, trials, stream(0))), level)
    return float(low), float(high)


@pytest.mark.parametrize(
    ("measure", "ends", "within"),
    [
        ("accuracy", (0.6037, 0.7817), 0.001),
        ("kappa_linear", (0.174, 0.516), 0.003),
        ("cem_ord", (0.629, 0.788), 0.003),
        ("mae_macro", (0.402, 0.814), 0.003),
        ("alpha_interval", (-0.081, 0.425), 0.004),
    ],
)
def test_intervals_of_a_table(measure, ends, within):
    assert interval(measure, A) == pytest.approx(ends, abs=within)


def test_accuracy_is_a_beta_distribution():
    exact = stats.beta(70 + 1 / 3, 30 + 2 / 3).ppf([0.025, 0.975])
    assert exact == pytest.approx([0.6037, 0.7817], abs=5e-5)
    assert interval("accuracy", A) == pytest.approx(exact, abs=0.001)


def test_measures_that_count_items_take_their_limit():
    """Krippendorff's alpha as 1 - Do/De with mean margins."""
    table = dirichlet_tables(A, 50, stream(1))
    squares = np.subtract.outer(np.arange(3), np.arange(3)) ** 2
    margins = (table.sum(axis=-1) + table.sum(axis=-2)) / 2
    expected = (margins[:, :, None] * margins[:, None, :] * squares).sum(axis=(1, 2))
    np.testing.assert_allclose(scored("alpha_interval", table), 1 - (table * squares).sum(axis=(1, 2)) / expected, atol=1e-9)
    from scipy.stats import kendalltau

    big = np.rint(table[0] * 2000).astype(int)
    gold, output = np.repeat(np.indices((3, 3)).reshape(2, -1), big.ravel(), axis=1)
    untied = kendalltau(gold, output).statistic * np.sqrt(
        np.prod([1 - sum((np.bincount(side) / len(side)) ** 2) for side in (gold, output)])
    )
    assert scored("kendall_a", big / big.sum()) == pytest.approx(untied, abs=1e-3)


def test_the_prior_falls_on_gold_classes_that_occur():
    counts = np.array([[3, 1, 0], [0, 0, 0], [1, 0, 4]])
    drawn = dirichlet_tables(counts, 2000, stream(2))
    assert np.all(drawn[:, 1] == 0)
    np.testing.assert_allclose(drawn.sum(axis=(1, 2)), 1)
    np.testing.assert_allclose(drawn.mean(axis=0)[0], (counts[0] + 1 / 9) / (9 + 6 / 9), atol=0.01)


def test_topics_are_drawn_each_by_itself():
    counts = np.stack([A, A.T, np.zeros((3, 3))])
    drawn = dirichlet_tables(counts, 300, stream(3))
    assert drawn.shape == (300, 3, 3, 3)
    assert np.isnan(drawn[:, 2]).all()
    assert abs(np.corrcoef(drawn[:, 0, 1, 1], drawn[:, 1, 1, 1])[0, 1]) < 0.25


def test_means_over_topics(monkeypatch):
    def value(tables):
        return scored("accuracy", tables)

    counts = np.stack([A, A, np.zeros((3, 3))])
    draws = credible_means(counts, value, 20_000, stream(4))
    one = stats.beta(70 + 1 / 3, 30 + 2 / 3)
    assert draws.mean() == pytest.approx(one.mean(), abs=0.002)
    assert draws.std() == pytest.approx(one.std() / np.sqrt(2), rel=0.05)
    assert np.isnan(credible_means(counts[2:], value, 10, stream(4))).all()
    monkeypatch.setattr("metameasure.statistics.credible._CELLS_AT_ONCE", 500)
    np.testing.assert_allclose(credible_means(counts, value, 300, stream(4)), draws[:300])


def population():
    """Five classes, a run that is right three times in four and else mostly off by one."""
    gold = np.array([0.15, 0.2, 0.3, 0.2, 0.15])
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    errors = np.array([0, 0.8, 0.15, 0.04, 0.01])[distance]
    return gold[:, None] * (0.75 * np.eye(5) + 0.25 * errors / errors.sum(axis=1, keepdims=True))


def coverage(measure, items, mass, samples, trials=600, seed=0):
    """The share of samples whose 95 % interval holds the population's value; ``mass`` None is the bootstrap."""
    rng, truth = np.random.default_rng([seed, items]), population()
    counts = rng.multinomial(items, truth.ravel(), size=samples).reshape(samples, 5, 5)
    if mass is None:
        drawn = resampled_tables(counts.reshape(samples, 25).astype(float), trials, rng).reshape(trials, samples, 5, 5)
        values = np.asarray(mm.measures[measure](drawn))
    else:
        values = scored(measure, dirichlet_tables(counts, trials, rng, mass=mass))
    low, high = percentile_interval(values, 0.95)
    actual = scored(measure, truth)
    return float(np.mean((low <= actual) & (actual <= high)))


@pytest.mark.thorough
def test_the_prior_must_be_small():
    """Twelve items of five classes: priors that add 25 or 12.5 made-up items hide the truth."""
    flat, jeffreys, ours = (coverage("kappa_linear", 12, mass, 300) for mass in (25, 12.5, 1))
    assert flat < 0.1
    assert jeffreys < 0.5
    assert ours > 0.88


@pytest.mark.slow
def test_coverage(capsys):
    lines, covered = [f"{'measure':14s} items  credible  bootstrap"], {}
    for measure in MEASURES:
        for items in (12, 30, 100):
            ours, bootstrap = (coverage(measure, items, mass, 2000, 1000) for mass in (1, None))
            covered[measure, items] = ours
            lines.append(f"{measure:14s} {items:5d}  {100 * ours:8.1f}  {100 * bootstrap:9.1f}")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert all(share > 0.9 for (_, items), share in covered.items() if items == 100)
    assert all(share > 0.88 for (measure, _), share in covered.items() if measure not in ("macro_recall", "mae_macro"))


def test_variance_between_and_within():
    rng = np.random.default_rng(4)
    units = np.repeat(np.arange(2000), rng.integers(1, 8, 2000))
    values = rng.normal(0, 2, 2000)[units] + rng.normal(0, 1, len(units))
    found = variance_components(values, units)
    assert (found.between, found.within) == pytest.approx((4, 1), abs=0.25)
    balanced = np.array([[1.0, 3.0], [5.0, 7.0], [2.0, 2.0]])
    means = balanced.mean(axis=1)
    within = balanced.var(axis=1, ddof=1).mean()
    found = variance_components(balanced.ravel(), np.repeat([0, 1, 2], 2))
    assert (found.between, found.within) == pytest.approx((means.var(ddof=1) - within / 2, within))
    assert np.isnan(variance_components([1.0, 2.0], [0, 1]).within)
