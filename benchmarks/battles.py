"""A million battles between 100 models: strengths, standard errors by judge, and ranks, from a file and from arrays.

python benchmarks/battles.py
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from harness import best_of, machine, print_table, seconds

import metameasure as mm
from metameasure.evidence.battle_reader import read_battles
from metameasure.statistics.bradley_terry import fit


def table(number: int, models: int, judges: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    truth, names = rng.normal(0, 0.7, models), np.array([f"model-{place:03d}" for place in range(models)])
    first = rng.integers(0, models, number)
    second = (first + rng.integers(1, models, number)) % models
    wins = rng.random(number) < 1 / (1 + np.exp(truth[second] - truth[first]))
    winner = np.where(rng.random(number) < 0.25, "tie", np.where(wins, "model_a", "model_b"))
    return pd.DataFrame(
        {"model_a": names[first], "model_b": names[second], "winner": winner, "judge": rng.integers(0, judges, number)}
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--judges", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.csv"
        table(options.battles, options.models, options.judges).to_csv(path, index=False)
        read = read_battles(path)
        rows = [
            ("read the file", seconds(best_of(options.repeats, partial(read_battles, path)))),
            ("fit, standard errors by judge", seconds(best_of(options.repeats, partial(fit, read.battles)))),
            ("all of ranks", seconds(best_of(options.repeats, partial(mm.ranks, path)))),
        ]
    print(machine())
    print_table(f"{options.battles:,} battles, {options.models} models, {options.judges:,} judges", ("what", "s"), rows)


if __name__ == "__main__":
    main()
