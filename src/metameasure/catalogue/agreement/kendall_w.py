"""Kendall's W: do annotators put the items into the same order?"""

from __future__ import annotations

import math

from metameasure.catalogue.agreement.ratings import PERSONS, flat
from metameasure.catalogue.arrays import Array, below, namespace, ratio
from metameasure.catalogue.classification.tables import occupied
from metameasure.catalogue.facts import Reduction, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Choice
from metameasure.catalogue.sources import KENDALL_1939


def _joint(persons: Array) -> tuple[Array, ...]:
    """Of items that all annotators have rated: how many have class k of annotator g and class l of annotator h."""
    xp = namespace(persons)
    complete = xp.astype(xp.all(xp.sum(persons, axis=-1) > 0, axis=-1), persons.dtype)
    said = flat(persons) * complete[..., None]
    return (flat(xp.matmul(xp.matrix_transpose(said), said)),)


def _square(joint: Array) -> Array:
    cells = math.isqrt(joint.shape[-1])
    return namespace(joint).reshape(joint, (*joint.shape[:-1], cells, cells))


def _sizes(joint: Array, classes: int) -> Array:
    """Each annotator's class sizes (..., annotators, C)."""
    xp = namespace(joint)
    marginal = xp.linalg.diagonal(_square(joint))
    return xp.reshape(marginal, (*marginal.shape[:-1], marginal.shape[-1] // classes, classes))


def _items(joint: Array, classes: int) -> Array:
    return namespace(joint).sum(_sizes(joint, classes)[..., 0, :], axis=-1)


def _all_constant(joint: Array, *, values: Array) -> Array:
    return namespace(joint).all(occupied(_sizes(joint, values.shape[0])) < 2, axis=-1)


@measure(
    id="kendall_w",
    title="Kendall's coefficient of concordance",
    symbol="W{}",
    inputs=PERSONS,
    evidence=Reduction((), _joint, adds=True, persons="complete"),
    parameter=Choice("ties", ("corrected", "uncorrected")),
    better="higher",
    perfect=None,
    scale="ordinal",
    undefined=(
        Undefined(
            "fewer than two items are rated by all annotators", lambda joint, *, values: _items(joint, values.shape[0]) < 2
        ),
        Undefined("every annotator gives all items the same class", _all_constant),
    ),
    formula="W = 12 S / (R² (n³ - n) - R Σ_g T_g),   S = Σ_i (R_i - mean)²,   R_i the sum of item i's ranks, ties taking their "
    "mean rank, T_g = Σ (t³ - t) over annotator g's ties of t items",
    source=(KENDALL_1939,),
    use="Ratings as rankings of the items, where annotators use the scale in different ways: only the order counts. Items with "
    "a gap are left out. @uncorrected leaves T_g out, which makes ties look like disagreement.",
    note="A perfect agreement scores 1 unless somebody gives all items the same class.",
)
def kendall_w(joint: Array, *, ties: str, values: Array) -> Array:
    xp = namespace(joint)
    classes = values.shape[0]
    sizes = _sizes(joint, classes)
    annotators = sizes.shape[-2]
    items = _items(joint, classes)
    ranks = xp.matmul(sizes, below(classes, like=joint)) + (sizes + 1) / 2
    centred = flat(ranks - (items[..., None, None] + 1) / 2)
    spread = xp.sum(xp.matmul(_square(joint), centred[..., None])[..., 0] * centred, axis=-1)
    tied = xp.sum(sizes**3 - sizes, axis=(-2, -1)) if ties == "corrected" else xp.zeros_like(items)
    value = ratio(12 * spread, annotators**2 * (items**3 - items) - annotators * tied)
    return xp.where(_all_constant(joint, values=values), xp.nan, value)
