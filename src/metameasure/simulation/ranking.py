"""Simulated rankings: judges rank the items of each segment, with ties; systems predict those ranks with noise and ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, numbered
from metameasure.statistics.arrays import Floats, Integers

Ranks = Integers
_OF_A_JUDGE = 0.5
"""How much a judge misjudges an item, in units of how much items differ (a standard deviation)."""


@dataclass(frozen=True, eq=False)
class GoldRanks:
    """The items' quality (segments, items), and the judges' ranks (judges, segments, items), 1 the best."""

    quality: Floats
    ranks: Ranks

    @property
    def human(self) -> Floats:
        """(segments, items): the mean rank over the judges."""
        return np.asarray(self.ranks.mean(axis=0))


def drawn(shape: Shape, rng: np.random.Generator) -> GoldRanks:
    """Qualities, and what judges make of them."""
    quality = rng.normal(size=(shape.topics, shape.items))
    seen = quality + _OF_A_JUDGE * rng.normal(size=(max(1, shape.judges), *quality.shape))
    return GoldRanks(quality, tied_ranks(-seen, shape.ties, rng))


def tied_ranks(values: Floats, ties: float, rng: np.random.Generator) -> Ranks:
    """Ranks 1, 2, ... of the lowest value, the next, ...; neighbours tie with that probability."""
    order = np.argsort(values, axis=-1, kind="stable")
    apart = rng.random(values.shape) >= ties
    apart[..., 0] = True
    ranks = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.cumsum(apart, axis=-1), axis=-1)
    return ranks


def _noisy(draw: Draw) -> Ranks:
    human = draw.gold.human
    return tied_ranks(human + draw.amount * draw.rng.normal(size=human.shape), 0.0, draw.rng)


def _tied(draw: Draw) -> Ranks:
    human = draw.gold.human
    return tied_ranks(human + draw.rng.normal(size=human.shape), draw.amount, draw.rng)


def _some_segments(draw: Draw, otherwise: Floats) -> Ranks:
    """The human order, but in so many of the segments another one."""
    wrong = draw.rng.random((len(otherwise), 1)) < draw.amount
    return tied_ranks(np.where(wrong, otherwise, draw.gold.human), 0.0, draw.rng)


def _random(draw: Draw) -> Ranks:
    return _some_segments(draw, draw.rng.random(draw.gold.human.shape))


def _top(draw: Draw) -> Ranks:
    """The human's best item first wherever the others are in random order."""
    human = draw.gold.human
    best = np.arange(human.shape[1]) == np.argmin(human, axis=1)[:, None]
    return _some_segments(draw, np.where(best, -1.0, draw.rng.random(human.shape)))


def _copy(draw: Draw) -> Ranks:
    """The first system, but for a share of segments in which its best two change places."""
    first: Ranks = draw.first
    swapped = draw.rng.random((len(first), 1)) < draw.amount
    return np.where(swapped & (first <= 2), 3 - first, first)


_NOISE = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
KINDS = (
    Kind("noisy", "the human ranks with normal noise of so many ranks", _noisy, _NOISE, takes="deviation"),
    Kind("tied", "the human ranks with noise of one rank, neighbours tied with that probability", _tied),
    Kind("rand", "a random order in that share of segments, the human one elsewhere", _random),
    Kind("top", "the same, but the human's best item always comes first", _top),
    Kind("constant", "all items tied", lambda draw: np.ones_like(draw.gold.human, dtype=np.int64), takes="nothing"),
    Kind("copy", "the first system, its best two items exchanged in a share of segments", _copy, (0.01, 0.05)),
)


def gold_table(shape: Shape, gold: GoldRanks) -> Columns:
    """Segment, judge, item and rank."""
    judges = max(1, shape.judges)
    segments, items = (np.tile(column, judges) for column in _item_columns(shape).values())
    named = np.repeat(numbered("j", judges), shape.topics * shape.items)
    return {"segment": segments, "judge": named, "item": items, "rank": gold.ranks.ravel()}


def run_table(shape: Shape, ranks: Ranks) -> Columns:
    """Segment, item and rank."""
    return {**_item_columns(shape), "rank": ranks.ravel()}


def _item_columns(shape: Shape) -> Columns:
    return {
        "segment": np.repeat(numbered("s", shape.topics), shape.items),
        "item": np.tile(numbered("system", shape.items), shape.topics),
    }


MODEL = Model(
    "ranking",
    {kind.name: kind for kind in KINDS},
    frozenset({"topics", "items", "judges", "ties"}),
    drawn,
    gold_table,
    run_table,
    least_items=2,
)
