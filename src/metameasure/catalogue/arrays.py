"""The few idioms that every measure shares, on any array library that follows the array API standard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import array_api_compat

Array: TypeAlias = Any
"""An array of any library: NumPy, PyTorch, JAX, CuPy, array-api-strict."""


def namespace(*arrays: Array) -> Any:
    """The array API functions of the library that the arrays belong to."""
    if arrays and all(_is_numpy(array) for array in arrays):
        import numpy as np  # noqa: PLC0415 - it is there already; nobody else pays for importing it

        return np  # has them all by itself, while the wrapper of it imports its compiler and its tests: a tenth of a second
    return array_api_compat.array_namespace(*arrays)


def _is_numpy(array: Array) -> bool:
    # A look at the type spares most arrays the library's thorough test, on which short computations spend a tenth of their time.
    return type(array).__module__ == "numpy" or bool(array_api_compat.is_numpy_array(array))


def constant(values: Any, like: Array) -> Array:
    """Fixed numbers as an array of the same library, type and device as another."""
    return namespace(like).asarray(values, dtype=like.dtype, device=array_api_compat.device(like))


def positions(count: int, like: Array) -> Array:
    """0, 1, ..., count - 1, in the type and on the device of another array."""
    return namespace(like).arange(count, dtype=like.dtype, device=array_api_compat.device(like))


def select(array: Array, chosen: Sequence[int]) -> Array:
    """The chosen entries of the last axis."""
    xp = namespace(array)
    return xp.take(array, xp.asarray(list(chosen), device=array_api_compat.device(array)), axis=-1)


def looked_up(table: Sequence[float], places: Array) -> Array:
    """The numbers of the table at these places (cases, n), from 0 up."""
    xp = namespace(places)
    rows = xp.astype(xp.permute_dims(places, (1, 0)), xp.int32)  # an item's cases stay together in memory
    found = xp.take(constant(table, like=places), xp.reshape(rows, (-1,)), axis=0)
    return xp.permute_dims(xp.reshape(found, rows.shape), (1, 0))


def anywhere(condition: Array) -> bool:
    """Whether it holds somewhere, or may: while JAX compiles, values are not known. To spare choosing where nothing is chosen."""
    may = not _is_numpy(condition) and array_api_compat.is_jax_array(condition)
    return bool(may) or bool(namespace(condition).any(condition))


def ratio(numerator: Array, denominator: Array) -> Array:
    """Their quotient; NaN where the denominator is 0."""
    xp = namespace(denominator)
    some = denominator != 0
    return xp.where(some, numerator / xp.where(some, denominator, 1.0), xp.nan)


def power_of_two(array: Array) -> Array:
    """2 to the power of each number; by the library's own function where it has one, which is several times faster."""
    exp2 = getattr(namespace(array), "exp2", None)
    return 2.0**array if exp2 is None else exp2(array)


def log2_or_zero(array: Array) -> Array:
    """log2, and 0 where the argument is 0: for sums in which 0 log 0 = 0. Bits, here and everywhere."""
    xp = namespace(array)
    return xp.log2(xp.where(array > 0, array, 1.0))


def group_ends(opens: Array, place: Array) -> tuple[Array, Array]:
    """The first and the last place of the group that each place is in, counted from 0, from where groups open."""
    xp = namespace(place)
    n = opens.shape[-1]
    closes = xp.concat([opens[..., 1:], xp.ones_like(opens[..., :1])], axis=-1)
    if array_api_compat.is_numpy_array(opens):  # in one pass each; the array API has no running maximum
        first = xp.maximum.accumulate(xp.where(opens, place, 0.0), axis=-1)
        return first, xp.minimum.accumulate(xp.where(closes, place, float(n))[..., ::-1], axis=-1)[..., ::-1]
    first = _running_maximum(xp.where(opens, place, 0.0))
    return first, n - 1 - xp.flip(_running_maximum(xp.flip(xp.where(closes, n - 1 - place, 0.0), axis=-1)), axis=-1)


def _running_maximum(array: Array) -> Array:
    """The largest so far along the last axis: each step looks twice as far back."""
    xp = namespace(array)
    reach = 1
    while reach < array.shape[-1]:
        array = xp.concat([array[..., :reach], xp.maximum(array[..., reach:], array[..., :-reach])], axis=-1)
        reach *= 2
    return array
