"""The letters of a chart: one size, measured, broken into lines and shortened so that no text leaves its place."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from metameasure.show.inert import LONGEST, shortened, visible_line
from metameasure.show.symbols import has_marks, with_scripts

TYPE = 8.0
"""The size of all type, in points, at the size that a chart is printed in."""
LINE = 1.2 * TYPE / 72
"""From one line of text to the next, in inches."""
_MEASURED_AT = 720  # dots per inch: fine enough that a width does not depend on where a text stands
_BREAKS = re.compile(r"[^ _\-/@.,:;|+=]*[ _\-/@.,:;|+=]*")  # not at a space that keeps words together


def shown(text: str) -> str:
    """A text for a chart, in one line: a name that would do something is shown as Python writes it, one without end is cut."""
    return shortened(visible_line(text.replace("\t", " ")), LONGEST)


def typeset(text: str) -> tuple[str, bool]:
    """The text as matplotlib takes it, and whether it is to read mathematics in it: only where a symbol has a raised or lowered
    part."""
    if not has_marks(text):
        return text, False
    return with_scripts(text, lambda part: part.replace("$", r"\$"), _script), True


def _script(base: str, scripts: Mapping[str, str]) -> str:
    base = base.replace("_", r"\_")
    behind = "".join(f"{sign}{{\\mathrm{{{said}}}}}" for sign, said in scripts.items())
    return f"$\\mathrm{{{base}}}{behind}$"


@cache
def _renderer() -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import RendererAgg  # noqa: PLC0415 - loaded when something is drawn
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415

    made: Any = RendererAgg
    return made(1, 1, _MEASURED_AT), FontProperties(family="DejaVu Sans", size=TYPE)


def text_width(text: str) -> float:
    """How wide a text is, in inches; of several lines, the widest."""
    return max(_line_width(line) for line in text.split("\n"))


@cache
def _line_width(line: str) -> float:
    renderer, font = _renderer()
    written, mathematics = typeset(line)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # matplotlib warns of a missing glyph when it is drawn
        width, _, _ = renderer.get_text_width_height_descent(written, font, ismath=mathematics)
    return float(width) / _MEASURED_AT


def widest(texts: Sequence[str]) -> float:
    """The width of the widest of these, in inches."""
    return max(map(text_width, texts), default=0.0)


def lines_of(text: str) -> int:
    return text.count("\n") + 1


def text_height(texts: Sequence[str]) -> float:
    """The height of the one with the most lines, in inches."""
    return LINE * max(map(lines_of, texts), default=0)


def wrapped(text: str, width: float, most: int = 4) -> str:
    """The text in lines of that width, broken after spaces and signs, within a word where one is too long; of more than so many
    lines, the middle is left out."""
    lines, kept = _lines(text, width), len(text)
    while len(lines) > most:
        kept -= max(1, (len(lines) - most) * 2)
        lines = _lines(_cut(text, kept), width)
    return "\n".join(lines)


def _cut(text: str, kept: int) -> str:
    tail = kept // 2
    return f"{text[: kept - tail - 1]}…{text[len(text) - tail :]}"


def _lines(text: str, width: float) -> list[str]:
    lines = [""]
    for part in _BREAKS.findall(text):
        if text_width((lines[-1] + part).rstrip()) <= width:
            lines[-1] += part
            continue
        if lines[-1]:
            lines.append("")
        for letter in part:
            if lines[-1] and text_width((lines[-1] + letter).rstrip()) > width:
                lines.append("")
            lines[-1] += letter
    return [line.strip() for line in lines if line.strip()] or [""]


def fitted(names: Sequence[str], width: float, most: int) -> list[str]:
    """Names in at most so many lines of that width. Where two would look the same, they get more lines."""
    plain = [shown(name) for name in names]
    texts = [wrapped(name, width, most) for name in plain]
    return texts if len({*texts}) >= len({*plain}) or most >= _MOST_LINES else fitted(names, width, most + 1)


_MOST_LINES = 12
