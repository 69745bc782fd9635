"""One number for one output, and the same as scikit-learn's cross-validation wants it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar, overload

from metameasure.catalogue.arrays import Array
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import UsageError, deprecated
from metameasure.core.options import checked
from metameasure.core.scale import Classes, Scale
from metameasure.evidence.labels import count_labels

_FEW = 5
P = ParamSpec("P")
Answer = TypeVar("Answer")


def _name_measures(value: Any) -> bool:
    """Whether that is a measure, or some measures, and no labels."""
    if isinstance(value, str | Measure):
        return True
    known = default_registry()
    return isinstance(value, list | tuple) and any(
        isinstance(one, Measure) or (isinstance(one, str) and known.find(one) is not None) for one in value[:_FEW]
    )


def _measure_first(function: Callable[P, Answer]) -> Callable[P, Answer]:
    """As in 0.2, ``score(measure, gold, predicted)``."""

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> Answer:
        first, *others = args or (None,)
        last = others[-1] if len(others) == 2 else keywords.get("measure")
        three = len(args) + len({"gold", "predicted"} & {*keywords}) == 3
        if _name_measures(last) or not three or not _name_measures(first):
            return function(*args, **keywords)
        deprecated("the measure comes last: score(gold, predicted, measure, classes=...)", stacklevel=2)
        again: Any = function
        answer: Answer = again(*others, measure=first, **keywords)
        return answer

    return call


@overload
def score(  # type: ignore[overload-overlap]  # a text is a sequence of texts too, but it comes first
    gold: Iterable[Any],
    predicted: Iterable[Any],
    measure: str | Measure,
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> float: ...
@overload
def score(
    gold: Iterable[Any],
    predicted: Iterable[Any],
    measure: Sequence[str | Measure],
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> dict[str, float]: ...
@_measure_first
@checked
def score(
    gold: Iterable[Any],
    predicted: Iterable[Any],
    measure: str | Measure | Sequence[str | Measure],
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> float | dict[str, float]:
    """The value of a measure for one output.

    Parameters
    ----------
    gold : iterable
        The right label of each item: a list, an array, a column.
    predicted : iterable
        The label that the output has for each item, in the same order.
    measure : str, Measure or sequence of these
        The measure, or several.
    classes : str, sequence, mapping or Scale, optional
        The classes from lowest to highest: ``"neg,neu,pos"``, ``"1..5"``, a list, or ``{"low": 1, "high": 5}`` with values. They
        are never inferred; without them, the error says which labels were found.
    weights : iterable of float, optional
        A weight for each item. Only proportions matter: weights that are all the same change nothing.
    distance : array, optional
        Distances between the classes, C x C, for measures that take them.

    Returns
    -------
    float or dict
        The value, NaN where it is undefined; of several measures, a dictionary of their values.

    Raises
    ------
    UsageError
        If the classes are not declared, or the measure is not one of labels.
    DataError
        If a label is not among the classes, or the two do not have the same length.

    Notes
    -----
    The labels are counted into a C x C table, from which every measure of labels is computed: its formula and its source are on
    the measure, ``print(mm.measures["cem_ord"])``.

    Examples
    --------
    >>> import metameasure as mm
    >>> mm.score([1, 1, 2, 3], [1, 2, 2, 3], "cem_ord", classes=[1, 2, 3])  # doctest: +ELLIPSIS
    0.8678...
    >>> mm.score([1, 1, 2, 3], [1, 2, 2, 3], ["accuracy", "mae"], classes=[1, 2, 3])
    {'accuracy': 0.75, 'mae': 0.25}

    """
    several = [measure] if isinstance(measure, str | Measure) else default_registry().select(measure)
    chosen = [_resolve(one) for one in several]
    heavy: Any = weights if weights is None or hasattr(weights, "__len__") else list(weights)
    counts, scale = count_labels(gold, predicted, classes=classes, weights=heavy)
    tables = [counts if heavy is None else one.as_read(counts, len(heavy)) for one in chosen]
    values = {one.id: float(one(table, classes=scale, distance=distance)) for one, table in zip(chosen, tables, strict=True)}
    return values[chosen[0].id] if isinstance(measure, str | Measure) else values


@checked
def counts(
    gold: Iterable[Any], predicted: Iterable[Any], *, classes: Classes | None = None, weights: Iterable[float] | None = None
) -> Array:
    """The C x C table that every measure of labels is computed from: rows gold, columns predicted.

    Parameters
    ----------
    gold, predicted : iterable
        The right label of each item, and the one that the output has, in the same order.
    classes : str, sequence, mapping or Scale, optional
        The classes from lowest to highest. They are never inferred.
    weights : iterable of float, optional
        A weight for each item; otherwise each counts as 1.

    Returns
    -------
    array
        How many items, or how much weight, of each class of gold have each class of the output.

    Raises
    ------
    UsageError
        If the classes are not declared.
    DataError
        If a label is not among the classes, or the two do not have the same length.

    Notes
    -----
    Such a table is all that the measures of Amigó et al. (2020) read.

    Examples
    --------
    >>> import metameasure as mm
    >>> mm.counts(["a", "a", "b"], ["a", "b", "b"], classes="a,b").tolist()
    [[1, 1], [0, 1]]

    """
    return count_labels(gold, predicted, classes=classes, weights=weights)[0]


@dataclass(frozen=True)
class Scorer:
    """A callable for scikit-learn's ``scoring=``: higher is better, whatever the measure's own direction."""

    measure: Measure
    scale: Scale
    distance: Any = None

    def __call__(self, estimator: Any, inputs: Any, gold: Any, sample_weight: Any = None) -> float:
        value = score(
            gold, estimator.predict(inputs), self.measure, classes=self.scale, weights=sample_weight, distance=self.distance
        )
        return value if self.measure.better == "higher" else -value

    def __repr__(self) -> str:
        return f"scorer({self.measure.id!r}, classes={str(self.scale)!r})"


@checked
def scorer(measure: str | Measure, *, classes: Classes, distance: Any = None) -> Scorer:
    """A scorer for scikit-learn: ``cross_val_score(model, X, y, scoring=mm.scorer("cem_ord", classes=[1, 2, 3]))``.

    Parameters
    ----------
    measure : str or Measure
        A measure of labels that has a better direction.
    classes : str, sequence, mapping or Scale
        The classes from lowest to highest.
    distance : array, optional
        Distances between the classes, C x C, for measures that take them.

    Returns
    -------
    Scorer
        A callable of an estimator, its inputs and gold. Higher is better: where lower values of the measure are, it is negated.

    Raises
    ------
    UsageError
        If the measure only describes the data, or the classes do not allow it.

    Notes
    -----
    Errors, which are better the lower they are, are negated, because scikit-learn looks for the highest score.

    Examples
    --------
    >>> import metameasure as mm
    >>> mm.scorer("mae", classes="1..3")
    scorer('mae', classes='1,2,3')

    """
    chosen = _resolve(measure)
    if chosen.better is None:
        raise UsageError(f"{chosen.id} describes the data and has no better direction", hint="choose a measure of the output")
    scale = Scale.of(classes)
    chosen.check_scale(scale)
    return Scorer(chosen, scale, distance)


def _resolve(measure: str | Measure) -> Measure:
    known_measure = measure if isinstance(measure, Measure) else default_registry()[measure]
    if known_measure.inputs.arrays != ("counts",):
        raise UsageError(
            f"{known_measure.id} is not a measure of labels", hint=f"call it on arrays: {known_measure.inputs.shape}"
        )
    return known_measure
