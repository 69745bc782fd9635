"""What every kind of evidence offers to those who score it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from metameasure.errors import UsageError
from metameasure.notes import counted
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
    def topic_word(self) -> str:
        """What one of its topics is called: a partition, if items were divided into partitions."""
        return "partition" if any(name == "partitions" for name, _ in self.settings) else "topic"

    @property
    def offers(self) -> frozenset[str]:
        """What measures may read of it."""
        return frozenset({self.name})

    @abstractmethod
    def checksum(self) -> str:
        """The same for the same data, whatever files or frames it comes from, and in whatever order the runs are named."""

    @abstractmethod
    def size(self, run: int) -> str:
        """How much there is of a run, in words."""

    def stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a file holds of it, besides runs, topics, classes, settings and notes: facts for JSON, and arrays. UsageError for
        evidence that is not kept in files; what is has its class in ``saved.py`` too."""
        raise UsageError(f"evidence of {self.task} is not kept in files", hint="score the data themselves")

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: dict[str, Any], scale: Scale | None) -> Self:  # noqa: ARG003
        """What ``stored`` gave, and what else the file says."""
        raise UsageError(f"evidence of {cls.task} is not kept in files", hint="score the data themselves")

    def plus(self, other: Self) -> Self:
        """Both together. UsageError where they do not fit, or hold the same."""
        raise UsageError(f"evidence of {self.task} is not merged", hint="score the data themselves")

    def __str__(self) -> str:
        runs, topics = len(self.runs), len(self.topics)
        named = f"{counted(runs, 'run')}, {counted(topics, self.topic_word)}"
        return f"evidence of {self.task}, {named}, checksum {self.checksum()}"

    def save(self, path: str | Path) -> None:
        """Write it to a file, from which ``load`` reads it."""
        from metameasure.evidence.saved import save  # noqa: PLC0415 - which knows every kind of evidence

        save(self, path)

    def check_settings(self, other: Evidence) -> None:
        """UsageError where two parts were not read alike."""
        if self.scale != other.scale:
            raise UsageError(f"the classes {self.scale} and {other.scale} cannot be added", hint="count them again")
        if self.settings != other.settings:
            raise UsageError("parts made with different settings cannot be added", hint="count them again with the same options")

    def lacking(self, reads: str) -> dict[int, str]:
        """The runs that do not have what a measure reads, and why."""
        return {}


class CaseEvidence(Evidence):
    """Evidence in which every topic of every run is one case."""

    @abstractmethod
    def reading(self, reads: str, runs: Sequence[int]) -> Reading:
        """What a measure that reads this is computed from, for these runs."""

    def blocks(self) -> Iterator[list[int]]:
        """Runs in groups whose arrays fit well into memory."""
        yield list(range(len(self.runs)))


def check_other_runs(first: Evidence, second: Evidence) -> None:
    """UsageError unless two parts are other runs on the same topics. (Other topics of the same runs have been looked for.)"""
    word = first.topic_word
    if first.topics != second.topics:
        hint = f"merge parts with the same runs and other {word}s, or with the same {word}s and other runs"
        raise UsageError(f"neither the runs nor the {word}s of the two parts are the same, or they overlap", hint=hint)
    twice = [run for run in first.runs if run in second.runs]
    if twice:
        raise UsageError(f"run '{twice[0]}' is in both on the same {word}s", hint="merge each part once")
