"""How sure the averages are: bootstrap over topics, and over items by resampling the counts. No data is read again."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.measure import Measure
from metameasure.errors import UsageError
from metameasure.evidence.base import Evidence
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.judgements import DrawnItems, Judgements
from metameasure.scores.cube import Intervals, Scores
from metameasure.statistics.paired import bootstrap_means
from metameasure.statistics.resampling import percentile_interval, resampled_tables, stream
from metameasure.statistics.streams import times_drawn, trial_keys
from metameasure.statistics.work import in_chunks

Floats = npt.NDArray[np.float64]
_CELLS_AT_ONCE = 2**22
_CELLS_IN_CACHE = 2**17  # beyond that, most of the time goes into waiting for memory


def intervals(
    scores: Scores, evidence: Evidence, *, distance: Any = None, level: float = 0.95, trials: int = 1000, seed: int = 0
) -> Intervals:
    """Intervals of the scores' averages. Baselines in the scores, which are no draw of anything, have none."""
    several = len(scores.topics) > 1 and scores.average == "topics"
    drawn_topics = over_topics(scores, level, trials, seed) if several else None
    counts = evidence.counts if isinstance(evidence, Judgements) else evidence
    over_items = None
    if isinstance(counts, LabelCounts):
        over_items = _over_items(scores, counts, distance, level, trials, seed)
    if isinstance(evidence, Judgements) and over_items is not None:
        _fill_in_orders(over_items, scores, evidence, level, trials, seed)
    if drawn_topics is None and over_items is None:
        raise UsageError(
            "there is nothing to draw anew for an interval", hint="it takes several topics, and their scores averaged over topics"
        )
    return Intervals(level, trials, seed, drawn_topics, over_items)


def over_topics(scores: Scores, level: float, trials: int, seed: int) -> tuple[Floats, Floats]:
    """Topics drawn with replacement, the same draws for all measures and runs; ``compare`` draws them so too."""
    draws = []
    by_name = sorted(range(len(scores.topics)), key=scores.topics.__getitem__)
    for values, used in zip(scores.values[:, by_name], scores.common_topics()[:, by_name], strict=True):
        drawn = np.full((trials, len(scores.runs)), np.nan)
        whole = np.isfinite(values[used]).all(axis=0) & scores.own
        if used.any() and whole.any():
            drawn[:, whole] = bootstrap_means(values[used][:, whole], trials, seed)
        draws.append(drawn)
    return both_ends(draws, level)


def both_ends(draws: Sequence[Floats], level: float) -> tuple[Floats, Floats]:
    """The intervals' low and high ends (measures, runs), from each measure's draws (trials, runs)."""
    ends = [percentile_interval(drawn, level) for drawn in draws]
    low, high = (np.stack([end[side] for end in ends]) for side in (0, 1))
    return low, high


def _over_items(
    scores: Scores, counts: LabelCounts, distance: Any, level: float, trials: int, seed: int
) -> tuple[Floats, Floats]:
    """Items drawn with replacement within each topic (or all together, where the average is pooled), each run by itself."""
    shape = (len(scores.measures), len(scores.runs))
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    common = scores.common_topics()
    for position, run in enumerate(counts.runs):
        column = scores.position(run)
        draws: list[list[Floats]] = [[] for _ in scores.measures]
        for tables, items in _drawn_tables(
            counts, position, trials, stream(seed, zlib.crc32(run.encode())), pool=scores.average == "pooled"
        ):
            for row, measure in enumerate(scores.measures):
                if measure.reads != counts.name:
                    continue
                drawn = measure.as_read(tables, items)
                scored = np.asarray(measure(drawn, classes=counts.scale, distance=distance))
                draws[row].append(_defined_means(scored[:, common[row]] if scores.average == "topics" else scored))
        for row, parts in enumerate(draws):
            if not parts:
                continue
            low[row, column], high[row, column] = percentile_interval(np.concatenate(parts), level)
    return low, high


def _fill_in_orders(
    ends: tuple[Floats, Floats], scores: Scores, evidence: Judgements, level: float, trials: int, seed: int
) -> None:
    """The intervals over items of measures that read an order, put where those of tables cannot be."""
    rows = [row for row, measure in enumerate(scores.measures) if measure.reads != evidence.counts.name]
    common = scores.common_topics()
    pool = scores.average == "pooled"
    for run, items in enumerate(evidence.items):
        if items is None or not rows:
            continue
        drawn = _drawn_orders(evidence, run, [scores.measures[row] for row in rows], trials, seed, pool=pool)
        column = scores.position(evidence.runs[run])
        for row, scored in zip(rows, drawn, strict=True):
            means = _defined_means(scored if pool else scored[:, common[row]])
            ends[0][row, column], ends[1][row, column] = percentile_interval(means, level)


def _drawn_orders(evidence: Judgements, run: int, measures: Sequence[Measure], trials: int, seed: int, *, pool: bool) -> Floats:
    """Each measure on items drawn with replacement, within each topic or all together: (measures, trials, topics)."""
    parts = evidence.drawn_parts(run, pool=pool)
    scored = np.full((len(measures), trials, len(parts)), np.nan)
    for place, part in enumerate(parts):
        if part.items:
            draw = partial(_draw_part, evidence, part, measures, _part_seed(seed, evidence.runs[run], place))
            chunk = max(1, _CELLS_IN_CACHE // part.items)
            scored[:, :, place] = in_chunks(draw, trials, chunk=chunk).T
    return scored


def _part_seed(seed: int, run: str, place: int) -> int:
    """Each run's and topic's own."""
    return zlib.crc32(f"{seed}/{place}/{run}".encode()) + (seed << 32)


def _draw_part(evidence: Judgements, part: DrawnItems, measures: Sequence[Measure], seed: int, first: int, count: int) -> Floats:
    """Some trials of one topic: (trials, measures)."""
    times = times_drawn(trial_keys(seed, first, count), part.items)
    scored = np.full((count, len(measures)), np.nan)
    readings: dict[str, tuple[Floats, ...]] = {}
    for row, measure in enumerate(measures):
        if part.has(measure.reads):
            if measure.reads not in readings:
                readings[measure.reads] = part.reading(measure.reads, times)
            options = {"classes": evidence.scale} if measure.inputs.of_classes else {}
            scored[:, row] = measure(*readings[measure.reads], **options)
    return scored


def _drawn_tables(counts: LabelCounts, run: int, trials: int, rng: np.random.Generator, *, pool: bool) -> Any:
    """Resampled tables (trials, topics, C, C) and their numbers of items, in parts. An item has the mean weight of its cell."""
    items, weights = counts.item_tables([run])[0], counts.tables([run])[0]
    if pool:
        items, weights = items.sum(axis=0, keepdims=True), weights.sum(axis=0, keepdims=True)
    each = _mean_weights(items, weights)
    flat = items.reshape(len(items), -1)
    step = max(1, _CELLS_AT_ONCE // flat.size)
    for first in range(0, trials, step):
        number = min(step, trials - first)
        drawn = resampled_tables(flat, number, rng).reshape(number, *items.shape)
        yield drawn * each if counts.weighted else drawn, drawn.sum(axis=(-2, -1))


def _defined_means(scored: Floats) -> Floats:
    """The mean of each draw over the topics on which it is defined; NaN where it is on none."""
    defined = ~np.isnan(scored)
    count = defined.sum(axis=1)
    return np.where(count > 0, np.where(defined, scored, 0).sum(axis=1) / np.maximum(count, 1), np.nan)


def _mean_weights(items: Floats, weights: Floats) -> Floats:
    """The mean weight of an item in each cell; 0 in empty ones."""
    return np.where(items > 0, weights / np.where(items > 0, items, 1), 0)
