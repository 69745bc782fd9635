"""Parts that are counted one by one and kept: an interrupted count goes on where it stopped, and gives the same evidence."""

import re

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from engines import spark
from metameasure.core.errors import UsageError
from metameasure.evaluating import evidence_files

HOW = {"classes": "0..2"}


def rows(items, seed=0):
    draw = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "run": ["a", "b"] * len(items),
            "item": np.repeat([f"i{item}" for item in items], 2),
            "gold": np.repeat([item % 3 for item in items], 2),
            "label": draw.integers(0, 3, 2 * len(items)),
        }
    )


@pytest.fixture
def parts(tmp_path):
    """One stacked table in four parts."""
    (tmp_path / "rows").mkdir()
    for part in range(4):
        rows(range(10 * part, 10 * part + 10), part).write_parquet(tmp_path / "rows" / f"{part}.parquet")
    return tmp_path / "rows"


@pytest.mark.parametrize("more", [{}, {"for_": "compare"}])
def test_parts_one_by_one_are_the_whole(tmp_path, parts, more):
    whole = mm.count(parts, **HOW, **more)
    for asked in (parts, str(parts / "*.parquet")):
        assert str(mm.count(asked, resume=tmp_path / "kept", **HOW, **more)) == str(whole)
    first, *others = sorted(parts.iterdir())
    assert str(mm.count(first, others, resume=tmp_path / "kept", **HOW, **more)) == str(whole)
    assert len([*(tmp_path / "kept").iterdir()]) == 4


def part_of(task):
    """Its file's name, where it is of one part."""
    return re.findall(r"\d\.parquet", str(task.gold))[:1]


def test_what_was_counted_is_not_counted_again(tmp_path, parts, monkeypatch):
    counted = []
    counting = evidence_files._counted
    monkeypatch.setattr(evidence_files, "_counted", lambda task: counted.extend(part_of(task)) or counting(task))
    (parts / "2.parquet").rename(tmp_path / "later.parquet")
    (parts / "2.parquet").write_bytes(b"PAR1 damaged PAR1")
    with pytest.raises(mm.DataError):
        mm.count(parts, resume=tmp_path / "kept", **HOW)
    (tmp_path / "later.parquet").rename(parts / "2.parquet")
    counted.clear()
    found = mm.count(parts, resume=tmp_path / "kept", **HOW)
    assert counted == [f"{part}.parquet" for part in range(4)]  # nothing was opened that is damaged
    counted.clear()
    assert str(mm.count(parts, resume=tmp_path / "kept", **HOW)) == str(found)
    assert not counted
    rows(range(20, 30), 99).write_parquet(parts / "2.parquet")
    assert str(mm.count(parts, resume=tmp_path / "kept", **HOW)) == str(mm.count(parts, **HOW)) != str(found)
    assert counted == ["2.parquet"]
    counted.clear()
    mm.count(parts, resume=tmp_path / "kept", classes="0..3")
    assert len(counted) == 4


def test_runs_apart_are_parts_too(tmp_path):
    every = rows(range(12))
    gold = tmp_path / "gold.csv"
    every.filter(pl.col("run") == "a").select("item", pl.col("gold").alias("label")).write_csv(gold)
    for run in "ab":
        every.filter(pl.col("run") == run).select("item", "label").write_csv(tmp_path / f"{run}.csv")
    runs = [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert str(mm.count(gold, runs, resume=tmp_path / "kept", **HOW)) == str(mm.count(gold, runs, **HOW))
    with pytest.raises(UsageError, match="runs that are counted apart cannot be compared"):
        mm.count(gold, runs, resume=tmp_path / "kept", for_="compare", **HOW)


def test_a_part_without_rows_adds_nothing(tmp_path, parts):
    whole = mm.count(parts, **HOW)
    rows([]).write_parquet(parts / "0a.parquet")
    rows([]).write_csv(parts / "9.csv")
    assert str(mm.count(parts, resume=tmp_path / "kept", **HOW)) == str(mm.count(parts, **HOW)) == str(whole)
    with pytest.raises(mm.DataError, match="there are no rows"):
        mm.count(parts / "0a.parquet", [parts / "9.csv"], resume=tmp_path / "kept", **HOW)


def test_runs_whose_names_folders_say_are_counted_one_by_one(tmp_path):
    """Each has all of its files, which need not divide the items alike."""
    every = rows(range(12)).with_row_index()
    for place, (run, files) in enumerate({"a": 2, "b": 3}.items()):
        for file in range(files):
            folder = tmp_path / "rows" / f"run={run}"
            folder.mkdir(parents=True, exist_ok=True)
            mine = every.filter((pl.col("run") == run) & ((pl.col("index") + place) % files == file))
            mine.drop("index", "run").write_parquet(folder / f"{file}.parquet")
    whole = mm.count(tmp_path / "rows", **HOW)
    for asked in (tmp_path / "rows", str(tmp_path / "rows/*/*.parquet")):
        assert str(mm.count(asked, resume=tmp_path / "kept", **HOW)) == str(whole)
    assert len([*(tmp_path / "kept").iterdir()]) == 2
    with pytest.raises(UsageError, match="runs that are counted apart cannot be compared"):
        mm.count(tmp_path / "rows", resume=tmp_path / "kept", for_="compare", **HOW)


def test_the_command_leaves_nothing_but_the_evidence(tmp_path, parts, run):
    target = tmp_path / "all.npz"
    status, out, err = run("count", str(parts), "--classes", "0..2", "--resume", "--for", "compare", "-o", str(target))
    assert (status, err) == (0, "")
    assert "evidence of classification, 2 runs" in out
    assert not (tmp_path / "all.npz.parts").exists()
    assert run("compare", str(target), "--measures", "accuracy")[0] == 0


def test_a_part_that_is_damaged_is_counted_anew(tmp_path, parts):
    found = str(mm.count(parts, resume=tmp_path / "kept", **HOW))
    one = sorted((tmp_path / "kept").iterdir())[1]
    one.write_bytes(one.read_bytes()[:300])
    assert str(mm.count(parts, resume=tmp_path / "kept", **HOW)) == found
    mm.merge([one])


class TestWhatIsWrong:
    def test_nothing_to_count_by_itself(self, tmp_path):
        rows(range(3)).write_csv(tmp_path / "one.csv")
        with pytest.raises(UsageError, match="there are no parts that resume could count by themselves"):
            mm.count(tmp_path / "one.csv", resume=tmp_path / "kept", **HOW)

    def test_what_is_no_file(self, tmp_path):
        with pytest.raises(UsageError, match="resume is for files, which can be read again"):
            mm.count(rows(range(3)), resume=tmp_path / "kept", **HOW)

    def test_partitions(self, tmp_path, parts):
        with pytest.raises(UsageError, match="deals out all items at once"):
            mm.count(parts, resume=tmp_path / "kept", partitions=3, **HOW)

    @pytest.mark.needs("spark")
    @pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
    def test_parts_on_a_cluster(self, tmp_path, parts):
        there = {"engine": "spark", "master": spark().address}
        for asked in (parts, parts.as_uri()):
            with pytest.raises(UsageError, match="resume counts files that are here, one by one; leave out resume or engine"):
                mm.count(asked, resume=tmp_path / "kept", **there, **HOW)
