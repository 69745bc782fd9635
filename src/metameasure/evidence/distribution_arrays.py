"""Distributions given as arrays (topics, classes), gold's and each run's: checked as those of files are, and put side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from metameasure.core.errors import NoRuns, UsageError
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.scale import Scale
from metameasure.evidence.distribution_reader import DistributionReader, Masses, cell_fault
from metameasure.reading.frames import arrays_by_name
from metameasure.statistics.arrays import Booleans, Floats


def masses_of_arrays(gold: Any, runs: Any, reader: DistributionReader, *, drop: bool) -> Masses:
    """Topics, or items, go by their place, from 1 up; a run that has nothing but NaN for one lacks it. DataProblems for what is
    no distribution."""
    names, arrays = arrays_by_name(gold, runs, "estimates", reader.unit)
    if reader.scale is None:
        raise UsageError(
            "the classes and their order are never guessed", hint="name one for each column of the arrays, from lowest to highest"
        )
    scale = reader.scale
    for what, side in arrays.items():
        _check_shape(side, what, scale, reader.unit)
    number = len(arrays["gold"])
    for what, side in arrays.items():
        if len(side) != number:
            raise UsageError(
                f"gold has {number} {reader.unit}s, but {what} has {len(side)}", hint="give a row for each, in the same order"
            )
    values = np.stack(list(arrays.values()))
    there: Booleans = np.asarray(~np.isnan(values).all(axis=-1))
    there[0] = True
    topics = tuple(map(str, range(1, values.shape[1] + 1)))
    counted = np.zeros(len(values), dtype=bool)
    masses = Masses(scale, names, topics, np.where(there[..., None], values, 0.0), there, counted)
    if problems := list(_problems(masses, list(arrays), reader, drop=drop)):
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    return masses


def check_there_are_runs(masses: Masses) -> None:
    """NoRuns where there is gold alone."""
    if not masses.names:
        raise NoRuns("there are no runs", hint="name gold, and the runs after it")


def _check_shape(values: Floats, what: str, scale: Scale, unit: str) -> None:
    if values.ndim != 2 or values.shape[1] != len(scale):
        hint = f"give a row per {unit} and a column for each of the classes {scale}"
        raise UsageError(f"{what} has the shape {values.shape}, but there are {len(scale)} classes", hint=hint)


def _problems(masses: Masses, shown: Sequence[str], reader: DistributionReader, *, drop: bool) -> Iterator[Problem]:
    """What is wrong, each problem with the row of its topic, counted from 1."""
    for number, file in enumerate(shown):
        values, there = masses.values[number], masses.there[number]
        faulty: Booleans = ~((values >= 0) & (values < np.inf))
        for row, place in np.argwhere(faulty & there[:, None])[:MOST_SHOWN].tolist():
            value = None if np.isnan(values[row, place]) else float(values[row, place])
            label = masses.scale.labels[place]
            yield Problem(file, row + 1, *cell_fault(masses.topics[row], label, value, place, value, masses.scale, reader.unit))
        sums = masses.sums[number]
        for row in np.flatnonzero(there & ~faulty.any(axis=1) & ~reader.adds_up(sums)).tolist():
            yield Problem(file, row + 1, *reader.sum_fault(masses.topics[row], float(sums[row])))
        if not drop:
            one = reader.unit
            hint = say("give every {one} a distribution, or leave such {one}s out with {--missing drop}", one=one)
            yield from (
                Problem(file, row + 1, say("{one} '{part}' is missing", one=one, part=row + 1), hint)
                for row in np.flatnonzero(~there).tolist()
            )
