"""Coverage and the summary of all questions as tables."""

from __future__ import annotations

import textwrap

import numpy as np

from metameasure.comparison import listed
from metameasure.meta.measure_summary import Summary
from metameasure.meta.unanimous_coverage import Coverage
from metameasure.show.findings import below, long_table, measure_name
from metameasure.show.numbers import number, percent
from metameasure.show.table import Mark, OutputFormat, Table

_MOST_IN_A_MATRIX = 12
_WIDE = 100
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII")
_MARKS: dict[str, Mark] = {"good": "strong", "fair": "fair", "poor": "weak"}


def coverage_table(found: Coverage, format: OutputFormat) -> list[Table]:
    """Amigó et al. (2020), Table 3: coverage of each measure, a column for each data set; and the UIR behind it."""
    if format.exact:
        return [long_table(found)]
    low, high = found.ranges()
    best = found.best_under()
    blocks = [(block.name, block) for block in found.data] + [("coverage", found)]
    headings = ("measure", *(name for name, _ in blocks), "lowest", "highest", "best under")
    rows = tuple(
        (
            measure_name(found.measures[place], format) + (" *" if found.measures[place] in found.reference else ""),
            *(number(block.coverage[place]) for _, block in blocks),
            number(low[place]),
            number(high[place]),
            str(best[found.measures[place]]),
        )
        for place in found.order()
    )
    sets = 1 + len(found.sets)
    notes = [
        f"Spearman correlation with the unanimous improvement by the reference set (*): {', '.join(found.reference)}.",
        f"Lowest, highest, best under: over {sets} reference set(s), others of this size and this one with a measure left out.",
    ]
    moved = [f"without {left}: {top}" for left in found.without if (top := _highest(found, left))]
    if moved:
        notes.append(f"Highest coverage with a reference measure left out: {'; '.join(moved)}.")
    shown = 0 < len(found.runs) <= _MOST_IN_A_MATRIX
    if not shown:
        notes.append("The unanimous improvement ratio (UIR) of every two runs: --format json.")
    table = Table(headings, rows, frozenset(headings[1:]), notes=below(found, notes))
    return [table, _uir(found)] if shown else [table]


def _highest(found: Coverage, left: str) -> str:
    """The measure with the highest coverage without that one in the reference set; nothing where none is defined."""
    values = found.without[left]
    if np.isnan(values).all():
        return ""
    best = int(np.nanargmax(values))
    return f"{found.measures[best]} ({number(values[best])})"


def _uir(found: Coverage) -> Table:
    headings = ("UIR", *found.runs)
    rows = tuple((run, *(f"{value:+.2f}" for value in row)) for run, row in zip(found.runs, found.uir, strict=True))
    return Table(headings, rows, frozenset(headings[1:]))


def summary_table(found: Summary, format: OutputFormat) -> Table:
    """Sakai (2021), Tables 4 and 7, with the values behind the ratings and a line of advice for each measure."""
    if format.exact:
        return long_table(found)
    abilities = found.abilities()
    shown = (*(ability.heading for ability in abilities), "group", "consistency", "power")
    numbered = [f"({_ROMAN[place]})" for place in range(len(shown))]
    headings = ("measure", *(numbered if format.paper else shown), *(() if not format.wide else ("advice",)))
    rows: list[tuple[str, ...]] = []
    marks: dict[tuple[int, str], Mark] = {}
    for place, row in enumerate(found.rows):
        ticks = [{True: "✓", False: "", None: "?"}[row.can(ability)] for ability in abilities]
        values = [row.group, f"{row.consistency} {row.mean_tau:.3f}", f"{row.discrimination} {percent(row.power)} %"]
        if format.paper:
            values = [row.group, row.consistency, row.discrimination]
        rows.append((measure_name(row.measure, format), *ticks, *values, *([row.advice] if headings[-1] == "advice" else [])))
        ends = headings[len(shown) - 1 : len(shown) + 1]
        marks |= {(place, ends[0]): _MARKS[row.consistency], (place, ends[1]): _MARKS[row.discrimination]}
    explained = below(found, _explanations(found, format))
    return Table(headings, tuple(rows), marks=marks, notes=(*explained, *_conclusions(found, format)))


def _explanations(found: Summary, format: OutputFormat) -> list[str]:
    stable, tested, alike = found.consistency, found.discrimination, found.similarity
    test = f"randomised Tukey HSD test, alpha = {tested.alpha:g}, B = {tested.trials}"
    lines = [f"{ability.heading}: {ability.meaning}." for ability in found.abilities()]
    lines += [
        f"group: rankings alike, mean tau >= {alike.threshold:g} between every two.",
        f"consistency: mean tau over {stable.splits} splits ({stable.how()}).",
        f"power: share of the {tested.pairs} pairs of runs that differ significantly ({test}).",
    ]
    if format.paper:
        lines = [f"({_ROMAN[place]}) {line}" for place, line in enumerate(lines)]
    return [
        *lines,
        "good, fair, poor: thirds of the range from the worst to the best of these measures.",
        f"Seed {tested.seed}; data sets: {listed([part.name for part in found.parts()], 'and')}.",
    ]


def _conclusions(found: Summary, format: OutputFormat) -> list[str]:
    """Who contradicts whom; and the advice, where it has no column of its own."""
    lines = ["", *found.contradictions.sentences()]
    if not format.wide:
        width = max(len(row.measure) for row in found.rows) + 2
        indent = " " * width
        for row in found.rows:
            told = textwrap.wrap(f"{row.advice}.", _WIDE, initial_indent=indent, subsequent_indent=indent)
            lines += ["", row.measure.ljust(width) + told[0].lstrip(), *told[1:]]
    return lines
