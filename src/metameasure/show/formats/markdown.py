"""Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metameasure.show.table import OutputFormat, Table


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    def escape(cell: str) -> str:
        return re.sub(r"([|*<])", r"\\\1", cell)

    rule = "|" + "|".join("--:" if column in table.right else "---" for column in table.columns) + "|\n"
    rows = "".join(line(row) for row in table.stressed(lambda cell: f"**{cell}**", escape))
    notes = "".join(f"- {note}\n" for note in table.below(coloured=False) if note)
    beside = f"\n{_markdown(table.beside)}" if table.beside else ""
    return line([escape(column) for column in table.columns]) + rule + rows + beside + (f"\n{notes}" if notes else "")


FORMAT = OutputFormat("markdown", _markdown, wide=True, place=5)
