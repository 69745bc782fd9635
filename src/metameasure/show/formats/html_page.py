"""HTML, for a notebook or to be put into a page of one's own: the tables of the page, from its templates and in its style."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from metameasure.show.grid import Grid, environment, grid_of, template_text
from metameasure.show.table import OutputFormat, Table

# A notebook has a theme of its own: everything is mixed from the colour that it writes in, so that light and dark both do.
_COLOURS = """.metameasure-result { --paper: transparent; --soft: color-mix(in srgb, currentColor 72%, transparent);
  --rule: color-mix(in srgb, currentColor 20%, transparent); --band: color-mix(in srgb, currentColor 6%, transparent);
  --strong: #2b8fd640; --fair: #d9c04a38; --weak: #ec7a2255; --heat: #2b8fd699; overflow-x: auto; }"""


def _grids(table: Table) -> Iterator[Grid]:
    """A table and those beside it; the notes stand below all of them."""
    while table.beside is not None:
        yield replace(grid_of(replace(table, notes=(), legend="", signature="")), sortable=False)
        notes, legend = (*table.beside.notes, *table.notes), table.beside.legend or table.legend
        table = replace(table.beside, notes=notes, legend=legend, signature=table.signature)
    yield replace(grid_of(table), sortable=False)


def _html(table: Table) -> str:
    return environment().get_template("tables.html.j2").render(grids=list(_grids(table)))


def _styled(tables: str) -> str:
    return f'<div class="metameasure-result">\n<style>\n{_COLOURS}\n{template_text("table.css")}\n</style>\n{tables}</div>\n'


FORMAT = OutputFormat("html", _html, coloured=True, wide=True, place=7, around=_styled)
