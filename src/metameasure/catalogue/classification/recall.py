"""Recall of chosen classes and over all."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions, ratio, select
from metameasure.catalogue.classification.tables import CONSTANT_GOLD, gold, hits, mean_over_gold_classes, occupied
from metameasure.catalogue.facts import WORTH, GoldTable, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.questions import EACH_CLASS
from metameasure.catalogue.sources import AMIGO_2020, BERGMAIR_2009, PEDREGOSA_2011, SAKAI_2021


def recall_per_class(counts: Array) -> Array:
    """c_gg / G_g; NaN for a class that gold lacks."""
    return ratio(hits(counts), gold(counts))


def _worth(gold_counts: Array, chosen: tuple[int, ...] | None) -> Array:
    """1 / G_k for a hit in a class that counts: what it adds to the mean of recalls."""
    xp = namespace(gold_counts)
    rank = positions(gold_counts.shape[-1], like=gold_counts)
    hit = rank[:, None] == rank[None, :]
    wanted = hit if chosen is None else hit & xp.any(rank[:, None, None] == xp.asarray(chosen, dtype=rank.dtype), axis=-1)
    some = xp.where(gold_counts > 0, gold_counts, 1.0)[..., :, None]
    return xp.where(wanted & (gold_counts > 0)[..., :, None], 1 / some, 0.0)


CLASS_NOT_IN_GOLD = Undefined(
    "gold lacks a chosen class",
    lambda counts, *, chosen: namespace(counts).any(select(gold(counts), chosen) == 0, axis=-1),
    of_gold=True,
)


@measure(
    id="recall@LABEL",
    asks=EACH_CLASS,
    on_gold=GoldTable(WORTH, lambda gold_counts, *, chosen: _worth(gold_counts, chosen)),
    chance="linear",
    title="Recall of a class",
    symbol="Rec({})",
    like={"sklearn": "recall_score(labels=[LABEL], average='macro')"},
    better="higher",
    parameter=Labels(),
    formula="Rec_k = c_kk / G_k; of several classes, the mean",
    source=(SAKAI_2021.at("Section 3.1"), AMIGO_2020.at("Proposition 2"), BERGMAIR_2009.at("Section 3")),
    undefined=(CLASS_NOT_IN_GOLD,),
    use="When one class matters: how much of it the run finds. Read it beside precision.",
)
def recall(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return namespace(counts).mean(select(recall_per_class(counts), chosen), axis=-1)


@measure(
    id="macro_recall",
    asks=EACH_CLASS,
    like={"sklearn": ("balanced_accuracy_score()", "recall_score(average='macro')")},
    on_gold=GoldTable(WORTH, lambda gold_counts: _worth(gold_counts, None)),
    headline={"classification": 6},
    chance="linear",
    title="Macro-averaged recall",
    symbol="Rec^M",
    better="higher",
    aliases=("maac", "macro_accuracy", "balanced_accuracy", "average_recall", "recall_macro", "uar"),
    formula="Rec^M = (1/|C+|) Σ_{k in C+} c_kk / G_k",
    source=(SAKAI_2021.at("Eq. 9"), AMIGO_2020.at("Section 3.2"), BERGMAIR_2009.at("Section 3")),
    use="Nominal classes of unequal size that matter equally; the official measure of SemEval-2017 Task 4 A. A run that always "
    "gives one class that gold has scores 1/|C+|, whichever it is.",
)
def macro_recall(counts: Array) -> Array:
    return mean_over_gold_classes(recall_per_class(counts), counts)


@measure(
    id="adjusted_balanced_accuracy",
    asks=EACH_CLASS,
    like={"sklearn": "balanced_accuracy_score(adjusted=True)"},
    chance="linear",
    title="Adjusted balanced accuracy: macro-averaged recall above that of a constant run",
    symbol="Rec^M_adj",
    better="higher",
    range=(-1, 1),
    aliases=("balanced_accuracy_adjusted", "informedness"),
    formula="(Rec^M - 1/|C+|) / (1 - 1/|C+|)",
    source=(PEDREGOSA_2011,),
    undefined=(CONSTANT_GOLD,),
    use="Macro recall on a scale on which every constant run, and random labels on average, score 0. Blind to order.",
    note="With two classes it is Youden's J, or informedness.",
)
def adjusted_balanced_accuracy(counts: Array) -> Array:
    constant_run = ratio(namespace(counts).ones_like(occupied(gold(counts))), occupied(gold(counts)))
    return ratio(macro_recall.function(counts) - constant_run, 1 - constant_run)
