"""All questions in one table: what each measure can do, how it ranks, how stable it is, what it can tell apart, and advice."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from metameasure.catalogue.registry import Registry, default_registry
from metameasure.catalogue.sources import SAKAI_2021
from metameasure.comparison import TESTS, Test
from metameasure.explaining import measure_name, symbol_of
from metameasure.meta.abilities import ORDER_AWARE, Ability, abilities_of_all
from metameasure.meta.data import AnyScores, Selection, data_sets, leaves_out, resumable
from metameasure.meta.discriminative_power import Discrimination, discrimination
from metameasure.meta.finding import Finding, json_rows
from metameasure.meta.question import LEAVE_OUT, TEST, TEST_OPTIONS, Question
from metameasure.meta.ranking_similarity import ALIKE, GROUP_AT, Similarity, similarity
from metameasure.meta.significance_contradictions import Contradictions, contradictions
from metameasure.meta.significance_overlap import Overlap, overlap
from metameasure.meta.split_consistency import SPLIT_OPTIONS, Consistency, Size, consistency
from metameasure.notes import listed
from metameasure.numbers import number, percent
from metameasure.show.canvas import Figure
from metameasure.show.rows import dots, row_chart
from metameasure.show.table import Mark, OutputFormat, Table
from metameasure.statistics.arrays import Booleans
from metameasure.statistics.item_tests import mcnemar
from metameasure.statistics.paired import square
from metameasure.statistics.rank_correlation import TIE

QUESTION = Question(
    __name__,
    id="summary",
    title="All of it in one table",
    asks="Which measure should be the primary one, and which adds something beside it?",
    why="One table: what each measure can do, groups, consistency, power, and advice.",
    formula=(
        "good, fair, poor: the upper, middle and lower third of the range from the worst to the best of these measures;\n"
        "alike: the best and the worst do not differ beyond chance. A measure that does not differ from the best is as good.\n"
        "beyond chance: consistency, p < alpha in its own test; power, ranges of counts (fewest to most) that do not overlap\n"
        "and more pairs of runs that only one of the two tells apart than a fair coin gives (sign test at alpha)\n"
        "groups: complete linkage at mean tau >= .8\n"
        "ordinal, constant runs, imbalance, symmetric: found by search on small made-up data, whatever the scores at hand"
    ),
    read=(
        "Ratings compare the measures at hand with one another, on these runs and topics: poor is not bad. A primary measure "
        "should be able to do what the task needs, be stable, tell runs apart, and not contradict most of the others; a "
        "secondary one should come from another group."
    ),
    source=(SAKAI_2021.at("Sections 5.4 and 6.4, Tables 4 and 7"),),
    several="similarity and consistency averaged, discriminative power pooled",
    options=(*SPLIT_OPTIONS, *TEST_OPTIONS, TEST, GROUP_AT, LEAVE_OUT),
    place=100,
    name="all",
)
_WIDE = 80
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII")
_MARKS: dict[str, Mark] = {"good": "strong", "fair": "fair", "poor": "weak"}
_TICKS = {True: "✓", False: "", None: "?"}
Rating = Literal["good", "fair", "poor", "alike"]
_POINTS = {"good": 2, "alike": 2, "fair": 1, "poor": 0}
_STABLE = {
    "good": "among the most stable",
    "fair": "fairly stable",
    "poor": "among the least stable",
    "alike": "as stable as the others",
}
_SHARP = {
    "good": "among the best at telling runs apart",
    "fair": "tells fewer runs apart",
    "poor": "among the worst at telling runs apart",
    "alike": "tells as many runs apart as the others",
}
# Runs that always return the same class are rare: a primary measure may do without telling them apart (Sakai 2021, Section 5.4).
_INDISPENSABLE = (ORDER_AWARE, "imbalance_aware")


@dataclass(frozen=True)
class Row:
    """One measure: what it can do, its group, its values and ratings, and advice."""

    measure: str
    abilities: dict[Ability, bool | None]
    group: str
    mean_tau: float
    consistency: Rating
    power: float
    discrimination: Rating
    contradicts: tuple[str, ...] = ()
    outvoted: bool = False
    """Whether it contradicts more than half of the other measures."""
    advice: str = ""

    def can(self, ability: Ability) -> bool | None:
        """Whether it has the ability; None where it was not, or could not be, tried."""
        return next((able for tried, able in self.abilities.items() if tried.id == ability.id), None)

    @property
    def fit(self) -> bool:
        """Whether it could be a primary measure."""
        lacks = any(can is False and ability.id in _INDISPENSABLE for ability, can in self.abilities.items())
        return self.points >= 3 and self.tells_something and not lacks and not self.outvoted

    @property
    def tells_something(self) -> bool:
        """Where all measures fail alike, all are rated alike."""
        return self.power > 0 and self.mean_tau > 0

    @property
    def points(self) -> int:
        return _POINTS[self.consistency] + _POINTS[self.discrimination]


@dataclass(frozen=True, eq=False, kw_only=True)
class Summary(Finding):
    """A row for each measure, and the findings behind them."""

    caption: ClassVar[str] = QUESTION.title

    rows: tuple[Row, ...]
    similarity: Similarity
    consistency: Consistency
    discrimination: Discrimination
    overlap: Overlap
    contradictions: Contradictions

    def abilities(self) -> list[Ability]:
        """The abilities that at least one of the measures was tried for; what tasks have in common stands once."""
        return list({ability.id: ability for row in self.rows for ability in row.abilities}.values())

    def row(self, measure: str) -> Row | None:
        """The row of a measure, where it was among those asked about."""
        return next((row for row in self.rows if row.measure == measure), None)

    def surpasses(self, first: str, second: str) -> bool:
        """Whether the first measure is more consistent than the second and tells more runs apart, both beyond chance."""
        stable = self.consistency
        steadier, other = (stable.measures.index(measure) for measure in (first, second))
        sharper, duller = (self.discrimination.measures.index(measure) for measure in (first, second))
        counts = self.discrimination.counts
        return bool(
            stable.mean_tau[steadier] > stable.mean_tau[other]
            and stable.p[steadier, other] < stable.alpha
            and counts[sharper] > counts[duller]
            and _powers_apart(self.discrimination, self.overlap)[sharper, duller]
        )

    def answer(self) -> dict[str, Any]:
        return {
            "measures": [
                entry | {"abilities": {ability.id: able for ability, able in row.abilities.items()}}
                for row, entry in zip(self.rows, json_rows(self._judged()), strict=True)
            ],
            "contradictions": self.contradictions.sentences(),
            "findings": {
                "similarity": self.similarity.answer(),
                "consistency": self.consistency.answer(),
                "discrimination": self.discrimination.answer(),
                "overlap": self.overlap.answer(),
                "contradictions": self.contradictions.answer(),
            },
        }

    def columns(self) -> dict[str, list[Any]]:
        judged = self._judged()
        able = {ability.id: [row.can(ability) for row in self.rows] for ability in self.abilities()}
        return {"measure": judged.pop("measure"), **able, **judged}

    def _judged(self) -> dict[str, list[Any]]:
        names = ("measure", "group", "mean_tau", "consistency", "power", "discrimination", "advice")
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def tables(self, format: OutputFormat) -> list[Table]:
        """Sakai (2021), Tables 4 and 7, with the values behind the ratings and a line of advice for each measure."""
        shown = [*(ability.heading for ability in self.abilities()), "group", "consistency", "power"]
        numbered = [f"({_ROMAN[place]})" if format.paper else heading for place, heading in enumerate(shown)]
        headings = ("measure", *numbered, *(left.name for left in self.left_out), *(["advice"] if format.wide else []))
        without = [
            {row.measure: f"{number(row.mean_tau)}, {percent(row.power)} %" for row in left.rows} for left in self.left_out
        ]
        rows = tuple(
            (
                measure_name(row.measure, format),
                *(_TICKS[row.can(ability)] for ability in self.abilities()),
                row.group,
                row.consistency if format.paper else f"{row.consistency} {number(row.mean_tau)}",
                row.discrimination if format.paper else f"{row.discrimination} {percent(row.power)} %",
                *(left[row.measure] for left in without),
                *([row.advice] if format.wide else []),
            )
            for row in self.rows
        )
        marks = {
            (place, heading): _MARKS[rating]
            for place, row in enumerate(self.rows)
            for heading, rating in zip(numbered[-2:], (row.consistency, row.discrimination), strict=True)
            if rating in _MARKS
        }
        explained = self.below(*self._explanations(format))
        return [Table(headings, rows, marks=marks, notes=(*explained, *self._conclusions(format)))]

    def _explanations(self, format: OutputFormat) -> list[str]:
        stable, tested, alike = self.consistency, self.discrimination, self.similarity
        test = f"{TESTS[tested.test]}, alpha = {tested.alpha:g}, B = {tested.trials}"
        lines = [f"{ability.heading}: {ability.meaning}." for ability in self.abilities()]
        lines += [
            f"group: rankings alike, mean tau >= {alike.threshold:g} between every two.",
            f"consistency: mean tau over {stable.splits} splits ({stable.how()}).",
            f"power: share of the {tested.pairs} pairs of runs that differ significantly ({test}).",
        ]
        if format.paper:
            lines = [f"({_ROMAN[place]}) {line}" for place, line in enumerate(lines)]
        return [
            *lines,
            "good, fair, poor: thirds of the range from the worst to the best of these measures; alike: within chance.",
            *(["without ...: consistency and power of the other runs."] if self.left_out else []),
            f"Seed {tested.seed}; data sets: {listed([part.name for part in self.parts()], 'and')}.",
        ]

    def _conclusions(self, format: OutputFormat) -> list[str]:
        """Who contradicts whom; and the advice, where it has no column of its own."""
        lines = ["", *self.contradictions.sentences()]
        width = max(len(row.measure) for row in self.rows) + 2
        for row in () if format.wide else self.rows:
            advice = textwrap.wrap(f"{row.advice}.", _WIDE, initial_indent=" " * width, subsequent_indent=" " * width)
            lines += ["", row.measure.ljust(width) + advice[0].lstrip(), *advice[1:]]
        return lines

    def draw(self, width: float) -> Figure:
        """The two values that are rated, side by side; measures from the best down, with their groups."""
        names = [f"{symbol_of(row.measure)} ({row.group})" for row in self.rows]
        taus, powers = (np.array([getattr(row, name) for row in self.rows]) for name in ("mean_tau", "power"))
        panels = [
            dots("consistency", taus, texts=[row.consistency for row in self.rows]),
            dots("power (%)", 100 * powers, texts=[row.discrimination for row in self.rows]),
        ]
        alike = f"groups of measures that rank alike (tau at least {self.similarity.threshold:g})"
        return row_chart(names, panels, width, notes=[f"Consistency: mean tau. In brackets: {alike}."])


@resumable
@leaves_out
def summary(
    scores: AnyScores,
    *,
    trials: int = 5000,
    alpha: float = 0.05,
    seed: int = 0,
    splits: int = 1000,
    size: Size = "half",
    test: Test = "tukey",
    threshold: float = ALIKE,
    threads: int | None = None,
    **selection: Unpack[Selection],
) -> Summary:
    """Similarity, consistency, discrimination, overlap and contradictions, put together in one table with advice."""
    data = data_sets(scores, selection)
    alike = similarity(data, seed=seed, threshold=threshold, threads=threads)
    stable = consistency(data, splits=splits, size=size, trials=trials, alpha=alpha, seed=seed, threads=threads)
    tested = discrimination(data, trials=trials, alpha=alpha, seed=seed, test=test, threads=threads)
    shared, opposed = overlap(tested), contradictions(tested, fold=True)
    registry = selection.get("registry") or default_registry()
    findings = [alike, stable, tested, shared, opposed]
    parts = [_summarised(part, registry) for part in zip(*(finding.data for finding in findings), strict=True)]
    return _summarised(findings, registry, tuple(parts))


def _summarised(findings: Sequence[Any], registry: Registry, data: tuple[Summary, ...] = ()) -> Summary:
    alike, stable, tested, shared, opposed = findings
    return Summary(
        name="all" if data else alike.name,
        measures=alike.measures,
        rows=_rows(alike, stable, tested, shared, opposed, registry),
        similarity=alike,
        consistency=stable,
        discrimination=tested,
        overlap=shared,
        contradictions=opposed,
        notes=alike.notes,
        data=data,
    )


def ratings(values: Sequence[float], apart: Booleans | None = None) -> list[Rating]:
    """good, fair or poor: thirds of the range from worst to best; alike where these two do not differ beyond chance. ``apart``
    says which two do (by default all that are not equal). Who does not differ from the best is as good."""
    numbers = np.asarray(values)
    apart = np.abs(numbers[:, None] - numbers) > TIE if apart is None else apart
    best, worst = int(numbers.argmax()), int(numbers.argmin())
    if not apart[best, worst]:
        return ["alike"] * len(values)
    third = (numbers[best] - numbers[worst]) / 3
    upper = (numbers >= numbers[best] - third - TIE) | ~apart[best]
    return [
        "good" if up else "fair" if value >= numbers[worst] + third - TIE else "poor"
        for up, value in zip(upper, numbers, strict=True)
    ]


def _powers_apart(tested: Discrimination, shared: Overlap) -> Booleans:
    """Which two measures tell different numbers of pairs of runs apart, whatever the trials, and by more than a coin would."""
    apart = tested.fewest[:, None] > tested.most
    beyond = square([mcnemar(pair.only_first, pair.only_second) for pair in shared.pairs], len(tested.measures))
    return np.asarray((apart | apart.T) & (beyond < tested.alpha))


def _rows(
    alike: Similarity, stable: Consistency, tested: Discrimination, shared: Overlap, opposed: Contradictions, registry: Registry
) -> tuple[Row, ...]:
    """Measures from the best to the worst."""
    measures, groups = alike.measures, alike.group_of()
    place = [stable.measures.index(measure) for measure in measures]
    taus, powers = stable.mean_tau[place].tolist(), tested.power().tolist()
    steady = ratings(taus, stable.p[np.ix_(place, place)] < stable.alpha)
    sharp = ratings(powers, _powers_apart(tested, shared))
    able = abilities_of_all(measures, registry)
    against = [_opponents(measure, opposed) for measure in measures]
    outvoted = [2 * len(opponents) > len(measures) - 1 for opponents in against]
    judged = [
        Row(measure, able[measure], groups[measure], *rated)
        for measure, *rated in zip(measures, taus, steady, powers, sharp, against, outvoted, strict=True)
    ]
    ordered = sorted(
        judged, key=lambda one: (one.fit, not one.outvoted, one.points, round(one.mean_tau + one.power, 12)), reverse=True
    )
    return tuple(replace(one, advice=_advice(one, ordered)) for one in ordered)


def _advice(one: Row, ordered: Sequence[Row]) -> str:
    lacking = [ability.lacking for ability, can in one.abilities.items() if can is False and ability.lacking]
    if len(ordered) == 1:
        return "; ".join(["the only measure here: there is nothing to rate it against", *lacking])
    usable = one.points >= 2 and one.tells_something and not one.outvoted
    role = "fit to be the primary measure" if one.fit else "usable" if usable else "at most a secondary measure"
    sharpness = _SHARP[one.discrimination] if one.power else "finds no significant difference"
    most = "most of the others: " if one.outvoted and len(one.contradicts) > 1 else ""
    opposed = [f"contradicts {most}{listed(one.contradicts, 'and')}"] if one.contradicts else []
    return "; ".join([f"{role}: {_STABLE[one.consistency]}, {sharpness}", _company(one, ordered), *lacking, *opposed])


def _company(one: Row, ordered: Sequence[Row]) -> str:
    mates = [other for other in ordered if other.group == one.group]
    if len(mates) == 1:
        return "ranks like no other" + (", so it adds a view of its own" if one.tells_something else "")
    return f"can stand for group {one.group}" if one is mates[0] else f"ranks much as {mates[0].measure} does"


def _opponents(measure: str, opposed: Contradictions) -> tuple[str, ...]:
    pairs = [(pair.first, pair.second) for pair in opposed.pairs if pair.runs]
    return tuple(second if first == measure else first for first, second in pairs if measure in (first, second))
