"""What sets of labels are like: how often labels are given, and how many an item has."""

from __future__ import annotations

import numpy as np

from metameasure.core.messages import say
from metameasure.evidence.label_sets import LabelSets
from metameasure.tasks.facts import RARE, DataFacts, facts_of_classes


def facts_of_sets(evidence: LabelSets) -> DataFacts:
    sizes, number = evidence.sizes(), len(evidence.gold)
    each = evidence.sets[evidence.gold].sum(axis=1)
    labels = evidence.scale.labels
    facts = {
        "task": evidence.task,
        **facts_of_classes(evidence.scale),
        "items": number,
        "topics": len(evidence.topics),
        "runs": len(evidence.runs),
        "label_sizes": dict(zip(labels, sizes.tolist(), strict=True)),
        "labels_per_item": float(each.mean()),
        "items_without_labels": int((each == 0).sum()),
        "rare_labels": [label for label, size in zip(labels, sizes.tolist(), strict=True) if 0 < size < RARE * number],
        "empty_labels": [label for label, size in zip(labels, sizes.tolist(), strict=True) if not size],
        "different_sets": len(np.unique(evidence.with_few_sets().gold)),
    }
    traits: dict[str, str] = {}
    if facts["rare_labels"]:
        most = labels[int(sizes.argmax())]
        said = "{rare} of {all_labels} labels are on fewer than 5% of the items, and {most} is on {share:.1c}%"
        traits["imbalanced"] = say(
            said, rare=len(facts["rare_labels"]), all_labels=len(labels), most=most, share=float(sizes.max()) / number
        )
    if facts["items_without_labels"]:
        traits["empty_sets"] = say("{some} of {items} items have no label", some=facts["items_without_labels"], items=number)
    return DataFacts(facts, traits)
