"""Columns of numbers cut into pieces that are aligned by themselves: the number, its mark, its interval, its rank in brackets and
the letters of its groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CELL = re.compile(
    r"(?P<number>[<>≤≥]?[+\-]?(?:\d[\d,]*)?(?:\.\d+)?%?)"
    r"(?P<mark>[^\w\s\[\](){}.,%<>+-]*)"
    r"(?: +(?P<interval>\[[^\[\]]*\]))?"
    r"(?: +(?P<bracket>\([^()]*\)))?"
    r"(?: +(?P<letters>[a-zA-Z]+(?:-[a-zA-Z])?[a-zA-Z-]*))?\s*"
)
_NO_NUMBER = ("", "·", "–", "∞", "-∞")
NAMES = ("number", "mark", "interval", "bracket", "letters")
"""The pieces, from left to right."""


@dataclass(frozen=True)
class Pieces:
    """The cells of a column, each cut into pieces; a piece that no cell has is not among them."""

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, cells: Sequence[str]) -> Pieces | None:
        """None where a cell is more than a number with what may stand behind it."""
        cut = [_cut(cell) for cell in cells]
        if any(one is None for one in cut) or not any(one and one["number"] for one in cut):
            return None
        names = tuple(name for name in NAMES if name == "number" or any(one and one[name] for one in cut))
        return cls(names, tuple(tuple(one[name] for name in names) for one in cut if one))

    def missing(self) -> list[str]:
        """What each number lacks at its end to have as many decimals as the one that has most."""
        ends = [number.partition(".")[2] if "." in number else "" for number, *_ in self.cells]
        most = max(ends, key=len)
        return [
            "" if len(end) == len(most) or not any(map(str.isdigit, number)) else _rest(number, end, most)
            for (number, *_), end in zip(self.cells, ends, strict=True)
        ]


def number_of(cell: str) -> str:
    """The number that a cell begins with, where there is more behind it that may stand beside one; else all of the cell."""
    cut = _cut(cell)
    return cut["number"] if cut else cell


def _rest(number: str, end: str, most: str) -> str:
    return ("" if "." in number else ".") + most[len(end) :]


def _cut(cell: str) -> dict[str, str] | None:
    if cell.strip() in _NO_NUMBER:
        return {**dict.fromkeys(NAMES, ""), "number": cell.strip()}
    match = _CELL.fullmatch(cell.strip())
    if match is None or not any(map(str.isdigit, match["number"])):
        return None
    return {name: match[name] or "" for name in NAMES}
