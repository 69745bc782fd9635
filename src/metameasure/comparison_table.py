"""Comparisons as tables and drawn: what may be claimed, and the numbers behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from metameasure.explaining import symbol_of
from metameasure.notes import sentence
from metameasure.show.canvas import Figure
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.table import OutputFormat, Table, number
from metameasure.statistics.groups import letter_ranges

if TYPE_CHECKING:
    from metameasure.comparison import Comparison

_MOST_IN_A_MATRIX = 12
_MOST_CLAIMS = 20


def comparison_table(found: Comparison, format: OutputFormat) -> Table:
    """Runs with their means and letters."""
    headings = ["rank", "run", f"{_name(found, format)} {_arrow(found)}", "interval"]
    rows_of_runs = [
        [str(place + 1), run, f"{found.means[place]:.4f}", f"[{found.low[place]:.4f}, {found.high[place]:.4f}]"]
        for place, run in enumerate(found.runs)
    ]
    if found.against is not None:
        one = found.runs.index(found.against)
        headings += [f"p vs {found.against}", "effect size"]
        for row in range(len(found.runs)):
            rows_of_runs[row] += ["·", ""] if row == one else [_p(found, row, one), number(found.effect_size[row, one], 2)]
        return Table(tuple(headings), tuple(map(tuple, rows_of_runs)), frozenset(headings) - {"run"}, notes=_notes(found))
    headings += ["group", "beats worst"]
    for cells, letters, beaten in zip(rows_of_runs, found.letters(), found.beats(), strict=True):
        cells += [letter_ranges(letters), str(beaten or "")]
    if len(found.runs) <= _MOST_IN_A_MATRIX:
        # Above the diagonal p-values, below it effect sizes: both are symmetric but for the sign.
        headings += [f"vs {place + 1}" for place in range(len(found.runs))]
        for row in range(len(found.runs)):
            rows_of_runs[row] += [_cell(found, row, column) for column in range(len(found.runs))]
    right = frozenset(headings) - {"run", "group"}
    return Table(tuple(headings), tuple(map(tuple, rows_of_runs)), right=right, notes=_notes(found))


def comparisons_table(parts: Sequence[Comparison], format: OutputFormat) -> Table:
    """The same runs by several measures, in the order of the first: means, with letters or with p-values against one run."""
    runs = tuple(dict.fromkeys(run for part in parts for run in part.runs))
    headings = ("run", *(f"{_name(part, format)} {_arrow(part)}" for part in parts))
    rows = tuple(zip(runs, *(_marked(part, runs) for part in parts), strict=True))
    return Table(headings, rows, right=frozenset(headings[1:]), notes=_common_notes(parts))


def _name(found: Comparison, format: OutputFormat) -> str:
    return symbol_of(found.measure) if format.paper else found.measure


def _arrow(found: Comparison) -> str:
    return "↑" if found.better == "higher" else "↓"


def _marked(found: Comparison, runs: Sequence[str]) -> list[str]:
    """Each run's mean with its mark; a dash for a run that is not compared by this measure."""
    marks = found.letters() if found.against is None else [f"({p})" if p else "" for p in _against(found, found.against)]
    side = "<" if found.against is None else ">"
    wide = max(map(len, marks))
    cells = {run: f"{mean:.4f} {mark:{side}{wide}}" for run, mean, mark in zip(found.runs, found.means, marks, strict=True)}
    return [cells.get(run, "–") for run in runs]


def _against(found: Comparison, run: str) -> list[str]:
    """The p-value of every run against that one, which has none itself."""
    one = found.runs.index(run)
    return ["" if row == one else _p(found, row, one) for row in range(len(found.runs))]


def _common_notes(parts: Sequence[Comparison]) -> tuple[str, ...]:
    """What the marks mean, by which test, and what was said of single measures."""
    by_test: dict[str, list[str]] = {}
    for part in parts:
        by_test.setdefault(part.tested(), []).append(part.measure)
    tests = [test if len(by_test) == 1 else f"{test} ({', '.join(ids)})" for test, ids in by_test.items()]
    against = parts[0].against
    meaning = (
        "Runs that share a letter do not differ significantly by that measure."
        if against is None
        else f"( ): p-values against {against} by that measure (*: significant)."
    )
    told = dict.fromkeys(note for part in parts for note in part.notes)
    everywhere = [note for note in told if all(note in part.notes for part in parts)]
    single = [f"{part.measure}: {note}" for part in parts for note in part.notes if note not in everywhere]
    more = "Intervals, effect sizes and all p-values: one measure at a time, or --format json or csv."
    return (meaning, *map(sentence, (*everywhere, *single)), *(f"Significance: {test}." for test in tests), more)


def p_value(p: float, alpha: float) -> str:
    """A p-value rounded to two significant digits; to more, where rounding would carry it over alpha."""
    written = (f"{p:.{digits}g}" for digits in count(2))
    return next(text for text in written if (p < alpha) == (float(text) < alpha))


def _cell(found: Comparison, row: int, column: int) -> str:
    if row == column:
        return "·"
    return _p(found, row, column) if row < column else number(abs(found.effect_size[row, column]), 2)


def _p(found: Comparison, row: int, column: int) -> str:
    """A p-value to three decimals; to more, where rounding would carry it over alpha."""
    p = found.p[row, column]
    shown = f"{p:.3f}" if p >= 0.0005 else "<.001"
    if p >= 0.0005 and (p < found.alpha) != (float(shown) < found.alpha):
        shown = p_value(p, found.alpha)
    return shown + ("*" if found.significant[row, column] else "")


def _notes(found: Comparison) -> tuple[str, ...]:
    lines = [f"Intervals are bootstrapped over {found.unit} ({found.level:.0%})."]
    if found.against is not None:
        sizes = "" if math.isnan(found.residual_variance) else " Effect sizes are differences in residual standard deviations."
        lines.append(f"*: significant.{sizes}")
    else:
        ranges = " (a-d: a, b, c, d)" if any(letter_ranges(letters) != letters for letters in found.letters()) else ""
        lines[0] = f"Runs that share a letter{ranges} do not differ significantly; {lines[0][0].lower()}{lines[0][1:]}"
        no_sizes = math.isnan(found.residual_variance)
        if len(found.runs) <= _MOST_IN_A_MATRIX and no_sizes:
            lines.append("vs: p-values (*: significant).")
        elif len(found.runs) <= _MOST_IN_A_MATRIX:
            below = "below them effect sizes, differences in residual standard deviations"
            lines.append(f"vs: above the dots p-values (*: significant), {below}.")
        else:
            lines.append(f"p-values{'' if no_sizes else ' and effect sizes'} of every two runs: --format csv or json.")
    lines += map(sentence, found.notes)
    residual = "" if math.isnan(found.residual_variance) else f"Residual variance V_E2 = {found.residual_variance:.4g}, "
    return (*lines, "", *_claims(found), f"{residual}seed {found.seed}.".replace("seed", "Seed", not residual))


def _claims(found: Comparison) -> list[str]:
    """The claims in words; of many, the first."""
    told = found.sentences()
    *claims, significance = told
    if len(claims) <= _MOST_CLAIMS:
        return told
    left = len(claims) - _MOST_CLAIMS
    return [*claims[:_MOST_CLAIMS], f"{left} more sentences like these are in --format json.", significance]


def comparisons_chart(parts: Sequence[Comparison], width: float) -> Figure:
    """A panel for each measure: means, best at the top by the first of them, with their intervals and their letters, or p-values
    against one run."""
    runs = list(dict.fromkeys(run for part in parts for run in part.runs))
    panels = [_panel(part, runs) for part in parts]
    against = parts[0].against
    by = " by that measure" if len(parts) > 1 else ""
    marks = (
        f"Runs that share a letter do not differ significantly{by}."
        if against is None
        else f"At the right: p-values against {against}{by} (*: significant)."
    )
    return row_chart(runs, panels, width, notes=[f"Bars: {parts[0].level:.0%} intervals. {marks}"])


def _panel(found: Comparison, runs: Sequence[str]) -> Panel:
    """Means and marks of one measure; nothing of a run that is not compared by it."""
    marks = list(map(letter_ranges, found.letters())) if found.against is None else _against(found, found.against)
    place = {run: number for number, run in enumerate(found.runs)}
    values, low, high = (np.array([of[place[run]] if run in place else np.nan for run in runs]) for of in (
        found.means, found.low, found.high,
    ))  # fmt: skip
    texts = [marks[place[run]] if run in place else "" for run in runs]
    return dots(f"{symbol_of(found.measure)}\N{NO-BREAK SPACE}{_arrow(found)}", values, ends=(low, high), texts=texts)
