"""A trial of judges as tables and drawn: the words first, then the numbers behind them."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.core.messages import caption, legend, sentence, warn
from metameasure.core.notes import in_a_row
from metameasure.core.numbers import headed, interval, number, p_value, percent
from metameasure.evidence.golds import FINER_RULES
from metameasure.judging.verdict import verdict
from metameasure.show.canvas import COLOURS, Axes, Figure
from metameasure.show.rows import Panel, dots, row_chart
from metameasure.show.sheet import span
from metameasure.show.table import OutputFormat, Table

if TYPE_CHECKING:
    from metameasure.judging.result import JudgeLine, Judgement

_TERMINAL = 80
_MOST_PAIRS = 15


def of(judgement: Judgement, format: OutputFormat) -> list[Table]:
    """The verdict, the judges beside people, the alt-test with its references, what each kind of gold says, and the judges'
    habits."""
    foretold = [_foretold(judgement)] if judgement.foretold else []
    if not judgement.judges:
        return foretold
    made = [_verdict(judgement, format), _judges(judgement), _alt_test(judgement)]
    if 0 < len(judgement.pairs) <= _MOST_PAIRS:
        made.append(_pairs(judgement))
    made += [_golds(judgement), _habits(judgement)]
    if any(line.consistency for line in judgement.judges):
        made.append(_consistency(judgement))
    return [*made, *foretold]


def _verdict(judgement: Judgement, format: OutputFormat) -> Table:
    said = verdict(judgement)
    lines = said if format.wide else [line for one in said for line in textwrap.wrap(one, _TERMINAL, break_on_hyphens=False)]
    return Table(("verdict",), tuple((line,) for line in lines))


def _with_ends(value: float, low: float, high: float) -> str:
    """A difference with its interval."""
    return "" if math.isnan(value) else f"{number(value, sign=True)} {interval(low, high)}".rstrip()


def _judges(judgement: Judgement) -> Table:
    headings = (
        "judge",
        "items",
        headed(judgement.measure, judgement.better),
        "people",
        "difference",
        "+/-/?",
        "not worse",
    )
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
        for line in judgement.judges
    )
    people = len([value for value in judgement.people.values() if not math.isnan(value)])
    notes = (
        legend("People: the mean of {people} people's scores against the others, on the judge's items.", people=people),
        legend(
            "+/-/?: for how many people the judge is better, worse, or undecided; not worse: by {margin:g}.",
            margin=judgement.margin,
        ),
        legend(
            "{level:g%} intervals by the bootstrap over {units}; tests by the jackknife, corrected by Benjamini and Yekutieli.",
            level=judgement.level,
            units=judgement.units,
        ),
        *map(sentence, judgement.notes),
        *_outside(judgement),
    )
    return Table(headings, rows, frozenset(headings[1:]), notes=notes, title="Judges beside people")


def _outside(judgement: Judgement) -> list[str]:
    """Labels outside the scale, by file and line; how many more a file has."""
    shown = Counter(one.file for one in judgement.outside)
    all_of = {one.file: one.count for one in reversed(judgement.outside)}
    more = {file: all_of[file] - number for file, number in shown.items() if all_of[file] > number}
    said = "{file}: {number} more labels are outside the scale."
    return [
        *(warn("outside the scale", "{problem}.", problem=one) for one in judgement.outside),
        *(warn("outside the scale", said, file=file, number=number) for file, number in more.items()),
    ]


def _alt_test(judgement: Judgement) -> Table:
    headings = ("alt-test", "winning rate", "passes", "advantage", "ties", judgement.measure)
    rows = [
        (line.judge, number(line.alt_test.winning_rate, 2), "yes" if line.alt_test.passes else "no",
         number(line.alt_test.advantage), number(line.alt_test.ties), number(line.value))
        for line in judgement.judges
    ]  # fmt: skip
    rows += [
        (one.name, number(one.winning_rate, 2), "" if one.kind == "shuffled" else "yes" if one.winning_rate >= 0.5 else "no",
         number(one.advantage), "", number(one.value))
        for one in judgement.references
    ]  # fmt: skip
    note = legend(
        "Alt-test of Calderon et al. (2025): {alignment}, epsilon {epsilon:g}. Ties count as wins of both.",
        alignment=judgement.alignment,
        epsilon=judgement.epsilon,
    )
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="The alternative annotator test")


def _pairs(judgement: Judgement) -> Table:
    headings = ("judge", "and", "difference", "p")
    rows = tuple(
        (
            one.first,
            one.second,
            _with_ends(one.difference, one.low, one.high),
            p_value(one.p, judgement.alpha),
        )
        for one in judgement.pairs
    )
    all_pairs = ", corrected for all pairs (max-T)" if len(judgement.pairs) > 1 else ""
    note = legend(
        "Differences of {measure}; p of the paired test over {units}{all_pairs}.",
        measure=judgement.measure,
        units=judgement.units,
        all_pairs=all_pairs,
    )
    return Table(headings, rows, frozenset(headings[2:]), notes=(note,), title="Judges against each other")


def _golds(judgement: Judgement) -> Table:
    headings = ("judge", *(one.gold for one in judgement.by_gold))
    rows = tuple((line.judge, *(number(one.scores[line.judge]) for one in judgement.by_gold)) for line in judgement.judges)
    places = {line.judge: place for place, line in enumerate(judgement.judges)}
    bold = frozenset((places[one.best], one.gold) for one in judgement.by_gold if one.best is not None)
    best = in_a_row([f"{one.gold} {one.best}" for one in judgement.by_gold if one.best is not None])
    several = len(judgement.judges) > 1
    against_all = "{measure} against five kinds of gold made of all people." + (" Best: {best}." if several else "")
    notes = [legend(against_all, measure=judgement.measure, **({"best": best} if several else {}))]
    notes += [legend("{kind}: {why}.", kind=one.gold.capitalize(), why=one.why) for one in judgement.by_gold if one.why]
    notes += [legend("{kind}: {rule}.", kind=gold.capitalize(), rule=rule) for gold, rule in FINER_RULES.items()]
    tied = "Majority: {ties} of {items} items are tied."
    notes += [legend(tied, ties=one.ties, items=one.items) for one in judgement.by_gold if one.ties]
    return Table(headings, rows, frozenset(headings[1:]), bold, notes=tuple(notes), title="Judges against other kinds of gold")


def _habits(judgement: Judgement) -> Table:
    """Bias, and the share of each class beside the people's."""
    said = tuple(f"% {label}" for label in judgement.scale.labels)
    headings = ("judge", *(() if judgement.scale.kind == "nominal" else ("bias",)), *said)
    rows: list[tuple[str, ...]] = []
    for line in judgement.judges:
        bias = line.bias
        mean = () if judgement.scale.kind == "nominal" else (_with_ends(bias.mean, bias.low, bias.high),)
        shares = (f"{percent(mine, 0)} ({percent(theirs, 0)})" for mine, theirs in zip(bias.judge, bias.people, strict=True))
        rows.append((line.judge, *mean, *shares))
    of_mean = "" if judgement.scale.kind == "nominal" else "Bias: the judge's label less the people's mean. "
    note = legend("{of_mean}%: how many of the judge's labels are of that class (of the people's).", of_mean=of_mean)
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="Which labels the judges give")


def _consistency(judgement: Judgement) -> Table:
    headings = ("judge", "outputs", "same twice", "alpha", "one output", "combined", "gain")
    rows = [
        (
            line.judge,
            str(same.outputs),
            *map(number, (same.agreement, same.alpha, same.single, same.averaged)),
            number(same.gain, sign=True),
        )
        for line in judgement.judges
        if (same := line.consistency)
    ]
    combined = "majority" if judgement.scale.kind == "nominal" else "rounded mean"
    note = legend(
        "Same twice: how often two outputs for an item are the same. Combined: {measure} of their {combined}.",
        measure=judgement.measure,
        combined=combined,
    )
    return Table(headings, tuple(rows), frozenset(headings[1:]), notes=(note,), title="Judges with several outputs for an item")


def _foretold(judgement: Judgement) -> Table:
    headings = ("predictions", "items", "ratings", headed("aer", "lower"), headed("anad", "lower"))
    rows = tuple((one.run, str(one.items), str(one.ratings), number(one.aer), number(one.anad)) for one in judgement.foretold)
    note = legend(
        "Of what each person says: the share predicted wrongly, and the distance as a share of the scale; means over items."
    )
    return Table(headings, rows, frozenset(headings[1:]), notes=(note,), title="Distributions of ratings foretold")


def columns(judgement: Judgement) -> dict[str, list[Any]]:
    """A row for each judge, with every number."""
    names = (
        "judge", "items", "value", "human", "difference", "low", "high", "se", "better", "worse", "undecided", "not_worse",
    )  # fmt: skip
    table: dict[str, list[Any]] = {"measure": [judgement.measure] * len(judgement.judges)}
    table |= {name: [getattr(line, name) for line in judgement.judges] for name in names}
    table |= {name: [getattr(line.alt_test, name) for line in judgement.judges] for name in ("winning_rate", "advantage", "ties")}
    return table | {"bias": [line.bias.mean for line in judgement.judges]}


def chart(parts: Sequence[Judgement], width: float) -> Figure:
    """Judges and people on one axis, a panel for each measure."""
    names = [line.judge for line in parts[0].judges]
    panels = [_panel(part, names) for part in parts]
    said = caption(
        "Bars: {level:g%} intervals of the difference from people. Each | is a person against the others; the dashed line is "
        "their mean.",
        level=parts[0].level,
    )
    return row_chart([*names, "people"], panels, width, apart=1, notes=[said])


def _panel(judgement: Judgement, names: Sequence[str]) -> Panel:
    people = np.array([value for value in judgement.people.values() if not math.isnan(value)])
    lines = [judgement[name] for name in names]
    values = np.array([*(line.value for line in lines), judgement.human])
    low, high = (np.array([*(_end(line, end) for line in lines), np.nan]) for end in ("low", "high"))

    def persons(axes: Axes, tops: Any) -> None:
        axes.plot(people, np.full(len(people), tops[-1]), "|", color=COLOURS[1], markersize=9)

    title = headed(symbol_of(judgement.measure), judgement.better, kept=True)
    panel = dots(title, values, ends=(low, high), line=judgement.human, more=persons)
    return replace(panel, ends=span(values, low, high, people))


def _end(line: JudgeLine, end: str) -> float:
    """An end of the interval of the difference, drawn around the judge's own value."""
    return line.value + float(getattr(line, end)) - line.difference
