"""Results of NeMo Evaluator: ``results.jsonl``, a line for each problem and repeat with its reward."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    finished,
    folder,
    json_rows,
    number,
    numbered,
    odd,
    projected,
    query,
    structure,
    told,
)
from metameasure.reading.on_disk import sql_name, sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("problem_idx", "reward")) and beginning.head.startswith("{")


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    metadata = asked(options)
    inside = structure(dict.fromkeys(("category", *metadata), "VARCHAR"))
    types = {"problem_idx": "VARCHAR", "reward": "VARCHAR", "repeat": "VARCHAR", "metadata": inside, "scoring_details": "JSON"}
    columns = {
        "line": "line",
        "run": sql_text(folder(beginning)),
        "item": "problem_idx",
        "repeat": "coalesce(repeat, '0')",
        "measure": "'reward'",
        "score": number("reward"),
        "odd": odd("reward"),
        "category": "coalesce(metadata.category, scoring_details ->> '/category')",
    }
    columns |= {name: f"metadata.{sql_name(name)}" for name in metadata if name != "category"}
    rows = numbered(json_rows(beginning.path, types, compression=beginning.compression))
    file = finished(projected(beginning, query(rows, columns), scratch))
    return replace(file, apart=told((("folder", beginning.path.resolve().parent.parent.name),)), better={"reward": "higher"})


FORMAT = Format("nemo", "a file of results of NeMo Evaluator", ("outcomes",), _recognises, _read, sides=("run",))
