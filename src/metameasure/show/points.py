"""Runs as points: one number across, another up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from metameasure.show.canvas import COLOURS, GREY, MARKERS, Figure, Floats
from metameasure.show.lettering import LINE, shown
from metameasure.show.sheet import EDGE, Box, Sheet, plot, span

_HIGH = 2.8  # inches
_NAMED = 24
"""So many points have room for their names."""


def point_chart(
    names: Sequence[str],
    points: tuple[Floats, Floats],
    sides: tuple[str, str],
    width: float,
    notes: Sequence[str] = (),
    *,
    bound: bool,
) -> Figure:
    """A point for each run with its name beside it or, where some stand too close for that, below. ``bound`` draws where the
    number up equals the one across, which it cannot exceed."""
    sheet = Sheet(width)
    beside = not _crowded(*points)
    sheet.add(_HIGH, partial(_draw, names if beside else ("",) * len(names), points, sides, bound=bound))
    if not beside and len(names) <= _NAMED:
        sheet.explain([_mark(place) for place in range(len(names))], [shown(name) for name in names])
    sheet.write(notes)
    return sheet.figure()


def _crowded(across: Floats, up: Floats) -> bool:
    """Whether the names of two points would stand on each other: as high within a line, and not far apart."""
    x, y = (np.asarray(one, dtype=float)[np.isfinite(across) & np.isfinite(up)] for one in (across, up))
    if len(x) < 2:
        return False
    wide, high = (max(np.ptp(one), 1e-12) for one in (x, np.append(y, 0.0)))
    near = (np.abs(np.subtract.outer(y, y)) < high * LINE / _HIGH) & (np.abs(np.subtract.outer(x, x)) < wide / 2)
    return bool(near[~np.eye(len(x), dtype=bool)].any())


def _mark(place: int) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - loaded when something is drawn

    return Line2D([], [], linestyle="", color=COLOURS[place % len(COLOURS)], marker=MARKERS[place % len(MARKERS)], markersize=4)


def _draw(
    names: Sequence[str], points: tuple[Floats, Floats], sides: tuple[str, str], figure: Figure, box: Box, *, bound: bool
) -> None:
    across, up = points
    ends = span(across), span(up, around=0.0)
    axes = plot(box, figure, (EDGE, 0.04, box.width - 2 * EDGE, _HIGH - 0.08), ends, sides)
    if bound:
        reach = np.array([max(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1])])
        axes.plot(reach, reach, color=GREY, linewidth=0.8, linestyle="--")
    middle = sum(ends[0]) / 2
    for place, (name, x, y) in enumerate(zip(names, across, up, strict=True)):
        look: Any = {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)], "markersize": 4}
        axes.plot([x], [y], linestyle="", **look)
        if name and len(names) <= _NAMED and np.isfinite(x) and np.isfinite(y):
            beside = (5, "left") if x <= middle else (-5, "right")
            axes.annotate(shown(name), (x, y), (beside[0], -LINE * 24), textcoords="offset points", ha=beside[1])
