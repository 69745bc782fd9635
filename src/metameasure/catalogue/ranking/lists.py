"""A segment's items with their places in the prediction and how relevant the human finds them: what gains are summed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import array_api_compat

from metameasure.catalogue.arrays import Array, namespace
from metameasure.catalogue.facts import Reads, Reduction
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.ranking.ranks import places

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


def graded_options(*, gain: tuple[str, ...], numbers: tuple[str, ...] | Mapping[str, float] = ()) -> Options:
    """The same of measures that are defined in expectation only."""
    return ListOptions(number="k", numbers=numbers, choices={"gain": gain, "relevance": RELEVANCE})


def with_worst_ties(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where the human has ties, a prediction with the same ties is not perfect if ties take the last place."""
    return {"perfect": None, "ties": "worst"} if settings["ties"] == "worst" else {}


def _listed(predicted: Array, gold: Array, *, relevance: str) -> tuple[Array, ...]:
    """What each item gains by, and the first and the last place of its group of predicted ties; how relevant it is, and its
    places in the ideal order.

    Items that the prediction does not rank come last and gain by 0, but are as relevant as they are.
    """
    xp = namespace(predicted, gold)
    # By arithmetic, which is several times faster than choosing: 0 times what is NaN is NaN.
    known = xp.astype(~xp.isnan(gold), gold.dtype)
    first, last = places(-gold if relevance == "given" else gold)
    if relevance == "given":
        relevant = xp.where(gold > 0, gold, 0.0)
    else:
        items = xp.sum(known, axis=-1)[:, None]
        relevant = known * (items + 1 - (first if relevance == "floor" else last))
    output = predicted + 0.0 * gold
    return relevant * xp.astype(~xp.isnan(output), gold.dtype), *places(output), relevant, first, last


LISTS = Reduction(
    (
        "what an item gains by",
        "the first place of its predicted tie",
        "the last place",
        "its relevance",
        "the first place of its ideal tie",
        "the last place",
    ),
    _listed,
)


def most_in(sizes: Array, items: int) -> int:
    """The most items in a group of ties, or a number that is certainly not smaller: how far sums over a group have to go."""
    if array_api_compat.is_jax_array(sizes) or sizes.shape[0] == 0:  # values are not known while JAX compiles
        return items
    return max(1, int(namespace(sizes).max(sizes)))


def within(place: int, k: int | None) -> bool:
    """Whether a place, from 1 up, is up to the cut-off."""
    return k is None or place <= k
