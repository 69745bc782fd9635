"""``--extra ignore``: a row on what gold does not have is as good as not there. Topics are gold's."""

import json

import pandas as pd
import pytest

import metameasure as mm
from engines import spark

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")

LABELS = "item\ttopic\tlabel\n1\ta\tx\n2\ta\ty\n3\tb\tx\n4\tb\tx\n"
NO_TOPICS = "item\tlabel\n1\tx\n2\ty\n3\tx\n4\tx\n"
OF_LABELS = "item\ttopic\tlabel\n1\ta\tx\n2\ta\ty\n3\tb\tx\n4\tb\ty\n"
LONG = "topic\tclass\tprobability\na\tx\t.5\na\ty\t.5\nb\tx\t.3\nb\ty\t.7\n"
WIDE = "topic\tx\ty\na\t.5\t.5\nb\t.3\t.7\n"
RANKS = "segment\titem\trank\na\t1\t1\na\t2\t2\nb\t3\t1\nb\t4\t2\n"
# Gold, a run, and what the run says of something that gold does not have.
CASES = {
    "another topic": ("classification", OF_LABELS, LABELS, "9\tz\tx\n"),
    "no topic": ("classification", OF_LABELS, LABELS, "9\t\tx\n"),
    "gold's topic": ("classification", OF_LABELS, LABELS, "9\ta\tx\n"),
    "no column of topics": ("classification", OF_LABELS, NO_TOPICS, "9\tx\n"),
    "no topics at all": ("classification", NO_TOPICS, NO_TOPICS, "9\tx\n"),
    "entailment": ("entailment", OF_LABELS, LABELS, "9\tz\tx\n"),
    "entailment without a column": ("entailment", OF_LABELS, NO_TOPICS, "9\tx\n"),
    "long": ("quantification", LONG, LONG, "z\tx\t.5\nz\ty\t.5\n"),
    "wide": ("quantification", WIDE, WIDE, "z\t.5\t.5\n"),
    "long to wide": ("quantification", WIDE, LONG, "z\tx\t.5\nz\ty\t.5\n"),
    "ranking": ("ranking", RANKS, RANKS, "z\t1\t1\nz\t2\t2\n"),
}
MEASURES = {"classification": "accuracy", "entailment": "a2", "quantification": "nmd", "ranking": "tau@a"}


@pytest.fixture(params=["duckdb", "spark"])
def engine(request):
    return {} if request.param == "duckdb" else {"engine": "spark", "master": spark().address}


def options(task):
    declared = {} if task == "ranking" else {"classes": "x,y"}
    return {"task": task, "measures": MEASURES[task], "extra": "ignore"} | declared


def evaluated(folder, case, *, more, **how):
    """Two runs, one with the rows that gold does not have and one without."""
    task, gold, text, strange = CASES[case]
    (folder / "gold.tsv").write_text(gold)
    (folder / "run.tsv").write_text(text + (strange if more else ""))
    (folder / "other.tsv").write_text(text)
    positive = {"positive": "x", "negative": "y"} if task == "entailment" else {}
    return mm.evaluate(folder / "gold.tsv", [folder / "run.tsv", folder / "other.tsv"], **options(task), **positive, **how)


@pytest.mark.parametrize("case", CASES)
def test_an_ignored_row_changes_nothing(tmp_path, engine, case):
    with_row, without = (evaluated(tmp_path, case, more=more, **engine) for more in (True, False))
    assert with_row.topics == without.topics
    assert with_row.signature == without.signature
    assert with_row.to_dict()["runs"] == without.to_dict()["runs"]
    assert with_row.to_frame().equals(without.to_frame())
    said = [note for note in with_row.notes if note not in without.notes]
    assert len(said) == 1
    assert said[0].startswith("run: ")


@pytest.mark.parametrize("case", [case for case, (task, *_) in CASES.items() if task == "classification"])
def test_frames_too(tmp_path, case):
    frames = {}
    for more in (True, False):
        evaluated(tmp_path, case, more=more)
        frames[more] = [pd.read_csv(tmp_path / f"{name}.tsv", sep="\t", dtype=str) for name in ("gold", "run")]
    with_row, without = (mm.evaluate(gold, {"run": run}, **options("classification")) for gold, run in frames.values())
    assert (with_row.topics, with_row.signature) == (without.topics, without.signature)


@pytest.mark.parametrize("more", [("--undefined", "zero"), ("--average", "pooled"), ("--missing", "drop"), ("--ci",)])
def test_with_other_options(run, tmp_path, more):
    answers = []
    for strange in (True, False):
        evaluated(tmp_path, "another topic", more=strange)
        how = ("--classes", "x,y", "--extra", "ignore", "--measures", "accuracy,kappa", *more, "--format", "json")
        status, out, _ = run("evaluate", tmp_path / "gold.tsv", tmp_path / "run.tsv", *how)
        assert status == 0
        answers.append(json.loads(out))
    for answer in answers:
        answer["notes"] = [note for note in answer["notes"] if "does not have left out" not in note]
        answer["findings"] = [one for one in answer["findings"] if "does not have left out" not in one["text"]]
    assert answers[0] == answers[1]


def test_partitions_are_of_gold(tmp_path):
    """An item that gold lacks is dealt into none of them."""
    (tmp_path / "gold.tsv").write_text(NO_TOPICS)
    (tmp_path / "run.tsv").write_text(NO_TOPICS + "9\tx\n")
    scores = mm.evaluate(tmp_path / "gold.tsv", [tmp_path / "run.tsv"], **options("classification"), partitions=2)
    assert scores.topics == ("part 1", "part 2")


def test_comparisons_do_not_refuse(run, tmp_path):
    evaluated(tmp_path, "another topic", more=True)
    (tmp_path / "other.tsv").write_text(LABELS.replace("1\ta\tx", "1\ta\ty"))
    files = [tmp_path / f"{name}.tsv" for name in ("gold", "run", "other")]
    status, out, _ = run("compare", *files, "--classes", "x,y", "--extra", "ignore", "--measures", "accuracy", "--trials", "20")
    assert status == 0
    assert "2 topics" in out
    status, _, _ = run("evaluate", *files, "--classes", "x,y", "--extra", "ignore", "--scores", tmp_path / "scores.csv")
    assert status == 0
    assert "z," not in (tmp_path / "scores.csv").read_text()
