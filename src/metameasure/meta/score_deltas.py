"""Two runs, topic by topic: do measures agree on which is better, and by how much?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import SAKAI_LQ_2021
from metameasure.errors import UsageError
from metameasure.evidence.distributions import Distributions
from metameasure.meta.data import AnyScores, DataSet, Selection, chosen_runs, data_sets, listed_names
from metameasure.meta.finding import Finding, Floats, all_notes, pairs_of
from metameasure.meta.question import Question
from metameasure.presentable import json_number
from metameasure.statistics.correlation import fisher_interval, pearson
from metameasure.statistics.rank_correlation import TIE

QUESTION = Question(
    id="deltas",
    title="Score deltas of two runs",
    asks="On which topics do measures disagree about which of two runs is better?",
    formula=(
        "delta M(t) = M(run a, t) - M(run b, t), turned so that better is positive\n"
        "wins of a: topics with delta > 0; ties: |delta| <= 1e-12; disagreement: deltas of strictly opposite signs\n"
        "Pearson correlation of two measures' deltas, with the interval tanh(atanh r ± z / sqrt(n - 3))"
    ),
    read=(
        "Two measures that disagree on many topics prefer different kinds of output: look at the topics that differ most. "
        "The paper's deltas are of measures where lower is better, so its signs are the other way round. "
        "Of quantification, --gold, --estimates and --classes show the distributions of those topics too; in Python, "
        "distributions=mm.distributions(gold, runs, classes=...)."
    ),
    source=(SAKAI_LQ_2021.at("Section 5.3, Eq. 10, Table 7, Figures 1 to 3"),),
    several="totals, and correlations over the topics of all data sets",
)
_SHOWN = 5


@dataclass(frozen=True)
class DeltaPair:
    """Two measures: how their deltas go together, and on how many topics they disagree which run is better.

    ``first_prefers_a`` counts the disagreements in which the first measure prefers run a, ``first_prefers_b`` the others.
    """

    first: str
    second: str
    pearson: float
    low: float
    high: float
    first_prefers_a: int
    first_prefers_b: int

    @property
    def disagree(self) -> int:
        return self.first_prefers_a + self.first_prefers_b


@dataclass(frozen=True, eq=False, kw_only=True)
class Deltas(Finding):
    """Differences between two runs (measures, topics), better for run a positive; wins, and how measures go together."""

    repeats_data: ClassVar[bool] = True
    run_a: str
    run_b: str
    topics: tuple[str, ...]
    values: Floats
    pairs: tuple[DeltaPair, ...]
    level: float
    distributions: Distributions | None = None

    def wins(self) -> npt.NDArray[np.int64]:
        """(measures, 3): topics on which a is better, b is better, and ties."""
        a, b = (self.values > TIE).sum(axis=1), (self.values < -TIE).sum(axis=1)
        return np.stack([a, b, self.values.shape[1] - a - b], axis=1)

    def furthest(self, first: str, second: str, number: int = _SHOWN) -> list[dict[str, Any]]:
        """The topics on which two measures' deltas differ most, with every measure's delta; and with the distributions of gold
        and of both runs, where they are at hand."""
        i, j = (self.measures.index(measure) for measure in (first, second))
        apart = self.values[i] - self.values[j]
        order = np.argsort(-np.abs(apart).round(12), kind="stable")[:number]
        return [self._topic(int(place), float(apart[place])) for place in order]

    def _topic(self, place: int, apart: float) -> dict[str, Any]:
        topic = self.topics[place]
        deltas = {measure: json_number(self.values[row, place]) for row, measure in enumerate(self.measures)}
        told: dict[str, Any] = {"topic": topic, "difference": json_number(apart), "deltas": deltas}
        shown = self.distributions
        if shown is not None and topic in shown.topics:
            row = shown.topics.index(topic)
            told |= {"classes": list(shown.scale.labels), "gold": shown.gold[row].tolist()}
            told |= {side: self._estimate(run, row) for side, run in (("a", self.run_a), ("b", self.run_b)) if run in shown.runs}
        return told

    def _estimate(self, run: str, row: int) -> list[float]:
        assert self.distributions is not None  # noqa: S101 - asked for only with them
        estimate: list[float] = self.distributions.estimates[self.distributions.runs.index(run), row].tolist()
        return estimate

    def answer(self) -> dict[str, Any]:
        return {
            "run_a": self.run_a,
            "run_b": self.run_b,
            "topics": len(self.topics),
            "level": self.level,
            "measures": [
                {"id": measure, "a_wins": int(a), "b_wins": int(b), "ties": int(ties)}
                for measure, (a, b, ties) in zip(self.measures, self.wins(), strict=True)
            ],
            "pairs": [
                {
                    "first": pair.first,
                    "second": pair.second,
                    "pearson": json_number(pair.pearson),
                    "low": json_number(pair.low),
                    "high": json_number(pair.high),
                    "disagree": pair.disagree,
                    "first_prefers_a": pair.first_prefers_a,
                    "first_prefers_b": pair.first_prefers_b,
                }
                | ({} if self.data else {"furthest": self.furthest(pair.first, pair.second)})
                for pair in self.pairs
            ],
        }

    def columns(self) -> dict[str, list[Any]]:
        """The deltas of every topic, a column for each measure."""
        return {"topic": list(self.topics)} | {
            measure: row.tolist() for measure, row in zip(self.measures, self.values, strict=True)
        }


def deltas(
    scores: AnyScores,
    run_a: str | None = None,
    run_b: str | None = None,
    *,
    level: float = 0.95,
    distributions: Distributions | Mapping[str, Distributions] | None = None,
    **selection: Unpack[Selection],
) -> Deltas:
    """Per-topic differences between two runs by every measure. Name the runs here, or as ``runs="A,B"``.

    A name may be a pattern that fits one run in each data set, such as ``*_BL-popularity-C``. ``distributions``, the evidence
    that the scores were made from (by data set, where there are several), are shown beside the topics that differ most.
    """
    asked = [run for run in (run_a, run_b) if run is not None] or listed_names(selection.get("runs"))
    if len(set(asked)) != len(asked) or len(asked) not in (0, 2):
        raise UsageError(f"the runs named are {', '.join(asked)}", hint="name two: --runs A,B")
    if not 0 < level < 1:
        raise UsageError(f"the level is {level}", hint="between 0 and 1, as in .95")
    selection["runs"] = asked or None
    data = data_sets(scores, selection)
    parts = [_one(part, _two(part, asked), level, distributions) for part in data]
    if len(parts) == 1:
        return parts[0]
    same = all((part.run_a, part.run_b) == (parts[0].run_a, parts[0].run_b) for part in parts)
    names = (parts[0].run_a, parts[0].run_b) if same else tuple(asked)
    topics = tuple(topic for part in parts for topic in part.topics)
    values = np.concatenate([part.values for part in parts], axis=1)
    pairs = _pairs(data[0].measures, values, level)
    return Deltas(
        name="total",
        measures=data[0].measures,
        run_a=names[0],
        run_b=names[1],
        topics=topics,
        values=values,
        pairs=pairs,
        level=level,
        notes=all_notes(data),
        data=tuple(parts),
    )


def _two(data: DataSet, asked: Sequence[str]) -> tuple[int, int]:
    """The places of the two runs."""
    if not asked and len(data.runs) == 2:
        return 0, 1
    found = [chosen_runs([name], data.runs, data.name) for name in asked]
    if len(found) != 2 or any(len(one) != 1 for one in found) or found[0] == found[1]:
        fitting = ", ".join(run for one in found for run in one)
        raise UsageError(f"{data.name}: two runs are needed, but {fitting or 'none'} given", hint="name two: --runs A,B")
    return data.runs.index(found[0][0]), data.runs.index(found[1][0])


def _one(
    data: DataSet, runs: tuple[int, int], level: float, distributions: Distributions | Mapping[str, Distributions] | None
) -> Deltas:
    oriented = data.oriented()
    values = oriented[:, :, runs[0]] - oriented[:, :, runs[1]]
    return Deltas(
        name=data.name,
        measures=data.measures,
        run_a=data.runs[runs[0]],
        run_b=data.runs[runs[1]],
        topics=data.topics,
        values=values,
        pairs=_pairs(data.measures, values, level),
        level=level,
        notes=data.notes,
        distributions=distributions.get(data.name) if isinstance(distributions, Mapping) else distributions,
    )


def _pairs(measures: Sequence[str], values: Floats, level: float) -> tuple[DeltaPair, ...]:
    told = []
    for i, j in pairs_of(len(measures)):
        one, other = values[i], values[j]
        r = pearson(one, other)
        low, high = fisher_interval(r, len(one), level)
        prefers_a, prefers_b = int(((one > TIE) & (other < -TIE)).sum()), int(((one < -TIE) & (other > TIE)).sum())
        told.append(DeltaPair(measures[i], measures[j], r, low, high, prefers_a, prefers_b))
    return tuple(told)
