"""Label files joined to gold, audited and counted, from Parquet and from TSV, and one large stacked file.

Ours is timed in two ways: ``labels(...).counts()``, which audits and counts, and the whole command ``metameasure evaluate``.
Beside it the same join and count as one query in DuckDB, with its defaults, and in pandas, neither of which looks for missing,
unknown or repeated items. Each runs in a process of its own, start of Python included; memory is the most that process held.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import agree, best_of, machine, print_table, process

HERE = Path(__file__).parent
FOLDER = Path(tempfile.gettempdir()) / "mm_bench"
COMMAND = [sys.executable, "-m", "metameasure"]
TO_DUCKDB, TO_PANDAS, MEMORY, STACKED_MEMORY, HELP, TO_CLEAN = 1.5, 5.0, 1000, 500, 0.1, 2.0


@dataclass(frozen=True)
class Contestant:
    """What is timed, and how many runs' files it reads of how many that there are."""

    name: str
    command: Sequence[str]
    answer: Path | None = None
    read: int = 0
    runs: int = 0
    status: int = 0

    def measure(self) -> tuple[float, float]:
        """Seconds, scaled up to all runs, and MB."""
        ended = process(self.command, status=self.status)
        taken = ended.seconds
        if self.read < self.runs:
            taken += (self.runs - self.read) * self.written()["seconds_per_run"]
        return taken, ended.megabytes

    def written(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.answer.read_text()) if self.answer else {}
        return answer


def contestant(name: str, function: str, folder: Path, files: Sequence[Path], runs: int = 0) -> Contestant:
    answer = folder / f"answer-{function}.json"
    command = [sys.executable, str(HERE / "file_contestants.py"), function, str(answer), *map(str, files)]
    return Contestant(name, command, answer, len(files) - 1, runs)


def evaluate(folder: Path, files: Sequence[Path]) -> Contestant:
    scores = str(folder / "scores.csv")
    return Contestant("metameasure evaluate", [*COMMAND, "evaluate", *map(str, files), "--classes=-2..2", "--scores", scores])


def measured(contestants: Sequence[Contestant], repeats: int) -> dict[str, tuple[float, float]]:
    """Each one's fewest seconds and MB; by turns, so that a busy spell of the machine does not hit one alone."""
    found = {one.name: one.measure() for one in contestants}
    expected = contestants[0].written()["counts"]
    for one in contestants:
        counts = one.written().get("counts", expected)
        agree(one.name, expected[: len(counts)], counts, within=0)
    for _ in range(repeats - 1):
        for one in contestants:
            found[one.name] = tuple(map(min, found[one.name], one.measure()))
    return found


def print_measured(title: str, found: dict[str, tuple[float, float]], memory: int) -> None:
    """Ours beside DuckDB and, where it was timed, pandas."""
    raw, pandas = found["DuckDB"][0], found["pandas"][0] if "pandas" in found else None
    goal = f"<= {TO_DUCKDB:g} x" + (f", >= {TO_PANDAS:g} x" if pandas else "")
    rows = []
    for name, (taken, held) in found.items():
        faster = [f"{pandas / taken:.1f} x"] if pandas else []
        goals = ("-", "-") if name in ("DuckDB", "pandas") else (goal, f"< {memory:,}")
        rows.append((name, f"{taken:.2f}", f"{taken / raw:.2f} x", *faster, goals[0], f"{held:,.0f}", goals[1]))
    faster = ["faster than pandas"] if pandas else []
    print_table(title, ("what", "seconds", "DuckDB's time", *faster, "goal", "peak MB", "goal"), rows)


def made(options: argparse.Namespace) -> Path:
    """The folder with the files, which are written unless they are there."""
    folder: Path = options.folder / f"{options.runs}-{options.items}-{options.stacked_rows}"
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        start = time.perf_counter()
        # In a process of its own: what this one has held would count as its children's peak.
        sizes = map(str, (options.runs, options.items, options.stacked_rows))
        subprocess.run([sys.executable, str(HERE / "made_up_files.py"), str(partial), *sizes], check=True)
        partial.rename(folder)
        print(f"Files written to {folder} in {time.perf_counter() - start:.0f} s")
    return folder


def joined(folder: Path, ending: str, options: argparse.Namespace) -> None:
    files = [folder / f"{name}.{ending}" for name in ("gold", *(f"run{run:02d}" for run in range(1, options.runs + 1)))]
    few = min(options.pandas_runs, options.runs)
    found = measured(
        [
            contestant("ours, counts", "ours", folder, files),
            evaluate(folder, files),
            contestant("DuckDB", "duckdb_join", folder, files),
            contestant("pandas", "pandas_join", folder, files[: few + 1], options.runs),
        ],
        options.repeat,
    )
    size = sum(file.stat().st_size for file in files) / 1e6
    shown = {"parquet": "Parquet", "tsv": "TSV"}[ending]
    scaled = f"; pandas: timed on {few} and scaled up" if few < options.runs else ""
    print_measured(f"{options.runs} runs of {options.items:,} items from {shown}, {size:,.0f} MB{scaled}", found, MEMORY)


def stacked(folder: Path, options: argparse.Namespace) -> None:
    file = folder / "stacked.parquet"
    found = measured(
        [
            contestant("ours, counts", "ours_stacked", folder, [file]),
            evaluate(folder, [file]),
            contestant("DuckDB", "duckdb_stacked", folder, [file]),
        ],
        options.repeat,
    )
    size = file.stat().st_size / 1e6
    print_measured(
        f"{options.stacked_rows:,} stacked rows, 20 runs, 100 topics, from Parquet, {size:,.0f} MB", found, STACKED_MEMORY
    )


def broken_copies(folder: Path, runs: int) -> None:
    """Of each run as TSV, one with other names of columns and one with a few broken rows: a label that is no class, an id that is
    not in gold, an item twice, no label."""
    for run in range(1, runs + 1):
        header, *lines = (folder / f"run{run:02d}.tsv").read_text().splitlines(keepends=True)
        (folder / f"renamed{run:02d}.tsv").write_text("".join(["tweet_id\tsentiment\n", *lines]))
        at, step = len(lines) // 2, max(1, len(lines) // 10)
        item, label = lines[at].rstrip().split("\t")
        lines[at] = f"{item}\tgood\n"
        lines[at + step] = f"tweet-unknown\t{label}\n"
        lines[at + 2 * step] = lines[at - step]
        lines[at + 3 * step] = lines[at + 3 * step].split("\t")[0] + "\t\n"
        (folder / f"broken{run:02d}.tsv").write_text("".join([header, *lines]))


def problems(folder: Path, options: argparse.Namespace) -> None:
    """How long it takes to be told what is wrong with all of the runs, beside an evaluation of sound ones."""
    if not (folder / f"broken{options.runs:02d}.tsv").exists():
        broken_copies(folder, options.runs)
    kinds = {"nothing is wrong": "run", "columns have other names": "renamed", "four broken rows in each file": "broken"}
    found: dict[str, float] = {}
    for _ in range(options.repeat):
        for what, kind in kinds.items():
            files = [folder / "gold.tsv", *(folder / f"{kind}{run:02d}.tsv" for run in range(1, options.runs + 1))]
            command = [*COMMAND, "evaluate", *map(str, files), "--classes=-2..2"]
            taken = process(command, status=int(kind != "run")).seconds
            found[what] = min(found.get(what, taken), taken)
    clean = found["nothing is wrong"]
    print_table(
        f"What is wrong with {options.runs} runs of {options.items:,} items from TSV",
        ("what", "seconds", "times clean", "goal"),
        [
            (what, f"{taken:.2f}", f"{taken / clean:.2f} x", "-" if taken is clean else f"<= {TO_CLEAN:g} x")
            for what, taken in found.items()
        ],
    )


def help_page(repeats: int) -> None:
    script = Path(sys.executable).with_name("metameasure")
    ours = [str(script), "--help"] if script.exists() else [*COMMAND, "--help"]
    taken = [
        best_of(repeats, lambda command=command: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
        for command in (ours, [sys.executable, "-c", "pass"])
    ]
    print_table(
        f"A page of help, best of {repeats}",
        ("what", "seconds", "goal"),
        [
            ("metameasure --help", f"{taken[0]:.3f}", "-"),
            ("python -c pass", f"{taken[1]:.3f}", "-"),
            ("difference", f"{taken[0] - taken[1]:.3f}", f"< {HELP:g}"),
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="files to score (default: %(default)s)")
    parser.add_argument("--items", type=int, default=2_000_000, help="items in each file (default: %(default)s)")
    parser.add_argument("--stacked-rows", type=int, default=100_000_000, help="rows of the stacked file (default: %(default)s)")
    parser.add_argument("--pandas-runs", type=int, default=2, help="files that pandas reads (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are kept, 2.7 GB (default: %(default)s)")
    parser.add_argument("--repeat", type=int, default=2, help="the best of so many counts (default: %(default)s)")
    options = parser.parse_args()
    print(machine("duckdb", "pandas", "pyarrow", "narwhals"))
    print(f"Best of {options.repeat}; counts agree")
    folder = made(options)
    help_page(10 * options.repeat)
    for ending in ("parquet", "tsv"):
        joined(folder, ending, options)
    stacked(folder, options)
    problems(folder, options)


if __name__ == "__main__":
    main()
