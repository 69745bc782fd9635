"""Recall of sets of labels: how many of gold's labels a run finds."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio, select
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.multilabel.sets import (
    ITEMS,
    LABELS,
    NO_GOLD,
    RARE_LABELS,
    SETS,
    Averages,
    by_leaving_out,
    share_of_items,
)
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.sources import GODBOLE_2004, PEDREGOSA_2011, TSOUMAKAS_2010

_LABEL_NOT_IN_GOLD = Undefined(
    "gold lacks a chosen label",
    lambda hits, predicted, gold, items, *, chosen: namespace(gold).any(select(gold, chosen) == 0, axis=-1),
    of_gold=True,
)
_measure = partial(measure, inputs=SETS, better="higher", scale="nominal")


_AVERAGES = Averages(lambda hits, _, gold: ratio(hits, gold))


@_measure(
    id="recall_micro",
    title="Micro recall of sets of labels",
    symbol="R^μ",
    like={"sklearn": ("recall_score(average='micro')", "recall_score(average='weighted')")},
    aliases=("recall_weighted", "weighted_recall"),
    evidence=LABELS,
    undefined=(NO_GOLD,),
    linearised=by_leaving_out(_AVERAGES.micro),
    formula="Σ_k h_k / Σ_k g_k",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="The share of all of gold's labels that the run finds. Frequent labels decide, and whoever gives every label scores 1.",
    note="The mean of the labels' recall, each by its items in gold, is the same number: weighted recall.",
)
def recall_micro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.micro(hits, predicted, gold, items)


@_measure(
    id="recall_macro",
    title="Macro recall of sets of labels: the mean over the labels",
    symbol="R^M",
    like={"sklearn": "recall_score(average='macro')"},
    evidence=LABELS,
    undefined=(NO_GOLD,),
    linearised=by_leaving_out(_AVERAGES.macro),
    limits=RARE_LABELS,
    formula="(1/|K|) Σ_{k in K} h_k / g_k,   K the labels with g_k > 0",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="As recall_micro, where rare labels matter as much as frequent ones.",
    note="Labels that gold lacks are left out; scikit-learn counts them as 0 (zero_division=0) or as 1 (zero_division=1).",
)
def recall_macro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.macro(hits, predicted, gold, items)


@_measure(
    id="recall_samples",
    title="Recall of sets of labels: the mean over the items",
    symbol="R^s",
    like={"sklearn": "recall_score(average='samples')"},
    evidence=ITEMS,
    chance="linear",
    formula="(1/n) Σ_i |G_i ∩ P_i| / |G_i|,   1 where both sets are empty, 0 where only G_i is",
    source=(GODBOLE_2004.at("Section 4"), TSOUMAKAS_2010.at("Section 4.1")),
    use="How much of an item's labels is found on average: every item counts the same, however many labels it has.",
    note="An item without labels that gets none is right: 1; if it gets some, 0. scikit-learn counts both as 0 with "
    "zero_division=0, its default, and both as 1 with zero_division=1.",
)
def recall_samples(hits: Array, predicted: Array, gold: Array) -> Array:
    return share_of_items(hits, gold, predicted + gold)


@_measure(
    id="recall@LABEL",
    title="Recall of one label, or the mean of several",
    symbol="R({})",
    like={"sklearn": "recall_score(labels=[LABEL], average='macro')"},
    parameter=Labels(),
    evidence=LABELS,
    undefined=(_LABEL_NOT_IN_GOLD,),
    linearised=by_leaving_out(_AVERAGES.of_chosen),
    formula="h_k / g_k; of several labels, the mean",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="When one label matters: how much of it the run finds. Read it beside precision.",
    note="A label that gold lacks has no value; scikit-learn counts it as 0 (zero_division=0) or as 1.",
)
def recall(hits: Array, predicted: Array, gold: Array, items: Array, *, chosen: tuple[int, ...]) -> Array:
    return _AVERAGES.of_chosen(hits, predicted, gold, items, chosen=chosen)
