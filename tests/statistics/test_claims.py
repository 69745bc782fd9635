"""Exact values of what intervals, tests and designs claim, each computed twice and apart from this package."""

import json
import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta, binom, kendalltau, t

import metameasure as mm
from metameasure.core.notes import too_few_trials
from metameasure.statistics.mean_intervals import jackknife, logit_t_interval, mean_interval, t_interval, within_topics
from metameasure.statistics.measure_tests import apart_on_all, error_of_mean, measures_apart
from metameasure.statistics.splits import redrawn_topics, split_halves

OPEN = (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("scores", "range", "ends"),
    [
        ([0.2, 0.4, 0.5, 0.7, 0.9], (0, 1), (0.233220, 0.819195)),
        ([0.2, 0.4, 0.5, 0.7, 0.9], (-1, 1), (0.129845, 0.792355)),
        ([0, 0, 0.1, 0.05, 0.6, 0.02, 0.3, 0.9], (0, 1), (0.067249, 0.596837)),
    ],
)
def test_the_mean_over_topics(scores, range, ends):
    assert mean_interval(scores, 0.95, range) == pytest.approx(ends, abs=5e-7)


def test_an_open_range_is_cut_at_the_end_that_is_known():
    low, high = mean_interval([0.0, 0.0, 0.0, 3.0], 0.95, (0, math.inf))
    assert low == 0
    assert high == pytest.approx(0.75 + 3.182446 * 0.75, abs=1e-5)


@pytest.mark.parametrize("scores", [[0.5, 0.5, 0.5], [0.5], [1.0, 1.0, 1.0]])
def test_topics_that_score_alike_have_no_interval(scores):
    assert np.isnan(mean_interval(scores, 0.95, (0, 1))).all()


CLUSTERS = "112 111 221 222|332 331 222|121 223 333|223 223|332 111 112 222|323 232"
"""Gold, first and second run of each item."""


@pytest.mark.parametrize(
    ("run", "value", "error", "ends"),
    [(1, 0.833333, 0.122618, (0.326736, 0.980958)), (2, 0.5, None, (0.275604, 0.724396))],
)
def test_clusters_are_left_out_one_by_one(run, value, error, ends):
    items = [one.split() for one in CLUSTERS.split("|")]
    right = np.array([sum(item[0] == item[run] for item in own) for own in items])
    sizes = np.array([len(own) for own in items])
    left = jackknife(right.sum() / sizes.sum(), (right.sum() - right) / (sizes.sum() - sizes), sizes)
    assert left.value == pytest.approx(value, abs=5e-7)
    assert error is None or left.error == pytest.approx(error, abs=5e-7)
    assert left.effective == pytest.approx(5.5862, abs=5e-5)
    assert logit_t_interval(left.value, left.error, left.freedom, 0.95, (0, 1)) == pytest.approx(ends, abs=5e-7)


def test_the_difference_of_two_runs_over_clusters():
    items = [one.split() for one in CLUSTERS.split("|")]
    gaps = np.array([sum((g == a) - (g == b) for g, a, b in own) for own in items])
    sizes = np.array([len(own) for own in items])
    left = jackknife(gaps.sum() / sizes.sum(), (gaps.sum() - gaps) / (sizes.sum() - sizes), sizes)
    assert (left.value, left.error) == pytest.approx((0.333333, 0.200304), abs=5e-7)
    assert t_interval(left.value, left.error, left.freedom, 0.95, OPEN) == pytest.approx((-0.195858, 0.862524), abs=5e-7)


FIRST = np.array([[9, 8, 6, 7, 9, 8], [7, 8, 9, 5, 7, 6], [4, 5, 6, 2, 6, 3], [3, 6, 4, 3, 4, 1]], dtype=float).T
SECOND = np.array([[5, 4, 4, 1], [4, 5, 3, 3], [5, 3, 4, 2], [3, 4, 1, 2], [5, 4, 3, 1], [4, 2, 3, 2]], dtype=float)


@pytest.mark.parametrize(
    ("quality", "values", "difference", "error", "p"),
    [
        ("consistency", (0.786543, 0.717662), 0.068881, 0.115990, 0.578457),
        ("power", None, 0.143022, 0.169342, 0.436882),
    ],
)
def test_measures_are_told_apart_by_topics(quality, values, difference, error, p):
    apart = measures_apart(np.stack([FIRST, SECOND]), quality)
    assert values is None or apart.value == pytest.approx(values, abs=5e-7)
    numbers = apart.difference[0, 1], apart.error[0, 1], apart.p[0, 1]
    assert numbers == pytest.approx((difference, error, p), abs=5e-7)
    assert apart.p_corrected[0, 1] == apart.p[0, 1]  # of one pair there is nothing to correct
    np.testing.assert_array_equal(apart.p, apart.p.T)


def test_a_measure_is_not_told_apart_from_itself_and_steady_differences_are_sure():
    steady = np.tile([3.0, 2.0, 1.0], (6, 1))
    apart = measures_apart(np.stack([FIRST[:, :3], FIRST[:, :3], steady]), "power")
    assert apart.p[0, 1] == 1
    assert apart.value[2] == 1


def test_a_measure_that_orders_runs_alike_on_every_topic_is_better_than_noise():
    rng = np.random.default_rng(1)
    clear, noise = np.arange(5.0) + rng.normal(size=(20, 5)) / 4, rng.normal(size=(20, 5))
    apart = measures_apart(np.stack([clear, noise]), "consistency")
    assert 0 < apart.difference[0, 1] < 1
    assert apart.higher(0.05).tolist() == [[False, True], [False, False]]
    assert apart.as_shown(np.array([0.9, 0.1]), 0.05).tolist() == [[False, True], [True, False]]
    assert not apart.as_shown(np.array([0.1, 0.9]), 0.05).any()


def test_estimates_without_error_have_the_degrees_of_freedom_of_all_together():
    error, freedom = error_of_mean(np.array([0.5, 0.5]), np.zeros((2, 3)), np.array([[4.0, 5, 6], [7, 8, 9]]))
    assert error.tolist() == [0, 0, 0]
    assert freedom.tolist() == [11, 13, 15]


def test_the_error_over_fixed_topics_by_hand():
    """Of two units, a topic's draws 1 and 3 have the variance 1: times 2/1, over the square of two topics. The other topic has
    one draw, which varies by nothing."""
    found = within_topics(np.array([[1.0, 0.7], [3.0, math.nan]]), [2, 5])
    assert (found.error, found.freedom) == (pytest.approx(math.sqrt(0.5)), 1)
    assert within_topics(np.array([[1.0, 0.7], [1.0, 0.7]]), [2, 5]).freedom == math.inf


def clustered(tmp_path):
    """Six clusters of items, in files."""
    items = [(f"c{place}", *item) for place, own in enumerate(CLUSTERS.split("|")) for item in own.split()]
    for name, rows in (
        ("gold", [("item", "label", "cluster"), *((n, g, c) for n, (c, g, _, _) in enumerate(items))]),
        ("first", [("item", "label"), *((n, a) for n, (_, _, a, _) in enumerate(items))]),
        ("second", [("item", "label"), *((n, b) for n, (_, _, _, b) in enumerate(items))]),
    ):
        (tmp_path / f"{name}.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    return [tmp_path / f"{name}.tsv" for name in ("gold", "first", "second")]


ASKED = ("--classes", "1..3", "--measures", "accuracy", "--ci", "--format", "json")


def test_intervals_over_clusters_that_hold(run, tmp_path):
    status, out, err = run("evaluate", *clustered(tmp_path), *ASKED, "--cluster-column", "cluster")
    assert status == 0, err
    told = json.loads(out)
    ends = [one["intervals"]["accuracy"]["clusters"] for one in told["runs"]]
    assert ends[0] == pytest.approx((0.326736, 0.980958), abs=5e-7)
    assert ends[1] == pytest.approx((0.275604, 0.724396), abs=5e-7)
    assert any("few effective clusters (5.6)" in note for note in told["notes"])


TABLE_A = np.array([[5, 1, 4], [5, 50, 5], [7, 8, 15]])  # 70 of 100 right
PERFECT = np.diag([3, 3, 2, 2, 2])
NEARLY = np.diag([6, 6, 6, 6, 5])
NEARLY[4, 3] = 1


@pytest.mark.parametrize(
    ("table", "posterior", "drawn", "ends"),
    [
        (TABLE_A, (70 + 1 / 3, 30 + 2 / 3), (100, 0.7), (0.603696, 0.79)),
        (PERFECT, (12.2, 0.8), (12, 1.0), (0.764342, 1)),
        (NEARLY, (29.2, 1.8), (30, 29 / 30), (0.838268, 1)),
    ],
)
def test_intervals_of_one_test_set_that_hold(run, tmp_path, table, posterior, drawn, ends):
    """From the smaller lower end to the larger upper end of the credible interval, of a beta distribution, and of the bootstrap,
    of a binomial one: of table A, of 12 of 12 right and of 29 of 30."""
    credible = beta(*posterior).ppf([0.025, 0.975])
    bootstrap = binom(*drawn).ppf([0.025, 0.975]) / drawn[0]
    assert (min(credible[0], bootstrap[0]), max(credible[1], bootstrap[1])) == pytest.approx(ends, abs=5e-7)
    gold, said = np.repeat(np.indices(table.shape).reshape(2, -1), table.ravel(), axis=1)
    for name, labels in (("gold", gold), ("run", said)):
        (tmp_path / f"{name}.tsv").write_text("item\tlabel\n" + "".join(f"{n}\t{one + 1}\n" for n, one in enumerate(labels)))
    files = (tmp_path / "gold.tsv", tmp_path / "run.tsv")
    out = run("evaluate", *files, "--classes", f"1..{len(table)}", *ASKED[2:], "--trials", "20000")[1]
    assert json.loads(out)["runs"][0]["intervals"]["accuracy"]["items"] == pytest.approx(ends, abs=0.01)


def test_the_smallest_p_value_of_many_pairs_of_judges():
    """Where Holm's method stays: 55 pairs."""
    assert too_few_trials(55, 1000, 0.05).parts["smallest"] == pytest.approx(0.054945, abs=5e-7)
    assert pytest.approx(0.025) == 55 / (2199 + 1)
    assert not too_few_trials(55, 2199, 0.05)
    assert too_few_trials(55, 2198, 0.05)


def test_intervals_over_topics_that_hold():
    topics = np.repeat(np.arange(5), 10)
    right = np.concatenate([np.arange(10) < share * 10 for share in (0.2, 0.4, 0.5, 0.7, 0.9)])
    frame = {"item": range(50), "topic": topics, "gold": ["a"] * 50, "run": np.where(right, "a", "b")}
    scores = mm.evaluate(pl.DataFrame(frame), classes="a,b", measures="accuracy", ci=True, units="topics")
    assert scores.to_dict()["runs"][0]["intervals"]["accuracy"]["topics"] == pytest.approx((0.233220, 0.819195), abs=5e-7)
    alike = pl.DataFrame({**frame, "run": ["a"] * 50})
    scores = mm.evaluate(alike, classes="a,b", measures="accuracy", ci=True, units="topics")
    assert any("no interval for run: all topics score alike" in note for note in scores.notes)


def test_measures_of_equal_noise_are_not_told_apart_by_topics():
    """Pure noise: the test of splits calls it significant and says so, that of topics, which is the default, does not."""
    rng = np.random.default_rng(0)
    matrices = [
        mm.ScoreMatrix(name, tuple(f"t{n}" for n in range(20)), tuple("abcdefgh"), rng.normal(size=(20, 8)))
        for name in ("accuracy", "kappa", "mcc")
    ]
    upper = np.triu_indices(3, 1)
    by_topics = mm.meta.consistency({"noise": matrices}, splits=300).to_dict()
    assert np.array(by_topics["p"])[upper].min() > 0.05
    assert by_topics["p"] == by_topics["p_topics"]
    assert [one["beats"] for one in by_topics["measures"]] == [0, 0, 0]
    by_splits = mm.meta.consistency({"noise": matrices}, splits=300, test="splits").to_dict()
    assert np.array(by_splits["p"])[upper].min() < 0.05
    assert sum(one["beats"] for one in by_splits["measures"]) > 0
    assert by_splits["p_topics"] == by_topics["p"]
    assert any("calls noise significant" in note for note in by_splits["notes"])
    assert (by_topics["test"], by_splits["test"]) == ("topics", "splits")


def test_the_interval_of_a_mean_tau_is_over_topics():
    """By a loop: topics drawn with replacement, their copies on one side of a split; sd of the mean tau, times t."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(15, 1)) + 0.4 * np.arange(5) + rng.normal(size=(15, 5))
    names = tuple(f"t{n:02}" for n in range(15))
    found = mm.meta.consistency(mm.ScoreMatrix("accuracy", names, tuple("abcde"), scores), splits=40)
    first, second = split_halves(15, 40)
    means = []
    for times in redrawn_topics(15, 100):
        assert times.sum() == 15
        sides = [[np.repeat(scores[half], times[half], axis=0).mean(axis=0) for half in halves] for halves in (first, second)]
        means.append(np.mean([kendalltau(*pair).statistic for pair in zip(*sides, strict=True)]))
    reach = t.ppf(0.975, 14) * np.std(means, ddof=1)
    low, high = (one[0] for one in found.interval())
    assert (low, high) == pytest.approx((found.mean_tau[0] - reach, min(1, found.mean_tau[0] + reach)))
    assert (found.to_dict()["measures"][0]["low"], found.to_dict()["measures"][0]["high"]) == (low, high)


def test_over_several_data_sets_errors_add_up():
    """Two data sets of the same scores: the same difference, an error smaller by sqrt 2, twice the degrees of freedom."""
    both = np.stack([FIRST, SECOND])
    alone = measures_apart(both, "consistency")
    twice = apart_on_all([alone, alone], [1, 1])
    assert twice.difference[0, 1] == pytest.approx(alone.difference[0, 1])
    assert twice.error[0, 1] == pytest.approx(alone.error[0, 1] / math.sqrt(2))
    assert twice.freedom[0, 1] == pytest.approx(10)
    found = mm.meta.consistency(
        {
            place: [
                mm.ScoreMatrix(name, tuple("123456"), tuple("ABCD"), one)
                for name, one in zip(("kappa", "mcc"), both, strict=True)
            ]
            for place in "xy"
        },
        splits=20,
    )
    assert found.p[0, 1] == pytest.approx(twice.p[0, 1])


@pytest.mark.parametrize("question", ["consistency", "discrimination"])
def test_the_command_gives_the_values_of_the_definitions(run, tmp_path, question):
    lines = [
        f"{name},t{row},{run_name},{score}\n"
        for name, matrix in (("kappa", FIRST), ("mcc", SECOND))
        for row, scores in enumerate(matrix.tolist())
        for run_name, score in zip("ABCD", scores, strict=True)
    ]
    (tmp_path / "scores.csv").write_text("measure,topic,run,score\n" + "".join(lines))
    status, out, err = run("meta", question, tmp_path / "scores.csv", "--format", "json")
    assert status == 0, err
    told = json.loads(out)
    if question == "consistency":
        assert told["p"][0][1] == pytest.approx(0.578457, abs=5e-7)
    else:
        assert told["p_measures"][0][1] == pytest.approx(0.436882, abs=5e-7)
        first, second = (one["smooth_power"] for one in told["measures"])
        assert first - second == pytest.approx(0.143022, abs=5e-7)


def test_two_topics_are_too_few_and_that_is_said():
    two = [mm.ScoreMatrix(name, ("1", "2"), tuple("ABCD"), one[:2]) for name, one in (("kappa", FIRST), ("mcc", SECOND))]
    found = mm.meta.consistency(two, splits=20)
    assert found.to_dict()["p"] == [[None, None], [None, None]]
    assert "could not be tested: it takes three topics" in str(found)
    assert "could not be tested: it takes three topics" in str(mm.meta.discrimination(two, trials=50))


def test_a_test_of_runs_is_none_of_measures(run, tmp_path):
    scores = tmp_path / "scores.csv"
    rows = [f"kappa,{topic},{name},{topic * place / 9}" for topic in range(1, 5) for place, name in enumerate("abc")]
    scores.write_text("\n".join(["measure,topic,run,score", *rows]) + "\n", encoding="utf-8")
    status, _, err = run("meta", "consistency", scores, "--test", "tukey")
    assert status == 2
    assert "--test cannot be 'tukey'; choose topics or splits" in err
