"""Evidence becomes scores: measures that read the same arrays pass through them together. And how scores were made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from metameasure.catalogue.classification.tables import balanced
from metameasure.catalogue.facts import call_formula
from metameasure.catalogue.measure import Measure, score_together
from metameasure.catalogue.signed import signed_measures
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import Listed, about, note, say, warn
from metameasure.core.notes import counted, grouped, in_a_row
from metameasure.core.numbers import significant
from metameasure.core.scale import Scale
from metameasure.core.signature import UNSIGNED, Signature
from metameasure.evidence.base import CaseEvidence, Evidence, digest_of
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.items import ItemEvidence
from metameasure.scores.scores import Scores
from metameasure.scores.undefined import count_reasons, undefined_facts
from metameasure.statistics.arrays import Booleans, Floats, mean_of_defined
from metameasure.statistics.work import in_steps


def score_evidence(
    evidence: CaseEvidence,
    measures: Sequence[Measure],
    *,
    distance: Any = None,
    average: Average = "topics",
    drawn_with: int | None = None,
) -> Scores:
    """The scores of every measure, topic and run. ``drawn_with`` is the seed of what is drawn beside them, for the signature."""
    for measure in measures:
        if evidence.scale is not None:
            measure.check_scale(evidence.scale)
    notes = [*evidence.notes, *_distance_notes(distance, measures), *said_of_balance(measures, evidence)]
    values, pooled, reasons = _scored(evidence, measures, distance)
    other = evidence.other_end()
    if other is not None:
        at_other_end = _scored(other, measures, distance)
        values, pooled = _worse(measures, values, at_other_end[0]), _worse(measures, pooled, at_other_end[1])
    notes += _said_of(measures, values, evidence, reasons, average)
    made = made_of(evidence, measures, distance, average, drawn_with)
    return scores_of(evidence, measures, values, pooled, made, average, notes)


def plain_scores(evidence: CaseEvidence, measures: Sequence[Measure], *, distance: Any = None, average: Average) -> Scores:
    """The same without notes and signature, for what is computed from them."""
    values, pooled, _ = _scored(evidence, measures, distance)
    return scores_of(evidence, measures, values, pooled, UNSIGNED, average, ())


def _worse(measures: Sequence[Measure], one: Floats, other: Floats) -> Floats:
    """The worse of two scores of each measure (measures, ...), and that which is defined where one is not; of a description the
    first."""
    ways: dict[str | None, Callable[[Any, Any], Any]] = {"higher": np.fmin, "lower": np.fmax, None: lambda first, _: first}
    return np.stack([ways[measure.better](*two) for measure, *two in zip(measures, one, other, strict=True)])


def lower_is_worse(evidence: Evidence, measures: Sequence[Measure], *, distance: Any, average: Average) -> Booleans:
    """(measures, runs): whether missing answers that are as far from both ends make a run's average worse at the lower end."""
    other = evidence.other_end()
    if other is None:
        return np.zeros((len(measures), len(evidence.runs)), dtype=bool)
    ends = []
    for one in (evidence, other):
        values, pooled, _ = _scored(cast("CaseEvidence", one), measures, distance)  # no other evidence has another end
        ends.append(pooled if average == "pooled" else mean_of_defined(values, 1))
    return np.asarray((_worse(measures, *ends) != ends[0]) & ~np.isnan(ends[1]))


def _scored(evidence: CaseEvidence, measures: Sequence[Measure], distance: Any) -> tuple[Floats, Floats, list[dict[str, int]]]:
    """Scores (measures, topics, runs), those of all topics as one (measures, runs), and for each measure how many cases each
    reason leaves undefined."""
    counts = evidence.label_counts()
    zero = counts if counts is not None and counts.missing_are_zero else None
    values = np.empty((len(measures), len(evidence.topics), len(evidence.runs)))
    pooled = np.empty((len(measures), len(evidence.runs)))
    reasons: list[dict[str, int]] = [{} for _ in measures]
    # Measures that are computed from the same arrays pass through them together.
    alike = grouped(((one.reads, one.inputs, one.proportional), row) for row, one in enumerate(measures)).values()
    for block in in_steps(evidence.blocks(), len(evidence.runs), "runs", len):
        for rows in alike:
            if zero is not None:
                for row in rows:
                    pooled[row, block], values[row][:, block] = _with_zeros(measures[row], zero, block)
                continue
            group, at = [measures[row] for row in rows], np.array(rows)
            reading = evidence.reading(group[0].reads, block)
            options = {"classes": evidence.scale if group[0].reads.of_classes else None, "distance": distance}
            if not reading.of_one:
                whole = (group[0].as_read(array, reading.items.sum(axis=1)) for array in reading.pooled)
                pooled[at[:, None], block] = score_together(group, *whole, **options)
            for part in reading.parts:
                arrays = [group[0].as_read(array, reading.items[:, part.topics]) for array in part.arrays]
                scored = np.array(score_together(group, *arrays, **options))
                if reading.of_one:
                    pooled[at[:, None], block] = scored[:, :, 0]
                topics = np.arange(len(evidence.topics))[part.topics]
                values[at[:, None, None], topics[:, None], block] = scored.swapaxes(1, 2)
                for row in at[np.isnan(scored).any(axis=(1, 2))].tolist():
                    able = [run not in evidence.lacking(measures[row].reads) for run in block]
                    why = measures[row].why_undefined(*arrays, **options)
                    count_reasons(reasons[row], why, measures[row], evidence, np.array(able)[:, None])
    return values, pooled, reasons


def scores_of(
    evidence: Evidence,
    measures: Sequence[Measure],
    values: Floats,
    pooled: Floats,
    made: Signature,
    average: Average,
    notes: Sequence[str],
) -> Scores:
    """These values as scores, with what the evidence says of itself."""
    return Scores(
        evidence.task,
        evidence.scale,
        tuple(measures),
        evidence.topics,
        evidence.runs,
        values,
        pooled,
        average,
        made=made,
        notes=tuple(notes),
        without=frozenset((measure.id, evidence.runs[run]) for measure in measures for run in evidence.lacking(measure.reads)),
        topic_word=evidence.topic_word,
        micro=evidence.micro,
    )


def _said_of(
    measures: Sequence[Measure], values: Any, evidence: CaseEvidence, reasons: Sequence[Mapping[str, int]], average: Average
) -> list[str]:
    """What was undefined and what to be careful of, with the measures that share it."""
    undefined = np.isnan(values).any(axis=(1, 2)).tolist()  # as is a run that lacks what the measure reads
    said = grouped(
        (fact, measure.id)
        for row, measure in enumerate(measures)
        for fact in (
            *(undefined_facts(measure, values[row], evidence, reasons[row]) if undefined[row] else ()),
            measure.cautions.get(evidence.task),
            measure.said_of_ranks(evidence.scale),
            said_of_chance(measure, evidence, average),
        )
        if fact
    )
    return [about(fact, **_of(ids)) for fact, ids in said.items()]


def _of(ids: Sequence[str]) -> dict[str, str]:
    """Whom something is said of: a measure, or several."""
    return {"measure": ids[0]} if len(ids) == 1 else {"measures": Listed(ids, joint=", ")}


def said_of_chance(measure: Measure, evidence: Evidence, average: Average) -> str:
    """By how much its averages are too high by chance, and which measure is without that; nothing where they are not."""
    if measure.excess is None:
        return ""
    counts, items = evidence.label_counts(), evidence.single_items()
    by_run: list[float] = []
    if counts is not None and measure.reads == counts.name:
        by_run = _excess_of_labels(measure, counts, average)
    elif items is not None:
        by_run = _excess_of_items(measure, items, average)
    if not any(one > 0 for one in by_run):
        return ""
    low, high = float(np.nanmin(by_run)), float(np.nanmax(by_run))
    to = "" if significant(low, 2) == significant(high, 2) else " to {high:.2g}"
    return warn(
        "too high by chance",
        "too high by chance, here by about {low:.2g}" + to + "; for tests and intervals use {other}",
        low=low,
        high=high,
        other=measure.without_excess,
    )


def _excess_of_labels(measure: Measure, counts: LabelCounts, average: Average) -> list[float]:
    """What chance adds to the average of each run."""
    assert measure.excess is not None  # noqa: S101 - it was looked at
    by_run: list[float] = []
    for block in counts.blocks():
        tables = counts.item_tables(block)
        tables = tables.sum(axis=1, keepdims=True) if average == "pooled" else tables
        items = tables.sum(axis=(-2, -1))
        some = np.where(items[..., None, None] > 0, tables, 1).reshape(-1, *tables.shape[-2:])
        some = balanced(some, as_items=True) if measure.balances else some
        excess = call_formula(measure.excess.function, (some,), {}).reshape(items.shape)
        by_run += mean_of_defined(np.where(items > 0, excess, np.nan), 1).tolist()
    return by_run


def _excess_of_items(measure: Measure, evidence: ItemEvidence, average: Average) -> list[float]:
    """What chance adds to the average of each run by a measure that reads items."""
    assert measure.excess is not None  # noqa: S101 - it was looked at
    adding = replace(measure, function=measure.excess.function, range=(-math.inf, math.inf))
    values, pooled, _ = _scored(evidence, [adding], None)
    return [*(pooled[0] if average == "pooled" else mean_of_defined(values[0], 0)).tolist()]


def _with_zeros(measure: Measure, evidence: LabelCounts, block: list[int]) -> tuple[Any, Any]:
    """Scores of all topics as one and of each (topics, runs), where what a run lacks is worth nothing but stays in gold."""
    tables, gold = evidence.tables(block), evidence.gold_tables()
    pooled = share_of_worth(measure, tables.sum(axis=1), gold.sum(axis=0), evidence.scale)
    return pooled, share_of_worth(measure, tables, gold, evidence.scale).T


def share_of_worth(measure: Measure, tables: Any, gold: Any, scale: Scale) -> Any:
    """The worth of the answers (..., C, C), as a share of the worth of a perfect output for that gold (..., C)."""
    if measure.balances:
        weight = np.where(gold > 0, np.diagonal(balanced(gold[..., None] * np.eye(gold.shape[-1])), axis1=-2, axis2=-1), 0)
        tables = tables * (weight / np.where(gold > 0, gold, 1))[..., None]
        gold = weight
    worth = measure.worth(gold, scale)
    perfect = np.sum(gold * np.diagonal(worth, axis1=-2, axis2=-1), axis=-1)
    reached = np.sum(tables * worth, axis=(-2, -1))
    return np.where(perfect > 0, reached / np.where(perfect > 0, perfect, 1), np.nan)


def said_of_balance(measures: Sequence[Measure], evidence: Evidence) -> list[str]:
    """That classes of gold weigh the same, which measures know nothing of it, and how many topics lack a class."""
    counts = evidence.label_counts()
    if counts is None or not any(measure.balances for measure in measures):
        return []
    notes: list[str] = [warn("balanced", "every class of gold weighs the same ({--balance}), in each topic and in all as one")]
    lacking = int((counts.gold_items == 0).any(axis=1).sum()) if len(counts.topics) > 1 else 0
    absent = [label for label, size in zip(counts.scale.labels, counts.gold_items.sum(axis=0), strict=True) if not size]
    if absent:
        said = "gold has no item of {classes}: its weight is shared by the other classes"
        notes.append(warn("class to balance is absent", said, classes=in_a_row(absent)))
    elif lacking:
        said = "in {lacking} of {topics} gold lacks a class: its weight is shared there by the other classes"
        topics = counted(len(counts.topics), counts.topic_word)
        notes.append(note("class to balance is absent", said, lacking=int(lacking), topics=topics))
    others = [measure.id for measure in measures if not measure.balances]
    if others:
        said = "{names} read an order of the items, and are not balanced"
        notes.append(warn("not balanced", said, names=in_a_row(others)))
    return notes


def _distance_notes(distance: Any, measures: Sequence[Measure]) -> list[str]:
    """Whom the user's distances concern; UsageError where it is nobody."""
    takers = [measure.id for measure in measures if measure.takes_distance]
    if distance is None or len(takers) == len(measures):
        return []
    if not takers:
        ids = ", ".join(measure.id for measure in measures)
        raise UsageError(
            f"distances are given, but are not used by {ids}",
            hint=say("leave out {--distance}, or choose a measure that takes them, such as rnod or kappa_weighted"),
        )
    return [warn("distances not used", "the distances are used by {names} only", names=", ".join(takers))]


def made_of(evidence: Evidence, measures: Sequence[Measure], distance: Any, average: Average, seed: int | None) -> Signature:
    """How scores are made: two with the same signature are the same."""
    takes_distance = distance is not None and any(measure.takes_distance for measure in measures)
    return evidence.signed().having(
        average=average,
        **signed_measures(measures),
        distance=digest_of([distance], digits=8) if takes_distance else None,
        balance=True if any(measure.balances for measure in measures) else None,
        seed=seed,
    )
