"""What is missing, what is a number and what is there twice: decided here, for cells of files, values of data frames and names
alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from metameasure.core.lazily import nw

NUMBER = r"^[ \t\n\f\r]*[+-]?(([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|(?i:inf|infinity|nan))[ \t\n\f\r]*$"
"""Numbers as people and programs write them, in a form that every engine's regular expressions read alike: of white space, each
has an idea of its own. Python's ``float`` would also take ``1_0`` and digits of other scripts, engines other things again."""
SOMETHING = r"[^\s\x0B]"
"""Anything but white space, to which a vertical tab belongs for some engines and not for others."""
MINUS = "\u2212"
"""The minus of typography, which office programs write for a hyphen."""
Kind = Literal["text", "number", "score"]
"""Of a column: a score is a number, or true or false, which are 1 and 0; NaN, in whatever letters, is nothing."""
# Whole numbers up to here are exact in a float, and are written as such: an id 1.0, as gaps in a column make of 1, is the id 1.
_EXACT = 2.0**53
_NUMBER = re.compile(NUMBER, re.ASCII)
_OTHERWISE_SIGNED = re.compile(rf"[+{MINUS}](?=[0-9]+[.]?[0-9]*\Z|[.][0-9]+\Z)")


def is_missing(value: Any) -> bool:
    """Whether there is nothing: None, NaN, or what pandas calls NA."""
    # pandas' NA answers neither yes nor no to a comparison with itself.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)  # noqa: PLR0124 - NaN


def is_empty(cell: Any) -> bool:
    """Whether a cell says nothing: it is missing, or holds at most white space."""
    return is_missing(cell) or (isinstance(cell, str) and not cell.strip())


def is_truth(value: Any) -> bool:
    """Whether it is true or false, Python's or NumPy's."""
    return type(value).__name__ in ("bool", "bool_")


def number_of(cell: Any) -> float | None:
    """The number that a cell holds, which may be infinite or NaN; None where it holds none.

    >>> number_of("1e-3"), number_of("1_0"), number_of(True)
    (0.001, None, None)
    """
    if isinstance(cell, str):
        cell = cell.replace(MINUS, "-")
        return float(cell) if _NUMBER.match(cell) else None
    if is_truth(cell):
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


NUMBERS_BEGIN = "0123456789.+- "


def in_order(names: Iterable[str]) -> list[str]:
    """Names as people expect them: numbers by size, then the rest as text.

    >>> in_order(["10", "b", "9", "a", "nan"])
    ['9', '10', 'a', 'b', 'nan']
    """
    listed = sorted(names)
    # A look at the first character spares most names the attempt to read them as a number.
    numbers = [(number_of(name), name) for name in listed if name[:1] in NUMBERS_BEGIN and is_finite(name)]
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


def typed(name: str, dtype: Any, kind: Kind) -> nw.Expr:
    """The column as text (null where nothing stands there), or as numbers: null where nothing stands there, NaN where what stands
    there is no number. NaN in a column of numbers is how data frames mark what is missing, so it is nothing."""
    if kind == "text":
        return as_text(name, dtype)
    return _number(name, dtype) if kind == "number" else _score(name, dtype)


def nothing(kind: Kind) -> nw.Expr:
    """A column that is not there."""
    return nw.lit(None).cast(nw.String if kind == "text" else nw.Float64)


def as_text(name: str, dtype: Any) -> nw.Expr:
    """A column as text, null where nothing stands there."""
    column = nw.col(name)
    if dtype == nw.String:
        return nw.when(column != "").then(column)
    if dtype in (nw.Float32, nw.Float64):
        whole = (column == column.floor()) & (column < _EXACT) & (column > -_EXACT)
        written = (
            nw.when(whole).then(nw.when(whole).then(column).cast(nw.Int64).cast(nw.String)).otherwise(column.cast(nw.String))
        )
        return nw.when(~column.is_nan()).then(written)
    if dtype.is_integer():
        return column.cast(nw.String)
    return nw.when(column.cast(nw.String) != "").then(column.cast(nw.String))


def _not_a_number() -> nw.Expr:
    """NaN, as text that is cast: DuckDB 1.5 takes Python's own for nothing at all."""
    return nw.lit("NaN").cast(nw.Float64)


def _score(name: str, dtype: Any) -> nw.Expr:
    column, number = nw.col(name), _number(name, dtype)
    if dtype == nw.Boolean:
        return nw.when(~column.is_null()).then(column.cast(nw.Int64).cast(nw.Float64))
    if dtype != nw.String:
        return number
    written = column.str.to_lowercase().str.strip_chars()
    known = nw.when(written == "true").then(nw.lit(1.0)).otherwise(nw.when(written == "false").then(nw.lit(0.0)))
    return nw.when(written != "nan").then(nw.coalesce(known, number))


def _number(name: str, dtype: Any) -> nw.Expr:
    column = nw.col(name)
    if dtype == nw.Float64:
        return nw.when(~column.is_nan()).then(column)
    if dtype == nw.Float32:  # as a file would write it: 0.1, not 0.10000000149
        return nw.when(~column.is_nan()).then(column.cast(nw.String).cast(nw.Float64))
    if dtype == nw.Boolean:
        return nw.when(~column.is_null()).then(_not_a_number())
    if dtype.is_integer():
        return column.cast(nw.Float64)
    written = (column if dtype == nw.String else column.cast(nw.String)).str.replace_all(MINUS, "-", literal=True)
    number = nw.when(written.str.contains(NUMBER)).then(written).cast(nw.Float64)
    return nw.coalesce(number, nw.when(written.str.contains(SOMETHING)).then(_not_a_number()))
