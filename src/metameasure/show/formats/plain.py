"""Columns of text, for a terminal: with colours, or without; as wide as the terminal is, where it is one."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from functools import partial

from metameasure.show.fitting import Column, lay_out, shown_width, wrapped
from metameasure.show.inert import shortened, visible
from metameasure.show.table import Mark, OutputFormat, Table

_TERMINAL: dict[Mark, str] = {"strong": "\033[34m", "fair": "", "weak": "\033[33m"}
_PLAIN = "\033[0m"


def terminal_width() -> int | None:
    """The columns of the terminal that is written to; None where it is none, but a file or a pipe: those have no end."""
    stream = sys.stdout
    return shutil.get_terminal_size().columns if stream is not None and stream.isatty() else None


def plain_text(table: Table, *, coloured: bool = False, width: int | None = None) -> str:
    """The table as lines of text, for a terminal of so many columns."""
    layout = lay_out(table, width)
    columns = layout.columns

    def lines(cells: Sequence[Sequence[str]], number: int = -1) -> str:
        high = max((len(cell) for cell in cells), default=0)
        printed = []
        for level in range(high):
            padded = [
                _cell(
                    column, cell[level] if level < len(cell) else "", table.marks.get((number, column.name)) if coloured else None
                )
                for column, cell in zip(columns, cells, strict=True)
            ]
            printed.append("  ".join(padded).rstrip() + "\n")
        return "".join(printed)

    rule = lines([["─" * column.width] for column in columns])
    body = "".join(lines([column.cells[number] for column in columns], number) for number in range(len(table.rows)))
    notes = [*layout.note(), *table.below(coloured=coloured)]
    beside = f"\n{plain_text(table.beside, coloured=coloured, width=width)}" if table.beside else ""
    below = "".join(f"{note}\n" for note in wrapped(notes, width))
    return lines([column.heading for column in columns]) + rule + body + beside + (f"\n{below}" if below else "")


def _cell(column: Column, text: str, mark: Mark | None) -> str:
    space = " " * (column.width - shown_width(text))
    padded = space + text if column.right else text + space
    return f"{_TERMINAL[mark]}{padded}{_PLAIN}" if mark and _TERMINAL[mark] else padded


def _text(table: Table, *, coloured: bool) -> str:
    return plain_text(table.inert(lambda cell: shortened(visible(cell))), coloured=coloured, width=terminal_width())


PLAIN = OutputFormat("table", partial(_text, coloured=False), place=1)
TERMINAL = OutputFormat("terminal", partial(_text, coloured=True), coloured=True, offered=False)
