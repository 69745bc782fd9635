"""Do single topics rank the runs alike by this measure? Robustness across topics or partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from metameasure.catalogue.sources import AMIGO_2020
from metameasure.meta.data import AnyScores, DataSet, Selection, check_topics, data_sets
from metameasure.meta.finding import Finding, Floats, all_notes, from_best
from metameasure.meta.question import Question
from metameasure.presentable import json_number
from metameasure.statistics.rank_correlation import standard_ranks

QUESTION = Question(
    id="robustness",
    title="Robustness across topics",
    asks="Do the scores on one topic order the runs as those on another do?",
    formula=(
        "Rob(m) = mean over unordered pairs of topics (t, t') of the Spearman correlation\n"
        "of m's scores of the runs on t and on t'"
    ),
    read=(
        "1: every topic gives the same ranking. A topic on which all runs score the same has no correlation with any other "
        "and is left out, which is said. Small topics make this low for every measure; compare measures, not data sets."
    ),
    source=(AMIGO_2020.at("Section 5.4"),),
    several="the mean over data sets",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Robustness(Finding):
    """The robustness of each measure, and on how many topics it is undefined because all runs tie."""

    robustness: Floats
    flat: tuple[int, ...]

    def order(self) -> list[int]:
        """Measures from the most robust down."""
        return from_best(self.robustness)

    def answer(self) -> dict[str, Any]:
        return {
            "measures": [
                {"id": self.measures[place], "robustness": json_number(self.robustness[place]), "flat_topics": self.flat[place]}
                for place in self.order()
            ]
        }

    def columns(self) -> dict[str, list[Any]]:
        order = self.order()
        return {
            "measure": [self.measures[place] for place in order],
            "robustness": self.robustness[order].tolist(),
            "flat_topics": [self.flat[place] for place in order],
        }


def robustness(scores: AnyScores, **selection: Unpack[Selection]) -> Robustness:
    """The mean Spearman correlation between the scores of the runs on every two topics, for each measure."""
    data = data_sets(scores, selection)
    check_topics(data, 2, "rankings on two topics are compared")
    parts = [_one(part) for part in data]
    if len(parts) == 1:
        return parts[0]
    return Robustness(
        name="mean",
        measures=data[0].measures,
        robustness=np.mean([part.robustness for part in parts], axis=0),
        flat=tuple(sum(counts) for counts in zip(*(part.flat for part in parts), strict=True)),
        notes=all_notes(data),
        data=tuple(parts),
    )


def _one(data: DataSet) -> Robustness:
    found = [mean_rank_correlation(values) for values in data.values]
    return Robustness(
        name=data.name,
        measures=data.measures,
        robustness=np.array([value for value, _ in found]),
        flat=tuple(flat for _, flat in found),
        notes=data.notes,
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
