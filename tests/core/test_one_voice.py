"""Names of runs are names, whatever they look like: in print, on pages, in papers, in JSON and in messages."""

import html
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metameasure as mm
from metameasure.core.messages import speaking_to
from metameasure.show.formats.latex import escaped

HOSTILE = [
    *("x --missing drop", "bert --epochs 3", "--epochs 10", "<b>", "a|b", "%s", "{0}", "{run}", "{--task x}", "naïve Ω ß"),
    *("it's", '"q"'),
]
RNG = np.random.default_rng(5)
GOLD = RNG.integers(1, 4, (8, 12))
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S"))
NAME = st.one_of(st.sampled_from(HOSTILE), st.text(LETTERS, min_size=1, max_size=12))
NAMES = st.lists(NAME, min_size=3, max_size=3, unique=True)


def compared(names):
    """Three runs, of which the first is right and the last answers at random."""
    wrong = RNG.integers(1, 4, GOLD.shape)
    runs = [GOLD, np.where(RNG.random(GOLD.shape) < 0.3, wrong, GOLD), wrong]
    rows = {"topic": np.repeat(np.arange(8), 12), "item": np.arange(96), "gold": GOLD.ravel()}
    columns = rows | {name: run.ravel() for name, run in zip(names, runs, strict=True)}
    how = {"classes": [1, 2, 3], "gold_column": "gold", "run_columns": list(names)}
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(columns)
    return mm.evaluate(frame, measures=["accuracy", "kappa"], **how), mm.compare(frame, None, "accuracy", **how)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_in_every_rendering(name):
    scores, found = compared([name, "plain", "last one"])
    for reader in ("python", "command"):
        with speaking_to(reader):
            assert f"{name} statistically significantly outperforms" in found.render("table", notes="all")
    assert name in str(scores)
    shown = html.unescape(found.render("html"))
    assert name in shown
    assert escaped(name) in found.render("latex")
    told = json.loads(found.render("json"))
    assert told["runs"][0] == name
    beats = next(one for one in told["findings"] if one["kind"] == "beats" and one["subjects"][0] == name)
    assert {"plain", "last one"} <= {*beats["subjects"]}
    assert beats["numbers"]["p"] < 0.05
    assert beats["measure"] == "accuracy"
    page = html.unescape(mm.report(scores).html)
    assert f"By accuracy, {name} is first of 3 runs" in page


@settings(max_examples=25)
@given(names=NAMES)
def test_any_names(names):
    scores, found = compared(names)
    told = json.loads(found.render("json"))
    assert {*told["runs"]} == {*names}
    assert all(
        set(one["subjects"]) <= {*names, "accuracy"} for one in told["findings"] if one["kind"] in ("beats", "no difference")
    )
    assert {run["run"] for run in json.loads(scores.render("json"))["runs"]} == {*names}
    assert mm.Signature.parse(str(found.signature)) == found.signature


def test_a_note_about_a_run_that_looks_like_an_option_is_on_the_page():
    """Only what says how to ask is left out there."""
    careful = np.where(RNG.random(GOLD.shape) < 0.1, RNG.integers(1, 4, GOLD.shape), GOLD)
    polars = pytest.importorskip("polars")
    rows = {"topic": np.repeat(np.arange(8), 12), "gold": GOLD.ravel(), "careful": careful.ravel()}
    frame = polars.DataFrame(rows | {"bert --epochs 3": np.roll(careful, 1, axis=0).ravel(), "--epochs 10": careful.ravel()})
    how = {"classes": [1, 2, 3], "gold_column": "gold", "run_columns": ["careful", "bert --epochs 3", "--epochs 10"]}
    scores = mm.evaluate(frame, measures="accuracy", **how)
    said = mm.compare(scores, "accuracy").sentences()[-2]
    assert said.endswith("is not statistically significant.")
    assert "--epochs 10" in said
    assert said in html.unescape(mm.report(scores).html)
