"""What all tests share: the command run in process, derandomised Hypothesis, and the one way to skip a test: where a part that it
needs (tests/optional.py) is absent."""

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import optional
from metameasure.cli import main

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # many tests start Python, which would compile all of the package each time
sys.dont_write_bytecode = False
os.environ.pop("COLUMNS", None)  # what is printed goes to a pipe, which has no end unless a test says so
settings.register_profile("metameasure", derandomize=True, deadline=None)
settings.load_profile("metameasure")

ROOT = Path(__file__).parents[1]


def recorded_measures():
    """The measures that have been promised; a new one is added to these by itself, when what is stable is recorded."""
    return frozenset(json.loads((Path(__file__).parent / "stability.json").read_text(encoding="utf-8"))["ids"]["measures"])


NOT_APPLICABLE = "does not apply: "
"""How the reason begins where a combination of parameters makes no sense: the one skip that needs no part."""
TAKEN = {"shared_data": "shared-data", "master": "spark"}
"""Fixtures that are made of a part: the folder of real data, and the address of a cluster."""


def seeds(number, each_time):
    """Seeds as parameters of a test: the first few are tried with every change, the others every night."""
    return [*range(each_time), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(each_time, number))]


def pytest_addoption(parser):
    parser.addoption(
        "--may-lack",
        metavar="PARTS",
        help="Parts of tests/optional.py that may be absent, with commas between them, or none: "
        "the absence of any other is an error. Without this option every part may be absent.",
    )


def _may_lack(config):
    given = config.getoption("--may-lack")
    return {*optional.PARTS} if given is None else {*filter(None, given.split(","))} - {"none"}


def pytest_configure(config):
    if unknown := _may_lack(config) - {*optional.PARTS}:
        raise pytest.UsageError(f"--may-lack: there is no part {', '.join(sorted(unknown))} in tests/optional.py")


def _needed(item):
    return [name for mark in item.iter_markers("needs") for name in mark.args]


def pytest_itemcollected(item):
    """What a test takes says what it needs: a fixture of TAKEN, or the parameter "spark"."""
    for fixture, part in TAKEN.items():
        if fixture in item.fixturenames:
            item.add_marker(pytest.mark.needs(part))
    if hasattr(item, "callspec") and "spark" in map(str, item.callspec.params.values()):
        item.add_marker(pytest.mark.needs("spark"))
    if {*_needed(item)} & {*optional.AT_NIGHT}:
        item.add_marker("slow")
    if unknown := {*_needed(item)} - {*optional.PARTS}:
        raise pytest.UsageError(f"{item.nodeid} needs {', '.join(sorted(unknown))}, which tests/optional.py does not know")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test with many cases so many are run each time, spread from the first to the last; the others are thorough."""
    cases = {}
    for item in items:
        if (mark := item.get_closest_marker("each_time")) and not any(map(item.get_closest_marker, ("needs", "slow"))):
            cases.setdefault((item.nodeid.partition("[")[0], *mark.args), []).append(item)
    for (_, number), found in cases.items():
        kept = {round(place * (len(found) - 1) / max(number - 1, 1)) for place in range(number)}
        for place in {*range(len(found))} - kept:
            found[place].add_marker("thorough")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    absent = [name for name in _needed(item) if not optional.here(name)]
    if not absent:
        return
    said = "; ".join(f"{name} is absent ({optional.PARTS[name].get})" for name in absent)
    if {*absent} <= _may_lack(item.config):
        pytest.skip(said)
    pytest.fail(f"{said}; only what --may-lack names may be absent", pytrace=False)


def _refused(report, why):
    report.outcome, report.longrepr = "failed", f"{why}: mark the test with pytest.mark.needs(...), see tests/optional.py"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = str(getattr(call.excinfo.value, "msg", call.excinfo.value))
        lacking = call.when == "setup" and any(not optional.here(name) for name in _needed(item))
        if not lacking and not reason.startswith(NOT_APPLICABLE):
            _refused(report, f"it skips itself ({reason})")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    report = yield
    if report.skipped:
        _refused(report, "the whole file skips itself")
    return report


@pytest.fixture
def run(capsys):
    """Run the command: exit status, standard output, standard error."""

    def run_command(*arguments):
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_command


@pytest.fixture(scope="session")
def shared_data():
    """The folder of real data beside a checkout; tests that take it are skipped where it is absent."""
    return optional.SHARED


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium. A process drives one at a time, so that all tests share it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=optional.chromium(), args=["--no-sandbox"])
        yield opened
        opened.close()
