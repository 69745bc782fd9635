"""The documentation is true: generated pages are current, links lead somewhere, every example runs and prints what it says."""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import metameasure
from metameasure.cli import main

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "docs/walks")
PAGES = [ROOT / "README.md", ROOT / "AGENTS.md", *(page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md")))]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    return [(match[1], match[2], match[3]) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def links(page):
    return re.findall(r"\]\(([^)#]+)", re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8"))))


def page_id(page):
    return str(page.relative_to(ROOT))


def test_generated_pages_are_current():
    done = subprocess.run([sys.executable, ROOT / "docs/generate.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "page",
    [
        *PAGES,
        *(
            page
            for folder in ("measures", "meta", "properties", "studies")
            for page in sorted((ROOT / "docs" / folder).glob("*.md"))
        ),
    ],
    ids=page_id,
)
def test_links_lead_somewhere(page):
    for target in links(page):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@pytest.mark.each_time(16)
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_examples_run(page, tmp_path, monkeypatch):
    """In the order of the page and in one folder: files named behind the language are written, sessions are replayed.

    The files of ``metameasure demo --copy demo`` are there, except where the page itself makes that call or copies them.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    copies = ("$ metameasure demo --copy demo", 'copytree(folder, "demo")')
    if not any(one in page.read_text(encoding="utf-8") for one in copies):
        shutil.copytree(Path(metameasure.__file__).parent / "demo", tmp_path / "demo")
    session = {}
    for language, file, text in blocks(page):
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif language == "pycon":
            check_python_session(text, session, page)
        elif language == "console":
            check_console_session(text)


def check_python_session(text, session, page):
    example = doctest.DocTestParser().get_doctest(text, session, page.name, str(page), 0)
    output = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=output.write, clear_globs=False)
    session |= example.globs
    assert runner.failures == 0, output.getvalue()


def check_console_session(text):
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            run_one(command)
        assert doctest.OutputChecker().check_output(expected, printed.getvalue(), doctest.ELLIPSIS), (
            f"$ {command}\nshould print\n{expected}\nbut prints\n{printed.getvalue()}"
        )


def run_one(command):
    words = shlex.split(command)
    if words[0] == "metameasure":
        main(words[1:])
    else:
        assert words[0] in ("python", "pytest"), f"the tests do not know how to run '{words[0]}'"
        arguments = words[1:] if words[0] == "python" else ["-m", "pytest", *words[1:]]
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
        sys.stdout.write(done.stdout + done.stderr)


def test_doctests_of_the_package():
    finder = doctest.DocTestFinder()
    tried = 0
    for name in ("metameasure.core.scale", "metameasure.scores.scoring"):
        module = __import__(name, fromlist=["*"])
        for example in finder.find(module):
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
            assert result.failed == 0
            tried += result.attempted
    assert tried


def test_no_page_is_an_orphan():
    """Every page can be reached from docs/index.md."""
    reached, todo = set(), [ROOT / "docs/index.md"]
    while todo:
        page = todo.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        todo += [(page.parent / target).resolve() for target in links(page)]
    assert {*(ROOT / "docs").rglob("*.md")} <= reached


def test_the_package_ships_what_it_needs():
    package = Path(metameasure.__file__).parent
    assert (package / "py.typed").exists()
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_prose_is_wrapped():
    done = subprocess.run([sys.executable, ROOT / "tools/wrap.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python tools/wrap.py: {done.stdout}{done.stderr}"
