"""Entailment in plain Python: measures of orders as means over all tie breaks, and data with many ties in every shape."""

import json
import math
import random
from collections import Counter
from itertools import pairwise, permutations

import polars as pl

LABELS = ("E", "N", "C")
ROLES = {"task": "entailment", "positive": "E", "neutral": "N", "negative": "C"}
FLAGS = ("--task", "entailment", "--positive", "E", "--neutral", "N", "--negative", "C")
MEASURES = (
    "average_precision",
    "confidence_weighted_score",
    "mutual_information@rank",
    "gold_entropy@rank",
    "mutual_information@confidence",
    "gold_entropy@confidence",
    "a3",
    "a2",
)


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def tie_breaks(keys):
    """All orders of the positions, highest key first, in which only tied ones differ."""
    return [order for order in permutations(range(len(keys))) if all(keys[a] >= keys[b] for a, b in pairwise(order))]


def precision_of(order, relevant):
    found, values = 0, []
    for place, item in enumerate(order, start=1):
        if relevant[item]:
            found += 1
            values.append(found / place)
    return mean(values) if values else math.nan


def confidence_of(order, right):
    return mean(sum(right[item] for item in order[:place]) / place for place in range(1, len(order) + 1))


def linear(n):
    return [2 * (n + 1 - place) / (n * (n + 1)) for place in range(1, n + 1)]


def rank_weights_of(keys, series=linear):
    """Each item's mean weight over all tie breaks."""
    weights = series(len(keys))
    orders = tie_breaks(keys)
    return [mean(weights[order.index(item)] for order in orders) for item in range(len(keys))]


def entropy_of(weights):
    total = math.fsum(weights)
    return -math.fsum(w / total * math.log2(w / total) for w in weights if w > 0)


def information_of(gold, labels, weights):
    """H(G) + H(L) - H(G, L), and H(G)."""
    sides = [Counter() for _ in range(3)]
    for one, other, weight in zip(gold, labels, weights, strict=True):
        for side, key in zip(sides, (one, other, (one, other)), strict=True):
            side[key] += weight
    if not math.fsum(weights) > 0:
        return math.nan, math.nan
    of_gold, of_labels, joint = (entropy_of(side.values()) for side in sides)
    return of_gold + of_labels - joint, of_gold


def kappa_of(gold, labels):
    n = len(gold)
    agree = sum(g == l for g, l in zip(gold, labels, strict=True)) / n
    chance = sum(gold.count(label) * labels.count(label) for label in LABELS) / n**2
    return (agree - chance) / (1 - chance) if chance < 1 else math.nan


def accuracy_of(gold, labels):
    return mean(g == l for g, l in zip(gold, labels, strict=True))


def reference(rows, series=linear):
    """Each of MEASURES for rows of (gold, label, confidence, score)."""
    gold, labels, sure, score = zip(*rows, strict=True)
    right = [g == l for g, l in zip(gold, labels, strict=True)]
    positive = [g == "E" for g in gold]
    by_rank = information_of(gold, labels, rank_weights_of(sure, series))
    own = information_of(gold, labels, [max(0, weight) for weight in sure])
    return {
        "average_precision": mean(precision_of(order, positive) for order in tie_breaks(score)),
        "confidence_weighted_score": mean(confidence_of(order, right) for order in tie_breaks(sure)),
        **dict(zip(MEASURES[2:4], by_rank, strict=True)),
        **dict(zip(MEASURES[4:6], own, strict=True)),
        "a3": mean(right),
        "a2": mean((g == "E") == (l == "E") for g, l in zip(gold, labels, strict=True)),
    }


def drawn(seed, topics=(6, 4, 5), runs=("s", "t")):
    """Rows (run, topic, item, gold, label, confidence, score) with many ties; gold has a positive item in every topic."""
    rng = random.Random(seed)  # noqa: S311 - data, not secrets
    gold = {}
    for topic, size in enumerate(topics):
        for item in range(size):
            gold[f"q{topic}", f"{topic}-{item}"] = "E" if item == 0 else rng.choice(LABELS)
    return [
        (
            run,
            *key,
            label,
            rng.choice((label, *LABELS)),
            rng.choice((0.25, 0.5, 0.5, 1.0, 3.0)),
            rng.choice((-1.0, 0.0, 0.0, 2.5)),
        )
        for run in runs
        for key, label in gold.items()
    ]


COLUMNS = ("run", "topic", "item", "gold", "label", "confidence", "score")


def records(rows, *columns, run=None):
    """The rows as dictionaries of these columns, of one run or all."""
    chosen = [dict(zip(COLUMNS, row, strict=True)) for row in rows if run in (None, row[0])]
    return [{column: record[column] for column in columns} for record in chosen]


def write(path, made):
    match path.suffix:
        case ".parquet":
            pl.DataFrame(made).write_parquet(path)
        case ".jsonl":
            path.write_text("".join(json.dumps(record) + "\n" for record in made))
        case _:
            path.write_text("\n".join(["\t".join(made[0]), *("\t".join(map(str, record.values())) for record in made)]) + "\n")
    return path


OF_RUN = ("topic", "item", "label", "confidence", "score")


def as_frames(rows, library):
    gold = library.DataFrame(records(rows, "topic", "item", "gold", run="s"))
    return gold, {run: library.DataFrame(records(rows, *OF_RUN, run=run)) for run in "st"}


def as_files(rows, folder, extension):
    gold = write(folder / f"gold{extension}", records(rows, "topic", "item", "gold", run="s"))
    return gold, [write(folder / f"{run}{extension}", records(rows, *OF_RUN, run=run)) for run in "st"]
