"""Paired tests over items and clusters: values by enumeration, real data, and what they hold in simulations."""

import math
import sys
from itertools import product

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.statistics import item_tests
from metameasure.statistics.item_tests import (
    compare_units,
    deviation_over_swaps,
    difference_within_topics,
    draw_interval,
    mcnemar,
    paired_interval,
    paired_test,
    swap_test,
)
from metameasure.statistics.units import UnitRows, Units

TWELVE = ["111", "112", "113", "121", "222", "221", "223", "223", "232", "333", "332", "331"]
CLUSTERS = ["112 111 221 222", "332 331 222", "121 223 333", "223 223", "332 111 112 222", "323 232"]
DIAGONAL = np.eye(3, dtype=bool)


def codes(words):
    """(gold, first, second) of words such as 123."""
    return np.array([[int(letter) - 1 for letter in word] for word in words]).T


def clustered():
    words = [word for cluster in CLUSTERS for word in cluster.split()]
    return codes(words), np.repeat(np.arange(len(CLUSTERS)), [len(cluster.split()) for cluster in CLUSTERS])


def of_clusters(gold, outputs, clusters, classes, weights=None):
    """Every cluster a unit; items that a run lacks are left out."""
    labels = np.asarray(outputs)
    kept = np.all(labels >= 0, axis=0)
    heavy = None if weights is None else weights[kept]
    return Units.of_rows([UnitRows(gold[kept], label, np.asarray(clusters)[kept], heavy) for label in labels[:, kept]], classes)


def of_joint(counts):
    """Two runs from their joint table with gold (C, C, C): gold class, the first run's class, the second run's."""
    truth, first, second = np.nonzero(counts)
    number = counts[truth, first, second]
    return Units._of_kinds(truth, np.stack([first, second]), np.ones(len(truth)), number, len(counts))


def value(measure):
    return lambda tables: np.asarray(mm.measures[measure](tables))


def compare_items(gold, outputs, classes, value, **options):
    """Runs' outputs (runs, items) compared over items."""
    outputs = np.asarray(outputs)
    return compare_units(lambda runs: Units.of_items(gold, outputs[list(runs)], classes), len(outputs), value, **options)


def by_hand(gold, first, second, measure, units):
    """All swaps of the units, one by one."""
    scores = []
    for swaps in product((False, True), repeat=units.max() + 1):
        swap = np.array(swaps)[units]
        one, other = np.where(swap, second, first), np.where(swap, first, second)
        tables = [np.bincount(gold * 3 + side, minlength=9).reshape(3, 3) for side in (one, other)]
        scores.append(float(mm.measures[measure](tables[0])) - float(mm.measures[measure](tables[1])))
    scores = np.array(scores)
    return np.mean(~(np.abs(scores) < abs(scores[0]) - 1e-12))


class TestValues:
    @pytest.mark.parametrize(
        ("measure", "count"), [("accuracy", 736), ("kappa_linear", 336), ("mae_macro", 352), ("cem_ord", 352)]
    )
    def test_twelve_items(self, measure, count):
        gold, first, second = codes(TWELVE)
        found = paired_test(Units.of_items(gold, [first, second], 3), value(measure))
        assert found.p == pytest.approx(count / 4096, abs=1e-12)
        assert found.exact

    def test_twelve_items_by_mcnemar(self):
        gold, first, second = codes(TWELVE)
        found = paired_test(Units.of_items(gold, [first, second], 3), value("accuracy"), hits=DIAGONAL)
        assert found.p == pytest.approx(736 / 4096, abs=1e-12)
        assert mcnemar(7, 2) == pytest.approx(736 / 4096, abs=1e-12)

    @pytest.mark.parametrize(("measure", "count"), [("accuracy", 24), ("kappa_linear", 18), ("mae_macro", 18), ("cem_ord", 18)])
    def test_clusters_are_swapped_whole(self, measure, count):
        (gold, first, second), clusters = clustered()
        units = of_clusters(gold, [first, second], clusters, 3)
        assert units.total == 6
        found = paired_test(units, value(measure))
        assert found.p == pytest.approx(count / 64, abs=1e-12)
        assert by_hand(gold, first, second, measure, clusters) == pytest.approx(count / 64)

    @pytest.mark.parametrize(
        ("measure", "p"), [("accuracy", 0.146), ("kappa_linear", 0.112), ("mae_macro", 0.109), ("cem_ord", 0.109)]
    )
    def test_the_same_items_as_if_independent(self, measure, p):
        (gold, first, second), _ = clustered()
        assert paired_test(Units.of_items(gold, [first, second], 3), value(measure)).p == pytest.approx(p, abs=5e-4)

    def test_an_undefined_swap_counts_as_reaching(self):
        """Pearson of a constant output is undefined; of one item swapped in three the outputs may become so."""
        gold, first, second = np.array([0, 1, 2]), np.array([0, 1, 1]), np.array([1, 1, 2])
        found = paired_test(Units.of_items(gold, [first, second], 3), value("pearson"))
        assert found.p == pytest.approx(by_hand(gold, first, second, "pearson", np.arange(3)))
        assert np.isnan(paired_test(Units.of_items(gold, [first, np.zeros(3, int)], 3), value("pearson")).p)


@pytest.fixture(scope="module")
def sick(shared_data):
    """The names, gold and outputs of SICK's seventeen runs, as codes."""
    file = shared_data / "sick2014/entailment_matrix.tsv"
    header, *rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    classes = {"CONTRADICTION": 0, "NEUTRAL": 1, "ENTAILMENT": 2}
    labels = np.array([[classes[cell] for cell in row[1:]] for row in rows], dtype=np.int8).T
    return header[2:], labels[0], labels[1:]


class TestSick:
    @pytest.mark.parametrize(
        ("one", "other", "only", "p"),
        [
            ("Illinois-LH", "UoW", (603, 305), 2.604e-23),
            ("Illinois-LH", "ECNU", (356, 310), 0.0811312),
            ("CDT", "UIO-Lien", (571, 566), 0.905578),
        ],
    )
    def test_exact_mcnemar(self, sick, one, other, only, p):
        names, gold, outputs = sick
        first, second = outputs[names.index(one)], outputs[names.index(other)]
        assert (int(((first == gold) & (second != gold)).sum()), int(((first != gold) & (second == gold)).sum())) == only
        found = paired_test(Units.of_items(gold, [first, second], 3), value("accuracy"), hits=DIAGONAL)
        assert found.p == pytest.approx(p, rel=1e-3)
        assert found.p == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, rel=1e-9)

    def test_drawn_swaps_agree_with_it(self, sick):
        names, gold, outputs = sick
        pair = Units.of_items(gold, outputs[[names.index("Illinois-LH"), names.index("ECNU")]], 3)
        found = paired_test(pair, value("accuracy"), 20_000)
        assert not found.exact
        assert found.p == pytest.approx(0.0811312, abs=0.008)

    def test_all_pairs(self, sick):
        names, gold, outputs = sick
        found = compare_items(gold, outputs, 3, value("accuracy"), hits=DIAGONAL, trials=500)
        best, second = np.argsort(-found.values)[:2]
        assert names[best] == "Illinois-LH"
        assert found.values[best] == pytest.approx(np.mean(outputs[best] == gold))
        assert found.p[best, second] > 0.05
        assert found.p[best, names.index("UoW")] < 1e-20
        assert np.all(found.low <= found.values)
        assert np.all(found.values <= found.high)
        gap = found.values[best] - found.values[second]
        assert found.difference_low[best, second] < gap < found.difference_high[best, second]
        assert found.difference_low[second, best] == -found.difference_high[best, second]


class TestUnits:
    def test_tables_of_every_way_in(self):
        rng = np.random.default_rng(0)
        gold, outputs = rng.integers(0, 4, 200), rng.integers(0, 4, (3, 200))
        clusters, weights = rng.integers(0, 30, 200), rng.integers(1, 3, 200) / 2
        expected = np.stack([np.bincount(gold * 4 + one, minlength=16).reshape(4, 4) for one in outputs])
        heavy = np.stack([np.bincount(gold * 4 + one, weights, minlength=16).reshape(4, 4) for one in outputs])
        np.testing.assert_array_equal(Units.of_items(gold, outputs, 4).tables(), expected)
        np.testing.assert_array_equal(Units.of_items(gold, outputs[:2], 4).tables(), expected[:2])
        np.testing.assert_array_equal(of_clusters(gold, outputs, clusters, 4).tables(), expected)
        np.testing.assert_allclose(Units.of_items(gold, outputs, 4, weights).tables(), heavy)
        np.testing.assert_allclose(of_clusters(gold, outputs, clusters, 4, weights).tables(), heavy)
        assert of_clusters(gold, outputs, clusters, 4).total == len(set(clusters.tolist()))

    def test_items_that_a_run_lacks_are_left_out(self):
        gold, outputs = np.array([0, 1, 1, 0]), np.array([[0, 1, -1, 0], [0, 0, 1, 1]])
        assert Units.of_items(gold, outputs, 2).total == 3
        assert of_clusters(gold, outputs, [7, 7, 8, 9], 2).tables().sum() == 6

    def test_repeated_outputs_stay_with_their_item(self):
        first = UnitRows(gold=[0, 0, 1], predicted=[0, 1, 1], unit=[5, 5, 6])
        second = UnitRows(gold=[0, 1, 1], predicted=[0, 0, 1], unit=[5, 6, 6])
        units = Units.of_rows([first, second], 2)
        assert units.total == 2
        np.testing.assert_array_equal(units.tables(), [[[1, 1], [0, 1]], [[1, 0], [1, 1]]])

    def test_the_cost_does_not_grow_with_the_number_of_items(self):
        joint = np.random.default_rng(1).integers(0, 10**9, (3, 3, 3))
        found = paired_test(of_joint(joint), value("kappa_linear"), 500)
        assert 0 < found.p <= 1

    def test_weighted_items_are_kinds_of_their_own(self):
        gold, outputs = np.array([0, 1, 0, 1, 0]), np.array([[0, 1, 0, 0, 0], [1, 1, 1, 1, 0]])
        weights = np.array([1.0, 1.0, 3.0, 1.0, 2.0])
        found = paired_test(Units.of_items(gold, outputs, 2, weights), value("accuracy"))
        gaps = np.array([1, 3, -1]) / 8
        exact = np.mean([abs(np.dot(signs, gaps)) >= abs(gaps.sum()) - 1e-12 for signs in product((1, -1), repeat=3)])
        assert found.p == pytest.approx(exact)

    @pytest.mark.parametrize("outputs", [[[0, 1, 3]], [[0, 1]], [0, 1, 2]])
    def test_codes_that_cannot_be(self, outputs):
        with pytest.raises(mm.UsageError):
            Units.of_items([0, 1, 2], outputs, 3)


class TestDraws:
    def test_drawn_p_values_are_near_the_enumerated(self, monkeypatch):
        gold, first, second = codes(TWELVE)
        units = Units.of_items(gold, [first, second], 3)
        monkeypatch.setattr("metameasure.statistics.item_tests.MOST_ENUMERATED", 1)
        for measure, count in (("accuracy", 736), ("kappa_linear", 336)):
            found = paired_test(units, value(measure), 40_000)
            assert not found.exact
            assert found.p == pytest.approx(count / 4096, abs=0.006)
        (gold, first, second), clusters = clustered()
        found = paired_test(of_clusters(gold, [first, second], clusters, 3), value("cem_ord"), 40_000)
        assert found.p == pytest.approx(18 / 64, abs=0.01)

    def test_the_same_seed_gives_the_same_p_and_blocks_do_not_matter(self, monkeypatch):
        joint = np.random.default_rng(3).integers(0, 9, (4, 4, 4))
        units = of_joint(joint)
        one = paired_test(units, value("mae_macro"), 700, 3)
        ends = paired_interval(units, value("mae_macro"), 0.9, 700, 3)
        monkeypatch.setattr("metameasure.statistics.units.CELLS_AT_ONCE", 100)
        assert paired_test(units, value("mae_macro"), 700, 3) == one
        assert paired_interval(units, value("mae_macro"), 0.9, 700, 3) == ends
        assert paired_test(units, value("mae_macro"), 700, 4) != one

    def test_intervals_of_differences_against_resampled_items(self):
        rng = np.random.default_rng(3)
        gold = rng.integers(0, 3, 150)
        first, second = (np.where(rng.random(150) < share, gold, rng.integers(0, 3, 150)) for share in (0.7, 0.4))
        low, high = paired_interval(Units.of_items(gold, [first, second], 3), value("kappa_linear"), trials=4000)
        draws = []
        for _ in range(2000):
            at = rng.integers(0, 150, 150)
            tables = [np.bincount(gold[at] * 3 + side[at], minlength=9).reshape(3, 3) for side in (first, second)]
            draws.append(float(mm.measures["kappa_linear"](tables[0]) - mm.measures["kappa_linear"](tables[1])))
        assert (low, high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)

    def test_max_t_is_between_no_correction_and_holm(self):
        rng = np.random.default_rng(4)
        gold = rng.integers(0, 3, 300)
        outputs = np.stack([np.where(rng.random(300) < share, gold, rng.integers(0, 3, 300)) for share in (0.7, 0.62, 0.6, 0.4)])
        plain, holm, maxt = (
            compare_items(gold, outputs, 3, value("cem_ord"), correction=correction, trials=4000).p
            for correction in ("none", "holm", "maxt")
        )
        upper = np.triu_indices(4, 1)
        assert np.all(maxt[upper] >= plain[upper] - 0.01)
        assert np.all(maxt[upper] <= holm[upper] + 0.01)
        assert maxt[upper].sum() < holm[upper].sum()
        np.testing.assert_array_equal(maxt, maxt.T)

    def test_all_runs_against_one(self):
        rng = np.random.default_rng(5)
        gold, outputs = rng.integers(0, 2, 60), rng.integers(0, 2, (4, 60))
        found = compare_items(gold, outputs, 2, value("accuracy"), hits=np.eye(2), against=2, trials=200)
        assert np.isnan(found.p[0, 1])
        assert not np.isnan(found.p[2]).any()

    def test_order_measures_by_swaps_of_sorted_items(self):
        """Average precision of 9 items, both runs' outputs sorted together once."""
        rng = np.random.default_rng(6)
        relevant = rng.random(9) < 0.5
        scores = rng.random((2, 9))
        flat = np.argsort(-scores.ravel(), kind="stable")
        run, item = np.divmod(flat, 9)

        def precision(mine):
            hits = mine & relevant[item]
            rank = np.maximum(np.cumsum(mine, axis=1), 1)
            return (hits * np.cumsum(hits, axis=1) / rank).sum(axis=1) / relevant.sum()

        def values(swapped):
            first = (run == 0) ^ swapped[:, item]
            return precision(first), precision(~first)

        def plain(order):
            hits = relevant[order]
            return np.sum(np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)) / relevant.sum()

        gaps = []
        for swaps in product((False, True), repeat=9):
            one, other = np.where(swaps, scores[1], scores[0]), np.where(swaps, scores[0], scores[1])
            gaps.append(plain(np.argsort(-one)) - plain(np.argsort(-other)))
        found = swap_test(values, 9)
        assert found.exact
        assert found.difference == pytest.approx(gaps[0])
        assert found.p == pytest.approx(np.mean(np.abs(gaps) >= abs(gaps[0]) - 1e-12))


def max_t_by_hand(gold, outputs, measure, units, classes):
    """Westfall and Young's step-down p-values of every two runs: all swaps of the units, and deviations over them."""
    runs = len(outputs)
    pairs = [(i, j) for i in range(runs) for j in range(i + 1, runs)]
    swap = np.array(list(product((False, True), repeat=units.max() + 1)))[:, units]

    def scores(outputs):
        cells = np.eye(classes**2)[gold * classes + outputs].sum(axis=1)
        return np.asarray(mm.measures[measure](cells.reshape(-1, classes, classes)))

    gaps = [scores(np.where(swap, outputs[j], outputs[i])) - scores(np.where(swap, outputs[i], outputs[j])) for i, j in pairs]
    gaps = np.abs(np.array(gaps)).T
    statistics = gaps / np.sqrt((gaps**2).mean(axis=0))
    order = np.argsort(-statistics[0], kind="stable")
    p, so_far = np.ones((runs, runs)), 0.0
    for place, pair in enumerate(order):
        largest = statistics[:, order[place:]].max(axis=1)
        so_far = max(so_far, float(np.mean(largest >= statistics[0, pair] - 1e-9)))
        p[pairs[pair]] = p[pairs[pair][::-1]] = so_far
    return p


def runs_wrong_on_items_of_their_own(runs, wrong=6):
    """One run that is right, and others each of which is wrong on so many items: gold and outputs."""
    outputs = np.zeros((runs + 1, wrong * (runs + 1)), dtype=int)
    for run in range(runs):
        outputs[run + 1, run * wrong : (run + 1) * wrong] = 1
    return np.zeros(outputs.shape[1], dtype=int), outputs


class TestMaxT:
    """Pairs that differ alike have equal statistics, and the correction counts all of them."""

    @pytest.mark.parametrize(("runs", "p"), [(2, 1 - (1 - 2**-5) ** 2), (6, 1 - (1 - 2**-5) ** 6)])
    def test_runs_that_tie(self, runs, p):
        gold, outputs = runs_wrong_on_items_of_their_own(runs)
        found = compare_items(gold, outputs, 2, value("accuracy"), correction="maxt", against=0)
        assert found.p[0, 1:] == pytest.approx(p, abs=1e-12 if found.exact else 0.02)
        assert found.exact == (runs == 2)
        assert len(set(found.p[0, 1:].tolist())) == 1

    @pytest.mark.parametrize("measure", ["accuracy", "kappa_linear", "mae_macro", "cem_ord"])
    def test_all_swaps(self, measure):
        """Two of the three pairs tie; the numbers are those of all swaps, one by one."""
        gold = np.array([0, 0, 1, 1, 2, 2] * 2)
        outputs = np.stack([gold] * 3)
        outputs[1, :5] = [1, 0, 2, 1, 1]
        outputs[2, 6:11] = [1, 0, 2, 1, 1]
        found = compare_items(gold, outputs, 3, value(measure), correction="maxt")
        assert found.exact
        assert found.p[0, 1] == found.p[0, 2]
        np.testing.assert_allclose(found.p, max_t_by_hand(gold, outputs, measure, np.arange(12), 3), atol=1e-12)

    @pytest.mark.parametrize("measure", ["accuracy", "mae_macro", "cem_ord"])
    def test_all_swaps_of_clusters(self, measure):
        rng = np.random.default_rng(11)
        gold, clusters = np.tile([0, 1, 2], 9), np.repeat(np.arange(9), 3)
        outputs = np.where(rng.random((3, 27)) < np.array([[0.9], [0.6], [0.5]]), gold, rng.integers(0, 3, (3, 27)))
        found = compare_units(
            lambda runs: of_clusters(gold, outputs[list(runs)], clusters, 3), 3, value(measure), correction="maxt"
        )
        assert found.exact
        np.testing.assert_allclose(found.p, max_t_by_hand(gold, outputs, measure, clusters, 3), atol=1e-12)

    @pytest.mark.parametrize("measure", ["accuracy", "kappa_linear", "mae_macro", "cem_ord", "f1_macro", "pearson", "purity"])
    def test_deviations_need_no_draws(self, measure):
        """Exact where the measure is linear in the outputs, close to what all swaps have elsewhere."""
        rng = np.random.default_rng(12)
        gold = rng.integers(0, 3, 200)
        outputs = np.where(rng.random((2, 200)) < 0.6, gold, rng.integers(0, 3, (2, 200)))
        units = Units.of_items(gold, outputs, 3)
        swaps = rng.random((4000, 200)) < 0.5
        sides = np.where(swaps[:, None], outputs[::-1], outputs)
        tables = np.stack([[np.bincount(gold * 3 + side, minlength=9).reshape(3, 3) for side in both] for both in sides])
        drawn = np.sqrt(np.mean((value(measure)(tables[:, 0]) - value(measure)(tables[:, 1])) ** 2))
        assert deviation_over_swaps(units, value(measure)) == pytest.approx(drawn, rel=0.05)

    def test_deviations_are_the_same_in_blocks(self, monkeypatch):
        rng = np.random.default_rng(13)
        units = Units.of_items(rng.integers(0, 3, 40), rng.integers(0, 3, (2, 40)), 3)
        whole = deviation_over_swaps(units, value("kappa_linear"))
        monkeypatch.setattr(item_tests, "CELLS_AT_ONCE", 2 * units.cells)
        assert deviation_over_swaps(units, value("kappa_linear")) == pytest.approx(whole, rel=1e-12)

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("clustered", [False, True])
    @pytest.mark.parametrize("measure", ["accuracy", "kappa_linear"])
    def test_names_and_order_do_not_matter(self, measure, clustered):
        rng = np.random.default_rng(13)
        gold = rng.integers(0, 3, 90)
        outputs = np.where(rng.random((4, 90)) < np.array([[0.8], [0.7], [0.6], [0.6]]), gold, rng.integers(0, 3, (4, 90)))
        clusters = np.arange(90) // 3

        def found(gold, outputs, clusters):
            units = Units.of_items if not clustered else lambda gold, some, classes: of_clusters(gold, some, clusters, classes)
            whole = compare_units(
                lambda runs: units(gold, outputs[list(runs)], 3), 4, value(measure), correction="maxt", trials=300
            )
            assert not whole.exact
            return whole.p

        expected = found(gold, outputs, clusters)
        for _ in range(3):
            runs, items, names = rng.permutation(4), rng.permutation(90), rng.permutation(30)
            again = found(gold[items], outputs[runs][:, items], names[clusters[items]])
            np.testing.assert_array_equal(again, expected[np.ix_(runs, runs)])

    def test_outputs_that_a_measure_does_not_tell_apart(self):
        """Other mistakes on the same items: nothing moves, beside a pair that does."""
        gold = np.zeros(12, dtype=int)
        outputs = np.stack([gold, gold, gold])
        outputs[0, :4], outputs[1, :4] = 1, 2
        found = compare_items(gold, outputs, 3, value("accuracy"), correction="maxt")
        assert found.p[0, 1] == 1
        assert found.p[0, 2] == found.p[1, 2] == pytest.approx(2 / 16)

    @pytest.mark.slow
    @pytest.mark.parametrize("measure", ["accuracy", "kappa_linear", "mae_macro", "cem_ord"])
    def test_error_where_pairs_tie(self, measure, capsys):
        """Equal runs on few items, where statistics tie often: any pair called different in no more than 5 % of data sets."""
        simulations, errors = 400, np.zeros(2)
        for number in range(simulations):
            rng = np.random.default_rng([14, number])
            gold = np.tile([0, 1, 2], 8)
            outputs = np.where(rng.random((6, 24)) < 0.8, gold, (gold + 1) % 3)
            for place, against in enumerate((None, 0)):
                found = compare_items(
                    gold,
                    outputs,
                    3,
                    value(measure),
                    correction="maxt",
                    trials=400,
                    interval_trials=2,
                    seed=number,
                    against=against,
                )
                errors[place] += bool(np.nanmin(found.p) <= 0.05)
        with capsys.disabled():
            sys.stdout.write(f"\n{measure}: familywise error of all pairs, and of those with one run: {errors / simulations}\n")
        assert np.all(errors / simulations <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / simulations))


def test_intervals_by_how_often_each_item_is_drawn():
    """Of accuracy, which is a function of counts too: the same interval both ways."""
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 2, 200)
    first, second = (np.where(rng.random(200) < share, gold, 1 - gold) for share in (0.8, 0.7))
    right = np.stack([first == gold, second == gold]) / 200

    by_draws = draw_interval(lambda times: (times @ right[0], times @ right[1]), 200)
    by_counts = paired_interval(Units.of_items(gold, [first, second], 2), value("accuracy"))
    assert by_draws == pytest.approx(by_counts, abs=0.011)


@pytest.mark.slow
def test_error_and_coverage_over_items():
    """Four equal runs: any pair called different by max-T in 5 % of data sets, intervals that hold the difference, 0, in 95 %."""
    errors = held = 0
    for number in range(150):
        rng = np.random.default_rng([7, number])
        gold = rng.integers(0, 3, 120)
        outputs = np.where(rng.random((4, 120)) < 0.6, gold, rng.integers(0, 3, (4, 120)))
        found = compare_items(gold, outputs, 3, value("kappa_linear"), correction="maxt", trials=200, seed=number)
        upper = np.triu_indices(4, 1)
        errors += bool((found.p[upper] < 0.05).any())
        held += np.mean((found.difference_low[upper] <= 0) & (found.difference_high[upper] >= 0))
    assert errors / 150 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)
    assert 0.9 < held / 150 < 0.98


def equal_runs(sizes, within, rng):
    """Whether two equally good runs are right, item by item, with that correlation within clusters of those sizes."""
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    if within == 0:
        return cluster, rng.random((2, len(cluster))) < 0.7
    strength = (1 - within) / within
    shares = rng.beta(0.7 * strength, 0.3 * strength, (2, len(sizes)))
    return cluster, rng.random((2, len(cluster))) < shares[:, cluster]


def error_rates(sizes, within, simulations):
    """How often two equal runs are called different at alpha .05: clusters swapped whole, and items swapped one by one."""
    found = np.zeros(2)
    for number in range(simulations):
        rng = np.random.default_rng([len(sizes), int(100 * within), number])
        cluster, right = equal_runs(sizes, within, rng)
        gold, outputs = np.zeros(len(cluster), dtype=int), (~right).astype(int)
        whole = paired_test(of_clusters(gold, outputs, cluster, 2), value("accuracy"), 400, number)
        items = paired_test(Units.of_items(gold, outputs, 2), value("accuracy"), hits=np.eye(2))
        found += [whole.p < 0.05, items.p < 0.05]
    return found / simulations


def test_clusters_taken_as_items_find_too_much():
    whole, items = error_rates(np.full(50, 10), 0.7, 60)
    assert items > 0.3
    assert whole < 0.13


@pytest.mark.slow
def test_error_of_clusters(capsys):
    simulations, lines, rates = 1000, ["clusters  sizes    within  clusters swapped  items swapped"], []
    for clusters in (20, 50, 500):
        for kind, sizes in (("equal", np.full(clusters, 10)), ("unequal", 1 + np.arange(clusters) % 19)):
            for within in (0, 0.3, 0.7, 0.9):
                whole, items = error_rates(sizes, within, simulations)
                rates.append(whole)
                lines.append(f"{clusters:8d}  {kind:7s}  {within:6.1f}  {whole:16.3f}  {items:13.3f}")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    error = 2.5 * np.sqrt(0.05 * 0.95 / simulations)
    assert np.mean(rates) == pytest.approx(0.05, abs=0.01)
    assert min(rates) > 0.03 - error
    assert max(rates) < 0.065 + error


@pytest.mark.parametrize("trials", [9, 99])
def test_drawn_swaps_count_the_observed_one(trials):
    """p = (count + 1) / (B + 1)."""
    rng = np.random.default_rng(2)
    units = Units.of_items(rng.integers(3, size=300), rng.integers(3, size=(2, 300)), 3)
    found = paired_test(units, value("kappa_linear"), trials)
    assert not found.exact
    assert found.p * (trials + 1) == pytest.approx(round(found.p * (trials + 1)), abs=1e-9)
    assert 1 / (trials + 1) <= found.p <= 1


def test_equal_runs_beside_others_under_maxt():
    """Their difference never varies: there is no deviation to divide it by."""
    rng = np.random.default_rng(3)
    gold = rng.integers(3, size=40)
    first, other = rng.integers(3, size=(2, 40))
    found = compare_items(gold, [first, first, other], 3, value("kappa_linear"), correction="maxt", trials=50)
    assert found.p[0, 1] == 1
    assert 0 < found.p[0, 2] <= 1


def test_no_probability_is_above_1():
    """Those of all ways to swap 34 and 39 units add up to a little more than 1 in floating numbers."""
    counts = np.zeros((2, 2, 2), dtype=int)
    counts[0, 0, 1], counts[1, 0, 1] = 34, 39
    found = paired_test(of_joint(counts), lambda tables: np.zeros(np.shape(tables)[:-2]))
    assert (found.p, found.exact) == (1, True)
    assert paired_test(of_joint(counts[::-1]), lambda tables: np.zeros(np.shape(tables)[:-2])).p == 1


def test_only_clusters_have_few_degrees_of_freedom():
    """Items within topics that are fixed are many; of clusters the t distribution knows how many there are."""
    rng = np.random.default_rng(3)
    gold, first, second = rng.integers(0, 2, (3, 24))
    units = Units.of_items(gold + 2 * np.repeat([0, 1, 2], 8), np.stack([first, second]), 2, topics=3)
    accuracies = value("accuracy")
    gap, spread = difference_within_topics(units, lambda tables: accuracies(tables).mean(-1), accuracies, 200, 0, whole=True)
    assert gap == pytest.approx(np.mean((first == gold).astype(float) - (second == gold)))
    assert 0 < spread.freedom < 24
    _, spread = difference_within_topics(units, lambda tables: accuracies(tables).mean(-1), accuracies, 200, 0, whole=False)
    assert spread.freedom == math.inf
