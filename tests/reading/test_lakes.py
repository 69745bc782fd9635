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
