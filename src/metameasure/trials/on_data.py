"""Measures on trial on data that somebody has: how they stand beside the established ones on each data set, and over all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from metameasure.catalogue.explain import measure_name
from metameasure.catalogue.measure import Measure
from metameasure.catalogue.registry import Registry
from metameasure.core.errors import MetameasureError, UsageError
from metameasure.core.messages import Message, legend, note, say
from metameasure.core.notes import counted, in_a_row, listed
from metameasure.core.numbers import json_number, number, p_in_words, percent
from metameasure.evaluating.data_sets import DataSet, DataSets, LeftOut, reason_of
from metameasure.meta.measure_summary import Row, Summary, summary
from metameasure.meta.unanimous_coverage import Coverage, coverage
from metameasure.scores.scores import Scores
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.pieces import sharing
from metameasure.statistics.sign_test import FEWEST, sign_test
from metameasure.statistics.work import in_steps

_ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class Standing:
    """How one measure stands beside the established ones on one data set."""

    measure: str
    summary: Summary
    coverage: Coverage

    @property
    def row(self) -> Row:
        """What was found of the measure itself."""
        return self.row_of(self.measure)

    def row_of(self, measure: str) -> Row:
        """What was found of one of the measures."""
        return next(row for row in self.summary.rows if row.measure == measure)

    @property
    def others(self) -> list[str]:
        """The established measures beside it."""
        return [one for one in self.summary.measures if one != self.measure]

    def covered(self, measure: str) -> float:
        """The coverage of what the established measures agree on."""
        return float(self.coverage.coverage[self.coverage.measures.index(measure)])

    def alike(self, other: str) -> float:
        """How alike the two rank the runs: tau."""
        return self.summary.similarity.tau_between(self.measure, other)

    @property
    def cannot_tell(self) -> str:
        """Why these data say nothing about measures; empty where they do."""
        return self.summary.evidence.cannot_tell()

    @cached_property
    def better_than(self) -> list[str]:
        """The measures that are worse, beyond chance."""
        return [] if self.cannot_tell else [one for one in self.others if self.summary.is_worse(one, self.measure)]

    @cached_property
    def worse_than(self) -> list[str]:
        """The measures that are better, beyond chance."""
        return [] if self.cannot_tell else [one for one in self.others if self.summary.is_worse(self.measure, one)]

    @cached_property
    def equal_to(self) -> list[str]:
        """The measures that are equally good within chance."""
        if self.cannot_tell:
            return []
        return [one for one in self.others if one not in self.better_than and one not in self.worse_than]

    def gap(self, other: str, quality: str) -> float:
        """How much more consistent or powerful the measure is than another, as it is tested."""
        apart = getattr(self.summary.evidence, quality)
        return float(apart.difference[self.summary.evidence.place(self.measure), self.summary.evidence.place(other)])

    def in_words(self, data: str) -> Message:
        """How it stands, in a sentence."""
        if self.cannot_tell:
            said = "On data set '{data}', nothing can be said of {measure} ({why})."
            return note("trial on data", said, data=data, measure=self.measure, why=self.cannot_tell)
        parts = [
            say("{what} {measures}", what=what, measures=listed(some, "and"))
            for what, some in (
                ("better than", self.better_than), ("worse than", self.worse_than), ("within chance as good as", self.equal_to),
            )
            if some
        ]  # fmt: skip
        if self.equal_to == self.others:
            parts = [say("within chance as good as every established measure")]
        return note(
            "trial on data",
            "On data set '{data}', {measure} is {parts}.",
            data=data,
            measure=self.measure,
            parts=in_a_row(parts, "; "),
        )


@dataclass(frozen=True, eq=False)
class OneDataSet:
    """What one data set says of every measure on trial; ``left_out`` has the runs and measures that are not there, with the
    reasons."""

    data: DataSet
    topics: int
    runs: int
    standings: tuple[Standing, ...]
    left_out: tuple[LeftOut, ...] = ()
    scores: Scores | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        return self.data.name

    def __getitem__(self, measure: str) -> Standing | None:
        return next((one for one in self.standings if one.measure == measure), None)

    def rows(self) -> list[tuple[Standing, str]]:
        """Every measure once: those on trial, each by its own trial, then the established ones by the first."""
        own = [(one, one.measure) for one in self.standings]
        known = {one.measure for one in self.standings}
        others = [one for one in self.standings[0].others if one not in known] if self.standings else []
        return [*own, *((self.standings[0], other) for other in others)]

    def to_dict(self) -> dict[str, Any]:
        """In JSON's terms."""
        tried = {one.measure for one in self.standings}
        return {
            "name": self.name,
            "simulated": self.data.simulated,
            "topics": self.topics,
            "runs": self.runs,
            "command": self.data.command(),
            "measures": [_told(standing, measure, tried=measure in tried) for standing, measure in self.rows()],
            "left_out": [{"name": one.name, "reason": one.reason} for one in self.left_out],
        }

    def table(self, format: OutputFormat) -> Table:
        """A row for each measure."""
        rows = tuple(
            (
                measure_name(measure, format),
                number((row := standing.row_of(measure)).mean_tau),
                percent(row.power),
                number(standing.covered(measure)),
                row.group,
                str(len(row.contradicts)),
                _beside(standing) if measure == standing.measure else "",
            )
            for standing, measure in self.rows()
        )
        notes = tuple(
            note("left out of a data set", "{name}: {reason}.", name=one.name, reason=one.reason.rstrip("."))
            for one in self.left_out
        )
        said = "{name} has {topics} and {runs}."
        size = legend(said, name=self.name, topics=counted(self.topics, "topic"), runs=counted(self.runs, "run"))
        headings = (self.name, "tau", "power", "coverage", "group", "contradicts", "beside the established")
        numbers = frozenset({"tau", "power", "coverage", "contradicts"})
        return Table(headings, rows, notes=(size, *notes), right=numbers)


def _beside(standing: Standing) -> str:
    if standing.cannot_tell:
        return "cannot tell"
    counts = {"better than": standing.better_than, "worse than": standing.worse_than, "equal to": standing.equal_to}
    return ", ".join(f"{what} {len(some)}" for what, some in counts.items() if some)


def _told(standing: Standing, measure: str, *, tried: bool) -> dict[str, Any]:
    row = standing.row_of(measure)
    told: dict[str, Any] = {
        "id": measure,
        "tried": tried,
        "mean_tau": json_number(row.mean_tau),
        "power": json_number(row.power),
        "coverage": json_number(standing.covered(measure)),
        "group": row.group,
        "contradicts": list(row.contradicts),
    }
    if tried:
        told |= {
            "similarity": {other: json_number(standing.alike(other)) for other in standing.others},
            "better_than": standing.better_than,
            "worse_than": standing.worse_than,
            "equally_good": standing.equal_to,
            "cannot_tell": str(standing.cannot_tell) or None,
        }
    return told


@dataclass(frozen=True)
class Across:
    """Two measures over all real data sets that can tell: on which the first is better or worse beyond chance, and on which the
    two are equally good within chance. From six on, the sign tests of consistency and of power, each by itself."""

    measure: str
    other: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    equal: tuple[str, ...]
    p_consistency: float | None = None
    p_power: float | None = None

    @property
    def number(self) -> int:
        """How many data sets can tell."""
        return len(self.better) + len(self.worse) + len(self.equal)

    def in_words(self) -> Message:
        """The counts with the names, and the tests where there are enough."""
        parts = [
            say("{what} on {number} ({names})", what=what, number=len(some), names=listed(some, "and"))
            for what, some in (("better", self.better), ("worse", self.worse), ("as good within chance", self.equal))
            if some
        ]
        if self.p_consistency is None and self.p_power is None:
            tested = say("; fewer than {fewest} differ, too few for a test over data sets", fewest=FEWEST)
        else:
            shown = [
                say("{quality} {p}", quality=quality, p=p_in_words(p, _ALPHA))
                for quality, p in (("consistency", self.p_consistency), ("power", self.p_power))
                if p is not None
            ]
            tested = say("; sign tests over data sets: {tests}", tests=in_a_row(shown))
        said = "Beside {other}, over {sets}, {measure} is {parts}{tested}."
        return note(
            "trial over data sets", said, other=self.other, sets=counted(self.number, "data set"), measure=self.measure,
            parts=in_a_row(parts), tested=tested,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """In JSON's terms."""
        return {
            "id": self.measure, "other": self.other, "data_sets": self.number, "better": list(self.better),
            "worse": list(self.worse), "equally_good": list(self.equal), "p_consistency": self.p_consistency,
            "p_power": self.p_power,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class OnData:
    """What every data set of a folder says, and what is left out of it with the reasons."""

    folder: str
    sets: tuple[OneDataSet, ...]
    left_out: tuple[LeftOut, ...]

    def across(self, measure: str, other: str) -> Across | None:
        """Two measures over all real data sets that can tell; None where none can."""
        here = [
            (one.name, standing)
            for one in self.sets
            if not one.data.simulated
            and (standing := one[measure]) is not None
            and other in standing.others
            and not standing.cannot_tell
        ]
        if not here:
            return None
        by = {
            what: tuple(name for name, standing in here if other in getattr(standing, what))
            for what in ("better_than", "worse_than", "equal_to")
        }
        tests = {
            quality: sign_test([standing.gap(other, quality) for _, standing in here]) for quality in ("consistency", "power")
        }
        return Across(measure, other, by["better_than"], by["worse_than"], by["equal_to"], tests["consistency"], tests["power"])

    def in_words(self, measure: str, reference: str) -> list[Message]:
        """What is said of a measure: on each data set, and beside the reference over all."""
        said = [standing.in_words(one.name) for one in self.sets if (standing := one[measure]) is not None]
        over_all = self.across(measure, reference) if len(self.sets) > 1 else None
        return [*said, *([over_all.in_words()] if over_all else [])]

    def left_out_in_words(self) -> list[Message]:
        """What is left out of the folder."""
        said = "{name} is left out: {reason}."
        return [note("data set left out", said, name=one.name, reason=one.reason.rstrip(".")) for one in self.left_out]

    def to_dict(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """In JSON's terms; ``pairs`` are the measures that are held against each other over all data sets."""
        over_all = (self.across(*pair) for pair in pairs)
        return {
            "data": [one.to_dict() for one in self.sets],
            "across": [one.to_dict() for one in over_all if one is not None],
            "left_out": [{"name": one.name, "reason": one.reason} for one in self.left_out],
        }

    def tables(self, format: OutputFormat) -> list[Table]:
        """One for each data set; what they are made of stands below the last."""
        made = [one.table(format) for one in self.sets]
        explained = (
            legend("tau, power, coverage and groups as of simulated systems, here of the runs of each data set."),
            legend("better, worse: beyond chance, tested over topics; equal: equally good within chance."),
            *self.left_out_in_words(),
        )
        if not made:
            return [Table(("data set",), (), notes=explained)]
        return [*made[:-1], replace(made[-1], notes=(*made[-1].notes, *explained))]


def tried_on(
    folder: DataSets,
    task: str,
    chosen: Sequence[Measure],
    established: Sequence[Measure],
    *,
    splits: int,
    draws: int,
    seed: int,
    registry: Registry,
    threads: int | None = None,
) -> OnData:
    """Every measure on every data set of the task. One that cannot be used is left out with the reason."""
    how = {"splits": splits, "trials": draws, "seed": seed, "registry": registry, "threads": threads}
    sets, left_out = [], list(folder.left_out)
    mine = folder.of(task)
    left_out += [LeftOut(one.name, f"it is of the task {one.task}") for one in folder.sets if one.task != task]
    for one in in_steps(mine, len(mine), "", lambda _: 1):
        try:
            with sharing():
                sets.append(_one(one, chosen, established, how))
        except MetameasureError as error:
            left_out.append(LeftOut(one.name, reason_of(error)))
    return OnData(folder.folder, tuple(sets), tuple(left_out))


def _one(data: DataSet, chosen: Sequence[Measure], established: Sequence[Measure], how: dict[str, Any]) -> OneDataSet:
    everyone = list({one.id: one for one in (*chosen, *established)}.values())
    scores, left_out = data.scores(everyone, how["registry"])
    if len(scores.topics) == 1:
        raise UsageError(
            "it has one topic, and measures are compared over topics", hint="deal its items into some: partitions = 20"
        )
    standings = []
    for one in chosen:
        if one.id not in scores.ids:
            continue
        beside = [other.id for other in established if other.id != one.id and other.id in scores.ids]
        try:
            standings.append(standing_of(one.id, beside, scores, how))
        except MetameasureError as error:
            left_out.append(LeftOut(one.id, reason_of(error)))
    return OneDataSet(data, len(scores.topics), len(scores.runs), tuple(standings), tuple(left_out), scores)


def standing_of(measure: str, beside: Sequence[str], scores: Scores, how: dict[str, Any]) -> Standing:
    """A measure beside others, on the topics on which all are defined."""
    chosen: Any = {"measures": [measure, *beside], "incomplete": "drop-topics", "registry": how["registry"]}
    found = summary(scores, **how | chosen)
    return Standing(measure, found, coverage(scores, reference=list(beside) or None, seed=how["seed"], **chosen))
