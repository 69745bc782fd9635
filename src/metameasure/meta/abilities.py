"""What a measure can do at all, whatever the data: the first columns of Sakai (2021), Tables 4 and 7, found by search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.errors import MetameasureError, UnknownName, UsageError
from metameasure.statistics.resampling import stream

Floats = npt.NDArray[np.float64]
_CLASSES = 4
_CASES = 60
_SAME = 1e-9
ORDER_AWARE = "order_aware"


@dataclass(frozen=True)
class Ability:
    """Something a measure can do: the heading of its column, what it means, and what is said of a measure that cannot."""

    id: str
    heading: str
    meaning: str
    lacking: str
    test: Callable[[Measure], bool]


def _score(measure: Measure, *arrays: Floats) -> Floats:
    return np.asarray(measure(*arrays), dtype=float)


def _differ(one: Floats, other: Floats) -> Floats:
    """Whether two values differ where both are defined."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(one - other) > _SAME)


def _tables() -> Floats:
    """Counts of runs that are mostly right, on classes of different sizes."""
    rng = stream(0)
    gold = rng.multinomial(60, rng.dirichlet(np.ones(_CLASSES), _CASES)) + 2
    right = 0.5 * np.eye(_CLASSES) + 0.5 * rng.dirichlet(np.ones(_CLASSES), (_CASES, _CLASSES))
    return rng.multinomial(gold, right).astype(float)


def _distributions() -> tuple[Floats, Floats]:
    """Estimates and golds, of which every other has a class of probability 0."""
    rng = stream(1)
    drawn = rng.dirichlet(np.ones(_CLASSES), (2, _CASES))
    drawn[:, ::2] *= rng.permuted(np.broadcast_to(np.arange(_CLASSES) > 0, drawn[:, ::2].shape), axis=-1)
    predicted, gold = drawn / drawn.sum(axis=-1, keepdims=True)
    return predicted, gold


def _sees_order_in_counts(measure: Measure) -> bool:
    """Not invariant under permuting the classes."""
    tables = _tables()
    plain = _score(measure, tables)
    return any(
        _differ(plain, _score(measure, tables[:, order][:, :, order])).any() for order in map(list, permutations(range(_CLASSES)))
    )


def _tells_constant_runs_apart(measure: Measure) -> bool:
    """Some gold gives two runs that always answer one class different scores."""
    gold = _tables().sum(axis=2)
    scores = [_score(measure, gold[:, :, None] * (np.arange(_CLASSES) == answer)) for answer in range(_CLASSES)]
    return any(_differ(one, other).any() for one in scores for other in scores)


def _sees_imbalance(measure: Measure) -> bool:
    """Some gold where an error of the same distance costs differently in classes of different sizes; and because of the sizes: a
    measure that treats one class apart, as two-way accuracy does, is not meant."""
    gold = _tables().sum(axis=2)
    turned = gold[:, ::-1]  # the same items in all, other classes large and small
    for distance in range(1, _CLASSES):
        errors = [(true, true + distance) for true in range(_CLASSES - distance)]
        costs = {error: _cost(measure, gold, error) for error in errors}
        if not any(_differ(costs[error], _cost(measure, turned, error)).any() for error in errors):
            continue
        for one in errors:
            for other in errors:
                if (_differ(costs[one], costs[other]) & (gold[:, one[0]] != gold[:, other[0]])).any():
                    return True
    return False


def _cost(measure: Measure, gold: Floats, error: tuple[int, int]) -> Floats:
    """What one item of a class taken for another costs a run that is right otherwise, for each gold (cases, classes)."""
    perfect = gold[:, :, None] * np.eye(_CLASSES)
    table = perfect.copy()
    table[:, error[0], error[0]] -= 1
    table[:, error[0], error[1]] += 1
    return _score(measure, perfect) - _score(measure, table)


def _sees_order_in_distributions(measure: Measure) -> bool:
    """Not invariant under permuting the classes, and worse the further apart two point masses are."""
    predicted, gold = _distributions()
    plain = _score(measure, predicted, gold)
    moved = any(
        _differ(plain, _score(measure, predicted[:, order], gold[:, order])).any()
        for order in map(list, permutations(range(_CLASSES)))
    )
    points = np.eye(_CLASSES)
    worse = 1 if measure.better == "lower" else -1
    apart = worse * _score(measure, points, np.broadcast_to(points[0], points.shape))
    return moved and bool(np.all(np.diff(apart) > _SAME))


def _is_symmetric(measure: Measure) -> bool:
    """Estimate and gold can change places."""
    predicted, gold = _distributions()
    return not _differ(_score(measure, predicted, gold), _score(measure, gold, predicted)).any()


OF_COUNTS = (
    Ability(ORDER_AWARE, "ordinal", "uses the order of the classes", "blind to the order of the classes", _sees_order_in_counts),
    Ability(
        "constant_runs_told_apart",
        "constant runs",
        "can tell runs that always return the same class from one another",
        "cannot tell constant runs apart",
        _tells_constant_runs_apart,
    ),
    Ability("imbalance_aware", "imbalance", "handles class imbalance", "blind to class imbalance", _sees_imbalance),
)
OF_DISTRIBUTIONS = (
    Ability(
        ORDER_AWARE,
        "ordinal",
        "uses the order of the classes",
        "does not always grow with the distance between classes",
        _sees_order_in_distributions,
    ),
    Ability("symmetric", "symmetric", "gold and estimate can change places", "", _is_symmetric),
)
_BY_INPUTS = {("counts",): OF_COUNTS, ("predicted", "gold"): OF_DISTRIBUTIONS}


def abilities_of(name: str, registry: Registry) -> dict[Ability, bool | None]:
    """What the measure of that name can do; empty for one that is not ours, None where it cannot be tried without more facts."""
    try:
        measure = registry[name]
    except (UnknownName, UsageError):
        return {}
    return {ability: _tried(ability, measure) for ability in _BY_INPUTS.get(measure.inputs.arrays, ()) if _fits(measure)}


def abilities_of_all(names: Sequence[str], registry: Registry) -> dict[str, dict[Ability, bool | None]]:
    """What each of the measures of one evaluation can do. Entailment's classes have no order that a measure could miss: beside a
    measure of that task alone, no measure is asked for it."""
    found = {name: abilities_of(name, registry) for name in names}
    if not any(_of_entailment_only(name, registry) for name in names):
        return found
    return {name: {ability: able for ability, able in one.items() if ability.id != ORDER_AWARE} for name, one in found.items()}


def _of_entailment_only(name: str, registry: Registry) -> bool:
    try:
        return set(registry[name].tasks) == {"entailment"}
    except (UnknownName, UsageError):
        return False


def _fits(measure: Measure) -> bool:
    """Ranks have the same names as distributions, but not a class axis."""
    return bool({"classification", "quantification", "entailment"} & set(measure.tasks))


def _tried(ability: Ability, measure: Measure) -> bool | None:
    try:
        found: Any = ability.test(measure)
    except MetameasureError:  # it needs distances, or a class by its name
        return None
    return bool(found)
