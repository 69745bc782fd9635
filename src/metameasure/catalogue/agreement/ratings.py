"""Ratings: how many annotators put each item into each class, or which annotator put it where.

All coefficients are functions of sums over items. What one item adds does not depend on the others, so that a bootstrap sample,
in which an item occurs so many times, costs a matrix product: how often each item occurs, times what each item adds.
"""

from __future__ import annotations

import math
from typing import Any

from metameasure.catalogue.arrays import Array, constant, namespace, positions, ratio, ratio_or_zero
from metameasure.catalogue.classification.tables import distances, occupied
from metameasure.catalogue.facts import Example, Inputs, Reads, Reduction, Undefined
from metameasure.catalogue.parameters import Choice
from metameasure.catalogue.questions import ANNOTATORS

WEIGHTS = Choice("weights", ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "bipolar", "circular"))
_NOTATION = (
    "n_ik annotators put item i into class k, r_i is the sum over k, q the number of declared classes, w_kl how much of an "
    "agreement k and l are (1 for the same class), v_k the value of class k: its rank 1..q unless the scale gives one"
)
SAID_OF_WEIGHTS = (
    " With @linear, @quadratic or @ordinal (Gwet's) weights near classes agree in part: linear w_kl = 1 - |v_k - v_l| / (v_q - "
    "v_1), quadratic 1 - (v_k - v_l)² / (v_q - v_1)², ordinal 1 - C(|k-l|+1, 2) / C(q, 2); so do @radical 1 - sqrt(|v_k - v_l| / "
    "(v_q - v_1)) and 1 - d / max d with @ratio d = (v_k - v_l)² / (v_k + v_l)², @bipolar d = (v_k - v_l)² / ((v_k + v_l - "
    "2 v_1) (2 v_q - v_k - v_l)), @circular d = sin²(π (v_k - v_l) / (v_q - v_1 + 1))."
)


def _unusable(ratings: Array) -> Array:
    xp = namespace(ratings)
    axes = tuple(range(1, ratings.ndim))
    return ~((xp.min(ratings, axis=axes) >= 0) & (xp.sum(ratings, axis=axes) < xp.inf))


_UNUSABLE = Undefined("a count is negative or not finite", _unusable)
_ONE_HOT = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
RATINGS = Inputs(
    asks=ANNOTATORS,
    reads=Reads.RATINGS,
    shape="counts of shape (..., items, C): how many annotators put each item into each class",
    notation=_NOTATION,
    unusable=_UNUSABLE,
    example=Example(
        text="three annotators' ratings of four items, bad bad bad, bad bad fair, fair good good and good good good",
        arrays=(((3, 0, 0), (2, 1, 0), (0, 1, 2), (0, 0, 3)),),
        classes=("bad", "fair", "good"),
    ),
)
PERSONS = Inputs(
    asks=ANNOTATORS,
    reads=Reads.PERSONS,
    shape="of shape (..., items, annotators, C): 1 for the class that an annotator gave an item, 0 elsewhere; all 0 is a gap",
    notation=_NOTATION + "; x_ig is the value of annotator g's class of item i",
    unusable=_UNUSABLE,
    example=Example(
        text="three annotators' ratings of four items, bad bad bad, bad bad fair, fair good good and good good good",
        arrays=(tuple(tuple(_ONE_HOT[k] for k in item) for item in ((0, 0, 0), (0, 0, 1), (1, 2, 2), (2, 2, 2))),),
        classes=("bad", "fair", "good"),
    ),
)


def _over_pairs(ratings: Array, *, per_item: bool) -> Array:
    """Σ_i of the pairs of an item's ratings, by their classes (..., C, C). Each pair weighs 1 / (r_i (r_i - 1)), so that every
    item counts 1, or 1 / (r_i - 1), so that every rating does. Items with one rating have no pair."""
    xp = namespace(ratings)
    totals = xp.sum(ratings, axis=-1)[..., None]
    scaled = ratio_or_zero(ratings, (totals - 1) * totals if per_item else totals - 1)
    itself = xp.eye(ratings.shape[-1], dtype=ratings.dtype) * xp.sum(scaled, axis=-2)[..., None]
    return xp.matmul(xp.matrix_transpose(scaled), ratings) - itself


def coincidences(ratings: Array) -> Array:
    """Krippendorff's coincidence table (..., C, C): its rows add up to how many ratings of each class can be paired."""
    return _over_pairs(ratings, per_item=False)


def flat(table: Array) -> Array:
    """A table (..., a, b) as (..., a b)."""
    return namespace(table).reshape(table, (*table.shape[:-2], table.shape[-2] * table.shape[-1]))


def _paired(ratings: Array) -> tuple[Array, ...]:
    xp = namespace(ratings)
    shares = xp.sum(ratio_or_zero(ratings, xp.sum(ratings, axis=-1)[..., None]), axis=-2)
    return (xp.concat([flat(_over_pairs(ratings, per_item=True)), shares], axis=-1),)


PAIRS = Reduction((), _paired, adds=True)
"""Pairs of ratings by their classes (C x C), every item counting 1; and the sums of n_ik / r_i (C)."""


def parts(paired: Array) -> tuple[Array, Array]:
    """The evidence taken apart: pairs (..., C, C) and sums of shares (..., C)."""
    classes = (math.isqrt(1 + 4 * paired.shape[-1]) - 1) // 2
    pairs, shares = paired[..., : classes**2], paired[..., classes**2 :]
    return namespace(paired).reshape(pairs, (*pairs.shape[:-1], classes, classes)), shares


def weight_table(weights: str, values: Array) -> Array:
    """w_kl."""
    classes = values.shape[0]
    steps = distances(positions(classes, like=values))
    span = values[-1] - values[0] if classes > 1 else constant(1.0, like=values)
    match weights:
        case "linear":
            return 1 - distances(values) / span
        case "quadratic":
            return 1 - (distances(values) / span) ** 2
        case "ordinal":
            return 1 - (steps + 1) * steps / max(1, classes * (classes - 1))
        case "radical":
            return 1 - (distances(values) / span) ** 0.5
        case "ratio" | "bipolar" | "circular":
            return _scaled_away(weights, values, span)
        case _:
            return namespace(values).astype(steps == 0, values.dtype)


def _scaled_away(weights: str, values: Array, span: Array) -> Array:
    """w_kl of how far classes are apart by their ratio, on a scale with two poles, or around a circle: 1 less that over its
    largest value."""
    xp = namespace(values)
    apart, both = distances(values), values[:, None] + values[None, :]
    if weights == "circular":
        away = xp.sin(math.pi * apart / (span + 1)) ** 2
    else:
        below = both**2 if weights == "ratio" else (both - 2 * values[0]) * (2 * values[-1] - both)
        away = ratio_or_zero(apart**2, below)
    largest = xp.max(away)
    return 1 - away / xp.where(largest > 0, largest, 1.0)


def observed(paired: Array, weights: Array) -> Array:
    """p_a: the mean over items with two ratings or more of how far the pairs of their ratings agree."""
    xp = namespace(paired)
    pairs, _ = parts(paired)
    return ratio(xp.sum(pairs * weights, axis=(-2, -1)), xp.sum(pairs, axis=(-2, -1)))


def class_shares(paired: Array) -> Array:
    """π_k: the mean over items of the share of their ratings that are in class k."""
    _, shares = parts(paired)
    return ratio(shares, namespace(paired).sum(shares, axis=-1)[..., None])


def beyond_chance(agreement: Array, chance: Array) -> Array:
    """(p_a - p_e) / (1 - p_e)."""
    return ratio(agreement - chance, 1 - chance)


def interval_if_weighted(settings: Any) -> dict[str, str]:
    """What a measure with weights assumes of the classes."""
    return {"scale": {"identity": "nominal", "ordinal": "ordinal"}.get(settings["weights"], "interval")}


NO_PAIR = Undefined("no item has two ratings", lambda paired: namespace(paired).sum(parts(paired)[0], axis=(-2, -1)) == 0)
ONE_CLASS = Undefined("all ratings are of one class", lambda paired: occupied(parts(paired)[1]) < 2)


def linearised(ratings: Any, weights: Any, chance: float, chance_by_item: Any) -> Any:
    """What each item adds to (p_a - p_e) / (1 - p_e), by Gwet's (2014) linearisation: his variance is that of the mean of these
    numbers. ``chance_by_item`` (items,) is each item's part in p_e, whose mean it is. As in his program, p_a of an item with one
    rating is 0."""
    xp = namespace(ratings)
    totals = xp.sum(ratings, axis=-1)
    paired = totals > 1
    weighted = xp.sum(ratings * (xp.matmul(ratings, weights) - 1), axis=-1)
    agree = ratio_or_zero(weighted, totals * (totals - 1))
    some = xp.sum(xp.astype(paired, ratings.dtype))
    coefficient = (xp.sum(agree) / some - chance) / (1 - chance)
    own = ratings.shape[0] / some * (agree - chance * paired) / (1 - chance)
    return own - 2 * (1 - coefficient) * (chance_by_item - chance) / (1 - chance)
