"""The task probabilities: gold a label for each item, or its shares of several, and runs a distribution for each."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import metameasure as mm

CLASSES = ["neg", "neu", "pos"]
LABELS = ["neg", "neg", "neu", "neu", "neu", "pos", "pos", "pos", "pos", "neu"]
BELIEVED = np.array(
    [
        [0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.1, 0.8, 0.1], [0.3, 0.5, 0.2], [0.6, 0.3, 0.1],
        [0.1, 0.2, 0.7], [0.2, 0.2, 0.6], [0.25, 0.5, 0.25], [0, 0.1, 0.9], [0.2, 0.7, 0.1],
    ]
)  # fmt: skip
OTHER = BELIEVED * 0.6 + np.roll(BELIEVED, 1, axis=0) * 0.4
ITEMS = [f"i{number}" for number in range(10)]
EXPECTED = {"log_loss": 0.610906, "brier": 0.3415, "rps": 0.2005, "auc": 0.944444, "ece": 0.2}


@pytest.fixture
def files(tmp_path):
    """Gold, a wide run and a long one, the long one in another order."""
    gold = pd.DataFrame({"item": ITEMS, "label": LABELS, "topic": list("xxyyxyxxyy"), "document": list("aabbccddee")})
    gold.drop(columns="topic").to_csv(tmp_path / "gold.csv", index=False)
    gold.to_csv(tmp_path / "topics.csv", index=False)
    pd.DataFrame(BELIEVED, columns=CLASSES).assign(item=ITEMS).to_csv(tmp_path / "svm.csv", index=False)
    long = pd.DataFrame(OTHER, columns=CLASSES).assign(item=ITEMS).melt("item", var_name="class", value_name="probability")
    long.sample(frac=1, random_state=1).to_csv(tmp_path / "bert.tsv", index=False, sep="\t")
    return tmp_path


@pytest.fixture
def ask(run):
    """Run the command on probabilities of these classes: exit status, and all that it says."""

    def asked(*arguments):
        status, said, errors = run(*arguments, "--task", "probabilities", "--classes", ",".join(CLASSES))
        return status, said + errors

    return asked


@pytest.fixture
def answered(run):
    """The answer as JSON."""

    def found(*arguments):
        status, said, errors = run(*arguments, "--task", "probabilities", "--classes", ",".join(CLASSES), "--format", "json")
        assert status == 0, errors
        return json.loads(said)

    return found


def test_files_in_every_shape(files):
    scores = mm.evaluate(files / "gold.csv", [files / "svm.csv", files / "bert.tsv"], task="probabilities", classes=CLASSES)
    assert scores["svm"] == pytest.approx(EXPECTED, abs=5e-7)
    arrays = mm.evaluate(LABELS, {"svm": BELIEVED, "bert": OTHER}, classes=CLASSES)
    for name in ("svm", "bert"):
        assert scores[name] == pytest.approx(arrays[name], abs=1e-12)
    together = pd.read_csv(files / "svm.csv").assign(gold=LABELS)
    together.to_csv(files / "together.csv", index=False)
    lone = mm.evaluate(files / "together.csv", task="probabilities", classes=CLASSES)
    assert lone["together"] == pytest.approx(EXPECTED, abs=5e-7)
    other = pd.DataFrame(OTHER, columns=CLASSES).assign(item=ITEMS, gold=LABELS, run="bert")
    stacked = pd.concat([together.assign(run="svm"), other])
    both = mm.evaluate(stacked, task="probabilities", classes=CLASSES)
    assert both["svm"] == scores["svm"]
    assert both["bert"] == pytest.approx(scores["bert"], abs=1e-12)


def test_arrays_and_frames():
    one = mm.evaluate(LABELS, BELIEVED, classes=CLASSES)
    assert one["run"] == pytest.approx(EXPECTED, abs=5e-7)
    soft = mm.evaluate(np.eye(3)[[CLASSES.index(label) for label in LABELS]], {"svm": BELIEVED}, task="probabilities",
                       classes=CLASSES)  # fmt: skip
    assert soft["svm"] == pytest.approx(one["run"])
    codes = np.array([CLASSES.index(label) for label in LABELS])
    assert mm.evaluate(codes, {"svm": BELIEVED.tolist()}, classes="0..2")["svm"] == pytest.approx(EXPECTED, abs=5e-7)
    gold = pl.DataFrame({"item": ITEMS, "label": LABELS})
    frame = pl.DataFrame({"item": ITEMS[::-1], **dict(zip(CLASSES, BELIEVED[::-1].T, strict=True))})
    for how in (
        {"gold": gold, "runs": {"svm": frame}},
        {"gold": gold.drop("item"), "runs": {"svm": frame.reverse().drop("item")}},
    ):
        assert mm.evaluate(how["gold"], how["runs"], task="probabilities", classes=CLASSES)["svm"] == pytest.approx(one["run"])


def test_gold_of_several_classes_from_a_file(files, answered):
    gold = np.full((10, 3), 0.25) + np.eye(3)[[CLASSES.index(label) for label in LABELS]] * 0.25
    pd.DataFrame(gold, columns=CLASSES).assign(item=ITEMS).to_csv(files / "soft.csv", index=False)
    found = answered("evaluate", files / "soft.csv", files / "svm.csv", "--measures", "brier")["runs"][0]["scores"]["brier"]
    assert found == pytest.approx(float(np.mean(((BELIEVED - gold) ** 2 + gold * (1 - gold)).sum(axis=1))), abs=1e-12)


WRONG = {
    "does not add up": ("i3,.3,.5,.3\n", "run.csv:5: the probabilities of item 'i3' add up to 1.1, not 1; --normalise"),
    "negative": ("i3,-.3,.9,.4\n", "run.csv:5: class 'neg' of item 'i3' is -.3, less than 0; give each class a probability"),
    "NaN": ("i3,nan,.5,.5\n", "run.csv:5: class 'neg' of item 'i3' is nan, not finite; give each class"),
    "empty": ("i3,,.5,.5\n", "run.csv:5: class 'neg' of item 'i3' has no number; write 0"),
    "no number": ("i3,much,.5,.5\n", "run.csv:5: class 'neg' of item 'i3': 'much' is not a number; give each class"),
    "twice": ("i3,.3,.5,.2\ni3,.3,.5,.2\n", "run.csv:6: item 'i3' again (first in line 5); keep one"),
    "missing": ("", "run.csv: 1 of 10 items are missing: 'i3'; add them, or leave them out with --missing drop"),
    "unknown": ("i3,.3,.5,.2\ni33,.3,.5,.2\n", "run.csv:6: item 'i33' is not in gold"),
    "no item": ("i3,.3,.5,.2\n,.3,.5,.2\n", "run.csv:6: the row has no item; give every row its item"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_with_a_run_is_said_with_its_line(files, ask, fault):
    lines, said = WRONG[fault]
    rows = pd.read_csv(files / "svm.csv")[["item", *CLASSES]].to_csv(index=False).splitlines(keepends=True)
    rows[4] = lines
    (files / "run.csv").write_text("".join(rows))
    status, output = ask("check", files / "gold.csv", files / "run.csv", files / "svm.csv")
    assert status == 1
    assert said in output.replace(f"{files}/", ""), output
    assert "ok  svm: 10 items" in output


@pytest.mark.each_time(2)
@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ("item,label\ni0,neg\ni0,pos\n", "gold2.csv:3: item 'i0' again (first in line 2); keep one"),
        ("item,label\ni0,neg\ni0,neg\n", "gold2.csv:3: item 'i0' again (first in line 2); keep one"),
        ("item,label\ni0,good\n", "gold2.csv:2: 'good' is not one of the classes"),
        ("item,label\ni0,\n", "gold2.csv:2: item 'i0' has a row without class; name the class"),
        ("item,label\n", "gold2.csv: there are no rows; it needs at least one item"),
        ("item,label,weight\ni0,neg,2\n", "gold2.csv:1: probabilities of items have no weights"),
        ("item,label,topic\ni0,neg,\n", "gold2.csv:2: the row has no topic"),
        ("", "gold2.csv"),
    ],
)
def test_what_is_wrong_with_gold(files, ask, gold, said):
    (files / "gold2.csv").write_text(gold)
    (files / "one.csv").write_text("item,neg,neu,pos\ni0,.2,.3,.5\n")
    status, output = ask("evaluate", files / "gold2.csv", files / "one.csv")
    assert status == 1
    assert said in output.replace(f"{files}/", ""), output


def test_what_is_wrong_with_a_header(files, ask):
    (files / "run.csv").write_text("item,neg,neutral,pos\ni0,.2,.3,.5\n")
    status, output = ask("evaluate", files / "gold.csv", files / "run.csv")
    assert status == 1
    assert "run.csv:1: 'neutral' is not one of the classes; did you mean 'neu'" in output.replace(f"{files}/", ""), output


def test_a_cell_of_an_array_is_an_items():
    with pytest.raises(mm.DataError, match=r"class 'neg' of item '2' is -0\.5, less than 0"):
        mm.evaluate(LABELS[:2], {"svm": [[0.5, 0.5, 0], [-0.5, 1, 0.5]]}, task="probabilities", classes=CLASSES)


def test_what_is_wrong_with_arrays():
    with pytest.raises(mm.DataError, match=r"run 'svm':3: the probabilities of (topic|item) '3' add up to 1.1"):
        mm.evaluate(LABELS[:3], {"svm": BELIEVED[:3] + np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0.1]])}, classes=CLASSES)
    with pytest.raises(mm.DataError, match=r"gold:2: 'good' is not one of the classes"):
        mm.evaluate(["neg", "good", "pos"], {"svm": BELIEVED[:3]}, classes=CLASSES)
    with pytest.raises(mm.UsageError, match="gold has 3"):
        mm.evaluate(LABELS[:3], {"svm": BELIEVED[:2]}, classes=CLASSES)
    with pytest.raises(mm.UsageError, match="classes"):
        mm.evaluate(LABELS[:3], {"svm": BELIEVED[:3]})


def test_options_that_make_no_sense(files, ask):
    status, output = ask("evaluate", files / "gold.csv", files / "svm.csv", "--missing", "worst")
    assert status == 2
    assert "missing cannot be 'worst'; choose drop" in output
    assert ask("evaluate", files / "gold.csv", files / "svm.csv", "--bins", "1,2")[0] == 2
    assert ask("evaluate", files / "gold.csv", files / "svm.csv", "--measures", "accuracy")[0] == 2


def test_missing_items_are_dropped_where_that_is_asked_for(files, ask, answered):
    run_of_nine = pd.read_csv(files / "svm.csv").drop(index=3)
    run_of_nine.to_csv(files / "nine.csv", index=False)
    found = answered("evaluate", files / "gold.csv", files / "nine.csv", "--missing", "drop", "--measures", "brier,auc")
    kept = [place for place in range(10) if place != 3]
    expected = mm.evaluate([LABELS[place] for place in kept], {"r": BELIEVED[kept]}, classes=CLASSES, measures="brier,auc")["r"]
    assert found["runs"][0]["scores"] == pytest.approx(expected)
    status, output = ask(
        "compare", files / "gold.csv", files / "nine.csv", files / "bert.tsv", "--missing", "drop", "--measures", "auc"
    )
    assert status == 0
    assert "The comparison is over the 9 of 10 items that all runs have" in output


def test_probability_zero_is_infinite_and_said(files, ask, answered):
    rows = (files / "svm.csv").read_text().replace("0.1,0.8,0.1,i2", "0.2,0.0,0.8,i2")
    (files / "zero.csv").write_text(rows)
    status, output = ask("evaluate", files / "gold.csv", files / "zero.csv")
    assert status == 0
    assert "log_loss is infinite for zero (1 item): a class that is right has the probability 0" in output
    assert answered("evaluate", files / "gold.csv", files / "zero.csv")["runs"][0]["scores"]["log_loss"] == "inf"
    smooth = answered("evaluate", files / "gold.csv", files / "zero.csv", "--smooth", "0.01")
    assert smooth["runs"][0]["scores"]["log_loss"] < 2
    status, output = ask("compare", files / "gold.csv", files / "zero.csv", files / "svm.csv", "--measures", "log_loss")
    assert status == 1
    assert "log_loss of zero is infinite: 1 item have a score that is" in output or "is infinite" in output


def test_intervals_tests_and_gates_over_items_and_clusters(files, ask, answered):
    gold, svm, bert = files / "gold.csv", files / "svm.csv", files / "bert.tsv"
    made = mm.evaluate(gold, [svm, bert], task="probabilities", classes=CLASSES, ci=True, measures="brier,auc,ece_debiased")
    each = ((BELIEVED - np.eye(3)[[CLASSES.index(label) for label in LABELS]]) ** 2).sum(axis=1)
    from scipy import stats

    reach = stats.t.ppf(0.975, 9) * each.std(ddof=1) / math.sqrt(10)
    low, high = (ends[0, made.runs.index("svm")] for ends in made.intervals.items)
    assert (low, high) == (pytest.approx(each.mean() - reach), pytest.approx(each.mean() + reach))
    assert made.validity()["auc"] == {"items": "interval/items/left-out"}
    compared = mm.compare(gold, [svm, bert], "auc", task="probabilities", classes=CLASSES)
    assert compared.units == "items"
    assert not compared.untested
    by_cluster = mm.compare(gold, [svm, bert], "auc", task="probabilities", classes=CLASSES, columns={"cluster": "document"})
    assert by_cluster.units == "clusters"
    assert by_cluster.topics == 5
    for measure in ("brier", "auc@pos"):
        found = answered("gate", gold, bert, svm, "--measures", measure, "--margin", "0.3")
        assert found["verdict"] in ("pass", "undecided", "fail")
        assert found["items"] == 10
    assert answered("ranks", gold, svm, bert, "--measures", "brier")["runs"][0]["run"] == "svm"
    status, output = ask("compare", gold, svm, bert, "--measures", "ece")
    assert status == 2
    assert "choose ece_debiased" in output


def test_topics(files):
    gold = files / "topics.csv"
    found = mm.evaluate(gold, files / "svm.csv", task="probabilities", classes=CLASSES, measures="brier,auc")
    assert found.topics == ("x", "y")
    each = ((BELIEVED - np.eye(3)[[CLASSES.index(label) for label in LABELS]]) ** 2).sum(axis=1)
    inside = np.array(list("xxyyxyxxyy")) == "x"
    by_topic = found.to_frame().query("measure == 'brier'").sort_values("topic")["score"].tolist()
    assert by_topic == pytest.approx([each[inside].mean(), each[~inside].mean()])
    compared = mm.compare(gold, [files / "svm.csv", files / "bert.tsv"], "brier", task="probabilities", classes=CLASSES)
    assert compared.units == "items"  # two topics are no sample: items within them are


def test_baselines(files, answered):
    found = answered("evaluate", files / "gold.csv", files / "svm.csv", "--baselines", "--measures", "log_loss,auc")
    scores = {run["run"]: run["scores"] for run in found["runs"]}
    shares = np.array([2, 4, 4]) / 10
    assert scores["baseline: shares of gold"]["log_loss"] == pytest.approx(-(shares * np.log(shares)).sum())
    assert scores["baseline: uniform"]["log_loss"] == pytest.approx(math.log(3))
    assert scores["baseline: uniform"]["auc"] == 0.5


def test_parts_are_counted_and_merged_to_the_same(files):
    gold = pd.read_csv(files / "topics.csv")
    how = {"task": "probabilities", "classes": CLASSES, "columns": {"cluster": "document"}}
    whole = mm.count(files / "topics.csv", [files / "svm.csv", files / "bert.tsv"], **how)
    parts = []
    for number, rows in enumerate((gold[:4], gold[4:])):
        rows.to_csv(files / f"part{number}.csv", index=False)
        one = mm.count(files / f"part{number}.csv", [files / "svm.csv", files / "bert.tsv"], **how, extra="ignore")
        one.save(files / f"part{number}.evidence")
        parts.append(files / f"part{number}.evidence")
    merged = mm.merge(parts)
    assert merged.checksum() == whole.checksum()
    assert mm.evaluate(merged)["svm"] == pytest.approx(mm.evaluate(whole)["svm"])
    runs = [mm.count(files / "topics.csv", [files / name], **how) for name in ("svm.csv", "bert.tsv")]
    assert mm.merge(runs).checksum() == whole.checksum()
    with pytest.raises(mm.UsageError, match="neither the runs nor the items"):
        mm.merge([whole, whole])


def test_table_and_diagram(files, ask, answered):
    found = answered("table", files / "gold.csv", files / "svm.csv")
    (one,) = found["runs"]
    assert sum(row["items"] for row in one["bins"]) == 10
    assert [row["auc"] for row in one["by_class"]] == pytest.approx([0.9375, 0.895833, 1], abs=5e-7)
    status, _ = ask("table", files / "gold.csv", files / "svm.csv", files / "bert.tsv", "--chart", files / "chart.svg")
    assert status == 0
    assert "too sure" in (files / "chart.svg").read_text()


def test_advice_report_meta_and_convert(files, ask, answered):
    advice = answered("advise", files / "gold.csv", files / "svm.csv", files / "bert.tsv")
    assert advice["looked_at"]["items"] == 10
    assert any("rps" in reason for reason in advice["reasons"])
    status, output = ask("report", files / "gold.csv", files / "svm.csv", files / "bert.tsv", "-o", files / "page.html")
    assert status == 0, output
    status, output = ask("evaluate", files / "topics.csv", files / "svm.csv", files / "bert.tsv", "--scores", files / "s.csv")
    assert status == 0, output
    assert mm.meta.similarity(mm.read_scores(files / "s.csv")).tau.shape == (5, 5)


def test_a_slice_of_the_items(files):
    found = mm.evaluate(
        files / "gold.csv", files / "svm.csv", task="probabilities", classes=CLASSES, measures="brier", by="document"
    )
    assert len(found.slices.names) == 5


def test_a_run_is_converted_to_a_long_table_that_scores_the_same(files, run):
    status, _, errors = run("convert", files / "svm.csv", files / "long.tsv", "--task", "probabilities")
    assert status == 0, errors
    wide, long = (
        mm.evaluate(files / "gold.csv", files / name, task="probabilities", classes=CLASSES) for name in ("svm.csv", "long.tsv")
    )
    assert wide["svm"] == long["long"]
