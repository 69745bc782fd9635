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
from metameasure.catalogue.facts import Reads
from metameasure.catalogue.measure import Measure
from metameasure.errors import UsageError
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts, LabelEvidence
from metameasure.evidence.judgements import Drawn, DrawnItems, Judgements
from metameasure.evidence.outputs import Outputs
from metameasure.messages import say, warn
from metameasure.notes import first_of, grouped
from metameasure.scale import Scale
from metameasure.scores.cube import IntervalKind, Intervals, ItemUnits, Scores, lower_is_worse, share_of_worth
from metameasure.statistics.arrays import Floats, mean_of_defined
from metameasure.statistics.credible import MANY_ITEMS, credible_means
from metameasure.statistics.mean_intervals import jackknife, logit_t_interval, mean_interval
from metameasure.statistics.paired import bootstrap_means
from metameasure.statistics.resampling import normal_interval, percentile_interval, resampled_tables
from metameasure.statistics.streams import stream, times_drawn, trial_keys
from metameasure.statistics.units import Units
from metameasure.statistics.work import blocks, in_chunks

DrawnMeans = tuple[str, int, Floats]
"""A run, the place of a measure, and what the run's mean is by it in each draw."""
Ends = tuple[Floats, Floats]
"""The low and the high ends of intervals (measures, runs)."""
_FEW_CLUSTERS = 10
_MOST_NAMED = 5
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


def intervals(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any = None) -> Intervals:
    """Intervals of the scores' averages. Baselines in the scores, which are no draw of anything, have none. Where missing answers
    may be at either end of the scale, items are drawn with those of each measure and run at the end that is worse on average."""
    if drawing.kind == "auto":
        return _that_hold(scores, evidence, drawing, distance=distance)
    made = _at_one_end(scores, evidence, drawing, distance=distance)
    other = evidence.other_end() if isinstance(evidence, LabelEvidence) else None
    if not isinstance(evidence, LabelEvidence) or other is None or made.items is None:
        return made
    at_other_end = _at_one_end(scores, other, drawing, distance=distance).items or made.items
    lower = np.zeros((len(scores.measures), len(scores.runs)), dtype=bool)
    places = [scores.position(run) for run in evidence.runs]
    lower[:, places] = lower_is_worse(evidence, scores.measures, distance=distance, average=scores.average)
    low, high = (np.where(lower, ours, upper) for ours, upper in zip(at_other_end, made.items, strict=True))
    return replace(made, items=(low, high))


def _that_hold(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any) -> Intervals:
    """Intervals that hold their level with few topics, clusters or items too: of the mean over topics by t on the logit of the
    range; over clusters the same from leaving out one at a time; of one test set by bootstrap and credible interval together."""
    drawn = intervals(scores, evidence, replace(drawing, kind="bootstrap", over_items=False), distance=distance)
    if drawn.topics is not None:
        return t_over_topics(scores, drawing)
    counts = evidence.label_counts() if isinstance(evidence, LabelEvidence) else None
    if drawn.items is None or counts is None:
        return replace(drawn, kind="auto")
    if counts.outputs is not None and counts.outputs.clustered:
        left, notes = _by_leaving_out(scores, counts, distance, drawing.level)
        return replace(drawn, kind="auto", units="clusters", items=left, notes=(*drawn.notes, *notes))
    if counts.missing_are_zero:
        return replace(drawn, kind="auto")
    credible = intervals(scores, evidence, replace(drawing, kind="bayes"), distance=distance)
    low, high = np.fmin(drawn.items[0], credible.shown[0]), np.fmax(drawn.items[1], credible.shown[1])
    return replace(drawn, kind="auto", items=(low, high))


def t_over_topics(scores: Scores, drawing: Drawing) -> Intervals:
    """Intervals of the means over topics, which are a sample of others; nothing is drawn."""
    ends = [_of_mean(scores, row, drawing.level) for row in range(len(scores.measures))]
    low, high = (np.stack([end[side] for end in ends]) for side in (0, 1))
    notes = _alike(scores, low)
    return Intervals(drawing.level, drawing.trials, drawing.seed, (low, high), None, kind="auto", notes=notes)


def _of_mean(scores: Scores, row: int, level: float) -> tuple[Floats, Floats]:
    """The ends (runs,) for one measure's means over topics; NaN for baselines."""
    values = scores.values[row]
    low, high = np.full((2, len(scores.runs)), np.nan)
    for run in np.flatnonzero(scores.own).tolist():
        used = values[~np.isnan(values[:, run]) if scores.own_topics else scores.common_topics()[row], run]
        if len(used) > 1 and np.isfinite(used).all():
            low[run], high[run] = mean_interval(used, level, scores.measures[row].known_range(scores.scale))
    return low, high


def _alike(scores: Scores, low: Floats) -> tuple[str, ...]:
    """Which runs have no interval because all topics score alike, or their mean is an end of the range."""
    known = ~np.isnan(scores.averages())
    by_measure = grouped(
        (measure.id, scores.runs[run])
        for row, measure in enumerate(scores.measures)
        for run in np.flatnonzero(np.isnan(low[row]) & known[row] & scores.own).tolist()
    )
    why = "all topics score alike, or the mean is an end of the range"
    return tuple(
        warn("no interval", "{measure}: no interval of {names}: {why}", measure=id, names=first_of(runs, _MOST_NAMED), why=why)
        for id, runs in by_measure.items()
    )


def _by_leaving_out(scores: Scores, counts: LabelCounts, distance: Any, level: float) -> tuple[Ends, tuple[str, ...]]:
    """The ends (measures, runs), and a note where clusters are few or unequal."""
    outputs, classes = counts.outputs, len(counts.scale)
    assert outputs is not None  # noqa: S101 - there are clusters
    low, high = np.full((2, len(scores.measures), len(scores.runs)), np.nan)
    fewest = math.inf
    for position, run in enumerate(counts.runs):
        alone = outputs.of_runs([position])
        part = alone.of_items(alone.has()[0])
        units = Units.of_rows([part.rows(0), part.rows(0, weighted=False)], classes)
        tables, items = (_whole_and_without_each(units, amount) for amount in units.amount)
        sizes = items[0].sum() - items[1:].sum(axis=(-2, -1))
        for row, measure in enumerate(scores.measures):
            if measure.reads == counts.name:
                read = measure.as_read(tables, items.sum(axis=(-2, -1)))
                value, *without = np.asarray(measure(read, classes=counts.scale, distance=distance), dtype=float).tolist()
                left = jackknife(value, without, sizes)
                ends = logit_t_interval(left.value, left.error, left.freedom, level, measure.known_range(counts.scale))
                low[row, scores.position(run)], high[row, scores.position(run)] = ends
                fewest = min(fewest, left.effective)
    few = warn(
        "few effective clusters",
        "few effective clusters ({fewest:.1f}): the intervals over clusters are wide, and no shorter ones hold",
        fewest=fewest,
    )
    return (low, high), ((few,) if fewest < _FEW_CLUSTERS else ())


def _whole_and_without_each(units: Units, amount: Floats) -> Floats:
    """Tables (1 + units, C, C): of all units, and without each."""
    each = np.zeros((units.total, units.classes**2))
    np.add.at(each, (units.kind, units.cell), amount)
    whole = each.sum(axis=0)
    return np.concatenate([whole[None], whole - each]).reshape(-1, units.classes, units.classes)


def _at_one_end(scores: Scores, evidence: Evidence, drawing: Drawing, *, distance: Any) -> Intervals:
    """The same of evidence as it is."""
    level, trials, seed = drawing.level, drawing.trials, drawing.seed
    counts = evidence.counts if isinstance(evidence, Judgements) else evidence
    _check_zeros(counts, drawing.kind)
    if drawing.kind == "bayes":
        ends = _ends(scores, _credible(scores, counts, distance, trials, seed), level)
        beside = [measure.id for measure in scores.measures if measure.interval]
        why = say("draws of tables lie beside it; choose {--interval bootstrap}")
        notes = (
            *_no_interval(scores, "credible intervals are of counts"),
            *(warn("no interval", "no credible interval of {measure}: {why}", measure=id, why=why) for id in beside),
        )
        return Intervals(level, trials, seed, None, ends, kind="bayes", notes=notes)
    several = len(scores.topics) > 1 and scores.average == "topics"
    drawn_topics = over_topics(scores, level, trials, seed) if several else None
    drawn_items = None
    whole = isinstance(counts, LabelCounts) and counts.outputs is not None and counts.outputs.clustered
    if isinstance(counts, LabelCounts) and (drawing.over_items or drawn_topics is None):
        in_order = _over_orders(scores, evidence, trials, seed) if isinstance(evidence, Judgements) and not whole else ()
        drawn_items = _ends(scores, chain(_over_items(scores, counts, distance, trials, seed), in_order), level)
    if drawn_topics is None and drawn_items is None:
        raise UsageError(
            "there is nothing to resample for an interval",
            hint="an interval needs several topics, and scores that are averaged over topics",
        )
    units: ItemUnits = "clusters" if isinstance(counts, LabelCounts) and counts.clusters else "items"
    notes = _no_interval(scores, "items in an order are not drawn in whole clusters") if whole and drawn_topics is None else ()
    if isinstance(counts, LabelCounts) and drawn_topics is None and any(measure.interval for measure in scores.measures):
        tables = {run: counts.item_tables([place])[0].sum(axis=0) for place, run in enumerate(counts.runs)}
        notes += tuple(said for measure in scores.measures if (said := few_items(measure, tables)))
    return Intervals(level, trials, seed, drawn_topics, drawn_items, units=units, notes=notes)


def _check_zeros(counts: Evidence, kind: IntervalKind) -> None:
    """UsageError for intervals that cannot be made where missing items are worth nothing."""
    if not isinstance(counts, LabelCounts) or not counts.missing_are_zero:
        return
    if kind == "bayes":
        why = say("credible intervals are of tables of answers, which have no place for an item without one ({--missing zero})")
        raise UsageError(why, hint=say("choose {--interval bootstrap}"))
    if counts.outputs is not None and counts.outputs.clustered:
        why = say("clusters are drawn with their answers, so that items without one ({--missing zero}) would be lost")
        raise UsageError(why, hint=say("leave out {--ci}, or choose {--missing worst}, drop or class:LABEL"))


def _no_interval(scores: Scores, why: str) -> tuple[str, ...]:
    """Which measures read an order, and have no interval."""
    names = [measure.id for measure in scores.measures if measure.reads != LabelCounts.name]
    return (warn("no interval", "no interval of {names}: {why}", names=", ".join(names), why=why),) if names else ()


def few_items(measure: Measure, tables: Mapping[str, Floats]) -> str:
    """Of which runs the interval over items is too short, because their tables (C, C) have few items a cell; where of any."""
    if measure.interval is None:
        return ""
    cells = {run: (table.sum(axis=0) > 0).sum() * (table.sum(axis=1) > 0).sum() for run, table in tables.items()}
    short = [run for run, table in tables.items() if table.sum() < measure.interval.fewest * cells[run]]
    few = f"fewer than {measure.interval.fewest:g} items a cell of the table"
    return (
        warn(
            "interval too short",
            "{measure}: with {few}, the interval of {names} is too short",
            measure=measure.id,
            few=few,
            names=first_of(short, _MOST_NAMED),
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


def _credible(scores: Scores, counts: Evidence, distance: Any, trials: int, seed: int) -> Iterator[DrawnMeans]:
    """Tables drawn from what is known after seeing the counts, within each topic or all together, each run by itself."""
    if not isinstance(counts, LabelCounts):
        raise UsageError("credible intervals are for measures of counts of labels", hint=say("choose {--interval bootstrap}"))
    if counts.outputs is not None and counts.outputs.clustered:
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
                yield run, row, credible_means(items[used], value, trials, stream(seed, zlib.crc32(run.encode())))


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
    return both_ends(draws, level)


def both_ends(draws: Sequence[Floats], level: float) -> tuple[Floats, Floats]:
    """The intervals' low and high ends (measures, runs), from each measure's draws (trials, runs)."""
    low, high = zip(*(percentile_interval(drawn, level) for drawn in draws), strict=True)
    return np.stack(low), np.stack(high)


def _over_items(scores: Scores, counts: LabelCounts, distance: Any, trials: int, seed: int) -> Iterator[DrawnMeans]:
    """Items drawn with replacement within each topic (or all together, where the average is pooled), each run by itself."""
    common = scores.common_topics()
    for position, run in enumerate(counts.runs):
        draws: list[list[Floats]] = [[] for _ in scores.measures]
        rng, pool = stream(seed, zlib.crc32(run.encode())), scores.average == "pooled"
        outputs = counts.outputs
        drawn_anew = (
            _drawn_clusters(outputs, position, 1 if pool else len(counts.topics), trials, rng)
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
                draws[row].append(mean_of_defined(scored[:, common[row]] if scores.average == "topics" else scored, 1))
        yield from ((run, row, np.concatenate(parts)) for row, parts in enumerate(draws) if parts)


def _over_orders(scores: Scores, evidence: Judgements, trials: int, seed: int) -> Iterator[DrawnMeans]:
    """The same for measures that read an order."""
    rows = [row for row, measure in enumerate(scores.measures) if measure.reads != evidence.counts.name]
    common = scores.common_topics()
    pool = scores.average == "pooled"
    for run, items in enumerate(evidence.items):
        if items is not None and rows:
            drawn = drawn_orders(evidence, run, [scores.measures[row] for row in rows], trials, seed, pool=pool)
            for row, scored in zip(rows, drawn, strict=True):
                yield evidence.runs[run], row, mean_of_defined(scored if pool else scored[:, common[row]], 1)


def drawn_orders(evidence: Judgements, run: int, measures: Sequence[Measure], trials: int, seed: int, *, pool: bool) -> Floats:
    """Each measure on items drawn with replacement, within each topic or all together: (measures, trials, topics)."""
    parts = evidence.drawn_parts(run, pool=pool)
    scored = np.full((len(measures), trials, len(parts)), np.nan)
    for place, part in enumerate(parts):
        if part.items:
            own_seed = zlib.crc32(f"{seed}/{place}/{evidence.runs[run]}".encode()) + (seed << 32)
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
