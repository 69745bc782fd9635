"""Simulated quantification: a distribution per topic, as judges' votes make it; Popularity, Uniform, and systems near gold."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.evidence.distributions import popularity
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, numbered, places, to_classes

Floats = npt.NDArray[np.float64]
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


def _mixed(draw: Draw, other: Floats) -> Floats:
    """Gold, and so much of another distribution."""
    return np.asarray((1 - draw.amount) * draw.gold + draw.amount * other)


def _any(draw: Draw) -> Floats:
    return draw.rng.dirichlet(np.ones(draw.shape.classes), draw.shape.topics)


def _uniform(draw: Draw) -> Floats:
    return np.full(draw.gold.shape, 1 / draw.shape.classes)


def _shifted(draw: Draw) -> Floats:
    above = np.zeros_like(draw.gold)
    above[:, 1:] = draw.gold[:, :-1]
    above[:, -1] += draw.gold[:, -1]
    return _mixed(draw, above)


def _constant(draw: Draw) -> Floats:
    return np.broadcast_to(np.eye(draw.shape.classes)[int(draw.amount)], draw.gold.shape)


def _copy(draw: Draw) -> Floats:
    return np.asarray((1 - draw.amount) * draw.first + draw.amount * _any(draw))


KINDS = (
    Kind(
        "popularity",
        "all mass on gold's most frequent class; it reads the gold",
        lambda draw: popularity(draw.gold),
        takes="nothing",
        source=_BASELINE,
    ),
    Kind("uniform", "the same mass on every class", _uniform, takes="nothing", source=_BASELINE),
    Kind("smoothed", "gold with so much of the uniform distribution", lambda draw: _mixed(draw, _uniform(draw))),
    Kind("shifted", "so much of each class's mass lies one class up", _shifted),
    Kind("noisy", "gold with so much of a random distribution", lambda draw: _mixed(draw, _any(draw))),
    Kind("biased", "gold with so much of the mean of all topics", lambda draw: _mixed(draw, draw.gold.mean(axis=0))),
    Kind("constant", "all mass always on the same class", _constant, takes="class"),
    Kind("copy", "the first system with a little of a random distribution", _copy, (0.01, 0.05)),
)


def table(shape: Shape, shares: Floats) -> Columns:
    """Topic, class and probability, of gold or of a system."""
    assert shape.scale is not None  # noqa: S101 - this task's shapes have one
    return {
        "topic": np.repeat(numbered("t", shape.topics), shape.classes),
        "class": np.tile(np.array(shape.scale.labels, dtype=object), shape.topics),
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
