"""What becomes of items that a run lacks, or that gold does not have: the policies of ``--missing`` and ``--extra``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metameasure.core.errors import UsageError
from metameasure.core.messages import OptionName, note, say, warn
from metameasure.core.notes import counted
from metameasure.core.options import chosen
from metameasure.core.scale import Scale
from metameasure.statistics.arrays import Booleans, Integers

LEFT_OUT = {"drop": "left out", "zero": "worth nothing", "bounds": "left out, and counted as wrong and as right for the bounds"}
"""What becomes of missing items, by the policies that put no answers in their place."""


def check_missing(policy: str) -> None:
    """UsageError where there is no such policy for items that a run lacks."""
    if not policy.startswith("class:"):
        chosen(OptionName("missing", "missing"), policy, ("worst", *LEFT_OUT, "class:LABEL"))


def stand_ins(scale: Scale, policy: str, *, lower: bool = False) -> Integers:
    """For each gold class the class that a missing answer counts as; of two that are equally far the upper, or the lower."""
    if policy.startswith("class:"):
        return np.full(len(scale), scale.index(policy.removeprefix("class:")))
    if scale.kind == "nominal":
        raise UsageError(
            "nominal classes have no order, and so no worst class", hint=say("choose {--missing drop} or class:LABEL")
        )
    values = np.array(scale.values)
    above, under = values[-1] - values, values - values[0]
    return np.where(above > under if lower else above >= under, len(scale) - 1, 0)


def said_of_missing(runs: Sequence[str], items: Integers, either: Booleans, policy: str) -> list[str]:
    """How many items each run lacks (runs, topics, C), and what became of them. For the classes of ``either`` both ends are
    as far."""
    done = LEFT_OUT.get(policy, f"counted as {policy.removeprefix('class:')}")
    lacking = zip(runs, items.sum(axis=(1, 2)).tolist(), items[..., either].sum(axis=(1, 2)).tolist(), strict=True)
    said, at_either = [], []  # of their own, so that the numbers of several parts add up
    for run, number, some in lacking:
        if number:
            missing = counted(number, "missing item")
            said.append(warn("missing items", "{run}: {items} {done}", run=run, items=missing, done=done))
        if some:
            what = "{run}: both ends are as far from {items}, and each measure takes the worse"
            at_either.append(warn("either end", what, run=run, items=counted(some, "missing item")))
    return [*said, *at_either]


def said_of_extra(run: str, rows: int) -> str:
    """That rows of a run are ignored, because gold lacks their items."""
    what = "{name}: {rows} on items that gold does not have left out"
    return note("rows read otherwise", what, name=run, rows=counted(rows, "row"))
