"""What judgements are like: who orders them and how, who contradicts themselves."""

from __future__ import annotations

import numpy as np

from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.evidence.judgements import Judgements
from metameasure.tasks.classification.facts import facts_of_labels
from metameasure.tasks.entailment.remarks import degrading_merges, own_ranking
from metameasure.tasks.facts import DataFacts, some_of


def facts_of_judgements(evidence: Judgements) -> DataFacts:
    counts = evidence.counts
    plain = facts_of_labels(counts)
    named = counts.runs
    having = {
        name: [run for place, run in enumerate(named) if place not in evidence.lacking(reads)]
        for name, reads in (("confidence", "order@confidence"), ("score", "order@score"))
    }
    sound = (own_ranking(items, evidence.topics)[0] for items in evidence.items)
    unsound = [run for run, one in zip(named, sound, strict=True) if one is not None and not one.sound]
    merging = [
        run for run, table in zip(named, counts.tables().sum(axis=1), strict=True) if degrading_merges(table, counts.scale.labels)
    ]
    entropy = float(default_registry()["gold_entropy"](np.diag(counts.gold_tables().sum(axis=0))))
    facts = {
        **plain.facts,
        "task": "entailment",
        "ordered_by": having,
        "self_contradictory_runs": unsound,
        "runs_that_gain_by_merging_labels": merging,
        "gold_entropy": entropy,
    }
    traits = {name: words for name, words in plain.traits.items() if name != "ordered"}
    if having["confidence"]:
        traits["confidence"] = say("{some_runs} how sure they are", some_runs=some_of(having["confidence"], named, "say"))
    if having["score"]:
        some_runs, label = some_of(having["score"], named, "say"), counts.scale.labels[0]
        traits["beliefs"] = say("{some_runs} how strongly they believe in {label}", some_runs=some_runs, label=label)
    if merging:
        traits["merging"] = say(
            "{gaining} of {of_runs} would gain by giving one label another's name",
            gaining=counted(len(merging), "run"),
            of_runs=len(named),
        )
    return DataFacts(facts, traits, {**plain.absent, "confidence": "no run says how sure it is of its labels"})
