"""Distributions over classes: p, the estimate, and p*, gold. Both are vectors of C probabilities."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions
from metameasure.catalogue.facts import Example, Inputs, Reads, Undefined
from metameasure.catalogue.questions import SHARES

SUM_TOLERANCE = 1e-6
BLIND = " Blind to order: putting everything into the next class is as bad as into the farthest."


def is_no_distribution(vector: Array, total: Array | None = None) -> Array:
    """Whether a number is negative or not finite, or they do not add up to 1; ``total`` is their sum, where it is known."""
    xp = namespace(vector)
    total = xp.sum(vector, axis=-1) if total is None else total
    return ~((xp.min(vector, axis=-1) >= 0) & (xp.abs(total - 1) <= SUM_TOLERANCE))


def _unusable(predicted: Array, gold: Array) -> Array:
    return is_no_distribution(predicted) | is_no_distribution(gold)


def cumulative(vector: Array) -> Array:
    """For each class but the last, the sum up to it."""
    xp = namespace(vector)
    rank = positions(vector.shape[-1], like=vector)
    return xp.matmul(vector, xp.astype(rank[:, None] <= rank[None, :-1], vector.dtype))


DISTRIBUTIONS = Inputs(
    asks=SHARES,
    reads=Reads.DISTRIBUTIONS,
    shape="predicted and gold of shape (..., C), probabilities that add up to 1",
    notation="p_i is the estimated and p*_i the gold probability of class i, C the number of classes, C* the "
    "classes with p*_i > 0, "
    "δ_ij the distance between classes i and j: |i - j| unless the scale has values or you give distances",
    unusable=Undefined("a probability is negative or not finite, or they do not add up to 1", _unusable),
    example=Example(
        text="estimate .2, .3, .5 and gold .5, .3, .2",
        arrays=((0.2, 0.3, 0.5), (0.5, 0.3, 0.2)),
        classes=("negative", "neutral", "positive"),
    ),
)
