"""One level of chance: labels given at random have the same expected score, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.comparing import apart, differ, listed
from metameasure.properties.property import Found, Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.spaces import TABLES_REACH, Floats, Integers, table_block
from metameasure.properties.trial import Trial


@dataclass(frozen=True, eq=False)
class _Dealings:
    """All tables of one size by gold and by the labels given: in how many ways the labels can be dealt out to make each table,
    and the groups of tables with the same gold and the same labels, in order."""

    ways: Floats
    group: Integers
    gold: Integers
    gold_of_group: Integers
    first: Integers


@lru_cache(maxsize=64)
def _dealings(classes: int, items: int) -> _Dealings:
    tables = table_block(classes, items).tables
    factorials = np.array([factorial(number) for number in range(items + 1)], dtype=float)
    gold, given = tables.sum(axis=2), tables.sum(axis=1)
    ways = factorials[gold].prod(axis=1) / factorials[tables].prod(axis=(1, 2))
    # More of the first class come first, as everywhere.
    _, first, group = np.unique(-np.concatenate([gold, given], axis=1), axis=0, return_index=True, return_inverse=True)
    _, gold_of_group = np.unique(-gold[first], axis=0, return_inverse=True)
    return _Dealings(ways, group.ravel(), gold, gold_of_group.ravel(), first)


def _chance(trial: Trial) -> Iterator[Looked]:
    """With gold fixed, the expected score of labels drawn independently is a mean over the labels that can come up, each weighed
    by a monomial in the labels' probabilities; so it is the same for all probabilities if and only if it is the same for all
    labels, dealt out at random."""
    for items, classes in trial.table_sizes(2):
        yield _same_for_all_labels(trial, classes, items)


def _same_for_all_labels(trial: Trial, classes: int, items: int) -> Looked:
    dealt, scores = _dealings(classes, items), trial.table_scores(classes, items)
    defined = ~np.isnan(scores)
    groups = len(dealt.first)
    ways = np.bincount(dealt.group, np.where(defined, dealt.ways, 0.0), groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(dealt.group, np.where(defined, dealt.ways * scores, 0.0), groups) / ways
    known = np.flatnonzero(~np.isnan(means))
    golds, start = np.unique(dealt.gold_of_group[known], return_index=True)
    reference = np.full(dealt.gold_of_group.max() + 1, np.nan)
    reference[golds] = means[known[start]]
    off = np.flatnonzero(differ(means, reference[dealt.gold_of_group]) & ~np.isnan(means))
    cases, undefined = len(known), groups - len(known)
    if not off.size:
        return Looked(cases, undefined)
    other = int(off[0])
    one = int(known[start[np.searchsorted(golds, dealt.gold_of_group[other])]])
    return Looked(cases, undefined, _chance_found(dealt, classes, items, means, one, other))


def _chance_found(dealt: _Dealings, classes: int, items: int, means: Floats, one: int, other: int) -> Found:
    tables = table_block(classes, items).tables
    gold = np.repeat(np.arange(1, classes + 1), dealt.gold[dealt.first[one]]).tolist()
    labels = [np.repeat(np.arange(1, classes + 1), tables[dealt.first[place]].sum(axis=0)).tolist() for place in (one, other)]
    cases = tuple(
        Shown({"gold": gold, "labels": given}, float(means[place])) for given, place in zip(labels, (one, other), strict=True)
    )
    before, after = apart(*(case.score for case in cases))
    words = (
        f"gold {listed(gold)}: the labels {listed(labels[0])} dealt out at random score {before} on average, the labels "
        f"{listed(labels[1])} score {after}"
    )
    return Found(items, classes, cases, words)


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
        searches={"counts": Search(_chance, TABLES_REACH)},
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
