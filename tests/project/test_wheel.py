"""The wheel builds, and works where there is nothing but it: a new environment outside the checkout."""

import os
import subprocess
import sys
import zipfile

import pytest

import metameasure as mm
from conftest import ROOT


def called(*arguments, where):
    """A command in a folder, without anything of the environment of these tests."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "COV"))}
    done = subprocess.run(
        [str(one) for one in arguments], cwd=where, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_wheel_works_on_a_clean_machine(tmp_path):
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    called(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, ROOT, where=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name == f"metameasure-{mm.__version__}-py3-none-any.whl"
    held = zipfile.ZipFile(wheel).namelist()
    assert {"metameasure/py.typed", "metameasure/demo/gold.tsv"} <= {*held}
    assert not [name for name in held if name.startswith(("tests/", "docs/", "benchmarks/"))]

    called(sys.executable, "-m", "venv", tmp_path / "clean", where=tmp_path)
    python = tmp_path / "clean" / ("Scripts" if os.name == "nt" else "bin") / "python"
    called(python, *pip, "install", wheel, where=tmp_path)
    assert called(python, "-c", "import metameasure; print(metameasure.__file__)", where=tmp_path).startswith(str(tmp_path))
    assert mm.__version__ in called(python.with_name("metameasure"), "--version", where=tmp_path)
    assert "cem_ord" in called(python.with_name("metameasure"), "demo", "-o", "page.html", where=tmp_path)
    assert (tmp_path / "page.html").stat().st_size > 100_000
