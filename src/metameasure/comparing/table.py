"""Comparisons as tables and drawn: what may be claimed, and the numbers behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.core.messages import about, caption, legend, note, run_on, say, sentence, warn
from metameasure.core.notes import grouped, in_a_row
from metameasure.core.numbers import headed, interval, number, p_value, with_interval
from metameasure.core.validity import in_words
from metameasure.show.canvas import Figure
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.groups import letter_ranges

if TYPE_CHECKING:
    from metameasure.comparing.comparison import Comparison

_MOST_IN_A_MATRIX = 12
_MOST_CLAIMS = 20


def comparison_table(comparison: Comparison, format: OutputFormat) -> Table:
    """Runs with their means and letters."""
    places = range(len(comparison.runs))
    columns = {
        "rank": [str(place + 1) for place in places],
        "run": [*comparison.runs],
        headed(measure_name(comparison.measure, format), comparison.better): [number(mean, 4) for mean in comparison.means],
        "interval": [interval(low, high, 4) for low, high in zip(comparison.low, comparison.high, strict=True)],
    }
    one = comparison.reference
    if comparison.difference_low is not None:
        columns[f"minus {comparison.runs[one]}"] = _less(comparison)
    if comparison.against is not None:
        columns[f"p vs {comparison.against}"] = [p or "·" for p in _against(comparison, comparison.against)]
        columns["effect size"] = ["" if row == one else number(comparison.effect_size[row, one], 2) for row in places]
    else:
        columns["group"] = [*map(letter_ranges, comparison.letters())]
        columns["beats worst"] = [str(beaten or "") for beaten in comparison.beats()]
        # Above the diagonal p-values, below it effect sizes: both are symmetric but for the sign.
        shown = places if len(places) <= _MOST_IN_A_MATRIX else []
        columns |= {f"vs {column + 1}": [_cell(comparison, row, column) for row in places] for column in shown}
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(tuple(columns), rows, right=frozenset(columns) - {"run", "group"}, notes=_notes(comparison))


def _less(comparison: Comparison) -> list[str]:
    """Each run's difference from the reference, with its interval."""
    return [
        "·" if row == comparison.reference else with_interval(gap, low, high, 4, sign=True)
        for row, (gap, low, high) in enumerate(comparison.differences())
    ]


def comparisons_table(parts: Sequence[Comparison], format: OutputFormat) -> Table:
    """The same runs by several measures, in the order of the first: means, with letters or with p-values against one run."""
    runs = tuple(dict.fromkeys(run for part in parts for run in part.runs))
    headings = ("run", *(headed(measure_name(part.measure, format), part.better) for part in parts))
    rows = tuple(zip(runs, *(_marked(part, runs) for part in parts), strict=True))
    return Table(headings, rows, right=frozenset(headings[1:]), notes=_common_notes(parts))


def _marked(comparison: Comparison, runs: Sequence[str]) -> list[str]:
    """Each run's mean with its mark; a dash for a run that is not compared by this measure."""
    marks = (
        comparison.letters()
        if comparison.against is None
        else [f"({p})" if p else "" for p in _against(comparison, comparison.against)]
    )
    side = "<" if comparison.against is None else ">"
    wide = max(map(len, marks))
    cells = {
        run: f"{number(mean, 4)} {mark:{side}{wide}}"
        for run, mean, mark in zip(comparison.runs, comparison.means, marks, strict=True)
    }
    return [cells.get(run, "–") for run in runs]


def _against(comparison: Comparison, run: str) -> list[str]:
    """The p-value of every run against that one, which has none itself."""
    one = comparison.runs.index(run)
    return ["" if row == one else _p(comparison, row, one) for row in range(len(comparison.runs))]


def _common_notes(parts: Sequence[Comparison]) -> tuple[str, ...]:
    """What the marks mean, by which test, and what was said of single measures."""
    by_test = grouped((part.tested(), part.measure) for part in parts)
    of = {test: "" if len(by_test) == 1 else say(" ({measures})", measures=in_a_row(ids)) for test, ids in by_test.items()}
    tests = [note("test", "Significance: {test}{of}.", test=test, of=of[test]) for test in by_test]
    against = parts[0].against
    meaning: list[str] = []
    if against is not None:
        meaning.append(legend("( ): p-values against {run} by that measure (*: significant).", run=against))
    else:
        meaning += [legend("{letters} by that measure.", letters=part.shared_letters()) for part in parts if part.able][:1]
        meaning += list(dict.fromkeys(part.unable() for part in parts if not part.able))
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    everywhere = [note for note in notes if all(note in part.notes for part in parts)]
    single = [about(note, measure=part.measure) for part in parts for note in part.notes if note not in everywhere]
    more = say("Intervals, effect sizes and all p-values: one measure at a time, or {--format json} or csv.")
    return (
        *meaning,
        *map(sentence, (*everywhere, *single)),
        *tests,
        more,
    )


def _cell(comparison: Comparison, row: int, column: int) -> str:
    if row == column:
        return "·"
    return _p(comparison, row, column) if row < column else number(abs(comparison.effect_size[row, column]), 2)


def _p(comparison: Comparison, row: int, column: int) -> str:
    """A p-value, with a star where it is significant, and a ring where the interval of the difference reaches 0 all the same."""
    star = "*" if comparison.significant[row, column] else ""
    return f"{p_value(comparison.p[row, column], comparison.alpha)}{star}{'°' if comparison.doubtful[row, column] else ''}"


def _notes(comparison: Comparison) -> tuple[str, ...]:
    no_sizes = math.isnan(comparison.residual_variance)
    lines: list[str]
    made = in_words(comparison.validity.get("interval", "interval/bootstrap/topics"), comparison.unit)
    one = comparison.runs[comparison.reference]
    apart = comparison.difference_low is not None
    less = say("; minus {run}: {adjusted}", run=one, adjusted=comparison.adjusted()) if apart else ""
    intervals = note("legend", "intervals ({level:g%}): {made}{less}", level=comparison.level, made=made, less=less)
    shown = [intervals.sentence] if apart or not np.isnan(comparison.low).all() else []
    if comparison.against is not None:
        sizes = "" if no_sizes else " Effect sizes are differences in residual standard deviations."
        lines = [*shown, note("legend", "*: significant.{sizes}", sizes=sizes)]
    else:
        ranges = " (a-d: a, b, c, d)" if any(letter_ranges(letters) != letters for letters in comparison.letters()) else ""
        letters = comparison.shared_letters(ranges)
        lettered = note("legend", "{letters}; {intervals}.", letters=letters, intervals=intervals)
        lines = [lettered] if letters else [*shown]
        below = ", below them effect sizes, differences in residual standard deviations"
        if len(comparison.runs) <= _MOST_IN_A_MATRIX:
            above = "" if no_sizes else "above the dots "
            lines.append(note("legend", "vs: " + above + "p-values (*: significant)" + ("" if no_sizes else below) + "."))
        else:
            lines.append(
                note(
                    "how to ask",
                    "p-values{part} of every two runs: {--format csv} or json.",
                    part="" if no_sizes else " and effect sizes",
                )
            )
    if comparison.doubtful.any():
        lines.append(warn("legend", "°: significant, though the simultaneous interval of the difference reaches 0.").sentence)
    of_residuals = "Residual variance V_E2 = {variance:.4g}, seed {seed}."
    seed = (
        say("Seed {seed}.", seed=comparison.seed)
        if no_sizes
        else say(of_residuals, variance=comparison.residual_variance, seed=comparison.seed)
    )
    return (*lines, *map(sentence, comparison.notes), "", *_claims(comparison), seed)


def _claims(comparison: Comparison) -> list[str]:
    """The claims in words; of many, the first."""
    sentences = comparison.sentences()
    *claims, significance = sentences
    if len(claims) <= _MOST_CLAIMS:
        return sentences
    left = len(claims) - _MOST_CLAIMS
    return [*claims[:_MOST_CLAIMS], say("{left} more sentences like these are in {--format json}.", left=left), significance]


def comparisons_chart(parts: Sequence[Comparison], width: float) -> Figure:
    """A panel for each measure: means, best at the top by the first of them, with their intervals and their letters, or p-values
    against one run."""
    runs = list(dict.fromkeys(run for part in parts for run in part.runs))
    panels = [_panel(part, runs) for part in parts]
    bars = caption("Bars: {level:g%} intervals.", level=parts[0].level)
    by = " by that measure" if len(parts) > 1 else ""
    against, apart = parts[0].against, ""
    if against is None:
        letters = next((part.shared_letters() for part in parts if part.able), "")
        marks = caption("{letters}" + by + ".", letters=letters) if letters else parts[0].unable()
    else:
        marks = caption("At the right: p-values against {run}" + by + " (*: significant).", run=against)
    if len(parts) == 1 and parts[0].difference_low is not None:
        panels.append(_panel_of_differences(parts[0]))
        apart = caption("Minus {run}: {adjusted}.", run=runs[parts[0].reference], adjusted=parts[0].adjusted())
    return row_chart(runs, panels, width, notes=[run_on((bars, marks, apart))])


def _panel_of_differences(comparison: Comparison) -> Panel:
    """Every run less the reference."""
    gaps, low, high = (np.array(numbers) for numbers in zip(*comparison.differences(), strict=True))
    return dots(f"minus {comparison.runs[comparison.reference]}", gaps, ends=(low, high), line=0.0)


def _panel(comparison: Comparison, runs: Sequence[str]) -> Panel:
    """Means and marks of one measure; nothing of a run that is not compared by it."""
    marks = (
        [*map(letter_ranges, comparison.letters())] if comparison.against is None else _against(comparison, comparison.against)
    )
    place = {run: number for number, run in enumerate(comparison.runs)}
    values, low, high = (np.array([of[place[run]] if run in place else np.nan for run in runs]) for of in (
        comparison.means, comparison.low, comparison.high,
    ))  # fmt: skip
    texts = [marks[place[run]] if run in place else "" for run in runs]
    return dots(headed(symbol_of(comparison.measure), comparison.better, kept=True), values, ends=(low, high), texts=texts)
