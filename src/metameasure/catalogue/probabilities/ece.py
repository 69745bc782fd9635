"""Expected calibration error: how far probabilities are from how often they come true."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from metameasure.catalogue.arrays import Array, namespace, positions, ratio_or_zero
from metameasure.catalogue.facts import Excess
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.probabilities.items import PROBABILITIES, around, there
from metameasure.catalogue.questions import CALIBRATED
from metameasure.catalogue.sources import BROECKER_2012, GUO_2017, KUMAR_2019, NAEINI_2015
from metameasure.core.scale import Scale

USUAL_BINS = 10
_TERMS = 140  # of the series of the error function, which up to 6 are enough for all digits
_FAR = 6.0


class Bins(Options):
    """How many bins, and whether they are alike in width or in how many items they have: ``15``, ``15:by=mass``."""

    def __init__(self) -> None:
        super().__init__(number="bins", choices={"by": ("width", "mass")})

    def settings(self, argument: Any, scale: Scale | None) -> Mapping[str, Any]:
        chosen = dict(super().settings(argument, scale))
        return chosen | {"bins": chosen["bins"] or USUAL_BINS}


@dataclass(frozen=True)
class Binned:
    """Items by bins of their confidence, arrays (..., bins): how many there are, the sum of their confidences and that of how
    right they are; and the ``place`` (..., n) of each item's bin."""

    number: Array
    confidence: Array
    right: Array
    place: Array

    @property
    def gap(self) -> Array:
        """Mean confidence less the share that is right; 0 in an empty bin."""
        return ratio_or_zero(self.confidence - self.right, self.number)

    @property
    def share_right(self) -> Array:
        return ratio_or_zero(self.right, self.number)

    @property
    def total(self) -> Array:
        return namespace(self.number).sum(self.number, axis=-1)


def top_class(predicted: Array, gold: Array) -> tuple[Array, Array]:
    """(..., n): the highest probability of each item, and how right its class is: the first, where several are highest."""
    xp = namespace(predicted, gold)
    best = xp.argmax(xp.where(xp.isnan(predicted), -1.0, predicted), axis=-1)[..., None]
    confidence, right = (xp.take_along_axis(array, best, axis=-1)[..., 0] for array in (predicted, gold))
    return confidence, right


def binned(confidence: Array, right: Array, known: Array, bins: int, by: str) -> Binned:
    """Items (..., n) in bins (lo, hi] of the same width, or with as many items each; equal confidences are in one bin."""
    xp = namespace(confidence)
    edges = _edges_of_mass(confidence, known, bins) if by == "mass" else _edges_of_width(bins, confidence)
    place = sum(xp.astype(confidence > edges[..., edge : edge + 1], confidence.dtype) for edge in range(bins - 1))
    place = xp.where(known, place + xp.zeros_like(confidence), float(bins))
    summed = [
        xp.stack([xp.sum(xp.where(place == number, values, 0.0), axis=-1) for number in range(bins)], axis=-1)
        for values in (xp.ones_like(confidence), confidence, right)
    ]
    number, of_confidence, of_right = summed
    return Binned(number, of_confidence, of_right, place)


def _edges_of_width(bins: int, like: Array) -> Array:
    return ((positions(bins - 1, like=like) + 1) / bins)[None, :]


def _edges_of_mass(confidence: Array, known: Array, bins: int) -> Array:
    """Midway between the last item of a bin and the first of the next, when items in their order are divided into parts of about
    one size, of which the first may have one item more."""
    xp = namespace(confidence)
    arranged = xp.sort(xp.where(known, confidence, xp.inf), axis=-1)
    number = xp.sum(xp.astype(known, confidence.dtype), axis=-1)[..., None]
    cut = positions(bins - 1, like=confidence) + 1
    each = xp.floor(number / bins)
    first = cut * each + xp.minimum(cut + 0 * number, number - bins * each)
    at = xp.asarray(0).dtype
    last = arranged.shape[-1] - 1
    upper = xp.take_along_axis(arranged, xp.astype(xp.clip(first, 0.0, float(last)), at), axis=-1)
    lower = xp.take_along_axis(arranged, xp.astype(xp.clip(first - 1, 0.0, float(last)), at), axis=-1)
    return xp.where(first >= number, xp.inf, (lower + upper) / 2)


def _binned(predicted: Array, gold: Array, bins: int, by: str) -> Binned:
    return binned(*top_class(predicted, gold), there(predicted, gold), bins, by)


def _error(items: Binned) -> Array:
    xp = namespace(items.number)
    return xp.sum(xp.abs(items.confidence - items.right), axis=-1) / items.total


def _spread(items: Binned) -> Array:
    """The standard deviation of each bin's share that is right."""
    share = items.share_right
    return namespace(share).sqrt(ratio_or_zero(share * (1 - share), items.number))


def error_function(x: Array) -> Array:
    """erf, by the series 2/√π exp(-x²) Σ_k 2^k x^(2k+1) / (2k+1)!!."""
    xp = namespace(x)
    near = xp.clip(x, -_FAR, _FAR)
    term = total = near
    for k in range(1, _TERMS):
        term = term * (2 * near**2 / (2 * k + 1))
        total = total + term
    value = 2 / math.sqrt(math.pi) * xp.exp(-(near**2)) * total
    return xp.where(xp.abs(x) >= _FAR, xp.sign(x), value)


@dataclass(frozen=True)
class _Folded:
    """E|X| of a normal X in each bin, and its derivatives by the mean and by the standard deviation."""

    value: Array
    by_mean: Array
    by_deviation: Array

    @classmethod
    def of(cls, mean: Array, deviation: Array) -> _Folded:
        xp = namespace(mean)
        some = deviation > 0
        ratio = mean / xp.where(some, deviation, 1.0)
        density = math.sqrt(2 / math.pi) * xp.exp(-(ratio**2) / 2)
        sign = xp.where(some, error_function(ratio / math.sqrt(2)), xp.sign(mean))
        value = xp.where(some, deviation * density + mean * sign, xp.abs(mean))
        return cls(value, sign, xp.where(some, density, 0.0))


def _by_chance(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    items = _binned(predicted, gold, bins, by)
    return _error(items) - _debiased(items)


_measure = partial(measure, asks=CALIBRATED, inputs=PROBABILITIES, better="lower", perfect=None)
_TOP = (
    "of the class with the highest probability (the first of several), in bins (lo, hi] of the same width, 10 unless a number is "
    "given, or with as many items each (by=mass), equal probabilities together"
)


@_measure(
    id="ece",
    title="Expected calibration error",
    symbol="ECE{}",
    parameter=Bins(),
    range=(0, 1),
    source=(NAEINI_2015.at("Section 2"), GUO_2017.at("Eq. 3")),
    excess=Excess(_by_chance, "ece_debiased"),
    headline={"probabilities": 5},
    formula="Σ_b (n_b / n) |conf_b - acc_b|,   n_b items of bin b with mean probability conf_b, acc_b of them right",
    use=f"Whether probabilities can be taken at their word: {_TOP}. It says nothing on whether they tell items apart.",
    note="Too high by chance, by more the more bins and the fewer items there are: a perfectly calibrated run does not score 0. "
    "ece_debiased is without that, and has an interval. Its value depends on the bins, so name them.",
)
def ece(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    return _error(_binned(predicted, gold, bins, by))


def _debiased(items: Binned) -> Array:
    xp = namespace(items.number)
    folded = _Folded.of(items.gap, _spread(items))
    return 2 * _error(items) - xp.sum(items.number * folded.value, axis=-1) / items.total


def _at_each_item(items: Binned, of_bins: Array) -> Array:
    """What each item's bin has (..., n)."""
    xp = namespace(of_bins)
    padded = xp.concat([of_bins, xp.zeros_like(of_bins[..., :1])], axis=-1)
    return xp.take_along_axis(padded, xp.astype(items.place, xp.asarray(0).dtype), axis=-1)


def _debiased_of_items(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    """By the derivatives of n_b (2 |gap| - E|N(gap, s²)|), the bins being fixed."""
    xp, known = namespace(predicted, gold), there(predicted, gold)
    confidence, right = top_class(predicted, gold)
    items = binned(confidence, right, known, bins, by)
    gap, share, deviation = items.gap, items.share_right, _spread(items)
    folded = _Folded.of(gap, deviation)
    slope = 2 * xp.sign(gap) - folded.by_mean
    by_right = ratio_or_zero(1 - 2 * share, 2 * deviation * items.number)  # of the deviation, by the share that is right
    of_gap = _at_each_item(items, slope) * (confidence - right - _at_each_item(items, gap))
    of_spread = _at_each_item(items, folded.by_deviation * by_right) * (right - _at_each_item(items, share))
    shrinking = _at_each_item(items, folded.by_deviation * deviation / 2)  # as n_b grows
    level = _at_each_item(items, 2 * xp.abs(gap) - folded.value)
    return around(_debiased(items), level + of_gap - of_spread + shrinking, known)


@_measure(
    id="ece_debiased",
    passes_perfect=True,
    title="Expected calibration error, debiased",
    symbol="ECE{}_d",
    parameter=Bins(),
    range=(-1, 1),
    source=(BROECKER_2012,),
    linearised=_debiased_of_items,
    formula="2 ECE - Σ_b (n_b / n) E|X_b|,   X_b normal with mean conf_b - acc_b and variance acc_b (1 - acc_b) / n_b",
    use=f"As ece, without what chance adds to it: {_TOP}.",
    note="What chance adds is estimated by drawing each bin's share again, and taken off. It may be below 0 where a run is "
    "calibrated about as well as can be told.",
)
def ece_debiased(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    return _debiased(_binned(predicted, gold, bins, by))


def _squared(items: Binned) -> Array:
    xp = namespace(items.number)
    share, some = items.share_right, items.number > 1
    excess = share * (1 - share) / xp.where(some, items.number - 1, 1.0)
    return xp.sum(xp.where(some, items.number * (items.gap**2 - excess), 0.0), axis=-1) / items.total


def _squared_of_items(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    """By the derivatives of n_b (gap² - a (1 - a) / (n_b - 1)), the bins being fixed."""
    xp, known = namespace(predicted, gold), there(predicted, gold)
    confidence, right = top_class(predicted, gold)
    items = binned(confidence, right, known, bins, by)
    gap, share, some = items.gap, items.share_right, items.number > 1
    fewer = xp.where(some, items.number - 1, 1.0)
    level = gap**2 - share * (1 - share) / fewer + items.number * share * (1 - share) / fewer**2
    parts = [_at_each_item(items, xp.where(some, part, 0.0)) for part in (level, 2 * gap, (1 - 2 * share) / fewer)]
    of_gap = confidence - right - _at_each_item(items, gap)
    change = parts[0] + parts[1] * of_gap - parts[2] * (right - _at_each_item(items, share))
    return around(_squared(items), change, known)


@_measure(
    id="ece_squared",
    passes_perfect=True,
    title="Squared calibration error, debiased",
    symbol="ECE²{}",
    parameter=Bins(),
    range=(-1, 1),
    source=(KUMAR_2019.at("Definition 4.2"),),
    linearised=_squared_of_items,
    formula="Σ_b (n_b / n) ((conf_b - acc_b)² - acc_b (1 - acc_b) / (n_b - 1)),   0 for a bin of one item",
    use=f"As ece_debiased with squares, of which the estimate is unbiased: {_TOP}.",
    note="It may be below 0.",
)
def ece_squared(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    return _squared(_binned(predicted, gold, bins, by))


def _of_classes(predicted: Array, gold: Array, bins: int, by: str) -> list[Binned]:
    known = there(predicted, gold)
    return [binned(predicted[..., one], gold[..., one], known, bins, by) for one in range(predicted.shape[-1])]


def _by_chance_in_classes(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    each = [_error(items) - _debiased(items) for items in _of_classes(predicted, gold, bins, by)]
    return namespace(predicted).mean(namespace(predicted).stack(each), axis=0)


@_measure(
    id="ece_classwise",
    title="Expected calibration error of all classes",
    symbol="ECE{}_c",
    parameter=Bins(),
    range=(0, 1),
    source=(KUMAR_2019.at("Section 2"),),
    formula="(1/C) Σ_c Σ_b (n_bc / n) |conf_bc - acc_bc|,   bins of p_c; acc_bc is the share of items of class c",
    excess=Excess(_by_chance_in_classes, "ece_debiased"),
    use="As ece, for every class and not for the highest probability alone.",
    note="Too high by chance as ece is.",
)
def ece_classwise(predicted: Array, gold: Array, *, bins: int, by: str) -> Array:
    each = [_error(items) for items in _of_classes(predicted, gold, bins, by)]
    return namespace(predicted).mean(namespace(predicted).stack(each), axis=0)
