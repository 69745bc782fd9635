"""Ranked probability score of items: how far, in steps of the scale, probabilities are from what happened."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array
from metameasure.catalogue.facts import ORDERED, STEPS, Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.probabilities.items import PROBABILITIES, mean_over_items
from metameasure.catalogue.quantification.rps import rps as rps_of_distributions
from metameasure.catalogue.sources import EPSTEIN_1969, GNEITING_2007


@measure(
    id="rps",
    title="Ranked probability score of items",
    symbol="RPS",
    inputs=PROBABILITIES,
    better="lower",
    range=(0, STEPS),
    perfect=None,
    scale="ordinal",
    chance="linear",
    headline={"probabilities": 3},
    formula="(1/n) Σ_i Σ_{k<C} (F_ik - G_ik)² + G_ik (1 - G_ik),   F_i and G_i the cumulative p_i and g_i",
    source=(EPSTEIN_1969,),
    recommended=(
        Recommendation(
            "probabilities",
            "primary",
            "is strictly proper, and knows that a near class is a smaller fault than a far one",
            GNEITING_2007.at("Section 4.2"),
            scales=ORDERED,
        ),
    ),
    use="Probabilities of ordered classes: mass in the next class is a smaller fault than in the farthest.",
    note="The mean over items of what rps is of distributions, where gold is a topic's.",
)
def rps(predicted: Array, gold: Array) -> Array:
    return mean_over_items(predicted, gold, rps_of_distributions.function(predicted, gold))
