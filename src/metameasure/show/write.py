"""Scores and other columns as files, at full precision, in the format that the name asks for."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError
from metameasure.core.output import whole_file

_FORMATS = {
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, DELIMITER '\t', HEADER, QUOTE '', ESCAPE ''",  # as it is read: a quote is a character like any other
    ".jsonl": "FORMAT json",
    ".parquet": "FORMAT parquet",
}
_COMPRESSIONS = {".gz": "COMPRESSION gzip", ".zst": "COMPRESSION zstd"}

_NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EIO)


def check_score_path(path: str | Path) -> str:
    """DuckDB's options for writing a file of this name; UsageError if the name has no known ending."""
    name = Path(path).name.lower()
    compression = next((ending for ending in _COMPRESSIONS if name.endswith(ending)), "")
    format = Path(name.removesuffix(compression)).suffix
    if format not in _FORMATS or (format == ".parquet" and compression):
        raise UsageError(
            f"'{path}' does not say which format to write", hint=f"let it end in {', '.join(_FORMATS)}; text may add .gz or .zst"
        )
    return ", ".join(filter(None, (_FORMATS[format], _COMPRESSIONS.get(compression, ""))))


def write_table(columns: Mapping[str, Any], path: str | Path, *, whole: bool = False) -> None:
    """Columns of text or numbers as a file; NaN is empty (null). ``whole`` writes numbers that are whole as such: 2, not 2.0."""
    import duckdb  # noqa: PLC0415 - only to write
    import numpy as np  # noqa: PLC0415

    from metameasure.reading.duckdb_connection import connected  # noqa: PLC0415
    from metameasure.reading.on_disk import first_line, sql_name, sql_text  # noqa: PLC0415

    options = check_score_path(path)
    if "QUOTE ''" in options:
        _refuse_separators(columns, path)
    arrays = {f"c{place}": column for place, column in enumerate(columns.values())}
    chosen = []
    for place, (name, column) in enumerate(columns.items()):
        cell = f"c{place}"
        if column.dtype.kind == "f":
            arrays[f"missing{place}"] = np.isnan(column)
            typed = f"CAST(c{place} AS BIGINT)" if whole and np.all(np.isnan(column) | (column % 1 == 0)) else f"c{place}"
            cell = f"CASE WHEN missing{place} THEN NULL ELSE {typed} END"
        chosen.append(f"{cell} AS {sql_name(name)}")
    connection = connected(ordered=True)
    connection.register("given", arrays)
    query = f"SELECT {', '.join(chosen)} FROM given"  # noqa: S608 - names are quoted
    with whole_file(path) as scratch:
        try:
            connection.execute(f"COPY ({query}) TO {sql_text(str(scratch))} ({options}, USE_TMP_FILE false)")
        except duckdb.Error as error:
            said = first_line(error)
            code = next((code for code in _NO_ROOM if os.strerror(code) in said), None)
            if code is None:
                raise UsageError(f"cannot write '{path}': {said}", hint="is there room on the disk?") from None
            raise OSError(code, os.strerror(code), str(path)) from None


def _refuse_separators(columns: Mapping[str, Any], path: str | Path) -> None:
    """UsageError for texts that TSV has no way to write."""
    for texts in (list(columns), *(column.tolist() for column in columns.values() if column.dtype.kind in "OU")):
        for text in dict.fromkeys(texts):
            if isinstance(text, str) and set(text) & set("\t\r\n"):
                raise UsageError(
                    f"{text!r} cannot be written to '{path}'", hint="TSV has no tabs or line breaks in its fields: write CSV"
                )
