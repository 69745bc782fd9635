"""Baselines: what an output that does not look at the items would score on this gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.scale import Scale
from metameasure.statistics.resampling import stream

Floats = npt.NDArray[np.float64]
DRAWS = 1000
_DRAWS_AT_ONCE = 2**22
UNIFORM, GOLD, MAJORITY = "baseline: random, uniform", "baseline: random, as gold", "baseline: majority"


@dataclass(frozen=True)
class Baselines:
    """Their names, scores (measures, topics, baselines), pooled scores and standard errors (measures, baselines)."""

    names: tuple[str, ...]
    values: Floats
    pooled: Floats
    errors: Floats
    notes: tuple[str, ...]


def baselines(gold: Floats, scale: Scale, measures: Sequence[Measure], *, distance: Any, seed: int) -> Baselines:
    """Each constant class, the majority class, and random labels, uniform and with gold's distribution.

    Random ones have their expected score: in closed form where the measure allows it, otherwise from 1,000 simulated outputs.
    """
    classes, overall = len(scale), gold.sum(axis=0)
    majority = int(np.argmax(overall))
    answers = [*range(classes), majority]
    names = [*(f"baseline: always {label}" for label in scale.labels), MAJORITY, UNIFORM, GOLD]
    constant = np.stack([gold[:, :, None] * (np.arange(classes) == answer) for answer in answers])
    shares = {UNIFORM: np.full(classes, 1 / classes), GOLD: overall / overall.sum()}
    values, pooled, errors = [], [], []
    for measure in measures:

        def score(tables: Floats, measure: Measure = measure) -> Floats:
            scored = measure(tables, classes=scale, distance=distance if measure.needs_distance else None)
            return np.asarray(scored, dtype=float)

        columns = [score(constant[k]) for k in range(len(answers))]
        whole = [float(score(constant[k].sum(axis=0))) for k in range(len(answers))]
        error = [0.0] * len(answers)
        for number, share in enumerate(shares.values()):
            expected, expected_whole, uncertain = _expected(measure, score, gold, share, stream(seed, number))
            columns.append(expected)
            whole.append(expected_whole)
            error.append(uncertain)
        values.append(np.stack(columns, axis=1))
        pooled.append(whole)
        errors.append(error)
    simulated = [measure.id for measure in measures if measure.chance is None]
    notes = [f"the majority class is {scale.labels[majority]}"]
    if simulated:
        largest = np.nanmax(np.array(errors))
        notes.append(
            f"random baselines of {', '.join(simulated)} are simulated ({DRAWS} draws, standard error at most {largest:.2g})"
        )
    return Baselines(tuple(names), np.stack(values), np.array(pooled), np.array(errors), tuple(notes))


def _expected(measure: Measure, score: Any, gold: Floats, share: Floats, rng: np.random.Generator) -> tuple[Floats, float, float]:
    """Per topic, pooled, and the standard error of the mean over topics."""
    expected_tables = gold[:, :, None] * share
    if measure.chance == "linear":
        return score(expected_tables), float(score(expected_tables.sum(axis=0))), 0.0
    if measure.chance == "zero":
        # Defined wherever some random output is: only a gold without items has none.
        return np.where(gold.sum(axis=1) > 0, 0.0, np.nan), 0.0, 0.0
    totals = np.rint(gold).astype(np.int64)
    drawn, drawn_whole = [], []
    step = max(1, _DRAWS_AT_ONCE // (gold.size * gold.shape[1]))
    for first in range(0, DRAWS, step):
        tables = rng.multinomial(totals, share, size=(min(step, DRAWS - first), *totals.shape)).astype(float)
        drawn.append(score(tables))
        drawn_whole.append(score(tables.sum(axis=1)))
    outcomes = np.concatenate(drawn)
    return _mean(outcomes), float(_mean(np.concatenate(drawn_whole)[:, None])[0]), _standard_error(outcomes)


def _mean(outcomes: Floats) -> Floats:
    """Over the draws in which there is a value."""
    defined = ~np.isnan(outcomes)
    return np.where(defined.any(axis=0), np.where(defined, outcomes, 0).sum(axis=0) / np.maximum(1, defined.sum(axis=0)), np.nan)


def _standard_error(outcomes: Floats) -> float:
    defined = ~np.isnan(outcomes)
    number = np.maximum(1, defined.sum(axis=0))
    spread = np.where(defined, (outcomes - _mean(outcomes)) ** 2, 0).sum(axis=0) / np.maximum(1, number - 1)
    topics = max(1, int(defined.any(axis=0).sum()))
    return float(np.sqrt((spread / number).sum()) / topics)
