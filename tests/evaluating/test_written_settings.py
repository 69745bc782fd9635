"""What is written behind a measure's ``@`` wins over every default and every option of the call, and stays in its name."""

import json
from itertools import product

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.parameters import Choice, Options

GRADES = {"t1": {"a": 3, "b": 0, "c": 2, "d": 1, "e": 2}, "t2": {"a": 0, "b": 2, "c": 1, "d": 3, "e": 0}}
SCORES = {
    "t1": {"b": 9.0, "a": 7.0, "d": 7.0, "c": 4.0, "e": 4.0},
    "t2": {"e": 5.0, "b": 5.0, "d": 5.0, "a": 2.0, "c": 1.0},
}
RANKS = {
    topic: {item: 1 + sum(other > grade for other in found.values()) for item, grade in found.items()}
    for topic, found in GRADES.items()
}
ITEMS = "abcde"
COMPATIBLE = (None, "none", "rankeval", "trec_eval")
TOLD = ((), ("gain", "linear"), ("gain", "exponential"), ("ties", "worst"), ("ties", "expected"))
# Files of TREC are read as tables with grades are.
CALLS = [*product(["grades"], COMPATIBLE, TOLD), *product(["trec", "ranks"], (None, "rankeval"), ((), *TOLD[1::2]))]


def defaults():
    """Every option of every measure, at its default: (measure, the same with the option written, name, value)."""
    for measure in mm.measures.values():
        if measure.reads is Reads.JUDGEMENTS:  # whose names classes have too: tests/catalogue/test_documents.py
            continue
        bare = measure.example
        if isinstance(measure.parameter, Choice):
            value = measure.parameter.choices[0]
            yield bare.id, f"{measure.base}@{value}", measure.parameter.name, value
        if isinstance(measure.parameter, Options):
            usual = measure.parameter.settings(None, None)
            for name in (*measure.parameter.choices, *measure.parameter.numbers):
                if usual[name] is not None:
                    join = ":" if "@" in bare.id else "@"
                    yield bare.id, f"{bare.id}{join}{name}={usual[name]}", name, usual[name]


WRITTEN = list(defaults())
OF_RANKINGS = [case for case in WRITTEN if "ranking" in mm.measures[case[0]].tasks]


@pytest.fixture
def files(tmp_path):
    """The same lists as files of TREC, as tables with grades and as tables with ranks."""

    def table(name, value, rows):
        text = "".join(f"{topic}\t{item}\t{number}\n" for topic, found in rows.items() for item, number in found.items())
        path = tmp_path / f"{name}.tsv"
        path.write_text(f"segment\titem\t{value}\n{text}")
        return path

    qrels, trec = tmp_path / "qrels.txt", tmp_path / "trec.txt"
    qrels.write_text("".join(f"{topic} 0 {item} {grade}\n" for topic, found in GRADES.items() for item, grade in found.items()))
    trec.write_text(
        "".join(f"{topic} Q0 {item} 0 {score} x\n" for topic, found in SCORES.items() for item, score in found.items())
    )
    return {
        "trec": (qrels, trec),
        "grades": (table("grades", "grade", GRADES), table("scores", "score", SCORES)),
        "ranks": (table("ranks", "rank", RANKS), table("scores", "score", SCORES)),
    }


def in_order(found):
    return np.array([[found[topic][item] for item in ITEMS] for topic in ("t1", "t2")], dtype=float)


def expected(measure, said, shape, compat, told):
    """The formula itself, on arrays, with what is written first, then what the call says, then what the program does."""
    settings = {}
    if compat == "rankeval":
        rankeval = {"ties": "worst", "relevance": "ceiling", "ranks": "ceiling"}
        settings |= {name: value for name, value in rankeval.items() if (name, measure.base) != ("relevance", "mrr")}
        settings |= {"ranks": "minimize"} if measure.base == "best_vs_human" else {}
        settings = settings if measure.base not in ("dcg", "nerr", "q_measure") else {}  # which RankEval does not have
    graded = shape != "ranks"
    as_trec_eval = compat == "trec_eval" or (graded and compat is None)
    if as_trec_eval and measure.base in ("dcg", "ndcg"):
        settings["gain"] = "linear"
    if graded:
        settings |= {"relevance": "given", "highest": 3.0}
    settings |= dict([told] if told else []) | said
    if settings.get("relevance") != "given":
        settings.pop("highest", None)
    known = {*measure.parameter.choices, *measure.parameter.numbers}
    full = measure.with_options(**{name: value for name, value in settings.items() if name in known})
    if measure.reads is Reads.SYSTEMS:  # the items are systems; ties stay ties, and of ranks the lowest is best
        people = in_order(GRADES) if graded else -in_order(RANKS)
        return full(in_order(SCORES).T, people.T)
    predicted, gold = -in_order(SCORES), -in_order(GRADES)
    if graded and measure.parameter.choices.get("relevance") and full.reads == "ranks@grades":
        gold = -gold
    tied = "ties" in known and "ties" in settings  # as somebody says; measures that leave no choice are never told
    if as_trec_eval and not tied:  # by document, the last first
        predicted = np.argsort(np.argsort(predicted - 1e-6 * np.arange(len(ITEMS)), axis=1), axis=1) + 1.0
    return np.asarray(full(predicted, gold)).mean()


@pytest.mark.each_time(6)
@pytest.mark.parametrize(("shape", "compat", "told"), CALLS)
@pytest.mark.filterwarnings("ignore:RankEval's p")
def test_what_is_written_wins(files, shape, compat, told):
    """Beside the measure that leaves the setting to others: two headings, and each its own numbers."""
    bare = list(dict.fromkeys(name for name, *_ in OF_RANKINGS))
    names = [*bare, *(written for _, written, *_ in OF_RANKINGS)]
    gold, run = files[shape]
    how = {"compat": compat} | (dict([told]) if told else {})
    scores = mm.evaluate(gold, [run], task="ranking", measures=names, **how)
    assert [measure.id for measure in scores.measures] == [str(mm.measures[name]) for name in names]
    found = dict(zip(names, scores.averages()[:, 0], strict=True))
    for name, written, option, value in OF_RANKINGS:
        measure = mm.measures[name]
        assert found[written] == pytest.approx(expected(measure, {option: value}, shape, compat, told), abs=1e-9), written
        if option != "epsilon":  # which is chosen anew unless it is written
            assert found[name] == pytest.approx(expected(measure, {}, shape, compat, told), abs=1e-9), name


@pytest.mark.parametrize(("bare", "written", "name", "value"), WRITTEN, ids=[case[1] for case in WRITTEN])
def test_a_default_that_is_written_stays_in_the_name(bare, written, name, value):
    measure = mm.measures[written]
    assert str(measure) == written.replace(".0", "") or str(measure) == written
    assert mm.measures[str(measure)] == measure
    assert measure != mm.measures[bare]
    assert measure.parameter.settings(measure.argument, None)[name] == value


def test_one_column_for_each_heading(run, files):
    """Spellings of one measure are one column; settings that differ are two, whatever the call says."""
    gold, outputs = files["grades"]
    names = (
        "ndcg@gain=exponential,ndcg@gain=linear,ndcg@ties=expected:gain=linear,ndcg@gain=linear:ties=expected,NDCG@gain=linear"
    )
    status, out, _ = run(
        "evaluate", gold, outputs, "--task", "ranking", "--measures", names, "--gain", "linear", "--format", "json"
    )
    assert status == 0
    answer = json.loads(out)
    ids = [measure["id"] for measure in answer["measures"]]
    assert ids == ["ndcg@gain=exponential", "ndcg@gain=linear", "ndcg@gain=linear:ties=expected"]
    scores = answer["runs"][0]["scores"]
    assert scores["ndcg@gain=exponential"] != pytest.approx(scores["ndcg@gain=linear"], abs=1e-3)


def test_an_epsilon_for_ties_wins_over_the_order_of_documents(tmp_path):
    """Scores within ε are tied on files of TREC too, whatever is written of ties."""
    (tmp_path / "qrels.txt").write_text("1 0 a 0\n1 0 b 1\n1 0 c 0\n")
    (tmp_path / "near.txt").write_text("1 Q0 a 1 2.05 x\n1 Q0 b 2 2.0 x\n1 Q0 c 3 1.0 x\n")
    (tmp_path / "tied.txt").write_text("1 Q0 a 1 2.0 x\n1 Q0 b 2 2.0 x\n1 Q0 c 3 1.0 x\n")
    names = ["ndcg", "ndcg@ties=expected", "ndcg@ties=worst", "mrr"]
    how = {"task": "ranking", "measures": names}
    near = mm.evaluate(tmp_path / "qrels.txt", [tmp_path / "near.txt"], tie_epsilon=0.1, **how)
    tied = mm.evaluate(tmp_path / "qrels.txt", [tmp_path / "tied.txt"], ties="expected", **how)
    assert near["near"] == pytest.approx(tied["tied"])
    assert near["near"]["ndcg"] == near["near"]["ndcg@ties=expected"] != near["near"]["ndcg@ties=worst"]


def test_agreement_keeps_the_name(run, tmp_path):
    path = tmp_path / "ratings.tsv"
    path.write_text("item\tannotator\tlabel\n" + "".join(f"{i}\t{a}\t{(i * a) % 3}\n" for i in range(6) for a in (1, 2, 3)))
    status, out, _ = run("agree", path, "--classes", "0..2", "--measures", "fleiss@identity,fleiss", "--format", "json")
    assert status == 0
    found = {one["id"]: one["value"] for one in json.loads(out)["coefficients"]}
    assert list(found) == ["fleiss@identity", "fleiss"]
    assert found["fleiss@identity"] == found["fleiss"]
