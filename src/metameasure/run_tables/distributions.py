"""Gold's distribution over the classes and the runs', all topics as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from metameasure.evidence.distributions import Distributions
from metameasure.notes import Note, counted, sentence
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import OutputFormat, Presentable, Table, json_number, number
from metameasure.statistics.rank_correlation import TIE

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DistributionTables(Presentable):
    """``gold`` and ``estimates`` (runs, C) are of all topics that a run has, as one; ``evidence`` has every topic."""

    caption: ClassVar[str] = "Distributions over the classes"

    evidence: Distributions
    gold: Floats
    estimates: Floats
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        labels = self.evidence.scale.labels
        return {
            "classes": list(labels),
            "topics": len(self.evidence.topics),
            "runs": [
                {
                    "run": run,
                    "gold": [json_number(float(share)) for share in gold],
                    "estimate": [json_number(float(share)) for share in estimate],
                    "by_class": [
                        {
                            "class": label,
                            "gold": json_number(float(g)),
                            "estimate": json_number(float(e)),
                            "difference": json_number(float(e - g)),
                        }
                        for label, g, e in zip(labels, gold, estimate, strict=True)
                    ],
                }
                for run, gold, estimate in zip(self.evidence.runs, self.gold, self.estimates, strict=True)
            ],
            "notes": list(self.notes),
        }

    def rows(self) -> list[tuple[str, Floats]]:
        """Gold and the runs, each with its distribution; gold again where a run lacks topics."""
        shown = [("gold", self.gold[0])] if len(self.gold) else []
        for run, gold, estimate in zip(self.evidence.runs, self.gold, self.estimates, strict=True):
            if np.abs(gold - self.gold[0]).max() > TIE:
                shown.append((f"gold of {run}'s topics", gold))
            shown.append((run, estimate))
        return shown

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("", *self.evidence.scale.labels)
        rows = tuple((name, *(number(float(share), 4) for share in shares)) for name, shares in self.rows())
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=tuple(map(sentence, self.notes)))]

    def full_table(self) -> Table:
        found = self.evidence
        places = [
            (run, topic, label)
            for run in range(len(found.runs))
            for topic in range(len(found.topics))
            for label in range(len(found.scale))
        ]
        return Table.of(
            {
                "run": [found.runs[run] for run, _, _ in places],
                "topic": [found.topics[topic] for _, topic, _ in places],
                "class": [found.scale.labels[label] for _, _, label in places],
                "gold": [float(found.gold[topic, label]) for _, topic, label in places],
                "estimate": [float(found.estimates[at]) for at in places],
            }
        )

    def draw(self, width: float) -> Figure:
        """A heat map: gold and the runs down, classes across."""
        names, shares = zip(*self.rows(), strict=True)
        values = np.array(shares)
        texts = [[number(float(share), 2) for share in row] for row in values]
        return heat_maps([HeatMap("", values, names, self.evidence.scale.labels, texts)], width)


def distribution_tables(evidence: Distributions) -> DistributionTables:
    estimates, gold = evidence.reading(evidence.name, range(len(evidence.runs))).pooled
    pooled = [Note(f"all {counted(len(evidence.topics), 'topic')} as one")] if len(evidence.topics) > 1 else []
    return DistributionTables(evidence, gold, estimates, (*pooled, *evidence.notes))
