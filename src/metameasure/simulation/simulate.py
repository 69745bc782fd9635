"""A simulated task in one call: drawn, evaluated, or written as ordinary files."""

from __future__ import annotations

import importlib
import math
import shlex
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metameasure.core.errors import UsageError, did_you_mean, no_task
from metameasure.core.messages import option, say
from metameasure.core.notes import counted
from metameasure.core.options import with_options
from metameasure.core.output import new_folder
from metameasure.core.scale import Scale
from metameasure.evaluating.evaluate import evaluate
from metameasure.scores.scores import Scores
from metameasure.show.write import write_table
from metameasure.simulation.model import Columns, Draw, Kind, Model, Shape, evaluate_command
from metameasure.simulation.shapes import OF_TASK, SHAPES
from metameasure.statistics.streams import stream
from metameasure.tasks.declaration import declaration
from metameasure.tasks.option_groups import SimulateOptions


@dataclass(frozen=True, eq=False)
class Simulated:
    """Gold and runs as tables: columns by name. ``ratings`` has what each judge said, where gold is made of labels that judges
    gave."""

    shape: Shape
    seed: int
    gold: Columns
    runs: Mapping[str, Columns]
    ratings: Columns | None = None

    @property
    def how(self) -> dict[str, Any]:
        """What ``evaluate`` has to be told: the task, and its classes."""
        return {"task": self.shape.task, **declaration(self.shape.task).options.declaring(self.shape.labels)}

    def evaluate(self, measures: Any = None, **options: Any) -> Scores:
        """The scores of the runs, as from files."""
        with tempfile.TemporaryDirectory(prefix="metameasure-") as scratch:
            folder = Path(scratch) / "task"
            self.save(folder, ending=".parquet")
            runs = [str(folder / "runs" / f"{run}.parquet") for run in self.runs]
            return evaluate(str(folder / "gold.parquet"), runs, measures=measures, **self.how, **options)

    def save(self, folder: str | Path, *, ending: str = ".tsv") -> None:
        """Write ``gold``, ``runs/NAME`` and perhaps ``ratings`` into a new folder. One shape and seed, the same bytes."""
        files = {"gold": self.gold, **{f"runs/{name}": columns for name, columns in self.runs.items()}}
        if self.ratings is not None:
            files["ratings"] = self.ratings
        with new_folder(folder) as scratch:
            (scratch / "runs").mkdir()
            for name, columns in files.items():
                write_table(columns, scratch / f"{name}{ending}")

    def command(self, folder: str | Path) -> str:
        """The command that evaluates the files in that folder."""
        return evaluate_command(folder, shlex.quote(str(Path(folder) / "runs" / "*.tsv")), self.how)

    def __repr__(self) -> str:
        return f"<{self.shape.task} simulated like {self.shape.name}, seed {self.seed}: {len(self.runs)} runs>"


@with_options(SimulateOptions)
def simulate(asked: SimulateOptions, like: str | None = None) -> Simulated:
    """Simulate a shared task: gold, and systems that err in known ways.

    Parameters
    ----------
    like : str, optional
        The shape to start from (default: ``amigo``, or the usual one of ``task``); every option changes a part of it.

    Returns
    -------
    Simulated
        Gold and runs. ``.save(folder)`` writes them as ordinary files, ``.how`` says how to read those.

    Raises
    ------
    UsageError
        If there is no such shape or kind of system, or an option is not of the task.

    Notes
    -----
    The same seed gives the same bytes. The shape ``amigo`` is the experiment of Amigó et al. (2020), Section 5.3.

    Examples
    --------
    >>> import metameasure as mm
    >>> made = mm.simulate("amigo", kinds=["rand=.1,.5"], topics=2, items=10)
    >>> len(made.runs)
    2

    """
    shape = _shape(like, asked.task)
    model = model_of(shape.task)
    plain = ("topics", "items", "judges", "centre", "wander", "ties")
    changes = {
        "scale": None if asked.classes is None else Scale.of(asked.classes, kind=shape.scale.kind if shape.scale else None),
        "spread": (asked.spread, asked.spread) if isinstance(asked.spread, int | float) else asked.spread,
        "shares": None if asked.shares is None else tuple(asked.shares),
        **{name: getattr(asked, name) for name in plain},
    }
    wanted = _changed(shape, model, {name: value for name, value in changes.items() if value is not None})
    named = asked.kinds or wanted.kinds
    kinds = tuple(named.split() if isinstance(named, str) else named)
    return _drawn(replace(wanted, kinds=kinds), model, asked.runs, asked.seed)


def model_of(task: str) -> Model:
    """How a task is simulated."""
    model: Model = importlib.import_module(f"metameasure.simulation.{task}").MODEL
    return model


def _shape(like: str | None, task: str | None) -> Shape:
    if task is not None and task not in OF_TASK:
        raise no_task(task, OF_TASK)
    name = like or OF_TASK[task or "classification"]
    if name not in SHAPES:
        raise UsageError(f"there is no shape '{name}'", hint=did_you_mean(name, SHAPES) or f"there are {', '.join(SHAPES)}")
    if task is not None and SHAPES[name].task != task:
        raise UsageError(f"'{name}' is a task of {SHAPES[name].task}, not of {task}", hint="leave out one of the two")
    return SHAPES[name]


def _changed(shape: Shape, model: Model, changes: Mapping[str, Any]) -> Shape:
    """The shape with parts of it changed; UsageError for what makes no sense."""
    for name in changes:
        if name not in model.options:
            shown = "classes" if name == "scale" else name
            raise UsageError(say("{option} means nothing in {task}", option=option(shown), task=shape.task), hint="leave it out")
    fitted = _fitted(shape, changes["scale"]) if "scale" in changes else {}
    if "items" in changes:
        fitted |= {"smallest": 0}  # every topic has as many as were asked for
    variant = replace(shape, **{**fitted, **changes})
    least = {"topics": 1, "items": model.least_items, "judges": 0}
    for name, low in least.items():
        if getattr(variant, name) < low:
            raise UsageError(f"{getattr(variant, name)} {name}", hint=f"at least {low}")
    if variant.scale and not 2 <= variant.classes <= (model.most_classes or variant.classes):
        hint = "name at least two" if model.most_classes is None else f"name 2 to {model.most_classes}"
        raise UsageError(f"{variant.classes} {'class' if variant.classes == 1 else 'classes'} in {shape.task}", hint=hint)
    if variant.shares and (len(variant.shares) != variant.classes or min(variant.shares) < 0 or not sum(variant.shares) > 0):
        raise UsageError(
            f"{len(variant.shares)} shares for {variant.classes} classes",
            hint="give each class its share, from 0 up, as in .2,.5,.3",
        )
    if not all(map(math.isfinite, (variant.centre, variant.wander, *variant.spread, *variant.shares))):
        raise UsageError("a number is not finite", hint=say("see {metameasure simulate --help}"))
    if min(variant.spread) < 0 or variant.wander < 0 or not 0 <= variant.ties <= 1:
        raise UsageError(
            "a deviation is negative, or the share of ties is not between 0 and 1", hint=say("see {metameasure simulate --help}")
        )
    return variant


def _fitted(shape: Shape, scale: Scale) -> dict[str, Any]:
    """The shape's gold on a scale with more or fewer classes: in the same place of the scale, as far spread over it."""
    ratio = len(scale) / shape.classes
    low, high = shape.spread
    return {
        "centre": (shape.centre - 0.5) * ratio + 0.5,
        "wander": shape.wander * ratio,
        "spread": (low * ratio, high * ratio),
        "shares": (1.0,) * len(scale) if shape.shares else (),
    }


def _drawn(shape: Shape, model: Model, runs: int | None, seed: int) -> Simulated:
    """Gold and every system, each with random numbers of its own: a system is the same whatever others there are."""
    gold = model.gold(shape, stream(seed, 0))
    systems = _systems(shape, model, runs)
    run_tables: dict[str, Columns] = {}
    first: Any = None
    for name, (kind, amount) in systems.items():
        # popularity-C and popularity-E are one system under two names.
        key = kind.name if kind.takes == "nothing" else name
        output = kind.draw(Draw(shape, gold, amount, first, stream(seed, 1, zlib.crc32(key.encode()))))
        first = output if first is None else first
        run_tables[name] = model.run_table(shape, output)
    ratings = model.ratings(shape, gold) if model.ratings and shape.judges else None
    return Simulated(shape, seed, model.gold_table(shape, gold), run_tables, ratings)


def _systems(shape: Shape, model: Model, runs: int | None) -> dict[str, tuple[Kind, float]]:
    """The kind and amount of each run, by the run's name."""
    kinds = [text.partition("=") for text in shape.kinds]
    share = _shared_out(
        runs, [name for name, sign, _ in kinds if not sign], sum(text.count(",") + 1 for _, sign, text in kinds if sign)
    )
    systems: dict[str, tuple[Kind, float]] = {}
    for name, sign, text in kinds:
        kind = _kind(name.strip(), model)
        for label, amount in _amounts(kind, text if sign else None, share.get(name), shape):
            run = f"{kind.name}-{label}" if label else kind.name
            if "/" in run or "\\" in run:
                raise UsageError(f"'{run}' cannot be the name of a file", hint="runs are named by their kind and amount or class")
            if run in systems:
                raise UsageError(say("there are two runs '{run}'", run=run), hint="name each amount once")
            systems[run] = (kind, amount)
    if next(iter(systems.values()))[0].name == "copy":
        raise UsageError("'copy' copies the first run, so it cannot be the first", hint="name another kind before it")
    return systems


def _shared_out(runs: int | None, open: Sequence[str], named: int) -> dict[str, int]:
    """How many runs each kind gets whose amounts are not named."""
    if runs is None:
        return {}
    left = runs - named
    if left < len(open) or (left and not open):
        raise UsageError(
            say("{runs} cannot be shared among {kinds}", runs=counted(runs, "run"), kinds=counted(len(open), "kind")),
            hint="ask for at least one run a kind, or name the amounts, as in rand=.1,.5",
        )
    return {name: left // len(open) + (place < left % len(open)) for place, name in enumerate(open)}


def _kind(name: str, model: Model) -> Kind:
    if name not in model.kinds:
        near = did_you_mean(name, model.kinds) or f"the kinds are {', '.join(model.kinds)}"
        raise UsageError(f"there is no kind of system '{name}' in {model.task}", hint=near)
    return model.kinds[name]


def _amounts(kind: Kind, text: str | None, runs: int | None, shape: Shape) -> list[tuple[str, float]]:
    """The name that sets each run of a kind apart, and how much it errs."""
    parts = None if text is None else [part.strip() for part in text.split(",")]
    if kind.takes == "nothing":
        return [(tag, 0.0) for tag in parts or (map(str, range(1, (runs or 1) + 1)) if (runs or 1) > 1 else [""])]
    if kind.takes == "class":
        labels = shape.labels
        if runs is not None and runs > len(labels):
            raise UsageError(f"{runs} constant runs for {len(labels)} classes", hint=say("fewer {--runs}, or more kinds"))
        for part in parts or ():
            if part not in labels:
                raise UsageError(f"there is no class '{part}'", hint=f"the classes are {', '.join(labels)}")
        return [(label, float(labels.index(label))) for label in parts or labels[: runs or len(labels)]]
    if parts is not None:
        amounts = tuple(_amount(part, kind) for part in parts)
    elif runs is None:
        amounts = kind.amounts
    else:
        amounts = tuple(kind.amounts[-1] * place / runs for place in range(1, runs + 1))
    return [(f"{amount:.4g}", amount) for amount in amounts]


def _amount(text: str, kind: Kind) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= (1 if kind.takes == "rate" else 1e6):
        what = "a rate from 0 to 1" if kind.takes == "rate" else "a number from 0 up"
        raise UsageError(f"'{text}' is no amount for '{kind.name}'", hint=f"give {what}, as in {kind.name}=0.5")
    return amount
