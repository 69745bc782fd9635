"""Score systems against gold, and put the measures themselves to the test.

Nothing is imported until it is used: ``import metameasure`` costs little more than Python itself.
"""

from __future__ import annotations

import importlib
from typing import Any

from metameasure.moved import keep_old_names, old_module
from metameasure.version import __version__  # noqa: F401 - it is one of the names

# Where each name is from. Type checkers read __init__.pyi instead, which tools/stub.py writes.
_HOMES = {
    "Advice": "metameasure.advice.advising",
    "Agreement": "metameasure.judging.agreement",
    "Axioms": "metameasure.properties.result",
    "Bags": "metameasure.simulation.bags",
    "Check": "metameasure.tasks.checking",
    "Cleaned": "metameasure.cleaning.cleaned",
    "Compared": "metameasure.studies.study",
    "Comparison": "metameasure.comparing.comparison",
    "Comparisons": "metameasure.comparing.comparison",
    "Consistency": "metameasure.meta.split_consistency",
    "Contradictions": "metameasure.meta.significance_contradictions",
    "Corrected": "metameasure.judging.corrected",
    "Coverage": "metameasure.meta.unanimous_coverage",
    "DataError": "metameasure.core.errors",
    "Deltas": "metameasure.meta.score_deltas",
    "Design": "metameasure.advice.design",
    "Difference": "metameasure.comparing.items",
    "Discrimination": "metameasure.meta.discriminative_power",
    "Distributions": "metameasure.evidence.distributions",
    "Evidence": "metameasure.evidence.base",
    "Explanation": "metameasure.evaluating.explain",
    "Finding": "metameasure.meta.finding",
    "Gate": "metameasure.comparing.gate",
    "Judgement": "metameasure.judging.result",
    "JudgementsByMeasure": "metameasure.judging.result",
    "LabelDesign": "metameasure.advice.labels",
    "Measure": "metameasure.catalogue.measure",
    "MeasureTrial": "metameasure.trials.result",
    "MetameasureError": "metameasure.core.errors",
    "MetameasureWarning": "metameasure.core.errors",
    "Overlap": "metameasure.meta.significance_overlap",
    "PossibleRanks": "metameasure.comparing.ranks",
    "Registry": "metameasure.catalogue.registry",
    "Report": "metameasure.page.report",
    "Reproduction": "metameasure.reproducing.result",
    "Robustness": "metameasure.meta.topic_robustness",
    "RunTables": "metameasure.tasks.run_tables",
    "Scale": "metameasure.core.scale",
    "ScoreMatrix": "metameasure.scores.scores",
    "Scorer": "metameasure.scores.scoring",
    "Scores": "metameasure.scores.scores",
    "Signature": "metameasure.core.signature",
    "Signed": "metameasure.show.table",
    "Similarity": "metameasure.meta.ranking_similarity",
    "Simulated": "metameasure.simulation.simulate",
    "Studies": "metameasure.studies.study",
    "Summary": "metameasure.meta.measure_summary",
    "UsageError": "metameasure.core.errors",
    "advise": "metameasure.advice.advising",
    "agree": "metameasure.judging.agree",
    "axioms": "metameasure.properties.search",
    "check": "metameasure.evaluating.check",
    "clean": "metameasure.cleaning.clean",
    "compare": "metameasure.comparing.compare",
    "compare_micro": "metameasure.comparing.compare",
    "correct": "metameasure.judging.correcting",
    "correct_scores": "metameasure.judging.correcting",
    "count": "metameasure.evaluating.evidence_files",
    "counts": "metameasure.scores.scoring",
    "design": "metameasure.advice.design",
    "difference": "metameasure.comparing.compare",
    "distributions": "metameasure.tasks.quantification.task",
    "draw_bags": "metameasure.simulation.bags",
    "evaluate": "metameasure.evaluating.evaluate",
    "explain": "metameasure.evaluating.explain",
    "gate": "metameasure.comparing.gate",
    "judge": "metameasure.judging.call",
    "label_design": "metameasure.advice.labels",
    "measure": "metameasure.catalogue.measure",
    "merge": "metameasure.evaluating.evidence_files",
    "normalise_ranks": "metameasure.catalogue.ranking.normalisation",
    "randomised_tukey_hsd": "metameasure.statistics.tukey",
    "ranks": "metameasure.comparing.ranks",
    "read_scores": "metameasure.scores.files",
    "report": "metameasure.page.report",
    "reproduce": "metameasure.reproducing.reproduce",
    "score": "metameasure.scores.scoring",
    "scorer": "metameasure.scores.scoring",
    "simulate": "metameasure.simulation.simulate",
    "study": "metameasure.studies.study",
    "table": "metameasure.evaluating.tables",
    "trial": "metameasure.trials.call",
}

__all__ = [  # noqa: PLE0604 - all of them are names
    *sorted([*_HOMES, "__version__", "measures", "meta"]),
]

keep_old_names()


def __getattr__(name: str) -> Any:
    if name == "measures":
        value: Any = importlib.import_module("metameasure.catalogue.registry").default_registry()
    elif name == "meta":
        value = importlib.import_module("metameasure.meta")
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    elif (value := old_module(name)) is None:
        raise AttributeError(f"module 'metameasure' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
