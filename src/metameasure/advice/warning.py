"""Which measures to be wary of on data like these: those that lack a property which matters here, found by search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metameasure.catalogue.measure import Measure
from metameasure.core.messages import about, note, warn
from metameasure.core.notes import counted, listed
from metameasure.meta.abilities import holds
from metameasure.properties.search import applies, chosen_properties
from metameasure.scores.scores import Scores
from metameasure.statistics.rank_correlation import TIE
from metameasure.tasks.facts import DataFacts


@dataclass(frozen=True)
class Concern:
    """That a property matters where data have a trait, and what is said of one measure that lacks it, and of several.

    ``on_condition``: the trait breaks a condition of the property, so that measures which have it otherwise do not have it here.
    """

    trait: str
    property: str
    lacking: tuple[str, str]
    on_condition: bool = False


def _both(words: str, one: str, several: str) -> tuple[str, str]:
    """What is said of one measure, and of several."""
    return words.format(one), words.format(several)


CONCERNS = (
    Concern("constant_runs", "constant_runs", ("cannot tell constant runs apart",) * 2),
    Concern("no_distances", "ordinal_invariance", _both("{} distances between the classes", "assumes", "assume")),
    Concern("imbalanced", "imbalance_aware", _both("{} blind to class imbalance", "is", "are")),
    Concern("ordered", "order_aware", _both("{} blind to the order of the classes", "is", "are")),
    Concern("beliefs", "accuracy_agrees", ("can contradict accuracy",) * 2),
    Concern("beliefs", "logical_symmetry", _both("{} the positive class only", "sees", "see")),
    Concern("merging", "degradation", ("can rise when labels are merged",) * 2),
    Concern("run_ties", "ties_in_expectation", _both("{} ties as more or less than chance would", "counts", "count")),
    Concern("empty_classes", "ordinal_monotonicity", ("need not gain when answers come closer",) * 2, on_condition=True),
)


def lacking(concern: Concern, measures: Sequence[Measure]) -> list[str]:
    """The measures that lack the property here, of those to which it applies."""
    (needed_property,) = chosen_properties([concern.property])
    tried = [measure for measure in measures if applies(needed_property, measure)]
    return [measure.id for measure in tried if holds(measure, concern.property) is concern.on_condition]


def assumes_distances(measure: Measure) -> bool:
    """Whether a measure assumes distances between the classes."""
    return any(lacking(concern, [measure]) for concern in CONCERNS if concern.trait == "no_distances")


def warnings(looked: DataFacts, scores: Scores, beside_baselines: Scores | None, measures: Sequence[Measure]) -> list[str]:
    """In words: measures that lack what matters here, that ask not to be used, that baselines do well by, or without a value."""
    messages: list[str] = []
    for concern in CONCERNS:
        ids = lacking(concern, measures) if concern.trait in looked.traits else []
        if ids:
            messages.append(
                warn(
                    "lacks a property",
                    "{measures} {lacking} ({property}): {trait}",
                    measures=listed(ids, "and"),
                    lacking=concern.lacking[len(ids) > 1],
                    property=concern.property,
                    trait=looked.traits[concern.trait],
                )
            )
    outranked = _baselines(beside_baselines) if beside_baselines is not None else []
    task = looked.facts.get("task", "")
    cautions = [about(measure.cautions[task], measure=measure.id) for measure in measures if task in measure.cautions]
    return [*messages, *cautions, *_of_sakai(looked, measures), *outranked, *_holes(scores)]


def _of_sakai(looked: DataFacts, measures: Sequence[Measure]) -> list[str]:
    """What Sakai (2021) found of measures that are at hand here."""
    ids = {measure.id for measure in measures}
    said: list[str] = []
    blind = [id for id in ("mae", "accuracy") if id in ids]
    if blind and {"imbalanced", "ordered"} <= {*looked.traits}:
        said.append(
            note(
                "not even secondary",
                "Sakai (2021), Section 5.1, finds {measures} not useful even as {secondary}: rankings by measures that ignore "
                "class imbalance are drastically different from all others",
                measures=listed(blind, "and"),
                secondary="secondary measures" if len(blind) > 1 else "a secondary measure",
            )
        )
    if "alpha_ordinal" in ids and "ordered" in looked.traits:
        nothing = "Sakai (2021), Section 5.4, finds that alpha_interval adds nothing to alpha_ordinal"
        said.append(note("adds nothing", nothing))
    return said


def _baselines(scores: Scores) -> list[str]:
    """The measure by which an output that does not look at the items outranks most runs."""
    own = scores.own
    if own.all() or not own.any() or not scores.measures:
        return []
    averages = scores.oriented()
    beaten = (averages[:, None, own] < averages[:, ~own, None] - TIE).sum(axis=2)
    row, place = np.unravel_index(beaten.argmax(), beaten.shape)
    run = np.flatnonzero(~own)[place]
    if not beaten.any():
        return []
    return [
        warn(
            "outranked by a baseline",
            "by {measure}, {baseline} ({value:.3f}) outranks {outranked} of {runs}",
            measure=scores.measures[row].id,
            baseline=scores.runs[run],
            value=float(scores.averages()[row, run]),
            outranked=int(beaten[row, place]),
            runs=counted(int(own.sum()), "run"),
        )
    ]


def _holes(scores: Scores) -> list[str]:
    """Measures that are undefined or infinite on some topics; those of all topics together have no value for one."""
    messages: list[str] = []
    own = scores.values[:, :, scores.own]
    absent = {id for id, _ in scores.without} | {measure.id for measure in scores.measures if measure.of_all}
    for words, bad in (("undefined", np.isnan(own)), ("infinite", np.isinf(own))):
        numbers = zip(scores.measures, bad.any(axis=2).sum(axis=1).tolist(), strict=True)
        holes = {measure.id: number for measure, number in numbers if number and measure.id not in absent}
        if holes:
            verb, up_to = "is" if len(holes) == 1 else "are", "up to " if len(set(holes.values())) > 1 else ""
            messages.append(
                warn(
                    "undefined or infinite",
                    "{measures} {verb} {what} for a run on {up_to}{number} of {topics}",
                    measures=listed(list(holes), "and"),
                    verb=verb,
                    what=words,
                    up_to=up_to,
                    number=max(holes.values()),
                    topics=counted(len(scores.topics), scores.topic_word),
                )
            )
    return messages
