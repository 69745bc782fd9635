"""How verdicts look: measures down and properties across, one measure by itself, as the papers print it, and as a chart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from metameasure.catalogue.explain import symbol_of
from metameasure.core.messages import Message, caption, legend, say, warn
from metameasure.core.notes import in_a_row
from metameasure.properties.comparing import apart
from metameasure.properties.families import by_family
from metameasure.properties.property import DecidingCase, Property
from metameasure.properties.result import Axioms, Verdict, contradicted
from metameasure.show.bins import Bin, Compared, add_bins
from metameasure.show.heat_maps import HeatMap, add_heat_maps
from metameasure.show.sheet import Sheet
from metameasure.show.table import Mark, Table, output_format

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The properties in two papers' tables, by what they are called there.
_TABLE_2 = {"ordinal_invariance": "Ord. Inv.", "ordinal_monotonicity": "Ord. Mon.", "imbalance": "Imb."}
_TABLES_4_AND_7 = ("order_aware", "constant_runs", "imbalance_aware", "symmetric")
_SIGNS = {True: "✓", False: "✗", None: "?"}
_ROMAN = ("I", "II", "III", "IV", "V", "VI")
# How the scores of the two outputs of a counterexample should compare, the first with the second; without more they are equal.
_SHOULD = {"ordinal_monotonicity": "<", "imbalance": ">", "perfect_only": "<", "degradation": "≥"}
_OF_BINS = (
    "A bin is an output: a column for each class given, a square for each item.",
    "Black squares are of the lowest true class, white ones of the highest.",
    "Between two bins: how their scores should compare. Below them: what the measure gives.",
)
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
        words = one.why()
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
    kinds = {one.measure.id: one.measure.inputs.reads.kind for one in axioms.verdicts}
    return [[id for id in kinds if kinds[id] == kind] for kind in dict.fromkeys(kinds.values())]


def _matrix(axioms: Axioms, measures: Sequence[str], format: str) -> Table:
    """Measures down, by families as in Amigó et al. (2020), Table 2, properties across: a mark, and how many items the smallest
    counterexample has."""
    properties, _ = _grid(axioms, measures)
    headings, signs = _headings(properties, format)
    symbols = {one.measure.id: output_format("latex").symbol(one.measure.symbol) for one in axioms.verdicts}
    rows: list[tuple[str, ...]] = []
    verdicts: dict[tuple[int, str], Verdict] = {}
    for family, members in by_family(measures).items():
        rows += [(f"({family})", *[""] * len(properties))] if family else []
        for measure in members:
            asked = axioms.of(measure)
            cells = [asked.get(one.id) for one in properties]
            verdicts |= {
                (len(rows), heading): cell for heading, cell in zip(headings[1:], cells, strict=True) if cell is not None
            }
            name = symbols[measure] if format == "latex" else measure
            rows.append((name, *(_cell(cell, format, signs) for cell in cells)))
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


def _in_chart(one: Verdict | None) -> str:
    """A cell of the chart, where colours say what fails: there the size of the counterexample is enough."""
    if one is None:
        return ""
    return (str(one.counterexample.items) if one.counterexample else _SIGNS[one.holds]) + ("*" if one.differs else "")


def _sign(one: Verdict) -> str:
    sign = _SIGNS[one.holds]
    return f"{sign} {one.counterexample.items}" if one.counterexample else sign


def _colour(one: Verdict) -> Mark:
    return "strong" if one.holds else "weak"


def _legend(properties: Sequence[Property], chosen: Sequence[Verdict], headings: Sequence[str], format: str) -> list[str]:
    """What the columns and the marks mean."""
    lines: list[str] = [
        legend(
            "{heading}: {property}. {holds_if}{condition}",
            heading=heading,
            property=one.id,
            holds_if=one.holds_if,
            condition=f" ({one.condition})" if one.condition else "",
        )
        for one, heading in zip(properties, headings[1:], strict=True)
    ]
    if format != "latex":
        lines.append(
            legend(
                "✓ holds in all cases tried (or, where one case is enough, in some); ✗ n: fails, the smallest counterexample "
                "having n items (or steps)."
            )
        )
    if any(one.holds is None for one in chosen):
        lines.append(legend("?: could not be tried."))
    return lines


def _notes(axioms: Axioms, chosen: Sequence[Verdict], format: str) -> list[str]:
    """How it was found, and where a paper says otherwise."""
    lines = list[str]()
    if any(one.differs for one in chosen):
        several = len(axioms.measures) > _FEW or format == "latex"
        lines.append(warn("paper says otherwise", "*: a paper says otherwise." if several else "A paper says otherwise:"))
    lines += contradicted(chosen)
    at_random = ", and about {trials:,} at random (seed {seed}) where those do not decide"
    drawn = say(at_random, trials=axioms.trials, seed=axioms.seed) if axioms.trials else ""
    lines.append(legend("Found by search: all small cases, smallest first{drawn}.", drawn=drawn))
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
    """Measures down, by families, properties across: dark where a property holds, with the size of the counterexample where not.
    Then the smallest counterexample of each property as bins: Amigó et al. (2020), Figure 2."""
    sheet = Sheet(width)
    add_heat_maps(sheet, _maps(axioms), scale=(-0.4, 1.1))
    dark = "Dark: the property holds. Numbers: items of the smallest counterexample. *: a paper says otherwise."
    sheet.write([caption(dark)])
    families = [family for group in _groups(axioms) for family in by_family(group) if family]
    lines = "Lines separate families of measures: {families}."
    sheet.write([caption(lines, families=in_a_row(families))] if families else [])
    cases = _smallest(axioms)
    if cases:
        sheet.write([caption("The smallest counterexample of each property:")])
        add_bins(sheet, cases)
        sheet.write([*map(caption, _OF_BINS)])
    return sheet.figure()


def _smallest(axioms: Axioms) -> list[Compared]:
    """Of each property that compares two outputs of a classifier, the smallest case against some measure."""
    found = []
    for asked in axioms.properties:
        failing = [
            (one.counterexample.size, one.measure.id, one.counterexample)
            for one in axioms.verdicts
            if one.asked is asked and one.counterexample and _two_outputs(one.counterexample)
        ]
        if failing:
            _, measure, case = min(failing, key=lambda one: one[0])
            sign = _SHOULD.get(asked.id, "" if asked.directed else "=")
            found.append(Compared(f"{asked.heading}: {symbol_of(measure)}", *_bins(case), sign))
    return found


def _bins(case: DecidingCase) -> tuple[Bin, Bin]:
    """The two outputs of a case, with their scores below."""
    texts = apart(*(side.score for side in case.cases))
    first, second = (_bin(side.parts, case.classes, score) for side, score in zip(case.cases, texts, strict=True))
    return first, second


def _bin(parts: Mapping[str, Any], classes: int, score: str) -> Bin:
    gold, output = parts["gold"], parts["output"]
    return Bin.of(gold, output, max(classes, *gold, *output), score, parts.get("values") or ())


def _two_outputs(case: DecidingCase) -> bool:
    return len(case.cases) == 2 and all({"gold", "output"} <= {*side.parts} for side in case.cases)


def _maps(axioms: Axioms) -> list[HeatMap]:
    import numpy as np  # noqa: PLC0415 - loaded when something is drawn

    maps = []
    for group in _groups(axioms):
        families = by_family(group)
        measures = [measure for members in families.values() for measure in members]
        ends = np.cumsum([len(members) for members in families.values()])[:-1].tolist()
        properties, grid = _grid(axioms, measures)
        held = [[math.nan if cell is None or cell.holds is None else float(cell.holds) for cell in row] for row in grid]
        texts = [[_in_chart(cell) for cell in row] for row in grid]
        names = [*map(symbol_of, measures)]
        maps.append(HeatMap("", np.array(held), names, [one.heading for one in properties], texts, (ends, [])))
    return maps
