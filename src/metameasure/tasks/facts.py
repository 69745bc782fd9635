"""What data are like, as far as the choice of a measure depends on it. Each task looks at its own evidence; what tasks share is
here."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.messages import Message, say
from metameasure.core.notes import counted, listed
from metameasure.core.scale import Scale
from metameasure.evidence.base import Evidence

RARE = 0.05
"""A class with a smaller share of the items is rare."""
IMBALANCED = 2.0
"""Classes are imbalanced where the largest is so many times as large as the smallest."""


@dataclass(frozen=True)
class DataFacts:
    """What was seen: facts for the JSON, and the traits that recommendations and warnings depend on, each in words. ``absent``
    has words for traits that a recommendation asks for and that are not there."""

    facts: Mapping[str, Any]
    traits: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)

    def said(self, trait: str) -> str:
        """What there is to say of a trait, whether the data have it or not."""
        return self.traits.get(trait) or self.absent.get(trait, "")


def facts_of_any(evidence: Evidence) -> DataFacts:
    """What there is to see whatever the task: how many topics and runs, and the classes where there are any."""
    classes = {} if evidence.scale is None else facts_of_classes(evidence.scale)
    facts = {"task": evidence.task, **classes, "topics": len(evidence.topics), "runs": len(evidence.runs)}
    return DataFacts(facts, {} if evidence.scale is None else class_traits(facts, evidence.scale))


def some_of(some: Sized, runs: Sized, verb: str) -> Message:
    """2 of 5 runs say, 1 of 5 runs says."""
    template = "{some} of {all_runs} " + verb + ("s" if len(some) == 1 else "")
    return say(template, some=len(some), all_runs=counted(len(runs), "run"))


def facts_of_classes(scale: Scale) -> dict[str, Any]:
    return {"classes": list(scale.labels), "kind": scale.kind}


def class_sizes(sizes: npt.NDArray[np.int64], scale: Scale) -> dict[str, Any]:
    """Class sizes of gold, and which classes are rare or empty."""
    shares = sizes / max(1, sizes.sum())
    return {
        "class_sizes": dict(zip(scale.labels, sizes.tolist(), strict=True)),
        "largest_share": float(shares.max()),
        "smallest_share": float(shares.min()),
        "rare_classes": [label for label, share in zip(scale.labels, shares, strict=True) if 0 < share < RARE],
        "empty_classes": [label for label, size in zip(scale.labels, sizes, strict=True) if not size],
    }


def class_traits(facts: Mapping[str, Any], scale: Scale) -> dict[str, str]:
    """What the classes and their sizes are like."""
    traits: dict[str, str] = {}
    if len(scale) == 2:
        traits["two_classes"] = "there are two classes"
    elif scale.kind != "nominal":
        traits["ordered"] = say("the {number_of_classes} classes have an order", number_of_classes=len(scale))
    sizes = facts.get("class_sizes")
    if sizes and facts["largest_share"] >= IMBALANCED * facts["smallest_share"]:
        largest, smallest = max(sizes, key=sizes.__getitem__), min(sizes, key=sizes.__getitem__)
        traits["imbalanced"] = say(
            "{first} has {largest_share:.1c}% of the items, {second} {smallest_share:.1c}%",
            first=largest,
            second=smallest,
            largest_share=facts["largest_share"],
            smallest_share=facts["smallest_share"],
        )
    if sizes and facts["empty_classes"]:
        traits["empty_classes"] = say("gold has no item of {classes}", classes=listed(facts["empty_classes"], "and"))
    return traits
