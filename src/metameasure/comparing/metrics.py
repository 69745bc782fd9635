"""Metrics compared by how they judge systems beside people: PERM-BOTH and Williams' test between every two, and the ranks that
follow, on one data set or averaged over several, of language pairs and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, cast, get_args

import numpy as np

from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking.pairwise_accuracy import calibrate_ties
from metameasure.catalogue.ranking.systems import at_level
from metameasure.comparing.comparison import Comparison
from metameasure.comparing.table import values_table
from metameasure.core.choices import MetricTest, Test
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import Message, note, say, warn
from metameasure.core.notes import counted, grouped, in_a_row, listed
from metameasure.core.numbers import json_number
from metameasure.evidence.base import Evidence
from metameasure.scores.run_names import place_of
from metameasure.scores.segments import is_free
from metameasure.scores.system_intervals import system_intervals
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats, mean_of_defined
from metameasure.statistics.metric_tests import (
    MOST_EXACT,
    over_data_sets,
    rank_clusters,
    share_as_high,
    swapped_differences,
    williams_test,
)
from metameasure.statistics.rank_correlation import from_best
from metameasure.tasks.option_groups import TestOptions

METRIC_TESTS = {"perm-both": "PERM-BOTH, scores of cells swapped between metrics", "williams": "Williams' test"}
AVERAGE = "average"
"""What the measure of several data sets is called."""
_WILLIAMS = "pearson"
_ABOUT_P = (
    "metrics judge {systems} on {segments}; p-values are one-sided, for the better metric of each pair, and not corrected for "
    "their number: where neither was expected to be better, halve alpha"
)
_LIMIT = (
    "PERM-BOTH holds where the errors of metrics are independent from cell to cell; of metrics that favour whole systems it "
    "calls one better too often (in 8% to 17% of the cases instead of 5%)"
)
_LIMIT_OF_LEVELS = (
    "scores of systems and of segments are swapped apart, as at WMT, though they are of the same systems: by their average a "
    "metric is called better too often (about 9% instead of 5%)"
)
_ABOUT_RANKS = "ranks (a metric gets a lower one where any metric of the rank before is better): {ranks}"
_ABOUT_AVERAGE = (
    "the average is over {sets}, each brought to 0 at the low end of its measure's range and to 1 at the high end{weighed}; "
    "p-values are one-sided, for the better metric of each pair, and not corrected for their number"
)


@dataclass(frozen=True, eq=False)
class MetricComparison(Comparison):
    """Metrics from best to worst. ``p`` is one-sided: that the better of two is no better. ``clusters`` are their ranks: a new
    one starts where any metric of the one before is better."""

    caption: ClassVar[str] = "Comparison of the metrics"
    name: str = field(default="", kw_only=True)
    """The data set, where there are several."""

    def how(self) -> Message:
        test: str = self.test
        words = METRIC_TESTS[test]
        if test == "williams":
            return say(words)
        return say(f"{words}, exact") if self.exact else say(f"{words}, with B = {{trials}} trials", trials=self.trials)

    def to_dict(self) -> dict[str, Any]:
        named = {"name": self.name} if self.name else {}
        return {**named, **super().to_dict(), "clusters": list(self.clusters)}


@dataclass(frozen=True, eq=False)
class AverageComparison(MetricComparison):
    """Metrics by the average over several data sets, all of which they are in: ``data`` are the comparisons on each, with these
    weights."""

    data: tuple[MetricComparison, ...] = field(default=(), kw_only=True)
    weights: Floats = field(default_factory=lambda: np.zeros(0), kw_only=True)
    by_measure: tuple[MetricComparison, ...] = field(default=(), kw_only=True)
    """The averages by each measure, where there are several."""

    def to_dict(self) -> dict[str, Any]:
        measures = {"measures": [one.to_dict() for one in self.by_measure]} if self.by_measure else {}
        return {
            **super().to_dict(),
            "weights": [json_number(weight) for weight in self.weights],
            **measures,
            "data": [one.to_dict() for one in self.data],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        parts = [(one.name, one.runs, one.means, one.clusters) for one in self.data]
        return [*super().tables(format), values_table(self.runs, parts, "metric")]


@dataclass(frozen=True, eq=False)
class Judged:
    """What metrics and people say of systems, a data set, and the measure that says how far they agree. ``seed`` is that of the
    swaps: measures of the same scores have the same ones. ``source`` is the language pair."""

    name: str
    source: str
    measure: Measure
    runs: tuple[str, ...]
    scores: Floats
    gold: Floats
    notes: tuple[str, ...]
    seed: int
    memory: dict[tuple[str, str, bool], tuple[float, Floats, bool]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, evidence: Evidence, measure: Measure, settings: dict[str, Any], *, name: str = "", source: str = "", seed: int = 0
    ) -> Judged:
        """UsageError where metrics cannot be compared by the measure, DataError where a metric lacks a score."""
        if dict(evidence.settings).get("compat") == "mtme" and measure.base == "spa" and measure.argument is None:
            measure = measure.with_options(compat="mtme")
        (runs, scores), gold = _complete(evidence, settings.get("leave_out") or ())
        return cls(name, source, measure, tuple(runs), scores, gold, evidence.notes, seed)

    @cached_property
    def values(self) -> dict[str, float]:
        """How far each metric agrees with people; DataError where that is undefined."""
        found = dict(zip(self.runs, self.statistic(self.scores).tolist(), strict=True))
        undefined = [run for run, value in found.items() if np.isnan(value)]
        if undefined:
            said = "{measure} of {runs} is undefined: {why}"
            what = say(said, measure=self.measure.id, runs=listed(undefined, "and"), why=self._why())
            raise DataError(what, hint="leave the metric out, or choose another measure")
        return found

    def _why(self) -> str:
        if not self.measure.of_all:
            return "no segment has a pair of systems"
        reasons = self.measure.why_undefined(self.scores, np.broadcast_to(self.gold, self.scores.shape))
        return next((reason for reason, holds in reasons.items() if np.any(np.asarray(holds))), "it has no value")

    def statistic(self, metrics: Floats) -> Floats:
        """The measure (...) of metrics (..., systems, segments): of all segments together, or the mean over segments."""
        if self.measure.of_all:
            return np.asarray(self.measure(metrics, np.broadcast_to(self.gold, metrics.shape)), dtype=float)
        ranks, human = -np.swapaxes(metrics, -1, -2), -self.gold.T
        if is_free(self.measure):
            return np.array([calibrate_ties(one, human).accuracy for one in ranks])
        each = np.asarray(self.measure(ranks, np.broadcast_to(human, ranks.shape)), dtype=float)
        return mean_of_defined(each, -1)

    @property
    def range(self) -> tuple[float, float]:
        return self.measure.known_range(None)

    @property
    def cells(self) -> int:
        return int((~np.isnan(self.gold)).sum())

    @property
    def systems(self) -> int:
        return int((~np.isnan(self.gold)).any(axis=1).sum())

    def swapped(self, one: str, other: str, trials: int, *, drawn: bool = False) -> tuple[float, Floats, bool]:
        """How much better one metric is than another, the same after swaps, and whether these are all that there are."""
        drawn = drawn or self.cells > MOST_EXACT
        if (other, one, drawn) in self.memory:
            observed, found, exact = self.memory[other, one, drawn]
            return -observed, -found, exact
        if (one, other, drawn) not in self.memory:
            first, second = (self.scores[self.runs.index(run)] for run in (one, other))
            found_so = swapped_differences(first, second, self.gold, self.statistic, trials, self.seed, drawn=drawn)
            self.memory[one, other, drawn] = found_so
        return self.memory[one, other, drawn]

    def williams(self, one: str, other: str) -> float:
        """Williams' one-sided p-value that the first metric is no better."""
        level = self.measure.id.partition("@")[2]
        first, second = (self.scores[self.runs.index(run)] for run in (one, other))
        known = [np.where(np.isnan(self.gold), np.nan, side) for side in (first, second)]
        number = int(np.asarray(at_level(first[None], self.gold[None], level)[2]).sum())
        return williams_test(self.values[one], self.values[other], float(self.measure(*known)), number)[1]


def compare_metrics(evidence: Evidence, measure: Measure, settings: dict[str, Any]) -> MetricComparison:
    """The runs of the evidence, which are metrics, by a measure of all its segments together."""
    _test_of(measure, settings)
    return compared_on(Judged.of(evidence, measure, settings, seed=_told(settings).seed), settings, measure.id)


def compared_on(judged: Judged, settings: dict[str, Any], measure: str) -> MetricComparison:
    """The metrics on one data set, by the measure that goes by this name."""
    test, told = _test_of(judged.measure, settings), _told(settings)
    runs = _from_best(judged.values)
    p, exact = np.eye(len(runs)), True
    for one, other in combinations(range(len(runs)), 2):
        if test == "williams":
            found = judged.williams(runs[one], runs[other])
        else:
            observed, drawn, exact = judged.swapped(runs[one], runs[other], told.trials)
            found = share_as_high(observed, drawn, exact=exact)
        p[one, other] = p[other, one] = found
    scores = judged.scores[[judged.runs.index(run) for run in runs]]
    low, high = system_intervals(judged.measure, scores, judged.gold, told.level)
    clusters = _clusters(p, told.alpha)
    least = 0.0 if test == "williams" else 2.0**-judged.cells if exact else 1 / (told.trials + 1)
    about = note("metrics", _ABOUT_P, systems=counted(judged.systems, "system"),
                 segments=counted(judged.gold.shape[1], "segment"))  # fmt: skip
    return MetricComparison(
        measure=measure, better="higher", test=cast("Test", test), correction="none", trials=told.trials, seed=told.seed,
        alpha=told.alpha, topics=judged.cells, runs=runs, means=np.array([judged.values[run] for run in runs]), low=low,
        high=high, p=p, effect_size=np.full(p.shape, np.nan), residual_variance=np.nan, level=told.level,
        notes=(*judged.notes, about, *_said(runs, clusters, p, test)), unit="cells", units="items",
        exact=exact or test == "williams", smallest_p=least, least_p=least, clusters=clusters, name=judged.name,
        validity={"p": f"test/metrics/{test}", "interval": "interval/systems/fisher"},
    )  # fmt: skip


def compare_average(
    sets: Sequence[Judged], weights: Sequence[float] | None, settings: dict[str, Any], names: Sequence[str]
) -> AverageComparison:
    """The metrics that all data sets have, by the average over these, whose measures go by these names."""
    if settings.get("test") == "williams":
        raise UsageError("Williams' test is of one data set, and these are several", hint=say("choose {--test perm-both}"))
    told, share = _told(settings), _shares(weights, sets)
    runs = [run for run in sets[0].runs if all(run in one.runs for one in sets)]
    others = sorted({run for one in sets for run in one.runs} - {*runs})
    if len(runs) < 2:
        hint = "choose language pairs and measures that they share"
        raise DataError(say("fewer than two metrics have scores in all {sets}", sets=_counted(sets)), hint=hint)
    spans = [one.range for one in sets]
    averages = over_data_sets([[one.values[run] for run in runs] for one in sets], spans, share)
    ordered = _from_best(dict(zip(runs, averages.tolist(), strict=True)))
    widths = np.array([high - low for low, high in spans])
    p = np.eye(len(ordered))
    for one, other in combinations(range(len(ordered)), 2):
        swaps = [judged.swapped(ordered[one], ordered[other], told.trials, drawn=True) for judged in sets]
        observed = float(sum(weight * found for weight, (found, _, _) in zip(share / widths, swaps, strict=True)))
        drawn = sum(weight * draws for weight, (_, draws, _) in zip(share / widths, swaps, strict=True))
        p[one, other] = p[other, one] = share_as_high(observed, np.asarray(drawn), exact=False)
    clusters = _clusters(p, told.alpha)
    parts = tuple(compared_on(one, settings, name) for one, name in zip(sets, names, strict=True))
    nothing = np.full(len(ordered), np.nan)
    least = 1 / (told.trials + 1)
    return AverageComparison(
        measure=AVERAGE, better="higher", test=cast("Test", "perm-both"), correction="none", trials=told.trials, seed=told.seed,
        alpha=told.alpha, topics=len(sets), runs=ordered, means=averages[[runs.index(run) for run in ordered]], low=nothing,
        high=nothing, p=p, effect_size=np.full(p.shape, np.nan), residual_variance=np.nan, level=told.level,
        notes=tuple(_said_of_average(sets, share, others, ordered, clusters, p)), unit="data sets", units="items",
        smallest_p=least, least_p=least, clusters=clusters, data=parts, weights=share, validity={"p": "test/metrics/perm-both"},
    )  # fmt: skip


def _told(settings: dict[str, Any]) -> TestOptions:
    known = ("trials", "seed", "alpha", "level")
    return TestOptions(**{name: settings[name] for name in known if settings.get(name) is not None})


def _from_best(values: dict[str, float]) -> tuple[str, ...]:
    runs = [*values]
    return tuple(runs[place] for place in from_best(np.array([*values.values()])))


def _clusters(p: Floats, alpha: float) -> tuple[int, ...]:
    return tuple(rank_clusters(np.where(np.isnan(p), 1.0, p), alpha))


def _shares(weights: Sequence[float] | None, sets: Sequence[Judged]) -> Floats:
    """The weights of the data sets, which add up to 1. UsageError where they are not one for each."""
    if not weights:
        return np.full(len(sets), 1 / len(sets))
    if len(weights) != len(sets):
        names = in_a_row([one.name for one in sets])
        what = f"{counted(len(weights), 'weight')} for {_counted(sets)}"
        raise UsageError(what, hint=say("give one for each, in this order: {names}", names=names))
    if min(weights) < 0 or not 0 < sum(weights) < np.inf:
        raise UsageError("weights are numbers from 0 up, not all of them 0", hint=say("as in {--weights 3,1,1}"))
    return np.asarray(weights, dtype=float) / sum(weights)


def _counted(sets: Sequence[Judged]) -> str:
    return counted(len(sets), "data set")


def _is_of_pairs(measure: Measure) -> bool:
    """Whether it is a mean over segments of what becomes of their pairs of systems, by the order of scores alone."""
    return measure.evidence is not None and measure.evidence.adds and measure.reads in (Reads.RANKS, Reads.PREDICTED_SCORES)


def _test_of(measure: Measure, settings: dict[str, Any]) -> MetricTest:
    asked = settings.get("test")
    if asked not in (None, *get_args(MetricTest)):
        raise UsageError(
            say("{measure} is of all segments together, and {test} is a test over segments", measure=measure.id, test=asked),
            hint=say("choose {--test perm-both}"),
        )
    if not measure.of_all and not _is_of_pairs(measure):
        raise UsageError(
            say("{test} compares metrics by how they order systems, and {measure} is of lists", test=asked, measure=measure.id),
            hint="choose spa, pairwise_accuracy, or pearson@system, pearson@segment or pearson@item",
        )
    if asked == "williams" and (measure.base != _WILLIAMS or measure.id.endswith("item")):
        raise UsageError(
            say("Williams' test is of Pearson's correlation, not of {measure}", measure=measure.id),
            hint=say("choose pearson@system or pearson@segment, or {--test perm-both}"),
        )
    usual = {"correction": "none", "units": "items"}
    for name in ("against", "correction", "simultaneous", "units"):
        if settings.get(name) and settings[name] != usual.get(name):
            raise UsageError(f"{name.replace('_', ' ')} is not for tests between metrics", hint="leave it out")
    return cast("MetricTest", asked or "perm-both")


def _complete(evidence: Evidence, leave_out: Sequence[str]) -> tuple[tuple[list[str], Floats], Floats]:
    """The metrics that are compared, with their scores, and people's; DataError where a metric lacks a cell of people's."""
    judged = evidence.by_system()
    if judged is None:
        raise UsageError("metrics are compared by how they score systems beside people", hint=say("choose {--task ranking}"))
    scores, gold = judged
    left = {place_of(name, evidence.runs) for name in leave_out}
    kept = [run for run in range(len(evidence.runs)) if run not in left]
    if len(kept) < 2:
        raise UsageError("there is one metric, and nothing to compare it with", hint="name two or more")
    for run in kept:
        lacking = int((np.isnan(scores[run]) & ~np.isnan(gold)).sum())
        if lacking:
            raise DataError(
                say("{run} has no score for {cells} that people scored", run=evidence.runs[run], cells=counted(lacking, "cell")),
                hint="give every metric a score for each system and segment",
            )
    return ([evidence.runs[run] for run in kept], scores[kept]), gold


def _said(runs: Sequence[str], clusters: Sequence[int], p: Floats, test: MetricTest) -> list[Message]:
    by_rank = grouped(zip(clusters, runs, strict=True))
    ranks = [say("{rank}: {runs}", rank=rank, runs=listed(alike, "and")) for rank, alike in by_rank.items()]
    said = [note("ranks of metrics", _ABOUT_RANKS, ranks=in_a_row(ranks, "; "))]
    if test == "perm-both":
        said.append(warn("limit", _LIMIT))
    if np.isnan(p).any():
        said.append(warn("not tested", "two metrics are the same, or there are three units or fewer: such pairs have no p-value"))
    return said


def _said_of_average(
    sets: Sequence[Judged], share: Floats, others: Sequence[str], runs: Sequence[str], clusters: Sequence[int], p: Floats
) -> list[str]:
    """How the average is made, of what, and the ranks that follow."""
    weighed = "" if np.ptp(share) == 0 else say(", with the weights {weights}", weights=in_a_row([f"{one:.4g}" for one in share]))
    said: list[str] = [note("average of metrics", _ABOUT_AVERAGE, sets=_counted(sets), weighed=weighed)]
    if others:
        said.append(warn("runs not in all tasks", "left out, because not all data sets have them: {names}",
                         names=listed(others, "and")))  # fmt: skip
    if any(len({*seeds}) > 1 for seeds in grouped((one.source, one.seed) for one in sets).values()):
        said.append(warn("limit", _LIMIT_OF_LEVELS))
    return [*said, *dict.fromkeys(one for judged in sets for one in judged.notes), *_said(runs, clusters, p, "perm-both")]
