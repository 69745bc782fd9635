"""Symmetry: gold and output can trade places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from metameasure.catalogue.sources import BERGMAIR_2009, SAKAI_2021, SAKAI_LQ_2021
from metameasure.properties.comparing import Tables, apart, differ, gold_and_output, looked, scored, scored_at_random, taken
from metameasure.properties.distributions import gold_and_estimate, random_pairs, scored_pairs, small_pairs
from metameasure.properties.property import Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import (
    DISTRIBUTIONS_REACH,
    TABLES_REACH,
    Integers,
    table_block,
)
from metameasure.properties.trial import Trial


@lru_cache(maxsize=64)
def _transposed(classes: int, items: int) -> Integers:
    block = table_block(classes, items)
    return block.place(block.tables.swapaxes(1, 2))


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes():
        tables, scores = table_block(classes, items).tables, trial.table_scores(classes, items)
        places = _transposed(classes, items)
        sides = (Tables(tables=tables, scores=scores), taken(tables, scores, places))
        yield looked(sides, differ(scores, scores[places]), _words)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in scored_at_random(trial, seed, number):
        second = scored(trial, first.tables.swapaxes(1, 2))
        yield looked((first, second), differ(first.scores, second.scores), _words)


def _words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return f"{gold_and_output(first)} scores {before}; exchanged, {gold_and_output(second)} scores {after}"


def _small_estimates(trial: Trial) -> Iterator[Looked]:
    for steps, classes in trial.distribution_sizes():
        first = small_pairs(trial, classes, steps)
        second = scored_pairs(trial, first.estimate, first.gold, first.steps)
        yield looked((first, second), differ(first.scores, second.scores), _estimate_words)


def _random_estimates(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in random_pairs(trial, seed, number):
        second = scored_pairs(trial, first.estimate, first.gold, first.steps)
        yield looked((first, second), differ(first.scores, second.scores), _estimate_words)


def _estimate_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return f"{gold_and_estimate(first)} scores {before}; exchanged, {gold_and_estimate(second)} scores {after}"


_TABLE_7, _EQUATIONS = SAKAI_2021.at("Table 7, column II"), SAKAI_LQ_2021.at("Section 3")
_FOOTNOTE = (
    "footnote 2 gives conditions under which it is symmetric; the first is false: gold uniform over four classes, estimate "
    "(1, 0, 0, 0) gives OD 1.0625 one way and .375 the other. Equal supports suffice"
)

PROPERTIES = (
    Property(
        id="symmetric",
        title="Symmetry of gold and output",
        heading="symmetric",
        holds_if="Exchanging gold and output changes nothing.",
        formula="Eff(s, g) = Eff(g, s)",
        source=(BERGMAIR_2009.at("Section 5.1"), SAKAI_2021.at("Table 7, column II")),
        searches={
            "counts": Search(_small, TABLES_REACH, _at_random),
            "distributions": Search(_small_estimates, DISTRIBUTIONS_REACH, _random_estimates),
        },
        note="Bergmair (2009) expects it of a comparison of two labellings; Sakai (2021, Section 6.4) finds that to compare an "
        "estimate with gold it is not required.",
        claims={
            **dict.fromkeys(("mutual_information", "accuracy", "kappa"), claimed(BERGMAIR_2009.at("Section 5.1"))),
            **dict.fromkeys(("nmd", "rsnod", "nvd", "rnss", "jsd"), claimed(_TABLE_7)),
            "rnod": denied(_TABLE_7),
            "od": denied(_EQUATIONS, _FOOTNOTE),
            **dict.fromkeys(("sod", "adw", "rnadw"), claimed(_EQUATIONS)),
        },
    ),
)
