"""What every kind of evidence offers to those who score it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metameasure.scale import Scale


@dataclass(frozen=True)
class Reading:
    """What a measure is computed from: arrays (runs, topics, *case), and the same with all topics as one (runs, *case).

    ``items`` is how many items stand behind each case (runs, topics).
    """

    topics: tuple[Any, ...]
    pooled: tuple[Any, ...]
    items: Any


class Evidence(ABC):
    """Runs and gold, reduced to what measures need."""

    task: ClassVar[str]
    name: ClassVar[str]
    """How a signature calls it."""
    scale: Scale | None
    """The classes, where there are any."""
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]

    @property
    @abstractmethod
    def offers(self) -> frozenset[str]:
        """What measures may read of it."""

    @abstractmethod
    def checksum(self) -> str:
        """The same for the same data, whatever files or frames it comes from, and in whatever order the runs are named."""

    @abstractmethod
    def size(self, run: int) -> str:
        """How much there is of a run, in words."""

    def lacking(self, reads: str) -> dict[int, str]:
        """The runs that do not have what a measure reads, and why."""
        return {}


class CaseEvidence(Evidence):
    """Evidence in which every topic of every run is one case of the same shape."""

    scale: Scale

    @abstractmethod
    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        """What a measure that reads this is computed from, for these runs."""

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose arrays fit well into memory."""
        yield list(range(len(self.runs)))
