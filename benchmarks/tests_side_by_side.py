"""How often does each test of ``compare`` find a difference that is not there, and how often one that is?

Scores are simulated: runs of which some are equal, on topics of different difficulty. The familywise error is the share of data
sets in which a test calls any two equal runs different; at alpha .05 it should be .05 or less. The power is the share of pairs of
unequal runs that it finds. Results go to docs/error_rates.csv, from which docs/generate.py makes the table and the picture in
docs/comparisons.md.

python benchmarks/tests_side_by_side.py                     as in the documentation, some minutes on one core
python benchmarks/tests_side_by_side.py --simulations 100   a quick look
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.statistics.anova import residual_variance
from metameasure.statistics.paired import bootstrap_test, permutation_test
from metameasure.statistics.stepwise import stepwise_test
from metameasure.statistics.studentised_range import studentised_range_sf
from metameasure.statistics.tukey import randomised_tukey_hsd

RESULTS = Path(__file__).parents[1] / "docs" / "error_rates.csv"
ALPHA = 0.05


@cache
def critical(systems: int, freedom: int) -> float:
    """The studentised range that classical_tukey_hsd gives p = alpha for: one for all data sets of a size."""
    low, high = 0.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if studentised_range_sf(middle, systems, freedom) >= ALPHA else (low, middle)
    return high


def classical(scores: Any, *_: Any, **__: Any) -> Any:
    """Below alpha where the classical test is: its p-values take longer than all other tests together."""
    topics, systems = scores.shape
    means = scores.mean(axis=0)
    ranges = np.abs(means[:, None] - means[None, :]) / np.sqrt(residual_variance(scores) / topics)
    return np.where(ranges > critical(systems, (topics - 1) * (systems - 1)), 0.0, 1.0)


TESTS: dict[str, Callable[..., Any]] = {
    "stepwise": stepwise_test,
    "tukey": randomised_tukey_hsd,
    "classical": classical,
    "permutation, Holm": partial(permutation_test, correction="holm"),
    "permutation, max-T": partial(permutation_test, correction="maxt"),
    "bootstrap, Holm": partial(bootstrap_test, correction="holm"),
}


def normal(rng, topics, runs):
    return rng.normal(size=(topics, runs))


def unequal(rng, topics, runs):
    """The first two runs vary four times as much as the others."""
    return rng.normal(size=(topics, runs)) * np.where(np.arange(runs) < 2, 4.0, 1.0)


def skewed(rng, topics, runs):
    return rng.exponential(size=(topics, runs)) - 1


def opposite(rng, topics, runs):
    """Every other run skewed to the other side."""
    return skewed(rng, topics, runs) * np.where(np.arange(runs) % 2, -1.0, 1.0)


def heavy(rng, topics, runs):
    return rng.standard_t(3, size=(topics, runs)) / np.sqrt(3)


def correlated(rng, topics, runs):
    """Two halves of the runs, those of a half much alike, as variants of one system are."""
    shared = np.repeat(rng.normal(size=(topics, 2)), [runs // 2, runs - runs // 2], axis=1)
    return 0.9 * shared + np.sqrt(1 - 0.81) * rng.normal(size=(topics, runs))


@dataclass(frozen=True)
class Setting:
    """Runs of which those with the same level are equal; levels in units of the residual standard deviation."""

    name: str
    levels: tuple[float, ...]
    topics: int = 50
    noise: Callable[..., Any] | None = normal
    """None: shares of 20 items, each right with a chance that depends on run and topic."""

    def scores(self, rng: np.random.Generator) -> Any:
        levels = np.array(self.levels)
        difficulty = rng.normal(size=(self.topics, 1))
        if self.noise is not None:
            return difficulty + levels + self.noise(rng, self.topics, len(levels))
        chance = 1 / (1 + np.exp(-(0.5 + 0.7 * difficulty + 0.45 * levels)))
        return rng.binomial(20, chance) / 20

    def equal(self) -> Any:
        levels = np.array(self.levels)
        return np.triu(levels[:, None] == levels[None, :], 1)

    def unequal(self) -> Any:
        levels = np.array(self.levels)
        return np.triu(levels[:, None] != levels[None, :], 1)


ALIKE = (0.0,) * 8
WEAK = (0.0,) * 7 + (-4.0,)
GROUPS = (0.0,) * 4 + (-0.7,) * 4
SETTINGS = [
    Setting("all equal, normal", ALIKE),
    Setting("all equal, normal, 10 topics", ALIKE, 10),
    Setting("all equal, normal, 12 runs, 25 topics", (0.0,) * 12, 25),
    Setting("all equal, unequal variances", ALIKE, 50, unequal),
    Setting("all equal, skewed", ALIKE, 50, skewed),
    Setting("all equal, skewed to opposite sides", ALIKE, 50, opposite),
    Setting("all equal, heavy tails", ALIKE, 50, heavy),
    Setting("all equal, correlated", ALIKE, 50, correlated),
    Setting("all equal, shares of 20 items", ALIKE, 50, None),
    Setting("seven equal and a weak one, normal", WEAK),
    Setting("seven equal and a weak one, skewed", WEAK, 50, skewed),
    Setting("seven equal and a weak one, shares of 20 items", WEAK, 50, None),
    Setting("two groups of four, normal", GROUPS),
    Setting("two groups of four, unequal variances", GROUPS, 50, unequal),
    Setting("two groups of four, shares of 20 items", GROUPS, 50, None),
    Setting("three groups, normal", (0.0, 0.0, -0.6, -0.6, -0.6, -1.2, -1.2)),
    Setting("six steps, normal", (0.0, -0.3, -0.6, -0.9, -1.2, -1.5)),
    Setting("two good runs, three fair ones and a weak one, normal", (0.0, -0.6, -1.2, -1.2, -1.2, -6.0)),
]


def rates(setting: Setting, simulations: int, trials: int, seed: int) -> dict[str, tuple[float, float]]:
    """The familywise error and the power of each test; NaN where there are no equal or no unequal runs."""
    equal, unlike = setting.equal(), setting.unequal()
    errors, found = dict.fromkeys(TESTS, 0), dict.fromkeys(TESTS, 0)
    for number in range(simulations):
        scores = setting.scores(np.random.default_rng([seed, number]))
        for name, test in TESTS.items():
            significant = test(scores, trials, number, threads=1, chunk=trials) < ALPHA
            errors[name] += bool(significant[equal].any())
            found[name] += int(significant[unlike].sum())
    return {
        name: (
            errors[name] / simulations if equal.any() else float("nan"),
            found[name] / simulations / unlike.sum() if unlike.any() else float("nan"),
        )
        for name in TESTS
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=2000, help="data sets for each setting (default: %(default)s)")
    parser.add_argument("--trials", type=int, default=1999, help="of each test (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the simulated scores (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS, help="the file of results (default: %(default)s)")
    options = parser.parse_args()
    rows = []
    for setting in SETTINGS:
        start = time.perf_counter()
        for name, (error, power) in rates(setting, options.simulations, options.trials, options.seed).items():
            rows.append((setting.name, name, f"{error:.4f}", f"{power:.4f}", options.simulations))
            print(f"{setting.name:55s} {name:20s} error {error:.3f}  power {power:.3f}", flush=True)
        print(f"  {time.perf_counter() - start:.0f} s", file=sys.stderr)
    with options.output.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("setting", "test", "error", "power", "simulations"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
