"""What a property of measures is: what it asks, how it is searched for, and what the papers claim of which measure."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metameasure.catalogue.sources import Citation

if TYPE_CHECKING:
    from metameasure.properties.spaces import Reach
    from metameasure.properties.trial import Trial

TASKS = ("classification", "quantification", "ranking", "entailment")
"""Those whose measures can be asked for a property."""
TOLERANCE = 1e-9
"""Scores that differ by no more are the same."""

# The files of this room that hold properties, in the order of reading.
_HOMES = (
    "invariance",
    "monotonicity",
    "imbalance",
    "class_order",
    "constant_runs",
    "class_sizes",
    "exchange",
    "limits",
    "chance",
    "merging",
    "negation",
    "threshold",
    "estimates",
    "rank_changes",
)


@dataclass(frozen=True)
class ReadableCase:
    """One case as people and programs read it: what it consists of by name (gold, output, ...), and its score."""

    parts: Mapping[str, Any]
    score: float


@dataclass(frozen=True)
class DecidingCase:
    """A case that decides: a counterexample, or a witness of what holds in some case."""

    items: int
    classes: int
    cases: tuple[ReadableCase, ...]
    words: str
    order: tuple[Any, ...]
    """Where it stands among cases of the same size."""

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> DecidingCase:
        """From what ``dataclasses.asdict`` and JSON make of it."""
        return cls(
            **{**stored, "cases": tuple(ReadableCase(**case) for case in stored["cases"]), "order": tuple(stored["order"])}
        )

    @property
    def size(self) -> tuple[Any, ...]:
        """Small before large: fewest items, then fewest classes, then first in lexicographic order."""
        return self.items, self.classes, self.order


@dataclass(frozen=True)
class Outcome:
    """What came of one batch of cases: how many there were, how many more were undefined, and the first that decides."""

    cases: int
    undefined: int = 0
    example: DecidingCase | None = None
    against: DecidingCase | None = None
    """A case that settles the matter against a property that would need only some case to hold."""


@dataclass(frozen=True)
class Search:
    """How to look for cases that decide: all small ones, the smallest first, up to ``reach``; then others at random."""

    exhaustive: Callable[[Trial], Iterator[Outcome]]
    reach: Reach
    at_random: Callable[[Trial, int, int], Iterator[Outcome]] | None = None
    """With a seed and a number of cases."""


@dataclass(frozen=True)
class Claim:
    """What a paper says about one measure, and what is wrong with it where something is."""

    holds: bool
    source: Citation
    erratum: str = ""


def claimed(source: Citation, erratum: str = "") -> Claim:
    """A paper says that the measure has the property."""
    return Claim(holds=True, source=source, erratum=erratum)


def denied(source: Citation, erratum: str = "") -> Claim:
    """A paper says that the measure lacks the property."""
    return Claim(holds=False, source=source, erratum=erratum)


@dataclass(frozen=True, eq=False)
class Property:
    """Something that may be asked of a measure."""

    id: str
    title: str
    heading: str
    holds_if: str
    formula: str
    source: tuple[Citation, ...]
    searches: Mapping[str, Search]
    """By what a measure reads: counts, distributions, ranks or an order."""
    tasks: tuple[str, ...] = TASKS
    """It is asked of measures for one of these tasks."""
    condition: str = ""
    claims: Mapping[str, Claim] = field(default_factory=dict)
    note: str = ""
    some_case: bool = False
    """Whether one case is enough for the property to hold; otherwise one is enough for it to fail."""
    directed: bool = False
    """Whether it asks which of two scores is better: then it cannot be asked of a description."""
    of_order: bool = False
    """Whether it is about the order of the classes: then it is not asked of measures for entailment alone."""
    outside: bool = False
    """Whether it comes from outside the five papers whose claims are compared."""

    def __str__(self) -> str:
        return self.id


def properties() -> tuple[Property, ...]:
    """All properties, in the order of reading."""
    homes = (importlib.import_module(f"metameasure.properties.{home}") for home in _HOMES)
    return tuple(axiom for home in homes for axiom in home.PROPERTIES)
