"""Metrics compared by how they judge systems beside people: PERM-BOTH and Williams' test between every two, and the ranks that
follow, over one data set or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, cast, get_args

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.ranking.systems import at_level
from metameasure.comparing.comparison import Comparison
from metameasure.core.choices import MetricTest, Test
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import Message, note, say, warn
from metameasure.core.notes import counted, grouped, in_a_row, listed
from metameasure.evidence.base import Evidence
from metameasure.scores.run_names import place_of
from metameasure.scores.system_intervals import system_intervals
from metameasure.statistics.arrays import Floats
from metameasure.statistics.metric_tests import rank_clusters, share_as_high, swapped_differences, williams_test
from metameasure.tasks.option_groups import TestOptions

METRIC_TESTS = {"perm-both": "PERM-BOTH, scores of cells swapped between metrics", "williams": "Williams' test"}
_WILLIAMS = "pearson"
_ABOUT_P = (
    "metrics judge {systems} on {segments}; p-values are one-sided, of the better of two, and not corrected for their number: "
    "where neither was expected to be better, halve alpha"
)
_LIMIT = (
    "PERM-BOTH holds where the errors of metrics are independent from cell to cell; of metrics that favour whole systems it "
    "calls one better too often (about 13% instead of 5%)"
)
_ABOUT_RANKS = "ranks, a new one where any metric of the one before is better: {ranks}"


@dataclass(frozen=True, eq=False)
class MetricComparison(Comparison):
    """Metrics from best to worst. ``p`` is one-sided: that the better of two is no better. ``clusters`` are their ranks: a new
    one starts where any metric of the one before is better."""

    caption: ClassVar[str] = "Comparison of the metrics"
    clusters: tuple[int, ...] = field(default=(), kw_only=True)

    def how(self) -> Message:
        test: str = self.test
        words = METRIC_TESTS[test]
        if test == "williams":
            return say(words)
        return say(f"{words}, exact") if self.exact else say(f"{words}, with B = {{trials}} trials", trials=self.trials)

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "clusters": list(self.clusters)}


def compare_metrics(evidence: Evidence, measure: Measure, settings: dict[str, Any]) -> MetricComparison:
    """The runs of the evidence, which are metrics, by a measure of all its segments together."""
    test = _test_of(measure, settings)
    name = measure.id
    if dict(evidence.settings).get("compat") == "mtme" and measure.base == "spa" and measure.argument is None:
        measure = measure.with_options(compat="mtme")
    predicted, gold = _complete(evidence, settings.get("leave_out") or ())
    runs, scores = predicted
    values = np.asarray(measure(scores, gold), dtype=float)
    undefined = [run for run, value in zip(runs, values, strict=True) if np.isnan(value)]
    if undefined:
        raise DataError(
            say(
                "{measure} of {runs} is undefined: {why}",
                measure=measure.id,
                runs=listed(undefined, "and"),
                why=_why(measure, scores, gold),
            ),
            hint="leave the metric out, or choose another measure",
        )
    order = np.argsort(-values.round(12), kind="stable")
    names, scores, values = tuple(runs[place] for place in order), scores[order], values[order]
    told = TestOptions(
        **{name: settings[name] for name in ("trials", "seed", "alpha", "level") if settings.get(name) is not None}
    )
    trials, seed, alpha, level = told.trials, told.seed, told.alpha, told.level
    p, exact = _p_values(measure, test, scores, gold, trials, seed)
    low, high = system_intervals(measure, scores, gold, level)
    clusters = tuple(rank_clusters(np.where(np.isnan(p), 1.0, p), alpha))
    cells = int((~np.isnan(gold)).sum())
    least = 0.0 if test == "williams" else 2.0**-cells if exact else 1 / (trials + 1)
    return MetricComparison(
        measure=name, better="higher", test=cast("Test", test), correction="none", trials=trials, seed=seed, alpha=alpha,
        topics=cells, runs=names, means=values, low=low, high=high, p=p, effect_size=np.full(p.shape, np.nan),
        residual_variance=np.nan, level=level, notes=(*evidence.notes, *_said(names, clusters, p, gold, test)), unit="cells",
        units="items", exact=exact or test == "williams", smallest_p=least, least_p=least, clusters=clusters,
        validity={"p": f"test/metrics/{test}", "interval": "interval/systems/fisher"},
    )  # fmt: skip


def _test_of(measure: Measure, settings: dict[str, Any]) -> MetricTest:
    asked = settings.get("test")
    if asked not in (None, *get_args(MetricTest)):
        raise UsageError(
            say("{measure} is of all segments together, and {test} is a test over segments", measure=measure.id, test=asked),
            hint=say("choose {--test perm-both}"),
        )
    if not measure.of_all:
        raise UsageError(
            say("{test} compares metrics by a measure of all segments together, and {measure} is a mean over segments",
                test=asked, measure=measure.id),
            hint="choose spa, or pearson@system, pearson@segment or pearson@item",
        )  # fmt: skip
    if asked == "williams" and (measure.base != _WILLIAMS or measure.id.endswith("item")):
        raise UsageError(
            say("Williams' test is of Pearson's correlation, not of {measure}", measure=measure.id),
            hint=say("choose pearson@system or pearson@segment, or {--test perm-both}"),
        )
    for name in ("against", "correction", "simultaneous", "units"):
        if settings.get(name):
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


def _why(measure: Measure, scores: Floats, gold: Floats) -> str:
    reasons = measure.why_undefined(scores, np.broadcast_to(gold, scores.shape))
    return next((reason for reason, holds in reasons.items() if np.any(np.asarray(holds))), "it has no value")


def _p_values(measure: Measure, test: MetricTest, scores: Floats, gold: Floats, trials: int, seed: int) -> tuple[Floats, bool]:
    """One-sided p-values of the better metric of every two, and whether all swaps were tried."""
    p, exact = np.eye(len(scores)), True
    for one, other in combinations(range(len(scores)), 2):
        if test == "williams":
            found = _williams(measure, scores[one], scores[other], gold)
        else:
            observed, drawn, exact = swapped_differences(
                scores[one], scores[other], gold, partial(_values, measure, gold), trials, seed
            )
            found = share_as_high(observed, drawn, exact=exact)
        p[one, other] = p[other, one] = found
    return p, exact


def _values(measure: Measure, gold: Floats, metrics: Floats) -> Floats:
    return np.asarray(measure(metrics, np.broadcast_to(gold, metrics.shape)), dtype=float)


def _williams(measure: Measure, one: Floats, other: Floats, gold: Floats) -> float:
    level = measure.id.partition("@")[2]
    first, second = (float(measure(side, gold)) for side in (one, other))
    between = float(measure(np.where(np.isnan(gold), np.nan, one), np.where(np.isnan(gold), np.nan, other)))
    number = int(np.asarray(at_level(one[None], gold[None], level)[2]).sum())
    return williams_test(first, second, between, number)[1]


def _said(runs: Sequence[str], clusters: Sequence[int], p: Floats, gold: Floats, test: MetricTest) -> list[Message]:
    systems = int((~np.isnan(gold)).any(axis=1).sum())
    by_rank = grouped(zip(clusters, runs, strict=True))
    ranks = [say("{rank}: {runs}", rank=rank, runs=listed(alike, "and")) for rank, alike in by_rank.items()]
    said = [
        note("metrics", _ABOUT_P, systems=counted(systems, "system"), segments=counted(gold.shape[1], "segment")),
        note("ranks of metrics", _ABOUT_RANKS, ranks=in_a_row(ranks, "; ")),
    ]
    if test == "perm-both":
        said.append(warn("limit", _LIMIT))
    if np.isnan(p).any():
        said.append(warn("not tested", "two metrics are the same, or there are three units or fewer: such pairs have no p-value"))
    return said
