"""Heat maps: numbers with their names down and across, as many beside each other as the width holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.messages import Message, caption
from metameasure.show.canvas import Axes, Figure, Floats
from metameasure.show.lettering import LINE, fitted, shown, text_height, text_width, widest, wrapped
from metameasure.show.sheet import EDGE, TALLEST, Box, Sheet

_GAP = 0.14  # inches between maps
_NARROWEST = 0.16  # a cell without a number in it: its name stands upright below it
_LOWEST, _HIGHEST = 0.16, 0.3
_LONGEST_NAME = 1.2  # inches of an upright name
_MOST_PARTS = 4
_INK = "#111111"  # on a shade, whatever colour the page writes in
_NARROW_NAMES = 0.24  # of the width, where many maps are to have room
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
    share: float
    """How much of the width names may have."""


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
        rows = _rows([*group], sheet.width, sides, TALLEST - sheet.height)
        written = written and rows[0].grid.written
        for row in rows:
            row.add_to(sheet, ends)
    if not written:
        sheet.add(LINE + 0.1, lambda figure, box: _key(figure, box, ends, number))


def _rows(alike: Sequence[HeatMap], width: float, sides: tuple[str, str], room: float) -> list[_Row]:
    """Maps that have the same names, in rows that are together no higher than the room, if that can be: then the names across
    stand once, below the last row, and what still has no room is left out, and counted."""
    grid, parts = _laid_out(alike, width, sides)
    rows = _in_rows(parts, width, grid, sides)
    if sum(row.height for row in rows) <= room or len(rows) == 1 or len(parts) > len(alike):
        return rows
    grid, parts = _laid_out(alike, width, sides, share=_NARROW_NAMES)
    low = replace(grid, high=_LOWEST)
    rows = _in_rows(parts, width, low, sides)
    unnamed = [replace(row, named=False) for row in rows]
    names = rows[0].height - unnamed[0].height
    heights = accumulate(row.height for row in unnamed)
    fitting = max(1, sum(high <= room - names - 2 * LINE for high in heights))
    left_out = sum(len(row.maps) for row in rows[fitting:])
    return [*unnamed[: fitting - 1], replace(rows[fitting - 1], left_out=left_out, every=len(parts))]


def _in_rows(parts: Sequence[HeatMap], width: float, grid: _Grid, sides: tuple[str, str]) -> list[_Row]:
    return [_Row(width, parts[start : start + grid.across], grid, sides) for start in range(0, len(parts), grid.across)]


def _ends(values: Sequence[Floats]) -> tuple[float, float]:
    """From the least to the greatest; the least is not quite white."""
    known = np.concatenate([one[np.isfinite(one)] for one in values])
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    return (low - 0.1 * (high - low), high) if high > low else (low - 1.0, high + 1.0)


def _laid_out(group: Sequence[HeatMap], width: float, sides: tuple[str, str], share: float = 0.38) -> tuple[_Grid, list[HeatMap]]:
    """The grid for maps that have the same names, which may have a share of the width; a map with more columns than fit is cut
    into parts."""
    first = group[0]
    down = fitted(first.down, share * width, 1 if len(first.down) >= _MANY or share < 0.38 else 4)
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
    across = -(-len(parts) // -(-len(parts) // across))  # as many in each row
    cell = ((room + _GAP) / across - _GAP) / each
    highest = _LOWEST if len(first.down) >= _MANY else _HIGHEST
    high = max(min(max(cell, _LOWEST), highest), text_height(down) + 0.04)
    return _Grid(label, cell, high, across, with_texts, share), parts


def _left_out(number: int, every: int) -> Message:
    return caption("{shown} of {every} are shown.", shown=every - number, every=every)


@dataclass(frozen=True)
class _Row:
    """Maps beside each other, with their titles above and the names across below them."""

    width: float
    maps: Sequence[HeatMap]
    grid: _Grid
    sides: tuple[str, str]
    named: bool = True
    """Whether the names across stand below it."""
    left_out: int = 0
    """How many of how many maps have no room below it."""
    every: int = 0

    @property
    def wide(self) -> float:
        return self.grid.cell * len(self.maps[0].across)

    @property
    def level(self) -> bool:
        """Whether the names across have room beside each other."""
        return widest([shown(name) for name in self.maps[0].across]) + 0.05 <= self.grid.cell

    @property
    def names(self) -> list[str]:
        first = self.maps[0]
        if self.level:
            return [shown(name) for name in first.across]
        return fitted(first.across, _LONGEST_NAME, max(1, int(self.grid.cell / LINE)))

    @property
    def titles(self) -> list[str]:
        """A title may be as wide as its map."""
        return [wrapped(shown(one.title), self.wide, 4) if one.title else "" for one in self.maps]

    @property
    def above(self) -> float:
        return text_height(self.titles) + 0.05 if any(self.titles) else 0.03

    @property
    def below(self) -> float:
        if not self.named:
            return 0.0
        return 0.08 + (LINE if self.level else widest(self.names)) + (LINE + 0.02 if self.sides[1] else 0.0)

    @property
    def height(self) -> float:
        return self.above + self.grid.high * len(self.maps[0].down) + self.below + 0.06

    def add_to(self, sheet: Sheet, ends: tuple[float, float]) -> None:
        """The maps at the end of the sheet."""
        sheet.add(self.height, partial(self._draw, ends))
        if self.left_out:
            sheet.write([_left_out(self.left_out, self.every)])

    def _draw(self, ends: tuple[float, float], figure: Figure, box: Box) -> None:
        first, grid = self.maps[0], self.grid
        lines = 1 if len(first.down) >= _MANY else max(1, int((grid.high - 0.03) / LINE))
        down, names, high = fitted(first.down, grid.share * self.width, lines), self.names, grid.high * len(first.down)
        for column, (one, title) in enumerate(zip(self.maps, self.titles, strict=True)):
            left = EDGE + grid.label + column * (self.wide + _GAP)
            axes = box.axes(figure, left, self.above, self.wide, high)
            _paint(axes, one, ends, written=grid.written)
            axes.set_yticks(range(len(down)), down if column == 0 else [""] * len(down), linespacing=1.0)
            look: Any = {} if self.level else {"rotation": 90, "va": "top", "ha": "center"}
            axes.set_xticks(range(len(names)), names if self.named else [""] * len(names), **look)
            axes.tick_params(length=0, pad=3)
            if self.sides[1] and self.named:
                lowest = self.above + high + self.below - LINE - 0.02
                box.text(figure, self.sides[1], left + self.wide / 2, lowest, ha="center")
            box.text(figure, title, left + self.wide / 2, self.above - 0.03, ha="center", va="bottom")
        if self.sides[0]:
            box.text(figure, self.sides[0], EDGE, self.above + high / 2, rotation=90, va="center")


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
