"""Samples of Every Eval Ever 0.3: ``UUID_samples.jsonl``, with the aggregate ``UUID.json`` beside, which names the metrics.

A sample has a score, and is correct or not; where the two say the same, the score alone is read. A sample that belongs to several
results has a line for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from metameasure.core.choices import Better
from metameasure.core.messages import note
from metameasure.reading.files import Beginning, File
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    beside,
    distinct,
    each,
    finished,
    json_rows,
    listed,
    mapping,
    number,
    numbered,
    odd,
    projected,
    query,
    structure,
    told,
    where,
)
from metameasure.reading.on_disk import sql_name, sql_text
from metameasure.reading.options import ReadOptions, Side
from metameasure.reading.sources import Source

_KEYS = {"evaluation_id", "model_id", "sample_id"}
_ENDING = "_samples.jsonl"
_CORRECT = "is_correct"


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, _KEYS) and beginning.head.startswith("{")


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    aggregate = _aggregate(beginning)
    results = [one for one in listed(aggregate.get("evaluation_results")) if isinstance(one, Mapping)]
    metadata = asked(options)
    texts = ("model_id", "evaluation_name", "evaluation_result_id", "evaluation_id", "sample_id", "sample_hash")
    types = dict.fromkeys(texts, "VARCHAR") | {"evaluation": 'STRUCT("score" VARCHAR, "is_correct" VARCHAR)'}
    types |= {"metadata": structure(dict.fromkeys(metadata, "VARCHAR"))} if metadata else {}
    several = len({_metric(one) for one in results}) > 1
    correct = f"concat({_named(results)}, {sql_text(f'_{_CORRECT}')})" if several else sql_text(_CORRECT)
    names, cells = (_named(results), correct), ("evaluation.score", "evaluation.is_correct")
    columns = {
        "line": "line",
        "run": "model_id",
        "topic": _topic(results),
        "item": "sample_id",
        "hash": "sample_hash",
        "measure": each(names),
        "score": each(map(number, cells)),
        "odd": each(map(odd, cells)),
        "metric": _named(results),
        "graded": f"{number(cells[0])} IS DISTINCT FROM {number(cells[1])} AND evaluation.is_correct IS NOT NULL",
    }
    columns |= {name: f"metadata.{sql_name(name)}" for name in metadata}
    rows = numbered(json_rows(beginning.path, types, compression=beginning.compression))
    file = _once(projected(beginning, query(rows, columns), scratch))
    apart = told((("evaluation", aggregate.get("evaluation_id")),))
    file = finished(file)
    nameless = "{file}: without its aggregate beside, the measure is called score"
    notes = file.notes if results else (*file.notes, note("reading", nameless, file=file.shown))
    revision = told((("dataset", _dataset(results)), ("evaluated", aggregate.get("evaluation_timestamp"))))
    facts = {"better": _better(results), "ranges": _ranges(results), "revision": revision, "apart": apart, "notes": notes}
    return replace(file, **facts)  # type: ignore[arg-type]


def _once(file: File) -> File:
    """The scores alone, unless a sample has another score than its being correct has."""
    graded = ", ".join(map(sql_text, distinct(file, "metric", where="graded")))
    file = where(file, f"measure = metric OR metric IN ({graded})" if graded else "measure = metric", without="graded")
    return where(file, "true", without="metric")


def _aggregate(beginning: Beginning) -> Mapping[str, Any]:
    """What lies beside, with the results and the metric of each."""
    name = beginning.file_name
    return mapping(beside(beginning, f"{name.removesuffix(_ENDING)}.json") if name.endswith(_ENDING) else None)


def _metric(result: Mapping[str, Any]) -> str:
    config = mapping(result.get("metric_config"))
    return str(config.get("metric_name") or config.get("metric_id") or "score")


def _id(result: Mapping[str, Any]) -> str:
    return str(result.get("evaluation_result_id") or result.get("evaluation_name") or "")


def _dataset(results: list[Mapping[str, Any]]) -> str:
    """What the data are, in the words of the first result."""
    return next((str(said) for one in results if (said := mapping(one.get("source_data")).get("dataset_name"))), "")


def _named(results: list[Mapping[str, Any]]) -> str:
    """The name of a line's metric, in SQL."""
    cases = " ".join(f"WHEN {sql_text(_id(one))} THEN {sql_text(_metric(one))}" for one in results)
    return f"CASE coalesce(evaluation_result_id, evaluation_name) {cases} ELSE 'score' END" if cases else "'score'"


def _topic(results: list[Mapping[str, Any]]) -> str:
    """The evaluation, unless one has several results by the same metric: then each of them."""
    both = [(one.get("evaluation_name"), _metric(one)) for one in results]
    return "evaluation_name" if len(set(both)) == len(both) else "coalesce(evaluation_result_id, evaluation_name)"


def _better(results: list[Mapping[str, Any]]) -> dict[str, Better]:
    said = {_metric(one): mapping(one.get("metric_config")).get("lower_is_better") for one in results}
    better: dict[str, Better] = {name: "lower" if lower else "higher" for name, lower in said.items() if lower is not None}
    return better | {_CORRECT: "higher"} | {f"{name}_{_CORRECT}": "higher" for name in said}


def _ranges(results: list[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """The ends of the metrics' ranges; without ends that are written as text ("Infinity")."""
    configs = {_metric(one): mapping(one.get("metric_config")) for one in results}
    ends = {name: (config.get("min_score"), config.get("max_score")) for name, config in configs.items()}
    return {
        name: (float(low), float(high))
        for name, (low, high) in ends.items()
        if isinstance(low, int | float) and isinstance(high, int | float)
    }


def _aggregate_alone(beginning: Beginning) -> str:
    return "results of Every Eval Ever for whole evaluations" if set(beginning.keys) >= {"evaluation_id", "model_info"} else ""


FORMAT = Format(
    "eee",
    "a file of samples of Every Eval Ever",
    ("outcomes",),
    _recognises,
    _read,
    sides=("run",),
    holds_no_rows=_aggregate_alone,
    rows_are_in="name its file of samples, UUID_samples.jsonl",
)
