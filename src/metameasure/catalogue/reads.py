"""What measures are computed from, each kind by name: which arrays, of how many axes, and what a file must have for them."""

from __future__ import annotations

from typing import ClassVar, Self

from metameasure.errors import UsageError, did_you_mean


class Reads(str):  # noqa: SLOT000 - there is one of each
    """What of the evidence a measure reads. It is equal to its text, ``Reads.COUNTS == "counts"``, and there is one of each text.
    A new task may declare its own: ``Reads("numbers", ("predicted", "gold"), "regression")``."""

    known: ClassVar[dict[str, Reads]] = {}
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

    COUNTS: ClassVar[Reads]
    COUNTS_BY_RANK: ClassVar[Reads]
    COUNTS_BY_CONFIDENCE: ClassVar[Reads]
    DISTRIBUTIONS: ClassVar[Reads]
    RANKS: ClassVar[Reads]
    PREDICTED_SCORES: ClassVar[Reads]
    GOLD_SCORES: ClassVar[Reads]
    GRADES: ClassVar[Reads]
    CONFIDENCE_ORDER: ClassVar[Reads]
    BELIEF_ORDER: ClassVar[Reads]
    RATINGS: ClassVar[Reads]
    PERSONS: ClassVar[Reads]
    PREDICTIONS: ClassVar[Reads]

    def __new__(
        cls,
        text: str,
        arrays: tuple[str, ...],
        task: str,
        columns: tuple[str, ...] = (),
        gold_scores: bool = False,
        case_axes: int | None = None,
    ) -> Self:
        """One more kind, as the table below declares it."""
        one = super().__new__(cls, text)
        one.arrays, one.task, one.columns, one.gold_scores = arrays, task, columns, gold_scores
        tables = arrays == ("counts",)
        one.case_axes = case_axes or (2 if tables else 1)
        one.class_axes = 2 if tables else 1 if task in ("quantification", "agreement") else 0
        cls.known[text] = one
        return one

    def __reduce__(self) -> tuple[object, ...]:
        return Reads.of, (str(self),)

    @classmethod
    def of(cls, text: str) -> Reads:
        """The one with that text."""
        if text not in cls.known:
            hint = did_you_mean(text, cls.known) or f"choose {', '.join(cls.known)}"
            raise UsageError(f"measures cannot read '{text}'", hint=hint)
        return cls.known[text]

    @property
    def value(self) -> str:
        """Its text, and nothing else."""
        return str(self)

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


Reads.COUNTS = Reads("counts", ("counts",), "classification")
Reads.COUNTS_BY_RANK = Reads("counts@rank", ("counts",), "entailment", ("confidence", "rank"))
Reads.COUNTS_BY_CONFIDENCE = Reads("counts@confidence", ("counts",), "entailment", ("confidence",))
Reads.DISTRIBUTIONS = Reads("distributions", ("predicted", "gold"), "quantification")
Reads.RANKS = Reads("ranks", ("predicted", "gold"), "ranking")
Reads.PREDICTED_SCORES = Reads("ranks@scores", ("predicted", "gold"), "ranking")
Reads.GOLD_SCORES = Reads("ranks@gold_scores", ("predicted", "gold"), "ranking", gold_scores=True)
Reads.GRADES = Reads("ranks@grades", ("predicted", "gold"), "ranking", gold_scores=True)
Reads.CONFIDENCE_ORDER = Reads("order@confidence", ("ranks", "counts"), "entailment", ("confidence", "rank"))
Reads.BELIEF_ORDER = Reads("order@score", ("ranks", "counts"), "entailment", ("score", "score_rank"))
Reads.RATINGS = Reads("ratings", ("ratings",), "agreement", case_axes=2)
Reads.PERSONS = Reads("persons", ("persons",), "agreement", case_axes=3)
Reads.PREDICTIONS = Reads("persons@predicted", ("predicted", "persons"), "agreement", case_axes=3)
