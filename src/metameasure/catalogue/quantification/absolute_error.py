"""Absolute, squared and relative errors of the probabilities, class by class."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import BLIND, DISTRIBUTIONS
from metameasure.catalogue.sources import SEBASTIANI_2020

_measure = partial(measure, inputs=DISTRIBUTIONS, better="lower")
_ONE_CLASS = Undefined("there is one class only", lambda _, gold: namespace(gold).min(gold, axis=-1) == 1, of_gold=True)
_EMPTY_CLASS = Undefined(
    "gold has a class of probability 0", lambda _, gold: namespace(gold).any(gold == 0, axis=-1), of_gold=True
)


@_measure(
    id="absolute_error",
    title="Mean absolute error of the probabilities",
    symbol="AE",
    range=(0, 1),
    formula="AE = (1/C) Σ_i |p_i - p*_i|",
    source=(SEBASTIANI_2020,),
    use="To compare with work on quantification elsewhere; nvd is the same up to a factor of C/2." + BLIND,
    aliases=("ae", "mae"),
    like={"quapy": "mae"},
)
def absolute_error(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    return xp.mean(xp.abs(predicted - gold), axis=-1)


@_measure(
    id="normalised_absolute_error",
    title="Absolute error of the probabilities, as a share of the largest possible",
    symbol="NAE",
    range=(0, 1),
    formula="NAE = Σ_i |p_i - p*_i| / (2 (1 - min_i p*_i))",
    source=(SEBASTIANI_2020,),
    undefined=(_ONE_CLASS,),
    use="Where topics whose gold is more or less even are averaged: the worst estimate of each scores 1." + BLIND,
    aliases=("nae", "mnae"),
    like={"quapy": "mnae"},
)
def normalised_absolute_error(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    return ratio(xp.sum(xp.abs(predicted - gold), axis=-1), 2 * (1 - xp.min(gold, axis=-1)))


@_measure(
    id="squared_error",
    title="Mean squared error of the probabilities",
    symbol="SE",
    range=(0, 1),
    aliases=("se", "mse"),
    formula="SE = (1/C) Σ_i (p_i - p*_i)²",
    source=(SEBASTIANI_2020,),
    use="To compare with work that used it (the Dialogue Breakdown Detection Challenge among it)." + BLIND,
)
def squared_error(predicted: Array, gold: Array) -> Array:
    return namespace(predicted).mean((predicted - gold) ** 2, axis=-1)


@_measure(
    id="relative_absolute_error",
    title="Mean relative absolute error of the probabilities",
    symbol="RAE",
    range=(0, math.inf),
    undefined=(_EMPTY_CLASS,),
    formula="RAE = (1/C) Σ_i |p_i - p*_i| / p*_i",
    source=(SEBASTIANI_2020,),
    use="Where missing a rare class is as bad as missing a frequent one. Smooth both distributions first if gold has zeros."
    + BLIND,
    aliases=("rae", "mrae"),
    like={"quapy": "mrae"},
)
def relative_absolute_error(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    return xp.mean(ratio(xp.abs(predicted - gold), gold), axis=-1)


@_measure(
    id="normalised_relative_absolute_error",
    title="Relative absolute error of the probabilities, as a share of the largest possible",
    symbol="NRAE",
    range=(0, 1),
    undefined=(_EMPTY_CLASS, _ONE_CLASS),
    formula="NRAE = Σ_i (|p_i - p*_i| / p*_i) / (C - 1 + (1 - m) / m),   m = min_i p*_i",
    source=(SEBASTIANI_2020,),
    use="As relative_absolute_error, where topics are averaged: the worst estimate of each scores 1." + BLIND,
    aliases=("nrae", "mnrae"),
    like={"quapy": "mnrae"},
)
def normalised_relative_absolute_error(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    least = xp.min(gold, axis=-1)
    worst = gold.shape[-1] - 1 + ratio(1 - least, least)
    return ratio(xp.sum(ratio(xp.abs(predicted - gold), gold), axis=-1), worst)
