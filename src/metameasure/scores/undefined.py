"""What an undefined score becomes (the number itself: ``Measure.in_place_of_undefined``), and what is said of it: for whom,
how often, why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metameasure.catalogue.measure import Measure, StandIn
from metameasure.core.messages import about, say, warn
from metameasure.core.notes import counted, first_of, grouped, in_a_row
from metameasure.core.scale import Scale
from metameasure.evidence.base import Evidence
from metameasure.statistics.arrays import Booleans, Floats

_COUNTED_AS: dict[StandIn, str] = {"zero": "", "worst": ", the worse end of the range", "chance": ", the chance level"}


def stood_in_for(
    scores: Floats, able: Booleans, measures: Sequence[Measure], scale: Scale | None, choice: StandIn
) -> tuple[Floats, list[str]]:
    """Scores (measures, topics, runs) with a value where they are undefined, of the runs that are able to have one (measures,
    runs); and notes on how many. UsageError for a measure that has no such value, unless it is never undefined."""
    holes = np.isnan(scores) & able[:, None, :]
    numbers = holes.sum(axis=(1, 2)).tolist()
    concerned = [bool(measure.undefined) or number > 0 for measure, number in zip(measures, numbers, strict=True)]
    values, said = scores.copy(), []
    for row, (measure, number) in enumerate(zip(measures, numbers, strict=True)):
        if not concerned[row] and any(concerned):
            continue
        counts_as = measure.in_place_of_undefined(choice, scale if measure.reads.of_classes else None)
        values[row][holes[row]] = counts_as
        if number:
            fact = say(
                "{scores} counted as {value:g}{meaning}",
                scores=counted(number, "undefined score"),
                value=counts_as,
                meaning=_COUNTED_AS[choice],
            )
            said.append((fact, measure.id))
    notes: list[str] = [about(fact, measures=in_a_row(ids)) for fact, ids in grouped(said).items()]
    return values, notes


def count_reasons(counted: dict[str, int], why: Mapping[str, Any], measure: Measure, evidence: Evidence, able: Any) -> None:
    """Adds how many cases of runs that are able to have a value each reason explains.

    What cannot be scored at all needs no other reason.
    """
    unusable = np.asarray(why[measure.inputs.unusable.reason])
    for known, holds in why.items():
        usual = known != measure.inputs.unusable.reason
        reason = known if usual else evidence.why_unusable or known
        counted[reason] = counted.get(reason, 0) + int(np.sum(holds & able & ~unusable if usual else unusable & able))


def undefined_facts(measure: Measure, values: Any, evidence: Evidence, reasons: Mapping[str, int]) -> list[str]:
    """What was undefined, for whom and why; without the measure's name, since several may share it."""
    facts = list[str]()
    lacking = evidence.lacking(measure.reads)
    for why in dict.fromkeys(lacking.values()):
        without = [evidence.runs[run] for run, reason in lacking.items() if reason == why]
        facts.append(warn("no value", "no value for {names}: {why}", names=first_of(without), why=why))
    times = np.isnan(values).sum(axis=0)
    times[list(lacking)] = 0
    if times.any():
        whom = [
            say("{run} {times_of_run}", run=evidence.runs[run], times_of_run=int(times[run]))
            for run in np.argsort(-times, kind="stable")
            if times[run]
        ]
        why = "; ".join(reason for reason, count in reasons.items() if count)
        facts.append(
            warn(
                "undefined scores",
                "undefined for {times} of {pairs} of run and {topic_word} ({runs})" + (": {why}" if why else ""),
                times=int(times.sum()),
                pairs=counted(values.size, "pair"),
                topic_word=evidence.topic_word,
                runs=first_of(whom),
                why=why,
            )
        )
    return facts
