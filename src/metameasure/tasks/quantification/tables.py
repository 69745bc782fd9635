"""What a run's scores are made of: its distribution beside gold's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.core.messages import sentence
from metameasure.core.numbers import json_number, number
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.distributions import Distributions
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.names import is_shown, named
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.run_tables import Drawer, RunTables
from metameasure.tasks.sizes import pooled_notes


@dataclass(frozen=True, eq=False)
class DistributionTables(RunTables):
    """``gold`` and ``estimates`` (runs, C) are of all topics that a run has, as one; ``evidence`` has every topic."""

    caption: ClassVar[str] = "Distributions over the classes"

    evidence: Distributions
    gold: Floats
    estimates: Floats
    notes: tuple[str, ...] = ()

    def drawn(self, by: Drawer) -> Any:
        return by.distributions(self)

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
            **self.signed_notes(self.notes),
        }

    @property
    def runs(self) -> tuple[str, ...]:
        return self.evidence.runs

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def numbers(self) -> dict[str, str]:
        """Of each run: its distribution over all topics, and gold's."""
        each = zip(self.evidence.runs, self.gold, self.estimates, strict=True)
        return {run: digest_of_numbers([(*gold, *estimate)]) for run, gold, estimate in each}

    def rows(self) -> list[tuple[str, Floats]]:
        """Gold and the runs, each with its distribution; gold again where a run lacks topics."""
        shown = [("gold", self.gold[0])] if len(self.gold) else []
        for run, gold, estimate in zip(self.evidence.runs, self.gold, self.estimates, strict=True):
            if not is_shown(run):
                continue
            if np.abs(gold - self.gold[0]).max() > TIE:
                shown.append((f"gold of {named(run)}'s topics", gold))
            shown.append((named(run), estimate))
        return shown

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("", *self.evidence.scale.labels)
        rows = tuple((name, *(number(float(share), 4) for share in shares)) for name, shares in self.rows())
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=tuple(map(sentence, self.notes)))]

    def full_table(self) -> Table:
        evidence = self.evidence
        places = [
            (run, topic, label)
            for run in range(len(evidence.runs))
            for topic in range(len(evidence.topics))
            for label in range(len(evidence.scale))
        ]
        return Table.of(
            {
                "run": [evidence.runs[run] for run, _, _ in places],
                "topic": [evidence.topics[topic] for _, topic, _ in places],
                "class": [evidence.scale.labels[label] for _, _, label in places],
                "gold": [float(evidence.gold[topic, label]) for _, topic, label in places],
                "estimate": [float(evidence.estimates[at]) for at in places],
            }
        )

    def draw(self, width: float) -> Figure:
        """A heat map: gold and the runs down, classes across."""
        names, shares = zip(*self.rows(), strict=True)
        texts = [[number(float(share), 2) for share in row] for row in shares]
        return heat_maps([HeatMap("", np.array(shares), names, self.evidence.scale.labels, texts)], width)


def distribution_tables(evidence: Distributions) -> DistributionTables:
    estimates, gold = evidence.reading(evidence.name, range(len(evidence.runs))).pooled
    return DistributionTables(evidence, gold, estimates, pooled_notes(evidence))
