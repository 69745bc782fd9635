"""Do two measures rank the runs alike? Kendall's tau between the rankings of every two measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021
from metameasure.errors import UsageError
from metameasure.meta.data import AnyScores, DataSet, Selection, data_sets
from metameasure.meta.finding import Finding, Floats, all_notes, pairs_of
from metameasure.meta.question import Question
from metameasure.presentable import json_table
from metameasure.statistics.groups import complete_linkage
from metameasure.statistics.paired import bootstrap_means
from metameasure.statistics.rank_correlation import TIE, kendall_tau_a
from metameasure.statistics.resampling import percentile_interval

QUESTION = Question(
    id="similarity",
    title="System ranking similarity",
    asks="Do two measures rank the runs alike? Then one of them will do; if not, they see different things.",
    formula=(
        "tau = (C - D) / (m (m - 1) / 2)\n"
        "C, D: pairs of the m runs that the two measures rank the same way and the opposite way, by their means over topics.\n"
        "Means within 1e-12 tie; a tied pair counts for neither (tau-a)."
    ),
    read=(
        "1 is the same ranking, 0 no relation, -1 the reverse. Measures in one group rank alike: every two of them have a "
        "tau of at least .8 (complete linkage). The interval comes from drawing topics with replacement: where it is wide, "
        "there are too few topics to tell."
    ),
    source=(SAKAI_2021.at("Sections 5.1 and 6.1, Tables 2, 5 and 8"),),
    several="the mean tau",
)
Strength = Literal["strong", "fair", "weak"]
ALIKE = 0.8
STRENGTHS = (0.8, 0.6)  # Sakai (2021), Table 2; Tables 5 and 8 have .9 and .8


@dataclass(frozen=True, eq=False, kw_only=True)
class Similarity(Finding):
    """tau between the rankings by every two measures (measures, measures), with bootstrap intervals over topics."""

    tau: Floats
    low: Floats
    high: Floats
    trials: int
    seed: int
    level: float
    threshold: float = ALIKE
    strengths: tuple[float, float] = STRENGTHS

    def groups(self) -> list[tuple[str, ...]]:
        """Measures that rank alike: complete linkage at the threshold, the largest group first."""
        found = complete_linkage(self.tau, self.threshold)
        return [tuple(self.measures[place] for place in group) for group in sorted(found, key=lambda group: (-len(group), group))]

    def group_of(self) -> dict[str, str]:
        """The letter of each measure's group."""
        return {measure: group_letter(place) for place, group in enumerate(self.groups()) for measure in group}

    def strength(self, tau: float) -> Strength:
        """strong, fair or weak, as the papers colour them."""
        strong, fair = self.strengths
        return "strong" if tau >= strong - TIE else "fair" if tau >= fair - TIE else "weak"

    def answer(self) -> dict[str, Any]:
        return {
            "measures": list(self.measures),
            "tau": json_table(self.tau),
            "low": json_table(self.low),
            "high": json_table(self.high),
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
            "groups": [list(group) for group in self.groups()],
        }

    def columns(self) -> dict[str, list[Any]]:
        pairs = pairs_of(len(self.measures))
        first, second = [i for i, _ in pairs], [j for _, j in pairs]
        return {
            "first": [self.measures[i] for i in first],
            "second": [self.measures[j] for j in second],
            "tau": self.tau[first, second].tolist(),
            "low": self.low[first, second].tolist(),
            "high": self.high[first, second].tolist(),
        }


def group_letter(place: int) -> str:
    """A, B, ..., Z, A1, ..."""
    return chr(ord("A") + place % 26) + (str(place // 26) if place >= 26 else "")


def similarity(
    scores: AnyScores,
    *,
    trials: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    threshold: float = ALIKE,
    strengths: tuple[float, float] = STRENGTHS,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Similarity:
    """Kendall's tau-a between the rankings of the runs by every two measures."""
    if trials < 1 or not 0 < level < 1:
        raise UsageError(f"{trials} trials, level {level}", hint="at least one trial, and a level between 0 and 1")
    data = data_sets(scores, selection)
    options: dict[str, Any] = {"trials": trials, "seed": seed, "level": level, "threshold": threshold, "strengths": strengths}
    parts, draws = [], []
    for part in data:
        draws.append(_drawn(part, trials, seed, threads))
        low, high = percentile_interval(draws[-1], level)
        tau = tau_table(part.means())
        parts.append(Similarity(name=part.name, measures=part.measures, tau=tau, low=low, high=high, notes=part.notes, **options))
    if len(parts) == 1:
        return parts[0]
    # Data sets of the same size draw the same topics in the same trial; a shift makes them independent.
    low, high = percentile_interval(np.mean([np.roll(one, shift, axis=0) for shift, one in enumerate(draws)], axis=0), level)
    mean = np.mean([part.tau for part in parts], axis=0)
    return Similarity(
        name="mean", measures=data[0].measures, tau=mean, low=low, high=high, notes=all_notes(data), data=tuple(parts), **options
    )


def tau_table(means: Floats) -> Floats:
    """tau-a between every two rows of (measures, runs). A ranking is like itself, ties or not."""
    table: Floats = kendall_tau_a(means[:, None, :], means[None, :, :])
    np.fill_diagonal(table, 1.0)
    return table


def _drawn(data: DataSet, trials: int, seed: int, threads: int | None) -> Floats:
    """Each trial's tau (trials, measures, measures); topics are drawn the same for all measures. Of one topic, nothing."""
    measures = len(data.measures)
    if len(data.topics) < 2:
        return np.full((trials, measures, measures), np.nan)
    drawn = [bootstrap_means(values, trials, seed, threads=threads) for values in data.oriented()]
    taus = np.ones((trials, measures, measures))
    for i, j in pairs_of(measures):
        taus[:, i, j] = taus[:, j, i] = kendall_tau_a(drawn[i], drawn[j])
    return taus
