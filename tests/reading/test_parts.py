"""Several files that are one table: what a pattern matches, a folder of parts, and what the names of folders say."""

import duckdb
import pytest

import metameasure as mm
from engines import spark
from metameasure.core.errors import UsageError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
RUNS, ITEMS = ("01", "a b", "c%d"), 24
HOW = {"classes": "0..2", "measures": "accuracy,kappa"}
FORMATS = ("csv", "tsv", "jsonl", "parquet", "csv.gz")


def rows(run, items=range(ITEMS)):
    """item, gold, label of a run."""
    return [(f"i{item}", item % 3, (item * (7 + run) // 2) % 3) for item in items]


def write(path, columns, table, format):
    path.parent.mkdir(parents=True, exist_ok=True)
    values = ", ".join("(" + ", ".join(repr(cell) for cell in row) + ")" for row in table)
    relation = duckdb.sql(f"SELECT * FROM (VALUES {values}) t({', '.join(columns)})")  # noqa: S608
    how = {"parquet": "FORMAT parquet", "jsonl": "FORMAT json", "tsv": "FORMAT csv, HEADER, DELIMITER '\t'"}
    relation.query("rows", f"COPY rows TO '{path}' ({how.get(format, 'FORMAT csv, HEADER')})")
    return path


def stacked(folder, format, parts=3):
    """One stacked table in so many parts, each of which has all runs on some of the items."""
    for part in range(parts):
        table = [(name, *row) for place, name in enumerate(RUNS) for row in rows(place, range(part, ITEMS, parts))]
        write(folder / f"part-{part}.{format}", ("run", "item", "gold", "label"), table, format)
    return folder


def partitioned(folder, format):
    """A folder for each run, called as Hive calls it, with two files each."""
    for place, name in enumerate(RUNS):
        for part in range(2):
            path = folder / f"run={name.replace('%', '%25')}" / f"{part}.{format}"
            write(path, ("item", "gold", "label"), rows(place, range(part, ITEMS, 2)), format)
    (folder / "_SUCCESS").write_text("")
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The scores of the same rows in one file."""
    folder = tmp_path_factory.mktemp("whole")
    return told(mm.evaluate(stacked(folder, "csv", 1) / "part-0.csv", **HOW))


def told(scores):
    return scores.values.tobytes(), scores.runs, str(scores.signature)


@pytest.mark.each_time(1)
@pytest.mark.parametrize("format", FORMATS)
def test_parts_are_one_table(tmp_path, expected, format):
    folder = stacked(tmp_path / "rows", format)
    by_pattern = mm.evaluate(str(folder / "part-*"), **HOW)
    assert told(by_pattern) == told(mm.evaluate(folder, **HOW)) == expected
    assert any("are read as parts of one table, because they have a column 'run'" in one for one in by_pattern.notes)
    assert not any("parts of one table" in one for one in mm.evaluate(str(folder / "part-*"), stacked=True, **HOW).notes)
    first, *others = sorted(folder.iterdir())
    one_by_one = mm.evaluate(first, others, **HOW)
    assert told(one_by_one) == expected
    assert any("because each has the columns gold, label, run" in one for one in one_by_one.notes)


def test_what_programs_leave_beside_parts_is_passed_over(tmp_path, expected):
    folder = stacked(tmp_path / "rows", "csv")
    for name in ("_SUCCESS", "_metadata", ".part-0.csv.crc"):
        (folder / name).write_bytes(b"")
    assert told(mm.evaluate(str(folder / "*"), **HOW)) == told(mm.evaluate(folder, **HOW)) == expected


@pytest.mark.parametrize("format", FORMATS)
def test_folders_say_of_which_run_a_file_is(tmp_path, expected, format):
    folder = partitioned(tmp_path / "rows", format)
    assert told(mm.evaluate(folder, **HOW)) == told(mm.evaluate(str(folder / "*" / "*"), **HOW)) == expected


def test_without_a_column_of_runs_each_file_is_one(tmp_path, expected):
    for place, name in enumerate(RUNS):
        write(tmp_path / f"{name}.csv", ("item", "gold", "label"), rows(place), "csv")
    found = mm.evaluate(str(tmp_path / "*.csv"), **HOW)
    assert told(found) == expected
    assert any("is read as a run, because there is no column 'run'" in one for one in found.notes)
    with pytest.raises(mm.DataError, match="there is no column 'run'"):
        mm.evaluate(str(tmp_path / "*.csv"), stacked=True, **HOW)


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_gold_apart_and_runs_stacked(tmp_path, expected, format):
    gold = write(tmp_path / f"gold.{format}", ("item", "label"), [row[:2] for row in rows(0)], format)
    of_runs = tmp_path / "runs"
    for place, name in enumerate(RUNS):
        table = [(name, item, label) for item, _, label in rows(place)]
        write(of_runs / f"{place}.{format}", ("run", "item", "label"), table, format)
    assert told(mm.evaluate(gold, of_runs, **HOW)) == expected
    assert told(mm.evaluate(gold, str(of_runs / "*"), stacked=True, **HOW)) == expected
    assert mm.evaluate(gold, str(of_runs / "*"), **HOW).runs == ("0", "1", "2")
    in_parts = tmp_path / "gold"
    for part in range(2):
        write(in_parts / f"{part}.{format}", ("item", "label"), [row[:2] for row in rows(0, range(part, ITEMS, 2))], format)
    assert told(mm.evaluate(in_parts, of_runs, **HOW)) == expected


def test_a_table_side_by_side_in_parts(tmp_path):
    for part, items in enumerate((range(10), range(10, ITEMS))):
        table = [(item, gold, label, 2 - label) for item, gold, label in rows(0, items)]
        write(tmp_path / "parts" / f"{part}.csv", ("item", "gold", "one", "two"), table, "csv")
    whole = [(item, gold, label, 2 - label) for item, gold, label in rows(0)]
    one = mm.evaluate(write(tmp_path / "whole.csv", ("item", "gold", "one", "two"), whole, "csv"), **HOW)
    assert (
        told(mm.evaluate(tmp_path / "parts", **HOW)) == told(mm.evaluate(str(tmp_path / "parts" / "*.csv"), **HOW)) == told(one)
    )


OTHERS = {
    "outcomes": (
        ("run", "item", "score"),
        lambda place: [(f"r{run}", f"i{i}", (i + run) % 2) for run in (0, 1) for i in place],
        {},
    ),
    "ranking": (
        ("segment", "item", "rank"),
        lambda place: [(f"s{s}", f"i{i}", (i * (s + 2)) % 5 + 1) for s in place for i in range(4)],
        {"measures": "tau@b"},
    ),
    "quantification": (
        ("topic", "class", "probability"),
        lambda place: [(f"t{t}", c, ((t + c) % 3) / 3) for t in place for c in range(3)],
        {"measures": "nmd", "classes": "0..2"},
    ),
}


@pytest.mark.parametrize("task", OTHERS)
def test_other_tasks(tmp_path, task):
    columns, made, how = OTHERS[task]
    whole = write(tmp_path / "whole.csv", columns, made(range(12)), "csv")
    for part in range(3):
        write(tmp_path / "parts" / f"{part}.csv", columns, made(range(part * 4, part * 4 + 4)), "csv")
    gold = None if task == "outcomes" else write(tmp_path / "gold.csv", columns, made(range(12)), "csv")
    one, parts = (mm.evaluate(gold, {"run": path} if gold else [path], task=task, **how) for path in (whole, tmp_path / "parts"))
    assert parts.values.tobytes() == one.values.tobytes()
    if task != "outcomes":
        assert mm.evaluate(tmp_path / "parts", {"run": whole}, task=task, **how).values.tobytes() == one.values.tobytes()


class TestWhatIsWrong:
    def test_is_said_with_the_part_and_its_line(self, tmp_path):
        folder = stacked(tmp_path / "rows", "csv")
        (folder / "part-3.csv").write_text("run,item,gold,label\n01,i0,0,0\n01,i99,0,5\n")
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(folder, **HOW)
        told = [(one.file, one.line, str(one.what)) for one in raised.value.problems]
        last, first = str(folder / "part-3.csv"), str(folder / "part-0.csv")
        assert told[:2] == [
            (last, 2, f"item 'i0' again (first in line 2 of '{first}')"),
            (last, 3, "label '5' is not one of the classes"),
        ]

    def test_other_columns(self, tmp_path):
        folder = stacked(tmp_path / "rows", "csv")
        (folder / "part-1.csv").write_text("run,item,gold\n01,i0,0\n")
        with pytest.raises(mm.DataError, match=r"part-1.csv:1: there is no column 'label', which '.*part-0.csv' has"):
            mm.evaluate(folder, **HOW)
        (folder / "part-1.csv").write_text("run,item,gold,label,topic\n01,i0,0,1,x\n")
        with pytest.raises(mm.DataError, match=r"part-1.csv:1: there is a column 'topic', which '.*part-0.csv' lacks"):
            mm.evaluate(folder, **HOW)

    @pytest.mark.parametrize("place", ["", "*"])
    def test_a_file_that_is_no_part(self, tmp_path, place):
        """It is what is wrong, wherever its name stands among the others."""
        folder = stacked(tmp_path / "rows", "csv")
        (folder / "README.csv").write_text("who,when\nme,now\n")
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(str(folder / place), **HOW)
        (problem,) = raised.value.problems
        assert str(problem.what) == f"there is no column 'gold', which '{folder / 'part-0.csv'}' has"
        assert (problem.file, problem.line) == (str(folder / "README.csv"), 1)

    @pytest.mark.parametrize(("format", "line"), [("csv", 2), ("parquet", 1), ("jsonl", 1)])
    def test_the_first_row_of_all(self, tmp_path, format, line):
        folder = stacked(tmp_path / "rows", format)
        write(folder / f"a.{format}", ("run", "item", "gold", "label"), [("01", "i99", 0, 5)], format)
        with pytest.raises(mm.DataError) as raised:
            mm.evaluate(folder, **HOW)
        problem = raised.value.problems[0]
        assert (problem.file, problem.line) == (str(folder / f"a.{format}"), line)

    def test_damage_in_a_part(self, tmp_path):
        folder = stacked(tmp_path / "rows", "csv")
        with (folder / "part-2.csv").open("a") as stream:
            stream.write("01,i99,0\n")
        with pytest.raises(mm.DataError, match=r"part-2.csv:26: 3 fields instead of 4"):
            mm.evaluate(folder, **HOW)

    def test_a_folder_whose_name_is_a_column(self, tmp_path):
        folder = stacked(tmp_path / "rows" / "run=x", "parquet")
        with pytest.raises(mm.DataError, match="'run' is a column and the name of a folder"):
            mm.evaluate(folder.parent, **HOW)

    def test_a_folder_of_runs(self, tmp_path):
        gold = write(tmp_path / "gold.csv", ("item", "label"), [row[:2] for row in rows(0)], "csv")
        for place, name in enumerate(RUNS):
            write(tmp_path / "runs" / f"{name}.csv", ("item", "label"), [row[::2] for row in rows(place)], "csv")
        with pytest.raises(mm.DataError, match=r"if each file of the folder is a run, name them, as in '.*runs/\*'"):
            mm.evaluate(gold, tmp_path / "runs", **HOW)

    def test_parts_with_all_runs_that_are_named_one_by_one(self, tmp_path):
        gold = write(tmp_path / "gold.csv", ("item", "label"), [row[:2] for row in rows(0)], "csv")
        table = [(name, row[0], row[2]) for place, name in enumerate(RUNS) for row in rows(place)]
        runs = write(tmp_path / "runs.csv", ("run", "item", "label"), table, "csv")
        with pytest.raises(mm.DataError, match="if the column 'run' says which run each row is of, add stacked"):
            mm.evaluate(gold, runs, **HOW)
        assert mm.evaluate(gold, runs, stacked=True, **HOW).runs == RUNS

    def test_nothing_there(self, tmp_path):
        (tmp_path / "empty").mkdir()
        with pytest.raises(UsageError, match="is a folder without tables"):
            mm.evaluate(tmp_path / "empty", **HOW)
        with pytest.raises(UsageError, match="is a table of a cluster's catalogue"):
            mm.evaluate("table:db.labels", **HOW)

    def test_a_pattern_for_gold_that_is_apart(self, tmp_path):
        for name in "ab":
            write(tmp_path / f"{name}.csv", ("item", "label"), [row[:2] for row in rows(0)], "csv")
        with pytest.raises(UsageError, match="matches 2 files, but gold is one file"):
            mm.evaluate(str(tmp_path / "*.csv"), [tmp_path / "a.csv"], **HOW)


@pytest.mark.needs("spark")
class TestOnACluster:
    @pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
    @pytest.mark.parametrize("made", [stacked, partitioned])
    def test_parts(self, tmp_path, expected, made, format):
        folder, there = made(tmp_path / "rows", format), {"engine": "spark", "master": spark().address}
        assert told(mm.evaluate(folder, **HOW, **there)) == expected
        pattern = folder / "*" / "*" if made is partitioned else folder / "*"
        assert told(mm.evaluate(str(pattern), **HOW, **there)) == expected

    def test_gold_apart_and_a_folder_of_parts_with_all_runs(self, tmp_path, expected):
        gold = write(tmp_path / "gold.parquet", ("item", "label"), [row[:2] for row in rows(0)], "parquet")
        for part in range(2):
            table = [(name, row[0], row[2]) for place, name in enumerate(RUNS) for row in rows(place, range(part, ITEMS, 2))]
            write(tmp_path / "runs" / f"{part}.parquet", ("run", "item", "label"), table, "parquet")
        assert told(mm.evaluate(gold, tmp_path / "runs", **HOW, engine="spark", master=spark().address)) == expected

    def test_a_folder_of_runs(self, tmp_path):
        gold = write(tmp_path / "gold.parquet", ("item", "label"), [row[:2] for row in rows(0)], "parquet")
        for name in "ab":
            write(tmp_path / "runs" / f"{name}.parquet", ("item", "label"), [row[::2] for row in rows(1)], "parquet")
        with pytest.raises(mm.DataError, match=r"if each file of the folder is a run, name them, as in '.*runs/\*'"):
            mm.evaluate(gold, tmp_path / "runs", **HOW, engine="spark", master=spark().address)

    def test_a_folder_that_only_the_cluster_lists(self, tmp_path, expected):
        folder = partitioned(tmp_path / "rows", "parquet")
        assert told(mm.evaluate(folder.as_uri(), **HOW, engine="spark", master=spark().address)) == expected

    def test_one_after_the_other(self, tmp_path, expected):
        first, *others = sorted(stacked(tmp_path / "rows", "parquet").iterdir())
        assert told(mm.evaluate(first, others, **HOW, engine="spark", master=spark().address)) == expected

    def test_what_is_wrong_with_a_part(self, tmp_path):
        folder = stacked(tmp_path / "rows", "csv")
        (folder / "part-3.csv").write_text("run,item,gold,label\n01,i0,0,0\n01,i99,0,5\n")
        found = []
        for where in ({}, {"engine": "spark", "master": spark().address}):
            with pytest.raises(mm.DataError) as raised:
                mm.evaluate(folder, **HOW, **where)
            found.append([str(one) for one in raised.value.problems[:2]])
        assert found[0] == found[1]
        assert all("part-3.csv:" in one for one in found[0])

    def test_a_table_of_its_catalogue(self, tmp_path, expected):
        there = {"engine": "spark", "master": spark().address}
        path = str(stacked(tmp_path / "rows", "parquet", 1) / "part-0.parquet")
        from metameasure.reading.connecting import Cluster

        Cluster(spark().address).session().read.parquet(path).createOrReplaceTempView("labels_of_runs")
        assert told(mm.evaluate("table:labels_of_runs", **HOW, **there)) == expected
        with pytest.raises(UsageError, match=r"the cluster has no table 'labels_of_nobody': .*"):
            mm.evaluate("table:labels_of_nobody", **HOW, **there)
