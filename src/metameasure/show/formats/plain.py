"""Columns of text, for a terminal: with colours, or without; as wide as the terminal is, where it is one, or as COLUMNS says.

A table is made to fit: intervals stand under their scores, headings and long texts over several lines, names are shortened in the
middle, and the columns that still do not fit are left out and named, but for those that a reader must see: they stand below."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest

from metameasure.core.notes import first_of
from metameasure.show.inert import shortened, visible
from metameasure.show.table import Mark, OutputFormat, Table, few_or_all

_TERMINAL: dict[Mark, str] = {"strong": "\033[34m", "fair": "", "weak": "\033[33m"}
_PLAIN = "\033[0m"
_GAP = 2
_SHORTEST_NAME = 14
_NARROWEST_TEXT = 18
_NARROWEST_HEADING = 8
_MOST_LINES = 3
_INTERVAL = re.compile(r"(.*\S) (\[[^\[\]]*\].*)")
_BREAKS = re.compile(r"[^_@ ,|/-]*[_@ ,|/-]?")
_MOST_NAMED = 8
Lines = list[str]


def terminal_width() -> int | None:
    """The columns of the terminal that is written to; None where it is none, but a file or a pipe: those have no end, unless
    COLUMNS says how wide they are."""
    stream = sys.stdout
    asked = os.environ.get("COLUMNS", "")
    wanted = int(asked) if asked.isdecimal() else 0
    return shutil.get_terminal_size().columns if wanted or (stream is not None and stream.isatty()) else None


def plain_text(table: Table, *, coloured: bool = False, width: int | None = None) -> str:
    """The table as lines of text, for a terminal of so many columns."""
    table = _narrow_enough(table, width)
    blocks, left_out = _blocks(table, width)
    shown = "\n".join(_block_text(table, columns, coloured=coloured) for columns in blocks)
    notes = [*few_or_all(table.below(coloured=coloured)), *table.signed()]
    if left_out:
        notes = [f"Left out, for want of room: {first_of(left_out, _MOST_NAMED)} (CSV has everything).", *notes]
    beside = f"\n{plain_text(table.beside, coloured=coloured, width=width)}" if table.beside else ""
    below = "".join(f"{note}\n" for note in wrapped(notes, width))
    return shown + beside + (f"\n{below}" if below else "")


def _narrow_enough(table: Table, width: int | None) -> Table:
    """The table, or the narrower one that is to be shown where this one has no room."""
    if table.narrower is None or width is None or _total(_as_they_are(table, width)) <= width:
        return table
    return replace(table.narrower, beside=table.beside, signature=table.signature)


def _blocks(table: Table, width: int | None) -> tuple[list[list[Column]], list[str]]:
    """The columns of the table, and of those that follow below it where columns that must be seen have no room in it; and the
    names of those that are left out."""
    columns, left_out = _laid_out(table, width)
    kept = [name for name in left_out if name in table.keep]
    others = [name for name in left_out if name not in table.keep]
    named = next((name for name in table.columns if name not in table.right), None)
    if not kept or named is None or len(columns) < 2:
        return [columns], left_out
    rest, _ = _blocks(_of_columns(table, [named, *kept]), width)
    return [columns, *rest], others


def _of_columns(table: Table, names: Sequence[str]) -> Table:
    places = [place for place, name in enumerate(table.columns) if name in names]
    return replace(
        table,
        columns=tuple(table.columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in table.rows),
    )


def _block_text(table: Table, columns: Sequence[Column], *, coloured: bool) -> str:
    def lines(cells: Sequence[Sequence[str]], number: int = -1) -> str:
        marks = [table.marks.get((number, column.name)) if coloured else None for column in columns]
        levels = zip_longest(*cells, fillvalue="")
        return "".join("  ".join(map(_cell, columns, level, marks)).rstrip() + "\n" for level in levels)

    rule = lines([["─" * column.width] for column in columns])
    body = "".join(lines([column.cells[number] for column in columns], number) for number in range(len(table.rows)))
    return lines([column.heading for column in columns]) + rule + body


def _cell(column: Column, text: str, mark: Mark | None) -> str:
    space = " " * (column.width - shown_width(text))
    padded = space + text if column.right else text + space
    return f"{_TERMINAL[mark]}{padded}{_PLAIN}" if mark and _TERMINAL[mark] else padded


def _text(table: Table, *, coloured: bool) -> str:
    return plain_text(table.inert(lambda cell: shortened(visible(cell))), coloured=coloured, width=terminal_width())


def shown_width(text: str) -> int:
    """Columns of a terminal that the text takes: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


@dataclass(frozen=True)
class Column:
    """A column as it will be printed: the lines of its heading and of each cell."""

    name: str
    right: bool
    heading: Lines
    cells: tuple[Lines, ...]

    @cached_property
    def width(self) -> int:
        return max((shown_width(line) for lines in (self.heading, *self.cells) for line in lines), default=0)

    @cached_property
    def body(self) -> int:
        """The width of the cells alone."""
        return max((shown_width(line) for lines in self.cells for line in lines), default=0)


def _laid_out(table: Table, width: int | None) -> tuple[list[Column], list[str]]:
    """The columns that fit into so many columns of a terminal, and the names of those that do not; as they are where there is no
    limit, or where they fit."""
    columns = _as_they_are(table, width)
    return (columns, []) if width is None or _total(columns) <= width else _made_to_fit(columns, width, table.keep)


def _as_they_are(table: Table, width: int | None) -> list[Column]:
    """All columns, with intervals below their scores and headings over several lines as far as it takes."""
    columns = [
        Column(name, name in table.right, [name], tuple([row[place]] for row in table.rows))
        for place, name in enumerate(table.columns)
    ]
    for narrower in (_intervals_below, _headings_broken):
        if width is None or _total(columns) <= width:
            return columns
        columns = narrower(columns)
    return columns


def wrapped(notes: Iterable[str], width: int | None) -> list[str]:
    """Lines below a table, broken between words; a signature, which has none, behind one of its bars."""
    if width is None:
        return list(notes)
    return [line for note in notes for line in (_lines(note, width) if note else [""])]


def _total(columns: Sequence[Column]) -> int:
    return sum(column.width for column in columns) + _GAP * (len(columns) - 1)


def _intervals_below(columns: list[Column]) -> list[Column]:
    """Scores with their intervals on a line of their own: those in the same cell, and those in a column of that name."""
    new_columns: list[Column] = []
    for column in columns:
        if column.name == "interval" and new_columns:
            above = new_columns.pop()
            cells = tuple([*own, *below] for own, below in zip(above.cells, column.cells, strict=True))
            new_columns.append(replace(above, cells=cells))
            continue
        split = [_INTERVAL.fullmatch(cell[0]) if column.right else None for cell in column.cells]
        cells = tuple([match[1], match[2]] if match else cell for match, cell in zip(split, column.cells, strict=True))
        new_columns.append(replace(column, cells=cells))
    return new_columns


def _headings_broken(columns: list[Column]) -> list[Column]:
    """Headings wider than their cells over several lines, and what has no place to break shortened."""
    new_columns = []
    for column in columns:
        enough = max(column.body, _NARROWEST_HEADING)
        broken = [_shorter(line, max(enough, _SHORTEST_NAME)) for line in _lines(column.heading[0], enough)]
        if len(broken) > _MOST_LINES:
            broken = _lines(_shorter(column.heading[0], enough * _MOST_LINES), enough)
            broken = [_shorter(line, enough) for line in broken]
        new_columns.append(replace(column, heading=broken) if column.width > enough else column)
    return new_columns


def _made_to_fit(columns: list[Column], width: int, keep: frozenset[str]) -> tuple[list[Column], list[str]]:
    """Names shortened and texts wrapped as far as it takes; then columns left out, the last first, and those to keep last."""
    named = next((place for place, column in enumerate(columns) if not column.right), None)
    texts = [place for place, column in enumerate(columns) if not column.right and place != named]
    kept = list(range(len(columns)))
    narrowest = [_narrowest(column, place, named) for place, column in enumerate(columns)]
    while len(kept) > max(2, (named or 0) + 2) and sum(narrowest[place] + _GAP for place in kept) - _GAP > width:
        kept.remove(next((place for place in reversed(kept) if place != named and columns[place].name not in keep), kept[-1]))
    spare = width - (sum(narrowest[place] + _GAP for place in kept) - _GAP)
    widths = {place: narrowest[place] for place in kept}
    flexible = [place for place in (named, *texts) if place in widths]
    names = {place for place in flexible if place == named or _has_names(columns[place])}
    for place in flexible:
        share = spare // len([other for other in names if other >= place]) if place in names else spare
        more = max(0, min(share, columns[place].width - widths[place]))
        widths[place] += more
        spare -= more
    made = []
    for place in kept:
        column = columns[place]
        if place in names:
            short = shortened_names([cell[0] for cell in column.cells], max(widths[place], 1))
            made.append(replace(column, cells=tuple([name, *cell[1:]] for name, cell in zip(short, column.cells, strict=True))))
        elif place in texts:
            cells = tuple([line for text in cell for line in _lines(text, widths[place])] for cell in column.cells)
            made.append(replace(column, heading=_lines(" ".join(column.heading), widths[place]), cells=cells))
        else:
            made.append(column)
    return made, [column.name for place, column in enumerate(columns) if place not in kept]


def _has_names(column: Column) -> bool:
    """Whether the cells are names rather than sentences: no cell has a space in it."""
    return not any(" " in text for cell in column.cells for text in cell)


def _narrowest(column: Column, place: int, named: int | None) -> int:
    if place == named or (not column.right and _has_names(column)):
        return min(column.width, _SHORTEST_NAME)
    return column.width if column.right else min(column.width, _NARROWEST_TEXT)


def shortened_names(names: Sequence[str], width: int) -> list[str]:
    """Names of at most so many columns, what is too long shortened in the middle, where names differ least often. Names that
    were different stay so: they are numbered where they would not.

    >>> shortened_names(["a-very-long-name-of-a-run", "short"], 12)
    ['a-very…a-run', 'short']
    """
    short_names = [_shorter(name, width) for name in names]
    originals: dict[str, dict[str, int]] = {}
    for name, short in zip(names, short_names, strict=True):
        alike = originals.setdefault(short, {})
        alike.setdefault(name, len(alike) + 1)
    for place, name in enumerate(names):
        alike = originals[short_names[place]]
        if len(alike) > 1:
            mark = f"#{alike[name]}"
            short_names[place] = _shorter(name, max(1, width - len(mark))) + mark
    return short_names


def _shorter(name: str, width: int) -> str:
    if shown_width(name) <= width:
        return name
    if width < 3:
        return "…"
    before, after = "", ""
    for char in name:
        if shown_width(before + char) > width // 2:
            break
        before += char
    for char in reversed(name):
        if shown_width(before + char + after) > width - 1:
            break
        after = char + after
    return f"{before}…{after}"


def _lines(text: str, width: int) -> Lines:
    """A text over several lines: between words, and where a word is too long, behind one of _@,|/."""
    lines: Lines = []
    for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]:
        if shown_width(line) <= width:
            lines.append(line)
            continue
        piece = ""
        for part in _BREAKS.findall(line):
            if piece and shown_width((piece + part).rstrip()) > width:
                lines.append(piece.rstrip())
                piece = ""
            piece += part
        lines.append(piece.rstrip())
    return lines


PLAIN = OutputFormat("table", partial(_text, coloured=False), place=1)
TERMINAL = OutputFormat("terminal", partial(_text, coloured=True), coloured=True, offered=False)
