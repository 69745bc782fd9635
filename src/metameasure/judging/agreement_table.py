"""Agreement among annotators as tables and drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from metameasure.catalogue.explain import symbol_of
from metameasure.core.messages import caption, legend, say, sentence
from metameasure.core.numbers import interval, number
from metameasure.show.canvas import Figure
from metameasure.show.rows import dots, row_chart
from metameasure.show.symbols import marked
from metameasure.show.table import OutputFormat, Table

_MOST_ROWS, _FEWER_ROWS = 20, 10

if TYPE_CHECKING:
    from metameasure.judging.aggregating import CrowdGold
    from metameasure.judging.agreement import Agreement

_HOW = {
    "auto": "leaving out one at a time and the credible interval together",
    "bootstrap": "the bootstrap",
    "gwet": "Gwet's variance",
}


def coefficients_table(agreement: Agreement, format: OutputFormat) -> Table:
    """The coefficients with their intervals, and what there is to say of them."""
    headings = ("coefficient", "value", "interval", "se", "observed", "by chance")
    rows = tuple(
        (
            format.symbol(one.symbol) if format.paper else one.id,
            number(one.value),
            interval(one.low, one.high),
            number(one.se) if not math.isnan(one.se) else "",
            "" if math.isnan(one.observed) else number(one.observed),
            "" if math.isnan(one.expected) else number(one.expected),
        )
        for one in agreement.coefficients
    )
    who = "{annotators} annotators" if agreement.by_annotator else "up to {annotators} ratings an item"
    how = _HOW[agreement.interval]
    if agreement.interval == "auto" and agreement.units == "clusters":
        how = "leaving out one at a time"
    error = "" if agreement.interval == "gwet" else "; se by the jackknife"
    size = legend(
        "{items} items, {ratings} ratings, {who}. {level:g%} intervals over {units} by {how}{error}.",
        items=agreement.items,
        ratings=agreement.ratings,
        who=say(who, annotators=agreement.annotators),
        level=agreement.level,
        units=agreement.units,
        how=how,
        error=error,
    )
    notes = (size, *map(sentence, agreement.notes))
    return Table(headings, rows, frozenset(headings[1:]), notes=notes, title="Agreement")


def annotators_table(agreement: Agreement) -> Table:
    """The annotators, from the one who agrees least with the others up."""
    first = agreement.coefficients[0].id
    repeated = any(not math.isnan(one.repeated) for one in agreement.by_annotator)
    headings = ("annotator", "items", "with the others", "interval", f"{first} without", *(("with oneself",) if repeated else ()))
    lines = sorted(agreement.by_annotator, key=lambda one: -math.inf if math.isnan(one.value) else one.value)
    every, lines = len(lines), lines if len(lines) <= _MOST_ROWS else lines[:_FEWER_ROWS]
    rows = tuple(
        (
            one.annotator,
            str(one.items),
            number(one.value),
            interval(one.low, one.high),
            number(one.without),
            *((number(one.repeated),) if repeated else ()),
        )
        for one in lines
    )
    note = legend(
        "With the others: {measure} of the annotator's labels against those of all others who rated the item.{oneself}",
        measure=agreement.by_measure,
        oneself=" With oneself: how often repeated ratings of an item are the same." if repeated else "",
    )
    more = legend(
        "The {shown} who agree least, of {every} annotators: {--annotators-out FILE} has all.", shown=len(lines), every=every
    )
    notes = (note, more) if len(lines) < every else (note,)
    return Table(headings, rows, frozenset(headings[1:]), notes=notes, title="Each annotator with the others")


def gold_table(gold: CrowdGold) -> Table:
    """The gold that all made: how many items of each class there are, and how sure they are."""
    headings = ("gold", "items", "sure", "expected")
    sure = gold.sure
    rows = tuple(
        (
            label,
            str(int((gold.label == place).sum())),
            number(float(sure[gold.label == place].mean())) if (gold.label == place).any() else "",
            number(float(np.nansum(gold.posterior[:, place])), 1),
        )
        for place, label in enumerate(gold.scale.labels)
    )
    how = legend(
        "Gold by {how}. Sure: how probable the label is, on average; expected: the sum of the class's probabilities over items.",
        how=gold.how,
    )
    return Table(headings, rows, frozenset(headings[1:]), notes=(how, *map(sentence, gold.notes)), title="Gold from all ratings")


def agreement_chart(agreement: Agreement, width: float) -> Figure:
    """Annotators by their agreement with the others; from counts alone, the coefficients."""
    lines: list[Any]
    if agreement.by_annotator:
        lines = sorted(agreement.by_annotator, key=lambda one: -math.inf if math.isnan(one.value) else -one.value)
        names = [one.annotator for one in lines]
        label = f"{symbol_of(agreement.by_measure)} against the others"
    else:
        lines, label = list(agreement.coefficients), "agreement"
        names = [marked(one.symbol) for one in agreement.coefficients]
    values, low, high = (np.array([getattr(one, name) for one in lines]) for name in ("value", "low", "high"))
    bars = caption("Bars: {level:g%} intervals.", level=agreement.level)
    return row_chart(names, [dots(label, values, ends=(low, high))], width, notes=[bars])
