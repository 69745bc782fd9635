"""tools/recording.py: what calls answer is written down, and a difference shows."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("pandas")
pytest.importorskip("polars")
pytest.importorskip("pyarrow")

TOOL = Path(__file__).parents[2] / "tools/recording.py"
A_FEW = (
    r"^(evaluate wide.csv --classes neg,neu,pos --run-columns ann,cyd|evaluate tsv/gold.tsv broken/twice|mm.counts\(GOLD, RUN)"
)


@pytest.fixture(scope="module")
def recording():
    spec = importlib.util.spec_from_file_location("recording", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def answers(recording):
    return recording.recorded(A_FEW)


def test_status_output_and_problems_are_written_down(answers):
    assert [answer["status"] for answer in answers.values()] == [0, 1, 0]
    table, problem, counts = answers.values()
    assert table["out"].startswith("rank  run")
    assert "again (first in line 5)" in problem["err"]
    assert sum(map(sum, json.loads(counts["out"]))) == 50


def test_the_same_calls_answer_the_same(recording, answers):
    assert recording.recorded(A_FEW) == answers


def test_a_difference_shows_and_nothing_else_does(recording, answers):
    assert list(recording.differences(answers, answers)) == []
    call = next(iter(answers))
    changed = {**answers, call: {**answers[call], "status": 1, "out": answers[call]["out"].replace("ann", "eve")}}
    lines = list(recording.differences(answers, changed))
    assert lines[:2] == [f"\n$ {call}", "status: 0 -> 1"]
    assert any(line.startswith("-") and "  ann" in line for line in lines)
    assert any(line.startswith("+") and "  eve" in line for line in lines)


def test_there_are_some_300_calls_of_which_60_are_wrong(recording):
    before = recording.read(TOOL.with_suffix(".json.gz"))
    assert len(before) > 300
    assert sum(answer["status"] != 0 for answer in before.values()) > 60
    commands = {call.split()[1] for call in before if call.startswith("metameasure")}
    assert {"evaluate", "compare", "meta", "table", "agree", "judge", "count", "merge", "convert", "report", "design"} <= commands


def test_last_digits_may_be_left_out_of_a_comparison(recording):
    answer = {"status": 0, "out": '{"low": 0.6492369596625033, "value": -2.2e-16}', "err": "", "files": []}
    other = {**answer, "out": '{"low": 0.6492369596625032, "value": -2.5e-16}'}
    wrong = {**answer, "out": '{"low": 0.6492369596, "value": -2.5e-16}'}
    first, second, third = (recording.rounded({"call": one}, 12) for one in (answer, other, wrong))
    assert list(recording.differences(first, second)) == []
    assert list(recording.differences(first, third)) != []
