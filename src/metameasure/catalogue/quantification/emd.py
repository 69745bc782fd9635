"""Match distance: how far, and how much, probability must be moved along the scale to make the estimate gold."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions
from metameasure.catalogue.facts import ORDERED, SPAN, STEPS, Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS, cumulative
from metameasure.catalogue.questions import SHARES_IN_ORDER
from metameasure.catalogue.sources import LEONARDELLI_2025, SAKAI_2021, SAKAI_LQ_2021


@measure(
    id="emd",
    asks=SHARES_IN_ORDER,
    title="Earth mover's distance",
    symbol="EMD",
    inputs=DISTRIBUTIONS,
    better="lower",
    range=(0, SPAN),
    scale="interval",
    aliases=("match_distance",),
    formula="EMD = Σ_{i<C} |cp_i - cp*_i| (v_{i+1} - v_i),   cp_i = Σ_{k≤i} p_k",
    source=(SAKAI_2021.at("Eq. 11"), SAKAI_LQ_2021.at("Eq. 1")),
    use="Ordinal classes, if equal steps along the scale may be assumed; the official measure of SemEval-2016 and 2017 Task 4 E. "
    "Not normalised: compare runs on the same number of classes only, or use nmd.",
)
def emd(predicted: Array, gold: Array, *, values: Array) -> Array:
    xp = namespace(predicted)
    return xp.matmul(xp.abs(cumulative(predicted - gold)), values[1:] - values[:-1])


@measure(
    id="nmd",
    asks=SHARES_IN_ORDER,
    title="Normalised match distance",
    symbol="NMD",
    inputs=DISTRIBUTIONS,
    better="lower",
    range=(0, 1),
    scale="interval",
    headline={"quantification": 2},
    recommended=(
        Recommendation(
            "quantification",
            "secondary",
            "shows another angle: it likes estimates near the mode better than flat ones",
            SAKAI_LQ_2021.at("Section 6"),
            scales=ORDERED,
            unless=("two_classes",),
        ),
    ),
    formula="NMD = EMD / (v_C - v_1), which for steps of 1 is Σ_i |cp_i - cp*_i| / (C - 1)",
    source=(SAKAI_2021.at("Eq. 11"), SAKAI_LQ_2021.at("Eq. 1")),
    use="Ordinal classes, if equal steps may be assumed; Sakai's recommended secondary measure beside rnod. "
    "It assumes equidistance "
    "as much as rnod does, and tends to prefer a popularity baseline to a uniform one, which the others do not.",
    note="With two classes it equals rnod and rsnod.",
)
def nmd(predicted: Array, gold: Array, *, values: Array) -> Array:
    span = values[-1] - values[0] if values.shape[0] > 1 else 1.0
    return emd.function(predicted, gold, values=values) / span


@measure(
    id="wasserstein",
    asks=SHARES_IN_ORDER,
    title="Wasserstein distance in steps",
    symbol="W1",
    inputs=DISTRIBUTIONS,
    better="lower",
    range=(0, STEPS),
    scale="ordinal",
    formula="W1 = Σ_{i<C} |cp_i - cp*_i|,   cp_i = Σ_{k≤i} p_k",
    source=(LEONARDELLI_2025,),
    use="Soft labels of ordinal classes: how many steps of the scale a rating must be moved on average to make the estimate the "
    "people's distribution. LeWiDi's measure for ordinal tasks. It is emd counted in steps, whatever values the classes have.",
)
def wasserstein(predicted: Array, gold: Array) -> Array:
    return emd.function(predicted, gold, values=positions(predicted.shape[-1], like=predicted))
