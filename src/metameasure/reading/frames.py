"""A user's data frame, or plain sequences, as a source; of any library that Narwhals knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.errors import DataError, UsageError
from metameasure.core.lazily import nw
from metameasure.core.messages import say
from metameasure.core.problems import Problem
from metameasure.core.values import is_missing, repeated
from metameasure.reading.files import File
from metameasure.reading.options import check_names
from metameasure.reading.parts import Parts
from metameasure.reading.sources import Facts, Record, Rows, Source, as_texts
from metameasure.statistics.arrays import Floats


def is_frame(value: Any) -> bool:
    """Whether Narwhals knows it as a data frame."""
    library = type(value).__module__.partition(".")[0]
    is_column = library in ("pandas", "polars", "pyarrow") and not hasattr(type(value), "columns")
    if is_column or library in ("builtins", "numpy"):  # which need not be asked
        return False
    try:
        return isinstance(nw.from_native(value, pass_through=True), nw.DataFrame | nw.LazyFrame)
    except nw.exceptions.DuplicateError:
        return True


def column_names(frame: Any) -> list[str]:
    """The names of the columns of a data frame. UsageError if it is not a data frame."""
    return [str(name) for name in _known(frame, "the table")[1]]


def _known(frame: Any, what: str) -> tuple[Any, list[Any]]:
    """A data frame of any library, and the names of its columns."""
    try:
        known: Any = nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"{what} cannot be of type {type(frame).__name__}",
            hint="pass a path, or a pandas, polars, pyarrow, DuckDB or Spark frame",
        ) from None
    except nw.exceptions.DuplicateError:
        named = getattr(frame, "column_names", None) or frame.columns  # pyarrow's columns are the data
        raise _twice(what, named) from None
    return known, known.collect_schema().names()


def frame_source(frame: Any, what: str, scratch: Path) -> Source:
    """A data frame as a source, ``what`` being how messages call it. UsageError where it is none.

    A relation of DuckDB belongs to its own connection, so it is written down for ours to read.
    """
    known, names = _known(frame, what)
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
        return ClusterFrame.of(what, known)
    return Rows(what, _Columns(known.collect()))


def _twice(what: str, names: Iterable[Any]) -> DataError:
    """One name stands for two columns, as 1 and '1' do."""
    return DataError(
        say("{what}: two columns are called '{column}'", what=what, column=min(repeated(map(str, names)))),
        hint="give each column a name of its own",
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
            self._known[name] = _array(self._column(name))
        return self._known[name]

    def raw(self, name: str) -> Any:
        """A column of the frame itself."""
        return self._column(name).to_native()

    def _column(self, name: str) -> Any:
        return self._frame.get_column(self._frame.columns[self._names.index(name)])


def _array(series: Any) -> npt.NDArray[Any]:
    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        if series.null_count() == 0:
            array = np.asarray(series.to_numpy())
            if array.dtype.kind in "iufb":
                return array
        elif dtype.is_float():
            return np.asarray(series.fill_null(np.nan).to_numpy(), dtype=np.float64 if dtype == nw.Float64 else np.float32)
    listed = (value.tolist() if isinstance(value, np.ndarray) else value for value in series.to_list())
    return as_texts(listed)


@dataclass(frozen=True, eq=False)
class ClusterFrame(Source):
    """A frame that lives on a cluster and is queried there. Its columns go by place, c0, c1 and so on, so that no name can be
    read as anything else. ``here`` is the file that it is read from, where that lies on this machine too: its rows then have
    lines."""

    shown: str
    frame: Any
    columns: tuple[str, ...]
    here: File | Parts | None = None
    rewritten: frozenset[str] = frozenset()
    """The columns with values of which the reader here makes another text, such as 100000.0 of 1e5."""

    @classmethod
    def of(
        cls, shown: str, frame: Any, columns: Sequence[str] = (), here: File | Parts | None = None, **more: Any
    ) -> ClusterFrame:
        """A frame with its own columns, or with others in their place."""
        native = frame.to_native()
        names = tuple(columns or native.columns)
        placed = nw.from_native(native.toDF(*(f"c{place}" for place in range(len(names)))))
        if here is not None:
            more |= {one.name: getattr(here, one.name) for one in fields(Facts)}
        return cls(shown, placed, names, here=here, **more)

    def records(self) -> Iterator[Record]:
        return iter(()) if self.here is None else self.here.records()

    def matching(self, texts: list[str] | None) -> Iterator[Record]:
        return iter(()) if self.here is None else self.here.matching(texts)

    def problem(self, line: int, what: str, hint: str = "") -> Problem:
        return super().problem(line, what, hint) if self.here is None else self.here.problem(line, what, hint)

    def line_shown(self, line: int) -> int | str:
        return line if self.here is None else self.here.line_shown(line)

    def column(self, name: str) -> str:
        """The name of a column on the cluster."""
        return f"c{self.columns.index(name)}"


def on_this_machine(source: Source) -> Source | None:
    """What a source is read from here: of a table that a cluster reads the file, where that lies here too."""
    return source.here if isinstance(source, ClusterFrame) else source


@dataclass(frozen=True, eq=False)
class Sequences(Source):
    """Plain sequences of labels, gold's and the runs', by name; an item is known by its position."""

    shown: str
    sequences: Mapping[str, Any]
    columns: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.sequences))

    def raw(self, name: str) -> Any:
        """A sequence as it came."""
        return self.sequences[name]

    def records(self) -> Iterator[Record]:
        rows = enumerate(zip(*self.sequences.values(), strict=True), 1)
        return (Record(line, dict(zip(self.sequences, row, strict=True))) for line, row in rows)


def side_by_side(gold: Any, runs: Mapping[Any, Any], gold_column: str) -> Sequences:
    """Sequences of labels, all of one length."""
    check_names((gold_column, *map(str, runs)))
    sequences = {gold_column: _flat(gold, "gold"), **{str(name): _flat(one, f"run '{name}'") for name, one in runs.items()}}
    size = len(sequences[gold_column])
    for name, labels in sequences.items():
        if len(labels) != size:
            hint = "pass runs by name, as in {'svm': predicted}" if is_matrix(labels) else "give one per item, in the same order"
            raise UsageError(f"{size} gold labels but {len(labels)} of '{name}'", hint=hint)
    return Sequences("gold", sequences)


def numbers_by_name(sequences: Mapping[Any, Any]) -> Rows:
    """Sequences of numbers by name, all of one length: a column for each. UsageError where they are not."""
    check_names([*map(str, sequences)])
    columns = {str(name): _numbers(_flat(values, f"run '{name}'")) for name, values in sequences.items()}
    (first, size), *others = ((name, len(column)) for name, column in columns.items())
    for name, own in others:
        if own != size:
            raise UsageError(f"{size} scores of '{first}' but {own} of '{name}'", hint="give one per item, in the same order")
    return Rows("the scores", columns)


def labels_in_order(labels: Any, what: str) -> Rows:
    """One sequence of labels, whose items are known by their places."""
    return Rows(what, {"label": as_texts(_flat(labels, what))})


def _numbers(values: Any) -> npt.NDArray[Any]:
    listed = values.to_list() if hasattr(values, "to_list") else values.tolist() if hasattr(values, "tolist") else list(values)
    array = np.asarray([math.nan if is_missing(value) else value for value in listed])
    return array if array.dtype.kind in "iufb" else as_texts(listed)


def is_sequence(value: Any) -> bool:
    """Whether it is labels in a row: a list, a tuple, an array or a column, but no frame, path or mapping."""
    if isinstance(value, str | Path | Mapping) or is_frame(value):
        return False
    return isinstance(value, Sequence) or hasattr(value, "__array__") or hasattr(value, "to_list")


def is_matrix(value: Any) -> bool:
    """Whether it is rows of numbers: an array, or a list of lists, but no frame."""
    if isinstance(value, list | tuple):
        return bool(value) and not isinstance(value[0], str) and hasattr(value[0], "__len__")
    dimensions = getattr(value, "ndim", 1)  # of a cluster's frame, that would be a column
    return isinstance(dimensions, int) and dimensions == 2 and hasattr(value, "__array__") and not is_frame(value)


def arrays_by_name(gold: Any, runs: Any, example: str, row: str) -> tuple[tuple[str, ...], dict[str, Floats]]:
    """The names of the runs, and gold and runs as arrays, by what messages call them. UsageError for what are no rows of numbers:
    ``example`` is what a run has, ``row`` what each of its rows is for."""
    named = {} if runs is None else runs
    if not isinstance(named, Mapping) or not all(map(is_matrix, named.values())):
        raise UsageError("gold is an array, but the runs are not arrays by name", hint=f"pass {{'svm': {example}, ...}}")
    names = tuple(map(str, named))
    check_names(names)
    arrays = {}
    for what, side in zip(("gold", *(f"run '{name}'" for name in names)), (gold, *named.values()), strict=True):
        try:
            arrays[what] = np.ascontiguousarray(side, dtype=float)  # sums depend on the layout in their last digits
        except (TypeError, ValueError):
            why = f"{what} has rows of different lengths, or what is no number"
            raise UsageError(why, hint=f"give a row per {row}") from None
    return names, arrays


def _flat(labels: Any, what: str) -> Any:
    """A sequence; UsageError where it has more than one dimension."""
    shape = getattr(labels, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise UsageError(f"{what} has the shape {shape}", hint="give one label per item, in one dimension")
    return labels
