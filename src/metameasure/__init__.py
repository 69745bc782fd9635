"""Score systems against gold, and put the measures themselves to the test.

Nothing is imported until it is used: ``import metameasure`` costs little more than Python itself.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from metameasure.moved import keep_old_names, old_module
from metameasure.version import __version__

if TYPE_CHECKING:
    from metameasure import meta
    from metameasure.advice.advising import advise
    from metameasure.advice.design import design
    from metameasure.catalogue.measure import Measure, measure
    from metameasure.catalogue.ranking.normalisation import normalise_ranks
    from metameasure.catalogue.registry import Registry
    from metameasure.comparing.compare import compare, compare_micro, difference
    from metameasure.core.errors import DataError, MetameasureError, UsageError
    from metameasure.core.scale import Scale
    from metameasure.core.signature import Signature
    from metameasure.evaluating.check import check
    from metameasure.evaluating.evaluate import evaluate
    from metameasure.evaluating.evidence_files import count, merge
    from metameasure.evaluating.tables import table
    from metameasure.judging.agree import agree
    from metameasure.judging.call import judge
    from metameasure.page.report import report
    from metameasure.properties.search import axioms
    from metameasure.reproducing import reproduce
    from metameasure.scores.files import ScoreMatrix
    from metameasure.scores.saved import read_scores
    from metameasure.scores.scoring import counts, score, scorer
    from metameasure.simulation.simulate import simulate
    from metameasure.statistics.tukey import randomised_tukey_hsd
    from metameasure.studies.study import study
    from metameasure.tasks.quantification.task import distributions

    measures: Registry

_HOMES = {
    "DataError": "metameasure.core.errors",
    "Measure": "metameasure.catalogue.measure",
    "MetameasureError": "metameasure.core.errors",
    "Scale": "metameasure.core.scale",
    "ScoreMatrix": "metameasure.scores.files",
    "Signature": "metameasure.core.signature",
    "UsageError": "metameasure.core.errors",
    "advise": "metameasure.advice.advising",
    "agree": "metameasure.judging.agree",
    "axioms": "metameasure.properties.search",
    "check": "metameasure.evaluating.check",
    "compare": "metameasure.comparing.compare",
    "compare_micro": "metameasure.comparing.compare",
    "count": "metameasure.evaluating.evidence_files",
    "counts": "metameasure.scores.scoring",
    "design": "metameasure.advice.design",
    "difference": "metameasure.comparing.compare",
    "distributions": "metameasure.tasks.quantification.task",
    "evaluate": "metameasure.evaluating.evaluate",
    "judge": "metameasure.judging.call",
    "merge": "metameasure.evaluating.evidence_files",
    "measure": "metameasure.catalogue.measure",
    "normalise_ranks": "metameasure.catalogue.ranking.normalisation",
    "randomised_tukey_hsd": "metameasure.statistics.tukey",
    "read_scores": "metameasure.scores.saved",
    "report": "metameasure.page.report",
    "reproduce": "metameasure.reproducing",
    "score": "metameasure.scores.scoring",
    "scorer": "metameasure.scores.scoring",
    "simulate": "metameasure.simulation.simulate",
    "study": "metameasure.studies.study",
    "table": "metameasure.evaluating.tables",
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
