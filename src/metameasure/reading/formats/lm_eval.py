"""Samples of lm-evaluation-harness: ``samples_TASK_DATE.jsonl``, a line for each document and filter, with ``results_DATE.json``
beside them, which has the model's name, the versions of tasks and which scores are better."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.core.choices import Better
from metameasure.core.messages import note, say
from metameasure.core.notes import listed
from metameasure.reading.files import Beginning, File
from metameasure.reading.formats import Format
from metameasure.reading.harness import (
    asked,
    beside,
    distinct,
    each,
    finished,
    folder,
    json_rows,
    mapping,
    number,
    number_of_items,
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

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+?)\.jsonl", re.IGNORECASE)
_FIXED = frozenset(
    {
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    }
)
_RESULTS = {"results", "configs", "versions"}
_NOT_SCORED = "bypass"
"""What takes the place of all measures where a model only answers (``--predict_only``)."""


@dataclass(frozen=True)
class _Log:
    """What is known of a file of samples besides its lines."""

    task: str
    date: str
    results: Mapping[str, Any]

    @classmethod
    def of(cls, beginning: Beginning) -> _Log:
        found = _NAME.fullmatch(beginning.file_name)
        if found is None:
            return cls(Path(beginning.shown).stem.removeprefix("samples_"), "", {})
        return cls(found["task"], found["date"], mapping(beside(beginning, f"results_{found['date']}.json")))

    def of_task(self, key: str) -> Any:
        return mapping(self.results.get(key)).get(self.task)

    def better(self) -> dict[str, Better]:
        said = mapping(self.of_task("higher_is_better"))
        return {measure: "higher" if higher else "lower" for measure, higher in said.items() if higher is not None}

    def revision(self) -> str:
        """Of which revision of the data the samples are, as far as the results say."""
        data = mapping(mapping(self.of_task("configs")).get("dataset_kwargs")).get("revision")
        drawn = str(self.of_task("task_hashes") or "")[:12]
        return told((("version", self.of_task("versions")), ("revision", data), ("task_hash", drawn)))

    def apart(self) -> str:
        config = mapping(self.results.get("config"))
        shots = self.of_task("n-shot")
        return told((("revision", config.get("model_revision")), ("shots", shots), ("date", self.date)))


def _recognises(beginning: Beginning, options: ReadOptions) -> bool:
    return beginning.has_keys(options, ("doc_id", "doc")) and beginning.head.startswith("{")


def _read(beginning: Beginning, options: ReadOptions, side: Side, scratch: Path) -> Source:
    log = _Log.of(beginning)
    first = _first(beginning)
    file = projected(beginning, _query(beginning, first, log, options), scratch)
    file = _of_one_filter(file, log, options)
    _check_scored(file)
    file = finished(file)
    notes = (*file.notes, *_about_the_model(file, log), *_about_the_number(file, log))
    return replace(file, better=log.better(), revision=log.revision(), apart=log.apart(), notes=notes)


def _first(beginning: Beginning) -> Mapping[str, Any]:
    """The first line, which has the names of measures."""
    with beginning.stream() as stream:
        line = stream.readline()
    try:
        first = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        first = None
    if not isinstance(first, Mapping):
        raise beginning.error(1, "this is not a JSON object", "JSONL has one object per line")
    return first


def _measures(first: Mapping[str, Any]) -> list[str]:
    """As a line says; older ones do not, and have them among keys that are always there."""
    named = first.get("metrics")
    return list(map(str, named)) if isinstance(named, list) else [name for name in first if name not in _FIXED]


def _query(beginning: Beginning, first: Mapping[str, Any], log: _Log, options: ReadOptions) -> str:
    measures = _measures(first)
    if not measures:
        raise beginning.error(1, "the line has no score", "lm_eval writes samples with their scores by --log_samples")
    metadata = asked(options)
    types = dict.fromkeys(("doc_id", "filter", "doc_hash", *measures), "VARCHAR")
    if metadata:
        types["doc"] = structure(dict.fromkeys(metadata, "VARCHAR"))
    rows = numbered(json_rows(beginning.path, types, compression=beginning.compression))
    values = [sql_name(measure) for measure in measures]
    columns = {
        "line": "line",
        "run": sql_text(str(log.results.get("model_name") or folder(beginning).replace("__", "/"))),
        "topic": sql_text(log.task),
        "item": "doc_id",
        "hash": "doc_hash",
        "filter": "coalesce(filter, 'none')",
        "measure": each(map(sql_text, measures)),
        "score": each(map(number, values)),
        "odd": each(map(odd, values)),
    }
    return query(rows, columns | {name: f"doc.{sql_name(name)}" for name in metadata})


def _of_one_filter(file: File, log: _Log, options: ReadOptions) -> File:
    """The lines of one filter: answers are scored once for each, and the scores are of different measures."""
    there = distinct(file, "filter")
    if len(there) > 1 and options.filter not in there:
        what = say("'{task}' is scored by several filters: {filters}", task=log.task, filters=listed(there, "and"))
        raise file.error(0, what, say("choose with {--filter <filter>}", filter=there[-1]))
    chosen = f"filter = {sql_text(options.filter)}" if options.filter and len(there) > 1 else "true"
    return where(file, chosen, without="filter")


def _check_scored(file: File) -> None:
    if distinct(file, "measure") == [_NOT_SCORED]:
        what = say("answers are there without scores ({name} stands in their place)", name=_NOT_SCORED)
        raise file.error(0, what, "run lm_eval without --predict_only")


def _about_the_model(file: File, log: _Log) -> list[str]:
    if log.results.get("model_name"):
        return []
    called = "{file}: there is no results_*.json of the same date beside it, so that the run is called by its folder"
    return [note("reading", called, file=file.shown)]


def _about_the_number(file: File, log: _Log) -> list[str]:
    """Whether as many documents are there as were evaluated."""
    said, there = mapping(log.of_task("n-samples")).get("effective"), number_of_items(file)
    if said in (None, there):
        return []
    told_other = "{file}: {there} documents are there, but the results beside are of {said}"
    return [note("reading", told_other, file=file.shown, there=there, said=said)]


def _results_alone(beginning: Beginning) -> str:
    return "results of lm-eval for whole tasks" if set(beginning.keys) >= _RESULTS else ""


def _dated(beginning: Beginning, named: bool) -> tuple[str, str]:
    """The samples of one task in one folder, by their date."""
    log = _NAME.fullmatch(Path(beginning.name).name)
    return (str(beginning.path), "") if named or log is None else (f"{beginning.path.parent}/{log['task']}", log["date"])


FORMAT = Format(
    "lm-eval",
    "a file of samples of lm-eval",
    ("outcomes",),
    _recognises,
    _read,
    sides=("run",),
    holds_no_rows=_results_alone,
    rows_are_in="name samples_*.jsonl, which lm_eval writes with --log_samples",
    edition=_dated,
)
