"""Precision of chosen classes and over all."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio, select
from metameasure.catalogue.classification.tables import gold, hits, mean_over_gold_classes, predicted, weighted_by_gold
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.questions import EACH_CLASS
from metameasure.catalogue.sources import AMIGO_2020, BERGMAIR_2009, PEDREGOSA_2011, SAKAI_2021


def precision_per_class(counts: Array) -> Array:
    """c_pp / P_p; 0 for a class that occurs in gold but is never predicted; NaN for one that occurs on neither side."""
    never_predicted = (predicted(counts) == 0) & (gold(counts) > 0)
    return namespace(counts).where(never_predicted, 0.0, ratio(hits(counts), predicted(counts)))


CLASS_NOWHERE = Undefined(
    "neither gold nor output has a chosen class",
    lambda counts, *, chosen: namespace(counts).any(select(gold(counts) + predicted(counts), chosen) == 0, axis=-1),
)


@measure(
    id="precision@LABEL",
    asks=EACH_CLASS,
    title="Precision of a class",
    symbol="Prec({})",
    like={"sklearn": "precision_score(labels=[LABEL], average='macro')"},
    better="higher",
    parameter=Labels(),
    formula="Prec_k = c_kk / P_k, and 0 where P_k = 0 < G_k; of several classes, the mean",
    source=(SAKAI_2021.at("Section 3.1"), AMIGO_2020.at("Proposition 2"), BERGMAIR_2009.at("Section 3")),
    undefined=(CLASS_NOWHERE,),
    use="When one class matters: how far to trust the run when it answers that class. Read it beside recall.",
)
def precision(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return namespace(counts).mean(select(precision_per_class(counts), chosen), axis=-1)


@measure(
    id="macro_precision",
    asks=EACH_CLASS,
    like={"sklearn": "precision_score(average='macro')"},
    title="Macro-averaged precision",
    symbol="Prec^M",
    better="higher",
    aliases=("precision_macro",),
    formula="Prec^M = (1/|C+|) Σ_{k in C+} Prec_k",
    source=(SAKAI_2021.at("Eq. 9"),),
    use="Nominal classes of unequal size that matter equally; the precision half of hmpr. Classes that gold lacks are left out, "
    "so wrongly predicting one of those is seen only where the item was missed.",
)
def macro_precision(counts: Array) -> Array:
    return mean_over_gold_classes(precision_per_class(counts), counts)


@measure(
    id="precision_weighted",
    asks=EACH_CLASS,
    like={"sklearn": "precision_score(average='weighted')"},
    title="Weighted precision: the mean of the classes' precision, weighted by gold's shares",
    symbol="Prec^w",
    better="higher",
    aliases=("weighted_precision",),
    formula="Prec^w = Σ_k (G_k / N) Prec_k",
    source=(PEDREGOSA_2011,),
    use="To compare with work that used it. Large classes count most; recall weighted alike is accuracy. Blind to order.",
)
def precision_weighted(counts: Array) -> Array:
    return weighted_by_gold(precision_per_class(counts), counts)
