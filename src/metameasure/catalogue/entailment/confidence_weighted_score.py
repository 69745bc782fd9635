"""How right the labels are that a run is sure of."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.entailment.orders import CONFIDENCE, TOTALS, Groups
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import BERGMAIR_2009, DAGAN_2005


@measure(
    id="confidence_weighted_score",
    title="Confidence-weighted score",
    symbol="CWS",
    tasks=("entailment",),
    inputs=CONFIDENCE,
    evidence=TOTALS,
    better="higher",
    scale="nominal",
    aliases=("cws",),
    headline={"entailment": 9},
    recommended=(
        Recommendation(
            "entailment",
            "secondary",
            "reads how sure runs are, but rewards bias: report baselines",
            BERGMAIR_2009.at("Section 6"),
            where=("confidence",),
        ),
    ),
    chance="linear",
    formula="CWS = (1/N) Σ_r (1/r) Σ_{s ≤ r} g_s",
    source=(DAGAN_2005, BERGMAIR_2009.at("Section 6")),
    use="Labels with an order of confidence: right answers early are worth more. Of an output without any order it is the "
    "accuracy, and like accuracy it rewards a bias towards the largest class: read it beside the baselines, or use "
    "mutual_information@rank.",
)
def confidence_weighted_score(ends: Array, total: Array) -> Array:
    xp = namespace(ends)
    found = Groups.of(ends, total)
    share = found.counted / xp.where(found.size > 0, found.size, 1.0)
    # Of a group the sum over j of (total before it + j share) / (items before it + j); of a single item just that.
    start = found.total - found.counted - (found.ends - found.size) * share
    tied = start * found.reciprocals() + found.counted
    single = found.total / xp.where(found.ends > 0, found.ends, 1.0)
    return ratio(xp.sum(xp.where(found.size == 1, single, tied), axis=-1), ends[..., -1])
