"""Area under the ROC curve: how often an item of a class gets a higher probability of it than an item of another class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import permutations

from array_api_compat import is_numpy_array

from metameasure.catalogue.arrays import Array, anywhere, group_ends, group_starts, mean_of_defined, namespace, positions, ratio
from metameasure.catalogue.facts import Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.probabilities.items import PROBABILITIES, around, there
from metameasure.catalogue.questions import IN_ORDER_OF_PROBABILITY
from metameasure.catalogue.sources import DELONG_1988, HAND_2001, HANLEY_1982

_MANY = 4096


@dataclass(frozen=True)
class _Pairs:
    """Pairs of an item that is positive and another that is negative, each by its weight: the pairs that are won, ties being half
    won, (...,), and all ``pairs``; and of each item (..., n) those that it is in, ``own_won`` and ``own_pairs``."""

    won: Array
    pairs: Array
    own_won: Array
    own_pairs: Array

    @property
    def share(self) -> Array:
        return ratio(self.won, self.pairs)

    @property
    def without_one(self) -> Array:
        """The share of pairs that are won without each item (..., n)."""
        return ratio(self.won[..., None] - self.own_won, self.pairs[..., None] - self.own_pairs)


def _pairs(score: Array, positive: Array, negative: Array, *, of_items: bool = False) -> _Pairs:
    """Of items (..., n) with weights that are 0 where an item is not there; no item is in a pair with itself. What single items
    have is left out unless it is wanted."""
    xp = namespace(score)
    itself = positive * negative
    all_positive, all_negative = (xp.sum(weight, axis=-1) for weight in (positive, negative))
    pairs = all_positive * all_negative - xp.sum(itself, axis=-1)
    if not of_items and _are_many_of_one_class(score, positive, negative):
        won = xp.stack([_won(*case) for case in zip(score, positive > 0, negative > 0, strict=True)])
        return _Pairs(won, pairs, won, pairs)
    order = xp.argsort(score, axis=-1, stable=False)
    arranged, gains, losses = (xp.take_along_axis(array, order, axis=-1) for array in (score, positive, negative))
    ends = group_ends(group_starts(arranged), positions(score.shape[-1], score))
    first, last = (xp.astype(end, xp.asarray(0).dtype) for end in ends)
    below = _middle(losses, first, last)
    won = xp.sum(gains * below, axis=-1) - xp.sum(itself, axis=-1) / 2
    if not of_items:
        return _Pairs(won, pairs, won, pairs)
    above = all_positive[..., None] - _middle(gains, first, last)
    back = xp.argsort(order, axis=-1)
    own_won = xp.take_along_axis(gains * below + losses * above, back, axis=-1) - itself
    own_pairs = positive * (all_negative[..., None] - negative) + negative * (all_positive[..., None] - positive)
    return _Pairs(won, pairs, own_won, own_pairs)


def _are_many_of_one_class(score: Array, positive: Array, negative: Array) -> bool:
    """Whether these are many items of NumPy's, each positive or negative or neither: sorting both sides apart is faster."""
    if not is_numpy_array(score) or score.ndim != 2 or score.shape[-1] < _MANY:
        return False
    return all(bool(((weight == 0) | (weight == 1)).all()) for weight in (positive, negative))


def _won(score: Array, positive: Array, negative: Array) -> Array:
    """The pairs that positive items of one case win, ties being half won: by looking each up among the negative ones."""
    xp = namespace(score)
    gains, losses = xp.sort(score[positive]), xp.sort(score[negative])
    below, up_to = (xp.searchsorted(losses, gains, side=side) for side in ("left", "right"))
    return xp.asarray((xp.sum(below) + xp.sum(up_to)) / 2, dtype=score.dtype)


def _middle(weights: Array, first: Array, last: Array) -> Array:
    """The weight below each place's group of ties, and half of that in the group."""
    xp = namespace(weights)
    total = xp.cumulative_sum(weights, axis=-1, include_initial=True)
    return (xp.take_along_axis(total, first, axis=-1) + xp.take_along_axis(total, last + 1, axis=-1)) / 2


def _known(predicted: Array, gold: Array) -> tuple[Array, Array, Array]:
    """Probabilities and gold with 0 for items that are not there, and which are (..., n)."""
    xp = namespace(predicted, gold)
    known = there(predicted, gold)
    if not anywhere(~known):
        return predicted, gold, xp.ones_like(predicted[..., 0])
    score, weight = (xp.where(known[..., None], array, 0.0) for array in (predicted, gold))
    return score, weight, xp.astype(known, predicted.dtype)


def _of_class(predicted: Array, gold: Array, place: int, *, of_items: bool = False) -> _Pairs:
    """Items of a class against all others."""
    score, weight, known = _known(predicted, gold)
    return _pairs(score[..., place], weight[..., place], known - weight[..., place], of_items=of_items)


def _size(predicted: Array, gold: Array, place: int) -> Array:
    """How many items that are there are of a class."""
    xp = namespace(gold)
    return xp.sum(xp.where(there(predicted, gold), gold[..., place], 0.0), axis=-1)


def _none(predicted: Array, gold: Array, place: int) -> Array:
    return _size(predicted, gold, place) == 0


def _all(predicted: Array, gold: Array, place: int) -> Array:
    xp = namespace(gold)
    return xp.sum(xp.where(there(predicted, gold), 1 - gold[..., place], 0.0), axis=-1) == 0


def _no_pair(predicted: Array, gold: Array, place: int) -> Array:
    return _of_class(predicted, gold, place).pairs <= 0


def _alone(predicted: Array, gold: Array, place: int) -> Array:
    """Whether the only item that is positive is the only one that is negative, by its shares."""
    return _no_pair(predicted, gold, place) & ~_none(predicted, gold, place) & ~_all(predicted, gold, place)


def _one_class(predicted: Array, gold: Array) -> Array:
    xp = namespace(gold)
    return xp.all(xp.stack([_no_pair(predicted, gold, place) for place in range(gold.shape[-1])]), axis=0)


def pseudo_values(value: Array, without: Array, known: Array) -> Array:
    """(..., n): the value, more or less what it changes by without each item times the others' number; their mean is the value.
    NaN where an item is not there."""
    number = namespace(without).sum(namespace(without).astype(known, without.dtype), axis=-1)[..., None]
    return around(value, (number - 1) * (value[..., None] - without), known)


_USE = "Whether items of a class get a higher probability of it than others, whatever the probabilities are. "
_measure = partial(measure, asks=IN_ORDER_OF_PROBABILITY, inputs=PROBABILITIES, better="higher", perfect=None)
_SOURCE = (HANLEY_1982, DELONG_1988)
_NO_PAIR = Undefined("gold has one class only", _one_class, of_gold=True)
_ABSENT = (
    "A class that gold does not have, or that all items have, has no value and is out of the mean, where scikit-learn has NaN "
    "for the whole or refuses."
)


def _auc_of_items(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    pairs = _of_class(predicted, gold, chosen[0], of_items=True)
    return pseudo_values(pairs.share, pairs.without_one, there(predicted, gold))


@_measure(
    id="auc@LABEL",
    title="Area under the ROC curve of one class",
    source=_SOURCE,
    symbol="AUC@{}",
    like={"sklearn": "roc_auc_score(pos_label=LABEL)"},
    parameter=Labels(several=False),
    undefined=(
        Undefined("no positive", lambda predicted, gold, *, chosen: _none(predicted, gold, chosen[0]), of_gold=True),
        Undefined("no negative", lambda predicted, gold, *, chosen: _all(predicted, gold, chosen[0]), of_gold=True),
        Undefined("there is one item", lambda predicted, gold, *, chosen: _alone(predicted, gold, chosen[0]), of_gold=True),
    ),
    linearised=_auc_of_items,
    formula="Σ_{i ≠ j} g_ic (1 - g_jc) ([p_ic > p_jc] + [p_ic = p_jc] / 2) / Σ_{i ≠ j} g_ic (1 - g_jc)",
    use=_USE + "Ties are half won.",
    note="Intervals and tests are those of DeLong et al. (1988) but for the last digits: what the value changes by without each "
    "item. With gold of several classes items are positive and negative by their shares.",
)
def auc_of_class(predicted: Array, gold: Array, *, chosen: tuple[int, ...]) -> Array:
    return _of_class(predicted, gold, chosen[0]).share


def _auc_macro_of_items(predicted: Array, gold: Array) -> Array:
    each = [_of_class(predicted, gold, place, of_items=True) for place in range(gold.shape[-1])]
    known = there(predicted, gold)
    return _with_gaps([pseudo_values(one.share, one.without_one, known) for one in each], [one.share for one in each])


def _with_gaps(values: list[Array], shares: list[Array]) -> Array:
    """The mean over classes that are defined of what items add to each."""
    xp = namespace(*values)
    weight = [xp.astype(~xp.isnan(share), share.dtype)[..., None] for share in shares]
    total = sum(xp.where(one > 0, value, 0.0) for one, value in zip(weight, values, strict=True))
    return ratio(total, sum(weight) + 0.0 * total)


@_measure(
    id="auc",
    title="Area under the ROC curve",
    source=_SOURCE,
    symbol="AUC",
    like={"sklearn": "roc_auc_score(multi_class='ovr')"},
    aliases=("roc_auc", "roc_auc_ovr"),
    undefined=(_NO_PAIR,),
    linearised=_auc_macro_of_items,
    headline={"probabilities": 4},
    formula="(1/C) Σ_c auc@c",
    use=_USE + "The mean over classes, each against all others; of two classes both have the same.",
    note=_ABSENT,
)
def auc(predicted: Array, gold: Array) -> Array:
    shares = [_of_class(predicted, gold, place).share for place in range(gold.shape[-1])]
    return mean_of_defined(namespace(gold).stack(shares), axis=0)


def _auc_weighted_of_items(predicted: Array, gold: Array) -> Array:
    xp, known = namespace(gold), there(predicted, gold)
    whole = without = size = sizes = 0.0
    for place in range(gold.shape[-1]):
        one = _of_class(predicted, gold, place, of_items=True)
        own, all_of_it = xp.where(known, gold[..., place], 0.0), _size(predicted, gold, place)
        defined = ~xp.isnan(one.share)
        whole, size = whole + xp.where(defined, all_of_it * one.share, 0.0), size + xp.where(defined, all_of_it, 0.0)
        left = all_of_it[..., None] - own
        without = without + xp.where(defined[..., None], left * one.without_one, 0.0)
        sizes = sizes + xp.where(defined[..., None], left, 0.0)
    return pseudo_values(ratio(whole, size), ratio(without, sizes), known)


@_measure(
    id="auc_weighted",
    title="Area under the ROC curve, classes by their size",
    source=_SOURCE,
    symbol="AUC_w",
    like={"sklearn": "roc_auc_score(multi_class='ovr', average='weighted')"},
    aliases=("roc_auc_ovr_weighted",),
    undefined=(_NO_PAIR,),
    linearised=_auc_weighted_of_items,
    formula="Σ_c (Σ_i g_ic / n) auc@c",
    use="As auc, for those to whom a large class matters more than a small one.",
    note=_ABSENT,
)
def auc_weighted(predicted: Array, gold: Array) -> Array:
    xp = namespace(gold)
    shares = [_of_class(predicted, gold, place).share for place in range(gold.shape[-1])]
    sizes = [xp.where(xp.isnan(share), 0.0, _size(predicted, gold, place)) for place, share in enumerate(shares)]
    total = sum(size * xp.where(xp.isnan(share), 0.0, share) for size, share in zip(sizes, shares, strict=True))
    return ratio(total, sum(sizes))


def _one_against_one(predicted: Array, gold: Array, *, of_items: bool = False) -> list[_Pairs]:
    score, weight, _ = _known(predicted, gold)
    twos = permutations(range(gold.shape[-1]), 2)
    return [_pairs(score[..., one], weight[..., one], weight[..., other], of_items=of_items) for one, other in twos]


def _auc_ovo_of_items(predicted: Array, gold: Array) -> Array:
    each, known = _one_against_one(predicted, gold, of_items=True), there(predicted, gold)
    return _with_gaps([pseudo_values(one.share, one.without_one, known) for one in each], [one.share for one in each])


@_measure(
    id="auc_ovo",
    title="Area under the ROC curve, one class against one",
    symbol="AUC_1v1",
    like={"sklearn": "roc_auc_score(multi_class='ovo')"},
    aliases=("roc_auc_ovo",),
    undefined=(_NO_PAIR,),
    linearised=_auc_ovo_of_items,
    source=(HAND_2001.at("Eq. 7"),),
    formula="Σ_{c ≠ d} auc@c among the items of c and d / (C (C - 1))",
    use="As auc, for classes of very different sizes: no class is judged by how rare the others are.",
    note="Two classes that gold does not both have are out of the mean.",
)
def auc_ovo(predicted: Array, gold: Array) -> Array:
    return mean_of_defined(namespace(gold).stack([one.share for one in _one_against_one(predicted, gold)]), axis=0)
