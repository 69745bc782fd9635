"""Is anything slower than it was? Runs each benchmark small, and fails where a ratio to a peer is 1.3 times worse than recorded.

Ratios to peers are compared, not times: a slow machine slows both. At small sizes they are noisy nevertheless, so a ratio counts
as its best of several rounds, and only a benchmark that seems slower is run again. What is recorded (guard.json) is the middle of
several rounds; `--record` writes it anew, after a change that is meant.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness import TABLES_TO, print_table

HERE = Path(__file__).parent
RECORD = HERE / "guard.json"
LIMIT = 1.3
SMALL = {
    "arrays": ["--items", "1000000", "--rows", "1000000", "--runs", "5", "--repeats", "3"],
    "axioms": ["--tables", "20", "--trials", "0", "--repeats", "5", "--measures", "accuracy"],
    "explain": ["--items", "100000", "--peer-items", "3", "--repeats", "3"],
    "from_files": ["--runs", "4", "--items", "200000", "--stacked-rows", "2000000", "--repeat", "3", "--folder", "{scratch}"],
    "jcml": ["--segments", "4000", "--repeat", "3"],
    "many_tables": ["--tables", "5000", "--peer-tables", "200", "--repeats", "5"],
    "meta_protocol": ["--trials", "1000", "--threads", "1"],
    "one_million_items": ["--items", "100000", "--repeats", "5"],
    "quantification": ["--pairs", "50000", "--repeats", "10"],
    "randomisation": ["--trials", "1000", "--threads", "1", "--repeats", "5", "--large-topics", "500"],
    "rankings": ["--segments", "20000", "--peer-segments", "500", "--repeats", "5"],
    "ranks": ["--runs", "20", "--questions", "300", "--repeats", "5"],
    "reading": ["--topics", "4000", "--queries", "200", "--documents", "500", "--items", "2000", "--repeat", "3"],
}
"""Each benchmark's arguments. error_rates.py and tests_side_by_side.py are not about time."""
LESS_IS_BETTER = frozenset({"DuckDB's time", "of compare", "of mm.counts", "of import numpy", "of one sort"})
MORE_IS_BETTER = frozenset({"ratio", "faster", "faster than pandas"})
PEERS = frozenset({"DuckDB", "pandas", "DuckDB, a query for each run", "DuckDB, GROUPING SETS", "polars", "import numpy"})
Ratios = dict[str, float]


def ratios(tables: Iterable[Mapping[str, Any]]) -> Ratios:
    """The ratios in a benchmark's tables, oriented so that more is better: by table, row and column."""
    found: Ratios = {}
    for number, table in enumerate(tables, start=1):
        for row in table["rows"]:
            for place, (name, cell) in enumerate(zip(table["header"], row, strict=True)):
                if row[0] in PEERS or name not in LESS_IS_BETTER | MORE_IS_BETTER or not cell.endswith(" x"):
                    continue
                value = float(cell.removesuffix(" x").replace(",", ""))
                found[f"table {number}, {row[0]}, column {place + 1}"] = 1 / value if name in LESS_IS_BETTER else value
    return found


def run(name: str, scratch: Path) -> Ratios | str:
    """The ratios of one round, or why there are none."""
    told = scratch / f"{name}.jsonl"
    told.unlink(missing_ok=True)
    arguments = [argument.replace("{scratch}", str(scratch)) for argument in SMALL[name]]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", TABLES_TO: str(told)}
    command = [sys.executable, str(HERE / f"{name}.py"), *arguments]
    done = subprocess.run(command, env=environment, cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        if "is not installed" in reason:
            return reason
        raise SystemExit(f"{name} ended with {done.returncode}: {reason}")
    return ratios(json.loads(line) for line in told.read_text(encoding="utf-8").splitlines())


def slower(found: Mapping[str, float], recorded: Mapping[str, float]) -> list[str]:
    """What is beyond the limit: worse than recorded, or not there any more."""
    return [key for key, before in recorded.items() if found.get(key, 0.0) * LIMIT < before]


def best(rounds: Iterable[Ratios]) -> Ratios:
    """The best of several rounds, ratio by ratio."""
    together: Ratios = {}
    for one in rounds:
        together |= {key: max(value, together.get(key, 0.0)) for key, value in one.items()}
    return together


def guard(names: Iterable[str], most: int, recorded: Mapping[str, Ratios], scratch: Path) -> bool:
    """Whether nothing is slower; prints what is."""
    good = True
    for name in names:
        rounds: list[Ratios] = []
        while len(rounds) < most and (not rounds or slower(best(rounds), recorded.get(name, {}))):
            found = run(name, scratch)
            if isinstance(found, str):
                print(f"{name}: left out, {found}")
                break
            rounds.append(found)
        if not rounds:
            continue
        shown, before = best(rounds), recorded.get(name, {})
        worse = slower(shown, before)
        print(f"{name}: {len(before)} ratios, best of {len(rounds)}: {'SLOWER' if worse else 'ok'}", flush=True)
        if worse:
            good = False
            rows = [(key, f"{before[key]:.2f} x", f"{shown.get(key, 0):.2f} x") for key in worse]
            print_table(f"{name}, slower than {LIMIT} x", ("ratio (more is better)", "recorded", "now"), rows)
    return good


def record(names: Iterable[str], rounds: int, scratch: Path) -> None:
    """The middle of several rounds, written down."""
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for name in names:
        found = [run(name, scratch) for _ in range(rounds)]
        if isinstance(found[0], str):
            print(f"{name}: left out, {found[0]}")
            continue
        each = [one for one in found if not isinstance(one, str)]
        kept[name] = {key: round(statistics.median(one[key] for one in each), 3) for key in each[0]}
        print(f"{name}: {len(kept[name])} ratios recorded", flush=True)
    RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="BENCHMARK", help=f"which (default: all): {', '.join(SMALL)}")
    parser.add_argument("--rounds", type=int, default=5, help="at most, for what seems slower (default: %(default)s)")
    parser.add_argument("--record", action="store_true", help="write down the ratios instead, the middle of so many rounds")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in SMALL]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'")
    with tempfile.TemporaryDirectory(prefix="metameasure-guard-") as scratch:
        if options.record:
            record(options.names or SMALL, options.rounds, Path(scratch))
            return
        recorded = json.loads(RECORD.read_text(encoding="utf-8"))
        if not guard(options.names or SMALL, options.rounds, recorded, Path(scratch)):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
