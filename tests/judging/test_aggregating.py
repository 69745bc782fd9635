"""Gold from a crowd: majority, median, Dawid and Skene's model beside crowd-kit's, and what is said of annotators."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from metameasure.cli import main
from metameasure.statistics.dawid_skene import dawid_skene


def crowd(
    items: int = 300, annotators: int = 12, each: int = 4, classes: int = 3, spammers: int = 2
) -> tuple[np.ndarray, pd.DataFrame]:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, classes, items)
    rows = []
    for item in range(items):
        for one in rng.choice(annotators, each, replace=False):
            knows = one >= spammers and rng.random() < 0.8
            rows.append((f"i{item:03d}", f"a{one:02d}", int(truth[item] if knows else rng.integers(0, classes))))
    return truth, pd.DataFrame(rows, columns=["item", "annotator", "label"])


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def naive(item: list[int], annotator: list[int], label: list[int], sizes: tuple[int, int, int], iterations: int) -> np.ndarray:
    """Dawid and Skene's EM in loops."""
    items, annotators, classes = sizes
    posterior = np.zeros((items, classes))
    for i, k in zip(item, label, strict=True):
        posterior[i, k] += 1
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(iterations):
        prior = posterior.mean(axis=0)
        table = np.zeros((annotators, classes, classes))
        for i, a, k in zip(item, annotator, label, strict=True):
            table[a, :, k] += posterior[i]
        table /= table.sum(axis=2, keepdims=True)
        posterior = np.tile(prior, (items, 1))
        for i, a, k in zip(item, annotator, label, strict=True):
            posterior[i] *= table[a, :, k]
        posterior /= posterior.sum(axis=1, keepdims=True)
    return posterior


def test_dawid_and_skene_in_loops():
    _, frame = crowd(items=60)
    item, annotator = pd.factorize(frame["item"])[0], pd.factorize(frame["annotator"], sort=True)[0]
    found = dawid_skene(item, annotator, frame["label"].to_numpy(), (60, 12, 3), iterations=7, tolerance=-1)
    by_hand = naive(item.tolist(), annotator.tolist(), frame["label"].tolist(), (60, 12, 3), 7)
    assert np.abs(found.posterior - by_hand).max() < 1e-7
    assert not found.converged


def test_dawid_and_skene_stop_where_the_bound_grows_no_more():
    """Of each rating the expected logarithm of its probability with its class, and the entropy of the items' classes."""
    _, frame = crowd(items=60)
    item, annotator = pd.factorize(frame["item"])[0], pd.factorize(frame["annotator"], sort=True)[0]
    label, sizes = frame["label"].to_numpy(), (60, 12, 3)

    def bound(iterations: int) -> float:
        posterior = naive(item.tolist(), annotator.tolist(), label.tolist(), sizes, iterations)
        table = np.zeros((12, 3, 3))
        np.add.at(table, (annotator, label), posterior[item])
        chance = np.maximum(table, 1e-10) / table.sum(axis=1, keepdims=True) * posterior.mean(axis=0)
        expected = sum(posterior[i] @ np.log(chance[a, k]) for i, a, k in zip(item, annotator, label, strict=True))
        known = np.maximum(posterior, 1e-10)
        return (expected - (known * np.log(known)).sum()) / len(label)

    found = dawid_skene(item, annotator, label, sizes, tolerance=1e-3)
    assert found.converged
    grown = [bound(made) - bound(made - 1) for made in range(2, found.iterations + 1)]
    assert len(grown) > 2
    assert min(grown[:-1]) >= 1e-3 > grown[-1]


@pytest.mark.needs("crowd-kit")
@pytest.mark.filterwarnings("ignore")
def test_dawid_and_skene_is_crowd_kits():
    from crowdkit.aggregation import DawidSkene

    _, frame = crowd()
    theirs = DawidSkene(n_iter=100, tol=1e-5).fit(frame.rename(columns={"item": "task", "annotator": "worker"}))
    ours = mm.agree(frame, classes="0..2", aggregate="dawid-skene", trials=20).gold
    assert np.abs(ours.posterior - theirs.probas_.loc[list(ours.items)][[0, 1, 2]].to_numpy()).max() < 1e-6


@pytest.mark.needs("crowd-kit")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", ["one-coin", "glad", "mmsr"])
def test_the_others_are_crowd_kits(how: str):
    truth, frame = crowd()
    gold = mm.agree(frame, classes="0..2", aggregate=how, trials=20).gold
    assert (gold.label == truth).mean() > 0.85


def test_the_model_beats_the_majority_where_some_know_nothing():
    truth, frame = crowd(spammers=5)
    how = {"classes": "0..2", "kind": "nominal", "trials": 50}
    right = {one: (mm.agree(frame, aggregate=one, **how).gold.label == truth).mean() for one in ("majority", "dawid-skene")}
    assert right["dawid-skene"] > right["majority"] + 0.02


def test_items_and_annotators_by_their_files(tmp_path: Path):
    truth, frame = crowd()
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    gold, people = tmp_path / "gold.csv", tmp_path / "people.csv"
    line = ["agree", str(tmp_path / "ratings.csv"), "--classes", "0..2", "--aggregate", "dawid-skene", "--gold-out", str(gold)]
    assert main([*line, "--annotators-out", str(people), "--format", "json"]) == 0
    rows = read(gold)
    assert list(rows[0]) == ["item", "label", "sure", "ratings", "0", "1", "2"]
    assert len(rows) == 300
    assert all(float(row[row["label"]]) == float(row["sure"]) for row in rows)
    assert all(abs(sum(float(row[label]) for label in "012") - 1) < 1e-9 for row in rows)
    assert np.mean([int(row["label"]) == one for row, one in zip(rows, truth, strict=True)]) > 0.9
    lines = {row["annotator"]: row for row in read(people)}
    assert {name for name, row in lines.items() if row["flag"] == "no better than chance"} == {"a00", "a01"}
    assert float(lines["a05"]["accuracy"]) > float(lines["a00"]["accuracy"]) + 0.25
    # Soft gold is a distribution for each item, and the labels are gold like any other.
    for task, more in (
        ("quantification", ["--topic-column", "item", "--measures", "nmd"]),
        ("classification", ["--measures", "accuracy"]),
    ):
        run = tmp_path / f"{task}.csv"
        head, cells = ("item,0,1,2", ",.2,.3,.5") if task == "quantification" else ("item,label", ",1")
        run.write_text(f"{head}\n" + "".join(f"{row['item']}{cells}\n" for row in rows))
        assert main(["evaluate", str(gold), str(run), "--task", task, "--classes", "0..2", *more]) == 0


def test_json_and_reproduce(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    _, frame = crowd()
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    line = [str(tmp_path / "ratings.csv"), "--classes", "0..2"]
    assert main(["agree", *line, "--aggregate", "majority", "--trials", "50", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["aggregated"]["how"] == "majority"
    assert answer["aggregated"]["items"] == 300
    assert len(answer["aggregated"]["annotators"]) == 12
    assert sum(answer["aggregated"]["shares"].values()) == pytest.approx(1)
    assert main(["reproduce", answer["signature"], line[0]]) == 0
    assert "differ" not in capsys.readouterr().out


def test_majority_median_and_ties():
    ratings = {"a": {1: 1, 2: 1, 3: 2, 4: 3}, "b": {1: 2, 2: 1, 3: 3, 4: 3}, "c": {1: 3, 2: 2, 3: 3}}
    by_majority = mm.agree(ratings, classes="1..3", aggregate="majority", trials=20)
    assert [by_majority.scale.labels[place] for place in by_majority.gold.label] == ["1", "1", "3", "3"]
    assert by_majority.gold.sure.tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1])
    assert "majority of 1 of 4 items is tied" in str(by_majority)
    by_median = mm.agree(ratings, classes="1..3", aggregate="median", trials=20)
    assert by_median.gold.label.tolist() == [1, 0, 2, 2]
    assert by_median.gold.to_frame("pandas")["label"].tolist() == ["2", "1", "3", "3"]


def test_ordinal_classes_are_spoken_of():
    _, frame = crowd()
    said = str(mm.agree(frame, classes="0..2", aggregate="dawid-skene", trials=20))
    assert "dawid-skene knows no order of the classes" in said
    assert "knows no order" not in str(mm.agree(frame, classes="0..2", kind="nominal", aggregate="dawid-skene", trials=20))


def test_bias_and_one_class_are_flagged():
    _, frame = crowd(items=400, spammers=0)
    frame.loc[frame["annotator"] == "a01", "label"] = 1
    high = frame["annotator"] == "a02"
    rng = np.random.default_rng(1)
    frame.loc[high & (rng.random(len(frame)) < 0.5), "label"] = 2
    lines = {one.annotator: one for one in mm.agree(frame, classes="0..2", aggregate="dawid-skene", trials=50).gold.annotators}
    assert lines["a01"].flag == "always one class"
    assert lines["a02"].flag == "too high"
    assert lines["a02"].bias_low > 0
    assert lines["a05"].flag == ""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--gold-out", "gold.csv"], "--aggregate majority"),
        (["--aggregate", "median", "--kind", "nominal"], "nominal classes have no median"),
        (["--aggregate", "mean"], "--aggregate cannot be 'mean'; choose majority, median, dawid-skene"),
        (["--aggregate", "majority", "--gold-out", "gold.txt"], "does not say which format"),
    ],
)
def test_what_is_wrong_with_a_call(tmp_path: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch):
    monkeypatch.chdir(tmp_path)
    crowd(items=20)[1].to_csv("ratings.csv", index=False)
    assert main(["agree", "ratings.csv", "--classes", "0..2", *more]) == 2
    assert said in capsys.readouterr().err
    assert not Path("gold.csv").exists()


def test_counts_have_a_majority_and_no_model():
    counts = pd.DataFrame({"item": ["x", "y"], "1": [3, 1], "2": [0, 2]})
    assert mm.agree(counts, classes="1..2", counts=True, aggregate="majority", trials=20).gold.label.tolist() == [0, 1]
    with pytest.raises(mm.UsageError, match="who said what"):
        mm.agree(counts, classes="1..2", counts=True, aggregate="dawid-skene", trials=20)


def test_crowd_kit_that_is_absent_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(mm.UsageError, match=r"metameasure\[crowd\]"):
        mm.agree(crowd(items=20)[1], classes="0..2", aggregate="glad", trials=20)


def test_many_annotators_take_one_warning_and_ten_rows(tmp_path: Path):
    _, frame = crowd(items=600, annotators=40, spammers=20)
    found = mm.agree(frame, classes="0..2", trials=100)
    said = found.render("table", notes="all")
    assert said.count("better than chance") == 1
    assert "The 10 who agree least, of 40 annotators" in said
    assert sum(line.startswith("a") and line[1:3].isdigit() for line in said.splitlines()) == 10
    found.save_annotators(tmp_path / "people.csv")
    assert len(read(tmp_path / "people.csv")) == 40


def test_lines_of_annotators_are_what_leaving_one_out_gives():
    _, frame = crowd(items=40, annotators=6)
    for measure in ("alpha_ordinal", "ac2", "percent_agreement", "conger"):
        found = mm.agree(frame, classes="0..2", measures=measure, trials=50)
        for line in found.by_annotator:
            rest = mm.agree(frame[frame["annotator"] != line.annotator], classes="0..2", measures=measure, trials=50)
            assert line.without == pytest.approx(rest[measure].value, abs=1e-12), measure
