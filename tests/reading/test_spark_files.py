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
        with pytest.raises(UsageError, match="there is no engine 'flink'; choose duckdb or spark"):
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
