"""F1 of sets of labels: the harmonic mean of precision and recall, averaged in three ways."""

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


def of_each_label(hits: Array, predicted: Array, gold: Array) -> Array:
    """2 h / (p + g) of each label; NaN for one on neither side."""
    return share(2 * hits, predicted + gold, predicted + gold)


_AVERAGES = Averages(of_each_label)


@_measure(
    id="f1_micro",
    title="Micro F1 of sets of labels",
    symbol="F1^μ",
    like={"sklearn": "f1_score(average='micro')"},
    aliases=("micro_f1",),
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.micro),
    formula="2 Σ_k h_k / (Σ_k p_k + Σ_k g_k)",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    headline={"multilabel": 1},
    use="All decisions about labels as one: frequent labels decide. Items without labels count only where they get some.",
)
def f1_micro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.micro(hits, predicted, gold, items)


@_measure(
    id="f1_macro",
    title="Macro F1 of sets of labels: the mean over the labels",
    symbol="F1^M",
    like={"sklearn": "f1_score(average='macro')"},
    aliases=("macro_f1",),
    evidence=LABELS,
    undefined=(NOTHING,),
    linearised=by_leaving_out(_AVERAGES.macro),
    limits=RARE_LABELS,
    formula="(1/|K|) Σ_{k in K} 2 h_k / (p_k + g_k),   K the labels with p_k + g_k > 0",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    headline={"multilabel": 2},
    use="Rare labels matter as much as frequent ones. A label with few items moves it much: look at its interval.",
    note="A label that gold lacks and the run gives scores 0. One that neither has is left out; scikit-learn counts it as 0 "
    "(zero_division=0, its default) or as 1 (zero_division=1).",
)
def f1_macro(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.macro(hits, predicted, gold, items)


@_measure(
    id="f1_samples",
    title="F1 of sets of labels: the mean over the items",
    symbol="F1^s",
    like={"sklearn": "f1_score(average='samples')"},
    aliases=("samples_f1",),
    evidence=ITEMS,
    chance="linear",
    formula="(1/n) Σ_i 2 |G_i ∩ P_i| / (|G_i| + |P_i|),   1 where both sets are empty",
    source=(GODBOLE_2004.at("Section 4"), TSOUMAKAS_2010.at("Section 4.1")),
    headline={"multilabel": 3},
    use="How good an item's set of labels is on average: every item counts the same, however many labels it has.",
    note="An item without labels that gets none is right: 1. scikit-learn counts it as 0 unless it is told zero_division=1.",
)
def f1_samples(hits: Array, predicted: Array, gold: Array) -> Array:
    return share_of_items(2 * hits, predicted + gold, predicted + gold)


@_measure(
    id="f1_weighted",
    title="Weighted F1 of sets of labels: the mean over the labels, each by its items in gold",
    symbol="F1^w",
    like={"sklearn": "f1_score(average='weighted')"},
    aliases=("weighted_f1",),
    evidence=LABELS,
    undefined=(NO_GOLD,),
    linearised=by_leaving_out(_AVERAGES.weighted),
    formula="Σ_k (g_k / Σ_j g_j) 2 h_k / (p_k + g_k)",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="To compare with work that used it. Frequent labels count most, as in f1_micro, but labels that gold lacks cost nothing, "
    "however often the run gives them; f1_macro counts labels alike.",
)
def f1_weighted(hits: Array, predicted: Array, gold: Array, items: Array) -> Array:
    return _AVERAGES.weighted(hits, predicted, gold, items)


@_measure(
    id="f1@LABEL",
    title="F1 of one label, or the mean of several",
    symbol="F1({})",
    like={"sklearn": "f1_score(labels=[LABEL], average='macro')"},
    parameter=Labels(),
    evidence=LABELS,
    undefined=(LABEL_NOWHERE,),
    linearised=by_leaving_out(_AVERAGES.of_chosen),
    formula="2 h_k / (p_k + g_k); of several labels, the mean",
    source=(TSOUMAKAS_2010.at("Section 4.2"), PEDREGOSA_2011),
    use="When one label matters, or some: f1@politics+economy is the mean of two. table shows all of them.",
    note="A label that neither gold nor the run has has no value; scikit-learn counts it as 0 (zero_division=0) or as 1.",
)
def f1(hits: Array, predicted: Array, gold: Array, items: Array, *, chosen: tuple[int, ...]) -> Array:
    return _AVERAGES.of_chosen(hits, predicted, gold, items, chosen=chosen)
