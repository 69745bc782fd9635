"""What may be asked of each function and command: the groups of their options. Help reads them, so nothing heavy is imported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from metameasure.core.choices import (
    Across,
    AcrossTasks,
    Average,
    Better,
    ComparedInterval,
    Correction,
    DrawBy,
    Incomplete,
    IntervalKind,
    MetricTest,
    Purpose,
    SampleUnits,
    Test,
    Undecided,
    Undefined,
)
from metameasure.core.errors import UsageError
from metameasure.core.messages import say
from metameasure.core.options import (
    Key,
    Option,
    declared_in,
    margins,
    names,
    numbers,
    option,
    option_group,
    option_group_of,
    range_or_list,
    said,
    type_of,
)
from metameasure.core.scale import Classes
from metameasure.core.shared_options import (
    ALPHA,
    AVERAGE,
    BASELINES,
    BETTER,
    BY,
    BY_TABLE,
    CORRECTION,
    DISTANCE,
    DRAW_BY,
    ENGINE_THREADS,
    INCOMPLETE,
    INTERVAL,
    KEPT_BASELINES,
    LEAVE_OUT,
    LEVEL,
    MEASURES,
    PLUGIN,
    POOLED,
    PRIMARY,
    RESUME,
    SAMPLES,
    SEED,
    SIMULTANEOUS,
    SKIP_BROKEN,
    TEST,
    TEST_OF_COMPARE,
    THREADS,
    TRIALS,
    UNDEFINED,
    UNITS,
    VALIDITY,
)
from metameasure.tasks import quantification
from metameasure.tasks.declaration import CLASSES, COLUMN, FORMAT_IN, declarations
from metameasure.tasks.rating_options import ANNOTATOR_COLUMNS, JUDGE_LABELS, JudgeSettings, SampledOptions

if TYPE_CHECKING:
    from metameasure.catalogue.measure import Measure
    from metameasure.catalogue.registry import Registry
    from metameasure.tasks.classification import Options as ClassificationOptions
    from metameasure.tasks.entailment import Options as EntailmentOptions
    from metameasure.tasks.multilabel import Options as MultilabelOptions
    from metameasure.tasks.outcomes import Options as OutcomesOptions
    from metameasure.tasks.probabilities import Options as ProbabilitiesOptions
    from metameasure.tasks.quantification import Options as QuantificationOptions
    from metameasure.tasks.ranking import Options as RankingOptions

_TASKS = tuple(declarations())
_RANKED = dataclasses.replace(MEASURES, help="Which measures, the one to rank by first (default: a few for the task).")
_AS_IN = dataclasses.replace(CLASSES, help="The classes from lowest to highest, as in neg,neu,pos or -2..2.", doc="")
TASK = Option("task", f"What is compared: {', '.join(_TASKS[:-1])} or {_TASKS[-1]}.", metavar="T", shown=True)
OF_ONE_TASK = dataclasses.replace(TASK, help="Only the measures of one task.", metavar=None, shown=False)
WIDTH = Option("width", "The full width that an interval should have.", float, metavar="W")


@option_group
class _OfTask:
    task: str = option(TASK, default="classification")


if TYPE_CHECKING:

    class _OfAnyTask(
        ClassificationOptions, QuantificationOptions, ProbabilitiesOptions, MultilabelOptions, EntailmentOptions, RankingOptions,
        OutcomesOptions,
    ):  # fmt: skip
        reads: ClassVar[tuple[str, ...]]
        missing: Any  # each task has its own words

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
                    fields[field.name] = (field.type, copied)
        return option_group_of("_OfAnyTask", fields)

    _OfAnyTask = _of_any_task()


@option_group
class DataOptions(_OfAnyTask, _OfTask):
    """How gold and runs are read and counted: the task, and the options of all tasks."""

    seed: int = option(SEED, default=0)

    def told(self) -> dict[str, Any]:
        """What is said of reading and counting, as keywords of a task."""
        return said(self, _OfAnyTask)

    def how(self) -> dict[str, Any]:
        """What is said of reading and counting, and the seed."""
        return {**self.told(), "seed": self.seed}


@option_group
class SoundRunsOptions(DataOptions):
    """How gold and runs are read and counted, and whether broken runs are left out."""

    skip_broken: bool = option(SKIP_BROKEN, default=False)

    def of_data(self) -> dict[str, Any]:
        """What is said of reading and counting, and of broken runs: nothing of it is for scores."""
        return {**self.told(), "skip_broken": self.skip_broken or None}


@option_group
class CleanOptions(DataOptions):
    """The options of ``clean``."""

    map: Mapping[str, str] | str | Path | None = option(
        "map",
        "What labels stand for that are no classes: positive=2,neg=-2, or a file with two columns.",
        metavar="A=B,...|FILE",
        doc="What labels stand for that are no classes: a mapping, a text such as ``positive=2,neg=-2``, or a file with two "
        "columns.",
    )
    encoding: str | None = option(
        "encoding", "What files are written in that are neither UTF-8 nor begin with a mark.", metavar="E"
    )


TEXTS = Option(
    "texts",
    "A table with the items' texts: item, text.",
    metavar="FILE",
    is_file=True,
    doc="A table with the items' texts, a file or a frame: ``item``, ``text``.",
)


@option_group
class ExplainOptions(DataOptions):
    """The options of ``explain``."""

    measure: str | Measure | None = option(
        "measure", "The measure whose difference is explained (default: the task's first).", metavar="M", also="measures"
    )
    average: Average = option(AVERAGE, "Explain the difference of means over topics, or of all items as one.", default="topics")
    texts: Any = option(TEXTS)
    most: int = option("most", "How many items of each class to show.", int, least=1, shown=True, default=10)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)


@option_group
class CountingOptions(SoundRunsOptions):
    """The options of ``count``."""

    for_: Purpose | None = option(
        "for",
        "What it is for: compare keeps how many items are alike, so that runs can be compared item by item.",
        choices=get_args(Purpose),
        doc="What it is for: with ``compare`` it keeps how many items are alike, so that runs can be compared item by item.",
    )
    pairs: Any = option(
        "pairs",
        "With --for compare: keep it of these pairs of runs only.",
        metavar="A:B,...",
        doc="With ``for_='compare'``: keep it of these pairs of runs only, as in ``a:b,a:c`` or ``[('a', 'b')]``.",
    )
    resume: str | Path | None = option(
        "resume",
        "Count part by part, and keep each; an interrupted call goes on from there.",
        only="python",
        doc="A folder in which each part is kept when it is counted, and from which an interrupted call goes on.",
    )


@option_group
class TableOptions(SoundRunsOptions):
    """The options of ``table``."""

    by_class: bool = option(
        "by-class",
        "Add CEM of each class: over the items that are given it (as precision), and over those that have it (as recall).",
        bool,
        default=False,
    )


@option_group
class ScoringOptions:
    """What is asked of a task on its data."""

    measures: str | Measure | Sequence[str | Measure] | None = option(_RANKED)
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
    possible_ranks: bool = option(
        "possible-ranks",
        "Add the ranks that each run may truly have by the first measure, all at once with 95% confidence.",
        bool,
        default=False,
        doc="Add the ranks that each run may truly have by the first measure, all at once with 95% confidence, as ``ranks`` "
        "finds them.",
    )
    ci: bool | Literal["topics"] = option(
        "ci",
        "Add intervals.",
        bool,
        default=False,
        words=("topics",),
        doc="Add intervals. With several topics, JSON and CSV have intervals over items too; ``topics`` leaves those out, which "
        "is quicker.",
    )
    interval: IntervalKind | None = option(INTERVAL)
    units: SampleUnits | None = option(UNITS)
    validity: bool = option(VALIDITY, default=False)
    by: str | None = option(BY)
    by_table: Any = option(BY_TABLE)
    level: float = option(LEVEL, "The intervals' level.", default=0.95)
    trials: int = option(TRIALS, "The intervals' number of draws.", default=1000)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)
    seed: int = option(SEED, default=0)

    def __post_init__(self) -> None:
        """UsageError for arguments that make no sense."""
        if self.by_table is not None and self.by is None:
            raise UsageError(say("{--by-table} is a table that has the column of {--by}"), hint="name the column")


@option_group
class EvaluateOptions(ScoringOptions, SoundRunsOptions):
    """The options of ``evaluate``."""


@option_group
class TestOptions:
    """How runs are compared, whatever is resampled."""

    correction: Correction | None = option(CORRECTION)
    against: str | None = option(
        "against",
        "Compare all runs with this one only.",
        metavar="RUN",
        doc="Compare all runs with this one only; over topics by sign-flip tests.",
    )
    trials: int = option(TRIALS, default=5000)
    seed: int = option(SEED, default=0)
    alpha: float = option(ALPHA, default=0.05)
    level: float = option(LEVEL, default=0.95, only="python")
    interval: ComparedInterval = option(
        INTERVAL,
        "How to make the runs' intervals: as evaluate does, or as in 0.2.",
        choices=get_args(ComparedInterval),
        shown=True,
        default="auto",
    )
    validity: bool = option(VALIDITY, default=False)
    draw_by: DrawBy | None = option(DRAW_BY)


@option_group
class TopicTestOptions(TestOptions):
    """How runs are compared by their means over topics."""

    test: Test | None = option(TEST)
    units: SampleUnits | None = option(UNITS)
    correction_across: Across | None = option(
        "correction-across",
        "Correct p-values for the number of measures too (default: for the pairs of runs only).",
        choices=get_args(Across),
    )
    better: Better | None = option(BETTER)
    incomplete: Incomplete | None = option(INCOMPLETE)
    baselines: bool = option(KEPT_BASELINES, default=False)
    leave_out: Sequence[str] = option(LEAVE_OUT, default=())
    simultaneous: bool = option(SIMULTANEOUS, default=False)
    anova: bool = option("anova", "Add the two-way analysis of variance, topics by runs.", bool, default=False)
    registry: Registry | None = option(PLUGIN)
    threads: int | None = option(ENGINE_THREADS)


@option_group
class CompareOptions(TopicTestOptions, SoundRunsOptions):
    """The options of ``compare``."""

    test: Test | MetricTest | None = option(TEST_OF_COMPARE)  # type: ignore[assignment]
    weights: Sequence[float] = option(
        "weights",
        "Metrics over several data sets: how much each counts (default: the same).",
        numbers,
        metavar="W,...",
        doc="Metrics over several data sets, of language pairs and measures: how much each counts, in that order.",
        default=(),
    )
    average: Average = option(POOLED, default="topics")
    distance: Any = option(DISTANCE)


@option_group
class RankTestOptions:
    """How possible ranks are found: of the options of ``compare``, those that hold for all pairs of runs at once."""

    test: Test | None = option(
        TEST,
        "The test (default: stepwise over topics; permutation over items and of pooled rankings; tukey, or hsd, is the "
        "randomised Tukey HSD, classical that of a two-way analysis of variance).",
        doc="The test: by default ``stepwise`` over topics; ``permutation`` over items and of pooled rankings. ``tukey`` (or "
        "``hsd``) is the randomised Tukey HSD test, ``classical`` that of a two-way analysis of variance. With fewer than six "
        "topics none.",
    )
    correction: Correction | None = option(CORRECTION, choices=("holm", "maxt"))
    units: SampleUnits | None = option(
        UNITS,
        "What is a sample of more: topics, or items (or clusters) within topics that are fixed (default: both, topics first from "
        "six on).",
    )
    alpha: float = option(ALPHA, "All ranks hold at once with confidence 1 - alpha.", default=0.05)
    trials: int = option(TRIALS, default=5000)
    seed: int = option(SEED, default=0)
    draw_by: DrawBy | None = option(DRAW_BY)
    validity: bool = option(VALIDITY, default=False)
    better: Better | None = option(BETTER)
    incomplete: Incomplete | None = option(INCOMPLETE)
    baselines: bool = option(KEPT_BASELINES, default=False)
    leave_out: Sequence[str] = option(LEAVE_OUT, "A run that is not ranked. May be repeated.", default=(), doc="Runs not ranked.")
    across: AcrossTasks | None = option(
        "across",
        "One decision over several tasks, a file of scores each: by standardised means, or by ranks.",
        choices=get_args(AcrossTasks),
        doc="One decision over several tasks, each with its own measure: by the means of standardised scores, or of ranks. The "
        "tasks are scores in a list or by name, or the measures of one.",
    )
    registry: Registry | None = option(PLUGIN)
    threads: int | None = option(ENGINE_THREADS)


@option_group
class RankOptions(RankTestOptions, SoundRunsOptions):
    """The options of ``ranks``."""

    average: Average = option(POOLED, default="topics")
    distance: Any = option(DISTANCE)


@option_group
class GateOptions(SoundRunsOptions):
    """The options of ``gate``."""

    margin: float | Mapping[str, float] | None = option(
        "margin",
        "By how much the new run may be worse, in units of the measure; of several measures, one for each: accuracy=.02,mae=.1.",
        margins,
        metavar="D",
        doc="By how much the new run may be worse, in units of the measure; a number, or one for each measure. There is no "
        "default.",
    )
    measures: str | Measure | Sequence[str | Measure] | None = option(
        MEASURES, "Which measures (default: all that the scores are of). All must pass."
    )
    baseline: str | None = option("baseline", "The old run, where a file holds several.", metavar="RUN")
    candidate: str | None = option("candidate", "The new run, where a file holds several.", metavar="RUN")
    each_topic: bool = option("each-topic", "Every topic by itself, over its items: all must pass.", bool, default=False)
    undecided: Undecided | None = option(
        "undecided",
        "What to do where the data do not decide (default: say so, exit status 4).",
        choices=get_args(Undecided),
    )
    alpha: float = option(
        ALPHA, "How often PASS, or FAIL, may be wrong where the truth is on the margin.", between=(0, 0.5), default=0.05
    )
    units: SampleUnits | None = option(UNITS)
    average: Average = option(POOLED, default="topics")
    better: Better | None = option(BETTER)
    incomplete: Incomplete | None = option(INCOMPLETE)
    trials: int = option(TRIALS, "How many random draws, for measures that need them.", default=5000)
    validity: bool = option(VALIDITY, default=False)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)


@option_group
class DifferenceOptions(DataOptions):
    """The options of ``difference``."""

    distance: Any = option(DISTANCE)
    level: float = option(LEVEL, default=0.95)
    trials: int = option(TRIALS, default=5000)
    registry: Registry | None = option(PLUGIN)


@option_group
class ReportOptions(SoundRunsOptions):
    """The options of ``report``."""

    title: str = option("title", "The title of the page.", metavar="TEXT", default="")
    measures: str | Measure | Sequence[str | Measure] | None = option(_RANKED)
    primary: str | None = option(PRIMARY)
    average: Average = option(AVERAGE, "What the leaderboard of the page shows.", default="topics", only="python")
    baselines: bool | None = option(BASELINES)
    undefined: Undefined = option(UNDEFINED, default="skip")
    interval: IntervalKind | None = option(INTERVAL, only="python")
    level: float = option(LEVEL, default=0.95, only="python")
    trials: int = option(TRIALS, "How many random trials the tests make.", default=5000)
    alpha: float = option(ALPHA, default=0.05)
    better: Better | None = option(BETTER, "Which scores are better, for measures that metameasure does not know.")
    units: SampleUnits | None = option(UNITS)
    simultaneous: bool = option(SIMULTANEOUS, default=False)
    validity: bool = option(VALIDITY, default=False)
    by: str | None = option(BY)
    by_table: Any = option(BY_TABLE)
    explain: Sequence[str] = option(
        "explain", "Show the items that made the difference between two runs.", names, metavar="A,B", default=()
    )
    texts: Any = option(TEXTS, "A table with the texts of the items that --explain shows: item, text.")
    properties: bool = option(
        "properties", "Search for formal properties of the measures too: some seconds for each.", bool, default=False
    )
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)
    digits: int | None = option("digits", "How many decimals numbers have.", int, only="python")


@option_group
class DistributionOptions(quantification.Options):
    """The options of ``distributions``."""

    baselines: bool = option(
        BASELINES, "Add the distributions of baselines: constant and random ones.", negated=False, default=False
    )
    seed: int = option(SEED, default=0)


@option_group
class AdviseOptions(SoundRunsOptions):
    """The options of ``advise``."""

    no_distances: bool = option(
        "no-distances", "Ask for measures that assume no distances between ordered classes.", bool, default=False
    )
    registry: Registry | None = option(PLUGIN)


@option_group
class CorrectScoresOptions(SampledOptions, DataOptions):
    """The options of ``correct_scores``."""

    measures: str | Measure | Sequence[str | Measure] | None = option(
        MEASURES, "Which measures of a table, the one to rank by first (default: a few for the scale)."
    )
    level: float = option(LEVEL, default=0.95)
    trials: int = option(SAMPLES, least=100, default=1000)
    distance: Any = option(DISTANCE)
    registry: Registry | None = option(PLUGIN)
    validity: bool = option(VALIDITY, default=False)


@option_group
class DesignOptions:
    """The options of ``design``."""

    difference: float | None = option(
        "difference", "The difference between two runs that you want to detect.", float, metavar="D",
        doc="The smallest difference between two runs to be detected by the test that ``compare`` takes by default.",
    )  # fmt: skip
    runs: int | None = option(
        "runs", "How many runs will be compared (default: as many as in SCORES).", int, least=2, metavar="K",
        doc="How many runs will be compared (default: as many as there are scores of). The more, the more topics it takes.",
    )  # fmt: skip
    power: float = option("power", "The probability of detecting it.", float, between=(0, 1), shown=True, default=0.8)
    alpha: float = option(ALPHA, default=0.05)
    width: float | None = option(WIDTH, "The full width that an interval of a difference should have.")
    unpaired: bool = option(
        "unpaired", "For runs on different topics: take the variance between topics too.", bool, default=False
    )
    incomplete: Incomplete | None = option(INCOMPLETE)
    baselines: bool = option(
        BASELINES, "Keep the baselines among the runs (default: leave them out).", negated=False, default=False
    )
    validity: bool = option(VALIDITY, default=False)
    trials: int = option(TRIALS, "How many data sets to simulate.", default=5000)
    seed: int = option(SEED, default=0)
    registry: Registry | None = option(PLUGIN)


@option_group
class LabelDesignOptions:
    """The options of ``label_design``."""

    width: float | None = option(WIDTH)


@option_group
class AxiomOptions:
    """The options of ``axioms``."""

    task: str | None = option(OF_ONE_TASK)
    properties: str | Sequence[str] | None = option("properties", "Which properties (default: all that apply).", metavar="P,...")
    classes: Classes | None = option(CLASSES, "The classes' names, for measures that name one, as recall@positive does.", doc="")
    distance: Any = option(DISTANCE)
    trials: int = option(TRIALS, "How many larger cases to draw where the small ones do not decide.", least=0, default=200_000)
    seed: int = option(SEED, default=0)
    threads: int | None = option(THREADS)
    resume: str | Path | None = option(RESUME)
    registry: Registry | None = option(PLUGIN)


@option_group
class TrialOptions:
    """The options of ``trial``."""

    task: str | None = option(OF_ONE_TASK, "The task, where a measure is of several.")
    quick: bool = option("quick", "Fewer topics and cases: under a minute.", bool, default=False)
    data: str | Path | None = option(
        "data", "A folder of data sets to try them on too.", metavar="DIR",
        doc="A folder of data sets: gold, ``runs``, and ``data.toml`` with what ``evaluate`` has to be told.",
    )  # fmt: skip
    seed: int = option(SEED, default=0)
    threads: int | None = option(THREADS)
    resume: str | Path | None = option(RESUME)
    registry: Registry | None = option(PLUGIN)


@option_group
class SimulateOptions:
    """The options of ``simulate``."""

    task: str | None = option(OF_ONE_TASK, "classification, quantification, probabilities, multilabel, entailment or ranking.")
    kinds: str | Sequence[str] | None = option(
        "kind",
        "A kind of system, perhaps with how much each of its runs errs, as in rand=.1,.5. May be repeated.",
        metavar="KIND[=A,B]",
        repeated=True,
        argument="kinds",
        doc='The kinds of systems, perhaps with how much each of their runs errs: ``["rand", "maj=.1,.5", "constant=1"]``. '
        "Without amounts a kind has its usual runs, or its share of ``runs``.",
    )
    runs: int | None = option("runs", "How many runs to share among the kinds without amounts.", int, least=1)
    classes: Classes | None = option(_AS_IN)
    topics: int | None = option("topics", "How many topics (segments, in rankings).", int)
    items: int | None = option("items", "How many items a topic has.", int)
    judges: int | None = option("judges", "How many judges gold is made from.", int)
    centre: float | None = option("centre", "The most frequent class, counted from 1.", float)
    spread: float | tuple[float, float] | None = option(
        "spread", "How far labels spread, from the first topic to the last.", range_or_list, metavar="LOW..HIGH"
    )
    wander: float | None = option("wander", "How far the topics' centres differ.", float)
    shares: Sequence[float] | None = option(
        "shares", "How frequent each class is, instead of --centre and --spread.", range_or_list, metavar="S,...",
        doc="How frequent each class is, instead of ``centre`` and ``spread``.",
    )  # fmt: skip
    ties: float | None = option("ties", "How often neighbours in a human ranking tie.", float, metavar="P")
    seed: int = option(SEED, default=0)


@option_group
class BagOptions:
    """How test bags are drawn from labelled items."""

    classes: Classes | None = option(_AS_IN)
    bag_size: int = option("bag-size", "How many items a bag has.", int, least=1, default=100, shown=True)
    bag_count: int = option("bag-count", "How many bags to draw by npp or upp.", int, least=1, default=100, shown=True)
    grid: int = option("grid", "How many prevalences of a class app tries, from 0 to 1.", int, least=2, default=21, shown=True)
    repeats: int = option("repeats", "How many bags app draws of each prevalence.", int, least=1, default=1, shown=True)
    columns: Mapping[str, str] = option(COLUMN, keys=(Key("item", "the ids of labelled items"), Key("label", "their labels")))
    format_in: str | None = option(FORMAT_IN)
    seed: int = option(SEED, default=0)


@option_group
class StudyOptions:
    """The options of ``study``."""

    data: str | Path | None = option(
        "data", "A folder with the tasks' real files, as far as you have them.", metavar="DIR",
        doc="A folder with real files of the tasks; tasks that it lacks are simulated.",
    )  # fmt: skip
    seed: int = option(SEED, default=0)
    resume: str | Path | None = option(RESUME)
    registry: Registry | None = option(PLUGIN, "Put a file's measures beside the published ones. May be repeated.")


# Questions about measures have these too, and signatures hold them.
_OF_QUESTIONS = ("splits", "size", "threshold", "correlation")

if TYPE_CHECKING:

    class _Replaced: ...

else:

    def _replaced() -> type[Any]:
        """Whatever a signature may hold, each left out: what is said all the same replaces it."""
        fields = {}
        for group in (ScoringOptions, TopicTestOptions, CompareOptions, JudgeSettings, DesignOptions, EvaluateOptions):
            for field in dataclasses.fields(group):
                if field.name not in (*_OfAnyTask.__dataclass_fields__, "runs", "gold", "registry", "distance", "seed", "task"):
                    changed = dataclasses.replace(declared_in(group)[field.name], only="python", shown=False)
                    type = type_of(field) if "None" in type_of(field) else f"{type_of(field)} | None"
                    fields.setdefault(field.name, (type, changed))
        fields |= {name: ("Any", Option(name, "As in meta.")) for name in _OF_QUESTIONS}
        made = {name: (type, option(declared, only="python")) for name, (type, declared) in fields.items()}
        return option_group_of("_Replaced", made)

    _Replaced = _replaced()


@option_group
class ReproduceOptions(_Replaced, _OfAnyTask):
    """The options of ``reproduce``."""

    annotator_column: str | None = option("annotator-column", "The column with who rated, in ratings.", metavar="NAME")
    annotator_columns: Sequence[str] = option(ANNOTATOR_COLUMNS, default=())
    task: str | None = option(TASK, only="python", shown=False)
    seed: int | None = option(  # type: ignore[assignment]
        SEED, "Another seed than the signature has.", shown=False
    )
    judge_labels: Any = option(JUDGE_LABELS, "The judge's labels, where scores were corrected by some.", section="")
    distance: Any = option(DISTANCE, doc="The distances between the classes, where it was made with some: an array, or a file.")
    registry: Registry | None = option(PLUGIN)

    def how(self) -> dict[str, Any]:
        """What is said of the data, and what replaces parts of the signature."""
        told = {name: value for name, value in said(self, ReproduceOptions).items() if name not in ("registry", "distance")}
        annotator = told.pop("annotator_column", None)
        return told | ({"columns": {**self.columns, "annotator": annotator}} if annotator else {})
