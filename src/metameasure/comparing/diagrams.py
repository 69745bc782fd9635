"""Comparisons drawn by what was tested: the critical-difference diagram, the diagram of letters, and the matrix of p-values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.core.errors import UsageError
from metameasure.core.messages import caption, run_on, say
from metameasure.core.numbers import headed, number, p_alone, p_value
from metameasure.show.canvas import COLOURS, GREY, Axes, Figure
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.lettering import LINE, fitted, shown, widest
from metameasure.show.names import all_named, is_shown
from metameasure.show.rows import Panel, row_chart
from metameasure.show.sheet import EDGE, TALLEST, Box, Sheet, span, tick_texts
from metameasure.statistics.arrays import Floats
from metameasure.statistics.groups import single_letters
from metameasure.statistics.tukey import critical_difference

if TYPE_CHECKING:
    from metameasure.comparing.comparison import Comparison

Diagram = Literal["means", "critical", "letters", "matrix"]
_ROW, _BAR, _AXIS = 0.17, 0.1, 0.24  # inches: a name, a bar of a group, the numbers above the axis
_NOTES = 0.8  # what is said below
_NAMES = 0.3  # the share of the width that the names at each side may have
_DOTS = 2.4  # points
_LEAST_P = 1e-3  # the p-value that is darkest


def check_groups(parts: Sequence[Comparison]) -> None:
    """UsageError where runs have no groups: all are compared with one, or nothing was tested."""
    if any(part.against is not None for part in parts):
        raise UsageError(say("runs that are compared with one have no groups to draw"), hint=say("leave out {--against}"))
    if not any(part.able for part in parts):
        raise UsageError(say("there are no groups to draw"), hint=parts[0].unable())


def _groups(comparison: Comparison) -> dict[str, list[int]]:
    """Which runs have each letter, in the order of the letters."""
    groups: dict[str, list[int]] = {}
    for place, letters in enumerate(comparison.letters()):
        for letter in single_letters(letters):
            groups.setdefault(letter, []).append(place)
    return dict(sorted(groups.items(), key=lambda one: one[1]))


def letters_chart(parts: Sequence[Comparison], width: float) -> Figure:
    """Runs down, and a line for each letter that joins the runs that have it."""
    check_groups(parts)
    runs = list(dict.fromkeys(run for part in parts for run in part.runs if is_shown(run)))
    titles = [headed(symbol_of(part.measure), part.better, kept=True) for part in parts] if len(parts) > 1 else ["groups"]
    panels = [_letters_panel(part, runs, title) for part, title in zip(parts, titles, strict=True)]
    if len(parts) == 1:
        from metameasure.comparing.table import means_panel  # noqa: PLC0415 - which draws the other charts of a comparison

        panels.insert(0, means_panel(parts[0], runs, marked=False))
    bars = caption("Bars: {level:g%} intervals.", level=parts[0].level) if len(parts) == 1 else ""
    by = " by that measure" if len(parts) > 1 else ""
    joined = caption("Lines join runs that {alike}" + by + ".", alike=parts[0].alike)
    return row_chart(all_named(runs), panels, width, notes=[run_on((bars, joined))])


def _letters_panel(comparison: Comparison, runs: Sequence[str], title: str) -> Panel:
    rows = {run: row for row, run in enumerate(runs)}
    groups = {
        letter: [rows[comparison.runs[place]] for place in members if comparison.runs[place] in rows]
        for letter, members in _groups(comparison).items()
    }
    groups = {letter: members for letter, members in groups.items() if members}

    def draw(axes: Axes, tops: Floats) -> None:
        for place, members in enumerate(groups.values()):
            at = [tops[row] for row in members]
            axes.vlines(place, min(at), max(at), color=COLOURS[0], linewidth=1.6)
            axes.plot([place] * len(at), at, "o", markersize=_DOTS + 1, color=COLOURS[0])

    return Panel(title, (-0.6, max(1, len(groups)) - 0.4), draw, ticks=[*groups] if len(groups) <= 12 else [""] * len(groups))


def critical_chart(parts: Sequence[Comparison], width: float) -> Figure:
    """Runs on an axis of their means, with a bar below it for each group that is not told apart: Demšar (2006), Figure 1."""
    check_groups(parts)
    sheet = Sheet(width)
    left_out = 0
    for part in (part for part in parts if part.able):
        diagram = _Critical.of(part, width)
        if sheet.parts and sheet.height + diagram.height > TALLEST - _NOTES:
            left_out += 1
        else:
            diagram.add_to(sheet)
    alike = caption("Bars join runs that {alike}: {test}.", alike=parts[0].alike, test=parts[0].tested())
    distance = any(_distance(part) for part in parts)
    cd = caption("CD: two runs differ significantly if their means are farther apart.") if distance else ""
    able = sum(part.able for part in parts)
    more = caption("{shown} of {every} measures are shown.", shown=able - left_out, every=able) if left_out else ""
    sheet.write([run_on((alike, cd, more))])
    return sheet.figure()


def matrix_chart(parts: Sequence[Comparison], width: float) -> Figure:
    """The p-values of every two runs, the better of them down and the other across, darker where they are smaller."""
    tested = [part for part in parts if part.able and part.against is None]
    if not tested:
        raise UsageError(say("there is no matrix of p-values to draw"), hint=say("leave out {--against}, or test all pairs"))
    maps = []
    for part in tested:
        shown = [place for place, run in enumerate(part.runs) if is_shown(run)]
        names = all_named([part.runs[place] for place in shown])
        p = np.where(np.triu(np.ones((len(shown), len(shown)), dtype=bool), 1), part.p[np.ix_(shown, shown)], np.nan)[:-1, 1:]
        texts = [["" if np.isnan(one) else p_value(one, part.alpha) + "*" * bool(one < part.alpha) for one in row] for row in p]
        maps.append(HeatMap(symbol_of(part.measure), -np.log10(np.maximum(p, _LEAST_P)), names[:-1], names[1:], texts))
    said = caption("p-values of runs at the left against those below, which score lower (*: significant): {test}.",
                   test=parts[0].tested())  # fmt: skip
    return heat_maps(
        maps, width, scale=(0.0, -math.log10(_LEAST_P)), notes=[said], number=lambda value: p_alone(10**-value, parts[0].alpha)
    )


def _distance(comparison: Comparison) -> float | None:
    """The difference from which on two runs differ significantly, where one holds for all pairs."""
    if comparison.test != "classical" or not comparison.residual_variance > 0:
        return None
    return critical_difference(comparison.residual_variance, comparison.topics, len(comparison.runs), comparison.alpha)


@dataclass(frozen=True)
class _Critical:
    """A critical-difference diagram, laid out; the runs whose means are lowest have their names at the left."""

    comparison: Comparison
    runs: list[int]
    bars: list[list[int]]
    names: list[str]
    ends: tuple[float, float]
    label: float
    width: float

    @classmethod
    def of(cls, comparison: Comparison, width: float) -> _Critical:
        seen = [place for place, run in enumerate(comparison.runs) if is_shown(run)]
        runs = sorted(seen, key=lambda place: comparison.means[place])
        names = fitted(all_named([comparison.runs[place] for place in runs]), _NAMES * width, 1)
        bars = [[one for one in members if one in seen] for members in _groups(comparison).values()]
        return cls(
            comparison=comparison,
            runs=runs,
            bars=[members for members in bars if len(members) > 1],
            names=names,
            ends=span(comparison.means[runs]),
            label=widest(names) + 0.06,
            width=width,
        )

    @property
    def rows(self) -> int:
        return -(-len(self.runs) // 2)

    @property
    def above(self) -> float:
        """Inches for the title and, where there is one, the critical difference."""
        return LINE + 0.04 + (LINE + 0.08 if _distance(self.comparison) else 0.0)

    @property
    def high(self) -> float:
        return _AXIS + _BAR * (len(self.bars) + 1) + _ROW * self.rows

    @property
    def height(self) -> float:
        return self.above + self.high + 0.1

    def add_to(self, sheet: Sheet) -> None:
        """The diagram at the end of the sheet."""
        sheet.add(self.height, self._draw)

    def _draw(self, figure: Figure, box: Box) -> None:
        above, high, distance = self.above, self.high, _distance(self.comparison)
        wide = self.width - 2 * (EDGE + self.label)
        axes = box.axes(figure, EDGE + self.label, above, wide, high)
        axes.set(xlim=self.ends, ylim=(high, 0))
        axes.set_axis_off()
        measure = self.comparison.measure
        box.text(figure, shown(headed(symbol_of(measure), self.comparison.better, kept=True)), self.width / 2, 0.0, ha="center")
        low, top = self.ends
        axes.hlines(_AXIS, low, top, color="black", linewidth=0.6)
        for place, text in zip(*tick_texts(self.ends, wide), strict=True):
            axes.vlines(place, _AXIS - 0.04, _AXIS, color="black", linewidth=0.6)
            axes.annotate(text, (place, _AXIS - 0.06), ha="center", va="bottom", annotation_clip=False)
        if distance is not None and distance < top - low:
            at = -0.1
            axes.plot([low, low + distance], [at, at], "|-", color="black", linewidth=1.0, markersize=5, clip_on=False)
            said = f"CD = {number(distance)}"
            axes.annotate(said, (low + distance, at), xytext=(4, 0), textcoords="offset points", va="center_baseline",
                          annotation_clip=False)  # fmt: skip
        self._names(axes)
        for row, members in enumerate(self.bars):
            values, height = self.comparison.means[members], _AXIS + _BAR * (row + 1)
            axes.hlines(height, values.min(), values.max(), color=COLOURS[0], linewidth=2.4)
            axes.plot(values, np.full(len(values), height), "o", markersize=_DOTS, color=COLOURS[0])

    def _names(self, axes: Axes) -> None:
        """Each run's name at the side, with a line from its mean to it; those at the ends of the axis highest."""
        first = _AXIS + _BAR * (len(self.bars) + 1) + _ROW / 2
        for order, (place, name) in enumerate(zip(self.runs, self.names, strict=True)):
            left = order < self.rows
            height = first + _ROW * (order if left else len(self.runs) - 1 - order)
            value, side = self.comparison.means[place], self.ends[0 if left else 1]
            axes.plot([value, value, side], [_AXIS, height, height], color=GREY, linewidth=0.7, clip_on=False)
            axes.annotate(shown(name), (side, height), xytext=(-3 if left else 3, 0), textcoords="offset points",
                          ha="right" if left else "left", va="center_baseline", annotation_clip=False)  # fmt: skip
