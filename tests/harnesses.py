"""Small files in the layouts of evaluation harnesses, for tests of their readers."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent / "harness_samples"
"""Files that packages have written: see its README."""
LIGHTEVAL = (SAMPLES / "lighteval.parquet").read_bytes()
DATE = "2026-03-01T10-00-00.000001"


def write(path: Path, *objects: Any, lines: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in objects) if lines else json.dumps(objects[0], indent=1))
    return path


def lm_eval(
    out: Path,
    model: str,
    task: str,
    scores: Mapping[str, Sequence[Any]],
    *,
    filters: Sequence[str] = ("none",),
    date: str = DATE,
    revision: str = "",
    listed: bool = True,
    **results: Any,
) -> Path:
    """``OUT/MODEL/samples_TASK_DATE.jsonl``, with the measures' scores of each document, and the results beside it. Under a
    second filter the scores are those under the first one, the other way round."""
    folder = out / model.replace("/", "__")
    rows = []
    for place, filter_name in enumerate(filters):
        for number, values in enumerate(zip(*(column[:: -1 if place else 1] for column in scores.values()), strict=True)):
            doc = {"question": f"{task} {number}{revision}", "subject": ("algebra", "geometry")[number % 2]}
            rows.append(
                {
                    "doc_id": number, "doc": doc, "target": str(number), "arguments": {"gen_args_0": {"arg_0": "Q: ..."}},
                    "resps": [["long " * 20]], "filtered_resps": ["long"], "filter": filter_name,
                    **({"metrics": list(scores)} if listed else {}),
                    "doc_hash": hashlib.sha256(json.dumps(doc).encode()).hexdigest(), "prompt_hash": "p", "target_hash": "t",
                    **dict(zip(scores, values, strict=True)),
                }
            )  # fmt: skip
    path = write(folder / f"samples_{task}_{date}.jsonl", *rows, lines=True)
    number = len(next(iter(scores.values())))
    aggregate = {
        "results": {task: {}}, "configs": {task: {"task": task}}, "versions": {task: 1.0}, "n-shot": {task: 0},
        "higher_is_better": {task: dict.fromkeys(scores, True)}, "n-samples": {task: {"original": number, "effective": number}},
        "config": {"model": "hf", "model_revision": "main"}, "model_name": model,
    }  # fmt: skip
    write(folder / f"results_{date}.json", aggregate | results)
    return path


def inspect_header(model: str = "openai/gpt", task: str = "arithmetic", **more: Any) -> dict[str, Any]:
    ids = more.pop("sample_ids", [1, 2, 3])
    evaluated = {
        "task": task, "task_id": "T1", "model": model, "created": "2026-03-01T10:00:00+00:00", "task_args": {}, "model_args": {},
        "dataset": {"samples": len(ids), "sample_ids": ids}, "config": {"epochs": more.pop("epochs", 1)},
        "scorers": more.pop("scorers", [{"name": "match", "metrics": [{"name": "inspect_ai/accuracy", "options": {}}]}]),
    }  # fmt: skip
    of_log = {key: more.pop(key) for key in ("status", "results", "invalidated") if key in more}
    return {"version": 2, "status": "success", "eval": evaluated | more, "invalidated": False} | of_log


def inspect_samples(
    values: Iterable[tuple[Any, int, Any]], *, scorer: str = "match", **metadata: Sequence[Any]
) -> list[dict[str, Any]]:
    """Samples of (id, epoch, value); None as a value is a sample that ended in an error."""
    return [
        {
            "id": item, "epoch": epoch, "input": "?", "target": "!",
            "metadata": {name: column[place] for name, column in metadata.items()},
            **({"scores": {scorer: {"value": value}}} if value is not None else {"scores": {}, "error": "timeout"}),
        }
        for place, (item, epoch, value) in enumerate(values)
    ]  # fmt: skip


def inspect_archive(
    path: Path, header: Mapping[str, Any] | None, samples: Sequence[Any], *, method: int = zipfile.ZIP_DEFLATED
) -> Path:
    """``.eval`` with deflated members; without a header, as a log is while the evaluation runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2, "eval": (header or inspect_header())["eval"]}))
        archive.writestr("samples/1_epoch_1.json", "not JSON: nobody reads this")
        if header is None:
            archive.writestr("_journal/summaries/1.json", json.dumps(samples))
            return path
        archive.writestr("summaries.json", json.dumps(samples))
        archive.writestr("header.json", json.dumps(header))
    return path


def inspect_json(path: Path, header: Mapping[str, Any], samples: Sequence[Any]) -> Path:
    return write(path, {**header, "samples": samples})


def helm(
    folder: Path, model: str, rows: Iterable[tuple[str, int, Mapping[str, Any]]], *, scenario: str = "qa", **entry: Any
) -> Path:
    """``per_instance_stats.json`` of (instance, trial, {statistic: (count, sum)}) and ``run_spec.json``."""
    stats = [
        {
            "instance_id": instance,
            "train_trial_index": trial,
            "stats": [
                {"name": {"name": name, "split": "test"}, "count": count, "sum": total, "sum_squared": 0, "min": 0, "max": 0}
                for name, (count, total) in of.items()
            ],
            **entry,
        }
        for instance, trial, of in rows
    ]
    name = f"{scenario}:model={model.replace('/', '_')}"
    write(folder / "run_spec.json", {"name": name, "scenario_spec": {}, "adapter_spec": {"model": model}, "groups": [scenario]})
    return write(folder / "per_instance_stats.json", stats)


def eee(folder: Path, model: str, rows: Iterable[tuple[str, str, Any, Any]], results: Mapping[str, Mapping[str, Any]]) -> Path:
    """Samples of (sample, result, score, is_correct), and the aggregate beside with each result's metric."""
    aggregate = [
        {"evaluation_result_id": name, "evaluation_name": name, "metric_config": config} for name, config in results.items()
    ]
    write(
        folder / "u-1.json",
        {"schema_version": "0.3.0", "evaluation_id": "e/1", "model_info": {"id": model}, "evaluation_results": aggregate},
    )
    samples = [
        {
            "schema_version": "0.3.0", "evaluation_id": "e/1", "model_id": model,
            "evaluation_name": result,
            "evaluation_result_id": result, "sample_id": sample,
            "sample_hash": hashlib.sha256(sample.encode()).hexdigest(), "interaction_type": "single_turn",
            "input": {"raw": "?"}, "evaluation": {"score": score, "is_correct": correct}, "metadata": {"subject": f"s{sample}"},
        }
        for sample, result, score, correct in rows
    ]  # fmt: skip
    return write(folder / "u-1_samples.jsonl", *samples, lines=True)


def swebench(path: Path, **lists: Sequence[str]) -> Path:
    """A report in the layout of 5.0.2 (schema version 2): lists of instances by what became of them."""
    names = ("completed", "incomplete", "empty_patch", "submitted", "resolved", "unresolved", "infra_failure", "error")
    ids = {f"{name}_ids": sorted(lists.get(name, ())) for name in names}
    total = len({one for name, some in ids.items() if name != "submitted_ids" for one in some})
    counts = {f"{name}_instances": len(lists.get(name, ())) for name in names if name != "incomplete"}
    return write(path, {"total_instances": total, **counts, **ids, "failure_reasons": {}, "schema_version": 2})


def evalplus(path: Path, tasks: Mapping[str, Sequence[tuple[str, str | None]]]) -> Path:
    """``X_eval_results.json`` of each task's samples, (base status, plus status)."""
    samples = {
        task: [
            {"task_id": task, "solution": "def f(): ...", "base_status": base, "plus_status": plus, "base_fail_tests": []}
            for base, plus in some
        ]
        for task, some in tasks.items()
    }
    return write(path, {"date": "2026-03-01 10:00", "hash": "x", "eval": samples})


def opencompass(folder: Path) -> Path:
    """A file that OpenCompass has written, where it would lie: ``DATE/results/MODEL/DATASET.json``."""
    path = folder / "20261118_005504/results/adder-7b/parity.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((SAMPLES / "opencompass" / path.relative_to(folder)).read_bytes())
    return path


def promptfoo(folder: Path) -> Path:
    """A file that promptfoo has written."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "promptfoo.json"
    path.write_bytes((SAMPLES / "promptfoo.json").read_bytes())
    return path


def nemo(folder: Path, rows: Iterable[tuple[int, int | None, Any]]) -> Path:
    """``results.jsonl`` of (problem, repeat, reward), as documented; a repeat of None is left out."""
    lines = [
        {"problem_idx": problem, "reward": reward, **({} if repeat is None else {"repeat": repeat}), "model_response": "...",
         "metadata": {"category": ("algebra", "geometry")[problem % 2]}}
        for problem, repeat, reward in rows
    ]  # fmt: skip
    return write(folder / "results.jsonl", *lines, lines=True)
