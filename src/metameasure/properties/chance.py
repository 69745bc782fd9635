"""One level of chance: labels given at random have the same expected score, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import factorial

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.cases import ItemRows
from metameasure.properties.comparing import differ, found_at, sentence
from metameasure.properties.property import Outcome, Property, Search, claimed, denied
from metameasure.properties.spaces import table_block, tables_reach
from metameasure.properties.trial import Trial
from metameasure.statistics.arrays import Floats, Integers

_WORDS = sentence(
    "gold {0[gold]}: the labels {0[labels]} dealt out at random score {0[score]} on average, the labels {1[labels]} score "
    "{1[score]}"
)


@lru_cache(maxsize=64)
def _dealings(classes: int, items: int) -> tuple[Floats, Integers, Integers, Integers]:
    """Of each table of one size in how many ways labels can be dealt out to make it, and its group, which has the same gold and
    the same labels; of each group its gold, and the first of its tables. Groups are in order, and so are golds."""
    tables = table_block(classes, items).tables
    factorials = np.array([factorial(number) for number in range(items + 1)], dtype=float)
    gold, labels = tables.sum(axis=2), tables.sum(axis=1)
    ways = factorials[gold].prod(axis=1) / factorials[tables].prod(axis=(1, 2))
    # More of the first class come first, as everywhere.
    _, first, group = np.unique(-np.concatenate([gold, labels], axis=1), axis=0, return_index=True, return_inverse=True)
    _, gold_of_group = np.unique(-gold[first], axis=0, return_inverse=True)
    return ways, group.ravel(), gold_of_group.ravel(), first


def _chance(trial: Trial) -> Iterator[Outcome]:
    """With gold fixed, the expected score of labels drawn independently is a mean over the labels that can come up, each weighed
    by a monomial in the labels' probabilities; so it is the same for all probabilities if and only if it is the same for all
    labels, dealt out at random."""
    for items, classes in trial.table_sizes(2):
        yield _same_for_all_labels(trial, classes, items)


def _same_for_all_labels(trial: Trial, classes: int, items: int) -> Outcome:
    ways, group, gold, first = _dealings(classes, items)
    scores = trial.table_scores(classes, items)
    defined = ~np.isnan(scores)
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.bincount(group, np.where(defined, ways * scores, 0.0))
        means = sums / np.bincount(group, np.where(defined, ways, 0.0))
    known = np.flatnonzero(~np.isnan(means))
    golds, start = np.unique(gold[known], return_index=True)
    reference = np.zeros(gold.max() + 1, np.int64)  # of each gold the first group with a mean, with which all are compared
    reference[golds] = known[start]
    off = known[differ(means, means[reference[gold]])[known]]
    example = None
    if off.size:
        sides = [_dealt(classes, items, first[place], means[place]) for place in (reference[gold[off[0]]], off[0])]
        example = found_at(sides, 0, _WORDS)
    return Outcome(len(known), len(means) - len(known), example)


def _dealt(classes: int, items: int, place: int, mean: float) -> ItemRows:
    """The gold and the labels of a table, and their mean score."""
    table, names = table_block(classes, items).tables[place], np.arange(1, classes + 1)
    arrays = {"gold": np.repeat(names, table.sum(axis=1))[None], "labels": np.repeat(names, table.sum(axis=0))[None]}
    return ItemRows(arrays=arrays, scores=np.array([mean]), classes=classes)


_BIAS = BERGMAIR_2009.at("Section 5.1")

PROPERTIES = (
    Property(
        id="chance_level",
        title="One level of chance",
        heading="chance level",
        holds_if="Labels drawn independently of gold have the same expected score, whatever their distribution: exactly, over "
        "all outputs.",
        formula="E_q[Eff(s, g)], the labels s_1, ..., s_N drawn from q, is the same for every q",
        source=(BERGMAIR_2009.at("Section 5.1"),),
        searches={"counts": Search(_chance, tables_reach)},
        note="Outputs on which the measure is undefined are left out of the expectation. With gold fixed, the expectation is the "
        "same for every distribution of labels if and only if it is the same for all labels that can be dealt out to the items "
        "at random: the two in a counterexample. Bergmair says that random labels have no information: on a sample they seem to "
        "have some, about (C-1)² / (2 N ln 2) bits.",
        claims={
            "mutual_information": claimed(
                _BIAS,
                "random systems have zero information only in the limit: at N = 100 a uniform three-way guess averages .03 bits",
            ),
            "conditional_entropy": claimed(_BIAS, "random systems leave all of gold's entropy only in the limit of many items"),
            "kappa": claimed(_BIAS),
            "a3": denied(BERGMAIR_2009.at("Section 3.1")),
        },
    ),
)
