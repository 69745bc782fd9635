"""Files of labels and distributions of any format, written as plain tables with the interface's own names of columns."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metameasure.evidence.distribution_table import DistributionReader, shape_of
from metameasure.formats.columns import Columns, named_columns
from metameasure.formats.options import ReadOptions
from metameasure.formats.problems import DataProblems
from metameasure.formats.sources import Source
from metameasure.show.write import write_table
from metameasure.tables.engine import Engine, Picked, fetch, reading
from metameasure.tables.expressions import Kind
from metameasure.tables.inputs import one_source

_TEXTS = ("run", "item", "topic", "gold", "label")
_NUMBERS = ("weight", "confidence", "rank", "score", "score_rank")
_RANKINGS = ("wmt", "jcml", "trec")


@dataclass(frozen=True)
class Converted:
    """How many rows were written, of what, and what to say about them."""

    rows: int
    what: str
    notes: tuple[str, ...] = ()


def task_of(path: str, *, columns: Mapping[str, str], format_in: str | None) -> str:
    """The task whose data a file holds, by its format and its columns."""
    named = named_columns(columns)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        for task in ("classification", "quantification", "ranking"):
            try:
                source = one_source(path, "the file", ReadOptions(task, named, format_in), Path(scratch))
            except DataProblems as error:
                if "add --task" in error.problems[0].hint or "this is a TREC run" in error.problems[0].what:
                    continue
                raise
            return _task(source, named)
    return "ranking"


def _task(source: Source, columns: Columns) -> str:
    if source.format_name in _RANKINGS or columns.segment in source.columns:
        return "ranking"
    labels = {columns.label, columns.gold} & set(source.columns)
    return "classification" if labels else "quantification"


def convert_table(
    path: str, target: str | Path, task: str, *, columns: Mapping[str, str], format_in: str | None, aspect: str | None
) -> Converted:
    """Write a file of labels or distributions. DataProblems where it cannot be read."""
    options = ReadOptions(task, named_columns(columns), format_in, aspect=aspect)
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        source = one_source(path, "the file", options, Path(scratch))
        if task == "quantification" and shape_of(source.columns, options.columns) != "labels":
            return _distributions(source, target, options)
        return _labels(source, target, options.columns)


def _labels(source: Source, target: str | Path, columns: Columns) -> Converted:
    present = source.columns
    wanted: dict[str, tuple[str | None, Kind]] = {}
    for roles, kind in ((_TEXTS, "text"), (_NUMBERS, "number")):
        wanted |= {role: (name, kind) for role in roles if (name := getattr(columns, role)) in present}  # type: ignore[misc]
    if columns.gold in present and columns.label not in present:  # side by side: every other column is a run
        known = {name for name, _ in wanted.values()}
        wanted |= {name: (name, "text") for name in present if name not in known}
    with reading([source]):
        found = fetch(Engine(ordered=True).scan([Picked(source, wanted)]).drop("source"))
    write_table(found, target, whole=True)
    return Converted(len(next(iter(found.values()))), "items", source.notes)


def _distributions(source: Source, target: str | Path, options: ReadOptions) -> Converted:
    found = DistributionReader(options, None, normalise=True, tolerance=0.0).rows_of(source)
    if not np.any([run is not None for run in found["run"].tolist()]):
        del found["run"]
    notes = source.notes
    if source.counted:
        notes += ("votes are written as counts: read them with --counts",)
    write_table(found, target, whole=True)
    return Converted(len(found["topic"]), "rows of distributions", notes)
