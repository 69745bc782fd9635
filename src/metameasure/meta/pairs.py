"""Answers about every two measures, as the papers print them: a triangle, in a table and drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from metameasure.errors import UsageError
from metameasure.explaining import symbol_of
from metameasure.meta.finding import Finding, pairs_of
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import Mark, OutputFormat, Table
from metameasure.statistics.arrays import Floats

Cell = tuple[str, Mark | None, bool]


def triangle(
    found: Finding, format: OutputFormat, cell: Callable[[Any, int, int], Cell], notes: Sequence[str], legend: str = ""
) -> Table:
    """First measures down and second across, a block for each data set; ``cell`` is a text, its colour, whether it is bold."""
    names = found.names(format)
    if len(names) == 1:
        notes = ["There is one measure, and nothing to compare it with: evaluate by more of them."]
    headings = ("measure", *names[1:])
    rows: list[tuple[str, ...]] = []
    bold, marks = set(), {}
    for block in found.blocks():
        if len(found.blocks()) > 1:
            rows.append((f"({block.name})", *[""] * (len(names) - 1)))
        for i in range(len(names) - 1):
            cells = [cell(block, i, j) if j > i else ("-", None, False) for j in range(1, len(names))]
            for heading, (_, mark, stressed) in zip(headings[1:], cells, strict=True):
                if mark:
                    marks[len(rows), heading] = mark
                if stressed:
                    bold.add((len(rows), heading))
            rows.append((names[i], *(text for text, _, _ in cells)))
    return Table(headings, tuple(rows), frozenset(headings[1:]), frozenset(bold), found.below(*notes), marks=marks, legend=legend)


def triangle_chart(
    found: Any,
    width: float,
    values: Callable[[Any], Floats],
    text: Callable[[float], str],
    what: str,
    groups: Sequence[Sequence[str]] = (),
    alike: str = "",
    scale: tuple[float, float] | None = None,
) -> Figure:
    """A heat map for each data set and one for all, each pair of measures once. ``groups`` of measures that are ``alike`` stand
    together, parted by lines."""
    if len(found.measures) < 2:
        raise UsageError("a chart of pairs of measures needs two of them", hint="evaluate with more measures")
    grouped = groups or [[measure] for measure in found.measures]
    order = [found.measures.index(measure) for group in grouped for measure in group]
    names = [symbol_of(found.measures[place]) for place in order]
    parted = 1 < len(grouped) < len(names)
    ends = np.cumsum([len(group) for group in grouped])[:-1].tolist() if parted else []
    maps = []
    for block in found.blocks():
        shown = np.where(np.tri(len(names), k=-1, dtype=bool), values(block)[np.ix_(order, order)], np.nan)[1:, :-1]
        texts = [["" if math.isnan(value) else text(value) for value in row] for row in shown]
        title = found.title_of(block, "" if len(found.blocks()) == 1 else "all runs")
        lines = [end - 1 for end in ends if end > 1], [end for end in ends if end < len(names) - 1]
        maps.append(HeatMap(title, shown, names[1:], names[:-1], texts, lines))
    return heat_maps(maps, width, scale=scale, notes=[f"{what} {alike}" if parted else what], number=text)


def square(number: int, values: Sequence[float]) -> Floats:
    """Numbers of every two of so many measures as a symmetric matrix."""
    table = np.full((number, number), np.nan)
    for (i, j), value in zip(pairs_of(number), values, strict=True):
        table[i, j] = table[j, i] = value
    return table
