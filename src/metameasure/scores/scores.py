"""Scores of every measure, topic and run: their means and ranks, and how they present themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, overload

import numpy as np

from metameasure.catalogue.foreign import are_called_alike, known_or_foreign
from metameasure.catalogue.measure import Measure, StandIn
from metameasure.catalogue.registry import default_registry
from metameasure.core.choices import Average, IntervalKind, SampleUnits
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import Message, about, data, legend, note, say, warn
from metameasure.core.notes import counted, grouped, in_a_row, listed
from metameasure.core.numbers import json_number
from metameasure.core.scale import Scale
from metameasure.core.signature import digest_of_numbers
from metameasure.core.validity import METHODS, in_words
from metameasure.scores.leaderboard import (
    full_leaderboard,
    leaderboard,
    leaderboard_chart,
    measures_chart,
    plane_chart,
    ranks_from_best,
)
from metameasure.scores.mean_topics import common_topics, said_of_narrowing
from metameasure.scores.run_names import baselines_of, marks, place_of, told_apart
from metameasure.scores.slices import Slices
from metameasure.scores.undefined import stood_in_for
from metameasure.show.canvas import Figure, Width
from metameasure.show.frames import frame_of
from metameasure.show.table import OutputFormat, Signed, Table
from metameasure.show.write import write_table
from metameasure.statistics.arrays import Booleans, Floats, Integers, mean_of_defined

ItemUnits = Literal["items", "clusters"]


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of the averages: ``low`` and ``high`` are (measures, runs), by what was resampled. What is called
    ``items`` are clusters where items come in clusters (``units``)."""

    level: float
    trials: int
    seed: int
    topics: tuple[Floats, Floats] | None
    items: tuple[Floats, Floats] | None
    kind: IntervalKind = "bootstrap"
    units: ItemUnits = "items"
    notes: tuple[str, ...] = ()
    """What has no interval, and why."""
    over: SampleUnits = "topics"
    """Which of both are shown, where there are both."""
    methods: tuple[Mapping[str, str], ...] = ()
    """Of each measure, the method behind its intervals by what was drawn, as ``validity.METHODS`` has it."""

    def of(self, measures: Sequence[int]) -> Intervals:
        """The intervals of some of the measures."""
        topics, items = ((ends[0][measures], ends[1][measures]) if ends else None for ends in (self.topics, self.items))
        return replace(self, topics=topics, items=items, methods=tuple(self.methods[row] for row in measures if self.methods))

    @property
    def over_items(self) -> bool:
        """Whether intervals over items, or clusters, are shown."""
        return self.topics is None or (self.over == "items" and self.items is not None)

    @property
    def fixed(self) -> bool:
        """Whether topics are fixed, and items are drawn within each."""
        return self.topics is not None and self.over_items

    @property
    def drawn(self) -> SampleUnits | ItemUnits:
        """What was drawn for the intervals that are shown."""
        return self.units if self.over_items else "topics"

    def by_drawn(self) -> dict[str, tuple[Floats, Floats]]:
        """The intervals by what was drawn."""
        return {by: ends for by, ends in (("topics", self.topics), (self.units, self.items)) if ends is not None}

    def of_run(self, measure: int, run: int) -> dict[str, list[float | str | None]]:
        """The intervals of one measure and run, ready for JSON."""
        return {drawn: [json_number(end[measure, run]) for end in ends] for drawn, ends in self.by_drawn().items()}

    def settings(self) -> dict[str, Any]:
        """How they were made, ready for JSON."""
        return {"interval": self.kind, "level": self.level, "trials": self.trials, "seed": self.seed, "units": self.drawn}

    def words(self, topic_word: str) -> Message:
        """What is shown, for a reader."""
        made = ", {trials} draws, seed {seed}"
        if self.kind == "auto" and not self.over_items:
            template = "{level:g%} t interval over {topic_word}s" + self._on_the_logit()
        elif self.kind == "auto" and self.fixed:
            kind = "{level:g%} normal" if self.units == "items" else "{level:g%} t"
            template = kind + " interval, {units} drawn within each {topic_word}" + made
        elif self.kind == "auto" and self.units == "clusters":
            template = "{level:g%} t interval by leaving out clusters" + self._on_the_logit()
        elif self.kind == "auto":
            shown = dict.fromkeys(method for method in self.shown_methods(there=True) if method) or ["interval/items/both"]
            drawn_of = made if {"interval/items/both", "interval/items/normal"} & {*shown} else ""
            template = "{level:g%} " + " or ".join(METHODS[one] for one in shown) + drawn_of
        elif self.kind == "bayes":
            template = "{level:g%} credible interval (prior of one item)" + made
        else:
            template = "{level:g%} bootstrap interval over " + ("{units}" if self.over_items else "{topic_word}s") + made
        drawn = {"trials": self.trials, "seed": self.seed} if made in template else {}
        return say(template, level=self.level, units=self.units, topic_word=topic_word, **drawn)

    def _on_the_logit(self) -> str:
        open_ended = [method == "interval/topics/t" for method in self.shown_methods(there=True) if method]
        where = " where that has two ends" if any(open_ended) else ""
        return "" if open_ended and all(open_ended) else ", on the logit of the measure's range" + where

    def shown_methods(self, *, there: bool = False) -> list[str]:
        """Of each measure, the method behind the intervals that are shown; empty where there is none (``there``: of any run)."""
        return [own.get(self.drawn, "") for own in (self.methods_there() if there else self.methods)]

    def methods_there(self) -> list[dict[str, str]]:
        """Of each measure, the methods by what was drawn, as far as any run has an interval."""
        none = {by: np.isnan(low) for by, (low, _) in self.by_drawn().items()}
        return [{by: one for by, one in own.items() if not none[by][row].all()} for row, own in enumerate(self.methods)]

    def in_words(self, measures: Sequence[Measure]) -> list[str]:
        """The rows of docs/validity.md behind the intervals that are shown."""
        by_method = grouped(zip(self.shown_methods(there=True), (measure.id for measure in measures), strict=True))
        of = {method: "" if len(by_method) == 1 else f" of {listed(ids, 'and')}" for method, ids in by_method.items()}
        said = "validity of the intervals{of}: {method} ({meaning})"
        return [warn("validity", said, of=of[one], method=one, meaning=in_words(one)) for one in by_method if one]

    @property
    def shown(self) -> tuple[Floats, Floats]:
        """Over topics, or over items within them, by what is taken as a sample; over items where there is one topic."""
        ends = self.items if self.over_items else self.topics
        assert ends is not None  # noqa: S101 - intervals are not made of nothing
        return ends


@dataclass(frozen=True)
class LetterGroups:
    """Letters for each measure and run: runs that share one do not differ significantly by that measure. ``tests`` says by which
    test, for each measure."""

    letters: Mapping[str, Mapping[str, str]]
    tests: Mapping[str, str]
    alike: Mapping[str, str] = field(default_factory=dict)
    """For each measure, what may be said of runs that share one."""

    def of_run(self, run: str) -> dict[str, str | None]:
        """A run's letters, by measure."""
        return {id: letters.get(run) for id, letters in self.letters.items()}

    def words(self) -> Message:
        """What the letters mean, for a reader."""
        by_test = grouped((test, measure) for measure, test in self.tests.items())
        said = [test if len(by_test) == 1 else about(test, measures=in_a_row(ids)) for test, ids in by_test.items()]
        template = "Runs that share a letter {alike} by that measure ({tests})."
        return legend(template, alike=self.shared(), tests=in_a_row(said, "; "))

    def shared(self) -> str:
        """What may be said of runs that share a letter by any of the measures."""
        said = dict.fromkeys(self.alike.values(), True) or {"do not differ significantly": True}
        return " or ".join(said)


@dataclass(frozen=True)
class RankSets:
    """The first and the last rank that each run may truly have by a measure, all at once with one confidence."""

    measure: str
    ranks: Mapping[str, tuple[int, int]]
    level: float
    test: str

    def text(self, run: str) -> str:
        """As people write it; nothing for a run that was not compared."""
        low, high = self.ranks.get(run, (0, 0))
        return "" if not low else f"{low}" if low == high else f"{low}-{high}"

    def of_run(self, run: str) -> list[int] | None:
        """The two ranks, ready for JSON."""
        return list(self.ranks[run]) if run in self.ranks else None

    def words(self) -> Message:
        """What they mean, for a reader."""
        said = "may be: the ranks that a run may truly have by {measure}, all at once with {level:g%} confidence ({test})."
        return note("legend", said, measure=self.measure, level=self.level, test=self.test)


@dataclass(frozen=True)
class Remark:
    """One kind of thing to say of the runs beside their scores: what holds of each, in words under a title and as JSON under a
    key. Either may be left out."""

    title: str
    key: str
    words: tuple[str, ...] = ()
    facts: tuple[Any, ...] = ()


@dataclass(frozen=True, eq=False)
class Scores(Signed):
    """Scores of every measure, topic and run; NaN is undefined.

    ``values`` is (measures, topics, runs); ``pooled`` (measures, runs) takes all topics as one, and is None where nobody knows.
    ``simulated`` holds the standard errors of averages that are expectations found by simulation, 0 elsewhere. ``remarks`` are
    about the runs, which come before the baselines. ``scores["svm"]`` has a run's averages by measure; iterating gives the scores
    by each measure. Several data sets are a dictionary of scores by name.
    """

    caption: ClassVar[str] = "Leaderboard"

    task: str
    scale: Scale | None
    measures: tuple[Measure, ...]
    topics: tuple[str, ...]
    runs: tuple[str, ...]
    values: Floats
    pooled: Floats | None = None
    average: Average = "topics"
    baselines: frozenset[str] = frozenset()
    by_name: bool = False
    """Whether baselines are known by their names only, as in files of other programs."""
    there: Booleans | None = None
    """Which scores a file has at all, undefined or not, where it does not have all."""
    left_out: tuple[str, ...] = ()
    """What runs, topics and measures are not there any more, and why."""
    simulated: Floats | None = None
    intervals: Intervals | None = None
    groups: LetterGroups | None = None
    with_ranks: bool = False
    """Whether the ranks by every measure are shown."""
    possible_ranks: RankSets | None = None
    """The ranks that runs may truly have by the first measure."""
    notes: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    remark_notes: tuple[str, ...] = ()
    """What explains the remarks."""
    without: frozenset[tuple[str, str]] = frozenset()
    """Measures and runs that lack what the measure reads, which a note says."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else the JSON says of the data."""
    library: str | None = None
    topic_word: str = "topic"
    """What a topic is called."""
    micro: bool = False
    """Whether ``pooled`` are micro averages, which not every measure has."""
    slices: Slices | None = None
    """The scores of slices of the items."""
    own_topics: bool = False
    """Whether a run's mean is over the topics that it has scores on, whatever the others have, as in trec_eval."""

    @property
    def own(self) -> Booleans:
        """Which of the runs are runs, not baselines."""
        return np.array([run not in self.baselines for run in self.runs], dtype=bool)

    def common_topics(self) -> Booleans:
        """(measures, topics): the topics on which every run that is ever defined is defined. Means are over these."""
        return self._common_topics

    @cached_property
    def _common_topics(self) -> Booleans:
        if not self.own.any() or not self.undefined().any():
            return np.ones(self.values.shape[:2], dtype=bool)
        return common_topics(self.values[:, :, self.own])

    def used_topics(self) -> Integers:
        """(measures,): how many topics means are over: the common ones, or those of any run where each has its own."""
        return np.asarray((self._of_any_run if self.own_topics else self.common_topics()).sum(axis=1))

    @cached_property
    def _of_any_run(self) -> Booleans:
        return np.asarray((~np.isnan(self.values[:, :, self.own])).any(axis=2))

    def topic_means(self) -> Floats:
        """(measures, runs): means over the common topics, geometric ones of logarithms, or sums of what is added up; NaN for a
        run that is never defined, or where no topic is common.

        A baseline that is undefined on some of them has its mean over the others.
        """
        return self._topic_means

    @cached_property
    def _topic_means(self) -> Floats:
        if self.topics and not self.undefined().any():
            means, over = self.values.sum(axis=1) / len(self.topics), np.array(len(self.topics))
        else:
            used = ~np.isnan(self.values) & (self.own_topics | self.common_topics()[:, :, None])
            means, over = mean_of_defined(self.values, 1, used), used.sum(axis=1)
        added_up, of_logs, of_all = (
            np.array([getattr(measure, fact) for measure in self.measures], dtype=bool)[:, None]
            for fact in ("added_up", "of_logs", "of_all")
        )
        means = np.where(added_up, np.rint(means * over), means) if added_up.any() else np.asarray(means)
        means = np.exp(means, where=of_logs, out=means.copy()) if of_logs.any() else means
        return np.where(of_all, self.all_as_one(), means) if of_all.any() else means

    @property
    def ids(self) -> tuple[str, ...]:
        """The measures by their ids."""
        return tuple(measure.id for measure in self.measures)

    @property
    def measure(self) -> str:
        """The id of the one measure that there is."""
        (only,) = self.ids
        return only

    def of(self, measures: Sequence[Measure]) -> Scores:
        """The scores by some of the measures, with their intervals."""
        rows = [self.measures.index(measure) for measure in measures]
        return replace(
            self,
            measures=tuple(measures),
            values=self.values[rows],
            pooled=None if self.pooled is None else self.pooled[rows],
            there=None if self.there is None else self.there[rows],
            made=self.made.having(measures=[one.id for one in measures]) if self.made else self.made,
            simulated=None if self.simulated is None else self.simulated[rows],
            intervals=None if self.intervals is None else self.intervals.of(rows),
        )

    def by(self, measure: Measure) -> Scores:
        """The scores by one measure, on the topics and of the runs that it has any of."""
        one = self.of([measure])
        if one.there is None:
            return one
        topics, runs = (np.flatnonzero(one.there[0].any(axis=axis)).tolist() for axis in (1, 0))
        return one.at(topics, runs)

    def at(self, topics: Sequence[int], runs: Sequence[int]) -> Scores:
        """The scores on these topics and of these runs, in this order: the numbers, without what was made of them all."""
        kept = tuple(self.runs[place] for place in runs)
        there = None if self.there is None else self.there[:, topics][:, :, runs]
        return Scores(
            self.task,
            self.scale,
            self.measures,
            tuple(self.topics[place] for place in topics),
            kept,
            self.values[:, topics][:, :, runs],
            baselines=self.baselines & {*kept},
            by_name=self.by_name,
            there=None if there is None or there.all() else there,
            left_out=self.left_out,
            library=self.library,
            topic_word=self.topic_word,
        )

    def with_undefined_as(self, choice: StandIn) -> Scores:
        """Scores that count what is undefined on a topic as 0, as official programs do, as the worse end of the measure's range,
        or as its chance level. UsageError for a measure that has no such value, unless it is never undefined."""
        able = np.array([[(measure.id, run) not in self.without for run in self.runs] for measure in self.measures])
        values, notes = stood_in_for(self.values, able, self.measures, self.scale, choice)
        return replace(self, values=values, notes=(*self.notes, *notes), made=self.made.having(undefined=choice))

    def narrowing(self) -> list[str]:
        """Which runs, each alone, take topics out of everybody's means by being undefined there; with the measures."""
        if self.average != "topics" or self.own_topics or not self.undefined().any():
            return []
        runs = [run for run, is_run in zip(self.runs, self.own, strict=True) if is_run]
        by_measure = zip(self.measures, np.isnan(self.values[:, :, self.own]), strict=True)
        said = grouped(
            (fact, measure.id)
            for measure, undefined in by_measure
            if (fact := said_of_narrowing(undefined, runs, self.topic_word))
        )
        return [f"{', '.join(ids)}: {fact}" for fact, ids in said.items()]

    def averages(self) -> Floats:
        """(measures, runs): what the leaderboard shows."""
        return self.topic_means() if self.average == "topics" else self.all_as_one()

    @property
    def are_means(self) -> bool:
        """Whether the averages are means over several topics, and not those of one topic, or of all as one."""
        return self.average == "topics" and len(self.topics) > 1

    def all_as_one(self) -> Floats:
        """(measures, runs): all topics taken as one; NaN where nobody knows."""
        return np.full((len(self.measures), len(self.runs)), np.nan) if self.pooled is None else self.pooled

    def undefined(self) -> Integers:
        """(measures, runs): on how many topics each run is undefined."""
        return self._undefined

    @cached_property
    def _undefined(self) -> Integers:
        missing = np.asarray(np.isnan(self.values).sum(axis=1))
        of_all = np.array([measure.of_all for measure in self.measures], dtype=bool)
        return np.where(of_all[:, None] & ~np.isnan(self.all_as_one()), 0, missing) if of_all.any() else missing

    @property
    def _signs(self) -> Floats:
        return np.array([-1.0 if measure.better == "lower" else 1.0 for measure in self.measures])

    def oriented(self) -> Floats:
        """The averages, so that higher is better; descriptions as they are."""
        return np.asarray(self.averages() * self._signs[:, None])

    def oriented_values(self) -> Floats:
        """(measures, topics, runs): the same of each topic."""
        return np.asarray(self.values * self._signs[:, None, None])

    def ranks(self) -> Integers:
        """(measures, runs): 1 is best, scores within 1e-12 share a rank, undefined ranks last."""
        return ranks_from_best(np.where(np.isnan(self.oriented()), -np.inf, self.oriented()))

    def own_ranks(self, measure: int) -> list[int | None]:
        """Each run's rank by a measure, baselines left out: 1 is best, ties share a rank, undefined is last. None for baselines,
        for all where all are undefined, and by a description."""
        values, own = self.oriented()[measure], self.own
        if self.measures[measure].better is None or np.isnan(values[own]).all():
            return [None] * len(self.runs)
        ranks = iter(ranks_from_best(np.where(np.isnan(values), -np.inf, values)[own]).tolist())
        return [next(ranks) if one else None for one in own]

    @property
    def primary(self) -> Measure | None:
        """The measure that runs are ranked by: the first."""
        return self.measures[0] if self.measures else None

    def ranked_by(self, name: str | None) -> Scores:
        """The scores with another measure as the first, which runs are ranked by."""
        if name is None:
            return self
        first = self._ordering(name)
        return self.of([first, *(measure for measure in self.measures if measure != first)])

    def order(self) -> list[int]:
        """Runs from best to worst by the first measure, then by name; as they come where nobody knows which scores are better."""
        if self.primary is not None and self.primary.kind == "foreign" and self.primary.better is None:
            return list(range(len(self.runs)))
        ranks = self.ranks()[0] if len(self.measures) else np.zeros(len(self.runs))
        return sorted(range(len(self.runs)), key=lambda run: (ranks[run], self.runs[run]))

    def warnings(self) -> list[str]:
        """Warnings for the reader: runs that are undefined on more than half of the topics, or on all."""
        topics = len(self.topics)
        if not self.undefined().any():
            return []
        return [
            warn(
                "undefined scores",
                "{measure} of {run} is defined on {defined} of {topics} only",
                measure=measure.id,
                run=run,
                defined=topics - missing,
                topics=counted(topics, self.topic_word),
            )
            for measure, by_run in zip(self.measures, self.undefined().tolist(), strict=True)
            for run, missing, is_run in zip(self.runs, by_run, self.own, strict=True)
            if is_run and 2 * missing > topics and (measure.id, run) not in self.without
        ]

    def position(self, run: str) -> int:
        """The place of a run among the runs."""
        return place_of(run, self.runs)

    @overload
    def __getitem__(self, key: str) -> dict[str, float]: ...

    @overload
    def __getitem__(self, key: int) -> Scores: ...

    def __getitem__(self, key: str | int) -> dict[str, float] | Scores:
        """A run's averages, by measure; or by its place the scores by a measure."""
        if not isinstance(key, str):
            return self.by(self.measures[key])
        place = self.position(key)
        return dict(zip(self.ids, self.averages()[:, place].tolist(), strict=True))

    def __iter__(self) -> Iterator[Scores]:
        """The scores by each measure."""
        return map(self.by, self.measures)

    def __contains__(self, run: str) -> bool:
        """Whether there is a run of that name."""
        return run in self.runs

    def to_dict(self) -> dict[str, Any]:
        return {
            "task": self.task or None,
            "classes": list(self.scale.labels) if self.scale else [],
            "topics": len(self.topics),
            "average": self.average,
            "primary": self.primary and self.primary.id,
            "measures": [
                {"id": one.id, "symbol": one.symbol, "better": one.better, **topics, "topics_used": int(used)}
                for one, topics, used in zip(self.measures, self._topics_read(), self.used_topics(), strict=True)
            ],
            "runs": [self._run_to_dict(run) for run in self.order()],
            "notes": [*self.notes, *self.left_out, *self.remark_notes],
            "findings": data((*self.notes, *self.left_out, *self.remark_notes)),
            "warnings": self.warnings(),
            **self.signed(),
            **self.more,
            **({"groups": {"tests": dict(self.groups.tests)}} if self.groups else {}),
            **(self.intervals.settings() if self.intervals else {}),
            **({"by": self.slices.to_dict()} if self.slices else {}),
            **({"validity": self.validity()} if self.intervals else {}),
        }

    def validity(self) -> dict[str, dict[str, str]]:
        """Of each measure, the methods behind its intervals by what was drawn: docs/validity.md has their error rates."""
        methods = self.intervals.methods_there() if self.intervals else ()
        return dict(zip((measure.id for measure in self.measures), methods, strict=False))

    def _topics_read(self) -> list[dict[str, int]]:
        """Of each measure in a file, how many topics it has scores on, undefined or not; an evaluation says it of all at once."""
        there = np.broadcast_to(True, self.values.shape) if self.there is None else self.there  # noqa: FBT003
        return [{} if self.task else {"topics": int(topics)} for topics in there.any(axis=2).sum(axis=1)]

    def _run_to_dict(self, run: int) -> dict[str, Any]:
        """What JSON says of a run or a baseline."""
        baseline = self.runs[run] in self.baselines
        rows = [(row, measure.id) for row, measure in enumerate(self.measures)]
        errors = [0.0] * len(rows) if self.simulated is None else self.simulated[:, run]
        of_baselines = {"baseline": True, "standard_error": {id: json_number(errors[row]) for row, id in rows}}
        return {
            "run": self.runs[run],
            "scores": {id: json_number(self.topic_means()[row, run]) for row, id in rows},
            "pooled": {id: json_number(self.all_as_one()[row, run]) for row, id in rows},
            "undefined": {id: int(self.undefined()[row, run]) for row, id in rows},
            **(of_baselines if baseline else {remark.key: remark.facts[run] for remark in self.remarks if remark.key}),
            **({"ranks": {id: self.own_ranks(row)[run] for row, id in rows}} if self.with_ranks else {}),
            **({"possible_ranks": self.possible_ranks.of_run(self.runs[run])} if self.possible_ranks else {}),
            **({"groups": self.groups.of_run(self.runs[run])} if self.groups else {}),
            **({"intervals": {id: self.intervals.of_run(row, run) for row, id in rows}} if self.intervals else {}),
        }

    def numbers(self) -> dict[str, str]:
        """Of each measure: the averages, and the ends of their intervals where there are any."""
        averages, ends = self.averages(), self.intervals.shown if self.intervals else ()
        return {
            measure.id: digest_of_numbers(zip(self.runs, averages[row], *(end[row] for end in ends), strict=True))
            for row, measure in enumerate(self.measures)
        }

    def all_runs(self) -> Sequence[str]:
        return self.runs

    def tables(self, format: OutputFormat) -> list[Table]:
        return [leaderboard(self, format), *(self.slices.tables(format) if self.slices else [])]

    def full_table(self) -> Table:
        return full_leaderboard(self)

    def draw(self, width: float, order_by: str | None = None, plane: str | None = None) -> Any:
        if plane is not None:
            return plane_chart(self, plane, width)
        return leaderboard_chart(self, width) if order_by is None else measures_chart(self, self._ordering(order_by), width)

    def chart(
        self,
        path: str | Path | None = None,
        *,
        width: Width = "column",
        order_by: str | None = None,
        plane: str | None = None,
        show: Sequence[str] = (),
        rename: Mapping[str, str] | None = None,
    ) -> Figure:
        """The leaderboard drawn, as a matplotlib figure, and written to a file of that name (.svg, .pdf or .png).

        Each measure has a panel; with ``order_by``, all measures are lines over the runs, which that one orders; with
        ``plane``, such as ``"gold_entropy:mutual_information"``, runs are points, one measure across and one up. ``width``
        is "column" (3.3 in), "page" (6.9 in), or a number of inches. ``show`` are the runs to show, ``rename`` other names for
        runs."""
        with self._choosing(show, rename):
            return self._drawn(path, width, order_by=order_by, plane=plane)

    def measure_called(self, name: str) -> Measure:
        """The one of the measures that goes by this name; UsageError where none does."""
        match = next((measure for measure in self.measures if name.lower() in (measure.id.lower(), *measure.aliases)), None)
        if match is None:
            hint = did_you_mean(name, self.ids) or f"choose from {', '.join(self.ids)}"
            raise UsageError(f"there are no scores of '{name}'", hint=hint)
        return match

    def _ordering(self, name: str) -> Measure:
        """The measure of this name, by which runs are to be ordered; UsageError for one that describes the gold."""
        match = self.measure_called(name)
        if match.better is None and match.kind == "description":
            raise UsageError(f"{match.id} describes the gold; it does not order runs", hint="choose another measure")
        return match

    def save(self, path: str | Path) -> None:
        """Every score as a file of the columns measure, topic, run, score, at full precision; undefined is empty (null). A column
        baseline says which runs are, where some are; a column task which measures are meant, where other tasks have some of the
        same names. The format goes by the ending of the name."""
        write_table(self.long(), path)

    def long(self) -> dict[str, Any]:
        """The scores as columns: measure, topic, run, score; and baseline, where there are some, and the task, where another task
        has measures of the same names."""
        texts = (np.array(names, dtype=object) for names in (self.ids, self.topics, self.runs))
        there = slice(None) if self.there is None else self.there.ravel()
        arrays = [*np.meshgrid(*texts, indexing="ij"), self.values]
        cells = {name: array.ravel()[there] for name, array in zip(("measure", "topic", "run", "score"), arrays, strict=True)}
        cells |= marks(cells["run"], None if self.by_name else told_apart(self.runs, self.baselines))
        shared = are_called_alike(self.measures, self.task, default_registry())
        return cells | ({"task": np.full(len(cells["run"]), self.task, dtype=object)} if shared else {})

    def to_frame(self, library: str | None = None) -> Any:
        """The long table in a data frame of the library at hand: the one the labels came in, or one that is installed."""
        return frame_of({name: column.tolist() for name, column in self.long().items()}, library or self.library)


def ScoreMatrix(  # noqa: N802 - a class until 0.3
    measure: str, topics: Sequence[str], runs: Sequence[str], values: Any, baselines: Collection[str] | None = None
) -> Scores:
    """Scores of one measure, from this program or another.

    Parameters
    ----------
    measure : str
        The measure's id; empty if it is not known.
    topics, runs : sequence of str
        Their names.
    values : array
        The scores, topics down and runs across; NaN where there is none.
    baselines : collection of str, optional
        Which of the runs are baselines. By default nothing says so, and those are whose names begin with ``baseline:``.

    Returns
    -------
    Scores
        Of that measure. Several of them in a list are the scores of one data set.

    Raises
    ------
    UsageError
        If there are not as many values as topics and runs.

    Notes
    -----
    A matrix of topics by runs is what the tests of Sakai (2021) start from, and those of most others.

    Examples
    --------
    >>> import metameasure as mm
    >>> scores = mm.ScoreMatrix("kappa", ["a", "b"], ["first", "second"], [[0.1, 0.3], [0.4, 0.5]])
    >>> scores["first"]
    {'kappa': 0.25}

    """
    try:
        scores = np.asarray(values, dtype=float)[None]
    except (TypeError, ValueError):
        raise UsageError("the values are not all numbers", hint="pass topics down and runs across") from None
    if scores.shape != (1, len(topics), len(runs)):
        raise UsageError(
            f"scores of shape {scores.shape[1:]} for {counted(len(topics), 'topic')} and {counted(len(runs), 'run')}",
            hint="pass topics down and runs across",
        )
    known = known_or_foreign(measure, default_registry())
    return scores_as_read([known], tuple(topics), tuple(runs), scores, None if baselines is None else frozenset(baselines))


def scores_as_read(
    measures: Sequence[Measure],
    topics: tuple[str, ...],
    runs: tuple[str, ...],
    values: Floats,
    marked: frozenset[str] | None,
    there: Booleans | None = None,
) -> Scores:
    """Scores of which nothing else is known. Baselines are those that are marked or, where nothing is, go by their names."""
    found = baselines_of(runs, marked)
    return Scores("", None, tuple(measures), topics, runs, values, baselines=found, by_name=marked is None, there=there)
