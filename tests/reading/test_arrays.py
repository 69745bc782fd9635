"""Position is a key: arrays, columns of a frame and wide files need no ids, and every way of giving the same data is one."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import numpy as np
import pytest

import metameasure as mm
from metameasure.core.scale import text_of
from metameasure.core.values import is_missing
from metameasure.evidence import labels as in_memory
from metameasure.evidence.judgements import descending
from metameasure.evidence.labels import coded, counted_together

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

RNG = np.random.default_rng(3)
SIZE = 200
GOLD = RNG.integers(-1, 2, SIZE)
RUNS = {name: np.where(RNG.random(SIZE) < right, GOLD, RNG.integers(-1, 2, SIZE)) for name, right in (("a", 0.8), ("b", 0.5))}
ITEMS = np.arange(1, SIZE + 1)
CLASSES = "-1..1"


def written(path, frame):
    """A frame as a file, or as several: gold's and each run's."""
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_csv(path, index=False)
    return path


def wide(**more):
    return pandas.DataFrame({**more, "gold": GOLD, **RUNS})


def long(folder):
    gold = written(folder / "gold.csv", pandas.DataFrame({"item": ITEMS, "label": GOLD}))
    return gold, [written(folder / f"{name}.csv", pandas.DataFrame({"item": ITEMS, "label": run})) for name, run in RUNS.items()]


def stacked():
    rows = [pandas.DataFrame({"run": name, "item": ITEMS, "gold": GOLD, "label": run}) for name, run in RUNS.items()]
    return pandas.concat(rows, ignore_index=True)


def arrays(kind):
    return lambda _: (kind(GOLD), {name: kind(run) for name, run in RUNS.items()})


WAYS = {
    "lists": arrays(np.ndarray.tolist),
    "tuples": arrays(tuple),
    "int64": arrays(np.asarray),
    "int8": arrays(lambda column: column.astype(np.int8)),
    "floats": arrays(lambda column: column.astype(float)),
    "single precision": arrays(lambda column: column.astype(np.float32)),
    "texts of one width": arrays(lambda column: column.astype(str)),
    "bytes": arrays(lambda column: column.astype("S")),
    "objects": arrays(lambda column: column.astype(object)),
    "texts 1.0": arrays(lambda column: column.astype(float).astype(str)),
    "masked": arrays(np.ma.asarray),
    "pandas": arrays(pandas.Series),
    "pandas, texts": arrays(lambda column: pandas.Series(column.astype(str))),
    "pandas, nullable": arrays(lambda column: pandas.Series(column, dtype="Int64")),
    "pandas, categories": arrays(lambda column: pandas.Series(pandas.Categorical(column))),
    "categories": arrays(pandas.Categorical),
    "polars": arrays(polars.Series),
    "polars, texts": arrays(lambda column: polars.Series(column.astype(str))),
    "polars, categories": arrays(lambda column: polars.Series(column.astype(str)).cast(polars.Categorical)),
    "polars, an enumeration": arrays(lambda column: polars.Series(column.astype(str)).cast(polars.Enum(["-1", "0", "1"]))),
    "Arrow": arrays(pyarrow.array),
    "Arrow, a dictionary": arrays(lambda column: pyarrow.array(column.astype(str)).dictionary_encode()),
    "Arrow, in chunks": arrays(lambda column: pyarrow.chunked_array([column[:50], column[50:]])),
    "a frame of pandas": lambda _: (wide(),),
    "a frame of pandas with ids": lambda _: (wide(item=ITEMS),),
    "a frame of polars": lambda _: (polars.from_pandas(wide()),),
    "a frame of polars, lazy": lambda _: (polars.from_pandas(wide()).lazy(),),
    "a table of Arrow": lambda _: (pyarrow.Table.from_pandas(wide()),),
    "a wide CSV file": lambda folder: (written(folder / "wide.csv", wide()),),
    "a wide CSV file with ids": lambda folder: (written(folder / "wide.csv", wide(item=ITEMS)),),
    "a wide Parquet file": lambda folder: (written(folder / "wide.parquet", wide()),),
    "a wide Parquet file of floats": lambda folder: (written(folder / "wide.parquet", wide().astype(float)),),
    "a wide Parquet file of texts": lambda folder: (written(folder / "wide.parquet", wide().astype(str)),),
    "a wide Parquet file with ids": lambda folder: (written(folder / "wide.parquet", wide(item=ITEMS)),),
    "files joined by ids": long,
    "a stacked frame": lambda _: (stacked(),),
}


def answers(data, **how):
    """Everything that is said of the data but where it comes from."""
    scores = mm.evaluate(*data, classes=CLASSES, measures="accuracy,kappa,cem_ord,mae", trials=50, **how)
    found = scores.to_dict()
    return found, mm.count(*data, classes=CLASSES).checksum()


@pytest.fixture(scope="module")
def joined(tmp_path_factory):
    return answers(long(tmp_path_factory.mktemp("joined")), ci=True)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_bits_and_the_same_digest(way, joined, tmp_path):
    assert answers(WAYS[way](tmp_path), ci=True) == joined


SOME = ("int8", "polars, texts", "a frame of pandas", "a wide CSV file", "a wide Parquet file", "a wide Parquet file with ids")


@pytest.mark.each_time(1)
@pytest.mark.parametrize("way", SOME)
def test_partitions_and_comparisons_item_by_item_do_not_depend_on_the_way(way, tmp_path):
    data = WAYS[way](tmp_path)
    (folder := tmp_path / "joined").mkdir()
    by_id, how = long(folder), {"classes": CLASSES, "trials": 100}
    data = data if len(data) > 1 else (*data, None)
    assert mm.compare(*data, "accuracy", **how).to_dict() == mm.compare(*by_id, "accuracy", **how).to_dict()
    parts, expected = (mm.evaluate(*one, classes=CLASSES, partitions=7, seed=2).to_dict() for one in (data, by_id))
    assert parts == expected


@pytest.mark.each_time(1)
@pytest.mark.parametrize("way", ["memory", "with ids", "parquet", "csv", "csv with ids"])
def test_topics_weights_clusters_and_bins_do_not_depend_on_the_way(way, tmp_path):
    topic, weight, cluster = np.repeat(["t9", "t10"], SIZE // 2), RNG.integers(1, 9, SIZE) / 4, np.arange(SIZE) // 5
    frame = wide(topic=topic, weight=weight, c=cluster)
    frame[["gold", "a", "b"]] = frame[["gold", "a", "b"]] + [0.1, 0.3, 0.9]
    how = {
        "classes": CLASSES,
        "bins": [-0.5, 0.5],
        "columns": {"cluster": "c"},
        "measures": "accuracy,mae",
        "ci": True,
        "trials": 30,
    }
    with_ids = frame.assign(item=ITEMS)
    gold = with_ids.rename(columns={"gold": "label"}).drop(columns=["a", "b"])
    runs = {name: with_ids[["topic", "item", name]].rename(columns={name: "label"}) for name in RUNS}
    data = {
        "memory": frame,
        "with ids": with_ids,
        "parquet": tmp_path / "wide.parquet",
        "csv": tmp_path / "wide.csv",
        "csv with ids": tmp_path / "ids.csv",
    }[way]
    if not isinstance(data, pandas.DataFrame):
        written(data, with_ids if data.stem == "ids" else frame)
    found, expected = mm.evaluate(data, **how), mm.evaluate(gold, runs, **how)
    assert found.to_dict() == expected.to_dict()
    assert "beyond the ends" in str(found.notes)
    del how["ci"], how["measures"]
    pooled = [mm.compare(*one, "mae", average="pooled", **how).to_dict() for one in ((data, None), (gold, runs))]
    assert pooled[0] == pooled[1]


class TestPosition:
    def test_one_run_needs_no_name(self):
        assert mm.evaluate(GOLD, RUNS["a"], classes=CLASSES).runs == ("run",)
        assert mm.evaluate(["x", "y"], ["x", "x"], classes="x,y", measures="accuracy").values.item() == 0.5
        assert [one.run for one in mm.check(["x", "y"], ["x", "x"], classes="x,y").runs] == ["run"]
        assert mm.table(["x", "y"], ["x", "x"], classes="x,y").runs == ("run",)
        assert mm.count(["x", "y"], ["x", "x"], classes="x,y").runs == ("run",)

    def test_parts_with_the_same_counts_can_be_added_and_the_same_part_cannot(self):
        first = mm.count(["x", "y", "x"], {"r": ["x", "y", "y"]}, classes="x,y")
        second = mm.count(["y", "x", "x"], {"r": ["y", "y", "x"]}, classes="x,y")
        assert first.checksum() == second.checksum()
        assert first.plus(second).gold_items.sum() == 6
        again = mm.count(np.array(["x", "y", "x"]), {"r": ["x", "y", "y"]}, classes="x,y")
        with pytest.raises(mm.UsageError, match="add each part once"):
            first.plus(again)

    def test_columns_are_named_as_on_the_command_line(self):
        frame = wide().rename(columns={"gold": "y"}).assign(other=0)
        found = mm.evaluate(frame, gold_column="y", run_columns=["b", "a"], classes=CLASSES)
        assert found.runs == ("b", "a")
        assert found.signature == mm.evaluate(GOLD, RUNS, classes=CLASSES).signature
        with pytest.raises(mm.UsageError, match="the column of gold is named twice"):
            mm.evaluate(frame, gold_column="y", columns={"gold": "a"}, classes=CLASSES)
        with pytest.raises(mm.UsageError, match="is for ranking"):
            mm.evaluate(frame, gold_column="y", segment_column="a", classes=CLASSES)

    def test_runs_may_be_called_what_columns_are_called(self):
        names = {"topic": RUNS["a"], "weight": RUNS["b"], "item": GOLD}
        assert mm.evaluate(GOLD, names, classes=CLASSES).runs == ("topic", "weight", "item")

    @pytest.mark.parametrize(
        "call", [lambda g, r: mm.evaluate(g, {"r": r}, classes=CLASSES), lambda g, r: mm.counts(g, r, classes=CLASSES)]
    )
    def test_series_whose_indexes_differ_are_refused(self, call):
        gold, run = pandas.Series(GOLD), pandas.Series(RUNS["a"])
        call(gold, run)
        call(gold, run.sample(frac=1, random_state=1).to_numpy())
        for other in (run.sample(frac=1, random_state=1), run.set_axis(ITEMS)):
            with pytest.raises(mm.UsageError, match="indexes differ; bring them into one order"):
                call(gold, other)

    def test_a_file_of_more_runs_than_one_query_takes(self, tmp_path):
        many = {f"r{number}": np.roll(GOLD, number) for number in range(70)}
        file = written(tmp_path / "wide.parquet", pandas.DataFrame({"gold": GOLD, **many}))
        found = mm.evaluate(file, classes=CLASSES, measures="accuracy")
        assert found.to_dict() == mm.evaluate(GOLD, many, classes=CLASSES, measures="accuracy").to_dict()


class TestIds:
    """Where there are ids, they are checked."""

    @pytest.mark.parametrize("ending", ["frame", "csv", "parquet"])
    def test_one_that_is_there_twice(self, ending, tmp_path):
        frame = wide(item=[1, *ITEMS[:-1]])
        data = frame if ending == "frame" else written(tmp_path / f"wide.{ending}", frame)
        with pytest.raises(mm.DataError, match="item '1' again"):
            mm.evaluate(data, classes=CLASSES)

    @pytest.mark.parametrize("more", [(), ("--partitions", "3"), ("--missing", "drop")])
    def test_one_that_is_not_utf_8(self, more, tmp_path, run):
        file = tmp_path / "wide.csv"
        file.write_bytes("item,gold,a\n1,0,0\n2,0,1\n3,1,0\n\xf6,1,1\n".encode("latin-1"))
        assert f"{file}:5: bytes that are not UTF-8" in run("evaluate", file, "--classes", "0,1", *more)[2]

    def test_a_column_of_ids_that_is_named_must_be_there(self, tmp_path, run):
        file = written(tmp_path / "wide.csv", wide())
        assert "there is no column 'key'" in run("evaluate", file, "--classes", CLASSES, "--item-column", "key")[2]

    @pytest.mark.parametrize("name", ["id", "tweet_id", "Unnamed: 0", "index"])
    def test_a_column_of_ids_is_not_taken_for_a_run(self, name, tmp_path, run):
        file = written(tmp_path / "wide.csv", wide(**{name: ITEMS}))
        status, _, err = run("evaluate", file, "--classes", CLASSES)
        assert status == 2
        assert f"the column '{name}' seems to hold the items' ids; use --item-column {shlex.quote(name)}" in err
        assert run("evaluate", file, "--classes", CLASSES, "--item-column", name)[0] == 0
        assert run("evaluate", file, "--classes", CLASSES, "--run-columns", "a,b")[0] == 0


GAPS = {
    "None": lambda column: [None, *column[1:].tolist()],
    "NaN": lambda column: np.array([np.nan, *column[1:]]),
    "nothing": lambda column: ["", *column[1:].astype(str)],
    "masked": lambda column: np.ma.array(column, mask=np.arange(SIZE) == 0),
    "NA": lambda column: pandas.Series(column, dtype="Int64").mask(np.arange(SIZE) == 0),
    "a gap in categories": lambda column: pandas.Categorical([None, *column[1:].astype(str)]),
    "a gap in polars": lambda column: polars.Series([None, *column[1:].tolist()]),
    "a gap in polars' texts": lambda column: polars.Series([None, *column[1:].astype(str)]),
    "null in Arrow": lambda column: pyarrow.array([None, *column[1:].tolist()]),
}


class TestProblems:
    """What is missing or no class is said with the number of its row."""

    @pytest.mark.parametrize("gap", GAPS)
    def test_missing_labels(self, gap):
        run = GAPS[gap](RUNS["a"])
        with pytest.raises(mm.DataError, match="run 'r':1: the item has no label; add one, or choose missing='worst'"):
            mm.evaluate(GOLD, {"r": run}, classes=CLASSES)
        with pytest.raises(mm.DataError, match="gold:1: the item has no label; gold needs one"):
            mm.evaluate(run, {"r": GOLD}, classes=CLASSES)
        found = mm.evaluate(GOLD, {"r": run}, classes=CLASSES, missing="drop", measures="accuracy")
        assert found.averages().item() == mm.score(GOLD[1:], RUNS["a"][1:], "accuracy", classes=CLASSES)
        assert found.notes == ("r: 1 missing item left out",)

    def test_every_wrong_label_has_its_row(self):
        run = np.where(ITEMS % 90 == 0, 7, RUNS["a"])
        with pytest.raises(mm.DataError) as error:
            mm.evaluate(GOLD, {"r": run}, classes=CLASSES)
        assert [(one.file, one.line) for one in error.value.problems] == [("run 'r'", 90), ("run 'r'", 180)]

    def test_a_broken_run_is_told_from_gold_and_from_those_that_are_right(self):
        runs = {"right": GOLD, "wrong": np.where(ITEMS == 9, 7, GOLD)}
        found = mm.check(GOLD, runs, classes=CLASSES)
        assert (found.gold_problems, found.good()) == ((), ["right"])
        assert mm.evaluate(GOLD, runs, classes=CLASSES, skip_broken=True).runs == ("right",)
        assert mm.check(GOLD, runs["wrong"], classes=CLASSES).to_dict()["gold"]["ok"]
        assert not mm.check(runs["wrong"], {"right": GOLD}, classes=CLASSES).to_dict()["gold"]["ok"]

    def test_rows_far_down_are_found_quickly(self, monkeypatch):
        monkeypatch.setattr("metameasure.evidence.side_by_side._ROWS_AT_ONCE", 7)
        with pytest.raises(mm.DataError, match="gold:200: label '7' is not one of the classes"):
            mm.evaluate(wide(b2=[*GOLD[:-1], 7]), classes=CLASSES)

    def test_truth_values_and_numbers_are_different_labels(self):
        with pytest.raises(mm.DataError, match="label 'True' is not one of the classes"):
            mm.evaluate([1, 0, 1], {"r": [1, 0, True]}, classes=[0, 1])

    @pytest.mark.parametrize("classes", [[False, True], ["false", "true"]])
    def test_truth_values_in_arrays(self, classes):
        for kind in (np.asarray, pandas.Series, polars.Series, pyarrow.array):
            found = mm.evaluate(kind(GOLD > 0), {"r": kind(RUNS["a"] > 0)}, classes=classes, measures="accuracy")
            assert found.averages().item() == np.mean((GOLD > 0) == (RUNS["a"] > 0))


def naive(labels):
    return [None if is_missing(label) else text_of(label) for label in labels]


@pytest.mark.parametrize(
    "labels",
    [
        np.array([5, 70_000, -3, 5]),
        np.array([], dtype=int),
        np.array([2**63 - 1, -(2**63)]),
        np.array([0.5, np.nan, 1e300, -0.0, 2.0, np.inf]),
        np.array([np.nan, np.nan]),
        np.array(["ä", "", "\U0001f600x", "a\0b"]),
        np.array([f"w{number}" for number in range(3000)]),  # of which some have the same hash
        np.array(["b", "a"], dtype=">U1"),
        np.arange(20, dtype=np.uint8)[::3],
        [1, 1.0, "1", None, float("nan"), True, "x", (1, 2)],
        [[1], [2], [1]],
    ],
    ids=str,
)
def test_each_row_has_its_text(labels):
    column = coded(labels)
    assert [column.texts[number] for number in column.numbers(0, len(labels))] == naive(list(labels))


def test_rows_are_counted_whatever_the_size_of_the_table(monkeypatch):
    gold, run, amounts = RNG.integers(0, 300, 5000), RNG.integers(0, 400, 5000), RNG.integers(0, 2**50, 5000)
    columns = [coded(column) for column in (GOLD[gold % SIZE], gold, run)]

    def counts():
        ((numbers, items, sums),) = counted_together(columns[:2], columns[2:], amounts)
        return sorted(zip(map(tuple, numbers.tolist()), items.tolist(), sums.tolist(), strict=True))

    plain = counts()
    assert sum(sums for _, _, sums in plain) == int(amounts.sum())
    for most in ("_LARGEST_TABLE", "_MOST_CELLS"):
        monkeypatch.setattr(in_memory, most, 1)
        assert counts() == plain
    monkeypatch.setattr(in_memory, "_BLOCK", 3)
    assert counts() == plain


class TestDistributions:
    """Arrays (topics, classes) are what frames with a column for each class are."""

    CLASSES = ("w", "x", "y", "z")
    HOW = {"task": "quantification", "classes": CLASSES}  # noqa: RUF012
    GOLD = RNG.dirichlet(np.ones(4), 12)
    RUN = RNG.dirichlet(np.ones(4), 12)

    def frame(self, values):
        return pandas.DataFrame(np.asarray(values), columns=[*self.CLASSES]).assign(topic=range(1, len(values) + 1))

    @pytest.mark.parametrize("more", [{}, {"ci": True, "trials": 20}, {"smooth": 0.1}, {"baselines": True}], ids=str)
    def test_they_score_as_frames_do(self, more):
        expected = mm.evaluate(self.frame(self.GOLD), {"a": self.frame(self.RUN)}, **self.HOW, **more).to_dict()
        for kind in (np.asarray, np.ndarray.tolist, lambda values: values.astype(np.float64, order="F")):
            assert mm.evaluate(kind(self.GOLD), {"a": kind(self.RUN)}, **self.HOW, **more).to_dict() == expected
        assert mm.evaluate(self.GOLD, self.RUN, **self.HOW).runs == ("run",)

    def test_counts_are_divided_by_their_sums(self):
        counts = RNG.integers(0, 9, (12, 4)) + 1
        found = mm.evaluate(counts, {"a": counts[::-1]}, counts=True, **self.HOW).to_dict()
        assert found == mm.evaluate(self.frame(counts), {"a": self.frame(counts[::-1])}, counts=True, **self.HOW).to_dict()

    def test_what_is_wrong_has_its_row(self):
        wrong = self.RUN.copy()
        wrong[3, 1], wrong[5], wrong[7, 0], wrong[9] = -1, 0.5, np.nan, np.nan
        with pytest.raises(mm.DataError) as error:
            mm.evaluate(self.GOLD, {"a": wrong}, **self.HOW)
        said = [(one.file, one.line, one.what) for one in error.value.problems]
        assert said == [
            ("run 'a'", 4, "class 'x' of topic '4' is -1.0, less than 0"),
            ("run 'a'", 6, "the probabilities of topic '6' add up to 2, not 1"),
            ("run 'a'", 8, "class 'w' of topic '8' has no number"),
            ("run 'a'", 10, "topic '10' is missing"),
        ]
        gap = np.where(np.arange(12)[:, None] == 9, np.nan, self.RUN)
        assert mm.evaluate(self.GOLD, {"a": gap}, missing="drop", **self.HOW).notes[0] == "a: 1 missing topic left out"

    @pytest.mark.parametrize(
        ("runs", "message"),
        [
            ({"a": RUN[:5]}, "gold has 12 topics, but run 'a' has 5"),
            ({"a": RUN[:, :2]}, r"run 'a' has the shape \(12, 2\), but there are 4 classes"),
            ({"a": [1, 2]}, "the runs are not arrays by name"),
            ({"a": [[1.0], [0.5, 0.5]]}, "run 'a' has rows of different lengths"),
            (None, "there are no runs"),
        ],
        ids=["rows", "columns", "one dimension", "ragged", "none"],
    )
    def test_other_shapes_are_refused(self, runs, message):
        with pytest.raises(mm.UsageError, match=message):
            mm.evaluate(self.GOLD, runs, **self.HOW)

    def test_classes_are_never_guessed(self):
        with pytest.raises(mm.UsageError, match="name one for each column"):
            mm.evaluate(self.GOLD, self.RUN, task="quantification")


class TestRankings:
    """Arrays (segments, items) are what frames with a row for each item are."""

    RANKS = RNG.random((8, 5)).argsort(axis=1).argsort(axis=1) + 1.0
    SCORES = RNG.normal(size=(8, 5)).round(1)

    def frame(self, values, name):
        rows = [(s, i, value) for s, row in enumerate(values.tolist(), 1) for i, value in enumerate(row, 1)]
        return pandas.DataFrame(rows, columns=["segment", "item", name])

    @pytest.mark.parametrize("more", [{}, {"ci": True, "trials": 20}, {"average": "pooled"}, {"tie_epsilon": 0.3}], ids=str)
    @pytest.mark.parametrize("gap", [None, np.nan, -1])
    def test_they_score_as_frames_do(self, more, gap):
        gold = self.RANKS.copy()
        if gap is not None:
            gold[2, 3] = gap
        frames = self.frame(gold, "rank"), {"a": self.frame(self.SCORES, "score")}
        found = mm.evaluate(gold, {"a": self.SCORES}, task="ranking", runs_are="scores", **more)
        assert found.to_dict() == mm.evaluate(*frames, task="ranking", **more).to_dict()

    def test_scores_of_gold_and_what_programs_make_of_them(self):
        how = {"task": "ranking", "measures": "ndcg,mrr", "missing": "last", "compat": "trec_eval"}
        frames = self.frame(self.SCORES, "score"), {"a": self.frame(self.SCORES[::-1], "score")}
        found = mm.evaluate(self.SCORES, {"a": self.SCORES[::-1]}, gold_are="scores", runs_are="scores", **how)
        assert found.to_dict() == mm.evaluate(*frames, **how).to_dict()

    def test_what_is_wrong_has_its_row(self):
        gold, run = self.RANKS.copy(), self.RANKS.copy()
        gold[4], run[1, 2], run[6, 0] = np.nan, 0, np.inf
        with pytest.raises(mm.DataError) as error:
            mm.evaluate(gold, {"a": run}, task="ranking")
        assert [(one.file, one.line, one.what) for one in error.value.problems] == [
            ("gold", 5, "no item of segment '5' is ranked"),
            ("run 'a'", 2, "item '3': rank 0.0 is less than 1"),
            ("run 'a'", 7, "item '1': rank 'inf' is not a finite number"),
        ]
        with pytest.raises(mm.UsageError, match=r"gold has the shape \(8, 5\), but run 'a' has \(8, 4\)"):
            mm.evaluate(self.RANKS, {"a": self.RANKS[:, :4]}, task="ranking")


class TestOrders:
    """What runs say of their items may stand in arrays beside their labels."""

    GOLD = np.array(["yes", "unknown", "no"])[RNG.integers(0, 3, 40)]
    RUNS = {name: np.array(["yes", "unknown", "no"])[RNG.integers(0, 3, 40)] for name in "ab"}  # noqa: RUF012
    HOW = {"task": "entailment", "positive": "yes", "neutral": "unknown", "negative": "no"}  # noqa: RUF012
    SAID = {"score": {name: RNG.normal(size=40).round(1) for name in "ab"}, "confidence": {"a": RNG.random(40).round(1)}}  # noqa: RUF012

    def frames(self):
        items = [str(number) for number in range(1, 41)]
        said = {name: {role: columns[name] for role, columns in self.SAID.items() if name in columns} for name in "ab"}
        runs = {name: pandas.DataFrame({"item": items, "label": run, **said[name]}) for name, run in self.RUNS.items()}
        return pandas.DataFrame({"item": items, "label": self.GOLD}), runs

    @pytest.mark.parametrize("more", [{}, {"ci": True, "trials": 20}, {"partitions": 4}], ids=str)
    def test_they_order_as_columns_do(self, more):
        how = {**self.HOW, "measures": "a3,average_precision,confidence_weighted_score,mutual_information@rank", **more}
        found = mm.evaluate(self.GOLD, self.RUNS, matrices=self.SAID, **how)
        assert found.to_dict() == mm.evaluate(*self.frames(), **how).to_dict()

    def test_runs_are_compared_by_them(self):
        how = {**self.HOW, "trials": 50}
        found = mm.compare(self.GOLD, self.RUNS, "average_precision", matrices=self.SAID, **how)
        assert found.to_dict() == mm.compare(*self.frames(), "average_precision", **how).to_dict()

    @pytest.mark.parametrize(
        ("matrices", "message"),
        [
            ({"score": {"c": [1] * 40}}, "there is no run 'c'"),
            ({"score": {"a": [1] * 39}}, "40 gold labels but 39 scores of 'a'"),
            ({"score": {"a": [1] * 38 + [np.nan, 1]}}, "the scores:39: a is empty"),
            ({"rank": {"a": [1] * 39 + [0]}}, "the ranks:40: a 0.0 is not a number from 1 up"),
            ({"label": {"a": [1] * 40}}, "the matrix of labels is not sequences by run"),
        ],
        ids=["run", "length", "empty", "rank", "labels"],
    )
    def test_what_is_wrong_is_said(self, matrices, message):
        with pytest.raises(mm.MetameasureError, match=message):
            mm.evaluate(self.GOLD, self.RUNS, matrices=matrices, **self.HOW)


@pytest.mark.slow
@pytest.mark.parametrize("how", [["--ci", "--trials", "50"], ["--partitions", "10"]], ids=" ".join)
def test_memory_is_that_of_the_counts(how, tmp_path):
    """50 million rows side by side, gold and five runs: as many bytes each as a row has would be 300 MB, as text 4 GB."""
    import duckdb

    rows = int(os.environ.get("METAMEASURE_WIDE_ROWS", "50_000_000")) if how[0] == "--ci" else 1_000_000
    columns = ", ".join(f"CAST((range * {number + 3} // 7 + range % 11) % 5 AS TINYINT) AS run{number}" for number in range(5))
    file = tmp_path / "wide.parquet"
    duckdb.sql(f"COPY (SELECT CAST(range % 5 AS TINYINT) AS gold, {columns} FROM range({rows})) TO '{file}' (FORMAT parquet)")  # noqa: S608
    # A process of its own for each, started by one that has held nothing: what a process has ever held counts as its children's.
    program = (
        "import os, subprocess, sys; child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL); "
        "_, status, used = os.wait4(child.pid, 0); print(status, used.ru_maxrss // 1024)"
    )
    command = [
        sys.executable,
        "-m",
        "metameasure",
        "evaluate",
        str(file),
        "--classes",
        "0..4",
        "--measures",
        "kappa,cem_ord",
        *how,
    ]
    done = subprocess.run([sys.executable, "-c", program, *command], capture_output=True, text=True, check=True)
    status, megabytes = map(int, done.stdout.split())
    assert status == 0, done.stderr
    assert megabytes < 500


CARELESS = """
from metameasure.catalogue.classification.tables import distances, gold
from metameasure.catalogue.measure import measure

@measure(id="careless", title="Careless", better="higher", formula="0", source="nobody")
def careless(counts, *, values):
    values *= 0
    apart = distances(values)
    apart += 1
    sizes = gold(counts)
    sizes *= 0
    return sizes.sum(axis=-1)
"""


@pytest.mark.parametrize("others", [("macro_recall", "f1_macro"), ("accuracy", "mae")], ids=["sums", "values"])
def test_a_plugin_that_writes_into_what_it_is_given_changes_no_other_measure(others, tmp_path):
    (tmp_path / "careless.py").write_text(CARELESS)
    registry = mm.measures.with_plugins([tmp_path / "careless.py"])
    labels, how = ([0, 1, 1, 0], [0, 1, 0, 0]), {"classes": [0, 1], "registry": registry}
    alone = mm.evaluate(*labels, measures=list(others), **how)["run"]
    beside = mm.evaluate(*labels, measures=[others[0], "careless", others[1]], **how)["run"]
    assert beside == {others[0]: alone[others[0]], "careless": 0.0, others[1]: alone[others[1]]}


@pytest.mark.parametrize("values", [1, 3, 50, 10**9])
def test_what_is_tied_stays_as_it_stands(values):
    key = np.random.default_rng(values).integers(0, values, 200).astype(float)
    assert descending(key).tolist() == np.argsort(-key, kind="stable").tolist()
