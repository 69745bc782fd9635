"""Jensen-Shannon divergence."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, log2_or_zero, namespace
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.quantification.distributions import DISTRIBUTIONS
from metameasure.catalogue.sources import SAKAI_2021


@measure(
    id="jsd",
    title="Jensen-Shannon divergence",
    symbol="JSD",
    inputs=DISTRIBUTIONS,
    better="lower",
    range=(0, 1),
    headline={"quantification": 6},
    recommended=(
        Recommendation(
            "quantification",
            "secondary",
            "ranks consistently, even on few topics",
            SAKAI_2021.at("Table 6"),
            scales=("nominal",),
        ),
    ),
    formula="JSD = (KLD(p||m) + KLD(p*||m)) / 2,   m = (p + p*) / 2, in bits",
    source=(SAKAI_2021.at("Eq. 19"),),
    use="Nominal classes, when information is the currency; symmetric and finite. Blind to order.",
)
def jsd(predicted: Array, gold: Array) -> Array:
    middle = log2_or_zero((predicted + gold) / 2)  # 0 only where both are, or vanishingly small: never infinite
    bits = predicted * (log2_or_zero(predicted) - middle) + gold * (log2_or_zero(gold) - middle)
    return namespace(predicted).sum(bits, axis=-1) / 2
