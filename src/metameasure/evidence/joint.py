"""The joint table of two runs and gold: what paired questions are answered from."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from metameasure.errors import UsageError, did_you_mean
from metameasure.evidence.counting import class_codes
from metameasure.evidence.counts import ONE_TOPIC, ordered
from metameasure.evidence.prepare import CountOptions, cut_into_classes, deal_into_partitions, fixed_point, with_gold_apart
from metameasure.scale import Scale
from metameasure.tables.engine import Frame, fetch
from metameasure.tables.keyed import KeyedTable


@dataclass(frozen=True, eq=False)
class JointCounts:
    """``items`` and ``weights`` (topics, C, C, C): gold class, the first run's class, the second run's. Items that either lacks
    are left out."""

    scale: Scale
    runs: tuple[str, str]
    topics: tuple[str, ...]
    items: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]


def count_jointly(tables: KeyedTable, first: str, second: str, scale: Scale, options: CountOptions) -> JointCounts:
    """Count the items of two runs by gold class and both predicted classes, in one query."""
    if options.missing not in (None, "drop"):
        raise UsageError(f"differences are over items that both runs have, not --missing {options.missing}", hint="choose drop")
    tables, unit = fixed_point(deal_into_partitions(cut_into_classes(with_gold_apart(tables, options), options), options))
    if not tables.has_items:
        raise UsageError("two runs can be compared item by item only where items have ids", hint="add a column 'item'")
    topic = ["topic"] if tables.has("topic") else []
    keys = list(tables.keys)
    weight = ["fixed"] if unit != 1 else []
    left = _labels_of(tables, first, "first", [*keys, *([] if tables.gold is not None else [*topic, "gold", *weight])])
    joined = left.join(_labels_of(tables, second, "second", keys), on=keys, how="inner")
    if tables.gold is not None:
        joined = tables.joined(joined, "inner")
    sums = [nw.col(name).sum() for name in weight]
    found = fetch(joined.group_by(*topic, "gold", "first", "second").agg(nw.len().alias("items"), *sums))
    groups = {name: column.tolist() for name, column in found.items()}
    sides = [groups[side] for side in ("gold", "first", "second")]
    codes = class_codes(scale, [label for side in sides for label in side])
    named = [ONE_TOPIC if name is None else str(name) for name in groups.get("topic", [None] * len(groups["items"]))]
    topics = ordered(set(named))
    items, weights = (np.zeros((len(topics), *[len(scale)] * 3)) for _ in range(2))
    for name, gold, one, other, number, fixed in zip(
        named, *sides, groups["items"], groups.get("fixed", groups["items"]), strict=True
    ):
        place = (codes[gold], codes[one], codes[other])
        if min(place) >= 0:
            items[(topics.index(name), *place)] += int(number)
            weights[(topics.index(name), *place)] += int(fixed)
    return JointCounts(scale, (first, second), topics, items, weights / unit)


def _labels_of(tables: KeyedTable, run: str, name: str, columns: list[str]) -> Frame:
    if run not in tables.names:
        raise UsageError(
            f"there is no run '{run}'", hint=did_you_mean(run, tables.names) or f"the runs are {', '.join(tables.names)}"
        )
    own = tables.one(tables.names.index(run))
    return own.select(*dict.fromkeys(columns), nw.col("label").alias(name))
