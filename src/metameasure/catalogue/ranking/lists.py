"""A segment's items in the order of the prediction, with how relevant the human finds them: what gains are summed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import array_api_compat

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Evidence
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.ranking.ranks import first_places, in_order, last_places
from metameasure.catalogue.reads import Reads

TIES = ("expected", "worst")
RELEVANCE = ("floor", "ceiling", "given")
READING = (
    "rel is n - rank + 1, the rank being the first place of a tie (relevance=floor), or its last (ceiling); or gold holds "
    "grades instead of ranks, 0 for what is not relevant (given)"
)


class ListOptions(Options):
    """Of measures of lists."""

    def reads(self, argument: Any, usual: Reads) -> Reads:
        """Relevance that is given is not made of ranks."""
        return Reads.GRADES if dict(argument or ()).get("relevance") == "given" else usual


def options(*, gain: tuple[str, ...] = (), numbers: tuple[str, ...] = ()) -> Options:
    """A cut-off and the options that all these measures share."""
    gains = {"gain": gain} if gain else {}
    return ListOptions(number="k", numbers=numbers, choices=gains | {"ties": TIES, "relevance": RELEVANCE})


def with_worst_ties(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where the human has ties, a prediction with the same ties is not perfect if ties take the last place."""
    return {"perfect": None, "ties": "worst"} if settings["ties"] == "worst" else {}


def _listed(predicted: Array, gold: Array, *, relevance: str) -> tuple[Array, Array, Array]:
    """Relevance in the predicted order; whether each item starts a new group of predicted ties; relevance in the ideal order.

    Items that the prediction does not rank come last with relevance 0: they gain nothing, but the ideal order has them.
    """
    xp = namespace(predicted, gold)
    output = xp.where(xp.isnan(gold), xp.nan, predicted)
    if relevance == "given":
        human, _, output = in_order(-gold, output)
        ideal = xp.where(human < 0, -human, 0.0)
    else:
        human, starts, output = in_order(gold, output)
        known = ~xp.isinf(human)
        items = xp.sum(xp.astype(known, gold.dtype), axis=-1)[:, None]
        rank = first_places(starts, gold) if relevance == "floor" else last_places(starts, gold)
        ideal = xp.where(known, items + 1 - rank, 0.0)
    _, starts, grades = in_order(output, xp.where(xp.isnan(output), 0.0, ideal))
    return grades, starts, ideal


LISTS = Evidence(("relevance in the predicted order", "starts of ties", "relevance in the ideal order"), _listed)


def narrow(lists: Array) -> Any:
    """The narrowest type for whole numbers up to the length of the lists: most time goes into moving numbers about."""
    xp = namespace(lists)
    return xp.int16 if lists.shape[-1] < 2**15 else xp.int32


def largest_tie(starts: Array) -> int:
    """The most items in one group of ties, or a number that is certainly not smaller: how far sums over a group have to go."""
    xp = namespace(starts)
    items: int = starts.shape[-1]
    if array_api_compat.is_jax_array(starts) or starts.shape[0] == 0:  # values are not known while JAX compiles
        return items
    length = largest = xp.ones_like(starts[:, 0], dtype=narrow(starts))
    inside = xp.astype(~starts, length.dtype)
    for place in range(1, items):
        length = length * inside[:, place] + 1
        largest = xp.maximum(largest, length)
    return int(xp.max(largest))


def ends(starts: Array) -> Array:
    """Whether each item is the last of its group of ties."""
    xp = namespace(starts)
    return xp.concat([starts[:, 1:], xp.ones_like(starts[:, :1])], axis=-1)


def within(place: int, k: int | None) -> bool:
    """Whether a place, from 0 up, is before the cut-off."""
    return k is None or place < k
