"""Columns of text, for a terminal: with colours, or without."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import partial

from metameasure.show.inert import shortened, visible
from metameasure.show.table import Mark, OutputFormat, Table

_TERMINAL: dict[Mark, str] = {"strong": "\033[34m", "fair": "", "weak": "\033[33m"}
_PLAIN = "\033[0m"


def _width(text: str) -> int:
    """Columns of a terminal that the text takes: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _text(table: Table, *, coloured: bool) -> str:
    table = table.inert(lambda cell: shortened(visible(cell)))
    widths = [max(map(_width, cells)) for cells in zip(table.columns, *table.rows, strict=True)]

    def line(cells: Sequence[str], number: int = -1) -> str:
        padded = [
            _pad(cell, width, right=column in table.right)
            for cell, width, column in zip(cells, widths, table.columns, strict=True)
        ]
        if coloured:
            padded = [_coloured(cell, table.marks.get((number, name))) for cell, name in zip(padded, table.columns, strict=True)]
        return "  ".join(padded).rstrip() + "\n"

    rule = line(["─" * width for width in widths])
    notes = "".join(f"{note}\n" for note in table.below(coloured=coloured))
    beside = f"\n{_text(table.beside, coloured=coloured)}" if table.beside else ""
    body = "".join(line(row, number) for number, row in enumerate(table.rows))
    return line(table.columns) + rule + body + beside + (f"\n{notes}" if notes else "")


def _coloured(text: str, mark: Mark | None) -> str:
    return f"{_TERMINAL[mark]}{text}{_PLAIN}" if mark and _TERMINAL[mark] else text


PLAIN = OutputFormat("table", partial(_text, coloured=False), place=1)
TERMINAL = OutputFormat("terminal", partial(_text, coloured=True), coloured=True, offered=False)
