"""Predicted and human rankings of the same items, side by side; and orders of items that count or do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.properties.comparing import Side, listed
from metameasure.properties.property import Shown
from metameasure.properties.spaces import Integers
from metameasure.properties.trial import Floats, Trial
from metameasure.statistics.resampling import stream

MOST_RANKED = 5
RANKINGS_REACH = f"n = {MOST_RANKED}"
_RANDOM_RANKED = 12
_FAR_APART = 30.0  # human ranks as scores that differ by more than WMT's 25 points


@dataclass(frozen=True, eq=False, kw_only=True)
class Rankings(Side):
    """Human and predicted ranks (cases, n), 1 being best. Where items only count or not, those that count have human rank 1."""

    human: Integers
    predicted: Integers

    def parts(self, place: int) -> dict[str, Any]:
        return {"human": self.human[place].tolist(), "predicted": self.predicted[place].tolist()}

    def items(self) -> npt.NDArray[Any]:
        return np.full(len(self.human), self.human.shape[-1])

    @property
    def classes(self) -> int:
        return 0


def scored_ranks(trial: Trial, human: Integers, predicted: Integers) -> Rankings:
    """Any rankings with their scores."""
    return Rankings(human=human, predicted=predicted, scores=_scores(trial, human, predicted))


def _scores(trial: Trial, human: Integers, predicted: Integers) -> Floats:
    """The measure on what it reads: ranks, human scores, grades, or which items count."""
    reads = trial.measure.reads
    if reads.startswith("order"):
        return trial.score(predicted.astype(float), (human == 1).astype(float))
    if reads.endswith("@grades"):
        return trial.score(predicted.astype(float), (human.max(axis=1, keepdims=True) - human).astype(float))
    return trial.score(predicted.astype(float), human * (_FAR_APART if reads.endswith("@gold_scores") else 1.0))


@lru_cache(maxsize=8)
def weak_orders(items: int) -> Integers:
    """All rankings of so many items with ties, in lexicographic order; ranks are 1, 2, ... without gaps."""
    drawn = np.array(list(product(range(1, items + 1), repeat=items)), dtype=np.int64)
    kept = np.array([len(set(ranks)) == max(ranks) for ranks in drawn.tolist()])
    return np.asarray(drawn[kept])


@lru_cache(maxsize=32)
def _all_rankings(items: int, *, levels: int, predicted_ties: bool, human_ties: bool) -> tuple[Integers, Integers]:
    """All pairs of rankings; the human's is in order, because it does not matter what the items are called."""
    orders = weak_orders(items)
    human = orders[(np.diff(orders, axis=1) >= 0).all(axis=1) & (orders.max(axis=1) <= levels)]
    if not human_ties:
        human = human[human.max(axis=1) == items]
    predicted = orders if predicted_ties else orders[orders.max(axis=1) == items]
    one, other = (places.ravel() for places in np.indices((len(human), len(predicted))))
    return human[one], predicted[other]


def counts_only(trial: Trial) -> bool:
    """Whether the measure asks of each item only whether it counts."""
    return trial.kind == "order"


def small_rankings(
    trial: Trial, items: int, *, predicted_ties: bool = True, human_ties: bool = True
) -> tuple[Integers, Integers]:
    """All human and predicted rankings of so many items, as far as the measure can tell them apart."""
    levels = 2 if counts_only(trial) else items
    ties = human_ties or counts_only(trial)
    return _all_rankings(items, levels=levels, predicted_ties=predicted_ties, human_ties=ties)


@lru_cache(maxsize=8)
def _drawn(number: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    found = []
    lengths = range(MOST_RANKED + 1, _RANDOM_RANKED + 1)
    for items in lengths:
        rng = stream(seed, 61, items)
        cases = number // len(lengths)
        human, predicted = rng.integers(1, rng.integers(2, items + 1, (2, cases, 1)) + 1, (2, cases, items))
        strict = rng.random((2, cases)) < 0.5
        permuted = rng.permuted(np.broadcast_to(np.arange(1, items + 1), (2, cases, items)), axis=2)
        human, predicted = np.where(strict[:, :, None], permuted, (human, predicted))
        found.append((human, predicted))
    return tuple(found)


def random_rankings(
    trial: Trial, seed: int, number: int, *, predicted_ties: bool = True, human_ties: bool = True
) -> Iterator[tuple[Integers, Integers]]:
    """Random rankings of more items, an array for each number of them."""
    for human, predicted in _drawn(number, seed):
        kept = np.ones(len(human), bool)
        if counts_only(trial):
            human = np.where(human <= np.median(human, axis=1, keepdims=True), 1, 2)  # noqa: PLW2901 - as this measure sees it
        elif not human_ties:
            kept &= (np.diff(np.sort(human, axis=1), axis=1) > 0).all(axis=1)
        if not predicted_ties:
            kept &= (np.diff(np.sort(predicted, axis=1), axis=1) > 0).all(axis=1)
        yield human[kept], predicted[kept]


def human_and_predicted(case: Shown) -> str:
    """Human 1 2 3, predicted 1 1 2."""
    return f"human {listed(case.parts['human'])}, predicted {listed(case.parts['predicted'])}"
