"""What a run's scores are made of: its confusion table, and precision, recall and F1 of each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from metameasure.catalogue.classification.cem import cem_per_class
from metameasure.catalogue.classification.f1 import f_per_class
from metameasure.catalogue.classification.precision import precision_per_class
from metameasure.catalogue.classification.recall import recall_per_class
from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import sentence
from metameasure.core.numbers import json_number, json_table, number, significant
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.counts import LabelCounts
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, add_heat_maps
from metameasure.show.names import is_shown, named
from metameasure.show.sheet import Sheet
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.tasks.run_tables import Drawer, RunTables
from metameasure.tasks.sizes import pooled_notes

_BY_CLASS = {"precision": precision_per_class, "recall": recall_per_class, "f1": f_per_class}
_CEM = ("cem_precision", "cem_recall")
_MACRO = {"precision": "macro_precision", "recall": "macro_recall", "f1": "f1_macro"}


@dataclass(frozen=True, eq=False)
class LabelTables(RunTables):
    """For each run the counts (runs, C, C), rows gold and columns predicted: numbers of items, or their weights."""

    scale: Scale
    runs: tuple[str, ...]
    counts: Floats
    weighted: bool
    notes: tuple[str, ...] = ()
    with_cem: bool = False
    """Whether CEM of each class is shown too."""

    def by_each_class(self) -> Self:
        return replace(self, with_cem=True)

    def drawn(self, by: Drawer) -> Any:
        return by.confusions(self)

    @property
    def support(self) -> Floats:
        """(runs, C): how much of each class gold has."""
        return np.asarray(self.counts.sum(axis=2))

    def by_class(self) -> dict[str, Floats]:
        """Precision, recall and F1 of each class, (runs, C); and CEM over the items that are given it or have it."""
        usual = {name: np.asarray(function(self.counts)) for name, function in _BY_CLASS.items()}
        return usual | (dict(zip(_CEM, cem_per_class(self.counts), strict=True)) if self.with_cem else {})

    def macro(self) -> dict[str, Floats]:
        """The means over the classes that gold has, (runs,)."""
        usual = {name: np.asarray(default_registry()[id](self.counts)) for name, id in _MACRO.items()}
        there = self.support > 0
        shown = {name: self.by_class()[name] for name in _CEM} if self.with_cem else {}
        return usual | {name: np.nanmean(np.where(there, values, np.nan), axis=1) for name, values in shown.items()}

    def weighted_means(self) -> dict[str, Floats]:
        """The means over classes, weighted by support, (runs,)."""
        shares = self.support / self.support.sum(axis=1, keepdims=True)
        return {name: np.where(shares > 0, shares * values, 0.0).sum(axis=1) for name, values in self.by_class().items()}

    def accuracy(self) -> Floats:
        """(runs,)."""
        return np.asarray(default_registry()["accuracy"](self.counts))

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": list(self.scale.labels),
            "runs": [self._run(run) for run in range(len(self.runs))],
            **self.signed_notes(self.notes),
        }

    def _run(self, run: int) -> dict[str, Any]:
        by_class, support = self.by_class(), self._amounts(self.support)[run]
        return {
            "run": self.runs[run],
            "counts": self._amounts(self.counts[run]),
            "by_class": [
                {
                    "class": label,
                    **{name: json_number(float(values[run, place])) for name, values in by_class.items()},
                    "support": support[place],
                }
                for place, label in enumerate(self.scale.labels)
            ],
            "accuracy": json_number(float(self.accuracy()[run])),
            "macro": {name: json_number(float(values[run])) for name, values in self.macro().items()},
            "weighted": {name: json_number(float(values[run])) for name, values in self.weighted_means().items()},
        }

    def _amounts(self, table: Any) -> list[list[Any]]:
        """Counts as whole numbers, weights as they are."""
        return json_table(table) if self.weighted else np.rint(table).astype(int).tolist()

    def numbers(self) -> dict[str, str]:
        """Of each run: its confusion table, from which the rest is computed."""
        return {run: digest_of_numbers([tuple(table.ravel())]) for run, table in zip(self.runs, self.counts, strict=True)}

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def tables(self, format: OutputFormat) -> list[Table]:
        shown = [place for place, run in enumerate(self.runs) if is_shown(run)]
        return [self._table(run, self._explained() if run == shown[-1] else ()) for run in shown]

    def _explained(self) -> tuple[str, ...]:
        return tuple(map(sentence, self.notes))

    def _table(self, run: int, notes: tuple[str, ...]) -> Table:
        """Precision, recall and F1 as scikit-learn's report has them; the confusion table beside it."""
        by_class, support = self.by_class(), self.support[run]
        name = named(self.runs[run])
        headings = (name, *by_class, "support")
        rows = [
            (label, *(number(values[run, place]) for values in by_class.values()), self._amount(support[place]))
            for place, label in enumerate(self.scale.labels)
        ]
        total = self._amount(support.sum())
        for average, means in (("macro average", self.macro()), ("weighted average", self.weighted_means())):
            rows.append((average, *(number(values[run]) for values in means.values()), total))
        blank = [""] * (len(by_class) - len(_BY_CLASS))
        rows.append(("accuracy", "", "", number(self.accuracy()[run]), *blank, total))
        right, title = frozenset(headings[1:]), f"{name} by class"
        return Table(headings, tuple(rows), right=right, beside=self._beside(run), notes=notes, title=title)

    def _beside(self, run: int) -> Table:
        """What stands below precision, recall and F1; judgements have more."""
        return confusion(self.counts[run], self.scale.labels, self._amount)

    def _amount(self, amount: float) -> str:
        return significant(amount) if self.weighted else f"{amount:.0f}"

    def full_table(self) -> Table:
        """A row for each run and gold class: precision, recall, F1, support, and how often each class was predicted."""
        classes, places = self.scale.labels, [(run, place) for run in range(len(self.runs)) for place in range(len(self.scale))]
        counts, support = [self._amounts(table) for table in self.counts], self._amounts(self.support)
        return Table.of(
            {
                "run": [self.runs[run] for run, _ in places],
                "class": [classes[place] for _, place in places],
                **{name: [float(values[at]) for at in places] for name, values in self.by_class().items()},
                "support": [support[run][place] for run, place in places],
                **{f"predicted {name}": [counts[run][place][at] for run, place in places] for at, name in enumerate(classes)},
            }
        )

    def draw(self, width: float) -> Figure:
        """A heat map for each run: of every gold class, which share was called what."""
        sheet = Sheet(width)
        self.add_maps(sheet)
        return sheet.figure()

    def add_maps(self, sheet: Sheet) -> None:
        """The heat maps on a sheet that may hold other things too."""
        maps = []
        for run, name in ((run, named(name)) for run, name in enumerate(self.runs) if is_shown(name)):
            texts = [[self._amount(cell) if cell else "" for cell in row] for row in self.counts[run]]
            maps.append(HeatMap(name, _shares(self.counts[run]), self.scale.labels, self.scale.labels, texts))
        most = max([0.0, *(float(value) for one in maps for value in one.values[np.isfinite(one.values)])])
        add_heat_maps(sheet, maps, scale=(0.0, most or 1.0), sides=("gold", "predicted"))


def _shares(table: Floats) -> Floats:
    """Of each row; NaN in an empty one."""
    total = table.sum(axis=1, keepdims=True)
    return np.where(total > 0, table / np.where(total > 0, total, 1.0), np.nan)


def confusion(counts: Floats, labels: Sequence[str], amount: Any) -> Table:
    """Counts with their margins; right answers are stressed."""
    headings = ("gold ↓ predicted →", *labels, "total")
    rows = [(label, *map(amount, row), amount(row.sum())) for label, row in zip(labels, counts, strict=True)]
    rows.append(("total", *map(amount, counts.sum(axis=0)), amount(counts.sum())))
    return Table(headings, tuple(rows), right=frozenset(headings[1:]), bold=frozenset(enumerate(labels)))


def label_tables(evidence: LabelCounts) -> LabelTables:
    return LabelTables(evidence.scale, evidence.runs, evidence.tables().sum(axis=1), evidence.weighted, pooled_notes(evidence))
