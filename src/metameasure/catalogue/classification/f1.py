"""F1 of chosen classes, its means over all classes, with any weight of recall (F_β), and the F1 of the means (hmpr)."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio, select
from metameasure.catalogue.classification.precision import CLASS_NOWHERE, macro_precision
from metameasure.catalogue.classification.recall import macro_recall
from metameasure.catalogue.classification.tables import (
    gold,
    harmonic_mean,
    hits,
    mean_over_gold_classes,
    predicted,
    weighted_by_gold,
)
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels, Settings
from metameasure.catalogue.questions import EACH_CLASS
from metameasure.catalogue.sources import OPITZ_2019, PEDREGOSA_2011, ROSENTHAL_2014, SAKAI_2021, VAN_RIJSBERGEN_1979

_BETA = Settings(positive=("beta",), beta=1.0)
_BETA_USE = (
    "Where recall matters more than precision (beta above 1) or less (below 1). Name beta with the score: with the default, 1, "
    "it is F1. Blind to order."
)


def f_per_class(counts: Array, beta: float = 1.0) -> Array:
    """The weighted harmonic mean of a class's precision and recall; NaN for a class on neither side."""
    return ratio((1 + beta**2) * hits(counts), beta**2 * gold(counts) + predicted(counts))


@measure(
    id="f1@LABEL",
    asks=EACH_CLASS,
    title="F1 of a class, or the mean F1 of several",
    symbol="F1({})",
    like={"sklearn": "f1_score(labels=[LABEL], average='macro')"},
    better="higher",
    parameter=Labels(),
    formula="F1_k = 2 c_kk / (G_k + P_k); of several classes (f1@positive+negative), the mean",
    source=(SAKAI_2021.at("Section 3.1"), ROSENTHAL_2014),
    undefined=(CLASS_NOWHERE,),
    use="When some classes matter: f1@positive+negative is SemEval's F1 without neutral. It ignores order, and leaving a "
    "class out makes errors inside it free.",
)
def f1(counts: Array, *, chosen: tuple[int, ...]) -> Array:
    return namespace(counts).mean(select(f_per_class(counts), chosen), axis=-1)


@measure(
    id="f1_macro",
    asks=EACH_CLASS,
    like={"sklearn": "f1_score(average='macro')"},
    headline={"classification": 5},
    title="Macro F1: the mean of the classes' F1",
    symbol="F1^M",
    better="higher",
    aliases=("macro_f1",),
    formula="F1^M = (1/|C+|) Σ_{k in C+} F1_k",
    source=(SAKAI_2021.at("Eq. 8"), OPITZ_2019),
    use="Nominal classes of unequal size that matter equally; of the two 'macro F1' in use, the one that "
    "Opitz and Burst recommend "
    "(the other is hmpr). Blind to order, hence not for ordinal classes.",
    note="Classes that gold lacks are left out. scikit-learn counts such a class as 0 if the run predicts it; pass it "
    "labels=[the classes in gold] for the same value.",
)
def f1_macro(counts: Array) -> Array:
    return mean_over_gold_classes(f_per_class(counts), counts)


@measure(
    id="f1_weighted",
    asks=EACH_CLASS,
    like={"sklearn": "f1_score(average='weighted')"},
    title="Weighted F1: the mean of the classes' F1, weighted by gold's shares",
    symbol="F1^w",
    better="higher",
    aliases=("weighted_f1",),
    formula="F1^w = Σ_k (G_k / N) F1_k",
    source=(PEDREGOSA_2011,),
    use="To compare with work that used it. Large classes count most, as in accuracy, and it need not lie between precision and "
    "recall; f1_macro counts classes alike. Blind to order.",
)
def f1_weighted(counts: Array) -> Array:
    return weighted_by_gold(f_per_class(counts), counts)


@measure(
    id="fbeta_macro",
    asks=EACH_CLASS,
    title="Macro F-beta: the mean of the classes' F-beta",
    symbol="F_β^M{}",
    better="higher",
    parameter=_BETA,
    formula="F_β^M = (1/|C+|) Σ_{k in C+} (1 + β²) c_kk / (β² G_k + P_k)",
    source=(VAN_RIJSBERGEN_1979, PEDREGOSA_2011),
    like={"sklearn": "fbeta_score(average='macro')"},
    use=_BETA_USE,
)
def fbeta_macro(counts: Array, *, beta: float) -> Array:
    return mean_over_gold_classes(f_per_class(counts, beta), counts)


@measure(
    id="fbeta_weighted",
    asks=EACH_CLASS,
    title="Weighted F-beta: the mean of the classes' F-beta, weighted by gold's shares",
    symbol="F_β^w{}",
    better="higher",
    parameter=_BETA,
    formula="F_β^w = Σ_k (G_k / N) (1 + β²) c_kk / (β² G_k + P_k)",
    source=(VAN_RIJSBERGEN_1979, PEDREGOSA_2011),
    like={"sklearn": "fbeta_score(average='weighted')"},
    use=_BETA_USE + " Large classes count most.",
)
def fbeta_weighted(counts: Array, *, beta: float) -> Array:
    return weighted_by_gold(f_per_class(counts, beta), counts)


@measure(
    id="hmpr",
    asks=EACH_CLASS,
    title="Harmonic mean of macro-averaged precision and macro-averaged recall",
    symbol="HMPR",
    better="higher",
    formula="HMPR = 2 Prec^M Rec^M / (Prec^M + Rec^M), and 0 where both are 0",
    source=(SAKAI_2021.at("Eq. 9"), OPITZ_2019),
    use="The other 'macro F1' in use: name it, so that nobody takes it for f1_macro. Blind to order.",
)
def hmpr(counts: Array) -> Array:
    return harmonic_mean(macro_precision.function(counts), macro_recall.function(counts))
