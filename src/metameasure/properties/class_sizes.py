"""Awareness of class sizes: the same error costs differently in classes of different sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.properties.comparing import Tables, apart, differ, gold_and_output, listed, looked, scored, together
from metameasure.properties.imbalance import random_golds_in_full, with_one_error
from metameasure.properties.perfection import perfect_tables
from metameasure.properties.property import Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import TABLES_REACH, Counts, gold_sizes
from metameasure.properties.trial import Trial

_PAIRS_OF_ERRORS = 40  # about so many of each gold


def _error(trial: Trial, gold: Counts, true: int, called: int) -> Tables:
    """All right but for one item of a class called another."""
    return scored(trial, with_one_error(gold, np.full(len(gold), true), np.full(len(gold), called)))


def _awareness(trial: Trial, gold: Counts) -> Iterator[Looked]:
    """Every two errors of the same distance in classes of different sizes; and the first of them where the two classes have each
    other's size, to see that the sizes make the difference and not the classes themselves."""
    classes = gold.shape[-1]
    errors = [(true, called) for true, called in product(range(classes), repeat=2) if true != called]
    for (one, called), (other, also_called) in product(errors, repeat=2):
        if one >= other or abs(one - called) != abs(other - also_called):
            continue
        sizes = gold[(gold[:, one] > 0) & (gold[:, other] > 0) & (gold[:, one] != gold[:, other])]
        turned = sizes.copy()
        turned[:, [one, other]] = turned[:, [other, one]]
        first, second = _error(trial, sizes, one, called), _error(trial, sizes, other, also_called)
        elsewhere = _error(trial, turned, one, called)
        costs = [trial.score(perfect_tables(golds)) - side.scores for golds, side in ((sizes, first), (turned, elsewhere))]
        yield looked((first, second, elsewhere), differ(first.scores, second.scores) & differ(*costs), _words)


def _small(trial: Trial) -> Iterator[Looked]:
    for items, classes in trial.table_sizes(2):
        yield together(_awareness(trial, gold_sizes(classes, items, empty=True)))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for gold in random_golds_in_full(number // _PAIRS_OF_ERRORS, seed):
        if trial.fixed in (None, gold.shape[-1]):
            yield together(_awareness(trial, gold))


def _words(first: Shown, second: Shown, elsewhere: Shown) -> str:
    one, other, turned = apart(first.score, second.score, elsewhere.score)
    return (
        f"{gold_and_output(first)} scores {one}; output {listed(second.parts['output'])}, an error as far off in a class of "
        f"another size, scores {other}; the first error in {gold_and_output(elsewhere)} scores {turned}"
    )


_TABLE_4 = SAKAI_2021.at("Table 4, column III")

PROPERTIES = (
    Property(
        id="imbalance_aware",
        title="Awareness of class sizes",
        heading="class sizes",
        holds_if="There is a gold where an error of the same distance costs differently in classes of different sizes, and "
        "because of their sizes: with the sizes exchanged, the first error costs something else.",
        formula="some G with G_a ≠ G_b and |a - a'| = |b - b'|:   Eff(one of a called a', g) ≠ Eff(one of b called b', g)",
        source=(_TABLE_4,),
        some_case=True,
        searches={"counts": Search(_small, TABLES_REACH, _at_random)},
        note="A measure that treats one class apart whatever its size, as two-way accuracy does, is not meant: hence the gold "
        "with the sizes exchanged.",
        claims={
            **dict.fromkeys(
                ("kappa_linear", "alpha_ordinal", "alpha_interval", "cem_ord", "mae_macro", "f1_macro", "hmpr"),
                claimed(_TABLE_4),
            ),
            **dict.fromkeys(("mae", "accuracy"), denied(_TABLE_4)),
        },
    ),
)
