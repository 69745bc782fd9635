"""How sure the mean score of items is: over items, over clusters, or over items within topics that are fixed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
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
from metameasure.evidence.outcomes import OfOutcomes
from metameasure.evidence.outputs import Outputs, counts_of
from metameasure.evidence.swapped import ItemScores
from metameasure.scores.intervals import (
    Drawing,
    Ends,
    intervals,
    measured,
    noted,
    over_topics,
    t_method,
    t_over_topics,
    units_of_scores,
    without_what_chance_gives,
)
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.scores import Intervals, ItemUnits, Scores
from metameasure.statistics.arrays import ArrayLike, Booleans, Floats
from metameasure.statistics.exact_sums import Moments
from metameasure.statistics.mean_intervals import (
    Range,
    clusters_of,
    clusters_of_sizes,
    jackknife,
    logit_t_interval,
    shape_of,
    t_interval,
)
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.sums import UnitSums

_RIGHT = Scale.of(["0", "1"])


def intervals_of_items(scores: Scores, evidence: ItemEvidence | OfOutcomes, drawing: Drawing) -> Intervals:
    """Intervals of the averages of items: over topics from six on, and over items or clusters."""
    over = units_of_scores(scores, evidence, drawing.units, drawing.kind)
    several = scores.are_means
    _check_kind(drawing, scores, evidence)
    units: ItemUnits = "clusters" if evidence.clustered else "items"
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


def item_table(
    evidence: ItemEvidence, measure: Measure, *, apart: bool = False, common: bool = False, runs: Sequence[int] | None = None
) -> ItemScores:
    """Every item's number by a measure, whose mean it is: what is swapped and drawn. ``apart`` where topics are, with items
    of its own; ``common`` where only items count that all runs have; of some ``runs``, or of all. UsageError for a measure that
    has no such numbers."""
    check_without_excess(measure)
    if not measure.is_of_single_items:
        raise UsageError(f"{measure.id} is no mean over items", hint=say("compare it over topics, or leave out {--ci}"))
    names = evidence.runs if runs is None else tuple(evidence.runs[run] for run in runs)
    scores = _numbers(evidence, measure, runs, apart=apart, common=common)
    _check_finite(names, evidence.against_infinity, measure, scores)
    if common and measure.linearised is not None and np.isnan(scores).all():
        what = say("{measure} has no value on the items that all runs have, or rests on a single one", measure=measure.id)
        raise DataError(what, hint="choose another measure")
    return ItemScores(
        names, scores, evidence.topic, evidence.cluster, evidence.are_shares(measure.reads), scale=evidence.scale,
        rarest=evidence.rarest, times=evidence.times,
    )  # fmt: skip


def check_without_excess(measure: Measure) -> None:
    """UsageError for a measure that is too high by chance, which no comparison of runs can rest on."""
    if measure.excess is not None:
        hint = say("choose {corrected}", corrected=measure.without_excess)
        raise UsageError(f"{measure.id} is too high by chance, by more for some runs than for others", hint=hint)


def _numbers(evidence: ItemEvidence, measure: Measure, runs: Sequence[int] | None, *, apart: bool, common: bool) -> Floats:
    """(runs, items). What items add to a measure that is no mean depends on which others there are."""
    arrays, classes = evidence.arrays_of(measure.reads, runs), evidence.scale if measure.reads.of_classes else None
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


def _check_finite(runs: Sequence[str], hint: str, measure: Measure, scores: Floats) -> None:
    """DataError for items whose score is infinite, as log_loss is of an item whose class has the probability 0."""
    infinite = np.isinf(scores).sum(axis=1)
    if infinite.any():
        run = int(infinite.argmax())
        what = say(
            "{measure} of {run} is infinite: {items} have a score that is",
            measure=measure.id, run=runs[run], items=counted(int(infinite[run]), "item"),
        )  # fmt: skip
        raise DataError(what, hint=hint)


def _over_topics_method(measure: Measure, scale: Scale | None, drawing: Drawing) -> str:
    if drawing.kind == "bootstrap":
        return "interval/bootstrap/topics"
    return t_method(measure.known_range(scale if measure.reads.of_classes else None))


def _check_kind(drawing: Drawing, scores: Scores, evidence: ItemEvidence | OfOutcomes) -> None:
    """UsageError for credible intervals of anything but 0 and 1 in one test set."""
    plain = all(evidence.are_shares(measure.reads) for measure in scores.measures)
    if drawing.kind == "bayes" and (scores.are_means or evidence.clustered or not plain):
        why = "credible intervals are of one test set whose items score 0 or 1, each once"
        raise UsageError(why, hint=say("choose {--interval auto}"))


def _over_items(
    scores: Scores, evidence: ItemEvidence | OfOutcomes, drawing: Drawing, *, several: bool
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
        topics = np.flatnonzero(common[row]).tolist() if several else None
        places = [scores.position(evidence.runs[run]) for run in finite]
        if (found := _by_sums(evidence, measure, drawing, topics)) is not None:
            (lows, highs), method, skew = found
            ends = lows[finite], highs[finite]
        else:
            ends, method, skew = _by_items(evidence.single_items(), measure, drawing, topics, finite)
        low[row, places], high[row, places] = ends
        undefined = np.isnan(scores.averages()[row])
        low[row, undefined] = high[row, undefined] = np.nan
        methods.append(method)
        skews.append(skew)
    return (low, high), methods, skews


def own_intervals(table: ItemScores, measure: Measure, drawing: Drawing) -> Intervals:
    """The intervals of the runs of a table, for one measure, with what is to be said of them."""
    (low, high), method = _ends_of(table, measure, drawing)
    units: ItemUnits = _word(table)
    topics, fixed = table.apart or 1, table.apart is not None
    sizes, skew = np.bincount(table.topic, table.times) if fixed else [table.size], _skewness(table, measure)
    clusters = clusters_of(table.cluster)
    case = _case(topics, sizes, clusters, skew, table.rarest)
    flat = [run for run, end in zip(table.runs, low, strict=True) if np.isnan(end)]
    notes = (
        sampled(units, topics, fixed=fixed, clusters=clusters),
        *([_no_interval(measure, flat, units)] if flat else []),
        *limits(method, case),
        *measured(measure.limits.get(method), case),
    )
    return Intervals(
        drawing.level, drawing.trials, drawing.seed, None, (low[None], high[None]), kind=drawing.kind, units=units,
        methods=({units: method},), notes=notes,
    )  # fmt: skip


def _ends_of(table: ItemScores, measure: Measure, drawing: Drawing) -> tuple[Ends, str]:
    """The ends (runs,) of one measure's means, and the method behind them."""
    span, fixed = measure.known_range(table.scale if measure.reads.of_classes else None), table.apart is not None
    if table.binary and not fixed and not table.clustered and drawing.kind != "bootstrap":
        return _of_shares(table, drawing)
    if measure.linearised is not None and not fixed and not table.clustered and drawing.kind != "bootstrap":
        each = _each(table, lambda one: _t_over_items(_moments_of(one)[0], drawing.level, span, logit_t_interval))
        return each, "interval/items/left-out"
    known = _units_of if drawing.kind == "bootstrap" or table.clustered else _moments_of

    def ends(one: ItemScores) -> tuple[float, float]:
        return _ends_of_sums(known(one), drawing, span, fixed=fixed, clustered=table.clustered)

    return _each(table, ends), _method(drawing, fixed=fixed, units=_word(table))


def _by_sums(
    evidence: ItemEvidence | OfOutcomes, measure: Measure, drawing: Drawing, topics: Sequence[int] | None
) -> tuple[Ends, str, float] | None:
    """The same, and how skewed scores are, of items of which somebody knows the sums or how many are alike, in each of several
    topics or in all; None where items are needed."""
    if (alone := evidence.each_alone(measure.reads)) is not None and measure.linearised is None:
        return _together((item_table(one, measure, apart=topics is not None) for one in alone), measure, drawing, topics)
    if (known := evidence.sums_of_scores(measure.reads, topics, of_each=drawing.kind == "bootstrap")) is None:
        return None
    span, fixed = measure.known_range(None), topics is not None
    found = [_ends_of_sums(of_run, drawing, span, fixed=fixed, clustered=evidence.clustered) for of_run in known]
    low, high = np.array(found, dtype=float).reshape(-1, 2).T
    return (low, high), _method(drawing, fixed=fixed, units="clusters" if evidence.clustered else "items"), 0.0


def _by_items(
    evidence: ItemEvidence, measure: Measure, drawing: Drawing, topics: Sequence[int] | None, finite: Sequence[int]
) -> tuple[Ends, str, float]:
    """The same from the items of some runs, a few runs at a time where all would not fit into memory."""
    some = evidence if len(finite) == len(evidence.runs) else evidence.of_runs(finite)
    every = list(range(len(some.runs)))
    blocks = (None if block == every else block for block in some.blocks())
    tables = (item_table(some, measure, apart=topics is not None, runs=block) for block in blocks)
    return _together(tables, measure, drawing, topics)


def _together(
    tables: Iterable[ItemScores], measure: Measure, drawing: Drawing, topics: Sequence[int] | None
) -> tuple[Ends, str, float]:
    """The same of the runs of several tables, of which one is in memory at a time."""
    low, high, methods, skews = list[Floats](), list[Floats](), list[str](), list[float]()
    for whole in tables:
        table = whole if topics is None else whole.with_topics_apart(topics)
        ends, method = _ends_of(table, measure, drawing)
        low.append(ends[0])
        high.append(ends[1])
        methods.append(method)
        skews.append(_skewness(table, measure))
    return (np.concatenate(low), np.concatenate(high)), methods[0], max(skews)


def _method(drawing: Drawing, *, fixed: bool, units: str) -> str:
    """What intervals of scores that are no shares are made by."""
    if drawing.kind == "bootstrap":
        return f"interval/bootstrap/{units}"
    if fixed:
        return f"interval/fixed-topics/{'clusters' if units == 'clusters' else 'normal'}"
    return "interval/clusters/jackknife" if units == "clusters" else "interval/items/t"


def _ends_of_sums(
    found: Sequence[Moments | UnitSums], drawing: Drawing, span: Range, *, fixed: bool, clustered: bool
) -> tuple[float, float]:
    """The interval of one run, from what is known of each of several topics or of all as one: the sums of clusters, or the
    moments of items."""
    sums = [one for one in found if isinstance(one, UnitSums)]
    moments = [one for one in found if isinstance(one, Moments)]
    if drawing.kind == "bootstrap":
        return _bootstrapped(sums, drawing)
    if fixed:
        each = [_moments_of_clusters(one) for one in sums] if clustered else moments
        return _of_topics(each, [one.units - 1 for one in sums], drawing.level, span)
    return _by_leaving_out(sums[0], drawing.level, span) if clustered else _t_over_items(moments[0], drawing.level, span)


def _word(table: ItemScores) -> ItemUnits:
    return "clusters" if table.clustered else "items"


def _each(table: ItemScores, ends: object) -> Ends:
    """Of each run by itself, on the items that it has."""
    found = []
    for run in range(len(table.runs)):
        alone = table.of_runs([run])
        found.append(ends(alone.of_items(alone.has()[0])))  # type: ignore[operator]
    low, high = np.array(found, dtype=float).reshape(-1, 2).T
    return low, high


def _t_over_items(found: Moments, level: float, span: Range, made_by: Callable[..., Any] = t_interval) -> tuple[float, float]:
    if found.number < 2:
        return math.nan, math.nan
    low, high = made_by(found.mean, found.error, found.number - 1, level, span)
    return float(low), float(high)


def _by_leaving_out(sums: UnitSums, level: float, span: Range) -> tuple[float, float]:
    if sums.units < 2:
        return math.nan, math.nan
    total, items = sums.total
    without = sums.left_out(lambda left: left[..., 0] / left[..., 1])
    left = jackknife(total / items, without, sums.adds[:, 1])
    low, high = logit_t_interval(left.value, left.error, left.freedom, level, span)
    return float(low), float(high)


def _by_topic(one: ItemScores) -> list[ItemScores]:
    """The items of each topic, where topics are apart; or all items."""
    return [one] if one.apart is None else [one.of_items(one.topic == topic) for topic in range(one.apart)]


def _moments_of(one: ItemScores) -> list[Moments]:
    return [Moments.of(here.scores[0], here.times) for here in _by_topic(one)]


def _units_of(one: ItemScores) -> list[UnitSums]:
    """What units add to the sum of the scores and to the number of items, in each topic: clusters, in the order of their names,
    or items by their scores. Neither the items' order nor their names are in any digit."""
    return [
        UnitSums.of_values(here.scores[0], here.times) if here.cluster is None else
        UnitSums.of_clusters(here.scores[0], here.cluster, here.times)
        for here in _by_topic(one)
    ]  # fmt: skip


def _moments_of_clusters(sums: UnitSums) -> Moments:
    """Clusters drawn within a topic: what many draws would come to (definitions of fixed topics)."""
    total, items = sums.total
    mean = float(total / items) if items else math.nan
    adds = (sums.adds[:, 0] - mean * sums.adds[:, 1]) * sums.units / max(1, items) + mean
    return replace(Moments.of(adds), mean=mean)


def _of_topics(found: Sequence[Moments], freedoms: Sequence[int], level: float, span: Range) -> tuple[float, float]:
    """The interval of a mean over topics, from the mean and the error of each. Of clusters, how many more than one each has."""
    if any(one.number < 2 for one in found):
        return math.nan, math.nan
    own = np.array([(one.error / len(found)) ** 2 for one in found])
    freedom = float(own.sum() ** 2 / (own**2 / np.array(freedoms)).sum()) if len(freedoms) and own.sum() > 0 else math.inf
    mean, error = float(np.mean([one.mean for one in found])), math.sqrt(own.sum())
    low, high = t_interval(mean, error, math.inf if not len(freedoms) else max(1.0, freedom), level, span)
    return float(low), float(high)


def _bootstrapped(found: Sequence[UnitSums], drawing: Drawing) -> tuple[float, float]:
    """From the units of each topic."""
    drawn = np.zeros(drawing.trials)
    for topic, sums in enumerate(found):
        if sums.units < 2:
            return math.nan, math.nan
        total = sums.resampled(drawing.trials, drawing.seed + topic)
        drawn += total[:, 0] / total[:, 1] / len(found)
    low, high = percentile_interval(drawn, drawing.level)
    return float(low), float(high)


def _of_shares(table: ItemScores, drawing: Drawing) -> tuple[Ends, str]:
    """Scores of 0 and 1 are labels that are right or wrong, and their mean is accuracy."""
    labels = np.where(np.isnan(table.scores), -1, table.scores).astype(np.int8)
    items = np.arange(labels.shape[1])
    outputs = Outputs(
        _RIGHT, table.runs, np.ones_like(items), labels, items, np.zeros_like(items), times=table.times
    )  # fmt: skip
    counts = counts_of(outputs)
    scores = plain_scores(counts, [accuracy], average="pooled")
    made = intervals(scores, counts, replace(drawing, units=None))
    return (made.shown[0][0], made.shown[1][0]), made.shown_methods()[0]


def _no_interval(measure: Measure, runs: list[str], units: str) -> str:
    said = "{measure} has no interval for {runs}: all {units} score alike, or there is one only"
    return warn("no interval", said, measure=measure.id, runs=first_of(runs), units=units)


def _said(made: Intervals, scores: Scores, evidence: ItemEvidence | OfOutcomes, skews: Sequence[float]) -> Intervals:
    """The intervals with what is to be said of them: what is a sample, which have none, and where the level is known to fail."""
    known: Booleans = ~np.isnan(scores.averages()) & scores.own
    clusters = clusters_of_sizes(evidence.size_of_clusters)
    notes, limited = list[str](), list[tuple[str, str]]()
    for row, (measure, method) in enumerate(zip(scores.measures, made.shown_methods(), strict=True)):
        flat = np.flatnonzero(known[row] & np.isfinite(scores.averages()[row]) & np.isnan(made.shown[0][row]))
        if len(flat) and measure.excess is None:
            notes.append(_no_interval(measure, [scores.runs[run] for run in flat], made.drawn))
        skew = skews[row] if skews else None
        case = _case(len(scores.topics), evidence.size_of_topics, clusters, skew, evidence.rarest)
        limited += [(one, measure.id) for one in (*limits(method, case), *measured(measure.limits.get(method), case))]
    drawn = clusters if made.drawn == "clusters" else None
    sample = sampled(made.drawn, len(scores.topics), scores.topic_word, fixed=made.fixed, clusters=drawn)
    return replace(made, notes=(sample, *made.notes, *notes, *noted(limited, len(scores.measures))))


def _case(topics: int, sizes: ArrayLike, clusters: tuple[int, float] | None, skewness: float | None, rarest: int | None) -> Case:
    """What the limits depend on: the number of topics and of the items in each, their clusters, how skewed scores are, and how
    many items the rarest class has."""
    by_topic, (_, effective) = np.asarray(sizes), clusters or (None, None)
    return Case(
        topics=topics,
        items=int(by_topic.sum()),
        fewest_items=int(by_topic.min(initial=by_topic.sum())),
        clusters=effective,
        skewness_of_items=skewness,
        rarest=rarest,
    )


def _skewness(table: ItemScores, measure: Measure) -> float:
    """The largest of the runs', whatever its sign; 0 of what items add to a measure that is no mean."""
    if measure.linearised is not None:
        return 0.0
    number = np.ones(table.scores.shape[1]) if table.times is None else table.times
    known = ((one[own], number[own]) for one in table.scores if table.number(own := np.isfinite(one)) > 2)
    return max((abs(shape_of(*of_run).skewness) for of_run in known), default=0.0)
