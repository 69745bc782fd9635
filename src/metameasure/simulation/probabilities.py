"""Simulated probabilities: a distribution over the classes per item, as systems have it that see an item's class through noise.

Of every class a system sees a number: 1 for the class of the item and 0 for the others, with normal noise. What follows from
these numbers and the shares of the classes, by Bayes, is calibrated; other systems make too much of it, or too little.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.simulation.classification import GoldLabels, Labels, drawn, item_columns, ratings, run_table, there
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape
from metameasure.simulation.quantification import mixed
from metameasure.statistics.arrays import Floats

_NOISE = (0.4, 0.5, 0.6, 0.8, 1.0, 1.5)
_CLEAR, _MIDDLING = 1 / 3, 1 / 2
"""The noise of systems that know much of most items, and of those whose probabilities say too much or too little."""
_OF_RANDOM = 0.6
"""The noise of a system that answers at random now and then, where it does not."""
_TOO_SURE, _TOO_UNSURE = 2.0, 0.5
_RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def _shares(draw: Draw) -> Floats:
    """(C,): how frequent the classes are in gold."""
    sizes = np.bincount(draw.gold.labels.ravel(), minlength=draw.shape.classes)
    return np.asarray(sizes / sizes.sum())


def _believed(
    draw: Draw, noise: float, *, seen: Labels | None = None, shares: Floats | None = None, times: float = 1.0
) -> Floats:
    """(topics, items, C): the probabilities that follow from what is seen of the class (of gold, or of what is taken for it) and
    from the shares of the classes; all logarithms of odds are multiplied."""
    right = (draw.gold.labels if seen is None else seen)[..., None] == np.arange(draw.shape.classes)
    if not noise:
        return np.asarray(right, dtype=float)
    looks = draw.rng.normal(size=right.shape)
    prior = _shares(draw) if shares is None else shares
    weight = times * (np.log(np.maximum(prior, np.finfo(float).tiny)) + (right / noise + looks) / noise)
    odds = np.exp(weight - weight.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def _calibrated(draw: Draw) -> Floats:
    return _believed(draw, draw.amount)


def _vague(draw: Draw) -> Floats:
    return _believed(draw, _CLEAR / (1 - draw.amount) if draw.amount < 1 else np.inf)


def _mistaken(draw: Draw, *, near: bool) -> Floats:
    """As sure of another class, with the rate as probability: of any, or of the next one up or down."""
    classes, labels = draw.shape.classes, draw.gold.labels
    if near:
        other = np.clip(labels + draw.rng.choice([-1, 1], size=labels.shape), 0, classes - 1)
    else:
        other = (labels + draw.rng.integers(1, classes, size=labels.shape)) % classes
    wrong = draw.rng.random(labels.shape) < draw.amount
    return _believed(draw, _CLEAR, seen=np.where(wrong, other, labels))


def _timid(draw: Draw) -> Floats:
    return _believed(draw, _MIDDLING, times=1 - draw.amount)


def _bold(draw: Draw) -> Floats:
    return _believed(draw, _MIDDLING, times=1 / max(1 - draw.amount, 0.05))


def _any(draw: Draw) -> Floats:
    return draw.rng.dirichlet(np.ones(draw.shape.classes), draw.gold.shape)


def _random(draw: Draw) -> Floats:
    usual, other = _believed(draw, _OF_RANDOM), _any(draw)
    return np.where((draw.rng.random(draw.gold.shape) < draw.amount)[..., None], other, usual)


def _same(draw: Draw, shares: Floats) -> Floats:
    return np.broadcast_to(shares, (*draw.gold.shape, draw.shape.classes))


def _uniform(draw: Draw) -> Floats:
    return np.full(draw.shape.classes, 1 / draw.shape.classes)


KINDS = (
    Kind("calibrated", "sees classes through so much noise, and says what follows", _calibrated, _NOISE, "deviation"),
    Kind("overconfident", "the same, but twice as sure in its odds' logarithms",
         lambda draw: _believed(draw, draw.amount, times=_TOO_SURE), _NOISE, "deviation"),
    Kind("underconfident", "the same, but half as sure",
         lambda draw: _believed(draw, draw.amount, times=_TOO_UNSURE), _NOISE, "deviation"),
    Kind("biased", "the same, but as if all classes were equally frequent",
         lambda draw: _believed(draw, draw.amount, shares=_uniform(draw)), _NOISE, "deviation"),
    Kind("vague", "knows less of every item, and says so", _vague, _RATES),
    Kind("wrong", "is sure of a wrong class, any, of so many items", partial(_mistaken, near=False), _RATES),
    Kind("near", "is sure of the next class, of so many items", partial(_mistaken, near=True), _RATES),
    Kind("timid", "its probabilities say so much less than it knows", _timid, _RATES),
    Kind("bold", "its probabilities say so much more than it knows", _bold, _RATES),
    Kind("rand", "random probabilities for so many items, calibrated ones for the others", _random),
    Kind("shares", "gold's shares of the classes for every item; it reads the gold",
         lambda draw: _same(draw, _shares(draw)), takes="nothing"),
    Kind("uniform", "the same probability for every class", lambda draw: _same(draw, _uniform(draw)), takes="nothing"),
    Kind("constant", "all probability always on the same class",
         lambda draw: _same(draw, np.eye(draw.shape.classes)[int(draw.amount)]), takes="class"),
    Kind("copy", "the first system with a little of random probabilities",
         lambda draw: mixed(draw, draw.first, _any(draw)), (0.01, 0.05)),
)  # fmt: skip


def gold_table(shape: Shape, gold: GoldLabels) -> Columns:
    """Item, topic and label; a column for each class with the judges' shares, where there are judges."""
    if gold.judged is None:
        return run_table(shape, gold.labels)
    shares = np.stack([(gold.judged == place).mean(axis=0) for place in range(shape.classes)], axis=-1)
    return {**item_columns(shape), **_columns(shape, shares)}


def table(shape: Shape, believed: Floats) -> Columns:
    """Item, and a column for each class, of a system."""
    return {"item": item_columns(shape)["item"], **_columns(shape, believed)}


def _columns(shape: Shape, shares: npt.NDArray[Any]) -> Columns:
    return {label: there(shape, shares[..., place]) for place, label in enumerate(shape.labels)}


MODEL = Model(
    "probabilities",
    {kind.name: kind for kind in KINDS},
    frozenset({"scale", "topics", "items", "judges", "centre", "spread", "wander", "shares"}),
    drawn,
    gold_table,
    table,
    ratings,
)
