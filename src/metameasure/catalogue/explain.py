"""Measures for readers: symbols, a table of all, and one of them explained, for the terminal, for the documentation, as JSON."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.registry import default_registry, known_measure
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.notes import grouped
from metameasure.core.numbers import ARROWS, headed, number
from metameasure.show.formats.json_text import json_text
from metameasure.show.symbols import marked
from metameasure.show.table import Markup, OutputFormat, Table, output_format

_COLUMNS = ("id", "symbol", "better", "range", "scale", "task", "what it is")
_HEADINGS = {"markdown": "### {}", "html": "<h3>{}</h3>"}


def catalogue_text(measures: Iterable[Measure], format: str, *, link: bool = False) -> str:
    """A row for each measure in a format, by what measures are asked: a table for each question, or a column where programs read
    it. With ``link``, ids point to the measures' pages."""
    written = output_format(format)
    measures = list(measures)
    rows = [(measure.question, _row(measure, written, link=link)) for measure in measures]
    if written.exact:
        return written.document([Table((*_COLUMNS, "question"), tuple((*row, question) for question, row in rows))])
    narrow = {question: _narrower(alike) for question, alike in grouped((one.question, one) for one in measures).items()}
    tables = {
        question: Table(_COLUMNS, tuple(alike), title=question, narrower=narrow[question])
        for question, alike in grouped(rows).items()
    }
    if written.paper or len(tables) == 1:
        return written.document([*tables.values()])
    heading = _HEADINGS.get(written.name, "{}")
    return "\n".join(f"{heading.format(question)}\n\n{written.document([table])}" for question, table in tables.items())


def _narrower(measures: Sequence[Measure]) -> Table:
    """What must be known of measures where there is no room for more: their whole names, and what they are."""
    several = len({measure.tasks for measure in measures}) > 1
    titles = (f"{one.title} ({', '.join(one.tasks)})" if several else one.title for one in measures)
    return Table(("id", "what it is"), tuple(zip((headed(one.id, one.better) for one in measures), titles, strict=True)))


def catalogue_table(measures: Iterable[Measure], format: OutputFormat) -> Table:
    """One table with a row for each measure."""
    return Table(_COLUMNS, tuple(_row(measure, format, link=False) for measure in measures))


def _row(measure: Measure, written: OutputFormat, *, link: bool) -> tuple[str, ...]:
    return (
        Markup(f"[`{measure.id}`](measures/{page_name(measure)})") if link else measure.id,
        written.symbol(measure.symbol),
        ARROWS[measure.better],
        range_text(measure),
        measure.scale,
        ", ".join(measure.tasks),
        measure.title,
    )


def names_elsewhere(measures: Iterable[Measure], program: str, format: str) -> str:
    """A table of the measures that another program has, by our names and by its. UsageError for a program that none names."""
    known = list(measures)
    programs = sorted({name for measure in known for name in measure.like})
    if program not in programs:
        raise UsageError(
            f"no measure says what it is called in '{program}'",
            hint=did_you_mean(program, programs) or f"ask for {', '.join(programs)}",
        )
    pairs = [(measure.as_elsewhere, name) for measure in known for name in measure.called_in(program)]
    if format == "json":
        found = [{"id": measure.id, "tasks": list(measure.tasks), "name": name} for measure, name in pairs]
        return json_text({"program": program, "measures": found})
    rows = tuple((measure.id, name, ", ".join(measure.tasks)) for measure, name in pairs)
    return output_format(format).document([Table(("id", f"in {program}", "task"), rows)])


def symbol_of(measure: str) -> str:
    """The symbol that papers have for a measure, to be set in a chart or on paper; the name, where it is not one of ours."""
    entry = known_measure(measure)
    return marked(entry.symbol) if entry else measure


def measure_name(measure: str, format: OutputFormat) -> str:
    """As papers write it, where the format is for one; elsewhere as one types it."""
    return symbol_of(measure) if format.paper else measure


def page_name(measure: Measure) -> str:
    """The file name of a measure's page in the documentation; with its task, where its name stands for another one's first."""
    first = default_registry().get(measure.template, measure)
    shared = "" if {*first.tasks} & {*measure.tasks} else f"-{measure.tasks[0]}"
    return measure.template.replace("@", "-at-").replace(":", "-").lower() + f"{shared}.md"


def range_text(measure: Measure) -> str:
    """The range as people write it: ``0 to 1``."""
    return " to ".join(_end_text(end) for end in measure.range)


def _end_text(end: Any) -> str:
    if isinstance(end, int | float):
        return ("-∞" if end < 0 else "∞") if math.isinf(end) else f"{end:g}"
    return str(end)


def facts(measure: Measure) -> dict[str, Any]:
    """Everything known about a measure, ready for JSON."""
    return {
        "id": measure.id,
        "title": measure.title,
        "symbol": measure.symbol,
        "kind": measure.kind,
        "question": measure.question,
        "tasks": list(measure.tasks),
        "better": measure.better,
        "range": [_end_text(end) if not isinstance(end, int | float) or math.isinf(end) else end for end in measure.range],
        "perfect": measure.perfect,
        "scale": measure.scale,
        "formula": measure.formula,
        "source": [str(source) for source in measure.source],
        "undefined": [case.reason for case in measure.undefined],
        "use": measure.use,
        "note": measure.note,
        "aliases": list(measure.aliases),
        "like": {program: ", ".join(measure.called_in(program)) for program in measure.like},
        "parameter": measure.parameter.placeholder if measure.parameter else None,
        "needs_distance": measure.needs_distance,
    }


def _headline(measure: Measure) -> str:
    better = f"{measure.better} is better" if measure.better else "a description of the data, not a score"
    perfect = "" if measure.perfect is None else f", {measure.perfect:g} for a perfect output"
    article = "an" if measure.scale[0] in "aeiou" else "a"
    return f"{better}; range {range_text(measure)}{perfect}; assumes {article} {measure.scale} scale"


def _example(measure: Measure) -> str:
    """What the measure gives on the small case that its inputs come with."""
    case = measure.inputs.example
    # The user's classes are not the example's: a parameter that names some is replaced by one that fits.
    shown = measure.with_argument((case.classes[-1],)) if isinstance(measure.parameter, Labels) else measure.example
    classes = len(case.classes)
    steps = [[abs(row - column) for column in range(classes)] for row in range(classes)]
    value = float(shown(*case.arrays, classes=case.classes or None, distance=steps if shown.needs_distance else None))
    with_distance = ", distances counted in steps" if shown.needs_distance else ""
    return f"{shown.id} is {number(value, 4)} for {case.text}{with_distance}."


def _paragraphs(measure: Measure) -> Iterable[tuple[str, str]]:
    """The explanation: heading and text, in the order of reading."""
    yield "Where", measure.inputs.notation + "."
    if measure.use:
        yield "When to use it", measure.use
    yield "Undefined", f"NaN where {'; where '.join(case.reason for case in (measure.inputs.unusable, *measure.undefined))}."
    if measure.note:
        yield "Note", measure.note
    if measure.other_names:
        yield "Also called", ", ".join(measure.other_names)
    yield "Example", _example(measure)


def explanation_text(measure: Measure, *, name: str = "", width: int = 80) -> str:
    """One measure explained for a terminal. ``name`` is the name it was asked for by, where that is an alias."""
    alias = f"{name} is another name of {measure.id}.\n\n" if name in measure.aliases else ""
    title = f"{alias}{measure.id}: {measure.title} ({measure.symbol})\n"
    parts = [title, textwrap.fill(_headline(measure), width), "\n\nFormula\n", textwrap.indent(measure.formula, "  "), "\n"]
    fill = partial(textwrap.fill, width=width, initial_indent="  ")
    parts += [f"\n{heading}\n{fill(text, subsequent_indent='  ')}\n" for heading, text in _paragraphs(measure)]
    sources = [fill(f"{source}: {source.full}", subsequent_indent="    ") + "\n" for source in measure.source]
    return "".join([*parts, "\nSource\n", *sources])


def explanation_markdown(measure: Measure) -> str:
    """One measure explained as a page of the documentation."""
    lines = [f"# `{measure.id}`: {measure.title}", "", f"Symbol {measure.symbol}; {_headline(measure)}.", ""]
    lines += ["```text", measure.formula, "```", ""]
    lines += [f"**{heading}.** {text}\n" for heading, text in _paragraphs(measure)]
    lines += ["**Source.**", "", *(f"- {source}: {source.full}" for source in measure.source)]
    return "\n".join(lines) + "\n"
