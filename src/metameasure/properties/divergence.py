"""What a divergence of distributions should be: 0 where they are the same and nowhere else, and never negative."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from metameasure.catalogue.sources import SEBASTIANI_2020
from metameasure.properties.comparing import apart, differ, looked
from metameasure.properties.distributions import Pairs, gold_and_estimate, random_pairs, small_pairs
from metameasure.properties.property import Looked, Property, Search, Shown
from metameasure.properties.spaces import DISTRIBUTIONS_REACH
from metameasure.properties.trial import Trial


def _perfect(trial: Trial, pairs: Pairs) -> Pairs:
    """The same golds as estimates of themselves, with the score of a perfect estimate: 0 unless another is declared."""
    wanted = np.full(len(pairs.gold), float(trial.measure.perfect or 0))
    return Pairs(gold=pairs.gold, estimate=pairs.gold, steps=pairs.steps, scores=wanted)


def _identical(trial: Trial, pairs: Pairs) -> Looked:
    perfect = _perfect(trial, pairs)
    same = (pairs.gold == pairs.estimate).all(axis=1)
    wrong = differ(pairs.scores, perfect.scores)
    return looked((pairs, perfect), np.where(same, wrong, ~wrong), _identity_words)


def _not_negative(trial: Trial, pairs: Pairs) -> Looked:
    perfect = _perfect(trial, pairs)
    return looked((pairs, perfect), trial.better(pairs.scores, perfect.scores), _negative_words)


def _identity_words(case: Shown, perfect: Shown) -> str:
    has, wanted = apart(case.score, perfect.score)
    return f"{gold_and_estimate(case)} scores {has}" + ("" if has == wanted else f" and not {wanted}")


def _negative_words(case: Shown, perfect: Shown) -> str:
    has, wanted = apart(case.score, perfect.score)
    return f"{gold_and_estimate(case)} scores {has}, better than the {wanted} of a perfect estimate"


def _search(compared: Callable[[Trial, Pairs], Looked]) -> Search:
    def small(trial: Trial) -> Iterator[Looked]:
        for steps, classes in trial.distribution_sizes():
            yield compared(trial, small_pairs(trial, classes, steps))

    def at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
        for pairs in random_pairs(trial, seed, number):
            yield compared(trial, pairs)

    return Search(small, DISTRIBUTIONS_REACH, at_random)


PROPERTIES = (
    Property(
        id="identity",
        title="Identity of indiscernibles",
        heading="identity",
        holds_if="The divergence is 0 if the estimate equals gold, and only then.",
        formula="D(p, q) = 0   ⟺   q = p",
        source=(SEBASTIANI_2020,),
        outside=True,
        searches={"distributions": _search(_identical)},
    ),
    Property(
        id="non_negative",
        title="Non-negativity",
        heading="non-negative",
        holds_if="The divergence is never below 0.",
        formula="D(p, q) ≥ 0",
        source=(SEBASTIANI_2020,),
        directed=True,
        outside=True,
        searches={"distributions": _search(_not_negative)},
    ),
)
