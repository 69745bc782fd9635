"""SemEval's files, which have no header: id, topic and label, or id and label; for quantification a topic and a probability for
each class, in the order of the declared classes, and perhaps behind them the number of the topic's items, as in SemEval-2017
Task 4 D."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metameasure.core.errors import UsageError
from metameasure.core.messages import note, say
from metameasure.core.values import number_of
from metameasure.reading.files import Beginning, table
from metameasure.reading.formats import Format
from metameasure.reading.formats.evall import FORMAT as EVALL
from metameasure.reading.formats.evall import recurring
from metameasure.reading.formats.mtme import FORMAT as MTME
from metameasure.reading.formats.seg_score import FORMAT as SEGMENT_SCORES
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import UNREAD, Source

_LABELS = {2: ("item", "label"), 3: ("item", "topic", "label")}


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    """Nothing in the first line is the name of a column or, in a table of distributions, of a class."""
    cells = beginning.cells
    if options.task not in FORMAT.tasks or beginning.format not in ("csv", "tsv", None) or options.columns.names() & set(cells):
        return False
    if any(other.recognises(beginning, options) for other in (EVALL, MTME, SEGMENT_SCORES)):
        return False
    if options.task == "quantification":
        if {*cells[1:]} <= {*options.classes}:
            return False
        if len(cells) > 2 and all(number_of(cell) is not None for cell in cells[1:]):
            return True
    return "\t" in beginning.line and beginning.format != "csv" and len(cells) in _LABELS


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    cells = beginning.cells
    numbers = len(cells) > 2 and all(number_of(cell) is not None for cell in cells[1:])
    if options.task == "quantification" and (options.format_in or numbers):
        columns = _distribution(cells, options)
        file = table(beginning, options, scratch, columns=columns)
        left = "{file}: the last column, the number of items of each topic, is left out"
        said = note("reading", left, file=beginning.shown)
        return replace(file, notes=(*file.notes, said)) if UNREAD in columns else file
    if len(cells) not in _LABELS:
        raise beginning.error(
            1, say("{number} columns", number=len(cells)), "SemEval's files have id, topic and label, or id and label"
        )
    roles = _LABELS[len(cells)]
    notes = recurring(beginning, roles, EVALL.name) if side == "gold" and "topic" in roles else ()
    return table(beginning, options, scratch, columns=tuple(getattr(options.columns, role) for role in roles), notes=notes)


def _distribution(cells: tuple[str, ...], options: ReadOptions) -> tuple[str, ...]:
    if not options.classes:
        raise UsageError(
            f"a file without header has {len(cells) - 1} columns of probabilities, but no classes are declared",
            hint=say("name them in the order of the columns, as in {--classes -2..2}"),
        )
    if len(cells) == len(options.classes) + 2 and _is_whole(cells[-1]):
        return (options.columns.topic, *options.classes, UNREAD)
    if len(cells) != len(options.classes) + 1:
        raise UsageError(
            f"a file without header has {len(cells)} columns for a topic and {len(options.classes)} classes",
            hint=say(
                "it needs a topic and one probability per class, in the order of {--classes}, and perhaps the number of items"
            ),
        )
    return (options.columns.topic, *options.classes)


def _is_whole(cell: str) -> bool:
    number = number_of(cell)
    return number is not None and number >= 1 and number.is_integer()


FORMAT = Format(
    "semeval",
    "a file of SemEval, without header",
    ("classification", "quantification", "entailment"),
    _recognises,
    _read,
)
