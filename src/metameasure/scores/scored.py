"""Evidence in, the cube of scores out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure, score_together
from metameasure.errors import UsageError
from metameasure.evidence.base import CaseEvidence, Evidence, Part, Reading
from metameasure.evidence.counts import LabelCounts, LabelEvidence
from metameasure.notes import Note, counted
from metameasure.scale import Scale
from metameasure.scores.cube import Average, Scores
from metameasure.statistics.work import in_steps
from metameasure.version import __version__


def score_evidence(
    evidence: CaseEvidence,
    measures: Sequence[Measure],
    *,
    distance: Any = None,
    average: Average = "topics",
    drawn_with: int | None = None,
) -> Scores:
    """The cube of scores. ``drawn_with`` is the seed of what will be drawn beside them, for the signature."""
    for measure in measures:
        if evidence.scale is not None:
            measure.check_scale(evidence.scale)
    counts = evidence.label_counts() if isinstance(evidence, LabelEvidence) else None
    zero = counts if counts is not None and counts.missing_are_zero else None
    notes = [*evidence.notes, *_distance_notes(distance, measures)]
    values = np.empty((len(measures), len(evidence.topics), len(evidence.runs)))
    pooled = np.empty((len(measures), len(evidence.runs)))
    reasons: list[dict[str, int]] = [{} for _ in measures]
    for block in in_steps(evidence.blocks(), len(evidence.runs), "runs", len):
        for rows in _alike(measures):
            if zero is not None:
                for row in rows:
                    pooled[row, block], values[row][:, block] = _with_zeros(measures[row], zero, block)
                continue
            group = [measures[row] for row in rows]
            reading = evidence.reading(group[0].reads, block)
            options = {"classes": evidence.scale if group[0].inputs.of_classes else None, "distance": distance}
            whole = (group[0].as_read(array, reading.items.sum(axis=1)) for array in reading.pooled)
            pooled[np.ix_(rows, block)] = score_together(group, *whole, **options)
            for part, arrays in parts_as_read(group[0], reading):
                scored = np.array(score_together(group, *arrays, **options))
                values[np.ix_(rows, np.arange(len(evidence.topics))[part.topics], block)] = scored.swapaxes(1, 2)
                for row in np.array(rows)[np.isnan(scored).any(axis=(1, 2))].tolist():
                    able = [run not in evidence.lacking(measures[row].reads) for run in block]
                    why = measures[row].why_undefined(*arrays, **options)
                    _count_reasons(reasons[row], why, measures[row], evidence, np.array(able)[:, None])
    notes += _said_of(measures, values, evidence, reasons)
    return Scores(
        evidence.task,
        evidence.scale,
        tuple(measures),
        evidence.topics,
        evidence.runs,
        values,
        pooled,
        signature(evidence, measures, distance, average, drawn_with),
        average,
        notes=tuple(notes),
        without=without(evidence, measures),
        topic_word=evidence.topic_word,
        micro=evidence.micro,
    )


def _said_of(measures: Sequence[Measure], values: Any, evidence: CaseEvidence, reasons: Sequence[Mapping[str, int]]) -> list[str]:
    """What was undefined and what to be careful of, with the measures that share it."""
    said: dict[str, list[str]] = {}
    for row, measure in enumerate(measures):
        for fact in undefined_facts(measure, values[row], evidence, reasons[row]):
            said.setdefault(fact, []).append(measure.id)
        if evidence.task in measure.cautions:
            said.setdefault(measure.cautions[evidence.task], []).append(measure.id)
    return [f"{', '.join(ids)}: {fact}" for fact, ids in said.items()]


def _alike(measures: Sequence[Measure]) -> Iterator[list[int]]:
    """Measures that are computed from the same arrays, which then pass through once."""
    groups: dict[Any, list[int]] = {}
    for row, measure in enumerate(measures):
        groups.setdefault((measure.reads, measure.inputs, measure.proportional), []).append(row)
    yield from groups.values()


def _with_zeros(measure: Measure, evidence: LabelCounts, block: list[int]) -> tuple[Any, Any]:
    """Scores of all topics as one and of each (topics, runs), where what a run lacks is worth nothing but stays in gold."""
    tables, gold = evidence.tables(block), evidence.gold_tables()
    pooled = share_of_worth(measure, tables.sum(axis=1), gold.sum(axis=0), evidence.scale)
    return pooled, share_of_worth(measure, tables, gold, evidence.scale).T


def share_of_worth(measure: Measure, tables: Any, gold: Any, scale: Scale) -> Any:
    """What the answers (..., C, C) are worth together, as a share of what answering all of gold (..., C) right would be."""
    worth = measure.worth(gold, scale)
    perfect = np.sum(gold * np.diagonal(worth, axis1=-2, axis2=-1), axis=-1)
    reached = np.sum(tables * worth, axis=(-2, -1))
    return np.where(perfect > 0, reached / np.where(perfect > 0, perfect, 1), np.nan)


def _distance_notes(distance: Any, measures: Sequence[Measure]) -> list[str]:
    """Whom the user's distances concern; UsageError where it is nobody."""
    takers = [measure.id for measure in measures if measure.takes_distance]
    if distance is None or len(takers) == len(measures):
        return []
    if not takers:
        ids = ", ".join(measure.id for measure in measures)
        raise UsageError(
            f"distances are given, but are not used by {ids}",
            hint="leave out --distance, or choose a measure that takes them, such as rnod or kappa_weighted",
        )
    return [Note(f"the distances are used by {', '.join(takers)} only")]


def _count_reasons(counted: dict[str, int], why: Mapping[str, Any], measure: Measure, evidence: Evidence, able: Any) -> None:
    """Adds how many cases of runs that are able to have a value each reason explains.

    What cannot be scored at all needs no other reason.
    """
    unusable = np.asarray(why[measure.inputs.unusable.reason])
    for known, holds in why.items():
        usual = known != measure.inputs.unusable.reason
        reason = known if usual else evidence.why_unusable or known
        counted[reason] = counted.get(reason, 0) + int(np.sum(holds & able & ~unusable if usual else unusable & able))


def without(evidence: Evidence, measures: Sequence[Measure]) -> frozenset[tuple[str, str]]:
    """Measures and runs that lack what the measure reads."""
    return frozenset((measure.id, evidence.runs[run]) for measure in measures for run in evidence.lacking(measure.reads))


def parts_as_read(measure: Measure, reading: Reading) -> Iterator[tuple[Part, tuple[Any, ...]]]:
    """The parts of a reading, with their arrays as the measure takes them."""
    for part in reading.parts:
        yield part, tuple(measure.as_read(array, reading.items[:, part.topics]) for array in part.arrays)


def signature(evidence: Evidence, measures: Sequence[Measure], distance: Any, average: Average, seed: int | None) -> str:
    """All that a number depends on: two with the same signature are the same."""
    parts: dict[str, Any] = {
        "task": evidence.task,
        **({"classes": str(evidence.scale), "kind": evidence.scale.kind} if evidence.scale else {}),
        "topics": len(evidence.topics),
        "average": average,
        **dict(evidence.settings),
    }
    if distance is not None and any(measure.takes_distance for measure in measures):
        parts["distance"] = hashlib.sha256(np.asarray(distance, dtype=float).tobytes()).hexdigest()[:8]
    if seed is not None:
        parts["seed"] = seed
    parts |= {evidence.name: evidence.checksum(), "version": __version__}
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def undefined_notes(measure: Measure, values: Any, evidence: Evidence, reasons: Mapping[str, int]) -> list[str]:
    """What was undefined, for whom and why."""
    return [f"{measure.id}: {fact}" for fact in undefined_facts(measure, values, evidence, reasons)]


def undefined_facts(measure: Measure, values: Any, evidence: Evidence, reasons: Mapping[str, int]) -> list[str]:
    """The same without the measure's name, since several may share it."""
    facts = []
    lacking = evidence.lacking(measure.reads)
    for why in dict.fromkeys(lacking.values()):
        without = [evidence.runs[run] for run, reason in lacking.items() if reason == why]
        facts.append(f"no value for {_listed(without)}: {why}")
    times = np.isnan(values).sum(axis=0)
    times[list(lacking)] = 0
    if times.any():
        whom = [f"{evidence.runs[run]} {times[run]}" for run in np.argsort(-times, kind="stable") if times[run]]
        why = "; ".join(reason for reason, count in reasons.items() if count)
        pairs = f"{counted(values.size, 'pair')} of run and {evidence.topic_word}"
        facts.append(f"undefined for {times.sum()} of {pairs} ({_listed(whom)}): {why}")
    return facts


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
