"""Some 300 calls of every command and of Python, with their output and their status: what a change has changed, and nothing else.

python tools/recording.py -o now.json.gz                        # makes its own data, runs all calls, writes them down
python tools/recording.py --compare tools/recording.json.gz     # the same, and prints what differs
python tools/recording.py --compare ... --digits 12             # on another machine than the one it was recorded on
python tools/recording.py --at main -o main.json.gz             # the calls as another commit answers them
python tools/recording.py --only 'table|design' --compare ...   # those calls only whose text matches

tools/recording.json.gz is what the program answers now. A change that alters an answer records it anew (-o), and says so in
CHANGELOG.md; any other difference is a fault.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gzip
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
Answer = dict[str, Any]
RUNS = ("ann", "bob", "cyd")
_TIMES = re.compile(r"\b\d+(\.\d+)? ?(s|seconds|ms|MB)\b")
_FRACTION = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
# Files that a call writes: text is kept as a digest, of others only that they are there.
_TEXTS = (".csv", ".tsv", ".jsonl", ".tex", ".md")


def write(path: str, columns: Mapping[str, Sequence[Any]]) -> None:
    """A table with a header, separated as the file's name says."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    if path.endswith(".parquet"):
        import pyarrow as pa  # noqa: PLC0415 - and where it is not installed, there is no such file
        import pyarrow.parquet as pq  # noqa: PLC0415

        pq.write_table(pa.table(dict(columns)), path)
        return
    rows = list(zip(*columns.values(), strict=True))
    if path.endswith(".jsonl"):
        lines = [json.dumps(dict(zip(columns, row, strict=True)), default=lambda value: value.item()) for row in rows]
    else:
        separator = "," if path.endswith(".csv") else "\t"
        lines = [separator.join(map(str, row)) for row in [tuple(columns), *rows]]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_data() -> None:
    """All files, in the current folder: the same ones each time."""
    rng = np.random.default_rng(28)
    _labels(rng)
    _distributions(rng)
    _rankings(rng)
    _entailment(rng)
    _ratings(rng)
    _scores(rng)
    _broken()


def _noisy(rng: np.random.Generator, gold: Any, right: float, classes: int) -> Any:
    return np.where(rng.random(len(gold)) < right, gold, rng.integers(0, classes, len(gold)))


def _labels(rng: np.random.Generator) -> None:
    words, items, topics = np.array(["neg", "neu", "pos"]), np.arange(1, 61), np.repeat(["t1", "t2", "t10"], 20)
    gold = rng.integers(0, 3, 60)
    said = {run: _noisy(rng, gold, right, 3) for run, right in zip(RUNS, (0.8, 0.6, 0.3), strict=True)}
    weight, cluster = rng.integers(1, 9, 60) / 4, np.repeat(np.arange(15), 4)
    for kind in ("tsv", "csv", "jsonl", "parquet"):
        write(f"{kind}/gold.{kind}", {"item": items, "label": words[gold]})
        for run in RUNS:
            write(f"{kind}/{run}.{kind}", {"item": items, "label": words[said[run]]})
    write("topics/gold.tsv", {"topic": topics, "item": items, "label": words[gold]})
    write("weights/gold.tsv", {"item": items, "label": words[gold], "weight": weight, "group": cluster})
    write("numbers/gold.csv", {"item": items, "label": gold + rng.normal(0, 0.2, 60).round(3)})
    for run in RUNS:
        mixed = rng.permutation(60)
        write(f"topics/{run}.tsv", {"topic": topics[mixed], "item": items[mixed], "label": words[said[run]][mixed]})
        write(f"numbers/{run}.csv", {"item": items, "label": said[run] + rng.normal(0, 0.4, 60).round(3)})
        write(
            f"gaps/{run}.tsv",
            {"item": items[: 57 if run == "bob" else 60], "label": words[said[run]][: 57 if run == "bob" else 60]},
        )
        write(f"extra/{run}.tsv", {"item": [*items, 99], "label": [*words[said[run]], "neg"]})
    by_run = {run: words[labels] for run, labels in said.items()}
    for kind in ("csv", "parquet", "jsonl"):
        write(f"wide.{kind}", {"item": items, "gold": words[gold], **by_run})
    write("wide-topics.csv", {"item": items, "topic": topics, "gold": words[gold], **by_run})
    write("wide-weights.csv", {"item": items, "gold": words[gold], "weight": weight, **by_run})
    write("wide-integers.csv", {"item": items, "gold": gold, **said})
    write("wide-floats.csv", {"item": items, "gold": gold.astype(float), **said})
    holes = {run: np.where(rng.random(60) < 0.1, "", labels) for run, labels in by_run.items()}
    write("wide-holes.csv", {"item": items, "gold": words[gold], **holes})
    write("wide-clusters.csv", {"item": items, "group": cluster, "gold": words[gold], **by_run})
    write("wide-no-item.csv", {"gold": words[gold], **by_run})
    stacked = {"run": np.repeat(RUNS, 60), "item": np.tile(items, 3), "gold": np.tile(words[gold], 3)}
    stacked["label"] = np.concatenate(list(by_run.values()))
    write("stacked.csv", stacked)
    write("stacked-no-item.csv", {name: column for name, column in stacked.items() if name != "item"})
    repeats = {
        "run": np.repeat(RUNS, 120),
        "item": np.tile(np.repeat(items, 2), 3),
        "gold": np.tile(np.repeat(words[gold], 2), 3),
    }
    repeats["label"] = np.concatenate([words[_noisy(rng, np.repeat(gold, 2), 0.6, 3)] for _ in RUNS])
    write("repeats.csv", {**repeats, "try": np.tile([1, 2], 180)})
    write("renamed/gold.csv", {"id": items, "truth": words[gold]})
    write("renamed/ann.csv", {"id": items, "answer": by_run["ann"]})
    Path("distance.csv").write_text("0,1,4\n1,0,1\n4,1,0\n", encoding="utf-8")


def _distributions(rng: np.random.Generator) -> None:
    topics, classes = [f"q{number}" for number in range(12)], ("1", "2", "3", "4", "5")
    for name in ("gold", *RUNS):
        counts = rng.multinomial(20, rng.dirichlet(np.ones(5)), 12)
        shares = counts / 20
        write(f"wide-dist/{name}.csv", {"topic": topics, **dict(zip(classes, shares.T, strict=True))})
        write(f"counts-dist/{name}.csv", {"topic": topics, **dict(zip(classes, counts.T, strict=True))})
        long = {"topic": np.repeat(topics, 5), "class": np.tile(classes, 12), "probability": shares.ravel()}
        write(f"long-dist/{name}.csv", long)


def _rankings(rng: np.random.Generator) -> None:
    segments, items = np.repeat([f"s{number}" for number in range(15)], 6), np.tile(list("abcdef"), 15)
    quality = rng.normal(size=90)
    ranks = np.concatenate([part.argsort()[::-1].argsort() + 1 for part in quality.reshape(15, 6)])
    write("rank/gold.csv", {"segment": segments, "item": items, "rank": ranks})
    said = {run: (quality + rng.normal(0, spread, 90)).round(4) for run, spread in zip(RUNS, (0.3, 1, 3), strict=True)}
    for run in RUNS:
        write(f"rank/{run}.csv", {"segment": segments, "item": items, "score": said[run]})
    write("rank-wide.csv", {"segment": segments, "item": items, "rank": ranks, **said})
    grades = np.minimum(2, np.maximum(0, 3 - ranks))
    Path("trec").mkdir()
    lines = [f"{segment} 0 {item} {grade}" for segment, item, grade in zip(segments, items, grades, strict=True)]
    Path("trec/qrels.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for run in RUNS:
        rows = sorted(zip(segments, -said[run], items, strict=True))
        lines = [f"{segment} Q0 {item} {place % 6 + 1} {-score} {run}" for place, (segment, score, item) in enumerate(rows)]
        Path(f"trec/{run}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _entailment(rng: np.random.Generator) -> None:
    words, items, gold = np.array(["yes", "unknown", "no"]), np.arange(1, 41), rng.integers(0, 3, 40)
    write("rte/gold.csv", {"item": items, "label": words[gold]})
    for run, right in zip(RUNS, (0.8, 0.6, 0.4), strict=True):
        labels = words[_noisy(rng, gold, right, 3)]
        confidence, score = rng.random(40).round(2), rng.normal(size=40).round(2)
        write(f"rte/{run}.csv", {"item": items, "label": labels, "confidence": confidence, "score": score})
        write(f"rte-ranked/{run}.csv", {"item": items, "label": labels, "rank": rng.permutation(40) + 1})


def _ratings(rng: np.random.Generator) -> None:
    truth = rng.integers(1, 6, 80)
    people = {f"p{number}": np.clip(truth + rng.integers(-1, 2, 80), 1, 5) for number in range(4)}
    write("ratings-wide.csv", {"item": np.arange(80), **people})
    rows = [(item, name, labels[item]) for name, labels in people.items() for item in range(80) if (item + len(name)) % 7]
    write("ratings.csv", dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True)))
    write("judge.csv", {"item": np.arange(80), "label": np.clip(truth + rng.integers(-1, 2, 80), 1, 5)})
    counts = np.stack([np.bincount([labels[item] for labels in people.values()], minlength=6)[1:] for item in range(80)])
    write("ratings-counts.csv", {"item": np.arange(80), **dict(zip("12345", counts.T, strict=True))})


def _scores(rng: np.random.Generator) -> None:
    topics, level = [f"t{number:02}" for number in range(12)], rng.normal(size=12)
    rows = [
        (measure, topic, run, round(float(level[place] + rng.normal() + 0.4 * number), 4))
        for measure in ("kappa", "accuracy", "own")
        for place, topic in enumerate(topics)
        for number, run in enumerate((*RUNS, "dan"))
    ]
    write("scores.csv", dict(zip(("measure", "topic", "run", "score"), zip(*rows, strict=True), strict=True)))
    write("matrix.csv", {"topic": topics, **{run: rng.random(12).round(3) for run in RUNS}})


def _broken() -> None:
    """Files each of which has something wrong; the first columns are right."""
    lines = Path("tsv/ann.tsv").read_text(encoding="utf-8").splitlines()
    head, rows = lines[0], lines[1:]
    texts: dict[str, str | bytes] = {
        "twice": "\n".join([head, *rows, rows[3]]),
        "unknown": "\n".join([head, *rows[:-1], "999\tpos"]),
        "missing": "\n".join([head, *rows[:-3]]),
        "no-label": "\n".join([head, *rows[:-1], "60\t"]),
        "no-class": "\n".join([head, *rows[:-1], "60\tposs"]),
        "no-id": "\n".join([head, *rows[:-1], "\tpos"]),
        "ragged": "\n".join([head, *rows[:-1], "60\tpos\tmore"]),
        "short": "\n".join([head, *rows[:-1], "60"]),
        "header-only": head,
        "empty": "",
        "no-header": "\n".join(rows),
        "other-header": "\n".join(["id\tclass", *rows]),
        "repeated-header": "\n".join(["item\titem", *rows]),
        "latin": "\n".join([head, *rows]).encode() + "\n61\tpös".encode("latin-1"),
        "bom": b"\xef\xbb\xbf" + "\n".join([head, *rows]).encode(),
        "crlf": "\r\n".join([head, *rows]),
        "nul": "\n".join([head, *rows[:-1], "60\tpo\0s"]),
        "spaces": "\n".join([head, *(row.replace("\t", "\t ") for row in rows)]),
        "commas": "\n".join([head, *rows]).replace("\t", ","),
        "many": "\n".join([head, *(row + "x" for row in rows)]),
    }
    Path("broken").mkdir()
    for name, text in texts.items():
        Path(f"broken/{name}.tsv").write_bytes(text if isinstance(text, bytes) else (text + "\n" * bool(text)).encode())
    Path("broken/not.parquet").write_text("no", encoding="utf-8")
    Path("broken/not.jsonl").write_text('{"item": 1, "label": "neg"}\nno\n', encoding="utf-8")
    Path("broken/not.npz").write_text("no", encoding="utf-8")
    Path("broken/wide-twice.csv").write_text("item,gold,a\n1,neg,neg\n1,pos,neg\n", encoding="utf-8")
    Path("broken/wide-gold.csv").write_text("item,gold,a\n1,neg,neg\n2,,neg\n3,x,y\n", encoding="utf-8")
    Path("broken/weights.csv").write_text("item,gold,weight,a\n1,neg,-1,neg\n2,neg,x,neg\n", encoding="utf-8")
    Path("broken/dist.csv").write_text("topic,1,2,3,4,5\nq0,.5,.5,.5,0,0\nq1,-1,2,0,0,0\nq1,a,0,0,0,1\n", encoding="utf-8")
    Path("broken/rank.csv").write_text("segment,item,score\ns0,a,1\ns0,a,2\ns0,z,3\ns1,,x\n", encoding="utf-8")
    Path("broken/ratings.csv").write_text("item,annotator,label\n1,p,9\n1,p,2\n,q,1\n2,,3\n", encoding="utf-8")
    Path("broken/scores.csv").write_text("measure,topic,run,score\nkappa,t,a,x\nkappa,t,a,1\n", encoding="utf-8")


FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex", "html")
C = "--classes neg,neu,pos"
RTE = "--task entailment --positive yes --neutral unknown --negative no"
Q = "--task quantification --classes 1..5"
OURS = "ann bob cyd"


def of(folder: str, ending: str) -> str:
    """Gold and the runs of a folder."""
    return " ".join(f"{folder}/{name}.{ending}" for name in ("gold", *RUNS))


LABELS, TOPICS, NUMBERS = of("tsv", "tsv"), of("topics", "tsv"), of("numbers", "csv")
DIST, RANKS, ENTAILED = of("wide-dist", "csv"), of("rank", "csv"), of("rte", "csv")
TREC = "trec/qrels.txt trec/ann.txt trec/bob.txt trec/cyd.txt"


def commands() -> Iterator[str]:
    """The calls of the command line."""
    yield from _evaluations()
    yield from _evaluations_of_other_tasks()
    yield from _comparisons()
    yield from _questions()
    yield from _others()
    yield from _wrong_calls()


def _evaluations() -> Iterator[str]:
    for format in FORMATS:
        yield f"evaluate {LABELS} {C} --format {format}"
        yield f"evaluate {TOPICS} {C} --format {format} --measures accuracy,kappa,cem_ord"
    for kind in ("csv", "jsonl", "parquet"):
        yield f"evaluate {of(kind, kind)} {C} --format json"
        yield f"evaluate wide.{kind} {C} --format json"
    for more in (
        "--ci",
        "--ci --interval bayes",
        "--groups",
        "--ranks",
        "--baselines",
        "--average pooled",
        "--kind nominal",
        "--partitions 4",
        "--partitions 4 --seed 3 --ci",
        "--undefined zero --measures accuracy",
        "--measures mcc,rmse,f1_macro,alpha_ordinal,spearman",
        "--measures kappa_weighted --distance distance.csv",
        "--scores out.csv",
        "--threads 1 --memory 1GB",
        "--chart out.svg",
        "--measures f1@pos,recall@neg",
    ):
        yield f"evaluate {LABELS} {C} --format json {more}"
    for more in ("--ci", "--average pooled --ci", "--groups", "--baselines", "--scores out.jsonl"):
        yield f"evaluate {TOPICS} {C} --format json {more}"
    for file in ("wide-topics", "wide-weights", "wide", "wide-no-item", "stacked", "stacked-no-item", "wide-holes"):
        for more in ("", "--ci", "--missing drop", "--missing worst", "--partitions 3"):
            yield f"evaluate {file}.csv {C} --format json {more}"
    for file in ("wide-integers", "wide-floats"):
        yield f"evaluate {file}.csv --classes 0..2 --format json"
        yield f"evaluate {file}.csv --classes 1,2,3 --bins .5,1.5 --format json"
    yield f"evaluate wide.csv {C} --run-columns ann,cyd"
    yield f"evaluate wide.csv {C} --gold-column ann --run-columns bob"
    yield f"evaluate wide-clusters.csv {C} --cluster-column group --ci --format json"
    yield f"evaluate repeats.csv {C} --repeat-column try --ci --format json"
    yield f"evaluate weights/gold.tsv tsv/ann.tsv tsv/bob.tsv {C} --cluster-column group --format json --ci"
    yield f"evaluate renamed/gold.csv renamed/ann.csv {C} --item-column id --gold-label-column truth --label-column answer"
    for policy in ("drop", "worst", "zero", "class:neu"):
        yield f"evaluate tsv/gold.tsv gaps/ann.tsv gaps/bob.tsv {C} --measures accuracy,cem_ord --missing {policy} --format json"
    yield f"evaluate tsv/gold.tsv extra/ann.tsv {C} --extra ignore"
    yield f"evaluate tsv/gold.tsv tsv/ann.tsv broken/twice.tsv {C} --skip-broken"
    yield f"evaluate {NUMBERS} --classes 0,1,2 --bins .5,1.5 --format json"
    yield f"evaluate {NUMBERS} --classes 0,1,2 --bins .5,1.5 --ci"


def _evaluations_of_other_tasks() -> Iterator[str]:
    for more in (
        "",
        "--format json",
        "--measures od,rsnod,jsd,kld --format json",
        "--baselines",
        "--ci --format json",
        "--smooth .01 --format json",
    ):
        yield f"evaluate {DIST} {Q} {more}"
    yield f"evaluate {of('long-dist', 'csv')} {Q} --format json"
    yield f"evaluate {of('counts-dist', 'csv')} {Q} --counts --format json"
    yield f"evaluate {TOPICS} --task quantification {C} --format json"
    for more in (
        "",
        "--format json",
        "--measures ndcg,mrr,err --format json",
        "--ci --format json",
        "--average pooled --format json",
    ):
        yield f"evaluate {RANKS} --task ranking {more}"
        yield f"evaluate {TREC} --task ranking {more}"
    yield "evaluate rank-wide.csv --task ranking --gold-column rank --run-columns ann,bob --runs-are scores --format json"
    for more in (
        "",
        "--format json",
        "--measures a2,a3_macro,average_precision,confidence_weighted_score --format json",
        "--ci --format json",
        "--rank-weights reciprocal",
    ):
        yield f"evaluate {ENTAILED} {RTE} {more}"
    yield f"evaluate rte/gold.csv rte-ranked/ann.csv rte-ranked/bob.csv {RTE} --format json"


def _comparisons() -> Iterator[str]:
    for format in FORMATS:
        yield f"compare {LABELS} {C} --measures accuracy,kappa --trials 200 --format {format}"
    for more in ("--against ann", "--test bootstrap", "--correction maxt", "--correction bh", "--partitions 5", "--seed 4"):
        yield f"compare {LABELS} {C} --measures accuracy --trials 200 --format json {more}"
    for test in ("stepwise", "tukey", "classical", "permutation", "bootstrap"):
        yield f"compare {TOPICS} {C} --measures accuracy --trials 200 --format json --test {test}"
        yield f"compare scores.csv --measures kappa --trials 200 --format json --test {test}"
    yield f"compare {TOPICS} {C} --measures cem_ord --average pooled --trials 200 --format json"
    for file in ("wide.csv", "wide.parquet", "wide-weights.csv", "wide-no-item.csv", "stacked.csv"):
        yield f"compare {file} {C} --measures accuracy,cem_ord --trials 200 --format json"
    yield f"compare wide-holes.csv {C} --measures accuracy --missing drop --trials 200 --format json"
    yield f"compare wide-clusters.csv {C} --cluster-column group --measures accuracy --trials 200 --format json"
    yield f"compare repeats.csv {C} --repeat-column try --measures accuracy --trials 200 --format json"
    yield f"compare {DIST} {Q} --measures nmd --trials 200 --format json"
    yield f"compare {RANKS} --task ranking --measures tau@b --trials 200 --format json"
    yield f"compare {RANKS} --task ranking --measures tau@b --average pooled --trials 200 --format json"
    yield f"compare {ENTAILED} {RTE} --measures accuracy,average_precision --trials 200 --format json"
    yield "compare matrix.csv --better higher --trials 200"


def _questions() -> Iterator[str]:
    for question in (
        "similarity",
        "consistency",
        "discrimination",
        "overlap",
        "contradictions",
        "coverage",
        "robustness",
        "deltas",
        "all",
    ):
        for more in ("", " --format json"):
            which = " --runs ann,bob" if question == "deltas" else ""
            drawn = " --trials 100" if question in ("discrimination", "overlap", "contradictions", "all") else ""
            yield f"meta {question} scores.csv --measures kappa,accuracy{which}{drawn}{more}"
    yield f"meta similarity {TOPICS} {C} --measures accuracy,kappa --format json"
    yield "design scores.csv --measures kappa --difference .3 --format json"
    yield "design scores.csv --measures kappa --runs 4"
    for more in ("", "--format json"):
        yield f"advise {TOPICS} {C} {more}"
        yield f"advise {DIST} {Q} {more}"
        yield f"advise {RANKS} --task ranking {more}"
    yield "axioms kappa accuracy --trials 20 --format json"
    yield "axioms nmd --trials 20 --properties symmetric,bounded"
    for more in ("", "--format json", "--kind nominal", "--interval gwet", "--measures alpha_ordinal"):
        yield f"agree ratings.csv --classes 1..5 --trials 100 {more}"
    yield "agree ratings-wide.csv --classes 1..5 --trials 100 --format json"
    yield "agree ratings-counts.csv --counts --classes 1..5 --trials 100 --format json"
    for more in ("", "--format json", "--gold median", "--gold majority"):
        yield f"judge ratings.csv judge.csv --classes 1..5 --trials 100 --minimum 5 {more}"
    yield "judge ratings-wide.csv --judges p3 --classes 1..5 --trials 100 --format json"


def _others() -> Iterator[str]:
    for more in ("", "--format json", "--format latex"):
        yield f"table {LABELS} {C} {more}"
        yield f"table wide.csv {C} {more}"
    yield f"table {DIST} {Q} --format json"
    yield f"table {RANKS} --task ranking --format json"
    yield f"table {ENTAILED} {RTE} --format json"
    yield f"check {LABELS} {C}"
    yield f"check {LABELS} {C} --format json"
    yield f"check wide.csv {C} --format json"
    yield f"check {DIST} {Q} --format json"
    yield f"check {RANKS} --task ranking --format json"
    yield f"count tsv/gold.tsv tsv/ann.tsv {C} -o one.npz"
    yield f"count tsv/gold.tsv tsv/bob.tsv {C} -o two.npz"
    yield "merge one.npz two.npz -o both.npz"
    yield "evaluate both.npz --format json"
    yield f"count wide.csv {C} -o wide.npz"
    yield "evaluate wide.npz --format json"
    yield f"count {DIST} {Q} -o dist.npz"
    yield "evaluate dist.npz --format json"
    yield f"count {RANKS} --task ranking -o rank.npz"
    yield "evaluate rank.npz --format json"
    yield "convert tsv/gold.tsv converted.csv"
    yield "convert trec/qrels.txt converted-qrels.csv"
    yield "convert wide-dist/gold.csv converted-dist.csv"
    yield "measures"
    yield "measures --task ranking --format json"
    yield "measures cem_ord"
    yield f"measures cem_ord --gold tsv/gold.tsv {C}"
    yield "simulate made --topics 3 --items 20 --seed 1"
    yield "simulate --list"
    yield f"report {TOPICS} {C} -o page.html"
    yield "--version"
    for command in ("evaluate", "compare", "table", "check", "count", "agree", "judge", "design"):
        yield f"{command} --help"


def _wrong_calls() -> Iterator[str]:
    """Broken files and calls that are wrong."""
    for name in sorted(path.name for path in Path("broken").glob("*.tsv")):
        yield f"evaluate tsv/gold.tsv broken/{name} {C}"
        yield f"check tsv/gold.tsv tsv/bob.tsv broken/{name} {C} --format json"
    yield f"evaluate broken/twice.tsv tsv/ann.tsv {C}"
    yield f"evaluate tsv/gold.tsv broken/not.parquet {C}"
    yield f"evaluate tsv/gold.tsv broken/not.jsonl {C}"
    yield "evaluate broken/not.npz"
    for file in ("wide-twice", "wide-gold", "weights"):
        yield f"evaluate broken/{file}.csv {C}"
    yield f"evaluate wide-dist/gold.csv broken/dist.csv {Q}"
    yield "evaluate rank/gold.csv broken/rank.csv --task ranking"
    yield "agree broken/ratings.csv --classes 1..5"
    yield "compare broken/scores.csv --measures kappa"
    yield from (
        f"evaluate {LABELS}",
        f"evaluate {LABELS} --classes neg,pos",
        f"evaluate {LABELS} --classes neg,neg,pos",
        f"evaluate {LABELS} {C} --measures kapa",
        f"evaluate {LABELS} {C} --measures nmd",
        f"evaluate nowhere.tsv tsv/ann.tsv {C}",
        f"evaluate tsv/gold.tsv 'no/*.tsv' {C}",
        f"evaluate tsv/gold.tsv tsv/gold.tsv {C}",
        f"evaluate tsv {C}",
        f"evaluate tsv/gold.tsv tsv/ann.tsv tsv/ann.tsv {C}",
        f"evaluate {LABELS} {C} --missing best",
        f"evaluate {LABELS} {C} --partitions 99",
        f"evaluate {LABELS} {C} --cluster-column nothing",
        f"evaluate wide.csv {C} --run-columns ann,zed",
        f"evaluate wide.csv {C} --run-columns gold",
        f"evaluate {LABELS} {C} --format-in trec",
        f"evaluate {LABELS} {C} --bins 1,2",
        f"evaluate {NUMBERS} --bins 2,1 {C}",
        f"compare {LABELS} {C}",
        f"compare {LABELS} {C} --measures accuracy --against zed",
        f"compare {TOPICS} {C} --measures accuracy --test nonsense",
        "compare scores.csv --measures own",
        "design scores.csv",
        "nonsense",
        "evaluate",
        "merge one.npz one.npz -o x.npz",
        f"count {LABELS} {C} -o nowhere/x.npz",
        "meta similarity nowhere.csv",
        f"evaluate {LABELS} {C} --task nonsense",
    )


PYTHON = (
    "mm.score(WORDS, SAID, 'kappa', classes=CLASSES)",
    "mm.score(WORDS, SAID, ['accuracy', 'mae', 'cem_ord'], classes=CLASSES)",
    "mm.score(GOLD, RUN, 'accuracy', classes='0..2', weights=WEIGHTS)",
    "mm.score(WORDS, SAID, 'accuracy')",
    "mm.score(WORDS, SAID[:-1], 'accuracy', classes=CLASSES)",
    "mm.score([*WORDS, 'x'], [*SAID, 'y'], 'accuracy', classes=CLASSES)",
    "mm.score([1, None], [1, 2], 'accuracy', classes=[1, 2])",
    "mm.counts(GOLD, RUN, classes='0..2')",
    "mm.counts(GOLD.astype(float), RUN, classes='0..2')",
    "mm.counts(GOLD > 0, RUN > 0, classes=[False, True])",
    "mm.scorer('kappa', classes=CLASSES)",
    "mm.evaluate(WORDS, {'a': SAID}, classes=CLASSES)",
    "mm.evaluate(GOLD, {'a': RUN, 'b': RUN[::-1]}, classes='0..2', measures=['accuracy', 'kappa'], ci=True, trials=50)",
    "mm.evaluate(GOLD.astype(float), {'a': RUN}, classes='0..2')",
    "mm.evaluate(GOLD, {'a': RUN + .2}, classes='0..2', bins=[.5, 1.5])",
    "mm.evaluate(GOLD > 0, {'a': RUN > 0}, classes=[False, True])",
    "mm.evaluate(GOLD, {'a': RUN}, classes='0..2', partitions=4)",
    "mm.evaluate(WORDS, {'a': [*SAID[:-1], None]}, classes=CLASSES, missing='worst')",
    "mm.evaluate(WORDS, {'a': [*SAID[:-1], None]}, classes=CLASSES)",
    "mm.evaluate(WORDS, {'a': [*SAID[:-1], 'x']}, classes=CLASSES)",
    "mm.evaluate([*WORDS[:-1], None], {'a': SAID}, classes=CLASSES)",
    "mm.evaluate(WORDS, {'a': SAID[:-1]}, classes=CLASSES)",
    "mm.evaluate(WORDS, SAID, classes=CLASSES)",
    "mm.evaluate(WORDS, {'a': SAID})",
    "mm.evaluate(GOLD.reshape(2, -1), {'a': RUN}, classes='0..2')",
    "mm.evaluate(pl.DataFrame({'item': IDS, 'gold': GOLD, 'a': RUN}), classes='0..2')",
    "mm.evaluate(pl.DataFrame({'gold': GOLD, 'a': RUN}), classes='0..2')",
    "mm.evaluate(pd.DataFrame({'item': IDS, 'gold': WORDS, 'a': SAID}), classes=CLASSES)",
    "mm.evaluate(pd.DataFrame({'item': IDS, 'gold': pd.Categorical(WORDS), 'a': pd.Categorical(SAID)}), classes=CLASSES)",
    "mm.evaluate(pl.DataFrame({'item': IDS, 'label': GOLD}), {'a': pl.DataFrame({'item': IDS, 'label': RUN})}, classes='0..2')",
    "mm.compare(GOLD, {'a': RUN, 'b': RUN[::-1]}, 'accuracy', classes='0..2', trials=100)",
    "mm.difference(GOLD, {'a': RUN, 'b': RUN[::-1]}, 'kappa', 'a', 'b', classes='0..2', trials=100)",
    "mm.table(GOLD, {'a': RUN}, classes='0..2')",
    "mm.check(GOLD, {'a': RUN}, classes='0..2')",
    "mm.count(GOLD, {'a': RUN}, classes='0..2').checksum()",
    "mm.evaluate('wide.csv', classes=CLASSES, measures='accuracy')",
    "mm.evaluate('tsv/gold.tsv', ['tsv/ann.tsv', 'tsv/bob.tsv'], classes=CLASSES)",
    "mm.measures['kappa'](mm.counts(GOLD, RUN, classes='0..2'))",
    "mm.measures['nmd'](SHARES, SHARES[::-1])",
    "mm.compare(mm.evaluate('topics/gold.tsv', ['topics/ann.tsv', 'topics/bob.tsv'], classes=CLASSES), 'accuracy', trials=100)",
    "mm.read_scores('scores.csv')",
    "mm.design('scores.csv', 'kappa', difference=.3)",
    "mm.agree('ratings.csv', classes='1..5', trials=50)",
    "mm.evaluate(GOLD, {'a': RUN}, clases='0..2')",
)


def namespace() -> dict[str, Any]:
    """What the calls in Python name."""
    import pandas as pd  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    import metameasure as mm  # noqa: PLC0415

    rng = np.random.default_rng(6)
    gold = rng.integers(0, 3, 50)
    run = _noisy(rng, gold, 0.6, 3)
    words = np.array(["neg", "neu", "pos"])
    return {
        "mm": mm,
        "pl": pl,
        "pd": pd,
        "np": np,
        "GOLD": gold,
        "RUN": run,
        "WORDS": words[gold].tolist(),
        "SAID": words[run].tolist(),
        "CLASSES": words.tolist(),
        "WEIGHTS": rng.integers(1, 5, 50) / 2,
        "IDS": np.arange(50),
        "SHARES": rng.dirichlet(np.ones(4), 6),
    }


def ran(command: str) -> Answer:
    """A command's status, output, and what it wrote."""
    from metameasure.cli import main  # noqa: PLC0415 - the commit's own, where there is one

    before = {path: path.stat().st_mtime_ns for path in _files()}
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status: Any = main(shlex.split(command))
        except SystemExit as end:
            status = end.code
        except BaseException as error:  # it is what we are looking for
            status = f"{type(error).__name__}: {error}"
    written = {str(path): _digest(path) for path in _files() if before.get(path) != path.stat().st_mtime_ns}
    return {"status": status, "out": _timeless(out.getvalue()), "err": _timeless(err.getvalue()), "files": written}


def called(expression: str, names: dict[str, Any]) -> Answer:
    """What a call in Python gives, or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            value = eval(expression, names)  # noqa: S307 - of our own list
            status, out = 0, _shown(value)
        except Exception as error:
            status, out = 1, f"{type(error).__name__}: {error}"
    return {"status": status, "out": _timeless(out), "err": "\n".join(str(one.message) for one in said), "files": {}}


def _shown(value: Any) -> str:
    if hasattr(value, "render"):
        return f"{value}\n{value.render('json')}"
    return repr(value.tolist()) if isinstance(value, np.ndarray) else repr(value)


def _files() -> list[Path]:
    return sorted(path for path in Path().rglob("*") if path.is_file())


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.suffix in _TEXTS else "written"


def _timeless(text: str) -> str:
    return _TIMES.sub("T", text.replace(str(Path.cwd()), "."))


def recorded(only: str = "") -> dict[str, Answer]:
    """All answers, by call, in a folder of their own."""
    wanted, answers = re.compile(only), dict[str, Answer]()
    with tempfile.TemporaryDirectory(prefix="recording-") as folder, contextlib.chdir(folder):
        make_data()
        names = namespace()
        for command in dict.fromkeys(commands()):
            if wanted.search(command):
                answers[f"metameasure {command}"] = ran(command)
        for expression in PYTHON:
            if wanted.search(expression):
                answers[expression] = called(expression, names)
    return answers


def rounded(answers: Mapping[str, Answer], digits: int) -> dict[str, Answer]:
    """The same answers with numbers of at most so many digits: the last ones may depend on the machine."""
    return {
        call: {
            **answer,
            **{stream: _FRACTION.sub(lambda one: _short(one[0], digits), answer[stream]) for stream in ("out", "err")},
        }
        for call, answer in answers.items()
    }


def _short(number: str, digits: int) -> str:
    return f"{round(float(number), digits + 2) + 0:.{digits}g}"


def differences(before: Mapping[str, Answer], now: Mapping[str, Answer]) -> Iterator[str]:
    """What is not as before, call by call."""
    for call in before:
        if call not in now or before[call] == now[call]:
            continue
        yield f"\n$ {call}"
        for what in ("status", "files"):
            if before[call][what] != now[call][what]:
                yield f"{what}: {before[call][what]} -> {now[call][what]}"
        for stream in ("out", "err"):
            lines = (_lines(side[call][stream]) for side in (before, now))
            yield from (
                line for line in difflib.unified_diff(*lines, "before", "now", lineterm="", n=0) if line[:3] not in ("---", "+++")
            )


def _lines(text: str) -> list[str]:
    """Lines, of JSON one for each value."""
    with contextlib.suppress(ValueError):
        text = json.dumps(json.loads(text), indent=1)
    return text.splitlines()


def read(path: str) -> dict[str, Answer]:
    answers: dict[str, Answer] = json.loads(gzip.decompress(Path(path).read_bytes()))
    return answers


def at(revision: str, arguments: Sequence[str]) -> int:
    """This program on another commit's package, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="recording-") as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "--detach", str(tree), revision], cwd=ROOT, check=True, capture_output=True)  # noqa: S607
        try:
            environment = os.environ | {"PYTHONPATH": str(tree / "src")}
            return subprocess.run([sys.executable, __file__, *arguments], env=environment, check=False).returncode
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)  # noqa: S607


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", help="the recording to write")
    parser.add_argument(
        "--compare", metavar="FILE", help="print what is not as in this recording; the status is 1 if anything is"
    )
    parser.add_argument(
        "--digits", type=int, help="compare so many digits of each number: on another machine the last may differ"
    )
    parser.add_argument("--at", metavar="REVISION", help="the calls as another commit answers them")
    parser.add_argument("--only", metavar="PATTERN", default="", help="those calls only whose text matches")
    asked = parser.parse_args()
    if asked.at:
        passed_on = {
            "-o": asked.output and str(Path(asked.output).resolve()),
            "--compare": asked.compare and str(Path(asked.compare).resolve()),
        }
        more = [part for name, value in passed_on.items() if value for part in (name, value)]
        return at(asked.at, [*more, "--only", asked.only])
    before = read(asked.compare) if asked.compare else None
    answers = recorded(asked.only)
    if asked.output:
        text = json.dumps(answers, indent=0, sort_keys=True).encode()
        Path(asked.output).write_bytes(gzip.compress(text, mtime=0))
    if before is None:
        print(f"{len(answers)} calls, of which {sum(answer['status'] != 0 for answer in answers.values())} are refused")
        return 0
    if asked.digits:
        before, answers = rounded(before, asked.digits), rounded(answers, asked.digits)
    lines = list(differences(before, answers))
    print("\n".join(lines) or f"{len(answers)} calls, all as before")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
