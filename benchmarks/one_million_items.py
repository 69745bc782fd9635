"""One output of a million items, five ordinal classes, nine measures that scikit-learn has too.

Ours is timed in two ways: nine calls of ``mm.score``, which count the items nine times, and ``mm.counts`` once with nine
measures of the table. scikit-learn's functions start from the items each time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from harness import agree, best_of, compared, machine, peer, print_table, settle_memory

import metameasure as mm

WORDS = ["awful", "poor", "fair", "good", "superb"]  # lowest to highest, which is not their alphabetical order
FROM_NUMBERS = ("mae", "mse")  # scikit-learn refuses words here, so it is given the ranks, ready-made


def made_up(items: int, seed: int) -> tuple[Any, Any]:
    """Gold ranks 1..5 of unequal class sizes, and an output that is right, near or anywhere."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(5, size=items, p=[0.05, 0.15, 0.35, 0.3, 0.15])
    near = np.clip(gold + rng.integers(-1, 2, size=items), 0, 4)
    predicted = np.where(rng.random(items) < 0.9, near, rng.integers(0, 5, size=items))
    return gold + 1, predicted + 1


def scikit_learn(metrics: Any, classes: Sequence[Any]) -> dict[str, Callable[[Any, Any], float]]:
    """scikit-learn's functions by our ids, with the classes given wherever they can be."""
    labels = list(classes)
    return {
        "accuracy": metrics.accuracy_score,
        "macro_recall": metrics.balanced_accuracy_score,
        "macro_precision": lambda g, p: metrics.precision_score(g, p, labels=labels, average="macro"),
        "f1_macro": lambda g, p: metrics.f1_score(g, p, labels=labels, average="macro"),
        "mae": metrics.mean_absolute_error,
        "mse": metrics.mean_squared_error,
        "kappa": lambda g, p: metrics.cohen_kappa_score(g, p, labels=labels),
        "kappa_linear": lambda g, p: metrics.cohen_kappa_score(g, p, labels=labels, weights="linear"),
        "kappa_quadratic": lambda g, p: metrics.cohen_kappa_score(g, p, labels=labels, weights="quadratic"),
    }


def compare(title: str, labels: tuple[Any, Any], ranks: tuple[Any, Any], classes: Sequence[Any], repeats: int) -> None:
    peers = {
        name: partial(function, *(ranks if name in FROM_NUMBERS else labels))
        for name, function in scikit_learn(peer("sklearn.metrics"), classes).items()
    }
    scores = {name: partial(mm.score, name, *labels, classes=classes) for name in peers}

    def counted_once() -> list[float]:
        counts = mm.counts(*labels, classes=classes)
        return [mm.measures[name](counts) for name in peers]

    expected = [function() for function in peers.values()]
    for ways in ([score() for score in scores.values()], counted_once()):
        for name, value, other in zip(peers, ways, expected, strict=True):
            agree(name, value, other, within=1e-12)

    ours = {f"score {name}": best_of(repeats, score) for name, score in scores.items()}
    theirs = {f"score {name}": best_of(repeats, function) for name, function in peers.items()}
    ours["nine scores"] = best_of(repeats, lambda: [score() for score in scores.values()])
    ours["counts once, nine measures"] = best_of(repeats, counted_once)
    together = sum(theirs.values())
    print_table(
        title,
        ("what", "ours (s)", "scikit-learn (s)", "ratio"),
        [(what, *compared(own, theirs.get(what, together))) for what, own in ours.items()],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1_000_000, help="items to score (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up labels (default: %(default)s)")
    options = parser.parse_args()
    peer("sklearn")
    print(machine("scikit-learn"))
    print(f"{options.items:,} items, best of {options.repeats}; values agree to 1e-12")
    settle_memory()
    ranks = made_up(options.items, options.seed)
    names = np.array(WORDS)
    arrays = tuple(names[side - 1] for side in ranks)
    lists = tuple(side.tolist() for side in arrays)
    compare("Integers, NumPy arrays", ranks, ranks, [1, 2, 3, 4, 5], options.repeats)
    compare("Strings, NumPy arrays (scikit-learn's mae and mse are given integers)", arrays, ranks, WORDS, options.repeats)
    compare("Strings, Python lists (scikit-learn's mae and mse are given integers)", lists, ranks, WORDS, options.repeats)


if __name__ == "__main__":
    main()
