"""The real data of the papers, as far as a user has it: a folder for each task, recognised by its name.

DIR/sem16t4c/gold.txt          what the organisers call it does not matter, but for its beginning: gold
DIR/sem16t4c/runs/TEAM.txt     a file for each run, named as the run is
DIR/dialeval1/gold.json        NTCIR's JSON holds all three qualities; tables go in folders A, E and S
DIR/dialeval1/runs/RUN.json
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.core.errors import UsageError
from metameasure.core.notes import counted
from metameasure.core.scale import Scale
from metameasure.evaluating.evaluate import evaluate
from metameasure.evidence.distributions import Distributions
from metameasure.scores.scores import Scores
from metameasure.simulation.shapes import SHAPES
from metameasure.simulation.simulate import simulate
from metameasure.statistics.pieces import fingerprint
from metameasure.tasks.quantification.task import distributions

# What else a task's folder may be called; signs and case do not matter.
_SEMEVAL = (("14", "9", "ab"), ("15", "10", "abc"), ("16", "4", "ce"), ("17", "4", "ce"))
_OTHER_NAMES = {
    "replab2013": ("replab13",),
    **{
        f"sem{year}t{task}{part}": tuple(
            f"semeval20{year}{word}{part}" for word in (f"task{task}", f"task{task}subtask", f"t{task}")
        )
        for year, task, parts in _SEMEVAL
        for part in parts
    },
    "stc3": ("ntcir14stc3", "ntcir14stc3dq", "stc3dq"),
    "dialeval1": ("ntcir15dialeval1", "ntcir15dialeval1dq", "dialeval1dq"),
    "rankeval2013": ("rankeval",),
}
QUALITIES = ("A", "E", "S")
"""NTCIR's: task accomplishment, dialogue effectiveness, customer satisfaction."""
_OF_QUALITIES = ("stc3", "dialeval1")
_PARTITIONS = 10
"""Amigó et al. (2020), Section 5.4: data without topics is split into ten partitions at random."""
_SIGNED_TASKS = ("replab2013",)
_SIGNED = Scale.of("-1,0,1")
"""RepLab's negative, neutral and positive in the authors' own file."""
_LOOKED_AT = 5000
_RUNS_NOT_SAID = ("replab2013",)
"""Tasks of which no paper says how many runs it used."""


@dataclass(frozen=True)
class DataFolder:
    """Where the data of each task lies that is there, by the task's name."""

    folders: Mapping[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str | Path | None) -> DataFolder:
        """UsageError where nothing in the folder is known."""
        if path is None:
            return cls()
        folder = Path(path)
        if not folder.is_dir():
            raise UsageError(f"there is no folder '{folder}'", hint="name the folder that holds the tasks' folders")
        folders = {task: one for one in sorted(folder.iterdir()) if one.is_dir() and (task := _task(one.name))}
        if not folders:
            raise UsageError(
                f"'{folder}' has no folder of a known task", hint=f"name one of its folders {', '.join(_OTHER_NAMES)}"
            )
        return cls(folders)

    def fingerprint(self) -> str:
        """The same for the same files, wherever they lie."""
        files = [(task, one) for task, folder in self.folders.items() for one in sorted(folder.rglob("*")) if one.is_file()]
        digests = [
            (task, str(one.relative_to(self.folders[task])), hashlib.sha256(one.read_bytes()).hexdigest()) for task, one in files
        ]
        return fingerprint(digests)

    def __contains__(self, task: str) -> bool:
        return task in self.folders

    def distributions(self, task: str, data: str, _: int) -> Distributions:
        """The distributions of gold and of the real runs of a data set."""
        folder, more = _shape_options(self.folders[task], task, data)
        return distributions(str(gold_in(folder)), str(folder / "runs" / "*"), classes=SHAPES[task].scale, **more)

    def scores(self, task: str, measures: Sequence[str | Measure], seed: int) -> dict[str, Scores]:
        """The scores of the real runs, by data set: NTCIR's tasks have one for each quality."""
        folder = self.folders[task]
        apart = [quality for quality in QUALITIES if (folder / quality).is_dir()]
        if apart:
            return {f"{task} {quality}": _evaluated(folder / quality, task, measures, seed) for quality in apart}
        if gold_in(folder).name.removesuffix(".gz").endswith(".json"):
            return {f"{task} {quality}": _evaluated(folder, task, measures, seed, aspect=quality) for quality in QUALITIES}
        if task in _OF_QUALITIES:
            hint = f"put them into folders {', '.join(QUALITIES[:-1])} and {QUALITIES[-1]}"
            raise UsageError(f"'{folder}' does not say of which quality its tables are", hint=hint)
        return {task: _evaluated(folder, task, measures, seed)}


def simulated_distributions(task: str, data: str, seed: int) -> Distributions:
    """The distributions behind the simulated scores of a data set."""
    made = simulate(task, seed=seed + (QUALITIES.index(data.rpartition(" ")[2]) if task in _OF_QUALITIES else 0))
    with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
        folder = Path(scratch) / "task"
        made.save(folder)
        return distributions(str(folder / "gold.tsv"), str(folder / "runs" / "*.tsv"), classes=SHAPES[task].scale)


def simulated_scores(task: str, measures: Sequence[str | Measure], seed: int) -> dict[str, Scores]:
    """The scores of simulated runs, in data sets of the same names. Of a task with three qualities, three are drawn."""
    names = [f"{task} {quality}" for quality in QUALITIES] if task in _OF_QUALITIES else [task]
    options = _reading(task, seed)
    return {name: simulate(task, seed=seed + place).evaluate(measures, **options) for place, name in enumerate(names)}


def _shape_options(folder: Path, task: str, data: str) -> tuple[Path, dict[str, Any]]:
    """Where the files of a data set lie, and which of the qualities in them it is."""
    quality = data.rpartition(" ")[2]
    if (folder / quality).is_dir():
        return folder / quality, {}
    return folder, {"aspect": quality} if task in _OF_QUALITIES else {}


def task_of(data: str) -> str:
    """The task of a data set: ``stc3`` of ``stc3 A``."""
    return data.partition(" ")[0]


def other_size(data: str, scores: Scores) -> str:
    """How the size of a data set differs from what the paper used, in words; empty where it does not."""
    task = task_of(data)
    shape = SHAPES[task]
    topics = _PARTITIONS if _reading(task, 0) else shape.topics
    runs = sum(text.count(",") + 1 for text in shape.kinds)
    here = len(scores.runs) - len(scores.baselines)
    if len(scores.topics) == topics and (here == runs or task in _RUNS_NOT_SAID):
        return ""
    of_paper = f"{topics} topics" if task in _RUNS_NOT_SAID else _size(runs, topics)
    return f"{data} has {_size(here, len(scores.topics))} here and {of_paper} in the paper"


def _size(runs: int, topics: int) -> str:
    return f"{counted(runs, 'run')} ({counted(runs * (runs - 1) // 2, 'pair')}) on {counted(topics, 'topic')}"


def gold_in(folder: Path) -> Path:
    """The file of that folder whose name begins with gold; UsageError where there is none, or several."""
    files = sorted(one for one in folder.iterdir() if one.is_file() and one.name.lower().startswith("gold"))
    if len(files) != 1:
        raise UsageError(f"'{folder}' has {len(files)} files called gold...", hint="let there be one, and the runs in 'runs'")
    return files[0]


def _evaluated(folder: Path, task: str, measures: Sequence[str | Measure], seed: int, **more: Any) -> Scores:
    shape = SHAPES[task]
    classes = _SIGNED if task in _SIGNED_TASKS and _has_signs(gold_in(folder)) else shape.scale
    options: dict[str, Any] = {"task": shape.task, "classes": classes, **_reading(task, seed), **more}
    return evaluate(str(gold_in(folder)), str(folder / "runs" / "*"), measures=list(measures), **options)


def _has_signs(gold: Path) -> bool:
    """Whether labels are -1, 0 and 1, as in the file of Amigó et al., whose last column has the label."""
    with gold.open(encoding="utf-8", errors="replace") as lines:
        last = {line.split("\t")[-1].strip().strip('"') for line in islice(lines, _LOOKED_AT)}
    return {"-1", "1"} <= last


def _reading(task: str, seed: int) -> dict[str, Any]:
    """Data without topics is dealt into partitions."""
    shape = SHAPES[task]
    return {"partitions": _PARTITIONS, "seed": seed} if shape.task == "classification" and shape.topics == 1 else {}


def _task(folder: str) -> str | None:
    plain = re.sub(r"[^a-z0-9]", "", folder.lower())
    return next((task for task, others in _OTHER_NAMES.items() if plain in (task, *others)), None)
