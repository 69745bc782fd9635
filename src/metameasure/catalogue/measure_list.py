"""Measures as a list: a table, JSON, and a chart of the values that each may have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metameasure.catalogue.explain import catalogue_table, catalogue_text, facts
from metameasure.catalogue.measure import Measure
from metameasure.core.messages import caption
from metameasure.core.numbers import headed
from metameasure.show.canvas import COLOURS, GREY, Axes, Figure, Floats
from metameasure.show.formats.json_text import json_text
from metameasure.show.rows import Panel, row_chart
from metameasure.show.symbols import marked
from metameasure.show.table import OutputFormat, Presentable, Table, output_format

_ENDLESS = 0.3  # how far an end without end is drawn beyond the others


@dataclass(frozen=True)
class MeasureList(Presentable):
    """Measures in their order."""

    measures: Sequence[Measure]

    def to_dict(self) -> dict[str, Any]:
        return {"measures": [facts(measure) for measure in self.measures]}

    def tables(self, format: OutputFormat) -> list[Table]:
        return [catalogue_table(self.measures, format)]

    def full_table(self) -> Table:
        return catalogue_table(self.measures, output_format("csv"))

    def _rendered(self, format: OutputFormat) -> str:
        return json_text(self.to_dict()) if format.name == "json" else catalogue_text(self.measures, format.name)

    def draw(self, width: float) -> Figure:
        """A bar from the least to the greatest value of each measure, with a dot at the better end."""
        ends = [measure.known_range(None) for measure in self.measures]
        finite = [end for pair in ends for end in pair if math.isfinite(end)] or [0.0, 1.0]
        low, high = min(finite) - _ENDLESS, max(finite) + _ENDLESS
        better = [
            None if measure.better is None else pair[measure.better == "higher"]
            for measure, pair in zip(self.measures, ends, strict=True)
        ]

        def draw(axes: Axes, tops: Floats) -> None:
            for top, (least, greatest), best in zip(tops, ends, better, strict=True):
                axes.hlines(top, max(least, low), min(greatest, high), color=GREY, linewidth=2.2)
                if best is not None and math.isfinite(best):
                    axes.plot([best], [top], "o", markersize=3.5, color=COLOURS[0])

        names = [headed(marked(measure.symbol), measure.better) for measure in self.measures]
        said = caption("Bars: from the least to the greatest value; those that reach an edge have no end. Dots: the best value.")
        return row_chart(names, [Panel("range", (low, high), draw)], width, notes=[said])
