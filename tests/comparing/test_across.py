"""One decision over several tasks: both units, both scales, and what is refused."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.cli.main import main
from metameasure.statistics.across import TaskMeans, by_ranks, standardised

RUNS = ("large", "medium", "small")
LEVELS = np.array([0.8, 0.6, 0.4])


def tasks(number=8, questions=40, seed=0, suits=0.05, lower=()):
    """Scores of each task; those of ``lower`` are errors, in another unit."""
    rng = np.random.default_rng(seed)
    found = {}
    for place in range(number):
        level = LEVELS + rng.normal(0, suits, 3)
        values = rng.normal(level, 0.2, (questions, 3))
        measure = "rmse" if place in lower else "accuracy"
        values = 100 * (1 - values) if place in lower else values
        found[f"task{place}"] = mm.ScoreMatrix(measure, [f"q{one}" for one in range(questions)], RUNS, values)
    return found


def test_scales():
    means = np.array([[0.1, 0.2, 0.3], [5.0, 5.0, 5.0], [1.0, 3.0, 3.0]])
    assert standardised(means)[0] == pytest.approx([-1, 0, 1])
    assert standardised(means)[1].tolist() == [0, 0, 0]
    assert by_ranks(means).tolist() == [[0, 1, 2], [1, 1, 1], [0, 1.5, 1.5]]


@pytest.mark.parametrize("across", ["standardised", "ranks"])
def test_both_units_and_scales_of_their_own(across):
    same = mm.ranks(tasks(), across=across).to_dict()
    mixed = mm.ranks(tasks(lower=(1, 4)), across=across).to_dict()
    assert [(row["run"], row["possible_ranks"]) for row in mixed["runs"]] == [
        (row["run"], row["possible_ranks"]) for row in same["runs"]
    ]
    assert [row["score"] for row in mixed["runs"]] == pytest.approx([row["score"] for row in same["runs"]])
    assert same["may_be_first"] == ["large"]
    assert (same["units"], same["topics"], same["other_units"]["units"], same["other_units"]["items"]) == (
        "topics",
        8,
        "items",
        320,
    )
    assert [row["possible_ranks"] for row in same["other_units"]["runs"]] == [[1, 1], [2, 2], [3, 3]]
    assert any("every task counts the same" in one for one in same["notes"])


def test_tasks_that_disagree_are_unsure_by_tasks_and_sure_by_questions():
    found = mm.ranks(tasks(8, 400, suits=0.5, seed=3), across="standardised").to_dict()
    widths = [
        [high - low for low, high in (row["possible_ranks"] for row in rows["runs"])] for rows in (found, found["other_units"])
    ]
    assert sum(widths[0]) > sum(widths[1])


def test_few_tasks_tell_nothing_of_other_tasks():
    found = mm.ranks(tasks(3), across="ranks").to_dict()
    assert [row["possible_ranks"] for row in found["runs"]] == [[1, 3]] * 3
    assert [row["possible_ranks"] for row in found["other_units"]["runs"]] == [[1, 2], [1, 3], [2, 3]]  # 3 ranks by chance: 1/4
    by_means = mm.ranks(tasks(3), across="standardised").to_dict()["other_units"]
    assert [row["possible_ranks"] for row in by_means["runs"]] == [[1, 1], [2, 2], [3, 3]]


def test_files_of_scores_and_the_measures_of_one(tmp_path, capsys):
    paths = []
    for name, scores in tasks(lower=(1,)).items():
        paths.append(str(tmp_path / f"{name}.csv"))
        scores.save(paths[-1])
    assert main(["ranks", *paths, "--across", "standardised", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == mm.ranks(tasks(lower=(1,)), across="standardised").to_dict()["runs"]
    assert main(["reproduce", answer["signature"], *paths]) == 0
    capsys.readouterr()
    long = pd.concat([pd.read_csv(path).assign(measure=f"m{place}") for place, path in enumerate(paths)])
    long.to_csv(tmp_path / "one.csv", index=False)
    assert (
        main(["ranks", str(tmp_path / "one.csv"), "--across", "ranks", "--better", "higher", "--chart", str(tmp_path / "a.svg")])
        == 0
    )
    assert "large" in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize(
    ("data", "how", "said"),
    [
        (lambda: {"one": tasks()["task0"]}, {}, "needs two or more"),
        (lambda: {name: one.at(range(40), [0, 1]) for name, one in tasks(2).items()}, {}, "needs three runs or more"),
        (lambda: list(tasks(2).values()), {"units": "items"}, "has its own tests"),
        (lambda: list(tasks(2).values()), {"measure": ["accuracy", "mae", "rmse"]}, "3 measures for 2 tasks"),
        (lambda: list(tasks(2).values()), {"classes": "1..3"}, "is for data to be scored"),
    ],
)
def test_what_is_refused(data, how, said):
    with pytest.raises(mm.MetameasureError, match=said):
        mm.ranks(data(), across="ranks", **how)


def test_runs_that_are_not_in_all_tasks_are_left_out():
    several = tasks(7)
    more = mm.ScoreMatrix(
        "accuracy", ["q"] + [f"q{place}" for place in range(39)], [*RUNS, "other"], np.random.default_rng(0).random((40, 4))
    )
    found = mm.ranks({**several, "last": more}, across="ranks")
    assert "other" not in found.runs
    assert any("not in all tasks: other" in one for one in found.notes)


@pytest.mark.parametrize("across", ["standardised", "ranks"])
def test_names_and_order_of_tasks_questions_and_runs_do_not_matter(across):
    given, rng = tasks(16, 12, suits=0.3), np.random.default_rng(1)
    first = mm.ranks(given, across=across, trials=100)
    called = dict(zip(RUNS, ["n", "m", "o"], strict=True))
    for _ in range(2):
        moved = {}
        for place, task in enumerate(rng.permutation(list(given))):
            rows, columns = rng.permutation(12), rng.permutation(3)
            scores = given[task].values[0][np.ix_(rows, columns)]  # noqa: PD011 - no frame
            questions = [f"{one:02}" for one in rng.permutation(12)]
            moved[f"t{place}"] = mm.ScoreMatrix("accuracy", questions, [called[RUNS[column]] for column in columns], scores)
        again = mm.ranks(moved, across=across, trials=100)
        for one, other in ((first.comparison, again.comparison), (first.other_comparison, again.other_comparison)):
            assert [called[run] for run in one.runs] == list(other.runs)
            np.testing.assert_allclose(one.p, other.p, atol=1e-12)


def naive_swaps(values, coins):
    """Differences of mean ranks of each pair, the pair's scores swapped where a coin is -1."""
    found = []
    for one, other in zip(*np.triu_indices(values[0].shape[1], 1), strict=True):
        gap = 0.0
        for scores, coin in zip(values, coins, strict=True):
            swapped = scores.copy()
            swapped[coin < 0, one], swapped[coin < 0, other] = scores[coin < 0, other], scores[coin < 0, one]
            ranks = by_ranks(swapped.mean(axis=0))
            gap += (ranks[one] - ranks[other]) / len(values)
        found.append(gap)
    return found


def test_swaps_of_a_pair_leave_the_other_runs_alone():
    rng = np.random.default_rng(0)
    values = tuple(rng.integers(0, 3, (9, 5)).astype(float) for _ in range(3))
    coins = [rng.choice((-1.0, 1.0), (1, 9)) for _ in values]
    drawn = iter(coins)

    class Coins:
        def choice(self, sides, shape):
            del sides
            assert shape == (1, 9)
            return next(drawn)

    found = TaskMeans(values, by_ranks)._swapped(1, Coins())
    assert found[0] == pytest.approx(naive_swaps(values, [coin[0] for coin in coins]))


@pytest.mark.parametrize("across", ["standardised", "ranks"])
def test_runs_that_are_equal_on_every_task_are_not_told_apart_by_questions(across):
    """Where tasks put runs on one scale, what they vary by must not seem to be what they differ by: .71 of the data sets held."""
    rng, held = np.random.default_rng(5), 0
    for place in range(60):
        scores = rng.normal(size=(8, 40, 5))
        each = {f"t{task}": mm.ScoreMatrix("accuracy", range(40), "abcde", one) for task, one in enumerate(scores)}
        held += set(mm.ranks(each, across=across, trials=199, seed=place).other.of_runs().ranks.values()) == {(1, 5)}
    assert held >= 52


def test_trials_by_ranks_are_as_many_as_can_be_afforded():
    """Fifty million ranks of pairs: of 4 tasks and 50 runs, which make 1225 pairs."""
    values = tuple(np.random.default_rng(0).random((4, 3, 50)))
    assert TaskMeans(values, by_ranks).affordable(10**6) == 5 * 10**7 // (4 * 1225)
    assert TaskMeans(values, standardised).affordable(10**6) == 10**6


def test_few_questions_vary_as_a_sample_does():
    """All ways to draw three questions of three: their mean deviates by the root of 3/2 more, as a variance over n - 1 says."""
    scores = np.array([[0.1, 0.4], [0.8, 0.1], [0.9, 0.2]])
    gaps = scores[:, 0] - scores[:, 1]
    ways = np.array(list(itertools.product(gaps, repeat=3))).mean(axis=1) - gaps.mean()
    expected = [np.mean(np.abs(ways) * factor >= abs(gaps.mean()) - 1e-9) for factor in (np.sqrt(3 / 2), 1)]
    assert expected[0] > expected[1] + 0.05
    assert TaskMeans((scores,), standardised).p(20_000, 0)[0, 1] == pytest.approx(expected[0], abs=0.015)
