"""Tests of rankings: exact enumeration, false alarms on null data, threads that do not show."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.catalogue.ranking.pairs import pair_counts
from metameasure.statistics.paired import permutation_test
from metameasure.statistics.segment_tests import (
    bootstrap_evidence,
    paired_evidence_test,
    soft_pairwise_accuracy,
    superiority,
    within_segment_test,
)

NAN = np.nan
TAU = mm.measures["tau@wmt12"]


def micro(predicted, gold):
    return TAU.of_evidence(TAU.evidence_of(predicted, gold).sum(axis=-2))


def macro(predicted, gold):
    return mm.measures["ndcg"](predicted, gold).mean(axis=-1)


@pytest.mark.parametrize("statistic", [micro, macro])
def test_one_run_against_all_deals_of_its_ranks(statistic):
    """Two segments of three and four items, every deal enumerated; items that are not ranked stay where they are."""
    predicted = np.array([[1.0, 2, 3, NAN, 9], [1, 2, 2, 3, NAN]])
    gold = np.array([[1.0, 3, 2, 5, NAN], [1, 2, 3, 4, NAN]])
    deals = np.array(
        [
            [[*first, NAN, 9], [*second, NAN]]
            for first, second in product(permutations(predicted[0, :3]), permutations(predicted[1, :4]))
        ]
    )
    exact = np.mean(statistic(deals, gold) >= statistic(predicted[None], gold)[0] - 1e-12)
    p = within_segment_test(predicted, gold, statistic, trials=20_000, seed=1)
    assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_one_run_does_not_depend_on_threads_or_chunks():
    rng = np.random.default_rng(0)
    predicted, gold = rng.integers(1, 6, (2, 30, 5)).astype(float)
    found = {
        within_segment_test(predicted, gold, micro, trials=300, seed=7, threads=threads, chunk=chunk)
        for threads, chunk in ((1, None), (2, 7), (2, 300))
    }
    assert len(found) == 1
    assert within_segment_test(predicted, gold, micro, trials=300, seed=8) not in found


@pytest.mark.slow
def test_no_false_alarms_without_association():
    """Of 200 data sets of random ranks with ties, about 5 % are significant at .05 (RankEval's p-value: 30 %)."""
    rng = np.random.default_rng(3)
    p = [
        within_segment_test(*rng.integers(1, 6, (2, 40, 5)).astype(float), micro, trials=99, seed=trial, threads=1)
        for trial in range(200)
    ]
    assert np.mean(np.array(p) <= 0.05) < 0.1
    assert 0.4 < np.mean(p) < 0.6


def test_a_good_run_is_significant_and_an_undefined_one_is_not_tested():
    gold = np.random.default_rng(0).permuted(np.tile(np.arange(1.0, 6), (50, 1)), axis=1)
    assert within_segment_test(gold, gold, micro, trials=99) == 0.01
    assert np.isnan(within_segment_test(gold, np.ones_like(gold), micro, trials=9))
    with pytest.raises(mm.UsageError, match=r"pass two of \(segments, n\)"):
        within_segment_test(gold, gold[:, :3], micro)
    with pytest.raises(mm.UsageError, match="0 trials"):
        within_segment_test(gold, gold, micro, trials=0)


def three_runs(segments=10):
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 5, (segments, 5))
    near = np.clip(gold + rng.integers(-1, 2, gold.shape), 1, 4)
    runs = np.stack([gold, near, rng.integers(1, 5, gold.shape)], axis=1)
    return pair_counts(runs, np.broadcast_to(gold[:, None], runs.shape))


def test_two_runs_change_places_with_all_their_counts():
    """Against all 2^10 ways to change places of two runs on ten segments."""
    counts = three_runs()
    p = paired_evidence_test(counts, TAU.of_evidence, trials=20_000, seed=2)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        a, b = counts[:, first], counts[:, second]
        swaps = np.array(list(product([False, True], repeat=10)))[:, :, None]
        drawn = TAU.of_evidence(np.where(swaps, b, a).sum(axis=1)) - TAU.of_evidence(np.where(swaps, a, b).sum(axis=1))
        observed = TAU.of_evidence(a.sum(axis=0)) - TAU.of_evidence(b.sum(axis=0))
        exact = np.mean(np.abs(drawn) >= abs(observed) - 1e-12)
        assert p[first, second] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)
        assert p[second, first] == p[first, second]


def test_two_runs_by_their_share_of_all_pairs_agree_with_the_test_of_means():
    """On segments of equal length the micro average of pairwise accuracy is its mean: the same trials, the same p."""
    counts = three_runs(30)
    measure = mm.measures["pairwise_accuracy"]
    by_counts = paired_evidence_test(counts, measure.of_evidence, trials=2000, seed=4)
    np.testing.assert_allclose(by_counts, permutation_test(measure.of_evidence(counts), trials=2000, seed=4))


def test_two_runs_do_not_depend_on_threads():
    counts = three_runs(20)
    first = paired_evidence_test(counts, TAU.of_evidence, trials=500, threads=1)
    np.testing.assert_array_equal(first, paired_evidence_test(counts, TAU.of_evidence, trials=500, threads=2, chunk=3))


def test_evidence_that_cannot_be_tested():
    with pytest.raises(mm.UsageError, match="not whole numbers"):
        paired_evidence_test(np.full((3, 2, 5), 0.5), TAU.of_evidence)
    with pytest.raises(mm.UsageError, match="2 axes"):
        paired_evidence_test(np.ones((3, 5)), TAU.of_evidence)
    assert np.isnan(paired_evidence_test(np.zeros((3, 2, 5)), TAU.of_evidence, trials=9)[0, 1])


def test_bootstrap_of_a_micro_average():
    """Against segments drawn by NumPy: the same mean and spread; and drawn together for all runs."""
    counts = three_runs(40)
    drawn = bootstrap_evidence(counts, TAU.of_evidence, trials=4000, seed=1)
    chosen = np.random.default_rng(0).integers(0, 40, (4000, 40))
    expected = TAU.of_evidence(counts[chosen].sum(axis=1))
    assert drawn.shape == (4000, 3)
    np.testing.assert_allclose(drawn.mean(axis=0), expected.mean(axis=0), atol=0.01)
    np.testing.assert_allclose(drawn.std(axis=0), expected.std(axis=0), rtol=0.08, atol=1e-12)
    np.testing.assert_array_equal(drawn, bootstrap_evidence(counts, TAU.of_evidence, 4000, 1, threads=1))


def test_superiority_by_enumeration():
    scores = np.array([[0.9, 0.5], [0.8, 0.6], [0.4, 0.5], [0.7, 0.7], [0.9, 0.2]])
    gaps = scores[:, 0] - scores[:, 1]
    drawn = np.array(list(product([-1, 1], repeat=5))) @ gaps
    p = superiority(scores, trials=20_000, seed=0)
    assert p[0, 1] == pytest.approx(np.mean(drawn >= gaps.sum() - 1e-9), abs=0.01)
    assert p[1, 0] == pytest.approx(np.mean(drawn <= gaps.sum() + 1e-9), abs=0.01)
    assert p[0, 0] == 0.5


def test_soft_pairwise_accuracy_by_hand():
    """Three systems, humans sure of all pairs (.0); a metric sure of the first, unsure of the second, wrong in the third."""
    human = np.array([[0.5, 0.0, 0.0], [1.0, 0.5, 0.0], [1.0, 1.0, 0.5]])
    metric = np.array([[0.5, 0.0, 0.5], [1.0, 0.5, 1.0], [0.5, 0.0, 0.5]])
    assert soft_pairwise_accuracy(human, metric) == pytest.approx((1 + 0.5 + 0) / 3)
    assert soft_pairwise_accuracy(human, human) == 1
    with pytest.raises(mm.UsageError, match=r"pass two of \(systems, systems\)"):
        soft_pairwise_accuracy(human, metric[:2])


def test_segments_of_many_lengths_against_chance():
    """Lengths 1 to 41, more than are kept apart: a perfect run beats all ways to deal out its ranks."""
    ranks = [list(range(1, length + 1)) for length in range(1, 42)]
    frame = pd.DataFrame([(len(row), rank, rank) for row in ranks for rank in row], columns=["segment", "item", "rank"])
    scores = mm.evaluate(frame, {"run": frame}, task="ranking", measures=["tau@a"], chance_test=19)
    assert scores.to_dict()["runs"][0]["p_chance"] == 1 / 20


def test_items_that_gold_does_not_rank_keep_their_ranks():
    """Whichever stands first: only what both rank is dealt out."""
    predicted = np.array([[1.0, 2, 3, 4, np.nan], [5, 4, 3, 2, 1]])
    gold = np.array([[np.nan, 2, 3, 1, 4], [1, np.nan, 2, np.nan, 3]])
    seen = []

    def statistic(dealt, human):
        seen.append(dealt[:, np.isnan(human)])
        return np.arange(len(dealt), dtype=float)

    within_segment_test(predicted, gold, statistic, trials=50)
    assert {tuple(sorted(row)) for row in np.concatenate(seen).tolist()} == {(1.0, 2.0, 4.0)}
