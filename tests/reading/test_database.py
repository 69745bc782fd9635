"""The engine's database, which a process keeps: calls do not see each other's tables, and a fork has one of its own."""

import subprocess
import sys

import pytest

import metameasure as mm
from metameasure.reading import duckdb_connection
from metameasure.reading.engine import Engine

GOLD, RUN = ["a", "b", "b", "a"], ["a", "b", "a", "a"]


def accuracy():
    return mm.evaluate(GOLD, {"run": RUN}, classes="a,b", measures="accuracy").averages()[0, 0]


def test_calls_share_a_database_and_nothing_in_it():
    one, other = Engine(), Engine()
    one.connection.execute("CREATE TEMP TABLE table_1 AS SELECT 1 AS a")
    assert other.connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'table_1'").fetchone() == (0,)
    kept = len(duckdb_connection._DATABASES)
    accuracy()
    assert len(duckdb_connection._DATABASES) == kept


def test_a_limit_of_memory_has_a_database_of_its_own():
    limited = Engine(memory="100MB").connection.execute("SELECT current_setting('memory_limit')").fetchone()[0]
    assert limited != Engine().connection.execute("SELECT current_setting('memory_limit')").fetchone()[0]


_FORKS = """
import os
import metameasure as mm
def accuracy():
    return mm.evaluate(["a", "b", "b", "a"], {"run": ["a", "b", "a", "a"]}, classes="a,b", measures="accuracy").averages()[0, 0]
print(accuracy(), flush=True)
for again in (True, False):
    child = os.fork()
    if not child:
        if again:
            print(accuracy(), flush=True)
        raise SystemExit
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.mark.needs("fork")
def test_a_fork_of_the_process_evaluates_too():
    """And ends as it should, whether it does or not. It is a fork of a process of our own: libraries that other tests load may
    not like to be forked."""
    printed = subprocess.run([sys.executable, "-c", _FORKS], capture_output=True, text=True, timeout=120, check=True).stdout
    assert printed.split() == ["0.75", "0.75", "0", "0"]
