"""Evidence larger than the memory that a user allows: read in blocks of topics, kept in a file, the same to the bit."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from test_one_reader import FAULTS, SHAPES, evaluated, seen

import metameasure as mm
from metameasure.core.values import in_order
from metameasure.evidence import label_sets, outcome_blocks, room
from metameasure.evidence.items_in_file import ItemsInFile
from metameasure.evidence.outcome_reader import OutcomeReader
from metameasure.evidence.room import Room, bounds, by_rows, is_in_file, release
from metameasure.judging.agree import rating_reader
from metameasure.reading import duckdb_connection
from metameasure.reading.coded_rows import NumberedRows
from metameasure.reading.dealing import dealt
from metameasure.reading.engine import Engine, NotEnoughMemoryError
from metameasure.reading.names_in_file import NamesInFile
from metameasure.tasks.rating_options import RatingOptions

ROOT = Path(__file__).parents[2]
KINDS = ("distributions", "rankings")
LARGE = [shape for shape in SHAPES if shape.startswith(KINDS)]
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")


@pytest.fixture
def cramped(monkeypatch):
    """So little room that every topic is a block, and every array is in a file."""
    monkeypatch.setattr(Room, "rows_at_once", 1)
    monkeypatch.setattr(room, "_ARRAY_SHARE", 0)


class TestArrays:
    def test_large_ones_are_in_files(self):
        small, large = (Room.of("1MB").empty(shape) for shape in ((10, 10), (100, 1000)))
        assert (is_in_file(small), is_in_file(large)) == (False, True)
        large[...] = np.arange(100_000).reshape(large.shape)
        release(large, small)
        assert np.array_equal(large[99], np.arange(99_000, 100_000))
        doubled = by_rows(lambda part: 2 * part, large, np.ones((1, 1000)))
        assert is_in_file(doubled)
        assert np.array_equal(doubled, np.concatenate([2 * large, np.full((1, 1000), 2.0)]))

    def test_blocks_are_no_larger_than_asked_and_never_empty(self):
        assert list(bounds([], 5)) == []
        assert list(bounds([1, 1, 1], 2)) == [(0, 2), (2, 3)]
        assert list(bounds([9, 9], 2)) == [(0, 1), (1, 2)]


def limited(monkeypatch, shape):
    """The shape from now on with a limit on memory."""
    options, *frames = SHAPES[shape]
    monkeypatch.setitem(SHAPES, shape, ({**options, "memory": "512MB"}, *frames))


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize(
    ("shape", "engine"),
    [*((shape, "polars") for shape in LARGE), *((f"{kind}, long", engine) for kind in KINDS for engine in ("parquet", "spark"))],
)
def test_blocks_change_nothing(tmp_path, shape, engine, monkeypatch):
    expected = evaluated(engine, tmp_path, shape)
    limited(monkeypatch, shape)
    found = evaluated(engine, tmp_path, shape)
    assert seen(found) == seen(expected)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.each_time(2)
@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("shape", ["distributions, long", "rankings, long"])
def test_what_is_wrong_is_said_as_without_blocks(tmp_path, shape, fault, monkeypatch):
    if (shape, fault) == ("rankings, long", "no value"):
        pytest.skip("does not apply: an item without a rank is not ranked, which is no fault")

    def change(gold, runs):
        return gold, {**runs, "two": FAULTS[fault](runs["two"])}

    with pytest.raises(mm.DataError) as expected:
        evaluated("csv", tmp_path, shape, change)
    limited(monkeypatch, shape)
    with pytest.raises(mm.DataError) as found:
        evaluated("csv", tmp_path, shape, change)
    # Counts are by block, and sums are looked at in all blocks without a broken cell.
    told, wanted = ({replace(one, count=1) for one in error.value.problems} for error in (found, expected))
    assert wanted <= told
    assert {problem.file for problem in told} == {problem.file for problem in wanted}


def trec(folder):
    """Runs that retrieve documents which nobody judged, with ties; one lacks a topic, one has a topic more."""
    draw = np.random.default_rng(3)
    (folder / "qrels").write_text(
        "".join(f"{topic} 0 d{doc} {draw.integers(-1, 3)}\n" for topic in (1, 2, 10) for doc in range(8))
    )
    for run, topics in (("a", (1, 2, 10)), ("b", (1, 10)), ("c", (1, 2, 10, 11))):
        rows = (f"{topic} Q0 d{doc} 1 {draw.integers(9)} {run}\n" for topic in topics for doc in draw.permutation(14)[:9])
        (folder / run).write_text("".join(rows))
    return folder / "qrels", [folder / name for name in "abc"]


def judged(folder):
    """Segments that several judges rank, one of them twice; items that runs lack, scores and ranks, names that collide."""
    draw = np.random.default_rng(4)
    rows = [(s, j, r, i) for s in ("9", "10", "a", "a/x") for j in ("x", "y") for r in (1, 2)[: 1 + (j == "x")] for i in "pqrs"]
    lines = (f"{s},{j},{r},{i},{draw.integers(1, 4)}\n" for s, j, r, i in rows)
    (folder / "gold.csv").write_text("segment,judge,ranking,item,rank\n" + "".join(lines))
    for name, column in (("scored", "score"), ("ranked", "rank")):
        rows = (f"{s},{i},{draw.integers(1, 5)}\n" for s in ("9", "10", "a", "a/x", "b") for i in "pqr")
        (folder / f"{name}.csv").write_text(f"segment,item,{column}\n" + "".join(rows))
    return folder / "gold.csv", [folder / "scored.csv", folder / "ranked.csv"]


RANKED = {
    "TREC": (trec, {}),
    "TREC, by our reading": (trec, {"compat": "none", "measures": "average_precision,ndcg@3,mrr"}),
    "judges": (judged, {"missing": "drop", "extra": "ignore", "measures": "tau@wmt13,pairwise_accuracy,tau@b"}),
    "judges, last": (judged, {"missing": "last", "extra": "ignore", "by_source": True, "measures": "pairwise_accuracy,mrr"}),
}


@pytest.mark.each_time(1)
@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("case", RANKED)
def test_rankings_of_every_kind(tmp_path, case):
    made, options = RANKED[case]
    gold, runs = made(tmp_path)
    expected = mm.evaluate(gold, runs, task="ranking", ci=True, trials=20, **options)
    found = mm.evaluate(gold, runs, task="ranking", ci=True, trials=20, memory="512MB", **options)
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)
    read = {name: value for name, value in options.items() if name in ("missing", "extra", "compat")}
    evidence = mm.count(gold, runs, task="ranking", memory="512MB", **read)
    assert is_in_file(evidence.predicted)
    assert evidence.signed()["runs"] == expected.signature["runs"]


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("more", [{}, {"smooth": 0.01, "baselines": True}, {"normalise": True, "ci": True, "trials": 20}])
def test_distributions_that_differ_in_topics(tmp_path, more):
    draw = np.random.default_rng(6)

    def table(name, topics):
        rows = ((topic, *draw.multinomial(16, [0.25] * 4) / 16) for topic in topics)
        (tmp_path / name).write_text("topic,1,2,3,4\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        return tmp_path / name

    gold, runs = table("gold.csv", range(9, 15)), [table("a.csv", range(8, 14)), table("b.csv", range(10, 15))]
    how = {"task": "quantification", "classes": "1..4", "missing": "drop", "extra": "ignore", **more}
    expected, found = mm.evaluate(gold, runs, **how), mm.evaluate(gold, runs, memory="512MB", **how)
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)
    reading = {name: value for name, value in how.items() if name not in ("smooth", "baselines", "ci", "trials")}
    assert is_in_file(mm.count(gold, runs, memory="512MB", **reading).estimates)
    with pytest.raises(mm.DataError, match="1 of 6 topics are missing: '14'"):
        mm.evaluate(gold, runs, memory="512MB", **{**how, "missing": None})


def outcomes(folder, *, measures=(), repeats=0, graded=False, **columns):
    """Outcomes of three runs, each of which lacks some items, in no order."""
    draw, rows = np.random.default_rng(5), []
    for run in ("b", "a", "c"):
        for item in range(40):
            for measure in measures or [None]:
                for repeat in range(max(1, repeats)) if draw.random() < 0.9 else ():
                    score = round(float(draw.random()), 2) if graded else int(draw.integers(2))
                    more = {name: of(item) for name, of in columns.items()}
                    more |= {"measure": measure} if measure else {}
                    rows.append(
                        {"run": run, "item": f"i{item}", "score": score, **more, **({"repeat": repeat} if repeats else {})}
                    )
    path = folder / "outcomes.csv"
    pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=1).write_csv(path)
    return path


OUTCOMES = {
    "passes": {},
    "graded": {"graded": True},
    "two measures": {"graded": True, "measures": ("f1", "exact_match")},
    "topics": {"topic": lambda item: f"t{item % 3}"},
    "clusters": {"passage": lambda item: f"p{item // 4}"},
    "repeats": {"repeats": 3},
    "graded repeats in topics": {"repeats": 2, "graded": True, "topic": lambda item: f"t{item % 3}"},
}


@pytest.mark.each_time(3)
@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("missing", [None, "zero"])
@pytest.mark.parametrize("shape", OUTCOMES)
def test_outcomes_in_blocks(tmp_path, shape, missing):
    path = outcomes(tmp_path, **OUTCOMES[shape])
    columns = {"columns": {"cluster": "passage"}} if shape == "clusters" else {}
    how = {"task": "outcomes", "ci": True, "trials": 20, **columns, **({"missing": missing} if missing else {})}
    expected, found = (
        mm.evaluate(None, path, better="higher", **how),
        mm.evaluate(None, path, better="higher", memory="512MB", **how),
    )
    assert seen(found) == seen(expected)
    assert found.to_dict() == expected.to_dict()
    evidence = mm.count(None, path, task="outcomes", memory="512MB", **columns)
    assert is_in_file(evidence.total)
    assert str(evidence) == str(mm.count(None, path, task="outcomes", **columns))
    compared = [mm.compare(data, measure="f1" if "two" in shape else "mean", better="higher", trials=50).to_dict()
                for data in (evidence, mm.count(None, path, task="outcomes", **columns))]  # fmt: skip
    assert compared[0] == compared[1]


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("shape", ["passes", "graded", "topics", "graded in topics", "passes of two measures"])
@pytest.mark.parametrize("how", [{}, {"interval": "bootstrap"}, {"units": "items"}, {"missing": "zero"}, {"missing": "bounds"}])
def test_intervals_of_outcomes_in_files(tmp_path, shape, how, monkeypatch):
    """Those of more items than anybody looks at the skewness of, of which a few are in memory at a time."""
    monkeypatch.setattr("metameasure.evidence.outcomes.FEW", 10)
    monkeypatch.setattr("metameasure.evidence.outcomes._AT_ONCE", 7)
    made = {"measures": ("f1", "exact_match")} if "two" in shape else OUTCOMES["topics"] if "topics" in shape else {}
    path = outcomes(tmp_path, graded="graded" in shape, **made)
    how = {"task": "outcomes", "ci": True, "trials": 20, "better": "higher", **how}
    expected, found = (mm.evaluate(None, path, memory=memory, **how) for memory in (None, "512MB"))
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)


@pytest.mark.usefixtures("cramped")
def test_an_item_in_two_clusters_is_found_in_blocks_too(tmp_path):
    """One run has it in one, and another in the other."""
    path = tmp_path / "clusters.csv"
    path.write_text("run,item,passage,score\na,x,p,1\na,y,p,0\nb,x,q,1\nb,y,p,0\n")
    for memory in (None, "512MB"):
        with pytest.raises(mm.DataError, match="item 'x' is in two clusters"):
            mm.evaluate(None, path, task="outcomes", columns={"cluster": "passage"}, memory=memory)


def test_names_in_a_file():
    texts = ["a", "", "Ångström", "x" * 70_000, "b\nc", "\U0001f600", "d"]
    names = NamesInFile(len(texts))
    for first in range(0, len(texts), 3):
        names.add(texts[first : first + 3])
    assert (list(names), len(names), names[2], names[-1], names[1:3]) == (texts, 7, "Ångström", "d", ("", "Ångström"))
    assert (names[5:2], names[::2], copy.deepcopy(names)) == ((), tuple(texts[::2]), tuple(texts))
    with pytest.raises(IndexError):
        names[7]


@pytest.mark.parametrize(
    ("names", "by_engine"),
    [
        (["i10", "i9", "b", "Z", "é", "\U0001f600", "\uffee", "#"], True),
        (["10", "9", "007", "7", "a", "B", "999999999999999", "#"], True),
        (["10", "9.5", "a"], False),
        (["10", "+9", "a"], False),
        (["10", " 9", "a"], False),
        (["1234567890123456", "9", "a"], False),
    ],
)
def test_names_in_a_file_are_in_the_order_of_those_in_memory(names, by_engine):
    engine = Engine(memory="100MB")
    frame = engine.kept(engine.of_query(f"SELECT unnest({names}) AS item, unnest(range({len(names)})) AS number"))
    few, many = (NumberedRows.of(engine, frame, ["item"], more=["number"], most=most) for most in (100, 2))
    assert (isinstance(many.names["item"], NamesInFile), isinstance(few.names["item"], list)) == (by_engine, True)
    assert list(many.names["item"]) == list(few.names["item"]) == in_order(names)
    rows = many.fetched(many.frame)
    assert [rows.text("item", row) for row in np.argsort(rows.value["number"])] == names


@pytest.mark.parametrize("most", [1, 7, 1000])
def test_rows_are_dealt_in_the_order_of_their_keys(tmp_path, most):
    engine = Engine(memory="100MB")
    query = "SELECT t, chr(97 + (hash(i) % 9)::INT) || ' '' ' || i % 50 AS item, i FROM range(3) s(t), range(100) u(i)"
    parts = dealt(engine, engine.of_query(query), ["t", "item"], 2, most, tmp_path / "blocks")
    found = [part.to_native().fetchall() for part in parts]
    assert sorted(row for part in found for row in part) == sorted(duckdb.sql(query).fetchall())
    keys = [{row[:2] for row in part} for part in found if part]
    assert all(max(one) < min(other) for one, other in pairwise(keys))
    assert len(keys) == 1 if most == 1000 else len(keys) > 20


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("wrong", ["a,i1,1", "a,i99,x", "a,,1", ",i99,1"])
def test_what_is_wrong_with_outcomes_is_said_as_without_a_limit(tmp_path, wrong):
    path = outcomes(tmp_path)
    with path.open("a") as stream:
        stream.write(f"{wrong}\n")
    said = []
    for memory in (None, "512MB"):
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(None, path, task="outcomes", memory=memory)
        said.append(str(raised.value))
    assert said[0] == said[1]


@pytest.mark.usefixtures("cramped")
def test_the_engine_that_ran_out_of_memory_is_gone_before_the_next(tmp_path, monkeypatch):
    """An error holds on to the frames that it passed: two engines at once take twice the memory."""
    first, made = [], OutcomeReader._in_blocks

    def run_out(reader, runs, room, threads):
        if threads == 1:
            assert first.pop()() is None
            return made(reader, runs, room, threads)
        engine = Engine(memory=room.for_engine)
        first.append(weakref.ref(engine))
        raise NotEnoughMemoryError("no room")

    monkeypatch.setattr(OutcomeReader, "_in_blocks", run_out)
    path = outcomes(tmp_path)
    assert str(mm.evaluate(None, path, task="outcomes", memory="512MB")) == str(mm.evaluate(None, path, task="outcomes"))
    assert not first


@pytest.mark.usefixtures("cramped")
def test_hashes_of_items_tell_under_a_limit_too_what_is_the_same_item(tmp_path):
    """Item 7 of one file is item 1 of the other."""
    for name, item in (("a", 1), ("b", 7)):
        (tmp_path / f"{name}.csv").write_text(f"item,hash,score\n{item},aaaa,1\n2,bbbb,0\n")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    expected, found = (mm.evaluate(None, files, task="outcomes", memory=memory) for memory in (None, "512MB"))
    assert found.to_dict() == expected.to_dict()
    assert mm.count(None, files, task="outcomes", memory="512MB").items == ("1", "2")


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("scores", [(1e300, 1.7e308, 1.7e308, -1.7e308), (5e-324, 1e-300, 1.0, 0.1)])
@pytest.mark.filterwarnings("ignore:mean of .* is defined on 0 of 1 topic")
def test_scores_of_any_size_are_added_up_as_without_a_limit(scores):
    table = pl.DataFrame({"run": ["9"] * 4 + ["10"] * 4, "item": list("abcd") * 2, "score": [*scores, *reversed(scores)]})
    expected, found = (mm.evaluate(None, table, task="outcomes", better="higher", memory=memory) for memory in (None, "512MB"))
    assert found.to_dict() == expected.to_dict()
    assert found.runs == ("9", "10")


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize(
    "second", ["item,score\na,1\nb,0\n", "item,score,topic\na,1,t\nb,0,t\n", "item,score,topic\na,1,t\nb,0,\n"]
)
def test_files_of_other_columns_are_read_as_without_a_limit(tmp_path, second):
    (tmp_path / "one.csv").write_text("item,score\na,0\nb,1\n")
    (tmp_path / "two.csv").write_text(second)
    said = []
    for memory in (None, "512MB"):
        try:
            scores = mm.evaluate(
                None, [tmp_path / "one.csv", tmp_path / "two.csv"], task="outcomes", better="higher", memory=memory
            )
            said.append(scores.to_dict())
        except mm.MetameasureError as error:
            said.append(str(error))
    assert said[0] == said[1]


@pytest.mark.usefixtures("cramped")
def test_ratings_of_items_that_look_like_numbers_have_the_same_signature(tmp_path):
    """Numbers stand in their order, which is not that of texts."""
    rows = [f"{item},{who},{1 + place % 3}" for place, item in enumerate(["9", "10", "007", "7", "x1"]) for who in ("ann", "bob")]
    (tmp_path / "ratings.csv").write_text("item,annotator,label\n" + "\n".join(rows) + "\n")
    expected, found = (
        mm.agree(tmp_path / "ratings.csv", classes="1..3", trials=20, memory=memory).to_dict() for memory in (None, "512MB")
    )
    assert found == expected
    assert found["signature_parts"]["items"] == "010e6bf48dcf"


def test_names_and_arrays_go_into_files_together():
    """Where names are in a file and arrays are not, all items were looked at at once, with all their names."""
    sums = outcome_blocks._Sums.of(Room.of("64MB"), (1, 1, 100_000), 1, clustered=False)
    assert isinstance(sums.names, NamesInFile)
    assert is_in_file(sums.total)
    assert not is_in_file(outcome_blocks._Sums.of(Room.of("64MB"), (1, 1, 1_000), 1, clustered=False).total)


def test_outcomes_of_files_without_names_of_runs(tmp_path):
    whole = pl.read_csv(outcomes(tmp_path))
    for run in "abc":
        whole.filter(pl.col("run") == run).drop("run").write_csv(tmp_path / f"{run}.csv")
    files = [tmp_path / f"{run}.csv" for run in "abc"]
    expected, found = (mm.evaluate(None, files, task="outcomes", memory=memory) for memory in (None, "512MB"))
    assert found.to_dict() == expected.to_dict()


def soft(folder, *, topics=False, gaps=False):
    """Gold's labels, and three runs with a probability for each class."""
    draw = np.random.default_rng(7)
    more = (
        {"topic": [f"t{place % 3}" for place in range(60)], "passage": [f"p{place // 5}" for place in range(60)]}
        if topics
        else {}
    )
    pl.DataFrame({"item": [f"i{place}" for place in range(60)], "label": draw.choice(["a", "b", "c"], 60), **more}).write_csv(
        folder / "gold.csv"
    )
    for run in "xyz":
        rows = [(f"i{place}", *draw.multinomial(8, [0.25, 0.25, 0.5])) for place in draw.permutation(60) if not gaps or place % 7]
        lines = (f"{item},{a / 8},{b / 8},{c / 8}\n" for item, a, b, c in rows)
        (folder / f"{run}.csv").write_text("item,a,b,c\n" + "".join(lines))
    return folder / "gold.csv", [folder / f"{run}.csv" for run in "xyz"]


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("shape", [{}, {"gaps": True}, {"topics": True, "gaps": True}])
def test_probabilities_in_blocks(tmp_path, shape):
    gold, runs = soft(tmp_path, **shape)
    how = {"task": "probabilities", "classes": "a,b,c", "kind": "nominal", **({"missing": "drop"} if "gaps" in shape else {})}
    how |= {"columns": {"cluster": "passage"}} if "topics" in shape else {}
    measured = {"measures": "brier,ece,auc", "ci": True, "trials": 20}
    expected, found = (mm.evaluate(gold, runs, **how, **measured, memory=memory) for memory in (None, "512MB"))
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)
    evidence = mm.count(gold, runs, memory="512MB", **how)
    assert is_in_file(evidence.estimates)
    assert str(evidence) == str(mm.count(gold, runs, **how))


@pytest.mark.parametrize("missing", [None, "drop", "empty"])
def test_sets_of_labels_in_blocks(tmp_path, missing, monkeypatch):
    draw = np.random.default_rng(8)
    for name in ("gold", "x", "y", "z", "u", "v"):
        kept = [place for place in draw.permutation(60) if not missing or name == "gold" or place % 7]
        rows = (f"i{place},{draw.choice(['a', 'b', 'a|b', 'b|c', ''])}\n" for place in kept)
        (tmp_path / f"{name}.csv").write_text("item,label\n" + "".join(rows))
    files = tmp_path / "gold.csv", [tmp_path / f"{run}.csv" for run in "xyzuv"]
    how = {"task": "multilabel", "classes": "a,b,c", "kind": "nominal", **({"missing": missing} if missing else {})}
    measured = {"measures": "f1_micro,f1_samples,subset_accuracy", "ci": True, "trials": 20}
    expected = mm.evaluate(*files, **how, **measured)
    monkeypatch.setattr(label_sets, "_MOST_CELLS", 1)
    found = mm.evaluate(*files, **how, **measured, memory="512MB")
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)


def with_orders(folder, shape):
    """Judgements of runs that order them by what they say: one in every way, one by ranks, one not at all."""
    draw, names = np.random.default_rng(10), [f"i{place}" for place in range(40)] + ["é", "\U0001f600"]
    items = pl.DataFrame({"item": names, "label": draw.choice(["yes", "maybe", "no"], len(names))})
    if shape == "topics":
        items = items.with_columns(topic=pl.Series([f"t{place % 3}" for place in range(len(names))]))
    items.write_csv(folder / "gold.csv")
    for run, columns in (("sure", ["confidence", "score"]), ("ranks", ["rank", "score_rank"]), ("silent", [])):
        said = items.with_columns(label=pl.Series(draw.choice(["yes", "maybe", "no"], len(names))))
        numbers = {name: draw.integers(1, 9, len(names)) / (1 if "rank" in name else 8) for name in columns}
        said = said.with_columns(**{name: pl.Series(values) for name, values in numbers.items()})
        said.sample(fraction=0.8 if shape == "missing" else 1, shuffle=True, seed=2).write_csv(folder / f"{run}.csv")
    return folder / "gold.csv", [folder / f"{run}.csv" for run in ("sure", "ranks", "silent")]


@pytest.mark.parametrize("shape", ["plain", "topics", "missing"])
def test_orders_run_by_run(tmp_path, shape):
    files = with_orders(tmp_path, shape)
    roles = {"positive": "yes", "neutral": "maybe", "negative": "no"}
    how = {"task": "entailment", **roles, **({"missing": "worst"} if shape == "missing" else {})}
    expected, found = (mm.evaluate(*files, **how, ci=True, trials=20, memory=memory) for memory in (None, "512MB"))
    assert seen(found) == seen(expected)
    assert (found.to_dict(), found.notes) == (expected.to_dict(), expected.notes)
    whole, filed = (mm.count(*files, **how, memory=memory) for memory in (None, "512MB"))
    assert isinstance(filed.items, ItemsInFile)
    assert (filed.checksum(), filed.digests(), filed.items[2]) == (whole.checksum(), whole.digests(), None)
    for own, other in zip(filed.items[:2], copy.deepcopy(filed.items), strict=False):
        assert own.ids.tolist() == other.ids.tolist()
    assert [one.ids.tolist() for one in filed.items[:2]] == [one.ids.tolist() for one in whole.items[:2]]
    if shape == "missing":  # which has no order to compare
        return
    compared = [
        mm.compare(files[0], files[1][:2], **how, measure="average_precision", trials=50, memory=memory).to_dict()
        for memory in (None, "512MB")
    ]
    assert compared[0] == compared[1]


def test_an_order_that_is_none_is_said_as_without_a_limit(tmp_path):
    gold, runs = with_orders(tmp_path, "plain")
    for path in runs[:2]:
        path.write_text(re.sub(r"^(i[34],\w+),.*", r"\1,,", path.read_text(), flags=re.MULTILINE))
    said = []
    for memory in (None, "512MB"):
        with pytest.raises(mm.DataError) as error:
            mm.evaluate(gold, runs, task="entailment", positive="yes", neutral="maybe", negative="no", memory=memory)
        said.append(str(error.value))
    assert said[0] == said[1]


def rated(folder, shape):
    """Ratings of 40 items by four annotators, one of whom lacks some, in no order."""
    draw = np.random.default_rng(9)
    rows = [
        {"item": f"i{item}", "annotator": who, "label": int(draw.integers(1, 6)), "repeat": repeat,
         "topic": f"t{item % 3}", "cluster": f"c{item // 4}"}
        for item in draw.permutation(40) for who in ("ann", "dee", "bob", "cyd") if who != "cyd" or item % 7
        for repeat in ((2, 1) if who == "bob" and item % 2 else (1,))
    ]  # fmt: skip
    table = pl.DataFrame(rows)
    kept = {"repeats": ["repeat"], "topics": ["topic"], "clusters": ["cluster", "topic"]}.get(shape, [])
    if "repeat" not in kept:
        table = table.filter(pl.col("repeat") == 1)
    table = table.select("item", "annotator", "label", *kept)
    if shape == "wide":
        table = table.pivot("annotator", index="item", values="label")
    table.write_csv(folder / "ratings.csv")
    return folder / "ratings.csv", {"columns": {"repeat": {"repeat": "repeat"}, "cluster": {"cluster": "cluster"}}.get(
        (kept or [""])[0], {})}  # fmt: skip


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize("shape", ["long", "wide", "repeats", "topics", "clusters"])
def test_ratings_annotator_by_annotator(tmp_path, shape):
    path, how = rated(tmp_path, shape)
    expected, found = (mm.agree(path, classes="1..5", trials=50, memory=memory, **how) for memory in (None, "512MB"))
    assert found.to_dict() == expected.to_dict()
    people = rating_reader(RatingOptions(classes="1..5", memory="512MB", **how)).people(path, tmp_path)
    assert all(map(is_in_file, (people.rounds[0].item, people.counts)))
    assert isinstance(people.items, NamesInFile) == (shape not in ("topics", "clusters"))
    judge = {"judge": {f"i{item}": 1 + item % 5 for item in range(40)}}
    if shape not in ("topics", "clusters"):
        whole, blocks = (
            mm.judge(path, judge, classes="1..5", minimum=5, trials=50, memory=memory, **how) for memory in (None, "512MB")
        )
        assert blocks.to_dict() == whole.to_dict()


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize(
    "fault", ["i3,ann,5\ni3,ann,4\n", "i3,,5\n", ",ann,5\n", "i77,ann,9\n", "i77,dee,x\ni78,,3\n", "i3,ann,5\ni3,dee,4\n"],
    ids=["twice", "nobody", "no item", "no class", "two faults", "twice by two annotators"],
)  # fmt: skip
def test_what_is_wrong_with_ratings_is_said_as_without_a_limit(tmp_path, fault):
    path, _ = rated(tmp_path, "long")
    path.write_text(path.read_text() + fault)
    told = []
    for memory in (None, "512MB"):
        with pytest.raises(mm.DataError) as error:
            mm.agree(path, classes="1..5", memory=memory)
        told.append(str(error.value))
    assert told[0] == told[1]


LARGER_THAN_MEMORY = {
    "quantification": (
        "range(4000) a(t), range(20) b(c)",
        "'topic' || t AS topic, c AS class, (1 + (t + c + {run}) % 20) / 210.0 AS probability",
        ["--classes", "0..19", "--measures", "nmd,rnod,jsd"],
    ),
    "ranking": (
        "range(2000) a(s), range(40) b(i)",
        "'segment' || s AS segment, 'item' || (s % 2 * 40 + i) AS item, hash(s, i, {run}) % 40 AS score",
        ["--measures", "tau@b,ndcg,mrr"],
    ),
}


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize("task", LARGER_THAN_MEMORY)
def test_the_limit_holds_in_a_process_of_its_own(tmp_path, task):
    """100 runs of 80,000 rows: without a limit they take more than a gigabyte."""
    numbers, columns, options = LARGER_THAN_MEMORY[task]
    for run in range(101):
        name = f"run{run:03d}" if run else "gold"
        duckdb.sql(f"SELECT {columns.format(run=run)} FROM {numbers}").write_parquet(str(tmp_path / f"{name}.parquet"))  # noqa: S608
    peaks, written = [], []
    for more in ([], ["--memory", "512MB"]):
        scores = tmp_path / f"scores{len(peaks)}.parquet"
        asked = ["evaluate", str(tmp_path / "gold.parquet"), str(tmp_path / "run*.parquet"), "--task", task, *options, *more]
        command = [sys.executable, "-m", "metameasure", *asked, "--scores", str(scores)]
        # By a process that holds little itself: what the parent held when it started a child counts as the child's.
        ended = subprocess.run(
            [sys.executable, "-c", PEAK, *command],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        peaks.append(int(ended.stdout) * 1024 / 1e6)
        written.append(duckdb.read_parquet(str(scores)).order("measure, topic, run").fetchall())
    assert peaks[1] < 512 < peaks[0], peaks
    assert written[0] == written[1]


OF_LABELS = {
    "apart": {"gold": "hash(i) % 5 AS label", **{f"run{run:02d}": f"hash(i, {run}) % 5 AS label" for run in range(20)}},
    "stacked": {"all": "'run' || r AS run, hash(i) % 5 AS gold, hash(i, r) % 5 AS label"},
    "wide": {"all": "hash(i) % 5 AS gold, " + ", ".join(f"hash(i, {run}) % 5 AS run{run}" for run in range(20))},
    "outcomes": {"all": "'run' || r AS run, hash(i, r) % 2 AS score"},
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", OF_LABELS)
def test_twenty_million_rows_fit_into_half_a_gigabyte(tmp_path, shape):
    rows = "range(20) s(r), range(1000000) t(i)" if shape in ("stacked", "outcomes") else "range(1000000) t(i)"
    for name, columns in OF_LABELS[shape].items():
        query = f"SELECT 'item' || i AS item, {columns} FROM {rows}"  # noqa: S608
        duckdb.sql(query).write_parquet(str(tmp_path / f"{name}.parquet"))
    names = ("gold.parquet", "run*.parquet") if shape == "apart" else ("all.parquet",)
    asked = ["evaluate", *(str(tmp_path / name) for name in names)]
    asked += ["--task", "outcomes"] if shape == "outcomes" else ["--classes", "0..4", "--measures", "accuracy,cem_ord"]
    command = [sys.executable, "-m", "metameasure", *asked, "--memory", "512MB"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, check=True, env=environment)
    assert int(ended.stdout) * 1024 / 1e6 < 512


OF_OUTCOMES = {
    "many items": (2, 10_000_000, "{draw} % 2", []),
    "many items, intervals": (2, 10_000_000, "{draw} % 2", ["--ci"]),
    "items that nearly fit": (1, 3_900_000, "{draw} % 2", ["--ci"]),
    "graded, intervals": (20, 1_000_000, "{draw} % 1000 / 1000", ["--ci"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", OF_OUTCOMES)
def test_twenty_million_outcomes_fit_into_half_a_gigabyte(tmp_path, shape):
    runs, items, score, more = OF_OUTCOMES[shape]
    for run in range(runs):
        drawn = score.format(draw=f"hash(i + {run * items})")  # hash(i, 0) and hash(i, 1) end alike
        query = f"SELECT 'item' || i AS item, {drawn} AS score FROM range({items}) t(i)"  # noqa: S608
        duckdb.sql(query).write_parquet(str(tmp_path / f"run{run:02d}.parquet"))
    asked = ["evaluate", str(tmp_path / "run*.parquet"), "--task", "outcomes", "--memory", "512MB", *more]
    command = [sys.executable, "-m", "metameasure", *asked]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, check=True, env=environment)
    assert int(ended.stdout) * 1024 / 1e6 < 512


RUNS = [f"run{run:02d}" for run in range(20)]
OF_OTHER_TASKS = {
    "quantification": (
        {name: (f"'topic' || t AS topic, c AS class, (1 + (t + c + {run}) % 20) / 210.0 AS probability",
                "range(50000) a(t), range(20) b(c)") for run, name in enumerate(["gold", *RUNS])},
        ["--classes", "0..19", "--measures", "nmd,rnod,jsd"],
    ),
    "ranking": (
        {name: (f"'segment' || s AS segment, 'item' || (s % 2 * 40 + i) AS item, hash(s, i, {run}) % 40 AS score",
                "range(25000) a(s), range(40) b(i)") for run, name in enumerate(["gold", *RUNS])},
        ["--measures", "tau@b,ndcg,mrr"],
    ),
    "probabilities": (
        {"gold": ("'item' || i AS item, hash(i) % 5 AS label", "range(200000) a(i)")}
        | {name: (f"'item' || i AS item, c AS class, (1 + (hash(i) + c + {run}) % 5) / 15.0 AS probability",
                  "range(200000) a(i), range(5) b(c)") for run, name in enumerate(RUNS)},
        ["--classes", "0..4", "--kind", "nominal", "--measures", "brier,log_loss"],
    ),
    "entailment": (
        {name: (f"'item' || i AS item, ['yes', 'no', 'no'][(1 + hash(i, {run}) % 3)::INT] AS label"
                + f", hash(i, {run}) % 1000 / 1000 AS confidence" * (name != "gold"),
                "range(1000000) a(i)") for run, name in enumerate(["gold", *RUNS])},
        ["--positive", "yes", "--negative", "no"],
    ),
    "multilabel": (
        {name: (f"'item' || i AS item, ['a', 'b', 'a|b', 'b|c', 'a|b|c'][(1 + hash(i, {run}) % 5)::INT] AS label",
                "range(1000000) a(i)") for run, name in enumerate(["gold", *RUNS])},
        ["--classes", "a,b,c", "--kind", "nominal", "--measures", "f1_micro,subset_accuracy"],
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("task", OF_OTHER_TASKS)
def test_twenty_million_rows_of_every_task_fit_into_half_a_gigabyte(tmp_path, task):
    files, options = OF_OTHER_TASKS[task]
    for name, (columns, rows) in files.items():
        duckdb.sql(f"SELECT {columns} FROM {rows}").write_parquet(str(tmp_path / f"{name}.parquet"))  # noqa: S608
    asked = ["evaluate", str(tmp_path / "gold.parquet"), str(tmp_path / "run*.parquet"), "--task", task, *options]
    command = [sys.executable, "-m", "metameasure", *asked, "--memory", "512MB"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, check=True, env=environment)
    assert int(ended.stdout) * 1024 / 1e6 < 512


OF_RATINGS = {
    "20 annotators": (1_000_000, 20, "'a' || a"),
    "400 annotators": (1_000_000, 20, "'a' || ((hash(i) % 400 + a * 19) % 400)"),
    "middle size": (800_000, 3, "'a' || a"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", OF_RATINGS)
def test_ratings_fit_into_half_a_gigabyte(tmp_path, shape):
    items, each, who = OF_RATINGS[shape]
    label = "1 + CASE WHEN hash(i, a) % 100 < 60 THEN hash(i) ELSE hash(a, i) END % 5"
    rows = f"range({items}) s(i), range({each}) t(a)"
    query = f"SELECT 'item' || i AS item, {who} AS annotator, {label} AS label FROM {rows}"  # noqa: S608
    duckdb.sql(query).write_parquet(str(tmp_path / "ratings.parquet"))
    asked = ["agree", str(tmp_path / "ratings.parquet"), "--classes", "1..5", "--memory", "512MB"]
    command = [sys.executable, "-m", "metameasure", *asked]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run([sys.executable, "-c", PEAK, *command], capture_output=True, check=True, env=environment)
    assert int(ended.stdout) * 1024 / 1e6 < 512


def test_a_database_that_has_worked_on_much_is_not_kept(tmp_path):
    """It would keep the room that it worked in: 16 times 1.2 million rows left 219 MB behind instead of 111."""
    duckdb_connection._DATABASES.clear()
    kept = []
    for size in (1_000, 1_000_000):
        path = tmp_path / f"{size}.parquet"
        query = f"SELECT 'one' AS run, 'item' || i AS item, i % 3 AS gold, i % 3 AS label FROM range({size}) t(i)"  # noqa: S608
        duckdb.sql(query).write_parquet(str(path))
        mm.evaluate(path, classes="0..2", measures="accuracy")
        kept.append(len(duckdb_connection._DATABASES))
    assert kept == [1, 0]


def test_a_database_that_has_worked_on_much_in_a_small_file_is_not_kept(tmp_path):
    """1.2 million rows in a megabyte left 165 MB behind after every call."""
    few, many = (outcomes_in_parquet(tmp_path / f"{items}.parquet", items) for items in (100, 100_000))
    assert many.stat().st_size < 1_500_000
    kept = []
    for path in (few, many):
        duckdb_connection._DATABASES.clear()
        mm.evaluate(None, path, task="outcomes")
        kept.append(any(ordered for _, _, ordered in duckdb_connection._DATABASES))  # the other one knows the columns
    assert kept == [True, False]


def outcomes_in_parquet(path, items):
    """What 12 runs score on so many items, 0 or 1."""
    query = "SELECT 'run' || r AS run, 'item' || i AS item, hash(i, r) % 2 AS score FROM range(12) s(r), range({}) t(i)"
    duckdb.sql(query.format(items)).write_parquet(str(path))
    return path
