"""Expected reciprocal rank of the place where a user stops: ERR, and nERR, its share of the best possible."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions, ratio
from metameasure.catalogue.facts import Recommendation, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.ranking.lists import LISTS, READING, graded_options, most_in, options, with_worst_ties, within
from metameasure.catalogue.ranking.ndcg import GAIN, NOTHING_RELEVANT, gains
from metameasure.catalogue.ranking.ndcg import highest as most_relevant
from metameasure.catalogue.ranking.ranks import RANKS, put_in_places
from metameasure.catalogue.sources import AVRAMIDIS_2013, CHAPELLE_2009, SAKAI_SONG_2011
from metameasure.core.errors import UsageError


def _top(relevant: Array, relevance: str, highest: float | None) -> Array:
    """The highest grade there is, (cases,)."""
    xp = namespace(relevant)
    if highest is not None:
        return xp.zeros_like(relevant[:, 0]) + highest
    if relevance == "given":
        raise UsageError(
            "err of given grades needs the highest grade that an item can have", hint="as in err@relevance=given:highest=4"
        )
    return xp.sum(xp.astype(relevant > 0, relevant.dtype), axis=-1)  # n: every ranked item has some relevance


_BEYOND_THE_HIGHEST = Undefined(
    "an item is more relevant than the highest grade",
    lambda grades, first, last, relevant, *_, relevance, highest: most_relevant(relevant) > _top(relevant, relevance, highest),
    of_gold=True,
)


@measure(
    id="err",
    asks=RELEVANT_FIRST,
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    facts_at=with_worst_ties,
    title="Expected reciprocal rank",
    symbol="ERR{}",
    perfect=None,
    headline={"ranking": 6},
    recommended=(
        Recommendation(
            "ranking",
            "secondary",
            "discounts what stands behind a good item",
            AVRAMIDIS_2013.at("Section 3.4"),
            where=("grades",),
        ),
    ),
    parameter=options(gain=GAIN, numbers=("highest",)),
    undefined=(_BEYOND_THE_HIGHEST,),
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
    grades: Array,
    first: Array,
    last: Array,
    relevant: Array,
    *_: Array,
    k: int | None,
    gain: str,
    ties: str,
    highest: float | None,
    relevance: str,
) -> Array:
    xp = namespace(grades)
    top = _top(relevant, relevance, highest)
    satisfied = gains(grades, gain, top[:, None]) / (top[:, None] if gain == "linear" else 1.0)
    value = _reciprocal_stop(satisfied, first, last, k=k, ties=ties)
    return xp.where(most_relevant(relevant) > top, xp.nan, value)


@measure(
    id="nerr",
    asks=RELEVANT_FIRST,
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    title="Normalised expected reciprocal rank",
    symbol="nERR{}",
    parameter=graded_options(gain=GAIN, numbers=("highest",)),
    undefined=(NOTHING_RELEVANT, _BEYOND_THE_HIGHEST),
    spellings={"nerr_K": "K"},
    formula="nERR = ERR / ERR of the items from most to least relevant,   ERR = Σ_{i ≤ k} (1/i) R_i Π_{j < i} (1 - R_j),\n"
    "R_i = gain_i / (gain of the highest grade + 1); gain_i = 2^rel_i - 1, or rel_i with gain=linear",
    source=(SAKAI_SONG_2011, CHAPELLE_2009),
    use="Expected reciprocal rank where topics differ in how relevant their best items are: a perfect list reaches 1.",
    note=f"{READING}; grades need their highest, as in nerr@relevance=given:highest=4. As NTCIREVAL has it: its gains 1:3:7 are "
    "the exponential ones, 1:2:3 the linear ones. With gain=linear, err divides by the highest grade, and this by one more. "
    "Predicted ties take the expectation over all ways to break them.",
)
def nerr(
    grades: Array,
    first: Array,
    last: Array,
    relevant: Array,
    *ideal: Array,
    k: int | None,
    gain: str,
    highest: float | None,
    relevance: str,
) -> Array:
    xp = namespace(grades)
    top = _top(relevant, relevance, highest)

    def satisfied(by: Array) -> Array:
        return gains(by, gain, top[:, None]) / (top[:, None] + 1 if gain == "linear" else 1.0)

    reached = _reciprocal_stop(satisfied(grades), first, last, k=k, ties="expected")
    _, best_first = put_in_places(ideal[0], satisfied(relevant))
    best = _stop_at_last_place(best_first, xp.ones_like(best_first, dtype=xp.bool), k=k)
    return xp.where(most_relevant(relevant) > top, xp.nan, ratio(reached, best))


def _reciprocal_stop(satisfied: Array, first: Array, last: Array, *, k: int | None, ties: str) -> Array:
    """The expected reciprocal of the place where a user stops, who is satisfied by each item with some chance."""
    xp = namespace(satisfied)
    starts, in_places = put_in_places(first, satisfied)
    most = most_in(xp.max(last - first, axis=-1) + 1, first.shape[-1])
    if ties == "expected" and most > 1:
        return _expected_stop(in_places, starts, k=k, most=most)
    return _stop_at_last_place(in_places, starts, k=k)


def _ends(starts: Array) -> Array:
    """Whether each item is the last of its group of ties."""
    xp = namespace(starts)
    return xp.concat([starts[:, 1:], xp.ones_like(starts[:, :1])], axis=-1)


def _stop_at_last_place(satisfied: Array, starts: Array, *, k: int | None) -> Array:
    """The user stops at the last place of a group of ties with the chance to be satisfied by any item of it."""
    xp = namespace(satisfied)
    last = _ends(starts)
    total = xp.zeros_like(satisfied[:, 0])
    going_on = coming_in = total + 1.0
    for place in range(satisfied.shape[-1]):
        coming_in = xp.where(starts[:, place], going_on, coming_in)
        going_on = going_on * (1 - satisfied[:, place])
        if within(place + 1, k):
            total = total + xp.where(last[:, place], (coming_in - going_on) / (place + 1), 0.0)
    return total


def _expected_stop(satisfied: Array, starts: Array, *, k: int | None, most: int) -> Array:
    """In a group of m ties after r items, S_j is the mean over all j of them of the chance to go on past those j; the user
    stops at place r + j with the chance S_{j-1} - S_j. An item more: S_j <- ((m - j) S_j + j S_{j-1} (1 - R)) / m."""
    xp = namespace(satisfied)
    last, inside = (xp.astype(which, satisfied.dtype) for which in (_ends(starts), ~starts))
    total = size = xp.zeros_like(satisfied[:, 0])
    going_on = coming_in = total + 1.0
    everybody, nobody, past = going_on[None, :], total[None, :], satisfied.T[:0, :]  # past: S_1, S_2, ..., a row each
    numbers = positions(most, like=satisfied)[:, None] + 1.0
    for place in range(satisfied.shape[-1]):
        same, go_on = inside[:, place], 1 - satisfied[:, place]
        size = size * same + 1.0
        coming_in = coming_in * same + going_on * (1 - same)
        going_on = going_on * go_on
        past = past * same
        if place < most:
            past = xp.concat([past, nobody], axis=0)
        j = numbers[: past.shape[0], :]
        past = ((size - j) * past + j * go_on * xp.concat([everybody, past[:-1, :]], axis=0)) / size
        rank = (place + 1 - size) + j
        counts = size >= j if k is None else (size >= j) & (rank <= k)
        stopping = xp.astype(counts, rank.dtype) * (xp.concat([everybody, past[:-1, :]], axis=0) - past) / rank
        total = total + last[:, place] * coming_in * xp.sum(stopping, axis=0)
    return total
