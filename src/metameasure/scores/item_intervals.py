"""How sure the mean score of items is: over items, over clusters, or over items within topics that are fixed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from metameasure.catalogue.classification.accuracy import accuracy
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.messages import say, warn
from metameasure.core.notes import first_of
from metameasure.core.scale import Scale
from metameasure.core.validity import Case, limits, sampled
from metameasure.evidence.outcomes import Outcomes
from metameasure.evidence.outputs import Outputs, counts_of
from metameasure.evidence.swapped import ItemScores
from metameasure.scores.intervals import Drawing, intervals, over_topics, t_over_topics, units_of_scores
from metameasure.scores.of_evidence import plain_scores
from metameasure.scores.scores import Intervals, ItemUnits, Scores
from metameasure.statistics.arrays import Booleans, Floats
from metameasure.statistics.mean_intervals import Range, effective, jackknife, logit_t_interval, t_interval
from metameasure.statistics.resampling import percentile_interval
from metameasure.statistics.sums import UnitSums

Ends = tuple[Floats, Floats]
_MOST_NAMED = 5
_RIGHT = Scale.of(["0", "1"])


def intervals_of_items(scores: Scores, evidence: Outcomes, drawing: Drawing) -> Intervals:
    """Intervals of outcomes' averages: over topics from six on, and over items or clusters."""
    over = units_of_scores(scores, evidence, drawing.units, drawing.kind)
    several = len(scores.topics) > 1 and scores.average == "topics"
    _check_kind(drawing, scores, evidence, several=several)
    units: ItemUnits = "items" if evidence.cluster is None else "clusters"
    topics = None
    if several:
        topics = t_over_topics(scores, drawing).topics
        if drawing.kind == "bootstrap":
            topics = over_topics(scores, drawing.level, drawing.trials, drawing.seed)
    items, methods = None, [""] * len(scores.measures)
    if not several or drawing.over_items or over == "items":
        items, methods = _over_items(scores, evidence, drawing, several=several)
    made = Intervals(drawing.level, drawing.trials, drawing.seed, topics, items, kind=drawing.kind, units=units, over=over)
    over_of_topics = [_over_topics_method(measure, drawing) for measure in scores.measures]
    named = tuple(
        ({"topics": of_topics} if several else {}) | ({units: own} if items is not None else {})
        for of_topics, own in zip(over_of_topics, methods, strict=True)
    )
    return _said(replace(made, methods=named), scores, evidence)


def item_table(evidence: Outcomes, measure: Measure) -> ItemScores:
    """Every item's score by a measure that is their mean: what is swapped and drawn. UsageError for another measure."""
    if measure.chance != "linear":
        raise UsageError(f"{measure.id} is no mean over items", hint=say("compare it over topics, or leave out {--ci}"))
    arrays = evidence.arrays(measure.reads)
    scores = arrays[0] if len(arrays) == 1 else np.asarray(measure(*(array[..., None] for array in arrays)), dtype=float)
    return ItemScores(evidence.runs, scores, evidence.topic, evidence.cluster, evidence.are_shares(measure.reads))


def _over_topics_method(measure: Measure, drawing: Drawing) -> str:
    if drawing.kind == "bootstrap":
        return "interval/bootstrap/topics"
    return f"interval/topics/{'logit-t' if all(map(math.isfinite, measure.known_range(None))) else 't'}"


def _check_kind(drawing: Drawing, scores: Scores, evidence: Outcomes, *, several: bool) -> None:
    """UsageError for credible intervals of anything but 0 and 1 in one test set."""
    plain = all(evidence.are_shares(measure.reads) for measure in scores.measures)
    if drawing.kind == "bayes" and (several or evidence.cluster is not None or not plain):
        why = "credible intervals are of one test set whose items score 0 or 1, each once"
        raise UsageError(why, hint=say("choose {--interval auto}"))


def _over_items(scores: Scores, evidence: Outcomes, drawing: Drawing, *, several: bool) -> tuple[Ends, list[str]]:
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    methods = []
    common = scores.common_topics()
    for row, measure in enumerate(scores.measures):
        table = item_table(evidence, measure)
        if several:
            table = table.with_topics_apart(np.flatnonzero(common[row]).tolist())
        places = [scores.position(run) for run in table.runs]
        ends, method = _ends_of(table, measure, drawing)
        low[row, places], high[row, places] = ends
        undefined = np.isnan(scores.averages()[row])
        low[row, undefined] = high[row, undefined] = np.nan
        methods.append(method)
    return (low, high), methods


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
    span = measure.known_range(None)
    if table.apart is not None:
        method = f"interval/fixed-topics/{'clusters' if table.clustered else 'normal'}"
        if drawing.kind == "bootstrap":
            return _each(table, lambda one: _bootstrapped(one, drawing)), f"interval/bootstrap/{_word(table)}"
        return _each(table, lambda one: _within_topics(one, drawing.level, span)), method
    if drawing.kind == "bootstrap":
        return _each(table, lambda one: _bootstrapped(one, drawing)), f"interval/bootstrap/{_word(table)}"
    if table.clustered:
        return _each(table, lambda one: _by_leaving_out(one, drawing.level, span)), "interval/clusters/jackknife"
    if table.binary:
        return _of_shares(table, drawing)
    return _each(table, lambda one: _t_over_items(one, drawing.level, span)), "interval/items/t"


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


def _t_over_items(one: ItemScores, level: float, span: Range) -> tuple[float, float]:
    scores = one.scores[0]
    if len(scores) < 2:
        return math.nan, math.nan
    error = float(scores.std(ddof=1)) / math.sqrt(len(scores)) if np.ptp(scores) > 1e-12 else 0.0
    low, high = t_interval(float(scores.mean()), error, len(scores) - 1, level, span)
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


def _said(made: Intervals, scores: Scores, evidence: Outcomes) -> Intervals:
    """The intervals with what is to be said of them: what is a sample, which have none, and where the level is known to fail."""
    known: Booleans = ~np.isnan(scores.averages()) & scores.own
    notes: list[str] = []
    for row, (measure, method) in enumerate(zip(scores.measures, made.shown_methods(), strict=True)):
        flat = np.flatnonzero(known[row] & np.isnan(made.shown[0][row]))
        if len(flat):
            notes.append(_no_interval(measure, [scores.runs[run] for run in flat], made.units if made.over_items else "topics"))
        case = _case(scores, evidence)
        notes += [one for one in limits(method, case) if one not in notes]
    units = made.units if made.over_items else "topics"
    sample = sampled(units, len(scores.topics), scores.topic_word, fixed=made.fixed)
    return replace(made, notes=(sample, *made.notes, *notes))


def _case(scores: Scores, evidence: Outcomes) -> Case:
    sizes = None if evidence.cluster is None else np.bincount(evidence.cluster).astype(float)
    by_topic = np.diff(evidence.starts)
    return Case(
        topics=len(scores.topics),
        items=len(evidence.items),
        fewest_items=int(by_topic.min(initial=len(evidence.items))),
        clusters=None if sizes is None else effective(sizes[sizes > 0]),
    )
