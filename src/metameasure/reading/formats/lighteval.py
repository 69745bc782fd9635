"""Details of lighteval: ``details/MODEL/DATE/details_TASK_DATE.parquet``, a row for each document.

Rows have no column of ids: the document's own id counts where each has another one, and otherwise its place. What was asked is
the hash, so that documents in another order are noticed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from metameasure.reading.duckdb_connection import connected
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    each,
    fetched,
    finished,
    number,
    numbered,
    odd,
    parquet_rows,
    projected,
    query,
    told,
)
from metameasure.reading.json_lines import pointer
from metameasure.reading.on_disk import is_damage, sql_name, sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_NAME = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+?)\.parquet", re.IGNORECASE)
_COLUMNS = {"doc", "metric"}


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    if beginning.start != b"PAR1" or not Path(beginning.name).name.startswith("details_"):
        return False
    try:
        described = connected().execute(f"DESCRIBE SELECT * FROM {parquet_rows(beginning.path)}").fetchall()  # noqa: S608
    except Exception as error:  # what is wrong with it is said where it is read
        if is_damage(error):
            return False
        raise
    return {name for name, *_ in described} >= _COLUMNS


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    rows = parquet_rows(beginning.path)
    fields = f"SELECT json_keys(to_json(metric)) FROM {rows} LIMIT 1"  # noqa: S608
    measures = [name for (names,) in fetched(beginning, fields) for name in names or ()]
    distinct_ids = "count(DISTINCT nullif(doc.id, '')) = count(*)"
    ((own,),) = fetched(beginning, f"SELECT {distinct_ids} FROM {rows}")  # noqa: S608
    if not measures:
        raise beginning.error(0, "this is a file of details of lighteval without any score", "run the evaluation again")
    found = _NAME.fullmatch(Path(beginning.shown).name)
    task, date = (found["task"], found["date"]) if found else (Path(beginning.shown).stem, "")
    values = [f"(to_json(metric.{sql_name(name)}) ->> '$')" for name in measures]
    columns = {
        "line": "line",
        "run": sql_text(_model(beginning)),
        "topic": f"coalesce(nullif(doc.task_name, ''), {sql_text(task)})",
        "item": "doc.id" if own else "CAST(line - 1 AS VARCHAR)",
        "hash": "md5(doc.query)",
        "measure": each(map(sql_text, measures)),
        "score": each(map(number, values)),
        "odd": each(map(odd, values)),
    }
    columns |= {name: f"to_json(doc.specific) ->> {sql_text(pointer(name))}" for name in asked(options)}
    file = finished(projected(beginning, query(numbered(rows), columns), scratch))
    return replace(file, revision=told((("date", date),)), apart=told((("date", date),)))


def _model(beginning: Beginning) -> str:
    """The folders between ``details`` and the date, which are the organisation and the model."""
    parts = beginning.path.resolve().parent.parts
    last = max((place for place, name in enumerate(parts) if name == "details"), default=len(parts) - 3)
    return "/".join(parts[last + 1 : -1]) or parts[-1]


def _dated(beginning: Beginning, named: bool) -> tuple[str, str]:
    """The details of one task of a model, by their date."""
    found = _NAME.fullmatch(Path(beginning.shown).name)
    if named or found is None:
        return str(beginning.path), ""
    return f"{beginning.path.parent.parent}/{found['task']}", found["date"]


FORMAT = Format("lighteval", "a file of details of lighteval", ("outcomes",), _recognises, _read, sides=("run",), edition=_dated)
