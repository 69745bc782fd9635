"""The edges of the statistics: scores of any size, seeds of any type, nothing to compare."""

import numpy as np
import pytest

import metameasure as mm
from metameasure.statistics.anova import effect_sizes
from metameasure.statistics.groups import compact_letters, complete_linkage
from metameasure.statistics.paired import bootstrap_test, corrected, permutation_test
from metameasure.statistics.rank_correlation import kendall_tau_a
from metameasure.statistics.splits import split_halves
from metameasure.statistics.stepwise import stepwise_test
from metameasure.statistics.studentised_range import studentised_range_sf
from metameasure.statistics.tukey import classical_tukey_hsd

SCORES = np.random.default_rng(0).random((20, 3)).round(2)


@pytest.mark.parametrize("exponent", [-300, -40, -1, 20, 300])
@pytest.mark.parametrize("test", [mm.randomised_tukey_hsd, permutation_test, bootstrap_test])
def test_the_size_of_scores_does_not_matter(test, exponent):
    np.testing.assert_array_equal(test(np.ldexp(SCORES, exponent), 500), test(SCORES, 500))


def test_any_whole_number_is_a_seed():
    expected = mm.randomised_tukey_hsd(SCORES, 200, 3)
    np.testing.assert_array_equal(mm.randomised_tukey_hsd(SCORES, 200, np.int64(3)), expected)
    with pytest.raises(TypeError):
        mm.randomised_tukey_hsd(SCORES, 200, 1.5)


def test_a_ranking_with_a_hole_has_no_tau():
    assert np.isnan(kendall_tau_a([1, np.nan, 3], [1, 2, 3]))
    assert np.isnan(kendall_tau_a([[1, 2, 3], [3, 2, 1]], [1, np.nan, 3])).all()


def test_effect_sizes_without_residual_are_undefined():
    x = SCORES[:, :1]
    sizes = effect_sizes(np.hstack([x, x + 0.1]))
    assert np.isnan(sizes[0, 1])
    assert sizes[0, 0] == 0
    assert classical_tukey_hsd(np.hstack([x, x + 1, x]))[0, 1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("q", "systems", "freedom"), [(1000, 2, 1), (3, 2, 1), (10, 3, 2), (5, 5, 3), (4, 3, 5)])
def test_few_degrees_of_freedom(q, systems, freedom):
    stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
    assert studentised_range_sf(q, systems, freedom) == pytest.approx(stats.studentized_range.sf(q, systems, freedom), rel=1e-3)


def test_letters_of_any_pattern_come_quickly_and_are_right():
    rng = np.random.default_rng(0)
    differ = np.triu(rng.random((60, 60)) < 0.3, 1)
    differ |= differ.T
    letters = [set(text) for text in _split(compact_letters(differ))]
    for i in range(60):
        for j in range(60):
            assert (i == j) or bool(letters[i] & letters[j]) != differ[i, j]


def _split(texts):
    import re

    return [re.findall(r"[a-z]\d*", text) for text in texts]


def test_groups_at_the_threshold():
    similar = np.full((2, 2), np.mean([0.7, 0.8, 0.9]))  # 0.7999999999999999
    assert complete_linkage(similar, 0.8) == [[0, 1]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: mm.randomised_tukey_hsd(SCORES, 100, threads=0),
        lambda: mm.randomised_tukey_hsd(SCORES, 100, chunk=-1),
        lambda: mm.randomised_tukey_hsd(SCORES, 100, kernel="foo"),
        lambda: mm.randomised_tukey_hsd(SCORES, 0),
        lambda: mm.randomised_tukey_hsd([["a", "b"], ["c", "d"]]),
        lambda: mm.randomised_tukey_hsd([[1, 2], [3]]),
        lambda: mm.randomised_tukey_hsd(SCORES * 1j),
        lambda: mm.randomised_tukey_hsd(np.ones((0, 5, 3))),
        lambda: corrected(np.array([0.1]), "maxt"),
        lambda: split_halves(10, 5, size=0),
        lambda: split_halves(10, 5, size=6),
    ],
)
def test_calls_that_are_wrong(call):
    with pytest.raises(mm.UsageError):
        call()


def test_classical_tukey_of_many_runs_takes_little_memory():
    import tracemalloc

    tracemalloc.start()
    p = classical_tukey_hsd(np.random.default_rng(1).random((20, 30)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert p.shape == (30, 30)
    assert peak < 200e6


@pytest.mark.parametrize("test", [mm.randomised_tukey_hsd, permutation_test, bootstrap_test, stepwise_test])
def test_what_a_topic_shares_costs_no_precision(test):
    """One topic on which all runs score 10^12: their differences there are whole numbers, and so exact."""
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 2, size=(12, 3)) + np.arange(3)
    raised = scores.astype(float)
    raised[0] += 1e12
    np.testing.assert_array_equal(test(raised, 2000), test(scores, 2000))
    assert test(raised, 2000)[0, 2] < 0.05


@pytest.mark.parametrize("test", [mm.randomised_tukey_hsd, permutation_test, bootstrap_test, stepwise_test])
def test_rounding_is_no_difference(test):
    """0.1 + 0.2 is 0.30000000000000004."""
    rng = np.random.default_rng(3)
    whole = rng.integers(1, 9, size=(15, 1))
    scores = np.hstack([whole * 0.1 + 0.2, (whole + 2) / 10])
    assert not np.array_equal(scores[:, 0], scores[:, 1])
    np.testing.assert_array_equal(test(scores, 500), np.ones((2, 2)))
