"""Mutual information of items that a run weighs by rank or confidence, less what chance gives."""

import json

import numpy as np
import pytest

import metameasure as mm
from metameasure.catalogue.entailment.corrected_information import chance_of_weighted
from metameasure.evidence.judgements import linear_weights, rank_weights

BY = ["rank", "confidence"]
ROLES = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2"}


def drawn(items=120, runs=("a", "b"), seed=0, knows=0.5, levels=None):
    rng = np.random.default_rng(seed)
    gold = rng.choice(3, items, p=[0.5, 0.3, 0.2])
    outputs = {run: np.where(rng.random(items) < knows, gold, rng.integers(0, 3, items)) for run in runs}
    sure = {run: rng.random(items) if levels is None else rng.integers(1, levels + 1, items) / levels for run in runs}
    return gold, outputs, ROLES | {"matrices": {"confidence": sure}}


def weights_of(by, sure):
    weights = rank_weights(sure, linear_weights) if by == "rank" else sure
    return weights / weights.sum()


def tables(gold, labels, weights):
    cells = gold * 3 + labels
    return [np.bincount(cells, weights**power, minlength=9).reshape(3, 3) for power in (1, 2)]


def naive(gold, labels, weights):
    """The definition, item by item: plain information, less (r - 1)(Σ_p A_p/P_p - A) / (2 ln 2)."""
    bits = 0.0
    for g in range(3):
        for p in range(3):
            joint = weights[(gold == g) & (labels == p)].sum()
            if joint > 0:
                bits += joint * np.log2(joint / (weights[gold == g].sum() * weights[labels == p].sum()))
    said = [p for p in range(3) if (labels == p).any()]
    spread = sum((weights[labels == p] ** 2).sum() / weights[labels == p].sum() for p in said) - (weights**2).sum()
    return bits - (len(set(gold.tolist())) - 1) * spread / (2 * np.log(2))


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("levels", [None, 4])
def test_the_value_is_the_definition(by, levels):
    gold, outputs, how = drawn(levels=levels)
    made = mm.evaluate(gold, outputs, measures=f"mutual_information@{by}:corrected", baselines=False, **how)
    for run, labels in outputs.items():
        expected = naive(gold, labels, weights_of(by, how["matrices"]["confidence"][run]))
        assert made.averages()[0, made.position(run)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("by", BY)
def test_where_all_items_weigh_the_same_it_is_the_unweighted_one(by):
    gold, outputs, how = drawn(levels=1)
    ids = ("mutual_information@corrected", f"mutual_information@{by}:corrected")
    made = mm.evaluate(gold, outputs, measures=ids, baselines=False, **how)
    rows = [[measure.id for measure in made.measures].index(id) for id in ids]
    assert made.averages()[rows[0]] == pytest.approx(made.averages()[rows[1]], abs=1e-12)


@pytest.mark.parametrize("by", BY)
def test_what_is_taken_off_is_the_mean_over_shuffled_outputs(by):
    """Section 6 takes the mean over 200 shuffles; the formula is its limit of many items, without the noise of the draws."""
    gold, outputs, how = drawn(items=400)
    weights, labels = weights_of(by, how["matrices"]["confidence"]["a"]), outputs["a"]
    rng = np.random.default_rng(1)
    plain = mm.measures["mutual_information"]
    shuffled = [float(plain(tables(rng.permutation(gold), labels, weights)[0])) for _ in range(2000)]
    off = float(chance_of_weighted(*(table[None] for table in tables(gold, labels, weights)))[0])
    error = np.std(shuffled) / np.sqrt(len(shuffled))
    assert off == pytest.approx(np.mean(shuffled), abs=4 * error + 0.02 * off)
    assert off == pytest.approx(np.mean(shuffled[:200]), abs=4 * np.sqrt(10) * error + 0.02 * off)


@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("levels", [None, 5])
def test_resampled_items_are_weighed_as_if_each_stood_there_as_often(by, levels):
    gold, outputs, how = drawn(items=30, levels=levels)
    evidence = mm.count(gold, outputs, **how).orders()
    (part,) = evidence.drawn_parts(0, pool=True)
    reads = f"weights@{by}"
    times = np.random.default_rng(2).multinomial(30, np.full(30, 1 / 30), size=4)
    found = part.sorted_by(reads).readings([reads], times[:, part.sorted_by(reads).part])[reads]
    items = evidence.items[0]
    for draw, several in enumerate(times):
        again = np.repeat(np.arange(30), several)
        weights = weights_of(by, items.sureness[again] if by == "rank" else items.weight[again])
        expected = tables(items.gold[again], items.label[again], weights)
        scale = found[0][draw].sum()
        assert found[0][draw] / scale == pytest.approx(expected[0], abs=1e-12)
        assert found[1][draw] / scale**2 == pytest.approx(expected[1], abs=1e-12)


@pytest.mark.parametrize("by", BY)
def test_tests_and_intervals_are_of_the_corrected_one(by):
    gold, outputs, how = drawn(seed=3)
    id = f"mutual_information@{by}"
    plain = mm.compare(gold, outputs, id, trials=99, **how)
    assert np.isnan(plain.p[0, 1])
    assert np.isnan(plain.low).all()
    assert f"compare {id}:corrected" in plain.untested
    assert not any("swaps test" in note or "trials" in note for note in plain.notes)
    corrected = mm.compare(gold, outputs, f"{id}:corrected", trials=99, **how)
    assert 0 < corrected.p[0, 1] <= 1
    assert np.all(corrected.low <= corrected.means)
    assert np.all(corrected.high > corrected.means)
    made = mm.evaluate(gold, outputs, measures=(id, f"{id}:corrected"), ci=True, trials=200, baselines=False, **how)
    rows = {measure.id: row for row, measure in enumerate(made.measures)}
    low, high = made.intervals.shown
    assert np.isnan(low[rows[id]]).all()
    assert any(f"{id} has no interval, because it is too high by chance; {id}:corrected has one" in note for note in made.notes)
    assert np.all(low[rows[f"{id}:corrected"]] <= made.averages()[rows[f"{id}:corrected"]])
    spread = (high - low)[rows[f"{id}:corrected"]]
    assert np.all((spread > 0.05) & (spread < 0.6))


def test_a_constant_run_has_no_interval_and_a_word_says_why():
    gold, outputs, how = drawn()
    outputs["b"] = np.zeros(len(gold), dtype=int)
    found = mm.compare(gold, outputs, "mutual_information@rank:corrected", trials=99, **how)
    place = found.runs.index("b")
    assert np.isnan(found.low[place])
    assert any("has no interval for b: all items score alike" in note for note in found.notes)


def test_equal_runs_have_no_interval_of_their_difference_and_a_word_says_why():
    gold, outputs, _ = drawn()
    found = mm.compare(gold, {"a": outputs["a"], "b": outputs["a"]}, "accuracy", classes="0..2", trials=99)
    assert np.isnan(found.difference_low[0, 1])
    assert any("the difference between a and b has no interval: all draws give the same" in note for note in found.notes)


def test_a_random_run_has_about_none():
    values = []
    for seed in range(60):
        gold, outputs, how = drawn(items=60, runs=("a",), seed=seed, knows=0)
        made = mm.evaluate(gold, outputs, measures="mutual_information@rank:corrected", baselines=False, **how)
        values.append(made.averages()[0, 0])
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(60) + 0.005
    plain = [value for value in values if value > 0]
    assert 0.1 < len(plain) / 60 < 0.7


def test_it_can_be_asked_for_on_the_command_line(run, tmp_path):
    gold, outputs, how = drawn(items=40)
    lines = ["item\tlabel", *(f"i{place}\t{label}" for place, label in enumerate(gold))]
    (tmp_path / "gold.tsv").write_text("\n".join(lines) + "\n")
    for name, labels in outputs.items():
        sure = how["matrices"]["confidence"][name]
        rows = [f"i{place}\t{label}\t{one}" for place, (label, one) in enumerate(zip(labels, sure, strict=True))]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["item\tlabel\tconfidence", *rows]) + "\n")
    options = ["--task", "entailment", "--positive", "0", "--neutral", "1", "--negative", "2", "--format", "json"]
    files = [tmp_path / "gold.tsv", tmp_path / "a.tsv", tmp_path / "b.tsv"]
    status, out, err = run("evaluate", *files, *options, "--measures", "mutual_information@rank:corrected", "--no-baselines")
    assert status == 0, err
    ids = [measure["id"] for measure in json.loads(out)["measures"]]
    assert ids == ["mutual_information@rank:corrected", "gold_entropy@rank"]
    status, _, err = run("evaluate", *files, *options, "--measures", "mutual_information@rank:korrected")
    assert status == 2
    assert "mutual_information@rank:corrected" in err
