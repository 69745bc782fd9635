"""Which measures to be wary of on data like these: those that lack a property which matters here, found by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.advice.looking import DataFacts
from metameasure.catalogue.measure import Measure
from metameasure.core.messages import about
from metameasure.core.notes import counted, listed
from metameasure.core.numbers import number
from metameasure.meta.abilities import holds
from metameasure.properties.search import applies, chosen_properties
from metameasure.scores.cube import Scores
from metameasure.statistics.rank_correlation import TIE


@dataclass(frozen=True)
class Concern:
    """That a property matters where data have a trait, and what is said of measures that lack it.

    ``on_condition``: the trait breaks a condition of the property, so that measures which have it otherwise do not have it here.
    """

    trait: str
    property: str
    lacking: str
    on_condition: bool = False


CONCERNS = (
    Concern("constant_runs", "constant_runs", "cannot tell constant runs apart"),
    Concern("no_distances", "ordinal_invariance", "assumes distances between the classes"),
    Concern("imbalanced", "imbalance_aware", "is blind to class imbalance"),
    Concern("ordered", "order_aware", "is blind to the order of the classes"),
    Concern("beliefs", "accuracy_agrees", "can contradict accuracy"),
    Concern("beliefs", "logical_symmetry", "sees the positive class only"),
    Concern("merging", "degradation", "can rise when labels are merged"),
    Concern("run_ties", "ties_in_expectation", "counts ties as more or less than chance would"),
    Concern("empty_classes", "ordinal_monotonicity", "need not gain when answers come closer", on_condition=True),
)


def lacking(concern: Concern, measures: Sequence[Measure]) -> list[str]:
    """The measures that lack the property here, of those to which it applies."""
    (needed_property,) = chosen_properties([concern.property])
    tried = [measure for measure in measures if applies(needed_property, measure)]
    return [measure.id for measure in tried if holds(measure, concern.property) is concern.on_condition]


def assuming_distances(measures: Sequence[Measure]) -> list[str]:
    """The measures that assume distances between the classes."""
    return [id for concern in CONCERNS if concern.trait == "no_distances" for id in lacking(concern, measures)]


def warnings(looked: DataFacts, scores: Scores, beside_baselines: Scores | None, measures: Sequence[Measure]) -> list[str]:
    """In words: measures that lack what matters here, that ask not to be used, that baselines do well by, or without a value."""
    messages = []
    for concern in CONCERNS:
        ids = lacking(concern, measures) if concern.trait in looked.traits else []
        if ids:
            messages.append(f"{_verb(ids, concern.lacking)} ({concern.property}): {looked.traits[concern.trait]}")
    outranked = _baselines(beside_baselines) if beside_baselines is not None else []
    task = looked.facts.get("task", "")
    cautions = [about(measure.cautions[task], measure=measure.id) for measure in measures if task in measure.cautions]
    return [*messages, *cautions, *outranked, *_holes(scores)]


def _verb(names: Sequence[str], words: str) -> str:
    """One measure is blind to something, several are."""
    if len(names) > 1:
        first, rest = words.split(" ", 1)
        words = f"{_PLURAL.get(first, first)} {rest}"
    return f"{listed(list(names), 'and')} {words}"


_PLURAL = {"is": "are", "assumes": "assume", "sees": "see", "counts": "count"}


def _baselines(scores: Scores) -> list[str]:
    """The measure by which an output that does not look at the items outranks most runs."""
    own = scores.own
    if own.all() or not own.any() or not scores.measures:
        return []
    averages = scores.oriented()
    beaten = (averages[:, None, own] < averages[:, ~own, None] - TIE).sum(axis=2)
    row, place = np.unravel_index(beaten.argmax(), beaten.shape)
    run = np.flatnonzero(~own)[place]
    value = number(float(scores.averages()[row, run]))
    words = (
        f"by {scores.measures[row].id}, {scores.runs[run]} ({value}) outranks {beaten[row, place]} of "
        f"{counted(int(own.sum()), 'run')}"
    )
    return [words] if beaten.any() else []


def _holes(scores: Scores) -> list[str]:
    """Measures that are undefined or infinite on some topics."""
    messages = []
    own = scores.values[:, :, scores.own]
    absent = {id for id, _ in scores.without}
    for words, bad in (("undefined", np.isnan(own)), ("infinite", np.isinf(own))):
        numbers = zip(scores.measures, bad.any(axis=2).sum(axis=1).tolist(), strict=True)
        holes = {measure.id: number for measure, number in numbers if number and measure.id not in absent}
        if holes:
            up_to = "up to " if len(set(holes.values())) > 1 else ""
            topics = f"{up_to}{max(holes.values())} of {counted(len(scores.topics), scores.topic_word)}"
            messages.append(f"{_verb(list(holes), f'is {words}')} for a run on {topics}")
    return messages
