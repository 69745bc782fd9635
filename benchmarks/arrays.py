"""What a Python user has in hand: labels in arrays and Series, wide tables, one call in a fresh process; beside scikit-learn,
polars and DuckDB.

All figures are seconds of processor time, those of all threads together: they say the same on a busy machine. Ratios are of times
taken in one run. Values are checked before anything is timed.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from harness import agree, installed, machine, peer, print_table, process, seconds, settle_memory

import metameasure as mm

WORDS = ("awful", "poor", "fair", "good", "superb")
NINE = "accuracy,macro_recall,macro_precision,f1_macro,mae,mse,kappa,kappa_linear,kappa_quadratic"
NUMBERS = "0..4"


def taken(repeats: int, function: Callable[[], Any]) -> float:
    """The least processor time of a call."""
    times = []
    gc.disable()
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    gc.enable()
    return min(times)


def times(value: float) -> str:
    return f"{value:.2f} x" if value < 10 else f"{value:,.0f} x"


def made_up(items: int, runs: int, seed: int = 0) -> tuple[Any, list[Any]]:
    rng = np.random.default_rng(seed)
    gold = rng.choice(5, size=items, p=[0.05, 0.15, 0.35, 0.3, 0.15]).astype(np.int8)
    return gold, [np.where(rng.random(items) < 0.4, gold, rng.integers(0, 5, items, dtype=np.int8)) for _ in range(runs)]


def kinds(items: int) -> Iterator[tuple[str, Callable[[Any], Any], Any]]:
    """What labels may be in: a name, how they are made of numbers, and the classes."""
    words = np.array(WORDS)
    yield "int8", lambda codes: codes, NUMBERS
    yield "int64", lambda codes: codes.astype(np.int64), NUMBERS
    yield "floats", lambda codes: codes.astype(float), NUMBERS
    yield "str, NumPy", lambda codes: words[codes], WORDS
    if items <= 1_000_000:
        yield "str, a list", lambda codes: words[codes].tolist(), WORDS
    if installed("pandas"):
        pandas = peer("pandas")
        yield "pandas, categories", lambda codes: pandas.Series(pandas.Categorical.from_codes(codes, WORDS)), WORDS
    if installed("polars"):
        polars = peer("polars")
        yield "polars, int64", lambda codes: polars.Series(codes.astype(np.int64)), NUMBERS
        yield "polars, str", lambda codes: polars.Series(words[codes]), WORDS


def _plain(labels: Any) -> Any:
    """As scikit-learn is quickest with: objects, which categories of pandas become, take it ten times as long as texts."""
    array = np.asarray(labels)
    return array.astype(str) if array.dtype.kind == "O" else array


def side_by_side(repeats: int, *functions: Callable[[], Any]) -> list[float]:
    """The least processor time of each of some calls, which take turns: what else the machine does then slows all alike."""
    rounds = [[taken(1, function) for function in functions] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def labels(items: int, repeats: int) -> None:
    """One run, nine measures, beside one kappa of scikit-learn."""
    kappa = peer("sklearn.metrics").cohen_kappa_score
    gold, (run,) = made_up(items, 1)
    rows = []
    for name, make, classes in kinds(items):
        truth, said = make(gold), make(run)
        plain = [_plain(side) for side in (truth, said)]
        scores = mm.evaluate(truth, said, classes=classes, measures=NINE)
        agree(name, scores["run"]["kappa"], kappa(*plain), within=1e-12)
        ours, counts = side_by_side(
            max(5 * repeats, 50_000_000 // items),
            lambda: mm.evaluate(truth, said, classes=classes, measures=NINE),  # noqa: B023 - called at once
            lambda: mm.counts(truth, said, classes=classes),  # noqa: B023
        )
        theirs = taken(max(1, repeats // 3), lambda: kappa(*plain))  # noqa: B023
        rows.append((name, seconds(ours), seconds(counts), times(ours / counts), seconds(theirs), times(theirs / ours)))
    header = ("labels", "mm.evaluate (s)", "mm.counts (s)", "of mm.counts", "scikit-learn's kappa (s)", "ratio")
    print_table(f"{items:,} labels, one run, nine measures (goals: at most 1.5 x of mm.counts, ratio at least 1 x)", header, rows)


OURS = "import metameasure as mm; print(mm.evaluate({file!r}, classes='0..4', measures='kappa').averages()[0].round(9).tolist())"
DUCKDB = """
import duckdb
runs = ['run{{}}'.format(run) for run in range({runs})]
for run in runs:
    duckdb.sql(f"SELECT gold, {{run}}, count(*) FROM read_parquet('{file}') GROUP BY ALL").fetchall()
"""
SETS = """
import duckdb
runs = ['run{{}}'.format(run) for run in range({runs})]
sets = ', '.join(f'(gold, {{run}})' for run in runs)
duckdb.sql(f"SELECT gold, {{', '.join(runs)}}, count(*) FROM read_parquet('{file}') GROUP BY GROUPING SETS ({{sets}})").fetchall()
"""
POLARS = """
import polars as pl
rows = pl.scan_parquet({file!r})
pl.collect_all([rows.group_by('gold', f'run{{run}}').len() for run in range({runs})])
"""


def make(file: str, items: int, runs: int) -> None:
    """A wide table; in a process of its own, since what a process has ever held counts as its children's."""
    arrow, parquet = peer("pyarrow"), peer("pyarrow.parquet")
    writer = None
    for start in range(0, items, 1_000_000):
        gold, said = made_up(min(1_000_000, items - start), runs, seed=start + 1)
        table = arrow.table({"gold": gold, **{f"run{number}": run for number, run in enumerate(said)}})
        writer = writer or parquet.ParquetWriter(file, table.schema)
        writer.write_table(table)
    writer.close()


def wide(items: int, runs: int, repeats: int) -> None:
    """Runs side by side in a Parquet file, each contestant in a process of its own, its imports counted."""
    contestants = {"mm.evaluate": OURS, "DuckDB, a query for each run": DUCKDB, "DuckDB, GROUPING SETS": SETS}
    contestants |= {"polars": POLARS} if installed("polars") else {}
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "wide.parquet")
        process([sys.executable, __file__, "--make", file, "--rows", str(items), "--runs", str(runs)])
        done = {}
        for name, code in contestants.items():
            rounds = [process([sys.executable, "-c", code.format(file=file, runs=runs)]) for _ in range(repeats)]
            done[name] = min(rounds, key=lambda one: one.processor)
    fastest = min(done["DuckDB, a query for each run"].processor, done["DuckDB, GROUPING SETS"].processor)
    rows = [(name, seconds(one.processor), times(one.processor / fastest), f"{one.megabytes:,.0f}") for name, one in done.items()]
    title = f"{runs} runs x {items:,} rows in Parquet, without ids (goals: at most 1.5 x of DuckDB's time, under 1,000 MB)"
    print_table(title, ("what", "seconds", "DuckDB's time", "peak MB"), rows)


def calls(items: int, repeats: int) -> None:
    """Two runs item by item, and what scikit-learn's cross-validation pays for a call."""
    gold, said = made_up(items, 2)
    runs = dict(zip("ab", said, strict=True))
    compare = taken(repeats, lambda: mm.compare(gold, runs, ["accuracy", "cem_ord"], classes=NUMBERS, trials=5000))

    class Model:
        @staticmethod
        def predict(inputs: Any) -> Any:
            return inputs

    scorer, small = mm.scorer("kappa", classes=NUMBERS), slice(0, min(1000, items))
    fold = said[0][small], gold[small]
    call = taken(50 * repeats, lambda: scorer(Model, *fold))
    score = taken(50 * repeats, lambda: mm.score(fold[1], fold[0], "kappa", classes=NUMBERS))
    rows = [
        ("mm.compare, two runs, accuracy and CEM, 5,000 trials", seconds(compare), "under 1 s"),
        ("mm.scorer, 1,000 items", seconds(call), f"{times(call / score)} of mm.score (at most 1 ms)"),
    ]
    print_table(f"{items:,} items", ("what", "seconds", "goal"), rows)


ENTAILED = "metameasure evaluate {gold!r} {run!r} --task entailment --positive 0 --neutral 1 --negative 2 --measures ap"
READ_AND_SORTED = """
import duckdb, numpy
rows = duckdb.sql("SELECT run.item, gold.label, run.label, score FROM '{run}' run JOIN '{gold}' gold USING (item)").fetchnumpy()
numpy.argsort(rows['score'], kind='stable')
"""


def orders(items: int, repeats: int) -> None:
    """Measures that read an order, and the whole way to them, beside one sort of as many numbers."""
    rng = np.random.default_rng(0)
    gold, said = rng.integers(0, 3, items), rng.integers(0, 3, items)
    scores, right = rng.normal(size=items), gold == 0
    measure = mm.measures["average_precision"]
    said_of = {"task": "entailment", "positive": "0", "neutral": "1", "negative": "2", "matrices": {"score": {"run": scores}}}
    contestants = {
        "average_precision": lambda: measure(scores, right),
        "mm.evaluate, entailment, average_precision": lambda: mm.evaluate(gold, {"run": said}, measures="ap", **said_of),
        "mm.evaluate, entailment, its own measures": lambda: mm.evaluate(gold, {"run": said}, **said_of),
    }
    for call in contestants.values():
        call()
    sort, *done = side_by_side(repeats, lambda: np.argsort(scores, kind="stable"), *contestants.values())
    rows = [(name, seconds(one), times(one / sort)) for name, one in zip(contestants, done, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        files = {name: str(Path(folder) / f"{name}.parquet") for name in ("gold", "run")}
        arrow, parquet = peer("pyarrow"), peer("pyarrow.parquet")
        parquet.write_table(arrow.table({"item": np.arange(items), "label": gold}), files["gold"])
        parquet.write_table(arrow.table({"item": np.arange(items), "label": said, "score": scores}), files["run"])
        command = [sys.executable, "-m", *ENTAILED.format(**files).replace("'", "").split()]
        ours = min(process(command).processor for _ in range(repeats))
        code = READ_AND_SORTED.format(**files)
        raw = min(process([sys.executable, "-c", code]).processor for _ in range(repeats))
    rows.append(("metameasure evaluate, files, beside DuckDB's join and a sort", seconds(ours), times(ours / raw)))
    print_table(f"{items:,} items in an order (goal, in memory: at most 2 x)", ("what", "seconds", "of one sort"), rows)


COLD = {
    "import numpy": "import numpy",
    "mm.score": "import metameasure as mm; mm.score([1, 2, 1], [1, 2, 2], 'kappa', classes=[1, 2])",
    "mm.evaluate": "import metameasure as mm; mm.evaluate([1, 2, 1], [1, 2, 2], classes=[1, 2])",
}


def cold(repeats: int) -> None:
    """A first call in a fresh process."""
    done = {name: min(process([sys.executable, "-c", code]).processor for _ in range(2 * repeats)) for name, code in COLD.items()}
    goals = {"import numpy": "", "mm.score": "at most 2 x", "mm.evaluate": "at most 5 x"}
    rows = [(name, seconds(one), times(one / done["import numpy"]), goals[name]) for name, one in done.items()]
    print_table("A first call, Python's start included", ("what", "seconds", "of import numpy", "goal"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[1_000_000, 10_000_000], help="labels (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the wide table (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=40, help="its runs (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--make", metavar="FILE", help="only write the wide table")
    asked = parser.parse_args()
    if asked.make:
        make(asked.make, asked.rows, asked.runs)
        return
    print(machine("scikit-learn", "duckdb", "narwhals"))
    wide(asked.rows, asked.runs, max(1, asked.repeats // 2))
    cold(asked.repeats)
    settle_memory()
    for items in asked.items:
        labels(items, asked.repeats)
    calls(asked.items[0], asked.repeats)
    orders(asked.items[0], asked.repeats)


if __name__ == "__main__":
    main()
