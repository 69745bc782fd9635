"""Four measures of many small tables at once, as in resampling or in a search for counterexamples.

Ours computes on prepared counts of shape (tables, C, C). The peers are called table by table: scikit-learn on the items,
as it has no other way in; krippendorff on its own counts, prepared too; plain loops, written from the formulas, on ours.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness import agree, best_of, compared, machine, peak_memory, peer, print_table, seconds, settle_memory

import metameasure as mm

MEASURES = ("kappa", "alpha_ordinal", "mae_macro", "cem_ord")
CLASSES, ITEMS = 5, 100
MANY_CLASSES, MANY_CLASSES_TABLES = 50, 2_000
GOALS = {"kappa": ">= 200 x", "alpha_ordinal": ">= 40 x", "all four": "< 0.1 s"}


def made_up(tables: int, classes: int, seed: int) -> tuple[Any, Any]:
    """Labels 0..C-1 of shape (tables, items). Class sizes differ from table to table, and some gold classes are empty."""
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.dirichlet(np.ones(classes), size=tables), axis=1)[:, None, :-1]
    gold = np.sum(rng.random((tables, ITEMS))[:, :, None] > ends, axis=-1)
    near = np.clip(gold + rng.integers(-1, 2, size=gold.shape), 0, classes - 1)
    return gold, np.where(rng.random(gold.shape) < 0.8, near, rng.integers(0, classes, size=gold.shape))


def count(gold: Any, predicted: Any, classes: int) -> Any:
    """Every table at once: rows gold, columns predicted."""
    tables = gold.shape[0]
    cells = (np.arange(tables)[:, None] * classes + gold) * classes + predicted
    return np.bincount(cells.ravel(), minlength=tables * classes**2).reshape(tables, classes, classes)


def mae_macro(counts: Any) -> float:
    """Sakai (2021), Eq. 1, for one table: the mean over the gold classes that are not empty."""
    rows = counts.tolist()
    means = [sum(abs(p - g) * n for p, n in enumerate(row)) / sum(row) for g, row in enumerate(rows) if any(row)]
    return sum(means) / len(means)


def cem_ord(counts: Any) -> float:
    """Sakai (2021), Eq. 3-4, for one table; g is the paper's j, p its i."""
    sizes = counts.sum(axis=1).tolist()
    items = sum(sizes)

    def prox(p: int, g: int) -> float:
        between = sum(sizes[p + 1 : g + 1]) if p <= g else sum(sizes[g:p])
        return -math.log2(max(0.5, sizes[p] / 2 + between) / items)

    rows = counts.tolist()
    reached = sum(prox(p, g) * row[p] for g, row in enumerate(rows) for p in range(len(row)) if row[p])
    return float(reached / sum(prox(g, g) * size for g, size in enumerate(sizes)))


def table_by_table(gold: Any, predicted: Any, counts: Any) -> dict[str, tuple[str, Callable[[], list[float]]]]:
    """The peers by our ids: a name, and a loop over the tables."""
    kappa, alpha = peer("sklearn.metrics").cohen_kappa_score, peer("krippendorff").alpha
    labels, pairs, one = list(range(CLASSES)), list(zip(gold, predicted, strict=True)), np.eye(CLASSES, dtype=int)
    per_item = [one[g] + one[p] for g, p in pairs]  # how often each item was given each class

    def alphas() -> list[float]:
        return [float(alpha(value_counts=n, value_domain=labels, level_of_measurement="ordinal")) for n in per_item]

    return {
        "kappa": ("scikit-learn", lambda: [float(kappa(g, p, labels=labels)) for g, p in pairs]),
        "alpha_ordinal": ("krippendorff", alphas),
        "mae_macro": ("plain loop", lambda: [mae_macro(table) for table in counts]),
        "cem_ord": ("plain loop", lambda: [cem_ord(table) for table in counts]),
    }


def ours_on(counts: Any) -> dict[str, Callable[[], Any]]:
    """What is timed of ours: each measure, and all of them one after the other."""
    cases: dict[str, Callable[[], Any]] = {name: partial(mm.measures[name], counts) for name in MEASURES}
    return cases | {"all four": lambda: [mm.measures[name](counts) for name in MEASURES]}


def compare(options: argparse.Namespace) -> None:
    gold, predicted = made_up(options.tables, CLASSES, options.seed)
    counts = count(gold, predicted, CLASSES)
    some = min(options.peer_tables, options.tables)
    cases, peers = ours_on(counts), table_by_table(gold[:some], predicted[:some], counts[:some])
    for name, (_, loop) in peers.items():
        agree(name, cases[name]()[:some], loop(), within=1e-10)

    ours = {name: best_of(options.repeats, case) for name, case in cases.items()}
    theirs = {name: best_of(options.repeats, loop) * options.tables / some for name, (_, loop) in peers.items()}
    ours["kappa, counting too"] = ours["kappa"] + best_of(options.repeats, lambda: count(gold, predicted, CLASSES))
    theirs |= {"all four": sum(theirs.values()), "kappa, counting too": theirs["kappa"]}
    library = {name: library for name, (library, _) in peers.items()} | {"kappa, counting too": "scikit-learn"}
    print_table(
        f"{options.tables:,} tables of {ITEMS} items, {CLASSES} classes (peers: timed on {some:,} tables and scaled up)",
        ("measure", "ours (s)", "peer (s)", "ratio", "goal", "peer"),
        [
            (name, *compared(own, theirs[name]), GOALS.get(name, "-"), library.get(name, "all of these"))
            for name, own in ours.items()
        ],
    )


def many_classes(options: argparse.Namespace) -> None:
    counts = count(*made_up(MANY_CLASSES_TABLES, MANY_CLASSES, options.seed), MANY_CLASSES)
    size = f"{counts.nbytes / 1e6:.0f} MB"
    print_table(
        f"{MANY_CLASSES_TABLES:,} tables of {ITEMS} items, {MANY_CLASSES} classes (peak memory on top of the counts' {size})",
        ("measure", "ours (s)", "peak memory (MB)"),
        [(name, seconds(best_of(options.repeats, case)), f"{peak_memory(case):.1f}") for name, case in ours_on(counts).items()],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20_000, help="tables to score (default: %(default)s)")
    parser.add_argument("--peer-tables", type=int, default=1_000, help="tables the peers score (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up labels (default: %(default)s)")
    options = parser.parse_args()
    for library in ("sklearn", "krippendorff"):
        peer(library)
    print(machine("scikit-learn", "krippendorff"))
    print(f"Best of {options.repeats}; values agree to 1e-10")
    settle_memory()
    compare(options)
    many_classes(options)


if __name__ == "__main__":
    main()
