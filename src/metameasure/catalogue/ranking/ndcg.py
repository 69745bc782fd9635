"""Cumulated gain, discounted by place: DCG, and NDCG, its share of the best possible."""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate

from metameasure.catalogue.arrays import Array, looked_up, namespace, power_of_two, ratio
from metameasure.catalogue.facts import Recommendation, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.ranking.lists import LISTS, READING, options, with_worst_ties, within
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import AVRAMIDIS_2013, JARVELIN_2002, MCSHERRY_2008

GAIN = ("exponential", "linear")
_measure = partial(
    measure,
    asks=RELEVANT_FIRST,
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    parameter=options(gain=GAIN),
    facts_at=with_worst_ties,
)
_TIES = (
    "Predicted ties take the expectation over all ways to break them (ties=expected); with ties=worst every item of a tie is "
    "counted at the tie's last place, as RankEval means to."
)


def gains(relevance: Array, gain: str, scale: Array | float) -> Array:
    """rel, or 2^rel - 1; the latter divided by 2^scale before anything overflows."""
    if gain == "linear":
        return relevance
    return power_of_two(relevance - scale) - power_of_two(0.0 * relevance[:, :1] - scale)


def cumulated(gained: Array, first: Array, last: Array, *, k: int | None, ties: str) -> Array:
    """The discounted sum of gains. In a group of ties each item is as likely in each of its places: the mean discount."""
    discounts = [1 / math.log2(place + 1) if within(place, k) else 0.0 for place in range(1, gained.shape[-1] + 1)]
    if ties == "expected":
        up_to = [0.0, *accumulate(discounts)]
        weights = (looked_up(up_to, last) - looked_up(up_to, first - 1)) / (last - first + 1)
    else:
        weights = looked_up(discounts, last - 1)
    return namespace(gained).sum(gained * weights, axis=-1)


@_measure(
    id="dcg",
    like={"sklearn": "dcg_score()"},
    like_at="gain=linear",
    title="Discounted cumulated gain",
    symbol="DCG{}",
    range=(0, math.inf),
    formula="DCG = Σ_{i ≤ k} (2^rel_i - 1) / log2(i + 1), i the place in the prediction, k = n unless given;\n"
    "rel_i instead of 2^rel_i - 1 with gain=linear",
    source=(AVRAMIDIS_2013.at("Eq. 7"), JARVELIN_2002, MCSHERRY_2008),
    use="Seldom by itself: it grows with the number of items. Prefer ndcg.",
    note=f"{READING}. {_TIES} Beyond a relevance of 1,023 it is infinite.",
)
def dcg(grades: Array, first: Array, last: Array, *_: Array, k: int | None, gain: str, ties: str) -> Array:
    return cumulated(gains(grades, gain, 0.0), first, last, k=k, ties=ties)


def highest(relevant: Array) -> Array:
    """The relevance of the most relevant item, (cases,)."""
    return namespace(relevant).max(relevant, axis=-1)


NOTHING_RELEVANT = Undefined(
    "no item is relevant (grades of 0 throughout)",
    lambda grades, first, last, relevant, *_: highest(relevant) == 0,
    of_gold=True,
)


@_measure(
    id="ndcg",
    like={"sklearn": "ndcg_score()"},
    like_at="gain=linear",
    title="Normalised discounted cumulated gain",
    symbol="NDCG{}",
    headline={"ranking": 5},
    recommended=(
        Recommendation(
            "ranking",
            "secondary",
            "weighs the top of the ranking most",
            AVRAMIDIS_2013.at("Section 3.3"),
            unless=("grades",),
        ),
        Recommendation(
            "ranking",
            "primary",
            "reads grades of relevance and weighs the top",
            AVRAMIDIS_2013.at("Section 3.3"),
            where=("grades",),
        ),
    ),
    spellings={"ndcg_cut_K": "K:gain=linear"},
    undefined=(NOTHING_RELEVANT,),
    formula="NDCG = DCG / IDCG,   DCG = Σ_{i ≤ k} (2^rel_i - 1) / log2(i + 1), i the place in the prediction;\n"
    "k = n unless given; IDCG is the DCG of the items from most to least relevant; rel_i instead of 2^rel_i - 1 with gain=linear",
    source=(AVRAMIDIS_2013.at("Eq. 7-8"), JARVELIN_2002, MCSHERRY_2008),
    use="Where the top of the ranking matters most, but not alone. Of the gains, linear is scikit-learn's and trec_eval's; the "
    "exponential one all but ignores the lower half of a long list.",
    note=f"{READING}. {_TIES} RankEval's own definition is ndcg@ties=worst:relevance=ceiling.",
)
def ndcg(grades: Array, first: Array, last: Array, relevant: Array, *ideal: Array, k: int | None, gain: str, ties: str) -> Array:
    most = highest(relevant)[:, None]
    reached = cumulated(gains(grades, gain, most), first, last, k=k, ties=ties)
    return ratio(reached, cumulated(gains(relevant, gain, most), *ideal, k=k, ties="expected"))
