"""How often does ``judge`` find a difference between a judge and people that is not there, and how often do intervals hold the
truth?

The judge is simulated as one more person, so that no true difference exists: every finding of better or worse is an error, and
the interval of the difference should hold 0 in 95 % of the data sets. In clusters, everybody sees a whole cluster of items too
high or too low together. A random annotator rates without looking: to be better than that one is no error, and the interval
should hold the difference of very many items. For ``agree``, the interval of alpha should hold the alpha of very many items.

python benchmarks/judges.py                     some minutes on one core; writes docs/judge_rates.csv
python benchmarks/judges.py --simulations 50    a quick look
"""

from __future__ import annotations

import argparse
import csv
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from harness import print_table

from metameasure.agreement import agreement_of
from metameasure.catalogue.registry import default_registry
from metameasure.evidence.ratings import Ratings, one_hot
from metameasure.judging.trial import JudgeSettings, JudgeTrial
from metameasure.scale import Scale

RESULTS = Path(__file__).parents[1] / "docs" / "judge_rates.csv"
SCALE = Scale.of("1..5")
CLUSTER = 5


@dataclass(frozen=True)
class World:
    """How ratings come about."""

    items: int
    people: int
    clustered: bool = False
    declared: bool = True
    random_annotator: bool = False

    @property
    def name(self) -> str:
        if self.clustered:
            return f"clusters of {CLUSTER}" + ("" if self.declared else ", not declared")
        return "a random annotator" if self.random_annotator else "independent items"


WORLDS = [
    *(World(items, people) for people in (2, 3, 5, 10) for items in (30, 100, 500)),
    *(World(items, 3, random_annotator=True) for items in (100, 500)),
    *(World(items, 3, clustered=True, declared=declared) for declared in (True, False) for items in (100, 500)),
]


def drawn(world: World, rng: np.random.Generator, items: int | None = None) -> tuple[Ratings, Ratings]:
    """People, and a judge who is one more of them."""
    size, everybody = items or world.items, world.people + 1
    truth = rng.normal(3.2, 1.1, (size, 1))
    seen = truth + rng.normal(0, 0.9, (size, everybody))
    cluster = np.arange(size) // CLUSTER
    if world.clustered:
        seen = seen + rng.normal(0, 0.9, (cluster[-1] + 1, everybody))[cluster]
    labels = np.clip(np.rint(seen), 1, 5).astype(np.int64) - 1
    if world.random_annotator:
        labels[:, 1] = rng.integers(0, 5, size)
    names = tuple(map(str, range(size)))
    declared = cluster if world.clustered and world.declared else None
    people = Ratings(SCALE, names, one_hot(labels[:, 1:], 5).sum(axis=1), tuple(f"p{g}" for g in range(world.people)),
                     labels[:, 1:, None], declared)  # fmt: skip
    return people, Ratings(SCALE, names, np.zeros((size, 5)), ("judge",), labels[:, :1, None])


def rates(world: World, simulations: int, trials: int, seed: int) -> dict[str, float]:
    """The share of data sets with any false finding, the coverage of both intervals, and the mean width of that of the
    difference."""
    rng, kappa = np.random.default_rng([seed, world.items, world.people]), default_registry()["kappa_linear"]
    settings = JudgeSettings(minimum=10, trials=trials)
    large = drawn(replace(world, declared=False), rng, 20_000)
    truth = agreement_of(replace(large[0], annotators=()), "alpha_ordinal", trials=1).coefficients[0].value
    gap = JudgeTrial(*large, kappa, replace(settings, trials=1)).judge(0).difference if world.random_annotator else 0.0
    found = np.zeros((simulations, 5))
    for row in range(simulations):
        people, judge = drawn(world, rng)
        line = JudgeTrial(people, judge, kappa, replace(settings, seed=row)).judge(0)
        alpha = agreement_of(replace(people, annotators=()), "alpha_ordinal", trials=trials, seed=row).coefficients[0]
        alike = line.by_annotator[1:] if world.random_annotator else line.by_annotator
        held = (line.low <= gap <= line.high, alpha.low <= truth <= alpha.high)
        found[row] = (any(one.better for one in alike), any(one.worse for one in alike), *held, line.high - line.low)
    names = ("better", "worse", "coverage of the difference", "coverage of alpha", "width")
    return dict(zip(names, found.mean(axis=0).tolist(), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worlds", type=int, default=len(WORLDS), help="How many of the settings.")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    options = parser.parse_args()
    start, rows = time.perf_counter(), []
    for world in WORLDS[: options.worlds]:
        told = rates(world, options.simulations, options.trials, options.seed)
        rows.append(
            {"data": world.name, "items": world.items, "people": world.people, **{n: round(v, 4) for n, v in told.items()}}
        )
    with options.output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    header = list(rows[0])
    print_table("A judge equal to a person", header, [[str(row[name]) for name in header] for row in rows])
    print(f"{options.simulations} data sets each, {time.perf_counter() - start:.0f} s; better and worse should be .05 or less")


if __name__ == "__main__":
    main()
