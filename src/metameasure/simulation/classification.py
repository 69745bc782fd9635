"""Simulated classification: a label per item, the gold of Amigó et al. (2020), Section 5.3, and their five kinds of systems with
others beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import AMIGO_2020
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, numbered, places, sizes, to_classes

Labels = npt.NDArray[np.int64]
_OF_A_JUDGE = 0.5
"""By how much of a class a judge misplaces an item (a standard deviation)."""
_AMIGO = AMIGO_2020.at("Section 5.3")


@dataclass(frozen=True, eq=False)
class GoldLabels:
    """Labels (topics, items) as places on the scale; the judges' own (judges, topics, items), where gold is their median."""

    labels: Labels
    judged: Labels | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.labels.shape


def drawn(shape: Shape, rng: np.random.Generator) -> GoldLabels:
    """Gold: the class nearest to where an item falls, or the median of what judges take for that."""
    where = places(shape, rng, shape.items)
    if not shape.judges:
        return GoldLabels(to_classes(where, shape.classes))
    judged = to_classes(where + _OF_A_JUDGE * rng.normal(size=(shape.judges, *where.shape)), shape.classes)
    return GoldLabels(np.sort(judged, axis=0)[(shape.judges - 1) // 2], judged)


def erring(draw: Draw, instead: Labels) -> Labels:
    """Gold, but with the rate as probability, item by item, the other label."""
    wrong = draw.rng.random(draw.gold.shape) < draw.amount
    return np.where(wrong, instead, draw.gold.labels)


def _majority(draw: Draw) -> Labels:
    sizes = np.bincount(draw.gold.labels.ravel(), minlength=draw.shape.classes)
    return erring(draw, np.full(draw.gold.shape, np.argmax(sizes)))


def _random(draw: Draw) -> Labels:
    return erring(draw, draw.rng.integers(draw.shape.classes, size=draw.gold.shape))


def _tag_displacement(draw: Draw) -> Labels:
    return erring(draw, np.minimum(draw.gold.labels + 1, draw.shape.classes - 1))


def _in_order(labels: Labels) -> tuple[Labels, Labels]:
    """Each topic's labels in order, and the position there of each item."""
    order = np.argsort(labels, axis=1, kind="stable")
    return np.take_along_axis(labels, order, axis=1), np.argsort(order, axis=1, kind="stable")


def _ordinal_displacement(draw: Draw) -> Labels:
    """The label found a tenth of the items further up the order; past its end the item stays as it is."""
    ordered, position = _in_order(draw.gold.labels)
    items = draw.gold.shape[1]
    there = position + items // 10
    shifted_labels = np.take_along_axis(ordered, np.minimum(there, items - 1), axis=1)
    return erring(draw, np.where(there < items, shifted_labels, draw.gold.labels))


def _proximity(draw: Draw) -> Labels:
    """The label found half way, in the order, to an item drawn at random."""
    ordered, position = _in_order(draw.gold.labels)
    other = draw.rng.integers(draw.gold.shape[1], size=draw.gold.shape)
    return erring(draw, np.take_along_axis(ordered, (position + other) // 2, axis=1))


def _noisy(draw: Draw) -> Labels:
    step = draw.rng.choice([-1, 1], size=draw.gold.shape)
    return erring(draw, np.clip(draw.gold.labels + step, 0, draw.shape.classes - 1))


def _biased(draw: Draw) -> Labels:
    return erring(draw, draw.rng.integers(draw.gold.labels, draw.shape.classes))


def constant(draw: Draw) -> Labels:
    """The same label for every item."""
    return np.full(draw.gold.shape, int(draw.amount))


def copied(draw: Draw, first: Labels) -> Labels:
    """The labels of the first system, but for a share of items."""
    changed = draw.rng.random(draw.gold.shape) < draw.amount
    return np.where(changed, draw.rng.integers(draw.shape.classes, size=draw.gold.shape), first)


KINDS = (
    Kind("maj", "errors are the most frequent class", _majority, source=_AMIGO),
    Kind("rand", "errors are any class, at random", _random, source=_AMIGO),
    Kind("prox", "errors lie between gold and a random item, in the order of the items", _proximity, source=_AMIGO),
    Kind("tdisp", "errors are the next class up", _tag_displacement, source=_AMIGO),
    Kind("odisp", "errors are the class found a tenth of the items further up", _ordinal_displacement, source=_AMIGO),
    Kind("noisy", "errors are one class off, either way", _noisy),
    Kind("biased", "errors are some class not below gold's", _biased),
    Kind("constant", "always the same class", constant, takes="class"),
    Kind(
        "copy",
        "the first system, but for a share of items labelled at random",
        lambda draw: copied(draw, draw.first),
        (0.01, 0.05),
    ),
)


def gold_table(shape: Shape, gold: GoldLabels) -> Columns:
    """Item, topic and label."""
    return run_table(shape, gold.labels)


def run_table(shape: Shape, labels: Labels) -> Columns:
    """The same of a system."""
    return {**item_columns(shape), "label": there(shape, named(shape, labels))}


def ratings(shape: Shape, gold: GoldLabels) -> Columns:
    """What each judge said of each item."""
    assert gold.judged is not None  # noqa: S101 - asked only where there are judges
    judges = np.repeat(numbered("j", shape.judges), int(sizes(shape).sum()))
    items = {name: np.tile(column, shape.judges) for name, column in item_columns(shape).items()}
    said = np.concatenate([there(shape, one) for one in named(shape, gold.judged)])
    return {**items, "annotator": judges, "label": said}


@lru_cache(maxsize=4)
def item_columns(shape: Shape) -> Columns:
    """Item and topic, the item's id holding both; the item alone, where there is one topic."""
    if shape.topics == 1:
        return {"item": numbered("i", shape.items)}
    topics = np.repeat(numbered("t", shape.topics), shape.items)
    numbers = np.tile(numbered("-", shape.items), shape.topics)
    items = (topics + numbers).reshape(shape.topics, shape.items)
    return {"item": there(shape, items), "topic": there(shape, topics.reshape(items.shape))}


def there(shape: Shape, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Cells (topics, items) as a column: of each topic as many as it has items. Those of smaller topics are a sample."""
    return cells[np.arange(shape.items) < sizes(shape)[:, None]]


def named(shape: Shape, labels: Labels) -> npt.NDArray[np.object_]:
    """Places on the scale as labels."""
    return np.array(shape.labels, dtype=object)[labels]


MODEL = Model(
    "classification",
    {kind.name: kind for kind in KINDS},
    frozenset({"scale", "topics", "items", "judges", "centre", "spread", "wander", "shares"}),
    drawn,
    gold_table,
    run_table,
    ratings,
)
