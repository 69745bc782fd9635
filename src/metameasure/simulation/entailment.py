"""Simulated entailment: labels with an order of confidence and one of belief, which may or may not mean something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from metameasure.simulation.classification import (
    GoldLabels,
    Labels,
    constant,
    copied,
    erring,
    gold_table,
    item_columns,
    named,
)
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape
from metameasure.statistics.arrays import Floats


def drawn(shape: Shape, rng: np.random.Generator) -> GoldLabels:
    """Gold with exactly the shape's shares in every topic, as RTE balanced its data: the pairs in random order. Where a share is
    no whole number of pairs, the largest remainders get one more."""
    shares = np.asarray(shape.shares or np.ones(shape.classes))
    exact = shape.items * shares / shares.sum()
    numbers = np.floor(exact + 1e-9).astype(np.int64)
    most = np.argsort(-(exact - numbers), kind="stable")[: shape.items - int(numbers.sum())]
    numbers[most] += 1
    labels = np.repeat(np.arange(shape.classes), numbers)
    return GoldLabels(rng.permuted(np.tile(labels, (shape.topics, 1)), axis=1))


@dataclass(frozen=True, eq=False)
class Output:
    """Labels (topics, items), the first class being the positive one; how sure the system is of each, and how strongly it
    believes in entailment, both from 0 to 1."""

    labels: Labels
    confidence: Floats
    belief: Floats


def _sound(labels: Labels, confidence: Floats) -> Output:
    """Belief that follows label and confidence: every item called positive stands above every other."""
    return Output(labels, confidence, np.where(labels == 0, 1 + confidence, 1 - confidence) / 2)


def _answered(draw: Draw, *, if_right: tuple[float, float], if_wrong: tuple[float, float]) -> Output:
    """Gold, but with the rate as probability one of the other labels; the confidence is drawn from one Beta distribution where
    the label is right, from another where it is wrong."""
    other = draw.gold.labels + draw.rng.integers(1, draw.shape.classes, size=draw.gold.shape)
    labels = erring(draw, other % draw.shape.classes)
    right, wrong = (draw.rng.beta(*of, size=labels.shape) for of in (if_right, if_wrong))
    return _sound(labels, np.where(labels == draw.gold.labels, right, wrong))


_calibrated = partial(_answered, if_right=(3, 1), if_wrong=(1, 3))


def _unsound(draw: Draw) -> Output:
    output = _calibrated(draw)
    return replace(output, belief=draw.rng.random(output.labels.shape))


def _random(draw: Draw) -> Output:
    labels = draw.rng.integers(draw.shape.classes, size=draw.gold.shape)
    return _sound(labels, draw.rng.random(labels.shape))


def _constant(draw: Draw) -> Output:
    return _sound(constant(draw), draw.rng.random(draw.gold.shape))


def _copy(draw: Draw) -> Output:
    return _sound(copied(draw, draw.first.labels), draw.first.confidence)


_RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
KINDS = (
    Kind("calibrated", "so many labels are wrong, and the system is surer of those that are right", _calibrated, _RATES),
    Kind(
        "uncalibrated",
        "so many labels are wrong, and confidence says nothing about which",
        partial(_answered, if_right=(2, 2), if_wrong=(2, 2)),
        _RATES,
    ),
    Kind(
        "overconfident",
        "so many labels are wrong, and the system is surest of those",
        partial(_answered, if_right=(1, 3), if_wrong=(3, 1)),
        _RATES,
    ),
    Kind("unsound", "calibrated, but its belief in entailment contradicts its labels", _unsound, _RATES),
    Kind("rand", "labels and confidence at random", _random, takes="nothing"),
    Kind("constant", "always the same label", _constant, takes="class"),
    Kind("copy", "the first system, but for a share of items labelled at random", _copy, (0.01, 0.05)),
)


def run_table(shape: Shape, output: Output) -> Columns:
    """Item, topic, label, confidence and score."""
    return {
        **item_columns(shape),
        "label": named(shape, output.labels).ravel(),
        "confidence": output.confidence.ravel(),
        "score": output.belief.ravel(),
    }


MODEL = Model(
    "entailment",
    {kind.name: kind for kind in KINDS},
    frozenset({"scale", "topics", "items", "shares"}),
    drawn,
    gold_table,
    run_table,
    most_classes=3,
)
