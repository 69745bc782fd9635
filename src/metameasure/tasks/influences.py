"""How much each item, or each topic, moved the difference between two runs.

The influence of a unit is half of what the difference loses where the two runs swap their outputs for it: (D - D') / 2, where D
is the score of the first run minus that of the second, and D' the same after the swap. Of a mean over units that is the unit's
share of the difference, and the influences add up to it; of any other measure it is exact for each unit by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure, score_together
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.outcomes import Outcomes
from metameasure.evidence.outputs import Outputs
from metameasure.evidence.swapped import mean_of_tables
from metameasure.scores.scores import Scores
from metameasure.statistics.arrays import Floats, Integers

_MOST_CELLS = 2**22


@dataclass(frozen=True, eq=False)
class Influences:
    """Of two runs: their scores, and of every unit its name, its topic, what gold and the runs say of it and how far it moved the
    difference. ``gold`` and ``said`` are places among ``labels``, -1 for nothing, where there are classes; otherwise ``said`` has
    numbers."""

    unit: str
    scores: tuple[float, float]
    names: Sequence[str]
    influence: Floats
    said: tuple[Any, Any]
    gold: Integers | None = None
    topics: Sequence[str] = ()
    topic: Integers | None = None
    labels: tuple[str, ...] = ()

    @property
    def differs(self) -> Any:
        """(units,): where the runs say different things."""
        first, second = self.said
        return (first != second) & ~(np.isnan(first.astype(float)) & np.isnan(second.astype(float)))


def by_topics(scores: Scores, average: Average) -> Influences:
    """Of the topics, by the scores of one measure and two runs."""
    if average != "topics":
        hint = say("choose {--average topics}")
        raise UsageError(f"{scores.task} is explained by the means over its {scores.topic_word}s", hint=hint)
    values = np.asarray(scores.values[0], dtype=float).T  # (runs, topics)
    places = np.arange(values.shape[1])
    after = _after(values, places, values[::-1].T)
    return Influences(scores.topic_word, _means(values), scores.topics, _half(values, after), (values[0], values[1]))


def of_labels(counts: LabelCounts, measure: Measure, *, distance: Any, average: Average) -> Influences:
    """Of the items, by a measure of tables. Items that are alike in gold, in both runs and in their topic have the same
    influence, which is computed once."""
    outputs = counts.outputs
    assert outputs is not None  # noqa: S101 - the task keeps them
    _check_labels(counts, outputs, measure)
    pooled = average == "pooled" or len(counts.topics) == 1
    first, second = outputs.labels.astype(np.int64)
    topic = np.zeros_like(outputs.topic) if pooled else outputs.topic
    tables, items = (array.sum(axis=1, keepdims=True) if pooled else array for array in (counts.tables(), counts.item_tables()))
    sizes = items.sum(axis=(-2, -1))  # (runs, topics)

    def scored(tables: Floats, sizes: Floats) -> Floats:
        read = measure.as_read(tables, sizes)
        return np.asarray(score_together([measure], read, classes=counts.scale, distance=distance)[0], dtype=float)

    values = scored(tables, sizes)
    differs = np.flatnonzero(first != second)
    weight = np.ones(len(first)) if outputs.weight is None else outputs.weight
    kinds, which = _kinds([column[differs] for column in (topic, outputs.gold, first, second)], weight[differs])
    after = np.empty((len(kinds), 2))
    step = max(1, _MOST_CELLS // tables.shape[-1] ** 2)
    for start in range(0, len(kinds), step):
        block = slice(start, start + step)
        own = kinds[block, 0].astype(np.int64)
        after[block] = scored(*_swapped(tables[:, own], sizes[:, own], kinds[block])).T
    influence = np.zeros(len(first))
    influence[differs] = _half(values, _after(values, kinds[:, 0].astype(np.int64), after))[which]
    names: Any = [str(number) for number in range(1, len(first) + 1)] if outputs.names is None else outputs.names
    return Influences(
        "item",
        _means(values),
        names,
        influence,
        (first, second),
        outputs.gold,
        counts.topics,
        outputs.topic if len(counts.topics) > 1 else None,
        counts.scale.labels,
    )


def _check_labels(counts: LabelCounts, outputs: Outputs, measure: Measure) -> None:
    if measure.reads not in counts.offers:
        raise UsageError(
            f"{measure.id} reads an order of all items, which no single item can be taken out of",
            hint="choose a measure of labels, such as accuracy",
        )
    if outputs.repeated:
        raise UsageError("items have several outputs", hint=say("leave out {--repeat-column}, and keep one output an item"))
    if counts.missing_are_zero or counts.lower is not None:
        raise UsageError("what is missing is not explained item by item by this policy", hint=say("choose {--missing drop}"))


def _kinds(columns: Sequence[Integers], weight: Floats) -> tuple[Floats, Integers]:
    """The different rows (kinds, 5), and which of them each row is."""
    code = np.zeros(len(weight), dtype=np.int64)
    heavy, own = np.unique(weight, return_inverse=True)
    for column in (*columns, own):
        low = int(column.min(initial=0))
        code = code * (int(column.max(initial=0)) - low + 1) + (column - low)
    _, first, which = np.unique(code, return_index=True, return_inverse=True)
    return np.column_stack([*(column[first].astype(float) for column in columns), heavy[own[first]]]), which


def _swapped(tables: Floats, sizes: Floats, kinds: Floats) -> tuple[Floats, Floats]:
    """Both runs' tables (runs, kinds, C, C) and sizes once they have swapped an item of each kind."""
    tables, sizes, place = tables.copy(), sizes.copy(), np.arange(len(kinds))
    gold, first, second = (kinds[:, column].astype(np.int64) for column in (1, 2, 3))
    for run, own, other in ((0, first, second), (1, second, first)):
        for said, sign in ((own, -1), (other, 1)):
            there = said >= 0
            tables[run, place[there], gold[there], said[there]] += sign * kinds[there, 4]
            sizes[run, place[there]] += sign
    return np.maximum(tables, 0), sizes


def of_outcomes(evidence: Outcomes, measure: Measure, *, average: Average) -> Influences:
    """Of the items, by the mean of their scores."""
    if not measure.reads.startswith("outcomes"):
        raise UsageError(f"{measure.id} is no mean of items' scores", hint="choose the mean, or a measure of the data")
    if evidence.missing == "bounds":
        raise UsageError("bounds are not explained item by item", hint=say("choose {--missing drop} or zero"))
    own = evidence.item_scores(evidence.row(measure.reads))
    topics = 1 if average == "pooled" else len(evidence.topics)
    topic = np.zeros(own.shape[1], dtype=np.int64) if average == "pooled" else evidence.topic
    there = ~np.isnan(own)
    known = np.where(there, own, 0.0)
    total: Floats = np.stack([np.bincount(topic, one, minlength=topics) for one in known])
    number: Floats = np.stack([np.bincount(topic, one, minlength=topics) for one in there.astype(float)])
    values = _mean(total, number)
    change, more = known[::-1] - known, there[::-1].astype(float) - there
    after = _mean(total[:, topic] + change, number[:, topic] + more).T
    influence = _half(values, _after(values, topic, after))
    several = len(evidence.topics) > 1
    return Influences(
        "item",
        _means(values),
        evidence.items,
        influence,
        (own[0], own[1]),
        topics=evidence.topics,
        topic=evidence.topic if several else None,
    )


def _mean(total: Floats, number: Floats) -> Floats:
    return mean_of_tables(np.stack([number - total, total], axis=-1)[..., None, :])


def _common(values: Floats) -> Any:
    """(topics,): those on which both runs have a score."""
    return ~np.isnan(values).any(axis=0)


def _means(values: Floats) -> tuple[float, float]:
    """Both runs' means over the topics that they have in common."""
    common = _common(values)
    if not common.any():
        raise UsageError("the two runs have no score in common", hint="choose another measure")
    first, second = values[:, common].mean(axis=1).tolist()
    return first, second


def _after(values: Floats, topic: Integers, swapped: Floats) -> Floats:
    """(units,): the difference of the means once a unit's topic has the scores ``swapped`` (units, runs)."""
    common = _common(values)
    apart = np.where(common, values[0] - values[1], 0.0)
    now = swapped[:, 0] - swapped[:, 1]
    defined = ~np.isnan(now)
    topics = common.sum() - common[topic] + defined
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (apart.sum() - apart[topic] + np.where(defined, now, 0.0)) / topics
    return found


def _half(values: Floats, after: Floats) -> Floats:
    first, second = _means(values)
    return (first - second - after) / 2
