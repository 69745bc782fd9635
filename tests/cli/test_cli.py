"""``metameasure measures`` and what all commands share: help, errors, exit status."""

import csv
import io
import json
import subprocess
import sys

import pytest

import metameasure as mm
from metameasure.cli.main import COMMANDS


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], *([command, "--help"] for command in COMMANDS)])
def test_help(run, arguments):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert out.startswith("Usage: metameasure")


def test_help_lists_every_command(run):
    _, out, _ = run("--help")
    assert all(command in out for command in COMMANDS)


def test_version(run):
    assert run("--version") == (0, f"metameasure, version {mm.__version__}\n", "")


def test_no_command_shows_help(run):
    status, out, err = run()
    assert (status, out) == (2, "")
    assert "Commands:" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["meazures"], "there is no command 'meazures'; did you mean 'measures'"),
        (["measures", "cem_rod"], "there is no measure 'cem_rod'; did you mean 'cem_ord'"),
        (["measures", "--task", "cooking"], "there is no task 'cooking'; the tasks are agreement, classification, entailment"),
        (["measures", "--format", "yaml"], "'yaml' is not one of 'table', 'json'"),
        (["measures", "--wrong"], "No such option"),
        (["measures", "a", "b"], "unexpected extra argument"),
        (["measures", "--plugin", "nowhere.py"], "there is no file 'nowhere.py'"),
        (["measures", "--check"], "no measure to check"),
    ],
)
def test_wrong_calls_exit_with_2(run, arguments, complaint):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert complaint in err
    assert "Traceback" not in err


def test_debug_shows_the_traceback_wherever_it_stands(run):
    status, _, err = run("measures", "cem_rod", "--debug")
    assert status == 2
    assert "Traceback" in err


def test_a_bug_is_one_line(run, monkeypatch):
    def broken():
        raise RuntimeError("oops")

    monkeypatch.setattr("metameasure.cli.measures.default_registry", broken)
    status, out, err = run("measures")
    assert (status, out) == (1, "")
    assert err == "metameasure: internal error: RuntimeError: oops; please report it, with what --debug prints\n"


def test_interrupted(run, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("metameasure.cli.measures.default_registry", interrupt)
    status, out, err = run("measures")
    assert (status, out) == (130, "")
    assert err.strip() == "metameasure: interrupted"


def test_list(run):
    status, out, err = run("measures")
    assert (status, err) == (0, "")
    ids = [line.split()[0] for line in out.splitlines() if line and line[-1] != "?" and line[0] != "─" and line[:3] != "id "]
    assert sorted(ids) == sorted(measure.template for measure in mm.measures.all)


def test_list_in_every_format(run):
    rows = list(csv.DictReader(io.StringIO(run("measures", "--format", "csv")[1])))
    ids = [measure.template for measure in mm.measures.all]  # those that several tasks have stand there for each
    assert [row["id"] for row in rows] == ids
    tabbed = list(csv.DictReader(io.StringIO(run("measures", "--format", "tsv")[1]), delimiter="\t"))
    assert tabbed == rows
    listed = json.loads(run("measures", "--format", "json")[1])["measures"]
    assert [measure["id"] for measure in listed] == ids
    questions = {measure.question for measure in mm.measures.all}
    assert run("measures", "--format", "markdown")[1].count("\n") == len(ids) + 5 * len(questions) - 1
    latex = run("measures", "--format", "latex")[1]
    assert r"mae\_macro & $\mathrm{MAE}^{\mathrm{M}}$ & $\downarrow$" in latex


def test_one_measure_explained(run):
    status, out, err = run("measures", "cem_ord")
    assert (status, err) == (0, "")
    for part in (
        "cem_ord: Closeness Evaluation Measure, ordinal (CEM^ORD)",
        "higher is better; range 0 to 1, 1 for a perfect output; assumes an ordinal scale",
        "prox_gp = -log2(K_gp / N)",
        "Undefined",
        "Sakai (2021), Eq. 3-4",
        "cem_ord is 0.8678 for gold",
    ):
        assert part in out


@pytest.mark.parametrize("name", [*mm.measures, "accuracy@2", "recall@neg", "oci@gamma=2"])
def test_every_measure_can_be_explained_in_every_format(run, name):
    for format in ("table", "json", "csv", "tsv", "markdown", "latex"):
        status, out, err = run("measures", name, "--format", format)
        assert (format, status, err) == (format, 0, "")
        assert out.endswith("\n"), format


def test_an_alias_says_what_it_is_an_alias_of(run):
    assert run("measures", "maac")[1].startswith("maac is another name of macro_recall.\n")


def test_explained_as_json(run):
    told = json.loads(run("measures", "mutual_information", "--format", "json")[1])
    assert told["better"] == "higher"
    assert told["range"] == [0, "log2 C"]
    assert told["perfect"] is None
    assert told["aliases"] == ["mi"]


def test_check_reports_each_test(run):
    status, out, err = run("measures", "accuracy", "--check")
    assert (status, err) == (0, "")
    assert "ok     accuracy: batch equals loop" in out


def test_as_a_module_and_into_a_closed_pipe():
    command = f"{sys.executable} -m metameasure measures | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().endswith("?")  # what the first measures are asked for


def test_a_terminal_that_lacks_a_symbol_gets_one_that_looks_like_it():
    program = [sys.executable, "-m", "metameasure", "measures", "kappa"]
    done = subprocess.run(program, capture_output=True, check=True, env={"PYTHONIOENCODING": "latin-1", "PATH": ""})
    assert b"kappa: Cohen's kappa (k)" in done.stdout
