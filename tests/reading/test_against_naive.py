"""Random messy but legal inputs against a naive reader and scorer, for every task and the options that change numbers.

tests/against_naive.py makes the inputs and knows what is right."""

import json
import math

import pytest

from against_naive import TASKS

SOME, MANY = 8, 1500


def assert_as_naive(run, folder, task, seed):
    case, call, expected = TASKS[task](folder, seed)
    shown = " ".join(map(str, call))
    status, out, err = run(*call)
    assert status == 0, f"{task} {seed}: {shown}\n{err}"
    answer = json.loads(out)
    runs = {row["run"]: row for row in answer["runs"]}
    assert runs.keys() == expected.keys(), shown
    assert {measure["id"] for measure in answer["measures"]} >= {*case.measures}, shown
    for name, measures in expected.items():
        for measure, values in measures.items():
            for kind, value in zip(("scores", "pooled"), values, strict=True):
                ours = runs[name][kind].get(measure)
                if kind == "pooled" and (ours is None) and task in ("trec", "ranking"):
                    continue  # lists have no value with all topics as one
                ours = math.nan if ours is None else float(ours)
                same = ours == pytest.approx(float(value), rel=1e-9, abs=1e-9, nan_ok=True)
                assert same, f"{task} {seed}: {name} {kind} {measure} {ours}, naive {float(value)}\n{shown}"


@pytest.mark.each_time(1)
@pytest.mark.parametrize("task", TASKS)
def test_as_naive(run, tmp_path, task):
    for seed in range(SOME):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert_as_naive(run, folder, task, seed)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_as_naive_ten_thousand_times(run, tmp_path, task):
    for seed in range(SOME, SOME + MANY):
        folder = tmp_path / str(seed)
        folder.mkdir()
        assert_as_naive(run, folder, task, seed)
