"""Entailment against references in plain Python that enumerate: all tie breaks, all labelings."""

# ruff: noqa: PD011 - scores have values and are no pandas

import math
import random
from collections import Counter
from itertools import permutations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest

import metameasure as mm
from naive_entailment import (
    COLUMNS,
    LABELS,
    MEASURES,
    OF_RUN,
    ROLES,
    as_files,
    as_frames,
    confidence_of,
    drawn,
    information_of,
    kappa_of,
    linear,
    mean,
    precision_of,
    records,
    reference,
    tie_breaks,
    write,
)

UNEVEN = [5, 0, 3, 1, 0, 7, 9, 0, 0, 1, 2, 3, 4, 5, 6]
SHAPES = {
    "pandas": lambda rows, folder: as_frames(rows, pd),
    "polars": lambda rows, folder: as_frames(rows, pl),
    "pandas, stacked": lambda rows, folder: (pd.DataFrame(records(rows, *COLUMNS)), None),
    "polars, runs stacked": lambda rows, folder: (as_frames(rows, pl)[0], pl.DataFrame(records(rows, "run", *OF_RUN))),
    "TSV": lambda rows, folder: as_files(rows, folder, ".tsv"),
    "JSONL": lambda rows, folder: as_files(rows, folder, ".jsonl"),
    "Parquet": lambda rows, folder: as_files(rows, folder, ".parquet"),
    "TSV, stacked": lambda rows, folder: (write(folder / "all.tsv", records(rows, *COLUMNS)), None),
    "Parquet, stacked": lambda rows, folder: (write(folder / "all.parquet", records(rows, *COLUMNS)), None),
}


def by_topic(rows, run):
    found = {}
    for row in rows:
        if row[0] == run:
            found.setdefault(row[1], []).append(row[3:])
    return found


def check(scores, rows, series=linear):
    """Every value, per topic and pooled, against the reference."""
    for place, run in enumerate("st"):
        assert scores.runs[place] == run
        topics = by_topic(rows, run)
        assert scores.topics == tuple(sorted(topics))
        for row, measure in enumerate(scores.measures):
            expected = [reference(topics[topic], series)[measure.id] for topic in scores.topics]
            np.testing.assert_allclose(scores.values[row, :, place], expected, atol=1e-12, err_msg=measure.id)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_several_topics_in_every_shape(tmp_path, shape, seed):
    rows = drawn(seed)
    scores = mm.evaluate(*SHAPES[shape](rows, tmp_path), measures=MEASURES, baselines=False, **ROLES)
    check(scores, rows)


def test_every_shape_has_the_same_signature(tmp_path):
    signatures = set()
    for place, shape in enumerate(SHAPES):
        folder = tmp_path / str(place)
        folder.mkdir()
        signatures.add(mm.evaluate(*SHAPES[shape](drawn(4), folder), measures=MEASURES, **ROLES).signature)
    assert len(signatures) == 1


@pytest.mark.parametrize("seed", range(5))
def test_pooled(seed):
    rows = drawn(seed, topics=(3, 2, 2))
    scores = mm.evaluate(*as_frames(rows, pl), measures=MEASURES, baselines=False, **ROLES)
    for place, run in enumerate("st"):
        expected = reference([row[3:] for row in rows if row[0] == run])
        found = dict(zip(MEASURES, scores.pooled[:, place], strict=True))
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "series"),
    [
        ("reciprocal", lambda n: [1 / place for place in range(1, n + 1)]),
        ("logarithmic", lambda n: [1 / math.log2(place + 1) for place in range(1, n + 1)]),
        (UNEVEN, lambda n: UNEVEN[:n]),
    ],
)
def test_other_series_of_rank_weights(asked, series):
    rows = drawn(6)
    scores = mm.evaluate(*as_frames(rows, pl), measures=MEASURES[2:4], rank_weights=asked, baselines=False, **ROLES)
    check(scores, rows, series)


def test_ranks_are_confidence_upside_down():
    rows = drawn(7)
    gold, runs = as_frames(rows, pl)
    ranked = {
        name: run.with_columns(rank=run["confidence"].rank("min", descending=True)).drop("confidence")
        for name, run in runs.items()
    }
    asked = MEASURES[:4]
    expected = mm.evaluate(gold, runs, measures=asked, baselines=False, **ROLES)
    found = mm.evaluate(gold, ranked, measures=asked, baselines=False, **ROLES)
    np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-15)


@pytest.mark.parametrize("seed", range(40))
def test_tie_breaks_with_items_that_are_not_there(seed):
    """The measures on arrays: n up to 6, NaN before, between and behind, a stack of cases at once."""
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    ranks, counts, expected = [], [], []
    for _ in range(5):
        n = rng.randint(1, 6)
        own = [(rng.choice((1, 2, 2, 3, 5.5)), rng.random() < 0.5) for _ in range(n)]
        padded = own + [(math.nan, math.nan)] * (6 - n)
        rng.shuffle(padded)
        ranks.append([rank for rank, _ in padded])
        counts.append([float(counted) for _, counted in padded])
        orders, right = tie_breaks([-rank for rank, _ in own]), [counted for _, counted in own]
        expected.append(
            (mean(precision_of(order, right) for order in orders), mean(confidence_of(order, right) for order in orders))
        )
    for name, values in zip(MEASURES[:2], zip(*expected, strict=True), strict=True):
        np.testing.assert_allclose(mm.measures[name](np.array(ranks), np.array(counts)), values, rtol=0, atol=1e-12)


GOLDS = [("E", "E", "N", "C"), ("E", "N", "N", "C"), ("E", "E", "E", "C"), ("E", "C", "C", "N")]


@pytest.mark.parametrize("gold", GOLDS, ids="".join)
@pytest.mark.parametrize("kind", ["uniform", "as gold"])
def test_random_baselines_against_all_labelings(gold, kind):
    asked = ["a3", "a2", "a3_macro", "a2_macro", "kappa", "mutual_information", "confidence_weighted_score", "average_precision"]
    share = {label: 1 / 3 if kind == "uniform" else gold.count(label) / len(gold) for label in LABELS}
    sums, chances = Counter(), Counter()
    for labels in product(LABELS, repeat=len(gold)):
        chance = math.prod(share[label] for label in labels)
        right = [g == l for g, l in zip(gold, labels, strict=True)]
        recalls = [mean(hit for hit, g in zip(right, gold, strict=True) if g == label) for label in LABELS if label in gold]
        two = [
            mean((g == "E") == (l == "E") for g, l in zip(gold, labels, strict=True) if (g == "E") == side)
            for side in (True, False)
        ]
        values = {
            "a3": mean(right),
            "a2": mean((g == "E") == (l == "E") for g, l in zip(gold, labels, strict=True)),
            "a3_macro": mean(recalls),
            "a2_macro": mean(two),
            "kappa": kappa_of(gold, labels),
            "mutual_information": information_of(gold, labels, [1] * len(gold))[0],
            "confidence_weighted_score": mean(confidence_of(order, right) for order in permutations(range(len(gold)))),
            "average_precision": mean(precision_of(order, [g == "E" for g in gold]) for order in permutations(range(len(gold)))),
        }
        for name, value in values.items():
            if chance and not math.isnan(value):
                sums[name] += chance * value
                chances[name] += chance
    frame = {"item": range(len(gold)), "gold": gold}
    run = pl.DataFrame({"item": range(len(gold)), "label": gold, "confidence": 1.0, "score": 1.0})
    scores = mm.evaluate(pl.DataFrame(frame), {"s": run}, measures=asked, **ROLES)
    place = scores.runs.index(f"baseline: random, {kind}")
    for row, measure in enumerate(scores.measures):
        name = measure.id
        if name == "gold_entropy":
            continue  # the companion of mutual information; it does not depend on the labels
        error = scores.simulated[row, place]
        assert bool(error) == (name == "mutual_information")
        assert scores.values[row, 0, place] == pytest.approx(sums[name] / chances[name], abs=max(1e-12, 4.5 * error)), name


class TestBaselinesInRandomOrder:
    """Weighted by rank, random labels have a random order too: equal weights would say too little of what chance gives."""

    def evaluate(self, gold, **how):
        frame = pl.DataFrame({"item": range(len(gold)), "gold": gold})
        run = pl.DataFrame({"item": range(len(gold)), "label": gold, "confidence": 1.0})
        scores = mm.evaluate(frame, {"s": run}, measures=["mutual_information@rank", "mutual_information"], **how, **ROLES)
        place = scores.runs.index("baseline: random, uniform")
        return {
            measure.id: (scores.values[row, 0, place], scores.pooled[row, place], scores.simulated[row, place])
            for row, measure in enumerate(scores.measures)
        }

    def test_ten_items_of_each_of_three_classes(self):
        found = self.evaluate(list("ENC" * 10))
        for name, expected in (("mutual_information@rank", 0.1416), ("mutual_information", 0.1089)):
            value, pooled, error = found[name]
            assert 0 < error < 0.004
            assert value == pooled == pytest.approx(expected, abs=4 * error + 0.001)

    def test_many_draws(self, monkeypatch):
        monkeypatch.setattr("metameasure.scores.label_baselines.DRAWS", 40_000)
        value, _, error = self.evaluate(list("ENC" * 10))["mutual_information@rank"]
        assert error < 0.0005
        assert value == pytest.approx(0.1416, abs=0.0015)

    @pytest.mark.parametrize("weights", ["linear", "reciprocal"])
    def test_against_all_labelings_and_orders(self, weights):
        gold = list("ENC")
        by_rank = [3 / 6, 2 / 6, 1 / 6] if weights == "linear" else [6 / 11, 3 / 11, 2 / 11]
        outcomes = [
            information_of(gold, labels, [by_rank[place] for place in order])
            for labels in product(LABELS, repeat=3)
            for order in permutations(range(3))
        ]
        found = self.evaluate(gold, rank_weights=weights)
        for name, which in (("mutual_information@rank", 0), ("gold_entropy@rank", 1)):
            value, _, error = found[name]
            assert value == pytest.approx(mean(outcome[which] for outcome in outcomes), abs=4.5 * error + 1e-12), name

    def test_a_hundred_thousand_items_take_fewer_draws(self):
        gold = ["E", "N", "C"] * 33_334
        run = pl.DataFrame({"item": range(len(gold)), "label": gold, "confidence": 1.0})
        frame = pl.DataFrame({"item": range(len(gold)), "gold": gold})
        scores = mm.evaluate(frame, {"s": run}, measures=["mutual_information@rank"], **ROLES)
        assert any("are simulated (39 draws" in note for note in scores.notes), scores.notes
        assert 0 < scores.values[0, 0, -1] < 1e-4


def test_constant_baselines():
    gold = GOLDS[1]
    run = pl.DataFrame({"item": range(4), "label": gold, "confidence": 1.0})
    asked = [
        "a3",
        "a2",
        "a3_macro",
        "kappa",
        "mutual_information",
        "gold_entropy",
        "confidence_weighted_score",
        "mutual_information@rank",
    ]
    scores = mm.evaluate(pl.DataFrame({"item": range(4), "gold": gold}), {"s": run}, measures=asked, **ROLES)
    expected = {"E": (0.25, 0.25), "N": (0.5, 0.75), "C": (0.25, 0.75)}
    for label, (three, two) in expected.items():
        values = dict(
            zip([m.id for m in scores.measures], scores.values[:, 0, scores.runs.index(f"baseline: always {label}")], strict=True)
        )
        told = {"a3": three, "a2": two, "a3_macro": 1 / 3, "kappa": 0, "mutual_information": 0, "gold_entropy": 1.5}
        told |= {"confidence_weighted_score": three, "mutual_information@rank": 0, "gold_entropy@rank": 1.5}
        assert values == pytest.approx(told, abs=1e-12)
