"""Cohen's kappa: nominal, linear, quadratic, and with the user's distances."""

from __future__ import annotations

import math

from metameasure.catalogue.arrays import Array, namespace, ratio, summed
from metameasure.catalogue.classification.tables import (
    ONE_CLASS_ONLY,
    distances,
    gold,
    predicted,
    rank_distances,
    total,
    weighted_sum,
)
from metameasure.catalogue.facts import ORDERED, Recommendation, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import BEYOND_CHANCE
from metameasure.catalogue.sources import BERGMAIR_2009, COHEN_1960, COHEN_1968, SAKAI_2021

_USE = (
    "Agreement beyond what the two sides' class sizes would give by chance. Every constant run scores 0, so it cannot rank "
    "such baselines; and it is undefined on a topic where gold and output have the same one class."
)


def expected_disagreement(first: Array, second: Array, weights: Array) -> Array:
    """The disagreement of labels drawn independently from two sides of such class sizes or shares (..., C): Σ_gp w_gp G_g P_p.
    A sum of non-negative terms, so 0 only if empty."""
    return summed(namespace(first).matmul(first, weights) * second, -1)


def _expected(counts: Array, weights: Array) -> Array:
    """N² times the disagreement of independent labels."""
    return expected_disagreement(gold(counts), predicted(counts), weights)


def _kappa(counts: Array, weights: Array) -> Array:
    """Eq. 5 of Sakai (2021): 1 - Σ w c / Σ w e, with e_gp = G_g P_p / N."""
    return 1 - ratio(weighted_sum(counts, weights) * total(counts), _expected(counts, weights))


@measure(
    id="kappa",
    asks=BEYOND_CHANCE,
    like={"sklearn": "cohen_kappa_score()"},
    headline={"entailment": 4},
    chance="zero",
    title="Cohen's kappa",
    symbol="κ",
    better="higher",
    range=(-1, 1),
    aliases=("cohen_kappa",),
    formula="κ = 1 - Σ_{g≠p} c_gp / Σ_{g≠p} e_gp,   e_gp = G_g P_p / N",
    source=(COHEN_1960, BERGMAIR_2009.at("Section 3"), SAKAI_2021.at("Eq. 5")),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Blind to order.",
    recommended=(
        Recommendation(
            "classification",
            "secondary",
            "corrects for chance and sees whether labels have their right names",
            BERGMAIR_2009.at("Section 3.1"),
            scales=("nominal",),
        ),
    ),
    note="It can rise when a run becomes less informative (degradation, Bergmair 2009, Section 5.2): see mutual_information.",
)
def kappa(counts: Array) -> Array:
    return _kappa(counts, namespace(counts).astype(rank_distances(counts) > 0, counts.dtype))


@measure(
    id="kappa_linear",
    asks=BEYOND_CHANCE,
    like={"sklearn": "cohen_kappa_score(weights='linear')"},
    headline={"classification": 3},
    recommended=(
        Recommendation(
            "classification",
            "primary",
            "sees order and imbalance, ranks consistently and tells runs apart",
            SAKAI_2021.at("Section 5.4"),
            scales=ORDERED,
            unless=("constant_runs", "no_distances"),
        ),
        Recommendation(
            "classification",
            "secondary",
            "shows another angle, but gives every constant run 0",
            SAKAI_2021.at("Section 5.4"),
            scales=ORDERED,
            where=("constant_runs",),
            unless=("no_distances",),
        ),
    ),
    chance="zero",
    title="Linear weighted kappa",
    symbol="κ_lin",
    better="higher",
    range=(-1, 1),
    scale="interval",
    aliases=("lwk", "linear_weighted_kappa"),
    formula="κ_lin = 1 - Σ_gp |v_g - v_p| c_gp / Σ_gp |v_g - v_p| e_gp,   e_gp = G_g P_p / N",
    source=(SAKAI_2021.at("Eq. 5, Section 5.4"), COHEN_1968),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE
    + " Errors cost their distance. Sakai (2021) recommends it as the primary measure for ordinal classes unless several "
    "runs always give the same class, in which case alpha_ordinal; in either case report both.",
)
def kappa_linear(counts: Array, *, values: Array) -> Array:
    return _kappa(counts, distances(values))


@measure(
    id="kappa_quadratic",
    asks=BEYOND_CHANCE,
    like={"sklearn": "cohen_kappa_score(weights='quadratic')"},
    chance="zero",
    title="Quadratic weighted kappa",
    symbol="κ_quad",
    better="higher",
    range=(-1, 1),
    scale="interval",
    aliases=("qwk", "quadratic_weighted_kappa"),
    formula="κ_quad = 1 - Σ_gp (v_g - v_p)² c_gp / Σ_gp (v_g - v_p)² e_gp,   e_gp = G_g P_p / N",
    source=(COHEN_1968, SAKAI_2021.at("Eq. 5")),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Errors cost their squared distance; usual in essay scoring.",
)
def kappa_quadratic(counts: Array, *, values: Array) -> Array:
    return _kappa(counts, distances(values) ** 2)


@measure(
    id="kappa_weighted",
    asks=BEYOND_CHANCE,
    chance="zero",
    title="Weighted kappa with the user's distances",
    symbol="κ_w",
    better="higher",
    range=(-math.inf, 1),
    formula="κ_w = 1 - Σ_gp w_gp c_gp / Σ_gp w_gp e_gp,   e_gp = G_g P_p / N,   w the distances given",
    source=(COHEN_1968, SAKAI_2021.at("Eq. 5")),
    undefined=(
        Undefined(
            "the distances cost nothing between any of the classes that occur",
            lambda counts, *, distance: _expected(counts, distance) == 0,
        ),
    ),
    use=_USE + " Errors cost what you say, in a table of distances: rows gold, columns predicted.",
)
def kappa_weighted(counts: Array, *, distance: Array) -> Array:
    return _kappa(counts, distance)
