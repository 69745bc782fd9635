"""What kind of table a file is: its compression, format and columns, found by looking at its beginning."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Literal

from metameasure.formats.files import (
    File,
    Format,
    arrow_table,
    check_expansion,
    damage,
    first_line,
    literal_path,
    opened,
    readable,
    reader,
)
from metameasure.formats.options import ReadOptions
from metameasure.formats.problems import DataProblems, Problem
from metameasure.formats.zstandard import is_whole

_BY_EXTENSION: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
_MARK = b"\xef\xbb\xbf"
# What people name by mistake, by its first bytes.
_OTHERS = {
    b"PK\x03\x04": ("an Excel workbook or a ZIP archive", "export it as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "export it as CSV"),
    b"%PDF": ("a PDF", "name the data it was made from"),
    b"\x89PNG": ("a picture", "name the data it was made from"),
}
_ZSTANDARD, _GZIP, _PARQUET = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"PAR1"
_LONGEST_LINE = 2_000_000
"""The engine's own limit; but it passes over a last line that is much longer in silence."""


@dataclass(frozen=True)
class Beginning:
    """A file seen from outside: enough to tell its format by."""

    shown: str
    path: Path
    compression: Literal["", "gz", "zst"]
    start: bytes

    @cached_property
    def line(self) -> str:
        """The first line, without byte order mark; whatever is not UTF-8 as U+FFFD."""
        if self.format in ("parquet", "arrow"):
            return ""
        with uncompressed(self.shown, self.path) as stream:
            return stream.readline(1 << 16).removeprefix(_MARK).decode("utf-8", "replace").rstrip("\r\n")

    @cached_property
    def format(self) -> Format | None:
        """By its content, or else by its name."""
        return _format(self.shown, self.start)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """What stands in the first line of a table of text."""
        tabs = self.format == "tsv" or (self.format is None and "\t" in self.line)
        return tuple(cell.strip().strip('"') for cell in self.line.split("\t" if tabs else ","))

    def problem(self, line: int, what: str, hint: str = "") -> Problem:
        return Problem(self.shown, line, what, hint)


def look(shown: str, path: Path) -> Beginning:
    """A file's beginning. DataProblems where it is no data at all, or cut short."""
    with readable(shown):
        with path.open("rb") as stream:
            start = stream.read(4)
        if not start:
            raise DataProblems([Problem(shown, 0, "the file is empty", "it needs a header and one row per item")])
        compression = _compression(shown, path, start)
        if compression == "gz":
            _check_gzip(path)
    if start in _OTHERS:
        what, hint = _OTHERS[start]
        raise DataProblems([Problem(shown, 0, f"this is {what}, not a table", hint)])
    return Beginning(shown, path, compression, start)


def _check_gzip(path: Path) -> None:
    """Reads it through: Python compares checksum and length at the end, which the engine does not."""
    with opened(path, "gz") as stream:
        size = 0
        while block := stream.read(1 << 20):
            size += len(block)
            check_expansion(path, size)


def table(beginning: Beginning, options: ReadOptions, scratch: Path, *, columns: tuple[str, ...] | None = None) -> File:
    """A file as a table. ``columns`` where its first line does not name them. DataProblems where it cannot be one."""
    with readable(beginning.shown):
        return _table(beginning, options, scratch, columns)


def _table(beginning: Beginning, options: ReadOptions, scratch: Path, columns: tuple[str, ...] | None) -> File:
    shown, path, format = beginning.shown, beginning.path, beginning.format
    if format in ("parquet", "arrow"):
        return _binary(shown, path, format)
    line = _first_line(File(path, shown, "csv", beginning.compression, ()))
    if line.lstrip().startswith("["):
        raise DataProblems([Problem(shown, 1, "this is a JSON list, not a table", "write JSONL, one object per line")])
    if format is None:
        format = "jsonl" if line.lstrip().startswith("{") else "tsv" if "\t" in line else "csv"
    file = File(path, shown, format, beginning.compression, ())
    if format == "jsonl":
        return _with_json_keys(_without_mark(file, scratch), line)
    _check_last_line(file)
    if columns is not None:
        return replace(file, columns=columns, header=False)
    return _with_header(file, line, options)


def _check_last_line(file: File) -> None:
    if file.compression or file.path.stat().st_size <= _LONGEST_LINE:
        return
    with file.path.open("rb") as stream:
        stream.seek(-_LONGEST_LINE, 2)
        if b"\n" not in stream.read().rstrip(b"\n"):
            number = sum(1 for _ in file.path.open("rb"))
            what = f"the line is longer than {_LONGEST_LINE // 10**6} MB"
            raise DataProblems([file.problem(number, what, "leave out long texts: ids and labels are enough")])


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
            raise DataProblems([file.problem(1, "the columns are separated by spaces", hint)])
    return replace(file, quotes=True) if file.format == "tsv" and _all_quoted(line, file.delimiter) else file


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(separator)]


def _all_quoted(line: str, separator: str) -> bool:
    cells = [cell.strip() for cell in line.split(separator)]
    return all(len(cell) >= 2 and cell[0] == cell[-1] == '"' for cell in cells)


def _with_header(file: File, line: str, options: ReadOptions) -> File:
    file = _separated(file, line, options)
    names = tuple(name.strip() for name in next(file.rows(iter([line]), strict=False)))
    repeated = sorted(name for name, times in Counter(names).items() if name and times > 1)
    if repeated:
        if not options.columns.names() & set(names):
            hint = f"name the columns, as in {', '.join(options.columns.example(options.task))}"
            raise DataProblems([file.problem(1, "the first line names no column that is known", hint)])
        raise DataProblems([file.problem(1, f"two columns are called '{repeated[0]}'", "give each column a name of its own")])
    return replace(file, columns=names)


def _compression(shown: str, path: Path, start: bytes) -> Literal["", "gz", "zst"]:
    """How a file that begins so is compressed. DataProblems where it is cut short."""
    if start[:4] == _ZSTANDARD:
        if not is_whole(path):
            raise DataProblems([Problem(shown, 0, *damage(EOFError()))])
        return "zst"
    return "gz" if start[:2] == _GZIP else ""


@contextmanager
def uncompressed(shown: str, path: Path) -> Iterator[IO[bytes]]:
    """A file's bytes, whatever its compression. DataProblems where it is damaged or cut short."""
    with path.open("rb") as stream:
        start = stream.read(4)
    with readable(shown), opened(path, _compression(shown, path, start)) as stream:
        yield stream


def _format(shown: str, start: bytes) -> Format | None:
    if start == _PARQUET:
        return "parquet"
    if start == b"ARRO":
        return "arrow"
    name = shown.lower().removesuffix(".gz").removesuffix(".zst")
    found = _BY_EXTENSION.get(Path(name).suffix)
    if found in ("parquet", "arrow"):
        raise DataProblems([Problem(shown, 0, f"this is not {found}, although its name says so", "write the file again")])
    return found


def _first_line(file: File) -> str:
    with opened(file.path, file.compression) as stream:
        raw = stream.readline(_LONGEST_LINE + 2).removeprefix(_MARK)
    if len(raw) > _LONGEST_LINE and not raw.endswith(b"\n"):
        what = f"the line is longer than {_LONGEST_LINE // 10**6} MB"
        raise DataProblems([file.problem(1, what, "leave out long texts: ids and labels are enough")])
    raw = raw.rstrip(b"\r\n")
    if b"\r" in raw:
        raise DataProblems([file.problem(1, "lines end in CR alone", "save the file with LF or CRLF line ends")])
    if b"\x00" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataProblems([file.problem(1, "the file is not UTF-8 (it looks like UTF-16 or binary)", "save it as UTF-8")])
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise DataProblems([file.problem(1, "the file is not UTF-8", "save it as UTF-8")]) from None
    if not line.strip():
        raise DataProblems([file.problem(1, "the first line is empty", "it must name the columns")])
    return line


def _without_mark(file: File, scratch: Path) -> File:
    """The same file without a byte order mark, which the engine's JSON reader refuses."""
    with opened(file.path, file.compression) as stream:
        if stream.read(len(_MARK)) != _MARK:
            return file
        copy = scratch / f"unmarked-{len(list(scratch.iterdir()))}.jsonl"
        with copy.open("wb") as target:
            shutil.copyfileobj(stream, target)
    return replace(file, path=copy, compression="")


def _with_json_keys(file: File, line: str) -> File:
    """The keys of all objects, the first one's first."""
    import duckdb  # noqa: PLC0415

    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        first = None
    if not isinstance(first, dict):
        raise DataProblems([file.problem(1, "this is not a JSON object", "JSONL has one object per line")])
    # A key that is there twice is no key either: readers disagree about which value counts.
    query = (
        "SELECT DISTINCT unnest(CASE WHEN json_type(json) = 'OBJECT' "
        "AND len(json_keys(json)) = len(list_distinct(json_keys(json))) THEN json_keys(json) ELSE [NULL] END) "
        "FROM read_json_objects(?, format = 'newline_delimited')"
    )
    try:
        keys = [key for (key,) in reader().execute(query, [literal_path(file.path)]).fetchall()]
    except duckdb.Error:
        keys = [None]
    if None in keys:
        problems = [file.problem(record.line, record.fault, record.hint) for record in file.records() if record.fault]
        if problems:
            raise DataProblems(problems)
    return replace(file, columns=tuple(dict.fromkeys([*first, *sorted(key for key in keys if key is not None)])))


def _binary(shown: str, path: Path, format: Format) -> File:
    """A Parquet or Arrow file. Names that differ by case only are two columns, though the engine would mix them up."""
    import duckdb  # noqa: PLC0415

    if format == "arrow":
        arrow = arrow_table(path, shown)
        names, types = tuple(arrow.column_names), tuple(map(str, arrow.schema.types))
        engine_names = tuple(f"c{place}" for place in range(len(names)))
    else:
        try:
            described = reader().execute("SELECT * FROM read_parquet(?) LIMIT 0", [literal_path(path)]).description or []
            schema = reader().execute(_TOP_LEVEL, [literal_path(path)]).fetchall()
        except duckdb.Error as error:
            what = f"cannot be read as Parquet: {first_line(error)}"
            raise DataProblems([Problem(shown, 0, what, "write the file again")]) from None
        engine_names, types = tuple(column[0] for column in described), tuple(str(column[1]) for column in described)
        names = tuple(_outermost(schema)) if schema else engine_names
        names = names if len(names) == len(engine_names) else engine_names
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        what = f"two columns are called '{repeated[0]}'"
        raise DataProblems([Problem(shown, 0, what, "give each column a name of its own")])
    return File(path, shown, format, "", names, engine_columns=engine_names, types=types)


_TOP_LEVEL = "SELECT name, COALESCE(num_children, 0) FROM parquet_schema(?)"


def _outermost(schema: list[tuple[str, int]]) -> Iterator[str]:
    """The names of columns in the schema of a Parquet file, which lists their parts behind each."""
    inner = 0
    for name, children in schema[1:]:
        if not inner:
            yield name
        inner += children - (1 if inner else 0)
