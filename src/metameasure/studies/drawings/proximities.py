"""Amigó et al. (2020): classes of reviews with their proximities, the three properties as bins, two systems with their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metameasure.catalogue.classification.cem import ordinal_share, proximity
from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.gold_worth import add_classes
from metameasure.catalogue.registry import default_registry
from metameasure.core.messages import caption
from metameasure.core.numbers import number
from metameasure.scores.scoring import score
from metameasure.show.bins import Bin, Compared, bins_chart
from metameasure.show.canvas import Figure
from metameasure.show.heat_maps import HeatMap, add_heat_maps
from metameasure.show.sheet import Sheet
from metameasure.show.table import Drawing


def reviews(name: str, classes: tuple[str, ...], sides: Sequence[tuple[str, tuple[int, ...]]], published: str) -> Drawing:
    """The two distributions of grades, each with the proximity of every two grades."""

    def draw(width: float) -> Figure:
        sheet = Sheet(width)
        maps = []
        for _, sizes in sides:
            nearness = np.asarray(proximity(ordinal_share(np.array(sizes, dtype=float))))
            maps.append(HeatMap("", nearness, classes, classes, [[number(value, 2) for value in row] for row in nearness]))
        add_classes(sheet, classes, [(f"{side} ({sum(sizes)} reviews)", np.array(sizes, dtype=float)) for side, sizes in sides])
        add_heat_maps(sheet, maps)
        sheet.write([caption("Proximity of the class down and the class across."), published])
        return sheet.figure()

    return Drawing(name, "Figure 1: the same two classes are far apart or near", draw)


Scored = tuple[list[int], list[int], list[int] | dict[str, float]]
"""Gold, output and classes, which may have values."""


def three_properties(name: str, properties: Mapping[str, tuple[Scored, Scored, str]]) -> Drawing:
    """What each property compares, with CEM^ORD below each."""

    def one(gold: list[int], output: list[int], classes: list[int] | dict[str, float]) -> Bin:
        scored = number(score(gold, output, "cem_ord", classes=classes))
        return Bin.of(gold, output, len(classes), scored, classes.values() if isinstance(classes, dict) else ())

    def draw(width: float) -> Figure:
        cases = [Compared(title, one(*first), one(*second), sign) for title, (first, second, sign) in properties.items()]
        said = "A column for each class given, a square for each item; black is the lowest true class."
        return bins_chart(cases, width, [said, f"Below: {symbol_of('cem_ord')}."])

    return Drawing(name, "Figure 2: what each property asks", draw)


def example(
    name: str,
    classes: tuple[str, ...],
    systems: Mapping[str, Sequence[Sequence[int]]],
    printed: Sequence[str],
    published: Mapping[str, str],
) -> Drawing:
    """The two systems' tables, output down and gold across as in the paper, and the proximities beside those printed."""

    def draw(width: float) -> Figure:
        cem = default_registry()["cem_ord"]
        sheet = Sheet(width)
        tables = []
        for system, table in systems.items():
            counts = np.array(table, dtype=float).T
            scored = number(float(cem(table)), 4)
            title = f"system {system}: CEM {scored} (published {published[system]})"
            tables.append(HeatMap(title, counts, classes, classes, [[f"{cell:g}" for cell in row] for row in counts]))
        nearness = np.asarray(proximity(ordinal_share(np.array(systems["A"], dtype=float).sum(axis=1)))).T
        both = [zip(ours, line.split(), strict=True) for ours, line in zip(nearness, printed, strict=True)]
        texts = [[f"{number(cell, 2)} ({text})" for cell, text in row] for row in both]
        shade = nearness / nearness.max() * max(one.values.max() for one in tables)  # as dark as the tables beside it
        tables.append(HeatMap("proximity (published)", shade, classes, classes, texts))
        add_heat_maps(sheet, tables, sides=("output", "gold"))
        return sheet.figure()

    return Drawing(name, "Figure 3: two systems with the same accuracy", draw)
