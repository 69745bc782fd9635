"""What people of information retrieval and of machine translation say: topics and segments, names as they were typed, HSD."""

import json
import re

import pytest

import metameasure as mm
from metameasure.core.messages import note, say, together

QRELS = "".join(f"{topic} 0 d{doc} {doc % 2}\n" for topic in (401, 402, 403) for doc in range(4))
TREC = ("--task", "ranking")


def run_file(name, topics=(401, 402, 403)):
    return "".join(f"{topic} Q0 d{doc} {doc + 1} {9 - doc} {name}\n" for topic in topics for doc in range(4))


@pytest.fixture
def trec(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    for name in "abc":
        (tmp_path / f"{name}.run").write_text(run_file(name, (401,)))
    return [str(tmp_path / name) for name in ("qrels.txt", "a.run", "b.run", "c.run")]


def test_trec_has_topics(run, trec):
    told = run("evaluate", *trec, *TREC, "--measures", "ndcg@3")[1]
    assert "3 runs, 3 topics; means over topics" in told
    for command in ("evaluate", "table", "check"):
        assert "segment" not in run(command, *trec, *TREC)[1]


def test_documents_are_no_systems_and_a_measure_of_another_task_says_how_to_get_it(run, trec):
    assert "SPA" not in run("evaluate", *trec, *TREC, "--measures", "map")[1], "every document is judged for every topic"
    status, _, said = run("evaluate", *trec, "--measures", "ndcg@3")
    assert (status, "it is for ranking (--task ranking)" in said) == (2, True)


def test_machine_translation_has_segments():
    ranks = {"s1": {"x": 1, "y": 2}, "s2": {"x": 2, "y": 1}}
    rows = [(segment, item, rank, rank) for segment, of in ranks.items() for item, rank in of.items()]
    import pandas as pd

    frame = pd.DataFrame(rows, columns=["segment", "item", "gold", "a"])
    scores = mm.evaluate(frame, task="ranking", measures="tau@wmt14", gold_are="ranks", runs_are="ranks")
    assert "2 segments" in str(scores)


def test_what_is_the_same_of_all_runs_is_said_once(run, trec):
    status, told, errors = run("evaluate", *trec, *TREC, "--measures", "ndcg@3", "--notes", "all")
    assert status == 0
    assert re.findall(r"^.*missing items? not ranked.*$", told, re.MULTILINE) == ["a, b and c: 8 missing items not ranked."]
    assert errors.count("is defined on 1 of 3 topics only") == 1
    assert "ndcg@3 of a, b and c is defined on" in errors
    assert "(1 of 3 for each of them)" in told
    notes = json.loads(run("evaluate", *trec, *TREC, "--measures", "ndcg@3", "--format", "json")[1])["notes"]
    assert len([one for one in notes if "missing items not ranked" in one]) == 3, "JSON has a note for each run"


def test_together_leaves_alone_what_cannot_be_said_of_several():
    different = [say("{run}: {n} missing", run=run, n=n) for run, n in (("a", 1), ("b", 2))]
    assert together(different) == different
    asked = [note("x", "{run}: too far ({--leave-out <run>})", run=run) for run in "ab"]
    assert together(asked) == asked
    verbs = [say("{run} varies", run=run) for run in "ab"]
    assert together(verbs) == verbs
    assert together(["x", "x"]) == ["x", "x"]


def test_a_measure_keeps_the_name_that_was_typed(run, trec):
    told = run("evaluate", *trec, *TREC, "--measures", "acc_eq,map,P@2,ndcg_cut_2")[1]
    assert re.search(r"acc_eq ↑ .* map ↑ .* P@2 ↑ .* ndcg_cut_2 ↑", told)
    assert "ranked by acc_eq" in told
    assert "pairwise_accuracy" not in told
    assert "pairwise_accuracy ↑" in run("evaluate", *trec, *TREC, "--measures", "pairwise_accuracy")[1]
    data = json.loads(run("evaluate", *trec, *TREC, "--measures", "acc_eq", "--format", "json")[1])
    assert [one["id"] for one in data["measures"]] == ["pairwise_accuracy"]
    assert mm.measures["acc_eq"] == mm.measures["pairwise_accuracy"]


def test_hsd_is_the_randomised_test_of_tukey(run):
    values = [[0.9, 0.5, 0.1], [0.8, 0.6, 0.2], [0.7, 0.5, 0.3], [0.9, 0.4, 0.2], [0.8, 0.5, 0.1], [0.9, 0.5, 0.3]]
    scores = mm.ScoreMatrix("accuracy", [*"uvwxyz"], [*"abc"], values)
    found, named = mm.compare(scores, test="hsd", trials=50), mm.compare(scores, test="tukey", trials=50)
    assert found.test == "tukey"
    assert (found.p == named.p).all()
    assert mm.ranks(scores, test="hsd", trials=50).comparison.test == "tukey"
    for command in ("compare", "ranks"):
        told = " ".join(run(command, "--help-all")[1].split())
        assert "tukey, or hsd, is the randomised Tukey HSD, classical that of a two-way analysis of variance" in told


def test_hsd_on_the_command_line(run, tmp_path):
    path = tmp_path / "s.csv"
    rows = "".join(f"accuracy,t{t},{r},{(t * 7 + n * 5) % 11 / 20 + n * 0.1}\n" for t in range(7) for n, r in enumerate("abc"))
    path.write_text("measure,topic,run,score\n" + rows)
    told = json.loads(run("compare", str(path), "--test", "hsd", "--trials", "20", "--format", "json")[1])
    assert told["test"] == "tukey"
    assert run("compare", str(path), "--test", "hds")[0] == 2
