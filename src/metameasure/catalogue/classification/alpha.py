"""Krippendorff's alpha between gold and output: nominal, ordinal, interval, and with the user's distances."""

from __future__ import annotations

import math

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.tables import ONE_CLASS_ONLY, distances, gold, predicted, rank_distances, total
from metameasure.catalogue.facts import ORDERED, Recommendation, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.scale_order import middles
from metameasure.catalogue.sources import KRIPPENDORFF_2018, SAKAI_2021

_FORMULA = "α = 1 - (2N - 1) Σ_{i<j} O_ij δ²_ij / Σ_{i<j} n_i n_j δ²_ij,   O_ij = c_ij + c_ji,   n_i = G_i + P_i,   "
_USE = (
    "Agreement beyond chance that does not ask which side is gold. Unlike kappa it tells constant runs apart. "
    "It reads the table as counts of items (2N - 1): pass counts, not proportions."
)


def _expected(counts: Array, squared: Array) -> Array:
    """Σ_{i<j} n_i n_j δ²_ij. A sum of non-negative terms, so 0 only if empty."""
    xp = namespace(counts)
    labels = gold(counts) + predicted(counts)
    return xp.sum(labels[..., :, None] * labels[..., None, :] * squared, axis=(-2, -1)) / 2


def _alpha(counts: Array, squared: Array) -> Array:
    """Eq. 6 of Sakai (2021). Items on the diagonal agree and add nothing, so Σ_{i<j} O_ij δ² is a sum over the table."""
    observed = namespace(counts).sum(counts * squared, axis=(-2, -1))
    return 1 - ratio((2 * total(counts) - 1) * observed, _expected(counts, squared))


@measure(
    id="alpha_nominal",
    title="Krippendorff's alpha, nominal",
    symbol="α-NOM",
    better="higher",
    range=(-1, 1),
    proportional=False,
    formula=_FORMULA + "δ²_ij = 1",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Blind to order.",
)
def alpha_nominal(counts: Array) -> Array:
    xp = namespace(counts)
    return _alpha(counts, xp.astype(rank_distances(counts) > 0, counts.dtype))


@measure(
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
    better="higher",
    range=(-1, 1),
    scale="ordinal",
    proportional=False,
    formula=_FORMULA + "δ²_ij = (Σ_{k=i..j} n_k - (n_i + n_j)/2)²",
    source=(SAKAI_2021.at("Eq. 6-7, Section 5.4"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE
    + " Two classes are as far apart as there are labels between them. Sakai (2021) recommends it as the primary measure "
    "for ordinal classes if several runs always give the same class, such as baselines; otherwise kappa_linear; in either case "
    "report both.",
)
def alpha_ordinal(counts: Array) -> Array:
    labels = gold(counts) + predicted(counts)
    # Eq. 7 is the distance between the classes' middles when all labels are lined up; as shares, to stay in range at any N.
    middle = middles(labels)
    return _alpha(counts, (middle[..., :, None] - middle[..., None, :]) ** 2)


@measure(
    id="alpha_interval",
    title="Krippendorff's alpha, interval",
    symbol="α-INT",
    better="higher",
    range=(-1, 1),
    scale="interval",
    proportional=False,
    formula=_FORMULA + "δ²_ij = (v_i - v_j)²",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(ONE_CLASS_ONLY,),
    use=_USE + " Errors cost their squared distance in class values.",
)
def alpha_interval(counts: Array, *, values: Array) -> Array:
    return _alpha(counts, distances(values) ** 2)


@measure(
    id="alpha_weighted",
    title="Krippendorff's alpha with the user's distances",
    symbol="α_w",
    better="higher",
    range=(-math.inf, 1),
    proportional=False,
    formula=_FORMULA + "δ the distances given",
    source=(SAKAI_2021.at("Eq. 6"), KRIPPENDORFF_2018),
    undefined=(
        Undefined(
            "the distances cost nothing between any of the classes that occur",
            lambda counts, *, symmetric_distance: _expected(counts, symmetric_distance**2) == 0,
        ),
    ),
    use=_USE + " Errors cost the square of the distance you give (--distance FILE), as in the formula: |i - j| gives "
    "alpha_interval. Distances must be the same in both directions.",
)
def alpha_weighted(counts: Array, *, symmetric_distance: Array) -> Array:
    return _alpha(counts, symmetric_distance**2)
