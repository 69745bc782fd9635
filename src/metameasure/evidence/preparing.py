"""Labels made ready to be counted: gold set apart, numbers cut into classes, items divided into test cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems
from metameasure.core.scale import Classes, Kind, Scale
from metameasure.core.values import number_of
from metameasure.evidence.missing import check_missing
from metameasure.evidence.side_by_side import Cuts, WideTable
from metameasure.evidence.weights import LARGEST_WEIGHT, PART, Digits, Weights, most_bits, rounded
from metameasure.reading.engine import distinct, fetch, rows
from metameasure.reading.joining import KeyedTable
from metameasure.reading.key_faults import Faults, located
from metameasure.statistics.arrays import Integers

# The columns of gold, where it stands beside the runs' labels.
_OF_GOLD = ("topic", "gold", "weight", "gold_beyond", "cluster")
# Below this, sums of weights would leave the numbers that can be told apart.
_SMALLEST_WEIGHT = 1e-200


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
        return say("{--missing worst}, drop or class:LABEL")

    def settings(self) -> tuple[tuple[str, str], ...]:
        """What the signature has to say of it."""
        settings = {
            "bins": ",".join(f"{cut:g}" for cut in self.bins),
            "missing": self.missing or "",
            "extra": "ignore" if self.extra == "ignore" else "",
            "partitions": f"{self.partitions}/seed:{self.seed}" if self.partitions else "",
        }
        return tuple((name, value) for name, value in settings.items() if value)


def prepared(tables: KeyedTable, options: CountOptions) -> tuple[KeyedTable, int]:
    """The tables ready to be grouped, and the unit of their weights."""
    if options.missing is not None:
        check_missing(options.missing)
    with tables.reading():
        tables = _share_between_repeats(_with_gold_apart(tables, options), options)
        tables = _deal_into_partitions(_cut_into_classes(tables, options), options)
        return _fixed_point(tables)


def _with_gold_apart(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Stacked rows as runs and a gold of their own, where it matters which items a run lacks: for a policy for missing ones, and
    for partitions. Rows of any shape, where a run has several outputs for an item."""
    if tables.repeated and tables.has_items:
        return gold_apart(tables)
    if tables.shape != "stacked" or tables.gold is not None:
        return tables
    if options.missing is None and options.partitions is None and tables.is_here:
        return tables
    if not tables.has_items:
        if options.missing not in (None, "drop"):
            raise UsageError(
                say("{--missing <missing>} needs the items' ids", missing=options.missing),
                hint="add a column 'item', or choose drop",
            )
        return tables
    return gold_apart(tables)


def refuse_weights(tables: KeyedTable, what: str) -> None:
    """DataProblems where items have weights, and ``what`` is scored cannot be weighed."""
    if tables.has("weight"):
        name = tables.gold_columns.weight
        said = say("{what} have no weights, but there is a column '{name}'", what=what, name=name)
        raise DataProblems([tables.gold_source.problem(tables.gold_source.header_line, said, "leave the column out")])


def gold_apart(tables: KeyedTable) -> KeyedTable:
    """Rows that have gold beside the runs' labels as runs and a gold of their own, joined by the items' keys."""
    if tables.gold is not None:
        return tables
    had = tables.runs.collect_schema().names()
    of_gold = [
        name for name in (*_OF_GOLD, *(name for name in had if name.startswith(PART))) if name in had and name not in tables.keys
    ]
    gold = tables.engine.as_gold(distinct(tables.runs, *tables.keys, *of_gold), tables.keys)
    return replace(tables, gold=gold, runs=tables.runs.drop(*of_gold))


def _share_between_repeats(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Runs with the number of ``outputs`` that a run has for each row's item, which share the item's weight: so that every item
    counts once, whatever the number of outputs."""
    if not tables.repeated:
        return tables
    if options.missing is not None:
        raise UsageError(
            say("{--missing} is not for runs with several outputs for an item"), hint="give each item at least one output"
        )
    if not tables.has_items or tables.gold is None:
        raise UsageError("several outputs for an item need the items' ids", hint="add a column 'item'")
    by = ["run", *tables.keys]
    outputs = tables.runs.group_by(*by).agg(nw.len().cast(nw.Int64).alias("outputs"))
    shared = replace(tables, runs=tables.engine.kept(tables.runs.join(outputs, on=by, how="left")))
    if tables.has("weight"):
        return shared
    return replace(shared, gold=tables.gold.with_columns(nw.lit(1.0).alias("weight")), equal_weights=True)


def _cut_into_classes(tables: KeyedTable, options: CountOptions) -> KeyedTable:
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

    if isinstance(tables, WideTable):
        return replace(tables, wide=tables.wide.cut(Cuts(options.bins, scale.labels, ends)))
    if tables.gold is not None:
        return replace(tables, gold=cut(tables.gold, "gold", "gold_beyond"), runs=cut(tables.runs, "label", "beyond"))
    return replace(tables, runs=cut(cut(tables.runs, "gold", "gold_beyond"), "label", "beyond"))


def _scale_of_bins(options: CountOptions) -> Scale:
    if options.classes is None:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes",
            hint=say("name them: {--classes <classes>}", classes=f"1..{len(options.bins) + 1}"),
        )
    scale = Scale.of(options.classes, kind=options.kind)
    if len(scale) != len(options.bins) + 1:
        raise UsageError(
            f"{len(options.bins)} bin edges make {len(options.bins) + 1} classes, not {len(scale)}",
            hint="one edge between each two",
        )
    if not all(map(math.isfinite, options.bins)):
        raise UsageError("a bin edge is not a finite number", hint=say("as in {--bins 1.5,2.5}"))
    if any(low >= high for low, high in pairwise(options.bins)):
        raise UsageError("the bin edges do not increase", hint="give them from lowest to highest")
    return scale


def _numeric_ends(scale: Scale) -> tuple[float, float] | None:
    try:
        return float(scale.labels[0]), float(scale.labels[-1])
    except ValueError:
        return None


def _deal_into_partitions(tables: KeyedTable, options: CountOptions) -> KeyedTable:
    """Divides items without topics at random into K test cases whose sizes differ by one item at most.

    The division depends on the seed and on the sorted ids only: not on the engine, the format or the order of rows.
    """
    if options.partitions is None:
        return tables
    if tables.has("topic"):
        raise UsageError("the data has topics already", hint=say("leave out {--partitions}, or the topic column"))
    if isinstance(tables, WideTable):
        places, names = _partitions(tables.wide.size, options.partitions, options.seed)
        return replace(tables, wide=tables.wide.dealt(places, names.tolist())) if len(places) else tables
    if not tables.has_items:
        raise UsageError("partitions need the items' ids", hint="add a column 'item'")
    tables = tables.here()
    source = tables.gold if tables.gold is not None else tables.one(0)
    items = fetch(source.select("item").sort("item"))["item"]
    places, names = _partitions(len(items), options.partitions, options.seed)
    if not len(places):
        return tables  # the audit will say so
    dealt = tables.engine.frame({"item": items, "topic": names[places]}, beside=source).unique("item")
    if tables.gold is not None:
        return replace(tables, gold=tables.engine.kept(tables.gold.join(dealt, on="item", how="left")))
    return replace(tables, runs=tables.runs.join(dealt, on="item", how="left"))


def _partitions(items: int, number: int, seed: int) -> tuple[Integers, npt.NDArray[np.object_]]:
    """The partition of each item, in the order of their ids, and the names of the partitions."""
    if items and not 2 <= number <= items:
        raise UsageError(f"{items} items cannot be divided into {number} partitions", hint="choose from 2 to the number of items")
    places = np.random.Generator(np.random.Philox(seed)).permutation(items) % number
    return places, np.array([f"part {place + 1:0{len(str(number))}}" for place in range(number)], dtype=object)


def _fixed_point(tables: KeyedTable) -> tuple[KeyedTable, int]:
    """Weights as whole numbers of 1/unit, a power of two, in columns whose sums are exact; 1 where there are none."""
    if not tables.has("weight"):
        return tables, 1
    source = tables.runs if tables.gold is None else tables.gold
    weights = tables.wide.weights() if isinstance(tables, WideTable) else Weights.in_frame(source)
    if weights.wrong:
        raise DataProblems(*_wrong_weights(tables, weights.wrong))
    number = _items_a_run(tables)
    if not number:
        return tables, 1  # the audit will say so
    if weights.largest < _SMALLEST_WEIGHT:
        raise tables.gold_source.error(0, "no weight is above 0", "at least one item must count")
    digits = Digits.of(weights, number)
    if isinstance(tables, WideTable):
        return replace(tables, wide=tables.wide.in_digits(digits)), digits.unit
    columns, unit = _shared(tables, weights, number) if tables.repeated else (digits.columns(), digits.unit)
    if tables.gold is None:
        return replace(tables, runs=source.with_columns(*columns)), unit
    return replace(tables, gold=source.with_columns(*columns)), unit


def _shared(tables: KeyedTable, weights: Weights, number: int) -> tuple[list[Any], int]:
    """A column of weights rounded to a unit in which several outputs for an item can share them, and that unit."""
    bits = most_bits(weights.largest, number)
    if bits < 1:
        raise tables.gold_source.error(
            0,
            say("weights as large as {largest:g} cannot be added up exactly", largest=weights.largest),
            "divide all weights by the same number",
        )
    return [rounded(bits)], 1 << bits


def _items_a_run(tables: KeyedTable) -> int:
    """How many items there are: gold's, or the most that a run has. It is the same for every shape of the same data."""
    if isinstance(tables, WideTable):
        return int(tables.wide.size)
    if tables.gold is not None:
        return rows(tables.gold)
    return max(map(int, fetch(tables.runs.group_by("run").agg(nw.len().alias("items")))["items"]), default=0)


def _wrong_weights(tables: KeyedTable, total: int) -> Faults:
    column = tables.gold_columns.weight

    def reason(record: Mapping[str, Any], line: int) -> str | None:
        cell = record.get(column)
        weight = number_of(cell)
        sound = weight is not None and 0 <= weight <= LARGEST_WEIGHT
        return None if sound else say("weight '{part}' is not a number from 0 up", part="" if cell is None else cell)

    unlocated = "a weight is missing, negative or not finite"
    return located(tables.gold_source, reason, None, total, "give each item a weight", [unlocated])
