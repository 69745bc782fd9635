"""One table on disk: what kind of table a file is, by its beginning (compression, format, columns), and its records with their
line numbers, read in pure Python for a second look."""

from __future__ import annotations

import codecs
import csv
import io
import json
import mmap
import re
import shutil
import struct
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import IO, Any, Literal

import numpy as np

from metameasure.core.messages import say
from metameasure.core.notes import counted
from metameasure.core.problems import DataProblems, ProblemsOfFile
from metameasure.core.values import repeated
from metameasure.reading.duckdb_connection import connected
from metameasure.reading.no_tables import NO_TABLES, WORKBOOK, no_table_in
from metameasure.reading.on_disk import (
    Compression,
    OnDisk,
    arrow_table,
    check_expansion,
    first_line,
    literal_path,
    parquet_rows,
    readable,
    sql_name,
    without_compression,
)
from metameasure.reading.options import ReadOptions
from metameasure.reading.sources import Record, Rows, Source, text_array
from metameasure.reading.zstandard import is_whole

Format = Literal["csv", "tsv", "jsonl", "parquet", "arrow"]
_SMALL_BLOCK, _BLOCK = 1 << 12, 1 << 20
_ROWS_AT_ONCE = 1_000
_FIELD_LIMIT = Lock()
"""Held by whoever changes how long a field may be, which Python's reader knows for the whole process only."""
# How many lines are looked at to tell formats apart that differ in no line by itself.
_MOST_ROWS = 20_000
_BY_EXTENSION: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
ENDINGS = (*_BY_EXTENSION, ".txt", ".tab", ".dat", ".out", ".pred")
"""What names of tables end in."""
_ZIP = b"PK\x03\x04"
_ZSTANDARD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
_BINARY: dict[bytes, Format] = {b"PAR1": "parquet", b"ARRO": "arrow"}
_LIST = re.compile(r'\s*\[[\[\s]*($|[\]{"\d-]|(true|false|null)\b)')
_SECTION = re.compile(r"\s*\[+[^\[\]]+\]+\s*([#;].*)?")
_LONGEST_LINE = 2_000_000
"""The engine's own limit; but it passes over a last line that is much longer in silence."""
_TOO_LONG = f"the line is longer than {_LONGEST_LINE // 10**6} MB", "leave out long texts: ids and labels are enough"


@dataclass(frozen=True, eq=False)
class File(OnDisk, Source):
    """A table on disk. ``engine_columns`` are the engine's own names of the columns, where they are not by place."""

    path: Path
    shown: str
    format: Format
    compression: Compression
    columns: tuple[str, ...]
    separator: str = ""
    quotes: bool | None = None
    engine_columns: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    """Of a binary file's columns: files of other types are not read in one go, or the engine would make all like the first."""
    line_column: str = ""
    """The engine's name of the column that says in which line a row stands, of a binary file that is made from another one."""
    more_keys: bool = False
    """Of JSONL of which only the first object was looked at: others may have further keys."""

    @property
    def delimiter(self) -> str:
        return self.separator or ("\t" if self.format == "tsv" else ",")

    @property
    def quoted(self) -> bool:
        """Whether fields may be in double quotes: in CSV they may; in TSV a quote is a character like any other."""
        return self.format == "csv" if self.quotes is None else self.quotes

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each column stands, counted from 0."""
        return {name: place for place, name in enumerate(self.columns)}

    @property
    def is_text(self) -> bool:
        return self.format in ("csv", "tsv")

    @property
    def is_binary(self) -> bool:
        return self.format in ("parquet", "arrow")

    def json_columns(self, keys: Iterable[str]) -> tuple[str, ...]:
        """The keys of all objects of JSONL, those of the first one first."""
        return tuple(dict.fromkeys([*self.columns, *sorted(keys)]))

    def rows(self, lines: Iterator[str], *, strict: bool) -> Iterator[tuple[list[str], int]]:
        """The fields of each row, and the line where it ends."""
        if self.quoted:
            return _rows(csv.reader(lines, delimiter=self.delimiter, strict=strict))
        return _rows(csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE))

    def records(self) -> Iterator[Record]:
        """Each record with its line, in pure Python: for the second look at a file that failed."""
        with readable(self.shown):
            if self.format == "jsonl":
                yield from _json_records(enumerate(self.lines(), start=1))
            elif self.is_text:
                yield from self._separated_records()
            else:
                yield from self._engine_records()

    def has_rows(self) -> bool:
        """Whether there is a row in it."""
        if self.format == "parquet":
            with readable(self.shown):
                return parquet_rows(connected(), [self.path]) > 0
        return next(self.records(), None) is not None

    def matching(self, texts: list[str] | None) -> Iterator[Record]:
        """The records in which one of the texts stands somewhere, the empty text being an empty cell. A search through bytes is
        many times faster than reading every record; where a record may span lines, all are read."""
        if texts is None or not texts or self.is_binary or self.compression or not self.path.stat().st_size:
            yield from self.records()
            return
        with self.path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            spans_lines = self.quoted and _find(content, b'"') >= 0
            written_otherwise = self.format == "jsonl" and ("" in texts or _find(content, b"\\") >= 0)
            if spans_lines or written_otherwise or ("" in texts and self._has_nothing_at_an_end(content)):
                yield from self.records()
            else:
                yield from self._lines_with(content, texts)

    def _first_line(self, content: mmap.mmap) -> int:
        """Where the first record begins, behind a byte order mark."""
        if self.header and self.is_text:
            return content.find(b"\n") + 1
        return len(codecs.BOM_UTF8) if content[:3] == codecs.BOM_UTF8 else 0

    def _has_nothing_at_an_end(self, content: mmap.mmap) -> bool:
        """Whether the first cell of all is empty, or the last one: those that do not stand between separators and line ends."""
        separator, first = self.delimiter.encode(), self._first_line(content)
        return separator in (content[first : first + 1], content[-1:])

    def _lines_with(self, content: mmap.mmap, texts: list[str]) -> Iterator[Record]:
        # Each text is looked for by itself: that is several times faster than one pattern of them all.
        first = self._first_line(content)
        wanted = {one for text in texts for one in ([text.encode()] if text else self._empty_cells(content))}
        places = {one: place for one in wanted if (place := _find(content, one, first)) >= 0}
        line, at = _count(content, b"\n", 0, first), first
        while places:
            next_text = min(places, key=places.__getitem__)
            inside = places[next_text] + next_text.startswith(b"\n")
            start = content.rfind(b"\n", 0, inside) + 1
            end = content.find(b"\n", inside) + 1 or len(content)
            line += _count(content, b"\n", at, start)
            yield from self._parsed(content[start:end].decode("utf-8-sig", "replace"), line + 1)
            line, at = line + 1, end
            behind = end - content[start:end].endswith(b"\n")  # which may be what stands before an empty cell of the next line
            places = {
                one: later
                for one, place in places.items()
                if (later := place if place >= behind else _find(content, one, behind)) >= 0
            }

    def _empty_cells(self, content: mmap.mmap) -> list[bytes]:
        """What stands around an empty cell, unless it is the first or the last of all: at the begin of a line, at its end, and
        within it where there are more than two columns."""
        separator = self.delimiter.encode()
        ends = [b"\n", b"\r"] if _find(content, b"\r") >= 0 else [b"\n"]
        within = [separator * 2] if len(self.columns) > 2 else []
        return [b"\n" + separator, *(separator + end for end in ends), *within]

    def _parsed(self, line: str, number: int) -> Iterator[Record]:
        if self.format == "jsonl":
            return _json_records([(number, line)])
        return (self._record(number, row) for row, _ in self.rows(iter([line.rstrip("\r\n")]), strict=False))

    def _record(self, line: int, row: list[str]) -> Record:
        values = dict(zip(self.columns, row, strict=False))
        if len(row) == len(self.columns):
            return Record(line, values)
        what = f"{counted(len(row), 'field')} instead of {len(self.columns)}"
        return Record(line, values, what, "is a separator missing, or one too many?")

    def _separated_records(self) -> Iterator[Record]:
        last = 0
        try:
            for row, line in self.rows(self.lines(), strict=True):
                if row and (last or not self.header):
                    yield self._record(last + 1, row)
                last = line
        except csv.Error as error:
            yield Record(last + 1, {}, *_csv_fault(error))

    def lines(self) -> Iterator[str]:
        """Lines; bytes that are not UTF-8 as U+FFFD, so that the rest of the file can still be looked at."""
        with self.opened() as stream, io.TextIOWrapper(stream, "utf-8-sig", "replace", newline="") as text:
            yield from text

    def odd_line_end(self) -> int:
        """The first line of a text file that ends in another way than the first line does; 0 where all end alike."""
        ends = (line[len(line.rstrip("\r\n")) :] for line in self.lines()) if self.is_text else iter(())
        first = next(ends, "")
        return next((number for number, end in enumerate(ends, start=2) if end and end != first), 0)

    def _engine_records(self) -> Iterator[Record]:
        if self.format == "arrow":
            yield from (Record(number, row) for number, row in enumerate(arrow_table(self.path, self.shown).to_pylist(), start=1))
            return
        line = sql_name(self.line_column) if self.line_column else "NULL"
        names = ", ".join([line, *map(sql_name, self.engine_columns)])
        query = f"SELECT {names} FROM read_parquet(?, hive_partitioning = false)"  # noqa: S608
        rows = connected(ordered=True).execute(query, [literal_path(self.path)])
        number = 0
        while block := rows.fetchmany(10_000):
            for number, (line, *row) in enumerate(block, start=number + 1):  # noqa: B020
                yield Record(number if line is None else int(line), dict(zip(self.columns, row, strict=True)))


def _find(content: mmap.mmap, what: bytes, start: int = 0) -> int:
    """Where something stands next in a file, -1 for nowhere. A memory map itself searches byte by byte; blocks of it are searched
    many times faster, small ones first, since it may be near."""
    size = _SMALL_BLOCK
    while start < len(content):
        place = content[start : start + size + len(what) - 1].find(what)
        if place >= 0:
            return start + place
        start, size = start + size, min(4 * size, _BLOCK)
    return -1


def _count(content: mmap.mmap, what: bytes, start: int, end: int) -> int:
    """How many times something stands in a part of a file; in blocks, for a memory map itself cannot count."""
    return sum(content[first : min(first + _BLOCK, end)].count(what) for first in range(start, end, _BLOCK))


def _rows(reader: Any) -> Iterator[tuple[list[str], int]]:
    """What Python's reader of CSV reads, each row with the line where it ends. A field may be of any length, while we read."""
    fault: Exception | None = None
    ended = False
    while not ended:
        block: list[tuple[list[str], int]] = []
        with _FIELD_LIMIT:
            usual = csv.field_size_limit(sys.maxsize)
            try:
                block.extend((row, reader.line_num) for row in islice(reader, _ROWS_AT_ONCE))
            except Exception as error:  # a fault of the file, which comes after the rows before it
                fault = error
            finally:
                csv.field_size_limit(usual)
        ended = fault is not None or len(block) < _ROWS_AT_ONCE
        yield from block
    if fault is not None:
        raise fault


def _csv_fault(error: csv.Error) -> tuple[str, str]:
    if "unexpected end of data" in str(error):
        return "a quote is opened and never closed", "close it, or double it if it belongs to the text"
    return f"this is not CSV ({error})", "put fields with quotes or commas in double quotes, and double the quotes inside"


def _json_records(lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            pairs = json.loads(line, object_pairs_hook=_Pairs)
        except (ValueError, RecursionError):
            pairs = None
        if not isinstance(pairs, _Pairs):
            yield Record(number, {}, "this is not a JSON object", "JSONL has one object per line")
            continue
        twice = repeated(key for key, _ in pairs)
        fault = (f"'{twice[0]}' is there twice", "keep one of the two values") if twice else ()
        yield Record(number, {key: _json_text(value) for key, value in pairs}, *fault)


class _Pairs(list[Any]):
    """The members of a JSON object, all of them."""


def _json_text(value: Any) -> Any:
    """A JSON value as the engine turns it into text."""
    if isinstance(value, _Pairs):
        value = dict(value)
    return json.dumps(value, separators=(",", ":"), default=dict) if isinstance(value, bool | dict | list) else value


@dataclass(frozen=True)
class Beginning(OnDisk):
    """A file seen from outside: enough to tell its format by."""

    shown: str
    path: Path
    compression: Compression
    start: bytes

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """Its text; DataProblems where it is damaged, cut short, or an archive."""
        self.refuse_archive()
        with super().stream() as stream:
            yield stream

    @property
    def is_archive(self) -> bool:
        """Whether it is a ZIP archive, and no workbook, which is one too."""
        return self.start == _ZIP and WORKBOOK not in self.members

    def refuse_archive(self) -> None:
        """DataProblems where the file is an archive: only formats that are archives look into one."""
        if self.start == _ZIP:
            what, hint = no_table_in(self.members)
            raise self.error(0, say("this is {what}, not a table", what=what), hint)

    @cached_property
    def line(self) -> str:
        """The first line, without byte order mark; whatever is not UTF-8 as U+FFFD."""
        if self.format in ("parquet", "arrow") or self.start == _ZIP:
            return ""
        with self.stream() as stream:
            return stream.readline(1 << 16).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").rstrip("\r\n")

    @cached_property
    def head(self) -> str:
        """The first 64 kB of a text; whatever is not UTF-8 as U+FFFD."""
        if self.start in _BINARY or self.start == _ZIP:
            return ""
        with self.stream() as stream:
            return stream.read(1 << 16).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Of JSON, the keys of the first object, or of the first one in a list: those that stand in the head."""
        return tuple(_outer_keys(self.head)) if self.head.lstrip()[:1] in ("{", "[") else ()

    def has_keys(self, options: ReadOptions, keys: Iterable[str]) -> bool:
        """Whether JSON begins with an object that has these keys; not where any JSON is taken for ratings."""
        return options.task != "agreement" and {*keys} <= {*self.keys}

    @cached_property
    def members(self) -> tuple[str, ...]:
        """What an archive holds, by name; nothing where the file is none, or damaged."""
        return _members(self.path) if self.start == _ZIP else ()

    @property
    def name(self) -> str:
        """Its path in lower case, without the ending of a compression."""
        return without_compression(self.shown.lower())

    @cached_property
    def format(self) -> Format | None:
        """By its content, or else by its name."""
        if self.start in _BINARY:
            return _BINARY[self.start]
        guess = _BY_EXTENSION.get(Path(self.name).suffix)
        if guess in ("parquet", "arrow"):
            raise self.error(0, say("this is not {guess}, although its name says so", guess=guess), "write the file again")
        return guess

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """What stands in the first line of a table of text."""
        tabs = self.format == "tsv" or (self.format is None and "\t" in self.line)
        return tuple(_cells(self.line, "\t" if tabs else ","))

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """What stands in the first lines, between tabs: of those that have as many cells as the first."""
        with self.stream() as stream:
            lines = (line.decode("utf-8", "replace").rstrip("\r\n") for line in islice(stream, _MOST_ROWS))
            rows = tuple(tuple(line.removeprefix("\ufeff").split("\t")) for line in lines)
        return tuple(row for row in rows if len(row) == len(rows[0]))


_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\]:]')


def _outer_keys(text: str) -> Iterator[str]:
    """The keys of the first object of a JSON text that may be cut short."""
    depth, outermost, last = 0, 1 if text.lstrip().startswith("{") else 2, ""
    for match in _TOKEN.finditer(text):
        part = match[0]
        if part == ":" and depth == outermost:
            yield last
        elif part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth < outermost:
                return
        last = part[1:-1]


def _members(path: Path) -> tuple[str, ...]:
    try:
        with zipfile.ZipFile(path) as archive:
            return tuple(archive.namelist())
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error):
        return ()


def split_lines(beginning: Beginning, names: Sequence[str], split: Callable[[str], Sequence[str]], *, hint: str) -> Rows:
    """The lines of a text file, compressed or not, as rows: ``split`` gives the cells of a line, one for each of ``names``. Each
    line that has fewer or more, or is not UTF-8, is a problem; ``hint`` says what a line should look like."""
    problems, rows, places = ProblemsOfFile(beginning.shown), list[Sequence[str]](), list[int]()
    with beginning.stream() as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = (raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw).decode().rstrip("\r\n")
            except UnicodeDecodeError:
                problems.add(number, "the line is not UTF-8", "save the file as UTF-8")
                continue
            cells = split(line) if line.strip() else ()
            if cells and len(cells) != len(names):
                problems.add(number, say("'{line}' has {cells}", line=line, cells=counted(len(cells), "part")), hint)
            elif cells:
                rows.append(cells)
                places.append(number)
    problems.raise_any()
    columns = zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True)
    return Rows(beginning.shown, {name: text_array(cells) for name, cells in columns}, np.array(places, dtype=np.int64))


def look(shown: str, path: Path, *, whole: bool = True, needs: str = "it needs a header and one row per item") -> Beginning:
    """A file's beginning. DataProblems where it is no data at all, or cut short; unless ``whole``, a compressed file is not read
    to its end. ``needs`` says what an empty file lacks."""
    with readable(shown):
        with path.open("rb") as stream:
            start = stream.read(4)
        beginning = Beginning(shown, path, "zst" if start == _ZSTANDARD else "gz" if start[:2] == _GZIP else "", start)
        if not start:
            raise beginning.error(0, "the file is empty", needs)
        if beginning.compression == "zst" and not is_whole(path):
            raise EOFError
        if beginning.compression == "gz" and whole:
            _check_gzip(beginning)
    if start in NO_TABLES:
        what, hint = NO_TABLES[start]
        raise beginning.error(0, say("this is {what}, not a table", what=what), hint)
    return beginning


def read_json(beginning: Beginning) -> Any:
    """What a file that is one JSON value says; DataProblems where it is not JSON."""
    with beginning.stream() as stream:
        text = stream.read()
    try:
        return json.loads(text.decode("utf-8-sig"), object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise beginning.error(0, "the file is not UTF-8", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        raise beginning.error(error.lineno, say("this is not JSON ({msg})", msg=error.msg), "write the file again") from None
    except ValueError as error:
        raise beginning.error(0, say("this is not JSON ({error})", error=error), "write the file again") from None
    except RecursionError:
        raise beginning.error(0, "the JSON is nested too deeply", "write the file again") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different: of a key that is there twice, readers disagree about which value counts."""
    held = dict(pairs)
    if len(held) < len(pairs):
        raise ValueError(f"'{repeated(key for key, _ in pairs)[0]}' is there twice")
    return held


def is_json(beginning: Beginning) -> bool:
    """Whether the file is called JSON, compressed or not."""
    return beginning.name.endswith(".json")


def _check_gzip(file: Beginning) -> None:
    """Reads it through: Python compares checksum and length at the end, which the engine does not."""
    with file.opened() as stream:
        size = 0
        while block := stream.read(1 << 20):
            size += len(block)
            check_expansion(file.path, size)


def table(
    beginning: Beginning,
    options: ReadOptions,
    scratch: Path,
    *,
    columns: tuple[str, ...] | None = None,
    notes: tuple[str, ...] = (),
    whole: bool = True,
) -> File:
    """A file as a table. ``columns`` where its first line does not name them. DataProblems where it cannot be one. Unless
    ``whole``, no more than its beginning is read; of JSONL, only the first object's columns are then known."""
    beginning.refuse_archive()
    with readable(beginning.shown):
        format = beginning.format
        if format in ("parquet", "arrow"):
            return _binary(beginning, format)
        line = _header_line(beginning)
        if opens_list(line):
            raise beginning.error(1, "this is a JSON list, not a table", "write JSONL, one object per line")
        if _SECTION.fullmatch(line):
            raise beginning.error(1, "this is a file of settings (TOML or INI), not a table", "name the data instead")
        if format is None:
            format = "jsonl" if line.lstrip().startswith("{") else "tsv" if "\t" in line else "csv"
        file = File(beginning.path, beginning.shown, format, beginning.compression, (), notes=notes)
        if format == "jsonl":
            first = _first_object(file, line)
            if not whole:
                return replace(file, columns=first)
            file = _without_mark(file, scratch)
            return replace(file, columns=first, more_keys=True) if options.need_no_more(first) else _with_json_keys(file, first)
        _check_last_line(file)
        return _with_header(file, line, options) if columns is None else replace(file, columns=columns, header=False)


def opens_list(line: str) -> bool:
    """Whether a first line begins a list in JSON: behind the brackets there is a value, or nothing yet."""
    return _LIST.match(line) is not None


def _check_last_line(file: File) -> None:
    if file.compression or file.path.stat().st_size <= _LONGEST_LINE:
        return
    with file.path.open("rb") as stream:
        stream.seek(-_LONGEST_LINE, 2)
        if b"\n" not in stream.read().rstrip(b"\n"):
            raise file.error(sum(1 for _ in file.path.open("rb")), *_TOO_LONG)


def _separated(file: File, line: str, options: ReadOptions) -> File:
    """The file with the separator that its first line has, whatever its name says; quotes that stand around every name of a TSV
    file's header, as R writes them, stand around its fields."""
    known = options.columns.names()
    if not known & set(_cells(line, file.delimiter)):
        for separator, quotes in (("\t", file.format == "csv" and '"' in line), (",", True)):
            if known & set(_cells(line, separator)):
                return replace(file, separator=separator, quotes=quotes or _all_quoted(line, separator))
        if known & set(_cells(" ".join(line.split()), " ")):
            hint = 'use tabs, or commas in a .csv file (in R, sep = "\\t" and row.names = FALSE)'
            raise file.error(1, "the columns are separated by spaces", hint)
    return replace(file, quotes=True) if file.format == "tsv" and _all_quoted(line, file.delimiter) else file


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _all_quoted(line: str, separator: str) -> bool:
    cells = [cell.strip() for cell in line.split(separator)]
    return all(len(cell) >= 2 and cell[0] == cell[-1] == '"' for cell in cells)


def _with_header(file: File, line: str, options: ReadOptions) -> File:
    file = _separated(file, line, options)
    row, _ = next(file.rows(iter([line]), strict=False))
    names = tuple(name.strip() for name in row)
    twice = repeated(filter(None, names))
    if twice and not options.columns.names() & set(names):
        hint = say("name the columns, as in {columns}", columns=", ".join(options.columns.example(options.tables)))
        raise file.error(1, "the first line names no column that is known", hint)
    if twice:
        raise file.error(1, say("two columns are called '{min}'", min=min(twice)), "give each column a name of its own")
    return replace(file, columns=names)


def header_of(shown: str, path: Path, raw: bytes, format: Format, options: ReadOptions) -> File:
    """A table of text that is not here, by its first line. DataProblems where it cannot be one."""
    file = File(path, shown, format, "", ())
    line = _checked(file, raw.removeprefix(codecs.BOM_UTF8))
    return replace(file, columns=_first_object(file, line)) if format == "jsonl" else _with_header(file, line, options)


def _header_line(file: Beginning) -> str:
    with file.opened() as stream:
        return _checked(file, stream.readline(_LONGEST_LINE + 2).removeprefix(codecs.BOM_UTF8))


def _checked(file: OnDisk, raw: bytes) -> str:
    """A first line as text."""
    if len(raw) > _LONGEST_LINE and not raw.endswith(b"\n"):
        raise file.error(1, *_TOO_LONG)
    raw = raw.rstrip(b"\r\n")
    if b"\r" in raw:
        raise file.error(1, "lines end in CR alone", "save the file with LF or CRLF line ends")
    if b"\x00" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise file.error(1, "the file is not UTF-8 (it looks like UTF-16 or binary)", "save it as UTF-8")
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise file.error(1, "the file is not UTF-8", "save it as UTF-8") from None
    if not line.strip():
        raise file.error(1, "the first line is empty", "it must name the columns")
    return line


def _without_mark(file: File, scratch: Path) -> File:
    """The same file without a byte order mark, which the engine's JSON reader refuses."""
    with file.opened() as stream:
        if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
            return file
        copy = scratch / f"unmarked-{len(list(scratch.iterdir()))}.jsonl"
        with copy.open("wb") as target:
            shutil.copyfileobj(stream, target)
    return replace(file, path=copy, compression="")


def _first_object(file: File, line: str) -> tuple[str, ...]:
    """The keys of the first object of JSONL."""
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        first = None
    if not isinstance(first, dict):
        raise file.error(1, "this is not a JSON object", "JSONL has one object per line")
    return tuple(first)


def _with_json_keys(file: File, first: tuple[str, ...]) -> File:
    """The keys of all objects, the first one's first."""
    import duckdb  # noqa: PLC0415

    file = replace(file, columns=first)
    # A key that is there twice is no key either: readers disagree about which value counts.
    query = "SELECT DISTINCT json_keys(json) FROM read_json_objects(?, format = 'newline_delimited')"
    try:
        found = connected().execute(query, [literal_path(file.path)]).fetchall()
        # What has no keys may be no object, and is looked at line by line.
        keys = [key for (own,) in found for key in (own if own and not repeated(own) else [None])]
    except duckdb.Error:
        keys = [None]
    if None in keys:
        problems = [file.problem(record.line, record.fault, record.hint) for record in file.records() if record.fault]
        if problems:
            raise DataProblems(problems)
    return replace(file, columns=file.json_columns(key for key in keys if key is not None))


def _binary(beginning: Beginning, format: Format) -> File:
    """A Parquet or Arrow file. Names that differ by case only are two columns, though the engine would mix them up."""
    import duckdb  # noqa: PLC0415

    path = beginning.path
    if format == "arrow":
        arrow = arrow_table(path, beginning.shown)
        names, types = tuple(arrow.column_names), tuple(map(str, arrow.schema.types))
        engine_names = tuple(f"c{place}" for place in range(len(names)))
    else:
        try:
            described = connected().execute(_HEADER, [literal_path(path)]).description or []
            schema = connected().execute(_TOP_LEVEL, [literal_path(path)]).fetchall()
        except duckdb.Error as error:
            raise beginning.error(
                0, say("cannot be read as Parquet: {first_line}", first_line=first_line(error)), "write the file again"
            ) from None
        engine_names, types = tuple(column[0] for column in described), tuple(str(column[1]) for column in described)
        names = tuple(_outermost(schema)) if schema else engine_names
        names = names if len(names) == len(engine_names) else engine_names
    if twice := repeated(names):
        raise beginning.error(0, say("two columns are called '{min}'", min=min(twice)), "give each column a name of its own")
    return File(path, beginning.shown, format, "", names, engine_columns=engine_names, types=types)


_HEADER = "SELECT * FROM read_parquet(?, hive_partitioning = false) LIMIT 0"
_TOP_LEVEL = "SELECT name, COALESCE(num_children, 0) FROM parquet_schema(?)"


def _outermost(schema: list[tuple[str, int]]) -> Iterator[str]:
    """The names of columns in the schema of a Parquet file, which lists their parts behind each."""
    inner = 0
    for name, children in schema[1:]:
        if not inner:
            yield name
        inner += children - (1 if inner else 0)
