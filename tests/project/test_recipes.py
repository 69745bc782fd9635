"""The recipes of docs/scale.md for counting part by part, run as they stand there: all give the evidence of the whole."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import metameasure as mm
from project.test_docs import ROOT, blocks

CLASSES = ["neg", "neu", "pos"]
FILES = {name: text for _, name, text in blocks(ROOT / "docs/scale.md") if name}
RECIPES = {
    "count_parts.sh": "shell.npz", "count_processes.py": "processes.npz", "count_dask.py": "dask.npz", "count_ray.py": "ray.npz",
    "count_part.sbatch": "slurm.npz", "count_dag.py": "airflow.npz",
}  # fmt: skip


AIRFLOW = {
    "sdk.py": """
import subprocess


class DAG:
    tasks = []

    def __init__(self, name, *, start_date, schedule):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        waiting = list(self.tasks)
        while waiting:
            ready = [task for task in waiting if not any(before in waiting for before in task.after)]
            for task in ready:
                subprocess.run(["bash", "-c", task.command], check=True)
                waiting.remove(task)
""",
    "providers/standard/operators/bash.py": """
from airflow.sdk import DAG


class BashOperator:
    def __init__(self, *, task_id, bash_command):
        self.command, self.after = bash_command, []
        DAG.tasks.append(self)

    def __rshift__(self, other):
        other.after.append(self)
        return other
""",
}
"""As much of Airflow as starts tasks one after the other."""


@pytest.fixture
def folder(tmp_path):
    """The files of the page, and the command as a shell finds it."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/metameasure"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m metameasure "$@"\n')
    command.chmod(0o755)
    return tmp_path


def started(folder, *command, **more):
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")} | more
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_recipe_is_there():
    assert {name for name in FILES if name.startswith("count_")} == {*RECIPES}


NEEDED = {"count_dask.py": "distributed", "count_ray.py": "ray"}


@pytest.mark.each_time(1)
@pytest.mark.parametrize(
    "recipe", [pytest.param(name, marks=[pytest.mark.needs(NEEDED[name])] if name in NEEDED else []) for name in RECIPES]
)
def test_a_recipe(folder, recipe):
    if recipe == "count_dag.py":  # as plain processes, each after those that it waits for
        for name, text in AIRFLOW.items():
            (folder / "airflow" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "airflow" / name).write_text(text)
        started(folder, sys.executable, recipe, PYTHONPATH=f"{folder}:{ROOT / 'src'}")
    elif recipe.endswith(".py"):
        started(folder, sys.executable, recipe)
    elif recipe.endswith(".sh"):
        started(folder, "sh", recipe)
    else:  # what Slurm does, of which a shell needs to know no more than the number of the job
        for number in ("1", "2"):
            started(folder, "sh", recipe, SLURM_ARRAY_TASK_ID=number)
        started(folder, "sh", "merge_parts.sbatch")
    sides = []
    for side in ("gold", "svm"):
        rows = [(folder / f"part{part}/{side}.tsv").read_text().split("\n", 1)[1] for part in (1, 2)]
        sides.append(folder / f"{side}.tsv")
        sides[-1].write_text("item\tlabel\n" + "".join(rows))
    found, expected = mm.evaluate(folder / RECIPES[recipe]), mm.evaluate(sides[0], [sides[1]], classes=CLASSES)
    assert found.to_dict() == expected.to_dict()
