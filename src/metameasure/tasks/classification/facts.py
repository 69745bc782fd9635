"""What labels are like: sizes of classes, runs that always say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sized

import numpy as np

from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.evidence.counts import LabelCounts
from metameasure.tasks.facts import DataFacts, class_sizes, class_traits, facts_of_classes, some_of


def facts_of_labels(evidence: LabelCounts) -> DataFacts:
    sizes = evidence.gold_items.sum(axis=0)
    facts = {
        "task": "classification",
        **facts_of_classes(evidence.scale),
        "items": int(sizes.sum()),
        "topics": len(evidence.topics),
        "runs": len(evidence.runs),
        **class_sizes(sizes, evidence.scale),
        "topics_without_some_class": int((evidence.gold_items == 0).any(axis=1).sum()),
        "constant_runs": _constant_runs(evidence),
        "weighted": evidence.weighted,
        "clusters": evidence.clustered,
    }
    traits = class_traits(facts, evidence.scale)
    words = {"constant_runs": _constant_words(facts["constant_runs"], evidence.runs)}
    several = len(facts["constant_runs"]) > 1
    return DataFacts(facts, traits | words if several else traits, {} if several else words)


def _constant_runs(counts: LabelCounts) -> dict[str, str]:
    """The runs that give every item the same class, with that class."""
    answers = np.zeros((len(counts.runs), len(counts.scale)))
    np.add.at(answers, (counts.cells[:, 0], counts.cells[:, 3]), counts.items)
    return {
        run: counts.scale.labels[int(row.argmax())] for run, row in zip(counts.runs, answers, strict=True) if (row > 0).sum() == 1
    }


def _constant_words(constant: Mapping[str, str], runs: Sized) -> str:
    """How many runs are constant."""
    if not constant:
        return "no run always gives the same class"
    said = some_of(constant, runs, "always give")
    return say("{some_runs} the same class ({names})", some_runs=said, names=listed(list(constant), "and"))
