"""Entailment: a label per item, read three ways and two ways, with an order of confidence or of belief."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from metameasure.catalogue.classification.mutual_information import information_by_chance
from metameasure.catalogue.measure import Measure
from metameasure.core.choices import Average
from metameasure.core.errors import UsageError, did_you_mean
from metameasure.core.messages import note, option, say, warn
from metameasure.core.notes import first_of
from metameasure.core.problems import DataProblems, Problem
from metameasure.core.scale import Classes, Kind, Scale, UndeclaredClasses
from metameasure.evidence.base import digest_of
from metameasure.evidence.counts import LabelCounts
from metameasure.evidence.judgements import Judgements, linear_weights
from metameasure.evidence.label_reader import ORDERS, LabelReader
from metameasure.evidence.ordering import ordered_runs
from metameasure.evidence.preparing import CountOptions, prepared
from metameasure.evidence.room import Room
from metameasure.reading.joining import KeyedTable
from metameasure.reading.numbers import read_series
from metameasure.reading.options import Columns
from metameasure.scores.scores import Scores
from metameasure.tasks.base import LabelTask, count_options, label_reader
from metameasure.tasks.entailment import TASK, Options
from metameasure.tasks.entailment.facts import facts_of_judgements
from metameasure.tasks.entailment.remarks import remarks
from metameasure.tasks.entailment.tables import JudgementTables, judgement_tables
from metameasure.tasks.facts import DataFacts

_SERIES: dict[str, Callable[[int], Any]] = {
    "linear": lambda n: np.arange(n, 0, -1.0),
    "reciprocal": lambda n: 1 / np.arange(1.0, n + 1),
    "logarithmic": lambda n: 1 / np.log2(np.arange(2.0, n + 2)),
}


_NOT_RELATED = (
    "two-way and three-way accuracy stand side by side, but the two tasks are qualitatively different and not trivially related: "
    "a run that is better by one need not be by the other (Bergmair 2009, Section 2)"
)


@dataclass(frozen=True)
class Entailment(LabelTask[Judgements, Options]):
    """Labels with roles: the positive class comes first in the scale."""

    declared = TASK
    with_majority: ClassVar[bool] = False

    @cached_property
    def read(self) -> LabelReader:
        read = replace(label_reader(self.options, matrices=self.options.matrices), orders=True)
        if (memory := read.options.memory) is None or read.declared:  # less already
            return read
        return replace(read, options=replace(read.options, memory=Room.of(memory).for_engine))

    @cached_property
    def count(self) -> CountOptions:
        scale = _scale(self.options.roles(), self.options.classes, self.options.kind)
        return replace(count_options(self.options), classes=scale, kind=None)

    @property
    def wants_baselines(self) -> bool:
        return True

    def reduced(self) -> Judgements:
        with self.read.opened(self.gold, self.runs) as tables:
            try:
                ready, unit = prepared(tables, self.count)
                counts = self.counted(ready, unit)
            except UndeclaredClasses as error:
                raise _undeclared(error) from None
            self._check_columns(tables.orders)
            ordered = ordered_runs(ready, counts)
        weighted = (
            [warn("weights not read", "items' weights do not enter measures that read an order")]
            if counts.weighted and any(ordered)
            else []
        )
        notes = (*counts.notes, *weighted, *_both_notes(tables))
        return Judgements(counts, ordered, linear_weights, counts.settings, notes)

    def evidence(self) -> Judgements:
        """Judgements with the weights of ranks that were asked for."""
        evidence = super().evidence()
        series, name = _series(self.options.rank_weights)
        if any(evidence.items) and name not in _SERIES:
            name += f":{_digest(series, evidence.counts.gold_items.sum(axis=-1))}"
        weights = (("rank_weights", name),) if name != "linear" else ()
        return replace(evidence, series=series, settings=evidence.counts.settings + weights)

    def gold_alone(self) -> Judgements:
        return self._unordered(self.gold_counts().without_runs())

    def right(self) -> Judgements:
        return self._unordered(self.gold_counts())

    @classmethod
    def tables(cls, evidence: Judgements) -> JudgementTables:
        return judgement_tables(evidence)

    @classmethod
    def facts(cls, evidence: Judgements) -> DataFacts:
        return facts_of_judgements(evidence)

    def _unordered(self, counts: LabelCounts) -> Judgements:
        """Judgements of runs that order nothing."""
        series, _ = _series(self.options.rank_weights)
        return Judgements(counts, (None,) * len(counts.runs), series, counts.settings, counts.notes)

    def _check_columns(self, orders: Sequence[frozenset[str]]) -> None:
        """UsageError for a column by which items were to be ordered and that no run has."""
        for role in ORDERS:
            name = getattr(self.read.options.columns, role)
            if name != getattr(Columns(), role) and not any(role in had for had in orders):
                raise UsageError(
                    say("no run has a column '{column}'", column=name),
                    hint=say("check {option}", option=option(f"{role.replace('_', '-')}-column")),
                )

    def score(
        self, evidence: Judgements, measures: Sequence[Measure], *, distance: Any, average: Average, drawn_with: int | None
    ) -> Scores:
        scores = super().score(evidence, measures, distance=distance, average=average, drawn_with=drawn_with)
        own_remarks, notes = remarks(evidence, balance=self.options.balance)
        informed = {measure.argument for measure in measures if measure.template == "mutual_information"}
        weighted = informed and None not in informed  # without weights, what chance gives each run is known, and said
        chance = [_by_chance(evidence, by_topic=average == "topics")] if weighted else []
        both = {"accuracy", "a3"} & {measure.id for measure in measures} and "a2" in {measure.id for measure in measures}
        related = [note("two-way and three-way", _NOT_RELATED)] if both and evidence.scale and len(evidence.scale) == 3 else []
        return replace(scores, remarks=(*own_remarks, *scores.remarks), remark_notes=(*related, *chance, *notes))


def _scale(roles: Mapping[str, str], classes: Classes | None, kind: Kind | None) -> Scale | None:
    """The classes from positive to negative; None where nothing declares them."""
    if not roles and classes is None:
        return None
    missing = [option(role) for role in ("positive", "negative") if role not in roles]
    if missing:
        raise UsageError(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not declared",
            hint=say(
                "as in {--positive ENTAILMENT} {--neutral NEUTRAL} {--negative CONTRADICTION} (two-way data has no neutral)"
            ),
        )
    labels = tuple(roles[role] for role in ("positive", "neutral", "negative") if role in roles)
    if len(set(labels)) < len(labels):
        raise UsageError(
            say("one label has two roles: {labels}", labels=", ".join(labels)), hint="give each role a label of its own"
        )
    scale = Scale.of(list(labels) if classes is None else classes, kind=kind)
    if scale.labels != labels:
        raise UsageError(
            f"the classes {scale} are not those of the roles, from positive to negative",
            hint=say("leave out {--classes}, or write {--classes <names>}", names=list(labels)),
        )
    return scale


def _undeclared(error: UndeclaredClasses) -> UsageError:
    what = say("which label means what is never guessed; the labels found are {labels}", labels=", ".join(error.labels))
    if len(error.labels) > 3:
        return UsageError(what, hint=say("entailment has two or three: {--positive}, {--neutral}, {--negative}"))
    labels = (*error.labels, "...", "...")[:3] if len(error.labels) != 2 else error.labels
    roles = ("positive", "neutral", "negative") if len(labels) == 3 else ("positive", "negative")
    options = " ".join("{--" + f"{role} <{role}>" + "}" for role in roles)
    hint = "as in " + options + ", if that is what they mean"
    return UsageError(what, hint=say(hint, **dict(zip(roles, labels, strict=True))))


def _series(series: Any) -> tuple[Callable[[int], Any], str]:
    """The weights of ranks, adding up to 1, and what the signature calls them."""
    if isinstance(series, str) and series in _SERIES:
        return _normalised(_SERIES[series]), series
    if callable(series):
        return _normalised(series), getattr(series, "__name__", "given")
    if isinstance(series, str | Path):
        if not Path(series).is_file():
            raise UsageError(
                f"there is no series of rank weights '{series}'",
                hint=did_you_mean(str(series), _SERIES) or f"choose {', '.join(_SERIES)}, or a file with a number per rank",
            )
        return _listed(read_series(series), str(series)), f"file:{Path(series).name}"
    try:
        weights = np.asarray(series, dtype=float)
    except (TypeError, ValueError):
        weights = np.asarray(np.nan)
    if weights.ndim != 1:
        raise UsageError("the rank weights are not a list of numbers", hint="give one per rank, a name, or a function of N")
    return _listed(weights, ""), "given"


def _normalised(series: Callable[[int], Any]) -> Callable[[int], Any]:
    def weights(n: int) -> Any:
        numbers = np.asarray(series(n), dtype=float)
        if numbers.shape != (n,) or not np.all(np.isfinite(numbers) & (numbers >= 0)) or (n and not numbers.sum() > 0):
            raise UsageError(f"the series does not give {n} rank weights", hint="N numbers from 0 up, at least one above")
        return numbers / numbers.sum() if n else numbers

    return weights


def _listed(weights: Any, file: str) -> Callable[[int], Any]:
    """A series that is written down; its faults are those of the file, where it is one."""
    array = np.asarray(weights, dtype=float)

    def fault(what: str, hint: str) -> Exception:
        return DataProblems([Problem(file, 0, what, hint)]) if file else UsageError(what, hint=hint)

    if not np.all(np.isfinite(array) & (array >= 0)):
        raise fault("a rank weight is negative or not finite", "give numbers from 0 up, the first rank's first")

    def series(n: int) -> Any:
        if n > len(array):
            raise fault(f"there are {len(array)} rank weights for {n} items", "give as many as all topics have items together")
        if n and not array[:n].sum() > 0:
            raise fault(f"the first {n} rank weights add up to 0", "at least one rank must count")
        return array[:n] / array[:n].sum() if n else array[:0]

    return series


def _digest(series: Callable[[int], Any], items: Any) -> str:
    """Of the weights for topics of these sizes and for all as one. What is wrong with a series is said here, before scoring."""
    return digest_of(map(series, np.unique([*items, items.sum()]).tolist()), digits=8)


def _both_notes(tables: KeyedTable) -> Iterator[str]:
    for pair, what in (
        ({"rank", "confidence"}, "rank orders the items, confidence weighs them"),
        ({"score_rank", "score"}, "score_rank orders the items, score is not read"),
    ):
        both = [name for name, had in zip(tables.names, tables.orders, strict=False) if pair <= had]
        if both:
            yield note("two orders", "{runs}: {what}", runs=first_of(both, len(both)), what=what)


def _by_chance(evidence: Judgements, *, by_topic: bool) -> str:
    """How much information a random labelling seems to have."""
    items = evidence.counts.gold_items.sum(axis=-1)
    items = items[items > 0] if by_topic else items.sum(keepdims=True)
    bits = float(np.mean([information_by_chance(len(evidence.scale), number) for number in items]))
    each = " a topic" if len(items) > 1 else ""
    return warn(
        "mutual information by chance",
        "by chance a random labelling of {items:.0f} items" + each + " has about {bits:.2g} bits of mutual information, not 0",
        items=float(items.mean()),
        bits=bits,
    )
