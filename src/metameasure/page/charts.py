"""Charts of results as drawings in a page: real text, colours that follow the page's theme, no date, ids of their own."""

from __future__ import annotations

import io
import re

from metameasure.show.canvas import house_style, with_inert_text
from metameasure.show.table import Drawing, Presentable

_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_SIZE = re.compile(r'(<svg\b[^>]*?) width="([\d.]+)pt" height="[\d.]+pt"')
_IDS = re.compile(r'((?:\bid="|href="#|url\(#))')
# What is drawn in black, grey or the colour of paper is drawn in the page's own ink, rules and paper instead.
_INK = {"#000000": "currentColor", "#e5e5e5": "var(--rule)", "#999999": "var(--soft)", "#fefefe": "var(--paper)"}
ON_PAPER = {theme: ink for ink, theme in _INK.items()} | {"var(--sans)": "sans-serif"}
"""What a figure of the page is written in where it is a file of its own."""
_WIDE = 5.4  # inches, as on paper
_LARGER = 9 / 8  # on a screen the type has 9 points
_FONT = re.compile(r"font: ([\d.]+)px [^;\"]*")


def inline_svg(result: Presentable | Drawing, key: str, title: str) -> str:
    """The chart of a result as an ``svg`` element with a title; its ids open with the key, so that no two charts share one."""
    with house_style():
        figure = with_inert_text(result.draw(_WIDE))
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawn = _METADATA.sub("", _PROLOGUE.sub("", text.getvalue()))
    drawn = _SIZE.sub(
        lambda match: f'{match[1]} role="img" aria-labelledby="{key}-title" style="max-width:{float(match[2]) * _LARGER:.0f}pt"',
        drawn,
        count=1,
    )
    drawn = _IDS.sub(rf"\g<1>{key}-", drawn)
    for ink, theme in _INK.items():
        drawn = drawn.replace(ink, theme)
    drawn = _FONT.sub(r"font: \1px var(--sans)", drawn)
    opening, rest = drawn.split(">", 1)
    return f'{opening}><title id="{key}-title">{title}</title>{" ".join(rest.split())}'
