"""How verdicts look: measures down and properties across, one measure by itself, as the papers print it, and as a chart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from metameasure.catalogue.explain import symbol_of
from metameasure.core.messages import Message, warn
from metameasure.properties.property import Property
from metameasure.properties.result import Axioms, Verdict, contradicted
from metameasure.show.heat_maps import HeatMap, heat_maps
from metameasure.show.table import Mark, Table, output_format

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The properties in two papers' tables, by what they are called there.
_TABLE_2 = {"ordinal_invariance": "Ord. Inv.", "ordinal_monotonicity": "Ord. Mon.", "imbalance": "Imb."}
_TABLES_4_AND_7 = ("order_aware", "constant_runs", "imbalance_aware", "symmetric")
_SIGNS = {True: "✓", False: "✗", None: "?"}
_ROMAN = ("I", "II", "III", "IV", "V", "VI")
_FEW = 2  # measures of which each has a table of its own, with every case in words
_TERMINALS = ("table", "terminal")
_WIDE = 80


def tables(axioms: Axioms, format: str) -> list[Table]:
    """The verdicts as tables for a format."""
    if len(axioms.measures) <= _FEW and format != "latex":
        return [_one(axioms, measure, format) for measure in axioms.measures]
    return [_matrix(axioms, group, format) for group in _groups(axioms)]


def _one(axioms: Axioms, measure: str, format: str) -> Table:
    """A row for each property of one measure: the verdict, the case that decides in words, and what a paper says."""
    verdicts = list(axioms.of(measure).values())
    rows: list[tuple[str, ...]] = []
    marks: dict[tuple[int, str], Mark] = {}
    for one in verdicts:
        words = one.sentence().partition(": ")[2]
        first, *more = (textwrap.wrap(words, _WIDE) or [""]) if format in _TERMINALS else [words]
        claimed = "" if one.claim is None else f"{_SIGNS[one.claim.holds]} {one.claim.source}"
        if one.holds is not None:
            marks[len(rows), ""] = _colour(one)
        rows += [(one.asked.id, _sign(one), first, claimed), *(("", "", line, "") for line in more)]
    return Table(
        (measure, "", "in words", "claimed"),
        tuple(rows),
        marks=marks,
        notes=_lines(_notes(axioms, verdicts, format), format),
        title=f"Properties of {measure}",
    )


def _groups(axioms: Axioms) -> list[list[str]]:
    """The measures that read the same, and so are asked the same."""
    kinds = {one.measure.id: one.measure.inputs.reads.partition("@")[0] for one in axioms.verdicts}
    return [[id for id in kinds if kinds[id] == kind] for kind in dict.fromkeys(kinds.values())]


def _matrix(axioms: Axioms, measures: Sequence[str], format: str) -> Table:
    """Measures down, properties across: a mark, and how many items the smallest counterexample has."""
    properties, grid = _grid(axioms, measures)
    headings, signs = _headings(properties, format)
    rows = [(measure, *(_cell(cell, format, signs) for cell in row)) for measure, row in zip(measures, grid, strict=True)]
    if format == "latex":
        symbols = {one.measure.id: output_format("latex").symbol(one.measure.symbol) for one in axioms.verdicts}
        rows = [(symbols[measure], *cells) for measure, *cells in rows]
    verdicts = {
        (number, heading): cell
        for number, row in enumerate(grid)
        for heading, cell in zip(headings[1:], row, strict=True)
        if cell is not None
    }
    chosen = [one for one in axioms.verdicts if one.measure.id in set(measures)]
    return Table(
        headings,
        tuple(rows),
        bold=frozenset(place for place, one in verdicts.items() if one.differs and format in ("html", "markdown")),
        marks={place: _colour(one) for place, one in verdicts.items() if one.holds is not None and format != "latex"},
        notes=_lines(_legend(properties, chosen, headings, format) + _notes(axioms, chosen, format), format),
        title="Which measures have which property",
    )


def _grid(axioms: Axioms, measures: Sequence[str]) -> tuple[list[Property], list[list[Verdict | None]]]:
    """The properties that were asked of any of these measures; and of each measure the verdicts, None where it was not asked."""
    by_measure = [axioms.of(measure) for measure in measures]
    properties = [one for one in axioms.properties if any(one.id in verdicts for verdicts in by_measure)]
    return properties, [[verdicts.get(one.id) for one in properties] for verdicts in by_measure]


def _headings(properties: Sequence[Property], format: str) -> tuple[tuple[str, ...], dict[bool, str]]:
    """What stands above the columns, and what a cell holds in LaTeX: ticks and dashes as in Amigó et al. (2020), Table 2; or
    numbered columns and ticks alone as in Sakai (2021), Tables 4 and 7."""
    if format == "latex" and {one.id for one in properties} <= set(_TABLES_4_AND_7):
        return ("measure", *(f"({_ROMAN[place]})" for place in range(len(properties)))), {True: "✓", False: ""}
    names = (_TABLE_2.get(one.id, one.heading) if format == "latex" else one.heading for one in properties)
    return ("measure", *names), {True: "✓", False: "-"}


def _cell(one: Verdict | None, format: str, signs: dict[bool, str]) -> str:
    if one is None:
        return ""
    in_paper = format == "latex" and one.holds is not None
    return (signs[bool(one.holds)] if in_paper else _sign(one)) + ("*" if one.differs else "")


def _sign(one: Verdict) -> str:
    sign = _SIGNS[one.holds]
    return f"{sign} {one.counterexample.items}" if one.counterexample else sign


def _colour(one: Verdict) -> Mark:
    return "strong" if one.holds else "weak"


def _legend(properties: Sequence[Property], chosen: Sequence[Verdict], headings: Sequence[str], format: str) -> list[str]:
    """What the columns and the marks mean."""
    lines = [
        f"{heading}: {one.id}. {one.holds_if}" + (f" ({one.condition})" if one.condition else "")
        for one, heading in zip(properties, headings[1:], strict=True)
    ]
    if format != "latex":
        lines.append(
            "✓ holds in all cases tried (or, where one case is enough, in some); ✗ n: fails, the smallest counterexample "
            "having n items (or steps)."
        )
    if any(one.holds is None for one in chosen):
        lines.append("?: could not be tried.")
    return lines


def _notes(axioms: Axioms, chosen: Sequence[Verdict], format: str) -> list[str]:
    """How it was found, and where a paper says otherwise."""
    lines = list[str]()
    if any(one.differs for one in chosen):
        several = len(axioms.measures) > _FEW or format == "latex"
        lines.append(warn("paper says otherwise", "*: a paper says otherwise." if several else "A paper says otherwise:"))
    lines += contradicted(chosen)
    drawn = f", and about {axioms.trials:,} at random (seed {axioms.seed}) where those do not decide" if axioms.trials else ""
    lines.append(f"Found by search: all small cases, smallest first{drawn}.")
    return lines


def _lines(notes: Sequence[str], format: str) -> tuple[str, ...]:
    """Notes as wide as a terminal is; elsewhere the reader's program breaks them."""
    if format not in _TERMINALS:
        return tuple(notes)
    return tuple(_like(one, part) for one in notes for part in textwrap.wrap(one, _WIDE, subsequent_indent="  "))


def _like(note: str, line: str) -> str:
    """A line of a note, which is left out no sooner than the note itself."""
    return Message("{line}", {"line": line}, note.kind, warns=note.warns) if isinstance(note, Message) else line


def drawn(axioms: Axioms, width: float) -> Figure:
    """Measures down, properties across: dark where a property holds, with the size of the counterexample where not."""
    import numpy as np  # noqa: PLC0415 - loaded when something is drawn

    maps = []
    for measures in _groups(axioms):
        properties, grid = _grid(axioms, measures)
        held = [[math.nan if cell is None or cell.holds is None else float(cell.holds) for cell in row] for row in grid]
        texts = [[_cell(cell, "", {}).replace("✗ ", "") for cell in row] for row in grid]
        maps.append(HeatMap("", np.array(held), [*map(symbol_of, measures)], [one.heading for one in properties], texts))
    note = "Dark: the property holds. Numbers: items of the smallest counterexample. *: a paper says otherwise."
    return heat_maps(maps, width, scale=(-0.4, 1.1), notes=[note])
