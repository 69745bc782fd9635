"""Where the human ranks the item that the prediction ranks first."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.facts import Bound, Shares
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.ranking.lists import TIES, with_worst_ties
from metameasure.catalogue.ranking.normalisation import WAYS, normalised
from metameasure.catalogue.ranking.ranks import RANKS, best_ranked, ranked_by_both
from metameasure.catalogue.sources import AVRAMIDIS_2013

_NOTE = (
    "Human ranks are normalised (ranks=floor: tied items have the first of their places; or ceiling, middle, minimize). Where "
    "several items are predicted best, the expectation over them counts; with ties=worst the one that the human ranks lowest, as "
    "in RankEval"
)
_ITEMS = Bound("n", lambda items, span: float(items))


def _chosen(predicted: Array, gold: Array, ranks: str) -> tuple[Array, Array]:
    """The human ranks of all items, and which items are predicted best."""
    return normalised(gold, ranks), best_ranked(predicted, ranked_by_both(predicted, gold))


def _over_ties(values: Array, ranks: Array, best: Array, ties: str) -> Array:
    """The values of the items that are predicted best: their mean, or that of the lowest ranked among them."""
    xp = namespace(values)
    if ties == "worst":
        lowest = xp.max(xp.where(best, ranks, -xp.inf), axis=-1)[:, None]
        best = best & (ranks == lowest)
    return ratio(xp.sum(xp.where(best, values, 0.0), axis=-1), xp.sum(xp.astype(best, values.dtype), axis=-1))


@measure(
    id="best_vs_human@r",
    title="Whether the item predicted best has human rank r; its mean over segments is a share",
    symbol="BPH({})",
    inputs=RANKS,
    better=None,
    range=(0, 1),
    parameter=Options(number="r", required=True, choices={"ties": TIES, "ranks": WAYS}),
    facts_at=with_worst_ties,
    formula="BPH(r) = share of the items predicted best that have human rank r",
    source=(AVRAMIDIS_2013.at("Section 3.5"),),
    use="To see where the chosen items stand: r = 1, 2, ... side by side are a distribution. Higher is better for r = 1 alone.",
    note=f"{_NOTE} (there: best_vs_human@1:ties=worst:ranks=minimize).",
    shares=Shares("share of segments, by the human rank of the item predicted best", "rank {}"),
)
def best_vs_human(predicted: Array, gold: Array, *, r: int, ties: str, ranks: str) -> Array:
    human, best = _chosen(predicted, gold, ranks)
    return _over_ties(namespace(predicted).astype(human == r, predicted.dtype), human, best, ties)


@measure(
    id="average_predicted_rank",
    title="Human rank of the item predicted best; its mean over segments is the average predicted rank",
    symbol="AvgPred{}",
    inputs=RANKS,
    better="lower",
    range=(1, _ITEMS),
    perfect=1,
    # The best of several items that the human ties is not ranked first if human ties take the last place, or the middle.
    facts_at=lambda settings: {
        "ties": settings["ties"],
        "perfect": None if settings["ranks"] in ("ceiling", "middle") else 1,
    },
    parameter=Options(choices={"ties": TIES, "ranks": WAYS}),
    formula="mean human rank of the items predicted best",
    source=(AVRAMIDIS_2013.at("Section 3.5"),),
    use="How good what is chosen is, in ranks. Compare on segments of equal length only.",
    note=f"{_NOTE} (there: average_predicted_rank@ties=worst:ranks=ceiling). With ranks other than floor or minimize even a "
    "perfect prediction may be above 1.",
)
def average_predicted_rank(predicted: Array, gold: Array, *, ties: str, ranks: str) -> Array:
    human, best = _chosen(predicted, gold, ranks)
    return _over_ties(human, human, best, ties)
