"""Deltas of two runs as tables: wins and losses, how measures go together, the topics that differ most."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metameasure.meta.score_deltas import Deltas
from metameasure.show.findings import below, long_table, measure_name
from metameasure.show.numbers import number
from metameasure.show.table import OutputFormat, Table

_MOST_PAIRS = 15


def deltas_table(found: Deltas, format: OutputFormat) -> list[Table]:
    """Sakai (LQ 2021), Table 7, then what stands in the boxes of its Figures 1 and 2, then the topics of Figure 3."""
    if format.exact:
        return [long_table(found)]
    tables = [_wins(found, format), _pairs(found, format)]
    if not found.data and len(found.measures) > 1:
        tables.append(_furthest(found, format))
    return [table for table in tables if table.rows]


def _wins(found: Deltas, format: OutputFormat) -> Table:
    names = [measure_name(measure, format) for measure in found.measures]
    if found.data:
        headings = ("data set", *(f"{name} {side}" for name in names for side in ("a", "b")))
        blocks = [(block.name, block.wins()) for block in (*found.data, found)]
        rows = [(name, *(str(count) for wins in block for count in wins[:2])) for name, block in blocks]
        bold = {
            (row, headings[1 + 2 * place + winner])
            for row, (_, block) in enumerate(blocks)
            for place, wins in enumerate(block)
            for winner in _winner(wins)
        }
    else:
        headings = ("measure", "a wins", "b wins", "ties")
        rows = [(name, *map(str, wins)) for name, wins in zip(names, found.wins(), strict=True)]
        bold = {(place, headings[1 + winner]) for place, wins in enumerate(found.wins()) for winner in _winner(wins)}
    notes = [f"a: {found.run_a}; b: {found.run_b}. On how many of {len(found.topics)} topics each is better."]
    return Table(headings, tuple(rows), frozenset(headings[1:]), frozenset(bold), below(found, notes))


def _winner(wins: npt.NDArray[np.int64]) -> list[int]:
    """0 where a wins more topics, 1 where b does; neither where they win as many."""
    return [] if wins[0] == wins[1] else [int(wins[1] > wins[0])]


def _pairs(found: Deltas, format: OutputFormat) -> Table:
    headings = ("first", "second", "Pearson", "interval", "disagree", "first: a, second: b", "first: b, second: a")
    rows = [
        (
            measure_name(pair.first, format),
            measure_name(pair.second, format),
            number(pair.pearson),
            f"[{number(pair.low)}, {number(pair.high)}]",
            str(pair.disagree),
            str(pair.first_prefers_a),
            str(pair.first_prefers_b),
        )
        for pair in found.pairs[:_MOST_PAIRS]
    ]
    more = len(found.pairs) - len(rows)
    notes = [
        f"Correlation of the deltas over topics ({found.level:.0%} interval, Fisher's z), and topics on which measures disagree.",
        *([f"... and {more} more pair(s) of measures: --format json."] if more else []),
    ]
    return Table(headings, tuple(rows), frozenset(headings[2:]), notes=tuple(notes))


def _furthest(found: Deltas, format: OutputFormat) -> Table:
    """The topics on which the first two measures differ most, with distributions where there are any."""
    first, second = found.measures[:2]
    topics = found.furthest(first, second)
    named = {measure: measure_name(measure, format) for measure in found.measures}
    headings = ["topic", f"{named[first]} - {named[second]}", *(f"Δ {name}" for name in named.values())]
    rows = [
        [told["topic"], f"{told['difference']:+.3f}", *(f"{told['deltas'][m]:+.3f}" for m in found.measures)] for told in topics
    ]
    if any("gold" in told for told in topics):
        headings += ["gold", "a", "b"]
        for row, told in zip(rows, topics, strict=True):
            row += [" ".join(f"{share:.2f}" for share in told.get(side, ())) for side in ("gold", "a", "b")]
    notes = (f"Topics on which {first} and {second} differ most; positive: {found.run_a} is better.",)
    right = frozenset(headings[1 : 2 + len(found.measures)])
    return Table(tuple(headings), tuple(map(tuple, rows)), right, notes=notes)
