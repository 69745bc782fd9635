"""Comparisons as tables: what may be claimed, and the numbers behind it."""

from __future__ import annotations

import math

from metameasure.comparison import Comparison
from metameasure.scores.intervals import Difference
from metameasure.show.numbers import exact, number
from metameasure.show.table import OutputFormat, Table

_MOST_IN_A_MATRIX = 12


def comparison_table(found: Comparison, format: OutputFormat) -> Table:
    """Runs with their means and letters; as CSV and TSV, a row for each two runs."""
    if format.exact:
        columns = found.pairs()
        rows = zip(*([exact(cell) for cell in column] for column in columns.values()), strict=True)
        return Table(tuple(columns), tuple(rows))
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


def difference_table(found: Difference, format: OutputFormat) -> Table:
    """The one row of a difference."""
    show = repr if format.exact else "{:.4f}".format
    headings = ("measure", "first", "second", "difference", "low", "high")
    row = (found.measure, found.first, found.second, *(show(value) for value in (found.value, found.low, found.high)))
    return Table(headings, (row,), right=frozenset(headings[3:]), notes=(f"{found.level:.0%} bootstrap interval over items.",))


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
    lines += [f"{note}." for note in found.notes]
    residual = "" if math.isnan(found.residual_variance) else f"Residual variance V_E2 = {found.residual_variance:.4g}, "
    return (*lines, "", *found.sentences(), f"{residual}seed {found.seed}.".replace("seed", "Seed", not residual))
