"""The ledger of error rates and coverage: what it must hold, that the page says the same, and that the nightly check can fail."""

import json
import runpy
import sys
import warnings
from pathlib import Path

import pytest

from metameasure.core.validity import METHODS

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
OURS = ("ledger", "worlds", "simulations")
KEYS = {"id", "method", "world", "task", "units", "size", "nominal", "rate", "se", "repetitions", "limit"}


@pytest.fixture
def ledger(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import ledger

    yield ledger
    for name in OURS:
        sys.modules.pop(name, None)


@pytest.fixture
def simulations(ledger):  # noqa: ARG001 - it makes them importable
    from simulations import simulations

    return {(one.task, one.world, one.size): one for one in simulations()}


def test_every_row_is_in_its_band_or_says_what_its_limit_is(ledger):
    rows = ledger.read()
    assert len(rows) >= 120
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row.keys() >= KEYS
        assert ledger.sound(row), row
        assert 0 <= row["rate"] <= 1
        assert row["se"] > 0
        assert row["limit"] == row["limit"].strip().rstrip(".")


def test_every_method_holds_in_two_worlds_that_had_no_say_in_its_choice(ledger):
    rows = ledger.read()
    for method in {row["method"] for row in rows}:
        worlds = {row["world"] for row in rows if row["method"] == method and row["unseen"]}
        assert len(worlds) >= 2, method


def test_enough_rows_have_enough_repetitions_and_the_page_marks_the_others(ledger):
    rows = ledger.read()
    known = [row for row in rows if ledger.enough(row)]
    assert len(known) >= 120
    page = (ROOT / "docs/validity.md").read_text(encoding="utf-8")
    assert f"{len(known)} rows have 2,000 data sets" in page
    assert page.count("| preliminary") == len(rows) - len(known)


def test_what_is_said_of_a_row_stands_in_the_list(ledger, simulations):
    rows = ledger.read()
    assert {(row["task"], row["world"], row["size"]) for row in rows} <= {*simulations}
    for row in rows:
        said = simulations[row["task"], row["world"], row["size"]].said_of(row)
        assert {name: row[name] for name in said} == said, row["id"]


def test_the_page_says_what_the_ledger_says(ledger, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import validity_page

    page = (ROOT / "docs/validity.md").read_text(encoding="utf-8")
    assert validity_page.summary() in page
    assert validity_page.tables() in page
    for row in ledger.read():
        assert f"`{row['method']}`" in page
        assert row["method"] in validity_page.METHODS
        assert row["limit"] in page


def test_every_method_that_the_program_names_is_in_the_ledger_and_on_the_page(ledger, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import validity_page

    assert {row["method"] for row in ledger.read()} == {*METHODS} | ledger.OTHERS | ledger.POWER == {*validity_page.METHODS}
    assert not {*METHODS} & (ledger.OTHERS | ledger.POWER)


def test_a_block_is_the_same_whenever_it_is_made(simulations):
    one = simulations["quantification", "all or nothing, mostly", "12 topics"]
    first, again = one.rows(20), one.rows(20)
    assert first == again
    assert {row["method"] for row in first} == {"interval/topics/logit-t", "interval/bootstrap/topics"}
    assert all(row["repetitions"] == 20 for row in first)


def test_data_sets_without_an_interval_are_made_up_for(ledger):
    """Every third data set has none, for one of two methods; more blocks are made until 500 have one, at most four times 500."""
    import numpy as np

    def hits(rng, number):
        right = (rng.random(number) < 0.9).astype(float)
        never = np.full(number, np.nan)
        return {
            ("interval/a", ""): right,
            ("interval/b", ""): np.where(np.arange(number) % 3, right, np.nan),
            ("interval/c", ""): never,
        }

    one = ledger.Simulation("a world", "a task", "items", "some", hits)
    first, second = one.rows(500)
    assert (first["repetitions"], second["repetitions"]) == (1000, 664)
    assert second["without"] == pytest.approx(1 / 3, abs=0.01)
    assert ledger.enough(second, 500)
    assert not ledger.enough(second, 700)
    scarce = ledger.Simulation(
        "a world", "a task", "items", "few", lambda rng, n: {("interval/b", ""): np.r_[1.0, [np.nan] * (n - 1)]}
    )
    (row,) = scarce.rows(500)
    assert row["repetitions"] == 8
    assert ledger.enough(row, 500)


def damaged(ledger, path, **change):
    """A ledger of one simulation, one of whose rows is otherwise."""
    rows = [row for row in ledger.read() if (row["world"], row["size"]) == ("all or nothing, mostly", "30 topics")]
    ledger.write([row | change if row["method"] == "interval/topics/logit-t" else row for row in rows], path)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"rate": 0.8, "limit": ""}, "is outside its band, and no limit is said"),
        ({"rate": 0.8, "limit": "too short"}, "in the ledger"),
        ({"id": "another"}, "and nothing makes it"),
    ],
)
def test_the_check_fails_where_a_rate_has_left_its_band(ledger, simulations, change, said, tmp_path):
    one = simulations["quantification", "all or nothing, mostly", "30 topics"]
    problems = ledger.check([one], 250, damaged(ledger, tmp_path / "rates.json", **change))
    assert (problems == []) == (said is None)
    assert said is None or any(said in problem for problem in problems)


@pytest.mark.usefixtures("simulations")
def test_the_nightly_command_ends_with_1_where_something_is_wrong(ledger, tmp_path, monkeypatch, capsys):
    command = ["error_rates.py", "--check", "--only", "mostly, 30 topics", "--repetitions", "50", "-o"]
    path = tmp_path / "rates.json"
    for change, status, said in (({"rate": 0.8, "limit": ""}, 1, "outside its band"), ({}, 0, "rows, 0 problems")):
        monkeypatch.setattr(sys, "argv", [*command, str(damaged(ledger, path, **change))])
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:  # it has warnings of its own switched off
            runpy.run_path(str(BENCHMARKS / "error_rates.py"), run_name="__main__")
        assert (ended.value.code, said in capsys.readouterr().out) == (status, True)
    assert json.loads(path.read_text(encoding="utf-8"))["rows"]


def test_it_is_part_of_the_nightly_command():
    assert "benchmarks/error_rates.py --check" in (ROOT / ".ci/nightly").read_text(encoding="utf-8")


PRINTED = {"limit", "few items", "interval too short", "sample"}
FALSELY_DECLARED = "declared as random"
"""Worlds of which the program was told what is not so, and cannot see it."""
DATA_SETS = {"a class of 3 %, 4 people": 10}
"""How many are made where more than three are needed to meet one with the limit: here in two of three a handful of items has the
class."""


def methods_of(result):
    """The methods behind a result, by the names of the ledger."""
    if type(result).__name__ == "Scores":
        return set(result.intervals.shown_methods()) if result.intervals else set()
    return {method for one in getattr(result, "parts", [result]) for method in one.validity.values()}


@pytest.mark.thorough
def test_a_limit_of_the_ledger_is_printed_with_such_results(ledger, simulations, monkeypatch):
    """Three data sets of every world in which a rate is outside its band, through the functions that users call."""
    import worlds

    outside = {}
    for row in ledger.read():
        if not ledger.in_band(row) and row["method"] not in ledger.OTHERS and FALSELY_DECLARED not in row["world"]:
            outside.setdefault((row["task"], row["world"], row["size"]), set()).add(row["method"])
    assert len(outside) > 20
    said = {}

    def told(function):
        def call(*arguments, **how):
            result = function(*arguments, **how)
            kinds = {one["kind"] for one in result.to_dict()["findings"]}
            for method in methods_of(result):
                said.setdefault(method, set()).update(kinds)
            return result

        return call

    for name in ("evaluate", "compare", "agree", "judge", "gate", "correct_scores", "correct"):
        monkeypatch.setattr(worlds.mm, name, told(getattr(worlds.mm, name)))
    monkeypatch.setattr(worlds, "LARGE", 2000)  # what is true does not matter here
    for key, methods in outside.items():
        one = simulations[key]
        if one.needs is None or one.needs.exists():
            said.clear()
            one.block(0, DATA_SETS.get(one.world, 3))
            for method in methods:
                assert said[method] & PRINTED - ({"sample"} if key[0] != "judges" else set()), (key, method)
