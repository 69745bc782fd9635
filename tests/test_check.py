"""``check`` says everything at once, run by run; ``evaluate --skip-broken`` scores the rest."""

import json

import numpy as np
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
    assert [line.split(":")[0] for line in out.splitlines()] == ["ok  good", "ok  fine"]
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
    left_out = [note for note in answer["notes"] if note.startswith("left out, for it is broken: ")]
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

    def test_refused_for_other_measures(self, run, files):
        status, _, err = run("evaluate", files[0], files[-1], *CLASSES, "--measures", "kappa", "--missing", "zero")
        assert status == 2
        assert "kappa is no sum of what single answers are worth" in err


@pytest.mark.parametrize(
    ("text", "flags", "name"),
    [
        (GOLD, CLASSES, "baseline: majority"),
        ("topic\ta\tb\nx\t.5\t.5\ny\t1\t0\n", ("--task", "quantification", *CLASSES), "Uniform"),
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
