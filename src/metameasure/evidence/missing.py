"""What becomes of items that a run does not answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from metameasure.errors import UsageError
from metameasure.evidence.counts import Integers, LabelCounts
from metameasure.notes import counted
from metameasure.scale import Scale


@dataclass(frozen=True)
class Expected:
    """The items and weights that each run should have answered: (runs, topics, C)."""

    items: Integers
    weights: Integers

    @classmethod
    def of_gold(cls, counts: LabelCounts) -> Expected:
        """All of gold, for every run."""
        shape = (len(counts.runs), *counts.gold.shape)
        return cls(np.broadcast_to(counts.gold_items, shape), np.broadcast_to(counts.gold, shape))

    @classmethod
    def of_rows(cls, cells: Integers, items: Integers, weights: Integers, counts: LabelCounts) -> Expected:
        """What stands in each run's own rows, where gold stands beside the labels."""
        shape = (len(counts.runs), len(counts.topics), len(counts.scale))
        amounts = []
        for amount in (items, weights):
            total = np.zeros(shape, np.int64)
            np.add.at(total, tuple(cells[:, :3].T), amount)
            amounts.append(total)
        return cls(*amounts)


def check_extra(policy: str | None) -> None:
    """UsageError for a policy for items that gold lacks that there is not."""
    if policy not in (None, "error", "ignore"):
        raise UsageError(f"there is no policy '{policy}' for items that gold lacks", hint="choose error or ignore")


def check_policy(policy: str | None) -> None:
    """UsageError for a policy that there is not."""
    if policy is not None and policy not in ("worst", "drop", "zero") and not policy.startswith("class:"):
        raise UsageError(f"there is no policy '{policy}' for missing items", hint="choose worst, drop, zero or class:LABEL")


def with_missing(counts: LabelCounts, expected: Expected, policy: str) -> LabelCounts:
    """What each run lacks left out, or counted as answers of a stand-in class; and a note of how many there were."""
    answered = Expected.of_rows(counts.cells, counts.items, counts.weights, counts)
    items, weights = expected.items - answered.items, expected.weights - answered.weights
    stand_in = None if policy in ("drop", "zero") else stand_ins(counts.scale, policy)
    done = (
        {"drop": "left out", "zero": "worth nothing"}[policy]
        if stand_in is None
        else f"counted as {policy.removeprefix('class:')}"
    )
    lacking = items.sum(axis=(1, 2))
    notes = [
        f"{run}: {counted(number, 'missing item')} {done}" for run, number in zip(counts.runs, lacking, strict=True) if number
    ]
    counts = replace(counts, notes=(*counts.notes, *notes))
    if stand_in is None:
        return counts
    absent = np.argwhere(items > 0)
    at = tuple(absent.T)
    return replace(
        counts,
        cells=np.concatenate([counts.cells, np.column_stack([absent, stand_in[absent[:, 2]]])]),
        items=np.concatenate([counts.items, items[at]]),
        weights=np.concatenate([counts.weights, weights[at]]),
    )


def stand_ins(scale: Scale, policy: str) -> Integers:
    """For each gold class the class that a missing answer counts as."""
    if policy.startswith("class:"):
        return np.full(len(scale), scale.index(policy.removeprefix("class:")))
    if scale.kind == "nominal":
        raise UsageError("nominal classes have no order, and so no worst class", hint="choose --missing drop or class:LABEL")
    values = np.array(scale.values)
    above, under = values[-1] - values, values - values[0]
    return np.where(above >= under, len(scale) - 1, 0)
