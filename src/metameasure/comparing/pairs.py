"""Two runs by one measure: what is known of their difference, from scores or from gold and runs, whatever is a sample of more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry, default_registry
from metameasure.comparing.compare import Read, outputs_of, read_data, units_of_comparison
from metameasure.comparing.comparison import Units
from metameasure.comparing.items import both_values, on_common_items, units_of, value_of
from metameasure.comparing.topics import INTERVAL_TRIALS, range_of_scores, scores_of_one
from metameasure.core.choices import Average, Better
from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import Message, say, warn
from metameasure.core.notes import listed
from metameasure.core.scale import Scale
from metameasure.core.signature import Signature
from metameasure.core.validity import FEWEST_TOPICS, sampled
from metameasure.evidence.base import is_saved, load, positions
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.items import ItemEvidence
from metameasure.evidence.outcomes import OfOutcomes, Outcomes
from metameasure.evidence.outputs import Outputs
from metameasure.reading.frames import is_frame
from metameasure.scores.intervals import rarest_that_matters, topics_are_no_sample
from metameasure.scores.item_intervals import check_without_excess, item_table
from metameasure.scores.of_evidence import lower_is_worse, made_of
from metameasure.scores.run_names import place_of
from metameasure.scores.scores import ScoreMatrix, Scores
from metameasure.scores.selecting import complete, direction_of, joined, made_of_scores, of_measure
from metameasure.statistics.arrays import Floats, Integers
from metameasure.statistics.bounds import (
    SKEWED,
    AlikeBounds,
    Bounds,
    DrawnBounds,
    ErrorBounds,
    NoBounds,
    ScoreBounds,
    are_right_or_wrong,
    bounds_of_units,
    for_skew,
    of_error,
)
from metameasure.statistics.item_tests import (
    TopicMean,
    difference_by_leaving_out,
    difference_within_topics,
    differing_units,
    drawn_differences,
    each_one_item,
    right_alone,
    share_of_cells,
)
from metameasure.statistics.mean_intervals import Range, clusters_of, jackknife, shape_of
from metameasure.tasks.base import named, task_of, task_on_evidence
from metameasure.tasks.gold_or_scores import are_outcomes, check_only_scores, what_is
from metameasure.tasks.option_groups import CompareOptions, GateOptions

OLD, NEW = "old", "new"
_FEW_OF_A_CLASS, _FEW_OF_SKEWED = 30, 50


@dataclass(frozen=True, eq=False)
class Pair:
    """The new run and the old one by a measure. ``bounds`` are of the new run's score less the old one's; ``number`` is how many
    units they are of, and ``items`` how many items, where units are clusters of them."""

    measure: str
    better: Better
    old: str
    new: str
    scores: tuple[float, float]
    bounds: Bounds
    units: Units
    number: int
    items: int
    unit: str
    method: str
    notes: tuple[str, ...] = ()
    drawn: bool = False
    """Whether the bounds depend on a seed."""
    topic: str | None = None
    """The one topic that it is of, where each is a question of its own."""
    differing: int | None = None
    """On how many units the runs differ, where bounds by leaving out units depend on it."""
    effective: float | None = None
    """How many equal clusters would tell as much, where units are clusters."""


def pairs_of(asked: GateOptions, old: Any, new: Any, gold: Any) -> tuple[list[Pair], Signature]:
    """The pair by each measure, and how it was made."""
    reading = asked.told()
    old, new = (load(one) if is_saved(one) else one for one in (old, new))
    if gold is None and any(are_outcomes(one, reading, asked.task) for one in (old, new)):
        return _of_outcomes(asked, old, new)
    if gold is None and new is not None and _holds_runs(asked, old, new, reading):
        gold, old, new = old, new, None
    if asked.skip_broken and gold is None:
        raise UsageError(say("{--skip-broken} is for gold and the outputs of several runs"), hint="leave it out")
    alone = gold is None and new is None
    if gold is None and (not alone or what_is(old, None, reading, asked.task) == "scores"):
        for one in (old, new):
            _check_scores(one, asked.of_data(), asked.task)
        return _of_scores(asked, old, new)
    if alone and (asked.baseline is None or asked.candidate is None):
        raise _which_runs()
    runs = None if alone else _runs(old, new)
    return _of_data(asked, old if alone else gold, runs, by_name=new is None)


def _holds_runs(asked: GateOptions, first: Any, second: Any, reading: Mapping[str, Any]) -> bool:
    """Whether the second of two places holds the runs, which are named, and the first is their gold; scores need none."""
    if asked.baseline is None or asked.candidate is None or (_are_numbers(first) and _are_numbers(second)):
        return False
    return what_is(first, None, reading, asked.task) == "data"


def _which_runs(runs: Sequence[str] = ()) -> UsageError:
    there = f" (there are {listed(runs, 'and')})" if runs else ""
    hint = say("name both: {--baseline A} and {--candidate B}")
    return UsageError(f"which run is old, and which is new?{there}", hint=hint)


def _check_scores(data: Any, reading: Mapping[str, Any], task: str) -> None:
    """UsageError for labels without gold, and for options that scores have no use for."""
    if data is None:
        return
    if (isinstance(data, str | Path) or is_frame(data)) and what_is(data, None, reading, task) == "data":
        shown = f"'{data}'" if isinstance(data, str | Path) else "a data frame"
        raise UsageError(f"{shown} holds outputs, which need gold to be scored", hint="pass gold first: gate GOLD OLD NEW")
    check_only_scores(data, reading, task)


def _of_scores(asked: GateOptions, old: Any, new: Any) -> tuple[list[Pair], Signature]:
    if asked.each_topic:
        raise UsageError("scores have no items within topics", hint=say("pass gold and outputs, or leave out {--each-topic}"))
    if asked.units == "items":
        raise UsageError("scores have no items to compare over", hint=say("pass gold and runs, or leave out {--units items}"))
    registry = asked.registry or default_registry()
    before = _scores_in(old, asked.format_in, OLD)
    after = before if new is None else _scores_in(new, asked.format_in, NEW)
    names = _named_runs(asked, [before.runs, after.runs], one_file=new is None)
    shown, wanted = _shown_names(names, old, new), _names(asked.measures) or list(before.ids)
    word = "item" if _are_numbers(old) else "topic"
    pairs, made = [], []
    for name in wanted:
        each = [of_measure(one, name or None, baselines=True, registry=registry) for one in (before, after)]
        two = complete(_side_by_side(each, names, shown), asked.incomplete)
        if len(two.runs) < 2:
            left = say("only {run} is left", run=two.runs[0]) if two.runs else say("no run is left")
            raise DataError(left, hint=say("choose {--incomplete drop-topics}"))
        made.append(two)
        pairs.append(_of_topics(two, direction_of(name, asked.better, registry), registry, word))
    runs = names if new is None else (asked.baseline, asked.candidate)
    signed = made_of_scores(joined(made)).having(measures=wanted if any(wanted) else None, better=asked.better)
    return pairs, signed.having(baseline=runs[0], candidate=runs[1])


def _names(measures: Any) -> list[str]:
    """The measures that are asked for."""
    if measures is None:
        return []
    each = measures.split(",") if isinstance(measures, str) else [measures] if isinstance(measures, Measure) else measures
    return [str(one).strip() for one in each if str(one).strip()]


def _are_numbers(data: Any) -> bool:
    """Whether it is a score for each item, by position."""
    if isinstance(data, str | Path | Scores | Mapping) or is_frame(data):
        return False
    several = isinstance(data, list | tuple) and any(isinstance(one, Scores) for one in data)
    return not several and np.asarray(data).dtype.kind in "biuf" and np.ndim(data) == 1


def _scores_in(data: Any, format_in: str | None, name: str) -> Scores:
    if _are_numbers(data):
        values = np.asarray(data, dtype=float)[:, None]
        return ScoreMatrix("", [*map(str, range(len(values)))], [name], values)
    return scores_of_one(data, format_in)


def _named_runs(asked: GateOptions, each: Sequence[Sequence[str]], *, one_file: bool) -> tuple[str, str]:
    """What the two runs are called in the data: the old one among the first runs, the new one among the last."""
    names = []
    for name, runs in ((asked.baseline, each[0]), (asked.candidate, each[-1])):
        if name is not None:
            names.append(runs[place_of(name, runs)])
        elif one_file or len(runs) != 1:
            raise _which_runs(runs)
        else:
            names.append(runs[0])
    if one_file and names[0] == names[1]:
        raise UsageError(f"'{names[0]}' is both the old run and the new one", hint="name two runs")
    return names[0], names[1]


def _shown_names(names: tuple[str, str], old: Any, new: Any) -> tuple[str, str]:
    """What the two are called in the answer: by their names, or by their files where both have one name."""
    if names[0] != names[1]:
        return names
    from metameasure.reading.inputs import run_names  # noqa: PLC0415 - only where it is needed

    if isinstance(old, str | Path) and isinstance(new, str | Path) and str(old) != str(new):
        first, second = run_names([str(old), str(new)])
        return first, second
    return OLD, NEW


def _side_by_side(each: Sequence[Scores], names: tuple[str, str], shown: tuple[str, str]) -> Scores:
    """Both runs' scores by one measure, topics in the order of the first; NaN where one has none."""
    topics = list(dict.fromkeys(topic for one in each for topic in one.topics))
    place = {topic: number for number, topic in enumerate(topics)}
    values = np.full((len(topics), 2), np.nan)
    for column, (one, name) in enumerate(zip(each, names, strict=True)):
        values[[place[topic] for topic in one.topics], column] = one.values[0][:, one.runs.index(name)]
    if np.isinf(values).any():
        raise DataError("a score is infinite", hint="leave out the topic")
    return ScoreMatrix(each[0].measure, topics, shown, values)


def _of_topics(
    two: Scores, better: Better, registry: Registry, word: str, notes: Sequence[str] = (), scale: Scale | None = None
) -> Pair:
    """Means over topics, which are a sample of topics."""
    values, count = two.values[0], len(two.topics)
    old, new = values.T
    span = range_of_scores(two.measure, values, registry, scale) if count else (-math.inf, math.inf)
    kind = "score" if are_right_or_wrong(old, new) else "t"
    means = (float(old.mean()), float(new.mean())) if count else (math.nan, math.nan)
    return Pair(
        two.measure or "score", better, two.runs[0], two.runs[1], means, bounds_of_units(old, new, range=span),
        "items" if word == "item" else "topics", count, count, f"{word}s", f"test/gate/{kind}",
        (*notes, *two.left_out, *_skewed(old, new, kind, f"{word}s"),
         sampled("items", 1) if word == "item" else sampled("topics", count, word)),
    )  # fmt: skip


def _of_outcomes(asked: GateOptions, old: Any, new: Any) -> tuple[list[Pair], Signature]:
    """A score for each item, which somebody else computed: of both runs in one place, or of each in a place of its own."""
    places = [old] if new is None else [old, new]
    tasks = [task_on_evidence("outcomes", one, None, asked.how()) for one in places]
    each = [cast("OfOutcomes", task.evidence()) for task in tasks]
    names = _named_runs(asked, [one.runs for one in each], one_file=new is None)
    shown = _shown_names(names, old, new)
    found = each[0] if new is None else _joined([one.whole() for one in each], names, shown)
    registry = tasks[0].known(asked.registry or default_registry())
    wanted = named(_names(asked.measures) or [one.name for one in found.measures], registry, tasks[0])
    for measure in wanted:
        if measure.reads not in found.offers:
            tasks[0].chosen([measure], registry, found)
            raise UsageError(f"there are no scores of '{measure.id}' in both", hint="name a measure that both have")
    made = made_of(found, wanted, None, asked.average, None).having(measures=[one.id for one in wanted], better=asked.better)
    runs = names if new is None else (asked.baseline, asked.candidate)
    made = made.having(baseline=runs[0], candidate=runs[1], each_topic=asked.each_topic or None)
    topics = range(len(found.topics)) if asked.each_topic else (None,)
    places_of = (found.runs.index(shown[0]), found.runs.index(shown[1]))
    items = found.single_items()
    return [_by_items(items, one, *places_of, asked, topic) for one in wanted for topic in topics], made


def _joined(each: Sequence[Outcomes], names: tuple[str, str], shown: tuple[str, str]) -> Outcomes:
    """One run of each, under the names that are shown."""
    first, second = (
        replace(found.of_runs([found.runs.index(name)]), runs=(new_name,))
        for found, name, new_name in zip(each, names, shown, strict=True)
    )
    return first.plus(second)


def _by_items(found: ItemEvidence, measure: Measure, old: int, new: int, asked: GateOptions, only: int | None) -> Pair:
    """Runs that have a number for each item, whose mean is the measure."""
    _check_directed(measure)
    of_topics = only is None and len(found.topics) > 1 and asked.average == "topics"
    found = found.of_runs([old, new]).one_by_one()
    before, after = item_table(found, measure, apart=of_topics or only is not None, common=True).scores
    inside = np.ones(len(found.items), dtype=bool) if only is None else found.topic == only
    both = np.flatnonzero(inside & ~np.isnan(after - before))
    if found.cluster is None:  # so that neither the names of items nor the engine are in any digit
        both = both[np.lexsort((after[both], before[both], found.topic[both]))]
    topic, cluster = found.topic[both], None if found.cluster is None else found.cluster[both]
    span, items = measure.known_range(found.scale if measure.reads.of_classes else None), len(both)
    notes = [*found.notes]
    if items < inside.sum():
        said = "The gate is over the {complete} of {items} items that both runs have a score for"
        notes.append(warn("incomplete runs", said, complete=items, items=int(inside.sum())))
    sample = of_topics and (asked.units == "topics" or (asked.units is None and len(found.topics) >= FEWEST_TOPICS))
    if asked.units == "topics" and not sample:
        raise topics_are_no_sample(1 if only is not None else len(found.topics))
    ours = partial(Pair, measure.id, measure.better or "higher", found.runs[0], found.runs[1])
    if sample:
        means = np.stack([_means(one[both], topic, len(found.topics)) for one in (before, after)])
        first, second = means[:, ~np.isnan(means).any(axis=0)]
        kind, count = "score" if are_right_or_wrong(first, second) else "t", len(first)
        return ours(
            (float(first.mean()), float(second.mean())), bounds_of_units(first, second, None, span), "topics", count, count,
            "topics", f"test/gate/{kind}", (*notes, sampled("topics", count)),
        )  # fmt: skip
    unit: Units = "items" if cluster is None else "clusters"
    _, effective = clusters_of(cluster) or (None, None)
    if of_topics:
        notes.append(sampled(unit, len(found.topics), fixed=True))
        bounds, scores = _within_fixed(before[both], after[both], topic, cluster, span)
        method = "test/gate/fixed-topics"
    else:
        bounds = bounds_of_units(before[both], after[both], cluster, span)
        scores = _both([before[both].mean(), after[both].mean()]) if items else (math.nan, math.nan)
        binary = are_right_or_wrong(before[both], after[both])
        kind = "clusters" if cluster is not None else "score" if binary else "t"
        method = f"test/gate/{kind}"
        notes += [*_skewed(before[both], after[both], kind, "items"), sampled(unit, 1, clusters=clusters_of(cluster))]
    return ours(
        scores, bounds, unit, items if cluster is None else len(np.unique(cluster)), items, unit, method, tuple(notes),
        topic=None if only is None else found.topics[only],
        effective=effective if items else None,
    )  # fmt: skip


def _both(scores: Sequence[float] | Floats) -> tuple[float, float]:
    return float(scores[0]), float(scores[1])


def _means(scores: Floats, topic: Integers, topics: int) -> Floats:
    """Of each topic; NaN where it has no item."""
    number = np.bincount(topic, minlength=topics)
    return np.where(number > 0, np.bincount(topic, scores, minlength=topics) / np.maximum(number, 1), np.nan)


def _within_fixed(
    old: Floats, new: Floats, topic: Integers, cluster: Integers | None, span: Range
) -> tuple[Bounds, tuple[float, float]]:
    """Of the mean over topics that are fixed: from the variance of each topic's items, or by leaving out clusters."""
    topics = int(topic.max()) + 1
    scores = _both([float(np.nanmean(_means(one, topic, topics))) for one in (old, new)])
    gaps, gap = new - old, scores[1] - scores[0]
    if cluster is not None:
        names, sizes = np.unique(cluster, return_counts=True)
        if len(names) < 2:
            return NoBounds(gap), scores
        without = [float(np.nanmean(_means(gaps[kept], topic[kept], topics))) for kept in (cluster != one for one in names)]
        return of_error(jackknife(gap, without, sizes), len(gaps), span), scores
    number = np.bincount(topic, minlength=topics).astype(float)
    there = number > 0
    if (number[there] < 2).any():
        raise DataError("a topic has one item, which does not tell how much items vary", hint=say("choose {--average pooled}"))
    own = np.bincount(topic, (gaps - _means(gaps, topic, topics)[topic]) ** 2, minlength=topics)[there]
    own = own / (number[there] - 1) / number[there] / there.sum() ** 2
    variance, width = float(own.sum()), span[1] - span[0]
    if variance <= 0:
        return AlikeBounds(gap, len(gaps), width), scores
    freedom = variance**2 / float((own**2 / (number[there] - 1)).sum())
    return ErrorBounds(gap, math.sqrt(variance), freedom, len(gaps), (-width, width)), scores


def _runs(old: Any, new: Any) -> Any:
    """Both runs as outputs beside gold."""
    if new is None:
        return old
    if isinstance(old, str | Path) and isinstance(new, str | Path):
        return [old, new]
    return {OLD: old, NEW: new}


def _of_data(asked: GateOptions, gold: Any, runs: Any, *, by_name: bool) -> tuple[list[Pair], Signature]:
    measures = _names(asked.measures) if not isinstance(asked.measures, Measure) else [asked.measures]
    shared = {field.name for field in fields(CompareOptions)} & {field.name for field in fields(GateOptions)}
    compared = CompareOptions(**{name: getattr(asked, name) for name in shared})
    settings = {"units": asked.units, "registry": asked.registry, "better": asked.better}
    needed = [name for name in (asked.baseline, asked.candidate) if name]
    read = read_data(gold, runs, measures or None, settings, compared, keep_items=asked.each_topic, needed=needed)
    names = read.evidence.runs
    if (asked.baseline is None or asked.candidate is None) and (by_name or len(names) != 2):
        raise _which_runs(names)
    old, new = (place_of(name, names) if name else place for name, place in ((asked.baseline, 0), (asked.candidate, 1)))
    if old == new:
        raise UsageError(f"'{names[old]}' is both the old run and the new one", hint="name two runs")
    made = read.made.having(baseline=names[old], candidate=names[new])
    if not asked.each_topic:
        return [_of_measure(read, one, old, new, asked) for one in read.wanted], made
    topics = range(len(read.evidence.topics))
    if (items := read.evidence.single_items()) is not None:
        each = [_by_items(items, one, old, new, asked, topic) for one in read.wanted for topic in topics]
        return each, made.having(each_topic=True)
    counts = read.evidence.label_counts()
    if counts is None or any(one.reads != LabelCounts.name for one in read.wanted):
        raise UsageError(say("{--each-topic} is for measures of labels"), hint="leave it out")
    pairs = [_of_items(read, one, old, new, topic) for one in read.wanted for topic in topics]
    return pairs, made.having(each_topic=True)


def _of_measure(read: Read, measure: Measure, old: int, new: int, asked: GateOptions) -> Pair:
    _check_directed(measure)
    over_items = read.scores is None or (
        units_of_comparison(read.evidence, read.scores, measure, {"units": asked.units}) == "items"
    )
    if over_items and (items := read.evidence.single_items()) is not None:
        return _by_items(items, measure, old, new, asked, None)
    if read.scores is None:
        return _pooled(read, measure, old, new, asked)
    if over_items:
        return _within_topics(read, measure, old, new, asked)
    two = _of_two(read, measure, old, new, asked)
    registry = asked.registry or default_registry()
    return _of_topics(two, measure.better or "higher", registry, read.evidence.topic_word, read.scores.notes, read.scores.scale)


def _of_two(read: Read, measure: Measure, old: int, new: int, asked: GateOptions) -> Scores:
    """Both runs' scores on the topics that both have."""
    assert read.scores is not None  # noqa: S101 - there are topics
    names = read.evidence.runs[old], read.evidence.runs[new]
    one = of_measure(read.scores, measure.id, baselines=True)
    return complete(_side_by_side([one, one], names, names), asked.incomplete)


def _check_directed(measure: Measure) -> None:
    """UsageError for a measure by which no run is better."""
    if measure.better is None:
        raise UsageError(f"{measure.id} has no better direction", hint="choose another measure")
    check_without_excess(measure)


def _outputs(read: Read, measure: Measure, old: int, new: int, average: Average) -> Outputs:
    """What both runs say of the items that both have, the new run first."""
    counts = read.evidence.label_counts()
    assert counts is not None  # noqa: S101 - there are items
    lower = lower_is_worse(read.evidence, [measure], distance=read.distance, average=average)[0]
    names = counts.runs[new], counts.runs[old]
    outputs = outputs_of(counts, names)
    return outputs.at_lower_end(lower[positions(outputs.runs, counts.runs)]).of_runs(positions(names, outputs.runs).tolist())


def _pooled(read: Read, measure: Measure, old: int, new: int, asked: GateOptions) -> Pair:
    """All topics as one test set: items or clusters are a sample."""
    counts = read.evidence.label_counts()
    if counts is None:
        return _by_sums(read, measure, old, new)
    if asked.units == "topics":
        raise topics_are_no_sample(len(read.evidence.topics))
    if measure.reads != LabelCounts.name:
        return _by_orders(read, measure, old, new, asked)
    return _of_items(read, measure, old, new)


def _of_items(read: Read, measure: Measure, old: int, new: int, topic: int | None = None) -> Pair:
    """A measure of a table: items or clusters, of one topic or of all as one, are a sample."""
    _check_directed(measure)
    outputs = _outputs(read, measure, old, new, "pooled")
    name = None if topic is None else read.evidence.topics[topic]
    if topic is not None:
        outputs = outputs.of_items(outputs.topic == topic)
    outputs, notes = on_common_items(outputs)
    value = value_of(measure, outputs, read.distance)
    units = outputs.units([0, 1])
    after, before = (float(one) for one in value(units.tables()))
    if math.isnan(after - before):
        raise _undefined(measure, (before, after), outputs.runs[::-1], name)
    hits = share_of_cells(value, len(outputs.scale)) if outputs.weight is None and not outputs.clustered else None
    items, left = outputs.size, None
    bounds: Bounds
    if units.total < 2:
        bounds = NoBounds(after - before)
    elif hits is not None and each_one_item(units):
        new_only, old_only = right_alone(units, hits)
        bounds = ScoreBounds(old_only, new_only, units.total)
    else:
        left = difference_by_leaving_out(units, value)
        bounds = of_error(left, items, measure.known_range(outputs.scale))
        bounds = bounds if outputs.clustered else for_skew(bounds, left)
    method = "score" if isinstance(bounds, ScoreBounds) else "clusters" if outputs.clustered else "jackknife"
    return Pair(
        measure.id, measure.better or "higher", outputs.runs[1], outputs.runs[0], (before, after), bounds, units_of(outputs),
        units.total, items, units_of(outputs), f"test/gate/{method}",
        (*read.evidence.notes, *notes, *(_few_of_a_class(read, measure) if left is not None else ()),
         sampled(units_of(outputs), 1, clusters=clusters_of(outputs.cluster))), topic=name,
        differing=None if left is None or outputs.clustered else differing_units(units),
        effective=left.effective if left is not None and outputs.cluster is not None else None,
    )  # fmt: skip


def _skewed(old: Floats, new: Floats, kind: str, unit: str) -> list[Message]:
    """Where differences are so skewed that bounds are too close on one side, even when they are corrected for it."""
    if kind != "t" or not 1 < len(old) < _FEW_OF_SKEWED or abs(shape_of(new - old).skewness) <= SKEWED:
        return []
    said = "the differences are strongly skewed: with fewer than {least} {unit} the bound on the far side is too close"
    return [warn("limit", said, least=_FEW_OF_SKEWED, unit=unit)]


def _few_of_a_class(read: Read, measure: Measure) -> list[Message]:
    """Where a measure weighs a class of which there are few items, on which bounds then rest."""
    counts = read.evidence.label_counts()
    rarest = None if counts is None else rarest_that_matters(measure, counts, read.distance)
    if rarest is None or rarest >= _FEW_OF_A_CLASS:
        return []
    said = "{measure} weighs a class of {rarest} items: with fewer than {least} the bounds may be too close"
    return [warn("limit", said, measure=measure.id, rarest=rarest, least=_FEW_OF_A_CLASS)]


def _undefined(measure: Measure, scores: tuple[float, float], runs: Sequence[str], topic: str | None) -> DataError:
    without = [run for run, score in zip(runs, scores, strict=True) if math.isnan(score)]
    where = "" if topic is None else f" on '{topic}'"
    return DataError(
        say("{measure} of {runs} is undefined{where}", measure=measure.id, runs=listed(without, "and"), where=where),
        hint="choose another measure",
    )


def _within_topics(read: Read, measure: Measure, old: int, new: int, asked: GateOptions) -> Pair:
    """Means over topics that are fixed: items, or clusters, within each are a sample."""
    if measure.reads != LabelCounts.name:
        raise UsageError(f"{measure.id} reads an order, which is not drawn within topics", hint=say("choose {--units topics}"))
    assert read.scores is not None  # noqa: S101 - there are topics
    two = _of_two(read, measure, old, new, asked)
    outputs, notes = on_common_items(_outputs(read, measure, old, new, "topics"))
    outputs = outputs.with_topics_apart([read.evidence.topics.index(topic) for topic in two.topics])
    plain = value_of(measure, outputs, read.distance)
    drawn = value_of(measure.resampled, outputs, read.distance)
    units, value = outputs.units([0, 1]).by_content(), TopicMean(plain)
    after, before = (float(one) for one in value(units.tables()))
    gap, spread = difference_within_topics(units, value, drawn, INTERVAL_TRIALS, asked.seed, whole=outputs.clustered)
    low, high = measure.known_range(outputs.scale)
    width, items = high - low, outputs.size
    bounds: Bounds = AlikeBounds(gap, units.total, width)
    if spread.error > 0:
        bounds = ErrorBounds(gap, spread.error, spread.freedom, items, (-width, width))
    said = sampled(units_of(outputs), len(two.topics), read.evidence.topic_word, fixed=True)
    return Pair(
        measure.id, measure.better or "higher", outputs.runs[1], outputs.runs[0], (before, after), bounds, units_of(outputs),
        units.total, items, units_of(outputs), "test/gate/fixed-topics",
        (*read.scores.notes, *two.left_out, *notes, said), drawn=True,
    )  # fmt: skip


def _by_orders(read: Read, measure: Measure, old: int, new: int, asked: GateOptions) -> Pair:
    """A measure that reads an order of the items: items are drawn with replacement."""
    evidence = read.evidence.orders()
    assert evidence is not None  # noqa: S101 - the measure reads an order
    names = evidence.runs
    for run, why in evidence.lacking(measure.reads).items():
        if run in (old, new):
            raise DataError(
                say("{measure} of {run} has no value: {why}", measure=measure.id, run=names[run], why=why),
                hint="choose another measure",
            )
    both = evidence.pair(new, old, measure.reads)
    values = partial(both_values, measure, evidence.scale)
    after, before = (float(one[0]) for one in values(both.drawn(np.ones((1, both.items), dtype=np.int64))))
    draws = drawn_differences(lambda times: values(both.drawn(times)), both.items, asked.trials, asked.seed)
    bounds: Bounds = DrawnBounds(after - before, draws, both.items) if both.items > 1 else NoBounds(after - before)
    return Pair(
        measure.id, measure.better or "higher", names[old], names[new], (before, after), bounds, "items", both.items, both.items,
        "items", "test/gate/drawn", (*read.evidence.notes, sampled("items", 1)), drawn=True,
    )  # fmt: skip


def _by_sums(read: Read, measure: Measure, old: int, new: int) -> Pair:
    """All topics as one, as rankings by all their pairs: each topic is left out in turn."""
    evidence = read.evidence
    sums = task_of(evidence).sums(evidence, measure)
    counts = sums.counts[:, [new, old]]
    whole = counts.sum(axis=0)
    after, before = (float(one) for one in sums.statistic(whole))
    count, word = len(counts), evidence.topic_word
    bounds: Bounds = NoBounds(after - before)
    if count > 1:
        without = sums.statistic(whole - counts)
        left = jackknife(after - before, without[:, 0] - without[:, 1], np.ones(count))
        bounds = for_skew(of_error(left, count, measure.known_range(None)), left)
    return Pair(
        f"{measure.id} micro", measure.better or "higher", evidence.runs[old], evidence.runs[new], (before, after), bounds,
        "topics", count, count, f"{word}s", "test/gate/jackknife", (*evidence.notes, sampled("topics", count, word)),
    )  # fmt: skip
