"""Does a measure see the order of the classes? Of measures that formal properties are not searched for: by simulated topics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.simulation.classification import MODEL as LABELS
from metameasure.simulation.model import Draw
from metameasure.simulation.probabilities import MODEL
from metameasure.simulation.shapes import SHAPES
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import TIE
from metameasure.statistics.streams import stream
from metameasure.trials import raters

TOPICS, _ITEMS, _ERRORS = 20, 30, 0.4
_MOVED = (2, 0, 4, 1, 3)
"""The classes in another order."""


def sees_order(task: str, measure: Measure, seed: int) -> bool | None:
    """Whether the score of some topic changes when the classes change places. None for a measure that does not say that it uses
    their order, and for tasks whose classes have none or whose formal properties tell."""
    if measure.scale == "nominal" or task not in ("agreement", "probabilities"):
        return None
    one, other = (_of_ratings if task == "agreement" else _of_probabilities)(measure, seed)
    apart = np.abs(one - other)
    return bool((apart[~np.isnan(apart)] > TIE).any())


def _of_ratings(measure: Measure, seed: int) -> tuple[Floats, Floats]:
    shape = raters.shape_of(_ITEMS, (1.0,) * len(_MOVED), TOPICS)
    gold = LABELS.gold(shape, stream(seed, 0))
    said = raters.said_by(shape, gold, 3, ("order", ("noisy", _ERRORS)), seed)
    one, other = (raters.values_of([measure], labels, raters.SCALE)[0] for labels in (said, np.array(_MOVED)[said]))
    return one, other


def _of_probabilities(measure: Measure, seed: int) -> tuple[Floats, Floats]:
    shape = replace(SHAPES["probable"], scale=raters.SCALE, shares=(1.0,) * len(_MOVED), topics=TOPICS, items=_ITEMS)
    gold = MODEL.gold(shape, stream(seed, 0))
    beliefs = MODEL.kinds["near"].draw(Draw(shape, gold, _ERRORS, None, stream(seed, 1)))
    classes = np.eye(shape.classes)[gold.labels]
    moved = list(_MOVED)
    arrays = ((beliefs, classes), (beliefs[..., moved], classes[..., moved]))
    one, other = (np.asarray(measure(*both, classes=shape.scale), dtype=np.float64) for both in arrays)
    return one, other
