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
    "count_part.sbatch": "slurm.npz",
}  # fmt: skip


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


@pytest.mark.parametrize(
    "recipe", [pytest.param(name, marks=[pytest.mark.needs(NEEDED[name])] if name in NEEDED else []) for name in RECIPES]
)
def test_a_recipe(folder, recipe):
    if recipe.endswith(".py"):
        started(folder, sys.executable, recipe)
    elif recipe.endswith(".sh"):
        started(folder, "sh", recipe)
    else:  # what Slurm does, of which a shell needs to know no more than the number of the job
        for number in ("1", "2"):
            started(folder, "sh", recipe, SLURM_ARRAY_TASK_ID=number)
        started(folder, "metameasure", "merge", "part*.npz", "-o", RECIPES[recipe])
    sides = []
    for side in ("gold", "svm"):
        rows = [(folder / f"part{part}/{side}.tsv").read_text().split("\n", 1)[1] for part in (1, 2)]
        sides.append(folder / f"{side}.tsv")
        sides[-1].write_text("item\tlabel\n" + "".join(rows))
    found, expected = mm.evaluate(folder / RECIPES[recipe]), mm.evaluate(sides[0], [sides[1]], classes=CLASSES)
    assert found.to_dict() == expected.to_dict()
