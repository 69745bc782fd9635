"""Lists of documents of which only some were judged: what was retrieved where, and what is known of it.

A grade from 0 up is what somebody said of the document; -1 is one of the pool that nobody judged, and -2 one that is not of the
pool.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from metameasure.catalogue.arrays import Array, namespace, summed
from metameasure.catalogue.facts import Example, Inputs, Reads, Reduction, Undefined
from metameasure.catalogue.parameters import Options
from metameasure.catalogue.questions import RELEVANT_FIRST
from metameasure.catalogue.ranking.ranks import RANKS, places, ranked_by_both, some_infinite
from metameasure.core.errors import UsageError
from metameasure.core.values import number_of

RELEVANT = "a document is relevant from grade 1 up, or from the grade that is named (rel=2)"


def _listed(predicted: Array, gold: Array) -> tuple[Array, ...]:
    xp = namespace(predicted, gold)
    retrieved = xp.astype(ranked_by_both(predicted, gold), gold.dtype)
    return gold, *places(predicted + 0.0 * gold), retrieved


DOCUMENTS = Reduction(
    ("the grade of each document", "the first place of its tie", "the last place", "whether it was retrieved"), _listed
)


@dataclass(frozen=True)
class Documents:
    """The documents of each case (cases, n), as 0 or 1 what each is: ``relevant``, judged and ``irrelevant``; and the places of
    its group of ties among those that were ``retrieved``."""

    grade: Array
    first: Array
    last: Array
    retrieved: Array
    relevant: Array

    @classmethod
    def of(cls, grade: Array, first: Array, last: Array, retrieved: Array, *, rel: float) -> Documents:
        return cls(grade, first, last, retrieved, namespace(grade).astype(grade >= rel, grade.dtype))

    @property
    def irrelevant(self) -> Array:
        return namespace(self.grade).astype(self.grade >= 0, self.grade.dtype) * (1 - self.relevant)

    @property
    def all_relevant(self) -> Array:
        """R, how many documents are relevant (cases,)."""
        return summed(self.relevant, -1)

    @property
    def hits(self) -> Array:
        return self.relevant * self.retrieved

    def within(self, k: Array | float) -> Array:
        """The chance of each document to be among the first k, its ties being broken in every way alike."""
        xp = namespace(self.first)
        size = self.last - self.first + 1
        return xp.clip(k - self.first + 1, 0.0 * size, size) / size


NOTHING_RELEVANT = Undefined(
    "no item is relevant", lambda *documents, rel: Documents.of(*documents, rel=rel).all_relevant == 0, of_gold=True
)


def _no_document(predicted: Array, gold: Array) -> Array:
    return some_infinite(predicted, gold) | namespace(gold).all(namespace(gold).isnan(gold), axis=-1)


JUDGED = Inputs(
    asks=RELEVANT_FIRST,
    reads=Reads.JUDGEMENTS,
    shape="predicted and gold of shape (..., n): ranks of which 1 is best, NaN for what was not retrieved, and grades of "
    "relevance, -1 for a document of the pool that nobody judged, -2 for one that is not of the pool",
    notation=f"a topic has R relevant documents and N that were judged and are not; {RELEVANT}. g_i is 1 where the document in "
    "place i of the run is relevant and 0 elsewhere, n the number of documents retrieved",
    unusable=Undefined("nothing was retrieved, or a rank or a grade is infinite", RANKS.unusable.when),
    example=Example(
        text="five documents in order, of grades 0, 2, unjudged, 1, 0, and one more of grade 1 that was not retrieved",
        arrays=((1, 2, 3, 4, 5, float("nan")), (0, 2, -2, 1, 0, 1)),
    ),
)


JUDGED_OR_EMPTY = replace(
    JUDGED, unusable=Undefined("there is no document, or a rank or a grade is infinite", _no_document), of_nothing=True
)
"""The same for what is known of an empty list too."""


def cut_off() -> Options:
    """A number of documents, and from which grade on one is relevant."""
    return Options(number="k", required=True, numbers={"rel": 1.0})


def from_grade() -> Options:
    """From which grade on a document is relevant."""
    return Options(numbers={"rel": 1.0})


class Persistence(Options):
    """The chance p to go on to the next document, which has to be said, and from which grade on one is relevant."""

    def __init__(self) -> None:
        super().__init__(numbers={"p": 0.8, "rel": 1.0})
        self.required, self.placeholder, self.example = True, "p=NUMBER", "p=0.8"

    def parse(self, text: str) -> tuple[tuple[str, Any], ...] | None:
        argument = super().parse(text)
        if not 0 < dict(argument or ()).get("p", 0.0) < 1:
            raise UsageError("p is a chance between 0 and 1, and has to be said", hint="as in rbp@p=0.8")
        return argument


class Recall(Options):
    """A share of the relevant documents, from 0 to 1, which comes first, how it becomes a number of documents, and from which
    grade on one is relevant."""

    def __init__(self) -> None:
        super().__init__(number="r", required=True, numbers={"rel": 1.0}, choices={"rounding": ("up", "trec_eval")})
        self.example = "0.1"

    def first_number(self, text: str) -> float:
        share = number_of(text)
        if share is None or not 0 <= share <= 1:
            raise UsageError(f"'{text}' is no share from 0 to 1", hint="as in iprec@0.1")
        return share
