"""Findings about significance as tables: discriminative power, overlap, contradictions."""

from __future__ import annotations

import math

from metameasure.meta.discriminative_power import Discrimination
from metameasure.meta.significance_contradictions import Contradictions
from metameasure.meta.significance_overlap import Overlap
from metameasure.show.findings import Cell, below, how_tested, long_table, measure_name, sentence, triangle
from metameasure.show.numbers import percent
from metameasure.show.table import Mark, OutputFormat, Table

_HALF = 0.5  # Sakai (LQ 2021), Table 3: percentages from 50 up are bold
_MOST_SHOWN = 20


def discrimination_table(found: Discrimination, format: OutputFormat) -> Table:
    """One data set: a row for each measure. Several: a row for each of them."""
    if format.exact:
        return long_table(found)
    explained = f"Pairs of runs with a significant difference ({how_tested(found)})."
    return _pooled_power(found, format, explained) if found.data else _power(found, format, explained)


def _pooled_power(found: Discrimination, format: OutputFormat, explained: str) -> Table:
    """Sakai (LQ 2021), Table 3: a row for each data set, and a pooled one."""
    names = [measure_name(measure, format) for measure in found.measures]
    headings = ("data set", "pairs", *names)
    rows: list[tuple[str, ...]] = []
    bold = set()
    for block in (*found.data, found):
        power = block.power()
        bold |= {(len(rows), name) for name, share in zip(names, power, strict=True) if share >= _HALF}
        cells = (f"{count} ({percent(share)} %)" for count, share in zip(block.counts, power, strict=True))
        rows.append((block.name, str(block.pairs), *cells))
    left_open = ", ".join(
        f"{measure} {fewest} to {most}" for measure, fewest, most in zip(found.measures, found.fewest, found.most, strict=True)
    )
    notes = [explained, f"What B leaves open (fewest to most), all data sets: {left_open}."]
    return Table(headings, tuple(rows), frozenset(headings[1:]), frozenset(bold), below(found, notes))


def _power(found: Discrimination, format: OutputFormat, explained: str) -> Table:
    headings = ("measure", "significant", "pairs", "power %", "fewest", "most")
    order = sorted(range(len(found.measures)), key=lambda place: -int(found.counts[place]))
    table = [
        (
            measure_name(found.measures[place], format),
            *map(str, (found.counts[place], found.pairs)),
            percent(found.power()[place]),
            *map(str, (found.fewest[place], found.most[place])),
        )
        for place in order
    ]
    notes = [
        explained,
        "Fewest, most: what other trials of the same number might find (95 %).",
        "The curve, every p-value from the largest down: --format csv, or --chart FILE.",
    ]
    return Table(headings, tuple(table), frozenset(headings[1:]), notes=below(found, notes))


def overlap_table(found: Overlap, format: OutputFormat) -> Table:
    """Sakai (LQ 2021), Table 4."""
    if format.exact:
        return long_table(found)

    def cell(block: Overlap, i: int, j: int) -> Cell:
        first, second = found.measures[i], found.measures[j]
        pair = next(pair for pair in block.pairs if (pair.first, pair.second) == (first, second))
        agreeing = f" [{percent(pair.overlap_agreeing)}]" if pair.contradicting else ""
        mark: Mark = "weak" if pair.overlap < 0.7 else "strong" if pair.overlap >= 0.9 else "fair"
        text = f"{percent(pair.overlap)}{agreeing} ({pair.only_first}/{pair.both}/{pair.only_second})"
        return text, None if math.isnan(pair.overlap) else mark, pair.overlap >= 0.9

    notes = [
        "Overlap of significant differences, in %: b / (a + b + c); (a/b/c): found by the first only, both, the second only.",
        sentence(how_tested(found)),
    ]
    if any(pair.contradicting for pair in found.pairs):
        notes.insert(1, "[ ]: the overlap without contradictions among the b.")
    return triangle(found, format, cell, notes, "90 % and over (blue), 70 % and over, below (orange).")


def contradictions_table(found: Contradictions, format: OutputFormat) -> list[Table]:
    """Sakai (LQ 2021), Tables 5 and 6: how many, and about which runs."""
    if format.exact:
        return [long_table(found)]

    def cell(block: Contradictions, i: int, j: int) -> Cell:
        first, second = found.measures[i], found.measures[j]
        count = next(len(pair.runs) for pair in block.pairs if (pair.first, pair.second) == (first, second))
        return str(count), "weak" if count else None, False

    folded = ", runs with the same scores counted as one" if found.folded else ""
    notes = [
        f"Pairs of runs about which two measures come to opposite conclusions, both significant{folded}.",
        sentence(how_tested(found)),
    ]
    if not found.total:
        notes.append("No two measures contradict each other.")
    counts = triangle(found, format, cell, notes)
    return [counts, _listed(found, format)] if found.total else [counts]


def _listed(found: Contradictions, format: OutputFormat) -> Table:
    columns = found.long()
    names = {"data": "data set", "first": "measure 1", "second": "measure 2"}
    names |= {"better_by_first": "better by measure 1", "better_by_second": "better by measure 2"}
    listed = list(zip(*columns.values(), strict=True))
    rows = [
        tuple(
            measure_name(cell, format) if name in ("first", "second") else cell for name, cell in zip(columns, row, strict=True)
        )
        for row in listed[:_MOST_SHOWN]
    ]
    more = len(listed) - len(rows)
    notes = (f"... and {more} more: --format csv or json.",) if more and not format.paper else ()
    return Table(tuple(names[name] for name in columns), tuple(rows), notes=notes)
