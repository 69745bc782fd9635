"""Simulated sets of labels: items with some of the labels, frequent and rare ones, and systems that miss some and add others."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.simulation.classification import item_columns, there
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape

Sets = npt.NDArray[np.bool_]
_MOST_FREQUENT = 0.4
_BETWEEN = "|"


def drawn(shape: Shape, rng: np.random.Generator) -> Sets:
    """(topics, items, L): whether an item has a label. Unless shares say how frequent labels are, the first is on two items of
    five, the second on half as many, the third on a third as many, and so on; topics wander from that, in logits."""
    if shape.shares and max(shape.shares) > 1:
        what = say("a label cannot be on {share:g} of the items", share=max(shape.shares))
        raise UsageError(what, hint="give each label a share from 0 to 1")
    usual = np.asarray(shape.shares) if shape.shares else _MOST_FREQUENT / np.arange(1, shape.classes + 1)
    with np.errstate(divide="ignore"):
        logit = np.log(usual) - np.log1p(-usual) + shape.wander * rng.normal(size=(shape.topics, 1, shape.classes))
    return rng.random((shape.topics, shape.items, shape.classes)) < 1 / (1 + np.exp(-logit))


def _events(draw: Draw, shape: tuple[int, ...]) -> Sets:
    """What happens with the rate as its probability."""
    return draw.rng.random(shape) < draw.amount


def _noisy(draw: Draw) -> Sets:
    return np.asarray(draw.gold ^ _events(draw, draw.gold.shape))


def _missing(draw: Draw) -> Sets:
    return np.asarray(draw.gold & ~_events(draw, draw.gold.shape))


def _extra(draw: Draw) -> Sets:
    return np.asarray(draw.gold | _events(draw, draw.gold.shape))


def _added(draw: Draw) -> Sets:
    """Labels that gold lacks, as often as they occur elsewhere, times the rate."""
    there_too = _any(draw)
    return np.asarray(draw.gold | (_events(draw, draw.gold.shape) & there_too))


def _swapped(draw: Draw) -> Sets:
    moved = draw.gold & _events(draw, draw.gold.shape)
    return np.asarray((draw.gold & ~moved) | np.roll(moved, 1, axis=-1))


def _blind(draw: Draw) -> Sets:
    """The rarest labels, the last of those that are as rare first."""
    number = round(draw.amount * draw.shape.classes)
    rarest = np.argsort(-draw.gold.sum(axis=(0, 1)), kind="stable")[draw.shape.classes - number :]
    seen: Sets = draw.gold.copy()
    seen[..., rarest] = False
    return seen


def _single(draw: Draw) -> Sets:
    """The most frequent of an item's labels alone, for so many items."""
    order = np.argsort(-draw.gold.sum(axis=(0, 1)), kind="stable")
    by_size: Sets = draw.gold[..., order]
    first: Sets = by_size & (np.cumsum(by_size, axis=-1) == 1)
    return np.where(_events(draw, (*draw.gold.shape[:2], 1)), first[..., np.argsort(order)], draw.gold)


def _any(draw: Draw) -> Sets:
    """A set of labels that are as frequent as gold's, at random."""
    return np.asarray(draw.rng.random(draw.gold.shape) < draw.gold.mean(axis=(0, 1)))


def _random(draw: Draw) -> Sets:
    return np.where(_events(draw, (*draw.gold.shape[:2], 1)), _any(draw), draw.gold)


def _everywhere(draw: Draw, labels: npt.ArrayLike) -> Sets:
    """The same set for every item."""
    return np.broadcast_to(np.asarray(labels, dtype=bool), draw.gold.shape)


def _constant(draw: Draw) -> Sets:
    return _everywhere(draw, np.arange(draw.shape.classes) == int(draw.amount))


def _frequent(draw: Draw) -> Sets:
    return _everywhere(draw, draw.gold.mean(axis=(0, 1)) >= 0.5)


def _copy(draw: Draw) -> Sets:
    return np.where(_events(draw, (*draw.gold.shape[:2], 1)), _any(draw), draw.first)


KINDS = (
    Kind("noisy", "every label of every item is wrong with that probability", _noisy, (0.02, 0.05, 0.1, 0.2, 0.3)),
    Kind("missing", "so many of gold's labels are not given", _missing),
    Kind("extra", "so many of the labels that gold lacks are given", _extra, (0.02, 0.05, 0.1, 0.2, 0.3)),
    Kind("added", "labels are added that gold lacks, as frequent as elsewhere times that rate", _added),
    Kind("swapped", "so many of gold's labels are taken for the next one", _swapped),
    Kind("blind", "so many of the labels, the rarest, are never given", _blind, (0.25, 0.5, 0.75)),
    Kind("single", "so many items get one label at most, the most frequent of theirs", _single, (0.5, 1.0)),
    Kind("rand", "so many items get labels at random, as frequent as gold's", _random),
    Kind("nothing", "no label for any item", lambda draw: _everywhere(draw, np.zeros(draw.shape.classes)), takes="nothing"),
    Kind("all", "all labels for every item", lambda draw: _everywhere(draw, np.ones(draw.shape.classes)), takes="nothing"),
    Kind("frequent", "the labels that half of gold's items have, for every item; it reads the gold", _frequent, takes="nothing"),
    Kind("constant", "always the same label alone", _constant, takes="class"),
    Kind("copy", "the first system, but for a share of items labelled at random", _copy, (0.01, 0.05)),
)


def table(shape: Shape, sets: Sets) -> Columns:
    """Item, topic and labels, of gold or of a system."""
    plain = not any(_BETWEEN in label for label in shape.labels)
    rows = sets.reshape(-1, shape.classes).tolist()
    named = ([label for label, has in zip(shape.labels, row, strict=True) if has] for row in rows)
    texts = np.array([_BETWEEN.join(some) if plain else json.dumps(some) for some in named], dtype=object)
    return {**item_columns(shape), "label": there(shape, texts.reshape(sets.shape[:2]))}


MODEL = Model(
    "multilabel",
    {kind.name: kind for kind in KINDS},
    frozenset({"scale", "topics", "items", "wander", "shares"}),
    drawn,
    table,
    table,
)
