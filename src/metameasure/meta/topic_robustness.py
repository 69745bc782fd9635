"""Do single topics rank the runs alike by this measure? Robustness across topics or partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.sources import AMIGO_2020
from metameasure.core.messages import legend, say
from metameasure.core.notes import in_a_row
from metameasure.core.numbers import number
from metameasure.meta.data import AnyScores, Selection, check_topics, data_sets, leaves_out, measures_of, resumable
from metameasure.meta.finding import Finding, all_notes, json_rows
from metameasure.meta.question import LEAVE_OUT, Question
from metameasure.scores.scores import Scores
from metameasure.show.canvas import Figure
from metameasure.show.rows import dots
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.rank_correlation import from_best, standard_ranks

QUESTION = Question(
    __name__,
    id="robustness",
    title="Robustness across topics",
    asks="Do single topics rank the runs alike?",
    why="If the scores on one topic order the runs as those on another do, a few topics will do.",
    formula=(
        "Rob(m) = mean over unordered pairs of topics (t, t') of the Spearman correlation\n"
        "of m's scores of the runs on t and on t'"
    ),
    read=(
        "1: every topic gives the same ranking. A topic on which all runs score the same has no correlation with any other "
        "and is left out; a note says so. Small topics make this low for every measure; compare measures, not data sets."
    ),
    source=(AMIGO_2020.at("Section 5.4"),),
    several="the mean over data sets",
    options=(LEAVE_OUT,),
    place=8,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Robustness(Finding):
    """The robustness of each measure, and on how many topics it is undefined because all runs tie."""

    caption: ClassVar[str] = QUESTION.title

    robustness: Floats
    flat: tuple[int, ...]

    def order(self) -> list[int]:
        """Measures from the most robust down."""
        return from_best(self.robustness)

    def answer(self) -> dict[str, Any]:
        return {"measures": json_rows(self.columns())}

    def columns(self) -> dict[str, list[Any]]:
        order = self.order()
        return {
            "measure": [self.measures[place] for place in order],
            "robustness": self.robustness[order].tolist(),
            "flat_topics": [self.flat[place] for place in order],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Measures from the most robust down, a column for each data set."""
        headings = ("measure", *(self.title_of(block, "robustness") for block in self.blocks()))
        names = self.names(format)
        rows = [(names[place], *(number(block.robustness[place]) for block in self.blocks())) for place in self.order()]
        notes = [legend("Mean Spearman correlation between the scores of the runs on every two topics.")]
        if any(self.flat):
            flat = [
                say("{measure} {topics}", measure=measure, topics=count)
                for measure, count in zip(self.measures, self.flat, strict=True)
                if count
            ]
            notes.append(legend("Topics left out because all runs tie: {measures}.", measures=in_a_row(flat)))
        return [Table(headings, tuple(rows), frozenset(headings[1:]), notes=self.below(*notes))]

    def draw(self, width: float) -> Figure:
        order = self.order()
        names = [symbol_of(self.measures[place]) for place in order]
        axis = "mean Spearman correlation between topics"
        return self.dot_chart(axis, width, lambda block, title: dots(title, block.robustness[order]), names=names)


@resumable
@leaves_out
def robustness(scores: AnyScores, **selection: Unpack[Selection]) -> Robustness:
    """The mean Spearman correlation between the scores of the runs on every two topics, for each measure."""
    data = data_sets(scores, selection)
    check_topics(data, 2, "a comparison of the rankings on two topics")
    parts = [_one(name, part) for name, part in data.items()]
    if len(parts) == 1:
        return parts[0]
    return Robustness(
        name="mean",
        measures=measures_of(data),
        robustness=np.mean([part.robustness for part in parts], axis=0),
        flat=tuple(sum(counts) for counts in zip(*(part.flat for part in parts), strict=True)),
        notes=all_notes(data),
        data=tuple(parts),
    )


def _one(name: str, data: Scores) -> Robustness:
    correlations = [mean_rank_correlation(values) for values in data.values]
    return Robustness(
        name=name,
        measures=data.ids,
        robustness=np.array([value for value, _ in correlations]),
        flat=tuple(flat for _, flat in correlations),
        notes=data.left_out,
    )


def mean_rank_correlation(scores: Floats) -> tuple[float, int]:
    """The mean Spearman correlation of every two rows (topics, runs), and how many rows have none; NaN under two rows.

    With ranks z_t of length 1, the sum over pairs of z_t z_u is (|sum of z_t|² - number of topics) / 2.
    """
    ranks = standard_ranks(scores)
    flat = np.isnan(ranks).any(axis=1)
    ranks, number = ranks[~flat], int((~flat).sum())
    if number < 2:
        return math.nan, int(flat.sum())
    total = float((ranks.sum(axis=0) ** 2).sum())
    return (total - number) / (number * (number - 1)), int(flat.sum())
