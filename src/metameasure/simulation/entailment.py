"""Simulated entailment: labels with an order of confidence and one of belief, which may or may not mean something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metameasure.simulation import labels
from metameasure.simulation.labels import Labels, erring, gold_table, item_columns, named
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, kinds_by_name

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Output:
    """Labels (topics, items), the first class being the positive one; how sure the system is of each, and how strongly it
    believes in entailment, both from 0 to 1."""

    labels: Labels
    confidence: Floats
    belief: Floats


def _answers(draw: Draw) -> Labels:
    """Gold, but with the rate as probability one of the other labels."""
    other = draw.gold.labels + draw.rng.integers(1, draw.shape.classes, size=draw.gold.shape)
    return erring(draw, other % draw.shape.classes)


def _sound(found: Labels, confidence: Floats) -> Output:
    """Belief that follows label and confidence: every item called positive stands above every other."""
    return Output(found, confidence, np.where(found == 0, 1 + confidence, 1 - confidence) / 2)


def _confident(draw: Draw, found: Labels, of_right: tuple[float, float], of_wrong: tuple[float, float]) -> Floats:
    """Drawn from one Beta distribution where the label is right, from another where it is wrong."""
    right = found == draw.gold.labels
    return np.where(right, draw.rng.beta(*of_right, size=found.shape), draw.rng.beta(*of_wrong, size=found.shape))


def _calibrated(draw: Draw) -> Output:
    found = _answers(draw)
    return _sound(found, _confident(draw, found, (3, 1), (1, 3)))


def _uncalibrated(draw: Draw) -> Output:
    found = _answers(draw)
    return _sound(found, _confident(draw, found, (2, 2), (2, 2)))


def _overconfident(draw: Draw) -> Output:
    found = _answers(draw)
    return _sound(found, _confident(draw, found, (1, 3), (3, 1)))


def _unsound(draw: Draw) -> Output:
    found = _calibrated(draw)
    return Output(found.labels, found.confidence, draw.rng.random(found.labels.shape))


def _random(draw: Draw) -> Output:
    found = draw.rng.integers(draw.shape.classes, size=draw.gold.shape)
    return _sound(found, draw.rng.random(found.shape))


def _constant(draw: Draw) -> Output:
    found = np.full(draw.gold.shape, int(draw.amount))
    return _sound(found, draw.rng.random(draw.gold.shape))


def _copy(draw: Draw) -> Output:
    changed = draw.rng.random(draw.gold.shape) < draw.amount
    found = np.where(changed, draw.rng.integers(draw.shape.classes, size=draw.gold.shape), draw.first.labels)
    return _sound(found, draw.first.confidence)


_RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
KINDS = kinds_by_name(
    Kind("calibrated", "so many labels are wrong, and the system is surer of those that are right", _calibrated, _RATES),
    Kind("uncalibrated", "so many labels are wrong, and confidence says nothing about which", _uncalibrated, _RATES),
    Kind("overconfident", "so many labels are wrong, and the system is surest of those", _overconfident, _RATES),
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


MODEL = Model("entailment", KINDS, frozenset({"scale", "topics", "items", "shares"}), labels.drawn, gold_table, run_table)
