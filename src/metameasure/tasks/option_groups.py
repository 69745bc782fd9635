"""What may be asked of each function and command: the groups of their options. Help reads them, so nothing heavy is imported."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from metameasure.core.choices import (
    Average,
    Better,
    Incomplete,
    IntervalKind,
    SampleUnits,
    Undefined,
)
from metameasure.core.errors import UsageError
from metameasure.core.notes import counted
from metameasure.core.options import LEVEL, SEED, TRIALS, Option, declared_in, option, said
from metameasure.tasks.declaration import declarations

if TYPE_CHECKING:
    from metameasure.catalogue.measure import Measure
    from metameasure.catalogue.registry import Registry
    from metameasure.tasks.classification import Options as ClassificationOptions
    from metameasure.tasks.entailment import Options as EntailmentOptions
    from metameasure.tasks.quantification import Options as QuantificationOptions
    from metameasure.tasks.ranking import Options as RankingOptions

# What several groups have.
MEASURES = Option("measures", "Which measures (default: all).", metavar="M,...", also="measure")
PRIMARY = Option("primary", "The measure that runs are ranked by (default: the first of the measures).", metavar="M")
AVERAGE = Option("average", "What the leaderboard shows.", choices=get_args(Average), shown=True)
BASELINES = Option("baselines", "Add the scores of constant and random outputs.", bool, negated=True)
SKIP_BROKEN = Option("skip-broken", "Leave out runs that are wrong, and score the others.", bool)
UNDEFINED = Option(
    "undefined",
    "What a score that is undefined counts as; skip leaves the topic out for all runs.",
    choices=get_args(Undefined),
    shown=True,
    doc="What an undefined score counts as: 0 (``zero``), the worse end of the measure's range (``worst``) or its chance level "
    "(``chance``); ``skip`` leaves the topic out for all runs.",
)
UNITS = Option(
    "units",
    "What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: topics from six on).",
    choices=get_args(SampleUnits),
)
VALIDITY = Option("validity", "Name the row of docs/validity.md behind each interval and p-value.", bool)
INTERVAL = Option(
    "interval",
    "How to make intervals (default: auto, which hold with few topics, clusters or items too; bootstrap: those of 0.2; "
    "bayes: credible intervals of one test set).",
    choices=get_args(IntervalKind),
)
BETTER = Option("better", "Which scores are better, for a measure that metameasure does not know.", choices=get_args(Better))
INCOMPLETE = Option("incomplete", "What to do about missing or undefined scores.", choices=get_args(Incomplete))
DISTANCE = Option(
    "distance",
    "Distances between the classes, C x C, for measures that take them.",
    metavar="FILE",
    is_file=True,
    doc="Distances between the classes, a C x C array or nested lists, for measures that take them.",
)
PLUGIN = Option(
    "plugin",
    "A Python file with measures of your own, which is run. May be repeated.",
    metavar="FILE",
    repeated=True,
    argument="plugins",
    is_file=True,
    doc="The measures that names are looked up in (default: ``mm.measures``).",
)
RESUME = Option(
    "resume",
    "Keep finished pieces of work in FILE; an interrupted run goes on from there.",
    metavar="FILE",
    doc="A file in which finished pieces of work are kept, and from which an interrupted call goes on.",
)
_TASKS = tuple(declarations())
TASK = Option("task", f"What is compared: {', '.join(_TASKS[:-1])} or {_TASKS[-1]}.", metavar="T", shown=True)


@dataclass(frozen=True, kw_only=True)
class _OfTask:
    task: str = option(TASK, default="classification")


if TYPE_CHECKING:

    class _OfAnyTask(ClassificationOptions, QuantificationOptions, EntailmentOptions, RankingOptions):
        reads: ClassVar[tuple[str, ...]]

else:

    def _of_any_task() -> type[Any]:
        """The options of all tasks, each once."""
        fields = {}
        for task in declarations().values():
            for field in dataclasses.fields(task.options):
                if field.name in declared_in(task.options) and field.name not in fields:
                    copied = dataclasses.field(
                        default=field.default, default_factory=field.default_factory, metadata=field.metadata
                    )
                    fields[field.name] = (field.name, field.type, copied)
        return dataclasses.make_dataclass("_OfAnyTask", fields.values(), frozen=True, kw_only=True)

    _OfAnyTask = _of_any_task()


@dataclass(frozen=True, kw_only=True)
class DataOptions(_OfAnyTask, _OfTask):
    """How gold and runs are read and counted: the task, and the options of all tasks."""

    seed: int = option(SEED, default=0)

    def how(self) -> dict[str, Any]:
        """What is said of reading and counting, as keywords of a task."""
        return {**said(self, _OfAnyTask), "seed": self.seed}


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """What is asked of a task on its data."""

    measures: str | Sequence[str | Measure] | None = option(
        MEASURES,
        "Which measures, the one to rank by first (default: a few for the task).",
    )
    primary: str | Measure | None = option(PRIMARY)
    average: Average = option(AVERAGE, default="topics")
    baselines: bool | None = option(BASELINES, "Add the scores of constant and random outputs (entailment: always).")
    undefined: Undefined = option(UNDEFINED, default="skip")
    groups: bool = option(
        "groups",
        "Add letters: runs that share one do not differ significantly by that measure.",
        bool,
        default=False,
        doc="Add letters for each measure, by the default test of ``compare``: runs that share one do not differ significantly.",
    )
    ranks: bool = option("ranks", "Add each run's rank by every measure.", bool, default=False)
    ci: bool | Literal["topics"] = option(
        "ci",
        "Add intervals.",
        bool,
        default=False,
        doc="Add intervals. With several topics, JSON and CSV have intervals over items too; ``topics`` leaves those out, which "
        "is quicker.",
    )
    interval: IntervalKind | None = option(INTERVAL)
    units: SampleUnits | None = option(UNITS)
    validity: bool = option(VALIDITY, default=False)
    level: float = option(LEVEL, "The intervals' level.", default=0.95)
    trials: int = option(TRIALS, "The intervals' number of draws.", default=1000)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)
    seed: int = option(SEED, default=0)

    def __post_init__(self) -> None:
        """UsageError for arguments that make no sense."""
        if self.average not in get_args(Average):
            raise UsageError(f"there is no average '{self.average}'", hint="choose topics or pooled")
        if self.undefined not in get_args(Undefined):
            hint = f"choose {', '.join(get_args(Undefined))}"
            raise UsageError(f"there is no choice '{self.undefined}' for undefined scores", hint=hint)
        if self.interval not in (None, *get_args(IntervalKind)):
            raise UsageError(f"there is no interval '{self.interval}'", hint=f"choose {' or '.join(get_args(IntervalKind))}")
        if self.units not in (None, *get_args(SampleUnits)):
            raise UsageError(f"there are no units '{self.units}'", hint=f"choose {' or '.join(get_args(SampleUnits))}")
        if not 0 < self.level < 1 or self.trials < 1:
            raise UsageError(
                f"an interval cannot have level {self.level:g} and {counted(self.trials, 'trial')}",
                hint="choose a level between 0 and 1 and at least one trial",
            )


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(ScoringOptions, DataOptions):
    """The options of ``evaluate``."""

    skip_broken: bool = option(SKIP_BROKEN, default=False)
