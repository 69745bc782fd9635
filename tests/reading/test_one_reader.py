"""One reader for every task: every shape, from every library and engine, clean and with each kind of fault, to the bit."""

import random
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from engines import ENGINES, made

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
DRAW = random.Random(5)  # noqa: S311 - test data
CLASSES = ["1", "2", "3"]
ITEMS = [f"i{place}" for place in range(24)]
TOPICS = [("9", "10", "x")[place % 3] for place in range(24)]
GOLD, ONE, TWO = (DRAW.choices(CLASSES, k=24) for _ in range(3))
WEIGHTS = [DRAW.choice([0.1, 1 / 3, 2.0]) for _ in range(24)]
SURE = [[DRAW.random() for _ in range(24)] for _ in range(2)]


def labels(values, **more):
    return {"item": ITEMS, "topic": TOPICS, "label": list(values), **more}


def distribution(seed):
    draw = np.random.default_rng(seed)
    shares = draw.multinomial(16, [0.2, 0.3, 0.5], size=5) / 16
    topics = [topic for topic in "abcde" for _ in CLASSES]
    return {"topic": topics, "class": CLASSES * 5, "probability": shares.ravel().tolist()}


def wide(columns):
    values = np.reshape(columns["probability"], (5, 3))
    return {"topic": list("abcde"), **{name: values[:, place].tolist() for place, name in enumerate(CLASSES)}}


def ranking(seed):
    draw = random.Random(seed)  # noqa: S311
    segments = [segment for segment in ("1", "2", "10") for _ in range(4)]
    return {"segment": segments, "item": list("abcd") * 3, "rank": [float(draw.randint(1, 4)) for _ in segments]}


def beside(keys, gold, runs):
    return {**keys, "gold": gold, **runs}


def stacked(parts, **more):
    names = list(parts)
    rows = {"run": [name for name in names for _ in next(iter(parts[name].values()))]}
    return rows | {column: [value for name in names for value in parts[name][column]] for column in parts[names[0]]} | more


KEYS = {"item": ITEMS, "topic": TOPICS}
ROLES = {"positive": "1", "neutral": "2", "negative": "3"}
DISTRIBUTIONS = {"one": distribution(1), "two": distribution(2)}
RANKINGS = {"one": ranking(1), "two": ranking(2)}
# A task's options, and its shapes: gold and the runs (by name, in one table, or beside gold).
SHAPES = {
    "labels, long": ({"classes": CLASSES, "ci": True, "trials": 20}, labels(GOLD), {"one": labels(ONE), "two": labels(TWO)}),
    "labels, weighted": ({"classes": CLASSES}, labels(GOLD, weight=WEIGHTS), {"one": labels(ONE), "two": labels(TWO)}),
    "labels, runs in one": ({"classes": CLASSES}, labels(GOLD), stacked({"one": labels(ONE), "two": labels(TWO)})),
    "labels, side by side": ({"classes": CLASSES}, beside(KEYS, GOLD, {"one": ONE, "two": TWO}), None),
    "labels, stacked": ({"classes": CLASSES}, stacked({"one": labels(ONE), "two": labels(TWO)}, gold=GOLD * 2), None),
    "labels, partitions": (
        {"classes": CLASSES, "partitions": 4},
        {"item": ITEMS, "label": GOLD},
        {name: {"item": ITEMS, "label": list(values)} for name, values in (("one", ONE), ("two", TWO))},
    ),
    "labels to be cut": (
        {"classes": CLASSES, "bins": (1.5, 2.5)},
        labels([float(label) for label in GOLD]),
        {"one": labels([float(label) for label in ONE]), "two": labels([float(label) + 0.25 for label in TWO])},
    ),
    "distributions, long": ({"task": "quantification", "classes": CLASSES}, distribution(0), DISTRIBUTIONS),
    "distributions, wide": (
        {"task": "quantification", "classes": CLASSES},
        wide(distribution(0)),
        {name: wide(columns) for name, columns in DISTRIBUTIONS.items()},
    ),
    "distributions, runs in one": ({"task": "quantification", "classes": CLASSES}, distribution(0), stacked(DISTRIBUTIONS)),
    "rankings, long": ({"task": "ranking"}, ranking(0), RANKINGS),
    "rankings, runs in one": ({"task": "ranking"}, ranking(0), stacked(RANKINGS)),
    "rankings, side by side": (
        {"task": "ranking"},
        {key: ranking(0)[key] for key in ("segment", "item")}
        | {"gold": ranking(0)["rank"], **{name: columns["rank"] for name, columns in RANKINGS.items()}},
        None,
    ),
    "entailment with orders": (
        {"task": "entailment", **ROLES, "ci": True, "trials": 10},
        labels(GOLD),
        {"one": labels(ONE, confidence=SURE[0], score=SURE[1]), "two": labels(TWO, confidence=SURE[1], score=SURE[0])},
    ),
}  # fmt: skip
# Frames of all runs have no file of their own; files hold gold beside them.
IN_ONE = [name for name in SHAPES if name.endswith("runs in one")]


def evaluated(engine, folder, shape, change=None):
    options, gold, runs = SHAPES[shape]
    if change is not None:
        gold, runs = change(gold, runs)
    framed = made(engine, gold, folder, "gold")
    if runs is None:
        return mm.evaluate(framed, **options)
    if "run" in runs:
        return mm.evaluate(framed, made(engine, runs, folder, "runs"), **options)
    (folder / "runs").mkdir(exist_ok=True)
    return mm.evaluate(framed, {name: made(engine, columns, folder / "runs", name) for name, columns in runs.items()}, **options)


def seen(scores):
    ends = [] if scores.intervals is None else [end for end in (scores.intervals.topics, scores.intervals.items) if end]
    arrays = [scores.values, scores.pooled, *(side for end in ends for side in end)]
    return scores.runs, scores.topics, scores.signature, [array.tobytes() for array in arrays]


@pytest.mark.each_time(24)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_on_every_engine(tmp_path, shape, engine):
    if shape in IN_ONE and engine in ("csv", "jsonl", "parquet") and not shape.startswith("distributions"):
        pytest.skip("does not apply: files of labels and rankings hold one run each")
    assert seen(evaluated(engine, tmp_path, shape)) == expected(shape)


@cache
def expected(shape):
    with tempfile.TemporaryDirectory() as folder:
        return seen(evaluated("pandas", Path(folder), shape))


def without_first(columns):
    return {name: values[1:] for name, values in columns.items()}


def again(columns):
    return {name: [*values, values[0]] for name, values in columns.items()}


def renamed(columns, column, value):
    return {**columns, column: [value, *columns[column][1:]]}


FAULTS = {
    "missing": without_first,
    "repeated": again,
    "repeated for another": lambda columns: {name: [*values[1:], values[-1]] for name, values in columns.items()},
    "unknown": lambda columns: renamed(columns, "item" if "item" in columns else "topic", "nobody"),
    "no key": lambda columns: renamed(columns, "item" if "item" in columns else "topic", None),
    "no value": lambda columns: renamed(columns, next(n for n in ("label", "probability", "rank") if n in columns), None),
}
EXPECTED = {
    "missing": "missing|add up to", "repeated": "again|more than once|given again|no number, or a class",
    "repeated for another": "again|more than once|missing|add up to|no number, or a class",
    "unknown": "not in gold|missing|add up to",
    "no key": "has no|missing, negative", "no value": "no label|no number|missing, negative",
}  # fmt: skip


BY_DAY = ("pandas", "polars", "duckdb", "spark", "csv")
"""Faults are found by the engine, whatever handed it the rows: those of the other libraries and files are tried at night."""


@pytest.mark.each_time(14)
@pytest.mark.parametrize("engine", [one if one in BY_DAY else pytest.param(one, marks=pytest.mark.slow) for one in ENGINES])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("shape", ["labels, long", "distributions, long", "rankings, long"])
def test_every_fault_on_every_engine(tmp_path, shape, fault, engine):
    """A run that is not gold's is never scored; what is wrong with it is said of that run and of no other."""
    if (shape, fault) == ("rankings, long", "no value"):
        pytest.skip("does not apply: an item without a rank is not ranked, which is no fault")

    def change(gold, runs):
        return gold, {**runs, "two": FAULTS[fault](runs["two"])}

    with pytest.raises(mm.DataError, match=EXPECTED[fault]) as raised:
        evaluated(engine, tmp_path, shape, change)
    assert {problem.file.split("/")[-1].split(".")[0].strip("'").removeprefix("run '") for problem in raised.value.problems} == {
        "two"
    }


def test_a_made_up_run_does_not_pass(tmp_path):
    """Four items answered twice and four never, chosen so that sums of a known hash of the ids would agree: whatever is chosen,
    gold's random numbers do not."""
    gold = {"item": [str(place) for place in range(200)], "label": ["a", "b"] * 100}
    draw = random.Random(0)  # noqa: S311
    for _ in range(20):
        dropped, doubled = np.split(np.array(draw.sample(range(200), 8)), 2)
        order = [place for place in range(200) if place not in dropped] + doubled.tolist()
        crafted = {name: [values[place] for place in order] for name, values in gold.items()}
        with pytest.raises(mm.DataError, match="again"):
            mm.evaluate(made("pandas", gold, tmp_path, ""), {"r": made("pandas", crafted, tmp_path, "")}, classes="a,b")
