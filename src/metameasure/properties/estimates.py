"""Estimates of one gold compared: more mass in the wrong place costs more, and over- and underestimating costs the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations

import numpy as np

from metameasure.catalogue.sources import SEBASTIANI_2020
from metameasure.properties.comparing import Decides, apart, differ, looked
from metameasure.properties.distributions import Pairs, distribution, gold_and_estimate, random_golds, scored_pairs
from metameasure.properties.property import Looked, Property, Search, Shown
from metameasure.properties.spaces import DISTRIBUTIONS_REACH, Counts, Integers, distribution_block
from metameasure.properties.trial import Floats, Trial
from metameasure.statistics.resampling import stream

Compared = tuple[Counts, Counts, Counts]
"""Gold, and two estimates of it."""
Small = Callable[[Trial], Iterator[Looked]]


def place_of(shares: Counts, classes: int, steps: int) -> Integers:
    """The places of distributions in ``distribution_block``."""
    block = distribution_block(classes, steps).astype(np.int64)
    weights = (steps + 1) ** np.arange(classes)
    order = np.argsort(block @ weights)
    found: Integers = order[np.searchsorted((block @ weights)[order], shares.astype(np.int64) @ weights)]
    return found


def shifted(shares: Counts, amount: Integers | int, source: int, target: int) -> Counts:
    """Distributions with some mass moved from one class to another."""
    moved = shares.astype(np.int64)
    moved[:, source] -= amount
    moved[:, target] += amount
    return moved


@lru_cache(maxsize=64)
def _more_moved(classes: int, steps: int) -> Compared:
    """Each estimate that has too little or just enough of one class and too much or just enough of another, and the same with
    more moved from the one to the other. No gold class is empty."""
    block = distribution_block(classes, steps)
    golds = block[(block > 0).all(axis=1)]
    gold, estimate = (places.ravel() for places in np.indices((len(golds), len(block))))
    found = []
    for source, target in permutations(range(classes), 2):
        for amount in range(1, steps + 1):
            p, q = golds[gold], block[estimate]
            kept = (q[:, source] <= p[:, source]) & (q[:, target] >= p[:, target]) & (q[:, source] >= amount)
            found.append((p[kept], q[kept], shifted(q[kept], amount, source, target)))
    return _in_order(found, classes)


@lru_cache(maxsize=64)
def _either_way(classes: int, steps: int) -> Compared:
    """Each gold with the same mass moved from one class to another, and back."""
    block = distribution_block(classes, steps)
    found = []
    for source, target in permutations(range(classes), 2):
        for amount in range(1, steps + 1) if source < target else ():
            p = block[(block[:, source] >= amount) & (block[:, target] >= amount)]
            found.append((p, shifted(p, amount, target, source), shifted(p, amount, source, target)))
    return _in_order(found, classes)


def _in_order(found: list[Compared], classes: int) -> Compared:
    """All of them, in lexicographic order of gold and then of the estimates: more of the first class comes first."""
    empty = np.zeros((0, classes), np.int64)
    gold, one, other = (np.concatenate([part[side] for part in found] or [empty]) for side in range(3))
    order = np.lexsort([-column for column in np.concatenate([gold, one, other], axis=1).T[::-1].astype(np.int64)])
    return gold[order], one[order], other[order]


def _small(cases: Callable[[int, int], Compared], decides: Callable[..., Decides], words: Callable[..., str]) -> Small:
    def small(trial: Trial) -> Iterator[Looked]:
        for steps, classes in trial.distribution_sizes(2):
            gold, *estimates = cases(classes, steps)
            scores, rows = trial.distribution_scores(classes, steps), place_of(gold, classes, steps)
            size = np.full(len(gold), steps)
            sides = [
                Pairs(gold=gold, estimate=one, steps=size, scores=scores[rows, place_of(one, classes, steps)])
                for one in estimates
            ]
            yield looked(sides, decides(trial, sides[0].scores, sides[1].scores), words)

    return small


def _two_classes(seed: int, classes: int) -> tuple[int, int]:
    """Between which classes mass is moved in the random cases."""
    source, target = stream(seed, 71, classes).permutation(classes)[:2].tolist()
    return source, target


def _random_moved(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    """Random golds without empty classes, estimates turned so that they fit, and more moved."""
    for drawn, estimate, steps in random_golds(trial, seed, number):
        source, target = _two_classes(seed, drawn.shape[-1])
        gold, size = drawn + 1, steps + drawn.shape[-1]
        q = estimate + 1
        for one, sign in ((source, 1), (target, -1)):  # too much of the source, or too little of the target, goes to the other
            excess = np.maximum(0, sign * (q[:, one] - gold[:, one]))
            q = shifted(q, sign * excess, source, target)
        kept = (q[:, source] <= gold[:, source]) & (q[:, target] >= gold[:, target]) & (q[:, source] > 0) & (q >= 0).all(axis=1)
        gold, q, size = gold[kept], q[kept], size[kept]
        amount = stream(seed, 73, drawn.shape[-1]).integers(1, q[:, source] + 1) if len(q) else q[:, source]
        sides = [scored_pairs(trial, gold, one, size) for one in (q, shifted(q, amount, source, target))]
        yield looked(sides, _costs_no_more(trial, sides[0].scores, sides[1].scores), _monotonic_words)


def _random_either_way(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for gold, _, steps in random_golds(trial, seed, number):
        source, target = _two_classes(seed, gold.shape[-1])
        most = np.minimum(gold[:, source], gold[:, target])
        kept = most > 0
        amount = stream(seed, 79, gold.shape[-1]).integers(1, most[kept] + 1)
        ways = shifted(gold[kept], amount, target, source), shifted(gold[kept], amount, source, target)
        sides = [scored_pairs(trial, gold[kept], way, steps[kept]) for way in ways]
        yield looked(sides, differ(sides[0].scores, sides[1].scores), _impartial_words)


def _costs_no_more(trial: Trial, before: Floats, after: Floats) -> Decides:
    return np.asarray(~trial.better(before, after))


def _monotonic_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return (
        f"{gold_and_estimate(first)} scores {before}; with more moved from an underestimated class to an overestimated one, "
        f"estimate {distribution(second.parts['estimate'])} scores {after}"
    )


def _impartial_words(first: Shown, second: Shown) -> str:
    one, other = apart(first.score, second.score)
    return (
        f"{gold_and_estimate(first)} scores {one}; the opposite error, {distribution(second.parts['estimate'])}, scores {other}"
    )


PROPERTIES = (
    Property(
        id="monotonic",
        title="Strict monotonicity",
        heading="monotonic",
        holds_if="Where an estimate has at most as much of one class as gold and at least as much of another, moving more from "
        "the one to the other strictly costs.",
        formula="q_1 ≤ p_1, q_2 ≥ p_2, a > 0   ⟹   D(p, q - a e_1 + a e_2) > D(p, q)",
        condition="no empty gold class",
        source=(SEBASTIANI_2020,),
        directed=True,
        outside=True,
        searches={
            "distributions": Search(_small(_more_moved, _costs_no_more, _monotonic_words), DISTRIBUTIONS_REACH, _random_moved)
        },
        note="Errors that cancel along the scale are why NMD fails: gold (1, 2, 1, 2)/6, estimate (2, 2, 1, 1)/6 costs .1667, "
        "and (2, 1, 2, 1)/6 only .1111.",
    ),
    Property(
        id="impartial",
        title="Impartiality",
        heading="impartial",
        holds_if="Overestimating one class at the cost of another is as bad as underestimating it by as much.",
        formula="D(p, p + a(e_1 - e_2)) = D(p, p - a(e_1 - e_2))",
        condition="both are distributions",
        source=(SEBASTIANI_2020,),
        outside=True,
        searches={
            "distributions": Search(
                _small(_either_way, lambda _, one, other: differ(one, other), _impartial_words),
                DISTRIBUTIONS_REACH,
                _random_either_way,
            )
        },
    ),
)
