"""The notebooks run from their first cell to their last, and show what they say."""

import json
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TOOL = runpy.run_path(str(DOCS / "notebooks.py"))


def outputs(notebook):
    """What the cells show as text, whatever the version."""
    shown = [one.get("text") or one["data"]["text/plain"] for cell in notebook["cells"] for one in cell.get("outputs", [])]
    return [re.sub(r"version:\S+", "", "".join(text)) for text in shown]


@pytest.mark.parametrize("file", TOOL["NOTEBOOKS"], ids=lambda file: file.stem)
def test_every_cell_runs_and_shows_what_it_did(file):
    """Numbers may differ with versions of scikit-learn; that there is something to see may not."""
    pytest.importorskip("sklearn")
    kept = json.loads(file.read_text(encoding="utf-8"))
    found = TOOL["executed"](kept)
    assert len(outputs(found)) == len(outputs(kept)) >= 8
    for now, before in zip(outputs(found), outputs(kept), strict=True):
        assert now.split()[:1] == before.split()[:1]


def test_the_shared_task_is_the_demo_and_its_numbers_stand():
    kept = json.loads((DOCS / "shared-task.ipynb").read_text(encoding="utf-8"))
    assert outputs(TOOL["executed"](kept)) == outputs(kept)


def test_they_are_notebooks():
    assert [file.stem for file in TOOL["NOTEBOOKS"]] == ["shared-task", "six-classifiers"]
    for file in TOOL["NOTEBOOKS"]:
        kept = json.loads(file.read_text(encoding="utf-8"))
        assert (kept["nbformat"], kept["metadata"]["kernelspec"]["language"]) == (4, "python")
        assert len({cell["id"] for cell in kept["cells"]}) == len(kept["cells"])
        assert all(cell["outputs"] == [] or cell["execution_count"] for cell in kept["cells"] if cell["cell_type"] == "code")
