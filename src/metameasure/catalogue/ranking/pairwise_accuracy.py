"""Pairwise accuracy with ties as a third answer, the difference below which scores count as tied, and what chance gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from metameasure.catalogue.arrays import Array, Batch, ratio
from metameasure.catalogue.facts import Reads, Recommendation
from metameasure.catalogue.measure import measure
from metameasure.catalogue.parameters import Settings
from metameasure.catalogue.ranking.kendall import right
from metameasure.catalogue.ranking.pairs import NO_PAIR, PAIRS, every_pair, parts
from metameasure.catalogue.ranking.ranks import RANKS
from metameasure.catalogue.sources import DEUTSCH_2023


@measure(
    id="pairwise_accuracy",
    title="Pairwise accuracy, ties counting as an answer",
    symbol="acc_eq{}",
    inputs=replace(RANKS, reads=Reads.PREDICTED_SCORES),
    evidence=PAIRS,
    better="higher",
    ties="answer",
    headline={"ranking": 3},
    recommended=(
        Recommendation(
            "ranking",
            "primary",
            "counts ties of humans as answers to be found",
            DEUTSCH_2023,
            where=("human_ties",),
            unless=("grades",),
            turn=2,
        ),
    ),
    undefined=(NO_PAIR,),
    parameter=Settings(epsilon=0.0),
    # With an ε it matters how far apart predictions are, and gold's own ranks may be too close.
    facts_at=lambda settings: {"scale": "interval", "perfect": None} if settings["epsilon"] else {},
    aliases=("acc_eq",),
    formula="acc_eq = (C + T_hm) / (C + D + T_h + T_m + T_hm), predictions within ε of each other being tied",
    source=(DEUTSCH_2023,),
    use="The segment-level measure of the WMT metrics tasks since 2023: a pair is right if the prediction calls it better, worse "
    "or tied as the human does. Continuous scores never tie by themselves; calibrate ε first. Show the chance level beside it.",
    note="ε is chosen on the same data (tie calibration), the smallest of those that do best; it favours nobody only if each run "
    "has its own.",
)
def pairwise_accuracy(pairs: Array) -> Array:
    return right(pairs)


def chance_accuracy(pairs: Any) -> Array:
    """The accuracy that a prediction with as many ties would have by chance, for each segment's counts (..., 5): with t_h and t_m
    the shares of pairs that the human and the prediction tie, t_h t_m + (1 - t_h)(1 - t_m) / 2."""
    return Batch.of((pairs,), 1).map(_by_chance)


def _by_chance(pairs: Array) -> Array:
    _, _, human_ties, predicted_ties, common_ties = parts(pairs)
    human = ratio(human_ties + common_ties, every_pair(pairs))
    predicted = ratio(predicted_ties + common_ties, every_pair(pairs))
    return human * predicted + (1 - human) * (1 - predicted) / 2


@dataclass(frozen=True)
class TieCalibration:
    """The difference up to which predictions are called tied, and the pairwise accuracy that this gives."""

    epsilon: float
    accuracy: float


def calibrate_ties(predicted: Any, gold: Any, *, macro: bool = True) -> TieCalibration:
    """The ε of {0} and all observed differences that makes pairwise accuracy largest, the smallest of several: exact.

    Predictions and gold are (segments, n), NaN where an item is not ranked. ``macro`` takes the mean of the segments' accuracies,
    as ``group-by-item`` does at WMT; otherwise all pairs weigh the same. Only |differences| count, so scores serve as well as
    ranks, if gold has the same direction.
    """
    return calibrate_over([(predicted, gold)], macro=macro)


def calibrate_over(parts: Iterable[tuple[Any, Any]], *, macro: bool = True) -> TieCalibration:
    """The same over several arrays of segments, those of one length each."""
    import numpy as np  # noqa: PLC0415 - arrays of other libraries pass through here as NumPy's

    weighed_parts = [_weighed(predicted, gold, macro=macro) for predicted, gold in parts]
    scale = float(sum(total for *_, total in weighed_parts))
    if scale == 0:
        return TieCalibration(0.0, float("nan"))
    size, agreed, tied, weight = (np.concatenate([part[column] for part in weighed_parts]) for column in range(4))
    # From ε = 0 up, each pair turns from ordered into tied at its own difference: a gain, a loss, or neither. Only an ε that
    # gains something can be the smallest that does best.
    at_stake = (size > 0) & (tied | agreed)
    change = np.where(tied, weight, -weight)[at_stake]
    steps, place = np.unique(np.concatenate([[0.0], size[at_stake]]), return_inverse=True)
    reached = weight[agreed].sum() + np.cumsum(np.bincount(place[1:], weights=change, minlength=len(steps)))
    best = int(np.argmax(reached >= reached.max() - 1e-12 * scale))
    return TieCalibration(float(steps[best]), float(reached[best] / scale))


def _weighed(predicted: Any, gold: Any, *, macro: bool) -> tuple[Any, Any, Any, Any, float]:
    """Of each pair that both rank: its predicted difference, whether both agree on it, whether the human ties it, and its weight;
    and the weight of all together."""
    import numpy as np  # noqa: PLC0415

    outputs, human = np.atleast_2d(np.asarray(predicted, dtype=float)), np.atleast_2d(np.asarray(gold, dtype=float))
    first, second = np.triu_indices(outputs.shape[-1], 1)
    gaps, human_gaps = outputs[:, first] - outputs[:, second], human[:, first] - human[:, second]
    known = ~np.isnan(gaps) & ~np.isnan(human_gaps)
    pairs = known.sum(axis=1)
    weight = np.broadcast_to((1 / np.maximum(pairs, 1) if macro else np.ones(len(pairs)))[:, None], gaps.shape)[known]
    scale = float((pairs > 0).sum()) if macro else float(pairs.sum())
    agreed = np.sign(gaps[known]) == np.sign(human_gaps[known])
    return np.abs(gaps[known]), agreed, human_gaps[known] == 0, weight, scale
