"""Cases to try measures on: random ones, and the awkward ones that random draws miss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.scale import Scale

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Trial:
    """A measure, ready to be called, and a batch of tables for it."""

    measure: Measure
    tables: Counts
    scale: Scale
    distance: npt.NDArray[np.float64] | None

    def __call__(self, tables: Any | None = None) -> npt.NDArray[np.float64]:
        scored = self.measure(self.tables if tables is None else tables, classes=self.scale, distance=self.distance)
        return np.asarray(scored)

    def reasons(self, tables: Counts) -> npt.NDArray[np.bool_]:
        """Where one of the documented reasons for being undefined holds."""
        why = self.measure.why_undefined(tables, classes=self.scale, distance=self.distance)
        holds: npt.NDArray[np.bool_] = np.any(np.stack([np.asarray(cases) for cases in why.values()]), axis=0)
        return holds


def trial(measure: Measure, classes: int) -> Trial:
    """The measure on tables of so many classes, its parameter and distances filled in where they are missing."""
    named: tuple[str, ...] = ()
    if isinstance(measure.parameter, Labels) and measure.argument is not None:
        named = measure.argument
    others = (f"class {number}" for number in range(1, classes + 1))
    labels = (*named, *(label for label in others if label not in named))[: max(classes, len(named))]
    if measure.open:
        measure = measure.at(labels[0]) if isinstance(measure.parameter, Labels) else measure.example
    distance = _distances(len(labels)) if measure.needs_distance else None
    return Trial(measure, tables(len(labels)), Scale(labels), distance)


def _distances(classes: int) -> npt.NDArray[np.float64]:
    drawn = np.random.default_rng(classes).uniform(0.5, 3, (classes, classes))
    distance: npt.NDArray[np.float64] = np.triu(drawn, 1) + np.triu(drawn, 1).T
    return distance


def tables(classes: int) -> Counts:
    """Dense, sparse and tiny tables; empty classes; constant gold, constant outputs, perfect and reversed outputs."""
    rng = np.random.default_rng(classes)
    everywhere = np.ones((classes, classes))
    drawn = [rng.multinomial(100, rng.dirichlet(np.full(classes**2, 0.5)), size=1)[0] for _ in range(12)]
    drawn += [rng.multinomial(items, everywhere.ravel() / classes**2) for items in (1, 1, 2, 2, 3, 3, 5, 8)]
    random = [np.reshape(cells, (classes, classes)) for cells in drawn]
    gold = rng.integers(1, 30, classes)
    perfect = np.diag(gold)
    with_empty_class = random[0].copy()
    with_empty_class[rng.integers(classes)] = 0
    constant = [_only(everywhere, column=column) * gold[:, None] for column in {0, classes - 1}]
    of_one_class = [_only(everywhere, row=row) * gold[None, :] for row in {0, classes - 1}]
    one_cell = [_only(everywhere, row=row, column=column) * 7 for row, column in ((0, 0), (0, classes - 1))]
    awkward = [perfect, perfect[::-1], np.roll(perfect, 1, axis=1), with_empty_class, *constant, *of_one_class, *one_cell]
    return np.stack([*random, *awkward]).astype(np.int64)


def _only(table: npt.NDArray[Any], *, row: int | None = None, column: int | None = None) -> npt.NDArray[Any]:
    """The table with every other row, or column, empty."""
    kept = np.zeros_like(table)
    cells = (slice(None) if row is None else row, slice(None) if column is None else column)
    kept[cells] = table[cells]
    return kept
