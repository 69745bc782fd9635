"""Metrics against people: soft pairwise accuracy, correlations by level, PERM-BOTH and Williams' test.

Values by naive code and, where it can be asked, by mt-metrics-eval itself.
"""

import itertools
import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.statistics.correlation import correlation_interval
from metameasure.statistics.metric_tests import over_data_sets, rank_clusters, share_as_high, swapped_differences, williams_test

PEOPLE = np.array([[4, 3, 5, 2, 4], [3, 3, 4, 2, 3], [1, 2, 4, 3, 2]], dtype=float)
FIRST = np.array([[9, 6, 8, 4, 7], [7, 6, 9, 3, 6], [3, 5, 7, 5, 2]], dtype=float)
SECOND = np.array([[5, 6, 4, 4, 7], [8, 6, 7, 5, 6], [3, 4, 9, 2, 6]], dtype=float)
VALUES = {
    "spa": (0.947917, 0.609375), "spa@compat=mtme": (0.916667, 0.59375), "pearson@segment": (0.872278, 0.389950),
    "pearson@item": (0.762187, 0.113415),
}  # fmt: skip


@pytest.fixture
def files(tmp_path):
    """As mt-metrics-eval keeps them: a block for each system, segments in order."""
    paths = []
    for name, scores in (("en-de.mqm", PEOPLE), ("M1-refA", FIRST), ("M2-refA", SECOND)):
        path = tmp_path / f"{name}.seg.score"
        path.write_text("".join(f"{system}\t{score:g}\n" for system, row in zip("ABC", scores, strict=True) for score in row))
        paths.append(str(path))
    return paths


@pytest.mark.parametrize(("name", "expected"), VALUES.items())
def test_values(name, expected, files):
    assert [float(mm.measures[name](metric, PEOPLE)) for metric in (FIRST, SECOND)] == pytest.approx(expected, abs=6e-7)
    scores = mm.evaluate(files[0], files[1:], task="ranking", measures=[name])
    assert scores.averages()[0] == pytest.approx(expected, abs=6e-7)
    assert np.isnan(scores.values).all()  # a segment by itself has none
    assert scores.runs[scores.order()[0]] == "M1-refA"


def test_with_ties_counted_half_the_order_of_systems_does_not_matter():
    orders = list(itertools.permutations(range(3)))
    for name, least in (("spa", 0), ("spa@compat=mtme", 0.06)):
        values = [float(mm.measures[name](FIRST[list(order)], PEOPLE[list(order)])) for order in orders]
        assert max(values) - min(values) >= least
        assert least or max(values) - min(values) < 1e-12
    assert (min(values), max(values)) == pytest.approx((0.9167, 0.9792), abs=6e-5)


@pytest.mark.thorough
def test_many_segments_are_drawn_for():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(4, 200)) + np.arange(4)[:, None] / 10
    metric = people + rng.normal(size=people.shape)
    pairs = []
    for one, other in itertools.combinations(range(4), 2):
        chances = []
        for scores in (metric, people):
            gap = scores[one] - scores[other]
            signs = rng.choice((-1, 1), (40_000, 200))
            chances.append((signs @ gap > gap.sum()).mean())
        pairs.append(abs(chances[0] - chances[1]))
    assert float(mm.measures["spa"](metric, people)) == pytest.approx(1 - np.mean(pairs), abs=0.02)


@pytest.mark.parametrize(
    ("name", "delta", "p"), [("pearson@segment", 0.872278 - 0.389950, 0.016693), ("spa@compat=mtme", 0.322917, 0.055481)]
)
def test_all_swaps(name, delta, p):
    def statistic(metrics):
        return np.asarray(mm.measures[name](metrics, np.broadcast_to(PEOPLE, metrics.shape)))

    observed, drawn, exact = swapped_differences(FIRST, SECOND, PEOPLE, statistic)
    assert exact
    assert observed == pytest.approx(delta, abs=1e-6)
    assert share_as_high(observed, drawn, exact=exact) == pytest.approx(p, abs=6e-7)


def test_drawn_swaps_come_close_to_all():
    def statistic(metrics):
        return np.asarray(mm.measures["pearson@segment"](metrics, np.broadcast_to(people, metrics.shape)))

    people, one, other = (np.concatenate([side, side[:, :1]], axis=1) for side in (PEOPLE, FIRST, SECOND))
    observed, drawn, exact = swapped_differences(one, other, people, statistic, trials=4000, seed=3)
    assert not exact
    assert 0 < share_as_high(observed, drawn, exact=exact) < 0.03
    assert len(drawn) == 4000


def test_williams():
    assert williams_test(0.7, 0.6, 0.5, 50)[1] == pytest.approx(0.158755, abs=6e-7)
    between = float(mm.measures["pearson@segment"](FIRST, SECOND))
    first, second = (float(mm.measures["pearson@segment"](one, PEOPLE)) for one in (FIRST, SECOND))
    assert williams_test(first, second, between, 15) == pytest.approx((2.865255, 0.007107), abs=6e-7)
    assert np.isnan(williams_test(0.7, 0.6, 0.5, 3)).all()
    assert np.isnan(williams_test(0.7, 0.7, 1.0, 50)).all()


def test_over_data_sets():
    values, ranges = [[0.872278, 0.389950], [0.8, 0.466667]], [(-1, 1), (0, 1)]
    assert over_data_sets(values, ranges) == pytest.approx((0.868070, 0.580821), abs=1e-6)
    assert over_data_sets(values, ranges, (0.75, 0.25)) == pytest.approx((0.902104, 0.637898), abs=1e-6)


def test_ranks_of_metrics():
    p = np.ones((4, 4))
    p[0, 2], p[2, 3] = 0.05, 0.2
    assert rank_clusters(p) == [1, 1, 2, 2]
    p[2, 3] = 0.01
    assert rank_clusters(p) == [1, 1, 2, 3]


class TestCompared:
    def test_by_swaps(self, files, run):
        found = mm.compare(files[0], files[1:], "pearson@segment", task="ranking", test="perm-both")
        assert found.runs == ("M1-refA", "M2-refA")
        assert found.p[0, 1] == pytest.approx(0.016693, abs=6e-7)
        assert found.to_dict()["clusters"] == [1, 2]
        status, out, _ = run("compare", *files, "--task", "ranking", "--measures", "pearson@segment", "--test", "perm-both")
        assert status == 0
        assert "PERM-BOTH" in out
        assert "1: M1-refA; 2: M2-refA" in out

    def test_it_is_the_test_of_measures_of_all_segments(self, files):
        found = mm.compare(files[0], files[1:], "spa", task="ranking", compat="mtme")
        assert (found.test, found.measure) == ("perm-both", "spa")
        assert found.p[0, 1] == pytest.approx(0.055481, abs=6e-7)

    def test_by_williams(self, files, run):
        asked = ("--task", "ranking", "--measures", "pearson@segment", "--test", "williams", "--format", "json")
        told = json.loads(run("compare", *files, *asked)[1])
        assert told["p"][0][1] == pytest.approx(0.007107, abs=6e-7)
        assert told["test"] == "williams"

    def test_metrics_that_are_the_same_have_no_p_value(self, files, tmp_path):
        (tmp_path / "copy.seg.score").write_text((tmp_path / "M1-refA.seg.score").read_text())
        found = mm.compare(files[0], [files[1], tmp_path / "copy.seg.score"], "pearson@segment", task="ranking", test="williams")
        assert np.isnan(found.p[0, 1])
        assert "no p-value" in " ".join(found.notes)

    @pytest.mark.parametrize(
        ("measure", "test", "said"),
        [
            ("spa", "williams", "Williams' test is of Pearson's correlation"),
            ("spa", "permutation", "of all segments together"),
            ("mrr", "perm-both", "mrr is of lists"),
        ],
    )
    def test_what_cannot_be_tested(self, files, run, measure, test, said):
        status, _, errors = run("compare", *files, "--task", "ranking", "--measures", measure, "--test", test)
        assert (status, said in errors) == (2, True)

    def test_scores_are_not_enough(self, files, tmp_path, run):
        mm.evaluate(files[0], files[1:], task="ranking", measures="tau@wmt14").save(tmp_path / "scores.csv")
        status, _, errors = run("compare", tmp_path / "scores.csv", "--test", "perm-both")
        assert status == 2
        assert "what people say of systems" in errors

    def test_a_metric_that_lacks_a_cell(self, files, tmp_path, run):
        lines = (tmp_path / "M2-refA.seg.score").read_text().splitlines()
        (tmp_path / "M2-refA.seg.score").write_text("\n".join([*lines[:-1], "C\tNone"]) + "\n")
        asked = ("--task", "ranking", "--measures", "spa", "--missing", "drop")
        status, _, errors = run("compare", *files, *asked)
        assert status == 1
        assert "M2-refA has no score for 1 cell that people scored" in errors

    def test_a_constant_metric_is_undefined(self, files, tmp_path, run):
        (tmp_path / "M2-refA.seg.score").write_text("".join(f"{system}\t1\n" for system in "ABC" for _ in range(5)))
        status, _, errors = run("compare", *files, "--task", "ranking", "--measures", "pearson@segment")
        assert status == 1
        assert "constant metric" in errors


def test_what_people_did_not_score_is_left_out(files, tmp_path):
    lines = (tmp_path / "en-de.mqm.seg.score").read_text().splitlines()
    (tmp_path / "en-de.mqm.seg.score").write_text("\n".join([*lines[:-1], "C\tNone"]) + "\n")
    people = PEOPLE.copy()
    people[2, 4] = np.nan
    scores = mm.evaluate(files[0], files[1:], task="ranking", measures="pearson@segment")
    known = ~np.isnan(people)
    assert scores.averages()[0, 0] == pytest.approx(np.corrcoef(FIRST[known], people[known])[0, 1])


def test_one_system_is_too_few():
    assert np.isnan(mm.measures["spa"](FIRST[:1], PEOPLE[:1]))
    assert np.isnan(mm.measures["pearson@system"](FIRST[:1], PEOPLE[:1]))


def test_correlations_as_scipy_has_them():
    from scipy import stats

    rng = np.random.default_rng(4)
    people, metric = rng.integers(0, 6, (9, 4)).astype(float), rng.integers(0, 6, (9, 4)).astype(float)
    means = metric.mean(axis=1), people.mean(axis=1)
    for name, function in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        assert float(mm.measures[f"{name}@system"](metric, people)) == pytest.approx(function(*means).statistic, abs=1e-12)
        by_item = [function(metric[:, one], people[:, one]).statistic for one in range(4)]
        assert float(mm.measures[f"{name}@item"](metric, people)) == pytest.approx(np.nanmean(by_item), abs=1e-12)


@pytest.mark.parametrize("name", ["pearson@segment", "pearson@system", "spearman@segment", "kendall@system", "kendall@item"])
def test_correlations_do_not_depend_on_the_unit(name):
    measure = mm.measures[name]
    usual = float(measure(FIRST, PEOPLE))
    for unit, shift in ((1e-12, 0), (1e12, 0), (1e-6, 1)):
        scaled = FIRST * unit + shift
        assert float(measure(scaled, PEOPLE)) == float(measure(PEOPLE, scaled)) == pytest.approx(usual, abs=1e-6)


def test_what_rounding_leaves_of_a_constant_is_no_correlation():
    constant = np.full(PEOPLE.shape, 1e8 + 0.1)
    assert np.isnan(mm.measures["pearson@segment"](constant, PEOPLE))
    assert np.isnan(mm.measures["pearson@segment"](PEOPLE, constant))


def test_correlations_without_what_is_lacking():
    """A cell, or a system, that one side lacks is in no correlation."""
    rng = np.random.default_rng(5)
    metric, people = rng.normal(size=(2, 5, 3))
    lacks_a_cell, lacks_a_system = metric.copy(), metric.copy()
    lacks_a_cell[1, 2] = lacks_a_system[3] = np.nan
    others = [0, 1, 2, 4]
    for name in ("pearson", "spearman", "kendall"):
        at_system, at_item = (mm.measures[f"{name}@{level}"] for level in ("system", "item"))
        expected = float(at_system(metric[others], people[others]))
        assert float(at_system(lacks_a_system, people)) == pytest.approx(expected, abs=1e-12)
        assert float(at_item(lacks_a_system, people)) == pytest.approx(float(at_item(metric[others], people[others])), abs=1e-12)
        segments = [float(at_item(metric[:, [one]], people[:, [one]])) for one in (0, 1)]
        segments.append(float(at_item(np.delete(metric[:, [2]], 1, 0), np.delete(people[:, [2]], 1, 0))))
        assert float(at_item(lacks_a_cell, people)) == pytest.approx(np.mean(segments), abs=1e-12)


def test_metrics_and_people_have_scores_of_the_same_cells():
    def statistic(metrics):
        return metrics.sum(axis=(-2, -1))

    for sides in ((FIRST[0], SECOND[0], PEOPLE[0]), (FIRST, SECOND[:, :4], PEOPLE), (FIRST, SECOND, PEOPLE[:2])):
        with pytest.raises(mm.UsageError, match="scores of shape"):
            swapped_differences(*sides, statistic)


class TestIntervals:
    def test_over_systems(self, tmp_path):
        rng = np.random.default_rng(2)
        people = rng.normal(size=(12, 1)) + rng.normal(size=(12, 6)) / 4
        metric = people + rng.normal(size=(12, 1)) / 2
        for name, scores in (("gold", people), ("m", metric)):
            rows = "".join(f"s{one}\t{score!r}\n" for one, row in enumerate(scores.tolist()) for score in row)
            (tmp_path / f"{name}.seg.score").write_text(rows)
        paths = tmp_path / "gold.seg.score", tmp_path / "m.seg.score"
        scores = mm.evaluate(*paths, task="ranking", measures="pearson,spearman@system,kendall@system,spa", ci=True)
        low, high = scores.intervals.shown
        for row, kind in enumerate(("pearson", "spearman", "kendall")):
            expected = correlation_interval(kind, scores.averages()[row, 0], 12)
            assert (low[row, 0], high[row, 0]) == pytest.approx(expected)
        assert np.isnan([low[3], high[3]]).all()

    def test_as_fisher(self):
        assert correlation_interval("pearson", 0.5, 28) == pytest.approx((np.tanh(np.arctanh(0.5) - 1.959964 / 5),
                                                                          np.tanh(np.arctanh(0.5) + 1.959964 / 5)))  # fmt: skip
        assert np.isnan(correlation_interval("pearson", 0.5, 3)).all()
        assert np.isnan(correlation_interval("kendall", 0.5, 4)).all()
