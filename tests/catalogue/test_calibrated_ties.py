"""Pairwise accuracy with an epsilon of each run's own: the same wherever it is averaged, drawn or compared, and what it says."""

import json

import pytest

RANKING = ("--task", "ranking")
POOLED = ("--average", "pooled", "--measures", "pairwise_accuracy", "--format", "json")


def scored(rows, value="score"):
    return f"segment,item,{value}\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def near_ties(tmp_path):
    """Human 1,1,2 in ten segments, and one item alone in another; scores .9,.8,.1 are right with an epsilon of .1
    (definitions.md), and on one pair of three wrong without; the other run has the ties by itself."""
    segments = [str(number) for number in range(10)]
    for name, values, kind in (("gold", (1, 1, 2), "rank"), ("near", (0.9, 0.8, 0.1), "score"), ("tied", (1, 1, 0), "score")):
        rows = [(segment, item, value) for segment in segments for item, value in zip("abc", values, strict=True)]
        (tmp_path / f"{name}.csv").write_text(scored([*rows, ("alone", "a", 1)], kind))
    return [str(tmp_path / f"{name}.csv") for name in ("gold", "near", "tied")]


def test_intervals_of_the_micro_average_are_about_the_calibrated_value(run, near_ties):
    _, out, err = run("evaluate", *near_ties, *RANKING, *POOLED, "--ci")
    near = next(entry for entry in json.loads(out)["runs"] if entry["run"] == "near")
    assert near["pooled"]["pairwise_accuracy"] == 1, err
    assert near["tie_epsilon"] == pytest.approx(0.1)
    _, table, _ = run("evaluate", *near_ties, *RANKING, *POOLED[:4], "--ci")
    assert table.count("1.000 [1.000, 1.000]") == 2  # every segment is right, so every draw is


def test_runs_are_compared_by_calibrated_micro_averages(run, near_ties):
    how = ("--average", "pooled", "--test", "permutation", "--measures", "pairwise_accuracy", "--format", "json")
    status, out, err = run("compare", *near_ties, *RANKING, *how)
    assert status == 0, err
    assert json.loads(out)["means"] == [1, 1]
    assert json.loads(out)["p"] == [[1, 1], [1, 1]]


def test_where_it_is_undefined_the_reason_is_said(run, near_ties):
    _, out, _ = run("evaluate", *near_ties, *RANKING, "--measures", "pairwise_accuracy")
    assert "(near 1, tied 1): there is no pair of items that both rank." in out


def test_items_without_a_score_are_behind_all_others_if_told(run, tmp_path):
    """Human 1,2,3,4; the run has the first two, in order, and neither of the others: five pairs of six are right. Left out, they
    would leave one pair, right."""
    (tmp_path / "gold.csv").write_text(scored([(1, item, place) for place, item in enumerate("abcd", 1)], "rank"))
    (tmp_path / "run.csv").write_text(scored([(1, "a", -3), (1, "b", -50)]))
    files = [str(tmp_path / "gold.csv"), str(tmp_path / "run.csv")]
    for policy, expected in (("last", 5 / 6), ("drop", 1)):
        _, out, _ = run("evaluate", *files, *RANKING, "--missing", policy, "--measures", "pairwise_accuracy", "--format", "json")
        (entry,) = json.loads(out)["runs"]
        assert entry["scores"]["pairwise_accuracy"] == pytest.approx(expected)


def test_human_scores_are_asked_for_where_pairs_are_to_be_far_apart(run, near_ties):
    how = ("--average", "pooled", "--test", "permutation", "--measures", "tau@darr")
    status, out, err = run("compare", *near_ties, *RANKING, *how)
    assert (status, out) == (1, "")
    assert err == "metameasure: there is no tau@darr: gold has ranks, not scores; choose another measure\n"


def test_what_has_no_value_is_a_dash(run, tmp_path):
    """One item: no pair, so no chance level and no test."""
    (tmp_path / "gold.csv").write_text(scored([(1, "a", 1)], "rank"))
    (tmp_path / "run.csv").write_text(scored([(1, "a", 1)], "rank"))
    _, out, _ = run("evaluate", str(tmp_path / "gold.csv"), str(tmp_path / "run.csv"), *RANKING, "--chance-test", "9")
    assert "nan" not in out
