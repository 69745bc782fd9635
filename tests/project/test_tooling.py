"""The project's own rules, kept by the tools that check them."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from metameasure.evidence.base import Evidence
from metameasure.evidence.swapped import Swapped
from metameasure.tasks.base import Task
from metameasure.tasks.declaration import declaration, declarations
from metameasure.tasks.run_tables import RunTables

ROOT = Path(__file__).parents[2]


def check_tool(*arguments):
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_lint():
    check_tool("ruff", "check", "--no-cache", ".")


def test_ruff_format():
    check_tool("ruff", "format", "--check", "--no-cache", ".")


def test_ci_checks_the_types():
    """By itself: it takes 20 seconds where nothing is kept from last time."""
    assert ".venv/bin/mypy" in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_layers():
    from importlinter.cli import lint_imports

    program = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    assert callable(lint_imports)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_calls_exactly_the_readmes_test_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in readme.splitlines() if line.endswith("python -m pytest"))
    assert command in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_changelog_names_the_version():
    from metameasure import __version__

    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading[1] == __version__.split(".dev")[0]


def test_one_evaluate_is_a_short_walk_that_the_architecture_shows():
    done = subprocess.run(
        [sys.executable, "tools/walk.py", "--list"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    shown = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert done.stdout in shown, "python tools/walk.py --write puts the list into docs/architecture.md"
    assert int(re.search(r"^(\d+) modules", done.stdout, re.MULTILINE)[1]) <= 50


def test_no_module_is_too_long_to_read():
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "src").rglob("*.py")}
    assert not {path.relative_to(ROOT / "src/metameasure").as_posix() for path, number in lines.items() if number > 700}


def test_every_room_has_its_tests_under_its_name():
    """What is not called like a room is about the project, or data."""
    rooms = {path.parent.name for path in (ROOT / "src/metameasure").glob("*/__init__.py")}
    tests = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert tests == {*rooms, "project"}


def counted(text):
    rows = re.findall(r"^\| (`[^|]*`) \| (\d+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
    return {call: [int(number.replace(",", "")) for number in numbers] for call, *numbers in rows}


@pytest.mark.slow
def test_the_architecture_shows_about_how_many_functions_run():
    done = subprocess.run([sys.executable, "tools/walk.py"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    shown, now = counted((ROOT / "docs/architecture.md").read_text(encoding="utf-8")), counted(done.stdout)
    assert list(shown) == list(now)
    for call, numbers in now.items():
        assert shown[call] == pytest.approx(numbers, rel=0.1), f"{call}: python tools/walk.py --write"


def _kinds(base):
    return {base.__name__, *(name for kind in base.__subclasses__() for name in _kinds(kind))}


def test_nobody_outside_asks_of_what_class_a_task_or_its_evidence_is():
    """They answer what others need to know: ``tasks/base.py`` and ``evidence/base.py`` have the questions."""
    for name in declarations():
        _ = declaration(name).task
    kinds = _kinds(Evidence) | _kinds(Task) | _kinds(Swapped) | _kinds(RunTables)
    assert {"LabelCounts", "Judgements", "Rankings", "LabelTask", "Ranking", "ItemScores", "Outputs", "LabelTables"} <= kinds
    found = []
    for file in sorted((ROOT / "src/metameasure").rglob("*.py")):
        if {"tasks", "evidence"} & {*file.relative_to(ROOT / "src/metameasure").parts}:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "issubclass"):
                asked = {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
                found += [f"{file.name}:{node.lineno} {name}" for name in sorted(asked & kinds)]
    assert not found
