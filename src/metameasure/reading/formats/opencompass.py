"""Results of OpenCompass: ``WORK_DIR/DATE/results/MODEL/DATASET.json``, with details of each item where it was asked for them.

Details are an object, in which a key ``type`` stands among the items, or a list, of lists where items were answered several
times. Means of whole datasets are percentages; what is read is whether an item is correct."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from metameasure.core.messages import say
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.harness import fetched, finished, folder, json_whole, number, odd, projected, query, told
from metameasure.reading.on_disk import sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_ITEM = re.compile(r'"type": *"(GEN|PPL)"|"example_abbr"')
_DATE = re.compile(r"\d{8}_\d{6}")
_CORRECT = ("correct", "is_correct", "cascade_correct")
_RIGHT = "accuracy"


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("details",)) and _ITEM.search(beginning.head) is not None


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    listed = fetched(beginning, f"SELECT json_type(details) FROM {_details(beginning, 'JSON')}")[0][0] == "ARRAY"  # noqa: S608
    if listed:
        number_of = "coalesce(nullif(regexp_extract(one ->> '/example_abbr', '_([0-9]+)$', 1), ''), CAST(place AS VARCHAR))"
        both = f"SELECT unnest(details) AS one, unnest(range(len(details))) AS place FROM {_details(beginning, 'JSON[]')}"  # noqa: S608
        items = f"(SELECT one, {number_of} AS item FROM ({both}))"  # noqa: S608
    else:
        both = f"SELECT unnest(map_entries(details)) AS entry FROM {_details(beginning, 'MAP(VARCHAR, JSON)')}"  # noqa: S608
        items = f"(SELECT entry.value AS one, entry.key AS item FROM ({both}) WHERE entry.key <> 'type')"  # noqa: S608
    cell = "coalesce(" + ", ".join(f"nullif(one -> '/{name}', 'null')" for name in _CORRECT) + ")"
    said = f"(SELECT item, {cell} AS cell FROM {items})"  # noqa: S608
    outputs = "CASE WHEN json_type(cell) = 'ARRAY' THEN json_extract_string(cell, '$[*]') ELSE [cell ->> '$'] END"
    every = f"(SELECT item, unnest({outputs}) AS text, unnest(range(1, 1 + len({outputs}))) AS repeat FROM {said} WHERE cell IS NOT NULL)"  # noqa: S608, E501
    columns = {
        "line": "0",
        "run": sql_text(folder(beginning)),
        "topic": sql_text(beginning.file_name.removesuffix(".json")),
        "item": "item",
        "repeat": "CAST(repeat AS VARCHAR)",
        "measure": sql_text(_RIGHT),
        "score": number("text"),
        "odd": odd("text"),
    }
    if not fetched(beginning, f"SELECT count(*) FROM {every}")[0][0]:  # noqa: S608
        what = say("the details of these results of OpenCompass do not say which items are correct")
        raise beginning.error(0, what, "choose an evaluator that says so, such as AccwithDetailsEvaluator")
    file = finished(projected(beginning, query(every, columns), scratch))
    return replace(file, apart=told((("date", _date(beginning)),)), better={_RIGHT: "higher"}, ranges={_RIGHT: (0.0, 1.0)})


def _details(beginning: Beginning, kind: str) -> str:
    return json_whole(beginning, {"details": kind})


def _date(beginning: Beginning) -> str:
    """The folder of the work directory that is named after a date."""
    return next((part for part in reversed(beginning.path.resolve().parts) if _DATE.fullmatch(part)), "")


def _without_details(beginning: Beginning) -> str:
    """What else lies in its folders, by their names: results without details, and what the models answered."""
    kind, parts = beginning.path.resolve().parent.parent.name, beginning.path.resolve().parts
    if not any(_DATE.fullmatch(part) for part in parts) or "details" in beginning.keys:
        return ""
    return {"results": "results of OpenCompass for a whole dataset", "predictions": "answers to OpenCompass"}.get(kind, "")


def _dated(beginning: Beginning, named: bool) -> tuple[str, str]:
    """The results of a model on a dataset, by their date."""
    date = _date(beginning)
    return (str(beginning.path), "") if named or not date else (str(beginning.path.resolve()).replace(date, "", 1), date)


FORMAT = Format(
    "opencompass",
    "a file of results of OpenCompass",
    ("outcomes",),
    _recognises,
    _read,
    sides=("run",),
    endings=(".json",),
    holds_no_rows=_without_details,
    rows_are_in="name results that opencompass has written with details of its evaluation (dump_eval_details)",
    edition=_dated,
)
