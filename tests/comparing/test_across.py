"""One decision over several tasks: both units, both scales, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.cli.main import main
from metameasure.statistics.across import by_ranks, standardised

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
    assert [row["possible_ranks"] for row in found["other_units"]["runs"]] == [[1, 1], [2, 2], [3, 3]]


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
        (lambda: {name: one.at(range(40), [0, 1]) for name, one in tasks(2).items()}, {}, "two runs"),
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
