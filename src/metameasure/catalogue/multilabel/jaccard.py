"""Jaccard's index of sets of labels, averaged in three ways."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array
from metameasure.catalogue.measure import measure
from metameasure.catalogue.multilabel.sets import (
    ITEMS,
    LABEL_NOWHERE,
    LABELS,
    NO_GOLD,
    NOTHING,
    RARE_LABELS,
    SETS,
    Averages,
    by_leaving_out,
    share,
    share_of_items,
)
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.sources import GODBOLE_2004, JACCARD_1912, PEDREGOSA_2011

_measure = partial(measure, inputs=SETS, better="higher", scale="nominal")


def _of_each(hits: Array, predicted: Array, gold: Array) -> Array:
    return share(hits, predicted + gold - hits, predicted + gold)


_AVERAGES = Averages(_of_each)


@_measure(
    id="jaccard_micro",
    title="Micro Jaccard index of sets of labels",
    symbol="J^μ",
    like={"sklearn": "jaccard_score(average='micro')"},
    aliases=("micro_jaccard",),
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.micro),
    formula="Σ_k h_k / Σ_k (p_k + g_k - h_k)",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use="To compare with work that used it: it orders runs as f1_micro F does, being F / (2 - F).",
)
def jaccard_micro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.micro(hits, predicted, gold, items)


@_measure(
    id="jaccard_macro",
    title="Macro Jaccard index of sets of labels: the mean over the labels",
    symbol="J^M",
    like={"sklearn": "jaccard_score(average='macro')"},
    aliases=("macro_jaccard",),
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.macro),
    limits=RARE_LABELS,
    formula="(1/|K|) Σ_{k in K} h_k / (p_k + g_k - h_k),   K the labels with p_k + g_k > 0",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use="As f1_macro: it orders single labels as F1 does, but their means differ.",
    note="A label that gold lacks and the run gives scores 0. One that neither has is left out; scikit-learn counts it as 0.",
)
def jaccard_macro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.macro(hits, predicted, gold, items)


@_measure(
    id="jaccard_samples",
    title="Jaccard index of sets of labels: the mean over the items",
    symbol="J^s",
    like={"sklearn": "jaccard_score(average='samples')"},
    aliases=("samples_jaccard",),
    evidence=ITEMS,
    chance="linear",
    formula="(1/n) Σ_i |G_i ∩ P_i| / |G_i ∪ P_i|,   1 where both sets are empty",
    source=(GODBOLE_2004.at("Section 4"), JACCARD_1912),
    use="The overlap of an item's two sets, on average. Much work on sets of labels calls this accuracy.",
    note="An item without labels that gets none is right: 1. scikit-learn counts it as 0 unless it is told zero_division=1.",
)
def jaccard_samples(hits: Array, predicted: Array, gold: Array) -> Array:
    return share_of_items(hits, predicted + gold - hits, predicted + gold)


@_measure(
    id="jaccard_weighted",
    title="Weighted Jaccard index of sets of labels: the mean over the labels, each by its items in gold",
    symbol="J^w",
    like={"sklearn": "jaccard_score(average='weighted')"},
    aliases=("weighted_jaccard",),
    evidence=LABELS,
    undefined=(NO_GOLD,),
    linearised=by_leaving_out(_AVERAGES.weighted),
    formula="Σ_k (g_k / Σ_j g_j) h_k / (p_k + g_k - h_k)",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use="To compare with work that used it. Frequent labels count most; labels that gold lacks count nothing, however "
    "often the run gives them.",
)
def jaccard_weighted(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.weighted(hits, predicted, gold, items)


@_measure(
    id="jaccard@LABEL",
    title="Jaccard index of one label, or the mean of several",
    symbol="J({})",
    like={"sklearn": "jaccard_score(labels=[LABEL], average='macro')"},
    parameter=Labels(),
    evidence=LABELS,
    undefined=(LABEL_NOWHERE,),
    linearised=by_leaving_out(_AVERAGES.of_chosen),
    formula="h_k / (p_k + g_k - h_k); of several labels, the mean",
    source=(JACCARD_1912, PEDREGOSA_2011),
    use="The overlap of the items that have a label and those that get it: it orders runs as f1@LABEL does.",
)
def jaccard(hits: Array, predicted: Array, gold: Array, items: Array, *, chosen: tuple[int, ...]) -> Array:
    return _AVERAGES.of_chosen(hits, predicted, gold, items, chosen=chosen)
