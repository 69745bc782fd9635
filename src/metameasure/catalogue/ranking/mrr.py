"""Reciprocal rank of the first item that the human finds best; its mean over segments is MRR."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.lists import (
    LISTS,
    largest_tie,
    narrow,
    options,
    with_worst_ties,
)
from metameasure.catalogue.ranking.ndcg import NOTHING_RELEVANT
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import AVRAMIDIS_2013, MCSHERRY_2008, VOORHEES_1999


@measure(
    id="mrr",
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    facts_at=with_worst_ties,
    title="Reciprocal rank of the first of the best items; its mean over segments is MRR",
    symbol="MRR{}",
    headline={"ranking": 4},
    aliases=("recip_rank", "rr"),
    parameter=options(),
    undefined=(NOTHING_RELEVANT,),
    formula="RR = 1 / (best predicted rank among the human's best items), 0 beyond the cut-off k;\n"
    "in a tie of t items after r items with b of the best: Σ_{j=1..t-b+1} [C(t-j, b-1) / C(t, b)] / (r + j)",
    source=(AVRAMIDIS_2013.at("Eq. 5-6"), VOORHEES_1999, MCSHERRY_2008),
    use="Where only one item will be used, and the question is how far down the first good one stands.",
    note="The best items are those that the human ranks first; with relevance=given, all with a grade above 0. Predicted ties "
    "take the expectation over all ways to break them; with ties=worst the tie's last place counts, as in RankEval.",
)
def mrr(grades: Array, starts: Array, ideal: Array, *, k: int | None, ties: str, relevance: str) -> Array:
    xp = namespace(grades)
    best = grades > 0 if relevance == "given" else (grades == ideal[:, :1]) & (grades > 0)
    before, size, good = _first_group_with(best, starts, like=grades)
    if ties == "worst":
        reached = _reciprocal_of_last(before, size, good, k)
    else:
        reached = _expected_reciprocal(before, size, good, k, largest_tie(starts))
    return xp.where(NOTHING_RELEVANT.when(grades, starts, ideal), xp.nan, reached)


def _reciprocal_of_last(before: Array, size: Array, good: Array, k: int | None) -> Array:
    """1 / the last place of the tie; 0 where there is none of the best, or beyond the cut-off."""
    xp = namespace(size)
    found = good > 0
    rank = xp.where(found, before + size, 1.0)
    return xp.where(found if k is None else found & (rank <= k), 1 / rank, 0.0)


def _expected_reciprocal(before: Array, size: Array, good: Array, k: int | None, most: int) -> Array:
    """The mean of 1 / rank over all ways to break the tie, of at most so many items."""
    xp = namespace(size)
    found = good > 0
    # C(t-j, b-1) / C(t, b) from one j to the next: the first of the best is in place j of the tie.
    chance = xp.where(found, good / xp.where(found, size, 1.0), 0.0)
    expected = xp.zeros_like(chance)
    none, one = xp.zeros_like(chance), xp.ones_like(chance)
    for place in range(most):
        rank = before + (place + 1)
        seen = chance if k is None else xp.where(rank <= k, chance, 0.0)
        expected = expected + seen / rank
        left = size - (place + 1)
        chance = chance * xp.maximum(left - good + 1, none) / xp.maximum(left, one)
    return expected


def _first_group_with(best: Array, starts: Array, like: Array) -> tuple[Array, Array, Array]:
    """Of the first group of ties with one of the best items in it: how many items come before it, its size, how many are best."""
    xp = namespace(best)
    # From the last place up, in narrow whole numbers, by multiplying with 0 or 1: several times faster than choosing.
    kind = narrow(best)
    best, inside = xp.astype(best, kind), xp.astype(~starts, kind)
    before = size = good = run = run_good = xp.zeros_like(best[:, 0])
    for place in reversed(range(best.shape[-1])):
        run, run_good = run + 1, run_good + best[:, place]
        found = xp.astype(starts[:, place] & (run_good > 0), kind)
        before, size, good = before + found * (place - before), size + found * (run - size), good + found * (run_good - good)
        run, run_good = run * inside[:, place], run_good * inside[:, place]
    return xp.astype(before, like.dtype), xp.astype(size, like.dtype), xp.astype(good, like.dtype)
