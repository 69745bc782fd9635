"""How much of what a set of measures agrees on does one measure capture? Unanimous improvement and coverage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Unpack

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.sources import AMIGO_2020, SAKAI_2021
from metameasure.core.messages import caption, legend, note, say
from metameasure.core.notes import counted, in_a_row
from metameasure.core.numbers import json_number, json_table, number
from metameasure.core.options import Option
from metameasure.core.shared_options import SEED
from metameasure.meta.data import (
    AnyScores,
    Names,
    Selection,
    data_sets,
    leaves_out,
    listed_names,
    measures_of,
    resumable,
    with_scores,
)
from metameasure.meta.finding import Finding, all_notes, json_rows
from metameasure.meta.question import LEAVE_OUT, Question
from metameasure.scores.scores import Scores
from metameasure.show.canvas import Figure
from metameasure.show.rows import Panel, dots
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import TIE, from_best, standard_ranks
from metameasure.statistics.streams import stream
from metameasure.statistics.work import blocks

QUESTION = Question(
    __name__,
    id="coverage",
    title="Coverage of a reference set",
    asks="How much of what a set of measures agrees on does one measure capture?",
    why="An improvement by such a measure comes with an improvement by all measures of the set.",
    formula=(
        "UIR(s, s') = (#{t: s >= s' by every reference measure} - #{t: s' >= s by every one}) / #{t}\n"
        "Cov(m) = Spearman correlation, over ordered pairs (s, s'), of m(s) - m(s') and UIR(s, s')\n"
        ">= allows 1e-12; m(s) is the mean over topics; everything is turned so that higher is better"
    ),
    read=(
        "1: the measure orders pairs of runs as the reference set does when it is unanimous. It depends on the choice of "
        "that set: the range beside each value is what other sets of the same size, drawn from the measures at hand, and "
        "this set without one of its measures would give. A measure that is in the set has an advantage."
    ),
    source=(AMIGO_2020.at("Section 5.1, Table 3"), SAKAI_2021.at("Section 2.1 (the objection)")),
    several="the mean coverage",
    options=(Option("reference", "The reference measures (default: all).", metavar="M,..."), SEED, LEAVE_OUT),
    place=7,
)
_CELLS_AT_ONCE = 2**24
_MOST_SETS = 200
_MOST_IN_A_MATRIX = 12
_MOST_LISTED = 20


@dataclass(frozen=True, eq=False, kw_only=True)
class Coverage(Finding):
    """Coverage of every measure; UIR (runs, runs) of the reference set; and coverage under other reference sets.

    ``others`` (sets, measures) has the coverage under each of ``sets``: other reference sets of the same size, and this one
    with each of its measures left out in turn, which ``without`` has by name.
    """

    caption: ClassVar[str] = QUESTION.title

    reference: tuple[str, ...]
    coverage: Floats
    runs: tuple[str, ...]
    uir: Floats
    sets: tuple[tuple[str, ...], ...]
    others: Floats

    @property
    def without(self) -> dict[str, Floats]:
        """Coverage (measures,) with each reference measure left out."""
        chosen = set(self.reference)
        by_set = {frozenset(other): row for other, row in zip(self.sets, self.others, strict=True)}
        return {left: by_set[rest] for left in self.reference if (rest := frozenset(chosen - {left})) in by_set}

    def ranges(self) -> tuple[Floats, Floats]:
        """The lowest and the highest coverage of each measure over the reference set and the others."""
        all_sets = np.concatenate([self.coverage[None], self.others])
        undefined = np.isnan(all_sets).all(axis=0)
        low, high = (
            np.where(undefined, np.nan, end(np.where(np.isnan(all_sets), other, all_sets), axis=0))
            for end, other in ((np.min, np.inf), (np.max, -np.inf))
        )
        return low, high

    def order(self) -> list[int]:
        """Measures from the highest coverage down."""
        return from_best(self.coverage)

    def best_under(self) -> dict[str, int]:
        """How many of the reference sets, this one included, each measure has the highest coverage under."""
        all_sets = np.nan_to_num(np.concatenate([self.coverage[None], self.others]), nan=-np.inf)
        best = np.isfinite(all_sets) & (all_sets >= all_sets.max(axis=1, keepdims=True) - TIE)
        return {measure: int(count) for measure, count in zip(self.measures, best.sum(axis=0), strict=True)}

    def answer(self) -> dict[str, Any]:
        without = [{left_out: json_number(values[place]) for left_out, values in self.without.items()} for place in self.order()]
        return {
            "reference": list(self.reference),
            "measures": json_rows({**self.columns(), "without": without}),
            "reference_sets": 1 + len(self.sets),
            "runs": list(self.runs),
            "uir": json_table(self.uir),
        }

    def columns(self) -> dict[str, list[Any]]:
        low, high = self.ranges()
        order = self.order()
        return {
            "measure": [self.measures[place] for place in order],
            "coverage": self.coverage[order].tolist(),
            "low": low[order].tolist(),
            "high": high[order].tolist(),
            "best_under": [self.best_under()[self.measures[place]] for place in order],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Amigó et al. (2020), Table 3: coverage of each measure, a column for each data set; and the UIR behind it."""
        low, high = self.ranges()
        best, names = self.best_under(), self.names(format)
        shown = [(block.name if block in (*self.data, *self.left_out) else "coverage", block) for block in self.blocks()]
        headings = ("measure", *(name for name, _ in shown), "lowest", "highest", "best under")
        rows = tuple(
            (
                names[place] + self._star(place),
                *(number(values[place]) for values in (*(block.coverage for _, block in shown), low, high)),
                str(best[self.measures[place]]),
            )
            for place in self.order()
        )
        reference = "Spearman correlation with the unanimous improvement by the reference set (*): {measures}."
        sets = "Lowest, highest, best under: over {sets}, others of this size and this one with a measure left out."
        moved = [
            say("without {measure}: {highest}", measure=left, highest=self._highest(values))
            for left, values in self.without.items()
            if np.isfinite(values).any()
        ]
        left_out = "Highest coverage with a reference measure left out: {moved}."
        with_uir = 0 < len(self.runs) <= _MOST_IN_A_MATRIX
        notes = [
            legend(reference, measures=in_a_row(self.reference)),
            legend(sets, sets=counted(1 + len(self.sets), "reference set")),
            *([note("coverage without one", left_out, moved=in_a_row(moved, "; "))] if moved else []),
        ]
        table = Table(headings, rows, frozenset(headings[1:]), notes=self.below(*notes))
        return [table, self._uir_table() if with_uir else self._uir_pairs()] if self.runs else [table]

    def _star(self, place: int) -> str:
        return " *" if self.measures[place] in self.reference else ""

    def _highest(self, values: Floats) -> str:
        best = int(np.nanargmax(values))
        return say("{other} ({coverage:.3f})", other=self.measures[best], coverage=float(values[best]))

    def _uir_table(self) -> Table:
        rows = tuple((run, *(number(value, 2, sign=True) for value in row)) for run, row in zip(self.runs, self.uir, strict=True))
        return Table(("UIR", *self.runs), rows, frozenset(self.runs))

    def _uir_pairs(self) -> Table:
        """Pairs of runs from the most unanimous improvement down, as far as there is one."""
        first, second = np.nonzero(self.uir > 0)
        order = np.argsort(-self.uir[first, second], kind="stable")
        pairs = [(self.runs[first[place]], self.runs[second[place]], self.uir[first[place], second[place]]) for place in order]
        rows = tuple((better, worse, number(value, 2)) for better, worse, value in pairs[:_MOST_LISTED])
        more = len(pairs) - len(rows)
        notes = (say("... and {more} more pairs: {--format json}.", more=more),) if more else ()
        return Table(("better run", "worse run", "UIR"), rows, frozenset({"UIR"}), notes=notes)

    def draw(self, width: float) -> Figure:
        order = self.order()
        names = [symbol_of(self.measures[place]) + self._star(place) for place in order]

        def one(block: Coverage, title: str) -> Panel:
            low, high = block.ranges()
            return dots(title, block.coverage[order], ends=(low[order], high[order]))

        said = caption("*: in the reference set. Bars: other reference sets.")
        return self.dot_chart("Spearman correlation with UIR", width, one, names=names, notes=[said])


@resumable
@leaves_out
def coverage(scores: AnyScores, *, reference: Names = None, seed: int = 0, **selection: Unpack[Selection]) -> Coverage:
    """Coverage of every measure over a reference set (by default all measures)."""
    data = data_sets(scores, selection)
    measures = measures_of(data)
    chosen = _reference(reference, measures, selection.get("registry") or default_registry())
    sets = _other_sets(chosen, len(measures), seed)
    parts = [_one(name, part, chosen, sets) for name, part in data.items()]
    if len(parts) == 1:
        return parts[0]
    return Coverage(
        name="mean",
        measures=measures,
        reference=parts[0].reference,
        coverage=np.mean([part.coverage for part in parts], axis=0),
        runs=(),
        uir=np.empty((0, 0)),
        sets=parts[0].sets,
        others=np.mean([part.others for part in parts], axis=0),
        notes=all_notes(data),
        data=tuple(parts),
    )


def _reference(reference: Names, measures: Sequence[str], registry: Registry) -> tuple[int, ...]:
    asked = listed_names(reference)
    names = [with_scores(name, measures, registry, "reference measure") for name in asked] or list(measures)
    return tuple(dict.fromkeys(measures.index(name) for name in names))


def _other_sets(chosen: tuple[int, ...], measures: int, seed: int) -> list[tuple[int, ...]]:
    """Other sets of the same size, all of them or so many at random; and the set without each of its measures."""
    size = len(chosen)
    if comb(measures, size) <= _MOST_SETS:
        same_size: Iterable[tuple[int, ...]] = combinations(range(measures), size)
    else:
        rng = stream(seed)
        same_size = (tuple(sorted(rng.choice(measures, size, replace=False).tolist())) for _ in range(_MOST_SETS))
    smaller = [tuple(place for place in chosen if place != left) for left in chosen] if size > 1 else []
    return [other for other in dict.fromkeys([*same_size, *smaller]) if set(other) != set(chosen)]


def _one(name: str, data: Scores, chosen: tuple[int, ...], sets: list[tuple[int, ...]]) -> Coverage:
    means = data.oriented()
    tables = unanimous_improvement(data.oriented_values(), [chosen, *sets])
    off = ~np.eye(len(data.runs), dtype=bool)
    # Spearman's rho, one set at a time: hundreds of runs have too many pairs to hold a product for every set and measure.
    ranks = standard_ranks((means[:, :, None] - means[:, None, :])[:, off])
    covered = np.stack([(ranks * standard_ranks(table[off])).sum(axis=-1) for table in tables])
    names = data.ids
    return Coverage(
        name=name,
        measures=names,
        reference=tuple(names[place] for place in chosen),
        coverage=covered[0],
        runs=data.runs,
        uir=tables[0],
        sets=tuple(tuple(names[place] for place in other) for other in sets),
        others=covered[1:],
        notes=data.left_out,
    )


def unanimous_improvement(values: Floats, sets: Sequence[Sequence[int]]) -> Floats:
    """UIR (sets, runs, runs) of sets of measures, from scores (measures, topics, runs) of which higher is better."""
    measures, topics, runs = values.shape
    total = np.zeros((len(sets), runs, runs), dtype=np.int64)
    for first, some in blocks(topics, measures * runs**2, _CELLS_AT_ONCE):  # comparing all runs then takes little memory
        block = values[:, first : first + some]
        at_least = block[:, :, :, None] >= block[:, :, None, :] - TIE
        for place, chosen in enumerate(sets):
            total[place] += np.logical_and.reduce(at_least[list(chosen)], axis=0).sum(axis=0)
    return np.asarray((total - total.transpose(0, 2, 1)) / topics)
