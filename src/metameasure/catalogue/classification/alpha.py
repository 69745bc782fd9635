"""Krippendorff's alpha: nominal, ordinal, interval, ratio, and with the user's distances.

Between gold and output it reads the table of counts c. Among many annotators it reads half of Krippendorff's coincidence table:
the formula adds the table and its transpose, which makes that table whole again.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from metameasure.catalogue.arrays import Array, middles, namespace, ratio
from metameasure.catalogue.classification.tables import ONE_CLASS_ONLY, distances, gold, predicted, rank_distances, total
from metameasure.catalogue.facts import ORDERED, Recommendation, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import BEYOND_CHANCE
from metameasure.catalogue.sources import KRIPPENDORFF_2018, SAKAI_2021

_FORMULA = "α = 1 - (2N - 1) Σ_{i<j} O_ij δ²_ij / Σ_{i<j} n_i n_j δ²_ij,   O_ij = c_ij + c_ji,   n_i = G_i + P_i,   "
_USE = (
    "Agreement beyond chance that does not ask which side is gold. Unlike kappa it tells constant runs apart. Among many "
    "annotators ('metameasure agree') c is half of the coincidence table, in which each item's pairs of ratings weigh 1 / (r_i "
    "- 1): gaps are no harm, and items with one rating say nothing. "
    "It reads the table as counts of items (2N - 1): pass counts, not proportions."
)


def _expected(counts: Array, squared: Array) -> Array:
    """Σ_{i<j} n_i n_j δ²_ij. A sum of non-negative terms, so 0 only if empty."""
    labels = gold(counts) + predicted(counts)
    return namespace(counts).sum(labels[..., :, None] * labels[..., None, :] * squared, axis=(-2, -1)) / 2


def _alpha(counts: Array, squared: Array) -> Array:
    """Eq. 6 of Sakai (2021). Items on the diagonal agree and add nothing, so Σ_{i<j} O_ij δ² is a sum over the table."""
    observed = namespace(counts).sum(counts * squared, axis=(-2, -1))
    return 1 - ratio((2 * total(counts) - 1) * observed, _expected(counts, squared))


def _by_rank(labels: Array) -> Array:
    """Eq. 7 is the distance between the classes' middles when all labels are lined up; as shares, to stay in range at any N."""
    middle = middles(labels)
    return (middle[..., :, None] - middle[..., None, :]) ** 2


def _by_ratio(values: Array) -> Array:
    """((v_i - v_j) / (v_i + v_j))², 0 for a class and itself."""
    xp = namespace(values)
    sums = values[:, None] + values[None, :]
    apart = distances(values)
    return xp.where(apart > 0, apart / xp.where(apart > 0, sums, 1.0), 0.0) ** 2


def _negative(counts: Array, values: Array) -> Array:
    """Of each case, whether a class has a value under 0, which has no ratio to others."""
    return (total(counts) >= 0) & (namespace(values).min(values) < 0)


def _paired_sizes(ratings: Any) -> Any:
    """How many ratings of each class are of units with two ratings or more."""
    xp = namespace(ratings)
    return xp.sum(ratings[xp.sum(ratings, axis=-1) > 1], axis=0)


def _linearised(ratings: Any, squared: Any) -> Any:
    """What each unit with two ratings or more adds to alpha by Gwet's (2014) linearisation (units,): his variance is that of
    their mean. Ratings are counts (units, C), and agreement is 1 less the share of the largest squared distance."""
    xp = namespace(ratings)
    weights = 1 - squared / xp.max(squared)
    ratings = ratings[xp.sum(ratings, axis=-1) > 1]
    totals = xp.sum(ratings, axis=-1)
    usual = xp.mean(totals)
    agree = xp.sum(ratings * (xp.matmul(ratings, weights) - 1), axis=-1) / (usual * (totals - 1))
    shares = xp.sum(ratings, axis=0) / xp.sum(totals)
    agreement, chance = xp.mean(agree), xp.sum(xp.matmul(shares, weights) * shares)
    uneven, few = (totals - usual) / usual, 1 / xp.sum(totals)
    agree_of = agree - ((1 - few) * agreement + few) * uneven  # alpha's own correction for few ratings stands here only
    chance_of = xp.matmul(ratings, xp.matmul(weights, shares)) / usual - chance * uneven
    coefficient = (agreement - chance) / (1 - chance)
    return (agree_of - chance) / (1 - chance) - 2 * (1 - coefficient) * (chance_of - chance) / (1 - chance)


_measure = partial(measure, asks=BEYOND_CHANCE, better="higher", proportional=False, tasks=("classification", "agreement"))


@_measure(
    id="alpha_nominal",
    title="Krippendorff's alpha, nominal",
    symbol="α-NOM",
    range=(-1, 1),
    formula=_FORMULA + "δ²_ij = 1",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Blind to order.",
    linearised=lambda ratings: _linearised(ratings, 1 - namespace(ratings).eye(ratings.shape[-1], dtype=ratings.dtype)),
)
def alpha_nominal(counts: Array) -> Array:
    return _alpha(counts, namespace(counts).astype(rank_distances(counts) > 0, counts.dtype))


@_measure(
    id="alpha_ordinal",
    headline={"classification": 4},
    recommended=(
        Recommendation(
            "classification",
            "primary",
            "sees order and imbalance and, unlike kappa, tells constant runs apart",
            SAKAI_2021.at("Section 5.4"),
            scales=ORDERED,
            where=("constant_runs",),
            unless=("no_distances",),
        ),
        Recommendation(
            "classification",
            "primary",
            "sees the order without assuming distances",
            SAKAI_2021.at("Section 7"),
            scales=ORDERED,
            where=("no_distances",),
            turn=2,
        ),
        Recommendation(
            "classification",
            "secondary",
            "shows another angle and assumes no distances",
            SAKAI_2021.at("Section 5.4"),
            scales=ORDERED,
            unless=("constant_runs", "no_distances"),
        ),
    ),
    title="Krippendorff's alpha, ordinal",
    symbol="α-ORD",
    range=(-1, 1),
    scale="ordinal",
    formula=_FORMULA + "δ²_ij = (Σ_{k=i..j} n_k - (n_i + n_j)/2)²",
    source=(SAKAI_2021.at("Eq. 6-7, Section 5.4"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE
    + " Two classes are as far apart as there are labels between them. Sakai (2021) recommends it as the primary measure "
    "for ordinal classes if several runs always give the same class, such as baselines; otherwise kappa_linear; in either case "
    "report both.",
    linearised=lambda ratings: _linearised(ratings, _by_rank(_paired_sizes(ratings))),
)
def alpha_ordinal(counts: Array) -> Array:
    return _alpha(counts, _by_rank(gold(counts) + predicted(counts)))


@_measure(
    id="alpha_interval",
    title="Krippendorff's alpha, interval",
    symbol="α-INT",
    range=(-1, 1),
    scale="interval",
    formula=_FORMULA + "δ²_ij = (v_i - v_j)²",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Errors cost their squared distance in class values.",
    linearised=lambda ratings, *, values: _linearised(ratings, distances(values) ** 2),
)
def alpha_interval(counts: Array, *, values: Array) -> Array:
    return _alpha(counts, distances(values) ** 2)


@_measure(
    id="alpha_ratio",
    title="Krippendorff's alpha, ratio",
    symbol="α-RAT",
    range=(-1, 1),
    scale="interval",
    formula=_FORMULA + "δ²_ij = ((v_i - v_j) / (v_i + v_j))²",
    source=(KRIPPENDORFF_2018,),
    undefined=(ONE_CLASS_ONLY, Undefined("a class value is negative", lambda counts, *, values: _negative(counts, values))),
    use=_USE + " Values with a natural zero: 1 and 2 are as far apart as 10 and 20. Unless the scale is "
    "an interval scale they are the ranks 1..C.",
    on_ranks="the classes have no values, so their ranks 1, 2, ... stand for values with a natural zero, which ranks do not "
    "have; declare the values (interval classes), or choose alpha_ordinal",
    linearised=lambda ratings, *, values: _linearised(ratings, _by_ratio(values)),
)
def alpha_ratio(counts: Array, *, values: Array) -> Array:
    xp = namespace(counts)
    return xp.where(_negative(counts, values), xp.nan, _alpha(counts, _by_ratio(values)))


@_measure(
    id="alpha_weighted",
    title="Krippendorff's alpha with the user's distances",
    symbol="α_w",
    range=(-math.inf, 1),
    formula=_FORMULA + "δ the distances given",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(
        Undefined(
            "the distances cost nothing between any of the classes that occur",
            lambda counts, *, symmetric_distance: _expected(counts, symmetric_distance**2) == 0,
        ),
    ),
    use=_USE + " Errors cost the square of the distance you give, as in the formula: |i - j| gives "
    "alpha_interval. Distances must be the same in both directions.",
    linearised=lambda ratings, *, symmetric_distance: _linearised(ratings, symmetric_distance**2),
)
def alpha_weighted(counts: Array, *, symmetric_distance: Array) -> Array:
    return _alpha(counts, symmetric_distance**2)
