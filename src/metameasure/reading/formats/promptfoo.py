"""Results of promptfoo (version 3 of its files): ``promptfoo eval -o output.json``, a row for each test, prompt and provider.

A test that is repeated has a number of its own each time, so that tests go by what they say: their variables and assertions. An
error of the provider (``failureReason`` 2) is missing, though it stands there as no success."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metameasure.reading.files import Beginning, File
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    distinct,
    fetched,
    finished,
    json_whole,
    number,
    odd,
    parquet_rows,
    projected,
    query,
    structure,
    told,
    where,
)
from metameasure.reading.json_lines import pointer
from metameasure.reading.on_disk import sql_name, sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_ROW = {
    "testIdx": "BIGINT",
    "promptIdx": "BIGINT",
    "provider": structure({"id": "VARCHAR", "label": "VARCHAR"}),
    "prompt": structure({"label": "VARCHAR"}),
    "success": "VARCHAR",
    "score": "VARCHAR",
    "failureReason": "BIGINT",
    "namedScores": "JSON",
    "testCase": "JSON",
    "vars": "JSON",
    "metadata": "JSON",
}
_TYPES = {
    "evalId": "VARCHAR",
    "config": structure({"description": "VARCHAR"}),
    "results": structure({"results": f"{structure(_ROW)}[]"}),
}
_LONGEST_LABEL = 60


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("evalId", "results"))


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    rows = json_whole(beginning, _TYPES)
    each = f"(SELECT config.description AS description, one.* FROM (SELECT config, unnest(results.results) AS one FROM {rows}))"  # noqa: S608
    metadata = asked(options)
    samples = projected(beginning, query(each, _of_sample() | {name: _metadata(name) for name in metadata}), scratch)
    ids = f"SELECT any_value(evalId) FROM {rows}"  # noqa: S608
    apart = told((("evaluation", fetched(beginning, ids)[0][0]),))
    file = finished(_once(projected(beginning, _query(samples, metadata), scratch)))
    # An assertion's score is a share of what it asks for, and a test passes from a threshold up.
    return replace(file, apart=apart, better=dict.fromkeys(distinct(file, "measure"), "higher"), ranges={"success": (0.0, 1.0)})


def _of_sample() -> dict[str, str]:
    """What is read of each row, the test by a hash of what it says."""
    test = "concat_ws(' ', vars, testCase -> '/assert', testCase -> '/description', testCase -> '/threshold')"
    return {
        "line": "0",
        "description": "description",
        "provider": "coalesce(nullif(provider.label, ''), provider.id)",
        "prompt": f"left(prompt.label, {_LONGEST_LABEL})",
        "promptIdx": "promptIdx",
        "testIdx": "testIdx",
        "hash": f"md5({test})",
        "failed": "failureReason = 2",
        "success": "success",
        "score": "score",
        "named": "namedScores",
    }


def _metadata(name: str) -> str:
    where = sql_text(pointer(name))
    return f"coalesce(metadata ->> {where}, vars ->> {where})"


def _query(samples: File, metadata: tuple[str, ...]) -> str:
    of_hash = "first_value(testIdx) OVER (PARTITION BY hash ORDER BY testIdx)"
    again = "row_number() OVER (PARTITION BY provider, promptIdx, hash ORDER BY testIdx)"
    several = "count(DISTINCT promptIdx) OVER (PARTITION BY provider)"
    keys = "CASE WHEN json_type(named) = 'OBJECT' THEN json_keys(named) ELSE [] END"
    placed = f"(SELECT *, {of_hash} AS item, {again} AS repeat, {several} AS prompts, {keys} AS keys "
    placed += f"FROM {parquet_rows(samples.path)})"
    cells = "list_concat([success, score], [named ->> ('/' || replace(replace(k, '~', '~0'), '/', '~1')) FOR k IN keys])"
    every = f"(SELECT *, unnest(list_concat(['success', 'score'], keys)) AS measure, unnest({cells}) AS cell FROM {placed})"  # noqa: S608
    columns = {
        "line": "0",
        "run": "CASE WHEN prompts > 1 THEN provider || ' (' || coalesce(prompt, 'prompt ' || promptIdx) || ')' ELSE provider END",
        "topic": "coalesce(nullif(description, ''), 'promptfoo')",
        "item": "CAST(item AS VARCHAR)",
        "hash": "hash",
        "repeat": "CAST(repeat AS VARCHAR)",
        "measure": "measure",
        "score": f"CASE WHEN NOT failed THEN {number('cell')} END",
        "odd": odd("cell"),
        "graded": f"{number('success')} IS DISTINCT FROM {number('score')}",
    }
    return query(every, columns | {name: sql_name(name) for name in metadata})


def _once(file: File) -> File:
    """Success alone, unless scores say something else."""
    graded = distinct(file, "graded", where="graded")
    return where(file, "true" if graded else "measure <> 'score'", without="graded")


FORMAT = Format(
    "promptfoo", "a file of results of promptfoo", ("outcomes",), _recognises, _read, sides=("run",), endings=(".json",)
)
