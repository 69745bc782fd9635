"""Which columns a table of text has: its separator, whether its first line names them, and what each one is, by its name or by
what it holds."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

from metameasure.cleaning.changes import Log
from metameasure.cleaning.repairs import NOTHING, ClassRepair, IndicatorRepair, NameRepair, NumberRepair, SetRepair, bare
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems
from metameasure.reading.files import Beginning, File
from metameasure.reading.options import Columns
from metameasure.reading.sources import Source
from metameasure.tasks.declaration import Layout

Row = Sequence[str]
INDICATOR = "indicator"
"""The role of a column that says which items have a label."""
_WORD = r"(?:p|pr|prob|probs|proba|probability|score)"
_OF_CLASS = (
    re.compile(rf"{_WORD}[\s_.:\-]*\((.+)\)", re.IGNORECASE),
    re.compile(rf"{_WORD}[\s_.:\-]+(.+)", re.IGNORECASE),
    re.compile(rf"(.+?)[\s_.:\-]+{_WORD}", re.IGNORECASE),
)
STANDARD = Columns()
"""What columns are called in files that are clean."""
_SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars", " ": "spaces"}
_SEPARATOR_LINE = re.compile(r"sep=.?\s*", re.IGNORECASE)
_SAMPLE = 200
_ROWS_AT_ONCE = 20_000
_MOST_LABELS = 2_000
"""A column with more different cells in so many rows is not one of labels."""
# A column is what most of its cells are, where no other column has more than a few such cells. Where two could be the key, it is
# the one whose cells nearly all differ.
_MOST, _A_FEW, _NEARLY_ALL = 0.5, 0.1, 0.9


@dataclass(frozen=True)
class Known:
    """What a table may hold: the task's layout, the names of columns that the user says, the names that gold has by role, and the
    classes. ``numeric`` where labels are numbers."""

    layout: Layout
    columns: Columns
    names: Mapping[str, NameRepair]
    classes: ClassRepair | None
    numeric: bool = False

    def repair(self, role: str, cells: Iterable[str] = ()) -> Any:
        """What repairs the cells of a column in that role; None where nobody knows what they should be."""
        if role in self.names:
            return self.names[role]
        if role == INDICATOR:
            return IndicatorRepair()
        if self.is_number(role):
            return NumberRepair.of({*cells})
        return self.of_classes if role in self.layout.classes else None

    @cached_property
    def of_classes(self) -> ClassRepair | SetRepair | None:
        """What repairs cells of classes."""
        return SetRepair(self.classes) if self.layout.sets and self.classes is not None else self.classes

    def is_number(self, role: str) -> bool:
        """Whether the cells of a column in that role are numbers."""
        return role in self.layout.numbers or (self.numeric and role in self.layout.classes)


@dataclass(frozen=True)
class Rows:
    """The rows of a file, each with its line: of text between separators, or of another kind of table."""

    file: Source
    separator: str = ""
    skipped: int = 0
    """How many lines come before the table."""

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        if not isinstance(self.file, File) or not self.file.is_text:
            columns = self.file.columns
            for record in self.file.records():
                if record.fault:
                    raise DataProblems([self.file.problem(record.line, record.fault, record.hint)])
                yield record.line, ["" if (cell := record.values.get(name)) is None else str(cell) for name in columns]
            return
        lines: Iterator[str] = islice(self.file.lines(), self.skipped, None)
        if self.separator == " ":
            lines = (" ".join(line.split()) + "\n" for line in lines)
        first = self.skipped + 1
        try:
            for row, end in self.file.rows(lines, strict=True):
                yield first, row
                first = self.skipped + end + 1
        except csv.Error as error:
            what = say("this is not a table ({error})", error=str(error))
            raise DataProblems([self.file.problem(first, what, "close every quote")]) from None


@dataclass(frozen=True)
class Found:
    """A table as it is to be read. ``roles`` are those of its columns, by place, with what each is to be called."""

    rows: Rows
    columns: tuple[str, ...]
    header: bool
    roles: Mapping[int, str]
    names: Mapping[int, str]
    numbered: bool = False
    """Whether rows have a number before the first column, which has no name."""

    def body(self) -> Iterator[tuple[int, list[str]]]:
        """The rows but for the header, without their numbers."""
        for place, (line, row) in enumerate(self.rows):
            if place or not self.header:
                yield line, row[1:] if self.numbered else row


def found_in(beginning: Beginning, known: Known, log: Log) -> Found | None:
    """How a file of text is to be read; None where that is not certain."""
    skipped = _skipped(beginning)
    named: list[Found] = []
    held: list[Found] = []
    for separator, rows in _candidates(beginning, len(skipped)):
        if separator not in beginning_line(rows):
            continue
        try:
            own, by_name = _read_with(rows, known, by_content=not named)
        except DataProblems:  # with another separator quotes may stand where they can
            continue
        if own is not None:
            (named if by_name else held).append(own)
    certain = named or held
    if len(certain) > 1:  # spaces may stand beside any other separator
        certain = [one for one in certain if one.rows.separator != " "]
    if len(certain) != 1:
        return None
    _told(certain[0], skipped, log)
    return certain[0]


def _read_with(rows: Rows, known: Known, *, by_content: bool) -> tuple[Found | None, bool]:
    """How a table is to be read that has this separator, and whether its header says so."""
    sample = [row for _, row in islice(rows, _SAMPLE) if any(row)]
    if not sample:
        return None, False
    first = sample[0]
    width = Counter(_width(row, len(first)) for row in sample).most_common(1)[0][0]
    if width < 2:
        return None, False
    named = _by_names(rows, first, width, known)
    if named is not None or not by_content:
        return named, True
    return _by_content(rows, first, width, known, header=True), False


def _width(row: Row, least: int) -> int:
    """How many cells a row has, without empty ones behind the last column."""
    width = len(row)
    while width > least and not row[width - 1].strip():
        width -= 1
    return width


def beginning_line(rows: Rows) -> str:
    """The first line of a table, as it stands."""
    assert isinstance(rows.file, File)  # noqa: S101 - only text has separators
    return next(islice(rows.file.lines(), rows.skipped, None), "").strip("\r\n")


def found_in_records(source: Source, known: Known, log: Log) -> Found | None:
    """The same of a table whose columns have names anyway: of JSON, Parquet or Arrow."""
    rows = Rows(source)
    found = _named(rows, source.columns, known, header=False)
    found = found or _by_content(rows, source.columns, len(source.columns), known, header=False)
    if found is not None:
        _told(found, (), log)
    return found


def _told(found: Found, skipped: Sequence[str], log: Log) -> None:
    for number, line in enumerate(skipped, start=1):
        log.add("separator line" if line.strip() else "empty row", lines=[number])
    if found.rows.separator not in ("", ",", "\t"):
        log.add("separator", old=_SEPARATORS[found.rows.separator])
    if found.numbered:
        log.add("row numbers")
    if not found.header and not found.columns:
        log.add("header", new=", ".join(found.names[place] for place in sorted(found.names)))
    for place, name in found.names.items():
        if found.columns and found.columns[place] != name:
            log.add("column", old=found.columns[place], new=name)


def _skipped(beginning: Beginning) -> list[str]:
    """The lines before the table: empty ones, and what Excel writes there about the separator."""
    lines = iter(beginning.head.splitlines())
    return list(takewhile(lambda line: not line.strip() or _SEPARATOR_LINE.fullmatch(line), lines))


def _candidates(beginning: Beginning, skipped: int) -> Iterator[tuple[str, Rows]]:
    for separator in _SEPARATORS:
        quotes = separator != "\t" or '"' in beginning.line
        file = File(beginning.path, beginning.shown, "csv", beginning.compression, (), separator=separator, quotes=quotes)
        yield separator, Rows(file, separator, skipped)


def plain(name: str) -> str:
    """A column's name but for spaces, quotes, capital letters and what stands between its words."""
    return re.sub(r"[\s_\-.]+", "", bare(name.strip(NOTHING))[0]).casefold()


def _by_names(rows: Rows, first: Row, width: int, known: Known) -> Found | None:
    """By what the first line calls the columns."""
    named = _named(rows, [bare(name)[0] for name in first], known, header=True)
    if named is None:
        return None
    if width == len(first) + 1 and _is_numbered(named):
        return replace(named, numbered=True)
    return named if len(first) == width else None


def _is_numbered(found: Found) -> bool:
    """Whether every row has one cell more than there are names, and it counts the rows."""
    rows = (row for place, (_, row) in enumerate(found.rows) if place and row)
    return all(len(row) == len(found.columns) + 1 and row[0] == str(place) for place, row in enumerate(rows, start=1))


def _named(rows: Rows, names: Sequence[str], known: Known, *, header: bool) -> Found | None:
    roles: dict[int, str] = {}
    for role in known.layout.roles:
        wanted = getattr(known.columns, role)
        exact = [place for place, name in enumerate(names) if name == wanted]
        alike = [place for place, name in enumerate(names) if plain(name) == plain(wanted) and place not in roles]
        place = exact[0] if exact else alike[0] if len(alike) == 1 else None
        if place is not None:
            roles[place] = role
    called = {place: getattr(STANDARD, role) for place, role in roles.items()}
    if known.layout.wide and known.classes is not None and not _is_whole(roles, known):
        of_classes = _columns_of_classes(names, known.classes)
        if of_classes:
            others = {place: role for place, role in roles.items() if place not in of_classes}
            if known.layout.wide not in others.values():
                others |= _wide_key(rows, names, {**others, **dict.fromkeys(of_classes, "")}, known, header=header)
            called = {place: getattr(STANDARD, role) for place, role in others.items()} | of_classes
            roles = others | dict.fromkeys(of_classes, INDICATOR if known.layout.sets else known.layout.numbers[0])
            return Found(rows, tuple(names), header, roles, called) if known.layout.wide in roles.values() else None
    return Found(rows, tuple(names), header, roles, called) if _is_whole(roles, known) else None


def _columns_of_classes(names: Sequence[str], classes: ClassRepair) -> dict[int, str]:
    """Where there is a column for each class, their places, with the classes; by their names, or by these and a word for
    probability, which all have. Nothing where that is not certain."""
    for pattern in (None, *_OF_CLASS):
        meant = {
            place: found
            for place, name in enumerate(names)
            if (found := name if pattern is None else match[1] if (match := pattern.fullmatch(name)) else "")
        }
        known = {place: classes(name)[0] for place, name in meant.items() if classes.fits(name)}
        if len({*known.values()}) == len(known) == len(classes.scale):
            return known
    return {}


def _wide_key(rows: Rows, names: Sequence[str], taken: Mapping[int, str], known: Known, *, header: bool) -> dict[int, str]:
    """The column of gold's names in a table that has a column for each class, by what it holds; nothing where that is not
    certain."""
    role = known.layout.wide
    if role not in known.names:
        return {}
    tally = _Tally(known, len(names), roles=(role,))
    body = (row for _, row in islice(rows, int(header), None) if len(row) >= len(names))
    while block := list(islice(body, _ROWS_AT_ONCE)):
        tally.add(block)
    place = tally.place(role, taken)
    return {} if place is None else {place: role}


def _is_whole(roles: Mapping[int, str], known: Known) -> bool:
    """Whether all columns are there that a table needs."""
    there = {*roles.values()}
    return {*known.layout.needed} <= there and (not known.layout.one_of or bool(there & {*known.layout.one_of}))


def _by_content(rows: Rows, first: Row, width: int, known: Known, *, header: bool) -> Found | None:
    """By what the columns hold: a role is a column's where it is certain, and every role that is needed has to be. ``header``
    where the first row may be the names of the columns; else they have names anyway."""
    named = {
        place: role
        for place, name in enumerate(first[:width])
        for role in known.layout.roles
        if plain(name) == plain(getattr(known.columns, role))
    }
    tally = _Tally(known, width)
    body = (row for _, row in islice(rows, int(header), None) if len(row) >= width)
    while block := list(islice(body, _ROWS_AT_ONCE)):
        tally.add(block)
    roles = dict(named)
    for role in known.layout.needed:
        if role in roles.values():
            continue
        place = tally.place(role, taken=roles)
        if place is None:
            return None
        roles[place] = role
    called = {place: getattr(STANDARD, role) for place, role in roles.items()}
    if not _is_whole(roles, known):
        return None
    data = False if named or not header else _is_data(first, roles, known)
    if data is None:
        return None
    if not data and len(first) == width:
        return Found(rows, tuple(bare(name)[0] for name in first), header=header, roles=roles, names=called)
    return Found(rows, (), header=False, roles=roles, names=called) if data else None


def _is_data(row: Row, roles: Mapping[int, str], known: Known) -> bool | None:
    """Whether a first line holds what the lines below hold, so that it names no columns. Where gold's names are known, they
    decide; None where that is not certain."""
    fits = {
        role: place < len(row) and repair.fits(row[place])
        for place, role in roles.items()
        if (repair := known.repair(role)) is not None
    }
    if known.layout.key in known.names and fits[known.layout.key]:
        return True
    return None if any(fits.values()) and not all(fits.values()) else all(fits.values())


@dataclass
class _Tally:
    """How many cells of each column are what a role asks for."""

    known: Known
    width: int
    rows: int = 0
    roles: tuple[str, ...] | None = None
    """Those that are looked for; left out, all that are needed."""
    fitting: dict[str, list[int]] = field(default_factory=dict)
    distinct: list[int] = field(default_factory=list)
    """How many different cells each column has, those of each block by themselves."""

    def __post_init__(self) -> None:
        self.repairs = {role: self.known.repair(role) for role in self.roles or self.known.layout.needed}
        self.fitting = {role: [0] * self.width for role in self.repairs}
        self.distinct = [0] * self.width

    def add(self, rows: Sequence[Row]) -> None:
        """Some rows; a cell that is there many times is looked at once."""
        self.rows += len(rows)
        for place in range(self.width):
            times = Counter(row[place] for row in rows)
            self.distinct[place] += len(times)
            for role, repair in self.repairs.items():
                if repair is not None and not (isinstance(repair, ClassRepair) and len(times) > _MOST_LABELS):
                    self.fitting[role][place] += sum(number for cell, number in times.items() if repair.fits(cell))

    def place(self, role: str, taken: Mapping[int, str]) -> int | None:
        """The one column whose cells are of that role; None if no column fits, or several do."""
        if not self.rows:
            return None
        if self.repairs[role] is None and role == self.known.layout.key:
            return self._of_distinct(taken)
        shares = {place: count / self.rows for place, count in enumerate(self.fitting[role]) if place not in taken}
        likely = [place for place, share in shares.items() if share >= _MOST]
        others = [place for place, share in shares.items() if _A_FEW < share < _MOST]
        if len(likely) > 1 and role == self.known.layout.key:
            likely = [place for place in likely if self.distinct[place] >= _NEARLY_ALL * self.rows]
        return likely[0] if len(likely) == 1 and not others else None

    def _of_distinct(self, taken: Mapping[int, str]) -> int | None:
        """Of gold, whose names nobody knows: the one column that has another cell in every row, beside one of classes."""
        distinct = [place for place in range(self.width) if place not in taken and self.distinct[place] == self.rows]
        return distinct[0] if len(distinct) == 1 and self.width == 2 else None
