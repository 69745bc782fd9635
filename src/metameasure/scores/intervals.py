"""How sure the averages are: bootstrap over topics, over items by resampling the counts or over whole clusters, and credible
intervals from few items. No data is read again."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from metameasure.catalogue.entailment.orders import score_totals
from metameasure.catalogue.facts import Coverage, Reads
from metameasure.catalogue.measure import Measure
from metameasure.core.choices import DrawBy, IntervalKind, SampleUnits
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import Message, about, say, warn
from metameasure.core.notes import first_of, grouped, in_a_row, listed
from metameasure.core.scale import Scale
from metameasure.core.validity import FEWEST_TOPICS, Case, limit, limits, sampled
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.judgements import Drawn, DrawnItems, Judgements
from metameasure.evidence.outputs import Outputs
from metameasure.scores.of_evidence import lower_is_worse, share_of_worth
from metameasure.scores.scores import Intervals, ItemUnits, Scores
from metameasure.statistics.arrays import Floats, Integers, mean_of_defined
from metameasure.statistics.credible import MANY_ITEMS, credible_means
from metameasure.statistics.field import is_rare, skewness_of
from metameasure.statistics.mean_intervals import (
    Range,
    clusters_of,
    jackknife,
    logit_t_interval,
    mean_interval,
    t_interval,
    within_topics,
)
from metameasure.statistics.paired import bootstrap_means
from metameasure.statistics.resampling import normal_interval, percentile_interval, resampled_tables
from metameasure.statistics.streams import stream, times_drawn, trial_keys
from metameasure.statistics.units import Units
from metameasure.statistics.work import blocks, in_chunks

DrawnMeans = tuple[str, int, Floats]
"""A run, the place of a measure, and what the run's mean is by it in each draw (trials,), or its values on topics."""
Ends = tuple[Floats, Floats]
"""The low and the high ends of intervals (measures, runs)."""
_FLAT = 1e-12  # narrower, and an interval has no width but for rounding
_CELLS_AT_ONCE = 2**22
_CELLS_IN_CACHE = 2**18  # fewer, and threads wait for each other; more, and they wait for memory


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """How intervals are made, and from how many draws."""

    level: float = 0.95
    trials: int = 1000
    seed: int = 0
    kind: IntervalKind = "bootstrap"
    over_items: bool = True
    """Whether intervals over items are wanted too, where there are several topics."""
    units: SampleUnits | None = None
    """What is a sample: by default topics from six on, and items within fixed topics below. Bootstrap intervals: topics."""
    draw_by: DrawBy = "names"
    """What the draws over items depend on. Those of ``auto`` depend on data alone, so that equal runs have equal intervals; those
    of 0.2 are each run's own, by its name."""

    def of_run(self, run: str) -> np.random.Generator:
        """The draws over the items of a run."""
        return stream(self.seed) if self.draw_by == "data" else stream(self.seed, zlib.crc32(run.encode()))


def intervals(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any = None) -> Intervals:
    """Intervals of the scores' averages. Baselines in the scores, which are no draw of anything, have none. Where missing answers
    may be at either end of the scale, items are drawn with those of each measure and run at the end that is worse on average."""
    over = units_of_scores(scores, evidence, drawing.units, drawing.kind)
    made = _at_one_end(scores, evidence, replace(drawing, units=over), distance=distance)
    other = evidence.other_end()
    if other is not None and made.items is not None:
        at_other_end = _at_one_end(scores, other, replace(drawing, units=over), distance=distance).items or made.items
        lower = np.zeros((len(scores.measures), len(scores.runs)), dtype=bool)
        places = [scores.position(run) for run in evidence.runs]
        lower[:, places] = lower_is_worse(evidence, scores.measures, distance=distance, average=scores.average)
        low, high = (np.where(lower, ours, upper) for ours, upper in zip(at_other_end, made.items, strict=True))
        made = replace(made, items=(low, high))
    return with_limits(made, scores, evidence, distance=distance)


def units_of_scores(scores: Scores, evidence: Evidence, asked: SampleUnits | None, kind: IntervalKind = "auto") -> SampleUnits:
    """What is a sample of more: what was asked for, or else topics from six on and items within fixed topics below, where there
    are any. UsageError or DataError where what was asked for is not there."""
    has_items = evidence.has_items
    word = scores.topic_word
    if not scores.are_means:
        if asked == "topics" and has_items:
            raise topics_are_no_sample(len(scores.topics), word)
        if asked == "items" and not has_items:
            raise _no_items(scores)
        return "items" if has_items else "topics"
    if asked == "items" and not has_items:
        raise _no_items(scores)
    single = evidence.lone_units()
    if asked == "items" and single:
        units = "cluster" if evidence.clustered else "item"
        raise DataError(
            say(
                "{word} '{topic}' has one {units}, which says nothing about others there",
                word=word,
                topic=single[0],
                units=units,
            ),
            hint=say("choose {--units topics}, or put it together with another {word}", word=word),
        )
    few = len(scores.topics) < FEWEST_TOPICS and has_items and not single and kind == "auto"
    return asked or ("items" if few else "topics")


def topics_are_no_sample(topics: int, word: str = "topic") -> UsageError:
    """That nothing can be said of other topics: there is one, or all are taken as one."""
    pooled = say("all {word}s are taken as one ({--average pooled})", word=word)
    why = pooled if topics > 1 else f"there is one {word}"
    return UsageError(f"{why}, so that {word}s are no sample", hint=say("choose {--units items}, or leave it out"))


def _no_items(scores: Scores) -> UsageError:
    return UsageError(
        f"{scores.task} has no items that could be drawn within a {scores.topic_word}", hint=say("leave out {--units items}")
    )


def with_limits(made: Intervals, scores: Scores, evidence: Evidence, *, distance: Any = None) -> Intervals:
    """The intervals with the method behind each, and with what is to be said where its level is known to fail."""
    counts = evidence.label_counts()
    made = _without_sums(without_what_chance_gives(_without_width_0(made, scores), scores), scores)
    micro = scores.average == "pooled" and made.topics is not None
    methods = tuple(_methods(made, measure, scores.scale, micro=micro) for measure in scores.measures)
    made = replace(made, methods=methods)
    limited = [
        (note, measure.id)
        for row, (measure, method) in enumerate(zip(scores.measures, made.shown_methods(), strict=True))
        if method and not np.isnan(made.shown[0][row]).all()
        for case in [_case(scores, counts, row, distance)]
        for note in (*limits(method, case), *measured(measure.limits.get(method), case))
    ]
    clusters = clusters_of(_cluster_of_items(counts)) if made.drawn == "clusters" else None
    sample = sampled(made.drawn, len(scores.topics), scores.topic_word, fixed=made.fixed, clusters=clusters)
    return replace(made, notes=(sample, *made.notes, *noted(limited, len(scores.measures))))


def noted(said: Iterable[tuple[str, str]], measures: int) -> list[str]:
    """What is said of measures, each note once, with the measures that it is about where these are not all."""
    return [one if len(ids) == measures else about(one, measures=listed(ids, "and")) for one, ids in grouped(said).items()]


def _drawn_whole(counts: LabelCounts) -> bool:
    """Whether items are not drawn one by one: they come in clusters, or have several outputs."""
    return counts.outputs is not None and counts.outputs.clustered


def _cluster_of_items(counts: LabelCounts | None) -> Integers | None:
    return None if counts is None or counts.outputs is None else counts.outputs.cluster


def measured(coverage: Coverage | None, case: Case) -> list[Message]:
    """What is known of the intervals of one measure alone."""
    if coverage is None or (coverage.fewest is not None and (case.rarest is None or case.rarest >= coverage.fewest)):
        return []
    template = "{where}, 95% intervals cover {low:.0%} to {high:.0%}"
    return [limit(template, where=coverage.where, low=coverage.low, high=coverage.high)]


def _methods(made: Intervals, measure: Measure, scale: Scale | None, *, micro: bool) -> dict[str, str]:
    """The method behind a measure's intervals, by what was drawn; ``micro``: of rankings by all their pairs as one."""
    if made.kind == "bayes":
        return {made.units: "interval/bayes/items"}
    if measure.of_all:
        return dict.fromkeys(made.by_drawn(), "interval/systems/fisher")
    drawn = made.by_drawn()
    if made.kind == "bootstrap":
        return {units: f"interval/bootstrap/{'segments' if micro else units}" for units in drawn}
    items = (
        f"fixed-topics/{'normal' if made.units == 'items' else 'clusters'}"
        if made.topics is not None
        else "clusters/jackknife"
        if made.units == "clusters"
        else f"items/{'both' if measure.interval is None else 'normal'}"
    )
    methods = {"topics": t_method(measure.known_range(scale)), made.units: f"interval/{items}"}
    return {units: methods[units] for units in drawn}


def _case(scores: Scores, counts: LabelCounts | None, row: int, distance: Any) -> Case:
    """What the limits of intervals depend on."""
    measure, values = scores.measures[row], scores.values[row][:, scores.own]
    items = None if counts is None else counts.gold_items.sum(axis=1)
    _, effective = clusters_of(_cluster_of_items(counts)) or (None, None)
    return Case(
        topics=len(scores.topics),
        items=None if items is None else int(items.sum()),
        fewest_items=None if items is None or not len(items) else int(items.min()),
        clusters=effective,
        skewness=skewness_of(values),
        rare=is_rare(values),
        mean_of_items=measure.chance == "linear" and not measure.balances,
        rarest=None if counts is None else rarest_that_matters(measure, counts, distance),
    )


def rarest_that_matters(measure: Measure, counts: LabelCounts, distance: Any) -> int | None:
    """How many items the rarest class of gold has; None where the measure is a mean of items, whatever their classes."""
    if measure.reads != counts.name:
        return None
    sizes = counts.gold_items.sum(axis=0)
    rarest = int(sizes[sizes > 0].min(initial=sizes.sum()))
    apart = np.zeros((2, len(sizes), len(sizes)))
    apart[0, 0, :2], apart[1, 1, :2] = (2, 1), (1, 4)  # two gold classes, each in a table of its own
    read = np.stack([*apart, apart.sum(axis=0)])
    first, second, both = np.asarray(measure(read, classes=counts.scale, distance=distance), dtype=float)
    return None if abs((3 * first + 5 * second) / 8 - both) < _FLAT else rarest


def _without_width_0(made: Intervals, scores: Scores) -> Intervals:
    """No interval of width 0 without a word: those that hold have none there, and a note says why; others have it, and say so."""
    of_all = np.array([measure.of_all for measure in scores.measures], dtype=bool)
    known = ~np.isnan(scores.averages()) & scores.own & ~of_all[:, None]
    low, high = made.shown
    flat = known & (high - low <= _FLAT)
    unit = made.units if made.over_items else f"{scores.topic_word}s"
    if made.kind == "auto":
        ends = (np.where(flat, np.nan, low), np.where(flat, np.nan, high))
        made = replace(made, items=ends) if made.over_items else replace(made, topics=ends)
        missing = np.isnan(ends[0]) & known & np.array([[one.reads == LabelCounts.name or not made.over_items]
                                                        for one in scores.measures])  # fmt: skip
        alike = f"all {unit} score alike" if made.topics is None or not made.over_items else "all draws score alike"
        why, what = f"{alike}, or the score is an end of the range", "no interval"
    else:
        missing, what = flat, "an interval of width 0"
        why = "all draws score alike, which does not mean that the score is sure"
    by_measure = grouped(
        (measure.id, scores.runs[run])
        for row, measure in enumerate(scores.measures)
        for run in np.flatnonzero(missing[row]).tolist()
    )
    said = "{measure} has {what} for {runs}: {why}"
    notes = (warn("no interval", said, measure=id, what=what, runs=first_of(runs), why=why) for id, runs in by_measure.items())
    return replace(made, notes=(*made.notes, *notes))


def without_what_chance_gives(made: Intervals, scores: Scores) -> Intervals:
    """No interval that holds of a measure that is too high by chance: the one that is corrected for it has one."""
    corrected = {row: measure.without_excess for row, measure in enumerate(scores.measures) if measure.excess is not None}
    if made.kind != "auto" or not corrected:
        return made
    for low, high in filter(None, (made.topics, made.items)):
        low[[*corrected]], high[[*corrected]] = np.nan, np.nan
    said = "{measure} has no interval, because it is too high by chance; {corrected} has one"
    notes = (warn("no interval", said, measure=scores.measures[row].id, corrected=one) for row, one in corrected.items())
    return replace(made, notes=(*made.notes, *notes))


def _without_sums(made: Intervals, scores: Scores) -> Intervals:
    """No interval of what is added up: it grows with the number of topics."""
    summed = [row for row, measure in enumerate(scores.measures) if measure.added_up]
    if not summed:
        return made
    for low, high in filter(None, (made.topics, made.items)):
        low[summed], high[summed] = np.nan, np.nan
    names = in_a_row([scores.measures[row].id for row in summed])
    said = "no interval of {measures}: it is no mean, and grows with the number of {topics}s"
    return replace(made, notes=(*made.notes, warn("no interval", said, measures=names, topics=scores.topic_word)))


def _that_hold(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any) -> Intervals:
    """Intervals that hold their level with few topics, clusters or items too: of the mean over topics by t on the logit of the
    range, where topics are fixed from items drawn within each; over clusters by leaving out one at a time; of one test set by
    bootstrap and credible interval together."""
    counts, drawing = evidence.label_counts(), replace(drawing, draw_by="data")
    if scores.are_means:
        over_topics = t_over_topics(scores, drawing)
        if counts is None or (drawing.units == "topics" and not drawing.over_items):
            return over_topics
        ends, notes = _within_topics(scores, evidence, counts, drawing, distance=distance)
        units: ItemUnits = "clusters" if counts.clustered else "items"
        said = notes if drawing.units == "items" else ()
        return replace(over_topics, items=ends, units=units, over=drawing.units or "topics", notes=said)
    if counts is not None and _drawn_whole(counts):
        _check_zeros(counts, drawing.kind)
        left = _by_leaving_out(scores, counts, distance, drawing.level)
        made = Intervals(drawing.level, drawing.trials, drawing.seed, None, left, kind="auto", units="clusters")
        return replace(made, over=drawing.units or "topics", notes=_notes_of_one_set(scores, counts))
    drawn = _at_one_end(scores, evidence, replace(drawing, kind="bootstrap", over_items=False), distance=distance)
    if drawn.items is None or counts is None:
        return replace(drawn, kind="auto")
    if counts.missing_are_zero:
        return replace(drawn, kind="auto")
    credible = _at_one_end(scores, evidence, replace(drawing, kind="bayes"), distance=distance)
    low, high = np.fmin(drawn.items[0], credible.shown[0]), np.fmax(drawn.items[1], credible.shown[1])
    return replace(drawn, kind="auto", items=(low, high))


def t_over_topics(scores: Scores, drawing: Drawing) -> Intervals:
    """Intervals of the means over topics, which are a sample of others; nothing is drawn."""
    ends = [_of_mean(scores, row, drawing.level) for row in range(len(scores.measures))]
    low, high = _as_shown(scores, *(np.stack([end[side] for end in ends]) for side in (0, 1)))
    return Intervals(drawing.level, drawing.trials, drawing.seed, (low, high), None, kind="auto")


def t_method(span: Range) -> str:
    """The method behind ``mean_interval`` of scores of such a range."""
    return f"interval/topics/{'logit-t' if all(map(math.isfinite, span)) else 't'}"


def _as_shown(scores: Scores, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The ends (measures, runs) of means over topics as the means themselves are shown."""
    of_logs = [row for row, measure in enumerate(scores.measures) if measure.of_logs]
    for ends in (low, high):
        ends[of_logs] = np.exp(ends[of_logs])
    return low, high


def _within_topics(
    scores: Scores, evidence: Evidence, counts: LabelCounts, drawing: Drawing, *, distance: Any
) -> tuple[Ends, tuple[str, ...]]:
    """The ends (measures, runs) of means over topics that are fixed, from units drawn within each, and which have none."""
    _check_zeros(counts, drawing.kind)
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    whole, order = _drawn_whole(counts), evidence.orders()
    in_order = _over_orders(scores, order, drawing) if order is not None and not whole else ()
    sizes, common = [_sizes(counts, run) for run in range(len(counts.runs))], scores.common_topics()
    for run, row, draws in chain(_over_items(scores, counts, distance, drawing, apart=True), in_order):
        own = sizes[counts.runs.index(run)]
        own = own[common[row]] if len(own) == len(scores.topics) else own
        if not len(own) or own.min() < 2:
            continue
        spread, measure, column = within_topics(draws, own), scores.measures[row], scores.position(run)
        least, most = measure.known_range(scores.scale)
        span = (least if measure.interval is None else max(least, measure.interval.least), most)
        ends = t_interval(
            scores.averages()[row, column], spread.error, spread.freedom if counts.clustered else math.inf, drawing.level, span
        )
        low[row, column], high[row, column] = ends
    notes = _no_interval(scores, "items in an order are not drawn in whole clusters") if whole else ()
    return (low, high), notes


def _sizes(counts: LabelCounts, run: int) -> Integers:
    """(topics,): how many units of a run are drawn within each topic; (1,) where they are drawn from all topics together."""
    if _drawn_whole(counts):
        return _apart(counts, run).sizes()
    if counts.missing_are_zero:
        return np.asarray(counts.gold_items.sum(axis=1))
    return np.asarray(np.rint(counts.item_tables([run])[0].sum(axis=(-2, -1))), dtype=np.int64)


def _apart(counts: LabelCounts, run: int) -> Units:
    """The clusters of a run, topics with tables of their own: by weight and by number of items."""
    assert counts.outputs is not None  # noqa: S101 - there are clusters
    alone = counts.outputs.of_runs([run])
    part = alone.of_items(alone.has()[0]).with_topics_apart(range(len(counts.topics)))
    return Units.of_rows([part.rows(0), part.rows(0, weighted=False)], len(counts.scale), topics=part.apart)


def _of_mean(scores: Scores, row: int, level: float) -> tuple[Floats, Floats]:
    """The ends (runs,) for one measure's means over topics; NaN for baselines."""
    values = scores.values[row]
    low, high = np.full((2, len(scores.runs)), np.nan)
    for run in np.flatnonzero(scores.own).tolist():
        used = values[~np.isnan(values[:, run]) if scores.own_topics else scores.common_topics()[row], run]
        if len(used) > 1 and np.isfinite(used).all():
            low[run], high[run] = mean_interval(used, level, scores.measures[row].known_range(scores.scale))
    return low, high


def _by_leaving_out(scores: Scores, counts: LabelCounts, distance: Any, level: float) -> Ends:
    """The ends (measures, runs)."""
    outputs, classes = counts.outputs, len(counts.scale)
    assert outputs is not None  # noqa: S101 - there are clusters
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    for position, run in enumerate(counts.runs):
        alone = outputs.of_runs([position])
        part = alone.of_items(alone.has()[0])
        units = Units.of_rows([part.rows(0), part.rows(0, weighted=False)], classes)
        tables, items = units.without_one(0), units.without_one(1)
        sizes = items[0].sum() - items[1:].sum(axis=(-2, -1))
        for row, measure in enumerate(scores.measures):
            if measure.reads == counts.name:
                read = measure.as_read(tables, items.sum(axis=(-2, -1)))
                value, *without = np.asarray(measure(read, classes=counts.scale, distance=distance), dtype=float).tolist()
                left = jackknife(value, without, sizes)
                ends = logit_t_interval(left.value, left.error, left.freedom, level, measure.known_range(counts.scale))
                low[row, scores.position(run)], high[row, scores.position(run)] = ends
    return low, high


def _at_one_end(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any) -> Intervals:
    """Intervals of evidence as it is, with its missing answers at the end of the scale where it has them."""
    if drawing.kind == "auto":
        return _that_hold(scores, evidence, drawing, distance=distance)
    level, trials, seed = drawing.level, drawing.trials, drawing.seed
    counts, order = evidence.label_counts(), evidence.orders()
    _check_zeros(counts, drawing.kind)
    if drawing.kind == "bayes":
        _check_one_set(scores)
        ends = _ends(scores, _credible(scores, counts, distance, drawing), level)
        beside = [measure.id for measure in scores.measures if measure.interval]
        why = say("draws of tables lie beside it; choose {--interval bootstrap}")
        notes = (
            *_no_interval(scores, "credible intervals are of counts"),
            *(warn("no interval", "no credible interval of {measure}: {why}", measure=id, why=why) for id in beside),
        )
        return Intervals(level, trials, seed, None, ends, kind="bayes", notes=notes)
    drawn_topics = over_topics(scores, level, trials, seed) if scores.are_means else None
    drawn_items = None
    if counts is not None and (drawing.over_items or drawing.units == "items" or drawn_topics is None):
        in_order = _over_orders(scores, order, drawing) if order is not None and not _drawn_whole(counts) else ()
        drawn = chain(_over_items(scores, counts, distance, drawing), in_order)
        drawn_items = _ends(scores, ((run, row, mean_of_defined(draws, 1)) for run, row, draws in drawn), level)
    if drawn_topics is None and drawn_items is None:
        raise UsageError(
            "there is nothing to resample for an interval",
            hint="an interval needs several topics, and scores that are averaged over topics",
        )
    units: ItemUnits = "clusters" if counts is not None and counts.clustered else "items"
    notes = _notes_of_one_set(scores, counts) if counts is not None and drawn_topics is None else ()
    over = drawing.units or "topics"
    return Intervals(level, trials, seed, drawn_topics, drawn_items, units=units, notes=notes, over=over)


def _notes_of_one_set(scores: Scores, counts: LabelCounts) -> tuple[str, ...]:
    """What has no interval over items or clusters, and whose is too short."""
    notes = _no_interval(scores, "items in an order are not drawn in whole clusters") if _drawn_whole(counts) else ()
    if not any(measure.interval for measure in scores.measures):
        return notes
    tables = {run: counts.item_tables([place])[0].sum(axis=0) for place, run in enumerate(counts.runs)}
    return (*notes, *(said for measure in scores.measures if (said := few_items(measure, tables))))


def _check_one_set(scores: Scores) -> None:
    """UsageError for credible intervals of a mean over topics: the prior of each topic would move it."""
    if scores.are_means:
        why = "over several topics the prior of each moves their mean, so that 95% intervals cover as little as 5%"
        raise UsageError(f"credible intervals are of one test set: {why}", hint=say("choose {--interval auto}"))


def _check_zeros(counts: LabelCounts | None, kind: IntervalKind) -> None:
    """UsageError for intervals that cannot be made where missing items are worth nothing."""
    if counts is None or not counts.missing_are_zero:
        return
    if kind == "bayes":
        why = say("credible intervals are of tables of answers, which have no place for an item without one ({--missing zero})")
        raise UsageError(why, hint=say("choose {--interval bootstrap}"))
    if _drawn_whole(counts):
        why = say("clusters are drawn with their answers, so that items without one ({--missing zero}) would be lost")
        raise UsageError(why, hint=say("leave out {--ci}, or choose {--missing worst}, drop or class:LABEL"))


def _no_interval(scores: Scores, why: str) -> tuple[str, ...]:
    """Which measures read an order, and have no interval."""
    names = [measure.id for measure in scores.measures if measure.reads != LabelCounts.name]
    return (warn("no interval", "no interval for {names}: {why}", names=in_a_row(names), why=why),) if names else ()


def few_items(measure: Measure, tables: Mapping[str, Floats]) -> str:
    """Of which runs the interval over items is too short, because their tables (C, C) have few items a cell; where of any."""
    if measure.interval is None:
        return ""
    cells = {run: (table.sum(axis=0) > 0).sum() * (table.sum(axis=1) > 0).sum() for run, table in tables.items()}
    short = [run for run, table in tables.items() if table.sum() < measure.interval.fewest * cells[run]]
    return (
        warn(
            "interval too short",
            "{measure}: with fewer than {fewest:g} items per cell of the table the interval of {names} is too short",
            measure=measure.id,
            fewest=measure.interval.fewest,
            names=first_of(short),
        )
        if short
        else ""
    )


def _ends(scores: Scores, drawn: Iterable[DrawnMeans], level: float) -> tuple[Floats, Floats]:
    """The intervals' low and high ends (measures, runs); NaN where nothing was drawn."""
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    for run, row, draws in drawn:
        column = scores.position(run)
        interval = scores.measures[row].interval
        low[row, column], high[row, column] = (
            percentile_interval(draws, level)
            if interval is None
            else normal_interval(scores.averages()[row, column], draws, level, interval.least)
        )
    return low, high


def _credible(scores: Scores, counts: LabelCounts | None, distance: Any, drawing: Drawing) -> Iterator[DrawnMeans]:
    """Tables drawn from what is known after seeing the counts, within each topic or all together, each run by itself."""
    if counts is None:
        raise UsageError("credible intervals are for measures of counts of labels", hint=say("choose {--interval bootstrap}"))
    if _drawn_whole(counts):
        raise UsageError(
            "credible intervals take items to be independent, which clusters and repeats are not",
            hint=say("choose {--interval bootstrap}"),
        )
    common = scores.common_topics()
    for position, run in enumerate(counts.runs):
        items, weights = _tables_of(counts, position, pool=scores.average == "pooled")
        each = _mean_weights(items, weights, of_gold_class=True) if counts.weighted else np.ones(items.shape)
        for row, measure in enumerate(scores.measures):
            if measure.reads == counts.name and measure.interval is None:
                used = common[row] if scores.average == "topics" else np.ones(1, dtype=bool)
                value = partial(_limit_value, measure, each[used], counts.scale, distance)
                yield run, row, credible_means(items[used], value, drawing.trials, drawing.of_run(run))


def _limit_value(measure: Measure, each: Floats, scale: Scale, distance: Any, proportions: Floats) -> Floats:
    """A measure of proportions of items that weigh so much each; of many items, where it counts them."""
    return np.asarray(measure(measure.as_read(proportions * each, MANY_ITEMS), classes=scale, distance=distance), dtype=float)


def over_topics(scores: Scores, level: float, trials: int, seed: int) -> tuple[Floats, Floats]:
    """Topics drawn with replacement, the same draws for all measures and runs; ``compare`` draws them so too."""
    draws = []
    by_name = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
    for values, used in zip(scores.values[:, by_name], scores.common_topics()[:, by_name], strict=True):
        drawn = np.full((trials, len(scores.runs)), np.nan)
        of_runs = (~np.isnan(values)).T if scores.own_topics else [used]
        for topics in np.unique(of_runs, axis=0):  # the same draws for runs whose means are over the same topics
            alike = np.array([not scores.own_topics or np.array_equal(topics, one) for one in (~np.isnan(values)).T])
            whole = np.isfinite(values[topics]).all(axis=0) & scores.own & alike
            if topics.any() and whole.any():
                drawn[:, whole] = bootstrap_means(values[topics][:, whole], trials, seed)
        draws.append(drawn)
    return _as_shown(scores, *both_ends(draws, level))


def both_ends(draws: Sequence[Floats], level: float) -> tuple[Floats, Floats]:
    """The intervals' low and high ends (measures, runs), from each measure's draws (trials, runs)."""
    low, high = zip(*(percentile_interval(drawn, level) for drawn in draws), strict=True)
    return np.stack(low), np.stack(high)


def _over_items(
    scores: Scores, counts: LabelCounts, distance: Any, drawing: Drawing, *, apart: bool = False
) -> Iterator[DrawnMeans]:
    """Items drawn with replacement within each topic (or all together, where the average is pooled), each run by itself: its
    values on the topics that are averaged (trials, topics). ``apart``: clusters that lie in several topics are drawn whole."""
    common, trials = scores.common_topics(), drawing.trials
    for position, run in enumerate(counts.runs):
        draws: list[list[Floats]] = [[] for _ in scores.measures]
        rng, pool = drawing.of_run(run), scores.average == "pooled"
        outputs = counts.outputs
        drawn_anew = (
            ((tables[0], tables[1].sum(axis=(-2, -1))) for tables in _apart(counts, position).resampled(trials, rng))
            if apart and outputs is not None and outputs.clustered
            else _drawn_clusters(outputs, position, 1 if pool else len(counts.topics), trials, rng)
            if outputs is not None and outputs.clustered
            else _drawn_tables(counts, position, trials, rng, pool=pool)
        )
        for tables, items in drawn_anew:
            for row, measure in enumerate(scores.measures):
                if measure.reads != counts.name:
                    continue
                if counts.missing_are_zero:  # the last column counts items without an answer
                    scored = share_of_worth(measure, tables[..., :-1], tables.sum(axis=-1), counts.scale)
                else:
                    drawn = measure.resampled
                    scored = np.asarray(drawn(drawn.as_read(tables, items), classes=counts.scale, distance=distance))
                draws[row].append(scored[:, common[row]] if scores.average == "topics" else scored)
        yield from ((run, row, np.concatenate(parts)) for row, parts in enumerate(draws) if parts)


def _over_orders(scores: Scores, evidence: Judgements, drawing: Drawing) -> Iterator[DrawnMeans]:
    """The same for measures that read an order."""
    rows = [row for row, measure in enumerate(scores.measures) if measure.reads != evidence.counts.name]
    common = scores.common_topics()
    pool = scores.average == "pooled"
    for run, items in enumerate(evidence.items):
        if items is not None and rows:
            drawn = drawn_orders(evidence, run, [scores.measures[row].resampled for row in rows], drawing, pool=pool)
            for row, scored in zip(rows, drawn, strict=True):
                yield evidence.runs[run], row, scored if pool else scored[:, common[row]]


def drawn_orders(evidence: Judgements, run: int, measures: Sequence[Measure], drawing: Drawing, *, pool: bool) -> Floats:
    """Each measure on items drawn with replacement, within each topic or all together: (measures, trials, topics)."""
    parts, trials, seed = evidence.drawn_parts(run, pool=pool), drawing.trials, drawing.seed
    name = "" if drawing.draw_by == "data" else evidence.runs[run]
    scored = np.full((len(measures), trials, len(parts)), np.nan)
    for place, part in enumerate(parts):
        if part.items:
            own_seed = zlib.crc32(f"{seed}/{place}/{name}".encode()) + (seed << 32)
            draw = partial(_draw_part, evidence, part, measures, own_seed)
            scored[:, :, place] = in_chunks(draw, trials, chunk=max(1, _CELLS_IN_CACHE // part.items)).T
    return scored


def score_drawn(measure: Measure, reading: Drawn, scale: Scale) -> Floats:
    """A measure of one of ``DrawnItems.readings``, for each draw."""
    if measure.reads in (Reads.BELIEF_ORDER, Reads.CONFIDENCE_ORDER):
        return np.asarray(score_totals(measure, *reading), dtype=float)
    return np.asarray(measure(*reading, classes=scale), dtype=float)


def _draw_part(evidence: Judgements, part: DrawnItems, measures: Sequence[Measure], seed: int, first: int, count: int) -> Floats:
    """Some trials of one topic: (trials, measures)."""
    times = times_drawn(trial_keys(seed, first, count), part.items)
    scored = np.full((count, len(measures)), np.nan)
    readings = part.readings({measure.reads for measure in measures if part.has(measure.reads)}, times)
    for row, measure in enumerate(measures):
        if measure.reads in readings:
            scored[:, row] = score_drawn(measure, readings[measure.reads], evidence.scale)
    return scored


def _drawn_tables(counts: LabelCounts, run: int, trials: int, rng: np.random.Generator, *, pool: bool) -> Any:
    """Resampled tables (trials, topics, C, C) and their numbers of items, in parts. An item has the mean weight of its cell."""
    items, weights = _tables_of(counts, run, pool=pool)
    each = _mean_weights(items, weights)
    flat = items.reshape(len(items), -1)
    for _, number in blocks(trials, flat.size, _CELLS_AT_ONCE):
        drawn = resampled_tables(flat, number, rng).reshape(number, *items.shape)
        yield drawn * each if counts.weighted else drawn, drawn.sum(axis=(-2, -1))


def _tables_of(counts: LabelCounts, run: int, *, pool: bool) -> tuple[Floats, Floats]:
    """A run's counts of items and its weights (topics, C, C), all topics as one where they are pooled. Where missing items are
    worth nothing, they have a column of their own behind the classes."""
    items, weights = counts.item_tables([run])[0], counts.tables([run])[0]
    if counts.missing_are_zero:
        items, weights = (
            np.concatenate([table, (gold - table.sum(axis=-1))[..., None]], axis=-1)
            for table, gold in ((items, counts.gold_items), (weights, counts.gold_tables()))
        )
    return (items.sum(axis=0, keepdims=True), weights.sum(axis=0, keepdims=True)) if pool else (items, weights)


def _drawn_clusters(outputs: Outputs, run: int, topics: int, trials: int, rng: np.random.Generator) -> Any:
    """The same from whole clusters, drawn with replacement within each topic, or all together where there is one."""
    alone = outputs.of_runs([run])
    place = alone.topic if topics > 1 else np.zeros(len(alone.gold), dtype=np.int64)
    answered = alone.has()[0]
    parts = [alone.of_items(answered & (place == topic)) for topic in range(topics)]
    classes = len(outputs.scale)
    units = [Units.of_rows([part.rows(0), part.rows(0, weighted=False)], classes) for part in parts]
    for _, number in blocks(trials, topics * classes**2, _CELLS_AT_ONCE):
        drawn = np.zeros((2, number, topics, classes, classes))
        for topic, one in enumerate(units):
            if one.total:
                drawn[:, :, topic] = np.concatenate([*one.resampled(number, rng)], axis=1)
        yield drawn[0], drawn[1].sum(axis=(-2, -1))


def _mean_weights(items: Floats, weights: Floats, *, of_gold_class: bool = False) -> Floats:
    """The mean weight of an item in each cell; in empty ones 0, or that of the gold class."""
    empty: Floats = np.zeros(items.shape)
    if of_gold_class:
        number = items.sum(axis=-1, keepdims=True)
        empty = np.broadcast_to(weights.sum(axis=-1, keepdims=True) / np.maximum(number, 1), items.shape)
    return np.where(items > 0, weights / np.where(items > 0, items, 1), empty)
