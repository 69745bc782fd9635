"""The full protocol of a meta-evaluation on scores the size of DialEval-1, and pooled over eight such data sets.

Similarity with bootstrap intervals, consistency of half splits and of 10 against 10 topics, discriminative power, overlap and
contradictions: 300 topics x 22 runs x 6 measures, 1,000 splits, 5,000 trials. Compilation is excluded: everything is called
once on the same data before it is timed (a small data set would not do: what is small is not compiled). The peer computes the
same taus and p-values with SciPy and NumPy, on a part of the work that is scaled up.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness import agree, compared, machine, peer, print_table, seconds

import metameasure as mm

MEASURES = ("nmd", "rsnod", "rnod", "nvd", "rnss", "jsd")
TOPICS, RUNS, DATA_SETS = 300, 22, 8
PEER_SPLITS, PEER_TRIALS = 20, 20


def made_up(topics: int, runs: int, seed: int) -> list[Any]:
    """Distances of runs of different quality on topics of different difficulty, the measures alike but not the same."""
    rng = np.random.default_rng(seed)
    quality, difficulty = 0.04 * rng.random(runs), 0.1 * rng.random((topics, 1))
    shared = rng.random((topics, runs))
    names = tuple(f"t{topic}" for topic in range(topics)), tuple(f"r{run}" for run in range(runs))
    values = {m: 0.2 + quality + difficulty + 0.2 * shared + 0.2 * rng.random((topics, runs)) for m in MEASURES}
    return [mm.ScoreMatrix(measure, *names, matrix) for measure, matrix in values.items()]


def protocol(scores: Any, options: argparse.Namespace) -> dict[str, Callable[[], Any]]:
    """The parts, in the order of a paper; overlap and contradictions use the tests made for discrimination."""
    tests: dict[str, Any] = {}
    common: dict[str, Any] = {"seed": options.seed, "threads": options.threads}

    def discrimination() -> None:
        tests["found"] = mm.meta.discrimination(scores, trials=options.trials, **common)

    return {
        "similarity, 1,000 draws": lambda: mm.meta.similarity(scores, **common),
        "consistency, halves": lambda: mm.meta.consistency(scores, test="splits", trials=options.trials, **common),
        "consistency, 10 vs. 10": lambda: mm.meta.consistency(scores, size=10, test="splits", trials=options.trials, **common),
        "discrimination": discrimination,
        "overlap": lambda: mm.meta.overlap(tests["found"]),
        "contradictions": lambda: mm.meta.contradictions(tests["found"]),
    }


def timed(scores: Any, options: argparse.Namespace) -> dict[str, float]:
    taken = {}
    for name, part in protocol(scores, options).items():
        start = time.perf_counter()
        part()
        taken[name] = time.perf_counter() - start
    return taken


def peer_split_taus(matrices: list[Any], splits: int) -> np.ndarray:
    """scipy.stats.kendalltau on each split and measure; without ties tau-b is tau-a."""
    kendalltau = peer("scipy.stats").kendalltau
    rng = np.random.default_rng(0)
    taus = np.empty((splits, len(matrices)))
    for split in range(splits):
        order = rng.permutation(TOPICS)
        for place, matrix in enumerate(matrices):
            halves = (matrix.values[0][part].mean(axis=0) for part in (order[: TOPICS // 2], order[TOPICS // 2 :]))
            taus[split, place] = kendalltau(*halves).statistic
    return taus


def peer_tukey(matrix: np.ndarray, trials: int) -> np.ndarray:
    """A randomised Tukey HSD test as a loop over trials."""
    rng = np.random.default_rng(0)
    ranges = [np.ptp(rng.permuted(matrix, axis=1).mean(axis=0)) for _ in range(trials)]
    means = matrix.mean(axis=0)
    return (np.array(ranges)[:, None, None] >= np.abs(means[:, None] - means[None, :])).mean(axis=0)


def beside_peer(matrices: list[Any], taken: dict[str, float], options: argparse.Namespace) -> None:
    def once(function: Callable[[], Any]) -> tuple[float, Any]:
        start = time.perf_counter()
        value = function()
        return time.perf_counter() - start, value

    splitting, taus = once(partial(peer_split_taus, matrices, PEER_SPLITS))
    ours = mm.meta.consistency(matrices, seed=options.seed)
    by_name = dict(zip(ours.measures, ours.mean_tau, strict=True))
    agree("mean taus", [by_name[matrix.measure] for matrix in matrices], taus.mean(axis=0), within=0.1)
    testing, _ = once(lambda: [peer_tukey(matrix.values[0], PEER_TRIALS) for matrix in matrices])
    rows = [
        (
            f"taus of 1,000 half splits (SciPy, timed on {PEER_SPLITS})",
            *compared(taken["consistency, halves"], splitting * 1000 / PEER_SPLITS),
        ),
        (
            f"{options.trials:,} trials, six measures (NumPy, timed on {PEER_TRIALS})",
            *compared(taken["discrimination"], testing * options.trials / PEER_TRIALS),
        ),
    ]
    print_table("Beside a loop over SciPy and NumPy", ("part", "ours (s)", "peer (s)", "ratio"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=5000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(machine("numba", "scipy"))
    one = made_up(TOPICS, RUNS, options.seed)
    timed(one, options)
    eight = {f"set {place + 1}": made_up(TOPICS, RUNS, options.seed + place) for place in range(DATA_SETS)}
    taken, pooled = timed(one, options), timed(eight, options)
    rows = [(name, seconds(taken[name]), seconds(pooled[name])) for name in taken]
    rows.append(("the whole protocol", seconds(sum(taken.values())), seconds(sum(pooled.values()))))
    rows.append(("goal", "under 15", "under 120"))
    size = f"{TOPICS} topics x {RUNS} runs x {len(MEASURES)} measures, {options.trials:,} trials, {options.threads} threads"
    print_table(f"Full protocol, {size}", ("part", "one data set (s)", f"{DATA_SETS} data sets (s)"), rows)
    beside_peer(one, taken, options)


if __name__ == "__main__":
    main()
