"""Reciprocal rank of the first item that the human finds best; its mean over segments is MRR."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.ranking.lists import LISTS, most_in, options, with_worst_ties
from metameasure.catalogue.ranking.ndcg import highest
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import AVRAMIDIS_2013, MCSHERRY_2008, VOORHEES_1999
from metameasure.core.errors import UsageError


def _nothing_relevant(relevant: Array, rel: float | None) -> Array:
    return highest(relevant) == 0 if rel is None else highest(relevant) < rel


NOTHING_RELEVANT = Undefined(
    "no item is relevant (grades of 0 throughout, or below rel)",
    lambda grades, first, last, relevant, *_, rel: _nothing_relevant(relevant, rel),
    of_gold=True,
)


@measure(
    id="mrr",
    asks=RELEVANT_FIRST,
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    facts_at=with_worst_ties,
    title="Reciprocal rank of the first of the best items; its mean over segments is MRR",
    symbol="MRR{}",
    headline={"ranking": 4, "trec_eval": 6},
    aliases=("recip_rank", "rr"),
    spellings={"rr@K": "K", "recip_rank_cut_K": "K"},
    parameter=options(numbers=("rel",)),
    undefined=(NOTHING_RELEVANT,),
    formula="RR = 1 / (best predicted rank among the human's best items), 0 beyond the cut-off k;\n"
    "in a tie of t items after r items with b of the best: Σ_{j=1..t-b+1} [C(t-j, b-1) / C(t, b)] / (r + j)",
    source=(AVRAMIDIS_2013.at("Eq. 5-6"), VOORHEES_1999, MCSHERRY_2008),
    use="Where only one item will be used, and the question is how far down the first good one stands.",
    note="The best items are those that the human ranks first; with relevance=given, all with a grade above 0, or from "
    "grade 2 up with rel=2. Predicted ties take the expectation over all ways to break them; with ties=worst the tie's last "
    "place counts, as in RankEval.",
)
def mrr(
    grades: Array,
    first: Array,
    last: Array,
    relevant: Array,
    *_: Array,
    k: int | None,
    ties: str,
    relevance: str,
    rel: float | None,
) -> Array:
    xp = namespace(grades)
    if rel is not None and relevance != "given":
        raise UsageError(
            "rel is a grade of relevance, and gold has ranks", hint="where gold has grades: mrr@relevance=given:rel=2"
        )
    best = (grades > 0) & ((grades == highest(relevant)[:, None]) if relevance != "given" else (grades >= (rel or 0)))
    start = xp.min(first + first.shape[-1] * xp.astype(~best, first.dtype), axis=-1)  # beyond the last place if none is best
    group = xp.astype(best & (first == start[:, None]), first.dtype)
    good = xp.sum(group, axis=-1)
    before = xp.where(good > 0, start - 1, 0.0)
    size = xp.max(group * last, axis=-1) - before
    if ties == "worst":
        reached = _reciprocal_of_last(before, size, good, k)
    else:
        reached = _expected_reciprocal(before, size, good, k, most_in(size, first.shape[-1]))
    return xp.where(_nothing_relevant(relevant, rel), xp.nan, reached)


def _reciprocal_of_last(before: Array, size: Array, good: Array, k: int | None) -> Array:
    """1 / the last place of the tie; 0 where there is none of the best, or beyond the cut-off."""
    xp = namespace(size)
    present = good > 0
    rank = xp.where(present, before + size, 1.0)
    return xp.where(present if k is None else present & (rank <= k), 1 / rank, 0.0)


def _expected_reciprocal(before: Array, size: Array, good: Array, k: int | None, most: int) -> Array:
    """The mean of 1 / rank over all ways to break the tie, of at most so many items."""
    xp = namespace(size)
    present = good > 0
    # C(t-j, b-1) / C(t, b) from one j to the next: the first of the best is in place j of the tie.
    chance = xp.where(present, good / xp.where(present, size, 1.0), 0.0)
    expected = xp.zeros_like(chance)
    none, one = xp.zeros_like(chance), xp.ones_like(chance)
    for place in range(most):
        rank = before + (place + 1)
        seen = chance if k is None else xp.where(rank <= k, chance, 0.0)
        expected = expected + seen / rank
        left = size - (place + 1)
        chance = chance * xp.maximum(left - good + 1, none) / xp.maximum(left, one)
    return expected
