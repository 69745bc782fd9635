"""Exchanging neighbours in a predicted ranking: towards the human order it never hurts, and near the top it matters most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import AVRAMIDIS_2013, CHAPELLE_2009, JARVELIN_2002
from metameasure.properties.comparing import apart, found_at, listed, looked, together
from metameasure.properties.property import TOLERANCE, Looked, Property, Search, Shown
from metameasure.properties.rankings import (
    MOST_RANKED,
    RANKINGS_REACH,
    Rankings,
    human_and_predicted,
    random_rankings,
    scored_ranks,
    small_rankings,
)
from metameasure.properties.spaces import Integers
from metameasure.properties.trial import Floats, Trial


def _dense(ranks: Integers) -> Integers:
    """Ranks without gaps: 1, 2, 2, 3."""
    below = np.sort(ranks, axis=1)
    new = np.concatenate([np.ones((len(ranks), 1), np.int64), (np.diff(below, axis=1) > 0).astype(np.int64)], axis=1)
    dense = np.empty_like(ranks)
    np.put_along_axis(dense, np.argsort(ranks, axis=1, kind="stable"), np.cumsum(new, axis=1), axis=1)
    return dense


def _swapped(human: Integers, predicted: Integers) -> tuple[Integers, Integers, Integers]:
    """Each ranking with two neighbours that the human orders the other way, and with those exchanged; in order."""
    found = []
    for upper, lower in permutations(range(human.shape[-1]), 2):
        wrong = (predicted[:, lower] == predicted[:, upper] + 1) & (human[:, upper] > human[:, lower])
        places = np.flatnonzero(wrong)
        after = predicted[places].copy()
        after[:, [upper, lower]] = after[:, [lower, upper]]
        found.append((places, after))
    places = np.concatenate([part[0] for part in found]) if found else np.zeros(0, np.int64)
    after = np.concatenate([part[1] for part in found]) if found else predicted[:0]
    order = np.argsort(places, kind="stable")
    places = places[order]
    return human[places], predicted[places], after[order]


def _compared(trial: Trial, human: Integers, predicted: Integers) -> Looked:
    human, before, after = _swapped(human, predicted)
    sides = scored_ranks(trial, human, before), scored_ranks(trial, human, after)
    return looked(sides, trial.better(sides[0].scores, sides[1].scores), _swap_words)


def _swap_search(*, ties: bool) -> Search:
    def small(trial: Trial) -> Iterator[Looked]:
        for items in range(2, MOST_RANKED + 1):
            yield _compared(trial, *small_rankings(trial, items, predicted_ties=ties))

    def at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
        for human, predicted in random_rankings(trial, seed, number // (5 if ties else 2), predicted_ties=ties):
            yield _compared(trial, human, _dense(predicted))

    return Search(small, RANKINGS_REACH, at_random)


def _swap_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    closer = listed(second.parts["predicted"])
    return f"{human_and_predicted(first)} scores {before}; with two neighbours in the human's order, {closer}, it scores {after}"


def _costs(trial: Trial, human: Integers, predicted: Integers) -> Iterator[tuple[Rankings, Rankings, Rankings, Rankings]]:
    """Two neighbours in the human's order, exchanged; and the same two one place further down, exchanged. Four sides."""
    places = np.argsort(predicted, axis=1)  # items from first to last
    for top in range(human.shape[-1] - 2):
        upper, lower = (np.take_along_axis(human, places[:, [top + step]], axis=1)[:, 0] for step in (0, 1))
        chosen = places[upper < lower]
        kept = human[upper < lower]
        orders = ((0, 1, 2), (1, 0, 2), (2, 0, 1), (2, 1, 0))
        sequences = []
        for order in orders:
            sequence = chosen.copy()
            sequence[:, [top, top + 1, top + 2]] = chosen[:, [top + step for step in order]]
            sequences.append(np.argsort(sequence, axis=1) + 1)
        yield tuple(scored_ranks(trial, kept, ranks) for ranks in sequences)  # type: ignore[misc]


def _cost(trial: Trial, right: Rankings, wrong: Rankings) -> Floats:
    return trial.sign * (right.scores - wrong.scores)


def _top(trial: Trial, human: Integers, predicted: Integers, equal: list[Looked]) -> Iterator[Looked]:
    """Cases where the exchange costs less nearer the top. The first where it costs no more is kept, until one costs more."""
    for sides in _costs(trial, human, predicted):
        near, far = _cost(trial, sides[0], sides[1]), _cost(trial, sides[2], sides[3])
        with np.errstate(invalid="ignore"):
            less, more = near < far - TOLERANCE, near > far + TOLERANCE
        part = looked(sides, less, _top_words)
        if more.any():
            equal[:] = [Looked(0)]
        elif not equal and part.cases:
            defined = ~np.isnan(near) & ~np.isnan(far)
            equal.append(Looked(0, 0, found_at(sides, int(np.flatnonzero(defined)[0]), _top_words)))
        yield part


def _small_top(trial: Trial) -> Iterator[Looked]:
    equal: list[Looked] = []
    for items in range(3, MOST_RANKED + 1):
        yield together(_top(trial, *small_rankings(trial, items, predicted_ties=False, human_ties=False), equal))
    yield from equal


def _random_top(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for human, predicted in random_rankings(trial, seed, number, predicted_ties=False, human_ties=False):
        yield from _top(trial, human, predicted, [])


def _top_words(right: Shown, wrong: Shown, right_below: Shown, wrong_below: Shown) -> str:
    near, far = apart(abs(right.score - wrong.score), abs(right_below.score - wrong_below.score))
    orders = [listed(case.parts["predicted"]) for case in (right, wrong, right_below, wrong_below)]
    return (
        f"human {listed(right.parts['human'])}: exchanging neighbours, predicted {orders[0]} to {orders[1]}, costs {near}; the "
        f"same two one place further down, {orders[2]} to {orders[3]}, {far}"
    )


_TASK = ("ranking",)

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
        tasks=_TASK,
        searches=dict.fromkeys(("ranks", "order"), _swap_search(ties=False)),
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
        tasks=_TASK,
        searches=dict.fromkeys(("ranks", "order"), _swap_search(ties=True)),
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
        tasks=_TASK,
        searches=dict.fromkeys(("ranks", "order"), Search(_small_top, RANKINGS_REACH, _random_top)),
        note="The same two items are exchanged, the better one being above, and the others keep their order. Items that only "
        "count or do not are tied in gold by nature: there the condition is on the prediction.",
    ),
)
