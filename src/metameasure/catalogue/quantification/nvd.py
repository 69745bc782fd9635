"""Variational distance, normalised or not, and its relative by squares, RNSS."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import BLIND, DISTRIBUTIONS
from metameasure.catalogue.sources import LEONARDELLI_2025, SAKAI_2021, SAKAI_LQ_2021

_measure = partial(measure, inputs=DISTRIBUTIONS, better="lower", range=(0, 1))


@_measure(
    id="nvd",
    title="Normalised variational distance",
    symbol="NVD",
    headline={"quantification": 4},
    recommended=(
        Recommendation(
            "quantification",
            "primary",
            "tells most runs apart where classes have no order",
            SAKAI_LQ_2021.at("Section 6"),
            scales=("nominal",),
        ),
    ),
    formula="NVD = Σ_i |p_i - p*_i| / 2",
    source=(SAKAI_2021.at("Eq. 16"),),
    use="Nominal classes: the share of probability that is in the wrong place." + BLIND,
)
def nvd(predicted: Array, gold: Array) -> Array:
    return manhattan.function(predicted, gold) / 2


@measure(
    id="manhattan",
    title="Manhattan distance",
    symbol="L1",
    inputs=DISTRIBUTIONS,
    better="lower",
    range=(0, 2),
    formula="L1 = Σ_i |p_i - p*_i|",
    source=(LEONARDELLI_2025,),
    use="Soft labels of nominal classes: LeWiDi's measure, twice nvd. Where an item may have several labels, take the mean "
    "over the labels of the distance between having that label and not." + BLIND,
)
def manhattan(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    return xp.sum(xp.abs(predicted - gold), axis=-1)


@_measure(
    id="rnss",
    title="Root normalised sum of squares",
    symbol="RNSS",
    headline={"quantification": 5},
    formula="RNSS = sqrt(Σ_i (p_i - p*_i)² / 2)",
    source=(SAKAI_2021.at("Eq. 17"),),
    use="Nominal classes, where one large error is worse than several small ones." + BLIND,
)
def rnss(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted)
    return xp.sqrt(xp.sum((predicted - gold) ** 2, axis=-1) / 2)
