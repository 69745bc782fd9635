"""Labels in memory: what stands in a column is found out once for each distinct value, and rows are counted by its number.

No label becomes text row by row. Whole numbers, truth values and categories are their own numbers; other columns are looked up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import DataError, UsageError
from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.scale import Classes, Scale, require, text_of
from metameasure.core.values import is_missing, is_truth, number_of
from metameasure.statistics.arrays import Booleans, Floats, Integers

# Whole numbers spread over at most this many values are looked up in a table; so many slots has the table of texts.
_LARGEST_TABLE = 2**16
# Rows that are counted together: few enough that they stay in the processor's own memory.
_BLOCK = 2**15
# Tables of more cells than this are counted by sorting.
_MOST_CELLS = 2**24
_MOST_PROBLEMS = 20
_TRUTH = ("false", "true")
Texts = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: the texts that may stand in it (None for nothing), and for each row the number of its text, counted from
    ``low``."""

    codes: npt.NDArray[Any]
    low: int
    texts: Texts

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def present(self) -> Booleans:
        """(texts,): which of them stand in the column."""
        present = np.zeros(len(self.texts), dtype=bool)
        for start in range(0, len(self.codes), _BLOCK):
            present[self.numbers(start)] = True
        return present

    def numbers(self, start: int, stop: int | None = None) -> Integers:
        """The numbers of some rows' texts, from 0 up."""
        part = self.codes[start : start + _BLOCK if stop is None else stop]
        return np.asarray(part.astype(np.int64) - self.low if self.low else part.astype(np.int64))

    def positions(self, which: Iterable[int]) -> Integers:
        """The rows, in order, whose text has one of these numbers."""
        return np.flatnonzero(np.isin(self.codes, np.array([*which], dtype=np.int64) + self.low))

    def narrowed(self) -> Coded:
        """The same with only those texts that stand in it."""
        new = np.cumsum(self.present) - 1
        return Coded(self.mapped(new.astype(np.int32)), 0, tuple(self.texts[number] for number in np.flatnonzero(self.present)))

    def mapped(self, new: Integers) -> npt.NDArray[Any]:
        """Each row's number, by the number of its text."""
        return np.asarray(new[self.codes.astype(np.int64) - self.low])


def coded(labels: Any, what: str = "") -> Coded:
    """A column of any kind: a list, an array, a Series, a column of Arrow. Messages call it ``what``."""
    if isinstance(labels, str):
        raise DataError("the labels are one string", hint="give a list of labels, one per item")
    if isinstance(labels, list | tuple):
        return _of_list(labels)
    if _is_masked(labels):
        return _masked(_of_array(_flat(labels.data, what)), np.ma.getmaskarray(labels))
    library = type(labels).__module__.partition(".")[0]
    if library in _LIBRARIES and (found := _LIBRARIES[library](labels)) is not None:
        return found
    if hasattr(labels, "__array__"):
        return _of_array(_flat(np.asarray(labels), what))
    return _of_list(list(labels))


def _is_masked(labels: Any) -> bool:
    """By its name: asking NumPy for the class would import it."""
    return isinstance(labels, np.ndarray) and type(labels).__name__ == "MaskedArray"


def _flat(array: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    hint = "give one label per item, in one dimension"
    if array.ndim != 1:
        raise (
            UsageError(f"{what} has the shape {array.shape}", hint=hint)
            if what
            else DataError(say("labels of shape {shape}", shape=array.shape), hint=hint)
        )
    return array


def _of_array(array: npt.NDArray[Any]) -> Coded:
    match array.dtype.kind:
        case "b":
            return Coded(array.view(np.uint8), 0, _TRUTH)
        case "i" | "u":
            return _of_integers(array)
        case "f":
            return _of_floats(array)
        case "U" | "S" if array.size and array.dtype.itemsize:
            return _of_fixed_width(array)
    return _of_list(array.tolist())


def _of_integers(array: npt.NDArray[Any]) -> Coded:
    low, high = (int(array.min()), int(array.max())) if array.size else (0, -1)
    if high - low < _LARGEST_TABLE:
        return Coded(array, low, tuple(map(str, range(low, high + 1))))
    values, codes = np.unique(array, return_inverse=True)
    return Coded(codes, 0, tuple(map(str, values.tolist())))


def _of_floats(array: npt.NDArray[Any]) -> Coded:
    """Whole numbers as such; NaN is how arrays mark what is missing."""
    missing = np.isnan(array)
    gaps = bool(missing.any())
    low, high = (np.nanmin(array), np.nanmax(array)) if array.size and not missing.all() else (0.0, 0.0)
    if math.isfinite(low) and math.isfinite(high) and high - low < _LARGEST_TABLE and abs(low) < 2**52:
        whole = (np.where(missing, low, array) if gaps else array).astype(np.int64)
        if np.array_equal(whole, np.where(missing, low, array) if gaps else array):
            return _masked(_of_integers(whole), missing)
    values, codes = np.unique(array, return_inverse=True)
    return Coded(codes, 0, tuple(None if math.isnan(value) else _text_of_float(value) for value in values))


def _text_of_float(value: Any) -> str:
    """As a file would write it: 0.1 in single precision is 0.1, not 0.10000000149."""
    return text_of(float(value) if value.dtype == np.float64 else float(str(value)))


def _of_fixed_width(array: npt.NDArray[Any]) -> Coded:
    """Texts of one width by a hash of their characters, each then compared with the text that it was taken for."""
    unit = np.dtype(np.uint32 if array.dtype.kind == "U" else np.uint8)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    characters = np.ascontiguousarray(array).view(unit).reshape(len(array), -1)
    hashes = characters[:, 0].astype(np.uint64)
    for place in range(1, characters.shape[1]):
        hashes *= np.uint64(1_000_003)
        hashes += characters[:, place]
    slot = (hashes * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(48)).astype(np.uint16)
    of_slot = np.full(_LARGEST_TABLE, -1, dtype=np.int64)
    of_slot[slot] = np.arange(len(array))
    used = np.flatnonzero(of_slot >= 0)
    number = np.zeros(_LARGEST_TABLE, dtype=np.uint16)
    number[used] = np.arange(len(used))
    codes, known = number[slot], characters[of_slot[used]]
    if all(np.array_equal(characters[:, place], known[codes, place]) for place in range(characters.shape[1])):
        return Coded(codes, 0, tuple(text_of(value) for value in array[of_slot[used]].tolist()))
    return _of_list(array.tolist())


class _Numbering(dict[Any, int]):
    """Numbers for values, in the order in which they are first asked for."""

    def __missing__(self, value: Any) -> int:
        self[value] = number = len(self)
        return number


def _of_list(labels: Sequence[Any]) -> Coded:
    """Python's own objects, by a dictionary. 1 and True are one key of it, but not one label: then, as for what is no key at all,
    every label becomes text."""
    place = _Numbering()
    try:
        codes = _numbered(labels, place)
        mixed = any(type(value) is not str and value in (0, 1) for value in place) and _are_mixed(labels)
    except TypeError:
        mixed = True
    if mixed:
        place = _Numbering()
        codes = _numbered([_text(value) for value in labels], place)
    return Coded(codes, 0, tuple(map(_text, place)))


def _numbered(labels: Sequence[Any], place: _Numbering) -> Integers:
    return np.fromiter(map(place.__getitem__, labels), dtype=np.int64, count=len(labels))


def _are_mixed(labels: Sequence[Any]) -> bool:
    """Whether truth values and others are among them."""
    truths = [kind.__name__ in ("bool", "bool_") for kind in set(map(type, labels))]
    return any(truths) and not all(truths)


def _text(value: Any) -> str | None:
    return None if is_missing(value) else text_of(value)


def _masked(column: Coded, missing: Any) -> Coded:
    """The column with nothing in some rows."""
    if not missing.any():
        return column
    number = column.low + len(column.texts)
    return Coded(np.where(missing, number, column.codes.astype(np.int64)), column.low, (*column.texts, None))


def _of_texts(codes: Any, values: Iterable[Any]) -> Coded:
    """Numbers of values, -1 for nothing."""
    texts = (_TRUTH[value] if is_truth(value) else _text(value) for value in values)
    return Coded(np.asarray(codes), -1, (None, *texts))


def _of_pandas(labels: Any) -> Coded | None:
    array = getattr(labels, "array", labels)
    dtype = getattr(labels, "dtype", None)
    if dtype is None or getattr(labels, "ndim", 1) != 1:
        return None
    if hasattr(dtype, "categories"):
        return _of_texts(array.codes, dtype.categories.tolist())
    if isinstance(dtype, np.dtype):
        values = np.asarray(labels)
        return _of_list(values.tolist()) if values.dtype.kind == "O" else _of_array(values)
    codes, values = array.factorize()
    return _of_texts(codes, values.tolist())


def _of_polars(labels: Any) -> Coded | None:
    import polars as pl  # noqa: PLC0415 - whoever has such a column has it

    if not isinstance(labels, pl.Series):
        return None
    dtype, gaps = labels.dtype, labels.null_count()
    if dtype == pl.String:
        labels = labels.cast(pl.Enum(labels.drop_nulls().unique()))
    if isinstance(labels.dtype, pl.Enum | pl.Categorical):
        there = labels.drop_nulls().unique()
        name = dict(zip(there.to_physical().to_list(), there.cast(pl.String).to_list(), strict=True))
        names = [name.get(number) for number in range(max(name, default=-1) + 1)]
        return _of_texts(labels.to_physical().cast(pl.Int64).fill_null(-1).to_numpy(), names)
    if dtype == pl.Boolean:
        return _of_texts(labels.cast(pl.Int8).fill_null(-1).to_numpy(), (False, True))
    if dtype.is_integer():
        return _masked(
            _of_array((labels.fill_null(labels.min() or 0) if gaps else labels).to_numpy()), labels.is_null().to_numpy()
        )
    if dtype.is_float():
        return _of_array((labels.fill_null(np.nan) if gaps else labels).to_numpy())
    return _of_list(labels.to_list())


def _of_arrow(labels: Any) -> Coded | None:
    import pyarrow as pa  # noqa: PLC0415

    if not isinstance(labels, pa.Array | pa.ChunkedArray):
        return None
    whole = labels.combine_chunks() if isinstance(labels, pa.ChunkedArray) else labels
    if isinstance(whole, pa.ChunkedArray):  # of no chunks at all
        return _of_list(whole.to_pylist())
    if not whole.null_count and (pa.types.is_integer(whole.type) or pa.types.is_floating(whole.type)):
        return _of_array(whole.to_numpy(zero_copy_only=False))
    encoded = whole if isinstance(whole, pa.DictionaryArray) else whole.dictionary_encode()
    return _of_texts(encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False), encoded.dictionary.to_pylist())


_LIBRARIES: dict[str, Callable[[Any], Coded | None]] = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_arrow}


def numbers_of(labels: Any, what: str = "") -> Floats:
    """A column as numbers, NaN where there is none."""
    array = np.asarray(labels) if hasattr(labels, "__array__") and not _is_masked(labels) else None
    if array is not None and array.ndim == 1 and (array.dtype.kind in "iu" or array.dtype == np.float64):
        return np.asarray(array, dtype=float)
    column = coded(labels, what)
    read = (None if text is None else number_of(text) for text in column.texts)
    return column.mapped(np.array([math.nan if number is None else number for number in read], dtype=float))


Groups = tuple[Integers, Integers, Integers]
"""Of rows that are alike: the numbers of their texts (groups, columns), how many rows there are, and the sum of their amounts."""


def counted_together(shared: Sequence[Coded], columns: Sequence[Coded], amounts: Integers | None = None) -> list[Groups]:
    """For each of some columns the groups of rows that are alike in it and in all shared ones. All are counted in one pass."""
    if _largest(shared, columns) <= _LARGEST_TABLE:
        return _counted(shared, columns, amounts)
    narrow, narrow_columns = ([column.narrowed() for column in side] for side in (shared, columns))
    if _largest(narrow, narrow_columns) <= _MOST_CELLS:
        groups = _counted(narrow, narrow_columns, amounts)
    else:
        groups = [_by_sorting(narrow, one, amounts) for one in narrow_columns]
    kept = [np.flatnonzero(column.present) for column in shared]
    return [
        (np.column_stack([was[new] for was, new in zip((*kept, np.flatnonzero(one.present)), of.T, strict=True)]), items, sums)
        for one, (of, items, sums) in zip(columns, groups, strict=True)
    ]


def _largest(shared: Sequence[Coded], columns: Sequence[Coded]) -> int:
    """The number of cells of the largest table."""
    return math.prod(len(column.texts) for column in shared) * max((len(column.texts) for column in columns), default=0)


def _counted(shared: Sequence[Coded], columns: Sequence[Coded], amounts: Integers | None) -> list[Groups]:
    sizes = [_largest(shared, [one]) for one in columns]
    items, sums = ([np.zeros(size, dtype=np.int64) for size in sizes] for _ in range(2))
    step = max(_BLOCK, *sizes)
    for start in range(0, len(columns[0]), step):
        stop = start + step
        base = _cells(shared, start, stop)
        parts = [] if amounts is None else _exact_parts(amounts[start:stop])
        for place, one in enumerate(columns):
            cells = base * len(one.texts)
            cells += one.numbers(start, stop)
            items[place] += np.bincount(cells, minlength=sizes[place])
            for unit, part in parts:
                sums[place] += np.bincount(cells, part, sizes[place]).astype(np.int64) * unit
    return [
        _of_cells(np.flatnonzero(number), shared, one, number[number > 0], (number if amounts is None else amount)[number > 0])
        for one, number, amount in zip(columns, items, sums, strict=True)
    ]


def _cells(columns: Sequence[Coded], start: int, stop: int) -> Integers:
    cells = columns[0].numbers(start, stop)
    for column in columns[1:]:
        cells *= len(column.texts)
        cells += column.numbers(start, stop)
    return cells


def _exact_parts(amounts: Integers) -> list[tuple[int, Floats]]:
    """Whole numbers in two parts, each so small that sums of floats are exact."""
    unit = 2**31
    return [(unit, (amounts // unit).astype(float)), (1, (amounts % unit).astype(float))]


def _by_sorting(shared: Sequence[Coded], column: Coded, amounts: Integers | None) -> Groups:
    cells = _cells([*shared, column], 0, len(column))
    found, place, items = np.unique(cells, return_inverse=True, return_counts=True)
    sums = items
    if amounts is not None:
        sums = np.zeros(len(found), dtype=np.int64)
        np.add.at(sums, place, amounts)
    return _of_cells(found, shared, column, items, sums)


def _of_cells(cells: Integers, shared: Sequence[Coded], column: Coded, items: Integers, sums: Integers) -> Groups:
    shape = [len(one.texts) for one in (*shared, column)]
    numbers = np.unravel_index(cells, shape) if len(cells) else [cells] * len(shape)
    return np.column_stack(numbers).astype(np.int64), items, sums


def count_labels(
    gold: Iterable[Any],
    predicted: Iterable[Any],
    *,
    classes: Classes | None,
    weights: Iterable[float] | None = None,
) -> tuple[npt.NDArray[Any], Scale]:
    """The C x C counts (rows gold, columns predicted) and the scale. With weights, sums of weights."""
    check_indexes(gold, {"the predicted labels": predicted})
    sides = {"gold": coded(gold), "predicted": coded(predicted)}
    truth, said = sides.values()
    if len(truth) != len(said):
        raise DataError(
            say("{gold} gold labels but {predicted} predicted", gold=len(truth), predicted=len(said)),
            hint="give one of each per item, in the same order",
        )
    if classes is None:
        require(None, [text for column in sides.values() for text in _texts_in(column, np.flatnonzero(column.present))])
    scale = require(classes, ())
    ((groups, items, _),) = counted_together([truth], [said])
    places = [
        _class_places(column, np.flatnonzero(np.bincount(groups[:, place])), scale, side)
        for place, (side, column) in enumerate(sides.items())
    ]
    size = len(scale)
    if weights is None:
        counts = np.zeros(size**2, dtype=np.int64)
        np.add.at(counts, places[0][groups[:, 0]] * size + places[1][groups[:, 1]], items)
    else:
        rows = truth.mapped(places[0]) * size + said.mapped(places[1])
        counts = np.bincount(rows, weights=_checked_weights(weights, len(rows)), minlength=size**2)
    return counts.reshape(size, size), scale


def check_indexes(gold: Any, others: Mapping[str, Any]) -> None:
    """UsageError for Series of pandas whose rows are named otherwise than gold's: by position they would be mixed up."""
    index = _index(gold)
    for what, labels in others.items():
        other = _index(labels)
        if index is not None and other is not None and len(index) == len(other) and not index.equals(other):
            raise UsageError(
                f"gold and {what} are Series whose indexes differ",
                hint="bring them into one order, as with .reindex, or pass .to_numpy() if they go by position",
            )


def _index(labels: Any) -> Any:
    return getattr(labels, "index", None) if type(labels).__module__.partition(".")[0] == "pandas" else None


def _texts_in(column: Coded, numbers: Integers) -> list[str]:
    """Some of a column's texts. DataError where one is missing."""
    texts = [column.texts[number] for number in numbers]
    return [text_of(text) for text in texts]  # which says what to do about a missing one


def _class_places(column: Coded, numbers: Integers, scale: Scale, side: str) -> Integers:
    """The class of each text, as a place on the scale. DataError for one that stands in the column and is no class."""
    places = np.full(len(column.texts), -1, dtype=np.int64)
    for number, text in zip(numbers.tolist(), _texts_in(column, numbers), strict=True):
        place = scale.find(text)
        places[number] = -1 if place is None else place
    outside = numbers[places[numbers] < 0]
    if not len(outside):
        return places
    wrong = column.positions(outside)
    distinct = list(dict.fromkeys(text_of(column.texts[number]) for number in column.codes[wrong[:10_000]] - column.low))
    shown = ", ".join(f"'{label}'" for label in distinct[:_MOST_PROBLEMS])
    raise DataError(
        say(
            "{wrong} not among the classes: {labels} (first at item {place})",
            wrong=counted(len(wrong), f"{side} label"),
            labels=shown,
            place=wrong[0] + 1,
        ),
        hint=scale.near(distinct[0]),
    )


def _checked_weights(weights: Iterable[float], items: int) -> Floats:
    try:
        array = np.asarray(weights if hasattr(weights, "__array__") else list(weights), dtype=float)
    except (TypeError, ValueError):
        raise DataError("the weights are not all numbers", hint="give one weight per item") from None
    if array.shape != (items,):
        raise DataError(
            say("{weights} weights for {items} items", weights=array.size, items=items), hint="give one weight per item"
        )
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if wrong.size:
        raise DataError(
            say("weight {weight} of item {place} is negative or not finite", weight=array[wrong[0]], place=wrong[0] + 1)
        )
    return array
