"""Markdown. Names are text in it, whatever they look like: no renderer makes markup of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metameasure.show.table import OutputFormat, Table

# Within a word an underscore is one, an ampersand is one before a blank, brackets alone are brackets: most text stays.
# Letters are ASCII's, as in the page's script, which takes the same patterns.
MARKUP = re.compile(r"[\\`*|~$]|\](?=[(\[:])|\[(?=\^)|(?<!\w)_|_(?!\w)", re.ASCII)
_OPENS_A_BLOCK = re.compile(r"^(\s*)([#+=>-]|\d+(?=[.)]))")
# Not every renderer takes a backslash before these.
ENTITIES = re.compile(r"<|>|&(?=[#\w])", re.ASCII)
ENTITY_NAMES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def escaped(text: str) -> str:
    """A text that any renderer of Markdown shows as it is."""
    return ENTITIES.sub(lambda match: ENTITY_NAMES[match[0]], MARKUP.sub(lambda match: f"\\{match[0]}", text))


def _markdown(table: Table) -> str:
    table = table.inert()

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |\n"

    rule = "|" + "|".join("--:" if column in table.right else "---" for column in table.columns) + "|\n"
    rows = "".join(line(row) for row in table.stressed(lambda cell: f"**{cell}**", escaped))
    notes = "".join(f"- {_as_item(note)}\n" for note in [*table.below(coloured=False), *table.signed()] if note)
    beside = f"\n{_markdown(table.beside)}" if table.beside else ""
    return line([escaped(column) for column in table.columns]) + rule + rows + beside + (f"\n{notes}" if notes else "")


def _as_item(note: str) -> str:
    """A note as the text of an item of a list: one that opens with # is no heading."""
    text = escaped(note)
    opening = _OPENS_A_BLOCK.match(text)
    if not opening:
        return text
    place = opening.end() if opening[2][0].isdigit() else opening.start(2)
    return f"{text[:place]}\\{text[place:]}"


FORMAT = OutputFormat("markdown", _markdown, wide=True, place=5)
