"""Similarity, consistency and robustness: constructed cases with known answers."""

import math
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from meta_cases import matrix, mirrored, noisy, three_measures
from metameasure.meta.ranking_similarity import tau_table
from metameasure.meta.split_consistency import split_taus
from metameasure.meta.topic_robustness import mean_rank_correlation
from metameasure.statistics.rank_correlation import standard_ranks, tied_ranks
from metameasure.statistics.splits import split_halves, split_means


def _two_measures(rng, topics, runs, alike, noise):
    """Two measures of runs whose true means correlate so much, and the true tau."""
    z = rng.normal(size=(2, runs))
    true = np.stack([z[0], alike * z[0] + math.sqrt(1 - alike**2) * z[1]])
    shared, own = rng.normal(size=(1, topics, runs)), rng.normal(size=(2, topics, runs))
    values = true[:, None, :] + noise * (math.sqrt(0.5) * shared + math.sqrt(0.5) * own)
    data = [matrix(measure, one) for measure, one in zip(("accuracy", "cem_ord"), values, strict=True)]
    return data, stats.kendalltau(*true).statistic


def _covers(rng, sets, *design):
    made = [_two_measures(rng, *design) for _ in range(sets)]
    found = mm.meta.similarity(
        {str(place): data for place, (data, _) in enumerate(made)}, trials=200, seed=int(rng.integers(2**31))
    )
    return found.low[0, 1] - 1e-9 <= np.mean([tau for _, tau in made]) <= found.high[0, 1] + 1e-9


def _orders(values):
    """Every ranking that breaks the ties of these values, the best first."""
    every = permutations(range(len(values)))
    return [order for order in every if all(values[one] >= values[other] for one, other in pairwise(order))]


def _naive_tau_ap(reference, order):
    above = [sum(reference.index(one) < reference.index(order[place]) for one in order[:place]) for place in range(len(order))]
    return 2 / (len(order) - 1) * sum(number / place for place, number in enumerate(above) if place) - 1


def _naive_rbo(one, other, p=0.9):
    shares = [len({*one[:depth]} & {*other[:depth]}) / depth for depth in range(1, len(one) + 1)]
    return (1 - p) * sum(p**place * share for place, share in enumerate(shares)) + p ** len(one) * shares[-1]


class TestOtherCorrelations:
    """By hand and by enumeration: ties are broken in every way, and the mean is taken."""

    RANKINGS = (
        ([5, 4, 3, 2, 1], [5, 4, 3, 2, 1]),
        ([5, 4, 3, 2, 1], [1, 2, 3, 4, 5]),
        ([5, 4, 3, 2, 1], [4, 5, 3, 2, 1]),
        ([5, 4, 3, 2, 1], [5, 4, 3, 1, 2]),
        ([3, 3, 2, 1, 1], [1, 2, 2, 3, 3]),
        ([3, 3, 3, 3, 1], [5, 2, 2, 3, 3]),
        ([1, 1, 1], [3, 2, 1]),
        ([1, 2], [2, 1]),
    )

    def _found(self, correlation, one, other):
        data = [matrix(id, np.tile(np.array(values) / 10, (3, 1))) for id, values in (("accuracy", one), ("cem_ord", other))]
        return mm.meta.similarity(data, correlation=correlation, trials=20)

    @pytest.mark.parametrize(("one", "other"), RANKINGS)
    def test_tau_ap(self, one, other):
        pairs = [*product(_orders(one), _orders(other))]
        both = [(_naive_tau_ap(a, b) + _naive_tau_ap(b, a)) / 2 for a, b in pairs]
        assert self._found("tau_ap", one, other).values[0, 1] == pytest.approx(np.mean(both), abs=1e-12)

    @pytest.mark.parametrize(("one", "other"), RANKINGS)
    def test_rank_biased_overlap(self, one, other):
        expected = np.mean([_naive_rbo(a, b) for a, b in product(_orders(one), _orders(other))])
        assert self._found("rbo", one, other).values[0, 1] == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize(("one", "other"), RANKINGS)
    def test_spearman(self, one, other):
        expected = np.nan if len({*one}) == 1 else stats.spearmanr(one, other).statistic
        assert self._found("spearman", one, other).values[0, 1] == pytest.approx(expected, abs=1e-12, nan_ok=True)

    def test_a_swap_at_the_top_counts_more(self):
        """Five runs, two neighbours swapped. tau does not care where: .8. tau_AP: the second has none above that belongs there,
        2/4 (0 + 1 + 1 + 1) - 1 = .5 at the top, and 2/4 (1 + 1 + 1 + 3/4) - 1 = .875 at the bottom."""
        runs, top, bottom = [5, 4, 3, 2, 1], [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
        assert [self._found("tau_ap", runs, one).values[0, 1] for one in (top, bottom)] == pytest.approx([0.5, 0.875])
        assert [self._found("tau", runs, one).values[0, 1] for one in (top, bottom)] == pytest.approx([0.8, 0.8])
        assert [self._found("rbo", runs, one).values[0, 1] for one in (top, bottom)] == pytest.approx(
            [1 - 0.1, 1 - 0.1 * 0.9**3 / 4]
        )

    def test_what_is_said(self, run, tmp_path):
        found = self._found("rbo", [5, 4, 3, 2, 1], [4, 5, 3, 2, 1])
        assert (found.to_dict()["correlation"], found.to_dict()["rbo"][0][1]) == ("rbo", pytest.approx(0.9))
        assert "tau" not in found.to_dict()
        assert found.to_dict()["low"] == [[None, None], [None, None]]
        assert "Rank-biased overlap (persistence 0.9)" in str(found)
        assert "Groups at rbo >= 0.8" in str(found)
        assert "bootstrap interval" not in str(found)
        assert found.signature["correlation"] == "rbo"
        with pytest.raises(mm.UsageError, match="this is rbo, not tau"):
            _ = found.tau
        with pytest.raises(mm.UsageError, match="correlation cannot be 'rob'"):
            self._found("rob", [2, 1], [1, 2])

    def test_the_default_is_tau(self):
        one, other = self._found("tau", [5, 4, 3, 2, 1], [4, 5, 3, 2, 1]), [5, 4, 3, 2, 1]
        default = mm.meta.similarity(
            [matrix(id, np.tile(np.array(v) / 10, (3, 1))) for id, v in (("accuracy", other), ("cem_ord", [4, 5, 3, 2, 1]))],
            trials=20,
        )
        assert default.to_dict() == one.to_dict()

    def test_of_several_data_sets(self):
        parts = [[(5, 4, 3), (5, 4, 3)], [(5, 4, 3), (3, 4, 5)]]
        data = {
            str(place): [
                matrix(id, np.tile(np.array(v) / 10, (3, 1))) for id, v in zip(("accuracy", "cem_ord"), two, strict=True)
            ]
            for place, two in enumerate(parts)
        }
        found = mm.meta.similarity(data, correlation="spearman")
        assert [found.values[0, 1], *(one.values[0, 1] for one in found.data)] == pytest.approx([0, 1, -1])


class TestSimilarity:
    def test_two_swaps_of_five_runs(self):
        """Runs 1 and 2 and runs 4 and 5 change places: 8 of 10 pairs agree, so tau = (8 - 2) / 10."""
        one = matrix("accuracy", np.tile([0.1, 0.2, 0.3, 0.4, 0.5], (3, 1)))
        other = matrix("cem_ord", np.tile([0.2, 0.1, 0.3, 0.5, 0.4], (3, 1)))
        found = mm.meta.similarity([one, other])
        np.testing.assert_allclose(found.tau, [[1, 0.6], [0.6, 1]])
        # Topics that are all the same leave nothing to chance.
        np.testing.assert_allclose([found.low[0, 1], found.high[0, 1]], 0.6)
        assert found.groups() == [("accuracy",), ("cem_ord",)]

    def test_tied_means_count_for_neither(self):
        """Of three pairs one is tied by the second measure: tau-a = 2/3, where tau-b would be .816."""
        values = np.tile([0.1, 0.2, 0.3], (2, 1))
        tied = np.array([[0.1, 0.2, 0.2 + 1e-14], [0.1, 0.2, 0.2 - 1e-14]])
        assert mm.meta.similarity([matrix("accuracy", values), matrix("cem_ord", tied)]).tau[0, 1] == pytest.approx(2 / 3)
        assert mm.meta.similarity([matrix("accuracy", tied), matrix("cem_ord", tied)]).tau[0, 0] == 1

    @pytest.mark.parametrize("seed", range(3))
    def test_mirror_images_rank_alike(self, seed):
        found = mm.meta.similarity(mirrored(noisy(seed=seed)))
        assert found.tau[0, 1] == found.low[0, 1] == found.high[0, 1] == 1
        assert found.groups() == [("accuracy", "mae")]

    def test_against_scipy(self):
        means = np.random.default_rng(0).normal(size=(4, 9))
        expected = [[stats.kendalltau(one, other).statistic for other in means] for one in means]
        np.testing.assert_allclose(tau_table(means), expected)

    def test_interval_by_hand(self):
        """The same draws of topics, the means of those, tau of these; their quantiles, and those mirrored at tau."""
        data = [matrix("accuracy", noisy(30, 6, 1)), matrix("cem_ord", noisy(30, 6, 2, noise=2))]
        found = mm.meta.similarity(data, trials=400, seed=5)
        from metameasure.statistics.paired import bootstrap_means

        drawn = [bootstrap_means(part.values[0][np.argsort(part.topics)], 400, 5) for part in data]  # topics by name
        taus = np.array([stats.kendalltau(one, other).statistic for one, other in zip(*drawn, strict=True)])
        tau = found.tau[0, 1]
        low, high = np.quantile(taus, [0.025, 0.975])
        t = [
            stats.ttest_rel(part.values[0][:, i], part.values[0][:, j]).statistic
            for part in data
            for i, j in combinations(range(6), 2)
        ]
        sure = [np.sign(one) * (abs(one) > stats.t.ppf(0.975, 29)) for one in t]
        opposed = np.mean([one * other < 0 for one, other in zip(sure[:15], sure[15:], strict=True)])
        assert found.low[0, 1] == pytest.approx(max(-1, min(low, 2 * tau - high)))
        assert found.high[0, 1] == pytest.approx(min(1, max(high, 2 * tau - low, 1 - 2 * opposed)))

    def test_the_interval_contains_its_estimate(self):
        """Many runs on few topics, three data sets: nearly every draw is below the estimate."""
        parts = {f"set {seed}": _two_measures(np.random.default_rng(seed), 15, 25, 0.98, 2.0)[0] for seed in range(3)}
        found = mm.meta.similarity(parts, trials=300)
        for block in found.blocks():
            assert block.low[0, 1] <= block.tau[0, 1] <= block.high[0, 1] <= 1

    @pytest.mark.slow
    def test_the_interval_covers(self, capsys):
        """Runs whose true means are known, on topics drawn anew; one data set, and the mean of three. It is conservative, and
        says so: it holds the truth at least as often as promised."""
        rng = np.random.default_rng(7)
        data = ((12, 6, 0.5, 1), (20, 6, 0.95, 1), (40, 8, 0.7, 2), (50, 10, 0.0, 1), (100, 20, 0.9, 2))
        designs = [(sets, *one) for sets in (1, 3) for one in data]
        covered = {design: np.mean([_covers(rng, *design) for _ in range(300)]) for design in designs}
        lines = ["\t".join(map(str, (*design, f"{share:.3f}"))) for design, share in covered.items()]
        title = "data sets, topics, runs, correlation of true means, noise: share of intervals that hold the true tau"
        with capsys.disabled():
            print("", title, *lines, f"all: {np.mean(list(covered.values())):.3f}", sep="\n")  # noqa: T201 - to be seen
        assert all(share >= 0.92 for share in covered.values())

    def test_several_data_sets_have_the_mean(self):
        parts = {f"set {seed}": three_measures(seed=seed) for seed in range(3)}
        found = mm.meta.similarity(parts)
        alone = [mm.meta.similarity(part) for part in parts.values()]
        np.testing.assert_allclose(found.tau, np.mean([one.tau for one in alone], axis=0))
        for part, one in zip(found.data, alone, strict=True):
            np.testing.assert_array_equal(part.low, one.low)
        # A mean of three is surer than one of them.
        assert (found.high - found.low)[0, 1] < np.mean([(one.high - one.low)[0, 1] for one in alone])
        assert [part["name"] for part in found.to_dict()["data"]] == ["set 0", "set 1", "set 2"]

    def test_data_sets_are_drawn_independently(self):
        """The mean of two data sets that happen to be equal is still surer than one: their topics are drawn each by itself."""
        data = three_measures(seed=1)
        one, both = mm.meta.similarity(data), mm.meta.similarity({"x": data, "y": data})
        assert (both.high - both.low)[0, 2] < 0.9 * (one.high - one.low)[0, 2]

    def test_the_largest_group_comes_first(self):
        ranked = np.tile(np.arange(5.0), (2, 1))
        data = [matrix("mae", ranked), matrix("accuracy", ranked), matrix("cem_ord", ranked)]
        found = mm.meta.similarity(data)
        assert found.groups() == [("accuracy", "cem_ord"), ("mae",)]
        assert found.group_of() == {"accuracy": "A", "cem_ord": "A", "mae": "B"}

    def test_groups_at_the_mean_tau(self):
        """tau of .7, .8 and .9 over three data sets: .8 on average, so one group though one data set says otherwise."""

        def swapped(pairs):
            order = np.arange(5.0)
            for i, j in pairs:
                order[[i, j]] = order[[j, i]]
            return matrix("cem_ord", np.tile(order, (2, 1)))

        upright = matrix("accuracy", np.tile(np.arange(5.0), (2, 1)))
        parts = {"a": [upright, swapped([(0, 1), (2, 3)])], "b": [upright, swapped([(0, 1)])], "c": [upright, swapped([])]}
        found = mm.meta.similarity(parts)
        assert found.tau[0, 1] == pytest.approx(0.8)
        assert found.groups() == [("accuracy", "cem_ord")]
        assert found.data[0].groups() == [("accuracy",), ("cem_ord",)]

    def test_strengths_as_the_papers_colour_them(self):
        found = mm.meta.similarity(mirrored(noisy()), strengths=(0.9, 0.8))
        assert [found.strength(tau) for tau in (0.9, 0.8, 0.79)] == ["strong", "fair", "weak"]


class TestConsistency:
    def test_runs_in_the_same_order_on_every_topic(self):
        """Then every split gives the same ranking; a measure of pure noise is worse, significantly."""
        rng = np.random.default_rng(0)
        steady = np.tile(np.arange(6.0), (30, 1)) + rng.random((30, 1))
        found = mm.meta.consistency([matrix("accuracy", rng.random((30, 6))), matrix("cem_ord", steady)], splits=200)
        assert found.measures == ("cem_ord", "accuracy")
        assert found.mean_tau[0] == 1
        assert found.beats() == [1, 0]
        assert abs(found.mean_tau[1]) < 0.4

    def test_taus_by_a_loop(self):
        (data,) = mm.meta.data_sets(three_measures(topics=21)).values()
        first, second = split_halves(21, 30, seed=3)
        assert (first.shape[1], second.shape[1]) == (10, 11)
        expected = [
            [stats.kendalltau(values[a].mean(axis=0), values[b].mean(axis=0)).statistic for values in data.oriented_values()]
            for a, b in zip(first, second, strict=True)
        ]
        np.testing.assert_allclose(split_taus(data.oriented_values(), 30, 3, None), expected)

    def test_effect_size_and_residual_variance_by_hand(self):
        (data,) = mm.meta.data_sets(three_measures()).values()
        found = mm.meta.consistency(data, splits=100)
        taus = split_taus(data.oriented_values(), 100, 0, None)
        fit = taus.mean(axis=0) + taus.mean(axis=1, keepdims=True) - taus.mean()
        variance = ((taus - fit) ** 2).sum() / (99 * 2)
        assert found.residual_variance == pytest.approx(variance)
        assert found.effect_size[0, 2] == pytest.approx((found.mean_tau[0] - found.mean_tau[2]) / math.sqrt(variance))

    def test_p_is_randomised_tukey_on_the_taus(self):
        (data,) = mm.meta.data_sets(three_measures()).values()
        found = mm.meta.consistency(data, splits=60, trials=500, seed=2, test="splits")
        taus = split_taus(data.oriented_values(), 60, 2, None)
        order = [data.ids.index(measure) for measure in found.measures]
        np.testing.assert_array_equal(found.p, mm.randomised_tukey_hsd(taus[:, order], 500, 2))

    def test_k_against_k(self):
        halves, tens = (mm.meta.consistency(three_measures(), size=size) for size in ("half", 10))
        assert (halves.how(), tens.how()) == ("20 vs. 20", "10 vs. 10")
        assert (halves.to_dict()["size"], tens.to_dict()["size"]) == ("half", 10)
        assert tens.mean_tau.mean() < halves.mean_tau.mean()
        with pytest.raises(mm.DataError, match=r"40 topics"):
            mm.meta.consistency(three_measures(), size=21)

    @pytest.mark.parametrize("size", ["half", 7])
    def test_mirror_images_are_as_consistent(self, size):
        found = mm.meta.consistency(mirrored(noisy()), size=size, splits=300)
        assert found.mean_tau[0] == found.mean_tau[1]
        assert found.p[0, 1] == 1
        assert found.beats() == [0, 0]
        assert found.effect_size[0, 1] == 0

    def test_several_data_sets_are_averaged(self):
        parts = {"x": three_measures(40), "y": three_measures(30, seed=5)}
        found = mm.meta.consistency(parts, splits=100)
        alone = {name: mm.meta.consistency(part, splits=100) for name, part in parts.items()}
        for measure, tau in zip(found.measures, found.mean_tau, strict=True):
            assert tau == pytest.approx(np.mean([one.mean_tau[one.measures.index(measure)] for one in alone.values()]))
        assert [part.how() for part in found.data] == ["20 vs. 20", "15 vs. 15"]
        assert (found.how(), list(found.mean_tau)) == ("halves", sorted(found.mean_tau, reverse=True))

    def test_one_measure_alone(self):
        found = mm.meta.consistency(matrix("accuracy", noisy()), splits=50)
        assert found.beats() == [0]
        assert found.to_dict()["residual_variance"] is None

    def test_split_means_are_exact_for_many_topics(self):
        values = np.random.default_rng(0).random((20_000, 3))
        chosen = split_halves(20_000, 2, 0)[0]
        np.testing.assert_allclose(split_means(values, chosen), values[chosen].mean(axis=1), rtol=1e-9)


class TestRobustness:
    def test_the_value_in_the_definitions(self):
        """definitions.md: systems down, topics across."""
        scores = np.array([[0.9, 0.8, 0.3], [0.5, 0.6, 0.6], [0.1, 0.2, 0.2]]).T
        found = mm.meta.robustness(matrix("accuracy", scores))
        assert found.robustness[0] == pytest.approx(0.6667, abs=5e-5)

    def test_against_scipy_pair_by_pair(self):
        scores = np.random.default_rng(1).integers(0, 4, (9, 6)).astype(float)
        pairs = [stats.spearmanr(scores[i], scores[j]).statistic for i in range(9) for j in range(i)]
        assert mean_rank_correlation(scores)[0] == pytest.approx(np.mean(pairs))

    def test_topics_on_which_all_runs_tie_are_left_out_and_said(self):
        scores = np.array([[1.0, 2, 3], [5, 5, 5], [2, 4, 6]])
        found = mm.meta.robustness(matrix("accuracy", scores))
        assert (found.robustness[0], found.flat) == (pytest.approx(1), (1,))
        assert "all runs tie: accuracy 1" in str(found)

    def test_mirror_images_and_data_sets(self):
        parts = {"x": mirrored(noisy(12)), "y": mirrored(noisy(9, seed=2))}
        found = mm.meta.robustness(parts)
        assert found.robustness[0] == pytest.approx(found.robustness[1])
        assert found.robustness[0] == pytest.approx(np.mean([part.robustness[0] for part in found.data]))

    def test_nothing_to_correlate(self):
        found = mm.meta.robustness(matrix("accuracy", np.ones((3, 3))))
        assert found.to_dict()["measures"][0]["robustness"] is None


def test_ranks_share_ties_within_rounding():
    np.testing.assert_array_equal(tied_ranks([0.3, 0.1, 0.1 + 1e-14, 0.2]), [4, 1.5, 1.5, 3])
    assert np.isnan(tied_ranks([1, np.nan])).all()
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (2, 6, 20))
    rho = (standard_ranks(x) * standard_ranks(y)).sum(axis=-1)
    np.testing.assert_allclose(rho, [stats.spearmanr(*pair).statistic for pair in zip(x, y, strict=True)])
    assert np.isnan(standard_ranks([1, 1, 1])).all()


def test_an_undefined_coverage_is_the_highest_under_no_reference_set():
    """Runs that all tie: no set prefers one of them, so there is nothing to correlate with."""
    found = mm.meta.coverage([matrix("accuracy", np.ones((6, 3))), matrix("mae", np.ones((6, 3)))])
    assert found.best_under() == {"accuracy": 0, "mae": 0}
