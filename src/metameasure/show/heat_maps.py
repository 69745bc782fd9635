"""Heat maps: numbers with their names down and across, as many beside each other as the width holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.show.canvas import Axes, Figure, Floats
from metameasure.show.lettering import LINE, fitted, shown, text_height, text_width, widest, wrapped
from metameasure.show.sheet import EDGE, Box, Sheet

_GAP = 0.14  # inches between maps
_NARROWEST = 0.16  # a cell without a number in it: its name stands upright below it
_WIDEST = 0.5
_LOWEST, _HIGHEST = 0.16, 0.3
_LONGEST_NAME = 1.2  # inches of an upright name
_MOST_PARTS = 4
_INK = "#111111"  # on a shade, whatever colour the page writes in
_MANY = 16  # rows from which on a name has one line


@dataclass(frozen=True)
class HeatMap:
    """Numbers (down, across) with their names, what is written in each cell, and after which rows and columns a group ends. NaN
    stays empty."""

    title: str
    values: Floats
    down: Sequence[str]
    across: Sequence[str]
    texts: Sequence[Sequence[str]]
    group_ends: tuple[Sequence[int], Sequence[int]] = ((), ())

    def columns(self, start: int, end: int) -> HeatMap:
        """Some of the columns, and the rows that have something in them."""
        values = self.values[:, start:end]
        kept = np.flatnonzero(np.isfinite(values).any(axis=1)).tolist() or list(range(len(self.down)))
        down, across = self.group_ends
        above = [sum(row < at for row in kept) for at in down]
        return replace(
            self,
            values=values[kept],
            down=[self.down[row] for row in kept],
            across=self.across[start:end],
            texts=[self.texts[row][start:end] for row in kept],
            group_ends=([at for at in above if 0 < at < len(kept)], [at - start for at in across if start < at < end]),
        )


@dataclass(frozen=True)
class _Grid:
    """How maps are laid out; all sizes are inches."""

    label: float
    cell: float
    high: float
    across: int
    written: bool


def heat_maps(
    maps: Sequence[HeatMap],
    width: float,
    *,
    scale: tuple[float, float] | None = None,
    sides: tuple[str, str] = ("", ""),
    notes: Sequence[str] = (),
    number: Callable[[float], str] = "{:.2g}".format,
) -> Figure:
    """Maps from the top down and, where there is room, beside each other. They are darker from the least of their values to the
    greatest, or from end to end of the ``scale``: darkness alone says it, so it prints in grey too. ``sides`` is what stands down
    and across."""
    sheet = Sheet(width)
    add_heat_maps(sheet, maps, scale=scale, sides=sides, number=number)
    sheet.write(notes)
    return sheet.figure()


def add_heat_maps(
    sheet: Sheet,
    maps: Sequence[HeatMap],
    *,
    scale: tuple[float, float] | None = None,
    sides: tuple[str, str] = ("", ""),
    number: Callable[[float], str] = "{:.2g}".format,
) -> None:
    """The same on a sheet that may hold other things too."""
    ends = scale or _ends([one.values for one in maps])
    written = True
    # Neighbours that have the same names may share them.
    for _, group in groupby(maps, key=lambda one: (list(one.down), list(one.across))):
        grid, parts = _laid_out([*group], sheet.width, sides)
        written = written and grid.written
        for start in range(0, len(parts), grid.across):
            _add_row(sheet, parts[start : start + grid.across], grid, ends, sides)
    if not written:
        sheet.add(LINE + 0.1, lambda figure, box: _key(figure, box, ends, number))


def _ends(values: Sequence[Floats]) -> tuple[float, float]:
    """From the least to the greatest; the least is not quite white."""
    known = np.concatenate([one[np.isfinite(one)] for one in values])
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    return (low - 0.1 * (high - low), high) if high > low else (low - 1.0, high + 1.0)


def _laid_out(group: Sequence[HeatMap], width: float, sides: tuple[str, str]) -> tuple[_Grid, list[HeatMap]]:
    """The grid for maps that have the same names; one with more columns than fit is cut into parts."""
    first = group[0]
    down = fitted(first.down, 0.38 * width, 1 if len(first.down) >= _MANY else 4)
    label = widest(down) + 0.06 + (LINE + 0.03 if sides[0] else 0.0)
    room = width - label - 2 * EDGE
    written = [shown(text) for one in group for row in one.texts for text in row]
    need = max(_NARROWEST, widest(written) + 0.05)
    columns = len(first.across)
    with_texts = math.ceil(columns / max(1, int(room / need))) <= _MOST_PARTS and need <= room
    need = need if with_texts else _NARROWEST
    number = math.ceil(columns / max(1, int(room / need)))
    each = math.ceil(columns / number)
    parts = [one.columns(start, start + each) for one in group for start in range(0, columns, each)] if number > 1 else [*group]
    across = max(1, min(len(parts), int((room + _GAP) / (each * need + _GAP)))) if number == 1 else 1
    cell = min(max(_WIDEST, need), ((room + _GAP) / across - _GAP) / each)
    highest = _LOWEST if len(first.down) >= _MANY else _HIGHEST
    high = max(min(max(cell, _LOWEST), highest), text_height(down) + 0.04)
    return _Grid(label, cell, high, across, with_texts), parts


def _add_row(sheet: Sheet, maps: Sequence[HeatMap], grid: _Grid, ends: tuple[float, float], sides: tuple[str, str]) -> None:
    """Maps beside each other, with their titles above and the names across below them."""
    first = maps[0]
    wide = grid.cell * len(first.across)
    down = fitted(first.down, 0.38 * sheet.width, 1 if len(first.down) >= _MANY else max(1, int((grid.high - 0.03) / LINE)))
    plain = [shown(name) for name in first.across]
    level = widest(plain) + 0.05 <= grid.cell
    names = plain if level else fitted(first.across, _LONGEST_NAME, max(1, int(grid.cell / LINE)))
    below = 0.08 + (LINE if level else widest(names)) + (LINE + 0.02 if sides[1] else 0.0)
    # A title may be as wide as its map, and where it is alone as wide as the sheet.
    reach = wide if len(maps) > 1 or grid.across > 1 else sheet.width - 2 * EDGE
    titles = [wrapped(shown(one.title), max(reach, wide), 4) if one.title else "" for one in maps]
    above = text_height(titles) + 0.05 if any(titles) else 0.03
    high = grid.high * len(first.down)

    def draw(figure: Figure, box: Box) -> None:
        for column, (one, title) in enumerate(zip(maps, titles, strict=True)):
            left = EDGE + grid.label + column * (wide + _GAP)
            axes = box.axes(figure, left, above, wide, high)
            _paint(axes, one, ends, written=grid.written)
            axes.set_yticks(range(len(down)), down if column == 0 else [""] * len(down), linespacing=1.0)
            look: Any = {} if level else {"rotation": 90, "va": "top", "ha": "center"}
            axes.set_xticks(range(len(names)), names, **look)
            axes.tick_params(length=0, pad=3)
            if sides[1]:
                box.text(figure, sides[1], left + wide / 2, above + high + below - LINE - 0.02, ha="center")
            if reach > wide:
                box.text(figure, title, EDGE, 0.0)
            else:
                box.text(figure, title, left + wide / 2, above - 0.03, ha="center", va="bottom")
        if sides[0]:
            box.text(figure, sides[0], EDGE, above + high / 2, rotation=90, va="center")

    sheet.add(above + high + below + 0.06, draw)


def _paint(axes: Axes, one: HeatMap, ends: tuple[float, float], *, written: bool) -> None:
    low, high = ends
    _shade(axes, one.values, ends)
    for row, cells in enumerate(one.texts if written else ()):
        for column, text in enumerate(cells):
            dark = (one.values[row, column] - low) > 0.6 * (high - low)
            axes.text(column, row, shown(text), ha="center", va="center", color="white" if dark else _INK)
    there = np.isfinite(one.values)
    down, across = one.group_ends
    for at in down:
        axes.hlines(at - 0.5, *_reach(there[at - 1] | there[at]), color="black", linewidth=0.8)
    for at in across:
        axes.vlines(at - 0.5, *_reach(there[:, at - 1] | there[:, at]), color="black", linewidth=0.8)
    axes.spines[:].set_visible(False)


def _shade(axes: Axes, values: Floats, ends: tuple[float, float]) -> None:
    """Cells as shapes, not as an image: they stay sharp, and a page needs no picture. What is empty shows the paper."""
    from matplotlib import colormaps  # noqa: PLC0415 - loaded when something is drawn

    colours = colormaps["Blues"].with_extremes(bad=(1.0, 1.0, 1.0, 0.0))
    down, across = (np.arange(size + 1) - 0.5 for size in values.shape)
    look: Any = {"cmap": colours, "vmin": ends[0], "vmax": ends[1], "edgecolors": "face", "linewidth": 0.2}
    axes.pcolormesh(across, down, np.ma.masked_invalid(values), **look)
    axes.set(xlim=across[[0, -1]], ylim=down[[-1, 0]])


def _reach(there: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """From the first to the last cell that is not empty."""
    places = np.flatnonzero(there)
    return (float(places[0]) - 0.5, float(places[-1]) + 0.5) if places.size else (0.0, 0.0)


def _key(figure: Figure, box: Box, ends: tuple[float, float], number: Callable[[float], str]) -> None:
    """What the shades stand for, where the numbers have no room."""
    low, high = map(number, ends)
    left = EDGE + text_width(low) + 0.06
    axes = box.axes(figure, left, 0.05, 1.0, LINE - 0.02)
    _shade(axes, np.linspace(*ends, 64)[None], ends)
    axes.set_axis_off()
    box.text(figure, low, EDGE, 0.05 + LINE / 2, va="center")
    box.text(figure, high, left + 1.06, 0.05 + LINE / 2, va="center")
