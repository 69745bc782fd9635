"""How right the labels are that a run is sure of."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.entailment.orders import CONFIDENCE, TOTALS, OrderGroups
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import SUREST
from metameasure.catalogue.sources import BERGMAIR_2009, DAGAN_2005


@measure(
    id="confidence_weighted_score",
    asks=SUREST,
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
            "reads how sure runs are (but rewards bias, so that baselines belong beside it)",
            BERGMAIR_2009.at("Section 6"),
            where=("confidence",),
        ),
    ),
    chance="linear",
    formula="CWS = (1/N) Σ_r (1/r) Σ_{s ≤ r} g_s",
    source=(DAGAN_2005, BERGMAIR_2009.at("Section 6")),
    use="Labels with an order of confidence: right answers early are worth more. Of an output without any order it is the "
    "accuracy, and like accuracy it rewards a bias towards the largest class: read it beside the baselines, or use "
    "mutual_information@rank:corrected.",
)
def confidence_weighted_score(ends: Array, total: Array) -> Array:
    xp = namespace(ends)
    groups = OrderGroups.of(ends, total)
    share = groups.counted / xp.maximum(groups.size, groups.one)
    # Of a group the sum over j of (total before it + j share) / (items before it + j); of a single item just that.
    start = groups.total_before - groups.before * share
    tied = start * groups.reciprocals() + groups.counted
    single = groups.total / xp.maximum(groups.ends, groups.one)
    return ratio(xp.sum(groups.either(single, tied), axis=-1), ends[..., -1])
