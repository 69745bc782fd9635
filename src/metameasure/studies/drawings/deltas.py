"""Sakai (LQ 2021), Figures 1 to 3: differences of two runs by two measures, and the topics on which these differ most."""

from __future__ import annotations

from collections.abc import Sequence

from metameasure.meta.score_deltas import Deltas
from metameasure.show.table import Drawing


def score_deltas(name: str, finding: Deltas, notes: Sequence[str]) -> Drawing:
    """A scatter plot for each pair of measures, with quadrants, and Pearson's correlation with its interval."""
    title = f"{name.replace('-', ' ').capitalize()}: score deltas, {finding.run_a} minus {finding.run_b}"
    return Drawing(name, title, lambda width: finding.draw_pairs(width, [note for note in notes if note]))


def furthest_topics(name: str, finding: Deltas, notes: Sequence[str]) -> Drawing:
    """The distributions of gold and of both runs on the topics that differ most."""
    title = f"{name.replace('-', ' ').capitalize()}: the topics on which two measures differ most"
    return Drawing(name, title, lambda width: finding.draw_topics(width, [note for note in notes if note]))
