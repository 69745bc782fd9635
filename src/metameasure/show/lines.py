"""Lines over runs in an order: all measures in one panel, so that many runs stay legible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metameasure.show.canvas import COLOURS, GREY, LINES, Axes, Figure, Floats
from metameasure.show.sheet import EDGE, Box, Sheet, plot, span, tick_texts

_HIGH = 3.4  # inches
_BEYOND = 1.05
"""What exceeds this stands on an axis of its own, to the right."""


def line_chart(series: Mapping[str, Floats], across: str, width: float, notes: Sequence[str] = ()) -> Figure:
    """A line for each of the series over the same places; those that leave -1 to 1 have their axis on the right."""
    wide = {name: values for name, values in series.items() if np.nanmax(np.abs(values)) > _BEYOND}
    usual = {name: values for name, values in series.items() if name not in wide}
    number = len(next(iter(series.values())))
    sheet = Sheet(width)
    styles = {name: place for place, name in enumerate(series)}

    def draw(figure: Figure, box: Box) -> None:
        room = 0.45 if wide and usual else 0.0
        place = (EDGE, 0.04, box.width - 2 * EDGE - room, _HIGH - 0.08)
        main = usual or wide
        axes = plot(box, figure, place, ((0.5, number + 0.5), span(*main.values())), (across, ""))
        _lines(axes, main, styles)
        axes.axhline(0, color=GREY, linewidth=0.5, zorder=0)
        if wide and usual:
            right = axes.twinx()
            low, high = span(*wide.values())
            right.set_ylim(low, high)
            right.set_yticks(*tick_texts((low, high), _HIGH - 0.6, upright=True))
            right.spines["right"].set_visible(True)
            _lines(right, wide, styles)

    sheet.add(_HIGH, draw)
    labels = [f"{name} (right)" if name in wide and usual else name for name in series]
    sheet.explain([styled_line(place) for place in range(len(series))], labels)
    sheet.write(notes)
    return sheet.figure()


def styled_line(place: int, x: Any = (), y: Any = ()) -> Any:
    """The line in that place among others: colours first, then dashes, tell them apart."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - loaded when something is drawn

    look: Any = {"color": COLOURS[place % len(COLOURS)], "linestyle": LINES[place // len(COLOURS) % len(LINES)], "linewidth": 1.2}
    return Line2D(x, y, **look)


def _lines(axes: Axes, series: Mapping[str, Floats], styles: Mapping[str, int]) -> None:
    for name, values in series.items():
        axes.add_line(styled_line(styles[name], np.arange(1, len(values) + 1), values))
