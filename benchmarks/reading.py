"""From files to the answer, each command from a cold start beside its peer: distributions beside DuckDB, a TREC run beside
ir_measures, and intervals of measures that read an order beside an earlier version of ours.

Whole commands are timed, and what is left of them when everything is imported: the same command once more in a process that has
done it on a few rows before. DuckDB only reads and joins the files, and adds up what nvd is made of, which has to agree.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from harness import Process, agree, machine, print_table, process

COMMAND = [sys.executable, "-m", "metameasure"]
CLASSES = 5
TO_DUCKDB, TO_EARLIER, TO_THREE = 2, 15, 1.2
JUDGED = 60
LABELS = ("yes", "no", "unknown")
DISTRIBUTIONS = ["evaluate", "--task", "quantification", "--classes=-2..2", "--format", "json", "dist_gold.tsv"]
THREE = "ndcg@10,average_precision,mrr"
# Whatever people report of a TREC run.
MANY = (
    "P@5,P@10,R@100,R@1000,Success@1,RR@10,ndcg@10:gain=exponential,Rprec,Bpref,infAP,RBP(p=.8),Judged@10,NumRet,NumRel,NumRelRet,"
    "gm_map,IPrec@0.1,IPrec@0.5,NumQ"
)
TREC = ["evaluate", "--task", "ranking", "--format", "json", "trec.qrels", "trec.run", "--measures"]
ORDERS = ["evaluate", "--task", "entailment", "--positive", "yes", "--negative", "no", "--neutral", "unknown", "--ci"]
TSV = "delim = '\t', header = true, quote = '', escape = '', auto_detect = false"
JOINED = """
SELECT r.filename, sum(abs(r.probability - g.probability)) / 2
FROM read_csv({runs}, filename = true, {options}) r JOIN read_csv({gold}, {options}) g USING (topic, class)
GROUP BY ALL ORDER BY ALL
"""


def made_up(folder: Path, options: argparse.Namespace) -> None:
    """All files, in orders of their own."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for run in range(options.runs + 1):
        shares = rng.multinomial(100, rng.dirichlet(np.ones(CLASSES), options.topics)) / 100
        rows = [f"topic-{t:05d}\t{c - 2}\t{shares[t, c]:.2f}" for t in rng.permutation(options.topics) for c in range(CLASSES)]
        write(folder / f"dist_{f'run{run}' if run else 'gold'}.tsv", ["topic\tclass\tprobability", *rows])
    judged, retrieved = list[str](), list[str]()
    for query in range(options.queries):
        documents = rng.choice(200 * options.documents, options.documents, replace=False)
        for document in rng.choice(documents, min(JUDGED, options.documents), replace=False):
            judged.append(f"q{query:04d} 0 doc-{document:06d} {max(0, rng.integers(-3, 4))}")
        scores = np.sort(rng.normal(size=options.documents))[::-1]
        retrieved += [
            f"q{query:04d} Q0 doc-{d:06d} {r} {s:.9f} mine" for r, (d, s) in enumerate(zip(documents, scores, strict=True), 1)
        ]
    write(folder / "trec.qrels", judged)
    write(folder / "trec.run", retrieved)
    gold = rng.integers(0, 3, options.items)
    write(folder / "order_gold.tsv", ["item\tlabel", *(f"i{item:05d}\t{LABELS[label]}" for item, label in enumerate(gold))])
    for run in range(1, 4):
        label = np.where(rng.random(options.items) < 0.6, gold, rng.integers(0, 3, options.items))
        sure, belief = rng.random(options.items), (gold == 0) / 2 + rng.random(options.items)
        rows = [f"i{i:05d}\t{LABELS[label[i]]}\t{sure[i]:.6f}\t{belief[i]:.6f}" for i in rng.permutation(options.items)]
        write(folder / f"order_run{run}.tsv", ["item\tlabel\tconfidence\tscore", *rows])


def write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def ours_again(small: str, large: str, *arguments: str) -> float:
    """The seconds of a command in a process that has imported all that it needs."""
    from metameasure.cli import main  # noqa: PLC0415 - not in the others' processes

    for folder in (small, large):
        os.chdir(folder)
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            status = main(arguments)
        if status:
            raise SystemExit(f"metameasure {' '.join(arguments)} ended with {status}")
    return time.perf_counter() - start


def duckdb_join(gold: str, *runs: str) -> tuple[float, list[float]]:
    """The seconds of reading and joining, and each run's sum of variational distances."""
    import duckdb  # noqa: PLC0415 - the peer

    start = time.perf_counter()
    columns = f"{TSV}, columns = {{'topic': 'VARCHAR', 'class': 'VARCHAR', 'probability': 'DOUBLE'}}"
    rows = duckdb.sql(JOINED.format(runs=list(runs), gold=[gold], options=columns)).fetchall()
    return time.perf_counter() - start, [total for _, total in rows]


def child(function: str, *arguments: str, folder: Path) -> Process:
    return process([sys.executable, __file__, "--child", function, *arguments], cwd=folder)


def distributions(small: Path, large: Path, options: argparse.Namespace) -> None:
    files = ["dist_gold.tsv", *(f"dist_run{run}.tsv" for run in range(1, options.runs + 1))]
    command = [*DISTRIBUTIONS, *files[1:]]
    found: dict[str, tuple[float, ...]] = {}
    for _ in range(options.repeat):
        whole = process([*COMMAND, *command], cwd=large)
        after = float(child("ours_again", str(small), str(large), *command, folder=large).printed)
        raw = child("duckdb_join", *files, folder=large)
        query, sums = json.loads(raw.printed)
        ours = json.loads(whole.printed)
        scores = [run["scores"]["nvd"] for run in sorted(ours["runs"], key=lambda run: run["run"])]
        agree("nvd", scores, np.array(sums) / options.topics, within=1e-9)
        timed = {"ours": (whole.seconds, whole.processor, after), "DuckDB": (raw.seconds, raw.processor, query)}
        found = {name: tuple(map(min, found.get(name, taken), taken)) for name, taken in timed.items()}
    ours_shown, raw_shown = ([f"{taken:.2f}" for taken in one] for one in found.values())
    ratio = found["ours"][-1] / found["DuckDB"][-1]
    rows = (options.runs + 1) * options.topics * CLASSES
    print_table(
        f"Distributions: {rows:,} rows, {options.runs} runs of {options.topics:,} topics and {CLASSES} classes, from TSV",
        ("what", "command (s)", "processor (s)", "after imports (s)", "DuckDB's time", "goal"),
        [
            ("metameasure evaluate", *ours_shown, f"{ratio:.2f} x", f"<= {TO_DUCKDB} x"),
            ("DuckDB, read and joined", *raw_shown, "-", "-"),
        ],
    )


def trec(small: Path, large: Path, options: argparse.Namespace) -> None:
    theirs_is = [sys.executable, "-c", "from ir_measures.__main__ import main_cli; main_cli()"]
    theirs_is += ["trec.qrels", "trec.run", "nDCG@10", "AP", "RR", "--places", "9"]
    ours, theirs, after = (np.inf, np.inf), (np.inf, np.inf), np.inf
    for _ in range(options.repeat):
        whole, other = process([*COMMAND, *TREC, THREE], cwd=large), process(theirs_is, cwd=large)
        after = min(after, float(child("ours_again", str(small), str(large), *TREC, THREE, folder=large).printed))
        scores = json.loads(whole.printed)["runs"][0]["scores"]
        expected = dict(line.split("\t") for line in other.printed.splitlines())
        # nDCG is left out: its gains are defined in two ways.
        found = [scores["average_precision"], scores["mrr"]]
        agree("AP and RR", found, [float(expected["AP"]), float(expected["RR"])], within=1e-6)
        ours = tuple(map(min, ours, (whole.seconds, whole.processor)))
        theirs = tuple(map(min, theirs, (other.seconds, other.processor)))
    print_table(
        f"A TREC run of {options.queries:,} queries and {options.documents:,} documents each, {JUDGED} of them judged",
        ("what", "command (s)", "processor (s)", "faster", "goal", "after imports (s)"),
        [
            (
                "metameasure evaluate",
                *(f"{taken:.2f}" for taken in ours),
                f"{theirs[0] / ours[0]:.2f} x",
                "> 1 x",
                f"{after:.2f}",
            ),
            ("ir_measures", *(f"{taken:.2f}" for taken in theirs), "-", "-", "-"),
        ],
    )


def many_measures(small: Path, large: Path, options: argparse.Namespace) -> None:
    taken = {"three measures": THREE, "all of them": f"{THREE},{MANY}"}
    found: dict[str, tuple[float, ...]] = {}
    for _ in range(options.repeat):
        for name, measures in taken.items():
            whole = process([*COMMAND, *TREC, measures], cwd=large)
            after = float(child("ours_again", str(small), str(large), *TREC, measures, folder=large).printed)
            timed = (whole.seconds, whole.processor, after)
            found[name] = tuple(map(min, found.get(name, timed), timed))
    three = found["three measures"]
    print_table(
        f"The same run by {THREE.count(',') + 1} measures, and by {THREE.count(',') + MANY.count(',') + 2}",
        ("what", "command (s)", "processor (s)", "after imports (s)", "processor's time", "goal"),
        [
            (name, *(f"{one:.2f}" for one in times), f"{times[1] / three[1]:.2f} x", f"<= {TO_THREE} x")
            for name, times in found.items()
        ],
    )


def orders(small: Path, large: Path, options: argparse.Namespace) -> None:
    command = [*ORDERS, "order_gold.tsv", *(f"order_run{run}.tsv" for run in range(1, 4))]
    after = np.inf
    taken = []
    for _ in range(options.repeat):
        taken.append(process([*COMMAND, *command], cwd=large))
        after = min(after, float(child("ours_again", str(small), str(large), *command, folder=large).printed))
    rows, ratio, goal = list[tuple[str, ...]](), "-", "-"
    if options.earlier:
        before = process([*COMMAND, *command], cwd=large, environment={"PYTHONPATH": str(options.earlier.absolute())})
        taken.append(process([*COMMAND, *command], cwd=large))  # on as busy a machine as the other
        rows = [("the earlier version", f"{before.seconds:.2f}", f"{before.processor:.2f}", "-", "-", "-")]
        ratio, goal = f"{before.seconds / min(one.seconds for one in taken):.1f} x", f">= {TO_EARLIER} x"
    shown = (f"{min(one.seconds for one in taken):.2f}", f"{min(one.processor for one in taken):.2f}")
    rows.insert(0, ("metameasure evaluate --ci", *shown, ratio, goal, f"{after:.2f}"))
    print_table(
        f"Intervals: 3 runs of {options.items:,} entailment judgements in an order, 1,000 draws",
        ("what", "command (s)", "processor (s)", "faster", "goal", "after imports (s)"),
        rows,
    )


CHILDREN = {"ours_again": ours_again, "duckdb_join": duckdb_join}


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(CHILDREN[sys.argv[2]](*sys.argv[3:])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="of distributions (default: %(default)s)")
    parser.add_argument("--topics", type=int, default=20_000, help="with a distribution each (default: %(default)s)")
    parser.add_argument("--queries", type=int, default=1_000, help="of the TREC run (default: %(default)s)")
    parser.add_argument("--documents", type=int, default=1_000, help="retrieved for each query (default: %(default)s)")
    parser.add_argument("--items", type=int, default=20_000, help="that are put in an order (default: %(default)s)")
    parser.add_argument("--earlier", type=Path, help="the folder src of an earlier version, to time its intervals beside ours")
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many counts (default: %(default)s)")
    options = parser.parse_args()
    print(machine("duckdb", "ir_measures"))
    print(f"Best of {options.repeat}; values agree")
    few = argparse.Namespace(**{**vars(options), "topics": 5, "queries": 2, "documents": 5, "items": 30})
    with tempfile.TemporaryDirectory(prefix="metameasure-benchmark-") as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        made_up(small, few)
        made_up(large, options)
        distributions(small, large, options)
        trec(small, large, options)
        many_measures(small, large, options)
        orders(small, large, options)


if __name__ == "__main__":
    main()
