"""The keyed table: keys, gold's values and each run's values, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np

from metameasure.errors import UsageError
from metameasure.formats.columns import Columns
from metameasure.formats.sources import Source
from metameasure.tables.audit import Keys
from metameasure.tables.engine import Engine, Frame, Picked, distinct, fetch, reading
from metameasure.tables.expressions import Kind
from metameasure.tables.inputs import check_names

Wanted = Mapping[str, tuple[str | None, Kind]]


@dataclass(frozen=True)
class KeyedTable:
    """Runs to be joined to gold, or joined already.

    ``runs`` has ``run`` (a position in ``names``), the keys and the runs' values; ``gold`` the keys, gold's values, and for each
    row a ``place`` and a random ``token``. Where gold already stands beside each value (side by side, stacked) there is no
    ``gold`` frame, and ``runs`` has its columns. ``keys`` are what runs are joined by.
    """

    engine: Engine
    runs: Frame
    gold: Frame | None
    names: tuple[str, ...]
    keys: tuple[str, ...]
    columns: Columns
    gold_columns: Columns
    run_sources: tuple[Source, ...]
    gold_source: Source
    shape: Literal["long", "side by side", "stacked"]
    orders: tuple[frozenset[str], ...] = ()
    """For each run, which of the columns confidence, rank and score it has, where they are asked for."""
    picked: tuple[Picked, ...] = ()
    """For each run what is read of its source, where each has one of its own."""
    matrices: Mapping[str, Source] = field(default_factory=dict)
    """Of the columns confidence, rank and score, those that stand in matrices of their own, a column for each run."""
    equal_weights: bool = False
    """Whether items have weights only because several outputs of a run share one item's."""

    def __post_init__(self) -> None:
        check_names(self.names)

    @property
    def described(self) -> Frame:
        """The frame that has gold's columns."""
        return self.runs if self.gold is None else self.gold

    def has(self, column: str) -> bool:
        """Whether items have a topic, a weight, ..."""
        return column in self.described.collect_schema().names()

    @property
    def has_items(self) -> bool:
        return "item" in self.runs.collect_schema().names()

    @property
    def repeated(self) -> bool:
        """Whether a run may have several outputs for an item, told apart by a column ``repeat``."""
        return "repeat" in self.runs.collect_schema().names()

    def source(self, run: int | None) -> Source:
        """Where a run comes from, or gold."""
        return self.gold_source if run is None else self.run_sources[run]

    def matrix(self, role: str, run: int) -> Source | None:
        """The matrix that says how a run orders its items, where that does not stand in the run's own source."""
        found = self.matrices.get(role)
        return found if found is not None and self.names[run] in found.columns else None

    def one(self, run: int) -> Frame:
        """The rows of one run."""
        return self.runs.filter(nw.col("run") == run)

    def keys_of(self, runs: Sequence[int]) -> Frame:
        """The keys of some runs' rows: ``run``, a position in ``runs``, and the keys. Sources of other runs are not read."""
        if self.picked:
            wanted = [
                Picked(one.source, {key: one.columns[key] for key in self.keys}) for one in map(self.picked.__getitem__, runs)
            ]
            return self.engine.scan(wanted).rename({"source": "run"})
        position = nw.lit(0).cast(nw.Int64)
        for place, run in enumerate(runs):
            position = nw.when(nw.col("run") == run).then(nw.lit(place).cast(nw.Int64)).otherwise(position)
        return self.runs.filter(nw.col("run").is_in(list(runs))).select(position.alias("run"), *self.keys)

    def joined(self, runs: Frame | None = None, how: Literal["left", "inner"] = "left") -> Frame:
        """Runs beside gold."""
        runs = self.runs if runs is None else runs
        if self.gold is None:
            return runs
        return runs.join(self.engine.beside(self.gold, runs), on=list(self.keys), how=how)

    def named(self, run: int | None) -> Keys:
        """What rows of gold or a run are known by, for error messages."""
        columns = self.gold_columns if run is None else self.columns
        return Keys(self.keys, columns, columns.run if self.shape == "stacked" else None)

    def run_name(self, run: int | None) -> str | None:
        """The name that picks a run's rows in a source of several runs."""
        return self.names[run] if run is not None and self.shape == "stacked" else None

    def reading(self) -> Any:
        """Turns an error of the engine, while its query runs, into ours."""
        return reading([self.gold_source, *self.run_sources, *self.matrices.values()])


def joined_later(
    engine: Engine, gold: Picked, runs: Sequence[Picked], names: Sequence[str], keys: tuple[str, ...], **facts: Any
) -> KeyedTable:
    """A source of gold and one for each run."""
    with reading([gold.source]):
        of_gold = engine.numbered(engine.scan([gold]).drop("source"))
    of_runs = engine.scan(runs).rename({"source": "run"})
    sources = tuple(one.source for one in runs)
    return KeyedTable(
        engine, of_runs, of_gold, tuple(names), keys, run_sources=sources, gold_source=gold.source, shape="long",
        picked=tuple(runs), **facts,
    )  # fmt: skip


def runs_of(engine: Engine, picked: Picked) -> tuple[Frame, tuple[str, ...]]:
    """A source with a column of runs' names: its rows with runs by number, and the names in the order of those numbers.

    Rows without a name have no number.
    """
    frame = engine.scan([picked]).drop("source")
    with reading([picked.source]):
        listed = fetch(distinct(frame, "run"))["run"]
    names = tuple(sorted(name for name in listed.tolist() if name is not None))
    if not names:
        return frame, ()
    numbered = engine.looked_up(frame, number=("run", names, np.arange(len(names))))
    return numbered.drop("run").rename({"number": "run"}), names


def beside_each_other(engine: Engine, source: Source, shared: Wanted, runs: Sequence[str], kind: Kind, value: str) -> Frame:
    """A source with gold and a column for each run: a row for each run and item, the run's value under one name."""
    # Runs become numbered columns, so that no name of a run can be mistaken for one of ours.
    columns = {**shared, **{f"run {place}": (name, kind) for place, name in enumerate(runs)}}
    with reading([source]):
        wide = engine.kept(engine.scan([Picked(source, columns)]).drop("source"))
    return nw.concat(
        [
            wide.select(*shared, nw.col(f"run {place}").alias(value), nw.lit(place).cast(nw.Int64).alias("run"))
            for place in range(len(runs))
        ]
    )


def check_run_columns(chosen: Sequence[str], gold_column: str) -> None:
    """UsageError for a column that is gold and a run, or a run twice."""
    repeated = [name for name in chosen if list(chosen).count(name) > 1]
    if repeated:
        raise UsageError(f"the run column '{repeated[0]}' is named twice", hint="name each run once")
    if gold_column in chosen:
        raise UsageError(
            f"the column '{gold_column}' is gold and a run", hint="it would score as perfect: leave it out of the runs"
        )
