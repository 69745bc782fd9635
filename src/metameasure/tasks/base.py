"""What a task is: how its data is read, which measures it takes, and what is said beside its scores."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

from metameasure.catalogue.measure import Measure, Measures
from metameasure.catalogue.registry import Registry
from metameasure.core.choices import Average, SampleUnits
from metameasure.core.errors import NoRuns, UsageError
from metameasure.core.messages import say
from metameasure.core.notes import listed
from metameasure.core.scale import Classes, Kind, Scale
from metameasure.core.validity import FEWEST_TOPICS
from metameasure.evidence.base import CaseEvidence, Evidence, is_saved, load
from metameasure.evidence.counting import count_prepared, count_tables
from metameasure.evidence.counts import LabelCounts, LabelEvidence
from metameasure.evidence.joint import item_by_item, joint_outputs, paired_outputs, pairs_named
from metameasure.evidence.label_reader import LabelReader
from metameasure.evidence.outputs import item_outputs
from metameasure.evidence.preparing import CountOptions
from metameasure.evidence.room import Room
from metameasure.reading.frames import is_sequence
from metameasure.reading.joining import KeyedTable
from metameasure.reading.options import ReadOptions
from metameasure.scores import intervals as bootstrap
from metameasure.scores.intervals import Drawing
from metameasure.scores.label_baselines import Baselines, label_baselines
from metameasure.scores.of_evidence import score_evidence
from metameasure.scores.scores import Intervals, Remark, Scores
from metameasure.scores.segments import Sums
from metameasure.show.table import json_variance
from metameasure.tasks.declaration import Declaration, ItemLabelOptions, LabelOptions, TaskOptions, declaration
from metameasure.tasks.facts import DataFacts, facts_of_any
from metameasure.tasks.gold_or_scores import guessed_task
from metameasure.tasks.influences import Influences, by_topics, of_labels
from metameasure.tasks.run_tables import RunTables
from metameasure.tasks.sizes import size_tables

E = TypeVar("E", bound=Evidence)
C = TypeVar("C", bound=CaseEvidence)
O = TypeVar("O", bound=TaskOptions)


@dataclass(frozen=True)
class Task(ABC, Generic[E, O]):
    """Gold and runs as a user names them, how they are to be read, and what is made of the evidence that they come down to."""

    declared: ClassVar[Declaration]
    draws_baselines: ClassVar[bool] = False
    """Whether random numbers are drawn for baselines."""
    blind_baselines: ClassVar[bool] = False
    """Whether it has baselines, and none of them looks at gold's items: advice warns of measures that rank them high."""
    ranks_of_humans: ClassVar[tuple[str, ...]] = ()
    """Measures that say which ranks humans give to what a run ranks best: a page shows them too."""
    without_distances: ClassVar[str] = ""
    """Why distances between classes are of no use to its measures, behind ``--distance``, where they are of none. That there are
    no classes, of a task without such an option, need not be said."""
    gold: Any
    runs: Any
    options: O
    known_evidence: E | None = None
    """The evidence, where that is what the user names instead of gold and runs."""
    left_out: tuple[str, ...] = ()
    """Notes on runs that the user named and that are left out."""

    @classmethod
    def on(cls, gold: Any, runs: Any, how: Mapping[str, Any]) -> Self:
        """The task on this data; ``how`` are its options, by keyword."""
        options: Any = cls.declared.options_of(how)
        return cls(gold, runs, options)

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def takes(self) -> tuple[str, ...]:
        """The tasks whose measures it can score."""
        return (self.name, *self.declared.takes)

    @abstractmethod
    def reduced(self) -> E:
        """The data, read, checked and reduced to evidence."""

    @abstractmethod
    def gold_alone(self) -> E:
        """Gold, read and checked, without any run."""

    def right(self) -> E:
        """Evidence of gold as if it were a run, which is right about everything. UsageError where a task has none."""
        raise UsageError(f"gold of {self.name} cannot be scored as a run is", hint="no bundle can be made of it yet")

    def undefined_by_run(self, measure: Measure, evidence: E) -> bool:
        """Whether a run can be without a score on a topic by what it says, or by what it lacks, where another has one."""
        return measure.undefined_by_output or self.options.missing == "drop"

    @abstractmethod
    def score(
        self, evidence: E, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        """The scores of every measure, topic and run, and what is to be said of the runs besides."""

    @classmethod
    def check_distance(cls, distance: Any) -> None:
        """UsageError for distances that no measure of the task can use."""
        none = "" if cls.declared.knows("classes") else f"is between classes, and {cls.declared.name} has none"
        if distance is not None and (why := cls.without_distances or none):
            raise UsageError(say("{--distance} {why}", why=why), hint="leave it out")

    @classmethod
    def tables(cls, evidence: E) -> RunTables:
        """What each run's scores are made of, all topics as one."""
        raise UsageError(f"there are no tables of {evidence.task}", hint="evaluate shows what its runs score")

    @classmethod
    def facts(cls, evidence: E) -> DataFacts:
        """What the data are like, as far as the choice of a measure depends on it."""
        return facts_of_any(evidence)

    @classmethod
    def sums(cls, evidence: E, measure: Measure) -> Sums:  # noqa: ARG003 - of those that add up
        """What a measure of all topics as one is computed from, where that adds up over topics, so that runs can swap it topic by
        topic. UsageError where it does not, or for a measure that has no such average."""
        raise UsageError(say("{--average pooled} is for labels and rankings"), hint=say("choose {--average topics}"))

    def naming_items(self) -> Self:
        """The task, which keeps what runs say of every item, and what items are called."""
        return self

    def influences(self, evidence: E, measure: Measure, *, distance: Any, average: Average) -> Influences:
        """How much each item moved the difference between two runs; each topic, where items are not scored one by one."""
        return by_topics(self.score(evidence, [measure], distance=distance, average=average, drawn_with=None), average)

    def keeping_items(self, average: Average, units: SampleUnits | None = None) -> Self:
        """The task, which keeps what runs say of single items where they are to be compared by it."""
        return self

    def for_measures(self, measures: Sequence[Measure]) -> Self:
        """The task, which reads what these measures need."""
        return self

    def for_comparison(self, pairs: Any = None) -> Self:
        """The task with evidence that has all that comparisons need, in its files too: where these keep no single items, how many
        items are alike, in all runs together or in pairs of them. UsageError for pairs where single items are kept."""
        if pairs is not None:
            hint = say("leave out {--pairs}")
            raise UsageError(f"evidence of {self.name} keeps what all runs did, so there are no pairs to choose", hint=hint)
        return self

    def parted(self, number: int, evidence: E) -> Self | None:
        """The task with its one test set divided into so many topics at random; None where that is not done. ``evidence`` is what
        it comes down to now."""
        return None

    def evidence_as_read(self) -> E:
        """The evidence as it was given, or that of the data, which says which runs are not among them."""
        return self.reduced().noting(self.left_out) if self.known_evidence is None else self.known_evidence

    def evidence(self) -> E:
        """The evidence: of the data, or as it was given."""
        return self.evidence_as_read()

    def intervals(self, scores: Scores, evidence: E, drawing: Drawing, *, distance: Any) -> Intervals:
        """How sure the averages are."""
        return bootstrap.intervals(scores, evidence, drawing, distance=distance)

    def chosen(self, measures: Sequence[Measure] | None, registry: Registry, evidence: E) -> list[Measure]:
        """The measures asked for, as ``named`` gives them, or else those that declare themselves the task's first choice."""
        selection = _with_companions(measures or (), registry, self)
        for measure in selection:
            if measure.reads not in evidence.offers:
                raise UsageError(
                    f"{measure.id} needs what runs say of their items, which {self.name} does not read",
                    hint=say("choose {--task <task>}", task=measure.reads.task),
                )
        return self.weighed(selection or [one for one in registry.headline(self.name) if can_score(one, evidence)])

    def weighed(self, measures: Sequence[Measure]) -> list[Measure]:
        """The measures as the options have them weigh what they read."""
        return [*measures]

    def known(self, registry: Registry) -> Registry:
        """The measures that names stand for; where the data bring measures of their own, those too."""
        return registry

    def directed(self, measures: list[Measure]) -> list[Measure]:
        """The measures as they are; UsageError where nobody says which scores are better by one that is to rank runs."""
        return measures

    def only_measures(self, registry: Registry) -> list[Measure]:
        """The measures that runs are compared by where none is named; UsageError where there are several to choose from."""
        raise registry.none_chosen(self.name)

    def evidence_or_gold(self) -> E:
        """The data; gold alone, where there are no runs."""
        try:
            return self.evidence()
        except NoRuns:
            return self.gold_alone()

    @property
    def wants_baselines(self) -> bool:
        """Whether baselines are added unasked."""
        return False

    def baselines(self, evidence: E, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int) -> Baselines:
        """What outputs score that do not look at the data; UsageError where a task has no such baselines."""
        raise UsageError(f"there are no baselines of {self.name}", hint=say("leave out {--baselines}"))

    def with_baselines(self, scores: Scores, evidence: E, *, distance: Any, seed: int) -> Scores:
        """The scores, and those of the baselines, marked as such."""
        made = self.baselines(evidence, scores.measures, distance=distance, average=scores.average, seed=seed)
        return made.added_to(scores)


class CaseTask(Task[C, O]):
    """A task in whose evidence every topic of every run is one case."""

    def score(
        self, evidence: C, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        self.check_distance(distance)
        return score_evidence(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)

    @classmethod
    def tables(cls, evidence: C) -> RunTables:
        return size_tables(evidence)


def task_of(evidence: Evidence) -> type[Task[Any, Any]]:
    """The task that this is evidence of."""
    return declaration(evidence.task).task


def evidence_in(data: Any) -> Evidence:
    """Evidence, as it is or from its file."""
    return data if isinstance(data, Evidence) else load(data)


def task_on(name: str, gold: Any, runs: Any, how: Mapping[str, Any]) -> Task[Any, Any]:
    """The task of that name on this data; ``how`` are its options, by keyword. One run in an array needs no name."""
    if isinstance(gold, Scores):
        raise UsageError("these are scores, and gold and runs are needed here", hint="pass what was scored")
    if isinstance(gold, Evidence):
        raise UsageError("this is evidence, and gold and runs are needed here", hint="pass what was counted")
    runs = [*runs] if isinstance(runs, Iterator | KeysView | ValuesView) else runs
    name = guessed_task(name, gold, runs, how)
    one = not isinstance(gold, str | Path) and is_sequence(gold) and is_sequence(runs)
    return declaration(name).task.on(gold, {"run": runs} if one else runs, how)


def task_on_evidence(name: str, gold: Any, runs: Any, how: Mapping[str, Any]) -> Task[Any, Any]:
    """The task on this data, or on evidence, as a file or an object, in the place of gold and runs."""
    evidence = evidence_in(gold) if isinstance(gold, Evidence) or is_saved(gold) else None
    if evidence is None:
        return task_on(name, gold, runs, how)
    if runs:
        raise UsageError("evidence already contains its runs", hint="leave out the runs, or merge evidence of other runs with it")
    if name not in ("classification", evidence.task):
        raise UsageError(f"this is evidence of {evidence.task}", hint=say("leave out {--task <name>}", name=name))
    declared = declaration(evidence.task)
    return declared.task(None, None, declared.options_of_scoring(how), evidence)


def named(measures: Measures | None, registry: Registry, task: Task[Any, Any]) -> list[Measure]:
    """The measures asked for; UsageError for one that is not for the task or lacks its parameter."""
    if measures is None:
        return []
    takes = frozenset(task.takes)
    selection = registry.of_task(*task.takes).select(measures)
    for measure in selection:
        if takes.isdisjoint(measure.tasks):
            hint = say("it is for {tasks} ({--task <first>})", tasks=listed(measure.tasks, "and"), first=measure.tasks[0])
            raise UsageError(f"{measure.id} is not a measure of {task.name}", hint=hint)
        if measure.open:
            raise UsageError(f"{measure.id} lacks its {measure.id.partition('@')[2]}", hint=f"as in {measure.example}")
    return task.weighed(selection)


def named_primary(primary: str | Measure | None, registry: Registry, task: Task[Any, Any]) -> list[Measure]:
    """The measure that runs are to be ranked by, where one was named; UsageError unless it is one that can."""
    if primary is None:
        return []
    selection = named([primary], registry, task)
    if selection[0].better is None:
        described = say("{--primary} names {measure}, which describes the gold", measure=selection[0].id)
        raise UsageError(described, hint="name a measure that orders runs")
    return selection


def _with_companions(measures: Sequence[Measure], registry: Registry, task: Task[Any, Any]) -> list[Measure]:
    """The measures, and each followed by the one that must stand beside it."""
    wanted: list[Measure] = []
    for measure in measures:
        name = measure.companions.get(task.name)
        companion = registry.find(name) if name else None
        if companion is not None and measure.argument is not None:
            companion = companion.with_argument(measure.argument)
        if companion is not None and measure.balances:
            companion = companion.balanced()
        wanted += [measure] if companion is None else [measure, companion]
    return list(dict.fromkeys(wanted))


def can_score(measure: Measure, evidence: Evidence) -> bool:
    """Whether the scale allows a measure, and at least one run has what it reads."""
    allowed = evidence.scale is None or evidence.scale.kind != "nominal" or measure.scale == "nominal"
    had = measure.reads in evidence.offers and len(evidence.lacking(measure.reads)) < max(1, len(evidence.runs))
    return allowed and had


L = TypeVar("L", bound=LabelEvidence)
Divided = TypeVar("Divided", bound=Task[Any, Any])
P = TypeVar("P", bound=ItemLabelOptions)


def label_reader(options: TaskOptions, *, numeric: bool = False, matrices: Mapping[str, Any] | None = None) -> LabelReader:
    """How labels are read, by what is said of them."""
    declared = frozenset({"cluster", "repeat"} & {role.replace("gold_cluster", "cluster") for role in options.columns})
    reading = options.reading(ReadOptions)
    if declared and reading.memory is not None:  # outputs are here item by item
        reading = replace(reading, memory=Room.of(reading.memory).for_engine)
    return LabelReader(
        reading,
        label="number" if numeric else "text",
        matrices=dict(matrices or {}),
        ignore_extra=options.extra == "ignore",
        # These are never taken for what they are unasked. Clusters are gold's, under either name.
        declared=declared,
    )


def count_options(options: LabelOptions, bins: Sequence[float] = ()) -> CountOptions:
    """How labels are counted, by what is said of them."""
    return CountOptions(
        options.classes, options.kind, tuple(bins), options.missing, options.partitions, options.seed, options.extra
    )


def settings_of(options: TaskOptions, *flags: str) -> tuple[tuple[str, str], ...]:
    """What the signature has to say of how distributions are read: which of these flags are set, and what is left out."""
    settings = {flag: "yes" * getattr(options, flag) for flag in flags}
    settings |= {"missing": "drop" * (options.missing == "drop"), "extra": "ignore" * (options.extra == "ignore")}
    return tuple((name, said) for name, said in settings.items() if said)


def declared_scale(classes: Classes | None, kind: Kind | None) -> Scale | None:
    """The declared classes; None where nothing declares them."""
    return None if classes is None else Scale.of(classes, kind=kind)


def with_partitions(task: Divided, number: int, evidence: Evidence) -> Divided | None:
    """The task with its one test set divided at random; None where it has several topics, or is divided already."""
    if len(evidence.topics) > 1 or task.options.partitions:
        return None
    return replace(task, options=replace(task.options, partitions=number))


@dataclass(frozen=True)
class LabelTask(CaseTask[L, P]):
    """A task whose runs label items: how the labels are read and counted."""

    draws_baselines: ClassVar[bool] = True
    blind_baselines: ClassVar[bool] = True
    with_majority: ClassVar[bool] = True
    """Whether the largest class is a baseline of its own beside each class."""
    outputs_of: Literal["clusters", "one topic", "few topics", "all"] = "clusters"
    """When every run's output for every item is kept beside the counts: where items come in clusters or have several outputs,
    where there is one topic only, where topics are too few to be a sample, or always."""
    jointly: bool = False
    """Whether items that are alike are kept as one, with their number: what is left of them in files."""
    names_items: bool = False
    """Whether the items' names are kept beside the outputs."""
    pairs: Any = None
    """The pairs of runs whose items that are alike are kept, where it is not those of all runs together."""

    def __post_init__(self) -> None:
        """What is wrong with the options is said before files are read."""
        _ = self.read, self.count

    @property
    @abstractmethod
    def read(self) -> LabelReader:
        """How labels are read."""

    @property
    @abstractmethod
    def count(self) -> CountOptions:
        """How they are counted."""

    def counted(self, ready: KeyedTable, unit: int) -> LabelCounts:
        """The counts of tables that are ready, and the outputs where they are needed."""
        counts = count_prepared(ready, unit, self.count)
        if self.pairs is not None:
            chosen = pairs_named(self.pairs, ready.names)
            return replace(counts, paired=paired_outputs(ready, counts, self.count.missing, chosen))
        if not self._wants_outputs(counts) and not self.read.declared:
            return counts
        if self.names_items:
            return replace(counts, outputs=item_outputs(ready, counts, self.count.missing, named=True))
        known = joint_outputs if self.jointly or not ready.is_here else item_outputs
        return replace(counts, outputs=item_by_item(known(ready, counts, self.count.missing)))

    def _wants_outputs(self, counts: LabelCounts) -> bool:
        most = {"all": math.inf, "few topics": FEWEST_TOPICS - 1, "one topic": 1, "clusters": 0}[self.outputs_of]
        return len(counts.topics) <= most

    def evidence(self) -> L:
        """As data that are read have it: with what runs say of single items only where that is wanted."""
        evidence = super().evidence()
        counts = evidence.label_counts()
        if self.known_evidence is None or counts.outputs is None or counts.outputs.clustered or self._wants_outputs(counts):
            return evidence
        return evidence.with_counts(replace(counts, outputs=None))

    def for_comparison(self, pairs: Any = None) -> Self:
        return replace(self, outputs_of="all", jointly=True, pairs=pairs)

    def naming_items(self) -> Self:
        return replace(self, outputs_of="all", names_items=True)

    def influences(self, evidence: L, measure: Measure, *, distance: Any, average: Average) -> Influences:
        return of_labels(evidence.label_counts(), measure, distance=distance, average=average)

    def keeping_items(self, average: Average, units: SampleUnits | None = None) -> Self:
        if average == "pooled" or units == "items":
            return replace(self, outputs_of="all")
        return replace(self, outputs_of="one topic" if units == "topics" else "few topics")

    def parted(self, number: int, evidence: L) -> Self | None:
        return with_partitions(self, number, evidence)

    def weighed(self, measures: Sequence[Measure]) -> list[Measure]:
        """Balanced, where the classes of gold are to weigh the same. UsageError where no measure reads them."""
        if not self.options.balance or not measures:
            return [*measures]
        made = [measure.balanced() for measure in measures]
        if not any(measure.balances for measure in made):
            ids = ", ".join(measure.id for measure in measures)
            hint = say("leave out {--balance}, or choose a measure of labels, such as accuracy or a3")
            raise UsageError(f"classes are to be balanced, but nothing is counted by class for {ids}", hint=hint)
        return made

    def gold_counts(self) -> LabelCounts:
        """Gold's labels, counted as those of a run that is right about everything."""
        with self.read.opened(self.gold, self.runs, alone=True) as tables:
            return count_tables(tables, self.count)

    def score(
        self, evidence: L, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        remarks = _variance_remarks(evidence.label_counts())
        return replace(scores, remarks=(*scores.remarks, *remarks)) if remarks else scores

    def baselines(self, evidence: L, measures: Sequence[Measure], *, distance: Any, average: Average, seed: int) -> Baselines:
        return label_baselines(
            evidence, measures, with_majority=self.with_majority, distance=distance, average=average, seed=seed
        )


def _variance_remarks(counts: LabelCounts) -> tuple[Remark, ...]:
    """For the JSON: how much of being right varies between and within clusters, or items that have several outputs."""
    outputs = counts.outputs
    if outputs is None or not outputs.clustered:
        return ()
    return (Remark("", "variance", facts=tuple(json_variance(outputs.variance(run)) for run in range(len(outputs.runs)))),)
