"""A file of scores for each run: Sakai's book has them so."""

import gzip
import json

import pytest

import metameasure as mm
from metameasure.scores.run_files import run_files


@pytest.fixture
def files(tmp_path):
    scores = {
        "X": (0.7, 0.3, 0.5, 0.2, 0.9, 0.4, 0.6),
        "Y": (0.5, 0.1, 0.4, 0.3, 0.8, 0.2, 0.1),
        "Z": (0, 0, 0.1, 0, 0.2, 0.1, 0),
    }
    for run, values in scores.items():
        (tmp_path / f"{run}.csv").write_text("query_id,ndcg@5\n" + "".join(f"Q{n},{score}\n" for n, score in enumerate(values)))
        (tmp_path / f"{run}.txt").write_text("".join(f"{score}\n" for score in values))
    return tmp_path


def test_topics_by_name_or_by_line(files):
    named, numbered = (run_files([str(files / f"*{ending}")], "ndcg@5") for ending in (".csv", ".txt"))
    assert named.runs == numbered.runs == ("X", "Y", "Z")
    assert named.topics[:2] == ("Q0", "Q1")
    assert numbered.topics[:2] == ("1", "2")
    assert named.values.tolist() == numbered.values.tolist()


def test_they_are_compared(run, files):
    words = ("--one-file-per", "run", "--measures", "ndcg@5", "--test", "tukey", "--format", "json")
    status, out, err = run("compare", *(files / f"{name}.csv" for name in "XYZ"), *words)
    assert status == 0, err
    matrix = run_files([str(files / f"{name}.csv") for name in "XYZ"], "ndcg@5")
    assert json.loads(out)["p"] == json.loads(mm.compare(matrix, test="tukey").render("json"))["p"]


def test_the_book(run, shared_data):
    folder = shared_data / "sakai-book"
    words = ("--one-file-per", "run", "--measures", "ndcg@5", "--test", "tukey")
    out = run("compare", *(folder / f"{name}.csv" for name in "XYZ"), *words)[1]
    assert "V_E2 = 0.02189" in out  # printed .0219


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("query_id,ndcg@5\nQ0,x\n", "Z.csv:2: 'x' is no score"),
        ("query_id,ndcg@5\nQ0,.1\nQ0,.2\n", "Z.csv:3: topic 'Q0' comes twice"),
        ("query_id,ndcg@5\nQ0,.1\n", "Z.csv: there is no score of topic 'Q1', nor of 5 more"),
        ("query_id,a,b\nQ0,.1,.2\n", "Z.csv:1: 2 columns of scores"),
        ("", "Z.csv: the file is empty; it needs a line for each topic"),
    ],
)
def test_what_is_wrong_is_said(run, files, text, said):
    (files / "Z.csv").write_text(text)
    status, _, err = run("compare", files / "*.csv", "--one-file-per", "run", "--measures", "ndcg@5")
    assert status == 1
    assert said in err


def test_they_are_read_as_other_tables_are(run, files):
    """Compressed or not; and what is wrong has its file and line."""
    words = ("--one-file-per", "run", "--measures", "ndcg@5", "--format", "json")
    plain = run("compare", *(files / f"{name}.csv" for name in "XYZ"), *words)
    packed = gzip.compress((files / "Z.csv").read_bytes())
    (files / "Z.csv.gz").write_bytes(packed)
    assert run("compare", files / "X.csv", files / "Y.csv", files / "Z.csv.gz", *words) == plain
    (files / "Z.csv.gz").write_bytes(packed[:30])
    assert "Z.csv.gz: the file is cut short" in run("compare", files / "X.csv", files / "Z.csv.gz", *words)[2]
    (files / "Z.csv").write_bytes(b"query_id,ndcg@5\nQ0,\xff\n")
    assert "Z.csv:2: bytes that are not UTF-8" in run("compare", files / "X.csv", files / "Z.csv", *words)[2]


def test_one_file_is_too_few(run, files):
    status, _, err = run("compare", files / "X.csv", "--one-file-per", "run")
    assert (status, "name a file for each run" in err) == (2, True)
