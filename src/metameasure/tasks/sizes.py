"""What a run's scores are made of, whatever the task: how much there is of it on each topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.core.messages import note, sentence
from metameasure.core.notes import counted
from metameasure.core.signature import digest_of_numbers
from metameasure.evidence.base import CaseEvidence, Evidence
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Integers
from metameasure.tasks.run_tables import Drawer, RunTables


@dataclass(frozen=True, eq=False)
class SizeTables(RunTables):
    """``items`` (runs, topics): on how many items each topic of a run is scored."""

    caption: ClassVar[str] = "Items of the runs"

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    items: Integers
    notes: tuple[str, ...] = ()

    def drawn(self, by: Drawer) -> Any:
        return by.nothing()  # a page has the numbers of items elsewhere

    def to_dict(self) -> dict[str, Any]:
        return {
            "topics": list(self.topics),
            "runs": [{"run": run, "items": row} for run, row in zip(self.runs, self.items.tolist(), strict=True)],
            **self.signed_notes(self.notes),
        }

    def numbers(self) -> dict[str, str]:
        """Of each run: its items on each topic."""
        return {run: digest_of_numbers([tuple(row)]) for run, row in zip(self.runs, self.items.tolist(), strict=True)}

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("topic", *self.runs)
        rows = tuple((topic, *map(str, self.items[:, place].tolist())) for place, topic in enumerate(self.topics))
        total = (("all", *map(str, self.items.sum(axis=1).tolist())),) if len(self.topics) > 1 else ()
        notes = ("How many items each topic of a run is scored on.", *map(sentence, self.notes))
        return [Table(headings, (*rows, *total), right=frozenset(headings[1:]), notes=notes)]

    def full_table(self) -> Table:
        places = [(run, topic) for run in range(len(self.runs)) for topic in range(len(self.topics))]
        return Table.of(
            {
                "run": [self.runs[run] for run, _ in places],
                "topic": [self.topics[topic] for _, topic in places],
                "items": [int(self.items[at]) for at in places],
            }
        )


def size_tables(evidence: CaseEvidence) -> SizeTables:
    """The table of any evidence in which every topic of every run is one case."""
    items = [evidence.reading(evidence.name, block).items for block in evidence.blocks()]
    return SizeTables(evidence.runs, evidence.topics, np.concatenate(items).astype(np.int64), evidence.notes)


def pooled_notes(evidence: Evidence) -> tuple[str, ...]:
    """The notes on tables of all topics."""
    pooled = (
        [note("topics as one", "all {topics} as one", topics=counted(len(evidence.topics), evidence.topic_word))]
        if len(evidence.topics) > 1
        else []
    )
    return (*pooled, *evidence.notes)
