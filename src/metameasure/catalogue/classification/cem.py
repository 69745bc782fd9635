"""Closeness Evaluation Measure: one formula, and what "closer" means on a nominal, an ordinal and an interval scale.

The closeness of class p to gold class g is the information in meeting an item at least that close to g:
prox = -log2(K_gp / N), where K_gp counts the gold items closer to g than p is, those in p itself by half.
"""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, log2_or_zero, middles, namespace, positions, ratio
from metameasure.catalogue.classification.tables import distances, gold, hits
from metameasure.catalogue.facts import ORDERED, GoldTable, Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import CLOSEST
from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021

_FORMULA = "CEM = Σ_gp prox_gp c_gp / Σ_g prox_gg G_g,   prox_gp = -log2(K_gp / N),   "
# Distances between class values are the same if they differ by less than this share of the largest distance, or by what
# rounding of the values themselves can make of it.
_SAME_DISTANCE, _ROUNDED_VALUE = 1e-12, 1e-15


def ordinal_share(gold_counts: Array) -> Array:
    """K_gp / N where what lies between p and g is closer: from the middle of p to the far end of g (Sakai 2021, Eq. 4)."""
    xp = namespace(gold_counts)
    middle, shares = middles(gold_counts), gold_counts / xp.sum(gold_counts, axis=-1)[..., None]
    return xp.abs(middle[..., :, None] - middle[..., None, :]) + shares[..., :, None] / 2


def nominal_share(gold_counts: Array) -> Array:
    """K_gp / N where a wrong class is as far as any: half of g for a hit, otherwise all items."""
    xp = namespace(gold_counts)
    shares = gold_counts / xp.sum(gold_counts, axis=-1)[..., None]
    rank = positions(gold_counts.shape[-1], like=gold_counts)
    return xp.where(rank[:, None] == rank[None, :], shares[..., :, None] / 2, 1.0)


def interval_share(gold_counts: Array, *, values: Array) -> Array:
    """K_gp / N where classes are closer by value: those nearer to g than p is, on either side, and half of those as near."""
    xp = namespace(gold_counts)
    classes = gold_counts.shape[-1]
    far = distances(values)
    slack = _SAME_DISTANCE * xp.max(far) + _ROUNDED_VALUE * xp.max(xp.abs(values))
    k_to_g, p_to_g = far[:, :, None], far[None, :, :]
    same = xp.abs(k_to_g - p_to_g) <= slack
    closer = xp.astype((k_to_g < p_to_g) & ~same, values.dtype) + xp.astype(same, values.dtype) / 2
    shares = gold_counts / xp.sum(gold_counts, axis=-1)[..., None]
    flat = xp.matmul(shares, xp.reshape(closer, (classes, classes * classes)))
    return xp.reshape(flat, (*gold_counts.shape[:-1], classes, classes))


def proximity(share: Array) -> Array:
    """prox_gp in bits; 0 where K_gp is 0, which only cells without items have."""
    return -log2_or_zero(share)


def _aggregate(counts: Array, closeness: Array) -> Array:
    """The closeness of every item's class to its gold class, over what a perfect output would have."""
    xp = namespace(counts)
    reached = xp.sum(counts * closeness, axis=(-2, -1))
    possible = xp.sum(gold(counts) * hits(closeness), axis=-1)
    return ratio(reached, possible)


_BITS = "proximity in bits"


@measure(
    id="cem_ord",
    asks=CLOSEST,
    on_gold=GoldTable(_BITS, lambda gold_counts: proximity(ordinal_share(gold_counts))),
    headline={"classification": 1},
    recommended=(
        Recommendation(
            "classification",
            "primary",
            "sees order and imbalance and assumes no distances",
            AMIGO_2020.at("Section 6"),
            scales=ORDERED,
            where=("no_distances",),
        ),
        Recommendation(
            "classification",
            "primary",
            "sees order and imbalance and assumes no distances",
            AMIGO_2020.at("Section 6"),
            scales=ORDERED,
            unless=("no_distances",),
            turn=2,
        ),
    ),
    chance="linear",
    title="Closeness Evaluation Measure, ordinal",
    symbol="CEM^ORD",
    better="higher",
    scale="ordinal",
    formula=_FORMULA + "K_gp = G_p/2 + Σ of G over the classes from p (without it) to g",
    source=(AMIGO_2020.at("Section 3.1"), SAKAI_2021.at("Eq. 3-4")),
    use="Ordinal classes, balanced or not, when no distances between them may be assumed: two classes are as far apart as there "
    "are gold items between them. The only measure here that is ordinally invariant, ordinally monotonic and sees imbalance, "
    "provided that no gold class is empty.",
    note="0 log 0 = 0 stands for the max{0.5, K} guard of Sakai (2021): the same on counts, and right on weights too.",
)
def cem_ord(counts: Array) -> Array:
    return _aggregate(counts, proximity(ordinal_share(gold(counts))))


@measure(
    id="cem_nom",
    asks=CLOSEST,
    on_gold=GoldTable(_BITS, lambda gold_counts: proximity(nominal_share(gold_counts))),
    chance="linear",
    title="Closeness Evaluation Measure, nominal",
    symbol="CEM^NOM",
    better="higher",
    formula=_FORMULA + "K_gg = G_g/2,   K_gp = N for p ≠ g",
    source=(AMIGO_2020.at("Section 3.2"),),
    use="Nominal classes of unequal size: a hit is worth more in a rare class, by its information. Equals accuracy where all "
    "classes are equally large.",
)
def cem_nom(counts: Array) -> Array:
    return _aggregate(counts, proximity(nominal_share(gold(counts))))


@measure(
    id="cem_int",
    asks=CLOSEST,
    on_gold=GoldTable(_BITS, lambda gold_counts, *, values: proximity(interval_share(gold_counts, values=values))),
    chance="linear",
    title="Closeness Evaluation Measure, interval",
    symbol="CEM^INT",
    better="higher",
    scale="interval",
    formula=_FORMULA + "K_gp = Σ of G over classes nearer to g than p is, plus half of those as near, by class values",
    source=(AMIGO_2020.at("Section 3.2"),),
    use="Classes with real distances, balanced or not; a logarithmic relative of mae where all classes are equally large.",
)
def cem_int(counts: Array, *, values: Array) -> Array:
    return _aggregate(counts, proximity(interval_share(gold(counts), values=values)))


@measure(
    id="cem_flat",
    asks=CLOSEST,
    on_gold=GoldTable("closeness", lambda gold_counts: 1 - ordinal_share(gold_counts)),
    chance="linear",
    title="Closeness Evaluation Measure without the logarithm",
    symbol="CEM^ORD_flat",
    better="higher",
    scale="ordinal",
    formula="CEM_flat = Σ_gp (1 - K_gp/N) c_gp / Σ_g (1 - G_g/2N) G_g,   K as for cem_ord",
    source=(AMIGO_2020.at("Section 5.2"),),
    use="To see what the logarithm in cem_ord does. Its authors found it worse than cem_ord throughout.",
)
def cem_flat(counts: Array) -> Array:
    return _aggregate(counts, 1 - ordinal_share(gold(counts)))


def cem_per_class(counts: Array) -> tuple[Array, Array]:
    """CEM^ORD over the items that are given a class, and over those that have it, (..., C): the closeness of output and gold
    summed over these items, over what it would be were they right. With closeness 1 for right and 0 for wrong these are
    precision and recall: Amigó et al. (2020), Proposition 2. NaN where there are none."""
    xp = namespace(counts)
    nearness = proximity(ordinal_share(xp.sum(counts, axis=-1)))
    own = xp.linalg.diagonal(nearness)
    reached = counts * xp.where(counts > 0, nearness, 0.0)
    most = counts * xp.where(counts > 0, own[..., :, None], 0.0)
    return tuple(ratio(xp.sum(reached, axis=axis), xp.sum(most, axis=axis)) for axis in (-2, -1))
