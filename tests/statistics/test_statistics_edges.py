"""The edges of the statistics: scores of any size, seeds of any type, nothing to compare."""

import hashlib
import inspect

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.statistics.anova import (
    effect_sizes,
    no_residual,
    pooled_variance,
    residual_variance,
    shuffling_inflation,
    two_way,
)
from metameasure.statistics.exact_sums import exact_sums
from metameasure.statistics.fixed_point import fixed_point, fixed_point_less_shared
from metameasure.statistics.groups import compact_letters, complete_linkage
from metameasure.statistics.item_tests import (
    compare_units,
    draw_interval,
    paired_interval,
    paired_test,
    share_of_cells,
    swap_test,
)
from metameasure.statistics.measure_tests import t_of_pairs
from metameasure.statistics.paired import bootstrap_test, corrected, permutation_test
from metameasure.statistics.power import normal_residuals, simulated_power
from metameasure.statistics.rank_correlation import kendall_tau_a
from metameasure.statistics.resampling import resampled_tables
from metameasure.statistics.row_digests import HEX_DIGITS, digested, numbers_of
from metameasure.statistics.segment_tests import bootstrap_evidence, paired_evidence_test, soft_pairwise_accuracy, superiority
from metameasure.statistics.splits import split_halves
from metameasure.statistics.stepwise import stepwise_test
from metameasure.statistics.studentised_range import studentised_range_sf
from metameasure.statistics.sums import ManySums, Prior
from metameasure.statistics.tukey import classical_tukey_hsd, critical_difference, randomised_tukey_hsd
from metameasure.statistics.units import Units

SCORES = np.random.default_rng(0).random((20, 3)).round(2)


@pytest.mark.parametrize("exponent", [-300, -40, -1, 20, 300])
@pytest.mark.parametrize("test", [mm.randomised_tukey_hsd, permutation_test, bootstrap_test])
def test_the_size_of_scores_does_not_matter(test, exponent):
    np.testing.assert_array_equal(test(np.ldexp(SCORES, exponent), 500), test(SCORES, 500))


def test_any_whole_number_is_a_seed():
    expected = mm.randomised_tukey_hsd(SCORES, 200, 3)
    np.testing.assert_array_equal(mm.randomised_tukey_hsd(SCORES, 200, np.int64(3)), expected)
    with pytest.raises(mm.UsageError, match=r"seed cannot be 1\.5; give a whole number"):
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


@pytest.mark.parametrize("freedom", [5, np.inf])
def test_no_range_is_beyond_an_infinite_one(freedom):
    assert studentised_range_sf([np.inf, 0.0], 3, freedom).tolist() == [0, pytest.approx(1)]


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


@pytest.mark.slow
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


@pytest.mark.parametrize(("terms", "bits"), [(2, 40), (2**20, 40), (2**21, 40), (2**22, 39), (2**30, 31)])
def test_so_many_whole_numbers_fit_into_a_sum(terms, bits):
    """40 bits, or as many as leave room for a sum of so many."""
    values = fixed_point(np.array([[1.0, 0.5]]), terms).values
    np.testing.assert_array_equal(values, [[2**bits, 2 ** (bits - 1)]])
    assert terms * int(values.max()) <= 2**61


def test_the_first_score_that_is_not_finite_is_named():
    scores = np.ones((3, 2))
    scores[0, 1] = scores[2, 0] = np.nan
    with pytest.raises(mm.UsageError, match="topic 1, system 2 is NaN or infinite"):
        classical_tukey_hsd(scores)


def test_effect_sizes_are_differences_over_the_residual_spread():
    sizes = effect_sizes(SCORES)
    means, spread = SCORES.mean(axis=0), np.sqrt(residual_variance(SCORES))
    np.testing.assert_allclose(sizes, (means[:, None] - means[None, :]) / spread)
    assert not np.isnan(sizes).any()


@pytest.mark.parametrize(("residual", "none"), [(0.0, True), (1e-16, True), (1e-13, False), (1e-8, False)])
def test_a_residual_beyond_rounding_is_one(residual, none):
    scores = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 3.0]])
    scores[0, 0] += residual
    assert bool(no_residual(scores)) is none


@pytest.mark.parametrize("gap", [1e-12, -1e-12])
def test_a_gap_of_the_tolerance_is_a_tie(gap):
    assert kendall_tau_a([0, gap], [0, 1]) == 0
    assert kendall_tau_a([0, 2 * gap], [0, 1]) == np.sign(gap)


@pytest.mark.parametrize(
    "test",
    [
        permutation_test,
        bootstrap_test,
        randomised_tukey_hsd,
        stepwise_test,
        paired_evidence_test,
        paired_test,
        compare_units,
        swap_test,
        draw_interval,
        paired_interval,
        simulated_power,
    ],
)
def test_defaults_are_those_of_the_command(test):
    defaults = {name: parameter.default for name, parameter in inspect.signature(test).parameters.items()}
    assert defaults["trials"] == 5000
    assert defaults["seed"] == 0
    assert defaults.get("add_one", False) is False
    assert defaults.get("level", 0.95) == 0.95


def test_one_trial_is_enough_and_none_is_not():
    counts = np.arange(12).reshape(3, 2, 2)
    assert bootstrap_evidence(counts, lambda sums: sums[..., 0], 1).shape == (1, 2)
    with pytest.raises(mm.UsageError):
        bootstrap_evidence(counts, lambda sums: sums[..., 0], 0)
    with pytest.raises(mm.UsageError, match="0 trials"):
        paired_test(Units.of_items(np.array([0, 1]), np.array([[0, 1], [1, 1]]), 2), mm.measures["accuracy"], 0)


def test_the_share_of_simulated_data_sets_is_of_all_trials():
    """However the trials are cut; 7 x 3 cells a trial leave no more than one block, and none is counted twice."""
    assert simulated_power(normal_residuals(1e-6), 7, 1.0, systems=3, trials=1) == 1
    assert simulated_power(normal_residuals(1e-6), 7, 1.0, trials=50) == 1
    detections = 5000 * simulated_power(normal_residuals(1.0), 4, 1.0)
    assert detections == pytest.approx(round(detections), abs=1e-6)


@pytest.mark.parametrize("units", [0, 1])
def test_systems_that_are_equal_but_for_rounding_do_not_differ_by_maxt(units):
    rng = np.random.default_rng(5)
    scores = rng.random((12, 3))
    scores[:, 1] = scores[:, 0]
    scores[:, 1] += units * fixed_point_less_shared(scores, 24).unit
    p = permutation_test(scores, 500, correction="maxt")
    assert p[0, 1] == 1
    assert not np.isnan(p).any()


def test_shuffling_inflation_is_the_variance_between_a_topics_systems_over_the_residual_one():
    expected = SCORES.var(axis=1, ddof=1).mean() / residual_variance(SCORES)
    assert shuffling_inflation(SCORES) == pytest.approx(expected, rel=1e-12)
    assert shuffling_inflation(np.array([[1.0, 2.0], [3.0, 4.0]])) == np.inf


def test_variance_between_topics_is_a_mean_over_systems():
    assert pooled_variance(SCORES) == pytest.approx(np.mean([np.var(column, ddof=1) for column in SCORES.T]), rel=1e-12)


def test_which_measures_are_shares_of_cells():
    np.testing.assert_array_equal(share_of_cells(mm.measures["accuracy"], 3), np.eye(3))
    np.testing.assert_array_equal(
        share_of_cells(mm.measures["accuracy@1"], 3), np.abs(np.subtract.outer(range(3), range(3))) <= 1
    )
    assert share_of_cells(mm.measures["kappa"], 3) is None
    assert share_of_cells(mm.measures["mae"], 3) is None


class TestByHand:
    """Small cases whose value is plain: what faults in these lines would change."""

    def test_whole_numbers_of_a_unit_are_the_scores(self):
        fixed = fixed_point(SCORES, 2 * len(SCORES))
        np.testing.assert_allclose(fixed.values * fixed.unit, SCORES, rtol=1e-10)

    def test_systems_that_never_differ_reach_each_other_in_every_trial(self):
        np.testing.assert_array_equal(superiority(np.zeros((4, 2)), trials=9), [[0.5, 1], [1, 0.5]])

    def test_a_system_that_is_always_better_has_the_smallest_p(self):
        scores = np.stack([np.zeros(20), np.arange(1.0, 21)], axis=1)
        assert stepwise_test(scores, 99)[0, 1] == pytest.approx(1 / 100)

    def test_sums_that_are_no_shares_are_permuted_too(self):
        """Six segments of 1 and 0: the sums differ by 6 in 2 of 64 swaps."""
        evidence = np.zeros((6, 2, 1))
        evidence[:, 0] = 1
        p = paired_evidence_test(evidence, lambda sums: sums[..., 0], trials=4000)
        assert p[0, 1] == pytest.approx(2 / 64, abs=0.01)

    def test_a_mean_in_its_standard_errors(self):
        assert t_of_pairs(np.array([[1.0], [2.0], [3.0]])) == pytest.approx(2 * np.sqrt(3))
        assert t_of_pairs(np.zeros((3, 1))) == 0

    def test_one_item_is_drawn_again_and_nothing_else(self):
        drawn = resampled_tables(np.array([[1.0, 0.0]]), 50, np.random.default_rng(0))
        np.testing.assert_array_equal(drawn, np.broadcast_to([1.0, 0.0], (50, 1, 2)))

    def test_means_that_are_exactly_1_apart_differ(self):
        scores = np.stack([np.zeros(8), [0.5, 1.5, 1, 1, 1, 1, 1, 1]], axis=1)
        assert classical_tukey_hsd(scores)[0, 1] < 0.001

    def test_two_annotators_a_step_apart_are_consistent(self):
        """Of all that the annotators do not share, ICC(3,1) leaves out how high they rate."""
        ratings = {"ann": {1: 1, 2: 2, 3: 3}, "bob": {1: 2, 2: 3, 3: 4}}
        found = mm.agree(ratings, classes="1..4", kind="interval", measures="icc3", trials=10)
        assert found["icc3"].value == pytest.approx(1)


def test_sums_of_parts_are_rounded_once():
    values = np.array([[0.1] * 10 + [1e16, 1.0, -1e16], np.zeros(13), np.arange(13.0)])
    sums = exact_sums(values, [0, 10, 13])
    assert sums.tolist() == [[1.0, 1.0], [0.0, 0.0], [45.0, 33.0]]
    assert exact_sums(values[:0], [0, 10, 13]).shape == (0, 2)


def test_rows_have_one_digest_where_they_are_the_same():
    first, second, third, negative, zero = digested([1, 1, 1, 2, 2], np.array([0.2, 0.7, 0.2, -0.0, 0.0])).tolist()
    assert first == third
    assert negative == zero
    assert len({first, second, zero}) == 3


def test_the_error_of_many_ratios_is_each_ones_jackknife():
    """(1 + 2 + 4) / (2 + 3 + 5) of three units, (1 + 2) / (1 + 5) of two."""
    sums = ManySums(np.array([[1.0, 2], [2, 3], [4, 5], [1, 1], [2, 5]]), np.array([3, 2]))
    left_out = ([6 / 8, 5 / 7, 3 / 5], [2 / 5, 1 / 1])
    expected = [np.sqrt((len(one) - 1) * np.var(one)) for one in left_out]
    assert sums.jackknife(lambda both: both[..., 0] / both[..., 1]) == pytest.approx(expected)


def test_the_number_of_a_text_is_the_beginning_of_its_md5():
    texts = ["", "a", "Ünïcode", "a b"]
    digits = [hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:HEX_DIGITS] for text in texts]
    assert numbers_of(texts).tolist() == [int(one, 16) for one in digits]


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 2, 2)])
def test_soft_pairwise_accuracy_is_of_square_tables(shape):
    with pytest.raises(mm.UsageError, match="p-values of shape"):
        soft_pairwise_accuracy(np.zeros(shape), np.zeros(shape))


def test_a_critical_difference_has_the_level_as_its_p_value():
    scores = np.random.default_rng(5).normal(size=(12, 3))
    residual = float(residual_variance(scores))
    scores[:, 1] += scores[:, 0].mean() - scores[:, 1].mean() + critical_difference(residual, 12, 3, 0.05)
    assert classical_tukey_hsd(scores)[0, 1] == pytest.approx(0.05, abs=1e-6)


def test_two_way_analysis_by_hand():
    """Scores 1 2 6 and 3 2 1: the residuals' squares add up to 13 with 2 degrees of freedom."""
    found = two_way(np.array([[1.0, 2, 6], [3, 2, 1]]))
    assert found.residual.freedom == 2
    assert found.residual.squares == pytest.approx(13)
    assert (found.systems.freedom, found.systems.squares) == (2, pytest.approx(3))
    assert (found.systems.f, found.topics.f) == pytest.approx((1.5 / 6.5, 1.5 / 6.5))
    assert (found.systems.p, found.topics.p) == pytest.approx((stats.f.sf(1.5 / 6.5, 2, 2), stats.f.sf(1.5 / 6.5, 1, 2)))


def test_what_is_likely_after_seeing_units_has_as_many_units():
    """Each unit and each that might have been seen counts 1: in any proportions they add up to the number of units."""
    sums = ManySums(np.array([[1.0, 4], [1, 2], [1, 7], [1, 1], [1, 3]]), np.array([3, 2]))
    drawn = sums.credible(lambda both: both[..., 0], Prior(np.array([[1.0, 0], [1, 9]]), np.array([0.5, 0.5])), 20, 0)
    np.testing.assert_allclose(drawn, np.tile([3.0, 2.0], (20, 1)))
