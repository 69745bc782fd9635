"""Resampling tests, rank correlations, splits and groups, each against a naive or an independent computation."""

import re
import struct
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import combinations, permutations, product
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import metameasure as mm
from metameasure.statistics import by_content
from metameasure.statistics.groups import compact_letters, complete_linkage, letter_ranges
from metameasure.statistics.kernels import exact_product, flipped_sums, permuted_ranges, resampled_sums
from metameasure.statistics.paired import bootstrap_test, corrected, permutation_test
from metameasure.statistics.rank_correlation import kendall_tau_a
from metameasure.statistics.splits import redrawn_topics, split_halves
from metameasure.statistics.streams import stream, times_drawn, trial_keys
from metameasure.statistics.tukey import classical_tukey_hsd, randomised_tukey_hsd

TESTS = (randomised_tukey_hsd, permutation_test, bootstrap_test)
MASK = 2**64 - 1
UPPER = np.triu_indices(4, 1)
GOLDEN = {  # scores() below, seed 0
    "tukey": [0.222, 0.923, 0.246, 0.578, 1.0, 0.635],
    "permutation": [0.036, 0.538, 0.148, 0.177, 0.946, 0.093],
    "bootstrap": [0.013, 0.544, 0.127, 0.158, 0.944, 0.038],
}


def scores(topics=12, systems=4, seed=0, shift=0.1):
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(size=(topics, 1)) + rng.normal(size=(topics, systems)) + shift * np.arange(systems), 2)


# The stream in plain Python integers: SplitMix64, one start per trial, two draws of 32 bits to a word.


def mixed(word):
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def words_of(seed, trial):
    start = mixed((seed * 0x9E3779B97F4A7C15 + 0xBF58476D1CE4E5B9) & MASK)
    word = mixed((start + (trial + 1) * 0x94D049BB133111EB) & MASK)
    while True:
        word = (word + 0x9E3779B97F4A7C15) & MASK
        yield mixed(word)


def shuffled_sums(rows, seed, trial):
    words, sums = words_of(seed, trial), [0] * len(rows[0])
    for row in rows:
        left, halves = list(row), []
        for place in range(len(row) - 1, 0, -1):
            if not halves:
                word = next(words)
                halves = [word & 0xFFFFFFFF, word >> 32]
            chosen = halves.pop(0) * (place + 1) >> 32
            left[chosen], left[place] = left[place], left[chosen]
        sums = [total + value for total, value in zip(sums, left, strict=True)]
    return sums


@pytest.mark.parametrize("kernel", ["numba", "numpy"])
@pytest.mark.parametrize(("topics", "systems"), [(5, 2), (7, 3), (65, 4), (3, 9), (24, 6), (49, 22)])
def test_kernels_draw_what_plain_integers_draw(kernel, topics, systems):
    cube = np.random.default_rng(1).integers(-1000, 1000, size=(5, topics, systems))
    rows = cube[0]
    for seed, first in [(0, 0), (2**64 - 1, 3), (-5, 10**9)]:
        sums = np.array([[shuffled_sums(one.tolist(), seed % 2**64, first + t) for one in cube] for t in range(3)])
        for measures in (1, 4, 5):
            ranges = permuted_ranges(np.moveaxis(cube[:measures], 0, -1), seed, first, 3, kernel)
            assert ranges.tolist() == np.ptp(sums, axis=2)[:, :measures].tolist()
        for trial in range(3):
            stream = words_of(seed % 2**64, first + trial)
            words = [next(stream) for _ in range(topics)]
            signs = [1 - 2 * (words[topic // 64] >> topic % 64 & 1) for topic in range(topics)]
            assert flipped_sums(rows, seed, first + trial, 1)[0].tolist() == (signs @ rows).tolist()
            drawn = [(words[topic // 2] >> 32 * (topic % 2) & 0xFFFFFFFF) * topics >> 32 for topic in range(topics)]
            assert resampled_sums(rows, seed, first + trial, 1)[0].tolist() == rows[drawn].sum(axis=0).tolist()


def test_splits_and_redrawn_topics_are_what_plain_integers_draw():
    """From streams of their own, whose names are numbers."""
    first, second = split_halves(7, 3, seed=5)
    redrawn = redrawn_topics(7, 3, seed=5)
    for trial in range(3):
        stream = words_of(5 ^ int.from_bytes(b"SPLITS"), trial)
        words = [next(stream) for _ in range(7)]
        assert [*first[trial], *second[trial]] == sorted(range(7), key=words.__getitem__)
        stream = words_of(5 ^ int.from_bytes(b"REDRAW"), trial)
        drawn = [(next(stream) & 0xFFFFFFFF) * 7 >> 32 for _ in range(7)]
        assert redrawn[trial].tolist() == np.bincount(drawn, minlength=7).tolist()


def test_scores_as_words_are_their_bits_mixed():
    """Those that differ behind the twelfth decimal only are one; what is drawn with a seed goes by these words."""
    found = by_content.words_of([0.0, -0.0, 1.0, -2.5, 0.3, 0.1 + 0.2, 0.3 + 1e-11])
    bits = [struct.unpack("<Q", struct.pack("<d", number))[0] for number in (0.0, 0.0, 1.0, -2.5, 0.3, 0.3, 0.30000000001)]
    assert found.tolist() == [mixed(one) for one in bits]


@pytest.mark.each_time(1)
@pytest.mark.parametrize("test", TESTS)
def test_threads_chunks_executors_and_kernels_do_not_change_a_bit(test):
    matrix = scores()
    expected = test(matrix, 5000, seed=3)
    kernels = ("numba", "numpy") if test is randomised_tukey_hsd else ()
    for options in ({"threads": 1}, {"threads": 5, "chunk": 7}, {"chunk": 1}, {"chunk": 5000}, *({"kernel": k} for k in kernels)):
        np.testing.assert_array_equal(test(matrix, 5000, seed=3, **options), expected, strict=True)
    with ThreadPoolExecutor(3) as pool:
        np.testing.assert_array_equal(test(matrix, 5000, seed=3, executor=pool), expected)
        np.testing.assert_array_equal(test(matrix, 5000, seed=3, executor=pool, chunk=7), expected)
        assert pool.submit(int).result() == 0  # the caller's executor stays open
    assert not np.array_equal(test(matrix, 5000, seed=4), expected)


@pytest.mark.parametrize("method", ["spawn", pytest.param("forkserver", marks=[pytest.mark.needs("fork"), pytest.mark.slow])])
def test_processes_do_not_change_a_bit(method):
    matrix = scores()
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        for test in TESTS:
            np.testing.assert_array_equal(test(matrix, 500, executor=pool, chunk=170), test(matrix, 500))


def test_more_trials_keep_the_first_draws():
    rows = np.arange(60).reshape(5, 4, 3)
    shuffles = [partial(permuted_ranges, rows, kernel=kernel) for kernel in ("numba", "numpy")]
    for draw in [*shuffles, partial(flipped_sums, rows[:, :, 0]), partial(resampled_sums, rows[:, :, 0])]:
        many = draw(7, 0, 300)
        np.testing.assert_array_equal(draw(7, 0, 100), many[:100])
        np.testing.assert_array_equal(draw(7, 123, 50), many[123:173])


def test_sums_too_large_for_floats_are_exact():
    rng = np.random.default_rng(3)
    times, values = rng.integers(-9, 9, (20, 50)), rng.integers(-(2**55), 2**55, (50, 4))
    for numbers in (values, values // 2**20):
        expected = [[sum(int(a) * int(b) for a, b in zip(row, column, strict=True)) for column in numbers.T] for row in times]
        assert exact_product(times, numbers).tolist() == expected


def test_every_bootstrap_of_the_same_topics_draws_alike():
    rows = np.random.default_rng(4).integers(0, 100, (30, 5))
    weights = times_drawn(trial_keys(9, 0, 400), 30).astype(float)
    assert np.all(weights.sum(axis=1) == 30)
    np.testing.assert_array_equal(weights @ rows, resampled_sums(rows, 9, 0, 400))


def test_generators_have_streams_of_their_own():
    """For each seed and path; none begins as another does, and whole numbers of any sign and type are seeds."""
    asked = [(seed, *path) for seed in (0, 1, 2**64 - 1) for path in ((), (0,), (1,), (0, 0), (0, 1), (1, 0), (2**32 - 1,))]
    begins = {tuple(stream(*one).integers(2**63, size=2).tolist()) for one in asked}
    assert len(begins) == len(asked)
    assert stream(-1).random() == stream(2**64 - 1).random() == stream(np.int64(-1)).random()
    drawn = np.array([stream(0, place).random() for place in range(4000)])
    assert stats.kstest(drawn, "uniform").pvalue > 1e-3
    with pytest.raises(TypeError):
        stream(1.5)


def test_golden_p_values():
    """Made by the plain-Python stream above (which see), so that no platform, version or kernel may move them."""
    matrix = scores()
    rows = np.rint(matrix * 100).astype(int)
    sums = [shuffled_sums(rows.tolist(), 0, trial) for trial in range(1000)]
    ranges = np.array([max(one) - min(one) for one in sums])
    gaps = np.abs(np.subtract.outer(rows.sum(axis=0), rows.sum(axis=0)))[UPPER]
    p = randomised_tukey_hsd(matrix, 1000)[UPPER]
    assert p.tolist() == [np.mean(ranges >= gap) for gap in gaps] == GOLDEN["tukey"]
    assert permutation_test(matrix, 999)[UPPER].tolist() == GOLDEN["permutation"]
    assert bootstrap_test(matrix, 999)[UPPER].tolist() == GOLDEN["bootstrap"]


def test_measures_share_permutations():
    cube = np.stack([scores(seed=1), scores(seed=2), scores(seed=1)])
    p = randomised_tukey_hsd(cube, 700)
    assert p.shape == (3, 4, 4)
    for one, matrix in zip(p, cube, strict=True):
        np.testing.assert_array_equal(one, randomised_tukey_hsd(matrix, 700))
    np.testing.assert_array_equal(randomised_tukey_hsd(cube, 700, kernel="numpy"), p)


def test_places_and_orders_are_uniform_and_independent_between_topics():
    """Of the stream above, which the kernels equal: 5 places, the 6 orders of 3 systems, and 36 pairs of orders of two topics."""
    places, orders = np.zeros((5, 5)), dict.fromkeys(product(range(6), repeat=2), 0)
    numbers = {order: number for number, order in enumerate(permutations((0, 1, 2)))}
    for trial in range(5000):
        for place, system in enumerate(shuffled_sums([tuple(range(5))], 12, trial)):
            places[place, system] += 1
        both = shuffled_sums([(0, 1, 2), (0, 10, 20)], 13, trial)
        orders[numbers[tuple(v % 10 for v in both)], numbers[tuple(v // 10 for v in both)]] += 1
    assert all(stats.chisquare(row).pvalue > 1e-3 for row in places)
    pairs = np.array(list(orders.values())).reshape(6, 6)
    assert all(stats.chisquare(counts).pvalue > 1e-3 for counts in (pairs.sum(axis=0), pairs.sum(axis=1), pairs.ravel()))


def test_kernel_sums_have_the_moments_of_the_stream():
    rows = np.eye(70, dtype=np.int64)
    signs = flipped_sums(rows, 5, 0, 4000)
    assert set(np.unique(signs)) == {-1, 1}
    assert np.abs(signs.mean(axis=0)).max() < 4.5 / np.sqrt(4000)
    assert np.abs(np.corrcoef(signs.T) - np.eye(70)).max() < 5.5 / np.sqrt(4000)
    drawn = resampled_sums(rows, 5, 0, 4000)
    assert np.all(drawn.sum(axis=1) == 70)
    assert stats.chisquare(drawn.sum(axis=0)).pvalue > 1e-3


def test_permutation_p_against_all_sign_flips():
    matrix = scores(10, 4, seed=6, shift=0.4)
    rows = np.rint(matrix * 100).astype(int)
    signs = np.array(list(product((1, -1), repeat=10)))
    trials = 60_000
    p = permutation_test(matrix, trials)
    for i, j in combinations(range(4), 2):
        gaps = rows[:, i] - rows[:, j]
        exact = np.mean(np.abs(signs @ gaps) >= abs(gaps.sum()))
        assert abs(p[i, j] - exact) < 4 * np.sqrt(exact * (1 - exact) / trials) + 1 / trials
        assert p[i, j] == p[j, i] > 0


def naive_holm(p):
    result = [0.0] * len(p)
    worst = 0.0
    for done, at in enumerate(sorted(range(len(p)), key=lambda k: p[k])):
        worst = max(worst, min(1.0, (len(p) - done) * p[at]))
        result[at] = worst
    return result


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_and_benjamini_hochberg(p):
    p = np.array(p)
    np.testing.assert_allclose(corrected(p, "holm"), naive_holm(p.tolist()), rtol=1e-12)
    np.testing.assert_allclose(corrected(p, "bh"), stats.false_discovery_control(p), rtol=1e-12)
    np.testing.assert_array_equal(corrected(p, "none"), p)


def test_max_t_against_a_naive_step_down():
    matrix = scores(15, 5, seed=9, shift=0.3)
    pairs = list(combinations(range(5), 2))
    gaps = np.array([matrix[:, i] - matrix[:, j] for i, j in pairs]).T
    signs = flipped_sums(np.eye(15, dtype=np.int64), 0, 0, 2000)
    spread = np.sqrt((gaps**2).sum(axis=0))
    observed, drawn = np.abs(gaps.sum(axis=0)) / spread, np.abs(signs @ gaps) / spread
    order = sorted(range(len(pairs)), key=lambda k: -observed[k])
    p = permutation_test(matrix, 2000, correction="maxt")
    single = [(1 + np.sum(drawn.max(axis=1) >= o - 1e-9)) / 2001 for o in observed]
    plain = permutation_test(matrix, 2000)
    for correction in ("holm", "bh"):
        family = corrected(plain[np.triu_indices(5, 1)], correction)
        np.testing.assert_array_equal(permutation_test(matrix, 2000, correction=correction)[np.triu_indices(5, 1)], family)
    last = 0.0
    for at, k in enumerate(order):
        last = max(last, (1 + np.sum(drawn[:, order[at:]].max(axis=1) >= observed[k] - 1e-9)) / 2001)
        assert p[pairs[k]] == pytest.approx(last, abs=1e-12)
        assert plain[pairs[k]] <= p[pairs[k]] <= single[k] + 1e-12


def test_whole_numbers_constant_columns_and_scale():
    whole = np.random.default_rng(12).integers(0, 5, size=(20, 4))
    p = randomised_tukey_hsd(whole, 2000)
    for same in (whole / 4, whole * 0.1, whole - 1e6, whole * 1e12, whole.tolist()):
        np.testing.assert_array_equal(randomised_tukey_hsd(same, 2000), p)
    constant = np.tile([0.1, 0.3, 0.3], (10, 1))
    np.testing.assert_array_equal(randomised_tukey_hsd(constant, 500)[1, 2], 1.0)
    assert randomised_tukey_hsd(constant, 500)[0, 1] < 0.05
    np.testing.assert_array_equal(randomised_tukey_hsd(np.full((10, 3), 0.7), 500), np.ones((3, 3)))
    np.testing.assert_array_equal(classical_tukey_hsd(np.full((10, 3), 0.7)), np.ones((3, 3)))
    assert np.all(np.diag(p) == 1)
    np.testing.assert_array_equal(p, p.T)


def test_identical_systems_in_another_order_of_topics_tie():
    column = np.random.default_rng(13).random(31)
    matrix = np.c_[column, column[::-1], np.random.default_rng(14).permutation(column)]
    for test in TESTS:
        np.testing.assert_array_equal(test(matrix, 300), np.ones((3, 3)))


@pytest.mark.parametrize("test", [*TESTS, classical_tukey_hsd])
@pytest.mark.parametrize(
    "matrix", [[[1, np.nan], [2, 3]], [[1, np.inf], [2, 3]], [[1, 2, 3]], [[1], [2]], [1, 2, 3], 1.0, np.empty((0, 3))]
)
def test_matrices_that_cannot_be_tested(test, matrix):
    with pytest.raises(mm.UsageError):
        test(matrix)


def test_options_that_cannot_be():
    for test in TESTS:
        with pytest.raises(mm.UsageError):
            test(scores(), 0)
    for test in TESTS[1:]:
        with pytest.raises(mm.UsageError):
            test(np.stack([scores(), scores()]))
        with pytest.raises(mm.UsageError):
            test(scores(), 10, correction="bonferoni")
    with pytest.raises(mm.UsageError):
        bootstrap_test(scores(), 10, correction="maxt")


def naive_tau_a(x, y):
    pairs = list(combinations(range(len(x)), 2))
    return sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in pairs) / len(pairs)


def test_kendall_taus_of_many_rankings():
    rng = np.random.default_rng(15)
    x, y = rng.integers(0, 6, size=(2, 40, 3, 8)) / 10
    for at in np.ndindex(40, 3):
        assert kendall_tau_a(x, y)[at] == pytest.approx(naive_tau_a(x[at] * 10, y[at] * 10), abs=1e-12)
    assert kendall_tau_a(x, y[0, 0]).shape == (40, 3)
    assert kendall_tau_a([0.1 + 0.2, 0.3, 1], [1, 1, 2]) == pytest.approx(2 / 3)  # within 1e-12 is a tie
    assert np.isnan(kendall_tau_a([1], [1]))


@pytest.mark.parametrize(("topics", "size"), [(10, None), (11, None), (25, 10), (2, None), (3, 1)])
def test_split_halves(topics, size):
    first, second = split_halves(topics, 4000, seed=1, size=size)
    assert first.shape == (4000, size or topics // 2)
    assert second.shape == (4000, size or topics - topics // 2)
    both = np.sort(np.c_[first, second], axis=1)
    assert np.all(np.diff(both, axis=1) > 0)
    assert (both.min(), both.max()) == (0, topics - 1)
    for half in (first, second):
        share = half.shape[1] / topics
        counts = np.bincount(half.ravel(), minlength=topics)
        assert np.abs(counts / 4000 - share).max() < 4.5 * np.sqrt(share * (1 - share) / 4000)
    for one, more in zip(split_halves(topics, 100, seed=1, size=size), (first, second), strict=True):
        np.testing.assert_array_equal(one, more[:100])


@pytest.mark.parametrize(("topics", "size"), [(1, None), (0, None), (19, 10), (10, -1)])
def test_splits_that_cannot_be(topics, size):
    with pytest.raises(mm.UsageError):
        split_halves(topics, 5, size=size)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.booleans(), min_size=n * n, max_size=n * n))))
def test_letters_are_shared_by_those_that_do_not_differ(case):
    systems, bits = case
    differ = np.triu(np.array(bits).reshape(systems, systems), 1)
    differ = differ | differ.T
    letters = [set(re.findall(r"[a-z]\d*", text)) for text in compact_letters(differ)]
    for i, j in product(range(systems), repeat=2):
        assert bool(letters[i] & letters[j]) == (not differ[i, j])


def test_letters_in_the_order_of_means():
    order = np.arange(5)
    assert compact_letters(np.abs(order[:, None] - order) > 1) == ["a", "ab", "bc", "cd", "d"]
    assert compact_letters(~np.eye(30, dtype=bool))[25:28] == ["z", "a1", "b1"]


def test_four_letters_in_a_row_or_more_are_a_range():
    found = {text: letter_ranges(text) for text in ("", "a", "abc", "abcd", "bcdefhjklm", "aceg", "yza1b1")}
    assert list(found.values()) == ["", "a", "abc", "a-d", "b-fhj-m", "aceg", "y-b1"]


def test_complete_linkage():
    similarity = np.eye(4)
    for i, j, value in [(0, 1, 0.9), (1, 2, 0.85), (0, 2, 0.7), (2, 3, 0.8), (0, 3, 0.1), (1, 3, 0.1)]:
        similarity[i, j] = similarity[j, i] = value
    assert complete_linkage(similarity, 0.8) == [[0, 1], [2, 3]]  # single linkage would make one group; .8 is enough
    assert complete_linkage(similarity, 0.95) == [[0], [1], [2], [3]]
    assert complete_linkage(similarity, 0.0) == [[0, 1, 2, 3]]
