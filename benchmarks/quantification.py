"""Five measures of many pairs of distributions at once, as in a search over estimates or in resampling.

Ours scores predicted and gold of shape (pairs, C), and checks that every row is a distribution. The peers are batched too:
QuaPy's match distance, which checks one side only, and SciPy's Jensen-Shannon distance, which checks nothing. Each measure of
ours is timed beside both, and beside the peer's function for the same formula where there is one.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness import agree, best_of, compared, machine, peer, print_table, settle_memory

import metameasure as mm

MEASURES = ("nmd", "rnod", "nvd", "rnss", "jsd")
MATCH_DISTANCE, JENSEN_SHANNON = "QuaPy match distance", "SciPy Jensen-Shannon"
CLASSES = 5
CHECKED_BY_LOOP = 1_000


def made_up(pairs: int, seed: int) -> tuple[Any, Any]:
    """Estimates, and golds of which every other one is shares of ten answers, so that classes are empty."""
    rng = np.random.default_rng(seed)
    predicted, gold = rng.dirichlet(np.ones(CLASSES), size=(2, pairs))
    gold[::2] = rng.multinomial(10, gold[::2]) / 10
    return predicted, gold


def rnod(p: list[float], q: list[float]) -> float:
    """Sakai (2021), Eq. 12-14, for one pair: no peer has it."""
    squares = [(a - b) ** 2 for a, b in zip(p, q, strict=True)]
    present = [i for i, share in enumerate(q) if share > 0]
    weighted = [sum(abs(i - j) * square for j, square in enumerate(squares)) for i in present]
    return math.sqrt(sum(weighted) / len(present) / (len(p) - 1))


def same_formula(predicted: Any, gold: Any) -> dict[str, tuple[str, Callable[[], Any], Callable[[Any], Any]]]:
    """By our ids: the peer's name, its batched function, and how our value follows from its."""
    quapy, jensen_shannon = peer("quapy.error"), peer("scipy.spatial.distance").jensenshannon
    return {
        "nmd": (MATCH_DISTANCE, partial(quapy.match_distance, gold, predicted), lambda md: md / (CLASSES - 1)),
        "nvd": ("QuaPy ae", partial(quapy.ae, gold, predicted), lambda ae: ae * CLASSES / 2),
        "rnss": ("QuaPy se", partial(quapy.se, gold, predicted), lambda se: np.sqrt(se * CLASSES / 2)),
        "jsd": (JENSEN_SHANNON, partial(jensen_shannon, predicted, gold, base=2, axis=1), np.square),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=200_000, help="pairs of distributions to score (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=20, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up distributions (default: %(default)s)")
    options = parser.parse_args()
    predicted, gold = made_up(options.pairs, options.seed)
    peers = same_formula(predicted, gold)
    print(machine("quapy", "scipy"))
    print(f"Best of {options.repeats}; values agree to 1e-10")
    cases = {name: partial(mm.measures[name], predicted, gold) for name in MEASURES}
    for name, (_, function, to_ours) in peers.items():
        agree(name, cases[name](), to_ours(function()), within=1e-10)
    some = slice(0, CHECKED_BY_LOOP)
    agree("rnod", cases["rnod"]()[some], list(map(rnod, predicted[some].tolist(), gold[some].tolist())), within=1e-10)

    settle_memory()
    ours = {name: best_of(options.repeats, case) for name, case in cases.items()}
    theirs = {library: best_of(options.repeats, function) for library, function, _ in peers.values()}
    print_table(
        f"{options.pairs:,} pairs of distributions, {CLASSES} classes",
        ("measure", "ours (s)", f"{MATCH_DISTANCE} (s)", "ratio", f"{JENSEN_SHANNON} (s)", "ratio"),
        [
            (name, *compared(own, theirs[MATCH_DISTANCE]), *compared(own, theirs[JENSEN_SHANNON])[1:])
            for name, own in ours.items()
        ],
    )
    print_table(
        "The same formula",
        ("measure", "ours (s)", "peer (s)", "ratio", "peer"),
        [(name, *compared(ours[name], theirs[library]), library) for name, (library, *_) in peers.items()],
    )


if __name__ == "__main__":
    main()
