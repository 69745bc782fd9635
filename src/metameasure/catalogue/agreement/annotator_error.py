"""Predictions of what each single annotator says, of LeWiDi's perspectivist tasks: error rate and distance."""

from __future__ import annotations

from functools import partial

from metameasure.catalogue.agreement.ratings import PERSONS
from metameasure.catalogue.arrays import Array, namespace, ratio, ratio_or_zero
from metameasure.catalogue.facts import Example, Inputs, Reads, Reduction, Undefined
from metameasure.catalogue.measure import measure
from metameasure.catalogue.questions import AS_ANNOTATORS
from metameasure.catalogue.sources import LEONARDELLI_2025


def _unusable(predicted: Array, persons: Array) -> Array:
    return PERSONS.unusable.when(predicted) | PERSONS.unusable.when(persons)


_SAID, _FORETOLD = ((0, 0), (0, 1), (1, 1)), ((0, 0), (0, 0), (1, 0))
PREDICTIONS = Inputs(
    asks=AS_ANNOTATORS,
    reads=Reads.PREDICTIONS,
    shape="predicted and persons of shape (..., items, annotators, C): 1 for the class, all 0 where there is none",
    notation="x_ig is the value of annotator g's class of item i and y_ig that of the class predicted for it, R_i the annotators "
    "of item i for whom there is a prediction",
    unusable=Undefined("a count is negative or not finite", _unusable),
    example=Example(
        text="two annotators who say no no, no yes, yes yes, predicted as no no, no no, yes no",
        arrays=tuple(tuple(tuple((1 - label, label) for label in item) for item in ratings) for ratings in (_FORETOLD, _SAID)),
        classes=("no", "yes"),
    ),
)


def _by_item(of_item: Array, predicted: Array, persons: Array) -> tuple[Array, ...]:
    """The sum over items of the mean over annotators, and how many items have one; ``of_item`` (..., items, annotators)."""
    xp = namespace(persons)
    both = xp.astype((xp.sum(predicted, axis=-1) > 0) & (xp.sum(persons, axis=-1) > 0), persons.dtype)
    number = xp.sum(both, axis=-1)
    means = ratio_or_zero(xp.sum(of_item * both, axis=-1), number)
    return (xp.stack([xp.sum(means, axis=-1), xp.sum(xp.astype(number > 0, persons.dtype), axis=-1)], axis=-1),)


def _errors(predicted: Array, persons: Array) -> tuple[Array, ...]:
    return _by_item(1 - namespace(persons).sum(predicted * persons, axis=-1), predicted, persons)


def _distances(predicted: Array, persons: Array, *, values: Array) -> tuple[Array, ...]:
    xp = namespace(persons)
    span = values[-1] - values[0] if values.shape[0] > 1 else 1.0
    return _by_item(xp.abs(xp.matmul(predicted - persons, values)) / span, predicted, persons)


_measure = partial(
    measure,
    inputs=PREDICTIONS,
    better="lower",
    range=(0, 1),
    source=(LEONARDELLI_2025,),
    undefined=(Undefined("there is no prediction for anybody's rating", lambda sums: sums[..., 1] == 0),),
)


@_measure(
    id="aer",
    title="Average error rate over annotators",
    symbol="AER",
    evidence=Reduction(("errors", "items"), _errors, adds=True),
    formula="AER = mean over items of the share of annotators in R_i with y_ig ≠ x_ig",
    use="Predictions for each annotator, nominal classes. Every item counts the same, however many annotators it has.",
)
def aer(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])


@_measure(
    id="anad",
    title="Average normalised absolute distance over annotators",
    symbol="ANAD",
    scale="interval",
    evidence=Reduction(("distances", "items"), _distances, adds=True),
    formula="ANAD = mean over items of the mean over annotators in R_i of |y_ig - x_ig| / (v_q - v_1)",
    use="Predictions for each annotator, ordinal classes: errors cost their distance as a share of the scale.",
)
def anad(sums: Array) -> Array:
    return ratio(sums[..., 0], sums[..., 1])
