"""What a run's scores are made of: the tables of its labels, read three ways and two ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.catalogue.entailment.accuracies import two_way
from metameasure.catalogue.registry import default_registry
from metameasure.core.numbers import json_number, number
from metameasure.evidence.judgements import Judgements
from metameasure.show.canvas import Figure
from metameasure.show.names import is_shown, named
from metameasure.show.sheet import Sheet
from metameasure.show.table import Table
from metameasure.statistics.arrays import Floats
from metameasure.tasks.classification.tables import LabelTables, confusion
from metameasure.tasks.entailment.curves import Curve, add_curves, curves
from metameasure.tasks.sizes import pooled_notes


@dataclass(frozen=True, eq=False)
class JudgementTables(LabelTables):
    """The tables of labels, and that of the positive class against the others: Bergmair (2009), Sections 2 and 5. Of runs that
    order their items, ``curves`` has precision against recall."""

    curves: tuple[Curve, ...] = ()

    def draw(self, width: float) -> Figure:
        """Heat maps, and below them the curves with the band of chance."""
        if not self.curves:
            return super().draw(width)
        sheet = Sheet(width)
        self.add_maps(sheet)
        of_gold = self.support[0]
        curves = [replace(curve, run=named(curve.run)) for curve in self.curves if is_shown(curve.run)]
        add_curves(sheet, curves, round(float(of_gold.sum())), round(float(of_gold[0])))
        return sheet.figure()

    @property
    def sides(self) -> tuple[str, str]:
        """What the two classes of the two-way reading are called."""
        return self.scale.labels[0], f"not {self.scale.labels[0]}"

    def two_way(self) -> Floats:
        """(runs, 2, 2)."""
        return np.asarray(two_way(self.counts))

    def uncertainty(self) -> list[Floats]:
        """H(G|L=l) for each label, (runs,): how uncertain gold remains where the run answers it."""
        measures = (default_registry()["conditional_entropy@LABEL"].with_argument((label,)) for label in self.scale.labels)
        return [np.asarray(measure(self.counts, classes=self.scale)) for measure in measures]

    def _run(self, run: int) -> dict[str, Any]:
        bits = zip(self.scale.labels, self.uncertainty(), strict=True)
        return super()._run(run) | {
            "two_way": {"classes": list(self.sides), "counts": self._amounts(self.two_way()[run])},
            "conditional_entropy": {label: json_number(float(values[run])) for label, values in bits},
        }

    def _beside(self, run: int) -> Table:
        """A last line as in Bergmair's Figure 2, and the two-way table."""
        table = super()._beside(run)
        bits = ("H(G|L)", *(number(float(values[run]), 4) for values in self.uncertainty()), "")
        both = confusion(self.two_way()[run], self.sides, self._amount)
        return replace(table, rows=(*table.rows, bits), beside=both)

    def _explained(self) -> tuple[str, ...]:
        return (
            "H(G|L): how uncertain gold remains, in bits, where the run gives that label (Bergmair 2009, Figure 2).",
            *super()._explained(),
        )


def judgement_tables(evidence: Judgements) -> JudgementTables:
    counts = evidence.counts
    tables = counts.tables().sum(axis=1)
    drawn = () if counts.weighted else tuple(curves(evidence))
    return JudgementTables(counts.scale, counts.runs, tables, counts.weighted, pooled_notes(evidence), curves=drawn)
