"""Simulated tasks in which the truth is known: of two systems that err in one way, the one that errs less is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.scores.scores import Scores
from metameasure.simulation.model import Columns
from metameasure.simulation.simulate import Simulated, simulate
from metameasure.statistics.streams import stream
from metameasure.trials import raters

USUAL, SKEWED, FEW, ABSENT, TIES, NOISY = "usual", "imbalance", "few items", "absent classes", "ties", "noise in gold"
TWO, MANY, GAPS = "two raters", "many raters", "missing ratings"
_NOISE = 0.2
_RATES = (0.2, 0.4, 0.5, 0.6, 0.8)
_APART = 0.03


def _rates(*kinds: str, of: tuple[float, ...] = _RATES) -> dict[str, tuple[float, ...]]:
    """How much the systems of each kind err: a little more from kind to kind, so that no measure finds systems of two kinds equal
    that err as often, and looks unstable for it."""
    return {kind: tuple(round(rate + _APART * place, 2) for rate in of) for place, kind in enumerate(kinds)}


@dataclass(frozen=True)
class Ground:
    """How a task is tried: the shape that is simulated, the ways to err with how much, the one whose systems know something about
    every item and how much it errs where constant systems are held against it, and what each world changes."""

    like: str
    kinds: Mapping[str, tuple[float, ...]]
    plain: str
    knowing: float
    constants: tuple[str, ...]
    worlds: Mapping[str, Mapping[str, Any]]
    base: Mapping[str, Any] = field(default_factory=dict)
    unit: str = "topics"
    """What a measure needs more or fewer of to find a difference."""
    systems: str = "systems"
    """What is put in an order."""

    @property
    def guessing(self) -> bool:
        """Whether those who know nothing guess, and should score 0; elsewhere they always answer the same."""
        return not self.constants


GROUNDS: dict[str, Ground] = {
    "classification": Ground(
        "amigo", _rates("rand", "prox", "noisy", "tdisp", "odisp", "maj"), "rand", 0.5, ("constant",),
        {
            USUAL: {"shares": (1, 1, 1, 1, 1), "items": 100}, SKEWED: {"shares": (0.02, 0.05, 0.1, 0.75, 0.08), "items": 100},
            FEW: {"shares": (1, 1, 1, 1, 1), "items": 10}, ABSENT: {"shares": (0.1, 0.1, 0.2, 0.5, 0.1), "items": 5},
            NOISY: {"shares": (1, 1, 1, 1, 1), "items": 100},
        },
        {"classes": "1..5"},
        "items",
    ),
    "entailment": Ground(
        "rte4", _rates("uncalibrated", "calibrated", "overconfident", of=(0.1, 0.2, 0.3, 0.4, 0.6)), "uncalibrated", 0.3,
        ("constant",),
        {
            USUAL: {"shares": (0.5, 0.3, 0.2), "items": 100}, SKEWED: {"shares": (0.85, 0.1, 0.05), "items": 100},
            FEW: {"shares": (0.5, 0.3, 0.2), "items": 10}, ABSENT: {"shares": (0.5, 0.3, 0.2), "items": 4},
            NOISY: {"shares": (0.5, 0.3, 0.2), "items": 100},
        },
        unit="items",
    ),
    "quantification": Ground(
        "dialeval1", _rates("noisy", "smoothed", "shifted", "biased"), "noisy", 0.2, ("constant",),
        {
            USUAL: {"shares": (1, 1, 1, 1, 1), "judges": 100}, SKEWED: {"shares": (0.02, 0.05, 0.1, 0.75, 0.08), "judges": 100},
            FEW: {"shares": (1, 1, 1, 1, 1), "judges": 10}, ABSENT: {"shares": (0.1, 0.1, 0.2, 0.5, 0.1), "judges": 5},
            NOISY: {"shares": (1, 1, 1, 1, 1), "judges": 100},
        },
        {"classes": "1..5"},
    ),
    "ranking": Ground(
        "qe78", {"noisy": (0.5, 1.0, 1.5, 2.0, 4.0), **_rates("rand", "top")}, "noisy", 2.0, ("constant",),
        {
            USUAL: {"items": 8, "ties": 0.0}, FEW: {"items": 3, "ties": 0.0}, TIES: {"items": 8, "ties": 0.6},
            NOISY: {"items": 8, "ties": 0.0},
        },
    ),
    "probabilities": Ground(
        "probable", _rates("vague", "wrong", "near", "timid", "bold"), "vague", 0.6, ("shares", "uniform"),
        {
            USUAL: {"shares": (1, 1, 1, 1, 1), "items": 100}, SKEWED: {"shares": (0.02, 0.05, 0.1, 0.75, 0.08), "items": 100},
            FEW: {"shares": (1, 1, 1, 1, 1), "items": 10}, ABSENT: {"shares": (0.1, 0.1, 0.2, 0.5, 0.1), "items": 5},
            NOISY: {"shares": (1, 1, 1, 1, 1), "items": 100},
        },
        {"classes": "1..5"},
        unit="items",
    ),
    "multilabel": Ground(
        "tagged", _rates("rand", "missing", "added", "swapped"), "rand", 0.5, ("nothing", "all", "frequent"),
        {
            USUAL: {"shares": (0.3,) * 6, "items": 100}, SKEWED: {"shares": (0.75, 0.4, 0.2, 0.1, 0.05, 0.02), "items": 100},
            FEW: {"shares": (0.3,) * 6, "items": 10}, ABSENT: {"shares": (0.3, 0.3, 0.2, 0.2, 0.1, 0.1), "items": 5},
            NOISY: {"shares": (0.3,) * 6, "items": 100},
        },
        {"classes": "a,b,c,d,e,f"},
        unit="items",
    ),
    "agreement": Ground(
        "", _rates(*raters.KINDS), "rand", 0.5, (),
        {
            USUAL: {"shares": (1.0,) * 5, "items": 100, "raters": 4},
            SKEWED: {"shares": (0.02, 0.03, 0.05, 0.85, 0.05), "items": 100, "raters": 4},
            FEW: {"shares": (1.0,) * 5, "items": 10, "raters": 4},
            ABSENT: {"shares": (0.1, 0.1, 0.2, 0.5, 0.1), "items": 5, "raters": 3},
            TWO: {"shares": (1.0,) * 5, "items": 100, "raters": 2}, MANY: {"shares": (1.0,) * 5, "items": 20, "raters": 12},
            GAPS: {"shares": (1.0,) * 5, "items": 100, "raters": 6, "gaps": 0.5},
        },
        unit="items",
        systems="groups of raters",
    ),
}  # fmt: skip
"""By task."""
_WRONG: dict[str, Mapping[str, str]] = {
    "classification": {
        "rand": "errors to any class at random",
        "prox": "errors to a class between gold's and that of a random item",
        "noisy": "errors of one class up or down",
        "tdisp": "errors of one class up",
        "odisp": "errors to the class found a tenth of the items further up",
        "maj": "errors to the most frequent class",
    },
    "entailment": {
        "uncalibrated": "errors of which a system is as sure as of the rest",
        "calibrated": "errors of which a system is less sure than of the rest",
        "overconfident": "errors of which a system is surer than of the rest",
    },
    "quantification": {
        "noisy": "estimates mixed with a random distribution",
        "smoothed": "estimates mixed with the uniform distribution",
        "shifted": "estimates with mass one class up",
        "biased": "estimates mixed with the mean of all topics",
    },
    "ranking": {
        "noisy": "ranks with normal noise",
        "rand": "segments ordered at random",
        "top": "segments ordered at random after the human's best item",
    },
    "probabilities": {
        "vague": "systems that know less of every item and say so",
        "wrong": "items for which a system is sure of a wrong class",
        "near": "items for which a system is sure of the class next to gold's",
        "timid": "probabilities that say less than a system knows",
        "bold": "probabilities that say more than a system knows",
    },
    "multilabel": {
        "rand": "items with labels at random",
        "missing": "labels that are left out",
        "added": "labels that are added",
        "swapped": "labels that are taken for the next one",
    },
    "agreement": {kind: how.about for kind, how in raters.KINDS.items()},
}
"""By task and kind, what systems do wrong, as a verdict names it."""


@dataclass(frozen=True)
class Outcome:
    """The scores of one world, turned so that higher is better: (measures, topics, runs), NaN where undefined."""

    world: str
    scores: Scores
    values: Any

    def run(self, kind: str, amount: float) -> Any:
        """(measures, topics): the scores of one system."""
        return self.values[:, :, list(self.scores.runs).index(f"{kind}-{amount:g}")]

    def place(self, measure: str) -> int:
        """Where a measure stands among the scores."""
        return [one.id for one in self.scores.measures].index(measure)

    def common_topics(self, measure: str) -> int:
        """On how many topics a measure is defined for every system."""
        return int((~np.isnan(self.values[self.place(measure)]).any(axis=1)).sum())

    def constants(self, kinds: Sequence[str]) -> Any:
        """(measures, topics, systems): the scores of systems that answer the same whatever the item is."""
        places = [place for place, run in enumerate(self.scores.runs) if run.partition("-")[0] in kinds]
        return self.values[:, :, places]


def tried(
    task: str, world: str, measures: Sequence[Measure], *, topics: int, seed: int, registry: Registry, threads: int | None = None
) -> Outcome:
    """Every system of a world, scored by every measure."""
    ground = GROUNDS[task]
    if task == "agreement":
        return _oriented(world, raters.scored(measures, ground.kinds, ground.worlds[world], topics=topics, seed=seed))
    kinds = [f"{kind}={','.join(f'{amount:g}' for amount in amounts)}" for kind, amounts in ground.kinds.items()]
    made = simulate(
        ground.like, kinds=[*kinds, *ground.constants], topics=topics, seed=seed, **ground.base, **ground.worlds[world]
    )
    if world == NOISY:
        made = with_noise(made, _NOISE)
    return _oriented(world, made.evaluate(list(measures), registry=registry, baselines=False, threads=threads))


def abouts(task: str) -> Mapping[str, str]:
    """What systems of each kind do wrong."""
    return _WRONG[task]


def _oriented(world: str, scores: Scores) -> Outcome:
    signs = np.array([-1.0 if measure.better == "lower" else 1.0 for measure in scores.measures])
    return Outcome(world, scores, scores.values * signs[:, None, None])


def with_noise(made: Simulated, share: float) -> Simulated:
    """The same systems held against gold of which a share is wrong: labels exchanged between items, ranks within segments, and
    distributions mixed with those of other topics."""
    return replace(made, gold=_noisy(made.gold, share, stream(made.seed, 2)))


def _noisy(gold: Columns, share: float, rng: np.random.Generator) -> Columns:
    if "label" in gold:
        labels = gold["label"].copy()
        wrong = np.flatnonzero(rng.random(len(labels)) < share)
        labels[wrong] = labels[rng.permutation(wrong)]
        return {**gold, "label": labels}
    if "probability" in gold:
        shares = gold["probability"].astype(float)
        classes = len(set(gold["class"].tolist()))
        table = shares.reshape(-1, classes)
        mixed = (1 - share) * table + share * table[rng.permutation(len(table))]
        return {**gold, "probability": mixed.reshape(-1)}
    ranks = gold["rank"].copy()
    segments = gold["segment"]
    for segment in np.unique(segments)[rng.random(len(np.unique(segments))) < share]:
        places = np.flatnonzero(segments == segment)
        ranks[places] = ranks[rng.permutation(places)]
    return {**gold, "rank": ranks}
