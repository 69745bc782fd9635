"""A figure of a given width that is filled from the top down: every size is in inches, and nothing leaves its place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from metameasure.core.messages import renamed
from metameasure.show.canvas import Axes, Figure, new_figure
from metameasure.show.lettering import LINE, lines_of, shown, text_height, text_width, widest, wrapped
from metameasure.show.names import chosen_now

EDGE = 0.04
TALLEST = 9.0
"""Inches of a page of a paper: no chart is taller."""
_MOST_NUMBERS = 6
_OVERHANG = 0.1  # how far a number may stand out of its axis
TICKS = 0.2  # the numbers below an axis
_AT_ITS_TOP: dict[str, Any] = {"ha": "left", "va": "top", "linespacing": 1.0}


@dataclass
class Sheet:
    """A figure that is filled from the top down, and is as high as that makes it."""

    width: float
    parts: list[tuple[float, Callable[[Figure, Box], None]]] = field(default_factory=list)

    def add(self, height: float, draw: Callable[[Figure, Box], None]) -> None:
        """Something of that height; ``draw`` gets the figure and its place there."""
        self.parts.append((height, draw))

    def write(self, notes: Sequence[str]) -> None:
        """Lines of text, as wide as the sheet; they call runs as whoever reads wants them called."""
        notes = [renamed(note, chosen_now().rename) for note in notes]
        text = "\n".join(wrapped(shown(note), self.width - 2 * EDGE, 12) for note in notes if note)
        if text:
            self.add(
                LINE * lines_of(text) + 0.06,
                lambda figure, box: box.text(figure, text, EDGE, 0.06),
            )

    def explain(self, handles: Sequence[Any], labels: Sequence[str]) -> None:
        """What lines and colours mean, in as many columns as fit; read down the columns."""
        room = self.width - 2 * EDGE
        texts = [wrapped(shown(label), room - 0.4, 3) for label in labels]
        columns = min(len(texts), max(1, int((room + 0.12) / (widest(texts) + 0.52))))
        rows = -(-len(texts) // columns)
        high = sum(text_height(texts[row::rows]) + 0.03 for row in range(rows)) + 0.1

        def draw(figure: Figure, box: Box) -> None:
            look: Any = {"handlelength": 2.2, "handletextpad": 0.6, "columnspacing": 1.0, "labelspacing": 0.2, "borderpad": 0}
            at = box.share(EDGE, 0.05)
            key = figure.legend(handles, texts, loc="upper left", bbox_to_anchor=at, ncols=columns, borderaxespad=0, **look)
            for text in key.get_texts():
                text.set_linespacing(1.0)

        self.add(high, draw)

    @property
    def height(self) -> float:
        return sum(height for height, _ in self.parts) + 2 * EDGE

    def figure(self) -> Figure:
        high = self.height
        figure, top = new_figure(self.width, high), EDGE
        for height, draw in self.parts:
            draw(figure, Box(self.width, high, top))
            top += height
        return figure


@dataclass(frozen=True)
class Box:
    """A place on a sheet: so many inches from its top."""

    width: float
    sheet: float
    top: float

    def share(self, left: float, down: float) -> tuple[float, float]:
        """A point as matplotlib wants it: shares of the figure, from the lower left corner."""
        return left / self.width, 1 - (self.top + down) / self.sheet

    def axes(self, figure: Figure, left: float, down: float, width: float, height: float) -> Axes:
        x, y = self.share(left, down + height)
        return figure.add_axes((x, y, width / self.width, height / self.sheet))

    def text(self, figure: Figure, text: str, left: float, down: float, **look: Any) -> None:
        figure.text(*self.share(left, down), text, **(_AT_ITS_TOP | look))


def plot(
    box: Box,
    figure: Figure,
    place: tuple[float, float, float, float],
    ends: tuple[tuple[float, float], tuple[float, float]],
    names: tuple[str, str],
) -> Axes:
    """Axes with numbers and names at both, within ``place`` (left, down, width, height); ``ends`` and ``names`` are of the
    horizontal and of the vertical axis."""
    left, down, width, height = place
    across, up = ends
    below = wrapped(shown(names[0]), width, 3)
    high = height - TICKS - text_height([below])
    heights, texts = tick_texts(up, high, upright=True)
    margin = widest(texts) + 0.06 + (LINE + 0.03 if names[1] else 0.0)
    wide = width - margin - 0.1
    axes = box.axes(figure, left + margin, down, wide, high)
    axes.set(xlim=across, ylim=up)
    axes.set_yticks(heights, texts)
    axes.set_xticks(*tick_texts(across, wide))
    box.text(figure, below, left + margin + wide / 2, down + high + TICKS, ha="center")
    if names[1]:
        box.text(figure, wrapped(shown(names[1]), high, 1), left, down + high / 2, va="center", rotation=90)
    return axes


def tick_texts(ends: tuple[float, float], width: float, *, upright: bool = False) -> tuple[list[float], list[str]]:
    """Round numbers for an axis of so many inches, as many (from 6 down) as have room; they stand out by a little at most. Beside
    an upright axis they stand one below the other."""
    low, high = ends
    ticks: list[float] = []
    for step in _steps(high - low):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if len(ticks) > 1 and last - first >= _MOST_NUMBERS + 2:  # one at either end may have no room; so many are too many
            break
        every = [step * number for number in range(first, last + 1)]
        half = max((LINE if upright else text_width(text) for text in _decimals(every)), default=0.0) / 2
        at = {place: (place - low) / (high - low) * width for place in every}
        within = [place for place in every if half - _OVERHANG <= at[place] <= width + _OVERHANG - half]
        outer = [within[0], within[-1]] if len(within) > 2 and len(ticks) < 2 else []  # better two far apart than one
        for places in (within, outer):
            clear = all(at[right] - at[left] >= 2 * half + 0.06 for left, right in pairwise(places))
            if len(ticks) < len(places) <= _MOST_NUMBERS and clear:
                ticks = places
    ticks = ticks or [float(f"{low + (high - low) / 2:.2g}")]
    return ticks, _decimals(ticks)


def _steps(size: float) -> Iterator[float]:
    """Round steps from the size of an axis down."""
    exponent = math.ceil(math.log10(size))
    for lower in range(4):
        for factor in (1.0, 0.5, 0.2):
            yield factor * 10.0 ** (exponent - lower)


def _decimals(places: Sequence[float]) -> list[str]:
    """Numbers with as few decimals as show them."""
    for digits in range(8):
        texts = [f"{place:z.{digits}f}" for place in places]
        if all(math.isclose(float(text), place, rel_tol=1e-9, abs_tol=1e-12) for text, place in zip(texts, places, strict=True)):
            return texts
    return [f"{place:.3g}" for place in places]


def span(*values: Any, around: float | None = None) -> tuple[float, float]:
    """Where an axis begins and ends so that it has all these numbers, with a little room; NaN and infinities aside."""
    known = np.concatenate([np.asarray(part, dtype=float).ravel() for part in values])
    known = known[np.isfinite(known)]
    if around is not None:
        known = np.append(known, around)
    if not known.size:
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    room = 0.07 * (high - low) or 0.05 * abs(high) or 0.5
    return low - room, high + room
