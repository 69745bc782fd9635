"""Measures of other programs, of which nothing is known here but their scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
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


def registry_for(ids: Sequence[str], tasks: Sequence[str], registry: Registry) -> Registry:
    """The registry in which these ids stand for the measures that were meant: those of the task that somebody names, or else of
    the only one that has them all."""
    known = [measures for id in ids if (measures := registry.named(id))]
    possible = [{task for measure in measures for task in measure.tasks} for measures in known]
    having_all = set.intersection(*possible) if possible else set()
    (meant,) = tasks if len(tasks) == 1 else having_all if len(having_all) == 1 else (None,)
    return registry.of_task(meant) if meant is not None else registry


def are_called_alike(measures: Sequence[Measure], task: str, registry: Registry) -> bool:
    """Whether the name of one of a task's measures stands for another task's unless somebody says which is meant."""

    def is_found(measure: Measure, among: Registry) -> bool:
        found = among.find(measure.id)
        return found is not None and found.function is measure.function

    own = registry.of_task(task) if task else registry
    return any(is_found(one, own) and not is_found(one, registry) for one in measures)


def better_of(name: str, said: Better | None, registry: Registry) -> Better | None:
    """Which scores are better by a measure of that name: as somebody says, or as by ours of the name, or as the name tells."""
    found = registry.find(name)
    return said or (found.better if found is not None else None) or usual_direction(name)


def _no_formula(*_: Any) -> NoReturn:
    raise UsageError("this measure has no formula here", hint="its scores were read, not computed")
