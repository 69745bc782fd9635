"""Modules that had other names: plugins import those, and find what stands in the new ones, with a warning, until 0.4."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

_HERE = "metameasure."
MOVED = {
    "agreement": ("judging.agree", "judging.agreement", "judging.rating_sample"),
    "checking": ("evaluating.check", "tasks.checking"),
    "comparison": ("comparing.comparison", "comparing.topics"),
    "errors": ("core.errors",),
    "evaluation": ("evaluating.evaluate",),
    "formats": ("reading",),
    "formats.field": ("reading.formats",),
    "formats.files": ("reading.files", "reading.on_disk"),
    "formats.numbers": ("reading.numbers",),
    "formats.options": ("reading.options",),
    "formats.output": ("core.output",),
    "formats.problems": ("core.problems",),
    "formats.ranks": ("reading.ranks",),
    "formats.sources": ("reading.sources",),
    "messages": ("core.messages",),
    "notes": ("core.notes",),
    "numbers": ("core.numbers",),
    "options": ("core.options", "core.shared_options"),
    "run_tables": ("evaluating.tables",),
    "scale": ("core.scale",),
    "scores.cube": ("scores.scores", "scores.of_evidence", "scores.undefined"),
    "scoring": ("scores.scoring",),
    "signature": ("core.signature",),
    "topic_set_size": ("advice.design",),
    "values": ("core.values",),
    "catalogue.batch": ("catalogue.arrays",),
    "catalogue.distances": ("catalogue.facts",),
    "catalogue.orders": ("catalogue.arrays",),
    "catalogue.reads": ("catalogue.facts",),
    "catalogue.scale_order": ("catalogue.arrays",),
    "catalogue.classification.information": ("catalogue.classification.mutual_information",),
    "catalogue.entailment.confidence": ("catalogue.entailment.confidence_weighted_score",),
    "catalogue.quantification.divergence": ("catalogue.quantification.kld", "catalogue.quantification.jsd"),
    "catalogue.quantification.errors": ("catalogue.quantification.absolute_error", "catalogue.quantification.nvd"),
    "catalogue.quantification.match_distance": ("catalogue.quantification.emd",),
    "catalogue.quantification.order_aware": ("catalogue.quantification.rnod",),
    "catalogue.ranking.best": ("catalogue.ranking.best_vs_human",),
    "catalogue.ranking.gains": ("catalogue.ranking.ndcg",),
    "catalogue.ranking.reciprocal": ("catalogue.ranking.mrr", "catalogue.ranking.err"),
    "catalogue.ranking.taus": ("catalogue.ranking.kendall",),
    "formats.columns": ("reading.options",),
    "formats.inspection": ("reading.files",),
    "formats.json_files": ("reading.files",),
    "formats.matrix": ("reading.numbers",),
    "formats.series": ("reading.numbers",),
}


class MovedModule(ModuleType):
    """A module that is empty; who asks it for a name gets the one of the new module."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if (within := sys.modules.get(f"{self.__name__}.{name}")) is not None:
            return within
        for new in MOVED[self.__name__.removeprefix(_HERE)]:
            home = importlib.import_module(_HERE + new)
            if hasattr(home, name):
                message = f"{self.__name__} is {_HERE}{new} now, and will not be found under its old name from 0.4 on"
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return getattr(home, name)
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")


def old_names(package: str) -> Callable[[str], ModuleType]:
    """What a package answers if it is asked for a module that has moved, as in ``metameasure.catalogue.batch``, or for a folder
    that such a module was in: Python does not look for that one if it finds the module itself."""

    def find(name: str) -> ModuleType:
        if (found := old_module(f"{package}.{name}".removeprefix(_HERE))) is None:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return found

    return find


def old_module(name: str) -> ModuleType | None:
    """The module that had this name, or the folder that it was in, for code that reaches it as an attribute of the package."""
    if name not in MOVED and any(old.startswith(f"{name}.") for old in MOVED):
        return importlib.import_module(_HERE + name)
    return sys.modules.get(_HERE + name) if name in MOVED else None


def keep_old_names() -> None:
    """Modules can be imported under the names that they had."""
    for old in MOVED:
        sys.modules.setdefault(_HERE + old, MovedModule(_HERE + old))
