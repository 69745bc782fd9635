"""Every benchmark starts and comes to its end at a tiny size. Times are judged by benchmarks/guard.py, every night."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
# What the others import or start, and who starts them.
NOT_RUN = {"harness", "file_contestants", "made_up_files", "agreement_peers", "guard", "ledger", "worlds", "simulations"}
TINY = {
    "agreement": ["--items", "60", "--trials", "5", "--repeats", "1"],
    "arrays": ["--items", "500", "--rows", "500", "--runs", "2", "--repeats", "1"],
    "axioms": ["--tables", "2", "--trials", "10", "--repeats", "1", "--measures", "accuracy"],
    "cluster_size": ["--shapes", "stacked", "--millions", "1", "--folder", "rows"],
    "error_rates": ["--repetitions", "2", "--only", "topics", "-o", "rates.json"],
    "explain": ["--items", "500", "--peer-items", "3", "--repeats", "1"],
    "from_files": ["--runs", "2", "--items", "200", "--stacked-rows", "2000", "--folder", "files", "--repeat", "1"],
    "jcml": ["--segments", "20", "--repeat", "1"],
    "many_tables": ["--tables", "50", "--peer-tables", "5", "--repeats", "1"],
    "meta_protocol": ["--trials", "20", "--threads", "1"],
    "on_gpu": ["--tables", "100", "--trials", "50", "--topics", "9", "--repeat", "1"],
    "one_million_items": ["--items", "500", "--repeats", "1"],
    "quantification": ["--pairs", "1000", "--repeats", "1"],
    "randomisation": ["--trials", "100", "--threads", "1", "--repeats", "1", "--large-topics", "10"],
    "battles": ["--battles", "2000", "--models", "4", "--judges", "50"],
    "ranks": ["--runs", "4", "--questions", "20", "--repeats", "1"],
    "rankings": ["--segments", "100", "--peer-segments", "20", "--repeats", "1"],
    "reading": ["--topics", "20", "--queries", "5", "--documents", "30", "--items", "60", "--repeat", "1"],
    "trial_alarms": [],  # the table of the trials that are kept
    "tests_side_by_side": ["--simulations", "1", "--trials", "19", "-o", "rates.csv"],
    "scaling": ["--largest", "0", "--repeats", "1", "--figures", "figures.json", "--chart", "chart.svg"],
}


NEEDED = {"quantification": "quapy", "reading": "ir_measures", "cluster_size": "spark"}


def marked(name):
    return pytest.param(name, marks=[pytest.mark.needs(NEEDED[name])] if name in NEEDED else [])


@pytest.mark.slow
@pytest.mark.parametrize("name", [marked(path.stem) for path in sorted(FOLDER.glob("*.py")) if path.stem not in NOT_RUN])
def test_starts_and_ends(name, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(FOLDER.parent / "src"), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(FOLDER / f"{name}.py"), *TINY[name]]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") > 3


@pytest.fixture
def guard(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module("guard")


class TestGuard:
    def test_every_benchmark_of_times_is_guarded(self, guard):
        # Simulations and trials time nothing; the peers of agreement have an environment of their own, accelerators a machine;
        # scaling, battles and the size of a cluster have no peers.
        assert {*guard.SMALL} == {*TINY} - {
            "error_rates",
            "tests_side_by_side",
            "agreement",
            "on_gpu",
            "scaling",
            "battles",
            "cluster_size",
            "trial_alarms",
        }
        assert {*json.loads(guard.RECORD.read_text(encoding="utf-8"))} <= {*guard.SMALL}

    def test_ratios_are_read_with_their_direction(self, guard):
        tables = [
            {"title": "", "header": ["what", "ours (s)", "ratio", "goal"], "rows": [["kappa", "0.1", "1,200 x", ">= 200 x"]]},
            {
                "title": "",
                "header": ["what", "DuckDB's time"],
                "rows": [["ours", "1.25 x"], ["DuckDB", "1.00 x"], ["other", "-"]],
            },
        ]
        assert guard.ratios(tables) == {"table 1, kappa, column 3": 1200, "table 2, ours, column 2": 0.8}

    def test_the_best_of_several_rounds_counts_and_1_3_is_the_limit(self, guard):
        recorded = {"a": 13.0, "b": 2.0}
        rounds = [{"a": 9.0, "b": 2.5}, {"a": 10.1, "b": 1.0}]
        assert guard.slower(rounds[0], recorded) == ["a"]
        assert guard.slower(guard.best(rounds), recorded) == []
        assert guard.slower({"a": 13.0}, recorded) == ["b"], "what is not measured any more is not passed over"

    @pytest.mark.slow
    @pytest.mark.parametrize(("recorded", "status", "said"), [(1e9, 1, "SLOWER"), (1e-9, 0, "ok")])
    def test_the_whole_of_it(self, tmp_path, recorded, status, said):
        """With one benchmark; the others are run by the nightly command itself."""
        shutil.copytree(FOLDER, tmp_path / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
        key = "table 1, kappa, column 4"
        (tmp_path / "benchmarks/guard.json").write_text(json.dumps({"many_tables": {key: recorded}}))
        command = [sys.executable, str(tmp_path / "benchmarks/guard.py"), "many_tables", "--rounds", "1"]
        environment = os.environ | {"PYTHONPATH": str(FOLDER.parent / "src")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, f"many_tables: 1 ratios, best of 1: {said}" in done.stdout) == (status, True), done.stderr
