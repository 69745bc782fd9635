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
    of_classes: bool
    """Whether these axes are classes; otherwise they are items, NaN where there is none."""
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
    ) -> Self:
        """A member, as the table below declares it."""
        member = str.__new__(cls, text)
        member._value_ = text
        member.arrays, member.task, member.columns, member.gold_scores = arrays, task, columns, gold_scores
        member.case_axes = 2 if arrays == ("counts",) else 1
        member.of_classes = arrays == ("counts",) or text == "distributions"
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

    @classmethod
    def of(cls, text: str) -> Reads:
        """The member with that text."""
        for member in cls:
            if member == text:
                return member
        raise UsageError(f"measures cannot read '{text}'", hint=did_you_mean(text, cls) or f"choose {', '.join(cls)}")

    @property
    def is_order(self) -> bool:
        """Whether it is items in one run's order, each counting or not."""
        return self.arrays == ("ranks", "counts")

    def weighted_by(self, what: str) -> Reads:
        """The same counts, each item weighted by what its run says of it: ``rank`` or ``confidence``."""
        return {"rank": Reads.COUNTS_BY_RANK, "confidence": Reads.COUNTS_BY_CONFIDENCE}[what]
