"""Mean absolute error, over items and over gold classes."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.classification.tables import distances, gold, mean_over_gold_classes, total, weighted_sum
from metameasure.catalogue.facts import SPAN, Coverage
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import CLOSEST
from metameasure.catalogue.sources import BACCIANELLA_2009, SAKAI_2021


def mean_over_items(counts: Array, cost: Array) -> Array:
    """The mean cost of an item, where an item of class g given class p costs cost[g, p]."""
    return ratio(weighted_sum(counts, cost), total(counts))


def mean_over_classes(counts: Array, cost: Array) -> Array:
    """The mean over C+ of the mean cost of an item of that class."""
    per_class = ratio(namespace(counts).sum(counts * cost, axis=-1), gold(counts))
    return mean_over_gold_classes(per_class, counts)


@measure(
    id="mae",
    asks=CLOSEST,
    like={"sklearn": "mean_absolute_error()"},
    chance="linear",
    title="Mean absolute error",
    symbol="MAE^μ",
    better="lower",
    range=(0, SPAN),
    scale="interval",
    aliases=("mae_micro", "mean_absolute_error"),
    formula="MAE^μ = Σ_gp |v_g - v_p| c_gp / N",
    source=(SAKAI_2021.at("Eq. 2"), BACCIANELLA_2009),
    use="Where class values are real quantities and the sample's class sizes are those that matter. On unbalanced data a run "
    "that always gives the middle class looks good: in Sakai (2021) its rankings contradict all balanced measures.",
)
def mae(counts: Array, *, values: Array) -> Array:
    return mean_over_items(counts, distances(values))


@measure(
    id="mae_macro",
    asks=CLOSEST,
    headline={"classification": 2},
    chance="linear",
    title="Macro-averaged mean absolute error",
    symbol="MAE^M",
    better="lower",
    range=(0, SPAN),
    scale="interval",
    formula="MAE^M = (1/|C+|) Σ_{g in C+} Σ_p |v_g - v_p| c_gp / G_g",
    source=(SAKAI_2021.at("Eq. 1"), BACCIANELLA_2009),
    use="Ordinal classes of unequal size, if equal steps along the scale may be assumed; the official measure of SemEval-2016 "
    "and 2017 Task 4 C. Empty gold classes are left out, not counted as 0.",
    limits={"interval/fixed-topics/normal": Coverage("where classes are rare in a topic", 0.87, 0.93)},
)
def mae_macro(counts: Array, *, values: Array) -> Array:
    return mean_over_classes(counts, distances(values))
