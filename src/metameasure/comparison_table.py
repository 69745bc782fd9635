"""Comparisons as tables and drawn: what may be claimed, and the numbers behind it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from metameasure.notes import sentence
from metameasure.show.canvas import Figure, dots, new_figure, rows_high
from metameasure.show.numbers import number
from metameasure.show.table import Table

if TYPE_CHECKING:
    from metameasure.comparison import Comparison

_MOST_IN_A_MATRIX = 12
_MOST_LETTERS = 8


def comparison_table(found: Comparison) -> Table:
    """Runs with their means and letters."""
    arrow = "↑" if found.better == "higher" else "↓"
    headings = ["rank", "run", f"{found.measure} {arrow}", "interval", "group", "beats worst"]
    rows_of_runs = [
        [
            str(place + 1),
            run,
            f"{found.means[place]:.4f}",
            f"[{found.low[place]:.4f}, {found.high[place]:.4f}]",
            letters,
            str(beaten or ""),
        ]
        for place, (run, letters, beaten) in enumerate(zip(found.runs, found.letters(), found.beats(), strict=True))
    ]
    if len(found.runs) <= _MOST_IN_A_MATRIX:
        # Above the diagonal p-values, below it effect sizes: both are symmetric but for the sign.
        headings += [f"vs {place + 1}" for place in range(len(found.runs))]
        for row in range(len(found.runs)):
            rows_of_runs[row] += [_cell(found, row, column) for column in range(len(found.runs))]
    right = frozenset(headings) - {"run", "group"}
    return Table(tuple(headings), tuple(map(tuple, rows_of_runs)), right=right, notes=_notes(found))


def _cell(found: Comparison, row: int, column: int) -> str:
    if row == column:
        return "·"
    if row < column:
        p = found.p[row, column]
        shown = f"{math.floor(p * 1000 + 1e-9) / 1000:.3f}" if p >= 0.001 else "<.001"  # rounded down, as in the sentences
        return shown + ("*" if found.significant[row, column] else "")
    return number(abs(found.effect_size[row, column]), 2)


def _notes(found: Comparison) -> tuple[str, ...]:
    lines = [
        f"Runs that share a letter do not differ significantly; intervals are bootstrapped over {found.unit} ({found.level:.0%})."
    ]
    if math.isnan(found.residual_variance):
        lines.append("vs: p-values (*: significant).")
    elif len(found.runs) <= _MOST_IN_A_MATRIX:
        lines.append(
            "vs: above the dots p-values (*: significant), below them effect sizes, differences in residual standard deviations."
        )
    else:
        lines.append("p-values and effect sizes of every two runs: --format csv or json.")
    lines += map(sentence, found.notes)
    residual = "" if math.isnan(found.residual_variance) else f"Residual variance V_E2 = {found.residual_variance:.4g}, "
    return (*lines, "", *found.sentences(), f"{residual}seed {found.seed}.".replace("seed", "Seed", not residual))


def comparison_chart(found: Comparison) -> Figure:
    """Means from best to worst, with their intervals; runs that share a letter do not differ significantly."""
    figure = new_figure(6.0, rows_high(len(found.runs)))
    axes = figure.add_subplot()
    letters = found.letters()
    lettered = max(map(len, letters)) <= _MOST_LETTERS
    named = [f"{run}  {letter}" for run, letter in zip(found.runs, letters, strict=True)] if lettered else found.runs
    dots(axes, named, found.means, ends=(found.low, found.high))
    axes.set_xlabel(f"{found.measure} ({found.better} is better; bars: {found.level:.0%} intervals)")
    if lettered:
        axes.set_title("Runs that share a letter do not differ significantly", fontsize=9)
    return figure
