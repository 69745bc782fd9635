"""A file on disk as bytes, whatever it is compressed with; and what is damage."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, cast

from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.problems import DataProblems, Origin, Problem
from metameasure.reading.duckdb_connection import connected

Compression = Literal["", "gz", "zst"]
# What a compressed file may hold: this much, or so many times its length.
_MUCH, MOST_TIMES = 250_000_000, 200
_USUAL_TIMES = 8


class OnDisk(Origin):
    """A file, compressed or not."""

    path: Path
    compression: Compression

    @property
    def file_name(self) -> str:
        """What the file itself is called, without the ending of a compression."""
        return without_compression(Path(self.shown).name)

    def opened(self) -> IO[bytes]:
        """Its bytes, uncompressed."""
        if self.compression == "gz":
            return cast("IO[bytes]", gzip.open(self.path))
        return _decompressed(self.path) if self.compression == "zst" else self.path.open("rb")

    @contextmanager
    def stream(self) -> Iterator[IO[bytes]]:
        """The same; DataProblems where it is damaged or cut short."""
        with readable(self.shown), self.opened() as stream:
            yield stream


# What a file that is cut short or damaged makes of its reader: errors of Python's own readers, and all that a library raises.
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, OSError, RecursionError, UnicodeError)
_LIBRARIES = ("duckdb", "_duckdb", "pyarrow")


def is_damage(error: BaseException) -> bool:
    """Whether this is how a reader says that it cannot get through a file."""
    if type(error).__name__ == "InterruptException":
        return False
    bound = isinstance(error, RuntimeError) and "nanobind" in str(error)  # of the engine's binding: text that is none
    return bound or isinstance(error, _DAMAGED) or type(error).__module__.partition(".")[0] in _LIBRARIES


@contextmanager
def readable(shown: str) -> Iterator[None]:
    """Whatever a reader raises of a file, as a problem of that file."""
    try:
        yield
    except Exception as error:
        if not is_damage(error):
            raise
        cut_short = isinstance(error, EOFError)
        what = (
            "the file is cut short" if cut_short else say("the file is damaged or cannot be read ({why})", why=first_line(error))
        )
        raise DataProblems([Problem(shown, 0, what, "write or copy it again")]) from None


LOGS = {"Delta Lake": "_delta_log/*.json", "Iceberg": "metadata/*.metadata.json"}
"""Where the folder of a table says which of its files are part of it, by whose table it is."""


def refuse_lakes(folders: Iterable[Path]) -> None:
    """UsageError for a folder of a table where only a log tells which of its files are still part of it."""
    for folder in folders:
        for name, log in LOGS.items():
            if any(folder.glob(log)):
                raise no_longer_whole(str(folder), name)


def refuse_files_of_lakes(files: Iterable[Path], *, least: int = 1) -> None:
    """UsageError for files of Parquet of which so many are below the folder of one such table."""
    folders = Counter(Path(os.path.realpath(file.parent)) for file in files if file.suffix.lower() == ".parquet")
    found = Counter[tuple[Path, str]]()
    for folder, number in folders.items():
        if lake := _lake(folder):
            found[lake] += number
    for (folder, name), number in found.items():
        if number >= least:
            raise no_longer_whole(str(folder), name)


def _lake(folder: Path) -> tuple[Path, str] | None:
    """The folder of such a table that a folder is or is in, and whose table it is."""
    above = ((one, name, log) for one in (folder, *folder.parents) for name, log in LOGS.items())
    return next(((one, name) for one, name, log in above if (one / log).parent.is_dir() and any(one.glob(log))), None)


def no_longer_whole(shown: str, name: str) -> UsageError:
    """Why the folder of such a table is not read file by file."""
    return UsageError(
        f"'{shown}' is a table of {name}, whose folder also holds files that are no longer part of it",
        hint="write the rows that you want to Parquet, or pass the table as a data frame",
    )


def without_compression(name: str) -> str:
    """The name of a file without the ending of a compression."""
    return name.removesuffix(".gz").removesuffix(".zst")


def literal_path(path: Path) -> str:
    """A path that the engine takes literally: to it ``*``, ``?`` and ``[`` would be patterns."""
    return re.sub(r"([*?\[])", r"[\1]", str(path.absolute()))  # or it would take a leading ~ for somebody's home


def literal_paths(paths: Iterable[Path]) -> str:
    """Several of them, as a list in SQL."""
    return "[" + ", ".join(sql_text(literal_path(path)) for path in paths) + "]"


def unpacked(files: Iterable[OnDisk]) -> int:
    """About how many bytes are in some files, or in the texts that they are when they are no longer compressed."""
    return sum(file.path.stat().st_size * (_USUAL_TIMES if file.compression else 1) for file in files)


def parquet_rows(connection: Any, paths: Iterable[Path]) -> int:
    """How many rows files of Parquet have, by what they say at their end."""
    rows = connection.execute(f"SELECT sum(num_rows) FROM parquet_file_metadata({literal_paths(paths)})")  # noqa: S608
    return int(rows.fetchall()[0][0])


def sql_name(name: str) -> str:
    """A column's name in SQL, so that it cannot be read as anything else."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """A text in SQL, likewise."""
    return "'" + text.replace("'", "''") + "'"


def _decompressed(path: Path) -> io.BytesIO:
    """Zstandard, by the engine that reads it anyway: Python's own module comes with 3.14."""
    options = (
        "delim='\x01', quote='', escape='', header=false, auto_detect=false, compression='zstd', columns={'line': 'VARCHAR'}"
    )
    lines = f"SELECT line FROM read_csv(?, {options})"  # noqa: S608
    # Counted by the engine, which holds a little at a time, before anything is fetched.
    counted = f"SELECT sum(strlen(coalesce(line, '')) + 1) FROM ({lines} LIMIT {2 * _MUCH})"  # noqa: S608
    check_expansion(path, int(connected().execute(counted, [literal_path(path)]).fetchone()[0] or 0))
    fetched = connected(ordered=True).execute(lines, [literal_path(path)]).fetchall()
    return io.BytesIO("\n".join(line or "" for (line,) in fetched).encode())


def check_expansion(path: Path, size: int) -> None:
    """OSError for a file that holds hundreds of times as much as it is long: no table does, but a bomb to fill the memory."""
    if size > _MUCH and size > MOST_TIMES * path.stat().st_size:
        raise OSError(f"it holds more than {MOST_TIMES} times as much as it is long, {size / 1e6:,.0f} MB and more")


def arrow_table(path: Path, shown: str) -> Any:
    """An Arrow file as a table; needs pyarrow, which we do not depend on."""
    try:
        from pyarrow import feather  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UsageError(f"'{shown}' is an Arrow file", hint="install pyarrow to read it, or convert it to Parquet") from None
    try:
        table = feather.read_table(path)
        table.validate(full=True)  # or a damaged file may crash the process
    except Exception as error:  # whatever pyarrow raises is the file's fault
        raise DataProblems(
            [
                Problem(
                    shown, 0, say("cannot be read as Arrow: {first_line}", first_line=first_line(error)), "write the file again"
                )
            ]
        ) from None
    return table


def first_line(error: Exception) -> str:
    """An engine's message without its advice."""
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
