"""Distributions given as arrays (topics, classes), gold's and each run's: checked as those of files are, and put side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from metameasure.core.errors import NoRuns, UsageError
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.core.scale import Scale
from metameasure.evidence.distribution_reader import DistributionReader, Masses, cell_fault
from metameasure.reading.frames import is_matrix
from metameasure.reading.inputs import check_names
from metameasure.statistics.arrays import Booleans, Floats


def masses_of_arrays(gold: Any, runs: Any, reader: DistributionReader, *, drop: bool) -> Masses:
    """Topics go by their place, from 1 up; a run that has nothing but NaN for a topic lacks it. DataProblems for what is no
    distribution."""
    named = {} if runs is None else runs
    if not isinstance(named, Mapping) or not all(map(is_matrix, named.values())):
        raise UsageError("gold is an array, but the runs are not arrays by name", hint="pass {'svm': estimates, ...}")
    names = tuple(map(str, named))
    check_names(names)
    if reader.scale is None:
        raise UsageError(
            "the classes and their order are never guessed", hint="name one for each column of the arrays, from lowest to highest"
        )
    scale, shown = reader.scale, ("gold", *(f"run '{name}'" for name in names))
    sides = [_numbers(side, what, scale) for side, what in zip((gold, *named.values()), shown, strict=True)]
    for side, what in zip(sides, shown, strict=True):
        if len(side) != len(sides[0]):
            raise UsageError(
                f"gold has {len(sides[0])} topics, but {what} has {len(side)}", hint="give a row for each, in the same order"
            )
    values = np.stack(sides)
    there: Booleans = np.asarray(~np.isnan(values).all(axis=-1))
    there[0] = True
    topics = tuple(map(str, range(1, values.shape[1] + 1)))
    counted = np.zeros(len(values), dtype=bool)
    masses = Masses(scale, names, topics, np.where(there[..., None], values, 0.0), there, counted)
    if problems := list(_problems(masses, shown, reader, drop=drop)):
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    return masses


def check_there_are_runs(masses: Masses) -> None:
    """NoRuns where there is gold alone."""
    if not masses.names:
        raise NoRuns("there are no runs", hint="name gold, and the runs after it")


def _numbers(side: Any, what: str, scale: Scale) -> Floats:
    try:
        values = np.ascontiguousarray(side, dtype=float)  # sums depend on the layout in their last digits
    except (TypeError, ValueError):
        raise UsageError(f"{what} has rows of different lengths, or what is no number", hint="give a row per topic") from None
    if values.ndim != 2 or values.shape[1] != len(scale):
        hint = f"give a row per topic and a column for each of the classes {scale}"
        raise UsageError(f"{what} has the shape {values.shape}, but there are {len(scale)} classes", hint=hint)
    return values


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
            hint = say("give every topic a distribution, or leave such topics out with {--missing drop}")
            yield from (
                Problem(file, row + 1, say("topic '{part}' is missing", part=row + 1), hint)
                for row in np.flatnonzero(~there).tolist()
            )
