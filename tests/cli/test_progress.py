"""Bars of progress: on a terminal, of what takes longer than two seconds, with rows and the time left; never elsewhere."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from metameasure.statistics import work

ROOT = Path(__file__).parents[2]
# The program as users start it, but for its patience: it does not wait two seconds, and looks at the engine more often.
PROGRAM = """
import sys
from metameasure.statistics import work
work._SILENT_SECONDS, work._PAUSE = 0.0, 0.001
from metameasure.cli import main
sys.exit(main(sys.argv[1:]))
"""


def on_a_terminal(*arguments, program=PROGRAM):
    """What a program writes to a pseudo-terminal as its standard error."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", program, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as child:
        os.close(theirs)
        written = b""
        while True:
            try:
                some = os.read(ours, 1 << 16)
            except OSError:  # the other side is closed
                break
            if not some:
                break
            written += some
        os.close(ours)
    assert child.returncode == 0, written
    return written.decode()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A million labels of gold and a run, as text and as Parquet."""
    folder = tmp_path_factory.mktemp("rows")
    for name, drawn in (("gold", 3), ("run", 4)):
        rows = duckdb.sql(f"SELECT 'item' || i AS item, hash(i, {drawn}) % 3 AS label FROM range(1000000) t(i)")  # noqa: S608
        rows.write_csv(str(folder / f"{name}.csv"))
        rows.write_parquet(str(folder / f"{name}.parquet"))
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["csv", pytest.param("parquet", marks=pytest.mark.slow)])
def test_reading_shows_rows_and_the_time_left(files, kind):
    call = ("evaluate", files / f"gold.{kind}", files / f"run.{kind}", "--classes", "0..2", "--threads", "1")
    written = on_a_terminal(*call)
    bars = re.findall(r"\r\[#*\.*\] \d+%  [\d,]+ of ([\d,]+) rows(  \d+ s left)?", written)
    totals = {int(total.replace(",", "")) for total, _ in bars}
    assert any(abs(total / 2_000_000 - 1) < 0.1 for total in totals), written[:500]  # gold's and the run's, found beforehand
    assert any(left for _, left in bars)
    assert "[" not in written.rpartition("\r")[2], "the bar is gone when the work is done"
    assert on_a_terminal(*call, "--quiet") == ""


def test_short_work_has_no_bar(tmp_path):
    plain = "import sys; from metameasure.cli import main; sys.exit(main(sys.argv[1:]))"
    for name in ("gold", "run"):
        (tmp_path / f"{name}.csv").write_text("item,label\na,0\nb,1\n")
    assert on_a_terminal("evaluate", tmp_path / "gold.csv", tmp_path / "run.csv", "--classes", "0..1", program=plain) == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_time_left_follows_from_the_time_taken(monkeypatch):
    screen, progress = Terminal(), work.Progress(200, "rows")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(time, "monotonic", lambda start=progress.start: start + 30)
    progress.step(50)
    assert screen.getvalue() == "\r[#####...............] 25%  50 of 200 rows  90 s left"
    progress.clear()
    assert screen.getvalue().rpartition("left")[2].strip(" \r") == ""


def test_two_seconds_are_short(monkeypatch):
    screen, progress = Terminal(), work.Progress(4)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(time, "monotonic", lambda start=progress.start: start + 2)
    progress.step()
    assert screen.getvalue() == ""


def test_parts_that_are_more_than_a_step(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(work, "_SILENT_SECONDS", -1.0)
    assert list(work.in_steps([[1, 2], [3]], 3, "runs", len)) == [[1, 2], [3]]
    assert re.findall(r"(\d+) of 3 runs", screen.getvalue()) == ["2", "3"]
