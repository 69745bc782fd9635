"""Precision of sets of labels: how many of the labels that a run gives are right."""

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
from metameasure.catalogue.sources import GODBOLE_2004, PEDREGOSA_2011, TSOUMAKAS_2010

_measure = partial(measure, inputs=SETS, better="higher", scale="nominal")


_AVERAGES = Averages(lambda hits, predicted, gold: share(hits, predicted, predicted + gold))


@_measure(
    id="precision_micro",
    title="Micro precision of sets of labels",
    symbol="P^μ",
    like={"sklearn": "precision_score(average='micro')"},
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.micro),
    formula="Σ_k h_k / Σ_k p_k",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="The share of all labels that the run gives which are right. Frequent labels decide.",
    note="A run that gives no label at all scores 0, as in scikit-learn with zero_division=0.",
)
def precision_micro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.micro(hits, predicted, gold, items)


@_measure(
    id="precision_macro",
    title="Macro precision of sets of labels: the mean over the labels",
    symbol="P^M",
    like={"sklearn": "precision_score(average='macro')"},
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.macro),
    limits=RARE_LABELS,
    formula="(1/|K|) Σ_{k in K} h_k / p_k,   K the labels with p_k + g_k > 0, and 0 where p_k = 0",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="As precision_micro, where rare labels matter as much as frequent ones.",
    note="A label that gold has and the run never gives scores 0. One that neither has is left out; scikit-learn counts it as 0 "
    "(zero_division=0) or as 1 (zero_division=1).",
)
def precision_macro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.macro(hits, predicted, gold, items)


@_measure(
    id="precision_samples",
    title="Precision of sets of labels: the mean over the items",
    symbol="P^s",
    like={"sklearn": "precision_score(average='samples')"},
    evidence=ITEMS,
    chance="linear",
    formula="(1/n) Σ_i |G_i ∩ P_i| / |P_i|,   1 where both sets are empty, 0 where only P_i is",
    source=(GODBOLE_2004.at("Section 4"), TSOUMAKAS_2010.at("Section 4.1")),
    use="How right an item's labels are on average: every item counts the same, however many labels it has.",
    note="An item without labels that gets none is right: 1. scikit-learn counts it as 0 with zero_division=0, its default; with "
    "zero_division=1 it counts every item that gets no label as 1, whatever gold says.",
)
def precision_samples(hits: Array, predicted: Array, gold: Array) -> Array:
    return share_of_items(hits, predicted, predicted + gold)


@_measure(
    id="precision_weighted",
    title="Weighted precision of sets of labels: the mean over the labels, each by its items in gold",
    symbol="P^w",
    like={"sklearn": "precision_score(average='weighted')"},
    aliases=("weighted_precision",),
    evidence=LABELS,
    undefined=(NO_GOLD,),
    linearised=by_leaving_out(_AVERAGES.weighted),
    formula="Σ_k (g_k / Σ_j g_j) h_k / p_k",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="To compare with work that used it. Frequent labels count most; labels that gold lacks count nothing, however "
    "often the run gives them.",
)
def precision_weighted(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.weighted(hits, predicted, gold, items)


@_measure(
    id="precision@LABEL",
    title="Precision of one label, or the mean of several",
    symbol="P({})",
    like={"sklearn": "precision_score(labels=[LABEL], average='macro')"},
    parameter=Labels(),
    evidence=LABELS,
    undefined=(LABEL_NOWHERE,),
    linearised=by_leaving_out(_AVERAGES.of_chosen),
    formula="h_k / p_k; of several labels, the mean",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="When one label matters: how far to trust the run where it gives the label. Read it beside recall.",
    note="A label that gold has and the run never gives scores 0. One that neither has has no value; scikit-learn counts it as 0 "
    "(zero_division=0) or as 1.",
)
def precision(hits: Array, predicted: Array, gold: Array, items: Array, *, chosen: tuple[int, ...]) -> Array:
    return _AVERAGES.of_chosen(hits, predicted, gold, items, chosen=chosen)
