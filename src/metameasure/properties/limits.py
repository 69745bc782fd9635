"""Boundedness: scores stay within the declared range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.properties.comparing import Side, Tables, gold_and_output, looked, scored_at_random
from metameasure.properties.distributions import gold_and_estimate, random_pairs, scored_pairs, small_pairs
from metameasure.properties.property import TOLERANCE, Looked, Property, Search, Shown
from metameasure.properties.rankings import (
    MOST_RANKED,
    RANKINGS_REACH,
    human_and_predicted,
    random_rankings,
    scored_ranks,
    small_rankings,
)
from metameasure.properties.spaces import (
    DISTRIBUTIONS_REACH,
    TABLES_REACH,
    Counts,
    Integers,
    count_vectors,
    table_block,
)
from metameasure.properties.trial import Trial

_FINE_STEPS, _FINE_CLASSES = 20, 5


def _within(trial: Trial, side: Side, size: int, said: Callable[[Shown], str]) -> Looked:
    low, high = trial.bounds(size)
    with np.errstate(invalid="ignore"):
        outside = (side.scores < low - TOLERANCE) | (side.scores > high + TOLERANCE)

    def words(case: Shown) -> str:
        return f"{said(case)} scores {case.score:.4f}, outside of {low:.4g} to {high:.4g}"

    return looked((side,), outside, words)


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes():
        tables = table_block(classes, items).tables
        yield _within(trial, Tables(tables=tables, scores=trial.table_scores(classes, items)), classes, gold_and_output)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for tables in scored_at_random(trial, seed, number):
        yield _within(trial, tables, tables.classes, gold_and_output)


@lru_cache(maxsize=1)
def _against_point_masses() -> tuple[Counts, Counts, Integers]:
    """Every gold in steps of 1/20 over five classes, against each point mass: where normalised divergences exceed 1 first."""
    golds = count_vectors(_FINE_CLASSES, _FINE_STEPS)
    gold, mass = (places.ravel() for places in np.indices((len(golds), _FINE_CLASSES)))
    return golds[gold], _FINE_STEPS * np.eye(_FINE_CLASSES, dtype=np.int16)[mass], np.full(len(gold), _FINE_STEPS)


def _small_estimates(trial: Trial) -> Iterator[Looked]:
    for steps, classes in trial.distribution_sizes():
        yield _within(trial, small_pairs(trial, classes, steps), classes, gold_and_estimate)
    if trial.fixed in (None, _FINE_CLASSES):
        yield _within(trial, scored_pairs(trial, *_against_point_masses()), _FINE_CLASSES, gold_and_estimate)


def _random_estimates(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for pairs in random_pairs(trial, seed, number):
        yield _within(trial, pairs, pairs.classes, gold_and_estimate)


def _small_rankings(trial: Trial) -> Iterator[Looked]:
    for items in range(1, MOST_RANKED + 1):
        yield _within(trial, scored_ranks(trial, *small_rankings(trial, items)), items, human_and_predicted)


def _random_rankings(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for human, predicted in random_rankings(trial, seed, number):
        yield _within(trial, scored_ranks(trial, human, predicted), human.shape[-1], human_and_predicted)


_RANKS = Search(_small_rankings, RANKINGS_REACH, _random_rankings)

PROPERTIES = (
    Property(
        id="bounded",
        title="Boundedness",
        heading="bounded",
        holds_if="Every score is within the declared range.",
        formula="low ≤ Eff(s, g) ≤ high",
        source=(SAKAI_2021.at("Section 3"),),
        searches={
            "counts": Search(_small, TABLES_REACH, _at_random),
            "distributions": Search(
                _small_estimates,
                f"{DISTRIBUTIONS_REACH}; and in steps of 1/{_FINE_STEPS}, C = {_FINE_CLASSES}, against point masses",
                _random_estimates,
            ),
            "ranks": _RANKS,
            "order": _RANKS,
        },
        note="RNOD and RSNOD are called normalised, yet they exceed 1 for five classes or more: gold (0, .9, 0, .05, .05), "
        "estimate (1, 0, 0, 0, 0) gives an RNOD of 1.0028. The range declared here is 0 to √2.",
    ),
)
