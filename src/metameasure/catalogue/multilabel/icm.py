"""The information contrast model of sets of labels: what both sets share, less what they do not, each label worth its
information."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.icm import information
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.multilabel.sets import LABELS, SETS, by_leaving_out
from metameasure.catalogue.sources import AMIGO_2022

_measure = partial(measure, inputs=SETS, evidence=LABELS, better="higher", scale="nominal", source=(AMIGO_2022,))


def _contrast(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    xp = namespace(hits)
    number = items[..., 0]
    return xp.sum((3 * hits - predicted - gold) * information(gold, number), axis=-1) / number


def _norm(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    xp = namespace(hits)
    of_perfect = _contrast(gold, gold, gold, items)
    value = (ratio(_contrast(hits, predicted, gold, items), xp.where(of_perfect > 1e-12, of_perfect, 0.0)) + 1) / 2
    return xp.where(value < 0, 0.0, value)


_NO_INFORMATION = Undefined(
    "gold gives each label to every item or to none",
    lambda hits, predicted, gold, items: namespace(gold).all((gold == 0) | (gold == items), axis=-1),
    of_gold=True,
)


@_measure(
    id="icm",
    title="Information contrast model of sets of labels",
    symbol="ICM",
    range=(-math.inf, math.inf),
    perfect=None,
    linearised=by_leaving_out(_contrast),
    formula="(1/n) Σ_k (3 h_k - p_k - g_k) I(k),   I(k) = -log2(g_k / n), and log2 n where g_k = 0",
    use="Where rare labels tell most: a label that is found earns its information, one that is missed or wrong costs it. "
    "icm_norm puts a perfect output at 1.",
    note="This is 2 I(P) + 2 I(G) - 3 I(P ∪ G) of labels without a hierarchy, averaged over items. Items with one label on "
    "each side score as by the icm of classes; an item without labels that gets none scores 0.",
)
def icm(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _contrast(hits, predicted, gold, items)


@_measure(
    id="icm_norm",
    title="Information contrast model of sets of labels, normalised",
    symbol="ICM-Norm",
    undefined=(_NO_INFORMATION,),
    linearised=by_leaving_out(_norm),
    formula="(ICM / ICM of a perfect output + 1) / 2, and 0 where that is negative",
    use="ICM from 0 to 1: 1 is a perfect output, .5 one that tells as much as it misleads. All outputs below 0 score 0 alike.",
)
def icm_norm(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _norm(hits, predicted, gold, items)
