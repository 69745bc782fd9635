"""Outputs as bins: a column for each class that a system gives, and a square for each item, the darker the lower its true class.
So Amigó et al. (2020), Figure 2, draw two outputs that a property compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from metameasure.show.canvas import Figure
from metameasure.show.lettering import LINE, lines_of, shown, text_height, text_width, wrapped
from metameasure.show.sheet import EDGE, Box, Sheet

_SQUARE = 0.13  # inches
_APART = 0.35  # between the two outputs, where the sign stands
_MOST = 24  # squares in a column
_EDGE_OF_SQUARE = "#555555"


@dataclass(frozen=True)
class Bin:
    """One output: the true and the given class of each item, as places from 0; and what stands below it."""

    gold: Sequence[int]
    output: Sequence[int]
    classes: int
    below: str = ""

    @classmethod
    def of(cls, gold: Iterable[int], output: Iterable[int], classes: int, score: str, values: Iterable[float] = ()) -> Bin:
        """From classes that count from 1; below it the score and, where they have any, the classes' values."""
        at = ", ".join(f"{value:g}" for value in values)
        given = [[label - 1 for label in side] for side in (gold, output)]
        return cls(given[0], given[1], classes, f"{score}, classes at {at}" if at else score)


@dataclass(frozen=True)
class Compared:
    """Two outputs, what should hold between them (=, > or ≥), and of what this is a case."""

    title: str
    first: Bin
    second: Bin
    sign: str

    @property
    def tallest(self) -> int:
        """How many squares the highest column has."""
        return max(max(map(list(one.output).count, range(one.classes))) for one in (self.first, self.second))

    @property
    def classes(self) -> int:
        """How many columns the wider of the two has."""
        return max(self.first.classes, self.second.classes)


def bins_chart(cases: Sequence[Compared], width: float, notes: Sequence[str] = ()) -> Figure:
    """The cases from the top down and, where there is room, beside each other."""
    sheet = Sheet(width)
    add_bins(sheet, cases)
    sheet.write(notes)
    return sheet.figure()


def add_bins(sheet: Sheet, cases: Sequence[Compared]) -> None:
    """The cases on a sheet that may hold other things too."""
    wide = max((_wide(case) for case in cases), default=1.0)
    across = max(1, int((sheet.width - 2 * EDGE + _APART) / (wide + _APART)))
    step = (sheet.width - 2 * EDGE) / across
    for start in range(0, len(cases), across):
        row = cases[start : start + across]
        titles = [wrapped(shown(case.title), step - 0.1, 4) for case in row]
        above = text_height(titles) + 0.06
        high = _SQUARE * min(_MOST, max(case.tallest for case in row))
        half = (step - _APART - 0.1) / 2
        belows = [wrapped(shown(text), half, 5) for case in row for text in (case.first.below, case.second.below)]
        below = LINE * (1 + max(map(lines_of, belows))) + 0.12
        sheet.add(above + high + below, partial(_draw, row, titles, belows, step, above, high))


def _wide(case: Compared) -> float:
    return max(2 * case.classes * _SQUARE * 1.2 + _APART, 1.5)


def _draw(
    cases: Sequence[Compared],
    titles: Sequence[str],
    belows: Sequence[str],
    step: float,
    above: float,
    high: float,
    figure: Figure,
    box: Box,
) -> None:
    for place, (case, title) in enumerate(zip(cases, titles, strict=True)):
        left = EDGE + place * step
        box.text(figure, title, left, 0.02)
        half = (step - _APART - 0.1) / 2
        for side, one in enumerate((case.first, case.second)):
            at = left + side * (half + _APART)
            _columns(figure, box, one, (at, above, half, high))
            box.text(figure, belows[2 * place + side], at, above + high + LINE + 0.04)
        box.text(figure, case.sign, left + half + _APART / 2 - text_width(case.sign) / 2, above + high / 2 - LINE / 2)


def _columns(figure: Figure, box: Box, one: Bin, place: tuple[float, float, float, float]) -> None:
    """The squares of one output, as many in a column as have the class; the classes' numbers below."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - loaded when something is drawn

    left, down, wide, high = place
    classes = one.classes
    axes = box.axes(figure, left, down, wide, high)
    steps = wide / classes / _SQUARE
    axes.set(xlim=(0, classes * steps), ylim=(0, high / _SQUARE))
    for column in range(classes):
        inside = sorted(true for true, given in zip(one.gold, one.output, strict=True) if given == column)
        for row, true in enumerate(inside[:_MOST]):
            shade = str(round(true / max(1, classes - 1), 3))  # black for the first class, white for the last
            corner = ((column + 0.5) * steps - 0.5, row)
            axes.add_patch(Rectangle(corner, 0.94, 0.94, facecolor=shade, edgecolor=_EDGE_OF_SQUARE, linewidth=0.6))
    axes.spines[:].set_visible(False)
    axes.spines["bottom"].set_visible(True)
    axes.set_yticks([])
    axes.set_xticks([(column + 0.5) * steps for column in range(classes)], [str(column + 1) for column in range(classes)])
    axes.tick_params(length=0, pad=2)
