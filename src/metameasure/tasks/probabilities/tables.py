"""What a run's scores are made of: how often its probabilities come true, bin by bin, and how good they are class by class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.probabilities.ece import USUAL_BINS, Binned, binned, top_class
from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import caption, legend, sentence
from metameasure.core.numbers import json_cell, number
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.probabilities import Probabilities
from metameasure.show.canvas import GREY, Figure
from metameasure.show.lines import styled_line
from metameasure.show.sheet import EDGE, Box, Sheet, plot
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.tasks.run_tables import RunTables
from metameasure.tasks.sizes import pooled_notes

_OF_CLASSES = ("brier", "auc", "average_precision")
_HIGH, _HIGH_COUNTS = 3.0, 1.1  # inches
_LARGEST_DOT = 110.0  # points²


@dataclass(frozen=True, eq=False)
class ReliabilityTables(RunTables):
    """Of each run the bins of its highest probabilities, arrays (runs, bins): how many items, the sum of their probabilities and
    how many are right; and of each class (runs, C) what the run gives it on average, and its scores."""

    caption: ClassVar[str] = "How often probabilities come true"

    scale: Scale
    runs: tuple[str, ...]
    bins: Binned
    gold: Floats
    mean: Floats
    of_classes: dict[str, Floats]
    notes: tuple[str, ...] = ()

    def edges(self, place: int) -> tuple[float, float]:
        """The lower and the upper end of a bin."""
        return place / USUAL_BINS, (place + 1) / USUAL_BINS

    def rows(self, run: int) -> list[dict[str, Any]]:
        """The bins of a run that have items."""
        bins = self.bins
        return [
            {
                "low": self.edges(place)[0],
                "high": self.edges(place)[1],
                "items": round(float(bins.number[run, place])),
                "confidence": float(bins.confidence[run, place] / bins.number[run, place]),
                "right": float(bins.share_right[run, place]),
                "difference": float(bins.gap[run, place]),
            }
            for place in np.flatnonzero(bins.number[run]).tolist()
        ]

    def by_class(self, run: int) -> list[dict[str, Any]]:
        return [
            {
                "class": label,
                "gold": float(self.gold[run, place]),
                "mean": float(self.mean[run, place]),
                **{name: float(values[run, place]) for name, values in self.of_classes.items()},
            }
            for place, label in enumerate(self.scale.labels)
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": list(self.scale.labels),
            "runs": [
                {"run": name, "bins": _json(self.rows(run)), "by_class": _json(self.by_class(run))}
                for run, name in enumerate(self.runs)
            ],
            **self.signed_notes(self.notes),
        }

    def numbers(self) -> dict[str, str]:
        """Of each run: its bins."""
        each = zip(self.runs, self.bins.number, self.bins.confidence, self.bins.right, strict=True)
        return {run: digest_of_numbers([tuple(array) for array in arrays]) for run, *arrays in each}

    def tables(self, format: OutputFormat) -> list[Table]:
        last = len(self.runs) - 1
        return [self._table(run, self._explained() if run == last else ()) for run in range(len(self.runs))]

    def _explained(self) -> tuple[str, ...]:
        read = legend(
            "confidence: the mean of an item's highest probability; right: the share of items whose class that is. "
            "difference above 0: too sure."
        )
        return (read, *map(sentence, self.notes))

    def _table(self, run: int, notes: tuple[str, ...]) -> Table:
        """Bins of the highest probability; beside it the classes."""
        headings = (self.runs[run], "items", "confidence", "right", "difference")
        rows = [
            (f"{row['low']:g} to {row['high']:g}", str(row["items"]), *(number(row[name], 4) for name in headings[2:]))
            for row in self.rows(run)
        ]
        classes = self.by_class(run)
        of_classes = tuple(classes[0]) if classes else ("class",)
        beside = Table(
            of_classes,
            tuple((row["class"], *(number(row[name], 4) for name in of_classes[1:])) for row in classes),
            right=frozenset(of_classes[1:]),
            title=f"{self.runs[run]}, class by class",
        )
        title = f"{self.runs[run]}, bins of its highest probability"
        return Table(headings, tuple(rows), right=frozenset(headings[1:]), beside=beside, notes=notes, title=title)

    def full_table(self) -> Table:
        rows = [{"run": name, **row} for run, name in enumerate(self.runs) for row in self.rows(run)]
        names = ("run", "low", "high", "items", "confidence", "right", "difference")
        return Table.of({name: [row[name] for row in rows] for name in names})

    def draw(self, width: float) -> Figure:
        """A reliability diagram: how often probabilities come true against what they are, and below how many items there are."""
        sheet = Sheet(width)
        sheet.add(_HIGH, partial(self._draw_reliability))
        sheet.add(_HIGH_COUNTS, partial(self._draw_counts))
        sheet.explain([styled_line(place) for place in range(len(self.runs))], list(self.runs))
        sheet.write([caption("Below the grey line a run is too sure. Dots are as large as a bin's share of the items.")])
        return sheet.figure()

    def _draw_reliability(self, figure: Figure, box: Box) -> None:
        place = (EDGE, 0.04, box.width - 2 * EDGE, _HIGH - 0.08)
        axes = plot(box, figure, place, ((0.0, 1.02), (0.0, 1.02)), ("highest probability", "share that is right"))
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle="--")
        for run in range(len(self.runs)):
            rows = self.rows(run)
            across, up = ([row[name] for row in rows] for name in ("confidence", "right"))
            line = styled_line(run, across, up)
            axes.add_line(line)
            total = max(1, sum(row["items"] for row in rows))
            sizes = [6 + _LARGEST_DOT * row["items"] / total for row in rows]
            axes.scatter(across, up, s=sizes, color=line.get_color(), alpha=0.75, linewidths=0, zorder=3)

    def _draw_counts(self, figure: Figure, box: Box) -> None:
        place = (EDGE, 0.04, box.width - 2 * EDGE, _HIGH_COUNTS - 0.08)
        shares = self.bins.number / np.maximum(1, self.bins.number.sum(axis=-1, keepdims=True))
        most = float(shares.max(initial=0.0)) or 1.0
        axes = plot(box, figure, place, ((0.0, 1.02), (0.0, 1.05 * most)), ("", "share"))
        wide = 0.8 / USUAL_BINS / max(1, len(self.runs))
        for run in range(len(self.runs)):
            middle = (np.arange(USUAL_BINS) + 0.5) / USUAL_BINS + wide * (run - (len(self.runs) - 1) / 2)
            axes.bar(middle, shares[run], width=wide, color=styled_line(run).get_color(), linewidth=0)


def _json(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: json_cell(value) for name, value in row.items()} for row in rows]


def reliability_tables(evidence: Probabilities) -> ReliabilityTables:
    registry = default_registry().of_task(evidence.task)
    predicted, gold = evidence.arrays(evidence.name)
    known = evidence.there()
    confidence, right = top_class(predicted, gold)
    items = np.maximum(1, known.sum(axis=-1))[:, None]
    of_gold, mean = (np.where(known[..., None], array, 0.0).sum(axis=1) / items for array in (gold, predicted))
    of_classes = {name: np.empty(mean.shape) for name in _OF_CLASSES}
    for name, values in of_classes.items():
        for place, label in enumerate(evidence.scale.labels):
            measure = registry[f"{name}@LABEL"].with_argument((label,))
            values[:, place] = np.asarray(measure(predicted, gold, classes=evidence.scale), dtype=float)
    bins = binned(confidence, right, known, USUAL_BINS, "width")
    return ReliabilityTables(evidence.scale, evidence.runs, bins, of_gold, mean, of_classes, notes=pooled_notes(evidence))
