"""A user's data frame, or plain sequences, as a source; of any library that Narwhals knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from narwhals.exceptions import DuplicateError

from metameasure.errors import DataError, UsageError
from metameasure.formats.files import File
from metameasure.formats.sources import Record, Rows, Source, text_array
from metameasure.scale import text_of
from metameasure.values import is_missing, repeated


def is_frame(value: Any) -> bool:
    """Whether Narwhals knows it as a data frame."""
    try:
        return isinstance(nw.from_native(value, pass_through=True), nw.DataFrame | nw.LazyFrame)
    except DuplicateError:
        return True


def frame_source(frame: Any, what: str, scratch: Path) -> Source:
    """A data frame as a source, ``what`` being how messages call it. UsageError where it is none.

    A relation of DuckDB belongs to its own connection, so it is written down for ours to read.
    """
    try:
        known: Any = nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"{what} is {type(frame).__name__}, not a data frame",
            hint="pass a path, or a pandas, polars, pyarrow, DuckDB or Spark frame",
        ) from None
    except DuplicateError:
        named = getattr(frame, "column_names", None) or frame.columns  # pyarrow's columns are the data
        raise _twice(what, named) from None
    names = known.collect_schema().names()
    if repeated(map(str, names)):
        raise _twice(what, names)
    if not isinstance(known, nw.LazyFrame):
        return Rows(what, _Columns(known))
    if known.implementation.is_duckdb():
        path = scratch / f"relation-{len(list(scratch.iterdir()))}.parquet"
        known.to_native().write_parquet(str(path))
        types = tuple(map(str, known.collect_schema().values()))
        return File(path, what, "parquet", "", tuple(names), engine_columns=tuple(names), types=types)
    if known.implementation.is_spark_like():
        return ClusterFrame(what, known)
    return Rows(what, _Columns(known.collect()))


def _twice(what: str, names: Iterable[Any]) -> DataError:
    """One name stands for two columns, as 1 and '1' do."""
    return DataError(
        f"{what}: two columns are called '{min(repeated(map(str, names)))}'", hint="give each column a name of its own"
    )


class _Columns(Mapping[str, Any]):
    """The columns of a frame as arrays that the engine reads: numbers, or text and None; made when asked for."""

    def __init__(self, frame: Any) -> None:
        self._frame, self._names, self._known = frame, tuple(map(str, frame.columns)), dict[str, npt.NDArray[Any]]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._known:
            self._known[name] = _array(self._frame.get_column(self._frame.columns[self._names.index(name)]))
        return self._known[name]


def _array(series: Any) -> npt.NDArray[Any]:
    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        if series.null_count() == 0:
            array = np.asarray(series.to_numpy())
            if array.dtype.kind in "iufb":
                return array
        elif dtype.is_float():
            return np.asarray(series.fill_null(np.nan).to_numpy(), dtype=np.float64 if dtype == nw.Float64 else np.float32)
    return text_array([None if is_missing(value) else text_of(value) for value in series.to_list()])


@dataclass(frozen=True, eq=False)
class ClusterFrame(Source):
    """A frame that lives on a cluster and is queried there. Its rows have no lines."""

    shown: str
    frame: Any
    columns: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.frame.collect_schema().names()))

    def records(self) -> Iterator[Record]:
        return iter(())


def side_by_side(gold: Any, runs: Mapping[Any, Any], gold_column: str, item_column: str) -> Rows:
    """Plain sequences of labels as a table: the items go by their position."""
    columns = {gold_column: _sequence(gold, "gold")}
    for name, labels in runs.items():
        if str(name) in columns:
            raise UsageError(f"two runs are called '{name}'", hint="give each run a name of its own")
        columns[str(name)] = _sequence(labels, f"run '{name}'")
    size = len(columns[gold_column])
    for name, labels in columns.items():
        if len(labels) != size:
            raise UsageError(f"{size} gold labels but {len(labels)} of '{name}'", hint="give one per item, in the same order")
    return Rows("the labels", {item_column: np.arange(1, size + 1), **columns})


def is_sequence(value: Any) -> bool:
    """Whether it is labels in a row: a list, a tuple, an array or a column, but no frame, path or mapping."""
    if isinstance(value, str | Path | Mapping) or is_frame(value):
        return False
    return isinstance(value, Sequence) or hasattr(value, "__array__") or hasattr(value, "to_list")


def _sequence(labels: Any, what: str) -> npt.NDArray[Any]:
    """Labels as text; what is missing, or masked, as None."""
    if isinstance(labels, np.ma.MaskedArray):
        listed = labels.tolist()
    elif hasattr(labels, "__array__"):
        array = np.asarray(labels)
        if array.ndim != 1:
            raise UsageError(f"{what} has the shape {array.shape}", hint="give one label per item, in one dimension")
        listed = array.tolist()
    else:
        listed = list(labels)
    return text_array([None if is_missing(value) else text_of(value) for value in listed])
