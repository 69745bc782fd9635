"""Awareness of class sizes: the same error costs differently in classes of different sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.properties.cases import Cases, Tables, scored, small_golds
from metameasure.properties.comparing import differ, looked, sentence, together
from metameasure.properties.imbalance import GOLDS_A_CASE, drawn_in_full, with_one_error
from metameasure.properties.limits import perfect_tables
from metameasure.properties.property import Outcome, Property, claimed, denied
from metameasure.properties.spaces import Counts, tables_reach
from metameasure.properties.trial import Trial

_PAIRS_OF_ERRORS = 40  # about so many of each gold
_GOLDS = Cases(small_golds, tables_reach, drawn_in_full)
_WORDS = sentence(
    "{0[case]} scores {0[score]}; output {1[output]}, an error as far off in a class of another size, scores {1[score]}; the "
    "first error in {2[case]} scores {2[score]}"
)


def _error(trial: Trial, gold: Counts, true: int, called: int) -> Tables:
    """All right but for one item of a class called another."""
    return scored(trial, with_one_error(gold, np.full(len(gold), true), np.full(len(gold), called)))


def _awareness(trial: Trial, gold: Counts) -> Iterator[Outcome]:
    """Every two errors of the same distance in classes of different sizes; and the first of them where the two classes have each
    other's size, to see that the sizes make the difference and not the classes themselves."""
    errors = permutations(range(gold.shape[-1]), 2)
    for (one, called), (other, also_called) in product(errors, repeat=2):
        if one >= other or abs(one - called) != abs(other - also_called):
            continue
        sizes = gold[(gold[:, one] > 0) & (gold[:, other] > 0) & (gold[:, one] != gold[:, other])]
        turned = sizes.copy()
        turned[:, [one, other]] = turned[:, [other, one]]
        first, second = _error(trial, sizes, one, called), _error(trial, sizes, other, also_called)
        elsewhere = _error(trial, turned, one, called)
        costs = [trial.score(perfect_tables(golds)) - side.scores for golds, side in ((sizes, first), (turned, elsewhere))]
        yield looked((first, second, elsewhere), differ(first.scores, second.scores) & differ(*costs), _WORDS)


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
        searches={
            "counts": _GOLDS.search(lambda trial, gold: together(_awareness(trial, gold)), share=_PAIRS_OF_ERRORS * GOLDS_A_CASE)
        },
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
