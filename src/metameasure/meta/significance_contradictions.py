"""Do two measures ever come to opposite conclusions, both significant? Which runs are they about?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, Unpack

import numpy as np

from metameasure.catalogue.explain import measure_name
from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.core.choices import DrawBy, Test
from metameasure.core.messages import Message, caption, legend, note, say, sentence
from metameasure.core.notes import counted, in_a_row
from metameasure.core.options import Option
from metameasure.meta.data import AnyScores, Selection, leaves_out, resumable
from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.finding import Cell, RunsTested, pairs_of, triangle, triangle_chart
from metameasure.meta.question import LEAVE_OUT, RUN_TEST_OPTIONS, Question
from metameasure.meta.significance_overlap import as_tested
from metameasure.show.canvas import Figure
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.paired import square

QUESTION = Question(
    __name__,
    id="contradictions",
    title="Statistical significance contradictions",
    asks="Do two measures come to opposite conclusions, both significant?",
    why="Then the choice of the measure decides which of two runs is better.",
    formula=(
        "pairs of runs (r, s) with p < alpha by both measures, r better than s by the first and s better than r by the second\n"
        "p: randomised Tukey HSD test"
    ),
    read=(
        "Any contradiction is a warning: the choice of measure decides who wins. The runs are named; runs with the same "
        "scores count once each, or together where they are folded."
    ),
    source=(SAKAI_LQ_2021.at("Section 5.2, Tables 5 and 6"),),
    several="the counts added up",
    options=(*RUN_TEST_OPTIONS, LEAVE_OUT, Option("fold", "Take runs with the same scores as one.", bool)),
    place=5,
)


def no_contradiction() -> Message:
    """The note that no two measures contradict each other."""
    return note("contradiction of measures", "No two measures contradict each other significantly.")


@dataclass(frozen=True)
class Contradiction:
    """Two measures, and the runs they contradict each other about: (better by the first, better by the second)."""

    first: str
    second: str
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Contradictions(RunsTested):
    """The contradictions of every two measures, those without any included."""

    caption: ClassVar[str] = QUESTION.title

    repeats_data: ClassVar[bool] = True
    pairs: tuple[Contradiction, ...]
    folded: bool = False
    equal_runs: tuple[tuple[str, ...], ...] = ()
    """Runs that have the same scores everywhere."""

    @property
    def total(self) -> int:
        """How many there are in all."""
        return sum(len(pair.runs) for pair in self.pairs)

    def said(self) -> list[str]:
        return self.sentences()

    def sentences(self) -> list[str]:
        """A sentence for each pair of measures that contradict each other, in each data set."""
        lines: list[str] = [
            note(
                "contradiction of measures",
                ("{data_set}: " if self.data else "") + "{first} contradicts {second} about {pairs} of runs: {which}.",
                data_set=part.name,
                first=pair.first,
                second=pair.second,
                pairs=counted(len(pair.runs), "pair"),
                which=_list(pair),
            )
            for part in self.parts()
            for pair in part.pairs
            if pair.runs
        ]
        return lines or [no_contradiction()]

    def answer(self) -> dict[str, Any]:
        return {
            "pairs": [
                {"first": pair.first, "second": pair.second, "count": len(pair.runs), "runs": [list(runs) for runs in pair.runs]}
                for pair in self.pairs
            ],
            **self.test_settings(),
            "folded": self.folded,
            "equal_runs": [list(group) for group in self.equal_runs],
        }

    def columns(self) -> dict[str, list[Any]]:
        listed = [(pair.first, pair.second, *runs) for pair in self.pairs for runs in pair.runs]
        names = ("first", "second", "better_by_first", "better_by_second")
        return {name: [row[place] for row in listed] for place, name in enumerate(names)}

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (LQ 2021), Tables 5 and 6: how many, and about which runs."""
        places = pairs_of(len(self.measures))

        def cell(block: Contradictions, i: int, j: int) -> Cell:
            count = len(block.pairs[places.index((i, j))].runs)
            return str(count), "weak" if count else None, False

        folded = ", runs with the same scores counted as one" if self.folded else ""
        notes = [
            legend("Pairs of runs about which two measures come to opposite conclusions, both significant" + folded + "."),
            sentence(self.how_tested()),
            *([] if self.total else self.sentences()),
        ]
        counts = triangle(self, format, cell, notes)
        return [counts, self._listed(format)] if self.total else [counts]

    def _listed(self, format: OutputFormat) -> Table:
        columns = self.long()
        columns |= {name: [measure_name(measure, format) for measure in columns[name]] for name in ("first", "second")}
        together = {run: _together(list(group)) for part in self.parts() for group in part.equal_runs for run in group}
        sides = ("better_by_first", "better_by_second")
        columns |= {name: [together.get(run, run) for run in columns[name]] for name in sides}
        every = list(zip(*columns.values(), strict=True))
        listed = list(dict.fromkeys(every))
        more = len(listed) - _MOST_SHOWN
        notes = (say("... and {more} more: {--format csv} or json.", more=more),) if more > 0 and not format.paper else ()
        if len(listed) < len(every):
            said = (
                "In braces: runs with the same scores, which are essentially one; {number} pairs of runs are listed as {lines}."
            )
            notes = (say(said, number=len(every), lines=len(listed)), *notes)
        return Table(tuple(_HEADINGS[name] for name in columns), tuple(listed[:_MOST_SHOWN]), notes=notes)

    def draw(self, width: float) -> Figure:
        def values(block: Contradictions) -> Any:
            return square([len(pair.runs) for pair in block.pairs], len(block.measures))

        what = caption("Pairs of runs about which two measures come to opposite conclusions, both significant.")
        most = max([1, *(len(pair.runs) for block in self.blocks() for pair in block.pairs)])
        return triangle_chart(self, width, values, lambda value: f"{value:.0f}", what, scale=(0.0, most))


_MOST_SHOWN = 20
_MOST_NAMED = 6
_HEADINGS = {
    "without": "without",
    "data": "data set",
    "first": "measure 1",
    "second": "measure 2",
    "better_by_first": "better by measure 1",
    "better_by_second": "better by measure 2",
}


def _list(pair: Contradiction) -> str:
    runs = pair.runs[:_MOST_NAMED]
    named = [say("{run} > {other} by {measure}", run=better, other=worse, measure=pair.first) for better, worse in runs]
    more = len(pair.runs) - len(named)
    template = "{named}, the opposite by {second}" + (" (and {more} more)" if more else "")
    return say(template, named=in_a_row(named, "; "), second=pair.second, **({"more": more} if more else {}))


@resumable
@leaves_out
def contradictions(
    scores: AnyScores | Discrimination,
    *,
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    test: Test | None = None,
    draw_by: DrawBy | None = None,
    fold: bool = False,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Contradictions:
    """Opposite significant conclusions of every two measures, with the runs. Takes scores, or what ``discrimination`` found.

    ``fold`` takes runs that have the same scores everywhere as one, called ``name-{a,b}``.
    """
    tested = as_tested(scores, trials=trials, alpha=alpha, seed=seed, test=test, draw_by=draw_by, threads=threads, **selection)
    options: dict[str, Any] = {"measures": tested.measures, "folded": fold, **tested.test_settings()}
    parts = [
        Contradictions(name=part.name, pairs=_one(part, fold=fold), notes=part.notes, equal_runs=_equal(part), **options)
        for part in tested.parts()
    ]
    if not tested.data:
        return parts[0]
    totals = tuple(
        Contradiction(same[0].first, same[0].second, tuple(runs for pair in same for runs in pair.runs))
        for same in zip(*(part.pairs for part in parts), strict=True)
    )
    return Contradictions(name="total", pairs=totals, notes=tested.notes, data=tuple(parts), **options)


def _equal(tested: Discrimination) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(tested.runs[run] for run in group) for group in tested.twins if len(group) > 1)


def _one(tested: Discrimination, *, fold: bool) -> tuple[Contradiction, ...]:
    groups = tested.twins if fold else tuple((run,) for run in range(len(tested.runs)))
    names = [_together([tested.runs[run] for run in group]) for group in groups]
    first_of = [group[0] for group in groups]
    significant, better = tested.significant, tested.better()
    pairs = []
    for i, j in pairs_of(len(tested.measures)):
        opposite = significant[i] & significant[j] & (better[i] > 0) & (better[j] < 0)
        listed = tuple((names[r], names[s]) for r, s in np.argwhere(opposite[np.ix_(first_of, first_of)]))
        pairs.append(Contradiction(tested.measures[i], tested.measures[j], listed))
    return tuple(pairs)


def _together(names: list[str]) -> str:
    """Names that differ in their ends only as the paper writes them: A_BL-popularity-{C,E}."""
    if len(names) == 1:
        return names[0]
    alike = (len(set(letters)) == 1 for letters in zip(*names, strict=False))
    start = names[0][: sum(takewhile(bool, alike))]
    return f"{start}{{{','.join(name[len(start) :] for name in names)}}}"
