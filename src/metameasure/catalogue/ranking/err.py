"""Expected reciprocal rank of the place where a user stops."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, positions
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.ranking.fast import compiled_for, item_major
from metameasure.catalogue.ranking.lists import LISTS, READING, ends, largest_tie, options, with_worst_ties, within
from metameasure.catalogue.ranking.ndcg import GAIN, gains
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import AVRAMIDIS_2013, CHAPELLE_2009
from metameasure.errors import UsageError


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


@measure(
    id="err",
    inputs=RANKS,
    evidence=LISTS,
    better="higher",
    facts_at=with_worst_ties,
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
