"""What a trial of judges found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from metameasure.core.choices import Alignment, Gold
from metameasure.core.errors import UsageError, deprecated
from metameasure.core.messages import data, say
from metameasure.core.numbers import json_number
from metameasure.core.problems import Problem
from metameasure.core.scale import Scale
from metameasure.core.signature import UNSIGNED
from metameasure.judging import tables
from metameasure.judging.verdict import verdict
from metameasure.scores.framed import Framed
from metameasure.show.canvas import Figure
from metameasure.show.table import OutputFormat, Table
from metameasure.statistics.alt_test import AltTest


@dataclass(frozen=True)
class AgainstPerson:
    """A judge and one person, scored against the same others on the same items: both scores, their difference with its standard
    error, and what may be said of it."""

    annotator: str
    items: int
    human: float
    judge: float
    difference: float
    se: float
    better: bool
    worse: bool
    not_worse: bool


@dataclass(frozen=True)
class Bias:
    """By how much a judge is above the people's mean, with its interval (NaN where classes have no order); and of each class the
    judge's share and the people's, on the same items."""

    mean: float
    low: float
    high: float
    judge: tuple[float, ...]
    people: tuple[float, ...]


@dataclass(frozen=True)
class JudgeConsistency:
    """Several outputs for an item: how often two of them are the same, their alpha, what a single one scores on average, and what
    their mean (of nominal classes, their majority) scores."""

    outputs: int
    agreement: float
    alpha: float
    single: float
    averaged: float

    @property
    def gain(self) -> float:
        return self.averaged - self.single


@dataclass(frozen=True)
class JudgeLine:
    """One judge: the mean over people of its score, by how much that is above the people's own, with its interval and the design
    effect of clusters; and person by person."""

    judge: str
    items: int
    value: float
    human: float
    difference: float
    low: float
    high: float
    se: float
    design_effect: float
    by_annotator: tuple[AgainstPerson, ...]
    alt_test: AltTest
    bias: Bias
    consistency: JudgeConsistency | None = None

    @property
    def better(self) -> int:
        """For how many people the judge is better."""
        return sum(one.better for one in self.by_annotator)

    @property
    def worse(self) -> int:
        return sum(one.worse for one in self.by_annotator)

    @property
    def undecided(self) -> int:
        return len(self.by_annotator) - self.better - self.worse

    @property
    def not_worse(self) -> int:
        return sum(one.not_worse for one in self.by_annotator)

    @property
    def people(self) -> int:
        """How many people the judge is compared with."""
        return len(self.by_annotator)


@dataclass(frozen=True)
class Reference:
    """What stands beside the judges: always the same class, a judge's labels shuffled over the items, a person in a judge's
    place."""

    name: str
    kind: str
    value: float
    winning_rate: float
    advantage: float
    judge: str = ""
    p: float = math.nan
    """Of labels shuffled: how often they have at least the judge's own advantage."""


@dataclass(frozen=True)
class JudgePair:
    """Two judges on the same items: the difference of their scores, its interval, and the p-value of the paired test, corrected
    for all pairs."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float
    exact: bool = True
    """Whether every way to swap was tried, so that p may be as small as it is."""


@dataclass(frozen=True)
class ByGold:
    """The judges' scores against one kind of gold, and the best judge or the reason why none is best. ``items`` are
    those with several ratings that a judge has labels for, and of ``ties`` of them the majority is tied."""

    gold: Gold
    scores: Mapping[str, float]
    best: str | None
    ties: int = 0
    why: str = ""
    items: int = 0


@dataclass(frozen=True)
class Foretold:
    """Predictions of each person's ratings: on so many items, the average error rate, and the average distance as a share of the
    scale (NaN where classes have no order)."""

    run: str
    items: int
    ratings: int
    aer: float
    anad: float


@dataclass(frozen=True, eq=False)
class Judgement(Framed):
    """Judges beside people, by a measure: ``people`` has each person's score against the others, ``human`` its mean, and
    ``found["gpt"]`` is a judge. By several measures it is that by the first, and ``others`` has the rest; ``by`` chooses one."""

    caption: ClassVar[str] = "Judges beside people"

    measure: str
    better: str
    gold: Gold
    scale: Scale
    items: int
    people: Mapping[str, float]
    judges: tuple[JudgeLine, ...]
    references: tuple[Reference, ...]
    pairs: tuple[JudgePair, ...]
    by_gold: tuple[ByGold, ...]
    foretold: tuple[Foretold, ...]
    alignment: Alignment
    epsilon: float
    margin: float
    alpha: float
    level: float
    units: str
    notes: tuple[str, ...]
    outside: tuple[Problem, ...]
    trials: int
    seed: int
    others: tuple[Judgement, ...] = ()

    @property
    def parts(self) -> tuple[Judgement, ...]:
        """What was found by each of the measures."""
        return (replace(self, others=(), made=UNSIGNED), *self.others) if self.others else (self,)

    def by(self, measure: str) -> Judgement:
        """What was found by one of the measures."""
        for part in self.parts:
            if part.measure == measure:
                return part
        hint = f"there are {', '.join(one.measure for one in self.parts)}"
        raise UsageError(f"'{measure}' is not among the measures", hint=hint)

    def __getitem__(self, judge: str) -> JudgeLine:
        """A judge by name."""
        for one in self.judges:
            if one.judge == judge:
                return one
        if self.others and judge in [one.measure for one in self.parts]:
            deprecated(f"what was found by a measure is found.by('{judge}')")
            return cast("JudgeLine", self.by(judge))
        raise UsageError(
            say("there is no judge '{judge}'", judge=judge),
            hint=say("the judges are {judges}", judges=", ".join(one.judge for one in self.judges)),
        )

    @property
    def human(self) -> float:
        """The human ceiling: the mean over people of their score against the others."""
        known = [value for value in self.people.values() if not math.isnan(value)]
        return sum(known) / len(known) if known else math.nan

    @property
    def validity(self) -> dict[str, str]:
        """The methods behind the intervals and tests: docs/validity.md has their error rates."""
        if not self.judges:
            return {}
        bias = {} if self.scale.kind == "nominal" else {"bias": "interval/judges/bias"}
        pairs = {"difference": "interval/judges/pairs", "p": "test/judges/max-t"} if self.pairs else {}
        tests = {"people": "test/judges/people", "alt_test": "test/judges/alt-test"}
        return {"interval": "interval/judges/difference", **tests, **bias, **pairs}

    def in_words(self) -> list[str]:
        return [sentence for part in self.parts for sentence in verdict(part)]

    @property
    def verdict(self) -> str:
        """What was found, in words."""
        return " ".join(self.in_words())

    def tables(self, format: OutputFormat) -> list[Table]:
        return [table for part in self.parts for table in tables.of(part, format)]

    def draw(self, width: float) -> Figure:
        return tables.chart(self.parts, width)

    def columns(self) -> dict[str, list[Any]]:
        """One row for each judge and measure."""
        parts = [tables.columns(part) for part in self.parts]
        return {name: [value for part in parts for value in part[name]] for name in parts[0]}

    def to_dict(self) -> dict[str, Any]:
        if self.others:
            return {"measures": [part.to_dict() for part in self.parts], **self.signed()}
        return {
            "measure": self.measure,
            "gold": self.gold,
            "items": self.items,
            "units": self.units,
            "margin": self.margin,
            "alpha": self.alpha,
            "validity": self.validity,
            "human": {
                "mean": json_number(self.human),
                "by_annotator": [{"annotator": name, "value": json_number(value)} for name, value in self.people.items()],
            },
            "judges": [self._judge(one) for one in self.judges],
            "references": [
                {"reference": one.name, "kind": one.kind, "judge": one.judge or None}
                | {name: json_number(getattr(one, name)) for name in ("value", "winning_rate", "advantage", "p")}
                for one in self.references
            ],
            "pairs": [
                {"first": one.first, "second": one.second}
                | {name: json_number(getattr(one, name)) for name in ("difference", "low", "high", "p")}
                for one in self.pairs
            ],
            "by_gold": {
                one.gold: {
                    "best": one.best,
                    "scores": {name: json_number(value) for name, value in one.scores.items()},
                    "ties": one.ties,
                    "items": one.items,
                    **({"why": one.why} if one.why else {}),
                }
                for one in self.by_gold
            },
            "foretold": [
                {"run": one.run, "items": one.items, "ratings": one.ratings}
                | {name: json_number(getattr(one, name)) for name in ("aer", "anad")}
                for one in self.foretold
            ],
            "outside": [{"file": one.file, "line": one.line or None, "problem": one.what} for one in self.outside],
            "notes": list(self.notes),
            "findings": data((*self.notes, *verdict(self))),
            "verdict": self.verdict,
            **self.signed(),
        }

    def _judge(self, line: JudgeLine) -> dict[str, Any]:
        numbers = ("value", "human", "difference", "low", "high", "se", "design_effect")
        people = ("human", "judge", "difference", "se")
        same, compared = line.consistency, ("agreement", "alpha", "single", "averaged", "gain")
        return {
            "judge": line.judge,
            "items": line.items,
            **{name: json_number(getattr(line, name)) for name in numbers},
            **{name: getattr(line, name) for name in ("better", "worse", "undecided", "not_worse")},
            "by_annotator": [
                {"annotator": one.annotator, "items": one.items}
                | {name: json_number(getattr(one, name)) for name in people}
                | {name: getattr(one, name) for name in ("better", "worse", "not_worse")}
                for one in line.by_annotator
            ],
            "alt_test": self._alt_test(line.alt_test),
            "bias": {
                **{name: json_number(getattr(line.bias, name)) for name in ("mean", "low", "high")},
                "shares": {
                    label: {"judge": json_number(mine), "people": json_number(theirs)}
                    for label, mine, theirs in zip(self.scale.labels, line.bias.judge, line.bias.people, strict=True)
                },
            },
            "consistency": same and {"outputs": same.outputs, **{name: json_number(getattr(same, name)) for name in compared}},
        }

    def _alt_test(self, test: AltTest) -> dict[str, Any]:
        names = list(self.people)
        return {
            "epsilon": self.epsilon,
            "alignment": self.alignment,
            **{name: json_number(getattr(test, name)) for name in ("winning_rate", "advantage", "ties")},
            "passes": test.passes,
            "by_annotator": [
                {"annotator": names[one.annotator], "items": one.items, "beaten": one.beaten}
                | {name: json_number(getattr(one, name)) for name in ("advantage", "ties", "difference", "p")}
                for one in test.by_annotator
            ],
        }


JudgementsByMeasure = Judgement  # until 0.3 what was found by several measures was of another class
