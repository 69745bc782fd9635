"""Confusion tables with their margins, and precision, recall and F1 by class; of judgements, read two ways too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.classification.f1 import f1_per_class
from metameasure.catalogue.classification.precision import precision_per_class
from metameasure.catalogue.classification.recall import recall_per_class
from metameasure.catalogue.entailment.accuracies import two_way
from metameasure.catalogue.registry import default_registry
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.judgements import Judgements
from metameasure.notes import Note, counted, sentence
from metameasure.scale import Scale
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import OutputFormat, Presentable, Table, json_number, json_table, number

Floats = npt.NDArray[np.float64]
_BY_CLASS = {"precision": precision_per_class, "recall": recall_per_class, "f1": f1_per_class}
_MACRO = {"precision": "macro_precision", "recall": "macro_recall", "f1": "f1_macro"}
_CORNER = "gold ↓ predicted →"


@dataclass(frozen=True, eq=False)
class LabelTables(Presentable):
    """For each run the counts (runs, C, C), rows gold and columns predicted: numbers of items, or their weights."""

    scale: Scale
    runs: tuple[str, ...]
    counts: Floats
    weighted: bool
    notes: tuple[str, ...] = ()

    @property
    def support(self) -> Floats:
        """(runs, C): how much of each class gold has."""
        return np.asarray(self.counts.sum(axis=2))

    def by_class(self) -> dict[str, Floats]:
        """Precision, recall and F1 of each class, (runs, C)."""
        return {name: np.asarray(function(self.counts)) for name, function in _BY_CLASS.items()}

    def macro(self) -> dict[str, Floats]:
        """The means over the classes that gold has, (runs,)."""
        return {name: np.asarray(default_registry()[id](self.counts)) for name, id in _MACRO.items()}

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
            "notes": [*self.notes],
        }

    def _run(self, run: int) -> dict[str, Any]:
        by_class, support = self.by_class(), self.support[run]
        return {
            "run": self.runs[run],
            "counts": self._amounts(self.counts[run]),
            "by_class": [
                {
                    "class": label,
                    **{name: json_number(float(values[run, place])) for name, values in by_class.items()},
                    "support": self._amounts([[support[place]]])[0][0],
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

    def tables(self, format: OutputFormat) -> list[Table]:
        last = len(self.runs) - 1
        return [self._table(run, self._explained() if run == last else ()) for run in range(len(self.runs))]

    def _explained(self) -> tuple[str, ...]:
        return tuple(map(sentence, self.notes))

    def _table(self, run: int, notes: tuple[str, ...]) -> Table:
        """Precision, recall and F1 as scikit-learn's report has them; the confusion table beside it."""
        by_class, support = self.by_class(), self.support[run]
        headings = (self.runs[run], *by_class, "support")
        rows = [
            (label, *(number(values[run, place]) for values in by_class.values()), self._amount(support[place]))
            for place, label in enumerate(self.scale.labels)
        ]
        total = self._amount(support.sum())
        for name, means in (("macro average", self.macro()), ("weighted average", self.weighted_means())):
            rows.append((name, *(number(values[run]) for values in means.values()), total))
        rows.append(("accuracy", "", "", number(self.accuracy()[run]), total))
        beside = confusion(self.counts[run], self.scale.labels, self._amount)
        right, title = frozenset(headings[1:]), f"{self.runs[run]} by class"
        return Table(headings, tuple(rows), right=right, beside=self._beside(run, beside), notes=notes, title=title)

    def _beside(self, run: int, table: Table) -> Table:
        """What stands below precision, recall and F1; judgements have more."""
        return table

    def _amount(self, amount: float) -> str:
        return f"{amount:.4g}" if self.weighted else f"{amount:.0f}"

    def full_table(self) -> Table:
        return Table.of(self.columns())

    def columns(self) -> dict[str, list[Any]]:
        """A row for each run and gold class: precision, recall, F1, support, and how often each class was predicted."""
        classes, places = self.scale.labels, [(run, place) for run in range(len(self.runs)) for place in range(len(self.scale))]
        columns: dict[str, list[Any]] = {
            "run": [self.runs[run] for run, _ in places],
            "class": [classes[place] for _, place in places],
            **{name: [float(values[at]) for at in places] for name, values in self.by_class().items()},
            "support": [self._amounts([[self.support[at]]])[0][0] for at in places],
        }
        counts = [self._amounts(table) for table in self.counts]
        predicted = {f"predicted {label}": [counts[run][place][at] for run, place in places] for at, label in enumerate(classes)}
        return columns | predicted

    def draw(self, width: float) -> Figure:
        """A heat map for each run: of every gold class, which share was called what."""
        maps = []
        for run, name in enumerate(self.runs):
            texts = [[self._amount(cell) if cell else "" for cell in row] for row in self.counts[run]]
            maps.append(HeatMap(name, _shares(self.counts[run]), self.scale.labels, self.scale.labels, texts))
        most = max([0.0, *(float(value) for one in maps for value in one.values[np.isfinite(one.values)])])
        return heat_maps(maps, width, scale=(0.0, most or 1.0), sides=("gold", "predicted"))


def _shares(table: Floats) -> Floats:
    """Of each row; NaN in an empty one."""
    total = table.sum(axis=1, keepdims=True)
    return np.where(total > 0, table / np.where(total > 0, total, 1.0), np.nan)


def confusion(counts: Floats, labels: Sequence[str], amount: Any) -> Table:
    """Counts with their margins; right answers are stressed."""
    headings = (_CORNER, *labels, "total")
    rows = [(label, *map(amount, row), amount(row.sum())) for label, row in zip(labels, counts, strict=True)]
    rows.append(("total", *map(amount, counts.sum(axis=0)), amount(counts.sum())))
    right = frozenset((place, label) for place, label in enumerate(labels))
    return Table(headings, tuple(rows), right=frozenset(headings[1:]), bold=right)


@dataclass(frozen=True, eq=False)
class JudgementTables(LabelTables):
    """The same of judgements, and the table of the positive class against the others: Bergmair (2009), Sections 2 and 5."""

    @property
    def sides(self) -> tuple[str, str]:
        """What the two classes of the two-way reading are called."""
        return self.scale.labels[0], f"not {self.scale.labels[0]}"

    def two_way(self) -> Floats:
        """(runs, 2, 2)."""
        return np.asarray(two_way(self.counts))

    def uncertainty(self) -> list[Floats]:
        """H(G|L=l) for each label, (runs,): how uncertain gold remains where the run answers it."""
        measure = default_registry()["conditional_entropy@LABEL"]
        each = (measure.with_argument((label,)) for label in self.scale.labels)
        return [np.asarray(one(self.counts, classes=self.scale)) for one in each]

    def _run(self, run: int) -> dict[str, Any]:
        bits = zip(self.scale.labels, self.uncertainty(), strict=True)
        return super()._run(run) | {
            "two_way": {"classes": list(self.sides), "counts": self._amounts(self.two_way()[run])},
            "conditional_entropy": {label: json_number(float(values[run])) for label, values in bits},
        }

    def _beside(self, run: int, table: Table) -> Table:
        """A last line as in Bergmair's Figure 2, and the two-way table."""
        bits = ("H(G|L)", *(number(float(values[run]), 4) for values in self.uncertainty()), "")
        both = confusion(self.two_way()[run], self.sides, self._amount)
        return Table(table.columns, (*table.rows, bits), right=table.right, bold=table.bold, beside=both)

    def _explained(self) -> tuple[str, ...]:
        words = "H(G|L): how uncertain gold remains, in bits, where the run gives that label (Bergmair 2009, Figure 2)."
        return (words, *super()._explained())


def label_tables(counts: LabelCounts) -> LabelTables:
    return LabelTables(counts.scale, counts.runs, counts.tables().sum(axis=1), counts.weighted, _notes(counts, counts.notes))


def judgement_tables(evidence: Judgements) -> JudgementTables:
    counts = evidence.counts
    return JudgementTables(
        counts.scale, counts.runs, counts.tables().sum(axis=1), counts.weighted, _notes(counts, evidence.notes)
    )


def _notes(counts: LabelCounts, others: Sequence[str]) -> tuple[str, ...]:
    pooled = [Note(f"all {counted(len(counts.topics), 'topic')} as one")] if len(counts.topics) > 1 else []
    return (*pooled, *others)
