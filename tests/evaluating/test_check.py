"""``check`` says everything at once, run by run; ``evaluate --skip-broken`` scores the rest."""

import json

import numpy as np
import pandas as pd
import pytest

import metameasure as mm

GOLD = "item\tlabel\n" + "".join(f"{place}\t{'ab'[place % 2]}\n" for place in range(1, 9))
CLASSES = ("--classes", "a,b")
BROKEN = {
    "unreadable.tsv": b"item\tlabel\n1\t\xff\n",
    "header.tsv": GOLD.replace("label", "answer").encode(),
    "labels.tsv": GOLD.replace("\ta", "\tc").encode(),
    "missing.tsv": b"item\tlabel\n1\tb\n",
    "empty.tsv": b"",
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "gold.tsv").write_text(GOLD)
    for name, content in BROKEN.items():
        (tmp_path / name).write_bytes(content)
    for name in ("good.tsv", "fine.tsv"):
        (tmp_path / name).write_text(GOLD)
    return [tmp_path / name for name in ("gold.tsv", *BROKEN, "good.tsv", "fine.tsv")]


def test_everything_at_once(run, files):
    status, out, err = run("check", *files, *CLASSES)
    assert status == 1
    assert [line.split(":")[0] for line in out.splitlines()] == ["ok  good", "ok  fine", "fine and good are equal"]
    lines = dict(line.removeprefix(f"{files[0].parent}/").split(": ", 1) for line in err.splitlines())
    assert len(lines) == len(BROKEN), "one line for each kind of problem and run"
    assert "label 'c' is not one of the classes, and 3 more like it (lines 5, 7, 9)" in lines["labels.tsv:3"]
    assert "item '2' is missing, and 6 more like it" in lines["missing.tsv"]
    assert "there is no column 'label'" in lines["header.tsv:1"]
    assert "not UTF-8" in lines["unreadable.tsv:2"]
    assert "the file is empty" in lines["empty.tsv"]


def test_json(run, files):
    status, out, err = run("check", *files, *CLASSES, "--format", "json")
    assert (status, err) == (1, "")
    answer = json.loads(out)
    assert answer["gold"]["ok"]
    assert {entry["run"]: entry["ok"] for entry in answer["runs"]} == {
        **dict.fromkeys((name.removesuffix(".tsv") for name in BROKEN), False),
        "good": True,
        "fine": True,
    }
    (problem,) = next(entry["problems"] for entry in answer["runs"] if entry["run"] == "missing")
    assert problem["count"] == 7
    assert problem["hint"].startswith("add it, or choose --missing")


def test_gold_alone(run, tmp_path, files):
    status, out, err = run("check", files[0], *CLASSES)
    assert (status, err) == (0, "")
    assert out == "gold alone, one topic, 2 classes: nothing is wrong.\n"
    (tmp_path / "bad.tsv").write_text(GOLD.replace("2\ta", "2\tx"))
    status, out, err = run("check", tmp_path / "bad.tsv", *CLASSES)
    assert (status, out) == (1, "")
    assert "bad.tsv:3: label 'x' is not one of the classes" in err
    (tmp_path / "q.tsv").write_text("topic\ta\tb\nx\t.5\t.5\n")
    assert run("check", tmp_path / "q.tsv", "--task", "quantification", *CLASSES)[1].startswith("gold alone, one topic")
    (tmp_path / "r.tsv").write_text("segment\titem\trank\n1\ta\t1\n1\tb\t2\n")
    assert run("check", tmp_path / "r.tsv", "--task", "ranking")[1].startswith("gold alone, one segment")


def test_skip_broken(run, files):
    status, out, err = run("evaluate", *files, *CLASSES, "--measures", "accuracy", "--skip-broken", "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert [entry["run"] for entry in answer["runs"]] == ["fine", "good"]
    left_out = [note for note in answer["notes"] if note.startswith("left out, because it is broken: ")]
    assert len(left_out) == len(BROKEN)
    assert run("evaluate", *files[:3], *CLASSES, "--skip-broken")[0] == 1, "nothing is left to score"


def test_frames_too():
    import pandas as pd

    gold = pd.DataFrame({"item": [1, 2], "label": ["a", "b"]})
    found = mm.check(gold, {"x": gold, "y": gold.head(1)}, classes="a,b")
    assert {run.run: run.ok for run in found.runs} == {"x": True, "y": False}
    scores = mm.evaluate(gold, {"x": gold, "y": gold.head(1)}, classes="a,b", skip_broken=True)
    assert scores.runs == ("x",)


class TestUndefined:
    QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 0\n"
    RUN = "1 Q0 a 1 .9 t\n1 Q0 b 2 .8 t\n2 Q0 a 1 .9 t\n"

    def test_zero_counts_in_the_mean(self, run, tmp_path):
        (tmp_path / "qrels.txt").write_text(self.QRELS)
        (tmp_path / "run.txt").write_text(self.RUN)
        files = (tmp_path / "qrels.txt", tmp_path / "run.txt", "--task", "ranking", "--compat", "none", "--format", "json")
        flags = ("--measures", "average_precision,mrr")
        for undefined, expected in (("skip", 1), ("zero", 0.5)):
            status, out, err = run("evaluate", *files, *flags, "--undefined", undefined)
            assert status == 0, err
            answer = json.loads(out)
            assert answer["runs"][0]["scores"] == {"average_precision": expected, "mrr": expected}
            assert ("undefined:zero" in answer["signature"]) == (undefined == "zero")

    def test_not_where_zero_is_the_best(self, run, files):
        status, _, err = run("evaluate", files[0], files[-1], *CLASSES, "--measures", "mae", "--undefined", "zero")
        assert status == 2
        assert "0 is the best score of mae" in err


class TestMissingZero:
    """An item that a run lacks adds nothing, and stays in the denominator."""

    def test_by_hand(self):
        """Table A of Amigó et al. (2020), with all of the run's answers on the first class missing."""
        gold, answers = ["1"] * 10 + ["2"] * 60 + ["3"] * 30, []
        for row in ((5, 1, 4), (5, 50, 5), (7, 8, 15)):
            answers += [label for label, times in zip("123", row, strict=True) for _ in range(times)]
        kept = [answer if label != "1" else None for label, answer in zip(gold, answers, strict=True)]
        measures = ["accuracy", "macro_recall", "recall@2", "recall@1", "cem_ord", "cem_nom", "accuracy@1"]
        found = mm.evaluate(gold, {"r": kept}, classes="1..3", measures=measures, missing="zero")
        sizes, counts = np.array([10.0, 60, 30]), np.array([[0, 0, 0], [5, 50, 5], [7, 8, 15]], float)
        share = np.abs(np.subtract.outer(np.cumsum(sizes) - sizes / 2, np.cumsum(sizes) - sizes / 2)) / 100 + sizes[:, None] / 200
        proximity = -np.log2(share)
        hit = -np.log2(sizes / 200)
        expected = [
            65 / 100,
            (0 + 50 / 60 + 15 / 30) / 3,
            50 / 60,
            0,
            (counts * proximity).sum() / (sizes * np.diag(proximity)).sum(),
            (np.diag(counts) * hit).sum() / (sizes * hit).sum(),
            (50 + 5 + 5 + 15 + 8) / 100,
        ]
        assert found.pooled[:, 0] == pytest.approx(expected)
        assert found.values[:, 0, 0] == pytest.approx(expected)  # noqa: PD011

    def test_without_anything_missing_it_changes_nothing(self, run, files):
        flags = (*CLASSES, "--measures", "accuracy,macro_recall,cem_ord", "--format", "json")
        scores = [
            json.loads(run("evaluate", files[0], files[-1], *flags, *more)[1])["runs"][0]["scores"]
            for more in ((), ("--missing", "zero"))
        ]
        assert scores[0] == pytest.approx(scores[1])

    def test_entailment_has_it_too(self):
        """Ten items, three of them unanswered: two YES and a NO."""
        gold = [*"YYYYUUUNNN"]
        run = ["Y", "Y", None, None, "U", "Y", "N", "N", "N", None]
        measures = ["a3", "a2", "a3_macro", "a2_macro", "a3_given@U", "a2_given@U", "a2_given@Y", "accuracy"]
        roles = {"task": "entailment", "positive": "Y", "neutral": "U", "negative": "N", "baselines": False}
        found = mm.evaluate(gold, {"r": run}, measures=measures, missing="zero", **roles)
        expected = [5 / 10, 6 / 10, (2 / 4 + 1 / 3 + 2 / 3) / 3, (2 / 4 + 4 / 6) / 2, 1 / 3, 4 / 6, 2 / 4, 5 / 10]
        assert found.pooled[:, 0] == pytest.approx(expected)
        assert found.values[:, 0, 0] == pytest.approx(expected)  # noqa: PD011
        for refused in ("kappa", "mutual_information", "a3_of@Y"):
            with pytest.raises(mm.UsageError, match="no sum of what single answers are worth"):
                mm.evaluate(gold, {"r": run}, measures=refused, missing="zero", **roles)

    def test_intervals_draw_the_missing_items_too(self):
        """Accuracy is a mean over all items of gold, missing ones included: its interval is the binomial's, of 400 items. Were
        the missing items lost, half of the answered ones would be right and the interval would be around .5."""
        gold = ["a", "b"] * 200
        run = [label if place < 100 else "b" if label == "a" else "a" for place, label in enumerate(gold)]
        run = [label if place < 200 else None for place, label in enumerate(run)]
        options = {"classes": ["a", "b"], "measures": ["accuracy", "macro_recall"], "missing": "zero"}
        found = mm.evaluate(gold, {"r": run}, ci=True, **options)
        low, high = (end[:, 0] for end in found.intervals.items)
        spread = 1.96 * np.sqrt(0.25 * 0.75 / 400)
        assert low == pytest.approx([0.25 - spread] * 2, abs=0.008)
        assert high == pytest.approx([0.25 + spread] * 2, abs=0.008)
        with pytest.raises(mm.UsageError, match="no place for an item without one"):
            mm.evaluate(gold, {"r": run}, interval="bayes", **options)

    def test_intervals_over_topics_and_clusters(self):
        pandas = pytest.importorskip("pandas")
        gold = pandas.DataFrame({"item": range(40), "topic": [*"abcd"] * 10, "label": ["x", "y"] * 20, "c": [*range(8)] * 5})
        runs = {"r": gold.loc[:29, ["item", "label"]]}
        options = {"classes": ["x", "y"], "measures": "accuracy", "missing": "zero", "ci": True}
        found = mm.evaluate(gold, runs, **options)
        low, high = (end[0, 0] for end in found.intervals.topics)
        assert found.averages()[0, 0] == pytest.approx(0.75)
        assert low <= 0.75 <= high
        with pytest.raises(mm.UsageError, match="clusters are drawn with their answers"):
            mm.evaluate(gold, runs, columns={"cluster": "c"}, **options)

    def test_refused_for_other_measures(self, run, files):
        status, _, err = run("evaluate", files[0], files[-1], *CLASSES, "--measures", "kappa", "--missing", "zero")
        assert status == 2
        assert "kappa is no sum of what single answers are worth" in err


@pytest.mark.parametrize(
    ("text", "flags", "name"),
    [
        (GOLD, CLASSES, "baseline: majority"),
        ("topic\ta\tb\nx\t.5\t.5\ny\t1\t0\n", ("--task", "quantification", *CLASSES), "baseline: Uniform"),
        (GOLD, ("--task", "entailment", "--positive", "a", "--negative", "b"), "baseline: random, uniform"),
    ],
)
def test_baselines_alone(run, tmp_path, text, flags, name):
    (tmp_path / "gold.tsv").write_text(text)
    status, out, err = run("evaluate", tmp_path / "gold.tsv", *flags, "--baselines", "--format", "json")
    assert status == 0, err
    scores = {entry["run"]: entry["scores"] for entry in json.loads(out)["runs"]}
    assert name in scores
    assert all(value is not None for value in scores[name].values())


def test_rows_of_a_frame_that_name_no_run():
    gold = pd.DataFrame({"item": [1, 2], "label": ["a", "b"]})
    runs = pd.DataFrame({"run": ["x", "x", None, None], "item": [1, 2, 1, 2], "label": ["a", "b", "a", "a"]})
    with pytest.raises(mm.DataError, match=r"runs:3: the row has no run; give every row its run"):
        mm.evaluate(gold, runs, classes="a,b")


def test_labels_that_become_distributions_may_be_checked_alone(run, tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\n1,a\n2,b\n")
    status, out, _ = run("check", "--task", "quantification", "--classes", "a,b,c", tmp_path / "gold.csv")
    assert (status, "gold alone, one topic, 3 classes: nothing is wrong." in out) == (0, True)


def test_a_table_of_data_sets(run, tmp_path):
    mm.simulate("amigo", topics=3, items=20, classes="a,b,c", kinds="noisy=.2,.4").save(tmp_path / "first")
    mm.simulate("amigo", topics=2, items=10, classes="a,b,c", kinds="noisy=.2").save(tmp_path / "second")
    words = ("check", tmp_path / "first", tmp_path / "second", "--classes", "a,b,c")
    told = json.loads(run(*words, "--format", "json")[1])["data_sets"]
    assert [(row["data set"], row["classes"], row["topics"], row["items"], row["runs"]) for row in told] == [
        ("first", 3, 3, 60, 2),
        ("second", 3, 2, 20, 1),
    ]
    status, out, _ = run(*words, "--format", "latex")
    assert status == 0
    assert r"second & classification & 3 & 2 & 20 & 1 \\" in out
    assert run("check", tmp_path / "first", tmp_path / "first/gold.tsv", "--classes", "a,b,c")[0] == 2
    (tmp_path / "second/gold.tsv").unlink()
    status, _, err = run(*words)
    assert (status, "has 0 files called gold" in err) == (2, True)
