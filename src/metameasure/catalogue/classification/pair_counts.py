"""Pairs of items that are together in gold, in the output, in both or in neither: Rand's index and its kin."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.arrays import Array, namespace, ratio, summed
from metameasure.catalogue.classification.tables import BOTH_CONSTANT, ONE_ITEM, gold, predicted, total
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import TOGETHER
from metameasure.catalogue.sources import FOWLKES_1983, HUBERT_1985, RAND_1971

GROUPS = "It compares groups, not names: an output that permutes the labels scores as well as a right one."
_measure = partial(measure, asks=TOGETHER, better="higher", proportional=False)


def _pairs(counts: Array) -> tuple[Array, Array, Array, Array]:
    """Twice the number of pairs that are together in both, in gold only, in the output only, in neither. Sums of products that
    are not negative, so that large counts do not cancel."""
    in_gold, in_output, n = gold(counts)[..., :, None], predicted(counts)[..., None, :], total(counts)[..., None, None]
    others = (counts - 1, in_gold - counts, in_output - counts, n - in_gold - in_output + counts)
    both, gold_only, output_only, neither = (summed(counts * other, (-2, -1)) for other in others)
    return both, gold_only, output_only, neither


def all_alone(sizes: Array) -> Array:
    return namespace(sizes).all(sizes <= 1, axis=-1)


NOTHING_TO_ADJUST = Undefined(
    "each item has a class of its own in gold and in the output, or all have one",
    lambda counts: BOTH_CONSTANT.when(counts) | (all_alone(gold(counts)) & all_alone(predicted(counts))),
)


@_measure(
    id="rand",
    like={"sklearn": "rand_score()"},
    title="Rand index: the share of pairs of items on which gold and output agree whether they belong together",
    symbol="Rand",
    aliases=("rand_index",),
    formula="Rand = (pairs together in both + pairs apart in both) / pairs",
    source=(RAND_1971,),
    undefined=(ONE_ITEM,),
    use="To compare with work that used it: with many groups most pairs are apart in both, so that it is high whatever the "
    "output. Use ari. " + GROUPS,
)
def rand(counts: Array) -> Array:
    both, gold_only, output_only, neither = _pairs(counts)
    value = ratio(both + neither, both + gold_only + output_only + neither)
    return namespace(counts).where(ONE_ITEM.when(counts), namespace(counts).nan, value)


@_measure(
    id="ari",
    like={"sklearn": "adjusted_rand_score()"},
    title="Adjusted Rand index: without what chance gives",
    symbol="ARI",
    range=(-1, 1),
    chance="zero",
    aliases=("adjusted_rand", "adjusted_rand_index"),
    formula="ARI = (Index - E) / (Max - E),   Index the pairs together in both, Max half those together in either, E the mean of "
    "Index over all ways to deal out the same labels",
    source=(HUBERT_1985,),
    undefined=(NOTHING_TO_ADJUST,),
    use="How well groups match, pair by pair: random labels score 0 on average, whatever their number. Large groups count most, "
    "being most of the pairs. " + GROUPS,
    note="scikit-learn gives 1 where all items have one class on both sides, or each one of its own.",
)
def ari(counts: Array) -> Array:
    both, gold_only, output_only, neither = _pairs(counts)
    spread = (both + gold_only) * (gold_only + neither) + (both + output_only) * (output_only + neither)
    value = ratio(2 * (both * neither - gold_only * output_only), spread)
    return namespace(counts).where(NOTHING_TO_ADJUST.when(counts), namespace(counts).nan, value)


@_measure(
    id="fowlkes_mallows",
    like={"sklearn": "fowlkes_mallows_score()"},
    title="Fowlkes-Mallows index: the geometric mean of pairwise precision and recall",
    symbol="FM",
    formula="FM = TP / sqrt((TP + FP) (TP + FN)),   TP the pairs together in both, FP in the output only, FN in gold only; 0 "
    "where TP is 0",
    source=(FOWLKES_1983,),
    undefined=(Undefined("in gold no two items are together", lambda counts: all_alone(gold(counts)), of_gold=True),),
    use="Precision and recall over pairs in one number. Not adjusted for chance: few large groups score high. " + GROUPS,
    note="scikit-learn gives 0 where no two items of gold are together.",
)
def fowlkes_mallows(counts: Array) -> Array:
    both, gold_only, output_only, _ = _pairs(counts)
    xp = namespace(counts)
    precision = xp.where(all_alone(predicted(counts)), 0.0, ratio(both, both + output_only))
    return xp.sqrt(precision) * xp.sqrt(ratio(both, both + gold_only))
