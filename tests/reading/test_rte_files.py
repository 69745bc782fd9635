"""RTE's own files: XML of pairs, and runs below a line that says whether they are ranked."""

import json

import pytest

PAIRS = {"1": ("ENTAILMENT", "IE"), "2": ("CONTRADICTION", "IR"), "3": ("UNKNOWN", "QA"), "4": ("ENTAILMENT", "SUM")}
ROLES = (
    "--positive",
    "ENTAILMENT",
    "--neutral",
    "UNKNOWN",
    "--negative",
    "CONTRADICTION",
    "--task",
    "entailment",
    "--no-baselines",
)


def corpus(pairs=PAIRS, attribute="entailment", doctype='<!DOCTYPE entailment-corpus SYSTEM "rte.dtd">'):
    lines = "".join(
        f'<pair id="{id}" {attribute}="{label}" task="{task}"><t>A &amp; B</t><h>A</h></pair>\n'
        for id, (label, task) in pairs.items()
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}\n<entailment-corpus lang="EN">\n{lines}</entailment-corpus>\n'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "gold.xml").write_text(corpus())
    (tmp_path / "ranked.txt").write_text("ranked: yes\n4 ENTAILMENT\n1 ENTAILMENT\n3 ENTAILMENT\n2 CONTRADICTION\n")
    (tmp_path / "sure.txt").write_text("ranked: no\n1 ENTAILMENT .9\n2 UNKNOWN .5\n3 UNKNOWN .4\n4 ENTAILMENT .8\n")
    return tmp_path


def scores(run, folder, *words):
    status, out, err = run("evaluate", folder / "gold.xml", folder / "*.txt", *words, "--format", "json")
    assert status == 0, err
    return {entry["run"]: entry["scores"] for entry in json.loads(out)["runs"]}, json.loads(out)["notes"]


def test_labels_order_and_confidence_are_read(run, files):
    found, notes = scores(run, files, *ROLES, "--measures", "a3,a2,average_precision,confidence_weighted_score")
    assert found["ranked"] == pytest.approx({"a3": 0.75, "a2": 0.75, "average_precision": 1.0, "confidence_weighted_score": None})
    right = [1, 1, 0, 1]  # of 1, 4, 2 and 3, the surest first
    expected = sum(sum(right[: place + 1]) / (place + 1) for place in range(4)) / 4
    assert found["sure"]["confidence_weighted_score"] == pytest.approx(expected)
    assert any("labels are the attribute entailment (CONTRADICTION, ENTAILMENT, UNKNOWN)" in note for note in notes)
    assert any("not trivially related" in note for note in notes), "two-way and three-way accuracy side by side"


def test_two_way_accuracy_alone_needs_no_warning(run, files):
    assert not any("trivially" in note for note in scores(run, files, *ROLES, "--measures", "a2")[1])


def test_scores_by_application(run, files):
    words = ("--topic-column", "task", "--measures", "a3", "--format", "json")
    status, out, err = run("evaluate", files / "gold.xml", files / "ranked.txt", *ROLES, *words)
    assert status == 0, err
    assert json.loads(out)["topics"] == 4


def test_the_first_challenge(run, tmp_path):
    (tmp_path / "gold.xml").write_text(corpus({"1": ("TRUE", "IR"), "2": ("FALSE", "CD")}, attribute="value", doctype=""))
    (tmp_path / "run.txt").write_text("ranked: no\n1 TRUE 0.8\n2 TRUE 0.3\n")
    roles = ("--task", "entailment", "--positive", "TRUE", "--negative", "FALSE", "--no-baselines")
    words = (*roles, "--measures", "a2,cws", "--format", "json")
    status, out, err = run("evaluate", tmp_path / "gold.xml", tmp_path / "run.txt", *words)
    assert status == 0, err
    assert json.loads(out)["runs"][0]["scores"] == pytest.approx({"a2": 0.5, "confidence_weighted_score": 0.75})


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("run.txt", "ranked: yes\n1 ENTAILMENT\n2\n", "run.txt:3: 1 cells; a line of a run is an id, a label"),
        ("run.txt", "ranked: yes\n1 ENTAILMENT x\n", "run.txt:2: 'x' is no confidence"),
        ("run.txt", "ranked: no\n1 ENTAILMENT .5\n2 UNKNOWN\n", "run.txt:3: some lines have a confidence, and some have none"),
        ("run.txt", "ranked: no\n", "there are no judgements"),
        ("gold.xml", corpus().replace(' entailment="UNKNOWN"', ""), "gold.xml:6: pair 3 has no label"),
        ("gold.xml", corpus().replace('id="3"', ""), "gold.xml:6: a pair without id"),
        ("gold.xml", corpus({}), "there are no pairs"),
        ("gold.xml", corpus().replace("</h>", "", 1), "this is not well-formed XML"),
        ("gold.xml", corpus(doctype='<!DOCTYPE a [<!ENTITY b "c">]>'), "the file defines an entity"),
        ("gold.xml", corpus().replace("UTF-8", "klingon"), "gold.xml:1: an encoding that is not known"),
    ],
)
def test_what_is_wrong_is_said(run, tmp_path, name, text, said):
    (tmp_path / "gold.xml").write_text(corpus())
    (tmp_path / "run.txt").write_text("ranked: yes\n1 ENTAILMENT\n2 CONTRADICTION\n3 UNKNOWN\n4 ENTAILMENT\n")
    (tmp_path / name).write_text(text)
    status, _, err = run("evaluate", tmp_path / "gold.xml", tmp_path / "run.txt", *ROLES)
    assert status == 1
    assert said in err


def test_it_is_not_taken_for_rankings(run, files):
    status, _, err = run("evaluate", files / "gold.xml", files / "ranked.txt", "--task", "ranking")
    assert status == 1
    assert "this is a file of the RTE challenges; add --task entailment" in err
    assert "jcml" not in err
