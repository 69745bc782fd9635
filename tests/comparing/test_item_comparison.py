"""Runs on one test set compared item by item: what the table, JSON and sentences say."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import metameasure as mm
from metameasure.comparing.items import PairedTests
from metameasure.evidence.outputs import Outputs
from metameasure.statistics.item_tests import mcnemar, share_of_cells

ROOT = Path(__file__).parents[2]
SCALE = mm.Scale.of(["neg", "neu", "pos"])


def outputs(items=300, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, items)
    right = rng.random((3, items)) < np.array([[0.85], [0.7], [0.5]])
    return gold, np.where(right, gold, rng.integers(0, 3, (3, items)))


def compare_outputs(gold, labels, runs, scale, measure, *, weights=None, clusters=None, **options):
    items = np.arange(len(gold))
    found = Outputs(scale, tuple(runs), gold, labels, items, np.zeros(len(gold), int), weights, clusters)
    return PairedTests(**options).outputs(found, measure)


def compared(measure="kappa_linear", **options):
    gold, labels = outputs()
    return compare_outputs(gold, labels, ("good", "fair", "weak"), SCALE, mm.measures[measure], trials=500, **options)


def test_runs_from_best_to_worst_with_p_values_and_intervals():
    found = compared()
    assert found.runs == ("good", "fair", "weak")
    assert found.p[0, 2] < 0.05
    assert np.all((found.low < found.means) & (found.means < found.high))
    assert found.difference_low[0, 2] < found.means[0] - found.means[2] < found.difference_high[0, 2]
    assert compared("mae").runs == ("good", "fair", "weak")


def test_json_and_words():
    found = compared()
    told = json.loads(found.render("json"))
    assert (told["test"], told["units"], told["items"], told["correction"]) == ("permutation", "items", 300, "holm")
    assert np.array(told["difference_low"]).shape == (3, 3)
    assert found.sentences()[-1] == (
        "Significance: paired permutation test with B = 500 trials, Holm's correction, alpha = 0.05, 300 items."
    )
    rows = list(csv.DictReader(io.StringIO(found.render("csv"))))
    assert {"low", "high"} <= rows[0].keys()
    assert "intervals (95%): bootstrap and credible interval together" in str(found)


def test_accuracy_is_mcnemars():
    gold, labels = outputs()
    found = compared("accuracy", correction="none")
    hit = labels == gold
    only = [int((hit[i] & ~hit[j]).sum()) for i, j in ((0, 2), (2, 0))]
    assert found.exact
    assert found.p[0, 2] == pytest.approx(mcnemar(*only), rel=1e-9)
    assert "paired permutation test, exact" in found.sentences()[-1]


def test_clusters_are_the_units():
    gold, labels = outputs()
    clusters = np.arange(300) // 10
    found = compare_outputs(gold, labels, ("good", "fair", "weak"), SCALE, mm.measures["accuracy"], clusters=clusters, trials=500)
    told = found.to_dict()
    assert (told["units"], told["clusters"]) == ("clusters", 30)
    assert not found.exact


def test_the_order_of_runs_does_not_matter():
    gold, labels = outputs()
    names = ("good", "fair", "weak")
    order = [2, 0, 1]
    other = compare_outputs(
        gold, labels[order], [names[place] for place in order], SCALE, mm.measures["kappa_linear"], trials=500
    )
    assert other.to_dict() == compared().to_dict()


def test_all_runs_against_one():
    found = compared(against="fair")
    assert np.isnan(found.p[0, 2])
    assert len(found.pairs()["p"]) == 2


@pytest.mark.parametrize(("measure", "cells"), [("accuracy", np.eye(3)), ("accuracy@1", np.tri(3, k=1) * np.tri(3, k=1).T)])
def test_shares_of_items_are_recognised(measure, cells):
    np.testing.assert_array_equal(share_of_cells(mm.measures[measure], 3), cells)


@pytest.mark.parametrize("measure", ["macro_recall", "mae", "kappa", "f1_macro", "cem_ord", "purity", "pearson"])
def test_what_is_no_share_of_items(measure):
    assert share_of_cells(mm.measures[measure], 3) is None


def test_what_cannot_be_compared():
    gold, labels = outputs()
    names = ("good", "fair", "weak")
    with pytest.raises(mm.UsageError, match="alpha_ordinal counts items and cannot use weights"):
        compare_outputs(gold, labels, names, SCALE, mm.measures["alpha_ordinal"], weights=np.ones(300))
    with pytest.raises(mm.UsageError, match="nothing to compare"):
        compare_outputs(gold, labels, names, SCALE, mm.measures["gold_entropy"])
    labels[2] = 1
    with pytest.raises(mm.DataError, match="pearson of weak is undefined"):
        compare_outputs(gold, labels, names, SCALE, mm.measures["pearson"], trials=100)
    with pytest.raises(mm.UsageError, match="there is no run 'god'; did you mean 'good'"):
        compare_outputs(gold, labels, names, SCALE, mm.measures["accuracy"], against="god", trials=100)


def test_many_runs_have_no_matrix_in_the_table():
    rng = np.random.default_rng(1)
    gold, labels = rng.integers(0, 3, 50), rng.integers(0, 3, (13, 50))
    found = compare_outputs(gold, labels, [f"run {n:02d}" for n in range(13)], SCALE, mm.measures["accuracy"], trials=50)
    assert "vs 1-13" in str(found)
    assert "vs 1 " not in str(found)
    assert "p-values of every two runs: .render('csv') or json." in str(found)


def letters_in_the_documentation():
    """Column of the page's table: run: letters."""
    lines = (ROOT / "docs/comparisons.md").read_text(encoding="utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("| run | accuracy |"))
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start : start + 19]]
    return {name: {row[0]: row[place] for row in rows} for place, name in enumerate(header) if place > 1}


def lettered(found):
    return dict(zip(found.runs, found.letters(), strict=True))


@pytest.fixture
def sick(shared_data):
    return shared_data / "sick2014/entailment_matrix.tsv"


SICK = {"classes": "CONTRADICTION,NEUTRAL,ENTAILMENT", "columns": {"item": "pair_ID"}}


def test_letters_of_sick_by_items(sick):
    found = mm.compare(sick, measure="accuracy", **SICK)
    assert lettered(found) == letters_in_the_documentation()["McNemar over items, Holm"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "options"),
    [("max-T over items", {"correction": "maxt"}), ("bootstrap over items, Holm", {"test": "bootstrap"})],
)
def test_letters_of_sick_by_other_tests_over_items(sick, column, options):
    assert lettered(mm.compare(sick, measure="accuracy", **SICK, **options)) == letters_in_the_documentation()[column]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "options"),
    [
        ("stepwise", {}),
        ("tukey", {"test": "tukey"}),
        ("classical", {"test": "classical"}),
        ("permutation, Holm", {"test": "permutation"}),
        ("permutation, max-T", {"test": "permutation", "correction": "maxt"}),
        ("bootstrap, Holm", {"test": "bootstrap"}),
    ],
)
def test_letters_of_sick_by_parts(sick, column, options):
    found = mm.compare(sick, measure="accuracy", partitions=20, **SICK, **options)
    assert lettered(found) == letters_in_the_documentation()[column]
