"""What probabilities of items are like: the sizes of classes, and who is sure."""

from __future__ import annotations

import numpy as np

from metameasure.evidence.probabilities import Probabilities
from metameasure.tasks.facts import DataFacts, class_sizes, class_traits, facts_of_classes


def facts_of_probabilities(evidence: Probabilities) -> DataFacts:
    gold = evidence.gold
    facts = {
        "task": evidence.task,
        **facts_of_classes(evidence.scale),
        "topics": len(evidence.topics),
        "items": len(evidence.items),
        "runs": len(evidence.runs),
        **class_sizes(np.asarray(np.rint(gold.sum(axis=0)), dtype=np.int64), evidence.scale),
        "soft_items": int(((gold > 0) & (gold < 1)).any(axis=-1).sum()),
        "impossible": dict(zip(evidence.runs, evidence.impossible().tolist(), strict=True)),
    }
    return DataFacts(facts, class_traits(facts, evidence.scale))
