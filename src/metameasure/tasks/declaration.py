"""Which tasks there are, the options of each and those that tasks share: known before anything heavy is imported."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, get_args

from metameasure import tasks
from metameasure.core.choices import Engine, Extra, NameBy
from metameasure.core.errors import UsageError, no_task
from metameasure.core.messages import say
from metameasure.core.options import (
    Key,
    Option,
    declared_in,
    is_left_out,
    names,
    names_in,
    no_option,
    numbers,
    option,
    option_group,
    settled_in,
    with_keys,
)
from metameasure.core.scale import KINDS, Classes, Kind
from metameasure.core.shared_options import ENGINE_THREADS
from metameasure.reading.options import OF_GOLD, ReadOptions, Side, Tables, gold_columns, named_columns

COLUMNS = (
    Key("item", "the items' ids"),
    Key("topic", "topics"),
    Key("label", "labels"),
    Key("gold", "gold, side by side or stacked"),
    Key("run", "runs' names, stacked"),
    Key("weight", "items' weights, in gold"),
    Key("confidence", "how sure a run is of its label"),
    Key("rank", "ranks: 1 is the surest label, or the best item"),
    Key("score", "scores: belief in the positive class, or how good an item is"),
    Key("score_rank", "ranks of belief in the positive class: 1 is the strongest"),
    Key("category", "classes", flag="class"),
    Key("probability", "probabilities of classes, or counts"),
    Key("segment", "segments, whose items are ranked"),
    Key("judge", "who ranked a segment"),
    Key("cluster", "clusters of items that belong together, in gold"),
    Key("repeat", "the number of an output, where a run has several for an item"),
    Key("measure", "the names of measures, in outcomes"),
    Key("hash", "what tells items of outcomes apart, whatever they are called"),
)
_OF_GOLD = tuple(
    Key(f"{OF_GOLD}{key.name}", key.what, flag=f"gold-{key.shown}", hidden=True)
    for key in COLUMNS
    if key.name not in ("gold", "run", "repeat")
)
_MATRICES = (
    Key("label", "labels, where gold is apart"),
    Key("confidence", "how sure runs are of their labels"),
    Key("rank", "the same as ranks"),
    Key("score", "belief in the positive class"),
    Key("score_rank", "the same as ranks"),
)
USUAL_TASK = "classification"
"""The task where none is said."""
LABEL_COLUMNS = ("item", "topic", "label", "gold", "run", "weight")
"""The roles of the columns that labels may have, whatever the task."""
CLASSES = Option(
    "classes",
    "The classes from lowest to highest: neg,neu,pos or -2..2, or low=1,high=5 with values.",
    metavar="C",
    doc='The classes from lowest to highest: a list, a text such as ``"neg,neu,pos"`` or ``"-2..2"``, or a mapping such as '
    '``{"low": 1, "high": 5}``. They are never inferred; without them, the error says which labels were found.',
)
COLUMN = Option("column", "The column with {}.", metavar="NAME", section="Columns")
KIND = Option("kind", "What the classes are (default: ordinal).", choices=KINDS, usual="ordinal")
FORMAT_IN = Option("format-in", "The format, if it is not recognised: semeval, trec, wmt, ...", metavar="NAME")
NORMALISE = Option("normalise", "Divide distributions that do not add up to 1 by their sum.", bool)
SMOOTH = Option("smooth", "Add EPS to every probability, and divide by the sum.", float, metavar="EPS", of_scoring=True)
MISSING = Option(
    "missing",
    "What to do with items that a run lacks (default: an error).",
    metavar="worst|drop|zero|bounds|class:LABEL|last",
    doc="What to do with items that a run lacks (default: an error). ``drop`` leaves them out for that run. Of labels, ``worst`` "
    "counts them as the class farthest from gold, ``class:LABEL`` as that class, and ``zero`` as worth nothing; of sets of "
    "labels, ``empty`` as sets without labels; of rankings, ``last`` as behind all others. Of outcomes, ``drop`` is the default, "
    "``zero`` counts them as 0, and ``bounds`` says how far they could matter.",
)
"""Which of these there are, and others, depends on the task."""
MEMORY = Option("memory", "About how much memory to use.", metavar="2GB")
R = TypeVar("R", bound=ReadOptions)


@option_group
class TaskOptions:
    """What may be said of gold and runs, whatever the task."""

    reads: ClassVar[tuple[str, ...]] = LABEL_COLUMNS
    """The roles of the columns that the task reads."""
    tables: ClassVar[Tables] = Tables()
    """What its tables are like."""

    @classmethod
    def declaring(cls, labels: Sequence[str]) -> dict[str, Any]:
        """The options that declare classes of these labels; none where there are none."""
        return {"classes": list(labels)} if labels else {}

    run_columns: Sequence[str] = option(
        "run-columns", "Side by side: which columns are runs (default: all others).", names, metavar="A,B", default=()
    )
    missing: str | None = option(MISSING)
    extra: Extra | None = option(
        "extra", "What to do with items that gold lacks (default: an error).", choices=get_args(Extra), usual="error"
    )
    columns: Mapping[str, str] = option(COLUMN, keys=(*COLUMNS, *_OF_GOLD))
    format_in: str | None = option(FORMAT_IN)
    name_by: NameBy | None = option(
        "name-by",
        "What to call runs: as their files are called, or by the tag in them (default: file).",
        choices=get_args(NameBy),
        usual="file",
    )
    stacked: bool = option(
        "stacked", "Several files are parts of one table with a column of runs, not a file for each run.", bool, default=False
    )
    threads: int | None = option(ENGINE_THREADS)
    memory: str | None = option(MEMORY)
    engine: Engine | None = option(
        "engine", "The engine that reads and counts (default: duckdb, on this machine).", choices=get_args(Engine), usual="duckdb"
    )
    master: str | None = option(
        "master",
        "With --engine spark: sc://HOST:PORT, or a master such as local[*].",
        metavar="ADDRESS",
        doc='With ``engine="spark"``: ``sc://HOST:PORT``, or a master such as ``local[*]``.',
    )
    connect_timeout: float | None = option(
        "connect-timeout", "How many seconds it may take to reach the cluster (default: 20).", float, metavar="S"
    )
    seed: int = 0
    """The seed of whatever is drawn. Commands have it as an option of their own."""

    def reading(self, kind: type[R], **more: Any) -> R:
        """The part that is about files, and what else a task says of them."""
        of_task: dict[str, Any] = {"task": self.tables.task, "tables": self.tables, "named": tuple(self.columns.items())}
        return kind(
            **of_task | more,
            columns=named_columns(self.columns),
            format_in=self.format_in,
            run_columns=tuple(self.run_columns),
            missing=self.missing,
            gold_columns=gold_columns(self.columns),
            threads=self.threads,
            memory=self.memory,
            engine=self.engine,
            master=self.master,
            connect_timeout=self.connect_timeout,
            name_by=self.name_by,
            stacked=self.stacked,
        )


# These come before the others, which is why they are bases of their own: fields stand in the order of the bases, the last first.


@option_group
class ClassOptions:
    """What may be said of classes, and of items."""

    classes: Classes | None = option(CLASSES)
    kind: Kind | None = option(KIND)
    partitions: int | None = option(
        "partitions", "Split items without topics into K partitions at random.", int, metavar="K", least=2
    )


@option_group
class NumericLabelOptions(ClassOptions):
    """What may be said of labels that may be numbers too."""

    bins: Sequence[float] = option(
        "bins", "Edges that cut numeric labels into the classes.", numbers, metavar="X,Y,...", default=()
    )


@option_group
class LabelOptions(TaskOptions, ClassOptions):
    """What may be said of labels."""


@option_group
class ItemLabelOptions(LabelOptions):
    """What may be said of labels that are compared item by item."""

    matrices: Mapping[str, Any] = option(
        "matrix",
        "A file with {}, a column for each run.",
        metavar="FILE",
        section="Columns",
        keys=_MATRICES,
        is_file=True,
    )
    balance: bool = option(
        "balance",
        "Let every class of gold weigh the same, in each topic and in all as one.",
        bool,
        of_scoring=True,
        default=False,
    )


if TYPE_CHECKING:
    from metameasure.tasks.base import Task


@dataclass(frozen=True)
class Layout:
    """What the tables of a task look like, by the roles of their columns: what ``clean`` may know of files that are in a mess."""

    needed: tuple[str, ...]
    """The columns that every table has, but for gold's."""
    key: str
    """Which of them tells rows apart, alone or within others."""
    names: tuple[str, ...]
    """Columns of names that gold has too."""
    classes: tuple[str, ...] = ()
    """Columns of classes."""
    numbers: tuple[str, ...] = ()
    """Columns of numbers."""
    one_of: tuple[str, ...] = ()
    """Columns of which every table has one at least."""
    wide: str = ""
    """The key of a table that has a column for each class instead."""
    identical_are_one: bool = True
    """Whether two rows that are the same in every column say the same thing twice, and not two things that are equal."""
    gold: bool = True
    """Whether there is gold, which runs are held against."""
    of_gold: Layout | None = None
    """What gold may look like besides."""
    sets: bool = False
    """Whether cells of classes are sets of labels, and those of a column for each class say which of them an item has."""

    @property
    def possible(self) -> dict[Side, tuple[Layout, ...]]:
        """What gold, and what runs, may look like."""
        return {"gold": (self,) if self.of_gold is None else (self.of_gold, self), "run": (self,)}

    @property
    def roles(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(dict.fromkeys([*self.needed, *self.names, *self.classes, *self.numbers, *self.one_of]))


LABELS = Layout(
    needed=("item", "label"),
    key="item",
    names=("item", "topic"),
    classes=("label", "gold"),
    numbers=("weight", "confidence", "rank", "score", "score_rank"),
)
"""That of labels."""


@dataclass(frozen=True)
class Declaration:
    """A task: a folder here whose package has this as ``TASK``, and the class itself in ``task.py``."""

    package: str
    """The folder's name as a package: ``__name__``."""
    class_name: str
    options: type[TaskOptions]
    takes: tuple[str, ...] = ()
    """The other tasks whose measures it can score."""
    place: int = 50
    """Its place where tasks are listed."""
    layout: Layout | None = None
    """What its tables look like; None where nobody has said so."""
    ordered: bool = False
    """Whether its classes have an order unless somebody says otherwise."""
    brings_measures: bool = False
    """Whether its data have measures of their own, so that none has to be named."""

    @property
    def name(self) -> str:
        """What users call it."""
        return self.package.rpartition(".")[2]

    @property
    def task(self) -> type[Task[Any, Any]]:
        """The task's class, which is only now imported."""
        task_class: type[Task[Any, Any]] = getattr(importlib.import_module(f"{self.package}.task"), self.class_name)
        return task_class

    def knows(self, option: str) -> bool:
        """Whether it has such an option."""
        return option in self.options.__dataclass_fields__

    def options_of(self, how: Mapping[str, Any]) -> TaskOptions:
        """The options that the keywords of a call stand for; UsageError for one that is not this task's."""
        keywords = with_keys(self.options, {name: value for name, value in how.items() if not is_left_out(value)})
        for name, value in keywords.items():
            if not self.knows(name):
                raise self._not_mine(name, value)
        for role in keywords.get("columns", {}):
            others = [task for task in declarations().values() if role.removeprefix(OF_GOLD) in task.options.reads]
            if others and self not in others:
                raise self._of_others("columns", [role], others)
        return self.options(**settled_in(self.options, keywords))

    def _not_mine(self, name: str, value: Any) -> UsageError:
        others = [task for task in declarations().values() if task.knows(name)]
        if not others:
            return no_option(name, names_in(self.options))
        return self._of_others(name, value, others)

    def _of_others(self, name: str, value: Any, others: Sequence[Declaration]) -> UsageError:
        shown = declared_in(others[0].options)[name].flags(value)[0]
        hint = say("it is for {names} ({--task})", names=", ".join(task.name for task in others))
        return UsageError(say("{option} is not for the task {task}", option=shown, task=self.name), hint=hint)

    def options_of_scoring(self, how: Mapping[str, Any]) -> TaskOptions:
        """The options of a call on data that have been read already; UsageError for an option that is about reading."""
        later = {*self.names_of_scoring(), "seed", "threads", "memory"}
        for name, value in with_keys(self.options, how).items():
            if name in later or is_left_out(value):
                continue
            if not self.knows(name):
                raise self._not_mine(name, value)
            shown = declared_in(self.options)[name].flags(value)[0]
            raise UsageError(
                f"{shown} is an option for reading files, and evidence has been read already",
                hint="use it with metameasure count",
            )
        return self.options_of(how)

    def names_of_scoring(self) -> tuple[str, ...]:
        """The options that are about scoring."""
        return tuple(name for name, option in declared_in(self.options).items() if option.of_scoring)


@cache
def declarations() -> dict[str, Declaration]:
    """All tasks, by name."""
    packages = [one.name for one in pkgutil.iter_modules(tasks.__path__, f"{tasks.__name__}.") if one.ispkg]
    all_tasks: list[Declaration] = [importlib.import_module(name).TASK for name in packages]
    return {one.name: one for one in sorted(all_tasks, key=lambda one: (one.place, one.name))}


def has_order(task: str) -> bool:
    """Whether the classes of a task have an order unless somebody says otherwise. Agreement is no task, and has none."""
    return task in declarations() and declaration(task).ordered


def told(how: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a call that say something: neither left out, nor what leaving them out would say."""
    return {name: value for name, value in how.items() if not is_left_out(value) and not _is_usual(name, value)}


def _is_usual(name: str, value: Any) -> bool:
    """Whether that is the default of the tasks that have the option."""
    if not isinstance(value, str | int | float):
        return False
    having = [task.options for task in declarations().values() if name in declared_in(task.options)]
    usual = [(declared_in(options)[name].usual, getattr(options, name, None)) for options in having]
    return bool(usual) and all(value in each for each in usual)


def declaration(name: str) -> Declaration:
    """The task of that name; UsageError where there is none."""
    known = declarations()
    if name not in known:
        raise no_task(name, known)
    return known[name]
