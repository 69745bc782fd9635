"""What the tables of all findings share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from metameasure.catalogue.registry import default_registry
from metameasure.errors import UnknownName, UsageError
from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.finding import Finding
from metameasure.meta.significance_contradictions import Contradictions
from metameasure.meta.significance_overlap import Overlap
from metameasure.meta.split_consistency import Consistency
from metameasure.show.table import Mark, OutputFormat, Table

Cell = tuple[str, Mark | None, bool]


def measure_name(measure: str, format: OutputFormat) -> str:
    """As papers write it; elsewhere as one types it."""
    if not format.paper:
        return measure
    try:
        return default_registry()[measure].symbol
    except (UnknownName, UsageError):
        return measure


def long_table(found: Finding) -> Table:
    """Every number at full precision in a column of its own."""
    return Table.of(found.long())


def how_tested(found: Discrimination | Overlap | Contradictions | Consistency) -> str:
    """The test behind a finding, in the words of a paper."""
    return f"randomised Tukey HSD test, alpha = {found.alpha:g}, B = {found.trials}, seed {found.seed}"


def triangle(
    found: Finding, format: OutputFormat, cell: Callable[[Any, int, int], Cell], notes: Sequence[str], legend: str = ""
) -> Table:
    """A table for every two measures, first down and second across, as the papers print it: a block for each data set."""
    names = [measure_name(measure, format) for measure in found.measures]
    if len(names) == 1:
        notes = ["There is one measure, and nothing to compare it with: evaluate by more of them."]
    headings = ("measure", *names[1:])
    rows: list[tuple[str, ...]] = []
    bold, marks = set(), {}
    blocks: list[Finding] = [*found.data, found]
    for block in blocks:
        if found.data:
            rows.append((f"({block.name})", *[""] * (len(names) - 1)))
        for i in range(len(names) - 1):
            cells = [cell(block, i, j) if j > i else ("-", None, False) for j in range(1, len(names))]
            for heading, (_, mark, stressed) in zip(headings[1:], cells, strict=True):
                if mark:
                    marks[len(rows), heading] = mark
                if stressed:
                    bold.add((len(rows), heading))
            rows.append((names[i], *(text for text, _, _ in cells)))
    return Table(headings, tuple(rows), frozenset(headings[1:]), frozenset(bold), below(found, notes), marks=marks, legend=legend)


def below(found: Finding, notes: Sequence[str]) -> tuple[str, ...]:
    """The lines below a table: what explains it, then what has to be said about the data."""
    return (*notes, *(sentence(note) for note in found.notes))


def sentence(note: str) -> str:
    """A note with a capital letter and a full stop."""
    return f"{note}."
