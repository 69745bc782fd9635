"""The information contrast model of weights: what gold's weights and the run's share, less what they do not, each weight of a
class worth its information."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.probabilities.ece import error_function
from metameasure.catalogue.probabilities.items import PROBABILITIES, there
from metameasure.catalogue.sources import AMIGO_2022

_measure = partial(measure, inputs=PROBABILITIES, better="higher", source=(AMIGO_2022,))


_LEAST = 2.0**-54
"""1 less a smaller number is 1: what PyEvALL takes for 0."""
_FAR, _STEPS = 2.0, 80


def _above(deviations: Array) -> Array:
    """The share of a normal distribution that lies above: by the error function near the middle, and by the continued fraction
    of its complement far above, where 1 less the error function would keep few digits."""
    xp = namespace(deviations)
    x = deviations / math.sqrt(2)
    far = xp.where(x > _FAR, x, _FAR)
    below = xp.zeros_like(far)
    for step in range(_STEPS, 0, -1):
        below = step / 2 / (far + below)
    beyond = xp.exp(-(far**2)) / (math.sqrt(math.pi) * (far + below))
    return xp.where(x > _FAR, beyond, 1.0 - error_function(xp.where(x > _FAR, 0.0, x))) / 2


def _spread(predicted: Array, gold: Array) -> tuple[Array, Array, Array]:
    """(..., 1, C): the mean of gold's weights of each class and their mean absolute deviation; and how many items there are."""
    xp = namespace(predicted, gold)
    known = there(predicted, gold)[..., None]
    items = xp.sum(xp.astype(known, gold.dtype), axis=-2, keepdims=True)
    mean = xp.sum(xp.where(known, gold, 0.0), axis=-2, keepdims=True) / items
    return mean, xp.sum(xp.where(known, xp.abs(gold - mean), 0.0), axis=-2, keepdims=True) / items, items


def _never_varies(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    mean, deviation, _ = _spread(predicted, gold)
    return xp.any(deviation <= 1e-12 * xp.where(mean > 0, mean, 1.0), axis=(-2, -1))


def _of_items(predicted: Array, gold: Array) -> tuple[Array, Array]:
    """(..., n): what each item scores, and what it would score if the run gave gold's weights; NaN where there is no item."""
    xp = namespace(predicted, gold)
    mean, deviation, items = _spread(predicted, gold)
    known = there(predicted, gold)

    def information(weights: Array) -> Array:
        far = (weights - mean) / xp.where(deviation > 0, deviation, 1.0)
        rest = _above(far)
        each = -xp.log2(xp.where(rest >= _LEAST, rest, 1.0 / items))
        return xp.sum(xp.where(weights > 0, each, 0.0), axis=-1)

    of_gold = information(gold)
    scores = 2 * information(predicted) + 2 * of_gold - 3 * information(xp.maximum(predicted, gold))
    return xp.where(known, scores, xp.nan), xp.where(known, of_gold, xp.nan)


def _value_of_items(predicted: Array, gold: Array) -> Array:
    return _of_items(predicted, gold)[0]


def _norm_of_items(predicted: Array, gold: Array) -> Array:
    """What each item adds to the normalised value, gold's information taken as it is."""
    scores, perfect = _of_items(predicted, gold)
    return (ratio(scores, mean_of_items(perfect)[..., None]) + 1) / 2


_NEVER_VARIES = Undefined("a weight never varies", _never_varies, of_gold=True)


@_measure(
    id="icm_soft",
    title="Information contrast model of weights",
    symbol="ICM-Soft",
    range=(-math.inf, math.inf),
    perfect=None,
    undefined=(_NEVER_VARIES,),
    linearised=_value_of_items,
    formula="(1/n) Σ_i 2 S(p_i) + 2 S(g_i) - 3 S(max(p_i, g_i)),   S(w) = Σ_c I(c, w_c),   I(c, w) = -log2(1 - Φ((w - μ_c) / "
    "s_c)), 0 where w = 0 and log2 n where 1 - Φ is too small for a number; μ_c the mean of gold's weights, s_c their mean "
    "absolute deviation",
    use="Gold that people disagree on, where weights of classes that are seldom sure tell most. icm_soft_norm puts a perfect "
    "output at 1. Where gold has one class for each item, icm of labels is what is asked for.",
    note="As PyEvALL has it: the spread is the mean absolute deviation, not the standard deviation. A class whose weight is the "
    "same on all items has no spread, and so no value.",
)
def icm_soft(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    return xp.where(_never_varies(predicted, gold), xp.nan, mean_of_items(_value_of_items(predicted, gold)))


@_measure(
    id="icm_soft_norm",
    title="Information contrast model of weights, normalised",
    symbol="ICM-Soft-Norm",
    undefined=(_NEVER_VARIES,),
    linearised=_norm_of_items,
    formula="(ICM-Soft / ICM-Soft of a perfect output + 1) / 2, and 0 where that is negative",
    use="ICM-Soft from 0 to 1: 1 is a perfect output, .5 one that tells as much as it misleads. Outputs below 0 score 0 alike.",
)
def icm_soft_norm(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    value = mean_of_items(_norm_of_items(predicted, gold))
    return xp.where(_never_varies(predicted, gold), xp.nan, xp.where(value < 0, 0.0, value))
