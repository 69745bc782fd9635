"""HTML, for a page or a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence

from metameasure.show.table import COLOURS, OutputFormat, Table


def _html(table: Table) -> str:
    table = table.inert()

    def row(cells: Sequence[str], tag: str, number: int = -1) -> str:
        aligned = (
            f'<{tag} style="text-align: {"right" if column in table.right else "left"}{_background(table, number, column)}">'
            f"{cell}</{tag}>"
            for cell, column in zip(cells, table.columns, strict=True)
        )
        return f"<tr>{''.join(aligned)}</tr>"

    head = row([html.escape(column) for column in table.columns], "th")
    stressed = table.stressed(lambda cell: f"<b>{cell}</b>", html.escape)
    body = "".join(row(cells, "td", number) for number, cells in enumerate(stressed))
    notes = "<br>".join(html.escape(note) for note in table.below(coloured=True))
    beside = _html(table.beside) if table.beside else ""
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{beside}<small>{notes}</small>\n"


def _background(table: Table, number: int, column: str) -> str:
    mark = table.marks.get((number, column))
    return f"; background: #{COLOURS[mark]}; color: #000000" if mark else ""


FORMAT = OutputFormat("html", _html, coloured=True, wide=True, place=7)
