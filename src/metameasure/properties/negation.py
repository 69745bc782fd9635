"""Logical symmetry: what holds of a judgement holds of its negation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import combinations_with_replacement

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.cases import ItemRows, Tables, all_tables, drawn_tables, every_two
from metameasure.properties.comparing import looked_for_difference, sentence
from metameasure.properties.property import Outcome, Property, Search, claimed, denied
from metameasure.properties.spaces import tables_reach, weak_orders
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.arrays import Integers

_THREE = 3
_MOST_ORDERED = 5
_WORDS = sentence("{0[case]} scores {0[score]}; negated, {1[case]} scores {1[score]}")
_ORDER_WORDS = sentence(
    "gold {0[gold]} in the order {0[order]} scores {0[score]}; negated, gold {1[gold]} in the order {1[order]}, it scores "
    "{1[score]}"
)


def _negated(trial: Trial, first: Tables) -> Outcome:
    """The first class, positive, and the last, negative, trade places on both sides. A class that the measure names keeps its
    name: it is asked about the negative class in its turn."""
    last = first.classes - 1
    return looked_for_difference(first, first.in_order(trial, (last, *range(1, last), 0)), _WORDS)


def _small(trial: Trial) -> Iterator[Outcome]:
    for items, classes in trial.table_sizes(2):
        if classes <= _THREE or trial.fixed:
            yield _negated(trial, all_tables(trial, classes, items))


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Outcome]:
    drawn = drawn_tables(trial, seed, number)
    return (_negated(trial, first) for first in drawn if first.classes <= _THREE or trial.fixed)


def _believed(trial: Trial, gold: Integers, order: Integers) -> ItemRows:
    """Items in an order of belief in the positive class, with their gold label: 1 positive, 2 neither, 3 negative."""
    scores = trial.score(order.astype(float), (gold == 1).astype(float))
    return ItemRows(arrays={"gold": gold, "order": order}, scores=scores, classes=_THREE)


@lru_cache(maxsize=8)
def _all_beliefs(items: int) -> tuple[Integers, Integers]:
    """All gold labels, in order, with all orders of the items, ties included."""
    golds = np.array(list(combinations_with_replacement((1, 2, 3), items)), dtype=np.int64)
    orders = weak_orders(items)
    one, other = every_two(len(golds), len(orders))
    return golds[one], orders[other]


def _small_orders(trial: Trial) -> Iterator[Outcome]:
    if trial.measure.inputs.reads != "order@score":
        raise CannotTryError("negation changes neither which labels are right nor how sure the run is of them")
    for items in range(1, _MOST_ORDERED + 1):
        gold, order = _all_beliefs(items)
        turned = order.max(axis=1, keepdims=True) + 1 - order
        yield looked_for_difference(_believed(trial, gold, order), _believed(trial, 4 - gold, turned), _ORDER_WORDS)


_SECTION = BERGMAIR_2009.at("Section 4.2")

PROPERTIES = (
    Property(
        id="logical_symmetry",
        title="Logical symmetry under negation",
        heading="negation",
        holds_if="Exchanging the positive and the negative role in gold, output and order changes nothing.",
        formula="Eff(¬L, ¬G) = Eff(L, G),   ¬ exchanging the first class and the last, and turning an order round",
        source=(_SECTION,),
        searches={
            "counts": Search(_small, partial(tables_reach, usual=_THREE), _at_random),
            "order": Search(_small_orders, lambda _: f"N = {_MOST_ORDERED}, three labels"),
        },
        note="Of two or three classes the first is positive and the last negative; on an ordinal scale of three classes, "
        "negation turns the scale round.",
        claims={
            "a3": claimed(_SECTION),
            "a2": denied(_SECTION),
            "average_precision": denied(_SECTION),
        },
    ),
)
