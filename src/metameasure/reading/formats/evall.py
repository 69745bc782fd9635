"""EvALL's files, which have no header: test case, item and value, separated by tabs. The authors of CEM publish their data so.

SemEval's have three columns too: id, topic and label. They are told apart by which column repeats: a test case has many items,
and an id is there once.
"""

from __future__ import annotations

from pathlib import Path

from metameasure.core.messages import note, say
from metameasure.core.values import is_finite
from metameasure.reading.files import Beginning, table
from metameasure.reading.formats import Format
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

ROLES = ("topic", "item", "label")


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    if options.task not in FORMAT.tasks or not _is_bare(beginning, options):
        return False
    if options.task == "quantification" and len(options.classes) == 2 and all(map(is_finite, beginning.cells[1:])):
        return False  # the probabilities of two classes
    cases, items = ({row[place] for row in beginning.rows} for place in (0, 1))
    return len(cases) < len(items) or (len(cases) == len(items) and options.gold_format == FORMAT.name)


def _is_bare(beginning: Beginning, options: ReadOptions) -> bool:
    """Whether a file has three columns, separated by tabs, and nothing in its first line is the name of a column."""
    text = beginning.format in ("tsv", None) and "\t" in beginning.line
    return text and len(beginning.cells) == len(ROLES) and not options.columns.names() & set(beginning.cells)


def recurring(beginning: Beginning, roles: tuple[str, ...], other: str) -> tuple[str, ...]:
    """A note where most items are there in every topic, so that which is which cannot be told from the columns."""
    pairs = {(row[roles.index("topic")], row[roles.index("item")]) for row in beginning.rows}
    topics = {topic for topic, _ in pairs}
    times = dict.fromkeys((item for _, item in pairs), 0)
    for _, item in pairs:
        times[item] += 1
    everywhere = sum(number == len(topics) for number in times.values())
    if len(topics) < 2 or len(times) < 2 or 2 * everywhere <= len(times):
        return ()
    read = ", ".join(roles)
    return (
        note(
            "reading",
            "{file}: {everywhere} of {items} items are there in each of the {topics} topics: the columns are read as {read}; if "
            "that is wrong, add {--format-in <other>}",
            file=beginning.shown,
            everywhere=everywhere,
            items=len(times),
            topics=len(topics),
            read=read,
            other=other,
        ),
    )


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    if len(beginning.cells) != len(ROLES):
        raise beginning.error(
            1,
            say("{number} columns", number=len(beginning.cells)),
            "EvALL's files have test case, item and value, separated by tabs",
        )
    notes = recurring(beginning, ROLES, "semeval") if side == "gold" else ()
    return table(beginning, options, scratch, columns=tuple(getattr(options.columns, role) for role in ROLES), notes=notes)


FORMAT = Format(
    "evall", "a file of EvALL, without header", ("classification", "entailment", "quantification"), _recognises, _read
)
