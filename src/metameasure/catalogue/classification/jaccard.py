"""Jaccard's index of each class, averaged in three ways."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, ratio, summed
from metameasure.catalogue.classification.tables import (
    gold,
    hits,
    mean_over_gold_classes,
    predicted,
    total,
    weighted_by_gold,
)
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import EACH_CLASS
from metameasure.catalogue.sources import JACCARD_1912, PEDREGOSA_2011

_USE = "The overlap of the items that are in a class and those that are given it; each error counts twice, once for either class."


def jaccard_per_class(counts: Array) -> Array:
    """c_kk / (G_k + P_k - c_kk); NaN for a class on neither side."""
    return ratio(hits(counts), gold(counts) + predicted(counts) - hits(counts))


@measure(
    id="jaccard_macro",
    asks=EACH_CLASS,
    like={"sklearn": "jaccard_score(average='macro')"},
    title="Macro Jaccard index: the mean over the classes",
    symbol="J^M",
    better="higher",
    aliases=("macro_jaccard", "mean_iou"),
    formula="J^M = (1/|C+|) Σ_{k in C+} c_kk / (G_k + P_k - c_kk)",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use=_USE + " It orders single classes as F1 does, but their means differ. Blind to order.",
    note="Classes that gold lacks are left out. scikit-learn counts such a class as 0 if the run predicts it.",
)
def jaccard_macro(counts: Array) -> Array:
    return mean_over_gold_classes(jaccard_per_class(counts), counts)


@measure(
    id="jaccard_weighted",
    asks=EACH_CLASS,
    like={"sklearn": "jaccard_score(average='weighted')"},
    title="Weighted Jaccard index: the mean over the classes, weighted by gold's shares",
    symbol="J^w",
    better="higher",
    aliases=("weighted_jaccard",),
    formula="J^w = Σ_k (G_k / N) c_kk / (G_k + P_k - c_kk)",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use=_USE + " Large classes count most. Blind to order.",
)
def jaccard_weighted(counts: Array) -> Array:
    return weighted_by_gold(jaccard_per_class(counts), counts)


@measure(
    id="jaccard_micro",
    asks=EACH_CLASS,
    like={"sklearn": "jaccard_score(average='micro')"},
    title="Micro Jaccard index",
    symbol="J^μ",
    better="higher",
    aliases=("micro_jaccard",),
    formula="J^μ = Σ_k c_kk / (2 N - Σ_k c_kk)",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use="To compare with work that used it: it orders runs as accuracy A does, being A / (2 - A). Blind to order.",
)
def jaccard_micro(counts: Array) -> Array:
    right = summed(hits(counts), -1)
    return ratio(right, 2 * total(counts) - right)
