"""The cases that measures are tried on, with their scores: tables of counts, pairs of distributions, rankings item by item.

Of each kind there are all small ones, the smallest first, and larger ones at random.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.facts import Reads
from metameasure.properties.property import Outcome, ReadableCase, Search
from metameasure.properties.spaces import (
    MOST_RANKED,
    Counts,
    Reach,
    distribution_block,
    distributions_reach,
    gold_sizes,
    random_distributions,
    random_golds,
    random_ranks,
    rankings_reach,
    table_block,
    tables_reach,
    weak_orders,
)
from metameasure.properties.trial import Trial
from metameasure.statistics.arrays import Floats, Integers

_FAR_APART = 30.0  # human ranks as scores that differ by more than WMT's 25 points
Case = TypeVar("Case")
Change = Callable[[Counts, int], Counts]
"""Of an array, along one of its axes."""


@dataclass(frozen=True)
class Cases(Generic[Case]):
    """Cases of one kind: all small ones, up to ``reach``, and others at random, with a seed and a number."""

    small: Callable[[Trial], Iterable[Case]]
    reach: Reach
    at_random: Callable[[Trial, int, int], Iterable[Case]]

    def search(self, look: Callable[[Trial, Case], Outcome], *, share: int = 1) -> Search:
        """A look at each of them; at random there are fewer by ``share``, where a look compares so many."""
        return Search(
            lambda trial: (look(trial, case) for case in self.small(trial)),
            self.reach,
            lambda trial, seed, number: (look(trial, case) for case in self.at_random(trial, seed, number // share)),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Side(ABC):
    """One side of a comparison: a case in each place, with its score, and the class values where they are not the usual."""

    scores: Floats
    values: tuple[float, ...] | None = None

    @abstractmethod
    def parts(self, place: int) -> dict[str, list[Any]]:
        """What the case in one place consists of, by name."""

    @abstractmethod
    def items(self) -> npt.NDArray[Any]:
        """How many items each case has."""

    @property
    @abstractmethod
    def classes(self) -> int:
        """How many classes all of them have."""

    def shown(self, place: int) -> ReadableCase:
        values = {} if self.values is None else {"values": list(self.values)}
        return ReadableCase(self.parts(place) | values, float(self.scores[place]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables(Side):
    """Tables of counts; or, with ``places``, some of those of one size, taken where they stand and not copied. ``whole`` says
    that they are all tables of one size."""

    tables: Counts
    places: Integers | None = None
    whole: bool = False

    def parts(self, place: int) -> dict[str, list[Any]]:
        gold, output = labels_of(self.tables[place if self.places is None else self.places[place]])
        return {"gold": gold, "output": output}

    def items(self) -> npt.NDArray[Any]:
        if self.places is not None:
            return np.full(len(self.places), self.tables[0].sum())
        return np.asarray(self.tables.sum(axis=(1, 2)))

    @property
    def classes(self) -> int:
        return int(self.tables.shape[-1])

    def some(self, which: npt.NDArray[Any] | slice) -> Tables:
        """Some of them."""
        if self.places is not None:
            return replace(self, places=self.places[which], scores=self.scores[which])
        return replace(self, tables=self.tables[which], scores=self.scores[which], whole=False)

    def changed(
        self, trial: Trial, change: Callable[..., Counts], *how: Hashable, labels: tuple[str, ...] | None = None
    ) -> Tables:
        """The same after a change that leaves their size as it is, so that the scores of all tables of a size are there."""
        if labels or not self.whole:
            return scored(trial, change(self.tables, *how), labels=labels)
        return taken(self, _places(self.classes, int(self.tables[0].sum()), change, *how))

    def along_classes(
        self, trial: Trial, change: Change, *, labels: tuple[str, ...] | None = None, values: tuple[float, ...] | None = None
    ) -> Tables:
        """The same after a change along the axes of the classes."""
        return scored(trial, change(change(self.tables, 1), 2), labels=labels, values=values)

    def in_order(self, trial: Trial, order: tuple[int, ...]) -> Tables:
        """The same with the classes in another order on both sides; a class that the measure names keeps its name."""
        return self.changed(trial, _permuted, order, labels=trial.labels_in(order))


@lru_cache(maxsize=512)
def _places(classes: int, items: int, change: Callable[..., Counts], *how: Hashable) -> Integers:
    """Where the changed ones stand among all tables of a size."""
    block = table_block(classes, items)
    return block.place(change(block.tables, *how))


def _permuted(tables: Counts, order: tuple[int, ...]) -> Counts:
    return tables[:, order][:, :, order]


def taken(whole: Tables, places: npt.NDArray[Any]) -> Tables:
    """Some of all tables of one size, in any order."""
    scores = np.take(whole.scores, places, mode="clip")  # without a look at the bounds
    return Tables(tables=whole.tables, scores=scores, places=places)


def scored(
    trial: Trial, tables: Counts, *, labels: tuple[str, ...] | None = None, values: tuple[float, ...] | None = None
) -> Tables:
    """Any tables with their scores."""
    return Tables(tables=tables, scores=trial.score(tables, labels=labels, values=values), values=values)


def labels_of(table: Counts) -> tuple[list[int], list[int]]:
    """Gold's and the output's labels, 1 to C, item by item."""
    rows, columns = np.nonzero(table)
    repeats = table[rows, columns]
    return np.repeat(rows + 1, repeats).tolist(), np.repeat(columns + 1, repeats).tolist()


def small_tables(trial: Trial, least: int = 1) -> Iterator[Tables]:
    """All small tables, an object for each size; of so many classes at least."""
    for items, classes in trial.table_sizes(least):
        yield all_tables(trial, classes, items)


def all_tables(trial: Trial, classes: int, items: int) -> Tables:
    """All tables of one size, in lexicographic order of gold's labels, then of the output's."""
    return Tables(tables=table_block(classes, items).tables, scores=trial.table_scores(classes, items), whole=True)


def drawn_tables(trial: Trial, seed: int, number: int) -> Iterator[Tables]:
    """Random tables that may have empty classes."""
    yield from (Tables(tables=tables, scores=scores) for tables, scores in trial.random_scores(number, seed))


def small_golds(trial: Trial) -> Iterator[Counts]:
    """All small sizes that two or more classes of gold can have."""
    yield from (gold_sizes(classes, items, empty=True) for items, classes in trial.table_sizes(2))


def drawn_golds(path: int, least: int, *, empty: bool) -> Callable[[Trial, int, int], Iterator[Counts]]:
    """Random sizes of ``least`` or more classes of gold, by a random stream of their own."""
    return lambda trial, seed, number: filter(trial.admits, random_golds(number, seed, path, least, empty=empty))


@dataclass(frozen=True, eq=False, kw_only=True)
class Pairs(Side):
    """Gold and estimate as whole numbers (cases, C), each to be divided by its case's ``steps``."""

    gold: Counts
    estimate: Counts
    steps: Integers

    def parts(self, place: int) -> dict[str, list[Any]]:
        steps = int(self.steps[place])
        gold, estimate = ([int(part) / steps for part in side[place]] for side in (self.gold, self.estimate))
        return {"gold": gold, "estimate": estimate}

    def items(self) -> npt.NDArray[Any]:
        return self.steps

    @property
    def classes(self) -> int:
        return int(self.gold.shape[-1])

    def along_classes(
        self, trial: Trial, change: Change, *, labels: tuple[str, ...] | None = None, values: tuple[float, ...] | None = None
    ) -> Pairs:
        """The same after a change along the axis of the classes."""
        return scored_pairs(trial, change(self.gold, 1), change(self.estimate, 1), self.steps, labels=labels, values=values)

    def in_order(self, trial: Trial, order: tuple[int, ...]) -> Pairs:
        """As for tables."""
        return self.along_classes(trial, lambda shares, _: shares[:, order], labels=trial.labels_in(order))


def scored_pairs(
    trial: Trial,
    gold: Counts,
    estimate: Counts,
    steps: Integers,
    *,
    labels: tuple[str, ...] | None = None,
    values: tuple[float, ...] | None = None,
) -> Pairs:
    """Any pairs with their scores."""
    scores = trial.score(estimate / steps[:, None], gold / steps[:, None], labels=labels, values=values)
    return Pairs(gold=gold, estimate=estimate, steps=steps, scores=scores, values=values)


def known_pairs(trial: Trial, gold: Counts, estimate: Counts, steps: int) -> Pairs:
    """Pairs in steps of one size, whose scores are there."""
    classes = gold.shape[-1]
    places = (place_of(side, classes, steps) for side in (gold, estimate))
    scores = trial.distribution_scores(classes, steps)[tuple(places)]
    return Pairs(gold=gold, estimate=estimate, steps=np.full(len(gold), steps), scores=scores)


def place_of(shares: Counts, classes: int, steps: int) -> Integers:
    """The places of distributions in ``distribution_block``."""
    weights = (steps + 1) ** np.arange(classes)
    keys = distribution_block(classes, steps).astype(np.int64) @ weights
    order = np.argsort(keys)
    return np.asarray(order[np.searchsorted(keys[order], shares.astype(np.int64) @ weights)])


@lru_cache(maxsize=64)
def _all_pairs(classes: int, steps: int) -> tuple[Counts, Counts, Integers]:
    block = distribution_block(classes, steps)
    gold, estimate = every_two(len(block), len(block))
    return block[gold], block[estimate], np.full(len(gold), steps)


def every_two(ones: int, others: int) -> Iterator[Integers]:
    """The places of each of the ones with each of the others."""
    return (places.ravel() for places in np.indices((ones, others)))


def small_pairs(trial: Trial, least: int = 1) -> Iterator[Pairs]:
    """All pairs in steps of one size, in lexicographic order of gold, then of the estimate; of so many classes at least."""
    for size, classes in trial.distribution_sizes(least):
        gold, estimate, steps = _all_pairs(classes, size)
        yield Pairs(gold=gold, estimate=estimate, steps=steps, scores=trial.distribution_scores(classes, size).ravel())


def drawn_distributions(trial: Trial, seed: int, number: int) -> Iterator[tuple[Counts, Counts, Integers]]:
    """Random golds, estimates and steps, for each number of classes that can be tried."""
    yield from (drawn for drawn in random_distributions(number, seed) if trial.admits(drawn[0]))


def drawn_pairs(trial: Trial, seed: int, number: int) -> Iterator[Pairs]:
    """The same with their scores."""
    yield from (scored_pairs(trial, *drawn) for drawn in drawn_distributions(trial, seed, number))


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemRows(Side):
    """Cases of as many items each, item by item: arrays (cases, n) by name, such as ranks by a human and predicted ones."""

    arrays: Mapping[str, npt.NDArray[Any]]
    classes: int = 0

    def parts(self, place: int) -> dict[str, list[Any]]:
        return {name: array[place].tolist() for name, array in self.arrays.items()}

    def items(self) -> npt.NDArray[Any]:
        first = next(iter(self.arrays.values()))
        return np.full(len(first), first.shape[-1])


Ranked = tuple[Integers, Integers]
"""Human and predicted ranks (cases, n), 1 being best. Where items only count or not, those that count have human rank 1."""


def scored_ranks(trial: Trial, human: Integers, predicted: Integers) -> ItemRows:
    """Any rankings with their scores, by what the measure reads: ranks, human scores, grades, or which items count."""
    reads = trial.measure.reads
    if reads.kind == "order":
        gold = (human == 1).astype(float)
    elif reads is Reads.GRADES:
        gold = (human.max(axis=1, keepdims=True) - human).astype(float)
    else:
        gold = human * (_FAR_APART if reads is Reads.GOLD_SCORES else 1.0)
    return ItemRows(arrays={"human": human, "predicted": predicted}, scores=trial.score(predicted.astype(float), gold))


@lru_cache(maxsize=32)
def _all_rankings(items: int, *, levels: int, predicted_ties: bool, human_ties: bool) -> Ranked:
    """All pairs of rankings; the human's is in order, because it does not matter what the items are called."""
    orders = weak_orders(items)
    strict = orders.max(axis=1) == items
    human = orders[(np.diff(orders, axis=1) >= 0).all(axis=1) & (orders.max(axis=1) <= levels) & (strict | human_ties)]
    predicted = orders[strict | predicted_ties]
    one, other = every_two(len(human), len(predicted))
    return human[one], predicted[other]


def small_rankings(trial: Trial, least: int = 1, *, predicted_ties: bool = True, human_ties: bool = True) -> Iterator[Ranked]:
    """All human and predicted rankings of so many items at least, as far as the measure can tell them apart."""
    counted = trial.kind == "order"  # of each item only whether it counts
    for items in range(least, MOST_RANKED + 1):
        yield _all_rankings(
            items, levels=2 if counted else items, predicted_ties=predicted_ties, human_ties=human_ties or counted
        )


def drawn_rankings(
    trial: Trial, seed: int, number: int, *, predicted_ties: bool = True, human_ties: bool = True
) -> Iterator[Ranked]:
    """Random rankings of more items, an array for each number of them."""
    for human, predicted in random_ranks(number, seed):
        kept = np.ones(len(human), bool)
        if trial.kind == "order":
            human = np.where(human <= np.median(human, axis=1, keepdims=True), 1, 2)  # noqa: PLW2901 - as this measure sees it
        elif not human_ties:
            kept &= _without_ties(human)
        if not predicted_ties:
            kept &= _without_ties(predicted)
        yield human[kept], predicted[kept]


def _without_ties(ranks: Integers) -> npt.NDArray[np.bool_]:
    return np.asarray((np.diff(np.sort(ranks, axis=1), axis=1) > 0).all(axis=1))


def rankings(least: int, *, predicted_ties: bool = True, human_ties: bool = True) -> Cases[Ranked]:
    """Rankings of so many items at least, with ties or without."""
    return Cases(
        partial(small_rankings, least=least, predicted_ties=predicted_ties, human_ties=human_ties),
        rankings_reach,
        partial(drawn_rankings, predicted_ties=predicted_ties, human_ties=human_ties),
    )


TABLES = Cases(small_tables, tables_reach, drawn_tables)
PAIRS = Cases(small_pairs, distributions_reach, drawn_pairs)
RANKINGS = rankings(1)
