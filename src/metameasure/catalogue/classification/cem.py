"""Closeness Evaluation Measure: one formula, and what "closer" means on a nominal, an ordinal and an interval scale.

The closeness of class p to gold class g is the information in meeting an item at least that close to g:
prox = -log2(K_gp / N), where K_gp counts the gold items closer to g than p is, those in p itself by half.
"""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, log2_or_zero, namespace, positions, ratio
from metameasure.catalogue.classification.tables import TABLES, distances, gold, hits
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021

_FORMULA = "CEM = Σ_gp prox_gp c_gp / Σ_g prox_gg G_g,   prox_gp = -log2(K_gp / N),   "
# Distances between class values are the same if they differ by less than this share of the largest distance, or by what
# rounding of the values themselves can make of it.
_SAME_DISTANCE, _ROUNDED_VALUE = 1e-12, 1e-15


def ordinally_closer(classes: int, like: Array) -> Array:
    """[k, g, p]: 1 where class k lies between p and g (g included, p not), 1/2 where k is p."""
    xp = namespace(like)
    rank = positions(classes, like)
    k, g, p = rank[:, None, None], rank[None, :, None], rank[None, None, :]
    between = ((k - g) * (k - p) <= 0) & (k != p)
    return xp.astype(between, like.dtype) + xp.astype(k == p, like.dtype) / 2


def nominally_closer(classes: int, like: Array) -> Array:
    """[k, g, p]: 1 for every k where p is wrong; where p = g, 1/2 for k = g."""
    xp = namespace(like)
    rank = positions(classes, like)
    k, g, p = rank[:, None, None], rank[None, :, None], rank[None, None, :]
    return xp.astype(g != p, like.dtype) + xp.astype((g == p) & (k == g), like.dtype) / 2


def closer_by_value(values: Array) -> Array:
    """[k, g, p]: 1 where k is strictly nearer to g than p is, on either side; 1/2 where it is as near."""
    xp = namespace(values)
    far = distances(values)
    k_to_g, p_to_g = far[:, :, None], far[None, :, :]
    slack = _SAME_DISTANCE * xp.max(far) + _ROUNDED_VALUE * xp.max(xp.abs(values))
    same = xp.abs(k_to_g - p_to_g) <= slack
    return xp.astype((k_to_g < p_to_g) & ~same, values.dtype) + xp.astype(same, values.dtype) / 2


def share_closer(gold_counts: Array, closer: Array) -> Array:
    """K_gp / N from the gold class sizes (..., C), for each gold class g and predicted class p."""
    xp = namespace(gold_counts)
    classes = gold_counts.shape[-1]
    shares = gold_counts / xp.sum(gold_counts, axis=-1)[..., None]
    flat = xp.matmul(shares, xp.reshape(closer, (classes, classes * classes)))
    return xp.reshape(flat, (*gold_counts.shape[:-1], classes, classes))


def proximity(gold_counts: Array, closer: Array) -> Array:
    """prox_gp in bits; 0 where K_gp is 0, which only cells without items have."""
    return -log2_or_zero(share_closer(gold_counts, closer))


def _aggregate(counts: Array, closeness: Array) -> Array:
    """The closeness of every item's class to its gold class, over what a perfect output would have."""
    xp = namespace(counts)
    reached = xp.sum(counts * closeness, axis=(-2, -1))
    possible = xp.sum(gold(counts) * hits(closeness), axis=-1)
    return ratio(reached, possible)


@measure(
    id="cem_ord",
    title="Closeness Evaluation Measure, ordinal",
    symbol="CEM^ORD",
    tasks=("classification",),
    inputs=TABLES,
    better="higher",
    range=(0, 1),
    perfect=1,
    scale="ordinal",
    formula=_FORMULA + "K_gp = G_p/2 + Σ of G over the classes from p (without it) to g",
    source=(AMIGO_2020.at("Section 3.1"), SAKAI_2021.at("Eq. 3-4")),
    undefined=(),
    use="Ordinal classes, balanced or not, when no distances between them may be assumed: two classes are as far apart as there "
    "are gold items between them. The only measure here that is ordinally invariant, ordinally monotonic and sees imbalance, "
    "provided that no gold class is empty.",
    note="0 log 0 = 0 stands for the max{0.5, K} guard of Sakai (2021): the same on counts, and right on weights too.",
)
def cem_ord(counts: Array) -> Array:
    return _aggregate(counts, proximity(gold(counts), ordinally_closer(counts.shape[-1], like=counts)))


@measure(
    id="cem_nom",
    title="Closeness Evaluation Measure, nominal",
    symbol="CEM^NOM",
    tasks=("classification",),
    inputs=TABLES,
    better="higher",
    range=(0, 1),
    perfect=1,
    scale="nominal",
    formula=_FORMULA + "K_gg = G_g/2,   K_gp = N for p ≠ g",
    source=(AMIGO_2020.at("Section 3.2"),),
    undefined=(),
    use="Nominal classes of unequal size: a hit is worth more in a rare class, by its information. Equals accuracy where all "
    "classes are equally large.",
)
def cem_nom(counts: Array) -> Array:
    return _aggregate(counts, proximity(gold(counts), nominally_closer(counts.shape[-1], like=counts)))


@measure(
    id="cem_int",
    title="Closeness Evaluation Measure, interval",
    symbol="CEM^INT",
    tasks=("classification",),
    inputs=TABLES,
    better="higher",
    range=(0, 1),
    perfect=1,
    scale="interval",
    formula=_FORMULA + "K_gp = Σ of G over classes nearer to g than p is, plus half of those as near, by class values",
    source=(AMIGO_2020.at("Section 3.2"),),
    undefined=(),
    use="Classes with real distances, balanced or not; a logarithmic relative of mae where all classes are equally large.",
)
def cem_int(counts: Array, *, values: Array) -> Array:
    return _aggregate(counts, proximity(gold(counts), closer_by_value(values)))


@measure(
    id="cem_flat",
    title="Closeness Evaluation Measure without the logarithm",
    symbol="CEM^ORD_flat",
    tasks=("classification",),
    inputs=TABLES,
    better="higher",
    range=(0, 1),
    perfect=1,
    scale="ordinal",
    formula="CEM_flat = Σ_gp (1 - K_gp/N) c_gp / Σ_g (1 - G_g/2N) G_g,   K as for cem_ord",
    source=(AMIGO_2020.at("Section 5.2"),),
    undefined=(),
    use="To see what the logarithm in cem_ord does. Its authors found it worse than cem_ord throughout.",
)
def cem_flat(counts: Array) -> Array:
    return _aggregate(counts, 1 - share_closer(gold(counts), ordinally_closer(counts.shape[-1], like=counts)))
