"""Changes of a predicted ranking: neighbours exchanged towards the human order never hurt, near the top they matter most, and a
tie is worth what breaking it at random is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import AVRAMIDIS_2013, CHAPELLE_2009, JARVELIN_2002, MCSHERRY_2008
from metameasure.properties.cases import (
    ItemRows,
    Ranked,
    drawn_rankings,
    every_two,
    rankings,
    scored_ranks,
    small_rankings,
)
from metameasure.properties.comparing import apart, found_at, listed, looked, looked_for_difference, sentence, together
from metameasure.properties.property import TOLERANCE, Outcome, Property, ReadableCase, Search
from metameasure.properties.spaces import rankings_reach, weak_orders
from metameasure.properties.trial import Trial
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.streams import stream

_SWAP_WORDS = sentence(
    "{0[case]} scores {0[score]}; with two neighbours in the human's order, {1[predicted]}, it scores {1[score]}"
)
_TIE_WORDS = sentence("{0[case]} scores {0[score]}; the mean over the ways to break its ties is {1[score]}")
_WITHOUT_TIES = rankings(3, predicted_ties=False, human_ties=False)


def _dense(ranks: Integers) -> Integers:
    """Ranks without gaps: 1, 2, 2, 3."""
    below = np.sort(ranks, axis=1)
    new = np.concatenate([np.ones((len(ranks), 1), np.int64), (np.diff(below, axis=1) > 0).astype(np.int64)], axis=1)
    dense = np.empty_like(ranks)
    np.put_along_axis(dense, np.argsort(ranks, axis=1, kind="stable"), np.cumsum(new, axis=1), axis=1)
    return dense


def _swaps(human: Integers, predicted: Integers) -> tuple[Integers, Integers, Integers]:
    """Each ranking with two neighbours that the human orders the other way, and with those exchanged; in order."""
    swaps = []
    for upper, lower in permutations(range(human.shape[-1]), 2):
        wrong = np.flatnonzero((predicted[:, lower] == predicted[:, upper] + 1) & (human[:, upper] > human[:, lower]))
        exchanged = predicted[wrong].copy()
        exchanged[:, [upper, lower]] = exchanged[:, [lower, upper]]
        swaps.append((wrong, exchanged))
    places, after = (np.concatenate(parts) for parts in zip(*swaps, strict=True))
    order = np.argsort(places, kind="stable")
    return human[places[order]], predicted[places[order]], after[order]


def _swapped(trial: Trial, case: Ranked) -> Outcome:
    human, before, after = _swaps(case[0], _dense(case[1]))
    sides = scored_ranks(trial, human, before), scored_ranks(trial, human, after)
    return looked(sides, trial.better(sides[0].scores, sides[1].scores), _SWAP_WORDS)


def _costs(trial: Trial, human: Integers, predicted: Integers) -> Iterator[list[ItemRows]]:
    """Two neighbours in the human's order, exchanged; and the same two one place further down, exchanged. Four sides."""
    places = np.argsort(predicted, axis=1)  # items from first to last
    for top in range(human.shape[-1] - 2):
        upper, lower = (np.take_along_axis(human, places[:, [top + step]], axis=1)[:, 0] for step in (0, 1))
        chosen, kept = places[upper < lower], human[upper < lower]
        sides = []
        for order in ((0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 0)):
            sequence = chosen.copy()
            sequence[:, top : top + 3] = chosen[:, [top + step for step in order]]
            sides.append(scored_ranks(trial, kept, np.argsort(sequence, axis=1) + 1))
        yield sides


def _top(trial: Trial, case: Ranked, equal: list[Outcome]) -> Iterator[Outcome]:
    """Cases where the exchange costs less nearer the top. The first where it costs no more is kept, until one costs more."""
    for sides in _costs(trial, *case):
        scores = [side.scores for side in sides]
        near, far = trial.sign * (scores[0] - scores[1]), trial.sign * (scores[2] - scores[3])
        with np.errstate(invalid="ignore"):
            less, more = near < far - TOLERANCE, near > far + TOLERANCE
        part = looked(sides, less, _top_words)
        if more.any():
            equal[:] = [Outcome(0)]
        elif not equal and part.cases:
            defined = ~np.isnan(near) & ~np.isnan(far)
            equal.append(Outcome(0, 0, found_at(sides, int(np.flatnonzero(defined)[0]), _top_words)))
        yield part


def _small_top(trial: Trial) -> Iterator[Outcome]:
    equal: list[Outcome] = []
    yield from (together(_top(trial, case, equal)) for case in _WITHOUT_TIES.small(trial))
    yield from equal


def _random_top(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    for case in _WITHOUT_TIES.at_random(trial, seed, number):
        yield from _top(trial, case, [])


def _top_words(right: ReadableCase, wrong: ReadableCase, right_below: ReadableCase, wrong_below: ReadableCase) -> str:
    near, far = apart(abs(right.score - wrong.score), abs(right_below.score - wrong_below.score))
    orders = [listed(case.parts["predicted"]) for case in (right, wrong, right_below, wrong_below)]
    return (
        f"human {listed(right.parts['human'])}: exchanging neighbours, predicted {orders[0]} to {orders[1]}, costs {near}; the "
        f"same two one place further down, {orders[2]} to {orders[3]}, {far}"
    )


@lru_cache(maxsize=8)
def _breaks(items: int) -> tuple[Integers, Floats]:
    """All rankings without ties; and for every ranking the share of each of them among the ways to break its ties."""
    orders = weak_orders(items)
    strict = orders[orders.max(axis=1) == items]
    apart_in_tied = orders[:, None, :, None] < orders[:, None, None, :]
    kept = (~apart_in_tied | (strict[None, :, :, None] < strict[None, :, None, :])).all(axis=(2, 3))
    return strict, kept / kept.sum(axis=1, keepdims=True)


def _small_ties(trial: Trial) -> Iterator[Outcome]:
    for human, predicted in small_rankings(trial, 2):
        items = human.shape[-1]
        strict, shares = _breaks(items)
        humans = human[:: len(shares)]
        one, other = every_two(len(humans), len(strict))
        broken = scored_ranks(trial, humans[one], strict[other]).scores.reshape(len(humans), len(strict))
        missing = (np.isnan(broken).astype(float) @ shares.T) > 0
        means = np.where(missing, np.nan, np.nan_to_num(broken) @ shares.T).ravel()
        tied = predicted.max(axis=1) < items
        yield _beside_mean(trial, human[tied], predicted[tied], means[tied])


def _beside_mean(trial: Trial, human: Integers, predicted: Integers, means: Floats) -> Outcome:
    tied = scored_ranks(trial, human, predicted)
    return looked_for_difference(tied, replace(tied, scores=means), _TIE_WORDS)


def _random_ties(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    """Longer rankings with one tie of two or three items, broken in all ways."""
    for human, predicted in drawn_rankings(trial, seed, number // 4, predicted_ties=False):
        items = human.shape[-1]
        rng = stream(seed, 97, items)
        for tie in (2, 3):
            first = rng.integers(1, items - tie + 2, (len(predicted), 1))
            inside = (predicted >= first) & (predicted < first + tie)
            ways = [
                np.where(inside, first + np.array(order)[np.clip(predicted - first, 0, tie - 1)], predicted)
                for order in permutations(range(tie))
            ]
            means = np.mean([scored_ranks(trial, human, way).scores for way in ways], axis=0)
            yield _beside_mean(trial, human, np.where(inside, first, predicted), means)


PROPERTIES = (
    Property(
        id="swap_monotone",
        title="Swaps towards the human order",
        heading="swaps",
        holds_if="Exchanging two neighbours that the human orders the other way never lowers the score. The human may have ties.",
        formula="i next above j, human_i > human_j   ⟹   Eff(i and j exchanged, g) ≥ Eff(s, g)",
        condition="no predicted ties",
        source=(AVRAMIDIS_2013.at("Section 3"),),
        directed=True,
        tasks=("ranking",),
        searches=dict.fromkeys(("ranks", "order"), rankings(2, predicted_ties=False).search(_swapped, share=2)),
    ),
    Property(
        id="swap_monotone_tied",
        title="Swaps towards the human order, with predicted ties",
        heading="swaps, ties",
        holds_if="As swap_monotone, where the prediction may have ties too: one item of a tie trades places with one of the next "
        "group.",
        formula="i in the group next above j's, human_i > human_j   ⟹   Eff(i and j exchanged, g) ≥ Eff(s, g)",
        source=(AVRAMIDIS_2013.at("Section 3"),),
        directed=True,
        tasks=("ranking",),
        searches=dict.fromkeys(("ranks", "order"), rankings(2).search(_swapped, share=5)),
    ),
    Property(
        id="top_weighted",
        title="Top-weightedness",
        heading="top",
        holds_if="The same exchange of neighbours costs no less nearer the top, and somewhere it costs more.",
        formula="cost(i, j exchanged at places k, k+1) ≥ cost(i, j exchanged at places k+1, k+2), and > for some",
        condition="no ties",
        source=(AVRAMIDIS_2013.at("Section 3.4"), JARVELIN_2002, CHAPELLE_2009),
        directed=True,
        tasks=("ranking",),
        searches=dict.fromkeys(("ranks", "order"), Search(_small_top, rankings_reach, _random_top)),
        note="The same two items are exchanged, the better one being above, and the others keep their order. Items that only "
        "count or do not are tied in gold by nature: there the condition is on the prediction.",
    ),
    Property(
        id="ties_in_expectation",
        title="Ties in expectation",
        heading="ties",
        holds_if="A tied prediction scores the mean over all ways to break its ties: ties are neither rewarded nor punished.",
        formula="Eff(s, g) = mean of Eff(s', g) over the rankings s' without ties that agree with s where s has no tie",
        source=(MCSHERRY_2008,),
        tasks=("ranking",),
        outside=True,
        searches=dict.fromkeys(("ranks", "order"), Search(_small_ties, rankings_reach, _random_ties)),
    ),
)
