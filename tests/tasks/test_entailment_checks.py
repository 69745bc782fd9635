"""Entailment's checks and policies against enumeration: soundness, degradation, symmetry, missing items, partitions, seeds."""

import json
import math
import random
import re
from itertools import permutations

import numpy as np
import polars as pl
import pytest

import metameasure as mm
from conftest import seeds
from naive_entailment import (
    COLUMNS,
    FLAGS,
    LABELS,
    MEASURES,
    OF_RUN,
    ROLES,
    accuracy_of,
    as_files,
    as_frames,
    drawn,
    information_of,
    kappa_of,
    mean,
    precision_of,
    records,
    reference,
    tie_breaks,
    write,
)

SWAPPED = {"E": "C", "N": "N", "C": "E"}
ORDERED = MEASURES[:6]


def told(gold, labels, score=None):
    """What is said of one run, by key."""
    ids = [f"i{place}" for place in range(len(gold))]
    run = {"item": ids, "label": labels} | ({} if score is None else {"score": score})
    scores = mm.evaluate(
        pl.DataFrame({"item": ids, "gold": gold}), {"s": pl.DataFrame(run)}, measures="a3", baselines=False, **ROLES
    )
    return json.loads(json.dumps(scores.to_dict()))["runs"][0]


@pytest.mark.each_time(2)
@pytest.mark.parametrize("seed", seeds(30, each_time=10))
def test_soundness(seed):
    """Sound: some tie break of the ranking has the positive labels as its prefix."""
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    n = rng.randint(1, 6)
    gold, labels = ([rng.choice(LABELS) for _ in range(n)] for _ in range(2))
    score = [rng.choice((0.0, 0.5, 0.5, 1.0, -2.0)) for _ in range(n)]
    if seed % 2:
        labels = ["E" if value > 0.4 else other for value, other in zip(score, labels, strict=True)]
    positive = [label == "E" for label in labels]
    prefixes = [[positive[item] for item in order] for order in tie_breaks(score)]
    sound = any(prefix == sorted(prefix, reverse=True) for prefix in prefixes)
    found = told(gold, labels, score)["soundness"]
    assert found["sound"] == sound
    if sound:
        assert found["break"] is None
        return
    broken = found["break"]
    places = [int(broken[side].removeprefix("i")) for side in ("positive", "other")]
    assert [positive[place] for place in places] == [True, False]
    assert [score[place] for place in places] == [broken["positive_score"], broken["other_score"]]
    assert broken["positive_score"] == min(value for value, own in zip(score, positive, strict=True) if own)
    assert broken["other_score"] == max(value for value, own in zip(score, positive, strict=True) if not own)
    wrong = [
        any(
            (score[other] - score[item]) * (1 if positive[item] else -1) > 0
            for other in range(n)
            if positive[other] != positive[item]
        )
        for item in range(n)
    ]
    assert broken["items"] == sum(wrong)


@pytest.mark.parametrize("seed", seeds(40, each_time=12))
def test_degradation(seed):
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    gold = [rng.choice("EEENNC") for _ in range(rng.randint(5, 40))]
    labels = [rng.choice((label, *LABELS)) for label in gold]

    def values(output):
        return accuracy_of(gold, output), kappa_of(gold, output), information_of(gold, output, [1] * len(gold))[0]

    before = values(labels)
    expected = {}
    for label, into in permutations(LABELS, 2):
        after = values([into if own == label else own for own in labels])
        accuracy, kappa, information = (new - old for new, old in zip(after, before, strict=True))
        if accuracy > 1e-12 and kappa > 1e-12 and information < -1e-12:
            expected[label, into] = after
    found = {(merge["label"], merge["into"]): merge for merge in told(gold, labels)["degradation"]}
    assert found.keys() == expected.keys()
    for pair, after in expected.items():
        pairs = [found[pair][name] for name in ("accuracy", "kappa", "mutual_information")]
        np.testing.assert_allclose(pairs, list(zip(before, after, strict=True)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", seeds(20, each_time=6))
def test_symmetry(seed):
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    n = rng.randint(2, 6)
    gold = ["E", "C", *(rng.choice(LABELS) for _ in range(n - 2))]
    labels = [rng.choice((label, *LABELS)) for label in gold]
    score = [rng.choice((0.0, 0.5, 1.0, 2.0)) for _ in range(n)]
    sides = [(gold, labels, score), ([SWAPPED[g] for g in gold], [SWAPPED[l] for l in labels], [-value for value in score])]
    found = told(gold, labels, score)["symmetry"]
    expected = {
        "a3": [accuracy_of(g, l) for g, l, _ in sides],
        "a2": [accuracy_of([x == "E" for x in g], [x == "E" for x in l]) for g, l, _ in sides],
        "mutual_information": [information_of(g, l, [1] * n)[0] for g, l, _ in sides],
        "average_precision": [mean(precision_of(order, [x == "E" for x in g]) for order in tie_breaks(s)) for g, _, s in sides],
    }
    assert found.keys() == expected.keys()
    for name, pair in expected.items():
        assert found[name] == pytest.approx(pair, abs=1e-12), name
    assert found["a3"][0] == found["a3"][1]


@pytest.mark.each_time(4)
@pytest.mark.parametrize("seed", seeds(60, each_time=20))
def test_conflict(seed):
    """Section 4.1: the threshold is at r, the number of positive items; the item there is positive, and so is one further below,
    with others in between: moved past positive items only it would not make the ranking better."""
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    n = rng.randint(2, 8)
    gold = [rng.choice("EENC") for _ in range(n)]
    score = [rng.choice((0.0, 0.5, 1.0, 2.0, 3.0)) for _ in range(n)]
    order = sorted(range(n), key=lambda item: (-score[item], item))
    r = gold.count("E")
    others = [place for place in range(r, n) if gold[order[place]] != "E"]
    below = [item for item in order[others[0] :] if gold[item] == "E"] if others else []
    found = told(gold, gold, score)["conflict"]
    if not (0 < r < n and gold[order[r - 1]] == "E" and below):
        assert found is None
        return
    better = [item for item in order if item != below[0]]
    better.insert(r - 1, below[0])
    positive = [label == "E" for label in gold]

    def accuracy(ranking):
        return mean(positive[item] == (place < r) for place, item in enumerate(ranking))

    expected = {
        "moved": f"i{below[0]}",
        "from_rank": order.index(below[0]) + 1,
        "to_rank": r,
        "lost": f"i{order[r - 1]}",
        "precision_before": precision_of(order, positive),
        "precision_after": precision_of(better, positive),
        "accuracy_if_relabelled": accuracy(order) + 1 / n,
        "accuracy_after": accuracy(better),
    }
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), name
    assert found["precision_after"] > found["precision_before"]
    assert found["accuracy_after"] < found["accuracy_if_relabelled"]


WORST = [{"E": "C", "N": end, "C": "E"} for end in "CE"]  # a measure takes the worse of both ends


@pytest.mark.each_time(10)
@pytest.mark.parametrize("policy", ["worst", "drop", "class:N", "class:E"])
@pytest.mark.parametrize("shape", ["frames", "files", "stacked"])
@pytest.mark.parametrize("seed", range(4))
def test_missing_items_come_last_and_weigh_nothing(tmp_path, policy, shape, seed):
    """A stand-in is behind all answers of its topic, tied with other stand-ins, and has no confidence of its own."""
    rows = drawn(seed)
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    lost = {row[:3] for row in rows if row[0] == "t" and rng.random() < 0.4}
    answered = [row for row in rows if row[:3] not in lost]
    if shape == "stacked":
        gold, runs = write(tmp_path / "all.tsv", records(answered, *COLUMNS)), None
    elif shape == "frames":
        gold = as_frames(rows, pl)[0]
        runs = {run: pl.DataFrame(records(answered, *OF_RUN, run=run)) for run in "st"}
    else:
        gold, _ = as_files(rows, tmp_path, ".tsv")
        runs = [write(tmp_path / f"{run}.tsv", records(answered, *OF_RUN, run=run)) for run in "st"]
    scores = mm.evaluate(gold, runs, measures=MEASURES, missing=policy, baselines=False, **ROLES)
    for row in range(len(MEASURES)):
        name = scores.measures[row].id
        for place, topic in enumerate(scores.topics):
            ends = []
            for worst in WORST:
                completed = []
                for run, of_topic, *rest, gold_label, label, sure, score in rows:
                    if (run, of_topic) != ("t", topic):
                        continue
                    if (run, of_topic, *rest) not in lost:
                        completed.append((gold_label, label, sure, score))
                    elif policy != "drop":
                        stand_in = worst[gold_label] if policy == "worst" else policy.removeprefix("class:")
                        completed.append((gold_label, stand_in, -1e300, -1e300))
                ends.append(reference(completed)[name] if completed else math.nan)
            expected = np.fmax(*ends) if scores.measures[row].better == "lower" else np.fmin(*ends)
            assert scores.values[row, place, 1] == pytest.approx(expected, abs=1e-12, nan_ok=True), (name, topic)


@pytest.mark.parametrize("shape", ["frames", "files"])
def test_partitions_are_topics_dealt_by_the_seed(tmp_path, shape):
    rows = [("", row[2], *row[3:]) for row in drawn(5, topics=(17,), runs=("s",))]
    columns = ("topic", "item", "gold", "label", "confidence", "score")
    made = [dict(zip(columns, row, strict=True)) for row in rows]
    gold = [{"item": record["item"], "gold": record["gold"]} for record in made]
    run = [{column: record[column] for column in ("item", "label", "confidence", "score")} for record in made]
    if shape == "frames":
        data = pl.DataFrame(gold), {"s": pl.DataFrame(run)}
    else:
        data = write(tmp_path / "gold.tsv", gold), [write(tmp_path / "s.tsv", run)]
    scores = mm.evaluate(*data, measures=MEASURES, partitions=4, seed=3, baselines=False, **ROLES)
    # The deal, as it is documented: a permutation of the sorted ids by Philox with the seed, taken modulo the number of parts.
    dealt = np.random.Generator(np.random.Philox(3)).permutation(len(rows)) % 4
    for part, topic in enumerate(scores.topics):
        own = [row[2:] for row, place in zip(sorted(rows, key=lambda row: row[1]), dealt, strict=True) if place == part]
        expected = reference(own)
        found = dict(zip(MEASURES, scores.values[:, part, 0], strict=True))
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), topic


@pytest.mark.parametrize("average", ["topics", "pooled"])
def test_intervals_of_orders_bracket_their_values(average):
    rows = drawn(8, topics=(40, 60, 50))
    scores = mm.evaluate(*as_frames(rows, pl), measures=MEASURES, ci=True, trials=200, average=average, **ROLES)
    shown = scores.averages()[:, :2]
    given = [row for row, measure in enumerate(scores.measures) if measure.excess is None]  # what chance adds to has none
    for ends in (scores.intervals.topics, scores.intervals.items):
        if ends is None:
            assert average == "pooled"
            continue
        low, high = (end[given][:, :2] for end in ends)
        assert np.isfinite([low, high]).all()
        assert (low <= shown[given] + 0.1).all()
        assert (shown[given] <= high + 0.1).all()
        assert (low < high).all()
    # Mutual information is biased upwards in a resample, so it is not asked for here.
    rows = [row for row, measure in enumerate(scores.measures) if not measure.id.startswith("mutual_information")]
    low, high = (end[rows][:, :2] for end in scores.intervals.items)
    assert ((low <= shown[rows]) & (shown[rows] <= high)).all()


def test_the_seed_gives_the_same_bytes(run, tmp_path):
    gold, runs = as_files(drawn(9, topics=(12, 15)), tmp_path, ".tsv")
    asked = ["evaluate", gold, *runs, *FLAGS, "--ci", "--trials", "50", "--format", "json", "--measures", ",".join(MEASURES)]
    first, again, other = (run(*asked, "--seed", seed, *more)[1] for seed, more in ((1, ()), (1, ("--threads", "1")), (2, ())))
    assert json.loads(first)["runs"]
    assert first == again
    assert first != other


def test_numbers_in_words_look_as_different_as_they_are():
    """A hundred thousand items, half of them positive: one label is a change in the fifth digit, one rank in the tenth."""
    size = 100_000
    half = size // 2
    ids = [f"i{place}" for place in range(size)]
    gold = np.where(np.arange(size) % 2 == 0, "E", "C")
    gold[[0, half - 1, half, half + 1]] = ["C", "E", "C", "E"]  # the last three at ranks r, r + 1 and r + 2
    score = np.arange(size, 0.0, -1) / size
    score[1], score[2] = 0.91234568, 0.91234567
    labels = np.where(score == score[1], "C", np.where(score >= score[2], "E", "C"))
    gold, run = pl.DataFrame({"item": ids, "gold": gold}), pl.DataFrame({"item": ids, "label": labels, "score": score})
    notes = "; ".join(mm.evaluate(gold, {"s": run}, measures="a3", baselines=False, **ROLES).to_dict()["notes"])
    assert "'i2' is labelled positive with a score of 0.91234567, item 'i1' is not with 0.91234568" in notes
    changes = re.search(r"AP from (\S+) to (\S+), .*accuracy is (\S+) instead of (\S+) ", notes)
    assert changes is not None
    assert float(changes[1]) < float(changes[2])
    assert float(changes[3]) < float(changes[4])
