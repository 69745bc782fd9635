"""CONTRIBUTING.md is true: its files are written into a copy of the package, and its commands print what it says."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap

import pytest

from conftest import ROOT
from test_docs import BLOCK, links

PAGE = ROOT / "CONTRIBUTING.md"
INDENTED = re.compile(r"^ +```.*?^ +```$", re.MULTILINE | re.DOTALL)


def sections():
    """The page by heading, its steps' blocks as if they were not indented."""
    text = PAGE.read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return {
        title: [(match[1], match[2], match[3]) for match in BLOCK.finditer(INDENTED.sub(lambda m: textwrap.dedent(m[0]), body))]
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def file_of(title, name):
    """The text of a file that a section of the page writes."""
    return next(text for _, file, text in sections()[title] if file and file.endswith(name))


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of what is extended."""
    folder = tmp_path_factory.mktemp("package")
    for part in ("src", "docs", "examples", "benchmarks"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def command_in(folder):
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )

    return run


ADDED = [title for title in sections() if title.startswith("Add a")]


@pytest.mark.parametrize("title", ADDED)
def test_the_steps_lead_where_they_say(package, title):
    run, added, tried = command_in(package), [], 0
    for language, file, text in sections()[title]:
        if file:
            (package / file).parent.mkdir(parents=True, exist_ok=True)
            (package / file).write_text(text, encoding="utf-8")
            added += [file] if language == "python" else []
            continue
        if language != "console":
            continue
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            words = shlex.split(command)
            done = run("-m", "metameasure", *words[1:]) if words[0] == "metameasure" else run(*words[1:])
            said = done.stdout + done.stderr
            assert (done.returncode == 0) == ("broken" not in command), done.stderr
            wanted = expected.removesuffix("\n") if expected.endswith("\n...\n") else expected  # more lines, or none
            assert doctest.OutputChecker().check_output(wanted, said, doctest.ELLIPSIS), f"$ {command}\n{said}"
            tried += 1
    assert added
    assert tried
    for tool in (("ruff", "check", "--no-cache"), ("ruff", "format", "--check", "--no-cache")):
        done = run("-m", *tool, *added)
        assert done.returncode == 0, done.stdout


def test_a_measure_a_format_a_question_and_a_task_are_here():
    assert {"Set up", "Test", "Add a measure", "Add a format", "Add a question", "Add a task"} <= {*sections()}
    for title in ADDED:
        assert sum(language == "python" for language, file, _ in sections()[title] if file) in (1, 2, 3)


# What docs/generate.py does, but for the search for properties and the pictures, which take a minute.
QUICKLY = """
import json, sys
sys.path.insert(0, "docs")
import generate, verdicts
kept = json.loads(verdicts.KEPT.read_text(encoding="utf-8")) | {"digest": verdicts.digest()}
verdicts.KEPT.write_text(json.dumps(kept), encoding="utf-8")
for page, text in generate.texts().items():
    page.write_text(text, encoding="utf-8")
"""


@pytest.mark.parametrize(
    "how", [("-c", QUICKLY), pytest.param(("docs/generate.py",), marks=pytest.mark.slow)], ids=["quick", "all"]
)
def test_the_page_of_a_new_measure(package, how):
    """docs/generate.py and the conformance tests know it without being told."""
    name = "src/metameasure/catalogue/classification/error_rate.py"
    (package / name).write_text(file_of("Add a measure", "error_rate.py"), encoding="utf-8")
    shutil.copy(ROOT / "tests/test_conformance.py", package)
    run = command_in(package)
    assert "error_rate" in run("-m", "metameasure", "measures").stdout
    done = run(*how)
    assert done.returncode == 0, done.stderr
    assert "[`error_rate`](measures/error_rate.md)" in (package / "docs/catalogue.md").read_text(encoding="utf-8")
    assert "Err = 1 - Σ" in (package / "docs/measures/error_rate.md").read_text(encoding="utf-8")
    chosen = ("-c", os.devnull, "-q", "-p", "no:cacheprovider", "test_conformance.py", "-k", "error_rate and test_conformance")
    done = run("-m", "pytest", *chosen)
    assert " passed" in done.stdout, done.stdout + done.stderr


def test_links_lead_somewhere():
    for target in links(PAGE):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_commands_are_those_of_the_readme_and_ci():
    text = PAGE.read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in readme.splitlines() if line.endswith("python -m pytest"))
    assert command in text.splitlines()
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    for named in re.findall(r"`?\.venv/bin/python (\S+\.py)", text):
        assert (ROOT / named).exists(), named


def test_github_calls_ci_and_pre_commit_the_same_tools():
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +(?:- )?run: (.*)$", workflow, re.MULTILINE) == [".ci/run"]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +entry: (.*)$", hooks, re.MULTILINE)
    assert [entry.split()[:2] for entry in entries] == [["ruff", "check"], ["ruff", "format"], ["mypy"], ["lint-imports"]]
    tooling = (ROOT / "tests/test_tooling.py").read_text(encoding="utf-8")
    assert all(entry.split()[0].replace("-", "_") in tooling for entry in entries)
