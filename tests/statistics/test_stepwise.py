"""The stepwise test: its values by enumeration, a plain twin of it, and what it holds in simulations."""

from itertools import combinations, permutations, product

import numpy as np
import pytest

import metameasure as mm
from metameasure.statistics.stepwise import smallest_p, stepwise_test
from metameasure.statistics.tukey import randomised_tukey_hsd

SIX = np.array([[9, 8, 6, 7, 9, 8], [7, 8, 9, 5, 7, 6], [4, 5, 6, 2, 6, 3], [3, 6, 4, 3, 4, 1]], dtype=float).T
UPPER = np.triu_indices(4, 1)


@pytest.fixture
def book(shared_data):
    """The matrix of Sakai's book, 20 topics x 3 systems."""
    columns = [np.loadtxt(shared_data / f"sakai-book/{name}.csv", delimiter=",", skiprows=1, usecols=1) for name in "XYZ"]
    return np.stack(columns, axis=1)


def stretches(scores):
    """Every stretch of neighbours: it begins and ends with all runs that tie, or with one of them."""
    sums = scores.sum(axis=0).round(9)
    groups = [np.flatnonzero(sums == one).tolist() for one in sorted({*sums}, reverse=True)]
    for a, b in combinations(range(len(groups)), 2):
        between = [run for group in groups[a + 1 : b] for run in group]
        for first, last in product(*([*([one] for one in group), group] for group in (groups[a], groups[b]))):
            yield [*first, *between, *last]


def naive(scores, signs):
    """The definition, word by word, over the given sign vectors."""
    k = scores.shape[1]
    flipped, sums = signs @ scores, scores.sum(axis=0)
    result = np.where(np.abs(sums[:, None] - sums) < 1e-9, 1.0, 0.0)
    for runs in stretches(scores):
        ranges = flipped[:, runs].max(axis=1) - flipped[:, runs].min(axis=1)
        p = np.mean(ranges >= sums[runs].max() - sums[runs].min() - 1e-9)
        adjusted = 1 - (1 - p) ** (k / len(runs)) if len(runs) < k - 1 else p
        for i, j in permutations(runs, 2):
            result[i, j] = max(result[i, j], adjusted)
    return result


def all_signs(topics):
    return np.array(list(product((1, -1), repeat=topics)))


def test_six_topics_by_enumeration():
    p = stepwise_test(SIX)
    assert p[UPPER] == pytest.approx([0.609375, 0.0625, 0.03125, 0.0625, 0.03125, 0.527344], abs=5e-7)
    np.testing.assert_array_equal(p, p.T)
    assert np.all(np.diag(p) == 1)


def test_single_step_tukey_beside_it():
    p = randomised_tukey_hsd(SIX, 200_000)
    assert p[UPPER] == pytest.approx([0.950319, 0.042623, 0.002282, 0.228897, 0.042623, 0.950319], abs=0.003)


def test_the_book_matrix_by_enumeration(book):
    p = stepwise_test(book, 2**19)
    assert p[0, 1] == p[0, 2] == pytest.approx(0.144665, abs=5e-7)
    assert p[1, 2] == pytest.approx(0.623535, abs=5e-7)


def test_drawn_p_values_are_near_the_enumerated(book):
    exact, drawn = stepwise_test(book, 2**19), stepwise_test(book, 20_000, seed=5)
    assert np.abs(exact - drawn).max() < 0.015
    assert np.all(drawn > 0)


@pytest.mark.parametrize("seed", range(8))
def test_every_stretch_against_the_definition(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, size=(7, rng.integers(2, 8))) + np.linspace(0, 2, 7)[:, None] ** 3
    np.testing.assert_allclose(stepwise_test(scores), naive(scores, all_signs(7)), atol=1e-12)


FIVE = """.8 .6 .8 .2 0 1 .6 1 .6 .8 .8 .4
.6 1 .8 .4 0 1 .4 .4 .6 1 .2 .4
.8 1 .6 .6 .4 1 .6 .6 .6 .8 .6 0
.4 1 .8 1 .6 1 .8 1 .6 .6 1 .6
.8 1 1 1 .6 1 .8 1 .8 1 .6 .8"""
TWO_GROUPS = [[6, 5, 7, 4, 6, 5, 7], [5, 6, 6, 5, 4, 7, 7], [4, 4, 5, 3, 5, 4, 6], [3, 2, 4, 3, 2, 3, 2], [2, 3, 3, 2, 4, 2, 3]]
TIED = [
    (
        [[float(cell) for cell in line.split()] for line in FIVE.splitlines()],
        "04:.051539 24:.037109 14:.011719 34:.608094 03:.441450 23:.441450 13:.121094 01:.938576 12:.938576 02:1",
    ),
    (TWO_GROUPS, "01:1 02:.126787 03:.03125 04:.03125 13:.03125 12:.184019 14:.051539 24:.051539 23:.076304 34:1"),
]


@pytest.mark.parametrize(("runs", "expected"), TIED, ids=["two tie", "two groups"])
def test_runs_that_tie_have_no_order(runs, expected):
    """Values computed twice, by enumeration; the same for every order of runs and topics."""
    scores = np.array(runs, dtype=float).T
    p = stepwise_test(scores)
    for pair in expected.split():
        one, other = int(pair[0]), int(pair[1])
        assert p[one, other] == p[other, one] == pytest.approx(float(pair[3:]), abs=5e-7)
    rng = np.random.default_rng(0)
    for _ in range(5):
        order = rng.permutation(5)
        again = stepwise_test(rng.permutation(scores[:, order], axis=0))
        np.testing.assert_allclose(again, p[np.ix_(order, order)], atol=1e-12)


def test_the_smallest_p_value_of_neighbours():
    """8 topics, 20 runs: no neighbours can differ at .05."""
    assert smallest_p(8, 20, 5000) == pytest.approx(1 - (1 - 2**-7) ** 10)
    assert smallest_p(8, 2, 5000) == 2**-7
    steady = np.arange(20) + np.linspace(0, 100, 8)[:, None]
    assert stepwise_test(steady)[0, 1] == pytest.approx(smallest_p(8, 20, 5000))


def test_two_runs_are_a_paired_permutation_test():
    scores = np.random.default_rng(0).normal(size=(10, 2)) + np.array([0.5, 0])
    gaps = scores[:, 0] - scores[:, 1]
    exact = np.mean(np.abs(all_signs(10) @ gaps) >= abs(gaps.sum()) - 1e-12)
    assert stepwise_test(scores)[0, 1] == pytest.approx(exact, abs=1e-12)


def test_what_the_runs_of_a_topic_share_cancels():
    scores = np.random.default_rng(1).random((30, 5)).round(3)
    shared = np.random.default_rng(2).integers(-5, 5, size=(30, 1)) * 1000.0
    np.testing.assert_array_equal(stepwise_test(scores + shared, 999), stepwise_test(scores, 999))


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 3, "chunk": 7}])
def test_threads_and_chunks_do_not_change_a_bit(options):
    scores = np.random.default_rng(3).random((40, 6))
    np.testing.assert_array_equal(stepwise_test(scores, 2000, 7, **options), stepwise_test(scores, 2000, 7))


def test_equal_runs_tie_and_any_pair_within_a_stretch_is_monotone():
    column = np.random.default_rng(4).random(12)
    np.testing.assert_array_equal(stepwise_test(np.c_[column, column, column]), np.ones((3, 3)))
    scores = np.random.default_rng(5).random((25, 9)) + np.linspace(0, 0.3, 9)
    p = stepwise_test(scores, 999)
    order = np.argsort(-scores.mean(axis=0))
    ranked = p[np.ix_(order, order)]
    for i in range(9):  # the farther apart in rank, the smaller p
        assert np.all(np.diff(ranked[i, i + 1 :]) <= 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: stepwise_test(SIX, 0),
        lambda: stepwise_test([[1, np.nan], [2, 3]]),
        lambda: stepwise_test(np.stack([SIX, SIX])),
        lambda: stepwise_test([[1], [2]]),
    ],
)
def test_calls_that_are_wrong(call):
    with pytest.raises(mm.UsageError):
        call()


def field(weak, seed):
    """50 topics: two good systems, three in the middle, and a sixth at that share of the scale."""
    rng = np.random.default_rng(seed)
    means = np.array([0.7, 0.64, 0.62, 0.61, 0.6, weak])
    return np.clip(means + rng.normal(0, 0.08, (50, 1)) + rng.normal(0, 0.1, (50, 6)), 0, 1)


def test_a_weak_run_does_not_blind_it():
    found = [
        [stepwise_test(field(0.1, seed), 999)[0, 1] < 0.05, randomised_tukey_hsd(field(0.1, seed), 999)[0, 1] < 0.05]
        for seed in range(20)
    ]
    stepwise, tukey = np.mean(found, axis=0)
    assert stepwise > 0.5
    assert tukey < 0.1


@pytest.mark.slow
def test_a_hundred_runs_take_seconds_and_little_memory():
    import time
    import tracemalloc

    scores = np.random.default_rng(6).random((300, 100))
    stepwise_test(scores, 10)
    tracemalloc.start()
    start = time.process_time()  # which a busy machine changes little
    p = stepwise_test(scores, 5000)
    taken, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert p.shape == (100, 100)
    assert taken < 20
    assert peak < 100e6
