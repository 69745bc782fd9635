"""Tables of labels made ready for counting: numbers cut into classes, items divided into test cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from metameasure.errors import UsageError
from metameasure.formats.problems import DataProblems
from metameasure.scale import Classes, Kind, Scale
from metameasure.tables.audit import Found, located
from metameasure.tables.engine import distinct, fetch, rows
from metameasure.tables.keyed import KeyedTable
from metameasure.values import number_of

# The columns of gold, where it stands beside the runs' labels.
_OF_GOLD = ("topic", "gold", "weight", "fixed", "gold_beyond", "cluster")
# Beyond these, sums of weights would leave the numbers that can be told apart.
_SMALLEST_WEIGHT, _LARGEST_WEIGHT = 1e-200, 1e200


@dataclass(frozen=True)
class CountOptions:
    """How labels are counted: see the interface's ``--classes``, ``--bins``, ``--missing`` and ``--partitions``."""

    classes: Classes | None = None
    kind: Kind | None = None
    bins: tuple[float, ...] = ()
    missing: str | None = None
    partitions: int | None = None
    seed: int = 0
    extra: str | None = None
    """What becomes of rows on items that gold lacks: ``error`` (by default) or ``ignore``."""
    numeric: bool = False
    """Whether labels are numbers and stay so: then there are no classes."""

    @property
    def policies(self) -> str:
        """What may be done about items that a run lacks, in words."""
        return "drop" if self.numeric else "worst, drop or class:LABEL"

    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature has to say of it."""
        told = {
            "bins": ",".join(f"{cut:g}" for cut in self.bins),
            "missing": self.missing or "",
            "extra": "ignore" if self.extra == "ignore" else "",
            "partitions": f"{self.partitions}/seed:{self.seed}" if self.partitions else "",
        }
        return tuple((name, value) for name, value in told.items() if value)


def with_gold_apart(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Stacked rows as runs and a gold of their own, where it matters which items a run lacks: for a policy for missing ones, and
    for partitions. Rows of any shape, where a run has several outputs for an item."""
    if tables.repeated and tables.has_items:
        return gold_apart(tables)
    if tables.shape != "stacked" or tables.gold is not None:
        return tables
    if options.missing is None and options.partitions is None and tables.engine.is_here(tables.runs):
        return tables
    if not tables.has_items:
        if options.missing not in (None, "drop"):
            raise UsageError(f"--missing {options.missing} needs the items' ids", hint="add a column 'item', or choose drop")
        return tables
    return gold_apart(tables)


def gold_apart(tables: KeyedTable) -> KeyedTable:
    """Rows that have gold beside the runs' labels as runs and a gold of their own, joined by the items' keys."""
    if tables.gold is not None:
        return tables
    had = tables.runs.collect_schema().names()
    of_gold = [name for name in _OF_GOLD if name in had and name not in tables.keys]
    gold = tables.engine.numbered(distinct(tables.runs, *tables.keys, *of_gold))
    return replace(tables, gold=gold, runs=tables.runs.drop(*of_gold))


def share_between_repeats(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Runs with the number of ``outputs`` that a run has for each row's item, which share the item's weight: so that every item
    counts once, whatever the number of outputs."""
    if not tables.repeated:
        return tables
    if options.missing is not None:
        raise UsageError("--missing is not for runs with several outputs for an item", hint="give each item at least one output")
    if not tables.has_items or tables.gold is None:
        raise UsageError("several outputs for an item need the items' ids", hint="add a column 'item'")
    by = ["run", *tables.keys]
    outputs = tables.runs.group_by(*by).agg(nw.len().cast(nw.Int64).alias("outputs"))
    shared = replace(tables, runs=tables.engine.kept(tables.runs.join(outputs, on=by, how="left")))
    if tables.has("weight"):
        return shared
    return replace(shared, gold=tables.gold.with_columns(nw.lit(1.0).alias("weight")), equal_weights=True)


def cut_into_classes(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Numeric labels replaced by classes, and by ``beyond``, 1 for a label outside the ends of the scale."""
    if not options.bins:
        return tables
    scale = _scale_of_bins(options)
    ends = _numeric_ends(scale)
    if ends is not None and ends[0] > ends[1]:
        raise UsageError(
            f"the classes {scale} are in descending order, but bins are ascending", hint="name the classes from lowest to highest"
        )

    def cut(frame: Any, name: str, beyond: str) -> Any:
        column = nw.col(name)
        number = nw.when(~column.is_nan()).then(column)
        code = nw.lit(scale.labels[0])
        for edge, label in zip(options.bins, scale.labels[1:], strict=True):
            code = nw.when(column >= edge).then(nw.lit(label)).otherwise(code)
        outside = nw.when((number < ends[0]) | (number > ends[1])).then(nw.lit(1)).otherwise(nw.lit(0)) if ends else nw.lit(0)
        return frame.with_columns(nw.when(~number.is_null()).then(code).alias(name), outside.alias(beyond))

    if tables.gold is not None:
        return replace(tables, gold=cut(tables.gold, "gold", "gold_beyond"), runs=cut(tables.runs, "label", "beyond"))
    return replace(tables, runs=cut(cut(tables.runs, "gold", "gold_beyond"), "label", "beyond"))


def _scale_of_bins(options: CountOptions) -> Scale:
    if options.classes is None:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes",
            hint=f"name them: --classes 1..{len(options.bins) + 1}",
        )
    scale = Scale.of(options.classes, kind=options.kind)
    if len(scale) != len(options.bins) + 1:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes, not {len(scale)}",
            hint="one edge between each two",
        )
    if not all(map(math.isfinite, options.bins)):
        raise UsageError("a bin edge is not a finite number", hint="as in --bins 1.5,2.5")
    if any(low >= high for low, high in pairwise(options.bins)):
        raise UsageError("the bin edges do not increase", hint="give them from lowest to highest")
    return scale


def _numeric_ends(scale: Scale) -> tuple[float, float] | None:
    try:
        first, last = float(scale.labels[0]), float(scale.labels[-1])
    except ValueError:
        return None
    return (first, last)


def deal_into_partitions(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Divides items without topics at random into K test cases whose sizes differ by one item at most.

    The division depends on the seed and on the sorted ids only: not on the engine, the format or the order of rows.
    """
    if options.partitions is None:
        return tables
    if tables.has("topic"):
        raise UsageError("the data has topics already", hint="leave out --partitions, or the topic column")
    if not tables.has_items:
        raise UsageError("partitions need the items' ids", hint="add a column 'item'")
    source = tables.gold if tables.gold is not None else tables.one(0)
    items = fetch(source.select("item").sort("item"))["item"]
    number = len(items)
    if not number:
        return tables  # the audit will say so
    if not 2 <= options.partitions <= number:
        raise UsageError(
            f"{number} items cannot be divided into {options.partitions} partitions", hint="choose from 2 to the number of items"
        )
    places = np.random.Generator(np.random.Philox(options.seed)).permutation(number) % options.partitions
    width = len(str(options.partitions))
    names = np.array([f"part {place + 1:0{width}}" for place in range(options.partitions)], dtype=object)
    dealt = tables.engine.frame({"item": items, "topic": names[places]}, beside=source).unique("item")
    if tables.gold is not None:
        return replace(tables, gold=tables.engine.kept(tables.gold.join(dealt, on="item", how="left")))
    return replace(tables, runs=tables.runs.join(dealt, on="item", how="left"))


def fixed_point(tables: KeyedTable) -> tuple[KeyedTable, int]:
    """Weights as whole numbers of 1/unit, the unit a power of two that leaves room for their sum; 1 where there are none."""
    if not tables.has("weight"):
        return tables, 1
    source = tables.runs if tables.gold is None else tables.gold
    weight = nw.col("weight")
    wrong = weight.is_null() | weight.is_nan() | (weight < 0) | (weight > _LARGEST_WEIGHT)
    described = fetch(source.select(weight.max().alias("largest"), wrong.sum().alias("wrong")))
    if described["wrong"][0]:
        raise DataProblems(*_wrong_weights(tables, int(described["wrong"][0])))
    largest, number = float(np.nan_to_num(described["largest"][0])), _items_a_run(tables)
    if not number:
        return tables, 1  # the audit will say so
    if largest < _SMALLEST_WEIGHT:
        raise DataProblems([tables.gold_source.problem(0, "no weight is above 0", "at least one item must count")])
    bits = math.floor(62 - math.log2(largest) - math.log2(number))
    if bits < 1:
        what = f"weights as large as {largest:g} cannot be added up exactly"
        raise DataProblems([tables.gold_source.problem(0, what, "divide all weights by the same number")])
    unit = 2**bits
    # Not cast(round(...)): engines round halves differently.
    column = (weight * float(unit) + 0.5).floor().cast(nw.Int64).alias("fixed")
    if tables.gold is None:
        return replace(tables, runs=source.with_columns(column)), unit
    return replace(tables, gold=source.with_columns(column)), unit


def _items_a_run(tables: KeyedTable) -> int:
    """How many items there are: gold's, or the most that a run has. It is the same for every shape of the same data."""
    if tables.gold is not None:
        return rows(tables.gold)
    sizes = fetch(tables.runs.group_by("run").agg(nw.len().alias("items")))["items"]
    return max((int(number) for number in sizes), default=0)


def _wrong_weights(tables: KeyedTable, total: int) -> Found:
    column = tables.gold_columns.weight

    def reason(record: Mapping[str, Any], line: int) -> str | None:
        cell = record.get(column)
        weight = number_of(cell)
        sound = weight is not None and 0 <= weight <= _LARGEST_WEIGHT
        return None if sound else f"weight '{'' if cell is None else cell}' is not a number from 0 up"

    unlocated = ["a weight is missing, negative or not finite"]
    return located(tables.gold_source, reason, None, total, "give each item a weight", unlocated)
