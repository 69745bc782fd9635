"""Charts of rows: a name at the left of each row, and small panels beside the names, as many across as the width holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metameasure.core.messages import Message, caption
from metameasure.show.canvas import COLOURS, GREY, PAPER, RULE, Axes, Figure, Floats
from metameasure.show.lettering import LINE, fitted, lines_of, shown, text_height, widest, wrapped
from metameasure.show.sheet import EDGE, TALLEST, TICKS, Box, Sheet, span, tick_texts

GAP = 0.14  # inches between panels
_ROW = 0.17  # a row with a name of one line
_APART = 0.12  # between the rows and those that are set apart
_BAR, _TICK = 4.0, 6.5  # points: how high the bar of an interval is, and the mark of its score
# What is tried until a chart is no taller than a page: lines of a name, the share of the width that names may have, and inches
# that a panel has at least.
_TRIES = ((4, 0.45, 0.72), (2, 0.45, 0.72), (2, 0.36, 0.56), (1, 0.36, 0.56), (1, 0.27, 0.34))


# A text at the right of a panel.
_BESIDE: Any = {
    "xycoords": ("axes fraction", "data"),
    "textcoords": "offset points",
    "va": "center_baseline",
    "annotation_clip": False,
}


@dataclass(frozen=True)
class Panel:
    """A panel beside the names: its title, where its axis begins and ends, what draws it (on axes, at the places of the rows),
    and a column of texts at its right."""

    title: str
    ends: tuple[float, float]
    draw: Callable[[Axes, Floats], None]
    texts: Sequence[str] = ()
    ticks: Sequence[str] | None = None
    """What stands below its axis at 0, 1, 2 and so on, instead of numbers."""


@dataclass(frozen=True)
class _Arranged:
    """How rows and panels are laid out; all sizes are inches."""

    names: list[str]
    label: float
    across: int
    panel: float
    beside: list[float]
    titles: list[str]
    tops: Floats
    rows: float
    shown: int
    """As many rows have room on a page."""

    def cut(self, room: float) -> _Arranged:
        """As many rows as have room in so many inches, all blocks together."""
        each = room / self.blocks - (self.block - self.rows) - 0.08
        shown = max(1, int((self.tops + _ROW / 2 <= each).sum()))
        return replace(self, shown=shown, rows=float(self.tops[shown - 1]) + _ROW / 2 + 0.04)

    @property
    def block(self) -> float:
        """The height of one row of panels."""
        return text_height(self.titles) + 0.04 + self.rows + TICKS

    @property
    def blocks(self) -> int:
        return -(-len(self.titles) // self.across)

    @property
    def height(self) -> float:
        return self.blocks * self.block


def row_chart(
    names: Sequence[str],
    panels: Sequence[Panel],
    width: float,
    *,
    apart: int = 0,
    notes: Sequence[str] = (),
    legend: tuple[Sequence[Any], Sequence[str]] = ((), ()),
) -> Figure:
    """Rows from the top down, the last ``apart`` of them set apart by a rule; what the notes say stands below."""
    sheet = Sheet(width)
    below = Sheet(width)
    below.write(notes)
    arranged = _arranged(names, panels, width, apart, TALLEST - below.height)
    if arranged.shown < len(names):
        notes = [*notes, rows_left_out(arranged.shown, len(names))]
    for block in range(arranged.blocks):
        chosen = range(block * arranged.across, min(len(panels), (block + 1) * arranged.across))
        sheet.add(arranged.block, _drawing(arranged, panels, chosen, apart))
    if legend[0]:
        sheet.explain(*legend)
    sheet.write(notes)
    return sheet.figure()


def rows_left_out(shown: int, every: int) -> Message:
    """That a page has no room for all rows."""
    return caption("The first {shown} of {every}: a page has no room for more.", shown=shown, every=every)


def _arranged(names: Sequence[str], panels: Sequence[Panel], width: float, apart: int, tallest: float) -> _Arranged:
    """The first arrangement that is no taller than a page; otherwise as much of the lowest as has room on one."""
    tried = []
    for lines, share, narrowest in _TRIES:
        tried.append(_arrange(names, panels, width, apart, lines, share, narrowest))
        if tried[-1].height <= tallest:
            return tried[-1]
    return min(tried, key=lambda one: one.height).cut(tallest - 2 * LINE - 0.06)


def _arrange(
    names: Sequence[str], panels: Sequence[Panel], width: float, apart: int, lines: int, share: float, narrowest: float
) -> _Arranged:
    labels = fitted(names, share * width, lines)
    label = widest(labels) + 0.06 if any(labels) else 0.0
    beside = [widest([shown(text) for text in panel.texts]) + 0.06 if any(panel.texts) else 0.0 for panel in panels]
    room = width - label - 2 * EDGE - 0.1  # half of the last number below an axis may stand out
    each = max(narrowest + max(beside, default=0.0), min(1.0, widest([shown(panel.title) for panel in panels])))
    across = min(len(panels), max(1, int((room + GAP) / (each + GAP))))
    across = -(-len(panels) // -(-len(panels) // across))
    panel = (room + GAP) / across - GAP - max(beside, default=0.0)
    heights = [max(_ROW, LINE * lines_of(name) + 0.05) for name in labels]
    ends = np.cumsum(heights)
    tops = ends - np.array(heights) / 2 + 0.04
    if 0 < apart < len(names):
        tops[-apart:] += _APART
    titles = [wrapped(shown(one.title), panel + text, 3) for one, text in zip(panels, beside, strict=True)]
    high = float(ends[-1] if len(ends) else 0.0) + 0.08 + (_APART if 0 < apart < len(names) else 0.0)
    return _Arranged(labels, label, across, panel, beside, titles, tops, high, len(names))


def _drawing(arranged: _Arranged, panels: Sequence[Panel], chosen: range, apart: int) -> Callable[[Figure, Box], None]:
    """Draws one row of panels, with the names at its left."""
    title = text_height(arranged.titles) + 0.04

    def draw(figure: Figure, box: Box) -> None:
        for column, (place, panel) in enumerate((place, panels[place]) for place in chosen):
            left = EDGE + arranged.label + column * (arranged.panel + GAP + max(arranged.beside))
            axes = box.axes(figure, left, title, arranged.panel, arranged.rows)
            _rule(axes, arranged, labelled=column == 0)
            if 0 < apart < len(arranged.names) and arranged.shown > len(arranged.names) - apart:
                between = (arranged.tops[-apart - 1] + arranged.tops[-apart]) / 2
                axes.axhline(between, color=GREY, linewidth=0.6)
            panel.draw(axes, arranged.tops)
            axes.set_xlim(*panel.ends)
            axes.set_xticks(*(tick_texts(panel.ends, arranged.panel) if panel.ticks is None else _named(panel.ticks)))
            middle = left + (arranged.panel + arranged.beside[place]) / 2
            box.text(figure, arranged.titles[place], middle, title - 0.02, ha="center", va="bottom")
            for top, text in zip(arranged.tops[: arranged.shown], panel.texts, strict=False):
                axes.annotate(shown(text), (1.0, top), xytext=(0.06 * 72, 0), **_BESIDE)

    return draw


def _named(ticks: Sequence[str]) -> tuple[list[int], list[str]]:
    return list(range(len(ticks))), [*ticks]


def _rule(axes: Axes, arranged: _Arranged, *, labelled: bool) -> None:
    """A light line for each row, with its name in the first panel."""
    axes.set_ylim(arranged.rows, 0)
    names = arranged.names[: arranged.shown]
    axes.set_yticks(arranged.tops[: arranged.shown], names if labelled else [""] * len(names), linespacing=1.0)
    axes.tick_params(axis="y", length=0, pad=3)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)


def dots(
    title: str,
    values: Floats,
    *,
    ends: tuple[Floats, Floats] | None = None,
    reach: tuple[Floats, Floats] | None = None,
    texts: Sequence[str] = (),
    hollow: int = 0,
    line: float | None = None,
    more: Callable[[Axes, Floats], None] | None = None,
) -> Panel:
    """A dot for each row, or an upright mark on a bar where there is an interval (``ends``), and a thin line where there is
    a range (``reach``). The last ``hollow`` dots are empty. ``line`` is a number to compare with; ``more`` draws on the same
    axes."""

    def draw(axes: Axes, tops: Floats) -> None:
        if line is not None:
            axes.axvline(line, color=GREY, linewidth=0.8, linestyle="--")
        if reach is not None:
            axes.hlines(tops, *reach, color=GREY, linewidth=0.7)
        if ends is not None:
            axes.hlines(tops, *ends, color=GREY, linewidth=_BAR)
        full = len(values) - hollow
        plain = np.isfinite(values) if ends is None else ~np.isfinite(ends[0])  # a dot would hide a short bar
        for style, chosen in (("o", plain[:full]), ("|", ~plain[:full])):
            size: Any = {"markersize": 3.5} if style == "o" else {"markersize": _TICK, "markeredgewidth": 1.2}
            axes.plot(values[:full][chosen], tops[:full][chosen], style, color=COLOURS[0], **size)
        if hollow:
            axes.plot(values[full:], tops[full:], "o", markersize=3.5, markerfacecolor=PAPER, markeredgecolor=GREY)
        if more is not None:
            more(axes, tops)

    return Panel(title, span(values, *(ends or ()), *(reach or ()), around=line), draw, texts)
