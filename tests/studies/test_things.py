"""Every thing that the papers describe has a command that shows it; one of each paper here, all of them at night."""

import re
import sys

import pytest

from conftest import ROOT
from metameasure.catalogue.classification import cem

sys.path.insert(0, str(ROOT / "tools"))
import things

# One quick command of each paper.
EACH_TIME = {
    "000": "metameasure meta consistency tweets.csv",
    "001": "metameasure table f2/gold.tsv f2/L.tsv --task entailment --positive YES --neutral UNKNOWN --negative NO",
    "002": "metameasure evaluate ties/gold.tsv ties/run.tsv --task ranking --measures tau@wmt12",
    "003": "metameasure evaluate f3/gold.tsv f3/A.tsv f3/B.tsv --classes neg,neu,pos --measures cem_ord",
    "004": "metameasure meta contradictions dialogues.csv",
}


def test_all_are_listed():
    listed = things.things()
    assert len(listed) == 211
    assert {paper: sum(one.paper == paper for one in listed) for paper in things.PAPERS} == {
        "000": 75, "001": 35, "002": 28, "003": 41, "004": 32,
    }  # fmt: skip
    assert all(one.shows for one in listed), "what it shows, or why it cannot be shown"
    assert all(one.stated for one in listed if one.runs), "where that is stated"
    assert all(one.command.startswith("metameasure ") for one in listed if one.runs)
    assert sum(not one.runs for one in listed) < 10


def test_the_page_is_current():
    assert things.page() == things.PAGE.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_one_command_of_each_paper():
    chosen = [one for one in things.things() if EACH_TIME[one.paper] == one.command]
    assert {one.paper for one in chosen} == {*things.PAPERS}
    assert things.failures(chosen) == []


def test_nearly_every_thing_has_a_number():
    """A command that prints something is not enough; claims in words (advice, figures that were written) are few."""
    words = [one for one in things.things() if one.runs and not re.search(r"\d", one.shows)]
    assert len(words) < 25, [f"{one.paper} {one.thing}: {one.shows}" for one in words]


@pytest.mark.thorough
def test_a_value_that_is_not_shown_is_a_failure_and_so_is_a_command_that_fails():
    thing = things.Thing("002", "3", "tau", EACH_TIME["002"], "run … -0.7240")
    out_of_order = things.Thing("002", "3", "tau", EACH_TIME["002"], "-0.7241 … tau@wmt12 ↑")
    broken = things.Thing("002", "3", "tau", "metameasure measures no_such_measure", "tau")
    first, second, third = things.failures([thing, out_of_order, broken])
    assert "does not show '-0.7240'" in first
    assert "does not show 'tau@wmt12 ↑'" in second
    assert "ends with 2" in third


@pytest.mark.thorough
def test_a_fault_in_a_formula_turns_a_thing_red(monkeypatch):
    """CEM with the gold class itself not halved: the values of 003's Appendix A are no longer shown."""
    chosen = [one for one in things.things() if one.command == EACH_TIME["003"]]
    assert things.failures(chosen) == []
    monkeypatch.setattr(cem, "proximity", lambda share: -cem.log2_or_zero(0.9 * share))
    assert things.failures(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("paper", things.PAPERS)
def test_every_command(paper):
    assert things.failures([one for one in things.things() if one.paper == paper]) == []
