"""``--engine spark``: files that a cluster reads where they are, scored to the bit as DuckDB scores them."""

import json

import pytest
from test_one_reader import IN_ONE, SHAPES, evaluated, seen

import harnesses
import metameasure as mm
from engines import made, spark
from metameasure.cli import main
from metameasure.core.errors import MetameasureError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def master():
    return spark().address


def written(folder, shape, kind):
    """Gold and runs of a shape as files."""
    options, gold, runs = SHAPES[shape]
    if runs is not None:
        (folder / "runs").mkdir()
        runs = {name: made(kind, columns, folder / "runs", name) for name, columns in runs.items()}
    return options, made(kind, gold, folder, "gold"), runs


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("shape", [name for name in SHAPES if name not in IN_ONE])
def test_files_on_the_cluster(tmp_path, master, shape, kind):
    options, gold, runs = written(tmp_path, shape, kind)
    expected = mm.evaluate(gold, runs, **options)
    assert seen(mm.evaluate(gold, runs, engine="spark", master=master, **options)) == seen(expected)


@pytest.mark.needs("spark")
@pytest.mark.parametrize("shape", ["labels, weighted", "distributions, long", "rankings, long", "entailment with orders"])
@pytest.mark.parametrize("partitions", [1, 7, 64])
def test_partitions_change_nothing(tmp_path, shape, partitions):
    options, gold, runs = SHAPES[shape]
    frames = {name: made("spark", columns, tmp_path, name).repartition(partitions) for name, columns in runs.items()}
    found = mm.evaluate(made("spark", gold, tmp_path, "gold").repartition(partitions), frames, **options)
    assert seen(found) == seen(evaluated("polars", tmp_path, shape))


def tsv(path, *rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def test_quotes_of_tsv_are_characters(tmp_path, master):
    gold = tsv(tmp_path / "gold.tsv", ("item", "label"), ('"a"', "x"), ("b", "y"), ('c"d', "x"))
    run = tsv(tmp_path / "run.tsv", ("item", "label"), ('c"d', "x"), ('"a"', "y"), ("b", "y"))
    scores = mm.evaluate(gold, [run], classes=["x", "y"], engine="spark", master=master)
    assert seen(scores) == seen(mm.evaluate(gold, [run], classes=["x", "y"]))


FAULTS = {
    "an unknown label": ([("a", "x"), ("b", "z")], "label 'z' is not one of the classes"),
    "an unknown item": ([("a", "x"), ("b", "y"), ("zz", "y")], "item 'zz' is not in gold"),
    "an item twice": ([("a", "x"), ("b", "y"), ("b", "y")], "item 'b' again"),
    "an item missing": ([("a", "x")], "item 'b' is missing"),
    "no label": ([("a", "x"), ("b", "")], "the item has no label"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_as_here(tmp_path, master, fault):
    rows, complaint = FAULTS[fault]
    gold = tsv(tmp_path / "gold.tsv", ("item", "label"), ("a", "x"), ("b", "y"))
    run = tsv(tmp_path / "run.tsv", ("item", "label"), *rows)
    with pytest.raises(MetameasureError, match=complaint) as here:
        mm.evaluate(gold, [run], classes=["x", "y"])
    with pytest.raises(MetameasureError) as there:
        mm.evaluate(gold, [run], classes=["x", "y"], engine="spark", master=master)
    assert str(there.value) == str(here.value)


def test_a_row_of_another_length_does_not_pass(tmp_path, master):
    gold = tsv(tmp_path / "gold.tsv", ("item", "label"), ("a", "x"), ("b", "y"))
    run = tsv(tmp_path / "run.tsv", ("item", "label"), ("a", "x", "more"), ("b", "y"))
    with pytest.raises(MetameasureError, match=r"run\.tsv:2: 3 fields instead of 2"):
        mm.evaluate(gold, [run], classes=["x", "y"], engine="spark", master=master)


class TestWrongCalls:
    def test_engines(self, tmp_path):
        gold = tsv(tmp_path / "gold.tsv", ("item", "label"), ("a", "x"))
        with pytest.raises(UsageError, match="engine cannot be 'flink'; choose duckdb or spark"):
            mm.evaluate(gold, [gold], classes=["x", "y"], engine="flink")
        with pytest.raises(UsageError, match="master is the address of a cluster"):
            mm.evaluate(gold, [gold], classes=["x", "y"], master="sc://somewhere")

    def test_files_that_are_not_there_or_no_tables(self, tmp_path, master):
        with pytest.raises(UsageError, match="Spark cannot read"):
            mm.evaluate(tmp_path / "none.csv", [tmp_path / "none.csv"], classes=["x", "y"], engine="spark", master=master)
        with pytest.raises(UsageError, match=r"Spark does not read 'run\.xml' here"):
            mm.evaluate("run.xml", ["run.csv"], classes=["x", "y"], engine="spark", master=master)
        with pytest.raises(UsageError, match="format_in is for files that are read here"):
            mm.evaluate("a.tsv", ["b.tsv"], classes=["x", "y"], engine="spark", master=master, format_in="semeval")


def test_the_command(tmp_path, master, capsys):
    gold = tsv(tmp_path / "gold.tsv", ("item", "label"), ("a", "x"), ("b", "y"), ("c", "y"))
    run = tsv(tmp_path / "run.tsv", ("item", "label"), ("a", "x"), ("b", "x"), ("c", "y"))
    call = ["evaluate", str(gold), str(run), "--classes", "x,y", "--format", "json"]
    assert main(call) == 0
    expected = json.loads(capsys.readouterr().out)
    assert main([*call, "--engine", "spark", "--master", master]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_folders_of_harnesses_are_read_here(tmp_path, master):
    harnesses.lm_eval(tmp_path, "org/a", "sums", {"acc": [1, 0, 1]})
    harnesses.lm_eval(tmp_path, "org/b", "sums", {"acc": [1, None, 0]})
    found = [mm.evaluate(tmp_path, task="outcomes", **how) for how in ({}, {"engine": "spark", "master": master})]
    assert found[0]["org/a"] == found[1]["org/a"] == {"acc": pytest.approx(2 / 3)}
    assert found[0]["org/b"] == found[1]["org/b"] == {"acc": 0.5}
    assert found[0].signature == found[1].signature


def outcomes_of_runs():
    """Graded and right-or-wrong scores of three runs, with repeats, clusters, topics, gaps and hashes."""
    rows = [
        (run, f"q{item}", measure, repeat, ("law", "art")[item % 2], f"p{item // 3}", f"h{item}",
         None if run == "b" and item == 4 else score if measure == "em" else score / 4)
        for place, run in enumerate("abc") for item in range(12) for measure in ("em", "f1") for repeat in (1, 2)
        for score in [(item * (place + 2) + repeat) % 3 % 2]
    ]  # fmt: skip
    names = ("run", "item", "measure", "repeat", "topic", "cluster", "hash", "score")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_outcomes_on_the_cluster(tmp_path, master, kind):
    path = made(kind, outcomes_of_runs(), tmp_path, "outcomes")
    there = {"task": "outcomes", "engine": "spark", "master": master}
    here = {"task": "outcomes"}
    for how in ({}, {"missing": "zero"}, {"missing": "bounds"}, {"ci": True}, {"by": "topic"}, {"measures": "pass@2:of=em"}):
        assert seen(mm.evaluate(path, **there, **how)) == seen(mm.evaluate(path, **here, **how))
    compared = [mm.compare(path, None, "f1", **how, seed=3).to_dict() for how in (here, there)]
    assert compared[0] == compared[1]
    counted = [mm.count(path, **how) for how in (here, there)]
    assert counted[0].checksum() == counted[1].checksum()
    columns = outcomes_of_runs()
    parts = []
    for run in "abc":
        own = {
            name: [value for value, of in zip(column, columns["run"], strict=True) if of == run]
            for name, column in columns.items()
        }
        parts.append(mm.count(made(kind, own, tmp_path, f"part-{run}"), **there))
    assert mm.merge(parts).checksum() == counted[0].checksum()


def test_wide_outcomes_and_a_file_for_each_run_on_the_cluster(tmp_path, master):
    columns = {"item": [f"q{item}" for item in range(8)], "a": [1, 0, 1, 1, 0, 1, None, 1], "b": [0, 0, 1, 0.5, 0, 0, 1, 1]}
    there = {"task": "outcomes", "engine": "spark", "master": master}
    wide = made("csv", columns, tmp_path, "wide")
    assert seen(mm.evaluate(wide, **there)) == seen(mm.evaluate(wide, task="outcomes"))
    alone = [made("parquet", {"item": columns["item"], "score": columns[run]}, tmp_path, run) for run in "ab"]
    assert seen(mm.evaluate(alone[0], alone[1:], **there)) == seen(mm.evaluate(wide, task="outcomes"))


@pytest.mark.needs("spark")
@pytest.mark.parametrize(("kind", "wide"), [("csv", False), ("csv", True), ("jsonl", False), ("parquet", True)])
def test_sets_of_labels_on_the_cluster(tmp_path, master, kind, wide):
    """A set in a column, or a column for each label; with topics, sets without labels, and an item that a run lacks."""

    def columns(place, items):
        given = [[int((item * (place + 3) + label) % 5 < 2) for label in range(3)] for item in items]
        keys = {"item": [f"q{item}" for item in items], **({} if place else {"topic": [f"t{item % 3}" for item in items]})}
        texts = ["|".join(name for name, there in zip("abc", row, strict=True) if there) or None for row in given]
        return keys | (dict(zip("abc", map(list, zip(*given, strict=True)), strict=True)) if wide else {"label": texts})

    gold = made(kind, columns(0, range(20)), tmp_path, "gold")
    runs = [made(kind, columns(place, range(20 - place)), tmp_path, f"run{place}") for place in (1, 2)]
    here = {"task": "multilabel", "classes": "a,b,c", "missing": "empty"}
    there = {**here, "engine": "spark", "master": master}
    assert seen(mm.evaluate(gold, runs, **there, ci=True)) == seen(mm.evaluate(gold, runs, **here, ci=True))
    assert mm.count(gold, runs, **there).checksum() == mm.count(gold, runs, **here).checksum()
    with pytest.raises(MetameasureError, match="item 'q19'"):
        mm.evaluate(gold, runs, **{**there, "missing": None})
