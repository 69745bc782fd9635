"""Every measure of the catalogue on trial: on simulated systems, on simulated tasks of known shapes and on the data sets of a
folder, as plain data, of which a site is made. Finished pieces are kept as files, so that the work can go on where it stopped."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from metameasure.catalogue.measure import Measure
from metameasure.catalogue.parameters import Labels
from metameasure.catalogue.registry import default_registry
from metameasure.core.errors import MetameasureError, MetameasureWarning
from metameasure.core.output import whole_file
from metameasure.evaluating.data_sets import DataSet, DataSets, LeftOut, data_sets_in, flagged, reason_of
from metameasure.scores.scores import Scores
from metameasure.simulation import simulate as simulation
from metameasure.simulation.shapes import SHAPES
from metameasure.statistics.pieces import fingerprint
from metameasure.statistics.sign_test import sign_test
from metameasure.statistics.work import duration
from metameasure.tasks.declaration import declaration
from metameasure.trials import call
from metameasure.trials.call import takes, trial
from metameasure.trials.claims import CLAIMS, Panel, PaperClaim
from metameasure.trials.on_data import tried_on
from metameasure.trials.worlds import GROUNDS
from metameasure.version import __version__

_AT_ONCE = 16
"""How many measures of a task are tried together: they share what is simulated and scored."""
_PARTITIONS = 10
_BY_LABEL = "it is about single classes, which every data set has its own of"
_BY_DISTANCE = "it weighs errors by distances that somebody has to give"


@dataclass(frozen=True)
class Simulated(DataSet):
    """A task of a known shape, with simulated systems."""

    seed: int = 0

    @property
    def simulated(self) -> bool:
        return True

    @property
    def _dealt(self) -> dict[str, Any]:
        """How the items of one topic become several, which measures are compared over."""
        deals = SHAPES[self.name].topics == 1 and not _sizes(self.name)
        return {"partitions": _PARTITIONS} if deals else {}

    def command(self) -> str:
        made = [f"metameasure simulate {self.name} {flagged('like')} {self.name} {flagged('seed')} {self.seed}"]
        made += [f"{flagged(name)} {value}" for name, value in _sizes(self.name).items()]
        scored = [_made(self.name, self.seed).command(self.name)]
        scored += [f"{flagged(name)} {value}" for name, value in self._dealt.items()]
        return f"{' '.join(made)} && {' '.join(scored)}"

    def scores(self, measures: Sequence[Measure], registry: Any = None) -> tuple[Scores, list[LeftOut]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MetameasureWarning)
            made = _made(self.name, self.seed)
            return made.evaluate(list(measures), registry=registry, baselines=False, **self._dealt), []


@lru_cache(maxsize=32)
def _made(shape: str, seed: int) -> simulation.Simulated:
    """Every batch of measures, and the command of every measure, asks for it again."""
    return simulation.simulate(shape, seed=seed, **_sizes(shape))


def _sizes(shape: str) -> dict[str, Any]:
    """What is simulated otherwise than the shape has it: as many topics as items are dealt into, of a task that deals none."""
    found = SHAPES[shape]
    dealt = found.topics > 1 or declaration(found.task).knows("partitions")
    return {} if dealt else {"topics": _PARTITIONS, "items": found.items // _PARTITIONS}


@dataclass(frozen=True)
class Size:
    """How much is done: which tasks, measures and shapes (none: all)."""

    tasks: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    shapes: tuple[str, ...] | None = None


WHOLE = Size()
SMALL = Size(("classification",), ("accuracy",), ())
"""Some seconds: one measure, the data of the folder alone, and the claims about classification."""


@dataclass(frozen=True)
class Opened:
    """All that was found, as JSON has it: trials by task and measure, claims with what became of each on every data set, data
    sets by name, and what was left out."""

    folder: str
    seed: int
    tasks: Mapping[str, Mapping[str, Mapping[str, Any]]]
    """By task and measure, what ``mm.trial`` says of that measure alone."""
    claims: tuple[Mapping[str, Any], ...]
    data: Mapping[str, Mapping[str, Any]]
    left_out: tuple[LeftOut, ...]
    untried: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By task, the measures that cannot be tried, and why."""


@dataclass(frozen=True)
class _Kept:
    """Pieces of work as JSON files in a folder, each under what it depends on."""

    folder: Path

    def of(self, name: str, key: Sequence[Any], compute: Callable[[], Any], progress: _Progress) -> Any:
        """What is kept, or is computed and kept now. Whatever is not readable is computed anew."""
        file = self.folder / f"{re.sub(r'[^a-zA-Z0-9_.-]', '-', name)}-{fingerprint(__version__, *key)[:12]}.json"
        if file.is_file():
            with suppress(ValueError):
                found = json.loads(file.read_text(encoding="utf-8"))
                progress.was_kept()
                return found
        found = compute()
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as scratch:
            scratch.write_text(json.dumps(found), encoding="utf-8")
        return found


def open_trial(
    folder: str | Path, work: str | Path, *, size: Size = WHOLE, seed: int = 0, say_on: Callable[[str], None] | None = None
) -> Opened:
    """Put every measure of the catalogue on trial, on what is simulated and on every data set of the folder. Finished pieces are
    kept in the folder ``work``; ``say_on`` is told what is done next, and how long the rest takes."""
    found = data_sets_in(folder)
    kept = _Kept(Path(work))
    tasks = [task for task in GROUNDS if not size.tasks or task in size.tasks]
    chosen = {task: _measures_of(task, size) for task in tasks}
    untried = {task: {} if size.measures else _untried(task) for task in tasks}
    sets = {task: (*_shapes(task, size, seed), *found.of(task)) for task in tasks}
    claims = [one for one in CLAIMS if one.task in tasks]
    batches = [
        (task, chosen[task][start : start + _AT_ONCE]) for task in tasks for start in range(0, len(chosen[task]), _AT_ONCE)
    ]
    progress = _Progress(len(batches) + sum(len(sets[task]) for task in {one.task for one in claims}), say_on or _silent)
    trials: dict[str, dict[str, Any]] = {task: {} for task in tasks}
    failed: dict[str, str] = {}  # data sets that turned out not to be usable
    for task, some in batches:
        progress.next(f"{task}: {', '.join(one.id for one in some)}")
        key = (task, [one.id for one in some], [one.code_digest() for one in some], seed, call.QUICK,
               [_digest(one) for one in sets[task]])  # fmt: skip
        told = kept.of(f"{task}-{some[0].id}", key, partial(_tried, task, some, sets[task], seed), progress)
        untried[task] |= told["refused"]
        for one in told["trials"]:
            trials[task][one["measures"][0]["id"]] = one
            failed |= {left["name"]: left["reason"] for left in one.get("left_out", [])}
    decided = _decided(claims, sets, seed, kept, progress)
    data = {one.name: _about(one) for task in tasks for one in sets[task] if one.name not in failed}
    others = [
        LeftOut(one.name, f"it is of the task {one.task}, which is not tried") for one in found.sets if one.task not in tasks
    ]
    left_out = (*found.left_out, *(LeftOut(name, reason) for name, reason in failed.items()), *others)
    return Opened(str(folder), seed, trials, tuple(decided), data, left_out, untried)


def _measures_of(task: str, size: Size) -> list[Measure]:
    known = default_registry().of_task(*takes(task))
    if size.measures:
        return [known[name] for name in size.measures if known.find(name) is not None]
    own = [one for one in (*known.headline(task), *known.all) if task in one.tasks or task in one.headline]
    able = [one.example if one.open else one for one in own if one.better is not None and not _why_not(one)]
    return list({one.id: one for one in able}.values())


def _why_not(measure: Measure) -> str:
    """Why a measure cannot be tried; empty where it can."""
    if measure.needs_distance:
        return _BY_DISTANCE
    return _BY_LABEL if isinstance(measure.parameter, Labels) and measure.open else ""


def _untried(task: str) -> dict[str, str]:
    of_task = [one for one in default_registry().of_task(task).all if task in one.tasks]
    reasons = {one.id: "it describes the data, and scores no output" if one.better is None else _why_not(one) for one in of_task}
    return {name: reason for name, reason in reasons.items() if reason}


def _shapes(task: str, size: Size, seed: int) -> tuple[DataSet, ...]:
    names = [name for name, shape in SHAPES.items() if shape.task == task]
    chosen = names if size.shapes is None else [name for name in names if name in size.shapes]
    return tuple(Simulated(name, task, "", None, {}, seed) for name in chosen)


def _digest(data: DataSet) -> str:
    """The same for the same files and settings."""
    if data.simulated:
        return fingerprint(data.name, data.seed)  # type: ignore[attr-defined]
    files = [Path(data.gold), *(sorted(Path(data.runs).parent.glob(Path(data.runs).name)) if data.runs else ())]
    return fingerprint(data.name, data.task, {**data.options}, [(one.name, fingerprint(one.read_bytes().hex())) for one in files])


def _tried(task: str, some: Sequence[Measure], sets: Sequence[DataSet], seed: int) -> dict[str, Any]:
    """What ``trial --quick`` finds of some measures, of each by itself; and those that are refused, with the reasons."""
    registry = default_registry().of_task(*takes(task))
    found, refused = _on_trial(task, some, seed)
    able = [one for one, _ in found]
    established = [one for one in registry.headline(task) if one.better is not None and not one.open]
    told = [one for _, one in found]
    if sets and able:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MetameasureWarning)
            on_data = tried_on(
                DataSets("", tuple(sets)), task, able, established, splits=call.QUICK["splits"], draws=call.QUICK["draws"],
                seed=seed, registry=registry,
            )  # fmt: skip
        for measure, one in found:
            others = [other.id for other in established if other.id != measure.id]
            one.update(on_data.to_dict([(measure.id, other) for other in others]))
            for part in one["data"]:
                part["measures"] = [row for row in part["measures"] if row["id"] == measure.id]
    return {"trials": told, "refused": refused}


def _on_trial(task: str, some: Sequence[Measure], seed: int) -> tuple[list[tuple[Measure, dict[str, Any]]], dict[str, str]]:
    """What ``mm.trial`` says of each of some measures; those that it refuses, with the reason."""
    found: list[tuple[Measure, dict[str, Any]]] = []
    refused: dict[str, str] = {}
    try:
        whole = trial(list(some), task=task, quick=True, seed=seed).to_dict()
    except MetameasureError as error:
        if len(some) == 1:
            return [], {some[0].id: reason_of(error)}
        for one in some:
            more, why = _on_trial(task, [one], seed)
            found += more
            refused |= why
        return found, refused
    for one in some:
        of_one = {key: value for key, value in whole.items() if key not in ("notes", "findings", "signature", "signature_parts")}
        of_one["measures"] = [told for told in whole["measures"] if told["id"] == one.id]
        of_one["criteria"] = [told for told in whole["criteria"] if told["id"] == one.id]
        found.append((one, of_one))
    return found, refused


def _decided(
    claims: Sequence[PaperClaim],
    sets: Mapping[str, Sequence[DataSet]],
    seed: int,
    kept: _Kept,
    progress: _Progress,
) -> Iterator[dict[str, Any]]:
    """Every claim with what becomes of it on each data set of its task."""
    outcomes: dict[str, dict[str, str]] = {one.id: {} for one in claims}
    for task in dict.fromkeys(one.task for one in claims):
        here = [one for one in claims if one.task == task]
        for data in sets[task]:
            progress.next(f"claims about {task} on {data.name}")
            key = (_digest(data), seed, [(one.id, one.says, one.measures) for one in here])
            decided = kept.of(f"claims-{data.name}", key, partial(_on, here, data, seed), progress)
            for name, outcome in decided.items():
                outcomes[name][data.name] = outcome
    simulated = {data.name for some in sets.values() for data in some if data.simulated}
    for one in claims:
        by_data = outcomes[one.id]
        yield {
            "id": one.id, "paper": one.paper, "source": str(one.source), "says": one.says, "task": one.task,
            "measures": list(one.measures), "question": one.question,
            "real": {name: held for name, held in by_data.items() if name not in simulated},
            "simulated": {name: held for name, held in by_data.items() if name in simulated},
        }  # fmt: skip


def _on(claims: Sequence[PaperClaim], data: DataSet, seed: int) -> dict[str, str]:
    """What becomes of claims on one data set, as ``meta`` answers where it is told nothing else."""
    registry = default_registry().of_task(*takes(data.task))
    names = list(dict.fromkeys(name for one in claims for name in one.measures))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MetameasureWarning)
        try:
            scores, _ = data.scores([registry[name] for name in names], registry)
        except MetameasureError:
            return {one.id: "cannot tell" for one in claims}
        panels = {some: Panel.of(scores, some, registry, seed) for some in {one.measures for one in claims}}
    return {one.id: one.on(panels[one.measures]) for one in claims}


def _about(data: DataSet) -> dict[str, Any]:
    about = SHAPES[data.name].about if data.simulated else ""
    return {"name": data.name, "task": data.task, "simulated": data.simulated, "about": about, "command": data.command()}


def held_in_words(outcomes: Mapping[str, str]) -> str:
    """How often a claim held, with the names, as in: held on 2 of 3 data sets (A and B), within chance on 1 (C)."""
    told = {name: outcome for name, outcome in outcomes.items() if outcome != "cannot tell"}
    if not told:
        return "no data set can tell" if outcomes else "no data set"
    by = {what: [name for name, outcome in told.items() if outcome == what] for what in ("held", "within chance", "refuted")}
    parts = [f"held on {len(by['held'])} of {len(told)}" + (f" ({', '.join(by['held'])})" if by["held"] else "")]
    parts += [f"{what} on {len(by[what])} ({', '.join(by[what])})" for what in ("within chance", "refuted") if by[what]]
    return "; ".join(parts)


def p_over(outcomes: Mapping[str, str]) -> float | None:
    """The sign test of a claim over data sets, held against refuted; None where fewer than six decide."""
    signs = [1.0 if one == "held" else -1.0 for one in outcomes.values() if one in ("held", "refuted")]
    return sign_test(signs)


def command_for(measure: str, task: str, folder: str, seed: int = 0) -> str:
    """The command that gives what is said of a measure."""
    asked = ["metameasure", "trial", measure, flagged("task"), task, flagged("quick"), flagged("data"), folder]
    return shlex.join([*asked, *_seeded(seed)])


def standing_commands(measure: str, others: Sequence[str], evaluate: str, seed: int = 0) -> str:
    """The commands that give how a measure stands beside others on a data set."""
    drawn = [flagged("splits"), str(call.QUICK["splits"]), flagged("trials"), str(call.QUICK["draws"]), *_seeded(seed)]
    kept = [flagged("incomplete"), "drop-topics"]
    return "\n".join([
        scoring([{"measures": [measure, *others]}], evaluate),
        " ".join(["metameasure meta all scores.csv", *kept, *drawn]),
        " ".join(["metameasure meta coverage scores.csv", *kept, flagged("reference"), shlex.quote(",".join(others))]),
    ])  # fmt: skip


def scoring(claims: Sequence[Mapping[str, Any]], evaluate: str) -> str:
    """The command that scores a data set by all measures of some claims."""
    measures = dict.fromkeys(name for one in claims for name in one["measures"])
    return f"{evaluate} {flagged('measures')} {shlex.quote(','.join(measures))} {flagged('scores')} scores.csv"


def deciding(claim: Mapping[str, Any], seed: int = 0) -> str:
    """The command that gives what decides a claim, of the scores of a data set."""
    measures = shlex.quote(",".join(claim["measures"]))
    asked = (
        f"metameasure meta {claim['question']} scores.csv {flagged('measures')} {measures} {flagged('incomplete')} drop-topics"
    )
    return " ".join([asked, *(_seeded(seed) if claim["question"] in ("all", "contradictions") else [])])


def _seeded(seed: int) -> list[str]:
    return [flagged("seed"), str(seed)] if seed else []


@dataclass
class _Progress:
    """A line for each piece, with the time left by those that were not kept before."""

    steps: int
    tell: Callable[[str], None]
    done: int = 0
    kept: int = 0
    start: float = field(default_factory=time.monotonic)

    def next(self, what: str) -> None:
        taken, new = time.monotonic() - self.start, self.done - self.kept
        left = f", {duration(taken * (self.steps - self.done) / new)} left" if new else ""
        self.tell(f"{self.done + 1} of {self.steps}{left}: {what}")
        self.done += 1

    def was_kept(self) -> None:
        """What was told last is there from before."""
        self.kept += 1


def _silent(_: str) -> None:
    """Nothing is told."""


def to_standard_error(text: str) -> None:
    """Progress, a line each."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
