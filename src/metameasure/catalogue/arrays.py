"""Arrays of any library that follows the array API standard: the idioms that measures share, and what happens to arrays on their
way to every formula and back (type, batch axes, memory layout, blocks).

A formula sees cases of floating type with one leading batch axis. It never sees more cases at once than memory
caches hold well, and on NumPy it sees them laid out so that sums over the short class axes run over the long batch axis.
"""

from __future__ import annotations

import contextlib
import functools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import array_api_compat

from metameasure.core.errors import UsageError
from metameasure.statistics.memory import keep_freed_memory

Array: TypeAlias = Any
"""An array of any library: NumPy, PyTorch, JAX, CuPy, array-api-strict."""
# Cells of one block: about what a second-level cache holds, so that a formula's temporaries stay in it. Libraries that
# fuse their own loops, or live on an accelerator, only need protection from running out of memory. Cases that are vectors come
# in smaller blocks: products of larger ones are shared out among threads, which then stay awake and are in the engine's way.
_CACHE_CELLS = 2**18
_CACHE_CELLS_OF_VECTORS = 2**17
_MEMORY_CELLS = 2**25
_SMALL = 2**14  # cells of an array that the allocator keeps by itself
_LONG_AXIS = 256  # an axis that NumPy sums as fast by itself


_Made = TypeVar("_Made")
_SHARED: ContextVar[dict[Any, tuple[Any, Any]] | None] = ContextVar("what formulas share of a block", default=None)


@contextlib.contextmanager
def sharing(*, off: bool = False) -> Iterator[None]:
    """While this lasts, what several formulas compute of one array (``once``) is computed once; or again by each."""
    token = _SHARED.set(None if off else {})
    try:
        yield
    finally:
        _SHARED.reset(token)


def once(function: Callable[[Array], _Made]) -> Callable[[Array], _Made]:
    """A function of an array that many formulas begin with. Whoever is given its value must not write into it."""

    @functools.wraps(function)
    def known_or_computed(array: Array) -> _Made:
        shared = _SHARED.get()
        if shared is None:
            return function(array)
        key = function, id(array)
        if key not in shared:
            shared[key] = function(array), array  # as long as the array is kept, no other has its id
        made: _Made = shared[key][0]
        return made

    return known_or_computed


def constant_of(values: Any, like: Array) -> Array:
    """``constant``, made once for all formulas that share an array and are given the same object."""
    shared = _SHARED.get()
    if shared is None:
        return constant(values, like)
    key = constant, id(values), id(like)
    if key not in shared:
        shared[key] = constant(values, like), (values, like)
    return shared[key][0]


def namespace(*arrays: Array) -> Any:
    """The array API functions of the library that the arrays belong to."""
    for array in arrays:
        if not _is_numpy(array):
            return array_api_compat.array_namespace(*arrays)
    # NumPy, which is there already, has them all by itself; the wrapper of it imports its compiler and its tests: a tenth of a
    # second.
    return sys.modules["numpy"]


def _is_numpy(array: Array) -> bool:
    # A look at the type spares most arrays the library's thorough test, on which short computations spend a tenth of their time.
    return type(array).__module__ == "numpy" or bool(array_api_compat.is_numpy_array(array))


def constant(values: Any, like: Array) -> Array:
    """Fixed numbers as an array of the same library, type and device as another."""
    return namespace(like).asarray(values, dtype=like.dtype, device=array_api_compat.device(like))


def positions(count: int, like: Array) -> Array:
    """0, 1, ..., count - 1, in the type and on the device of another array."""
    return namespace(like).arange(count, dtype=like.dtype, device=array_api_compat.device(like))


def below(classes: int, like: Array) -> Array:
    """The matrix that sums over lower classes: ``x @ below`` holds, for each class, the sum of x over the classes under it."""
    rank = positions(classes, like)
    return namespace(like).astype(rank[:, None] < rank[None, :], like.dtype)


def middles(marginal: Array) -> Array:
    """Where the middle of each class lies when all items are lined up by class, as a share of all of them: its mean rank."""
    xp = namespace(marginal)
    shares = marginal / xp.sum(marginal, axis=-1)[..., None]
    return xp.matmul(shares, below(shares.shape[-1], like=shares)) + shares / 2


def select(array: Array, chosen: Sequence[int]) -> Array:
    """The chosen entries of the last axis."""
    xp = namespace(array)
    return xp.take(array, xp.asarray(list(chosen), device=array_api_compat.device(array)), axis=-1)


def looked_up(table: Sequence[float], places: Array) -> Array:
    """The numbers of the table at these places (cases, n), from 0 up."""
    xp = namespace(places)
    rows = xp.astype(xp.permute_dims(places, (1, 0)), xp.int32)  # an item's cases stay together in memory
    numbers = xp.take(constant(table, like=places), xp.reshape(rows, (-1,)), axis=0)
    return xp.permute_dims(xp.reshape(numbers, rows.shape), (1, 0))


def summed(array: Array, axis: int | tuple[int, ...]) -> Array:
    """The sum over some axes. NumPy's own method takes half as long as its function, which for one table is most of the work."""
    return array.sum(axis=axis) if _is_numpy(array) else namespace(array).sum(array, axis=axis)


def reshaped(array: Array, shape: tuple[int, ...]) -> Array:
    """The array in another shape; of NumPy's by its own method, as in ``summed``."""
    return array.reshape(shape) if _is_numpy(array) else namespace(array).reshape(array, shape)


def anywhere(condition: Array) -> bool:
    """Whether it holds somewhere, or may: while JAX compiles, values are not known. To spare choosing where nothing is chosen."""
    if _is_numpy(condition):
        return bool(condition.any())
    return bool(array_api_compat.is_jax_array(condition)) or bool(namespace(condition).any(condition))


def leaves(array: Array, low: float, high: float) -> bool:
    """Whether one of the numbers is below or above these ends, or may be. A single number is compared as such."""
    if _is_numpy(array) and array.size == 1:
        number = array.item()
        return bool(number < low or number > high)
    return anywhere((array < low) | (array > high))


def ratio(numerator: Array, denominator: Array) -> Array:
    """Their quotient; NaN where the denominator is 0."""
    if _is_numpy(denominator) and denominator.all():
        return numerator / denominator
    xp = namespace(denominator)
    some = denominator != 0
    return xp.where(some, numerator / xp.where(some, denominator, 1.0), xp.nan)


def ratio_or_zero(numerator: Array, denominator: Array) -> Array:
    """Their quotient; 0 where the denominator is not above 0."""
    xp = namespace(denominator)
    some = denominator > 0
    return xp.where(some, numerator / xp.where(some, denominator, 1.0), 0.0)


def mean_of_defined(values: Array, axis: int = -1) -> Array:
    """The mean over an axis of what is not NaN; NaN where nothing is."""
    xp = namespace(values)
    known = ~xp.isnan(values)
    number = xp.sum(xp.astype(known, values.dtype), axis=axis)
    return ratio(xp.sum(xp.where(known, values, 0.0), axis=axis), number)


def power_of_two(array: Array) -> Array:
    """2 to the power of each number; by the library's own function where it has one, which is several times faster."""
    exp2 = getattr(namespace(array), "exp2", None)
    return 2.0**array if exp2 is None else exp2(array)


def log2_or_zero(array: Array) -> Array:
    """log2, and 0 where the argument is 0: for sums in which 0 log 0 = 0. Bits, here and everywhere."""
    xp = namespace(array)
    return xp.log2(xp.where(array > 0, array, 1.0))


def bits_of_share(part: Array, whole: Array) -> Array:
    """-log2(part / whole), and 0 where there is no part. Where it is nearly all of the whole, from what is left of that: a share
    near 1 is rounded, and its logarithm would be hardly more than the rounding."""
    xp = namespace(part)
    share, left = part / whole, (whole - part) / whole
    most = share > 0.5
    near = xp.log1p(-xp.where(most, left, 0.0)) / math.log(2)
    return -xp.where(most, near, log2_or_zero(share))


def group_starts(keys: Array) -> Array:
    """Whether each of the keys, which are in order along the last axis, starts a new group of equal ones."""
    xp = namespace(keys)
    return xp.concat([xp.ones_like(keys[..., :1], dtype=xp.bool), keys[..., 1:] != keys[..., :-1]], axis=-1)


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


def _broadcast(xp: Any, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        return tuple(xp.broadcast_arrays(*arrays))
    except (ValueError, RuntimeError, TypeError):
        shapes = " and ".join(str(tuple(array.shape)) for array in arrays)
        raise UsageError(
            f"arrays of shape {shapes} do not fit together", hint="give each case the same size on both sides"
        ) from None


@dataclass(frozen=True)
class Batch:
    """Cases for a formula: arrays of shape (cases, *axes of one case), and the shape the user gave the batch."""

    xp: Any
    arrays: tuple[Array, ...]
    shape: tuple[int, ...]

    @classmethod
    def of(cls, arrays: tuple[Any, ...], case_axes: int) -> Batch:
        if not all(_is_numpy(array) or array_api_compat.is_array_api_obj(array) for array in arrays):
            import numpy as np  # noqa: PLC0415 - lists become NumPy arrays; nobody else pays for importing it

            arrays = tuple(array if array_api_compat.is_array_api_obj(array) else np.asarray(array) for array in arrays)
        xp = namespace(*arrays)
        if any(array.ndim < case_axes for array in arrays):
            raise UsageError(
                f"an array of {min(array.ndim for array in arrays)} axes where each case has {case_axes}",
                hint="batch axes come first, the axes of one case last",
            )
        if len(arrays) > 1:
            arrays = _broadcast(xp, arrays)
        shape, case = tuple(arrays[0].shape[:-case_axes]), tuple(arrays[0].shape[-case_axes:])
        return cls(xp, tuple(xp.reshape(array, (math.prod(shape), *case)) for array in arrays), shape)

    def map(self, formula: Callable[..., Array]) -> Array:
        """The formula's value for each case, in the user's shape; axes behind the first are kept."""
        return self.map_each(lambda *block: (formula(*block),))[0]

    def map_each(self, formulas: Callable[..., Sequence[Array]]) -> tuple[Array, ...]:
        """The values of several formulas, each as from ``map``; the cases pass through once."""
        if self._on_numpy and self.arrays[0].size > _SMALL:
            keep_freed_memory()
        # Undefined cases are answered with NaN, not with NumPy's warnings.
        with self.xp.errstate(all="ignore") if self._on_numpy else contextlib.nullcontext():
            values = [formulas(*block) for block in self._blocks()]
        return tuple(self._joined(parts) for parts in zip(*values, strict=True))

    def _joined(self, parts: tuple[Array, ...]) -> Array:
        joined = parts[0] if len(parts) == 1 else self.xp.concat(list(parts))
        shape = (*self.shape, *joined.shape[1:])
        result = joined if joined.shape == shape else reshaped(joined, shape)
        return result[()] if self._on_numpy else result

    def _blocks(self) -> Iterator[tuple[Array, ...]]:
        cases, *case = self.arrays[0].shape
        cells = max(1, math.prod(case))
        in_cache = _CACHE_CELLS_OF_VECTORS if len(case) == 1 else _CACHE_CELLS
        step = max(1, (in_cache if self._on_numpy else _MEMORY_CELLS) // cells)
        number = max(1, math.ceil(cases / step))
        # All of about one size: a single case that is left over would be summed in another order than among others.
        edges = [cases * block // number for block in range(number + 1)]
        for first, last in pairwise(edges):
            yield tuple(self._prepare(array[first:last, ...]) for array in self.arrays)

    def _prepare(self, block: Array) -> Array:
        dtype = self._floating(block.dtype)
        if not self._on_numpy:
            return self.xp.astype(block, dtype, copy=False)
        # Class-major in memory, seen as (case, class, ...): NumPy sums a short contiguous axis one case at a time, but a
        # strided one over all cases at once.
        if block.shape[-1] > _LONG_AXIS:
            return self.xp.array(block, dtype=dtype, order="C")
        if block.ndim > 2 and block.shape[-2] > _LONG_AXIS:  # many items of few classes: class by class
            return self.xp.moveaxis(self.xp.array(self.xp.moveaxis(block, -1, 0), dtype=dtype, order="C"), 0, -1)
        last = block.ndim - 1
        class_major = self.xp.array(block.transpose(*range(1, last + 1), 0), dtype=dtype, order="C")
        return class_major.transpose(last, *range(last))

    def _floating(self, dtype: Any) -> Any:
        """float32 and float64 stay; everything else becomes the widest that the library has (JAX: float32 unless told)."""
        if dtype == self.xp.float32 or (self._on_numpy and dtype == self.xp.float64):
            return dtype
        available = self.xp.__array_namespace_info__().dtypes(kind="real floating")
        if dtype == available.get("float64"):
            return dtype
        if self.xp.isdtype(dtype, "complex floating"):
            raise UsageError("complex numbers cannot be scored", hint="pass real numbers")
        return available.get("float64", self.xp.float32)

    @functools.cached_property
    def _on_numpy(self) -> bool:
        return _is_numpy(self.arrays[0])
