"""Modules that had other names, of measures and formats: plugins import those, and still find what stands in the new ones, with a
warning. The old names go in 0.4.0."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_HERE = "metameasure."
MOVED = {
    "agreement": ("judging.agree",),
    "checking": ("evaluating.check",),
    "comparison": ("comparing.comparison",),
    "errors": ("core.errors",),
    "evaluation": ("evaluating.evaluate",),
    "formats": ("reading",),
    "formats.field": ("reading.formats",),
    "formats.files": ("reading.files",),
    "formats.numbers": ("reading.numbers",),
    "formats.options": ("reading.options",),
    "formats.output": ("core.output",),
    "formats.problems": ("core.problems",),
    "formats.ranks": ("reading.ranks",),
    "formats.sources": ("reading.sources",),
    "messages": ("core.messages",),
    "notes": ("core.notes",),
    "numbers": ("core.numbers",),
    "options": ("core.options",),
    "run_tables": ("evaluating.tables",),
    "scale": ("core.scale",),
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
    """Stands where a module stood, and hands out what its new homes have. Nothing is imported, and nobody is warned, before a
    name is asked for."""

    def __init__(self, name: str, homes: tuple[str, ...]) -> None:
        super().__init__(name, f"Moved to {' and '.join(homes)}.")
        self.__spec__ = ModuleSpec(name, None, is_package=True)  # it may hold others that have moved too
        self.__path__: list[str] = []
        self._homes = homes

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":  # whoever looks through all modules wants nothing of this one
            raise AttributeError(name)
        homes = [importlib.import_module(home) for home in self._homes]
        warnings.warn(
            f"{self.__name__} is called {' and '.join(self._homes)} now; plugins find all that they need in metameasure.plugin",
            DeprecationWarning,
            stacklevel=2,
        )
        if name == "__all__":
            return [one for home in homes for one in vars(home) if not one.startswith("_")]
        for home in homes:
            if hasattr(home, name):
                return getattr(home, name)
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")


def keep_old_names(package: str) -> None:
    """From now on, what has moved out of the package is found in it. A package calls this when it is imported: Python then finds
    the names among the modules that are loaded, and no search for modules is touched."""
    for old, new in MOVED.items():
        parent, _, name = f"{_HERE}{old}".rpartition(".")
        if parent == package:
            found = MovedModule(f"{parent}.{name}", tuple(f"{_HERE}{home}" for home in new))
            sys.modules[found.__name__] = found
            setattr(sys.modules[package], name, found)
            keep_old_names(found.__name__)
