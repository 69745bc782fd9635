"""Q-measure: average precision that knows how relevant documents are."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions, ratio, summed
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.ranking.lists import LISTS, READING, graded_options
from metameasure.catalogue.ranking.ndcg import NOTHING_RELEVANT, gains
from metameasure.catalogue.ranking.ranks import RANKS, before_and_within, in_order
from metameasure.catalogue.sources import SAKAI_2004, SAKAI_SONG_2011


def _sums_over_places(values: Array, first: Array, last: Array) -> Array:
    """The sum of the values of the places (cases, n) of each item's group of ties."""
    xp = namespace(values)
    total = xp.cumulative_sum(values, axis=-1, include_initial=True)
    at = xp.asarray(0).dtype
    return xp.take_along_axis(total, xp.astype(last, at), axis=-1) - xp.take_along_axis(total, xp.astype(first, at) - 1, axis=-1)


@measure(
    id="q_measure",
    asks=RELEVANT_FIRST,
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    title="Q-measure: average precision blended with cumulated gain",
    symbol="Q{}",
    parameter=graded_options(gain=("linear", "exponential"), numbers={"beta": 1.0}),
    undefined=(NOTHING_RELEVANT,),
    aliases=("q-measure", "qmeasure"),
    spellings={"q@K": "K"},
    formula="Q = (1/min(k, R)) Σ_{r ≤ k: relevant} (C(r) + β cg(r)) / (r + β cg*(r)),   C(r) relevant items up to place r, cg(r) "
    "their gains,\ncg*(r) those of the ideal list; k = n and β = 1 unless given; gain rel_r, 2^rel_r - 1 with gain=exponential",
    source=(SAKAI_2004.at("Eq. 15"), SAKAI_SONG_2011),
    use="Where relevance has grades and a reader takes as much as wanted: with β = 0 it is average precision, with a large β the "
    "gains decide. A perfect list reaches 1.",
    note=f"{READING}. As NTCIREVAL has it with the gains 1:2:3. Predicted ties take the expectation over all ways to break them.",
)
def q_measure(
    grades: Array, first: Array, last: Array, relevant: Array, *ideal: Array, k: int | None, gain: str, beta: float
) -> Array:
    xp = namespace(grades)
    gained, hit = gains(grades, gain, 0.0), xp.astype(grades > 0, grades.dtype)
    _, best_first = in_order(ideal[0], gains(relevant, gain, 0.0))
    place = positions(first.shape[-1], like=first) + 1.0
    seen = xp.astype(place <= (first.shape[-1] if k is None else k), first.dtype)
    denominators = place + beta * xp.cumulative_sum(best_first, axis=-1)
    once, times_place = (_sums_over_places(weight / denominators, first, last) for weight in (seen, seen * place))
    hits_before, hits_tied = before_and_within(hit, first, last)
    gain_before, gain_tied = before_and_within(gained, first, last)
    size = last - first + 1
    # In place j of its tie an item has j - 1 of the others before it, drawn at random.
    alone = hits_before + 1 + beta * (gain_before + gained)
    each_more = (hits_tied - 1 + beta * (gain_tied - gained)) / xp.where(size > 1, size - 1, 1.0)
    ratios = (alone * once + each_more * (times_place - first * once)) / size
    number = summed(xp.astype(relevant > 0, relevant.dtype), -1)
    return ratio(summed(hit * ratios, -1), number if k is None else xp.clip(number, None, float(k)))
