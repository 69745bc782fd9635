"""Is the measure good? One file per question: scores in, a finding out.

    mm.meta.similarity(scores); mm.meta.consistency(scores); ...

Questions are loaded when they are asked.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from metameasure.meta.question import HOMES

if TYPE_CHECKING:
    from metameasure.meta.data import DataSet as DataSet
    from metameasure.meta.data import data_sets as data_sets
    from metameasure.meta.discriminative_power import discrimination as discrimination
    from metameasure.meta.measure_summary import summary as summary
    from metameasure.meta.ranking_similarity import similarity as similarity
    from metameasure.meta.score_deltas import deltas as deltas
    from metameasure.meta.significance_contradictions import contradictions as contradictions
    from metameasure.meta.significance_overlap import overlap as overlap
    from metameasure.meta.split_consistency import consistency as consistency
    from metameasure.meta.topic_robustness import robustness as robustness
    from metameasure.meta.unanimous_coverage import coverage as coverage

_OTHERS = {"DataSet": "data", "data_sets": "data"}

__all__ = [
    "DataSet",
    "consistency",
    "contradictions",
    "coverage",
    "data_sets",
    "deltas",
    "discrimination",
    "overlap",
    "robustness",
    "similarity",
    "summary",
]


def __getattr__(name: str) -> Any:
    home = HOMES.get(name) or _OTHERS.get(name)
    if home is None:
        raise AttributeError(f"module 'metameasure.meta' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"metameasure.meta.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
