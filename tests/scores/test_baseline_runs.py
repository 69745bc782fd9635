"""Baselines are one thing for all tasks: runs marked as such, in the table, not in ranks or comparisons unless named."""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.core.errors import UsageError

PREFIX = "baseline: "


@pytest.fixture(params=["classification", "entailment", "quantification"])
def scores(request):
    """Three runs on eight topics, and the baselines of the task."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 3, 240)
    topics, names = [f"t{number % 8}" for number in range(240)], np.array(["no", "so", "yes"])
    frame = {"item": [f"i{number}" for number in range(240)], "topic": topics, "gold": names[gold].tolist()}
    for run, right in (("a", 0.9), ("b", 0.6), ("Uniform", 0.3)):
        frame[run] = names[np.where(rng.random(240) < right, gold, rng.integers(0, 3, 240))].tolist()
    how = {"positive": "no", "neutral": "so", "negative": "yes"} if request.param == "entailment" else {"classes": "no,so,yes"}
    measures = "rnod,nmd" if request.param == "quantification" else "accuracy,kappa"
    data = pytest.importorskip("pandas").DataFrame(frame)
    return mm.evaluate(data, task=request.param, measures=measures, baselines=True, ci=True, ranks=True, **how)


def test_they_are_marked_and_not_ranked(scores):
    assert scores.runs[:3] == ("Uniform", "a", "b") or scores.runs[:3] == ("a", "b", "Uniform")
    assert scores.baselines == {*scores.runs[3:]}
    assert all(run.startswith(PREFIX) for run in scores.baselines)
    assert f"{PREFIX}always so" in scores.runs
    for measure in range(2):
        ranks = dict(zip(scores.runs, scores.own_ranks(measure), strict=True))
        assert [ranks[run] for run in scores.baselines] == [None] * len(scores.baselines)
        assert sorted(ranks[run] for run in ("a", "b", "Uniform")) == [1, 2, 3]
    for entry in json.loads(scores.render("json"))["runs"]:
        assert entry.get("baseline", False) == (entry["run"] in scores.baselines)
        ends = entry["intervals"][scores.measures[0].id]["topics"]
        assert (ends == [None, None]) == (entry["run"] in scores.baselines)


@pytest.mark.each_time(1)
def test_they_are_left_out_unless_they_are_named(scores, tmp_path):
    scores.save(tmp_path / "scores.csv")
    for given in (scores, str(tmp_path / "scores.csv")):
        measure = scores.measures[0].id
        assert {*mm.compare(given, measure).runs} == {"a", "b", "Uniform"}
        assert {*mm.meta.discrimination(given, trials=10).runs} == {"a", "b", "Uniform"}
        for name in ("always so", f"{PREFIX}always so"):
            found = mm.compare(given, measure, against=name, test="permutation", trials=50)
            assert {*found.runs} == {"a", "b", "Uniform", f"{PREFIX}always so"}
            assert found.against == f"{PREFIX}always so"
            two = mm.meta.deltas(given, "a", name)
            assert (two.run_a, two.run_b) == ("a", f"{PREFIX}always so")


def test_a_name_is_first_that_of_a_run(scores):
    assert scores["always so"] == scores[f"{PREFIX}always so"]
    if f"{PREFIX}Uniform" in scores.runs:
        assert scores["Uniform"] != scores[f"{PREFIX}Uniform"]
    with pytest.raises(UsageError, match="there is no run 'allways so'; did you mean 'baseline: always so'"):
        scores["allways so"]


def test_patterns(scores):
    found = mm.meta.deltas(scores, "a", "*ways so")
    assert found.run_b == f"{PREFIX}always so"
    assert mm.meta.deltas(scores, "a", "alw*so").run_b == f"{PREFIX}always so"


def test_a_task_without_any_says_so():
    frame = pytest.importorskip("pandas").DataFrame(
        {"segment": ["x"] * 3, "item": list("abc"), "rank": [1, 2, 3], "run": [1, 3, 2]}
    )
    with pytest.raises(UsageError, match="there are no baselines of rankings"):
        mm.evaluate(frame, task="ranking", run_columns=["run"], baselines=True)
