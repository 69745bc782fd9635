"""Simulated quantification: a distribution per topic, as judges' votes make it; Popularity, Uniform, and systems near gold."""

from __future__ import annotations

import numpy as np

from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.evidence.distributions import popularity
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, numbered, places, to_classes
from metameasure.statistics.arrays import Floats

_BASELINE = SAKAI_LQ_2021.at("Section 5.2")
_MANY_VOTES = 1000
"""Where no judges are asked for, gold is as smooth as so many make it."""


def drawn(shape: Shape, rng: np.random.Generator) -> Floats:
    """(topics, C): the shares of the judges' votes. Given shares are those around which the topics' own vary."""
    judges = shape.judges or _MANY_VOTES
    if shape.shares:
        leaning = rng.dirichlet(np.asarray(shape.shares) * shape.classes, shape.topics)
        return rng.multinomial(judges, leaning) / judges
    votes = to_classes(places(shape, rng, judges), shape.classes)
    return np.stack([(votes == place).mean(axis=1) for place in range(shape.classes)], axis=1)


def mixed(draw: Draw, one: Floats, other: Floats) -> Floats:
    """One distribution, and so much of another."""
    return np.asarray((1 - draw.amount) * one + draw.amount * other)


def _any(draw: Draw) -> Floats:
    return draw.rng.dirichlet(np.ones(draw.shape.classes), draw.shape.topics)


def _uniform(draw: Draw) -> Floats:
    return np.full(draw.gold.shape, 1 / draw.shape.classes)


def _shifted(draw: Draw) -> Floats:
    above = np.zeros_like(draw.gold)
    above[:, 1:] = draw.gold[:, :-1]
    above[:, -1] += draw.gold[:, -1]
    return mixed(draw, draw.gold, above)


def _constant(draw: Draw) -> Floats:
    return np.broadcast_to(np.eye(draw.shape.classes)[int(draw.amount)], draw.gold.shape)


KINDS = (
    Kind(
        "popularity",
        "all mass on gold's most frequent class; it reads the gold",
        lambda draw: popularity(draw.gold),
        takes="nothing",
        source=_BASELINE,
    ),
    Kind("uniform", "the same mass on every class", _uniform, takes="nothing", source=_BASELINE),
    Kind("smoothed", "gold with so much of the uniform distribution", lambda draw: mixed(draw, draw.gold, _uniform(draw))),
    Kind("shifted", "so much of each class's mass lies one class up", _shifted),
    Kind("noisy", "gold with so much of a random distribution", lambda draw: mixed(draw, draw.gold, _any(draw))),
    Kind("biased", "gold with so much of the mean of all topics", lambda draw: mixed(draw, draw.gold, draw.gold.mean(axis=0))),
    Kind("constant", "all mass always on the same class", _constant, takes="class"),
    Kind(
        "copy",
        "the first system with a little of a random distribution",
        lambda draw: mixed(draw, draw.first, _any(draw)),
        (0.01, 0.05),
    ),
)


def table(shape: Shape, shares: Floats) -> Columns:
    """Topic, class and probability, of gold or of a system."""
    return {
        "topic": np.repeat(numbered("t", shape.topics), shape.classes),
        "class": np.tile(np.array(shape.labels, dtype=object), shape.topics),
        "probability": np.ascontiguousarray(shares).ravel(),
    }


MODEL = Model(
    "quantification",
    {kind.name: kind for kind in KINDS},
    frozenset({"scale", "topics", "judges", "centre", "spread", "wander", "shares"}),
    drawn,
    table,
    table,
)
