"""Calls on small data that bring about what the program has to say: the examples of ``tools/findings.py``."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

import metameasure as mm
from metameasure.cli import main
from metameasure.studies.drawings.proximities import reviews

RUN = "bert --epochs 3 <b>"
OTHER = "a|b %s {0}"
ITEMS = 12


def tried_data() -> str:
    """Data sets to try measures on: two that can tell, one of them with a broken run, one of two runs, and one without gold."""
    demo = Path(mm.__file__).parent / "demo"
    for name in ("tweets", "again", "two"):
        shutil.copytree(demo, Path("sets") / name)
    with Path("sets/again/runs/bold.tsv").open("a", encoding="utf-8") as run:
        run.write("9999\tx\t9\n")
    for run in sorted(Path("sets/two/runs").iterdir())[2:]:
        run.unlink()
    Path("sets/none").mkdir()
    return "sets"


def make() -> None:
    """Every call in turn, in the folder that is current."""
    for call in (
        labels,
        pages,
        few_topics,
        gates,
        comparisons,
        measures,
        advice,
        ratings,
        crowds,
        corrections,
        rankings,
        other_tasks,
        outcomes,
        probabilities,
        sets_of_labels,
        battles,
        several_tasks,
        files,
        charts,
        harness_logs,
        seldom_said,
        the_rest,
    ):
        call()


def asked(function: Any, *data: Any, **how: Any) -> Any:
    """The answer in all its renderings; nothing where the call is refused, whose message is heard too."""
    with contextlib.suppress(mm.MetameasureError):
        answer = function(*data, **how)
        for format in ("table", "json", "html", "latex"):
            answer.render(format, notes="all")
        return answer
    return None


def table(name: str, rows: list[list[Any]], delimiter: str = ",") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return path


def rows_of(path: Path) -> list[list[Any]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def gold_and_runs(topics: int, seed: int = 5, classes: int = 3) -> dict[str, Any]:
    """Gold and four runs, from one that is nearly right to one that always says the same."""
    draw = np.random.default_rng(seed)
    gold = draw.integers(1, classes + 1, (topics, ITEMS))
    runs = {RUN: 0.1, OTHER: 0.35, "worse": 0.7}
    wrong = {
        name: np.where(draw.random(gold.shape) < share, draw.integers(1, classes + 1, gold.shape), gold)
        for name, share in runs.items()
    }
    return {"gold": gold, **wrong, "constant": np.full_like(gold, 2)}


def side_by_side(name: str, topics: int, **how: Any) -> Path:
    columns = gold_and_runs(topics, **how)
    rows = [
        [f"t{topic}" if topics > 1 else "t", f"i{topic}-{item}", *(column[topic, item] for column in columns.values())]
        for topic in range(topics)
        for item in range(ITEMS)
    ]
    return table(name, [["topic", "item", *columns], *rows])


HOW: dict[str, Any] = {"classes": "1..3"}
MEASURES = ["accuracy", "kappa_linear", "mae_macro", "cem_ord", "f1_macro"]


def labels() -> None:
    """Scores with intervals, letters, baselines, policies and limits."""
    ten = side_by_side("ten.csv", 10)
    asked(mm.evaluate, ten, **HOW, measures=MEASURES, ci=True, groups=True, baselines=True, trials=50)
    asked(mm.evaluate, ten, **HOW, measures=MEASURES, ci=True, interval="bootstrap", trials=50)
    asked(mm.evaluate, ten, **HOW, measures=["mutual_information", "pearson", "recall@1"], ci=True, trials=50, average="pooled")
    asked(mm.evaluate, ten, **HOW, measures=MEASURES, balance=True)
    asked(mm.evaluate, ten, classes="1..4", measures=MEASURES, balance=True)
    distances = [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    asked(mm.evaluate, ten, **HOW, measures=["kappa_weighted", "accuracy"], distance=distances)
    asked(mm.table, ten, **HOW)
    one = side_by_side("one.csv", 1)
    for interval in ("auto", "bootstrap", "bayes"):
        asked(mm.evaluate, one, **HOW, measures=MEASURES, ci=True, interval=interval, trials=50)
    gold = [["topic", "item", "label"], *([f"t{place // 4}", place, place % 3 + 1] for place in range(40))]
    table("gold.csv", gold)
    table(f"runs/{RUN}.csv", [["topic", "item", "label"], *gold[2:-1], ["t0", 0, "+1"], ["t0", "nowhere", 3]])
    table("runs/gaps.csv", [["topic", "item", "label"], *gold[6:]])
    table("runs/broken.csv", [["topic", "item", "label"], *gold[1:-1], ["t9", 39, "zwei"]])
    some = ["gold.csv", "runs/*.csv"]
    for missing in ("drop", "worst", "zero", "class:2"):
        asked(mm.evaluate, *some, **HOW, missing=missing, extra="ignore", skip_broken=True, measures="cem_ord")
    asked(mm.evaluate, *some, **HOW, measures="recall@1,f1_macro,kappa", missing="drop", extra="ignore", skip_broken=True)
    asked(mm.evaluate, *some, **HOW, bins=[1.5, 2.5], measures="accuracy", missing="drop", extra="ignore", skip_broken=True)
    asked(mm.check, *some, **HOW)
    asked(mm.check, "gold.csv", ["runs/gaps.csv"], classes="2..4")
    table("texts.csv", [["item", "text"], [1, "the first"]])
    pair = ["gold.csv", f"runs/{RUN}.csv", "runs/gaps.csv"]
    asked(mm.explain, *pair, **HOW, measure="cem_ord", missing="drop", extra="ignore", texts="texts.csv")
    mm.report(ten, **HOW, measures=MEASURES, trials=50)


def pages() -> None:
    """Pages where measures disagree and a run is below a baseline, of one run, of runs that are alike, and of too few topics."""
    demo = Path(mm.__file__).parent / "demo"
    files = demo / "gold.tsv", demo / "runs" / "*.tsv"
    measures = ["mae_macro", "accuracy", "cem_ord", "kappa_linear"]
    scores = mm.evaluate(*files, classes="-2..2", measures=measures, baselines=True)
    mm.report(scores, trials=200)
    asked(mm.meta.deltas, scores, "careful", "bold")
    mm.report("gold.csv", "runs/gaps.csv", **HOW, measures=["recall@1", "accuracy"], missing="drop", trials=50)
    draw = np.random.default_rng(3)
    alike = {name: draw.integers(1, 4, 120) for name in ("gold", RUN, OTHER)}
    rows = [[f"t{place // 10}", place, *(column[place] for column in alike.values())] for place in range(120)]
    mm.report(table("alike.csv", [["topic", "item", *alike], *rows]), **HOW, measures=["accuracy", "mae_macro"], trials=50)
    mm.report(table("few.csv", [["topic", "item", *alike], *rows[:30]]), **HOW, measures=["accuracy"], trials=50)


def clustered(topics: int, clusters: int) -> Path:
    rows = rows_of(side_by_side(f"{topics}-{clusters}.csv", topics))
    rows = [[*rows[0], "cluster"], *([*row, place % clusters] for place, row in enumerate(rows[1:]))]
    return table(f"{topics}-{clusters}.csv", rows)


def gates() -> None:
    """Runs that pass, fail and are undecided, by one measure and by several, with and without a policy."""
    two: dict[str, Any] = {**HOW, "baseline": RUN, "candidate": OTHER}
    for margin, undecided in ((0.001, None), (0.001, "fail"), (0.9, None)):
        asked(mm.gate, side_by_side("ten.csv", 10), measures="accuracy", margin=margin, undecided=undecided, **two)
        asked(mm.gate, side_by_side("ten.csv", 10), measures=MEASURES, margin=margin, undecided=undecided, **two)
    asked(mm.gate, clustered(1, 6), measures="accuracy", margin=0.1, columns={"cluster": "cluster"}, validity=True, **two)
    asked(mm.gate, clustered(1, 6), measures="kappa", margin=0.1, run_columns=[RUN, OTHER], **two)
    asked(mm.gate, [1] * 200, [0] * 90 + [1] * 110, margin=0.1, better="higher")
    frames = [{"item": [1, 2, 3], "score": [1, 0, 1]}, {"item": [1, 2], "score": [0, 1]}]
    old, new = (
        table(f"{name}.csv", [list(one), *zip(*one.values(), strict=True)]) for name, one in zip("ab", frames, strict=True)
    )
    asked(mm.gate, old, new, margin=0.1)
    asked(mm.gate, [1, 0] * 20, [0, 1] * 20, margin=0.1, better="higher", undecided="fail")


def few_topics() -> None:
    """Where topics are too few to be a sample, and where items lie in clusters."""
    three = side_by_side("three.csv", 3)
    asked(mm.ranks, side_by_side("ten.csv", 10), None, "cem_ord", **HOW, trials=50)
    asked(mm.ranks, three, None, "cem_ord", **HOW, units="topics")
    asked(mm.evaluate, three, **HOW, measures="cem_ord", possible_ranks=True, units="topics")
    asked(mm.evaluate, three, **HOW, measures="f1@1,accuracy", possible_ranks=True, units="topics")
    for units in (None, "topics", "items"):
        asked(mm.evaluate, three, **HOW, measures=MEASURES, ci=True, groups=True, units=units, trials=50)
        asked(mm.compare, three, None, "cem_ord", **HOW, units=units)
    for topics, clusters in ((1, 6), (3, 5), (8, 20)):
        columns = {"columns": {"cluster": "cluster"}, "run_columns": [RUN, OTHER, "worse"]}
        for interval in (None, "bootstrap"):
            asked(
                mm.evaluate,
                clustered(topics, clusters),
                **HOW,
                **columns,
                measures=MEASURES,
                ci=True,
                interval=interval,
                trials=50,
            )
        asked(mm.compare, clustered(topics, clusters), None, "accuracy", **HOW, **columns, trials=200)


def matrix(measure: str, values: Any, names: tuple[str, ...] = (RUN, OTHER, "c", "d", "e", "f")) -> mm.Scores:
    topics, runs = values.shape
    return mm.ScoreMatrix(measure, tuple(f"t{topic}" for topic in range(topics)), names[:runs], values)


def comparisons() -> None:
    """What may be said of differences between runs, by every test."""
    draw = np.random.default_rng(3)
    ten = "ten.csv"
    for more in (
        {},
        {"against": RUN},
        {"correction_across": "measures"},
        {"test": "tukey"},
        {"test": "classical"},
        {"simultaneous": True},
    ):
        asked(mm.compare, ten, None, ["accuracy", "cem_ord"], **HOW, **more, trials=200)
        asked(mm.compare, ten, None, "accuracy", **HOW, **more, trials=200)
    for test in ("permutation", "bootstrap"):
        asked(mm.compare, ten, None, "accuracy", **HOW, test=test, trials=99, correction="holm")
    asked(mm.compare, ten, None, "accuracy", **HOW, leave_out=["worse"])
    even = 0.5 + draw.normal(0, 0.05, (12, 1)) + 0.03 * np.arange(6) + draw.normal(0, 0.01, (12, 6))
    loud = even.copy()
    loud[:, 5] = draw.random(12)
    asked(mm.compare, matrix("accuracy", loud))
    far = even.copy()
    far[:, 5] = 0.02 + draw.normal(0, 0.001, 12)
    asked(mm.compare, matrix("accuracy", far), test="tukey", trials=1000)
    steady = 0.5 + draw.normal(0, 0.1, (12, 1)) + draw.normal(0, 0.06, (12, 6))
    steady[:, 1] = steady[:, 0] + 0.01 + draw.normal(0, 0.001, 12)
    steady[:, 2] = steady[:, 0] + 0.02 + draw.normal(0, 0.001, 12)
    asked(mm.compare, matrix("accuracy", steady))
    holes = even.copy()
    holes[0, 0] = np.nan
    for incomplete in ("drop-topics", "drop-runs"):
        asked(mm.compare, matrix("accuracy", holes), incomplete=incomplete)
    empty = even.copy()
    empty[:, 2] = np.nan
    asked(mm.compare, matrix("accuracy", empty), incomplete="drop-topics")
    asked(mm.compare, matrix("accuracy", even[:4]))
    asked(mm.compare, matrix("accuracy", even[:4]), test="stepwise")
    asked(mm.compare, matrix("accuracy", draw.random((12, 3))))
    baselines = mm.evaluate(ten, **HOW, measures=MEASURES, baselines=True)
    asked(mm.compare, baselines, "cem_ord")
    baselines.save("scores.csv")
    rows = rows_of(Path("scores.csv"))
    mark = rows[0].index("baseline")
    table("unmarked.csv", [row[:mark] + row[mark + 1 :] for row in rows])
    asked(mm.compare, "unmarked.csv", "cem_ord")
    asked(mm.advise, "unmarked.csv")
    found = asked(mm.compare, ten, None, "accuracy", **HOW)
    first, second, *_ = found.runs
    kept = mm.count("three.csv", **HOW, for_="compare", pairs=[(first, second)])
    asked(mm.compare, kept, "accuracy")
    old = "task:classification|classes:1,2,3|kind:ordinal|topics:10|average:topics|counts:0123456789ab|version:0.2.0"
    asked(mm.reproduce, old, ten)
    asked(mm.reproduce, str(found.signature), ten)


def measures() -> None:
    """What may be said of measures."""
    draw = np.random.default_rng(4)
    scores = mm.evaluate("ten.csv", **HOW, measures=[*MEASURES, "accuracy@1"])
    asked(mm.meta.summary, scores, trials=100, splits=50)
    asked(mm.meta.consistency, scores, splits=50, test="splits")
    three = mm.evaluate("three.csv", **HOW, measures=MEASURES)
    for question in ("summary", "discrimination", "contradictions"):
        asked(getattr(mm.meta, question), three, trials=50)
    truth = draw.normal(0, 1, (60, 1)) + 0.2 * np.arange(12) + draw.normal(0, 0.5, (60, 12))
    names = tuple(f"r{run}" for run in range(12))
    noises = {"kappa": 1.0, "mcc": 1.0, "cem_ord": 8.0}
    noisy = [matrix(id, truth + draw.normal(0, noise, truth.shape), names) for id, noise in noises.items()]
    asked(mm.meta.summary, noisy, trials=100, splits=20)
    opposed = [matrix("kappa", truth, names), matrix("mcc", -truth, names), matrix("cem_ord", truth + 0.1, names)]
    asked(mm.meta.summary, opposed, trials=200, splits=20)
    for noises in (
        {"kappa_linear": 8.0, "cem_ord": 1.0, "mcc": 1.0},
        {"kappa_linear": 3.0, "accuracy": 0.2},
        {"mae": 1.0, "accuracy": 1.0},
    ):
        asked(mm.advise, [matrix(id, truth + draw.normal(0, noise, truth.shape), names) for id, noise in noises.items()])
    asked(mm.axioms, "cosine", trials=0)
    asked(mm.trial, ["nmd", "jsd"], quick=True).chart()
    asked(mm.trial, "accuracy", quick=True, data=tried_data())
    asked(mm.axioms, ["cosine", "nmd"], trials=0)
    asked(mm.design, scores, trials=20)
    asked(mm.design, scores, trials=20, difference=1e-5)


def advice() -> None:
    """Which measure to report: for labels with and without distances, with constant runs, with too little."""
    asked(mm.advise, "ten.csv", **HOW)
    asked(mm.advise, "ten.csv", **HOW, no_distances=True)
    asked(mm.advise, "ten.csv", classes="1=1,2=2,3=5", kind="interval")
    asked(mm.advise, "three.csv", **HOW)
    asked(mm.advise, side_by_side("many.csv", 30, seed=2), **HOW)
    asked(mm.advise, mm.evaluate("many.csv", **HOW, measures=MEASURES))


def ratings() -> None:
    """How well people agree, and judges beside them."""
    draw = np.random.default_rng(6)
    truth = draw.integers(1, 5, 40)
    people = {RUN: 0.2, OTHER: 0.3, "c": 0.3, "random": 1.0}
    rows: list[list[Any]] = [["item", "annotator", "label"]]
    for name, share in people.items():
        given = np.where(draw.random(40) < share, draw.integers(1, 5, 40), truth)
        rows += [[f"i{item}", name, label] for item, label in enumerate(given) if (item + len(name)) % 7]
    rows += [["alone", "c", 2], ["few", "late", 1], ["i1", "late", truth[1]], ["i2", "late", truth[2]]]
    good = np.where(draw.random(40) < 0.1, draw.integers(1, 5, 40), truth)
    rows += [[f"i{item}", "gpt", label] for item, label in enumerate(good) if item % 9]
    rows += [[f"i{item}", "flat", 2] for item in range(40)]
    rows += [[f"i{item}", "dice", label] for item, label in enumerate(draw.integers(1, 5, 40))]
    table("ratings.csv", rows)
    asked(mm.agree, "ratings.csv", classes="1..4", trials=50)
    asked(
        mm.agree, table("gaps.csv", [["item", "a", "b"], [1, 1, 2], [2, "", ""], [3, 2, 2], [4, 1, 1]]), classes="1..2", trials=50
    )
    asked(mm.agree, "ratings.csv", classes="1..4", trials=50, measures="icc2,kendall_w,alpha_nominal")
    skewed = [["item", "a", "b"], *([item, 1, 1 if item else 2] for item in range(30))]
    asked(mm.agree, table("skewed.csv", skewed), classes="1..4", trials=50)
    asked(mm.agree, table("alike.csv", [["item", "a", "b"], *([item, 1, 1] for item in range(5))]), classes="1..2", trials=50)
    for gold in ("each", "median"):
        asked(mm.judge, "ratings.csv", among=["gpt", "flat", "dice"], classes="1..4", gold=gold, trials=50)
    outside = [
        ["item", "label"],
        *([f"i{item}", 9 if item == 3 else truth[item]] for item in range(40)),
        ["nowhere", 1],
        ["no", 2],
    ]
    asked(mm.judge, table("ratings/people.csv", rows), table("judge.csv", outside), classes="1..4", trials=50)
    grouped = [[*rows[0], "cluster"], *([*row, hash_of(row[0])] for row in rows[1:])]
    asked(mm.judge, table("grouped.csv", grouped), among=["gpt"], classes="1..4", columns={"cluster": "cluster"}, trials=50)


def hash_of(name: str) -> int:
    return sum(map(ord, name)) % 9


def crowds() -> None:
    """Gold of many annotators, of whom some know nothing, one always says the same and one is too high."""
    rng = np.random.default_rng(4)
    rows: list[list[Any]] = [["item", "annotator", "label"]]
    for item, label in enumerate(rng.integers(1, 4, 200).tolist()):
        for one in rng.choice(24, 6, replace=False).tolist():
            knows = 2 if one == 8 else min(3, label + 1) if one == 9 else label
            rows.append([item, f"w{one:02d}", int(rng.integers(1, 4)) if one < 8 else knows])
    path = table("crowd.csv", rows)
    for how in ("majority", "median", "dawid-skene"):
        asked(mm.agree, path, classes="1..3", aggregate=how, trials=50)


def corrections() -> None:
    """People label some items, a judge all: too few, of unknown choice, a judge that never errs, clusters, a plan."""
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 4, 400)
    judge, first, second = (np.where(rng.random(400) < share, truth, rng.integers(1, 4, 400)) for share in (0.8, 0.9, 0.3))
    people = [int(label) if item < 80 else None for item, label in enumerate(truth)]
    runs = {RUN: first.tolist(), OTHER: second.tolist()}
    how: dict[str, Any] = {"classes": "1..3", "measures": "accuracy,kappa", "trials": 200}
    pilot = asked(mm.correct_scores, people, runs, judge.tolist(), **how, sampled="random", validity=True)
    asked(mm.label_design, pilot, width=0.0001)
    asked(mm.correct_scores, people, runs, judge.tolist(), **how, sampled="unknown")
    asked(mm.correct_scores, people, runs, judge.tolist(), **how)
    asked(mm.correct_scores, people, {RUN: [1] * 400}, truth.tolist(), **how, sampled="random")
    asked(mm.correct_scores, [label and 1 for label in people], {RUN: [1] * 400}, [1] * 400, **how, sampled="random")
    labelled = {"ann": {item: label for item, label in enumerate(people) if label}, "bob": {"none": 1}}
    rows = [["item", "label", "cluster"], *([item, label, item // 4] for item, label in enumerate(judge))]
    asked(mm.correct, labelled, [table("clustered.csv", rows)], classes="1..3", sampled="random", columns={"cluster": "cluster"})


def rankings() -> None:
    """Rankings in the formats of the field."""
    draw = np.random.default_rng(7)
    gold: list[list[Any]] = [["segment", "item", "rank"], *([s, i, i + 1] for s in range(8) for i in range(4))]
    table("rank/gold.csv", gold)
    for name in (RUN, "other"):
        ranks = [*draw.permuted(np.tile(np.arange(1, 5), (8, 1)), axis=1).ravel()]
        table(
            f"rank/runs/{name}.csv",
            [gold[0], *([*row[:2], rank] for row, rank in zip(gold[1:-1], ranks, strict=False)), [0, "x", 2]],
        )
    data = "rank/gold.csv", "rank/runs/*.csv"
    for missing in ("drop", "last"):
        asked(mm.evaluate, *data, task="ranking", missing=missing, extra="ignore", compat="rankeval")
    asked(mm.table, *data, task="ranking", missing="drop", extra="ignore")
    metrics: list[list[Any]] = [
        ["segment", "item", "score"],
        *([s, i, float(i + draw.normal())] for s in range(4) for i in range(5)),
    ]
    table("metrics/gold.csv", metrics)
    for name in ("m", "n"):
        table(f"metrics/runs/{name}.csv", [metrics[0], *([*row[:2], row[2] + draw.normal()] for row in metrics[1:])])
    table("metrics/runs/copy.csv", [metrics[0], *([*row[:2], 2 * row[2]] for row in metrics[1:])])
    table("metrics/runs/again.csv", metrics)
    metric_data = "metrics/gold.csv", "metrics/runs/*.csv"
    asked(mm.evaluate, *metric_data, task="ranking", measures="spa,pearson@system", ci=True)
    asked(mm.compare, *metric_data, "pearson@segment", task="ranking", test="williams")
    asked(mm.compare, *metric_data, "pearson@segment", task="ranking", test="perm-both", trials=50)
    for pair, level in (("en-de", "seg"), ("zh-en", "seg"), ("en-de", "sys")):
        of = sorted(metrics[1:] if level == "seg" else metrics[1:6], key=lambda row: row[1])
        table(f"wmt24/human-scores/{pair}.mqm.{level}.score", [[f"s{i}", score] for _, i, score in of], "\t")
        for name in ("m-refA", "n-src", *(["o-src"] if (pair, level) == ("en-de", "seg") else [])):
            noisy = [[f"s{i}", score + draw.normal()] for _, i, score in of]
            table(f"wmt24/metric-scores/{pair}/{name}.{level}.score", noisy, "\t")
    asked(mm.compare, "wmt24", measure=["pearson@segment", "pearson@system"], trials=50, human_scores="mqm")
    asked(mm.evaluate, *data, task="ranking", missing="drop", extra="ignore", measures="tau@wmt13,ndcg@3")
    qrels = [[f"q{q}", 0, f"d{d}", (-1 if d == 5 else d % 3)] for q in range(6) for d in range(6)]
    run = [[f"q{q}", "Q0", f"d{d}", d + 1, 10 - d, "tag"] for q in range(6) for d in range(8)]
    asked(
        mm.evaluate,
        table("trec.qrels", qrels, " "),
        table("bm25.run", run, " "),
        task="ranking",
        measures="ndcg@3,average_precision",
    )
    mixed = [[*row[:4], (7 * place) % 11, "tag"] for place, row in enumerate(run)]
    asked(mm.compare, "trec.qrels", ["bm25.run", table("other.run", mixed, " ")], "gm_map", task="ranking")
    judged = [
        ["segment", "item", "judge", "rank"],
        *([s, i, j, (i + (j == "k") * s) % 4 + 1] for s in range(6) for i in range(4) for j in "jkl"),
    ]
    table("judged.csv", judged)
    asked(mm.evaluate, "judged.csv", data[1], task="ranking", missing="drop", extra="ignore")


def other_tasks() -> None:
    """Distributions and entailment."""
    draw = np.random.default_rng(8)
    shares = {name: draw.dirichlet(np.ones(3), 8) for name in ("gold", RUN, "other")}
    for name, rows in shares.items():
        wide = [
            ["topic", 1, 2, 3],
            *([f"t{place}", *map(float, row)] for place, row in enumerate(rows[: 7 if name == RUN else 8])),
        ]
        table(f"dist/{name}.csv", [*wide, *([["t9", 0.2, 0.3, 0.5]] if name == RUN else [])])
    runs = [f"dist/{RUN}.csv", "dist/other.csv"]
    asked(mm.evaluate, "dist/gold.csv", runs, task="quantification", **HOW, missing="drop", extra="ignore", baselines=True)
    items = 240
    gold = np.array(["E", "N", "C"])[draw.integers(0, 3, items)]
    roles = {"positive": "E", "neutral": "N", "negative": "C"}
    for name, share in (("gold", 0.0), (RUN, 0.2), ("other", 0.5), ("third", 0.8), ("fourth", 0.95)):
        given = np.where(draw.random(items) < share, draw.choice(["E", "N", "C"], items), gold)
        sure, weight = draw.random(items).round(3), draw.integers(1, 4, items)
        rows = [[place, label, sure[place], sure[place], weight[place]] for place, label in enumerate(given)]
        table(f"rte/{name}.csv", [["item", "label", "confidence", "score", "weight"], *rows])
    more = "a3,average_precision,mutual_information,confidence_weighted_score"
    for measures in (None, more):
        asked(mm.evaluate, "rte/gold.csv", [f"rte/{RUN}.csv", "rte/other.csv"], task="entailment", **roles, measures=measures)
    asked(
        mm.advise, "rte/gold.csv", [f"rte/{name}.csv" for name in (RUN, "other", "third", "fourth")], task="entailment", **roles
    )


def outcomes() -> None:
    """Scores that a harness gave: of several measures, with items that a run lacks, and in slices of which one is small."""
    draw = np.random.default_rng(10)
    right = {RUN: 0.8, OTHER: 0.7, "worse": 0.4}
    rows = [
        [run, item, measure, int(draw.random() < share), "" if item > 87 else "few" if item > 83 else ("law", "art")[item % 2]]
        for run, share in right.items()
        for item in range(90)
        for measure in ("em", "zeal")
        if run != RUN or item % 6
    ]
    path = table("outcomes.csv", [["run", "item", "measure", "score", "subject"], *rows])
    for missing in ("drop", "zero", "bounds"):
        asked(mm.evaluate, path, task="outcomes", missing=missing)
    asked(mm.evaluate, path, task="outcomes", measures="em", missing="drop", by="subject")
    asked(mm.evaluate, path, task="outcomes", measures="em", missing="bounds", better="higher")
    asked(mm.evaluate, path, task="outcomes", measures="em", better="higher", ci=True)
    alone = table(
        "alone em.csv",
        [["run", "item", "score"], *([run, item, score] for run, item, measure, score, _ in rows if measure == "em")],
    )
    asked(mm.advise, alone, task="outcomes", missing="drop")
    asked(mm.evaluate, {RUN: [0.5, 1, 0.25], OTHER: [50, 100, 25]}, task="outcomes")
    shuffled = [
        ["run", "item", "hash", "score"],
        *([run, item, f"h{item * sign % 3}", 1] for run, sign in ((OTHER, 1), (RUN, -1)) for item in range(3)),
    ]
    asked(mm.evaluate, table("shuffled.csv", shuffled), task="outcomes")
    asked(mm.advise, path, task="outcomes", measures="em")


def probabilities() -> None:
    """Probabilities of items: a class that is right has the probability 0, what baselines are, items that are left out."""
    believed = np.array([[0.7, 0.3], [0.0, 1.0], [0.2, 0.8], [0.6, 0.4]])
    asked(mm.evaluate, ["a", "a", "b", "b"], {RUN: believed, OTHER: believed[::-1]}, classes="a,b", baselines=True)
    made = asked(mm.table, ["a", "a", "b", "b"], {RUN: believed}, classes="a,b")
    made.chart("reliability.svg")
    asked(mm.explain, ["a", "a", "b", "b"], believed, believed[::-1], task="probabilities", classes="a,b", measure="brier")
    gold = table("classes.csv", [["item", "label"], ["1", "a"], ["2", "b"], ["3", "b"]])
    run = table("believed.csv", [["item", "a", "b"], ["1", 0.5, 0.5], ["2", 0.25, 0.75], ["4", 1, 0]])
    asked(mm.evaluate, gold, run, task="probabilities", classes="a,b", missing="drop", extra="ignore", ci=True)


def battles() -> None:
    """Models that met in pairs, before judges who are known, few of them, and before nobody who is named."""
    draw = np.random.default_rng(11)
    models = np.array([RUN, OTHER, "c"])
    first = draw.integers(0, 3, 300)
    second = (first + draw.integers(1, 3, 300)) % 3
    winner = draw.choice(["model_a", "model_b", "tie"], 300)
    met = [*zip(models[first], models[second], winner, strict=True)]
    asked(mm.ranks, table("unjudged.csv", [["model_a", "model_b", "winner"], *map(list, met)]))
    for judges in (5, 40):
        judged = [[*one, place % judges] for place, one in enumerate(met)]
        asked(mm.ranks, table(f"{judges} judges.csv", [["model_a", "model_b", "winner", "judge"], *judged]))


def several_tasks() -> None:
    """One decision over tasks, of which one has a run more."""
    draw = np.random.default_rng(12)
    tasks = {f"task {place}": matrix("accuracy", draw.random((20, 3 if place else 4)) + 0.1 * place) for place in range(6)}
    for across in ("standardised", "ranks"):
        asked(mm.ranks, tasks, across=across)


def copied(name: str) -> list[Path]:
    """A run that is gold itself."""
    path = Path("copies") / f"{RUN}{Path(name).suffix}"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(Path(name).read_bytes())
    return [path]


def files() -> None:
    """Formats of the field that are read with a note."""
    rows = [[f"t{topic}", item, item % 2 + 1] for topic in range(4) for item in range(5)]
    table("evall.txt", rows, "\t")
    asked(mm.check, "evall.txt", copied("evall.txt"), classes="1..2", format_in="evall")
    table("semeval.txt", [[item, topic, label] for topic, item, label in rows], "\t")
    asked(mm.evaluate, "evall.txt", copied("evall.txt"), classes="1..2", format_in="semeval")
    table("shares.txt", [["bank", 0.5, 0.25, 0.25, 4], ["film", 1, 0, 0, 7]], "\t")
    asked(mm.evaluate, "shares.txt", copied("shares.txt"), task="quantification", **HOW)
    Path("m.seg.score").write_text("sysA\tNone\nsysA\t.7\nsysB\t1\nsysB\t.5\n", encoding="utf-8")
    asked(mm.evaluate, "m.seg.score", copied("m.seg.score"), task="ranking", missing="drop")
    wmt = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank\n"
    lines = "fr,en,1,j,a,b,1,2\nfr,en,2,j,a,b,2,1\nde,en,1,j,a,b,1,2\nde,en,2,j,a,b,-1,-1\n"
    Path("wmt.csv").write_text(wmt + lines, encoding="utf-8")
    asked(mm.check, "wmt.csv", task="ranking")
    sentence = '<judgedsentence langsrc="fr" langtgt="en" id="1"><src>x</src><tgt system="a" rank="1" bleu=".5">y</tgt>'
    sentence += '<tgt system="b" rank="2" bleu=".4">z</tgt></judgedsentence>'
    Path("g.jcml").write_text(f'<?xml version="1.0"?>\n<jcml>{sentence}</jcml>\n', encoding="utf-8")
    asked(mm.check, "g.jcml", task="ranking")
    table("both.csv", [["segment", "item", "rank", "score"], *([s, i, i + 1, -i] for s in range(3) for i in range(3))])
    asked(mm.evaluate, "both.csv", copied("both.csv"), task="ranking", gold_are="ranks")
    alone = [["topic", "item", "label"], *([f"t{place}", place, place % 3 + 1] for place in range(9))]
    asked(mm.evaluate, table("alone.csv", alone), copied("alone.csv"), **HOW, measures="accuracy")
    table("words.csv", [["item", "label"], ["a", "x"], ["b", ""]])
    asked(mm.check, "words.csv", copied("words.csv"), bins=[1.5, 2.5], **HOW)
    asked(mm.check, "words.csv", copied("words.csv"), classes="x,y")
    for part in (1, 2):
        table(
            f"parts/{part}.csv",
            [["run", "item", "gold", "label"], *([RUN, 10 * part + item, 1, 1 + item % 2] for item in range(4))],
        )
    asked(mm.evaluate, "parts/*.csv", classes="1..2", measures="accuracy")


def charts() -> None:
    """What stands below a chart of each kind of result."""
    scores = mm.evaluate("ten.csv", **HOW, measures=MEASURES, ci=True, groups=True, baselines=True, trials=50)
    drawn = [
        scores,
        mm.compare(scores, "cem_ord"),
        mm.compare(scores, ["cem_ord", "accuracy"]),
        mm.compare(scores, "cem_ord", against=OTHER),
        mm.ranks(scores, "cem_ord"),
        *(getattr(mm.meta, name)(scores) for name in ("similarity", "overlap", "contradictions", "coverage")),
        mm.meta.consistency(scores, splits=20),
        mm.meta.discrimination(scores, trials=50),
        mm.meta.summary(scores, splits=20, trials=50),
        mm.meta.deltas(scores, RUN, OTHER),
        mm.axioms(["accuracy", "cosine"], properties=["ordinal_monotonicity"], trials=100),
        mm.agree("ratings.csv", classes="1..4", trials=50),
        mm.judge("ratings.csv", among=["gpt", "dice"], classes="1..4", trials=50),
    ]
    for one in drawn:
        one.chart()
        one.in_words()
    for diagram in ("critical", "letters"):
        mm.compare(scores, "cem_ord", test="classical").chart(diagram=diagram)
        mm.compare(scores, ["cem_ord", "accuracy"]).chart(diagram=diagram)
    scores.render("table", show=[RUN])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(["measures", "--task", "quantification", "--chart", "measures.svg"])
    names = [f"r{run}" for run in range(150)]
    matrix("kappa", np.random.default_rng(0).normal(size=(6, 150)), tuple(names)).chart()
    labels = [[item, 1 + item % 3, *(1 + (item + run) % 3 for run in range(150))] for item in range(ITEMS)]
    table("many.csv", [["item", "gold", *names], *labels])
    mm.table("many.csv", classes="1..3").chart()


def harness_logs() -> None:
    """What evaluation harnesses write, with something wrong in each."""
    spec = importlib.util.spec_from_file_location("harnesses", Path(__file__).parents[1] / "tests" / "harnesses.py")
    assert spec is not None  # noqa: S101 - the file is part of the tests
    assert spec.loader is not None  # noqa: S101
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    log = made.lm_eval(Path("lm"), "org/m", "sums", {"acc": [1, 0], "word_perplexity": [[-12.5, 7], [-3, 2]]})
    asked(mm.evaluate, log, task="outcomes", better="higher")
    beside = log.with_name(f"results_{made.DATE}.json")
    beside.write_text(beside.read_text(encoding="utf-8").replace('"effective": 2', '"effective": 100'), encoding="utf-8")
    asked(mm.evaluate, log, task="outcomes", better="higher")
    made.lm_eval(Path("lm"), "org/m", "sums", {"acc": [1, 1]}, date="2026-04-01T10-00-00.000001")
    asked(mm.evaluate, "lm", task="outcomes", better="higher")
    beside.unlink()
    asked(mm.evaluate, log, task="outcomes", better="higher")
    clustered = [{"name": "match", "metrics": [{"name": "inspect_ai/stderr", "options": {"cluster": "book"}}]}]
    header = made.inspect_header(status="cancelled", invalidated=True, scorers=clustered)
    samples = made.inspect_samples([(1, 1, "C"), (2, 1, "I")], book=["a", "b"])
    asked(mm.evaluate, made.inspect_archive(Path("log.eval"), header, samples), task="outcomes")
    stats = made.helm(Path("helm"), "org/m", [("id1", 0, {"exact_match": (1, 1)}), ("id2", 0, {"exact_match": (1, 0)})])
    entries = json.loads(stats.read_text(encoding="utf-8"))
    stats.write_text(json.dumps([*entries, {**entries[0], "perturbation": {"name": "typos"}}]), encoding="utf-8")
    asked(mm.evaluate, "helm", task="outcomes")
    lines = made.eee(Path("eee"), "org/m", [("s1", "acc", 1, True), ("s2", "acc", 0, False)], {})
    for aggregate in lines.parent.glob("*.json"):
        aggregate.unlink()
    asked(mm.evaluate, lines, task="outcomes")
    pairs = '<pair id="1" entailment="YES"><t>a</t><h>b</h></pair><pair id="2" entailment="NO"><t>a</t><h>b</h></pair>'
    Path("rte.xml").write_text(f"<entailment-corpus>{pairs}</entailment-corpus>", encoding="utf-8")
    asked(mm.check, "rte.xml", task="entailment", positive="YES", negative="NO")


def seldom_said() -> None:
    """What takes data of a special kind: skewed gold, equal runs, constant people, scores that are all alike."""
    draw = np.random.default_rng(13)
    skewed = draw.choice([1, 2, 3], p=(0.9, 0.07, 0.03), size=240)
    runs = {
        name: np.where(draw.random(240) < share, draw.integers(1, 4, 240), skewed)
        for name, share in ((RUN, 0.1), (OTHER, 0.3), ("worse", 0.6))
    }
    columns = {"gold": skewed, **runs, "again": runs["worse"]}
    rows = [[f"t{place // 20}", place, *(column[place] for column in columns.values())] for place in range(240)]
    path = table("skewed.csv", [["topic", "item", *columns], *rows])
    asked(mm.advise, path, **HOW)
    asked(mm.check, path, **HOW)
    asked(mm.evaluate, path, **HOW, measures="recall@3,f1_macro", balance=True)
    asked(mm.difference, path, None, "accuracy", RUN, "worse", **HOW)
    asked(mm.table, "rank/gold.csv", "rank/runs/*.csv", task="ranking", missing="drop", extra="ignore").chart()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(["measures", "cem_ord", "--gold", "skewed.csv", "--classes", "1..3", "--chart", "worth.svg"])
    never = [["item", "run", "score"], *([item, run, 0.5] for item in range(12) for run in (RUN, OTHER))]
    asked(mm.evaluate, table("never.csv", never), task="outcomes", better="higher", ci=True)
    same = [["item", "a", "b", "c"], *([item, 1, 1, 1 + item % 2] for item in range(60))]
    asked(mm.judge, table("same.csv", same), among=["c"], classes="1..3", measures="kappa_linear", trials=50)
    people = [int(label) if item < 150 else None for item, label in enumerate(skewed)]
    asked(
        mm.correct_scores,
        people,
        {RUN: runs[RUN].tolist()},
        runs["worse"].tolist(),
        **HOW,
        measures="accuracy,mae_macro",
        trials=100,
        sampled="random",
    )
    guessed = np.random.default_rng(0).integers(1, 4, (60, 3)).tolist()
    noise = table("noise.csv", [["item", *"abc"], *([item, *row] for item, row in enumerate(guessed))])
    asked(mm.agree, noise, classes="1..3", kind="nominal", trials=20, aggregate="dawid-skene")
    steps = np.random.default_rng(0).random((6, 4)) / 2 + np.array([0.4, 0.2, 0, 0])
    asked(mm.compare, matrix("accuracy", steps), simultaneous=True, trials=200)
    several = [matrix(name, draw.random((2, 4))) for name in ("accuracy", "mae_macro")]
    asked(mm.meta.consistency, several, splits=20)
    sets = {name: [matrix(one, draw.random((12, 4))) for one in ("accuracy", "mae_macro")] for name in ("one", "two")}
    mm.meta.coverage(sets, reference=["accuracy"]).chart()
    opposed = [matrix(name, sign * np.arange(4) + draw.random((12, 4))) for name, sign in (("accuracy", 1), ("kappa", -1))]
    mm.report(opposed, trials=50)
    mm.report(matrix("accuracy", np.full((6, 3), np.nan)), trials=50)
    mm.report(matrix("accuracy", np.r_[np.full((1, 3), np.inf), draw.random((6, 3))]), trials=50)
    entailed = [f"rte/{name}.csv" for name in (RUN, "other")]
    roles = {"positive": "E", "neutral": "N", "negative": "C"}
    scored = asked(
        mm.evaluate, "rte/gold.csv", entailed, task="entailment", **roles, measures="mutual_information@rank,average_precision"
    )
    scored.chart()
    asked(mm.table, "rte/gold.csv", entailed, task="entailment", **roles).chart()
    order = [["item", "label", "score"], *([place, label, 1 - place / 10] for place, label in enumerate("ENENE"))]
    ordered = table("order/gold.csv", order), [table(f"order/{RUN}.csv", order)]
    two_way: dict[str, Any] = {"task": "entailment", "positive": "E", "negative": "N"}
    asked(mm.evaluate, *ordered, **two_way)
    asked(mm.table, *ordered, **two_way).chart()
    asked(mm.study, "bergmair2009")
    reviews("reviews", ("1", "2", "3"), [("left", (5, 3, 2)), ("right", (1, 8, 1))], "").draw(5.0)


def the_rest() -> None:
    """What is left: methods by name, limits of tests, and runs and measures that lack something."""
    asked(mm.evaluate, "ten.csv", **HOW, measures=MEASURES, ci=True, validity=True)
    asked(mm.compare, "ten.csv", None, "accuracy", **HOW, validity=True)
    asked(mm.compare, "ten.csv", None, "kappa", **HOW, units="items", correction="holm", trials=60)
    table("few gold.csv", [["item", "label"], *([place, place % 3 + 1] for place in range(30))])
    for name, first in ((RUN, 0), ("gaps", 4)):
        table(f"few/{name}.csv", [["item", "label"], *([place, (place + place // 7) % 3 + 1] for place in range(first, 30))])
    for missing in ("drop", "worst"):
        asked(mm.compare, "few gold.csv", "few/*.csv", "accuracy", **HOW, missing=missing)
    draw = np.random.default_rng(9)
    asked(mm.compare, matrix("accuracy", draw.random((5, 2))), test="stepwise", alpha=0.2)
    many = tuple(f"r{run}" for run in range(14))
    asked(mm.compare, matrix("accuracy", draw.random((12, 14)), many))
    two = [matrix("accuracy", draw.random((6, 5))), matrix("gold_entropy", draw.random((6, 5)))]
    asked(mm.meta.discrimination, two, trials=50)
    asked(mm.meta.discrimination, two[:1], trials=50, test="permutation")
    asked(mm.design, two[:1], trials=20)
    three = [matrix("accuracy", draw.random((4, 5)))]
    asked(mm.meta.discrimination, three, trials=50)
    asked(mm.design, three, trials=20)
    asked(mm.evaluate, "one.csv", **HOW, measures="mutual_information@corrected,gamma", ci=True, interval="bootstrap", trials=50)
    asked(mm.agree, "ratings.csv", classes="1..4", trials=50, measures="icc2,kendall_w")
    rare = [["item", "a", "b"], *([item, 1, 2 if item == 7 else 1] for item in range(8))]
    asked(mm.agree, table("rare.csv", rare), classes="1..2", trials=50, interval="bootstrap")
    asked(mm.agree, "alike.csv", classes="1..2", trials=50, measures="percent_agreement", interval="gwet")
    table("rte/sure.csv", rows_of(Path("rte/gold.csv")))
    roles = {"positive": "E", "neutral": "N", "negative": "C"}
    sure = ["rte/sure.csv", "rte/other.csv"]
    asked(mm.compare, "rte/gold.csv", sure, "confidence_weighted_score", task="entailment", **roles, trials=20)
    blocks = [["item", "a", "b", "cluster"], *([item, item % 2 + 1, item % 2 + 1, item // 4] for item in range(12))]
    asked(mm.agree, table("blocks.csv", blocks), classes="1..2", trials=50, columns={"cluster": "cluster"})
    for name in (RUN, "other"):
        rows = rows_of(Path(f"rte/{name}.csv"))
        table(f"rte/rank {name}.csv", [[*rows[0], "rank"], *([*row, place + 1] for place, row in enumerate(rows[1:]))])
        table(f"rte/plain {name}.csv", [row[:2] for row in rows])
    roles = {"positive": "E", "neutral": "N", "negative": "C"}
    some = [f"rte/rank {RUN}.csv", "rte/plain other.csv"]
    asked(mm.evaluate, "rte/gold.csv", some, task="entailment", **roles, measures="average_precision,mutual_information,a3")
    asked(mm.evaluate, "rte/gold.csv", some[:1], task="entailment", **roles, ci=True, trials=50)
    asked(mm.evaluate, "rte/gold.csv", some, task="entailment", **roles, balance=True)
    asked(mm.advise, "rte/gold.csv", some, task="entailment", **roles)
    asked(mm.judge, "ratings.csv", among=["gpt", "dice"], classes="1..4", measures="recall@4", trials=50)
    asked(mm.judge, "ratings.csv", among=["gpt", RUN], classes="1..4", trials=500)
    asked(
        mm.advise,
        table("nominal.csv", rows_of(Path("many.csv"))),
        classes="1,2,3",
        kind="nominal",
    )
    for seed in (1, 7, 11):
        asked(mm.advise, side_by_side(f"seed{seed}.csv", 12, seed=seed, classes=4), classes="1..4")


def sets_of_labels() -> None:
    """Sets of labels, with an item that a run lacks."""
    sets = {"gold": ("a|b", "", "c", "a"), RUN: ("a", "", "b|c", "a"), "other": ("a|b", "c", "c")}
    for name, labels in sets.items():
        table(f"sets {name}.csv", [["item", "label"], *([item, label] for item, label in enumerate(labels))])
    given = ("sets gold.csv", [f"sets {RUN}.csv", "sets other.csv"])
    how: Any = {"task": "multilabel", "classes": "a,b,c"}
    asked(mm.evaluate, *given, **how, missing="empty", baselines=True)
    asked(mm.table, *given, **how, missing="drop")
    asked(mm.advise, *given, **how, missing="drop")
