"""What a question says about itself, for the documentation and for the command line."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from metameasure.catalogue.sources import Source

# Each question's file. None is called as its function is: a module ``similarity`` would hide ``mm.meta.similarity``.
HOMES = {
    "similarity": "ranking_similarity",
    "consistency": "split_consistency",
    "discrimination": "discriminative_power",
    "overlap": "significance_overlap",
    "contradictions": "significance_contradictions",
    "deltas": "score_deltas",
    "coverage": "unanimous_coverage",
    "robustness": "topic_robustness",
    "summary": "measure_summary",
}


@dataclass(frozen=True)
class Question:
    """A question about measures: what it asks, how it is answered, where that comes from, and how to read the answer."""

    id: str
    title: str
    asks: str
    formula: str
    read: str
    source: tuple[Source, ...]
    several: str

    @property
    def command(self) -> str:
        """What the command line calls it."""
        return "all" if self.id == "summary" else self.id


def questions() -> list[Question]:
    """All questions, in the order of reading."""
    return [importlib.import_module(f"metameasure.meta.{module}").QUESTION for module in HOMES.values()]
