"""Score systems against gold, and put the measures themselves to the test.

Nothing is imported until it is used: ``import metameasure`` costs little more than Python itself.
"""

from __future__ import annotations

import importlib
from typing import Any

from metameasure.version import __version__  # noqa: F401 - it is one of the names

# Where each name is from. Type checkers read __init__.pyi instead, which tools/stub.py writes.
_HOMES = {
    "Advice": "metameasure.advice.advising",
    "Agreement": "metameasure.agreement",
    "Axioms": "metameasure.properties.result",
    "Check": "metameasure.checking",
    "Compared": "metameasure.studies.study",
    "Comparison": "metameasure.comparison",
    "Comparisons": "metameasure.comparison",
    "DataError": "metameasure.errors",
    "Design": "metameasure.topic_set_size",
    "Difference": "metameasure.item_comparison",
    "Evidence": "metameasure.evidence.base",
    "Finding": "metameasure.meta.finding",
    "Judgement": "metameasure.judging.result",
    "JudgementsByMeasure": "metameasure.judging.result",
    "Measure": "metameasure.catalogue.measure",
    "MetameasureError": "metameasure.errors",
    "MetameasureWarning": "metameasure.errors",
    "Registry": "metameasure.catalogue.registry",
    "Report": "metameasure.reporting.page",
    "Reproduction": "metameasure.reproducing",
    "Scale": "metameasure.scale",
    "ScoreMatrix": "metameasure.tables.scores",
    "Scorer": "metameasure.scoring",
    "Scores": "metameasure.scores.cube",
    "Signature": "metameasure.signature",
    "Signed": "metameasure.show.table",
    "Simulated": "metameasure.simulation.simulate",
    "Studies": "metameasure.studies.study",
    "UsageError": "metameasure.errors",
    "advise": "metameasure.advice.advising",
    "agree": "metameasure.agreement",
    "axioms": "metameasure.properties.search",
    "check": "metameasure.checking",
    "compare": "metameasure.comparing",
    "compare_micro": "metameasure.comparing",
    "count": "metameasure.evidence_files",
    "counts": "metameasure.scoring",
    "design": "metameasure.topic_set_size",
    "difference": "metameasure.comparing",
    "distributions": "metameasure.tasks.quantification.task",
    "evaluate": "metameasure.evaluation",
    "judge": "metameasure.judging.call",
    "measure": "metameasure.catalogue.measure",
    "merge": "metameasure.evidence_files",
    "normalise_ranks": "metameasure.catalogue.ranking.normalisation",
    "randomised_tukey_hsd": "metameasure.statistics.tukey",
    "read_scores": "metameasure.scores.saved",
    "report": "metameasure.reporting.page",
    "reproduce": "metameasure.reproducing",
    "score": "metameasure.scoring",
    "scorer": "metameasure.scoring",
    "simulate": "metameasure.simulation.simulate",
    "study": "metameasure.studies.study",
    "table": "metameasure.run_tables",
}

__all__ = [  # noqa: PLE0604 - all of them are names
    *sorted([*_HOMES, "__version__", "measures", "meta"]),
]


def __getattr__(name: str) -> Any:
    if name == "measures":
        value: Any = importlib.import_module("metameasure.catalogue.registry").default_registry()
    elif name == "meta":
        value = importlib.import_module("metameasure.meta")
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'metameasure' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
