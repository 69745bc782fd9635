"""The columns of sources as texts and numbers: what is nothing, what is a number, and how one is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from metameasure.core.lazily import nw
from metameasure.core.values import MINUS, NUMBER, SOMETHING

Kind = Literal["text", "number", "score"]
"""A score is a number, or true or false, which are 1 and 0; NaN, in whatever letters, is nothing."""
# Whole numbers up to here are exact in a float, and are written as such: an id 1.0, as gaps in a column make of 1, is the id 1.
_EXACT = 2.0**53


def quick(role: str) -> str:
    """The column with the numbers that were read quickly."""
    return f"{role}, read quickly"


def quick_number(text: str, kind: Kind) -> str:
    """A column of text as numbers in SQL, null for what might be none by our rules: the engine also takes 1_0 and +-1."""
    odd = " OR ".join(f"contains({text}, {character})" for character in ("'_'", "'+'", "chr(11)"))
    number = f"TRY_CAST(CASE WHEN NOT ({odd}) THEN {text} END AS DOUBLE)"
    flags = f"CASE {text} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0"
    return number if kind == "number" else f"{flags} ELSE nullif({number}, CAST('NaN' AS DOUBLE)) END"


def quickly_typed(role: str, schema: Mapping[str, Any], kind: Kind) -> nw.Expr:
    """A column as text or numbers; only what was not read quickly is looked at closely."""
    closely = typed(role, schema[role], kind)
    return nw.coalesce(nw.col(quick(role)), closely) if quick(role) in schema else closely


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
