"""Modules that had other names: importing one of those gives what stands in the new ones, so that older plugins still load."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_HERE = "metameasure.catalogue."
MOVED = {
    "batch": ("arrays",),
    "orders": ("arrays",),
    "reads": ("facts",),
    "scale_order": ("arrays",),
    "classification.information": ("classification.mutual_information",),
    "entailment.confidence": ("entailment.confidence_weighted_score",),
    "quantification.divergence": ("quantification.kld", "quantification.jsd"),
    "quantification.errors": ("quantification.absolute_error", "quantification.nvd"),
    "quantification.match_distance": ("quantification.emd",),
    "quantification.order_aware": ("quantification.rnod",),
    "ranking.best": ("ranking.best_vs_human",),
    "ranking.gains": ("ranking.ndcg",),
    "ranking.reciprocal": ("ranking.mrr", "ranking.err"),
    "ranking.taus": ("ranking.kendall",),
}


class MovedModules(MetaPathFinder, Loader):
    """Finds the modules that had other names; asked last, when nothing else has found one."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.removeprefix(_HERE) in MOVED and fullname.startswith(_HERE) else None

    def exec_module(self, module: ModuleType) -> None:
        for name in MOVED[module.__name__.removeprefix(_HERE)]:
            found = vars(importlib.import_module(_HERE + name))
            vars(module).update({name: value for name, value in found.items() if not name.startswith("__")})
