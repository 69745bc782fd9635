"""Who is in the denominator: how many of all items stand behind each run's scores, and what the others could change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError
from metameasure.core.messages import say, warn
from metameasure.core.notes import first_of
from metameasure.core.numbers import json_number, number
from metameasure.evidence.base import Evidence, ScoredUnits
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.outcomes import OfOutcomes
from metameasure.scores.of_evidence import plain_scores, share_of_worth
from metameasure.scores.scores import Remark, Scores
from metameasure.statistics.arrays import Floats, mean_of_defined
from metameasure.statistics.rank_correlation import TIE


def with_denominator(scores: Scores, evidence: Evidence, units: Mapping[str, ScoredUnits]) -> Scores:
    """The scores, with how many of all items are behind them where that is not all, by measure as far as that is known; the
    bounds that missing ones leave, where they are asked for; and which runs change places by what becomes of missing items."""
    remarks, notes = _scored(scores, units), list[str]()
    if dict(evidence.settings).get("missing") == "bounds":
        ends = bounds(evidence, scores.measures, scores.average)
        remarks.append(_bounds(scores, ends))
        notes += _open_orders(scores, ends)
    elif (outcomes := evidence.outcomes()) is not None and any(one.key == "scored" for one in remarks):
        notes += _orders_by_choice(scores, outcomes)
    return replace(scores, remarks=(*scores.remarks, *remarks), notes=(*scores.notes, *notes)) if remarks or notes else scores


def _scored(scores: Scores, known: Mapping[str, ScoredUnits]) -> list[Remark]:
    """How many of all items each run has a score for, where some lack any."""
    if all(one.are_all for one in known.values()):
        return []
    first, most = next(iter(known.values())), max(one.of for one in known.values())
    together = all(one.of == most for one in known.values())
    alike = (
        together
        and len(known) == len(scores.measures)
        and all(np.array_equal(one.number, first.number) for one in known.values())
    )
    words, facts = [], []
    for run in range(len(scores.runs)):
        each = {id: int(one.number[run]) for id, one in known.items()}
        own = f"{each[next(iter(each))]}" if alike else ", ".join(f"{id} {some}" for id, some in each.items())
        own = own if together else ", ".join(f"{id} {int(one.number[run])} of {one.of}" for id, one in known.items())
        words.append(say("{own} of {most} {word}" if together else "{own} {word}", own=own, most=most, word=first.word))
        facts.append({first.word: most, **each})
    return [Remark("scored", "scored", tuple(words), tuple(facts))]


def bounds(evidence: Evidence, measures: Sequence[Measure], average: Average) -> tuple[Floats, Floats]:
    """(measures, runs) twice: what runs would score if all that is missing were wrong, and if it were right. UsageError for a
    measure that is no sum over items, or whose range is not known."""
    if (outcomes := evidence.outcomes()) is not None:
        both = [_bounds_of_outcomes(outcomes, measure, average) for measure in measures]
    else:
        counts = evidence.label_counts()
        if counts is None:
            raise UsageError(say("{--missing bounds} is for labels and outcomes"), hint=say("choose {--missing drop}"))
        both = [_bounds_of_labels(counts, measure, average) for measure in measures]
    low, high = (np.array(ends).reshape(len(measures), -1) for ends in zip(*both, strict=True))
    return low, high


def _bounds_of_outcomes(evidence: OfOutcomes, measure: Measure, average: Average) -> tuple[Floats, Floats]:
    ends = (0.0, 1.0) if measure.reads.startswith("samples") else measure.known_range(None)
    ends = (-math.inf, math.inf) if measure.reads.startswith("repeats") else ends
    if not np.isfinite(ends).all() or measure.chance != "linear":
        why = f"the least and the greatest score by {measure.id} are not known"
        raise UsageError(why, hint=say("choose {--missing drop}, or a measure whose scores lie between 0 and 1"))
    row = evidence.row(measure.reads)
    plain = evidence.with_policy(None)
    low, high = (plain_scores(plain.with_missing_as(row, end), [measure], average=average).averages()[0] for end in ends)
    return low, high


def _bounds_of_labels(counts: LabelCounts, measure: Measure, average: Average) -> tuple[Floats, Floats]:
    tables, gold = counts.tables(), counts.gold_tables()
    if average == "pooled":
        tables, gold = tables.sum(axis=1, keepdims=True), gold.sum(axis=0, keepdims=True)
    lacking = np.maximum(gold - tables.sum(axis=-1), 0)
    right = tables + lacking[..., None] * np.eye(tables.shape[-1])
    low, high = (mean_of_defined(share_of_worth(measure, one, gold, counts.scale), 1) for one in (tables, right))
    return low, high


def _bounds(scores: Scores, ends: tuple[Floats, Floats]) -> Remark:
    """From "all missing wrong" to "all right", in words and for JSON."""
    ids = [measure.id for measure in scores.measures]
    words, facts = [], []
    for run in range(ends[0].shape[1]):
        each = [f"{number(low, 3)} to {number(high, 3)}" for low, high in zip(ends[0][:, run], ends[1][:, run], strict=True)]
        words.append(each[0] if len(ids) == 1 else "; ".join(f"{id} {own}" for id, own in zip(ids, each, strict=True)))
        facts.append({id: [json_number(end[row, run]) for end in ends] for row, id in enumerate(ids)})
    return Remark("if missing were wrong, or right", "bounds", tuple(words), tuple(facts))


def _open_orders(scores: Scores, ends: tuple[Floats, Floats]) -> list[str]:
    """The pairs of runs whose order by the first measure missing items could turn round."""
    low, high = ends[0][0], ends[1][0]
    pairs = [
        (one, other)
        for one, other in combinations(range(len(low)), 2)
        if low[one] < high[other] - TIE and low[other] < high[one] - TIE
    ]
    said = "by {measure}, missing items could turn round the order of {pairs}"
    return _named(said, scores, pairs)


def _orders_by_choice(scores: Scores, evidence: OfOutcomes) -> list[str]:
    """The pairs of runs whose order by the first measure depends on whether missing items are left out or 0."""
    measure = scores.primary
    if measure is None or measure.better != "higher" or measure.chance != "linear":
        return []
    dropped, zero = (
        plain_scores(evidence.with_policy(missing), [measure], average=scores.average).averages()[0]
        for missing in ("drop", "zero")
    )
    pairs = [
        (one, other)
        for one, other in combinations(range(len(dropped)), 2)
        if (dropped[one] - dropped[other]) * (zero[one] - zero[other]) < -(TIE**2)
    ]
    said = "by {measure}, the order of {pairs} depends on missing items: with {--missing zero} it is the other way round than "
    return _named(said + "with {--missing drop}", scores, pairs)


def _named(template: str, scores: Scores, pairs: Sequence[tuple[int, int]]) -> list[str]:
    if not pairs or scores.primary is None:
        return []
    names = [say("{first} and {second}", first=scores.runs[one], second=scores.runs[other]) for one, other in pairs]
    return [warn("order open", template, measure=scores.primary.id, pairs=first_of(names))]
