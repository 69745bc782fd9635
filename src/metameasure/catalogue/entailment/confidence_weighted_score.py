"""How right the labels are that a run is sure of."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.entailment.orders import CONFIDENCE, items, tie_groups
from metameasure.catalogue.facts import Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import BERGMAIR_2009, DAGAN_2005


@measure(
    id="confidence_weighted_score",
    title="Confidence-weighted score",
    symbol="CWS",
    tasks=("entailment",),
    inputs=CONFIDENCE,
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
def confidence_weighted_score(ranks: Array, counts: Array) -> Array:
    groups = tie_groups(ranks, counts)
    xp = namespace(ranks)
    some = xp.where(groups.size > 0, groups.size, 1.0)
    so_far = groups.counted_before + (groups.place - groups.before) * groups.counted / some
    return ratio(xp.sum(xp.where(groups.size > 0, so_far / groups.place, 0.0), axis=-1), items(ranks, counts))
