"""Randomised Tukey HSD and split-half rank correlations, beside SciPy, a plain NumPy loop and drawing random numbers alone.

Compilation is excluded: everything of ours is called once before it is timed. Slow peers are timed on a part of the work and
scaled up; each row says on how much.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from harness import agree, best_of, compared, machine, peer, print_table, seconds, settle_memory

from metameasure.statistics.rank_correlation import kendall_tau_a
from metameasure.statistics.splits import split_halves
from metameasure.statistics.streams import GOLDEN, LOW_HALF, mixed, trial_keys
from metameasure.statistics.tukey import randomised_tukey_hsd

TOPICS, SYSTEMS, MEASURES = 300, 22, 6
SPLITS, SPLIT_MEASURES, SPLIT_RUNS = 1_000, 9, 20
LARGE_SYSTEMS, LARGE_TRIALS = 100, 5_000
SCIPY_BATCH = 200  # the fastest of 50, 100, 200 and 400


def made_up(measures: int, topics: int, systems: int, seed: int) -> Any:
    """Scores (measures, topics, systems) without ties. The systems differ by so little that p-values are far from 0 and 1."""
    rng = np.random.default_rng(seed)
    return rng.random((measures, topics, systems)) + 0.05 * rng.random((measures, 1, systems))


def spread(*samples: Any, axis: int) -> Any:
    """The largest less the smallest mean: SciPy's statistic, vectorised."""
    means = np.stack([sample.mean(axis=axis) for sample in samples])
    return means.max(axis=0) - means.min(axis=0)


def scipy_p(matrix: Any, trials: int) -> float:
    """SciPy's p-value of the largest difference: "samples" permutes within each topic which system a score is of."""
    return float(
        peer("scipy.stats")
        .permutation_test(
            tuple(matrix.T),
            spread,
            permutation_type="samples",
            vectorized=True,
            n_resamples=trials,
            batch=SCIPY_BATCH,
            alternative="greater",
            rng=np.random.default_rng(0),
        )
        .pvalue
    )


def loop_p(matrix: Any, trials: int) -> float:
    """The same by a loop over trials and rows."""
    rng = np.random.default_rng(0)
    observed, reached = np.ptp(matrix.mean(axis=0)), 0
    for _ in range(trials):
        shuffled = np.array([rng.permutation(row) for row in matrix])
        reached += np.ptp(shuffled.mean(axis=0)) >= observed
    return reached / trials


def on_threads(threads: int, total: int, task: Callable[[int, int], Any]) -> None:
    """``task(first, count)`` on each of so many threads."""
    ends = [total * k // threads for k in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda k: task(ends[k], ends[k + 1] - ends[k]), range(threads)))


def drawing_kernels() -> tuple[Any, Any]:
    """Our stream, compiled, and nothing done with what is drawn."""
    numba = peer("numba")
    mix, jit = numba.njit(nogil=True, inline="always")(mixed), numba.njit(nogil=True)
    half = np.uint64(32)

    @jit
    def words_only(keys: Any, topics: int, systems: int) -> Any:
        """SplitMix64's words, each two draws of 32 bits; the loop is vectorised."""
        met = np.uint64(0)
        for key in keys:
            word = key
            for _ in range(topics * (systems // 2)):
                word += GOLDEN
                met ^= mix(word)
        return met

    @jit
    def below_bounds(keys: Any, topics: int, systems: int) -> Any:
        """Each draw as a whole number below the number of systems left, as a shuffle needs it."""
        met = np.uint64(0)
        for key in keys:
            word = key
            for _ in range(topics):
                for left in range(systems, 1, -2):
                    word += GOLDEN
                    drawn = mix(word)
                    met ^= ((drawn & LOW_HALF) * np.uint64(left)) >> half
                    met ^= ((drawn >> half) * np.uint64(left - 1)) >> half
        return met

    return words_only, below_bounds


def drawing_alone(trials: int, threads: int) -> dict[str, Callable[[], None]]:
    """As many draws as the test needs, on as many threads."""
    words_only, below_bounds = drawing_kernels()

    def ours(kernel: Any, first: int, count: int) -> None:
        kernel(trial_keys(0, first, count), TOPICS, SYSTEMS)

    def floats(first: int, count: int) -> None:
        rng = np.random.default_rng(first)
        for _ in range(count):
            rng.random((TOPICS, SYSTEMS))

    def integers(first: int, count: int) -> None:
        rng = np.random.default_rng(first)
        for _ in range(count):
            rng.integers(0, 2**32, (TOPICS, SYSTEMS), dtype=np.uint32)

    tasks = {
        "NumPy, rng.random": floats,
        "NumPy, rng.integers of 32 bits": integers,
        "our stream, whole numbers below a bound": partial(ours, below_bounds),
        "our stream, bits only": partial(ours, words_only),
    }
    return {name: partial(on_threads, threads, trials, task) for name, task in tasks.items()}


def one_test(options: argparse.Namespace) -> None:
    scores = made_up(MEASURES, TOPICS, SYSTEMS, options.seed)
    matrix, trials, threads = scores[0], options.trials, options.threads

    def ours(matrix: Any = matrix) -> Any:
        return randomised_tukey_hsd(matrix, trials, seed=options.seed, threads=threads)

    some = {"scipy.stats.permutation_test": min(trials, 1_000), "NumPy loop over rows": min(trials, 100)}
    peers = {"scipy.stats.permutation_test": scipy_p, "NumPy loop over rows": loop_p}
    means = matrix.mean(axis=0)
    p = ours()[means.argmax(), means.argmin()]
    for name, function in peers.items():  # five standard errors of a share in so many trials
        agree(f"p-value, {name}", p, function(matrix, some[name]), within=2.5 / some[name] ** 0.5)
    agree("six measures at once", ours(scores)[0], ours(), within=0)

    own = best_of(options.repeats, ours)
    goals = {"scipy.stats.permutation_test": ">= 20 x", "NumPy loop over rows": ">= 100 x"}
    rows = []
    for name, function in peers.items():
        taken = best_of(2, partial(function, matrix, some[name])) * trials / some[name]
        rows.append((f"{name} (timed on {some[name]:,})", *compared(own, taken), goals[name]))
    size = f"{TOPICS} topics x {SYSTEMS} systems x {trials:,} trials, threads of ours: {threads}"
    print_table(f"Randomised Tukey HSD, {size}", ("peer, one thread", "ours (s)", "peer (s)", "ratio", "goal"), rows)

    rows = []
    for name, draw in drawing_alone(trials, threads).items():
        draw()
        alone = best_of(options.repeats, draw)
        rows.append((name, seconds(own), seconds(alone), f"{own / alone:.2f} x", "<= 2 x"))
    print_table(
        "The same test and drawing its random numbers alone, on as many threads",
        ("what is drawn", "the test (s)", "drawing (s)", "test / drawing", "goal"),
        rows,
    )

    six = best_of(options.repeats, partial(ours, scores))
    print_table(
        "Measures that share permutations",
        ("measures", "ours (s)", "of one", "goal"),
        [("1", seconds(own), "", ""), (str(MEASURES), seconds(six), f"{six / own:.2f} x", "< 4.5 x")],
    )


def split_taus(scores: Any, splits: int, seed: int) -> tuple[Any, Any, Any]:
    """Means over both halves of the topics, each (measures, splits, runs), and their tau (measures, splits)."""

    def means(chosen: Any) -> Any:
        inside = np.zeros((splits, scores.shape[1]))
        np.put_along_axis(inside, chosen, 1.0, axis=1)
        return inside @ scores / chosen.shape[1]

    first, second = map(means, split_halves(scores.shape[1], splits, seed))
    return first, second, kendall_tau_a(first, second)


def splits(options: argparse.Namespace) -> None:
    kendalltau = peer("scipy.stats").kendalltau
    scores = made_up(SPLIT_MEASURES, TOPICS, SPLIT_RUNS, options.seed)
    first, second, taus = split_taus(scores, SPLITS, options.seed)
    some = 1_000
    pairs = list(zip(first.reshape(-1, SPLIT_RUNS)[:some], second.reshape(-1, SPLIT_RUNS)[:some], strict=True))

    def loop() -> list[float]:
        return [float(kendalltau(x, y).statistic) for x, y in pairs]

    agree("tau", taus.reshape(-1)[:some], loop(), within=1e-12)
    theirs = best_of(2, loop) * taus.size / some
    whole = best_of(options.repeats, lambda: split_taus(scores, SPLITS, options.seed))
    tau = best_of(options.repeats, lambda: kendall_tau_a(first, second))
    print_table(
        f"{SPLITS:,} splits of {TOPICS} topics x {SPLIT_MEASURES} measures x {SPLIT_RUNS} runs, beside a loop over "
        f"scipy.stats.kendalltau on means that are ready (timed on {some:,} and scaled up)",
        ("what", "ours (s)", "peer (s)", "ratio", "goal"),
        [
            ("splits, means and taus", *compared(whole, theirs), ">= 80 x"),
            ("taus alone", *compared(tau, theirs), "-"),
        ],
    )


def large_alone(options: argparse.Namespace) -> None:
    """In a process of its own: seconds, and the most MB the process held."""
    randomised_tukey_hsd(made_up(1, 3, 3, 0)[0], 10)
    matrix = made_up(1, options.large_topics, LARGE_SYSTEMS, options.seed)[0]
    start = time.perf_counter()
    randomised_tukey_hsd(matrix, LARGE_TRIALS, seed=options.seed, threads=options.threads)
    taken = time.perf_counter() - start
    print(json.dumps((taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))


def large(options: argparse.Namespace) -> None:
    command = [sys.executable, str(Path(__file__)), "--large-alone", "--seed", str(options.seed)]
    command += ["--threads", str(options.threads), "--large-topics", str(options.large_topics)]
    taken, held = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print_table(
        f"{options.large_topics:,} topics x {LARGE_SYSTEMS} systems x {LARGE_TRIALS:,} trials, a process of its own, once",
        ("what", "ours", "goal"),
        [("seconds", f"{taken:.1f}", "< 60"), ("peak memory (MB)", f"{held:.0f}", "< 1,000")],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=5_000, help="of the test of 300 x 22 (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of ours (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the made-up scores and the trials (default: %(default)s)")
    parser.add_argument("--large-topics", type=int, default=10_000, help="of the largest case (default: %(default)s)")
    parser.add_argument("--large-alone", action="store_true", help="only the largest case, in this process, as JSON")
    options = parser.parse_args()
    if options.large_alone:
        large_alone(options)
        return
    for library in ("scipy.stats", "numba"):
        peer(library)
    print(machine("scipy", "numba"))
    print(f"Best of {options.repeats}, compilation excluded; p-values agree to five standard errors, taus to 1e-12")
    settle_memory()
    one_test(options)
    splits(options)
    large(options)


if __name__ == "__main__":
    main()
