"""A folder of data sets: gold and runs of each, and what has to be told of them.

DIR/NAME/gold.tsv         gold, whatever follows the dot; and runs/, a file for each run
DIR/NAME/data.toml        what evaluate has to be told: classes = ["neg", "neu", "pos"], task = "ranking", gold = "all.tsv"; or
                          several [[data]], each with a name

What a folder of public data needs is known by its name (known_data.toml).
"""

from __future__ import annotations

import re
import shlex
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.core.errors import MetameasureError, MetameasureWarning, UsageError, did_you_mean
from metameasure.core.messages import say
from metameasure.core.options import Option, declared_in
from metameasure.core.toml import read_toml
from metameasure.evaluating.check import gold_files
from metameasure.evaluating.evaluate import evaluate
from metameasure.scores.scores import Scores
from metameasure.tasks.base import task_on
from metameasure.tasks.checking import with_sound_runs
from metameasure.tasks.declaration import USUAL_TASK, declaration

SETTINGS = "data.toml"
_OWN = ("name", "task", "gold", "runs", "skip")
"""What is said of a data set besides the options of its task."""
_RUNS = "runs"


def flagged(name: str) -> str:
    """An option as one types it behind a command, for lines that are to be pasted into a shell."""
    return f"--{name}"


@dataclass(frozen=True)
class LeftOut:
    """A data set, or a run of one, that cannot be used, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class DataSet:
    """Where gold and runs of a data set lie, its task, and what else ``evaluate`` has to be told."""

    name: str
    task: str
    gold: str
    runs: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def simulated(self) -> bool:
        """Whether its systems are made up."""
        return False

    def command(self) -> str:
        """The command that scores it."""
        declared = declared_in(declaration(self.task).options)
        flags = [part for name, value in self.options.items() for part in _typed(declared[name], value)]
        task = [] if self.task == USUAL_TASK else [flagged("task"), self.task]
        named = [self.gold, *([self.runs] if self.runs else []), *task, *flags]
        return shlex.join(["metameasure", "evaluate", *map(str, named), flagged("skip-broken")])

    def scores(self, measures: Sequence[Measure], registry: Registry | None = None) -> tuple[Scores, list[LeftOut]]:
        """The scores by the measures that can read it; and the runs and measures that are left out, with the reasons."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MetameasureWarning)  # what is left out is handed back
            task = with_sound_runs(task_on(self.task, self.gold, self.runs, dict(self.options)), least=2)
            evidence = task.evidence()
            reasons = {one: next(iter(evidence.lacking(one.reads).values()), "") for one in measures}
            able = [one for one in measures if not reasons[one]]
            if not able:
                raise UsageError("no measure can read it", hint=next(iter(reasons.values()), ""))
            found = evaluate(evidence, measures=able, baselines=False, registry=registry)
        unable = [LeftOut(one.id, reason) for one, reason in reasons.items() if reason]
        return found, [*(LeftOut(self.name, str(said)) for said in task.left_out), *unable]


@dataclass(frozen=True)
class DataSets:
    """The data sets of a folder, and what is in it besides."""

    folder: str
    sets: tuple[DataSet, ...]
    left_out: tuple[LeftOut, ...] = ()

    def of(self, task: str) -> tuple[DataSet, ...]:
        """Those of a task."""
        return tuple(one for one in self.sets if one.task == task)


def data_sets_in(folder: str | Path) -> DataSets:
    """What a folder holds: a folder for each data set, or one itself. What cannot be used is named with the reason; UsageError
    where nothing can be."""
    place = Path(folder)
    if not place.is_dir():
        raise UsageError(say("there is no folder '{folder}'", folder=str(folder)), hint="name a folder that holds data sets")
    if _is_data_set(place):
        sets, left_out = _sets(place)
    else:
        found = [_sets(one) for one in sorted(place.iterdir()) if one.is_dir() and not one.name.startswith((".", "_"))]
        sets = [one for some, _ in found for one in some]
        left_out = [one for _, some in found for one in some]
    if not sets:
        why = left_out[0].reason if left_out else f"it has no folder with a file gold... and a folder {_RUNS}"
        raise UsageError(
            say("'{folder}' has no data set that can be used: {why}", folder=str(folder), why=why),
            hint=say("a data set is a folder with gold, {runs} and {settings}", runs=_RUNS, settings=SETTINGS),
        )
    names = [one.name for one in sets]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(
            say("two data sets in '{folder}' are called '{name}'", folder=str(folder), name=twice),
            hint=say("give each a name of its own in {settings}", settings=SETTINGS),
        )
    return DataSets(str(folder), tuple(sets), tuple(left_out))


def _is_data_set(place: Path) -> bool:
    return (place / SETTINGS).is_file() or bool(gold_files(place))


def _sets(place: Path) -> tuple[list[DataSet], list[LeftOut]]:
    """The data sets of one folder, and what of it is left out."""
    try:
        settings = _settings(place)
    except UsageError as error:
        return [], [LeftOut(place.name, str(error))]
    sets, left_out = [], []
    for one in settings:
        name = str(one.get("name", place.name))
        try:
            if "skip" in one:
                left_out.append(LeftOut(name, str(one["skip"])))
            else:
                sets.append(_data_set(place, name, one))
        except UsageError as error:
            left_out.append(LeftOut(name, str(error)))
    return sets, left_out


def _settings(place: Path) -> list[dict[str, Any]]:
    """What is said of each data set of a folder: in its own file, or because it is known by its name."""
    file = place / SETTINGS
    if not file.is_file():
        return known_data().get(_plain(place.name), [{}])
    said = read_toml(file, f"write {SETTINGS}", 'classes = ["neg", "neu", "pos"]')
    several = said.pop("data", [{}])
    if not isinstance(several, list) or not all(isinstance(one, dict) for one in several):
        raise UsageError(say("'{file}': data is no list of tables", file=str(file)), hint="write [[data]] above each")
    return [said | one for one in several]


@cache
def known_data() -> dict[str, list[dict[str, Any]]]:
    """What has to be told of public data, by the name of its folder."""
    text = (files("metameasure.evaluating") / "known_data.toml").read_text(encoding="utf-8")
    return {_plain(name): several for name, several in tomllib.loads(text).items()}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _data_set(place: Path, name: str, said: Mapping[str, Any]) -> DataSet:
    task = str(said.get("task", USUAL_TASK))
    options = {key: value for key, value in said.items() if key not in _OWN}
    known = declared_in(declaration(task).options)
    for key in options:
        if key not in known:
            raise UsageError(
                say("{settings} has a setting '{key}', which {task} does not have", settings=SETTINGS, key=key, task=task),
                hint=did_you_mean(key, [*known, *_OWN]) or "leave it out",
            )
    gold = place / str(said["gold"]) if "gold" in said else _the_gold(place)
    if not any(place.glob(str(gold.relative_to(place)))):
        raise UsageError(say("there is no file '{file}'", file=str(gold)), hint="paths are relative to the data set's folder")
    runs = said.get("runs", f"{_RUNS}/*" if (place / _RUNS).is_dir() else None)
    if runs is None and "gold" not in said:
        raise UsageError(
            say("there is no folder '{runs}' beside gold", runs=_RUNS),
            hint=say("where gold and runs are in one file, name it in {settings}, as in gold = 'all.tsv'", settings=SETTINGS),
        )
    return DataSet(name, task, str(gold), None if runs is None else str(place / str(runs)), options)


def _typed(option: Option, value: Any) -> list[str]:
    """A setting as one types it behind a command."""
    if option.keys:
        shown = {key.name: key.shown for key in option.keys}
        return [part for key, one in value.items() for part in (f"--{shown.get(key, key)}-{option.name}", str(one))]
    if isinstance(value, bool):
        return [f"--{option.name}"] if value else []
    text = (
        ",".join(f"{one:g}" if isinstance(one, float) else str(one) for one in value) if isinstance(value, list) else str(value)
    )
    return [f"--{option.name}={text}" if text.startswith("-") else f"--{option.name}", *([] if text.startswith("-") else [text])]


def _the_gold(place: Path) -> Path:
    found = gold_files(place)
    if len(found) == 1:
        return found[0]
    raise UsageError(
        say("there are {files} whose names begin with gold", files="no files" if not found else f"{len(found)} files"),
        hint=say("name gold in {settings}, as in gold = 'all.tsv'", settings=SETTINGS),
    )


def reason_of(error: MetameasureError) -> str:
    """Why something cannot be used, in a line."""
    return " ".join(str(error).split())
