"""Modules that had other names, of measures and formats: plugins import those, and still find what stands in the new ones."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_HERE = "metameasure."
MOVED = {
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
    "formats.columns": ("formats.options",),
    "formats.inspection": ("formats.files",),
    "formats.json_files": ("formats.files",),
    "formats.matrix": ("formats.numbers",),
    "formats.series": ("formats.numbers",),
}


class MovedModules(MetaPathFinder, Loader):
    """Finds the modules that had other names; asked last, when nothing else has found one."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.startswith(_HERE) and fullname.removeprefix(_HERE) in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        for name in MOVED[module.__name__.removeprefix(_HERE)]:
            contents = vars(importlib.import_module(_HERE + name))
            vars(module).update({name: value for name, value in contents.items() if not name.startswith("__")})


def keep_old_names() -> None:
    """From now on, modules are found under the names that they had."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
