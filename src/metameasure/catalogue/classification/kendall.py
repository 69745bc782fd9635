"""Measures that count pairs of items: Kendall's tau-a and tau-b, Goodman and Kruskal's gamma."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, below, namespace, ratio
from metameasure.catalogue.classification.tables import CONSTANT_GOLD, CONSTANT_OUTPUT, ONE_ITEM, gold, predicted, total
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import SAME_ORDER
from metameasure.catalogue.sources import AMIGO_2020, GOODMAN_1954, KENDALL_1945

_USE = "A run that is off by the same step everywhere can still score 1: it measures order, not hits. "


def pairs(counts: Array) -> tuple[Array, Array]:
    """The concordant and the discordant pairs of items: ordered by both sides, alike or opposite.

    Each pair is counted once, from its item with the higher gold class; sums of non-negative terms throughout.
    """
    xp = namespace(counts)
    lower = below(counts.shape[-1], like=counts)
    lower_gold = xp.matmul(lower.T, counts)
    concordant = xp.sum(counts * xp.matmul(lower_gold, lower), axis=(-2, -1))
    discordant = xp.sum(counts * xp.matmul(lower_gold, lower.T), axis=(-2, -1))
    return concordant, discordant


def untied_pairs(marginal: Array) -> Array:
    """The pairs of items in different classes: never as all pairs less the tied, which cancels when N is large."""
    xp = namespace(marginal)
    return xp.sum(marginal * xp.matmul(marginal, below(marginal.shape[-1], like=marginal)), axis=-1)


@measure(
    id="kendall_a",
    asks=SAME_ORDER,
    chance="zero",
    title="Kendall's tau-a",
    symbol="τ_a",
    better="higher",
    range=(-1, 1),
    perfect=None,
    scale="ordinal",
    proportional=False,
    formula="τ_a = (concordant - discordant pairs) / (N (N-1) / 2)",
    source=(KENDALL_1945, AMIGO_2020.at("Section 5")),
    undefined=(ONE_ITEM,),
    use=_USE
    + "All pairs are in the denominator, so with few classes even a perfect run stays far below 1: it scores the share of "
    "pairs that gold orders. Compare runs on the same gold only. It reads the table as counts of items.",
    note="A constant output scores 0, as the formula has it; kendall_b and gamma are undefined there.",
)
def kendall_a(counts: Array) -> Array:
    xp = namespace(counts)
    concordant, discordant = pairs(counts)
    n = total(counts)
    return xp.where(ONE_ITEM.when(counts), xp.nan, ratio(concordant - discordant, n * (n - 1) / 2))


@measure(
    id="kendall_b",
    asks=SAME_ORDER,
    chance="zero",
    title="Kendall's tau-b",
    symbol="τ_b",
    better="higher",
    range=(-1, 1),
    scale="ordinal",
    aliases=("kendalltau",),
    formula="τ_b = (concordant - discordant pairs) / sqrt(pairs untied in gold · pairs untied in output)",
    source=(KENDALL_1945, AMIGO_2020.at("Section 4.2")),
    undefined=(CONSTANT_GOLD, CONSTANT_OUTPUT),
    use=_USE + "For ordinal classes with many ties.",
)
def kendall_b(counts: Array) -> Array:
    xp = namespace(counts)
    concordant, discordant = pairs(counts)
    untied = xp.sqrt(untied_pairs(gold(counts))) * xp.sqrt(untied_pairs(predicted(counts)))
    return ratio(concordant - discordant, untied)


@measure(
    id="gamma",
    asks=SAME_ORDER,
    title="Goodman and Kruskal's gamma",
    symbol="γ",
    better="higher",
    range=(-1, 1),
    scale="ordinal",
    formula="γ = (concordant - discordant pairs) / (concordant + discordant pairs)",
    source=(GOODMAN_1954,),
    undefined=(Undefined("no pair of items is ordered by both gold and output", lambda counts: sum(pairs(counts)) == 0),),
    use=_USE + "Ties on either side are left out, so a run that rarely commits itself can score 1.",
)
def gamma(counts: Array) -> Array:
    concordant, discordant = pairs(counts)
    return ratio(concordant - discordant, concordant + discordant)
