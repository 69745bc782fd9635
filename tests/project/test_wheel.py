"""What is released builds, and works where there is nothing but it: new environments outside the checkout."""

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

import metameasure as mm
from conftest import ROOT

PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")


def called(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    called(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    return folder


@pytest.mark.slow
@pytest.mark.needs("build")
def test_what_the_files_hold(released):
    (wheel,) = released.glob("*.whl")
    assert wheel.name == f"metameasure-{mm.__version__}-py3-none-any.whl"
    held = zipfile.ZipFile(wheel).namelist()
    assert {"metameasure/py.typed", "metameasure/demo/gold.tsv"} <= {*held}
    assert not [name for name in held if name.startswith(("tests/", "docs/", "benchmarks/"))]
    (source,) = released.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "CITATION.cff", "AGENTS.md", "tests/conftest.py", "src/metameasure/py.typed"} <= names


@pytest.mark.slow
@pytest.mark.needs("build")
def test_they_work_on_a_clean_machine(released):
    there = [name for name in PYTHONS if shutil.which(name) and subprocess.run([name, "-c", ""], check=False).returncode == 0]
    wanted = [word for name in there or [sys.executable] for word in ("--python", name)]
    files = [*released.glob("*.whl"), *released.glob("*.tar.gz")]
    told = called(sys.executable, "tools/smoke.py", *files, *wanted)
    assert told.count(mm.__version__) >= len(files) * max(len(there), 1)


def test_the_version_is_written_once():
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == mm.__version__
    assert f"## {mm.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_release_is_tried_before_it_is_published():
    workflow = (ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8")
    assert "needs: smoke" in workflow
    assert "id-token: write" in workflow
    assert "password" not in workflow.partition("name: publish")[2]
