"""Do two measures find the same differences significant? Statistical significance overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.core.choices import DrawBy, Test
from metameasure.core.messages import caption, legend, note, say, sentence
from metameasure.core.notes import counted
from metameasure.core.numbers import percent
from metameasure.meta.data import AnyScores, Selection, leaves_out, resumable
from metameasure.meta.discriminative_power import Discrimination, discrimination
from metameasure.meta.finding import Cell, RunsTested, json_rows, pairs_of, triangle, triangle_chart
from metameasure.meta.question import LEAVE_OUT, RUN_TEST_OPTIONS, Question
from metameasure.show.canvas import Figure
from metameasure.show.table import Mark, OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.paired import square

QUESTION = Question(
    __name__,
    id="overlap",
    title="Statistical significance overlap",
    asks="Do two measures find the same differences significant?",
    why="If not, one may find a part of what the other finds, or each may find its own.",
    formula=(
        "SSO = b / (a + b + c)\n"
        "a, c: pairs of runs that differ significantly by the first measure only, by the second only; b: by both.\n"
        "Without the k contradictions among the b: (b - k) / (a + b - k + c)"
    ),
    read=(
        "1: the same conclusions. A low overlap of a weak measure with a strong one can mean that it finds a part of the "
        "differences (a is 0) or others (a is not): the sentences below the table say which."
    ),
    source=(SAKAI_LQ_2021.at("Section 5.2, Table 4"),),
    several="the counts added up",
    options=(*RUN_TEST_OPTIONS, LEAVE_OUT),
    place=4,
)


Relation = Literal["same", "first_within_second", "second_within_first", "others", "none"]
_MOST_SENTENCES = 15
_MUCH, _LITTLE = 0.9, 0.7  # Sakai (LQ 2021), Table 4: percentages from 90 up are bold, those below 70 underlined


@dataclass(frozen=True)
class Shared:
    """What two measures find significant: only the first, both (of which ``contradicting`` the opposite way), only the second."""

    first: str
    second: str
    only_first: int
    both: int
    only_second: int
    contradicting: int

    @property
    def relation(self) -> Relation:
        """Whether one finds a part of what the other finds, or others: Sakai (LQ 2021), Section 5.2."""
        if not self.both + min(self.only_first, self.only_second):
            return "none"
        if not self.only_first:
            return "first_within_second" if self.only_second else "same"
        return "others" if self.only_second else "second_within_first"

    def sentence(self) -> str:
        """The relation in words; of others, from the measure that finds fewer."""
        totals = {self.first: self.both + self.only_first, self.second: self.both + self.only_second}
        fewer, more = sorted(totals, key=totals.__getitem__)
        own = totals[fewer] - self.both
        if self.relation == "none":
            template = "{first} finds no difference." if totals[more] else "Neither {first} nor {second} finds a difference."
        elif self.relation == "same":
            template = "{first} and {second} find the same {found}."
        elif self.relation != "others":
            one = totals[fewer] == 1
            template = ("The {found}" if one else "All {found}") + " that {first} finds, {second} finds too (of {others})."
        else:
            verb = "is" if own == 1 else "are"
            template = "Of the {found} that {first} finds, {own} " + verb + " not among the {others} of {second}."
        found = counted(totals[fewer], "difference")
        return note("shared differences", template, first=fewer, second=more, found=found, own=own, others=totals[more])

    @property
    def overlap(self) -> float:
        """The share of what either finds that both find."""
        return significance_overlap(self.only_first, self.both, self.only_second)

    @property
    def overlap_agreeing(self) -> float:
        """The same, contradictions left out."""
        return significance_overlap(self.only_first, self.both - self.contradicting, self.only_second)


@dataclass(frozen=True, eq=False, kw_only=True)
class Overlap(RunsTested):
    """The shared and the separate significant differences of every two measures."""

    caption: ClassVar[str] = QUESTION.title

    pairs: tuple[Shared, ...]

    def answer(self) -> dict[str, Any]:
        return {"pairs": json_rows(self.columns()), **self.test_settings()}

    def columns(self) -> dict[str, list[Any]]:
        names = (
            "first",
            "second",
            "only_first",
            "both",
            "only_second",
            "contradicting",
            "overlap",
            "overlap_agreeing",
            "relation",
        )
        return {name: [getattr(pair, name) for pair in self.pairs] for name in names}

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (LQ 2021), Table 4."""
        places = pairs_of(len(self.measures))

        def cell(block: Overlap, i: int, j: int) -> Cell:
            pair = block.pairs[places.index((i, j))]
            agreeing = f" [{percent(pair.overlap_agreeing)}]" if pair.contradicting else ""
            mark: Mark = "weak" if pair.overlap < _LITTLE else "strong" if pair.overlap >= _MUCH else "fair"
            text = f"{percent(pair.overlap)}{agreeing} ({pair.only_first}/{pair.both}/{pair.only_second})"
            return text, None if math.isnan(pair.overlap) else mark, pair.overlap >= _MUCH

        contradicting, more = any(pair.contradicting for pair in self.pairs), len(self.pairs) > _MOST_SENTENCES
        notes = [
            legend(
                "Overlap of significant differences, in %: b / (a + b + c); (a/b/c): found by the first only, both, the second "
                "only."
            ),
            *([legend("[ ]: the overlap without contradictions among the b.")] if contradicting else []),
            sentence(self.how_tested()),
            *(pair.sentence() for pair in self.pairs[:_MOST_SENTENCES]),
            *([say("Which other measures find a part of what another finds: {--format csv} or json.")] if more else []),
        ]
        return [triangle(self, format, cell, notes, "90% and over ({strong}), 70% and over, below ({weak}).")]

    def draw(self, width: float) -> Figure:
        what = caption("Overlap of the significant differences found by two measures, in %.")
        alike = caption("Lines separate groups of measures that share at least {share:.0%}.", share=_MUCH)
        return triangle_chart(self, width, Overlap.shares, lambda value: percent(value, 0), what, self.groups(), alike)

    def said(self) -> list[str]:
        return [pair.sentence() for pair in self.pairs]

    def shares(self) -> Floats:
        """(measures, measures): the overlap of every two."""
        return square([pair.overlap for pair in self.pairs], len(self.measures))

    def groups(self) -> list[tuple[str, ...]]:
        """Measures of which every two share 90 % of what they find (complete linkage), the largest group first."""
        return self.grouped(np.nan_to_num(self.shares()), _MUCH)


def significance_overlap(only_first: int, both: int, only_second: int) -> float:
    """SSO = b / (a + b + c); NaN where neither measure finds anything."""
    total = only_first + both + only_second
    return both / total if total else math.nan


@resumable
@leaves_out
def overlap(
    scores: AnyScores | Discrimination,
    *,
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    test: Test | None = None,
    draw_by: DrawBy | None = None,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Overlap:
    """The significant differences that every two measures share. Takes scores, or what ``discrimination`` found on them."""
    tested = as_tested(scores, trials=trials, alpha=alpha, seed=seed, test=test, draw_by=draw_by, threads=threads, **selection)
    options: dict[str, Any] = {"measures": tested.measures, **tested.test_settings()}
    parts = [Overlap(name=part.name, pairs=_one(part), notes=part.notes, **options) for part in tested.parts()]
    if not tested.data:
        return parts[0]
    totals = tuple(_sum(pairs) for pairs in zip(*(part.pairs for part in parts), strict=True))
    return Overlap(name="pooled", pairs=totals, notes=tested.notes, data=tuple(parts), **options)


def as_tested(scores: AnyScores | Discrimination, **options: Any) -> Discrimination:
    """The tests behind a question, made now or handed in."""
    return scores if isinstance(scores, Discrimination) else discrimination(scores, **options)


def _one(tested: Discrimination) -> tuple[Shared, ...]:
    upper = np.triu_indices(len(tested.runs), 1)
    by_measure = [*zip(tested.measures, tested.significant[:, *upper], tested.better()[:, *upper], strict=True)]
    pairs = []
    for (first, one, ranks), (second, other, other_ranks) in combinations(by_measure, 2):
        counts = ((one & ~other).sum(), (one & other).sum(), (~one & other).sum(), (one & other & (ranks != other_ranks)).sum())
        pairs.append(Shared(first, second, *map(int, counts)))
    return tuple(pairs)


def _sum(pairs: tuple[Shared, ...]) -> Shared:
    counts = ("only_first", "both", "only_second", "contradicting")
    return Shared(pairs[0].first, pairs[0].second, *(sum(getattr(pair, name) for pair in pairs) for name in counts))
