"""Average precision of the positive items."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.entailment.orders import BELIEF, TOTALS, OrderGroups
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.sources import BERGMAIR_2009


def _expected_precision(groups: OrderGroups, k: int | None) -> Array:
    """For each group of ties, the sum over its places, up to place k, of the chance that a positive item stands there times the
    precision expected there if one does."""
    xp = namespace(groups.ends)
    seen = groups.size if k is None else xp.clip(float(k) - groups.before, 0.0, groups.size)
    single = seen * groups.total / xp.maximum(groups.ends, groups.one)
    if groups.of_one:
        return groups.counted * single
    tied = precisions(groups.before, groups.total_before, groups.size, groups.counted, seen, groups.reciprocals(k))
    return groups.counted / xp.maximum(groups.size, groups.one) * groups.either(single, tied)


def precisions(before: Array, positive_before: Array, size: Array, positive: Array, seen: Array, reciprocals: Array) -> Array:
    """For a group of ties, the sum over the places that are seen of the precision expected where a positive item stands there.
    ``reciprocals`` is the sum of 1/r over these places r."""
    xp = namespace(size)
    # The precision at the group's place j is (positive before it + 1 + (j - 1) others) / (items before it + j).
    others = (positive - 1) / xp.maximum(size - 1, xp.ones_like(size))
    return (positive_before + 1 - (before + 1) * others) * reciprocals + seen * others


@measure(
    id="average_precision",
    asks=RELEVANT_FIRST,
    like={"sklearn": "average_precision_score()"},
    title="Average precision",
    symbol="AP{}",
    tasks=("entailment", "ranking"),
    inputs=BELIEF,
    evidence=TOTALS,
    better="higher",
    scale="nominal",
    parameter=Options(number="k"),
    facts_at=lambda settings: {"perfect": None} if settings["k"] else {},  # there may be more positive items than places
    aliases=("ap", "map"),
    headline={"trec_eval": 2},
    spellings={"map_cut_K": "K", "ap@K": "K", "map@K": "K"},
    chance="linear",
    formula="AP = (1/R) Σ_{r ≤ k: g_r = 1} (1/r) Σ_{s ≤ r} g_s,   R = Σ_r g_r, k = N unless given",
    source=(BERGMAIR_2009.at("Section 4"),),
    undefined=(Undefined("no item is positive", lambda ends, total: total[..., -1] == 0, of_gold=True),),
    use="Rankings of which a reader takes as much as wanted. It sees where the positive items stand, not how a run labels them.",
    cautions={
        "entailment": "Bergmair (2009) asks not to report it for entailment: it can contradict accuracy, and it sees the "
        "positive class only"
    },
    note="With a cut-off k it is trec_eval's map_cut: positive items behind the first k gain nothing but stay in R, so that with "
    "more than k of them even a perfect order stays below 1. Entailment judgements are labels, not a ranking to choose from: a "
    "better ranking can force worse labels (Bergmair 2009, Section 4.1), and turning each judgement into its negation changes "
    "the value (4.2). Report mutual_information.",
)
def average_precision(ends: Array, total: Array, *, k: int | None) -> Array:
    return ratio(namespace(ends).sum(_expected_precision(OrderGroups.of(ends, total), k), axis=-1), total[..., -1])
