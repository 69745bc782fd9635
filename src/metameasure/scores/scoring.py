"""One number for one output, and the same as scikit-learn's cross-validation wants it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, overload

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import UsageError
from metameasure.core.scale import Classes, Scale
from metameasure.evidence.labels import count_labels


@overload
def score(  # type: ignore[overload-overlap]  # a text is a sequence of texts too, but it comes first
    measure: str | Measure,
    gold: Iterable[Any],
    predicted: Iterable[Any],
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> float: ...
@overload
def score(
    measure: Sequence[str | Measure],
    gold: Iterable[Any],
    predicted: Iterable[Any],
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> dict[str, float]: ...
def score(
    measure: str | Measure | Sequence[str | Measure],
    gold: Iterable[Any],
    predicted: Iterable[Any],
    *,
    classes: Classes | None = None,
    weights: Iterable[float] | None = None,
    distance: Any = None,
) -> float | dict[str, float]:
    """The measure's value for one output, NaN where it is undefined; for a list of measures, a dictionary of their values.

    With ``weights``, one for each item, only their proportions matter: weights that are all the same change nothing.

    >>> score("cem_ord", [1, 1, 2, 3], [1, 2, 2, 3], classes=[1, 2, 3])  # doctest: +ELLIPSIS
    0.8678...
    >>> score(["accuracy", "mae"], [1, 1, 2, 3], [1, 2, 2, 3], classes=[1, 2, 3])
    {'accuracy': 0.75, 'mae': 0.25}
    """
    several = [measure] if isinstance(measure, str | Measure) else default_registry().select(measure)
    chosen = [_resolve(one) for one in several]
    heavy: Any = weights if weights is None or hasattr(weights, "__len__") else list(weights)
    counts, scale = count_labels(gold, predicted, classes=classes, weights=heavy)
    tables = [counts if heavy is None else one.as_read(counts, len(heavy)) for one in chosen]
    values = {one.id: float(one(table, classes=scale, distance=distance)) for one, table in zip(chosen, tables, strict=True)}
    return values[chosen[0].id] if isinstance(measure, str | Measure) else values


def counts(
    gold: Iterable[Any], predicted: Iterable[Any], *, classes: Classes | None = None, weights: Iterable[float] | None = None
) -> Any:
    """The C x C table that every classification measure is computed from: rows gold, columns predicted."""
    return count_labels(gold, predicted, classes=classes, weights=weights)[0]


@dataclass(frozen=True)
class Scorer:
    """A callable for scikit-learn's ``scoring=``: higher is better, whatever the measure's own direction."""

    measure: Measure
    scale: Scale
    distance: Any = None

    def __call__(self, estimator: Any, inputs: Any, gold: Any, sample_weight: Any = None) -> float:
        value = score(
            self.measure, gold, estimator.predict(inputs), classes=self.scale, weights=sample_weight, distance=self.distance
        )
        return value if self.measure.better == "higher" else -value

    def __repr__(self) -> str:
        return f"scorer({self.measure.id!r}, classes={str(self.scale)!r})"


def scorer(measure: str | Measure, *, classes: Classes, distance: Any = None) -> Scorer:
    """A scorer for scikit-learn: ``cross_val_score(model, X, y, scoring=scorer("cem_ord", classes=[1, 2, 3]))``."""
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
