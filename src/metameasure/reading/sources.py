"""What data is read from, whatever it is: a table on disk, or rows that are in memory. Both name their columns and tell their
records with line numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from metameasure.core.choices import Better
from metameasure.core.errors import did_you_mean
from metameasure.core.messages import say
from metameasure.core.problems import Origin, Problem, ProblemsOfFile
from metameasure.core.scale import text_of
from metameasure.core.values import is_missing

UNREAD = ""
"""The name of a column that a file without header has and nobody reads."""
NOT_UTF8 = "bytes that are not UTF-8", "save the file as UTF-8"
"""What is wrong with a line in which a reader has put U+FFFD for bytes, and what to do."""


@dataclass(frozen=True)
class Record:
    """A row and its line; where the row itself is wrong, what is wrong with it and what to do."""

    line: int
    values: Mapping[str, Any]
    fault: str = ""
    hint: str = ""

    def wrong(self) -> tuple[str, str] | None:
        """What is wrong with the row and what to do, bytes that are not UTF-8 among it; None where nothing is."""
        if self.fault:
            return self.fault, self.hint
        if any(isinstance(value, str) and "\ufffd" in value for value in self.values.values()):
            return NOT_UTF8
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """What is known of a table besides its rows. ``header`` says whether its first line names the columns.

    ``counted``: each row is one vote, to be added to others like it. ``graded``: values are grades of a pool of documents, beside
    which a run may have retrieved others. ``partial``: judges saw a few items each, so that a run may well have more.
    """

    header: bool = True
    counted: bool = False
    graded: bool = False
    partial: bool = False
    notes: tuple[str, ...] = ()
    format_name: str = ""
    """The format of the field that it is of; empty for a plain table."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What this format calls a segment and an item."""
    better: Mapping[str, Better] = field(default_factory=dict)
    """Of measures that outcomes name: which scores are better, where the file says so."""
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """The least and the greatest score that there can be by a measure, where the file says so."""
    revision: str = ""
    """Of which revision the data are that it is about, where the file says so."""
    apart: str = ""
    """What tells its runs from those of another file that have the same names: settings, or a date."""


class Source(Facts, Origin, ABC):
    """A table."""

    columns: tuple[str, ...]

    @property
    def header_line(self) -> int:
        """The line that names the columns, for what is said of them; 0 where no line does."""
        return 1 if self.header else 0

    def no_column(self, name: str) -> Problem:
        """That there is no such column."""
        hint = did_you_mean(name, self.columns) or say("its columns are {names}", names=", ".join(self.columns))
        return self.problem(self.header_line, say("there is no column '{name}'", name=name), hint)

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """Its rows, one after the other."""

    def matching(self, texts: list[str] | None) -> Iterator[Record]:
        """The records in which one of these texts stands somewhere, or any others besides; without texts, all records."""
        return self.records()

    def sound(self, problems: ProblemsOfFile) -> Iterator[Record]:
        """The records with which nothing is wrong; what is wrong with the others goes to the problems."""
        for record in self.records():
            if wrong := record.wrong():
                problems.add(record.line, *wrong)
            else:
                yield record


@dataclass(frozen=True, eq=False)
class Rows(Source):
    """Rows in memory: columns of text (None where there is none) or of numbers (NaN where there is none), and their lines."""

    shown: str
    values: Mapping[str, npt.NDArray[Any]]
    lines: npt.NDArray[np.int64] | None = None
    columns: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.values))

    def column(self, name: str) -> npt.NDArray[Any]:
        """The values of a column."""
        return self.values[name]

    def raw(self, name: str) -> Any:
        """A column as it came: of a data frame, its own."""
        own = getattr(self.values, "raw", None)
        return self.values[name] if own is None else own(name)

    def records(self) -> Iterator[Record]:
        """One after the other; without lines of their own, rows are counted from 1."""
        size = len(next(iter(self.values.values()))) if self.values else 0
        lines = range(1, size + 1) if self.lines is None else self.lines.tolist()
        listed = [self.values[name].tolist() for name in self.values]
        for line, row in zip(lines, zip(*listed, strict=True), strict=True):
            values = {name: None if is_missing(value) else value for name, value in zip(self.values, row, strict=True)}
            yield Record(int(line), values)


def as_texts(values: Iterable[Any]) -> npt.NDArray[np.object_]:
    """Values of any kind as texts, None where there is none."""
    return text_array([None if is_missing(value) else text_of(value) for value in values])


def text_array(values: Sequence[Any]) -> npt.NDArray[np.object_]:
    """Text as an array of Python's own strings."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
