"""The columns of label and ranking files, and the names that a user's files give them."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Columns:
    """The name of each column in the files at hand; by default the interface's own."""

    item: str = "item"
    topic: str = "topic"
    label: str = "label"
    gold: str = "gold"
    run: str = "run"
    weight: str = "weight"
    confidence: str = "confidence"
    rank: str = "rank"
    score: str = "score"
    segment: str = "segment"
    judge: str = "judge"

    def names(self) -> frozenset[str]:
        """All the names, to tell a header from data."""
        return frozenset(asdict(self).values())
