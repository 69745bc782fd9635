"""The search for counterexamples: all tables of up to six items and four classes and every move of outputs closer to gold.

Ours goes through the measures' own array code, cases made once and shared by all measures and properties. The plain loop scores
each table and each moved table by a formula of its own, one by one; it is timed on some of the tables and counted by the case.
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from typing import Any

import numpy as np
from harness import agree, best_of, machine, print_table, settle_memory
from many_tables import cem_ord, mae_macro

import metameasure as mm
from metameasure.properties.monotonicity import closer_moves
from metameasure.properties.search import chosen_properties, verdicts
from metameasure.properties.spaces import table_block

PLAIN = {"mae_macro": mae_macro, "cem_ord": cem_ord}
MONOTONE = ["mae", "mse", "mae_macro", "mse_macro", "threshold_loss", "cem_ord", "cem_int", "cem_flat"]
GOAL = ">= 1,000 x"


def moves_of(table: Any) -> list[Any]:
    """Every way to move one or several outputs closer, item by item."""
    items = [(g, p) for g, row in enumerate(table.tolist()) for p, n in enumerate(row) for _ in range(n)]
    nearer = [range(p, g + 1) if p <= g else range(g, p + 1) for g, p in items]
    found = {}
    for moved in product(*nearer):
        after = np.zeros_like(table)
        for (g, _), p in zip(items, moved, strict=True):
            after[g, p] += 1
        found[after.tobytes()] = after
    found.pop(table.tobytes(), None)
    return list(found.values())


def by_loop(tables: Any, score: Any, sign: float) -> tuple[int, int]:
    """How many moves there are, and how many do not improve the score."""
    cases = wrong = 0
    for table in tables:
        before = score(table)
        for after in moves_of(table):
            cases += 1
            wrong += sign * score(after) <= sign * before + 1e-9
    return cases, wrong


def by_search(name: str) -> Any:
    return verdicts(mm.measures[name], chosen_properties("ordinal_monotonicity"), trials=0)[0]


def some_tables(number: int, seed: int) -> Any:
    """Some of the largest tables without an empty gold class."""
    tables = table_block(4, 6).tables
    full = np.flatnonzero((tables.sum(axis=2) > 0).all(axis=1))
    return tables[np.random.default_rng(seed).choice(full, number, replace=False)]


def compare(options: argparse.Namespace) -> None:
    start = time.perf_counter()
    by_search("accuracy@1")
    for items, classes in product(range(1, 7), range(2, 5)):
        closer_moves(classes, items)
    prepared = time.perf_counter() - start
    chosen = some_tables(options.tables, options.seed)
    rows = []
    for name, score in PLAIN.items():
        sign = 1.0 if mm.measures[name].better == "higher" else -1.0
        agree(name, mm.measures[name](chosen), [score(table) for table in chosen], within=1e-10)
        cases, wrong = by_loop(chosen, score, sign)
        plain = cases / best_of(2, lambda score=score, sign=sign: by_loop(chosen, score, sign))
        found = by_search(name)
        if wrong or not found.holds:
            raise SystemExit(f"{name}: the loop and the search differ")
        ours = found.exhaustive / best_of(options.repeats, lambda name=name: by_search(name))
        rows.append((name, f"{found.exhaustive:,}", f"{ours:,.0f}", f"{plain:,.0f}", f"{ours / plain:,.0f} x", GOAL))
    together = mm.axioms(MONOTONE, properties="ordinal_monotonicity", trials=0)
    cases = sum(one.exhaustive for one in together.verdicts)
    taken = best_of(options.repeats, lambda: mm.axioms(MONOTONE, properties="ordinal_monotonicity", trials=0))
    rows.append((f"all {len(MONOTONE)} that have it", f"{cases:,}", f"{cases / taken:,.0f}", "-", "-", "-"))
    print_table(
        f"Cases a second (plain loop: timed on {len(chosen)} tables; cases prepared once for all measures in {prepared:.1f} s)",
        ("ordinal_monotonicity", "cases", "ours", "plain loop", "ratio", "goal"),
        rows,
    )


def everything(options: argparse.Namespace) -> None:
    rows = []
    for what, names in (("cem_ord", "cem_ord"), (options.measures or "all classification measures", options.measures)):
        start = time.perf_counter()
        found = mm.axioms(names, task="classification", trials=options.trials)
        taken = time.perf_counter() - start
        cases = sum(one.trials for one in found.verdicts)
        rows.append((what, str(len(found.measures)), f"{cases:,}", f"{taken:.1f}", "seconds" if names else "< 60 s"))
    print_table(
        f"All properties, exhaustive part included, and up to {options.trials:,} random cases each",
        ("", "measures", "cases", "seconds", "goal"),
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=60, help="tables the plain loop goes through (default: %(default)s)")
    parser.add_argument("--trials", type=int, default=200_000, help="random cases (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=20, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--measures", help="instead of all classification measures, these")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of tables (default: %(default)s)")
    options = parser.parse_args()
    print(machine())
    settle_memory()
    compare(options)
    everything(options)


if __name__ == "__main__":
    main()
