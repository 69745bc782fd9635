"""One number for each item: a score, or how many of an item's samples passed."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.questions import HIGHER


def _no_score(scores: Array) -> Array:
    xp = namespace(scores)
    return xp.any(xp.isinf(scores), axis=-1) | xp.all(xp.isnan(scores), axis=-1)


def _no_samples(passed: Array, samples: Array) -> Array:
    xp = namespace(passed, samples)
    apart = passed - samples
    wrong = (passed < 0) | (samples < 1) | (apart > 0) | xp.isinf(passed) | xp.isinf(samples)
    return xp.any(wrong, axis=-1) | xp.all(xp.isnan(apart), axis=-1)


SCORES = Inputs(
    asks=HIGHER,
    reads=Reads.OUTCOMES,
    shape="scores of shape (..., n), NaN where an item has none",
    notation="s_i is the score of item i, the mean of its repeats where it has several, and n the number of items that have one",
    unusable=Undefined("no item has a score, or a score is infinite", _no_score),
    example=Example(text="scores 1, 0, 0.5, 1", arrays=((1, 0, 0.5, 1),)),
)
SAMPLES = Inputs(
    asks=HIGHER,
    reads=Reads.SAMPLES,
    shape="passed and samples of shape (..., n), whole numbers, NaN where an item has none",
    notation="item i has n_i samples, c_i of which passed, and there are n items",
    unusable=Undefined("no item has a sample, or more passed than there are", _no_samples),
    example=Example(text="0, 3 and 10 of 10 samples that passed", arrays=((0, 3, 10), (10, 10, 10))),
)
