"""What people do in Python first: plain sequences, a run's scores, scores in files, several measures at once."""

import pickle

import narwhals.stable.v2 as nw
import numpy as np
import pytest

import metameasure as mm

GOLD = ["pos", "neg", "neu", "neu", "pos", "neg"]
RUNS = {"svm": ["pos", "neu", "neu", "pos", "neu", "neg"], "nb": ["pos", "neg", "neu", "neu", "neu", "neg"]}
CLASSES = ["neg", "neu", "pos"]


@pytest.fixture
def scores():
    return mm.evaluate(GOLD, RUNS, classes=CLASSES, measures=["accuracy", "mae"])


@pytest.mark.parametrize("kind", [list, tuple, np.array, "pandas", "polars"])
def test_plain_sequences_are_labels(kind, scores):
    if isinstance(kind, str):
        kind = pytest.importorskip(kind).Series
    found = mm.evaluate(kind(GOLD), {name: kind(labels) for name, labels in RUNS.items()}, classes=CLASSES, measures="accuracy")
    np.testing.assert_array_equal(found.values, scores.values[:1])


def test_a_run_s_scores_go_by_its_name(scores):
    assert scores["svm"] == pytest.approx({"accuracy": 0.5, "mae": 0.5})
    assert [one.measure for one in scores] == list(scores.ids)
    assert "svm" in scores
    with pytest.raises(mm.UsageError, match="there is no run 'smv'; did you mean 'svm'"):
        scores["smv"]


@pytest.mark.each_time(1)
@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.jsonl.gz"])
def test_scores_are_read_as_they_were_saved(name, tmp_path):
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 4, 60)
    topics = np.repeat(np.arange(6), 10)
    polars = pytest.importorskip("polars")
    keys = {"topic": topics, "item": np.arange(60)}
    runs = {name: polars.DataFrame(keys | {"label": rng.integers(1, 4, 60)}) for name in ("svm", "nb", "lr")}
    scores = mm.evaluate(polars.DataFrame(keys | {"label": gold}), runs, classes=[1, 2, 3], measures="accuracy,mae")
    scores.save(tmp_path / name)
    saved = mm.read_scores(tmp_path / name)
    assert saved.measures == scores.measures
    assert saved.runs == scores.runs
    assert saved["svm"] == pytest.approx(scores["svm"])
    np.testing.assert_array_equal([one.values[0] for one in saved], scores.values)
    np.testing.assert_array_equal(mm.compare(saved, "mae").p, mm.compare(scores, "mae").p)
    np.testing.assert_array_equal(mm.compare(tmp_path / name, "mae").p, mm.compare(scores, "mae").p)
    np.testing.assert_array_equal(mm.compare(saved.to_frame("polars"), "mae").p, mm.compare(scores, "mae").p)
    np.testing.assert_array_equal(mm.meta.similarity(saved).tau, mm.meta.similarity(scores).tau)
    unknown = mm.ScoreMatrix("ours", ["t"], ["svm"], [[0.5]])
    assert pickle.loads(pickle.dumps(unknown)).measures == unknown.measures
    saved.save(tmp_path / "again.csv")
    assert mm.read_scores(tmp_path / "again.csv")["nb"] == saved["nb"]


def test_saved_scores_print_and_are_json(scores, tmp_path):
    scores.save(tmp_path / "x.csv")
    saved = mm.read_scores(tmp_path / "x.csv")
    assert str(saved).splitlines()[:3] == str(scores).splitlines()[:3]
    said = saved.to_dict()
    assert [one["scores"] for one in said["runs"]] == [one["scores"] for one in scores.to_dict()["runs"]]
    assert (said["task"], said["measures"][0]["topics"], said["runs"][0]["pooled"]["mae"]) == (None, 1, None)
    assert saved.long()["score"].tolist() == scores.long()["score"].tolist()
    assert saved[0].measure == "accuracy"
    with pytest.raises(mm.UsageError, match="there is no run 'sv'; did you mean 'svm'"):
        saved["sv"]


def test_a_pattern_that_matches_several_files_is_refused(scores, tmp_path):
    for name in "xy":
        scores.save(tmp_path / f"{name}.csv")
    with pytest.raises(mm.UsageError, match="matches 2 files; name one file of scores"):
        mm.read_scores(tmp_path / "*.csv")


def test_several_measures_give_a_dictionary():
    found = mm.score(GOLD, RUNS["svm"], ["accuracy", "qwk", "f1@pos"], classes=CLASSES)
    assert list(found) == ["accuracy", "kappa_quadratic", "f1@pos"]
    assert all(found[name] == mm.score(GOLD, RUNS["svm"], name, classes=CLASSES) for name in found)
    assert mm.score(GOLD, RUNS["svm"], ["accuracy"], classes=CLASSES) == {"accuracy": 0.5}


def test_all_wrong_names_are_reported_at_once():
    with pytest.raises(mm.UsageError, match=r"(?s)2 measures cannot be found.*acuracy.*kapa"):
        mm.score(GOLD, RUNS["svm"], ["acuracy", "kapa"], classes=CLASSES)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_every_result_is_a_frame_in_which_labels_and_names_are_texts(library):
    gold, runs = [1, 2, 1, 2, 3, 3], {"1": [1, 2, 1, 1, 3, 3], "2": [2, 2, 1, 2, 3, 1]}
    table = nw.from_native(mm.table(gold, runs, classes="1..3").to_frame(library), eager_only=True)
    assert (table["run"].to_list(), table["class"].to_list()) == (["1"] * 3 + ["2"] * 3, ["1", "2", "3"] * 2)
    assert table["support"].to_list() == [2] * 6
    advice = nw.from_native(mm.advise(gold, runs, classes="1..3").to_frame(library), eager_only=True)
    assert advice["part"].to_list()[0] == "primary"
    wrong = nw.from_native(mm.check(gold, runs | {"2": [1, 9, 1, 1, 1, 1]}, classes="1..3").to_frame(library), eager_only=True)
    assert (wrong["line"].to_list(), "'9'" in wrong["what"].to_list()[0]) == ([2], True)
