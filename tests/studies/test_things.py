"""Every thing that the papers describe has a command that shows it; one of each paper here, all of them at night."""

import sys

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import things

# One quick command of each paper.
EACH_TIME = {
    "000": "metameasure meta consistency tweets.csv",
    "001": "metameasure table f2/gold.tsv f2/L.tsv --task entailment --positive YES --neutral UNKNOWN --negative NO",
    "002": "metameasure measures tau@wmt12",
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
    assert all(one.command.startswith("metameasure ") for one in listed if one.runs)
    assert sum(not one.runs for one in listed) < 10


def test_the_page_is_current():
    assert things.page() == things.PAGE.read_text(encoding="utf-8")


def test_one_command_of_each_paper():
    chosen = [one for one in things.things() if EACH_TIME[one.paper] == one.command]
    assert {one.paper for one in chosen} == {*things.PAPERS}
    assert things.failures(chosen) == []


def test_a_text_that_is_not_shown_is_a_failure_and_so_is_a_command_that_fails():
    thing = things.Thing("002", "3", "tau", EACH_TIME["002"], "no such text")
    broken = things.Thing("002", "3", "tau", "metameasure measures no_such_measure", "tau")
    first, second = things.failures([thing, broken])
    assert "does not show 'no such text'" in first
    assert "ends with 2" in second


@pytest.mark.slow
@pytest.mark.parametrize("paper", things.PAPERS)
def test_every_command(paper):
    assert things.failures([one for one in things.things() if one.paper == paper]) == []
