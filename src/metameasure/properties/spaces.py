"""What cases are made of: all small tables, distributions and rankings in their order, and larger ones at random. Each is made
once.

Tables of counts have fewest items first, then fewest classes; within that they are in lexicographic order of gold's labels, then
of the output's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.statistics.arrays import Integers
from metameasure.statistics.streams import stream

Counts = npt.NDArray[Any]
MOST_ITEMS = 6
MOST_CLASSES = 4
MOST_STEPS = 8
RANDOM_ITEMS = 200
RANDOM_CLASSES = 7
MOST_RANKED = 5
_RANDOM_RANKED = 12
_MOST_TABLES = 1_000_000  # of one number of classes, where that is more than four
_MOST_PAIRS = 500_000
_FITS = 2**63
Reach = Callable[[int | None], str]
"""How far small cases go, in words, where there are so many classes; None where nothing fixes their number."""


@dataclass(frozen=True, eq=False)
class TableBlock:
    """All tables of one size: counts (tables, C, C), and how to find the place of a given one."""

    tables: Counts
    _keys: npt.NDArray[Any]
    _places: Integers

    def place(self, tables: Counts) -> Integers:
        """The places of tables (..., C, C) of this size."""
        return np.asarray(self._places[np.searchsorted(self._keys, _keys_of(tables))])


def _keys_of(tables: Counts) -> npt.NDArray[Any]:
    """What tables are told apart by: a number, or where no number is large enough, the cells themselves."""
    cells = tables.reshape(*tables.shape[:-2], -1)
    if (MOST_ITEMS + 1) ** cells.shape[-1] < _FITS:
        return np.asarray(cells.astype(np.int64) @ (MOST_ITEMS + 1) ** np.arange(cells.shape[-1]))
    return np.ascontiguousarray(cells, dtype=np.uint8).view(f"S{cells.shape[-1]}")[..., 0]


def most_items(classes: int) -> int:
    """Up to how many items all tables of so many classes are tried."""
    fitting = (items for items in range(1, MOST_ITEMS + 1) if comb(classes**2 + items, items) <= _MOST_TABLES)
    return MOST_ITEMS if classes <= MOST_CLASSES else max(fitting)


def most_steps(classes: int) -> int:
    """Up to how many steps all pairs of distributions over so many classes are tried."""
    fitting = (steps for steps in range(1, MOST_STEPS + 1) if comb(classes + steps - 1, steps) ** 2 <= _MOST_PAIRS)
    return MOST_STEPS if classes <= MOST_CLASSES else max(fitting)


def tables_reach(classes: int | None, *, usual: int = MOST_CLASSES) -> str:
    """How far all tables go."""
    return f"N = {most_items(classes or usual)}, C = {classes or usual}"


def distributions_reach(classes: int | None) -> str:
    """How far all pairs of distributions go."""
    return f"steps of 1/{most_steps(classes or MOST_CLASSES)}, C = {classes or MOST_CLASSES}"


def rankings_reach(_classes: int | None) -> str:
    """How far all rankings go."""
    return f"n = {MOST_RANKED}"


def count_vectors(cells: int, items: int) -> Counts:
    """All ways to put so many items into so many cells, from all in the first to all in the last: (ways, cells)."""
    chosen = np.array(list(combinations_with_replacement(range(cells), items)), dtype=np.int64)
    counts = np.zeros((len(chosen), cells), dtype=np.int16)
    for column in chosen.T:
        counts[np.arange(len(chosen)), column] += 1
    return counts


@lru_cache(maxsize=64)
def table_block(classes: int, items: int) -> TableBlock:
    """All tables of so many classes and items."""
    cells = count_vectors(classes**2, items)
    gold = cells.reshape(-1, classes, classes).sum(axis=2)
    # More items in the first class come first, which is what sorting the labels one after the other does.
    order = np.lexsort([-column for column in np.concatenate([gold, cells], axis=1).T[::-1]])
    tables = cells[order].reshape(-1, classes, classes)
    keys = _keys_of(tables)
    places = np.argsort(keys)
    return TableBlock(tables, keys[places], places)


@lru_cache(maxsize=64)
def distribution_block(classes: int, steps: int) -> Counts:
    """All distributions over so many classes in steps of 1/steps, as whole numbers that add up to that."""
    return count_vectors(classes, steps)


@lru_cache(maxsize=64)
def gold_sizes(classes: int, items: int, *, empty: bool) -> Counts:
    """All sizes that so many classes of gold can have, in lexicographic order of gold's labels; with empty classes or without."""
    if empty:
        return count_vectors(classes, items)
    return count_vectors(classes, items - classes) + np.int16(1) if items >= classes else np.zeros((0, classes), np.int16)


def random_sizes(number: int, seed: int, path: int, least: int) -> Iterator[tuple[int, np.random.Generator, Integers]]:
    """For each number of classes from ``least`` up, a random stream and the numbers of items of its share of the cases: small
    ones as often as large ones."""
    choices = range(least, RANDOM_CLASSES + 1)
    for place, classes in enumerate(choices):
        rng = stream(seed, path, classes)
        cases = number // len(choices) + (place < number % len(choices))
        yield classes, rng, np.exp(rng.uniform(np.log(classes), np.log(RANDOM_ITEMS + 1), cases)).astype(np.int64)


def random_gold(rng: np.random.Generator, items: Integers, classes: int, *, empty: bool) -> Integers:
    """Sizes of gold's classes, balanced or not: (cases, classes)."""
    shares = rng.dirichlet(np.ones(classes), len(items)) ** rng.choice([0.3, 1.0, 2.0], (len(items), 1))
    shares /= shares.sum(axis=1, keepdims=True)
    if empty:
        dropped = rng.random(shares.shape) < 0.15
        dropped[:, 0] = False
        shares = np.where(dropped, 0.0, shares)
        shares /= shares.sum(axis=1, keepdims=True)
        return rng.multinomial(items, shares)
    return rng.multinomial(items - classes, shares) + 1


@lru_cache(maxsize=8)
def random_golds(number: int, seed: int, path: int, least: int, *, empty: bool) -> tuple[Integers, ...]:
    """The same for each number of classes from ``least`` up."""
    return tuple(random_gold(rng, items, classes, empty=empty) for classes, rng, items in random_sizes(number, seed, path, least))


@lru_cache(maxsize=16)
def random_tables(number: int, seed: int, *, empty: bool) -> tuple[Counts, ...]:
    """Random tables, an array for each number of classes: outputs from hardly ever right to nearly always."""
    batches = []
    for classes, rng, items in random_sizes(number, seed, 1 + empty, 2):
        gold = random_gold(rng, items, classes, empty=empty)
        right = rng.beta(0.7, 0.7, (len(items), 1, 1))
        wrong = rng.dirichlet(np.full(classes, 0.7), (len(items), classes))
        shares = right * np.eye(classes) + (1 - right) * wrong
        batches.append(rng.multinomial(gold, shares / shares.sum(axis=-1, keepdims=True)).astype(np.int16))
    return tuple(batches)


@lru_cache(maxsize=8)
def random_distributions(number: int, seed: int) -> tuple[tuple[Counts, Counts, Integers], ...]:
    """Golds and estimates as whole numbers, and what each adds up to, for each number of classes: dense and sparse ones, point
    masses among them."""
    batches = []
    for classes, rng, steps in random_sizes(number, seed, 11, 2):
        shares = rng.dirichlet(np.ones(classes), (2, len(steps))) ** rng.choice([0.3, 1.0, 4.0], (2, len(steps), 1))
        empty = rng.random(shares.shape) < rng.choice([0.0, 0.5], (2, len(steps), 1))
        empty[np.arange(2)[:, None], np.arange(len(steps)), rng.integers(classes, size=(2, len(steps)))] = False
        shares = np.where(empty, 0.0, shares)
        gold, estimate = rng.multinomial(steps, shares / shares.sum(axis=-1, keepdims=True))
        batches.append((gold, estimate, steps))
    return tuple(batches)


@lru_cache(maxsize=8)
def weak_orders(items: int) -> Integers:
    """All rankings of so many items with ties, in lexicographic order; ranks are 1, 2, ... without gaps."""
    every = product(range(1, items + 1), repeat=items)
    return np.array([ranks for ranks in every if len(set(ranks)) == max(ranks)], dtype=np.int64)


@lru_cache(maxsize=8)
def random_ranks(number: int, seed: int) -> tuple[tuple[Integers, Integers], ...]:
    """Human and predicted rankings, half of them without ties, for each number of items beyond the small ones."""
    batches = []
    lengths = range(MOST_RANKED + 1, _RANDOM_RANKED + 1)
    for items in lengths:
        rng = stream(seed, 61, items)
        cases = number // len(lengths)
        tied = rng.integers(1, rng.integers(2, items + 1, (2, cases, 1)) + 1, (2, cases, items))
        strict = rng.random((2, cases)) < 0.5
        permuted = rng.permuted(np.broadcast_to(np.arange(1, items + 1), (2, cases, items)), axis=2)
        human, predicted = np.where(strict[:, :, None], permuted, tied)
        batches.append((human, predicted))
    return tuple(batches)
