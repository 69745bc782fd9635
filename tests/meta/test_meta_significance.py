"""Discriminative power, overlap and contradictions: constructed cases with known answers."""

import itertools

import numpy as np
import pytest

import metameasure as mm
from meta_cases import matrix, mirrored, noisy, three_measures
from metameasure.meta.discriminative_power import Discrimination
from metameasure.statistics.by_content import order_by_content, words_of_rows
from metameasure.statistics.measure_tests import measures_apart


def with_p(p, means, alpha=0.05, measures=("one", "two"), runs="abc"):
    """What ``discrimination`` would have found: p-values of each pair (ab, ac, bc) and means, by measure."""
    square = np.ones((len(measures), 3, 3))
    for row, values in enumerate(p):
        for (i, j), value in zip(itertools.combinations(range(3), 2), values, strict=True):
            square[row, i, j] = square[row, j, i] = value
    counts = np.array([sum(value < alpha for value in values) for values in p])
    return Discrimination(
        name="made up", measures=measures, runs=tuple(runs), p=square, means=np.array(means, dtype=float), counts=counts,
        fewest=counts, most=counts, pairs=3, alpha=alpha, trials=5000, seed=0, twins=((0,), (1,), (2,)),
        apart=measures_apart(np.zeros((len(measures), 3, 3)), "power"),
    )  # fmt: skip


class TestDiscrimination:
    def test_p_values_are_randomised_tukeys_on_shared_permutations(self):
        data = sorted(three_measures(), key=lambda part: part.measure)
        found = mm.meta.discrimination(data, trials=400, seed=3)
        topics, runs = order_by_content(words_of_rows(np.stack([part.oriented_values()[0] for part in data], axis=-1)))
        for part, p in zip(data, found.p, strict=True):
            drawn = mm.randomised_tukey_hsd(part.values[0][np.ix_(topics, runs)], 400, 3)
            np.testing.assert_array_equal(p[np.ix_(runs, runs)], drawn)
        alone = mm.meta.discrimination(data[0], trials=4000, seed=3).p[0]
        np.testing.assert_allclose(alone, mm.meta.discrimination(data, trials=4000, seed=4).p[0], atol=0.04)

    @pytest.mark.parametrize("test", [None, "tukey", "permutation", "bootstrap", "stepwise", "classical"])
    def test_names_and_order_of_runs_topics_and_measures_do_not_matter(self, test):
        """By default, and with every test that is told to draw by the data."""
        data, rng = three_measures(topics=15, runs=5), np.random.default_rng(2)
        how = {} if test is None else {"test": test, "draw_by": "data"}
        found = mm.meta.discrimination(data, **how, trials=150, seed=1)
        assert (found.test, found.draw_by) == (test or "tukey", "data")
        for _ in range(3):
            rows, columns = rng.permutation(15), rng.permutation(5)
            called = [f"{one:02}" for one in rng.permutation(15)], [f"s{one}" for one in rng.permutation(5)]
            moved = [mm.ScoreMatrix(one.measure, *called, one.values[0][np.ix_(rows, columns)]) for one in reversed(data)]
            again = mm.meta.discrimination(moved, **how, trials=150, seed=1)
            np.testing.assert_allclose(again.p[::-1], found.p[:, columns][:, :, columns], atol=1e-12)

    def test_a_test_of_an_earlier_version_draws_by_names(self):
        """In 0.2 permutations were drawn for runs and topics in the order of their names."""
        one, *_ = three_measures(topics=10, runs=5)
        columns = [3, 0, 4, 1, 2]
        moved = mm.ScoreMatrix(one.measure, one.topics, tuple(one.runs[place] for place in columns), one.values[0][:, columns])
        drawn = mm.randomised_tukey_hsd(one.values[0], 150, 1)
        found = mm.meta.discrimination(moved, test="tukey", trials=150, seed=1)
        assert found.draw_by == "names"
        np.testing.assert_array_equal(found.p[0], drawn[np.ix_(columns, columns)])
        assert (found.p != mm.meta.discrimination(moved, trials=150, seed=1).p).any()

    def test_rows_in_another_order_give_the_same_p_values(self):
        (one, *_), rng = three_measures(), np.random.default_rng(0)
        rows, columns = rng.permutation(len(one.topics)), rng.permutation(len(one.runs))
        topics, runs = tuple(one.topics[place] for place in rows), tuple(one.runs[place] for place in columns)
        other = mm.ScoreMatrix(one.measure, topics, runs, one.values[0][np.ix_(rows, columns)])
        first, second = (mm.meta.discrimination(scores, trials=300).p[0] for scores in (one, other))
        np.testing.assert_array_equal(first[np.ix_(columns, columns)], second)

    def test_the_order_of_runs_does_not_matter(self):
        """The same scores with the runs in another order: the same p-values."""
        values, order = noisy(20, 6), [3, 0, 5, 1, 4, 2]
        one = mm.meta.discrimination(matrix("accuracy", values), trials=200)
        other = mm.meta.discrimination(matrix("accuracy", values[:, order], [f"r{run}" for run in order]), trials=200)
        np.testing.assert_array_equal(one.p[0][np.ix_(order, order)], other.p[0])

    def test_counts_and_power(self):
        found = mm.meta.discrimination(three_measures(), trials=1000)
        upper = np.triu_indices(8, 1)
        for place in range(3):
            assert found.counts[place] == (found.p[place][upper] < 0.05).sum()
            assert found.power()[place] == found.counts[place] / 28
        assert found.counts[0] > found.counts[1]

    def test_significance_is_strict(self):
        """One pair has p = alpha exactly: not significant."""
        values = noisy(20, 4, seed=1)
        p = mm.meta.discrimination(matrix("accuracy", values), trials=100).p[0]
        alpha = float(np.sort(p[np.triu_indices(4, 1)])[2])
        assert 0 < alpha < 1
        found = mm.meta.discrimination(matrix("accuracy", values), trials=100, alpha=alpha)
        assert found.counts[0] == (p[np.triu_indices(4, 1)] < alpha).sum() <= 2

    def test_curves_go_down_and_have_every_pair(self):
        found = mm.meta.discrimination(three_measures(), trials=300)
        curves = found.curves()
        assert curves.shape == (3, 28)
        assert (np.diff(curves, axis=1) <= 0).all()
        told = found.long()
        assert told["p"][:28] == curves[0].tolist()
        assert len({frozenset(pair) for pair in zip(told["run_a"][:28], told["run_b"][:28], strict=True)}) == 28

    @pytest.mark.parametrize("scale", [1.0, 0.25, 1000.0])
    def test_mirror_images_have_the_same_power(self, scale):
        found = mm.meta.discrimination(mirrored(noisy(), scale), trials=500)
        np.testing.assert_array_equal(found.p[0], found.p[1])
        assert found.counts[0] == found.counts[1] > 0

    def test_pooled_power_is_of_the_sums(self):
        parts = {"x": three_measures(), "y": three_measures(30, 5, seed=4)}
        found = mm.meta.discrimination(parts, trials=300)
        assert found.pairs == 28 + 10
        np.testing.assert_array_equal(found.counts, sum(part.counts for part in found.data))
        np.testing.assert_allclose(found.power(), found.counts / 38)
        told = found.to_dict()
        assert "p" not in told["measures"][0]
        assert np.array(told["data"][1]["measures"][0]["p"]).shape == (5, 5)

    def test_what_b_leaves_open_holds_other_seeds(self):
        """A hundred sets of 500 trials each: nearly all give a range that holds what 50,000 trials find. In the limit 95 % do;
        88 is three standard errors under that."""
        data = matrix("accuracy", noisy(40, 60, seed=2, step=0.03))
        exact = mm.meta.discrimination(data, trials=50_000)
        drawn = [mm.meta.discrimination(data, trials=500, seed=seed) for seed in range(100)]
        assert np.mean([one.fewest[0] <= exact.counts[0] <= one.most[0] for one in drawn]) >= 0.88
        assert np.mean([one.counts[0] == exact.counts[0] for one in drawn]) < 0.5

    def test_hundreds_of_runs(self):
        found = mm.meta.discrimination(
            [matrix("accuracy", noisy(12, 300, step=0.02)), matrix("mae", noisy(12, 300, 5))], trials=50
        )
        assert found.pairs == 300 * 299 // 2
        assert mm.meta.overlap(found).pairs[0].both >= 0
        contradictions = mm.meta.contradictions(found)
        assert contradictions.total > 20
        assert "more: .render('csv') or json" in str(contradictions)


class TestOverlap:
    def test_counts_by_hand(self):
        """ab: both; ac: only the first; bc: only the second."""
        found = mm.meta.overlap(with_p([[0.01, 0.01, 0.5], [0.01, 0.5, 0.01]], [[3, 2, 1], [3, 2, 1]]))
        (pair,) = found.pairs
        assert (pair.only_first, pair.both, pair.only_second, pair.contradicting) == (1, 1, 1, 0)
        assert pair.overlap == pair.overlap_agreeing == pytest.approx(1 / 3)

    def test_contradictions_leave_the_numerator_and_the_denominator(self):
        """All three by both, ab the opposite way: 3/3 with it, 2/2 without. With ac by the first only: 2/3 and 1/2."""
        opposite = [[3, 2, 1], [2, 3, 1]]
        found = mm.meta.overlap(with_p([[0, 0, 0], [0, 0, 0]], opposite)).pairs[0]
        assert (found.both, found.contradicting, found.overlap, found.overlap_agreeing) == (3, 1, 1, 1)
        found = mm.meta.overlap(with_p([[0, 0, 0], [0, 0.5, 0]], opposite)).pairs[0]
        assert (found.overlap, found.overlap_agreeing) == (pytest.approx(2 / 3), pytest.approx(1 / 2))

    def test_p_equal_to_alpha_is_not_significant(self):
        found = mm.meta.overlap(with_p([[0.05, 0.04, 0.5], [0.05, 0.04, 0.5]], [[3, 2, 1], [3, 2, 1]])).pairs[0]
        assert (found.only_first, found.both, found.only_second) == (0, 1, 0)

    def test_undefined_where_neither_finds_anything(self):
        found = mm.meta.overlap(with_p([[1, 1, 1], [1, 1, 1]], [[3, 2, 1], [3, 2, 1]]))
        assert found.to_dict()["pairs"][0]["overlap"] is None
        assert "–" in str(found)

    def test_mirror_images_overlap_fully(self):
        found = mm.meta.overlap(mirrored(noisy()), trials=500).pairs[0]
        assert found.both > 0
        assert (found.overlap, found.overlap_agreeing, found.contradicting) == (1, 1, 0)

    def test_pooled_adds_up(self):
        parts = {"x": three_measures(), "y": three_measures(30, 5, seed=4)}
        found = mm.meta.overlap(parts, trials=300)
        for place, pair in enumerate(found.pairs):
            assert pair.both == sum(part.pairs[place].both for part in found.data)
        assert found.to_dict()["data"][0]["name"] == "x"

    def test_counts_add_up_to_the_powers(self):
        tests = mm.meta.discrimination(three_measures(), trials=300)
        significant = dict(zip(tests.measures, tests.counts, strict=True))
        for pair in mm.meta.overlap(tests).pairs:
            assert pair.only_first + pair.both == significant[pair.first]
            assert pair.only_second + pair.both == significant[pair.second]


class TestContradictions:
    def test_names_the_runs(self):
        """a > b by the first, b > a by the second, both significant; of a and c only one is sure."""
        found = mm.meta.contradictions(with_p([[0.01, 0.01, 0.5], [0.01, 0.5, 0.5]], [[3, 2, 1], [2, 3, 1]]))
        assert found.to_dict()["pairs"] == [{"first": "one", "second": "two", "count": 1, "runs": [["a", "b"]]}]
        assert found.sentences() == ["one contradicts two about 1 pair of runs: a > b by one, the opposite by two."]

    def test_the_direction_of_a_measure_is_minded(self):
        """The same numbers where lower is better are opposite conclusions; turned round they are the same ones."""
        values = noisy()
        opposite = mm.meta.contradictions([matrix("accuracy", values), matrix("mae", values)], trials=300)
        assert opposite.total == mm.meta.discrimination(matrix("accuracy", values), trials=300).counts[0] > 0
        assert mm.meta.contradictions(mirrored(values), trials=300).total == 0

    def test_identical_runs_fold_together(self):
        values = noisy(40, 4, step=1.0)
        twins = np.column_stack([values[:, 0], values[:, 0], values[:, 3], values[:, 3], values[:, 1]])
        runs = ("BL-low-C", "BL-low-E", "BL-top-C", "BL-top-E", "other")
        data = [matrix("accuracy", twins, runs), matrix("mae", twins, runs)]
        apart, folded = (mm.meta.contradictions(data, trials=500, fold=fold) for fold in (False, True))
        assert ("BL-top-C", "BL-low-E") in apart.pairs[0].runs
        assert ("BL-top-{C,E}", "BL-low-{C,E}") in folded.pairs[0].runs
        assert len(apart.pairs[0].runs) > len(folded.pairs[0].runs)
        # Runs that only one measure cannot tell apart are not the same.
        differing = [data[0], matrix("mae", twins + 0.001 * np.arange(5), runs)]
        assert mm.meta.contradictions(differing, trials=500, fold=True).pairs[0].runs == (
            mm.meta.contradictions(differing, trials=500).pairs[0].runs
        )

    def test_total_over_data_sets(self):
        parts = {"x": [matrix("accuracy", noisy()), matrix("mae", noisy())], "y": mirrored(noisy())}
        found = mm.meta.contradictions(parts, trials=200)
        assert [part.total for part in found.data] == [found.total, 0]
        assert set(found.long()["data"]) == {"x"}
        assert found.sentences()[0].startswith("x: accuracy contradicts mae")


def test_constructed_agreement_of_all_questions():
    """Mirror images: nothing that any question asks tells them apart."""
    found = mm.meta.summary(mirrored(noisy()), trials=300, splits=100)
    one, other = sorted(found.rows, key=lambda row: row.measure)
    assert (one.group, one.mean_tau, one.power) == (other.group, other.mean_tau, other.power)
    assert one.consistency == other.consistency == one.discrimination == other.discrimination == "alike"
    assert found.contradictions.total == 0
