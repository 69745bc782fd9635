"""Comparisons as tables and drawn: what may be claimed, and the numbers behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from metameasure.catalogue.explain import measure_name, symbol_of
from metameasure.core.messages import about, caption, legend, note, run_on, say, sentence, warn
from metameasure.core.notes import counted, grouped, in_a_row, listed
from metameasure.core.numbers import headed, interval, number, p_value, significant, with_interval
from metameasure.core.validity import in_words
from metameasure.show.canvas import Figure
from metameasure.show.names import all_named, is_shown, named
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.arrays import Floats
from metameasure.statistics.groups import letter_ranges

if TYPE_CHECKING:
    from metameasure.comparing.comparison import Comparison

_MOST_IN_A_MATRIX = 8
"""More runs have marks instead of p-values."""
_MOST_MARKS = 60
_MOST_CLAIMS = 20


def comparison_table(comparison: Comparison, format: OutputFormat) -> Table:
    """Runs with their means and letters, and how every two of them compare: by p-values, or by marks where there is no room."""
    marked = _marks(comparison) if comparison.against is None else {}
    few = len(comparison.runs) <= _MOST_IN_A_MATRIX
    usual = _comparison_table(comparison, format, _matrix(comparison) if few and comparison.against is None else marked)
    if not few or comparison.against is not None:
        return usual
    return replace(usual, narrower=_comparison_table(comparison, format, marked, by_marks=True))


def _comparison_table(
    comparison: Comparison, format: OutputFormat, pairs: Mapping[str, list[str]], *, by_marks: bool = False
) -> Table:
    places = range(len(comparison.runs))
    score = headed(measure_name(comparison.called or comparison.measure, format), comparison.better)
    columns: dict[str, list[str]] = {
        "rank": [str(place + 1) for place in places],
        "run": all_named(comparison.runs),
        score: [number(mean, 4) for mean in comparison.means],
    }
    if comparison.clusters:
        columns["cluster"] = [*map(str, comparison.clusters)]
    if not comparison.clusters or not np.isnan(comparison.low).all():
        columns["interval"] = [interval(low, high, 4) for low, high in zip(comparison.low, comparison.high, strict=True)]
    one = comparison.reference
    less = f"minus {named(comparison.runs[one])}"
    if comparison.difference_low is not None:
        columns[less] = _less(comparison)
    if comparison.against is not None:
        columns[f"p vs {named(comparison.against)}"] = [p or "·" for p in _against(comparison, comparison.against)]
        columns["effect size"] = ["" if row == one else number(comparison.effect_size[row, one], 2) for row in places]
    else:
        columns["group"] = [*map(letter_ranges, comparison.letters())]
        columns["beats worst"] = [str(beaten or "") for beaten in comparison.beats()]
        columns |= pairs
    left = {"run", "group", *(pairs if by_marks or len(comparison.runs) > _MOST_IN_A_MATRIX else ())}
    rows = [*zip(*columns.values(), strict=True)]
    return Table(
        tuple(columns),
        tuple(rows[place] for place, run in enumerate(comparison.runs) if is_shown(run)),
        right=frozenset(columns) - left,
        notes=_notes(comparison, by_marks=by_marks),
        caption=_caption([comparison], format),
        symbols=_symbols([comparison], format),
        keep=frozenset(columns) - {"rank", "interval", "effect size", less},
    )


def _matrix(comparison: Comparison) -> dict[str, list[str]]:
    """A column for each run: above the diagonal p-values, below it effect sizes; both are symmetric but for the sign."""
    places = range(len(comparison.runs))
    shown = [place for place in places if is_shown(comparison.runs[place])]
    return {f"vs {column + 1}": [_cell(comparison, row, column) for row in places] for column in shown}


def _marks(comparison: Comparison) -> dict[str, list[str]]:
    """One column with a mark for every run, in the order of the ranks."""
    runs, places = comparison.runs, range(len(comparison.runs))
    if not comparison.able or len(runs) > _MOST_MARKS:
        return {}
    shown = [place for place in places if is_shown(runs[place])]
    return {f"vs 1-{len(runs)}": ["".join(_mark(comparison, row, column) for column in shown) for row in places]}


def _mark(comparison: Comparison, row: int, column: int) -> str:
    if row == column:
        return "o"
    return "." if not comparison.significant[row, column] else "+" if row < column else "-"


def _caption(parts: Sequence[Comparison], format: OutputFormat) -> str:
    """What is compared, in one sentence."""
    measures = listed([measure_name(part.called or part.measure, format) for part in parts], "and", most=4)
    runs, one = max((part.runs for part in parts), key=len), parts[0]
    template = "Comparison of {runs} by {measures}, over {topics} {unit}"
    return say(template, runs=counted(len(runs), "run"), measures=measures, topics=one.topics, unit=one.unit)


def _symbols(parts: Sequence[Comparison], format: OutputFormat) -> dict[str, str]:
    return {part.measure: measure_name(part.called or part.measure, format) for part in parts if format.paper}


def _less(comparison: Comparison) -> list[str]:
    """Each run's difference from the reference, with its interval."""
    return [
        "·" if row == comparison.reference else with_interval(gap, low, high, 4, sign=True)
        for row, (gap, low, high) in enumerate(comparison.differences())
    ]


def anova_table(comparison: Comparison, format: OutputFormat) -> Table:
    """The two-way analysis of variance, as text books have it."""
    found = comparison.anova
    assert found is not None  # noqa: S101 - who asks for the table has asked for the analysis
    unit = comparison.unit
    sources = (("runs", found.systems), (unit, found.topics), ("residual", found.residual))
    rows = tuple(
        (
            name,
            significant(source.squares),
            str(source.freedom),
            significant(source.mean_square),
            "" if source.f is None else number(source.f, 2),
            "" if source.p is None else p_value(source.p, comparison.alpha) + ("*" if source.p < comparison.alpha else ""),
        )
        for name, source in sources
    )
    total = ("total", significant(found.squares), str(found.freedom), "", "", "")
    headings = ("source", "sum of squares", "df", "mean square", "F", "p")
    measure = measure_name(comparison.called or comparison.measure, format)
    said = legend("Two-way analysis of variance without replication: {unit} by runs (*: significant).", unit=unit)
    return Table(
        headings,
        (*rows, total),
        right=frozenset(headings[1:]),
        notes=(said,),
        title=f"Analysis of variance of {measure}",
        caption=say("Two-way analysis of variance of {measure}: {unit} by runs", measure=measure, unit=unit),
    )


def comparisons_table(parts: Sequence[Comparison], format: OutputFormat) -> Table:
    """The same runs by several measures, in the order of the first: means, with letters or with p-values against one run."""
    runs = tuple(dict.fromkeys(run for part in parts for run in part.runs if is_shown(run)))
    headings = ("run", *(headed(measure_name(part.called or part.measure, format), part.better) for part in parts))
    rows = tuple(zip(all_named(runs), *(_marked(part, runs) for part in parts), strict=True))
    telling = {heading for heading, part in zip(headings[1:], parts, strict=True) if part.significant.any()}
    return Table(
        headings,
        rows,
        right=frozenset(headings[1:]),
        keep=frozenset({"run", *telling}),
        notes=_common_notes(parts),
        caption=_caption(parts, format),
        symbols=_symbols(parts, format),
    )


def values_table(runs: Sequence[str], parts: Sequence[tuple[str, Sequence[str], Floats, Sequence[int]]], word: str) -> Table:
    """The value of each run on each data set, with its rank there; of data sets their names, runs, values and ranks."""
    shown = [run for run in runs if is_shown(run)]
    columns: dict[str, list[str]] = {word: all_named(shown)}
    for name, own, values, ranks in parts:
        place = {run: number for number, run in enumerate(own)}
        columns[name] = [f"{number(values[place[run]], 4)} ({ranks[place[run]]})" for run in shown]
    said = legend("( ): ranks on that data set alone.")
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(
        tuple(columns), rows, right=frozenset(columns) - {word}, keep=frozenset({word}), notes=(said,), title="By data set"
    )


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


def _notes(comparison: Comparison, *, by_marks: bool) -> tuple[str, ...]:
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
        told = "{letters}; {intervals}." if shown or not comparison.clusters else "{letters}."
        lettered = note("legend", told, letters=letters, intervals=intervals)
        lines = [lettered] if letters else [*shown]
        lines += _pairs_explained(comparison, by_marks=by_marks, no_sizes=no_sizes)
    if comparison.doubtful.any():
        lines.append(warn("legend", "°: significant, though the simultaneous interval of the difference reaches 0.").sentence)
    of_residuals = "Residual variance V_E2 = {variance:.4g}, seed {seed}."
    seed = (
        say("Seed {seed}.", seed=comparison.seed)
        if no_sizes
        else say(of_residuals, variance=comparison.residual_variance, seed=comparison.seed)
    )
    return (*lines, *map(sentence, comparison.notes), "", *_claims(comparison), seed)


def _pairs_explained(comparison: Comparison, *, by_marks: bool, no_sizes: bool) -> list[str]:
    """What the columns about every two runs mean; how to have the numbers, where there is none."""
    if not by_marks and len(comparison.runs) <= _MOST_IN_A_MATRIX:
        above = "" if no_sizes else "above the dots "
        below = "" if no_sizes else ", below them effect sizes, differences in residual standard deviations"
        return [note("legend", "vs: " + above + "p-values (*: significant)" + below + ".")]
    marks = "vs: the runs in this order (+: significantly better than it, -: significantly worse, .: neither, o: the run itself)."
    asked = "p-values{part} of every two runs: {--format csv} or json."
    return [
        *([note("legend", marks)] if _marks(comparison) else []),
        note("how to ask", asked, part="" if no_sizes else " and effect sizes"),
    ]


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
    runs = list(dict.fromkeys(run for part in parts for run in part.runs if is_shown(run)))
    panels = [means_panel(part, runs) for part in parts]
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
        reference = parts[0].runs[parts[0].reference]
        apart = caption("Minus {run}: {adjusted}.", run=reference, adjusted=parts[0].adjusted())
    return row_chart(all_named(runs), panels, width, notes=[run_on((bars, marks, apart))])


def _panel_of_differences(comparison: Comparison) -> Panel:
    """Every run less the reference."""
    shown = [place for place, run in enumerate(comparison.runs) if is_shown(run)]
    gaps, low, high = (np.array(numbers)[shown] for numbers in zip(*comparison.differences(), strict=True))
    return dots(f"minus {named(comparison.runs[comparison.reference])}", gaps, ends=(low, high), line=0.0)


def means_panel(comparison: Comparison, runs: Sequence[str], *, marked: bool = True) -> Panel:
    """Means and marks of one measure; nothing of a run that is not compared by it."""
    marks = (
        [*map(letter_ranges, comparison.letters())] if comparison.against is None else _against(comparison, comparison.against)
    )
    place = {run: number for number, run in enumerate(comparison.runs)}
    values, low, high = (np.array([of[place[run]] if run in place else np.nan for run in runs]) for of in (
        comparison.means, comparison.low, comparison.high,
    ))  # fmt: skip
    texts = [marks[place[run]] if run in place else "" for run in runs] if marked else ()
    return dots(headed(symbol_of(comparison.measure), comparison.better, kept=True), values, ends=(low, high), texts=texts)
