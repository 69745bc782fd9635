"""Measures of other programs, of which nothing is known here but their scores."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from metameasure.catalogue.classification.tables import TABLES
from metameasure.catalogue.directions import usual_direction
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.core.choices import Better
from metameasure.core.errors import UsageError


def foreign(id: str, better: Better | None = None) -> Measure:
    """A measure by its name, and which scores are better, where anybody says so. The name is empty where nobody does."""
    return Measure(
        id, title=id, notation=id, tasks=(), better=better, range=(-math.inf, math.inf), perfect=None, scale="nominal",
        formula="", source=(), inputs=TABLES, function=_no_formula, kind="foreign",
    )  # fmt: skip


def known_or_foreign(id: str, registry: Registry) -> Measure:
    """The measure of that id in a registry, or else a foreign one. What goes by another name there keeps the name it has."""
    found = registry.find(id) if id else None
    return found if found is not None and found.id == id else foreign(id)


def better_of(name: str, said: Better | None, registry: Registry) -> Better | None:
    """Which scores are better by a measure of that name: as somebody says, or as by ours of the name, or as the name tells."""
    found = registry.find(name)
    return said or (found.better if found is not None else None) or usual_direction(name)


def _no_formula(*_: Any) -> NoReturn:
    raise UsageError("this measure has no formula here", hint="its scores were read, not computed")
