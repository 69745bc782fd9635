"""Average precision of a class: how far in front its items stand, by the probability that a run gives them."""

from __future__ import annotations

from metameasure.catalogue.arrays import Array, namespace, ratio
from metameasure.catalogue.entailment.average_precision import average_precision as of_order
from metameasure.catalogue.entailment.average_precision import precisions
from metameasure.catalogue.entailment.orders import TOTALS, harmonic_numbers, tie_groups
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.probabilities.auc import pseudo_values
from metameasure.catalogue.probabilities.items import PROBABILITIES, is_soft, there
from metameasure.catalogue.questions import IN_ORDER_OF_PROBABILITY
from metameasure.catalogue.sources import BERGMAIR_2009


def _none(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    """Whether no item of those that are there is of the class; gold of several classes has its own reason."""
    xp = namespace(gold)
    of_class = xp.where(there(predicted, gold), gold[..., chosen[0]], 0.0)
    return (xp.sum(of_class, axis=-1) == 0) & ~is_soft(gold)


def _of_items(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    """The pseudo-values of items, from the average precision without each of them. Without an item, groups of ties before its own
    stay as they are, its own has one item less, and those behind it move up by one place."""
    xp, known = namespace(predicted, gold), there(predicted, gold)
    ranks = xp.where(known, -predicted[..., chosen[0]], xp.inf)
    order = xp.argsort(ranks, axis=-1, stable=False)
    positive = xp.take_along_axis(xp.where(known, gold[..., chosen[0]], 0.0), order, axis=-1)
    groups = tie_groups(xp.take_along_axis(ranks, order, axis=-1), positive)
    before, size, counted, ahead = groups.before, groups.size, groups.counted, groups.counted_before
    one = xp.ones_like(size)
    whole, moved_up, less = (
        _gain(before, ahead, size, counted),
        _gain(xp.maximum(before - 1, 0 * one), ahead, size, counted),
        _gain(xp.maximum(before - 1, 0 * one), ahead - 1, size, counted),
    )
    starts = groups.place == before + 1
    sums = [xp.cumulative_sum(xp.where(starts, gain, 0.0), axis=-1) for gain in (whole, moved_up, less)]
    value, total = ratio(sums[0][..., -1], xp.sum(positive, axis=-1)), xp.sum(positive, axis=-1)[..., None]
    behind = xp.where(positive > 0, sums[2][..., -1:] - sums[2], sums[1][..., -1:] - sums[1])
    own = _gain(before, ahead, xp.maximum(size - 1, 0 * one), counted - positive)
    without = ratio(sums[0] - whole + own + behind, total - positive)
    return pseudo_values(value, xp.take_along_axis(without, xp.argsort(order, axis=-1), axis=-1), known)


def _gain(before: Array, positive_before: Array, size: Array, positive: Array) -> Array:
    """What a group of ties adds to the sum of precisions."""
    xp = namespace(size)
    numbers = xp.astype(xp.stack([before, before + size]), xp.asarray(0).dtype)
    harmonic = harmonic_numbers(size.shape[-1], size)
    first, last = (xp.reshape(xp.take(harmonic, xp.reshape(one, (-1,))), one.shape) for one in (numbers[0, ...], numbers[1, ...]))
    expected = precisions(before, positive_before, size, positive, size, last - first)
    return xp.where(positive > 0, positive / xp.maximum(size, xp.ones_like(size)) * expected, 0.0)


@measure(
    id="average_precision@LABEL",
    title="Average precision of one class",
    symbol="AP@{}",
    like={"sklearn": "average_precision_score(pos_label=LABEL)"},
    inputs=PROBABILITIES,
    asks=IN_ORDER_OF_PROBABILITY,
    better="higher",
    perfect=None,
    parameter=Labels(several=False),
    undefined=(
        Undefined("no positive", _none, of_gold=True),
        Undefined("gold is of several classes", lambda predicted, gold, *, chosen: is_soft(gold), of_gold=True),
    ),
    linearised=_of_items,
    formula="(1/R) Σ_{r: g_r = 1} (1/r) Σ_{s ≤ r} g_s,   items in the order of p_c, g is 1 for those of class c, R = Σ_r g_r",
    source=(BERGMAIR_2009.at("Section 4"),),
    use="A rare class of which one takes those that are surest. It sees the class's own items; auc@LABEL sees all others too.",
    note="Items with the same probability are taken in every order alike, and the value is the mean over them. scikit-learn "
    "takes a tie as one step, so that an item of the class that is tied with many others counts as if it stood behind them: of "
    "probabilities .9 .8 .8 .8 .3 .3 and classes 1 0 1 0 1 0 it has .666667, and the mean over all orders is .757407. Where no "
    "item is of the class there is no value; scikit-learn has 0.",
)
def average_precision_of_class(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    xp = namespace(predicted, gold)
    known = there(predicted, gold)
    ranks, counts = (xp.where(known, array[..., chosen[0]], xp.nan) for array in (-predicted, gold))
    value = of_order.function(*TOTALS.function(ranks, counts), k=None)
    return xp.where(is_soft(gold), xp.nan, value)
