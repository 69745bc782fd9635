"""The five counts of pairs of items that every tau and the pairwise accuracy are made of. They add over segments."""

from __future__ import annotations

from typing import Any

from metameasure.catalogue.arrays import Array, Batch, namespace
from metameasure.catalogue.facts import Reduction, Undefined
from metameasure.catalogue.ranking.ranks import lined_up, ranked_by_both

_ITEMS_OF_INT16 = 256  # the pairs of so many still fit
NAMES = ("concordant", "discordant", "tied by the human only", "tied by the prediction only", "tied by both")


def pair_counts(predicted: Any, gold: Any, *, epsilon: float = 0.0) -> Array:
    """C, D, T_h, T_m and T_hm of each segment: ranks (..., n) and (..., n) -> (..., 5).

    Pairs whose predicted ranks (or scores) differ by ``epsilon`` or less are tied by the prediction.
    """
    return Batch.of((predicted, gold), 1).map(lambda *block: counted(*block, epsilon=epsilon)[0])


def counted(predicted: Array, gold: Array, *, epsilon: float = 0.0, least: float = 0.0) -> tuple[Array, ...]:
    """The same for one block of cases, over those pairs alone whose gold differs by ``least`` or more."""
    xp = namespace(predicted, gold)
    both = ranked_by_both(predicted, gold)
    predicted, gold = predicted + 0.0 * gold, gold + 0.0 * predicted  # NaN where one of them is
    concordant, comparable, by_prediction, by_human = _totals(predicted, gold, epsilon=epsilon, least=least)
    if least:
        nothing = xp.zeros_like(concordant)
        return (lined_up([concordant, comparable - concordant, nothing, by_human - comparable, nothing]),)
    items = xp.sum(xp.astype(both, concordant.dtype), axis=-1)
    tied_by_human, tied_by_prediction = by_prediction - comparable, by_human - comparable
    tied_by_both = items * (items - 1) / 2 - comparable - tied_by_human - tied_by_prediction
    return (lined_up([concordant, comparable - concordant, tied_by_human, tied_by_prediction, tied_by_both]),)


def _totals(predicted: Array, gold: Array, *, epsilon: float, least: float) -> list[Array]:
    """Pairs on which both agree, that both order, that the prediction orders, that the human orders.

    One item against all behind it at a time, so that memory grows with the items and not with the pairs. A pair with a NaN in it
    is neither before, nor behind, nor tied: it is in no count.
    """
    xp = namespace(predicted, gold)
    # Whole numbers as narrow as will do: most of the time goes into adding them up.
    narrow = xp.int16 if predicted.shape[-1] <= _ITEMS_OF_INT16 else xp.int32
    totals = [xp.zeros_like(predicted[:, 0], dtype=narrow)] * 4
    for item in range(predicted.shape[-1] - 1):
        before, behind = _apart(predicted, item, epsilon)
        human_before, human_behind = _apart(gold, item, 0.0)
        if least:
            far = xp.abs(gold[:, item : item + 1] - gold[:, item + 1 :]) >= least
            human_before, human_behind = human_before & far, human_behind & far
        ordered, human_ordered = before | behind, human_before | human_behind
        agreed = (before & human_before) | (behind & human_behind)
        masks = (agreed, ordered & human_ordered, ordered, human_ordered)
        totals = [
            total + xp.sum(xp.astype(pairs, narrow), axis=-1, dtype=narrow) for total, pairs in zip(totals, masks, strict=True)
        ]
    return [xp.astype(total, predicted.dtype) for total in totals]


def _apart(values: Array, item: int, epsilon: float) -> tuple[Array, Array]:
    """Whether the item is before, and whether it is behind, each of those that follow: by more than ε."""
    one, others = values[:, item : item + 1], values[:, item + 1 :]
    if not epsilon:
        return one < others, one > others
    gap = one - others
    return gap < -epsilon, gap > epsilon


PAIRS = Reduction(NAMES, counted, adds=True)


def parts(pairs: Array) -> tuple[Array, Array, Array, Array, Array]:
    """C, D, T_h, T_m and T_hm."""
    return pairs[:, 0], pairs[:, 1], pairs[:, 2], pairs[:, 3], pairs[:, 4]


def every_pair(pairs: Array) -> Array:
    return namespace(pairs).sum(pairs, axis=-1)


NO_PAIR = Undefined("there is no pair of items that both rank", lambda pairs: every_pair(pairs) == 0, of_gold=True)
NO_HUMAN_ORDER = Undefined(
    "the human puts no two items in different ranks",
    lambda pairs: pairs[:, 0] + pairs[:, 1] + pairs[:, 3] == 0,
    of_gold=True,
)
