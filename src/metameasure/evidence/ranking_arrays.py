"""Rankings given as arrays (segments, items), gold's and each run's: ranks, or scores where the call says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import MOST_SHOWN, DataProblems, Problem
from metameasure.evidence.ranking_columns import RankingOptions
from metameasure.evidence.ranking_reader import ranked
from metameasure.evidence.ranking_rows import Layout
from metameasure.evidence.rankings import Rankings
from metameasure.reading.frames import arrays_by_name
from metameasure.reading.options import Holds
from metameasure.reading.ranks import HINTS, read, unranked_as_nan, wrong
from metameasure.statistics.arrays import Floats


def rankings_of_arrays(gold: Any, runs: Any, options: RankingOptions) -> Rankings:
    """Segments and items go by their places, from 1 up; NaN is not ranked. DataProblems for what is no rank or score."""
    names, arrays = arrays_by_name(gold, runs, "ranks", "segment")
    holds: list[Holds] = [options.gold_are or "ranks", *([options.runs_are or "ranks"] * len(names))]
    for what, side in arrays.items():
        if side.ndim != 2 or not side.size:
            raise UsageError(f"{what} has the shape {side.shape}", hint="give a row per segment and a column per item")
    sides = list(arrays.values())
    for what, side in arrays.items():
        if side.shape != sides[0].shape:
            raise UsageError(
                f"gold has the shape {sides[0].shape}, but {what} has {side.shape}",
                hint="give a row per segment and a column per item, NaN where an item is not ranked",
            )
    problems = [
        one for place, what in enumerate(arrays) for one in _problems(sides[place], what, holds[place], of_gold=not place)
    ]
    if problems:
        raise DataProblems(problems[:MOST_SHOWN], len(problems))
    segments, items = sides[0].shape
    sources, starts = _numbers_as_names(segments), np.arange(segments + 1) * items
    layout = Layout.of_places(sources, starts, np.tile(np.arange(items), segments))
    values = [unranked_as_nan(side.ravel(), kind) for side, kind in zip(sides, holds, strict=True)]
    return ranked(
        options, names, layout, _numbers_as_names(items), (values[0], holds[0]),
        (np.array(values[1:]).reshape(len(names), -1), holds[1:]), as_trec_eval=options.compat == "trec_eval",
    )  # fmt: skip


def _numbers_as_names(number: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, number + 1)))


def _problems(values: Floats, file: str, holds: Holds, *, of_gold: bool) -> Iterator[Problem]:
    """What is no rank or score, and segments of which gold ranks nothing, each with its row, counted from 1."""
    for row, place in np.argwhere(wrong(values, np.isnan(values), holds)).tolist():
        try:
            read(float(values[row, place]), holds)
        except ValueError as error:
            yield Problem(file, row + 1, say("item '{part}': {error}", part=place + 1, error=error.args[0]), HINTS[holds])
    if of_gold:
        nothing = np.flatnonzero(np.isnan(unranked_as_nan(values, holds)).all(axis=1))
        hint = "rank some of its items, or remove it"
        yield from (
            Problem(file, row + 1, say("no item of segment '{part}' is ranked", part=row + 1), hint) for row in nothing.tolist()
        )
