"""Agreement with accuracy: a better order should not force worse labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from metameasure.catalogue.sources import BERGMAIR_2009
from metameasure.properties.cases import ItemRows, every_two
from metameasure.properties.comparing import apart, listed, looked
from metameasure.properties.property import TOLERANCE, Outcome, Property, ReadableCase, Search, denied
from metameasure.properties.trial import CannotTryError, Trial
from metameasure.statistics.arrays import Integers

_MOST_ORDERED = 8


def _all_orders(items: int, positive: int) -> Integers:
    """All orders of items of which so many are positive, those with early ones first."""
    chosen = np.array(list(combinations(range(items), positive)), dtype=np.int64)
    rows = np.zeros((len(chosen), items), np.int64)
    np.put_along_axis(rows, chosen, 1, axis=1)
    return rows


def _small(trial: Trial) -> Iterator[Outcome]:
    """Every two orders; the accuracy is the share labelled right if as many of the first are labelled positive as there are
    positive items."""
    if trial.measure.inputs.reads != "order@score":
        raise CannotTryError("it does not order items by how strongly the run believes in the positive class")
    for items in range(1, _MOST_ORDERED + 1):
        for positive in range(1, items + 1):
            rows = _all_orders(items, positive)
            scores = trial.score(np.broadcast_to(np.arange(1.0, items + 1), rows.shape), rows.astype(float))
            accuracy = 1 - 2 * (positive - rows[:, :positive].sum(axis=1)) / items
            one, other = every_two(len(rows), len(rows))
            sides = [
                ItemRows(arrays={"positive": rows[at], "accuracy": accuracy[at, None]}, scores=scores[at], classes=2)
                for at in (one, other)
            ]
            less_accurate = accuracy[one] < accuracy[other] - TOLERANCE
            yield looked(sides, trial.better(scores[one], scores[other]) & less_accurate, _words)


def _words(first: ReadableCase, second: ReadableCase) -> str:
    better, worse = apart(first.score, second.score)
    right, more = apart(first.parts["accuracy"][0], second.parts["accuracy"][0])
    return (
        f"positive items (1) in the order {listed(first.parts['positive'])} score {better}, and labels cut off at their number "
        f"have an accuracy of {right}; in the order {listed(second.parts['positive'])} they score {worse}, with an accuracy of "
        f"{more}"
    )


PROPERTIES = (
    Property(
        id="accuracy_agrees",
        title="Agreement with accuracy",
        heading="accuracy",
        holds_if="Of two orders of the same items, each cut off at the number of positive items to make its labels, the one that "
        "scores better does not have the lower accuracy.",
        formula="Eff(>, G) > Eff(>', G)   ⟹   A2(>^(R), G) ≥ A2(>'^(R), G),   R the number of positive items",
        source=(BERGMAIR_2009.at("Section 4.1"),),
        directed=True,
        tasks=("entailment",),
        searches={"order": Search(_small, lambda _: f"N = {_MOST_ORDERED}")},
        note="Labels that are cut off from the order are sound in the sense of Section 4: with such labels average precision may "
        "prefer lower accuracy to higher.",
        claims={"average_precision": denied(BERGMAIR_2009.at("Section 4.1"))},
    ),
)
