"""Which topics a mean is over: those on which every run that is ever defined is defined, so that runs are compared on the same
ones."""

from __future__ import annotations

import numpy as np

from metameasure.core.messages import warn
from metameasure.core.notes import counted, first_of
from metameasure.statistics.arrays import Booleans, Floats


def common_topics(values: Floats) -> Booleans:
    """(measures, topics), of the scores of runs (measures, topics, runs), NaN where undefined. A run that is never defined by a
    measure takes no topic from the others."""
    defined = ~np.isnan(values)
    ever = np.any(defined, axis=1, keepdims=True)
    return np.asarray(np.all(defined | ~ever, axis=2) & np.any(ever, axis=2))


def said_of_narrowing(undefined: Booleans, runs: list[str], topic_word: str) -> str:
    """Which runs, each alone, take topics out of everybody's means by one measure, from where each run is undefined
    (topics, runs); nothing where none does. A run that never has a value takes nothing from the others."""
    ever = ~undefined.all(axis=0)
    taken = undefined & ever
    alone = taken[taken.sum(axis=1) == 1].sum(axis=0)
    if not alone.any() or ever.sum() < 2:
        return ""
    most_first = [run for run in np.argsort(-alone, kind="stable").tolist() if alone[run]]
    whom = [
        warn(
            "undefined topics",
            "{run} alone is undefined on {undefined}",
            run=runs[run],
            undefined=counted(int(alone[run]), topic_word),
        )
        for run in most_first
    ]
    left = int((~taken.any(axis=1)).sum())
    return warn(
        "undefined topics",
        "{runs}; the means of all runs are over {left} of {topics}",
        runs=first_of(whom),
        left=left,
        topics=counted(len(taken), topic_word),
    )
