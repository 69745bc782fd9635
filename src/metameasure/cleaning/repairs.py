"""What a cell means, where that is certain: a name that gold has, a class, or a number, written in another way.

A repair called on a cell gives what becomes of it and what kind of change that is: none where the cell is right, or where nobody
knows. Its ``fits`` says whether a cell is what it should be, once it is repaired.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from metameasure.core.scale import Scale
from metameasure.core.values import MINUS, number_of, plainly_signed
from metameasure.evidence.set_reader import labels_in

NOTHING = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Characters that take no room."""
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u201e": "\u201c", "\u00ab": "\u00bb"}
_WITH_COMMA = re.compile(rf"[+\-{MINUS}]?[0-9]+,[0-9]+")
_IN_SETS = (";", ",", "|", "/", "+", "&")
_IN_WORDS = {"yes": "1", "no": "0", "t": "1", "f": "0"}
_THOUSANDS = re.compile(rf"[+\-{MINUS}]?[1-9][0-9]{{0,2}}(,[0-9]{{3}})+")


def bare(cell: str) -> tuple[str, str]:
    """A cell without what stands around it, spaces or quotes, and which of them that was."""
    kind, text = "", cell
    if (stripped := text.strip().strip(NOTHING).strip()) != text:
        kind, text = "spaces", stripped
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        kind, text = "quotes", text[1:-1].strip()
    return text, kind


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
        alike = self._by_letters.get(text.casefold(), {})
        return next(iter(alike.items())) if len(alike) == 1 else ("", "")

    @cached_property
    def _by_letters(self) -> dict[str, dict[str, str]]:
        """The classes that a text in small letters may mean, each with the kind of change that it takes."""
        alike: dict[str, dict[str, str]] = {}
        for label in self.scale.labels:
            alike.setdefault(label.casefold(), {})[label] = "case"
        for written, label in self.renamed.items():
            alike.setdefault(written.casefold(), {}).setdefault(label, "map")
        return alike

    def fits(self, cell: str) -> bool:
        """Whether a cell is such a label, once it is repaired."""
        return self(cell)[0] in self.scale.labels


@dataclass(frozen=True)
class SetRepair:
    """Sets of labels as ``a|b``, or as a list in JSON where a label has a bar in it: from lists of other programs, and from
    labels between other separators, where that can mean one set only."""

    labels: ClassRepair

    def __call__(self, cell: str) -> tuple[str, str]:
        text, kind = bare(cell)
        known = self.labels.scale.labels
        if all(label in known for label in labels_in(cell)):
            return cell, ""
        if all(label in known for label in labels_in(text)):
            return text, kind
        label, kind = self.labels(text)
        if kind and self.labels.fits(text):
            return self._written([label]), kind
        found = {frozenset(one): one for parts in self._as_sets(text) if (one := self._all(parts)) is not None}
        return (self._written(next(iter(found.values()))), "set") if len(found) == 1 else (cell, "")

    def _all(self, parts: Sequence[str]) -> list[str] | None:
        """The labels that these parts stand for, each once; None if one of them is not a label."""
        if not parts or not all(map(self.labels.fits, parts)):
            return None
        return list(dict.fromkeys(self.labels(part)[0] for part in parts))

    def _as_sets(self, text: str) -> Iterator[list[str]]:
        """The parts of a cell: of a list in brackets, or between any of the separators that people write and no label has."""
        yield labels_in(text)
        for separator in self._separators:
            yield [part for one in text.split(separator) if (part := bare(one)[0])]

    @cached_property
    def _separators(self) -> tuple[str | None, ...]:
        labels = self.labels.scale.labels
        spaces = () if any(len(label.split()) > 1 for label in labels) else (None,)
        return (*(one for one in _IN_SETS if not any(one in label for label in labels)), *spaces)

    def _written(self, labels: Sequence[str]) -> str:
        return json.dumps(labels, ensure_ascii=False) if any("|" in label for label in labels) else "|".join(labels)

    def fits(self, cell: str) -> bool:
        """Whether a cell is such a set, once it is repaired."""
        return all(label in self.labels.scale.labels for label in labels_in(self(cell)[0]))


@dataclass(frozen=True)
class IndicatorRepair:
    """1 for a label that an item has, and 0 for another."""

    def __call__(self, cell: str) -> tuple[str, str]:
        text, kind = bare(cell)
        if text in ("0", "1") or text.casefold() in ("true", "false"):
            return (text, kind) if kind else (cell, "")
        number = number_of(text.replace(",", ".") if _WITH_COMMA.fullmatch(text) else text)
        meant = {1.0: "1", 0.0: "0"}.get(number) if number is not None else _IN_WORDS.get(text.casefold())
        return (cell, "") if meant is None else (meant, "number" if number is not None else "word")

    def fits(self, cell: str) -> bool:
        """Whether a cell is one of the two, once it is repaired."""
        return self(cell)[0].casefold() in ("0", "1", "true", "false")


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
