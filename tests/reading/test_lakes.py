"""Folders of Delta Lake and Iceberg hold files that are no longer part of the table: none of them is read file by file."""

import duckdb
import pytest

import metameasure as mm
from engines import spark
from metameasure.core.errors import UsageError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas", "ignore::DeprecationWarning")
LOGS = {"Delta Lake": "_delta_log/00000000000000000000.json", "Iceberg": "metadata/00000-a.metadata.json"}
DATA = {"Delta Lake": "", "Iceberg": "data"}


@pytest.fixture(params=LOGS)
def lake(request, tmp_path):
    """The folder of a table with a file that was replaced by another, and whose it is."""
    folder = tmp_path / "rows.parquet"
    (folder / DATA[request.param]).mkdir(parents=True)
    log = folder / LOGS[request.param]
    log.parent.mkdir()
    log.write_text('{"commitInfo": {}}\n')
    for name, label in (("old", 0), ("new", 1)):
        rows = f"SELECT 'one' AS run, 'i' || i AS item, 1 AS gold, {label} AS label FROM range(5) t(i)"  # noqa: S608
        duckdb.sql(rows).write_parquet(str(folder / DATA[request.param] / f"{name}.parquet"))
    return folder, request.param


def refused(asked, name, **more):
    with pytest.raises(UsageError, match=f"is a table of {name}, whose folder also holds files that are no longer part of it"):
        mm.evaluate(asked, classes="0,1", measures="accuracy", **more)


def test_a_folder_and_its_files_are_refused_by_name(lake):
    folder, name = lake
    refused(str(folder), name)
    refused(str(folder / DATA[name] / "*.parquet"), name)
    with pytest.raises(UsageError, match=f"is a table of {name}"):
        mm.evaluate(str(folder / DATA[name] / "new.parquet"), [str(folder)], classes="0,1", measures="accuracy")


@pytest.fixture
def deep(lake):
    """Such a table with folders for its parts, and a folder of one of them."""
    folder, name = lake
    part = folder / DATA[name] / "dt=1" / "hour=2"
    part.mkdir(parents=True)
    for path in (folder / DATA[name]).glob("*.parquet"):
        path.rename(part / path.name)
    return part, name


def test_what_is_below_such_a_folder_is_refused_too(deep):
    part, name = deep
    for asked in (part, part.parent, part.parent.parent, part / "*.parquet", part.parent / "*" / "*.parquet"):
        refused(str(asked), name)


def test_several_files_that_are_named_one_by_one_are_refused(deep, tmp_path):
    part, name = deep
    old, new, other = str(part / "old.parquet"), str(part / "new.parquet"), str(tmp_path / "other.parquet")
    duckdb.read_parquet(new).project("run, 'other ' || item AS item, gold, label").write_parquet(other)
    asked = {"classes": "0,1", "measures": "accuracy"}
    for gold, runs in ((old, [new]), (other, [old, new])):
        with pytest.raises(UsageError, match=f"is a table of {name}"):
            mm.evaluate(gold, runs, **asked)
    assert mm.evaluate(new, **asked)["one"] == {"accuracy": 1.0}
    assert mm.evaluate(new, [other], **asked)["one"] == {"accuracy": 1.0}


def test_tables_of_text_below_such_a_folder_are_read(deep):
    part, _ = deep
    for name in ("old", "new"):
        rows = duckdb.read_parquet(str(part / f"{name}.parquet")).project(f"'{name}' AS run, item, gold, label")
        rows.write_csv(str(part / f"{name}.csv"))
    found = mm.evaluate(str(part / "new.csv"), [str(part / "old.csv")], classes="0,1", measures="accuracy")
    assert found["old"] == {"accuracy": 0.0}


@pytest.mark.needs("spark")
def test_a_cluster_refuses_what_is_below_them(deep):
    part, name = deep
    where = {"engine": "spark", "master": spark().address}
    for asked in (part, part.parent):
        refused(str(asked), name, **where)
        refused(f"file://{asked}", name, **where)  # not as_uri(): Spark takes %3D as it stands
    refused(f"file://{part}/*.parquet", name, **where)
    asked = str(part / "old.parquet"), [str(part / "new.parquet")]
    with pytest.raises(UsageError, match=f"is a table of {name}"):
        mm.evaluate(*asked, classes="0,1", measures="accuracy", **where)
    found = mm.evaluate(f"file://{part}/new.parquet", classes="0,1", measures="accuracy", **where)
    assert found["one"] == {"accuracy": 1.0}


@pytest.mark.needs("spark")
def test_a_cluster_refuses_them_too(lake):
    folder, name = lake
    where = {"engine": "spark", "master": spark().address}
    refused(str(folder), name, **where)
    refused(folder.as_uri(), name, **where)


@pytest.mark.needs("spark")
def test_a_folder_of_parts_is_read(tmp_path):
    folder = tmp_path / "rows.parquet"
    folder.mkdir()
    for place in range(2):
        rows = f"SELECT 'one' AS run, 'i' || (i + 5 * {place}) AS item, 1 AS gold, {place} AS label FROM range(5) t(i)"  # noqa: S608
        duckdb.sql(rows).write_parquet(str(folder / f"part{place}.parquet"))
    for asked in (str(folder), folder.as_uri()):
        found = mm.evaluate(asked, classes="0,1", measures="accuracy", engine="spark", master=spark().address)
        assert found["one"] == {"accuracy": 0.5}
