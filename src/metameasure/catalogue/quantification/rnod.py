"""Order-aware divergence: squared errors of the probabilities, weighted by how far the classes are from where gold is."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, middles, namespace, ratio, select
from metameasure.catalogue.facts import ORDERED, Bound, Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS
from metameasure.catalogue.questions import SHARES_IN_ORDER
from metameasure.catalogue.sources import SAKAI_2021, SAKAI_LQ_2021

_TWICE = Bound("twice the largest distance", lambda classes, span: 2 * span)
_ROOT_TWO = Bound("√2", lambda classes, span: 2**0.5)
_DW = "DW_i = Σ_j δ_ij (p_j - p*_j)²"
_NORMALISED = "divided by the largest distance (C - 1 for steps of 1)"
_STC = (
    "One early script of NTCIR STC-3 computes rnadw under the name RSNOD. The task's leaderboard does not: the organisers' own "
    "lists hold rsnod for aspect A."
)
_BEYOND_ONE = "Not bounded by 1 for five classes or more: (1,0,0,0,0) against (0,.9,0,.05,.05) gives an RNOD of 1.0028."


def distance_weighted(predicted: Array, gold: Array, distance: Array) -> Array:
    """DW_i for each class i of cases (N, C): the error from the viewpoint of that class. For looking closer at a score."""
    squares = (predicted - gold) ** 2
    # Classes first: one product for all cases, and NumPy then sums over classes along the cases, as fast as it can.
    return namespace(predicted).matmul(distance, squares.T).T


def _over_gold_classes(weighted: Array, gold: Array) -> Array:
    """The mean of DW_i over the classes that gold has."""
    xp = namespace(gold)
    present = xp.astype(gold > 0, gold.dtype)
    return ratio(xp.sum(present * weighted, axis=-1), xp.sum(present, axis=-1))


def _largest(distance: Array) -> Array:
    """What normalises; of one class, or of classes at no distance, nothing."""
    xp = namespace(distance)
    largest = xp.max(distance)
    return xp.where(largest > 0, largest, 1.0)


def _gold_weighted(predicted: Array, gold: Array) -> Array:
    """DW_i by Eq. 11 of Sakai (LQ 2021): the distance is the gold mass from the middle of one class to the middle of the other.
    Each case has distances of its own, so it goes class by class: no case needs C x C numbers at once."""
    xp = namespace(predicted)
    middle, squares = middles(gold), (predicted - gold) ** 2
    from_class = (xp.abs(middle - middle[:, i : i + 1]) for i in range(gold.shape[-1]))
    return xp.stack([xp.vecdot(distance, squares) for distance in from_class]).T


_measure = partial(measure, asks=SHARES_IN_ORDER, inputs=DISTRIBUTIONS, better="lower", scale="interval")


@_measure(
    id="od",
    title="Order-aware divergence",
    symbol="OD",
    range=(0, _TWICE),
    formula=f"OD(p||p*) = (1/|C*|) Σ_{{i in C*}} DW_i,   {_DW}",
    source=(SAKAI_2021.at("Eq. 12-13"), SAKAI_LQ_2021.at("Eq. 2-3")),
    use="The divergence behind rnod, unnormalised. Not symmetric, except where gold and estimate have the same classes.",
    note="It emphasises errors near the ends of the scale: of two estimates that nmd calls equal it may prefer one.",
)
def od(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return _over_gold_classes(distance_weighted(predicted, gold, class_distance), gold)


@_measure(
    id="dw@LABEL",
    title="Distance-weighted sum of squares seen from one class",
    symbol="DW({})",
    range=(0, _TWICE),
    parameter=Labels(several=False),
    formula=_DW,
    source=(SAKAI_2021.at("Eq. 12"), SAKAI_LQ_2021.at("Eq. 2")),
    use="To look closer at od and what is built on it: what each class contributes.",
)
def dw(predicted: Array, gold: Array, *, class_distance: Array, chosen: tuple[int, ...]) -> Array:
    return select(distance_weighted(predicted, gold, class_distance), chosen)[..., 0]


@_measure(
    id="sod",
    title="Symmetric order-aware divergence",
    symbol="SOD",
    range=(0, _TWICE),
    formula=f"SOD = (OD(p||p*) + OD(p*||p)) / 2,   {_DW}",
    source=(SAKAI_2021.at("Section 3.2"), SAKAI_LQ_2021.at("Eq. 4")),
    use="The divergence behind rsnod, unnormalised.",
)
def sod(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    one_way = od.function(predicted, gold, class_distance=class_distance)
    return (one_way + od.function(gold, predicted, class_distance=class_distance)) / 2


@_measure(
    id="nod",
    title="Normalised order-aware divergence",
    symbol="NOD",
    range=(0, 2),
    formula=f"NOD = OD {_NORMALISED}",
    source=(SAKAI_LQ_2021.at("Section 2"),),
    use="rnod without the root: a mean of squares, so that large errors weigh more. Prefer rnod.",
)
def nod(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return od.function(predicted, gold, class_distance=class_distance) / _largest(class_distance)


@_measure(
    id="snod",
    title="Symmetric normalised order-aware divergence",
    symbol="SNOD",
    range=(0, 2),
    formula=f"SNOD = SOD {_NORMALISED}",
    source=(SAKAI_LQ_2021.at("Section 2"),),
    use="rsnod without the root. Prefer rnod.",
)
def snod(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return sod.function(predicted, gold, class_distance=class_distance) / _largest(class_distance)


@_measure(
    id="rnod",
    title="Root normalised order-aware divergence",
    symbol="RNOD",
    range=(0, _ROOT_TWO),
    headline={"quantification": 1},
    recommended=(
        Recommendation(
            "quantification",
            "primary",
            "sees the order, ranks consistently and tells most runs apart",
            SAKAI_LQ_2021.at("Section 6"),
            scales=ORDERED,
        ),
    ),
    formula=f"RNOD = sqrt(OD {_NORMALISED})",
    source=(SAKAI_2021.at("Eq. 14"), SAKAI_LQ_2021.at("Eq. 5")),
    use="Ordinal classes, if equal steps along the scale may be assumed: Sakai's recommended primary "
    "measure, the most consistent "
    "and discriminative of those that see the order. Report nmd beside it.",
    note=_BEYOND_ONE,
)
def rnod(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return namespace(predicted).sqrt(nod.function(predicted, gold, class_distance=class_distance))


@_measure(
    id="rsnod",
    title="Root symmetric normalised order-aware divergence",
    symbol="RSNOD",
    range=(0, _ROOT_TWO),
    headline={"quantification": 3},
    formula=f"RSNOD = sqrt(SOD {_NORMALISED})",
    source=(SAKAI_2021.at("Eq. 15"), SAKAI_LQ_2021.at("Eq. 6")),
    use="As rnod, where neither side is gold. Against a gold distribution symmetry is no gain, and rnod is more stable.",
    note=f"{_STC} {_BEYOND_ONE}",
)
def rsnod(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return namespace(predicted).sqrt(snod.function(predicted, gold, class_distance=class_distance))


@_measure(
    id="adw",
    title="Average distance-weighted sum of squares",
    symbol="ADW",
    range=(0, _TWICE),
    formula=f"ADW = (1/C) Σ_i DW_i,   {_DW}",
    source=(SAKAI_LQ_2021.at("Eq. 7"),),
    use="As od, over all classes instead of those that gold has; symmetric.",
)
def adw(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return namespace(predicted).mean(distance_weighted(predicted, gold, class_distance), axis=-1)


@_measure(
    id="rnadw",
    title="Root normalised average distance-weighted sum of squares",
    symbol="RNADW",
    range=(0, _ROOT_TWO),
    formula=f"RNADW = sqrt(ADW {_NORMALISED})",
    source=(SAKAI_LQ_2021.at("Eq. 8"),),
    use="As rnod, over all classes instead of those that gold has; symmetric.",
    note=_STC,
)
def rnadw(predicted: Array, gold: Array, *, class_distance: Array) -> Array:
    return namespace(predicted).sqrt(adw.function(predicted, gold, class_distance=class_distance) / _largest(class_distance))


_GOLD_DISTANCE = "δ_ij the gold mass between i and j: Σ_{k=i..j} p*_k - (p*_i + p*_j)/2"
_POINT_MASS = "Where gold is a point mass all other classes are equally far from it: order is not seen there."


@_measure(
    scale="ordinal",
    id="rnod_gold",
    title="Root normalised order-aware divergence, distances from gold",
    symbol="RNOD_gold",
    range=(0, 1),
    formula=f"sqrt(OD / (C - 1)),   {_GOLD_DISTANCE}",
    source=(SAKAI_LQ_2021.at("Eq. 11"),),
    use="As rnod, when no distances between classes may be assumed.",
    note=_POINT_MASS,
)
def rnod_gold(predicted: Array, gold: Array) -> Array:
    steps = max(1, gold.shape[-1] - 1)
    return namespace(predicted).sqrt(_over_gold_classes(_gold_weighted(predicted, gold), gold) / steps)


@_measure(
    scale="ordinal",
    id="rnadw_gold",
    title="Root normalised average distance-weighted sum of squares, distances from gold",
    symbol="RNADW_gold",
    range=(0, 1),
    formula=f"sqrt(ADW / (C - 1)),   {_GOLD_DISTANCE}",
    source=(SAKAI_LQ_2021.at("Eq. 8, 11"),),
    use="As rnadw, when no distances between classes may be assumed.",
    note=_POINT_MASS,
)
def rnadw_gold(predicted: Array, gold: Array) -> Array:
    steps = max(1, gold.shape[-1] - 1)
    xp = namespace(predicted)
    return xp.sqrt(xp.mean(_gold_weighted(predicted, gold), axis=-1) / steps)
