"""A trial of judges as tables and drawn: the words first, then the numbers behind them."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.evidence.golds import RULES
from metameasure.explaining import symbol_of
from metameasure.judging.verdict import verdict
from metameasure.notes import sentence
from metameasure.show.canvas import COLOURS, Axes, Figure
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.sheet import span
from metameasure.show.table import OutputFormat, Table, number

if TYPE_CHECKING:
    from metameasure.judging.result import JudgeLine, Judgement

_TERMINAL = 80
_ARROWS = {"higher": "↑", "lower": "↓"}
_MOST_PAIRS = 15


def of(found: Judgement, format: OutputFormat) -> list[Table]:
    """The verdict, the judges beside people, the alt-test with its references, what each kind of gold says, and the judges'
    habits."""
    foretold = [_foretold(found)] if found.foretold else []
    if not found.judges:
        return foretold
    made = [_verdict(found, format), _judges(found), _alt_test(found)]
    if 0 < len(found.pairs) <= _MOST_PAIRS:
        made.append(_pairs(found))
    made += [_golds(found), _habits(found)]
    if any(line.consistency for line in found.judges):
        made.append(_consistency(found))
    return [*made, *foretold]


def _verdict(found: Judgement, format: OutputFormat) -> Table:
    said = verdict(found)
    lines = said if format.wide else [line for one in said for line in textwrap.wrap(one, _TERMINAL, break_on_hyphens=False)]
    return Table(("verdict",), tuple((line,) for line in lines))


def _ends(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"


def _with_ends(value: float, low: float, high: float) -> str:
    """A difference with its interval."""
    return "" if math.isnan(value) else f"{value:+.3f} {_ends(low, high)}".rstrip()


def _judges(found: Judgement) -> Table:
    headings = ("judge", "items", f"{found.measure} {_ARROWS[found.better]}", "people", "difference", "+/-/?", "not worse")
    rows = tuple(
        (
            line.judge,
            str(line.items),
            number(line.value),
            number(line.human),
            _with_ends(line.difference, line.low, line.high),
            f"{line.better}/{line.worse}/{line.undecided}",
            f"{line.not_worse} of {line.people}",
        )
        for line in found.judges
    )
    people = len([value for value in found.people.values() if not math.isnan(value)])
    how = f"{found.level:.0%} intervals by the bootstrap over {found.units}"
    notes = (
        f"People: the mean of {people} people's scores against the others, on the judge's items.",
        f"+/-/?: for how many people the judge is better, worse, or undecided; not worse: by {found.margin:g}.",
        f"{how}; tests by the jackknife, corrected by Benjamini and Yekutieli.",
        *map(sentence, found.notes),
        *_outside(found),
    )
    return Table(headings, rows, frozenset(headings[1:]), notes=notes, title="Judges beside people")


def _outside(found: Judgement) -> list[str]:
    """Labels outside the scale, by file and line; how many more a file has."""
    shown = Counter(one.file for one in found.outside)
    all_of = {one.file: one.count for one in reversed(found.outside)}
    more = [f"{file}: {all_of[file] - number} more" for file, number in shown.items() if all_of[file] > number]
    return [*(f"{one}." for one in found.outside), *(f"{one} labels are outside the scale." for one in more)]


def _alt_test(found: Judgement) -> Table:
    headings = ("alt-test", "winning rate", "passes", "advantage", "ties", found.measure)
    rows = [
        (line.judge, number(line.alt_test.winning_rate, 2), "yes" if line.alt_test.passes else "no",
         number(line.alt_test.advantage), number(line.alt_test.ties), number(line.value))
        for line in found.judges
    ]  # fmt: skip
    rows += [
        (one.name, number(one.winning_rate, 2), "" if one.kind == "shuffled" else "yes" if one.winning_rate >= 0.5 else "no",
         number(one.advantage), "", number(one.value))
        for one in found.references
    ]  # fmt: skip
    note = f"Alt-test of Calderon et al. (2025): {found.alignment}, epsilon {found.epsilon:g}. Ties count as wins of both."
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="The alternative annotator test")


def _pairs(found: Judgement) -> Table:
    headings = ("judge", "and", "difference", "p")
    rows = tuple(
        (
            one.first,
            one.second,
            _with_ends(one.difference, one.low, one.high),
            f"{one.p:.3f}" if one.p >= 0.0005 else "<.001",
        )
        for one in found.pairs
    )
    note = f"Differences of {found.measure}; p of the paired test over {found.units}, corrected by Holm."
    return Table(headings, rows, frozenset(headings[2:]), notes=(note,), title="Judges against each other")


def _golds(found: Judgement) -> Table:
    golds = [one.gold for one in found.by_gold]
    headings = ("judge", *golds)
    rows = tuple((line.judge, *(number(one.scores[line.judge]) for one in found.by_gold)) for line in found.judges)
    places = {line.judge: place for place, line in enumerate(found.judges)}
    bold = frozenset((places[one.best], one.gold) for one in found.by_gold if one.best is not None)
    best = ", ".join(f"{one.gold} {one.best}" for one in found.by_gold if one.best is not None)
    notes = [f"{found.measure} against five kinds of gold made of all people. Best: {best}."]
    notes += [f"{one.gold.capitalize()}: {one.why}." for one in found.by_gold if one.why]
    notes += [f"{gold.capitalize()}: {RULES[gold].partition('; ')[2] or RULES[gold]}." for gold in ("median", "mean")]
    notes += [f"Majority: {one.ties} of {found.items} items are tied." for one in found.by_gold if one.ties]
    return Table(headings, rows, frozenset(headings[1:]), bold, notes=tuple(notes), title="Judges against other kinds of gold")


def _habits(found: Judgement) -> Table:
    """Bias, and the share of each class beside the people's."""
    said = tuple(f"% {label}" for label in found.scale.labels)
    headings = ("judge", *(() if found.scale.kind == "nominal" else ("bias",)), *said)
    rows: list[tuple[str, ...]] = []
    for line in found.judges:
        bias = line.bias
        mean = () if found.scale.kind == "nominal" else (_with_ends(bias.mean, bias.low, bias.high),)
        shares = (f"{100 * mine:.0f} ({100 * theirs:.0f})" for mine, theirs in zip(bias.judge, bias.people, strict=True))
        rows.append((line.judge, *mean, *shares))
    of_mean = "" if found.scale.kind == "nominal" else "Bias: the judge's label less the people's mean. "
    note = f"{of_mean}%: how many of the judge's labels are of that class (of the people's)."
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="Which labels the judges give")


def _consistency(found: Judgement) -> Table:
    headings = ("judge", "outputs", "same twice", "alpha", "one output", "combined", "gain")
    rows = [
        (
            line.judge,
            str(same.outputs),
            *map(number, (same.agreement, same.alpha, same.single, same.averaged)),
            f"{same.gain:+.3f}",
        )
        for line in found.judges
        if (same := line.consistency)
    ]
    combined = "majority" if found.scale.kind == "nominal" else "rounded mean"
    note = f"Same twice: how often two outputs for an item are the same. Combined: {found.measure} of their {combined}."
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="Judges with several outputs for an item")


def _foretold(found: Judgement) -> Table:
    headings = ("predictions", "items", "ratings", "aer ↓", "anad ↓")
    rows = tuple((one.run, str(one.items), str(one.ratings), number(one.aer), number(one.anad)) for one in found.foretold)
    note = "Of what each person says: the share predicted wrongly, and the distance as a share of the scale; means over items."
    return Table(headings, rows, frozenset(headings[1:]), notes=(note,), title="Distributions of ratings foretold")


def columns(found: Judgement) -> dict[str, list[Any]]:
    """A row for each judge, with every number."""
    names = (
        "judge", "items", "value", "human", "difference", "low", "high", "se", "better", "worse", "undecided", "not_worse",
    )  # fmt: skip
    told: dict[str, list[Any]] = {"measure": [found.measure] * len(found.judges)}
    told |= {name: [getattr(line, name) for line in found.judges] for name in names}
    told |= {name: [getattr(line.alt_test, name) for line in found.judges] for name in ("winning_rate", "advantage", "ties")}
    return told | {"bias": [line.bias.mean for line in found.judges]}


def chart(parts: Sequence[Judgement], width: float) -> Figure:
    """Judges and people on one axis, a panel for each measure."""
    names = [line.judge for line in parts[0].judges]
    panels = [_panel(part, names) for part in parts]
    note = (
        f"Bars: {parts[0].level:.0%} intervals of the difference from people. Each | is a person against the others; "
        "the dashed line is their mean."
    )
    return row_chart([*names, "people"], panels, width, apart=1, notes=[note])


def _panel(found: Judgement, names: Sequence[str]) -> Panel:
    people = np.array([value for value in found.people.values() if not math.isnan(value)])
    lines = [found[name] for name in names]
    values = np.array([*(line.value for line in lines), found.human])
    low, high = (np.array([*(_end(line, end) for line in lines), np.nan]) for end in ("low", "high"))

    def persons(axes: Axes, tops: Any) -> None:
        axes.plot(people, np.full(len(people), tops[-1]), "|", color=COLOURS[1], markersize=9)

    title = f"{symbol_of(found.measure)}\N{NO-BREAK SPACE}{_ARROWS[found.better]}"
    panel = dots(title, values, ends=(low, high), line=found.human, more=persons)
    return replace(panel, ends=span(values, low, high, people))


def _end(line: JudgeLine, end: str) -> float:
    """An end of the interval of the difference, drawn around the judge's own value."""
    return line.value + float(getattr(line, end)) - line.difference
