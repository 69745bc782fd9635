"""Runs of HELM: ``per_instance_stats.json``, with ``run_spec.json`` beside it.

What counts are the statistics of each instance, not whether the model's interface answered. Instances that were changed on
purpose (perturbations) are left out, and trials with other examples in the prompt are repeats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from metameasure.core.messages import note
from metameasure.core.notes import counted
from metameasure.reading.files import Beginning
from metameasure.reading.formats import Format
from metameasure.reading.harness import beside, fetched, finished, folder, json_whole, mapping, projected, query, told
from metameasure.reading.on_disk import sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_STATISTIC = 'STRUCT("name" STRUCT("name" VARCHAR, "split" VARCHAR, "sub_split" VARCHAR), "count" DOUBLE, "sum" DOUBLE)'
_TYPES = {"instance_id": "VARCHAR", "train_trial_index": "BIGINT", "perturbation": "JSON", "stats": f"{_STATISTIC}[]"}
_LONGEST = 1 << 28  # bytes of one instance
_MODEL = re.compile(r"(?:^|[:,])model=(?P<model>[^,]+)")


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("instance_id", "stats")) and beginning.head.lstrip().startswith("[")


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    spec = mapping(beside(beginning, "run_spec.json"))
    rows = json_whole(beginning, _TYPES, most=_LONGEST)
    plain = "perturbation IS NULL OR json_type(perturbation) = 'NULL'"
    each = f"(SELECT instance_id, train_trial_index, unnest(stats) AS one FROM {rows} WHERE {plain})"  # noqa: S608
    name = str(spec.get("name") or folder(beginning))
    columns = {
        "line": "0",
        "run": sql_text(_model(spec, name)),
        "topic": sql_text(_scenario(name)),
        "item": "instance_id",
        "repeat": "CAST(coalesce(train_trial_index, 0) AS VARCHAR)",
        "measure": "one.name.name",
        "score": "CASE WHEN sum(one.count) > 0 THEN sum(one.sum) / sum(one.count) END",
        "odd": "CAST(NULL AS VARCHAR)",
        "split": "string_agg(DISTINCT one.name.split, ', ' ORDER BY one.name.split)",
    }
    grouped = f"{query(each, columns)} GROUP BY ALL ORDER BY instance_id, measure, repeat"
    file = projected(beginning, grouped, scratch)
    changed = fetched(beginning, f"SELECT count(*) FILTER (NOT ({plain})) FROM {rows}")[0][0]  # noqa: S608
    left = "{file}: {entries} with a perturbation left out"
    notes = [note("reading", left, file=beginning.shown, entries=counted(changed, "instance"))] if changed else []
    file = finished(file)
    return replace(file, apart=_apart(spec, beginning), notes=(*file.notes, *notes))


def _model(spec: Mapping[str, Any], name: str) -> str:
    """As the run's settings say, or else the name of the run."""
    said = mapping(spec.get("adapter_spec")).get("model")
    found = _MODEL.search(name)
    return str(said or (found["model"].replace("_", "/", 1) if found else name))


def _scenario(name: str) -> str:
    """The name of a run without its model: ``mmlu:subject=anatomy,model=openai_gpt2`` is ``mmlu:subject=anatomy``."""
    return _MODEL.sub("", name).strip(":,") or name


def _apart(spec: Mapping[str, Any], beginning: Beginning) -> str:
    adapter = mapping(spec.get("adapter_spec"))
    shown = ("method", "max_train_instances", "temperature", "model_deployment")
    return told((*((key, adapter.get(key)) for key in shown), ("suite", beginning.path.resolve().parent.parent.name)))


def _other(beginning: Beginning) -> str:
    """What else lies in the folder of a run."""
    keys = set(beginning.keys)
    return next((what for known, what in _OTHERS.items() if known <= keys), "")


_OTHERS = {
    frozenset({"adapter_spec", "request_states"}): "requests of HELM and whether they were answered",
    frozenset({"scenario_spec", "adapter_spec"}): "settings of a run of HELM",
    frozenset({"name", "count", "sum", "sum_squared"}): "statistics of HELM over all instances",
}
FORMAT = Format(
    "helm",
    "a file of HELM's statistics of instances",
    ("outcomes",),
    _recognises,
    _read,
    sides=("run",),
    endings=(".json",),
    holds_no_rows=_other,
    rows_are_in="name the run's per_instance_stats.json, or its folder",
)
