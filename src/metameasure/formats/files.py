"""One table on disk: which format it has, its columns, and its records with their line numbers."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

from metameasure.errors import UsageError
from metameasure.formats.columns import Columns
from metameasure.formats.problems import DataProblems, Problem

Format = Literal["csv", "tsv", "jsonl", "parquet", "arrow"]
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
_ZSTANDARD, _GZIP, _PARQUET = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"PAR1"


@dataclass(frozen=True)
class File:
    """A table on disk. ``header`` says whether its first line names the columns; ``shown`` is how messages call it."""

    path: Path
    shown: str
    format: Format
    compression: Literal["", "gz", "zst"]
    columns: tuple[str, ...]
    header: bool = True

    @property
    def delimiter(self) -> str:
        return "\t" if self.format == "tsv" else ","

    @property
    def quoted(self) -> bool:
        """CSV fields may be in double quotes; in TSV a quote is a character like any other."""
        return self.format == "csv"

    def problem(self, line: int, what: str, hint: str = "") -> Problem:
        return Problem(self.shown, line, what, hint)

    def records(self) -> Iterator[tuple[int, dict[str, Any] | None]]:
        """Each record with its line, in pure Python: for the second look at a file that failed. None is one that cannot be
        read; a row of the wrong length comes with the key ``""`` holding its number of fields."""
        if self.format == "jsonl":
            yield from _json_records(self._text())
        elif self.format in ("csv", "tsv"):
            yield from self._separated_records()
        else:
            yield from enumerate(self._engine_records(), start=1)

    def _separated_records(self) -> Iterator[tuple[int, dict[str, Any] | None]]:
        rows = csv.reader(
            self._text(), delimiter=self.delimiter, quoting=csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE, strict=False
        )
        if self.header:
            next(rows, None)
        for row in rows:
            if not row:
                continue
            record: dict[str, Any] = dict(zip(self.columns, row, strict=False))
            if len(row) != len(self.columns):
                record[""] = len(row)
            yield rows.line_num, record

    def _text(self) -> Iterator[str]:
        """Lines; bytes that are not UTF-8 as U+FFFD, so that the rest of the file can still be looked at."""
        with _opened(self.path, self.compression) as stream:
            yield from io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")

    def _engine_records(self) -> Iterator[dict[str, Any]]:
        import duckdb  # noqa: PLC0415 - only for binary files

        if self.format == "arrow":
            yield from arrow_table(self.path, self.shown).to_pylist()
            return
        rows = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [str(self.path)])
        while block := rows.fetchmany(10_000):
            yield from (dict(zip(self.columns, row, strict=True)) for row in block)


def _json_records(lines: Iterator[str]) -> Iterator[tuple[int, dict[str, Any] | None]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        yield number, record if isinstance(record, dict) else None


def _opened(path: Path, compression: str) -> IO[bytes]:
    if compression == "gz":
        return cast("IO[bytes]", gzip.open(path))
    if compression == "zst":
        return _decompressed(path)
    return path.open("rb")


def _decompressed(path: Path) -> io.BytesIO:
    """Zstandard, by the engine that reads it anyway: Python's own module comes with 3.14."""
    import duckdb  # noqa: PLC0415

    options = (
        "delim='\x01', quote='', escape='', header=false, auto_detect=false, compression='zstd', columns={'line': 'VARCHAR'}"
    )
    lines = duckdb.connect().execute(f"SELECT line FROM read_csv(?, {options})", [str(path)]).fetchall()  # noqa: S608
    return io.BytesIO("\n".join(line or "" for (line,) in lines).encode())


def inspect(shown: str, path: Path, columns: Columns, *, format_in: str | None = None) -> File:
    """What kind of table a file is. DataProblems where it cannot be one."""
    with path.open("rb") as stream:
        start = stream.read(4)
    if not start:
        raise DataProblems([Problem(shown, 0, "the file is empty", "it needs a header and one row per item")])
    compression: Literal["", "gz", "zst"] = "gz" if start[:2] == _GZIP else "zst" if start == _ZSTANDARD else ""
    format = _format(shown, start)
    if format in ("parquet", "arrow"):
        return File(path, shown, format, "", _binary_columns(shown, path, format))
    return _inspect_text(
        File(path, shown, format or "csv", compression, ()), guess=format is None, columns=columns, format_in=format_in
    )


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


def _inspect_text(file: File, *, guess: bool, columns: Columns, format_in: str | None) -> File:
    line = _first_line(file)
    format: Format = file.format
    if guess:
        format = "jsonl" if line.lstrip().startswith("{") else "tsv" if "\t" in line else "csv"
    file = File(file.path, file.shown, format, file.compression, ())
    if format == "jsonl":
        return _with_json_keys(file, line)
    names = tuple(
        next(csv.reader([line], delimiter=file.delimiter, quoting=csv.QUOTE_MINIMAL if file.quoted else csv.QUOTE_NONE))
    )
    names = tuple(name.strip() for name in names)
    if _is_headerless(names, format, columns, format_in, file):
        roles = tuple(getattr(columns, role) for role in _HEADERLESS[len(names)])
        return File(file.path, file.shown, format, file.compression, roles, header=False)
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise DataProblems([file.problem(1, f"two columns are called '{repeated[0]}'", "give each column a name of its own")])
    return File(file.path, file.shown, format, file.compression, names)


def _is_headerless(names: tuple[str, ...], format: Format, columns: Columns, format_in: str | None, file: File) -> bool:
    if format_in == "semeval":
        if len(names) not in _HEADERLESS:
            raise DataProblems(
                [file.problem(1, f"{len(names)} columns", "SemEval's files have id, topic and label, or id and label")]
            )
        return True
    return format == "tsv" and len(names) in _HEADERLESS and not columns.names() & set(names)


def _first_line(file: File) -> str:
    with _opened(file.path, file.compression) as stream:
        raw = stream.readline().removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n")
    if b"\x00" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataProblems([file.problem(1, "the file is not UTF-8 (it looks like UTF-16 or binary)", "save it as UTF-8")])
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise DataProblems([file.problem(1, "the file is not UTF-8", "save it as UTF-8")]) from None
    if not line.strip():
        raise DataProblems([file.problem(1, "the first line is empty", "it must name the columns")])
    return line


def _with_json_keys(file: File, line: str) -> File:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise DataProblems([file.problem(1, "this is not a JSON object", "JSONL has one object per line")])
    return File(file.path, file.shown, "jsonl", file.compression, tuple(record))


def _binary_columns(shown: str, path: Path, format: Format) -> tuple[str, ...]:
    import duckdb  # noqa: PLC0415

    if format == "arrow":
        return tuple(arrow_table(path, shown).column_names)
    try:
        described = duckdb.connect().execute("SELECT * FROM read_parquet(?) LIMIT 0", [str(path)]).description or []
    except duckdb.Error as error:
        raise DataProblems(
            [Problem(shown, 0, f"cannot be read as Parquet: {first_line(error)}", "write the file anew")]
        ) from None
    return tuple(column[0] for column in described)


def arrow_table(path: Path, shown: str) -> Any:
    """An Arrow file as a table; needs pyarrow, which we do not depend on."""
    try:
        from pyarrow import feather  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(f"'{shown}' is an Arrow file", hint="install pyarrow to read it, or convert it to Parquet") from None
    return feather.read_table(path)


def first_line(error: Exception) -> str:
    """An engine's message without its advice."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
