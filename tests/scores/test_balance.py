"""--balance: every class of gold weighs the same. Held against items weighted by hand, one by one."""

# ruff: noqa: PD011 - scores have values and are no pandas

import json
import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest

import metameasure as mm
from engines import ENGINES, made
from metameasure.catalogue.classification.tables import balanced

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
CLASSES = "a,b,c"
MEASURES = ["accuracy", "kappa", "kappa_linear", "mae", "cem_ord", "f1_macro", "mutual_information", "mcc"]
ENTAILMENT = ("--task", "entailment", "--positive", "a", "--neutral", "b", "--negative", "c")


def drawn(seed=0, topics=3, items=40, shares=(0.7, 0.2, 0.1)):
    rng = np.random.default_rng(seed)
    gold = rng.choice([*"abc"], topics * items, p=shares)
    columns = {"topic": np.repeat([f"t{n}" for n in range(topics)], items), "item": np.arange(topics * items), "gold": gold}
    runs = {name: np.where(rng.random(len(gold)) < right, gold, rng.choice([*"abc"], len(gold))) for name, right in
            (("one", 0.6), ("two", 0.4))}  # fmt: skip
    return pd.DataFrame(columns | runs)


def by_hand(frame, run, measure, weight=None):
    """The measure with a weight for each item: that which it has, less the more of it its class has."""
    own = np.ones(len(frame)) if weight is None else np.asarray(weight, dtype=float)
    of_class = pd.Series(own, index=frame.index).groupby(frame["gold"]).transform("sum")
    return mm.score(frame["gold"], frame[run], measure, classes=CLASSES, weights=(own / of_class).tolist())


@pytest.mark.parametrize("measure", MEASURES)
def test_it_is_what_weights_by_hand_give(measure):
    frame = drawn()
    made_ = mm.evaluate(frame, classes=CLASSES, measures=measure, balance=True)
    for run in ("one", "two"):
        place = made_.runs.index(run)
        topics = [by_hand(part, run, measure) for _, part in frame.groupby("topic")]
        assert made_.values[0, :, place] == pytest.approx(topics, abs=1e-12)
        assert made_.pooled[0, place] == pytest.approx(by_hand(frame, run, measure), abs=1e-12)


def test_balanced_accuracy_is_the_mean_of_recalls_and_what_is_balanced_stays_as_it_is():
    frame = drawn()
    scores = mm.evaluate(frame, classes=CLASSES, measures="accuracy,macro_recall", balance=True)
    assert scores.values[0] == pytest.approx(scores.values[1])
    even = pd.DataFrame({"item": range(6), "gold": [*"aabbcc"], "run": [*"abbbca"]})
    how = {"classes": CLASSES, "measures": [*MEASURES, "alpha_ordinal", "kendall_a", "mutual_information@corrected"]}
    assert mm.evaluate(even, balance=True, **how)["run"] == mm.evaluate(even, **how)["run"]


def test_with_weights_each_class_has_the_same_weight_in_all():
    frame = drawn(topics=1)
    frame["weight"] = np.random.default_rng(1).random(len(frame)).round(2)
    scores = mm.evaluate(frame, classes=CLASSES, measures=MEASURES, balance=True)
    for row, measure in enumerate(MEASURES):
        expected = by_hand(frame, "one", measure, frame["weight"])
        assert scores.pooled[row, scores.runs.index("one")] == pytest.approx(expected, abs=1e-9)


def test_a_class_that_gold_lacks_has_no_weight_and_is_named():
    frame = pd.DataFrame({"item": range(5), "gold": [*"aaabb"], "run": [*"aacbc"]})
    scores = mm.evaluate(frame, classes=CLASSES, measures="accuracy", balance=True)
    assert scores["run"]["accuracy"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert any("gold has no item of c" in note for note in scores.notes)
    frame = frame.assign(topic=["x", "x", "x", "y", "y"])
    scores = mm.evaluate(frame.assign(run=[*"aabba"]), classes="a,b", measures="accuracy", balance=True)
    assert scores.values[0, :, 0].tolist() == pytest.approx([2 / 3, 1 / 2])
    assert scores.pooled[0, 0] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert any("in 2 of 2 topics gold lacks a class" in note for note in scores.notes)


def test_the_number_of_items_is_the_effective_one():
    """By the formula of Miller and Madow with N = C+² / Σ 1/G_g (Kish): 3² / (1/60 + 1/30 + 1/10) = 60 instead of 100."""
    table = np.array([[40, 10, 10], [6, 20, 4], [3, 2, 5]])
    gold = np.repeat([*"abc"], table.sum(axis=1))
    run = np.concatenate([np.repeat([*"abc"], row) for row in table])
    scores = mm.evaluate(
        gold, {"run": run}, classes=CLASSES, measures="mutual_information,mutual_information@corrected", balance=True
    )
    plain, corrected = scores["run"].values()
    assert plain - corrected == pytest.approx(2 * 2 / (2 * 60 * np.log(2)))


def test_a_random_labelling_has_no_balanced_information_on_average():
    rng = np.random.default_rng(5)
    gold = np.repeat([*"abc"], (60, 30, 10))
    runs = {f"r{n}": rng.choice([*"abc"], 100, p=[0.5, 0.3, 0.2]) for n in range(400)}
    scores = mm.evaluate(gold, runs, classes=CLASSES, measures="mutual_information@corrected", balance=True)
    values = scores.pooled[0]
    assert abs(values.mean()) < 4 * values.std() / np.sqrt(len(values))


def test_missing_answers_that_are_worth_nothing():
    gold = pd.DataFrame({"item": range(6), "label": [*"aaaabc"]})
    run = pd.DataFrame({"item": [0, 1, 2, 4], "label": [*"aaab"]})
    scores = mm.evaluate(gold, {"run": run}, classes=CLASSES, measures="accuracy,macro_recall", missing="zero", balance=True)
    assert scores["run"]["accuracy"] == pytest.approx((3 / 4 + 1 + 0) / 3)
    assert scores["run"]["macro_recall"] == pytest.approx(scores["run"]["accuracy"])


def test_runs_are_compared_by_all_swaps_of_balanced_tables():
    """The exact p by swapping outputs of each item in all ways, and balancing anew, which here changes nothing: gold stays."""
    gold = np.array([*"aaaaaabbc"])
    one, two = np.array([*"aaabbabbc"]), np.array([*"baaaaaaca"])

    def value(run):
        return np.mean([np.mean(run[gold == label] == label) for label in "abc"])

    observed = abs(value(one) - value(two))
    ways = [np.array(way) for way in product([False, True], repeat=len(gold))]
    gaps = np.array([abs(value(np.where(way, two, one)) - value(np.where(way, one, two))) for way in ways])
    found = mm.compare(gold, {"one": one, "two": two}, "accuracy", classes=CLASSES, balance=True)
    assert found.p[0, 1] == pytest.approx(np.mean(gaps >= observed - 1e-9))
    assert found.p[0, 1] != pytest.approx(mm.compare(gold, {"one": one, "two": two}, "accuracy", classes=CLASSES).p[0, 1])


def test_intervals_balance_every_resample():
    """By the variance of a mean of recalls, Σ p (1 - p) / G_g / C², which draws with kept weights would not have."""
    rng = np.random.default_rng(2)
    gold = np.repeat([*"ab"], (900, 100))
    run = np.where(rng.random(1000) < np.where(gold == "a", 0.95, 0.5), gold, np.where(gold == "a", "b", "a"))
    scores = mm.evaluate(gold, {"run": run}, classes="a,b", measures="accuracy", balance=True, ci=True, interval="bootstrap")
    low, high = (end[0, 0] for end in scores.intervals.items)
    recalls = [np.mean(run[gold == label] == label) for label in "ab"]
    error = np.sqrt(sum(p * (1 - p) / n for p, n in zip(recalls, (900, 100), strict=True))) / 2
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.12)


@pytest.mark.each_time(2)
@pytest.mark.parametrize(
    "engine", [one if one != "spark" else pytest.param(one, marks=pytest.mark.needs("spark")) for one in ENGINES]
)
def test_every_engine_and_counted_evidence(engine, tmp_path):
    frame = drawn()
    scores = mm.evaluate(frame, classes=CLASSES, measures=MEASURES, balance=True)
    long = frame.melt(["topic", "item", "gold"], var_name="run", value_name="label")
    tables = {name: made(engine, part, tmp_path, name) for name, part in {
        "gold": {name: frame[one].tolist() for name, one in (("topic", "topic"), ("item", "item"), ("label", "gold"))},
        **{run: {name: rows[one].tolist() for name, one in (("topic", "topic"), ("item", "item"), ("label", "label"))}
           for run, rows in long.groupby("run")},
    }.items()}  # fmt: skip
    gold = tables.pop("gold")
    again = mm.evaluate(gold, tables, classes=CLASSES, measures=MEASURES, balance=True)
    assert again.values.tolist() == scores.values.tolist()
    counted = mm.evaluate(mm.count(gold, tables, classes=CLASSES), measures=MEASURES, balance=True)
    assert counted.values.tolist() == scores.values.tolist()
    assert counted.pooled.tolist() == scores.pooled.tolist()


@pytest.fixture
def files(tmp_path):
    frame = drawn(seed=3, topics=8, items=25)
    frame[["topic", "item"]].assign(label=frame["gold"]).to_csv(tmp_path / "gold.csv", index=False)
    for run in ("one", "two"):
        sure = np.linspace(0, 1, len(frame))
        frame[["topic", "item"]].assign(label=frame[run], confidence=sure).to_csv(tmp_path / f"{run}.csv", index=False)
    return [tmp_path / name for name in ("gold.csv", "one.csv", "two.csv")]


def test_the_commands(run, files, tmp_path):
    how = ("--classes", CLASSES, "--measures", "accuracy,cem_ord")
    status, out, _ = run("evaluate", *files, *how, "--balance", "--ci", "--format", "json")
    answer = json.loads(out)
    assert status == 0
    assert answer["signature_parts"]["balance"]
    assert run("reproduce", answer["signature"], *files)[0] == 0
    status, out, _ = run("compare", *files, *how, "--balance", "--format", "json")
    assert status == 0
    compared = json.loads(out)["measures"][0]
    assert dict(zip(compared["runs"], compared["means"], strict=True)) == pytest.approx(
        {one["run"]: one["scores"]["accuracy"] for one in answer["runs"]}
    )
    assert "Every class of gold weighs the same" in run("compare", *files, *how, "--balance")[1]
    assert run("count", *files, "--classes", CLASSES, "-o", tmp_path / "all.mm")[0] == 0
    status, out, _ = run("evaluate", tmp_path / "all.mm", *how[2:], "--balance", "--format", "json")
    assert [one["scores"] for one in json.loads(out)["runs"]] == [one["scores"] for one in answer["runs"]]
    assert (
        run(
            "report",
            *files,
            "--classes",
            CLASSES,
            "--measures",
            "accuracy",
            "--balance",
            "--trials",
            100,
            "-o",
            tmp_path / "page.html",
        )[0]
        == 0
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "every class of gold weighs the same" in page.lower()
    assert f"{answer['runs'][0]['scores']['accuracy']:.3f}"[1:] in page
    assert run("ranks", *files, "--classes", CLASSES, "--measures", "accuracy", "--balance")[0] == 0


def test_entailment(run, files):
    status, out, _ = run("evaluate", *files, *ENTAILMENT, "--balance", "--format", "json", "--no-baselines")
    answer = json.loads(out)
    assert status == 0
    for one in answer["runs"]:
        assert one["scores"]["a3"] == pytest.approx(one["scores"]["a3_macro"])
        assert one["pooled"]["gold_entropy"] == pytest.approx(np.log2(3))
        assert one["symmetry"]["a2"][0] == pytest.approx(one["pooled"]["a2"])
    said = " ".join(answer["notes"])
    assert "confidence_weighted_score, mutual_information@rank, gold_entropy@rank read an order" in said


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (("--classes", CLASSES, "--task", "quantification", "--balance"), "--balance is not for the task quantification"),
        ((*ENTAILMENT, "--measures", "confidence_weighted_score", "--balance"), "nothing is counted by class"),
    ],
)
def test_it_is_refused_where_there_are_no_classes_to_balance(run, files, call, what):
    status, out, err = run("evaluate", *files, *call)
    assert (status, out) == (2, "")
    assert what in err


def test_it_is_an_option_of_scoring_and_not_of_scores(run, files, tmp_path):
    status, _, err = run("count", *files, "--classes", CLASSES, "--balance", "-o", tmp_path / "x.mm")
    assert status == 2
    assert "use it with evaluate" in err
    assert not (tmp_path / "x.mm").exists()
    run("evaluate", *files, "--classes", CLASSES, "--measures", "accuracy", "--scores", tmp_path / "scores.csv")
    status, _, err = run("compare", tmp_path / "scores.csv", "--measures", "accuracy", "--balance")
    assert status == 2
    assert "--balance" in err


def test_a_balanced_measure_stays_so_in_another_process():
    measure = mm.measures["mutual_information@corrected"].balanced()
    again = pickle.loads(pickle.dumps(measure))
    assert again == measure
    assert again.balances
    assert again.resampled.balances
    assert mm.measures["average_precision"].balanced() is mm.measures["average_precision"]


def test_tables_on_any_axes_are_balanced_each_by_itself():
    """As many items as would say as much: C² / Σ 1/G, of classes of 2 and 8 items 2² / (1/2 + 1/8)."""
    counts = np.random.default_rng(6).integers(1, 9, (2, 5, 3, 3)).astype(float)
    for as_items in (False, True):
        found = balanced(counts, as_items=as_items)
        for place in np.ndindex(2, 5):
            np.testing.assert_allclose(found[place], balanced(counts[place], as_items=as_items))
    table = balanced(np.array([[1.0, 1], [2, 6]]), as_items=True)
    assert table.sum() == pytest.approx(6.4)
    np.testing.assert_allclose(table, [[1.6, 1.6], [0.8, 2.4]])
    np.testing.assert_allclose(balanced(np.array([[0.1, 0.1], [0.2, 0.6]]), as_items=True), table / 10)  # weights that make up 1
