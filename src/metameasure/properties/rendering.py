"""How verdicts look: measures down and properties across, one measure by itself, as the papers print it, and as a chart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from metameasure.explaining import symbol_of
from metameasure.properties.property import Property
from metameasure.properties.result import Axioms, Verdict
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


def tables(found: Axioms, format: str) -> list[Table]:
    """The verdicts as tables for a format."""
    if len(found.measures) <= _FEW and format != "latex":
        return [_one(found, measure, format) for measure in found.measures]
    return [_matrix(found, group, format) for group in _groups(found)]


def _one(found: Axioms, measure: str, format: str) -> Table:
    """A row for each property of one measure: the verdict, the case that decides in words, and what a paper says."""
    verdicts = list(found.of(measure).values())
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
        notes=_lines(_notes(found, verdicts, format), format),
        title=f"Properties of {measure}",
    )


def _groups(found: Axioms) -> list[list[str]]:
    """The measures that read the same, and so are asked the same."""
    kinds = {one.measure.id: one.measure.inputs.reads.partition("@")[0] for one in found.verdicts}
    return [[id for id in kinds if kinds[id] == kind] for kind in dict.fromkeys(kinds.values())]


def _matrix(found: Axioms, measures: Sequence[str], format: str) -> Table:
    """Measures down, properties across: a mark, and how many items the smallest counterexample has."""
    chosen = [one for one in found.verdicts if one.measure.id in set(measures)]
    asked = [one for one in found.properties if any(verdict.asked is one for verdict in chosen)]
    headings, signs = _headings(asked, format)
    rows: list[tuple[str, ...]] = []
    marks: dict[tuple[int, str], Mark] = {}
    bold: set[tuple[int, str]] = set()
    for number, measure in enumerate(measures):
        by_id = found.of(measure)
        cells = [by_id.get(one.id) for one in asked]
        name = output_format("latex").symbol(next(iter(by_id.values())).measure.symbol) if format == "latex" else measure
        rows.append((name, *(_cell(cell, format, signs) for cell in cells)))
        for heading, cell in zip(headings[1:], cells, strict=True):
            if cell is not None and cell.holds is not None and format != "latex":
                marks[number, heading] = _colour(cell)
            if cell is not None and cell.differs and format in ("html", "markdown"):
                bold.add((number, heading))
    notes = _legend(asked, chosen, headings, format) + _notes(found, chosen, format)
    return Table(
        headings,
        tuple(rows),
        bold=frozenset(bold),
        marks=marks,
        notes=_lines(notes, format),
        title="Which measures have which property",
    )


def _headings(asked: Sequence[Property], format: str) -> tuple[tuple[str, ...], dict[bool, str]]:
    """What stands above the columns, and what a cell holds in LaTeX: ticks and dashes as in Amigó et al. (2020), Table 2; or
    numbered columns and ticks alone as in Sakai (2021), Tables 4 and 7."""
    if format == "latex" and {one.id for one in asked} <= set(_TABLES_4_AND_7):
        return ("measure", *(f"({_ROMAN[place]})" for place in range(len(asked)))), {True: "✓", False: ""}
    names = (_TABLE_2.get(one.id, one.heading) if format == "latex" else one.heading for one in asked)
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


def _legend(asked: Sequence[Property], chosen: Sequence[Verdict], headings: Sequence[str], format: str) -> list[str]:
    """What the columns and the marks mean."""
    lines = [
        f"{heading}: {one.id}. {one.holds_if}" + (f" ({one.condition})" if one.condition else "")
        for one, heading in zip(asked, headings[1:], strict=True)
    ]
    if format != "latex":
        lines.append(
            "✓ holds in all cases tried (or, where one case is enough, in some); ✗ n: fails, the smallest counterexample "
            "having n items (or steps)."
        )
    if any(one.holds is None for one in chosen):
        lines.append("?: could not be tried.")
    return lines


def _notes(found: Axioms, chosen: Sequence[Verdict], format: str) -> list[str]:
    """How it was found, and where a paper says otherwise."""
    lines = []
    if any(one.differs for one in chosen):
        lines.append(
            "*: a paper says otherwise." if len(found.measures) > _FEW or format == "latex" else "A paper says otherwise:"
        )
    lines += [f"{one.measure.id}, {one.asked.id} {one.sentence()}. But {one.claimed()}." for one in chosen if one.differs]
    drawn = f", and about {found.trials:,} at random (seed {found.seed}) where those do not decide" if found.trials else ""
    lines.append(f"Found by search: all small cases, smallest first{drawn}.")
    return lines


def _lines(notes: Sequence[str], format: str) -> tuple[str, ...]:
    """Notes as wide as a terminal is; elsewhere the reader's program breaks them."""
    if format not in _TERMINALS:
        return tuple(notes)
    return tuple(part for note in notes for part in textwrap.wrap(note, _WIDE, subsequent_indent="  "))


def drawn(found: Axioms, width: float) -> Figure:
    """Measures down, properties across: dark where a property holds, with the size of the counterexample where not."""
    import numpy as np  # noqa: PLC0415 - loaded when something is drawn

    maps = []
    for measures in _groups(found):
        by_measure = [found.of(measure) for measure in measures]
        asked = [one for one in found.properties if any(one.id in verdicts for verdicts in by_measure)]
        cells = [[verdicts.get(one.id) for one in asked] for verdicts in by_measure]
        held = [[math.nan if cell is None or cell.holds is None else float(cell.holds) for cell in row] for row in cells]
        texts = [[_cell(cell, "", {}).replace("✗ ", "") for cell in row] for row in cells]
        maps.append(HeatMap("", np.array(held), [*map(symbol_of, measures)], [one.heading for one in asked], texts))
    note = "Dark: the property holds. Numbers: items of the smallest counterexample. *: a paper says otherwise."
    return heat_maps(maps, width, scale=(-0.4, 1.1), notes=[note])
