"""What every kind of evidence offers to those who score it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from metameasure.scale import Scale


@dataclass(frozen=True)
class Part:
    """Cases of one shape: the places of their topics, and arrays (runs, those topics, *case)."""

    topics: Any
    arrays: tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """What a measure is computed from: the topics, in parts whose cases have one shape, and all topics as one (runs, *case).

    ``items`` is how many items stand behind each case (runs, topics).
    """

    parts: tuple[Part, ...]
    pooled: tuple[Any, ...]
    items: Any

    @classmethod
    def of(cls, topics: tuple[Any, ...], pooled: tuple[Any, ...], items: Any) -> Reading:
        """All topics in one part."""
        return cls((Part(slice(None), topics),), pooled, items)


class Evidence(ABC):
    """Runs and gold, reduced to what measures need."""

    task: ClassVar[str]
    name: ClassVar[str]
    """How a signature calls it."""
    topic_word: ClassVar[str] = "topic"
    """What one of its topics is called."""
    micro: ClassVar[bool] = False
    """Whether what is counted of all topics makes a micro average, of the measures that have one."""
    why_unusable: ClassVar[str] = ""
    """The reason why a case cannot be scored, where there is only one left after all checks."""
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
    """Evidence in which every topic of every run is one case."""

    scale: Scale

    @abstractmethod
    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        """What a measure that reads this is computed from, for these runs."""

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose arrays fit well into memory."""
        yield list(range(len(self.runs)))
