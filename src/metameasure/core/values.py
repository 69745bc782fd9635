"""What is missing, what is a number and what is there twice: decided here, for cells of files, values of data frames and names
alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

NUMBER = r"^[ \t\n\f\r]*[+-]?(([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))[ \t\n\f\r]*$"
"""Numbers as people and programs write them, in a form that every engine's regular expressions read alike: of white space, each
has an idea of its own. Python's ``float`` would also take ``1_0`` and digits of other scripts, engines other things again."""
SOMETHING = r"[^\s\x0B]"
"""Anything but white space, to which a vertical tab belongs for some engines and not for others."""
MINUS = "\u2212"
"""The minus of typography, which office programs write for a hyphen."""
_NUMBER = re.compile(NUMBER, re.ASCII)
_OTHERWISE_SIGNED = re.compile(rf"[+{MINUS}](?=[0-9]+[.]?[0-9]*\Z|[.][0-9]+\Z)")


def is_missing(value: Any) -> bool:
    """Whether there is nothing: None, NaN, or what pandas calls NA."""
    # pandas' NA answers neither yes nor no to a comparison with itself.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)  # noqa: PLR0124 - NaN


def is_empty(cell: Any) -> bool:
    """Whether a cell says nothing: it is missing, or holds at most white space."""
    return is_missing(cell) or (isinstance(cell, str) and not cell.strip())


def number_of(cell: Any) -> float | None:
    """The number that a cell holds, which may be infinite or NaN; None where it holds none.

    >>> number_of("1e-3"), number_of("1_0"), number_of(True)
    (0.001, None, None)
    """
    if isinstance(cell, str):
        cell = cell.replace(MINUS, "-")
        return float(cell) if _NUMBER.match(cell) else None
    if type(cell).__name__ in ("bool", "bool_"):
        return None
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        return None


def plainly_signed(text: str) -> str:
    """A number as programs write it: with a hyphen where it has the minus of typography, and without a plus before it. Any other
    text is as it was.

    >>> plainly_signed("\u22121"), plainly_signed("+2"), plainly_signed("+")
    ('-1', '2', '+')
    """
    return ("-" if text[0] == MINUS else "") + text[1:] if _OTHERWISE_SIGNED.match(text) else text


def sign_of(text: str) -> str:
    """The sign that a text begins with, if it does."""
    return text[0] if text[:1] in ("+", "-", MINUS) else ""


def in_order(names: Iterable[str]) -> list[str]:
    """Names as people expect them: numbers by size, then the rest as text.

    >>> in_order(["10", "b", "9", "a", "nan"])
    ['9', '10', 'a', 'b', 'nan']
    """
    listed = sorted(names)
    # A look at the first character spares most names the attempt to read them as a number.
    numbers = [(number_of(name), name) for name in listed if name[:1] in "0123456789.+- " and is_finite(name)]
    if not numbers:
        return listed
    counted = {name for _, name in numbers}
    return [name for _, name in sorted(numbers)] + [name for name in listed if name not in counted]


def repeated(names: Iterable[str]) -> list[str]:
    """The names that are there more than once.

    >>> repeated(["b", "a", "b"])
    ['b']
    """
    return [name for name, times in Counter(names).items() if times > 1]


def is_finite(cell: str) -> bool:
    """Whether a cell holds a finite number."""
    number = number_of(cell)
    return number is not None and abs(number) < float("inf")
