"""Commands that write, killed and interrupted at random moments. ``tools/bad_days.py`` does it two hundred times."""

import signal

import pytest

import interrupting
from interrupting import Interrupter

SOME = ("evaluate, Parquet", "convert", "codabench")


@pytest.fixture(scope="module")
def interrupter(tmp_path_factory):
    with Interrupter(tmp_path_factory.mktemp("interrupts"), SOME) as one:
        yield one


@pytest.mark.each_time(1)
@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("name", SOME)
def test_files_are_whole_or_not_there(interrupter, name, kill):
    interrupter.trial(name, kill, seed=0)
    count = interrupter.count
    assert (count.partial, count.traces, count.statuses) == ([], [], [])


def test_the_judge_sees_a_partial_file_and_a_traceback(interrupter, monkeypatch):
    """A judge that finds nothing may be asleep."""
    monkeypatch.setattr(interrupter, "count", interrupting.Count())
    (interrupter.folder / "SIGINT-x-converted.jsonl").write_text('{"item":')
    whole, _ = interrupter.whole["convert"]
    interrupter.judge("convert", signal.SIGINT, "SIGINT-x-", 1, "Traceback (most recent call last):", whole)
    count = interrupter.count
    assert count.partial == [("convert", "SIGINT-x-converted.jsonl")]
    assert [name for name, _ in count.traces] == ["convert"]
    assert [status for _, status, _ in count.statuses] == [1]
