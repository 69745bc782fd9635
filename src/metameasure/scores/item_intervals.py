"""How sure the mean score of items is: over items, over clusters, or over items within topics that are fixed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from metameasure.catalogue.classification.accuracy import accuracy
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import say, warn
from metameasure.core.notes import counted, first_of
from metameasure.core.scale import Scale
from metameasure.core.validity import Case, limits, sampled
from metameasure.evidence.items import ItemEvidence
from metameasure.evidence.outputs import Outputs, counts_of
from metameasure.evidence.swapped import ItemScores
from metameasure.scores.intervals import (
    Drawing,
    intervals,
    measured,
    over_topics,
    t_over_topics,
    units_of_scores,
    without_what_chance_gives,
)
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.scores import Intervals, ItemUnits, Scores
from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.mean_intervals import Range, effective, jackknife, logit_t_interval, shape_of, t_interval
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.sums import UnitSums

Ends = tuple[Floats, Floats]
_MOST_NAMED = 5
_RIGHT = Scale.of(["0", "1"])


def intervals_of_items(scores: Scores, evidence: ItemEvidence, drawing: Drawing) -> Intervals:
    """Intervals of the averages of items: over topics from six on, and over items or clusters."""
    over = units_of_scores(scores, evidence, drawing.units, drawing.kind)
    several = len(scores.topics) > 1 and scores.average == "topics"
    _check_kind(drawing, scores, evidence, several=several)
    units: ItemUnits = "items" if evidence.cluster is None else "clusters"
    topics = None
    if several:
        topics = t_over_topics(scores, drawing).topics
        if drawing.kind == "bootstrap":
            topics = over_topics(scores, drawing.level, drawing.trials, drawing.seed)
    items, methods, skews = None, [""] * len(scores.measures), list[float]()
    if not several or drawing.over_items or over == "items":
        items, methods, skews = _over_items(scores, evidence, drawing, several=several)
    made = Intervals(drawing.level, drawing.trials, drawing.seed, topics, items, kind=drawing.kind, units=units, over=over)
    over_of_topics = [_over_topics_method(measure, scores.scale, drawing) for measure in scores.measures]
    named = tuple(
        ({"topics": of_topics} if several else {}) | ({units: own} if items is not None and own else {})
        for of_topics, own in zip(over_of_topics, methods, strict=True)
    )
    return _said(without_what_chance_gives(replace(made, methods=named), scores), scores, evidence, skews)


def item_table(evidence: ItemEvidence, measure: Measure, *, apart: bool = False, common: bool = False) -> ItemScores:
    """Every item's number by a measure, whose mean it is: what is swapped and drawn. ``apart`` where topics are, with items
    of its own; ``common`` where only items count that all runs have. UsageError for a measure that has no such numbers."""
    if measure.excess is not None:
        hint = say("choose {corrected}", corrected=measure.without_excess)
        raise UsageError(f"{measure.id} is too high by chance, by more for some runs than for others", hint=hint)
    if not measure.is_of_single_items:
        raise UsageError(f"{measure.id} is no mean over items", hint=say("compare it over topics, or leave out {--ci}"))
    scores = _numbers(evidence, measure, apart=apart, common=common)
    _check_finite(evidence, measure, scores)
    if common and measure.linearised is not None and np.isnan(scores).all():
        what = say("{measure} has no value on the items that all runs have, or rests on a single one", measure=measure.id)
        raise DataError(what, hint="choose another measure")
    return ItemScores(
        evidence.runs, scores, evidence.topic, evidence.cluster, evidence.are_shares(measure.reads), scale=evidence.scale
    )


def _numbers(evidence: ItemEvidence, measure: Measure, *, apart: bool, common: bool) -> Floats:
    """(runs, items). What items add to a measure that is no mean depends on which others there are."""
    arrays, classes = evidence.arrays(measure.reads), evidence.scale if measure.reads.of_classes else None
    if measure.linearised is None:
        return np.asarray(measure.of_each_item(*arrays, classes=classes), dtype=float)
    scores = np.full(arrays[0].shape[:2], np.nan)
    kept: Booleans = np.all(evidence.there(), axis=0) if common else np.ones(len(evidence.items), dtype=bool)
    for first, last in pairwise(evidence.starts.tolist()) if apart else [(0, len(evidence.items))]:
        here = np.arange(first, last)[kept[first:last]]
        if len(here):
            part = (array[:, here] if len(here) < array.shape[1] else array for array in arrays)
            scores[:, here] = np.asarray(measure.of_each_item(*part, classes=classes), dtype=float)
    return scores


def _check_finite(evidence: ItemEvidence, measure: Measure, scores: Floats) -> None:
    """DataError for items whose score is infinite, as log_loss is of an item whose class has the probability 0."""
    infinite = np.isinf(scores).sum(axis=1)
    if infinite.any():
        run = int(infinite.argmax())
        what = say(
            "{measure} of {run} is infinite: {items} have a score that is",
            measure=measure.id, run=evidence.runs[run], items=counted(int(infinite[run]), "item"),
        )  # fmt: skip
        raise DataError(what, hint=evidence.against_infinity)


def _over_topics_method(measure: Measure, scale: Scale | None, drawing: Drawing) -> str:
    if drawing.kind == "bootstrap":
        return "interval/bootstrap/topics"
    finite = all(map(math.isfinite, measure.known_range(scale if measure.reads.of_classes else None)))
    return f"interval/topics/{'logit-t' if finite else 't'}"


def _check_kind(drawing: Drawing, scores: Scores, evidence: ItemEvidence, *, several: bool) -> None:
    """UsageError for credible intervals of anything but 0 and 1 in one test set."""
    plain = all(evidence.are_shares(measure.reads) for measure in scores.measures)
    if drawing.kind == "bayes" and (several or evidence.cluster is not None or not plain):
        why = "credible intervals are of one test set whose items score 0 or 1, each once"
        raise UsageError(why, hint=say("choose {--interval auto}"))


def _over_items(
    scores: Scores, evidence: ItemEvidence, drawing: Drawing, *, several: bool
) -> tuple[Ends, list[str], list[float]]:
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    methods, skews = [], []
    common = scores.common_topics()
    for row, measure in enumerate(scores.measures):
        finite = [run for run, name in enumerate(evidence.runs) if not np.isinf(scores.averages()[row, scores.position(name)])]
        if not measure.is_of_single_items or not finite:
            methods.append("")
            skews.append(0.0)
            continue
        table = item_table(evidence if len(finite) == len(evidence.runs) else evidence.of_runs(finite), measure, apart=several)
        if several:
            table = table.with_topics_apart(np.flatnonzero(common[row]).tolist())
        places = [scores.position(run) for run in table.runs]
        ends, method = _ends_of(table, measure, drawing)
        low[row, places], high[row, places] = ends
        undefined = np.isnan(scores.averages()[row])
        low[row, undefined] = high[row, undefined] = np.nan
        methods.append(method)
        skews.append(_skewness(table.scores) if measure.linearised is None else 0.0)
    return (low, high), methods, skews


def own_intervals(table: ItemScores, measure: Measure, drawing: Drawing) -> Intervals:
    """The intervals of the runs of a table, for one measure."""
    (low, high), method = _ends_of(table, measure, drawing)
    units: ItemUnits = "clusters" if table.clustered else "items"
    flat = [run for run, end in zip(table.runs, low, strict=True) if np.isnan(end)]
    notes = (_no_interval(measure, flat, units),) if flat else ()
    return Intervals(
        drawing.level, drawing.trials, drawing.seed, None, (low[None], high[None]), kind=drawing.kind, units=units,
        methods=({units: method},), notes=notes,
    )  # fmt: skip


def _ends_of(table: ItemScores, measure: Measure, drawing: Drawing) -> tuple[Ends, str]:
    """The ends (runs,) of one measure's means, and the method behind them."""
    span = measure.known_range(table.scale if measure.reads.of_classes else None)
    if drawing.kind == "bootstrap":
        return _each(table, lambda one: _bootstrapped(one, drawing)), f"interval/bootstrap/{_word(table)}"
    if table.apart is not None:
        method = f"interval/fixed-topics/{'clusters' if table.clustered else 'normal'}"
        return _each(table, lambda one: _within_topics(one, drawing.level, span)), method
    if table.clustered:
        return _each(table, lambda one: _by_leaving_out(one, drawing.level, span)), "interval/clusters/jackknife"
    if table.binary:
        return _of_shares(table, drawing)
    made_by, method = (t_interval, "t") if measure.linearised is None else (logit_t_interval, "left-out")
    return _each(table, lambda one: _t_over_items(one, drawing.level, span, made_by)), f"interval/items/{method}"


def _word(table: ItemScores) -> str:
    return "clusters" if table.clustered else "items"


def _each(table: ItemScores, ends: object) -> Ends:
    """Of each run by itself, on the items that it has."""
    found = []
    for run in range(len(table.runs)):
        alone = table.of_runs([run])
        found.append(ends(alone.of_items(alone.has()[0])))  # type: ignore[operator]
    low, high = np.array(found, dtype=float).reshape(-1, 2).T
    return low, high


def _t_over_items(one: ItemScores, level: float, span: Range, made_by: Callable[..., Any] = t_interval) -> tuple[float, float]:
    scores = one.scores[0]
    if len(scores) < 2:
        return math.nan, math.nan
    error = float(scores.std(ddof=1)) / math.sqrt(len(scores)) if np.ptp(scores) > 1e-12 else 0.0
    low, high = made_by(float(scores.mean()), error, len(scores) - 1, level, span)
    return float(low), float(high)


def _by_leaving_out(one: ItemScores, level: float, span: Range) -> tuple[float, float]:
    assert one.cluster is not None  # noqa: S101 - there are clusters
    sums = UnitSums.of_units(np.column_stack([one.scores[0], np.ones(one.size)]), one.cluster)
    if sums.units < 2:
        return math.nan, math.nan
    total, items = sums.total
    without = sums.left_out(lambda left: left[..., 0] / left[..., 1])
    left = jackknife(total / items, without, sums.adds[:, 1])
    low, high = logit_t_interval(left.value, left.error, left.freedom, level, span)
    return float(low), float(high)


def _within_topics(one: ItemScores, level: float, span: Range) -> tuple[float, float]:
    """Items, or clusters, drawn within each topic: what many draws would come to (definitions of fixed topics)."""
    topics = one.apart or 1
    means, variances, freedoms = [], [], []
    for topic in range(topics):
        here = one.topic == topic
        scores = one.scores[0][here]
        if one.cluster is None:
            units, adds = len(scores), scores
        else:
            sums = UnitSums.of_units(np.column_stack([scores, np.ones(len(scores))]), one.cluster[here])
            units = sums.units
            adds = (sums.adds[:, 0] - scores.mean() * sums.adds[:, 1]) * units / len(scores) + scores.mean() if units else scores
        if units < 2:
            return math.nan, math.nan
        means.append(float(scores.mean()))
        variances.append(float(adds.var(ddof=1)) / units / topics**2)
        freedoms.append(units - 1)
    own = np.array(variances)
    freedom = float(own.sum() ** 2 / (own**2 / np.array(freedoms)).sum()) if own.sum() > 0 else math.inf
    low, high = t_interval(
        float(np.mean(means)), math.sqrt(own.sum()), math.inf if one.cluster is None else max(1.0, freedom), level, span
    )
    return float(low), float(high)


def _bootstrapped(one: ItemScores, drawing: Drawing) -> tuple[float, float]:
    topics = one.apart or 1
    drawn = np.zeros(drawing.trials)
    for topic in range(topics):
        here = one.topic == topic if one.apart is not None else np.ones(one.size, dtype=bool)
        adds = np.column_stack([one.scores[0][here], np.ones(int(here.sum()))])
        sums = UnitSums.of_units(adds, None if one.cluster is None else one.cluster[here])
        if sums.units < 2:
            return math.nan, math.nan
        total = sums.resampled(drawing.trials, drawing.seed + topic)
        drawn += total[:, 0] / total[:, 1] / topics
    low, high = percentile_interval(drawn, drawing.level)
    return float(low), float(high)


def _of_shares(table: ItemScores, drawing: Drawing) -> tuple[Ends, str]:
    """Scores of 0 and 1 are labels that are right or wrong, and their mean is accuracy."""
    labels = np.where(np.isnan(table.scores), -1, table.scores).astype(np.int8)
    items = np.arange(table.size)
    counts = counts_of(Outputs(_RIGHT, table.runs, np.ones(table.size, dtype=np.int64), labels, items, np.zeros_like(items)))
    scores = plain_scores(counts, [accuracy], average="pooled")
    made = intervals(scores, counts, replace(drawing, units=None))
    return (made.shown[0][0], made.shown[1][0]), made.shown_methods()[0]


def _no_interval(measure: Measure, runs: list[str], units: str) -> str:
    said = "{measure} has no interval for {runs}: all {units} score alike, or there is one only"
    return warn("no interval", said, measure=measure.id, runs=first_of(runs, _MOST_NAMED), units=units)


def _said(made: Intervals, scores: Scores, evidence: ItemEvidence, skews: Sequence[float]) -> Intervals:
    """The intervals with what is to be said of them: what is a sample, which have none, and where the level is known to fail."""
    known: Booleans = ~np.isnan(scores.averages()) & scores.own
    notes: list[str] = []
    for row, (measure, method) in enumerate(zip(scores.measures, made.shown_methods(), strict=True)):
        flat = np.flatnonzero(known[row] & np.isfinite(scores.averages()[row]) & np.isnan(made.shown[0][row]))
        if len(flat) and measure.excess is None:
            notes.append(_no_interval(measure, [scores.runs[run] for run in flat], made.units if made.over_items else "topics"))
        case = _case(scores, evidence, skews[row] if skews else None)
        notes += [one for one in (*limits(method, case), *measured(measure.limits.get(method))) if one not in notes]
    units = made.units if made.over_items else "topics"
    sample = sampled(units, len(scores.topics), scores.topic_word, fixed=made.fixed)
    return replace(made, notes=(sample, *made.notes, *notes))


def _case(scores: Scores, evidence: ItemEvidence, skewness: float | None) -> Case:
    sizes = None if evidence.cluster is None else np.bincount(evidence.cluster).astype(float)
    by_topic = np.diff(evidence.starts)
    return Case(
        topics=len(scores.topics),
        items=len(evidence.items),
        fewest_items=int(by_topic.min(initial=len(evidence.items))),
        clusters=None if sizes is None else effective(sizes[sizes > 0]),
        skewness_of_items=skewness,
    )


def _skewness(scores: Floats) -> float:
    """The largest of the runs' (runs, items), whatever its sign."""
    each = [abs(shape_of(one[~np.isnan(one)]).skewness) for one in scores if np.isfinite(one).sum() > 2]
    return max(each, default=0.0)
