"""What a measure makes of gold alone, such as the proximities of its classes: a table, and a chart of the classes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.messages import caption, legend
from metameasure.core.numbers import number
from metameasure.core.scale import Scale
from metameasure.show.canvas import COLOURS, Axes, Figure, Floats
from metameasure.show.heat_maps import HeatMap, add_heat_maps
from metameasure.show.lettering import LINE, shown, text_height, widest, wrapped
from metameasure.show.sheet import EDGE, Box, Sheet
from metameasure.show.table import OutputFormat, Presentable, Table

_BARS_HIGH = 1.1  # inches
_MARGIN = 0.3


@dataclass(frozen=True, eq=False)
class GoldWorth(Presentable):
    """A row for each gold class, a column for each predicted one: what the pair is worth, given how many items gold has of
    each class. Amigó et al. (2020), Figures 1 and 3."""

    caption: ClassVar[str] = "What a measure makes of gold"

    measure: Measure
    scale: Scale
    sizes: Floats
    values: Floats

    @classmethod
    def of(cls, measure: Measure, sizes: Floats, scale: Scale) -> GoldWorth:
        """UsageError for a measure that shows nothing about gold alone, or whose scale this is not."""
        if measure.on_gold is None:
            raise UsageError("this measure shows nothing about gold alone", hint="cem_ord does, for one")
        measure.check_scale(scale)
        return cls(measure, scale, sizes, np.asarray(measure.worth(sizes, scale)))

    @property
    def what(self) -> str:
        """What the numbers are, in words."""
        return self.measure.on_gold.title if self.measure.on_gold else ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure.id,
            "classes": list(self.scale.labels),
            "gold": self.sizes.tolist(),
            "table": self.values.tolist(),
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        headings = ("gold", "size", *(f"predicted {label}" for label in self.scale.labels))
        rows = tuple(
            (label, f"{size:g}", *(number(value, 2) if size else "–" for value in row))
            for label, size, row in zip(self.scale.labels, self.sizes, self.values, strict=True)
        )
        said = legend("{symbol}: {what}, given this gold.", symbol=self.measure.symbol, what=self.what)
        return [Table(headings, rows, right=frozenset(headings[1:]), notes=(said,))]

    def full_table(self) -> Table:
        labels = self.scale.labels
        cells = [(gold, given) for gold in range(len(labels)) for given in range(len(labels))]
        return Table.of(
            {
                "gold": [labels[gold] for gold, _ in cells],
                "size": [float(self.sizes[gold]) for gold, _ in cells],
                "predicted": [labels[given] for _, given in cells],
                "value": [float(self.values[cell]) for cell in cells],
            }
        )

    def draw(self, width: float) -> Figure:
        """The classes' sizes as bars, as in the paper's Figure 1, and below them what every two classes are to each other."""
        sheet = Sheet(width)
        add_classes(sheet, self.scale.labels, [("", self.sizes)])
        shown_values = np.where(self.sizes[:, None] > 0, self.values, np.nan)
        texts = [["" if np.isnan(value) else number(value, 2) for value in row] for row in shown_values]
        names = list(self.scale.labels)
        add_heat_maps(sheet, [HeatMap("", shown_values, names, names, texts)], sides=("gold", "predicted"))
        template = "Bars: how many items gold has of each class. Below: {measure}, {what}."
        sheet.write([caption(template, measure=symbol_of(self.measure.id), what=self.what)])
        return sheet.figure()


def add_classes(sheet: Sheet, labels: tuple[str, ...], golds: Sequence[tuple[str, Floats]]) -> None:
    """A bar for each class, with its size above it and its name below; several golds, each with its title, side by side."""
    wide = sheet.width / len(golds)
    step = (wide - 2 * _MARGIN) / len(labels)
    plain = [shown(label) for label in labels]
    upright = widest([word for name in plain for word in name.split()]) > step - 0.04
    names = plain if upright or widest(plain) + 0.05 <= step else [wrapped(name, step - 0.04, 3) for name in plain]
    above = LINE * (1 + any(title for title, _ in golds))

    def draw(figure: Figure, box: Box) -> None:
        for place, (title, sizes) in enumerate(golds):
            left = place * wide + _MARGIN
            box.text(figure, title, left, 0.0)
            _bars(box.axes(figure, left, above + EDGE, step * len(names), _BARS_HIGH), names, sizes, upright=upright)

    sheet.add(above + _BARS_HIGH + 0.12 + (widest(names) if upright else text_height(names)), draw)


def _bars(axes: Axes, names: list[str], sizes: Floats, *, upright: bool = False) -> None:
    most = float(np.max(sizes)) or 1.0
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(0, most * 1.02))
    axes.bar(range(len(names)), sizes, 0.7, color=COLOURS[0])
    for place, size in enumerate(sizes):
        axes.text(place, float(size), f"{size:g}", ha="center", va="bottom")
    axes.spines[["left"]].set_visible(False)
    axes.set_yticks([])
    axes.set_xticks(range(len(names)), names, linespacing=1.0, rotation=90 if upright else 0)
    axes.tick_params(length=0, pad=3)
