"""Which items made the difference between two runs: the influence of every item by macro F1, exactly.

Ours computes it once for items that are alike. scikit-learn has the measure, not the question: it is asked for the scores of both
runs before and after a swap, of a few items, and the time is scaled to all items on which the runs differ.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from harness import agree, best_of, compared, machine, peer, print_table

import metameasure as mm


def made_up(items: int, seed: int) -> tuple[Any, Any, Any]:
    """Gold 0..4, and two outputs of which one is better."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 5, items)
    first, second = (np.where(rng.random(items) < right, gold, rng.integers(0, 5, items)) for right in (0.7, 0.6))
    return gold, first, second


def by_swaps(gold: Any, first: Any, second: Any, places: Any) -> list[float]:
    """The influences of some items, by scores of outputs that have swapped each."""
    score = partial(peer("sklearn.metrics").f1_score, gold, average="macro", labels=list(range(5)))
    whole = score(first) - score(second)
    found = []
    for place in places:
        one, other = first.copy(), second.copy()
        one[place], other[place] = second[place], first[place]
        found.append((whole - (score(one) - score(other))) / 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000, help="items (default: %(default)s)")
    parser.add_argument("--peer-items", type=int, default=3, help="items that scikit-learn swaps (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="the fastest of so many runs counts (default: %(default)s)")
    options = parser.parse_args()
    print(machine("scikit-learn"))
    gold, first, second = made_up(options.items, 0)
    explain = partial(mm.explain, gold, first, second, classes=list(range(5)), measure="f1_macro")
    made = explain()
    differ = np.flatnonzero(first != second)
    some = differ[: options.peer_items]
    for place, theirs in zip(some, by_swaps(gold, first, second, some), strict=True):
        agree(f"item {place + 1}", made.found.influence[place], theirs, within=1e-12)
    print(f"{options.items:,} items, {len(differ):,} of which differ, best of {options.repeats}; values agree to 1e-12")
    ours = best_of(options.repeats, explain)
    theirs = best_of(options.repeats, partial(by_swaps, gold, first, second, some)) * len(differ) / len(some)
    print_table(
        "The influence of every item",
        ("what", "ours (s)", "scikit-learn (s, scaled)", "ratio"),
        [("macro F1", *compared(ours, theirs))],
    )


if __name__ == "__main__":
    main()
