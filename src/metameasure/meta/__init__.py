"""Is the measure good? One file per question: scores in, a finding out.

    mm.meta.similarity(scores); mm.meta.consistency(scores); ...

Questions are loaded when they are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time questions are found by walking this folder
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


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from metameasure.meta.data import data_sets  # noqa: PLC0415 - loaded when something is asked
    from metameasure.meta.question import questions  # noqa: PLC0415

    known = {"data_sets": data_sets} | {question.id: question.answer for question in questions()}
    if name == "__all__":
        return sorted(known)
    if name not in known:
        raise AttributeError(f"module 'metameasure.meta' has no attribute '{name}'")
    return known[name]


def __dir__() -> list[str]:
    names: list[str] = __getattr__("__all__")
    return names
