"""Ties in expectation: a tied prediction is worth what breaking its ties at random is worth, so ties are no reward."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import MCSHERRY_2008
from metameasure.properties.comparing import apart, differ, looked
from metameasure.properties.property import Looked, Property, Search, Shown
from metameasure.properties.rankings import (
    MOST_RANKED,
    RANKINGS_REACH,
    Rankings,
    human_and_predicted,
    random_rankings,
    scored_ranks,
    small_rankings,
    weak_orders,
)
from metameasure.properties.spaces import Integers
from metameasure.properties.trial import Floats, Trial
from metameasure.statistics.resampling import stream


@lru_cache(maxsize=8)
def _breaks(items: int) -> tuple[Integers, Floats]:
    """All rankings without ties; and for every ranking the share of each of them among the ways to break its ties."""
    orders = weak_orders(items)
    strict = orders[orders.max(axis=1) == items]
    apart_in_tied = orders[:, None, :, None] < orders[:, None, None, :]
    kept = (~apart_in_tied | (strict[None, :, :, None] < strict[None, :, None, :])).all(axis=(2, 3))
    return strict, kept / kept.sum(axis=1, keepdims=True)


def _small(trial: Trial) -> Iterator[Looked]:
    for items in range(2, MOST_RANKED + 1):
        human, predicted = small_rankings(trial, items)
        strict, shares = _breaks(items)
        humans = human[:: len(shares)]
        one, other = (places.ravel() for places in np.indices((len(humans), len(strict))))
        broken = scored_ranks(trial, humans[one], strict[other]).scores.reshape(len(humans), len(strict))
        missing = (np.isnan(broken).astype(float) @ shares.T) > 0
        means = np.where(missing, np.nan, np.nan_to_num(broken) @ shares.T).ravel()
        tied = predicted.max(axis=1) < items
        yield _compared(trial, human[tied], predicted[tied], means[tied])


def _compared(trial: Trial, human: Integers, predicted: Integers, means: Floats) -> Looked:
    tied = scored_ranks(trial, human, predicted)
    mean = Rankings(human=human, predicted=predicted, scores=means)
    return looked((tied, mean), differ(tied.scores, means), _words)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    """Longer rankings with one tie of two or three items, broken in all ways."""
    for human, predicted in random_rankings(trial, seed, number // 4, predicted_ties=False):
        items = human.shape[-1]
        rng = stream(seed, 97, items)
        for tie in (2, 3):
            first = rng.integers(1, items - tie + 2, (len(predicted), 1))
            inside = (predicted >= first) & (predicted < first + tie)
            tied = np.where(inside, first, predicted)
            ways = [
                np.where(inside, first + np.array(order)[np.clip(predicted - first, 0, tie - 1)], predicted)
                for order in permutations(range(tie))
            ]
            means = np.mean([scored_ranks(trial, human, way).scores for way in ways], axis=0)
            yield _compared(trial, human, tied, means)


def _words(tied: Shown, mean: Shown) -> str:
    has, expected = apart(tied.score, mean.score)
    return f"{human_and_predicted(tied)} scores {has}; the mean over the ways to break its ties is {expected}"


PROPERTIES = (
    Property(
        id="ties_in_expectation",
        title="Ties in expectation",
        heading="ties",
        holds_if="A tied prediction scores the mean over all ways to break its ties: ties are neither rewarded nor punished.",
        formula="Eff(s, g) = mean of Eff(s', g) over the rankings s' without ties that agree with s where s has no tie",
        source=(MCSHERRY_2008,),
        tasks=("ranking",),
        outside=True,
        searches=dict.fromkeys(("ranks", "order"), Search(_small, RANKINGS_REACH, _at_random)),
    ),
)
