"""What scores can be: perfect for a perfect output and no other, and always within the declared range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021
from metameasure.core.numbers import number, significant
from metameasure.properties.cases import (
    PAIRS,
    RANKINGS,
    TABLES,
    Pairs,
    Ranked,
    Side,
    Tables,
    every_two,
    scored_pairs,
    scored_ranks,
    small_pairs,
)
from metameasure.properties.comparing import Decides, apart, differ, looked, said
from metameasure.properties.property import TOLERANCE, Outcome, Property, ReadableCase, Search
from metameasure.properties.spaces import Counts, count_vectors, distributions_reach
from metameasure.properties.trial import Trial
from metameasure.statistics.arrays import Integers

_FINE_STEPS, _FINE_CLASSES = 20, 5


def perfect_tables(gold: Counts) -> Counts:
    """The tables of outputs that are all right, for golds of these class sizes."""
    return np.asarray(gold[:, :, None] * np.eye(gold.shape[-1], dtype=gold.dtype))


def _all_right(tables: Counts) -> Counts:
    return perfect_tables(tables.sum(axis=2))


def _perfect_only(trial: Trial, case: Tables) -> Outcome:
    is_perfect = case.tables.trace(axis1=1, axis2=2) == case.items()
    return _beside_perfect(trial, case, case.changed(trial, _all_right), is_perfect)


def _perfect_ranks(trial: Trial, case: Ranked) -> Outcome:
    """A ranking is perfect if it ranks all items as the human does, ties included."""
    human, predicted = case
    signs = [np.sign(ranks[:, :, None] - ranks[:, None, :]) for ranks in case]
    is_perfect = (signs[0] == signs[1]).all(axis=(1, 2))
    return _beside_perfect(trial, scored_ranks(trial, human, predicted), scored_ranks(trial, human, human), is_perfect)


def _beside_perfect(trial: Trial, case: Side, perfect: Side, is_perfect: Decides) -> Outcome:
    """A perfect output without the perfect score, or another that has it. Where none is declared, it is what the perfect output
    of each case gets, and another decides that does not score worse."""
    declared = trial.measure.perfect
    if declared is None:
        decides = ~is_perfect & ~trial.better(perfect.scores, case.scores)
    else:
        perfect = replace(perfect, scores=np.full(len(perfect.scores), float(declared)))
        decides = differ(case.scores, perfect.scores) == is_perfect
    return looked((case, perfect), decides, _perfect_words)


def _perfect_words(case: ReadableCase, perfect: ReadableCase) -> str:
    has, wanted = apart(case.score, perfect.score)
    if case.parts == perfect.parts:
        return f"{said(case)}, which is perfect, scores {has} and not {wanted}"
    than = "as a perfect output does" if has == wanted else f"and a perfect output {wanted}"
    return f"{said(case)} scores {has}, {than}"


def _within(trial: Trial, side: Side, size: int) -> Outcome:
    """Scores outside the range that is declared for so many classes or items."""
    low, high = trial.measure.bounds(trial.scale, size)
    with np.errstate(invalid="ignore"):
        outside = (side.scores < low - TOLERANCE) | (side.scores > high + TOLERANCE)
    return looked(
        (side,),
        outside,
        lambda case: f"{said(case)} scores {number(case.score, 4)}, outside of {significant(low)} to {significant(high)}",
    )


def _within_classes(trial: Trial, side: Tables | Pairs) -> Outcome:
    return _within(trial, side, side.classes)


def _within_ranks(trial: Trial, case: Ranked) -> Outcome:
    return _within(trial, scored_ranks(trial, *case), case[0].shape[-1])


@lru_cache(maxsize=1)
def _against_point_masses() -> tuple[Counts, Counts, Integers]:
    """Every gold in steps of 1/20 over five classes, against each point mass: where normalised divergences exceed 1 first."""
    golds = count_vectors(_FINE_CLASSES, _FINE_STEPS)
    gold, mass = every_two(len(golds), _FINE_CLASSES)
    return golds[gold], _FINE_STEPS * np.eye(_FINE_CLASSES, dtype=np.int16)[mass], np.full(len(gold), _FINE_STEPS)


def _small_estimates(trial: Trial) -> Iterator[Outcome]:
    yield from (_within_classes(trial, pairs) for pairs in small_pairs(trial))
    if trial.fixed in (None, _FINE_CLASSES):
        yield _within_classes(trial, scored_pairs(trial, *_against_point_masses()))


def _estimates_reach(classes: int | None) -> str:
    fine = f"; and in steps of 1/{_FINE_STEPS}, C = {_FINE_CLASSES}, against point masses"
    return distributions_reach(classes) + (fine if classes in (None, _FINE_CLASSES) else "")


PROPERTIES = (
    Property(
        id="perfect_only",
        title="Perfect at, and only at, a perfect output",
        heading="perfect only",
        holds_if="A perfect output has the declared perfect score, and no other output has it.",
        formula="Eff(s, g) is the perfect score   ⟺   s = g",
        source=(AMIGO_2020.at("Section 4.2"),),
        directed=True,
        searches={"counts": TABLES.search(_perfect_only), **dict.fromkeys(("ranks", "order"), RANKINGS.search(_perfect_ranks))},
        tasks=("classification", "ranking"),
        note="Where no perfect score is declared, because it depends on gold, no other output may score as well as the perfect "
        "one does. In rankings an output is perfect if it ranks all items as the human does, ties included: one that breaks a "
        "tie of the human is another.",
    ),
    Property(
        id="bounded",
        title="Boundedness",
        heading="bounded",
        holds_if="Every score is within the declared range.",
        formula="low ≤ Eff(s, g) ≤ high",
        source=(SAKAI_2021.at("Section 3"),),
        searches={
            "counts": TABLES.search(_within_classes),
            "distributions": Search(
                _small_estimates,
                _estimates_reach,
                PAIRS.search(_within_classes).at_random,
            ),
            **dict.fromkeys(("ranks", "order"), RANKINGS.search(_within_ranks)),
        },
        note="RNOD and RSNOD are called normalised, yet they exceed 1 for five classes or more: gold (0, .9, 0, .05, .05), "
        "estimate (1, 0, 0, 0, 0) gives an RNOD of 1.0028. The range declared here is 0 to √2.",
    ),
)
