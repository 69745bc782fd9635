"""Results of EvalPlus: ``NAME_eval_results.json``, for each task its samples, each of which passes the base tests, or fails.

``base`` is whether a sample passes the tests of the original benchmark, ``plus`` whether it also passes those that EvalPlus adds:
one that passes only the added ones counts 0. Their means over samples and tasks are pass@1."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.harness import each, finished, folder, json_whole, projected, query, told
from metameasure.reading.on_disk import sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_ENDING = "eval_results.json"
_TYPES = {"eval": 'MAP(VARCHAR, STRUCT("base_status" VARCHAR, "plus_status" VARCHAR)[])', "date": "VARCHAR"}
_KNOWN = "('pass', 'fail', 'timeout')"
_BASE, _PLUS = "one.sample.base_status", "one.sample.plus_status"


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("eval",)) and "status" not in beginning.keys and '"base_status"' in beginning.head


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    tasks = f"(SELECT unnest(map_entries(eval)) AS task FROM {json_whole(beginning, _TYPES)})"  # noqa: S608
    samples = f"(SELECT task.key AS item, unnest([{{'sample': x, 'place': i}} FOR x, i IN task.value]) AS one FROM {tasks})"  # noqa: S608
    base = f"CASE WHEN {_BASE} IS NOT NULL THEN ({_BASE} = 'pass')::DOUBLE END"
    plus = f"CASE WHEN {_PLUS} IS NOT NULL THEN ({_BASE} = 'pass' AND {_PLUS} = 'pass')::DOUBLE END"
    name = beginning.file_name.removesuffix(_ENDING).rstrip("_-.")
    columns = {
        "line": "0",
        "run": sql_text((name or folder(beginning)).replace("--", "/")),
        "topic": "split_part(item, '/', 1)",
        "item": "item",
        "repeat": "CAST(one.place AS VARCHAR)",
        "measure": each(["'base'", "'plus'"]),
        "score": each([base, plus]),
        "odd": each(f"CASE WHEN NOT {one} IN {_KNOWN} THEN {one} END" for one in (_BASE, _PLUS)),
    }
    file = finished(projected(beginning, query(samples, columns), scratch))
    apart = told((("folder", folder(beginning)),))
    return replace(
        file, apart=apart, better={"base": "higher", "plus": "higher"}, ranges={"base": (0.0, 1.0), "plus": (0.0, 1.0)}
    )


FORMAT = Format(
    "evalplus", "a file of results of EvalPlus", ("outcomes",), _recognises, _read, sides=("run",), endings=(".json",)
)
