"""Logarithmic loss: how surprised somebody is who believes the run's probabilities."""

from __future__ import annotations

import math

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.probabilities.items import PROBABILITIES, mean_over_items
from metameasure.catalogue.sources import GNEITING_2007, GOOD_1952


@measure(
    id="log_loss",
    title="Logarithmic loss",
    symbol="LL",
    like={"sklearn": "log_loss()"},
    aliases=("cross_entropy", "neg_log_loss"),
    inputs=PROBABILITIES,
    better="lower",
    range=(0, math.inf),
    perfect=None,
    chance="linear",
    headline={"probabilities": 1},
    formula="-(1/n) Σ_i Σ_c g_ic ln p_ic,   which is -(1/n) Σ_i ln p_{i,y_i} where each item has one class",
    source=(GOOD_1952,),
    recommended=(
        Recommendation(
            "probabilities",
            "primary",
            "is strictly proper: only the true probabilities have the lowest expected loss",
            GNEITING_2007.at("Section 3"),
            scales=("nominal",),
        ),
    ),
    use="Probabilities that are acted on at any stakes: only the true probabilities have the lowest expected loss. It punishes "
    "without limit whoever is sure and wrong.",
    note="In nats. A class of gold with the probability 0 makes it infinite, and the number of such items is said; scikit-learn "
    "takes the smallest number that it can tell from 0 instead (36.04 for each such item). Rows that do not add up to 1 are "
    "refused; scikit-learn warns. With gold of several classes it is the expected loss, whose least value is gold's own entropy.",
)
def log_loss(predicted: Array, gold: Array) -> Array:
    xp = namespace(predicted, gold)
    ruled_out = (gold > 0) & (predicted == 0)
    surprise = xp.where(gold > 0, -gold * xp.log(xp.where((gold > 0) & ~ruled_out, predicted, 1.0)), 0.0)
    surprise = xp.where(ruled_out, xp.inf, surprise)
    return mean_over_items(predicted, gold, xp.sum(surprise, axis=-1))
