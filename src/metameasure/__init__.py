"""Score systems against gold, and put the measures themselves to the test.

Nothing is imported until it is used: ``import metameasure`` costs little more than Python itself.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from metameasure.version import __version__

if TYPE_CHECKING:
    from metameasure import meta
    from metameasure.advice.advising import advise
    from metameasure.agreement import agree
    from metameasure.catalogue.measure import Measure, measure
    from metameasure.catalogue.ranking.normalisation import normalise_ranks
    from metameasure.catalogue.registry import Registry
    from metameasure.checking import check
    from metameasure.comparing import compare, compare_micro, difference
    from metameasure.errors import DataError, MetameasureError, UsageError
    from metameasure.evaluation import evaluate
    from metameasure.evidence_files import count, merge
    from metameasure.judging.call import judge
    from metameasure.properties.search import axioms
    from metameasure.reporting.page import report
    from metameasure.reproducing import reproduce
    from metameasure.run_tables import table
    from metameasure.scale import Scale
    from metameasure.scores.saved import read_scores
    from metameasure.scoring import counts, score, scorer
    from metameasure.signature import Signature
    from metameasure.simulation.simulate import simulate
    from metameasure.statistics.tukey import randomised_tukey_hsd
    from metameasure.studies.study import study
    from metameasure.tables.scores import ScoreMatrix
    from metameasure.tasks.quantification.task import distributions
    from metameasure.topic_set_size import design

    measures: Registry

_HOMES = {
    "DataError": "metameasure.errors",
    "Measure": "metameasure.catalogue.measure",
    "MetameasureError": "metameasure.errors",
    "Scale": "metameasure.scale",
    "ScoreMatrix": "metameasure.tables.scores",
    "Signature": "metameasure.signature",
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
    "merge": "metameasure.evidence_files",
    "measure": "metameasure.catalogue.measure",
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

__all__ = [
    "DataError",
    "Measure",
    "MetameasureError",
    "Scale",
    "ScoreMatrix",
    "Signature",
    "UsageError",
    "__version__",
    "advise",
    "agree",
    "axioms",
    "check",
    "compare",
    "compare_micro",
    "count",
    "counts",
    "design",
    "difference",
    "distributions",
    "evaluate",
    "judge",
    "measure",
    "measures",
    "merge",
    "meta",
    "normalise_ranks",
    "randomised_tukey_hsd",
    "read_scores",
    "report",
    "reproduce",
    "score",
    "scorer",
    "simulate",
    "study",
    "table",
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
