"""Where engines and data frame libraries differ from one another: headers, NaN, types, ties. Each gives the same answer."""

from __future__ import annotations

import random
import re
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from test_one_reader import seen

import metameasure as mm
from engines import ENGINES, made, spark

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
FILES = ("csv", "jsonl", "parquet")
TYPED = tuple(engine for engine in ENGINES if engine not in ("csv", "jsonl"))
"""Those whose columns have types; in a file of text 1.0 is what stands there, and so is nan."""
ITEMS = [str(place) for place in range(1, 9)]
GOLD, RUN = list("abcabcab"), list("abcbcaab")


def scored(engine, folder, gold, run, **how):
    """One run, as a frame or a file of an engine."""
    frames = [made(engine, columns, folder, name) for name, columns in (("gold", gold), ("run", run))]
    return mm.evaluate(frames[0], {"run": frames[1]}, **how)


@cache
def plain():
    """What comes out where nothing is odd."""
    with tempfile.TemporaryDirectory() as folder:
        return scored("csv", Path(folder), {"item": ITEMS, "label": GOLD}, {"item": ITEMS, "label": RUN}, classes="a,b,c")


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_go_by_their_names_not_by_their_places(tmp_path, engine):
    swapped = {"label": RUN, "remark": ["x"] * 8, "item": ITEMS}
    found = scored(engine, tmp_path, {"item": ITEMS, "label": GOLD}, swapped, classes="a,b,c")
    assert seen(found) == seen(plain())


@pytest.mark.needs("spark")
@pytest.mark.parametrize("kind", FILES)
def test_a_cluster_takes_no_header_for_data(tmp_path, kind):
    master = spark().address
    gold = made(kind, {"item": ITEMS, "label": GOLD}, tmp_path, "gold")
    run = made(kind, {"label": RUN, "item": ITEMS}, tmp_path, "run")
    found = mm.evaluate(gold, [run], classes="a,b,c", engine="spark", master=master)
    assert seen(found) == seen(mm.evaluate(gold, [run], classes="a,b,c"))


# Ids and labels in every type that stands for the same text. A gap makes whole numbers floats in some libraries.
TYPES = {
    "int8": np.int8, "uint16": np.uint16, "int64": np.int64, "float32": np.float32, "float64": np.float64,
}  # fmt: skip


@pytest.mark.each_time(7)
@pytest.mark.parametrize("engine", TYPED)
@pytest.mark.parametrize("type", TYPES)
def test_ids_and_labels_of_any_type_are_the_same_text(tmp_path, engine, type):
    if (engine, type) == ("spark", "uint16"):
        pytest.skip("does not apply: Spark has no whole numbers without a sign")
    codes = {label: place for place, label in enumerate("abc")}
    numbers = np.array([codes[label] for label in RUN], TYPES[type])
    gold = {"item": ITEMS, "label": [str(codes[label]) for label in GOLD]}
    run = {"item": np.array(ITEMS, TYPES[type]), "label": numbers}
    found = scored(engine, tmp_path, gold, run, classes="0,1,2")
    assert seen(found) == seen(in_numbers())


@cache
def in_numbers():
    """The same with numbers for labels, all of it as text."""
    gold, run = ({"item": ITEMS, "label": [str("abc".index(label)) for label in labels]} for labels in (GOLD, RUN))
    with tempfile.TemporaryDirectory() as folder:
        return scored("csv", Path(folder), gold, run, classes="0,1,2")


@pytest.mark.parametrize("engine", TYPED)
def test_booleans_are_written_in_one_way(tmp_path, engine):
    truth = [label == "a" for label in GOLD]
    gold = {"item": ITEMS, "label": ["true" if true else "false" for true in truth]}
    found = scored(engine, tmp_path, gold, {"item": ITEMS, "label": np.array(truth)}, classes="false,true", measures="accuracy")
    assert found.values.tolist() == [[[1.0]]]


@pytest.mark.parametrize("engine", TYPED)
def test_a_single_is_what_a_file_would_write(tmp_path, engine):
    """0.1 as a single is 0.10000000149; 0.15 would fall on the wrong side of a bin's edge."""
    values = [0.1, 0.15, 0.25, 0.35, 0.15, 0.1, 0.35, 0.25]
    gold = {"item": ITEMS, "label": [str(value) for value in values]}
    how = {"classes": "1..4", "bins": (0.15, 0.25, 0.35)}
    found = scored(engine, tmp_path, gold, {"item": ITEMS, "label": np.array(values, np.float32)}, **how)
    assert seen(found) == seen(scored("csv", tmp_path, gold, gold, **how))


@pytest.mark.parametrize("engine", TYPED)
def test_nan_among_labels_is_no_label(tmp_path, engine):
    labels = np.array([1.0, 2.0, np.nan, 1.0, 2.0, 1.0, 2.0, 1.0])
    with pytest.raises(mm.DataError, match="the item has no label"):
        scored(engine, tmp_path, {"item": ITEMS, "label": list("12121212")}, {"item": ITEMS, "label": labels}, classes="1,2")


@pytest.mark.parametrize("engine", TYPED)
def test_nan_among_ranks_is_not_ranked_and_pulls_no_mean(tmp_path, engine):
    keys = {"segment": ["s"] * 4 + ["t"] * 4, "item": list("abcd") * 2}
    gold = {**keys, "rank": [1.0, 2.0, 3.0, 4.0, 2.0, 1.0, np.nan, 3.0]}
    run = {**keys, "rank": [2.0, 1.0, np.nan, 3.0, 1.0, 2.0, 3.0, np.nan]}
    found = scored(engine, tmp_path, gold, run, task="ranking", measures="tau@b,mrr,ndcg")
    empty = [{**side, "rank": [None if np.isnan(rank) else rank for rank in side["rank"]]} for side in (gold, run)]
    assert seen(found) == seen(scored("csv", tmp_path, *empty, task="ranking", measures="tau@b,mrr,ndcg"))


@pytest.mark.parametrize("engine", TYPED)
def test_nan_among_probabilities_is_wrong(tmp_path, engine):
    gold = {"topic": list("ssttuu"), "class": list("121212"), "probability": [0.5] * 6}
    run = {**gold, "probability": [0.5, 0.5, np.nan, 1.0, 0.5, 0.5]}
    with pytest.raises(mm.DataError, match=r"has no number|missing, negative"):
        scored(engine, tmp_path, gold, run, task="quantification", classes="1,2")


NAN = float("nan")
WITH_NAN = {
    "labels": ({"item": list("abcd"), "label": [1.0, 2.0, 3.0, 1.0]}, {"item": list("abcd"), "label": [1.0, 2.0, NAN, 1.0]},
               {"classes": "1..3", "missing": "drop"}),
    "rankings": ({"segment": ["s"] * 4, "item": list("abcd"), "score": [1.0, 2.0, 3.0, 4.0]},
                 {"segment": ["s"] * 4, "item": list("abcd"), "score": [1.0, NAN, 3.0, 4.0]}, {"task": "ranking"}),
    "probabilities": ({"item": list("abcd"), "label": list("xyxy")},
                      {"item": list("abcd"), "x": [0.1, 0.5, NAN, 0.9], "y": [0.9, 0.5, NAN, 0.1]},
                      {"task": "probabilities", "classes": "x,y", "kind": "nominal", "missing": "drop"}),
    "outcomes": ({"item": list("abcd"), "score": [0.5, 1.0, NAN, 0.25]}, {"item": list("abcd"), "score": [NAN, 1.0, 0.5, 0.25]},
                 {"task": "outcomes", "better": "higher"}),
}  # fmt: skip


@pytest.mark.parametrize("what", WITH_NAN)
def test_nan_that_the_statistics_of_a_parquet_file_leave_out_is_missing(tmp_path, what):
    """Polars and Arrow write the least and the greatest value without it."""
    *frames, how = *map(pl.DataFrame, WITH_NAN[what][:2]), WITH_NAN[what][2]
    paths = [tmp_path / "gold.parquet", tmp_path / "run.parquet"]
    for frame, path in zip(frames, paths, strict=True):
        frame.write_parquet(path)
    answers = []
    for gold, run in (frames, paths):
        given = (None, {"run": run}) if what == "outcomes" else (gold, {"run": run})
        try:
            answers.append(mm.evaluate(*given, **how).values.tolist())
        except mm.DataError as error:
            answers.append(re.sub(r"^.*?:( line)? ?\d+: |^.*?run: ", "", str(error), flags=re.MULTILINE))
    np.testing.assert_equal(*answers)
    assert "cannot be read" not in str(answers)


@pytest.mark.each_time(2)
@pytest.mark.parametrize("engine", ENGINES)
def test_ties_do_not_depend_on_the_order_of_rows(tmp_path, engine):
    """Engines break ties by the order in which they meet rows; measures of an order take the expectation instead."""
    draw = random.Random(2)  # noqa: S311 - test data
    items = [str(place) for place in range(40)]
    gold = {"item": items, "label": draw.choices("EC", k=40)}
    run = {"item": items, "label": draw.choices("EC", k=40)}
    run |= {"confidence": [draw.choice([0.2, 0.5]) for _ in items], "score": [draw.choice([1.0, 2.0, 3.0]) for _ in items]}
    order = draw.sample(range(40), 40)
    shuffled = {name: [column[place] for place in order] for name, column in run.items()}
    how = {"task": "entailment", "positive": "E", "negative": "C", "measures": "average_precision,confidence_weighted_score"}
    found = [scored(engine, tmp_path, gold, side, **how) for side in (run, shuffled)]
    assert seen(found[0]) == seen(found[1]) == seen(scored("csv", tmp_path, gold, run, **how))


WIDE = {
    "texts": (list, "a,b,c"),
    "integers": (lambda labels: [None if label is None else ord(label) for label in labels], "97,98,99"),
    "floats": (lambda labels: [None if label is None else float(ord(label)) for label in labels], "97,98,99"),
    "half": (lambda labels: [None if label is None else ord(label) / 2 for label in labels], "48.5,49,49.5"),
    "truth": (lambda labels: [None if label is None else label == "a" for label in labels], "False,True"),
}


@pytest.mark.each_time(9)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", WIDE)
def test_wide_tables_need_no_ids_whatever_the_type_of_their_columns(kind, engine, tmp_path):
    typed, classes = WIDE[kind]
    run = [None, *RUN[1:]]
    data = made(engine, {"gold": typed(GOLD), "first": typed(RUN), "second": typed(run)}, tmp_path, "wide")
    runs = {"first": [*typed(RUN)], "second": [*typed(run)]}
    for measures in ("accuracy", "mae,cem_ord"):
        found = mm.evaluate(data, classes=classes, missing="drop", measures=measures)
        assert seen(found) == seen(mm.evaluate(typed(GOLD), runs, classes=classes, missing="drop", measures=measures))
    if engine != "spark":  # whose rows have no order
        compared = mm.compare(data, None, "accuracy", classes=classes, missing="drop", trials=20).to_dict()
        assert compared == mm.compare(typed(GOLD), runs, "accuracy", classes=classes, missing="drop", trials=20).to_dict()
