"""A column of any engine and type as text or as numbers: the same rules for files, data frames and clusters."""

from __future__ import annotations

from typing import Any, Literal

import narwhals.stable.v2 as nw

from metameasure.values import NUMBER, SOMETHING

Kind = Literal["text", "number"]
# Whole numbers up to here are exact in a float, and are written as such: an id 1.0, as gaps in a column make of 1, is the id 1.
_EXACT = 2.0**53


def typed(name: str, dtype: Any, kind: Kind) -> nw.Expr:
    """The column as text (null where nothing stands there), or as numbers: null where nothing stands there, NaN where what stands
    there is no number. NaN in a column of numbers is how data frames mark what is missing, so it is nothing."""
    return _text(name, dtype) if kind == "text" else _number(name, dtype)


def nothing(kind: Kind) -> nw.Expr:
    """A column that is not there."""
    return nw.lit(None).cast(nw.String if kind == "text" else nw.Float64)


def _not_a_number() -> nw.Expr:
    """NaN, as text that is cast: DuckDB 1.5 takes Python's own for nothing at all."""
    return nw.lit("NaN").cast(nw.Float64)


def _text(name: str, dtype: Any) -> nw.Expr:
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
    written = column if dtype == nw.String else column.cast(nw.String)
    number = nw.when(written.str.contains(NUMBER)).then(written).cast(nw.Float64)
    return nw.coalesce(number, nw.when(written.str.contains(SOMETHING)).then(_not_a_number()))
