"""Tests skip in one way, where a part that they need is absent; none is left out both of a bare run and of one with all parts."""

import os
import re
import subprocess
import sys

import pytest

from optional import PARTS, ROOT

MORE_PARTS = """
import optional
optional.PARTS |= {"here": optional.Part(lambda: True, ""), "nowhere": optional.Part(lambda: False, "pip install nowhere")}
"""
TESTS = """
import pytest

@pytest.mark.needs("here")
def test_passes(): pass

@pytest.mark.needs("here", "nowhere")
def test_lacks(): import nowhere

def test_says_nothing(): import nowhere

def test_skips_itself(): pytest.importorskip("nowhere")

@pytest.mark.skipif(True, reason="I do not like it")
def test_is_skipped(): pass

def test_makes_no_sense(): pytest.skip("does not apply: a circle has no corners")

@pytest.mark.xfail(reason="known", strict=True)
def test_is_known_to_fail(): assert False
"""


def outcomes(folder, tests, *options):
    """Of each test, in a run of its own with our conftest; and all that was printed."""
    (folder / "more_parts.py").write_text(MORE_PARTS)
    (folder / "test_made_up.py").write_text(tests)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT / "src")])}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ("-p", "more_parts", "-p", "conftest", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *plugins, "-rA", "--tb=short", *options]
    (folder / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n    needs: parts\n    slow: long\n    thorough: more\n    each_time: some\n"
    )
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    named = re.findall(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL)\b.*?test_made_up\.py(?:::(\w+)|:\d+)", done.stdout, re.MULTILINE)
    return {name: outcome for outcome, name in named if name}, done.stdout + done.stderr


def test_only_an_absent_part_skips(tmp_path):
    found, said = outcomes(tmp_path, TESTS)
    failed = {"test_says_nothing", "test_skips_itself", "test_is_skipped"}
    assert {name for name, outcome in found.items() if outcome in ("FAILED", "ERROR")} == failed
    assert "2 failed, 1 passed, 2 skipped, 1 xfailed, 1 error" in said
    assert "nowhere is absent (pip install nowhere)" in said
    assert "it skips itself (could not import 'nowhere': No module named 'nowhere'): mark the test" in said


def test_where_all_is_said_to_be_there_an_absent_part_is_an_error(tmp_path):
    found, said = outcomes(tmp_path, TESTS, "--may-lack", "none", "-m", "needs")
    assert found == {"test_passes": "PASSED", "test_lacks": "ERROR"}
    assert "nowhere is absent (pip install nowhere); only what --may-lack names may be absent" in said
    found, said = outcomes(tmp_path, TESTS, "--may-lack", "unshare,nowhere", "-m", "needs")
    assert found == {"test_passes": "PASSED"}
    assert "1 passed, 1 skipped" in said


@pytest.mark.parametrize(
    ("tests", "options", "told"),
    [
        ("import pytest\npytest.importorskip('nowhere')\n", (), "the whole file skips itself"),
        (
            "import pytest\n@pytest.mark.needs('torhc')\ndef test(): pass\n",
            (),
            "needs torhc, which tests/optional.py does not know",
        ),
        ("def test(): pass\n", ("--may-lack", "torhc"), "--may-lack: there is no part torhc in tests/optional.py"),
    ],
)
def test_what_is_misspelt_or_skips_a_file_is_an_error(tmp_path, tests, options, told):
    found, said = outcomes(tmp_path, tests, *options)
    assert found == {}
    assert told in said


def test_some_cases_are_run_each_time_and_the_others_by_ci(tmp_path):
    """From the first to the last; a case that is slow, or needs a part, is none of them."""
    cases = "[*range(9), pytest.param(9, marks=pytest.mark.slow)]"
    tests = f"import pytest\n@pytest.mark.each_time(3)\n@pytest.mark.parametrize('case', {cases})\ndef test(case): pass\n"
    for chosen, expected in (("not thorough and not slow", [0, 4, 8]), ("thorough", [1, 2, 3, 5, 6, 7]), ("slow", [9])):
        said = outcomes(tmp_path, tests, "-m", chosen)[1]
        assert [*map(int, re.findall(r"^PASSED .*test\[(\d)\]", said, re.MULTILINE))] == expected


def test_ci_runs_what_needs_a_part_where_the_parts_are():
    told = (ROOT / ".ci/run").read_text(encoding="utf-8")
    readme = next(line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if line.endswith("-m pytest"))
    before, after = told.split(readme)
    assert "install" not in before, "the README's command comes first, in an environment that has nothing else"
    last = after.strip().splitlines()[-1]
    assert last.startswith(".venv-all/bin/python -m pytest -m '(needs or thorough) and not slow' --may-lack ")
    (lacking,) = re.findall(r"^absent=(\S+)$", after, re.MULTILINE)
    assert {*lacking.split(",")} < {*PARTS}
