"""Intraclass correlations: the share of the ratings' variance that is between items."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.agreement.ratings import PERSONS, RATINGS
from metameasure.catalogue.arrays import Array, namespace, ratio, ratio_or_zero
from metameasure.catalogue.classification.tables import occupied
from metameasure.catalogue.facts import Reduction, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.sources import SHROUT_1979

_ROUNDING = 1e-9  # of a variance, relative to the squared span of the values
_measure = partial(measure, better="higher", range=(-float("inf"), 1), scale="interval", source=(SHROUT_1979,))
_NOTATION_1 = "   BMS and WMS the mean squares between items and within them, n_0 = (n - Σ r_i² / n) / (items - 1), n = Σ r_i"
_NOTATION_2 = "   BMS, JMS and EMS the mean squares of items, annotators and the rest, R annotators, n items that all have rated"
_AVERAGE = " Of the mean of all annotators' ratings, not of a single one: it grows with their number."


def _centred(values: Array) -> Array:
    """Values less their middle: sums of squares then do not cancel."""
    return values - (values[0] + values[-1]) / 2


def _one_way(ratings: Array, *, values: Array) -> tuple[Array, ...]:
    """Class sizes (C), Σ (Σ_k v n_ik)² / r_i, the number of items, Σ r_i²."""
    xp = namespace(ratings)
    totals = xp.sum(ratings, axis=-1)
    between = xp.sum(ratio_or_zero(xp.matmul(ratings, _centred(values)) ** 2, totals), axis=-1)
    items = xp.sum(xp.astype(totals > 0, ratings.dtype), axis=-1)
    return (xp.concat([xp.sum(ratings, axis=-2), xp.stack([between, items, xp.sum(totals**2, axis=-1)], axis=-1)], axis=-1),)


def _mean_squares(sums: Array, values: Array) -> tuple[Array, Array, Array]:
    """BMS, WMS and n_0."""
    xp = namespace(sums)
    sizes, between, items, squares = sums[..., :-3], sums[..., -3], sums[..., -2], sums[..., -1]
    centred = _centred(values)
    number = xp.sum(sizes, axis=-1)
    total = ratio(xp.matmul(sizes, centred) ** 2, number)
    above_zero = xp.zeros_like(between)
    explained = xp.maximum(between - total, above_zero)
    within = xp.maximum(xp.matmul(sizes, centred**2) - between, above_zero)
    usual = ratio(number - ratio(squares, number), items - 1)
    return ratio(explained, items - 1), ratio(within, number - items), usual


_ONE_WAY = Reduction((), _one_way, adds=True)
_TOO_FEW = (
    Undefined("there are fewer than two items", lambda sums: sums[..., -2] < 2),
    Undefined("no item has two ratings", lambda sums: namespace(sums).sum(sums[..., :-3], axis=-1) <= sums[..., -2]),
    Undefined("all ratings are of one class", lambda sums: occupied(sums[..., :-3]) < 2),
)


def _negligible(variance: Array, values: Array) -> Array:
    return variance <= _ROUNDING * (values[-1] - values[0]) ** 2


@_measure(
    id="icc1",
    title="Intraclass correlation, one-way",
    symbol="ICC(1,1)",
    inputs=RATINGS,
    evidence=_ONE_WAY,
    undefined=_TOO_FEW,
    formula="ICC(1,1) = (BMS - WMS) / (BMS + (n_0 - 1) WMS)," + _NOTATION_1,
    use="Numeric ratings by annotators who differ from item to item; any number of ratings an item.",
)
def icc1(sums: Array, *, values: Array) -> Array:
    between, within, usual = _mean_squares(sums, values)
    return ratio(between - within, between + (usual - 1) * within)


@_measure(
    id="icc1k",
    title="Intraclass correlation of the mean, one-way",
    symbol="ICC(1,k)",
    inputs=RATINGS,
    evidence=_ONE_WAY,
    undefined=(
        *_TOO_FEW,
        Undefined(
            "all items have the same mean rating", lambda sums, *, values: _negligible(_mean_squares(sums, values)[0], values)
        ),
    ),
    formula="ICC(1,k) = (BMS - WMS) / BMS," + _NOTATION_1,
    use="As icc1." + _AVERAGE,
)
def icc1k(sums: Array, *, values: Array) -> Array:
    xp = namespace(sums)
    between, within, _ = _mean_squares(sums, values)
    return xp.where(_negligible(between, values), xp.nan, ratio(between - within, between))


def _two_way(persons: Array, *, values: Array) -> tuple[Array, ...]:
    """Of items that all annotators have rated: class sizes (C), annotators' sums (R), Σ (Σ_g x_ig)², and how many there are."""
    xp = namespace(persons)
    complete = xp.astype(xp.all(xp.sum(persons, axis=-1) > 0, axis=-1), persons.dtype)
    numbers = xp.matmul(persons, _centred(values)) * complete[..., None]
    sizes = xp.sum(xp.sum(persons, axis=-2) * complete[..., None], axis=-2)
    squares = xp.sum(xp.sum(numbers, axis=-1) ** 2, axis=-1)
    items = xp.sum(complete, axis=-1)
    return (xp.concat([sizes, xp.sum(numbers, axis=-2), xp.stack([squares, items], axis=-1)], axis=-1),)


def _two_way_squares(sums: Array, values: Array) -> tuple[Array, Array, Array, Array, int]:
    """BMS, JMS, EMS, the number of items and that of annotators."""
    xp = namespace(sums)
    classes = values.shape[0]
    sizes, by_annotator, squares, items = sums[..., :classes], sums[..., classes:-2], sums[..., -2], sums[..., -1]
    annotators = by_annotator.shape[-1]
    total = ratio(xp.sum(by_annotator, axis=-1) ** 2, items * annotators)
    all_of_it = xp.matmul(sizes, _centred(values) ** 2) - total
    of_items = squares / annotators - total
    of_annotators = ratio(xp.sum(by_annotator**2, axis=-1), items) - total
    nothing = xp.zeros_like(squares)
    rest = xp.maximum(all_of_it - of_items - of_annotators, nothing)
    between = ratio(xp.maximum(of_items, nothing), items - 1)
    judges = xp.maximum(of_annotators, nothing) / max(1, annotators - 1)
    return between, judges, ratio(rest, (items - 1) * max(1, annotators - 1)), items, annotators


def _one_annotator(sums: Array, *, values: Array) -> Array:
    return namespace(sums).full_like(sums[..., 0], sums.shape[-1] - values.shape[0] - 2) < 2


_TWO_WAY = Reduction((), _two_way, adds=True, persons="complete")
_TOO_FEW_COMPLETE = (
    Undefined("fewer than two items are rated by all annotators", lambda sums: sums[..., -1] < 2),
    Undefined("there is one annotator", _one_annotator),
    Undefined("all ratings are of one class", lambda sums, *, values: occupied(sums[..., : values.shape[0]]) < 2),
)


def _two_way_value(sums: Array, values: Array, *, absolute: bool, average: bool) -> Array:
    xp = namespace(sums)
    between, judges, rest, items, annotators = _two_way_squares(sums, values)
    if annotators < 2:
        return xp.full_like(between, xp.nan)
    off = ratio(judges - rest, items) if absolute else xp.zeros_like(between)
    below = between + off if average else between + (annotators - 1) * rest + annotators * off
    return xp.where(_negligible(below, values), xp.nan, ratio(between - rest, below))


def _no_variance(*, absolute: bool, average: bool) -> Undefined:
    def when(sums: Array, *, values: Array) -> Array:
        return namespace(sums).isnan(_two_way_value(sums, values, absolute=absolute, average=average))

    return Undefined("items do not differ beyond what annotators do", when)


@_measure(
    id="icc2",
    title="Intraclass correlation, absolute agreement",
    symbol="ICC(2,1)",
    inputs=PERSONS,
    evidence=_TWO_WAY,
    undefined=(*_TOO_FEW_COMPLETE, _no_variance(absolute=True, average=False)),
    formula="ICC(2,1) = (BMS - EMS) / (BMS + (R - 1) EMS + R (JMS - EMS) / n)," + _NOTATION_2,
    use="Numeric ratings of the same items by the same annotators, who stand for others like them; that one is stricter than "
    "another counts as disagreement. Items with a gap are left out.",
)
def icc2(sums: Array, *, values: Array) -> Array:
    return _two_way_value(sums, values, absolute=True, average=False)


@_measure(
    id="icc2k",
    title="Intraclass correlation of the mean, absolute agreement",
    symbol="ICC(2,k)",
    inputs=PERSONS,
    evidence=_TWO_WAY,
    undefined=(*_TOO_FEW_COMPLETE, _no_variance(absolute=True, average=True)),
    formula="ICC(2,k) = (BMS - EMS) / (BMS + (JMS - EMS) / n)," + _NOTATION_2,
    use="As icc2." + _AVERAGE,
)
def icc2k(sums: Array, *, values: Array) -> Array:
    return _two_way_value(sums, values, absolute=True, average=True)


@_measure(
    id="icc3",
    title="Intraclass correlation, consistency",
    symbol="ICC(3,1)",
    inputs=PERSONS,
    evidence=_TWO_WAY,
    undefined=(*_TOO_FEW_COMPLETE, _no_variance(absolute=False, average=False)),
    formula="ICC(3,1) = (BMS - EMS) / (BMS + (R - 1) EMS)," + _NOTATION_2,
    use="As icc2, for these annotators only; that one is stricter than another does not matter.",
)
def icc3(sums: Array, *, values: Array) -> Array:
    return _two_way_value(sums, values, absolute=False, average=False)


@_measure(
    id="icc3k",
    title="Intraclass correlation of the mean, consistency",
    symbol="ICC(3,k)",
    inputs=PERSONS,
    evidence=_TWO_WAY,
    undefined=(*_TOO_FEW_COMPLETE, _no_variance(absolute=False, average=True)),
    formula="ICC(3,k) = (BMS - EMS) / BMS," + _NOTATION_2,
    use="As icc3; Cronbach's alpha is the same." + _AVERAGE,
)
def icc3k(sums: Array, *, values: Array) -> Array:
    return _two_way_value(sums, values, absolute=False, average=True)
