"""What a cell means, where that is certain: a name that gold has, a class, or a number, written in another way."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from metameasure.core.scale import Scale
from metameasure.core.values import MINUS, number_of, plainly_signed

Repair = Callable[[str], tuple[str, str]]
"""What becomes of a cell, and what kind of change that is: none where the cell is right, or where nobody knows."""
NOTHING = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that take no room."""
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u201e": "\u201c", "\u00ab": "\u00bb"}
_WITH_COMMA = re.compile(rf"[+\-{MINUS}]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(rf"[+\-{MINUS}]?[1-9][0-9]{{0,2}}(,[0-9]{{3}})+")


def bare(cell: str) -> tuple[str, str]:
    """A cell without what stands around it, spaces or quotes, and which of them that was."""
    kind, text = "", cell
    if (stripped := text.strip().strip(NOTHING).strip()) != text:
        kind, text = "spaces", stripped
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        kind, text = "quotes", text[1:-1].strip()
    return text, kind


def right(cell: str) -> tuple[str, str]:
    """Any text, of which nobody knows what it should be."""
    return cell, ""


@dataclass(frozen=True)
class NameRepair:
    """Names as gold has them; of numbers ``17`` for ``17.0``."""

    known: Collection[str]

    def __call__(self, cell: str) -> tuple[str, str]:
        if cell in self.known:
            return cell, ""
        text, kind = bare(cell)
        if text in self.known:
            return text, kind
        whole = text.removesuffix(".0")
        return (whole, "number") if whole != text and whole.isdecimal() and whole in self.known else (cell, "")

    def fits(self, cell: str) -> bool:
        """Whether a cell is such a name, once it is repaired."""
        return self(cell)[0] in self.known


@dataclass(frozen=True)
class ClassRepair:
    """Labels as the classes are called. ``renamed`` is what the user says that others stand for."""

    scale: Scale
    renamed: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, cell: str) -> tuple[str, str]:
        if cell in self.scale.labels:
            return cell, ""
        text, kind = bare(cell)
        if text in self.renamed:
            return self.renamed[text], "map"
        if text in self.scale.labels:
            return text, kind
        if (place := self.scale.find(text)) is not None:
            label = self.scale.labels[place]
            return label, "sign" if label in (plainly_signed(text), text.lstrip("+")) else "number"
        meant, how = self._otherwise(text)
        return (meant, how) if meant else (cell, "")

    def _otherwise(self, text: str) -> tuple[str, str]:
        """A decimal comma, or small and capital letters: where that can mean one class only."""
        if _WITH_COMMA.fullmatch(text):
            texts = {text.replace(",", "."), text.replace(",", "")}
            places = {place for one in texts if (place := self.scale.find(one)) is not None}
            return (self.scale.labels[places.pop()], "decimal comma") if len(places) == 1 else ("", "")
        alike = self._by_letters.get(text.casefold(), ())
        return (alike[0], "case") if len(alike) == 1 else ("", "")

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        alike: dict[str, list[str]] = {}
        for label in self.scale.labels:
            alike.setdefault(label.casefold(), []).append(label)
        return alike

    def fits(self, cell: str) -> bool:
        """Whether a cell is such a label, once it is repaired."""
        return self(cell)[0] in self.scale.labels


@dataclass(frozen=True)
class NumberRepair:
    """Numbers with a point. A comma is one where the column cannot be of thousands: some number has it elsewhere than before
    three digits, and none has a point."""

    commas: bool = False

    @classmethod
    def of(cls, cells: Collection[str]) -> NumberRepair:
        """For a column with these cells."""
        texts = [bare(cell)[0] for cell in cells]
        with_comma = [text for text in texts if _WITH_COMMA.fullmatch(text)]
        told = any(not _THOUSANDS.fullmatch(text) for text in with_comma)
        return cls(told and not any("." in text and number_of(text) is not None for text in texts))

    def __call__(self, cell: str) -> tuple[str, str]:
        text, kind = bare(cell)
        if _plain(text):
            return (text, kind) if kind else (cell, "")
        if self.commas and _WITH_COMMA.fullmatch(text):
            return text.replace(",", ".").replace(MINUS, "-").removeprefix("+"), "decimal comma"
        signed = plainly_signed(text)
        return (signed, "sign") if signed != text and _plain(signed) else (cell, "")

    def fits(self, cell: str) -> bool:
        """Whether a cell is a number, once it is repaired."""
        return number_of(self(cell)[0]) is not None


def _plain(text: str) -> bool:
    """Whether a text is a number as programs write it."""
    return number_of(text) is not None and text[:1] not in ("+", MINUS)
