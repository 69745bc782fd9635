"""What a simulated task is made of: the shape that is asked for, the kinds of systems, and how a task draws and writes both."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from metameasure.catalogue.sources import Citation
from metameasure.core.scale import Scale
from metameasure.tasks.declaration import USUAL_TASK

Columns = dict[str, npt.NDArray[Any]]
"""A table: what its columns are called, and their cells."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A task as it is asked for. ``kinds`` are the systems, as in ``("maj", "rand=.1,.5", "constant=1,2")``.

    Labels and votes are drawn from a normal distribution over the classes' places 1 to C and rounded to the nearest class: its
    mean is ``centre``, from which topics ``wander`` (a standard deviation); its deviation runs evenly over ``spread`` from the
    first topic to the last, so that topics are more and less imbalanced. ``shares`` says how frequent each class is instead.
    A topic has ``items`` items; where ``smallest`` is set, topics have from so many up to ``items`` of them.
    """

    name: str
    about: str
    task: str
    scale: Scale | None = None
    topics: int = 1
    items: int = 1
    smallest: int = 0
    judges: int = 0
    centre: float = 0.0
    spread: tuple[float, float] = (1.0, 1.0)
    wander: float = 0.0
    shares: tuple[float, ...] = ()
    ties: float = 0.0
    kinds: tuple[str, ...] = ()
    source: Citation | None = None

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the classes are called; none where the task has no classes."""
        return self.scale.labels if self.scale else ()


@dataclass(frozen=True)
class Draw:
    """What a system's output is drawn from: gold, how much the system errs, the first system's output (None for that system
    itself), and random numbers of its own."""

    shape: Shape
    gold: Any
    amount: float
    first: Any
    rng: np.random.Generator


@dataclass(frozen=True)
class Kind:
    """A kind of system. ``amounts`` are those of its systems unless others are asked for."""

    name: str
    about: str
    draw: Callable[[Draw], Any]
    amounts: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    takes: Literal["rate", "deviation", "class", "nothing"] = "rate"
    source: Citation | None = None


@dataclass(frozen=True)
class Model:
    """How one task draws gold and systems, and which columns its files have."""

    task: str
    kinds: Mapping[str, Kind]
    options: frozenset[str]
    """The parts of a shape that mean something here."""
    gold: Callable[[Shape, np.random.Generator], Any]
    gold_table: Callable[[Shape, Any], Columns]
    run_table: Callable[[Shape, Any], Columns]
    ratings: Callable[[Shape, Any], Columns] | None = None
    """What each judge said, where gold is made of it."""
    least_items: int = 1
    most_classes: int | None = None


def evaluate_command(folder: str | Path, runs: str, how: Mapping[str, Any]) -> str:
    """The command that evaluates runs against the gold in that folder, which is read so."""
    told = {name: value for name, value in how.items() if (name, value) != ("task", USUAL_TASK)}
    flags = ("--" + f"{name} {shlex.quote(value if isinstance(value, str) else ','.join(value))}" for name, value in told.items())
    return " ".join(["metameasure evaluate", shlex.quote(str(Path(folder) / "gold.tsv")), runs, *flags])


_GOLDEN = (5**0.5 - 1) / 2


def numbered(letter: str, number: int) -> npt.NDArray[np.object_]:
    """t001, t002, ...: as many digits as the last one needs, so that the order of the names is that of the numbers."""
    width = len(str(number))
    return np.array([f"{letter}{place:0{width}}" for place in range(1, number + 1)], dtype=object)


def sizes(shape: Shape) -> npt.NDArray[np.int64]:
    """(topics,): how many items each topic has: evenly from the smallest to the largest, in no order."""
    if not shape.smallest:
        return np.full(shape.topics, shape.items)
    scattered = np.argsort(np.arange(1, shape.topics + 1) * _GOLDEN % 1.0, kind="stable")
    return np.rint(np.linspace(shape.smallest, shape.items, shape.topics)).astype(np.int64)[scattered]


def places(shape: Shape, rng: np.random.Generator, size: int) -> npt.NDArray[np.float64]:
    """(topics, size): where items or votes fall on the scale, before they are rounded to a class."""
    if shape.shares:
        shares = np.asarray(shape.shares)
        drawn = rng.choice(len(shares), (shape.topics, size), p=shares / shares.sum())
        return np.asarray(drawn + 1.0, dtype=np.float64)
    centres = shape.centre + shape.wander * rng.normal(size=(shape.topics, 1))
    deviations = np.linspace(*shape.spread, shape.topics)
    return np.asarray(centres + deviations[:, None] * rng.normal(size=(shape.topics, size)))


def to_classes(where: npt.NDArray[np.float64], classes: int) -> npt.NDArray[np.int64]:
    """The nearest class, as a place from 0 to C - 1."""
    return np.clip(np.rint(where), 1, classes).astype(np.int64) - 1
