"""The oldest DuckDB that we support reads the same as the newest."""

import os
import subprocess
import sys

import pytest

from optional import OLDEST, ROOT


@pytest.mark.needs("oldest-duckdb")
def test_every_shape_with_the_oldest_engine():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (OLDEST, ROOT / "src", ROOT / "tests")))}
    version = subprocess.run(
        [sys.executable, "-c", "import duckdb; print(duckdb.__version__)"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert version.stdout.startswith("1.5")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "not spark"]
    done = subprocess.run(
        [*command, *(str(next((ROOT / "tests").rglob(name))) for name in ("test_one_reader.py", "test_engine_traps.py"))],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
