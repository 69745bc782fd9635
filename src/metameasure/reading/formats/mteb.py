"""Results of MTEB: ``MODEL/REVISION/TASK.json``. There is nothing below a task, so that the task is the item.

A task's score is the mean of ``main_score`` over its splits and subsets, as MTEB's own; each of them is a repeat, and so is each
experiment of a subset."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from metameasure.reading.files import Beginning, read_json
from metameasure.reading.formats import Format
from metameasure.reading.harness import beside, listed, mapping, told
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Rows, Source, text_array

_KEYS = ("task_name", "dataset_revision", "scores")
_MAIN, _EXPERIMENTS = "main_score", "scores_per_experiment"
_ROUNDED = 1e-5


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, _KEYS[:2]) and '"scores"' in beginning.head


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    result = mapping(read_json(beginning))
    subsets = [
        (f"{split}, {mapping(one).get('hf_subset', 'default')}", mapping(one))
        for split, some in mapping(result.get("scores")).items()
        for one in listed(some)
    ]
    rows = [(f"{name}, {place}", value) for name, one in subsets for place, value in enumerate(_values(one), start=1)]
    if not rows:
        raise beginning.error(0, "this is a result of MTEB without any score", "run the task again")
    folder = beginning.path.resolve().parent
    meta = mapping(beside(beginning, "model_meta.json"))
    run = str(meta.get("name") or folder.parent.name.replace("__", "/"))
    values = {
        "run": text_array([run] * len(rows)),
        "item": text_array([str(result["task_name"])] * len(rows)),
        "hash": text_array([f"{result['task_name']} {result.get('dataset_revision')}"] * len(rows)),
        "measure": text_array([_MAIN] * len(rows)),
        "repeat": text_array([name for name, _ in rows]),
        "score": np.array([value for _, value in rows], dtype=float),
    }
    facts = {
        "better": {_MAIN: "higher"},
        "revision": told((("dataset_revision", result.get("dataset_revision")),)),
        "apart": told((("revision", meta.get("revision") or folder.name),)),
    }
    return Rows(beginning.shown, values, np.zeros(len(rows), np.int64), **facts)  # type: ignore[arg-type]


def _values(subset: Mapping[str, Any]) -> Iterator[float]:
    """The main score of each experiment, where experiments have it under the name of a metric; otherwise the one of all."""
    main = _number(subset.get(_MAIN))
    experiments = [mapping(one) for one in listed(subset.get(_EXPERIMENTS))]
    for metric in experiments[0] if experiments else ():
        found = [_number(one.get(metric)) for one in experiments]
        if abs(sum(found) / len(found) - main) < _ROUNDED:
            yield from found
            return
    yield main


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan


FORMAT = Format("mteb", "a result of MTEB", ("outcomes",), _recognises, _read, sides=("run",), endings=(".json",))
