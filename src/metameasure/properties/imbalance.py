"""Imbalance: an error in a small class weighs more than the same error in a large one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020
from metameasure.properties.cases import Cases, drawn_golds, scored
from metameasure.properties.comparing import looked, sentence
from metameasure.properties.limits import perfect_tables
from metameasure.properties.property import Outcome, Property, claimed, denied
from metameasure.properties.spaces import Counts, gold_sizes
from metameasure.properties.trial import Trial
from metameasure.statistics.arrays import Integers

# Only gold varies here, so that many more of them can be tried than of tables.
_MOST_ITEMS, _MOST_CLASSES = 12, 5
GOLDS_A_CASE = 4
drawn_in_full = drawn_golds(31, 3, empty=False)
"""Random golds of three or more classes, none of them empty."""
_WORDS = sentence(
    "{0[case]}, an error in the larger class, scores {0[score]}; output {1[output]}, the same error in the smaller class, scores "
    "{1[score]}"
)


def with_one_error(gold: Counts, true: Integers, called: Integers) -> Counts:
    """Perfect outputs but for one item of a class that is called another: (golds, C, C)."""
    cases = np.arange(len(gold))
    tables = perfect_tables(gold)
    tables[cases, true, true] -= 1
    tables[cases, true, called] += 1
    return tables


def _errors_in_neighbours(gold: Counts) -> tuple[Counts, Counts]:
    """Each gold with each three neighbouring classes of which the outer ones differ in size: one item of the larger outer class
    called the middle one, and one of the smaller."""
    places, lowest = np.nonzero(gold[:, :-2] != gold[:, 2:])
    upper_is_larger = gold[places, lowest] < gold[places, lowest + 2]
    larger, smaller = lowest + 2 * upper_is_larger, lowest + 2 * ~upper_is_larger
    return with_one_error(gold[places], larger, lowest + 1), with_one_error(gold[places], smaller, lowest + 1)


def _small(trial: Trial) -> Iterator[Counts]:
    every = product(range(1, _MOST_ITEMS + 1), trial.sizes(3, _MOST_CLASSES))
    return (gold_sizes(classes, items, empty=False) for items, classes in every)


def _compared(trial: Trial, gold: Counts) -> Outcome:
    sides = [scored(trial, tables) for tables in _errors_in_neighbours(gold)]
    return looked(sides, ~trial.better(sides[0].scores, sides[1].scores), _WORDS)


_GOLDS = Cases(_small, lambda classes: f"N = {_MOST_ITEMS}, C = {classes or _MOST_CLASSES}", drawn_in_full)
_TABLE_2 = AMIGO_2020.at("Table 2")
_SEES, _BLIND = claimed(_TABLE_2), denied(_TABLE_2)
_NOT_SO = claimed(_TABLE_2, "the table states claims, and checked by search with the paper's own definitions this one is false")

PROPERTIES = (
    Property(
        id="imbalance",
        title="Imbalance",
        heading="imbalance",
        holds_if="The output is perfect but for one item, and of three neighbouring classes a, b, c the class a is larger than "
        "c: one item of a called b scores strictly better than one item of c called b; mirrored too.",
        formula="G_a > G_c   ⟹   Eff(one of a called b, g) > Eff(one of c called b, g),   a, b, c neighbours in either direction",
        condition="no empty gold class",
        source=(AMIGO_2020.at("Section 4.1, Property 3"),),
        directed=True,
        of_order=True,
        searches={"counts": _GOLDS.search(_compared, share=GOLDS_A_CASE)},
        claims={
            **dict.fromkeys(("accuracy", "accuracy@n", "mae", "mse", "threshold_loss", "cosine", "pearson"), _BLIND),
            **dict.fromkeys(("kendall_a", "oci"), _BLIND),
            **dict.fromkeys(("macro_recall", "kappa", "f1_macro", "mae_macro", "mse_macro", "cem_nom", "cem_ord"), _SEES),
            **dict.fromkeys(("kappa_quadratic", "kappa_weighted"), _SEES),
            **dict.fromkeys(("kappa_linear", "kendall_b", "spearman", "reliability", "sensitivity"), _NOT_SO),
            **dict.fromkeys(("reliability_sensitivity_f", "mutual_information", "purity", "inverse_purity", "cem_int"), _NOT_SO),
        },
    ),
)
