"""Which files of evaluation harnesses a folder holds, and which of several editions of one is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.messages import note
from metameasure.core.notes import in_a_row
from metameasure.core.problems import DataProblems
from metameasure.reading.files import Beginning, look
from metameasure.reading.formats import Format, formats
from metameasure.reading.options import ReadOptions

_ENDINGS = (".json", ".jsonl", ".eval", ".gz", ".zst", ".parquet")


@dataclass(frozen=True)
class Walked:
    """Files in the place of what the user wrote, and what there is to say of those left out."""

    paths: tuple[str, ...]
    notes: tuple[str, ...] = ()


def walked(written: str | Path, options: ReadOptions) -> Walked:
    """A folder as the files in it, and below it, that formats of this task recognise. UsageError where there is none."""
    found = [path for path in _files(Path(written)) if _is_of(path, options)]
    if not found:
        hint = f"name its files, as in '{str(written).rstrip('/')}/*.csv'"
        raise UsageError(f"'{written}' is a folder without files of an evaluation harness that are known", hint=hint)
    return latest(list(map(str, found)), options)


def holds_any(written: str | Path, options: ReadOptions) -> bool:
    """Whether a folder has such files."""
    return any(_is_of(path, options) for path in _files(Path(written)))


def _files(folder: Path) -> list[Path]:
    files = []
    for where, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        files += [Path(where) / name for name in sorted(names) if name.endswith(_ENDINGS) and not name.startswith(".")]
    return files


def _is_of(path: Path, options: ReadOptions) -> bool:
    try:
        return _format(look(str(path), path, whole=False), options) is not None
    except DataProblems:  # no data at all, such as an empty file
        return False


def _format(beginning: Beginning, options: ReadOptions) -> Format | None:
    known = [format for format in formats().values() if options.task in format.tasks]
    return next((format for format in known if format.recognises(beginning, options)), None)


def latest(paths: Sequence[str], options: ReadOptions, *, named: bool = False) -> Walked:
    """Of several editions of one file the last, and a note of the others."""
    newest: dict[tuple[str, str], tuple[Any, str]] = {}
    for path in paths:
        key, which = _edition(path, options, named=named)
        if key not in newest or newest[key][0] <= which:
            newest[key] = (which, path)
    kept = {path for _, path in newest.values()}
    left = [path for path in paths if path not in kept]
    said = "{files} left out, because there is a later edition of the same evaluation; name files one by one to choose others"
    return Walked(tuple(path for path in paths if path in kept), (note("reading", said, files=in_a_row(left)),) if left else ())


def _edition(path: str, options: ReadOptions, *, named: bool) -> tuple[tuple[str, str], Any]:
    alone = ("", path), ""
    try:
        beginning = look(path, Path(path), whole=False)
        format = _format(beginning, options)
        if format is None or format.edition is None:
            return alone
        key, which = format.edition(beginning, named)
    except (DataProblems, OSError):  # what is wrong with it is said where it is read
        return alone
    return (format.name, key), which
