"""Baselines are marked in the data: a run that is called like one is a run like any other."""

import json
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest

import metameasure as mm
from engines import ENGINES, made
from metameasure.core.errors import DataError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
RNG = np.random.default_rng(5)
TOPICS = [str(topic) for topic in range(8)]
ITEMS = 6
GOLD = [(f"{topic}-{item}", topic, "abc"[RNG.integers(3)]) for topic, item in product(TOPICS, range(ITEMS))]
RUNS = {
    name: [(item, topic, label if RNG.random() < share else "abc"[RNG.integers(3)]) for item, topic, label in GOLD]
    for name, share in (("baseline: x", 0.8), ("one", 0.6), ("two", 0.3))
}
ASKED = ("--classes", "a,b,c", "--measures", "accuracy,mae")
ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".jsonl.zst")


@pytest.fixture
def files(tmp_path):
    for name, rows in {"gold": GOLD, **RUNS}.items():
        text = "item\ttopic\tlabel\n" + "".join("\t".join(row) + "\n" for row in rows)
        (tmp_path / f"{name}.tsv").write_text(text)
    return [tmp_path / f"{name}.tsv" for name in ("gold", *RUNS)]


@pytest.fixture
def scores():
    frames = {name: pd.DataFrame(rows, columns=["item", "topic", "label"]) for name, rows in RUNS.items()}
    gold = pd.DataFrame(GOLD, columns=["item", "topic", "label"])
    return mm.evaluate(gold, frames, classes="a,b,c", measures="accuracy,mae", baselines=True)


def names(out):
    return {run if isinstance(run, str) else run["run"] for run in json.loads(out)["runs"]}


class TestARunThatIsCalledLikeABaseline:
    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("flags", [(), ("--baselines",)])
    @pytest.mark.parametrize("ending", [".csv", ".parquet"])
    def test_is_a_run_for_all_who_read_its_scores(self, run, files, tmp_path, flags, ending):
        saved = tmp_path / f"scores{ending}"
        status, out, err = run("evaluate", *files, *ASKED, *flags, "--scores", saved, "--ranks", "--format", "json")
        assert status == 0, err
        (own,) = [one for one in json.loads(out)["runs"] if one["run"] == "baseline: x"]
        assert own["ranks"] == {"accuracy": 1, "mae": 1}
        assert "baseline" not in own
        status, out, err = run("compare", saved, "--measures", "mae", "--format", "json")
        assert (status, names(out)) == (0, {*RUNS}), err
        assert any("left out" in note for note in json.loads(out)["notes"]) == bool(flags)
        status, out, err = run("meta", "discrimination", saved, "--trials", "20", "--format", "json")
        assert (status, names(out)) == (0, {*RUNS}), err

    def test_is_a_run_of_gold_and_runs(self, run, files, tmp_path):
        assert names(run("compare", *files, *ASKED[:2], "--measures", "mae", "--format", "json")[1]) == {*RUNS}
        assert names(run("table", *files, *ASKED[:2], "--format", "json")[1]) == {*RUNS}
        page = tmp_path / "page.html"
        status, _, err = run("report", *files, *ASKED, "--trials", "20", "-o", page)
        assert status == 0, err
        assert 'class="baseline"' not in page.read_text()
        told = json.loads(run("advise", *files, *ASKED[:2], "--format", "json")[1])
        assert told["looked_at"]["runs"] == 3

    def test_and_of_evidence_that_was_merged(self, run, files, tmp_path):
        gold, *runs = files
        parts = [tmp_path / f"{place}.evidence" for place in range(3)]
        for part, one in zip(parts, runs, strict=True):
            assert run("count", gold, one, *ASKED[:2], "-o", part)[0] == 0
        whole, saved = tmp_path / "whole.evidence", tmp_path / "scores.csv"
        assert run("merge", *parts, "-o", whole)[0] == 0
        assert run("evaluate", whole, *ASKED[2:], "--baselines", "--scores", saved)[0] == 0
        assert names(run("compare", saved, "--measures", "mae", "--format", "json")[1]) == {*RUNS}

    def test_for_those_who_design_and_advise_and_report(self, run, scores, tmp_path):
        saved = tmp_path / "scores.csv"
        scores.save(saved)
        told = json.loads(run("design", saved, "--trials", "20", "--format", "json")[1])
        assert {one.runs_now for one in mm.design(saved, trials=20).measures} == {3}
        assert told["notes"] == ["6 baselines left out; --baselines keeps them"]
        told = json.loads(run("advise", saved, "--format", "json")[1])
        assert told["looked_at"]["runs"] == 3
        assert not any("baseline: x" in warning for warning in told["warnings"])
        assert run("report", saved, "--trials", "20", "-o", tmp_path / "page.html")[0] == 0
        assert (tmp_path / "page.html").read_text().count('class="baseline"') == 6

    def test_unless_it_is_called_as_one_of_ours_is(self, run, files):
        gold, first, *others = files
        ours = first.rename(first.with_name("baseline: majority.tsv"))
        status, _, err = run("evaluate", gold, ours, *others, *ASKED, "--baselines")
        assert status == 2
        assert "a run is called 'baseline: majority', which is the name of a baseline; rename it" in err
        assert run("evaluate", gold, ours, *others, *ASKED)[0] == 0


class TestMarks:
    @pytest.mark.parametrize("ending", ENDINGS)
    def test_there_and_back(self, scores, tmp_path, ending):
        first, second = tmp_path / f"first{ending}", tmp_path / f"second{ending}"
        scores.save(first)
        read = mm.read_scores(first)
        assert read.baselines == scores.baselines
        assert {one["run"] for one in read.to_dict()["runs"] if one.get("baseline")} == scores.baselines
        read.save(second)
        assert mm.read_scores(second).baselines == scores.baselines

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_in_frames(self, scores, library):
        frame = scores.to_frame(library)
        assert {*mm.meta.similarity(frame, baselines=True).notes} == {*mm.meta.similarity(scores, baselines=True).notes}
        assert {*mm.compare(frame, "mae", baselines=True).runs} == {*scores.runs}

    @pytest.mark.each_time(2)
    @pytest.mark.parametrize("engine", ENGINES)
    def test_in_the_frames_and_files_of_every_engine(self, scores, engine, tmp_path):
        columns = {name: column.tolist() for name, column in scores.long().items()}
        held = made(engine, columns, tmp_path, "scores")
        assert {*mm.compare(held, "mae").runs} == {*RUNS}
        columns["baseline"] = [str(mark) if mark else None for mark in columns["baseline"]]  # as people may write them
        assert {*mm.compare(made(engine, columns, tmp_path, "texts"), "mae").runs} == {*RUNS}

    def test_none_where_there_is_nothing_to_tell_apart(self, scores, tmp_path):
        plain = mm.evaluate(["a", "b"], {"svm": ["a", "a"]}, classes="a,b", measures="accuracy")
        assert list(plain.long()) == ["measure", "topic", "run", "score"]
        assert list(scores.long()) == ["measure", "topic", "run", "score", "baseline"]

    def test_convert_keeps_them(self, run, scores, tmp_path):
        scores.save(tmp_path / "scores.csv")
        assert run("convert", tmp_path / "scores.csv", tmp_path / "scores.parquet")[0] == 0
        assert mm.read_scores(tmp_path / "scores.parquet").baselines == scores.baselines

    def test_empty_is_a_run(self, tmp_path):
        file = tmp_path / "s.csv"
        file.write_text("topic,run,score,baseline\n1,a,.1,\n2,a,.3,\n1,baseline: b,.2,\n2,baseline: b,.1,\n1,c,1,TRUE\n2,c,0,1\n")
        assert mm.read_scores(file).baselines == {"c"}

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ("1,a,.1,maybe\n", "s.csv:2: 'maybe' in the column 'baseline' is neither true nor false"),
            ("1,a,.1,0.34\n1,b,.2,true\n", "s.csv:2: '0.34' in the column 'baseline' is neither true nor false"),
            ("1,a,.1,true\n2,a,.1,\n", "s.csv:3: run 'a' is a baseline in some rows and none in others"),
        ],
    )
    def test_wrong_ones_are_refused(self, run, tmp_path, rows, message):
        (tmp_path / "s.csv").write_text("topic,run,score,baseline\n" + rows)
        status, _, err = run("compare", tmp_path / "s.csv", "--better", "higher")
        assert status == 1
        assert message in err

    def test_wrong_ones_in_frames(self):
        frame = pl.DataFrame({"run": ["a", "b"], "score": [0.1, 0.2], "baseline": [0.5, 0.25]})
        with pytest.raises(DataError, match="neither true nor false"):
            mm.compare(frame, better="higher")


class TestFilesWithoutMarks:
    """As earlier versions and other tools write them: baselines go by their names, and that is said."""

    @pytest.fixture
    def old(self, scores, tmp_path):
        frame = pd.DataFrame(scores.long()).drop(columns="baseline")
        frame[frame["run"].isin([*RUNS, "baseline: majority"])].to_csv(tmp_path / "old.csv", index=False)
        return tmp_path / "old.csv"

    @pytest.mark.each_time(1)
    @pytest.mark.parametrize("command", [("compare",), ("design",), ("meta", "similarity")])
    def test_notes_say_which_and_how_to_keep_them(self, run, old, command):
        flags = (old, "--measures", "mae", "--format", "json")
        status, out, err = run(*command, *flags)
        said = "left out as baselines, by their names alone: baseline: x and baseline: majority; --baselines keeps them"
        assert status == 0, err
        assert said in json.loads(out)["notes"]
        status, out, err = run(*command, *flags, "--baselines")
        assert status == 0, err
        assert said not in out

    def test_kept_where_they_are_asked_for(self, run, old):
        everyone = {*RUNS, "baseline: majority"}
        flags = ("--measures", "mae", "--baselines", "--format", "json")
        assert names(run("compare", old, *flags)[1]) == everyone
        for test in ("tukey", "stepwise", "classical"):
            status, out, err = run("meta", "discrimination", old, *flags, "--test", test, "--trials", "20")
            assert (status, names(out)) == (0, everyone), err

    def test_advice_and_the_page_say_so(self, run, old, tmp_path):
        said = "left out as baselines, by their names alone: baseline: majority and baseline: x; to keep one, write a column"
        assert any(said in warning for warning in json.loads(run("advise", old, "--format", "json")[1])["warnings"])
        assert run("report", old, "--trials", "20", "-o", tmp_path / "page.html")[0] == 0
        assert "by their names alone" in (tmp_path / "page.html").read_text()

    def test_baselines_of_data_are_asked_of_evaluate(self, run, files):
        status, _, err = run("compare", *files, *ASKED[:2], "--measures", "mae", "--baselines")
        assert status == 2
        assert "--baselines is for scores; evaluate with --baselines, and compare those scores" in err

    def test_matrices(self):
        values = RNG.random((6, 3))
        unmarked = mm.ScoreMatrix("mae", tuple("123456"), ("a", "b", "baseline: c"), values)
        assert {*mm.compare(unmarked).runs} == {"a", "b"}
        assert any("by their names alone: baseline: c" in note for note in mm.compare(unmarked).notes)
        marked = mm.ScoreMatrix("mae", tuple("123456"), ("a", "b", "baseline: c"), values, baselines=frozenset({"b"}))
        assert {*mm.compare(marked).runs} == {"a", "baseline: c"}


def test_a_call_in_python_speaks_python():
    with pytest.raises(UsageError, match="baselines=True is for scores"):
        mm.compare(["a", "b"], {"x": ["a", "b"], "y": ["b", "a"]}, "accuracy", classes="a,b", baselines=True)
