"""Logical symmetry: what holds of a judgement holds of its negation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.comparing import (
    Side,
    Tables,
    apart,
    differ,
    gold_and_output,
    listed,
    looked,
    scored,
    scored_at_random,
)
from metameasure.properties.property import Looked, Property, Search, Shown, claimed, denied
from metameasure.properties.rankings import weak_orders
from metameasure.properties.spaces import MOST_ITEMS, Counts, Integers, table_block
from metameasure.properties.trial import CannotTryError, Trial

_THREE = 3
_MOST_ORDERED = 5


def negated(tables: Counts) -> Counts:
    """The tables of the negated judgements: the first class, positive, and the last, negative, trade places on both sides."""
    order = np.arange(tables.shape[-1])
    order[[0, -1]] = order[[-1, 0]]
    return tables[:, order][:, :, order]


def _labels(trial: Trial, classes: int) -> tuple[str, ...] | None:
    """A class that the measure names keeps its name: it is asked about the negative class in its turn."""
    if not trial.named:
        return None
    names = trial.labels(classes)
    return (names[-1], *names[1:-1], names[0])


@lru_cache(maxsize=16)
def _places(classes: int, items: int) -> Integers:
    block = table_block(classes, items)
    return block.place(negated(block.tables))


def _small(trial: Trial) -> Iterator[Looked]:
    for items in range(1, MOST_ITEMS + 1):
        for classes in trial.sizes(2, _THREE):
            tables, scores = table_block(classes, items).tables, trial.table_scores(classes, items)
            first = Tables(tables=tables, scores=scores)
            if trial.named or trial.fixed:
                second = scored(trial, negated(tables), labels=_labels(trial, classes))
            else:
                second = Tables(tables=negated(tables), scores=scores[_places(classes, items)])
            yield looked((first, second), differ(first.scores, second.scores), _words)


def _at_random(trial: Trial, seed: int, number: int) -> Iterator[Looked]:
    for first in scored_at_random(trial, seed, number):
        if first.classes <= _THREE or trial.fixed:
            second = scored(trial, negated(first.tables), labels=_labels(trial, first.classes))
            yield looked((first, second), differ(first.scores, second.scores), _words)


def _words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return f"{gold_and_output(first)} scores {before}; negated, {gold_and_output(second)} scores {after}"


@dataclass(frozen=True, eq=False, kw_only=True)
class _Beliefs(Side):
    """Items in an order of belief in the positive class, with their gold label: 1 positive, 2 neither, 3 negative."""

    gold: Integers
    order: Integers

    def parts(self, place: int) -> dict[str, Any]:
        return {"gold": self.gold[place].tolist(), "order": self.order[place].tolist()}

    def items(self) -> npt.NDArray[Any]:
        return np.full(len(self.gold), self.gold.shape[-1])

    @property
    def classes(self) -> int:
        return _THREE


def _believed(trial: Trial, gold: Integers, order: Integers) -> _Beliefs:
    return _Beliefs(gold=gold, order=order, scores=trial.score(order.astype(float), (gold == 1).astype(float)))


@lru_cache(maxsize=8)
def _all_beliefs(items: int) -> tuple[Integers, Integers]:
    """All gold labels, in order, with all orders of the items, ties included."""
    golds = np.array([gold for gold in product((1, 2, 3), repeat=items) if list(gold) == sorted(gold)], dtype=np.int64)
    orders = weak_orders(items)
    one, other = (places.ravel() for places in np.indices((len(golds), len(orders))))
    return golds[one], orders[other]


def _small_orders(trial: Trial) -> Iterator[Looked]:
    if trial.measure.inputs.reads != "order@score":
        raise CannotTryError("negation changes neither which labels are right nor how sure the run is of them")
    for items in range(1, _MOST_ORDERED + 1):
        gold, order = _all_beliefs(items)
        turned = order.max(axis=1, keepdims=True) + 1 - order
        sides = _believed(trial, gold, order), _believed(trial, 4 - gold, turned)
        yield looked(sides, differ(sides[0].scores, sides[1].scores), _order_words)


def _order_words(first: Shown, second: Shown) -> str:
    before, after = apart(first.score, second.score)
    return (
        f"gold {listed(first.parts['gold'])} in the order {listed(first.parts['order'])} scores {before}; negated, gold "
        f"{listed(second.parts['gold'])} in the order {listed(second.parts['order'])}, it scores {after}"
    )


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
            "counts": Search(_small, f"N = {MOST_ITEMS}, C = {_THREE}", _at_random),
            "order": Search(_small_orders, f"N = {_MOST_ORDERED}, three labels"),
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
