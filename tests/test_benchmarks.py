"""Every benchmark starts and comes to its end at a tiny size. Times are not judged."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
NOT_RUN = {"harness", "file_contestants", "made_up_files", "agreement_peers"}  # what the others import or start
TINY = {
    "agreement": ["--items", "60", "--trials", "5", "--repeats", "1"],
    "axioms": ["--tables", "2", "--trials", "10", "--repeats", "1", "--measures", "accuracy"],
    "error_rates": ["--simulations", "1", "--trials", "19", "-o", "rates.csv"],
    "from_files": ["--runs", "2", "--items", "200", "--stacked-rows", "2000", "--folder", "files", "--repeat", "1"],
    "jcml": ["--segments", "20", "--repeat", "1"],
    "judges": ["--simulations", "2", "--trials", "19", "--worlds", "2", "-o", "rates.csv"],
    "many_tables": ["--tables", "50", "--peer-tables", "5", "--repeats", "1"],
    "meta_protocol": ["--trials", "20", "--threads", "1"],
    "one_million_items": ["--items", "500", "--repeats", "1"],
    "quantification": ["--pairs", "1000", "--repeats", "1"],
    "randomisation": ["--trials", "100", "--threads", "1", "--repeats", "1", "--large-topics", "10"],
    "rankings": ["--segments", "100", "--peer-segments", "20", "--repeats", "1"],
    "reading": ["--topics", "20", "--queries", "5", "--documents", "30", "--items", "60", "--repeat", "1"],
}


@pytest.mark.parametrize("name", sorted({path.stem for path in FOLDER.glob("*.py")} - NOT_RUN))
def test_starts_and_ends(name, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(FOLDER.parent / "src"), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(FOLDER / f"{name}.py"), *TINY[name]]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    missing = re.fullmatch(r"[\w-]+ is not installed: .*", done.stderr.strip())
    if done.returncode and missing:
        pytest.skip(missing[0])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") > 3
