"""How much each item, or each topic, moved the difference between two runs.

The influence of a unit is half of what the difference loses where the two runs swap their outputs for it: (D - D') / 2, where D
is the score of the first run minus that of the second, and D' the same after the swap. Of a mean over units that is the unit's
share of the difference, and the influences add up to it; of any other measure it is exact for each unit by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.multilabel.sets import LABELS
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.scale import Scale
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.items import ItemEvidence
from metameasure.evidence.outcomes import Outcomes
from metameasure.evidence.outputs import Outputs
from metameasure.evidence.swapped import mean_of_tables
from metameasure.scores.item_intervals import item_table
from metameasure.scores.scores import Scores
from metameasure.statistics.arrays import Booleans, Floats, Integers

_MOST_CELLS = 2**22
_MOST_SWAPS = 10**8
"""Items times the items of their topics, where each swap is scored anew: ten thousand items take a minute."""


@dataclass(frozen=True, eq=False)
class Influences:
    """Of two runs: their scores, and of every unit its name, its topic, what gold and the runs say of it and how far it moved the
    difference. ``gold`` are places among ``labels``, where units are of classes; ``said`` are such places, -1 for nothing, or
    numbers or texts, None for nothing. ``golds`` are texts, where gold says more than a class."""

    unit: str
    scores: tuple[float, float]
    names: Sequence[str]
    influence: Floats
    said: tuple[Any, Any]
    gold: Integers | None = None
    topics: Sequence[str] = ()
    topic: Integers | None = None
    labels: tuple[str, ...] = ()
    golds: Sequence[str] | None = None
    meaning: str = ""
    """What the runs' columns show, where that must be said."""
    apart: Booleans | None = None
    """(units,): where the runs say different things, if what is shown does not tell."""

    @property
    def differs(self) -> Booleans:
        """(units,): where the runs say different things."""
        if self.apart is not None:
            return self.apart
        return _unlike(*self.said)

    def said_by(self, run: int, unit: int) -> float | str | None:
        """What a run says of a unit: its label, a text or a number."""
        own = self.said[run][unit]
        if own is None or isinstance(own, str):
            return own
        if isinstance(own, np.integer) and self.labels:
            return self.labels[own] if own >= 0 else None
        return float(own)

    def gold_of(self, unit: int) -> str | None:
        """What gold says of a unit."""
        if self.golds is not None:
            return self.golds[unit]
        return None if self.gold is None else self.labels[self.gold[unit]]


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
        raise UsageError(say("items are not explained one by one with this {--missing}"), hint=say("choose {--missing drop}"))


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
    scores, influence = _of_means(own, *_topics(evidence, average))
    several = len(evidence.topics) > 1
    return Influences(
        "item",
        scores,
        evidence.items,
        influence,
        (own[0], own[1]),
        topics=evidence.topics,
        topic=evidence.topic if several else None,
    )


def _topics(evidence: ItemEvidence, average: Average) -> tuple[Integers, int]:
    """The topic of each item, and how many there are; one, where all are one."""
    if average == "pooled":
        return np.zeros(len(evidence.items), dtype=np.int64), 1
    return evidence.topic, len(evidence.topics)


def _of_means(own: Floats, topic: Integers, topics: int) -> tuple[tuple[float, float], Floats]:
    """Both runs' scores, and the influence of each item, where scores are means of the items' (runs, items)."""
    there = ~np.isnan(own)
    known = np.where(there, own, 0.0)
    total: Floats = np.stack([np.bincount(topic, one, minlength=topics) for one in known])
    number: Floats = np.stack([np.bincount(topic, one, minlength=topics) for one in there.astype(float)])
    values = _mean(total, number)
    change, more = known[::-1] - known, there[::-1].astype(float) - there
    after = _mean(total[:, topic] + change, number[:, topic] + more).T
    return _means(values), _half(values, _after(values, topic, after))


def of_items(evidence: ItemEvidence, measure: Measure, average: Average, shown: Mapping[str, Any]) -> Influences:
    """Of the items, by a measure of what runs say of each: its probabilities, its labels. ``shown`` is what there is to see."""
    arrays = evidence.arrays(measure.reads)
    apart: Booleans = np.asarray(_unlike(*arrays[0]).any(axis=-1), dtype=bool)
    topic, topics = _topics(evidence, average)
    if measure.linearised is None and measure.is_of_single_items:
        scores, influence = _of_means(item_table(evidence, measure).scores, topic, topics)
    else:
        units = np.flatnonzero(apart)
        swapped = _Swapped(arrays, measure, evidence.scale, topic, topics)
        values, after = swapped.values(), swapped.after(units)
        scores, influence = _means(values), np.zeros(len(topic))
        influence[units] = _half(values, _after(values, topic[units], after))
    several = len(evidence.topics) > 1
    return Influences(
        "item", scores, evidence.items, influence, topics=evidence.topics, topic=evidence.topic if several else None, apart=apart,
        **shown,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Swapped:
    """Scores of two runs that have swapped an item, by a measure that is no mean over items."""

    arrays: tuple[Any, ...]
    measure: Measure
    scale: Scale | None
    topic: Integers
    topics: int

    def values(self) -> Floats:
        """(runs, topics)."""
        found = np.stack([self._scored([array[:, self.topic == one] for array in self.arrays]) for one in range(self.topics)], -1)
        if np.isinf(found).any():
            raise UsageError(f"{self.measure.id} is infinite", hint="choose another measure")
        return found

    def after(self, units: Integers) -> Floats:
        """(units, runs): the scores of each unit's topic once the runs have swapped it."""
        found = np.full((len(units), len(self.arrays[0])), np.nan)
        of_sums = self.measure.evidence is LABELS
        cost = sum(int((self.topic == one).sum()) * int((self.topic[units] == one).sum()) for one in range(self.topics))
        if not of_sums and cost > _MOST_SWAPS:
            raise UsageError(
                f"{self.measure.id} is no mean over items, and there are too many to swap each of them",
                hint=say("choose a mean over items, such as brier"),
            )
        for one in range(self.topics):
            here = self.topic == one
            own = np.flatnonzero(self.topic[units] == one)
            places = np.cumsum(here)[units[own]] - 1
            arrays = [array[:, here] for array in self.arrays]
            found[own] = self._by_sums(arrays, places) if of_sums else self._one_by_one(arrays, places)
        return found

    def _by_sums(self, arrays: Sequence[Floats], places: Integers) -> Floats:
        """Where the measure is of how often each label is there: sums, in which one item takes the place of another."""
        total = LABELS.function(*arrays)
        found = np.full((len(places), 2), np.nan)
        step = max(1, _MOST_CELLS // arrays[0].shape[-1])
        for start in range(0, len(places), step):
            some = places[start : start + step]
            own = LABELS.function(*(array[:, some, None] for array in arrays))
            after = [whole[:, None] - part + part[::-1] for whole, part in zip(total, own, strict=True)]
            found[start : start + step] = np.asarray(self.measure.of_reduced(*after, classes=self.scale), dtype=float).T
        return found

    def _one_by_one(self, arrays: Sequence[Floats], places: Integers) -> Floats:
        found = np.full((len(places), 2), np.nan)
        said, others = np.array(arrays[0]), arrays[1:]
        for row, place in enumerate(places.tolist()):
            said[:, place] = said[::-1, place].copy()
            found[row] = self._scored([said, *others])
            said[:, place] = said[::-1, place].copy()
        return found

    def _scored(self, arrays: Sequence[Floats]) -> Floats:
        return np.asarray(self.measure(*arrays, classes=self.scale), dtype=float)


def _unlike(first: Any, second: Any) -> Booleans:
    """Where two runs say different things; nothing, which is NaN, is like nothing."""
    return np.asarray((first != second) & ~(np.isnan(first.astype(float)) & np.isnan(second.astype(float))))


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
