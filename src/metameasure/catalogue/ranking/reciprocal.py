"""Reciprocal ranks: of the first item that the human finds best, and of the place where a user is expected to stop."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, positions
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.fast import compiled_for, item_major
from metameasure.catalogue.ranking.gains import GAIN, NOTHING_RELEVANT, gains
from metameasure.catalogue.ranking.lists import (
    LISTS,
    READING,
    ends,
    largest_tie,
    narrow,
    options,
    with_worst_ties,
    within,
)
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import AVRAMIDIS_2013, CHAPELLE_2009, MCSHERRY_2008, VOORHEES_1999
from metameasure.errors import UsageError

_measure = partial(measure, inputs=RANKS, evidence=LISTS, better="higher", facts_at=with_worst_ties)


@_measure(
    id="mrr",
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


def _top(ideal: Array, relevance: str, highest: float | None) -> Array:
    """The highest grade there is, (cases, 1)."""
    xp = namespace(ideal)
    if highest is not None:
        return xp.zeros_like(ideal[:, :1]) + highest
    if relevance == "given":
        raise UsageError("err of grades needs to know the highest there is", hint="as in err@relevance=given:highest=4")
    return xp.sum(xp.astype(ideal > 0, ideal.dtype), axis=-1)[:, None]  # n: every ranked item has some relevance


def _above_top(grades: Array, starts: Array, ideal: Array, *, relevance: str, highest: float | None) -> Array:  # noqa: ARG001
    return ideal[:, 0] > _top(ideal, relevance, highest)[:, 0]


@_measure(
    id="err",
    title="Expected reciprocal rank",
    symbol="ERR{}",
    perfect=None,
    headline={"ranking": 6},
    parameter=options(gain=GAIN, numbers=("highest",)),
    undefined=(Undefined("an item is more relevant than the highest grade", _above_top),),
    formula="ERR = Σ_{i ≤ k} (1/i) R_i Π_{j < i} (1 - R_j),   R_i = (2^rel_i - 1) / 2^g, i the place in the prediction,\n"
    "g the highest grade: n unless given; R_i = rel_i / g with gain=linear",
    source=(AVRAMIDIS_2013.at("Eq. 9-10"), CHAPELLE_2009),
    use="Where a user goes down the list and stops at the first item that satisfies: what comes behind a good item hardly "
    "counts. A perfect prediction does not reach 1.",
    note=f"{READING}; grades need their highest, as in err@relevance=given:highest=4. Predicted ties take the expectation over "
    "all ways to break them; with ties=worst every item of a tie is counted at the tie's last place. RankEval's own definition "
    "is err@ties=worst:relevance=ceiling.",
)
def err(
    grades: Array, starts: Array, ideal: Array, *, k: int | None, gain: str, ties: str, highest: float | None, relevance: str
) -> Array:
    xp = namespace(grades)
    top = _top(ideal, relevance, highest)
    satisfied = gains(grades, gain, top) / (top if gain == "linear" else 1.0)
    value = _expected_stop(satisfied, starts, k=k) if ties == "expected" else _stop_at_last_place(satisfied, starts, k=k)
    return xp.where(ideal[:, 0] > top[:, 0], xp.nan, value)


def _stop_at_last_place(satisfied: Array, starts: Array, *, k: int | None) -> Array:
    """The user stops at the last place of a group of ties with the chance to be satisfied by any item of it."""
    xp = namespace(satisfied)
    last = ends(starts)
    total = xp.zeros_like(satisfied[:, 0])
    going_on = coming_in = total + 1.0
    for place in range(satisfied.shape[-1]):
        coming_in = xp.where(starts[:, place], going_on, coming_in)
        going_on = going_on * (1 - satisfied[:, place])
        if within(place, k):
            total = total + xp.where(last[:, place], (coming_in - going_on) / (place + 1), 0.0)
    return total


def _expected_stop(satisfied: Array, starts: Array, *, k: int | None) -> Array:
    """In a group of m ties after r items, S_j is the mean over all j of them of the chance to go on past those j; the user
    stops at place r + j with the chance S_{j-1} - S_j. An item more: S_j <- ((m - j) S_j + j S_{j-1} (1 - R)) / m."""
    xp = namespace(satisfied)
    kernels = compiled_for(satisfied)
    if kernels is not None:
        value = xp.empty_like(satisfied[:, 0])
        kernels.expected_stop(item_major(satisfied), item_major(starts), k or satisfied.shape[-1], value)
        return value
    most = largest_tie(starts)
    if most == 1:  # nothing to break
        return _stop_at_last_place(satisfied, starts, k=k)
    last = ends(starts)
    total = size = xp.zeros_like(satisfied[:, 0])
    going_on = coming_in = total + 1.0
    numbers = positions(most, like=satisfied) + 1.0
    nobody, everybody = xp.zeros_like(satisfied[:, :1]), xp.ones_like(satisfied[:, :1])
    past = satisfied[:, :0]  # S_1, S_2, ...
    for place in range(satisfied.shape[-1]):
        new, go_on = starts[:, place], 1 - satisfied[:, place]
        size = xp.where(new, 0.0, size) + 1.0
        coming_in = xp.where(new, going_on, coming_in)
        going_on = going_on * go_on
        if place < most:
            past = xp.concat([past, nobody], axis=-1)
        j, of = numbers[None, : past.shape[-1]], size[:, None]
        past = xp.where(new[:, None], 0.0, past)
        past = ((of - j) * past + j * xp.concat([everybody, past[:, :-1]], axis=-1) * go_on[:, None]) / of
        rank = (place + 1 - of) + j
        counts = (of >= j) if k is None else (of >= j) & (rank <= k)
        stopping = xp.concat([everybody, past[:, :-1]], axis=-1) - past
        stop = xp.sum(xp.where(counts, stopping / xp.where(counts, rank, 1.0), 0.0), axis=-1)
        total = total + xp.where(last[:, place], coming_in * stop, 0.0)
    return total
