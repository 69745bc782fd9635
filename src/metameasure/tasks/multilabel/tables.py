"""What a run's scores are made of: precision, recall and F1 of each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.arrays import ratio
from metameasure.catalogue.multilabel.f1 import of_each_label
from metameasure.core.messages import legend, sentence
from metameasure.core.numbers import json_cell, number
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.label_sets import LabelSets
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats, Integers
from metameasure.tasks.run_tables import RunTables
from metameasure.tasks.sizes import pooled_notes

_SHOWN = ("precision", "recall", "f1")


@dataclass(frozen=True, eq=False)
class SetTables(RunTables):
    """Of each run and label (runs, L) how many items have it in both, in the run and in gold; of how many ``items`` (runs,)."""

    caption: ClassVar[str] = "How good each label is"

    scale: Scale
    runs: tuple[str, ...]
    hits: Integers
    predicted: Integers
    gold: Integers
    items: Integers
    notes: tuple[str, ...] = ()

    def counts(self, run: int) -> list[list[list[int]]]:
        """(L, 2, 2): items without and with the label in gold, down, and in the run, across."""
        hits, said, true = (array[run].tolist() for array in (self.hits, self.predicted, self.gold))
        number = int(self.items[run])
        return [[[number - p - g + h, p - h], [g - h, h]] for h, p, g in zip(hits, said, true, strict=True)]

    def by_class(self, run: int) -> list[dict[str, Any]]:
        hits, said, true = (array[run].astype(float) for array in (self.hits, self.predicted, self.gold))
        columns = {"precision": ratio(hits, said), "recall": ratio(hits, true), "f1": of_each_label(hits, said, true)}
        return [
            {"class": label, **{name: float(values[place]) for name, values in columns.items()}, "support": int(true[place]),
             "predicted": int(said[place])}
            for place, label in enumerate(self.scale.labels)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": list(self.scale.labels),
            "runs": [
                {
                    "run": name,
                    "counts": self.counts(run),
                    "by_class": [{key: json_cell(value) for key, value in row.items()} for row in self.by_class(run)],
                }
                for run, name in enumerate(self.runs)
            ],
            **self.signed_notes(self.notes),
        }

    def numbers(self) -> dict[str, str]:
        """Of each run: its counts."""
        each = zip(self.runs, self.hits, self.predicted, self.gold, strict=True)
        return {run: digest_of_numbers([tuple(map(float, array)) for array in arrays]) for run, *arrays in each}

    def tables(self, format: OutputFormat) -> list[Table]:
        read = legend("support: how many items have the label in gold; predicted: how many the run gives it.")
        notes = (read, *map(sentence, self.notes))
        last = len(self.runs) - 1
        return [self._table(run, notes if run == last else ()) for run in range(len(self.runs))]

    def _table(self, run: int, notes: tuple[str, ...]) -> Table:
        headings = (self.runs[run], *_SHOWN, "support", "predicted")
        rows = [
            (row["class"], *(number(row[name], 4) for name in _SHOWN), str(row["support"]), str(row["predicted"]))
            for row in self.by_class(run)
        ]
        return Table(headings, tuple(rows), right=frozenset(headings[1:]), notes=notes, title=f"{self.runs[run]}, label by label")

    def full_table(self) -> Table:
        rows = [{"run": name, **row} for run, name in enumerate(self.runs) for row in self.by_class(run)]
        return Table.of({name: [row[name] for row in rows] for name in ("run", "class", *_SHOWN, "support", "predicted")})

    def draw(self, width: float) -> Figure:
        """A heat map of F1: runs down, labels across."""
        values: Floats = np.array([[row["f1"] for row in self.by_class(run)] for run in range(len(self.runs))])
        texts = [[number(value, 2) for value in row] for row in values.tolist()]
        return heat_maps([HeatMap("F1", values, self.runs, self.scale.labels, texts)], width)


def set_tables(evidence: LabelSets) -> SetTables:
    gold, known = evidence.sets[evidence.gold].astype(np.int64), evidence.there()
    said = np.where(known[..., None], evidence.sets[evidence.said], 0).astype(np.int64)
    there = known.astype(np.int64)
    return SetTables(
        evidence.scale, evidence.runs, (said * gold).sum(axis=1), said.sum(axis=1), there @ gold, known.sum(axis=1),
        pooled_notes(evidence),
    )  # fmt: skip
