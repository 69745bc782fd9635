"""Labels side by side in a file, or in a frame whose items have ids: one query counts all runs, in the columns' own types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.lazily import nw
from metameasure.core.values import Kind, as_text
from metameasure.evidence.labels import coded
from metameasure.evidence.side_by_side import Coding, Cuts, ItemColumns, Wide, in_order_of_text
from metameasure.evidence.weights import PART, Digits, Weights
from metameasure.reading.engine import Engine, Frame, Picked, fetch, rows
from metameasure.reading.on_disk import sql_name
from metameasure.reading.sources import Source
from metameasure.statistics.arrays import Integers

# The engine tells sets of columns apart by the bits of a number.
_RUNS_AT_ONCE = 32
_KEY = "what an item is known by"


def wide_query(
    engine: Engine, source: Source, gold: str, runs: Sequence[str], optional: Mapping[str, tuple[str | None, Kind]], kind: Kind
) -> WideQuery:
    """Gold and runs in the columns of a source."""
    wanted = {"gold": (gold, kind), **{_run(place): (name, kind) for place, name in enumerate(runs)}, **optional}
    frame = engine.as_it_stands(Picked(source, wanted))
    return WideQuery(
        engine, frame, tuple(optional), tuple(role for role in ("topic", "item") if role in optional), len(runs), kind
    )


def _run(place: int) -> str:
    """Runs become numbered columns, so that no name of a run can be mistaken for one of ours."""
    return f"run {place}"


@dataclass(frozen=True, eq=False)
class WideQuery(Wide):
    """A frame of the engine: ``gold``, ``run 0``, ``run 1``, ... and the columns of topics, ids, weights and clusters."""

    engine: Engine
    frame: Frame
    roles: tuple[str, ...]
    known_by: tuple[str, ...]
    runs: int
    kind: Kind
    cuts: Cuts | None = None

    @cached_property
    def size(self) -> int:
        return rows(self.frame)

    @property
    def labels(self) -> list[str]:
        """The columns of labels."""
        return ["gold", *map(_run, range(self.runs))]

    def has(self, role: str) -> bool:
        return role in self.roles

    def cut(self, cuts: Cuts) -> WideQuery:
        return replace(self, frame=self.frame.with_columns(**{name: _cut(name, cuts) for name in self.labels}), cuts=cuts)

    def dealt(self, place: Integers, names: Sequence[str]) -> WideQuery:
        topics = np.array(names, dtype=object)
        if "item" in self.roles:
            by: npt.NDArray[Any] = fetch(self.keys().select("item").sort("item"))["item"]
            frame = self.frame.with_columns(self._text("item").alias(_KEY))
        else:
            by, frame = in_order_of_text(len(place)) + 1, self._numbered()
        dealt = self.engine.frame({_KEY: by, "topic": topics[place]}, beside=frame).unique(_KEY)
        return replace(self, frame=frame.join(dealt, on=_KEY, how="left").drop(_KEY), roles=(*self.roles, "topic"))

    def _numbered(self) -> Frame:
        """The rows with their numbers, from 1 up."""
        return self.engine.of_query(f"SELECT *, row_number() OVER () AS {sql_name(_KEY)} FROM ({self._sql})")  # noqa: S608

    @property
    def _sql(self) -> str:
        return str(self.frame.to_native().sql_query())

    def keys(self) -> Frame:
        """The items' keys, where they have ids."""
        return self.frame.select(*(self._text(role).alias(role) for role in self.known_by))

    def identity(self) -> str:
        """A name for the items, where they have ids."""
        named = [*self.known_by, "gold", *(["weight"] if self.has("weight") else [])]
        frame = self.frame.select(*((nw.col(role) if role == "weight" else self._text(role)).alias(role) for role in named))
        return f"{self.size}:{self.engine.digest(frame, named)}"

    def weights(self) -> Weights:
        return Weights.in_frame(self.frame)

    def in_digits(self, digits: Digits) -> WideQuery:
        return replace(self, frame=self.frame.with_columns(*digits.columns()))

    def grouped(self) -> dict[str, npt.NDArray[Any]]:
        return dict(self._groups)

    @cached_property
    def _groups(self) -> dict[str, npt.NDArray[Any]]:
        blocks = (range(first, min(first + _RUNS_AT_ONCE, self.runs)) for first in range(0, self.runs, _RUNS_AT_ONCE))
        parts = [self._uncut(self._grouped(block)) for block in blocks]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _grouped(self, runs: range) -> dict[str, npt.NDArray[Any]]:
        """The groups of some runs, all counted in one pass: a set of columns for each run."""
        names = [_run(run) for run in runs]
        shared = ["topic", "gold"] if self.has("topic") else ["gold"]
        sums = [name for name in self.frame.collect_schema().names() if name.startswith(PART)]
        listed = ", ".join(map(sql_name, names))
        sets = ", ".join(f"({', '.join([*shared, sql_name(name)])})" for name in names)
        totals = [f"CAST(sum({name}) AS BIGINT) AS {name}" for name in map(sql_name, sums)]
        added = ", ".join(["CAST(count(*) AS BIGINT) AS items", *totals])
        groups = self.engine.of_query(
            f"SELECT {', '.join(shared)}, {listed}, grouping({listed}) AS which, {added} FROM ({self._sql}) "  # noqa: S608 - names are quoted
            f"GROUP BY GROUPING SETS ({sets})"
        )
        texts = [(nw.col(name) if self._is_number(name) else self._text(name)).alias(name) for name in (*shared, *names)]
        found = fetch(groups.select("which", "items", *sums, *texts))
        # Of each set, all bits but that of its own column are set, the first column's being the highest.
        numbers = {2 ** len(names) - 1 - 2 ** (len(names) - 1 - place): run for place, run in enumerate(runs)}
        run = np.array([numbers[int(bits)] for bits in found.pop("which")], dtype=np.int64)
        said = {number: found.pop(_run(number)) for number in runs}
        label = [said[number][row] for row, number in enumerate(run.tolist())]
        return {"run": run, **found, "label": np.array(label, dtype=float if self._is_number("gold") else object)}

    def _is_number(self, name: str) -> bool:
        """Whether a column holds numbers, or the numbers of classes that they were cut into."""
        return self.kind == "number" and name in self.labels

    def _text(self, name: str) -> nw.Expr:
        """A column as text."""
        if not self._is_number(name):
            return as_text(name, self.frame.collect_schema()[name])
        if self.cuts is None:
            return nw.col(name)
        text: nw.Expr = nw.lit(None).cast(nw.String)
        for number, label in enumerate(self.cuts.texts[:-1]):
            text = nw.when(nw.col(name) == number).then(nw.lit(label)).otherwise(text)
        return text

    def _uncut(self, columns: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Classes that numbers were cut into as their labels, and how many of the numbers are beyond the ends."""
        if self.cuts is None:
            return columns
        texts = np.array(self.cuts.texts, dtype=object)
        for name, beyond in (("gold", "gold_beyond"), ("label", "beyond")):
            number = np.nan_to_num(np.ma.filled(columns[name].astype(float), np.nan), nan=len(texts) - 1.0).astype(np.int64)
            columns |= {name: texts[number], beyond: np.where(number % 2 == 1, columns["items"], 0)}
        return columns

    def outputs(self, coding: Coding, code_type: Any) -> ItemColumns:
        schema, groups = self.frame.collect_schema(), self._groups
        texts = {_run(run): groups["label"][groups["run"] == run] for run in range(self.runs)} | {"gold": groups["gold"]}
        chosen = [self._class(name, schema[name], coding, texts[name].tolist()) for name in self.labels]
        chosen += [self._text(role).alias(role) for role in ("topic", "cluster") if self.has(role)]
        chosen += [nw.col("weight")] if self.has("weight") else []
        keys = [self._text(role).alias(f"key {role}") for role in self.known_by] if "item" in self.roles else []
        frame = self.frame.select(*chosen, *keys)
        found = fetch(frame.sort(*(f"key {role}" for role in self.known_by)) if keys else frame)
        codes = {name: self._coded(found[name], schema[name], coding) for name in self.labels}
        gold, *runs = codes.values()
        return ItemColumns(
            gold.astype(np.int64),
            np.stack([run.astype(code_type) for run in runs]),
            found["topic"].tolist() if "topic" in found else None,
            found["weight"].astype(float) if "weight" in found else None,
            found["cluster"].tolist() if "cluster" in found else None,
            found.get("key item"),
        )

    def _class(self, name: str, dtype: Any, coding: Coding, texts: Sequence[Any]) -> nw.Expr:
        """A column of labels as classes, where the engine can tell them apart; otherwise as it is."""
        if self.cuts is not None:
            return ((nw.col(name) - nw.col(name) % 2) / 2).fill_null(-1).cast(nw.Int16).alias(name)
        if _is_coded_here(dtype):
            return nw.col(name)
        code: nw.Expr = nw.lit(-1)
        for text, number in coding(texts).items():
            if number >= 0:
                code = nw.when(as_text(name, dtype) == text).then(nw.lit(number)).otherwise(code)
        return code.cast(nw.Int16).alias(name)

    def _coded(self, column: npt.NDArray[Any], dtype: Any, coding: Coding) -> npt.NDArray[Any]:
        if self.cuts is not None or not _is_coded_here(dtype):
            return column
        own = coded(column)
        codes = coding(own.texts)
        return own.mapped(np.array([max(codes[text], -1) for text in own.texts], dtype=np.int64))


def _is_coded_here(dtype: Any) -> bool:
    """Whether a column's own values are fetched: numbers and truth values, which are small."""
    return bool(dtype.is_integer() or dtype.is_float() or dtype == nw.Boolean)


def _cut(name: str, cuts: Cuts) -> nw.Expr:
    """Numbers as the numbers of classes, as ``Cuts.texts`` counts them; null for none."""
    column, code = nw.col(name), nw.lit(0)
    for place, edge in enumerate(cuts.edges, 1):
        code = nw.when(column >= edge).then(nw.lit(2 * place)).otherwise(code)
    if cuts.ends is not None:
        outside = (column < cuts.ends[0]) | (column > cuts.ends[1])
        code = nw.when(outside).then(code + 1).otherwise(code)
    return nw.when(~(column.is_null() | column.is_nan())).then(code)
