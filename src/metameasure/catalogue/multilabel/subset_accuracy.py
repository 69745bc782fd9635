"""Subset accuracy: the share of items whose whole set of labels is right."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.multilabel.sets import ITEMS, SETS
from metameasure.catalogue.outcomes.mean import mean_of_items
from metameasure.catalogue.sources import TSOUMAKAS_2010


@measure(
    id="subset_accuracy",
    title="Subset accuracy",
    symbol="A",
    like={"sklearn": "accuracy_score()"},
    aliases=("exact_match_ratio",),
    inputs=SETS,
    evidence=ITEMS,
    better="higher",
    scale="nominal",
    chance="linear",
    formula="(1/n) Σ_i [G_i = P_i]",
    source=(TSOUMAKAS_2010.at("Section 4.1"),),
    headline={"multilabel": 5},
    use="Where a set that is almost right is of no use. With many labels it is low, and says little about how far off sets are.",
    note="An item without labels that gets none is right.",
)
def subset_accuracy(hits: Array, predicted: Array, gold: Array) -> Array:
    xp = namespace(hits)
    right = xp.astype((hits == predicted) & (hits == gold), hits.dtype)
    return mean_of_items(xp.where(xp.isnan(hits), xp.nan, right))
