"""The GitHub Action: its steps are run as a runner would run them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

ACTION = Path(__file__).parents[2] / "action.yml"
STEP = re.compile(r"^    - name: (\w+)\n(.*?)(?=^    - name:|\Z)", re.MULTILINE | re.DOTALL)


def steps():
    """The shell script of each step, by its name. No parser of YAML is needed for a file of ours."""
    found = {}
    for name, body in STEP.findall(ACTION.read_text(encoding="utf-8")):
        _, _, script = body.partition("      run: ")
        found[name] = "\n".join(line.removeprefix("        ") for line in script.removeprefix("|\n").splitlines())
    return found


def run(folder, arguments, undecided=""):
    """The step that gates, in a folder; its exit status, its outputs and the summary."""
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    own = Path(sys.executable).parent
    environment = os.environ | {name: str(file) for name, file in files.items()}
    environment |= {"ARGUMENTS": arguments, "UNDECIDED": undecided, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}"}
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()["Gate"]]  # as GitHub calls it
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done, *(file.read_text(encoding="utf-8") for file in files.values())


@pytest.fixture
def folder(tmp_path):
    for name, scores in (("old", [1] * 92 + [0] * 8), ("new", [1] * 80 + [0] * 12 + [1] * 8)):
        pd.DataFrame({"item": range(100), "score": scores}).to_csv(tmp_path / f"{name} one.csv", index=False)
    return tmp_path


@pytest.mark.parametrize(
    ("margin", "undecided", "status", "verdict"),
    [
        (".15", "", 0, "pass"),
        pytest.param(".02", "", 4, "undecided", marks=pytest.mark.slow),  # the status that gate itself has
        (".02", "fail", 3, "undecided"),
    ],
)
def test_the_gate_of_the_action(folder, margin, undecided, status, verdict):
    done, output, summary = run(folder, f"'old one.csv' 'new one.csv' --margin {margin}", undecided)
    assert done.returncode == status, done.stderr
    assert output == f"verdict={verdict}\n"
    assert summary.startswith("## metameasure gate\n\n| measure |")
    assert verdict.upper() in summary


def test_wrong_calls_have_no_verdict_and_arguments_are_no_commands(folder):
    done, output, summary = run(folder, "'old one.csv' 'new one.csv'")
    assert (done.returncode, output, summary) == (2, "", "")
    assert "no margin was chosen" in done.stderr
    done, *_ = run(folder, "'old one.csv' $(touch hacked) --margin .1; touch hacked")
    assert done.returncode == 2
    assert not (folder / "hacked").exists()


def test_the_action_installs_what_it_is_told():
    assert steps()["Install"] == "python -m pip install --quiet $INSTALL"
