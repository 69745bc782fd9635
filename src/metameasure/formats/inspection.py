"""What kind of table a file is: its format, compression and columns, found by looking at its beginning."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Literal

from metameasure.formats.columns import Columns
from metameasure.formats.files import DAMAGED, File, Format, arrow_table, damage, first_line, literal_path, opened, reader
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
_HEADERLESS = {2: ("item", "label"), 3: ("item", "topic", "label")}
_MARK = b"\xef\xbb\xbf"
# What people name by mistake, by its first bytes.
_OTHERS = {
    b"PK\x03\x04": ("an Excel workbook or a ZIP archive", "export it as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook", "export it as CSV"),
    b"%PDF": ("a PDF", "name the data it was made from"),
    b"\x89PNG": ("a picture", "name the data it was made from"),
}
_ZSTANDARD, _GZIP, _PARQUET = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"PAR1"


Headerless = Callable[[tuple[str, ...]], tuple[str, ...] | None]
"""The columns of a file by the cells of its first line, where that is no header; nothing where it is one; None where that has to
be found out otherwise."""


def inspect(
    shown: str,
    path: Path,
    columns: Columns,
    scratch: Path,
    *,
    format_in: str | None = None,
    headerless: Headerless | None = None,
) -> File:
    """What kind of table a file is. DataProblems where it cannot be one."""
    try:
        return _inspect(shown, path, columns, scratch, format_in, headerless)
    except DAMAGED as error:
        raise DataProblems([Problem(shown, 0, *damage(error))]) from None


def _inspect(
    shown: str, path: Path, columns: Columns, scratch: Path, format_in: str | None, headerless: Headerless | None
) -> File:
    with path.open("rb") as stream:
        start = stream.read(4)
    if not start:
        raise DataProblems([Problem(shown, 0, "the file is empty", "it needs a header and one row per item")])
    compression = _compression(shown, path, start)
    if start in _OTHERS:
        what, hint = _OTHERS[start]
        raise DataProblems([Problem(shown, 0, f"this is {what}, not a table", hint)])
    format = _format(shown, start)
    if format in ("parquet", "arrow"):
        return File(path, shown, format, "", _binary_columns(shown, path, format))
    line = _first_line(File(path, shown, "csv", compression, ()))
    if line.lstrip().startswith("["):
        raise DataProblems([Problem(shown, 1, "this is a JSON list, not a table", "write JSONL, one object per line")])
    if format is None:
        format = "jsonl" if line.lstrip().startswith("{") else "tsv" if "\t" in line else "csv"
    file = File(path, shown, format, compression, ())
    if format != "jsonl":
        return _with_header(file, line, columns, format_in, headerless)
    return _with_json_keys(_without_mark(file, scratch), line)


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
    try:
        with opened(path, _compression(shown, path, start)) as stream:
            yield stream
    except DAMAGED as error:
        raise DataProblems([Problem(shown, 0, *damage(error))]) from None


def _format(shown: str, start: bytes) -> Format | None:
    if start == _PARQUET:
        return "parquet"
    if start == b"ARRO":
        return "arrow"
    name = shown.lower().removesuffix(".gz").removesuffix(".zst")
    found = _BY_EXTENSION.get(Path(name).suffix)
    if found in ("parquet", "arrow"):
        raise DataProblems([Problem(shown, 0, f"this is not {found}, whatever its name says", "write the file anew")])
    return found


def _with_header(file: File, line: str, columns: Columns, format_in: str | None, headerless: Headerless | None) -> File:
    names = tuple(name.strip() for name in next(file.rows(iter([line]), strict=False)))
    told = headerless(names) if headerless else None
    if told:
        return replace(file, columns=told, header=False)
    if told is None and _is_headerless(names, columns, format_in, file):
        return replace(file, columns=tuple(getattr(columns, role) for role in _HEADERLESS[len(names)]), header=False)
    repeated = sorted({name for name in names if name and names.count(name) > 1})
    if repeated:
        raise DataProblems([file.problem(1, f"two columns are called '{repeated[0]}'", "give each column a name of its own")])
    return replace(file, columns=names)


def _is_headerless(names: tuple[str, ...], columns: Columns, format_in: str | None, file: File) -> bool:
    if format_in == "semeval":
        if len(names) not in _HEADERLESS:
            raise DataProblems(
                [file.problem(1, f"{len(names)} columns", "SemEval's files have id, topic and label, or id and label")]
            )
        return True
    return file.format == "tsv" and len(names) in _HEADERLESS and not columns.names() & set(names)


def _first_line(file: File) -> str:
    with opened(file.path, file.compression) as stream:
        raw = stream.readline().removeprefix(_MARK).rstrip(b"\r\n")
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
    except ValueError:
        first = None
    if not isinstance(first, dict):
        raise DataProblems([file.problem(1, "this is not a JSON object", "JSONL has one object per line")])
    query = (
        "SELECT DISTINCT unnest(CASE json_type(json) WHEN 'OBJECT' THEN json_keys(json) ELSE [NULL] END) "
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


def _binary_columns(shown: str, path: Path, format: Format) -> tuple[str, ...]:
    import duckdb  # noqa: PLC0415

    if format == "arrow":
        return tuple(arrow_table(path, shown).column_names)
    try:
        described = reader().execute("SELECT * FROM read_parquet(?) LIMIT 0", [literal_path(path)]).description or []
    except duckdb.Error as error:
        raise DataProblems(
            [Problem(shown, 0, f"cannot be read as Parquet: {first_line(error)}", "write the file anew")]
        ) from None
    return tuple(column[0] for column in described)
