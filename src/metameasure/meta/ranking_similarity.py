"""Do two measures rank the runs alike? Kendall's tau, or another rank correlation, between the rankings of every two measures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Unpack, get_args

import numpy as np

from metameasure.catalogue.sources import SAKAI_2021, SPEARMAN_1904, URBANO_2017, WEBBER_2010, YILMAZ_2008
from metameasure.core.choices import RankCorrelation
from metameasure.core.errors import UsageError
from metameasure.core.messages import caption, legend, say
from metameasure.core.numbers import interval, json_table, number
from metameasure.core.options import Option
from metameasure.core.shared_options import SEED, THREADS, TRIALS, VALIDITY
from metameasure.meta.data import AnyScores, Selection, data_sets, leaves_out, measures_of, names_methods, resumable
from metameasure.meta.finding import Cell, Finding, all_notes, pairs_of, triangle, triangle_chart
from metameasure.meta.question import LEAVE_OUT, Question
from metameasure.show.canvas import Figure
from metameasure.show.table import Mark, OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.groups import letter
from metameasure.statistics.mean_intervals import t_reach
from metameasure.statistics.measure_tests import t_of_pairs
from metameasure.statistics.paired import bootstrap_means
from metameasure.statistics.pieces import kept
from metameasure.statistics.rank_correlation import (
    PERSISTENCE,
    TIE,
    ap_correlation,
    are_taus,
    kendall_tau_a,
    rank_biased_overlap,
    spearman,
)
from metameasure.statistics.resampling import percentile_interval

ALIKE = 0.8
CORRELATIONS: dict[RankCorrelation, str] = {
    "tau": "Kendall's tau (tau-a)",
    "tau_ap": "AP correlation (tau_AP, the mean of both directions), to which the first ranks matter most,",
    "rbo": f"Rank-biased overlap (persistence {PERSISTENCE:g}), from 0 to 1, to which the first ranks matter most,",
    "spearman": "Spearman's rho",
}
_OTHERS = {"tau_ap": ap_correlation, "rbo": rank_biased_overlap, "spearman": spearman}
STRENGTHS = (0.8, 0.6)  # Sakai (2021), Table 2; Tables 5 and 8 have .9 and .8


def two_cuts(text: str) -> tuple[float, float]:
    """Where colours change, as a user writes it: .8,.6."""
    try:
        strong, fair = map(float, text.split(","))
    except ValueError:
        strong = fair = math.nan
    if not -1 <= fair <= strong <= 1:
        raise UsageError(say("{--colours} is '{text}'", text=text), hint="two numbers, the higher first, as in .8,.6")
    return strong, fair


GROUP_AT = Option("group-at", "The lowest tau between measures of one group.", float, argument="threshold")
CORRELATION = Option(
    "correlation", "How alike two rankings are: tau_ap and rbo look at the best runs first.", choices=get_args(RankCorrelation)
)
QUESTION = Question(
    __name__,
    id="similarity",
    title="System ranking similarity",
    asks="Do two measures rank the runs alike?",
    why="Then one of them will do; if not, they see different things.",
    formula=(
        "tau = (C - D) / (m (m - 1) / 2)\n"
        "C, D: pairs of the m runs that the two measures rank the same way and the opposite way, by their means over topics.\n"
        "Means within 1e-12 tie; a tied pair counts for neither (tau-a).\n"
        "tau_ap = 2 / (m - 1) * (sum over all but the first of the share of those above that belong there) - 1, the mean of both "
        "directions\n"
        "rbo = (1 - p) * (sum over depths d of p^(d - 1) * the share of the first d that are the same), p = .9\n"
        "spearman: the correlation of the ranks, tied runs sharing the mean of theirs. For tau_ap and rbo ties are broken "
        "at random, in expectation."
    ),
    read=(
        "1 is the same ranking, 0 no relation, -1 the reverse. Measures in one group rank alike: every two of them have a "
        "tau of at least .8 (complete linkage). Where the interval is wide, there are too few topics to tell. It comes from "
        "drawing topics with replacement. Runs that change places by chance pull tau towards 0, so the interval is wide on "
        "purpose. Its lower end is the smaller of the draws' lower quantile and of 2 tau less their upper quantile. Its upper "
        "end is the largest of their upper quantile, of 2 tau less their lower one, and of the tau that remains possible: 1 less "
        "twice the share of pairs of runs that the two measures order oppositely, each significantly (t test). tau_ap and rbo "
        "look at the best runs first: choose one of them where only the top matters. They and rho have no intervals."
    ),
    source=(SAKAI_2021.at("Sections 5.1 and 6.1, Tables 2, 5 and 8"), YILMAZ_2008, URBANO_2017, WEBBER_2010, SPEARMAN_1904),
    several="the mean tau",
    options=(
        replace(TRIALS, help="Bootstrap draws for the intervals."),
        SEED,
        THREADS,
        CORRELATION,
        GROUP_AT,
        Option("colours", "The lowest tau of blue cells, and of sand-coloured ones.", two_cuts, "T,T", argument="strengths"),
        VALIDITY,
        LEAVE_OUT,
    ),
    place=1,
)
_FEW = 6


@dataclass(frozen=True, eq=False, kw_only=True)
class Similarity(Finding):
    """tau between the rankings by every two measures (measures, measures), with bootstrap intervals over topics."""

    caption: ClassVar[str] = QUESTION.title

    values: Floats
    """The correlation between every two measures."""
    low: Floats
    high: Floats
    trials: int
    seed: int
    level: float
    threshold: float = ALIKE
    strengths: tuple[float, float] = STRENGTHS
    correlation: RankCorrelation = "tau"

    @property
    def tau(self) -> Floats:
        """Kendall's tau between every two measures. UsageError where another correlation was asked for."""
        if self.correlation != "tau":
            raise UsageError(
                say("this is {correlation}, not tau", correlation=self.correlation), hint="its numbers are in values"
            )
        return self.values

    @property
    def validity(self) -> dict[str, str]:
        return {"interval": "interval/meta/similarity"} if len(self.measures) > 1 and self.correlation == "tau" else {}

    def groups(self) -> list[tuple[str, ...]]:
        """Measures that rank alike: complete linkage at the threshold, the largest group first."""
        return self.grouped(self.values, self.threshold)

    def group_of(self) -> dict[str, str]:
        """The letter of each measure's group."""
        return {measure: letter(place).upper() for place, group in enumerate(self.groups()) for measure in group}

    def tau_between(self, first: str, second: str) -> float:
        """The tau between the rankings by two of the measures."""
        return float(self.tau[self.measures.index(first), self.measures.index(second)])

    def strength(self, tau: float) -> Mark:
        """strong, fair or weak, as the papers colour them."""
        strong, fair = self.strengths
        return "strong" if tau >= strong - TIE else "fair" if tau >= fair - TIE else "weak"

    def answer(self) -> dict[str, Any]:
        return {
            "measures": list(self.measures),
            "correlation": self.correlation,
            self.correlation: json_table(self.values),
            "low": json_table(self.low),
            "high": json_table(self.high),
            "level": self.level,
            "trials": self.trials,
            "seed": self.seed,
            "groups": [list(group) for group in self.groups()],
        }

    def columns(self) -> dict[str, list[Any]]:
        first, second = (list(places) for places in np.triu_indices(len(self.measures), 1))
        return {
            "first": [self.measures[i] for i in first],
            "second": [self.measures[j] for j in second],
            self.correlation: self.values[first, second].tolist(),
            "low": self.low[first, second].tolist(),
            "high": self.high[first, second].tolist(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (2021), Tables 2, 5 and 8, with intervals where there is room."""
        roomy = len(self.measures) <= _FEW and not format.paper

        def cell(block: Similarity, i: int, j: int) -> Cell:
            tau, low, high = (matrix[i, j] for matrix in (block.values, block.low, block.high))
            ends = f" {interval(low, high, 2)}" if roomy and not math.isnan(low) else ""
            return f"{number(tau)}{ends}", block.strength(tau), False

        strong, fair = self.strengths
        at_least = "≥" if format.paper else ">="
        called = dict(zip(self.measures, self.names(format), strict=True))
        sets = [", ".join(called[measure] for measure in group) for group in self.groups()]
        groups = ", ".join(f"{letter(place).upper()} = {{{one}}}" for place, one in enumerate(sets))
        drawn = "[ ]: {level:g%} bootstrap interval over topics (conservative), {trials} draws, seed {seed}."
        at = f"Groups at {self._what} {at_least} {{threshold:g}}: {{groups}}."
        elsewhere = say("Bootstrap intervals over topics ({level:g%}): {--format csv} or json.", level=self.level)
        ends = legend(drawn, level=self.level, trials=self.trials, seed=self.seed) if roomy else elsewhere
        notes = [
            legend("{what} between the rankings of the runs by every two measures.", what=CORRELATIONS[self.correlation]),
            *([ends] if self.correlation == "tau" else []),
            legend(at, threshold=self.threshold, groups=groups),
        ]
        colours = f"{self.correlation} {at_least} {strong:g} ({{strong}}), {at_least} {fair:g}, below ({{weak}})."
        return [triangle(self, format, cell, notes, colours)]

    @property
    def _what(self) -> str:
        return f"mean {self.correlation}" if self.data else self.correlation

    def draw(self, width: float) -> Figure:
        what = caption("{what} between the rankings by two measures.", what=CORRELATIONS[self.correlation])
        lines = "Lines separate groups of measures that rank alike ({tau} at least {threshold:g})."
        alike = caption(lines, tau=self._what, threshold=self.threshold)
        return triangle_chart(self, width, lambda block: block.values, partial(number, usual=2), what, self.groups(), alike)


@names_methods
@resumable
@leaves_out
def similarity(
    scores: AnyScores,
    *,
    trials: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    threshold: float = ALIKE,
    strengths: tuple[float, float] = STRENGTHS,
    correlation: RankCorrelation = "tau",
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Similarity:
    """Kendall's tau-a, or another rank correlation, between the rankings of the runs by every two measures."""
    if not -1 <= threshold <= 1:
        raise UsageError(f"measures cannot be grouped at a tau of {threshold:g}", hint="choose a tau between -1 and 1")
    data = data_sets(scores, selection)
    measures, values = measures_of(data), [part.oriented_values() for part in data.values()]
    shared: dict[str, Any] = {
        "measures": measures, "trials": trials, "seed": seed, "level": level, "threshold": threshold, "strengths": strengths,
        "correlation": correlation,
    }  # fmt: skip
    if correlation != "tau":
        return _by_another(data, correlation, shared)
    fits = partial(are_taus, shape=(trials, len(measures), len(measures)))
    draws = [kept(partial(_drawn, one, trials, seed, threads), _drawn, one, trials, seed, fits=fits) for one in values]

    def found(name: str, tau: Floats, drawn: Floats, most: Floats, **more: Any) -> Similarity:
        low, high = tau_interval(tau, drawn, most, level)
        return Similarity(name=name, values=tau, low=low, high=high, **shared, **more)

    most = [_most(one, level) for one in values]
    parts = [
        found(name, tau_table(part.oriented()), *seen, notes=part.left_out)
        for (name, part), *seen in zip(data.items(), draws, most, strict=True)
    ]
    if len(parts) == 1:
        return parts[0]
    mean = np.mean([part.values for part in parts], axis=0)
    # Data sets of the same size draw the same topics in the same trial; a shift makes them independent.
    drawn = np.mean([np.roll(one, shift, axis=0) for shift, one in enumerate(draws)], axis=0)
    return found("mean", mean, drawn, np.mean(most, axis=0), notes=all_notes(data), data=tuple(parts))


def _by_another(data: Mapping[str, Any], correlation: RankCorrelation, shared: Mapping[str, Any]) -> Similarity:
    """The same by another correlation, without intervals: none is known to hold."""
    unknown = np.full((len(shared["measures"]), len(shared["measures"])), np.nan)

    def found(name: str, values: Floats, **more: Any) -> Similarity:
        return Similarity(name=name, values=values, low=unknown, high=unknown, **shared, **more)

    parts = [found(name, _table(part.oriented(), correlation), notes=part.left_out) for name, part in data.items()]
    if len(parts) == 1:
        return parts[0]
    return found("mean", np.mean([part.values for part in parts], axis=0), notes=all_notes(data), data=tuple(parts))


def _table(means: Floats, correlation: RankCorrelation) -> Floats:
    table = np.ones((len(means), len(means)))
    for i, j in pairs_of(len(means)):
        table[i, j] = table[j, i] = _OTHERS[correlation](means[i], means[j])
    return table


def tau_table(means: Floats) -> Floats:
    """tau-a between every two rows of (measures, runs). A ranking is like itself, ties or not."""
    table: Floats = kendall_tau_a(means[:, None, :], means[None, :, :])
    np.fill_diagonal(table, 1.0)
    return table


def tau_interval(tau: Floats, drawn: Floats, most: Floats, level: float) -> tuple[Floats, Floats]:
    """An interval about tau, from the taus of draws (trials, ...) and the largest tau that pairs of runs leave possible.

    Noise makes runs change places, which pulls tau, and its draws even more, towards 0. So the draws' quantiles are taken as they
    are and mirrored at tau, whichever reaches further: conservative, and it holds its estimate.
    """
    low, high = percentile_interval(drawn, level)
    lower, upper = np.fmin(low, 2 * tau - high), np.fmax(np.fmax(high, 2 * tau - low), np.where(np.isnan(high), np.nan, most))
    return np.maximum(-1.0, lower), np.minimum(1.0, upper)


def _most(scores: Floats, level: float) -> Floats:
    """(measures, measures): 1 less twice the share of pairs of runs that two measures order oppositely, both significantly."""
    if scores.shape[1] < 2:
        return np.ones((len(scores), len(scores)))
    first, second = np.triu_indices(scores.shape[2], 1)
    t = np.array([t_of_pairs(matrix[:, first] - matrix[:, second]) for matrix in scores])
    sure = np.where(np.abs(t) > t_reach(scores.shape[1] - 1, level), np.sign(t), 0.0)
    return np.asarray(1 - 2 * (sure[:, None] * sure < 0).mean(axis=-1))


def _drawn(scores: Floats, trials: int, seed: int, threads: int | None) -> Floats:
    """Each trial's tau (trials, measures, measures); topics are drawn the same for all measures. Of one topic, nothing."""
    measures, topics, _ = scores.shape
    if topics < 2:
        return np.full((trials, measures, measures), np.nan)
    drawn = [bootstrap_means(values, trials, seed, threads=threads) for values in scores]
    taus = np.ones((trials, measures, measures))
    for i, j in pairs_of(measures):
        taus[:, i, j] = taus[:, j, i] = kendall_tau_a(drawn[i], drawn[j])
    return taus
