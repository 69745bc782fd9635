"""The all-threshold loss of ordinal regression, for runs that give classes."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array
from metameasure.catalogue.classification.mae import mean_over_items
from metameasure.catalogue.classification.tables import rank_distances
from metameasure.catalogue.facts import Bound
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import CLOSEST
from metameasure.catalogue.sources import AMIGO_2020, RENNIE_2005


@measure(
    id="threshold_loss",
    asks=CLOSEST,
    chance="linear",
    title="All-threshold hinge loss",
    symbol="L_all",
    better="lower",
    range=(0, Bound("C (C-1)", lambda classes, span: classes * (classes - 1.0))),
    scale="interval",
    formula="L_all = Σ_gp d (d + 1) c_gp / N,   d = |g - p|",
    source=(RENNIE_2005, AMIGO_2020.at("Section 4.2")),
    use="To score classes by the loss that ordinal regression is often trained on. With class centres 2 apart and thresholds "
    "midway, each threshold an item is on the wrong side of adds its hinge, 2 + 4 + ... = d (d + 1): mae plus mse, in steps.",
)
def threshold_loss(counts: Array) -> Array:
    steps = rank_distances(counts)
    return mean_over_items(counts, steps * (steps + 1))
