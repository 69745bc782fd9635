"""Kullback-Leibler divergence, plain and normalised."""

from __future__ import annotations

import math
from functools import partial

from metameasure.catalogue.arrays import Array, log2_or_zero, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS
from metameasure.catalogue.sources import SAKAI_2021, SEBASTIANI_2020

_measure = partial(measure, inputs=DISTRIBUTIONS, better="lower")


def kullback_leibler(p: Array, q: Array) -> Array:
    """KLD(p || q) in bits: infinite where q is 0 and p is not."""
    xp = namespace(p, q)
    bits = xp.sum(p * (log2_or_zero(p) - log2_or_zero(q)), axis=-1)
    return xp.where(xp.any((p > 0) & (q == 0), axis=-1), xp.inf, bits)


@_measure(
    id="kld",
    title="Kullback-Leibler divergence of the estimate from gold",
    symbol="KLD",
    range=(0, math.inf),
    formula="KLD(p||p*) = Σ_{p_i > 0} p_i log2(p_i / p*_i), infinite where p*_i = 0 < p_i",
    source=(SAKAI_2021.at("Eq. 18"),),
    use="Rarely: one class that gold lacks and the estimate has makes it infinite. Use jsd.",
)
def kld(predicted: Array, gold: Array) -> Array:
    return kullback_leibler(predicted, gold)


@_measure(
    id="kld_of_gold",
    title="Kullback-Leibler divergence of gold from the estimate, in nats",
    symbol="KLD*",
    range=(0, math.inf),
    formula="KLD(p*||p) = Σ_{p*_i > 0} p*_i ln(p*_i / p_i), infinite where p_i = 0 < p*_i",
    source=(SEBASTIANI_2020,),
    use="To compare with work on quantification elsewhere, which smooths both distributions first: kld is the other way round "
    "and in bits. Blind to order.",
    aliases=("mkld",),
    like={"quapy": "mkld"},
)
def kld_of_gold(predicted: Array, gold: Array) -> Array:
    return kullback_leibler(gold, predicted) * math.log(2)


@_measure(
    id="normalised_kld",
    aliases=("nkld", "mnkld"),
    like={"quapy": "mnkld"},
    title="Normalised Kullback-Leibler divergence of gold from the estimate",
    symbol="NKLD",
    range=(0, 1),
    formula="NKLD = 2 e^K / (1 + e^K) - 1,   K = KLD(p*||p) in nats; 1 where it is infinite",
    source=(SEBASTIANI_2020,),
    use="To compare with work on quantification elsewhere. Blind to order.",
)
def normalised_kld(predicted: Array, gold: Array) -> Array:
    return namespace(predicted).tanh(kld_of_gold.function(predicted, gold) / 2)
