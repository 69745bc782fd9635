"""What measures are computed from, each kind by name: which arrays, of how many axes, and what a file must have for them."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from metameasure.errors import UsageError, did_you_mean


class Reads(StrEnum):
    """What of the evidence a measure reads. A member is equal to its text, ``Reads.COUNTS == "counts"``."""

    arrays: tuple[str, ...]
    """The arrays that a formula is given, in their order."""
    case_axes: int
    """How many axes one case has in each of them, behind those of the batch."""
    class_axes: int
    """How many of these axes, the last ones, are classes; where none is, they are items, NaN where there is none."""
    task: str
    """The task whose measures read it."""
    columns: tuple[str, ...]
    """The columns of a run one of which it takes besides labels or ranks."""
    gold_scores: bool
    """Whether gold must have scores or grades: ranks are not enough."""

    def __new__(
        cls,
        text: str,
        arrays: tuple[str, ...],
        task: str,
        columns: tuple[str, ...] = (),
        gold_scores: bool = False,
        case_axes: int | None = None,
    ) -> Self:
        """A member, as the table below declares it."""
        member = str.__new__(cls, text)
        member._value_ = text
        member.arrays, member.task, member.columns, member.gold_scores = arrays, task, columns, gold_scores
        tables = arrays == ("counts",)
        member.case_axes = case_axes or (2 if tables else 1)
        member.class_axes = 2 if tables else 1 if task in ("quantification", "agreement") else 0
        return member

    COUNTS = "counts", ("counts",), "classification"
    COUNTS_BY_RANK = "counts@rank", ("counts",), "entailment", ("confidence", "rank")
    COUNTS_BY_CONFIDENCE = "counts@confidence", ("counts",), "entailment", ("confidence",)
    DISTRIBUTIONS = "distributions", ("predicted", "gold"), "quantification"
    RANKS = "ranks", ("predicted", "gold"), "ranking"
    PREDICTED_SCORES = "ranks@scores", ("predicted", "gold"), "ranking"
    GOLD_SCORES = "ranks@gold_scores", ("predicted", "gold"), "ranking", (), True
    GRADES = "ranks@grades", ("predicted", "gold"), "ranking", (), True
    CONFIDENCE_ORDER = "order@confidence", ("ranks", "counts"), "entailment", ("confidence", "rank")
    BELIEF_ORDER = "order@score", ("ranks", "counts"), "entailment", ("score", "score_rank")
    RATINGS = "ratings", ("ratings",), "agreement", (), False, 2
    PERSONS = "persons", ("persons",), "agreement", (), False, 3
    PREDICTIONS = "persons@predicted", ("predicted", "persons"), "agreement", (), False, 3

    @classmethod
    def of(cls, text: str) -> Reads:
        """The member with that text."""
        for member in cls:
            if member == text:
                return member
        raise UsageError(f"measures cannot read '{text}'", hint=did_you_mean(text, cls) or f"choose {', '.join(cls)}")

    @property
    def of_classes(self) -> bool:
        """Whether the last axes are classes."""
        return self.class_axes > 0

    @property
    def is_order(self) -> bool:
        """Whether it is items in one run's order, each counting or not."""
        return self.arrays == ("ranks", "counts")

    def weighted_by(self, what: str) -> Reads:
        """The same counts, each item weighted by what its run says of it: ``rank`` or ``confidence``."""
        return {"rank": Reads.COUNTS_BY_RANK, "confidence": Reads.COUNTS_BY_CONFIDENCE}[what]
